# Written by stubs/generate.py; do not edit.
from adjoint.experimental.sparse import JAXSparse as _JAXSparse
from typing import Any
from typing import NamedTuple
class BatchedSparse(_JAXSparse):
    def __init__(self, args: Any, *, shape: Any, indices_sorted: bool = False, unique_indices: bool = False) -> None: ...
    indices: Any
    indices_sorted: bool
    unique_indices: bool
    n_batch: int
    @property
    def n_dense(self) -> Any: ...
    def tree_flatten(self) -> Any: ...
    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> Any: ...
from adjoint.experimental.sparse.coo import COOInfo as COOInfo
from adjoint.experimental.sparse import CuSparseEfficiencyWarning as CuSparseEfficiencyWarning
from adjoint.experimental.sparse import JAXSparse as JAXSparse
from adjoint.experimental.sparse import SparseEfficiencyError as SparseEfficiencyError
from adjoint.experimental.sparse import SparseEfficiencyWarning as SparseEfficiencyWarning
class SparseInfo(NamedTuple):
    shape: Any
    indices_sorted: Any
    unique_indices: Any
def register_batched(kind: type[BatchedSparse]) -> None: ...
