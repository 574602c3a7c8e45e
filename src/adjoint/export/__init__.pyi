# Written by stubs/generate.py; do not edit.
from adjoint.core import ShapedArray
from adjoint.tree_util import PyTreeDef
from collections.abc import Callable
from collections.abc import Sequence
from typing import Any
from typing_extensions import TypeVar
_T = TypeVar("_T")
class DisabledSafetyCheck:
    """A check that is left out when an artifact is made or used.

    >>> export.DisabledSafetyCheck.platform(), export.DisabledSafetyCheck.custom_call("mine")
    (platform, custom_call:mine)
    """
    def __init__(self, _impl: str) -> None: ...
    @classmethod
    def platform(cls) -> DisabledSafetyCheck:
        """Let an artifact run on other platforms than those it was made for."""
    @classmethod
    def custom_call(cls, target_name: str) -> DisabledSafetyCheck:
        """Let an artifact call a function by a name of which it is not known that it stays.

        Args:
          target_name: the name of the function.
        """
    def is_custom_call(self) -> str | None:
        """Return the function that may be called, if it is about one."""
class Exported:
    """A function as a StableHLO program, with the types and structures of its arguments and results.

    Made by `export.export` and `export.deserialize`.

    >>> exported = adjoint.export.export(jit(jnp.sin))(ShapeDtypeStruct((3,), 'float32'))
    >>> exported.fun_name, exported.in_avals
    ('sin', (ShapedArray(float32[3]),))
    """
    def __init__(self, fun_name: str, in_tree: Any, in_avals: Any, out_tree: Any, out_avals: Any, _has_named_shardings: bool, _in_named_shardings: Any, _out_named_shardings: Any, in_shardings_hlo: Any, out_shardings_hlo: Any, nr_devices: int, platforms: tuple[str, ...], ordered_effects: Any, unordered_effects: Any, disabled_safety_checks: Any, mlir_module_serialized: bytes, calling_convention_version: int, module_kept_var_idx: tuple[int, ...], uses_global_constants: bool, _get_vjp: Any) -> None: ...
    fun_name: str
    in_tree: PyTreeDef
    in_avals: tuple[ShapedArray, ...]
    out_tree: PyTreeDef
    out_avals: tuple[ShapedArray, ...]
    in_shardings_hlo: tuple[Any, ...]
    out_shardings_hlo: tuple[Any, ...]
    nr_devices: int
    platforms: tuple[str, ...]
    ordered_effects: tuple[Any, ...]
    unordered_effects: tuple[Any, ...]
    disabled_safety_checks: Sequence[DisabledSafetyCheck]
    mlir_module_serialized: bytes
    calling_convention_version: int
    module_kept_var_idx: tuple[int, ...]
    uses_global_constants: bool
    def mlir_module(self, serialized: bool = True) -> Any:
        """Return the program as StableHLO's text.

        Args:
          serialized: for compatibility with JAX; not read.
        """
    def has_vjp(self) -> bool:
        """Return whether the derivative can be had."""
    def vjp(self) -> Exported:
        """Return the derivative: (*arguments, *cotangents of results) -> cotangents of arguments, all flat.

        Raises:
          ValueError: it was not stored with the function.
        """
    def serialize(self, vjp_order: int = 0) -> bytearray:
        """Return the function as bytes, which `deserialize` reads, here or in JAX.

        Args:
          vjp_order: how often the function that is read can be differentiated.
        """
    def in_shardings_jax(self, mesh: Any) -> Sequence[Any]:
        """Return the shardings of the arguments over a mesh; None where none is said.

        Args:
          mesh: a mesh with as many devices as the function was exported for.
        """
    def out_shardings_jax(self, mesh: Any) -> Sequence[Any]:
        """Return the shardings of the results over a mesh; None where none is said.

        Args:
          mesh: a mesh with as many devices as the function was exported for.
        """
    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function with arguments of the structure and the types for which it was exported.

        Derivatives in reverse mode are those that were exported with it.

        Args:
          args: arguments by position.
          kwargs: arguments by name.

        Raises:
          ValueError: structure, shapes or dtypes are others, or the platform is one for which it was not exported.
        """
class SymbolicScope:
    """A place for symbolic dimensions that occur together, and the constraints that they keep.

    Args:
      constraints_str: constraints such as "a >= 4", "b <= 2*a", "mod(a, 2) == 0".
    Raises:
      ValueError: a constraint cannot be read, or cannot hold.

    >>> scope = export.SymbolicScope(("mod(n, 2) == 0", "n >= 8"))
    >>> (n,) = export.symbolic_shape("n", scope=scope)
    >>> n % 2, n // 2 * 2, n >= 8
    (0, n, True)
    """
    def __init__(self, constraints_str: Any = ()) -> None: ...
    def normalized(self, terms: dict[tuple[Any, ...], int]) -> dict[tuple[Any, ...], int]:
        """Return a sum with the equalities that are known applied to it.

        Args:
          terms: the coefficient of each term of the sum.
        """
    def known_remainder(self, x: Any, y: Any) -> Any:
        """Return what x mod y is by the constraints, or None.

        Args:
          x: a symbolic expression.
          y: an int or a symbolic expression.
        """
    def told(self) -> str:
        """Return what a message says of the constraints."""
    def refuse(self, other: Any, why: str) -> None:
        """Raise the error of an expression of another scope.

        Args:
          other: the expression.
          why: how it got here, in words.
        Raises:
          ValueError: always.
        """
def default_export_platform() -> str:
    """Return the platform for which functions are exported if none is named: that of the default device.

    >>> default_export_platform()
    'cpu'
    """
def deserialize(blob: bytearray) -> Exported:
    """Return the exported function of bytes that `Exported.serialize` wrote, here or in JAX.

    Nothing is run while the bytes are read.

    Args:
      blob: the bytes.
    Returns:
      An `Exported`; its `call` runs it.
    Raises:
      ValueError: the bytes are damaged, something else, or of a version that is too new or too old; or a class
        among the structures is not registered.

    >>> data = adjoint.export.export(jit(lambda x: x + 1))(1.0).serialize()
    >>> deserialize(data).call(2.0)
    Array(3., dtype=float32)
    """
def export(fun_jit: Any, *, platforms: Sequence[str] | None = None, disabled_checks: Sequence[DisabledSafetyCheck] = (), _override_lowering_rules: Sequence[tuple[Any, Any]] | None = None) -> Callable[..., Exported]:
    """Export a jitted function: as a program that can be stored, and run elsewhere.

    Args:
      fun_jit: what `jit` returned, or a function of this library, such as `numpy.sin`.
      platforms: for which platforms, such as "cpu", "cuda", "rocm" and "tpu"; default: that of the default device.
      disabled_checks: see `DisabledSafetyCheck`.
    Returns:
      A function of arguments, or `ShapeDtypeStruct`s of their types, which returns an `Exported`. Shapes may be
      symbolic, see `symbolic_shape`.
    Raises:
      ValueError: `fun_jit` is no jitted function, and none of this library.
      NotImplementedError: the function calls Python.

    >>> from adjoint import export
    >>> exported = export.export(jit(jnp.sin))(np.arange(3, dtype=np.float32))
    >>> export.deserialize(exported.serialize()).call(np.array([0., 1., 2.], np.float32))
    Array([0.       , 0.841471 , 0.9092974], dtype=float32)
    """
def is_symbolic_dim(p: Any) -> bool:
    """Return whether a length is an expression.

    Args:
      p: an element of a shape.
    Returns:
      False for an int.

    >>> export.is_symbolic_dim(3), export.is_symbolic_dim(export.symbolic_shape("n")[0])
    (False, True)
    """
maximum_supported_calling_convention_version: int
minimum_supported_calling_convention_version: int
def register_namedtuple_serialization(nodetype: type[_T], *, serialized_name: str) -> type[_T]:
    """Let exported functions have arguments and results of a `collections.namedtuple`.

    Args:
      nodetype: the class, which has the same fields wherever artifacts are read.
      serialized_name: its name in artifacts.
    Returns:
      The class.
    Raises:
      ValueError: the class or the name is registered already, or the class is no namedtuple.

    >>> from collections import namedtuple
    >>> Interval = register_namedtuple_serialization(namedtuple("Interval", "low high"), serialized_name="doc.Interval")
    >>> exported = adjoint.export.export(jit(lambda i: i.high - i.low))(Interval(1.0, 3.0))
    >>> adjoint.export.deserialize(exported.serialize()).call(Interval(1.0, 3.0))
    Array(2., dtype=float32)
    """
def register_pytree_node_serialization(nodetype: type[_T], *, serialized_name: str, serialize_auxdata: Callable[[Any], bytes], deserialize_auxdata: Callable[[bytes], Any], from_children: Callable[[Any, tuple[Any, ...]], Any] | None = None) -> type[_T]:
    """Let exported functions have arguments and results of a class.

    Args:
      nodetype: a class that is registered as a pytree node.
      serialized_name: its name in artifacts, the same wherever they are read.
      serialize_auxdata: auxiliary data, as the class is flattened to it, -> bytes.
      deserialize_auxdata: the reverse.
      from_children: (auxiliary data, children) -> object; default: how the class is unflattened.
    Returns:
      The class.
    Raises:
      ValueError: the class or the name is registered already, or the class is no pytree node.

    >>> class Pair:
    ...     def __init__(self, a, b): self.a, self.b = a, b
    >>> _ = tree_util.register_pytree_node(Pair, lambda p: ((p.a, p.b), None), lambda _, ab: Pair(*ab))
    >>> _ = export.register_pytree_node_serialization(
    ...     Pair, serialized_name="Pair", serialize_auxdata=lambda aux: b"", deserialize_auxdata=lambda b: None)
    >>> double = export.export(jit(lambda p: p.a + p.b))(Pair(1., 2.))
    >>> export.deserialize(double.serialize()).call(Pair(1., 2.))
    Array(3., dtype=float32)
    """
def symbolic_args_specs(args: Any, shapes_specs: Any, constraints: Sequence[str] = (), scope: SymbolicScope | None = None) -> Any:
    """Return the types of arguments with symbolic shapes, for `export`.

    Args:
      args: a tree of arrays or `ShapeDtypeStruct`s, which give dtypes, and lengths for placeholders.
      shapes_specs: a text for all of them, None for shapes as they are, or a tree of these that is a prefix of `args`.
      constraints, scope: as in `symbolic_shape`.
    Returns:
      The tree with a `ShapeDtypeStruct` in the place of each array.
    Raises:
      ValueError: a specification is neither None nor a text, or does not fit the shape of its array.

    >>> export.symbolic_args_specs({"x": jnp.ones((2, 3)), "y": jnp.ones(3)}, {"x": "b, _", "y": None})
    {'x': ShapeDtypeStruct(shape=(b, 3), dtype=float32), 'y': ShapeDtypeStruct(shape=(3,), dtype=float32)}
    """
def symbolic_shape(shape_spec: str | None, *, constraints: Sequence[str] = (), scope: SymbolicScope | None = None, like: Sequence[int | None] | None = None) -> Sequence[Any]:
    """Return the shape of a text, whose lengths may be expressions over variables.

    Args:
      shape_spec: "a, b", "(2*n + 1, 4)"; numbers, names, `+`, `-`, `*`, `floordiv(a, b)`, `mod(a, b)`, `max(a, b)` and
        `min(a, b)`. "_" stands for a length of `like`, "..." for all that follow; None is "...".
      constraints: what holds, such as "a >= 4", "b <= 2*a", "mod(a, 2) == 0".
      scope: where the variables belong, with its own constraints; default: a new one.
      like: a shape that placeholders are taken of.
    Raises:
      ValueError: the text is no shape.

    >>> b, n = export.symbolic_shape("b, 2*n")
    >>> b * n // 2, n >= 2
    (b*n, True)
    """
