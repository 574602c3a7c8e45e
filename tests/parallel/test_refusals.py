"""Wrong meshes, specs, shardings and devices are refused where they are given, with JAX's classes and first lines."""

from __future__ import annotations

import numpy as np
from tests.modes import compiling

from . import beside


def first_words(run, count: int = 6) -> list[str]:
    """The class of an error and how its text begins; what is returned, if nothing is raised."""
    try:
        return ["returned", str(run())]
    except Exception as error:
        builtin = [c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"][0]
        return [builtin, *str(error).split("\n")[0].split()[:count]]


def meshes(lib):
    kinds, devices = lib.sharding.AxisType, np.array(lib.devices())
    mesh, grid = lib.sharding.Mesh, devices.reshape(4, 2)
    return [first_words(run) for run in (
        lambda: lib.make_mesh((3, 3), ("x", "y")), lambda: lib.make_mesh((4, 2), ("x",)),
        lambda: lib.make_mesh((4, 2), ("x", "y"), axis_types="Auto"), lambda: mesh(grid, ("x",)),
        lambda: lib.make_mesh((4, 2), ("x", "y"), axis_types=(kinds.Auto,)),
        lambda: lib.set_mesh(3), lambda: lib.set_mesh(lib.sharding.AbstractMesh((2,), ("x",))),
    )] + [first_words(lambda: lib.sharding.AbstractMesh((2,), ("x", "y")), 0)]


def placed(lib):
    mesh = lib.sharding.Mesh(np.array(lib.devices()), ("x",))
    over = lambda *spec, **kwargs: lib.NamedSharding(mesh, lib.P(*spec), **kwargs)
    half = lib.NamedSharding(lib.sharding.Mesh(np.array(lib.devices()[:4]), ("x",)), lib.P("x"))
    x, odd, double = lib.numpy.ones((8, 4)), lib.numpy.ones((7, 4)), lambda v: v * 2
    struct = lib.ShapeDtypeStruct((7,), "float32", sharding=over("x"))
    divided = lib.device_put(x, over("x"))
    return [first_words(run) for run in (
        lambda: lib.device_put(odd, over("x")), lambda: lib.device_put(x, over(None, None, "x")), lambda: over("z"),
        lambda: over("x", "x"), lambda: over("x", memory_kind="none"), lambda: lib.device_put(x, "cpu"),
        lambda: lib.device_put([x, x], [over("x")]), lambda: lib.jit(double, in_shardings=over("x"))(odd),
        lambda: lib.jit(double, out_shardings=over("x"))(odd), lambda: lib.jit(double, in_shardings="x"),
        lambda: lib.jit(double, in_shardings=lib.P("x"))(x), lambda: lib.jit(double).lower(struct),
        lambda: lib.jit(lambda a, b: a + b)(divided, lib.device_put(x, half)),
        lambda: divided + lib.device_put(x, half),
        lambda: lib.make_array_from_single_device_arrays((8, 4), over("x"), [np.ones((1, 4))] * 8),
        lambda: lib.make_array_from_callback((8, 4), over("x"), lambda i: np.ones((2, 4), np.float32)),
        lambda: lib.lax.with_sharding_constraint(odd, over("x")), lambda: divided.addressable_data(9),
    )]


def mapped(lib):
    mesh = lib.sharding.Mesh(np.array(lib.devices()), ("x",))
    x, f, spec = lib.numpy.ones((8, 4)), lambda v: v * 2, lib.P("x")
    over = lambda f=f, ins=spec, mesh=mesh, **options: lib.shard_map(
        f, mesh=mesh, in_specs=ins, out_specs=spec, **options)
    return [first_words(run) for run in (
        lambda: over(3), lambda: over(mesh=3)(x), lambda: over(axis_names="x")(x), lambda: over(axis_names={"z"})(x),
        lambda: over(ins=lib.P("z"))(x), lambda: over()(x[:7]), lambda: over(mesh=None)(x),
        lambda: over(ins=(spec, spec))(x), lambda: lib.pmap(f)(lib.numpy.ones((9, 2))), lambda: lib.pmap(3),
    )]


def summed(lib):
    """Sums along a mesh axis and an axis of `vmap` together, which are refused where what varies is checked."""
    mesh, x, spec = lib.make_mesh((8,), ("x",), axis_types=(lib.sharding.AxisType.Auto,)), lib.numpy.ones((8, 4)), lib.P
    over = lambda f, names, **options: lib.shard_map(
        lambda u: lib.vmap(lambda v: f(v, names), axis_name="v")(u), mesh=mesh, in_specs=spec("x"), out_specs=spec(),
        **options)(x).tolist()
    return [first_words(run) for run in (
        lambda: over(lib.lax.psum, ("x", "v")), lambda: over(lib.lax.pmean, ("v", "x")),
        lambda: over(lib.lax.psum, "x"), lambda: over(lib.lax.psum, ("x", "v"), check_vma=False))]


def of_other_axes(lib):
    """Specs, batches and axes that do not fit the mesh, in programs that are traced."""
    kinds, P, two, odd = lib.sharding.AxisType, lib.P, np.ones((2, 8), np.float32), np.ones(3, np.float32)
    mesh = lib.make_mesh((2, 4), ("x", "y"), axis_types=(kinds.Auto,) * 2)
    explicit = lib.make_mesh((2, 4), ("x", "y"), axis_types=(kinds.Explicit,) * 2)
    put = lambda *spec: lambda v: lib.device_put(v, lib.NamedSharding(mesh, P(*spec))) * 2
    over = lambda **options: lib.shard_map(lambda v: v / 0 @ v, mesh=mesh, in_specs=P("x"), **options)
    mapped = lib.vmap(lib.shard_map(lambda v: v + 1, mesh=mesh, in_specs=P("x"), out_specs=P("x")), spmd_axis_name="y")
    cases = [
        lambda: mapped(two), lambda: lib.jit(put("x"))(odd), lambda: lib.eval_shape(put("x"), odd),
        lambda: lib.jit(put(None, "x"))(odd), lambda: over(out_specs=P("x"), axis_names={"y"})(two),
        lambda: over(out_specs=P("y"), axis_names={"x"})(two), lambda: over(out_specs=3)(two)]
    found = [first_words(run, 4) for run in cases] + [first_words(lambda: lib.jit(mapped)(two), 0)]
    for given, f, name in ((mesh, lib.sharding.explicit_axes, "in_sharding"),
                           (explicit, lib.sharding.auto_axes, "out_sharding")):
        with lib.set_mesh(given):
            asked = {name: P(None)}
            found.append(first_words(lambda: f(lambda v: v, axes=("q",), **asked)(lib.numpy.ones(4)), 0))
    return found


def on_one_device(lib):
    """Programs that are to run on one device, while a mesh is set."""
    kinds, x = lib.sharding.AxisType, lib.numpy.ones((8, 4))
    found = []
    for f in (lib.jit(lambda v: v * 2, device=lib.devices()[0]), lib.jit(lambda v: v * 2, backend="cpu")):
        for kind in (kinds.Auto, kinds.Explicit):
            mesh = lib.make_mesh((8,), ("x",), axis_types=(kind,))
            with lib.set_mesh(mesh):
                found += [first_words(run) for run in (
                    lambda: f(x), lambda: lib.eval_shape(f, x), lambda: f.lower(x), lambda: lib.vmap(f)(x),
                    lambda: lib.jvp(f, (x,), (x,)), lambda: lib.jit(lambda v: f(v))(x))]
            for block in (mesh, lib.sharding.use_abstract_mesh(mesh.abstract_mesh)):
                with block:
                    found.append(first_words(lambda: f(x).sum()))
    return found


CASES = {f.__name__: f for f in (meshes, placed, mapped, summed, of_other_axes, on_one_device)}


@compiling
def test_is_refused_as_in_jax():
    assert beside.differences(__name__) == ""
