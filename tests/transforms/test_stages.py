"""What the stages of a jitted function tell of its results and arguments, and structs of shapes, as in JAX."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.experimental.layout


def shown(root, program):
    """What a value looks like, without the name of the library; of an error its class and first line."""
    try:
        text = str(program(root))
    except Exception as error:
        text = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return text.replace("adjoint", "jax")


def stages(m, f, *args):
    traced = m.jit(f).trace(*args)
    return traced, traced.lower(), traced.lower().compile()


def told(m, f, *args):
    """All that the stages tell."""
    traced, lowered, compiled = stages(m, f, *args)
    return [s.out_info for s in (traced, lowered, compiled)], compiled.input_shardings, compiled.output_shardings, (
        compiled.input_formats, compiled.output_formats)


PROGRAMS = {
    "a weak scalar": lambda m: told(m, lambda x: x * 2, 1.0),
    "a tree": lambda m: told(m, lambda x: (x * 2, {"a": x.sum()}), np.ones((2, 3))),
    "a key": lambda m: told(m, lambda k: m.random.split(k), m.random.key(0)),
    "what is not read": lambda m: told(m, lambda x, y: {"b": y}, np.ones(3), 2.0),
    "a weak struct": lambda m: told(m, lambda x: x + 1, m.ShapeDtypeStruct((2,), "float32", weak_type=True)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_stages_tell_what_those_of_jax_tell(name):
    assert shown(adjoint, PROGRAMS[name]) == shown(jax, PROGRAMS[name])


def struct(m, *args, **kwargs):
    return m.ShapeDtypeStruct(*args or ((2, 3), "float32"), **kwargs)


def formatted(m):
    layout = m.experimental.layout
    place = m.sharding.SingleDeviceSharding(m.devices()[0])
    return struct(m, sharding=layout.Format(layout.Layout((1, 0)), place))


STRUCTS = {
    "with a layout": formatted,
    "its sharding": lambda m: formatted(m).sharding,
    "its format": lambda m: formatted(m).format,
    "a copy keeps the layout": lambda m: formatted(m).update(shape=(4, 5)),
    "no format": lambda m: struct(m).format,
    "a reference": lambda m: (struct(m, is_ref=True), struct(m, is_ref=True).is_ref, struct(m).is_ref),
    "fields stay": lambda m: setattr(struct(m), "shape", (3,)),
    "places stay": lambda m: setattr(struct(m), "sharding", m.P("i")),
    "other options": lambda m: struct(m, vma=frozenset()),
    "pickled": lambda m: pickle.loads(pickle.dumps(struct(m, weak_type=True))),
    "copied": lambda m: copy.deepcopy(struct(m, weak_type=True)),
    "equal": lambda m: (struct(m) == struct(m), struct(m) == struct(m, weak_type=True), len({struct(m), struct(m)})),
    "a spec that is too long": lambda m: struct(m, (4,), "float32", sharding=m.sharding.NamedSharding(
        m.sharding.Mesh(np.array(m.devices()[:1]), ("i",)), m.P(None, "i"))),
}


@pytest.mark.parametrize("name", STRUCTS)
def test_structs_are_those_of_jax(name):
    assert shown(adjoint, STRUCTS[name]) == shown(jax, STRUCTS[name])


def constrained(m, layouts, shape=(2, 3)):
    """A value with layouts, each given by the order of axes if it is a tuple."""
    layout = m.experimental.layout
    as_layout = lambda order: layout.Layout(order) if isinstance(order, tuple) else order
    x = m.numpy.ones(shape)
    many = isinstance(layouts, list)
    found = [as_layout(order) for order in layouts] if many else as_layout(layouts)
    return layout.with_layout_constraint([x] * len(layouts) if many else x, found)


LAYOUTS = {
    "one that fits": lambda m: constrained(m, (1, 0)),
    "no layout": lambda m: constrained(m, 3),
    "None": lambda m: constrained(m, None),
    "one of several is none": lambda m: constrained(m, [(0, 1), 3]),
    "another number of axes": lambda m: constrained(m, (1, 0), (3,)),
    "another number of axes, traced": lambda m: m.jit(lambda: constrained(m, (0,)))(),
    "an axis twice": lambda m: constrained(m, (1, 1)),
    "an axis that is not there": lambda m: constrained(m, (1, 2)),
    "another tree": lambda m: m.experimental.layout.with_layout_constraint(m.numpy.ones(2), [m.experimental.layout]),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_that_do_not_fit_are_refused_as_by_jax(name):
    ours, theirs = (shown(m, LAYOUTS[name]).replace("PytreeError", "ValueError") for m in (adjoint, jax))
    assert re.sub(r"_src\.|sharding\.", "", ours) == re.sub(r"_src\.|sharding\.", "", theirs)


def laid_out(m, x):
    """A value with a sharding, which makes calls of a compiled function ask where they run."""
    where = m.sharding.SingleDeviceSharding(m.devices()[0])
    return m.lax.with_sharding_constraint(x, where) * 2


def test_a_compiled_function_with_shardings_tells_its_text_and_cost():
    for m in (adjoint, jax):
        compiled = m.jit(lambda x: laid_out(m, x)).lower(np.ones((3, 4), np.float32)).compile()
        assert compiled.as_text()
        assert compiled.cost_analysis()["flops"] == 12.0
        assert compiled.memory_analysis().output_size_in_bytes == 48


MOVES = {
    "broadcast_in_dim": lambda m, x: m.lax.broadcast_in_dim(x, (3, 8, 4), (1, 2)),
    "reshape": lambda m, x: x.reshape(4, 8),
    "transpose": lambda m, x: x.T,
    "slice": lambda m, x: x[1:3],
    "rev": lambda m, x: x[::-1],
    "concatenate": lambda m, x: m.numpy.concatenate([x, x]),
    "copy": lambda m, x: m.numpy.copy(x),
    "dynamic_slice": lambda m, x: m.lax.dynamic_slice(x, (1, 1), (2, 2)),
    "product and sum": lambda m, x: x @ x.T + 1,
}


@pytest.mark.parametrize("name", MOVES)
def test_what_moves_elements_costs_no_operations(name):
    x = np.ones((8, 4), np.float32)
    ours, theirs = (
        m.jit(lambda x, m=m: MOVES[name](m, x)).lower(x).cost_analysis().get("flops", 0.0) for m in (adjoint, jax))
    assert ours == theirs


X, SQUARE = np.array([0.3, -1.2, 2.5], np.float32), np.arange(9, dtype=np.float32).reshape(3, 3)
LIBRARY = {
    "jnp.tanh": lambda m, f: f(m.numpy.tanh)(X),
    "jnp.absolute": lambda m, f: f(m.numpy.absolute)(-2),
    "jnp.clip": lambda m, f: f(m.numpy.clip)(X, 0.0, max=1.0),
    "jnp.cumsum": lambda m, f: f(m.numpy.cumsum)(SQUARE, axis=1),
    "jnp.nancumprod": lambda m, f: f(m.numpy.nancumprod)(SQUARE, 0, "float16"),
    "jnp.argsort": lambda m, f: f(m.numpy.argsort)(X, descending=True),
    "jnp.dot": lambda m, f: f(m.numpy.dot)(SQUARE, X, precision="highest"),
    "jnp.isnan": lambda m, f: f(m.numpy.isnan)(X),
    "jnp.percentile": lambda m, f: f(m.numpy.percentile)(X, 30.0, 0, method="lower", out_sharding=None),
    "jnp.nan_to_num": lambda m, f: f(m.numpy.nan_to_num)(X, True),
    "jnp.linalg.norm": lambda m, f: f(m.numpy.linalg.norm)(SQUARE, 1, keepdims=True),
    "jax.nn.sigmoid": lambda m, f: f(m.nn.sigmoid)(X),
    "jax.scipy.integrate.trapezoid": lambda m, f: f(m.scipy.integrate.trapezoid)(SQUARE, axis=0),
    "an axis that is not static": lambda m, f: f(m.numpy.sort)(X, axis=np.zeros(3)),
}


@pytest.mark.parametrize("name", LIBRARY)
def test_functions_of_the_library_have_the_stages_of_jitted_ones(name):
    def told(m):
        traced, lowered = LIBRARY[name](m, lambda f: f.trace), LIBRARY[name](m, lambda f: f.lower)
        shapes = LIBRARY[name](m, lambda f: f.eval_shape)
        return traced.jaxpr, traced.out_info, traced.fun_name, lowered.args_info, lowered.out_tree, shapes

    assert re.sub(r"\s+", " ", shown(adjoint, told)) == re.sub(r"\s+", " ", shown(jax, told))


def test_what_functions_of_the_library_compile_to_computes_what_they_do():
    compiled = adjoint.numpy.clip.lower(X, 0.0, max=1.0).compile()
    np.testing.assert_array_equal(compiled(X, 0.0, max=1.0), adjoint.numpy.clip(X, 0.0, 1.0))
    compiled = adjoint.numpy.cumsum.lower(SQUARE, axis=1).compile()
    np.testing.assert_array_equal(compiled(SQUARE), np.cumsum(SQUARE, 1))
    adjoint.numpy.cumsum.clear_cache()
    assert adjoint.numpy.tanh.__wrapped__ is not adjoint.numpy.tanh
    np.testing.assert_array_equal(adjoint.numpy.tanh.__wrapped__(X), adjoint.numpy.tanh(X))


def test_jitted_functions_of_the_library_have_their_own_stages():
    jitted = adjoint.jit(adjoint.numpy.tanh, inline=True)
    assert "lower" not in vars(jitted)
    assert not hasattr(adjoint.vmap(adjoint.numpy.tanh), "lower")
    assert not hasattr(adjoint.numpy.add, "lower")


def test_programs_that_write_to_references_have_a_text():
    def results(m):
        def write(ref, x):
            ref[...] += x
            return {"first": ref[0]}

        lowered = m.jit(write).lower(m.new_ref(m.numpy.ones(3)), 2.0)
        return sorted(re.findall(r"(tensor<\w+>) {jax.result_info = ", lowered.as_text()))

    assert results(adjoint) == results(jax) == ["tensor<3xf32>", "tensor<f32>"]
