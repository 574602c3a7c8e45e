# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
from typing import NamedTuple
from adjoint.experimental.sparse import CuSparseEfficiencyWarning as CuSparseEfficiencyWarning
from adjoint.experimental.sparse import SparseEfficiencyError as SparseEfficiencyError
from adjoint.experimental.sparse import SparseEfficiencyWarning as SparseEfficiencyWarning
class SparseInfo(NamedTuple):
    """The shape of a sparse array, and what is known of its indices.

    Args:
      shape: of the array.
      indices_sorted: whether they are in lexicographic order.
      unique_indices: whether none comes twice.

    >>> SparseInfo((2, 3), indices_sorted=True)
    SparseInfo(shape=(2, 3), indices_sorted=True, unique_indices=False)
    """
    shape: tuple[int, ...]
    indices_sorted: bool
    unique_indices: bool
def broadcasting_vmap(fun: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """Return `vmap` of a function in which an argument of size 1 along its axis stands for all.

    Args:
      fun: a function of arrays.
      in_axes: the axis of each argument, as of `vmap`.
      out_axes: the axis of the results.

    Raises:
      ValueError: two sizes differ and neither is 1.

    >>> broadcasting_vmap(jnp.dot)(jnp.ones((1, 2)), jnp.ones((3, 2)))
    Array([2., 2., 2.], dtype=float32)
    """
def nfold_vmap(fun: Callable[..., Any], N: int, *, broadcasted: bool = True, in_axes: Any = 0) -> Callable[..., Any]:
    """Return `vmap` of `vmap` of a function, `N` times.

    Args:
      fun: a function of arrays.
      N: how many axes are mapped.
      broadcasted: whether an argument of size 1 along an axis stands for all; see `broadcasting_vmap`.
      in_axes: the axis of each argument, each time.

    >>> nfold_vmap(jnp.add, 2)(jnp.ones((1, 2)), jnp.ones((2, 2)))
    Array([[2., 2.],
           [2., 2.]], dtype=float32)
    """
