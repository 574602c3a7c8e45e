# Written by stubs/generate.py; do not edit.
from adjoint.experimental.sparse import JAXSparse as _JAXSparse
from typing import Any
from typing import NamedTuple
class BatchedSparse(_JAXSparse):
    """A sparse array with batch axes in front and dense ones behind, as `BCOO` and `BCSR` are.

    A subclass names its buffers, of which `data` is the first, and says how many batch axes its indices have.
    """
    def __init__(self, args: Any, *, shape: Any, indices_sorted: bool = False, unique_indices: bool = False) -> None: ...
    indices: Any
    indices_sorted: bool
    unique_indices: bool
    n_batch: int
    @property
    def n_dense(self) -> Any:
        """Return the number of dense axes."""
    def tree_flatten(self) -> Any:
        """Return the buffers, and the shape with what is known of the indices."""
    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> Any:
        """Return the array that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the array is.
          children: the buffers.
        """
from adjoint.experimental.sparse.coo import COOInfo as COOInfo
from adjoint.experimental.sparse import CuSparseEfficiencyWarning as CuSparseEfficiencyWarning
from adjoint.experimental.sparse import JAXSparse as JAXSparse
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
    shape: Any
    indices_sorted: Any
    unique_indices: Any
def register_batched(kind: type[BatchedSparse]) -> None:
    """Let `vmap` map arrays of a class over their batch axes.

    Args:
      kind: a subclass of `BatchedSparse`.
    """
