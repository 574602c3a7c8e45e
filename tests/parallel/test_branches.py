"""Derivatives of `cond` and `switch` whose branch each device chooses, in a `shard_map` that checks what varies.

Cotangents of operands that are the same everywhere are added up by all devices, outside of the branches. In JAX the
devices of one branch wait for those of the other for ever: it is asked without `check_vma`.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from tests.modes import compiling

import adjoint as ad

from . import beside


def places(lib, check):
    """What functions below read: which device it is, a value as one that varies, and along which axes it does not."""
    lax, names = lib.lax, frozenset("xy")

    is_second = lambda name: lax.axis_index(name) > 0
    alike = lambda q: tuple(sorted(names - lib.typeof(q).vma)) if check else ()
    varying = lambda q: lax.pcast(q, alike(q), to="varying") if alike(q) else q
    return SimpleNamespace(is_second=is_second, varying=varying, cond=lax.cond, switch=lax.switch, alike=alike)


def plain(lib, at, u, w, z):
    return at.cond(at.is_second("x"), lambda q: q * w, lambda q: q * 2, u)


def called(lib, at, u, w, z):
    return at.cond(at.is_second("x"), lambda q: lib.jit(lambda q: q * w * z)(q), lambda q: q * 2, u)


def computed_again(lib, at, u, w, z):
    return at.cond(at.is_second("x"), lib.checkpoint(lambda q: lib.numpy.sin(q * w) * z), lambda q: q * 2, u)


def scanned(lib, at, u, w, z):
    turn = lambda c, _: (lib.numpy.sin(c * w) * z, None)
    return at.cond(at.is_second("x"), lambda q: lib.lax.scan(turn, q, None, length=2)[0], lambda q: q * 2, u)


def scanned_alike(lib, at, u, w, z):
    """A loop whose carry does not vary, in a branch."""
    turn = lambda c, _: (lib.numpy.sin(c * 2) * z, None)
    loop = lambda q: lib.lax.scan(turn, z, None, length=2)[0] * w * q
    return at.cond(at.is_second("x"), loop, lambda q: q * 2, u)


def nested(lib, at, u, w, z):
    inner = lambda q: at.cond(at.is_second("y"), lambda q: q * w * z, lambda q: q * z * z, q)
    return at.cond(at.is_second("x"), inner, lambda q: q * w, u)


def of_three(lib, at, u, w, z):
    branches = [lambda w, z: at.varying(w * 2) * z, lambda w, z: at.varying(z) * w, lambda w, z: at.varying(w)]
    return at.switch(lib.lax.axis_index("x") + lib.lax.axis_index("y"), branches, w, z)


def with_rules(lib, at, u, w, z):
    first = lambda q: lib.numpy.where(q > 0, lib.nn.relu(q * w), z)
    return at.cond(at.is_second("x"), first, lambda q: z * q, u)


def summed_along_the_other_axis(lib, at, u, w, z):
    return at.cond(
        at.is_second("x"), lambda q: at.varying(lib.lax.psum(q * z * w, "y")), lambda q: at.varying(z * q), u)


def without_operands(lib, at, u, w, z):
    return at.cond(at.is_second("y"), lambda: at.varying(z), lambda: at.varying(w)) * u


def mapped(lib, at, u, w, z):
    return lib.vmap(lambda q, w: at.cond(at.is_second("x"), lambda q: q * w, lambda q: q * 2, q))(u, w)


def computed_alike(lib, at, u, w, z):
    """What is kept of a branch is the same on all devices that are in it."""
    jnp = lib.numpy
    first = lambda q: at.varying(jnp.sin(w)) * q + at.varying(jnp.cos(w) * w) * z
    return at.cond(at.is_second("x"), first, lambda q: at.varying(jnp.exp(w)) * q * at.varying(jnp.sin(z)), u)


def operand_alike(lib, at, u, w, z):
    jnp = lib.numpy
    first = at.cond(
        at.is_second("x"), lambda q: at.varying(jnp.sin(q)), lambda q: at.varying(jnp.exp(q) * q), w)
    branches = [lambda q: at.varying(q * q), lambda q: at.varying(jnp.sin(q * w)), lambda q: q / w + jnp.sin(q)]
    return first * u + at.switch(lib.lax.axis_index("x") + lib.lax.axis_index("y"), branches, u)


def in_a_loop(lib, at, u, w, z):
    """A branch in each turn, whose number is the same everywhere."""
    turn = lambda c, s: (at.cond(at.is_second("x"), lambda q: at.varying(lib.numpy.sin(w)) * q * s, lambda q: q, c), c)
    end, each = lib.lax.scan(turn, u, z)
    return end + each.sum(0)


def turns_of_its_own(lib, at, u, w, z):
    """A loop of which devices take different numbers of turns; JAX has no derivative of it, and takes all of them."""
    w, z, count = at.varying(w), at.varying(z), 2 + 2 * lib.lax.axis_index("x")
    turn = lambda q: lib.numpy.sin(q * w) * z
    if lib.__name__ == "jax":
        return lib.lax.scan(lambda q, i: (lib.numpy.where(i < count, turn(q), q), None), u, lib.numpy.arange(4))[0]
    start = (at.varying(0), u)
    return lib.lax.while_loop(lambda c: c[0] < count, lambda c: (c[0] + 1, turn(c[1])), start, checkpoints=4)[1]


def all_in_one_branch(lib, at, u, w, z):
    """Devices exchange values in a branch that all of them choose, though the type of the index does not say so."""
    lax, jnp = lib.lax, lib.numpy
    mean = lambda q: at.varying(lax.pmean(q, "y") * q)
    first = at.cond(jnp.sum(z) > 0, lambda q: mean(q) * w, lambda q: at.varying(q), w)
    second = at.cond(jnp.sum(u) > 0, lambda q: lax.psum(at.varying(q * z), "y") * u, lambda q: at.varying(q), w)

    @lib.custom_vjp
    def scaled(q, v):
        return q * v

    def backward(kept, ct):
        q, v = kept
        summed = lambda c, like: lax.psum(c, along) if (along := at.alike(like)) else c
        return summed(ct * v, q), summed(ct * q, v)

    scaled.defvjp(lambda q, v: (q * v, (q, v)), backward)
    third = at.cond(jnp.sum(u) > 0, lambda q: at.varying(scaled(q, u)), lambda q: at.varying(q), w)
    return first + second + third


# What follows chooses between values that are the same everywhere: JAX's types, and gradients with the check, say so of
# the results too.


def of_alike(lib, at, u, w, z):
    return at.cond(at.is_second("x"), lib.numpy.sin, lambda q: q * 3, w) * u


def of_alike_by_three(lib, at, u, w, z):
    sin, cos = lib.numpy.sin, lib.numpy.cos
    return at.switch(lib.lax.axis_index("x") + lib.lax.axis_index("y"), [sin, cos, lambda q: q * q], w) * u


def of_numbers(lib, at, u, w, z):
    return at.cond(at.is_second("x"), lambda: 2.0, lambda: 3.0) * w * u


def of_alike_inside(lib, at, u, w, z):
    """Branches of which one has more branches, and a result that no other varies with."""
    inner = lambda q: at.cond(at.is_second("y"), lib.jit(lib.numpy.sin), lib.checkpoint(lib.numpy.cos), q)
    first = at.cond(lib.numpy.sum(w) > 0, inner, lambda q: q, w)
    return u * first * at.cond(at.is_second("x"), inner, lambda q: q * 2, w)


def of_alike_in_turns(lib, at, u, w, z):
    turn = lambda c, _: ((at.cond(at.is_second("x"), lib.numpy.sin, lambda q: q * 2, c[0]), c[1]), c[0])
    (end, same), each = lib.lax.scan(turn, (w, w), None, length=3)
    return (end * same + each.sum(0)) * u


def alike_in_turns_of_its_own(lib, at, u, w, z):
    count = 2 + lib.lax.axis_index("x")
    start = (0, 1.0, 5.0, 2.0)
    turn = lambda c: (c[0] + 1, c[1] * 2, 3.0, c[3])
    _, doubled, last, same = lib.lax.while_loop(lambda c: c[0] * c[3] < 2 * count, turn, start)
    powers = lib.lax.fori_loop(0, lib.lax.axis_index("y"), lambda i, c: c * 1.5, 1.0)
    return u * (w * doubled + w * w * last * powers + same)


def case(f):
    """Gradients, and their gradients, with respect to a divided value, one that is not, and one along one mesh axis."""

    def gradients(lib):
        P, jnp, check = lib.P, lib.numpy, lib.__name__ == "adjoint"
        mesh = lib.make_mesh((2, 2), ("x", "y"), axis_types=(lib.sharding.AxisType.Auto,) * 2)
        over = lib.shard_map(
            partial(f, lib, places(lib, check)), mesh=mesh, in_specs=(P(("x", "y")), P(), P("y")),
            out_specs=P(("x", "y")), check_vma=check)
        u, w, z = jnp.arange(8.0) / 5 + 0.4, jnp.arange(2.0) / 3 + 0.5, jnp.arange(4.0) / 4 + 0.6
        loss = lambda *s: jnp.sum(jnp.sin(over(*s) * 0.3))
        twice = lambda *s: sum([jnp.sum(jnp.sin(g)) for g in lib.grad(loss, (0, 1, 2))(*s)])
        found = [g for h in (loss, twice) for g in lib.jit(lib.grad(h, (0, 1, 2)))(u, w, z)]
        return [[f"{v + 0.0:.3g}" for v in np.asarray(g)] for g in found]

    return gradients


def summed_in_turns(lib):
    """A loop whose turns each device chooses, and whose cotangents all devices would add up in each turn."""
    mesh = lib.make_mesh((2,), ("x",), axis_types=(lib.sharding.AxisType.Auto,))
    options = {} if lib.__name__ == "jax" else dict(checkpoints=4)

    def loop(u, w):
        count = 2 + 2 * lib.lax.axis_index("x")
        return lib.lax.while_loop(lambda c: c[0] < count, lambda c: (c[0] + 1, c[1] * w), (0, u), **options)[1]

    over = lib.shard_map(loop, mesh=mesh, in_specs=(lib.P("x"), lib.P()), out_specs=lib.P("x"))
    try:
        return str(lib.grad(lambda w: over(lib.numpy.ones(2), w).sum())(2.0))
    except (ValueError, NotImplementedError):
        return "refused"


CASES = {f.__name__: case(f) for f in (
    plain, called, computed_again, scanned, scanned_alike, nested, of_three, with_rules, summed_along_the_other_axis,
    without_operands, mapped, computed_alike, operand_alike, in_a_loop, turns_of_its_own,
    all_in_one_branch, of_alike, of_alike_by_three, of_numbers, of_alike_inside, of_alike_in_turns,
    alike_in_turns_of_its_own)}
CASES["summed_in_turns"] = summed_in_turns


@compiling
def test_derivatives_do_not_depend_on_the_check():
    assert beside.differences(__name__) == ""


def test_what_devices_choose_varies():
    """JAX's types say that it is the same everywhere, and `P()` gives what one device has."""
    mesh = ad.make_mesh((1,), ("x",), axis_types=(ad.sharding.AxisType.Auto,))
    index = partial(ad.lax.axis_index, "x")
    turn = lambda c, _: (ad.lax.cond(index() > 0, ad.numpy.sin, ad.numpy.cos, c), c)
    for f in (
        lambda q: ad.lax.cond(index() > 0, lambda q: q * 2, lambda q: q, q),
        lambda q: ad.lax.switch(index(), [lambda q: q * 2, lambda q: q, ad.numpy.sin], q),
        lambda q: ad.lax.fori_loop(0, index(), lambda i, q: q * 2, q),
        lambda q: ad.lax.while_loop(lambda c: c[0] < index(), lambda c: (c[0] + 1, 3.0), (0, q))[1],
        lambda q: ad.lax.scan(turn, q, length=2)[0],
    ):
        seen = []
        over = lambda specs, f=f, seen=seen: ad.shard_map(
            lambda q: seen.append(f(q)) or seen[-1], mesh=mesh, in_specs=ad.P(), out_specs=specs)(2.0)
        with pytest.raises(ValueError, match="which require replication"):
            over(ad.P())
        assert ad.typeof(seen[0]).vma == {"x"}
    same = lambda q: ad.lax.cond(index() > 0, lambda q, r: (q, r * 2), lambda q, r: (q, r), q, q)[0]
    assert ad.shard_map(same, mesh=mesh, in_specs=ad.P(), out_specs=ad.P())(2.0) == 2  # all devices have it
