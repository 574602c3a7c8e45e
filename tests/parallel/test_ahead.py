"""Programs compiled ahead of their calls, and jitted functions under transformations, over 8 devices beside JAX."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import numpy as np
from tests.modes import compiling, unchecked

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


def moved(lib):
    """Where `jit` moves an operand, the type in the program does not say; the stages after it do."""
    kinds = lib.sharding.AxisType
    mesh = lib.sharding.Mesh(np.array(lib.devices()).reshape(4, 2), ("x", "y"), axis_types=(kinds.Explicit,) * 2)
    f = lib.jit(lambda a, b: (a * 2, a.T, b), in_shardings=lib.NamedSharding(mesh, lib.P("y", "x")))
    x = np.ones((8, 8), np.float32)
    with lib.set_mesh(mesh):
        traced = f.trace(x, x)
        lowered = traced.lower()
        compiled = lowered.compile()
        return [
            traced.in_avals, lowered.in_avals, compiled.in_avals, compiled.output_shardings, lowered.out_info,
            [[str(v.sharding) for v in run(x, x)] for run in (f, compiled)], lib.typeof(compiled(x, x)[0]),
        ]


def product(lib, kind):
    """Two arrays divided over a mesh of axes of one type, and a jitted function of them."""
    devices = np.array(lib.devices()).reshape(4, 2)
    mesh = lib.sharding.Mesh(devices, ("x", "y"), axis_types=(getattr(lib.sharding.AxisType, kind),) * 2)
    made = lambda shape, *spec: lib.device_put(np.ones(shape, np.float32), lib.NamedSharding(mesh, lib.P(*spec)))
    return made((8, 4), "x", None), made((4, 8), None, "y"), lib.jit(lambda a, b: {"p": a @ b, "q": (a.sum(), 2 * b)})


def analysed(lib):
    """What a compiled program over several devices tells of itself."""
    found = []
    for kind in ("Auto", "Explicit"):
        a, b, f = product(lib, kind)
        traced = f.trace(a, b)
        lowered = traced.lower()
        compiled = lowered.compile()
        sizes = compiled.memory_analysis()
        found += [
            traced.out_info, lowered.out_info, compiled.out_info, lowered.in_avals, compiled.args_info,
            sorted(compiled.cost_analysis()), sizes.argument_size_in_bytes, sizes.output_size_in_bytes,
            sizes.peak_memory_in_bytes, sizes.host_temp_size_in_bytes, compiled.as_text()[:9],
            type(compiled.runtime_executable()).__name__, type(lowered.compiler_ir()).__name__,
            lowered.compiler_ir("stablehlo").operation.name, f.eval_shape(a, b),
        ]
        with_options = lambda lowered=lowered, **options: lowered.compile(options)
        found += [
            lambda run=with_options: run(no_such_option=1), lambda run=with_options: run(xla_cpu_enable_fast_math=1.5),
            lambda run=with_options: run(xla_cpu_enable_fast_math=True)(a, b)["q"],
        ]
    return found


def assigned(lib):
    """A program over a mesh without devices has to be told a platform to be lowered, and devices to be compiled."""
    mesh = lib.sharding.AbstractMesh((2,), ("x",))
    struct = lib.ShapeDtypeStruct((4,), "float32", sharding=lib.NamedSharding(mesh, lib.P("x")))
    traced, s = lib.jit(lambda a: a * 2).trace(struct), setting(lib)
    on_one = lib.jit(lambda a: a * 2).lower(s.x)
    return [
        lambda: traced.lower(), "num_partitions = 2" in traced.lower(lowering_platforms=("cpu",)).as_text(),
        lambda: traced.lower(lowering_platforms=("cpu",)).compile(),
        on_one.compile(device_assignment=(lib.devices()[0],))(s.x),
        lambda: on_one.compile(device_assignment=(lib.devices()[3],)),
    ]


def formats(lib):
    """Layouts beside shardings, checked when they are put together."""
    layout = importlib.import_module(f"{lib.__name__}.experimental.layout")
    make, order = layout.Format, layout.Layout
    s = setting(lib)
    free = lib.jit(lambda a: a * 2, in_shardings=make(order.AUTO), out_shardings=make(order.AUTO))
    divided = lib.jit(lambda a: a * 2, in_shardings=make(order.AUTO, s.split), out_shardings=make(order((0,)), s.whole))
    struct = s.struct(None)
    return [
        make(order.AUTO), order((0, 1)), order([0, 1], [[1, 2]]), order((0, 1)).update(major_to_minor=(1, 0)),
        order((0, 1)).check_compatible_aval((2, 3)), lambda: order((0, 1)).check_compatible_aval((2,)),
        class_of_error(lambda: make(order((0, 1)))), class_of_error(lambda: make(None, lib.P("x"))),
        lambda: make(3), lambda: make(order.AUTO, 3), free(s.x), divided(s.x),
        *[(c.input_formats, c.output_formats) for c in (f.lower(struct).compile() for f in (free, divided))],
    ]


def class_of_error(run) -> str:
    """The class of what a function raises, whose text names classes of the library."""
    try:
        return str(run())
    except (TypeError, ValueError) as error:
        return type(error).__name__


def serialized(lib):
    """Programs over several devices are written as bytes and read again."""
    bytes_of = importlib.import_module(f"{lib.__name__}.experimental.serialize_executable")
    found = []
    for kind in ("Auto", "Explicit"):
        a, b, f = product(lib, kind)
        payload, ins, outs = bytes_of.serialize(f.lower(a, b).compile())
        again = bytes_of.deserialize_and_load(payload, ins, outs)
        found += [
            again(a, b)["p"], lib.typeof(again(a, b)["p"]), again.input_shardings, again.output_shardings,
            again.in_avals, again.out_info, again.output_formats, lambda run=again: run(*product(lib, "Auto")[1::-1]),
        ]
    return found


def options(lib):
    """Options that the compiler has not, and values that they do not take, are refused wherever arrays are."""
    s = setting(lib)
    given = [{"xla_nope": 1}, {"nope": 1}, {"xla_cpu_enable_fast_math": "maybe"}, {"xla_cpu_enable_fast_math": True},
             {"xla_backend_optimization_level": "x"}, {"xla_force_host_platform_device_count": 3},
             {"exec_time_optimization_effort": 0.5}]
    found = []
    for a in (s.x, lib.device_put(s.x, s.split)):
        for o in given:
            jitted = lib.jit(lambda a: a + 1, compiler_options=o)
            ahead = lib.jit(lambda a: a + 2).lower(a)
            found += [lambda a=a, f=jitted: f(a), lambda a=a, f=ahead, o=o: f.compile(o)(a)]
    return found


def texts(lib):
    """What the text says of donated arguments, and of the results of each operation over explicit mesh axes."""
    s, found, P, half = setting(lib), [], lib.P, lib.numpy.float16
    explicit = lib.make_mesh((2, 4), ("x", "y"))
    auto = [(into, out) for into in (P(), P("x"), P("y")) for out in (None, P("x"), P("x", "y"))]
    array = lambda sharding: lib.ShapeDtypeStruct((8, 4), "float32", sharding=sharding)
    for f in (lambda a, b: a + b, lambda a, b: (a + b).sum(), lambda a, b: (a.astype(half), a + b), lambda a, b: b * 2):
        for into, out in auto:
            is_told = out is not None and "sum" not in f.__code__.co_names
            over = dict(out_shardings=lib.NamedSharding(s.grid, out)) if is_told else {}
            a, b = [array(lib.NamedSharding(s.grid, spec)) for spec in (into, P("x"))]
            if "astype" not in f.__code__.co_names or not over:
                found.append(lib.jit(f, donate_argnums=(0, 1), **over).lower(a, b).as_text())
        found.append(lib.jit(f, donate_argnums=(0, 1)).lower(array(None), array(None)).as_text())
    jnp, lax = lib.numpy, lib.lax
    for spec in (P("x", None), P("x", "y")):
        for f in (lambda a: a + 1, jnp.sin, lambda a: a.T, lambda a: a.max(1), lambda a: a[:, None],
                  lambda a: a.astype(half), lambda a: lax.select(a > 0, a, a), lambda a: lax.rev(a, (1,)),
                  lambda a: jnp.concatenate([a, a], 1), lambda a: lib.nn.softmax(a, 1), lambda a: jnp.clip(a, 0, 1),
                  lambda a: lax.cond(True, lambda b: b * 2, lambda b: b, a), lambda a: lib.jit(lambda b: b * 2)(a),
                  lambda a: lax.stop_gradient(a) ** 2, lambda a: lib.vmap(lambda b: -b)(a)):
            found.append(lib.jit(lambda a, f=f: f(a)).lower(array(lib.NamedSharding(explicit, spec))).as_text())
    return found


def memories(lib):
    """What texts and stages say of values in other memories, and on one device that the call names."""
    s, space = setting(lib), lib.memory.Space
    host, device = (s.one(lib.devices()[0], memory_kind=kind) for kind in ("pinned_host", "device"))
    there, over = s.split.with_memory_kind("pinned_host"), lambda a: lib.device_put(s.x, a)
    put = lambda where: lambda a: lib.device_put(a, where)
    rows = [
        (lambda a: a * 2, s.x, out) for out in (host, device, there, s.split, s.one(lib.devices()[1]), None)
    ] + [(f, a, None) for a in (s.x, over(s.split), over(host), over(there), over(lib.devices()[1])) for f in (
        put(space.Host), put(space.Device), lambda a: (lib.device_put(a, space.Host), a * 1.0),
        lambda a: lib.jit(put(space.Host))(a))
    ] + [(put(host), s.x, None), (put(s.split), s.x, None)] + [
        (lambda a: (a, a * 2), s.x, out) for out in ((host, None), (host, device))] + [
        (lambda a: (a, a * 2), over(s.split), (there, None))]
    lowered = [lib.jit(f, out_shardings=out).lower(a) for f, a, out in rows]
    return [f.as_text() for f in lowered] + [lowered[i].compile().output_shardings for i in (0, 1, 6)]


def nested(lib):
    """What a call inside of a program asks of its operands and results stands in its function; it stays a call then."""
    s = setting(lib)
    other, f = lib.NamedSharding(s.grid, lib.P("y")), lambda a: a * 2
    calls = [
        lib.jit(f, out_shardings=s.split), lib.jit(f, in_shardings=s.split), lib.jit(f, inline=True),
        lib.jit(f, in_shardings=s.split, out_shardings=s.whole), lib.jit(f, out_shardings=s.split, inline=True),
        lib.jit(lambda a: (a, a + 1), out_shardings=(s.split, None)),
        lib.jit(lambda a: lib.jit(f, out_shardings=other)(a)),
    ]
    found = [lib.jit(lambda a, g=g: g(a)).lower(s.x).as_text() for g in calls]
    return found + [lib.tree.leaves(lib.jit(lambda a, g=g: g(a))(s.x)) for g in calls]


CASES = {f.__name__: f for f in (
    called, chosen, lowered, transformed, explicit, analysed, assigned, formats, serialized, options, texts, memories,
    moved, nested)}


@compiling
@unchecked
def test_is_as_in_jax():
    assert beside.differences(__name__) == ""
