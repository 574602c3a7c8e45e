"""Linear algebra by LAPACK and BLAS, called from generated code.

`lapack.py` calls them. What the routines of the evaluation rules are given is given here too, so results are the same
to the last bit.
"""

from __future__ import annotations

from math import prod

import numpy as np

from .....core.primitive import primitives
from .....core.process.memo import memoized
from .....prims.matrices import routine as python_routine
from .....prims.matrices import workspace
from .....prims.spectral import EigImplementation, SvdAlgorithm
from ...graph.complex_and_keys import COMPLEX, Real
from ...graph.view_rules import RULES, register
from ...graph.views import Pair, Type, View
from ...text.builder import BOOL, F32, F64, I64, NARROW, Value
from ..base import Code, Routine, writes
from .lapack import BITS, I32, PARTS, Calls, accepts, called, dtype_of, stack, swapped
from .openblas_threads import in_one_thread

__all__: list[str] = []

_MAX_BLOCK_COLUMNS = 64  # that LAPACK handles at once
_TRIANGLE_ELEMENTS = 65 * 64  # what it keeps of them
_MIN_LENGTH_TO_THREAD = 64  # a matrix from which two threads have work


def _lu(graph, operands, params, types):
    (x,) = operands
    if not accepts(x):
        return None
    return called(graph, "lu", (dtype_of(x), *stack(x)), [swapped(x)], types, 0)


@writes("lu")
def _(code: Code, addresses, dtype, batch, n, m):
    call, (x, factors, pivots, order), k = Calls(code, dtype), addresses, min(n, m)
    with in_one_thread(code, n, m), code.loop(batch) as i:
        a, p = call.at(factors, (i, n * m)), code.at(pivots, i * k, I32)
        call.copy(a, call.at(x, (i, n * m)), n * m)
        call("getrf", n, m, a, n, p)
        _count_from_zero(code, p, k)
        _exchange(code, p, k, code.at(order, i * n, I32), n)


def _count_from_zero(code: Code, places: str, n: int) -> None:
    with code.loop(n) as j:
        code.store(code.load(places, j, I32) - 1, places, j, I32)


def _exchange(code: Code, pivots: str, k: int, order: str, n: int) -> None:
    """The order of rows after exchanging row i with row pivots[i], for each i in turn.

    Of pivots outside, which only callers give, the nearest row is read and none is written.
    """
    with code.loop(n) as j:
        code.store(code.convert(j, I32), order, j, I32)
    with code.loop(k) as j:
        other = code.convert(code.load(pivots, j, I32), I64)
        size, zero = code.integer(n), code.integer(0)
        other = code.select(other < zero, other + size, other)
        nearest = code.maximum(code.minimum(other, size - 1), zero)
        first, second = code.load(order, j, I32), code.load(order, nearest, I32)
        code.store(second, order, j, I32)
        with code.when(nearest.equals(other)):
            code.store(first, order, other, I32)


def _cholesky(graph, operands, params, types):
    (x,) = operands
    if not accepts(x):
        return None
    return called(graph, "cholesky", (dtype_of(x), *stack(x)[:2]), [swapped(x)], types, 0)


@writes("cholesky")
def _(code: Code, addresses, dtype, batch, n):
    call, (x, factor) = Calls(code, dtype), addresses
    with in_one_thread(code, n), code.loop(batch) as i:
        a = call.at(factor, (i, n * n))
        call.copy(a, call.at(x, (i, n * n)), n * n)
        call.nan_unless(call("potrf", "L", n, a, n), (a, n * n))


def _triangular_solve(graph, operands, params, types):
    """op(A) X = B is X' op'(A') = B' for what the columns of the same numbers are."""
    a, b = operands
    if not accepts(a, b):
        return None
    flags = [bool(params[name]) for name in ("left_side", "lower", "transpose_a", "unit_diagonal")]
    if params["conjugate_a"] and isinstance(a, Pair):
        if flags[2]:
            flags[2] = "C"
        else:
            a = Pair(a.re, graph.elementwise("neg", a.shape, a.im.base.dtype, (a.im,)))
    return called(graph, "triangular_solve", (dtype_of(a), *stack(b), *flags), [a, b], types)


@writes("triangular_solve")
def _(code: Code, addresses, dtype, batch, n, m, left, lower, transposed, unit):
    call, (a, b, out), k = Calls(code, dtype), addresses, n if left else m
    one = call.number(1.0)
    with in_one_thread(code, n, m), code.loop(batch) as i:
        x = call.at(out, (i, n * m))
        call.copy(x, call.at(b, (i, n * m)), n * m)
        letters = "RL"[not left], "LU"[lower], transposed if transposed == "C" else "NT"[transposed], "NU"[unit]
        call("trsm", *letters, m, n, one, call.at(a, (i, k * k)), k, x, m)


def _lwork(name: str, dtype, *lengths) -> int:
    return workspace(python_routine(f"{name}_lwork", dtype)(*lengths))


@memoized(4096)
def _queried(name: str, dtype, shape, **flags) -> int:
    """Return what a routine asks for that is given a matrix and says so next to last."""
    return workspace(python_routine(name, dtype)(np.empty(shape, dtype, order="F"), lwork=-1, **flags)[-2])


@memoized(4096)
def _lwork_of_product(dtype, n: int, m: int, k: int) -> int:
    empty = np.empty((n, m), dtype, order="F"), np.empty(k, dtype)
    return workspace(python_routine("orgqr", dtype)(*empty, lwork=-1)[-2])


def _geqrf(graph, operands, params, types):
    (x,) = operands
    if not accepts(x):
        return None
    dtype, (batch, n, m) = dtype_of(x), stack(x)
    lwork = _lwork("geqrf", dtype, n, m)
    space = lwork * dtype.itemsize
    return called(graph, "geqrf", (dtype, batch, n, m, lwork), [swapped(x)], types, 0, space=space)


@writes("geqrf")
def _(code: Code, addresses, dtype, batch, n, m, lwork):
    call, (x, packed, taus, space) = Calls(code, dtype), addresses
    with in_one_thread(code, n, m), code.loop(batch) as i:
        a = call.at(packed, (i, n * m))
        call.copy(a, call.at(x, (i, n * m)), n * m)
        call("geqrf", n, m, a, n, call.at(taus, (i, min(n, m))), space, lwork)


def _householder_product(graph, operands, params, types):
    (a, taus) = operands
    if not accepts(a, taus):
        return None
    dtype, k, (batch, n, m) = dtype_of(a), taus.shape[-1], stack(a)
    lwork = _lwork_of_product(dtype, n, m, k)
    params = (dtype, batch, n, m, k, lwork)
    return called(graph, "householder_product", params, [swapped(a), taus], types, 0, space=lwork * dtype.itemsize)


@writes("householder_product")
def _(code: Code, addresses, dtype, batch, n, m, k, lwork):
    call, (a, taus, out, space) = Calls(code, dtype), addresses
    with in_one_thread(code, n, m), code.loop(batch) as i:
        q = call.at(out, (i, n * m))
        call.copy(q, call.at(a, (i, n * m)), n * m)
        call("orgqr", n, m, k, q, n, call.at(taus, (i, k)), space, lwork)


def _qr(graph, operands, params, types):
    (x,) = operands
    if not accepts(x):
        return None
    dtype, (batch, n, m), k, pivots = dtype_of(x), stack(x), types[0].shape[-1], bool(params["pivoting"])
    lwork = _queried("geqp3", dtype, (n, m)) if pivots else _lwork("geqrf", dtype, n, m)
    lworks = lwork, _lwork_of_product(dtype, n, k, min(n, m))
    space = (n * m + min(n, m) + max(lworks) + m) * dtype.itemsize
    return called(graph, "qr", (dtype, batch, n, m, k, *lworks, pivots), [swapped(x)], types, 0, 1, space=space)


@writes("qr")
def _(code: Code, addresses, dtype, batch, n, m, k, lwork, lwork_of_product, pivots):
    """R is the upper half, and below it are the reflections whose product is Q."""
    call, (x, q, r, *order, a) = Calls(code, dtype), addresses
    taus = code.at(a, n * m, dtype)
    work, least = code.at(taus, min(n, m), dtype), min(n, m)
    with in_one_thread(code, n, m), code.loop(batch) as i:
        q_i, r_i = call.at(q, (i, n * k)), call.at(r, (i, k * m))
        call.copy(a, call.at(x, (i, n * m)), n * m)
        if pivots:
            places = code.at(order[0], i * m, I32)
            code.clear(places, m * I32.itemsize)
            more = [code.at(work, lwork, dtype)] if call.parts == 2 else []
            call("geqp3", n, m, a, n, places, taus, work, lwork, *more)
            _count_from_zero(code, places, m)
        else:
            call("geqrf", n, m, a, n, taus, work, lwork)
        with code.loop(m) as column, code.loop(k) as row:
            below = row > column
            source, target = call.at(a, (column, n), (row, 1)), call.at(r_i, (column, k), (row, 1))
            for p in range(call.parts):
                value = code.select(below, 0, code.load(source, p, call.part))
                code.store(value, target, p, call.part)
        call.copy(q_i, a, n * least)
        if k > least:
            code.clear(code.at(q_i, n * least, dtype), n * (k - least) * dtype.itemsize)
        call("orgqr", n, k, least, q_i, n, taus, work, lwork_of_product)


def _eigh(graph, operands, params, types):
    (x,) = operands
    n = x.shape[-1]
    if not accepts(x) or params.get("algorithm") is not None and params["algorithm"].name != "QR":
        return None
    if params.get("subset_by_index") not in (None, (0, n)):
        return None
    dtype, batch = dtype_of(x), prod(x.shape[:-2])
    lwork, lrwork, liwork = 1 + 6 * n + 2 * n * n, 0, 3 + 5 * n
    if dtype in PARTS:
        lwork, lrwork = 2 * n + n * n, 1 + 5 * n + 2 * n * n
    space = lwork * dtype.itemsize + (lrwork + liwork) * 8
    params = (dtype, batch, n, params["lower"], lwork, lrwork, liwork)
    return called(graph, "eigh", params, [swapped(x)], types, 0, space=space)


@writes("eigh")
def _(code: Code, addresses, dtype, batch, n, lower, lwork, lrwork, liwork):
    call, (x, vectors, values, work) = Calls(code, dtype), addresses
    more = code.at(work, lwork, dtype)
    numbers = code.at(more, lrwork, F64)
    spaces = work, lwork, *((more, lrwork) if lrwork else ()), numbers, liwork
    with in_one_thread(code, n), code.loop(batch) as i:
        v, w = call.at(vectors, (i, n * n)), call.real_at(values, (i, n))
        call.copy(v, call.at(x, (i, n * n)), n * n)
        worked = call("syevd", "V", "UL"[lower], n, v, n, w, *spaces)
        call.nan_unless(worked, (v, n * n), (w, n, 1))


def _svd(graph, operands, params, types):
    (x,), algorithm = operands, params.get("algorithm")
    dtype, (batch, n, m) = dtype_of(x), stack(x)
    if not accepts(x) or algorithm in (SvdAlgorithm.JACOBI, SvdAlgorithm.POLAR):
        return None
    if params.get("subset_by_index") not in (None, (0, min(n, m))):
        return None
    name = "gesvd" if algorithm is SvdAlgorithm.QR else "gesdd"
    flags = dict(compute_uv=params["compute_uv"], full_matrices=params["full_matrices"])
    lwork = workspace(python_routine(f"{name}_lwork", dtype)(n, m, **flags))
    job = "N" if not params["compute_uv"] else "A" if params["full_matrices"] else "S"
    if name == "gesdd" and job != "N" and n == m and dtype not in PARTS:
        name, lwork = "stages", max(lwork, 4 * n * n + 8 * n, 4 * (_MAX_BLOCK_COLUMNS * n + _TRIANGLE_ELEMENTS))
    k = min(n, m)
    space = (n * m + lwork) * dtype.itemsize + 32 * k
    if dtype in PARTS:
        space += k * max(5 * k + 7, 2 * max(n, m) + 2 * k + 1) * dtype.itemsize
    own = (dtype, batch, n, m, name, job, lwork)
    return called(graph, "svd", own, [swapped(x)], types, *([1, 2] if job != "N" else []), space=space)


@writes("svd")
def _(code: Code, addresses, dtype, batch, n, m, name, job, lwork):
    call, (x, s, *vectors, a), k = Calls(code, dtype), addresses, min(n, m)
    numbers = code.at(a, n * m, dtype)
    work = code.at(numbers, 8 * k, I32)
    columns, rows = (n, m) if job == "A" else (k, k)
    sizes = [k, n * columns, rows * m]
    worked, number = code.variable(code.const(True, BOOL)), code.local("i64")
    with in_one_thread(code, n, m), code.loop(batch) as i:
        parts = [call.real_at(s, (i, k)), *[call.at(v, (i, size)) for v, size in zip(vectors, sizes[1:])]]
        call.copy(a, call.at(x, (i, n * m)), n * m)
        u, vt = parts[1:] or (work, work)

        def at_once(name):
            jobs, more = ([job], [numbers]) if name == "gesdd" else ([job, job], [])
            more = [code.at(work, lwork, dtype), *more] if dtype in PARTS else more
            fine = call(name, *jobs, n, m, a, n, parts[0], u, n, vt, max(rows, 1), work, lwork, *more)
            code.set(worked, fine)

        is_finite = call.are_finite(a, n * m)
        code.set(worked, is_finite)
        with code.when(is_finite):  # LAPACK does not come to an end where an element is infinite
            if name == "stages":
                usual = _is_usual(call, a, n * n)
                with code.when(usual):
                    code.store(i, number, 0, I64)
                    code.set(worked, _svd_in_stages(call, a, n, parts, numbers, work, number, len(addresses)))
                with code.when(~usual):
                    at_once("gesdd")
            else:
                at_once(name)
        fine = code.get(worked, BOOL) & call.are_finite(parts[0], k, 1)
        call.nan_unless(fine, (parts[0], k, 1), *zip(parts[1:], sizes[1:]))


def _is_usual(call: Calls, a: str, count: int) -> Value:
    """Return whether gesdd would not scale a matrix first."""
    info, (bits, _) = np.finfo(call.dtype), BITS[call.dtype]
    least = np.sqrt(info.tiny) / info.eps * 2
    low, high = [int(np.asarray(bound, call.dtype).view(bits)) for bound in (least, 1 / least)]
    greatest = call.greatest(a, count)
    return (greatest >= low) & (greatest <= high)


def _svd_in_stages(call: Calls, a: str, n: int, parts, numbers: str, work: str, number: str, given: int) -> Value:
    """Return what gesdd does with a square matrix, but both products with reflections at the same time."""
    code, (s, u, vt) = call.code, parts
    e, q, p, rest = [code.at(work, i * n, call.dtype) for i in (0, 1, 2, 3)]
    worked = call("gebrd", n, n, a, n, s, e, q, p, rest, 2 * _MAX_BLOCK_COLUMNS * n)
    fine = call("bdsdc", "U", "I", n, s, e, u, n, vt, n, rest, numbers, rest, numbers)

    def side(inner: Code):
        _, _, *vectors, a = inner.arguments(given)
        batch = inner.new("load i64, ptr %shared", I64)
        call = Calls(inner, s_dtype)
        work = inner.at(inner.at(a, n * n, s_dtype), 8 * n, I32)
        size = _MAX_BLOCK_COLUMNS * n + _TRIANGLE_ELEMENTS
        for k, (letters, address) in enumerate(zip(("QLN", "PRT"), vectors)):
            mine = inner.value("%chunk").equals(k)
            with inner.when(mine):
                target, taus = call.at(address, (batch, n * n)), inner.at(work, (1 + k) * n, s_dtype)
                own = inner.at(work, 3 * n + k * size, s_dtype)
                call("ormbr", *letters, n, n, n, a, n, taus, target, n, own, size)

    s_dtype = call.dtype
    part = code.part("side", side)
    if n < _MIN_LENGTH_TO_THREAD:
        for k in (0, 1):
            code.line(f"call void {part}(ptr %arguments, ptr {number}, i64 {k})")
    else:
        code.parallel(part, number, 2)
    return worked & fine


# ---- what is asked for less often ----------------------------------------------------------------


def _lu_pivots_to_permutation(graph, operands, params, types):
    (pivots,), shape = operands, types[0].shape
    sizes = prod(shape[:-1]), pivots.shape[-1], shape[-1]
    return graph.routine("lu_pivots_to_permutation", Routine("permutation", sizes), [pivots], types)


@writes("permutation")
def _(code: Code, addresses, batch, k, n):
    pivots, order = addresses
    with code.loop(batch) as i:
        at = lambda address, size: code.at(address, i * size, I32)
        _exchange(code, at(pivots, k), k, at(order, n), n)


def _ormqr(graph, operands, params, types):
    a, taus, c = operands
    if not accepts(*operands):
        return None
    dtype, (batch, n, m), k = dtype_of(a), stack(c), taus.shape[-1]
    flags = "R" if not params["left"] else "L", ("C" if isinstance(a, Pair) else "T") if params["transpose"] else "N"
    lwork = _lwork_of_reflections(dtype, flags, a.shape[-2], k, n, m)
    own = (dtype, batch, n, m, *a.shape[-2:], k, flags, lwork)
    return called(graph, "ormqr", own, [swapped(a), taus, swapped(c)], types, 0, space=lwork * dtype.itemsize)


@memoized(4096)
def _lwork_of_reflections(dtype, flags, rows: int, k: int, n: int, m: int) -> int:
    a, c = [np.empty(shape, dtype, order="F") for shape in ((rows, k), (n, m))]
    return workspace(python_routine("ormqr", dtype)(*flags, a, np.empty(k, dtype), c, -1)[1])


@writes("ormqr")
def _(code: Code, addresses, dtype, batch, n, m, rows, columns, k, flags, lwork):
    call, (a, taus, c, out, space) = Calls(code, dtype), addresses
    with in_one_thread(code, n, m), code.loop(batch) as i:
        x = call.at(out, (i, n * m))
        call.copy(x, call.at(c, (i, n * m)), n * m)
        packed = call.at(a, (i, rows * columns))
        call("ormqr", *flags, n, m, k, packed, rows, call.at(taus, (i, k)), x, n, space, lwork)


def _tridiagonal_solve(graph, operands, params, types):
    dl, d, du, b = operands
    if not accepts(*operands):
        return None
    dtype, (batch, n, m) = dtype_of(b), stack(b)
    if params["perturb_singular"]:
        if dtype in PARTS:
            return None
        own, space = (dtype, batch, n, m), 5 * n * dtype.itemsize
        return called(graph, "tridiagonal_perturbed", own, [dl, d, du, swapped(b)], types, 0, space=space)
    if n == 1 and isinstance(b, Pair):
        return None
    if n == 1:
        return [graph.elementwise("div", b.shape, dtype, (b, graph.reshape(d, (*d.shape, 1)).stretched(b.shape)))]
    space = 3 * n * dtype.itemsize
    return called(graph, "tridiagonal_solve", (dtype, batch, n, m), [dl, d, du, swapped(b)], types, 0, space=space)


@writes("tridiagonal_solve")
def _(code: Code, addresses, dtype, batch, n, m):
    call, (*diagonals, b, out, space) = Calls(code, dtype), addresses
    own = [code.at(space, k * n, dtype) for k in range(3)]
    with in_one_thread(code, n, m), code.loop(batch) as i:
        x = call.at(out, (i, n * m))
        call.copy(x, call.at(b, (i, n * m)), n * m)
        for target, source in zip(own, diagonals):
            call.copy(target, call.at(source, (i, n)), n)
        call.nan_unless(call("gtsv", n, m, code.at(own[0], 1, dtype), own[1], own[2], x, n), (x, n * m))


@writes("tridiagonal_perturbed")
def _(code: Code, addresses, dtype, batch, n, m):
    """Elimination with exchanges; a pivot that vanishes becomes epsilon times the greatest number of the factor.

    Of the pivots, the last but one is not looked at. `prims/triangular.py` has the same.
    """
    call, (*diagonals, b, out, space) = Calls(code, dtype), addresses
    lower, pivots, *rest, order = [code.at(space, k * n, dtype) for k in range(5)]
    info = np.finfo(dtype)
    tiny = code.const(info.tiny, dtype)
    looked_at = [(pivots, 0, n if n < 3 else n - 2), (pivots, n - 1, n), (rest[0], 0, n - 1), (rest[1], 0, n - 2)]
    with in_one_thread(code, n, m), code.loop(batch) as i:
        x = call.at(out, (i, n * m))
        call.copy(x, call.at(b, (i, n * m)), n * m)
        for target, source in zip((lower, pivots, rest[0]), diagonals):
            call.copy(target, call.at(source, (i, n)), n)
        factor = (code.at(lower, 1, dtype), pivots, *rest, order)
        call("gttrf", n, *factor)
        most = call.number(0.0)
        for address, first, stop in looked_at:
            if first < stop:
                with code.loop(stop, first) as j:
                    value, before = abs(code.load(address, j, dtype)), code.load(most, 0, dtype)
                    code.store(code.select(before < value, value, before), most, 0, dtype)
        least = code.load(most, 0, dtype) * code.const(info.eps, dtype)
        least = code.select(least < tiny, tiny, least)
        with code.loop(n) as j:
            pivot = code.load(pivots, j, dtype)
            code.store(code.select(abs(pivot) < tiny, least, pivot), pivots, j, dtype)
        call("gttrs", "N", n, m, *factor, x, n)


def _hessenberg(graph, operands, params, types):
    (x,), n = operands, operands[0].shape[-1]
    if not accepts(x):
        return None
    dtype, batch = dtype_of(x), prod(x.shape[:-2])
    if n < 2 and isinstance(x, Pair):
        return None
    if n < 2:
        return [x, graph.number(0, dtype, types[1].shape)]
    lwork = _lwork("gehrd", dtype, n)
    own = (dtype, batch, n, lwork)
    return called(graph, "hessenberg", own, [swapped(x)], types, 0, space=lwork * dtype.itemsize)


@writes("hessenberg")
def _(code: Code, addresses, dtype, batch, n, lwork):
    call, (x, packed, taus, space) = Calls(code, dtype), addresses
    with in_one_thread(code, n), code.loop(batch) as i:
        a, t = call.at(packed, (i, n * n)), call.at(taus, (i, n - 1))
        call.copy(a, call.at(x, (i, n * n)), n * n)
        call.nan_unless(call("gehrd", n, 1, n, a, n, t, space, lwork), (a, n * n), (t, n - 1))


def _tridiagonal(graph, operands, params, types):
    (x,), n = operands, operands[0].shape[-1]
    if not accepts(x):
        return None
    dtype, batch, lower = dtype_of(x), prod(x.shape[:-2]), bool(params["lower"])
    if n == 1 and isinstance(x, Pair):
        return None
    if n == 1:
        return [x, graph.reshape(x, types[1].shape), *[graph.number(0, dtype, t.shape) for t in types[2:]]]
    lwork = workspace(python_routine("sytrd_lwork", dtype)(n, lower=lower))
    own = (dtype, batch, n, lower, lwork)
    return called(graph, "tridiagonal", own, [swapped(x)], types, 0, space=lwork * dtype.itemsize)


@writes("tridiagonal")
def _(code: Code, addresses, dtype, batch, n, lower, lwork):
    call, (x, *made, space) = Calls(code, dtype), addresses
    with in_one_thread(code, n), code.loop(batch) as i:
        a, taus = [call.at(made[k], (i, size)) for k, size in ((0, n * n), (3, n - 1))]
        d, e = [call.real_at(made[k], (i, size)) for k, size in ((1, n), (2, n - 1))]
        call.copy(a, call.at(x, (i, n * n)), n * n)
        worked = call("sytrd", "UL"[lower], n, a, n, d, e, taus, space, lwork)
        call.nan_unless(worked, (a, n * n), (d, n, 1), (e, n - 1, 1), (taus, n - 1))


def _schur(graph, operands, params, types):
    (x,), with_vectors = operands, bool(params["compute_schur_vectors"])
    if not accepts(x) or params["sort_eig_vals"]:
        return None
    dtype, batch, n = dtype_of(x), prod(x.shape[:-2]), x.shape[-1]
    lwork = _lwork_of_schur(dtype, n, with_vectors)
    own, space = (dtype, batch, n, with_vectors, lwork), (2 * n + lwork) * dtype.itemsize
    return called(graph, "schur", own, [swapped(x)], types, 0, 1, space=space)


@memoized(4096)
def _lwork_of_schur(dtype, n: int, with_vectors: bool) -> int:
    empty = np.empty((n, n), dtype, order="F")
    return workspace(python_routine("gees", dtype)(lambda *_: None, empty, compute_v=with_vectors, lwork=-1)[-2])


@writes("schur")
def _(code: Code, addresses, dtype, batch, n, with_vectors, lwork):
    call, (x, triangle, *vectors, values) = Calls(code, dtype), addresses
    others, work, count = code.at(values, n, dtype), code.at(values, 2 * n, dtype), code.local("i32")
    with in_one_thread(code, n), code.loop(batch) as i:
        t = call.at(triangle, (i, n * n))
        call.copy(t, call.at(x, (i, n * n)), n * n)
        v = call.at(vectors[0], (i, n * n)) if with_vectors else work
        # Nothing is sorted: neither the function that chooses nor the memory for its answers is looked at.
        found, more = ([values], [others]) if call.parts == 2 else ([values, others], [])
        jobs = "NV"[with_vectors], "N", work
        worked = call("gees", *jobs, n, t, n, count, *found, v, n, work, lwork, *more, work)
        call.nan_unless(worked, (t, n * n), *([(v, n * n)] if with_vectors else []))


def _eig(graph, operands, params, types):
    (x,) = operands
    if not accepts(x) or params.get("implementation") not in (None, EigImplementation.LAPACK):
        return None
    left, right = [bool(params[f"compute_{side}_eigenvectors"]) for side in ("left", "right")]
    dtype, batch, n = dtype_of(x), prod(x.shape[:-2]), x.shape[-1]
    lwork = workspace(python_routine("geev_lwork", dtype)(n, compute_vl=left, compute_vr=right))
    own, space = (dtype, batch, n, left, right, lwork), (3 * n * n + 2 * n + lwork) * dtype.itemsize
    name = "eig of complex numbers" if isinstance(x, Pair) else "eig"
    values, *vectors = graph.routine("eig", Routine(name, own, space), [graph.stored(swapped(x))], types)
    return [values, *[Pair(swapped(v.re), swapped(v.im)) for v in vectors]]


@writes("eig")
def _(code: Code, addresses, dtype, batch, n, left, right, lwork):
    call, (x, values, *vectors, a) = Calls(code, dtype), addresses
    vl, vr, re, im = [code.at(a, n * n * k + n * rest, dtype) for k, rest in ((1, 0), (2, 0), (3, 0), (3, 1))]
    work, nan = code.at(im, n, dtype), code.const(np.nan, dtype)
    found = [v for v, wanted in ((vl, left), (vr, right)) if wanted]
    with in_one_thread(code, n), code.loop(batch) as i:
        call.copy(a, call.at(x, (i, n * n)), n * n)
        worked = code.variable(call.are_finite(a, n * n))
        with code.when(code.get(worked, BOOL)):
            jobs = "NV"[left], "NV"[right]
            code.set(worked, call("geev", *jobs, n, a, n, re, im, vl, n, vr, n, work, lwork))
        fine = code.get(worked, BOOL)

        def put(target, index, *parts):
            for k, part in enumerate(parts):
                at = index * 2 + k
                code.store(code.select(fine, part, nan), target, at, dtype)

        targets = [call.at(v, (i, 2 * n * n)) for v in vectors]
        with code.loop(n) as j:
            sign = code.load(im, j, dtype)
            zero = code.const(0, dtype)
            put(call.at(values, (i, 2 * n)), j, code.load(re, j, dtype), sign)
            # Two columns have the parts of a conjugate pair: the real ones, and the imaginary ones of the first.
            is_first, is_second = sign > zero, sign < zero
            step = lambda flag, k: code.select(flag, code.integer(k), 0)
            real, other = j + step(is_second, -1), j + step(is_first, 1)
            for v, target in zip(found, targets):
                with code.loop(n) as row:
                    at = [column * n + row for column in (real, other)]
                    whole, part = [code.load(v, index, dtype) for index in at]
                    part = code.select(is_first, part, code.select(is_second, -part, zero))
                    put(target, j * n + row, whole, part)


@writes("eig of complex numbers")
def _(code: Code, addresses, dtype, batch, n, left, right, lwork):
    call, (x, values, *vectors, a) = Calls(code, dtype), addresses
    more, work = [code.at(a, n * n + k * n, dtype) for k in (0, 1)]
    with in_one_thread(code, n), code.loop(batch) as i:
        call.copy(a, call.at(x, (i, n * n)), n * n)
        w, found = call.at(values, (i, n)), [call.at(v, (i, n * n)) for v in vectors]
        worked = code.variable(call.are_finite(a, n * n))
        with code.when(code.get(worked, BOOL)):
            sides = iter(found)
            vl, vr = [next(sides) if wanted else work for wanted in (left, right)]
            jobs = "NV"[left], "NV"[right]
            code.set(worked, call("geev", *jobs, n, a, n, w, vl, n, vr, n, work, lwork, more))
        with code.when(~code.get(worked, BOOL)):
            for address, count in ((w, n), *[(v, n * n) for v in found]):
                with code.loop(2 * count) as j:
                    code.store(code.const(np.nan, call.part), address, j, call.part)


def _symmetric_product(graph, operands, params, types):
    a, c = operands
    dtype, rank = dtype_of(a), len(a.shape)
    batch = tuple(range(rank - 2))
    how = dict(dimension_numbers=(((rank - 1,), (rank - 1,)), (batch, batch)), precision=None,
               preferred_element_type=dtype)
    (made,) = graph.by_rule(primitives["dot_general"], [a, a], how, types, [Type(a.shape, dtype)] * 2)
    real = Real(graph, types[0].shape, dtype)
    made = real.mul(made, params["alpha"])
    return [real.add(made, real.mul(c, params["beta"])) if params["beta"] else made]


def _cholesky_update(graph, operands, params, types):
    r, w = operands
    if not accepts(r):
        return None
    own, n = (r.base.dtype, *stack(r)[:2]), r.shape[-1]
    return called(graph, "cholesky_update", own, [r, w], types, space=n * r.base.dtype.itemsize)


@writes("cholesky_update")
def _(code: Code, addresses, dtype, batch, n):
    """Rotations take the vector, row by row, into the factor: Golub and Van Loan, 6.5.4."""
    call, (r, w, out, rest) = Calls(code, dtype), addresses
    zero, one = code.const(0, dtype), code.const(1, dtype)
    with code.loop(batch) as i:
        x = call.at(out, (i, n * n))
        call.copy(x, call.at(r, (i, n * n)), n * n)
        call.copy(rest, call.at(w, (i, n)), n)
        with code.loop(n) as k:
            row = call.at(x, (k, n))
            first, second = code.load(row, k, dtype), code.load(rest, k, dtype)
            length = code.each_lane("hypot", first, second)
            none = length.equals(zero)
            safe = code.select(none, one, length)
            c, s = code.select(none, one, first / safe), code.select(none, zero, second / safe)
            with code.loop(n) as j:
                u, v = code.load(row, j, dtype), code.load(rest, j, dtype)
                turned = c * u + s * v
                code.store(code.select(j < k, zero, turned), row, j, dtype)
                code.store(c * v - s * u, rest, j, dtype)


# ---- tables --------------------------------------------------------------------------------------


def _in_float32(rule):
    """Return the rule of LAPACK's dtypes for float16 and bfloat16 too."""
    wide = lambda dtype: F32 if dtype in NARROW else dtype

    def wrapped(graph, operands, params, types):
        if not any([isinstance(x, View) and x.base.dtype in NARROW for x in operands]):
            return rule(graph, operands, params, types)
        operands = [graph.converted(x, wide(x.base.dtype)) for x in operands]
        found = rule(graph, operands, params, [Type(t.shape, wide(t.dtype)) for t in types])
        if found is None:
            return None
        return [graph.converted(v, t.dtype) if t.dtype in NARROW else v for v, t in zip(found, types)]

    return wrapped


_RULES = dict(
    cholesky=_cholesky, cholesky_update=_cholesky_update, eig=_eig, eigh=_eigh, geqrf=_geqrf, hessenberg=_hessenberg,
    householder_product=_householder_product, lu=_lu, ormqr=_ormqr, qr=_qr, schur=_schur, svd=_svd,
    symmetric_product=_symmetric_product, triangular_solve=_triangular_solve, tridiagonal=_tridiagonal,
    tridiagonal_solve=_tridiagonal_solve,
)
register({name: _in_float32(rule) for name, rule in _RULES.items()})
register(dict(lu_pivots_to_permutation=_lu_pivots_to_permutation))
COMPLEX.update({name: RULES[name] for name in _RULES.keys() - {"cholesky_update", "symmetric_product"}})
