"""Operations on references: `new_ref`, `get`, `swap`, `addupdate`, `freeze`, `empty_ref`.

Where a program is staged they are equations; elsewhere they act on the value that the reference holds, through
the ordinary indexing of arrays (see core/values/refs.py). Engines are given programs on values, by `discharge.py`.

An index is static tokens, one for each axis, and the arrays in it: an int, ("slice", start, size, step),
("new",) for a new axis, ("at",) for a dynamic position, ("window", size) for a dynamic start, ("array", shape).

Tests: `tests/transforms/test_references.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array.array import ArrayImpl, as_array, make_array
from ..core import dtypes
from ..core.atoms import Literal
from ..core.messages.errors import NonConcreteBooleanIndexError, UnexpectedTracerError, message
from ..core.primitive import Primitive
from ..core.trace import DynamicJaxprTrace, Tracer, current, state, writer
from ..core.types import Array, ShapedArray, aval_of
from ..core.values.dimension import broadcast_shapes, span
from ..core.values.refs import AbstractRef, Ref, ref_effect
from ..core.values.slices import Slice
from .conversion import convert_element_type
from .shape import full
from .slicing import dynamic_slice, dynamic_update_slice

__all__ = [
    "RefPrimitive", "addupdate", "empty_ref", "freeze", "get", "new_ref", "store", "swap",
]


class RefPrimitive(Primitive):
    """An operation on a reference, its first operand."""

    def __init__(self, name: str, multiple_results: bool = False):
        super().__init__(name, multiple_results=multiple_results, program=True)
        self.bind = self.dispatch
        if name not in ("new_ref", "empty_ref"):
            self.effects(lambda params: _effects)

    def dispatch(self, *args, **params):
        """Write the equation where a program is staged, act on the value elsewhere."""
        return act(self, args, params)

    def now(self, *args, **params):
        """Return what the operation does to a reference that holds a value."""
        raise NotImplementedError(self.name)


_effects = frozenset((ref_effect,))


def act(p: RefPrimitive, args: tuple, params: dict):
    trace = state.trace
    args = tuple([x._refs if type(x) is Ref and x.is_traced else x for x in args])
    if isinstance(trace, DynamicJaxprTrace):
        return trace.emit(p, args, params)
    owner: Any = None
    if args and type(args[0]) is Ref:
        owner = writer(trace, args[0].trace)
    elif args and isinstance(args[0], Tracer) and type(args[0].aval) is AbstractRef:
        owner = args[0]._trace
        if not owner.active:
            raise UnexpectedTracerError(args[0])
    if owner is None:
        held = args[0]._refs if args and type(args[0]) is Ref else None
        if isinstance(held, Tracer) and not held._trace.active:
            raise UnexpectedTracerError(held)
        return p.now(*args, **params)
    foreign = [x for x in args[1:] if isinstance(x, Tracer) and not _is_below(x._trace, owner)]
    if not foreign:
        with current(owner):
            return owner.emit(p, args, params)
    if p is not get_p:
        raise _foreign_value(foreign[0], args[0].aval)
    with current(owner):
        whole = owner.emit(get_p, args[:1], {"tree": whole_index(args[0].aval.ndim)})
    return _read(whole, params["tree"], args[1:])


def _is_below(trace, top) -> bool:
    """Return whether `trace` is `top` or one of those that it stands on."""
    while top is not None:
        if trace is top:
            return True
        top = top.parent
    return False


def _foreign_value(x: Tracer, aval) -> Exception:
    if x._trace.maps:
        what, where = "vmapped value on an unbatched", "to the vmapped"
    else:
        what, where = "a differentiated value on a non-differentiated", "of the differentiated"
    return Exception(
        message(
            f"performing a set/swap operation with {what} array reference of type {aval}. Move the array "
            f"reference to be an argument {where} function?",
            fix="make the reference inside of the function, or return the value and write it outside",
        )
    )


def store(ref: Ref, value) -> None:
    """Put a value into a reference that holds one."""
    if isinstance(value, Tracer) and not _is_below(value._trace, ref.trace):
        raise _foreign_value(value, ref.aval)
    ref._refs = value


# ---- indices -------------------------------------------------------------------------------------


def whole_index(ndim: int) -> tuple:
    """Return the tokens of `...`, for any shape."""
    return (("slice", None),) * ndim


def parse(idx, shape: tuple[int, ...]) -> tuple[tuple, list]:
    """Return (tokens, arrays) of an index of an array of this shape."""
    entries = idx if isinstance(idx, tuple) else (idx,)
    expanded: list = []
    for i, e in enumerate(entries):
        if isinstance(e, (Array, np.ndarray)) and e.ndim and aval_of(e).dtype == np.bool_:
            expanded += _mask(e, i, entries, shape).nonzero()
        else:
            expanded.append(e)
    taken = sum([e is not None and e is not Ellipsis for e in expanded])
    if taken > len(shape):
        raise ValueError(f"`indices` must not be longer than `shape`: indices={entries}, shape={shape}")
    dots = [i for i, e in enumerate(expanded) if e is Ellipsis]
    if len(dots) > 1:
        raise ValueError("Only one ellipsis is supported.")
    at = dots[0] if dots else len(expanded)
    expanded[at : at + len(dots)] = [slice(None)] * (len(shape) - taken)
    tokens, arrays, axis = [], [], 0
    for e in expanded:
        if e is None:
            tokens.append(("new",))
            continue
        token, *found = _token(e, shape[axis])
        tokens.append(token)
        arrays += found
        axis += 1
    return tuple(tokens), arrays


def _mask(e, i: int, entries: tuple, shape: tuple[int, ...]) -> np.ndarray:
    """Return the values of a mask, which is entry `i` of an index; IndexError unless it has the shape of its axes."""
    known = e.concrete() if isinstance(e, Tracer) else e
    if known is None:
        raise NonConcreteBooleanIndexError(e)

    def taken(part) -> int:
        is_mask = [isinstance(o, (Array, np.ndarray)) and aval_of(o).dtype == np.bool_ for o in part]
        return sum([o.ndim if m else o is not None and o is not Ellipsis for o, m in zip(part, is_mask)])

    is_counted_back = any([o is Ellipsis for o in entries[:i]])
    axis = len(shape) - taken(entries[i:]) if is_counted_back else taken(entries[:i])
    expected = shape[max(axis, 0) : axis + e.ndim]
    if taken(entries) <= len(shape) and e.shape != expected:
        raise IndexError(
            message(
                f"boolean index did not match shape of indexed array in index {i}: got {e.shape}, "
                f"expected {list(expected)}",
                why=f"The reference has shape {shape}; a mask has an element for each of those it picks from.",
                fix="ref[:, mask] for a mask of another axis",
            )
        )
    return np.asarray(known)


def _token(e, n: int) -> tuple:
    """Return the token of an entry for an axis of length `n`, and its array if it has one."""
    if isinstance(e, slice):
        if e == slice(None):
            return (("slice", None),)
        try:
            start, _, size, step = span(e.start, e.stop, e.step, n)
        except TypeError:
            raise TypeError(
                message(
                    f"The slice {e} of a reference has bounds that are not integers.",
                    fix="jax.ds(start, size), where the start may be traced",
                )
            ) from None
        return (("slice", start, size, step),)
    if isinstance(e, Slice):
        e = e.checked()
        if not isinstance(e.start, Tracer):
            _check_within(int(e.start), e.size, e.stride, n)
        if not e.is_dynamic_start:
            return (("slice", int(e.start), e.size, e.stride),)
        if e.stride != 1:
            raise NotImplementedError("jax.ds of a reference with a traced start has stride 1.")
        return ("window", e.size), e.start
    if isinstance(e, (int, np.integer)) and not isinstance(e, bool):
        _check_position(e, n)
        return (int(e),)
    aval = aval_of(e)
    if not np.issubdtype(aval.dtype, np.integer):
        raise TypeError(f"Indices of a reference are integers, slices and integer arrays, got {aval}.")
    e = e if isinstance(e, Array) else as_array(e)
    if type(e) is ArrayImpl and not aval.shape:
        _check_position(int(e), n)
    return (("array", aval.shape), e) if aval.shape else (("at",), e)


def _check_position(position: int, n: int) -> None:
    """Raise the error of a known position outside of an axis of length `n`."""
    if not -n <= position < n:
        raise ValueError(f"Out of bound indexer: idx={position}, dim={n}.")


def _check_within(start: int, size: int, stride: int, n: int) -> None:
    """Raise the error of a slice with a known start that ends beyond an axis of length `n`."""
    if start >= n:
        raise ValueError(f"Out of bound slice: start={start}, dim={n}.")
    if start + (size - 1) * stride >= n:
        raise ValueError(f"Out of bound slice: start={start}, size={size}, stride={stride}, dim={n}.")


def _entries(tokens, arrays, at=lambda e, n: e, shape=()) -> list:
    """Return the index as arrays take it, a window as all of its axis; `at` converts dynamic positions."""
    left, axes = iter(arrays), iter(shape)
    found: list = []
    for token in tokens:
        n = None if token == ("new",) else next(axes, None)
        if type(token) is int:
            found.append(token)
        elif token[0] == "new":
            found.append(None)
        elif token[0] == "slice":
            found.append(slice(None) if token[1] is None else _slice(*token[1:]))
        elif token[0] == "window":
            next(left)
            found.append(slice(None))
        else:
            found.append(at(next(left), n))
    return found


def _slice(start, size, step: int) -> slice:
    stop = start + size * step
    return slice(start, stop if step > 0 or stop >= 0 else None, step)


def _window(tokens, arrays, shape) -> tuple[list, list] | None:
    """Return (starts, sizes) of the part that the windows leave, or None if there is none."""
    if not any([type(t) is tuple and t[0] == "window" for t in tokens]):
        return None
    left, starts, sizes = iter(arrays), [], []
    for token in [t for t in tokens if t != ("new",)]:
        array = next(left) if type(token) is tuple and token[0] != "slice" else None
        is_window = type(token) is tuple and token[0] == "window"
        starts.append(array if is_window else np.int32(0))
        sizes.append(token[1] if is_window else shape[len(sizes)])
    return starts, sizes


def _is_whole(tokens) -> bool:
    return all([t == ("slice", None) for t in tokens])


def _part(value, window):
    return dynamic_slice(value, *window[0], slice_sizes=tuple(window[1])) if window else value


def _read(value, tokens, arrays):
    part = _part(value, _window(tokens, arrays, value.shape))
    return part if _is_whole(tokens) else part[tuple(_entries(tokens, arrays))]


def _written(value, tokens, arrays, x, adds: bool):
    """Return `value` with `x` put, or added, at an index. A single position out of range is the nearest one."""
    window = _window(tokens, arrays, value.shape)
    part = _part(value, window)
    if adds and value.dtype == np.bool_:  # the sum of booleans
        x, adds = _read(value, tokens, arrays) | x, False
    if _is_whole(tokens):
        new = part + x if adds else x
    else:
        place = part.at[tuple(_entries(tokens, arrays))]
        mode = None if any([type(t) is tuple and t[0] == "array" for t in tokens]) else "clip"
        new = place.add(x, mode=mode) if adds else place.set(x, mode=mode)
    new = dynamic_update_slice(value, new, *window[0]) if window else new
    if value.weak_type and not new.weak_type:
        return convert_element_type(new, new_dtype=new.dtype, weak_type=True, sharding=None)
    return new


def _indexed(aval, tokens) -> tuple:
    """Return the shape of what an index gives."""
    lengths = iter(aval.shape)
    shape: list = []
    arrays: list[tuple] = []
    at = 0  # where the axes of arrays are, if positions and arrays stand side by side
    places: list[int] = []  # of these, among the tokens
    for i, token in enumerate(tokens):
        n = 1 if token == ("new",) else next(lengths)
        if type(token) is int or token[0] in ("at", "array"):
            at = at if places else len(shape)
            places.append(i)
            arrays += [token[1]] if type(token) is tuple and token[0] == "array" else []
        elif token[0] == "window":
            shape.append(token[1])
        else:
            shape.append(n if token[0] == "new" or token[1] is None else token[2])
    if arrays:
        at = at if places == [*range(places[0], places[-1] + 1)] else 0
        shape[at:at] = broadcast_shapes(*arrays)
    return tuple(shape)


# ---- primitives ----------------------------------------------------------------------------------

new_ref_p = RefPrimitive("new_ref")
new_ref_p.type(lambda x, *, memory_space, kind: AbstractRef(x, memory_space, kind))


def _new_now(x, *, memory_space, kind) -> Ref:
    aval = aval_of(x)
    if not isinstance(x, Array) or type(x) is ArrayImpl:
        x = make_array(as_array(x)._buffer, aval)
    return Ref(AbstractRef(aval, memory_space, kind), x, state.trace)


new_ref_p.now = _new_now  # type: ignore[method-assign]

empty_ref_p = RefPrimitive("empty_ref")
empty_ref_p.type(lambda *, ty, memory_space: AbstractRef(ty, memory_space))
empty_ref_p.now = lambda *, ty, memory_space: Ref(  # type: ignore[method-assign]
    AbstractRef(ty, memory_space), full(ty.shape, 0, ty.dtype), state.trace)

get_p = RefPrimitive("get")


@get_p.type
def _(ref, *indices, tree):
    _check_ref("get", ref)
    found = ref.inner_aval.update(shape=_indexed(ref, tree))
    vma = found.vma.union(*[i.vma for i in indices])
    return found if vma == found.vma else found.update(vma=vma)


get_p.now = lambda ref, *arrays, tree: _read(ref._refs, tree, arrays)  # type: ignore[method-assign]

swap_p = RefPrimitive("swap")


@swap_p.type
def _(ref, x, *indices, tree):
    _check_ref("swap", ref)
    _check_value("swap", ref, x, tree, *indices)
    return ref.inner_aval.update(shape=x.shape)


def _swap_now(ref, x, *arrays, tree):
    _check_value("swap", ref.aval, aval_of(x), tree, *map(aval_of, arrays))
    old = ref._refs
    store(ref, _written(old, tree, arrays, x if isinstance(x, Array) else as_array(x), adds=False))
    return _read(old, tree, arrays)


swap_p.now = _swap_now  # type: ignore[method-assign]

addupdate_p = RefPrimitive("addupdate", multiple_results=True)


@addupdate_p.type
def _(ref, x, *indices, tree):
    _check_ref("addupdate", ref)
    _check_value("addupdate", ref, x, tree, *indices)
    return []


def _add_now(ref, x, *arrays, tree) -> list:
    _check_value("addupdate", ref.aval, aval_of(x), tree, *map(aval_of, arrays))
    store(ref, _written(ref._refs, tree, arrays, x if isinstance(x, Array) else as_array(x), adds=True))
    return []


addupdate_p.now = _add_now  # type: ignore[method-assign]

freeze_p = RefPrimitive("freeze")


@freeze_p.type
def _(ref):
    _check_ref("freeze", ref)
    return ref.inner_aval


freeze_p.now = lambda ref: ref._refs  # type: ignore[method-assign]


def _check_ref(name: str, aval) -> None:
    if not isinstance(aval, AbstractRef):
        raise ValueError(f"`{name}` must be called on `Ref` types: {aval}.")


def _check_value(name: str, ref: AbstractRef, x, tokens, *indices) -> None:
    expected = _indexed(ref, tokens)
    if x.shape != expected:
        raise ValueError(
            message(
                f"Invalid shape for `{name}`. Ref shape: {ref.shape}. Expected shape: {expected}. "
                f"Value shape: {x.shape}.",
                why="What is written to a reference is not broadcast.",
                fix=f"jnp.broadcast_to(value, {expected})",
            )
        )
    if x.dtype != ref.dtype:
        raise ValueError(
            message(
                f"Invalid dtype for `{name}`. Ref dtype: {ref.dtype.name}. Value dtype: {x.dtype.name}.",
                fix=f"value.astype({ref.dtype.name!r})",
            )
        )
    varying = x.vma.union(*[i.vma for i in indices]) - ref.inner_aval.vma
    if varying:
        axes = tuple(sorted(varying))
        raise ValueError(
            message(
                f"`{name}` puts what varies along the mesh axes {axes} into a reference that does not: {ref}.",
                why="Its value is the same on all devices by its type, so derivatives would be summed over them.",
                fix=f"jax.new_ref(jax.lax.pcast(x, {axes}, to='varying')) for the reference",
            )
        )


# ---- text ----------------------------------------------------------------------------------------


def _place_text(eqn, names, first: int) -> str:
    """Return how the part of a reference is printed that an equation is about; its index is from an operand on."""
    arrays = [str(v.val) if isinstance(v, Literal) else names.of(v) for v in eqn.invars[first:]]
    return f"{names.of(eqn.invars[0])}[{_index_text(eqn.params['tree'], arrays, eqn.invars[0].aval.shape)}]"


def _index_text(tokens, arrays: list[str], shape) -> str:
    if all([t == ("slice", None) for t in tokens]):
        return "..."
    left, axes, texts = iter(arrays), iter(shape), []
    for token in tokens:
        n = None if token == ("new",) else next(axes)
        if type(token) is int:
            texts.append(str(token))
        elif token[0] == "new":
            texts.append("None")
        elif token[0] == "window":
            start = next(left)
            texts.append(f"{start}:{start}+{token[1]}")
        elif token[0] != "slice":
            texts.append(next(left))
        elif token[1] is None:
            texts.append(":")
        else:
            start, size, step = token[1:]
            stop = start + size * step
            texts.append(f"{start or ''}:{'' if stop == n else stop}{'' if step == 1 else f':{step}'}")
    return ",".join(texts)


@get_p.print
def _(eqn, names, left):
    return left, " <- ", _place_text(eqn, names, 1)


@swap_p.print
def _(eqn, names, left):
    value = names.atom(eqn.invars[1])
    place = _place_text(eqn, names, 2)
    return (place, " <- ", value) if eqn.outvars[0] in names.dropped else (
        left, ", ", place, " <- ", place, ", ", value)


@addupdate_p.print
def _(eqn, names, left):
    value = names.atom(eqn.invars[1])
    return _place_text(eqn, names, 2), " += ", value


# ---- what users call -----------------------------------------------------------------------------


def new_ref(init_val: Any, *, memory_space: Any = None, kind: str | None = None) -> Ref:
    """Return a mutable array that starts as a copy of `init_val`.

    Args:
      init_val: an array or a scalar, which gives shape, dtype and first values.
      memory_space: where it is to be; None for the default.
      kind: for programs on accelerators; None here.
    Returns:
      A `Ref`: `ref[i]` reads, `ref[i] = value` writes, `ref[...]` is the whole as an array. It may be written to in
      `jit`, `scan` and `grad`; a function may not return it.
    Raises:
      TypeError: `init_val` is not an array or a scalar.
    See also: `freeze`, `empty_ref`.

    >>> ref = new_ref(jnp.zeros(3))
    >>> ref[1] = 5.
    >>> ref[...]
    Array([0., 5., 0.], dtype=float32)
    """
    _check_value_of("new_ref", init_val)
    return _as_ref(new_ref_p.bind(init_val, memory_space=memory_space, kind=kind))


def empty_ref(ty, memory_space=None) -> Ref:
    """Return a mutable array of a shape and dtype, whose values are to be written first.

    Args:
      ty: what has a `shape` and a `dtype`, such as a `ShapeDtypeStruct` or an array.
      memory_space: where it is to be; None for the default.
    Returns:
      A `Ref`. What it holds before something is written is not specified; here it is zeros.
    Raises:
      AttributeError: `ty` has no shape and dtype.

    >>> empty_ref(ShapeDtypeStruct((2,), "float32")).shape
    (2,)
    """
    return _as_ref(empty_ref_p.bind(ty=ShapedArray(ty.shape, ty.dtype), memory_space=memory_space))


def _as_ref(x) -> Ref:
    return x if type(x) is Ref else Ref(x.aval, x)


def freeze(ref: Ref):
    """Return the value of a reference that is not used any more.

    Args:
      ref: a reference that `new_ref` made; an array is its own value.
    Returns:
      An array of its shape and dtype with the values that were written last.
    Raises:
      TypeError: `ref` is not an array or scalar; lists are not converted.

    >>> freeze(new_ref(jnp.ones(2)))
    Array([1., 1.], dtype=float32)
    """
    if type(ref) is ArrayImpl:
        return ref
    _check_value_of("freeze", ref)
    _check_ref("freeze", aval_of(ref))
    return freeze_p.bind(ref)


def free_ref(ref: Ref) -> tuple:
    """Say that a reference is not used any more; its memory goes with the last object that has it.

    Args:
      ref: a reference that `new_ref` made.
    Returns:
      An empty tuple.
    Raises:
      TypeError: `ref` is neither a reference nor a value of a program.

    >>> ref = new_ref(jnp.zeros(2))
    >>> free_ref(ref)
    ()
    """
    _check_value_of("free_ref", ref)
    return ()


def _check_value_of(name: str, x) -> None:
    """Raise the error of an argument that is no value of a program."""
    try:
        aval_of(x)
    except TypeError:
        raise TypeError(
            f"Error interpreting argument to {name} as a JAX value. The problematic value is of type "
            f"{type(x)} and was passed to {name} at position 0."
        ) from None


def _check_called_on_ref(name: str, ref) -> None:
    """Raise the error of an operation on something that is no reference."""
    if type(ref) is not Ref and type(getattr(ref, "aval", None)) is not AbstractRef:
        raise ValueError(f"Can only call `{name}` on a `Ref`: {ref}.")


def get(ref: Ref, idx=None):
    """Return what a reference holds at an index, or all of it.

    Args:
      ref: a reference, such as `jax.new_ref(x)`.
      idx: an index, as in `ref[idx]`; None is everything.
    Returns:
      An array.
    Raises:
      ValueError: `ref` is no reference, or the index is out of bounds.

    >>> get(new_ref(jnp.arange(3)), 1)
    Array(1, dtype=int32)
    """
    _check_called_on_ref("ref_get", ref)
    tokens, arrays = parse(Ellipsis if idx is None else idx, ref.shape)
    return get_p.bind(ref, *arrays, tree=tokens)


def swap(ref: Ref, idx, value, _function_name: str = "ref_swap"):
    """Write a value at an index, or everywhere for None, and return what was there.

    Args:
      ref: a reference, such as `jax.new_ref(x)`.
      idx: an index, as in `ref[idx]`; None is everything.
      value: what is written, of the shape that is read there.
    Returns:
      The value that was there.
    Raises:
      ValueError: the value's shape or dtype is not that of the place.

    >>> swap(new_ref(jnp.arange(3)), 1, 7)
    Array(1, dtype=int32)
    """
    _check_called_on_ref(_function_name, ref)
    tokens, arrays = parse(Ellipsis if idx is None else idx, ref.shape)
    return swap_p.bind(ref, _value(value, ref.dtype, converts=True), *arrays, tree=tokens)


def set(ref: Ref, idx, value) -> None:
    """Write a value at an index, or everywhere for None; `ref[idx] = value`.

    Args:
      ref: a reference, such as `jax.new_ref(x)`.
      idx: an index, as in `ref[idx]`; None is everything.
      value: what is written, of the shape that is read there.
    Returns:
      None.
    Raises:
      ValueError: `ref` is no reference, the index is out of bounds, or the value has another shape or dtype.

    >>> ref = ad.new_ref(jnp.zeros(3))
    >>> ad.ref.set(ref, 1, 5.0)
    >>> ref
    Ref([0., 5., 0.], dtype=float32)
    """
    swap(ref, idx, value, "ref_set")


def addupdate(ref: Ref, idx, x) -> None:
    """Add a value to what is at an index, or everywhere for None.

    Args:
      ref: a reference, such as `jax.new_ref(x)`.
      idx: an index, as in `ref[idx]`; None is everything.
      x: what is added.
    Returns:
      None.
    Raises:
      ValueError: `ref` is no reference, the index is out of bounds, or the value has another shape or dtype.

    >>> ref = new_ref(jnp.arange(3))
    >>> addupdate(ref, 0, 5)
    >>> ref[0]
    Array(5, dtype=int32)
    """
    _check_called_on_ref("ref_addupdate", ref)
    tokens, arrays = parse(Ellipsis if idx is None else idx, ref.shape)
    addupdate_p.bind(ref, _value(x, ref.dtype), *arrays, tree=tokens)


def _value(x, dtype, converts: bool = False):
    """Return a value as an operand: scalars of Python are of the dtype of their kind, weak arrays lose that.

    With `converts` integers take the width that the reference has, and floats if their own is weak.
    """
    aval = aval_of(x)
    both = lambda kind: dtypes.issubdtype(aval.dtype, kind) and dtypes.issubdtype(dtype, kind)
    if converts and aval.dtype != dtype and (both(np.integer) or (aval.weak_type and both(np.floating))):
        x = x if isinstance(x, Array) else np.asarray(x, aval.dtype)
        return convert_element_type(x, new_dtype=dtype, weak_type=False, sharding=None)
    if isinstance(x, Array):
        if aval.weak_type:
            return convert_element_type(x, new_dtype=aval.dtype, weak_type=False, sharding=None)
        return x
    return np.asarray(x, aval.dtype)[()] if not aval.shape else as_array(x)


def _get_item(self, idx):
    tokens, arrays = parse(idx, self.shape)
    return get_p.bind(self, *arrays, tree=tokens)


def _set_item(self, idx, value) -> None:
    swap(self, idx, value)


def _length(self) -> int:
    if not self.shape:
        raise TypeError("len() of unsized object")
    return self.shape[0]


def _add_update(self, x, idx=None):
    """Return add to the elements at an index.

    Args:
      x: array or scalar, of the shape of `ref[idx]`.
      idx: an index; default, all elements.
    """
    addupdate(self, idx, x)


Ref.define(
    __getitem__=_get_item, __setitem__=_set_item, __len__=_length, addupdate=_add_update,
)
