"""`einsum`: sums of products by Einstein's convention.

A contraction of several operands is done in pairs, in the order that `opt_einsum` finds. A pair becomes one
`dot_general`: letters that both have are batches if they are needed later and are summed otherwise; what only
one has and no other and the result need is summed before.

Tests: `tests/numpy/test_products.py`.
"""

from __future__ import annotations

import numpy as np

from .. import lax
from ..core.messages.errors import describe, message
from ..core.types import Array
from ..core.values.dimension import Dimension
from ..parallel.arrays import with_out_sharding
from ..prims.logic import and_
from ..prims.summation import total
from ..sharding.explicit import asked_sharding, of_transposed
from ..transforms.jit.replay import replayed
from .axes import refuse_out
from .products import operands_of
from .promotion import convert
from .reductions import sum

__all__ = ["einsum", "einsum_path"]


def einsum_path(subscripts, /, *operands, optimize="auto"):
    """Return the order in which `einsum` contracts its operands, and a description of it, by `opt_einsum`.

    Args:
      subscripts: as for `einsum`, such as "ij,jk->ik".
      *operands: arrays; only shapes count.
      optimize: how to look for the order: "auto", "optimal", "greedy", or an order.
    Returns:
      A list of tuples with the positions of the operands to contract next, and a `PathInfo`, which prints costs.
    Raises:
      ValueError: the subscripts do not fit the number of operands, or the number of axes of one.
      TypeError: the first argument is no text, and no operands in the form of lists of axes follow.

    >>> path, description = jnp.einsum_path("ij,jk,kl", *[jnp.ones((2, 2))] * 3)
    >>> len(path)
    2
    """
    import opt_einsum

    if isinstance(optimize, bool):
        optimize = "optimal" if optimize else [tuple(range(len(operands)))]
    return opt_einsum.contract_path(subscripts, *operands, optimize=optimize)


_einsum = getattr(np._core.multiarray, "c_einsum", np.einsum)  # type: ignore[attr-defined]  # without what plans


def _numpy_einsum(subscripts, a, **settings):
    """Transpositions, diagonals and traces, which are views or nearly so."""
    return _einsum(subscripts, a)


def _is_view(args, kwargs) -> bool:
    """Return whether an `einsum` has one operand and sums nothing but diagonals."""
    if len(args) != 2 or not isinstance(args[0], str) or not isinstance(args[1], Array) or kwargs:
        return False
    left, arrow, right = args[0].replace(" ", "").partition("->")
    kept = {c for c in left if left.count(c) == 1}
    is_permutation = len(kept) == len(left)  # which is one step as it is
    return args[1].dtype.itemsize >= 4 and left.isalpha() and not is_permutation and (not arrow or kept <= set(right))


@replayed(numpy=_numpy_einsum, suits=_is_view, exact=True)
def einsum(
    subscripts, /, *operands, out=None, optimize="auto", precision=None, preferred_element_type=None,
    _dot_general=lax.dot_general, out_sharding=None,
) -> Array:
    """Return sums of products by Einstein's convention.

    Args:
      subscripts: such as ``"bij,bjk->bik"``; or operands and lists of ints in turn.
      operands: arrays.
      out: must be None.
      optimize: how to choose the order of contraction; see `opt_einsum`.
      precision, preferred_element_type: as in `dot`.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array with the axes after the arrow; without an arrow, those that occur once, in the order of the alphabet.
      The dtype is the one to which those of the operands promote, unless `preferred_element_type` says another.
    Raises:
      ValueError: the subscripts do not fit the operands.
    See also: `matmul`, `tensordot`, `einsum_path`.

    >>> jnp.einsum("ij,j->i", jnp.ones((2, 3)), jnp.arange(3.))
    Array([3., 3.], dtype=float32)
    """
    refuse_out("einsum", out)
    count = len(operands) if isinstance(subscripts, str) else (len(operands) + 1) // 2
    if out_sharding is not None and count != 2:  # which is no single product
        return with_out_sharding(
            "einsum", out_sharding, einsum, subscripts, *operands, optimize=optimize, precision=precision,
            preferred_element_type=preferred_element_type, _dot_general=_dot_general,
        )
    if not isinstance(subscripts, str):
        if not operands:
            raise TypeError(
                message(
                    f"einsum needs subscripts and operands, got {describe(subscripts)} alone.",
                    fix="jnp.einsum('ij,jk->ik', a, b)",
                )
            )
        subscripts, operands = _from_lists((subscripts, *operands))
    if not operands:
        raise ValueError(
            message(
                f"Number of einsum subscripts, {subscripts.count(',') + 1}, must be equal to the number of operands, "
                "0.",
                fix=f"jnp.einsum({subscripts!r}, a, ...), with the arrays after the subscripts",
            )
        )
    arrays, dtype, weak = operands_of("einsum", *operands, preferred=preferred_element_type)
    if len(arrays) == 1 and preferred_element_type is not None:
        arrays = [convert(arrays[0], dtype)]
    inputs, output = _parse(subscripts, arrays)
    asked = asked_sharding("einsum", out_sharding)

    def multiply(a, b, numbers, names):
        where = {} if asked is None else {"out_sharding": of_transposed(asked, output, names)}
        return _dot_general(a, b, numbers, precision=precision, preferred_element_type=dtype, **where)

    terms = list(zip(inputs, arrays))
    for step in _order(inputs, output, arrays, optimize):
        chosen = [terms.pop(i) for i in sorted(step, reverse=True)]
        rest = set(output).union(*[names for names, _ in terms])
        if len(chosen) == 1:
            terms.append(_reduced(*chosen[0], rest))
        else:
            target = output if not terms else _first_occurrences(chosen, rest)
            terms.append(_contracted(*chosen, target, rest, multiply))
    ((names, result),) = terms
    if names != output:
        result = lax.transpose(result, [names.index(n) for n in output])
    if preferred_element_type is None and result.dtype != dtype:
        result = convert(result, dtype)
    return convert(result, result.dtype, weak)


# ---- subscripts ---------------------------------------------------------------------------------


def _from_lists(given) -> tuple[str, tuple]:
    """Return the string form of ``einsum(a, [0, 1], b, [1, 2], [0, 2])``, and its operands: letters in the order of
    labels.
    """
    lists = (*given[1::2], *given[-1:]) if len(given) % 2 else given[1::2]
    try:
        labels = sorted({label for axes in lists for label in axes} - {Ellipsis})
    except TypeError as error:
        raise TypeError(
            message(
                "For this input type lists must contain either Ellipsis or hashable and comparable object (e.g. int, "
                "str).",
                why=str(error),
                fix="jnp.einsum(a, [0, 1], b, [1, 2], [0, 2])",
            )
        ) from None
    letters = dict(zip(labels, [*_LETTERS, *map(chr, range(192, 192 + len(labels)))]))
    word = lambda axes: "".join(["..." if label is Ellipsis else letters[label] for label in axes])
    pairs = list(zip(given[0::2], given[1::2]))
    text = ",".join([word(axes) for _, axes in pairs])
    if len(given) % 2:
        text += "->" + word(given[-1])
    return text, tuple([a for a, _ in pairs])


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _parse(subscripts: str, arrays) -> tuple[list[str], str]:
    """Return the letters of the operands and of the result, with ellipses spelt out."""
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    inputs = left.split(",")
    if len(inputs) != len(arrays):
        raise ValueError(
            message(
                f"Number of einsum subscripts, {len(inputs)}, must be equal to the number of operands, "
                f"{len(arrays)}.",
                why=f"{subscripts!r} has {left.count(',')} commas; the shapes are "
                f"{', '.join(str(x.shape) for x in arrays)}.",
                fix="one group of letters for each operand, with commas between: 'ij,jk->ik'",
            )
        )
    named = [s.replace("...", "") for s in (*inputs, right)]
    if any("." in s for s in named):
        raise ValueError("Invalid Ellipses.")
    extra = [x.ndim - len(s) for s, x in zip(named, arrays)]
    for i, (s, x, n) in enumerate(zip(inputs, arrays, extra)):
        if n < 0 or (n and "..." not in s):
            raise ValueError(
                message(
                    f"Einstein sum subscript '{s}' does not contain the correct number of indices for "
                    f"operand {i}.",
                    why=f"The operand has shape {x.shape}.",
                    fix="one letter an axis, or ... for the others",
                )
            )
    widest = max([n for s, n in zip(inputs, extra) if "..." in s], default=0)
    dots = "".join([c for c in _LETTERS if c not in text][:widest])
    letters = [s.replace("...", dots[len(dots) - n :]) for s, n in zip(inputs, extra)]
    if arrow:
        output = right.replace("...", dots)
    else:
        joined = "".join(named)
        output = dots + "".join(sorted(c for c in set(joined) if joined.count(c) == 1))
    _check_lengths(letters, arrays, subscripts)
    for c in output:
        if output.count(c) > 1:
            raise ValueError(
                message(
                    f"Output character '{c}' appeared more than once in the output.",
                    why=f"The output of {subscripts!r} is {output!r}; a letter there is one axis of the result.",
                    fix=f"each letter once, and jnp.diag or x[:, None] * jnp.eye(n) for a diagonal of {c!r}",
                )
            )
        if not any(c in s for s in letters):
            raise ValueError(
                message(
                    f"Output character '{c}' did not appear in the input",
                    why=f"The inputs of {subscripts!r} have the letters {', '.join(sorted(set(''.join(letters))))}.",
                    fix="jnp.broadcast_to or x[..., None] for a new axis, after the einsum",
                )
            )
    return letters, output


def _check_lengths(letters, arrays, subscripts: str) -> None:
    """A letter means one length everywhere; 1 stretches."""
    lengths: dict[str, int] = {}
    for i, (s, x) in enumerate(zip(letters, arrays)):
        for c, n in zip(s, x.shape):
            known = lengths.setdefault(c, n)
            if known != n and 1 not in (known, n):
                raise ValueError(
                    message(
                        f"Size of label '{c}' for operand {i} ({known}) does not match previous terms ({n}).",
                        why=f"In {subscripts!r} the operands have shapes {', '.join(str(x.shape) for x in arrays)}; "
                        f"{c!r} is {known} long before and {n} in operand {i}.",
                        fix="letters in the order of each operand's axes, or x.T where one is the wrong way round",
                    )
                )
            if known == 1:
                lengths[c] = n


_TYPICAL = 8  # stands for a length that is an expression


def _order(inputs, output, arrays, optimize) -> list[tuple[int, ...]]:
    """Return the operands to contract in each step, by position among those that are left."""
    if len(inputs) <= 2:
        return [tuple(range(len(inputs)))]
    import opt_einsum

    if isinstance(optimize, bool):
        optimize = "optimal" if optimize else [tuple(range(len(inputs)))]
    text = f"{','.join(inputs)}->{output}"
    shapes = [a.shape for a in arrays]
    if any([isinstance(n, Dimension) for shape in shapes for n in shape]):
        shapes = [tuple([_TYPICAL if isinstance(n, Dimension) else n for n in shape]) for shape in shapes]
    path, _ = opt_einsum.contract_path(text, *shapes, shapes=True, optimize=optimize)
    steps, left = [], len(inputs)
    for step in path:
        chosen = sorted(step)
        while len(chosen) > 2:  # more than two at once: the last two, then their result with the others
            *chosen, i, j = chosen
            steps.append((i, j))
            left -= 1
            chosen.append(left - 1)
        steps.append(tuple(chosen))
        left -= len(chosen) - 1
    return steps


def _first_occurrences(chosen, rest) -> str:
    """Return the letters of two operands that are needed later, in the order in which they occur."""
    return "".join(dict.fromkeys(c for names, _ in chosen for c in names if c in rest))


# ---- contraction --------------------------------------------------------------------------------


def _reduced(names, a, needed):
    """Reduce one operand to each letter once, without letters that are not in `needed`."""
    for c in dict.fromkeys(names):
        if names.count(c) > 1:
            names, a = _without_repetition(names, a, c, needed)
    summed = [i for i, c in enumerate(names) if c not in needed]
    if summed:
        a = _summed(a, summed)
        names = "".join([c for c in names if c in needed])
    return names, a


def _summed(a, axes):
    if a.dtype == np.bool_:
        return lax.reduce_or(a, axes)
    return sum(a, axis=tuple(axes), promote_integers=False)


def _without_repetition(names, a, letter, needed):
    """Return the diagonal of all axes with one letter, or its sum if the letter is not needed."""
    axes = tuple([i for i, c in enumerate(names) if c == letter])
    summed = axes[:-1] if letter in needed else axes
    a = _diagonal(a, axes, summed)
    return "".join([c for i, c in enumerate(names) if i not in summed]), a


def _numpy_diagonal(a, axes, summed):
    if a.dtype.kind not in "iu" and a.dtype.itemsize < 4 or len({a.shape[i] for i in axes}) > 1:
        return NotImplemented
    if a.ndim == 2:
        view = a.diagonal()
        return np.asarray(total(view, 0, a.dtype)) if summed == axes else view
    names = [axes[0] if i in axes else i for i in range(a.ndim)]
    view = np.einsum(a, names, [names[i] for i in range(a.ndim) if i not in axes] + [axes[0]])
    if summed == axes:
        return np.asarray(total(view, view.ndim - 1, a.dtype))
    return np.moveaxis(view, -1, axes[-1] - len(summed))


@replayed(numpy=_numpy_diagonal)
def _diagonal(a, axes, summed):
    """Return the elements at equal places along some axes, along the last of these or summed."""
    shape = [a.shape[i] for i in axes]
    iotas = [lax.broadcasted_iota("uint32", shape, i) for i in range(len(axes))]
    pairs = [lax.eq(i, j) for i, j in zip(iotas, iotas[1:])]
    on = pairs[0]
    for pair in pairs[1:]:
        on = and_(on, pair)
    on = lax.broadcast_in_dim(on, a.shape, axes)
    return _summed(lax.select(on, a, lax.full_like(a, 0)), summed)


def _contracted(left, right, target, rest, multiply):
    """Contract two operands, in the order that gives `target` without a transposition, if one does."""
    (s, a), (t, b) = left, right
    s, a = _reduced(s, a, rest | set(t))
    t, b = _reduced(t, b, rest | set(s))
    for c in set(s) & set(t):  # an axis of length 1 that stretches is dropped
        n, m = a.shape[s.index(c)], b.shape[t.index(c)]
        if n != m and n == 1:
            a, s = lax.squeeze(a, (s.index(c),)), s.replace(c, "")
        elif n != m:
            b, t = lax.squeeze(b, (t.index(c),)), t.replace(c, "")
    s, a = _reduced(s, a, rest | set(t))
    t, b = _reduced(t, b, rest | set(s))
    shared = set(s) & set(t)
    batch = [c for c in target if c in shared]
    summed = sorted(shared - rest)
    only = lambda names: "".join([c for c in names if c not in shared])
    if "".join(batch) + only(t) + only(s) == target:
        (s, a), (t, b) = (t, b), (s, a)
    at = lambda names, letters: tuple([names.index(c) for c in letters])
    numbers = ((at(s, summed), at(t, summed)), (at(s, batch), at(t, batch)))
    names = "".join(batch) + only(s) + only(t)
    return names, multiply(a, b, numbers, names)
