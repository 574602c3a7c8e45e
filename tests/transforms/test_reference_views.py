"""Parts of references, and what they hold in another shape or dtype, are read and written like references."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint
import adjoint.numpy as jnp

X = np.arange(6, dtype="f").reshape(2, 3)


def written(f):
    """Return what a function leaves in a reference, eagerly and in a program."""
    def run(x):
        ref = adjoint.new_ref(x)
        f(ref)
        return ref[...]

    results = [np.asarray(run(X)), np.asarray(adjoint.jit(run)(X))]
    assert np.array_equal(*results)
    return results[0].tolist()


def test_parts_are_read_and_written():
    assert written(lambda ref: ref.set(ref.get((1,)), (0,))) == [[3, 4, 5], [3, 4, 5]]
    assert written(lambda ref: ref.at[0].set(ref.at[1].swap(jnp.zeros(3)))) == [[3, 4, 5], [0, 0, 0]]
    assert written(lambda ref: ref.at[:, 1].addupdate(10.0)) == [[0, 11, 2], [3, 14, 5]]
    assert written(lambda ref: ref.at[1].at[2].set(7.0)) == [[0, 1, 2], [3, 4, 7]]
    assert written(lambda ref: ref.set(ref.swap(jnp.ones((2, 3))) + ref.get())) == [[1, 2, 3], [4, 5, 6]]
    part = adjoint.new_ref(jnp.asarray(X)).at[1]
    assert (part.shape, part.dtype, part.ndim, part.size, len(part)) == ((3,), np.dtype("f"), 1, 3, 3)
    assert [float(x) for x in part] == [3, 4, 5]


def test_other_shapes_and_dtypes_are_read_and_written():
    assert written(lambda ref: ref.reshape(-1).set(jnp.zeros(2), (slice(1, 3),))) == [[0, 0, 0], [3, 4, 5]]
    assert written(lambda ref: ref.reshape((3, 2)).at[1].set(jnp.zeros(2))) == [[0, 1, 0], [0, 4, 5]]
    one = np.float32(1).view("int32")
    assert written(lambda ref: ref.bitcast("int32").set(jnp.full(3, one), (0,))) == [[1, 1, 1], [3, 4, 5]]
    ref = adjoint.new_ref(jnp.asarray(X))
    halves = ref.bitcast("uint16")
    assert halves.shape == (4, 3) and halves.dtype == np.dtype("uint16")
    assert np.array_equal(halves[1::2], X.view("uint32") >> 16)
    halves.set(halves.get())
    assert np.array_equal(ref[...], X)


def test_what_does_not_fit_is_refused():
    ref = adjoint.new_ref(jnp.asarray(X))
    with pytest.raises(ValueError, match=r"cannot reshape shape \(2, 3\) into shape \(4,\)"):
        ref.reshape(4)
    with pytest.raises(ValueError, match="second-minor"):
        adjoint.new_ref(jnp.zeros((3, 2), "int16")).bitcast("int32")
    with pytest.raises(ValueError, match="second-minor"):
        ref.at[0].bitcast("int16")
