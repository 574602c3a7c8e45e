"""What differs on purpose, with the reason."""

from __future__ import annotations

import re

from .differences import CANCELS

# What JAX's own code happens to raise where an argument is not what a function is about.
ACCIDENTS = ("ZeroDivisionError", "AttributeError", "AssertionError", "UnboundLocalError", "StopIteration",
             "TracerArrayConversionError", "JaxRuntimeError")
# Functions that are called with two mistakes, of which each library names another one, both of these classes.
TWO_MISTAKES = "|".join(r"""
lax\.(reduce|reduce_window|lu_pivots_to_permutation|svd|cholesky_update|dynamic_update_slice_in_dim|pad|reduce_precision)
lax\.linalg\.(lu_pivots_to_permutation|svd|cholesky_update) jnp\.(histogram2d|quantile|percentile|amin|diagonal|block)
jnp\.(remainder|logical_and|negative) jnp\.linalg\.(cross|outer) scipy\.linalg\.(sqrtm|cho_factor|toeplitz|schur|polar)
scipy\.linalg\.lu_solve scipy\.special\.(polygamma|zeta|bessel_jn|hyp2f1)
scipy\.stats\.(dirichlet|multinomial|truncnorm|betabinom)\.\w+
""".split())
# (kinds, functions or operands, mode, JAX's first line or ours, reason)
TABLE = [
    ("error", "", "", "^Non-hashable static arguments", "JAX speaks of its cache; here of the argument"),
    ("accepts", "", "", "^Non-hashable static arguments",
        "a value where JAX wants one that is known when a program is traced"),
    ("accepts error", r"\bJ\(", "", "^Triggering __jax_array__", "what has `__jax_array__` is an array everywhere"),
    ("value nan", r"^(jnp\.(any|all|apply_over_axes)|Array: a\.(any|all)).*(complex|\dj)", "", "",
        "the array API standard"),
    ("value nan shape zero", "'tiny'", "", "", "XLA on CPU takes subnormal numbers for zero"),
    ("value nan", "fft.*(nan|infinite)", "", "", "which results a NaN reaches depends on the order of sums"),
    ("value", f"({CANCELS.pattern}).*'huge'", "", "", "sums of numbers of 1e38 depend on their order"),
    ("accepts", "histogram", "", "zero-size array to reduction operation", "an empty histogram is NumPy's"),
    ("accepts", r"random_gamma_grad|jax\.random\.", "grad", "^Reverse-mode differentiation does not work",
        "derivatives of samples of gamma's kin are formulas here, and loops in JAX"),
    ("value", "nan.*(random\\.|gumbel_r)", "", "", "NaN of a compiled constant is memory that XLA left as it was"),
    ("value nan", r"(lgamma|digamma|polygamma)\(", "grad|jvp", "",
        "zeta of negative numbers, which JAX's series does not reach"),
    ("value shape", r"(intersect1d|setxor1d)\(.*assume_unique=True", "", "",
        "elements that are said to occur once and do not"),
    ("dtype accepts", "preferred_element_type='u?int", "grad|jvp", "", "an integer has no derivative; JAX stumbles"),
    ("value", r"nan; jnp\.full_like", "", "", "NaN is 0 as an integer, or the least one where JAX asks NumPy"),
    ("value shape accepts", r"^Array.*\[[^]]*(None[^]]*True|True[^]]*None)[^]]*\]", "", "",
        "a scalar mask beside a new axis: JAX takes one element of the next axis"),
    ("error", "compress|extract|intersect1d", "", "^(Abstract tracer value|Attempted boolean conversion)",
        "the error names the mask"),
    ("dtype", r"logaddexp2?\.reduce\(.*dtype=", "", "", "JAX drops the dtype"),
    ("value", r"'(large|huge)'.*celu", "grad|jvp", "", "the exponential; JAX's is expm1 plus 1"),
    ("refuses", r"float0.*is(finite|inf|neginf|posinf)", "", "", "what holds no number is not finite"),
    ("value nan", r"insert.*nan", "", "", "XLA without optimization makes another int of NaN"),
    ("value nan", r"^(jnp\.geomspace|jnp\.logspace)", "grad2|jvp2", "", "differences of larger numbers"),
    ("value nan", r"\((0,|0, 0|2, 0|0, 3)\).*(norm|max|min|lstsq)\(", "grad|jvp", "",
        "0 / 0 of an empty maximum there"),
    ("accepts", "composite|cholesky_update", "vmap", "^Batching rule for", "composites and updates can be batched"),
    ("refuses", r"lax\.linalg\.(eig|qr|svd|lu)\(", "vmap", "must have rank at least 2", "no matrix in a call"),
    ("value nan", "(digamma|polygamma|zeta|lgamma).*'(infinite|nan)'", "", "", "zeta(2, inf) is 0, not NaN"),
    ("accepts", "clamp", "", "Clamp unimplemented|select cases must have the same shapes", "JAX fails to compile"),
    ("refuses", r"lax\.dtype", "", "traced for jit returned a value", "a dtype is no result of a jitted function"),
    ("refuses shape accepts", r"\(0, 0\).*(hessenberg|eigh)", "", "", "an empty matrix has no axis of length -1"),
    ("zero", "", "grad|jvp", "", "the sign of a zero derivative"),
    ("refuses", r"arg(max|min)\(", "", "^arg(max|min) does not accept dtype complex", "refused when it is traced"),
    ("accepts", "linalg|orthogonal", "", "Unsupported dtype b?float16", "matrices of half floats are factorized"),
    ("accepts", "dot_product_attention", "", "is not supported by dot_general on CPU", "half floats can be multiplied"),
    ("accepts error", r"jax\.(nn|scipy\.special)\.(softmax|log_softmax|standardize|dot_product_attention)", "dtypes",
        "no available implicit dtype promotion path", "one operand is promoted by the function's definition"),
    ("value nan", r"jax\.(nn|scipy\.special)\.(log_)?softmax.*'uint", "", "",
        "an unsigned int has no -inf; JAX's softmax of it is NaN"),
    ("value nan", "standardize.*'int[0-9]*', .*'extreme'", "", "", "squares of ints are floats; JAX's overflow"),
    ("value nan", "gelu.*'large'", "grad2|jvp2", "", "1 - tanh(x)^2 of a large x is 0; JAX's is a rounding error"),
    ("refuses error", r"jax\.(random|nn\.init)", "", "negative dimensions|MLIRError|Invalid type",
        "JAX fails when it compiles"),
    ("accepts error", r"jax\.(random|nn\.init)", "",
        "'numpy.int[0-9]*' object is not iterable|iteration over a 0-d array", "a NumPy int is a length"),
    ("error", r"jax\.(random|nn\.init)", "",
        "Shapes must be 1D|accepts a single key|to a dtype is not allowed|initializer",
        "which of two mistakes in a call is named"),
        ("value", r"'(nan|infinite)'.*linalg\.(qr|svd|eigh|lu)", "grad|jvp", "", "which entries a NaN reaches"),
    ("error", r"lax\.reduce_(prod|max|min|sum)|lax\.reduce\(", "grad|jvp", "must be a permutation",
        "a negative axis: JAX stumbles over it later"),
    ("accepts", r"lax\.reduce_window", "",
        "Linearization failed|batching is not implemented|non-zero init_value_tangent|inconsistent dtypes",
        "windows of any initial value are differentiated and batched"),
    ("value", "scatter.*unique_indices=True", "", "", "indices that are said to differ and do not"),
    ("value nan", r"select_n\(.*'index'", "grad", "",
        "a position outside chooses the last case: so does the derivative"),
    ("class", "device_get|float0|grad|vjp", "", "", "float0 and what device_get gives: JAX's were traced"),
    ("class", r"jax\.(vmap|jvp|vjp|linearize)", "", "Array for np", "results are arrays"),
    ("value nan dtype", r"jax\.(vmap|jacfwd|linearize|custom_gradient)", "",
        "for (float|int|bool) |float [0-9.]* for|int32 for int64", "results are arrays"),
    ("accepts error structure", "argnums=(\\(\\)|\\(0, 0\\)|\\(0, -2\\))", "", "", "arguments named twice, or none"),
    ("accepts", "pmax|pmin", "grad|jvp", "Differentiation rule for", "extrema over a named axis have derivatives"),
    ("accepts", "ppermute", "", "Permutation doesn't match", "who is sent nothing has zeros"),
    ("value nan shape structure", r"jax\.vjp\(.*\[1:\]", "", "", "what a backward pass keeps"),
    ("value nan structure", r"jax\.tree\.(flatten|map).*is_leaf.*dict", "", "", "a traced dict is not sorted"),
    ("zero", "jacfwd|jacrev|hessian|pmin|pmax|jax.vmap", "", "", "the sign of a zero that is a sum or a product"),
    ("value nan structure", r"block_until_ready\(\{|eval_shape", "", "", "answers of JAX's that were traced"),
    ("refuses", "eval_shape|result_type|promote_types|scalar_type_of", "", "ShapeDtypeStruct|returned a value of type",
        "no array, and no result of a jitted function"),
    ("weak", r"mish|sparse_plus|lax\.pow", "grad", "", "the sum of a weak and a strong cotangent is strong"),
        ("error", r"arg(max|min)\(", "", "^Unsupported dtype for max: key", "a wrong dtype is a TypeError"),
    ("error refuses", r"\.apply\(", "", "^Cannot lower jaxpr|^scatter_apply needs", "JAX fails to compile"),
    ("error refuses", r"jnp\.tile\(", "", "^Invalid type|must have every element be nonnegative|VJP function",
        "JAX fails to compile"),
    ("accepts shape", "fft", "", "^Cannot lower jaxpr|^\\[", "JAX fails to compile transforms of nothing"),
    ("accepts", "fill_value", "", "^(Abstract tracer value|unhashable type)", "a value to fill with may be traced"),
    ("error", "setdiff1d|setxor1d", "", "^Array boolean indices must be", "the error names the array"),
    ("value nan", "unique|union1d|setdiff1d|setxor1d|intersect1d", "grad|jvp", "",
        "elements that are chosen have derivatives"),
            ("value", r"max.*float16.*'nan'", "grad", "", "XLA takes 0 * NaN of half floats for 0"),
    ("accepts error", "piecewise", "", "^Cannot concatenate arrays", "the conditions of piecewise broadcast"),
    ("refuses", "multi_dot", "", "requires at least two arrays", "JAX multiplies the rows of a single matrix"),
    ("accepts", r"\.at\(", "", "type <class 'slice'>", "the positions of ufunc.at may be slices"),
    ("refuses", "polyfit", "", "'float' object cannot be interpreted", "a degree is an integer"),
    ("accepts", "quantile|percentile", "", "'range' object|^floor does not accept|^lax.mul requires",
        "quantiles take integers and any axes"),
    ("error", r"jnp\.reshape\(", "", "^cannot reshape array of size", "NumPy's arrays are arrays here"),
        ("shape", r"^jnp\.arange.*'uint", "", "", "numbers are counted without an overflow"),
    ("dtype", "cumulative_prod|vector_norm", "", "", "the array API standard"),
    ("accepts", "", "", "^Array boolean indices must be concrete", "traced masks mean what they mean in NumPy"),
    ("accepts", "nonzero|where|argwhere|compress|extract", "",
        "^(Abstract tracer value|Attempted boolean conversion)", "positions that a traced mask has are those of NumPy"),
    ("value nan", r"'(nan|infinite)'.*(\.qr|svd|eigh|pinv|polymul|convolve|correlate|istft|expm|det|triangular|cho_)",
        "", "", "which results a NaN reaches depends on the order of sums"),
    ("value nan", r"'(nan|infinite)'.*(toeplitz|hankel)\(", "", "", "JAX's are products with zeros and ones"),
    ("error", "", "", "^(where|out) argument of|^(tuple|list|list assignment) index out of range$",
        "a call without its second operand, or with an axis too many: the line where JAX stumbles"),
    ("error", rf"({TWO_MISTAKES})\(", "", "", "which of two mistakes in a call is named"),
    ("error", r"lax\.reduce_(and|or|xor)\(", "grad|jvp|vmap", "^Differentiation rule for|is not in list",
        "floats have no bits, which JAX says later"),
    ("value", r"lax\.reduce_window\(.*('same'|SAME|\(\(|\[\()", "", "",
        "an initial value that is not neutral: here it comes in with every pad, as StableHLO says, in JAX not"),
    ("accepts error", r"lax\.reduce_window\(", "", "could not be broadcast together|^Operands must have the",
        "JAX stumbles over strides that are not given, and over a tangent of zero"),
    ("zero", r"fft\.i?hfft|toeplitz|hankel|companion|cumulative_sum|pinv|tensordot|matmul|i1e|fresnel|expit", "",
        "", "the sign of a zero that is a sum, as XLA orders it"),
    ("zero", r"multigammaln|stats\.(pareto|cauchy|expon)", "", "", "the sign of a zero that is no logarithm"),
    ("nan", r"jax\.scipy\.(stats|special)\.", "grad|jvp", "", "0 outside of the support: JAX's is 0 times infinity"),
    ("nan", r"bessel_jn|exp1|expi|gammainc|(chi2|gamma|gennorm|logistic|pareto)\.", "", "",
        "limits and small numbers where JAX's series has NaN"),
    ("value", r"cauchy\.(isf|ppf)|gennorm\.pdf|poisson\.entropy|sph_harm_y|expn\(-", "", "",
        "no probability, no distribution, no such order: numbers without a meaning"),
    ("value", r"'infinite'.*cauchy\.log|gammaln|loggamma|lgamma", "", "", "XLA without optimization errs by 5e-7"),
    ("value", r"(dirichlet|owens_t|kaiser|dct).*float16|float16.*(dirichlet|owens_t|kaiser|dct|weibull_min)", "", "",
        "half floats are summed in wider ones"),
    ("value nan", r"scipy\.linalg\.expm", "", "", "JAX's derivative of the exponential errs by 1e-3"),
    ("value", r"'large'.*(wofz|dawsn|logcdf|stats\.t\.)|corrcoef|'zeros'.*(polar|svd)|linalg\.svd", "grad|jvp", "",
        "differences of larger numbers, quotients of zeros"),
    ("value", r"zeta|hyp[12]f1|fresnel|spence|stats\.", "grad|jvp", "", "at poles, and outside of the support"),
    ("value", "'huge'.*imum.at", "grad|jvp", "", "ties of infinities"),
    ("value", r"cg\(", "vmap", "", "rows in another order are no positive definite matrix"),
    ("value", r"'infinite'.*gumbel_r.pdf|'(nan|infinite)'.*logistic\.|'zeros'.*from_rotvec", "", "",
        "infinity minus infinity; half a turn is one in either direction"),
    ("shape", r"istft\(.*noverlap=0", "", "", "JAX takes no overlap for the default"),
    ("value", r"inf\b.*jnp\.(max|min)\(|'infinite'.*mean\(a0, axis=\(\)", "", "",
        "an infinity is the largest integer, and a number over 1 is itself"),
    ("value", r"broadcast_shapes|'zeros'.*cholesky_update", "", "", "lengths are ints, and R is triangular"),
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
