"""References that functions make, or are given, inside of `shard_map` over several devices."""

from __future__ import annotations

import numpy as np
from tests.modes import compiling

from .beside import differences

x = np.arange(8.0, dtype=np.float32)


def mapped(lib, f, ins=None, outs=None, **options):
    mesh = lib.sharding.Mesh(np.array(lib.devices())[:4], ("d",))
    P = lib.P
    return lib.shard_map(f, mesh=mesh, in_specs=ins or P("d"), out_specs=outs or P("d"), **options)


def squared(lib, x):
    ref = lib.new_ref(x)
    ref[...] = ref[...] * 2
    return ref[...] ** 2


def overwritten(lib, x):
    """Write what is the same on all devices into a reference that is not."""
    ref = lib.new_ref(x)
    ref[0] = 1.0
    lib.ref.addupdate(ref, 1, 2.0)
    return ref[lib.lax.axis_index("d") % 2] * x + lib.ref.freeze(ref)


def gathered(lib, x):
    ref = lib.new_ref(x)
    ref[...] = lib.lax.psum(ref[...], "d") * lib.numpy.ones(2, np.float32) + lib.lax.axis_index("d")
    return ref[...]


def scanned(lib, x):
    ref = lib.new_ref(x)
    ring = [(i, (i + 1) % 4) for i in range(4)]

    def turn(c, _):
        ref[...] = lib.numpy.roll(lib.lax.ppermute(ref[...], "d", ring), 1) + c
        return c + 1, ref[0]

    _, ys = lib.lax.scan(turn, np.float32(1), None, length=3)
    return ref[...], ys


def looped(lib, x):
    ref = lib.new_ref(x)

    def turn(i):
        ref[...] = ref[...] * 2
        return i + 1

    lib.lax.while_loop(lambda i: i < 3, turn, np.int32(0))
    return lib.freeze(ref)


def chosen(lib, x):
    ref = lib.new_ref(x)
    add, take = (lambda: lib.ref.addupdate(ref, ..., k * lib.numpy.ones(2, np.float32)) for k in (1, -1))
    lib.lax.cond(lib.lax.axis_index("d") % 2 == 0, lambda: add(), lambda: take())
    return ref[...]


def asked(lib, division, x, **options):
    """What a function does to a reference that it is given."""

    def body(ref, x):
        ref[...] = ref[...] * 2 + (x if division else 1)
        return x + ref[...]

    ref, spec = lib.new_ref(x if division else x[:2]), lib.P("d") if division else lib.P()
    return mapped(lib, body, (spec, lib.P("d")), **options)(ref, x), ref[...]


def kernel(lib, to, x):
    """A ring of copies to other devices."""
    from importlib import import_module

    pl = import_module(lib.__name__ + ".experimental.pallas")
    tpu = import_module(lib.__name__ + ".experimental.pallas.tpu")

    def body(x, out, sent, received):
        device = (lib.lax.axis_index("d") + to) % 4
        copy = tpu.make_async_remote_copy(
            x, out, sent, received, device_id=device, device_id_type=pl.DeviceIdType.LOGICAL)
        copy.start()
        copy.wait()

    return pl.pallas_call(body, out_shape=lib.ShapeDtypeStruct(x.shape, x.dtype), interpret=True,
                          scratch_shapes=[tpu.SemaphoreType.DMA] * 2)(x)


def doubled(lib, x):
    from importlib import import_module

    def body(x, out):
        out[...] = x[...] * 2

    pl = import_module(lib.__name__ + ".experimental.pallas")
    return pl.pallas_call(body, out_shape=lib.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)


def values(lib, f, x, *outs, **options):
    """What a function gives, and its tangents, batches and program."""
    g = mapped(lib, lambda x: f(lib, x), outs=outs or None, **options)
    first = lambda x: lib.tree.leaves(g(x))[0]
    return [
        lib.jit(g)(x), lib.jit(lambda x: lib.jvp(first, (x,), (x + 1,))[1])(x),
        lib.jit(lib.vmap(g))(np.stack([x, x + 1])), str(lib.make_jaxpr(g)(x)),
    ]


CASES = {
    f"{f.__name__} {check}": lambda lib, f=f, check=check, n=n: values(
        lib, f, x, *[lib.P("d")] * n, check_vma=check)
    for f, n in ((squared, 0), (overwritten, 0), (gathered, 0), (scanned, 2))
    for check in (True, False)
} | {
    f"{f.__name__}, which jvp and vmap are not asked of, {check}": lambda lib, f=f, check=check: lib.jit(
        mapped(lib, lambda x: f(lib, x), check_vma=check))(x)
    for f in (looped, chosen) for check in (True, False)
} | {
    "gradients": lambda lib: [
        lib.jit(lib.grad(lambda x: mapped(lib, lambda x: f(lib, x), check_vma=check)(x).sum()))(x)
        for f in (squared, gathered) for check in (True, False)],
    "references that are given": lambda lib: [
        lib.jit(lambda x: asked(lib, division, x, check_vma=check))(x)
        for division in (True, False) for check in (True, False)],
    "copies": lambda lib: [
        lib.jit(mapped(lib, lambda x: kernel(lib, to, x), check_vma=False))(x) for to in (0, 1, 3)],
    "kernels": lambda lib: [
        lib.jit(mapped(lib, lambda x: doubled(lib, x), check_vma=False))(x),
        mapped(lib, lambda x: doubled(lib, x), check_vma=False)(x)],
}


@compiling
def test_are_as_in_jax():
    assert "" == differences(__name__)


ALONE = """
import numpy as np, adjoint
from tests.parallel.test_references import *
eager = lambda f, **o: mapped(adjoint, lambda x: f(adjoint, x), **o)(x)
for check in (True, False):
    for f in (squared, overwritten, gathered, looped, chosen, doubled):
        want = adjoint.jit(mapped(adjoint, lambda x: f(adjoint, x), check_vma=check))(x)
        assert np.array_equal(eager(f, check_vma=check), want), f
    want = adjoint.jit(lambda x: asked(adjoint, True, x, check_vma=check))(x)
    for a, b in zip(asked(adjoint, True, x, check_vma=check), want):
        assert np.array_equal(a, b)
    slope = adjoint.grad(lambda x: (mapped(adjoint, lambda x: doubled(adjoint, x), check_vma=check)(x) ** 2).sum())(x)
    assert np.array_equal(slope, 8 * x)

def held(x):
    ref = adjoint.new_ref(x)
    def body(x):
        ref[...] = ref[...] + 1
        return x * ref[...]
    return mapped(adjoint, body)(np.ones(8, "f")), ref[...]

for f in (held, adjoint.jit(held)):
    out, last = f(x[:2])
    assert out.tolist() == [1, 2] * 4 and last.tolist() == [1, 2]

mesh = adjoint.sharding.Mesh(np.array(adjoint.devices()), ("d",))
whole, divided = (adjoint.NamedSharding(mesh, spec) for spec in (adjoint.P(), adjoint.P("d")))

def write(ref, x):
    ref[...] = x * 2
    return ref[...] + 1

given = adjoint.jit(write, in_shardings=(divided, whole), out_shardings=divided)
own = adjoint.jit(lambda x: write(adjoint.new_ref(x), x), in_shardings=divided, out_shardings=divided)

def placed(x):
    ref = adjoint.new_ref(x)
    return given(ref, x), ref[...], own(x)

for out in (*adjoint.jit(placed)(x), adjoint.jit(lambda x: own(x))(x)):
    assert out.sharding == divided and (out[1].item() in (2, 3)), out

def narrow(x):
    ref = adjoint.new_ref(np.ones(2, "f"))
    ref[...] = x
    return ref[...]

try:
    mapped(adjoint, narrow)(x)
except ValueError as error:
    assert "varies along the mesh axes ('d',)" in str(error) and "pcast" in str(error)
else:
    raise AssertionError
"""


@compiling
def test_calls_that_jax_refuses_give_what_programs_give():
    import os
    import subprocess
    import sys

    from .beside import ROOT

    flags = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
    command = [sys.executable, "-c", ALONE]
    done = subprocess.run(command, cwd=ROOT, env=flags, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
