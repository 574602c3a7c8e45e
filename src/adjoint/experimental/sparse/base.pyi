# Written by stubs/generate.py; do not edit.
from typing import Any
from typing import NamedTuple
from adjoint.experimental.sparse.coo import COOInfo as COOInfo
from adjoint.experimental.sparse import CuSparseEfficiencyWarning as CuSparseEfficiencyWarning
from adjoint.experimental.sparse import JAXSparse as JAXSparse
from adjoint.experimental.sparse import SparseEfficiencyError as SparseEfficiencyError
from adjoint.experimental.sparse import SparseEfficiencyWarning as SparseEfficiencyWarning
class SparseInfo(NamedTuple):
    shape: Any
    indices_sorted: Any
    unique_indices: Any
