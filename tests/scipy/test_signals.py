"""`adjoint.scipy`'s `signal`, `fft`, `ndimage`, `interpolate`, `spatial`, `cluster` and `integrate` beside JAX."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from tests.linalg import oracle
from tests.modes import compiling
from tests.recorded import jax
from tests.streams import stream

import adjoint

RNG = stream(3)
X, Y, I = RNG.normal(size=7), RNG.normal(size=4), RNG.normal(size=(4, 5))
K, Z, LONG = RNG.normal(size=(2, 3)), RNG.normal(size=5) + 1j * RNG.normal(size=5), RNG.normal(size=(2, 40))
G = lambda m: m.scipy.signal
R = lambda m: m.scipy.spatial.transform.Rotation


def _as_trees(m, values, fill):
    """Interpolators as arguments and results of transformations."""
    interpolator = m.scipy.interpolate.RegularGridInterpolator
    made = m.vmap(lambda v: interpolator(GRID, v, fill_value=fill))(m.numpy.stack([values, 2 * values]))
    doubled = m.tree.map(lambda x: 2 * x, interpolator(GRID, values, "nearest", fill_value=fill))
    return m.vmap(lambda f: f(Q))(made), m.tree.leaves(made), m.jit(lambda f: f(Q))(doubled)


SIGNAL = [
    *[(f"{f} {mode}", lambda m, x, f=f, k=mode: [getattr(G(m), f)(x, Y, k), getattr(G(m), f)(Y, x, k)], X)
      for f in ("convolve", "correlate", "fftconvolve") for mode in ("full", "same", "valid")],
    *[(f"{f} {mode}", lambda m, x, f=f, k=mode: [getattr(G(m), f)(x, K, k), getattr(G(m), f)(K, x, k),
                                                 getattr(G(m), f)(x, K[:, :2], k)], I)
      for f in ("convolve2d", "correlate2d") for mode in ("full", "same", "valid")],
    ("convolve complex", lambda m, x: [G(m).correlate(x, Z[:2]), G(m).convolve(x, X, method="fft")], Z),
    ("fftconvolve of an axis", lambda m, x: G(m).fftconvolve(x, I[:, :2], axes=1), I),
    *[(f"detrend {kw}", lambda m, x, kw=kw: G(m).detrend(x, **kw), I)
      for kw in (dict(), dict(axis=0, bp=2), dict(type="constant"), dict(bp=np.array([1, 3])))],
    *[(f"stft {kw}", lambda m, x, kw=kw: G(m).stft(x, 2.0, nperseg=8, **kw), LONG)
      for kw in (dict(), dict(boundary=None, padded=False, detrend="linear"), dict(return_onesided=False, nfft=10),
                 dict(boundary="even", noverlap=2), dict(boundary="odd", window=("tukey", 0.5)),
                 dict(boundary="constant"))],
    ("stft axis", lambda m, x: G(m).stft(x.T, nperseg=8, axis=0), LONG),
    *[(f"istft {kw}", lambda m, x, kw=kw: G(m).istft(m.numpy.fft.rfft(x.reshape(2, 5, 8), axis=1), 2.0, **kw), LONG)
      for kw in (dict(), dict(noverlap=1, boundary=False), dict(input_onesided=False), dict(nfft=6, nperseg=4))],
    ("istft axes", lambda m, x: G(m).istft(x.reshape(2, 5, 8), time_axis=0, freq_axis=1), LONG),
    *[(f"welch {kw}", lambda m, x, kw=kw: G(m).welch(x, 2.0, nperseg=8, **kw), LONG)
      for kw in (dict(), dict(average="median"), dict(scaling="spectrum", detrend=False), dict(noverlap=0,
          return_onesided=False), dict(nfft=9))],
    *[(f"csd {kw}", lambda m, x, kw=kw, n=n: G(m).csd(x, LONG[:1, :n] + 1, nperseg=8, **kw), LONG)
      for n, kw in ((30, dict()), (40, dict(scaling="spectrum")))],
    # Of a signal and itself the imaginary parts are rounding noise around 0, and so would be their median's derivative.
    ("csd median", lambda m, x: G(m).csd(x, np.cos(np.arange(40.0))[None], nperseg=8, average="median"), LONG),
    ("csd axis", lambda m, x: G(m).csd(x.T, None, nperseg=8, axis=0), LONG),
]
FFT = [
    *[(f"{f} {kw}", lambda m, x, f=f, kw=kw: getattr(m.scipy.fft, f)(x, **kw), I)
      for f in ("dct", "idct") for kw in (dict(), dict(norm="ortho", axis=0), dict(n=3), dict(n=8, axis=0))],
    *[(f"{f} {kw}", lambda m, x, f=f, kw=kw: getattr(m.scipy.fft, f)(x, **kw), I)
      for f in ("dctn", "idctn") for kw in (dict(norm="ortho"), dict(s=[3]), dict(s=(6, 3), axes=(1, 0)))],
    *[(f"{f} of complex numbers", lambda m, x, f=f: getattr(m.scipy.fft, f)(x * (1 + 0.5j) + 1j), I)
      for f in ("dct", "idct", "dctn", "idctn")],
]
AT = np.stack([np.array([-2.6, -1.5, -0.6, 0.3, 1.4, 2.6, 3.7, 7.2]), np.array([0.2, -1, 3.6, 4.2, -0.6, 1.7, -3.2,
    9.9])])
GRID = np.array([1.0, 2, 4, 5]), np.array([0.0, 1, 2, 5, 7])
Q = np.array([[1.5, 0.5], [5, 7], [1, 0], [1, 8], [2.9, 1.7], [0.5, 1]])
WHOLE = [
    *[(f"map_coordinates of whole numbers, {mode} {order}",
       lambda m, x, k=mode, o=order: m.scipy.ndimage.map_coordinates(np.arange(-6, 6).reshape(3, 4), x, o, k), P)
      for mode in ("constant", "nearest", "mirror", "reflect", "wrap") for order in (0, 1)
      for P in (np.array([[-5, -2, 0, 1, 2, 3], [3, 2, 1, 0, -1, -7]]),
                np.array([[-2.5, -0.5, 0.5, 1.5, 2.5, 3.5], [0.5, 1.5, 2.5, 3.5, 0, 1]]))],
]
GRIDS = [
    *[(f"map_coordinates {mode} {order}",
       lambda m, x, k=mode, o=order: m.scipy.ndimage.map_coordinates(x, list(AT), o, k, cval=1.5), I)
      for mode in ("constant", "nearest", "mirror", "reflect", "wrap") for order in (0, 1)],
    ("map_coordinates of lists", lambda m, x: m.scipy.ndimage.map_coordinates(x, [[0, 1], [1, 2]], 1), I),
    ("map_coordinates by coordinates", lambda m, x: m.scipy.ndimage.map_coordinates(I, x, 1), AT[:, 3:5]),
    *[(f"RegularGridInterpolator {how} {fill}",
       lambda m, x, h=how, f=fill: m.scipy.interpolate.RegularGridInterpolator(GRID, x, h, fill_value=f)(Q), I)
      for how in ("linear", "nearest") for fill in (np.nan, None, 1.0)],
    ("RegularGridInterpolator of vectors",
     lambda m, x: m.scipy.interpolate.RegularGridInterpolator(GRID[:1], I)((x, ), "linear"), np.array([1.5, 2.2])),
    ("RegularGridInterpolator of a tuple",
     lambda m, x: m.scipy.interpolate.RegularGridInterpolator(GRID, I)((x, 0.5)), np.array([[1.5, 2.2]])),
    *[(f"RegularGridInterpolator as a tree {f}", lambda m, x, f=f: _as_trees(m, x, f), I) for f in (None, 1.0)],
    ("vq", lambda m, x: m.scipy.cluster.vq.vq(x, K[:, :2]), I[:, :2]),
    ("vq of scalars", lambda m, x: m.scipy.cluster.vq.vq(x, Y), X),
    ("trapezoid", lambda m, x: m.scipy.integrate.trapezoid(x, Y, axis=0), I),
]
quats, vectors = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 3))
ROTATIONS = [
    *[(f"as_{f}", lambda m, x, f=f: getattr(R(m).from_quat(x), f"as_{f}")(), quats)
      for f in ("matrix", "rotvec", "mrp", "quat")],
    *[(f"as_euler {seq}", lambda m, x, s=seq: R(m).from_quat(x).as_euler(s, degrees=True), quats)
      for seq in ("xyz", "ZXZ", "zyx", "YXZ", "zxz")],
    *[(f"from_{f}", lambda m, x, f=f: getattr(R(m), f"from_{f}")(x).as_quat(), vectors) for f in ("rotvec", "mrp")],
    *[(f"from_euler {s}", lambda m, x, s=s: R(m).from_euler(s, x[..., : len(s)], True), vectors)
      for s in ("xyz", "ZYX", "zx")],
    *[(f"{f} of a list", lambda m, x, f=f: getattr(R(m), f)(list(x)).as_quat(), vectors)
      for f in ("from_rotvec", "from_mrp")],
    ("from_quat of a list", lambda m, x: R(m).from_quat(list(x)).apply([0, 0, 1]), quats),
    ("from_matrix of a list", lambda m, x: R(m).from_matrix(list(R(m).from_quat(x).as_matrix())).as_quat(), quats),
    ("Slerp of lists", lambda m, x: m.scipy.spatial.transform.Slerp.init(
        list(range(len(x))), R(m).from_quat(x))([0, 0.5, 1]).as_quat(), quats),
    ("from_euler of one axis", lambda m, x: R(m).from_euler("y", x[:, None]), X),
    ("from_matrix", lambda m, x: R(m).from_matrix(R(m).from_quat(x).as_matrix()), quats),
    ("apply", lambda m, x: [R(m).from_quat(x).apply(vectors), R(m).from_quat(x[0]).apply(vectors, inverse=True)],
        quats),
    ("members", lambda m, x: [
        (R(m).from_quat(x) * R(m).from_quat(quats[0])).inv(), R(m).from_quat(x).magnitude(), R(m).from_quat(x)[1],
        R(m).from_quat(x).as_quat(True, True), R(m).concatenate([R(m).from_quat(x)] * 2),
            R(m).from_quat(x[0]).magnitude(),
    ], quats),
    ("mean", lambda m, x: R(m).from_quat(x).mean(np.array([1.0, 2, 3])).as_matrix(), quats),
    ("Slerp", lambda m, x: m.scipy.spatial.transform.Slerp.init(np.array([0.0, 1, 3]), R(m).from_quat(x))(
        np.array([0.5, 1.0, 2.5, 0.0, 3.0])), quats),
    ("Slerp at a time", lambda m, x: m.scipy.spatial.transform.Slerp.init(
        np.array([0.0, 1, 3]), R(m).from_quat(quats))(x[0]), np.array([0.3])),
]


def test_values():
    oracle.compare(oracle.value, [*SIGNAL, *FFT, *WHOLE, *GRIDS, *ROTATIONS], 1e-8)


def test_cotangents():
    oracle.check_cotangents([*SIGNAL, *FFT, *GRIDS, *ROTATIONS])


def test_integers_are_rounded():
    image = np.arange(12).reshape(3, 4)
    for dtype in (np.int32, np.uint8, np.float16, bool):
        outs = [np.asarray(m.scipy.ndimage.map_coordinates(image.astype(dtype), list(AT), 1, "nearest"))
                for m in (jax, oracle.adjoint)]
        np.testing.assert_array_equal(*outs)


@pytest.mark.parametrize("call", [
    lambda m: G(m).convolve(X, Y, "foo"), lambda m: G(m).convolve(X, Y, method="foo"), lambda m: G(m).convolve(X, I),
    lambda m: G(m).convolve(I, K.T[:, :1].repeat(6, 1)), lambda m: G(m).convolve2d(I, K, boundary="wrap"),
    lambda m: G(m).correlate2d(X, X), lambda m: G(m).convolve(X[:0], Y), lambda m: G(m).fftconvolve(X, I),
    lambda m: G(m).fftconvolve(I, K, axes=1), lambda m: G(m).fftconvolve(X, Y, "foo"), lambda m: G(m).detrend(X, bp=9),
    lambda m: G(m).detrend(X, type="foo"), lambda m: G(m).detrend(X, overwrite_data=True),
    lambda m: G(m).stft(LONG, nperseg=8, noverlap=8), lambda m: G(m).stft(LONG, nperseg=8, nfft=4),
    lambda m: G(m).stft(LONG, nperseg=8, boundary="foo"), lambda m: G(m).stft(LONG, nperseg=0),
    lambda m: G(m).welch(LONG, nperseg=8, scaling="foo"), lambda m: G(m).welch(LONG, nperseg=8, average="foo"),
    lambda m: G(m).csd(LONG, np.ones((3, 40)), nperseg=8), lambda m: G(m).istft(X), lambda m: G(m).istft(I,
        nperseg=9, nfft=8),
    lambda m: G(m).istft(I, window=np.ones(3)), lambda m: m.scipy.fft.dct(X, 3),
    lambda m: m.scipy.ndimage.map_coordinates(I, [X], 1), lambda m: m.scipy.ndimage.map_coordinates(I, [X, X], 2),
    lambda m: m.scipy.interpolate.RegularGridInterpolator(GRID, I, "cubic"),
    lambda m: m.scipy.interpolate.RegularGridInterpolator(GRID, I, bounds_error=True),
    lambda m: m.scipy.interpolate.RegularGridInterpolator(GRID * 2, I),
    lambda m: m.scipy.interpolate.RegularGridInterpolator(GRID, I)(np.ones((2, 3))),
    lambda m: m.scipy.cluster.vq.vq(I, X), lambda m: R(m).from_quat(quats).as_euler("xx"),
    lambda m: R(m).from_quat(quats).as_euler("xYz"), lambda m: R(m).from_quat(quats).as_euler("xxz"),
    lambda m: len(R(m).from_quat(quats[0])), lambda m: R(m).from_quat(quats[0])[0],
    lambda m: R(m).from_quat(quats).mean(np.ones(2)), lambda m: R(m).from_euler("xyzx", X),
    lambda m: m.scipy.spatial.transform.Slerp.init(np.arange(2.0), R(m).from_quat(quats)),
])
def test_errors(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        oracle.same_errors(call)


@pytest.mark.parametrize("name", ["dct", "idct", "dctn", "idctn"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_cosine_transforms_of_half_precision_are_single(name, dtype):
    x = adjoint.numpy.asarray(I, dtype)
    out = getattr(adjoint.scipy.fft, name)(x)
    assert out.dtype == np.float32
    np.testing.assert_array_equal(out, getattr(adjoint.scipy.fft, name)(x.astype("float32")))


def test_codes_and_observations_are_of_one_dtype():
    points = np.ones((2, 3))
    for m in jax, adjoint:
        found = lambda a, b, m=m: m.scipy.cluster.vq.vq(m.numpy.array(points, a), m.numpy.array(points, b))[1].dtype
        assert found("float16", "uint8") == "float16"
        with m.numpy_dtype_promotion("strict"), pytest.raises(m.dtypes.TypePromotionError):
            found("float32", "int32")
        with m.enable_x64(True):
            assert found("float32", "uint64") == "float32"


@compiling
@pytest.mark.parametrize("name", ["dctn", "idctn"])
def test_a_transform_over_no_axes_is_the_operand(name):
    for m in jax, adjoint:
        transform = getattr(m.scipy.fft, name)
        assert transform(m.numpy.float16(3)).dtype == "float16"
        assert transform(m.numpy.ones((2, 2), "int8"), axes=()).dtype == "int8"
        with pytest.raises(m.errors.TracerIntegerConversionError):
            m.jit(lambda a, transform=transform: transform(np.ones(2), axes=a))(0)


@pytest.mark.parametrize("name", ["csd", "welch"])
def test_spectra_of_nothing_and_along_axes_that_are_not_there(name):
    signal = adjoint.scipy.signal
    function = getattr(signal, name) if name == "welch" else lambda x, **options: signal.csd(x, x, **options)
    for dtype in "float16", "float32", "int8", "complex64":
        frequencies, out = function(adjoint.numpy.ones(0, dtype))
        assert (frequencies.dtype, out.dtype) == ("float32", "complex64" if name == "csd" else "float32")
        with adjoint.enable_x64(True):
            assert function(adjoint.numpy.ones(0, dtype))[0].dtype == "float32"
    for x in adjoint.numpy.ones(8), adjoint.numpy.ones(0):
        for axis in 1, -5:
            with pytest.raises(ValueError, match="out of bounds"):
                function(x, axis=axis)
