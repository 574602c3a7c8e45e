"""Derivatives with respect to sparse arrays: they have the indices of the arguments.

Tests: `tests/experimental/sparse/test_ad.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.tree.tree import tree_flatten, tree_map, tree_unflatten
from ...transforms.derivatives import grad as dense
from ...transforms.derivatives import jacobian as jacobians
from ...tree_util import register_pytree_node_class
from ._base import Facts, JAXSparse
from .bcoo import BCOO
from .bcsr import BCSR

__all__ = ["grad", "jacfwd", "jacobian", "jacrev", "value_and_grad"]

public(globals())


@register_pytree_node_class
class _Elements:
    """The elements that a function is differentiated by, as a node that is found in the result."""

    def __init__(self, leaves):
        self.leaves = list(leaves)

    def tree_flatten(self):
        return self.leaves, None

    @classmethod
    def tree_unflatten(cls, _, leaves):
        return cls(leaves)


def _is_sparse(x) -> bool:
    return isinstance(x, JAXSparse)


def _by_elements(transform: Callable, has_value: bool = False):
    """Return a transformation of functions of dense arrays as one of functions of sparse ones, by their elements."""

    def transformed(fun: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False, **kwargs) -> Callable:
        places = (argnums,) if isinstance(argnums, int) else tuple(argnums)

        def run(*args, **kw):
            if any([not -len(args) <= i < len(args) for i in places]):
                raise AssertionError(f"argnums={argnums} are not all positions of {len(args)} arguments.")
            at = [i % len(args) for i in places]
            flat, tree = tree_flatten([args[i] for i in at], is_leaf=_is_sparse)
            elements = _Elements([x.data if _is_sparse(x) else x for x in flat])

            def with_elements(elements: _Elements) -> list:
                leaves = [_with_data(x, d) if _is_sparse(x) else d for x, d in zip(flat, elements.leaves)]
                return tree_unflatten(tree, leaves)

            def of_elements(elements, *rest):
                given = list(rest)
                for i, x in zip(at, with_elements(elements)):
                    given[i] = x
                return fun(*given, **kw)

            def restored(elements: _Elements):
                trees = with_elements(elements)
                return trees[0] if isinstance(argnums, int) else tuple(trees)

            restore = partial(tree_map, restored, is_leaf=lambda x: isinstance(x, _Elements))
            out = transform(of_elements, has_aux=has_aux, **kwargs)(elements, *args)
            if has_value:
                return out[0], restore(out[1])
            return (restore(out[0]), out[1]) if has_aux else restore(out)

        return wraps(fun)(run)

    return transformed


def _with_data(x: JAXSparse, data) -> JAXSparse:
    """Return a sparse array with other elements; more leading axes of these are batch axes."""
    (old, *rest), facts = x.tree_flatten()
    more = tuple(jnp.shape(data)[: jnp.ndim(data) - jnp.ndim(old)])
    if more and isinstance(x, (BCOO, BCSR)):
        rest = [jnp.broadcast_to(r, (*more, *r.shape)) for r in rest]
        facts = Facts({**facts, "shape": (*more, *x.shape)})
    return type(x).tree_unflatten(facts, (data, *rest))


_value_and_grad = _by_elements(dense.value_and_grad, has_value=True)
_grad, _jacfwd, _jacrev = [_by_elements(f) for f in (dense.grad, jacobians.jacfwd, jacobians.jacrev)]


def value_and_grad(
    fun: Callable, argnums: int | Sequence[int] = 0, has_aux=False, **kwargs
) -> Callable[..., tuple[Any, Any]]:
    """Return a function of the value of `fun` and its gradient; that by a sparse array has the same indices.

    Args:
      fun: returns a real scalar, or (scalar, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a dense or a sparse array; or a sequence of them.
      has_aux: `fun` returns a pair; the value is then that pair.
      **kwargs: those of `jax.value_and_grad`.
    Raises:
      TypeError: the result is no scalar, or an argument to be differentiated holds no floats.

    >>> from adjoint.experimental import sparse
    >>> value, g = sparse.value_and_grad(lambda x: (x @ jnp.arange(2.)).sum())(sparse.eye(2))
    >>> value, g.data
    (Array(1., dtype=float32), Array([0., 1.], dtype=float32))
    """
    return _value_and_grad(fun, argnums, has_aux, **kwargs)


def grad(fun: Callable, argnums: int | Sequence[int] = 0, has_aux=False, **kwargs) -> Callable:
    """Return the gradient of `fun`, as a function; that by a sparse array has the same indices.

    Args:
      fun: returns a real scalar, or (scalar, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a dense or a sparse array; or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      **kwargs: those of `jax.grad`.
    Raises:
      TypeError: the result is no scalar, or an argument to be differentiated holds no floats.

    >>> from adjoint.experimental import sparse
    >>> sparse.grad(lambda x: (x @ jnp.arange(2.)).sum())(sparse.eye(2))
    BCOO(float32[2, 2], nse=2)
    """
    return _grad(fun, argnums, has_aux, **kwargs)


def jacfwd(fun: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False, **kwargs) -> Callable:
    """Return the Jacobian of `fun`, by forward mode; that by a sparse array has batch axes for those of the result.

    Args:
      fun: returns an array, or (array, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a dense or a sparse array; or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      **kwargs: those of `jax.jacfwd`.
    Raises:
      TypeError: an argument to be differentiated holds no floats.

    >>> from adjoint.experimental import sparse
    >>> sparse.jacfwd(lambda x: x @ jnp.ones(2))(sparse.eye(2))
    BCOO(float32[2, 2, 2], nse=2, n_batch=1)
    """
    return _jacfwd(fun, argnums, has_aux, **kwargs)


def jacrev(fun: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False, **kwargs) -> Callable:
    """Return the Jacobian of `fun`, by reverse mode; that by a sparse array has batch axes for those of the result.

    Args:
      fun: returns an array, or (array, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a dense or a sparse array; or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      **kwargs: those of `jax.jacrev`.
    Raises:
      TypeError: an argument to be differentiated holds no floats.

    >>> from adjoint.experimental import sparse
    >>> sparse.jacrev(lambda x: x @ jnp.ones(2))(sparse.eye(2))
    BCOO(float32[2, 2, 2], nse=2, n_batch=1)
    """
    return _jacrev(fun, argnums, has_aux, **kwargs)


jacobian = jacrev
