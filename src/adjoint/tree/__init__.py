"""Functions on pytrees under short names: `adjoint.tree.map` is `adjoint.tree_util.tree_map`.

Nothing is defined here; see core/tree.py.
"""

from ..core import tree as _tree
from ..core.boundaries import public

all = _tree.tree_all
broadcast = _tree.tree_broadcast
flatten = _tree.tree_flatten
flatten_with_path = _tree.tree_flatten_with_path
leaves = _tree.tree_leaves
leaves_with_path = _tree.tree_leaves_with_path
map = _tree.tree_map
map_with_path = _tree.tree_map_with_path
reduce = _tree.tree_reduce
reduce_associative = _tree.tree_reduce_associative
static = _tree.static
structure = _tree.tree_structure
transpose = _tree.tree_transpose
unflatten = _tree.tree_unflatten

__all__ = [
    "all",
    "broadcast",
    "flatten",
    "flatten_with_path",
    "leaves",
    "leaves_with_path",
    "map",
    "map_with_path",
    "reduce",
    "reduce_associative",
    "static",
    "structure",
    "transpose",
    "unflatten",
]

public(globals())
