# Written by stubs/generate.py; do not edit.
from adjoint.core import Trace
from adjoint.extend.core import Jaxpr
from collections.abc import Callable
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple
class SparseTrace(Trace):
    """Runs each operation on values when it is met.

    Args:
      parent: the trace below.
      spenv: the environment that has the buffers.

    >>> from adjoint.experimental import sparse
    >>> _ = sparse.sparsify(lambda m: print(m._trace) or m, use_tracer=True)(sparse.BCOO.fromdense(jnp.eye(2)))
    SparseTrace
    """
    def __init__(self, parent: Any, spenv: Any) -> None: ...
    def value(self, x: Any) -> SparsifyValue:
        """Return what an operand is for the interpreter."""
    def process(self, p: Any, args: Any, params: Any) -> Any: ...
    spenv: Any
from adjoint.experimental.sparse import SparseTracer as SparseTracer
class SparsifyEnv:
    """The buffers of values, by number.

    Args:
      bufs: the first buffers.

    >>> from adjoint.experimental.sparse.transform import SparsifyEnv
    >>> env = SparsifyEnv()
    >>> env.data(env.dense(jnp.ones(2)))
    Array([1., 1.], dtype=float32)
    """
    def __init__(self, bufs: Any = ()) -> None: ...
    def data(self, spvalue: SparsifyValue) -> Any:
        """Return the elements of a value."""
    def indices(self, spvalue: SparsifyValue) -> Any:
        """Return the indices of a sparse value."""
    def indptr(self, spvalue: SparsifyValue) -> Any:
        """Return where the rows of a `BCSR` value begin."""
    def dense(self, data: Any) -> SparsifyValue:
        """Add a dense array."""
    def sparse(self, shape: Any, data: Any = None, indices: Any = None, indptr: Any = None, *, data_ref: Any = None, indices_ref: Any = None, indptr_ref: Any = None, indices_sorted: Any = False, unique_indices: Any = False) -> SparsifyValue:
        """Add a sparse array, of new buffers or ones that are there."""
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
    indices_ref: int | None
    indptr_ref: int | None
    indices_sorted: bool | None
    unique_indices: bool | None
    @property
    def ndim(self) -> int: ...
    def is_sparse(self) -> bool:
        """Return whether it has indices."""
    def is_dense(self) -> bool:
        """Return whether it has none."""
    def is_bcoo(self) -> bool:
        """Return whether it is a `BCOO` array."""
    def is_bcsr(self) -> bool:
        """Return whether it is a `BCSR` array."""
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
def eval_sparse(jaxpr: Jaxpr, consts: Sequence[Any], spvalues: Sequence[SparsifyValue], spenv: SparsifyEnv) -> list[SparsifyValue]:
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
sparse_rules_bcoo: dict[Any, Any]
sparse_rules_bcsr: dict[Any, Any]
from adjoint.experimental.sparse import sparsify as sparsify
def sparsify_raw(f: Callable[..., Any]) -> Callable[..., Any]:
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
