"""The `with_refs` of a function that `vjp` returned: its arguments and its answers.

>>> import adjoint as ad, adjoint.numpy as jnp
>>> _, pull = ad.vjp(lambda x, y: x * y, 2., 3.)
>>> pull.with_refs(ad.ad.GradValue(), ad.ad.DontWant())(1.)
(Array(3., dtype=float32, weak_type=True), DidntWant())

Tests: `tests/transforms/test_references.py`.
"""

from .core.messages.boundaries import public
from .transforms.derivatives.pullback import DidntWant, DontWant, GradRef, GradValue

__all__ = ["DidntWant", "DontWant", "GradRef", "GradValue"]

public(globals())
