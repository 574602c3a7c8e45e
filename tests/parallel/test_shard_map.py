"""How `shard_map` keeps account of where values vary: types in programs, derivatives and errors are JAX's."""

from __future__ import annotations

import numpy as np
from tests.modes import compiling, promoting

from .beside import differences

x = np.arange(32.0, dtype=np.float32).reshape(8, 4)
w = np.ones(4, np.float32)
y = np.arange(64 * 8.0, dtype=np.float32).reshape(64, 8)


def mapped(lib, f, ins, outs, **options):
    mesh = lib.sharding.Mesh(np.array(lib.devices()).reshape(4, 2), ("x", "y"))
    return lib.shard_map(f, mesh=mesh, in_specs=ins, out_specs=outs, **options)


def traced(lib, *args, **options):
    return lib.jit(mapped(lib, *args, **options))


def both(lib, f, *args):
    """The program and what it computes."""
    return [str(lib.make_jaxpr(f)(*args)), values(lib, f, *args)]


def values(lib, f, *args):
    return [np.round(np.asarray(v), 3).tolist() for v in lib.tree.leaves(lib.jit(f)(*args))]


def loss(lib, **options):
    """The mean over all devices of a function of weights that are the same everywhere, and data that are not."""
    P = lib.P
    f = lambda w, x: lib.lax.pmean(lib.numpy.sum((x @ w) ** 2), ("x", "y"))
    return mapped(lib, f, (P(), P(("x", "y"))), P(), **options)


def scanned(lib, start):
    def f(w, a):
        return lib.lax.scan(lambda c, r: (lib.numpy.tanh(c * (r @ w)), c), start(lib), a)[0][None]

    return mapped(lib, f, (lib.P(), lib.P("x")), lib.P("x"))


def varying(lib):
    return lib.lax.pcast(lib.numpy.float32(1), "x", to="varying")


def refused_unless_cast(lib, f):
    """Return whether a function of a part, and of the part as it is cast, is refused while nothing is cast for it."""
    found = []
    for g in (f, lambda a: f(a * lib.lax.pcast(lib.numpy.float32(2), "x", to="varying"))):
        with lib.auto_pcast(False):
            try:
                found.append(values(lib, mapped(lib, g, lib.P("x"), lib.P("x")), x))
            except ValueError as error:
                found.append(str(error)[:40])
    return found


def tripled(lib, kind):
    """Return the double of an array, whose derivative says three."""
    f = kind(lambda x: 2.0 * x)
    if kind is lib.custom_jvp:
        f.defjvp(lambda p, t: (f(*p), 3.0 * t[0]))
    else:
        f.defvjp(lambda x: (f(x), x), lambda r, g: (3.0 * g + 0 * r,))
    return f


def over_rules(lib, P, f):
    """Functions with a rule of their own, of what varies and of what does not."""
    a, k = x[:, 0], np.float32(2)
    plain = mapped(lib, f, P("x"), P("x"))
    scaled = mapped(lib, lambda x, k: f(k) * x, (P("x"), P()), P("x"))
    return [
        plain(a), lib.grad(lambda a: plain(a).sum())(a), values(lib, lib.grad(lambda a: plain(a).sum()), a),
        lib.vmap(plain)(x.T), mapped(lib, lambda a: lib.grad(lambda b: f(b).sum())(a), P("x"), P("x"))(a),
        both(lib, scaled, a, k), lib.grad(lambda k: scaled(a, k).sum())(k),
    ]


def explicit(lib):
    return lib.make_mesh((4,), ("x",), axis_types=(lib.sharding.AxisType.Explicit,))


def case(f):
    return lambda lib: f(lib, lib.P, lib.lax, lib.numpy)


CASES = {
    "sums": case(lambda lib, P, lax, jnp: [
        both(lib, mapped(lib, lambda a: lax.psum(a, "y"), P("x", "y"), P("x")), x),
        both(lib, mapped(lib, lambda a: lax.pmean(a, ("x", "y")), P("x", "y"), P()), x),
        both(lib, mapped(lib, lambda a: lax.psum(jnp.float32(3), "x") + lax.pmax(2.0, "x"), P("x"), P()), x),
        both(lib, mapped(lib, lambda a: a * lax.psum(1, "x"), P("x"), P("x")), x),
    ]),
    "exchanges": case(lambda lib, P, lax, jnp: both(lib, mapped(lib, lambda a: (
        lax.all_gather(a, "x", tiled=True), lax.ppermute(a, "x", [(0, 1)]), lax.pmax(a, "y"),
        lax.psum_scatter(a, "y", scatter_dimension=0, tiled=True), lax.all_gather(jnp.ones(3), "x"),
    ), P("x", "y"), (P("x", "y"), P("x", "y"), P("x"), P(("x", "y")), P("x"))), x)),
    "exchanges over several axes": case(lambda lib, P, lax, jnp: [
        [str(lib.make_jaxpr(g)(y)), str(lib.make_jaxpr(lambda y, g=g: lib.jvp(g, (y,), (y,)))(y)), lib.jit(g)(y), g(y),
         str(lib.make_jaxpr(lib.vmap(g, 1, 1))(np.stack([y, y], 1))), str(lib.eval_shape(g, y)),
         lib.jit(lib.vmap(g, 1, 1))(np.stack([y, y], 1)), lib.jit(lib.grad(lambda y, g=g: jnp.sin(g(y) / 99).sum()))(y)]
        for names in (("x", "y"), ("y", "x"), ("x",)) for options in ({}, {"check_vma": False}) for g in [
            mapped(lib, f, P(("x", "y")), P(("x", "y")), **options) for f in (
                lambda a, n=names: lax.all_gather(a, n, axis=1, tiled=True), lambda a, n=names: lax.all_gather(a, n),
                lambda a, n=names: lax.all_gather(a, n, axis=1, to="invarying"),
                lambda a, n=names: lax.psum_scatter(a, n, scatter_dimension=1, tiled=True),
                lambda a, n=names: lax.psum_scatter(a[:, : lax.axis_size(n)], n, scatter_dimension=1),
                lambda a, n=names: lax.all_to_all(a, n, 0, 1, tiled=True),
                lambda a, n=names: lax.all_to_all(a[: lax.axis_size(n)], n, 0, 0),
                lambda a, n=names: lax.ppermute(a, n, [(0, 1), (1, 2), (3, 0)]),
            )]]),
    "weak types": case(lambda lib, P, lax, jnp: [
        str(lib.eval_shape(mapped(lib, f, P("x"), P(), **options), jnp.arange(8) * 1.0))
        for options in ({}, {"check_vma": False}) for f in (
            lambda a: lax.psum(a, "x"), lambda a: lax.pmean(a, "x"), lambda a: lax.pmax(a, "x"),
            lambda a: lax.pmin(a, "x"), lambda a: lax.psum(lax.all_to_all(a[:, None].repeat(4, 1), "x", 1, 0), "x"),
            lambda a: lax.psum(lib.grad(lambda v: jnp.sum(lax.psum(v * v, "x")))(a), "x"),
            lambda a: lax.psum(lax.ppermute(a, "x", [(0, 1)]), "x"))]),
    "operands vary alike": case(lambda lib, P, lax, jnp: [
        both(lib, mapped(lib, lambda a, b: a * b + 1.0, (P("x", "y"), P()), P("x", "y")), x, np.float32(2)),
        both(lib, mapped(lib, lambda a: lib.jit(lambda b, c: b * c)(a, 2.0), P("x"), P("x")), x),
        both(lib, mapped(lib, lambda a: lax.pcast(jnp.float32(0), ("x",), to="varying")[None], P("x"), P("x")), x),
        both(lib, lib.vmap(mapped(lib, lambda a: a * 2 + lax.axis_index("x"), P("x", "y"), P("x", "y"))),
             np.arange(96.0, dtype=np.float32).reshape(3, 8, 4)),
        values(lib, mapped(lib, lambda a: (jnp.sort(a), jnp.cumsum(a, 0), lib.nn.softmax(a @ jnp.ones((2, 3)))),
                           P("x", "y"), (P("x", "y"), P("x", "y"), P("x", "y"))), x),
    ]),
    "nothing is cast": case(lambda lib, P, lax, jnp: [refused_unless_cast(lib, f) for f in (
        lambda a: a, lambda a: a + jnp.ones(2, a.dtype)[:, None], lambda a: a * a,
        lambda a: lax.clamp(np.float32(0), a, np.float32(1)),
    )]),
    "some axes": case(lambda lib, P, lax, jnp: both(
        lib, mapped(lib, lambda a: lax.psum(a, "x"), P("x"), P(), axis_names={"x"}), x)),
    "gradients inside": case(lambda lib, P, lax, jnp: [
        both(lib, mapped(lib, lambda w, x: lib.grad(lambda w: jnp.sum((x @ w) ** 2))(w),
                         (P(), P(("x", "y"))), P()), w, x),
        both(lib, mapped(lib, lambda w, x: lib.grad(lambda w: jnp.sum((x @ w) ** 2))(w)[None],
                         (P(), P(("x", "y"))), P(("x", "y")), check_vma=False), w, x),
        both(lib, mapped(lib, lambda a: lib.grad(lambda b: b.sum())(a), P("x", "y"), P("x", "y")), x),
    ]),
    "derivatives outside": case(lambda lib, P, lax, jnp: [
        values(lib, lib.grad(loss(lib)), w, x), values(lib, lib.hessian(lambda w: loss(lib)(w, x)), w),
        values(lib, lib.grad(loss(lib, check_vma=False)), w, x),
        both(lib, lambda a: lib.jvp(mapped(lib, lambda b: lax.psum(jnp.sin(b), "y"), P("x", "y"), P("x")), (a,), (a,)),
             x),
        values(lib, lambda a: lib.vjp(mapped(lib, lambda b: lax.psum(jnp.sin(b), "y"), P("x", "y"), P("x")), a)[1](
            a[:, :2]), x),
        values(lib, lib.grad(lambda a: mapped(lib, lib.checkpoint(
            lambda b: lax.psum(jnp.sin(jnp.sin(b)).sum(), ("x", "y"))), P("x", "y"), P())(a)), x),
    ]),
    "loops": case(lambda lib, P, lax, jnp: [
        str(lib.make_jaxpr(scanned(lib, varying))(w, x / 32)),
        values(lib, lib.grad(lambda w: scanned(lib, varying)(w, x / 32).sum()), w),
        lambda: scanned(lib, lambda lib: lib.numpy.float32(1))(w, x),
    ]),
    "rules of custom_jvp": lambda lib: over_rules(lib, lib.P, tripled(lib, lib.custom_jvp)),
    "rules of custom_vjp": lambda lib: over_rules(lib, lib.P, tripled(lib, lib.custom_vjp)),
    "relu": case(lambda lib, P, lax, jnp: lib.grad(lambda a: mapped(lib, lib.nn.relu, P("x"), P("x"))(a).sum())(x - 9)),
    "what has no spec is passed on": case(lambda lib, P, lax, jnp: [
        mapped(lib, lambda a, s: a + len(s), (P("x"), None), P("x"))(x, s) for s in ("abc", (2,), {"a": jnp.sin})
    ] + [
        mapped(lib, lambda a: a + 1, None, P())(3.0), mapped(lib, lambda a: a + 1, None, P())(x),
        both(lib, mapped(lib, lambda a, b: a * b, (P("x"), None), P("x")), x, np.float32(2)),
        str(lib.make_jaxpr(lambda a: mapped(lib, lambda a, b: a * b, (P("x"), None), P("x"))(a, 3.0))(x)),
        str(lib.make_jaxpr(lambda a: mapped(lib, lambda a, b: a * b, (P("x"), P()), P("x"))(a, 3.0))(x)),
        lib.grad(lambda k: mapped(lib, lambda a, k: a * k, (P("x"), None), P("x"))(x, k).sum())(2.0),
        lib.vmap(lambda k: mapped(lib, lambda a, k: a * k, (P("x"), None), P("x"))(x, k))(jnp.arange(3.0)),
        lambda: mapped(lib, lambda a: a, 3, P("x"))(x),
    ]),
    "abstract meshes": case(lambda lib, P, lax, jnp: [
        lib.shard_map(lambda a: a * 2, mesh=explicit(lib).abstract_mesh, in_specs=P("x"), out_specs=P("x"))(
            lib.device_put(x, lib.NamedSharding(explicit(lib), P("x")))),
        lambda: lib.shard_map(lambda a: a, mesh=lib.make_mesh((4,), ("x",), axis_types=(
            lib.sharding.AxisType.Auto,)).abstract_mesh, in_specs=P("x"), out_specs=P("x"))(x),
    ]),
    "specs from types": case(lambda lib, P, lax, jnp: [
        lib.shard_map(lambda a: a + 1, mesh=explicit(lib), out_specs=P("x"))(
            lib.device_put(x, lib.NamedSharding(explicit(lib), P("x")))),
        lambda: lib.shard_map(lambda a: a, mesh=lib.make_mesh((4,), ("x",), axis_types=(lib.sharding.AxisType.Auto,)),
                              out_specs=P("x"))(x),
    ]),
    "errors": case(lambda lib, P, lax, jnp: [
        lambda: traced(lib, lambda a: lax.pcast(a, "x", to="varying"), P("x"), P("x"))(x),
        lambda: traced(lib, lambda a: a, P("x", "y"), P("x"))(x), lambda: traced(lib, lambda a: a, P("x"), P())(x),
        lambda: traced(lib, lambda a: a, P("y"), P(), axis_names={"x"})(x),
        lambda: traced(lib, lambda a: a, P("x"), P(), axis_names={"z"})(x),
        lambda: traced(lib, lambda a: lib.vjp(lambda b: b * 2, a)[1](jnp.ones((2, 4)))[0], P("x"), P("x"))(x),
        lambda: traced(lib, lambda a: lax.cond(True, lambda b: b.sum(), lambda b: 0.0, a)[None], P("x"), P("x"))(x),
    ]),
}


@compiling
def test_shard_map_is_like_jax():
    assert "" == differences(__name__)


@promoting
def test_without_xla_the_host_computes_the_same(monkeypatch):
    """Where jaxlib is not installed, on whole arrays; here on the one device of this process."""
    import adjoint
    from adjoint.engines.placed import dispatch as placement

    mesh = adjoint.make_mesh((1,), ("x",), axis_types=(adjoint.sharding.AxisType.Auto,))
    f = adjoint.shard_map(lambda a: a * adjoint.lax.psum(a, "x") + adjoint.lax.axis_index("x"), mesh=mesh,
                          in_specs=adjoint.P("x"), out_specs=adjoint.P("x"))
    monkeypatch.setattr(placement, "has_xla", lambda: False)
    assert (x * x).tolist() == f(x).tolist() == adjoint.jit(f)(x).tolist()


@compiling
@promoting
def test_operands_that_lie_along_axes_of_another_mesh_are_taken():
    """On one device, whose operands lie over it by a name that the program does not have."""
    import adjoint

    auto = (adjoint.sharding.AxisType.Auto,)
    mesh, other = (adjoint.make_mesh((1,), (name,), axis_types=auto) for name in ("x", "r"))
    a = adjoint.device_put(x, adjoint.NamedSharding(other, adjoint.P("r")))
    f = adjoint.shard_map(adjoint.lax.sin, mesh=mesh, in_specs=adjoint.P("x"), out_specs=adjoint.P("x"))
    for out, spec in ((f(a), ["x"]), (adjoint.jit(f)(a), []), (adjoint.jvp(f, (a,), (a,))[0], ["x"])):
        assert np.allclose(out, np.sin(x)) and out.sharding == adjoint.NamedSharding(mesh, adjoint.P(*spec))
    assert (x[:1] + 1).tolist() == adjoint.pmap(lambda y: y + 1)(a[:1]).tolist()
