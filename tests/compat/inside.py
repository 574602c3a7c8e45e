"""Probes of private names: small functions of a module that stands for `jax`, run on ours and on JAX's."""

from __future__ import annotations

import re

import adjoint
from adjoint.compat import private


class _Module:
    """A private module of ours, without `import jax`."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        full = f"{self._name}.{name}"
        if private.sources(full) is not None:
            return _Module(full)
        value = private._found(self._name, name)
        if value is private._MISSING:
            raise AttributeError(full)
        return value


class _Ours:
    """The package, with `_src`."""

    _src = _Module("jax._src")

    def __getattr__(self, name):
        return getattr(adjoint, name)


ours = _Ours()


def told(probe, m):
    """What a probe gives, as a text; of an error its class and text up to the first line."""
    try:
        text = repr(probe(m))
    except Exception as error:
        text = f"{type(error).__name__}: {error}".split("\n")[0]
    return re.sub(r" at 0x[0-9a-f]+", "", re.sub(r"np\.(\w+64)\(([^()]*)\)", r"\2", text))
