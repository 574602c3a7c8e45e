"""Linear algebra by LAPACK and BLAS, called from generated code: SciPy's routines at their addresses.

They take matrices by columns, so an operand is transposed where its rows are contiguous (a copy that is fused with
what computes it) and a result is read as the transpose of what was written. What the routines of the evaluation
rules are given is given here too, so results are the same to the last bit. Complex matrices are host steps.
"""

from __future__ import annotations

import ctypes
from functools import cache, partial
from math import prod

import numpy as np

from ...prims.matrices import routine as python_routine
from ...prims.matrices import workspace
from ...prims.spectral import SvdAlgorithm
from .builder import BOOL, F32, F64, I64, Value
from .layout import put_on
from .machine import on_demand
from .routines import Code, Routine, writes
from .views import Type, View

__all__: list[str] = []

_I32 = np.dtype("i4")
_LETTERS = {F32: "s", F64: "d"}
_BITS = {F32: (np.dtype("u4"), 0x7F800000), F64: (np.dtype("u8"), 0x7FF0000000000000)}  # of infinity
_BLAS = ("trsm",)
_NAMES = (*_BLAS, "getrf", "potrf", "geqrf", "orgqr", "syevd", "gesdd", "gesvd")


# ---- calls ---------------------------------------------------------------------------------------


@cache
def _address(name: str) -> int:
    """Where SciPy has a routine that takes pointers, as Fortran's do."""
    from scipy.linalg import cython_blas, cython_lapack

    capsule = (cython_blas if name[1:] in _BLAS else cython_lapack).__pyx_capi__[name]
    text, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    text.restype, text.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return pointer(capsule, text(capsule))


for _name in _NAMES:
    for _letter in _LETTERS.values():
        on_demand(f"lapack.{_letter}{_name}", partial(_address, _letter + _name))


class _Calls:
    """Writes calls for one dtype. Of the arguments numbers and letters are passed by address, as all are."""

    def __init__(self, code: Code, dtype: np.dtype):
        self.code = code
        self.dtype = dtype

    def _constant(self, value) -> str:
        text, t = (str(value), "i32") if isinstance(value, int) else (str(ord(value)), "i8")
        place = self.code.local(t)
        self.code.line(f"store {t} {text}, ptr {place}")
        return place

    def __call__(self, name: str, *arguments) -> Value:
        """Whether it worked: routines of LAPACK say so in a last argument, to which those of BLAS have none."""
        code, symbol = self.code, f"lapack.{_LETTERS[self.dtype]}{name}"
        places = [a if isinstance(a, str) and a[0] == "%" else self._constant(a) for a in arguments]
        if name not in _BLAS:
            places.append(self._constant(0))
        code.module.declarations.add(f"declare void @{symbol}({', '.join(['ptr'] * len(places))})")
        code.line(f"call void @{symbol}({', '.join([f'ptr {p}' for p in places])})")
        return code.compare("eq", code.load(places[-1], 0, _I32), code.integer(0, _I32))

    def number(self, value: float) -> str:
        place = self.code.local("i64")
        self.code.store(self.code.const(value, self.dtype), place, 0, self.dtype)
        return place

    def at(self, address: str, *indices) -> str:
        """The address of an element by (index, stride) pairs."""
        code, total = self.code, self.code.integer(0)
        for index, stride in indices:
            total = code.add(total, code.mul(index, code.integer(stride)))
        return code.at(address, total, self.dtype)

    def copy(self, target: str, source: str, count: int) -> None:
        self.code.copy(target, source, count * self.dtype.itemsize)

    def nan_unless(self, worked: Value, *parts) -> None:
        """Fill (address, count) with NaN where a factorization failed."""
        code = self.code
        with code.when(code.opposite(worked)):
            for address, count in parts:
                with code.loop(count) as i:
                    code.store(code.const(np.nan, self.dtype), address, i, self.dtype)

    def are_finite(self, address: str, count: int) -> Value:
        code, (bits, infinity) = self.code, _BITS[self.dtype]
        fine = code.variable(Value("true", BOOL))
        with code.loop(count) as i:
            size = code.binary("and", code.load(address, i, bits), code.const(infinity, bits))
            is_finite = code.compare("ne", size, code.like(size, infinity))
            code.set(fine, code.binary("and", code.get(fine, BOOL), is_finite))
        return code.get(fine, BOOL)


# ---- rules ---------------------------------------------------------------------------------------


def _swapped(view: View) -> View:
    n = len(view.shape)
    return view.transpose([*range(n - 2), n - 1, n - 2])


def _stack(view: View) -> tuple[int, int, int]:
    """How many matrices there are, and their lengths."""
    *batch, n, m = view.shape
    return prod(batch), n, m


def _accepts(*views: View) -> bool:
    return all([prod(v.shape) and v.base.dtype in _LETTERS for v in views])


def _turned(types, *numbers):
    """Types as they are written: those of matrices with these numbers by columns."""
    return [
        Type((*t.shape[:-2], t.shape[-1], t.shape[-2]) if i in numbers else t.shape, t.dtype)
        for i, t in enumerate(types)
    ]


def _called(graph, name, params, operands, types, *by_columns, space: int = 0):
    """The results of a routine; `space` is its workspace in bytes."""
    made = graph.routine(name, Routine(name, params, space), operands, _turned(types, *by_columns))
    return [_swapped(v) if i in by_columns else v for i, v in enumerate(made)]


def _lu(graph, operands, params, types):
    (x,) = operands
    if not _accepts(x):
        return None
    return _called(graph, "lu", (x.base.dtype, *_stack(x)), [_swapped(x)], types, 0)


@writes("lu")
def _(code: Code, addresses, dtype, batch, n, m):
    call, (x, factors, pivots, order), k = _Calls(code, dtype), addresses, min(n, m)
    with code.loop(batch) as i:
        a, p = call.at(factors, (i, n * m)), code.at(pivots, code.mul(i, code.integer(k)), _I32)
        call.copy(a, call.at(x, (i, n * m)), n * m)
        call("getrf", n, m, a, n, p)
        with code.loop(k) as j:
            code.store(code.sub(code.load(p, j, _I32), code.integer(1, _I32)), p, j, _I32)
        _exchange(code, p, k, code.at(order, code.mul(i, code.integer(n)), _I32), n)


def _exchange(code: Code, pivots: str, k: int, order: str, n: int) -> None:
    """The order of rows after exchanging row i with row pivots[i], for each i in turn."""
    with code.loop(n) as j:
        code.store(code.convert(j, _I32), order, j, _I32)
    with code.loop(k) as j:
        other = code.convert(code.load(pivots, j, _I32), I64)
        first, second = code.load(order, j, _I32), code.load(order, other, _I32)
        code.store(second, order, j, _I32)
        code.store(first, order, other, _I32)


def _cholesky(graph, operands, params, types):
    (x,) = operands
    if not _accepts(x):
        return None
    return _called(graph, "cholesky", (x.base.dtype, *_stack(x)[:2]), [_swapped(x)], types, 0)


@writes("cholesky")
def _(code: Code, addresses, dtype, batch, n):
    call, (x, factor) = _Calls(code, dtype), addresses
    with code.loop(batch) as i:
        a = call.at(factor, (i, n * n))
        call.copy(a, call.at(x, (i, n * n)), n * n)
        call.nan_unless(call("potrf", "L", n, a, n), (a, n * n))


def _triangular_solve(graph, operands, params, types):
    """op(A) X = B is X' op'(A') = B' for what the columns of the same numbers are."""
    a, b = operands
    if not _accepts(a, b):
        return None
    flags = [bool(params[name]) for name in ("left_side", "lower", "transpose_a", "unit_diagonal")]
    return _called(graph, "triangular_solve", (a.base.dtype, *_stack(b), *flags), [a, b], types)


@writes("triangular_solve")
def _(code: Code, addresses, dtype, batch, n, m, left, lower, transposed, unit):
    call, (a, b, out), k = _Calls(code, dtype), addresses, n if left else m
    one = call.number(1.0)
    with code.loop(batch) as i:
        x = call.at(out, (i, n * m))
        call.copy(x, call.at(b, (i, n * m)), n * m)
        letters = "RL"[not left], "LU"[lower], "NT"[transposed], "NU"[unit]
        call("trsm", *letters, m, n, one, call.at(a, (i, k * k)), k, x, m)


def _lwork(name: str, dtype, *lengths) -> int:
    return workspace(python_routine(f"{name}_lwork", dtype)(*lengths))


@cache
def _lwork_of_product(dtype, n: int, m: int, k: int) -> int:
    empty = np.empty((n, m), dtype, order="F"), np.empty(k, dtype)
    return workspace(python_routine("orgqr", dtype)(*empty, lwork=-1)[-2])


def _geqrf(graph, operands, params, types):
    (x,) = operands
    if not _accepts(x):
        return None
    dtype, (batch, n, m) = x.base.dtype, _stack(x)
    lwork = _lwork("geqrf", dtype, n, m)
    space = lwork * dtype.itemsize
    return _called(graph, "geqrf", (dtype, batch, n, m, lwork), [_swapped(x)], types, 0, space=space)


@writes("geqrf")
def _(code: Code, addresses, dtype, batch, n, m, lwork):
    call, (x, packed, taus, space) = _Calls(code, dtype), addresses
    with code.loop(batch) as i:
        a = call.at(packed, (i, n * m))
        call.copy(a, call.at(x, (i, n * m)), n * m)
        call("geqrf", n, m, a, n, call.at(taus, (i, min(n, m))), space, lwork)


def _householder_product(graph, operands, params, types):
    (a, taus) = operands
    if not _accepts(a, taus):
        return None
    dtype, k, (batch, n, m) = a.base.dtype, taus.shape[-1], _stack(a)
    lwork = _lwork_of_product(dtype, n, m, k)
    params = (dtype, batch, n, m, k, lwork)
    return _called(graph, "householder_product", params, [_swapped(a), taus], types, 0, space=lwork * dtype.itemsize)


@writes("householder_product")
def _(code: Code, addresses, dtype, batch, n, m, k, lwork):
    call, (a, taus, out, space) = _Calls(code, dtype), addresses
    with code.loop(batch) as i:
        q = call.at(out, (i, n * m))
        call.copy(q, call.at(a, (i, n * m)), n * m)
        call("orgqr", n, m, k, q, n, call.at(taus, (i, k)), space, lwork)


def _qr(graph, operands, params, types):
    (x,) = operands
    if not _accepts(x) or params["pivoting"]:
        return None
    dtype, (batch, n, m), k = x.base.dtype, _stack(x), types[0].shape[-1]
    lworks = _lwork("geqrf", dtype, n, m), _lwork_of_product(dtype, n, k, min(n, m))
    space = (n * m + min(n, m) + max(lworks)) * dtype.itemsize
    return _called(graph, "qr", (dtype, batch, n, m, k, *lworks), [_swapped(x)], types, 0, 1, space=space)


@writes("qr")
def _(code: Code, addresses, dtype, batch, n, m, k, lwork, lwork_of_product):
    """R is the upper half, and below it are the reflections whose product is Q."""
    call, (x, q, r, a) = _Calls(code, dtype), addresses
    taus = code.at(a, n * m, dtype)
    work, least = code.at(taus, min(n, m), dtype), min(n, m)
    with code.loop(batch) as i:
        q_i, r_i = call.at(q, (i, n * k)), call.at(r, (i, k * m))
        call.copy(a, call.at(x, (i, n * m)), n * m)
        call("geqrf", n, m, a, n, taus, work, lwork)
        with code.loop(m) as column, code.loop(k) as row:
            value = code.load(a, code.add(code.mul(column, code.integer(n)), row), dtype)
            below = code.compare("gt", row, column)
            value = code.select(below, code.const(0, dtype), value)
            code.store(value, r_i, code.add(code.mul(column, code.integer(k)), row), dtype)
        call.copy(q_i, a, n * least)
        if k > least:
            code.clear(code.at(q_i, n * least, dtype), n * (k - least) * dtype.itemsize)
        call("orgqr", n, k, least, q_i, n, taus, work, lwork_of_product)


def _eigh(graph, operands, params, types):
    (x,) = operands
    n = x.shape[-1]
    if not _accepts(x) or params["algorithm"] is not None and params["algorithm"].name != "QR":
        return None
    if params["subset_by_index"] not in (None, (0, n)):
        return None
    dtype, batch = x.base.dtype, prod(x.shape[:-2])
    lwork, liwork = 1 + 6 * n + 2 * n * n, 3 + 5 * n
    space = (lwork + liwork) * 8
    params = (dtype, batch, n, params["lower"], lwork, liwork)
    return _called(graph, "eigh", params, [_swapped(x)], types, 0, space=space)


@writes("eigh")
def _(code: Code, addresses, dtype, batch, n, lower, lwork, liwork):
    call, (x, vectors, values, work) = _Calls(code, dtype), addresses
    numbers = code.at(work, lwork, F64)
    with code.loop(batch) as i:
        v, w = call.at(vectors, (i, n * n)), call.at(values, (i, n))
        call.copy(v, call.at(x, (i, n * n)), n * n)
        worked = call("syevd", "V", "UL"[lower], n, v, n, w, work, lwork, numbers, liwork)
        call.nan_unless(worked, (v, n * n), (w, n))


def _svd(graph, operands, params, types):
    (x,), algorithm = operands, params["algorithm"]
    dtype, (batch, n, m) = x.base.dtype, _stack(x)
    if not _accepts(x) or algorithm in (SvdAlgorithm.JACOBI, SvdAlgorithm.POLAR):
        return None
    if params["subset_by_index"] not in (None, (0, min(n, m))):
        return None
    name = "gesvd" if algorithm is SvdAlgorithm.QR else "gesdd"
    flags = dict(compute_uv=params["compute_uv"], full_matrices=params["full_matrices"])
    lwork = workspace(python_routine(f"{name}_lwork", dtype)(n, m, **flags))
    job = "N" if not params["compute_uv"] else "A" if params["full_matrices"] else "S"
    space = n * m * dtype.itemsize + 32 * min(n, m) + lwork * dtype.itemsize
    own = (dtype, batch, n, m, name, job, lwork)
    return _called(graph, "svd", own, [_swapped(x)], types, *([1, 2] if job != "N" else []), space=space)


@writes("svd")
def _(code: Code, addresses, dtype, batch, n, m, name, job, lwork):
    call, (x, s, *vectors, a), k = _Calls(code, dtype), addresses, min(n, m)
    numbers = code.at(a, n * m, dtype)
    work = code.at(numbers, 8 * k, _I32)
    columns, rows = (n, m) if job == "A" else (k, k)
    sizes = [k, n * columns, rows * m]
    with code.loop(batch) as i:
        parts = [call.at(address, (i, size)) for address, size in zip([s, *vectors], sizes)]
        call.copy(a, call.at(x, (i, n * m)), n * m)
        u, vt = parts[1:] or (work, work)
        jobs, more = ([job], [numbers]) if name == "gesdd" else ([job, job], [])
        worked = call(name, *jobs, n, m, a, n, parts[0], u, n, vt, max(rows, 1), work, lwork, *more)
        fine = code.binary("and", worked, call.are_finite(parts[0], k))
        call.nan_unless(fine, *zip(parts, sizes))


put_on(dict(
    cholesky=_cholesky, eigh=_eigh, geqrf=_geqrf, householder_product=_householder_product, lu=_lu, qr=_qr, svd=_svd,
    triangular_solve=_triangular_solve,
))
