"""Calls of Python in programs over several devices: how often, with which parts, in which order."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from tests.modes import compiling, promoting

import adjoint
from adjoint.experimental import io_callback

from .beside import differences

x = np.arange(16.0, dtype=np.float32).reshape(8, 2)


class Calls:
    """Functions of a library that write down what they are called with."""

    def __init__(self, lib, sizes=(8,), names=("x",)):
        self.lib, self.seen = lib, []
        count = int(np.prod(sizes))
        self.mesh = lib.sharding.Mesh(np.array(lib.devices()[:count]).reshape(sizes), names)
        self.io = importlib.import_module(f"{lib.__name__}.experimental").io_callback

    def put(self, *spec):
        return self.lib.device_put(x, self.lib.NamedSharding(self.mesh, self.lib.P(*spec)))

    def heard(self, v):
        self.seen.append(np.asarray(v).tolist())
        return np.asarray(v) + 1

    def like(self, v):
        return self.lib.ShapeDtypeStruct(v.shape, v.dtype)

    def pure(self, v, **options):
        return self.lib.pure_callback(self.heard, self.like(v), v, **options)

    def effect(self, v, **options):
        return self.io(self.heard, self.like(v), v, **options)

    def shown(self, v, **options):
        self.lib.debug.callback(lambda u: self.seen.append(np.asarray(u).tolist()), v, **options)
        return v * 2

    def mapped(self, f, *specs, **options):
        ins, outs = [self.lib.P(s) for s in specs or ("x", "x")]
        return self.lib.jit(self.lib.shard_map(f, mesh=self.mesh, in_specs=ins, out_specs=outs, **options))

    def run(self, f, *args, in_order=False):
        """The result, and what was heard."""
        out = self.lib.tree.map(lambda u: np.asarray(u).tolist(), f(*args))
        self.lib.effects_barrier()
        heard, self.seen = self.seen, []
        return [str(out), heard if in_order else sorted(map(str, heard))]


KINDS = ("pure", "effect", "shown")


def whole(lib):
    """One device calls, for all: under jit, in loops and branches, mapped."""
    calls, lax = Calls(lib), lib.lax
    found = []
    for kind in KINDS:
        f = getattr(calls, kind)
        for g in (
            f, lambda v, f=f: lax.scan(lambda c, _: (f(c), None), v, None, length=2)[0],
            lambda v, f=f: lax.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, f(c[1])), (0, v))[1],
            lambda v, f=f: lax.cond(v.sum() > 0, f, lambda c: c * 3, v),
            lambda v, f=f: lax.map(f, v), lambda v, f=f: lib.checkpoint(f)(v),
        ):
            found.append(calls.run(lib.jit(g), calls.put("x")))
    return found


def in_order(lib):
    """Ordered effects over several devices, and of shard_map over one, happen in the order of the program."""
    calls, lax = Calls(lib), lib.lax

    def f(v):
        v = calls.effect(v, ordered=True)
        v = lax.fori_loop(0, 2, lambda i, c: calls.effect(c * 2, ordered=True), v)
        return calls.effect(v[:2], ordered=True)

    one = Calls(lib, (1,))
    g = one.mapped(lambda v: one.effect(one.effect(v, ordered=True), ordered=True))
    return [calls.run(lib.jit(f), calls.put("x"), in_order=True), one.run(g, x, in_order=True)]


def in_parts(lib):
    """Each device calls, with its part."""
    calls, part = Calls(lib), dict(partitioned=True)
    show = lambda v: calls.shown(v, **part)
    some = lambda v: lib.lax.cond(lib.lax.axis_index("x") > 2, calls.shown, lambda c: c * 2, v)
    return [
        calls.run(lib.jit(show), calls.put("x")), calls.run(lib.jit(lambda v: show(v[0])), calls.put("x")),
        calls.run(lib.jit(lambda v: lib.lax.fori_loop(0, 2, lambda i, c: show(c), v)), calls.put("x")),
        calls.run(lib.jit(show), calls.put(None, None)),
        *[calls.run(calls.mapped(getattr(calls, kind)), x) for kind in KINDS],
        calls.run(calls.mapped(lambda v: calls.effect(v, ordered=True)), x),
        calls.run(calls.mapped(some), x),
        calls.run(lib.pmap(calls.effect), x),
    ]


def partly_manual(lib):
    """The first of the devices that share a part shows it; what has results is refused."""
    calls = Calls(lib, (4, 2), ("x", "y"))
    run = lambda f: calls.run(calls.mapped(f, axis_names={"x"}), calls.put("x", "y"))
    return [run(calls.shown), lambda: run(calls.pure), lambda: run(calls.effect)]


def batched(lib):
    calls = Calls(lib)
    methods = ("sequential", "expand_dims", "broadcast_all")
    over = lambda f, spec: lib.vmap(
        lib.shard_map(f, mesh=calls.mesh, in_specs=lib.P(spec), out_specs=lib.P(spec)))
    inside = lib.vmap(lib.shard_map(calls.shown, mesh=calls.mesh, in_specs=lib.P(), out_specs=lib.P()),
                      spmd_axis_name="x")
    return [
        *[calls.run(lib.jit(lib.vmap(lambda v, m=m: calls.pure(v, vmap_method=m))), calls.put("x")) for m in methods],
        *[calls.run(over(f, "x"), x.T.copy()) for f in (calls.shown, calls.effect)],
        calls.run(inside, x),
    ]


def types(lib):
    """What a function of the user gives varies over no mesh axis, and is divided over none."""
    calls = Calls(lib)
    explicit = lib.sharding.Mesh(np.array(lib.devices()), ("x",), axis_types=(lib.sharding.AxisType.Explicit,))
    y = lib.device_put(x, lib.NamedSharding(explicit, lib.P("x")))
    seen = []
    note = lambda v: seen.append(str(lib.typeof(v))) or v
    lib.eval_shape(calls.mapped(lambda v: note(calls.pure(v)) + v), x)
    lib.eval_shape(calls.mapped(lambda v: note(calls.effect(v)) + v), x)
    lib.eval_shape(lambda v: note(calls.pure(v)) + v, y)
    carried = lambda v: lib.lax.scan(lambda c, _: (calls.pure(c), 0), v, None, length=2)[0]
    return [*seen, lambda: calls.mapped(carried)(x)]


def places(lib):
    """Which device calls can be said outside of shard_map."""
    calls, single = Calls(lib), lib.sharding.SingleDeviceSharding
    named = lib.NamedSharding(calls.mesh, lib.P())
    run = lambda f: calls.run(lib.jit(f), calls.put("x"))

    def refused(f):
        try:
            return run(f)
        except NotImplementedError as error:
            return str(error)[:50]

    return [
        run(lambda v: calls.shown(calls.pure(v, sharding=single(lib.devices()[2])) * 0 + v)),
        refused(lambda v: calls.pure(v, sharding=named)), refused(lambda v: calls.effect(v, sharding=named)),
        lambda: calls.mapped(lambda v: calls.pure(v, sharding=single(lib.devices()[2])))(x),
    ]


def mapped_over_devices(lib):
    """`vmap` with an axis of the mesh divides the batch in a shard_map."""
    mesh = lib.sharding.Mesh(np.array(lib.devices()).reshape(4, 2), ("x", "y"))
    inner = lambda f, spec="y", **k: lib.vmap(
        lib.shard_map(f, mesh=mesh, in_specs=lib.P(spec), out_specs=lib.P(spec), **k), spmd_axis_name="x")
    total = lambda v: v * lib.lax.psum(v, "y")
    return [
        inner(total)(x), lib.jit(inner(total))(x), lib.grad(lambda v: inner(total)(v).sum())(x),
        inner(lambda v: lib.lax.fori_loop(0, 2, lambda i, c: c + i, v))(x),
        inner(lambda v: lib.lax.axis_index("x") + v * 0, check_vma=False)(x), str(lib.make_jaxpr(inner(total))(x)),
        lambda: inner(total, "x")(x),
        *[gradient_of_shared(lib, f) for f in (lambda v, w: v * w, lib.jit(lambda v, w: v * lib.numpy.sin(w)))],
    ]


def gradient_of_shared(lib, f):
    """Return the gradient of what all elements share, of which each device has those of its part of the batch."""
    mesh = lib.sharding.Mesh(np.array(lib.devices()).reshape(4, 2), ("x", "y"))
    return lib.jit(lib.grad(of_shared(lib, f, mesh)))(np.float32([0.5, 2]))


def of_shared(lib, f, mesh):
    mapped = lib.vmap(lib.shard_map(f, mesh=mesh, in_specs=lib.P(), out_specs=lib.P()), (0, None), spmd_axis_name="x")
    return lambda w: mapped(x, w).sum()


CASES = {f.__name__: f for f in (whole, in_order, in_parts, partly_manual, batched, types, places, mapped_over_devices)}


@promoting
@compiling
def test_calls_are_those_of_jax():
    assert differences(__name__) == ""


# ---- what JAX cannot do ---------------------------------------------------------------------------


@promoting
@compiling
def test_loops_and_branches_know_which_values_vary_over_a_divided_batch():
    """JAX says in such a program that mesh axes do not match."""
    lax, mesh = adjoint.lax, adjoint.sharding.AbstractMesh((4, 2), ("x", "y"))
    for f in (
        lambda v, w: lax.scan(lambda c, _: (c + v * w, None), w * 0, None, length=1)[0],
        lambda v, w: lax.cond(True, lambda u: u * w, lambda u: u, v), adjoint.checkpoint(lambda v, w: v * w),
        lambda v, w: lax.fori_loop(0, 1, lambda i, c: c * w, v),
    ):
        jaxpr = adjoint.make_jaxpr(adjoint.grad(of_shared(adjoint, f, mesh)))(np.float32([0.5, 2]))
        assert "psum_invariant[axes=('x',)]" in str(jaxpr)


def over_four():
    mesh = adjoint.sharding.Mesh(np.array(adjoint.devices()[:4]), ("x",))
    return adjoint.device_put(x, adjoint.NamedSharding(mesh, adjoint.P("x")))


@compiling
def test_an_error_of_one_device_ends_the_program():
    """JAX's process is aborted."""
    fails = lambda v: io_callback(lambda u: 1 / 0, adjoint.ShapeDtypeStruct(v.shape, v.dtype), v) * 2
    for _ in range(2):
        with pytest.raises(adjoint.errors.JaxRuntimeError, match="ZeroDivisionError"):
            adjoint.jit(fails)(over_four())
    assert 120 == float(adjoint.jit(lambda v: v.sum())(over_four()))


@compiling
def test_a_function_that_is_called_may_use_arrays_over_the_same_devices():
    """In JAX the two programs wait for each other."""
    a = over_four()
    add = lambda u: np.asarray(u) + np.asarray((a * 2).sum())
    f = lambda v: adjoint.pure_callback(add, adjoint.ShapeDtypeStruct(v.shape, v.dtype), v)
    np.testing.assert_array_equal(x + 240, adjoint.jit(f)(a))
    assert 240 == float((a * 2).sum()) and (a * 2).sharding.spec == adjoint.P("x")


@compiling
def test_values_are_shown_in_order_on_several_devices(capsys):
    """JAX refuses it."""
    def f(v):
        adjoint.debug.print("first {}", v.sum(), ordered=True)
        adjoint.debug.print("then {}", v[0, 1], ordered=True)

    adjoint.jit(f)(over_four())
    assert "first 120.0\nthen 1.0\n" == capsys.readouterr().out
