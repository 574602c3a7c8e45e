"""`Error`: what the checks of a program found, as a tree of arrays; and the primitive `check`, whose operands are one.

An `Error` has, for each kind of error that a program may find (`ErrorEffect`: the class of the exception and the types
of its arrays), whether one occurred, the number of the check that found it and its arrays. What is said of a check is
kept by its number. Of several kinds of errors the one whose check has the least number is the error; of one kind it is
the one that occurred first.

The primitive `check`, called on arrays, raises the error. In a program it waits for `checkify`, and a program that
still has it cannot be compiled, unless it is one for debugging.

Tests: `tests/experimental/test_checkify.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from math import prod
from typing import Any

import numpy as np

from ...array.array import as_array
from ...control_flow.cond import cond_p
from ...control_flow.while_loop import while_p
from ...core.primitive import Primitive
from ...core.trace import Tracer, stage_closed, state
from ...core.tree.tree import PyTreeDef, tree_flatten, tree_unflatten
from ...core.types import Array, ShapedArray, aval_of
from ...core.values.dimension import as_number, is_more
from ...prims.collective import pvary_to
from ...prims.conversion import convert_element_type, stop_gradient
from ...prims.logic import lt, ne, or_, select_n
from ...prims.reduction import reduce_max, reduce_or
from ...prims.shape import batch_to_front, broadcast_in_dim, full, iota, materialise_batch, reshape, squeeze
from ...prims.slicing import dynamic_slice
from ...tree_util import register_pytree_node_class
from .exceptions import (
    UNFINISHED,
    BatchedError,
    DebugCheckEffect,
    ErrorEffect,
    FailedCheckError,
    JaxException,
    effect_of,
    failure,
)

__all__ = ["Error", "bound", "check_p", "init_error", "last_true", "turns"]

class _Turns(threading.local):
    """A fact of a thread: what is transformed now is in a turn of a loop."""

    inside = False


turns = _Turns()
NO_CODE = np.int32(-1)
_BOOL = np.dtype(bool)
_codes = count(1)


# ---- the error of a program ----------------------------------------------------------------------



class _Metadata(dict):
    """Facts about checks beside arrays, by their numbers; a part of the structure of an `Error`, hence hashable."""

    def __hash__(self):  # type: ignore[override]
        return hash(frozenset(self))


def with_later(metadata: dict) -> dict:
    """Return what is said of checks, and room for what will be said of those that rules for derivatives make later.

    The room has a number of its own and stays one object wherever the rest is copied.
    """
    return {**metadata, next(_codes): {}}


def add_later(metadata: dict, more: dict) -> None:
    """Say more, after programs were made: see `with_later`."""
    next(room for room in reversed(metadata.values()) if type(room) is dict).update(more)


def _described(metadata: dict, code: int) -> PyTreeDef:
    found = metadata.get(code)
    rooms = [room for room in metadata.values() if type(room) is dict]
    return found if found is not None else next(_described(room, code) for room in rooms if _knows(room, code))


def _knows(metadata: dict, code: int) -> bool:
    return code in metadata or any([_knows(room, code) for room in metadata.values() if type(room) is dict])


@register_pytree_node_class
@dataclass(frozen=True)
class Error:
    """The error of a program: whether a check failed, and which; a tree of arrays.

    >>> from adjoint.experimental import checkify
    >>> def f(x):
    ...     checkify.check(x > 0, "{} is not positive", x)
    ...     return 1 / x
    >>> error, _ = jit(checkify.checkify(f))(-1.)
    >>> error.get()
    '-1.0 is not positive (`check` failed)'
    """

    _pred: dict[ErrorEffect, Any]
    _code: dict[ErrorEffect, Any]
    _metadata: dict[int, PyTreeDef]
    _payload: dict[ErrorEffect, list]
    _structure: tuple[tuple[ErrorEffect, ...], _Metadata] | None = field(default=None, repr=False, compare=False)

    def tree_flatten(self):
        """Return the arrays, and what else the error is.

        The arrays are children of the error itself: dicts whose keys are objects take long to take apart.
        """
        structure = self._structure or (self.effects, _Metadata(self._metadata))
        effects = structure[0]
        parts = [*[self._pred[e] for e in effects], *[self._code[e] for e in effects]]
        for e in effects:
            parts += self._payload[e]
        return tuple(parts), structure

    @classmethod
    def tree_unflatten(cls, metadata, data):
        """Return the error that `tree_flatten` took apart, maybe with other arrays.

        Args:
          metadata: what else the error is.
          data: the arrays.
        """
        effects, described = metadata
        n, at, payload = len(effects), 2 * len(effects), {}
        for e in effects:
            payload[e] = [*data[at : at + len(e.shape_dtypes)]]
            at += len(payload[e])
        return cls(dict(zip(effects, data)), dict(zip(effects, data[n:])), described, payload, metadata)

    def __str__(self):
        return f"Error({self.get()})"

    # -- what users ask

    def get(self) -> str | None:
        """Return the text of the error; None if no check failed.

        >>> from adjoint.experimental import checkify
        >>> error, _ = checkify.checkify(jnp.log, errors=checkify.nan_checks)(jnp.array(-1.))
        >>> error.get()
        'nan generated by primitive: log.'
        """
        exception = self.get_exception()
        return None if exception is None else str(exception)

    def get_exception(self) -> JaxException | None:
        """Return what was found, as an exception; None if no check failed.

        Of a batch it is one exception for all elements whose checks failed.
        """
        shapes = {np.shape(pred) for pred in self._pred.values()}
        if not shapes - {()}:
            return self._at(())
        found = {position: self._at(position) for position in np.ndindex(max(shapes, key=len))}
        failed = {position: exception for position, exception in found.items() if exception is not None}
        return BatchedError(None, failed) if failed else None

    def _at(self, position: tuple[int, ...]) -> JaxException | None:
        """Return what the element at a position of a batch has found first."""
        chosen = lambda x: np.asarray(x)[position] if np.ndim(x) else np.asarray(x)[()]
        found = [(int(chosen(self._code[e])), e) for e, pred in self._pred.items() if chosen(pred)]
        if not found:
            return None
        code, effect = min(found)
        batched = np.ndim(self._pred[effect])
        payload = [x[position] if batched and position else x for x in self._payload[effect]]
        return tree_unflatten(_described(self._metadata, code), payload)

    def throw(self) -> None:
        """Raise a `JaxRuntimeError` if a check failed.

        >>> from adjoint.experimental import checkify
        >>> error, _ = checkify.checkify(jnp.log, errors=checkify.nan_checks)(jnp.array(2.))
        >>> error.throw()
        """
        preds = self._pred.values()
        if state.trace.stages or any([isinstance(pred, Tracer) or np.asarray(pred).any() for pred in preds]):
            bound(self, debug=False)

    # -- what programs do

    def updated(self, effect: ErrorEffect, pred, code, metadata: dict, payload: Sequence) -> Error:
        """Return the error after one more check, which counts unless a check of its kind failed before.

        Args:
          effect: the kind of the check.
          pred: whether it failed.
          code: its number.
          metadata: what each number stands for.
          payload: the arrays that its text tells.
        """
        new = [pred, code, *payload]
        if pred is False and effect in self._pred:  # known not to fail
            return self._with(effect, self._values(effect), metadata)
        if self._branches(effect, new):
            return self._branched(effect, pred, metadata, lambda *values: list(values), new[1:])
        if effect in self._pred:
            old, new = together(self._values(effect), new)
            new = [or_(old[0], new[0]), *[_select(old[0], n, o) for o, n in zip(old[1:], new[1:])]]
        return self._with(effect, new, metadata)

    def found_by(self, effect: ErrorEffect, pred, metadata: dict, before: list, fun, operands) -> Error:
        """Return the error after a check whose number and arrays are computed only if it fails.

        Args:
          effect: the kind of the check.
          pred: whether it failed.
          metadata: what each number stands for.
          before: the number and the arrays if it did not fail.
          fun: gives the number and the arrays.
          operands: the arguments of `fun`.
        """
        if self._branches(effect, [pred, *operands]):
            return self._branched(effect, pred, metadata, fun, operands)
        code, *payload = once(pred, before, fun, operands)
        return self.updated(effect, pred, code, metadata, payload)

    def _values(self, effect: ErrorEffect) -> list:
        return [self._pred[effect], self._code[effect], *self._payload[effect]]

    def _with(self, effect: ErrorEffect, values: list, metadata: dict) -> Error:
        return Error(
            {**self._pred, effect: values[0]}, {**self._code, effect: values[1]}, {**self._metadata, **metadata},
            {**self._payload, effect: values[2:]},
        )

    def _branches(self, effect: ErrorEffect, given: list) -> bool:
        """Return whether a check is a branch: one that is not taken costs less, in each turn, than selections."""
        if not turns.inside or effect not in self._pred or type(given[0]) is bool:
            return False
        avals = [*map(aval_of, given), *map(aval_of, self._values(effect))]
        return not (avals[0].shape or aval_of(self._pred[effect]).shape or any([a.vma for a in avals]))

    def _branched(self, effect: ErrorEffect, pred, metadata: dict, fun, operands) -> Error:
        old, n = self._values(effect), len(operands)
        types = [aval_of(x) for x in old]

        def fails(*args):
            was, *before = args[n:]
            return [fitted(True, types[0]), *[_select(was, x, y) for x, y in zip(fun(*args[:n]), before, strict=True)]]

        operands = [stop_gradient(x) for x in (*operands, *old)]
        avals = [aval_of(x) for x in operands]
        branches = stage_closed(lambda *args: list(args[n:]), avals), stage_closed(fails, avals)
        taken = convert_element_type(pred, new_dtype=np.dtype(np.int32), weak_type=False)
        return self._with(effect, cond_p.bind(taken, *operands, branches=branches), metadata)

    def found(self, pred, exception: JaxException) -> Error:
        """Return the error after a check that gives an exception.

        Args:
          pred: whether it failed.
          exception: what it gives.
        """
        code = next(_codes)
        if aval_of(pred).weak_type:
            pred = pred if type(pred) is bool else convert_element_type(pred, new_dtype=_BOOL, weak_type=False)
        payload, tree = tree_flatten(exception)
        return self.updated(effect_of(exception), pred, np.int32(code), {code: tree}, payload)

    def merged(self, other: Error) -> Error:
        """Return the error after what another one says has happened.

        Args:
          other: the other error.
        """
        error = self
        for effect in other.effects:
            error = error.updated(
                effect, other._pred[effect], other._code[effect], other._metadata, other._payload[effect]
            )
        return error

    @property
    def effects(self) -> tuple[ErrorEffect, ...]:
        """Return the kinds of errors that it may have, in the order of its leaves."""
        return tuple(sorted(self._pred))


init_error = Error({}, {}, {}, {})


def new_code() -> int:
    """Return the number of a new check."""
    return next(_codes)


def any_of(x):
    """Return whether one of the elements is true."""
    axes = tuple(range(len(aval_of(x).shape)))
    return reduce_or(x, axes=axes) if axes else x


def leaves_of(error: Error) -> list:
    """Return the values of an error in the order of its kinds: whether, the number, the arrays of each."""
    return [x for e in error.effects for x in (error._pred[e], error._code[e], *error._payload[e])]


def error_of(effects: Sequence[ErrorEffect], leaves: Sequence, metadata: dict) -> Error:
    """Return the error with these values, as `leaves_of` gives them."""
    given = iter(leaves)
    pred, code, payload = {}, {}, {}
    for e in effects:
        pred[e], code[e] = next(given), next(given)
        payload[e] = [next(given) for _ in e.shape_dtypes]
    return Error(pred, code, metadata, payload)


def blank(avals: Sequence[ShapedArray]) -> list:
    """Return the values of a kind of errors of which none occurred, of these types."""
    pred, code, *payload = avals
    first = [fitted(False, pred), fitted(NO_CODE, code)]
    return [*first, *[pvary_to(full(a.shape, 1, a.dtype, a.weak_type), a.vma) for a in payload]]


def fitted(x, aval: ShapedArray):
    """Return `x`, repeated along the leading axes that the type has beside its own, and varying as the type does."""
    own = aval_of(x)
    if own.shape != aval.shape:
        k = aval.ndim - own.ndim
        x = broadcast_in_dim(x, shape=aval.shape, broadcast_dimensions=tuple(range(k, aval.ndim)), sharding=None)
    return pvary_to(x, aval.vma) if aval.vma else x


def together(old: list, new: list) -> tuple[list, list]:
    """Return the values of two errors of one kind, where one is that of a batch of devices, so that both are."""
    shapes = [aval_of(x[0]).shape for x in (old, new)]
    if shapes[0] == shapes[1]:
        return old, new
    if shapes[0] and shapes[1]:
        old, shapes[0] = _last_failed(old), ()
    lead = max(shapes, key=len)
    return _spread(old, lead), _spread(new, lead)


def _spread(values: list, lead: tuple[int, ...]) -> list:
    if aval_of(values[0]).shape == lead:
        return values
    return [fitted(x, aval_of(x).update(shape=(*lead, *aval_of(x).shape))) for x in values]


def _last_failed(values: list) -> list:
    """Return the values of the last element of a batch whose check failed, as those of one error."""
    n = aval_of(values[0]).ndim
    shapes = [aval_of(x).shape[n:] for x in values]
    size = prod(aval_of(values[0]).shape)
    flat = [reshape(x, new_sizes=(size, *s), dimensions=None, sharding=None) for x, s in zip(values, shapes)]
    return last_true(flat[0], flat)


def _select(pred, no, yes):
    """Return `select_n` by one value for each element of a batch."""
    shape, lead = aval_of(no).shape, aval_of(pred).ndim
    if lead and len(shape) > lead:
        pred = broadcast_in_dim(pred, shape=shape, broadcast_dimensions=tuple(range(lead)), sharding=None)
    return select_n(pred, no, yes)


def once(pred, before: list, fun, operands) -> list:
    """Return `fun(*operands)` if `pred` holds, and `before` otherwise; of a batch, nothing is run if it never holds."""
    n = len(operands)
    operands = [stop_gradient(x) for x in operands]
    carry = [pred, *before]
    avals = [aval_of(x) for x in carry]
    vma = frozenset().union(*[getattr(a, "vma", ()) for a in avals])
    carry = [fitted(x, a.update(vma=a.vma | vma)) for x, a in zip(carry, avals)] if vma else carry
    types = [aval_of(x).strip_weak_type() if i < 2 else aval_of(x) for i, x in enumerate(carry)]

    def step(*args):
        return [fitted(x, a) for x, a in zip([ne(args[n], args[n]), *fun(*args[:n])], types)]

    body = stage_closed(step, [*map(aval_of, operands), *types])
    test = stage_closed(lambda *xs: [xs[0]], types)
    return while_p.bind(*operands, *carry, cond_jaxpr=test, body_jaxpr=body, cond_nconsts=0, body_nconsts=n)[1:]


# ---- the primitive --------------------------------------------------------------------------------


check_p = Primitive("check", multiple_results=True)
check_p.joins = False
check_p.type(lambda *_, err_tree, debug: [])


@check_p.effects
def _(params):
    if params["debug"]:
        return _SHOWN
    return frozenset(tree_unflatten(params["err_tree"], [None] * params["err_tree"].num_leaves)._pred)


_SHOWN = frozenset((DebugCheckEffect(),))


@check_p.evaluate
def _(*buffers, **params):
    return _raised(buffers, params)


@check_p.eager
def _raised(args, params):
    """Return nothing, or raise the error that a check has found."""
    if params["debug"]:
        return []
    error = tree_unflatten(params["err_tree"], [x if isinstance(x, Array) else as_array(x) for x in args])
    exception = error.get_exception()
    if type(exception) is BatchedError:  # JAX parity: the last element of a batch
        exception = list(exception.error_mapping.values())[-1]
    if exception is not None:
        raise failure(exception) from exception
    return []


def _compiled(*_, debug, **__):
    """Return what a compiled program has of a check: nothing of one for debugging."""
    if not debug:
        raise ValueError(UNFINISHED)
    return lambda *buffers: []


check_p.specialize(_compiled)
check_p.expand(lambda *args, **params: _compiled(**params)())
check_p.emit(lambda graph, operands, params, types: _compiled(**params)())


@check_p.jvp
def _(primals, tangents, **params):
    return check_p.bind(*primals, **params), []


@check_p.batch_axis
def _(axis, args, dims, params):
    """JAX parity: of a batch, the last element whose check fails is the error."""
    n = axis.size
    given, at = (tree_unflatten(params["err_tree"], x) for x in (list(args), [_Dim(d) for d in dims]))
    error = init_error
    for effect in given.effects:
        values = [given._pred[effect], given._code[effect], *given._payload[effect]]
        places = [x.dim for x in (at._pred[effect], at._code[effect], *at._payload[effect])]
        if places[0] is None:
            values = [x if d is None else _row(batch_to_front(x, d), n - 1) for x, d in zip(values, places)]
        else:
            lined = [materialise_batch(x, d, n) if d is not None else x for x, d in zip(values, places)]
            values = _last_row(lined, [d is not None for d in places], n)
        error = error.merged(error_of([effect], values, given._metadata))
    return bound(error, params["debug"]), None


_MIN_ELEMENTS_TO_ASK = 16  # of a batch; of fewer, which one failed last is found whether or not one did


def _last_row(values: list, batched: list[bool], n: int) -> list:
    """Return the values of a check of the last element of a batch that fails, or of the last one of all."""
    if not state.trace.stages or not is_more(n, _MIN_ELEMENTS_TO_ASK - 1):
        return last_true(values[0], values, batched)
    before = [_row(x, n - 1) if b else x for x, b in zip(values, batched)][1:]
    pred = any_of(values[0])
    return [pred, *once(pred, before, lambda *xs: last_true(xs[0], xs, batched)[1:], values)]


class _Dim:
    """A batch axis, or None, as a leaf of a tree."""

    def __init__(self, dim: int | None):
        self.dim = dim


def last_true(pred, values, batched=None) -> list:
    """Return the elements of values at the last position at which `pred` is true; at the last one of all if it is
    nowhere.
    """
    n = aval_of(pred).shape[0]
    numbers = iota(dtype=np.dtype(np.int32), shape=(n,), dimension=0, sharding=None)
    last = reduce_max(select_n(pred, full((n,), -1, numbers.dtype), numbers), axes=(0,))
    last = select_n(lt(last, np.int32(0)), last, as_number(n - 1, numbers.dtype))
    return [_row(x, last) if b else x for x, b in zip(values, batched or [True] * len(values))]


def _row(x, i):
    shape = aval_of(x).shape
    starts = [i if isinstance(i, Array) else as_number(i, np.dtype(np.int32)), *[np.int32(0)] * (len(shape) - 1)]
    return squeeze(dynamic_slice(x, *starts, slice_sizes=(1, *shape[1:])), dimensions=(0,))


def bound(error: Error, debug: bool) -> list:
    """Bind the primitive: raise the error, or leave that to `checkify`."""
    if not error._pred:
        return []
    leaves, tree = tree_flatten(error)
    return check_p.bind(*leaves, err_tree=tree, debug=debug)


_example = init_error.updated(
    FailedCheckError(None, "{}", np.float32(1)).get_effect_type(), False, np.int32(-1), {}, [np.float32(1)]
)
check_p.examples((*tree_flatten(_example)[0], {"err_tree": tree_flatten(_example)[1], "debug": True}))
