"""Functions that are more than one pass over a domain: updates in order, running sums, positions of extrema, sorting.

A `Routine` is a name and what decides its code; equal ones share a function, like kernels. The function of
(arguments) gets the addresses of the operands, which are whole arrays, of the results, and of a workspace. `Code`
is the builder that they are written with: loops and branches are `with` blocks.

Tests: `tests/engines/native/test_examples.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager

import numpy as np

from ....core.process.records import NamedTuple
from ..graph.kernel import Kernel
from ..kernels.parallel import emit_kernel
from ..kernels.vectors import load_scalar, store_scalar
from ..text.builder import I64, Builder, Module, Value, llvm_type, memory_type, register_dtype

__all__ = ["RoutineCall", "Code", "Routine", "emit_routine", "writers", "writes"]


class Routine(NamedTuple):
    """`params` are hashable; `workspace` is in bytes."""

    name: str
    params: tuple
    workspace: int = 0


class RoutineCall(NamedTuple):
    """A routine and the arrays that it is for."""

    kernel: Routine
    inputs: list
    outputs: list
    workspace: int

    def moved(self, inputs: list, outputs: list) -> RoutineCall:
        return self._replace(inputs=inputs, outputs=outputs)


writers: dict[str, Callable] = {}


def writes(name: str):
    """Put a function of (code, addresses, *params) into the table of routines."""

    def put(function):
        writers[name] = function
        return function

    return put


def emit_routine(module: Module, routine: Routine, name: str, arguments: int) -> None:
    """Write `void name(ptr arguments)`."""
    with module.function(f"void {name}(ptr %arguments)") as lines:
        code = Code(module, name, lines)
        addresses = code.arguments(arguments + bool(routine.workspace))
        writers[routine.name](code, addresses, *routine.params)


class Code(Builder):
    """Scalars and structured control flow."""

    __slots__ = ("_kernels", "name")

    def __init__(self, module: Module, name: str, lines: list[str] | None = None):
        super().__init__(module, 1, lines)
        self.name = name
        self._kernels: dict[Kernel, str] = {}

    def wide_builder(self, lanes: int) -> Builder:
        """Vectors, written to the same place."""
        return Builder(self.module, lanes, self.lines)

    # ---- functions -------------------------------------------------------------------------------

    def arguments(self, n: int) -> list[str]:
        """Return the first n addresses that the routine was given."""
        out = []
        for i in range(n):
            place = self.new(f"getelementptr ptr, ptr %arguments, i64 {i}")
            out.append(self.new(f"load ptr, ptr {place.text}, align 8").text)
        return out

    def part(self, stem: str, body: Callable) -> str:
        """Return the name of a function of (arguments, memory that the chunks share, number of the chunk)."""
        name = f"{self.name}.{stem}"
        with self.module.function(f"internal void {name}(ptr %arguments, ptr %shared, i64 %chunk)") as lines:
            body(Code(self.module, name, lines))
        return name

    def parallel(self, part: str, shared: str, chunks: int) -> None:
        """Have a part run for every chunk, by the threads that are free."""
        if chunks == 1:
            self.line(f"call void {part}(ptr %arguments, ptr {shared}, i64 0)")
            return
        self.module.declarations.add("declare void @adjoint_parallel(ptr, ptr, ptr, i64)")
        self.line(f"call void @adjoint_parallel(ptr {part}, ptr %arguments, ptr {shared}, i64 {chunks})")

    # ---- memory ----------------------------------------------------------------------------------

    def at(self, address: str, index, dtype) -> str:
        """Return an element's address; `index` is a register or a number."""
        text = index.text if isinstance(index, Value) else str(index)
        return address if text == "0" else self.new(
            f"getelementptr {memory_type(dtype)}, ptr {address}, i64 {text}"
        ).text

    def load(self, address: str, index, dtype) -> Value:
        return load_scalar(self, self.at(address, index, dtype), dtype)

    def store(self, value: Value, address: str, index, dtype) -> None:
        store_scalar(self, value, self.at(address, index, dtype), dtype)

    def local(self, t: str, count: int = 1) -> str:
        """Return the address of a local variable."""
        name = self.module.fresh("l")
        self.module.allocas.append(f"  {name} = alloca [{count} x {t}], align 64")
        return name

    def variable(self, start: Value | int) -> str:
        """Return a local variable that holds a register, of 64-bit integers from a number; see `get` and `set`."""
        start = start if isinstance(start, Value) else self.integer(start)
        name, t = self.module.fresh("x"), llvm_type(start.dtype)
        self.module.allocas.append(f"  {name} = alloca {t}")
        self.set(name, start)
        return name

    def get(self, variable: str, dtype=I64) -> Value:
        return self.new(f"load {llvm_type(dtype)}, ptr {variable}", register_dtype(dtype))

    def set(self, variable: str, value: Value | int) -> None:
        value = value if isinstance(value, Value) else self.integer(value)
        self.line(f"store {llvm_type(value.dtype)} {value.text}, ptr {variable}")

    def copy(self, target: str, source: str, size: int | Value) -> None:
        """`size` bytes, unless it is the same place."""
        text = size.text if isinstance(size, Value) else str(size)
        self.module.declarations.add("declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)")
        other = self.new(f"icmp ne ptr {target}, {source}", np.dtype("?"))
        with self.when(other):
            self.line(f"call void @llvm.memmove.p0.p0.i64(ptr {target}, ptr {source}, i64 {text}, i1 false)")

    def clear(self, target: str, size: int | Value) -> None:
        text = size.text if isinstance(size, Value) else str(size)
        self.module.declarations.add("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
        self.line(f"call void @llvm.memset.p0.i64(ptr {target}, i8 0, i64 {text}, i1 false)")

    # ---- control flow ----------------------------------------------------------------------------

    @contextmanager
    def loop(self, stop, start=0, step=1):
        """Counts from `start` below `stop`, by `step`, numbers or registers; may have no turn."""
        as_value = lambda x: x if isinstance(x, Value) else self.integer(x)
        stop, first = as_value(stop), as_value(start)
        fresh = self.module.fresh
        place, head, body, done = fresh("i"), fresh("loop"), fresh("turn"), fresh("done")
        self.module.allocas.append(f"  {place} = alloca i64")
        self.set(place, first)
        self.line(f"br label {head}")
        self.label(head)
        i = self.get(place)
        more = self.compare("lt", i, stop)
        self.line(f"br i1 {more.text}, label {body}, label {done}")
        self.label(body)
        yield i
        self.set(place, self.add(i, as_value(step)))
        self.line(f"br label {head}")
        self.label(done)

    @contextmanager
    def repeat(self, condition: Callable):
        """Turns while `condition()`, written at the head, holds."""
        fresh = self.module.fresh
        head, body, done = fresh("while"), fresh("turn"), fresh("done")
        self.line(f"br label {head}")
        self.label(head)
        going = condition()
        self.line(f"br i1 {going.text}, label {body}, label {done}")
        self.label(body)
        yield
        self.line(f"br label {head}")
        self.label(done)

    @contextmanager
    def when(self, condition: Value):
        yes, done = self.module.fresh("when"), self.module.fresh("done")
        self.line(f"br i1 {condition.text}, label {yes}, label {done}")
        self.label(yes)
        yield
        self.line(f"br label {done}")
        self.label(done)

    # ---- kernels ---------------------------------------------------------------------------------

    def call_kernel(self, kernel: Kernel, addresses: list[str]) -> None:
        """Run a kernel of this routine's own."""
        if kernel not in self._kernels:
            self._kernels[kernel] = f"{self.name}.k{len(self._kernels)}"
            emit_kernel(self.module, kernel, self._kernels[kernel])
        block = self.local("ptr", len(addresses))
        for i, address in enumerate(addresses):
            place = self.new(f"getelementptr ptr, ptr {block}, i64 {i}")
            self.line(f"store ptr {address}, ptr {place.text}, align 8")
        self.line(f"call void {self._kernels[kernel]}(ptr {block})")
