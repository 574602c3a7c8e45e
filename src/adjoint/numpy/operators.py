"""The functions behind the operators of arrays: `OPERATORS["__add__"]` is bound to `Array` as `__add__`.

An operator is the function of `adjoint.numpy` for operands that are arrays or scalars. For anything else
it leaves the choice to the other operand, so that Python tries its operator or raises TypeError; lists
and tuples are refused at once, since they are arrays in NumPy and would be converted element by element.

Tests: `tests/numpy/test_ufuncs.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature

from ..core import dtypes
from ..core.messages.advice import without_none
from ..core.messages.errors import advise, message
from ..core.types import Array, is_arraylike
from ..core.values.deferred import Deferred
from . import elementary
from .division import divmod as divmod_
from .division import floor_divide, power, remainder
from .floats import round as round_
from .shortcuts import shortened

__all__ = ["BINARY", "COMPARISONS", "OPERATORS", "binary", "is_operand", "refuse"]

_SCALARS = frozenset((int, float, bool, complex))
_COLLECTIONS = (list, tuple, set, dict)
_REFUSED = (*_COLLECTIONS, type(None))


def is_operand(x) -> bool:
    return isinstance(x, Array) or type(x) in _SCALARS or is_arraylike(x)


def _converted(x):
    """Return an operand as the functions take it: those that are jitted refuse what has `__jax_array__`."""
    return x if isinstance(x, Deferred) or not hasattr(x, "__jax_array__") else x.__jax_array__()


def refuse(symbol: str, x, other, types: tuple = _COLLECTIONS, reflected: bool = False):
    """The answer to an operand that is no array: NotImplemented, or TypeError for collections, texts and None."""
    is_text = type(other) is str and symbol in ("+", "-", "/", "@")  # `*` repeats one, `%` formats it
    if type(other) in types or is_text:  # those of a class of its own may answer themselves
        names = [type(x).__name__, type(other).__name__]
        said = f"unsupported operand type(s) for {'** or pow()' if symbol == '**' else symbol}: "
        first, second = reversed(names) if reflected else names
        if other is None:
            raise TypeError(
                message(
                    f"{said}'{first}' and '{second}'",
                    why="One operand is None: what a function gives that has no return, or an argument that was left "
                    "out.",
                    fix=advise(without_none, "return the result in the function that gives None, or jnp.nan for a "
                               "missing number"),
                )
            )
        if isinstance(other, dict):
            raise TypeError(
                message(
                    f"{said}'{first}' and '{second}'",
                    why="A dict is a tree of arrays.",
                    fix=f"jax.tree.map(lambda value: x {symbol} value, the_dict)",
                )
            )
        if isinstance(other, str):
            raise TypeError(
                message(
                    f"{said}'{first}' and '{second}'",
                    fix="f\"{x} and a text\" for a text, float(text) for the number that it says",
                )
            )
        raise TypeError(
            message(
                f"{said}'{first}' and '{second}'",
                why=f"A {names[1]} is not converted to an array silently, since that copies element by element."
                if isinstance(other, (list, tuple))
                else None,
                fix="jnp.asarray(...)" if isinstance(other, (list, tuple)) else None,
            )
        )
    return NotImplemented


def _forward(symbol: str, function: Callable, refused: tuple = _REFUSED) -> Callable:
    """`x <symbol> other`"""

    def general(x, other):
        if isinstance(other, Array) or type(other) in _SCALARS:
            return function(x, other)
        if is_arraylike(other):
            return function(x, _converted(other))
        return refuse(symbol, x, other, refused)

    rule = getattr(function, "rule", None)
    return general if rule is None else shortened(general, rule, 2)


def _reflected(symbol: str, function: Callable) -> Callable:
    """Return `other <symbol> x`, for an `other` that has not answered."""
    function = getattr(function, "func", function)  # of a ufunc: one call less

    def operator(x, other):
        if type(other) in _SCALARS or isinstance(other, Array):
            return function(other, x)
        if is_arraylike(other):
            return function(_converted(other), x)
        return refuse(symbol, x, other, _REFUSED, reflected=True)

    return operator


def _round(x, ndigits=None):
    """`round(x)`: an array of ints of the default dtype without `ndigits`, else one of the dtype of x."""
    out = round_(x, decimals=0 if ndigits is None else ndigits)
    return out if ndigits is not None else out.astype(dtypes.default_int())


def _titled(name: str, function: Callable) -> Callable:
    function.__name__ = function.__qualname__ = name
    if name.strip("_") not in _UNARY:
        function.__signature__ = _OPERANDS  # type: ignore[attr-defined]
    return function


def binary(name: str, symbol: str, function: Callable) -> tuple[Callable, Callable]:
    """The operator `__name__` of a symbol, and its reflected form."""
    return (
        _titled(f"__{name}__", _forward(symbol, function)), _titled(f"__r{name}__", _reflected(symbol, function)),
    )


# What the short cuts take beside the operands is for the functions, not for the operators.
_UNARY = ("neg", "pos", "abs", "invert", "round")
_OPERANDS = Signature([Parameter(_name, Parameter.POSITIONAL_OR_KEYWORD) for _name in ("self", "other")])

# operator -> its symbol and function; each has a reflected form. `@` is in `products.py`.
BINARY = {
    "add": ("+", elementary.add),
    "sub": ("-", elementary.subtract),
    "mul": ("*", elementary.multiply),
    "truediv": ("/", elementary.true_divide),
    "floordiv": ("//", floor_divide),
    "mod": ("%", remainder),
    "divmod": ("divmod", divmod_),
    "pow": ("**", power),
    "and": ("&", elementary.bitwise_and),
    "or": ("|", elementary.bitwise_or),
    "xor": ("^", elementary.bitwise_xor),
    "lshift": ("<<", elementary.left_shift),
    "rshift": (">>", elementary.right_shift),
}
COMPARISONS = {
    "lt": ("<", elementary.less, ()),
    "le": ("<=", elementary.less_equal, ()),
    "gt": (">", elementary.greater, ()),
    "ge": (">=", elementary.greater_equal, ()),
    "eq": ("==", elementary.equal, _COLLECTIONS),
    "ne": ("!=", elementary.not_equal, _COLLECTIONS),
}

OPERATORS: dict[str, Callable] = {
    **{f.__name__: f for name, row in BINARY.items() for f in binary(name, *row)},
    **{f"__{name}__": _forward(*row) for name, row in COMPARISONS.items()},
    "__neg__": lambda x: elementary.negative(x),
    "__pos__": lambda x: elementary.positive(x),
    "__abs__": lambda x: elementary.abs(x),
    "__invert__": lambda x: elementary.bitwise_not(x),
    "__round__": _round,
}
for _name, _function in OPERATORS.items():
    _titled(_name, _function)
