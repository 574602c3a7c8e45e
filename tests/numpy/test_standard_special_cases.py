"""The special cases of the array API standard 2024.12, called on arrays and compiled, for all floating dtypes.

In the tables "f: a b -> c" says that f(a, b) is c. For complex numbers a and b are the parts of the operand, and the
result has two parts too, or one if it is real. Words stand for sets of numbers: `SETS`, with a minus the negative
ones. A result is an expression of a and b; `x|y` allows either, `~x` either sign; signs of zeros count. Rows where
the text leaves room say so by `|`. In `sqrt` the text of 2024.12 has two entries for infinite real parts mixed up; C99
and the later editions have these.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import adjoint
import adjoint.numpy as xp

REAL = """
abs: nan -> nan; -0 -> 0; -inf -> inf; neg -> -a
acos: nan -> nan; big -> nan; -big -> nan; 1 -> 0
acosh: nan -> nan; tiny -> nan; zero -> nan; neg -> nan; -inf -> nan; 1 -> 0; inf -> inf
add: nan any -> nan; any nan -> nan; inf -inf -> nan; -inf inf -> nan; inf inf -> inf; -inf -inf -> -inf;
  inf fin -> inf; -inf fin -> -inf; fin inf -> inf; fin -inf -> -inf; -0 -0 -> -0; -0 0 -> 0; 0 -0 -> 0; 0 0 -> 0;
  zero nz -> b; nz zero -> a; 2.5 -2.5 -> 0
asin: nan -> nan; big -> nan; -big -> nan; 0 -> 0; -0 -> -0
asinh: nan -> nan; 0 -> 0; -0 -> -0; inf -> inf; -inf -> -inf
atan: nan -> nan; 0 -> 0; -0 -> -0; inf -> pi/2; -inf -> -pi/2
atan2: nan any -> nan; any nan -> nan; pos zero -> pi/2; 0 pos -> 0; 0 0 -> 0; 0 -0 -> pi; 0 neg -> pi; -0 pos -> -0;
  -0 0 -> -0; -0 -0 -> -pi; -0 neg -> -pi; neg zero -> -pi/2; pos inf -> 0; pos -inf -> pi; neg inf -> -0;
  neg -inf -> -pi; inf fin -> pi/2; -inf fin -> -pi/2; inf inf -> pi/4; inf -inf -> 3*pi/4; -inf inf -> -pi/4;
  -inf -inf -> -3*pi/4
atanh: nan -> nan; -big -> nan; big -> nan; -1 -> -inf; 1 -> inf; 0 -> 0; -0 -> -0
ceil: whole -> a; infs -> a; zero -> a; nan -> nan; .5 -> 1; -.5 -> -0
copysign: num neg -> -abs(a); num -0 -> -abs(a); num 0 -> abs(a); num pos -> abs(a); num -nan -> -abs(a);
  num nan -> abs(a); num -inf -> -abs(a); nan neg -> -nan; nan -0 -> -nan; nan 0 -> nan; nan pos -> nan;
  nan -nan -> -nan; nan nan -> nan
cos: nan -> nan; zero -> 1; infs -> nan
cosh: nan -> nan; zero -> 1; infs -> inf
divide: nan any -> nan; any nan -> nan; infs infs -> nan; zero zero -> nan; 0 pos -> 0; -0 pos -> -0; 0 neg -> -0;
  -0 neg -> 0; pos 0 -> inf; pos -0 -> -inf; neg 0 -> -inf; neg -0 -> inf; inf pos -> inf; inf neg -> -inf;
  -inf pos -> -inf; -inf neg -> inf; pos inf -> 0; pos -inf -> -0; neg inf -> -0; neg -inf -> 0; nz nz -> a/b
equal: nan any -> 0; any nan -> 0; inf inf -> 1; -inf -inf -> 1; zero zero -> 1; fin fin -> a==b; inf -inf -> 0;
  inf fin -> 0
exp: nan -> nan; zero -> 1; inf -> inf; -inf -> 0
expm1: nan -> nan; 0 -> 0; -0 -> -0; inf -> inf; -inf -> -1
floor: whole -> a; infs -> a; zero -> a; nan -> nan; .5 -> 0; -.5 -> -1
floor_divide: nan any -> nan; any nan -> nan; infs infs -> nan; zero zero -> nan; 0 pos -> 0; 0 neg -> -0;
  pos 0 -> inf; pos -0 -> -inf; neg 0 -> -inf; neg -0 -> inf; infs nz -> a/b|nan; pos inf -> 0; pos -inf -> -0|-1;
  neg inf -> -0|-1; 7.5 2 -> 3; -7.5 2 -> -4; 7.5 -2 -> -4; -7.5 -2 -> 3; 1 2.5 -> 0; 1 -2.5 -> -1
greater: nan any -> 0; any nan -> 0; zero zero -> 0; inf num -> a>b
greater_equal: nan any -> 0; any nan -> 0; zero zero -> 1; inf num -> 1
hypot: infs any -> inf; any infs -> inf; zero any -> abs(b); any zero -> abs(a); fin nan -> nan; nan nan -> nan;
  nan fin -> nan
isfinite: infs -> 0; nan -> 0; fin -> 1
isinf: infs -> 1; fin -> 0; nan -> 0
isnan: nan -> 1; num -> 0; -nan -> 1
less: nan any -> 0; any nan -> 0; zero zero -> 0; num inf -> a<b
less_equal: nan any -> 0; any nan -> 0; zero zero -> 1; num inf -> 1
log: nan -> nan; neg -> nan; -inf -> nan; zero -> -inf; 1 -> 0; inf -> inf
log1p: nan -> nan; -big -> nan; -inf -> nan; -1 -> -inf; -0 -> -0; 0 -> 0; inf -> inf
log2: nan -> nan; neg -> nan; -inf -> nan; zero -> -inf; 1 -> 0; inf -> inf
log10: nan -> nan; neg -> nan; -inf -> nan; zero -> -inf; 1 -> 0; inf -> inf
logaddexp: nan any -> nan; any nan -> nan; inf num -> inf; num inf -> inf; -inf -inf -> -inf
maximum: nan any -> nan; any nan -> nan; fin inf -> inf; -inf fin -> b; nz nz -> maximum(a,b)
minimum: nan any -> nan; any nan -> nan; fin inf -> a; -inf fin -> -inf; nz nz -> minimum(a,b)
multiply: nan any -> nan; any nan -> nan; infs zero -> nan; zero infs -> nan; infs infs -> a*b; infs nz -> a*b;
  nz infs -> a*b; fin fin -> a*b
negative: any -> -a
nextafter: nan any -> nan; any nan -> nan; -0 0 -> 0; 0 -0 -> -0; 1 1 -> 1; inf inf -> inf; 1 inf -> 1+eps;
  1 -inf -> 1-eps/2; inf 0 -> largest; -inf 0 -> -largest
not_equal: nan any -> 1; any nan -> 1; inf -inf -> 1; -inf inf -> 1; fin fin -> a!=b; inf inf -> 0; zero zero -> 0
positive: any -> a
pow: not1 nan -> nan; any zero -> 1; nan nz -> nan; nan infs -> nan; big inf -> inf; -big inf -> inf; infs inf -> inf;
  big -inf -> 0; -big -inf -> 0; infs -inf -> 0; 1 infs -> 1; -1 infs -> 1; 1 num -> 1; tiny inf -> 0; -tiny inf -> 0;
  zero inf -> 0; tiny -inf -> inf; -tiny -inf -> inf; zero -inf -> inf; inf pos -> inf; inf neg -> 0;
  -inf odd -> -inf; -inf uneven -> inf; -inf -odd -> -0; -inf -uneven -> 0; 0 pos -> 0; 0 neg -> inf; -0 odd -> -0;
  -0 uneven -> 0; -0 -odd -> -inf; -0 -uneven -> inf; neg fraction -> nan; neg -fraction -> nan
reciprocal: nan -> nan; inf -> 0; -inf -> -0; 0 -> inf; -0 -> -inf; nz -> 1/a
remainder: nan any -> nan; any nan -> nan; infs infs -> nan; zero zero -> nan; 0 pos -> 0; -0 neg -> -0;
  nz zero -> nan; infs nz -> nan; pos inf -> a; pos -inf -> b; neg inf -> b; neg -inf -> a; 7.5 2 -> 1.5;
  -7.5 2 -> .5; 7.5 -2 -> -.5; 4 2 -> 0; -4 -2 -> -0
round: whole -> a; infs -> a; zero -> a; nan -> nan; .5 -> 0; 1.5 -> 2; 2.5 -> 2; -.5 -> -0; -1.5 -> -2; .75 -> 1
sign: neg -> -1; -inf -> -1; 0 -> 0; pos -> 1; inf -> 1; nan -> nan
signbit: 0 -> 0; -0 -> 1; inf -> 0; -inf -> 1; pos -> 0; neg -> 1; nan -> 0; -nan -> 1
sin: nan -> nan; 0 -> 0; -0 -> -0; infs -> nan
sinh: nan -> nan; 0 -> 0; -0 -> -0; infs -> a
sqrt: nan -> nan; neg -> nan; -inf -> nan; 0 -> 0; -0 -> -0; inf -> inf
square: nan -> nan; infs -> inf; zero -> 0; nz -> a*a
subtract: nan any -> nan; any nan -> nan; inf inf -> nan; -inf -inf -> nan; fin fin -> a-b; fin infs -> -b;
  infs fin -> a
tan: nan -> nan; 0 -> 0; -0 -> -0; infs -> nan
tanh: nan -> nan; 0 -> 0; -0 -> -0; inf -> 1; -inf -> -1
trunc: whole -> a; infs -> a; zero -> a; nan -> nan; .5 -> 0; -.5 -> -0; 2.5 -> 2; -2.5 -> -2
"""

COMPLEX = """
abs: infs any -> inf; any infs -> inf; zero any -> abs(b); any zero -> abs(a); nan fin -> nan; fin nan -> nan;
  nan nan -> nan
acos: zero 0 -> pi/2 -0; zero nan -> pi/2 nan; fin inf -> pi/2 -inf; nz nan -> nan nan; -inf pos -> pi -inf;
  inf pos -> 0 -inf; -inf inf -> 3*pi/4 -inf; inf inf -> pi/4 -inf; infs nan -> nan ~inf; nan fin -> nan nan;
  nan inf -> nan -inf; nan nan -> nan nan
acosh: zero 0 -> 0 pi/2; fin inf -> inf pi/2; nz nan -> nan nan; 0 nan -> nan ~pi/2; -inf pos -> inf pi;
  inf pos -> inf 0; -inf inf -> inf 3*pi/4; inf inf -> inf pi/4; infs nan -> inf nan; nan fin -> nan nan;
  nan inf -> inf nan; nan nan -> nan nan
asinh: 0 0 -> 0 0; pos inf -> inf pi/2; fin nan -> nan nan; inf pos -> inf 0; inf inf -> inf pi/4; nan 0 -> nan 0;
  nan nz -> nan nan; nan inf -> ~inf nan; nan nan -> nan nan
atanh: 0 0 -> 0 0; 0 nan -> 0 nan; 1 0 -> inf 0; pos inf -> 0 pi/2; nz nan -> nan nan; inf pos -> 0 pi/2;
  inf inf -> 0 pi/2; inf nan -> 0 nan; nan fin -> nan nan; nan inf -> ~0 pi/2; nan nan -> nan nan
conj: any any -> a -b
cosh: 0 0 -> 1 0; 0 inf -> nan ~0; 0 nan -> nan ~0; nz inf -> nan nan; nz nan -> nan nan; inf 0 -> inf 0;
  inf nz -> inf*cos(b) inf*sin(b); inf inf -> ~inf nan; inf nan -> inf nan; nan zero -> nan ~0; nan nz -> nan nan;
  nan nan -> nan nan
exp: zero 0 -> 1 0; fin inf -> nan nan; fin nan -> nan nan; inf 0 -> inf 0; -inf fin -> 0*cos(b) 0*sin(b);
  inf nz -> inf*cos(b) inf*sin(b); -inf inf -> ~0 ~0; inf inf -> ~inf nan; -inf nan -> ~0 ~0; inf nan -> ~inf nan;
  nan 0 -> nan 0; nan nz -> nan nan; nan nan -> nan nan
expm1: zero 0 -> ~0 0; fin inf -> nan nan; fin nan -> nan nan; inf 0 -> inf 0; -inf fin -> -1 0*sin(b);
  inf nz -> inf*cos(b) inf*sin(b); -inf inf -> -1 ~0; inf inf -> ~inf nan; -inf nan -> -1 ~0; inf nan -> ~inf nan;
  nan 0 -> nan 0; nan nz -> nan nan; nan nan -> nan nan
imag: any any -> b
isfinite: nan any -> 0; any nan -> 0; infs any -> 0; any infs -> 0; fin fin -> 1
isinf: infs any -> 1; any infs -> 1; fin fin -> 0; nan fin -> 0; fin nan -> 0; nan nan -> 0
isnan: nan any -> 1; any nan -> 1; num num -> 0
log: -0 0 -> -inf pi; 0 0 -> -inf 0; fin inf -> inf pi/2; fin nan -> nan nan; -inf pos -> inf pi; inf pos -> inf 0;
  -inf inf -> inf 3*pi/4; inf inf -> inf pi/4; infs nan -> inf nan; nan fin -> nan nan; nan inf -> inf nan;
  nan nan -> nan nan
log1p: -1 0 -> -inf 0; fin inf -> inf pi/2; fin nan -> nan nan; -inf pos -> inf pi; inf pos -> inf 0;
  -inf inf -> inf 3*pi/4; inf inf -> inf pi/4; infs nan -> inf nan; nan fin -> nan nan; nan inf -> inf nan;
  nan nan -> nan nan
negative: any any -> -a -b
positive: any any -> a b
real: any any -> a
round: any any -> rint(a) rint(b)
sign: 0 0 -> 0 0; nan any -> nan nan; any nan -> nan nan; 3 4 -> .6 .8; -3 4 -> -.6 .8; nz 0 -> sign(a) ~0;
  0 nz -> ~0 sign(b)
sinh: 0 0 -> 0 0; 0 inf -> ~0 nan; 0 nan -> ~0 nan; pos inf -> nan nan; pos nan -> nan nan; inf 0 -> inf 0;
  inf pos -> inf*cos(b) inf*sin(b); inf inf -> ~inf nan; inf nan -> ~inf nan; nan 0 -> nan 0; nan nz -> nan nan;
  nan nan -> nan nan
sqrt: zero 0 -> 0 0; any inf -> inf inf; fin nan -> nan nan; -inf pos -> 0 inf; inf pos -> inf 0;
  -inf nan -> nan ~inf; inf nan -> inf nan; nan fin -> nan nan; nan nan -> nan nan
tanh: 0 0 -> 0 0; nz inf -> nan nan; 0 inf -> 0|nan nan; nz nan -> nan nan; 0 nan -> 0|nan nan; inf pos -> 1 ~0;
  inf inf -> 1 ~0; inf nan -> 1 ~0; nan 0 -> nan 0; nan nz -> nan nan; nan nan -> nan nan
"""

# Where the signs of zeros are JAX's (docs/differences.md): the same in every way of calling.
AS_IN_JAX = """
floor_divide: -0 pos -> 0; -0 neg -> -0; neg -inf -> -0; -1 -2.5 -> -0
remainder: -0 pos -> -0; 0 neg -> 0; -4 2 -> -0; 4 -2 -> 0
sign: -0 -> -0
"""

SETS = {
    "pos": [2.0**-10, 0.5, 1.0, 2.5, 3.0, 2.0**20], "zero": [0.0, -0.0], "infs": [np.inf, -np.inf], "inf": [np.inf],
    "nan": [np.nan], "tiny": [2.0**-10, 0.5, 0.75], "big": [1.5, 2.5, 2.0**20], "odd": [1.0, 3.0, 7.0],
    "uneven": [0.5, 2.0, 4.0, 2.5, 2.0**26], "fraction": [0.5, 2.5, 0.75], "whole": [1.0, -1.0, 3.0, -2.0, 2.0**20],
}
SETS["neg"] = [-x for x in SETS["pos"]]
SETS["nz"] = SETS["pos"] + SETS["neg"]
SETS["fin"] = SETS["nz"] + SETS["zero"]
SETS["num"] = SETS["fin"] + SETS["infs"]
SETS["any"] = SETS["num"] + SETS["nan"]
SETS["not1"] = [x for x in SETS["any"] if x != 1]
WIDTHS = {np.float32: np.complex64, np.float64: np.complex128}


def numbers(word: str) -> list[float]:
    if word in SETS:
        return SETS[word]
    return [-x for x in SETS[word[1:]]] if word[1:] in SETS else [float(word)]


def table(text: str) -> list:
    """Functions and their cases: (text, operands, results)."""
    lines = [line.partition(": ") for line in text.replace("\n  ", " ").strip().split("\n")]
    rows = lambda cases: [(case, *[side.split() for side in case.split(" -> ")]) for case in cases.split("; ")]
    return [pytest.param(name, rows(cases), id=name) for name, _, cases in lines]


def same(actual, expected, sign=True):
    """Where numbers agree, zeros with their signs and NaN with NaN."""
    if not sign:
        actual, expected = np.abs(actual), np.abs(expected)
    zeros = (actual == 0) & (expected == 0) & (np.signbit(actual) == np.signbit(expected))
    return zeros | (np.isnan(actual) & np.isnan(expected)) | (
        np.isclose(actual, expected, rtol=2e-6 if actual.dtype == np.float32 else 1e-14, atol=0) & (expected != 0))


def meets(part, word: str, a, b, signs_of_nan: bool):
    """Where a part of a result is what the word says."""
    info = np.finfo(part.dtype if part.dtype.kind == "f" else np.float32)
    names = {"a": a, "b": b, "inf": np.inf, "nan": np.nan, "eps": info.eps, "largest": info.max}
    met = np.zeros(part.shape, bool)
    for choice in word.split("|"):
        bare = choice.lstrip("~")
        expected = -0.0 if bare == "-0" else eval(bare, vars(np).copy(), names)
        expected = np.broadcast_to(np.asarray(expected, part.dtype), part.shape)
        met |= same(part.astype(info.dtype), expected.astype(info.dtype), sign=bare is choice)
        if signs_of_nan:
            met &= ~np.isnan(part) | (np.signbit(part) == np.signbit(expected))
    return met


def parts(x) -> list[np.ndarray]:
    x = np.asarray(x)
    return [x.real, x.imag] if x.dtype.kind == "c" else [x]


def joined(re, im, dtype):
    z = np.empty(re.shape, dtype)  # re + 1j * im would lose infinities and signs of zeros
    z.real, z.imag = re, im
    return z


@pytest.fixture
def calls():
    """The ways to call a function: its first call with a type, a later one, and compiled."""
    before = adjoint.config.cpu_engine
    adjoint.config.update("cpu_engine", "native")

    def of(f, *xs):
        yield "called", f(*xs)
        f(*xs)
        yield "called again", f(*xs)
        yield "compiled", adjoint.jit(f)(*xs)

    with adjoint.enable_x64(True), np.errstate(all="ignore"):
        yield of
    adjoint.config.update("cpu_engine", before)


def check(name, rows, calls, is_complex):
    columns, spans = [], []
    for case, operands, results in rows:
        points = np.array(list(product(*[numbers(word) for word in operands]))).T
        start = spans[-1][1] if spans else 0
        spans.append((start, start + points.shape[1], case, results))
        columns.append(points)
    for width, pair in WIDTHS.items():
        xs = np.concatenate(columns, axis=1).astype(width)
        args = [joined(*xs, pair)] if is_complex else xs
        for how, out in calls(getattr(xp, name), *[xp.asarray(x) for x in args]):
            for start, end, case, results in spans:
                a, b = xs[0, start:end], xs[-1, start:end]
                assert len(parts(out)) == len(results)
                for part, word in zip(parts(out), results):
                    met = meets(part[start:end], word, a, b, name == "copysign")
                    wrong = [x[start:end][~met] for x in (*xs, np.asarray(out))]
                    assert met.all(), f"{name}: {case}; {how} with {out.dtype}: {wrong}"


@pytest.mark.parametrize(("name", "rows"), table(REAL) + table(AS_IN_JAX))
def test_real_numbers(name, rows, calls):
    check(name, rows, calls, is_complex=False)


@pytest.mark.parametrize(("name", "rows"), table(COMPLEX))
def test_complex_numbers(name, rows, calls):
    """Also f(conj(z)) = conj(f(z)), and what is odd or even, where the signs are specified."""
    check(name, rows, calls, is_complex=True)


GRID = np.array(list(product([0.0, -0.0, 1, -1, 2.5, -2.5, 0.25, np.inf, -np.inf, np.nan], repeat=2))).T
ODD = ("asinh", "atanh", "sinh", "tanh", "sin", "tan", "asin", "atan")
LIKE_OTHERS = {  # by parts of z = a + ib
    "asin z = asinh(iz) / i": lambda f, a, b: f("asinh", -b, a, turn=True),
    "atan z = atanh(iz) / i": lambda f, a, b: f("atanh", -b, a, turn=True),
    "sin z = sinh(iz) / i": lambda f, a, b: f("sinh", -b, a, turn=True),
    "tan z = tanh(iz) / i": lambda f, a, b: f("tanh", -b, a, turn=True),
    "cos z = cosh(iz)": lambda f, a, b: f("cosh", -b, a),
    "log2 z = log z / log 2": lambda f, a, b: [x / np.log(2) for x in f("log", a, b)],
    "log10 z = log z / log 10": lambda f, a, b: [x / np.log(10) for x in f("log", a, b)],
    **{f"{n} conj z = conj {n} z": lambda f, a, b, n=n: [f(n, a, -b)[0], -f(n, a, -b)[1]] for n in (
        "acos acosh asin asinh atan atanh cos cosh exp expm1 log log1p log2 log10 sin sinh sqrt tan tanh").split()},
    **{f"{n} -z = - {n} z": lambda f, a, b, n=n: [-x for x in f(n, -a, -b)] for n in ODD},
    **{f"{n} -z = {n} z": lambda f, a, b, n=n: f(n, -a, -b) for n in ("cos", "cosh")},
}


@pytest.mark.parametrize("law", LIKE_OTHERS)
def test_laws_of_complex_functions(law, calls):
    """Where a part of the result is NaN, or the real part of z is not finite, up to signs, which may be open."""
    for width, pair in WIDTHS.items():
        a, b = GRID.astype(width)
        for way in ("called", "called again", "compiled"):

            def f(name, a, b, turn=False, way=way, pair=pair):
                re, im = parts(dict(calls(getattr(xp, name), xp.asarray(joined(a, b, pair))))[way])
                return [im, -re] if turn else [re, im]

            left = f(law.split()[0], a, b)
            may_differ = np.isnan(left[0]) | np.isnan(left[1]) | ~np.isfinite(a)
            for x, y in zip(left, LIKE_OTHERS[law](f, a, b)):
                y = y.astype(width)
                met = same(x, y) | (may_differ & same(x, y, sign=False))
                assert met.all(), f"{law}, {way} with {pair.__name__}: {GRID[:, ~met]}: {x[~met]}, {y[~met]}"
