"""Operands of `adjoint.numpy` functions: what is accepted, to which dtype it is promoted, how ranks are made equal.

Python scalars stay Python scalars as long as they can, so that they are written into jaxprs as literals
and cost nothing.

Tests: `tests/numpy/test_strict_modes.py`.
"""

from __future__ import annotations

import numpy as np

from ..array.array import Float0Array, as_array
from ..core import dtypes
from ..core.messages.advice import as_array_argument
from ..core.messages.errors import ConcretizationTypeError, advise, message, warn
from ..core.messages.operands import has_no_value
from ..core.options.config import local
from ..core.trace import Tracer
from ..core.types import Array, ShapedArray, aval_of, is_arraylike, type_of
from ..core.values.dimension import broadcast_shapes
from ..core.values.numbers import as_typed
from ..core.values.refs import Ref
from ..prims.conversion import convert_element_type
from ..prims.shape import insert_axes

__all__ = [
    "broadcast_shape", "check_arraylike", "check_rank_promotion", "check_vectorized_ranks", "constant", "convert",
    "dtype_of", "known", "of_one_rank", "promote", "promote_inexact", "promote_numeric", "promote_shapes", "shape_of",
    "strong",
]

_SCALARS = frozenset((bool, int, float, complex))


def check_arraylike(name: str, *args) -> None:
    """TypeError unless all are arrays or scalars; lists are refused as JAX refuses them."""
    for i, x in enumerate(args):
        if not isinstance(x, Array) and type(x) not in _SCALARS and (type(x) is Ref or not is_arraylike(x)):
            why, fix = _made_an_array(name, x)
            raise TypeError(
                message(
                    f"{name} requires ndarray or scalar arguments, got {type(x)} at position {i}.", why=why, fix=fix
                )
            )
        if isinstance(x, (np.ndarray, np.void)) and x.dtype not in dtypes.all_dtypes and x.dtype != dtypes.float0:
            raise TypeError(
                message(
                    f"{name} requires arrays of numbers, got a NumPy array of dtype {x.dtype} at "
                    f"position {i}.",
                    fix="x.astype('float32')",
                )
            )


def _made_an_array(name: str, x) -> tuple[str | None, str]:
    """Return why `x` is no operand of a function, and what to write for it."""
    if has_no_value(x):
        return None, "jax.eval_shape(f, x) for the shape and dtype of a result, or jnp.zeros(x.shape, x.dtype)"
    if type(x) is Ref:
        return None, f"{name}(ref[...])"
    if isinstance(x, (list, tuple)):
        why = "Lists are not converted silently, since that copies element by element."
        return why, advise(as_array_argument, f"jnp.{name}(jnp.asarray(x))")
    if x is None:
        why = "None is what a function without a return statement gives, and an argument that was left out."
        missing = {"where": "jnp.where(condition, x, y), with both; jnp.where(condition) for the positions"}
        return why, missing.get(name, "an array or a number in its place, jnp.nan for a missing number")
    if isinstance(x, dict):
        return "A dict is a tree of arrays.", f"jax.tree.map(jnp.{name}, x)"
    if isinstance(x, (str, bytes)):
        return None, "a number in its place, float(x) if the text is of one"
    if callable(x):
        return "It is a function, perhaps one that was to be called.", f"{name}(f(x))"
    return None, f"an array in its place, or a method __jax_array__ of {type(x).__name__} that gives one"


def convert(x, dtype, weak: bool = False):
    """`x` with a dtype and weakness; scalars are converted on the spot."""
    if isinstance(x, (Array, Float0Array)):
        aval = x.aval
        if aval.dtype == dtype and aval.weak_type == weak:
            return x
        return convert_element_type(x, new_dtype=dtype, weak_type=weak, sharding=None)
    if type(x) in _SCALARS:
        own = aval_of(x).dtype
        if weak:
            return x if own == dtype else as_typed(_WEAK[dtype.kind](x), ShapedArray((), dtype, True))
        if type(x) is int and dtype.kind != "f":
            x = np.array(x, own).astype(dtype)[()]  # wraps: 300 is 44 as uint8
        return _typed(x, dtype)
    if hasattr(x, "__jax_array__"):
        return convert(x.__jax_array__(), dtype, weak)
    if isinstance(x, (np.generic, np.ndarray)) and not x.ndim and x.dtype.names is None:
        if not weak:
            return _typed(x.item() if x.dtype.kind == "b" else x[()], dtype)  # numbers of 4 bits are made of numbers
        number = _WEAK[dtype.kind](x)
        if aval_of(number).dtype == dtype:
            return number
    return convert(as_array(x), dtype, weak)


def _typed(x, dtype):
    """Return a scalar of a dtype, of 64 bits outside of that mode too."""
    scalar = dtype.type(x)
    return as_typed(scalar, ShapedArray((), dtype)) if dtype in dtypes.WIDE else scalar


_WEAK = {"b": bool, "i": int, "f": float, "c": complex}


def constant(x, value):
    """The scalar `value` in the dtype of `x`, for formulas; weak only beside a weak scalar."""
    aval = aval_of(x)
    if aval.weak_type and not aval.shape:
        return convert(value, aval.dtype, True)
    return _typed(value, aval.dtype)


def strong(x, value):
    """The scalar `value` in the dtype of `x`, never weak."""
    return _typed(value, aval_of(x).dtype)


def _key(x) -> tuple:
    aval = x.aval if isinstance(x, Array) else type_of(x)
    return aval.dtype, aval.weak_type


_OF_KEYS = frozenset(("equal", "not_equal", "isnan"))  # what can be asked of random keys
_OF_FLOAT0 = frozenset(("isfinite", "isinf", "isneginf", "isposinf"))  # and of what is no number, but finite


_NO_NUMBERS = (dtypes.ExtendedDType, type(dtypes.float0))  # types of dtypes without arithmetic


def _common(name: str, args) -> tuple:
    """Return the dtype that operands promote to, and whether it is weak."""
    keys = tuple([_key(x) for x in args])
    for dtype, _ in keys:
        if isinstance(dtype, _NO_NUMBERS):
            return _common_of_no_numbers(name, keys)
    return dtypes.result_of(keys)


def _common_of_no_numbers(name: str, keys) -> tuple:
    """Return what random keys have in common in a function that takes them; TypeError in all others."""
    if any(dtype == dtypes.float0 for dtype, _ in keys):
        if name in _OF_FLOAT0 and len(keys) == 1:
            return np.dtype(bool), False
        raise TypeError(
            message(
                f"Called {name} with a float0 array. float0s do not support any operations by design because they are "
                "not compatible with non-trivial vector spaces.",
                why="The derivative with respect to an integer or boolean is a float0, which holds no number.",
                fix="jax.tree.map(lambda x, g: x if g.dtype == jax.dtypes.float0 else x - g, params, grads)",
            )
        )
    if name in _OF_KEYS and len(set(keys)) == 1:
        return keys[0]
    names = ", ".join(dtype.name for dtype, _ in keys)
    raise TypeError(
        message(
            f"{name} does not accept dtypes {names}.",
            why="Random keys are not numbers.",
            fix="random.bits(key) for numbers, random.fold_in(key, i) for another key",
        )
    )


def promote(name: str, *args) -> list:
    """Operands of one dtype, by JAX's lattice, and of compatible shapes."""
    return promote_shapes(name, of_one_dtype(name, *args))


def of_one_dtype(name: str, *args) -> list:
    """Operands of one dtype, by JAX's lattice, in their own shapes."""
    check_arraylike(name, *args)
    dtype, weak = _common(name, args)
    return [convert(x, dtype, weak) for x in args]


def promote_inexact(name: str, *args) -> list:
    """Promote to a float or complex dtype."""
    return promote_shapes(name, of_one_inexact_dtype(name, *args))


def of_one_inexact_dtype(name: str, *args) -> list:
    """Operands of one float or complex dtype, in their own shapes."""
    check_arraylike(name, *args)
    dtype, weak = _common(name, args)
    dtype = dtypes.to_inexact_dtype(dtype)
    return [convert(x, dtype, weak) for x in args]


def promote_numeric(name: str, *args) -> list:
    """Promote with booleans as integers."""
    check_arraylike(name, *args)
    dtype, weak = _common(name, args)
    dtype = dtypes.to_numeric_dtype(dtype)
    return promote_shapes(name, [convert(x, dtype, weak) for x in args])


def promote_shapes(name: str, args: list) -> list:
    """Leading axes of length 1 for operands of lower rank; rank 0 stays, it stretches by itself."""
    if len(args) == 1:
        return args
    shapes = [x.shape if isinstance(x, (Array, np.ndarray)) else () for x in args]
    ranks = {len(s) for s in shapes if s}
    if len(ranks) <= 1:
        return args
    check_rank_promotion(name, shapes)
    broadcast_shape(*shapes)
    return [_of_rank(max(ranks), x, s) for x, s in zip(args, shapes)]


def of_one_rank(*args) -> list:
    """The same for steps inside of a function, which `jax_numpy_rank_promotion` does not concern."""
    shapes = [x.shape if isinstance(x, (Array, np.ndarray)) else () for x in args]
    return [_of_rank(max(map(len, shapes)), x, s) for x, s in zip(args, shapes)]


def _of_rank(rank: int, x, shape):
    return insert_axes(x, tuple(range(rank - len(shape)))) if shape and len(shape) < rank else x


_RANKS_PAGE = "or more information, see https://docs.jax.dev/en/latest/rank_promotion_warning.html."


def _axes_to_add(shapes, batches) -> str:
    """Return what to write for the operand with the fewest axes that broadcast."""
    rank, axes, shape = max(map(len, batches)), *min((len(b), s) for b, s in zip(batches, shapes) if s)
    return f"x[{', '.join(['None'] * (rank - axes))}] for the operand x of shape {shape}"


def check_rank_promotion(name: str, shapes) -> None:
    """Obey `jax_numpy_rank_promotion` where a function broadcasts its operands, scalars excepted."""
    if local.numpy_rank_promotion == "allow" or len({len(s) for s in shapes if s}) <= 1:
        return
    listed = " ".join(map(str, shapes))
    if local.numpy_rank_promotion == "raise":
        raise ValueError(
            message(
                f"Operands could not be broadcast together for {name} on shapes {listed} and with the config option "
                f"jax_numpy_rank_promotion='raise'. F{_RANKS_PAGE}",
                fix=_axes_to_add(shapes, shapes),
            )
        )
    warn(
        f"Following NumPy automatic rank promotion for {name} on shapes {listed}. Set the jax_numpy_rank_promotion "
        f"config option to 'allow' to disable this warning; f{_RANKS_PAGE}"
    )


def check_vectorized_ranks(shapes, batches, signature: str | None) -> None:
    """The same for `vectorize`, whose operands have `batches` in front; scalars go with any rank."""
    ranks = {len(batch) for shape, batch in zip(shapes, batches) if shape}
    if local.numpy_rank_promotion == "allow" or len(ranks) <= 1:
        return
    text = (
        f"operands with shapes {list(shapes)} require rank promotion for jnp.vectorize function with signature "
        f"{signature}. Set the jax_numpy_rank_promotion config option to 'allow' to disable this message; f"
        f"{_RANKS_PAGE}"
    )
    if local.numpy_rank_promotion == "raise":
        raise ValueError(message(text, fix=_axes_to_add(shapes, batches)))
    warn(text)


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that these shapes broadcast to; ValueError that shows them aligned if there is none."""
    try:
        return broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(
            message(
                f"Incompatible shapes for broadcasting: shapes={list(shapes)}",
                why=_aligned(shapes),
                fix="add or move an axis, for example x[:, None], or check which axis is which",
            )
        ) from None


def _aligned(shapes) -> str:
    """Return the shapes one under the other, aligned from the right, with the axes that differ marked."""
    rank = max(map(len, shapes))
    columns = []
    for i in range(rank):
        lengths = [s[len(s) - rank + i] if len(s) - rank + i >= 0 else None for s in shapes]
        differs = len({n for n in lengths if n not in (None, 1)}) > 1
        texts = ["" if n is None else str(n) for n in lengths] + ["^" if differs else ""]
        width = max(map(len, texts))
        columns.append([t.rjust(width) for t in texts])
    rows = ["  ".join(column[r] for column in columns) for r in range(len(shapes) + 1)]
    return "Axes are aligned from the right:\n" + "\n".join("  " + r for r in rows)


def known(x, context: str):
    """The Python scalar of a value that must be known while tracing; `context` says what it is for."""
    if isinstance(x, Tracer):
        concrete = x.concrete()
        if concrete is None:
            raise ConcretizationTypeError(x, context)
        x = concrete
    if isinstance(x, Array):
        x = np.asarray(x)
    return x.item() if isinstance(x, (np.ndarray, np.generic)) and x.ndim == 0 else x


def shape_of(x) -> tuple[int, ...]:
    return x.shape if isinstance(x, Array) else type_of(x).shape


def dtype_of(x):
    return x.dtype if isinstance(x, Array) else type_of(x).dtype
