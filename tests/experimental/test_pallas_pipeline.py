"""Pipelines in kernels, beside JAX's interpreter: blocks of references at the points of a grid of their own."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax, module_of

import adjoint
import adjoint.experimental.pallas
from adjoint.experimental.pallas import tpu

F = np.float32
X = np.arange(64, dtype=F)
MODULES = (jax, adjoint)


def modules(m):
    return m.experimental.pallas, module_of(m, "experimental.pallas.tpu")


def call(m, kernel, *args, shape=(64,), x=X, **options):
    """Call a kernel whose operands and result are references to whole arrays."""
    pl, device = modules(m)
    whole = pl.BlockSpec(memory_space=pl.ANY)
    f = pl.pallas_call(
        kernel, m.ShapeDtypeStruct(shape, F), in_specs=[*[pl.BlockSpec(memory_space=device.SMEM)] * len(args), whole],
        out_specs=whole, interpret=True, **options)
    return f(*args, x)


def run(m, body, x, out, grid=(4,), reads=((16,), lambda i: (i,)), writes=((16,), lambda i: (i,)), call=(), **options):
    """Run a pipeline of one operand and one result. JAX's runs on the CPU with this tiling alone."""
    pl, device = modules(m)
    pipeline = device.emit_pipeline(
        body, grid=grid, in_specs=[pl.BlockSpec(*reads)], out_specs=[pl.BlockSpec(*writes)],
        tiling=device.Tiling.SPARSE_CORE, **options)
    pipeline(x, out, **dict(call))


def doubled(x, out):
    out[...] = x[...] * 2


def simple(m, **options):
    shape, x = options.pop("shape", (64,)), options.pop("x", X)
    body = options.pop("body", doubled)
    return call(m, lambda x, out: run(m, body, x, out, **options), shape=shape, x=x)


def summed(m):
    pl, _ = modules(m)

    def body(x, out):
        @pl.when(pl.program_id(0) == 0)
        def _():
            out[...] = m.numpy.zeros_like(out[...])
        out[...] += x[...]

    return simple(m, body=body, writes=((16,), lambda i: (0,)), shape=(16,))


def numbered(m):
    pl, _ = modules(m)

    def body(x, out):
        out[...] = x[...] * 0 + pl.program_id(0) * 10 + pl.num_programs(0)

    return simple(m, body=body)


def with_indices(m):
    def body(point, x, out):
        out[...] = x[...] * 0 + point[0]

    return simple(m, body=body, _explicit_indices=True)


def slices_of_slices(m):
    pl, _ = modules(m)
    at = lambda step: lambda i: (pl.ds(i * step, 8 + i * 4),)
    block = (pl.BoundedSlice(16),)
    return simple(m, grid=(3,), reads=(block, at(8)), writes=(block, at(20)))


def elements(m):
    pl, _ = modules(m)
    return simple(m, grid=(3,), reads=((pl.Element(16),), lambda i: (i * 8,)))


def of_rows(m):
    pl, _ = modules(m)
    return simple(m, shape=(4, 16), x=X.reshape(4, 16), reads=((None, 16), lambda i: (i, 0)),
                  writes=((pl.squeezed, 16), lambda i: (3 - i, 0)))


def with_memory(m):
    pl, device = modules(m)

    def body(x, out, count):
        count[0] = count[0] + 1
        out[...] = x[...] * 0 + count[0]

    def kernel(x, out):
        def inner(count):
            count[0] = m.numpy.float32(0)
            run(m, body, x, out, call={"scratches": (count,)})

        pl.run_scoped(inner, device.SMEM((1,), F))

    return call(m, kernel)


def as_long_as_told(m):
    return call(m, lambda n, x, out: run(m, doubled, x, out, grid=(n[0],)), np.array([2], "int32"))


def of_trees(m):
    pl, device = modules(m)

    def body(x, out):
        out[...] = x["p"][...] + x["q"][...]

    def kernel(x, out):
        specs = {"p": pl.BlockSpec((16,), lambda i: (i,)), "q": pl.BlockSpec((16,), lambda i: (3 - i,))}
        device.emit_pipeline(
            body, grid=(4,), in_specs=[specs], out_specs=[pl.BlockSpec((16,), lambda i: (i,))],
            tiling=device.Tiling.SPARSE_CORE)({"p": x, "q": x}, out)

    return call(m, kernel)


def nested(m):
    pl, _ = modules(m)

    def added(x, out):
        out[...] = x[...] + pl.program_id(0)

    block = ((8,), lambda i: (i,))
    return simple(m, body=lambda x, out: run(m, added, x, out, grid=(2,), reads=block, writes=block))


def of_parts(m):
    pl, _ = modules(m)
    return call(m, lambda x, out: run(m, doubled, x.at[pl.ds(32, 32)], out.at[pl.ds(0, 32)], grid=(2,)))


def shared(m, cores, grid, parallel):
    pl, device = modules(m)

    def body(x, out):
        places = [(pl.program_id(i), pl.num_programs(i)) for i in range(len(grid))]
        out[...] = x[...] * 0 + sum([100 ** i * (place * 10 + n) for i, (place, n) in enumerate(places)])

    place = (lambda i: (i,)) if len(grid) == 1 else (lambda i, j: (i * grid[1] + j,))
    block, points = ((2,), place), int(np.prod(grid))
    semantics = tuple([device.PARALLEL if p else device.ARBITRARY for p in parallel])
    return call(m, lambda x, out: run(
        m, body, x, out, grid=grid, reads=block, writes=block, core_axis=0, dimension_semantics=semantics),
        grid=(cores,), shape=(2 * points,), x=X[:2 * points])


PROGRAMS = {
    "simple": simple,
    "of one point": lambda m: simple(m, grid=(), reads=((16,), lambda: (0,)), writes=((16,), lambda: (1,))),
    "shared": lambda m: shared(m, 2, (4,), (1,)),
    "shared unevenly": lambda m: shared(m, 2, (5,), (1,)),
    "shared by more": lambda m: shared(m, 3, (1,), (1,)),
    "shared along the second": lambda m: shared(m, 2, (3, 4), (1, 1)),
    "shared along the longest": lambda m: shared(m, 2, (3, 5), (1, 1)),
    "shared along the only parallel one": lambda m: shared(m, 2, (4, 3), (0, 1)),
    **{f.__name__: f for f in (
        summed, numbered, with_indices, of_rows, as_long_as_told, of_trees, nested, of_parts)},
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_pipelines_compute_what_jaxs_do(name):
    theirs, ours = [np.asarray(PROGRAMS[name](m)) for m in MODULES]
    written = ~np.isnan(theirs)  # what no block is written to holds anything
    assert written.any()
    np.testing.assert_array_equal(ours[written], theirs[written])


def uneven(m):
    return simple(m, grid=(2,), reads=((40,), lambda i: (i,)), writes=((40,), lambda i: (i,)))


# What JAX has no discharge of, and so runs with `InterpretParams` outside of programs alone.
@pytest.mark.parametrize(("program", "expected"), [
    (uneven, {0: X * 2}),
    (slices_of_slices, {20 * i: 2 * X[8 * i:12 * i + 8] for i in range(3)}),
    (elements, {16 * i: 2 * X[8 * i:8 * i + 16] for i in range(3)}),
    (with_memory, {16 * i: np.full(16, i + 1, F) for i in range(4)}),
], ids=lambda value: getattr(value, "__name__", "values"))
def test_pipelines_compute_what_is_meant(program, expected):
    ours, written = np.asarray(program(adjoint)), np.zeros(64, bool)
    for start, values in expected.items():
        np.testing.assert_array_equal(ours[start:start + len(values)], values)
        written[start:start + len(values)] = True
    assert np.isnan(ours[~written]).all()


def test_cores_share_parallel_axes_alone():
    for m in MODULES:
        with pytest.raises(NotImplementedError, match="Cannot partition over cores without parallel grid dimensions"):
            shared(m, 2, (4,), (0,))


def test_pipelines_with_memory_of_their_own_run_in_it():
    pl = adjoint.experimental.pallas
    spec = pl.BlockSpec((16,), lambda i: (i,))

    def kernel(x, out):
        pipeline, memory = tpu.emit_pipeline_with_allocations(doubled, grid=(4,), in_specs=[spec], out_specs=[spec])
        pl.run_scoped(lambda own: pipeline(x, out, allocations=own), memory(x, out))

    assert np.array_equal(call(adjoint, kernel), X * 2)


def test_pipelines_of_other_numbers_of_references_are_refused():
    pl = adjoint.experimental.pallas
    spec = pl.BlockSpec((16,), lambda i: (i,))
    pipeline = tpu.emit_pipeline(doubled, grid=(4,), in_specs=[spec, spec], out_specs=[spec])
    with pytest.raises(ValueError, match="of 2 operands and 1 results is called with 2 references"):
        call(adjoint, pipeline)


def test_sizes_that_are_traced_are_for_blocks_alone():
    pl = adjoint.experimental.pallas
    for m in MODULES:
        size = m.jit(lambda n, m=m: m.experimental.pallas.ds(0, n).is_dynamic_size + n)(3)
        assert size == 4
        assert m.experimental.pallas.ds(0, m.numpy.array(2)).size == 2
        with pytest.raises(TypeError):
            m.jit(lambda n, m=m: m.numpy.arange(9)[m.experimental.pallas.ds(0, n)])(3)
    with pytest.raises(TypeError, match="The size of ds is"):
        call(adjoint, lambda n, x, out: out.__setitem__(pl.ds(0, n[0]), 1.0), np.array([2], "int32"))
