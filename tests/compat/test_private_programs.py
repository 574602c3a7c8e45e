"""Private names that are about programs do what JAX's do: jaxprs, zeros, trees, options."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax, module_of

import adjoint
import adjoint.numpy as jnp
from adjoint.compat.private.programs import counted, flags, jaxprs, trees, values, zeros
from adjoint.compat.private.shardings import UNSPECIFIED
from adjoint.core.trace import state

their_core = jax._src.core
their_trees = jax._src.tree_util


def program(m):
    return m.make_jaxpr(lambda x: m.jit(lambda y: m.numpy.sin(y) * 2)(x) + 1.0)(m.numpy.ones(2)).jaxpr


@compiling
def test_equations_are_counted_as_in_jax():
    ours, theirs = program(adjoint), program(jax)
    their_counts = jax._src.jaxpr_util
    for name in ("primitives", "primitives_by_shape"):
        assert getattr(counted, name)(ours) == dict(getattr(their_counts, name)(theirs))
    assert counted.histogram(ours, lambda eqn: len(eqn.outvars)) == {1: 4}
    assert {k: len(v) for k, v in counted.collect_eqns(ours, lambda eqn: eqn.primitive.name).items()} == {
        "jit": 1, "add": 1, "sin": 1, "mul": 1}
    assert sum(counted.source_locations(ours).values()) == 4 and len(counted.primitives_by_source(ours)) == 4
    assert len(list(counted.all_eqns(ours, revisit_inner_jaxprs=False))) == 4
    (outer, uses), (_, inner) = counted.var_defs_and_refs(ours)
    assert outer is ours and [len(readers) for _, _, readers in uses] == [1, 1, 1] and len(inner) == 3
    assert uses[-1][2] == [None] and uses[0][1] is None


def test_uses_of_variables_are_found():
    jaxpr = program(adjoint)
    last = jaxprs.last_used(jaxpr)
    x, out = jaxpr.invars[0], jaxpr.outvars[0]
    assert last[x] is jaxpr.eqns[0] and last[out] is None
    env = {x: 1, out: 2}
    jaxprs.clean_up_dead_vars(jaxpr.eqns[0], env, last)
    assert list(env) == [out]
    assert jaxprs.jaxpr_has_primitive(jaxpr, "sin") and not jaxprs.jaxpr_has_primitive(jaxpr, "cos")


def test_programs_are_rearranged():
    closed = adjoint.make_jaxpr(lambda x, y, z: (x + y, z * 2.0))(1.0, 2.0, 3.0)
    front = jaxprs.move_binders_to_front(closed, [False, False, True])
    assert front.jaxpr.invars == [closed.invars[2], *closed.invars[:2]]
    assert jaxprs.move_binders_to_back(front, [True, False, False]).jaxpr.invars == closed.jaxpr.invars
    pruned = jaxprs.prune_closed_jaxpr_outputs(closed, [True, False])
    assert len(pruned.eqns) == 1 and len(pruned.invars) == 3
    assert jaxprs.close_jaxpr(pruned.jaxpr).consts == []
    held = jnp.arange(3.0)
    of_constants = adjoint.make_jaxpr(lambda x: x * held)(1.0)
    moved = jaxprs.convert_constvars_jaxpr(of_constants.jaxpr)
    assert len(moved.invars) == 1 + len(of_constants.consts) and not moved.constvars
    assert len(jaxprs.convert_invars_to_constvars(moved, 1).constvars) == 1


SHAPES = [
    ("min_dim", 3, 4), ("max_dim", 3, 4), ("canonicalize_shape", (2, np.int32(3))), ("canonicalize_dim", 3),
    ("is_empty_shape", (2, 0)), ("stride_dim", 10, 3, 2), ("dilate_dim", 4, 2), ("dilate_dim", 0, 2),
    ("divide_shape_sizes", (4, 2), (2,)), ("dimension_as_value", 3), ("concrete_dim_or_error", 3), ("identity", 3),
    ("is_literalable", 3.0), ("is_literalable", np.ones(2)), ("is_literalable", np.float32(2)), ("is_dim", 3),
]


@pytest.mark.parametrize("call", SHAPES, ids=str)
def test_shapes_are_as_in_jax(call):
    name, *args = call
    assert getattr(jaxprs, name)(*args) == getattr(their_core, name)(*args)


def test_types_match_but_for_weakness():
    strong, weak = adjoint.typeof(jnp.float32(1)), adjoint.typeof(1.0)
    assert jaxprs.typematch(strong, weak) and jaxprs.typecheck(strong, 1.0)
    assert not jaxprs.typematch(strong, adjoint.typeof(1))
    assert jaxprs.typematch(strong, adjoint.typeof(1), no_dtype_check=True)
    assert jaxprs.dim_value_aval().str_short() == "int32[]"
    with pytest.raises(TypeError, match="Shapes must be 1D sequences of concrete values of integer type"):
        jaxprs.canonicalize_shape((2, "a"))
    with pytest.raises(TypeError, match="Argument 'a' of type <class 'str'> is not a valid JAX type"):
        jaxprs.check_arg("a")
    assert jaxprs.check_arg(3) is None and not jaxprs.is_dim("a")
    assert jaxprs.join_effects({1}, frozenset({2})) == {1, 2}


def test_named_axes_are_in_scope():
    with pytest.raises(NameError, match="unbound axis name: i"):
        jaxprs.axis_frame("i")
    with jaxprs.extend_axis_env_nd([("i", 3)]):
        assert jaxprs.axis_frame("i") == 3 and jaxprs.get_axis_env().axis_exists("i")

    @adjoint.jit
    def f(x):
        with jaxprs.eval_context():
            assert float(jnp.sin(0.0)) == 0.0
        return x

    f(1.0)


def test_zeros_are_those_of_types():
    assert repr(zeros.p2tz(jnp.ones(2))) == "Zero(float32[2])" == repr(zeros.p2cz(jnp.ones(2)))
    assert zeros.a2tz(adjoint.typeof(jnp.arange(2))).aval.dtype == adjoint.dtypes.float0
    assert zeros.instantiate(zeros.p2tz(jnp.ones(2))).tolist() == [0, 0] and zeros.instantiate(3) == 3
    found = zeros.zeros_like_jaxval(3.0)
    assert (float(found), found.weak_type) == (0.0, True)
    symbolic = zeros.replace_internal_symbolic_zeros(zeros.p2tz(jnp.ones(2)))
    assert type(symbolic) is adjoint.custom_derivatives.SymbolicZero
    assert repr(zeros.replace_rule_output_symbolic_zeros(symbolic)) == "Zero(float32[2])"
    assert zeros.replace_internal_symbolic_zeros(3) == 3


PAIRS = [((1, [2]), (1, (2,))), ({"a": 1}, {"b": 1}), ((1, 2), (1,)), (None, 1), ((1, 2), (3, 4))]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_differences_of_trees_are_told_as_in_jax(pair):
    show = lambda found: [(adjoint.tree_util.keystr(path), *words) for path, *words in found]
    theirs = [(jax.tree_util.keystr(path), *words) for path, *words in their_trees.equality_errors(*pair)]
    assert show(trees.equality_errors(*pair)) == theirs
    assert bool(theirs) == bool(list(trees.equality_errors_pytreedef(*map(adjoint.tree.structure, pair))))


def test_none_is_a_leaf_where_it_is_asked_for():
    assert trees.none_leaf_registry.flatten((None, 1))[0] == [None, 1]
    assert trees.dispatch_registry.flatten((None, 1))[0] == [1]
    structure = adjoint.tree.structure
    assert trees.treedef_is_strict_leaf(structure(1)) and not trees.treedef_is_strict_leaf(structure(None))
    assert trees.tree_leaves_checked(structure((1, 2)), (3, 4)) == [3, 4]
    with pytest.raises(AssertionError):
        trees.tree_leaves_checked(structure((1, 2)), (3,))
    full = structure(((3, 4), 5))
    assert trees.broadcast_flattened_prefix_with_treedef([1, 2], structure((1, 2)), full) == [1, 1, 2]
    assert trees.Static(3) == trees.Static(3) and adjoint.tree.leaves((trees.Static(3), 1)) == [1]
    assert repr(trees.Static(3)) == "Static(val=3)" and hash(trees.Static(3)) == hash(3)


def test_options_are_there_by_their_private_names(monkeypatch):
    assert flags.enable_x64.value is adjoint.enable_x64.value
    with flags.enable_x64(True):
        assert adjoint.numpy.ones(1).dtype == np.float64
    assert flags.config_states["jax_enable_x64"].name == "jax_enable_x64" and "jax_nothing" not in flags.config_states
    with pytest.raises(AttributeError):
        _ = flags.nothing_of_this_name
    monkeypatch.setenv("TESTS_OF_ADJOINT_FLAG", "off")
    assert not flags.bool_env("TESTS_OF_ADJOINT_FLAG", True) and flags.int_env("TESTS_OF_ADJOINT_INT", 3) == 3
    flag = flags.bool_flag("tests_of_adjoint_flag", True, "help")
    assert flag.value is False
    flag._set(True)
    assert flag.value is True
    with pytest.raises(NotImplementedError):
        bool(flag)
    monkeypatch.setenv("TESTS_OF_ADJOINT_FLAG", "perhaps")
    with pytest.raises(ValueError, match="invalid truth value"):
        flags.bool_env("TESTS_OF_ADJOINT_FLAG", True)
    assert flags.int_flag("tests_of_adjoint_n", 3).value == 3


def test_libraries_have_options_of_their_own():
    config = flags.config
    kept = config._states.copy()
    try:
        state = flags.bool_state(name="jax_tests_of_adjoint", default=False, help="for a test")
        with state(True):
            assert config.jax_tests_of_adjoint
        word = flags.enum_state(
            name="jax_tests_of_adjoint_word", enum_values=["a", "b"], default="a", help="for a test",
            include_in_trace_context=True)
        traced = []

        @adjoint.jit
        def f(x):
            traced.append(word.value)
            return x

        f(1.0)
        with word("b"):
            f(1.0)
        assert traced == ["a", "b"]
        with pytest.raises(ValueError):
            config.update("jax_tests_of_adjoint_word", "c")
    finally:
        config._states.clear()
        config._states.update(kept)


def test_values_have_hashes():
    one, same = values.HashableArray([1, 2]), values.HashableArray(np.array([1, 2]))
    assert one == same and hash(one) == hash(same) and repr(one) == "HashableArray(array([1, 2]))"
    mapping = values.FrozenDict({"a": 1})
    assert mapping == values.FrozenDict({"a": 1}) and hash(mapping) == hash(values.FrozenDict({"a": 1}))
    assert mapping["a"] == 1 and len(mapping) == 1 and repr(mapping) == "FrozenDict({'a': 1})"


def test_meshes_have_axes_of_types():
    Auto, Explicit = adjoint.sharding.AxisType.Auto, adjoint.sharding.AxisType.Explicit
    assert values.all_axis_types_match((Auto, Auto), Auto) and not values.all_axis_types_match((Auto, Explicit), Auto)
    assert values.any_axis_types_match((Auto, Explicit), Explicit) and values.show_axes("ab") == "`a`, `b`"
    assert values.get_concrete_mesh().empty and values.empty_abstract_mesh.empty
    mesh = adjoint.make_mesh((1,), ("a",))
    with adjoint.set_mesh(mesh):
        assert values.get_concrete_mesh() == mesh
    assert values.is_user_filename(__file__)


def test_residuals_are_listed():
    from adjoint.transforms.derivatives.residuals import saved_residuals

    found = saved_residuals(lambda d: d["a"] * d["b"][0], {"a": 1.0, "b": (2.0,)})
    assert [origin for _, origin in found] == ["from the argument d['a']", "from the argument d['b'][0]"]


@pytest.mark.parametrize("m", [adjoint, jax])
def test_a_trace_gives_a_program_another_argument(m):
    def f(x):
        trace = module_of(m, "_src.core").trace_ctx.trace if m is jax else state.trace
        return x + trace.new_arg(m.core.ShapedArray((3,), np.dtype("float32")), None).sum()

    assert [v.aval.shape for v in m.make_jaxpr(f)(1.0).jaxpr.invars] == [(), (3,)]


def test_a_sharding_that_was_not_given_is_none():
    assert adjoint.jit(lambda x: x + 1, in_shardings=UNSPECIFIED, out_shardings=UNSPECIFIED)(1.0) == 2.0
