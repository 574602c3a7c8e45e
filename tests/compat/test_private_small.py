"""Small private names: arguments, specs, contexts, events, classes, platforms."""

from __future__ import annotations

import logging
from operator import attrgetter

import numpy as np
import pytest
from tests.recorded import jax

import adjoint

from .inside import ours, told


def util(m):
    return m._src.util


def api(m):
    return m._src.api_util


def core(m):
    return m._src.core


def named(m):
    return m._src.named_sharding


def mesh(m):
    return m.sharding.Mesh(np.array(m.devices()[:1]).reshape(1, 1), ("a", "b"))


def sharding(m):
    return m.sharding.NamedSharding(mesh(m), m.P("a"))


def aval(m, shape=(3,), dtype="float32"):
    return m._src.core.ShapedArray(shape, np.dtype(dtype))


def f(a, b=2, *c, d=4, **e):
    return a


class Node:
    """A node of a graph."""

    def __init__(self, name, *parents):
        self.name, self.parents = name, parents

    def __repr__(self):
        return self.name


def graphs():
    a, alone = Node("a"), Node("alone")
    b, c = Node("b", a), Node("c", a)
    d, twice, round_ = Node("d", b, c), Node("twice", a, a, b), Node("round")
    round_.parents = [round_]
    return [d], [d, alone], [b, d, c], [d, d], [twice, d], [round_], []


PROBES = {
    "kinds": lambda m: [[d.name for d in getattr(m._src.dtypes, f"_{kind}_types")] for kind in (
        "jax", "int", "float", "complex")] + [m._src.dtypes._weak_types],
    "operands": lambda m: [m._src.dtypes.canonicalize_value(x) for x in (
        2.5, 3, 1j, True, np.float32(1), np.ones(2), np.arange(2), m.numpy.ones(2))],
    "no_operand": lambda m: m._src.dtypes.canonicalize_value([1]),
    "no_dtype": lambda m: m._src.dtypes.canonicalize_value(np.array("a")),
    "refused": lambda m: m._src.dtypes.InvalidInputException.__mro__[1:],
    "shape_types": lambda m: (m._src.core.DimSize, m._src.core.Shape),
    "tolerances": lambda m: {d.name: t for d, t in m._src.test_util._default_tolerance.items() if d.kind != "V"},
    "paths": lambda m: m._src.tree_util.generate_key_paths({"a": 1, "b": [2]}),
    "sorted": lambda m: [util(m).toposort(nodes) for nodes in graphs()],
    "no_level": lambda m: m._src.logging_config.update_logging_level_global("LOUD"),
    "modules": lambda m: [getattr(m._src.lax.lax, name).__name__ for name in ("core", "ad", "pe", "mlir", "util")] + [
        m._src.test_util.xla_bridge.__name__, m._src.test_util.config.__name__],
    "map": lambda m: m._src.core.map(lambda x, y: x + y, [1, 2], [3, 4]),
    "zip": lambda m: m._src.core.zip([1, 2], [3, 4]),
    "zip_lengths": lambda m: m._src.core.zip([1, 2], [3]),
    "cpp_method": lambda m: util(m).use_cpp_method(False)(f) is f,
    "hashable": lambda m: (api(m).is_hashable([]), api(m).is_hashable(1), api(m).PytreeLeaf()),
    "signature": lambda m: (api(m).fun_signature(f), api(m).fun_signature(int)),
    "sourceinfo": lambda m: (api(m).fun_sourceinfo(f).split("/")[0], api(m).fun_sourceinfo(print)),
    "kwargs": lambda m: api(m).resolve_kwargs(f, (1,), {"b": 3}),
    "kwargs_by_name": lambda m: api(m).resolve_kwargs(lambda a, *, d: a, (1,), {"d": 3}),
    "kwargs_default": lambda m: api(m).resolve_kwargs(lambda a, b=2, **k: 0, (1,), {}),
    "kwargs_missing": lambda m: api(m).resolve_kwargs(lambda a, b: 0, (1,), {"a": 3}),
    "argnums": lambda m: api(m).resolve_argnums(f, api(m).fun_signature(f), 0, None, 1, None),
    "argnames": lambda m: api(m).resolve_argnums(f, api(m).fun_signature(f), 0, "b", None, "d"),
    "argnames_unknown": lambda m: api(m).resolve_argnums(print, None, 0, "b", None, "d").split(" "),
    "argnums_both": lambda m: api(m).resolve_argnums(f, api(m).fun_signature(f), (0,), None, (0,), None),
    "partial": lambda m: api(m).argnums_partial2(f, (0, 2), (1, 2, 3), {"d": 5})[1],
    "partial_call": lambda m: api(m).argnums_partial2(lambda *a, **k: (a, k), (1,), (1, 2, 3), {"d": 5})[0](7),
    "axes": lambda m: api(m).flatten_axis_resources("what", m.tree.structure((1, (2, 3))), (1, 2), True),
    "axes_none": lambda m: api(m).flatten_axis_resources("what", m.tree.structure((1, (2, 3))), None, False),
    "hook": lambda m: api(m).api_hook(f, "x") is f,
    "floating": lambda m: str(api(m).InternalFloatingPointError("add", "nan")),
    "jaxlib": lambda m: (m._src.lib.version, m._src.lib.version_str, m._src.lib.jaxlib_extension_version,
        m._src.lib.ifrt_version),
    "jaxlib_ok": lambda m: m._src.lib.check_jaxlib_version("0.10.2", "0.10.2", "0.10.0"),
    "jaxlib_new": lambda m: m._src.lib.check_jaxlib_version("0.9.2", "0.10.2", "0.10.0"),
    "jaxlib_old": lambda m: m._src.lib.check_jaxlib_version("0.10.2", "0.8.2", "0.10.0"),
    "devices": lambda m: [(x.name, x.value) for x in m._src.typing.DLDeviceType],
    "deprecated": lambda m: m._src.typing.DeprecatedArg(),
    "effect_of_operand": lambda m: (m._src.effects.JaxprInputEffect(3),
        m._src.effects.JaxprInputEffect(2).replace(input=4)),
    "effect_set": lambda m: m._src.effects.EffectTypeSet().contains(m._src.callback.IOEffect()),
    "ordered": lambda m: [m._src.effects.ordered_effects.contains(x()) for x in (m._src.callback.IOEffect,
        m._src.callback.OrderedIOEffect)],
    "lowerable": lambda m: [m._src.effects.lowerable_effects.contains(x()) for x in (m._src.callback.IOEffect,
        m._src.callback.OrderedIOEffect)],
    "flat_spec": lambda m: named(m).flatten_spec(m.P("a", None, ("b", "c"))),
    "array_mapping": lambda m: dict(named(m).get_array_mapping(m.P("a", None, "b"))),
    "axis_resources": lambda m: named(m).array_mapping_to_axis_resources(named(m).get_array_mapping(m.P("a", None,
        ("b", "c")))),
    "no_length_one": lambda m: named(m).remove_size_one_mesh_axis(m.P("a", None), mesh(m)),
    "no_length_one_mesh": lambda m: named(m).get_non_one_sized_mesh_spec(mesh(m), m.P("a", "b")),
    "replicated": lambda m: named(m).get_replicated_axes(m.P("a"), mesh(m).abstract_mesh),
    "spec_twice": lambda m: named(m).check_pspec(mesh(m), m.P("a", "a")),
    "spec_unknown": lambda m: named(m).check_pspec(mesh(m), m.P("z")),
    "spec_right": lambda m: named(m).check_pspec(mesh(m), m.P("a")),
    "replica": lambda m: m._src.sharding_impls.device_replica_id_map(sharding(m), (4,)),
    "addressable": lambda m: m._src.sharding_impls.num_addressable_indices(sharding(m), 0, (4,)),
    "global_shape": lambda m: m._src.sharding_impls.local_to_global_shape(sharding(m), (4,)),
    "process": lambda m: m._src.sharding_impls.get_process_index_and_count(sharding(m), 0, 1),
    "strides": lambda m: m._src.sharding_impls.strides_for_sizes([2, 3, 4]),
    "superdims": lambda m: [tuple(map(int, x)) for x in m._src.sharding_impls.unflatten_superdims([0, 1, 2, 3])],
    "exploded": lambda m: m._src.sharding_impls.explode_superdims([4, 2], [(8, 1)]),
    "unflat": lambda m: m._src.sharding_impls.unflatten_array({"a": 2, "b": 2}, [0, 1, 2, 3]),
    "is_mesh": lambda m: isinstance(mesh(m), m._src.mesh.BaseMesh),
    "equivalent": lambda m: m._src.sharding.common_is_equivalent_to(sharding(m), m.sharding.NamedSharding(mesh(m),
        m.P()), 1),
    "layout": lambda m: m._src.layout.get_layout_for_vmap(0, m._src.layout.Layout((1, 0))),
    "auto": lambda m: m._src.layout.AutoLayout,
    "more_spec": lambda m: (m._src.interpreters.pxla.batch_spec(m.P("a"), 0, "b"),
        m._src.interpreters.pxla.batch_spec(m.P("a"), 1, None)),
    "same": lambda m: (core(m).same_referent(1, 1), core(m).dedup_referents([1, 1, 2]), core(m).definitely_equal(1,
        2)),
    "memories": lambda m: (core(m).mem_kind_to_space("device"), core(m).mem_space_to_kind(core(m).MemorySpace.Host)),
    "physical": lambda m: (core(m).physical_shape((2,), m.random.key(0).dtype),
        core(m).physical_element_aval(m.random.key(0).dtype)),
    "concrete": lambda m: core(m).to_concrete_value(m.numpy.ones(2)),
    "ordered_axes": lambda m: core(m).order_wrt_mesh(mesh(m), {"b", "a"}),
    "symbolic": lambda m: core(m).is_symbolic_dim(3),
    "one_of": lambda m: core(m).definitely_equal_one_of_dim(3, [1, 3]),
    "slice": lambda m: core(m).canonicalize_slice(slice(1, None), 5),
    "slice_back": lambda m: core(m).canonicalize_slice(slice(None, None, -2), 5),
    "length_dtype": lambda m: core(m).dim_value_dtype(),
    "compatible": lambda m: core(m).typecompat(aval(m), aval(m, dtype="int32")),
    "leading": lambda m: (core(m).mapped_leading_aval(3, aval(m)), core(m).unmapped_leading_aval(5, aval(m))),
    "reset": lambda m: core(m).reset_trace_state(),
    "scalar": lambda m: core(m).check_scalar_conversion(m.numpy.ones(2)),
    "integer": lambda m: core(m).check_integer_conversion(m.numpy.ones(2)),
    "boolean": lambda m: core(m).check_bool_conversion(m.numpy.ones(2)),
    "boolean_empty": lambda m: core(m).check_bool_conversion(m.numpy.ones(0)),
    "no_effects": lambda m: core(m).positional_effects(m.make_jaxpr(m.numpy.sin)(1.0).jaxpr),
    "events": lambda m: (m._src.dispatch.JAXPR_TRACE_EVENT, m._src.dispatch.BACKEND_COMPILE_EVENT),
    "special": lambda m: (m._src.dispatch.needs_check_special(), m._src.dispatch.check_special("x",
        [m.numpy.array([np.nan])])),
    "tuple_args": lambda m: m._src.dispatch.should_tuple_args(3, "cpu"),
    "called": lambda m: m._src.dispatch.xla_primitive_callable(m.lax.neg_p)(1.0),
    "platforms": lambda m: sorted(m._src.xla_bridge.known_platforms()),
    "alias": lambda m: (m._src.xla_bridge.expand_platform_alias("gpu"),
        m._src.xla_bridge.canonicalize_platform("cpu")),
    "no_alias": lambda m: m._src.xla_bridge.canonicalize_platform("gpu"),
    "topology": lambda m: m._src.xla_bridge.get_num_nodes_from_gpu_topology("2x3x4"),
    "topology_wrong": lambda m: m._src.xla_bridge.get_num_nodes_from_gpu_topology("2x3"),
    "exception": lambda m: m._src.traceback_util.format_exception_only(ValueError("x")),
    "effort": lambda m: [(x.name, x.value) for x in m._src.config.EffortLevel],
    "collectives": lambda m: m._src.config.DEFAULT_CPU_COLLECTIVES_IMPL,
}


@pytest.mark.parametrize("name", PROBES)
def test_private_names_do_what_they_do_in_jax(name):
    assert told(PROBES[name], ours) == told(PROBES[name], jax)


def test_loggers_write_everything_where_they_are_told_to():
    """As JAX's do; what each is told is undone by the next, but for the level of those that are told one by one."""
    config = ours._src.logging_config
    state = lambda name: (logging.getLogger(name).level, len(logging.getLogger(name).handlers))
    for told_to, expected in (("of_tests", [(10, 1), (0, 0)]), ("of_others", [(0, 0), (10, 1)]), (None, [(0, 0)] * 2)):
        config.update_debug_log_modules(told_to)
        assert [state("of_tests"), state("of_others")] == expected
    config._enable_debug_logging("of_tests")
    config._enable_debug_logging("of_tests")
    assert state("of_tests") == (10, 1)
    config._disable_all_debug_logging()
    assert state("of_tests") == (10, 0)
    level = logging.getLogger("adjoint").level
    config.update_logging_level_global("INFO")
    assert state("jax") == state("adjoint") == (20, 1)
    config.update_logging_level_global(None)
    assert state("jax") == state("adjoint") == (20, 0)
    for name, before in (("jax", 0), ("adjoint", level), ("of_tests", 0)):
        logging.getLogger(name).setLevel(before)


def test_a_distributed_program_logs_pairs_under_a_heading(caplog):
    with adjoint.config.state("jax_distributed_debug")(True):
        ours._src.util.distributed_debug_log(("Running", "f"), ("value", [1, 2]))
    ours._src.util.distributed_debug_log(("Running", "g"))
    assert caplog.messages == ["\nDISTRIBUTED_DEBUG_BEGIN\nRunning: f\n  value: [1, 2]\nDISTRIBUTED_DEBUG_END"]


def test_classes_are_made_immutable_and_functions_are_presented_elsewhere():
    made = ours._src.util.immutable(type("Made", (), {}))()
    with pytest.raises(AttributeError, match="cannot assign to field 'x'"):
        made.x = 2
    for module, where in (("numpy.util", "numpy"), ("lax.lax", "lax"), ("numpy.linalg", "numpy.linalg")):
        export = attrgetter(f"{module}.export")(ours._src)
        assert export(lambda: 0).__module__ == f"jax.{where}"


def test_a_program_of_symbolic_lengths_is_exported_while_somebody_listens():
    heard = []
    listen = lambda name, seconds, **about: heard.append(name)
    adjoint.monitoring.register_event_duration_secs_listener(listen)
    try:
        shape = adjoint.export.symbolic_shape("b, 3")
        made = adjoint.export.export(adjoint.jit(lambda x: x.sum(0)))(adjoint.ShapeDtypeStruct(shape, np.float32))
    finally:
        adjoint.monitoring.unregister_event_duration_listener(listen)
    assert "/jax/core/compile/jaxpr_trace_duration" in heard
    assert made.call(np.ones((4, 3), np.float32)).tolist() == [4.0] * 3


def test_a_traced_function_writes_to_references_among_its_operands():
    def double(ref):
        ref[...] = ref[...] * 2.0
        return []

    wrapped = ours._src.linear_util.wrap_init(double)
    kind = ours._src.state.types.shaped_array_ref((3,), np.float32)
    jaxpr, _, _ = ours._src.interpreters.partial_eval.trace_to_jaxpr_dynamic(wrapped, [kind])
    assert [eqn.primitive.name for eqn in jaxpr.eqns] == ["get", "mul", "swap"]
