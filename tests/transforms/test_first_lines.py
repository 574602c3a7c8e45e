"""Errors and warnings of transformations begin with the line that JAX has, which tests and users search for."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.recorded import jax

import adjoint

x = np.ones(3, np.float32)


def first_line(m, program):
    """The builtin class of an error, and its first line without the name of the library and addresses."""
    with pytest.raises(Exception) as raised:
        program(m)
    error = raised.value
    kind = next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")
    return kind, re.sub(r"adjoint\.|jax\._src\.|jax\.", "", re.sub("0x[0-9a-f]+", "0x", str(error).splitlines()[0]))


def check(program):
    (kind, line), (kind_of_jax, line_of_jax) = first_line(adjoint, program), first_line(jax, program)
    assert kind == kind_of_jax
    assert line.startswith(line_of_jax.rstrip(". "))


PREFIXES = {
    "too many shardings": lambda m: m.jit(lambda x: x, in_shardings=(None, None))(1.0),
    "too few shardings": lambda m: m.jit(lambda x, y: x, in_shardings=(None,))(1.0, 2.0),
    "shardings in a dict": lambda m: m.jit(lambda x: x, in_shardings={"a": None})(1.0),
    "shardings of an argument": lambda m: m.jit(lambda x: x, in_shardings=((None, None),))((1.0, 2.0, 3.0)),
    "a tuple where one has no axis": lambda m: m.vmap(lambda x: (x, x), out_axes=(None, None))(x),
    "the second has no axis": lambda m: m.vmap(lambda x: (1.0, x), out_axes=(0, None))(x),
    "a dict that has no axis": lambda m: m.vmap(lambda x: {"a": (x, [x])}, out_axes={"a": (0, None)})(x),
    "no axis for all": lambda m: m.vmap(lambda x: (1.0, x), out_axes=None)(x),
    "a named axis is none": lambda m: m.vmap(lambda x: (1.0, x), out_axes=None, axis_name="i")(x),
    "a traced length": lambda m: m.jit(lambda n: m.numpy.ones(6).reshape(n))(3),
    "a traced length in a tuple": lambda m: m.jit(lambda n: m.numpy.ones(6).reshape((n, 2)))(3),
    "a traced shape": lambda m: m.jit(lambda n: m.numpy.ones(6).reshape(m.numpy.array([n, 2])))(3),
    "a name as a shape": lambda m: m.numpy.ones(6).reshape("a"),
    "a float as a shape": lambda m: m.numpy.ones(6).reshape(2.5),
    "no shape": lambda m: m.numpy.ones(6).reshape(None),
    "a shape of another size": lambda m: m.numpy.ones(6).reshape(4),
}


@pytest.mark.parametrize("name", PREFIXES)
def test_trees_of_axes_and_shardings_are_refused_as_in_jax(name):
    check(PREFIXES[name])


FACTS = {
    "no function to print": lambda m: m.make_jaxpr(3),
    "no function to transpose": lambda m: m.linear_transpose(3, 1.0),
    "no function of a Jacobian": lambda m: m.jacfwd(3),
    "no function of another Jacobian": lambda m: m.jacrev(2.5),
    "no function of a Hessian": lambda m: m.hessian(3),
    "a name as a position": lambda m: m.jit(lambda x: x, static_argnums="x"),
    "a name among positions": lambda m: m.jit(lambda x: x, static_argnums=(0, "x")),
    "a float as a position": lambda m: m.jit(lambda x: x, donate_argnums=1.5),
    "a position among names": lambda m: m.jit(lambda x: x, static_argnames=("x", 3)),
    "a name as a position of grad": lambda m: m.grad(lambda x: x, argnums="x")(1.0),
    "a member that says so itself": lambda m: m.jit(lambda x: x.block_until_ready())(x),
    "a cotangent of another shape": lambda m: m.linear_transpose(lambda x: 2 * x, x)(m.numpy.ones(2)),
    "a cotangent of another dtype": lambda m: m.linear_transpose(lambda x: 2 * x, x)(m.numpy.ones(3, int)),
    "too many tangents": lambda m: m.linearize(lambda x: x * x, 2.0)[1](1.0, 2.0),
    "tangents in another tree": lambda m: m.linearize(lambda x: x["a"], {"a": 2.0})[1]({"b": 1.0}),
    "three results for two": lambda m: m.grad(lambda x: (x, x, x), has_aux=True)(1.0),
    "three results of a pullback": lambda m: m.vjp(lambda x: (x, [x, 3], "a"), 1.0, has_aux=True),
    "no tangent for a float": lambda m: m.jvp(lambda x: x, (1.0,), (np.zeros((), m.dtypes.float0),)),
    "no cotangent for floats": lambda m: m.vjp(lambda x: x, x)[1](np.zeros(3, m.dtypes.float0)),
    "a function that is gone": lambda m: m.device_put_replicated(x, m.devices()),
    "another function that is gone": lambda m: m.device_put_sharded,
    "an option that is gone": lambda m: m.checkpoint(lambda x: x, concrete=True),
    "a policy that says a number": lambda m: m.grad(m.checkpoint(m.numpy.sin, policy=lambda *_, **__: 1))(1.0),
    "a branch in a checkpoint": lambda m: m.checkpoint(lambda x: 1 if x > 0 else 2)(1.0),
    "a reference that is closed over": lambda m: (lambda r: m.jit(lambda s: r[...] + s[...])(r))(m.new_ref(x)),
    "a device's name": lambda m: m.numpy.ones(3).to_device("cpu"),
    "bits of an odd number of floats": lambda m: m.numpy.ones(3).view(complex),
    "an axis of one_hot": lambda m: m.nn.one_hot(np.array([0, 2]), 3, axis=5),
    "two products for one": lambda m: m.lax.custom_linear_solve(lambda x: (x, x), x, lambda f, b: b),
    "an option that is gone, off": lambda m: m.checkpoint(lambda x: x, concrete=False),
}


@pytest.mark.parametrize("name", FACTS)
def test_first_lines_hold_the_facts_of_jax(name):
    check(FACTS[name])


def gone(m):
    deleted = m.numpy.ones(3)
    deleted.delete()
    return deleted


GONE = {
    "printed": lambda m: repr(gone(m)),
    "as text": lambda m: str(gone(m)),
    "formatted": lambda m: f"{gone(m)}",
    "waited for": lambda m: gone(m).block_until_ready(),
    "no argument to differentiate by": lambda m: m.grad(lambda x: x, argnums=())(1.0),
    "no argument for a value and a gradient": lambda m: m.value_and_grad(lambda x: x, argnums=[])(1.0),
}


@pytest.mark.parametrize("name", GONE)
def test_deleted_arrays_and_absent_arguments_are_refused_as_in_jax(name):
    check(GONE[name])


def test_deleted_arrays_still_have_a_type_and_a_place():
    for m in (adjoint, jax):
        array = gone(m)
        assert (array.shape, array.dtype, str(array.sharding)) == (
            (3,), np.float32, "SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)")


@pytest.mark.parametrize("value", [2.0, True, np.ones(2), np.arange(3), np.float32(3)])
def test_constants_of_derivatives_keep_their_types(value):
    ours, theirs = [m.lax.stop_gradient(value) for m in (adjoint, jax)]
    kinds = (bool, float, np.ndarray)
    assert [isinstance(ours, k) for k in kinds] == [isinstance(theirs, k) for k in kinds]
    assert np.asarray(ours).dtype == np.asarray(theirs).dtype
    np.testing.assert_array_equal(ours, theirs)


def test_docstrings_of_wrapped_functions_are_texts():
    for m in (adjoint, jax):
        assert [wrap(lambda x: x).__doc__ for wrap in (m.jit, m.checkpoint, m.pmap)] == ["", "", ""]


def test_memories_are_named_as_in_jax():
    ours, theirs = [[f"{m!r} {m}" for m in lib.devices()[0].addressable_memories()] for lib in (adjoint, jax)]
    assert ours == theirs
