"""Checkpointed functions have the derivatives, residuals and effects that JAX gives them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.ad_checkpoint
import adjoint.numpy

ROW = np.array([0.3, -0.7, 1.2], np.float32)


def both(program):
    return [program(m, m.numpy) for m in (adjoint, jax)]


def clipped(m, np_):
    """A function whose reverse rule is not its derivative."""
    f = m.custom_vjp(lambda x: np_.sin(x) * x)
    f.defvjp(lambda x: (np_.sin(x) * x, np_.cos(x)), lambda c, ct: (1.5 * ct * c,))
    return f


@pytest.mark.parametrize("order", ["reverse", "forward"])
def test_second_derivatives_are_those_of_the_rules(order):
    def program(m, np_):
        f = clipped(m, np_)
        square = lambda f: m.grad(lambda x: (f(x) ** 2).sum())
        first = square(m.checkpoint(lambda x: f(x) * x))
        return square(first)(ROW) if order == "reverse" else m.jvp(first, (ROW,), (ROW,))[1]

    ours, theirs = both(program)
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def test_a_rule_that_calls_its_function_on_tangents_is_transposed():
    def program(m, np_):
        f = m.custom_jvp(lambda x, y: x**3 * y)
        f.defjvp(lambda p, t: (f(*p), 3 * p[0] ** 2 * p[1] * t[0] + 1.1 * f(p[0], t[1])))
        return m.grad(lambda x: f(np_.sin(x), x).sum())(ROW)

    ours, theirs = both(program)
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_a_checkpointed_function_is_traced_once_for_each_type():
    times = []
    f = adjoint.checkpoint(lambda x: (times.append(1), adjoint.numpy.sin(x))[1])
    np.testing.assert_allclose([adjoint.grad(f)(x) for x in (0.5, 1.5)], np.cos([0.5, 1.5]), rtol=1e-6)
    np.testing.assert_allclose(adjoint.vmap(adjoint.grad(f))(ROW), np.cos(ROW), rtol=1e-6)
    assert 2 == len(times)  # weak and strong types


@pytest.mark.parametrize("name", ["everything_saveable", "dots_saveable", "nothing_saveable"])
def test_residuals_are_those_of_the_derivative(name, capsys):
    def program(m, np_):
        f = lambda x, w: np_.sin(w @ np_.sin(w @ x))
        f = m.checkpoint(f, policy=getattr(m.checkpoint_policies, name))
        m.ad_checkpoint.print_saved_residuals(f, ROW, np.ones((3, 3), np.float32))
        return re.sub(r" from (\S+test_remat.*)?$", "", capsys.readouterr().out, flags=re.MULTILINE)

    ours, theirs = both(program)
    assert theirs == ours


def test_policies_print_and_compare_as_values():
    ours, theirs = both(lambda m, _: repr(m.checkpoint_policies.save_only_these_names("a")))
    assert theirs == ours
    policies = adjoint.checkpoint_policies
    assert policies.save_any_names_but_these("a") == policies.save_any_names_but_these("a")
    assert "DotsSaveable(only_if_no_batch_dims=True)" == repr(policies.checkpoint_dots_with_no_batch_dims)


def test_what_a_loop_prints_of_constants_is_printed_once_under_grad(capfd):
    def program(m, np_):
        def turn(y, c, v):
            m.debug.print("constant {}", y > 0)
            m.debug.print("carry {}", c)
            return c * v * y, None

        m.grad(lambda y: m.lax.scan(lambda c, v: turn(y, c, v), 1.0, np.arange(1, 4, dtype="f"))[0])(1.0)
        m.effects_barrier()
        return capfd.readouterr().out

    ours, theirs = both(program)
    assert theirs == ours


@pytest.mark.parametrize("x", [2, np.int8(2), np.arange(2, dtype=np.int16)], ids=str)
def test_jacobians_by_integers_are_integer_zeros(x):
    show = lambda y: (np.asarray(y).tolist(), str(y.dtype), y.weak_type)
    ours, theirs = both(lambda m, _: show(m.jacrev(lambda i: i * 2.0, allow_int=True)(x)))
    assert theirs == ours


# ---- offloading ----------------------------------------------------------------------------------


def offloaded(m, np_, name="pinned_host"):
    """A checkpointed function that keeps one value and puts another into a memory."""
    keep = m.ad_checkpoint.checkpoint_name
    policy = m.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=["kept"], names_which_can_be_offloaded=["away"], offload_src="device", offload_dst=name
    )

    def f(x):
        y = keep(np_.sin(x), "kept")
        z = keep(np_.cos(y), "away")
        return (np_.sin(z) * z).sum()

    return m.checkpoint(f, policy=policy)


OFFLOADED = {
    "grad": lambda m, np_: m.grad(offloaded(m, np_)),
    "device": lambda m, np_: m.grad(offloaded(m, np_, "device")),
    "unpinned": lambda m, np_: m.grad(offloaded(m, np_, "unpinned_host")),
    "jit": lambda m, np_: m.grad(m.jit(offloaded(m, np_))),
    "vmap": lambda m, np_: m.vmap(m.grad(offloaded(m, np_))),
    "scan": lambda m, np_: m.grad(
        lambda x: m.lax.scan(lambda c, _: (c * offloaded(m, np_)(c), None), x, None, length=3)[0].sum()),
    "dots": lambda m, np_: m.grad(m.checkpoint(
        lambda x: np_.sin(np_.sin(x[:, None] @ x[None]) @ x).sum(),
        policy=m.checkpoint_policies.offload_dot_with_no_batch_dims("device", "pinned_host"))),
}


@pytest.mark.parametrize("name", OFFLOADED)
def test_offloaded_values_are_moved_by_the_program(name):
    """Programs put them into the memory and back as JAX's do; the derivatives are the same, eager and compiled."""
    texts = both(lambda m, np_: str(m.make_jaxpr(OFFLOADED[name](m, np_))(ROW)))
    assert texts[1] == texts[0]
    ours, theirs = both(lambda m, np_: OFFLOADED[name](m, np_))
    for run in (ours, adjoint.jit(ours)):
        np.testing.assert_allclose(theirs(ROW), run(ROW), rtol=1e-5)


def test_offloaded_residuals_are_in_the_memory_of_the_host(capsys):
    """What `vjp` keeps lies there, and is listed so; a second derivative works, which JAX refuses."""
    pullback = adjoint.vjp(offloaded(adjoint, adjoint.numpy), adjoint.numpy.asarray(ROW))[1]
    kinds = [x.sharding.memory_kind for x in adjoint.tree.leaves(pullback)]
    assert 1 == kinds.count("pinned_host") and 3 == len(kinds)
    adjoint.ad_checkpoint.print_saved_residuals(offloaded(adjoint, adjoint.numpy), ROW)
    assert "f32<host>[3] output of device_put from" in capsys.readouterr().out
    total = lambda f: lambda x: adjoint.grad(f)(x).sum()
    for second in (lambda f: adjoint.grad(total(f)), lambda f: adjoint.jit(adjoint.grad(total(f)))):
        plain = second(lambda x: (adjoint.numpy.sin(z := adjoint.numpy.cos(adjoint.numpy.sin(x))) * z).sum())
        np.testing.assert_allclose(plain(ROW), second(offloaded(adjoint, adjoint.numpy))(ROW), rtol=1e-5)
    with pytest.raises(ValueError, match="memory kind"):
        adjoint.grad(offloaded(adjoint, adjoint.numpy, "the attic"))(ROW)


# ---- policies reach into loops and branches ------------------------------------------------------------


def looped(root, w):
    return root.lax.scan(lambda c, _: (root.numpy.sin(c @ w), None), root.numpy.ones(3), None, length=3)[0]


def branched(root, w):
    f = lambda x: root.numpy.sin(root.numpy.sin(x @ w) @ w)
    return root.lax.cond(w.sum() > 0, f, lambda x: x, root.numpy.ones(3))


def looped_branches(root, w):
    step = lambda c: root.lax.cond(c.sum() > 0, lambda c: root.numpy.cos(c @ w), root.numpy.sin, c)
    return root.lax.scan(lambda c, _: (step(c), root.numpy.tanh(c @ w)), root.numpy.ones(3), None, length=2)


@pytest.mark.parametrize("f", [looped, branched, looped_branches])
@pytest.mark.parametrize("policy", ["dots_saveable", "nothing_saveable", "everything_saveable", None])
def test_policies_reach_into_loops_and_branches(f, policy):
    w = np.random.default_rng(0).normal(size=(3, 3)).astype("f")

    def derived(root):
        chosen = policy and getattr(root.checkpoint_policies, policy)
        g = root.checkpoint(lambda w: f(root, w), policy=chosen)
        out, pull = root.vjp(g, w)
        ones = root.tree.map(root.numpy.ones_like, out)
        text = str(root.make_jaxpr(pull)(ones))
        return pull(ones)[0], [text.count(f" {name}") for name in ("dot_general[", "sin ", "tanh ")]

    (ours, our_counts), (theirs, their_counts) = derived(adjoint), derived(jax)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ours, adjoint.vjp(lambda w: f(adjoint, w), w)[1](
        adjoint.tree.map(adjoint.numpy.ones_like, f(adjoint, w)))[0], rtol=1e-4, atol=1e-5)
    assert our_counts == their_counts


def test_what_is_kept_is_logged(caplog):
    with adjoint.config._states["jax_log_checkpoint_residuals"](True):
        adjoint.grad(adjoint.checkpoint(lambda x: adjoint.numpy.sin(adjoint.numpy.sin(x))))(1.0)
    assert "remat-decorated function saving inputs with shapes:\n  float32[]" in caplog.text


@pytest.mark.parametrize(("positions", "error", "match"), [
    (2, ValueError, r"can only take integer values .* but got \(2,\), while `len\(args\)` = 2"),
    (-3, ValueError, "can only take"),
    ((1, 2), ValueError, "can only take"), ([1], TypeError, r"tuple of ints or, bool, but got value \[1\]"),
    ((1, 1.5), TypeError, "must be an int"), (True, TypeError, "must be an int"),
    (None, TypeError, None), ("a", TypeError, None),
])
def test_static_arguments_of_checkpoint_have_positions(positions, error, match):
    with pytest.raises(error, match=match):
        adjoint.checkpoint(lambda x, n: x * n, static_argnums=positions)(np.ones(2, "float32"), 3)


def test_a_static_argument_of_checkpoint_is_not_given_by_name():
    with pytest.raises(ValueError, match=r"got \(1,\), while `len\(args\)` = 1"):
        adjoint.checkpoint(lambda x, n: x * n, static_argnums=1)(np.ones(2, "float32"), n=3)
    assert adjoint.checkpoint(lambda x, n: x * n, static_argnames="n")(np.ones(2, "float32"), n=3)[0] == 3


def test_a_name_is_of_the_value_and_not_of_its_tangent():
    def program(m, np_):
        f = lambda x: np_.sin(m.ad_checkpoint.checkpoint_name(np_.sin(x), "a"))
        pushed = m.make_jaxpr(lambda x: m.jvp(m.checkpoint(f), (x,), (x,)))(1.0)
        return str(pushed), str(m.make_jaxpr(lambda x: m.jvp(f, (x,), (x,)))(1.0)), str(m.make_jaxpr(m.grad(f))(1.0))

    ours, theirs = both(program)
    assert ours == theirs
