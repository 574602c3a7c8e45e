"""The extensions of the array API standard 2024.12: linear algebra and Fourier transforms, of stacks too.

NumPy 2 follows the standard here, so its results count, with dtype and shape. In an expression m is a stack of positive
definite matrices, g of tall ones and w of wide ones, v a vector; x is real and z complex.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.modes import refused

import adjoint
import adjoint.numpy as xp

REFUSED = (ValueError, TypeError, IndexError)
LINALG = """
la.det(m) ; la.inv(m) ; la.slogdet(m) ; la.slogdet(0 * m) ; la.solve(m, w) ; la.solve(m, v) ; la.eigvalsh(m)
la.svdvals(g) ; la.matrix_power(m, 0) ; la.matrix_power(m, 3) ; la.matrix_power(m, -2) ; la.matrix_transpose(g)
la.matmul(g, w) ; la.trace(g, dtype='complex128')
la.cholesky(m) ; la.cholesky(m, upper=True) ; la.pinv(g) ; la.pinv(w) ; la.pinv(g, rtol=.5) ; la.matrix_rank(g)
la.pinv(g, rtol=n.full(g.shape[:-2], .5, dtype=v.real.dtype)) ; la.diagonal(g, offset=-1) ; la.diagonal(g, offset=9)
la.trace(g) ; la.trace(w, offset=1) ; la.trace(g, offset=9) ; la.outer(v, v[:2]) ; la.cross(v, g) ; la.vecdot(g, v)
la.cross(w[..., :1], w[..., 1:], axis=-2) ; la.vecdot(g.mT, w, axis=-2) ; la.tensordot(g, v, axes=1)
la.tensordot(v, v, axes=0) ; la.tensordot(g, g, axes=((-1,), (-1,))) ; la.vector_norm(g, keepdims=True)
"""
ORDERS = "1 2 -1 -2 inf -inf".split()
NORMS = [f"la.matrix_norm(g, ord={o}, keepdims={k})" for o, k in product(["'fro'", "'nuc'", *ORDERS], (0, 1))]
NORMS += [f"la.vector_norm(g, ord={o}, axis={a})" for o, a in product(["3.5", ".5", "0", *ORDERS], (-2, (0, -1)))]
FOURIER = """
ft.fftshift(z) ; ft.ifftshift(x) ; ft.fftshift(x, axes=(0, 1)) ; ft.ifftshift(z, axes=1) ; ft.fftshift(x, axes=[-1])
ft.fftfreq(5, d=.1) ; ft.fftfreq(4) ; ft.rfftfreq(5, d=.1) ; ft.rfftfreq(4) ; ft.fftn(z, s=(-1, 6), axes=(0, 1))
ft.rfftn(x, s=(2, -1), axes=(0, 1)) ; ft.ifftn(z, s=(-1, -1), axes=(-1, 0))
"""
TRANSFORMS = [
    f"ft.{name}({operand}, {argument}={lengths}, {axis}={axes}, norm='{norm}')" for names, argument, axis, places in (
        ("fft z ifft z rfft x irfft z hfft z ihfft x", "n", "axis", [(None, -1), (3, 0), (8, -2)]),
        ("fftn z ifftn z rfftn x irfftn z", "s", "axes", [(None, None), (None, (0, 1)), ((2, 6), (0, -1)), ([3], [1])]))
    for name, operand in zip(names.split()[::2], names.split()[1::2])
    for (lengths, axes), norm in zip(places * 3, ["backward", "ortho", "forward"] * len(places))]


def rows(text: str) -> list[str]:
    return [row for line in text.strip().split("\n") for row in line.split(" ; ")]


def evaluate(n, row, operands):
    names = {"n": n, "la": n.linalg, "ft": n.fft, "inf": np.inf, **{k: n.asarray(x) for k, x in operands.items()}}
    return eval(row, names)


def results(n, row, operands) -> list[np.ndarray]:
    out = evaluate(n, row, operands)
    return [np.asarray(part) for part in (out if isinstance(out, tuple) else [out])]


def compare(expressions, operands):
    with adjoint.enable_x64(True), np.errstate(all="ignore"):
        for row in expressions:
            if refused(lambda m, row=row: evaluate(m.numpy, row, operands)):
                continue
            for theirs, ours in zip(results(np, row, operands), results(xp, row, operands), strict=True):
                assert (theirs.shape, theirs.dtype) == (ours.shape, ours.dtype), row
                np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=2e-4, err_msg=row)


def numbers(shape, dtype):
    random = np.random.default_rng(7)
    x = random.normal(size=shape)
    return (x + 1j * random.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def matrices(stack, dtype):
    g = numbers((*stack, 4, 3), dtype)
    m = np.conj(np.swapaxes(g, -1, -2)) @ g + 2 * np.eye(3, dtype=dtype)
    return dict(m=m, g=g, w=numbers((*stack, 3, 4), dtype), v=numbers((3,), dtype))


STACKS = pytest.mark.parametrize("stack", [(), (2,), (2, 1)], ids=str)
INEXACT = pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])


@STACKS
@INEXACT
def test_linear_algebra(stack, dtype):
    compare(rows(LINALG) + (NORMS if stack == (2,) else []), matrices(stack, dtype))


@STACKS
@INEXACT
def test_factorizations(stack, dtype):
    """Their shapes and dtypes are NumPy's, and their product is the matrix."""
    operands = matrices(stack, dtype)
    forms = {f"la.svd({x}, full_matrices={full})": x for x, full in product("gw", (True, False))}
    forms |= {f"la.qr({x}, mode='{mode}')": x for x, mode in product("gw", ("reduced", "complete"))}
    with adjoint.enable_x64(True):
        for row, name in {**forms, "la.eigh(m)": "m"}.items():
            theirs, ours = results(np, row, operands), results(xp, row, operands)
            assert [(x.shape, x.dtype) for x in theirs] == [(x.shape, x.dtype) for x in ours], row
            if "qr" in row:
                again = ours[0] @ ours[1]
            elif "svd" in row:
                u, s, vh = ours
                again = (u[..., :3] * s[..., None, :]) @ vh[..., :3, :]
                np.testing.assert_allclose(s, theirs[1], rtol=1e-4)
            else:
                again = (ours[1] * ours[0][..., None, :]) @ np.conj(np.swapaxes(ours[1], -1, -2))
            np.testing.assert_allclose(again, operands[name], rtol=1e-3, atol=1e-4, err_msg=row)
            q = ours[-1] if "eigh" in row else ours[0]
            unit = np.conj(np.swapaxes(q, -1, -2)) @ q
            np.testing.assert_allclose(unit, np.broadcast_to(np.eye(q.shape[-1]), unit.shape), atol=1e-4)


@pytest.mark.parametrize("width", ["float32", "float64"])
def test_fourier_transforms(width):
    pair = {"float32": "complex64", "float64": "complex128"}[width]
    compare(rows(FOURIER) + TRANSFORMS, dict(x=numbers((3, 4, 5), width), z=numbers((3, 4, 5), pair)))
    with adjoint.enable_x64(True):
        for frequencies in (xp.fft.fftfreq, xp.fft.rfftfreq):
            assert width == frequencies(5, d=0.1, dtype=getattr(xp, width), device=None).dtype.name
        np.testing.assert_allclose(xp.fft.irfftn(xp.ones((3, 4), dtype=pair), s=(-1, -1), axes=(0, 1)),
                                   np.fft.irfftn(np.ones((3, 4), pair)), atol=1e-6)


def test_shapes_of_solutions():
    """A vector on the right is one only if it has one axis."""
    for a, b, shape in (((4, 3, 3), (3,), (4, 3)), ((3, 3), (2, 3, 1), (2, 3, 1)), ((0, 0), (0, 2), (0, 2)),
                        ((4, 1, 3, 3), (2, 3, 1), (4, 2, 3, 1)), ((2, 3, 3), (3, 3), (2, 3, 3))):
        assert shape == xp.linalg.solve(xp.broadcast_to(xp.eye(a[-1]), a), xp.ones(b)).shape
    none = xp.ones((0, 0))
    assert 1 == xp.linalg.det(none) and (0, 0) == xp.linalg.inv(none).shape == xp.linalg.cholesky(none).shape


def test_refused():
    for call in (lambda la: la.cross(xp.ones((3, 1)), xp.ones((3, 3))), lambda la: la.cross(xp.ones(2), xp.ones(2)),
                 lambda la: la.vecdot(xp.ones(2), xp.ones(3)), lambda la: la.vecdot(xp.ones(()), xp.ones(())),
                 lambda la: la.outer(xp.ones((2, 2)), xp.ones(2)), lambda la: la.matrix_transpose(xp.ones(2)),
                 lambda la: la.inv(xp.ones((2, 3))), lambda la: la.solve(xp.ones((2, 3)), xp.ones(2)),
                 lambda la: la.matrix_norm(xp.ones(2)), lambda la: la.diagonal(xp.ones(2))):
        with pytest.raises(REFUSED):
            call(xp.linalg)
