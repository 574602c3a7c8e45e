"""Updates at computed places: `scatter` and its kin, and `dynamic_update_slice`, as routines.

The array is copied, unless it may be changed where it is, and then the windows are gone over in order. A start is
clamped so that its window is inside the array, or the window is left out if it does not: what JAX defines is also
what keeps addresses inside their buffers.

Tests: `tests/engines/native/test_operations.py`.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from math import prod

import numpy as np

from ....core.jaxpr import ClosedJaxpr
from ....core.primitive import primitives
from ..graph.complex_and_keys import COMPLEX
from ..graph.kernel import Access, Kernel, Op
from ..graph.narrow_dtypes import widened
from ..graph.view_rules import register
from ..graph.views import Pair, Type, View, contiguous, kind_of
from ..kernels.sums import LETTERS, added, whole
from ..runtime.machine import VECTOR_BYTES
from ..text.builder import F64, I64, NARROW, Builder, Value, register_dtype
from .base import Code, Routine, writes
from .cumulative import along, lanes_for, load_vector, store_vector
from .scalars import Scalars, load, parts_of, place, program_of, store
from .user_reductions import step_of

__all__ = ["copying", "dot", "scattered", "start_of"]

U64 = np.dtype("u8")

SCATTERS = "scatter scatter-add scatter-sub scatter-mul scatter-min scatter-max".split()
_MIN_CHUNK_UPDATES, _MAX_CHUNKS = 1 << 14, 16  # updates of a chunk with sums of its own, at least, and chunks, at most
_MAX_CHAIN_UPDATES, _MAX_CHAIN_HALF_UPDATES = 64, 4  # of one place, one after the other; the same of half floats
_COUNT = np.dtype("i4")
_MIN_COUNTED_WINDOW = 8  # elements of windows whose updates of one place are counted first, in an array of few
_WAYS, _CACHE_BYTES = 4, 1 << 15  # bytes that are in the first cache
_LOGICAL = {"add": "or", "mul": "and", "min": "and", "max": "or"}  # what they are of true and false


def start_of(b: Builder, at: Value, last: int) -> tuple[Value, Value]:
    """Return an index as int64 between 0 and `last`, and whether it was."""
    if at.dtype.kind == "u" and at.dtype.itemsize == 8:
        inside = b.minimum(at, last)
        return b.convert(inside, I64), at.equals(inside)
    at = b.convert(at, I64)
    inside = b.minimum(b.maximum(at, 0), last)
    return inside, at.equals(inside)


def _start(b: Builder, at: Value, last: int, drops: bool) -> tuple[Value, Value]:
    """Return the same; one outside is not moved if its window is left out."""
    if not drops:
        return start_of(b, at, last)
    at = b.convert(at, I64)
    return at, b.value(at.text, U64) <= last


def copying(sizes, dtype, read, written, op: Scalars | None = None) -> Kernel:
    """Return a kernel that copies a region, or makes of what is there and of the region what `op` says."""
    wide, parts = [i for i, d in enumerate(sizes) if d != 1], parts_of(dtype)
    n, depth = len(parts), len(wide)
    pick = lambda strides, k: Access(k, tuple([n * strides[i] for i in wide]))
    new = [("load", 0, pick(read, k)) for k in range(n)]
    given = new if op is None else [*[("load", 1, pick(written, k)) for k in range(n)], *new]
    operand = lambda x: given[x[1]] if x[0] == "in" else x
    ops = [] if op is None else [o._replace(operands=tuple(map(operand, o.operands)), depth=depth) for o in op.ops]
    outs = []
    for k, x in enumerate([("in", i) for i in range(n)] if op is None else op.outs):
        if x[0] != "op":  # results are ops
            ops.append(Op("copy", (), parts[k], (operand(x),), depth, None))
            x = "op", len(ops) - 1
        outs.append((x[1], pick(written, k)))
    return Kernel(
        tuple([sizes[i] for i in wide]), 0, tuple(ops), (parts[0],) * (1 if op is None else 2), tuple(outs)
    )


def _step(name: str, dtype) -> Scalars | None:
    """Return an operation of two scalars."""
    if dtype.kind == "c":
        return step_of(name, dtype)
    if kind_of(dtype) == "small":
        element = Type((), dtype)
        step = lambda graph, xs: widened(graph, primitives[name], xs, {}, [element], [element] * 2)
        return program_of(step, (dtype, dtype))
    return Scalars((Op(name, (), dtype, (("in", 0), ("in", 1)), 0, None),), (("op", 0),))


def _window(code: Code, target: str, source: str, sizes, read, written, dtype, op: Scalars | None) -> None:
    """Combine one window with an update."""
    if prod(sizes) == 1:
        new = load(code, source, dtype)
        store(code, new if op is None else op(code, [*load(code, target, dtype), *new]), target, dtype)
        return
    targets = [target] * (len(parts_of(dtype)) + (op is not None))
    code.call_kernel(copying(sizes, dtype, read, written, op), [source, *targets])


@writes("sums")
def _(code: Code, addresses, dtype, index_dtype, shape, count, axes, drops, alike, wraps, chunks, ways):
    """A scatter that adds many numbers to an array of few: each chunk has sums of its own, which are added in order.

    It has them in several `ways`, one for each of some updates: one is not to wait for the one before it. `wraps` is
    added to negative indices. Floats are summed in float64, and float64 with what is lost (kernels/sums.py).
    """
    *given, _, _, out, space = addresses
    _begin(code, given, out, shape, dtype, alike)
    size, strides, n = prod(shape), contiguous(shape), len(axes)
    wide, parts = _sums_in(dtype)
    nothing = -0.0 if wide.kind == "f" else 0  # added to a number, even to -0.0

    def chunk(code: Code):
        indices, updates, _, space = code.arguments(len(addresses))[len(given) :]
        own = code.at(space, code.value("%chunk") * (ways * size * parts), wide)
        with code.loop(ways * size * parts) as i:
            code.store(code.const(nothing, wide), own, i, wide)

        def add(i: Value, own: str) -> None:
            first, inside = code.integer(0), None
            row = i * n
            for k, axis in enumerate(axes):
                at = code.load(indices, row + k, index_dtype)
                if wraps:
                    at = code.convert(at, I64)
                    at = code.select(at < 0, at + wraps, at)
                place, ok = _start(code, at, shape[axis] - 1, drops)
                first = first + place * strides[axis]
                inside = ok if inside is None else inside & ok
            with code.when(inside) if drops else nullcontext():
                term = code.convert(code.load(updates, i, dtype), wide)
                if parts == 1:
                    code.store(code.load(own, first, wide) + term, own, first, wide)
                    return
                lost = code.at(own, ways * size, wide)
                sums = added(code, code.load(own, first, wide), code.load(lost, first, wide), term)
                for value, base in zip(sums, (own, lost)):
                    code.store(value, base, first, wide)

        each = -(-count // (chunks * ways)) * ways
        start = code.value("%chunk") * each
        stop = code.minimum(start + each, count)
        whole = stop - (ways - 1)
        rest = code.variable(start)
        with code.loop(whole, start=start, step=ways) as i:
            for k in range(ways):
                add(i + k, code.at(own, k * size, wide))
            code.set(rest, i + ways)
        with code.loop(stop, start=code.get(rest)) as i:
            add(i, own)

    code.parallel(code.part("chunk", chunk), "null", chunks)

    def put_together(b: Builder, i: Value) -> None:
        read = lambda k: load_vector(b, code.at(space, i + k * size, wide), wide)
        target = code.at(out, i, dtype)
        total, lost = b.convert(load_vector(b, target, dtype), wide), b.const(0, wide)
        for chunk in range(chunks):
            for k in range(chunk * ways * parts, (chunk * parts + 1) * ways):
                if parts == 1:
                    total = total + read(k)
                else:
                    total, lost = added(b, total, lost, read(k))
                    lost = lost + read(k + ways)
        total = total if parts == 1 else whole(b, total, lost)
        store_vector(b, b.convert(total, register_dtype(dtype)), target, dtype)

    along(code, size, VECTOR_BYTES // wide.itemsize, put_together)


def _sums_in(dtype) -> tuple[np.dtype, int]:
    """Return the dtype of sums of many numbers, and of how many of it each consists."""
    return (F64, 1 + (dtype == F64)) if register_dtype(dtype) in LETTERS else (dtype, 1)


def _begin(code: Code, given, out: str, shape, dtype, alike) -> None:
    """Write what is updated: an array, or the bytes of its one element in all places."""
    if given:
        code.copy(out, given[0], prod(shape) * dtype.itemsize)
    else:
        (part,) = parts_of(dtype)
        fill = Op("copy", (), part, (("const", part, alike),), 1, None)
        code.call_kernel(Kernel((prod(shape),), 0, (fill,), (), ((0, Access(0, (1,))),)), [out])


@writes("scatter")
def _(
    code: Code, addresses, dtype, index_dtype, shape, batch, sizes, axes, batching, steps, read, op, drops, alike, sums
):
    """`axes` of the array are indexed; `batching` are (axis, batch axis); `steps` and `read` are strides of the
    updates along the batch axes and along the array's; `alike` are the bytes of the array's one element, if it has one.
    `sums` is "add" or "sub" for those of floats of which there may be many at one place.
    """
    *given, indices, updates, out = addresses[: len(addresses) - bool(sums)]
    _begin(code, given, out, shape, dtype, alike)
    strides = contiguous(shape)
    windows = partial(
        _windows, code, indices, index_dtype, shape, batch, sizes, axes, batching, steps, drops
    )

    def one_by_one():
        with windows() as (first, row):
            source, target = place(code, updates, row, dtype), place(code, out, first, dtype)
            _window(code, target, source, sizes, read, strides, dtype, op)

    is_dense = _is_dense(shape, batch, sizes)
    sum_up = _sum_all_up if is_dense else _sum_up
    sum_all = partial(sum_up, code, windows, updates, out, addresses[-1], shape, sizes, read, dtype, sums)
    few = _MAX_CHAIN_HALF_UPDATES if dtype in NARROW else _MAX_CHAIN_UPDATES
    # They are not counted where that takes as long, where windows that begin at several places meet, and where all
    # places cannot have few.
    is_counted = prod(sizes) >= _MIN_COUNTED_WINDOW and all([sizes[a] == 1 for a in axes])
    is_counted = is_counted and prod(batch) * prod(sizes) <= few * prod(shape)
    if sums and is_dense and not is_counted:
        sum_all()
    elif sums:
        counts = code.at(addresses[-1], 2 * prod(shape), register_dtype(dtype))
        many = _are_many(code, windows, counts, few)
        with code.when(many):
            sum_all()
        with code.when(~many):
            one_by_one()
    else:
        one_by_one()


def _are_many(code: Code, windows, counts: str, few: int) -> Value:
    """Return whether more than a few updates are for one place, which would lose digits."""
    most = code.variable(0)
    with windows() as (first, _):
        code.store(code.const(0, _COUNT), counts, first, _COUNT)
    with windows() as (first, _):
        count = code.load(counts, first, _COUNT) + 1
        code.store(count, counts, first, _COUNT)
        code.set(most, code.maximum(code.get(most), code.convert(count, I64)))
    return code.get(most) > few


def _sum_up(code: Code, windows, updates, out, space, shape, sizes, read, dtype, op: str) -> None:
    """Sums of many updates at one place, with what they lose beside them (kernels/sums.py): all begin, grow and end."""
    held = register_dtype(dtype)
    places = lambda to: [code.at(code.at(space, k * prod(shape), held), to, held) for k in range(2)]

    def begin(b: Builder, source, to) -> None:
        store_vector(b, load_vector(b, code.at(out, to, dtype), dtype), places(to)[0], held)
        store_vector(b, b.const(0, held), places(to)[1], held)

    def grow(b: Builder, source, to) -> None:
        x = load_vector(b, source, dtype)
        _add_to(b, places(to), -x if op == "sub" else x)

    def end(b: Builder, source, to) -> None:
        parts = [load_vector(b, a, held) for a in places(to)]
        store_vector(b, whole(b, *parts), code.at(out, to, dtype), dtype)

    for what in (begin, grow, end):
        _at_each(code, windows, updates, shape, sizes, read, dtype, lanes_for(dtype, sizes[-1]), what)


def _is_dense(shape, batch, sizes) -> bool:
    """Return whether an array is so small that it may be gone over as a whole, beside its updates."""
    return prod(shape) <= 2 * prod(batch) * prod(sizes)


def _sum_all_up(code: Code, windows, updates, out, space, shape, sizes, read, dtype, op: str) -> None:
    """Sums of all elements of an array in float64, and of float64 with what is lost."""
    (wide, parts), size, held = _sums_in(dtype), prod(shape), register_dtype(dtype)
    places = lambda to: [code.at(code.at(space, k * size, wide), to, wide) for k in range(parts)]
    lanes = VECTOR_BYTES // wide.itemsize

    def begin(b: Builder, i: Value) -> None:
        values = b.convert(load_vector(b, code.at(out, i, dtype), dtype), wide), b.const(0, wide)
        for value, address in zip(values, places(i)):
            store_vector(b, value, address, wide)

    def grow(b: Builder, source, to) -> None:
        x = b.convert(load_vector(b, source, dtype), wide)
        _add_to(b, places(to), -x if op == "sub" else x)

    def end(b: Builder, i: Value) -> None:
        total, *lost = [load_vector(b, a, wide) for a in places(i)]
        total = whole(b, total, *lost) if lost else total
        store_vector(b, b.convert(total, held), code.at(out, i, dtype), dtype)

    along(code, size, lanes, begin)
    _at_each(code, windows, updates, shape, sizes, read, dtype, min(lanes, lanes_for(wide, sizes[-1])), grow)
    along(code, size, lanes, end)


def _add_to(b: Builder, places: list[str], x: Value) -> None:
    """Add to a sum in memory, beside which may stand what it loses."""
    values = [load_vector(b, a, x.dtype) for a in places]
    sums = added(b, *values, x) if len(values) > 1 else [b.add(*values, x)]
    for value, address in zip(sums, places):
        store_vector(b, value, address, x.dtype)


def _at_each(code: Code, windows, updates, shape, sizes, read, dtype, lanes: int, body) -> None:
    """`body(builder, address of an update, number of the element that it is for)`, for vectors of neighbours."""
    strides = contiguous(shape)
    together = read[-1] == strides[-1] == 1
    with windows() as (first, row), ExitStack() as loops:
        inner = sizes[-1] if together else 1
        counters = [loops.enter_context(code.loop(d)) if d != 1 else code.integer(0) for d in sizes[:-1]]
        if not together:
            counters.append(loops.enter_context(code.loop(sizes[-1])))
        source = row + dot(code, counters, read)
        target = first + dot(code, counters, strides)

        def vector(b: Builder, j: Value) -> None:
            body(b, code.at(updates, source + j, dtype), target + j)

        if inner == 1:
            vector(code.wide_builder(1), code.integer(0))
        else:
            along(code, inner, lanes, vector)


@contextmanager
def _windows(code: Code, indices, index_dtype, shape, batch, sizes, axes, batching, steps, drops):
    """Go over the windows: where one begins in the array, and in the updates."""
    strides, n = contiguous(shape), len(axes)
    with ExitStack() as loops:
        counters = [loops.enter_context(code.loop(d)) if d != 1 else code.integer(0) for d in batch]
        along = partial(dot, code, counters)
        first = along([sum([strides[a] for a, j in batching if j == i]) for i in range(len(batch))])
        row, inside = along([s * n for s in contiguous(batch)]), None
        for k, axis in enumerate(axes):
            at = code.load(indices, row + k, index_dtype)
            start, ok = _start(code, at, shape[axis] - sizes[axis], drops)
            first = first + start * strides[axis]
            inside = ok if inside is None else inside & ok
        if drops and inside is not None:
            loops.enter_context(code.when(inside))
        yield first, along(steps)


def dot(code: Code, counters, strides) -> Value:
    """Return the sum of counters times strides."""
    total = code.integer(0)
    for i, s in zip(counters, strides):
        if s and i.text != "0":
            total = total + (i * s if s != 1 else i)
    return total


def _scatter(graph, operands, params, types, *, name):
    dtype, operation = types[0].dtype, primitives[name].combines_rule
    op = operation and operation.name
    is_long = prod(operands[1].shape[:-1]) > _MAX_CHAIN_UPDATES
    if dtype.kind == "c" and name in ("scatter-add", "scatter-sub") and is_long:
        return _of_parts(graph, operands, params, types, name)
    applied, program = params.get("update_jaxpr"), None
    if op is not None:
        op = _LOGICAL.get(op) if dtype.kind == "b" else op
        if op is None:
            return None
        program = _step(op, dtype)
        if program is None:
            return None
    elif applied is not None:  # elements become a function of what they are
        closed = ClosedJaxpr(applied, params["update_consts"])
        program = program_of(lambda graph, xs: graph._run(closed, xs[:1] * len(applied.invars)), (dtype, dtype))
        if program is None:
            return None
    unique = params.get("unique_indices", False)
    return scattered(graph, operands, params["dimension_numbers"], params["mode"], types, program, name, unique)


def _of_parts(graph, operands, params, types, name: str) -> list[Pair] | None:
    """Return sums of many complex numbers: those of their real and imaginary parts."""
    x, indices, updates = operands
    part = [Type(types[0].shape, x.re.base.dtype)]
    scatter = partial(_scatter, graph, params=params, types=part, name=name)
    re, im = scatter([x.re, indices, updates.re]), scatter([x.im, indices, updates.im])
    return None if re is None or im is None else [Pair(re[0], im[0])]


def scattered(graph, operands, numbers, mode, types, op: Scalars | None, name: str = "scatter", unique=False):
    """Return an array with updates at computed places; `op` makes new elements of old ones and of updates."""
    (x, indices, updates), dtype = operands, types[0].dtype
    if not prod(updates.shape) or not prod(x.shape):
        return [x]
    if mode.name == "ONE_HOT":
        return None
    window = numbers.update_window_dims
    without = numbers.inserted_window_dims + numbers.operand_batching_dims
    kept = iter(window)
    of_axis = [None if a in without else next(kept) for a in range(len(x.shape))]
    own = contiguous(updates.shape)
    read = tuple([0 if d is None else own[d] for d in of_axis])
    sizes = tuple([1 if d is None else updates.shape[d] for d in of_axis])
    batch = [d for d in range(len(updates.shape)) if d not in window]
    is_constant = not isinstance(x, Pair) and x.base.kind == "constant" and x.base.size == 1
    alike = is_constant and prod(x.shape) > 1 and not graph.in_loop
    axes, drops = tuple(numbers.scatter_dims_to_operand_dims), mode.name != "CLIP"
    value = x.base.value.tobytes() if alike else None
    read_arrays = list(map(graph.stored, operands))[alike:]
    count, windows = prod(updates.shape), prod([updates.shape[d] for d in batch])
    chunks = min(_MAX_CHUNKS, count // _MIN_CHUNK_UPDATES, count // (4 * prod(x.shape)))
    is_number = kind_of(dtype) == "real" and (dtype.kind in "fiu" or dtype in NARROW)
    adds = name == "scatter-add" and op is not None and is_number
    if adds and chunks > 1 and prod(sizes) == 1 and not numbers.operand_batching_dims and not graph.in_loop:
        wide, parts = _sums_in(dtype)
        size = prod(x.shape) * wide.itemsize * parts
        ways = _WAYS if _WAYS * size <= _CACHE_BYTES else 1
        indices, wraps = _as_given(indices) if len(axes) == 1 else (indices, 0)
        params = dtype, indices.base.dtype, x.shape, count, axes, drops, value, wraps, chunks, ways
        routine = Routine("sums", params, chunks * ways * size)
        read_arrays[-2] = indices
        return graph.routine(name, routine, read_arrays, types)
    most = _MAX_CHAIN_HALF_UPDATES if dtype in NARROW else _MAX_CHAIN_UPDATES
    may_repeat = x.shape and windows > most and not unique
    may_lose = may_repeat and register_dtype(dtype) in LETTERS and name in ("scatter-add", "scatter-sub")
    may_lose = may_lose and (not graph.in_loop or _is_dense(x.shape, updates.shape, ()))
    sums = name[8:] if may_lose else None
    workspace = prod(x.shape) * (2 * register_dtype(dtype).itemsize + _COUNT.itemsize) if sums else 0
    routine = Routine("scatter", (
        dtype, indices.base.dtype, x.shape, tuple([updates.shape[d] for d in batch]), sizes,
        axes,
        tuple(zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims)),
        tuple([own[d] for d in batch]), read, op, drops, value, sums,
    ), workspace)
    return graph.routine(name, routine, read_arrays, types)


def _as_given(indices: View) -> tuple[View, int]:
    """Return the indices of which `indices` are made by adding a length to negative ones, and the length; or these and
    0.
    """
    node, (test, given, moved) = indices.base, (*indices.base.operands, None, None, None)[:3]
    if node.op != "select_n" or moved is None or not indices.is_whole or not given.is_whole:
        return indices, 0
    below, total = test.base, moved.base
    if below.op != "lt" or total.op != "add" or not below.operands[0].key == given.key == total.operands[0].key:
        return indices, 0
    zero, length = [_number(view) for view in (below.operands[1], total.operands[1])]
    if zero != 0 or not length or length < 0:
        return indices, 0
    return View(given.base, indices.shape, 0, contiguous(indices.shape)), length


def _number(view: View) -> int | None:
    """Return what all elements are, if that is known."""
    is_known = view.base.kind == "constant" and view.base.size == 1
    return int(view.base.value.reshape(-1)[0]) if is_known else None


@writes("dynamic_update_slice")
def _(code: Code, addresses, dtype, index_dtypes, shape, sizes):
    x, update, *starts, out = addresses
    code.copy(out, x, prod(shape) * dtype.itemsize)
    first, strides = code.integer(0), contiguous(shape)
    for start, t, d, n, stride in zip(starts, index_dtypes, shape, sizes, strides):
        if d != n:
            at, _ = start_of(code, code.load(start, 0, t), d - n)
            first = first + at * stride
    _window(code, code.at(out, first, dtype), update, sizes, contiguous(sizes), strides, dtype, None)


def _dynamic_update_slice(graph, operands, params, types):
    x, update, *starts = operands
    if not prod(update.shape):
        return [x]
    params = x.base.dtype, tuple([s.base.dtype for s in starts]), x.shape, update.shape
    return graph.routine("dynamic_update_slice", Routine("dynamic_update_slice", params), operands, types)


_scatters = {name: partial(_scatter, name=name) for name in SCATTERS}
register(_scatters | dict(dynamic_update_slice=_dynamic_update_slice))
COMPLEX.update(_scatters)
