"""Meshes, shardings, `jit` with them, and `shard_map`, on 8 virtual devices as in JAX."""

from __future__ import annotations

from contextlib import redirect_stdout
from functools import partial
from io import StringIO

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

from .beside import differences

x = np.arange(32.0, dtype=np.float32).reshape(8, 4)


def setting(lib):
    """(P, a mesh of 4 by 2, shardings over it)."""
    mesh = lib.sharding.Mesh(np.array(lib.devices()).reshape(4, 2), ("x", "y"))
    return lib.P, mesh, partial(lib.sharding.NamedSharding, mesh)


def case(f):
    return lambda lib: f(lib, *setting(lib))


def within(manager, f):
    with manager:
        return f()


def put(lib, ns, *spec):
    return lib.device_put(x, ns(lib.P(*spec)))


def picture(lib, shape, sharding, **options):
    """What `visualize_sharding` prints."""
    with redirect_stdout(StringIO()) as out:
        lib.debug.visualize_sharding(shape, sharding, **options)
    return out.getvalue().splitlines()


def mapped(lib, mesh, f, ins, outs, *args, **options):
    return lib.shard_map(f, mesh=mesh, in_specs=ins, out_specs=outs, **options)(*args)


def again(lib, mesh):
    """Calls that are repeated, on arrays that lie as before and otherwise, are deleted, donated and of other types."""
    double = lib.jit(lambda a: a * 2)
    laid = lambda *spec: put(lib, partial(lib.sharding.NamedSharding, mesh), *spec)
    found = [double(laid(*spec)) for spec in [("x",)] * 3 + [()] * 3 + [(None,), (None, "y"), ("x",)]]
    gone = laid("x")
    gone.delete()
    compiled = double.lower(laid("x")).compile()
    step = lib.jit(lambda a, b: (a + b, b.sum()), donate_argnums=0)
    held = laid("x")
    holding = lib.jit(lambda a: a + held)
    found += [lambda: double(gone), *[compiled(laid("x")) for _ in range(3)], lambda: compiled(laid()),
              lambda: compiled(laid("x") > 0), [holding(laid("x")) for _ in range(3)]]
    for _ in range(4):
        a, b = laid("x"), laid("x", "y")
        found += [step(a, b), a.is_deleted(), b.is_deleted()]
    return found


CASES = {
    "repeated calls": case(lambda lib, P, mesh, ns: [
        again(lib, mesh), (lambda f: f(f(f(f(x)))))(lib.pmap(lambda a: a + 1)),
    ]),
    "repeated calls under a mesh": case(lambda lib, P, mesh, ns: [
        within(lib.set_mesh(m), lambda m=m: again(lib, m))
        for m in (mesh, lib.make_mesh((4, 2), ("x", "y")))
    ]),
    "specs": case(lambda lib, P, mesh, ns: [
        P("x", None, ("x", "y")), P(), P("x") == P("x", None), P(("x",)), P("x") + P("y"), P("x")[0], len(P("x", "y")),
        P("x", unreduced={"y"}), P.UNCONSTRAINED, list(P("x", "y")), P("x") == ("x",),
    ]),
    "devices in order": case(lambda lib, P, mesh, ns: [
        [s._device_assignment, s._addressable_device_assignment, repr(s._internal_device_list)]
        for s in (ns(P("y", "x")), lib.sharding.SingleDeviceSharding(lib.devices()[3]),
                  lib.NamedSharding(lib.sharding.Mesh(np.array(lib.devices()[::-2]), "z"), P("z")))
    ]),
    "meshes": case(lambda lib, P, mesh, ns: [
        repr(mesh), str(mesh), mesh.shape, mesh.axis_names, mesh.size, mesh.device_ids, mesh.axis_types, mesh.empty,
        mesh is setting(lib)[1], repr(lib.sharding.AbstractMesh((2, 4), ("a", "b"))), list(lib.sharding.AxisType),
        lib.make_mesh((4,), ("x",)),
        str(lib.make_mesh((2, 2), ("x", "y"), axis_types=(lib.sharding.AxisType.Auto,) * 2)),
        lib.sharding.get_abstract_mesh(),
    ]),
    "shardings": case(lambda lib, P, mesh, ns: [
        repr(ns(P("x"))), ns(P("x", "y")).shard_shape((8, 4)), ns(P(None, "y")).devices_indices_map((8, 4)).values(),
        ns(P("x")) == ns(P("x")), ns(P("x")).is_equivalent_to(ns(P("x", None)), 2), ns(P()).is_fully_replicated,
        ns(P("x")).is_fully_replicated, ns(P("x")).num_devices, ns(P("x")).update(spec=P()), ns(P("x")).mesh,
        ns(P("x")).spec, len(ns(P()).device_set),
    ]),
    "pictures": case(lambda lib, P, mesh, ns: [
        [picture(lib, shape, ns(spec), **options) for spec in (P("x"), P("x", "y"), P(None, "y"), P(), P(("x", "y")))
         if len(spec) <= len(shape)]
        for shape in ((8, 4), (8, 8), (128, 80), (1000, 8), (64,))
        for options in ({}, {"scale": 2.0}, {"scale": 0.3}, {"min_width": 20, "max_width": 170}, {"max_width": 75})
    ]),
    "device_put": case(lambda lib, P, mesh, ns: [
        put(lib, ns, "x", "y"), put(lib, ns, None, "y"), put(lib, ns),
        put(lib, ns, ("x", "y")), put(lib, ns, ("y", "x")),
        lib.device_put(put(lib, ns, "x"), ns(P("y"))), lib.device_put(put(lib, ns, "x"), lib.devices()[1]),
        lib.device_put({"a": x, "b": x[:, 0]}, {"a": ns(P("x")), "b": ns(P("y"))}),
        within(lib.set_mesh(mesh), lambda: lib.device_put(x, P("x"))),
    ]),
    "made of parts": case(lambda lib, P, mesh, ns: [
        lib.make_array_from_callback((8, 4), ns(P("x", "y")), lambda i: x[i]),
        lib.make_array_from_single_device_arrays(
            (8, 4), ns(P("x", "y")), [s.data for s in put(lib, ns, "x", "y").addressable_shards]),
        lib.make_array_from_process_local_data(ns(P("x")), x),
    ]),
    "eager": case(lambda lib, P, mesh, ns: (a := put(lib, ns, "x", None)) is not None and [
        a * 2, a + a[0], a.sum(0), a.sum(1), a.T, a @ np.ones((4, 4), np.float32), a[0], a[:, 0], a.sum(), repr(a),
        lib.numpy.concatenate([a, a]), a.devices(), a.is_fully_replicated,
    ]),
    "jit": case(lambda lib, P, mesh, ns: (a := put(lib, ns, "x", None)) is not None and [
        lib.jit(f)(a) for f in (
            lambda b: b * 2, lambda b: b.sum(0), lambda b: b.T, lambda b: b @ b.T, lambda b: b.reshape(2, 4, 4),
            lambda b: b.reshape(32), lambda b: b[0], lambda b: (b, b.sum()), lib.jit(lambda b: b + 1),
            lib.grad(lambda b: (b**2).sum()), lib.vmap(lambda b: b * 2),
        )
    ]),
    "jit with shardings": case(lambda lib, P, mesh, ns: [
        lib.jit(lambda a: a * 2, in_shardings=ns(P("x", None)), out_shardings=ns(P(None, "y")))(x),
        lib.jit(lambda a: (a * 2, a.sum()), out_shardings=(ns(P("y")), ns(P())))(put(lib, ns, "x")),
        lib.jit(lambda a, b: a + b, in_shardings=(ns(P("x")), None), out_shardings=ns(P("x")))(x, 1.0),
        within(lib.set_mesh(mesh), lambda: lib.jit(lambda a: a + 1, out_shardings=P("x"))(x)),
        lib.jit(lambda a: lib.lax.with_sharding_constraint(a * 2, ns(P("x"))))(x),
        lib.lax.with_sharding_constraint(x, ns(P("x", None))),
        str(lib.make_jaxpr(lib.jit(_twice, in_shardings=ns(P("x")), out_shardings=ns(P())))(x)),
        str(lib.make_jaxpr(lambda a: lib.lax.with_sharding_constraint(a, ns(P("x"))))(x)),
        lib.grad(lambda a: (lib.lax.with_sharding_constraint(a, ns(P("x"))) ** 2).sum())(x).tolist(),
        lib.vmap(lambda a: lib.lax.with_sharding_constraint(a, ns(P("y"))))(x).tolist(),
    ]),
    "shard_map": case(lambda lib, P, mesh, ns: [
        mapped(lib, mesh, lambda a: lib.lax.psum(a, "y"), P("x", "y"), P("x"), x),
        mapped(lib, mesh, lambda a: lib.lax.psum(a, ("x", "y")), P("x", "y"), P(), x),
        mapped(lib, mesh, lambda a: a * 2, P(("x", "y")), P(("x", "y")), x),
        mapped(lib, mesh, lambda a: a * 2, P(("y", "x")), P(None, ("y", "x")), x.reshape(32, 1)),
        mapped(lib, mesh, lambda a, b: a @ b, (P("x", None), P(None, "y")), P("x", "y"), x, x.T),
        mapped(lib, mesh, lambda a, b: lib.lax.psum(a @ b, "y"), (P("x", "y"), P("y", None)), P("x"), x, x.T),
        mapped(lib, mesh, lambda a: {"s": lib.lax.pmax(a.max(), ("x", "y")), "a": a}, P("x", "y"),
               {"s": P(), "a": P("x", "y")}, x)["s"],
        mapped(lib, mesh, lambda a: a.sum(keepdims=True), P("x", "y"), P("x", "y"), x, check_vma=False),
        mapped(lib, mesh, lambda a: lib.lax.ppermute(a, "x", [(i, (i + 1) % 4) for i in range(4)]), P("x"), P("x"), x),
        mapped(lib, mesh, lambda a: lib.lax.all_gather(a, "x", tiled=True), P("x"), P(None), x, check_vma=False),
        mapped(lib, mesh, lambda a: a + lib.lax.axis_index("y").astype("float32"), P("x"), P("x", "y"), x),
        lib.jit(lambda a: mapped(lib, mesh, lambda b: lib.lax.pmean(b, "x"), P("x"), P(), a) + 1)(put(lib, ns, "x")),
        lib.grad(lambda a: mapped(lib, mesh, lambda b: lib.lax.psum((b**2).sum(), ("x", "y")), P("x", "y"), P(), a))(
            x).tolist(),
        within(lib.set_mesh(mesh), lambda: lib.shard_map(lambda a: a, in_specs=P("x"), out_specs=P("x"))(x)),
    ]),
    "errors": case(lambda lib, P, mesh, ns: [
        lambda: ns(P("z")), lambda: ns(P("x", "x")), lambda: ns(P("x")).shard_shape((7, 4)),
        lambda: lib.device_put(x[:7], ns(P("x"))), lambda: lib.device_put(x, P("x")),
        lambda: lib.sharding.Mesh(np.array(lib.devices()).reshape(4, 2), ("x",)), lambda: lib.make_mesh((9,), ("x",)),
        lambda: lib.jit(lambda a: a, in_shardings=ns(P("x")))(put(lib, ns, "y")),
        lambda: lib.jit(lambda a: a, out_shardings=ns(P("x")))(x[:7]),
        lambda: lib.jit(lambda a: a, in_shardings=P("x"))(x), lambda: lib.lax.with_sharding_constraint(x, P("x")),
        lambda: put(lib, ns, "x") + lib.device_put(x, lib.devices()[1]),
        lambda: mapped(lib, mesh, _twice, P("x", "y"), P("x", "y"), x[:7]),
        lambda: mapped(lib, mesh, _twice, P("x", "y"), P("x", "y"), x[:, 0]),
        lambda: mapped(lib, mesh, _twice, P("x"), P("x", "y", None), x), lambda: mapped(
            lib, mesh, _twice, P("z"), P("x"), x)[0],
        lambda: lib.shard_map(_twice, in_specs=P("x"), out_specs=P("x"))(x),
        lambda: lib.make_array_from_single_device_arrays((8, 4), ns(P("x", "y")), [
            lib.device_put(x, d) for d in lib.devices()]),
    ]),
    "stages": case(lambda lib, P, mesh, ns: [
        _stages(lib, lib.jit(_twice_and_sum, **places), operand)
        for operand, places in (
            (x, {"in_shardings": ns(P("x")), "out_shardings": ns(P())}), (x, {"in_shardings": ns(P("x"))}),
            (x, {"in_shardings": ns(P("x", "y")), "out_shardings": (ns(P("x")), None)}),
            (put(lib, ns, "x"), {}), (lib.device_put(x, lib.devices()[2]), {}),
            (lib.ShapeDtypeStruct((8, 4), np.float32, sharding=ns(P("x"))), {}),
        )
    ]),
    "texts": case(lambda lib, P, mesh, ns: [
        lib.jit(_twice, donate_argnums=0, **places).lower(operand).as_text()
        for operand, places in (
            (x, {}), (x, {"in_shardings": ns(P("x")), "out_shardings": ns(P("x"))}),
            (put(lib, ns, "x"), {}), (put(lib, ns, "x"), {"out_shardings": ns(P("x"))}),
            (lib.ShapeDtypeStruct((8, 4), np.float32, sharding=ns(P("x"))), {"out_shardings": ns(P("x"))}),
        )
    ]),
}


def _stages(lib, f, operand):
    """Where the stages of a function say that arguments and results are."""
    traced = f.trace(operand)
    compiled = traced.lower().compile()
    places = lambda stage: [str(s.sharding) for s in stage.out_info]
    return places(traced), places(traced.lower()), places(compiled), compiled.input_shardings, compiled.output_shardings


def _twice_and_sum(a):
    return a * 2, a.sum()


def _twice(a):
    return a * 2


@compiling
def test_sharding_is_like_jax():
    assert "" == differences(__name__)


def test_results_that_differ_are_refused():
    """`check_vma` finds a result that is not the same along an axis that its spec leaves out."""
    import adjoint as lib

    mesh = lib.make_mesh((1,), ("x",), axis_types=(lib.sharding.AxisType.Auto,))
    with pytest.raises(ValueError, match=r"(?s)require replication .*replicated across mesh axis .x.*check_vma=False"):
        lib.shard_map(_twice, mesh=mesh, in_specs=lib.P("x"), out_specs=lib.P())(x)


def test_messages_about_shardings_begin_as_jax_s():
    import adjoint as lib

    lines = []
    for j in (jax, lib):
        mesh = j.sharding.Mesh(np.array(j.devices()[:1]), ("x",))
        sharding, found = j.sharding.NamedSharding(mesh, j.P("x")), []
        for mistake in (
            lambda: j.jit(_twice, in_shardings=(sharding, sharding))(x),
            lambda: j.jit(lambda x, y: x, in_shardings=(sharding,))(x, x),
            lambda: j.sharding.Mesh(np.array(j.devices()[:1]), (None,)),
            lambda: j.make_array_from_single_device_arrays((8, 4), sharding, [j.numpy.asarray(x)] * 2),
            lambda: j.pmap(_twice)(3.0),
            lambda: j.pmap(_twice, devices=[]),
            lambda: j.pmap(lambda a, n: a, static_broadcasted_argnums=1)(x, n=3),
            lambda: j.device_put(x, sharding, donate=True, may_alias=True),
            lambda: j.make_array_from_callback((8, 4), sharding, lambda index: x[index], dtype="int32"),
        ):
            with pytest.raises(ValueError) as caught:
                mistake()
            found.append(str(caught.value).split("\n")[0])
        lines.append(found)
    assert all(b.startswith(a) for a, b in zip(*lines))


def test_a_mesh_as_context_warns():
    """`set_mesh` is what takes its place."""
    import adjoint as lib

    mesh = lib.sharding.Mesh(np.array(lib.devices()[:1]), ("x",))
    with pytest.warns(DeprecationWarning, match="`with mesh:` context manager has been deprecated"), mesh:
        pass


def test_axes_of_one_name_divide_nothing():
    """A mesh may have them, as JAX's; a spec cannot say which of them it means."""
    import adjoint as lib

    mesh = lib.sharding.AbstractMesh((2, 4), ("x", "x"))
    over = partial(lib.sharding.NamedSharding, mesh)
    assert over(lib.P()).shard_shape((8, 8)) == (8, 8)
    with pytest.raises(lib.errors.JaxRuntimeError, match=r"should have the same size, saw \[2,4\] v.s. \[1\]"):
        over(lib.P("x")).shard_shape((8, 8))
    with pytest.raises(ValueError, match=r"Resource axis: y of P\('y',\) is not found in mesh: \('x',\)\."):
        over(lib.P("y"))
    with pytest.raises(Exception, match=r"P\(\('x', 'x'\),\) has duplicate entries for `x`"):
        lib.eval_shape(lib.shard_map(lambda a: a, mesh=mesh, in_specs=lib.P(), out_specs=lib.P()), x)
