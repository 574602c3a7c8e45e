"""The `lower` rules of linear algebra: calls of LAPACK, or on NVIDIA's devices of cuSOLVER, as jaxlib registers them.

Matrices are in columns there, which the layouts of operands and results say; all axes before the last two are a
batch. A matrix that a routine reports it could not do becomes NaN.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....core import dtypes
from ....core.types import ShapedArray
from ....core.values.dimension import as_number, lesser
from ....prims.arithmetic import add, clamp, complex_, div, mul, neg, sqrt, sub
from ....prims.logic import eq, lt, select_n
from ....prims.matrices import adjoint_of, product, swapped, upper_part
from ....prims.shape import broadcast_in_dim, full, iota, reduce_sum, reshape
from ....prims.slicing import dynamic_slice, dynamic_update_slice, pad, slice_
from ....prims.spectral import EighImplementation, EigImplementation, SvdAlgorithm
from ..rules import lower
from ..stablehlo import Value, Writer
from .lowerings import while_loop

_LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
_UNITARY = {"orgqr": "ungqr", "ormqr": "unmqr", "sytrd": "hetrd", "syevd": "heevd"}
_ON_CUDA = {
    **dict.fromkeys(("potrf", "getrf", "geqrf", "orgqr", "ormqr", "syevd", "sytrd"), "cusolver_{}_ffi"),
    "geqp3": "cuhybrid_geqp3",
}
_i32 = dtypes.int32


# ---- calls ---------------------------------------------------------------------------------------


def _layout(ndim: int, is_matrix: bool) -> str:
    """Return the axes from the one that varies fastest."""
    axes = list(range(ndim - 1, -1, -1))
    if is_matrix:
        axes[:2] = [ndim - 2, ndim - 1]
    return f"dense<{axes if axes else ''}> : tensor<{ndim}xindex>"


def _is_cuda(w: Writer) -> bool:
    return w.module.platform == "cuda"


def _call(
    w: Writer, routine: str, operands: Sequence[Value], outs, config: str = "", alias: Sequence[int] = (),
    cuda: str = "",
):
    """Return a call of LAPACK -> its results.

    `outs` are (type, is it a matrix); result i may take the memory of operand alias[i], if that is not negative.
    `cuda` is the `config` of NVIDIA's function.
    """
    batch = operands[0].aval.ndim - 2 if routine != "gtsv" else operands[0].aval.ndim - 1
    if _is_cuda(w):
        return _lapack(w, _ON_CUDA[routine].format(routine), batch, operands, outs, cuda, alias)
    name, dtype = routine, operands[0].aval.dtype
    if dtypes.issubdtype(dtype, np.complexfloating):
        name = _UNITARY.get(name, name)
    return _lapack(w, f"lapack_{_LETTERS[dtype.name]}{name}_ffi", batch, operands, outs, config, alias)


def _lapack(w, target, batch, operands, outs, config="", alias=()):
    place = lambda i: f"[{i}]" if len(outs) > 1 else "[]"
    aliases = ", ".join(
        f"#stablehlo.output_operand_alias<output_tuple_indices = {place(o)}, operand_index = {i}, "
        "operand_tuple_indices = []>" for o, i in enumerate(alias) if i >= 0
    )
    attributes = [
        "api_version = 4 : i32", f"backend_config = {{{config}}}",
        f'mhlo.frontend_attributes = {{num_batch_dims = "{batch}"}}',
        f"operand_layouts = [{', '.join(_layout(x.aval.ndim, x.aval.ndim == batch + 2) for x in operands)}]",
        f"result_layouts = [{', '.join(_layout(a.ndim, m) for a, m in outs)}]",
    ]
    if aliases:
        attributes.append(f"output_operand_aliases = [{aliases}]")
    return w.custom_call(target, operands, [a for a, _ in outs], *attributes)


def _letter(c: str) -> str:
    return f"{ord(c)} : ui8"


def _wide(w: Writer, operands):
    """Return the operands in a dtype that LAPACK has."""
    narrow = operands[0].aval.dtype.name not in _LETTERS
    return [w.op("stablehlo.convert", [x], x.aval.update(dtype=dtypes.float32)) for x in operands] if narrow else (
        list(operands))


def _narrowed(w: Writer, values, eqn):
    """Return the results in the dtypes of the equation."""
    return [x if x.aval.dtype == v.aval.dtype else w.op("stablehlo.convert", [x], v.aval)
            for x, v in zip(values, eqn.outvars, strict=True)]


def _where_done(w: Writer, info: Value, values):
    """NaN in place of the results of a batch element whose routine failed."""

    def run(info, *xs):
        done = eq(info, full(info.shape, 0, _i32))
        outs = []
        for x in xs:
            axes = tuple(range(info.ndim))
            mask = broadcast_in_dim(done, shape=x.shape, broadcast_dimensions=axes, sharding=None)
            missing = np.nan * (1 + 1j) if dtypes.issubdtype(x.dtype, np.complexfloating) else np.nan
            outs.append(select_n(mask, full(x.shape, missing, x.dtype), x))
        return outs

    return w.written(run, [info, *values])


def _rule(*names: str, on_cuda: bool = True):
    """Register a rule `(writer, params, wide operands) -> results`, which is not asked about empty matrices."""

    def register(rule):
        @lower(*names)
        def _(w, eqn, operands):
            if not operands[0].aval.size or any(not x.aval.size for x in operands[1:]):
                return _of_nothing(w, eqn, operands)
            if _is_cuda(w) and not on_cuda:
                return w.on_host(eqn, operands)
            found = rule(w, eqn.params, _wide(w, operands))
            return _narrowed(w, found if isinstance(found, list) else [found], eqn)

        return rule

    return register


def _of_nothing(w: Writer, eqn, operands):
    """Return the results for empty operands, which are the same whatever is in the others."""
    buffers = [np.zeros(x.aval.shape, x.aval.dtype) for x in operands]
    if all(not x.aval.size for x in operands):
        outs = eqn.primitive.evaluate_rule(*buffers, **eqn.params)
        outs = outs if eqn.primitive.multiple_results else [outs]
        return [w.constant(x, v.aval) for x, v in zip(outs, eqn.outvars)]
    return w.on_host(eqn, operands)


def _shape(x: Value) -> tuple[tuple[int, ...], int, int]:
    *batch, n, m = x.aval.shape
    return tuple(batch), n, m


def _like(x: Value, *shape: int, dtype=None) -> ShapedArray:
    return ShapedArray(shape, dtype or x.aval.dtype)


def _real(dtype):
    return np.empty(0, dtype).real.dtype


# ---- factorizations ------------------------------------------------------------------------------


@_rule("cholesky")
def _(w, params, operands):
    (x,) = operands
    batch, _, _ = _shape(x)
    factor, info = _call(
        w, "potrf", [x], [(x.aval, True), (_like(x, *batch, dtype=_i32), False)], f"uplo = {_letter('L')}", [0],
        "lower = true",
    )
    return _where_done(w, info, [factor])


@_rule("lu")
def _(w, params, operands):
    (x,) = operands
    batch, n, m = _shape(x)
    k = min(n, m)
    factors, pivots, _ = _call(
        w, "getrf", [x],
        [(x.aval, True), (_like(x, *batch, k, dtype=_i32), False), (_like(x, *batch, dtype=_i32), False)], "", [0],
    )
    (pivots,) = w.written(lambda p: [sub(p, full(p.shape, 1, _i32))], [pivots])
    return [factors, pivots, _permutation(w, pivots, n)]


def _permutation(w: Writer, pivots: Value, n: int) -> Value:
    """Return the order of rows after exchanging row i with row pivots[i], for each i in turn.

    Negative pivots count from the end. What is read beyond an end is the row there, what is written there is not.
    """
    *batch, k = pivots.aval.shape
    if _is_cuda(w) and pivots.aval.size:
        out = _like(pivots, *batch, n)
        return _lapack(w, "cu_lu_pivots_to_permutation", len(batch), [pivots], [(out, False)])[0]
    number, last = ShapedArray((), _i32), len(batch)
    order = w.fresh(_like(pivots, *batch, n))
    w.line(f"{order.name} = stablehlo.iota dim = {last} : {order.type}")

    def exchanged(i, pivots, order):
        zeros = [np.int32(0)] * last
        wide = lambda x: broadcast_in_dim(
            x, shape=order.shape, broadcast_dimensions=tuple(range(x.ndim)), sharding=None)
        places = iota(dtype=_i32, shape=order.shape, dimension=last, sharding=None)
        here = wide(i)
        pivot = dynamic_slice(pivots, *zeros, i, slice_sizes=(*batch, 1))
        is_negative = lt(pivot, full(pivot.shape, 0, _i32))
        length = full(pivot.shape, n, _i32) if isinstance(n, int) else broadcast_in_dim(
            as_number(n, _i32), shape=pivot.shape, broadcast_dimensions=(), sharding=None)
        pivot = select_n(is_negative, pivot, add(pivot, length))
        there, read = wide(pivot), wide(clamp(np.int32(0), pivot, as_number(n - 1, _i32)))
        at = lambda mask: wide(reshape(
            reduce_sum(select_n(mask, full(order.shape, 0, _i32), order), axes=(last,), out_sharding=None),
            new_sizes=(*batch, 1), dimensions=None, sharding=None))
        is_here = eq(places, here)
        moved = select_n(eq(places, there), select_n(is_here, order, at(eq(places, read))), at(is_here))
        return [add(i, np.int32(1)), moved]

    limit = w.number(k, number)
    start = w.constant(np.int32(0), number)
    return while_loop(
        w, [start, order], lambda values: w.compare("LT", values[0], limit),
        lambda values: w.written(exchanged, [values[0], pivots, values[1]]),
    )[1]


@_rule("lu_pivots_to_permutation")
def _(w, params, operands):
    return _permutation(w, operands[0], params["permutation_size"])


lower("lu_pivots_to_permutation")(
    lambda w, eqn, operands: _permutation(w, operands[0], eqn.params["permutation_size"])
)


def _reflected(w: Writer, x: Value):
    batch, n, m = _shape(x)
    return _call(w, "geqrf", [x], [(x.aval, True), (_like(x, *batch, min(n, m)), False)], "", [0])


_rule("geqrf")(lambda w, params, operands: _reflected(w, operands[0]))


def _orthogonal(w: Writer, reflectors: Value, taus: Value) -> Value:
    return _call(w, "orgqr", [reflectors, taus], [(reflectors.aval, True)], "", [0])[0]


_rule("householder_product")(lambda w, params, operands: _orthogonal(w, *operands))


@_rule("ormqr")
def _(w, params, operands):
    a, taus, c = operands
    k = taus.aval.shape[-1]
    (a,) = w.written(lambda a: [_columns(a, k)], [a])
    flags = ", ".join(f"{name} = {str(bool(params[name])).lower()}" for name in ("left", "transpose"))
    return _call(w, "ormqr", [a, taus, c], [(c.aval, True)], flags, [2], flags)


def _columns(x, k: int):
    """Return the first k columns."""
    return slice_(x, start_indices=(0,) * x.ndim, limit_indices=(*x.shape[:-1], k), strides=None)


@_rule("qr")
def _(w, params, operands):
    (x,) = operands
    batch, n, m = _shape(x)
    k = n if params["full_matrices"] else min(n, m)
    order = []
    if params["pivoting"]:
        start = w.splat(0, _like(x, *batch, m, dtype=_i32))
        packed, places, taus = _call(
            w, "geqp3", [x, start], [(x.aval, True), (start.aval, False), (_like(x, *batch, min(n, m)), False)],
            "", [0, 1], 'magma = "auto"',
        )
        order = w.written(lambda p: [sub(p, full(p.shape, 1, _i32))], [places])
    else:
        packed, taus = _reflected(w, x)

    def parts(packed):
        rows = slice_(packed, start_indices=(0,) * packed.ndim, limit_indices=(*batch, k, m), strides=None)
        wide = _columns(packed, min(m, k))
        config = ((0, 0, 0),) * (packed.ndim - 1) + ((0, k - min(m, k), 0),)
        return [pad(wide, np.zeros((), packed.dtype), padding_config=config), upper_part(rows)]

    reflectors, r = w.written(parts, [packed])
    return [_orthogonal(w, reflectors, taus), r, *order]


@_rule("cholesky_update")
def _(w, params, operands):
    """Rotations take the vector, row by row, into the factor: Golub and Van Loan, 6.5.4."""
    factor, vector = operands
    *batch, n = vector.aval.shape
    number, rank = ShapedArray((), _i32), len(batch)

    def rotated(k, r, v):
        zeros = [np.int32(0)] * rank
        row = dynamic_slice(r, *zeros, k, np.int32(0), slice_sizes=(*batch, 1, n))
        flat = reshape(row, new_sizes=(*batch, n), dimensions=None, sharding=None)
        at = lambda x: dynamic_slice(x, *zeros, k, slice_sizes=(*batch, 1))
        wide = lambda x: broadcast_in_dim(
            x, shape=v.shape, broadcast_dimensions=tuple(range(x.ndim)), sharding=None)
        a, b = at(flat), at(v)
        length = sqrt(add(mul(a, a), mul(b, b)), accuracy=None)
        none = eq(length, full(length.shape, 0, length.dtype))
        safe = select_n(none, length, full(length.shape, 1, length.dtype))
        c = wide(select_n(none, div(a, safe), full(a.shape, 1, a.dtype)))
        s = wide(select_n(none, div(b, safe), full(b.shape, 0, b.dtype)))
        new = add(mul(c, flat), mul(s, v))
        left = add(mul(c, v), neg(mul(s, flat)))
        new = reshape(new, new_sizes=row.shape, dimensions=None, sharding=None)
        return [add(k, np.int32(1)), dynamic_update_slice(r, new, *zeros, k, np.int32(0)), left]

    limit = w.constant(np.int32(n), number)
    out = while_loop(
        w, [w.constant(np.int32(0), number), factor, vector], lambda values: w.compare("LT", values[0], limit),
        lambda values: w.written(rotated, values),
    )[1]
    return w.written(lambda r: [upper_part(r)], [out])


@lower("symmetric_product")
def _(w, eqn, operands):
    alpha, beta = eqn.params["alpha"], eqn.params["beta"]

    def run(a, c):
        scaled = lambda x, factor: mul(x, full(x.shape, factor, x.dtype))
        out = scaled(product(a, swapped(a)), alpha)
        return [add(out, scaled(c, beta)) if beta else out]

    return _narrowed(w, w.written(run, _wide(w, operands)), eqn)


@_rule("tridiagonal_solve")
def _(w, params, operands):
    *diagonals, b = operands
    if params["perturb_singular"]:
        name = "cu_tridiagonal_solve_perturbed" if _is_cuda(w) else "tridiagonal_solve_perturbed_ffi"
        return _lapack(w, name, b.aval.ndim - 2, operands, [(b.aval, True)])
    batch = b.aval.shape[:-2]
    outs = [*[(d.aval, False) for d in diagonals], (b.aval, True), (_like(b, *batch, dtype=_i32), False)]
    if _is_cuda(w):
        return _lapack(w, "cusparse_gtsv2_ffi", len(batch), operands, [(b.aval, True)], "", [3])
    *_, x, info = _call(w, "gtsv", operands, outs, "", [0, 1, 2, 3])
    return _where_done(w, info, [x])


# ---- eigenvalues and singular values -------------------------------------------------------------


_EIGH_ALGORITHMS = {None: 0, EighImplementation.QR: 1, EighImplementation.JACOBI: 2}


@_rule("eigh")
def _(w, params, operands):
    (x,) = operands
    batch, n, _ = _shape(x)
    algorithm = params["algorithm"] or EighImplementation.QR
    if algorithm is EighImplementation.JACOBI and not _is_cuda(w):
        raise NotImplementedError("Jacobi implementation is not supported on CPU")
    if params["algorithm"] is EighImplementation.QDWH:
        raise NotImplementedError("QDWH implementation is only supported on TPU")
    if params.get("subset_by_index") not in (None, (0, n)):
        raise NotImplementedError("subset_by_index not supported on CPU and GPU")
    v, values, info = _call(
        w, "syevd", [x],
        [(x.aval, True), (_like(x, *batch, n, dtype=_real(x.aval.dtype)), False),
         (_like(x, *batch, dtype=_i32), False)],
        f"mode = {_letter('V')}, uplo = {_letter('L' if params['lower'] else 'U')}", [0],
        f"algorithm = {_EIGH_ALGORITHMS[params['algorithm']]} : ui8, lower = {str(params['lower']).lower()}",
    )
    return _where_done(w, info, [v, values])


_MAGMA = {EigImplementation.LAPACK: "off", EigImplementation.MAGMA: "on"}


@_rule("eig")
def _(w, params, operands):
    (x,) = operands
    batch, n, _ = _shape(x)
    if params["implementation"] not in (None, EigImplementation.LAPACK) and not _is_cuda(w):
        raise ValueError("Only the lapack implementation is supported on CPU.")
    wanted = params["compute_left_eigenvectors"], params["compute_right_eigenvectors"]
    is_complex = dtypes.issubdtype(x.aval.dtype, np.complexfloating)
    whole = np.promote_types(x.aval.dtype, np.complex64)
    values = [(_like(x, *batch, n), False)] * (1 if is_complex else 2)
    vectors = (_like(x, *batch, n, n, dtype=whole), True)
    outs = [*values, vectors, vectors, (_like(x, *batch, dtype=_i32), False)]
    if _is_cuda(w):  # on the host, which jaxlib's function does by itself
        flags = ", ".join(f"{side} = {str(on).lower()}" for side, on in zip(("left", "right"), wanted))
        magma = _MAGMA.get(params["implementation"], "auto")
        name = f"cuhybrid_eig_{'comp' if is_complex else 'real'}"
        found = _lapack(w, name, len(batch), [x], outs, f'{flags}, magma = "{magma}"')
    else:
        sides = zip(("left", "right"), wanted)
        flags = ", ".join(f"compute_{side} = {_letter('V' if on else 'N')}" for side, on in sides)
        found = _call(w, "geev", [x], outs, flags)
    *values, left, right, info = found
    if not is_complex:
        values = w.written(lambda re, im: [complex_(re, im)], values)
    return _where_done(w, info, [*values, *[v for v, on in zip((left, right), wanted) if on]])


@_rule("svd")
def _(w, params, operands):
    (x,) = operands
    batch, n, m = _shape(x)
    k, algorithm = lesser(n, m), params.get("algorithm")
    if algorithm in (SvdAlgorithm.JACOBI, SvdAlgorithm.POLAR) and not _is_cuda(w):
        raise NotImplementedError("The SVD Jacobi and Polar algorithms are not implemented on CPU.")
    if params.get("subset_by_index") not in (None, (0, k)):
        raise NotImplementedError("subset_by_index not implemented for CPU and GPU")
    some = params["compute_uv"] and not params["full_matrices"]
    if _is_cuda(w):
        return _svd_on_cuda(w, x, some, params["compute_uv"], algorithm)
    u, vt = ((n, k), (k, m)) if some else ((n, n), (m, m))
    mode = "S" if some else "A" if params["compute_uv"] else "N"
    outs = [
        (x.aval, True), (_like(x, *batch, k, dtype=_real(x.aval.dtype)), False), (_like(x, *batch, *u), True),
        (_like(x, *batch, *vt), True), (_like(x, *batch, dtype=_i32), False),
    ]
    name = "gesvd" if algorithm is SvdAlgorithm.QR else "gesdd"
    _, s, u, vt, info = _call(w, name, [x], outs, f"mode = {_letter(mode)}", [0])
    return _where_done(w, info, [s, u, vt] if params["compute_uv"] else [s])


_JACOBI_ROWS, _JACOBI_BATCHED = 1024, 32  # larger matrices are left to QR; small ones are done all at once


def _svd_on_cuda(w: Writer, x: Value, some: bool, with_vectors: bool, algorithm) -> list[Value]:
    """cuSOLVER's singular values and vectors: by rotations, by QR, or by polar decomposition.

    Its rotations give V where LAPACK gives its adjoint, and for a batch of small matrices all vectors.
    """
    batch, n, m = _shape(x)
    k = min(n, m)
    if algorithm in (None, SvdAlgorithm.DEFAULT):
        algorithm = SvdAlgorithm.JACOBI if max(n, m) <= _JACOBI_ROWS else SvdAlgorithm.QR
    name = {SvdAlgorithm.JACOBI: "gesvdj", SvdAlgorithm.POLAR: "gesvdp"}.get(algorithm, "gesvd")
    is_turned = name == "gesvd" and n < m  # it wants at least as many rows as columns
    if is_turned:
        (x,) = w.written(lambda x: [adjoint_of(x)], [x])
        n, m = m, n
    is_small = name == "gesvdj" and max(n, m) <= _JACOBI_BATCHED
    full = not some or is_small
    left, right = ((n, n), (m, m)) if full else ((n, k), (m, k))
    if name == "gesvd":
        right = right[::-1]
    flags = f"compute_uv = {str(with_vectors).lower()}, full_matrices = {str(full).lower()}"
    _, s, u, v, info = _lapack(
        w, f"cusolver_{name}_ffi", len(batch), [x],
        [(x.aval, True), (_like(x, *batch, k, dtype=_real(x.aval.dtype)), False), (_like(x, *batch, *left), True),
         (_like(x, *batch, *right), True), (_like(x, *batch, dtype=_i32), False)],
        flags + (", transposed = false" if name == "gesvd" else ""), [0],
    )
    if not with_vectors:
        return _where_done(w, info, [s])

    def parts(u, v):
        if some and full:
            u, v = _columns(u, k), _columns(v, k)
        if is_turned:
            return [adjoint_of(v), adjoint_of(u)]
        return [u, v if name == "gesvd" else adjoint_of(v)]

    u, vt = w.written(parts, [u, v])
    return _where_done(w, info, [s, u, vt])


@_rule("schur", on_cuda=False)
def _(w, params, operands):
    if params["sort_eig_vals"]:
        raise NotImplementedError("The sort feature of LAPACK's gees routine is not implemented.")
    (x,) = operands
    batch, n, _ = _shape(x)
    is_complex = dtypes.issubdtype(x.aval.dtype, np.complexfloating)
    values = [(_like(x, *batch, n), False)] * (1 if is_complex else 2)
    number = (_like(x, *batch, dtype=_i32), False)
    mode = _letter("V" if params["compute_schur_vectors"] else "N")
    t, z, *_, info = _call(
        w, "gees", [x], [(x.aval, True), (x.aval, True), *values, number, number],
        f"mode = {mode}, sort = {_letter('N')}", [0],
    )
    return _where_done(w, info, [t, z] if params["compute_schur_vectors"] else [t])


@_rule("hessenberg", on_cuda=False)
def _(w, params, operands):
    (x,) = operands
    batch, n, _ = _shape(x)
    if n == 1:
        return [x, w.splat(0, _like(x, *batch, 0))]
    packed, taus, info = _call(
        w, "gehrd", [x],
        [(x.aval, True), (_like(x, *batch, n - 1), False), (_like(x, *batch, dtype=_i32), False)],
        f"low = 1 : i32, high = {n} : i32", [0],
    )
    return _where_done(w, info, [packed, taus])


@_rule("tridiagonal")
def _(w, params, operands):
    (x,) = operands
    batch, n, _ = _shape(x)
    part = _real(x.aval.dtype)
    packed, d, e, taus, info = _call(
        w, "sytrd", [x],
        [(x.aval, True), (_like(x, *batch, n, dtype=part), False), (_like(x, *batch, n - 1, dtype=part), False),
         (_like(x, *batch, n - 1), False), (_like(x, *batch, dtype=_i32), False)],
        f"uplo = {_letter('L' if params['lower'] else 'U')}", [0], f"lower = {str(params['lower']).lower()}",
    )
    return _where_done(w, info, [packed, d, e, taus])
