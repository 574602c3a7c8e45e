"""Programs of StableHLO as programs here: a module of operations is run on tracers, which writes our equations.

A value of the module is an array (or tracer), or it is *known*: a constant, as NumPy's array, or what was computed
from constants and lengths of axes, whose elements may be expressions of dimensions. What is known is computed at once,
so that shapes that the module computes are shapes here. A function of the module is a call, traced once for each
types of its operands.

Tests: `tests/export/test_export.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ... import lax
from ...array.array import as_array
from ...core.jaxpr import ClosedJaxpr
from ...core.options.config import enable_x64
from ...core.trace import current, stage_closed, state
from ...core.types import ShapedArray, aval_of
from ...core.values.dimension import as_number
from ...transforms.jit.primitive import jit_p
from ..mlir.elements import dtype_of
from ..mlir.ir import ArtifactError, Block, Operation, TensorType, Value

__all__ = [
    "RULES", "Frame", "Program", "UnsupportedOperation", "as_value", "aval_of_type", "dtype_of_type", "dtype_of_value",
    "fold", "known", "rule", "wide",
]

RULES: dict[str, Callable] = {}  # (frame, operation, values of operands) -> values of results
FOLDS: dict[str, Callable] = {}  # the same for operations on values that are all known
_MAX_KNOWN = 1 << 10  # elements of a value that is computed while the program is read
_MAX_CALLS = 1000  # calls within calls


class UnsupportedOperation(NotImplementedError):
    """The artifact has an operation that has no meaning here."""


def rule(*names: str):
    """Register the meaning of operations: `(frame, operation, *values) -> value, or list of values`."""

    def register(fun):
        RULES.update(dict.fromkeys(names, fun))
        return fun

    return register


def fold(*names: str):
    """Register how operations are computed on values that are known: `(operation, *arrays) -> array`."""

    def register(fun):
        FOLDS.update(dict.fromkeys(names, fun))
        return fun

    return register


def known(x: Any) -> bool:
    return isinstance(x, np.ndarray)


def aval_of_type(t: Any) -> ShapedArray:
    """Return the type of an array of the module, all of whose lengths are given."""
    if not isinstance(t, TensorType) or None in t.shape:
        raise ArtifactError(f"The program has a value of type {t} where the lengths of all axes are needed.")
    return ShapedArray(t.shape, dtype_of(t.element))


def dtype_of_type(t: Any) -> Any:
    """Return the dtype of an array of the module."""
    if not isinstance(t, TensorType):
        raise ArtifactError(f"The program has a value of type {t} where an array is needed.")
    return dtype_of(t.element)


class Program:
    """A module, whose functions can be run."""

    def __init__(self, module: Operation):
        self.functions: dict[str, Operation] = {}
        for op in module.body.operations:
            if op.name == "func":
                self.functions[op.attributes["sym_name"]] = op
        self.traced: dict[tuple, tuple[ClosedJaxpr, list]] = {}
        self.depth = 0

    def function(self, name: str) -> Operation:
        if name not in self.functions:
            raise ArtifactError(f"The program calls a function {name!r}, which it does not have.")
        return self.functions[name]

    def run(self, name: str, args: Sequence) -> list:
        """Run a function in place."""
        function = self.function(name)
        if self.depth > _MAX_CALLS:
            raise ArtifactError("The functions of the program call one another without end.")
        self.depth += 1
        try:
            return Frame(self, {}).block(function.body, args)
        finally:
            self.depth -= 1

    def call(self, name: str, args: Sequence) -> list:
        """Call a function: in place where all is known, as a program of its own else."""
        if all(map(known, args)):
            if any([x.dtype == object for x in args]) and name in _OF_LENGTHS:
                return _OF_LENGTHS[name](*args)
            return self.run(name, args)
        fixed = [x if known(x) and _is_small(x) else None for x in args]
        given = [as_value(x) for x, f in zip(args, fixed) if f is None]
        key = (name, tuple([None if f is None else (f.dtype.str, f.shape, tuple(f.flat)) for f in fixed]),
               tuple([aval_of(x) for x in given]))
        found = self.traced.get(key)
        if found is None:
            shape: list = []  # of the results: those that are known, and None

            def fun(*tracers):
                rest = iter(tracers)
                results = self.run(name, [next(rest) if f is None else f for f in fixed])
                shape[:] = [x if known(x) else None for x in results]
                return [x for x in results if not known(x)]

            found = self.traced[key] = stage_closed(fun, [aval_of(x) for x in given]), shape
        closed, shape = found
        params = dict(jaxpr=closed, name=name, inline=False, keep_unused=False,
                      donated_invars=(False,) * len(given))
        outs = iter(jit_p.bind(*given, **params)) if closed.out_avals else iter(())
        return [next(outs) if x is None else x for x in shape]


# Functions by whose names JAX divides lengths, which are expressions here.
_OF_LENGTHS: dict[str, Callable] = {
    "floor_divide": lambda x, y: [np.asarray(x // y)], "remainder": lambda x, y: [np.asarray(x % y)],
    "divmod": lambda x, y: [np.asarray(x // y), np.asarray(x % y)],
}


def _is_small(x: np.ndarray) -> bool:
    return x.size <= _MAX_KNOWN and x.dtype.kind in "iubO"


def as_value(x: Any) -> Any:
    """Something known as an array, in a program."""
    if not known(x):
        return x
    if x.dtype == object:  # lengths that are expressions
        rows = [as_array(as_number(n, np.dtype(np.int32))) for n in x.flat]
        return lax.stack(rows).reshape(x.shape) if x.ndim else rows[0]
    return as_array(np.array(x, order="C"))


# Operations that read lengths, which are no values of the program.
_OF_SHAPES = {
    "dynamic_broadcast_in_dim", "dynamic_reshape", "dynamic_iota", "dynamic_pad", "real_dynamic_slice",
    "dynamic_gather", "dynamic_conv", "custom_call", "call", "composite", "get_dimension_size", "set_dimension_size",
}


class Frame:
    """The values of a function that is being run."""

    __slots__ = ("makers", "program", "values")

    def __init__(self, program: Program, values: dict[Value, Any]):
        self.program, self.values = program, values
        self.makers: dict[Value, Operation] = {}  # which operation a value of this block is the result of

    def block(self, block: Block, args: Sequence) -> list:
        """Return the results of the operations of a block, given its arguments."""
        if len(args) != len(block.arguments):
            raise ArtifactError(f"A function of {len(block.arguments)} values is given {len(args)}.")
        self.values.update(zip(block.arguments, args))
        for op in block.operations:
            if op.name == "return":
                return [self.values[v] for v in op.operands]
            outs = self.operation(op, [self.values[v] for v in op.operands])
            if len(outs) != len(op.results):
                raise ArtifactError(f"The operation {op.name} has {len(op.results)} results, and gives {len(outs)}.")
            self.values.update(zip(op.results, outs))
            self.makers.update(dict.fromkeys(op.results, op))
        raise ArtifactError("A function of the program does not return.")

    def operation(self, op: Operation, operands: list) -> list:
        if operands and all([known(x) and _is_small(x) for x in operands]) and op.name in FOLDS:
            out = FOLDS[op.name](op, *operands)
            if out is not None:
                return [out]
        found = RULES.get(op.name)
        if found is None:
            raise UnsupportedOperation(f"The artifact has an operation {op.name!r}, which has no meaning here.")
        if op.name not in _OF_SHAPES:
            operands = [as_value(x) if known(x) and x.dtype == object else x for x in operands]
        out = found(self, op, *operands)
        return out if isinstance(out, list) else [out]

    def region(self, region: list[Block], args: Sequence) -> list:
        """Run a region, which may read what is around it."""
        if len(region) != 1:
            raise ArtifactError("An operation of the program lacks a region.")
        return [as_value(x) for x in Frame(self.program, dict(self.values)).block(region[0], args)]

    def function(self, region: list[Block]) -> Callable:
        """Return a region as a function of arrays that returns a list."""
        return lambda *args: self.region(region, args)

    def sample(self, region: list[Block], args: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return what a region of element-wise operations gives for values."""
        with current(state.bottom):
            return [np.asarray(x) for x in self.region(region, [as_value(x) for x in args])]


def dtype_of_value(x: Any) -> Any:
    return x.dtype if known(x) else aval_of(x).dtype


@contextmanager
def wide():
    """Numbers keep the dtypes that the module says."""
    with enable_x64(True):
        yield
