"""Regression with a Gaussian process of GPJax: the marginal likelihood, its maximum, and predictions."""

import gpjax as gpx
import jax
import jax.numpy as jnp
import optax

jax.config.update("jax_enable_x64", True)  # GPJax wants it

x = jnp.sort(jax.random.uniform(jax.random.key(0), (60, 1), minval=-3.0, maxval=3.0), 0)
y = jnp.sin(4 * x) + jnp.cos(2 * x) + 0.3 * jax.random.normal(jax.random.key(1), x.shape)
data = gpx.Dataset(x, y)
prior = gpx.gps.Prior(mean_function=gpx.mean_functions.Zero(), kernel=gpx.kernels.RBF())
model = prior * gpx.likelihoods.Gaussian()


def objective(model, data):
    return -gpx.objectives.conjugate_mll(model, data)


print("before", objective(model, data))
fitted, history = gpx.fit(
    model=model, objective=objective, train_data=data, optim=optax.adam(0.05), num_iters=100,
    key=jax.random.key(2), verbose=False,
)
print("history", history[::25])
print("after", objective(fitted, data))
test = jnp.linspace(-3.5, 3.5, 8)[:, None]
predicted = fitted.likelihood(fitted.predict(test, data))
print("mean", predicted.mean)
print("variance", predicted.variance)
exact, _ = gpx.fit_lbfgs(model=model, objective=objective, train_data=data, max_iters=50)
print("by L-BFGS", objective(exact, data))
