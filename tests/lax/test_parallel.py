"""Collectives under `vmap`, alone, in `jit`, nested and differentiated: as in JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
from adjoint.array.array import as_array
from adjoint.lax.flow import collectives

from .parity import assert_same, numbers, parameters, same, same_jaxpr, same_types, together

X = np.arange(24, dtype=np.float32).reshape(4, 2, 3) - 7
SQUARE = np.arange(48, dtype=np.float32).reshape(4, 4, 3)

# name -> (collective of one value, operand whose axis 0 is mapped)
CALLS = {
    "psum": (lambda m, v: m.lax.psum(v, "i"), X),
    "psum of a tree": (lambda m, v: m.lax.psum({"a": v, "b": [v, 3]}, "i"), X),
    "psum of integers": (lambda m, v: m.lax.psum(v, "i"), X.astype(np.int32)),
    "psum of booleans": (lambda m, v: m.lax.psum(v, "i"), X > 0),
    "psum over a position": (lambda m, v: m.lax.psum(v, ("i", 0)), X),
    "pmean": (lambda m, v: m.lax.pmean(v, "i"), X),
    "pmean of integers": (lambda m, v: m.lax.pmean(v, "i"), X.astype(np.int32)),
    "pmax": (lambda m, v: m.lax.pmax(v, "i"), X),
    "pmin": (lambda m, v: m.lax.pmin(v, "i"), X),
    "axis_index": (lambda m, v: m.lax.axis_index("i"), X),
    "axis_size": (lambda m, v: m.lax.mul(v, np.float32(m.lax.axis_size("i"))), X),
    "all_gather": (lambda m, v: m.lax.all_gather(v, "i"), X),
    "all_gather axis": (lambda m, v: m.lax.all_gather(v, "i", axis=-1), X),
    "all_gather tiled": (lambda m, v: m.lax.all_gather(v, "i", axis=1, tiled=True), X),
    "psum_scatter": (lambda m, v: m.lax.psum_scatter(v, "i"), SQUARE),
    "psum_scatter tiled": (
        lambda m, v: m.lax.psum_scatter(v, "i", tiled=True), np.concatenate([SQUARE] * 2, 1),
    ),
    "psum_scatter axis": (
        lambda m, v: m.lax.psum_scatter(v, "i", scatter_dimension=1), SQUARE.swapaxes(1, 2).copy(),
    ),
    "ppermute": (lambda m, v: m.lax.ppermute(v, "i", [(0, 1), (1, 2), (2, 3), (3, 0)]), X),
    "pshuffle": (lambda m, v: m.lax.pshuffle(v, "i", [2, 0, 3, 1]), X),
    "pswapaxes": (lambda m, v: m.lax.pswapaxes(v, "i", 0), SQUARE),
    "all_to_all": (lambda m, v: m.lax.all_to_all(v, "i", 0, 1), SQUARE),
    "all_to_all back": (lambda m, v: m.lax.all_to_all(v, "i", 1, 0), SQUARE.swapaxes(1, 2).copy()),
    "all_to_all tiled": (
        lambda m, v: m.lax.all_to_all(v, "i", 0, 1, tiled=True), np.concatenate([SQUARE] * 2, 1),
    ),
}
each_call = pytest.mark.parametrize("name", CALLS)


@pytest.mark.parametrize("name", sorted(set(collectives.__all__) - {"axis_size"}))
def test_signatures(name):
    """Parameters have JAX's names, kinds and defaults."""
    assert parameters(jax, name) == parameters(adjoint, name)


# ---- under vmap ---------------------------------------------------------------------------------


@together
def test_under_vmap():
    for call, x in CALLS.values():
        same(lambda m, x: m.vmap(lambda v: call(m, v), axis_name="i")(x), x)


@together
def test_under_vmap_of_another_axis():
    """The mapped axis may be anywhere; the result goes anywhere."""
    for name, (call, x) in CALLS.items():
        if name != "axis_index":
            mapped = lambda m: m.vmap(lambda v: call(m, v), -1, -1, axis_name="i")
            same(lambda m, x: mapped(m)(x), np.moveaxis(x, 0, -1).copy())


@each_call
def test_of_a_value_that_is_not_mapped(name):
    """It counts once for each index of the axis, as if it were mapped."""
    call, x = CALLS[name]
    one, index = as_array(x[1].copy()), as_array(np.arange(4))
    inside = adjoint.vmap(lambda i: call(adjoint, one), axis_name="i")(index)
    copies = adjoint.vmap(lambda v: call(adjoint, v), axis_name="i")(as_array(np.stack([x[1]] * 4)))
    assert_same(copies, inside, rtol=0)


@together
def test_inside_jit_inside_vmap():
    """The jitted function finds the name, and is not confused with another length of the axis."""
    for name, (call, x) in CALLS.items():
        same(lambda m, x: m.vmap(m.jit(lambda v: call(m, v)), axis_name="i")(x), x)
        if name in ("psum", "pmean", "axis_index", "axis_size"):
            f = adjoint.jit(lambda v: call(adjoint, v))
            for n in (4, 2, 4):
                mapped = lambda m, x: m.vmap(f if m is adjoint else lambda v: call(m, v), axis_name="i")(x)
                same(mapped, x[:n].copy())


@together
def test_inside_another_vmap():
    """A collective sees only the axis of its name."""
    for call, x in CALLS.values():
        both = np.stack([x, x + 1 if x.dtype != bool else ~x], 1)
        inner = lambda m: lambda row: m.vmap(lambda v: call(m, v))(row)
        named = lambda m: m.vmap(lambda v: call(m, v), axis_name="i")
        same(lambda m, x: m.vmap(inner(m), axis_name="i")(x), both)
        same(lambda m, x: m.vmap(named(m))(x), both.swapaxes(0, 1).copy())
        same(lambda m, x: m.vmap(named(m), 1)(x), both)


NOT_DIFFERENTIABLE = ("pmax", "pmin", "axis_index", "psum of", "pmean of", "all_to_all back")
DIFFERENTIABLE = [n for n in CALLS if not n.startswith(NOT_DIFFERENTIABLE)]


@together
def test_derivatives():
    """grad outside the vmap, inside it, and forward."""
    axes = lambda y: tuple(range(y.ndim))
    total = lambda m, y: m.lax.reduce_sum(m.lax.sin(y), axes(y))
    for name in DIFFERENTIABLE:
        call, x = CALLS[name]
        mapped = lambda m: m.vmap(lambda v: call(m, m.lax.mul(v, v)), axis_name="i")
        same(lambda m, x: m.grad(lambda x: total(m, mapped(m)(x)))(x), x, rtol=1e-5)
        if name not in ("all_to_all", "all_to_all tiled"):  # JAX cannot
            inside = lambda m: m.grad(lambda v: total(m, call(m, m.lax.mul(v, v))))
            same(lambda m, x: m.vmap(inside(m), axis_name="i")(x), x, rtol=1e-5)
        same(lambda m, x: m.jvp(mapped(m), (x,), (x,)), x, rtol=1e-5)


def test_derivative_of_all_to_all_inside_vmap():
    """It sends the cotangents back; JAX cannot transpose it."""
    call = lambda v: adjoint.lax.all_to_all(v, "i", 0, 1)
    pull = lambda v, ct: adjoint.vjp(call, v)[1](ct)[0]
    ct = np.arange(48, dtype=np.float32).reshape(4, 3, 4)
    back = adjoint.vmap(pull, axis_name="i")(SQUARE, ct)
    # The cotangent at (receiver r, axis k, sender s) goes to sender s, part r.
    np.testing.assert_array_equal(ct.transpose(2, 0, 1), np.asarray(back._buffer))


def test_derivative_of_pmax():
    """The participants that reach the maximum share the cotangent; JAX has no rule."""
    x = as_array(np.array([1, 5, 5, 2], np.float32))
    inside = lambda v: adjoint.lax.pmax(v, "i")
    outside = lambda x: adjoint.lax.reduce_sum(adjoint.vmap(inside, axis_name="i")(x), (0,))
    assert adjoint.grad(outside)(x)._buffer.tolist() == [0, 2, 2, 0]


@together
def test_several_names():
    x = np.stack([X, X + 1])
    two = lambda m, f: m.vmap(m.vmap(f, axis_name="j"), axis_name="i")
    for names in (("i", "j"), ("j", "i"), ["i"], ("j",)):
        same(lambda m, x: two(m, lambda v: m.lax.psum(v, names))(x), x)
        same(lambda m, x: two(m, lambda v: m.lax.axis_index(tuple(names)))(x), x)
        same(lambda m, x: two(m, lambda v: m.lax.pmax(v, names))(x), x)
        same(lambda m, x: two(m, lambda v: m.lax.add(v, np.float32(m.lax.axis_size(names))))(x), x)


def test_the_inner_axis_of_a_name_is_meant():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    total = lambda m: lambda v: m.lax.psum(v, "i")
    same(lambda m, x: m.vmap(m.vmap(total(m), axis_name="i"), axis_name="i")(x), x)


def test_in_control_flow():
    """The loops find the names in their bodies."""

    def program(m, x):
        def body(carry, v):
            total = m.lax.psum(v, "i")
            return m.lax.add(carry, total), m.lax.sub(v, total)

        first = lambda v: m.lax.index_in_dim(v, 0, 0, False)
        return m.vmap(lambda v: m.lax.scan(body, first(v), v), axis_name="i")(x)

    same(program, X)


# ---- constants ----------------------------------------------------------------------------------


def test_sums_of_constants_are_known_when_tracing():
    """`psum(1, name)` is the size of the axis as an int, good for shapes."""
    seen = []

    def f(x):
        seen.append([adjoint.lax.psum(c, "i") for c in (1, 2.5, np.float32(2), 3j)])
        seen.append([adjoint.lax.axis_size("i"), adjoint.lax.pmean(2, "i")])
        return x

    adjoint.vmap(f, axis_name="i")(as_array(X))
    assert seen == [[4, 10.0, 8.0, 12j], [4, 2.0]]
    assert [type(v) for v in seen[0]] == [int, float, np.float32, complex]
    assert [type(v) for v in seen[1]] == [int, float]
    scaled = lambda m: lambda v: m.lax.mul(v, m.lax.psum(np.float32(1), "i"))
    same(lambda m, x: m.vmap(scaled(m), axis_name="i")(x), X)


def test_no_names():
    same(lambda m, x: m.vmap(lambda v: m.lax.psum(v, ()), axis_name="i")(x), X)


# ---- jaxprs and errors --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        lambda m, x: m.lax.psum((x, x), "i"),
        lambda m, x: m.lax.psum(x, ("i", "j")),
        lambda m, x: m.lax.psum(1, "i"),
        lambda m, x: m.lax.psum(x, "i", axis_index_groups=[[0, 1], [2, 3]]),
        lambda m, x: m.lax.psum(x, 0),
        lambda m, x: m.lax.pmean(x, "i"),
        lambda m, x: m.lax.pmax(x, "i"),
        lambda m, x: m.lax.axis_index("i"),
        lambda m, x: m.lax.all_gather(x, "i", axis=1),
        lambda m, x: m.lax.psum_scatter(x, "i"),
        lambda m, x: m.lax.ppermute(x, "i", [(0, 1), (1, 2)]),
        lambda m, x: m.lax.pshuffle(x, "i", [3, 2, 1, 0]),
        lambda m, x: m.lax.all_to_all(x, "i", 0, 1),
        lambda m, x: m.lax.all_to_all(x, "i", 0, 1, tiled=True),
        lambda m, x: m.lax.pswapaxes(x, "i", 0),
        lambda m, x: m.grad(lambda v: m.lax.reduce_sum(m.lax.psum(v, "i"), (0, 1, 2)))(x),
    ],
)
def test_jaxprs(program):
    same_jaxpr(program, X, axis_env=[("i", 4), ("j", 3)])


def test_jaxprs_under_vmap():
    for name in ("psum", "pmean", "pmax", "axis_index"):
        call, x = CALLS[name]
        same_jaxpr(lambda m, x: m.vmap(lambda v: call(m, v), axis_name="i")(x), x)


@pytest.mark.parametrize(
    "call",
    [
        lambda m, v: m.lax.psum(v, "k"),
        lambda m, v: m.lax.pmean(v, "k"),
        lambda m, v: m.lax.pmax(v, "k"),
        lambda m, v: m.lax.psum(1, "k"),
        lambda m, v: m.lax.axis_index("k"),
        lambda m, v: m.lax.axis_size("k"),
        lambda m, v: m.lax.all_gather(v, "k"),
        lambda m, v: m.lax.ppermute(v, "k", [(0, 0)]),
        lambda m, v: m.lax.all_to_all(v, "k", 0, 0),
    ],
)
def test_unbound_names(call):
    """NameError, with the names in scope and what to write; also with no vmap at all."""
    same_types(lambda m, x: m.vmap(lambda v: call(m, v), axis_name="i")(x), X, lines=False)
    same_types(lambda m, x: call(m, x), X, lines=False)
    text = r"(?s)unbound axis name: k.*in scope are: 'i'.*axis_name='k'"
    with pytest.raises(NameError, match=text):
        adjoint.vmap(lambda v: call(adjoint, v), axis_name="i")(as_array(X))


def test_other_errors():
    env = lambda m, f: lambda x: m.vmap(lambda v: f(m, v), axis_name="i")(x)
    check = lambda f, x=X, **kw: same_types(lambda m, x: env(m, f)(x), x, **kw)
    check(lambda m, v: m.lax.all_to_all(v, "i", 1, 1))
    check(lambda m, v: m.lax.psum("a", "i"), lines=False)
    check(lambda m, v: m.lax.psum(v, "i", axis_index_groups=[[0, 1], [2, 7]]))
    check(lambda m, v: m.lax.pshuffle(v, "i", [0, 0, 1, 2]), lines=False)
    with pytest.raises(ValueError, match="ppermute sources and destinations must be unique"):
        env(adjoint, lambda m, v: m.lax.ppermute(v, "i", [(0, 1), (1, 1)]))(as_array(X))


def test_an_index_that_is_no_target_receives_zeros():
    send = lambda v: adjoint.lax.ppermute(v, "i", [(0, 1), (3, 2)])
    out = adjoint.vmap(send, axis_name="i")(as_array(X))
    expected = np.stack([0 * X[0], X[0], X[3], 0 * X[0]])
    np.testing.assert_array_equal(expected, np.asarray(out._buffer))


def test_pbroadcast_and_pcast():
    both = lambda v: (adjoint.lax.pbroadcast(v, "i", 2), adjoint.lax.pcast(v, "i", to="varying"))
    third, unchanged = adjoint.vmap(both, axis_name="i")(as_array(X))
    np.testing.assert_array_equal(np.stack([X[2]] * 4), np.asarray(third._buffer))
    np.testing.assert_array_equal(X, np.asarray(unchanged._buffer))


# ---- several names, and groups ------------------------------------------------------------------

PERM = [(0, 1), (1, 5), (3, 0)]
EXCHANGES = {
    "all_gather": lambda v, name, g: adjoint.lax.all_gather(v, name, axis=1, axis_index_groups=g),
    "all_gather tiled": lambda v, name, g: adjoint.lax.all_gather(v, name, axis=-1, tiled=True, axis_index_groups=g),
    "psum_scatter": lambda v, name, g: adjoint.lax.psum_scatter(v[: 3 if g else 6], name, axis_index_groups=g),
    "psum_scatter tiled": lambda v, name, g: adjoint.lax.psum_scatter(
        v, name, scatter_dimension=1, tiled=True, axis_index_groups=g),
    "all_to_all": lambda v, name, g: adjoint.lax.all_to_all(v[: 3 if g else 6], name, 0, 1, axis_index_groups=g),
    "all_to_all tiled": lambda v, name, g: adjoint.lax.all_to_all(v, name, 1, 0, tiled=True, axis_index_groups=g),
    "pswapaxes": lambda v, name, g: adjoint.lax.pswapaxes(v[: 3 if g else 6], name, 0, axis_index_groups=g),
    "ppermute": lambda v, name, g: adjoint.lax.ppermute(v, name, PERM),
    "pbroadcast": lambda v, name, g: adjoint.lax.pbroadcast(v, name, 4),
    "psum": lambda v, name, g: adjoint.lax.psum({"a": v}, name, axis_index_groups=g)["a"],
    "pmean": lambda v, name, g: adjoint.lax.pmean(v, name, axis_index_groups=g),
    "pmax": lambda v, name, g: adjoint.lax.pmax(v, name, axis_index_groups=g),
}
GROUPS = [[0, 2, 4], [5, 3, 1]]


def variants(mapped):
    """A function of all indices' values: now, compiled, its gradient and the gradient's tangent."""
    total = lambda x: (mapped(x) ** 3).sum()
    yield mapped
    yield adjoint.jit(mapped)
    yield adjoint.grad(total)
    yield lambda x: adjoint.jvp(adjoint.grad(total), (x,), (x,))[1]


def long_axis():
    return as_array(np.random.default_rng(7).normal(size=(6, 6, 12)).astype(np.float32))


def same_functions(first, second, x, rtol=1e-4):
    for f, g in zip(variants(first), variants(second)):
        expected, actual = numbers(f(x)), numbers(g(x))
        np.testing.assert_allclose(expected, actual, rtol=rtol, atol=rtol * np.abs(expected).max())


@pytest.mark.parametrize("name", EXCHANGES)
def test_several_names_are_one_long_axis(name):
    """JAX has this for reductions and all_to_all only."""
    call = EXCHANGES[name]

    def nested(x):
        inner = adjoint.vmap(lambda v: call(v, ("i", "j"), None), axis_name="j")
        out = adjoint.vmap(inner, axis_name="i")(x.reshape(2, 3, *x.shape[1:]))
        return out.reshape(6, *out.shape[2:])

    same_functions(adjoint.vmap(lambda v: call(v, "k", None), axis_name="k"), nested, long_axis())


@pytest.mark.parametrize("name", [n for n in EXCHANGES if n not in ("ppermute", "pbroadcast")])
def test_groups_are_an_axis_of_their_own(name):
    """JAX has no groups under vmap."""
    call, order = EXCHANGES[name], np.array(GROUPS).ravel()

    def nested(x):
        parts = x[order].reshape(2, 3, *x.shape[1:])
        out = adjoint.vmap(adjoint.vmap(lambda v: call(v, "i", [[0, 1, 2]]), axis_name="i"))(parts)
        return out.reshape(6, *out.shape[2:])[np.argsort(order)]

    same_functions(nested, adjoint.vmap(lambda v: call(v, "i", GROUPS), axis_name="i"), long_axis())
    inside = lambda groups: adjoint.grad(lambda v: (call(v, "i", groups) ** 3).sum())
    if name != "pmax":
        x = long_axis()
        parts = x[order].reshape(2, 3, *x.shape[1:])
        expected = adjoint.vmap(adjoint.vmap(inside([[0, 1, 2]]), axis_name="i"))(parts)
        expected = numbers(expected).reshape(x.shape)[np.argsort(order)]
        actual = numbers(adjoint.vmap(inside(GROUPS), axis_name="i")(x))
        np.testing.assert_allclose(expected, actual, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


@together
def test_exchange_with_several_names_as_in_jax():
    x = np.random.default_rng(3).normal(size=(2, 3, 6)).astype(np.float32)
    for names in (("i", "j"), ("j", "i")):
        for call in (
            lambda m, v: m.lax.all_to_all(v, names, 0, 0),
            lambda m, v: m.lax.all_to_all(v, names, 0, 0, tiled=True),
            lambda m, v: m.lax.pmean((v, v > 0), names),
        ):
            same(lambda m, x: m.vmap(m.vmap(lambda v: call(m, v), axis_name="j"), axis_name="i")(x), x)


@together
def test_spmd_axis_name():
    """It names the axis of vmap for the layout over devices, and changes no value."""
    same(lambda m, x: m.vmap(m.numpy.sin, spmd_axis_name="x")(x), X)
    same(lambda m, x: m.vmap(lambda v: m.lax.psum(v, "i"), axis_name="i", spmd_axis_name="x")(x), X)


def test_pcast_checks_what_to_become():
    with pytest.raises(ValueError, match="unexpected `to` value"):
        adjoint.vmap(lambda v: adjoint.lax.pcast(v, "i", to="odd"), axis_name="i")(as_array(X))


def test_ragged_all_to_all_moves_pieces_of_any_size():
    """In groups, with two pieces for each receiver, one over the other: as a loop does."""
    rng, groups = np.random.default_rng(0), [[0, 2], [1, 3]]
    x, out = (rng.normal(size=(4, n, 3)).astype("f") for n in (10, 12))
    sizes, starts, to = (rng.integers(0, n, (4, 4)) for n in (3, 8, 10))
    expected, received = out.copy(), np.zeros_like(sizes)
    for group in groups:
        for rank, j in enumerate(group):
            for k, (i, q) in enumerate([(i, 2 * rank + s) for i in group for s in range(2)]):
                received[j, k] = sizes[i, q]
                expected[j, to[i, q] : to[i, q] + sizes[i, q]] = x[i, starts[i, q] : starts[i, q] + sizes[i, q]]
    exchange = lambda x, out: adjoint.vmap(
        lambda *args: adjoint.lax.ragged_all_to_all(*args, axis_name="i", axis_index_groups=groups), axis_name="i"
    )(x, out, *map(as_array, (starts, sizes, to, received)))
    for run in (exchange, adjoint.jit(exchange)):
        np.testing.assert_array_equal(expected, numbers(run(x, out)))


def test_ragged_all_to_all_has_derivatives():
    """What is sent and what is overwritten, against finite differences."""
    sizes, to = np.array([[1, 2], [1, 1]]), np.array([[0, 0], [1, 2]])
    starts = np.array([[0, 1], [0, 1]])
    f = lambda x, out: (adjoint.vmap(
        lambda *args: adjoint.lax.ragged_all_to_all(*args, axis_name="i"), axis_name="i"
    )(x, out, *map(as_array, (starts, sizes, to, sizes.T))) * WEIGHTS).sum()
    by_x, by_out = adjoint.grad(f, (0, 1))(np.ones((2, 3), "f"), np.ones((2, 4), "f"))
    assert [[0, 4, 5], [1, 6, 0]] == by_x.tolist()
    assert [[0, 0, 2, 3], [0, 0, 0, 7]] == by_out.tolist()


WEIGHTS = np.arange(8, dtype=np.float32).reshape(2, 4)


# ---- messages -----------------------------------------------------------------------------------

RING = [(0, 1), (1, 0)]


def sent(m, x):
    """What the neighbour sent."""
    token = m.lax.psend(x, "i", RING)
    return m.lax.precv(token, m.ShapeDtypeStruct(x.shape, x.dtype), "i", RING)


def test_messages_are_programs():
    """`psend` and `precv` have JAX's types, also where it is checked how values vary."""
    texts = [str(m.make_jaxpr(lambda x: sent(m, x), axis_env=[("i", 2)])(X)) for m in (jax, adjoint)]
    assert texts[0] == texts[1]


def test_messages_are_refused_where_there_is_no_network():
    """As JAX does on CPUs; without an axis of that name it is a NameError."""
    mapped = adjoint.vmap(lambda x: sent(adjoint, x), axis_name="i")
    for run in (mapped, adjoint.jit(mapped)):
        with pytest.raises(NotImplementedError, match="psend is currently only implemented on GPU"):
            run(X)
    with pytest.raises(NameError, match="unbound axis name: i"):
        adjoint.jit(lambda x: sent(adjoint, x))(X)


def test_sums_of_booleans_over_a_named_axis_are_int32():
    with adjoint.enable_x64(True):
        x = np.array([True, True, False])
        both = lambda v: (adjoint.lax.psum(v, "k"), adjoint.lax.pmean(v, "k"))
        total, mean = adjoint.vmap(both, axis_name="k", out_axes=None)(x)
    assert (total, total.dtype, mean.dtype) == (2, "int32", "float32")
    assert mean == adjoint.numpy.float32(2 / 3)
