"""Collectives: operations along named axes, as `vmap(axis_name=...)` and `shard_map` have them.

Operands are trees of arrays. An axis name may be a tuple of names. A Python or NumPy constant is
the same everywhere along an axis, so its sum is computed at once: `psum(1, "i")` is the length of
the axis, an int.

Tests: `tests/lax/test_parallel.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import partial
from math import prod

import numpy as np

from ...array.array import as_array
from ...core import dtypes
from ...core.messages.errors import message
from ...core.primitive import Primitive
from ...core.trace import state
from ...core.tree.tree import tree_map
from ...core.types import Array, ShapedArray, aval_of
from ...prims import collective
from ...prims.arithmetic import div
from ...prims.collective import checked_axes, kind_along, pvary_to
from ...prims.conversion import convert_element_type
from ...prims.family import like
from ...prims.logic import eq, select_n
from ...prims.messages import precv as precv_p
from ...prims.messages import psend as psend_p
from ...prims.ragged_exchange import ragged_all_to_all as ragged_exchange
from ...prims.shape import broadcast_in_dim, full, squeeze
from ..shape import canonical_axis

__all__ = [
    "all_gather", "all_to_all", "axis_index", "axis_size", "pbroadcast", "pcast", "pmax", "pmean",
    "pmin", "ppermute", "precv", "psend", "pshuffle", "psum", "psum_scatter", "pswapaxes", "ragged_all_to_all",
]


def _names(axis_name) -> tuple:
    return tuple(axis_name) if isinstance(axis_name, (tuple, list)) else (axis_name,)


def _size(names: tuple, groups=None, caller: str | None = None) -> int:
    """Return the number of indices along the named axes; NameError for a name that is not in scope."""
    size = prod([collective.axis_size(n, caller) for n in names if not isinstance(n, int)])
    return size if groups is None else len(groups[0])


def _checked_groups(groups, names):
    if groups is None:
        return None
    groups = tuple([tuple(g) for g in groups])
    if sorted(i for g in groups for i in g) != list(range(_size(names))):
        raise ValueError("axis_index_groups must cover all indices exactly once")
    return groups


_CONSTANTS = (int, float, complex, np.ndarray, np.number)


def _converted(x, dtype):
    return convert_element_type(x, new_dtype=dtype, weak_type=False, sharding=None)


# ---- reductions ---------------------------------------------------------------------------------


def psum(x, axis_name, *, axis_index_groups=None):
    """Return the sum of `x` over all indices of a named axis, elementwise.

    Args:
      x: a tree of arrays; booleans are summed as integers.
      axis_name: the name, or a tuple of names; an int sums over a position of the arrays.
      axis_index_groups: lists of indices that cover the axis, to sum within each (not under vmap).
    Returns:
      A tree of the structure, shapes and dtypes of `x`, the same for all indices; of a number of Python a number of
      Python.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: x / lax.psum(x, "i"), axis_name="i")(jnp.array([1., 3.]))
    Array([0.25, 0.75], dtype=float32)
    """
    names = _names(axis_name)
    groups = _checked_groups(axis_index_groups, names)
    size = _size(names, groups, "psum" if state.axis_env or state.trace.stages else None)
    positional = any(isinstance(n, int) for n in names)

    def leaf(v):
        if not names:
            return v
        if isinstance(v, _CONSTANTS) and not isinstance(v, bool) and not positional:
            return v * size
        if aval_of(v).dtype == np.bool_:
            v = _converted(v, dtypes.int32)
        if state.axis_env:
            _check_alike(v, names if set(names).intersection(checked_axes()) else ())
        return collective.summed(v, names, groups)

    return tree_map(leaf, x)


def _check_alike(x, axes: tuple) -> None:
    """Raise ValueError if a value is of several kinds along the axes that it is summed over.

    Axes of `vmap` are among them: along these every value is the same everywhere, as far as its type says.
    """
    kinds = {n: kind_along(aval_of(x), n) for n in axes}
    if len(set(kinds.values())) > 1:
        same = [n for n in axes if kinds[n] == "invarying"]
        raise ValueError(
            message(
                "jax.lax.psum can only accept axis_name which corresponds to one of varying, unreduced, reduced or "
                f"invarying state of the input. Got input type: {aval_of(x).str_short(True)}, axes: {tuple(axes)} and "
                f"input state: {set(kinds.values())}",
                why="A sum over an axis along which a value is the same everywhere may be a mistake.",
                fix=f"lax.pcast(x, {tuple(same)}, to='varying') before" if same else "a psum for each kind of axis",
            )
        )


def pmean(x, axis_name, *, axis_index_groups=None):
    """Return the mean of `x` over all indices of a named axis, elementwise.

    Args:
      x: a tree of arrays.
      axis_name: the name, or a tuple of names; an int takes a position of the arrays.
      axis_index_groups: lists of indices that cover the axis, to take the mean within each (not under vmap).
    Returns:
      A tree of the structure and shapes of `x`, of floats, the same for all indices.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: x - lax.pmean(x, "i"), axis_name="i")(jnp.array([1., 3.]))
    Array([-1.,  1.], dtype=float32)
    """
    x = tree_map(lambda v: as_array(v) if isinstance(v, (np.ndarray, np.generic)) else v, x)
    total = psum(x, axis_name, axis_index_groups=axis_index_groups)
    n = psum(1, axis_name, axis_index_groups=axis_index_groups)

    def leaf(v):
        if not isinstance(v, Array):
            return v / n
        dtype = dtypes.to_inexact_dtype(v.dtype)
        if v.dtype != dtype:
            v = _converted(v, dtype)
        return div(v, like(v, n))

    return tree_map(leaf, total)


def _extremum(p: Primitive, x, axis_name, axis_index_groups):
    names = _names(axis_name)
    groups = _checked_groups(axis_index_groups, names)
    _size(names, caller="psum")  # JAX parity: the name in the message
    return tree_map(lambda v: p(v, axes=names, axis_index_groups=groups), x)


def pmax(x, axis_name, *, axis_index_groups=None):
    """Return the greatest `x` over all indices of a named axis, elementwise.

    Args:
      x: a tree of arrays (integer, floating).
      axis_name: the name, or a tuple of names; an int takes a position of the arrays.
      axis_index_groups: lists of indices that cover the axis, to compare within each (not under vmap).
    Returns:
      A tree of the structure, shapes and dtypes of `x`, the same for all indices.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: lax.pmax(x, "i"), axis_name="i")(jnp.array([1, 3]))
    Array([3, 3], dtype=int32)
    """
    return _extremum(collective.pmax, x, axis_name, axis_index_groups)


def pmin(x, axis_name, *, axis_index_groups=None):
    """Return the least `x` over all indices of a named axis, elementwise.

    Args:
      x: a tree of arrays (integer, floating).
      axis_name: the name, or a tuple of names; an int takes a position of the arrays.
      axis_index_groups: lists of indices that cover the axis, to compare within each (not under vmap).
    Returns:
      A tree of the structure, shapes and dtypes of `x`, the same for all indices.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: lax.pmin(x, "i"), axis_name="i")(jnp.array([1, 3]))
    Array([1, 1], dtype=int32)
    """
    return _extremum(collective.pmin, x, axis_name, axis_index_groups)


# ---- the axis itself ----------------------------------------------------------------------------


def axis_index(axis_name) -> Array:
    """Return the index along a named axis; along several, as if they were one, the last the fastest.

    Args:
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
    Returns:
      An int32 scalar, from 0 to the length less 1, that differs along the axis.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: x * lax.axis_index("i"), axis_name="i")(jnp.array([5, 5, 5]))
    Array([ 0,  5, 10], dtype=int32)
    """
    names = _names(axis_name)
    _size(names, caller="axis_index")
    if not isinstance(axis_name, (tuple, list)):
        return collective.axis_index(axis_name=axis_name)
    return collective.index_along(names)


def axis_size(axis_name) -> int:
    """Return the length of a named axis, or the product of several, as a Python int.

    Args:
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
    Returns:
      An int, known while tracing: it may be part of a shape.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: x * lax.axis_size("i"), axis_name="i")(jnp.array([1, 2]))
    Array([2, 4], dtype=int32)
    """
    return _size(_names(axis_name))


# ---- exchanges ----------------------------------------------------------------------------------


def all_gather(
    x, axis_name, *, axis_index_groups=None, axis: int = 0, tiled: bool = False, to: str = "varying"
):
    """Return the values of `x` from all indices of a named axis, together.

    Args:
      x: a tree of arrays.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
      axis_index_groups: lists of indices that cover the axis, to gather within each.
      axis: where the new axis of the result stands.
      tiled: join the values along the existing axis `axis` instead.
      to: what the result is along the axis in a `shard_map` that checks it: "varying", "invarying", since all indices
        have the same, or "reduced", whose cotangents are `unreduced`.
    Returns:
      A tree of the structure of `x`, the same for all indices: along the new axis, or with `tiled` one after the other
      along the old one, the values of all indices.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: another `to`, or the value does not vary along the axis.

    >>> vmap(lambda x: lax.all_gather(x, "i"), axis_name="i")(jnp.array([1, 2]))
    Array([[1, 2],
           [1, 2]], dtype=int32)
    """
    if to not in ("varying", "reduced", "invarying"):
        raise ValueError(
            "Got unexpected `to` value for `jax.lax.all_gather`. Allowed `to` values are: {'varying', 'reduced', "
            f"'invarying'}}, got {to!r}"
        )
    names = _names(axis_name)
    groups = _checked_groups(axis_index_groups, names)
    size = _size(names, groups)

    def leaf(v):
        checked = tuple([n for n in names if n in checked_axes()])
        if to == "reduced" or to == "invarying" and checked:
            if missing := [n for n in names if collective.kind_along(aval_of(v), n) != "varying"]:
                raise ValueError(
                    message(
                        f"all_gather to {to!r} only accepts inputs that are varying along {missing[0]!r}. Got "
                        f"{aval_of(v).str_short(True)}",
                        why="Only where it is checked along which axes values vary is anything known of the result.",
                        fix="jax.lax.pcast(x, 'name', to='varying') first, or check_vma=True",
                    )
                )
        options = dict(
            all_gather_dimension=canonical_axis(axis, aval_of(v).ndim + (not tiled)), axis_name=names, axis_size=size,
            tiled=tiled,
        )
        if to == "invarying":
            if groups is not None:
                raise NotImplementedError("all_gather to 'invarying' in groups: leave out axis_index_groups.")
            return collective.all_gather_invariant(v, **options)
        gathered = collective.all_gather(v, axis_index_groups=groups, **options)
        return collective.cast_along(gathered, names, to) if to == "reduced" else gathered

    return tree_map(leaf, x)


def psum_scatter(
    x, axis_name, *, scatter_dimension: int = 0, axis_index_groups=None, tiled: bool = False
):
    """Return the sum of `x` over a named axis, of which each index keeps its part.

    Args:
      x: a tree of arrays; axis `scatter_dimension` has the length of the named axis, or with `tiled` a multiple of it.
      axis_name: the name, or a tuple of names.
      scatter_dimension: the axis of the arrays that is divided among the indices.
      axis_index_groups: lists of indices that cover the axis, to sum within each.
      tiled: keep the axis, divided among the indices, instead of taking it away.
    Returns:
      A tree of the structure of `x`: the part of the sum that belongs to the index, without axis `scatter_dimension`,
      or with `tiled` a part of its length.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: the length does not fit.

    >>> vmap(lambda x: lax.psum_scatter(x, "i"), axis_name="i")(jnp.array([[1, 2], [3, 4]]))
    Array([4, 6], dtype=int32)
    """
    names = _names(axis_name)
    groups = _checked_groups(axis_index_groups, names)
    size = _size(names, groups)

    def leaf(v):
        return collective.reduce_scatter(
            v, scatter_dimension=canonical_axis(scatter_dimension, aval_of(v).ndim), axis_name=names,
            axis_index_groups=groups, axis_size=size, tiled=tiled,
        )

    return tree_map(leaf, x)


def ppermute(x, axis_name, perm: Sequence[tuple[int, int]]):
    """Send `x` along a named axis: for each (source, target) in `perm`, target gets source's value.

    An index that is no target receives zeros.

    Args:
      x: a tree of arrays.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
      perm: pairs (source, target) of indices.
    Returns:
      A tree of the structure, shapes and dtypes of `x`: what was sent to the index, or zeros.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: an index is out of range, or occurs twice as a source or as a target.

    >>> vmap(lambda x: lax.ppermute(x, "i", [(0, 1), (1, 0)]), axis_name="i")(jnp.array([1, 2]))
    Array([2, 1], dtype=int32)
    """
    names = _names(axis_name)
    perm = _pairs(perm)
    size = _size(names, caller="ppermute")
    for kind, indices in (("source", [a for a, _ in perm]), ("target", [b for _, b in perm])):
        if len(set(indices)) != len(indices):
            raise ValueError(f"ppermute sources and destinations must be unique, got {perm}.")
        if not all(0 <= i < size for i in indices):
            raise ValueError(f"ppermute: each {kind} must be one of the {size} indices of {axis_name!r}, got {perm}.")

    return tree_map(lambda v: collective.ppermute(v, axis_name=names, perm=perm), x)


def psend(x, axis_name, perm: Sequence[tuple[int, int]]):
    """Begin to send `x` along a named axis, as in `ppermute`; the other half is `precv`.

    Args:
      x: an array.
      axis_name: the name of an axis of `shard_map`.
      perm: (source, target) pairs.
    Returns:
      A token, which orders `precv` behind it.
    Raises:
      NameError: no axis of that name is in scope.
      NotImplementedError: the program runs where devices have no network of their own, as on CPUs.

    >>> jax.make_jaxpr(lambda x: lax.psend(x, "i", [(0, 1)]), axis_env=[("i", 2)])(jnp.ones(3))
    { lambda ; a:f32[3]. let
        b:Tok = psend[axis_name=('i',) perm=((0, 1),)] a
      in (b,) }
    """
    names = _names(axis_name)
    _size(names)
    return psend_p(x, axis_name=names, perm=_pairs(perm))


def precv(token, out_shape, axis_name, perm: Sequence[tuple[int, int]]):
    """Return what others sent along a named axis by `psend`, with the same `perm`.

    Args:
      token: of `psend`, or of `create_token`.
      out_shape: a `ShapeDtypeStruct` of the result.
      axis_name: the name of an axis of `shard_map`.
      perm: (source, target) pairs.
    Raises:
      NameError: no axis of that name is in scope.
      NotImplementedError: as `psend`.

    >>> def shift(x):
    ...     token = lax.psend(x, "i", [(0, 1)])
    ...     return lax.precv(token, jax.ShapeDtypeStruct(x.shape, x.dtype), "i", [(0, 1)])
    >>> [str(e.primitive) for e in jax.make_jaxpr(shift, axis_env=[("i", 2)])(jnp.ones(3)).eqns]
    ['psend', 'precv']
    """
    names = _names(axis_name)
    _size(names)
    out = ShapedArray(tuple(out_shape.shape), out_shape.dtype)
    return precv_p(token, out_shape=out, axis_name=names, perm=_pairs(perm))


def _pairs(perm) -> tuple[tuple[int, int], ...]:
    return tuple([(operator.index(a), operator.index(b)) for a, b in perm])


def pshuffle(x, axis_name, perm: Sequence[int]):
    """Exchange `x` along a named axis: index i receives the value of index `perm[i]`.

    Args:
      x: a tree of arrays.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`.
      perm: a permutation of the indices, a list as long as the axis.
    Returns:
      A tree of the structure, shapes and dtypes of `x`.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: `perm` is not a permutation.

    >>> vmap(lambda x: lax.pshuffle(x, "i", [1, 0]), axis_name="i")(jnp.array([1, 2]))
    Array([2, 1], dtype=int32)
    """
    if set(perm) != set(range(len(perm))):
        raise ValueError(f"`perm` does not represent a permutation: {perm}")
    return ppermute(x, axis_name, [(source, target) for target, source in enumerate(perm)])


def all_to_all(
    x, axis_name, split_axis: int, concat_axis: int, *, axis_index_groups=None, tiled: bool = False
):
    """Exchange a named axis for an axis of `x`.

    Each index sends part k along `split_axis` to index k, and puts what it receives one after the
    other along `concat_axis`.

    Args:
      x: a tree of arrays; axis `split_axis` has the length of the named axis, or with `tiled` a multiple of it.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
      split_axis: the axis of the arrays of which each index gets a part.
      concat_axis: where the new axis of the result stands; with `tiled`, an axis that grows.
      axis_index_groups: lists of indices that cover the axis, to exchange within each.
      tiled: cut and join along axes that stay, instead of taking one away and making one.
    Returns:
      A tree of the structure of `x`: axis `split_axis` is gone, or with `tiled` shorter, and along `concat_axis` are
      the parts that came from each index.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: the length does not fit.

    >>> vmap(lambda x: lax.all_to_all(x, "i", 0, 0), axis_name="i")(jnp.array([[1, 2], [3, 4]]))
    Array([[1, 3],
           [2, 4]], dtype=int32)
    """
    names = _names(axis_name)
    groups = _checked_groups(axis_index_groups, names)
    size = _size(names, groups)
    exchange = partial(
        collective.all_to_all, axis_name=names if isinstance(axis_name, list) else axis_name,
        axis_index_groups=groups, tiled=tiled,
    )

    def leaf(v):
        shape = aval_of(v).shape
        split, concat = canonical_axis(split_axis, len(shape)), canonical_axis(concat_axis, len(shape))
        length = shape[split]
        if tiled:
            if length % size:
                raise ValueError(
                    f"The size of all_to_all split_axis ({length}) has to be divisible by the size "
                    f"of the named axis {axis_name!r} ({size})"
                )
            return exchange(v, split_axis=split, concat_axis=concat)
        if length != size:
            raise ValueError(
                "all_to_all requires the size of the mapped axis axis_name to equal "
                f"x.shape[split_axis], but they are {size} and {length} respectively."
            )
        if split == concat:
            return exchange(v, split_axis=split, concat_axis=concat)
        # A new axis where the parts go, and the axis that was split taken away.
        concat += split < concat
        split += split >= concat
        kept = tuple([i for i in range(len(shape) + 1) if i != concat])
        sizes = (*shape[:concat], 1, *shape[concat:])
        v = broadcast_in_dim(v, shape=sizes, broadcast_dimensions=kept, sharding=None)
        return squeeze(exchange(v, split_axis=split, concat_axis=concat), dimensions=(split,))

    return tree_map(leaf, x)


def ragged_all_to_all(
    operand, output, input_offsets, send_sizes, output_offsets, recv_sizes, *, axis_name, axis_index_groups=None
) -> Array:
    """Exchange pieces of rows along a named axis, each of a length of its own.

    Each of K pieces is `send_sizes[q]` rows of `operand` from `input_offsets[q]` on; the first share of the pieces
    goes to index 0 of the axis, the next to index 1, and so on. They are put into the receiver's result from row
    `output_offsets[q]` on, which the sender says.

    Args:
      operand: `[n, ...]`, what is sent.
      output: `[m, ...]`, the result where nothing arrives.
      input_offsets, send_sizes, output_offsets: `[K]` integers, K a multiple of the size of the axis.
      recv_sizes: `[K]`, the sizes of the pieces that arrive, by sender.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`.
      axis_index_groups: exchange inside these groups, of equal size.
    Returns:
      An array of the shape and dtype of `output`: its rows, but for those that arrived.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: sizes and offsets are not integers, or not of rank 1.

    >>> x, sizes = jnp.array([[1, 2, 2], [3, 4, 0]]), jnp.array([[1, 2], [1, 1]])
    >>> starts, to = jnp.array([[0, 1], [0, 1]]), jnp.array([[0, 0], [1, 2]])
    >>> exchange = lambda *args: lax.ragged_all_to_all(*args, axis_name="i")
    >>> vmap(exchange, axis_name="i")(x, jnp.zeros((2, 4), int), starts, sizes, to, sizes.T)
    Array([[1, 3, 0, 0],
           [2, 2, 4, 0]], dtype=int32)
    """
    names = _names(axis_name)
    return ragged_exchange(
        operand, output, input_offsets, send_sizes, output_offsets, recv_sizes, axis_name=names,
        axis_index_groups=_checked_groups(axis_index_groups, names),
    )


def pswapaxes(x, axis_name, axis: int, *, axis_index_groups=None):
    """Exchange a named axis for axis `axis` of `x`, which has the same length.

    Args:
      x: a tree of arrays.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`.
      axis: the axis of the arrays.
      axis_index_groups: lists of indices that cover the axis, to exchange within each.
    Returns:
      A tree of the structure, shapes and dtypes of `x`: element j of index i is element i of index j.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: the lengths differ.

    >>> vmap(lambda x: lax.pswapaxes(x, "i", 0), axis_name="i")(jnp.array([[1, 2], [3, 4]]))
    Array([[1, 3],
           [2, 4]], dtype=int32)
    """
    return all_to_all(x, axis_name, axis, axis, axis_index_groups=axis_index_groups)


def pbroadcast(x, axis_name, source: int):
    """Return the value of `x` at index `source` of a named axis, for all indices.

    Args:
      x: a tree of arrays.
      axis_name: the name of an axis of `vmap`, `pmap` or `shard_map`, or a tuple of names.
      source: the index, an int.
    Returns:
      A tree of the structure, shapes and dtypes of `x`, equal along the axis.
    Raises:
      NameError: no axis of that name is in scope.

    >>> vmap(lambda x: lax.pbroadcast(x, "i", 1), axis_name="i")(jnp.array([1, 2]))
    Array([2, 2], dtype=int32)
    """
    here = eq(axis_index(axis_name), np.int32(source))
    checked = frozenset(_names(axis_name)).intersection(checked_axes())

    def leaf(v):
        aval = aval_of(v)
        if not checked <= aval.vma:
            raise ValueError(
                message(
                    f"Collective ppermute must be applied to a device-varying type, but got {aval.vma} for collective "
                    f"acting over axis name {_names(axis_name)}.",
                    why="The value is the same on all devices along this axis, so there is nothing to send.",
                    fix=f"jax.lax.pcast(x, {axis_name!r}, to='varying') first, or the value as it is",
                )
            )
        out = psum(select_n(here, full(aval.shape, 0, aval.dtype), v), axis_name)
        if aval.weak_type:
            out = convert_element_type(out, new_dtype=aval.dtype, weak_type=True, sharding=None)
        return pvary_to(out, checked) if checked else out

    return tree_map(leaf, x)


def pcast(x, axis_name, *, to: str):
    """Return `x` as a value that may, or may not, differ along a named axis; the numbers stay.

    `shard_map` keeps account of the mesh axes along which values vary, and asks for it where it matters.

    Args:
      x: a tree of arrays.
      axis_name: a name, or a tuple of names.
      to: "varying", "unreduced" or "reduced".
    Returns:
      The tree, with the same values.
    Raises:
      NameError: no axis of that name is in scope.
      ValueError: no axis is in scope, or `to` is none of these words.

    >>> vmap(lambda x: lax.pcast(x, "i", to="varying"), axis_name="i")(jnp.array([1, 2]))
    Array([1, 2], dtype=int32)
    """
    if to not in ("varying", "unreduced", "reduced"):
        raise ValueError(
            f"Got unexpected `to` value {to!r}. Allowed `to` values are: 'varying', 'unreduced', 'reduced'"
        )
    names = _names(axis_name)
    if not state.axis_env:
        raise ValueError(
            message(
                "pvary should be called under jax.shard_map.",
                why="It is about axes over which a function is mapped, and none is in scope.",
                fix="in a function that jax.shard_map(..., mesh=mesh) runs",
            )
        )
    _size(names)
    checked = tuple([n for n in names if n in checked_axes()])

    def leaf(v):
        for n in names if to == "unreduced" else checked:
            if (kind := collective.kind_along(aval_of(v), n)) not in _CASTS[to]:
                raise ValueError(
                    message(
                        f"Unsupported pcast from={kind}, to={to!r}",
                        why=f"It is of type {aval_of(v).str_short()}, and the axis is {n!r}.",
                        fix=f"a value that is {' or '.join(_CASTS[to])} along it",
                    )
                )
        return collective.cast_along(v, checked, to) if checked else v

    return tree_map(leaf, x)


# What may become a value that is so along a mesh axis, by `pcast`.
_CASTS = {"varying": ("invarying", "reduced"), "unreduced": ("varying",), "reduced": ("invarying",)}
