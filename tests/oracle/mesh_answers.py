"""Answers to programs over meshes beside each other: what differs, and which differences are meant, with reasons.

Users read of them in `docs/differences.md`.
"""

from __future__ import annotations

import re

import numpy as np

from .answers import ENDED

__all__ = ["difference"]

MIXED = r"mesh\(.*, '(E+A|A+E)[EA]*'"  # axes of both types
ONE_DEVICE = r"mesh\(\((1, 2|2, 1, 4)\)"  # along an axis

# Where JAX cannot go on, and why the answer given here is right: how its text begins, what the program contains.
ACCEPTED = {
    ENDED: ("", "a check of XLA failed"),
    "Length of device assignment": ("", "which devices a mesh in a type is of is known from the arrays"),
    "Differentiation rule for 'pm": ("", "the largest and the least over devices have derivatives"),
    "The sharding on the input must be a `NamedSharding`": ("", "an array that nobody placed may be constrained"),
    "RHS should be reduced along the same axes LHS": ("", "an unreduced value may be multiplied by a number"),
    "(0, P(": ("", "explicit axes beside the ones that are mapped over stay in types through `psum_scatter`"),
    "Please file an issue": ("", "what JAX has no rule for"),
    "MLIR translation rule for primitive 'pbroadcast'": ("", "what JAX has no rule for"),
    "select `which` must be scalar or have the same": ("", "an operand may be undivided beside divided ones"),
    "select cases must have the same": ("", "an operand may be undivided beside divided ones"),
    "All operands should have the same": ("concatenate|stack", "an operand may be undivided beside divided ones"),
    "Using *pspec is dangerous": ("", "rules for unreduced and reduced values that JAX has not"),
    "shard_map out_specs argument must refer to an axis marked as manual": (
        r"axis_names=\{.*\}, check_vma=False", "eager calls over some axes, whose out_specs name no others"),
    "cannot reshape array of size 1 into shape": ("", "what JAX cannot name"),
    "full must be called with scalar fill_value": ("", "the derivative of pbroadcast"),
    "Using pspec[": ("", "rules for unreduced and reduced values that JAX has not"),
    "Expected cotangent type": (
        rf"shard_map|{ONE_DEVICE}", "gradients of calls over some axes of a mesh, and over one device"),
    "Axes mentioned in `manual_axis_type`": ("spmd_axis_name|vmap", "shard_map in shard_map, mapped"),
    "shard_map applied to the function '<lambda>' was given argument arrays with axis sizes": (
        r"linearize|(?s:u = jax\.shard_map\(.*out = .*jax\.shard_map)", "an eager call with another inside"),
    "in_specs passed to shard_map": (
        r"(?s:u = jax\.shard_map\(.*out = jax\.shard_map)", "an eager call over some axes with another inside"),
    "The spec of NamedSharding passed to with_sharding_constraint can": (
        r"jnp\.(as)?array\(x, device=", "an array is put over explicit axes"),
    "'ShapedArray' object has no attribute 'vma'": ("", "types say along which axes values vary"),
    "Resource axis": (
        "searchsorted|histogram|interp|piecewise|bincount", "its axis is looked up in a mesh without axes"),
    "switch branches must have equal output types": ("piecewise", "its branches differ in how they vary"),
    "Arguments to sort must have equal shardings": (
        "sort|median|quantile", "an operand may be undivided beside divided ones"),
    "Array boolean indices must be concrete": (r"\.at\[.*> 0\]", "a mask of a divided array"),
    "Passing lowering_platforms via jax.export": (r"(?s)\A(?!.*set_mesh)", "a mesh in a type, without devices"),
    "INVALID_ARGUMENT: PjRtBuffer's memory kind": ("", "a check of XLA failed"),
    "unreduced/reduced can only be passed to out_specs": ("", "eager calls over some axes, with reduced values"),
    "device_indices_map doesn't work with unreduced": ("", "an unreduced value can be read"),
    "unreduced rule for ": ("", "rules for unreduced and reduced values that JAX has not"),
    "unreduced/reduced rule for ": ("", "rules for unreduced and reduced values that JAX has not"),
    "INTERNAL: RET_CHECK": ("", "a check of XLA failed"),
    "UNIMPLEMENTED: Donation across": ("", "what XLA cannot do"),
    "INTERNAL: Expected aliased input": ("donate_argnums", "what XLA cannot do"),
    "dynamic_update_slice operand sharding must": ("dynamic_update", "updates beside undivided operands"),
    "Use `.at[...].get(out_sharding=)`": (
        r"[\w)]\[:|dynamic_slice(?s:.*)vmap", "parts along a divided axis are taken by calls as by programs"),
    "vmap spmd_axis_name cannot appear in shard_map in_specs": (
        r"jax\.grad\(lambda q: jnp\.sum\(lax\.psum", "what no element has is not mapped"),
    "Resource axis: x of P('x',) is not found in mesh: ()": (
        "(?s)lax.scan.*vmap", "its axis is looked up in a mesh without axes"),
    "ManualAxisType(": ("", "an assertion of JAX's"),
    "unexpected JAX type (e.g. shape/dtype) for argument to VJP": ("_host|Host", "gradients of sums in other memories"),
    "Received incompatible devices": (
        r"jnp\.(as)?array\(x, device=|(device_put|to_device)\(.*NS\(back|device_put\(x, Format\(|spmd_axis_name",
        "an array may be put over other devices, or these in another order"),
    "tuple index out of range": ("(?s)unreduced.*lax.scan", "an error of JAX's own"),
    "Incompatible types for broadcasting": (
        r"\.at\[|dynamic_update|insert|segment_sum", "updates beside undivided operands"),
    "padding on sharded dims where out dim": (
        "(?s)reduce_window.*jax.grad", "the derivative of an extremum of windows pads nothing that is divided"),
    "scan body function carry input and carry output must have equal types": (
        "(?s)sort.*lax.scan", "along which axes the order of a value varies"),
    "unreduced in out_specs P(": ("to='unreduced'", "calls on arrays, with unreduced values inside"),
    "Sharding spec (": (r"\.at\[1:\]", "which of two mistakes is named"),
    "list index out of range": ("make_array_from", "an error of JAX's own"),
    "A single NamedSharding spec specification can map": ("spmd_axis_name", "axes that shard_map has mapped over"),
    "Inputs cannot be replicated on the same axes": ("'reduced'", "which of two mistakes is named"),
    "Use `.at[...].set/add/mul/...(out_sharding=)`": (
        r"jnp\.insert\(|segment_sum", "which of two mistakes is named; sums of rows that are divided"),
    "Cannot lower jaxpr with verifier": ("", "a check of MLIR failed"),
    "'AbstractMesh' object has no": ("", "an error of JAX's own"),
    "(1, P(": ("", "a spec that is longer than the array has axes: an assertion of JAX's"),
    "(2, P(": ("", "a spec that is longer than the array has axes: an assertion of JAX's"),
    "(3, P(": ("", "a spec that is longer than the array has axes: an assertion of JAX's"),
    "This reshape is not supported": (r"jnp\.(prod|kron)\(", "derivatives of products; calls on arrays"),
}
# Where both libraries answer, and why they differ: kinds of difference, what the program and the difference contain.
MEANT = [
    ("note spec", r"out = jax\.shard_map\((?s:.*)axis_names=", "", "calls on arrays over some axes"),
    ("note", r"'E+'\)(?s:.*)tell_stages", r"^\(\((Format.*)?NamedSharding.*spec=P\(\), .* for \(\(",
     "what nobody placed is on each device of a mesh of explicit axes"),
    ("note spec", r"'E+'\)(?s:.*)tell_stages\(jax\.jit\(f, in_shardings", r"P\(None, None\).* for .*P\(\)",
     "a spec over explicit axes has an entry for each axis"),
    ("value", r"unreduced=(?s:.*)astype\('bfloat16'\)|'bfloat16'\)\.astype\('float32'\)", "",
     "XLA may leave out that a value is rounded on the way"),
    ("note", "to='reduced'", r"R:\w", "an extremum of what is reduced is reduced"),
    ("type spec", r"jax\.shard_map\((?s:.*)vmap\(f, spmd_axis_name='\w'\)\)\(a\)\Z", r"@|'P",
     "what shard_map has divided stays so"),
    ("spec", "searchsorted", r"^\['P\((None, ?)+(None)?\)'\] for \['P\(\)'\]$", "which divides as much"),
    ("spec", "dynamic_slice(?s:.*)vmap", r"^\['P\(\)'\] for \['P\((None, ?)+(None)?\)'\]$", "which divides as much"),
    ("spec", r"eval_shape\(jax\.(grad|vjp)", r"for \[''\]", "a gradient that does not depend on its argument"),
    ("spec", r"'A+'\)(?s:.*)f\(big", "", "what a program closes over is divided in it as it was"),
    ("note", r"(?s)sort\(.*shard_map", "{V:", "along which axes the order of a value varies"),
    ("refuses", r"sort(?s:.*)shard_map", "require replication|from=varying, to='varying'",
     "along which axes the order of a value varies"),
    ("refuses", "to='unreduced'", "unreduced rule for gather", "JAX forgets of parts of a sum that they are of one"),
    ("note refuses", r"lax\.cond\(lax\.axis_index", r"\{V:|require replication|from=varying, to='varying'",
     "what each device chooses varies"),
    ("type committed", r"_host'(?s:.*)Space\.Host", "host", "JAX moves an array of the host's memory to the device"),
    ("type spec committed", rf"{MIXED}(?s:.*)(Space\.Host|pinned_host)", r"host|, None\)",
     "over a mesh of axes of both types JAX's results are on the device, whatever their types say"),
    ("type", r"pinned_host(?s:.*)addressable_(shards|data)", "<host>", "JAX's type of a part does not say its memory"),
    ("type spec", rf"(?={MIXED}){ONE_DEVICE}(?s:.*)shard_map", "@|'P",
     "results over a mesh of axes of both types have the types of their shardings, of axes of one device too"),
    ("type spec",
     rf"{MIXED}(?s:.*)(at\[.*out_sharding|u \+ 1, out_shardings|scan\(lambda s, _: \(jax\.shard|u = jax\.shard_map)",
     "", "XLA chooses how automatic axes divide what is left to it"),
    ("spec", r"jnp\.(linspace|asarray|array)\(.*device=", r"^\['P\(\)'\] for \['P\((None, ?)+(None)?\)'\]$",
     "a spec is kept as it was given"),
    ("spec", rf"{MIXED}(?s:.*)vmap\(jax\.shard_map", "", "XLA chooses how automatic axes divide what is left to it"),
    ("numbers", r"lax\.cond\(lax\.axis_index(?s:.*)jax\.grad", "",
     "gradients of what each device chooses are those of one device in JAX, or a race"),
    ("spec", r"jax\.(value_and_)?grad\(", r"^\['P\((None, )*None,?\)'\] for \['P\(\)'\]$",
     "what does not depend on an argument that was not placed is over the mesh that is set"),
    ("type spec", r"\.to_device\(|device_put\(.*(SD\(|jax\.devices)", "", "JAX's type goes on to speak of the mesh"),
    ("spec committed", r"jax\.(grad|vjp)\(", r"SingleDevice|False device \[0\]",
     "gradients that do not depend on the argument are where they are made"),
]


def is_accepted(error: str, program: str) -> bool:
    """Return whether an error of JAX is one that need not be found here in a program; assertions have no text."""
    known = [within for start, (within, _) in ACCEPTED.items() if error.startswith(start)]
    return not error or any([re.search(within, program) for within in known])


def is_meant(kind: str, found: str, program: str) -> bool:
    """Return whether answers that differ so are meant to."""
    return any([kind in kinds.split() and re.search(within, program) and re.search(said, found)
                for kinds, within, said, _ in MEANT])


def _notes_agree(ours: str, theirs: str, program: str) -> bool:
    """Return whether notes agree but for what differs on purpose: by which of equal names stages call a sharding."""
    pair = [re.sub(r"spec=(P\([^=]*\)), memory", lambda g: f"spec={_divides(g[1], program)}, memory", note)
            for note in (ours, theirs)]
    if "GSPMDSharding" in theirs:
        pair = [re.sub(r"(GSPMDSharding\(|NamedSharding\(mesh=).*?memory_kind=\w+\)", "sharding", s) for s in pair]
    return pair[0] == pair[1] or is_meant("note", f"{ours} for {theirs}", program)


def _divides(spec: str, program: str) -> str:
    """Return what a spec says where mesh axes are `Auto`: without axes of one device, and Nones at the end."""
    found = re.search(r"mesh\((\(.*?\)), '(\w+)', '(\w+)'", program)
    if found is None or spec[:2] != "P(" or "E" in found[3]:
        return spec
    sizes = dict(zip(found[2], eval(found[1])))
    names = lambda e: tuple([n for n in (e if isinstance(e, tuple) else (e,)) if n is not None and sizes[n] > 1])
    entries = [names(e) for e in eval(spec, {"P": lambda *e: e})]
    while entries and not entries[-1]:
        entries.pop()
    return str(entries)


def difference(ours, theirs, text: str = "") -> str:
    """Return what differs, or an empty text."""
    for a, b in zip(ours["notes"], theirs["notes"]):
        if a != b and not _notes_agree(a, b, text):
            return f"note: {a} for {b}"
    if "error" in theirs or "error" in ours:
        if "error" not in theirs:
            found = f"{ours['error'][0]}: {ours['text']}"
            return "" if is_meant("refuses", found, text) else f"refuses: {found}"
        if is_accepted(theirs["text"], text):
            return ""
        if "error" not in ours:
            return f"accepts: {theirs['error'][0]}: {theirs['text']}"
        same = theirs["error"][0] in ours["error"]
        return "" if same else f"error: {ours['error'][0]}: {ours['text']} for {theirs['error'][0]}: {theirs['text']}"
    for what, i in ("type", 0), ("shape", 1), ("weak", 2), ("spec", 3), ("committed", 5):
        a, b = [x[i] for x in ours["out"]], [x[i] for x in theirs["out"]]
        if what == "spec":
            a, b = [_divides(s, text) for s in a], [_divides(s, text) for s in b]
        if a != b and not is_meant(what, f"{a} for {b}", text):
            return f"{what}: {a} for {b}"
    for x, y in zip(ours["out"], theirs["out"]):
        a, b = np.array(x[4]), np.array(y[4])
        size = max([abs(n) for n in b.ravel() if np.isfinite(n)] + [1e-3])
        rough = 1e-2 if is_meant("value", "", text) else 1e-3
        is_close = np.allclose(a, b, rtol=rough, atol=rough * size, equal_nan=True)
        if not is_close and not is_meant("numbers", "", text):
            return f"value: {x[4]} for {y[4]}"
    if len(ours["notes"]) != len(theirs["notes"]):
        return f"notes: {len(ours['notes'])} for {len(theirs['notes'])}"
    return ""
