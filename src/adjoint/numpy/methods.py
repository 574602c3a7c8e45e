"""The NumPy methods of arrays: each is the function of the same name, bound when it is first used.

Binding late keeps `import adjoint` from importing all of `adjoint.numpy`.
"""

from __future__ import annotations

from importlib import import_module

from ..core.messages.boundaries import guarded
from ..core.types import Array

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
    "at": ".indexing:at",
}


def _find(target: str):
    module, name = target.split(":")
    return getattr(import_module(module, __package__), name)


class _Late:
    """A descriptor that replaces itself on the class by what it stands for."""

    def __init__(self, name: str, target: str | None, is_property: bool):
        self.name = name
        self.target = target
        self.is_property = is_property

    def __get__(self, instance, owner):
        if instance is None and self.is_property:
            return self
        member = guarded(_find(self.target)) if self.target else getattr(import_module(__package__), self.name)
        setattr(Array, self.name, property(member) if self.is_property else member)
        return getattr(owner if instance is None else instance, self.name)


def bind() -> None:
    """Give `Array` its NumPy methods and operators."""
    from .operators import OPERATORS

    for name, function in OPERATORS.items():
        setattr(Array, name, guarded(function))
    for name in METHODS:
        setattr(Array, name, _Late(name, None, False))
    for name, target in OWN.items():
        setattr(Array, name, _Late(name, target, False))
    for name, target in PROPERTIES.items():
        setattr(Array, name, _Late(name, target, True))
