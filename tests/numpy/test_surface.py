"""Every function, with generated arguments: types, errors, values and derivatives, under every transformation.

The expressions are in `surface.py`. Where JAX fails by accident (an AttributeError, "list index out of range") any
answer counts, and NumPy's class of error counts as much as JAX's; what else differs on purpose is in `OURS`.
"""

from __future__ import annotations

import itertools
import re
import warnings
from functools import cache

import ml_dtypes
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.modes import unchecked
from tests.recorded import jax

import adjoint
from adjoint.test_util import check_grads

from .surface import ELSEWHERE, TABLES, expressions
from .test_signatures import SECTIONS, home

CHUNK = 30
CHUNKS = [
    pytest.param(rows[i : i + CHUNK], id=f"{name}{i // CHUNK}")
    for name, table in TABLES.items() for rows in [expressions(table)] for i in range(0, len(rows), CHUNK)
]
# Expressions whose answers differ from JAX's, with the reason; "*" stands for any function.
OURS = {
    r"n.geomspace": "JAX's own steps promote ranks",
    r"n.array_equiv": "of dtypes that do not promote JAX says that they differ",
    r"n.ix_\(|n.partition|n.kron|n.argpartition": "JAX has no booleans here",
    r"n.linalg.vector_norm": "JAX keeps integers: the norm of [0, 1, 2, 3] is 1",
    r"l.cumlogsumexp|arg(max|min)\(|put_along": "JAX takes dtypes that it cannot compile",
    r"n.cumulative_prod": "small integers are multiplied as the default one, as the array API standard has it",
    r"n.compress|n.extract": "which of the errors of a traced condition is raised",
    r"n.pad": "NumPy's error for empty axes",
    r"l.associative_scan": "negative axes work",
    r"l.bitcast_convert_type": "of booleans: another error",
    r"l.linalg.(cholesky|eigh|triangular_solve|qdwh)": "dtypes that LAPACK has not are refused at once",
    r"n.linalg.norm|fft2": "an axis that is given twice is an error of its own, for `norm` as in NumPy",
    r"n.histogram2d": "of no points there is a histogram, as in NumPy",
    r"l.reduce_(and|or|xor)": "axes out of range are refused at once; JAX's compiler refuses them",
    r"axis_name='k'": "collectives under vmap: see docs/differences.md",
}
SHAPES = [
    ((2, 3), (3,)), ((3,), ()), ((), (3,)), ((0, 3), (3,)), ((1, 4), (4, 1)), ((4,), (2, 3)), ((2, 3, 3), (3,)),
    ((3, 3), (3, 3)), ((), ()),
]
DTYPES = ["float32", "int32", "complex64", "uint8", "bool", "bfloat16", "float16", "int16"]
ACCIDENTS = ("AttributeError", "ZeroDivisionError", "AssertionError", "KeyError", "UnboundLocalError")


@cache
def compiled(row: str):
    return compile(row, f"<{row}>", "eval")


def evaluate(m, row, case, x, y, q):
    names = dict(n=m if m is np else m.numpy, l=None if m is np else m.lax, m=m, np=np, x=x, y=y, q=q)
    return eval(compiled(row), {**names, **case})


def numbers(shape, dtype, start: float):
    """Numbers of both signs, no two of one size and none whole, where the dtype has them."""
    n = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    values = (n * 5 % 7 + n / 16 + start) * np.where(n % 3, 1, -1)
    values = values + 1j * (n % 4 - 1.25) if dtype == "complex64" else values
    return values.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


def positive(dtype):
    """A symmetric positive definite matrix."""
    m = np.arange(9).reshape(3, 3) % 4
    return (m + m.T + np.diag([9, 10, 13])).astype(dtype)


@st.composite
def cases(draw):
    shapes = draw(st.sampled_from(SHAPES))
    kinds = draw(st.sampled_from(DTYPES)), draw(st.sampled_from(["float32", "int32"]))
    x, y = (numbers(s, d, start) for s, d, start in zip(shapes, kinds, (0.313, 1.717)))
    axes = dict(zip("iab", draw(st.tuples(st.integers(-1, 3), st.integers(-3, 2), st.integers(-2, 1)))))
    return axes, (x, y, positive(x.dtype))


def kinds(m, row, case, args):
    """Shape, dtype and weakness of each result, or the error."""
    try:
        out = m.eval_shape(lambda *args: evaluate(m, row, case, *args), *args)
    except Exception as error:
        return error
    return [(v.shape, str(v.dtype), v.weak_type) if hasattr(v, "weak_type") else repr(v) for v in m.tree.leaves(out)]


def is_accident(error) -> bool:
    text = str(error)
    return type(error).__name__ in ACCIDENTS or "index out of range" in text or "out of bounds for axis" in text


def agree(row, case, args, theirs, ours) -> bool:
    if any(re.search(pattern, row) for pattern in OURS):
        return True
    if not isinstance(theirs, Exception):
        return theirs == ours
    if is_accident(theirs):
        return True
    if not isinstance(ours, Exception):
        return False
    allowed = {type(theirs).__name__}
    try:
        evaluate(np, row, case, *args)
    except Exception as error:
        allowed.add(type(error).__name__)
    return bool(allowed & {c.__name__ for c in type(ours).__mro__})


def types_of(case):
    return [(a.shape, a.dtype.name) for a in case[1]]


@pytest.mark.parametrize("rows", CHUNKS)
@settings(max_examples=1, phases=[Phase.generate])
@given(drawn=st.lists(cases(), min_size=7, max_size=7, unique_by=lambda case: tuple(types_of(case))))
def test_types_and_errors(rows, drawn):
    """Each expression with one of the cases: they are a prime number, so that variants of a function get others."""
    assert_agree(rows, drawn)


@pytest.mark.parametrize("rows", CHUNKS)
@pytest.mark.parametrize("option, value", [("numpy_rank_promotion", "raise"), ("numpy_dtype_promotion", "strict")])
def test_types_and_errors_where_nothing_is_promoted(option, value, rows):
    """Of operands of one dtype, whose ranks differ."""
    made = [
        (CASE, (numbers(shape, dtype, 0.313), numbers((3,), dtype, 1.717), positive(dtype)))
        for shape, dtype in [((2, 3), "float32"), ((3,), "int32"), ((3, 3), "complex64"), ((2, 3, 3), "bfloat16")]
    ]
    with getattr(jax, option)(value), getattr(adjoint, option)(value):
        assert_agree(rows, made)


def assert_agree(rows, cases):
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for row, (case, args) in zip(rows, itertools.cycle(cases)):
            theirs, ours = (kinds(m, row, case, args) for m in (jax, adjoint))
            if not agree(row, case, args, theirs, ours):
                found.append(
                    f"{row} {case} {types_of((case, args))}\n  JAX: {theirs!r:.150}\n  adjoint: {ours!r:.150}"
                )
    assert not found, "\n".join(found)


# ---- values and derivatives ----------------------------------------------------------------------

# Results that are not unique, or no arrays; of polydiv, XLA without optimisation makes something else.
RANDOM = re.compile(
    r"eig|svd|schur|hessenberg|qr\(|lu\(|ormqr|householder|tridiagonal\(|empty|rng_|qdwh|lstsq|printoptions"
    r"|shape_as_value|n.polydiv"
)
ROUNDED = re.compile(r"float16|float32|reduce_precision|stop_gradient")
CASE = dict(i=1, a=-1, b=0)


def operands(dtype, shape=(2, 3)):
    return numbers(shape, dtype, 0.313), numbers(shape[-1:], dtype, 1.717), positive(dtype)


def leaves(m, row, args):
    out = m.tree.leaves(evaluate(m, row, CASE, *args))
    return [v for v in out if hasattr(v, "weak_type")]


def close(expected, actual, row):
    rtol = 1e-3 if "float16" in row else 3e-5
    for a, b in zip(expected, actual, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert a.shape == b.shape, row
        kind = np.complex128 if a.dtype.kind == "c" else np.float64
        size = np.abs(a[np.isfinite(a)].astype(kind)).max(initial=1e-3)
        np.testing.assert_allclose(b.astype(kind), a.astype(kind), rtol=rtol, atol=rtol * size, err_msg=row)


def by_numpy(row, args, ours):
    """The values that NumPy gives, if they are those of the arrays `ours`; else JAX is asked."""
    try:
        expected = [np.asarray(v) for v in jax.tree.leaves(evaluate(np, row, CASE, *args))]
        close(expected, leaves(adjoint, row, ours), row)
    except Exception:
        return None
    return expected


def runs(row, args) -> bool:
    return not isinstance(kinds(adjoint, row, CASE, args), Exception)


def at_once(m, rows, args):
    """The results of each row, compiled as one program; of rows that fail, the errors."""
    try:
        return dict(zip(rows, m.jit(lambda *xs: [leaves(m, row, xs) for row in rows])(*args), strict=True))
    except Exception as error:
        if len(rows) == 1:
            return {rows[0]: error}
    return {k: v for row in rows for k, v in at_once(m, [row], args).items()}


@pytest.mark.parametrize("rows", CHUNKS)
def test_values(rows):
    """Evaluated, replayed, compiled and mapped: the values of NumPy, or of JAX."""
    args, found = operands("float32"), []
    jnp = adjoint.numpy
    ours = [jnp.asarray(x) for x in args]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = [row for row in rows if not RANDOM.search(row) and not any(re.search(p, row) for p in OURS)]
        rows = [row for row in rows if runs(row, args)]
        expected = {row: by_numpy(row, args, ours) for row in rows}
        asked = [row for row in rows if expected[row] is None]  # what NumPy has not, or has otherwise
        expected.update(at_once(jax, asked, [jax.numpy.asarray(x) for x in args]))
        rows = [row for row in rows if not isinstance(expected[row], Exception)]
        compiled = at_once(adjoint, rows, ours)
        for row in rows:
            run = lambda *xs: leaves(adjoint, row, xs)
            mapped = lambda *xs: [v[1] for v in adjoint.vmap(run)(*[jnp.stack([x, x]) for x in xs])]
            try:
                for actual in (compiled[row], *(call(*ours) for call in (run, run, run, mapped))):
                    close(expected[row], actual, row)
            except Exception as error:
                found.append(f"{row}: {error!s:.500}")
    assert not found, "\n".join(found)


@unchecked
@pytest.mark.parametrize("rows", CHUNKS)
def test_derivatives(rows):
    """To order 2, where JAX has them, those of finite differences."""
    found = []
    with adjoint.enable_x64(True), jax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        args = [adjoint.numpy.asarray(x) for x in operands("float64")]
        for row in rows:
            def smooth(m, *args):
                return [v for v in leaves(m, row, args) if v.dtype.kind in "fc"]

            if not runs(row, args) or RANDOM.search(row) or any(re.search(p, row) for p in OURS):
                continue
            try:
                assert_same_derivatives(row, smooth, args)
            except Exception as error:
                found.append(f"{row}: {type(error).__name__}: {error!s:.300}")
    assert not found, "\n".join(found)


def assert_same_derivatives(row, smooth, args):
    """Finite differences decide; JAX is asked where they cannot, and whether what fails should."""
    values = smooth(adjoint, *args)
    checked = not ROUNDED.search(row) and values and all(np.isfinite(np.asarray(v)).all() for v in values)
    if differentiates(adjoint, smooth) and checked:
        run = lambda *args: smooth(adjoint, *map(adjoint.numpy.asarray, args))
        check_grads(run, args, order=2, rtol=1e-3, atol=1e-3, modes=("rev",))
    else:
        assert differentiates(adjoint, smooth) == differentiates(jax, smooth) or "random_gamma_grad" in row  # ours is


def differentiates(m, smooth) -> bool:
    """Whether the gradient can be traced."""
    def total(x, y, q):
        return sum(m.numpy.sum(v.real) for v in smooth(m, x, y, q))

    try:
        m.eval_shape(m.grad(total, (0, 1, 2)), *operands("float64"))
    except Exception:
        return False
    return True


def test_every_function_has_an_expression():
    text = "\n".join(row for table in TABLES.values() for row in expressions(table))
    prefixes = {
        "jax.numpy": "n", "jax.numpy.linalg": "n.linalg", "jax.numpy.fft": "n.fft", "jax.lax": "l",
        "jax.lax.linalg": "l.linalg",
    }
    for section, prefix in prefixes.items():
        elsewhere = ELSEWHERE["lax"].split()
        functions = [
            name for name in SECTIONS[section]
            if name not in elsewhere and not name.endswith("_p") and is_function(getattr(home(section), name, None))
        ]
        assert [n for n in functions if not re.search(rf"(^|[^\w.]){re.escape(prefix)}\.{n}\b", text)] == []


def is_function(value) -> bool:
    """Whether it computes something; dtypes, which make scalars, do not."""
    return callable(value) and not isinstance(value, type) and not hasattr(value, "dtype")
