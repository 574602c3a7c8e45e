"""The exception tree, and the one builder of messages.

    TypeError
      JAXTypeError                          a traced value where a concrete one is needed
        ConcretizationTypeError             float(x), a shape or an axis that depends on x
          TracerBoolConversionError         if x: ...   while x: ...   x and y
        TracerArrayConversionError          np.sin(x), np.asarray(x)
        TracerIntegerConversionError        a_list[x], range(x)
        UnexpectedTracerError               x outlived the function that was traced
        KeyReuseError                       one random key used twice
      JaxprTypeError                        a malformed jaxpr
    IndexError
      JAXIndexError
        NonConcreteBooleanIndexError        x[mask] with a traced mask
    ValueError
      TypePromotionError                    dtypes without a common dtype
      PytreeError                           trees whose structures differ
    RuntimeError
      JaxRuntimeError                       a compiled program failed while it ran
    InconclusiveDimensionOperation          a comparison of symbolic sizes without an answer
    ShardingTypeError                       an operation over explicit mesh axes that is ambiguous

A message has four parts: what happened, where in the user's program, why, and what to write
instead. `message` lays them out; `user_frame` finds the user's line, so that no text ever names a
frame of this package. The names that JAX has are JAX's; they are public in `adjoint.errors`.
"""

from __future__ import annotations

import dis
import functools
import linecache
import re
import sys
import warnings
from collections.abc import Iterable
from types import CodeType, FrameType
from typing import Any

import numpy as np

from . import advice, leaks
from .dtype_text import short_name
from .frames import UserFrame, is_internal, is_ours, locate, user_frame, user_frame_above

# ---- messages ----


# Errors that JAX's documentation has a section on, whose address tools look for in messages.
_JAX_PAGES = frozenset((
    "ConcretizationTypeError", "KeyReuseError", "NonConcreteBooleanIndexError", "TracerArrayConversionError",
    "TracerBoolConversionError", "TracerIntegerConversionError", "UnexpectedTracerError",
))


def message(
    what: str,
    *,
    where: bool | UserFrame | FrameType | None = True,
    why: str | None = None,
    fix: str | None = None,
    page: str | None = None,
) -> str:
    """Return one error text of up to four parts and the name of a page to read.

    Args:
      what: one sentence that names the function the user called.
      where: True finds the user's line; a frame names it; None leaves the part out.
      why: the values, shapes and argument paths that led to it.
      fix: what to write instead, as code.
      page: the name to give to `adjoint.help`; below it is the address of JAX's page on that error, if there is one.

    >>> print(message("f needs a number.", where=None, why="x is a str.", fix="f(float(x))"))
    f needs a number.
      x is a str.
      Try: f(float(x))
    """
    if isinstance(where, FrameType):
        where = locate(where.f_code, where.f_lasti)
    elif where is True:
        where = user_frame()
    lines = [what]
    if where:
        lines += _pointer(where)
    if why:
        lines += ["  " + line for line in why.splitlines()]
    if fix:
        lines.append("  Try: " + fix.replace("\n", "\n       "))
    if page:
        lines.append(f"  More: {presented('adjoint')}.help({page!r})")
        if page in _JAX_PAGES:
            lines.append(f"  See https://docs.jax.dev/en/latest/errors.html#jax.errors.{page}")
    return "\n".join(lines)


_PLACE = re.compile(r'^  \S.*(:\d+|, line \d+)( in |$)', re.MULTILINE)  # a line that says where, or one of a traceback


def at_line(text: str, where: UserFrame) -> str:
    """Return a text with a part that says where, below what happened, unless it has one.

    >>> print(at_line("f needs a number.\\n  Try: f(1.)", UserFrame("program.py", 3, "main")))
    f needs a number.
      program.py:3 in main
      Try: f(1.)
    """
    if _PLACE.search(text):
        return text
    lines = text.split("\n")
    at = next((i for i, line in enumerate(lines) if i and line.startswith("  ") and line[2:4] != "* "), len(lines))
    return "\n".join([*lines[:at], *_pointer(where), *lines[at:]])


def advise(rule, otherwise: str, place: tuple[CodeType, int] | None = None) -> str:
    """Return what a rule of `advice.py` writes for the user's line, or a place in it, or the general advice."""
    where = user_frame_above(sys._getframe(1)) if place is None else advice.place_of(*place, {})
    return advice.written(rule, where, otherwise)


def presented(name: str) -> str:
    """Return the name of a module of this package as the program knows it: `jax.nn` where `jax` means this package.

    >>> presented("adjoint.nn")
    'adjoint.nn'
    """
    package = __name__.partition(".")[0]
    is_jax = getattr(sys.modules.get("jax"), "__name__", "") == package
    return name.replace(package, "jax", 1) if is_jax else name


def _pointer(frame: UserFrame) -> list[str]:
    """Return `  file:line in function:   source`, and carets under the expression if it is part of it."""
    source = frame.source
    if not source:
        return [f"  {frame}"]
    head = f"  {frame}:   "
    line = linecache.getline(frame.file, frame.line)
    start = len(line) - len(line.lstrip())
    if frame.column is None or frame.end_column is None or frame.column < start:
        return [head + source]
    width = frame.end_column - frame.column
    if not 0 < width < len(source):
        return [head + source]
    return [head + source, " " * (len(head) + frame.column - start) + "^" * width]


def axis_out_of_range(axis: int, ndim: int, kind: type[Exception] = ValueError, fix: str = "") -> Exception:
    """Return the error for an axis that an array has not."""
    if ndim:
        why = f"Its axes are 0 to {ndim - 1}, or -{ndim} to -1 counted from the last." if ndim > 1 else "Its axis is 0."
    else:
        why = "A scalar has no axes."
    what = f"axis {axis} is out of bounds for array of dimension {ndim}"
    return kind(message(what, why=why, fix=fix or "axis=-1 for the last one, or x[..., None] to add one"))


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning that points at the user's line."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and is_internal(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def shorten(value: Any, width: int = 60) -> str:
    """Return `repr(value)` on one line of at most `width` characters.

    >>> shorten(list(range(100)), 20)
    '[0, 1, 2, 3, 4, 5...'
    """
    try:
        text = " ".join(repr(value).split())
    except Exception as error:
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= width else text[: width - 3] + "..."


_MIN_LETTERS_OF_PREFIX = 4  # letters of a name that may be meant by a longer one that begins with it


def closest(name: str, names: Iterable[str]) -> str | None:
    """Return the name that was probably meant by `name`, or None.

    >>> closest("cocnatenate", ["concatenate", "stack"])
    'concatenate'
    """
    names = list(names)
    if exact := similar(name, names):
        return exact
    folded = {n.lower(): n for n in names}
    begins = [n for n in folded if len(n) >= _MIN_LETTERS_OF_PREFIX and name.lower().startswith(n)]
    found = similar(name.lower(), folded) or max(begins, key=len, default=None)
    return folded[found] if found else None


def similar(name: str, names: Iterable[str], least: float = 0.7) -> str | None:
    """Return the name that is most similar to `name`, and at least so much, or None."""
    import difflib  # only when an error is made

    return next(iter(difflib.get_close_matches(name, names, n=1, cutoff=least)), None)


def no_attribute(module: str, name: str, names: Iterable[str]) -> AttributeError | ImportError:
    """Return the error for a name that a module of this package does not have; `names` are those that it has."""
    return missing_name(module, name, hint(name, names))


def hint(name: str, names: Iterable[str]) -> str:
    """Return what follows the sentence that there is no such name: a similar one, or nothing."""
    found = "" if name.startswith("__") else did_you_mean(name, names)
    return found and "." + found


def missing_name(
    module: str, name: str, advice: str = "", said: str | None = None
) -> AttributeError | ImportError:
    """Return the error for a name that a module of this package does not have, with advice at its end.

    What is `said` of the name stands for the text that is usual for an AttributeError. In `from module import name` it
    is an ImportError: of an AttributeError, Python would not show the text there.
    """
    shown = presented(module)
    if f"{module}.{name}" not in sys.modules and _is_imported(name):
        path = getattr(sys.modules.get(module), "__file__", None)
        text = f"cannot import name {name!r} from {shown!r} ({path or 'unknown location'}){advice}"
        text = text if said is None else f"{text}\n  {said}"
        return ImportError(text, name=shown, path=path)
    text = said or f"module {shown!r} has no attribute {name!r}{advice}"
    return AttributeError(text, name=name)  # with a name and no object, Python adds no guess of its own


def _is_imported(name: str) -> bool:
    """Return whether a line of the form `from module import name` outside of this package asks for the name."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return False
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at] == _IMPORT_FROM and frame.f_code.co_names[_argument(code, at)] == name


_IMPORT_FROM, _EXTENDED_ARG = dis.opmap["IMPORT_FROM"], dis.opmap["EXTENDED_ARG"]


def _argument(code: bytes, at: int) -> int:
    """Return the argument of the instruction at a position: its byte, below those of the prefixes before it."""
    value, shift, at = code[at + 1], 8, at - 2
    while at >= 0 and code[at] == _EXTENDED_ARG:
        value, shift, at = value | code[at + 1] << shift, shift + 8, at - 2
    return value


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """`" Did you mean 'x'?"`, or nothing when no name is close."""
    found = closest(name, names)
    return f" Did you mean {found!r}?" if found else ""


def describe(x: Any) -> str:
    """Return a value in a few characters: `f32[3,4]` for arrays and avals, `int 3` for scalars, or a type.

    >>> describe(np.zeros((3, 4), "float32")), describe(2.5), describe(None)
    ('f32[3,4]', 'float 2.5', 'NoneType')
    """
    if isinstance(x, bool | int | float | complex) and not isinstance(x, np.generic):
        return f"{type(x).__name__} {shorten(x, 40)}"
    aval = getattr(x, "aval", x)
    dtype, shape = getattr(aval, "dtype", None), getattr(aval, "shape", None)
    if dtype is None or not isinstance(shape, tuple):
        return type(x).__name__
    return f"{short_name(dtype)}[{','.join(map(str, shape))}]"


# ---- the errors that JAX has ----


class JAXTypeError(TypeError):
    """Base of the type errors about traced values.

    `except jax.errors.JAXTypeError` catches all of them.

    Causes:
      `if x:`, `while x:`                       `TracerBoolConversionError`
      `float(x)`, `jnp.zeros(n)`                `ConcretizationTypeError`
      `np.sin(x)`                               `TracerArrayConversionError`
      `a_list[i]`, `range(n)`                   `TracerIntegerConversionError`
      a traced value that was stored            `UnexpectedTracerError`
      a random key that is used twice           `KeyReuseError`

    >>> try:
    ...     jit(lambda x: 1 if x > 0 else 0)(1.)
    ... except adjoint.errors.JAXTypeError as error:
    ...     print(type(error).__name__)
    TracerBoolConversionError
    """


class JAXIndexError(IndexError):
    """Base of the index errors about traced values.

    Causes:
      `x[mask]` where its length is needed      `NonConcreteBooleanIndexError`

    >>> try:
    ...     jit(lambda x: x[x > 0].tolist())(jnp.arange(3.))
    ... except adjoint.errors.JAXIndexError as error:
    ...     print(type(error).__name__)
    NonConcreteBooleanIndexError
    """


class ConcretizationTypeError(JAXTypeError):
    """A traced value was used where Python needs its content: `float(x)`, a shape, an axis.

    While a function is traced, a value has a shape and a dtype but no content. Compute with `jnp`
    and `lax`, or declare the argument static that decides a shape or a branch.

    Causes:
      `float(x)`, `int(x)`, `x.item()`          leave the conversion out; compute with arrays
      `jnp.arange(n)`, `x.reshape(n, -1)`       `jit(f, static_argnames="n")`
      `jnp.sum(x, axis=k)`                      `jit(f, static_argnames="k")`
      `math.sin(x)`                             `jnp.sin(x)`
      `jnp.unique(x)`, `jnp.nonzero(x)`         the argument `size=`

    >>> jit(lambda x: x / float(x.max()))(jnp.ones(3))
    Traceback (most recent call last):
    adjoint.errors.ConcretizationTypeError: Abstract tracer value encountered where concrete value is expected...

    Args:
      tracer: the traced value.
      context: the function that needed the content, as a sentence.

    A conversion is left out, or becomes one of arrays:

    >>> jit(lambda x: x / x.max())(jnp.array([1., 2.]))          # not x / float(x.max())
    Array([0.5, 1. ], dtype=float32)

    What decides a length is static:

    >>> jit(lambda n: jnp.arange(n), static_argnums=0)(3)
    Array([0, 1, 2], dtype=int32)
    """

    def __init__(self, tracer: Any, context: str = "", place: tuple[CodeType, int] | None = None):
        what = "Abstract tracer value encountered where concrete value is expected: "
        fix = 'jit(f, static_argnames="n") for an argument n that decides shapes, axes or branches'
        if length := re.search(r"(?:static `|the |static value to `)(size|length|total_repeat_length)\b", context):
            fix = f"functools.partial(f, {length[1]}=most) for the function f, with an int `most` that is large enough"
        fix = advise(advice.conversion, fix, place)
        text = _about(tracer, what + _traced(tracer), context, fix, "ConcretizationTypeError", place)
        super().__init__(text)


class TracerBoolConversionError(ConcretizationTypeError):
    """A traced value was used as a condition: `if x`, `while x`, `x and y`, `not x`.

    While a function is traced, a condition is neither true nor false: both branches become part of the program.

    Causes:
      `if x > 0:`                               `jnp.where(x > 0, a, b)`, or `lax.cond`
      `while x > eps:`                          `lax.while_loop`
      `a < x < b`, `p and q`, `not p`           `(a < x) & (x < b)`, `p & q`, `~p`
      `max(x, 0)`, `sorted(x)`, `x in values`   `jnp.maximum(x, 0)`, `jnp.sort(x)`, `jnp.isin(x, values)`
      `assert (x > 0).all()`                    `checkify.check`, or the check outside of `jit`
      `if training:`                            `jit(f, static_argnames="training")`

    >>> jit(lambda x: x if x > 0 else -x)(1.)
    Traceback (most recent call last):
    adjoint.errors.TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[]...
    >>> leaky = jit(lambda x: jnp.where(x > 0, x, 0.1 * x))      # not x if x > 0 else 0.1 * x
    >>> leaky(-1.)
    Array(-0.1, dtype=float32, weak_type=True)
    >>> inside = jit(lambda x: (x > 0) & (x < 1))                # not 0 < x < 1, nor x > 0 and x < 1
    >>> inside(0.5)
    Array(True, dtype=bool)

    `lax.cond` runs one of two functions, `lax.while_loop` repeats one as long as a condition is true:

    >>> jit(lambda x: lax.while_loop(lambda x: x < 10, lambda x: 2 * x, x))(3)
    Array(12, dtype=int32, weak_type=True)
    """

    def __init__(self, tracer: Any):
        what = f"Attempted boolean conversion of {_traced(tracer)}."
        static, is_argument = _static(tracer)
        general = (
            "jnp.where(x, a, b) to choose a value, lax.cond(x, f, g, *args) to choose a function,\n"
            "lax.while_loop to repeat, x & y for `x and y`"
        )
        general = f"{static}, for a flag;\n{general}" if is_argument else f"{general}; or {static}"
        fix = advise(advice.condition, general)
        JAXTypeError.__init__(self, _about(tracer, what, "", fix, "TracerBoolConversionError"))


class TracerArrayConversionError(JAXTypeError):
    """A traced value was given to NumPy: `np.sin(x)`, `np.asarray(x)`.

    NumPy computes at once and needs numbers, which a traced value has not.

    Causes:
      `np.sin(x)`                               `jnp.sin(x)`
      `scipy.special.gammaln(x)`                `jax.scipy.special.gammaln(x)`
      `table[i]` of a NumPy array               `jnp.asarray(table)[i]`
      a function that only NumPy has            `jax.pure_callback`

    >>> jit(lambda x: np.tanh(x))(0.)
    Traceback (most recent call last):
    adjoint.errors.TracerArrayConversionError: The numpy.ndarray conversion method __array__() was called on traced...
    >>> jit(lambda x: jnp.tanh(x))(0.)                           # not np.tanh(x)
    Array(0., dtype=float32, weak_type=True)
    >>> table = np.array([1., 2., 4.], np.float32)
    >>> jit(lambda i: jnp.asarray(table)[i])(2)                  # not table[i]
    Array(4., dtype=float32)
    """

    def __init__(self, tracer: Any):
        what = f"The numpy.ndarray conversion method __array__() was called on {_traced(tracer)}"
        general = "jnp.sin(x) for np.sin(x), or jax.pure_callback for code that must run in NumPy"
        fix = advise(advice.numpy_array, general)
        super().__init__(_about(tracer, what, "", fix, "TracerArrayConversionError"))


class TracerIntegerConversionError(JAXTypeError):
    """A traced value was used as a Python integer: `a_list[x]`, `range(x)`.

    Causes:
      `values[i]` of a Python list              `jnp.asarray(values)[i]`, or `lax.switch(i, functions)`
      `for i in range(n):`                      `lax.fori_loop(0, n, ...)`, or `n` static
      `[layer(x) for _ in range(n)]`            `jit(f, static_argnames="n")`

    >>> jit(lambda i: [1., 2., 4.][i])(2)
    Traceback (most recent call last):
    adjoint.errors.TracerIntegerConversionError: The __index__() method was called on traced array with shape int32[]...
    >>> jit(lambda i: jnp.asarray([1., 2., 4.])[i])(2)           # not [1., 2., 4.][i]
    Array(4., dtype=float32)
    >>> jit(lambda n: lax.fori_loop(0, n, lambda i, s: s + i, 0))(4)     # not for i in range(n)
    Array(6, dtype=int32, weak_type=True)
    """

    def __init__(self, tracer: Any):
        what = f"The __index__() method was called on {_traced(tracer)}"
        static, is_argument = _static(tracer)
        general = "jnp.asarray(a_list)[x] for a_list[x], lax.fori_loop(0, x, body, init) for range(x)"
        general = f"{static};\n{general}" if is_argument else f"{general};\nor {static}"
        fix = advise(advice.index, general)
        super().__init__(_about(tracer, what, "", fix, "TracerIntegerConversionError"))


class NonConcreteBooleanIndexError(JAXIndexError):
    """A traced mask was used as an index, and the number of elements that it selects is asked for.

    Causes:
      a function that returns `x[mask]`         `jnp.where(mask, x, 0)`, which keeps the shape
      `x[mask].shape`, `len(x[mask])`           `mask.sum()`
      the positions of a mask                   `jnp.nonzero(mask, size=n)`

    What does not need that number works:

    >>> jit(lambda x: (x[x > 1].sum(), x.at[x > 1].set(0.)))(jnp.array([1., 2., 3.]))
    (Array(5., dtype=float32), Array([1., 0., 0.], dtype=float32))

    >>> jit(lambda x: x[x > 0])(jnp.arange(3.))
    Traceback (most recent call last):
    adjoint.errors.NonConcreteBooleanIndexError: Array boolean indices must be concrete; got bool[3]...

    Args:
      tracer: the mask.
      place: where it was used as an index, as `user_code` gives it; default the user's line.
      rank: how many axes more than the mask the array has.
      why: what needs the number.
    """

    def __init__(self, tracer: Any, place: tuple[CodeType, int] | None = None, rank: int = 0, why: str = ""):
        what = f"Array boolean indices must be concrete; got {describe(tracer)}"
        general = (
            "jnp.where(mask, x, 0), or a reduction such as x[mask].sum(); x.at[mask].set(v) to update;\n"
            "jnp.nonzero(mask, size=n) for the first n positions"
        )
        fix = advise(functools.partial(advice.selected, rank=rank), general, place)
        super().__init__(_about(tracer, what, why, fix, "NonConcreteBooleanIndexError", place))


class UnexpectedTracerError(JAXTypeError):
    """A traced value was used after the function that was being traced had returned.

    The message says where it is kept.

    Causes:
      `self.state = x`, `log.append(x)`         return the value
      a global or a closure that is assigned    make it an argument and a result
      a generator or thread that goes on        finish inside of the function

    What a function computes is returned:

    >>> jit(lambda x: (jnp.sin(x), jnp.cos(x)))(0.)              # not saved.append(jnp.cos(x))
    (Array(0., dtype=float32, weak_type=True), Array(1., dtype=float32, weak_type=True))

    `with jax.checking_leaks(): ...` finds where it is stored.

    Args:
      msg: the text, or the traced value, for which a text is made.
    """

    def __init__(self, msg: Any):
        if not isinstance(msg, str):
            what = (
                "Encountered an unexpected tracer. A function transformed by JAX had a side effect, allowing for a "
                f"reference to an intermediate value with type {_type_text(msg)} wrapped in a {type(msg).__name__} "
                "to escape the scope of the transformation."
            )
            kept = leaks.holder(msg, user_frame_above(sys._getframe(1)))
            why = [f"It is kept in {kept}."] if kept else []
            fix = (
                "return the value from the function instead of storing it in a list, an attribute\n"
                "or a global; jax.checking_leaks() finds where it is stored"
            )
            msg = message(what, why="\n".join([*why, *leaks.created(msg)]), fix=fix, page="UnexpectedTracerError")
        super().__init__(msg)


class KeyReuseError(JAXTypeError):
    """A random key was used twice, which would give the same numbers twice.

    It is looked for with the option `jax_debug_key_reuse`; the message names both uses.

    Causes:
      two draws from one key                    `key, subkey = random.split(key)`
      a key that is split and used              use the parts alone
      a loop that closes over its key           the key in the carry, or `random.fold_in(key, i)`
      it is meant                               `random.clone(key)`

    >>> with debug_key_reuse(True):
    ...     key = random.key(0)
    ...     a, b = random.normal(key), random.normal(key)
    Traceback (most recent call last):
    adjoint.errors.KeyReuseError: Previously-consumed key passed to ...
    """

    def __init__(self, message: str):
        super().__init__(message)


class JaxprTypeError(TypeError):
    """A jaxpr is malformed: an unbound variable, or an equation whose types do not fit.

    Causes:
      a jaxpr put together by hand              `core.check_jaxpr(jaxpr)` names the equation
      a primitive with a wrong type rule        the rule and what `impl` returns must agree
      a variable of another jaxpr               pass it as an operand

    >>> x, y = (extend.core.Var(core.ShapedArray((), jnp.float32)) for _ in range(2))
    >>> core.check_jaxpr(extend.core.Jaxpr((), [x], [y], []))
    Traceback (most recent call last):
        ...
    adjoint.errors.JaxprTypeError: Variable 'b' not defined ...
    """


class ShardingTypeError(Exception):
    """An operation over explicit mesh axes whose result's sharding is ambiguous, or is not supported.

    Causes:
      operands divided over different axes      `reshard(x, spec)` before the operation
      a contraction over a divided axis         the argument `out_sharding=`
      an operation without such a rule          `auto_axes` around it, or `AxisType.Auto` for the mesh

    >>> mesh = make_mesh((1,), ("x",), axis_types=(sharding.AxisType.Explicit,))
    >>> with set_mesh(mesh):
    ...     x = device_put(jnp.ones((2, 2)), P(None, "x"))
    ...     try:
    ...         x @ x.T
    ...     except adjoint.errors.ShardingTypeError as error:
    ...         print(str(error).partition(" and ")[0])
    Contracting dimensions are sharded
    """


class JaxRuntimeError(RuntimeError):
    """A compiled program failed while it ran, or something outside of it on which it depends.

    Causes:
      memory is exhausted                       smaller batches, `jax.checkpoint`, `donate_argnums`
      a callback raised an error                its text is part of the message
      another process died                      look at the log of that process

    >>> def fail(x): raise OSError("no such sensor")
    >>> try:
    ...     jit(lambda x: pure_callback(fail, x, x))(1.).block_until_ready()
    ... except adjoint.errors.JaxRuntimeError as error:
    ...     print(type(error).__name__)
    JaxRuntimeError
    """


class InconclusiveDimensionOperation(Exception):
    """A comparison of symbolic sizes has no answer that holds for all sizes.

    Causes:
      `if x.shape[0] > 4:`                      leave the branch out, or export a program for each case
      `max(a, b)` of sizes                      `core.max_dim(a, b)`
      a size that is large in every use         `export.symbolic_shape("a", constraints=["a >= 5"])`

    >>> n, = export.symbolic_shape("n")
    >>> n > 3
    Traceback (most recent call last):
        ...
    adjoint.errors.InconclusiveDimensionOperation: Symbolic dimension comparison 'n' > '3' is inconclusive. ...
    """

    def __init__(self, text: str):
        super().__init__(
            f"{text}\nThis error arises for comparison operations with shapes that\nare non-constant, and the result "
            "of the operation cannot be represented as\na boolean value for all values of the symbolic dimensions "
            "involved.\n\nPlease see https://docs.jax.dev/en/latest/export/shape_poly.html"
            "#comparison-of-symbolic-dimensions-is-partially-supported\nfor more details.\n"
        )


class TypePromotionError(ValueError):
    """The dtypes have no common dtype in the promotion mode that is set.

    Causes:
      `jax_numpy_dtype_promotion="strict"`      `x.astype(y.dtype)` where they differ
      a `float8` or `int4` beside another       `x.astype(jnp.float32)`, which is never implicit

    >>> with numpy_dtype_promotion("strict"):
    ...     jnp.ones(2) + jnp.ones(2, jnp.int32)
    Traceback (most recent call last):
    adjoint.dtypes.TypePromotionError: Input dtypes ('float32', 'int32') have no available implicit dtype promotion...
    """


def _traced(tracer: Any) -> str:
    """Return `traced array with shape float32[3]`, as JAX writes it."""
    return f"traced array with shape {_type_text(tracer)}"


def _type_text(tracer: Any) -> str:
    """`float32[3]`: the type of a traced value, as JAX writes it."""
    aval = getattr(tracer, "aval", tracer)
    shape = ",".join(map(str, getattr(aval, "shape", ())))
    return f"{getattr(aval, 'dtype', '')}[{shape}]"


def _static(tracer: Any) -> tuple[str, bool]:
    """Return how to declare static the argument on which a value depends, and whether the value is the argument."""
    origin = tracer.origin() if hasattr(tracer, "origin") else ""
    found = re.search(r"the function (\S+) at .* for jit\. .* depends on the value of the argument (\w+)\.", origin)
    if found is None:
        return "jit(f, static_argnames=...)", False
    is_argument = any([v is getattr(tracer, "_var", None) for v in getattr(tracer._trace, "invars", ())])
    name = "f" if "<" in found[1] else found[1]
    return f'jit({name}, static_argnames="{found[2]}")', is_argument


def _about(tracer: Any, what: str, why: str, fix: str, page: str, place: tuple[CodeType, int] | None = None) -> str:
    """Return the message about a traced value, at a place or the user's line; where it came from is part of the why."""
    origin = tracer.origin() if hasattr(tracer, "origin") else ""
    why = "\n".join(part for part in (why, origin) if part)
    return message(what, where=locate(*place) if place else True, why=why or None, fix=fix, page=page)


# ---- the error that JAX does not have; it is of the class that JAX raises there ----


class PytreeError(ValueError):
    """Trees, or a tree and its prefix, differ in structure.

    Causes:
      dicts with different keys                 the same keys; `None` for what is absent
      a list for a tuple                        the same containers
      `in_axes` of another structure            one entry for each argument; an `int` stands for all leaves below

    >>> vmap(lambda d: d["a"], in_axes=({"b": 0},))({"a": jnp.ones(3)})
    Traceback (most recent call last):
    adjoint.errors.PytreeError: vmap in_axes specification must be a tree prefix of the corresponding value...
    """


for _error in list(vars().values()):  # users and pickles see the public module
    if isinstance(_error, type) and issubclass(_error, Exception) and _error.__module__ == __name__:
        _error.__module__ = "adjoint.errors"
TypePromotionError.__module__ = "adjoint.dtypes"
