"""Kernels give what JAX's interpreter of them gives, in every transformation, and mistakes are errors."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.experimental.pallas
from adjoint.experimental.pallas import tpu, triton

F = np.float32
MODULES = (jax, adjoint)
A, B = np.arange(24, dtype=F).reshape(4, 6), np.arange(24, dtype=F).reshape(6, 4)


def add(x, y, out):
    out[...] = x[...] + y[...]


def call(m, kernel, *shapes, **options):
    outs = [m.ShapeDtypeStruct(shape, dtype) for shape, dtype in shapes]
    out_shape = outs[0] if len(outs) == 1 else tuple(outs)
    return m.experimental.pallas.pallas_call(kernel, out_shape, interpret=True, **options)


def numbered(m):
    pl = m.experimental.pallas

    def kernel(out):
        out[...] = m.numpy.full(out.shape, pl.program_id(0) * 10 + pl.num_programs(0))

    return call(m, kernel, ((6,), "int32"), grid=3, out_specs=pl.BlockSpec((2,), lambda i: i))()


def product(m, a=A, b=B):
    pl = m.experimental.pallas

    def kernel(x, y, out):
        @pl.when(pl.program_id(2) == 0)
        def _():
            out[...] = m.numpy.zeros_like(out)

        out[...] += x[...] @ y[...]

    spec = lambda index: pl.BlockSpec((2, 2), index)
    return call(m, kernel, ((4, 4), F), grid=(2, 2, 3), out_specs=spec(lambda i, j, k: (i, j)),
                in_specs=[spec(lambda i, j, k: (i, k)), spec(lambda i, j, k: (k, j))])(a, b)


def beyond(m):
    pl = m.experimental.pallas

    def kernel(x, out):
        out[...] = x[...] * 2

    spec = pl.BlockSpec((2,), lambda i: (i,))
    return call(m, kernel, ((5,), F), grid=(3,), in_specs=[spec], out_specs=spec)(np.arange(5, dtype=F))


def squeezed(m):
    pl = m.experimental.pallas

    def kernel(x, out):
        assert x.shape == out.shape == (4,)
        out[...] = x[...] + 1

    ins, outs = (pl.BlockSpec((none, 4), lambda i: (i, 0)) for none in (None, pl.squeezed))
    return call(m, kernel, ((3, 4), F), grid=3, in_specs=[ins], out_specs=outs)(np.arange(12, dtype=F).reshape(3, 4))


def aliased(m):
    def kernel(x, out):
        out[0] = 9.0

    return call(m, kernel, ((3,), F), input_output_aliases={0: 0})(np.arange(3, dtype=F))


def unwritten(m):
    def kernel(x, out, other):
        pass

    return call(m, kernel, ((2,), F), ((2,), "int32"))(np.ones(2, F))


def loops(m):
    pl = m.experimental.pallas

    def kernel(x, out, other):
        out[...] = m.numpy.zeros_like(out)
        other[pl.ds(1, 1)] = x[pl.ds(0, 1)]
        other[0] = 3.0

        @pl.loop(0, 3)
        def _(i):
            out[...] += x[...] * i

    return call(m, kernel, ((2,), F), ((2,), F))(np.arange(2, dtype=F) + 1)


def scoped(m):
    pl = m.experimental.pallas

    def kernel(x, out, kept):
        def run(own):
            own[...] = x[...] + 3
            kept[...] = own[...] * 2

        memory = pl.MemoryRef(m.core.ShapedArray((2,), np.dtype(F)), pl.MemorySpace.ANY)
        pl.run_scoped(run, memory)
        out[...] = kept[...]

    return call(m, kernel, ((2,), F), scratch_shapes=[pl.MemoryRef(m.core.ShapedArray((2,), np.dtype(F)),
                                                                   pl.MemorySpace.ANY)])(np.ones(2, F))


def transformed(m):
    def kernel(x, out):
        out[...] = m.numpy.sin(x[...])

    f = call(m, kernel, ((2,), F))
    x = np.ones(2, F)
    return m.jvp(f, (x,), (x,)), m.vmap(f)(np.ones((3, 2), F)), m.jit(f)(x)


@compiling
@pytest.mark.parametrize("program", [
    numbered, product, beyond, squeezed, aliased, unwritten, loops, scoped, transformed,
])
def test_kernels_are_as_in_jax(program):
    theirs, ours = (jax.tree.leaves(jax.tree.map(np.asarray, program(m))) for m in MODULES)
    for t, o in zip(theirs, ours, strict=True):
        assert t.dtype == o.dtype and t.shape == o.shape and np.allclose(t, o, atol=1e-6, equal_nan=True)


def test_kernels_are_differentiated_in_reverse_mode():
    got = adjoint.grad(lambda a, b: (product(adjoint, a, b) ** 2).sum())(A, B)
    assert np.allclose(got, 2 * (A @ B) @ B.T)


def test_mistakes_are_jaxs():
    def outcome(m, f):
        with pytest.raises(ValueError) as error:
            f(m)
        return str(error.value).split("\n")[0][:24]

    x, wide = np.arange(4, dtype=F), lambda m: m.numpy.ones(2)
    for mistake in (
        lambda m: call(m, add, ((4,), F), in_specs=[m.experimental.pallas.BlockSpec((2,), lambda: 0)])(x, x),
        lambda m: call(m, add, ((4,), F), in_specs=[m.experimental.pallas.BlockSpec((2, 2), lambda: (0, 0)),
                                                    m.experimental.pallas.BlockSpec()])(x, x),
        lambda m: call(m, lambda a, out: a[...], ((4,), F))(x),
        lambda m: (lambda c: call(m, lambda out: out.__setitem__(..., c * 1), ((2,), F))())(wide(m)),
        lambda m: call(m, lambda out: out.__setitem__(..., m.experimental.pallas.program_id(0)), ((), "int32"))(),
    ):
        assert outcome(jax, mistake) == outcome(adjoint, mistake)


def test_reads_and_writes_have_masks():
    jnp, mask = adjoint.numpy, np.array([True, False])

    def kernel(x, out):
        triton.store(out.at[0], triton.load(x.at[1], mask=mask, other=7.0))
        triton.store(out.at[1], x[0], mask=mask)
        triton.atomic_add(out, (1, 0), 5.0)

    f = call(adjoint, kernel, ((2, 2), F), input_output_aliases={0: 0})
    assert f(jnp.arange(4.0).reshape(2, 2)).tolist() == [[2.0, 7.0], [5.0, 3.0]]


def test_what_only_tpus_have_says_so():
    assert tpu.VMEM((2,), F).shape == (2,)
    assert not hasattr(tpu, "prng_random_bits")
    with pytest.raises(AttributeError, match="TPU"):
        _ = tpu.prng_random_bits


def test_references_that_programs_inside_make_are_compiled():
    def f(x):
        ref = adjoint.new_ref(x)
        ref[...] = ref[...] * 2
        ref.at[...][...] = ref[...] + 1
        return ref[...]

    repeated = partial(adjoint.lax.fori_loop, 0, 3, lambda i, c: adjoint.jit(f)(c))
    for g, expected in ((adjoint.jit(adjoint.jit(f)), 3.0), (adjoint.jit(repeated), 15.0)):
        assert g(1.0) == adjoint.jit(g)(1.0) == expected


def test_what_is_no_type_of_a_result_is_refused():
    for m in (adjoint, jax):
        with pytest.raises(ValueError, match="Invalid out_shape type: <class 'int'>"):
            m.experimental.pallas.pallas_call(lambda out: None, out_shape=3, interpret=True)()
