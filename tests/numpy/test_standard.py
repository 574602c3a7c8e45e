"""The array API standard, 2024.12: its names, how they may be called, the members of arrays, inspection, promotion."""

from __future__ import annotations

import math
import operator
from importlib import import_module
from inspect import Parameter, signature
from itertools import product

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.numpy as xp

SIGNATURES = {
    "": """
arange: start, /, stop=None, step=1, *, dtype=None, device=None
asarray: obj, /, *, dtype=None, device=None, copy=None
empty ones zeros: shape, *, dtype=None, device=None
empty_like ones_like zeros_like: x, /, *, dtype=None, device=None
eye: n_rows, n_cols=None, /, *, k=0, dtype=None, device=None
from_dlpack: x, /, *, device=None, copy=None
full: shape, fill_value, *, dtype=None, device=None
full_like: x, /, fill_value, *, dtype=None, device=None
linspace: start, stop, /, num, *, dtype=None, device=None, endpoint=True
meshgrid: *arrays, indexing='xy'
tril triu: x, /, *, k=0
astype: x, dtype, /, *, copy=True, device=None
can_cast: from_, to, /
finfo iinfo: type, /
isdtype: dtype, kind
result_type: *arrays_and_dtypes
abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite isinf isnan log
  log1p log2 log10 logical_not negative positive real reciprocal round sign signbit sin sinh square sqrt tan tanh
  trunc matrix_transpose nonzero unique_all unique_counts unique_inverse unique_values: x, /
add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal
  floor_divide greater greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor maximum
  minimum multiply nextafter not_equal pow remainder subtract matmul: x1, x2, /
clip: x, /, min=None, max=None
take: x, indices, /, *, axis=None
take_along_axis: x, indices, /, *, axis=-1
tensordot: x1, x2, /, *, axes=2
vecdot: x1, x2, /, *, axis=-1
broadcast_arrays: *arrays
broadcast_to: x, /, shape
concat stack: arrays, /, *, axis=0
expand_dims squeeze: x, /, axis
flip: x, /, *, axis=None
moveaxis: x, source, destination, /
permute_dims: x, /, axes
repeat: x, repeats, /, *, axis=None
reshape: x, /, shape, *, copy=None
roll: x, /, shift, *, axis=None
tile: x, repetitions, /
unstack: x, /, *, axis=0
argmax argmin count_nonzero max mean min all any: x, /, *, axis=None, keepdims=False
searchsorted: x1, x2, /, *, side='left', sorter=None
where: condition, x1, x2, /
argsort sort: x, /, *, axis=-1, descending=False, stable=True
cumulative_prod cumulative_sum: x, /, *, axis=None, dtype=None, include_initial=False
prod sum: x, /, *, axis=None, dtype=None, keepdims=False
std var: x, /, *, axis=None, correction=0.0, keepdims=False
diff: x, /, *, axis=-1, n=1, prepend=None, append=None
__array_namespace_info__:
""",
    "linalg": """
cholesky: x, /, *, upper=False
cross vecdot: x1, x2, /, *, axis=-1
det eigh eigvalsh inv matrix_transpose slogdet svdvals: x, /
diagonal: x, /, *, offset=0
matmul outer solve: x1, x2, /
matrix_norm: x, /, *, keepdims=False, ord='fro'
matrix_power: x, n, /
matrix_rank pinv: x, /, *, rtol=None
qr: x, /, *, mode='reduced'
svd: x, /, *, full_matrices=True
tensordot: x1, x2, /, *, axes=2
trace: x, /, *, offset=0, dtype=None
vector_norm: x, /, *, axis=None, keepdims=False, ord=2
""",
    "fft": """
fft ifft rfft irfft hfft ihfft: x, /, *, n=None, axis=-1, norm='backward'
fftn ifftn rfftn irfftn: x, /, *, s=None, axes=None, norm='backward'
fftfreq rfftfreq: n, /, *, d=1.0, dtype=None, device=None
fftshift ifftshift: x, /, *, axes=None
""",
}

MEMBERS = """
__abs__ __add__ __and__ __array_namespace__ __bool__ __complex__ __dlpack__ __dlpack_device__ __eq__ __float__
__floordiv__ __ge__ __getitem__ __gt__ __index__ __int__ __invert__ __le__ __lshift__ __lt__ __matmul__ __mod__
__mul__ __ne__ __neg__ __or__ __pos__ __pow__ __rshift__ __setitem__ __sub__ __truediv__ __xor__ to_device dtype
device mT ndim shape size T __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rpow__ __rmod__ __rmatmul__
__rand__ __ror__ __rxor__ __rlshift__ __rrshift__
"""

KINDS = {
    "bool": ["bool"], "signed integer": ["int8", "int16", "int32", "int64"],
    "unsigned integer": ["uint8", "uint16", "uint32", "uint64"], "real floating": ["float32", "float64"],
    "complex floating": ["complex64", "complex128"],
}
KINDS["integral"] = KINDS["signed integer"] + KINDS["unsigned integer"]
KINDS["numeric"] = KINDS["integral"] + KINDS["real floating"] + KINDS["complex floating"]
DTYPES = ["bool", *KINDS["numeric"]]


def functions():
    for module, text in SIGNATURES.items():
        home = import_module("adjoint.numpy" + ("." + module if module else ""))
        for line in text.replace("\n  ", " ").strip().split("\n"):
            names, _, parameters = line.partition(":")
            for name in names.split():
                yield name, getattr(home, name), eval(f"lambda {parameters}: None")


def test_functions_can_be_called_as_in_the_standard():
    """By position, by name, and with the same defaults, which None stands for here and there."""
    for name, ours, standard in functions():
        theirs, own = signature(standard).parameters.values(), signature(ours)
        by_position = [p for p in theirs if p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
        by_name = {p.name: 0 for p in theirs if p.kind is Parameter.KEYWORD_ONLY}
        own.bind(*by_position, **by_name)
        first = [p for p in by_position if p.kind is Parameter.POSITIONAL_ONLY]
        own.bind(*first, **by_name, **{p.name: 0 for p in by_position[len(first):]})
        own.bind(*[p for p in by_position if p.default is p.empty])
        for p in theirs:
            default = own.parameters[p.name].default if p.name in own.parameters else p.default
            assert p.default is p.empty or default in (p.default, None) or name == "astype", (name, p.name)


def test_names():
    for constant in ("e", "pi", "inf"):
        assert getattr(math, constant) == getattr(xp, constant) and type(getattr(xp, constant)) is float
    assert math.isnan(xp.nan) and xp.newaxis is None
    assert [n for n in DTYPES if np.dtype(getattr(xp, n)) != n] == []
    x = xp.ones((2, 2))
    assert [n for n in MEMBERS.split() if not hasattr(type(x), n) and not hasattr(x, n)] == []
    assert "2024.12" == xp.__array_api_version__
    assert xp is x.__array_namespace__() is x.__array_namespace__(api_version="2024.12")
    with pytest.raises(ValueError, match="not available"):
        x.__array_namespace__(api_version="2020.1")


def test_inspection():
    theirs = jax.numpy.__array_namespace_info__()
    ours = xp.__array_namespace_info__()
    assert theirs.capabilities() == ours.capabilities() and theirs.default_dtypes() == ours.default_dtypes()
    assert ours.default_device() is None and ours.devices() == [None, *adjoint.devices()]
    assert all(xp.ones(2, device=d).shape == (2,) for d in ours.devices())
    for wide in (False, True):
        with adjoint.enable_x64(wide):
            narrow = {n for n in DTYPES if wide or n not in ("int64", "uint64", "float64", "complex128")}
            union = {None: DTYPES, ("bool", "integral"): ["bool", *KINDS["integral"]], (): []}
            for kind, names in {**KINDS, **union}.items():
                found = ours.dtypes(kind=kind, device=None)
                assert {n: np.dtype(n) for n in names if n in narrow} == found
            bits = 64 if wide else 32
            defaults = {"real floating": f"float{bits}", "complex floating": f"complex{2 * bits}",
                        "integral": f"int{bits}", "indexing": f"int{bits}"}
            assert defaults == {k: d.name for k, d in ours.default_dtypes(device=None).items()}
    with pytest.raises(KeyError):
        ours.dtypes(kind="x")


# ---- dtypes --------------------------------------------------------------------------------------


def promoted(a: str, b: str) -> str | None:
    """The standard's tables, which are NumPy's; None where there is no entry."""
    kinds = {np.dtype(a).kind, np.dtype(b).kind}
    if len(kinds) == 1 or kinds == {"f", "c"} or (kinds == {"i", "u"} and "uint64" not in (a, b)):
        return np.promote_types(a, b).name
    return None


def test_promotion_of_arrays():
    """Of dtypes, of arrays of any number of axes, and where functions take several arrays."""
    with adjoint.enable_x64(True):
        for a, b in product(DTYPES, DTYPES):
            if (expected := promoted(a, b)) is None:
                continue
            x, y, point = xp.ones(2, dtype=a), xp.ones((1, 2), dtype=b), xp.ones((), dtype=b)
            found = [xp.result_type(getattr(xp, a), xp.dtype(b)), xp.result_type(x, xp.dtype(b))]
            for z in (y, point):
                found += [xp.where(xp.array(True), x, z).dtype, xp.multiply(x, z).dtype, (x * z).dtype]
            found += [xp.concat([x, y[0]]).dtype, xp.stack([x, y[0]]).dtype, xp.matmul(x, y.T).dtype]
            assert {expected} == {d.name for d in found}, (a, b)
        assert "int32" == xp.result_type(xp.int8, xp.uint16, xp.int16) == xp.result_type(xp.uint16, xp.int16, xp.int8)


SCALARS = {"bool": [True], "int": [1], "uint": [1], "float": [1, 1.0], "complex": [1, 1.0, 1j]}
OPERATORS = {"bool": "and_ or_ xor", "int": "add sub mul floordiv mod pow and_ or_ xor lshift rshift",
             "float": "add sub mul truediv floordiv mod pow", "complex": "add sub mul truediv pow"}
OPERATORS["uint"] = OPERATORS["int"]


def test_promotion_of_scalars():
    """A Python scalar takes the dtype of the array beside it; complex ones make a real array complex."""
    with adjoint.enable_x64(True):
        for dtype in DTYPES:
            kind, x = dtype.rstrip("0123456789"), xp.ones(2, dtype=dtype)
            for scalar, name in product(SCALARS[kind], OPERATORS[kind].split()):
                op = getattr(operator, name)
                assert {dtype} == {op(x, scalar).dtype.name, op(scalar, x).dtype.name}, (dtype, scalar, name)
            assert {dtype} == {d.name for s in SCALARS[kind] for d in (
                xp.result_type(x, s), xp.where(x == x, x, s).dtype, xp.where(x == x, s, x).dtype)}
        assert "complex64" == (xp.ones(2, dtype=xp.float32) * 1j).dtype.name
        assert "complex128" == (1j + xp.ones(2, dtype=xp.float64)).dtype.name


def test_dtype_functions():
    with adjoint.enable_x64(True):
        for a, b in product(DTYPES, DTYPES):
            kinds = {np.dtype(a).kind, np.dtype(b).kind}
            if a == b or promoted(a, b) or not kinds & set("b") and len(kinds & set("iu")) != 1:
                expected = promoted(a, b) == b
                assert expected == xp.can_cast(xp.dtype(a), getattr(xp, b)), (a, b)
                assert expected == xp.can_cast(xp.ones(2, dtype=a), xp.dtype(b)), (a, b)
        for name in DTYPES:
            d, x = getattr(xp, name), xp.ones(2, dtype=name)
            for kind, names in KINDS.items():
                assert (name in names) == xp.isdtype(d, kind) == xp.isdtype(x.dtype, kind)
            assert xp.isdtype(d, d) and xp.isdtype(dtype=d, kind=("complex floating", d)) and not xp.isdtype(d, ())
            for of in (d, x.dtype, x):
                if name in KINDS["integral"]:
                    info, limits = xp.iinfo(of), np.iinfo(name)
                    assert (limits.bits, limits.min, limits.max) == (info.bits, info.min, info.max)
                    assert name == np.dtype(info.dtype)
                elif name != "bool":
                    info, limits = xp.finfo(of), np.finfo(name)
                    for member in ("bits", "eps", "max", "min", "smallest_normal", "dtype"):
                        assert getattr(limits, member) == getattr(info, member)
            for to in DTYPES:
                if np.dtype(name).kind != "c" or np.dtype(to).kind in "bc":
                    assert to == xp.astype(x, getattr(xp, to)).dtype.name
        x = xp.asarray([0.0, -0.0, 0.5, np.nan, np.inf])
        assert [False, False, True, True, True] == xp.astype(x, xp.bool).tolist()
        z = xp.asarray([0j, 1j, complex(0, np.nan)])
        assert [False, True, True] == xp.astype(z, xp.bool).tolist()
        assert x is xp.astype(x, x.dtype, copy=False) is not xp.astype(x, x.dtype, copy=True)
        with pytest.raises(ValueError, match="kind"):
            xp.isdtype(xp.int8, "small")


def test_dtypes_of_results():
    """Sums, products and traces of small integers are wide; comparisons are booleans, indices the default integer."""
    for wide in (False, True):
        with adjoint.enable_x64(wide):
            index = f"int{64 if wide else 32}"
            for name in xp.__array_namespace_info__().dtypes(kind="numeric"):
                x, kind = xp.ones((2, 2), dtype=name), np.dtype(name).kind
                total = {"i": index, "u": "u" + index}.get(kind, name)
                sums = [xp.sum(x), xp.prod(x), xp.linalg.trace(x)]
                running = [xp.cumulative_sum(x, axis=0), xp.cumulative_prod(x, axis=0)]
                assert {total} == {out.dtype.name for out in sums + running}
                indices = [xp.nonzero(x)[0], xp.count_nonzero(x), *xp.unique_all(x)[1:]]
                if kind != "c":
                    indices += [xp.argsort(x), xp.argmax(x), xp.argmin(x)]
                    assert {"bool"} == {out.dtype.name for out in (x < x, x <= x, x > x, x >= x)}
                assert {index} == {out.dtype.name for out in indices}
                assert {"bool"} == {out.dtype.name for out in (
                    x == x, x != x, xp.isnan(x), xp.isinf(x), xp.isfinite(x), xp.all(x), xp.any(x))}
                real = {"complex64": "float32", "complex128": "float64"}.get(name, name)
                assert real == xp.abs(x).dtype.name == xp.real(x).dtype.name and name == xp.conj(x).dtype.name
