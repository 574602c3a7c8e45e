"""Tracing without running: `make_jaxpr`, `eval_shape`, and the type of anything.

Tests: `tests/transforms/test_jit.py`.
"""

from __future__ import annotations

from typing import Any

from ...core.dtypes import as_dtype, canonicalize_dtype
from ...core.jaxpr import ClosedJaxpr, Jaxpr
from ...core.messages.boundaries import scope
from ...core.messages.errors import message, shorten
from ...core.options.config import local
from ...core.state import extend_axis_env, scoped
from ...core.trace import Tracer, stage, state
from ...core.tree.tree import PyTreeDef, register_pytree_node, tree_flatten, tree_unflatten
from ...core.types import Array, ShapedArray, aval_of, typed_value
from ...core.values.changing import ChangingValueError, is_changing
from ...core.values.refs import Ref
from ...core.values.tokens import Token, abstract_token
from ...engines.called import DirectlyCallable
from ...engines.numpy.key_reuse import check_program
from ...engines.placed.propagate import are_typed_over_mesh, is_over_explicit
from ...sharding.device import Sharding
from ...sharding.explicit import ExplicitSharding, with_placement_of
from ...sharding.layout import Format, Layout
from ...sharding.mesh import Mesh, PartitionSpec, context_mesh
from ...sharding.named_sharding import NamedSharding
from ..flat import FlatFun, argument_names, check_callable, debug_info, function_name, wraps
from .arguments import parameters_of, resolve
from .changing import holding, lowered, mapped_held

__all__ = ["ShapeDtypeStruct", "eval_shape", "make_jaxpr", "named_call", "named_scope", "typed_results", "typeof"]


class ShapeDtypeStruct:
    """The shape and dtype of an array, without the array.

    Args:
      shape: a tuple of ints, or of symbolic dimensions.
      dtype: of the elements.
      sharding: where the array is to be.
      weak_type: the dtype gives way to others.
      manual_axis_type: along which mesh axes it varies, inside of `shard_map`.
      is_ref: it stands for a reference.

    >>> ShapeDtypeStruct((2, 3), "float32")
    ShapeDtypeStruct(shape=(2, 3), dtype=float32)
    """

    __module__ = "adjoint"
    __slots__ = ("_layout", "dtype", "is_ref", "manual_axis_type", "shape", "sharding", "weak_type")

    dtype: Any
    is_ref: bool
    manual_axis_type: Any
    shape: tuple[int, ...]
    sharding: Any
    weak_type: bool
    _layout: Layout | None

    def __init__(self, shape, dtype, *, sharding=None, weak_type=False, manual_axis_type=None, is_ref=False):
        if dtype is None:
            raise ValueError("ShapeDtypeStruct: dtype must be specified.")
        if sharding is not None and not isinstance(sharding, (PartitionSpec, Sharding, Format)):
            raise ValueError(
                message(
                    "sharding should be an instance of `jax.sharding.Sharding`, `jax.sharding.PartitionSpec` or "
                    f"`jax.experimental.layout.Format`. Got {sharding} of type {type(sharding)}.",
                    fix="NamedSharding(mesh, P('x')), or P('x') under set_mesh(mesh)",
                )
            )
        layout = None
        if isinstance(sharding, Format):
            layout, sharding = sharding.layout, sharding.sharding
        if isinstance(sharding, PartitionSpec):
            sharding = _over_context_mesh(sharding)
        shape = tuple(shape)
        if isinstance(sharding, NamedSharding) and len(sharding.spec) > len(shape):
            sharding.check(shape)
        values = shape, as_dtype(dtype), sharding, weak_type, manual_axis_type, is_ref, layout
        for name, value in zip(_FIELDS, values):
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        if name in _FIELDS:
            raise RuntimeError(
                message(
                    f"Cannot reassign attributes ({name}) of immutable ShapeDtypeStruct objects",
                    fix=f"struct.update({name}={value!r}), a copy",
                )
            )
        object.__setattr__(self, name, value)

    def __reduce__(self):
        return _loaded, tuple([getattr(self, name) for name in _FIELDS])

    @classmethod
    def like(cls, x: Any) -> ShapeDtypeStruct:
        """Return shape, dtype and weak type of a value, and the sharding of an array that has a place.

        Args:
          x: an array, a scalar, or a type of one.

        >>> ShapeDtypeStruct.like(jnp.ones(3))
        ShapeDtypeStruct(shape=(3,), dtype=float32)
        """
        if isinstance(x, Ref):
            raise NotImplementedError(
                message("A ShapeDtypeStruct cannot be that of a reference.", fix="ShapeDtypeStruct.like(ref[...])")
            )
        aval = abstract(x)
        placed = isinstance(x, (ShapeDtypeStruct, ShapedArray))
        placed = placed or not isinstance(x, Tracer) and getattr(x, "committed", False)
        sharding = getattr(x, "sharding", None) if placed else None
        return cls(aval.shape, aval.dtype, sharding=sharding, weak_type=aval.weak_type)

    size = property(lambda self: ShapedArray(self.shape, self.dtype).size, doc="Return the number of elements.")
    ndim = property(lambda self: len(self.shape), doc="Return the number of axes.")
    format = property(
        lambda self: Format(self._layout, self.sharding), doc="Return the layout and the sharding, or Nones."
    )

    def update(self, **changes) -> ShapeDtypeStruct:
        """Return a copy with some fields replaced.

        Args:
          changes: `shape`, `dtype`, `sharding`, `weak_type` or another argument of the class.
        """
        fields = {name: getattr(self, name) for name in _FIELDS[:-1]}
        if self._layout is not None:
            fields["sharding"] = self.format
        return ShapeDtypeStruct(**{**fields, **changes})

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def _key(self):
        return tuple([getattr(self, name) for name in _FIELDS])

    def __eq__(self, other):
        return isinstance(other, ShapeDtypeStruct) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        sharding = f", sharding={self.sharding}" if self.sharding is not None else ""
        layout = f", format={self._layout}" if self._layout is not None else ""
        weak = ", weak_type=True" if self.weak_type else ""
        ref = ", is_ref=True" if self.is_ref else ""
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{sharding}{layout}{weak}{ref})"


_FIELDS = ("shape", "dtype", "sharding", "weak_type", "manual_axis_type", "is_ref", "_layout")


def _loaded(shape, dtype, sharding, weak_type, manual_axis_type, is_ref, layout) -> ShapeDtypeStruct:
    """Return a struct of these fields, to load one."""
    placed = sharding if layout is None else Format(layout, sharding)
    return ShapeDtypeStruct(
        shape, dtype, sharding=placed, weak_type=weak_type, manual_axis_type=manual_axis_type, is_ref=is_ref)


def _over_context_mesh(spec: PartitionSpec) -> NamedSharding:
    """Return a spec over the mesh that was set; TypeError without one."""
    mesh = context_mesh()
    if not isinstance(mesh, Mesh):
        raise TypeError(
            message(
                "When specifying PartitionSpec to `ShapeDtypeStruct`, the context mesh cannot be empty. Please use "
                "`jax.set_mesh` to set the mesh context.",
                fix=f"sharding=NamedSharding(mesh, {spec!r})",
            )
        )
    return NamedSharding(mesh, spec)


def abstract(x) -> ShapedArray:
    """Return the type of an array, a scalar, or anything with a shape and a dtype."""
    if isinstance(x, (Array, Ref)):
        return x.aval  # type: ignore[return-value]
    if isinstance(x, ShapedArray):
        return x
    if hasattr(x, "shape") and hasattr(x, "dtype") and not is_changing(x):
        dtype = canonicalize_dtype(x.dtype, allow_extended_dtype=True)
        aval = ShapedArray(tuple(x.shape), dtype, getattr(x, "weak_type", False))
        sharding = getattr(x, "sharding", None)
        return aval if sharding is None else with_placement_of(aval, sharding)
    return aval_of(x)


def typeof(x: Any) -> ShapedArray:
    """Return the type of an array or scalar, as tracing sees it.

    Args:
      x: an array, a tracer, a NumPy array, a scalar, or a `ShapeDtypeStruct`.
    Returns:
      A `ShapedArray` with `shape`, `dtype`, `weak_type` and `sharding`. Under `jit` it is all that is known of a value.
    Raises:
      TypeError: `x` is no array, such as a text or a list.

    >>> typeof(1.0)
    ShapedArray(float32[], weak_type=True)
    """
    return abstract(x) if isinstance(x, ShapeDtypeStruct) else typed_value(x)


class _Typed(FlatFun):
    """A function of which types are asked, so that some of its results may be types only."""

    results = (ShapeDtypeStruct,)

    def __call__(self, *leaves) -> list:
        outs = super().__call__(*leaves)
        return [state.trace.constant(x, abstract(x)) if type(x) is ShapeDtypeStruct else x for x in outs]


def trace_function(fun, args, kwargs, purpose, named=None, position=lambda i: i):
    """Return (jaxpr, values it closes over, structure of the result) of `fun` at the types of its arguments.

    The arguments have the names of those of `named`, default `fun`, at the positions that `position` gives.
    """
    leaves, in_tree = tree_flatten((args, kwargs))
    flat = _Typed(fun, in_tree, purpose)
    debug = debug_info(purpose, named or fun, in_tree, position)
    jaxpr, consts = stage(flat, _types_of(fun, leaves, in_tree), debug)
    if local.debug_key_reuse:
        check_program(ClosedJaxpr(jaxpr, consts))
    return jaxpr, consts, flat.out_tree


def _types_of(fun, leaves, in_tree) -> list[ShapedArray]:
    avals = []
    for i, x in enumerate(leaves):
        try:
            avals.append(abstract(x))
        except ChangingValueError:
            raise
        except TypeError:
            if isinstance(x, Array) or hasattr(x, "dtype"):
                raise
            raise uninterpreted(fun, x, argument_names(fun, in_tree)()[i], "a function that closes over it") from None
    return avals


def uninterpreted(fun, x, name: str, fix: str) -> TypeError:
    """Return the error for an argument that is no array, called `name`, of a function that is traced."""
    what = function_name(x) if callable(x) else shorten(x)
    return TypeError(
        message(
            f"Error interpreting argument to {fun} as an abstract array. The problematic value is of "
            f"type {type(x)} and was passed to the function at path {name}.",
            why=f"It is {what}. A traced function takes arrays, scalars, and trees of them; any other "
            "argument must be static.",
            fix=fix,
        )
    )


class _TokenPlace:
    """Stands in a tree for a token, which a program need not compute."""


register_pytree_node(_TokenPlace, lambda _: ((), None), lambda *_: Token())


def without_tokens(jaxpr: Jaxpr, out_tree: PyTreeDef) -> tuple[Jaxpr, PyTreeDef]:
    """Return a program that does not return its tokens, and a structure that has them in it."""
    kept = [v for v in jaxpr.outvars if v.aval is not abstract_token]
    if len(kept) == len(jaxpr.outvars):
        return jaxpr, out_tree
    places = [_TokenPlace() if v.aval is abstract_token else v for v in jaxpr.outvars]
    return jaxpr.replace(outvars=kept), tree_flatten(tree_unflatten(out_tree, places))[1]


def make_jaxpr(fun, static_argnums=(), axis_env=None, return_shape=False):
    """Return a function that gives the jaxpr of `fun`: the program that tracing makes of it.

    Args:
      fun: a function of arrays or trees of arrays.
      static_argnums: positions of arguments that are compile-time constants.
      axis_env: pairs (name, size) of named axes in scope.
      return_shape: also return the shapes and dtypes of the result.
    Returns:
      A function of the arguments of `fun`, which may be `ShapeDtypeStruct`s. It returns a `ClosedJaxpr`; with
      `return_shape` a pair of it and the result's tree of `ShapeDtypeStruct`s. Nothing is computed.
    Raises:
      TypeError: `fun` is not callable, or an argument is neither an array nor static.
    See also: `jit(fun).lower(...)`, for what a compiler gets; `plot_jaxpr`, for a picture.

    >>> make_jaxpr(lambda x: x + 1)(2.0)
    { lambda ; a:f32[]. let b:f32[] = add a 1.0:f32[] in (b,) }
    """
    check_callable(fun, "make_jaxpr")
    static, _ = resolve(fun, parameters_of(fun), static_argnums, None, "static")

    @wraps(fun)
    def jaxpr_maker(*args, **kwargs):
        f, dynamic = fix_static(fun, static, args)
        with extend_axis_env(*(axis_env or ())):
            fixed_at = _fixed_at(static, args)
            traced = [i for i in range(len(args)) if i not in fixed_at]
            try:
                jaxpr, consts, out_tree = trace_function(f, dynamic, kwargs, "make_jaxpr", fun, traced.__getitem__)
            except ChangingValueError:
                dynamic, kwargs, _ = lowered(dynamic, kwargs)
                jaxpr, consts, out_tree = trace_function(holding(f), dynamic, kwargs, "make_jaxpr")
        closed = ClosedJaxpr(jaxpr, consts)
        if return_shape:
            return closed, tree_unflatten(out_tree, _structs(jaxpr, tree_flatten((dynamic, kwargs))[0]))
        return closed

    jaxpr_maker.__name__ = f"make_jaxpr({function_name(fun)})"
    return jaxpr_maker


def fix_static(fun, static: tuple[int, ...], args: tuple):
    """Return `fun` with the arguments at `static` bound, and the other arguments."""
    if not static:
        return fun, args
    fixed_at = _fixed_at(static, args)
    dynamic = tuple([a for i, a in enumerate(args) if i not in fixed_at])

    @wraps(fun)
    def fixed(*rest, **kwargs):
        rest = iter(rest)
        return fun(*[a if i in fixed_at else next(rest) for i, a in enumerate(args)], **kwargs)

    return fixed, dynamic


def _fixed_at(static: tuple[int, ...], args: tuple) -> set[int]:
    return {i % len(args) for i in static if -len(args) <= i < len(args)}


def _structs(jaxpr: Jaxpr, leaves) -> list:
    """Return the types of results of a program of arguments, with shardings where all axes of the mesh are explicit."""
    places = [getattr(x, "sharding", None) for x in leaves]
    mesh, found = typed_results(jaxpr, places, context_mesh())
    is_told = mesh is not None and mesh.are_all_axes_explicit
    return [_struct(a, s if is_told else None) for a, s in zip(jaxpr.out_avals, found)]


def typed_results(jaxpr: Jaxpr, places, set_mesh) -> tuple[Any, list]:
    """Return the mesh that types of results of a program speak of, and their shardings; None for what is not over it.

    Args:
      places: shardings of the operands, or None.
      set_mesh: the mesh that was set when the program was traced, or None.
    """
    told = [s.mesh for s in places if isinstance(s, NamedSharding)]
    told += [a.explicit_sharding.mesh for a in jaxpr.out_avals
             if a is not abstract_token and a.explicit_sharding is not None]
    mesh = set_mesh or next(iter(told), None)
    if mesh is None or not mesh.explicit_axes:
        return None, [None] * len(jaxpr.out_avals)
    known = are_typed_over_mesh(jaxpr, [is_over_explicit(s) for s in places], set_mesh is not None)
    own = lambda a: ExplicitSharding(mesh.abstract_mesh, PartitionSpec(*[None] * a.ndim))
    return mesh, [
        None if a is abstract_token else a.explicit_sharding or (own(a) if is_known else None)
        for a, is_known in zip(jaxpr.out_avals, known)
    ]


def _struct(aval, sharding):
    if aval is abstract_token:
        return aval
    return ShapeDtypeStruct(aval.shape, aval.dtype, sharding=sharding, weak_type=aval.weak_type)


def eval_shape(fun, *args, **kwargs):
    """Return shapes and dtypes of `fun(*args, **kwargs)`, without computing it.

    Args:
      fun: a function of arrays or trees of arrays.
      *args: arrays, or anything with `shape` and `dtype`, such as `ShapeDtypeStruct`.
      **kwargs: keyword arguments of `fun`.
    Returns:
      The structure of the result with `ShapeDtypeStruct` leaves.
    Raises:
      TypeError: `fun` is not a function.

    >>> eval_shape(lambda x: x @ x.T, ShapeDtypeStruct((2, 3), "float32"))
    ShapeDtypeStruct(shape=(2, 2), dtype=float32)
    """
    check_callable(fun, "eval_shape")
    if isinstance(fun, DirectlyCallable) and (of_jitted := getattr(fun, "eval_shape", None)) is not None:
        return of_jitted(*args, **kwargs)  # which knows where results are to be
    try:
        jaxpr, _, out_tree = trace_function(fun, args, kwargs, "eval_shape")
    except ChangingValueError:
        args, kwargs, _ = lowered(args, kwargs)
        out, _ = eval_shape(holding(fun), *args, **kwargs)
        return mapped_held(lambda x: x.kind, out)
    except TypeError as error:
        shape = next((x for x in (*args, *kwargs.values()) if _is_shape(x)), None)
        if shape is not None:
            error.add_note(f"  eval_shape takes arrays and their types; {shape} is a tree of {len(shape)} numbers.\n"
                           f"  Try: jax.ShapeDtypeStruct({tuple(shape)}, jnp.float32) for an array of this shape")
        raise
    return tree_unflatten(out_tree, _structs(jaxpr, tree_flatten((args, kwargs))[0]))


def _is_shape(x) -> bool:
    """Return whether an argument is no array, but the shape of one."""
    return type(x) in (tuple, list) and len(x) > 0 and all(type(n) is int for n in x)


def named_scope(name: str):
    """Name the equations that are traced inside of a `with` block, for profiles and texts of programs.

    Args:
      name: any text; blocks inside of blocks add theirs, after a slash.
    Returns:
      A context manager, which is a decorator of functions, too. Values do not change.
    Raises:
      TypeError: the name is no string.

    >>> with named_scope("layer1"):
    ...     y = jnp.sin(1.)
    """
    if not isinstance(name, str):
        raise TypeError(message("named_scope name argument must be a string.", fix=f"named_scope({str(name)!r})"))
    return _named_scope(name)


@scope
def _named_scope(name: str):
    with scoped(name):
        yield


def named_call(fun, *, name: str | None = None):
    """Return `fun` with the equations that it traces under its name; see `named_scope`.

    Args:
      fun: any function.
      name: the name; that of `fun` by default.
    Returns:
      A function of the same arguments and results.
    Raises:
      TypeError: the name is no string.

    >>> named_call(jnp.sin, name="wave")(0.)
    Array(0., dtype=float32, weak_type=True)
    """
    label = name or function_name(fun)

    @wraps(fun)
    def named(*args, **kwargs):
        with named_scope(label):
            return fun(*args, **kwargs)

    return named
