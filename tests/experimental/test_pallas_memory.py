"""What kernels for TPUs call, beside JAX's interpreter: semaphores, copies, cores, operands that place blocks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax, module_of

import adjoint
import adjoint.experimental.checkify
import adjoint.experimental.pallas
from adjoint.experimental.pallas import tpu

F = np.float32
X = np.arange(8, dtype=F)
MODULES = (jax, adjoint)


def modules(m):
    return m.experimental.pallas, module_of(m, "experimental.pallas.tpu")


def call(m, kernel, *args, shape=(8,), dtype=F, **options):
    out = m.ShapeDtypeStruct(shape, dtype)
    return m.experimental.pallas.pallas_call(kernel, out, interpret=True, **options)(*args)


def copied(x, out):
    out[...] = x[...]


def prefetched(m, kernel, *args, count=1, **options):
    pl, device = modules(m)
    spec = device.PrefetchScalarGridSpec(
        num_scalar_prefetch=count, grid=(2,), in_specs=[pl.BlockSpec((4,), lambda i, order, *_: (order[i],))],
        out_specs=pl.BlockSpec((4,), lambda i, *_: (i,)))
    return call(m, kernel, *args, X, grid_spec=spec, **options)


def placed(m):
    def kernel(order, x, out):
        out[...] = x[...] + order[m.experimental.pallas.program_id(0)]

    return prefetched(m, kernel, np.array([1, 0], "int32"))


def placed_by_two(m):
    def kernel(order, scale, x, out):
        out[...] = x[...] * scale[0]

    return prefetched(m, kernel, np.array([1, 0], "int32"), np.array([3], "int32"), count=2)


def placed_onto_an_operand(m):
    def kernel(order, x, out):
        out[0] = x[1]

    return prefetched(m, kernel, np.array([1, 1], "int32"), input_output_aliases={1: 0})


def placed_in_lanes(m):
    pl, device = modules(m)
    spec = device.PrefetchScalarGridSpec(
        num_scalar_prefetch=1, grid=(2,), in_specs=[pl.BlockSpec((4,), lambda i, order: (order[i],))],
        out_specs=pl.BlockSpec((4,), lambda i, order: (i,)))
    f = lambda order, x: call(m, lambda order, x, out: copied(x, out), order, x, grid_spec=spec)
    return m.vmap(f)(m.numpy.array([[0, 1], [1, 0]]), m.numpy.stack([X, X + 10]))


def padded_elements(m):
    pl, _ = modules(m)
    block = pl.BlockSpec((pl.Element(4, (1, 2)),), lambda i: (i * 3,))
    return call(m, copied, X, grid=(3,), in_specs=[block], shape=(12,), out_specs=pl.BlockSpec((4,), lambda i: (i,)))


def counted(m):
    pl, device = modules(m)

    def kernel(x, out, count):
        pl.semaphore_signal(count, 5)
        pl.semaphore_wait(count, 2)
        pl.semaphore_wait(count, 3, decrement=False)
        out[...] = x[...] + pl.semaphore_read(count)

    return call(m, kernel, X, scratch_shapes=[device.SemaphoreType.REGULAR])


def counted_apart(m):
    pl, device = modules(m)

    def kernel(x, out, counts):
        pl.semaphore_signal(counts.at[1], 4)
        out[...] = x[...] + pl.semaphore_read(counts.at[0]) + 10 * pl.semaphore_read(counts.at[1])

    return call(m, kernel, X, scratch_shapes=[device.SemaphoreType.REGULAR((2,))])


def moved(m):
    pl, device = modules(m)

    def kernel(x, out, sems):
        halves = [(x.at[pl.ds(4 * i, 4)], out.at[pl.ds(4 - 4 * i, 4)], sems.at[i]) for i in range(2)]
        copies = [device.make_async_copy(*half) for half in halves]
        for copy in copies:
            copy.start()
        for copy in copies:
            copy.wait()

    return call(m, kernel, X, scratch_shapes=[device.SemaphoreType.DMA((2,))])


def moved_within(m):
    pl, device = modules(m)

    def kernel(x, out):
        device.sync_copy(x, out)

        @pl.with_scoped(device.VMEM((4,), F), sem=device.SemaphoreType.DMA)
        def last(space, sem):
            device.async_copy(x.at[pl.ds(0, 4)], space, sem).wait()
            out[4:] = space[...] * 2

        last()

    return call(m, kernel, X)


def moved_to_itself(m):
    _, device = modules(m)

    def kernel(x, out, sent, arrived):
        kind = module_of(m, "experimental.pallas").DeviceIdType.LOGICAL
        copy = device.make_async_remote_copy(x, out, sent, arrived, device_id=0, device_id_type=kind)
        copy.start()
        copy.wait()

    f = lambda x: call(m, kernel, x, scratch_shapes=[device.SemaphoreType.DMA] * 2)
    spec = m.sharding.PartitionSpec()
    return m.jit(m.shard_map(f, mesh=m.make_mesh((1,), ("d",)), in_specs=spec, out_specs=spec, check_vma=False))(X)


def on_cores(m):
    pl, device = modules(m)

    def kernel(x, out, space):
        part = pl.ds(m.lax.axis_index("core") * 4, 4)
        device.sync_copy(x.at[part], space)
        space[...] = space[...] * 2
        device.sync_copy(space, out.at[part])

    mesh = device.create_tensorcore_mesh("core", num_cores=2)
    out = m.ShapeDtypeStruct((8,), F)
    f = pl.kernel(out_type=out, mesh=mesh, scratch_types=[device.VMEM((4,), F)], interpret=device.InterpretParams())
    return f(kernel)(X)


def on_a_core(m):
    pl, device = modules(m)
    kernel = lambda x, out, *, space: (copied(x, space), copied(space, out))[1]
    f = pl.kernel(kernel, m.ShapeDtypeStruct((8,), F), mesh=device.create_tensorcore_mesh("core", num_cores=1),
                  scratch_types={"space": device.VMEM((8,), F)}, interpret=True)
    return f(X)


def states(m):
    pl, _ = modules(m)

    def f(refs):
        refs["b"][...] = refs["a"][...] + 1

    return pl.run_state(f)({"a": m.numpy.asarray(X), "b": m.numpy.zeros(8)})


def looped(m):
    pl, _ = modules(m)

    def kernel(x, out):
        @pl.loop(1, 8, step=3, init_carry=(m.numpy.float32(0), 1))
        def total(i, carry):
            return carry[0] + x[i], carry[1] * 2

        out[...] = x[...] + total[0] * total[1]

    return call(m, kernel, X)


def points_that_are_traced(m):
    pl, _ = modules(m)

    def kernel(x, out):
        out[...] = x[...] + pl.num_programs(0)

    return m.jit(lambda n: call(m, kernel, X, grid=(n,)))(3)


def rolled(m):
    pl, device = modules(m)

    def kernel(x, out):
        square = x[...].reshape(2, 4)
        out[...] = device.roll(square, 1, 1, stride=1, stride_axis=0) + device.roll(square, m.numpy.int32(3), 1)

    return call(m, kernel, X, shape=(2, 4))


def rearranged(m):
    _, device = modules(m)
    x = m.numpy.arange(24).reshape(4, 6)
    return [device.einshape(equation, x, **sizes) for equation, sizes in (
        ("ab->ba", {}), ("a(bc)->bca", {"b": 2}), ("(ab)c->(cb)a", {"b": 2}), ("a(bcd)->(ad)cb", {"c": 3, "d": 1}))]


def packed(m):
    _, device = modules(m)

    def kernel(x, out):
        out[...] = device.bitcast(x[...].astype("bfloat16").reshape(4, 2), "int32")

    return call(m, kernel, X, shape=(2, 2), dtype="int32")


def unpacked(m):
    _, device = modules(m)

    def kernel(x, out):
        out[...] = device.bitcast((x[...] + 0.1).reshape(2, 4), "uint16")

    return call(m, kernel, X, shape=(4, 4), dtype="uint16")


def zeros_at_first(m):
    pl, device = modules(m)
    f = pl.pallas_call(lambda out: None, m.ShapeDtypeStruct((2,), F),
                       interpret=device.InterpretParams(uninitialized_memory="zero"))
    return f()


def rearranged_references(m):
    def kernel(x, out):
        out[...] = x.reshape(4, 2).bitcast("int32")[...].reshape(8)
        out[0] = x.at[pl.ds(1, 3)].at[1].get().astype("int32")

    pl, _ = modules(m)
    return call(m, kernel, X, dtype="int32")


def listed(m):
    def kernel(x, out, other):
        out[...], other[...] = x[...], x[...] * 2

    out = m.ShapeDtypeStruct((8,), F)
    outs = m.experimental.pallas.pallas_call(kernel, [out, out], interpret=True)(X)
    assert type(outs) is tuple
    return outs


def masked(m):
    _, device = modules(m)
    return call(m, lambda x, out: device.store(out, x[...], mask=x[...] > 3), X)


PROGRAMS = {f.__name__: f for f in (
    placed, placed_by_two, placed_onto_an_operand, placed_in_lanes, padded_elements, counted, counted_apart, moved,
    moved_within, moved_to_itself, on_cores, on_a_core, states, looped, points_that_are_traced, rolled, rearranged,
    packed, unpacked, zeros_at_first, masked, rearranged_references, listed)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_are_those_of_jax(name):
    theirs, ours = [[(np.asarray(x).tolist(), str(x.dtype)) for x in m.tree.leaves(PROGRAMS[name](m))] for m in MODULES]
    np.testing.assert_equal(ours, theirs)


WORK = {
    "arithmetic": lambda m, x: (x + x * 2 - x / x, -x),
    "elementary": lambda m, x: m.numpy.tanh(m.numpy.exp(x)) + m.numpy.sqrt(x),
    "product": lambda m, x: m.numpy.einsum("ij,kj->ik", x, x),
    "powers": lambda m, x: [x ** n for n in (1, 2, 3, 7, 16)],
    "called": lambda m, x: m.nn.softmax(x) + m.jit(lambda y: y + 1)(x),
    "loop": lambda m, x: m.lax.fori_loop(0, 3, lambda i, c: c + 1, x),
    "bits": lambda m, x: x.astype(int) & 3 | 1,
}


@pytest.mark.parametrize("name", WORK)
def test_estimates_of_work_are_those_of_jax(name):
    theirs, ours = [
        str(m.experimental.pallas.estimate_cost(lambda x, m=m: WORK[name](m, x), m.ShapeDtypeStruct((4, 6), F)))
        for m in MODULES
    ]
    assert ours == theirs


def test_mistakes_are_those_of_jax():
    def outcome(m, mistake):
        with pytest.raises(Exception) as error:
            mistake(m, *modules(m))
        return type(error.value).__name__, str(error.value).split("\n")[0]

    for mistake in (
        lambda m, pl, device: device.roll(m.numpy.ones(3), -1, 0),
        lambda m, pl, device: device.roll(m.numpy.ones(3), 1, 1),
        lambda m, pl, device: device.roll(m.numpy.ones(3), 1, 0, stride=1),
        lambda m, pl, device: device.roll(m.numpy.ones((3, 3)), 1, 0, stride=1, stride_axis=0),
        lambda m, pl, device: device.einshape("ab->ba", m.numpy.ones(3)),
        lambda m, pl, device: device.einshape("(ab)->ba", m.numpy.ones(6)),
        lambda m, pl, device: device.einshape("(ab)->ba", m.numpy.ones(6), b=4),
        lambda m, pl, device: device.bitcast(m.numpy.ones((3, 3), "int16"), "int32"),
        lambda m, pl, device: device.get_tpu_info(),
        lambda m, pl, device: device.CompilerParams(nonsense=1),
        lambda m, pl, device: call(m, copied, X, grid=(2,), grid_spec=pl.GridSpec(grid=(2,))),
        lambda m, pl, device: call(m, lambda x, out: None, X, shape=(4,), input_output_aliases={0: 0}),
        lambda m, pl, device: call(m, copied, X, input_output_aliases={1: 0}),
        lambda m, pl, device: call(m, copied, X, input_output_aliases={0: 2}),
    ):
        assert outcome(adjoint, mistake) == outcome(jax, mistake)
    pl = adjoint.experimental.pallas
    for kernel, error in ((lambda x, out: tpu.sync_copy(x.at[0], out), "one shape"), (lambda x, out: x[...], "None")):
        with pytest.raises((TypeError, ValueError), match=error):
            call(adjoint, kernel, X)
    with pytest.raises(ValueError, match="block dim type"):
        call(adjoint, copied, X, in_specs=[pl.BlockSpec((pl.BoundedSlice(4),), lambda: (0,))])
    for start, error in ((lambda: 0.5, "integer scalars"), (lambda: (0, 0), "return 1 values")):
        with pytest.raises(ValueError, match=error):
            call(adjoint, copied, X, in_specs=[pl.BlockSpec((4,), start)])
    with pytest.raises(ValueError, match="no axis of devices"):
        call(adjoint, lambda x, out, s: pl.semaphore_signal(s, device_id=0), X, scratch_shapes=[tpu.SemaphoreType.DMA])
    with pytest.raises(ValueError, match="should return None"):
        pl.core_map(tpu.create_tensorcore_mesh("core"))(lambda: 1)


def test_types_print_as_those_of_jax():
    def texts(pl, device):
        sizes = {"num_scalar_prefetch": 1, "grid": (2,)}
        return [repr(x) for x in (
            pl.BlockSpec((4,)), pl.BlockSpec((4,)).replace(block_shape=(3,)), pl.BoundedSlice(3), pl.Indirect(3),
            pl.ANY, pl.squeezed, list(pl.RevisitMode), list(pl.DeviceIdType), list(pl.MemorySpace),
            list(device.MemorySpace), device.VMEM((8,), F), device.CompilerParams(dimension_semantics=("parallel",)),
            device.InterpretParams(), device.PARALLEL, list(device.SemaphoreType),
            device.create_tensorcore_mesh("core", num_cores=2),
            device.PrefetchScalarGridSpec(**sizes).num_scalar_prefetch)]

    assert texts(*modules(adjoint)) == texts(*modules(jax))


def test_cores_see_their_numbers_in_loops_and_calls():
    pl = adjoint.experimental.pallas

    def body(out):
        core = adjoint.jit(lambda: adjoint.lax.axis_index("core"))()
        add = lambda i, c: c + adjoint.lax.axis_index("core")
        out[core] = adjoint.lax.fori_loop(0, 3, add, 10 * core)

    mesh = tpu.create_tensorcore_mesh("core", num_cores=3)
    f = pl.kernel(body, adjoint.ShapeDtypeStruct((3,), "int32"), mesh=mesh)
    assert f().tolist() == [0, 13, 26]


def test_copies_go_to_other_devices():
    """Each device sends to the next one along an axis, named by its coordinates, or by the one that differs."""
    pl, index = adjoint.experimental.pallas, adjoint.lax.axis_index
    out, next_along = adjoint.ShapeDtypeStruct((), F), lambda axis: (index(axis) + 1) % 2

    def shifted(to):
        kernel = lambda x, out, *sems: tpu.async_remote_copy(x, out, *sems, device_id=to()).wait()
        f = pl.pallas_call(kernel, out, scratch_shapes=[tpu.SemaphoreType.DMA] * 2)
        return adjoint.jit(adjoint.vmap(adjoint.vmap(f, axis_name="b"), axis_name="a"))(x)

    x = np.arange(4.0, dtype=F).reshape(2, 2)
    assert np.array_equal(shifted(lambda: (next_along("a"), index("b"))), np.roll(x, 1, 0))
    assert np.array_equal(shifted(lambda: {"b": next_along("b")}), np.roll(x, 1, 1))


def test_checks_are_made_where_they_are_asked_for():
    pl, checkify = adjoint.experimental.pallas, adjoint.experimental.checkify

    def kernel(x, out):
        pl.debug_check(x[0] > 0, "not positive")
        out[...] = x[...]

    for asked in (False, True):
        with pl.enable_debug_checks(asked):
            error, _ = checkify.checkify(lambda x: call(adjoint, kernel, x))(X)
        assert (error.get() is not None) == asked


def test_others_of_tpus_do_nothing_or_say_so():
    pl = adjoint.experimental.pallas
    tpu.set_tpu_interpret_mode()
    tpu.reset_tpu_interpret_mode_state()
    with tpu.force_tpu_interpret_mode():
        assert not tpu.is_tpu_device()

    def kernel(x, out, sem):
        tpu.trace_value("x", x[0])
        tpu.touch(x)
        pl.delay(10)
        out[...] = pl.broadcast_to(tpu.with_memory_space_constraint(tpu.load(x), tpu.VMEM)[1], (8,))
        space = pl.empty_ref_like(adjoint.ShapeDtypeStruct((2,), F))
        space[...] = x[:2]
        out[:2] = space[...] * 5

    assert call(adjoint, kernel, X, scratch_shapes=[tpu.SemaphoreType.BARRIER]).tolist() == [0.0, 5.0] + [1.0] * 6
    first = pl.kernel(lambda out: tpu.run_on_first_core("core")(lambda: out.__setitem__(0, 1)),
                      adjoint.ShapeDtypeStruct((1,), "int32"), mesh=tpu.create_tensorcore_mesh("core", num_cores=2))
    assert first().tolist() == [1]
    with pytest.raises(AttributeError, match="TPU"):
        _ = tpu.prng_seed
