"""Optimizers as triples of pure functions.

    opt_init, opt_update, get_params = adam(1e-3)
    state = opt_init(params)
    state = opt_update(step, gradients, state)
    params = get_params(state)

An optimizer is written for one array; `optimizer` lifts it to trees. The state is a pytree with a class
of its own, so that it goes through `jit` and says what is wrong when gradients have another structure.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce, wraps
from typing import Any

import numpy as np

from .. import numpy as jnp
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.process.records import NamedTuple
from ..core.tree.tree import register_pytree_node, tree_flatten, tree_leaves, tree_map, tree_unflatten

__all__ = [
    "JoinPoint", "Optimizer", "OptimizerState", "adagrad", "adam", "adamax", "clip_grads", "constant",
    "exponential_decay", "inverse_time_decay", "l2_norm", "make_schedule", "momentum", "nesterov",
    "optimizer", "pack_optimizer_state", "piecewise_constant", "polynomial_decay", "rmsprop",
    "rmsprop_momentum", "sgd", "sm3", "unpack_optimizer_state",
]

Schedule = Callable[[Any], Any]


class OptimizerState(NamedTuple):
    """The state of an optimizer: for each parameter its leaves, the parameters' tree, the leaves' trees.

    >>> sgd(0.1).init_fn({"w": 1.0}).tree_def
    PyTreeDef({'w': *})
    """

    packed_state: Any
    tree_def: Any
    subtree_defs: Any


register_pytree_node(
    OptimizerState,
    lambda s: ((s.packed_state,), (s.tree_def, s.subtree_defs)),
    lambda data, children: OptimizerState(children[0], data[0], data[1]),
)


class Optimizer(NamedTuple):
    """The three functions of an optimizer.

    >>> init, update, get_params = sgd(0.1)
    >>> get_params(update(0, jnp.array([1.0]), init(jnp.zeros(1))))
    Array([-0.1], dtype=float32)
    """

    init_fn: Callable
    update_fn: Callable
    params_fn: Callable


def optimizer(opt_maker: Callable) -> Callable[..., Optimizer]:
    """Lift an optimizer for arrays to trees of arrays.

    Args:
      opt_maker: returns (init, update, get_params) for one array: ``init(x)``, ``update(i, g, state)``,
        ``get_params(state)``.
    Returns:
      The same function, whose results take trees of arrays.
    Raises:
      TypeError: by `update`, if the tree of the gradients is not that of the parameters, or an array has another shape.

    >>> @optimizer
    ... def plain(step_size):
    ...     return (lambda x: x), (lambda i, g, x: x - step_size * g), (lambda x: x)
    >>> init, update, get_params = plain(0.5)
    >>> get_params(update(0, {"w": jnp.ones(2)}, init({"w": jnp.zeros(2)})))
    {'w': Array([-0.5, -0.5], dtype=float32)}
    """

    @wraps(opt_maker)
    def tree_opt_maker(*args, **kwargs):
        init, update, get_params = opt_maker(*args, **kwargs)

        @wraps(init)
        def tree_init(x0_tree):
            x0s, tree = tree_flatten(x0_tree)
            states, subtrees = _flattened([init(x0) for x0 in x0s])
            return OptimizerState(states, tree, subtrees)

        @wraps(update)
        def tree_update(i, grad_tree, opt_state):
            states_flat, tree, subtrees = opt_state
            grads, grad_treedef = tree_flatten(grad_tree)
            if grad_treedef != tree:
                raise TypeError(
                    message(
                        "optimizer update function was passed a gradient tree that did not match the "
                        "parameter tree structure with which it was initialized: parameter tree "
                        f"{tree} and grad tree {grad_treedef}.",
                        fix="pass grad(loss)(get_params(state), ...), whose structure is that of the "
                        "parameters",
                    )
                )
            states = map(tree_unflatten, subtrees, states_flat)
            new_states = [update(i, g, s) for g, s in zip(grads, states, strict=True)]
            new_flat, new_subtrees = _flattened(new_states)
            for old, new in zip(subtrees, new_subtrees):
                if old != new:
                    raise TypeError(
                        f"optimizer update function produced an output structure that did not match its "
                        f"input structure: input {old} and output {new}."
                    )
            return OptimizerState(new_flat, tree, subtrees)

        @wraps(get_params)
        def tree_get_params(opt_state):
            states_flat, tree, subtrees = opt_state
            states = map(tree_unflatten, subtrees, states_flat)
            return tree_unflatten(tree, [get_params(s) for s in states])

        return Optimizer(tree_init, tree_update, tree_get_params)

    return tree_opt_maker


def _flattened(states) -> tuple[tuple, tuple]:
    pairs = [tree_flatten(s) for s in states]
    return tuple(leaves for leaves, _ in pairs), tuple(tree for _, tree in pairs)


# ---- optimizers ------------------------------------------------------------------------------------


@optimizer
def sgd(step_size):
    """Return the optimizer that goes down the gradient: ``x - step_size * g``.

    Args:
      step_size: a number, or a schedule: a function of the number of the step.
    Returns:
      An `Optimizer`: `(init, update, get_params)`; ``update(i, gradients, state)`` is the state after step i.
    Raises:
      TypeError: by `update`, if the tree of the gradients is not that of the parameters, or an array has another shape.

    >>> init, update, get_params = sgd(0.1)
    >>> get_params(update(0, jnp.array([1.0, -2.0]), init(jnp.zeros(2))))
    Array([-0.1,  0.2], dtype=float32)
    """
    step_size = make_schedule(step_size)
    return (lambda x0: x0), (lambda i, g, x: x - step_size(i) * g), (lambda x: x)


@optimizer
def momentum(step_size: Schedule, mass: float):
    """Return gradient descent with momentum: ``v = mass * v + g``, ``x - step_size * v``.

    Args:
      step_size: a number, or a schedule: a function of the number of the step.
      mass: how much of the velocity stays, below 1.
    Returns:
      An `Optimizer`: `(init, update, get_params)`; ``update(i, gradients, state)`` is the state after step i.
    Raises:
      TypeError: by `update`, if the tree of the gradients is not that of the parameters, or an array has another shape.

    >>> init, update, get_params = momentum(0.1, mass=0.9)
    >>> get_params(update(0, jnp.array([1.0, -2.0]), init(jnp.zeros(2))))
    Array([-0.1,  0.2], dtype=float32)
    """
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, velocity = state
        velocity = mass * velocity + g
        return x - step_size(i) * velocity, velocity

    return (lambda x0: (x0, jnp.zeros_like(x0))), update, (lambda state: state[0])


@optimizer
def nesterov(step_size: Schedule, mass: float):
    """Return gradient descent with Nesterov's momentum.

    Args:
      step_size: a number, or a schedule: a function of the number of the step.
      mass: how much of the velocity stays, below 1.
    Returns:
      An `Optimizer`: `(init, update, get_params)`; ``update(i, gradients, state)`` is the state after step i.
    Raises:
      TypeError: by `update`, if the tree of the gradients is not that of the parameters, or an array has another shape.

    >>> init, update, get_params = nesterov(0.1, mass=0.9)
    >>> get_params(update(0, jnp.array([1.0, -2.0]), init(jnp.zeros(2))))
    Array([-0.19,  0.38], dtype=float32)
    """
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, velocity = state
        velocity = mass * velocity + g
        return x - step_size(i) * (mass * velocity + g), velocity

    return (lambda x0: (x0, jnp.zeros_like(x0))), update, (lambda state: state[0])


@optimizer
def adagrad(step_size, momentum=0.9):
    """Return Adagrad with momentum.

    Source: Duchi, Hazan, Singer, "Adaptive subgradient methods" (2011).

    Args:
      step_size: a number, or a schedule: a function of the number of the step.
      momentum: how much of the last step stays, below 1.
    Returns:
      An `Optimizer`: `(init, update, get_params)`; ``update(i, gradients, state)`` is the state after step i.
    Raises:
      TypeError: by `update`, if the tree of the gradients is not that of the parameters, or an array has another shape.

    >>> init, update, get_params = adagrad(0.1)
    >>> get_params(update(0, jnp.array([1.0, -2.0]), init(jnp.zeros(2))))
    Array([-0.01,  0.01], dtype=float32)
    """
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, g_sq, m = state
        g_sq += jnp.square(g)
        scale = jnp.where(g_sq > 0, 1.0 / jnp.sqrt(jnp.where(g_sq > 0, g_sq, 1.0)), 0.0)
        m = (1.0 - momentum) * (g * scale) + momentum * m
        return x - step_size(i) * m, g_sq, m

    init = lambda x0: (x0, jnp.zeros_like(x0), jnp.zeros_like(x0))
    return init, update, (lambda state: state[0])


@optimizer
def rmsprop(step_size, gamma=0.9, eps=1e-8):
    """Return RMSProp: the gradient over the root of its running mean square.

    Args:
      step_size: a number, or a schedule: a function of the number of the step.
      gamma: how much of the running mean stays, below 1.
      eps: is added to the mean square before its root is taken.
    Returns:
      An `Optimizer`: `(init, update, get_params)`; ``update(i, gradients, state)`` is the state after step i.
    Raises:
      TypeError: by `update`, if the tree of the gradients is not that of the parameters, or an array has another shape.

    >>> init, update, get_params = rmsprop(0.1)
    >>> get_params(update(0, jnp.array([1.0, -2.0]), init(jnp.zeros(2))))
    Array([-0.31622773,  0.31622776], dtype=float32)
    """
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, mean_sq = state
        mean_sq = mean_sq * gamma + jnp.square(g) * (1.0 - gamma)
        return x - step_size(i) * g / jnp.sqrt(mean_sq + eps), mean_sq

    return (lambda x0: (x0, jnp.zeros_like(x0))), update, (lambda state: state[0])


@optimizer
def rmsprop_momentum(step_size, gamma=0.9, eps=1e-8, momentum=0.9):
    """Return RMSProp with momentum.

    Args:
      step_size: a number, or a schedule: a function of the number of the step.
      gamma: how much of the running mean stays, below 1.
      eps: is added to the mean square before its root is taken.
      momentum: how much of the last step stays, below 1.
    Returns:
      An `Optimizer`: `(init, update, get_params)`; ``update(i, gradients, state)`` is the state after step i.
    Raises:
      TypeError: by `update`, if the tree of the gradients is not that of the parameters, or an array has another shape.

    >>> init, update, get_params = rmsprop_momentum(0.1)
    >>> get_params(update(0, jnp.array([1.0, -2.0]), init(jnp.zeros(2))))
    Array([-0.31622773,  0.31622776], dtype=float32)
    """
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, mean_sq, mom = state
        mean_sq = gamma * mean_sq + jnp.square(g) * (1.0 - gamma)
        mom = momentum * mom + step_size(i) * g / jnp.sqrt(mean_sq + eps)
        return x - mom, mean_sq, mom

    init = lambda x0: (x0, jnp.zeros_like(x0), jnp.zeros_like(x0))
    return init, update, (lambda state: state[0])


@optimizer
def adam(step_size, b1=0.9, b2=0.999, eps=1e-8):
    """Return Adam.

    Source: Kingma, Ba, "Adam: a method for stochastic optimization" (2014).

    Args:
      step_size: a number, or a schedule: a function of the number of the step.
      b1: how much of the running mean of the gradient stays.
      b2: how much of that of its square stays.
      eps: is added to the denominator.
    Returns:
      An `Optimizer`: `(init, update, get_params)`; ``update(i, gradients, state)`` is the state after step i.
    Raises:
      TypeError: by `update`, if the tree of the gradients is not that of the parameters, or an array has another shape.

    >>> init, update, get_params = adam(0.1)
    >>> get_params(update(0, jnp.array([1.0, -2.0]), init(jnp.zeros(2))))
    Array([-0.09999934,  0.09999934], dtype=float32)
    """
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, m, v = state
        m = (1 - b1) * g + b1 * m
        v = (1 - b2) * jnp.square(g) + b2 * v
        mhat = m / (1 - jnp.asarray(b1, m.dtype) ** (i + 1))
        vhat = v / (1 - jnp.asarray(b2, m.dtype) ** (i + 1))
        return x - step_size(i) * mhat / (jnp.sqrt(vhat) + eps), m, v

    init = lambda x0: (x0, jnp.zeros_like(x0), jnp.zeros_like(x0))
    return init, update, (lambda state: state[0])


@optimizer
def adamax(step_size, b1=0.9, b2=0.999, eps=1e-8):
    """Return Adam with the infinity norm.

    Source: Kingma, Ba, "Adam: a method for stochastic optimization" (2014), section 7.

    Args:
      step_size: a number, or a schedule: a function of the number of the step.
      b1: how much of the running mean of the gradient stays.
      b2: how much of the running maximum of the gradient stays.
      eps: is added to the denominator.
    Returns:
      An `Optimizer`: `(init, update, get_params)`; ``update(i, gradients, state)`` is the state after step i.
    Raises:
      TypeError: by `update`, if the tree of the gradients is not that of the parameters, or an array has another shape.

    >>> init, update, get_params = adamax(0.1)
    >>> get_params(update(0, jnp.array([1.0, -2.0]), init(jnp.zeros(2))))
    Array([-0.09999998,  0.09999998], dtype=float32)
    """
    step_size = make_schedule(step_size)

    def update(i, g, state):
        x, m, u = state
        m = (1 - b1) * g + b1 * m
        u = jnp.maximum(b2 * u, jnp.abs(g))
        scale = step_size(i) / (1 - jnp.asarray(b1, m.dtype) ** (i + 1))
        return x - scale * m / (u + eps), m, u

    init = lambda x0: (x0, jnp.zeros_like(x0), jnp.zeros_like(x0))
    return init, update, (lambda state: state[0])


@optimizer
def sm3(step_size, momentum=0.9):
    """Return SM3: one accumulator for each row of each axis instead of one for each element.

    Source: Anil, Gupta, Koren, Singer, "Memory-efficient adaptive optimization" (2019).

    Args:
      step_size: a number, or a schedule: a function of the number of the step.
      momentum: how much of the last step stays, below 1.
    Returns:
      An `Optimizer`: `(init, update, get_params)`; ``update(i, gradients, state)`` is the state after step i.
    Raises:
      TypeError: by `update`, if the tree of the gradients is not that of the parameters, or an array has another shape.

    >>> init, update, get_params = sm3(0.1)
    >>> get_params(update(0, jnp.array([1.0, -2.0]), init(jnp.zeros(2))))
    Array([-0.01,  0.01], dtype=float32)
    """
    step_size = make_schedule(step_size)

    def init(x0):
        x0 = jnp.asarray(x0)
        rows = [jnp.zeros(n, x0.dtype) for n in x0.shape or ((),)]  # a scalar is one row
        return x0, jnp.zeros_like(x0), rows

    def update(i, g, state):
        x, m, rows = state
        if x.ndim:
            rows = [jnp.expand_dims(v, _others(k, x.ndim)) for k, v in enumerate(rows)]
        accumulated = reduce(jnp.minimum, rows) + jnp.square(g)
        scale = jnp.where(accumulated > 0, 1.0 / jnp.sqrt(jnp.where(accumulated > 0, accumulated, 1)), 0)
        m = (1.0 - momentum) * (g * scale) + momentum * m
        rows = [accumulated.max(_others(k, x.ndim)) for k in range(x.ndim)] or [accumulated]
        return x - step_size(i) * m, m, rows

    return init, update, (lambda state: state[0])


def _others(axis: int, ndim: int) -> tuple[int, ...]:
    """Return all axes but one."""
    return tuple(i for i in range(ndim) if i != axis)


# ---- schedules --------------------------------------------------------------------------------------


def constant(step_size) -> Schedule:
    """Return a schedule with the same step size in every step.

    Args:
      step_size: a number.
    Returns:
      A schedule: a function of the number of the step, which gives its size.

    >>> constant(0.1)(5)
    0.1
    """
    return lambda i: step_size


def exponential_decay(step_size, decay_steps, decay_rate) -> Schedule:
    """Return the schedule ``step_size * decay_rate ** (i / decay_steps)``.

    Args:
      step_size: that of step 0.
      decay_steps: after how many steps one factor `decay_rate` is reached.
      decay_rate: the factor.
    Returns:
      A schedule: a function of the number of the step, which gives its size.
    Raises:
      ZeroDivisionError: by the schedule, if `decay_steps` is 0 and the number of the step is an int.

    >>> exponential_decay(0.1, decay_steps=10, decay_rate=0.5)(20)
    0.025
    """
    return lambda i: step_size * decay_rate ** (i / decay_steps)


def inverse_time_decay(step_size, decay_steps, decay_rate, staircase=False) -> Schedule:
    """Return the schedule ``step_size / (1 + decay_rate * i / decay_steps)``.

    Args:
      step_size: that of step 0.
      decay_steps: the unit of time, in steps.
      decay_rate: how fast it decays.
      staircase: whether it changes once in `decay_steps` only.
    Returns:
      A schedule: a function of the number of the step, which gives its size.
    Raises:
      ZeroDivisionError: by the schedule, if `decay_steps` is 0 and the number of the step is an int.

    >>> inverse_time_decay(0.1, decay_steps=10, decay_rate=1.0)(10)
    0.05
    """
    if staircase:
        return lambda i: step_size / (1 + decay_rate * jnp.floor(i / decay_steps))
    return lambda i: step_size / (1 + decay_rate * i / decay_steps)


def polynomial_decay(step_size, decay_steps, final_step_size, power=1.0) -> Schedule:
    """Return a schedule from `step_size` to `final_step_size` in `decay_steps`, as a power of what is left.

    Args:
      step_size: that of step 0.
      decay_steps: when `final_step_size` is reached.
      final_step_size: that of all later steps.
      power: the exponent; 1 is a straight line.
    Returns:
      A schedule: a function of the number of the step, which gives its size.
    Raises:
      ZeroDivisionError: by the schedule, if `decay_steps` is 0 and the number of the step is an int.

    >>> print(polynomial_decay(0.1, decay_steps=10, final_step_size=0.0)(5))
    0.05
    """

    def schedule(step_num):
        step_num = jnp.minimum(step_num, decay_steps)
        left = (1 - step_num / decay_steps) ** power
        return left * (step_size - final_step_size) + final_step_size

    return schedule


def piecewise_constant(boundaries: Any, values: Any) -> Schedule:
    """Return the schedule that is ``values[k]`` between the k-th boundaries.

    Args:
      boundaries: numbers of steps, in order.
      values: step sizes, one more than boundaries.
    Returns:
      A schedule: a function of the number of the step, which gives its size.
    Raises:
      ValueError: they are no sequences, or their lengths do not fit.

    >>> print(piecewise_constant([10, 20], [0.1, 0.01, 0.001])(15))
    0.01
    """
    boundaries, values = jnp.array(boundaries), jnp.array(values)
    if not boundaries.ndim == values.ndim == 1:
        raise ValueError("boundaries and values must be sequences")
    if boundaries.shape[0] != values.shape[0] - 1:
        raise ValueError("boundaries length must be one shorter than values length")
    return lambda i: values[jnp.sum(i > boundaries)]


def make_schedule(scalar_or_schedule: float | Schedule) -> Schedule:
    """Return a schedule from a number; return a schedule as it is.

    Args:
      scalar_or_schedule: a number, or a function of the number of the step.
    Returns:
      A schedule: a function of the number of the step, which gives its size.
    Raises:
      TypeError: it is neither.

    >>> make_schedule(0.1)(3)
    0.1
    """
    if callable(scalar_or_schedule):
        return scalar_or_schedule
    if np.ndim(scalar_or_schedule) == 0:
        return constant(scalar_or_schedule)
    raise TypeError(f"A step size is a number or a function of the step, got {scalar_or_schedule!r}.")


# ---- gradients and states ---------------------------------------------------------------------------


def l2_norm(tree):
    """Return the Euclidean norm of all elements of a tree.

    Args:
      tree: a tree of arrays.
    Returns:
      A float.
    Raises:
      TypeError: a leaf of the tree is no array and no number.

    >>> print(l2_norm({"w": jnp.array([3.0, 0.0]), "b": 4.0}))
    5.0
    """
    return jnp.sqrt(sum(jnp.vdot(x, x) for x in tree_leaves(tree)))


def clip_grads(grad_tree, max_norm):
    """Return a tree of gradients, scaled down so that its norm is at most `max_norm`.

    Args:
      grad_tree: a tree of arrays.
      max_norm: a number.
    Returns:
      A tree like `grad_tree`.
    Raises:
      TypeError: a leaf of the tree is no array and no number.

    >>> clip_grads([jnp.array([3.0, 4.0])], 1.0)
    [Array([0.6, 0.8], dtype=float32)]
    """
    norm = l2_norm(grad_tree)
    return tree_map(lambda g: jnp.where(norm < max_norm, g, g * (max_norm / norm)), grad_tree)


class JoinPoint:
    """Marks the place where the state of one parameter begins in an unpacked state.

    >>> unpack_optimizer_state(sgd(0.1).init_fn({"w": 1.0}))["w"].subtree
    1.0
    """

    def __init__(self, subtree):
        self.subtree = subtree

    def __iter__(self):
        yield self.subtree


def unpack_optimizer_state(opt_state: OptimizerState):
    """Return a state as an ordinary tree, to be saved: that of the parameters with a `JoinPoint` at each.

    Args:
      opt_state: the state of an optimizer.
    Returns:
      A tree.
    Raises:
      ValueError: it is no `OptimizerState`, but perhaps a tree of parameters.

    >>> init, update, get_params = sgd(0.1)
    >>> tree = unpack_optimizer_state(init({"w": jnp.ones(2)}))
    >>> get_params(pack_optimizer_state(tree))
    {'w': Array([1., 1.], dtype=float32)}
    """
    states_flat, tree, subtrees = opt_state
    states = map(tree_unflatten, subtrees, states_flat)
    return tree_unflatten(tree, [JoinPoint(s) for s in states])


def pack_optimizer_state(marked_pytree) -> OptimizerState:
    """Return the state from the tree that `unpack_optimizer_state` made.

    Args:
      marked_pytree: that tree.
    Returns:
      An `OptimizerState`.
    Raises:
      TypeError: a leaf of the tree is no `JoinPoint`.

    >>> init, update, get_params = sgd(0.1)
    >>> get_params(pack_optimizer_state(unpack_optimizer_state(init({"w": jnp.ones(2)}))))
    {'w': Array([1., 1.], dtype=float32)}
    """
    sentinels, tree = tree_flatten(marked_pytree)
    if not all(isinstance(s, JoinPoint) for s in sentinels):
        raise TypeError("pack_optimizer_state needs a tree whose leaves are JoinPoints.")
    states, subtrees = _flattened([s.subtree for s in sentinels])
    return OptimizerState(states, tree, subtrees)

public(globals())
