"""A group as the structure of a kernel: what decides its code, and nothing else.

Groups with equal structures share one kernel, however often a layer occurs in a program. Neighbouring axes that
every access walks through alike are one loop; accesses are (offset, stride for each loop), in elements.

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

from ....core.process.records import NamedTuple
from ..kernels.sums import in_arena
from .fusion import Group, wide_axes
from .graph import Node
from .views import Source, View, contiguous

__all__ = ["Access", "Kernel", "Op", "Placed", "kernel_of"]


PLACED = ("load", "iota", "at")  # operands with an Access


class Access(NamedTuple):
    """The places of an operand's elements in its buffer."""

    offset: int
    strides: tuple[int, ...]


class Op(NamedTuple):
    """A value. Operands: ("op", i), ("load", input, Access), ("iota", dtype, Access), ("const", dtype, bytes).

    The first one of a `take` is ("at", input, Access), and the second how far from there the element stands.
    """

    name: str
    params: tuple
    dtype: object
    operands: tuple
    depth: int  # the number of loops that it varies over
    reduced: frozenset | None  # for reductions, the loops that they run over


class Kernel(NamedTuple):
    """`inner` of the loops are those of a row; `outputs` are (op, Access).

    `arrays`: for each output the number of its array, if some of them are parts of one.
    """

    domain: tuple[int, ...]
    inner: int
    ops: tuple[Op, ...]
    inputs: tuple  # dtypes
    outputs: tuple[tuple[int, Access], ...]
    arrays: tuple[int, ...] = ()


class Placed(NamedTuple):
    """A kernel and the arrays that it is for, in the order of its arguments.

    After the outputs comes the memory that large sums need meanwhile.
    """

    kernel: Kernel
    inputs: list[Node]
    outputs: list[Node]  # for a part, the array that it is a part of

    def moved(self, inputs: list[Node], outputs: list[Node]) -> Placed:
        return Placed(self.kernel, inputs, outputs)


def kernel_of(group: Group) -> Placed:
    """Return the structure of a group's kernel."""
    nodes, rank = group.nodes, len(group.domain)
    index = {n: i for i, n in enumerate(nodes)}
    inputs: dict[Node, int] = {}
    ops, outputs, written = [], [], []
    for node in nodes:
        operands = tuple([_operand(v, index, inputs, rank) for v in node.operands])
        ops.append(Op(node.op, node.params, node.dtype, operands, group.depth[node], group.reduced.get(node)))
        if node.kind == "part" or node in group.outputs:
            outputs.append((index[node], _written(node, group)))
            written.append(node.into.base if node.kind == "part" else node)
    rows = any([rank - 1 in axes for axes in group.reduced.values()])
    inner = group.inner() or 0 if rows else 0
    kernel = _collapsed(Kernel(
        group.domain, inner, tuple(ops), tuple([n.dtype for n in inputs]), tuple(outputs), _arrays(written)
    ))
    sums = [group.nodes[i] for i in in_arena(kernel)]
    space = [Node("result", (2 * n.size,), n.dtype, n.order) for n in sums]
    return Placed(kernel, list(inputs), [*written, *space])


def _arrays(written: list[Node]) -> tuple[int, ...]:
    """Return which outputs are parts of the same array."""
    order = list(dict.fromkeys(written))
    return tuple(map(order.index, written)) if len(order) < len(written) else ()


def _operand(view: View, index, inputs, rank) -> tuple:
    base = view.base
    if base in index:
        return "op", index[base]
    if base.kind == "constant" and base.size == 1:
        return "const", base.dtype, base.value.tobytes()
    strides = [s for _, s in wide_axes(view)]
    access = Access(view.offset, tuple(strides + [0] * (rank - len(strides))))
    if base.kind == "iota":
        return "iota", base.dtype, access
    return "at" if type(view) is Source else "load", inputs.setdefault(base, len(inputs)), access


def _written(node: Node, group: Group) -> Access:
    rank = len(group.domain)
    if node.kind == "part":
        strides = [s for _, s in wide_axes(node.into)]
        return Access(node.into.offset, tuple(strides + [0] * (rank - len(strides))))
    own = [s for d, s in zip(node.shape, contiguous(node.shape)) if d != 1]
    if node not in group.reduced:
        return Access(0, tuple(own + [0] * (rank - len(own))))
    left = iter(own)
    return Access(0, tuple([0 if a in group.reduced[node] else next(left) for a in range(rank)]))


def _collapsed(kernel: Kernel) -> Kernel:
    """Return the kernel with axis a and the next one as one, where nothing tells them apart."""
    rank = len(kernel.domain)
    accesses = [a.strides for _, a in kernel.outputs]
    accesses += [x[2].strides for op in kernel.ops for x in op.operands if x[0] in PLACED]
    borders = {rank - kernel.inner if kernel.inner else rank, *[op.depth for op in kernel.ops if op.reduced is None]}
    kept = []  # axes that stay loops: the last one of each run
    for a in range(rank):
        one = a + 1 < rank and a + 1 not in borders
        one = one and all([s[a] == s[a + 1] * kernel.domain[a + 1] for s in accesses])
        one = one and all([(a in op.reduced) == (a + 1 in op.reduced) for op in kernel.ops if op.reduced is not None])
        if not one:
            kept.append(a)
    if len(kept) == rank:
        return kernel
    new = {a: min([i for i, k in enumerate(kept) if k >= a]) for a in range(rank)}
    domain = [1] * len(kept)
    for a, d in enumerate(kernel.domain):
        domain[new[a]] *= d
    shift = lambda a: Access(a.offset, tuple([a.strides[k] for k in kept]))
    depth = lambda d: 0 if d == 0 else new[d - 1] + 1
    ops = [
        op._replace(
            operands=tuple([(*x[:2], shift(x[2])) if x[0] in PLACED else x for x in op.operands]),
            depth=depth(op.depth) if op.reduced is None else op.depth,
            reduced=None if op.reduced is None else frozenset([new[a] for a in op.reduced]),
        )
        for op in kernel.ops
    ]
    inner = len([k for k in kept if k >= rank - kernel.inner])
    return Kernel(
        tuple(domain), inner, tuple(ops), kernel.inputs, tuple([(i, shift(a)) for i, a in kernel.outputs]),
        kernel.arrays,
    )
