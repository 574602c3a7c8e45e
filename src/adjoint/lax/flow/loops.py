"""Loops over traced values: `scan`, `map`, `while_loop`, `fori_loop`.

Each traces the user's functions to programs, checks that the carry keeps its structure and types, and binds
one primitive, `scan` or `while`. Traces are remembered with the functions. Under `disable_jit` they are
Python loops instead. The rules of the primitives are in `adjoint/control_flow`; branches in branches.py.

Tests: `tests/control_flow/test_transformed.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...control_flow.functions.bodies import (
    LEAF,
    argument_name,
    call_tree,
    check_callable,
    concrete,
    leaf_names,
    operands_of,
    types_of,
)
from ...control_flow.functions.loops import TracedScan, row_type, trace_scan, trace_while
from ...control_flow.functions.mismatches import carry_trees_differ
from ...core import dtypes
from ...core.messages.errors import ConcretizationTypeError, describe, message, shorten
from ...core.options.config import local
from ...core.trace import Tracer
from ...core.tree.tree import keystr, tree_flatten_with_path, tree_map, tree_unflatten, treedef_is_leaf
from ...core.types import Array, aval_of
from ...core.values.dimension import Dimension
from ...core.values.refs import Ref
from ...prims.arithmetic import add
from ...prims.conversion import convert_element_type
from ...prims.logic import lt
from ...prims.references import new_ref
from ...prims.slicing import slice_
from ...transforms.bodies import body_of, remembered
from ...transforms.calls import results
from ...transforms.flat import function_name
from ...transforms.vmap import vmap
from ..shape import concatenate, expand_dims, reshape
from ..slicing import index_in_dim

__all__ = ["fori_loop", "map", "scan", "while_loop"]


# ---- scan ----------------------------------------------------------------------------------------


def scan(
    f: Callable, init: Any, xs: Any = None, length: int | None = None, reverse: bool = False,
    unroll: int | bool = 1, _split_transpose: bool = False,
) -> tuple[Any, Any]:
    """Run `f` over the leading axis of arrays, carrying state along.

    The loop is one operation: `f` is traced once, whatever the length. In Python it would be

        ys = []
        for x in xs:
            carry, y = f(carry, x)
            ys.append(y)
        return carry, stack(ys)

    Args:
      f: (carry, x) -> (carry, y). The carry keeps its structure, shapes and dtypes.
      init: the first carry, a tree of arrays. Python scalars take the dtype that `f` gives them.
      xs: a tree of arrays of equal length along axis 0, or None.
      length: how many times, if `xs` is None.
      reverse: from the last to the first; the ys keep their places.
      unroll: how many iterations are compiled at a time; True for all.
    Returns:
      (last carry, ys stacked along axis 0).
    Raises:
      TypeError: the carry changes its structure or type; `f` does not return a pair.
      ValueError: lengths differ, or there is none.
    Derivative: both modes, of every order; the backward pass is a loop as well and keeps what it reads of each
      iteration.
    See also: `fori_loop`, `while_loop`, `map`, `associative_scan`; `checkpoint` for the body of a long loop.

    >>> lax.scan(lambda total, x: (total + x, total), 0., jnp.arange(4.))
    (Array(6., dtype=float32), Array([0., 0., 1., 3.], dtype=float32, weak_type=True))
    """
    check_callable("lax.scan: f argument should be a callable.", f, fix="lax.scan(f, init, xs)")
    carry, carry_tree = operands_of("scan", init)
    rows, xs_tree = operands_of("scan", xs)
    length = _scan_length(rows, xs_tree, length)
    unroll = _check_unroll(unroll, length)
    if local.disable_jit:
        return _python_scan(f, init, rows, xs_tree, length, reverse)
    carry_types = types_of(carry)
    row_types = tuple([row_type(x) for x in rows])

    def make() -> TracedScan:
        in_tree = call_tree(carry_tree, xs_tree)

        def trace(avals):
            body = body_of(f, "scan", in_tree, avals + row_types)
            _check_pair(body, f, carry_tree)
            return body

        return trace_scan(trace, carry_types, leaf_names(f, carry_tree, 0), "scan")

    key = (carry_tree, xs_tree, carry_types, row_types)
    traced = remembered(f, "scan", key, make)
    return tree_unflatten(traced.out_tree, results(traced.run(carry, rows, length, reverse, unroll)))


def _check_unroll(unroll, length: int):
    if isinstance(unroll, bool):
        return max(length, 1) if unroll else 1
    try:
        unroll = operator.index(unroll)
    except TypeError:
        raise TypeError(
            message(f"`unroll` must be a `bool` or a non-negative `int`, got {unroll!r}.", fix="unroll=2")
        ) from None
    if unroll < 0:
        raise ValueError(message("`unroll` must be a `bool` or a non-negative `int`.", fix="unroll=1"))
    return unroll


def _scan_length(rows, xs_tree, length) -> int:
    """Return the number of iterations, from the arrays and the argument."""
    sizes = []
    for i, x in enumerate(rows):
        shape = x.shape if isinstance(x, Array) else aval_of(x).shape
        if not shape:
            raise ValueError(
                message(
                    f"scan got value with no leading axis to scan over: {shorten(x)}.",
                    why=f"Every iteration reads one row of each array in xs, and {_row_name(xs_tree, i)} is "
                    f"{describe(x)}.",
                    fix="close over what is the same in every iteration, or pass jnp.asarray(...) with an axis",
                )
            )
        sizes.append(shape[0])
    if length is not None:
        if isinstance(length, Tracer):
            raise ConcretizationTypeError(
                length,
                "The `length` argument to `scan` expects a concrete `int` value. For scan-like iteration "
                "with a dynamic length, use `while_loop` or `fori_loop`.",
            )
        try:
            length = int(length)
        except (TypeError, ValueError) as e:
            fix = "lax.scan(f, init, xs, reverse=True)" if length == "reverse" else "lax.scan(f, init, length=n)"
            why = f"length is {shorten(length)} where an int is needed."
            raise type(e)(message(str(e), why=why, fix=fix)) from None
        if any(n != length for n in sizes):
            raise ValueError(
                message(
                    f"scan got `length` argument of {length} which disagrees with leading axis sizes "
                    f"{sizes}.",
                    fix="leave out length; xs has one",
                )
            )
        return max(length, 0)
    if not sizes:
        raise ValueError(
            message("scan got no values to scan over and `length` not provided.", fix="lax.scan(f, init, length=n)")
        )
    if len(set(sizes)) > 1:
        lines = [f"{_row_name(xs_tree, i)} is {describe(x)}" for i, x in enumerate(rows)]
        raise ValueError(
            message(
                "scan got values with different leading axis sizes: "
                f"{', '.join([str(n) for n in sizes])}.",
                why="\n".join(lines),
                fix="x[:n] for the longer ones, or close over what is not scanned",
            )
        )
    return sizes[0]


def _row_name(xs_tree, i: int) -> str:
    paths = tree_flatten_with_path(tree_unflatten(xs_tree, [0] * xs_tree.num_leaves))[0]
    return "xs" + keystr(paths[i][0])


def _check_pair(body, f, carry_tree) -> None:
    """The result of a scan's body is (carry, y) with the carry's structure."""
    children = body.out_tree.children()
    if len(children) != 2:
        is_leaf = treedef_is_leaf(body.out_tree) and bool(body.out_avals)
        got = str(body.out_avals[0]) if is_leaf else tree_unflatten(body.out_tree, body.out_avals)
        raise TypeError(
            message(
                f"scan body output must be a pair, got {got}.",
                why=f"{function_name(f)} is called as f(carry, x).",
                fix="return carry, y       (or: return carry, None)",
            )
        )
    if children[0] != carry_tree:
        raise carry_trees_differ("scan", argument_name(f, 0), carry_tree, children[0])


def _python_scan(f, carry, rows, xs_tree, length, reverse):
    """Return `scan` as a Python loop."""
    if length == 0:
        raise ValueError(
            "zero-length scan is not supported in disable_jit() mode because the output type is unknown."
        )
    ys = []
    for i in reversed(range(length)) if reverse else range(length):
        row = [new_ref(x[i]) if type(x) is Ref else index_in_dim(x, i, 0, keepdims=False) for x in rows]
        carry, y = f(carry, tree_unflatten(xs_tree, row))
        ys.append(y)
        for x, here in zip(rows, row):
            if type(x) is Ref:
                x[i] = here[...]
    if reverse:
        ys.reverse()
    return carry, tree_map(lambda *y: concatenate([expand_dims(v, (0,)) for v in y], 0), *ys)


# ---- map -----------------------------------------------------------------------------------------


def map(f: Callable, xs: Any, *, batch_size: int | None = None) -> Any:
    """Apply `f` to each row of arrays, one after the other: `stack([f(x) for x in xs])`.

    `vmap` does all rows at once; `map` needs the memory of one. `batch_size` is in between.

    Args:
      f: a function of one row, a tree like `xs` without the leading axis.
      xs: a tree of arrays of equal length along axis 0.
      batch_size: how many rows are done at once.
    Returns:
      A tree like what `f` returns, each array with a leading axis: position i is the result of row i.
    Raises:
      ValueError: the lengths differ, or there is no array.

    >>> lax.map(lambda x: x * x, jnp.arange(4))
    Array([0, 1, 4, 9], dtype=int32)
    """
    check_callable("lax.map: f argument should be a callable.", f, fix="lax.map(f, xs)")
    if batch_size is None:
        return _mapped(f, xs, None)
    rows, tree = operands_of("map", xs)
    n = _scan_length(rows, tree, None)
    if batch_size < 0:
        raise TypeError(f"lax.map batch_size must not be negative, got {batch_size}.")
    full = n // batch_size if batch_size else 0
    if not full:
        return vmap(f)(xs)
    for x in rows:
        _check_rows_are_whole(x)
    done = full * batch_size
    whole = rows if done == n else [_rows(x, 0, done) for x in rows]
    whole = [reshape(x, (full, batch_size, *x.shape[1:])) for x in whole]
    rest = None if done == n else [_rows(x, done, n) for x in rows]
    out = _mapped(f, tree_unflatten(tree, whole), _over_batch)
    flat = lambda y: reshape(y, (done, *y.shape[2:]))
    if rest is None:
        return tree_map(flat, out)
    out_rest = vmap(f)(tree_unflatten(tree, rest))
    return tree_map(lambda y, z: concatenate([flat(y), z], 0), out, out_rest)


def _check_rows_are_whole(x) -> None:
    """ValueError if explicit mesh axes divide the rows of an array, of which several are to go together."""
    aval = aval_of(x)
    sharding = aval.explicit_sharding
    if sharding is not None and sharding.spec[0]:
        raise ValueError(
            message(
                "0th dimension of leaf passed to `jax.lax.map` should be replicated. Got "
                f"{aval.str_short(True)}({{Explicit: {sharding.mesh.explicit_axes}}})",
                why="map runs over groups of rows one after another, on all devices.",
                fix="lax.map(f, jax.sharding.reshard(xs, P(None, ...)), batch_size=...)",
            )
        )


def _rows(x, start: int, stop: int):
    """`x[start:stop]`"""
    inner = x.shape[1:]
    return slice_(
        x, start_indices=(start, *[0] * len(inner)), limit_indices=(stop, *inner), strides=None
    )


def _mapped(f, xs, wrap):
    """Return a scan without a carry."""
    rows, tree = operands_of("map", xs)
    length = _scan_length(rows, tree, None)
    if local.disable_jit:
        step = f if wrap is None else vmap(f)
        return _python_scan(lambda _, x: (None, step(x)), None, rows, tree, length, False)[1]
    row_types = tuple([row_type(x) for x in rows])

    def make() -> TracedScan:
        trace = lambda _: body_of(f, "map", call_tree(tree), row_types, wrap)
        return trace_scan(trace, (), list, "map")

    traced = remembered(f, ("map", wrap), (tree, row_types), make)
    return tree_unflatten(traced.out_tree, results(traced.run([], rows, length, False, 1)))


def _over_batch(flat, *rows) -> list:
    return vmap(flat)(*rows)


# ---- while_loop, fori_loop -----------------------------------------------------------------------


def while_loop(
    cond_fun: Callable, body_fun: Callable, init_val: Any, *, checkpoints: int | None = None
) -> Any:
    """Repeat `body_fun` as long as `cond_fun` holds.

        while cond_fun(val):
            val = body_fun(val)
        return val

    Forward derivatives (`jvp`, `jacfwd`) work. Reverse ones need to know how much memory they may take,
    because the number of iterations is not known beforehand: give `checkpoints`, or use `scan`, or `fori_loop`
    with Python ints.

    Args:
      cond_fun: val -> boolean scalar.
      body_fun: val -> val, of equal structure, shapes and dtypes.
      init_val: the first value, a tree of arrays. Python scalars take the dtype that `body_fun` gives them.
      checkpoints: allow reverse derivatives, which keep at most so many values of the loop and compute the
        others again. With 20, a thousand iterations are run about three times, a million about eight times. JAX
        has no such argument.
    Returns:
      The first state for which `cond_fun` is false: a tree like `init_val`.
    Raises:
      ValueError: `checkpoints` is less than 1; or a reverse derivative without it.
      TypeError: `cond_fun` does not return a boolean scalar, or `body_fun` changes the structure or types.
    See also: `scan`, `fori_loop`, `custom_root` for solutions of equations.

    >>> lax.while_loop(lambda x: x < 100, lambda x: x * 2, 3)
    Array(192, dtype=int32, weak_type=True)
    >>> grad(lambda x: lax.while_loop(lambda y: y < 100., lambda y: y * y, x, checkpoints=4))(3.)
    Array(17496., dtype=float32, weak_type=True)
    """
    check_callable(
        "lax.while_loop: body_fun and cond_fun arguments should be callable.", body_fun, cond_fun
    )
    if checkpoints is not None and operator.index(checkpoints) < 1:
        raise ValueError(
            message(
                f"while_loop: checkpoints must be at least 1, got {checkpoints}.",
                why="The backward pass starts again from one of the values that it kept.",
                fix="checkpoints=20, or more if there is memory",
            )
        )
    if local.disable_jit:
        ended, value = _python_while(cond_fun, body_fun, init_val)
        if ended:
            return value
    carry, tree = operands_of("while_loop", init_val)
    types = types_of(carry)

    def make():
        in_tree = call_tree(tree)

        def test(avals):
            body = body_of(cond_fun, "while_cond", in_tree, avals)
            _check_condition(body)
            return body

        def step(avals):
            body = body_of(body_fun, "while_body", in_tree, avals)
            if body.out_tree != tree:
                raise carry_trees_differ("while_loop", argument_name(body_fun, 0), tree, body.out_tree)
            return body

        return trace_while(test, step, types, leaf_names(body_fun, tree, 0), "while_loop")

    traced = remembered(body_fun, "while_loop", (tree, types), make, beside=cond_fun)
    options = {} if checkpoints is None else {"checkpoints": operator.index(checkpoints)}
    return tree_unflatten(tree, results(traced.run(carry, **options)))


def _python_while(cond_fun, body_fun, value) -> tuple[bool, Any]:
    """Return whether a Python loop came to its end, and its value: the condition may depend on what is traced."""
    leaves, tree = operands_of("while_loop", value)
    value = tree_unflatten(tree, [x if isinstance(x, Array) else _converted(x, aval_of(x)) for x in leaves])
    holds = concrete(cond_fun(value))
    while holds is not None and holds:
        value = body_fun(value)
        holds = concrete(cond_fun(value))
    return holds is not None, value


def _converted(x, aval) -> Array:
    return convert_element_type(x, new_dtype=aval.dtype, weak_type=aval.weak_type, sharding=None)


def _check_condition(body) -> None:
    """The result of a loop's condition is one boolean scalar."""
    avals = body.out_avals
    if body.out_tree != LEAF:
        what = f"cond_fun must return a boolean scalar, but got pytree {body.out_tree}."
    elif avals[0].shape or avals[0].dtype != np.bool_:
        what = f"cond_fun must return a boolean scalar, but got output type(s) {avals}."
    else:
        return
    raise TypeError(
        message(
            what,
            why="It decides before every iteration whether to run it.",
            fix="return a comparison of scalars, for example val[0] < 10; jnp.any(...) or jnp.all(...) of "
            "an array",
        )
    )


def fori_loop(
    lower, upper, body_fun: Callable, init_val: Any, *, unroll: int | bool | None = None
) -> Any:
    """Repeat `body_fun` for each number from `lower` to `upper`, exclusive, in steps of 1.

        for i in range(lower, upper):
            val = body_fun(i, val)
        return val

    Between bounds known when the program is made it is a `scan` and has reverse derivatives; otherwise it
    is a `while_loop`.

    Args:
      lower, upper: integer scalars of one dtype. Floats count as the integers that they are cut down to if both are
        known when the program is made, as they are otherwise.
      body_fun: (i, val) -> val, of equal structure, shapes and dtypes.
      init_val: the first value, a tree of arrays. Python scalars take the dtype that `body_fun` gives them.
      unroll: how many iterations are compiled at a time, for known bounds; True for all.
    Returns:
      The state after the last iteration, a tree like `init_val`; `init_val` itself if there is none.
    Raises:
      TypeError: the bounds are not real numbers of one dtype, or `body_fun` changes the structure or types.
      ValueError: `unroll` of a loop whose bounds are not known.
    See also: `scan`, which collects results of the iterations; `while_loop`.

    >>> lax.fori_loop(0, 5, lambda i, total: total + i, 0)
    Array(10, dtype=int32, weak_type=True)
    """
    check_callable(
        "lax.fori_loop: body_fun argument should be callable.", body_fun, fix="lax.fori_loop(lower, upper, body, init)")
    lower, upper = _bounds(lower, upper)
    low, high = concrete(lower), concrete(upper)
    if low is not None and high is not None:
        return _counted_loop(int(low), int(high), body_fun, init_val, unroll)
    if unroll is not None and not isinstance(unroll, bool):
        raise ValueError(
            message(
                "Can only use `unroll` in `fori_loop` if the loop bounds are statically known.",
                fix="jit(f, static_argnames=...) for the argument that decides the bounds, or no unroll",
            )
        )
    if local.disable_jit:
        step = lambda c: (_next(c[0]), c[1], body_fun(c[0], c[2]))
        ended, value = _python_while(lambda c: _below(*c), step, (lower, upper, init_val))
        if ended:
            return value[2]
    carry, tree = operands_of("fori_loop", init_val)
    types = types_of([lower, upper, *carry])

    def make():
        test = lambda avals: body_of(_below, "fori_loop", call_tree(*[LEAF] * len(avals)), avals)
        step = lambda avals: _fori_body(body_fun, tree, avals, _counted_to)
        names = lambda: ["lower", "upper", *leaf_names(body_fun, tree, 1)()]
        return trace_while(test, step, types, names, "fori_loop")

    traced = remembered(body_fun, "fori_loop to a traced end", (tree, types), make)
    return tree_unflatten(tree, results(traced.run([lower, upper, *carry])[2:]))


def _counted_loop(low: int, high: int, body_fun, init_val, unroll):
    """Return `fori_loop` between known bounds: a scan that carries the counter."""
    if local.disable_jit:
        for i in range(low, high):
            init_val = body_fun(i, init_val)
        return init_val
    carry, tree = operands_of("fori_loop", init_val)
    types = types_of([low, *carry])

    def make():
        step = lambda avals: _fori_body(body_fun, tree, avals, _counted)
        return trace_scan(step, types, lambda: ["i", *leaf_names(body_fun, tree, 1)()], "fori_loop")

    traced = remembered(body_fun, "fori_loop", (tree, types), make)
    length = max(high - low, 0)
    unroll = _check_unroll(1 if unroll is None else unroll, length)
    return tree_unflatten(tree, results(traced.run([low, *carry], [], length, False, unroll)[1:]))


def _fori_body(body_fun, tree, avals, wrap):
    """Return the program of a loop's body together with its counter."""
    body = body_of(body_fun, "fori_loop", call_tree(LEAF, tree), avals, wrap)
    if body.out_tree != tree:
        raise carry_trees_differ("fori_loop", argument_name(body_fun, 1), tree, body.out_tree)
    return body


def _bounds(lower, upper) -> tuple:
    """Return both bounds in one dtype: beside a signed integer, a weakly typed one takes its dtype."""
    lower, upper = [x.dimension_as_value() if isinstance(x, Dimension) else x for x in (lower, upper)]
    avals = [aval_of(lower), aval_of(upper)]
    if avals[0].dtype != avals[1].dtype and all(dtypes.issubdtype(a.dtype, np.signedinteger) for a in avals):
        if avals[0].weak_type and not avals[1].weak_type:
            lower, avals[0] = _narrowed(lower, avals[1].dtype), avals[1]
        elif avals[1].weak_type and not avals[0].weak_type:
            upper, avals[1] = _narrowed(upper, avals[0].dtype), avals[0]
    _check_bounds(avals)
    return lower, upper


def _narrowed(bound, dtype):
    """Return a bound in a dtype; one that is known only counts the turns, and may be beyond the dtype's range."""
    number = concrete(bound)
    if number is None:
        return convert_element_type(bound, new_dtype=dtype, weak_type=False, sharding=None)
    info = dtypes.iinfo(dtype)
    return dtype.type(number) if info.min <= number <= info.max else bound


def _check_bounds(avals) -> None:
    names = " and ".join(a.dtype.name for a in avals)
    fix = "lax.fori_loop(0, n, ...) with an int n, or bounds of one integer dtype"
    if avals[0].dtype != avals[1].dtype:
        raise TypeError(
            message(
                f"lower and upper arguments to fori_loop must have equal types, got {names}", fix=fix
            )
        )
    if any(dtypes.issubdtype(a.dtype, np.complexfloating) for a in avals):
        raise TypeError(
            message(f"lower and upper arguments to fori_loop must be numbers with an order, got {names}", fix=fix)
        )
    if any(a.shape for a in avals):
        raise TypeError(
            message(
                "lower and upper arguments to fori_loop must be scalars, got "
                f"{' and '.join([str(a) for a in avals])}",
                fix=fix,
            )
        )


def _next(i):
    """Return the counter of the next turn, of the same type."""
    aval = aval_of(i)
    one = aval.dtype.type(1)
    return add(i, one.item() if aval.weak_type else one)


def _counted(flat, i, *leaves) -> list:
    return [_next(i), *flat(i, *leaves)]


def _counted_to(flat, i, upper, *leaves) -> list:
    return [_next(i), upper, *flat(i, *leaves)]


def _below(i, upper, *_):
    return lt(i, upper)
