# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any, Concatenate, Generic, overload
from typing_extensions import ParamSpec, Self, TypeVar
from adjoint.core import ShapedArray
from adjoint.extend.core import ClosedJaxpr
_R = TypeVar("_R", default=Any)
_S = TypeVar("_S", default=Any)
_P = ParamSpec("_P", default=...)
_Q = ParamSpec("_Q", default=...)
class ArgInfo:
    """Describe one argument of a program."""

    def __init__(self, aval: ShapedArray, donated: bool) -> None: ...
    aval: ShapedArray
    donated: bool
    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the argument."""
    @property
    def dtype(self) -> Any:
        """Return the dtype of the argument."""
class Compiled:
    """A compiled program, which is called with arguments of the types that it was compiled for."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def as_text(self) -> str:
        """Return what the engine runs: XLA's optimised program, the native engine's table, or the jaxpr."""
    def cost_analysis(self) -> Any:
        """Estimated operations and bytes of one call, on one device."""
    def memory_analysis(self) -> Any:
        """Sizes of arguments, results and intermediate values in bytes, on one device."""
    def runtime_executable(self) -> Any:
        """The engine's object."""
    @property
    def out_info(self) -> Any:
        """Return a tree of `ShapeDtypeStruct` like the result, with layouts and shardings."""
    @property
    def args_info(self) -> Any:
        """Return a tree of `ArgInfo` like (args, kwargs)."""
    @property
    def in_tree(self) -> Any:
        """Return the structure of the arguments."""
    @property
    def out_tree(self) -> Any:
        """Return the structure of the result."""
    @property
    def input_shardings(self) -> Any:
        """Return a tree of shardings like (args, kwargs); None for what the program does not read."""
    @property
    def output_shardings(self) -> Any:
        """Return a tree of shardings like the result."""
    def __getattr__(self, name: str) -> Any: ...
CompilerOptions = dict[str, Any]
class Lowered:
    """A program before it is compiled."""

    def compile(self, compiler_options: CompilerOptions | None = None, *, device_assignment: Any = None) -> Compiled:
        """Compile for the engine of the default device; return a `stages.Compiled`.

        Args:
          compiler_options: options of XLA by name, where that is the engine.
          device_assignment: the devices; needed where the shardings are over a mesh without devices.
        """
    def as_text(self, dialect: str | None = None, *, debug_info: bool = False) -> str:
        """Return the program as text.

        With `debug_info` operations say from which line of the user's code they come.

        Args:
          dialect: "stablehlo" (the default), "hlo" (needs jaxlib), "jaxpr" or "native".
          debug_info: say from which line of the user's code operations come.
        """
    def compiler_ir(self, dialect: str | None = None) -> Any:
        """Return the program as jaxlib's object, of MLIR or for "hlo" of XLA; "jaxpr" and "native" are text.

        Args:
          dialect: as for `as_text`.
        """
    def cost_analysis(self) -> Any:
        """Estimated operations and bytes of one call."""
    @property
    def out_info(self) -> Any:
        """Return a tree of `ShapeDtypeStruct` like the result, over the mesh's devices, without weak types."""
    @property
    def args_info(self) -> Any:
        """Return a tree of `ArgInfo` like (args, kwargs)."""
    @property
    def in_tree(self) -> Any:
        """Return the structure of the arguments."""
    @property
    def out_tree(self) -> Any:
        """Return the structure of the result."""
    @property
    def donate_argnums(self) -> tuple[int, ...]:
        """Return the positions of the flat arguments that are donated."""
    def __getattr__(self, name: str) -> Any: ...
class Traced:
    """A jitted function, traced for its arguments."""

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """Return the program, with what the function closes over as constants."""
    @property
    def fun_name(self) -> str:
        """Return the name of the function."""
    @property
    def out_info(self) -> Any:
        """Return a tree of `ShapeDtypeStruct` like the result."""
    @property
    def args_info(self) -> Any:
        """Return a tree of `ArgInfo` like (args, kwargs)."""
    @property
    def in_avals(self) -> Any:
        """Return the types of the arguments, as a tree like (args, kwargs)."""
    @property
    def in_tree(self) -> Any:
        """Return the structure of the arguments."""
    @property
    def out_avals(self) -> Any:
        """Return the types of the results, as a tree like the result."""
    @property
    def out_tree(self) -> Any:
        """Return the structure of the result."""
    @property
    def donate_argnums(self) -> tuple[int, ...]:
        """Return the positions of the flat arguments that are donated."""
    def lower(self, *, lowering_platforms: tuple[str, ...] | None = None, _private_parameters: Any = None) -> Lowered:
        """Translate the program for the engine; return a `stages.Lowered`.

        Args:
          lowering_platforms: the text in StableHLO is for the first of these.
          _private_parameters: for compatibility with JAX; not read.
        """
    def __getattr__(self, name: str) -> Any: ...
class Wrapped(Generic[_P, _R]):
    """A function that `jit` has made, with the signature of what it was made from."""

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    def lower(self, *args: _P.args, **kwargs: _P.kwargs) -> Lowered:
        """Trace and lower for arguments of these types; return a `stages.Lowered`.

        Args:
          args: arrays, scalars or `ShapeDtypeStruct`s, by position.
          kwargs: the same by name.
        """
    def trace(self, *args: _P.args, **kwargs: _P.kwargs) -> Traced:
        """Trace for arguments of these types; return a `stages.Traced`.

        Args:
          args: arrays, scalars or `ShapeDtypeStruct`s, by position.
          kwargs: the same by name.
        """
    def eval_shape(self, *args: _P.args, **kwargs: _P.kwargs) -> Any:
        """Return shapes and dtypes of the result for arguments of these types.

        Args:
          args: arrays, scalars or `ShapeDtypeStruct`s, by position.
          kwargs: the same by name.
        """
    def clear_cache(self) -> None:
        """Forget the programs traced so far."""
    @property
    def __wrapped__(self) -> Callable[_P, _R]: ...
    @property
    def __name__(self) -> str: ...
    # In a class a jitted function is a method.
    @overload
    def __get__(self, instance: None, owner: Any = ..., /) -> Self: ...
    @overload
    def __get__(self: Wrapped[[], _S], instance: object, owner: Any = ..., /) -> Wrapped[..., _S]: ...
    @overload
    def __get__(self: Wrapped[Concatenate[Any, _Q], _S], instance: object, owner: Any = ..., /) -> Wrapped[_Q, _S]: ...
