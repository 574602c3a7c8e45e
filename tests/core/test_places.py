"""Messages name the user's own line: of a loop in the backward pass, of a rule's function, of what is None."""

from __future__ import annotations

import sys
import traceback
from types import SimpleNamespace

import pytest
from tests.modes import compiling

import adjoint as jax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.core.messages.frames import UserFrame


def refused(run, kind):
    with pytest.raises(kind) as info:
        run()
    return info.value


@compiling
def test_reverse_mode_of_a_loop_names_the_loop():
    def loss(x):
        return lax.while_loop(lambda c: c < 10, lambda c: c * 2, x)

    for f in (jax.grad(loss), jax.jit(jax.grad(jax.jit(loss)))):
        error = refused(lambda f=f: f(1.0), ValueError)
        assert "in loss:   return lax.while_loop(" in str(error)


def twice(bwd):
    @jax.custom_vjp
    def f(x):
        return x * 2

    f.defvjp(lambda x: (f(x), None), bwd)

    def loss(x):
        return jnp.sin(f(x))

    return jax.grad(loss)


@pytest.mark.parametrize("bwd, kind", [(lambda _, g: (g, g), TypeError), (lambda _, g: (jnp.ones(3),), ValueError)])
def test_results_of_a_rule_that_do_not_fit_name_the_call_of_its_function(bwd, kind):
    assert "return jnp.sin(f(x))" in str(refused(lambda: twice(bwd)(1.0), kind))


def test_an_error_inside_of_a_rule_has_a_note_with_the_call_of_its_function():
    error = refused(lambda: twice(lambda _, g: (jnp.ones(3) @ jnp.ones(4),))(1.0), TypeError)
    assert "in <lambda>:   error = refused" in str(error)
    note = error.__notes__[-1]
    assert note.startswith("  In the backward pass of f, which is called at ")
    assert note.endswith("return jnp.sin(f(x))")


def test_a_name_that_a_format_does_not_get_is_told():
    error = refused(lambda: jax.jit(lambda x: jax.debug.print("{loss}", los=x))(1.0), KeyError)
    assert str(error) == "'loss'"
    assert "The arguments by name are los." in error.__notes__[0] and "Try: {los} in the format" in error.__notes__[0]


def test_none_as_an_operand_is_told():
    x, scale = jnp.ones(3), None
    for run in (lambda: x * scale + 1, lambda: jax.jit(lambda y: y * scale + 1)(x)):
        assert "is None else" in str(refused(run, TypeError))
    assert "for +: 'NoneType' and 'Array'" in str(refused(lambda: None + x, TypeError))
    assert (x == scale) is False


def test_an_update_in_place_is_written_as_it_works():
    x = jnp.ones(3)

    def update():
        x.at[1] += 5

    def power():
        x.at[:2] **= x[:2]

    assert str(refused(update, TypeError)).startswith("unsupported operand type(s) for +=: '_IndexUpdateRef' and 'int'")
    assert "Try: x = x.at[1].add(5)" in str(refused(update, TypeError))
    assert "Try: x = x.at[:2].power(x[:2])" in str(refused(power, TypeError))


def test_matrices_that_fit_transposed_are_told_in_the_users_names():
    x, wide, tall = jnp.ones((2, 3)), jnp.ones((5, 3)), jnp.ones((2, 4))
    assert "jnp.tanh(x @ wide.mT)" in str(refused(lambda: jnp.tanh(x @ wide), TypeError))
    assert "jnp.tanh(x.mT @ tall)" in str(refused(lambda: jnp.tanh(x @ tall), TypeError))
    assert "\n  Try:" not in str(refused(lambda: x @ jnp.ones((7, 8)), TypeError))


def test_a_place_in_a_notebook_is_named_as_there(monkeypatch):
    names = lambda file: ("Cell", "In[3]") if "ipykernel" in file else None
    shell = SimpleNamespace(compile=SimpleNamespace(format_code_name=names))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert str(UserFrame("/tmp/ipykernel_7/42.py", 4, "f")) == "Cell In[3], line 4 in f"
    assert str(UserFrame("/elsewhere/model.py", 4, "f")) == "/elsewhere/model.py:4 in f"


def test_an_interrupt_shows_the_users_frames():
    def stop(x):
        raise KeyboardInterrupt

    error = refused(lambda: jax.jit(stop)(1.0), KeyboardInterrupt)
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    assert files == [__file__] * len(files) and len(files) == 3
