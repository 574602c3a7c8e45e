"""Lists and tuples: split, merged, replaced. Names of `jax._src.util`."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, KeysView, Sequence
from typing import Any

from ....lax.shape import canonical_axis

__all__ = [
    "OrderedSet", "canonicalize_axis", "canonicalize_axis_tuple", "ceil_of_ratio", "concatenate", "flatten", "foreach",
    "maybe_named_axis", "merge_lists", "moveaxis", "partition_list", "pprint_bytes", "safe_zip", "split_list",
    "split_list_checked", "stable_unique", "subs_list", "subs_list2", "subvals", "toposort", "tuple_delete",
    "tuple_insert", "tuple_update", "unflatten", "unzip2", "unzip3",
]


# ---- several sequences at once -------------------------------------------------------------------


def foreach(f: Callable, *sequences: Iterable) -> None:
    """Call `f` for the items of sequences of one length."""
    if not sequences:
        raise TypeError("foreach requires at least 2 arguments")
    lists = [list(s) for s in sequences]
    for number, items in enumerate(lists[1:], 2):
        if len(items) != len(lists[0]):
            than = "shorter" if len(items) < len(lists[0]) else "longer"
            raise ValueError(f"foreach() argument {number} is {than} than argument 1")
    for items in zip(*lists):
        f(*items)


def safe_zip(*sequences: Iterable) -> list[tuple]:
    """Return tuples of the items of sequences of one length.

    >>> safe_zip([1, 2], "ab")
    [(1, 'a'), (2, 'b')]
    """
    if not sequences:
        raise TypeError("safe_zip requires at least 1 argument")
    lists = [list(s) for s in sequences]
    lengths = tuple([len(items) for items in lists])
    for number, length in enumerate(lengths):
        if length != lengths[0]:
            raise ValueError(f"safe_zip() argument {number} has length {length} but argument 0 has length "
                             f"{lengths[0]}. All lengths: {lengths}")
    return list(zip(*lists))


def unzip2(xys: Iterable[tuple]) -> tuple[tuple, tuple]:
    """Return the first and the second items of pairs.

    >>> unzip2([(1, 2), (3, 4)])
    ((1, 3), (2, 4))
    """
    pairs = [(x, y) for x, y in xys]
    return tuple([x for x, _ in pairs]), tuple([y for _, y in pairs])


def unzip3(xyzs: Iterable[tuple]) -> tuple[tuple, tuple, tuple]:
    """Return the first, the second and the third items of triples."""
    triples = [(x, y, z) for x, y, z in xyzs]
    return tuple([x for x, _, _ in triples]), tuple([y for _, y, _ in triples]), tuple([z for _, _, z in triples])


# ---- parts of one sequence -----------------------------------------------------------------------


def split_list(args: Sequence, ns: Sequence[int]) -> list[list]:
    """Return lists of some lengths, and one of what is left.

    >>> split_list([1, 2, 3, 4], [2, 1])
    [[1, 2], [3], [4]]
    """
    items, parts = list(args), []
    for n in ns:
        parts.append(items[:n])
        items = items[n:]
    return [*parts, items]


def split_list_checked(args: Sequence, ns: Sequence[int]) -> list[list]:
    """Return lists of some lengths; AssertionError unless they are the whole."""
    assert sum(ns) == len(args)
    return split_list(args, ns)[:-1]


def partition_list(bs: Sequence[bool], l: Sequence) -> tuple[list, list]:
    """Return the items where a mask is false, and those where it is true.

    >>> partition_list([True, False, True], [1, 2, 3])
    ([2], [1, 3])
    """
    assert len(bs) == len(l)
    parts: tuple[list, list] = ([], [])
    for b, x in zip(bs, l):
        parts[bool(b)].append(x)
    return parts


def merge_lists(bs: Sequence[bool], l0: Sequence, l1: Sequence) -> list:
    """Return the items of one list where a mask is false, of the other where it is true.

    >>> merge_lists([True, False, True], [1], [2, 3])
    [2, 1, 3]
    """
    assert sum(map(bool, bs)) == len(l1) and len(bs) == len(l0) + len(l1)
    parts = iter(l0), iter(l1)
    return [next(parts[bool(b)]) for b in bs]


def subvals(lst: Sequence, replace: Iterable[tuple[int, Any]]) -> tuple:
    """Return the items, other ones at some positions."""
    items = list(lst)
    for position, value in replace:
        items[position] = value
    return tuple(items)


def subs_list(subs: Sequence[int | None], src: Sequence, base: Sequence) -> list:
    """Return for each position an item of `src`, or the next one of `base` where there is None."""
    rest = iter(base)
    found = [next(rest) if at is None else src[at] for at in subs]
    assert next(rest, rest) is rest
    return found


def subs_list2(subs1: Sequence, subs2: Sequence, src1: Sequence, src2: Sequence, base: Sequence) -> list:
    """Return for each position an item of the first source, of the second one, or the next one of `base`."""
    assert len(subs1) == len(subs2)
    rest = iter(base)
    found = [src1[i] if i is not None else src2[j] if j is not None else next(rest) for i, j in zip(subs1, subs2)]
    assert next(rest, rest) is rest
    return found


def concatenate(xs: Iterable[Sequence]) -> list:
    """Return the items of all sequences."""
    return list(itertools.chain.from_iterable(xs))


flatten = concatenate


def unflatten(xs: Iterable, ns: Sequence[int]) -> list[list]:
    """Return lists of some lengths, which together are the whole."""
    rest = iter(xs)
    parts = [[next(rest) for _ in range(n)] for n in ns]
    assert next(rest, rest) is rest
    return parts


def stable_unique(it: Iterable) -> KeysView:
    """Return the items, each once, in the order in which they come first."""
    return dict.fromkeys(it).keys()


class OrderedSet:
    """A set whose items are in the order in which they came."""

    def __init__(self, items: Iterable = ()):
        self._items = dict.fromkeys(items)

    def add(self, item: Any) -> None:
        """Add an item."""
        self._items[item] = None

    def update(self, items: Iterable) -> None:
        """Add items."""
        self._items.update(dict.fromkeys(items))

    def __iter__(self) -> Iterator:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: Any) -> bool:
        return item in self._items


# ---- tuples --------------------------------------------------------------------------------------


def tuple_insert(t: tuple, idx: int, val: Any) -> tuple:
    """Return the tuple with one more item, which is at `idx`.

    >>> tuple_insert((1, 2), 1, 9)
    (1, 9, 2)
    """
    assert 0 <= idx <= len(t), (idx, len(t))
    return (*t[:idx], val, *t[idx:])


def tuple_delete(t: tuple, idx: int) -> tuple:
    """Return the tuple without the item at `idx`."""
    assert 0 <= idx < len(t), (idx, len(t))
    return (*t[:idx], *t[idx + 1:])


def tuple_update(t: tuple, idx: int, val: Any) -> tuple:
    """Return the tuple with another item at `idx`."""
    assert 0 <= idx < len(t), (idx, len(t))
    return (*t[:idx], val, *t[idx + 1:])


# ---- axes and numbers ----------------------------------------------------------------------------


def canonicalize_axis(axis: Any, num_dims: int) -> int:
    """Return an axis counted from the first; ValueError if the array does not have it.

    >>> canonicalize_axis(-1, 3)
    2
    """
    return canonical_axis(axis, num_dims)


def canonicalize_axis_tuple(axis: Any, ndim: int, allow_duplicate: bool = False) -> tuple[int, ...]:
    """Return axes counted from the first, all of them for None; ValueError if one is twice."""
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, Sequence) else (axis,)
    axes = tuple([canonicalize_axis(i, ndim) for i in given])
    if len(set(axes)) < len(axes) and not allow_duplicate:
        raise ValueError(f"repeated axis: {axes}")
    return axes


def moveaxis(x: Any, src: Any, dst: Any) -> Any:
    """Return the array with axes at other positions."""
    if src == dst:
        return x
    source = canonicalize_axis_tuple(src, x.ndim)
    target = canonicalize_axis_tuple(dst, x.ndim)
    order = [i for i in range(x.ndim) if i not in source]
    for to, i in sorted(zip(target, source)):
        order.insert(to, i)
    return x.transpose(order)


def maybe_named_axis(axis: Any, if_pos: Callable, if_named: Callable) -> Any:
    """Return what the first function gives for a position, the second one for a name."""
    try:
        position = operator.index(axis)
    except TypeError:
        return if_named(axis)
    return if_pos(position)


def ceil_of_ratio(x: int, y: int) -> int:
    """Return the least integer that is no less than a ratio.

    >>> ceil_of_ratio(7, 2)
    4
    """
    return -(-x // y)


def toposort(end_nodes: Iterable) -> list:
    """Return nodes and those above them, each after its `parents`; none where a cycle leads to all of them.

    Args:
      end_nodes: objects with a list `parents`.
    """
    ends = list({id(node): node for node in end_nodes}.values())
    children: dict[int, int] = {}
    left = list(ends)
    while left:
        node = left.pop()
        children[id(node)] = children.get(id(node), 0) + 1
        if children[id(node)] == 1:
            left.extend(node.parents)
    for node in ends:
        children[id(node)] -= 1
    backwards = []
    ready = [node for node in ends if not children[id(node)]]
    while ready:
        node = ready.pop()
        backwards.append(node)
        for parent in node.parents:
            children[id(parent)] -= 1
            if not children[id(parent)]:
                ready.append(parent)
    return backwards[::-1]


def pprint_bytes(num_bytes: float) -> str:
    """Return a number of bytes as a text: "1.54KB"."""
    value = float(num_bytes)
    for prefix in ("", "K", "M", "G"):
        if abs(value) < 1000:
            return f"{value:.2f}{prefix}B"
        value /= 1000
    return f"{value:.2f}TB"
