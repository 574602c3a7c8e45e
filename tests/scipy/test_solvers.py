"""`adjoint.scipy.sparse.linalg`, `adjoint.scipy.optimize` and `odeint` beside JAX and beside what is exact."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.linalg import oracle
from tests.recorded import jax
from tests.streams import coarse, stream

import adjoint
import adjoint.numpy as jnp
from adjoint.experimental.ode import odeint
from adjoint.scipy.optimize import minimize
from adjoint.scipy.sparse import linalg

RNG = stream(5)
A = RNG.normal(size=(4, 4)) + 4 * np.eye(4)
S, B = coarse(A) @ coarse(A).T, RNG.normal(size=4)
L = lambda m: m.scipy.sparse.linalg
TIGHT = dict(tol=1e-13)
LINEAR = [
    ("cg", lambda m, x: L(m).cg(x @ x.T, B, **TIGHT)[0], A), ("cg by b", lambda m, x: L(m).cg(S, x, **TIGHT)[0], B),
    ("cg M", lambda m, x: L(m).cg(x @ x.T, B, x0=B, M=np.diag(1 / np.diag(S)), **TIGHT)[0], A),
    ("cg of few steps", lambda m, x: L(m).cg(S, x, maxiter=2)[0], B),
    ("cg of a tree", lambda m, x: L(m).cg(lambda t: dict(a=2 * t["a"], b=S @ t["b"]), dict(a=x, b=x), **TIGHT)[0], B),
    ("bicgstab", lambda m, x: L(m).bicgstab(x, B, **TIGHT)[0], A),
    ("bicgstab M", lambda m, x: L(m).bicgstab(x, B, M=lambda v: v / np.diag(A), **TIGHT)[0], A),
    ("gmres", lambda m, x: L(m).gmres(x, B, **TIGHT)[0], A),
    ("gmres incremental", lambda m, x: L(m).gmres(x, B, solve_method="incremental", **TIGHT)[0], A),
    ("gmres restarted", lambda m, x: L(m).gmres(x, B, restart=2, **TIGHT)[0], A),
]


def test_values_and_cotangents():
    oracle.compare(oracle.both, LINEAR, 1e-8)


@pytest.mark.parametrize("name", ["cg", "bicgstab", "gmres"])
def test_transformations(name):
    with adjoint.enable_x64(True):
        solve = lambda b: getattr(linalg, name)(jnp.asarray(S), b, tol=1e-12)[0]
        b = np.stack([B, 2 * B, np.zeros(4)])
        np.testing.assert_allclose(adjoint.jit(adjoint.vmap(solve))(b), np.linalg.solve(S, b.T).T, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(adjoint.jacfwd(solve)(jnp.asarray(B)), np.linalg.inv(S), rtol=1e-8, atol=1e-9)
        complex_ = A + 1j * A.T
        hermitian = complex_ @ complex_.conj().T
        x = getattr(linalg, name)(hermitian, B + 1j, tol=1e-12)[0]
        np.testing.assert_allclose(hermitian @ np.asarray(x), B + 1j, rtol=1e-7)


@pytest.mark.parametrize("call", [
    lambda s: s.cg(3, B), lambda s: s.cg(np.ones((2, 3)), B), lambda s: s.cg(S, B, [1.0]), lambda s: s.cg(S, B, B[:3]),
    lambda s: s.cg(lambda x: [x], B), lambda s: s.cg(lambda x: x[:1], B), lambda s: s.gmres(S, B, solve_method="foo"),
])
def test_errors(call):
    oracle.same_errors(lambda m: call(L(m)))


rosenbrock = lambda m, x: m.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
valley = lambda m, x: (x[0] ** 2 + x[1] - 11) ** 2 + (x[0] + x[1] ** 2 - 7) ** 2
LIMITED = "l-bfgs-experimental-do-not-rely-on-this"
MINIMA = [  # with searches that fail, and that end at once
    (valley, [1.0, 1.0], "BFGS", {}), (valley, [1.0, 1.0], LIMITED, {}), (valley, [1.0, 1.0], LIMITED, dict(maxfun=6)),
    (rosenbrock, [0.0] * 4, "BFGS", {}), (rosenbrock, [5.0, -3.0, 2.0, 1.0], LIMITED, dict(maxiter=3)),
    (lambda m, x: x.sum(), [1.0, 2.0], "BFGS", {}),
    (lambda m, x: (1000 + x**4).sum(), [1.0, -2.0], LIMITED, dict(ftol=1e-4, maxcor=3)),
    (lambda m, x: (1e10 * x**2).sum(), [1.0], LIMITED, {}),
]


@pytest.mark.parametrize("function, x0, method, options", MINIMA)
def test_minimize_tries_the_points_that_jax_tries(function, x0, method, options):
    """So the counters and the status are the same, and the result, where the search failed too."""
    with adjoint.enable_x64(True), jax.enable_x64(True):
        ours, theirs = (
            m.scipy.optimize.minimize(lambda x: function(m.numpy, x), m.numpy.array(x0), method=method, options=options)
            for m in (adjoint, jax)
        )
    for field, expected, actual in zip(theirs._fields, theirs, ours):
        if expected is None or field in ("success", "status", "nfev", "njev", "nit"):
            assert expected is actual if expected is None else int(expected) == int(actual), field
        else:
            np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6, err_msg=field)


@pytest.mark.parametrize("function, x0, minimum", [
    (lambda x: jnp.sum((x - jnp.arange(1, 3)) ** 2), [0.0, 0.0], [1.0, 2.0]),
    (lambda x: valley(jnp, x), [3.5, 1.5], [3.0, 2.0]),
    (lambda x: rosenbrock(jnp, x), [0.0, 0.0], [1.0, 1.0]),
    (lambda x: rosenbrock(jnp, x), [-1.2, 1.0], [1.0, 1.0]),
    (lambda x: jnp.sum(jnp.log(jnp.cosh(x - 5))), [0.0], [5.0]),
])
def test_minimize_finds_the_minimum(function, x0, minimum):
    with adjoint.enable_x64(True):
        for run in (lambda x: minimize(function, x, method="BFGS"),
                    adjoint.jit(lambda x: minimize(function, x, method="BFGS", options=dict(gtol=1e-7)))):
            found = run(jnp.array(x0))
            assert bool(found.success) and int(found.status) == 0, found
            np.testing.assert_allclose(found.x, minimum, atol=1e-4)
            assert float(jnp.abs(found.jac).max()) < 1e-5 and int(found.nfev) >= int(found.nit) > 0


def test_minimize_types_are_those_of_jax():
    outs = [m.scipy.optimize.minimize(lambda x: ((x - 2) ** 2).sum(), m.numpy.zeros(2),
        method="BFGS") for m in (jax, adjoint)]
    np.testing.assert_allclose(outs[1].x, outs[0].x, rtol=1e-5)
    assert outs[0]._fields == outs[1]._fields
    types = [[(x.shape, x.dtype, x.weak_type) for x in out] for out in outs]
    assert types[0] == types[1]


def test_minimize_stops():
    found = minimize(lambda x: rosenbrock(jnp, x), jnp.array([-1.2, 1.0]), method="BFGS", options=dict(maxiter=3))
    assert (bool(found.success), int(found.status), int(found.nit)) == (False, 1, 3)
    batch = adjoint.vmap(lambda x: minimize(lambda y: jnp.sum((y - x) ** 2), jnp.zeros(2), method="BFGS").x)
    np.testing.assert_allclose(batch(jnp.arange(4.0).reshape(2, 2)), [[0, 1], [2, 3]], atol=1e-5)


@pytest.mark.parametrize("kwargs", [
    dict(method="foo"), dict(method="BFGS", args=3), dict(method="BFGS", options=dict(foo=1)),
])
def test_minimize_errors(kwargs):
    oracle.same_errors(lambda m: m.scipy.optimize.minimize(lambda x: x.sum(), np.zeros(2), **kwargs))


# ---- odeint --------------------------------------------------------------------------------------

T = np.array([0.0, 0.3, 1.0, 1.1, 2.5])


def predator(m, y, t, a, b):
    return m.numpy.stack([a * y[0] - y[0] * y[1], -b * y[1] + y[0] * y[1] + 0.1 * m.numpy.sin(t)])


def test_odeint_and_its_gradients():
    """Values as JAX's, and the cotangents of the start, of the times and of the arguments."""
    def program(m, solve):
        def loss(y0, t, a, b):
            ys = solve(lambda y, t, a, b: predator(m, y, t, a, b), y0, t, a, b, rtol=1e-9, atol=1e-9)
            return (ys * np.cos(np.arange(10.0).reshape(5, 2))).sum(), ys

        return m.value_and_grad(loss, (0, 1, 2, 3), has_aux=True)

    args = np.array([1.0, 0.5]), T, np.float64(1.1), np.float64(0.7)
    with jax.enable_x64(True), adjoint.enable_x64(True):
        theirs = jax.jit(program(jax, jax.experimental.ode.odeint))(*args)
        ours = program(adjoint, odeint)(*map(jnp.asarray, args))
    oracle.same(theirs, ours, 1e-6, "odeint")


def test_odeint_takes_float32_where_dtypes_do_not_promote():
    """And 64-bit types are on: constants of the method have the dtype of the times."""
    for m in (jax, adjoint):
        solve = m.experimental.ode.odeint
        with m.enable_x64(True), m.numpy_dtype_promotion("strict"):
            found = solve(lambda y, t: -y * t, m.numpy.ones(2, "float32"), m.numpy.array([0, 1], "float32"))
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, [[1, 1], [np.exp(-0.5)] * 2], rtol=1e-5)


@pytest.mark.parametrize("start", [[1.0, 0.5], [3.0, 1.0], [20.0, 0.01]])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_odeint_evaluates_where_jax_does(start, tolerance):
    """The first step, the steps that are refused and their lengths, by the times at which the slope is asked for."""
    def times(m, solve):
        out = []

        def slope(y, t):
            m.debug.callback(lambda t: out.append(float(t)), t, ordered=True)
            return predator(m, y, t, 1.1, 0.7)

        solve(slope, m.numpy.asarray(start), m.numpy.asarray(T), rtol=tolerance, atol=tolerance)
        m.effects_barrier()
        return out

    with jax.enable_x64(True), adjoint.enable_x64(True):
        theirs, ours = times(jax, jax.experimental.ode.odeint), times(adjoint, odeint)
    assert len(theirs) == len(ours)
    np.testing.assert_allclose(ours, theirs, 1e-6, 1e-12)


def test_odeint_of_trees_and_closures():
    with adjoint.enable_x64(True):
        rate = jnp.asarray(0.8)

        def last(rate, y0):
            out = odeint(lambda y, t: dict(p=-rate * y["p"], q=y["p"]), y0, T)
            return out["p"][-1] + 2 * out["q"][-1]

        y0 = dict(p=jnp.asarray(2.0), q=jnp.asarray(0.0))
        decay = np.exp(-0.8 * 2.5)
        value, slope = adjoint.value_and_grad(last)(rate, y0)
        np.testing.assert_allclose(value, 2 * decay + 4 * (1 - decay) / 0.8, rtol=1e-6)
        exact = -5 * decay + 4 * (2.5 * decay / 0.8 - (1 - decay) / 0.8**2)
        np.testing.assert_allclose(slope, exact, rtol=1e-5)
        lines = adjoint.vmap(lambda r: odeint(lambda y, t: -r * y, jnp.asarray(1.0), T))(jnp.array([0.5, 2.0]))
        np.testing.assert_allclose(lines, np.exp(-np.outer([0.5, 2.0], T)), rtol=1e-6)
        turned = odeint(lambda y, t: 1j * y, jnp.asarray(1.0 + 0j), T)
        np.testing.assert_allclose(turned, np.exp(1j * T), rtol=1e-6)


def test_odeint_errors():
    for call in (lambda f: f(lambda y, t: y, np.ones(2), np.array([0, 1])), lambda f: f(lambda y, t, a: y,
        np.ones(2), T, "a")):
        classes = []
        for f in (jax.experimental.ode.odeint, odeint):
            with pytest.raises(Exception) as found:
                call(f)
            classes.append(found.type)
        assert classes[0] == classes[1]


@pytest.mark.parametrize("solver, weak", [
    (linalg.cg, False), (linalg.bicgstab, True), (linalg.gmres, True),
    (partial(linalg.gmres, solve_method="incremental"), False),
])
def test_weak_types_of_solutions(solver, weak):
    """As in JAX, solutions of weakly typed systems are weak, but for those of `cg` and of the incremental `gmres`."""
    assert solver(lambda x: x * 2, 1.0)[0].weak_type == weak
    assert adjoint.jit(lambda b: solver(lambda x: x * 2, b)[0])(1.0).weak_type == weak
    for matrix, b, x0 in ((2.0, np.float32(1), None), (np.float32(2), 1.0, None), (2.0, 1.0, np.float32(1))):
        assert not solver(lambda x, a=matrix: x * a, b, x0)[0].weak_type


@pytest.mark.parametrize("name", ["cg", "gmres", "bicgstab"])
def test_an_operator_that_returns_more_leaves_is_a_value_error(name):
    solve = getattr(adjoint.scipy.sparse.linalg, name)
    with pytest.raises(ValueError, match="output shapes must match b"):
        solve(lambda x: 2 * x, [1.0, 2.0])
    with pytest.raises(TypeError, match="output pytree structure must match b"):
        solve(lambda x: (x[0],), [1.0])


def test_gmres_says_whether_it_found_numbers():
    _, info = adjoint.scipy.sparse.linalg.gmres(jnp.eye(2), jnp.ones(2))
    assert info.dtype == jnp.int32 and info.weak_type and int(info) == 0


@pytest.mark.parametrize("start", [1, np.array([True])])
def test_a_solution_does_not_start_with_integers(start):
    """JAX raises, too: its loop would carry another dtype."""
    with pytest.raises(TypeError, match="dtype (int32|int64|bool)"):
        odeint(lambda y, t: -1.0 * y, start, np.array([0.0, 1.0], "f"))
