"""The operands of programs: numbers of every dtype and kind, and what may stand for an array.

An operand is a text such as `A("float32", (2, 3), "nan", 7)`, read in the names of `names(module)`, so that a program
is text alone and means the same to both libraries. The numbers follow from the text: no stream is shared.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

# Each of them has something that a careless kernel gets wrong.
SPECIAL = {
    "nan": [np.nan, 1.5, -2.0, 0.25, np.nan, 3.0],
    "infinite": [np.inf, -1.5, 2.0, -np.inf, 0.5, -3.0],
    "zeros": [0.0, -0.0, 1.0, -0.0, 0.0, -1.0],
    "tiny": [1e-40, -3e-39, 1e-38, 0.0, -1e-45, 1.0],
    "huge": [3e38, -1e30, 2e19, 1e-30, -3e38, 7.0],
    "ties": [1.0, 2.0, 1.0, 1.0, 2.0, 0.0],
}
EXTREME = {"low": 0, "high": 1}


def numbers(dtype, shape, kind, seed):
    """Return the array of NumPy that an operand's text names."""
    dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    stream = np.random.Generator(np.random.PCG64([seed, *shape]))
    size = int(np.prod(shape))
    if dtype.kind == "b":
        return (stream.integers(0, 2, size) > 0).reshape(shape)
    is_complex = dtype.kind == "c"
    if dtype.kind in "iu" or dtype.name in ("int2", "int4", "uint2", "uint4"):
        return _integers(dtype, size, kind, stream).reshape(shape)
    real = _reals(size, kind, stream)
    with np.errstate(all="ignore"):
        if is_complex:
            return (real + 1j * _reals(size, "plain", stream)).astype(dtype).reshape(shape)
        return real.astype("float32").astype(dtype).reshape(shape) if dtype.itemsize < 8 else \
            real.astype(dtype).reshape(shape)


def _integers(dtype, size, kind, stream):
    info = ml_dtypes.iinfo(dtype)
    low, high = int(info.min), int(info.max)
    if kind == "extreme":
        return stream.choice(np.array([low, high, 0, 1, high - 1], object), size).astype(dtype)
    if kind in ("unit", "ties", "zeros"):
        return stream.integers(0, 2, size).astype(dtype)
    if kind == "positive":
        return stream.integers(1, min(high, 7) + 1, size).astype(dtype)
    if kind == "index":
        return stream.integers(max(low, -2), min(high, 3) + 1, size).astype(dtype)
    return stream.integers(max(low, -5), min(high, 9) + 1, size).astype(dtype)


def _reals(size, kind, stream):
    if kind in SPECIAL:
        start = int(stream.integers(0, 6))
        return np.resize(np.roll(SPECIAL[kind], start), size)
    if kind == "unit":
        return np.round(stream.uniform(0.05, 0.95, size), 3)
    if kind == "positive":
        return np.round(stream.uniform(0.2, 3.0, size), 3)
    if kind == "large":
        return np.round(stream.normal(0, 60, size), 2)
    if kind == "ascending":
        return np.cumsum(np.round(stream.uniform(0.1, 1, size), 3)) - 1
    if kind == "whole":
        return np.round(stream.normal(1, 2, size))
    return np.round(stream.normal(0, 1.5, size), 3)


class Wrapped:
    """An object that is no array, and says how to become one."""

    def __init__(self, array):
        self.array = array

    def __jax_array__(self):
        """Return the array."""
        return self.array


def names(m):
    """Return what programs may name, for one library: `jax` or `adjoint`."""
    jnp = m.numpy

    def A(dtype, shape, kind="plain", seed=0):
        return jnp.asarray(numbers(dtype, shape, kind, seed))

    def N(dtype, shape, kind="plain", seed=0):
        return numbers(dtype, shape, kind, seed)

    def S(dtype, kind="plain", seed=0):
        return numbers(dtype, (), kind, seed)[()]

    def L(dtype, shape, kind="plain", seed=0):
        return numbers(dtype, shape, kind, seed).tolist()

    def W(dtype, shape, kind="plain", seed=0):
        one, narrow = {"f": (0.25, "int8"), "c": (0.5j, "int8"), "i": (1, "bool")}[dtype]
        return jnp.asarray(one) * jnp.asarray(numbers(narrow, shape, kind, seed))

    def J(dtype, shape, kind="plain", seed=0):
        return Wrapped(A(dtype, shape, kind, seed))

    def K(seed, shape=()):
        key = m.random.key(seed)
        return m.random.split(key, shape) if shape else key

    def R(seed):
        return m.random.PRNGKey(seed)

    def Q(dtype, shape, kind="plain", seed=0):
        """Return positive definite matrices."""
        a = numbers("float64", shape, "plain", seed)
        if "complex" in dtype:
            a = a + 1j * numbers("float64", shape, "plain", seed + 1)
        a = a @ np.conj(np.swapaxes(a, -1, -2)) + 2 * np.eye(shape[-1])
        return jnp.asarray((np.round(a, 3) + 0.0).astype(getattr(ml_dtypes, dtype, dtype)))

    return {"jax": m, "jnp": jnp, "lax": m.lax, "np": np, "A": A, "N": N, "S": S, "L": L, "W": W, "J": J, "K": K,
        "R": R,
            "Q": Q, "inf": np.inf, "nan": np.nan}


def shown(text, operands, m):
    """Return the program as a user would write it, with the numbers of its operands."""
    found = names(m)
    lines = []
    for i, operand in enumerate(operands):
        value = eval(operand, found)
        if operand[:2] in ("A(", "Q("):
            line = f"jnp.array({_listed(np.asarray(value))}, '{value.dtype}')"
        elif operand[:2] == "N(":
            line = f"np.array({_listed(value)}, '{value.dtype}')"
        elif operand[:2] == "S(":
            line = f"np.{value.dtype}({value.item()})"
        elif operand[:2] == "L(":
            line = repr(value)
        elif operand[:2] == "W(":
            line = f"weak({_listed(np.asarray(value))}, '{value.dtype}')"
        elif operand[:2] == "J(":
            line = f"with_jax_array({_listed(np.asarray(value.array))}, '{value.array.dtype}')"
        else:
            line = operand
        lines.append(f"a{i} = {line}")
    return "; ".join([*lines, text])


def _listed(value):
    if not value.size:
        return f"np.zeros({value.shape})"
    return str(value.tolist()).replace(" ", "")
