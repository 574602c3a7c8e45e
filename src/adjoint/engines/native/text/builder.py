"""Writing LLVM's text: values with dtypes, and the operations that `emit` rules are made of.

A `Builder` writes lines for one number of lanes: with one lane values are scalars, otherwise vectors, and a
rule does not notice. bool is i1 in registers and a byte in memory; float16 and bfloat16 are float32 in
registers and are rounded after every operation (`rounded`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn, TypeAlias

import numpy as np

from ....core import dtypes
from ..runtime.machine import has_feature

__all__ = ["Builder", "Module", "Value", "SUPPORTED", "llvm_type", "memory_type"]

SUPPORTED = frozenset(
    map(np.dtype, ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "f2"))
) | {dtypes.bfloat16}
NARROW = frozenset((np.dtype("f2"), dtypes.bfloat16))
BOOL, HALF, F32, F64, I32, I64, U32 = map(np.dtype, ("?", "f2", "f4", "f8", "i4", "i8", "u4"))
CONVERTS_HALVES = has_feature("f16c") or has_feature("neon")  # elsewhere LLVM calls functions of its own runtime
_COMPARE = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}


def register_dtype(dtype) -> np.dtype:
    """Return the dtype in which a register holds values of `dtype`."""
    return F32 if dtype in NARROW else dtype


def llvm_type(dtype) -> str:
    """Return the scalar type of a register."""
    dtype = register_dtype(dtype)
    if dtype == BOOL:
        return "i1"
    return {4: "float", 8: "double"}[dtype.itemsize] if dtype.kind == "f" else f"i{8 * dtype.itemsize}"


def memory_type(dtype) -> str:
    """Return the scalar type in memory."""
    if dtype == BOOL:
        return "i8"
    if dtype in NARROW:
        return "half" if dtype.kind == "f" else "i16"
    return llvm_type(dtype)


class Value:
    """A register or a literal: its text, its dtype in registers, and the builder that writes its operations.

    `x * y + 3` and `x < y` append instructions to the builder of the left operand, or to the right one's if the left
    one has none; a number becomes a literal of the other operand's dtype. Values are keys of tables, so `==` compares
    the objects; `equals` and `differs` write instructions.
    """

    __slots__ = ("builder", "dtype", "number", "text")
    __array_ufunc__ = None  # a scalar of NumPy on the left leaves the operation to the value

    def __init__(self, text: str, dtype, builder: Builder | None = None, number: float | None = None):
        self.text = text
        self.number = number  # of a literal float
        self.dtype = dtype
        self.builder = builder

    def __bool__(self):
        raise TypeError(f"whether {self.text} holds is not known before the code runs")

    def _with(self, other: Operand) -> tuple[Builder, Value]:
        """Return the builder that writes an operation of both, and the other one as a value."""
        b = self.builder
        if isinstance(other, Value):
            return b or other.builder or _without_builder(self), other
        b = b or _without_builder(self)
        return b, b.const(other, self.dtype)

    def __add__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.add(self, y)

    def __radd__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.add(y, self)

    def __sub__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.sub(self, y)

    def __rsub__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.sub(y, self)

    def __mul__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.mul(self, y)

    def __rmul__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.mul(y, self)

    def __truediv__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.fdiv(self, y)

    def __rtruediv__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.fdiv(y, self)

    def __and__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.binary("and", self, y)

    def __or__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.binary("or", self, y)

    def __xor__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.binary("xor", self, y)

    def __lshift__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.binary("shl", self, y)

    def __rshift__(self, other: Operand) -> Value:
        """Signed integers keep their sign, as in C; `binary("lshr", ...)` shifts zeros into them."""
        b, y = self._with(other)
        return b.binary("ashr" if self.dtype.kind == "i" else "lshr", self, y)

    def __neg__(self) -> Value:
        return (self.builder or _without_builder(self)).neg(self)

    def __abs__(self) -> Value:
        return (self.builder or _without_builder(self)).fabs(self)

    def __invert__(self) -> Value:
        b, y = self._with(-1)
        return b.binary("xor", self, y)

    def __lt__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.compare("lt", self, y)

    def __le__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.compare("le", self, y)

    def __gt__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.compare("gt", self, y)

    def __ge__(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.compare("ge", self, y)

    def equals(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.compare("eq", self, y)

    def differs(self, other: Operand) -> Value:
        b, y = self._with(other)
        return b.compare("ne", self, y)


Operand: TypeAlias = Value | float | np.number  # of an operator


def _without_builder(x: Value) -> NoReturn:
    raise TypeError(f"the literal {x.text} has no builder that could write its operation: use the builder's method")


class Module:
    """The state that the functions of one module share: declarations, and numbers for names."""

    def __init__(self):
        self.declarations: set[str] = set()
        self.functions: list[str] = []
        self.allocas: list[str] = []  # of the function that is being written; they stand at its entry
        self.count = 0
        self._lane_functions: set[str] = set()
        self.written: set[str] = set()  # functions that several routines share

    def fresh(self, stem: str = "v") -> str:
        self.count += 1
        return f"%{stem}{self.count}"

    @contextmanager
    def function(self, head: str, is_void: bool = True) -> Iterator[list[str]]:
        """Write a function: the block appends lines to the list, and its local variables stand at the entry.

        One that returns a value ends with a line that does. A function may be written while another one is.
        """
        lines: list[str] = []
        outer, self.allocas = self.allocas, []
        yield lines
        text = [f"define {head} #0 {{", "entry:", *self.allocas, *lines, *["  ret void"] * is_void, "}"]
        self.functions.append("\n".join(text))
        self.allocas = outer

    def lane_function(self, symbol: str, lanes: int, dtype, arity: int) -> str:
        """Return the name of a function that calls another one for each lane: vectors go through memory."""
        name = f"lanes.{symbol}.v{lanes}{llvm_type(dtype)}"
        if name in self._lane_functions:
            return name
        self._lane_functions.add(name)
        t, wide = llvm_type(dtype), f"<{lanes} x {llvm_type(dtype)}>"
        given = [f"%x{i}" for i in range(arity)]
        types = ", ".join([f"{wide} {x}" for x in given])
        with self.function(f"internal {wide} @{name}({types})", is_void=False) as lines:
            b = Builder(self, 1, lines)
            for x in given:
                b.line(f"%m{x[1:]} = alloca {wide}")
                b.line(f"store {wide} {x}, ptr %m{x[1:]}")
            b.lines += ["  br label %loop", "loop:", "  %i = phi i64 [0, %entry], [%j, %loop]"]
            lane = []
            for x in given:
                place = b.new(f"getelementptr {t}, ptr %m{x[1:]}, i64 %i")
                lane.append(b.new(f"load {t}, ptr {place.text}", dtype))
            out = b.each_lane(symbol, *lane)
            place = b.new(f"getelementptr {t}, ptr %mx0, i64 %i")
            b.line(f"store {t} {out.text}, ptr {place.text}")
            b.lines += [
                "  %j = add i64 %i, 1", f"  %more = icmp ult i64 %j, {lanes}",
                "  br i1 %more, label %loop, label %done", "done:",
                f"  %out = load {wide}, ptr %mx0", f"  ret {wide} %out",
            ]
        return name

    def text(self) -> str:
        return "\n".join([*self.functions, *sorted(self.declarations), ""])


class Builder:
    """Appends lines to `lines`; `lanes` values at a time."""

    __slots__ = ("lanes", "lines", "module")

    def __init__(self, module: Module, lanes: int, lines: list[str] | None = None):
        self.module = module
        self.lanes = lanes
        self.lines = [] if lines is None else lines

    # ---- text ------------------------------------------------------------------------------------

    def wide(self, scalar: str) -> str:
        """Return the type of a register with this type of element."""
        return f"<{self.lanes} x {scalar}>" if self.lanes > 1 else scalar

    def type(self, dtype) -> str:
        return self.wide(llvm_type(dtype))

    def line(self, text: str) -> None:
        self.lines.append("  " + text)

    def label(self, name: str) -> None:
        self.lines.append(f"{name[1:]}:")

    def new(self, text: str, dtype=None) -> Value:
        """Return a new register."""
        name = self.module.fresh()
        self.lines.append(f"  {name} = {text}")
        return Value(name, dtype, self)

    def value(self, text: str, dtype=I64) -> Value:
        """Return a register or a literal by its text, whose operations are written here."""
        return Value(text, dtype, self)

    def adopt(self, x: Value) -> Value:
        """Return `x`, whose operations are written here from now on."""
        return x if x.builder is self else Value(x.text, x.dtype, self, x.number)

    def call(self, name: str, dtype, *args: Value, flags: str = "") -> Value:
        """Return a function of operands of this width; one of another module is declared."""
        t, types = self.type(dtype), [self.type(a.dtype) for a in args]
        if not name.startswith("lanes."):
            self.module.declarations.add(f"declare {t} @{name}({', '.join(types)})")
        given = ", ".join([f"{k} {a.text}" for k, a in zip(types, args)])
        return self.new(f"call {flags}{t} @{name}({given})", dtype)

    def intrinsic(self, name: str, *args: Value) -> Value:
        """Return an LLVM intrinsic whose operands and result have one type."""
        return self.call(f"llvm.{name}.{self.mangled(args[0].dtype)}", args[0].dtype, *args)

    def call_shared(self, symbol: str, arguments: str) -> None:
        """Call a function of the runtime (runtime/compile_tiers.py) at the address that its cell holds."""
        self.module.declarations.add(f"@{symbol}.cell = external global ptr")
        self.line(f"call void {self.new(f'load ptr, ptr @{symbol}.cell').text}({arguments})")

    def mangled(self, dtype) -> str:
        """Return how names of intrinsics write a type."""
        t = llvm_type(dtype).replace("float", "f32").replace("double", "f64")
        return f"v{self.lanes}{t}" if self.lanes > 1 else t

    # ---- constants -------------------------------------------------------------------------------

    def const(self, value, dtype) -> Value:
        dtype = register_dtype(dtype)
        number = None
        if dtype.kind == "f":
            number = float(np.asarray(value, dtype))
            text = f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"
        elif dtype == BOOL:
            text = "true" if value else "false"
        else:
            text = str(int(value))
        return Value(f"splat ({llvm_type(dtype)} {text})" if self.lanes > 1 else text, dtype, self, number)

    def integer(self, value, dtype=I64) -> Value:
        return self.const(value, dtype)

    def like(self, x: Value, value) -> Value:
        return self.const(value, x.dtype)

    def _alike(self, x: Operand, y: Operand) -> tuple[Value, Value]:
        """Return two operands as values; one of them may be a number."""
        if not isinstance(x, Value):
            assert isinstance(y, Value)
            return self.const(x, y.dtype), y
        return x, y if isinstance(y, Value) else self.const(y, x.dtype)

    def spread(self, value: Value) -> Value:
        """Return a scalar in every lane."""
        if self.lanes == 1:
            return value
        t = self.type(value.dtype)
        first = self.new(f"insertelement {t} poison, {llvm_type(value.dtype)} {value.text}, i32 0")
        zeros = f"<{self.lanes} x i32> zeroinitializer"
        return self.new(f"shufflevector {t} {first.text}, {t} poison, {zeros}", value.dtype)

    def any(self, flags: Value) -> Value:
        """Return whether one of the lanes is true, as a scalar."""
        if self.lanes == 1:
            return flags
        one = Builder(self.module, 1, self.lines)
        name = f"llvm.vector.reduce.or.v{self.lanes}i1"
        self.module.declarations.add(f"declare i1 @{name}({self.wide('i1')})")
        return one.new(f"call i1 @{name}({self.wide('i1')} {flags.text})", BOOL)

    # ---- arithmetic ------------------------------------------------------------------------------

    def binary(self, op: str, x: Value, y: Value) -> Value:
        """Return an instruction by its name."""
        return self.new(f"{op} {self.type(x.dtype)} {x.text}, {y.text}", x.dtype)

    def _by_kind(self, floating: str, integer: str, boolean: str, x, y):
        kind = x.dtype.kind
        return self.binary(floating if kind == "f" else boolean if kind == "b" else integer, x, y)

    def add(self, x, y):
        return self._by_kind("fadd", "add", "or", x, y)

    def sub(self, x, y):
        return self._by_kind("fsub", "sub", "xor", x, y)

    def mul(self, x, y):
        return self._by_kind("fmul", "mul", "and", x, y)

    def fdiv(self, x, y):
        return self.binary("fdiv", x, y)

    def fma(self, x: Value, y: Operand, z: Operand) -> Value:
        return self.intrinsic("fma", x, self._alike(x, y)[1], self._alike(x, z)[1])

    def neg(self, x):
        if x.dtype.kind == "f":
            return self.new(f"fneg {self.type(x.dtype)} {x.text}", x.dtype)
        return self.sub(self.like(x, 0), x)

    def fabs(self, x):
        return self.intrinsic("fabs", x)

    def copysign(self, x: Operand, sign: Operand) -> Value:
        return self.intrinsic("copysign", *self._alike(x, sign))

    def polynomial(self, x: Value, coefficients) -> Value:
        """sum of coefficients[i] x^i, by Horner's rule."""
        out = self.like(x, coefficients[-1])
        for c in coefficients[-2::-1]:
            out = self.fma(out, x, c)
        return out

    # ---- choices ---------------------------------------------------------------------------------

    def compare(self, op: str, x: Value, y: Value) -> Value:
        """`op` is eq, ne, lt, le, gt or ge, or one of LLVM's for floats (`uno`, `ult`, ...)."""
        t = self.type(x.dtype)
        if x.dtype.kind == "f":
            return self.new(f"fcmp {_COMPARE.get(op, op)} {t} {x.text}, {y.text}", BOOL)
        sign = "" if op in ("eq", "ne") else "s" if x.dtype.kind == "i" else "u"
        return self.new(f"icmp {sign}{op} {t} {x.text}, {y.text}", BOOL)

    def is_nan(self, x):
        return self.compare("uno", x, x)

    def select(self, which: Value, yes: Operand, no: Operand) -> Value:
        yes, no = self._alike(yes, no)
        t = self.type(yes.dtype)
        return self.new(f"select {self.wide('i1')} {which.text}, {t} {yes.text}, {t} {no.text}", yes.dtype)

    def minimum(self, x: Operand, y: Operand) -> Value:
        return self._extreme("min", "lt", *self._alike(x, y))

    def maximum(self, x: Operand, y: Operand) -> Value:
        return self._extreme("max", "gt", *self._alike(x, y))

    def _extreme(self, name, before, x, y):
        """NaN if one is; the second operand at a tie of zeros."""
        kind = x.dtype.kind
        if kind == "b":
            return self.binary("or" if name == "max" else "and", x, y)
        if kind != "f":
            return self.intrinsic(("s" if kind == "i" else "u") + name, x, y)
        out = self.select(self.compare(before, x, y), x, y)
        # A choice between a result and what it replaces in memory would be a masked store, which is slow on some
        # processors, if LLVM saw that.
        same = self.new(f"freeze {self.type(x.dtype)} {x.text}", x.dtype)
        return self.select(self.is_nan(x), same, out)

    # ---- conversions -----------------------------------------------------------------------------

    def cast(self, op: str, x: Value, dtype) -> Value:
        """Return a conversion instruction by its name."""
        return self.new(f"{op} {self.type(x.dtype)} {x.text} to {self.type(dtype)}", register_dtype(dtype))

    def bitcast(self, x, dtype):
        return x if llvm_type(x.dtype) == llvm_type(dtype) and x.dtype == dtype else self.cast("bitcast", x, dtype)

    def to_integer(self, x: Value, dtype) -> Value:
        """Return a float to an integer, towards zero; what is too large saturates and NaN becomes 0."""
        if self.lanes == 1:
            op = "fptosi" if dtype.kind == "i" else "fptoui"
            return self.call(f"llvm.{op}.sat.{self.mangled(dtype)}.{self.mangled(x.dtype)}", dtype, x)
        # LLVM takes the lanes of such vectors one by one.
        limits = np.iinfo(dtype)
        most = np.asarray(limits.max, x.dtype)
        if int(most) > limits.max:
            most = np.nextafter(most, x.dtype.type(0))
        if limits.min:
            x = self.select(self.is_nan(x), 0, x)
        x = self.select(x > limits.min, x, limits.min)  # 0 for NaN of an unsigned one
        inside = self.select(x < most, x, most)
        if dtype.itemsize < 4:
            return self.cast("trunc", self.cast("fptosi", inside, I32), dtype)
        out = self.cast("fptosi" if limits.min else "fptoui", inside, dtype)
        return out if int(most) == limits.max else self.select(x > most, limits.max, out)

    def convert(self, x: Value, dtype) -> Value:
        """Return `x` in the registers of `dtype`; small floats are still to be rounded."""
        old, new = x.dtype, register_dtype(dtype)
        if old == new:
            return x
        if new == BOOL:
            return self.compare("ne", x, self.like(x, 0))
        if old.kind == "f":
            if new.kind == "f":
                if old == F64 and dtype == HALF:
                    return self._to_odd(x)
                return self.cast("fpext" if new.itemsize > old.itemsize else "fptrunc", x, new)
            return self.to_integer(x, new)
        if new.kind == "f":
            return self.cast("sitofp" if old.kind == "i" else "uitofp", x, new)
        if old != BOOL and new.itemsize == old.itemsize:
            return Value(x.text, new, self)
        if old != BOOL and new.itemsize < old.itemsize:
            return self.cast("trunc", x, new)
        return self.cast("sext" if old.kind == "i" else "zext", x, new)

    def _to_odd(self, x: Value) -> Value:
        """float64 as float32, inexact ones with the last bit set: what is rounded further is not rounded twice.

        Boldo and Melquiond, "When double rounding is odd" (2005).
        """
        near = self.cast("fptrunc", x, F32)
        back = self.cast("fpext", near, F64)
        bits = self.bitcast(near, I32)
        odd = self.select(self.fabs(back) > self.fabs(x), bits - 1, bits) | 1
        return self.bitcast(self.select(self.compare("one", back, x), odd, bits), F32)

    def rounded(self, x: Value, dtype) -> Value:
        """float32 registers rounded to the values that `dtype` has."""
        if dtype not in NARROW:
            return x
        if dtype.kind == "f":
            return self.half_to_float(self.float_to_half(x))
        bits = self.bitcast(x, np.dtype("u4"))
        return self.bitcast(self.round_bfloat(bits, x) & 0xFFFF0000, F32)

    def round_bfloat(self, bits: Value, x: Value) -> Value:
        """float32 bits with the upper half rounded to even; NaN stays NaN."""
        up = bits + (((bits >> 16) & 1) + 0x7FFF)
        return self.select(self.is_nan(x), bits | 0x400000, up)

    def float_to_half(self, x: Value) -> Value:
        if CONVERTS_HALVES:
            return self.new(f"fptrunc {self.wide('float')} {x.text} to {self.wide('half')}", F32)
        bits, size = self.bitcast(x, U32), self.bitcast(self.fabs(x), U32)
        odd = (size >> 13) & 1
        near = (size + (odd + (0xFFF - (112 << 23)))) >> 13
        # The last bits of |x| + 1/2 are those of a subnormal number.
        small = self.bitcast(self.fabs(x) + 0.5, U32) - (126 << 23)
        out = self.select(size < 113 << 23, small, near)
        out = self.select(size < 143 << 23, out, 0x7C00)
        payload = (size >> 13) & 0x3FF
        out = self.select(self.is_nan(x), payload | 0x7E00, out)
        out = out | ((bits >> 16) & 0x8000)
        word = self.cast("trunc", out, np.dtype("u2"))
        return self.new(f"bitcast {self.wide('i16')} {word.text} to {self.wide('half')}", F32)

    def half_to_float(self, x: Value) -> Value:
        if CONVERTS_HALVES:
            return self.new(f"fpext {self.wide('half')} {x.text} to {self.wide('float')}", F32)
        word = self.new(f"bitcast {self.wide('half')} {x.text} to {self.wide('i16')}", np.dtype("u2"))
        bits = self.cast("zext", word, U32)
        size = (bits & 0x7FFF) << 13
        infinity = self.like(bits, 0x7C00 << 13)
        finite = self.bitcast(self.bitcast(size, F32) * 2.0**112, U32)
        most = self.like(bits, 0x7F800000)
        most = self.select(size > infinity, 0x7FC00000, most)  # NaN is quiet
        out = self.select(size < infinity, finite, size | most)
        return self.bitcast(out | ((bits & 0x8000) << 16), F32)

    # ---- scalars, element by element -------------------------------------------------------------

    def each_lane(self, symbol: str, *args: Value) -> Value:
        """Return a function of the C library on float64, of each lane."""
        dtype = args[0].dtype
        if self.lanes > 1:
            return self.call(self.module.lane_function(symbol, self.lanes, dtype, len(args)), dtype, *args)
        wide = [self.convert(x, F64) for x in args]
        return self.convert(self.call(symbol, F64, *wide), dtype)

    def where_rare(self, rare: Value, usual, slow) -> Value:
        """Return `usual()`, or for all lanes `slow()` if `rare` holds in one: the other is not computed."""
        anywhere = self.any(rare)
        start = usual()
        place, t = self.module.fresh("p"), self.type(start.dtype)
        self.module.allocas.append(f"  {place} = alloca {t}")
        self.line(f"store {t} {start.text}, ptr {place}")
        yes, done = self.module.fresh("rare"), self.module.fresh("done")
        self.line(f"br i1 {anywhere.text}, label {yes}, label {done}")
        self.label(yes)
        self.line(f"store {t} {slow().text}, ptr {place}")
        self.line(f"br label {done}")
        self.label(done)
        return self.new(f"load {t}, ptr {place}", start.dtype)
