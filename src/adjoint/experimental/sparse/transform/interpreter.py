"""`sparsify`: functions of dense arrays as functions of sparse ones, by an interpreter with a rule for each primitive.

The function is traced as if its sparse arguments were dense. The program is then run on values that are dense or
sparse, equation by equation: one with sparse operands by the primitive's rule here (`rules.py`, `flow.py`). A sparse
value names its buffers by their numbers in an environment, so that values with the same indices are known to have
them.

Tests: `tests/experimental/sparse/test_sparsify.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from .... import numpy as jnp
from ....core.jaxpr import ClosedJaxpr, Jaxpr, Literal
from ....core.messages.errors import message
from ....core.process.records import NamedTuple
from ....core.trace import Trace, Tracer, current, stage, state
from ....core.tree.tree import tree_flatten, tree_map, tree_unflatten
from ....core.types import Array, ShapedArray, aval_of
from .._base import JAXSparse
from ..bcoo import BCOO
from ..bcsr import BCSR

__all__ = [
    "SparseTrace", "SparseTracer", "SparsifyEnv", "SparsifyValue", "arrays_to_spvalues", "eval_sparse",
    "sparse_rules_bcoo", "sparse_rules_bcsr", "sparsify", "sparsify_raw", "spvalues_to_arrays", "spvalues_to_avals",
]

# For each primitive a function (environment, *values, **params) -> values.
sparse_rules_bcoo: dict[Any, Callable] = {}
sparse_rules_bcsr: dict[Any, Callable] = {}
densifying: set[Any] = set()  # primitives that make dense arrays of sparse ones


class SparsifyValue(NamedTuple):
    """A value of the interpreter: its shape, and the numbers of its buffers in an environment.

    Args:
      shape: the shape of the array that it stands for.
      data_ref, indices_ref, indptr_ref: the numbers of the buffers with elements, indices and beginnings of rows.
      indices_sorted, unique_indices: what is known of the indices.

    >>> from adjoint.experimental.sparse.transform import SparsifyEnv
    >>> SparsifyEnv().dense(jnp.ones(2)).is_sparse()
    False
    """

    shape: tuple[int, ...]
    data_ref: int | None
    indices_ref: int | None = None
    indptr_ref: int | None = None
    indices_sorted: bool | None = False
    unique_indices: bool | None = False

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def is_sparse(self) -> bool:
        """Return whether it has indices."""
        return self.indices_ref is not None

    def is_dense(self) -> bool:
        """Return whether it has none."""
        return self.indices_ref is None

    def is_bcoo(self) -> bool:
        """Return whether it is a `BCOO` array."""
        return self.is_sparse() and self.indptr_ref is None

    def is_bcsr(self) -> bool:
        """Return whether it is a `BCSR` array."""
        return self.is_sparse() and self.indptr_ref is not None


class SparsifyEnv:
    """The buffers of values, by number.

    Args:
      bufs: the first buffers.

    >>> from adjoint.experimental.sparse.transform import SparsifyEnv
    >>> env = SparsifyEnv()
    >>> env.data(env.dense(jnp.ones(2)))
    Array([1., 1.], dtype=float32)
    """

    def __init__(self, bufs=()):
        self._buffers = list(bufs)

    def _push(self, buffer) -> int:
        self._buffers.append(buffer)
        return len(self._buffers) - 1

    def data(self, spvalue: SparsifyValue):
        """Return the elements of a value."""
        if spvalue.data_ref is None:
            raise RuntimeError("Internal: requested data from spvalue with data_ref=None")
        return self._buffers[spvalue.data_ref]

    def indices(self, spvalue: SparsifyValue):
        """Return the indices of a sparse value."""
        if spvalue.indices_ref is None:
            raise RuntimeError("Internal: requested indices from spvalue with indices_ref=None")
        return self._buffers[spvalue.indices_ref]

    def indptr(self, spvalue: SparsifyValue):
        """Return where the rows of a `BCSR` value begin."""
        if spvalue.indptr_ref is None:
            raise RuntimeError("Internal: requested indptr from spvalue with indptr_ref=None")
        return self._buffers[spvalue.indptr_ref]

    def dense(self, data) -> SparsifyValue:
        """Add a dense array."""
        return SparsifyValue(tuple(jnp.shape(data)), self._push(data))

    def sparse(
        self, shape, data=None, indices=None, indptr=None, *, data_ref=None, indices_ref=None, indptr_ref=None,
        indices_sorted=False, unique_indices=False,
    ) -> SparsifyValue:
        """Add a sparse array, of new buffers or ones that are there."""
        if data is not None:
            data_ref = self._push(data)
        if indices is not None:
            indices_ref = self._push(indices)
        if indptr is not None:
            indptr_ref = self._push(indptr)
        return SparsifyValue(tuple(shape), data_ref, indices_ref, indptr_ref, indices_sorted, unique_indices)


def is_sparse(x) -> bool:
    """Return whether a leaf of a tree of arrays is sparse."""
    return isinstance(x, (BCOO, BCSR))


def is_value(x) -> bool:
    """Return whether a leaf of a tree is a value of the interpreter."""
    return isinstance(x, SparsifyValue)


def arrays_to_spvalues(spenv: SparsifyEnv, args: Any) -> Any:
    """Return a tree of dense and sparse arrays as values.

    Args:
      spenv: the environment that takes the buffers.
      args: a tree of arrays, `BCOO` and `BCSR` among them.
    Returns:
      A tree of `SparsifyValue`s.

    >>> from adjoint.experimental import sparse
    >>> env = SparsifyEnv()
    >>> value, = arrays_to_spvalues(env, [sparse.BCOO.fromdense(jnp.eye(2))])
    >>> value.shape, value.is_sparse()
    ((2, 2), True)
    """

    def value(x):
        if isinstance(x, BCOO):
            return spenv.sparse(x.shape, x.data, x.indices, indices_sorted=x.indices_sorted,
                                unique_indices=x.unique_indices)
        if isinstance(x, BCSR):
            return spenv.sparse(x.shape, x.data, x.indices, x.indptr, indices_sorted=x.indices_sorted,
                                unique_indices=x.unique_indices)
        return spenv.dense(x)

    return tree_map(value, args, is_leaf=is_sparse)


def spvalues_to_arrays(spenv: SparsifyEnv, spvalues: Any) -> Any:
    """Return a tree of values as dense and sparse arrays.

    Args:
      spenv: the environment that holds the buffers.
      spvalues: a tree of `SparsifyValue`s.
    Returns:
      A tree of arrays, `BCOO` and `BCSR` among them.

    >>> from adjoint.experimental import sparse
    >>> env = SparsifyEnv()
    >>> spvalues_to_arrays(env, arrays_to_spvalues(env, [sparse.BCOO.fromdense(jnp.eye(2)), jnp.ones(2)]))
    [BCOO(float32[2, 2], nse=2), Array([1., 1.], dtype=float32)]
    """

    def array(x: SparsifyValue):
        flags = dict(shape=x.shape, indices_sorted=bool(x.indices_sorted), unique_indices=bool(x.unique_indices))
        if x.is_bcoo():
            return BCOO((spenv.data(x), spenv.indices(x)), **flags)
        if x.is_bcsr():
            return BCSR((spenv.data(x), spenv.indices(x), spenv.indptr(x)), **flags)
        return spenv.data(x)

    return tree_map(array, spvalues, is_leaf=is_value)


def spvalues_to_avals(spenv: SparsifyEnv, spvalues: Any) -> Any:
    """Return the types of values, as of dense arrays.

    Args:
      spenv: the environment that holds the buffers.
      spvalues: a tree of `SparsifyValue`s.
    Returns:
      A tree of `ShapedArray`s.

    >>> from adjoint.experimental import sparse
    >>> env = SparsifyEnv()
    >>> spvalues_to_avals(env, arrays_to_spvalues(env, [sparse.BCOO.fromdense(jnp.eye(2))]))
    [ShapedArray(float32[2,2])]
    """

    def aval(x: SparsifyValue):
        held = aval_of(spenv.data(x))
        return ShapedArray(x.shape, held.dtype, held.weak_type)

    return tree_map(aval, spvalues, is_leaf=is_value)


# ---- the interpreter -----------------------------------------------------------------------------


def eval_sparse(
    jaxpr: Jaxpr, consts: Sequence, spvalues: Sequence[SparsifyValue], spenv: SparsifyEnv
) -> list[SparsifyValue]:
    """Return the results of a program of `SparsifyValue`s.

    Args:
      jaxpr: the program.
      consts: the values of its constants, which are dense.
      spvalues: its operands.
      spenv: the environment that holds their buffers, and takes those of results.
    Returns:
      A list of results.
    Raises:
      NotImplementedError: an operation of the program has no rule for a sparse operand that it is given.

    >>> from adjoint.experimental import sparse
    >>> env, program = SparsifyEnv(), jax.make_jaxpr(lambda m: 2 * m.T)(jnp.eye(2))
    >>> values = arrays_to_spvalues(env, [sparse.BCOO.fromdense(jnp.eye(2))])
    >>> spvalues_to_arrays(env, eval_sparse(program.jaxpr, program.consts, values, env))
    [BCOO(float32[2, 2], nse=2)]
    """
    env: dict[Any, SparsifyValue] = {}
    env.update(zip(jaxpr.invars, spvalues, strict=True))
    env.update({v: spenv.dense(c) for v, c in zip(jaxpr.constvars, consts, strict=True)})
    read = lambda v: spenv.dense(v.operand) if type(v) is Literal else env[v]
    for eqn in jaxpr.eqns:
        env.update(zip(eqn.outvars, run_primitive(spenv, eqn.primitive, [read(v) for v in eqn.invars], eqn.params)))
    return [read(v) for v in jaxpr.outvars]


def run_primitive(spenv: SparsifyEnv, p, spvalues: Sequence[SparsifyValue], params: dict) -> list[SparsifyValue]:
    """Run one operation on values."""
    if not any([x.is_sparse() for x in spvalues]):
        out = p.bind(*[spenv.data(x) for x in spvalues], **params)
        return [spenv.dense(x) for x in (out if p.multiple_results else [out])]
    if p.called is not None:
        return run_program(spenv, params[p.called], spvalues)
    rules = sparse_rules_bcsr if any([x.is_bcsr() for x in spvalues]) else sparse_rules_bcoo
    rule = rules.get(p)
    if rule is None:
        raise missing_rule(p)
    return list(rule(spenv, *spvalues, **params))


def missing_rule(p) -> NotImplementedError:
    """Return the error of an operation that has no rule."""
    if p in densifying:
        return NotImplementedError(message(
            f"sparse rule for {p.name} is not implemented because it would result in dense output.",
            why="If this is your intent, use sparse.todense() to convert your arguments to dense matrices.",
            fix="sparse.todense(x) before the operation",
        ))
    return NotImplementedError(f"sparse rule for {p.name} is not implemented.\n  Try: sparse.todense(x) before it.")


def sparsify_raw(f: Callable) -> Callable:
    """Return `f` as a function `(environment, *values, **params) -> (values, structure)`.

    Args:
      f: a function of dense arrays.
    Returns:
      A function of `SparsifyValue`s, whose first argument is the environment that holds their buffers.

    >>> from adjoint.experimental import sparse
    >>> env = SparsifyEnv()
    >>> values = arrays_to_spvalues(env, [sparse.BCOO.fromdense(jnp.eye(2))])
    >>> found, structure = sparsify_raw(lambda m: 2 * m)(env, *values)
    >>> spvalues_to_arrays(env, found), structure
    ([BCOO(float32[2, 2], nse=2)], PyTreeDef(*))
    """

    def wrapped(spenv: SparsifyEnv, *spvalues, **params):
        flat, tree = tree_flatten(spvalues, is_leaf=is_value)
        avals = spvalues_to_avals(spenv, flat)
        found = []

        def run(*tracers):
            outs, out_tree = tree_flatten(f(*tree_unflatten(tree, tracers), **params))
            found.append(out_tree)
            return [_as_array(x) for x in outs]

        jaxpr, consts = stage(run, avals)
        return eval_sparse(jaxpr, consts, flat, spenv), found[0]

    return wrapped


def _as_array(x):
    """Return a result of a traced function as an array."""
    return x if isinstance(x, (Array, Tracer)) else jnp.asarray(x)


def sparsify(f: Callable, use_tracer: bool = False) -> Callable:
    """Return `f`, written for dense arrays, as a function that also takes and returns `BCOO` and `BCSR` arrays.

    Args:
      f: of arrays or trees of arrays. Operations that keep zeros, linear ones and control flow have rules.
      use_tracer: run each operation when it is met, rather than trace the function before.
    Raises:
      NotImplementedError: an operation has no rule for sparse operands, maybe since its result would be dense.

    >>> from adjoint.experimental import sparse
    >>> f = sparse.sparsify(lambda x, y: jnp.sin(x) @ y)
    >>> f(sparse.eye(3), jnp.ones(3)).round(3)
    Array([0.841, 0.841, 0.841], dtype=float32)
    """
    return (_by_tracers if use_tracer else _by_program)(f)


def _by_program(f):
    raw = sparsify_raw(f)

    @wraps(f)
    def wrapped(*args, **params):
        spenv = SparsifyEnv()
        dynamic = arrays_to_spvalues(spenv, args)
        outs, tree = raw(spenv, *dynamic, **params)
        return tree_unflatten(tree, [_as_result(x) for x in spvalues_to_arrays(spenv, outs)])

    return wrapped


def _as_result(x):
    """Return a result of the interpreter, with scalars as arrays."""
    return x if isinstance(x, JAXSparse) else _as_array(x)


# ---- tracers -------------------------------------------------------------------------------------


class SparseTracer(Tracer):
    """Stands for a dense array, and is a value of the interpreter.

    Made by the interpreter of `sparsify`.

    >>> from adjoint.experimental import sparse
    >>> _ = sparse.sparsify(lambda m: print(m) or m, use_tracer=True)(sparse.BCOO.fromdense(jnp.eye(2)))
    SparseTracer<float32[2,2]>
    """

    __slots__ = ("_spvalue",)

    def __init__(self, trace: SparseTrace, *, spvalue):
        super().__init__(trace, spvalues_to_avals(trace.spenv, spvalue))
        self._spvalue = spvalue

    @property
    def spenv(self) -> SparsifyEnv:
        """Return the environment that has the buffers."""
        return self._trace.spenv

    def full_lower(self):
        """Return the tracer."""
        return self

    def describe(self) -> str:
        return f"SparseTracer<{self.aval.str_short()}>"

    __repr__ = describe


class SparseTrace(Trace):
    """Runs each operation on values when it is met.

    Args:
      parent: the trace below.
      spenv: the environment that has the buffers.

    >>> from adjoint.experimental import sparse
    >>> _ = sparse.sparsify(lambda m: print(m._trace) or m, use_tracer=True)(sparse.BCOO.fromdense(jnp.eye(2)))
    SparseTrace
    """

    __slots__ = ("spenv",)

    def __init__(self, parent, spenv: SparsifyEnv):
        super().__init__(parent)
        self.spenv = spenv

    def value(self, x) -> SparsifyValue:
        """Return what an operand is for the interpreter."""
        return x._spvalue if isinstance(x, SparseTracer) and x._trace is self else self.spenv.dense(x)

    def process(self, p, args, params):
        with current(self.parent):
            outs = run_primitive(self.spenv, p, [self.value(x) for x in args], params)
        outs = [SparseTracer(self, spvalue=x) for x in outs]
        return outs if p.multiple_results else outs[0]


def _by_tracers(f):
    @wraps(f)
    def wrapped(*args, **params):
        spenv = SparsifyEnv()
        flat, tree = tree_flatten(args, is_leaf=is_sparse)
        trace = SparseTrace(state.trace, spenv)
        try:
            with current(trace):
                tracers = [SparseTracer(trace, spvalue=x) for x in arrays_to_spvalues(spenv, flat)]
                outs, out_tree = tree_flatten(f(*tree_unflatten(tree, tracers), **params))
                outs = [trace.value(_as_array(x)) for x in outs]
        finally:
            trace.active = False
        return tree_unflatten(out_tree, spvalues_to_arrays(spenv, outs))

    return wrapped


def run_program(spenv: SparsifyEnv, closed: ClosedJaxpr, spvalues: Sequence[SparsifyValue]) -> list[SparsifyValue]:
    """Run a program that an operation holds."""
    return eval_sparse(closed.jaxpr, closed.consts, spvalues, spenv)
