"""What Python, NumPy and SciPy may ask of a traced value: the same answers as JAX's, or errors of the same class.

A number that is made from a traced value has no derivative, so only what decides branches, positions and lengths is
answered, and only where the value is known.

What JAX answers is kept in a file. Write it anew with
`UPDATE_GOLDEN=1 pytest tests/array/test_traced_conversions.py -p no:xdist`.
"""

from __future__ import annotations

import cmath
import copy
import fractions
import json
import math
import operator
import os
import pickle
import statistics
import struct
import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
import scipy.special
from tests.modes import ACTIVE, compiling, unchecked

import adjoint as ax
from adjoint.dtypes import TypePromotionError

CONVERSIONS = {
    "float": float,
    "complex": complex,
    "int": int,
    "bool": bool,
    "index": operator.index,
    "hex": hex,
    "oct": oct,
    "bin": bin,
    "truth": operator.truth,
    "not": operator.not_,
    "__array__": lambda x: x.__array__(),
    "np.asarray": np.asarray,
    "np.array": np.array,
    "np.array of a dtype": lambda x: np.array(x, float),
    "np.array of a list": lambda x: np.array([x, x]),
    "np.float32": np.float32,
    "np.int32": np.int32,
    "item": lambda x: x.item(),
    "item of an index": lambda x: x.item(0),
    "tolist": lambda x: x.tolist(),
    "tobytes": lambda x: x.tobytes(),
    "bytes": bytes,
    "dlpack": lambda x: x.__dlpack__() is not None,
    "np.from_dlpack": np.from_dlpack,
    "format": format,
    "format with a spec": lambda x: format(x, ".2f"),
    "format as an integer": lambda x: f"{x:d}",
    "percent f": lambda x: "%f" % x,  # noqa: UP031
    "percent d": lambda x: "%d" % x,  # noqa: UP031
    "str": str,
    "repr": repr,
    "round": round,
    "round to digits": lambda x: round(x, 2),
    "trunc": math.trunc,
    "floor": math.floor,
    "ceil": math.ceil,
    "divmod": lambda x: divmod(x, 2),
    "reflected divmod": lambda x: divmod(7, x),
    "pow with a modulus": lambda x: pow(x, 2, 3),
    "ufunc": np.sin,
    "ufunc of two": lambda x: np.add(np.ones(3, "f"), x),
    "ufunc.reduce": np.add.reduce,
    "ufunc in place": lambda x: operator.iadd(np.ones(3, "f"), x),
    "array times": lambda x: np.ones(3, "f") * x,
    "times array": lambda x: x * np.ones(3, "f"),
    "NumPy scalar times": lambda x: np.float32(2) * x,
    "np.mean": np.mean,
    "np.dot": lambda x: np.dot(x, x),
    "np.where": lambda x: np.where(x > 0, 1, 2),
    "np.stack": lambda x: np.stack([x, x]),
    "np.concatenate": lambda x: np.concatenate([np.ones(1), np.atleast_1d(x)]),
    "np.allclose": lambda x: np.allclose(x, x),
    "np.array_equal": lambda x: np.array_equal(x, x),
    "np.linspace": lambda x: np.linspace(0, x, 3),
    "np.zeros": np.zeros,
    "np.full": lambda x: np.full(2, x),
    "np.isnan": np.isnan,
    "np.shape": np.shape,
    "np.ndim": np.ndim,
    "np.result_type": np.result_type,
    "np.linalg.norm": np.linalg.norm,
    "np.testing": lambda x: np.testing.assert_allclose(x, x),
    "assignment to an array": lambda x: operator.setitem(np.zeros(3), 0, x),
    "index of an array": lambda x: np.arange(5)[x],
    "mask of an array": lambda x: np.arange(3)[x > 0],
    "math.sin": math.sin,
    "math.isnan": math.isnan,
    "math.factorial": math.factorial,
    "math.fsum": lambda x: math.fsum([x, x]),
    "math.ldexp": lambda x: math.ldexp(1.0, x),
    "cmath.exp": cmath.exp,
    "scipy.special.gammaln": scipy.special.gammaln,
    "scipy.special.erf": scipy.special.erf,
    "scipy.linalg.norm": scipy.linalg.norm,
    "statistics.mean": lambda x: statistics.mean([x, x]),
    "Fraction": fractions.Fraction,
    "struct.pack": lambda x: struct.pack("f", x),
    "sum": lambda x: sum([x, x]),
    "max": lambda x: max(x, 0),
    "min of a list": lambda x: min([x, 1]),
    "sorted": lambda x: sorted([x, 1]),
    "iteration": lambda x: len(list(x)),
    "enumerate": lambda x: len(list(enumerate(x))),
    "zip": lambda x: len(list(zip(x, x))),
    "unpacking three": lambda x: len([*x]) and (lambda a, b, c: 0)(*x),
    "unpacking two": lambda x: (lambda a, b: 0)(*x),
    "len": len,
    "value in": lambda x: 1 in x,
    "in a list": lambda x: x in [1, 2],
    "equality": lambda x: x == 1,
    "comparison": lambda x: x < 1,
    "chain of comparisons": lambda x: 0 < x < 2,
    "and": lambda x: x and 1,
    "if": lambda x: 1 if x else 2,
    "if of a comparison": lambda x: 1 if x > 0 else 2,
    "while": lambda x: [0 for _ in iter(lambda: bool(x > 100), False)],
    "hash": hash,
    "key of a dict": lambda x: {x: 1},
    "in a set": lambda x: {x},
    "pickle": lambda x: len(pickle.dumps(x)) > 0,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "range": lambda x: len(range(x)),
    "index of a list": lambda x: [1, 2, 3][x],
    "slice of a list": lambda x: [1, 2, 3][:x],
    "index of a string": lambda x: "abc"[x],
    "times a list": lambda x: [1] * x,
    "sharding": lambda x: x.sharding is not None,
    "device": lambda x: x.device is not None,
    "devices": lambda x: len(x.devices()),
    "unsafe_buffer_pointer": lambda x: x.unsafe_buffer_pointer() > 0,
    "assignment": lambda x: operator.setitem(x, 0, 1),
}
VALUES = {
    "number": np.float32(2.0),
    "vector": np.array([1.0, 0.0, 2.0], np.float32),
    "weak number": 2.0,
    "complex": np.complex64(1 + 2j),
    "one element": np.array([1.5], np.float32),
    "none": np.zeros(0, np.float32),
    "integer": np.int32(2),
    "integers": np.array([1, 0, 2], np.int32),
    "truth": np.bool_(True),
    "mask": np.array([True, False, True]),
}
REAL = ["number", "vector", "weak number", "one element", "none"]


def asked(m, x):
    """The answers to all conversions: values, types of arrays, or errors."""
    found = {}
    for name, convert in CONVERSIONS.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found[name] = answer(m, convert(x))
        except Exception as error:
            found[name] = error
    return found


def answer(m, out) -> str:
    if isinstance(out, m.Array):
        return f"{out.dtype.name}{list(out.shape)}{'*' * bool(out.weak_type)}"
    if isinstance(out, (tuple, list)):
        return ", ".join([answer(m, x) for x in out])
    if isinstance(out, np.ndarray):
        return f"NumPy's {out.dtype.name}{list(out.shape)} {out.tolist()}"
    return f"{type(out).__name__} {out}"


def ones(x):
    return np.ones(np.shape(x), np.asarray(x).dtype) if not isinstance(x, float) else 1.0


def stacked(m, x):
    return m.numpy.stack([m.numpy.asarray(x)] * 2)


def with_jvp_rule(m, see_primal, see_tangent):
    f = m.custom_jvp(lambda a: a)

    def rule(primals, tangents):
        see_primal(primals[0])
        see_tangent(tangents[0])
        return primals[0], tangents[0]

    f.defjvp(rule)
    return f


def with_vjp_rules(m, see_forward, see_backward):
    f = m.custom_vjp(lambda a: a)

    def backward(_, ct):
        see_backward(ct)
        return (ct,)

    f.defvjp(lambda a: (see_forward(a), None), backward)
    return f


skip = lambda a: a
# Each calls `see`, which returns what it is given, with a traced value.
TRACED = {
    "jvp": lambda m, see, x: m.jvp(see, (x,), (ones(x),)),
    "linearize": lambda m, see, x: m.linearize(see, x),
    "vjp": lambda m, see, x: m.vjp(see, x),
    "value_and_grad": lambda m, see, x: m.value_and_grad(lambda a: see(a).sum())(x),
    "hessian": lambda m, see, x: m.hessian(lambda a: see(a).sum())(x),
    "jacfwd": lambda m, see, x: m.jacfwd(see)(x),
    "jvp of jvp": lambda m, see, x: m.jvp(lambda y: m.jvp(see, (y,), (ones(x),)), (x,), (ones(x),)),
    "grad of grad": lambda m, see, x: m.grad(lambda y: m.grad(lambda a: see(a).sum())(y).sum())(x),
    "vmap": lambda m, see, x: m.vmap(see)(stacked(m, x)),
    "vmap of jvp": lambda m, see, x: m.vmap(lambda y: m.jvp(see, (y,), (y,)))(stacked(m, x)),
    "jvp of vmap": lambda m, see, x: m.jvp(m.vmap(see), (stacked(m, x),), (stacked(m, x),)),
    "jit": lambda m, see, x: m.jit(see)(x),
    "checkpoint": lambda m, see, x: m.checkpoint(see)(x),
    "grad of checkpoint": lambda m, see, x: m.grad(lambda a: m.checkpoint(see)(a).sum())(x),
    "scan": lambda m, see, x: m.lax.scan(lambda c, _: (see(c), None), m.numpy.asarray(x), None, length=2),
    "custom_vmap": lambda m, see, x: m.custom_batching.custom_vmap(see)(x),
    "primal of a rule": lambda m, see, x: m.jvp(with_jvp_rule(m, see, skip), (x,), (ones(x),)),
    "tangent of a rule": lambda m, see, x: m.linearize(with_jvp_rule(m, skip, see), x),
    "cotangent of a rule": lambda m, see, x: m.vmap(m.vjp(with_vjp_rules(m, skip, see), x)[1])(stacked(m, x)),
    "what has no tangent": lambda m, see, x: m.jvp(lambda a: see(m.lax.stop_gradient(a)), (x,), (ones(x),)),
}
TEXTS = ("str", "repr", "format")
DIFFERENTIATES = set(TRACED) - {"vmap", "jit", "checkpoint", "custom_vmap", "scan"}


def gather(m, name, x):
    found = []

    def see(a):
        found.append(asked(m, a))
        return a

    if name == "custom_vmap":
        f = m.custom_batching.custom_vmap(see)
        f.def_vmap(lambda n, batched, a: (a, True))
        f(x)
    else:
        TRACED[name](m, see, x)
    return found[-1]


def is_possible(name, kind) -> bool:
    if name == "what has no tangent" and kind == "weak number":  # a number of Python's
        return False
    return name not in DIFFERENTIATES or kind in REAL


def rows(m):
    """(transformation, kind of value, answers) of each that is possible."""
    for name in TRACED:
        for kind, x in VALUES.items():
            if is_possible(name, kind):
                yield name, kind, gather(m, name, x if isinstance(x, float) else m.numpy.asarray(x))


def write():
    """Ask JAX. The file has the different answers, and which of them each conversion got."""
    import jax

    texts: dict[str, int] = {}
    table = {}
    for name, kind, found in rows(jax):
        as_text = lambda x: f"error {type(x).__name__}" if isinstance(x, Exception) else x
        numbers = [texts.setdefault(as_text(found[c]), len(texts)) for c in CONVERSIONS]
        table[f"{name} of {kind}"] = " ".join(map(str, numbers))
    FILE.write_text(json.dumps({"conversions": list(CONVERSIONS), "answers": list(texts), "table": table}, indent=0))


FILE = Path(__file__).with_suffix(".json")
if os.environ.get("UPDATE_GOLDEN"):
    write()
KEPT = json.loads(FILE.read_text())


@unchecked
@pytest.mark.parametrize("name", TRACED)
def test_a_traced_value_converts_where_jax_converts_it(name):
    assert KEPT["conversions"] == list(CONVERSIONS)
    for kind, x in VALUES.items():
        if not is_possible(name, kind):
            continue
        ours = gather(ax, name, x if isinstance(x, float) else ax.numpy.asarray(x))
        for conversion, i in zip(CONVERSIONS, KEPT["table"][f"{name} of {kind}"].split(), strict=True):
            expected, got = KEPT["answers"][int(i)], ours[conversion]
            if name == "tangent of a rule" and conversion in TEXTS:  # a tape's variable in both
                continue
            if ACTIVE and isinstance(got, TypePromotionError):  # complex numbers and the floats of a conversion
                continue
            if expected.startswith("error "):
                classes = [c.__name__ for c in type(got).__mro__]
                assert expected[6:] in classes, f"{conversion} of {kind}: {expected}, here {got!r}"
            else:
                assert got == expected, f"{conversion} of {kind}: {expected}, here {got!r}"


@pytest.mark.parametrize("name", ["jvp", "vjp", "vmap", pytest.param("jit", marks=compiling)])
def test_numpy_never_loses_a_derivative(name):
    """The commonest mistake: a function of NumPy in the place of one of `jnp`."""
    x = np.array([0.5, 1.0, 1.5], np.float32)
    for function in (np.tanh, np.exp, np.median, np.linalg.norm, scipy.special.gammaln, lambda w: np.dot(x, w)):
        with pytest.raises(ax.errors.TracerArrayConversionError):
            TRACED[name](ax, function, x) if name != "vmap" else ax.vmap(function)(np.stack([x, x]))
    for function in (math.sin, float, complex, math.floor):
        with pytest.raises(ax.errors.ConcretizationTypeError):
            TRACED[name](ax, function, np.float32(0.5))


@pytest.mark.parametrize("name", ["jvp", "vjp", "vmap", pytest.param("jit", marks=compiling)])
def test_the_array_behind_a_traced_value_cannot_be_deleted(name):
    x = ax.numpy.ones(3)
    with pytest.raises(ax.errors.ConcretizationTypeError):
        TRACED[name](ax, lambda a: a.delete(), x)
    assert not x.is_deleted()
