"""Mesh axes of type `Explicit`: types, errors and values as in JAX, on 8 virtual devices."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import product

import numpy as np
import pytest
from tests.modes import compiling
from tests.streams import stream

from .beside import differences

rng = stream()
DATA = {shape: rng.standard_normal(shape).astype(np.float32)
        for shape in [(8, 4), (4, 8), (4, 4), (4, 8, 4), (4, 4, 2), (16, 4), (4, 2, 4), (8,), (4, 3, 8, 8), (8, 6)]}


class Setting:
    """Arrays over a mesh of 4 by 2 whose axes are explicit."""

    def __init__(self, lib):
        self.lib, self.P = lib, lib.sharding.PartitionSpec
        self.mesh = lib.make_mesh((4, 2), ("x", "y"), axis_types=(lib.sharding.AxisType.Explicit,) * 2)

    def sharding(self, *spec):
        return self.lib.sharding.NamedSharding(self.mesh, self.P(*spec))

    def __call__(self, shape, *spec):
        return self.lib.device_put(DATA[shape], self.sharding(*spec))


def of_type(f):
    """A case about the types of results."""

    def run(lib):
        d = Setting(lib)
        with lib.set_mesh(d.mesh):
            out = f(lib, lib.numpy, d, d.P)
            return [str(lib.typeof(x)) for x in lib.tree.leaves(out)]

    return run


def refused(*functions):
    """A case about errors: classes, and first lines of messages."""

    def run(lib):
        d = Setting(lib)
        found = []
        with lib.set_mesh(d.mesh):
            for f in functions:
                try:
                    found.append(str(lib.typeof(f(lib, lib.numpy, d, d.P))))
                except Exception as error:
                    found.append([type(error).__name__, str(error).split("\n")[0]])
        return found

    return run


def of_automatic_meshes(lib):
    """A case about types over meshes whose axes are of type Auto, about operands over several, and about traces."""
    d, jnp, lax, found = Setting(lib), lib.numpy, lib.lax, []
    kinds = lib.sharding.AxisType
    meshes = {
        "AA": d.mesh.update(axis_types=(kinds.Auto,) * 2), "AE": d.mesh.update(axis_types=(kinds.Auto, kinds.Explicit)),
        "EE": d.mesh, "A": lib.make_mesh((8,), ("x",), axis_types=(kinds.Auto,)),
    }
    arrays = {k: lib.device_put(DATA[8, 4], lib.sharding.NamedSharding(m, d.P("x"))) for k, m in meshes.items()}
    plain = jnp.ones((8, 4))

    def note(x):
        sharding = lib.typeof(x).sharding
        found.append(f"{sharding.spec} {sharding.mesh}")
        return x

    def tried(f, *xs):
        try:
            note(f(*xs))
        except Exception as error:
            found.append([type(error).__name__, str(error)[:30]])

    def inside(a, b):
        for x in (b, a.sum(), b * a.sum(), a.T, a[0], a.reshape(-1), b + 1):
            note(x)
        note(lax.scan(lambda c, u: (note(c + u), c), b[0], a)[0])
        note(lax.cond(a.sum() > 0, lambda: b, lambda: a))
        note(lib.vmap(lambda t: note(t * 2))(a))
        note(lax.with_sharding_constraint(b, lib.sharding.NamedSharding(meshes["A"], d.P("x"))))
        return note(lib.shard_map(lambda t: t * 2, mesh=meshes["AA"], in_specs=d.P("x"), out_specs=d.P("x"))(a))

    note(lib.jit(inside)(arrays["AA"], plain))
    note(jnp.sin(arrays["A"])), note(lib.grad(lambda t: (t * arrays["AA"]).sum())(plain))
    for mesh in (None, "AA", "EE"):
        with nullcontext() if mesh is None else lib.set_mesh(meshes[mesh]):
            for a, b in product([arrays["AA"], arrays["AE"], arrays["EE"]], arrays.values()):
                tried(lambda t: t + t, a)
                tried(lib.jit(lambda t, u: (note(t + u), t)[1]), a, b)
    traced = []
    f = lib.jit(lambda t: (traced.append(0), t * 2)[1])
    for x in (plain, arrays["AA"], arrays["AA"] + 1, arrays["A"]):
        f(x)
    with lib.set_mesh(d.mesh):  # inside of `auto_axes` its axes are automatic, and in the backward pass too
        inner = lib.sharding.auto_axes(lib.checkpoint(jnp.tanh), out_sharding=d.P("x"))
        slope = lib.grad(lambda t: inner(t).sum())(arrays["EE"])
        rows = lib.vmap(lib.sharding.auto_axes(lambda t: jnp.sin(t) - t.sum(), out_sharding=d.P()))(arrays["EE"])
    for out in d.P("y"), d.P("none"), d.sharding("y"):  # without a mesh that is set specs say nothing
        tried(lib.sharding.auto_axes(lambda t: t - t[0], out_sharding=out), arrays["EE"].T)
    for mapped in lib.vmap(lambda t: lax.with_sharding_constraint(t, d.sharding()), spmd_axis_name="y"), lib.vmap(note):
        tried(lib.jit(mapped), d((8, 4)))
    short = lib.sharding.AbstractMesh((2,), ("x", "y"))  # which has an error when it is read
    tried(lambda: short.shape)
    tried(lib.jit(lambda: jnp.ones(3, device="cpu")))
    refused = found.pop()[0] in ("AttributeError", "ValueError"), found.pop()[0]
    return [found, len(traced), np.round(slope, 3), np.round(rows, 3), refused]


def of_mixed_carries(lib):
    """A case about branches and loops some of whose values know no mesh."""
    d, lax, found = Setting(lib), lib.lax, []
    divided, whole, plain = d((8, 4), "x", "y"), d((8, 4)), lib.numpy.ones((8, 4))

    def tried(f, *xs):
        try:
            x = f(*xs)
            found.append([str(lib.typeof(x)), str(x.sharding.spec), x])
        except Exception as error:
            found.append(type(error).__name__)

    def told(f):
        def run(a, b):
            x = f(a, b)
            found.append(str(lib.typeof(x)))
            return x

        return lib.jit(run)

    for a, b in (divided, plain), (plain, divided), (divided, whole), (whole, plain):
        tried(lambda: lax.cond(True, lambda: a, lambda: b))
        tried(told(lambda a, b: lax.cond(a.sum() > 0, lambda: a, lambda: b)), a, b)
        tried(told(lambda a, b: lax.switch(1, [lambda: a, lambda: b, lambda: a])), a, b)
        tried(told(lambda a, b: lax.fori_loop(0, 3, lambda i, c: b + 1, a)), a, b)
        tried(told(lambda a, b: lax.while_loop(lambda c: c.sum() < 0, lambda c: b, a)), a, b)
        tried(told(lambda a, b: lax.scan(lambda c, _: (b, None), a, None, length=2)[0]), a, b)
    with lib.set_mesh(d.mesh):
        tried(lambda: lax.cond(True, lambda: divided, lambda: lib.numpy.zeros((8, 4))))
    doubled = lib.jit(lambda a: lax.fori_loop(0, 2, lambda i, c: lib.pure_callback(lambda v: v * 2, c, c), a))
    tried(doubled, divided)
    return found


def of_value(*functions):
    """A case about values and types of the results of jitted functions."""

    def run(lib):
        d = Setting(lib)
        found = []
        with lib.set_mesh(d.mesh):
            for f in functions:
                outs = lib.tree.leaves(lib.jit(lambda f=f: f(lib, lib.numpy, d, d.P))())
                found += [[str(lib.typeof(x)), np.round(np.asarray(x).astype(np.float64), 3).tolist()] for x in outs]
        return found

    return run


def traced(*functions):
    """A case about types of results that are only traced: of an unreduced value, a reduced one, and neither; errors."""

    def run(lib):
        d = Setting(lib)
        U, R = d.P(None, None, unreduced={"x"}), d.P(None, None, reduced={"x"})
        found = []
        with lib.set_mesh(d.mesh):
            for f in functions:
                shown = []

                def types(x, f=f, shown=shown):
                    out = f(lib, lib.numpy, lib.reshard(x, U), lib.reshard(x, R), x)
                    shown.extend([str(lib.typeof(v)) for v in lib.tree.leaves(out)])

                try:
                    lib.eval_shape(types, lib.device_put(DATA[8, 4], d.sharding(None, None)))
                except Exception as error:
                    shown = type(error).__name__
                found.append(shown)
        return found

    return run


def inside(*functions):
    """A case about types inside of `shard_map`, of what is the same everywhere and of what differs."""

    def run(lib):
        d, P = Setting(lib), lib.P
        found = []
        with lib.set_mesh(d.mesh):
            for f in functions:
                shown = []

                def types(a, b, f=f, shown=shown):
                    out = f(lib, lambda x, to: lib.lax.pcast(x, "x", to=to), a, b)
                    shown.extend([str(lib.typeof(v)) for v in lib.tree.leaves(out)])
                    return b

                over = lib.shard_map(types, in_specs=(P(None, None), P("x", None)), out_specs=P("x", None))
                try:
                    lib.eval_shape(over, *[lib.device_put(DATA[8, 4], d.sharding(s, None)) for s in (None, "x")])
                except Exception as error:
                    shown = type(error).__name__
                found.append(shown)
        return found

    return run


def types_with_shardings(lib):
    """Types that are made with a sharding, and told another one."""
    mesh = Setting(lib).mesh.abstract_mesh
    sharding = lambda *spec: lib.sharding.NamedSharding(mesh, lib.sharding.PartitionSpec(*spec))
    made = lambda shape, *spec: lib.core.ShapedArray(shape, np.dtype("float32"), sharding=sharding(*spec))
    x = made((8, 4), "x")
    return [
        x, x.sharding, x.sharding.spec, x.update(dtype=np.dtype("int32")), x.update(sharding=sharding(None, "y")),
        x.update(shape=(4, 2, 6), sharding=sharding("y")), x.update(sharding=None), made((8, 4), ("x", "y")),
        lambda: made((7, 4), "x"), x == made((8, 4), "x"), x == x.update(sharding=None),
    ]


X, R, C = ((8, 4), "x", "y"), ((8, 4), "x"), ((8, 4), None, "y")

def of_whole_values(lib):
    """A case about the mesh in types of values that no axis divides, where none is set."""
    d, jnp, lax, found = Setting(lib), lib.numpy, lib.lax, []

    def note(x):
        sharding = lib.typeof(x).sharding
        found.append(f"{sharding.spec} {sharding.mesh.axis_names}")
        return x

    def f(a, b):
        z = jnp.zeros(())
        for x in (z, b, a.sum(), b * a.sum(), a.sum(0)[:2]):
            note(x)
        note(lax.scan(lambda c, u: (c + jnp.sum(u), note(c)), z, a.T)[1])
        note(lax.cond(a.sum() > 0, lambda: z, lambda: a.sum()))
        note(lax.cond(a.sum() > 0, lambda: a.sum(), lambda: z))
        note(lax.while_loop(lambda c: c.sum() < 3, lambda c: c + 1 + a.sum(), z))
        note(lax.fori_loop(0, 3, lambda i, c: c * 0 + z, a.sum()))
        return a.sum(), z, b * 2, lax.scan(lambda c, u: (c + jnp.sum(u), c), z, a.T)

    outs = lib.jit(f)(d((8, 4), "x"), jnp.ones(3))
    note(d((8, 4), "x").sum()), note(d((8, 4))), note(jnp.ones(3))
    program = lib.make_jaxpr(lib.grad(lambda a: (a * a).sum()))(d((8, 4), "x"))
    with lib.set_mesh(d.mesh):
        inside = lib.shard_map(lambda a: a * jnp.array([0, 1, 2, 3]), in_specs=d.P("x"), out_specs=d.P("x"))(
            d((8, 4), "x"))
    return [found, [str(x.sharding.spec) for x in lib.tree.leaves(outs)], str(program), inside]


def of_nothing(lib):
    """Gradients and tangents of scalars on which nothing depends are on the mesh that is set."""
    d, jnp = Setting(lib), lib.numpy
    with lib.set_mesh(d.mesh):
        scalar, outs = jnp.float32(2), []
        for b in (scalar, 2.0, np.float32(2), lib.device_put(scalar, d.sharding())):
            for f in (lambda a, b: jnp.sum(a), lambda a, b: jnp.sum(a * lib.lax.stop_gradient(b))):
                outs += [*lib.grad(f, (0, 1))(d((8, 4), "x"), b), *lib.vjp(f, d((8, 4), "x"), b)[1](scalar)]
        outs += lib.jvp(lambda b: (b, lib.lax.stop_gradient(b), 3.0), (scalar,), (scalar,))[1]
        return [[str(v.sharding), v.committed, str(lib.typeof(v))] for v in outs]


def of_scalars(lib):
    """Specs of what a scalar and an array give while a mesh is set that does not divide them."""
    d, jnp, v = Setting(lib), lib.numpy, np.ones(8, np.float32)
    functions = (
        lambda t: t.sum() + t, lambda t: t - t.max(), lambda t: jnp.maximum(t[0], t), lambda t: jnp.sin(t),
        lambda t: lib.lax.clamp(t[0], t, t[1]), lambda t: t[:4])
    with lib.set_mesh(d.mesh):
        return [str(lib.jit(f, in_shardings=lib.NamedSharding(d.mesh, lib.P()))(v).sharding.spec) for f in functions]


def of_what_nobody_placed(lib):
    """Gradients with respect to arrays that are on one device, constraints on them, and parts of those in a memory."""
    d, P, jnp = Setting(lib), lib.P, lib.numpy
    plain, found = jnp.asarray(DATA[8, 4]), []
    told = lambda *xs: found.extend([
        [str(lib.typeof(x)), str(x.sharding.spec), [f"{v + 0.0:.3f}" for v in np.asarray(x).ravel()]] for x in xs])
    over_some = lambda a: lib.shard_map(
        lambda q: q * 2, mesh=d.mesh, in_specs=P("x", None), out_specs=P("x"), axis_names={"x"})(a)
    with lib.set_mesh(d.mesh):
        for f in (lambda a: lib.reshard(a, P("x")) ** 2, lambda a: lib.reshard(a, P()) ** 2,
                  lambda a: lib.reshard(a, P("x")) ** 2 + a * 3, over_some):
            slope = lib.grad(lambda a, f=f: f(a).sum())
            told(slope(plain), lib.jit(slope)(plain))
    constrained = lambda a: lib.lax.with_sharding_constraint(a, lib.NamedSharding(d.mesh, P()))
    told(lib.vmap(constrained, spmd_axis_name="x")(plain), *lib.jvp(constrained, (plain,), (plain,)))
    told(lib.jit(lib.vmap(constrained, spmd_axis_name="x"))(plain))
    on_host = lib.device_put(plain, lib.NamedSharding(d.mesh, P("x"), memory_kind="unpinned_host"))
    with lib.set_mesh(d.mesh):
        batch = d((4, 4, 2), "y", "x")
        for f in lib.lax.cumlogsumexp, lib.lax.cummax:
            told(lib.jit(lib.vmap(lib.grad(lambda a, f=f: f(a, axis=1).sum())))(batch))
        rows = d((8, 4), "x")
        told(jnp.select([rows > 0, rows < -1], [rows, 3.0], 1.0))
        told(lib.grad(lambda a, b: abs(b + 1j * a).sum())(rows, d((8, 4))))
        mapped = lib.shard_map(
            lambda q: jnp.take_along_axis(q, jnp.argsort(q, axis=0), axis=0), mesh=d.mesh, in_specs=P("y"),
            out_specs=P("y"), axis_names={"y"})
        told(lib.jit(lib.vmap(mapped))(d((4, 8), None, "y")))
    weak = lambda q: lib.lax.pbroadcast(q.astype(int) * 1.0, "x", 0)
    over_all = lib.shard_map(weak, mesh=d.mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False)
    kind = on_host.addressable_shards[3].data.sharding.memory_kind
    return [found, kind, str(lib.eval_shape(over_all, d((8, 4), "x")).weak_type)]


CASES = {
    "scalars and arrays over the mesh that is set": of_scalars,
    "of nothing": of_nothing,
    "types with shardings": types_with_shardings,
    "tangents that lie otherwise": of_type(lambda lib, jnp, d, P: [
        lib.jvp(jnp.sin, (d(*R),), (d(*C),)), lib.jvp(jnp.sin, (d(*R),), (jnp.ones((8, 4)),)),
        lib.vjp(jnp.sin, d(*R))[1](np.ones((8, 4), np.float32)), lib.linearize(jnp.sin, d(*R))[1](d(*R)),
    ]),
    "batches of products": refused(*[
        lambda lib, jnp, d, P, a=a, b=b, two=two: lib.lax.dot_general(
            d((8, 4), *a), d((8, 4), *b), (((), ()), ((0, 1), (0, 1))) if two else (((1,), (1,)), ((0,), (0,))))
        for a in ((), ("x",), ("y",), (None, "y"), (("x", "y"),)) for b in ((), ("x",), ("y",), (None, "y"))
        for two in (False, True)
    ]),
    "parts that are moved": of_type(lambda lib, jnp, d, P: [
        lib.grad(lambda a: lib.lax.dynamic_slice(a, (i, 0), (4, 4)).sum())(d((8, 4), "x")) for i in (0, 1)] + [
        lib.jit(lib.grad(lambda a: lib.lax.dynamic_slice_in_dim(a, 0, 4, 0).sum()))(d((8, 4), "x", "y")),
        lib.grad(lambda a: lib.lax.dynamic_update_slice(a, a[:4], (0, 0)).sum())(d((8, 4), "x")),
        lib.vjp(lambda a, b: lib.lax.dynamic_update_slice(a, b, (0, 0)), d((8, 4), "x"), d((8, 4), "x"))[1](
            d((8, 4), "x")),
        lib.grad(lambda a, b: jnp.einsum("...i,...i->i", b, a).sum(), (0, 1))(d((8, 4)), d((8, 4), None, "y")),
    ]),
    "whole Jacobians": of_type(lambda lib, jnp, d, P: [
        jacobian(f)(d((8, 4), *spec)) for spec in (("x",), (None, "y"), ("x", "y"), (("x", "y"),), ())
        for f in (lambda a: a * 2, lambda a: jnp.sin(a).sum(0), lambda a: a.T * 3.0, lambda a: (a**2).sum())
        for jacobian in (lib.jacfwd, lib.jacrev, lambda f: lib.jit(lib.jacrev(f)))
    ] + [lib.hessian(lambda a: (a**3).sum())(d((8,), "x")), lib.jacrev(lambda a: a[0] * a[1])((d((8,), "x"), 2.0))]),
    "cotangents that lie otherwise": refused(
        lambda lib, jnp, d, P: lib.vjp(jnp.sin, d(*R))[1](d(*C)),
        lambda lib, jnp, d, P: lib.linearize(jnp.sin, d(*R))[1](d(*C)),
    ),
    "attention with fewer keys": of_type(lambda lib, jnp, d, P: [
        lib.nn.dot_product_attention(*[lib.device_put(
            np.ones((4, 6, n, 8), np.float32), d.sharding("x", None, "y")) for n in (4, 2, 2)], is_causal=causal)
        for causal in (False, True)
    ]),
    "types": of_type(lambda lib, jnp, d, P: [
        d(*X), d(*R), d(*C), jnp.ones(3), d(*X) + 1, d(*X) + d(*R), d(*R) + d(*C), d(*X).T, d(*X).sum(0), d(*X).sum(),
        d(*X).argmax(1), d(*R)[:, None], d(*R)[None], d(*R)[:, 1:3], d(*X) > 0, d(*X).astype(int), jnp.flip(d(*R), 0),
        jnp.where(d(*X) > 0, d(*X), 0), jnp.stack([d(*R), d(*R)]), jnp.concatenate([d(*X), d(*X)]),
        jnp.cumsum(d(*R), 1),
        jnp.sort(d(*R), 1), jnp.pad(d(*R), ((0, 0), (1, 1))), jnp.broadcast_to(d(*R), (3, 8, 4)), jnp.split(d(*R), 2),
        jnp.zeros_like(d(*X)), jnp.take(d(*R), jnp.array([0, 1]), axis=1), jnp.tile(d(*R), (1, 2)),
        lib.nn.softmax(d(*R)),
        jnp.roll(d(*R), 1, axis=1), jnp.var(d(*R)), jnp.linalg.norm(d(*R)), lib.lax.top_k(d(*R), 2), jnp.fft.fft(d(*R)),
        lib.lax.dynamic_slice(d(*R), (0, 1), (8, 2)), d(*R).at[:, 0].set(d((8,), "x")), lib.lax.rev(d(*R), (0,)),
        lib.lax.reduce(d(*X), np.float32(0), lib.lax.add, (0,)), jnp.ones((8, 4), out_sharding=P("x")),
        lib.lax.conv(d((4, 3, 8, 8), "x"), jnp.ones((2, 3, 3, 3)), (1, 1), "SAME"),
    ]),
    "products": of_type(lambda lib, jnp, d, P: [
        d(*R) @ d((4, 8), None, "y"), d(*X) @ jnp.ones((4, 8)), d((4, 8, 4), "x") @ d((4, 4, 2), "x"),
        jnp.dot(d(*X), d((4, 8), "y"), out_sharding=P("x")), jnp.dot(d(*X), d((4, 8), "y"), out_sharding=d.sharding()),
        jnp.einsum("ij,jk->ik", d(*X), d((4, 8), "y"), out_sharding=P("x", None)),
    ]),
    "reshapes": of_type(lambda lib, jnp, d, P: [
        d(*X).reshape(32), d(*R).reshape(8, 2, 2), d(*R).reshape(8, 1, 4), d(*X).reshape(4, 2, 4), d(*R).reshape(32),
        d(*C).reshape(8, 2, 2), d(*C).reshape(2, 4, 4), d((16, 4), "x").reshape(8, 2, 4),
        d((4, 2, 4), "x").reshape(8, 4),
        d((4, 2, 4), "x", "y").reshape(8, 4), d((8,), "x").reshape(1, 8), d((8,), ("x", "y")).reshape(4, 2),
        jnp.reshape(d(*X), 32, out_sharding=P("x")), lib.lax.reshape(d(*R), (8, 4), out_sharding=P("y")),
    ]),
    "refusals": refused(
        lambda lib, jnp, d, P: d(*X) + d((8, 4), "y", "x"), lambda lib, jnp, d, P: d(*X) @ d((4, 8), "y"),
        lambda lib, jnp, d, P: d((8, 4), None, "x") @ d((4, 8), "y"), lambda lib, jnp, d, P: d(*R) @ d(*R).T,
        lambda lib, jnp, d, P: d(*X).reshape(2, 4, 4), lambda lib, jnp, d, P: d(*C).reshape(32),
        lambda lib, jnp, d, P: d((8, 6), "x").reshape(4, 12),
        lambda lib, jnp, d, P: d((4, 2, 4), None, "y").reshape(8, 4),
        lambda lib, jnp, d, P: jnp.concatenate([d(*R), d(*C)], 1), lambda lib, jnp, d, P: jnp.cumsum(d(*R), 0),
        lambda lib, jnp, d, P: jnp.sort(d(*R), 0), lambda lib, jnp, d, P: d(*R)[jnp.array([0, 1])],
        lambda lib, jnp, d, P: d(*R).at[0].set(jnp.ones(4)), lambda lib, jnp, d, P: lib.sharding.reshard(d(*X), P("q")),
        lambda lib, jnp, d, P: lib.lax.with_sharding_constraint(d(*X), P("y", None)),
        lambda lib, jnp, d, P: lib.sharding.reshard(jnp.ones(3), P("x")),
        lambda lib, jnp, d, P: lib.lax.scan(lambda c, a: (c + a, c), jnp.zeros(4), d(*R)),
        lambda lib, jnp, d, P: jnp.dot(d(*X), d((4, 8), "y"), out_sharding=P("z")),
    ),
    "moved": of_type(lambda lib, jnp, d, P: [
        lib.sharding.reshard(d(*X), P("y", None)), lib.sharding.reshard(DATA[8, 4], P("x")),
        lib.sharding.reshard({"a": d(*X), "b": d(*R)}, P()), lib.lax.with_sharding_constraint(d(*X), P("x", "y")),
        lib.sharding.auto_axes(lambda a: a.reshape(32) * 1, out_sharding=P("x"))(d(*X)),
        lib.sharding.auto_axes(lambda a: a * 1, axes="x", out_sharding=P("x", "y"))(d(*X)),
        lib.jit(lambda a: lib.sharding.auto_axes(lambda a: a @ a.T, out_sharding=P("x"))(a))(d(*X)),
        lib.jit(lib.sharding.auto_axes(lambda a: a * 2, out_sharding=P("x")))(DATA[8, 4]),
        lib.jit(lambda: jnp.reshape(jnp.arange(8), (4, 2), out_sharding=P("x")))(),
        lib.jit(lambda a: a * 2, out_shardings=d.sharding("y"))(d(*X)), lib.jit(lambda a: a.T)(d(*X)),
        lib.jit(lambda a: lib.device_put(a, d.sharding("y")))(d(*X)),
        lib.shard_map(lambda a: lib.lax.psum(a, "x"), in_specs=P("x", "y"), out_specs=P(None, "y"))(d(*X)),
    ]),
    "random": of_type(lambda lib, jnp, d, P: [
        f(*arguments, out_sharding=s)
        for s in (P("x"), P(None, "y"), d.sharding("x", "y"))
        for f, *arguments in (
            (lib.random.normal, lib.random.key(0), (8, 4)), (lib.random.uniform, lib.random.key(0), (8, 4)),
            (lib.random.bits, lib.random.key(0), (8, 4)), (lib.random.gamma, lib.random.key(0), 2.0, (8, 4)),
            (lib.random.randint, lib.random.key(0), (8, 4), 0, 9), (lib.random.laplace, lib.random.key(0), (8, 4)),
            (lib.random.bernoulli, lib.random.key(0), 0.5, (8, 4)),
        )
    ]),
    "random refusals": refused(
        lambda lib, jnp, d, P: lib.random.normal(lib.random.key(0), (8, 4), out_sharding="x"),
        lambda lib, jnp, d, P: lib.random.normal(lib.random.key(0), (8, 4), out_sharding=P("z")),
        lambda lib, jnp, d, P: lib.random.normal(lib.random.key(0), (3,), out_sharding=P("x")),
    ),
    "without a mesh": lambda lib: [
        lib.typeof(lib.numpy.ones((2, 3))).sharding,
        lib.random.normal(lib.random.key(0), (2,), out_sharding=lib.typeof(lib.numpy.ones(2)).sharding),
        lambda: lib.random.normal(lib.random.key(0), (2,), out_sharding=lib.sharding.PartitionSpec("x")),
    ],
    "jaxprs": lambda lib: within(lib, lambda jnp, d, P: [
        lib.make_jaxpr(lambda a, b: jnp.sin(a) @ b.T)(d(*R), jnp.ones((8, 4))),
        lib.make_jaxpr(lambda a: lib.sharding.reshard(a, P("y", None)))(d(*X)),
        lib.make_jaxpr(lib.sharding.auto_axes(lambda a: a.reshape(32) * 1, out_sharding=P("x")))(d(*X)),
        lib.make_jaxpr(lambda a: jnp.reshape(a, 32).sum())(d(*R)), lib.make_jaxpr(lib.vmap(jnp.sin))(d(*R)),
        lib.typeof(d(*X)).sharding, lib.eval_shape(lambda a: a.T, d(*X)),
    ]),
    "gradients": of_value(
        lambda lib, jnp, d, P: lib.grad(lambda w, r: jnp.mean(jnp.tanh(r @ w) ** 2), (0, 1))(d((4, 4)), d(*R)),
        lambda lib, jnp, d, P: lib.grad(lambda a, b: (jnp.dot(a, b, out_sharding=P("x")) ** 2).sum(), (0, 1))(
            d(*X), d((4, 8), "y")),
        lambda lib, jnp, d, P: lib.grad(lambda a: (lib.nn.softmax(a) * a.reshape(32).reshape(8, 4)).sum())(d(*R)),
        lambda lib, jnp, d, P: lib.grad(lambda a, b: ((a @ b) ** 2).sum(), (0, 1))(d((4, 8, 4), "x"), d((4, 4, 2),
            "x")),
        lambda lib, jnp, d, P: lib.grad(lambda a: (a[:, 1:3].max(1) ** 2).sum())(d(*R)),
        lambda lib, jnp, d, P: lib.grad(lambda a: (lib.sharding.reshard(a, P()) ** 2).sum())(d(*X)),
        lambda lib, jnp, d, P: lib.grad(lambda a: a[:, jnp.array([0, 2])].sum())(d(*R)),
    ),
    "unreduced and reduced": traced(
        lambda lib, jnp, u, r, n: [u, r, u + u, u * r, r * r, u.T, u.sum(0), u[:2], u.astype("bfloat16"), -r],
        lambda lib, jnp, u, r, n: [jnp.stack([u, u]), jnp.concatenate([r, r]), jnp.pad(u, 1), r @ n.T, jnp.sin(r)],
        lambda lib, jnp, u, r, n: jnp.where(n > 0, u, u),
        lambda lib, jnp, u, r, n: [lib.reshard(x, s) for x in (u, r) for s in (lib.P(None, None), lib.P("y", None))],
        lambda lib, jnp, u, r, n: lib.lax.scan(lambda c, _: (c + u, None), u, None, length=2)[0],
        lambda lib, jnp, u, r, n: [lib.grad(f)(r) for f in (
            lambda r: (r * r).sum(), lambda r: jnp.sin(r).sum(), lambda r: (r.T * 2).sum(), lambda r: r[0].sum(),
            lambda r: lib.reshard(r, lib.P(None, None)).sum())],
        lambda lib, jnp, u, r, n: lib.value_and_grad(
            lambda r: (lib.reshard(jnp.ones((4, 8)), lib.P("x", None)) @ r).sum())(r),
        lambda lib, jnp, u, r, n: lib.grad(lambda u: lib.reshard(u, lib.P(None, None)).sum())(u),
        lambda lib, jnp, u, r, n: u + n, lambda lib, jnp, u, r, n: u * u, lambda lib, jnp, u, r, n: u * n,
        lambda lib, jnp, u, r, n: r + n, lambda lib, jnp, u, r, n: jnp.sin(u), lambda lib, jnp, u, r, n: u @ n.T,
    ),
    "unreduced and reduced in shard_map": inside(
        lambda lib, cast, a, b: [
            lib.numpy.full_like(b, .5), lib.numpy.zeros_like(b + 1), lib.lax.full_like(b, 2, shape=(3,)),
            lib.numpy.ones_like(lib.lax.psum(b, "x")), lib.numpy.empty_like(b)],
        lambda lib, to, a, b: [to(a, "varying"), to(a, "reduced"), to(b, "unreduced"), to(to(a, "reduced"), "varying")],
        lambda lib, to, a, b: [lib.lax.psum(to(b, "unreduced"), "x"), to(a, "reduced")[:2] * b],
        lambda lib, to, a, b: lib.lax.all_gather(b, "x", tiled=True, to="reduced"),
        lambda lib, to, a, b: lib.grad(lambda r: (r[:2] * b).sum())(to(a, "reduced")),
        lambda lib, to, a, b: to(a, "unreduced"), lambda lib, to, a, b: to(b, "reduced"),
        lambda lib, to, a, b: to(b, "varying"), lambda lib, to, a, b: to(a, "reduced") + a,
        lambda lib, to, a, b: lib.lax.psum(to(a, "reduced"), "x"),
    ),
    "the mesh of values that are not divided": of_whole_values,
    "values over meshes without explicit axes": of_automatic_meshes,
    "branches and carries, some without a mesh": of_mixed_carries,
    "what nobody placed": of_what_nobody_placed,
    "mapped axes": refused(
        lambda lib, jnp, d, P: lib.vmap(lambda a: jnp.dot(a, jnp.ones((4, 8)), out_sharding=P("y")))(d(*R)),
        lambda lib, jnp, d, P: lib.vmap(lambda a: jnp.dot(a, jnp.ones((4, 8)), out_sharding=P("x")))(d(*R)),
        lambda lib, jnp, d, P: lib.vmap(lambda a: lib.reshard(a, P("y")))(d(*R)),
        lambda lib, jnp, d, P: lib.vmap(lambda a: jnp.ones(3))(d(*R)),
        lambda lib, jnp, d, P: lib.vmap(lambda a: jnp.concatenate([a, jnp.ones(4)]))(d(*R)),
        lambda lib, jnp, d, P: lib.vmap(lambda a, b: a + b)(d(*R), DATA[8, 4]),
        lambda lib, jnp, d, P: lib.vmap(lambda a: a, spmd_axis_name="y")(d(*R)),
        lambda lib, jnp, d, P: lib.jit(lib.vmap(lambda a: lib.lax.fori_loop(0, 2, lambda i, c: c + a, a)))(d(*R)),
    ),
    "mapped and looped": of_value(
        lambda lib, jnp, d, P: lib.vmap(lib.grad(lambda a, b: ((a @ b) ** 2).sum()))(d((4, 8, 4), "x"), d((4, 4, 2),
            "x")),
        lambda lib, jnp, d, P: lib.vmap(lambda a: (a + jnp.ones((8, 4))).reshape(32))(d((4, 8, 4), "x")),
        lambda lib, jnp, d, P: lib.lax.scan(lambda c, a: (c + a.sum(), c * a), jnp.zeros(()), d(*C)),
        lambda lib, jnp, d, P: lib.lax.cond(d(*X).sum() > 0, lambda a: a * 2, lambda a: a, d(*X)),
        lambda lib, jnp, d, P: lib.lax.while_loop(lambda a: (a < 9).all(), lambda a: a * 2 + 9, d(*X)),
        lambda lib, jnp, d, P: d((4, 4)).at[lib.sharding.reshard(np.arange(8) % 4, P("x"))].get(out_sharding=P("x")),
    ),
}


def within(lib, f):
    d = Setting(lib)
    with lib.set_mesh(d.mesh):
        return [str(x) for x in f(lib.numpy, d, d.P)]


@compiling
def test_is_as_in_jax():
    assert "" == differences(__name__)


def test_operands_over_another_mesh_than_the_one_that_is_set_are_refused():
    import adjoint

    mesh, other = [adjoint.make_mesh((1,), (name,)) for name in "xz"]
    a = adjoint.device_put(np.ones(2, np.float32), adjoint.NamedSharding(mesh, adjoint.P("x")))
    b = adjoint.device_put(np.ones(2, np.float32), adjoint.NamedSharding(other, adjoint.P("z")))
    for f in (lambda: a + 1, lambda: adjoint.jit(lambda a: a + 1)(a)):
        with adjoint.set_mesh(other), pytest.raises(ValueError, match="context mesh .* should match the aval mesh"):
            f()
    with pytest.raises(ValueError, match="Mesh for all inputs should be equal"):
        a + b
