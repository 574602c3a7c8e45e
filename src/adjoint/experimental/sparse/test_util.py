"""Random sparse arrays, and the base class of tests that compare a function of sparse arrays with one of dense ones.

Tests: `tests/experimental/sparse/test_util.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations
from math import prod
from typing import Any

import numpy as np

from ... import lax, tree_util
from ... import numpy as jnp
from ...compat.private import testing as jtu
from ...core.messages.boundaries import explain_missing as _explain_missing
from ...core.process.records import NamedTuple
from ...transforms.derivatives.jacobian import jacfwd, jacrev
from ...transforms.jit.jit import jit
from ...transforms.vmap import vmap
from ...typing import DTypeLike
from . import ad
from ._base import JAXSparse
from .api import todense
from .bcoo import BCOO, bcoo_concatenate
from .bcsr import BCSR

__all__ = [
    "MATMUL_TOL", "BatchedDotGeneralProperties", "SparseLayout", "SparseTestCase", "is_sparse", "iter_bcsr_layouts",
    "iter_sparse_layouts", "iter_subsets", "rand_bcoo", "rand_bcsr", "rand_sparse",
]

# Relative errors of products of sparse matrices, by the dtype of their elements.
MATMUL_TOL = {np.float32: 1e-5, np.float64: 1e-10, np.complex64: 1e-5, np.complex128: 1e-10}


class BatchedDotGeneralProperties(NamedTuple):
    """Shapes of the operands of a product, the layout of the sparse one, and the dimension numbers."""

    lhs_shape: tuple[int, ...]
    rhs_shape: tuple[int, ...]
    n_batch: int
    n_dense: int
    dimension_numbers: Any


class SparseLayout(NamedTuple):
    """The numbers of axes of an array that are batches, dense and sparse."""

    n_batch: int
    n_dense: int
    n_sparse: int


def is_sparse(x: Any) -> bool:
    """Return whether `x` is a sparse array."""
    return isinstance(x, JAXSparse)


def iter_subsets(s: Sequence) -> Iterable[tuple]:
    """Return all subsets of a sequence, the shorter ones first.

    >>> list(iter_subsets((1, 2)))
    [(), (1,), (2,), (1, 2)]
    """
    return chain.from_iterable(combinations(s, n) for n in range(len(s) + 1))


def iter_sparse_layouts(shape: Sequence[int], min_n_batch: int = 0) -> Iterator[SparseLayout]:
    """Return the layouts that a `BCOO` array of this shape can have.

    >>> [tuple(layout) for layout in iter_sparse_layouts((2,))]
    [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    """
    for n_batch in range(min_n_batch, len(shape) + 1):
        for n_dense in range(len(shape) + 1 - n_batch):
            yield SparseLayout(n_batch, n_dense, len(shape) - n_batch - n_dense)


def iter_bcsr_layouts(shape: Sequence[int], min_n_batch: int = 0) -> Iterator[SparseLayout]:
    """Return the layouts that a `BCSR` array of this shape can have: those of two sparse axes."""
    return (layout for layout in iter_sparse_layouts(shape, min_n_batch) if layout.n_sparse == 2)


def _count(nse: float, size: int) -> int:
    """Return how many of `size` places are specified: below 1, `nse` is a part of them."""
    return min(int(nse if nse >= 1 else nse * size), size)


def rand_sparse(
    rng: np.random.RandomState, nse: float = 0.5, post: Callable = lambda x: x, rand_method: Callable = jtu.rand_default
) -> Callable:
    """Return a function of a shape and a dtype that gives a random dense array with zeros.

    Args:
      rng: NumPy's generator.
      nse: how many elements are not zero; below 1, a part of all.
      post: what is called with the array.
      rand_method: one of the `rand_*` functions of `jax._src.test_util`, for the elements.
    """

    def draw(shape, dtype):
        array, size = np.array(rand_method(rng)(shape, dtype)), prod(shape)
        array.flat[rng.choice(size, size - _count(nse, size), replace=False)] = 0
        return post(array)

    return draw


def _places(rng: np.random.RandomState, sparse: tuple[int, ...], batch: tuple[int, ...], nse: int) -> np.ndarray:
    """Return as many different indices of each batch, in no order: `[*batch, nse, len(sparse)]`."""
    drawn = [rng.choice(prod(sparse), nse, replace=False) for _ in range(prod(batch))]
    places = np.stack(np.unravel_index(np.array(drawn, int).reshape(*batch, nse), sparse or (1,)), -1)
    return places[..., : len(sparse)].astype(np.int32)


def rand_bcoo(
    rng: np.random.RandomState, rand_method: Callable = jtu.rand_default, nse: float = 0.5, n_batch: int = 0,
    n_dense: int = 0,
) -> Callable[..., BCOO]:
    """Return a function of a shape and a dtype that gives a random `BCOO` array.

    Args:
      rng: NumPy's generator.
      rand_method: one of the `rand_*` functions of `jax._src.test_util`, for the elements.
      nse: how many elements of each batch are specified; below 1, a part of all.
      n_batch, n_dense: the layout.
    """

    def draw(shape: Sequence[int], dtype: DTypeLike) -> BCOO:
        shape, end = tuple(shape), len(shape) - n_dense
        batch, sparse, dense = shape[:n_batch], shape[n_batch:end], shape[end:]
        n = _count(nse, prod(sparse))
        data = jnp.asarray(rand_method(rng)((*batch, n, *dense), dtype))
        return BCOO((data, jnp.asarray(_places(rng, sparse, batch, n))), shape=shape)

    return draw


def rand_bcsr(
    rng: np.random.RandomState, rand_method: Callable = jtu.rand_default, nse: float = 0.5, n_batch: int = 0,
    n_dense: int = 0,
) -> Callable[..., BCSR]:
    """Return a function of a shape and a dtype that gives a random `BCSR` array; arguments are as of `rand_bcoo`."""
    draw_bcoo = rand_bcoo(rng, rand_method, nse, n_batch, n_dense)

    def draw(shape: Sequence[int], dtype: DTypeLike) -> BCSR:
        return BCSR.from_bcoo(draw_bcoo(shape, dtype))

    return draw


def _dense(tree: Any) -> Any:
    return tree_util.tree_map(lambda x: todense(x) if is_sparse(x) else x, tree, is_leaf=is_sparse)


def _at_places_of(x: Any, jacobian: Any) -> Any:
    """Return a Jacobian by a dense array with zeros for the elements that `x` does not specify."""
    (data, *indices), facts = x.tree_flatten()
    specified = type(x).tree_unflatten(facts, (jnp.ones_like(data), *indices)).todense() != 0
    return jnp.where(jnp.broadcast_to(specified, jacobian.shape), jacobian, jnp.zeros((), jacobian.dtype))


def _stacked(arguments: Sequence[Any], axis: int | None) -> Any:
    """Return an argument of batches: the first one if it has no axis."""
    first = arguments[0]
    if axis is None:
        return first
    if not is_sparse(first):
        return jnp.stack([jnp.asarray(x) for x in arguments], axis)
    parts = []
    for x in arguments:
        buffers = [lax.expand_dims(b, (axis,)) for b in x.tree_flatten()[0]]
        parts.append(BCOO(buffers, shape=(*x.shape[:axis], 1, *x.shape[axis:])))
    return bcoo_concatenate(parts, dimension=axis)


class SparseTestCase(jtu.JaxTestCase):
    """Tests of functions of sparse arrays, beside the same functions of dense ones."""

    def assertSparseArraysEquivalent(
        self, x: Any, y: Any, *, check_dtypes: bool = True, atol: Any = None, rtol: Any = None,
        canonicalize_dtypes: bool = True, err_msg: str = "",
    ) -> None:
        """Fail unless two sparse arrays have the same format, shape, layout and buffers."""
        self.assertIs(type(x), type(y), err_msg)
        self.assertEqual(x.shape, y.shape, err_msg)
        buffers = x.tree_flatten()[0], y.tree_flatten()[0]
        self.assertEqual([b.shape for b in buffers[0]], [b.shape for b in buffers[1]], err_msg)
        self.assertAllClose(
            *buffers, check_dtypes=check_dtypes, atol=atol, rtol=rtol, canonicalize_dtypes=canonicalize_dtypes,
            err_msg=err_msg,
        )

    def _CheckAgainstDense(
        self, dense_op: Callable, sparse_op: Callable, args_maker: Callable, check_jit: bool = True,
        check_dtypes: bool = True, tol: Any = None, atol: Any = None, rtol: Any = None,
        canonicalize_dtypes: bool = True,
    ) -> None:
        """Fail unless `sparse_op` of the arguments is, made dense, `dense_op` of the arguments made dense."""
        args = args_maker()
        expected = dense_op(*_dense(args))
        for op in (sparse_op, jit(sparse_op))[: 1 + check_jit]:
            self.assertAllClose(
                _dense(op(*args)), expected, check_dtypes=check_dtypes, atol=tol if atol is None else atol,
                rtol=tol if rtol is None else rtol, canonicalize_dtypes=canonicalize_dtypes,
            )

    def _CheckGradsSparse(
        self, dense_fun: Callable, sparse_fun: Callable, args_maker: Callable, *, argnums: Any = None,
        modes: Sequence[str] = ("fwd", "rev"), atol: Any = None, rtol: Any = None,
    ) -> None:
        """Fail unless derivatives by the specified elements are those of the dense function at these elements."""
        args = args_maker()
        argnums = range(len(args)) if argnums is None else argnums
        for number in [argnums] if isinstance(argnums, int) else argnums:
            for mode in modes:
                ours, theirs = (ad.jacfwd, jacfwd) if mode == "fwd" else (ad.jacrev, jacrev)
                expected = theirs(dense_fun, argnums=number)(*_dense(args))
                if is_sparse(args[number]):
                    expected = tree_util.tree_map(partial(_at_places_of, args[number]), expected)
                self.assertAllClose(_dense(ours(sparse_fun, argnums=number)(*args)), expected, atol=atol, rtol=rtol)

    def _random_bdims(self, *args: Any) -> list[int]:
        """Return an axis of a batch for each argument; of a sparse one, among its batches."""
        return [int(self.rng().randint(1 + (x.n_batch if is_sparse(x) else np.ndim(x)))) for x in args]

    def _CheckBatchingSparse(
        self, dense_fun: Callable, sparse_fun: Callable, args_maker: Callable, *, batch_size: int = 3,
        bdims: Sequence[int | None] | None = None, check_jit: bool = False, check_dtypes: bool = True,
        tol: Any = None, atol: Any = None, rtol: Any = None, canonicalize_dtypes: bool = True,
    ) -> None:
        """Fail unless `vmap` of the sparse function is that of the dense one, over `batch_size` draws of arguments."""
        axes = self._random_bdims(*args_maker()) if bdims is None else bdims

        def batches():
            drawn = list(zip(*[args_maker() for _ in range(batch_size)]))
            return [_stacked(arguments, axis) for arguments, axis in zip(drawn, axes)]

        self._CheckAgainstDense(
            vmap(dense_fun, in_axes=tuple(axes)), vmap(sparse_fun, in_axes=tuple(axes)), batches, check_jit,
            check_dtypes, tol, atol, rtol, canonicalize_dtypes,
        )


_explain_missing(globals())
