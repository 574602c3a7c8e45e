"""Convolutions: dimension numbers, shapes, jaxprs, results and derivatives as in JAX."""

from __future__ import annotations

import re
import typing
from functools import partial

import ml_dtypes
import numpy as np
import pytest
from tests.recorded import jax

import adjoint
from adjoint.lax.linear import convolutions

from .parity import arguments, assert_same, parameters, same, same_jaxpr, same_types, together

FUNCTIONS = [n for n in convolutions.__all__ if n != "ConvGeneralDilatedDimensionNumbers"]
LAST = ("NHWC", "HWIO", "NHWC")
SPREAD = ((2, 1), ((1, 2), (0, 1)), (1, 2), (2, 3))


def x(*shape, dtype=np.float32, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iub":
        return rng.integers(0, 2 if dtype is np.bool_ else 5, shape).astype(dtype)
    values = rng.standard_normal(shape)
    return (values + 1j * values[::-1] if np.dtype(dtype).kind == "c" else values).astype(dtype)


def conv(m, a, w, *args, **kwargs):
    return m.lax.conv_general_dilated(a, w, *(args or SPREAD), **kwargs)


# Operands and groups: none, of features, of the batch.
CASES = {
    "plain": ((2, 3, 8, 9), (4, 3, 3, 2), {}),
    "features": ((2, 6, 8, 9), (4, 3, 3, 2), {"feature_group_count": 2}),
    "batch": ((4, 3, 8, 9), (4, 3, 3, 2), {"batch_group_count": 2}),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures(name):
    """Parameters have JAX's names, kinds and defaults."""
    assert parameters(jax, name) == parameters(adjoint, name)


def test_dimension_numbers_type():
    ours = typing.get_args(adjoint.lax.ConvGeneralDilatedDimensionNumbers)
    assert [tuple[str, str, str], adjoint.lax.ConvDimensionNumbers, type(None)] == list(ours)


# ---- dimension numbers and shapes ---------------------------------------------------------------


def outcome(f, *args):
    """The result as it prints, or the class and first line of the error."""
    try:
        return re.sub(r"np\.int64\((-?\d+)\)", r"\1", repr(f(*args)))
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]


@pytest.mark.parametrize(
    ("name", "args"),
    [
        *[
            ("conv_dimension_numbers", ((2, 3, 8, 9), (4, 3, 3, 2), numbers))
            for numbers in (
                None, LAST, ["NHWC", "WHIO", "NWHC"], ("NHC", "HWIO", "NHWC"), 3, ("NHWC", "HWIO"),
                ("NHWC", "HWIX", "NHWC"), ("NHHC", "HWIO", "NHWC"), ("NHWC", "HZIO", "NHWC"), ((0, 1),) * 3,
            )
        ],
        ("conv_dimension_numbers", ((2, 3, 8, 9), (4, 3, 3), None)),
        *[("conv_general_permutations", (n,)) for n in (("NHWC", "WHIO", "NWHC"), ("NHWC", "WHIO", "NWWC"))],
        *[
            ("conv_shape_tuple", ((4, 3, 8, 9), (4, 3, 3, 2), (2, 1), pads, groups))
            for pads, groups in (([(0, 1), (1, 2)], 1), ("SAME", 1), ("VALID", 2), ([(1, 1)], 2))
        ],
        *[
            (name, ((2, 8, 9, 3), (3, 2, 3, 4), (2, 1), pads, ("NHWC", "HWIO", out)))
            for name in ("conv_general_shape_tuple", "conv_transpose_shape_tuple")
            for pads, out in (("SAME", "NHWC"), ("VALID", "NCHW"), ([(0, 1), (2, 3)], "NCHW"))
        ],
    ],
)
def test_dimension_numbers_and_shapes(name, args):
    assert outcome(getattr(jax.lax, name), *args) == outcome(getattr(adjoint.lax, name), *args)


# ---- jaxprs -------------------------------------------------------------------------------------


def test_jaxprs_of_arguments():
    """Padding by name and by numbers, layouts, precision, the dtype of the result."""
    a, w = x(2, 3, 8, 9), x(4, 3, 3, 2)
    for pads in ("SAME", "SAME_LOWER", "same", "valid", [(1, 2), (0, -1)]):
        for rest in ((), (None, (2, 2))):
            same_jaxpr(lambda m, a, w: conv(m, a, w, (2, 1), pads, *rest), a, w)
    same_jaxpr(lambda m, a, w: conv(m, a, w, (2, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NHWC")), a, w)
    for precision in ("highest", ("high", "highest"), None):
        f = lambda m, a, w: conv(m, a, w, precision=precision).sum()
        same_jaxpr(lambda m, a, w: m.grad(partial(f, m), (0, 1))(a, w), a, w)
    small = a.astype(ml_dtypes.bfloat16), w.astype(ml_dtypes.bfloat16)
    wide = lambda m, a, w: conv(m, a, w, preferred_element_type=m.numpy.float32).sum()
    same_jaxpr(lambda m, a, w: m.grad(partial(wide, m), (0, 1))(a, w), *small)
    same_jaxpr(lambda m, a, w: m.lax.conv(a, w, (2, 1), "SAME", None, "float32"), *small)
    same_jaxpr(lambda m, a, w: m.lax.conv_with_general_padding(a, w, (2, 1), [(1, 0), (0, 1)], None, (1, 2)), a, w)


@pytest.mark.parametrize("case", CASES)
def test_jaxprs_of_transformations(case):
    """Derivatives, and batches of the input, of the kernel, of both."""
    a, w, groups = CASES[case]
    a, w = x(*a), x(*w)
    f = lambda m, *operands: conv(m, *operands, **groups)
    total = lambda m: m.grad(lambda *operands: f(m, *operands).sum(), (0, 1))
    same_jaxpr(lambda m, *ops: m.jvp(partial(f, m), ops, ops), a, w)
    same_jaxpr(lambda m, *ops: total(m)(*ops), a, w)
    many, kernels = x(5, *a.shape), x(5, *w.shape)
    for in_axes, ops in (
        ((0, None), (many, w)), ((-1, None), (np.moveaxis(many, 0, -1).copy(), w)),
        ((1, None), (np.moveaxis(many, 0, 1).copy(), w)), ((None, 0), (a, kernels)),
        ((None, 2), (a, np.moveaxis(kernels, 0, 2).copy())), ((0, 0), (many, kernels)),
    ):
        same_jaxpr(lambda m, *ops: m.vmap(partial(f, m), in_axes)(*ops), *ops)
    if case == "plain":
        same_jaxpr(lambda m, *ops: m.vmap(total(m))(*ops), many, kernels)


def test_jaxprs_of_conv_transpose():
    a, w = x(2, 5, 6, 3), x(3, 2, 3, 4)
    for args, kwargs in (
        (((2, 1), "SAME"), {}), (((2, 3), "VALID"), {"rhs_dilation": (2, 1)}), (((2, 3), [(1, 1), (2, 0)]), {}),
        (((2, 3), [(1, 1), (1, 0)]), {"use_consistent_padding": True, "rhs_dilation": (2, 2)}),
        (((1, 4), "SAME"), {"precision": "high"}),
    ):
        same_jaxpr(lambda m, a, w: m.lax.conv_transpose(a, w, *args, **kwargs), a, w)
    turned = np.swapaxes(w, 2, 3).copy()
    same_jaxpr(lambda m, a, w: m.lax.conv_transpose(a, w, (2, 3), "VALID", transpose_kernel=True), a, turned)
    numbers = ("NCHW", "OIHW", "NCHW")
    same_jaxpr(lambda m, a, w: m.lax.conv_transpose(a, w, (2, 3), "SAME", None, numbers), x(2, 3, 8, 9), x(4, 3, 3, 2))
    for shape, kernel in (((2, 5), (5, 4)), ((2, 5, 3), (3, 3, 4)), ((2, 5, 4, 3, 3), (3, 3, 2, 3, 4))):
        same_jaxpr(lambda m, a, w: m.lax.conv_transpose(a, w, (2,) * (a.ndim - 2), "SAME"), x(*shape), x(*kernel))


def test_jaxprs_of_patches_and_local_kernels():
    a = x(2, 3, 8, 9)
    patches = lambda m, a, *args, **kwargs: m.lax.conv_general_dilated_patches(a, (3, 2), (2, 1), *args, **kwargs)
    same_jaxpr(lambda m, a: patches(m, a, "SAME", precision=m.lax.Precision.HIGH), a)
    same_jaxpr(lambda m, a: patches(m, a, [(1, 1), (0, 0)], (1, 2), (2, 1)), a.astype(np.int32))
    numbers = ("NHWC", "WHIO", "NWHC")
    f32 = np.float32
    same_jaxpr(
        lambda m, a: patches(m, a, "SAME", dimension_numbers=numbers, preferred_element_type=f32),
        a.astype(ml_dtypes.bfloat16),
    )
    local = lambda m, a, w, **kwargs: m.lax.conv_general_dilated_local(a, w, (2, 1), "SAME", (3, 2), **kwargs)
    same_jaxpr(local, a, x(5, 18, 4, 9))
    last = dict(dimension_numbers=LAST, precision=("high", "highest"))
    same_jaxpr(lambda m, a, w: local(m, a, w, **last), x(2, 8, 9, 3), x(4, 9, 18, 5))


# ---- values -------------------------------------------------------------------------------------


def random_calls(count):
    """Convolutions of all ranks, layouts, strides, dilations, paddings and groups."""
    rng = np.random.default_rng(7)
    ints = lambda low, high, n: tuple(map(int, rng.integers(low, high, n)))
    while count:
        rank = int(rng.integers(0, 4))
        letters = "HWD"[:rank]
        shuffled = lambda text: "".join(rng.permutation(list(text)))
        layouts = [
            ("NC" + letters, "OI" + letters, "NC" + letters), (f"N{letters}C", f"{letters}IO", f"N{letters}C"),
            (shuffled("NC" + letters), shuffled("OI" + letters), shuffled("NC" + letters)),
        ]
        lhs, rhs, out = layouts[rng.integers(3)]
        features, batches = [(1, 1), (2, 1), (3, 1), (1, 2)][rng.integers(4)]
        n, c, o = ints(1, 4, 3)
        sizes = dict(N=n * batches, C=c * features, **dict(zip(letters, ints(1, 9, rank))))
        kernel = dict(I=c, O=o * features * batches, **dict(zip(letters, ints(1, 4, rank))))
        params = dict(
            window_strides=ints(1, 4, rank), padding=[ints(-1, 4, 2) for _ in range(rank)],
            lhs_dilation=ints(1, 4, rank) if rng.integers(2) else (1,) * rank, rhs_dilation=ints(1, 4, rank),
            dimension_numbers=(lhs, rhs, out), feature_group_count=features, batch_group_count=batches,
        )
        operands = x(*[sizes[k] for k in lhs]), x(*[kernel[k] for k in rhs])
        try:
            jax.eval_shape(partial(jax.lax.conv_general_dilated, **params), *operands)
        except ValueError:  # padding takes away more than there is
            continue
        count -= 1
        yield operands, params


def test_values_of_random_convolutions():
    calls = list(random_calls(60))

    def program(m, operands):
        return [m.lax.conv_general_dilated(*ops, **params) for ops, (_, params) in zip(operands, calls)]

    theirs = jax.jit(partial(program, jax))([ops for ops, _ in calls])
    ours = program(adjoint, [arguments(adjoint, ops) for ops, _ in calls])
    assert_same(theirs, ours, 1e-5)


def test_values_of_large_convolutions():
    """What is computed in pieces: rows, sums, groups and single taps, in both layouts, and gradients."""
    for numbers, a, w, params in (
        (LAST, x(40, 20, 20, 16), x(3, 3, 16, 8), {}),
        (None, x(40, 16, 20, 20), x(8, 16, 3, 3), {}),
        (LAST, x(8, 16, 16, 64), x(3, 3, 1, 64), {"feature_group_count": 64}),
        (LAST, x(20, 12, 12, 64), x(3, 3, 16, 8), {"feature_group_count": 4}),
    ):
        def program(m, a, w):
            f = partial(m.lax.conv_general_dilated, window_strides=(1, 1), padding="SAME", dimension_numbers=numbers,
                        **params)
            return f(a, w), m.grad(lambda *ops: (f(*ops) ** 2).sum(), (0, 1))(a, w)

        theirs = jax.jit(partial(program, jax))(a, w)
        assert_same(theirs, program(adjoint, *arguments(adjoint, (a, w))), 1e-4)


@together
def test_values_in_every_dtype():
    """Small floats in float32, integers exactly and with overflow, bools as any of all, complex numbers."""
    def program(m, *operands):
        out = []
        for a, w in zip(operands[::2], operands[1::2]):
            out.append(m.lax.conv(a, w, (1, 1), "SAME"))
        a, w = operands[:2]
        bytes_ = [v.astype(m.numpy.int8) * 40 for v in (a, w)]
        out += [m.lax.conv(*bytes_, (1, 1), "VALID", None, t) for t in ("int8", "int32", "float32")]
        out.append(m.lax.conv(a.astype(m.numpy.bfloat16), w.astype(m.numpy.bfloat16), (1, 1), "SAME", None, "float32"))
        return out

    types = (np.int32, np.uint8, np.bool_, np.complex64, ml_dtypes.bfloat16, np.float16)
    operands = [v for t in types for v in (x(2, 3, 5, 4, dtype=t), x(4, 3, 3, 2, dtype=t, seed=1))]
    same(program, *operands, rtol=4e-3)
    big = x(2, 3, 5, 4, dtype=np.int32) * 10**8
    same(lambda m, a, w: m.lax.conv(a, w, (1, 1), "SAME"), big, x(4, 3, 3, 2, dtype=np.int32) * 10**7, rtol=0)


@pytest.mark.parametrize("case", CASES)
@together
def test_values_of_derivatives(case):
    a, w, groups = CASES[case]
    a, w = x(*a), x(*w)

    def program(m, *ops):
        loss = lambda *ops: m.numpy.sin(conv(m, *ops, **groups)).sum()
        slope = m.grad(loss, (0, 1))
        return slope(*ops), m.jvp(slope, ops, ops)[1]

    same(program, a, w, rtol=2e-5)
    both = x(3, *a.shape), x(3, *w.shape)
    same(lambda m, *ops: m.vmap(lambda *o: program(m, *o)[0])(*ops), *both, rtol=2e-5)


def test_values_of_the_other_functions():
    def program(m, a, w, local):
        return [
            m.lax.conv_transpose(a, w, (2, 3), "SAME"),
            m.lax.conv_transpose(a, w, (2, 3), "VALID", (2, 1)),
            m.lax.conv_general_dilated_patches(a, (3, 2), (2, 1), "SAME", dimension_numbers=LAST),
            m.lax.conv_general_dilated_local(a, local, (2, 1), "SAME", (3, 2), dimension_numbers=LAST),
        ]

    same(program, x(2, 5, 6, 3), x(3, 2, 3, 4), x(3, 6, 18, 5), rtol=1e-5)


# ---- errors -------------------------------------------------------------------------------------


def test_errors():
    a, w, none = x(2, 3, 8, 9), x(4, 3, 3, 2), [(0, 0)] * 2
    for args, kwargs in (
        (((2, 1), "FOO"), {}), (((2,), "SAME"), {}), (((1, 1), [(0, 0)]), {}), (((1, 1), 1), {}),
        (((1, 1), [(0, 0), (0, 1, 2)]), {}), (((1, 1), none, (1, 0)), {}), (((1, 1), none, None, (0, 1)), {}),
        (((1, 1), [(-20, 0)] * 2), {}), (((1, 1), "SAME", (2, 2)), {}),
        *[(((1, 1), none), {k: v}) for k in ("feature_group_count", "batch_group_count") for v in (0, 2, 3)],
        (((1, 1), none), {"preferred_element_type": np.int32}),
        (((1, 1), none), {"preferred_element_type": np.float16}),
        (((1, 1), "SAME"), {"dimension_numbers": ("NHWC", "OIHW", "NCHW")}),
    ):
        types = lambda m, a, w: conv(m, a, w, *args, **kwargs)
        if "lhs_shape" in str(outcome(partial(types, jax), a, w)):  # their numbers print with their type
            same_types(types, a, w, lines=False)
        else:
            same_types(types, a, w)
    plain = lambda m, a, w: conv(m, a, w, (1, 1), "SAME")
    same_types(plain, a, w[0])
    same_types(plain, a, w[:, :2])
    same_types(plain, a.astype(np.int32), w)
    same_types(lambda m, a, w: conv(m, a, w, (1, 1), none, batch_group_count=2), a, x(3, 3, 2, 2))
    same_types(lambda m, a, w: conv(m, a, w, (1, 1), none, feature_group_count=3), a, x(4, 1, 2, 2))
    same_types(lambda m: m.lax.conv(m.lax.full((4, 1, 1), 1.0), m.lax.full((4, 1, 1), 1.0), (1,), "VALID"))
    signs = lambda m, a, w: conv(m, a, w, (1, 1), "SAME", preferred_element_type=np.uint32)
    same_types(signs, a.astype(np.int8), w.astype(np.int8))
