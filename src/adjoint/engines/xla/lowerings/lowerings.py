"""The `lower` rules: how each primitive is written in StableHLO."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....core import dtypes
from ....core.primitive import Primitive
from ....core.types import ShapedArray
from ....core.values.dimension import as_length
from ....prims.tokens import abstract_token
from ...batched_while import scalar_condition
from ..rules import lower
from ..stablehlo import FUNCTION_INDENT, Value, Writer, is_ordered, physical

# ---- element-wise: a row gives the primitive and the operation ---------------------------------------

_SAME = dict(
    row.split()
    for row in """
    neg negate|add add|sub subtract|mul multiply|div divide|rem remainder|
    pow power|sqrt sqrt|rsqrt rsqrt|cbrt cbrt|floor floor|ceil ceil|exp exponential|
    expm1 exponential_minus_one|log log|log1p log_plus_one|logistic logistic|sin sine|cos cosine|
    tanh tanh|atan2 atan2|and and|or or|xor xor|not not|shift_left shift_left|add_any add|
    shift_right_logical shift_right_logical|shift_right_arithmetic shift_right_arithmetic|
    population_count popcnt|clz count_leading_zeros""".replace("\n", "").split("|")
)
_CHLO = """acos acosh asin asinh atan atanh cosh sinh tan erf erfc erf_inv digamma
bessel_i1e""".split()
_COMPARE = {name: name.upper() for name in ("eq", "ne", "lt", "le", "gt", "ge")}


def _stretched(w: Writer, eqn, operands, dtype=None) -> list[Value]:
    """Return the operands of one shape and dtype, where they may differ in that."""
    dtype = dtype or operands[0].aval.dtype
    outs = [w.stretched(x, eqn) for x in operands]
    return [x if x.aval.dtype == dtype else w.op("stablehlo.convert", [x], x.aval.update(dtype=dtype)) for x in outs]


def _same(op):
    def rule(w, eqn, operands):
        out = eqn.outvars[0].aval
        return w.op(f"stablehlo.{op}", _stretched(w, eqn, operands, out.dtype), out, pretty=True)

    return rule


def _chlo(op):
    def rule(w, eqn, operands):
        return w.chlo(op, operands, eqn.outvars[0].aval)

    return rule


def _compare(direction):
    def rule(w, eqn, operands):
        return w.compare(direction, *_stretched(w, eqn, operands))

    return rule


for _name, _op in _SAME.items():
    lower(_name)(_same(_op))
for _name in _CHLO:
    lower(_name)(_chlo(_name))
for _name, _op in _COMPARE.items():
    lower(_name)(_compare(_op))


_EXTREMES = {"max": ("maximum", "GT"), "min": ("minimum", "LT")}


def _extreme(w: Writer, name: str, x: Value, y: Value, out: ShapedArray) -> Value:
    """Return the larger or smaller of two; complex numbers go by their real parts, then by their imaginary ones."""
    op, direction = _EXTREMES[name]
    if not dtypes.issubdtype(out.dtype, np.complexfloating):
        return w.op(f"stablehlo.{op}", [x, y], out, pretty=True)
    flag = out.update(dtype=dtypes.bool_)
    part = out.update(dtype=dtypes.float64 if out.dtype == dtypes.complex128 else dtypes.float32)
    both = lambda name, a, b: w.op(f"stablehlo.{name}", [a, b], flag, pretty=True)
    (xr, yr), (xi, yi) = [[w.op(f"stablehlo.{name}", [v], part) for v in (x, y)] for name in ("real", "imag")]
    first = both("or", w.compare(direction, xr, yr), both("and", w.compare("EQ", xr, yr),
                                                         w.compare(direction, xi, yi)))
    return w.select(first, x, y)


@lower(*_EXTREMES)
def _(w, eqn, operands):
    return _extreme(w, eqn.primitive.name, *_stretched(w, eqn, operands), eqn.outvars[0].aval)


@lower("abs")
def _(w, eqn, operands):
    return w.op("stablehlo.abs", operands, eqn.outvars[0].aval)


@lower("sign")
def _(w, eqn, operands):
    aval = eqn.outvars[0].aval
    if not dtypes.issubdtype(aval.dtype, np.unsignedinteger):
        return w.op("stablehlo.sign", operands, aval, pretty=True)
    return w.op("stablehlo.minimum", [operands[0], w.splat(1, aval)], aval, pretty=True)


@lower("square")
def _(w, eqn, operands):
    return w.op("stablehlo.multiply", operands * 2, eqn.outvars[0].aval, pretty=True)


@lower("integer_pow")
def _(w, eqn, operands):
    (x,), y = operands, eqn.params["y"]
    aval = eqn.outvars[0].aval
    one = lambda: w.splat(1, aval)
    result, base, n = None, x, abs(y)
    while n:
        if n & 1:
            result = base if result is None else w.op("stablehlo.multiply", [result, base], aval, pretty=True)
        n >>= 1
        base = w.op("stablehlo.multiply", [base, base], aval, pretty=True) if n else base
    result = result or one()
    return w.op("stablehlo.divide", [one(), result], aval, pretty=True) if y < 0 else result


@lower("exp2")
def _(w, eqn, operands):
    aval = eqn.outvars[0].aval
    product = w.op("stablehlo.multiply", [operands[0], w.splat(np.log(2), aval)], aval, pretty=True)
    return w.op("stablehlo.exponential", [product], aval, pretty=True)


@lower("round")
def _(w, eqn, operands):
    even = int(eqn.params["rounding_method"]) == 1
    op = "round_nearest_even" if even else "round_nearest_afz"
    return w.op(f"stablehlo.{op}", operands, eqn.outvars[0].aval, pretty=True)


@lower("is_finite")
def _(w, eqn, operands):
    return w.op("stablehlo.is_finite", operands, eqn.outvars[0].aval)


@lower("select_n")
def _(w, eqn, operands):
    which, *cases = operands
    return selected(w, which, [w.stretched(c, eqn) for c in cases])


def selected(w, which, cases):
    """Return the case that `which` numbers, element by element."""
    if which.aval.dtype == dtypes.bool_:
        return w.select(which, cases[-1], cases[0])
    return _select_many(w, which, cases)


def _select_many(w, which, cases):
    result = cases[-1]
    for i in reversed(range(len(cases) - 1)):
        result = w.select(w.compare("LE", which, w.splat(i, which.aval)), cases[i], result)
    return result


@lower("fft")
def _(w, eqn, operands):
    attributes = f", type = {eqn.params['fft_type'].name}, length = {list(eqn.params['fft_lengths'])}"
    return w.op("stablehlo.fft", operands, eqn.outvars[0].aval, attributes)


@lower("clamp")
def _(w, eqn, operands):
    return w.op("stablehlo.clamp", operands, eqn.outvars[0].aval)


def _converted(w, eqn, operands):
    (x,), out = operands, eqn.outvars[0].aval
    return x if x.aval.dtype == out.dtype else w.op("stablehlo.convert", [x], out)


lower("convert_element_type")(_converted)


@lower("bitcast_convert_type")
def _(w, eqn, operands):
    return w.op("stablehlo.bitcast_convert", operands, eqn.outvars[0].aval)


for _name in ("real", "imag"):
    lower(_name)(
        lambda w, eqn, xs, op=_name: w.op(f"stablehlo.{op}", xs, eqn.outvars[0].aval)
    )


@lower("complex")
def _(w, eqn, operands):
    return w.op("stablehlo.complex", _stretched(w, eqn, operands), eqn.outvars[0].aval, pretty=True)


@lower("dim_as_value")
def _(w, eqn, operands):
    return w.number(eqn.params["dim"], eqn.outvars[0].aval)


for _name in ("copy", "stop_gradient", "name"):
    lower(_name)(lambda w, eqn, operands: operands[0])

# ---- shapes ---------------------------------------------------------------------------------------


@lower("broadcast_in_dim")
def _(w, eqn, operands):
    dims = list(eqn.params["broadcast_dimensions"])
    return w.op("stablehlo.broadcast_in_dim", operands, eqn.outvars[0].aval, f", dims = {dims}")


def _reshaped(w, eqn, operands):
    (x,), order = operands, eqn.params.get("dimensions")
    if eqn.primitive.name == "reshape" and order is not None:
        moved = x.aval.update(shape=tuple([x.aval.shape[d] for d in order]))
        x = w.op("stablehlo.transpose", [x], moved, f", dims = {list(order)}")
    return w.op("stablehlo.reshape", [x], eqn.outvars[0].aval)


lower("reshape")(_reshaped)
lower("squeeze")(_reshaped)


@lower("transpose")
def _(w, eqn, operands):
    return w.op("stablehlo.transpose", operands, eqn.outvars[0].aval, f", dims = {list(eqn.params['permutation'])}")


@lower("rev")
def _(w, eqn, operands):
    return w.op("stablehlo.reverse", operands, eqn.outvars[0].aval, f", dims = {list(eqn.params['dimensions'])}",
                pretty=True)


def _joined(w, operands, axis, out):
    return w.op("stablehlo.concatenate", operands, out, f", dim = {axis}")


@lower("concatenate")
def _(w, eqn, operands):
    return _joined(w, operands, eqn.params["dimension"], eqn.outvars[0].aval)


@lower("stack")
def _(w, eqn, operands):
    axis, out = eqn.params["axis"], eqn.outvars[0].aval
    one = out.update(shape=(*out.shape[:axis], 1, *out.shape[axis + 1 :]))
    return _joined(w, [w.op("stablehlo.reshape", [x], one) for x in operands], axis, out)


@lower("split")
def _(w, eqn, operands):
    (x,), axis = operands, eqn.params["axis"]
    out, start = [], 0
    for v in eqn.outvars:
        n = v.aval.shape[axis]
        ranges = [(0, m, 1) for m in x.aval.shape]
        ranges[axis] = (start, start + n, 1)
        out.append(_sliced(w, x, ranges, v.aval))
        start += n
    return out


def _sliced(w, x, ranges, out):
    text = ", ".join(f"{a}:{b}" if s == 1 else f"{a}:{b}:{s}" for a, b, s in ranges)
    value = w.fresh(out)
    w.line(f"{value.name} = stablehlo.slice {x.name} [{text}] : ({x.type}) -> {value.type}")
    return value


@lower("slice")
def _(w, eqn, operands):
    p = eqn.params
    strides = p["strides"] or (1,) * len(p["start_indices"])
    return _sliced(w, operands[0], list(zip(p["start_indices"], p["limit_indices"], strides)), eqn.outvars[0].aval)


@lower("pad")
def _(w, eqn, operands):
    low, high, interior = (list(map(as_length, x)) for x in zip(*eqn.params["padding_config"])) if eqn.params[
        "padding_config"] else ([], [], [])
    attributes = f", low = {low}, high = {high}, interior = {interior}"
    return w.op("stablehlo.pad", operands, eqn.outvars[0].aval, attributes)


@lower("iota")
def _(w, eqn, operands):
    value = w.fresh(eqn.outvars[0].aval)
    w.line(f"{value.name} = stablehlo.iota dim = {eqn.params['dimension']} : {value.type}")
    return value


@lower("dynamic_slice")
def _(w, eqn, operands):
    sizes = list(eqn.params["slice_sizes"])
    return w.op("stablehlo.dynamic_slice", operands, eqn.outvars[0].aval, f", sizes = {sizes}")


@lower("dynamic_update_slice")
def _(w, eqn, operands):
    return w.op("stablehlo.dynamic_update_slice", operands, eqn.outvars[0].aval)


# ---- reductions, products ------------------------------------------------------------------


def combined(w: Writer, p: Primitive, x: Value, y: Value) -> Value:
    """Put two elements together by an operation of two."""
    if p.name in _EXTREMES:
        return _extreme(w, p.name, x, y, x.aval)
    return w.op(f"stablehlo.{_SAME[p.name]}", [x, y], x.aval, pretty=True)


def integers(values) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def with_regions(
    w: Writer, op: str, operands: Sequence[Value], attributes: str, regions: list[tuple], outs
) -> list[Value]:
    """Return an operation with regions, each a (function of its arguments -> results, types of arguments)."""
    label = w.label()
    results = [Value(f"{label}#{i}" if len(outs) > 1 else label, a) for i, a in enumerate(outs)]
    count = f":{len(outs)}" if len(outs) > 1 else ""
    names = ", ".join(x.name for x in operands)
    w.line(f'{label}{count} = "stablehlo.{op}"({names}) <{{{attributes}}}> ({{')
    for i, (body, avals) in enumerate(regions):
        if i:
            w.line("}, {")
        args = [Value(w.label("arg"), a) for a in avals]
        w.line("^bb0(" + ", ".join(f"{a.name}: {a.type}" for a in args) + "):")
        w.indent += 2
        w.returned(body(args))
        w.indent -= 2
    types = ", ".join(x.type for x in operands)
    found = ", ".join(x.type for x in results)
    w.line(f"}}) : ({types}) -> {found if len(outs) == 1 else f'({found})'}")
    return results


def scalar(aval) -> ShapedArray:
    return ShapedArray((), aval.dtype)


def neutral(p: Primitive, dtype):
    """Return the neutral element of an operation of two elements."""
    value = p.neutral_rule(dtype)
    if not value:
        return np.zeros((), dtype)  # float8_e8m0fnu has no zero, but one of bits
    out = np.array(value, dtype)
    if np.isinf(value) and not np.isinf(out):  # where there is no infinity it would be NaN
        return np.array((dtypes.finfo(dtype).min if value < 0 else dtypes.finfo(dtype).max), dtype)
    return out


def reduced(w: Writer, p: Primitive, x: Value, out: ShapedArray, axes) -> Value:
    """Put together all elements along some axes by an operation of two."""
    init = w.constant(neutral(p, out.dtype), scalar(out))
    if p.name in _EXTREMES and dtypes.issubdtype(out.dtype, np.complexfloating):
        region = (lambda xs: [combined(w, p, *xs)]), [scalar(out)] * 2
        return with_regions(w, "reduce", [x, init], f"dimensions = {integers(axes)}", [region], [out])[0]
    value, name = w.fresh(out), _EXTREMES[p.name][0] if p.name in _EXTREMES else _SAME[p.name]
    w.line(
        f"{value.name} = stablehlo.reduce({x.name} init: {init.name}) applies stablehlo.{name} across "
        f"dimensions = {list(axes)} : ({x.type}, {init.type}) -> {value.type}"
    )
    return value


@lower(*"reduce_sum reduce_max reduce_min reduce_prod reduce_and reduce_or reduce_xor".split())
def _(w, eqn, operands):
    return reduced(w, eqn.primitive.combines_rule, *operands, eqn.outvars[0].aval, eqn.params["axes"])


@lower("dot_general")
def _(w, eqn, operands):
    (left, right), (batch_l, batch_r) = eqn.params["dimension_numbers"]
    out, precision = eqn.outvars[0].aval, eqn.params.get("precision")
    pair = precision if isinstance(precision, tuple) else (precision, precision)
    names = [getattr(p, "name", None) or "DEFAULT" for p in pair]
    if w.module.platform == "cuda" and dtypes.issubdtype(out.dtype, np.floating):
        # XLA's compiler for GPUs crashes, or refuses, where integers are multiplied into floats.
        for i, x in enumerate(operands):
            if dtypes.issubdtype(x.aval.dtype, np.integer):
                operands = [*operands[:i], w.op("stablehlo.convert", [x], x.aval.update(dtype=out.dtype)),
                            *operands[i + 1 :]]
                names[i] = "HIGHEST"  # by default GPUs read 11 bits of a float32
    batching = f" batching_dims = {list(batch_l)} x {list(batch_r)}," if batch_l else ""
    attributes = (
        f",{batching} contracting_dims = {list(left)} x {list(right)}, precision = [{', '.join(names)}]"
    )
    return w.op("stablehlo.dot_general", operands, out, attributes)


# ---- programs inside programs -----------------------------------------------------------------------


@lower("jit")
def _(w, eqn, operands):
    closed = eqn.params["jaxpr"]
    asked = tuple(eqn.params.get("in_shardings") or ()), tuple(eqn.params.get("out_shardings") or ())
    name, avals = w.module.function(closed, eqn.params["name"], asked), [v.aval for v in eqn.outvars]
    if is_ordered(closed.jaxpr):
        w.token, *outs = _called(w, name, [w.token, *operands], [abstract_token, *avals])
    else:
        outs = _called(w, name, operands, avals)
    w.told.update([x.name for x, s in zip(outs, asked[1]) if s is not None])
    return outs


def _called(w, name, operands, avals):
    args, types = ", ".join(v.name for v in operands), ", ".join(v.type for v in operands)
    left, outs = w.results(avals)
    results = ", ".join(v.type for v in outs)
    op = "call" if w.indent == FUNCTION_INDENT else "func.call"  # inside a region the dialect must be said
    w.line(f"{left}{op} {name}({args}) : ({types}) -> {results if len(outs) == 1 else f'({results})'}")
    return outs


_CALLS = {
    "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr", "remat_opt": "fwd_jaxpr",
}
for _name, _key in _CALLS.items():
    lower(_name)(lambda w, eqn, xs, key=_key: w.program(eqn.params[key], xs))


@lower("remat2")
def _(w, eqn, operands):
    if eqn.params["differentiated"] and eqn.params["prevent_cse"]:  # else XLA finds what the forward pass computed
        operands = barrier(w, operands)
    return w.program(eqn.params["jaxpr"], operands, "checkpoint")


def barrier(w, operands):
    """Return the values, across which nothing is moved."""
    left, outs = w.results([x.aval for x in operands])
    if operands:
        names, types = ", ".join(x.name for x in operands), ", ".join(x.type for x in operands)
        w.line(f"{left}stablehlo.optimization_barrier {names} : {types}")
    return outs


def while_loop(w, carry, condition, body, ordered=False):
    """Write a loop whose `condition` and `body` write into the regions: values -> predicate, values -> next values.

    With ordered effects in the body the token is carried too; a condition is no place for them.
    """
    if ordered:
        def next_values(values):
            w.token, *rest = values
            out = body(rest)
            return [w.token, *out]

        w.token, *outs = while_loop(w, [w.token, *carry], lambda values: condition(values[1:]), next_values)
        return outs
    if not carry:  # it ends at once or never, and computes nothing
        return []
    name = w.label()
    inner = [Value(w.label("iterArg"), x.aval) for x in carry]
    outs = [Value(f"{name}#{i}" if len(carry) > 1 else name, x.aval) for i, x in enumerate(carry)]
    count = f":{len(carry)}" if len(carry) > 1 else ""
    starts = ", ".join(f"{i.name} = {x.name}" for i, x in zip(inner, carry))
    w.line(f"{name}{count} = stablehlo.while({starts}) : {', '.join(x.type for x in carry)}")
    w.line("cond {")
    w.indent += 2
    w.returned([condition(inner)])
    w.indent -= 2
    w.line("} do {")
    w.indent += 2
    w.returned(body(inner))
    w.indent -= 2
    w.line("}")
    return outs


@lower("while")
def _(w, eqn, operands):
    p, operands = scalar_condition(eqn.params, operands)
    n, m = p["cond_nconsts"], p["body_nconsts"]
    cond_consts, body_consts, carry = operands[:n], operands[n : n + m], operands[n + m :]
    condition = lambda values: w.program(p["cond_jaxpr"], [*cond_consts, *values], "while/cond")[0]
    body = lambda values: w.program(p["body_jaxpr"], [*body_consts, *values], "while/body")
    if not is_ordered(p["cond_jaxpr"].jaxpr):
        return while_loop(w, carry, condition, body, is_ordered(p["body_jaxpr"].jaxpr))

    def body_and_condition(values):  # the region of the condition cannot hand on a token: it is carried, decided
        out = body(values[1:])
        return [condition(out), *out]

    return while_loop(w, [condition(carry), *carry], lambda values: values[0], body_and_condition, True)[1:]


@lower("scan")
def _(w, eqn, operands):
    p = eqn.params
    closed, length, reverse = p["jaxpr"], p["length"], p["reverse"]
    n, m = p["num_consts"], p["num_carry"]
    consts, init, xs = operands[:n], operands[n : n + m], operands[n + m :]
    index = ShapedArray((), dtypes.int32)
    number = lambda value: w.number(value, index)
    ys = [v.aval for v in eqn.outvars[m:]]
    empty = [w.splat(0, physical(a)) for a in ys]
    if not length:  # whose body could read rows that are not there
        return [*init, *empty]

    def condition(values):
        return w.compare("LT", values[0], number(length))

    def body(values):
        i, carry, stacks = values[0], values[1 : m + 1], values[m + 1 :]
        at = w.op("stablehlo.subtract", [number(length - 1), i], index, pretty=True) if reverse else i
        zero = number(0)
        rows = []
        for x in xs:
            shape = x.aval.shape
            starts = [at, *[zero] * (len(shape) - 1)]
            row = w.op("stablehlo.dynamic_slice", [x, *starts], x.aval.update(shape=(1, *shape[1:])),
                       f", sizes = {[1, *shape[1:]]}")
            rows.append(w.op("stablehlo.reshape", [row], x.aval.update(shape=shape[1:])))
        out = w.program(closed, [*consts, *carry, *rows], "while/body/closed_call")
        updated = []
        for y, stack in zip(out[m:], stacks):
            wide = w.op("stablehlo.reshape", [y], y.aval.update(shape=(1, *y.aval.shape)))
            starts = [at, *[zero] * len(y.aval.shape)]
            updated.append(w.op("stablehlo.dynamic_update_slice", [stack, wide, *starts], stack.aval))
        return [w.op("stablehlo.add", [i, number(1)], index, pretty=True), *out[:m], *updated]

    return while_loop(w, [number(0), *init, *empty], condition, body, is_ordered(closed.jaxpr))[1:]


@lower("cond")
def _(w, eqn, operands):
    which, *args = operands
    ordered = any([is_ordered(b.jaxpr) for b in eqn.params["branches"]])
    left, outs = w.results([*[abstract_token] * ordered, *[v.aval for v in eqn.outvars]])
    w.line(f'{left}"stablehlo.case"({which.name}) ({{')
    before = w.token
    for i, branch in enumerate(eqn.params["branches"]):
        if i:
            w.line("}, {")
        w.indent += 2
        w.token = before
        results = w.program(branch, args, f"cond/branch_{i}_fun")
        w.returned([w.token, *results] if ordered else results)
        w.indent -= 2
    types = ", ".join(v.type for v in outs)
    w.line(f"}}) : ({which.type}) -> {types if len(outs) == 1 else f'({types})'}")
    if ordered:
        w.token, *outs = outs
    return outs
