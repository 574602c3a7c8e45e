"""Programs compiled ahead of their calls, and jitted functions under transformations, over 8 devices beside JAX."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from tests.modes import compiling

from . import beside


def setting(lib):
    """Two meshes, an array that nobody placed, and what divides it."""
    kinds, devices = lib.sharding.AxisType, np.array(lib.devices())
    flat = lib.sharding.Mesh(devices, ("x",), axis_types=(kinds.Auto,))
    grid = lib.sharding.Mesh(devices.reshape(2, 4), ("x", "y"), axis_types=(kinds.Auto,) * 2)
    split, whole = lib.NamedSharding(flat, lib.P("x")), lib.NamedSharding(flat, lib.P())
    x = lib.numpy.arange(8.0, dtype="float32")
    struct = lambda sharding: lib.ShapeDtypeStruct((8,), "float32", sharding=sharding)
    return SimpleNamespace(lib=lib, flat=flat, grid=grid, split=split, whole=whole, x=x, struct=struct,
                           one=lib.sharding.SingleDeviceSharding, reversed=lib.sharding.Mesh(devices[::-1], ("x",)))



def called(lib):
    """A compiled program wants committed arguments where they were when it was compiled, and takes others there."""
    s = setting(lib)
    compiled = lib.jit(lambda a: (a * 2, a.sum())).lower(s.struct(s.split)).compile()
    again = lib.device_put(s.x, lib.NamedSharding(s.grid, lib.P(("x", "y"))))
    wrong = [s.whole, lib.devices()[0], lib.devices()[1], lib.NamedSharding(s.reversed, lib.P("x"))]
    on_one = lib.jit(lambda a: a + 1).lower(s.struct(s.one(lib.devices()[1]))).compile()
    anywhere = lib.jit(lambda a: a + 1).lower(s.x).compile()
    return [
        compiled(lib.device_put(s.x, s.split)), compiled(s.x), compiled(np.asarray(s.x)), compiled(again),
        *[lambda put=put: compiled(lib.device_put(s.x, put)) for put in wrong],
        on_one(s.x), lambda: on_one(lib.device_put(s.x, lib.devices()[0])),
        anywhere(s.x), lambda: anywhere(lib.device_put(s.x, lib.devices()[1])),
        lambda: anywhere(lib.device_put(s.x, s.split)),
    ]


def chosen(lib):
    """What nobody placed is divided as the compiler finds best, when it is called and when it is compiled ahead."""
    s = setting(lib)
    f = lib.jit(lambda a, b: (a + b, b * 2))
    compiled = f.lower(lib.device_put(s.x, s.split), s.x).compile()
    free = lib.jit(lambda a: {"p": a * 2, "q": (a, a.sum())}, out_shardings={"p": None, "q": (s.split, None)})
    with lib.set_mesh(s.flat):
        under = f.lower(s.x, s.x).compile()
    return [
        f(lib.device_put(s.x, s.split), s.x), compiled.input_shardings, compiled.output_shardings,
        lambda: compiled(lib.device_put(s.x, s.split), lib.device_put(s.x, s.whole)), free(s.x)["p"], free(s.x)["q"],
        under(s.x, s.x), under.output_shardings,
    ]


def lowered(lib):
    """What does not go together is refused before a program is compiled."""
    s, jit = setting(lib), lib.jit
    identity, put = lambda a: a, lambda where: lib.device_put(s.x, where)
    unknown = lib.NamedSharding(s.flat, lib.P(lib.P.UNCONSTRAINED))
    return [
        lambda: jit(identity, out_shardings=s.split).trace(s.x[:7]),
        lambda: jit(identity, in_shardings=s.split).trace(s.x[:7]),
        lambda: jit(identity, in_shardings=s.split).lower(s.struct(s.whole)),
        lambda: jit(identity, in_shardings=s.split).lower(put(lib.devices()[1])),
        lambda: jit(lambda a, b: a + b).lower(put(lib.devices()[2]), put(lib.devices()[3])),
        lambda: jit(lambda a, b: a + b).lower(put(lib.devices()[2]), s.struct(s.split)),
        lambda: jit(lambda a, *, k: a, in_shardings=s.split)(s.x, k=1.0),
        lambda: jit(identity, in_shardings=unknown), lambda: jit(identity, out_shardings=unknown),
        str(jit(lambda a, b: a).lower(put(lib.devices()[2]), put(lib.devices()[3])).out_info.shape),
    ]


def transformed(lib):
    """Shardings of a jitted function stay with it when it is differentiated and mapped."""
    s = setting(lib)
    f = lib.jit(lambda a, b: (lib.numpy.sin(a) * b, a.sum()), in_shardings=(s.split, s.whole),
                out_shardings=(s.split, s.whole))
    rows = lib.numpy.ones((3, 8), dtype="float32")
    g = lib.jit(lambda a: a * 2, out_shardings=s.one(lib.devices()[1]))
    over = lib.jit(lambda a: a * 2, in_shardings=lib.NamedSharding(s.grid, lib.P("x")))
    return [
        lib.grad(lambda a: f(a, s.x)[0].sum())(s.x), lib.grad(lambda a: f(s.x, a)[0].sum())(s.x),
        lib.jvp(f, (s.x, s.x), (s.x, s.x)), lib.linearize(f, s.x, s.x)[1](s.x, s.x),
        lib.vmap(f, (0, None))(rows, s.x), lib.vmap(f, 1, (1, 0))(rows.T, rows.T),
        lib.vmap(over, spmd_axis_name="y")(lib.numpy.ones((4, 8))), lib.grad(lambda a: g(a).sum())(s.x),
        lib.vmap(g)(rows), lib.jit(lib.vmap(f))(rows, rows),
    ]


def explicit(lib):
    """Transforms and convolutions of explicitly sharded arrays, and what types of results say."""
    kinds = lib.sharding.AxisType
    devices = np.array(lib.devices()).reshape(2, 2, 2)
    mesh = lib.sharding.Mesh(devices, ("x", "y", "z"), axis_types=(kinds.Explicit,) * 3)
    made = lambda shape, *spec: lib.device_put(np.ones(shape, np.float32), lib.NamedSharding(mesh, lib.P(*spec)))
    jnp, conv = lib.numpy, lambda a, k: lib.lax.conv_general_dilated(a, k, (1,), "SAME")
    a, kernel = made((16, 4, 8), "x", None, "y"), np.ones((4, 4, 3), np.float32)
    plain = jnp.ones((8, 8), dtype="float32")
    spec = lambda f, *args: str(getattr(lib.eval_shape(f, *args).sharding, "spec", None))
    with lib.set_mesh(mesh):
        return [
            lib.typeof(jnp.fft.fft(made((4, 8), "x", "y"))),
            lib.typeof(conv(a, kernel)), lambda: conv(made((16, 4, 8), None, "y"), kernel),
            lib.typeof(lib.grad(lambda k: conv(a, k).sum())(jnp.asarray(kernel))),
            lambda: jnp.unstack(made((4, 4), "x", "y"), axis=1), -plain, plain * 2, lib.jit(lambda b: b.T)(plain),
            lib.jit(lambda b: b.T * jnp.ones(8))(plain), spec(jnp.negative, plain), spec(jnp.negative, a),
            spec(lambda b: b + 1, plain), spec(lambda b: jnp.zeros(3), plain),
        ]


CASES = {f.__name__: f for f in (called, chosen, lowered, transformed, explicit)}


@compiling
def test_is_as_in_jax():
    assert beside.differences(__name__) == ""
