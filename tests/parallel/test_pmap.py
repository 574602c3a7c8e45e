"""`pmap` on 8 virtual devices gives what JAX gives: values, places, parts, derivatives, errors."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling

from .beside import differences

x = np.arange(16.0, dtype=np.float32).reshape(8, 2)
v = np.arange(8.0, dtype=np.float32)


def along(lib, f, *args, **options):
    """`f(lib.lax, ...)` mapped with a named axis."""
    return lib.pmap(lambda *rows: f(lib.lax, *rows), axis_name="i", **options)(*args)


def texts(lib, f, *args):
    """The program, without the name of the mapped function."""
    return str(lib.make_jaxpr(f)(*args))


def promised(lib):
    """Where lowered functions say that results will be."""
    axes = lambda s: [str(s.shape), list(s.sharding.mesh.shape.items()), [str(e) for e in s.sharding.spec]]
    told = lambda f, *args: [axes(s) for s in lib.tree.leaves(f.lower(*args).out_info)]
    return [
        told(lib.pmap(lambda a: (a, a.sum())), x), told(lib.pmap(lambda a: (a, 1.0), out_axes=(1, None)), x[:4]),
        told(lib.pmap(lambda a, b: (a, b), in_axes=(0, None), devices=lib.devices()[4:], axis_name="i"), x[:4], v),
    ]


def places_of_arguments(lib):
    """What a call reads of arrays that were placed: where its results are, or the class of the error."""
    devices, s = np.array(lib.devices()), lib.sharding
    along = lambda mesh, *spec: s.NamedSharding(mesh, s.PartitionSpec(*spec))
    eight, four, back = (s.Mesh(d, ("x",)) for d in (devices, devices[:4], devices[::-1]))
    both = s.Mesh(devices.reshape(4, 2), ("x", "y"))
    places = [along(eight, "x"), along(eight), along(both, "x"), along(both, ("x", "y")), along(four, "x"),
              along(four), along(back, "x"), s.SingleDeviceSharding(devices[1])]

    def tried(f):
        try:
            out = f()
            return [[d.id for d in out.sharding.mesh.devices], out]
        except Exception as error:
            return type(error).__name__

    double = lib.pmap(lambda a: a * 2)
    found = []
    for place in places:
        a = lib.device_put(x, place)
        found += [
            tried(lambda: double(a)), tried(lambda: double(a[:4])),
            tried(lambda: lib.pmap(lambda a: a * 2, devices=lib.devices()[::-1])(a)),
            tried(lambda: lib.pmap(lambda a, b: a * b[0], in_axes=(0, None))(x, a)),
        ]
    half = double(x[:4])
    found += [tried(lambda: double(half)), tried(lambda: lib.pmap(lambda a: a, devices=lib.devices()[::-1])(half))]
    inside = [along(four, "x"), along(four), along(back, "x"), s.SingleDeviceSharding(devices[1])]
    return [found, [tried(lambda: lib.jit(double)(lib.device_put(x, place))) for place in inside]]


CASES = {
    "places of arguments": places_of_arguments,
    "results of lowered functions": promised,
    "elementwise": lambda lib: lib.pmap(lambda a: a * 2 + 1)(x),
    "trees, keywords, weak types": lambda lib: lib.pmap(lambda a, k: (a["p"] * k, 1))({"p": x}, k=v),
    "axes": lambda lib: [
        lib.pmap(lambda a, b: a + b, in_axes=(0, None))(v, v[:4]), lib.pmap(lambda a: a, in_axes=1)(x.T),
        lib.pmap(lambda a: a + 1, out_axes=1)(x),
        lib.pmap(lambda a: (a, a.sum()), out_axes=(1, 0))(x),
    ],
    "one result for all": lambda lib: along(lib, lambda lax, a: lax.psum(a, "i"), v, out_axes=None),
    "reductions": lambda lib: [
        along(lib, lambda lax, a, f=f: getattr(lax, f)(a, "i"), x) for f in ("psum", "pmean", "pmax", "pmin")
    ],
    "exchanges": lambda lib: [
        along(lib, lambda lax, a: lax.all_gather(a, "i"), x),
        along(lib, lambda lax, a: lax.all_gather(a, "i", axis=1, tiled=False), x),
        along(lib, lambda lax, a: lax.ppermute(a, "i", [(j, (j + 1) % 8) for j in range(8)]), x),
        along(lib, lambda lax, a: lax.psum_scatter(a, "i"), np.arange(64.0, dtype=np.float32).reshape(8, 8)),
        along(lib, lambda lax, a: lax.all_to_all(a, "i", 0, 0), np.arange(64, dtype=np.int32).reshape(8, 8)),
        along(lib, lambda lax, a: a * lax.axis_index("i") + lax.axis_size("i"), x),
    ],
    "constants": lambda lib: along(lib, lambda lax, a: a * lax.psum(1, "i"), v),
    "static arguments": lambda lib: lib.pmap(lambda a, n: a**n, static_broadcasted_argnums=1)(x, 3),
    "some devices": lambda lib: [
        lib.pmap(lambda a: a)(x[:4]), lib.pmap(lambda a: a, devices=lib.devices()[2:4])(x[:2]),
    ],
    "inside": lambda lib: [
        along(lib, lambda lax, a: lib.vmap(lambda e: lax.psum(e, "i"))(a), x),
        along(lib, lambda lax, a: lib.grad(lambda e: lax.psum(e**2, "i"))(a), v),
        along(lib, lambda lax, a: lib.jit(lambda e: lax.pmean(e, "i"))(a), x),
        along(lib, lambda lax, a: lax.scan(lambda c, e: (c + lax.psum(e, "i"), c), a[0], a), x),
        along(lib, lambda lax, a: lib.random.normal(lib.random.fold_in(lib.random.key(0), lax.axis_index("i"))), v),
    ],
    "outside": lambda lib: [
        np.asarray(lib.grad(lambda a: along(lib, lambda lax, e: lax.psum(e**2, "i"), a).sum())(v)).tolist(),
        lib.jvp(lib.pmap(lambda a: a**3), (v,), (v,))[1].tolist(), lib.vmap(lib.pmap(lambda a: a * 2))(x.T).tolist(),
        lib.jit(lib.pmap(lambda a: a * 2))(x), lib.hessian(lambda a: lib.pmap(lambda e: e**3)(a).sum())(v).tolist(),
    ],
    "place of a gradient": lambda lib: lib.grad(lambda a: lib.pmap(lambda e: e**2)(a).sum())(v),
    "results": lambda lib: (y := lib.pmap(lambda a: a)(x)) is not None and [
        repr(y), y + 1, y[3], y.sum(), lib.numpy.sum(y, 1), [float(r.sum()) for r in y], y.addressable_shards[2],
        y.addressable_data(3), y.device, y.is_fully_replicated, y.T, lib.device_get(y).tolist(), y.nbytes,
        lib.device_put(y, lib.devices()[0]), lib.tree.map(lambda a: a[0], y), lib.pmap(lambda a: a)(y),
        lib.block_until_ready(y), y @ np.ones((2, 2), np.float32), y.reshape(16), y[:, 0], y.copy(),
    ],
    "donation": lambda lib: [
        (lib.pmap(lambda a: a + 1, donate_argnums=0)(y := lib.numpy.array(x)), y.is_deleted()),
        (lib.pmap(lambda a: a + 1, donate_argnums=0)(y := lib.pmap(lambda a: a)(x)), y.is_deleted()),
    ],
    "groups of several sizes": lambda lib: [
        along(lib, lambda lax, a, f=f: getattr(lax, f)(a, "i", axis_index_groups=[[0, 1, 2], [3, 4, 5, 6, 7]]), x)
        for f in ("psum", "pmean", "pmax")
    ],
    "its own mesh": lambda lib: [
        lib.pmap(lambda a: a * 2)(lib.device_put(x, lib.NamedSharding(lib.make_mesh(
            (8,), ("z",), axis_types=(lib.sharding.AxisType.Auto,)), lib.P("z")))),
        along(lib, lambda lax, a: a * 2, lib.pmap(lambda a: a)(x)),
    ],
    "programs": lambda lib: [
        texts(lib, lib.pmap(lambda a: lib.lax.psum(a, "i"), axis_name="i"), x),
        texts(lib, lib.pmap(lambda a: a * 2, out_axes=1), x),
    ],
    "no results": lambda lib: lib.pmap(lambda a: lib.debug.callback(lambda _: None, a))(v),
    "ahead of time": lambda lib: lib.pmap(lambda a: a * 2).lower(x).compile()(x),
    "errors": lambda lib: [
        lambda: lib.pmap(lambda a: a)(np.ones((9, 2))), lambda: lib.pmap(lambda a, b: a)(v, v[:4]),
        lambda: lib.pmap(lambda a: a, in_axes=None)(v), lambda: lib.pmap(3), lambda: lib.pmap(lambda a: a)({}),
        lambda: lib.pmap(lambda a: a, in_axes="a")(v), lambda: lib.pmap(lambda a: a, axis_size=4)(v),
        lambda: lib.pmap(lambda a: a, devices=lib.devices()[:2])(np.ones((3, 8))),
        lambda: lib.pmap(lambda a, b: a, in_axes=(0,))(v, v), lambda: lib.pmap(lambda a: a, out_axes=2)(x),
        lambda: lib.pmap(lambda a: a, out_axes=-3)(x),
        lambda: lib.pmap(lib.pmap(lambda a: a, axis_name="j"), axis_name="i")(x[:2, None]),
    ],
}


@compiling
def test_pmap_is_like_jax():
    assert "" == differences(__name__)


def test_too_few_devices_says_how_to_get_more():
    """The error names the flag and the option that make virtual devices."""
    import adjoint

    missing = adjoint.device_count() + 1
    with pytest.raises(ValueError, match=rf"(?s)requires {missing} .*device_count={missing} .*jax_num_cpu_devices"):
        adjoint.pmap(lambda a: a, devices=adjoint.devices())(np.ones((missing * adjoint.device_count(), 1))[:missing])


@compiling
def test_results_over_one_device_are_divided_along_the_axis_while_nan_are_looked_for():
    import adjoint

    f = adjoint.pmap(lambda a: a * 2, devices=adjoint.devices()[:1])
    for looks in (False, True):
        with adjoint.debug_nans(looks):
            spec = f(np.ones((1, 3), "f")).sharding.spec
            assert len(spec) == 1 and spec[0] is not None
