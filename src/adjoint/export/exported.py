"""Exported functions: a program in StableHLO with the types and structures of its arguments and results.

`export` makes one of a jitted function, `deserialize` of bytes. A call reads the program (`programs/`), once for each
types of arguments, and runs it as any other program here: it is compiled by the engine, and can be a part of other
programs. Derivatives are exported programs too.

Tests: `tests/export/test_export.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dimensions.expressions import DimExpr
from ..core.dimensions.parsing import dimensions
from ..core.dimensions.scopes import SymbolicScope
from ..core.dimensions.solving import Solution, check, solve
from ..core.jaxpr import ClosedJaxpr
from ..core.messages.boundaries import guarded
from ..core.messages.errors import message
from ..core.trace import Tracer, current, stage_closed, state
from ..core.tree.differences import tree_difference
from ..core.tree.paths import keystr, leaf_paths
from ..core.tree.tree import tree_flatten, tree_unflatten
from ..core.tree.treedef import PyTreeDef
from ..core.types import ShapedArray, aval_of
from ..custom_derivatives import custom_vjp
from ..parallel.devices import default_backend
from ..prims.conversion import convert_element_type
from ..prims.generators import random_wrap
from ..prims.random import random_unwrap
from ..transforms.calls import run_program
from ..transforms.derivatives.grad import vjp
from ..transforms.jit.jit import Jitted, jit
from ..transforms.jit.primitive import jit_p
from .artifact import read_fields, write_fields
from .checks import DisabledSafetyCheck, check_calls
from .lowering.module import lowered
from .mlir.ir import ArtifactError, all_operations
from .mlir.printing import module_text
from .mlir.reader import read_module
from .programs.program import Program, as_value, wide
from .shardings import divided, mesh_of_call, on_mesh, stated
from .tables import Builder, Table

__all__ = [
    "Exported", "default_export_platform", "deserialize", "export", "maximum_supported_calling_convention_version",
    "minimum_supported_calling_convention_version",
]

minimum_supported_calling_convention_version = 9
maximum_supported_calling_convention_version = 10


def default_export_platform() -> str:
    """Return the platform for which functions are exported if none is named: that of the default device.

    >>> default_export_platform()
    'cpu'
    """
    found = default_backend()
    return "cuda" if found == "gpu" else found


@guarded
@dataclass(frozen=True)
class Exported:
    """A function as a StableHLO program, with the types and structures of its arguments and results.

    Made by `export.export` and `export.deserialize`.

    >>> exported = adjoint.export.export(jit(jnp.sin))(ShapeDtypeStruct((3,), 'float32'))
    >>> exported.fun_name, exported.in_avals
    ('sin', (ShapedArray(float32[3]),))
    """

    fun_name: str
    in_tree: PyTreeDef
    in_avals: tuple[ShapedArray, ...]
    out_tree: PyTreeDef
    out_avals: tuple[ShapedArray, ...]
    _has_named_shardings: bool
    _in_named_shardings: tuple[Any, ...]
    _out_named_shardings: tuple[Any, ...]
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
    _get_vjp: Callable[[Exported], Exported] | None
    _programs: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    def __str__(self) -> str:
        return f"Exported(fun_name={self.fun_name}, ...)"

    def mlir_module(self, serialized: bool = True) -> Any:
        """Return the program as StableHLO's text.

        Args:
          serialized: for compatibility with JAX; not read.
        """
        return module_text(read_module(self.mlir_module_serialized))

    def has_vjp(self) -> bool:
        """Return whether the derivative can be had."""
        return self._get_vjp is not None

    def vjp(self) -> Exported:
        """Return the derivative: (*arguments, *cotangents of results) -> cotangents of arguments, all flat.

        Raises:
          ValueError: it was not stored with the function.
        """
        if self._get_vjp is None:
            raise ValueError(
                message("No VJP is available", why="The artifact was written without it.",
                        fix="exported.serialize(vjp_order=1)")
            )
        return self._get_vjp(self)

    def serialize(self, vjp_order: int = 0) -> bytearray:
        """Return the function as bytes, which `deserialize` reads, here or in JAX.

        Args:
          vjp_order: how often the function that is read can be differentiated.
        """
        builder = Builder()
        return bytearray(builder.finish(self._write(builder, vjp_order)))

    def _write(self, builder: Builder, order: int) -> int:
        return write_fields(builder, self, self.vjp()._write(builder, order - 1) if order > 0 else None)

    def in_shardings_jax(self, mesh) -> Sequence[Any]:
        """Return the shardings of the arguments over a mesh; None where none is said.

        Args:
          mesh: a mesh with as many devices as the function was exported for.
        """
        return on_mesh(self._in_named_shardings, mesh)

    def out_shardings_jax(self, mesh) -> Sequence[Any]:
        """Return the shardings of the results over a mesh; None where none is said.

        Args:
          mesh: a mesh with as many devices as the function was exported for.
        """
        return on_mesh(self._out_named_shardings, mesh)

    def call(self, *args, **kwargs):
        """Call the function with arguments of the structure and the types for which it was exported.

        Derivatives in reverse mode are those that were exported with it.

        Args:
          args: arguments by position.
          kwargs: arguments by name.

        Raises:
          ValueError: structure, shapes or dtypes are others, or the platform is one for which it was not exported.
        """
        leaves, in_tree = tree_flatten((args, kwargs))
        if in_tree != self.in_tree:
            raise self._other_tree(in_tree)
        self._check_types([aval_of(x) for x in leaves])
        self._check_platform()
        if any([isinstance(x, Tracer) for x in leaves]):
            outs = self._differentiable()(*leaves)
        elif self.nr_devices == 1:
            outs = self._run(leaves)
        else:
            mesh = mesh_of_call(leaves)
            if mesh is None or mesh.size != self.nr_devices:
                raise ValueError(
                    message(
                        f"Function {self.fun_name} was exported for {self.nr_devices} devices and is called in a "
                        f"context with {1 if mesh is None else mesh.size} devices, which is not allowed.",
                        fix="device_put(x, exported.in_shardings_jax(mesh)[0]) for the arguments",
                    )
                )
            outs = divided(self._run(leaves), self._out_named_shardings, mesh)
        return tree_unflatten(self.out_tree, outs)

    # ---- calls

    def _other_tree(self, in_tree) -> ValueError:
        lines = []
        for d in tree_difference(self.in_tree, in_tree):
            place = ("args", "kwargs")[d.path[0].idx] + keystr(d.path[1:]) if d.path else "the whole"
            lines.append(f"   - {place} is {d.right} in the invocation and {d.left} when exported, so {d.why}.\n")
        return ValueError(
            message(
                "The invocation args and kwargs must have the same pytree structure as when the function "
                f"'{self.fun_name}' was exported, but they have the following structural differences:\n"
                + "".join(lines),
                fix="arguments like those of export(f)(...)",
            )
        )

    def _names(self) -> list[str]:
        return _names_of(self.in_tree)

    def _check_types(self, avals: Sequence[ShapedArray]) -> None:
        is_symbolic = False
        for i, (expected, got) in enumerate(zip(self.in_avals, avals)):
            if expected.dtype != got.dtype:
                raise ValueError(
                    f"Dtype mismatch for {self._names()[i]}: expected {expected.dtype.name} and called with "
                    f"{got.dtype.name}"
                )
            if expected.ndim != got.ndim:
                raise ValueError(
                    f"Rank mismatch for {self._names()[i]}: expected {expected.shape} and called with {got.shape}"
                )
            for d, (n, m) in enumerate(zip(expected.shape, got.shape)):
                is_symbolic = is_symbolic or type(n) is not int
                if type(n) is int and n != m:
                    raise ValueError(
                        f"Shape mismatch for {self._names()[i]}.shape[{d}] (expected same constant): expected "
                        f"{expected.shape} and called with {got.shape}"
                    )
        if is_symbolic:
            if "solution" not in self._programs:
                self._programs["solution"] = solve([a.shape for a in self.in_avals], self._names())
            check(self._programs["solution"], [a.shape for a in avals])

    def _platform(self) -> str:
        return default_export_platform()

    def _check_platform(self) -> None:
        own = self._platform()
        if own not in self.platforms and DisabledSafetyCheck.platform() not in self.disabled_safety_checks:
            raise ValueError(
                message(
                    f"Function '{self.fun_name}' was exported for platforms '{self.platforms}' but it is used on "
                    f"'{(own,)}'.",
                    fix=f"export(f, platforms=[..., {own!r}]), or disabled_checks=[DisabledSafetyCheck.platform()]",
                )
            )

    def _program(self, avals: Sequence[ShapedArray]) -> ClosedJaxpr:
        """Return the program for arguments of these types."""
        platform = self._platform()
        key = (*[(a.shape, a.dtype) for a in avals], platform)
        found = self._programs.get(key)
        if found is None:
            if "" not in self._programs:
                self._programs[""] = read_module(self.mlir_module_serialized)
            program = Program(self._programs[""])
            typed = [ShapedArray(a.shape, a.dtype) for a in avals]
            try:
                with wide(), current(state.bottom):
                    found = stage_closed(lambda *xs: self._main(program, xs, platform), typed)
            except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ZeroDivisionError) as error:
                raise ArtifactError(
                    f"The artifact is damaged: its program has no meaning. {type(error).__name__}: {error}"
                ) from error
            self._programs[key] = found
        return found

    def _main(self, program: Program, xs: Sequence, platform: str) -> list:
        args = [_stored(xs[i]) for i in self.module_kept_var_idx]
        if len(self.platforms) > 1:
            index = self.platforms.index(platform) if platform in self.platforms else 0
            args.insert(0, np.asarray(index, np.int32))
        outs = program.run("main", args)
        if len(outs) != len(self.out_avals):
            raise ValueError("The artifact is damaged: its program has not as many results as it announces.")
        return [_public(x, a) for x, a in zip(outs, self.out_avals)]

    def _run(self, leaves) -> list:
        closed = self._program([aval_of(x) for x in leaves])
        if state.trace is not state.bottom:
            return self._bind(closed, leaves)
        return run_program(closed, leaves)

    def _bind(self, closed: ClosedJaxpr, leaves) -> list:
        return jit_p.bind(*leaves, jaxpr=closed, name=f"call_exported_{self.fun_name}", inline=False, keep_unused=False,
                          donated_invars=(False,) * len(leaves))

    def _differentiable(self) -> Callable:
        """Return the flat function, whose derivative is that which was exported."""

        def f_flat(*leaves):
            return tuple(self._bind(self._program([aval_of(x) for x in leaves]), leaves))

        def f_flat_vjp_fwd(*leaves):
            return f_flat(*leaves), leaves

        def f_flat_vjp_bwd(leaves, cotangents):
            return tuple(self.vjp().call(*leaves, *cotangents))

        fun = custom_vjp(f_flat)
        fun.defvjp(f_flat_vjp_fwd, f_flat_vjp_bwd)
        return fun


def _stored(x):
    """Return a value as the program has it: keys are their words."""
    return random_unwrap(x) if isinstance(x.dtype, dtypes.ExtendedDType) else x


def _public(x, aval: ShapedArray):
    """Return a result of the program as a value of its type."""
    if aval.dtype == dtypes.float0:
        return np.zeros(x.shape, dtypes.float0)
    x = as_value(x)
    if aval.weak_type and not aval_of(x).weak_type:
        return convert_element_type(x, new_dtype=aval.dtype, weak_type=True, sharding=None)
    return random_wrap(x, impl=aval.dtype._impl) if isinstance(aval.dtype, dtypes.ExtendedDType) else x


# ---- making ----------------------------------------------------------------------------------------


def _is_of_library(fun: Callable) -> bool:
    """Return whether a function is one that this library offers, which needs no `jit` around it."""
    return str(getattr(fun, "__module__", "")).partition(".")[0] == __name__.partition(".")[0]


def export(
    fun_jit: Any, *, platforms: Sequence[str] | None = None, disabled_checks: Sequence[DisabledSafetyCheck] = (),
    _override_lowering_rules: Sequence[tuple[Any, Any]] | None = None,
) -> Callable[..., Exported]:
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
    if not isinstance(fun_jit, Jitted) and callable(fun_jit) and _is_of_library(fun_jit):
        fun_jit = jit(fun_jit)
    if not isinstance(fun_jit, Jitted):
        raise ValueError(
            message(f"Function to be exported must be the result of `jit` but is: {fun_jit}", fix="export(jit(f))")
        )
    if _override_lowering_rules:
        raise NotImplementedError(
            message(
                "_override_lowering_rules is not supported.",
                why="Rules of JAX's lowering make MLIR objects, and programs here are lowered to text.",
                fix="register a lowering for the primitive",
            )
        )
    chosen = tuple(platforms or (default_export_platform(),))
    if isinstance(platforms, str):
        chosen = (platforms,)

    def do_export(*args, **kwargs) -> Exported:
        leaves, tree = tree_flatten((args, kwargs))
        _check_scopes([getattr(x, "shape", ()) for x in leaves], _names_of(tree), fun_jit.name)
        traced = fun_jit.trace(*args, **kwargs)
        return _exported(traced, chosen, tuple(disabled_checks))

    return do_export


def _exported(traced, platforms: tuple[str, ...], disabled: tuple[DisabledSafetyCheck, ...]) -> Exported:
    in_avals, out_avals = tuple(traced._avals), tuple(traced._entry.out_avals)
    solution = _solved(in_avals, traced.in_tree, traced.fun_name)
    module, kept, data = lowered(traced, platforms, solution)
    check_calls(all_operations(module), disabled)
    nothing = lambda avals: (None,) * len(avals)
    count, in_shardings, out_shardings = stated(traced)
    return Exported(
        fun_name=traced.fun_name, in_tree=traced.in_tree, in_avals=in_avals, out_tree=traced.out_tree,
        out_avals=out_avals, _has_named_shardings=True, _in_named_shardings=in_shardings,
        _out_named_shardings=out_shardings, in_shardings_hlo=nothing(in_avals),
        out_shardings_hlo=nothing(out_avals), nr_devices=count, platforms=platforms, ordered_effects=(),
        unordered_effects=(), disabled_safety_checks=disabled, mlir_module_serialized=data,
        calling_convention_version=maximum_supported_calling_convention_version, module_kept_var_idx=kept,
        uses_global_constants=len(platforms) > 1 or solution is not None, _get_vjp=_derivative(traced),
    )


def _names_of(tree: PyTreeDef) -> list[str]:
    """Return the names of arguments in messages: `args[0]`, `kwargs['x']`."""
    return [("args", "kwargs")[path[0].idx] + keystr(path[1:]) for path in leaf_paths(tree)]


def _solved(avals: Sequence[ShapedArray], tree: PyTreeDef, name: str) -> Solution | None:
    """Return the variables of symbolic shapes; None if there are none."""
    names = _names_of(tree)
    symbolic = _check_scopes([a.shape for a in avals], names, name)
    return solve([a.shape for a in avals], names) if symbolic else None


def _check_scopes(shapes: Sequence[tuple], names: Sequence[str], name: str) -> bool:
    """Return whether shapes are symbolic; those of one function are of one scope."""
    first = None
    for shape, place in zip(shapes, names):
        for d in shape:
            if not isinstance(d, DimExpr):
                continue
            first = first or (d, place)
            if d.scope is not first[0].scope:
                raise ValueError(
                    f"Invalid mixing of symbolic scopes when exporting {name}.\nExpected current (from {first[1]}) "
                    f"scope {first[0].scope}\nand found for '{d}' ({place}) scope {d.scope}\nSee "
                    "https://docs.jax.dev/en/latest/export/shape_poly.html#user-specified-symbolic-constraints."
                )
    return first is not None


def _derivative(traced) -> Callable[[Exported], Exported]:
    """Return what exports the derivative of a function that was traced."""
    entry = traced._entry

    def flat(*leaves):
        return tuple(jit_p.bind(*entry.captured, *leaves, **entry.params))

    def get(exported: Exported) -> Exported:
        n = len(exported.in_avals)

        def fun_vjp_jax(*args_and_out_cts_flat_jax):
            args, cts = args_and_out_cts_flat_jax[:n], args_and_out_cts_flat_jax[n:]
            _, pull = vjp(flat, *args)
            return tuple([_storable(x) for x in pull(tuple(cts))])

        avals = [*exported.in_avals, *[a.to_tangent_aval() for a in exported.out_avals]]
        with wide_if_needed(avals):
            found = export(jit(fun_vjp_jax), platforms=exported.platforms,
                           disabled_checks=exported.disabled_safety_checks)(*avals)
        return replace(found, out_avals=tuple([a.to_tangent_aval() for a in exported.in_avals]))

    return get


def _storable(x):
    """Return a cotangent as a program can have it: float0 has no elements that could be stored."""
    return np.zeros(x.shape, bool) if aval_of(x).dtype == dtypes.float0 else x


def wide_if_needed(avals):
    """Return the mode in which arguments of these types keep them."""
    return wide() if any([a.dtype in dtypes.WIDE for a in avals]) else nullcontext()


def _length(text: str, scope: SymbolicScope) -> Any:
    """Return a length of an artifact: a number, or an expression."""
    if len(text) > _LONGEST:
        raise ArtifactError("The artifact is damaged: a length of an axis is a text that is too long.")
    try:
        (length,) = dimensions(text, scope)
    except (ValueError, ZeroDivisionError, RecursionError, OverflowError) as error:
        raise ArtifactError(f"The artifact is damaged: {text!r} is no length of an axis.") from error
    if isinstance(length, int) and not 0 <= length < 1 << 48:
        raise ArtifactError(f"The artifact has an axis of length {length}.")
    return length


_LONGEST = 2000  # characters of an expression


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
    if not isinstance(blob, bytes | bytearray | memoryview):
        raise TypeError(f"deserialize takes a bytes-like object, not {type(blob).__name__!r}")
    return _read(Table.root(bytes(blob)))


def _read(table: Table) -> Exported:
    scope = SymbolicScope()
    found = read_fields(table, lambda text: _length(text, scope))
    inner = found.pop("vjp")
    derivative = None if inner is None else _read(inner)
    nothing = lambda avals: (None,) * len(avals)
    read_module(found["mlir_module_serialized"])
    version = found["calling_convention_version"]
    least, most = minimum_supported_calling_convention_version, maximum_supported_calling_convention_version
    if not least <= version <= most:
        raise ValueError(
            f"The artifact has calling convention version {version}, and versions {least} to {most} are known here."
        )
    return Exported(
        **found, _has_named_shardings=True, in_shardings_hlo=nothing(found["in_avals"]),
        out_shardings_hlo=nothing(found["out_avals"]), ordered_effects=(), unordered_effects=(),
        _get_vjp=None if derivative is None else lambda _: derivative,
    )
