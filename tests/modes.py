"""The tests in JAX's strict modes, for adjoint and for the oracle alike: `make test-modes`.

A mode is a variable of the environment, such as `JAX_NUMPY_RANK_PROMOTION=raise`. Library code must not notice it, but
many a program of a test is against it. So where adjoint raises an error of the mode, real JAX has the last word: the
expression of the test that was running is evaluated once more, with JAX's modules and arrays for ours. If JAX refuses
it too, that test says nothing in this mode and is skipped. If not, adjoint is wrong, and the test fails.

A test that asks JAX itself may fail otherwise, as where the message of another mistake was expected. It is run once
more and watched: if JAX raises errors of the mode in it, and adjoint no more of them, it says nothing either.

With 64 bits many a test finds other numbers than it was written for. One whose own assertion fails, and holds with 32
bits, says nothing; an error that adjoint raises is an error.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import numpy as np
import pytest
from tests.in_place import fails_alike
from tests.recorded import jax
from tests.recorded.session import HOME
from tests.recorded.values import StandIn

import adjoint
from adjoint.core.dtypes import TypePromotionError
from adjoint.core.trace import Tracer

__all__ = [
    "ACTIVE", "PLAIN", "compiling", "counterparts", "excuse", "leaking", "promoting", "refused", "refused_expression",
    "some", "standard", "unchecked",
]

VARIABLES = (
    "JAX_NUMPY_RANK_PROMOTION", "JAX_NUMPY_DTYPE_PROMOTION", "JAX_DEBUG_NANS", "JAX_DISABLE_JIT",
    "JAX_CHECK_TRACER_LEAKS",
)
ACTIVE = [name for name in VARIABLES if name in os.environ]
STRICT = "JAX_NUMPY_DTYPE_PROMOTION" in ACTIVE
WIDE = bool(ACTIVE) and os.environ.get("JAX_ENABLE_X64") == "1"
_TESTS, _OURS = (str(Path(file).parent) for file in (__file__, adjoint.__file__))
_JAX = str(Path(getattr(find_spec("jax"), "origin", "/nowhere/jax")).parent)     # where it may not be installed


# What processes without a mode are given.
PLAIN = {k: v for k, v in os.environ.items() if k not in VARIABLES and not (WIDE and k == "JAX_ENABLE_X64")}
standard = pytest.mark.skipif(bool(ACTIVE), reason="it is about what holds without a mode")
promoting = pytest.mark.skipif(any("PROMOTION" in name for name in ACTIVE), reason="its own operands are promoted")
compiling = pytest.mark.skipif("JAX_DISABLE_JIT" in ACTIVE, reason="it is about what jit does")
own_code = pytest.mark.skipif(os.environ.get("ADJOINT_CPU_ENGINE") == "xla", reason="XLA computes otherwise")
leaking = pytest.mark.skipif("JAX_CHECK_TRACER_LEAKS" in ACTIVE, reason="it keeps a traced value itself")
unchecked = pytest.mark.skipif("JAX_DEBUG_NANS" in ACTIVE, reason="JAX answers otherwise while it looks for NaN")


def some(values, mark, *names) -> list:
    """The values of a parameter, with a mark for some of them."""
    return [pytest.param(value, marks=mark) if value in names else value for value in values]


def _is_of_the_mode(error: BaseException) -> bool:
    """Whether it is one of the errors that a mode adds."""
    promotion = isinstance(error, TypePromotionError) or type(error).__name__ == "TypePromotionError"
    if STRICT:  # where JAX itself does not convert what it gives to an operation
        promotion = promotion or "requires arguments to have the same dtypes" in str(error)
    leak = isinstance(error, Exception) and str(error).startswith("Leaked trace ")
    return promotion or leak or isinstance(error, FloatingPointError) or "rank_promotion" in str(error)


def refused(program, *args) -> bool:
    """Whether JAX refuses a program of a module and arguments in the mode of this run.

    Raises:
      AssertionError: adjoint refuses what JAX does not.
    """
    if not ACTIVE:
        return False
    errors = []
    for m in (jax, import_module("adjoint")):   # which may be JAX (tests/in_place.py)
        try:
            m.eval_shape(partial(program, m), *args)
        except Exception as error:
            errors.append(error if _is_of_the_mode(error) else None)
        else:
            errors.append(None)
    theirs, ours = errors
    assert theirs or not ours, f"JAX refuses nothing, adjoint: {ours!r:.200}"
    return theirs is not None


def excuse(error: BaseException, item: pytest.Function, again: Callable[[], object]) -> str | None:
    """Why a test that failed says nothing in the mode of this run, or None; `again` runs it once more."""
    if not ACTIVE:
        return None
    with jax.check_tracer_leaks("JAX_CHECK_TRACER_LEAKS" in ACTIVE):  # tests/conftest.py switches it off
        return _excuse(error, item, again)


def _excuse(error: BaseException, item: pytest.Function, again: Callable[[], object]) -> str | None:
    if fails_alike(error, item):
        return "with JAX in our place it fails alike in this mode"
    text = refused_expression(error)
    if text is not None:
        return f"JAX refuses it too in this mode: {text}"
    theirs, ours = _watched(again)
    if len(ours) <= len(theirs) > 0:
        return f"JAX refuses a program of it in this mode: {theirs[0]}"
    asserted = isinstance(error, (AssertionError, pytest.fail.Exception))
    narrow = WIDE and asserted and not _asks_jax(item.function) and _holds_in_32_bits(again)
    return "it is about numbers of 32 bits" if narrow else None


def _asks_jax(function: FunctionType) -> bool:
    """Whether a test names JAX, or calls a function of the tests that does."""
    waiting, met = [function], set()
    while waiting:
        value = waiting.pop()
        if id(value) in met:
            continue
        met.add(id(value))
        if isinstance(value, StandIn):
            return True
        home = value.__name__ if isinstance(value, ModuleType) else str(getattr(value, "__module__", ""))
        if home.split(".")[0] == "jax":
            return True
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, (list, tuple)):
            waiting += value
        elif isinstance(value, partial):
            waiting += [value.func, value.args, value.keywords]
        elif isinstance(value, ModuleType) and home.split(".")[0] == "tests":
            waiting.append(vars(value))
        elif isinstance(value, FunctionType) and home.split(".")[0] in ("tests", "__main__"):
            cells = [cell.cell_contents for cell in value.__closure__ or ()]
            codes = [value.__code__]
            for code in codes:
                codes += [c for c in code.co_consts if isinstance(c, CodeType)]
            names = {name for code in codes for name in code.co_names}
            waiting += [value.__globals__[n] for n in names if n in value.__globals__] + cells
    return False


def _holds_in_32_bits(again) -> bool:
    with jax.enable_x64(False), adjoint.enable_x64(False):
        try:
            again()
        except (Exception, pytest.fail.Exception):
            return False
    return True


def _watched(run) -> tuple[list, list]:
    """The errors of the mode that a test meets in JAX and in adjoint, caught there or not."""
    met = {_JAX: {}, _OURS: {}}

    def exceptions(frame, event, arg):
        if event == "exception" and isinstance(arg[1], Exception) and _is_of_the_mode(arg[1]):
            home = _JAX if frame.f_code.co_filename.startswith(_JAX) else _OURS
            met[home][id(arg[1])] = arg[1]      # which keeps it, so that no other has its id
        return exceptions

    def calls(frame, event, arg):
        if not frame.f_code.co_filename.startswith((_JAX, _OURS)):
            return None
        frame.f_trace_lines = False
        return exceptions

    before = sys.gettrace()
    sys.settrace(calls)
    try:
        run()
    except (Exception, pytest.fail.Exception):  # it failed before
        pass
    finally:
        sys.settrace(before)
    return tuple(list(errors.values()) for errors in met.values())


def refused_expression(error: BaseException) -> str | None:
    """The expression of a test that raised an error of the mode, if JAX refuses it too."""
    asserted = isinstance(error, (AssertionError, pytest.fail.Exception))
    if not ACTIVE or not (_is_of_the_mode(error) or WIDE and not asserted):
        return None
    rows = [error.__traceback__]
    while rows[-1].tb_next is not None:
        rows.append(rows[-1].tb_next)
    files = [row.tb_frame.f_code.co_filename for row in rows]
    last = max([i for i, file in enumerate(files) if file.startswith((_TESTS, "<"))
                and not file.startswith(str(HOME))])
    text = _source(rows[last].tb_frame.f_code, rows[last].tb_lasti)
    if text is None or files[-1].startswith(_JAX):
        return text
    names = {**rows[last].tb_frame.f_globals, **rows[last].tb_frame.f_locals}
    try:
        eval(text, counterparts(text, names))
    except Exception as theirs:
        return text if _is_of_the_mode(theirs) or type(theirs).__name__ == type(error).__name__ else None
    return None


def _source(code: CodeType, instruction: int) -> str | None:
    """The text of the expression that an instruction belongs to; of what was compiled from a text, all of it."""
    if code.co_filename.startswith("<") and not code.co_filename.startswith("<doctest"):
        return code.co_filename[1:-1]
    start, end, column, last = list(code.co_positions())[instruction // 2]
    if None in (start, end, column, last):
        return None
    lines = [linecache.getline(code.co_filename, i).encode() for i in range(start, end + 1)]
    lines[-1] = lines[-1][:last]
    lines[0] = lines[0][column:]
    text = b"".join(lines).decode()
    try:
        ast.parse(f"({text})", mode="eval")
    except SyntaxError:  # a statement
        return None
    return f"({text})"


def counterparts(program: str, names: dict) -> dict:
    """What JAX has in place of the values that a program reads, by name."""
    used = {node.id for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Name)}
    return {name: _counterpart(names[name]) for name in used if name in names}


def _counterpart(value):
    """What JAX has in place of a value of ours; of what is traced, zeros of its type."""
    if isinstance(value, ModuleType):
        name = value.__name__
        ours = name.split(".")[0] == "adjoint"
        return import_module("jax" + name.removeprefix("adjoint").removeprefix(".core")) if ours else value
    if isinstance(value, adjoint.Array):
        if adjoint.numpy.issubdtype(value.dtype, adjoint.dtypes.prng_key):
            impl, data = str(adjoint.random.key_impl(value)), _counterpart(adjoint.random.key_data(value))
            return jax.random.wrap_key_data(data, impl=impl)
        return jax.numpy.asarray(np.zeros(value.shape, value.dtype) if isinstance(value, Tracer) else np.asarray(value))
    if type(value) in (list, tuple):
        return type(value)(map(_counterpart, value))
    if type(value) is dict:
        return {k: _counterpart(v) for k, v in value.items()}
    name = getattr(value, "__name__", None)
    for home, module in list(sys.modules.items()) if name else []:
        if home.split(".")[0] == "adjoint" and vars(module).get(name) is value:
            try:
                return getattr(import_module("jax" + home.removeprefix("adjoint")), name)
            except (ImportError, AttributeError):  # a module of ours
                continue
    return value
