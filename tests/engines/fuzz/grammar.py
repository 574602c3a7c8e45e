"""Random programs of everything that is compiled.

A value knows whether it is the same on all engines to the last bit (`exact`): what jumps, such as a comparison, a sort
or a conversion to integers, is applied to those only, since elsewhere rounding would decide.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.prims import integrals
from adjoint.prims.hypergeometric import expn, hyp1f1, hyp2f1

SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 64, 65)
FLOATS = "float32 float32 float32 float64 float64 bfloat16 float16".split()
INTEGERS = "int32 int32 int64 int8 uint8 int16 uint16 uint32 uint64".split()
SMALL = """float8_e4m3fn float8_e5m2 float8_e4m3b11fnuz float8_e3m4 int4 uint4 int2 float4_e2m1fn float8_e8m0fnu uint2
    float8_e4m3 float8_e4m3fnuz float8_e5m2fnuz""".split()
DTYPES = (*FLOATS, *FLOATS, *FLOATS, *INTEGERS, *INTEGERS, *["bool", "complex64"] * 3, *["complex128"] * 2, *SMALL)
MOST = 3000  # elements of an array
MAX_DEPTH = 3  # of loops, branches and transformations in one another


class Value(NamedTuple):
    array: object
    exact: bool

    @property
    def kind(self) -> str:
        """As NumPy has it; `s` for numbers of less than 8 bits and float8."""
        if self.array.dtype.name in SMALL:
            return "s"
        return {"V": "f"}.get(self.array.dtype.kind, self.array.dtype.kind)

    @property
    def shape(self):
        return self.array.shape


class Program:
    """A number decides it: inputs, operations and their parameters. With `reverse`, it can be differentiated so."""

    def __init__(self, number: int, reverse: bool = False):
        self.number, self.reverse = number, reverse
        rng = self.rng = np.random.default_rng(number)
        self.inputs = [self.input() for _ in range(rng.integers(1, 4))]
        self.choices = np.random.default_rng(rng.integers(2**32))
        self.turns = int(rng.integers(2, 9))
        self.state = self.choices.bit_generator.state

    def input(self):
        rng, dtype = self.rng, jnp.dtype(self.rng.choice(DTYPES))
        shape = tuple(int(n) for n in rng.choice(SIZES, rng.integers(0, 4)))
        while np.prod(shape) > MOST:
            shape = shape[1:]
        x = rng.normal(size=shape) * 3
        if dtype.kind == "c":
            x = x + 1j * rng.normal(size=shape)
        if dtype.kind == "u":
            x = np.abs(x)
        if "int" in dtype.name and dtype.name in SMALL:
            x = np.round(np.abs(x)) % (2 if dtype.name == "int2" else 4)
        if rng.random() < 0.3 and dtype.kind != "c":
            x = np.round(x)
        return np.asarray(jnp.asarray(x).astype(dtype))

    # ---- choices ---------------------------------------------------------------------------------

    def pick(self, options):
        return options[int(self.choices.integers(len(options)))]

    def chance(self, p: float) -> bool:
        return bool(self.choices.random() < p)

    def below(self, n: int) -> int:
        return int(self.choices.integers(max(n, 1)))

    def axis(self, x) -> int:
        return self.below(len(x.shape))

    def like(self, x: Value, others) -> Value:
        """Another value, with the shape and dtype of x."""
        y = self.pick(others)
        if y.kind == "c" and x.kind != "c":
            y = Value(y.array.real, y.exact)
        if not y.exact and (x.kind not in "fc"):
            y = x
        if not y.exact and coarser(y.array.dtype, x.array.dtype):
            y = x
        exact = y.exact
        array = y.array
        if x.kind == "s" and y.kind != "s":
            array = jnp.clip(jnp.nan_to_num(array.real.astype("float32")), 0, 3)
            exact = exact and y.kind not in "fc"
        if y.kind == "s" and x.kind != "s":
            array = jnp.clip(jnp.nan_to_num(array.astype("float32")), 0, 9)
        if y.kind != x.kind and y.kind in "fc" and x.kind in "iub":
            array = jnp.clip(jnp.nan_to_num(array.real), 0, 100)
        array = array.astype(x.array.dtype).reshape(-1)
        n = int(np.prod(x.shape))
        array = jnp.resize(array, (n,)) if array.size else jnp.zeros((n,), x.array.dtype)
        return Value(array.reshape(x.shape), exact)

    def indices(self, n: int, shape):
        values = self.choices.integers(-2 * n - 2, 2 * n + 3, shape)
        return jnp.asarray(values.astype(self.pick(["int32", "int64", "int8"])))

    # ---- running ---------------------------------------------------------------------------------

    def __call__(self, *inputs):
        self.choices.bit_generator.state = self.state
        self.depth = 0
        values = [Value(jnp.asarray(x), True) for x in inputs]
        for _ in range(self.turns):
            x = self.pick(values[-3:] if self.chance(0.6) else values)
            made = self.operation(x, values)
            if made is not None and made.array.size <= MOST:
                values.append(bounded(made))
        self.exact = [v.exact for v in values[len(inputs) :]]
        return [v.array for v in values[len(inputs) :]]

    def operation(self, x: Value, values) -> Value | None:
        if x.kind == "s":
            return small(self, x, values)
        families = [moving, moving, arithmetic, arithmetic, functions, reductions, indexing, sorting, others]
        if self.depth < MAX_DEPTH:
            families += [control, transformed][: 2 if self.depth < 2 or self.chance(0.3) else 1]
        return self.pick(families)(self, x, values)


def coarser(dtype, other) -> bool:
    """Whether rounding errors of one dtype are more than is allowed in another."""
    width = lambda d: d.itemsize // (2 if d.kind == "c" else 1)
    return width(dtype) < width(other)


def bounded(x: Value) -> Value:
    """What could grow without end is kept small."""
    if x.exact or x.kind not in "fc":
        return x
    a = x.array
    if x.kind == "c":
        return Value(lax.complex(jnp.clip(a.real, -8, 8), jnp.clip(a.imag, -8, 8)), False)
    return Value(jnp.clip(jnp.where(jnp.isnan(a), jnp.ones_like(a), a), -8, 8), False)


def small(p: Program, x: Value, values) -> Value | None:
    """What is computed in wider numbers and rounded once is the same on both engines."""
    a, rank = x.array, len(x.shape)
    kind = p.below(8)
    if kind < 2:
        return moving(p, x, values)
    if kind == 2:
        return indexing(p, x, values)
    if kind == 3 and rank and a.size and x.exact:
        axis = p.axis(x)
        return Value(p.pick((
            lambda: jnp.sort(a, axis), lambda: jnp.argmax(a, axis), lambda: lax.cummax(a, axis), lambda: a.max(axis),
            lambda: a.min(axis), lambda: lax.top_k(a, 1)[0],
        ))(), True)
    if kind == 4:
        return Value(a.astype(p.pick((*FLOATS, *INTEGERS, *SMALL))), x.exact)
    if kind == 5:
        return Value(a.astype("float32") * 1.5, x.exact)
    y = p.like(x, values)
    if not (x.exact and y.exact):
        return Value(a.astype("float32"), False)
    b = y.array
    about_bits = (
        lambda: lax.nextafter(a, b), lambda: lax.reduce_precision(a, *p.pick(((5, 2), (4, 3), (3, 0), (8, 7)))),
    ) if "float" in a.dtype.name else (
        lambda: lax.shift_right_logical(a, b), lambda: lax.shift_right_arithmetic(a, b), lambda: lax.shift_left(a, b),
        lambda: lax.population_count(a), lambda: lax.clz(a), lambda: lax.mulhi(a, b),
    )
    return Value(p.pick((
        lambda: a + b, lambda: a - b, lambda: a * b, lambda: jnp.maximum(a, b), lambda: a < b, lambda: a == b,
        lambda: jnp.where(a < b, a, b), lambda: lax.max(a, b), lambda: abs(a) if a.dtype.name[0] != "u" else a,
        lambda: a.at[p.indices(len(a), (4,))].add(b[:1]) if a.size and rank else a, *about_bits,
        lambda: lax.reduce(a, a.dtype.type(1), lax.max, tuple(range(rank)[:2])),
    ))(), True)


# ---- families ------------------------------------------------------------------------------------


def moving(p: Program, x: Value, values) -> Value | None:
    a, rank = x.array, len(x.shape)
    kind = p.below(13)
    if kind == 0:
        a = jnp.transpose(a, p.choices.permutation(rank))
    elif kind == 1:
        sizes = [d for d in range(1, a.size + 1) if a.size % d == 0] or [0]
        d = p.pick(sizes)
        a = a.reshape((d, a.size // d) if d else (0,))
        a = a.reshape(-1) if p.chance(0.3) else a
    elif kind == 2:
        wide = p.pick((a[None], a[..., None], a))
        a = jnp.broadcast_to(a, (p.pick((1, 2, 3)), *a.shape)) if wide is a else wide
    elif not rank:
        return None
    elif kind == 3:
        axis = p.axis(x)
        start, step = p.below(x.shape[axis]), p.pick((1, 1, 2, 3))
        a = lax.slice_in_dim(a, start, x.shape[axis], step, axis)
    elif kind == 4:
        a = jnp.flip(a, p.axis(x))
    elif kind == 5:
        a = jnp.concatenate([a, p.like(x, values).array if p.chance(0.5) else a], p.axis(x))
        return Value(a, x.exact and all(v.exact for v in values))
    elif kind == 6:
        a = lax.pad(a, np.zeros((), a.dtype), [tuple(int(v) for v in p.choices.integers((-1, -1, 0), (4, 4, 3)))
                                               if n > 1 else (1, 0, 0) for n in x.shape])
    elif kind == 7:
        a = jnp.tile(a, [p.pick((1, 1, 2, 3)) for _ in range(rank)])
    elif kind == 8:
        a = jnp.roll(a, p.below(9) - 4, p.axis(x))
    elif kind == 9:
        y = p.like(x, values)
        return Value(jnp.stack([a, y.array], p.below(rank + 1)), x.exact and y.exact)
    elif kind == 10:
        a = jnp.repeat(a, p.pick((1, 2, 3)), p.axis(x))
    elif kind == 11:
        pieces = jnp.array_split(a, p.pick((1, 2, 3)), p.axis(x))
        a = pieces[p.below(len(pieces))]
    else:
        a = jnp.squeeze(a) if p.chance(0.3) else jnp.moveaxis(a, p.axis(x), p.axis(x))
    return Value(a, x.exact)


def arithmetic(p: Program, x: Value, values) -> Value | None:
    y, a = p.like(x, values), x.array
    b, exact = y.array, x.exact and y.exact
    if x.kind == "b":
        return Value(p.pick((jnp.logical_and, jnp.logical_or, jnp.logical_xor))(a, b), exact)
    if x.kind in "iu":
        one = a.dtype.type(1)
        return Value(p.pick((
            lambda: a + b, lambda: a - b, lambda: a * b, lambda: a & b, lambda: a | ~b, lambda: a ^ b,
            lambda: lax.shift_left(a, b), lambda: lax.shift_right_logical(a, b), lambda: jnp.maximum(a, b),
            lambda: lax.shift_right_arithmetic(a, b), lambda: lax.div(a, b), lambda: lax.rem(a, b),
            lambda: lax.population_count(a), lambda: lax.clz(a), lambda: lax.mulhi(a, b), lambda: jnp.minimum(a, b),
            lambda: lax.clamp(a.dtype.type(2), a, a.dtype.type(9)), lambda: a // jnp.where(b == 0, one, b), lambda: -a,
            lambda: jnp.where(a < b, a, b), lambda: jnp.sign(a), lambda: lax.integer_pow(a, p.pick((2, 3, 5))),
        ))(), exact)
    if x.kind == "c" and exact and p.chance(0.3):
        return Value(p.pick((
            lambda: lax.max(a, b), lambda: lax.min(a, b), lambda: a == b, lambda: a != b, lambda: lax.clamp(b, a, b),
        ))(), True)
    if x.kind == "c":
        return Value(p.pick((
            lambda: a + b, lambda: a - b, lambda: a * b, lambda: a / (2 + b * b.conj()), lambda: a.conj(),
            lambda: jnp.where(jnp.arange(a.size).reshape(a.shape) % 3 == 0, a, b), lambda: -a,
        ))(), False)
    if exact and p.chance(0.4):
        return Value(p.pick((
            lambda: jnp.maximum(a, b), lambda: jnp.where(a < b, a, b), lambda: a == b, lambda: a <= b, lambda: -a,
            lambda: jnp.sign(a), lambda: jnp.floor(a), lambda: jnp.round(a), lambda: jnp.ceil(a), lambda: abs(a),
            lambda: jnp.isfinite(a), lambda: lax.nextafter(a, b),
            lambda: lax.reduce_precision(a, 5, 7), lambda: lax.clamp(a.dtype.type(-1), a, a.dtype.type(2)),
            lambda: jnp.trunc(a).astype(p.pick(INTEGERS[:3])), lambda: a > 0,
        ))(), True)
    return Value(p.pick((
        lambda: a + b, lambda: a - b, lambda: a * b, lambda: a / (1 + b * b), lambda: jnp.maximum(a, b),
        lambda: jnp.minimum(a, b), lambda: a * a, lambda: abs(a), lambda: jnp.power(abs(a) + 1, b / 4),
        lambda: a.astype(p.pick([t for t in FLOATS if not coarser(a.dtype, jnp.dtype(t))])),
        lambda: jnp.where(jnp.arange(a.size).reshape(a.shape) % 2 == 0, a, b),
        lambda: lax.clamp(a.dtype.type(-1), a, a.dtype.type(2)), lambda: jnp.hypot(a, b), lambda: jnp.logaddexp(a, b),
        lambda: lax.complex(*[v.astype("float32") for v in (a, b)]), lambda: jnp.arctan2(b, abs(a) + 1),
    ))(), False)


def functions(p: Program, x: Value, values) -> Value | None:
    a = x.array
    if x.kind in "iub":
        new = p.pick(("float32", "int32", "bool", "bfloat16", "uint8", "int64", "float16", *SMALL[:6:2]))
        return Value(a.astype(new), x.exact)
    if x.kind == "f" and x.exact and p.chance(0.05):
        return Value(a.astype(p.pick(("float16", "bfloat16", *SMALL))), True)
    if x.kind == "c":
        wofz = lambda v: integrals.wofz(lax.complex(v.real, abs(v.imag)))
        inverses = [lambda v, f=f: f(jnp.clip(v.real, -3, 3) + 0.5j) for f in (jnp.arcsin, jnp.arctanh, jnp.arccosh)]
        return Value(p.pick(
            (jnp.exp, jnp.real, jnp.imag, jnp.abs, jnp.sin, jnp.cosh, jnp.tanh, lax.square, wofz, *inverses)
        )(a), False)
    positive = abs(a) + 0.25
    fixed = lax.stop_gradient(positive)  # for what has one derivative
    return Value(p.pick((
        lambda: jnp.tanh(a), lambda: jnp.exp(-abs(a)), lambda: jnp.log1p(abs(a)), lambda: jnp.sin(a),
        lambda: jnp.cos(a),
        lambda: lax.erf(a), lambda: ax.nn.sigmoid(a), lambda: jnp.sqrt(positive), lambda: jnp.cbrt(positive),
        lambda: jnp.arctan(a), lambda: jnp.expm1(jnp.minimum(a, 2)), lambda: lax.lgamma(positive + 1),
        lambda: lax.digamma(positive + 1), lambda: lax.bessel_i0e(a), lambda: lax.bessel_i1e(a),
        lambda: lax.igamma(fixed, positive[::-1] if a.ndim else positive), lambda: lax.igammac(fixed, positive),
        lambda: integrals.sine_integral(a), lambda: integrals.fresnel_c(jnp.clip(a, -9, 9)),
        lambda: integrals.bessel_j(jnp.clip(a, -99, 99), order=p.pick((0, 1, 4, 40))),
        lambda: expn(jnp.full_like(a, 2), positive), lambda: integrals.owens_t(a, positive),
        lambda: hyp1f1(positive, positive + 1, -abs(a)), lambda: hyp2f1(positive, a, positive + 2, jnp.tanh(a) / 2),
        lambda: lax.zeta(positive + 1.5, positive), lambda: lax.erf_inv(jnp.tanh(a) * 0.9), lambda: lax.rsqrt(positive),
        lambda: lax.integer_pow(a, p.pick((2, 3, -1, 5))), lambda: lax.erfc(a),
        lambda: lax.betainc(positive, positive, ax.nn.sigmoid(a)), lambda: jnp.arcsinh(a), lambda: ax.nn.gelu(a),
        lambda: ax.nn.softmax(a, -1) if a.ndim and a.size else a, lambda: lax.exp2(jnp.minimum(a, 3)),
        lambda: lax.polygamma(jnp.full_like(a, p.pick((0, 1, 2))), positive), lambda: jnp.sinh(jnp.clip(a, -3, 3)),
        lambda: ax.vmap(jnp.sum)(a.reshape(a.shape[0], -1)) if a.ndim and a.size else a,
        lambda: ax.grad(lambda v: jnp.sum(jnp.tanh(v) * jnp.cos(v)))(a), lambda: ax.jvp(jnp.sin, (a,), (a,))[1],
        lambda: a - a.mean(-1, keepdims=True) if a.ndim and a.size else a,
    ))(), False)


def reductions(p: Program, x: Value, values) -> Value | None:
    a, rank = x.array, len(x.shape)
    if not rank:
        return None
    axes = tuple(sorted({p.axis(x) for _ in range(p.below(rank) + 1)}))
    keep = p.chance(0.4)
    if x.kind == "c":
        kind, axis, reverse = p.below(5), p.axis(x), p.chance(0.4)
        unit = a / (1 + abs(a))
        if kind == 0 and a.size:
            return Value(p.pick((jnp.max, jnp.min))(a, axes, keepdims=keep), True) if x.exact else None
        if kind == 1:
            name = p.pick(("cummax", "cummin", "cumprod", "cumprod", "cumsum"))
            if name in ("cummax", "cummin"):
                return Value(getattr(lax, name)(a, axis, reverse), True) if x.exact else None
            return Value(getattr(lax, name)(unit, axis, reverse), False)
        if kind == 2:
            times = lambda u, v: u * v
            return Value(lax.reduce(unit, np.asarray(1j, a.dtype), times, axes), False)
        if kind == 3 and a.size:
            window = [min(n, p.pick((1, 2, 3, 5))) for n in x.shape]
            strides = [p.pick((1, 1, 2)) for _ in window]
            op = p.pick((lambda u, v: u * v, lambda u, v: u + v))
            out = lax.reduce_window(unit, np.asarray(1, a.dtype), op, tuple(window), tuple(strides), "SAME")
            return Value(out, False)
        if not a.size:
            return Value(p.pick((jnp.sum, jnp.prod))(a, axes), False)
        return Value(p.pick((
            lambda: jnp.sum(a, axes, keepdims=keep), lambda: jnp.mean(a, axes, keepdims=keep),
            lambda: jnp.prod(unit, axes, keepdims=keep), lambda: jnp.prod(unit, axes, keepdims=keep),
        ))(), False)
    if x.kind == "b":
        return Value(p.pick((jnp.any, jnp.all, jnp.sum))(a, axes, keepdims=keep), x.exact)
    initial = dict(initial=1)
    kind = p.below(9)
    if kind < 2:
        return Value(p.pick((jnp.max, jnp.min))(a, axes, keepdims=keep, **initial), x.exact)
    if kind == 2 and x.exact and a.size:
        return Value(p.pick((jnp.argmax, jnp.argmin))(a, axes[0], keepdims=keep), True)
    if kind == 3:
        small = a if x.kind != "f" else jnp.tanh(a)
        return Value(jnp.prod(small, axes, keepdims=keep), x.exact and x.kind != "f")
    if kind == 4 and x.kind in "iu":
        return Value(p.pick((lax.reduce_and, lax.reduce_or, lax.reduce_xor))(a, axes=axes), x.exact)
    if kind == 5:
        reverse, axis = p.chance(0.4), p.axis(x)
        names = "cumsum cumprod cummax cummin".split() + ["cumlogsumexp"] * (x.kind == "f")
        name = p.pick(names)
        small = jnp.tanh(a) if x.kind == "f" and name == "cumprod" else a
        exact = x.exact and (x.kind != "f" or name in ("cummax", "cummin"))
        return Value(getattr(lax, name)(small, axis=axis, reverse=reverse), exact)
    if kind == 6 and rank <= 3 and a.size and a.dtype.name not in ("bfloat16", "float16", "int8", "uint8"):
        window = [min(n, p.pick((1, 2, 3, 9))) for n in x.shape]
        strides = [p.pick((1, 1, 2)) for _ in window]
        padding = [(p.below(w), p.below(w)) for w in window] if p.chance(0.5) else p.pick(("SAME", "VALID"))
        greater = lambda u, v: jnp.where(u < v, v, u)
        op, start = p.pick(((lax.add, 0), (lax.max, 1), (lax.min, 1), (greater, 2)))
        out = lax.reduce_window(a, np.asarray(start, a.dtype), op, tuple(window), tuple(strides), padding)
        return Value(out, x.exact and (x.kind != "f" or op is not lax.add))
    if kind == 7 and x.kind != "b":
        greatest = lambda u, v: jnp.where(u < v, v, u)
        return Value(lax.reduce(a, np.asarray(1, a.dtype), greatest, axes), x.exact) if x.exact else None
    return Value(jnp.sum(a, axes, keepdims=keep, dtype=a.dtype), x.exact and x.kind != "f")


def indexing(p: Program, x: Value, values) -> Value | None:
    a, rank = x.array, len(x.shape)
    if not rank or not a.size:
        return None
    axis = p.axis(x)
    n, modes = x.shape[axis], ("clip", "fill", "wrap", "promise_in_bounds", None)
    kind = p.below(8)
    at = (slice(None),) * axis
    if kind == 0:
        mode = p.pick(modes)
        i = p.indices(n, p.pick(((3,), (2, 2), (), (9,))))
        i = jnp.abs(i.astype("int32")) % n if mode == "promise_in_bounds" else i
        out = jnp.take(a, i, axis, mode=mode if mode != "promise_in_bounds" else "clip")
        return Value(jnp.nan_to_num(out) if x.kind in "fc" and mode in ("fill", None) else out, x.exact)
    if kind == 1:
        i = p.indices(n, (5,))
        update = p.like(Value(jnp.take(a, jnp.zeros(5, "int32"), axis), x.exact), values)
        methods = ("set", "add", "max", "min", "multiply") if x.kind in "iuf" else ("set",)
        method = p.pick(("set", "add", "subtract") if x.kind == "c" else methods)
        if x.kind in "iufc" and p.chance(0.2):
            apply = p.pick((lambda v: v * v + 1, lambda v: v + v)) if x.kind != "f" else (lambda v: v / 2)
            return Value(a.at[(*at, i)].apply(apply), x.exact and x.kind != "c")
        ref = a.at[(*at, i)]
        mode = p.pick(("clip", "drop", None))
        exact = x.exact and update.exact and (x.kind != "f" or method in ("set", "max", "min"))
        return Value(getattr(ref, method)(update.array, mode=mode), exact)
    if kind == 2:
        i = [p.indices(d, ()) for d in x.shape]
        sizes = [p.below(d) + 1 for d in x.shape]
        return Value(lax.dynamic_slice(a, [v.astype("int32") for v in i], sizes), x.exact)
    if kind == 3:
        i = [p.indices(d, ()).astype("int32") for d in x.shape]
        sizes = [p.below(d) + 1 for d in x.shape]
        update = a[tuple([slice(0, s) for s in sizes])]
        return Value(lax.dynamic_update_slice(a, update + a[(0,) * rank] if x.kind in "iu" else update, i), x.exact)
    if kind == 4 and x.exact and x.kind != "c":
        order = jnp.argsort(a, axis=axis)
        return Value(jnp.take_along_axis(a, order[..., ::-1], axis), True)
    if kind == 5:
        return Value(a[(*at, p.below(n))], x.exact)
    if kind == 6:
        return Value(a[(*at, slice(None, None, -1 if p.chance(0.5) else 2))], x.exact)
    i, j = p.indices(n, (4,)), p.indices(x.shape[0], (4,))
    return Value(a[j] if axis == 0 else jnp.moveaxis(a, axis, 1)[j, i], x.exact)


def sorting(p: Program, x: Value, values) -> Value | None:
    a, rank = x.array, len(x.shape)
    if not rank or not a.size or not x.exact:
        return None
    axis = p.axis(x)
    kind = p.below(5) if x.kind != "c" else p.pick((0, 3))
    if kind == 0:
        return Value(lax.sort(a, dimension=axis), True)
    if kind == 1:
        return Value(jnp.argsort(a, axis=axis, descending=p.chance(0.4)), True)
    if kind == 2:
        return Value(lax.top_k(a, p.below(x.shape[-1]) + 1)[p.below(2)], True)
    y = p.like(x, values)
    if not y.exact:
        return None
    key = jnp.round(a) if x.kind == "f" else a
    keys = p.pick((1, 2))
    return Value(lax.sort((key, y.array, a), dimension=axis, num_keys=keys)[p.below(3)], True)


def others(p: Program, x: Value, values) -> Value | None:
    a, rank = x.array, len(x.shape)
    kind = p.below(7)
    if kind == 0:
        key = ax.random.fold_in(ax.random.key(p.below(99), impl=p.pick((None, "rbg"))), p.below(9))
        shape = tuple(x.shape) if a.size else (3,)
        bits = lambda: Value(ax.random.bits(key, shape, p.pick(("uint8", "uint32", "uint64"))), True)
        return p.pick((
            bits, lambda: Value(ax.random.uniform(key, shape, "float32"), True),
            lambda: Value(ax.random.normal(key, shape, "float32"), False),
            lambda: Value(ax.random.permutation(key, 50), True),
            lambda: Value(ax.random.randint(key, shape, -5, 99), True),
        ))()
    if kind == 1 and rank >= 2 and x.kind in "fiuc" and a.size:
        y = p.like(x, values).array
        rows, k = a.reshape(-1, x.shape[-1]), x.shape[-1]
        wide = p.pick((None, "int32", "int64")) if x.kind == "i" and a.dtype.itemsize < 4 else None
        out = jnp.matmul(rows[:30], y.reshape(-1, k)[:20].T, preferred_element_type=wide)
        return Value(out if x.kind in "iu" else out / k, x.exact and x.kind in "iu" and all(v.exact for v in values))
    if kind == 2 and rank == 3 and x.kind in "fc" and a.size:
        y = p.like(x, values).array
        return Value(lax.dot_general(a, y, (((2,), (2,)), ((0,), (0,)))) / x.shape[2], False)
    if kind == 3 and x.kind in "fiuc" and a.size >= 8:
        n = a.size // 2
        signal = a.reshape(-1)[: n * 2].reshape(1, 2, n)
        if n >= 16 and p.chance(0.2):
            image = signal[..., : n // 16 * 16].reshape(1, 2, 2, -1, 2, 4)
            out = lax.conv(image, image[:, :, :, :1, :, :2], (1, 1, 1, 1), "SAME")
            return Value(out, x.exact) if x.kind in "iu" else Value(out / 16, False)
        taps = a.reshape(-1)[: min(6, a.size // 2 * 2) // 2 * 2].reshape(1, 2, -1)
        out = lax.conv_general_dilated(
            signal, taps, (p.pick((1, 2)),), [(p.below(4), p.below(4))], (p.pick((1, 1, 2)),), (p.pick((1, 1, 2)),)
        )
        return Value(out, x.exact) if x.kind in "iu" else Value(out / 6, False)
    if kind == 4 and x.exact and x.kind in "iuf" and a.dtype.itemsize in (4, 8):
        new = p.pick(("uint8", "int16", f"uint{8 * a.dtype.itemsize}"))
        return Value(lax.bitcast_convert_type(a, new), True)
    if kind == 5 and x.kind == "f" and rank == 2 and a.size:
        window = p.pick(((2, 2), (9, 8)))
        pool = lambda v: lax.reduce_window(v, -np.inf, lax.max, window, (1, 1), "SAME").sum()
        return Value(ax.grad(pool)(a), True) if x.exact and a.dtype.itemsize >= 4 else None
    if kind == 6 and rank:
        def fold(v):
            return ax.vmap(lambda row: row[::-1] * 2 if x.kind in "iu" else row[::-1])(v)

        return Value(fold(a), x.exact) if rank >= 2 else None
    return None


def body(p: Program, v, exact: bool) -> Value:
    """Some operations on an array, and their result in its form."""
    start = Value(v, exact)
    p.depth += 1
    known = [start]
    for _ in range(p.pick((1, 2, 3))):
        made = p.operation(p.pick(known), known)
        if made is not None and 0 < made.array.size <= MOST:
            known.append(bounded(made))
    p.depth -= 1
    last = known[-1]
    if last.kind == "c" and start.kind != "c":
        last = Value(last.array.real, last.exact)
    if not last.exact and (start.kind not in "fc" or coarser(last.array.dtype, v.dtype)):
        last = start
    array = last.array
    if last.kind in "fc" and start.kind in "iub":
        array = jnp.clip(jnp.nan_to_num(array.real), 0, 100)
    array = jnp.resize(array.astype(v.dtype).reshape(-1), (int(np.prod(v.shape)),)).reshape(v.shape)
    return Value(array, last.exact)


class Bodies:
    """Functions of arrays into arrays of the same form, and whether what they made so far is exact."""

    def __init__(self, p: Program, x: Value):
        self.program, self.exact = p, x.exact and x.kind not in "fc"

    def __call__(self, v):
        out = body(self.program, v, self.exact)
        self.exact = self.exact and out.exact
        return out.array


def control(p: Program, x: Value, values) -> Value | None:
    """Loops and branches with bodies of the same grammar."""
    a, rank, run = x.array, len(x.shape), Bodies(p, x)
    if not a.size:
        return None
    kind = p.below(3 if p.reverse else 4)
    if kind == 0 and rank:
        steps = a[:12]
        turn = lambda c, row: (run(c + row if x.kind in "iu" else c), run(row))
        out = lax.scan(turn, a[0], steps, reverse=p.chance(0.3))[p.below(2)]
    elif kind < 2:
        out = lax.fori_loop(0, p.pick((1, 3)), lambda i, c: run(c), a)
    elif kind == 2:
        which = p.below(3)
        out = lax.switch(jnp.int32(which - 1) + (a.ravel()[0] == a.ravel()[0]).astype("int32"), [run, run], a)
    else:
        out = lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, run(c[1])), (jnp.int32(0), a))[1]
    return Value(out, run.exact)


def transformed(p: Program, x: Value, values) -> Value | None:
    """Transformations of bodies of the same grammar."""
    a, rank, run = x.array, len(x.shape), Bodies(p, x)
    if not a.size:
        return None
    kind = p.below(8 if x.kind == "f" else 4)
    if kind == 0:
        return Value(ax.jit(lambda v: run(v))(a), run.exact)
    if kind == 1:
        return Value(ax.checkpoint(lambda v: run(v))(a), run.exact)
    if kind < 4:
        if not rank:
            return None
        axes = p.axis(x), p.axis(x)
        return Value(ax.vmap(lambda v: run(v), *axes)(a) if kind == 2 else lax.map(lambda v: run(v), a), run.exact)
    before, p.reverse = p.reverse, p.reverse or kind > 5
    tangent = (jnp.arange(a.size) % 3).reshape(a.shape).astype(a.dtype)
    out = (
        lambda: ax.jvp(run, (a,), (tangent,))[1], lambda: ax.linearize(run, a)[1](tangent),
        lambda: ax.grad(lambda v: jnp.sum(run(v)))(a), lambda: ax.vjp(run, a)[1](tangent)[0],
    )[kind - 4]()
    p.reverse = before
    return Value(out, False)
