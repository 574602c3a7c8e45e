"""`jax.experimental.roofline`: what programs compute and move, beside JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import promoting
from tests.recorded import jax, module_of

import adjoint
import adjoint.extend

X, Y, V = (8, 16), (16, 4), (8,)
IMAGES, KERNELS = (2, 3, 8, 9), (5, 3, 3, 4)

# Programs of a module named like JAX, and the shapes of their operands.
ONE_DEVICE = {
    "nothing": (lambda j, x: x, X),
    "element-wise": (lambda j, x: j.numpy.sin(x) + j.numpy.cos(x), X),
    "chain": (lambda j, x: j.numpy.sin(j.numpy.cos(j.numpy.exp(x))), X),
    "dead code": (lambda j, x: (j.numpy.sin(x), x)[1], X),
    "unused operand": (lambda j, x, y: y * 2, X, Y),
    "cases": (lambda j, x: j.numpy.where(x > 0, x, -x), X),
    "sum": (lambda j, x: x.sum(), X),
    "sum of columns": (lambda j, x: x.sum(0), X),
    "running sum": (lambda j, x: j.lax.cumsum(x, 1), X),
    "running logarithm": (lambda j, x: j.lax.cumlogsumexp(x, 1), X),
    "product": (lambda j, x, y: x @ y, X, Y),
    "products": (lambda j, x, y: (x @ y) @ y.T, X, Y),
    "batches of products": (lambda j, x, y: j.numpy.einsum("bij,bjk->bik", x, y), (3, 4, 5), (3, 5, 6)),
    "convolution": (lambda j, x, w: j.lax.conv_general_dilated(x, w, (1, 1), "SAME"), IMAGES, KERNELS),
    "strides": (lambda j, x, w: j.lax.conv_general_dilated(x, w, (2, 3), "VALID"), IMAGES, KERNELS),
    "gaps": (lambda j, x, w: j.lax.conv_general_dilated(
        x, w, (1, 2), [(1, 2), (0, 1)], lhs_dilation=(2, 1), rhs_dilation=(2, 1)), IMAGES, KERNELS),
    "groups": (lambda j, x, w: j.lax.conv_general_dilated(x, w, (1, 1), "SAME", feature_group_count=3),
               IMAGES, (6, 1, 3, 3)),
    "batch groups": (lambda j, x, w: j.lax.conv_general_dilated(x, w, (1, 1), "SAME", batch_group_count=2),
                     IMAGES, (6, 3, 3, 3)),
    "gather": (lambda j, x, y: x[y.astype(int)], X, (3,)),
    "scatter": (lambda j, x, y: x.at[y.astype(int)].set(2.0), X, (3,)),
    "scatter of sums": (lambda j, x, y: x.at[y.astype(int)].add(2.0), X, (3,)),
    "moves": (lambda j, x: j.numpy.concatenate([x, x], 1).T, X),
    "memory": (lambda j, x, y: (y * 2, x + 1, j.numpy.tile(y, (2, 2))), X, Y),
    "twice": (lambda j, x: (j.lax.concatenate([x, x], 0), -x), X),
    "jit": (lambda j, x: j.jit(lambda x: j.numpy.tile(j.numpy.sin(x), (4, 1)).sum())(x) + 1, X),
    "remat": (lambda j, x: j.checkpoint(j.numpy.sin)(x), X),
    "custom derivative": (lambda j, x: j.nn.relu(x), X),
    "scan": (lambda j, x: j.lax.scan(lambda c, a: (c + a, a), j.numpy.ones(16), x), X),
    "while": (lambda j, x: j.lax.while_loop(lambda c: c[0, 0] > 1, lambda c: c / 2, x), X),
    "gradient": (lambda j, x: j.grad(lambda x: j.numpy.sin(x).sum())(x), X),
    "gradient of a product": (lambda j, x, y: j.vjp(lambda x, y: x @ y, x, y)[1](j.numpy.ones((8, 4))), X, Y),
}


def figures(found):
    """The fields of a result; of JAX's, only its text is kept."""
    return eval(repr(found), {"RooflineResult": dict})


def estimated(j, name, **options):
    f, *shapes = ONE_DEVICE[name]
    structs = [j.ShapeDtypeStruct(s, np.float32) for s in shapes]
    _, found = module_of(j, "experimental.roofline").roofline(lambda *args: f(j, *args), **options)(*structs)
    return figures(found)


@promoting
@pytest.mark.parametrize("name", ONE_DEVICE)
def test_programs_on_one_device(name):
    assert estimated(adjoint, name) == estimated(jax, name)


@pytest.mark.parametrize("options", [
    {"pin_lhs_in_vmem": True}, {"pin_rhs_in_vmem": True}, {"pin_lhs_in_vmem": True, "pin_rhs_in_vmem": True}])
def test_operands_that_are_not_read(options):
    assert estimated(adjoint, "product", **options) == estimated(jax, "product", **options)


COLLECTIVES = {
    "psum": lambda j, x, axes: j.lax.psum(x, axes),
    "psum of two": lambda j, x, axes: j.lax.psum((x, x), axes),
    "pmax": lambda j, x, axes: j.lax.pmax(x, axes),
    "all_gather": lambda j, x, axes: j.lax.all_gather(x, axes, tiled=True),
    "psum_scatter": lambda j, x, axes: j.lax.psum_scatter(x, axes, tiled=True),
    "all_to_all": lambda j, x, axes: j.lax.all_to_all(x, axes, 0, 0, tiled=True),
    "ppermute": lambda j, x, axes: j.lax.ppermute(x, axes, [(i, (i + 1) % 4) for i in range(4)]),
    "far ppermute": lambda j, x, axes: j.lax.ppermute(x, axes, [(i, 3 - i) for i in range(4)]),
}


def divided(j, name, axes):
    mesh, spec = j.sharding.AbstractMesh((2, 4, 8), ("a", "b", "c")), j.sharding.PartitionSpec(axes)
    f = lambda x: j.tree.map(lambda y: j.lax.pcast(y, axes, to="varying") if "p" == name[0] and name[:5] in (
        "psum", "psum ", "pmax") else y, COLLECTIVES[name](j, x, axes))
    shape = j.ShapeDtypeStruct((4096, 8), np.float32)
    _, found = module_of(j, "experimental.roofline").roofline(f, mesh, spec, spec)(shape)
    return figures(found)


@pytest.mark.parametrize(("name", "axes"), [
    (name, axes) for name in COLLECTIVES for axes in ["a", "b", "c", ("a", "b"), ("a", "b", "c")]
    if (axes == "b" if "ppermute" in name else isinstance(axes, str) or name[:4] in ("psum", "pmax"))
    and (name, type(axes)) != ("psum_scatter", tuple)
])
def test_what_crosses_the_links_of_a_mesh(name, axes):
    assert divided(adjoint, name, axes) == divided(jax, name, axes)


def both(j):
    mesh, spec = j.sharding.AbstractMesh((4,), ("a",)), j.sharding.PartitionSpec
    m = module_of(j, "experimental.roofline")
    estimates = m.roofline_and_grad(lambda x, y: x @ y, mesh, (spec("a"), spec()), spec("a"))
    _, *found = estimates(j.ShapeDtypeStruct((8, 4), np.float32), j.ShapeDtypeStruct((4, 4), np.float32))
    return [figures(x) for x in found]


def test_a_program_and_its_gradients():
    assert both(adjoint) == both(jax)


def test_results_are_added_and_repeated():
    result = module_of(adjoint, "experimental.roofline").RooflineResult
    a = result(flops=1, ici_bytes={"a": 2}, hbm_bytes=5, peak_hbm_bytes=9)
    b = result(flops=2, ici_bytes={"a": 3, "b": 4}, ici_latency={"c": 1}, peak_hbm_bytes=7)
    assert a + b == result(
        flops=3, ici_bytes={"a": 5, "b": 4}, ici_latency={"c": 1}, hbm_bytes=5, peak_hbm_bytes=9)
    assert 3 * a == a * 3 == result(flops=3, ici_bytes={"a": 6}, hbm_bytes=15, peak_hbm_bytes=27)
    assert a + result.zeros() == a


def test_rules_of_users():
    m = module_of(adjoint, "experimental.roofline")
    p = adjoint.extend.core.Primitive("twice")
    p.def_abstract_eval(lambda x: x)
    program = lambda x: adjoint.jit(p.bind)(x)
    x = adjoint.ShapeDtypeStruct((3,), np.float32)
    assert m.roofline(program)(x)[1].unfused_flops == 0
    m.register_standard_roofline(p)
    assert m.roofline(program)(x)[1].unfused_flops == 0

    @m.register_roofline(p)
    def _(ctx, shape, **params):
        assert (ctx.primitive, ctx.mesh, shape.shape, shape.bytes) == (p, None, (3,), 12)
        return m.RooflineResult(unfused_flops=shape.size)

    assert m.roofline(program)(x)[1].unfused_flops == 3


def test_a_type_that_is_no_array():
    with pytest.raises(TypeError, match="Expected ShapedArray"):
        module_of(adjoint, "experimental.roofline").RooflineShape.from_aval(3)
