"""Bijectors and distributions of TensorFlow Probability: densities, their derivatives, HMC through a bijector."""

import jax
import jax.numpy as jnp
from tensorflow_probability.substrates import jax as tfp

jax.config.update("jax_enable_x64", True)  # draws of long chains do not depend on rounding

tfb, tfd = tfp.bijectors, tfp.distributions
one, two = jnp.array(1.0), jnp.array(2.0)
chain = tfb.Chain([tfb.Shift(one), tfb.Scale(two), tfb.Softplus()])
z = jnp.linspace(-2.0, 2.0, 5)
print("forward", chain.forward(z))
print("inverse", chain.inverse(chain.forward(z)))
print("log det", jax.jit(lambda z: chain.forward_log_det_jacobian(z, 0))(z))
for bijector in (tfb.Exp(), tfb.Sigmoid(), tfb.Tanh(), tfb.SinhArcsinh(one / 5, two), tfb.SoftClip(-two, two)):
    print(bijector.name, bijector.forward(z), jax.vmap(jax.grad(bijector.forward))(z))
print("triangular", tfb.FillTriangular().forward(jnp.arange(6.0)))
print("simplex", tfb.SoftmaxCentered().forward(jnp.array([0.3, -0.2, 1.0])))
spline = tfb.RationalQuadraticSpline(
    jnp.array([1.0, 1.4, 1.6]), jnp.array([1.8, 1.2, 1.0]), jnp.array([1.5, 0.7]), -two
)
print("spline", spline.forward(z), spline.inverse_log_det_jacobian(z, 0))
normal, matrix = tfd.MultivariateNormalDiag(jnp.zeros(2), jnp.ones(2)), jnp.array([[1.0, 0.0], [0.5, 2.0]])
flow = tfd.TransformedDistribution(normal, tfb.ScaleMatvecTriL(matrix))
print("density", flow.log_prob(jnp.array([0.3, -1.0])), "draw", flow.sample(2, seed=jax.random.key(0)))

concentration = tfd.JointDistributionSequential([
    tfd.Gamma(two, one), lambda a: tfd.Independent(tfd.Gamma(a * jnp.ones(3), two), 1),
])
observed = jnp.array([0.7, 1.9, 1.2])
print("joint", jax.value_and_grad(lambda a: concentration.log_prob([a, observed]))(1.5))
kernel = tfp.mcmc.TransformedTransitionKernel(
    tfp.mcmc.HamiltonianMonteCarlo(lambda a: concentration.log_prob([a, observed]), one / 3, num_leapfrog_steps=4),
    bijector=tfb.Exp(),
)
draws, accepted = tfp.mcmc.sample_chain(
    200, jnp.array(1.0), kernel=kernel, num_burnin_steps=50, seed=jax.random.key(1),
    trace_fn=lambda _, results: results.inner_results.is_accepted,
)
print("posterior", draws.mean(), draws.std(), "accepted", accepted.mean())
