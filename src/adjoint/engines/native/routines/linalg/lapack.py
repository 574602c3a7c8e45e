"""SciPy's LAPACK and BLAS at their addresses, called from generated code, and what rules of matrices have in common.

The routines take matrices by columns, so an operand is transposed where its rows are contiguous (a copy that is fused
with what computes it) and a result is read as the transpose of what was written. Complex numbers are two parts beside
each other, as LAPACK has them.

Tests: `tests/engines/native/routines/linalg/test_factorizations.py`.
"""

from __future__ import annotations

from functools import partial
from math import prod

import numpy as np

from .....core.process.locks import once
from .....prims.matrices import scipy_module
from ...graph.views import Pair, Type, View
from ...runtime.machine import VECTOR_BYTES, function_in, on_demand
from ...text.builder import BOOL, F32, F64, Value
from ..base import Code, Routine

__all__ = ["BITS", "I32", "PARTS", "Calls", "accepts", "called", "dtype_of", "stack", "swapped"]

I32 = np.dtype("i4")
_C64, _C128 = np.dtype("c8"), np.dtype("c16")
_LETTERS = {F32: "s", F64: "d", _C64: "c", _C128: "z"}
PARTS = {_C64: F32, _C128: F64}
_UNITARY = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd", "sytrd": "hetrd"}  # what has another name for them
BITS = {F32: (np.dtype("u4"), 0x7F800000), F64: (np.dtype("u8"), 0x7FF0000000000000)}  # of infinity
_BLAS = ("trsm",)
_NAMES = (
    *_BLAS, *"getrf potrf geqrf orgqr syevd gesdd gesvd gebrd bdsdc ormbr".split(),
    *"gtsv gttrf gttrs ormqr gehrd sytrd gees geev geqp3".split(),
)


# ---- calls ---------------------------------------------------------------------------------------


@once
def _address(name: str) -> int:
    """Return where SciPy has a routine that takes pointers, as Fortran's do."""
    return function_in(scipy_module("cython_blas" if name[1:] in _BLAS else "cython_lapack").__pyx_capi__[name])[0]


def _routine(name: str, dtype) -> str:
    return _LETTERS[dtype] + (_UNITARY.get(name, name) if dtype in PARTS else name)


for _name in _NAMES:
    for _dtype in _LETTERS:
        on_demand(__name__, f"lapack.{_routine(_name, _dtype)}", partial(_address, _routine(_name, _dtype)))


class Calls:
    """Writes calls for one dtype. Of the arguments numbers and letters are passed by address, as all are."""

    def __init__(self, code: Code, dtype: np.dtype):
        self.code = code
        self.dtype = dtype
        self.part = PARTS.get(dtype, dtype)  # complex numbers have two

    @property
    def parts(self) -> int:
        return 2 if self.part != self.dtype else 1

    def _constant(self, value) -> str:
        text, t = (str(value), "i32") if isinstance(value, int) else (str(ord(value)), "i8")
        place = self.code.local(t)
        self.code.line(f"store {t} {text}, ptr {place}")
        return place

    def __call__(self, name: str, *arguments) -> Value:
        """Return whether it worked: routines of LAPACK say so in a last argument, to which those of BLAS have none."""
        code, symbol = self.code, f"lapack.{_routine(name, self.dtype)}"
        places = [a if isinstance(a, str) and a[0] == "%" else self._constant(a) for a in arguments]
        if name not in _BLAS:
            places.append(self._constant(0))
        code.module.declarations.add(f"declare void @{symbol}({', '.join(['ptr'] * len(places))})")
        code.line(f"call void @{symbol}({', '.join([f'ptr {p}' for p in places])})")
        return code.load(places[-1], 0, I32).equals(0)

    def number(self, value: float) -> str:
        place = self.code.local("i64", self.parts)
        for i, part in enumerate((value, 0.0)[: self.parts]):
            self.code.store(self.code.const(part, self.part), place, i, self.part)
        return place

    def at(self, address: str, *indices) -> str:
        """Return the address of an element by (index, stride) pairs; `real_at` that of a real one."""
        return self._at(address, indices, self.dtype)

    def real_at(self, address: str, *indices) -> str:
        return self._at(address, indices, self.part)

    def _at(self, address: str, indices, dtype) -> str:
        code, total = self.code, self.code.integer(0)
        for index, stride in indices:
            total = total + index * stride
        return code.at(address, total, dtype)

    def copy(self, target: str, source: str, count: int) -> None:
        self.code.copy(target, source, count * self.dtype.itemsize)

    def greatest(self, address: str, count: int) -> Value:
        """Return the greatest absolute value, as an integer with its bits; that of NaN is above all."""
        code, (bits, infinity) = self.code, BITS[self.dtype]
        lanes = VECTOR_BYTES // bits.itemsize
        wide, whole = code.wide_builder(lanes), count // lanes * lanes
        most, t = code.local(wide.type(bits)), wide.type(bits)
        sign = infinity | (infinity & -infinity) - 1  # all bits but that of the sign
        code.line(f"store {t} zeroinitializer, ptr {most}")
        known = lambda: wide.new(f"load {t}, ptr {most}", bits)
        with code.loop(whole, step=lanes) as i:
            x = wide.new(f"load {t}, ptr {code.at(address, i, bits)}, align {bits.itemsize}", bits)
            x = wide.maximum(known(), x & sign)
            code.line(f"store {t} {x.text}, ptr {most}")
        name = f"llvm.vector.reduce.umax.{wide.mangled(bits)}"
        code.module.declarations.add(f"declare {code.type(bits)} @{name}({t})")
        total = code.variable(code.new(f"call {code.type(bits)} @{name}({t} {known().text})", bits))
        with code.loop(count, start=whole) as i:
            x = code.load(address, i, bits) & sign
            code.set(total, code.maximum(code.get(total, bits), x))
        return code.get(total, bits)

    def nan_unless(self, worked: Value, *parts) -> None:
        """Fill (address, count, of how many parts if not all) with NaN, in both parts, where a factorization failed."""
        code = self.code
        with code.when(~worked):
            for address, count, *rest in parts:
                width = rest[0] if rest else self.parts
                with code.loop(count * width, step=width) as i:
                    for k in range(width):
                        place = i + k
                        code.store(code.const(np.nan, self.part), address, place, self.part)

    def are_finite(self, address: str, count: int, width: int = 0) -> Value:
        code, (bits, infinity) = self.code, BITS[self.part]
        fine = code.variable(code.const(True, BOOL))
        with code.loop(count * (width or self.parts)) as i:
            size = code.load(address, i, bits) & infinity
            is_finite = size.differs(infinity)
            code.set(fine, code.get(fine, BOOL) & is_finite)
        return code.get(fine, BOOL)


# ---- rules ---------------------------------------------------------------------------------------


def dtype_of(x: View | Pair):
    return next(c for c, part in PARTS.items() if part == x.re.base.dtype) if isinstance(x, Pair) else x.base.dtype


def swapped(view):
    if isinstance(view, Pair):
        return Pair(swapped(view.re), swapped(view.im))
    n = len(view.shape)
    return view.transpose([*range(n - 2), n - 1, n - 2])


def stack(view: View | Pair) -> tuple[int, int, int]:
    """Return how many matrices there are, and their lengths."""
    *batch, n, m = view.shape
    return prod(batch), n, m


def accepts(*views: View | Pair) -> bool:
    return all([prod(v.shape) and dtype_of(v) in _LETTERS for v in views])


def _turned(types, *numbers):
    """Return types as they are written: those of matrices with these numbers by columns."""
    return [
        Type((*t.shape[:-2], t.shape[-1], t.shape[-2]) if i in numbers else t.shape, t.dtype)
        for i, t in enumerate(types)
    ]


def called(graph, name, params, operands, types, *by_columns, space: int = 0):
    """Return the results of a routine; `space` is its workspace in bytes."""
    operands = [graph.stored(x) for x in operands]
    made = graph.routine(name, Routine(name, params, space), operands, _turned(types, *by_columns))
    return [swapped(v) if i in by_columns else v for i, v in enumerate(made)]
