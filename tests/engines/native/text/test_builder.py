"""Values of native code: their operators write the instructions that the builder's methods do."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint.engines.native.text.builder import BOOL, F32, I32, I64, U32, Builder, Module, Value


def lines(write, *dtypes, lanes=1) -> list[str]:
    """Return what `write(builder, %x, %y, ...)` appends; results are called %v1, %v2, ..."""
    b = Builder(Module(), lanes)
    write(b, *[b.value(f"%{name}", dtype) for name, dtype in zip("xyz", dtypes)])
    return [line.strip() for line in b.lines]


@pytest.mark.parametrize(("dtype", "write", "expected"), [
    (I64, lambda b, x, y: x * y + 3, ["%v1 = mul i64 %x, %y", "%v2 = add i64 %v1, 3"]),
    (F32, lambda b, x, y: x / y - x, ["%v1 = fdiv float %x, %y", "%v2 = fsub float %v1, %x"]),
    (I32, lambda b, x, y: -x, ["%v1 = sub i32 0, %x"]),
    (F32, lambda b, x, y: -x, ["%v1 = fneg float %x"]),
    (I32, lambda b, x, y: (x & y) | (x ^ 1), ["%v1 = and i32 %x, %y", "%v2 = xor i32 %x, 1", "%v3 = or i32 %v1, %v2"]),
    (I32, lambda b, x, y: ~x, ["%v1 = xor i32 %x, -1"]),
    (BOOL, lambda b, x, y: ~x, ["%v1 = xor i1 %x, true"]),
    (BOOL, lambda b, x, y: x + y, ["%v1 = or i1 %x, %y"]),
    (I32, lambda b, x, y: (x << 2) >> y, ["%v1 = shl i32 %x, 2", "%v2 = ashr i32 %v1, %y"]),
    (U32, lambda b, x, y: x >> 1, ["%v1 = lshr i32 %x, 1"]),
    (I32, lambda b, x, y: [x < y, x >= 0], ["%v1 = icmp slt i32 %x, %y", "%v2 = icmp sge i32 %x, 0"]),
    (U32, lambda b, x, y: [x > y, x <= 7], ["%v1 = icmp ugt i32 %x, %y", "%v2 = icmp ule i32 %x, 7"]),
    (F32, lambda b, x, y: x < y, ["%v1 = fcmp olt float %x, %y"]),
    (F32, lambda b, x, y: [x.equals(y), x.differs(y)], ["%v1 = fcmp oeq float %x, %y", "%v2 = fcmp une float %x, %y"]),
    (F32, lambda b, x, y: abs(x), ["%v1 = call float @llvm.fabs.f32(float %x)"]),
])
def test_an_operator_writes_one_instruction_of_the_operands_kind(dtype, write, expected):
    assert lines(write, dtype, dtype) == expected


def test_a_number_on_the_left_is_the_left_operand():
    assert lines(lambda b, x: [1 + x, 2 - x, 3 * x], I64) == [
        "%v1 = add i64 1, %x", "%v2 = sub i64 2, %x", "%v3 = mul i64 3, %x",
    ]
    assert lines(lambda b, x: 1 / x, F32) == ["%v1 = fdiv float 0x3FF0000000000000, %x"]


@pytest.mark.parametrize("number", [np.float64(0.5), np.float32(0.5), 0.5])
def test_a_scalar_of_numpy_is_a_number_on_either_side(number):
    half = "0x3FE0000000000000"
    assert lines(lambda b, x: [x * number, number * x], F32) == [
        f"%v1 = fmul float %x, {half}", f"%v2 = fmul float {half}, %x",
    ]


def test_a_number_is_in_every_lane():
    assert lines(lambda b, x: x + 1, I32, lanes=4) == ["%v1 = add <4 x i32> %x, splat (i32 1)"]


def test_operations_of_a_literal_are_written_where_the_other_operand_is():
    assert lines(lambda b, x: Value("0", I64) - x, I64) == ["%v1 = sub i64 0, %x"]


def test_a_literal_alone_has_no_place_for_its_operations():
    with pytest.raises(TypeError, match="the literal 7 has no builder"):
        Value("7", I64) + 1


def test_an_adopted_value_writes_where_it_was_adopted():
    module = Module()
    outer, inner = Builder(module, 1), Builder(module, 1)
    x = outer.value("%x", I64)
    assert outer.adopt(x) is x
    inner.adopt(x) + 1
    assert (outer.lines, inner.lines) == ([], ["  %v1 = add i64 %x, 1"])


def test_a_value_has_no_truth_before_the_code_runs():
    x = Builder(Module(), 1).value("%x", I64)
    with pytest.raises(TypeError, match="whether %v1 holds is not known before the code runs"):
        bool(x < 1)
    assert x == x and x != Builder(Module(), 1).value("%x", I64)  # as keys of tables


def test_a_function_may_be_written_while_another_one_is_and_has_its_own_variables():
    module = Module()
    with module.function("void @outer()") as lines:
        Builder(module, 1, lines).line("call void @inner()")
        module.allocas.append("  %x = alloca i64")
        with module.function("internal i64 @inner()", is_void=False) as inner:
            module.allocas.append("  %y = alloca i64")
            Builder(module, 1, inner).line("ret i64 0")
    assert module.functions == [
        "define internal i64 @inner() #0 {\nentry:\n  %y = alloca i64\n  ret i64 0\n}",
        "define void @outer() #0 {\nentry:\n  %x = alloca i64\n  call void @inner()\n  ret void\n}",
    ]
