"""Functions of NumPy with more digits, by mpmath, which tests bring along."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["numpy_with_mpmath", "vectorize_with_mpmath"]

_OF_BITS = {11: "float16", 24: "float32", 53: "float64"}
_COMPLEX = {"float16": "complex64", "float32": "complex64", "float64": "complex128"}
_NAMES = {"abs": "fabs", "absolute": "fabs", "log": "ln", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
          "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "conjugate": "conj"}
_FORMULAS: dict[str, Callable[[Any, Any], Any]] = {
    "square": lambda ctx, x: x * x, "positive": lambda ctx, x: x, "negative": lambda ctx, x: -x,
    "exp2": lambda ctx, x: ctx.power(2, x), "log2": lambda ctx, x: ctx.log(x, 2), "log10": lambda ctx, x: ctx.log10(x),
}


class vectorize_with_mpmath(np.vectorize):
    """A function of mpmath's numbers as one of arrays, with the dtype of the operands.

    Args:
      pyfunc: a function of numbers.
      mpmath: the module.
      extra_prec_multiplier, extra_prec: bits beside those of the dtype: a multiple of them, and a number.
    """

    def __init__(self, *args: Any, mpmath: Any, extra_prec_multiplier: int = 0, extra_prec: int = 0, **kwargs: Any):
        self._mpmath, self._extra = mpmath, (extra_prec_multiplier, extra_prec)
        self._contexts: dict[int, Any] = {}
        super().__init__(*args, **kwargs)

    def get_context(self, x: Any) -> Any:
        """Return mpmath's context with the bits for the dtype of a value."""
        bits = np.finfo(np.asarray(x).dtype).nmant + 1
        if bits not in self._contexts:
            self._contexts[bits] = self._mpmath.mp.clone()
        context = self._contexts[bits]
        context.prec = bits
        return context

    def nptomp(self, x: Any) -> Any:
        """Return a number of NumPy as one of mpmath."""
        context = self.get_context(x)
        return context.mpc(x.real.item(), x.imag.item()) if np.iscomplexobj(x) else context.mpf(float(x))

    def mptonp(self, x: Any) -> Any:
        """Return a number of mpmath as one of NumPy, with the bits of its context."""
        real = _OF_BITS[x.context.prec]
        if hasattr(x, "_mpc_"):
            return np.dtype(_COMPLEX[real]).type(complex(float(x.real), float(x.imag)))
        return np.dtype(real).type(float(x))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        arrays = [np.asarray(x) for x in args]
        dtype = np.result_type(*arrays)
        context = self.get_context(np.zeros((), dtype))
        multiplier, extra = self._extra
        computed = []
        for operands in zip(*[x.ravel() for x in np.broadcast_arrays(*arrays)]):
            numbers = [self.nptomp(x) for x in operands]
            with context.workprec(context.prec * (multiplier + 1) + extra):
                out = self.pyfunc(*numbers, **kwargs)
            computed.append([self.mptonp(x) for x in (out if isinstance(out, tuple) else (out,))])
        shape = np.broadcast_shapes(*[x.shape for x in arrays])
        # The first result says whether all are complex, as with `np.vectorize`.
        columns = [[x if np.iscomplexobj(column[0]) else x.real for x in column] for column in zip(*computed)]
        found = [np.array(column, column[0].dtype).reshape(shape) for column in columns]
        return tuple(found) if len(found) > 1 else found[0]


class numpy_with_mpmath:
    """Functions of NumPy's names that compute by mpmath, then round to the dtype of the operand.

    Args:
      mpmath: the module.
      extra_prec_multiplier, extra_prec: bits beside those of the dtype: a multiple of them, and a number.
    """

    def __init__(self, mpmath: Any, extra_prec_multiplier: int = 0, extra_prec: int = 0):
        self._about = dict(mpmath=mpmath, extra_prec_multiplier=extra_prec_multiplier, extra_prec=extra_prec)

    def __getattr__(self, name: str) -> vectorize_with_mpmath:
        if name.startswith("_"):
            raise AttributeError(name)

        def compute(x):
            context = x.context
            if name in _FORMULAS:
                return _FORMULAS[name](context, x)
            return getattr(context, _NAMES.get(name, name))(x)

        return vectorize_with_mpmath(compute, **self._about)
