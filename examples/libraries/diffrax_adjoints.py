"""A system of predator and prey, with Diffrax: gradients through the solver by each adjoint, stiffness, noise."""

import diffrax
import jax
import jax.numpy as jnp

TIMES = jnp.linspace(0.0, 4.0, 21)


def growth(t, state, rates):
    prey, predator = state
    birth, hunt, gain, death = rates
    return jnp.stack([birth * prey - hunt * prey * predator, gain * prey * predator - death * predator])


def solve(rates, adjoint):
    return diffrax.diffeqsolve(
        diffrax.ODETerm(growth), diffrax.Tsit5(), TIMES[0], TIMES[-1], 0.05, jnp.array([2.0, 1.0]), rates,
        saveat=diffrax.SaveAt(ts=TIMES), stepsize_controller=diffrax.PIDController(rtol=1e-5, atol=1e-6),
        adjoint=adjoint, max_steps=1000,
    )


def loss_with(adjoint, observed):
    return lambda rates: jnp.mean((solve(rates, adjoint).ys - observed) ** 2)


TRUE, GUESS = jnp.array([1.1, 0.4, 0.1, 0.4]), jnp.array([1.0, 0.5, 0.15, 0.5])
solution = solve(TRUE, diffrax.RecursiveCheckpointAdjoint())
print("last state", solution.ys[-1], "steps", solution.stats["num_accepted_steps"])
for adjoint in diffrax.RecursiveCheckpointAdjoint(), diffrax.DirectAdjoint(), diffrax.BacksolveAdjoint():
    value, gradient = jax.jit(jax.value_and_grad(loss_with(adjoint, solution.ys)))(GUESS)
    print(type(adjoint).__name__, value, gradient)
print("ForwardMode", jax.jacfwd(loss_with(diffrax.ForwardMode(), solution.ys))(GUESS))


def robertson(t, y, k):
    return jnp.stack([
        -k[0] * y[0] + k[2] * y[1] * y[2],
        k[0] * y[0] - k[1] * y[1] ** 2 - k[2] * y[1] * y[2],
        k[1] * y[1] ** 2,
    ])


with jax.enable_x64(True):
    stiff = diffrax.diffeqsolve(
        diffrax.ODETerm(robertson), diffrax.Kvaerno5(), 0.0, 100.0, 2e-4, jnp.array([1.0, 0.0, 0.0]),
        jnp.array([0.04, 3e7, 1e4]), stepsize_controller=diffrax.PIDController(rtol=1e-8, atol=1e-8),
    )
    print("stiff", stiff.ys[0])

noise = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-3, shape=(2,), key=jax.random.key(0))
terms = diffrax.MultiTerm(
    diffrax.ODETerm(lambda t, y, _: -y), diffrax.ControlTerm(lambda t, y, _: 0.1 * jnp.eye(2), noise)
)
path = diffrax.diffeqsolve(
    terms, diffrax.Heun(), 0.0, 1.0, 0.01, jnp.array([1.0, 2.0]), saveat=diffrax.SaveAt(ts=jnp.linspace(0, 1, 5))
)
print("noisy path", path.ys)
