"""Where operations run and results are: single operations, devices and memories, as in JAX on 8 virtual devices."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint

from .beside import differences

x = np.arange(32.0, dtype=np.float32).reshape(8, 4)
ONE = adjoint.devices()[0]


def case(f):
    def run(lib):
        grid = np.array(lib.devices()).reshape(4, 2)
        P, mesh = lib.sharding.PartitionSpec, lib.sharding.Mesh(grid, ("x", "y"))
        put = lambda *spec: lib.device_put(x, lib.sharding.NamedSharding(mesh, P(*spec)))
        return f(lib, lib.numpy, mesh, put, lib.devices())

    return run


def sharding(lib, device, kind=None):
    return lib.sharding.SingleDeviceSharding(device, memory_kind=kind)


def found_by(lib, f, *args):
    """What inspect_array_sharding says of a value in a program."""
    found = []
    lib.jit(lambda *args: (lib.debug.inspect_array_sharding(f(*args), callback=found.append), args[0])[1])(*args)
    return [str(s) for s in found]


def mesh_of(lib, mesh, *spec):
    return lib.sharding.NamedSharding(mesh, lib.P(*spec))


def donated(lib, a, **places):
    """The result of a call that is given its argument, and whether that is gone."""
    return lib.jit(lambda a: a * 2, donate_argnums=0, **places)(a), a.is_deleted()


def on_one(lib, jnp):
    """Results on a mesh of one device, where nothing is divided and specs are names."""
    mesh = lib.make_mesh((1, 1), ("x", "y"), axis_types=(lib.sharding.AxisType.Auto,) * 2)
    a, b = lib.device_put(x, mesh_of(lib, mesh, "x", "y")), lib.device_put(x[0], mesh_of(lib, mesh, "y"))
    jitted = lambda f, *args, **places: lib.jit(f, **places)(*args)
    return [
        a + 1, a.T, a @ a.T, a[0], a.sum(0), a.reshape(4, 8), a + b, b + a, jnp.concatenate([x, a]),
        jitted(lambda a: (a, a * 2), a), jitted(lambda a, b: (a + 1, b + 1), b, a), jitted(lambda b, a: a + 1, b, a),
        jitted(lambda a: a + 1, x, in_shardings=mesh_of(lib, mesh, "x")), jnp.nonzero(a > 3),
        jitted(lambda a: a + 1, x, out_shardings=mesh_of(lib, mesh, "x")), lib.lax.map(jnp.sin, a),
        jitted(lambda a: lib.lax.with_sharding_constraint(a, mesh_of(lib, mesh, "y")), a), jnp.zeros_like(a),
        lib.pmap(lambda a: a * 2)(x[:1]),
    ]


def under(lib, f, *args):
    with lib.set_mesh(lib.make_mesh((8,), ("z",), axis_types=(lib.sharding.AxisType.Auto,))):
        return f(*args)


def made_under_a_mesh(lib):
    """Arrays that nobody puts anywhere, while a mesh is set: they are on each of its devices."""
    jnp, before, committed = lib.numpy, lib.numpy.ones(4), lib.device_put(np.ones(4, np.float32), lib.devices()[3])
    numbers, matrix = np.ones(4, np.float32), np.ones((4, 2), np.float32)
    found = []
    for kind in (lib.sharding.AxisType.Explicit, lib.sharding.AxisType.Auto):
        with lib.set_mesh(lib.make_mesh((2,), ("x",), axis_types=(kind,))):
            held = jnp.ones(4)
            found += [
                held, jnp.full((2, 2), 2.0), jnp.arange(4), jnp.linspace(0.0, 1.0, 4), jnp.eye(2), jnp.tri(2), before,
                jnp.zeros_like(before), before + 1, before + held, jnp.concatenate([held, before]), jnp.sum(held),
                held.reshape(2, 2), held[1], lib.lax.iota("int32", 4), jnp.float32(1),
                lib.random.normal(lib.random.key(0), (4,)), lib.nn.initializers.he_normal()(lib.random.key(0), (4, 2)),
                lib.jit(lambda: jnp.ones(4))(), lib.jit(lambda x: x + 1)(numbers), lib.jit(lambda x: x @ matrix)(held),
                lib.grad(lambda x: (x * x).sum())(held), lib.vmap(lambda x: x + 1)(numbers),
                lib.device_put(numbers), lib.device_put(numbers, lib.P("x")) + held,
                jnp.ones(4, device=lib.devices()[1]),
                lambda: before + committed, lambda: lib.jit(lambda x: x)(committed),
            ]
            if kind is lib.sharding.AxisType.Explicit:
                init = lib.nn.initializers
                for make in (init.zeros, init.ones, init.constant(2.0), init.normal(), init.he_uniform(),
                             init.he_normal(), init.uniform(), init.truncated_normal()):
                    found.append(lib.typeof(make(lib.random.key(0), (4, 2), out_sharding=lib.P("x", None))))
    return [*found, jnp.ones(4), held + 1, held + before, lib.jit(lambda x: x * 2)(held)]


def made_like(lib):
    """Arrays like another are where that is, if they have its shape or it is whole there."""
    jnp, lax, kinds = lib.numpy, lib.lax, lib.sharding.AxisType
    auto, explicit = (lib.make_mesh((2,), ("x",), axis_types=(k,)) for k in (kinds.Auto, kinds.Explicit))
    places = [lib.devices()[1], mesh_of(lib, auto), mesh_of(lib, auto, "x"), mesh_of(lib, explicit),
              mesh_of(lib, explicit, "x")]
    found = []
    for a in [jnp.ones((8, 4)), *[lib.device_put(x, place) for place in places]]:
        for shape in (None, (8, 4), (4,), (3,)):
            found += [
                jnp.zeros_like(a, shape=shape), jnp.empty_like(a, shape=shape), jnp.full_like(a, 2, int, shape=shape),
                jnp.ones_like(a, shape=shape), lax.full_like(a, 2, shape=shape),
            ]
    return found


def given_back(lib):
    """What a function gives back as it was given is on the default device, as all that it computes."""
    jnp, lax, numbers, whole = lib.numpy, lib.lax, np.ones((2, 2), np.float32), np.arange(3)
    with lib.default_device(lib.devices()[3]):
        return [
            jnp.positive(numbers), jnp.floor(whole), jnp.ceil(whole), jnp.trunc(whole), jnp.abs(numbers > 0),
            jnp.astype(numbers, "float32"), jnp.full((2, 2), numbers), jnp.full_like(numbers, numbers),
            jnp.ix_(whole)[0], lax.broadcast_like(numbers, numbers), lax.reshape(numbers, (2, 2)),
            lax.broadcast_to_rank(numbers, 1), lax.transpose(numbers, (0, 1)), jnp.positive(jnp.asarray(numbers)),
        ]


def looped(lib):
    """What a loop computes while an explicit mesh is set is divided as its type says: not at all."""
    mesh, lax = lib.make_mesh((4, 2), ("x", "y")), lib.lax
    with lib.set_mesh(mesh):
        f = lib.jit(lambda a: (lax.fori_loop(0, 3, lambda i, c: c * 2, a), lax.while_loop(
            lambda c: c[0] < 3, lambda c: (c[0] + 1, c[2], c[1]), (0, a, a + 1))[1]), in_shardings=lib.P("x", "y"))
        return f(np.ones((8, 4), np.float32))


def gone(lib):
    """A program is traced and lowered for arrays that were deleted, whose types and places are known."""
    mesh = lib.make_mesh((2,), ("x",), axis_types=(lib.sharding.AxisType.Auto,))
    arrays = [lib.numpy.ones(4), lib.device_put(x, mesh_of(lib, mesh, "x")), lib.device_put(x, lib.devices()[1])]
    for a in arrays:
        a.delete()
    f = lib.jit(lambda a: a * 2)
    abstract = lib.NamedSharding(mesh.abstract_mesh, lib.P("x"))
    return [[a.committed, a.sharding, f.lower(a).as_text(), f.trace(a).jaxpr, f.eval_shape(a), lambda a=a: f(a)]
            for a in arrays] + [abstract, lib.ShapeDtypeStruct((4,), "int32", sharding=abstract)]


def as_the_function_says(lib):
    """In compiled programs functions that say how they are divided are divided, and pairs are divided alike."""
    of = lambda name: importlib.import_module(f"{lib.__name__}.experimental.{name}")
    shard_alike, mesh = of("shard_alike").shard_alike, lib.make_mesh(
        (4, 2), ("x", "y"), axis_types=(lib.sharding.AxisType.Auto,) * 2)
    a, jit = lib.device_put(x, mesh_of(lib, mesh, "x", "y")), lib.jit
    double = of("custom_partitioning").custom_partitioning(lambda b: b * 2)
    double.def_partition(
        lambda mesh, args, result: (mesh, lambda b: b * 2, result.sharding, (args[0].sharding,)),
        infer_sharding_from_operands=lambda mesh, args, result: args[0].sharding, sharding_rule="i j -> i j")
    alike = jit(lambda b, c: (shard_alike(b * 2, c), shard_alike(b, b)))
    return [jit(double)(a), jit(lambda b: double(b).sum())(a), alike(x, a),
            [line for line in alike.lower(x, a).as_text().split("\n") if "group" in line]]


def meshes_that_are_asked(lib):
    """A mesh without devices counts inside of its block alone; programs know the axes of the mesh that is set."""
    s, mesh = lib.sharding, lib.make_mesh((2,), ("x",))
    block = s.use_abstract_mesh(mesh.abstract_mesh)
    found = [s.get_abstract_mesh()]
    with block:
        found.append(s.get_abstract_mesh())
    with lib.set_mesh(mesh):
        found += [s.get_abstract_mesh(), s.get_mesh(), lambda: lib.jit(lambda a: (s.get_mesh(), a)[1])(x)]
    return [*found, s.get_abstract_mesh(), s.get_mesh(), lambda: lib.jit(lambda a: (s.get_mesh(), a)[1])(x)]


def asked_under_a_mesh(lib):
    """An operand over the devices of the mesh that is set in another order is moved if the call asks for it."""
    kinds = (lib.sharding.AxisType.Auto,)
    mesh, back = (lib.sharding.Mesh(np.array(d), ("x",), axis_types=kinds) for d in (
        lib.devices()[:2], lib.devices()[1::-1]))
    a, b = (lib.device_put(x, mesh_of(lib, m, "x")) for m in (mesh, back))
    with lib.set_mesh(mesh):
        places = (mesh_of(lib, mesh), mesh_of(lib, mesh, "x"))
        return [lib.jit(lambda p, q: p + q, in_shardings=places[1], out_shardings=places[1])(a, b),
                lib.jit(lambda p: p * 2, in_shardings=places[1])(b),
                lambda: lib.jit(lambda p: p * 2, in_shardings=places[0])(b)]


CASES = {
    "asked under a mesh": asked_under_a_mesh, "gone": gone, "looped": looped,
    "as the function says": as_the_function_says, "meshes that are asked": meshes_that_are_asked,
    "made under a mesh": made_under_a_mesh, "made like another": made_like, "given back": given_back,
    "operations one by one": case(lambda lib, jnp, mesh, put, d: [
        put("x", "y") + 1, put("x", "y") + put("x"), put("x") + put(None, "y"), put("x") @ put("x").T,
        put("x", "y").sum(0),
        put("x", "y").T, put("x").reshape(-1, 2), put("x")[2:4], jnp.concatenate([put("x"), put("x")]), put() * 2,
        jnp.stack([put("x"), put("x")]), jnp.where(put("x") > 3, put("x"), 0), jnp.roll(put("x"), 1, 0),
        jnp.split(put("x"), 2, axis=1), jnp.argmax(put("x"), 0), lib.device_put(x, d[3]) + 1,
        jnp.abs(lib.device_put(x, d[3])),
    ]),
    "parts": case(lambda lib, jnp, mesh, put, d: [
        put("x", "y")[:4], put("x", "y")[::2], put("x", "y")[1:3, 1:], put("x")[0:8], put("x", "y")[..., :2],
        lib.lax.slice(put("x"), (0, 0), (4, 4)), lib.lax.slice_in_dim(put("x"), 0, 4), put("x", "y")[3],
        lib.jit(lambda a: (a[:4], a[::2]))(put("x", "y")), jnp.nonzero(put("x") > 9),
        jnp.nonzero(lib.device_put(x, d[1])),
    ]),
    "derivatives": case(lambda lib, jnp, mesh, put, d: [
        lib.vjp(lambda a: a * 2, put("x"))[1](jnp.asarray(x)), lib.jvp(lambda a: a + 1, (put("x"),), (jnp.asarray(x),)),
        lib.vjp(lambda a: a * 2, lib.device_put(x, d[1]))[1](jnp.asarray(x)),
        lib.linearize(lambda a: a * 2, put("x", "y"))[1](jnp.asarray(x)), lib.grad(lambda a: a.sum())(put("x")),
        lib.grad(lambda a: (a[:4] ** 2).sum())(put("x")), lib.grad(lambda a: (a * jnp.asarray(x)).sum())(put("x")),
        [lib.grad(lambda a, to=to: (lib.device_put(a, to) ** 2).sum())(put("x", "y"))
         for to in (None, d[0], d[3], mesh_of(lib, mesh, "y"))],
        lib.grad(lambda a: lib.device_put(a, mesh_of(lib, mesh, "y")).sum())(jnp.asarray(x)),
    ]),
    "donation": case(lambda lib, jnp, mesh, put, d: [
        donated(lib, put("x"), out_shardings=mesh_of(lib, mesh)),
        donated(lib, put(), out_shardings=mesh_of(lib, mesh, "x")),
        donated(lib, put("x"), out_shardings=mesh_of(lib, mesh, None, "x")), donated(lib, put("x")),
        donated(lib, jnp.asarray(x), in_shardings=mesh_of(lib, mesh)),
        donated(lib, jnp.asarray(x), in_shardings=mesh_of(lib, mesh, "x")),
        donated(lib, jnp.asarray(x), out_shardings=mesh_of(lib, mesh, "x")),
    ]),
    "a mesh of one device": lambda lib: on_one(lib, lib.numpy),
    "another mesh is set": case(lambda lib, jnp, mesh, put, d: [
        lambda: under(lib, lib.shard_map(lambda a: a, mesh=mesh, in_specs=lib.P("x"), out_specs=lib.P("x")), x),
        lambda: under(lib, lib.pmap(lambda a: a), x),
    ]),
    "like": case(lambda lib, jnp, mesh, put, d: [
        jnp.zeros_like(put("x", "y")), jnp.ones_like(lib.device_put(x, d[3])), jnp.full_like(put("x"), 3.0),
        jnp.empty_like(put("x")), lib.lax.full_like(put("x"), 2.0), jnp.zeros_like(put("x"), shape=(3,)),
        jnp.zeros_like(put("x"), dtype=int), jnp.zeros_like(put("x"), device=d[2]), list(put("x"))[1], list(put())[1],
    ]),
    "like what says a sharding": case(lambda lib, jnp, mesh, put, d: [
        f(a) for a in [lib.ShapeDtypeStruct((8, 4), "float32", sharding=mesh_of(lib, mesh, "x", "y"))]
        for f in (jnp.zeros_like, jnp.ones_like, lambda a: lib.lax.full_like(a, 2.0), lib.typeof)
    ] + [
        lib.lax.with_sharding_constraint(jnp.asarray(x), put("x").format),
        *[lib.jit(lambda a: lib.lax.with_sharding_constraint(a, to))(x)
          for to in [put("x").format]],
    ]),
    "disagreement": case(lambda lib, jnp, mesh, put, d: [
        lambda: put("x") + lib.device_put(x, lib.sharding.NamedSharding(
            lib.sharding.Mesh(np.array(d)[::-1].reshape(4, 2), ("x", "y")), lib.P("x"))),
        lambda: lib.jit(lambda a, b: a + b, in_shardings=(sharding(lib, d[2]), sharding(lib, d[1])))(x, x),
        lambda: lib.jit(lambda a: a, in_shardings=d[0])(x), lambda: lib.jit(lambda a: a, out_shardings="x")(x),
        lambda: lib.jit(lambda a: a, in_shardings=sharding(lib, d[2]), out_shardings=sharding(lib, d[1]))(x),
    ]),
    "jit on a device": case(lambda lib, jnp, mesh, put, d: [
        lib.jit(lambda a: a + 1, device=d[4])(x), lib.jit(lambda a: a + 1, device=d[4])(lib.device_put(x, d[3])),
        lib.jit(lambda a: a + 1, device=d[4])(put("x")), lib.jit(lambda a: a + 1, backend="cpu")(put("x")),
        lib.jit(lambda a: lib.jit(lambda b: b * 2, device=d[2])(a) + 1)(x), lambda: lib.jit(abs, backend="foo")(x),
        lambda: lib.jit(lambda a: a, device=d[0], backend="cpu"),
        lambda: lib.jit(lambda a: a, device=d[0], in_shardings=sharding(lib, d[0])),
        lib.jit(lambda a: a + 1, in_shardings=sharding(lib, d[2]))(x),
        lib.jit(lambda a: a + 1, in_shardings=sharding(lib, d[2]))(lib.device_put(x, d[3])),
        lib.jit(lambda a: a + 1, out_shardings=sharding(lib, d[2]))(x),
    ]),
    "device_put in programs": case(lambda lib, jnp, mesh, put, d: [
        lib.jit(lambda a: lib.device_put(a * 2, d[1]))(x),
        lib.jit(lambda a: lib.device_put(a * 2, sharding(lib, d[1])))(x),
        lib.make_jaxpr(lambda a: lib.device_put((a, a), d[2], src=d[1], donate=True))(x),
        lib.make_jaxpr(lambda a: lib.device_put(a, may_alias=False))(x),
        lib.make_jaxpr(lib.grad(lambda a: lib.device_put(a * a, d[2]).sum()))(x),
        lib.vmap(lambda a: lib.device_put(a * a, d[2]))(x),
        lib.jit(lambda a: lib.device_put(a, lib.sharding.NamedSharding(mesh, lib.P("x"))))(put("x")),
    ]),
    "memories": case(lambda lib, jnp, mesh, put, d: [
        repr(d[2].addressable_memories()), repr(d[0].default_memory()), str(d[0].memory("pinned_host")), d[0].task_id,
        [m.kind for m in d[0].addressable_memories()], repr(list(lib.memory.Space)),
        lib.typeof(lib.device_put(x, lib.memory.Space.Host)), lib.device_put(x, lib.memory.Space.Host) + 1,
        lib.device_put(lib.device_put(x, lib.memory.Space.Host), lib.memory.Space.Device),
        lib.jit(lambda a: lib.device_put(a * 2, lib.memory.Space.Host))(x),
        lib.jit(lambda a: lib.device_put(lib.device_put(a, lib.memory.Space.Host) + 1, lib.memory.Space.Device))(x),
        lib.make_jaxpr(lambda a: lib.device_put(a, lib.memory.Space.Host))(x),
        lib.device_put(x, lib.sharding.NamedSharding(mesh, lib.P("x"), memory_kind="pinned_host")),
        lib.jit(lambda a: (
            lib.device_put(a * 2, lib.memory.Space.Host), lib.device_put(a, lib.memory.Space.Host) + 1, a))(put("x")),
        lambda: sharding(lib, d[0], "hbm"), lambda: lib.device_put(x, lib.memory.Space.Host) + lib.device_put(x),
        lambda: lib.jit(lambda a: a, in_shardings=sharding(lib, d[0], "pinned_host"))(lib.device_put(x)),
    ]),
    "another order of devices": case(lambda lib, jnp, mesh, put, d: [
        (lambda back: [
            lib.jit(lambda a: a * 2, in_shardings=mesh_of(lib, mesh, "x"))(lib.device_put(x, mesh_of(lib, back, "x"))),
            lambda: lib.jit(lambda a: a * 2, in_shardings=mesh_of(lib, mesh))(
                lib.device_put(x, mesh_of(lib, back, "x"))),
            lib.device_put(x, mesh_of(lib, back)).addressable_data(-1).devices(),
        ])(lib.sharding.Mesh(mesh.devices[::-1], mesh.axis_names)),
    ]),
    "inspected": case(lambda lib, jnp, mesh, put, d: [
        found_by(lib, lambda a: a * 2, put("x")), found_by(lib, lambda a: a.T, put("x", "y")),
        found_by(lib, lambda a, b: a @ b, put("x"), put(None, "y").T),
        lib.make_jaxpr(lambda a: (lib.debug.inspect_array_sharding(a, callback=len), a)[1])(x).eqns[0].primitive,
        lambda: lib.live_arrays("gpu"),
    ]),
}


@compiling
def test_is_as_in_jax():
    assert "" == differences(__name__)


@compiling
def test_programs_on_one_device_are_inspected_when_they_are_compiled():
    found = []
    f = adjoint.jit(lambda a: (adjoint.debug.inspect_array_sharding(a, callback=found.append), a + 1)[1])
    assert f(x).tolist() == f(x).tolist() == (x + 1).tolist()
    assert [{ONE}] == [s.device_set for s in found]


@pytest.mark.parametrize("lib", [adjoint, jax])
def test_the_former_name_of_a_process_index_is_heeded_with_a_warning(lib):
    with pytest.warns(UserWarning, match="renamed from `host_id` to `process_index`"):
        assert lib.local_devices(host_id=0) == lib.local_devices()
    with pytest.warns(UserWarning, match="renamed"), pytest.raises(ValueError, match="Unknown process_index 7"):
        lib.local_devices(host_id=7)
