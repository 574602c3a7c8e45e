"""The exception tree and the texts of errors."""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint.errors
from adjoint.core.messages import errors, frames

HERE = os.path.relpath(__file__)


class Aval:
    def __init__(self, shape, dtype="float32"):
        self.shape, self.dtype = shape, np.dtype(dtype)


class Traced:
    """A traced value with a type and an origin."""

    def __init__(self, shape=(3, 4), dtype="float32", origin=""):
        self.aval, self._origin = Aval(shape, dtype), origin

    def origin(self):
        return self._origin


def public(cls):
    """The names of the classes above a class, without private mixins."""
    return [c.__name__ for c in cls.__mro__ if not c.__name__.startswith("_")]


# ---- the tree ----


@pytest.mark.parametrize("name", [n for n in dir(jax.errors) if n[0].isupper()])
def test_tree_is_that_of_jax(name):
    ours = getattr(adjoint.errors, name)
    assert public(getattr(jax.errors, name)) == public(ours)
    assert "adjoint.errors" == ours.__module__


def test_type_promotion_error_is_that_of_jax():
    assert public(jax.dtypes.TypePromotionError) == public(errors.TypePromotionError)
    assert "adjoint.dtypes" == errors.TypePromotionError.__module__


def test_the_error_of_ours_is_caught_as_that_of_jax():
    assert issubclass(adjoint.errors.PytreeError, ValueError)


def test_the_tree_is_drawn_completely():
    """Every class stands in the module's docstring, below its base."""
    lines = errors.__doc__.splitlines()
    depth = {line.split()[0]: len(line) - len(line.lstrip()) for line in lines if line.strip()}
    for name in adjoint.errors.__all__:
        base = getattr(adjoint.errors, name).__mro__[1].__name__
        assert name in depth
        assert depth[name] == (4 if base == "Exception" else depth[base] + 2), name


# ---- the errors of traced values ----

TRACED = [
    ("ConcretizationTypeError", lambda x: float(x), ()),
    ("TracerBoolConversionError", lambda x: 1 if x else 2, ()),
    ("TracerArrayConversionError", lambda x: np.asarray(x), (3, 4)),
    ("TracerIntegerConversionError", lambda x: [1, 2][x.astype("int32")], ()),
    ("NonConcreteBooleanIndexError", lambda x: x[x > 0], (3, 4)),
]


@compiling
@pytest.mark.parametrize("name, mistake, shape", TRACED, ids=[t[0] for t in TRACED])
def test_first_line_is_that_of_jax(name, mistake, shape):
    """Programs and tests match these texts; ours add the line and what to write instead."""
    with pytest.raises(getattr(jax.errors, name)) as theirs:
        jax.jit(mistake)(np.ones(shape, "float32"))
    dtype = {"TracerIntegerConversionError": "int32", "NonConcreteBooleanIndexError": "bool"}
    ours = getattr(errors, name)(Traced(shape, dtype.get(name, "float32")))
    lines = str(ours).splitlines()
    assert str(theirs.value).splitlines()[0] == lines[0]
    assert lines[1].startswith(f"  {HERE}:")
    assert any(line.startswith("  Try: ") for line in lines)
    assert f"  More: adjoint.help({name!r})" == lines[-2]
    assert lines[-1].strip() == str(theirs.value).splitlines()[-1]


def test_context_and_origin_are_the_why():
    tracer = Traced((), origin="It is the argument x of f.")
    text = str(errors.ConcretizationTypeError(tracer, "It arose in jnp.arange."))
    assert "\n  It arose in jnp.arange.\n  It is the argument x of f.\n" in text


def test_origin_is_part_of_the_why():
    error = errors.TracerBoolConversionError(Traced((), origin="It is the argument x of f."))
    assert "\n  It is the argument x of f.\n" in str(error)


def test_unexpected_tracer_takes_a_text_or_a_tracer():
    assert "text" == str(errors.UnexpectedTracerError("text"))
    text = str(errors.UnexpectedTracerError(Traced()))
    assert text.startswith("Encountered an unexpected tracer.")
    assert "float32[3,4]" in text and "jax.checking_leaks()" in text


def test_plain_errors_keep_their_text():
    for cls in (errors.JAXTypeError, errors.KeyReuseError, errors.JaxprTypeError):
        assert "text" == str(cls("text"))
        assert "text" == str(pickle.loads(pickle.dumps(cls("text"))))


# ---- the message ----


def test_message_has_the_parts_in_order():
    frame = frames.UserFrame("nowhere.py", 31, "loss")
    text = errors.message(
        "matmul needs matching inner axes.", where=frame, why="4 is not 3\nat all.",
        fix="x @ w.T\nor einsum", page="PytreeError",
    )  # fmt: skip
    expected = """\
matmul needs matching inner axes.
  nowhere.py:31 in loss
  4 is not 3
  at all.
  Try: x @ w.T
       or einsum
  More: adjoint.help('PytreeError')"""
    assert expected == text
    assert "what" == errors.message("what", where=None)


def test_message_points_at_the_expression():
    """The line of the call, with carets under the expression."""

    def user():
        value = [errors.message("what.")]
        return value[0]

    first, where, carets = user().splitlines()
    assert "what." == first
    place, source = where.split(":   ")
    assert 'value = [errors.message("what.")]' == source
    assert f"  {HERE}:{user.__code__.co_firstlineno + 1} in user" == place
    marked = "".join(c for c, mark in zip(where.ljust(len(carets)), carets) if mark == "^")
    assert 'errors.message("what.")' == marked


def test_carets_are_right_after_wide_characters():
    """Columns of code objects count bytes; carets count characters."""
    text = ["größe", errors.message("what.")][1]
    where, carets = text.splitlines()[1:]
    marked = "".join(c for c, mark in zip(where, carets) if mark == "^")
    assert 'errors.message("what.")' == marked


def test_no_carets_under_a_whole_line():
    def inner():
        seen.append(errors.message("what.", where=sys._getframe(1)))

    seen = []
    inner()
    assert ["what.", ":   inner()"] == [seen[0][:5], seen[0][-11:]]


def test_a_frame_may_be_given():
    frame = sys._getframe()
    assert f"{HERE}:" in errors.message("what.", where=frame)


def test_source_that_cannot_be_read():
    text = eval(compile("errors.message('what.')", "<made up>", "eval"))
    assert "what.\n  <made up>:1 in <module>" == text


@pytest.mark.parametrize("module", [np.lib, contextlib, errors])
def test_frames_between_the_user_and_us_are_skipped(module):
    """A function of NumPy, contextlib or ourselves that calls us is not the user's place."""
    scope = {}
    exec(compile("def call(fun): return fun()", module.__file__, "exec"), scope)
    frame = scope["call"](frames.user_frame)
    assert 'frame = scope["call"](frames.user_frame)' == frame.source


def test_excluded_paths():
    """A library's own frames can be hidden."""
    folder = os.path.dirname(__file__)
    frames.exclude_path(folder)
    try:
        assert frames.is_internal(__file__)
        frame = frames.user_frame()
        assert frame is None or frame.file != __file__
    finally:
        frames._excluded.remove(folder)
        frames._internal.clear()
    assert __file__ == frames.user_frame().file


def test_user_code_is_located_later():
    code = frames.user_code()
    frame = frames.locate(*code)
    assert "code = frames.user_code()" == frame.source
    assert "test_user_code_is_located_later" == frame.function


def test_warning_points_at_the_user():
    with pytest.warns(UserWarning, match="careful") as caught:
        errors.warn("careful")
    assert __file__ == caught[0].filename
    with warnings.catch_warnings(), pytest.raises(DeprecationWarning):
        warnings.simplefilter("error")
        errors.warn("old", DeprecationWarning)


# ---- values and names in texts ----


def test_describe():
    assert "f32[3,4]" == errors.describe(np.zeros((3, 4), "float32"))
    assert "bf16[2]" == errors.describe(Traced((2,), "bfloat16"))
    assert "i32[]" == errors.describe(Aval((), "int32"))
    assert "f64[]" == errors.describe(np.float64(1))
    assert "int 3" == errors.describe(3)
    assert "bool True" == errors.describe(True)
    assert "NoneType" == errors.describe(None)
    assert "list" == errors.describe([1])


def test_shorten():
    assert "'abc'" == errors.shorten("abc")
    assert 60 == len(errors.shorten("x" * 100))
    assert "[1, 2]" == errors.shorten(np.array([[1], [2]]).ravel().tolist())
    assert "\n" not in errors.shorten(np.eye(2))

    class Broken:
        def __repr__(self):
            raise KeyError

    assert "<Broken whose repr raises KeyError>" == errors.shorten(Broken())


def test_closest():
    names = ["reshape", "resize", "transpose", "ARRAY"]
    assert "reshape" == errors.closest("rehsape", names)
    assert "ARRAY" == errors.closest("array", names)
    assert errors.closest("xyz", names) is None
    assert " Did you mean 'transpose'?" == errors.did_you_mean("tranpose", names)
    assert "" == errors.did_you_mean("xyz", names)


def test_core_imports_little():
    """core's leaf modules bring in NumPy, ml_dtypes and the standard library only."""
    code = (
        "import sys, adjoint.core.dtypes as d; "
        "print(*{'jax', 'jaxlib', 'scipy', 'llvmlite', 'absl', 'difflib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "" == done.stdout.strip()


def test_a_text_without_a_place_gets_the_users_line():
    with pytest.raises(ValueError) as caught:
        adjoint.numpy.split(adjoint.numpy.arange(3), 2)
    lines = str(caught.value).splitlines()
    assert lines[0] == "array split does not result in an equal division: rest is 1"
    assert lines[1].startswith(f"  {HERE}:") and lines[1].endswith("adjoint.numpy.split(adjoint.numpy.arange(3), 2)")
    assert lines[-1].startswith("  Try: ")


def test_the_users_own_errors_stay_as_they_are():
    def body(x):
        raise ValueError("mine")

    for transform in (adjoint.jit, adjoint.grad, adjoint.vmap):
        with pytest.raises(ValueError) as caught:
            transform(body)(adjoint.numpy.ones(2))
        assert str(caught.value) == "mine"


def test_the_place_is_the_innermost_line_of_the_user():
    def inside(x):
        return adjoint.numpy.split(x, 2)

    with pytest.raises(ValueError, match="in inside:   return adjoint"):
        adjoint.jit(inside)(adjoint.numpy.arange(3))
