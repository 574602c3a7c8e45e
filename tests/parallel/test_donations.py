"""Donated arguments over one device and over several: which arrays are gone, and what is told of others, as in JAX."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from itertools import product

import numpy as np
from tests.modes import compiling

from .beside import differences

x = np.arange(32.0, dtype=np.float32).reshape(8, 4)


class Setting:
    """A mesh with axes of a type, in a library."""

    def __init__(self, lib, kind="Auto"):
        self.lib, self.P, self.jnp = lib, lib.P, lib.numpy
        self.mesh = lib.make_mesh((4, 2), ("x", "y"), axis_types=(getattr(lib.sharding.AxisType, kind),) * 2)

    def over(self, spec):
        return None if spec is None else self.lib.NamedSharding(self.mesh, spec)

    def put(self, spec):
        """An array; None leaves it on no device."""
        return self.jnp.array(x) if spec is None else self.lib.device_put(x, self.over(spec))

    def call(self, f, specs, ahead=False, **options):
        """Which arguments are gone, how results are divided, what is said to be donated, and the warnings."""
        args = [self.put(s) for s in specs]
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            jitted = self.lib.jit(lambda *args: f(*args), **options)
            lowered = jitted.lower(*args) if ahead else None
            outs = self.lib.tree.leaves((lowered.compile() if ahead else jitted)(*args))
        info = [] if not ahead else [lowered.donate_argnums, str(lowered.args_info).count("donated=True")]
        return str([[a.is_deleted() for a in args], [str(getattr(o.sharding, "spec", "")) for o in outs], info,
                    [str(w.message).split("\n")[0] for w in told if "donated" in str(w.message)]])


def functions(s):
    """Functions of two arrays."""
    jnp, half = s.jnp, s.jnp.float16
    inside = lambda spec: lambda a, b: s.lib.lax.with_sharding_constraint(a + 1, s.over(spec))
    return [
        lambda a, b: a + b, lambda a, b: (a + b, b.sum()), lambda a, b: b * 2, lambda a, b: a.T + 1,
        lambda a, b: a.sum() + b.sum(), lambda a, b: a @ b.T, lambda a, b: a, lambda a, b: (b, a),
        lambda a, b: (a + 1, a + 2), lambda a, b: (a + b).astype(int), lambda a, b: a.astype(half),
        lambda a, b: (a.astype(half), a + b), lambda a, b: (a + 1).reshape(4, 8), inside(s.P("x", "y")),
        inside(s.P()), lambda a, b: 1.0, lambda a, b: jnp.concatenate([a, b]), lambda a, b: (),
    ]


def by_the_compiler(lib):
    s = Setting(lib)
    P = s.P
    places = [(P("x"), P("x", "y")), (P("x"), P("x")), (P(), P("x")), (P("x"), P()), (P(None, "y"), P("x"))]
    return [s.call(f, specs, donate_argnums=given) for f, specs, given in product(functions(s), places, [0, (0, 1)])]


def by_the_call(lib):
    s = Setting(lib)
    P, found = s.P, []
    for out, into in product([P(), P("x"), P("x", "y"), P("y")], [P(), P("x"), P("y", "x")]):
        outs = dict(out_shardings=s.over(out))
        found += [
            s.call(lambda a: a + 1, [into], donate_argnums=0, **outs),
            s.call(lambda a: a + 1, [into], donate_argnums=0, ahead=True, **outs),
            s.call(lambda a, b: a + b, [into, P("x")], donate_argnums=(0, 1), **outs),
            s.call(lambda a: a.astype(s.jnp.float16), [into], donate_argnums=0, **outs),
            s.call(lambda a, b: a + b, [None, None], donate_argnums=(0, 1), in_shardings=s.over(into), **outs),
            s.call(lambda a, b: a + b, [None, P("x")], donate_argnums=(0, 1),
                   in_shardings=(s.over(into), s.over(P("x")))),
            s.call(lambda a, b: (a + b, a * b), [P("x"), into], donate_argnums=(0, 1),
                   out_shardings=(s.over(out), None)),
        ]
        if out != P() or into == P():
            found.append(s.call(lambda a, b: a + b, [None, into], donate_argnums=(0, 1), **outs))
    return found


def elsewhere(lib):
    """On one device, over explicit axes, by name, of what is not read, and in programs that hold programs."""
    one, auto, typed = Setting(lib), Setting(lib), Setting(lib, "Explicit")
    P, lax, half = one.P, lib.lax, one.jnp.float16
    found = [one.call(f, [None, None], ahead=ahead, donate_argnums=(0, 1))
             for f, ahead in product(functions(one), [False, True]) if f.__code__.co_freevars != ("s", "spec")]
    for s, spec in [(one, None), (auto, P("x")), (typed, P("x", None))]:
        found += [
            s.call(lambda a, b: b * 2, [spec, spec], donate_argnums=0, keep_unused=True),
            s.call(lambda a, b: b.sum(), [spec, spec], donate_argnums=0, keep_unused=True),
            s.call(lambda a, b, c: (a + b, b + c), [spec] * 3, donate_argnums=(0, 1, 2)),
            s.call(lambda a, b, c: (a + b + c).T, [spec] * 3, ahead=True, donate_argnums=(0, 1, 2)),
            s.call(lambda a: (a.astype(half), a + 1), [spec], donate_argnums=0),
            s.call(lambda a, b: (a > 0, a + b), [spec] * 2, donate_argnums=(0, 1)),
            s.call(lambda a: lax.scan(lambda c, _: (c + 1, c.sum()), a, None, 3), [spec], donate_argnums=0),
        ]
    found += [
        typed.call(lambda a: lib.sharding.reshard(a, typed.over(P("y", None))), [P("x", None)], donate_argnums=0),
        typed.call(lambda a, b: a + b, [P("x", None)] * 2, donate_argnums=(0, 1)),
        auto.call(lib.shard_map(lambda a: a * 2, mesh=auto.mesh, in_specs=P("x"), out_specs=P("x")), [P("x")],
                  donate_argnums=0),
    ]
    with lib.set_mesh(auto.mesh):
        for specs in ([P("x")] * 2, [None, P("x")]):
            found.append(auto.call(lambda a, b: a + b, specs, donate_argnums=(0, 1)))
    return found


def copied(lib):
    """What was not placed is given away where the program runs on its device, and copied to others."""
    mesh, found = lib.make_mesh((2,), ("x",)), []
    functions = (lambda p, q: {"r": p * 2, "s": [q, p]}, lambda p, q: q, lambda p, q: p + q, lambda p, q: p.sum())
    places = [None, *[lib.sharding.SingleDeviceSharding(d) for d in (lib.devices()[0], lib.devices()[5])]]
    for f, out, is_set in product(functions, places, [False, True]):
        if is_set and out is not None:
            continue
        p, q = lib.numpy.asarray(np.ones((8, 8), "f")), lib.numpy.asarray(np.ones((8, 8), "f"))
        with lib.set_mesh(mesh) if is_set else nullcontext():
            lib.jit(f, donate_argnums=(0, 1), out_shardings=out)(p, q)
        found += [p.is_deleted(), q.is_deleted()]
    return found


CASES = {"as the compiler divides": by_the_compiler, "as the call divides": by_the_call, "elsewhere": elsewhere,
         "copied": copied}


@compiling
def test_what_is_donated_is_as_in_jax():
    assert "" == differences(__name__)
