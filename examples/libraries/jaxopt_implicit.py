"""Derivatives of solutions, with JAXopt: the ridge that generalizes best, constraints, roots."""

import jax
import jax.numpy as jnp
import jaxopt

jax.config.update("jax_enable_x64", True)

x = jax.random.normal(jax.random.key(0), (60, 5))
y = x @ jnp.array([1.0, -1.0, 0.5, 0.0, 2.0]) + 0.5 * jax.random.normal(jax.random.key(1), (60,))
train, held_out = (x[:40], y[:40]), (x[40:], y[40:])


def ridge(weights, strength, data):
    features, targets = data
    return jnp.mean((features @ weights - targets) ** 2) + jnp.exp(strength) * weights @ weights


solver = jaxopt.LBFGS(ridge, tol=1e-10, maxiter=200, implicit_diff=True)


def error(strength):
    weights = solver.run(jnp.zeros(5), strength, train).params
    return jnp.mean((held_out[0] @ weights - held_out[1]) ** 2)


print("weights", solver.run(jnp.zeros(5), -2.0, train).params)
print("error", jax.value_and_grad(error)(-2.0))
print("errors", jax.vmap(jax.grad(error))(jnp.linspace(-3.0, 0.0, 4)))

projected = jaxopt.ProjectedGradient(ridge, jaxopt.projection.projection_simplex, tol=1e-10)
print("on the simplex", projected.run(jnp.full(5, 0.2), hyperparams_proj=1.0, strength=-2.0, data=train).params)
lasso = jaxopt.ProximalGradient(
    lambda w, data: jnp.mean((data[0] @ w - data[1]) ** 2), jaxopt.prox.prox_lasso, tol=1e-10
)
sparse = jax.jacrev(lambda s: lasso.run(jnp.zeros(5), hyperparams_prox=s, data=train).params)(0.3)
print("lasso's derivative", sparse)
root = jaxopt.Bisection(lambda z, a: z**3 + z - a, lower=-10.0, upper=10.0, check_bracket=False)
print("root", jax.value_and_grad(lambda a: root.run(a=a).params)(3.0))
fixed = jaxopt.AndersonAcceleration(lambda z, a: jnp.cos(a * z), tol=1e-12)
print("fixed point", jax.value_and_grad(lambda a: fixed.run(jnp.array(0.5), a).params)(0.9))
quadratic = jaxopt.EqualityConstrainedQP()
terms = jnp.array([[2.0, 0.5], [0.5, 1.0]]), jnp.array([1.0, 1.0])
equality = jnp.array([[1.0, 1.0]]), jnp.array([1.0])
print("quadratic program", quadratic.run(params_obj=terms, params_eq=equality).params.primal)
