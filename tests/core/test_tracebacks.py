"""The tracebacks of errors, printed or caught: only the user's frames, in every mode of JAX's option."""

from __future__ import annotations

import dataclasses
import pathlib
import subprocess
import sys
import traceback
from functools import partial

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.core.messages import tracebacks
from adjoint.flatten_util import ravel_pytree

PROGRAM = """
import adjoint as jax, adjoint.numpy as jnp
def layer(w, x):
    return {}
def loss(w):
    return layer(w, jnp.ones(5)).sum()
jax.jit(jax.grad(loss))(jnp.ones((3, 4)))
"""

# As JAX 0.10.2 writes it.
NOTE = (
    "--------------------\nFor simplicity, JAX has removed its internal frames from the traceback of the following "
    "exception. Set JAX_TRACEBACK_FILTERING=off to include these."
)
PACKAGE = str(pathlib.Path(ax.__file__).parent)
THREE = np.ones(3, "float32")


def add(x):
    return x + jnp.ones(5)


def thrown(function, *args, **kwargs) -> Exception:
    """The error that a call raises."""
    try:
        function(*args, **kwargs)
    except Exception as error:
        return error
    raise AssertionError("no error")


def functions(error) -> list[str]:
    """The functions of a traceback, of this file and of others by their path."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    return [f.name if f.filename == __file__ else f.filename for f in frames]


@ax.custom_jvp
def with_rule(x):
    return add(x)


with_rule.defjvp(lambda primals, tangents: (primals[0], tangents[0]))

THROUGH_USER_CODE = {
    "jit": ax.jit(add),
    "grad": ax.grad(add),
    "value_and_grad": ax.value_and_grad(add),
    "vmap": lambda x: ax.vmap(add)(x[None]),
    "jvp": lambda x: ax.jvp(add, (x,), (x,)),
    "linearize": lambda x: ax.linearize(add, x),
    "vjp": lambda x: ax.vjp(add, x),
    "jacfwd": ax.jacfwd(add),
    "hessian": ax.hessian(add),
    "checkpoint": ax.checkpoint(add),
    "custom_jvp": with_rule,
    "custom_gradient": ax.custom_gradient(add),
    "make_jaxpr": ax.make_jaxpr(add),
    "eval_shape": lambda x: ax.eval_shape(add, x),
    "lower": lambda x: ax.jit(add).lower(x),
    "scan": lambda x: lax.scan(lambda c, _: (add(c), None), x, None, 2),
    "while": lambda x: lax.while_loop(lambda x: True, add, x),
    "cond": lambda x: lax.cond(True, add, add, x),
    "map": lambda x: lax.map(add, x[None]),
    "pmap": lambda x: ax.pmap(add)(x[None]),
    "tree_map": lambda x: ax.tree.map(add, [jnp.asarray(x)]),
    "nested": ax.jit(lambda x: ax.vmap(ax.grad(add))(x[None])),
}


@pytest.mark.parametrize("name", THROUGH_USER_CODE)
def test_an_error_that_is_caught_has_the_frames_of_the_user(name):
    error = thrown(THROUGH_USER_CODE[name], jnp.asarray(THREE))
    inside = [f for f in functions(error) if f != "<lambda>"]
    assert inside[-1] == "add" and set(inside) <= {"add", "with_rule"}
    assert "JAX_TRACEBACK_FILTERING=off" in error.__notes__[-1] and len(error.__notes__) == 1


array = jnp.asarray(THREE)
DELETED = jnp.ones(3)
DELETED.delete()
DIRECT = {
    "operator": lambda: array + jnp.ones(4),
    "method": lambda: array.reshape(2, 2),
    "index": lambda: array["a"],
    "update": lambda: array.at[0].set(jnp.ones(4)),
    "truth": lambda: bool(array),
    "function": lambda: jnp.concatenate([array, jnp.ones((2, 2))]),
    "ufunc": lambda: jnp.add(array, "a"),
    "ufunc method": lambda: jnp.add.reduce(array, axis=3),
    "function that is a call in programs": lambda: jnp.tril("a"),
    "option": lambda: ax.config.update("no_such_option", 1),
    "name": lambda: jnp.no_such_function,
    "vector to tree": lambda: ravel_pytree({"a": array})[1](jnp.ones(5)),
    "deleted": lambda: DELETED + 1,
    "lax": lambda: lax.dot(array, jnp.ones(4)),
    "primitive": lambda: lax.add_p.bind(array, jnp.ones(4)),
    "random": lambda: ax.random.normal(3),
    "nn": lambda: ax.nn.softmax("a"),
    "linalg": lambda: jnp.linalg.norm("a"),
    "scipy": lambda: ax.scipy.special.gammaln("a"),
    "tree": lambda: ax.tree.map(lambda a, b: a, [1], [1, 2]),
    "debug": lambda: ax.debug.print("{x}"),
    "pullback": lambda: ax.vjp(jnp.sin, array)[1](jnp.ones(4)),
    "linearized": lambda: ax.linearize(jnp.sin, array)[1](jnp.ones(4)),
    "compiled": lambda: ax.jit(jnp.sin).lower(array).compile()(jnp.ones(4)),
    "arguments": lambda: ax.jit(jnp.sin, static_argnames="z"),
    "numpy between": lambda: np.mean(array, axis=3),
}


@pytest.mark.parametrize("name", DIRECT)
def test_an_error_of_a_function_has_no_frame_of_the_library(name):
    error = thrown(DIRECT[name])
    assert not any(f.startswith(PACKAGE) for f in functions(error))
    shown = "".join(traceback.format_exception(error))
    assert PACKAGE not in shown and "During handling" not in shown


def test_the_traceback_of_an_error_of_the_user_starts_where_it_was_raised():
    def f(x):
        return {}["missing"]

    error = thrown(ax.jit(ax.grad(f)), 1.0)
    assert functions(error) == ["f"] and repr(error) == "KeyError('missing')"


def test_frames_of_numpy_stay_where_numpy_raises():
    error = thrown(ax.jit(lambda x: np.linalg.solve(np.ones((2, 3)), x)), THREE)
    assert functions(error)[0] == "<lambda>" and functions(error)[-1].endswith("_linalg.py")


def test_an_error_that_the_user_handles_stays_in_the_chain():
    def f(x):
        try:
            add(x)
        except TypeError as error:
            raise ValueError("my own") from error

    error = thrown(ax.jit(f), THREE)
    assert functions(error) == ["f"]
    assert [f.name for f in traceback.extract_tb(error.__cause__.__traceback__)] == ["f", "add"]


def modes(mode):
    """The error of `add` under `jit` in a mode."""
    before = ax.config.jax_traceback_filtering
    ax.config.update("jax_traceback_filtering", mode)
    try:
        return thrown(ax.jit(lambda x: ax.vmap(add)(x[None])), THREE)
    finally:
        ax.config.update("jax_traceback_filtering", before)


@pytest.mark.parametrize("mode", ["auto", "quiet_remove_frames"])
def test_frames_are_removed_and_told_in_one_note(mode):
    error = modes(mode)
    assert functions(error) == ["<lambda>", "add"]
    assert error.__notes__ == [NOTE]


def test_the_whole_traceback_can_become_the_cause():
    error, whole = modes("remove_frames"), modes("off")
    assert functions(error) == ["<lambda>", "add"] and not hasattr(error, "__notes__")
    assert isinstance(error.__cause__, tracebacks.UnfilteredStackTrace)
    # The outermost frame is that of the caller, which the cause has not passed.
    assert [f.name for f in traceback.extract_tb(error.__cause__.__traceback__)] == [
        f.name for f in traceback.extract_tb(whole.__traceback__)
    ][1:]
    assert "The preceding is the original exception that occurred, unmodified." in str(error.__cause__)


def test_frames_can_be_marked_for_tools_that_hide_them():
    error = modes("tracebackhide")
    assert len(functions(error)) == len(functions(modes("off")))
    marked = {True: set(), False: set()}
    t = error.__traceback__
    while t is not None:
        marked["__tracebackhide__" in t.tb_frame.f_locals].add(t.tb_frame.f_code.co_filename == __file__)
        t = t.tb_next
    assert marked == {True: {False}, False: {True}}


# ---- what programs print -------------------------------------------------------------------------


def printed(tmp_path, expression, **environment):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(expression))
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env={**environment})
    assert done.returncode == 1
    return done.stderr


def test_a_script_prints_the_frames_of_the_user(tmp_path):
    text = printed(tmp_path, "jax.lax.scan(lambda c, _: (c @ x, 0), w, None, 3)[0]")
    files = {line.split('"')[1] for line in text.splitlines() if line.startswith("  File ")}
    assert files == {str(tmp_path / "program.py")}
    assert "Traceback (most recent call last)" in text and text.count(NOTE) == 1
    assert "During handling" not in text


def test_frames_that_start_a_program_are_gone_without_a_word(tmp_path):
    """`python -m adjoint` runs programs whose errors may have nothing to do with the library."""
    path = tmp_path / "program.py"
    path.write_text("import jax\n{}['a' if jax else 'b']\n")
    done = subprocess.run([sys.executable, "-m", "adjoint", str(path)], capture_output=True, text=True)
    assert done.stderr.count("  File ") == 1 and done.stderr.rstrip().endswith("KeyError: 'a'")


def test_a_script_can_print_all_frames(tmp_path):
    text = printed(tmp_path, "jnp.dot(w, x)", JAX_TRACEBACK_FILTERING="off")
    assert "transforms/jit/jit.py" in text and "not shown" not in text


@pytest.mark.parametrize("mode", ["auto", "tracebackhide"])
def test_pytest_shows_the_frames_of_the_user(mode):
    report = str(pytest.ExceptionInfo.from_exception(modes(mode)).getrepr())
    assert "return x + jnp.ones(5)" in report and "TypeError" in report
    assert PACKAGE not in report and "transforms/" not in report and "KeyError" not in report


def test_notebooks_show_the_frames_of_the_user(capsys):
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell(colors="nocolor")
    shell.run_cell("import adjoint as jax, adjoint.numpy as jnp\ndef f(x):\n    return x + jnp.ones(5)")
    shell.run_cell("jax.jit(jax.grad(f))(jnp.ones(3))")
    text = capsys.readouterr().out
    assert "TypeError" in text and "in f(x)" in text and PACKAGE not in text


def test_code_that_is_run_as_notebooks_run_it_has_no_frame_of_the_library():
    names = {"jnp": jnp, "jit": ax.jit}
    cell = compile("jit(lambda x: x + jnp.ones(5))(jnp.ones(3))", "<ipython-input-1>", "exec")
    error = thrown(partial(exec, cell, names))
    assert functions(error) == ["<ipython-input-1>"] * 2


def entered(scope):
    with scope():
        pass


SCOPES = {
    "named_scope": lambda: ax.named_scope(3),
    "option": lambda: ax.default_matmul_precision("bogus"),
    "device": lambda: ax.default_device("nowhere"),
    "promotion": lambda: ax.numpy_dtype_promotion("lax"),
    "trace": lambda: ax.profiler.trace(3),
}


@pytest.mark.parametrize("name", SCOPES)
def test_context_managers_leave_no_frames(name):
    """Errors of entering one, or of making it, show the user's line alone."""
    shown = functions(thrown(entered, SCOPES[name]))
    assert shown in (["entered"], ["entered", "<lambda>"]), shown


def test_scopes_are_context_managers_and_decorators():
    """Each call of a decorated function has a scope of its own; what is raised inside goes through."""
    seen = lambda x: str(ax.make_jaxpr(named)(x).pretty_print(name_stack=True)).count("[a/a/a]")

    @ax.named_scope("a")
    def named(x, n=2):
        return named(x, n - 1) if n else x * 2

    assert 1 == seen(1.0) and "named_scope" == ax.named_scope.__name__
    with pytest.raises(KeyError, match="mine"), ax.named_scope("b"):
        raise KeyError("mine")


def test_methods_that_dataclasses_write_are_of_the_file_of_their_class():
    """Those of this package are hidden, and those of the user shown; what an error names is a line with a text."""
    from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks

    @dataclasses.dataclass
    class Sum:
        x: np.ndarray

        def __post_init__(self):
            self.y = add(self.x)

    @dataclasses.dataclass
    class Uneven:
        shapes: tuple = ((4, 4), (8, 8))

        def __post_init__(self):
            masks.MultiHeadMask([masks.CausalMask(s) for s in self.shapes])

    error = thrown(masks.MultiHeadMask, [masks.CausalMask((4, 4)), masks.CausalMask((8, 8))])
    assert [] == functions(error) and "in thrown:   function(*args" in str(error)
    assert ["<string>", "__post_init__", "add"] == functions(thrown(Sum, THREE))
    assert ["<string>", "__post_init__"] == functions(error := thrown(Uneven))
    assert "in Uneven.__post_init__:   masks.Multi" in str(error)
