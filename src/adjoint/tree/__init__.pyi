# Written by stubs/generate.py; do not edit.
from adjoint.tree._names import all as all
from adjoint.tree._names import broadcast as broadcast
from adjoint.tree._names import flatten as flatten
from adjoint.tree._names import flatten_with_path as flatten_with_path
from adjoint.tree._names import leaves as leaves
from adjoint.tree._names import leaves_with_path as leaves_with_path
from adjoint.tree._names import map as map
from adjoint.tree._names import map_with_path as map_with_path
from adjoint.tree._names import reduce as reduce
from adjoint.tree._names import reduce_associative as reduce_associative
from adjoint.tree._names import static as static
from adjoint.tree._names import structure as structure
from adjoint.tree._names import transpose as transpose
from adjoint.tree._names import unflatten as unflatten
