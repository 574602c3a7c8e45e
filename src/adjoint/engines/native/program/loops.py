"""Loops and branches as one function each, with everything inside: no Python between turns.

A body is a graph like any other. Arrays of a few elements are scalars in registers, one each, and groups of them
are written in line, element by element; groups over larger arrays are calls of their kernels. A small carry is
local variables, a larger one has two buffers: a turn reads one and writes the other, and they change places.
Rows of a scan's operands and results are addresses that move. A step whose body calls Python somewhere is left
to table.py.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ..graph.fusion import Group
from ..graph.graph import Graph, Node, Step
from ..graph.kernel import Kernel, Op, kernel_of
from ..graph.views import View
from ..kernels.parallel import emit_kernel
from ..kernels.vectors import (
    apply,
    combined,
    gathered,
    lanes_at,
    load_scalar,
    loaded,
    read,
    scattered,
    storable,
    store_scalar,
    write,
)
from ..routines.base import Routine, emit_routine
from ..runtime.arena import ALIGNMENT
from ..runtime.interrupts import EVERY
from ..text.builder import F32, F64, I64, Builder, Module, Value, llvm_type, memory_type, register_dtype
from .bodies import MAX_SMALL_ELEMENTS, bodies, constants_of, operations
from .dynamic import update_in_place, write_update
from .lanes import MAX_LANE_ELEMENTS, MAX_TERMS_IN_LINE, holds_loops, lanes_of

__all__ = ["NativeLoop", "native_loop"]

Place = list[Value | None] | str  # the elements of a small array, in registers, or the address of a larger one
_MAX_CHUNKS = 64  # parts of a loop over lanes, for threads
_MIN_OPERATIONS_TO_POLL = 1 << 22  # operations from which a loop can be interrupted: about a millisecond


# All threads take parts of one loop, and know which of them came from Python.
_DIVIDED = """define void @loop(ptr %arguments) #0 {{
entry:
  %shared = alloca [2 x i64]
  %thread = call i64 @adjoint_thread()
  store i64 %thread, ptr %shared
  %stop = getelementptr i64, ptr %shared, i64 1
  store i64 0, ptr %stop
  call void @adjoint_parallel_until(ptr @part, ptr %arguments, ptr %shared, i64 {chunks}, ptr %stop)
  ret void
}}"""


class NativeLoop:
    """A function of (inputs, outputs, workspace); `kernel` is its text."""

    __slots__ = ("inputs", "kernel", "outputs", "workspace")

    def __init__(self, kernel: str, inputs, outputs, workspace: int):
        self.kernel = kernel
        self.inputs: list[Node] = inputs
        self.outputs: list[Node] = outputs
        self.workspace = workspace

    def moved(self, inputs: list[Node], outputs: list[Node]) -> NativeLoop:
        return NativeLoop(self.kernel, inputs, outputs, self.workspace)


def native_loop(step: Step) -> NativeLoop | None:
    """Return the function of a loop or branch, or None if something in it has no code."""
    if not bodies(step):
        return None
    chunks = _chunks(step)
    made = _written(step, chunks)
    return _written(step, 1) if chunks > 1 and made.workspace else made  # which threads would share


def _chunks(step: Step) -> int:
    """Return into how many parts the elements of a loop that do not meet are divided, for threads."""
    if step.kind != "scan" or step.eqn.params["num_carry"] or not holds_loops(step) or _has_routines(step):
        return 1
    length, lanes = step.eqn.params["length"], lanes_of(step)
    part = -(-length // (_MAX_CHUNKS * lanes)) * lanes
    return -(-length // part)


def _has_routines(step: Step) -> bool:
    units = [u for units in step.units for u in units if type(u) is Step and u.kind != "gather"]
    return any([u.routine is not None or _has_routines(u) for u in units])


def _written(step: Step, chunks: int) -> NativeLoop:
    writer = _Writer()
    inputs: dict[Node, str] = {}
    for node in [v.base for v in step.operands] + constants_of(step):
        if node.kind != "constant" or node.size != 1:
            inputs.setdefault(node, "")
    b = writer.b
    addresses = []
    for i in range(len(inputs) + len(step.results) + 1):
        place = b.new(f"getelementptr ptr, ptr %arguments, i64 {i}")
        addresses.append(b.new(f"load ptr, ptr {place.text}, align 8").text)
    writer.workspace = addresses[-1]
    env: dict[Node, Place] = {}
    for node, address in zip(inputs, addresses):
        env[node] = writer.fetch(address, node)
    targets = dict(zip(step.results, addresses[len(inputs) :]))
    if chunks > 1:
        writer.chunks, writer.is_shared = chunks, True
        writer.step(step, env, targets)
        head = "internal void @part(ptr %arguments, ptr %shared, i64 %chunk)"
        writer.module.declarations.add("declare void @adjoint_parallel_until(ptr, ptr, ptr, i64, ptr)")
        writer.module.declarations.add("declare i64 @adjoint_thread()")
        writer.module.functions.append(_DIVIDED.format(chunks=chunks))
    else:
        head = "void @loop(ptr %arguments)"
        writer.step(step, env, targets)
        for node, address in targets.items():
            writer.put(env[node], address, node)
    text = "\n".join([
        f"define {head} #0 {{", "entry:", *writer.module.allocas, *writer.first, *b.lines,
        "  ret void", *writer.last, "}",
    ])
    writer.module.functions.append(text)
    return NativeLoop(writer.module.text(), list(inputs), list(step.results), writer.used)


class _Writer:
    """Writes the code of bodies; `env` says where the arrays of a body are."""

    def __init__(self):
        self.module = Module()
        self.b = Builder(self.module, 1)
        self.values = self.b  # for what a body computes, which in loops over lanes are vectors
        self.mask: Value | None = None  # the lanes that are at work, if not all are
        self.most = MAX_SMALL_ELEMENTS  # elements of an array in registers
        self.chunks = 1  # into which the next loop is divided
        self.is_shared = False  # by threads
        self.kernels: dict[Kernel, str] = {}
        self.workspace = ""
        self.used = 0
        self.first: list[str] = []  # of the function, before all else
        self.last: list[str] = []
        self.factors: dict[str, list[Value]] = {}  # of products, by their registers
        self.counters = "", ""  # where the operations left and the time of the last look are

    def is_small(self, node: Node) -> bool:
        return node.size <= self.most

    # ---- memory ----------------------------------------------------------------------------------

    def local(self, kind: str) -> str:
        """Return a local variable."""
        name = self.module.fresh("l")
        self.module.allocas.append(f"  {name} = alloca {kind}, align 8")
        return name

    def buffer(self, node: Node) -> str:
        """Return the address of a place in the workspace."""
        return self.space(node.size * node.dtype.itemsize)

    def space(self, size: int) -> str:
        at = self.used
        self.used += -(-size // ALIGNMENT) * ALIGNMENT
        return self.b.new(f"getelementptr i8, ptr {self.workspace}, i64 {at}").text

    def at(self, address: str, index, dtype) -> str:
        """Return an element's address."""
        if index in (0, "0"):
            return address
        return self.b.new(f"getelementptr {memory_type(dtype)}, ptr {address}, i64 {index}").text

    def put(self, place: Place, address: str, node: Node) -> None:
        """Write a value to a buffer, unless it is there."""
        if isinstance(place, list):
            for i, value in enumerate(place):
                if value is None:  # a part that is not written yet
                    continue
                store_scalar(self.b, value, self.at(address, i, node.dtype), node.dtype)
        elif place != address:
            size = node.size * node.dtype.itemsize
            self.module.declarations.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
            self.b.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {address}, ptr {place}, i64 {size}, i1 false)")

    def fetch(self, address: str, node: Node) -> Place:
        """Return what is at an address, in registers if it is small."""
        if not self.is_small(node):
            return address
        return [load_scalar(self.b, self.at(address, i, node.dtype), node.dtype) for i in range(node.size)]

    def scalar(self, view: View, env, at: int = 0) -> Value:
        """Return the element of a view with this number in its order."""
        base, index = view.base, view.offset
        for d, stride in zip(reversed(view.shape), reversed(view.strides)):
            at, i = divmod(at, d)
            index += i * stride
        if base.kind == "constant" and base.size == 1:
            return self.values.const(base.value.reshape(-1)[:1].view(base.dtype)[0], base.dtype)
        if base.kind == "iota":
            return self.values.const(np.arange(base.size).astype(base.dtype)[index], base.dtype)
        place = env[base]
        if isinstance(place, list):
            return place[index]
        return self.spread(load_scalar(self.b, self.at(place, index, base.dtype), base.dtype))

    def spread(self, value: Value) -> Value:
        """Return a number in every lane."""
        return self.values.spread(value)

    def place(self, view: View, env) -> Place:
        """Return where a whole array is."""
        if self.is_small(view.base) or prod(view.shape) <= self.most:
            return [self.scalar(view, env, i) for i in range(prod(view.shape))]
        return env[view.base]

    # ---- bodies ----------------------------------------------------------------------------------

    def body(self, graph: Graph, units, args: list[Place], targets: dict[int, str], outer, kept=()) -> list[Place]:
        """Write a body; results that `targets` gives an address are written there, as are the arrays in `kept`."""
        env: dict[Node, Place] = dict(zip(graph.inputs, args))
        env.update([(n, outer[n]) for n in (*graph.constants, *graph.packed)])
        wanted = {graph.outputs[i].base: address for i, address in targets.items() if graph.outputs[i].is_whole}
        wanted.update(kept)
        for unit in units:
            if type(unit) is Group:
                self.group(unit, env, wanted)
            else:
                self.step(unit, {**outer, **env} if unit.graphs else env, wanted, env)
        return [self.place(v, env) for v in graph.outputs]

    def group(self, group: Group, env, targets) -> None:
        if prod(group.domain) <= MAX_TERMS_IN_LINE and all([self.is_small(n) for n in group.nodes]):
            for node in group.nodes:
                self.node(node, env, targets)
            return
        placed = kernel_of(group)
        arguments, back = [], {}
        for node in placed.inputs:
            arguments.append(self.address(env[node], node))
        for node in placed.outputs:
            if self.is_small(node):
                # Of an array in parts, some may have been written, and this kernel may write several.
                if node not in back:
                    back[node] = self.address(env.get(node, []), node)
                arguments.append(back[node])
            else:
                arguments.append(self.array(node, env, targets))
        self.call(placed.kernel, arguments)
        for node, address in back.items():
            env[node] = self.fetch(address, node)

    def node(self, node: Node, env, targets) -> None:
        """A small array, element by element."""
        b = self.values
        if node.kind == "reduce":
            (view,) = node.operands
            kept = [i for i in range(len(view.shape)) if i not in node.axes]
            rows = view.transpose([*kept, *node.axes])
            n = prod([view.shape[a] for a in node.axes])
            out = []
            for i in range(node.size):
                values = [self.scalar(rows, env, i * n + k) for k in range(n)]
                out.append(b.rounded(combined(b, node.op, values), node.dtype))
            env[node] = out
            return
        if node.op == "take":
            out = self.taken(node, env)
        else:
            op = Op(node.op, node.params, node.dtype, (), 0, None)
            out = [self.applied(op, [self.scalar(v, env, i) for v in node.operands]) for i in range(node.size)]
        if node.kind != "part":
            env[node] = out
            return
        whole = node.into.base
        if self.is_small(whole):
            array: Place = env.setdefault(whole, [None] * whole.size)
        else:
            array = self.array(whole, env, targets)
        for i, value in enumerate(out):
            at = i
            index = node.into.offset
            for d, stride in zip(reversed(node.into.shape), reversed(node.into.strides)):
                at, k = divmod(at, d)
                index += k * stride
            if isinstance(array, list):
                array[index] = value
            else:
                store_scalar(b, value, self.at(array, index, node.dtype), node.dtype)

    def applied(self, op: Op, args: list[Value]) -> Value:
        """Return an operation on scalars; a sum with a product is rounded once, as XLA's is: turns wait for each other
        here.
        """
        if op.dtype in (F32, F64):
            if op.name == "mul":
                found = apply(self.values, op, args)
                self.factors[found.text] = args
                return found
            if op.name in ("add", "sub") and (i := next((i for i in (0, 1) if args[i].text in self.factors), -1)) >= 0:
                x, y = self.factors[args[i].text]
                other = args[1 - i]
                if op.name == "sub":
                    x, other = (x, -other) if i == 0 else (-x, other)
                return self.values.intrinsic("fmuladd", x, y, other)
        return apply(self.values, op, args)

    def taken(self, node: Node, env) -> list[Value]:
        """Return elements of an array at computed places."""
        (source, place), b, out = node.operands, self.values, []
        held = env[source.base]
        if b.lanes > 1 and isinstance(held, list):
            return [self._chosen(held, source, i, self.scalar(place, env, i)) for i in range(node.size)]
        array = self.address(held, source)
        for i in range(node.size):
            at, index = i, source.offset
            for d, stride in zip(reversed(source.shape), reversed(source.strides)):
                at, k = divmod(at, d)
                index += k * stride
            far = self.scalar(place, env, i)
            start = self.at(array, index, node.dtype)
            at = b.new(f"getelementptr {memory_type(node.dtype)}, ptr {start}, {b.type(far.dtype)} {far.text}").text
            if b.lanes == 1:
                out.append(load_scalar(b, at, node.dtype))
            else:
                mask = None if self.mask is None else self.mask.text
                out.append(loaded(b, gathered(b, at, node.dtype, mask), node.dtype))
        return out

    def _chosen(self, elements: list, source: View, at: int, far: Value) -> Value:
        """Return the element of an array in registers that is so far from the one with this number in a view."""
        index = source.offset
        for d, stride in zip(reversed(source.shape), reversed(source.strides)):
            at, k = divmod(at, d)
            index += k * stride
        found = elements[index]
        for i, value in enumerate(elements):
            if i != index:
                found = self.values.select(far.equals(i - index), value, found)
        return found

    def address(self, place: Place, node: Node | View) -> str:
        """Return the address of an array; a small one is put into memory for that."""
        if isinstance(place, str):
            return place
        size, node = max(len(place), node.size), node.base if isinstance(node, View) else node
        address = self.local(f"[{size} x {memory_type(node.dtype)}]")
        self.put(place, address, node)
        return address

    def array(self, node: Node, env, targets) -> str:
        """Return the buffer that a node is written to."""
        if node not in env:
            env[node] = targets[node] if node in targets else self.buffer(node)
        return env[node]

    def call(self, kernel: Kernel | Routine, arguments: list[str]) -> None:
        if kernel not in self.kernels:
            name = self.kernels[kernel] = f"@k{len(self.kernels)}"
            if isinstance(kernel, Routine):
                emit_routine(self.module, kernel, name, len(arguments) - bool(kernel.workspace))
            else:
                emit_kernel(self.module, kernel, name)
        block = self.local(f"[{len(arguments)} x ptr]")
        for i, address in enumerate(arguments):
            place = self.b.new(f"getelementptr ptr, ptr {block}, i64 {i}")
            self.b.line(f"store ptr {address}, ptr {place.text}, align 8")
        self.b.line(f"call void {self.kernels[kernel]}(ptr {block})")

    def look(self, taken: int) -> None:
        """See now and then, after so many operations, whether Python wants this to end."""
        b = self.b
        if not self.first:
            fuel, time = self.local("i64"), self.local("i64")
            self.first += [f"  store i64 {EVERY}, ptr {fuel}", f"  store i64 0, ptr {time}"]
            self.last += ["interrupted:", "  ret void"]
            poll = "adjoint_poll_among(ptr, ptr)" if self.is_shared else "adjoint_poll(ptr)"
            self.module.declarations.add(f"declare i32 @{poll}")
            self.counters = fuel, time
        fuel, time = self.counters
        left = b.new(f"load i64, ptr {fuel}", I64) - min(taken, EVERY)
        b.line(f"store i64 {left.text}, ptr {fuel}")
        empty, look, on = left < 0, self.label("look"), self.label("on")
        b.line(f"br i1 {empty.text}, label {look}, label {on}")
        b.label(look)
        b.line(f"store i64 {EVERY}, ptr {fuel}")
        poll = f"adjoint_poll_among(ptr {time}, ptr %shared)" if self.is_shared else f"adjoint_poll(ptr {time})"
        raised = b.new(f"call i32 @{poll}")
        stops = b.new(f"icmp ne i32 {raised.text}, 0")
        b.line(f"br i1 {stops.text}, label %interrupted, label {on}")
        b.label(on)

    # ---- steps -----------------------------------------------------------------------------------

    def step(self, step: Step, env, targets, into=None) -> None:
        """Write a step; `into` gets the places of its results (default: `env`)."""
        into = env if into is None else into
        if step.kind == "gather":  # its parts have been written
            return
        if step.is_update:
            into[step.results[0]] = write_update(self, step, env, targets)
            return
        if step.routine is not None:
            self.routine(step, env, targets, into)
            return
        args = [self.place(v, env) for v in step.operands]
        write = {"while": self.while_, "scan": self.scan, "cond": self.cond}[step.kind]
        outs = write(step, args, env, targets)
        into.update(zip(step.results, outs))

    def routine(self, step: Step, env, targets, into) -> None:
        arguments = [self.address(self.place(v, env), v) for v in step.operands]
        outs = [targets.get(node) or self.buffer(node) for node in step.results]
        scratch = [self.space(step.routine.workspace)] if step.routine.workspace else []
        self.call(step.routine, [*arguments, *outs, *scratch])
        into.update([(n, self.fetch(address, n)) for n, address in zip(step.results, outs)])

    def label(self, stem: str) -> str:
        return self.module.fresh(stem)

    def _carried(self, nodes, places, result_nodes, targets):
        """Local variables for a carry: of a scalar its value, of an array its address and that of the other."""
        variables = []
        for node, place, result in zip(nodes, places, result_nodes):
            t = self.values.type(node.dtype)
            if self.is_small(node):
                names = [self.local(t) for _ in range(node.size)]
                for name, value in zip(names, place):
                    self.b.line(f"store {t} {value.text}, ptr {name}")
                variables.append((names, None))
                continue
            first, second = targets.get(result) or self.buffer(node), self.buffer(node)
            self.put(place, first, node)
            current, other = self.local("ptr"), self.local("ptr")
            self.b.line(f"store ptr {first}, ptr {current}")
            self.b.line(f"store ptr {second}, ptr {other}")
            variables.append((current, other))
        return variables

    def _with_packed(self, graph: Graph, args: list[Place], env) -> dict[Node, Place]:
        """Return `env`, and in it the copies of constants, which are made here."""
        places = dict(zip(graph.inputs, args))
        made: dict[Node, Place] = {}
        for node, view in graph.packed.items():
            copy = Node("elementwise", node.shape, node.dtype, 0, "copy", (view,))
            group = Group(0, node.shape)
            group.add(copy)
            group.outputs = [copy]
            self.group(group, places, {})
            made[node] = places[copy]
        return {**env, **made}

    def _read(self, node: Node, variables) -> Place:
        current, other = variables
        if other is None:
            t = self.values.type(node.dtype)
            return [self.values.new(f"load {t}, ptr {name}", register_dtype(node.dtype)) for name in current]
        return self.b.new(f"load ptr, ptr {current}").text

    def _turn(self, graph, units, args, first: int, carry, variables, outer, targets=None) -> list[Place]:
        """Return a body whose inputs from `first` on are a carry: results are put into the variables."""
        targets = dict(targets or {})
        kept = update_in_place(graph, units, first, len(carry))
        others = {}
        for i, (_, other) in enumerate(variables):
            if other is not None:
                others[i] = self.b.new(f"load ptr, ptr {other}").text
                targets[i] = args[first + i] if i in kept else others[i]
        places = {node: args[first + i] for i, chain in kept.items() if i in others for node in chain}
        outs = self.body(graph, units, args, targets, outer, places)
        moved = []
        for i, ((variable, other), out) in enumerate(zip(variables, outs)):
            node = graph.inputs[first + i]
            if other is None:
                if self.mask is not None:  # lanes that are done keep what they have
                    out = [self.values.select(self.mask, x, old) for x, old in zip(out, args[first + i])]
                t = self.values.type(node.dtype)
                moved += [f"store {t} {value.text}, ptr {name}" for name, value in zip(variable, out)]
            elif out != args[first + i]:  # else it has not changed
                self.put(out, others[i], node)
                moved += [f"store ptr {others[i]}, ptr {variable}", f"store ptr {args[first + i]}, ptr {other}"]
        for line in moved:
            self.b.line(line)
        return outs

    def while_(self, step, args, env, targets):
        params, b = step.eqn.params, self.b
        n, m = params["cond_nconsts"], params["body_nconsts"]
        test, body = step.graphs
        carry = body.inputs[m:]
        env = self._with_packed(body, args[n : n + m], env)
        variables = self._carried(carry, args[n + m :], step.results, targets)
        head, inside, done = self.label("head"), self.label("turn"), self.label("done")
        b.line(f"br label {head}")
        b.label(head)
        now = [self._read(c, v) for c, v in zip(carry, variables)]
        ((going,),) = self.body(test, step.units[0], [*args[:n], *now], {}, env)
        outer, going = self.mask, self.at_work(going)
        b.line(f"br i1 {self.values.any(going).text}, label {inside}, label {done}")
        b.label(inside)
        if self.values.lanes > 1:
            self.mask = going
        self._turn(body, step.units[1], [*args[n : n + m], *now], m, carry, variables, env)
        self.mask = outer
        self.look(operations(step.units[0]) + operations(step.units[1]))
        b.line(f"br label {head}")
        b.label(done)
        return [self._read(c, v) for c, v in zip(carry, variables)]

    def at_work(self, flags: Value) -> Value:
        """Return which lanes are at work and have a flag."""
        return flags if self.mask is None else self.mask & flags

    def bounds(self, length: int, granule: int = 1) -> tuple[Value, Value]:
        """Return the turns of a loop: all, or those of a chunk, a multiple of so many."""
        b, chunks, self.chunks = self.b, self.chunks, 1
        if chunks == 1:
            return b.integer(0), b.integer(length)
        part = -(-length // (chunks * granule)) * granule
        begin = b.value("%chunk") * part
        return begin, b.minimum(begin + part, length)

    def over_lanes(self, step, args, env, targets, lanes: int):
        """Return a `scan` without a carry, for so many elements at a time."""
        n, length, b = step.eqn.params["num_consts"], step.eqn.params["length"], self.b
        (body,), (units,) = step.graphs, step.units
        stacks = [targets.get(y) or self.buffer(y) for y in step.results]
        rows = [self.address(xs, Node("rows", (length, node.size), node.dtype, 0))
                for node, xs in zip(body.inputs[n:], args[n:])]
        self.values, self.most = Builder(self.module, lanes, b.lines), MAX_LANE_ELEMENTS
        spread = lambda place: [self.spread(x) for x in place] if isinstance(place, list) else place
        fixed, env = [spread(place) for place in args[:n]], {node: spread(place) for node, place in env.items()}
        counter, head, done = self.local("i64"), self.label("head"), self.label("done")
        (begin, end), inside = self.bounds(length, lanes), self.label("lanes")
        b.line(f"store i64 {begin.text}, ptr {counter}")
        b.line(f"br label {head}")
        b.label(head)
        first = b.new(f"load i64, ptr {counter}", I64)
        more = first < end
        b.line(f"br i1 {more.text}, label {inside}, label {done}")
        b.label(inside)
        if length % lanes:
            numbers = ", ".join([f"i64 {k}" for k in range(lanes)])
            each = self.values.spread(first) + self.values.value(f"<{numbers}>")
            self.mask = each < length
        mask = None if self.mask is None else self.mask.text
        given: list[Place] = []
        for node, address in zip(body.inputs[n:], rows):
            start = self.row(address, first, node)
            given.append([self._lanes_from(start, k, node, mask) for k in range(node.size)])
        outs = self.body(body, units, [*fixed, *given], {}, env)
        for place, view, address in zip(outs, body.outputs, stacks):
            node = Node("row", view.shape, view.base.dtype, 0)
            start = self.row(address, first, node)
            for k, value in enumerate(place):
                self._lanes_to(value, start, k, node, mask)
        after = first + lanes
        b.line(f"store i64 {after.text}, ptr {counter}")
        self.look(operations(units) * lanes)
        b.line(f"br label {head}")
        b.label(done)
        self.values, self.mask, self.most = b, None, MAX_SMALL_ELEMENTS
        return [self.fetch(y, node) for node, y in zip(step.results, stacks)]

    def _lanes_from(self, start: str, k: int, node: Node, mask: str | None) -> Value:
        """Return the elements with this number in the rows of all lanes."""
        wide, dtype = self.values, node.dtype
        if node.size == 1:
            return loaded(wide, read(wide, start, dtype, mask), dtype)
        places = lanes_at(wide, self.at(start, k, dtype), dtype, node.size)
        return loaded(wide, gathered(wide, places, dtype, mask), dtype)

    def _lanes_to(self, value: Value, start: str, k: int, node: Node, mask: str | None) -> None:
        wide, dtype = self.values, node.dtype
        value = storable(wide, value, dtype)
        if node.size == 1:
            write(wide, value, start, dtype, mask)
        else:
            scattered(wide, value, lanes_at(wide, self.at(start, k, dtype), dtype, node.size), dtype, mask)

    def scan(self, step, args, env, targets):
        lanes = lanes_of(step) if self.values.lanes == 1 else 1
        if lanes > 1:
            return self.over_lanes(step, args, env, targets, lanes)
        params, b = step.eqn.params, self.b
        n, m, length = params["num_consts"], params["num_carry"], params["length"]
        (body,) = step.graphs
        carry, rows = body.inputs[n : n + m], body.inputs[n + m :]
        env = self._with_packed(body, args[:n], env)
        variables = self._carried(carry, args[n : n + m], step.results, targets)
        is_wide = self.values.lanes > 1  # then all lanes are in the same turn, and rows are vectors in memory
        stacks = [self._stack(y) if is_wide else targets.get(y) or self.buffer(y) for y in step.results[m:]]
        sources = [self._stack(node, xs) if is_wide else xs for node, xs in zip(rows, args[n + m :])]
        counter = self.local("i64")
        head, done = self.label("head"), self.label("done")
        begin, end = self.bounds(length)
        b.line(f"store i64 {begin.text}, ptr {counter}")
        b.line(f"br label {head}")
        b.label(head)
        turn = b.new(f"load i64, ptr {counter}", I64)
        i = length - 1 - turn if params["reverse"] else turn
        now = [self._read(c, v) for c, v in zip(carry, variables)]
        given: list[Place] = []
        for node, xs in zip(rows, sources):
            if is_wide:
                given.append(self._wide_row(xs, i, node.size, node.dtype))
                continue
            if isinstance(xs, list):  # a few rows of few elements
                whole = Node("rows", (len(xs),), node.dtype, 0)
                xs = self.address(xs, whole)
            given.append(self.fetch(self.row(xs, i, node), node))
        outs = [v.base for v in body.outputs]
        places = {m + k: self.row(y, i, outs[m + k], body.outputs[m + k]) for k, y in enumerate(stacks) if not is_wide}
        made = self._turn(body, step.units[0], [*args[:n], *now, *given], n, carry, variables, env, places)
        for k, address in places.items():
            view = body.outputs[k]
            self.put(made[k], address, Node("row", view.shape, view.base.dtype, 0))
        for y, node, row in zip(stacks, step.results[m:], made[m:] if is_wide else ()):
            self._wide_row(y, i, len(row), node.dtype, row)
        after = turn + 1
        b.line(f"store i64 {after.text}, ptr {counter}")
        turn_takes = operations(step.units[0])
        if length * turn_takes > _MIN_OPERATIONS_TO_POLL:
            self.look(turn_takes)
        more = after < end
        b.line(f"br i1 {more.text}, label {head}, label {done}")
        b.label(done)
        results = [self._read(c, v) for c, v in zip(carry, variables)]
        if is_wide:
            stacked = zip(step.results[m:], stacks)
            return results + [self._wide_row(y, b.integer(0), node.size, node.dtype) for node, y in stacked]
        return results + [self.fetch(address, node) for node, address in zip(step.results[m:], stacks)]

    def _stack(self, node: Node, rows: list | None = None) -> str:
        """Return the address of a stack of rows of vectors, which are these, or as many as a node has."""
        address = self.local(f"[{node.size if rows is None else len(rows)} x {self.values.type(node.dtype)}]")
        if rows is not None:
            self._wide_row(address, self.b.integer(0), len(rows), node.dtype, rows)
        return address

    def _wide_row(self, address: str, i: Value, size: int, dtype, row: list | None = None) -> list:
        """Return a row of vectors in a stack, or write one."""
        t, start, found = self.values.type(dtype), (i * size if size != 1 else i).text, []
        first = self.b.new(f"getelementptr {t}, ptr {address}, i64 {start}").text
        for k in range(size):
            place = self.b.new(f"getelementptr {t}, ptr {first}, i64 {k}").text
            if row is None:
                found.append(self.values.new(f"load {t}, ptr {place}, align 1", register_dtype(dtype)))
            else:
                self.b.line(f"store {t} {row[k].text}, ptr {place}, align 1")
        return found

    def row(self, address: str, i: Value, node: Node, view: View | None = None) -> str:
        size = prod(view.shape) if view is not None else node.size
        index = i * size if size != 1 else i
        return self.at(address, index.text, node.dtype)

    def cond_of_lanes(self, step, args, env) -> list[Place]:
        """Return a branch that a lane takes is run; its results are those of the lanes that take it."""
        b, wide, branches = self.b, self.values, step.graphs
        (index,), args = args[0], args[1:]
        if index.dtype.kind == "b":
            index = wide.convert(index, np.dtype("i4"))
        index = wide.minimum(wide.maximum(index, 0), len(branches) - 1)
        names = [[self.local(wide.type(node.dtype)) for _ in range(node.size)] for node in step.results]
        outer = self.mask
        for i, (graph, units) in enumerate(zip(branches, step.units)):
            taken = index.equals(i)
            self.mask = taken if outer is None else outer & taken
            inside, after = self.label("branch"), self.label("after")
            b.line(f"br i1 {wide.any(self.mask).text}, label {inside}, label {after}")
            b.label(inside)
            outs = self.body(graph, units, args, {}, env)
            for node, out, places in zip(step.results, outs, names):
                t = wide.type(node.dtype)
                for value, place in zip(out, places):
                    if i:
                        before = wide.new(f"load {t}, ptr {place}", register_dtype(node.dtype))
                        value = wide.select(self.mask, value, before)
                    b.line(f"store {t} {value.text}, ptr {place}")
            b.line(f"br label {after}")
            b.label(after)
            self.mask = outer
        return [
            [wide.new(f"load {wide.type(node.dtype)}, ptr {place}", register_dtype(node.dtype)) for place in places]
            for node, places in zip(step.results, names)
        ]

    def cond(self, step, args, env, targets):
        if self.values.lanes > 1:
            return self.cond_of_lanes(step, args, env)
        b, branches = self.b, step.graphs
        (index,), args = args[0], args[1:]
        places = []
        for node in step.results:
            if self.is_small(node):
                places.append(self.local(f"[{node.size} x {memory_type(node.dtype)}]"))
            else:
                places.append(targets.get(node) or self.buffer(node))
        done, labels = self.label("done"), [self.label("branch") for _ in branches]
        if index.dtype.kind == "b":
            b.line(f"br i1 {index.text}, label {labels[-1]}, label {labels[0]}")
        else:
            last = b.like(index, len(branches) - 1)
            index = b.minimum(b.maximum(index, 0), last)
            t = llvm_type(index.dtype)
            cases = " ".join([f"{t} {i}, label {name}" for i, name in enumerate(labels)])
            b.line(f"switch {t} {index.text}, label {labels[-1]} [ {cases} ]")
        for graph, units, name in zip(branches, step.units, labels):
            b.label(name)
            wanted = {i: p for i, (p, n) in enumerate(zip(places, step.results)) if not self.is_small(n)}
            outs = self.body(graph, units, args, wanted, env)
            for node, out, place in zip(step.results, outs, places):
                self.put(out, place, node)
            b.line(f"br label {done}")
        b.label(done)
        return [self.fetch(p, n) for n, p in zip(step.results, places)]
