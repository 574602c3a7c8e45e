"""`BCOO` arrays and their functions: `README.md` has the order of reading."""

from __future__ import annotations

from ....core.messages.boundaries import public
from .._base import JAXSparse as JAXSparse
from ..util import CuSparseEfficiencyWarning as CuSparseEfficiencyWarning
from ..util import SparseEfficiencyError as SparseEfficiencyError
from ..util import SparseEfficiencyWarning as SparseEfficiencyWarning
from ..util import SparseInfo as SparseInfo
from . import constructors as constructors
from .array import BCOO
from .convolution import bcoo_conv_general_dilated
from .dense import (
    bcoo_extract,
    bcoo_extract_p,
    bcoo_fromdense,
    bcoo_fromdense_p,
    bcoo_todense,
    bcoo_todense_p,
)
from .duplicates import (
    bcoo_eliminate_zeros,
    bcoo_sort_indices,
    bcoo_sort_indices_p,
    bcoo_sum_duplicates,
    bcoo_sum_duplicates_p,
)
from .elementwise import bcoo_multiply_dense, bcoo_multiply_sparse
from .layouts import bcoo_update_layout
from .products import (
    bcoo_dot_general,
    bcoo_dot_general_p,
    bcoo_dot_general_sampled,
    bcoo_dot_general_sampled_p,
    bcoo_spdot_general_p,
)
from .properties import BCOOProperties
from .shapes import (
    bcoo_broadcast_in_dim,
    bcoo_concatenate,
    bcoo_reduce_sum,
    bcoo_reshape,
    bcoo_rev,
    bcoo_squeeze,
    bcoo_transpose,
    bcoo_transpose_p,
)
from .slices import bcoo_dynamic_slice, bcoo_gather, bcoo_slice

__all__ = [
    "BCOO", "BCOOProperties", "bcoo_broadcast_in_dim", "bcoo_concatenate", "bcoo_conv_general_dilated",
    "bcoo_dot_general", "bcoo_dot_general_p", "bcoo_dot_general_sampled", "bcoo_dot_general_sampled_p",
    "bcoo_dynamic_slice", "bcoo_eliminate_zeros", "bcoo_extract", "bcoo_extract_p", "bcoo_fromdense",
    "bcoo_fromdense_p", "bcoo_gather", "bcoo_multiply_dense", "bcoo_multiply_sparse", "bcoo_reduce_sum",
    "bcoo_reshape", "bcoo_rev", "bcoo_slice", "bcoo_sort_indices", "bcoo_sort_indices_p", "bcoo_spdot_general_p",
    "bcoo_squeeze", "bcoo_sum_duplicates", "bcoo_sum_duplicates_p", "bcoo_todense", "bcoo_todense_p",
    "bcoo_transpose", "bcoo_transpose_p", "bcoo_update_layout",
]

public(globals())
