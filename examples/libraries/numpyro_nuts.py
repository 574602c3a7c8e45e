"""Regression with unknown noise, with NUTS of NumPyro: the posterior, predictions, and variational inference beside it.

Warm-up is short on purpose. While the step size adapts, every draw makes differences of rounding larger: they reach
1e-4 after 250 draws, and then a chain draws other numbers from the same posterior.
"""

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, SVI, Predictive, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal

numpyro.enable_x64()

FEATURES = jax.random.normal(jax.random.key(0), (80, 3))
TARGETS = FEATURES @ jnp.array([1.0, -2.0, 0.5]) + 0.7 + 0.5 * jax.random.normal(jax.random.key(1), (80,))


def regression(features, targets=None):
    intercept = numpyro.sample("intercept", dist.Normal(0, 2))
    weights = numpyro.sample("weights", dist.Normal(0, 2).expand([features.shape[1]]).to_event(1))
    noise = numpyro.sample("noise", dist.HalfNormal(1))
    with numpyro.plate("data", len(features)):
        mean = numpyro.deterministic("mean", features @ weights + intercept)
        numpyro.sample("observed", dist.Normal(mean, noise), obs=targets)


sampler = MCMC(NUTS(regression), num_warmup=100, num_samples=300, num_chains=1, progress_bar=False)
sampler.run(jax.random.key(2), FEATURES, TARGETS, extra_fields=("potential_energy", "num_steps"))
draws = sampler.get_samples()
print("weights", draws["weights"].mean(0), draws["weights"].std(0))
print("noise", draws["noise"].mean(), jnp.quantile(draws["noise"], jnp.array([0.1, 0.5, 0.9])))
fields = sampler.get_extra_fields()
print("steps", fields["num_steps"].sum(), "energy", fields["potential_energy"].mean())
predicted = Predictive(regression, draws)(jax.random.key(3), FEATURES[:5])["observed"]
print("predicted", predicted.mean(0))
guide = AutoNormal(regression)
fitted = SVI(regression, guide, numpyro.optim.Adam(0.02), Trace_ELBO()).run(
    jax.random.key(4), 300, FEATURES, TARGETS, progress_bar=False
)
print("bound", fitted.losses[-1], "median", guide.median(fitted.params)["weights"])
