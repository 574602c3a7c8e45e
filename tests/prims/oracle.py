"""Real JAX's answers to the calls of the harness.

A primitive is asked through JAX's primitive of the same name, with all calls in one compiled
program, because compiling is what takes the time. Calls that XLA on the CPU cannot run get no
answer.
"""

from __future__ import annotations

import enum
from functools import cache

import numpy as np
from tests.recorded import jax

from adjoint.array.array import ArrayImpl
from adjoint.core.dtypes import ExtendedDType
from adjoint.core.primitive import Primitive

extended = jax.extend.core.primitives

# Parameters that JAX wants to be given and that have a default here.
_DEFAULTS = {
    **dict.fromkeys(
        (
            "cbrt", "cos", "exp", "exp2", "expm1", "log", "log1p", "logistic", "rsqrt", "sin",
            "sqrt", "tan", "tanh",
        ),
        {"accuracy": None},
    ),
    **dict.fromkeys(
        ("broadcast_in_dim", "convert_element_type", "iota", "reshape"), {"sharding": None}
    ),
    **dict.fromkeys(("conv_general_dilated", "dot_general", "reduce_sum"), {"out_sharding": None}),
    "mul": {"out_dtype": None},
}
_NAMES = {"add_any": "add_jaxvals"}
_INCOMPARABLE = {"sharding_constraint"}  # its parameter is an object of the library; see tests/parallel
_QUICKLY = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
_NEW_EMITTERS = {"reduce_precision"}  # the older ones make infinity of NaN
_REFUSALS = (TypeError, ValueError, NotImplementedError, OverflowError)


@cache
def primitive(name):
    """JAX's primitive of that name, or None."""
    if name in _INCOMPARABLE:
        return None
    name = _NAMES.get(name, name) + "_p"
    return getattr(extended, name, None) or getattr(jax.lax, name, None)


def types(call) -> list[tuple] | Exception:
    """(shape, dtype) of JAX's results, or the error that it raises."""
    with jax.enable_x64(True):
        try:
            outs = jax.eval_shape(_program([call]), [[_struct(x) for x in call.operands]])
        except _REFUSALS as error:
            return error
    return [(x.shape, x.dtype) for x in outs[0]]


def values(calls) -> list[list[np.ndarray] | None]:
    """What JAX gives for each call; None where it cannot run."""
    if not calls:
        return []
    with jax.enable_x64(True):
        outs = _run_parts(calls)
    assert any(out is not None for out in outs), f"JAX runs no call of {calls[0].p}"
    return outs


def derivative_texts(call, at) -> tuple[str, str]:
    """Jaxprs of jvp and vjp by the operands at these positions, as JAX prints them."""
    p = primitive(call.p.name)
    bind = lambda *xs: _bind(p, xs, call.params)
    with jax.enable_x64(True):
        return derivative_jaxprs(call, at, bind, jax.jvp, jax.vjp, jax.make_jaxpr)


def derivative_jaxprs(call, at, bind, jvp, vjp, make_jaxpr) -> tuple[str, str]:
    """The text of two programs of all operands, and tangents or a cotangent."""
    (out,) = call.out_avals()
    tangents = tuple(call.operands[i] for i in at)

    def function_of(operands):
        def f(*xs):
            return bind(*[xs[at.index(i)] if i in at else x for i, x in enumerate(operands)])

        return f, tuple(operands[i] for i in at)

    def forward(operands, ts):
        f, xs = function_of(operands)
        return jvp(f, xs, ts)

    def backward(operands, ct):
        f, xs = function_of(operands)
        return vjp(f, *xs)[1](ct)

    ct = np.ones(out.shape, out.dtype)
    operands = list(call.operands)
    return str(make_jaxpr(forward)(operands, tangents)), str(make_jaxpr(backward)(operands, ct))


def _run(calls):
    operands = [list(map(_operand, call.operands)) for call in calls]
    options = {**_QUICKLY, "xla_cpu_use_fusion_emitters": calls[0].p.name in _NEW_EMITTERS}
    outs = jax.jit(_program(calls)).lower(operands).compile(options)(operands)
    return [[np.asarray(_key_data(x)) for x in out] for out in outs]


def _run_parts(calls):
    """All at once; where one of them does not compile, which JAX and XLA say in many ways, by halves."""
    try:
        return _run(calls)
    except Exception:
        half = len(calls) // 2
        return [*_run_parts(calls[:half]), *_run_parts(calls[half:])] if half else [None]


def _program(calls):
    p = primitive(calls[0].p.name)

    def program(operands):
        outs = [_bind(p, xs, call.params) for xs, call in zip(operands, calls)]
        return [list(x) if isinstance(x, (list, tuple)) else [x] for x in outs]

    return program


def _bind(p, operands, params):
    given = {k: _parameter(v) for k, v in params.items()}
    if "rounding_method" in given:
        given["rounding_method"] = jax.lax.RoundingMethod(given["rounding_method"])
    return p.bind(*operands, **(_DEFAULTS.get(p.name, {}) | given))


def _parameter(x):
    """A parameter as JAX has it: its own enumerations and records."""
    if isinstance(x, Primitive):
        return primitive(x.name)
    theirs = getattr(jax.lax, type(x).__name__, None)
    if isinstance(x, enum.Enum):
        return theirs[x.name] if theirs else x
    if isinstance(x, tuple):
        items = map(_parameter, x)
        return theirs(*items) if theirs and hasattr(x, "_fields") else tuple(items)
    if theirs is not None and type(x).__module__.startswith("adjoint."):
        return theirs(**{k: _parameter(v) for k, v in vars(x).items()})
    return x


def _struct(x):
    if isinstance(x.dtype, ExtendedDType):
        return jax.eval_shape(lambda: jax.random.split(_key(x), x.shape))
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def _operand(x):
    """An operand of a JAX program; keys by their data."""
    if isinstance(x.dtype, ExtendedDType):
        shape = (*x.shape, x.dtype.itemsize // 4)
        data = np.ascontiguousarray(x._buffer).view(np.uint32).reshape(shape)
        return jax.random.wrap_key_data(data, impl=x.dtype._impl.name)
    return np.asarray(x._buffer) if isinstance(x, ArrayImpl) else x


def _key(x):
    return jax.random.key(0, impl=x.dtype._impl.name)


def _key_data(x):
    return jax.random.key_data(x) if jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key) else x
