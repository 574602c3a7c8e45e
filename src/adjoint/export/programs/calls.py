"""The meaning of calls by name: LAPACK's routines, checks of shapes, and others that JAX writes.

Tests: `tests/export/test_export.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import lax
from ...core import dtypes
from ..mlir.ir import Fields, Integer, Operation, Value
from .products import adjoint_of
from .program import UnsupportedOperation, aval_of_type, dtype_of_value, known, rule
from .shapes import lengths, windows

__all__ = ["TARGETS"]

TARGETS: dict[str, Callable] = {}  # (operation, config, *operands) -> results
linalg = lax.linalg


def target(*names: str):
    """Register what is called by a name."""

    def register(fun):
        TARGETS.update(dict.fromkeys(names, fun))
        return fun

    return register


def _lapack(*routines: str):
    """Register LAPACK's routines of every dtype."""
    return target(*[f"lapack_{letter}{name}_ffi" for name in routines for letter in "sdcz"])


@rule("custom_call")
def _(frame, op, *xs):
    name = op.attributes["call_target_name"]
    if name == "stablehlo.dynamic_reduce_window":
        return windows(frame, op, *xs)
    found = TARGETS.get(name)
    if found is None:
        raise UnsupportedOperation(
            f"The artifact calls {name!r}, a function of the platform for which it was exported, which is not known "
            "here."
        )
    if isinstance(op.said, Fields) and (shapes := op.said.get("indices_of_shape_operands")) is not None:
        xs = xs[: len(xs) - shapes.type.shape[0]]
        op = _with_shapes(frame, op, shapes.type.shape[0])
    config = op.attributes.get("backend_config")
    if not config and isinstance(op.said, Fields):
        config = op.said.get("mhlo.backend_config")
    return found(op, _Config(config), *xs)


def _with_shapes(frame, op: Operation, count: int) -> Operation:
    """Return the operation with the types that its last operands tell."""
    shapes = [lengths(frame.values[v], op) for v in op.operands[len(op.operands) - count :]]
    results = [Value(v.type._replace(shape=shape)) for v, shape in zip(op.results, shapes)]
    return Operation(op.name, op.operands, results, op.attributes, op.regions, op.said)


class _Config:
    """The words of a call."""

    def __init__(self, fields: Any):
        self.fields = fields if isinstance(fields, Fields) else Fields()

    def letter(self, name: str, default: str = "N") -> str:
        found = self.fields.get(name)
        return chr(found.value) if isinstance(found, Integer) else default

    def number(self, name: str, default: int = 0) -> int:
        found = self.fields.get(name)
        return found.value if isinstance(found, Integer) else default

    def flag(self, name: str) -> bool:
        found = self.fields.get(name)
        return bool(found.value if isinstance(found, Integer) else found)


def _done(op: Operation, i: int = -1):
    """Say that a routine succeeded: results that failed are NaN already."""
    aval = aval_of_type(op.results[i].type)
    return np.zeros(aval.shape, aval.dtype)


def _filled(op: Operation, i: int):
    """Space that a routine works in, which nothing reads afterwards."""
    aval = aval_of_type(op.results[i].type)
    return np.zeros(aval.shape, aval.dtype)


@_lapack("potrf")
def _(op, config, x):
    lower = config.letter("uplo", "L") == "L"
    factor = linalg.cholesky(x if lower else adjoint_of(x), symmetrize_input=False)
    return [factor if lower else adjoint_of(factor), _done(op)]


@_lapack("getrf")
def _(op, config, x):
    factors, pivots, _ = linalg.lu(x)
    return [factors, lax.add(pivots, np.int32(1)), _done(op)][: len(op.results)]


@_lapack("geqrf")
def _(op, config, x):
    return list(lax.geqrf_p.bind(x))


@_lapack("orgqr", "ungqr")
def _(op, config, x, taus):
    return [linalg.householder_product(x, taus)]


@_lapack("ormqr", "unmqr")
def _(op, config, a, taus, c):
    return [linalg.ormqr(a, taus, c, left=config.flag("left"), transpose=config.flag("transpose"))]



@_lapack("syevd", "heevd")
def _(op, config, x):
    lower = config.letter("uplo", "L") == "L"
    vectors, values = linalg.eigh(x, lower=lower, symmetrize_input=False, sort_eigenvalues=True)
    return [vectors, values, _done(op)]


@_lapack("gesdd", "gesvd")
def _(op, config, x):
    mode = config.letter("mode")
    if mode == "N":
        s = linalg.svd(x, compute_uv=False)
        return [x, s, _filled(op, 2), _filled(op, 3), _done(op)]
    u, s, vt = linalg.svd(x, full_matrices=mode == "A", compute_uv=True)
    return [x, s, u, vt, _done(op)]


@_lapack("geev")
def _(op, config, x):
    left, right = [config.letter(f"compute_{side}") == "V" for side in ("left", "right")]
    w, vl, vr = linalg.eig(x, compute_left_eigenvectors=True, compute_right_eigenvectors=True)
    is_complex = dtypes.issubdtype(dtype_of_value(x), np.complexfloating)
    values = [w] if is_complex else [lax.real(w), lax.imag(w)]
    n = len(values)
    return [*values, vl if left else _filled(op, n), vr if right else _filled(op, n + 1), _done(op)]


@_lapack("gees")
def _(op, config, x):
    wanted = config.letter("mode") == "V"
    t, z = linalg.schur(x, compute_schur_vectors=True)
    rest = [_filled(op, i) for i in range(2, len(op.results) - 1)]
    return [t, z if wanted else _filled(op, 1), *rest, _done(op)]


@_lapack("gehrd")
def _(op, config, x):
    return [*linalg.hessenberg(x), _done(op)]


@_lapack("sytrd", "hetrd")
def _(op, config, x):
    a, d, e, taus = linalg.tridiagonal(x, lower=config.letter("uplo", "L") == "L")
    return [a, d, e, taus, _done(op)]


@_lapack("gtsv")
def _(op, config, dl, d, du, b):
    return [dl, d, du, linalg.tridiagonal_solve(dl, d, du, b), _done(op)]


@_lapack("trsm")
def _(op, config, a, b):
    letter = config.letter
    trans = letter("trans_x")
    return [linalg.triangular_solve(
        a, b, left_side=letter("side", "L") == "L", lower=letter("uplo", "L") == "L", transpose_a=trans in "TC",
        conjugate_a=trans == "C", unit_diagonal=letter("diag") == "U")]


# ---- what JAX writes -------------------------------------------------------------------------------


@target("Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement", "LayoutConstraint")
def _(op, config, x):
    return [x]


@target("shape_assertion")
def _(op, config, holds, *values):
    if not known(holds):
        raise UnsupportedOperation("The artifact checks a shape that depends on values of arrays.")
    if not holds.all():
        text = str(op.attributes.get("error_message", op.said.get("error_message", "") if op.said else ""))
        for i, value in enumerate(values):
            text = text.replace(f"{{{i}}}", str(np.asarray(value)[()]))
        raise ValueError(text)
    return []


@target("stablehlo.dynamic_top_k", "mhlo.topk")
def _(op, config, x, *k):
    size = lengths(k[0], op)[0] if k else op.results[0].type.shape[-1]
    return list(lax.top_k(x, size))



@target("ApproxTopK")
def _(op, config, x, places, *starts):
    fields = _Config(op.said.get("mhlo.backend_config") if op.said else None)
    size = fields.number("top_k")
    axis = fields.number("reduction_dim")
    find = lax.approx_max_k if np.asarray(starts[0]) < 0 else lax.approx_min_k
    return list(find(x, size, axis))
