"""One program of random numbers on real JAX and on adjoint, from the same key.

A program is a function of the module, `jax` or `adjoint`, and a key, as in
`lambda m, k: m.random.normal(k, (3,))`. Keys and arrays of either module are compared as NumPy arrays.
"""

from __future__ import annotations

import re
import warnings
from functools import partial

import numpy as np
from tests.lax.parity import ask
from tests.recorded import jax

import adjoint
from adjoint.array.array import ArrayImpl
from adjoint.core import dtypes
from adjoint.core.options.config import enable_x64
from adjoint.prims.generators import words_of


def both_x64(on: bool):
    """64-bit types for both modules."""
    class Both:
        def __enter__(self):
            self.contexts = jax.enable_x64(on), enable_x64(on)
            for c in self.contexts:
                c.__enter__()

        def __exit__(self, *exc):
            for c in self.contexts:
                c.__exit__(*exc)

    return Both()


def numbers(x) -> np.ndarray:
    """The values of an array of either module; the words of keys."""
    if isinstance(x, ArrayImpl):
        buffer = np.asarray(x._buffer)
        return words_of(buffer) if isinstance(x.dtype, dtypes.KeyDType) else buffer
    if isinstance(x, jax.Array) and jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key):
        return np.asarray(jax.random.key_data(x))
    return np.asarray(x)


def assert_same(theirs, ours, rtol=0.0):
    """Trees of equal structure, shapes, dtypes and values, up to rounding."""
    theirs, ours = jax.tree.leaves(theirs), adjoint.tree_util.tree_leaves(ours)
    for a, b in zip(theirs, ours, strict=True):
        assert (a.shape, a.dtype.name) == (b.shape, b.dtype.name)
        x, y = numbers(a), numbers(b)
        if rtol:
            wide = np.complex128 if x.dtype.kind == "c" else np.float64
            x, y = x.astype(wide), y.astype(wide)
            # Narrow floats are rounded in every step or only at the end, as the machine has it.
            scale = np.median(np.abs(x[np.isfinite(x)])) if np.isfinite(x).any() else 0
            np.testing.assert_allclose(y, x, rtol=rtol, atol=rtol * scale / 10 + 1e-37)  # XLA has no denormals
        else:
            np.testing.assert_array_equal(y, x)


def keys(seed=0, raw=False):
    """The same key of both modules."""
    make = "PRNGKey" if raw else "key"
    return getattr(jax.random, make)(seed), getattr(adjoint.random, make)(seed)


# Options of XLA's compiler as users have them, whatever the flags of the tests say.
OPTIMIZED = {
    "xla_backend_optimization_level": 3, "xla_llvm_disable_expensive_passes": False,
    "xla_cpu_use_fusion_emitters": True,
}


def same(program, seed=0, rtol=0.0, raw=False):
    """The program has the same results, evaluated now and compiled."""
    their_key, our_key = keys(seed, raw)
    ours = program(adjoint, our_key), adjoint.jit(partial(program, adjoint))(our_key)

    def check(theirs):
        for outs in ours:
            assert_same(theirs, outs, rtol)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about dtypes that are narrowed
        ask(check, partial(program, jax), their_key)


def same_optimized(program, seeds):
    """`same` from several keys, where XLA fuses products and sums as it does for users."""
    theirs, ours = [m.jit(partial(program, m), compiler_options=OPTIMIZED) for m in (jax, adjoint)]
    for their_key, our_key in map(keys, seeds):
        expected = theirs(their_key)
        assert_same(expected, program(adjoint, our_key))
        assert_same(expected, ours(our_key))


def same_jaxpr(program, *args, raw=False):
    """The program is traced to the same text, except for spaces."""
    texts = []
    for m, key in zip((jax, adjoint), keys(raw=raw)):
        operands = [m.numpy.asarray(x) if isinstance(x, np.ndarray) else x for x in args]
        text = str(m.make_jaxpr(partial(program, m))(key, *operands))
        texts.append(re.sub(r"\s+", " ", re.sub(r"np\.int64\((\d+)\)", r"\1", text)))
    theirs, ours = (t.replace(" ", "") for t in texts)
    same = next((i for i, (a, b) in enumerate(zip(theirs, ours)) if a != b), None)
    assert theirs == ours, f"they part at: {theirs[same:]}\n{ours[same:]}"


def same_error(program, raw=False):
    """The program raises an error of the same class; returns ours."""
    classes = []
    for m, key in zip((jax, adjoint), keys(raw=raw)):
        try:
            program(m, key)
        except Exception as error:
            classes.append(type(error).__name__)
            found = error
        else:
            classes.append(None)
    assert classes[0] == classes[1] is not None, f"JAX: {classes[0]}, adjoint: {classes[1]}"
    return found
