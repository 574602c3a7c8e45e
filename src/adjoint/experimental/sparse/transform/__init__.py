"""`sparsify`, and the operators of sparse arrays: `README.md` has the order of reading."""

from __future__ import annotations

from ....core.messages.boundaries import public
from . import operators as operators
from .interpreter import (
    SparseTrace,
    SparseTracer,
    SparsifyEnv,
    SparsifyValue,
    arrays_to_spvalues,
    eval_sparse,
    sparse_rules_bcoo,
    sparse_rules_bcsr,
    sparsify,
    sparsify_raw,
    spvalues_to_arrays,
    spvalues_to_avals,
)

__all__ = [
    "SparseTrace", "SparseTracer", "SparsifyEnv", "SparsifyValue", "arrays_to_spvalues", "eval_sparse",
    "sparse_rules_bcoo", "sparse_rules_bcsr", "sparsify", "sparsify_raw", "spvalues_to_arrays", "spvalues_to_avals",
]

public(globals())
