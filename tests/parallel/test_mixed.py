"""Meshes with axes of several types, what nobody placed beside what is divided, and what calls do not follow."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from tests.modes import compiling

from . import beside


def setting(lib):
    """A mesh of explicit axes, one of an explicit and an automatic axis, and what makes arrays over them."""
    kinds, devices = lib.sharding.AxisType, np.array(lib.devices())
    explicit = lib.sharding.Mesh(devices.reshape(4, 2), ("x", "y"), axis_types=(kinds.Explicit,) * 2)
    mixed = lib.sharding.Mesh(devices[:4].reshape(2, 2), ("x", "y"), axis_types=(kinds.Explicit, kinds.Auto))
    auto = lib.sharding.Mesh(devices, ("x",), axis_types=(kinds.Auto,))
    made = lambda shape, mesh, *spec: lib.device_put(np.ones(shape, np.float32), lib.NamedSharding(mesh, lib.P(*spec)))
    return SimpleNamespace(explicit=explicit, mixed=mixed, auto=auto, made=made)


def results(lib):
    """A result is as its type says where explicit axes divide all of its axes; else the compiler may add to that."""
    s, P = setting(lib), lib.P
    wraps = [lib.jit, lambda f: lib.jit(lib.checkpoint(f)), lambda f: lib.jit(lambda b: f(b) * 2)]
    specs = {
        (4,): [P(("x", "y")), P(("y", "x")), P("y")],
        (4, 4): [P(("x", "y")), P(("y", "x")), P("x"), P("y", "x"), P(None, ("x", "y")), P(None, ("y", "x"))],
    }
    found = []
    with lib.set_mesh(s.mixed):
        for shape, all_specs in specs.items():
            for spec in all_specs:
                f = lib.shard_map(lambda b: b * 1.0, mesh=s.mixed, in_specs=P(None), out_specs=spec, check_vma=False)
                found += [str(wrap(f)(s.made(shape, s.mixed, None)).sharding.spec) for wrap in wraps]
        a = s.made((8, 8), s.mixed, ("y", "x"))
        found.append(lib.jit(lib.checkpoint(lambda a: a))(a).sharding.spec)
    return found


def joined(lib):
    """Arrays that nobody placed are joined with divided ones; arrays that are divided otherwise are not."""
    s, jnp = setting(lib), lib.numpy
    a, b, plain = s.made((8, 4), s.explicit, "x", "y"), s.made((8, 4), s.explicit, "x"), jnp.ones((8, 4))
    kind = lambda f, *args: lib.typeof(f(args))
    return [
        kind(jnp.concatenate, a, plain), kind(jnp.concatenate, plain, b), kind(jnp.stack, a, plain),
        kind(jnp.stack, plain, b), lambda: jnp.stack([a, b]), lambda: jnp.concatenate([a, b]),
    ]


def closed_over(lib):
    """What a function closes over does not say where its calls run."""
    s, jnp = setting(lib), lib.numpy
    x = jnp.arange(8.0)
    there, divided = lib.device_put(x, lib.devices()[3]), lib.device_put(x, lib.NamedSharding(s.auto, lib.P("x")))
    on_one = lib.device_put(x, lib.devices()[1])
    return [
        lib.jit(lambda v: v + there)(x), lib.jit(lambda: there)(), lib.jit(lambda v: v + divided)(x),
        lib.jit(lambda v: v + there)(on_one), lib.jit(lambda v: v + divided)(on_one),
        lib.jit(lambda v: v + divided)(divided), lib.jit(lambda v: v + there)(divided),
    ]


def dead(lib):
    """What a program does not need says nothing of where it runs."""
    s = setting(lib)
    a, b = lib.numpy.ones(8), s.made((8,), s.auto, "x")
    f = lib.shard_map(lambda a, b: b * 2, mesh=s.auto, in_specs=lib.P("x"), out_specs=lib.P("x"))
    c = s.made((8,), s.explicit, "x")
    return [
        lib.jit(lib.grad(lambda a, b: f(a, b).sum()))(a, b), lib.jit(lambda a, b: (f(a, b), a + 1)[1])(a, b),
        lib.jit(lambda a, b: f(b, a))(b, a), lib.jit(lambda c: 2.0).lower(c).compile()(c),
    ]


def asked(lib):
    """Functions that are asked how their result is to be divided."""
    s, jnp, P = setting(lib), lib.numpy, lib.P
    x, n = s.made((8, 4), s.explicit, "x"), lib.numpy.arange(8)
    over = lambda spec: lib.NamedSharding(s.explicit, spec)
    auto = lambda axes, mesh: lib.sharding.auto_axes(lambda u: u[::-1] + u, axes=axes, out_sharding=P("x"))
    found = [
        lib.eval_shape(lambda: jnp.ones((8, 4), out_sharding=over(P("x")))), lib.typeof(jnp.repeat(x, 2, axis=0)),
        lib.jit(lambda: lib.lax.full((8,), 2.0, sharding=lib.NamedSharding(s.auto, P("x"))))(),
        lib.jit(lambda: jnp.zeros(8, device=lib.devices()[2]))(), lib.lax.full((8,), 2.0, sharding=over(P("x"))),
        jnp.full(8, 1, device=lib.devices()[2]), auto("x", s.auto)(s.made((8,), s.auto, "x")),
    ]
    with lib.set_mesh(s.explicit):
        found += [
            lib.typeof(x.reshape(8, 2, 2, out_sharding=P(None, "y"))), lambda: jnp.repeat(x, 2, axis=0),
            lambda: x.reshape(8, 2, 2, out_sharding=P("z")), lib.typeof(jnp.bincount(n, length=8, out_sharding=P())),
            lambda: lib.numpy.repeat(x, n, axis=0, total_repeat_length=9),
        ]
    return found


def integers(lib):
    """Tangents of integers pass through pmap, and keys have the axis of their words in the indices of parts."""
    s = setting(lib)
    keys = lib.device_put(lib.random.split(lib.random.key(0), 8), lib.NamedSharding(s.auto, lib.P("x")))
    outs = [
        lib.pmap(lambda n: lib.grad(lambda q: q * 2.0, allow_int=True)(n))(lib.numpy.arange(8)),
        lib.pmap(lambda v: v)(np.zeros((8, 3), lib.dtypes.float0)),
    ]
    return [[(x.shape, x.dtype == lib.dtypes.float0) for x in outs], [p.index for p in keys.addressable_shards]]


def over_some_axes(lib):
    """Calls over one of two mesh axes, with and without another inside: what results are over the other axis."""
    P, kind, found = lib.P, lib.sharding.AxisType, []
    inside = lambda u: lib.shard_map(
        lambda q: q * 2, in_specs=P(None, "y"), out_specs=P(None, "y"), axis_names={"y"})(u)
    for types in ((kind.Explicit, kind.Explicit), (kind.Explicit, kind.Auto), (kind.Auto, kind.Explicit)):
        mesh = lib.make_mesh((2, 4), ("x", "y"), axis_types=types)
        a = lib.device_put(np.ones((8, 8), np.float32), lib.NamedSharding(mesh, P("x", "y")))
        with lib.set_mesh(mesh):
            for f in (lambda u: u * 2, inside):
                called = lib.shard_map(f, in_specs=P("x"), out_specs=P("x"), axis_names={"x"})
                found += [[str(lib.typeof(v)), str(v.sharding.spec)] for v in (called(a), lib.jit(called)(a))]
    return found


def refused(lib):
    """Mistakes about meshes, and about arrays that are made of their parts."""
    s, jnp, P = setting(lib), lib.numpy, lib.P
    over, x = lib.NamedSharding(s.auto, P("x")), np.ones((8, 4), np.float32)
    parts, make = [p.data for p in lib.device_put(x, over).addressable_shards], lib.make_array_from_single_device_arrays
    a, whole = lib.device_put(x, lib.NamedSharding(s.explicit, P("x"))), lib.device_put(x, over.update(spec=P()))
    summed = lambda a: jnp.dot(a.T, a, out_sharding=P(None, None, unreduced={"x"}))

    def of_sums():
        with lib.set_mesh(s.explicit):
            return lib.vjp(summed, a)[1](summed(a))

    return [
        lambda: of_sums(), lambda: lib.jit(lambda v: lib.set_mesh(s.auto) and v)(x),
        lambda: lib.NamedSharding(s.auto, "x"),
        lambda: lib.make_mesh((4, 2), ("x", "y"), axis_types=lib.sharding.AxisType.Auto),
        lambda: make((8, 4), over, 3), lambda: make((8, 4), over, []),
        lambda: make((8, 4), over, [parts[0]] * 8), lambda: make((8, 4), over, parts, dtype=np.int32),
        lambda: make((8, 4), over, [parts[0].astype(int), *parts[1:]]),
        lambda: lib.make_array_from_process_local_data(over, x, (16, 4)),
        lambda: lib.make_array_from_process_local_data(P("x"), x), lambda: whole.unsafe_buffer_pointer(),
        lambda: lib.lax.with_sharding_constraint(x, lib.devices()[1]), whole.on_device_size_in_bytes(),
        lib.make_array_from_callback((8, 4), whole.format, lambda i: x[i]),
        lib.eval_shape(lib.jit(lambda v: v, out_shardings=over), x).sharding == over,
    ]


def in_loops(lib):
    """Loops and branches, called on arrays that nobody placed, whose bodies run over devices."""
    s, P, lax = setting(lib), lib.P, lib.lax
    f = lib.shard_map(lambda y: y * 2, mesh=s.auto, in_specs=P("x"), out_specs=P("x"))
    x, rows = lib.numpy.arange(8.0), lib.numpy.arange(16.0).reshape(2, 8)
    nothing = np.zeros((8,), lib.dtypes.float0)
    return [
        lax.scan(lambda c, v: (c + 1, f(v)), 0, rows), lax.map(f, rows), lax.fori_loop(0, 2, lambda i, v: f(v), x),
        lax.while_loop(lambda v: v[1] < 3, f, x), lax.cond(x[0] > 0, lambda v: v, f, x),
        lib.jvp(lambda v: lax.fori_loop(0, 2, lambda i, v: f(v), v), (x,), (x,)),
        lax.scan(lambda c, v: (c, lax.with_sharding_constraint(v, lib.NamedSharding(s.auto, P("x")))), 0.0, rows)[1],
        lib.pmap(lambda v, n: v)(x, nothing), lib.jit(lambda v, n: v, out_shardings=lib.NamedSharding(s.auto, P()))(
            x, nothing), lib.pmap(lambda v: v, donate_argnums=5)(x),
        lambda: lib.pmap(lambda v, n: v, static_broadcasted_argnums=2)(x, 3),
        lambda: lib.pmap(lambda v: v, backend="no such")(x),
    ]


def repeated(lib):
    """Calls again, with numbers and arrays that nobody placed beside divided ones, and with others in their places."""
    s, jnp = setting(lib), lib.numpy
    a, whole = s.made((8, 4), s.auto, "x"), s.made((8, 4), s.auto)
    plain, there = jnp.ones((8, 4)), lib.device_put(jnp.ones((8, 4)), lib.devices()[2])
    f = lib.jit(lambda a, b: a * 2 + b)
    step = lib.jit(lambda a, b: [v - b for v in a], donate_argnums=0)
    found, state = [], [a + 0, whole + 0]
    for b in (1.0, 1.0, 3.0, plain, plain, np.ones((8, 4), np.float32), a, whole, 2, plain, True):
        found += [f(a, b), f(a, b).sharding.spec]
        before = state
        state = step(state, b)
        found += [float(state[0].sum()), state[1].sharding.spec, [v.is_deleted() for v in before]]
    for b in (whole, whole, a, plain, 2.0, 2.0, whole, 2.0):
        found += [a + b, jnp.maximum(b, a), f(a, b)]
    found += [lambda: a + there, lambda: there + a, lambda: a + 1]
    moved = lib.jit(lambda w: w + 1, in_shardings=whole.sharding)
    one = lib.sharding.SingleDeviceSharding(lib.devices()[5])
    found += [moved(there), moved(plain), moved(whole), lambda: moved(a)]
    one = lib.jit(lambda w: w + 1, in_shardings=one)
    return [*found, one(there), lambda: one.lower(there).compile()(there)]


def mapped_constraints(lib):
    """A constraint in a mapped function says nothing of the mapped axis, which stays divided."""
    P, free = lib.P, lib.P.UNCONSTRAINED
    mesh = lib.make_mesh((2, 4), ("x", "y"), axis_types=(lib.sharding.AxisType.Auto,) * 2)
    over, found = lambda *spec: lib.NamedSharding(mesh, P(*spec)), []
    for given in (over("y"), over("x"), over(), over("y", "x")):
        a = lib.device_put(np.ones((8, 8), np.float32), given)
        for asked in (over("x"), over("y"), over(), over(free)):
            for how in ({}, {"spmd_axis_name": "y"}, {"in_axes": 1, "out_axes": 1}):
                mapped = lib.vmap(lambda r, s=asked: lib.lax.with_sharding_constraint(r * 2, s), **how)
                found.append(lambda f=mapped, a=a: lib.jit(f)(a).sharding.spec)
    explicit = lib.NamedSharding(lib.make_mesh((2, 4), ("x", "y")), P())
    wrong = lambda r: lib.lax.with_sharding_constraint(r, explicit)
    return [*found, lambda: lib.jit(lib.vmap(wrong))(np.ones((8, 8))), lambda: explicit.update(spec=P(free))]


def meshes_of_calls(lib):
    """Calls in jaxprs name the mesh that was set when they were traced."""
    kinds, x, found = lib.sharding.AxisType, lib.numpy.ones((8, 4)), []
    for kind in (kinds.Auto, kinds.Explicit):
        mesh = lib.make_mesh((4, 2), ("x", "y"), axis_types=(kind,) * 2)
        text = lambda f, x=x: str(lib.make_jaxpr(f)(x))
        call = lambda n: lambda v: lib.jit(lambda v: v * n)(v)
        over = lambda n, mesh=mesh: lib.shard_map(
            call(n), mesh=mesh, in_specs=lib.P("x"), out_specs=lib.P("x"), axis_names={"x"})
        with lib.sharding.use_abstract_mesh(mesh.abstract_mesh):
            found.append(text(call(1)))
        placed = lib.device_put(x, lib.NamedSharding(mesh, lib.P("x")))
        found += [text(call(2)), text(over(3), placed)]
        with lib.set_mesh(mesh):
            found += [
                text(call(4)), text(over(5), placed), text(lib.vmap(call(6))), text(lambda v: call(7)(call(8)(v))),
                text(lambda v: lib.jvp(call(9), (v,), (v,))), text(lib.jit(lambda v: v, donate_argnums=0))]
    return found


def given_and_made(lib):
    """Types of NumPy's arrays do not speak of the mesh that is set, those of what is made do; memories leave specs."""
    jnp, P, kinds, found = lib.numpy, lib.P, lib.sharding.AxisType, []
    for kind in (kinds.Explicit, kinds.Auto):
        mesh = lib.make_mesh((4, 2), ("x", "y"), axis_types=(kind,) * 2)
        with lib.set_mesh(mesh):
            outs = [
                jnp.array(np.ones(3)), jnp.asarray([1., 2.]), jnp.array([np.ones(3)]),
                jnp.array(np.ones(3, "int8"), "float32"), jnp.asarray(3), jnp.float32(3), jnp.ones(3), jnp.tri(3),
                jnp.eye(2), jnp.full((2, 2), 3), jnp.arange(3), jnp.zeros_like(np.ones(3)), jnp.array(jnp.ones(2)),
                jnp.stack([np.ones(2)]),
                *lib.lax.scan(lambda c, v: (c + jnp.sum(v), c), 0., jnp.ones((2, 2)))]
            for spec in P("x", None), P(None, None), P(("x", "y"), None), P():
                x = lib.device_put(np.ones((8, 8)), lib.NamedSharding(mesh, spec))
                host = lib.device_put(x, lib.memory.Space.Host)
                outs += [host, *[lib.device_put(v, lib.memory.Space.Device) for v in (host, x)]]
        found += [f"{x.sharding.spec} {x.sharding.memory_kind}" for x in outs]
    return found


def donated(lib):
    """Where the compiler divides results along some axes, their parts may have the size of the donated ones."""
    kinds, found = lib.sharding.AxisType, []
    mesh = lib.make_mesh((2, 4), ("x", "y"), axis_types=(kinds.Auto, kinds.Explicit))
    for spec in lib.P("x", "y"), lib.P("x", None), lib.P(None, "y"), lib.P(("y", "x")), lib.P():
        x = lib.device_put(np.ones((8, 8), np.float32), lib.NamedSharding(mesh, spec)) * 1
        lib.jit(lambda v: v * 2, donate_argnums=0)(x)
        found.append(x.is_deleted())
    return found


def mapped_inside(lib):
    """A `vmap` in a function over some axes, of an operand that nobody placed."""
    mesh = setting(lib).mixed
    over = lambda check: lib.shard_map(
        lambda u: lib.vmap(lambda t: lib.lax.psum(t, "y") * t)(u), in_specs=lib.P(), out_specs=lib.P(),
        axis_names={"y"}, check_vma=check)
    x = np.ones((2, 4), np.float32)
    with lib.set_mesh(mesh):
        return [lib.jit(over(check), in_shardings=lib.NamedSharding(mesh, lib.P(None, "x")))(x)
                for check in (False, True)]


def asserted(lib):
    """A constraint over explicit axes, of a value whose type knows no mesh."""
    mesh = setting(lib).explicit
    with lib.set_mesh(mesh):
        f = lib.vmap(lambda u: lib.lax.with_sharding_constraint(u, lib.P()))
        return [lib.jit(f)(np.ones((4, 2), np.float32)).tolist(), lib.jit(f)(setting(lib).made((4, 2), mesh))]


def unread_elsewhere(lib):
    """A compiled program is called with an operand that it does not read, over the same devices in another order."""
    kinds, devices = lib.sharding.AxisType, np.array(lib.devices()[:4])
    over = lambda devices, *spec: lib.NamedSharding(
        lib.sharding.Mesh(devices, ("x",), axis_types=(kinds.Auto,)), lib.P(*spec))
    there, back = over(devices, "x"), over(devices[::-1])
    x, y = lib.device_put(np.ones((8, 8)), there), lib.device_put(np.ones((8, 8)), over(devices))
    f = lib.jit(lambda p, q: p * 2, in_shardings=(there, back))
    return f.lower(x, y).compile()(x, y)


def chosen(lib):
    """Choices between what is divided and what is made beside it: masks, triangles, derivatives; and collectives that
    choose among parts of a sum."""
    s, jnp, P = setting(lib), lib.numpy, lib.P
    a = lib.device_put(np.arange(64, dtype=np.float32).reshape(8, 8), lib.NamedSharding(s.explicit, P("x", None)))
    replicated = s.made((8, 8), s.auto, None, None)
    kind = lambda f, *args: str(lib.typeof(f(*args)))
    functions = (
        jnp.triu, lambda v: jnp.tril(v, 1), lambda v: jnp.hypot(v, v), lambda v: jnp.logaddexp(v, 0.0),
        lambda v: jnp.ones((8, 8), bool) * v, lambda v: v * (jnp.arange(8) > 3), lib.nn.relu,
    )
    with lib.set_mesh(s.explicit):
        found = [kind(f, a) for f in functions]
        found += [kind(lib.grad(lambda v, f=f: f(v).sum()), a) for f in functions]
        found += [kind(lambda v, f=f: lib.jvp(f, (v,), (v,))[1], a) for f in functions]
    parts = lambda f: lib.eval_shape(lib.shard_map(
        lambda v: f(lib.lax.pcast(v, "y", to="unreduced")), mesh=s.explicit, out_specs=P("x", "y")), a)
    return [
        *found, kind(lambda: jnp.ones_like(replicated, shape=(4,))),
        kind(lambda: lib.lax.full_like(replicated, 2, shape=())),
        lambda: lib.lax.map(jnp.sin, a, batch_size=2),
        lambda: parts(lambda v: lib.lax.pmin(v, "y")), lambda: parts(lambda v: lib.lax.all_gather(v, "y")),
        lambda: parts(lambda v: lib.lax.ppermute(v, "y", [(0, 1)])),
    ]


CASES = {f.__name__: f for f in (
    results, joined, closed_over, dead, asked, integers, over_some_axes, refused, in_loops, repeated,
    mapped_constraints, meshes_of_calls, given_and_made, donated, mapped_inside,
    asserted, unread_elsewhere, chosen)}


@compiling
def test_is_as_in_jax():
    assert beside.differences(__name__) == ""
