"""Mutable arrays: `new_ref`, and what is done with them.

>>> import adjoint as ad, adjoint.numpy as jnp
>>> @ad.jit
... def count(total, x):
...     total[...] += x
>>> total = ad.new_ref(jnp.zeros(2))
>>> for x in jnp.eye(2):
...     count(total, x)
>>> total
Ref([1., 1.], dtype=float32)

Tests: `tests/transforms/test_references.py`.
"""

from .core.messages.boundaries import public
from .core.values.refs import AbstractRef, Ref
from .prims.references import addupdate, empty_ref, free_ref, freeze, get, new_ref, set, swap

__all__ = [
    "AbstractRef", "Ref", "addupdate", "empty_ref", "free_ref", "freeze", "get", "new_ref", "set", "swap",
]

public(globals())
