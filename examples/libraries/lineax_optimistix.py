"""Linear solves with Lineax and nonlinear ones with Optimistix, and the derivatives of their solutions."""

import jax
import jax.numpy as jnp
import lineax as lx
import optimistix as optx

jax.config.update("jax_enable_x64", True)

matrix = jax.random.normal(jax.random.key(0), (6, 6))
vector = jax.random.normal(jax.random.key(1), (6,))
definite = lx.MatrixLinearOperator(matrix @ matrix.T + jnp.eye(6), lx.positive_semidefinite_tag)
general, tall = lx.MatrixLinearOperator(matrix), lx.MatrixLinearOperator(matrix[:, :4])
for solver, operator in (
    (lx.LU(), general), (lx.QR(), tall), (lx.SVD(), tall), (lx.Cholesky(), definite),
    (lx.AutoLinearSolver(True), general), (lx.CG(rtol=1e-10, atol=1e-10), definite),
    (lx.GMRES(rtol=1e-10, atol=1e-10), general), (lx.BiCGStab(rtol=1e-10, atol=1e-10), definite),
):
    print(type(solver).__name__, lx.linear_solve(operator, vector, solver, throw=False).value)
jacobian = lx.JacobianLinearOperator(lambda x, _: jnp.sin(x) + 2 * x, vector)
print("Jacobian", lx.linear_solve(jacobian, vector).value)
tridiagonal = lx.TridiagonalLinearOperator(jnp.full(6, 2.0), jnp.full(5, -1.0), jnp.full(5, -1.0))
print("tridiagonal", jax.grad(lambda v: lx.linear_solve(tridiagonal, v).value.sum())(vector))


def solution(scale):
    return lx.linear_solve(lx.MatrixLinearOperator(matrix * scale + jnp.eye(6)), vector).value


print("derivative", jax.jacfwd(solution)(0.5), jax.jacrev(solution)(0.5))


def rosenbrock(z, scale):
    return jnp.stack([scale * (z[1] - z[0] ** 2), 1 - z[0]])


start = jnp.array([-1.2, 1.0])
for solver in (optx.LevenbergMarquardt(1e-8, 1e-8), optx.GaussNewton(1e-8, 1e-8), optx.Dogleg(1e-8, 1e-8)):
    found = optx.least_squares(rosenbrock, solver, start, 10.0, throw=False)
    print(type(solver).__name__, found.value, found.stats["num_steps"])
for solver in (optx.BFGS(1e-8, 1e-8), optx.NonlinearCG(1e-8, 1e-8), optx.NelderMead(1e-8, 1e-8)):
    found = optx.minimise(lambda z, a: jnp.sum(rosenbrock(z, a) ** 2), solver, start, 3.0, max_steps=2000, throw=False)
    print(type(solver).__name__, found.value)  # the number of steps depends on rounding


def root(a):
    return optx.root_find(lambda z, a: z**3 + jnp.sin(z) - a, optx.Newton(1e-10, 1e-10), jnp.array(1.0), a).value


print("root", jax.value_and_grad(root)(2.0), jax.vmap(jax.grad(root))(jnp.array([0.5, 1.0, 2.0])))
fixed = optx.FixedPointIteration(1e-10, 1e-10)
print("fixed point", jax.value_and_grad(lambda a: optx.fixed_point(
    lambda z, a: jnp.cos(a * z), fixed, jnp.array(0.5), a).value)(0.9))
