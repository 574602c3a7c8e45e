"""Solutions of equations whose derivatives follow from the equation: `custom_root`, `custom_linear_solve`.

The functions that find the solution are never differentiated, so they may be loops, or code that has no
derivative at all.

Tests: `tests/control_flow/test_transformed.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...control_flow.functions.bodies import operands_of, types_of
from ...control_flow.linear_solve import LinearSolve, linear_solve
from ...core.jaxpr import ClosedJaxpr
from ...core.process.records import NamedTuple
from ...core.trace import eval_jaxpr, stage, state
from ...core.tree.tree import tree_flatten, tree_map, tree_structure, tree_unflatten, treedef_tuple
from ...core.types import aval_of
from ...core.values.zeros import Zero
from ...engines.numpy import eval_trace
from ...prims.arithmetic import neg
from ...transforms.calls import results
from ...transforms.custom.custom_jvp import custom_jvp
from ...transforms.derivatives.grad import jvp, linearize
from ...transforms.flat import FlatFun, debug_info
from ...transforms.jvp import instantiate
from ...transforms.programs import hoist, transpose_program

__all__ = ["custom_linear_solve", "custom_root"]


class _Traced(NamedTuple):
    """A function of one tree as a program, whose first operands are what the function closes over."""

    program: ClosedJaxpr
    out_tree: Any

    def run(self, consts, x) -> Any:
        leaves = tree_flatten(x)[0]
        outs = eval_jaxpr(self.program.jaxpr, self.program.consts, *consts, *leaves)
        return tree_unflatten(self.out_tree, outs)


def _traced(fun, tree, avals, purpose) -> tuple[_Traced, list]:
    """Return a function as a program, and what it closes over: a rule outlives its trace, and may keep the program
    alone.
    """
    in_tree = treedef_tuple((treedef_tuple((tree,)), tree_structure({})))
    flat = FlatFun(fun, in_tree, purpose)
    jaxpr, consts = stage(flat, avals, debug_info(purpose, fun, in_tree))
    program, consts = hoist(jaxpr, consts)
    return _Traced(program, flat.out_tree), consts


def _check_tree(what: str, tree, name: str, expected) -> None:
    if tree != expected:
        raise TypeError(
            f"{what} output pytree structure must match {name}, got {tree} and {expected}."
        )


def _check_shapes(what: str, avals, expected) -> None:
    got, wanted = [a.shape for a in avals], [a.shape for a in expected]
    if got != wanted:
        raise ValueError(f"{what} output shapes must match b, got {got} and {wanted}")


# ---- roots ---------------------------------------------------------------------------------------


def custom_root(
    f: Callable, initial_guess: Any, solve: Callable, tangent_solve: Callable, has_aux: bool = False
) -> Any:
    """Return a root of `f`, with derivatives by the implicit function theorem.

    Args:
      f: the function whose root is wanted; differentiable in what it closes over.
      initial_guess: a tree of arrays, where the search begins; has no influence on derivatives.
      solve: (f, initial_guess) -> root.
      tangent_solve: (g, y) -> x with g(x) = y, for a linear function g. For a scalar:
        `lambda g, y: y / g(1.0)`.
      has_aux: `solve` returns (root, auxiliary data).
    Returns:
      The root, a tree like the guess; with the auxiliary data, if it is there.
    Raises:
      TypeError: a function returns another structure than the guess has.

    Derivative: with f(x, p) = 0:  x_dot = -(df/dx)^-1 (df/dp) p_dot.

    >>> newton = lambda f, x: lax.fori_loop(0, 9, lambda _, x: x - f(x) / (2 * x), x)
    >>> sqrt = lambda a: lax.custom_root(lambda x: x * x - a, 1.0, newton, lambda g, y: y / g(1.0))
    >>> grad(sqrt)(4.0)
    Array(0.25, dtype=float32, weak_type=True)
    """
    leaves, tree = operands_of("custom_root", initial_guess)
    guess = tree_unflatten(tree, leaves)
    function, consts = _traced(f, tree, types_of(leaves), "custom_root")
    _check_tree("f()", function.out_tree, "initial_guess", tree)

    def check(out):
        root = out[0] if has_aux else out
        _check_tree("solve()", tree_flatten(root)[1], "initial_guess", tree)
        return out

    if state.trace is eval_trace:
        out = check(solve(f, guess))
        found, out_tree = tree_flatten(out)
        return tree_unflatten(out_tree, results(found))
    solver, solver_consts = _traced(lambda x: check(solve(f, x)), tree, types_of(leaves), "custom_root")

    def tangents_of_root(arguments):
        consts, root, moved = arguments
        slope = linearize(lambda x: function.run(consts, x), root)[1]
        return tangent_solve(slope, moved)

    arguments, whole = tree_flatten((consts, guess, guess))
    tangents, tangent_consts = _traced(tangents_of_root, whole, types_of(arguments), "custom_root")
    return _root_call(function, solver, tangents, tree, has_aux)(consts, solver_consts, tangent_consts, guess)


def _root_call(function: _Traced, solver: _Traced, tangents: _Traced, tree, has_aux: bool) -> Callable:
    """Return the call that has the derivative of a root; all that its functions close over are its arguments."""

    @custom_jvp
    def _custom_root(consts, solver_consts, tangent_consts, guess):
        return solver.run(solver_consts, guess)

    @_custom_root.defjvp
    def _root_jvp(primals, moves):
        consts, _, known, _ = primals
        out = _custom_root(*primals)
        root, aux = out if has_aux else (out, None)
        moved = jvp(lambda c: function.run(c, root), (consts,), (moves[0],))[1]
        root_dot = tangents.run(known, (consts, root, tree_map(neg, moved)))
        _check_tree("tangent_solve()", tree_flatten(root_dot)[1], "x", tree)
        if not has_aux:
            return root, root_dot
        still = lambda x: instantiate(Zero(aval_of(x).to_tangent_aval()))
        return (root, aux), (root_dot, tree_map(still, aux))

    return _custom_root


# ---- linear systems ------------------------------------------------------------------------------


def custom_linear_solve(
    matvec: Callable, b: Any, solve: Callable, transpose_solve: Callable | None = None,
    symmetric: bool = False, has_aux: bool = False,
) -> Any:
    """Return the solution x of `matvec(x) = b`, with derivatives that follow from the equation.

    Args:
      matvec: a linear function of trees like `b`; differentiable in what it closes over.
      b: a tree of arrays.
      solve: (matvec, b) -> x.
      transpose_solve: (vecmat, b) -> x for the transposed function; reverse derivatives need it.
      symmetric: `matvec` is its own transpose; then `solve` does for both.
      has_aux: `solve` and `transpose_solve` return (x, auxiliary data).
    Returns:
      x, a tree like `b`; with the auxiliary data, if it is there.
    Raises:
      TypeError: a function returns another structure than `b` has; a reverse derivative without
        `transpose_solve`.
      ValueError: a function returns other shapes than `b` has.

    Derivatives: x_dot = A^-1 (b_dot - A_dot x), b_bar = A^-T x_bar.

    >>> a, b = jnp.array([2., 4.]), jnp.array([1., 1.])
    >>> lax.custom_linear_solve(lambda x: a * x, b, lambda matvec, b: b / a)
    Array([0.5 , 0.25], dtype=float32)
    """
    leaves, tree = operands_of("custom_linear_solve", b)
    avals = types_of(leaves)
    system, system_consts = _traced(matvec, tree, avals, "custom_linear_solve")
    _check_shapes("matvec()", system.program.out_avals, avals)
    _check_tree("matvec()", system.out_tree, "b", tree)
    if state.trace is eval_trace:
        out = solve(matvec, tree_unflatten(tree, leaves))
        found, out_tree = tree_flatten(out)
        _check_solution("solve()", found, out_tree, tree, avals, has_aux)
        return tree_unflatten(out_tree, results(found))
    if transpose_solve is None and symmetric:
        transpose_solve = solve

    def solver(what, function, program):
        apply = lambda x: _Traced(program, tree).run(system_consts, x)
        done, consts = _traced(lambda x: function(apply, x), tree, avals, "custom_linear_solve")
        _check_solution(what, done.program.out_avals, done.out_tree, tree, avals, has_aux)
        return done, consts

    forward, forward_consts = solver("solve()", solve, system.program)
    consts = [system_consts, [], forward_consts, []]
    programs = [system.program, None, forward.program, None]
    if transpose_solve is not None:
        if symmetric:
            transposed = system.program
        else:
            n = len(leaves)
            linear = (False,) * len(system_consts) + (True,) * n
            transposed, _ = transpose_program(system.program, linear, (True,) * n, True)
        backward, backward_consts = solver("transpose_solve()", transpose_solve, transposed)
        consts[1], programs[1] = system_consts, transposed
        consts[3], programs[3] = backward_consts, backward.program
    outs = linear_solve.bind(
        *[c for group in consts for c in group], *leaves,
        const_lengths=LinearSolve(*[len(group) for group in consts]), jaxprs=LinearSolve(*programs),
    )
    return tree_unflatten(forward.out_tree, outs)


def _check_solution(what, found, out_tree, tree, avals, has_aux) -> None:
    """Raise if what a solver returns has not the shapes of the right-hand side."""
    if has_aux:
        children = out_tree.children()
        out_tree = children[0] if len(children) == 2 else out_tree
    found = found[: out_tree.num_leaves]
    _check_shapes(what, [aval_of(x) if not hasattr(x, "shape") else x for x in found], avals)
    _check_tree(what, out_tree, "b", tree)
