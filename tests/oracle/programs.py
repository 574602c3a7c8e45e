"""The programs of the sweep: for every public function from its signature, and from the patterns; by a seed."""

from __future__ import annotations

import importlib
import inspect
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import kinds

PATTERNS = Path(__file__).with_name("patterns.txt")
MODULES = {
    "numpy": "jnp", "numpy.linalg": "jnp.linalg", "numpy.fft": "jnp.fft", "lax": "lax", "lax.linalg": "lax.linalg",
    "nn": "jax.nn", "random": "jax.random", "image": "jax.image", "ops": "jax.ops", "dtypes": "jax.dtypes",
    **{f"scipy.{m}": f"jax.scipy.{m}" for m in (
        "special", "linalg", "signal", "fft", "integrate", "ndimage", "cluster.vq", "stats")},
    **{f"scipy.stats.{m}": f"jax.scipy.stats.{m}" for m in (
        "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace "
        "logistic multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises "
        "wrapcauchy").split()},
}
# What writes, reads or prints, takes functions, makes nothing to compare, or is made by a pattern.
LEFT_OUT = set("""
apply_along_axis apply_over_axes array_repr array_str choose einsum einsum_path from_dlpack frombuffer fromfile
fromfunction fromiter frompyfunc fromstring get_printoptions load mask_indices piecewise printoptions save savez
select set_printoptions vectorize iterable empty empty_like associative_scan scan map fori_loop while_loop cond switch
custom_root custom_linear_solve reduce reduce_window gather scatter scatter_add scatter_sub scatter_mul scatter_min
scatter_max scatter_apply composite platform_dependent psum pmean pmax pmin all_gather all_to_all psum_scatter
ppermute pshuffle pswapaxes pcast pbroadcast psend precv ragged_all_to_all axis_index axis_size create_token after_all
rng_uniform funm Partial wrap_key_data key_impl conv_general_dilated_local ragged_dot ragged_dot_general scaled_dot
scaled_matmul scaled_dot_general get_scaled_dot_general_config with_sharding_constraint reduce_p eig eigvals
rng_bit_generator dot_product_attention conv_general_permutations conv_general_shape_tuple conv_transpose_shape_tuple
conv_shape_tuple conv_dimension_numbers minimize ConvGeneralDilatedDimensionNumbers DotDimensionNumbers stage
unravel_pytree random_insert
""".split())
_FLOATS = ["float32"] * 6 + ["int32", "float16", "bfloat16", "complex64", "bool", "int8", "uint8"]
_MATRICES = [(3, 3), (2, 2), (2, 3, 3), (1, 1), (0, 0), (2, 3), (3, 2), (3,), (), (2, 2, 2, 2)]
# (module, shapes, dtypes, numbers): the first that matches says what a program is about.
FAMILIES = [
    (r"numpy\.linalg|scipy\.linalg|lax\.linalg", _MATRICES, _FLOATS, None),
    (r"numpy\.fft|scipy\.fft", [(4,), (3,), (2, 4), (2, 3), (2, 2, 3), (1,), (0,), ()], _FLOATS, None),
    (r"scipy\.(special|stats)", [(3,), (2, 3), (), (4,)], _FLOATS, ["plain", "positive", "unit", "nan", "infinite",
        "zeros",
                                                             "large", "whole", "ties", "positive", "unit", "plain"]),
    (r"scipy\.signal", [(8,), (2, 8), (5,), (3, 4), (4, 4)], _FLOATS, None),
    (r"nn|image|random", [(3,), (2, 3), (4,), (2, 2, 3), ()], _FLOATS, None),
    (r"lax", [(3,), (2, 3), (), (2, 3), (3, 3), (0,), (1, 3), (2, 2, 3)], _FLOATS, None),
]


@dataclass(frozen=True)
class Program:
    """A call: the text, in which the operands are a0, a1, ..., and the texts of those."""

    function: str
    text: str
    operands: tuple[str, ...]

    @property
    def key(self):
        """Return the program as one text."""
        return "; ".join([*self.operands, self.text])


def programs(m, count: int, seed: int, only: str = "") -> Iterator[Program]:
    """Yield the programs about the functions that match `only`, `count` for each way to make them."""
    for function, make in sources(m):
        if re.search(only, function):
            seen = set()
            for i in range(count):
                program = make(random.Random(f"{seed}:{function}:{make.__name__}:{getattr(make, 'which', '')}:{i}"))
                if program.key not in seen:
                    seen.add(program.key)
                    yield program


def sources(m):
    """Return (function, how to make a program about it), for all."""
    yield from from_patterns()
    for module, shown in MODULES.items():
        found = importlib.import_module(f"{m.__name__}.{module}")
        theirs = getattr(found, "__all__", None) or dir(found)
        for name in sorted(theirs):
            function = getattr(found, name)
            if name.startswith("_") or name.endswith("_p") or name in LEFT_OUT or not _has_signature(function):
                continue
            yield f"{shown}.{name}", _from_signature(module, f"{shown}.{name}", function)


def _has_signature(function):
    if not callable(function) or inspect.isclass(function):
        return False
    try:
        return bool(inspect.signature(function))
    except (TypeError, ValueError):
        return False


def _family(module):
    for pattern, shapes, dtypes, data in FAMILIES:
        if re.match(pattern, module):
            return shapes, dtypes, data
    return None, None, None


def _from_signature(module, shown, function):
    parameters = [p for p in inspect.signature(function).parameters.values()
                  if p.kind not in (p.VAR_KEYWORD,) and not p.name.startswith("_")]
    shapes, dtypes, data = _family(module)

    def signature(rng):
        d = kinds.Draw(rng, shapes, dtypes, data)
        d.fixed = False
        texts, by_name = [], False
        for p in parameters:
            required = p.default is p.empty
            if p.kind is p.VAR_POSITIONAL:
                texts += [kinds.array(d) for _ in range(d.pick(1, 2, 2))] if not by_name else []
                by_name = True
                continue
            if not required and not d.chance(.3):
                by_name = by_name or p.kind is not p.POSITIONAL_ONLY
                if p.kind is p.POSITIONAL_ONLY:
                    break
                continue
            text = _argument(d, module, shown, p)
            if text is None:
                by_name = True
                continue
            if p.kind is p.KEYWORD_ONLY or by_name or (not required and d.chance(.6)) or (
                    p.kind is p.POSITIONAL_OR_KEYWORD and d.chance(.1)):
                by_name = True
                texts.append(f"{p.name}={text}")
            else:
                texts.append(text)
        return Program(shown, f"{shown}({', '.join(texts)})", tuple(d.operands))

    return signature


def _argument(d, module, shown, p):
    own = kinds.OWN.get(f"{shown}:{p.name}")
    if own:
        return own(d)
    if p.name in kinds.KINDS:
        found = kinds.KINDS[p.name]
        return found and found(d)
    if p.default is p.empty or p.default is None and p.name in ("a", "b", "x", "y", "m", "v", "d", "r"):
        return (kinds.lax_array if module.startswith("lax") else kinds.array)(d)
    if isinstance(p.default, bool):
        return kinds.flag(d)
    if isinstance(p.default, int):
        return kinds.small(d)
    if isinstance(p.default, float):
        return kinds.scalar(d)
    return None


def from_patterns():
    """Yield (function, how to make a program) for each line of the patterns."""
    shapes = dtypes = data = None
    for line in PATTERNS.read_text(encoding="utf8").replace(" \\\n", "").splitlines():
        if line.startswith("@"):
            shapes, dtypes, data = (None if part.strip() == "-" else eval(part) for part in line[1:].split("|"))
            dtypes, data = dtypes and dtypes.split(), data and data.split()
        elif line and not line.startswith("#"):
            text, _, listed = line.partition(" with ")
            for name in listed.split() or [""]:
                pattern = re.sub(r"\._(?!\w)", f".{name}", text) if name else text
                yield _name_of(pattern), _from_pattern(pattern, shapes, dtypes, data)


def _name_of(pattern):
    found = re.search(r"\b((jnp|lax|jax)(\.[A-Za-z]\w*)+)", pattern)
    return found[1] if found and not pattern.startswith("{") else "Array: " + re.sub(r"\{|\}", "", pattern)[:30]


def _from_pattern(text, shapes, dtypes, data):
    def pattern(rng):
        d = kinds.Draw(rng, shapes, dtypes, data)
        made = re.sub(r"\{(\w+)\}", lambda hole: kinds.kind(hole[1])(d), text)
        return Program(_name_of(text), made, tuple(d.operands))

    pattern.which = text
    return pattern
