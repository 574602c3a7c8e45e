"""The array API standard, 2024.12: its names, its dtype rules, and the special cases of its text.

In `SPECIAL`, "f: a b -> c" says that f(a, b) is c. Words stand for sets: `pos` and `neg` for finite numbers other than
zero, `fin` for any finite number, `num` for anything but NaN, `any` for everything, `odd` and `even` for whole
numbers, `small` for numbers inside (-1, 1), `big` for those above 1 and `tiny` for positive ones below 1; `same` is the
first argument. Signs of zeros count.
"""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjoint
import adjoint.numpy as xp

NAMES = {
    "": """arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu
    zeros
    zeros_like astype can_cast finfo iinfo isdtype result_type abs acos acosh add asin asinh atan atan2 atanh
    bitwise_and bitwise_left_shift bitwise_invert bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign cos
    cosh divide equal exp expm1 floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less less_equal
    log log1p log2 log10 logaddexp logical_and logical_not logical_or logical_xor maximum minimum multiply negative
    nextafter not_equal positive pow real reciprocal remainder round sign signbit sin sinh square sqrt subtract tan tanh
    trunc take take_along_axis matmul matrix_transpose tensordot vecdot broadcast_arrays broadcast_to concat expand_dims
    flip moveaxis permute_dims repeat reshape roll squeeze stack tile unstack argmax argmin count_nonzero nonzero
    searchsorted where unique_all unique_counts unique_inverse unique_values argsort sort cumulative_prod cumulative_sum
    max mean min prod std sum var all any diff e inf nan newaxis pi bool int8 int16 int32 int64 uint8 uint16 uint32
    uint64 float32 float64 complex64 complex128 __array_namespace_info__""",
    "linalg": """cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank
    matrix_transpose
    outer pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm""",
    "fft": "fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift",
}
MEMBERS = """__abs__ __add__ __and__ __array_namespace__ __bool__ __complex__ __dlpack__ __dlpack_device__
    __eq__ __float__
    __floordiv__ __ge__ __getitem__ __gt__ __index__ __int__ __invert__ __le__ __lshift__ __lt__ __matmul__ __mod__
    __mul__
    __ne__ __neg__ __or__ __pos__ __pow__ __rshift__ __setitem__ __sub__ __truediv__ __xor__ to_device dtype device
    mT ndim
    shape size T"""


def test_names():
    for module, names in NAMES.items():
        home = getattr(xp, module) if module else xp
        assert [n for n in names.split() if not hasattr(home, n)] == []
    x = xp.ones((2, 2))
    assert [n for n in MEMBERS.split() if not hasattr(type(x), n) and not hasattr(x, n)] == []
    assert "2024.12" == xp.__array_api_version__
    assert xp is x.__array_namespace__() is x.__array_namespace__(api_version="2024.12")
    with pytest.raises(ValueError, match="not available"):
        x.__array_namespace__(api_version="2020.1")


def test_inspection():
    theirs = import_module("jax.numpy").__array_namespace_info__()
    ours = xp.__array_namespace_info__()
    assert theirs.capabilities() == ours.capabilities() and theirs.default_dtypes() == ours.default_dtypes()
    assert ours.default_device() is None and ours.devices() == [None, *adjoint.devices()]
    for kind in (None, "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating",
                 "numeric", ("bool", "integral")):
        assert theirs.dtypes(kind=kind) == ours.dtypes(kind=kind)
    with pytest.raises(KeyError):
        ours.dtypes(kind="x")
    with adjoint.enable_x64(True):
        assert {"int64", "float64"} <= set(ours.dtypes()) and np.float64 == ours.default_dtypes()["real floating"]


def test_dtype_rules():
    """Promotion inside a kind and of signed with unsigned integers; results of sums, comparisons and indices."""
    signed, unsigned, floats = ("int8", "int16", "int32", "int64"), ("uint8", "uint16", "uint32", "uint64"), (
        "float32", "float64", "complex64", "complex128")
    with adjoint.enable_x64(True):
        for kinds in (signed, unsigned, ("float32", "float64"), ("complex64", "complex128"), floats):
            for a in kinds:
                for b in kinds:
                    assert np.promote_types(a, b) == xp.result_type(xp.dtype(a), xp.dtype(b)) == (
                        xp.ones(1, a) + xp.ones(1, b)).dtype
        for a in signed:
            for b in unsigned[:3]:
                assert np.promote_types(a, b) == xp.result_type(xp.dtype(a), xp.dtype(b))
        for d in (*signed, *unsigned, *floats, "bool"):
            x = xp.ones((2, 2), d)
            assert d == (x + (1 if d != "bool" else False)).dtype.name if d != "bool" else True
            assert "bool" == (x == x).dtype.name and "int64" == xp.argsort(x).dtype.name == xp.nonzero(x)[0].dtype.name
            total = xp.sum(x).dtype.name
            assert total == (d if d in floats else "uint64" if d in unsigned else "int64")
            assert xp.abs(x).dtype.name == {"complex64": "float32", "complex128": "float64"}.get(d, d) or d == "bool"


SPECIAL = """
abs: nan -> nan; -0 -> 0; -inf -> inf
acos: nan -> nan; big -> nan; -big -> nan; 1 -> 0
acosh: nan -> nan; small -> nan; neg -> nan; 1 -> 0; inf -> inf
asin: nan -> nan; big -> nan; -big -> nan; 0 -> 0; -0 -> -0
asinh: nan -> nan; 0 -> 0; -0 -> -0; inf -> inf; -inf -> -inf
atan: nan -> nan; 0 -> 0; -0 -> -0; inf -> pi/2; -inf -> -pi/2
atanh: nan -> nan; big -> nan; -big -> nan; -1 -> -inf; 1 -> inf; 0 -> 0; -0 -> -0
ceil: odd -> same; inf -> inf; -inf -> -inf; 0 -> 0; -0 -> -0; nan -> nan; -tiny -> -0
floor: odd -> same; inf -> inf; -inf -> -inf; 0 -> 0; -0 -> -0; nan -> nan
trunc: odd -> same; inf -> inf; -inf -> -inf; 0 -> 0; -0 -> -0; nan -> nan; tiny -> 0; -tiny -> -0
round: odd -> same; inf -> inf; -inf -> -inf; 0 -> 0; -0 -> -0; nan -> nan; .5 -> 0; 1.5 -> 2; 2.5 -> 2
cos: nan -> nan; 0 -> 1; -0 -> 1; inf -> nan; -inf -> nan
cosh: nan -> nan; 0 -> 1; -0 -> 1; inf -> inf; -inf -> inf
exp: nan -> nan; 0 -> 1; -0 -> 1; inf -> inf; -inf -> 0
expm1: nan -> nan; 0 -> 0; -0 -> -0; inf -> inf; -inf -> -1
isfinite: nan -> 0; inf -> 0; fin -> 1
isinf: inf -> 1; -inf -> 1; fin -> 0; nan -> 0
isnan: nan -> 1; num -> 0
log: nan -> nan; neg -> nan; -inf -> nan; 0 -> -inf; -0 -> -inf; 1 -> 0; inf -> inf
log2: nan -> nan; neg -> nan; 0 -> -inf; -0 -> -inf; 1 -> 0; inf -> inf
log10: nan -> nan; neg -> nan; 0 -> -inf; -0 -> -inf; 1 -> 0; inf -> inf
log1p: nan -> nan; -big -> nan; -1 -> -inf; -0 -> -0; 0 -> 0; inf -> inf
negative: 0 -> -0; -0 -> 0; inf -> -inf; nan -> nan
reciprocal: nan -> nan; inf -> 0; -inf -> -0; 0 -> inf; -0 -> -inf
sign: pos -> 1; neg -> -1; 0 -> 0; -0 -> 0; nan -> nan; inf -> 1
signbit: 0 -> 0; -0 -> 1; inf -> 0; -inf -> 1; pos -> 0; neg -> 1
sin: nan -> nan; 0 -> 0; -0 -> -0; inf -> nan; -inf -> nan
sinh: nan -> nan; 0 -> 0; -0 -> -0; inf -> inf; -inf -> -inf
sqrt: nan -> nan; neg -> nan; 0 -> 0; -0 -> -0; inf -> inf
square: nan -> nan; inf -> inf; -inf -> inf; -0 -> 0
tan: nan -> nan; 0 -> 0; -0 -> -0; inf -> nan; -inf -> nan
tanh: nan -> nan; 0 -> 0; -0 -> -0; inf -> 1; -inf -> -1
add: nan any -> nan; any nan -> nan; inf -inf -> nan; inf inf -> inf; -inf -inf -> -inf; inf fin -> inf; \
fin -inf -> -inf; \
-0 -0 -> -0; -0 0 -> 0; 0 0 -> 0; pos 0 -> same; neg -0 -> same
subtract: nan any -> nan; inf inf -> nan; fin inf -> -inf; 0 0 -> 0; -0 0 -> -0; pos 0 -> same
atan2: nan any -> nan; any nan -> nan; pos 0 -> pi/2; pos -0 -> pi/2; 0 pos -> 0; 0 0 -> 0; 0 -0 -> pi; 0 neg -> pi; \
-0 pos -> -0; -0 0 -> -0; -0 -0 -> -pi; -0 neg -> -pi; neg 0 -> -pi/2; neg -0 -> -pi/2; pos inf -> 0; \
pos -inf -> pi; \
neg inf -> -0; neg -inf -> -pi; inf fin -> pi/2; -inf fin -> -pi/2; inf inf -> pi/4; inf -inf -> 3*pi/4; \
-inf inf -> -pi/4; -inf -inf -> -3*pi/4
copysign: 0 neg -> -0; nan neg -> nan; inf neg -> -inf; -0 pos -> 0; 1 -0 -> -1
divide: nan any -> nan; inf inf -> nan; inf -inf -> nan; 0 0 -> nan; 0 -0 -> nan; 0 pos -> 0; -0 pos -> -0; \
0 neg -> -0; \
pos 0 -> inf; pos -0 -> -inf; neg 0 -> -inf; inf pos -> inf; inf neg -> -inf; pos inf -> 0; pos -inf -> -0; \
neg inf -> -0
multiply: nan any -> nan; inf 0 -> nan; -inf -0 -> nan; inf inf -> inf; inf -inf -> -inf; inf pos -> inf; \
neg inf -> -inf; \
0 neg -> -0
floor_divide: nan any -> nan; inf inf -> nan; 0 0 -> nan; 0 pos -> 0; -0 pos -> -0; inf pos -> nan; pos inf -> 0; \
neg inf -> -1; pos -inf -> -1; neg -inf -> 0
remainder: nan any -> nan; inf any -> nan; 0 0 -> nan; pos 0 -> nan; 0 pos -> 0; -0 pos -> 0; 0 neg -> -0; \
pos inf -> same; \
neg inf -> inf; pos -inf -> -inf; neg -inf -> same
hypot: inf any -> inf; any -inf -> inf; nan fin -> nan; fin nan -> nan
logaddexp: nan fin -> nan; inf fin -> inf; fin inf -> inf
maximum: nan any -> nan; any nan -> nan; inf fin -> inf
minimum: nan any -> nan; any nan -> nan; inf fin -> fin2
nextafter: nan any -> nan; any nan -> nan; pos same -> same; 0 -0 -> -0; -0 0 -> 0
pow: big inf -> inf; big -inf -> 0; 1 any -> 1; tiny inf -> 0; tiny -inf -> inf; any 0 -> 1; any -0 -> 1; \
nan pos -> nan; \
inf pos -> inf; inf neg -> 0; -inf odd -> -inf; -inf even -> inf; 0 pos -> 0; 0 neg -> inf; -0 odd -> -0; \
-0 even -> 0; \
neg .5 -> nan; -1 inf -> 1
equal: nan any -> 0; 0 -0 -> 1
less: nan any -> 0; any nan -> 0; -0 0 -> 0
"""
ROWS = [
    pytest.param(name, case.strip(), id=f"{name} {case.strip()}".replace("->", "is"))
    for line in SPECIAL.strip().split("\n") for name, _, cases in [line.partition(": ")] for case in cases.split("; ")
]

floats = lambda **kw: st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=False, **kw)
SETS = {
    "pos": floats(min_value=2.0**-60, max_value=2.0**60), "neg": floats(min_value=-(2.0**60), max_value=-(2.0**-60)),
    "fin": floats(), "num": st.floats(width=32, allow_nan=False), "any": st.floats(width=32, allow_subnormal=False),
    "odd": st.integers(-9, 9).map(lambda n: float(2 * n + 1)).filter(lambda n: n > 0),
    "even": st.integers(1, 9).map(lambda n: 2.0 * n),
    "small": floats(min_value=-0.99609375, max_value=0.99609375), "big": floats(min_value=1.0625, max_value=2.0**60),
    "tiny": floats(min_value=2.0**-10, max_value=0.4375),
}


def number(word: str, draw, first=None):
    sign, rest = (-1.0, word[1:]) if word.startswith("-") else (1.0, word)
    if rest in ("same", "fin2"):
        return first
    return sign * (draw(SETS[rest]) if rest in SETS else float(eval(rest, dict(pi=np.pi, inf=np.inf, nan=np.nan))))


@pytest.mark.parametrize(("name", "case"), ROWS)
@settings(max_examples=5)
@given(data=st.data())
def test_special_cases(name, case, data):
    words, result = case.split(" -> ")
    args: list[float] = []
    for word in words.split():
        args.append(number(word, data.draw, args[0] if args else None))
    actual = np.float32(getattr(xp, name)(*[xp.float32(a) for a in args]))
    expected = np.float32(number(result, data.draw, args[-1] if result == "fin2" else args[0]))
    np.testing.assert_allclose(actual, expected, rtol=1e-6, err_msg=f"{name}{args}")
    assert np.isnan(expected) or np.signbit(actual) == np.signbit(expected), f"{name}{args} is {actual}"
