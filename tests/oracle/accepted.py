"""What differs on purpose, with the reason."""

from __future__ import annotations

import re

from .differences import CANCELS

# What JAX's own code happens to raise where an argument is not what a function is about.
ACCIDENTS = ("ZeroDivisionError", "AttributeError", "AssertionError", "UnboundLocalError", "KeyError", "StopIteration",
             "TracerArrayConversionError", "IndexError", "OverflowError", "JaxRuntimeError", "NotImplementedError")
# (kinds, functions or operands, mode, JAX's first line or ours, reason)
TABLE = [
    ("error", "", "", "^Non-hashable static arguments", "JAX speaks of its cache; here of the argument"),
    ("accepts", "", "", "^Non-hashable static arguments",
        "a value where JAX wants one that is known when a program is traced"),
    ("accepts", r"\bJ\(", "", "^Triggering __jax_array__", "what has `__jax_array__` is an array everywhere"),
    ("value", r"^(jnp\.(any|all|apply_over_axes)|Array: a\.(any|all)).*complex", "", "", "the array API standard"),
    ("value", "'tiny'", "", "", "XLA on CPU takes subnormal numbers for zero"),
    ("value", "fft.*'nan'", "", "", "which results a NaN reaches depends on the order of sums"),
    ("value", f"({CANCELS.pattern}).*'huge'", "", "", "sums of numbers of 1e38 depend on their order"),
    ("accepts", "histogram", "", "zero-size array to reduction operation", "an empty histogram is NumPy's"),
    ("error", "compress|extract|intersect1d", "", "^Abstract tracer value", "the error names the mask"),
    ("value", r"insert.*nan", "", "", "XLA without optimization makes another int of NaN"),
    ("value", r"^(jnp\.geomspace|jnp\.logspace)", "grad2|jvp2", "", "differences of larger numbers"),
    ("value", r"\((0,|0, 0|2, 0|0, 3)\).*(norm|max|min|lstsq)\(", "grad|jvp", "", "0 / 0 of an empty maximum there"),
    ("accepts", "composite|cholesky_update", "vmap", "^Batching rule for", "composites and updates can be batched"),
    ("refuses", r"lax\.linalg\.(eig|qr|svd|lu)\(", "vmap", "must have rank at least 2", "no matrix in a call"),
    ("value", "(digamma|polygamma|zeta|lgamma).*'(infinite|nan)'", "", "", "zeta(2, inf) is 0, not NaN"),
    ("accepts", "clamp", "", "Clamp unimplemented|select cases must have the same shapes", "JAX fails to compile"),
    ("refuses", r"lax\.dtype", "", "traced for jit returned a value", "a dtype is no result of a jitted function"),
    ("refuses shape accepts", r"\(0, 0\).*(hessenberg|eigh)", "", "", "an empty matrix has no axis of length -1"),
    ("zero", "", "grad|jvp", "", "the sign of a zero derivative"),
    ("refuses", r"\barg(max|min)\(", "", "^arg(max|min) does not accept dtype complex", "refused when it is traced"),
    ("accepts", "linalg", "", "Unsupported dtype b?float16", "matrices of half floats are factorized"),
    ("shape", r"^jnp\.arange.*'uint", "", "", "numbers are counted without an overflow"),
    ("dtype", "cumulative_prod|vector_norm", "", "", "the array API standard"),
    ("accepts", "", "", "^Array boolean indices must be concrete", "traced masks mean what they mean in NumPy"),
    ("accepts", "nonzero|where|argwhere|compress|extract", "",
        "^(Abstract tracer value|Attempted boolean conversion)", "positions that a traced mask has are those of NumPy"),
]


def reason(program, mode, found, ours, theirs):
    """Return why a difference is accepted, or None."""
    if found[0] == "error" and theirs[1] in ACCIDENTS and ours[1] in ("TypeError", "ValueError"):
        return "a wrong argument is a TypeError or a ValueError here, whichever line of JAX stumbles over it"
    said = theirs[2] if theirs[0] == "error" else ours[2] if ours[0] == "error" else found[1]
    named = f"{program.function}: {program.key}"
    for kinds, functions, modes, message, why in TABLE:
        if found[0] in kinds.split() and re.search(functions, named) and re.search(modes, mode) and re.search(
            message, said):
            return why
    return None
