"""Convolutions in generated code: every form and its gradients, beside the NumPy engine; nothing is read outside."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from tests.engines.agreement import assert_agrees, host_steps, steps
from tests.modes import compiling, own_code
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.core.process import processors
from adjoint.engines.native.program.table import Executable
from adjoint.engines.native.runtime import threads

NHWC, NCHW = ("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW")
MIXED = ("WHNC", "IWHO", "CNWH")
random = stream()


def normal(*shape, dtype="float32"):
    return random.standard_normal(shape).astype(dtype)


def form(x, w, numbers=NHWC, strides=None, padding="SAME", **options):
    """(shape of the image, shape of the kernel, function); shapes are (batch, features, *spatial), (out, in, *)."""
    strides = strides or (1,) * (len(x) - 2)
    lhs, rhs = [[spec.index(c) for c in letters] for spec, letters in (
        ("NC" + "QPDHW"[7 - len(x) :], numbers[0]), ("OI" + "QPDHW"[7 - len(x) :], numbers[1])
    )]
    function = lambda a, b: lax.conv_general_dilated(a, b, strides, padding, dimension_numbers=numbers, **options)
    return [x[i] for i in lhs], [w[i] for i in rhs], function


FORMS = {
    "features last": form((2, 16, 9, 11), (33, 16, 3, 3)),
    "features first": form((2, 16, 9, 11), (33, 16, 3, 3), NCHW),
    "axes anywhere": form((2, 16, 9, 11), (33, 16, 3, 2), MIXED, (2, 1)),
    "one feature": form((3, 1, 20, 20), (5, 1, 5, 5)),
    "one feature, many outputs": form((3, 1, 20, 20), (40, 1, 3, 3), NCHW),
    "one of everything": form((1, 1, 300), (1, 1, 17), ("NCW", "OIW", "NCW")),
    "sequences": form((3, 1, 700), (1, 1, 40), ("NWC", "WIO", "NWC"), padding=[(3, 50)]),
    "a short sequence": form((2, 1, 3), (1, 1, 7), ("NCW", "OIW", "NCW"), padding=[(6, 6)]),
    "steps": form((2, 8, 17, 15), (20, 8, 3, 3), strides=(2, 3)),
    "steps, features first": form((2, 8, 17, 15), (20, 8, 3, 3), NCHW, (2, 3)),
    "steps past the window": form((2, 8, 17, 15), (20, 8, 1, 2), strides=(2, 3)),
    "dilated image": form((2, 5, 6, 7), (9, 5, 3, 3), padding=[(2, 1), (3, 3)], lhs_dilation=(2, 3)),
    "image dilated far": form((1, 2, 3, 3), (3, 2, 3, 3), padding=[(2, 1), (3, 3)], lhs_dilation=(9, 11)),
    "dilated kernel": form((2, 5, 16, 17), (9, 5, 3, 2), rhs_dilation=(2, 5)),
    "dilated everything": form(
        (2, 5, 9, 8), (9, 5, 3, 2), NCHW, (3, 2), [(4, 1), (0, 5)], lhs_dilation=(2, 4), rhs_dilation=(2, 3)
    ),
    "padding takes away": form((2, 6, 12, 13), (7, 6, 3, 3), padding=[(-2, 3), (-1, -4)]),
    "more padding than image": form((2, 6, 2, 3), (7, 6, 3, 3), padding=[(5, 4), (7, 6)]),
    "windows that touch nothing": form((1, 2, 2, 2), (3, 2, 2, 2), padding=[(6, 6), (6, 6)], strides=(3, 3)),
    "a whole image": form((3, 20, 7, 9), (17, 20, 7, 9), padding="VALID"),
    "points": form((2, 300, 5, 5), (70, 300, 1, 1)),
    "deep": form((1, 300, 4, 4), (150, 300, 3, 3)),
    "wide": form((1, 4, 5, 6), (300, 4, 2, 2)),
    "no axes": form((4, 9), (6, 9), ("NC", "OI", "NC")),
    "one axis": form((2, 12, 50), (13, 12, 5), ("NWC", "WIO", "NWC")),
    "three axes": form((1, 6, 5, 6, 7), (8, 6, 3, 2, 3), ("NDHWC", "DHWIO", "NDHWC"), (1, 2, 1)),
    "three axes, features first": form((1, 6, 5, 6, 7), (8, 6, 3, 2, 3), ("NCDHW", "OIDHW", "NCDHW")),
    "four axes": form((2, 6, 5, 6, 7, 4), (8, 6, 3, 2, 3, 2), ("NPDHWC", "PDHWIO", "NPDHWC"), (2, 1, 2, 1)),
    "five axes, features first": form(
        (2, 6, 3, 4, 5, 4, 3), (4, 3, 2, 3, 2, 1, 2), ("NCQPDHW", "OIQPDHW", "CNWQPDH"), feature_group_count=2,
        padding=[(1, 0), (-1, 2), (0, 0), (1, 1), (0, 0)], lhs_dilation=(2, 1, 1, 1, 2), rhs_dilation=(1, 2, 1, 1, 1),
    ),
    "depthwise": form((2, 70, 9, 8), (70, 1, 3, 3), feature_group_count=70),
    "depthwise, features first": form((2, 20, 9, 8), (20, 1, 3, 3), NCHW, (2, 2), feature_group_count=20),
    "depthwise and more": form((2, 20, 9, 8), (60, 1, 3, 3), strides=(2, 1), feature_group_count=20),
    "small groups": form((2, 32, 9, 8), (32, 4, 3, 3), feature_group_count=8),
    "large groups": form((2, 32, 9, 8), (64, 16, 3, 3), feature_group_count=2),
    "large groups, features first": form((2, 32, 9, 8), (64, 16, 3, 3), NCHW, (2, 1), feature_group_count=2),
    "groups of the batch": form((6, 5, 9, 8), (20, 5, 3, 3), batch_group_count=2),
    "many groups of the batch": form((24, 5, 9, 8), (24, 5, 3, 3), batch_group_count=24),
    "groups, dilated": form(
        (2, 12, 6, 5), (24, 1, 3, 3), padding=[(2, 2), (3, 1)], lhs_dilation=(2, 1), rhs_dilation=(1, 2),
        feature_group_count=12,
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_and_its_gradients(name):
    x_shape, w_shape, function = FORMS[name]
    own = np.random.default_rng(list(name.encode()))  # the numbers do not depend on what ran before
    x, w = [own.standard_normal(shape).astype(np.float32) for shape in (x_shape, w_shape)]

    def both(x, w):
        out, pull = ax.vjp(function, x, w)
        return out, pull(jnp.cos(out))

    assert host_steps(assert_agrees(both, x, w, scale=30.0)) == []


def test_forms_at_random():
    count = lambda *choices: int(random.choice(choices))
    for _ in range(40):
        rank = count(1, 2, 2, 3, 4)
        groups, in_batch = count(1, 1, 2, 5, 17), bool(count(0, 1))
        features, outputs = count(1, 2, 3, 16, 19), groups * count(1, 2, 17)
        spatial, window = [tuple([count(*of) for _ in range(rank)]) for of in ((1, 4, 7, 12), (1, 2, 3))]
        x = (2 * groups, features, *spatial) if in_batch else (2, features * groups, *spatial)
        letters = "QPDHW"[5 - rank :]
        specs = ["".join(random.permutation(list(ends + letters))) for ends in ("NC", "OI", "NC")]
        _, _, f = made = form(
            x, (outputs, features, *window), tuple(specs), tuple([count(1, 2, 3) for _ in spatial]),
            [(count(0, 1, 4), count(-1, 0, 2)) for _ in spatial], lhs_dilation=tuple([count(1, 1, 2) for _ in spatial]),
            rhs_dilation=tuple([count(1, 1, 3) for _ in spatial]),
            **{"batch_group_count" if in_batch else "feature_group_count": groups},
        )
        x, w = normal(*made[0]), normal(*made[1])
        try:
            ax.eval_shape(f, x, w)
        except ValueError:  # more is taken away than there is
            continue
        assert host_steps(assert_agrees(f, x, w, scale=30.0)) == []


@pytest.mark.parametrize("dtype", ["float64", "bfloat16", "float16"])
def test_dtypes(dtype):
    with ax.enable_x64(True):
        for name in ("features last", "features first", "dilated image", "depthwise", "one feature"):
            x_shape, w_shape, function = FORMS[name]
            x, w = jnp.asarray(normal(*x_shape), dtype), jnp.asarray(normal(*w_shape), dtype)
            wide = jnp.float32 if dtype != "float64" else None
            assert host_steps(assert_agrees(function, x, w, scale=3.0)) == [], name
            again = lambda x, w: lax.conv(x, w, (1, 1), "SAME", preferred_element_type=wide)
            assert_agrees(again, x.transpose(0, 3, 1, 2)[:, :1], w.transpose(3, 2, 0, 1)[:, :1], scale=300.0)


def test_operands_that_are_views():
    x, w = normal(2, 12, 10, 16), normal(3, 3, 16, 20)
    conv = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC)
    assert_agrees(lambda x, w: conv(x[:, ::-1, 2:8], w[::-1, :, :, ::2]), x, w, scale=30.0)
    assert_agrees(lambda x, w: conv(jnp.ones_like(x), w) + conv(x, jnp.ones_like(w)), x, w, scale=30.0)
    assert_agrees(lambda x, w: conv(jnp.broadcast_to(x[:, :1], x.shape), w), x, w, scale=30.0)
    assert_agrees(lambda x, w: conv(jnp.sin(x).transpose(0, 2, 1, 3), w * 2), x, w, scale=30.0)
    assert_agrees(lambda x: conv(jnp.arange(160.0).reshape(1, 2, 5, 16), x), w, scale=1e4)


def test_zero_sizes():
    conv = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "VALID", dimension_numbers=NHWC)
    for x, w in (
        ((0, 5, 5, 3), (3, 3, 3, 4)), ((2, 5, 5, 0), (3, 3, 0, 4)), ((2, 5, 5, 3), (3, 3, 3, 0)),
        ((2, 2, 5, 3), (3, 3, 3, 4)), ((2, 0, 5, 3), (1, 3, 3, 4)),
    ):
        assert_agrees(conv, normal(*x), normal(*w))


@compiling
def test_in_loops_and_batches():
    x, w = normal(2, 8, 8, 4), normal(3, 3, 4, 4)
    conv = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC)
    compiled = assert_agrees(
        lambda x, w: lax.scan(lambda c, _: (jnp.tanh(conv(c, w)), c.sum()), x, None, length=3), x, w, scale=30.0
    )
    assert steps(compiled) == ["scan"]
    assert_agrees(lambda x, w: lax.fori_loop(0, 3, lambda i, c: jnp.tanh(conv(c, w)), x), x, w, scale=30.0)
    for axes in ((0, 0), (None, 0), (0, None)):
        args = [a if i is None else np.stack([a, 2 * a, -a]) for a, i in zip((x, w), axes)]
        assert host_steps(assert_agrees(ax.vmap(conv, axes), *args, scale=30.0)) == []


@pytest.mark.parametrize("dtype", "int8 uint8 int16 int32 uint32 int64 uint64 bool complex64 complex128".split())
def test_numbers_that_are_no_floats(dtype):
    whole = lambda *shape: np.random.default_rng(0).integers(-(2**62), 2**62, shape).astype(dtype)
    x, w = (normal if dtype[0] == "c" else whole)(3, 4, 9, 8), (normal if dtype[0] == "c" else whole)(6, 4, 3, 2)
    if dtype[0] == "c":
        x, w = (x + 1j * x[::-1]).astype(dtype), (w - 1j * w[::-1]).astype(dtype)

    def function(x, w):
        conv = lax.conv_general_dilated
        return (
            conv(x, w, (2, 1), ((1, 2), (0, 3)), rhs_dilation=(2, 1)),
            conv(x, w, (1, 2), ((1, 2), (0, 3)), lhs_dilation=(2, 3)),
            conv(x, w[:, :2], (1, 1), "VALID", feature_group_count=2), conv(x, w, (1, 1), "SAME", batch_group_count=3),
            conv(x, w[:4, :1], (1, 1), "VALID", feature_group_count=4),
            conv(x.transpose(0, 2, 3, 1), w.transpose(2, 3, 1, 0), (1, 1), "SAME", dimension_numbers=NHWC),
        )

    with ax.enable_x64(True):
        assert host_steps(assert_agrees(function, x, w, scale=30.0)) == []


def test_what_is_left_to_numpy():
    assert_agrees(lambda x, w: jnp.convolve(x, w), normal(20_000), normal(10_000), scale=300.0)  # by transforms


def test_the_number_of_threads_changes_no_bit(monkeypatch):
    x, w = normal(4, 30, 29, 40), normal(3, 3, 40, 70)
    deep = normal(3, 3, 1, 40)

    def f(x, w, d):
        conv = lambda x, w, **options: lax.conv_general_dilated(
            x, w, (1, 1), "SAME", dimension_numbers=NHWC, **options
        )
        out, pull = ax.vjp(lambda x, w, d: conv(conv(x, d, feature_group_count=40), w), x, w, d)
        turned = x.transpose(0, 3, 1, 2)[:, :1]
        return out, pull(jnp.cos(out)), lax.conv(turned, w[:, :, :1].transpose(3, 2, 0, 1), (1, 1), "SAME")

    executable = Executable(ax.make_jaxpr(f)(x, w, deep))
    results = []
    try:
        for n in (1, 2, 5):
            threads.resize(n)
            results.append([r.tobytes() for r in executable(x, w, deep)])
    finally:
        threads.resize(processors.count())
    assert results[0] == results[1] == results[2]


def test_equal_layers_share_a_function():
    x, w = normal(2, 8, 8, 16), normal(3, 3, 16, 16)
    conv = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC)
    compiled = assert_agrees(lambda x, w: conv(jnp.tanh(conv(jnp.tanh(conv(x, w)), w)), w), x, w, scale=300.0)
    assert [type(made.kernel).__name__ for _, made in compiled.native.values()].count("Routine") == 3
    assert len({made.kernel for _, made in compiled.native.values() if type(made.kernel).__name__ == "Routine"}) == 1


# Operands and results that end, and begin, where memory does: what reads further dies.
GUARDED = """
import ctypes, mmap, sys
import numpy as np
import adjoint as ax
from adjoint.engines.native.runtime import buffer_pool as results
from adjoint.engines.native.program.table import Executable
from tests.engines.native.routines.products.test_convolution import FORMS, normal
libc, page, kept = ctypes.CDLL(None), mmap.PAGESIZE, []
def guarded(shape, dtype, at_end):
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    pages = -(-max(size, 1) // page)
    memory = mmap.mmap(-1, (pages + 2) * page)
    kept.append(memory)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for place in (start, start + (pages + 1) * page):
        assert libc.mprotect(ctypes.c_void_p(place), page, 0) == 0
    offset = page + (pages * page - size if at_end else 0)
    return np.frombuffer(memory, dtype, size // np.dtype(dtype).itemsize, offset).reshape(shape)
for name, (x_shape, w_shape, function) in FORMS.items():
    x, w = normal(*x_shape), normal(*w_shape)
    closed = ax.make_jaxpr(lambda x, w, t: (lambda out, pull: (out, pull(t)))(*ax.vjp(function, x, w)))
    closed = closed(x, w, np.zeros(ax.eval_shape(function, x, w).shape, np.float32))
    t = normal(*closed.in_avals[2].shape)
    run = Executable(closed)
    expected = run(x, w, t)
    for at_end in (False, True):
        results.empty = lambda shape, dtype: guarded(shape, dtype, at_end)
        args = []
        for a in (x, w, t):
            args.append(guarded(a.shape, a.dtype, at_end))
            args[-1][...] = a
        for a, b in zip(run(*args), expected):
            np.testing.assert_array_equal(a, b, err_msg=name)
print(len(FORMS))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mprotect")
@pytest.mark.parametrize("level", ["host", "x86-64-v3", "x86-64-v2"])
def test_nothing_outside_is_touched(level, monkeypatch):
    """Also with narrower vectors than the host has, whose results are compared with themselves."""
    monkeypatch.setenv("ADJOINT_NATIVE_CPU", level)
    done = subprocess.run([sys.executable, "-c", GUARDED], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, str(len(FORMS))), done.stderr[-2000:]




EDGES = {
    "depthwise": ((2, 8, 5, 4), (8, 1, 3, 3), dict(feature_group_count=8)),
    "few positions": ((3, 2, 3, 3), (2, 2, 3, 3), {}),
    "three axes": ((3, 2, 3, 3, 3), (1, 2, 3, 3, 2), dict(strides=(2, 2, 1))),
    "groups": ((2, 4, 6, 6), (4, 2, 3, 3), dict(feature_group_count=2, strides=(2, 3), padding=[(3, 0), (1, 1)])),
    "groups of the batch": ((6, 2, 3, 3), (2, 2, 3, 2), dict(batch_group_count=2, rhs_dilation=(2, 2))),
    "beyond the end": ((2, 2, 6, 3), (2, 2, 2, 2), dict(strides=(3, 3), padding=[(-1, 3), (0, 0)])),
    "always outside": ((4, 2, 1, 1), (2, 2, 3, 3), {}),
}


@compiling
@own_code
@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("special", [np.inf, np.nan])
def test_padding_times_infinity_is_nan_at_the_edges_alone(name, special):
    """The zeros of the padding are factors: each factor of the kernel in turn is infinite or NaN."""
    x, w, options = EDGES[name]
    x, kernel, function = form(x, w, NCHW if len(x) == 4 else ("NCDHW", "OIDHW", "NCDHW"), **options)
    image, compiled = abs(normal(*x)) + 1, ax.jit(function)
    for at in np.ndindex(*kernel):
        factors = normal(*kernel)
        factors[at] = special
        found, expected = compiled(image, factors), function(image, factors)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
        assert np.isfinite(np.delete(found, at[0], axis=1)).all()


@compiling
def test_the_cotangent_of_a_kernel_is_nan_where_padding_meets_an_infinity():
    image, kernel, function = form((2, 3, 6, 6), (4, 3, 3, 3), NCHW)
    image, kernel, cotangent = normal(*image), normal(*kernel), normal(2, 4, 6, 6)
    cotangent[1, 2, 0, 5] = np.inf
    pulled = lambda w, ct: ax.vjp(lambda w: function(image, w), w)[1](ct)[0]
    found = ax.jit(pulled)(kernel, cotangent)
    np.testing.assert_allclose(found, pulled(kernel, cotangent), rtol=1e-4, atol=1e-4)
    assert np.isnan(found[2, :, 0]).all() and np.isnan(found[2, :, :, 2]).all() and np.isinf(found[2, :, 1:, :2]).all()
