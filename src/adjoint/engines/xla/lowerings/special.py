"""The `lower` rules of what is a few operations: special functions, order, platforms, tokens, registered
functions, products in parts.
"""

from __future__ import annotations

import numpy as np

from ....core import dtypes
from ....core.tree.tree import tree_unflatten
from ....core.types import Array, ShapedArray
from ....prims.platforms import chosen
from ....prims.tokens import abstract_token
from ..rules import lower
from ..stablehlo import Value, dense, element, quoted, scalar_text

# ---- element-wise ----------------------------------------------------------------------------------


def _wide_chlo(op):
    """Return an operation of two operands that is accurate in float32 and float64 alone."""

    def rule(w, eqn, operands):
        out = eqn.outvars[0].aval
        operands = [w.broadcast(x, out.shape) for x in operands]
        return w.chlo(op, operands, out)

    return rule


lower("nextafter")(_wide_chlo("next_after"))
for _name in ("polygamma", "zeta"):
    lower(_name)(_wide_chlo(_name))


def _total(direction):
    def rule(w, eqn, operands):
        shape = eqn.outvars[0].aval.shape
        x, y = [w.broadcast(v, shape) for v in operands]
        kind = "TOTALORDER" if dtypes.issubdtype(x.aval.dtype, np.floating) else ""
        return w.compare(direction, x, y, kind)

    return rule


for _name, _direction in (("eq_to", "EQ"), ("lt_to", "LT"), ("le_to", "LE")):
    lower(_name)(_total(_direction))


# ---- shapes and order ------------------------------------------------------------------------------


@lower("tile")
def _(w, eqn, operands):
    (x,), reps, out = operands, eqn.params["reps"], eqn.outvars[0].aval
    pairs = tuple([k for n, r in zip(x.aval.shape, reps) for k in (r, n)])
    dims = [2 * i + 1 for i in range(x.aval.ndim)]
    wide = w.op("stablehlo.broadcast_in_dim", [x], x.aval.update(shape=pairs), f", dims = {dims}")
    return w.op("stablehlo.reshape", [wide], out)


@lower("top_k")
def _(w, eqn, operands):
    (x,), k, axis = operands, eqn.params["k"], eqn.params["axis"]
    values, places = (v.aval for v in eqn.outvars)
    last = x.aval.ndim - 1
    if places.dtype != dtypes.int32:
        return w.on_host(eqn, operands)
    order = [*[d for d in range(last + 1) if d != axis], axis]
    moved = lambda v, axes: v if axes == sorted(axes) else w.op(
        "stablehlo.transpose", [v], v.aval.update(shape=tuple([v.aval.shape[d] for d in axes])), f", dims = {axes}")
    x = moved(x, order)
    outs = [a.update(shape=(*x.aval.shape[:-1], k)) for a in (values, places)]
    left, found = w.results(outs)
    w.line(f"{left}chlo.top_k({x.name}, k = {k}) : {x.type} -> ({found[0].type}, {found[1].type})")
    back = [int(i) for i in np.argsort(order)]
    return [moved(v, back) for v in found]


# ---- tokens and platforms --------------------------------------------------------------------------


@lower("create_token")
def _(w, eqn, operands):
    (token,) = w.results([abstract_token])[1]
    w.line(f"{token.name} = stablehlo.create_token : {token.type}")
    return token


@lower("after_all")
def _(w, eqn, operands):
    (token,) = w.results([abstract_token])[1]
    w.line(f"{token.name} = stablehlo.after_all {', '.join(x.name for x in operands)} : {token.type}")
    return token


lower("dce_sink")(lambda w, eqn, operands: [])


@lower("platform_index")
def _(w, eqn, operands) -> Value:
    return w.constant(np.int32(chosen(eqn.params["platforms"], w.module.platform)), ShapedArray((), dtypes.int32))


@lower("composite")
def _(w, eqn, operands):
    params, avals = eqn.params, [v.aval for v in eqn.outvars]
    function = w.module.function(params["jaxpr"], params["name"])
    attributes = {k: tree_unflatten(tree, values) for k, values, tree in params["attributes"] if values}
    texts = [f"composite_attributes = {_of_composite(attributes)}"] if attributes else []
    texts.append(f"decomposition = {function}")
    if params["version"]:
        texts.append(f"version = {params['version']} : i32")
    left, outs = w.results(avals)
    args, types = ", ".join(v.name for v in operands), ", ".join(v.type for v in operands)
    results = ", ".join(v.type for v in outs)
    w.line(
        f"{left}stablehlo.composite {quoted(params['name'])} {args} {{{', '.join(texts)}}} : ({types}) -> "
        + (results if len(outs) == 1 else f"({results})")
    )
    return outs


def _of_composite(x) -> str:
    """Return the text of an attribute of a composite, which may be a tree."""
    if isinstance(x, dict):
        return "{" + ", ".join([f"{k} = {_of_composite(x[k])}" for k in sorted(x) if x[k] is not None]) + "}"
    if isinstance(x, (list, tuple)):
        return f"[{', '.join(map(_of_composite, x))}]"
    if isinstance(x, (Array, np.ndarray)):
        return dense(np.asarray(x), ShapedArray(x.shape, x.dtype))
    return _attribute(x)


# ---- functions of compiled code --------------------------------------------------------------------


def _attribute(x) -> str:
    """Return the text of an attribute of a call."""
    if isinstance(x, bool | np.bool_):
        return str(bool(x)).lower()
    if isinstance(x, str):
        return quoted(x)
    if isinstance(x, int):
        return f"{x} : i64"
    if isinstance(x, float):
        return f"{scalar_text(np.float64(x))} : f64"
    if isinstance(x, np.generic):
        return f"{scalar_text(x)} : {element(x.dtype)}"
    if hasattr(x, "val"):
        return dense(x.val, ShapedArray(x.val.shape, x.val.dtype))
    if hasattr(x, "items"):
        return _attributes(x.items)
    raise TypeError(f"No attribute handler defined for type: {type(x)}")


def _attributes(items) -> str:
    return "{" + ", ".join([f"{quoted(k)} = {_attribute(v)}" for k, v in items]) + "}"


@lower("ffi_call")
def _(w, eqn, operands):
    p = eqn.params
    version, config = p["custom_call_api_version"], p["legacy_backend_config"]
    layouts = lambda all_: "[" + ", ".join(
        [f"dense<{list(x) if x else ''}> : tensor<{len(x)}xindex>" for x in all_]) + "]"
    attributes = [
        f"api_version = {version} : i32",
        f"backend_config = {_attributes(p['attributes']) if version >= 4 else quoted(config or '')}",
        f"operand_layouts = {layouts(p['input_layouts'])}", f"result_layouts = {layouts(p['output_layouts'])}",
    ]
    if p["has_side_effect"]:
        attributes.append("has_side_effect = true")
    if p["input_output_aliases"]:
        place = lambda o: f"[{o}]" if len(eqn.outvars) > 1 else "[]"
        attributes.append("output_operand_aliases = [" + ", ".join(
            f"#stablehlo.output_operand_alias<output_tuple_indices = {place(o)}, operand_index = {i}, "
            "operand_tuple_indices = []>" for i, o in p["input_output_aliases"]) + "]")
    return w.custom_call(quoted(p["target_name"]), operands, [v.aval for v in eqn.outvars], *attributes)


# ---- random bits ----------------------------------------------------------------------------------


@lower("rng_bit_generator")
def _(w, eqn, operands):
    (state,), p = operands, eqn.params
    bits = eqn.outvars[1].aval
    if not bits.size:
        return w.on_host(eqn, operands)
    wide = ShapedArray((2,), dtypes.uint64)
    words = state
    if state.aval.dtype != dtypes.uint64:
        pairs = w.op("stablehlo.reshape", [state], state.aval.update(shape=(2, 2)))
        words = w.op("stablehlo.bitcast_convert", [pairs], wide)
    made = bits if bits.dtype.itemsize >= 4 else bits.update(dtype=dtypes.uint32)
    name = p["algorithm"].name.removeprefix("RNG_")
    left, (after, out) = w.results([wide, made])
    w.line(f"{left}stablehlo.rng_bit_generator {words.name}, algorithm = {name} : "
           f"({words.type}) -> ({after.type}, {out.type})")
    if words is not state:
        pairs = w.op("stablehlo.bitcast_convert", [after], state.aval.update(shape=(2, 2)))
        after = w.op("stablehlo.reshape", [pairs], state.aval)
    return [after, out if made is bits else w.op("stablehlo.convert", [out], bits)]


@lower("mulhi")
def _(w, eqn, operands):
    out = eqn.outvars[0].aval
    if out.dtype.itemsize > 4 or out.dtype in dtypes.small_ints:
        return w.on_host(eqn, operands)
    signed = dtypes.issubdtype(out.dtype, np.signedinteger)
    wide = out.update(dtype=dtypes.int64 if signed else dtypes.uint64)
    x, y = [w.op("stablehlo.convert", [w.broadcast(v, out.shape)], wide) for v in operands]
    product = w.op("stablehlo.multiply", [x, y], wide, pretty=True)
    shift = f"stablehlo.shift_right_{'arithmetic' if signed else 'logical'}"
    high = w.op(shift, [product, w.splat(8 * out.dtype.itemsize, wide)], wide, pretty=True)
    return w.op("stablehlo.convert", [high], out)
