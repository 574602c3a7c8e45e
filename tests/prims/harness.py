"""Tries every rule of a primitive on the primitive's own examples.

A `Call` is an example with values: random ones, from a seed that the name gives, in the range
where the primitive is smooth. The `check_*` functions try one rule each; `test_rules.py` runs all
of them over all primitives, and `oracle.py` compares types and values with real JAX.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import zlib
from dataclasses import dataclass, replace
from functools import cache

import ml_dtypes
import numpy as np

import adjoint.control_flow
import adjoint.experimental.sparse
import adjoint.prims
from adjoint.array.array import ArrayImpl, make_array
from adjoint.core import dtypes
from adjoint.core.jaxpr import ClosedJaxpr, Jaxpr
from adjoint.core.passes import check_jaxpr
from adjoint.core.primitive import Primitive, primitives
from adjoint.core.types import ShapedArray, aval_of
from adjoint.engines.numpy.floating import quiet
from adjoint.prims.arithmetic import add, mul, real
from adjoint.prims.family import Elementwise
from adjoint.prims.shape import reduce_sum
from adjoint.transforms.derivatives.grad import grad, jvp, vjp
from adjoint.transforms.jit.jit import jit
from adjoint.transforms.jit.staging import make_jaxpr
from adjoint.transforms.vmap import vmap

# Where a primitive is smooth and not too steep; a list has one range for each operand.
_ANYWHERE = (-2, 2)
_DOMAINS = {
    "acos": (-0.9, 0.9), "acosh": (1.2, 3), "asin": (-0.9, 0.9), "atanh": (-0.9, 0.9),
    "cbrt": (0.2, 3), "clamp": [(-2, -0.5), (-2, 2), (0.5, 2)],
    "digamma": (0.3, 3), "div": (0.4, 3), "erf_inv": (-0.9, 0.9), "igamma": (0.5, 3),
    "igamma_grad_a": (0.5, 3), "igammac": (0.5, 3), "integer_pow": (0.4, 2), "lgamma": (0.3, 3),
    "expn": [(2, 2), (0.5, 3)], "hyp1f1": (0.5, 2), "hyp2f1": (0.2, 0.8),
    "hyp1f1_of_a": (0.5, 2), "hyp1f1_of_b": (0.5, 2), **{f"hyp2f1_of_{v}": (0.2, 0.8) for v in "abc"},
    "log": (0.2, 3), "log1p": (-0.5, 3), "polygamma": [(2, 2), (1, 4)], "pow": (0.4, 2),
    "random_gamma": (0.5, 3), "random_gamma_grad": (0.5, 3), "gamma_bend": (0.5, 3),
    "regularized_incomplete_beta": (0.2, 0.8), "rem": (0.4, 3), "rsqrt": (0.2, 3),
    "sqrt": (0.2, 3), "zeta": (1.2, 4),
    "cosine_integral": (0.4, 3), "exp1": (0.4, 3), "expi": (0.4, 3), "ndtri": (0.1, 0.9),
    "sine_integral": (0.4, 3), "spence": [(0.2, 0.9)],
    "cumlogsumexp": (-1, 1), "cumprod": (0.4, 2), "reduce_prod": (0.4, 2), "tan": (-1, 1),
}


def domain_of(p, i):
    """The range of random values of operand `i`."""
    found = _DOMAINS.get(p.name, _ANYWHERE)
    return found[i] if isinstance(found, list) else found



FLOATS = (np.float32, np.float64, ml_dtypes.bfloat16, np.float16)
DTYPES = tuple(
    map(
        np.dtype,
        (
            *FLOATS, np.complex64, np.complex128, np.int32, np.uint8, np.int8, np.uint32, np.int64,
            np.uint64, np.bool_,
        ),
    )
)
# XLA on the CPU has only some arithmetic of these: results need only have the right type.
EXOTIC = tuple(map(np.dtype, (ml_dtypes.float8_e4m3fn, ml_dtypes.int4, ml_dtypes.uint4)))

# Operands with respect to which there is a derivative, where that is not all of them.
_DIFFERENTIABLE = {
    "polygamma": (1,), "regularized_incomplete_beta": (2,), "expn": (1,),
    **dict.fromkeys(("hyp1f1_of_a", "hyp1f1_of_b", "hyp2f1_of_a", "hyp2f1_of_b", "hyp2f1_of_c"), ()),
}
_FIRST_ORDER_ONLY = {"igamma", "igammac", "hyp1f1", "hyp2f1"}  # the second derivative wants that of igamma_grad_a
_ROUNDED = {"reduce_precision"}  # tangents and cotangents are rounded, each for itself
# Where JAX defines the tangent to be something else than the derivative.
_NO_DIFFERENCES = {"random_gamma", "reduce_precision", "sign", "stop_gradient"}
_NO_DIFFERENCES |= {"cholesky", "eigh"}  # of symmetric matrices, which only have symmetric tangents


@dataclass(frozen=True, eq=False)
class Call:
    """A primitive, concrete operands and parameters."""

    p: Primitive
    operands: tuple
    params: dict
    label: str
    fixed: tuple[bool, ...] = ()  # which operands the example gave by value

    def __call__(self, *operands):
        """The results, always as a list."""
        out = self.p.bind(*(operands or self.operands), **self.params)
        return out if self.p.multiple_results else [out]

    @property
    def avals(self) -> tuple[ShapedArray, ...]:
        return tuple(map(aval_of, self.operands))

    def out_avals(self) -> list[ShapedArray]:
        out = self.p.infer(self.avals, self.params)
        return list(out) if self.p.multiple_results else [out]


def all_primitives() -> list[Primitive]:
    """Every primitive of the library, and the modules that define them imported."""
    for package in (adjoint.prims, adjoint.control_flow, adjoint.experimental.sparse):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    for name in ("checkify", "shard_alike", "xla_metadata"):
        importlib.import_module(f"adjoint.experimental.{name}")
    return list(primitives.values())


# ---- operands ------------------------------------------------------------------------------------


def random_values(rng, shape, dtype, domain=_ANYWHERE):
    """An array with values in `domain`; small integers, of both signs where there are two."""
    if isinstance(dtype, dtypes.ExtendedDType):
        data = rng.integers(0, 256, (*shape, dtype.buffer_dtype.itemsize), np.uint8)
        return make_array(data.view(dtype.buffer_dtype)[..., 0], ShapedArray(shape, dtype))
    if dtype == np.bool_:
        return rng.integers(0, 2, shape).astype(bool)
    if dtypes.issubdtype(dtype, np.integer):
        low = 0 if dtypes.issubdtype(dtype, np.unsignedinteger) else -6
        return rng.integers(low, 7, shape).astype(dtype)
    values = rng.uniform(*domain, shape)
    if dtypes.issubdtype(dtype, np.complexfloating):
        values = values + 1j * rng.uniform(*domain, shape)
    return values.astype(dtype)


def seeded(*names):
    return np.random.default_rng(zlib.crc32("/".join(map(str, names)).encode()))


def with_values(p, operands, seed):
    """Operands of an example: types become random arrays, arrays stay."""
    rng = seeded(p.name, seed)
    return tuple(
        random_values(rng, x.shape, x.dtype, domain_of(p, i)) if isinstance(x, ShapedArray)
        else x if isinstance(x, ArrayImpl) else np.asarray(x, aval_of(x).dtype)
        for i, x in enumerate(operands)
    )


@cache
def examples(p) -> list[Call]:
    """The examples with values."""
    calls = []
    for i, (operands, params) in enumerate(p.example_calls):
        values = with_values(p, operands, i)
        types = ", ".join(aval_of(v).str_short(True) for v in values)
        fixed = tuple(not isinstance(x, ShapedArray) for x in operands)
        calls.append(Call(p, values, params, f"{p.name}({types}) #{i}", fixed))
    return calls


def in_dtypes(call: Call, new: dict, seed) -> Call:
    """The call with operands, and parameters that are dtypes, in other dtypes."""
    rng = seeded(call.label, seed)
    with np.errstate(all="ignore"):
        operands = tuple(
            x if isinstance(x, ArrayImpl) or x.dtype not in new
            else x.astype(new[x.dtype]) if fixed
            else random_values(rng, x.shape, new[x.dtype], domain_of(call.p, i))
            for i, (x, fixed) in enumerate(zip(call.operands, call.fixed))
        )
    params = {k: new.get(v, v) if isinstance(v, np.dtype) else v for k, v in call.params.items()}
    return replace(call, operands=operands, params=params)


def main_dtype(call):
    """The dtype that stands for the data: the first inexact one, or the last of all."""
    found = [x.dtype for x in call.operands if not isinstance(x, ArrayImpl)]
    inexact = [d for d in found if dtypes.issubdtype(d, np.inexact)]
    return inexact[0] if inexact else found[-1] if found else None


def holds_program(call) -> bool:
    """Whether a parameter is a jaxpr, so that types cannot be replaced."""
    values = itertools.chain.from_iterable(
        v if isinstance(v, (tuple, list)) else (v,) for v in call.params.values()
    )
    return any(isinstance(v, (Jaxpr, ClosedJaxpr)) or callable(v) and not isinstance(v, (type, Primitive))
               for v in values)


@cache
def typed_calls(p) -> list[Call]:
    """Two examples, of different shapes, in every dtype that the type rule admits."""
    calls, seen = [], set()
    for call in examples(p):
        main = main_dtype(call)
        pattern = (
            tuple((x.shape, x.dtype == main) for x in call.operands),
            tuple((k, str(v)) for k, v in call.params.items() if not isinstance(v, np.dtype)),
        )
        if main is None or pattern in seen or holds_program(call):
            continue
        if len(seen) > 1 or not all(x.size for x in call.operands):
            continue
        seen.add(pattern)
        for dtype in (*DTYPES, *(EXOTIC if isinstance(p, Elementwise) else ())):
            typed = in_dtypes(call, {main: dtype}, dtype)
            typed = replace(typed, label=f"{call.label} in {dtype.name}")
            if dtype != main and accepted(typed):
                calls.append(typed)
    return calls


def accepted(call) -> bool:
    """Whether the type rule takes the call."""
    try:
        call.out_avals()
    except (TypeError, ValueError, NotImplementedError):
        return False
    return True


_WIDE = {dtypes.float32: dtypes.float64, dtypes.complex64: dtypes.complex128}


def in_double(call: Call) -> Call | None:
    """The call in float64 and complex128, for derivatives; None if it has no tangents."""
    if not holds_program(call):
        # Values that an example gave to try NaN or ties are not where derivatives can be compared.
        smooth = [f and np.unique(x).size == x.size and np.isfinite(x).all() if is_inexact(x) else f
                  for f, x in zip(call.fixed, call.operands)]
        call = in_dtypes(replace(call, fixed=tuple(smooth)), _WIDE, "double")
    if not accepted(call) or not positions(call):
        return None
    return call if any(is_double(a) for a in call.out_avals()) else None


def is_double(x) -> bool:
    return x.dtype in (np.float64, np.complex128)


def is_inexact(x) -> bool:
    return dtypes.issubdtype(x.dtype, np.inexact)


# ---- comparison ----------------------------------------------------------------------------------


def buffer(x) -> np.ndarray:
    """The values of an array as NumPy has them."""
    return np.asarray(x._buffer if isinstance(x, ArrayImpl) else x)


_EPS = {np.dtype(ml_dtypes.bfloat16): 2.0**-7, np.dtype(np.float16): 2.0**-10}


def epsilon(dtype) -> float:
    if dtype.kind in "fc" and dtype.itemsize > 2:
        return float(np.finfo(dtype).eps)
    return _EPS.get(dtype, 2.0**-3)


def assert_close(expected, actual, ulps, label, floor=None):
    """Equal types, and values equal to some units in the last place.

    `floor` is the least value whose last place counts; default is the largest finite value of
    all, which is right for sums. Denormal numbers count as 0.
    """
    expected, actual = buffer(expected), buffer(actual)
    assert expected.shape == actual.shape, f"{label}: shapes {expected.shape} and {actual.shape}"
    assert expected.dtype == actual.dtype, f"{label}: dtypes {expected.dtype} and {actual.dtype}"
    if not is_inexact(expected):
        assert np.array_equal(expected, actual), f"{label}: expected\n{expected}\ngot\n{actual}"
        return
    tolerance = ulps * epsilon(expected.dtype)
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    a, b = expected.astype(wide), actual.astype(wide)
    with np.errstate(all="ignore"):
        if floor is None:
            floor = np.abs(a[np.isfinite(a)]).max(initial=0.0)
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), floor)
        near = np.abs(a - b) <= tolerance * largest + np.finfo(np.float32).tiny
    bad = ~(same | (near & np.isfinite(a)))
    assert not bad.any(), (
        f"{label}: at {np.argwhere(bad)[:4].tolist()} expected\n{expected[bad][:4]}\n"
        f"got\n{actual[bad][:4]}"
    )


# ---- checks of ours against ours -----------------------------------------------------------------


def evaluate(call) -> list[np.ndarray]:
    """The evaluate rule, called as the engine calls it."""
    token = quiet.enter()
    try:
        out = call.p.evaluate_rule(*map(buffer, call.operands), **call.params)
    finally:
        quiet.leave(token)
    return list(out) if call.p.multiple_results else [out]


def check_type(call):
    """What `evaluate` returns has the type that `type` says."""
    for aval, out in zip(call.out_avals(), evaluate(call), strict=True):
        assert isinstance(out, (np.ndarray, np.generic)), f"{call.label}: {type(out)}"
        dtype = getattr(aval.dtype, "buffer_dtype", aval.dtype)
        assert (aval.shape, dtype) == (out.shape, out.dtype), (
            f"{call.label}: type rule says {aval.str_short(True)}, "
            f"evaluate gives {out.dtype}{list(out.shape)}"
        )


def check_printing(call):
    """The jaxpr names the primitive and has consistent types."""
    closed = make_jaxpr(lambda *xs: call(*xs))(*call.operands)
    check_jaxpr(closed.jaxpr)
    if call.p.stage_rule is None:
        assert call.p.name in str(closed)


def check_jit(call, ulps=8, floor=None):
    """A compiled call gives what an eager one gives, on any engine."""
    for expected, actual in zip(call(), jit(lambda *xs: call(*xs))(*call.operands), strict=True):
        assert_close(expected, actual, ulps, f"jit of {call.label}", floor)


def variant(x):
    """Other values for a batch: an array that an example fixed is reversed and stays valid."""
    return x[::-1] if x.ndim else x


def batched_operand(x, axis, rng, domain, fixed):
    """Two operands like `x`, and both stacked along `axis`."""
    if isinstance(x, ArrayImpl):
        other = random_values(rng, x.shape, x.dtype)
        stacked = make_array(
            np.stack([buffer(x), buffer(other)], axis),
            x.aval.update(shape=(*x.shape[:axis], 2, *x.shape[axis:])),
        )
        return (x, other), stacked
    other = variant(x) if fixed else random_values(rng, x.shape, x.dtype, domain)
    return (x, other), np.stack([x, other], axis)


def batch_patterns(call):
    """Which axis of each operand is mapped: every axis of each, and combinations of operands."""
    ndims = [x.ndim for x in call.operands]
    n = len(ndims)
    for i, ndim in enumerate(ndims):
        for axis in range(ndim + 1):
            yield tuple(axis if i == j else None for j in range(n))
    subsets = itertools.product((False, True), repeat=n) if n <= 3 else [(True,) * n]
    for chosen in subsets:
        if sum(chosen) > 1:
            yield tuple(0 if c else None for c in chosen)
            yield tuple(d if c else None for c, d in zip(chosen, ndims))
            yield tuple(
                (d if i % 2 else 0) if c else None for i, (c, d) in enumerate(zip(chosen, ndims))
            )


def check_batch(call):
    """`vmap` equals a Python loop, for every batch axis of every operand and for combinations."""
    rng = seeded(call.label, "batch")
    for axes in dict.fromkeys(batch_patterns(call)):
        pairs, operands = [], []
        for i, (x, axis, fixed) in enumerate(zip(call.operands, axes, call.fixed)):
            if axis is None:
                pairs.append((x, x))
                operands.append(x)
            else:
                pair, stacked = batched_operand(x, axis, rng, domain_of(call.p, i), fixed)
                pairs.append(pair)
                operands.append(stacked)
        outs = vmap(lambda *xs: call(*xs), in_axes=axes)(*operands)
        loop = zip(*[call(*[pair[i] for pair in pairs]) for i in range(2)])
        for out, each in zip(outs, loop, strict=True):
            assert_close(
                np.stack([buffer(e) for e in each]), out, 32, f"vmap{axes} of {call.label}"
            )


# ---- derivatives ---------------------------------------------------------------------------------


def positions(call) -> tuple[int, ...]:
    """Operands with tangents."""
    allowed = _DIFFERENTIABLE.get(call.p.name, range(len(call.operands)))
    return tuple(i for i in allowed if is_double(call.operands[i]))


def function_of(call, at):
    """The inexact results as a function of the operands at these positions."""

    def f(*xs):
        operands = list(call.operands)
        for i, x in zip(at, xs):
            operands[i] = x
        return [y for y in call(*operands) if is_double(y)]

    return f


def directions(xs, rng):
    return [random_values(rng, x.shape, x.dtype, (-1, 1)) for x in xs]


def shifted(xs, ts, h):
    return [x + h * t for x, t in zip(xs, ts)]


def check_tangents(f, xs, ts, label):
    """jvp against central differences."""
    h = 1e-6
    _, tangents = jvp(f, tuple(xs), tuple(ts))
    above, below = f(*shifted(xs, ts, h)), f(*shifted(xs, ts, -h))
    for tangent, a, b in zip(tangents, above, below, strict=True):
        with np.errstate(invalid="ignore"):  # the maximum of nothing
            expected = (buffer(a) - buffer(b)) / (2 * h)
        got = buffer(tangent)
        assert expected.shape == got.shape and expected.dtype == got.dtype, label
        scale = max(1.0, np.abs(expected).max(initial=0.0))
        near = np.isclose(expected, got, rtol=1e-5, atol=1e-6 * scale)
        assert (near | ~np.isfinite(expected)).all(), (
            f"{label}: differences\n{expected}\njvp\n{got}"
        )


def check_jvp(call):
    """Tangents to first and second order against finite differences."""
    if call.p.name in _NO_DIFFERENCES:
        return
    rng = seeded(call.label, "jvp")
    at = positions(call)
    for chosen in dict.fromkeys([*[(i,) for i in at], at]):
        f = function_of(call, chosen)
        xs = [call.operands[i] for i in chosen]
        ts, us = directions(xs, rng), directions(xs, rng)
        check_tangents(f, xs, ts, f"jvp of {call.label} by {chosen}")
        if call.p.name not in _FIRST_ORDER_ONLY:
            slope = lambda *xs, f=f, ts=ts: jvp(f, xs, tuple(ts))[1]
            check_tangents(slope, xs, us, f"second jvp of {call.label} by {chosen}")


def inner(xs, ys) -> float:
    """The pairing of cotangents and tangents: the real part of the sum of products."""
    return float(sum(np.sum(buffer(x) * buffer(y)).real for x, y in zip(xs, ys)))


def check_vjp(call):
    """<ct, J t> = <J^T ct, t>: reverse mode and transposition against forward mode."""
    if call.p.name in _ROUNDED:
        return
    rng = seeded(call.label, "vjp")
    at = positions(call)
    for chosen in dict.fromkeys([*[(i,) for i in at], at]):
        f = function_of(call, chosen)
        xs = [call.operands[i] for i in chosen]
        ts = directions(xs, rng)
        outs, pull = vjp(f, *xs)
        cts = directions(list(map(buffer, outs)), rng)
        _, tangents = jvp(f, tuple(xs), tuple(ts))
        pulled = pull([make_array(c, aval_of(c)) for c in cts])
        for x, ct in zip(xs, pulled, strict=True):
            assert (x.shape, x.dtype) == (ct.shape, ct.dtype), f"vjp of {call.label}: {ct.aval}"
        forward, backward = inner(cts, tangents), inner(pulled, ts)
        assert np.isclose(forward, backward, rtol=1e-9, atol=1e-9), (
            f"vjp of {call.label} by {chosen}: <ct, jvp> = {forward}, <vjp, t> = {backward}"
        )


def loss_of(f, weights):
    """A scalar: the weighted sum of the results, real parts of complex ones."""

    def loss(*xs):
        total = None
        for y, w in zip(f(*xs), weights):
            y = mul(y, w)
            y = real(y) if y.dtype == np.complex128 else y
            y = reduce_sum(y, axes=tuple(range(y.ndim)), out_sharding=None)
            total = y if total is None else add(total, y)
        return total

    return loss


def check_grad_and_vmap(call):
    """`vmap(grad(f))`, `grad(sum(vmap(f)))` and a loop over `grad(f)` agree."""
    rng = seeded(call.label, "grad vmap")
    at = positions(call)
    f = function_of(call, at)
    xs = [call.operands[i] for i in at]
    batches = [
        np.stack([x, random_values(rng, x.shape, x.dtype, domain_of(call.p, i))])
        for i, x in zip(at, xs)
    ]
    weights = directions(list(map(buffer, f(*xs))), rng)
    loss, argnums = loss_of(f, weights), tuple(range(len(at)))
    gradient = grad(loss, argnums)
    loop = [gradient(*[b[i] for b in batches]) for i in range(2)]
    inside = vmap(gradient)(*batches)
    total = lambda *bs: reduce_sum(vmap(loss)(*bs), axes=(0,), out_sharding=None)
    outside = grad(total, argnums)(*batches)
    for i in argnums:
        expected = np.stack([buffer(each[i]) for each in loop])
        assert_close(expected, inside[i], 1e5, f"vmap(grad) of {call.label}")
        assert_close(expected, outside[i], 1e5, f"grad(vmap) of {call.label}")


# ---- special values ------------------------------------------------------------------------------

_FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 1e-4, 100.0, 1e5, np.inf, -np.inf, np.nan,
]
_INTS = [0, 1, 2, 3, 7, 40]
_COMPLEX = [1 + 2j, -1 + 0.5j, 2.0 + 0j, -0.25 - 3j, 0.5j]


def special_values(dtype) -> list:
    """Zeros, infinities, NaN, extremes and halves of a dtype."""
    if dtype == np.bool_:
        return [False, True]
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return [*_INTS, info.min, info.max, *((-1, -2, -7) if info.min else ())]
    return _COMPLEX if dtype.kind == "c" else _FLOATS


# Where XLA's value is an accident: special values to compare, of those primitives.
_COMPARABLE = {
    **dict.fromkeys(
        ("igamma", "igammac", "igamma_grad_a"), lambda a, x: (np.abs(a) > 1e-3) & (np.abs(a) < 1e4)
    ),
    "polygamma": lambda m, x: (np.abs(m) < 100) & (x != np.inf),
    "zeta": lambda s, q: (q != np.inf) & (np.abs(s) < 1e4),
}


def special_call(p, dtype) -> Call | None:
    """An element-wise primitive on every combination of special values of a dtype."""
    params = p.example_calls[0][1]
    values = special_values(dtype)
    values = values if len(p.domains) < 3 else values[::3]
    table = itertools.product(values, repeat=len(p.domains))
    rng = seeded(p.name, dtype, "special")
    with np.errstate(all="ignore"):
        columns = [np.array(column).astype(dtype) for column in zip(*table)]
        keep = _COMPARABLE[p.name](*columns) if p.name in _COMPARABLE else slice(None)
    operands = tuple(
        np.concatenate([column[keep], random_values(rng, (16,), dtype, domain_of(p, i))])
        for i, column in enumerate(columns)
    )
    params = {k: dtype if isinstance(v, np.dtype) else v for k, v in params.items()}
    call = Call(p, operands, params, f"{p.name} of special values in {dtype.name}")
    return call if accepted(call) else None

