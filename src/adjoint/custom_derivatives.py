"""Functions with derivatives of their own.

Tests: `tests/transforms/test_custom_derivatives.py`.
"""

import numpy as np

from .array.array import as_array
from .core.messages.boundaries import public
from .core.tree.tree import tree_map
from .core.values.zeros import Zero
from .transforms.custom.closures import closure_convert, custom_gradient
from .transforms.custom.custom_jvp import SymbolicZero, custom_jvp
from .transforms.custom.custom_jvp import custom_jvp_call as custom_jvp_call_p
from .transforms.custom.custom_vjp import CustomVJPPrimal, custom_vjp
from .transforms.custom.custom_vjp import custom_vjp_call as custom_vjp_call_p
from .transforms.custom.linear_call import linear_call
from .transforms.custom.remat_opt import remat_opt as remat_opt_p
from .transforms.jvp import instantiate

__all__ = [
    "CustomVJPPrimal", "SymbolicZero", "closure_convert", "custom_gradient", "custom_jvp",
    "custom_jvp_call_p", "custom_vjp", "custom_vjp_call_p", "custom_vjp_primal_tree_values", "linear_call",
    "remat_opt_p", "zero_from_primal",
]


def zero_from_primal(val, symbolic_zeros: bool = False):
    """Return the zero tangents of a tree of values.

    Args:
      val: a tree of arrays.
      symbolic_zeros: make `SymbolicZero`s, which hold no numbers, instead of arrays.
    Returns:
      A tree of the structure of `val`; tangents of integers have the dtype `float0`.
    Raises:
      TypeError: a leaf is no array or number.

    >>> zero_from_primal({"a": 2.})
    {'a': Array(0., dtype=float32, weak_type=True)}
    """
    if symbolic_zeros:
        return tree_map(SymbolicZero.from_primal_value, val)
    return tree_map(_zero_array, val)


def _zero_array(x):
    zero = instantiate(Zero.from_primal_value(x))
    return zero if isinstance(zero, np.ndarray) else as_array(zero)  # float0, which no Array has; else not a number


def custom_vjp_primal_tree_values(tree):
    """Return the values of the `CustomVJPPrimal`s of a tree, which `fwd` gets with `symbolic_zeros=True`.

    Args:
      tree: a tree of them.
    Returns:
      The tree with the value in the place of each.
    Raises:
      TypeError: a leaf is no `CustomVJPPrimal`.

    >>> custom_vjp_primal_tree_values({"a": CustomVJPPrimal(1., True)})
    {'a': 1.0}
    """
    return tree_map(_primal, tree, is_leaf=lambda x: isinstance(x, CustomVJPPrimal))


def _primal(x):
    if not isinstance(x, CustomVJPPrimal):
        raise TypeError(f"unexpected leaf type {type(x)}")
    return x.value

public(globals())
