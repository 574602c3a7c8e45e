"""What the stages of a jitted function tell of its results and arguments, and structs of shapes, as in JAX."""

from __future__ import annotations

import copy
import pickle

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
