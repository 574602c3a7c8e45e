# Written by stubs/generate.py; do not edit.
from typing import Any
class ConcretizationTypeError(JAXTypeError):
    """A traced value was used where Python needs its content: `float(x)`, a shape, an axis.

    While a function is traced, a value has a shape and a dtype but no content. Compute with `jnp`
    and `lax`, or declare the argument static that decides a shape or a branch.

    Causes:
      `float(x)`, `int(x)`, `x.item()`          leave the conversion out; compute with arrays
      `jnp.arange(n)`, `x.reshape(n, -1)`       `jit(f, static_argnames="n")`
      `jnp.sum(x, axis=k)`                      `jit(f, static_argnames="k")`
      `math.sin(x)`                             `jnp.sin(x)`
      `jnp.unique(x)`, `jnp.nonzero(x)`         the argument `size=`

    >>> jit(lambda x: x / float(x.max()))(jnp.ones(3))
    Traceback (most recent call last):
    adjoint.errors.ConcretizationTypeError: Abstract tracer value encountered where concrete value is expected...

    Args:
      tracer: the traced value.
      context: the function that needed the content, as a sentence.

    A conversion is left out, or becomes one of arrays:

    >>> jit(lambda x: x / x.max())(jnp.array([1., 2.]))          # not x / float(x.max())
    Array([0.5, 1. ], dtype=float32)

    What decides a length is static:

    >>> jit(lambda n: jnp.arange(n), static_argnums=0)(3)
    Array([0, 1, 2], dtype=int32)
    """
    def __init__(self, tracer: Any, context: str = '', place: Any = None) -> None: ...
from adjoint.core import InconclusiveDimensionOperation as InconclusiveDimensionOperation
class JAXIndexError(IndexError):
    """Base of the index errors about traced values.

    Causes:
      `x[mask]` where its length is needed      `NonConcreteBooleanIndexError`

    >>> try:
    ...     jit(lambda x: x[x > 0].tolist())(jnp.arange(3.))
    ... except adjoint.errors.JAXIndexError as error:
    ...     print(type(error).__name__)
    NonConcreteBooleanIndexError
    """
    ...
class JAXTypeError(TypeError):
    """Base of the type errors about traced values.

    `except jax.errors.JAXTypeError` catches all of them.

    Causes:
      `if x:`, `while x:`                       `TracerBoolConversionError`
      `float(x)`, `jnp.zeros(n)`                `ConcretizationTypeError`
      `np.sin(x)`                               `TracerArrayConversionError`
      `a_list[i]`, `range(n)`                   `TracerIntegerConversionError`
      a traced value that was stored            `UnexpectedTracerError`
      a random key that is used twice           `KeyReuseError`

    >>> try:
    ...     jit(lambda x: 1 if x > 0 else 0)(1.)
    ... except adjoint.errors.JAXTypeError as error:
    ...     print(type(error).__name__)
    TracerBoolConversionError
    """
    ...
class JaxRuntimeError(RuntimeError):
    """A compiled program failed while it ran, or something outside of it on which it depends.

    Causes:
      memory is exhausted                       smaller batches, `jax.checkpoint`, `donate_argnums`
      a callback raised an error                its text is part of the message
      another process died                      look at the log of that process

    >>> def fail(x): raise OSError("no such sensor")
    >>> try:
    ...     jit(lambda x: pure_callback(fail, x, x))(1.).block_until_ready()
    ... except adjoint.errors.JaxRuntimeError as error:
    ...     print(type(error).__name__)
    JaxRuntimeError
    """
    ...
from adjoint.core import JaxprTypeError as JaxprTypeError
class KeyReuseError(JAXTypeError):
    """A random key was used twice, which would give the same numbers twice.

    It is looked for with the option `jax_debug_key_reuse`; the message names both uses.

    Causes:
      two draws from one key                    `key, subkey = random.split(key)`
      a key that is split and used              use the parts alone
      a loop that closes over its key           the key in the carry, or `random.fold_in(key, i)`
      it is meant                               `random.clone(key)`

    >>> with debug_key_reuse(True):
    ...     key = random.key(0)
    ...     a, b = random.normal(key), random.normal(key)
    Traceback (most recent call last):
    adjoint.errors.KeyReuseError: Previously-consumed key passed to ...
    """
    def __init__(self, message: str) -> None: ...
class NonConcreteBooleanIndexError(JAXIndexError):
    """A traced mask was used as an index, and the number of elements that it selects is asked for.

    Causes:
      a function that returns `x[mask]`         `jnp.where(mask, x, 0)`, which keeps the shape
      `x[mask].shape`, `len(x[mask])`           `mask.sum()`
      the positions of a mask                   `jnp.nonzero(mask, size=n)`

    What does not need that number works:

    >>> jit(lambda x: (x[x > 1].sum(), x.at[x > 1].set(0.)))(jnp.array([1., 2., 3.]))
    (Array(5., dtype=float32), Array([1., 0., 0.], dtype=float32))

    >>> jit(lambda x: x[x > 0])(jnp.arange(3.))
    Traceback (most recent call last):
    adjoint.errors.NonConcreteBooleanIndexError: Array boolean indices must be concrete; got bool[3]...

    Args:
      tracer: the mask.
      place: where it was used as an index, as `user_code` gives it; default the user's line.
      rank: how many axes more than the mask the array has.
      why: what needs the number.
    """
    def __init__(self, tracer: Any, place: Any = None, rank: int = 0, why: str = '') -> None: ...
class PytreeError(ValueError):
    """Trees, or a tree and its prefix, differ in structure.

    Causes:
      dicts with different keys                 the same keys; `None` for what is absent
      a list for a tuple                        the same containers
      `in_axes` of another structure            one entry for each argument; an `int` stands for all leaves below

    >>> vmap(lambda d: d["a"], in_axes=({"b": 0},))({"a": jnp.ones(3)})
    Traceback (most recent call last):
    adjoint.errors.PytreeError: vmap in_axes specification must be a tree prefix of the corresponding value...
    """
    ...
class ShardingTypeError(Exception):
    """An operation over explicit mesh axes whose result's sharding is ambiguous, or is not supported.

    Causes:
      operands divided over different axes      `reshard(x, spec)` before the operation
      a contraction over a divided axis         the argument `out_sharding=`
      an operation without such a rule          `auto_axes` around it, or `AxisType.Auto` for the mesh

    >>> mesh = make_mesh((1,), ("x",), axis_types=(sharding.AxisType.Explicit,))
    >>> with set_mesh(mesh):
    ...     x = device_put(jnp.ones((2, 2)), P(None, "x"))
    ...     try:
    ...         x @ x.T
    ...     except adjoint.errors.ShardingTypeError as error:
    ...         print(str(error).partition(" and ")[0])
    Contracting dimensions are sharded
    """
    ...
class TracerArrayConversionError(JAXTypeError):
    """A traced value was given to NumPy: `np.sin(x)`, `np.asarray(x)`.

    NumPy computes at once and needs numbers, which a traced value has not.

    Causes:
      `np.sin(x)`                               `jnp.sin(x)`
      `scipy.special.gammaln(x)`                `jax.scipy.special.gammaln(x)`
      `table[i]` of a NumPy array               `jnp.asarray(table)[i]`
      a function that only NumPy has            `jax.pure_callback`

    >>> jit(lambda x: np.tanh(x))(0.)
    Traceback (most recent call last):
    adjoint.errors.TracerArrayConversionError: The numpy.ndarray conversion method __array__() was called on traced...
    >>> jit(lambda x: jnp.tanh(x))(0.)                           # not np.tanh(x)
    Array(0., dtype=float32, weak_type=True)
    >>> table = np.array([1., 2., 4.], np.float32)
    >>> jit(lambda i: jnp.asarray(table)[i])(2)                  # not table[i]
    Array(4., dtype=float32)
    """
    def __init__(self, tracer: Any) -> None: ...
class TracerBoolConversionError(ConcretizationTypeError):
    """A traced value was used as a condition: `if x`, `while x`, `x and y`, `not x`.

    While a function is traced, a condition is neither true nor false: both branches become part of the program.

    Causes:
      `if x > 0:`                               `jnp.where(x > 0, a, b)`, or `lax.cond`
      `while x > eps:`                          `lax.while_loop`
      `a < x < b`, `p and q`, `not p`           `(a < x) & (x < b)`, `p & q`, `~p`
      `max(x, 0)`, `sorted(x)`, `x in values`   `jnp.maximum(x, 0)`, `jnp.sort(x)`, `jnp.isin(x, values)`
      `assert (x > 0).all()`                    `checkify.check`, or the check outside of `jit`
      `if training:`                            `jit(f, static_argnames="training")`

    >>> jit(lambda x: x if x > 0 else -x)(1.)
    Traceback (most recent call last):
    adjoint.errors.TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[]...
    >>> leaky = jit(lambda x: jnp.where(x > 0, x, 0.1 * x))      # not x if x > 0 else 0.1 * x
    >>> leaky(-1.)
    Array(-0.1, dtype=float32, weak_type=True)
    >>> inside = jit(lambda x: (x > 0) & (x < 1))                # not 0 < x < 1, nor x > 0 and x < 1
    >>> inside(0.5)
    Array(True, dtype=bool)

    `lax.cond` runs one of two functions, `lax.while_loop` repeats one as long as a condition is true:

    >>> jit(lambda x: lax.while_loop(lambda x: x < 10, lambda x: 2 * x, x))(3)
    Array(12, dtype=int32, weak_type=True)
    """
    def __init__(self, tracer: Any) -> None: ...
class TracerIntegerConversionError(JAXTypeError):
    """A traced value was used as a Python integer: `a_list[x]`, `range(x)`.

    Causes:
      `values[i]` of a Python list              `jnp.asarray(values)[i]`, or `lax.switch(i, functions)`
      `for i in range(n):`                      `lax.fori_loop(0, n, ...)`, or `n` static
      `[layer(x) for _ in range(n)]`            `jit(f, static_argnames="n")`

    >>> jit(lambda i: [1., 2., 4.][i])(2)
    Traceback (most recent call last):
    adjoint.errors.TracerIntegerConversionError: The __index__() method was called on traced array with shape int32[]...
    >>> jit(lambda i: jnp.asarray([1., 2., 4.])[i])(2)           # not [1., 2., 4.][i]
    Array(4., dtype=float32)
    >>> jit(lambda n: lax.fori_loop(0, n, lambda i, s: s + i, 0))(4)     # not for i in range(n)
    Array(6, dtype=int32, weak_type=True)
    """
    def __init__(self, tracer: Any) -> None: ...
class UnexpectedTracerError(JAXTypeError):
    """A traced value was used after the function that was being traced had returned.

    The message says where it is kept.

    Causes:
      `self.state = x`, `log.append(x)`         return the value
      a global or a closure that is assigned    make it an argument and a result
      a generator or thread that goes on        finish inside of the function

    What a function computes is returned:

    >>> jit(lambda x: (jnp.sin(x), jnp.cos(x)))(0.)              # not saved.append(jnp.cos(x))
    (Array(0., dtype=float32, weak_type=True), Array(1., dtype=float32, weak_type=True))

    `with jax.checking_leaks(): ...` finds where it is stored.

    Args:
      msg: the text, or the traced value, for which a text is made.
    """
    def __init__(self, msg: Any) -> None: ...
