"""The NumPy methods of arrays: each is the function of the same name, bound when it is first used.

So are those of ufuncs, and what arrays do with a traced mask as an index. Binding late keeps `import adjoint` from
importing all of `adjoint.numpy`.

Tests: `tests/array/test_members.py`.
"""

from __future__ import annotations

from importlib import import_module

from ..core.messages.boundaries import guarded
from ..core.types import Array
from .operators import OPERATORS
from .universal import ufunc

# Methods that are the function of `adjoint.numpy` with the same name.
METHODS = (
    "all any argmax argmin argpartition choose conj conjugate cumprod cumsum diagonal max mean min prod ptp ravel "
    "repeat round searchsorted sort squeeze sum swapaxes take"
).split()

# Other methods, as "module:function".
OWN = {
    "reshape": ".array_methods:reshape",
    "transpose": ".array_methods:transpose",
    "flatten": ".array_methods:flatten",
    "astype": ".array_methods:astype",
    "compress": ".array_methods:compress",
    "copy": ".array_methods:copy",
    "clip": ".array_methods:clip",
    "argsort": ".array_methods:argsort",
    "dot": ".array_methods:dot",
    "nonzero": ".array_methods:nonzero",
    "std": ".array_methods:std",
    "var": ".array_methods:var",
    "trace": ".array_methods:trace",
    "view": ".array_methods:view",
    "byteswap": ".array_methods:byteswap",
    "__matmul__": ".products:operator",
    "__rmatmul__": ".products:reflected_operator",
    "__getitem__": ".indexing:getitem",
    "__iter__": ".indexing:iterate",
    "to_device": ".array_methods:to_device",
    "__contains__": ".array_methods:contains",
    "__array_namespace__": ".array_methods:namespace",
    "__array_module__": ".array_methods:module",
}

PROPERTIES = {
    "T": ".array_methods:transposed",
    "mT": ".array_methods:matrix_transposed",
    "real": ".ufuncs:real",
    "imag": ".ufuncs:imag",
    "flat": ".array_methods:flat",
    "at": ".index_update:at",
}

# Members for this package alone, which need modules that are not imported with it: `device_put`, and what arrays do
# with a traced mask.
LATER = {
    "_put": "..parallel.devices:device_put",
    "_read_masked": ".masked_indexing:read_masked",
    "_update_masked": ".masked_indexing:update_masked",
    "_apply_masked": ".masked_indexing:applied",
    "_places_masked": ".masked_indexing:nonzero_places",
    "_rows_masked": ".masked_indexing:kept",
}

# The methods of ufuncs, as `ufunc` calls them.
UNIVERSAL = {
    "_reduce": ".ufunc_methods:reduce",
    "_accumulate": ".ufunc_methods:accumulate",
    "_at": ".ufunc_methods:at",
    "_reduceat": ".ufunc_methods:reduceat",
    "_outer": ".ufunc_methods:outer",
    "_mapped": ".ufunc_methods:mapped",
}


def _find(target: str):
    module, name = target.split(":")
    return getattr(import_module(module, __package__), name)


class _Late:
    """A descriptor that replaces itself on its class by what it stands for."""

    def __init__(self, home: type, name: str, target: str | None, is_property: bool = False):
        self.home = home
        self.name = name
        self.target = target
        self.is_property = is_property
        setattr(home, name, self)

    def __get__(self, instance, owner):
        member = guarded(_find(self.target)) if self.target else getattr(import_module(__package__), self.name)
        setattr(self.home, self.name, property(member) if self.is_property else member)
        return getattr(owner if instance is None else instance, self.name)


def bind() -> None:
    """Give `Array` its NumPy methods and operators, and `ufunc` its methods."""
    for name, function in OPERATORS.items():
        setattr(Array, name, guarded(function))
    for name in METHODS:
        _Late(Array, name, None)
    for name, target in {**OWN, **LATER}.items():
        _Late(Array, name, target)
    for name, target in PROPERTIES.items():
        _Late(Array, name, target, True)
    for name, target in UNIVERSAL.items():
        _Late(ufunc, name, target)
