"""Element-wise functions beside real JAX: values, dtypes, weakness, jaxprs, derivatives, errors.

Every function is called three times on the same types, because the short cuts of `shortcuts.py` are learnt
from the first calls, and once compiled; all must agree with JAX.
"""

from __future__ import annotations

import inspect
import warnings
from functools import partial

import numpy as np
import pytest
from tests.lax.parity import answers, arguments, numbers, same_jaxpr
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.numpy import ufuncs
from adjoint.transforms.jit import replay

INF, NAN = np.inf, np.nan
REALS = np.array([-INF, -3.5, -2.5, -1, -0.5, -0.0, 0.0, 0.3, 0.5, 1, 2, 2.5, 7, INF, NAN], np.float32)
UNIT = np.array([-1, -0.7, -0.2, 0.0, 0.3, 0.9, 1.0], np.float32)
INTS = np.array([-(2**31), -7, -2, -1, 0, 1, 2, 3, 31, 2**31 - 1], np.int32)
BYTES = np.array([0, 1, 2, 3, 7, 100, 200, 255], np.uint8)
BOOLS = np.array([True, False])
COMPLEX = np.array([0.5 + 0.2j, -1.5 + 2j, 2 - 0.5j, -0.3 - 0.4j, 1 + 0j], np.complex64)

# Functions of one operand, by the kinds of dtypes that they take.
UNARY = {
    "abs absolute square positive negative sign": "fciu",
    "exp exp2 expm1 log log1p log2 log10 sqrt sin cos tan arcsinh arctan sinh cosh tanh": "fciub",
    "conj conjugate real imag reciprocal deg2rad degrees rad2deg radians": "fciub",
    "isnan isinf isfinite iscomplex isreal logical_not angle sinc nan_to_num": "fciub",
    "cbrt floor ceil trunc rint fabs signbit isposinf isneginf i0 spacing": "fiub",
    "round around": "fciu",
    "bitwise_not bitwise_invert invert bitwise_count": "iub",
    "frexp modf": "fiub",
}
NARROW_UNARY = "arcsin arccos arctanh asin acos atanh"
# Functions of two operands, by kind.
BINARY = {
    "add multiply maximum minimum equal not_equal less less_equal greater greater_equal": "fciub",
    "logical_and logical_or logical_xor isclose": "fciub",
    "subtract true_divide divide": "fciu",
    "fmax fmin": "fciub",
    "floor_divide remainder mod fmod heaviside copysign hypot logaddexp logaddexp2": "fiub",
    "arctan2 atan2": "fiub",
    "nextafter": "f",
    "float_power": "fiu",
    "bitwise_and bitwise_or bitwise_xor": "iub",
    "left_shift right_shift bitwise_left_shift bitwise_right_shift": "iu",
}
KINDS = {"f": REALS, "c": COMPLEX, "i": INTS, "u": BYTES, "b": BOOLS}
ULPS = {4: 4e-6, 8: 4e-6, 2: 2e-2}  # relative tolerance by bytes


def names(table, kind):
    """The functions of a table that take a kind."""
    return [name for row, kinds in table.items() if kind in kinds for name in row.split()]


def assert_equal(name, theirs, ours):
    """Equal types, and values up to a few units in the last place; results may be tuples."""
    if isinstance(theirs, (tuple, list)):
        assert len(theirs) == len(ours)
        for a, b in zip(theirs, ours):
            assert_equal(name, a, b)
        return
    assert (theirs.shape, theirs.dtype) == (ours.shape, ours.dtype), name
    assert theirs.weak_type == ours.weak_type, name
    x, y = numbers(theirs), numbers(ours)
    if x.dtype.kind in "fc":
        rtol = ULPS[theirs.dtype.itemsize]
        np.testing.assert_allclose(y, x, rtol, rtol, err_msg=name)
    else:
        np.testing.assert_array_equal(y, x, err_msg=name)


def assert_same_functions(functions, *args):
    """Each function gives what JAX gives: called three times on its own, and all compiled together."""
    program = lambda m: lambda *xs: {n: getattr(m.numpy, n)(*xs) for n in functions}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = jax.jit(program(jax))(*arguments(jax, args))
        xs = arguments(adjoint, args)
        for name in functions:
            for _ in range(3):
                assert_equal(name, theirs[name], getattr(jnp, name)(*xs))
        ours = adjoint.jit(program(adjoint))(*xs)
    for name in functions:
        assert_equal(f"{name}, compiled", theirs[name], ours[name])


@pytest.mark.parametrize("kind", "fciub")
def test_functions_of_one_operand(kind):
    """At ordinary and special values."""
    assert_same_functions(names(UNARY, kind), KINDS[kind])


def test_functions_of_a_narrow_domain():
    """Inverse functions on real and complex numbers of their domain."""
    assert_same_functions(NARROW_UNARY.split(), UNIT)
    assert_same_functions(["arccosh", "acosh"], np.array([1.0, 1.5, 30.0], np.float32))
    assert_same_functions([*NARROW_UNARY.split(), "arccosh"], COMPLEX[:-1])


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_narrow_floats(dtype):
    """Computed in float32 and rounded once."""
    x = REALS[1:-2].astype(jnp.dtype(dtype))
    skipped = {"frexp", "spacing", "i0", "sinc"}  # the formulas round in every step, by different routes
    assert_same_functions([n for n in names(UNARY, "f") if n not in skipped], x)
    exact = "add subtract multiply divide maximum minimum equal less floor_divide remainder arctan2"
    assert_same_functions(exact.split(), x, x[::-1].copy())


@pytest.mark.parametrize("kind", "fciub")
def test_functions_of_two_operands(kind):
    """All pairs of ordinary and special values."""
    x = KINDS[kind]
    functions = [n for n in names(BINARY, kind) if n not in ("left_shift", "bitwise_left_shift") or kind != "u"]
    assert_same_functions(functions, x[:, None], x[None, :])


def test_divisors():
    """Common divisors and multiples, of unsigned integers too; JAX does not return for -2**31."""
    for x in (INTS[1:-1], BYTES):
        assert_same_functions(["gcd", "lcm"], x[:, None], x[None, :])


@pytest.mark.parametrize(
    ("left", "right"),
    [((3,), (3,)), ((2, 1), (1, 3)), ((3,), ()), ((), (2, 3)), ((0,), (0,)), ((2, 3), (3,)), ((), ())],
)
def test_shapes_broadcast(left, right):
    """Equal shapes, lengths of 1, scalars, empty arrays, lower ranks."""
    x = np.linspace(-2, 3, max(1, int(np.prod(left))), dtype=np.float32)[: np.prod(left, dtype=int)]
    y = np.linspace(1, 4, max(1, int(np.prod(right))), dtype=np.float32)[: np.prod(right, dtype=int)]
    assert_same_functions(names(BINARY, "f"), x.reshape(left), y.reshape(right))


@pytest.mark.parametrize("x", [REALS[3:9], INTS[2:6], BOOLS, BYTES[:4], REALS[3:6].astype(jnp.bfloat16)])
def test_scalars_promote(x):
    """Python scalars give way to arrays, NumPy scalars do not; on either side."""

    def program(name, y, swap, m, x):
        a, b = (y, x) if swap else (x, y)
        return m.numpy.where(a > 0, a, b) if name == "where_positive" else getattr(m.numpy, name)(a, b)

    rows = []
    for y in (2, 2.5, True, -1, 1 + 2j, np.float32(2), np.int64(3), np.float64(0.5)):
        functions = ["add", "multiply", "equal", "maximum"]
        if not isinstance(y, complex):
            functions += ["true_divide", "less", "remainder", "where_positive"]
        if not (isinstance(y, bool) and x.dtype == bool):
            functions.append("subtract")
        for name in functions:
            for swap in (False, True) if name != "where_positive" else (False,):
                rows.append(partial(program, name, y, swap))
    xs = arguments(adjoint, [x])
    for f, theirs in zip(rows, answers([(partial(f, jax), x) for f in rows])):
        for _ in range(3):
            assert_equal(f.args, theirs, f(adjoint, *xs))


MIXED = [
    (REALS[3:6], INTS[3:6]), (INTS[3:6], BYTES[:3]), (REALS[3:6], BOOLS[:1]), (COMPLEX[:3], REALS[7:10]),
    (REALS[3:6].astype(jnp.bfloat16), REALS[3:6].astype(np.float16)), (BYTES[:3], INTS[3:6].astype(np.int8)),
    (REALS[3:6].astype(jnp.bfloat16), INTS[3:6]), (REALS[3:6].astype(np.float64), INTS[3:6]),
]


@pytest.mark.parametrize(("x", "y"), MIXED)
def test_dtypes_promote(x, y):
    """Operands of two dtypes, arrays and NumPy arrays."""
    functions = ["add", "multiply", "divide", "equal", "maximum", "hypot", "isclose", "logaddexp", "power"]
    if x.dtype.kind == "c":
        functions = ["add", "multiply", "divide", "equal", "power"]
    assert_same_functions(functions, x, y)
    theirs = jax.numpy.add(x, jax.numpy.asarray(y))
    assert_equal("NumPy operand", theirs, jnp.add(x, jnp.asarray(y)))
    assert_equal("NumPy operands", jax.numpy.add(x, y), jnp.add(x, y))


# Programs with further arguments, of x (float), i (int), b (bool), c (complex).
PROGRAMS = """
    power(x,2) power(x,-2) power(x,0.5) power(2,x) power(i,3) power(i,2.5) power(2,abs(i)) power(x,i)
    power(abs(i),abs(i)) power(c,2) power(x,np.int32(2)) power(b,2) pow(x,3) round(x,1) round(x,-1) round(c,2)
    around(x,2) clip(x,0,1) clip(x,min=0) clip(x,max=0.5) clip(x,0.2) clip(i,0,1.5) clip(x,x,x+1) clip(x)
    clip(x,1,0) nan_to_num(x,nan=1.) nan_to_num(x,posinf=2,neginf=-2.) nan_to_num(c,nan=3.)
    isclose(x,x+1e-6) isclose(x,1,0.5,0.1) isclose(x,x,equal_nan=True) isclose(i,i+1,atol=1)
    allclose(x,x) allclose(x,x,equal_nan=True) allclose(i,i) array_equal(x,x) array_equal(x,x,equal_nan=True)
    array_equal(x,i) array_equal(x,x[:2]) array_equiv(b,True) array_equiv(i,i[:1])
    angle(c,deg=True) angle(c,True) heaviside(x,0.5) ldexp(x,2) ldexp(x,i) ldexp(3.,i) divmod(x,0.7) divmod(i,3)
    divmod(-7,i*2+1) where(x>0,x,0) where(x>0,x,i) where(b[:1],x,1) where(True,x,2) where(x,x,-1) where(i,i,b[:1])
    where(x[:,None]>0,x,i[:,None]) where(x>0,1,2) where(x>0,1,2.5) select([x>1,x>0],[x,i],-1)
    select([x>1],[2.5]) select([x>1,True],[x,0]) hypot(x,3) logaddexp(x,1.) copysign(x,-1) fmin(x,0) fmax(1,x)
    bitwise_count(i) gcd(i,12) lcm(abs(i),4) left_shift(1,abs(i)) right_shift(i,1) float_power(i,2)
    logical_and(x,i) equal(x,i) maximum(i,0.5) nextafter(x,1) sinc(i) isposinf(x) iscomplex(c) isreal(c) imag(x)
""".split()
X, I, B, C = REALS, np.arange(-7, 8, dtype=np.int32), np.arange(15) % 2 == 0, np.resize(COMPLEX, 15)


def program_of(text):
    """The text as a function of the module and its four arrays."""
    return eval(f"lambda m, x, i, b, c: m.{text}", {"np": np, "abs": abs})


def test_programs():
    """Scalars, options and keyword arguments."""
    programs = list(map(program_of, PROGRAMS))
    xs = arguments(adjoint, (X, I, B, C))
    expected = answers([(partial(f, jax.numpy), X, I, B, C) for f in programs])
    for text, f, theirs in zip(PROGRAMS, programs, expected, strict=True):
        for _ in range(3):
            assert_equal(text, theirs, f(jnp, *xs))
        assert_equal(text, theirs, adjoint.jit(partial(f, jnp))(*xs))


# ---- jaxprs -------------------------------------------------------------------------------------


_SHARED = {"spacing"}  # JAX prints its inner programs once, as `let`
TRACED = [
    *[f"{name}({a})" for kind, a in zip("fi", "xi") for name in names(UNARY, kind) if name not in _SHARED],
    *[f"{name}({a},{a})" for kind, a in zip("fi", "xi") for name in names(BINARY, kind) if name not in _SHARED],
    "add(x,i)", "multiply(x,2)", "subtract(1,i)", "less(c,c)", "add(b,b)", "multiply(b,b)", "logical_and(x,i)",
    "power(x,2)", "power(x,0.5)", "power(i,i)", "clip(x,0,1)", "round(x,2)", "where(b,x,0)", "where(x>0,x,i)",
    "select([b,x>2],[x,i],1)", "isclose(x,x,1e-3,equal_nan=True)", "nan_to_num(x,nan=1.)", "angle(c,True)",
    "heaviside(x,0.5)", "logaddexp(x,1.)", "floor_divide(i,2)", "remainder(2,x)", "fmax(x,i)", "imag(c)",
]


@pytest.mark.parametrize("text", TRACED)
def test_jaxprs(text):
    """The same text."""
    program = program_of(text)
    same_jaxpr(lambda m, *xs: program(m.numpy, *xs), X, I, B, C)


# ---- derivatives --------------------------------------------------------------------------------

GRADIENTS = """
    sinc(0.) sinc(0.5) i0(0.) i0(2.) i0(-2.) abs(0.) abs(-1.) sign(2.) sqrt(4.) hypot(x,0.) hypot(0.,x) hypot(x,x)
    logaddexp(x,1.) logaddexp(x,x) logaddexp2(x,0.5) arctan2(x,1.) arctan2(0.,x) maximum(x,x) maximum(x,0.)
    minimum(x,1.) fmax(x,0.) clip(x,0.,1.) clip(x,0.5,0.5) nan_to_num(x) cbrt(8.) log1p(x) square(x)
    copysign(x,-1.) heaviside(x,0.5) where(x>0,x,0.) exp2(x) arccosh(2.) round(x) floor(x) mod(x,0.3) fmod(x,0.3)
    floor_divide(x,0.3) ldexp(x,2) arcsin(0.3) tan(x) reciprocal(x) float_power(x,2.5) divide(1.,x) power(x,3)
    power(x,0.) power(2.,x) power(0.,x) power(x,2.5) remainder(x,-0.3) log2(x) log10(x) deg2rad(x)
    expm1(x) tanh(x) modf(x)[0] frexp(x)[0]
    logaddexp(-jnp.inf,x) select([x>1,x>0],[x,x*x],0.)
""".split()


def test_gradients_at_special_points():
    """First and second derivative; a number in place of x stands for the point."""

    def derivatives(body, m, at):
        f = eval(f"lambda x: m.numpy.{body}", {"m": m, "jnp": m.numpy})
        return m.grad(f)(at), m.grad(m.grad(f))(at)

    rows = []
    for text in GRADIENTS:
        head, _, rest = text.partition("(")
        body = text if "x" in rest else f"{head}(x)"
        for at in (0.3, 1.0, 0.0) if "x" in rest else (float(rest.rstrip(")").partition(",")[0]),):
            rows.append((body, at))
    expected = answers([(partial(derivatives, body, jax), at) for body, at in rows])
    for (body, at), theirs in zip(rows, expected, strict=True):
        for a, b in zip(theirs, derivatives(body, adjoint, at), strict=True):
            np.testing.assert_allclose(np.asarray(b), np.asarray(a), 2e-5, 2e-6, err_msg=f"{body} at {at}")


@pytest.mark.parametrize("text", ["logaddexp(x,y)", "hypot(x,y)", "where(x>y,x,y)", "floor_divide(x,y)", "sinc(x*y)"])
def test_functions_under_vmap_and_jit_of_grad(text):
    """Formulas keep their meaning under nested transformations."""

    def program(m):
        f = eval(f"lambda x, y: m.numpy.{text}.sum()", {"m": m})
        return m.jit(m.vmap(m.grad(f, argnums=(0, 1)), in_axes=(0, None)))

    x = np.linspace(0.5, 3, 6, dtype=np.float32).reshape(3, 2)
    y = np.array([1.1, 0.4], np.float32)
    theirs = program(jax)(*arguments(jax, (x, y)))
    ours = program(adjoint)(*arguments(adjoint, (x, y)))
    for a, b in zip(theirs, ours):
        np.testing.assert_allclose(np.asarray(b), np.asarray(a), 2e-5, 2e-6)


# ---- errors -------------------------------------------------------------------------------------

ERRORS = """
    sin([1,2]) add([1],x) add(x,None) sin('a') negative(b) subtract(b,b) bitwise_and(x,x) bitwise_not(x)
    left_shift(x,1) floor(c) fabs(c) cbrt(c) signbit(c) isposinf(c) copysign(c,c) hypot(c,c) gcd(x,x) lcm(b,b)
    ldexp(x,x) ldexp(c,i) frexp(c) spacing(c) i0(c) floor_divide(c,c) remainder(c,c) power(i,-1) clip(c,0,1) clip()
    clip([1],0) round(i,-1) sign(b) where(x>0,x) where(None,x,x) where([True],x,x) where(x>0,x,x,size=3) nextafter(c,c)
    select([x>0],[x,x]) select([],[]) add(x,x[:2]) add(x,x[:14]) add(x,2**40) heaviside(c,c) trunc(c)
    bitwise_count(x) allclose([1.],[1.]) isclose(x,'a') add(np.array(['a']),x) sin(np.array([None]))
""".split()


# Without compilation JAX lets integers wrap that do not fit, and NumPy takes 'a' for the name of a type.
@pytest.mark.filterwarnings("ignore:Data type alias 'a':DeprecationWarning")
@pytest.mark.parametrize("text", [pytest.param(t, marks=compiling) if "2**40" in t else t for t in ERRORS])
def test_errors_are_of_the_class_that_jax_raises(text):
    """And they have a text."""
    program = program_of(text)
    with pytest.raises(Exception) as theirs, jax.enable_x64(False):
        program(jax.numpy, *arguments(jax, (X, I, B, C)))
    with pytest.raises(Exception) as ours, adjoint.enable_x64(False):
        program(jnp, *arguments(adjoint, (X, I, B, C)))
    assert issubclass(ours.type, theirs.type) and str(ours.value)


# ---- the short cuts -----------------------------------------------------------------------------


def test_short_cut_sees_a_deleted_array():
    """An array that was given away is refused, however often the function was called before."""
    x = jnp.ones(3)
    for _ in range(3):
        jnp.add(x, x), jnp.sin(x), jnp.sinc(x), jnp.where(x > 0, x, x)
    x.delete()
    calls = (lambda: jnp.add(x, x), lambda: jnp.sin(x), lambda: jnp.sinc(x), lambda: jnp.where(x, x, x))
    for call in calls:
        with pytest.raises(RuntimeError, match="deleted"):
            call()


def test_short_cut_is_not_taken_while_tracing():
    """A concrete array in a traced function is an operand of the program, not computed with at once."""
    x = jnp.ones(3)
    for _ in range(3):
        jnp.add(x, x), jnp.sinc(x)
    text = str(adjoint.make_jaxpr(lambda y: (jnp.add(x, x), jnp.sinc(x), y))(1.0))
    assert " add " in text and "sinc" in text


def test_programs_are_planned_for_the_options_in_force():
    """With 64-bit types on, an integer array and a Python float make float64."""
    i = jnp.arange(3)
    for _ in range(3):
        assert jnp.multiply(i, 2.5).dtype == np.float32
    with adjoint.enable_x64(True):
        for _ in range(3):
            assert jnp.multiply(i, 2.5).dtype == np.float64
    assert jnp.multiply(i, 2.5).dtype == np.float32


def test_short_cut_checks_the_size_of_integers():
    """An int that does not fit is an error in every call."""
    x, i = jnp.ones(3), jnp.arange(3)
    for _ in range(3):
        for a in (x, i):
            jnp.add(a, 3)
            with pytest.raises(OverflowError):
                jnp.add(a, 2**40)


def test_replayed_functions_forget():
    """A function keeps a bounded number of programs."""
    f = replay.replayed(lambda x: jnp.sin(x))
    for n in range(1, 2 * replay._MAX_KEYS_PER_FUNCTION):
        f(jnp.ones(n))
        assert len(f.replays) <= replay._MAX_KEYS_PER_FUNCTION


def test_replayed_functions_tell_settings_apart():
    """1, 1.0, True and 0.0, -0.0 are equal, and are not the same setting."""
    f = replay.replayed(lambda x, y: jnp.multiply(x, y))
    x = jnp.arange(3)
    for _ in range(4):
        assert f(x, 1).dtype == x.dtype and f(x, 1.0).dtype == jnp.asarray(1.0).dtype
        assert not np.signbit(f(x, 0.0)[1]) and np.signbit(f(x, -0.0)[1])


# ---- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in ufuncs.__all__ if not isinstance(getattr(jax.numpy, n), jax.numpy.ufunc)])
def test_signatures(name):
    """Parameters have JAX's names, kinds and defaults."""
    ours, theirs = (
        [(p.name, p.kind, p.default) for p in inspect.signature(getattr(m, name)).parameters.values()]
        for m in (jnp, jax.numpy)
    )
    assert theirs == ours


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_spacing(dtype):
    """Away from zero, but for float16, where it is upwards."""
    x = np.array([-1.5, -1, -2, -0.0, 0, 1, 6e-5, -6e-5, np.nan, np.inf, -np.inf, 6e4, -6e4], np.float32)
    theirs, ours = (np.asarray(m.numpy.spacing(m.numpy.asarray(x, dtype)), np.float32) for m in (jax, adjoint))
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("dtype", """
    float32 float16 bfloat16 float8_e4m3fn float8_e5m2 float8_e3m4 float8_e5m2fnuz float4_e2m1fn int8
""".split())
def test_the_sign_of_a_zero_is_that_zero(dtype):
    """As in JAX, by the function, by `lax` and compiled."""
    x = np.array([0.0, -0.0, 3, -2], np.float32)

    def run(m):
        a = m.numpy.asarray(x).astype(dtype)
        return [np.asarray(f(a).astype("float32")) for f in (m.numpy.sign, m.lax.sign, m.jit(m.numpy.sign))]

    for theirs, ours in zip(run(jax), run(adjoint), strict=True):
        assert theirs.tobytes() == ours.tobytes()


@pytest.mark.skipif(adjoint.config.cpu_engine == "xla", reason="XLA keeps the sign only where it optimizes")
def test_the_sign_of_a_complex_zero_is_that_zero():
    """In each part, as in JAX's optimized programs."""
    zeros = np.array([complex(x, y) for x in (0.0, -0.0) for y in (0.0, -0.0)], np.complex64)
    for f in (jnp.sign, adjoint.jit(jnp.sign)):
        assert np.asarray(f(zeros)).tobytes() == zeros.tobytes()


MANY = {
    "exp": jnp.exp, "sign": jnp.sign, "negative": jnp.negative, "sqrt": jnp.sqrt, "a product": lambda x: x * 2.5,
    "a sum": lambda x: x + x, "a comparison": lambda x: x > 0.5, "a power": lambda x: x**x,
    "clip": lambda x: jnp.clip(x, 0.1, 2),
}


@compiling
@pytest.mark.parametrize("name", MANY)
def test_calls_with_very_many_elements_agree(name):
    """Those that NumPy computes, those of code that is made quickly, and of code that is made well."""
    f, x = MANY[name], jnp.linspace(0.01, 3, 2**21)
    first = np.asarray(f(x))
    for _ in range(20):
        last = f(x)
    np.testing.assert_array_equal(first, last)
    np.testing.assert_allclose(first[:999], f(x[:999]), rtol=1e-6)
    assert f(x).dtype == f(x[:999]).dtype


def test_angle_of_a_single_number():
    """JAX promotes a single real number with the default float; not one that is weakly typed, nor arrays."""
    one = np.float16(-1)
    assert jnp.angle(one).dtype == np.float32
    assert adjoint.vmap(jnp.angle)(one[None]).dtype == np.float32
    assert jnp.angle(one[None]).dtype == np.float16
    with adjoint.enable_x64(True):
        assert jnp.angle(np.float32(-1)).dtype == np.float64


@compiling
def test_a_product_with_booleans_of_the_same_shape_is_a_choice():
    x, mask = jnp.array([1.0, np.inf, np.nan, -3.0]), jnp.array([True, False, False, False])
    for f in (lambda a, b: a * b, lambda a, b: b * a, lambda a, b: (a * 2) * (b & b) / 2, lambda a, b: a * (b != 0)):
        assert str(f(x, mask).tolist()) == str(adjoint.jit(f)(x, mask).tolist()) == "[1.0, 0.0, 0.0, 0.0]"
    for f in (
        lambda a, b: a[::2] * b[2:], lambda a, b: a.reshape(2, 2) * b.reshape(2, 2).T, lambda a, b: a * b[None],
        lambda a, b: a[1:, None] * b[1:, None],
    ):
        assert not np.isnan(f(x, mask)).any()
        assert not np.isnan(adjoint.jit(f)(x, mask)).any()
    assert str(adjoint.jit(lambda a, b: a[1] * b)(x, mask).tolist()) == "[inf, 0.0, 0.0, 0.0]"
    assert np.isnan(adjoint.jit(lambda a, b: a[None] * b[:, None])(x, mask)).sum() == 7  # one that is broadcast is none
    assert np.isnan(x * np.float32(0)).sum() == 2


@pytest.mark.parametrize("call", [
    lambda m, x: m.numpy.add(x, x, out=x), lambda m, x: m.numpy.multiply(x, 2, where=x > 0),
    lambda m, x: m.numpy.maximum(x, x, out=x), lambda m, x: m.numpy.add(x, x, 1), lambda m, x: m.numpy.sin(x, out=x),
])
def test_arrays_to_write_to_are_refused_as_by_jax(call):
    x = np.arange(3, dtype=np.float32)
    with pytest.raises((NotImplementedError, TypeError)) as expected:
        call(jax, x)
    with pytest.raises(expected.type):
        call(adjoint, x)
