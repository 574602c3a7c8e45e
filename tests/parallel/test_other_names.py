"""Other ways to say what `shard_map`, `jit` and `make_mesh` do: `smap`, and names of `jax.experimental`; as in JAX."""

from __future__ import annotations

import importlib
import warnings

import numpy as np
from tests.modes import compiling

from .beside import differences

x = np.arange(32.0, dtype=np.float32).reshape(8, 4)


def experimental(lib, name, function):
    """A function of a module below `experimental`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(importlib.import_module(f"{lib.__name__}.experimental.{name}"), function)


def mesh(lib, kind="Auto"):
    return lib.make_mesh((4, 2), ("x", "y"), axis_types=(getattr(lib.sharding.AxisType, kind),) * 2)


def smapped(lib, *args, f=lambda a: a * 2, kind="Auto", **options):
    with lib.set_mesh(mesh(lib, kind)):
        return lib.smap(f, axis_name="x", **options)(*args)


def centred(lib):
    return lambda a: a - lib.lax.pmean(a, "x")


def with_types(lib):
    with lib.set_mesh(mesh(lib, "Explicit")):
        placed = lib.device_put(x, lib.P("x"))
        return lib.smap(centred(lib), out_axes=0, axis_name="x")(placed)


def pjitted(lib, **options):
    with mesh(lib):
        return experimental(lib, "pjit", "pjit")(lambda a: a.sum(0), **options)(x)


def ids(devices):
    return np.vectorize(lambda d: d.id)(devices).tolist()


def grid(lib, *args, **kwargs):
    return ids(experimental(lib, "mesh_utils", "create_device_mesh")(*args, **kwargs))


def hybrid(lib, *args, **kwargs):
    return ids(experimental(lib, "mesh_utils", "create_hybrid_device_mesh")(*args, **kwargs))


def first_shard_map(lib, f, **options):
    P = lib.P
    return experimental(lib, "shard_map", "shard_map")(f, mesh(lib), in_specs=P("x"), out_specs=P("x"), **options)(x)


CASES = {
    "smap": lambda lib: [
        smapped(lib, x, in_axes=0, out_axes=0), smapped(lib, x, f=centred(lib), in_axes=0, out_axes=0),
        smapped(lib, x, in_axes=1, out_axes=1), smapped(lib, x, in_axes=1, out_axes=0),
        smapped(lib, x, x[0], f=lambda a, b: a + b, in_axes=(0, None), out_axes=0),
        smapped(lib, x, f=lambda a: lib.lax.psum(a, "x"), in_axes=0, out_axes=None), np.asarray(with_types(lib)),
    ],
    "errors of smap": lambda lib: [lambda: smapped(lib, x, in_axes="x", out_axes=0)],
    "pjit": lambda lib: [
        pjitted(lib, in_shardings=lib.P("x", "y")), pjitted(lib, out_shardings=lib.P("y")), pjitted(lib),
        pjitted(lib, in_shardings=None), pjitted(lib, in_shardings=lib.P("x"), out_shardings=None),
        mesh(lib)(lambda: experimental(lib, "pjit", "pjit")(lambda a: a, in_shardings=lib.P("x"))(x))(),
        lambda: mesh(lib)(lambda: lib.jit(lambda a: a, in_shardings=lib.P("x"))(x))(),
        lambda: mesh(lib)(lambda: lib.device_put(x, lib.P("x")))(),
        lambda: mesh(lib)(lambda: lib.shard_map(lambda a: a, in_specs=lib.P("x"), out_specs=lib.P("x"))(x))(),
        mesh(lib)(lambda: lib.jit(lambda a: lib.lax.with_sharding_constraint(a, lib.P("x")))(x))(),
        mesh(lib)(lambda: str(lib.sharding.get_abstract_mesh()))(),
        lambda: lib.ShapeDtypeStruct((8,), "float32", sharding=lib.P("x")),
    ],
    "meshes": lambda lib: [grid(lib, (4, 2)), grid(lib, (2, 2), devices=lib.devices()[:4]), grid(lib, (8,))],
    "several machines": lambda lib: [
        hybrid(lib, (4, 2), (1, 1), process_is_granule=True), hybrid(lib, (8,), (1,), process_is_granule=True),
    ],
    "errors of meshes": lambda lib: [
        lambda: grid(lib, (3, 2)), lambda: hybrid(lib, (4,), (2,), process_is_granule=True),
    ],
    "the first shard_map": lambda lib: [first_shard_map(lib, lambda a: a * 2)],
}


@compiling
def test_they_do_what_they_do_in_jax():
    assert "" == differences(__name__)
