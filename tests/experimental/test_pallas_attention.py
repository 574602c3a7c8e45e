"""Attention by masks, beside JAX's kernel of TPUs in its interpreter."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax, module_of

import adjoint
import adjoint.experimental.pallas
from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_kernel

F = np.float32
MODULES = (jax, adjoint)
SHAPE = (4, 6)
N = 128  # queries and keys of kernels: JAX's has blocks of so many


def modules(m):
    at = "experimental.pallas.ops.tpu.splash_attention.splash_attention_"
    return module_of(m, at + "mask"), module_of(m, at + "kernel")


MASKS = {
    "causal": lambda masks: masks.CausalMask(SHAPE),
    "causal, moved": lambda masks: masks.CausalMask(SHAPE, -1),
    "around": lambda masks: masks.LocalMask(SHAPE, (1, 2), 1),
    "before": lambda masks: masks.LocalMask(SHAPE, (None, 1), offset=-1),
    "after": lambda masks: masks.LocalMask(SHAPE, (2, None), 0),
    "full": lambda masks: masks.FullMask(SHAPE),
    "chunks": lambda masks: masks.ChunkedCausalMask(SHAPE, 2),
    "of NumPy": lambda masks: masks.NumpyMask(np.eye(*SHAPE) > 0),
    "either": lambda masks: masks.CausalMask(SHAPE) | masks.NumpyMask(np.eye(*SHAPE) > 0),
    "both": lambda masks: masks.CausalMask(SHAPE) & masks.LocalMask(SHAPE, (1, 2), 0),
}


@pytest.mark.parametrize("name", MASKS)
def test_masks_are_those_of_jax(name):
    def outcome(m):
        masks, _ = modules(m)
        mask, again = MASKS[name](masks), MASKS[name](masks)
        other = masks.CausalMask(SHAPE, 3)
        return (mask.shape, mask[:, :].tolist(), mask[1:3, 2:5].tolist(), mask == again, hash(mask) == hash(again),
                mask == other, type(mask).__name__)

    theirs, ours = map(outcome, MODULES)
    assert ours == theirs


def test_masks_of_heads_and_of_numpy_are_those_of_jax():
    def outcome(m):
        masks, _ = modules(m)
        heads = masks.MultiHeadMask([masks.CausalMask(SHAPE), masks.FullMask(SHAPE)])
        return (heads.shape, heads[0, :, :].tolist(), heads[:, 0:2, 1:3].tolist(), heads[1:, 0:1, :].tolist(),
                masks.make_causal_mask(SHAPE, 1).tolist(), masks.make_chunk_attention_mask(SHAPE, 3).tolist(),
                masks.make_local_attention_mask(SHAPE, (0, 1), offset=1).tolist(),
                masks.make_random_mask((8, 8), 0.5, 3).tolist())

    theirs, ours = map(outcome, MODULES)
    assert ours == theirs


def test_mistakes_about_masks_are_those_of_jax():
    def outcome(m, mistake):
        with pytest.raises(Exception) as error:
            mistake(modules(m)[0])
        return type(error.value).__name__, str(error.value).split("\n")[0]

    for mistake in (
        lambda masks: masks.CausalMask(SHAPE) | masks.CausalMask((3, 3)),
        lambda masks: bool(masks.CausalMask(SHAPE)),
        lambda masks: masks.CausalMask(SHAPE)[0, 1],
        lambda masks: masks.CausalMask(SHAPE, shard_count=3),
        lambda masks: masks.ChunkedCausalMask(SHAPE, 0),
        lambda masks: masks.FullMask(3),
        lambda masks: masks.NumpyMask(np.ones(3, bool)),
        lambda masks: masks.NumpyMask(np.ones((3, 3), int)),
        lambda masks: masks.MultiHeadMask([]),
        lambda masks: masks.MultiHeadMask([masks.FullMask(SHAPE), masks.FullMask((3, 3))]),
        lambda masks: masks.MultiHeadMask([masks.MultiHeadMask([masks.FullMask(SHAPE)])]),
    ):
        theirs, ours = [outcome(m, mistake) for m in MODULES]
        assert ours == theirs


def operands(heads=2, kv_heads=2):
    rng = np.random.RandomState(0)
    return [rng.normal(size=(h, N, N)).astype(F) * s for h, s in ((heads, 0.1), (kv_heads, 1), (kv_heads, 1))]


def kernel(m, make="make_splash_mha", **options):
    masks, kernels = modules(m)
    mask = masks.MultiHeadMask([masks.CausalMask((N, N)), masks.LocalMask((N, N), (20, 3), 0)])
    return getattr(kernels, make)(mask, head_shards=1, q_seq_shards=1, interpret=True, **options)


def segments(m):
    return modules(m)[1].SegmentIds(np.arange(N, dtype="int32") // 50, np.arange(N, dtype="int32") // 50)


def derivatives(m, f):
    return m.grad(lambda *args: (f(*args) ** 2).sum(), (0, 1, 2))(*operands())


def by_one_head(m):
    q, k, v = operands()
    return kernel(m, "make_splash_mqa")(q, k[0], v[0])


def of_numpy(m):
    _, kernels = modules(m)
    seen = np.tril(np.ones((2, N, N), bool))
    return kernels.make_splash_mha_single_device(seen, interpret=True)(*operands())


def of_a_reference(m):
    masks, kernels = modules(m)
    mask = masks.MultiHeadMask([masks.CausalMask((N, N))] * 2)
    one = kernels.attention_reference(mask[0, :, :], *[x[0] for x in operands()], None, save_residuals=True)
    return kernels.make_attention_reference(mask, is_mqa=False)(*operands(), None), one


ATTENTION = {
    "of heads": lambda m: kernel(m)(*operands()),
    "of fewer heads of keys": lambda m: kernel(m)(*operands(2, 1)),
    "with sums": lambda m: kernel(m, save_residuals=True)(*operands()),
    "with a cap": lambda m: kernel(m, attn_logits_soft_cap=2.0)(*operands()),
    "of segments": lambda m: kernel(m)(*operands(), segments(m)),
    "with sinks": lambda m: kernel(m)(*operands(), sinks=np.array([0.5, 1], F)),
    "of halves": lambda m: kernel(m)(*[x.astype(m.numpy.bfloat16) for x in operands()]).astype(F),
    "derivatives": lambda m: derivatives(m, lambda *args: kernel(m)(*args, segments(m))),
    "derivatives with a cap": lambda m: derivatives(m, kernel(m, attn_logits_soft_cap=2.0)),
    "batched": lambda m: m.vmap(kernel(m))(*[x[None] for x in operands()]),
    "as an operand": lambda m: m.jit(lambda f, *args: f(*args))(kernel(m), *operands()),
    **{f.__name__: f for f in (by_one_head, of_numpy, of_a_reference)},
}


@pytest.mark.parametrize("name", ATTENTION)
def test_attention_is_that_of_jax(name):
    theirs, ours = [[np.asarray(x) for x in m.tree.leaves(ATTENTION[name](m))] for m in MODULES]
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(a, b, rtol=2e-2 if name == "of halves" else 2e-4, atol=2e-3)


def test_operands_that_do_not_fit_are_refused():
    q, k, v = operands()
    for args, expected in (
        ((q[0], k, v), "queries of attention"), ((q, k[0], v), "Expected 3-dim 'key' tensor"),
        ((q, k, v[:1]), "to have the same leading dimensions"), ((q[:1], k, v), "to be a multiple"),
        ((q[..., :64], k, v), "Expected 'key' head dimension to be: 64. Instead got: 128."),
    ):
        with pytest.raises(ValueError, match=expected):
            kernel(adjoint)(*args)
    for m in MODULES:
        with pytest.raises(ValueError, match=r"Unexpected mask shape: \(128, 128\)"):
            modules(m)[1].make_splash_mha_single_device(modules(m)[0].CausalMask((N, N)))
        with pytest.raises(ValueError, match="head_shards=3 should divide head_count=2"):
            modules(m)[1].make_splash_mha(np.ones((2, N, N), bool), head_shards=3, q_seq_shards=1, interpret=True)


def test_blocks_are_those_of_jax():
    def outcome(m):
        sizes = modules(m)[1].BlockSizes
        some = sizes(128, 256, block_kv_dkv=128)
        return (sizes.get_default().has_backward_blocks, some.has_backward_blocks, some.block_kv_compute,
                some.block_kv_dkv_compute, some.q_layout.name)

    theirs, ours = map(outcome, MODULES)
    assert ours == theirs


def test_kernels_are_divided_over_devices():
    masks, _ = modules(adjoint)
    mesh = adjoint.make_mesh((1,), ("heads",), axis_types=(adjoint.sharding.AxisType.Auto,))
    spec = adjoint.P("heads")
    mask = masks.MultiHeadMask([masks.CausalMask((N, N)), masks.LocalMask((N, N), (20, 3), 0)])
    attend = splash_attention_kernel.make_splash_mha(mask, head_shards=2, q_seq_shards=1)
    placed = attend.manual_sharding_spec(adjoint.NamedSharding(mesh, spec))
    f = adjoint.shard_map(lambda f, *args: f(*args), mesh=mesh, in_specs=(placed, spec, spec, spec), out_specs=spec)
    np.testing.assert_allclose(f(attend, *operands()), attend(*operands()), rtol=1e-5)


def test_what_a_module_has_not_is_no_attribute():
    with pytest.raises(AttributeError, match="flash_attention_kernel"):
        _ = splash_attention_kernel.flash_attention_kernel


def test_what_the_class_of_a_mask_lacks_is_said():
    masks, _ = modules(adjoint)
    mask = type("Diagonal", (masks.Mask,), {})()
    with pytest.raises(NotImplementedError, match="Diagonal does not say how many queries and keys it has"):
        _ = mask.shape
    with pytest.raises(NotImplementedError, match="Diagonal has no windows"):
        mask[:, :]
