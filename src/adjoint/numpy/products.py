"""Products of arrays: `dot`, `matmul`, `einsum` and their relatives, all on `lax.dot_general`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import lax
from ..array.array import as_array
from ..core import dtypes
from ..core.errors import message
from ..core.types import Array
from ..prims.shape import insert_axes
from ..transforms.jit import inner_jit
from . import reductions, ufuncs
from .creation import asarray
from .manipulation import moveaxis, ravel, reshape, transpose
from .promotion import check_arraylike, convert
from .reductions import canonical_axes, canonical_axis

__all__ = [
    "cross", "dot", "einsum", "einsum_path", "inner", "kron", "matmul", "matvec", "outer", "tensordot",
    "vdot", "vecdot", "vecmat",
]


def _operands(name, *args, preferred=None):
    """Operands of one dtype, and the dtype to accumulate in."""
    check_arraylike(name, *args)
    dtype, weak = dtypes.lattice_result_type(*args)
    out = [convert(a if isinstance(a, Array) else as_array(a), dtype, weak) for a in args]
    if preferred is not None:
        return out, dtypes.check_user_dtype_supported(preferred, name)
    return out, dtype


def _general(a, b, numbers, precision, preferred):
    return lax.dot_general(a, b, numbers, precision=precision, preferred_element_type=preferred)


def dot(a, b, *, precision=None, preferred_element_type=None, out_sharding=None):
    """The dot product: over the last axis of `a` and the last but one of `b`.

    Args:
      a, b: arrays; scalars multiply.
      precision: of the multiplication, a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Raises:
      TypeError: the lengths of these axes differ.

    >>> dot(jnp.array([1., 2.]), jnp.array([3., 4.]))
    Array(11., dtype=float32)
    """
    (a, b), preferred = _operands("dot", a, b, preferred=preferred_element_type)
    if not a.ndim or not b.ndim:
        numbers = (((), ()), ((), ()))
    else:
        numbers = (((a.ndim - 1,), (max(0, b.ndim - 2),)), ((), ()))
        if a.shape[-1] != b.shape[numbers[0][1][0]]:
            raise _mismatch("dot", a, b)
    return _general(a, b, numbers, precision, preferred)


def _mismatch(name, a, b):
    left, right = a.shape[-1], b.shape[max(0, b.ndim - 2)]
    transposed = b.ndim >= 2 and b.shape[-1] == left
    fix = f"{'a @ b.T' if b.ndim == 2 else 'a @ b.mT'}" if transposed else "check which axes should be summed"
    return TypeError(
        message(
            f"{name} needs matching inner axes: left is {lax_short(a)}, right is {lax_short(b)}. "
            "dot_general requires contracting dimensions to have the same shape, got "
            f"({left},) and ({right},).",
            why=f"The last axis of the left ({left}) must equal axis "
            f"{-2 if b.ndim > 1 else -1} of the right ({right}).",
            fix=fix,
        )
    )


def lax_short(x) -> str:
    return x.aval.str_short(True)


def matmul(a, b, *, precision=None, preferred_element_type=None, out_sharding=None):
    """The matrix product ``a @ b``: the last two axes are matrices, the others batches that broadcast.

    Args:
      a, b: ``[..., n, k]`` and ``[..., k, m]``; vectors are rows on the left and columns on the right.
      precision, preferred_element_type: as in `dot`.
    Raises:
      ValueError: an operand is a scalar, or the batches do not broadcast.
      TypeError: the inner lengths differ.

    >>> matmul(jnp.ones((2, 3)), jnp.ones((3, 4))).shape
    (2, 4)
    """
    (a, b), preferred = _operands("matmul", a, b, preferred=preferred_element_type)
    for i, x in enumerate((a, b)):
        if not x.ndim:
            raise ValueError(
                message(
                    f"matmul input operand {i} must have ndim at least 1, but it has ndim 0",
                    fix="a * b, which multiplies by a scalar",
                )
            )
    if a.shape[-1] != b.shape[max(0, b.ndim - 2)]:
        raise _mismatch("matmul", a, b)
    if a.ndim <= 2 and b.ndim <= 2:
        numbers = (((a.ndim - 1,), (max(0, b.ndim - 2),)), ((), ()))
        return _general(a, b, numbers, precision, preferred)
    return _batched_matmul(a, b, precision, preferred)


def _batched_matmul(a, b, precision, preferred):
    left, right = a.shape[:-2], b.shape[:-2]
    try:
        batch = np.broadcast_shapes(left, right)
    except ValueError:
        raise ValueError(
            f"Incompatible shapes for broadcasting: batch axes {left} and {right} of matmul operands "
            f"{lax_short(a)} and {lax_short(b)}"
        ) from None
    rank = len(batch)
    # Batch axes of the result, by where they come from; an axis of length 1 is not batched over.
    origin = []
    for i, n in enumerate(batch):
        l, r = i - rank + len(left), i - rank + len(right)
        l = l if l >= 0 and left[l] == n and (n != 1) else None
        r = r if r >= 0 and right[r] == n and (n != 1) else None
        origin.append((l, r))
    a = lax.squeeze(a, tuple(i for i, n in enumerate(left) if n == 1)) if 1 in left else a
    b = lax.squeeze(b, tuple(i for i, n in enumerate(right) if n == 1)) if 1 in right else b
    shift_l = np.cumsum([n == 1 for n in left]).tolist()
    shift_r = np.cumsum([n == 1 for n in right]).tolist()
    both = [(l - shift_l[l], r - shift_r[r]) for l, r in origin if l is not None and r is not None]
    vector_a, vector_b = a.ndim - len([n for n in left if n != 1]) == 1, b.ndim - len(
        [n for n in right if n != 1]) == 1
    numbers = (
        ((a.ndim - 1,), (b.ndim - (1 if vector_b else 2),)),
        (tuple(l for l, _ in both), tuple(r for _, r in both)),
    )
    out = _general(a, b, numbers, precision, preferred)
    # Axes of `out`: shared batches, batches of a alone, rows, batches of b alone, columns.
    position = len(both)
    alone_l = [i for i, (l, r) in enumerate(origin) if l is not None and r is None]
    alone_r = [i for i, (l, r) in enumerate(origin) if r is not None and l is None]
    shared = [i for i, (l, r) in enumerate(origin) if l is not None and r is not None]
    where = {i: k for k, i in enumerate(shared)}
    for i in alone_l:
        where[i] = position
        position += 1
    rows = [] if vector_a else [position]
    position += len(rows)
    for i in alone_r:
        where[i] = position
        position += 1
    columns = [] if vector_b else [position]
    order = [where[i] for i in range(rank) if i in where] + rows + columns
    if order != sorted(order):
        out = lax.transpose(out, order)
    ones = tuple(i for i in range(rank) if i not in where)
    return lax.expand_dims(out, ones) if ones else out


def inner(a, b, *, precision=None, preferred_element_type=None):
    """The sum of products over the last axes.

    >>> inner(jnp.array([1., 2.]), jnp.array([3., 4.]))
    Array(11., dtype=float32)
    """
    (a, b), _ = _operands("inner", a, b)
    if not a.ndim or not b.ndim:
        return ufuncs.multiply(a, b)
    return tensordot(a, b, (-1, -1), precision=precision, preferred_element_type=preferred_element_type)


def outer(a, b, out=None):
    """All products of the elements of two flattened arrays.

    >>> outer(jnp.array([1., 2.]), jnp.array([3., 4.]))
    Array([[3., 4.],
           [6., 8.]], dtype=float32)
    """
    reductions._no_out("outer", out)
    (a, b), _ = _operands("outer", a, b)
    return ufuncs.multiply(insert_axes(ravel(a), (1,)), insert_axes(ravel(b), (0,)))


def vdot(a, b, *, precision=None, preferred_element_type=None):
    """The sum of products of the flattened arrays, the first one conjugated."""
    check_arraylike("vdot", a, b)
    a = ufuncs.conj(a) if dtypes.issubdtype(dtypes.dtype_of(a), np.complexfloating) else a
    return dot(ravel(a), ravel(b), precision=precision, preferred_element_type=preferred_element_type)


def vecdot(x1, x2, /, *, axis=-1, precision=None, preferred_element_type=None):
    """The sum of products over one axis, the first operand conjugated; the others broadcast.

    >>> vecdot(jnp.ones((2, 3)), jnp.ones(3))
    Array([3., 3.], dtype=float32)
    """
    (a, b), preferred = _operands("jnp.vecdot", x1, x2, preferred=preferred_element_type)
    i, j = canonical_axis(axis, a.ndim), canonical_axis(axis, b.ndim)
    if a.shape[i] != b.shape[j]:
        raise ValueError(f"axes must match; got shapes {a.shape} and {b.shape} with {axis=}")
    a = ufuncs.conj(moveaxis(a, i, -1))
    b = moveaxis(b, j, -1)
    product = matmul(insert_axes(a, (a.ndim - 1,)), insert_axes(b, (b.ndim,)), precision=precision,
                     preferred_element_type=preferred)
    return lax.squeeze(product, (product.ndim - 2, product.ndim - 1))


def matvec(x1, x2, /):
    """Matrices ``[..., n, k]`` times vectors ``[..., k]``; batches broadcast."""
    check_arraylike("matvec", x1, x2)
    x2 = asarray(x2)
    return lax.squeeze(matmul(x1, insert_axes(x2, (x2.ndim,))), (-1,))


def vecmat(x1, x2, /):
    """Conjugated vectors ``[..., n]`` times matrices ``[..., n, m]``; batches broadcast."""
    check_arraylike("vecmat", x1, x2)
    x1 = ufuncs.conj(asarray(x1))
    return lax.squeeze(matmul(insert_axes(x1, (x1.ndim - 1,)), x2), (-2,))


def tensordot(a, b, axes=2, *, precision=None, preferred_element_type=None, out_sharding=None):
    """The sum of products over several axes.

    Args:
      axes: how many last axes of `a` and first ones of `b`, or a pair of axes or sequences of axes.

    >>> tensordot(jnp.ones((2, 3)), jnp.ones((3, 4)), 1).shape
    (2, 4)
    """
    (a, b), preferred = _operands("tensordot", a, b, preferred=preferred_element_type)
    if isinstance(axes, (int, np.integer)):
        if axes > min(a.ndim, b.ndim):
            raise TypeError(
                f"Number of tensordot axes (axes {axes}) exceeds input ranks ({a.shape} and {b.shape})"
            )
        left, right = tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    elif isinstance(axes, (tuple, list)) and len(axes) == 2:
        left, right = (tuple(x) if isinstance(x, Sequence) else (x,) for x in axes)
        if len(left) != len(right):
            raise TypeError(
                f"tensordot requires axes lists to have equal length, got {left} and {right}."
            )
        left, right = canonical_axes(left, a.ndim), canonical_axes(right, b.ndim)
    else:
        raise TypeError(f"tensordot requires both axes lists to be either ints, tuples or lists, got {axes}")
    return _general(a, b, ((left, right), ((), ())), precision, preferred)


@inner_jit(static_argnames=("axisa", "axisb", "axisc", "axis"))
def cross(a, b, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None):
    """The cross product of vectors of length 3 (or 2) along an axis."""
    if axis is not None:
        axisa = axisb = axisc = axis
    (a, b), _ = _operands("cross", a, b)
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("Dimension must be either 2 or 3 for cross product")
    part = lambda x, i: x[..., i]
    if a.shape[-1] == b.shape[-1] == 2:
        return part(a, 0) * part(b, 1) - part(a, 1) * part(b, 0)
    zero = lambda x: lax.full_like(part(x, 0), 0)
    ax, ay, az = (part(a, i) if i < a.shape[-1] else zero(a) for i in range(3))
    bx, by, bz = (part(b, i) if i < b.shape[-1] else zero(b) for i in range(3))
    parts = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
    joined = lax.concatenate([insert_axes(p, (0,)) for p in parts], 0)
    return moveaxis(joined, 0, axisc)


@inner_jit
def kron(a, b):
    """The Kronecker product: each element of `a` times all of `b`."""
    (a, b), _ = _operands("kron", a, b)
    rank = max(a.ndim, b.ndim)
    a, b = (insert_axes(x, tuple(range(rank - x.ndim))) if x.ndim < rank else x for x in (a, b))
    wide_a = insert_axes(a, tuple(range(1, 2 * rank, 2)))
    wide_b = insert_axes(b, tuple(range(0, 2 * rank, 2)))
    return reshape(wide_a * wide_b, tuple(m * n for m, n in zip(a.shape, b.shape)))


# ---- einsum ----------------------------------------------------------------------------------------


def einsum_path(subscripts, /, *operands, optimize="auto"):
    """The order in which `einsum` contracts its operands, and a description; see `opt_einsum`."""
    import opt_einsum

    if isinstance(optimize, bool):
        optimize = "optimal" if optimize else [tuple(range(len(operands)))]
    return opt_einsum.contract_path(subscripts, *operands, optimize=optimize)


def einsum(
    subscripts, /, *operands, out=None, optimize="auto", precision=None, preferred_element_type=None,
    _dot_general=None, out_sharding=None,
):
    """Sums of products by Einstein's convention.

    Args:
      subscripts: such as ``"bij,bjk->bik"``; or operands and lists of ints in turn.
      optimize: how to choose the order of contraction; see `opt_einsum`.
      precision, preferred_element_type: as in `dot`.

    >>> einsum("ij,j->i", jnp.ones((2, 3)), jnp.arange(3.))
    Array([3., 3.], dtype=float32)
    """
    reductions._no_out("einsum", out)
    if not isinstance(subscripts, str):
        subscripts, operands = _from_lists(subscripts, operands)
    check_arraylike("einsum", *operands)
    arrays, preferred = _operands("einsum", *operands, preferred=preferred_element_type)
    inputs, output = _parse(subscripts, arrays)
    terms = list(zip(inputs, arrays))
    for pair in _order(inputs, output, arrays, optimize):
        chosen = [terms.pop(i) for i in sorted(pair, reverse=True)]
        rest = set(output).union(*(t for t, _ in terms))
        if len(chosen) == 1:
            terms.append(_single(*chosen[0], rest, output if not terms else None))
        else:
            (s, a), (t, b) = chosen  # opt_einsum's order: the later operand is on the left
            terms.append(_contract(s, a, t, b, rest, precision, preferred))
    (names, result) = terms[0]
    if names != output:
        result = transpose(result, [names.index(n) for n in output])
    return convert(result, preferred)


def _from_lists(first, rest):
    """The string form of ``einsum(a, [0, 1], b, [1, 2], [0, 2])``."""
    values = [first, *rest]
    letter = lambda i: "..." if i is Ellipsis else chr(97 + i) if i < 26 else chr(65 + i - 26)
    pairs = list(zip(values[0::2], values[1::2]))
    spec = ",".join("".join(map(letter, s)) for _, s in pairs)
    if len(values) % 2:
        spec += "->" + "".join(map(letter, values[-1]))
    return spec, tuple(a for a, _ in pairs)


def _parse(subscripts, arrays) -> tuple[list[str], str]:
    """The letters of the operands and of the result, with ellipses spelt out."""
    spec = subscripts.replace(" ", "")
    left, arrow, right = spec.partition("->")
    inputs = left.split(",")
    if len(inputs) != len(arrays):
        raise ValueError(
            f"einsum subscripts {subscripts!r} name {len(inputs)} operands, {len(arrays)} were given."
        )
    spare = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in spec][::-1]
    widths = [x.ndim - len(s.replace("...", "")) for s, x in zip(inputs, arrays)]
    widest = max([w for s, w in zip(inputs, widths) if "..." in s], default=0)
    dots = "".join(spare[:widest])[::-1]
    out = []
    for s, x, w in zip(inputs, arrays, widths):
        if (w < 0) or (w and "..." not in s):
            raise ValueError(
                message(
                    f"einsum: operand {len(out)} has shape {x.shape}, its subscripts {s!r} name "
                    f"{len(s.replace('...', ''))} axes.",
                    fix="one letter an axis, or ... for the others",
                )
            )
        out.append(s.replace("...", dots[len(dots) - w :] if w else ""))
    if arrow:
        result = right.replace("...", dots)
    else:
        joined = "".join(out)
        result = dots + "".join(sorted({c for c in joined if joined.count(c) == 1} - set(dots)))
    sizes: dict[str, int] = {}
    for s, x in zip(out, arrays):
        for c, n in zip(s, x.shape):
            if sizes.setdefault(c, n) != n and 1 not in (n, sizes[c]):
                raise ValueError(
                    f"Size of label '{c}' for operand {s} ({n}) does not match previous terms ({sizes[c]})."
                )
            sizes[c] = max(sizes[c], n)
    missing = [c for c in result if c not in sizes]
    if missing:
        raise ValueError(f"einsum: output letter {missing[0]!r} is in no operand of {subscripts!r}.")
    return out, result


def _order(inputs, output, arrays, optimize):
    """The operands to contract in each step, by position among what is left."""
    if len(inputs) == 1:
        return [(0,)]
    if len(inputs) == 2:
        return [(0, 1)]
    import opt_einsum

    if isinstance(optimize, bool):
        optimize = "optimal" if optimize else [tuple(range(len(inputs)))]
    spec = ",".join(inputs) + "->" + output
    path, _ = opt_einsum.contract_path(spec, *[a.shape for a in arrays], shapes=True, optimize=optimize)
    out = []
    for step in path:  # more than two at once: one after the other
        step = sorted(step)
        while len(step) > 2:
            raise_to = len(inputs)
            out.append((step[0], step[1]))
            step = [s - (s > step[0]) - (s > step[1]) for s in step[2:]] + [raise_to]
            step = sorted(min(s, _left(inputs, out) - 1) for s in step)
        out.append(tuple(step))
    return out


def _left(inputs, steps) -> int:
    return len(inputs) - len(steps)


def _single(names, a, rest, output):
    """One operand without repeated letters and without letters that nobody needs."""
    names, a = _diagonals(names, a)
    summed = tuple(i for i, c in enumerate(names) if c not in rest)
    if summed:
        a = reductions.sum(a, axis=summed, promote_integers=False)
        names = "".join(c for c in names if c in rest)
    return names, a


def _diagonals(names, a):
    """Letters that occur twice in one operand: the diagonal of their axes."""
    for c in dict.fromkeys(names):
        while names.count(c) > 1:
            i, j = names.index(c), names.rindex(c)
            shape = (a.shape[i], a.shape[j])
            on = lax.eq(lax.broadcasted_iota(np.uint32, shape, 0), lax.broadcasted_iota(np.uint32, shape, 1))
            on = lax.broadcast_in_dim(on, a.shape, (i, j))
            a = reductions.sum(lax.select(on, a, lax.full_like(a, 0)), axis=j, promote_integers=False)
            names = names[:j] + names[j + 1 :]
    return names, a


def _contract(s, a, t, b, rest, precision, preferred):
    """Two operands into one: shared letters are batches if needed later, and summed otherwise."""
    s, a = _single(s, a, rest | set(t), None)
    t, b = _single(t, b, rest | set(s), None)
    # Axes of length 1 that stretch are dropped on the side where they are 1.
    for c in set(s) & set(t):
        n, m = a.shape[s.index(c)], b.shape[t.index(c)]
        if n != m:
            if n == 1:
                a, s = lax.squeeze(a, (s.index(c),)), s.replace(c, "")
            else:
                b, t = lax.squeeze(b, (t.index(c),)), t.replace(c, "")
    s, a = _single(s, a, rest | set(t), None)
    t, b = _single(t, b, rest | set(s), None)
    shared = [c for c in s if c in t]
    batch = [c for c in shared if c in rest]
    summed = [c for c in shared if c not in rest]
    at = lambda names, letters: tuple(names.index(c) for c in letters)
    numbers = ((at(s, summed), at(t, summed)), (at(s, batch), at(t, batch)))
    out = _general(a, b, numbers, precision, preferred)
    names = "".join(batch) + "".join(c for c in s if c not in shared) + "".join(
        c for c in t if c not in shared)
    return names, out


