"""Parts of transformations under private names: jaxprs are differentiated, mapped and cut as by JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

from .inside import ours, told


def program(m):
    return m.make_jaxpr(lambda x, y: (m.numpy.sin(x) * y, y))(m.numpy.ones(3), m.numpy.ones(3))


def aval(m, shape=(3,), dtype=None):
    return m._src.core.ShapedArray(shape, np.dtype(dtype or m.numpy.ones(()).dtype))


def axis(m):
    return m._src.interpreters.batching.AxisData("i", 4, None, None)


def linear(m):
    return m.make_jaxpr(lambda x, y: [x * 2.0])(m.numpy.ones(3), m.numpy.ones(3))


def known(m):
    return m._src.interpreters.partial_eval


def batching(m):
    return m._src.interpreters.batching


def undefined(m):
    return m._src.interpreters.ad.UndefinedPrimal(aval(m))


def manual(m, f, in_specs, out_specs):
    """The program of a function over one device, and what it gives."""
    mesh = m.make_mesh((1,), ("x",), axis_types=(m.sharding.AxisType.Auto,))
    mapped = m.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs)
    x = m.numpy.arange(6.0).reshape(2, 3)
    return m.make_jaxpr(mapped)(x), mapped(x)


PROBES = {
    "jvp": lambda m: m._src.interpreters.ad.jvp_jaxpr(program(m), [True, False], instantiate=False),
    "jvp_of_both": lambda m: m._src.interpreters.ad.jvp_jaxpr(program(m), [True, True], instantiate=[False, True]),
    "linearized": lambda m: m._src.interpreters.ad.linearize_jaxpr(program(m), [True, False], is_vjp=False)[1:4],
    "backward": lambda m: m._src.interpreters.ad.backward_pass(linear(m).jaxpr, False, (), [undefined(m),
        m.numpy.ones(3)], [m.numpy.ones(3)]),
    "backward_closed": lambda m: m._src.interpreters.ad.closed_backward_pass(linear(m), False, [undefined(m),
        m.numpy.ones(3)], [m.numpy.ones(3)]),
    "backward_zero": lambda m: m._src.interpreters.ad.backward_pass(linear(m).jaxpr, False, (), [undefined(m),
        m.numpy.ones(3)], [m._src.interpreters.ad.Zero(aval(m))]),
    "linear_jvp": lambda m: m._src.interpreters.ad.linear_jvp(m.lax.neg_p, (1.0,), (2.0,)),
    "zero_jvp": lambda m: m._src.interpreters.ad.zero_jvp(m.lax.floor_p, (1.0,), (2.0,)),
    "zeros": lambda m: m._src.ad_util.zeros_like_aval(aval(m)),
    "sum": lambda m: m._src.ad_util.add_impl(1.0, 2.0),
    "known": lambda m: known(m).partial_eval_jaxpr_nounits(program(m), [False, True], instantiate=False),
    "known_second": lambda m: known(m).partial_eval_jaxpr_nounits(program(m), [True, False], instantiate=True),
    "known_forwarded": lambda m: known(m).partial_eval_jaxpr_nounits_fwd(program(m), [False, True],
        instantiate=False),
    "by_policy": lambda m: known(m).partial_eval_jaxpr_custom(program(m).jaxpr, [False, True], [True, True], False,
        False, lambda *_, **__: True),
    "operands_last": lambda m: known(m).move_invars_right(program(m), [True, False]),
    "results_last": lambda m: known(m).move_outvars_to_back(program(m), [True, False]),
    "parted": lambda m: known(m).partition_pvals([known(m).PartialVal.known(1.0),
        known(m).PartialVal.unknown(aval(m))]),
    "types": lambda m: known(m).abstract_eval_fun(lambda x: [x + 1], aval(m),
        debug_info=m._src.api_util.debug_info("a", lambda x: 0, (1,), {})),
    "has_effects": lambda m: known(m).has_effects(program(m).eqns[0]),
    "offloadable": lambda m: known(m).Offloadable("a", "b"),
    "mapped": lambda m: batching(m).batch_jaxpr(program(m), axis(m), [True, False], False)[1],
    "mapped_all": lambda m: batching(m).batch_jaxpr(program(m), axis(m), [True, False], True)[1],
    "mapped_anywhere": lambda m: batching(m).batch_jaxpr2(program(m), axis(m), (1, None))[1],
    "mapped_to_places": lambda m: batching(m).batch_jaxpr_axes(program(m), axis(m), (1, None), [0,
        batching(m).zero_if_mapped])[1],
    "mapped_types": lambda m: batching(m).batch_jaxpr_axes(program(m), axis(m), (1, None), [1, 1])[0].out_avals,
    "moved_axis": lambda m: batching(m).matchaxis(axis(m), 0, 1, m.numpy.ones((4, 3))),
    "repeated": lambda m: batching(m).matchaxis(axis(m), None, 1, m.numpy.ones(3)).shape,
    "no_place": lambda m: batching(m).matchaxis(axis(m), 0, None, m.numpy.ones((4, 3))),
    "summed": lambda m: batching(m).matchaxis(axis(m), 0, None, m.numpy.ones((4, 3)), sum_match=True),
    "is_vmappable": lambda m: batching(m).is_vmappable(3),
    "broadcast": lambda m: batching(m).broadcast_batcher(m.lax.add_p, axis(m), [m.numpy.ones((4, 3)),
        m.numpy.ones((3, 4))], [0, 1])[0].shape,
    "element_wise": lambda m: batching(m).vectorized_batcher(m.lax.sin_p, axis(m), [m.numpy.ones((4, 3))], [1],
        accuracy=None)[1],
    "reduced": lambda m: batching(m).reducer_batcher(m.lax.reduce_sum_p, axis(m), [m.numpy.ones((4, 3))], [1],
        axes=(0,), out_sharding=None),
    "added": lambda m: batching(m).add_batched(axis(m), [m.numpy.ones((4, 3)), m.numpy.ones((4, 3))], [0, 0]),
    "rule_called": lambda m: m._src.custom_batching.call_rule(lambda s, b, x: (x * s, b), 3, [True],
        (m.numpy.ones(3),)),
    "in_front": lambda m: m._src.custom_batching.maybe_bdim_at_front(m.numpy.ones((2, 3)), 1).shape,
    "split": lambda m: m._src.custom_batching.tree_split((True, False), (1, 2)),
    "merged": lambda m: m._src.custom_batching.tree_merge((True, False), (1, None), (3, 2)),
    "element_wise_primitive": lambda m: m._src.lax.lax.naryop(m._src.lax.utils.input_dtype, [{np.floating},
        {np.floating}], "foo").abstract_eval(aval(m), aval(m))[0],
    "other_dtype": lambda m: m._src.lax.lax.naryop(m._src.lax.utils.input_dtype, [{np.floating}, {np.floating}],
        "foo").abstract_eval(aval(m), aval(m, dtype="float16")),
    "other_shape": lambda m: m._src.lax.lax.naryop(m._src.lax.utils.input_dtype, [{np.floating}, {np.floating}],
        "foo").abstract_eval(aval(m), aval(m, (4,))),
    "not_accepted": lambda m: m._src.lax.lax.unop_dtype_rule(m._src.lax.utils.input_dtype, {np.floating}, "nm",
        aval(m, dtype="int32")),
    "stretched": lambda m: m._src.lax.lax.broadcasting_shape_rule("nm", aval(m), aval(m, (1,))),
    "narrow": lambda m: m._src.lax.lax.standard_unop({np.integer}, "nm", supports_narrow_ints=False).abstract_eval(
        aval(m, dtype="int4")),
    "kept_dtype": lambda m: m.make_jaxpr(m._src.lax.lax.standard_unop({np.floating}, "nm").bind)(m.numpy.ones(3)),
    "algorithms": lambda m: [
        [np.dtype(d).name for d in m._src.lax.lax.get_algorithm_compute_types(preset, lhs, np.float32, out)]
        for preset in m.lax.DotAlgorithmPreset for lhs in (np.float16, np.float32, np.int8) for out in (np.float16,
        np.float32, np.float64)],
    "an_algorithm": lambda m: [np.dtype(d).name for d in m._src.lax.lax.get_algorithm_compute_types(m.lax.DotAlgorithm(
        np.float16, np.float32, np.float32), np.float64, np.float64, np.float64)],
    "gathered": lambda m: manual(m, lambda x: m._src.lax.parallel.all_gather_invariant(x, "x", axis=-1), m.P("x"),
        m.P()),
    "gathered_alike": lambda m: manual(m, lambda x: m._src.lax.parallel.all_gather_invariant({"a": x}, "x", tiled=True)[
        "a"], m.P(), m.P()),
    "varying": lambda m: manual(m, lambda x: m._src.lax.parallel.pvary(x, "x"), m.P(), m.P("x")),
    "varying_along_none": lambda m: manual(m, lambda x: m._src.lax.parallel.pvary(x, ()), m.P("x"), m.P("x")),
    "remat_cases": lambda m: [
        isinstance(case, m._src.interpreters.partial_eval.RematCases_) for case in (True, 1,
        m._src.interpreters.partial_eval.Recompute, m._src.interpreters.partial_eval.Saveable)],
    "trailing": lambda m: m._src.lax.lax.strip_trailing_nones([1, None, None]),
    "logistic": lambda m: m._src.lax.lax.logistic_impl(m.numpy.float32(1.0), None),
    "igamma": lambda m: m._src.lax.special.igamma_impl(m.numpy.float32(2), m.numpy.float32(1),
        dtype=np.dtype("float32")).round(5),
    "igammac": lambda m: m._src.lax.special.igammac_impl(m.numpy.float32(2), m.numpy.float32(1),
        dtype=np.dtype("float32")).round(5),
    "chebyshev": lambda m: m._src.lax.special.evaluate_chebyshev_polynomial(m.numpy.float32(0.3), np.array([1.0,
        2.0, 3.0], "float32")).round(3) > 0.8,
    "igamma_grad": lambda m: m._src.lax.special.igamma_gradx(1.0, 2.0, 3.0).round(5),
    "polygamma_grad": lambda m: m._src.lax.special.polygamma_gradx(1.0, 2.0, 3.0).round(5),
    "betainc_grad": lambda m: m._src.lax.special.betainc_gradx(1.0, 2.0, 3.0, 0.4) > 1.7,
    "betainc_no_grad": lambda m: m._src.lax.special.betainc_grad_not_implemented(1.0, 2.0, 3.0, 0.4),
    "polygamma_no_grad": lambda m: m._src.lax.special.polygamma_gradm(1.0, 2.0, 3.0),
    "symmetric": lambda m: m._src.lax.linalg.symmetrize(m.numpy.array([[1.0, 2.0], [4.0, 5.0]])),
    "lu_solve": lambda m: m._src.lax.linalg.lu_solve(*[m.lax.linalg.lu(m.numpy.array([[0.0, 2.0], [4.0,
        5.0]]))[i] for i in (0, 2)], m.numpy.array([2.0, 1.0])),
    "lu_solve_transposed": lambda m: m._src.lax.linalg.lu_solve(*[m.lax.linalg.lu(m.numpy.array([[0.0, 2.0], [4.0,
        5.0]]))[i] for i in (0, 2)], m.numpy.array([2.0, 1.0]), 1),
}


@pytest.mark.parametrize("name", PROBES)
def test_private_names_do_what_they_do_in_jax(name):
    assert told(PROBES[name], ours) == told(PROBES[name], jax)
