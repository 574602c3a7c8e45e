"""Functions of `pallas.ops`, beside JAX's kernels in its interpreters."""

from __future__ import annotations

import importlib
import subprocess
import sys

import numpy as np
import pytest
from tests.recorded import jax, module_of

import adjoint
import adjoint.experimental.pallas

F, I = np.float32, np.int32
MODULES = (jax, adjoint)


def module(m, name):
    at = "experimental.pallas.ops." + name
    if m is jax:
        return importlib.import_module(f"jax.{at}")
    return module_of(m, at)


def normal(*shape, seed=0):
    return np.random.RandomState(seed).normal(size=shape).astype(F)


def squares(m, f, count, *args):
    return m.grad(lambda *args: (f(*args) ** 2).sum(), tuple(range(count)))(*args)


# ---- kernels of GPUs

SEGMENTS = np.repeat(np.array([[0, 1], [0, 2]], I), 16, axis=1)


def mha(m, *args, **options):
    attention = module(m, "gpu.attention")
    blocks = attention.BlockSizes(16, 16, 16, 16, 16, 16)
    return attention.mha(*args, sm_scale=0.3, block_sizes=blocks, interpret=True, **options)


def heads(dtype=F):
    return [normal(2, 32, 2, 16, seed=s).astype(dtype) for s in range(3)]


def decoded(m, name, **options):
    q, kv = normal(2, 16, 16), [normal(2, 64, *(2,) * (name == "gqa"), 16, seed=s) for s in (1, 2)]
    f = getattr(module(m, "gpu.decode_attention"), name)
    return f(q, *kv, block_k=32, k_splits=2, interpret=True, **options)


LENGTHS = np.array([13, 40], I)


def paged(m, lengths=LENGTHS, dtype=F, scales=(), **options):
    q, k, v = normal(2, 16, 16), *[normal(2, 12, 8, 16, seed=s) for s in (1, 2)]
    tables = np.random.RandomState(3).permutation(12).reshape(2, 6).astype(I)
    f = module(m, "gpu.paged_attention").paged_attention
    return f(*[x.astype(dtype) for x in (q, k, v)], tables, lengths, *scales, pages_per_compute_block=2,
             k_splits=3, interpret=True, **options)


def norm(m, name, dtype=F, length=32):
    f = getattr(module(m, f"gpu.{name}"), name)
    x, weight, bias = [normal(*s, length, seed=i).astype(dtype) for i, s in enumerate(((2, 5), (), ()))]
    return lambda x, w, b: f(x, w, b, eps=0.1, interpret=True), x, weight, bias


def applied(found):
    f, *args = found
    return f(*args)


GPU = {
    "mha": lambda m: mha(m, *heads(), None),
    "mha of segments": lambda m: mha(m, *heads(), SEGMENTS),
    "mha, causal": lambda m: mha(m, *heads(), SEGMENTS, causal=True),
    "mha with sums": lambda m: mha(m, *heads(), None, return_residuals=True),
    "mha of halves": lambda m: mha(m, *heads(np.float16), None),
    "derivatives of mha": lambda m: squares(m, lambda *a: mha(m, *a, SEGMENTS, causal=True), 3, *heads()),
    "mha, batched": lambda m: m.vmap(lambda q, k, v: mha(m, q, k, v, None))(*[x[None] for x in heads()]),
    "the reference of mha": lambda m: module(m, "gpu.attention").mha_reference(*heads(), SEGMENTS, 0.3, True),
    "mqa": lambda m: decoded(m, "mqa"),
    "mqa of lengths": lambda m: decoded(m, "mqa", start_idx=np.array([0, 9], I), kv_seq_len=np.array([60, 64], I)),
    "mqa with sums": lambda m: decoded(m, "mqa", sm_scale=0.5, return_residuals=True, normalize_output=False),
    "gqa": lambda m: decoded(m, "gqa"),
    "gqa of lengths": lambda m: decoded(m, "gqa", start_idx=3, kv_seq_len=np.array([60, 64], I)),
    "gqa with sums": lambda m: decoded(m, "gqa", return_residuals=True),
    "paged": paged,
    "paged, full": lambda m: paged(m, None),
    "paged with a cap": lambda m: paged(m, attn_logits_soft_cap=2.0),
    "paged with scales": lambda m: paged(m, scales=[np.abs(normal(2, 12, 8, seed=s)) for s in (5, 6)]),
    **{f"{n}{end}": lambda m, n=n, o=o: applied(norm(m, n, **o)) for n in ("layer_norm", "rms_norm")
       for end, o in (("", {}), (" of halves", {"dtype": np.float16}), (" of odd rows", {"length": 20}))},
    **{f"derivatives of {n}": lambda m, n=n: squares(m, norm(m, n)[0], 3, *norm(m, n)[1:])
       for n in ("layer_norm", "rms_norm")},
    "softmax": lambda m: module(m, "gpu.softmax").softmax(normal(3, 20), interpret=True),
    "softmax of halves": lambda m: module(m, "gpu.softmax").softmax(normal(3, 20).astype(np.float16), interpret=True),
}

# ---- kernels of TPUs


def flash(m, q, k, v, ab=None, segments=True, **options):
    attention = module(m, "tpu.flash_attention")
    ids = np.repeat(np.array([[0, 1]], I), 64, axis=1)
    ids = attention.SegmentIds(ids, ids) if segments else None
    f = attention.mha_reference if m is jax else attention.flash_attention  # its kernel has no interpreter of the CPU
    return f(q, k, v, ab, segment_ids=ids, **options)


def flash_operands():
    return [normal(1, 2, 128, 16, seed=s) for s in range(3)], normal(1, 2, 128, 128, seed=3)


def flash_reference(m):
    attention = module(m, "tpu.flash_attention")
    qkv, ab = flash_operands()
    ids = attention.SegmentIds(*[np.repeat(np.array([x], I), 64, axis=1) for x in ((0, 1), (1, 0))])
    f = lambda *args: attention.mha_reference(*args, ids, False, sm_scale=0.2)
    one = attention.mha_reference_no_custom_vjp(*qkv, ab, ids, save_residuals=True)
    return f(*qkv, ab), one


def flash_derivatives(m):
    """Of JAX's reference without a rule, of which it has one for other options alone."""
    attention = module(m, "tpu.flash_attention")
    f = attention.mha_reference_no_custom_vjp if m is jax else attention.flash_attention
    qkv, ab = flash_operands()
    return squares(m, lambda *args: f(*args, causal=True, sm_scale=0.2), 4, *qkv, ab)


SIZES = np.array([50, 0, 30, 48], I)


def product(m, name="gmm", lhs=None, rhs=None, sizes=SIZES, **options):
    f = getattr(module(m, "tpu.megablox.gmm"), name)
    lhs = normal(128, 32) if lhs is None else lhs
    rhs = normal(4, 32, 16, seed=1) if rhs is None else rhs
    return f(lhs, rhs, sizes, tiling=(64, 32, 16), interpret=True, **options)


def halves_product(m):
    f = module(m, "tpu.megablox").gmm
    return f(normal(128, 32), normal(4, 32, 16, seed=1), SIZES, m.numpy.bfloat16, tiling=(64, 32, 16), interpret=True)


def derived_product(m):
    f = lambda a, b: module(m, "tpu.megablox").gmm(a, b, SIZES, tiling=(64, 32, 16), interpret=True)
    return squares(m, f, 2, normal(128, 32), normal(4, 32, 16, seed=1))


def tpu_paged(m, lengths=LENGTHS, **options):
    """The same numbers as `paged`, whose kernel JAX can interpret on the CPU."""
    if m is jax:
        return paged(m, lengths, **options)
    q, k, v = normal(2, 16, 16), *[normal(2, 12, 8, 16, seed=s) for s in (1, 2)]
    tables = np.random.RandomState(3).permutation(12).reshape(2, 6).astype(I)
    f = module(m, "tpu.paged_attention").paged_attention
    return f(q, k, v, lengths, tables, pages_per_compute_block=2, **options)


def ragged(m, name="ref_ragged_paged_attention", **options):
    q, pages = normal(24, 4, 128), normal(16, 8, 4, 128, seed=1)
    tables = np.stack([np.random.RandomState(s).permutation(16)[:6] for s in range(3)]).astype(I)
    of = [np.array([13, 40, 0], I), tables, np.array([0, 5, 20, 20], I), np.array([2], I)]
    f = getattr(module(m, "tpu.ragged_paged_attention"), name)
    return f(q, pages, *of, sm_scale=0.1, **options)


def quantized(m):
    utilities = module(m, "tpu.paged_attention.quantization_utils")
    made = utilities.quantize_to_int8(normal(3, 5))
    return tuple(made), utilities.unquantize_from_int8(made, F), utilities.to_int8(normal(3, 5), F(3))


TPU = {
    "flash": lambda m: flash(m, *flash_operands()[0], segments=False),
    "flash of segments": lambda m: flash(m, *flash_operands()[0], flash_operands()[1], causal=True, sm_scale=0.2),
    "the reference of flash": flash_reference,
    "derivatives of flash": flash_derivatives,
    "gmm": product,
    "gmm of matrices that are transposed": lambda m: product(m, rhs=normal(4, 16, 32, seed=1), transpose_rhs=True),
    "gmm from a group on": lambda m: product(
        m, rhs=normal(2, 32, 16, seed=1), group_offset=np.array(1, I), existing_out=normal(128, 16, seed=2)),
    "gmm of halves": halves_product,
    "derivatives of gmm": derived_product,
    "tgmm": lambda m: product(m, "tgmm", normal(32, 128), normal(128, 16, seed=1)),
    "tgmm from a group on": lambda m: product(
        m, "tgmm", normal(32, 128), normal(128, 16, seed=1), group_offset=np.array(1, I), num_actual_groups=2,
        existing_out=normal(2, 32, 16, seed=2)),
    "paged on TPUs": tpu_paged,
    "paged on TPUs with a cap": lambda m: tpu_paged(m, attn_logits_soft_cap=2.0),
    "ragged": ragged,
    "ragged in windows": lambda m: ragged(m, sliding_window=4, soft_cap=2.0, k_scale=0.5, v_scale=2.0),
    "integers of eight bits": quantized,
}


@pytest.mark.parametrize("name", {**GPU, **TPU})
def test_functions_are_those_of_jax(name):
    theirs, ours = [m.tree.leaves({**GPU, **TPU}[name](m)) for m in MODULES]
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        wide = [np.asarray(x).astype(F) for x in (a, b)]
        rtol, atol = (2e-2, 5e-3) if "halves" in name else (2e-4, 5e-4)
        np.testing.assert_allclose(*wide, rtol=rtol, atol=atol)


def test_operands_that_do_not_fit_are_refused():
    q, k, v = heads()
    flashed, megablox = module(adjoint, "tpu.flash_attention"), module(adjoint, "tpu.megablox.gmm")
    (a, b, c), ab = flash_operands()
    decode, pages = module(adjoint, "gpu.decode_attention"), module(adjoint, "gpu.paged_attention")
    for mistake, expected in (
        (lambda: mha(adjoint, q[0], k, v, None), "Attention of queries of shape (32, 2, 16)"),
        (lambda: mha(adjoint, q, k[:1], v[:1], None), "which differ in the places alone"),
        (lambda: flashed.flash_attention(a, b, c[..., :4]), "with values of shape (1, 2, 128, 4)"),
        (lambda: flashed.flash_attention(a, b, c, ab[:, :1]), "expected shape (1, 2, 128, 128), got (1, 1, 128, 128)"),
        (lambda: flash(adjoint, *[x[:, :, :64] for x in (a, b, c)]), "The segments of queries have shape (1, 128)"),
        (lambda: decode.mqa(q[0], k[0], v), "queries of batch, heads and elements"),
        (lambda: decode.gqa(normal(2, 3, 16), k, v), "heads that divide those of the queries"),
        (lambda: pages.paged_attention(q, k, v, SEGMENTS, None), "pages of heads, pages, places, elements"),
        (lambda: pages.paged_attention(normal(2, 3, 16), k, v, SEGMENTS, None), "3 heads of queries cannot share 2"),
        (lambda: module(adjoint, "gpu.layer_norm").layer_norm(q, q[0, 0, 0, :3], q[0, 0, 0]), "weights of shape (3,)"),
        (lambda: megablox.gmm(normal(4, 3), normal(2, 5, 3), SIZES), "transpose_rhs=True"),
        (lambda: megablox.gmm(normal(3), normal(2, 5, 3), SIZES), "Expected 2-tensor for 'lhs' but got 1-tensor."),
        (lambda: megablox.gmm(normal(4, 5), normal(5, 3), SIZES), "Expected 3-tensor for 'rhs' but got 2-tensor."),
        (lambda: product(adjoint, sizes=SIZES.astype(F)), "Expected 32-bit integer 'group_sizes' but got float32."),
        (lambda: product(adjoint, existing_out=normal(3)), "existing_out has shape (3,)"),
        (lambda: megablox.tgmm(normal(4, 3), normal(4, 3), SIZES), "3 columns cannot be multiplied with 4 rows"),
        (lambda: ragged(adjoint, scales=1), "scales"),
    ):
        with pytest.raises((ValueError, TypeError)) as error:
            mistake()
        assert expected in str(error.value), (expected, str(error.value))


def test_blocks_are_those_of_jax():
    def outcome(m):
        of_gpu, of_tpu = module(m, "gpu.attention"), module(m, "tpu.flash_attention")
        blocks = of_gpu.BlockSizes.get_default(), of_gpu.BlockSizes(8, 8), of_tpu.BlockSizes.get_default(1, 2, 8, 8, 8)
        diagonal = [bool(of_tpu.below_or_on_diag(i, 32, j, 16)) for i in range(3) for j in range(5)]
        return [(str(b), b.has_backward_blocks) for b in blocks], of_gpu.DEFAULT_MASK_VALUE, diagonal

    theirs, ours = map(outcome, MODULES)
    assert ours == theirs


def test_places_of_no_sequence_are_zeros():
    whole = ragged(adjoint, "ragged_paged_attention")
    np.testing.assert_allclose(whole[:20], ragged(adjoint), rtol=1e-6)
    assert whole.shape == (24, 4, 128) and not whole[20:].any()


def test_matrices_are_multiplied():
    a, b = normal(4, 3), normal(3, 5, seed=1)
    out = module(adjoint, "tpu.matmul").matmul(a, b, block_shape=(2, 2), out_dtype=np.float16)
    assert out.dtype == np.float16
    np.testing.assert_allclose(out, a @ b, rtol=1e-2, atol=1e-2)


def test_a_package_keeps_what_it_has_under_the_name_of_a_module():
    """As `jax.experimental...megablox.gmm`, which is a function, once its module is imported."""
    at = "jax.experimental.pallas.ops.tpu"
    program = f"from {at} import megablox; import {at}.megablox.gmm; print(type(megablox.gmm).__name__)"
    done = subprocess.run([sys.executable, "-m", "adjoint", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["function"]
