"""Interpreters of jaxprs, traces from outside, and the modules that libraries import, beside JAX."""

from __future__ import annotations

import importlib
from functools import cache

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax, module_of

import adjoint

from .test_primitives import LIBRARIES, same

SURFACE = {
    "extend.core": """AbstractToken CallPrimitive ClosedJaxpr DebugInfo DropVar Effect Effects
        InconclusiveDimensionOperation Jaxpr JaxprEqn JaxprTypeError Literal Primitive Token TraceTag Var
        array_types call_impl check_jaxpr concrete_or_error find_top_trace gensym get_opaque_trace_state
        jaxpr_as_fun jaxprs_in_params mapped_aval new_jaxpr_eqn no_effects nonempty_axis_env_DO_NOT_USE
        primal_dtype_to_tangent_dtype primitives set_current_trace subjaxprs take_current_trace
        unmapped_aval unsafe_am_i_under_a_jit_DO_NOT_USE unsafe_am_i_under_a_vmap_DO_NOT_USE
        unsafe_get_axis_names_DO_NOT_USE valid_jaxtype""",
    "extend.linear_util": """StoreException WrappedFun cache merge_linear_aux transformation transformation2
        transformation_with_aux transformation_with_aux2 wrap_init""",
    "extend.backend": """backend_xla_version backends clear_backends clear_in_memory_compilation_cache
        get_backend get_compile_options get_default_device register_backend_cache""",
    "extend.random": """define_prng_impl random_seed rbg_prng_impl seed_with_impl threefry2x32_p threefry_2x32
        threefry_prng_impl unsafe_rbg_prng_impl""",
    "extend.source_info_util": """NameStack SourceInfo current current_name_stack extend_name_stack
        new_name_stack new_source_info register_exclusion reset_name_stack set_name_stack summarize
        transform_name_stack user_context""",
    "core": """AbstractValue Atom ParamDict ShapedArray Trace Tracer Value ensure_compile_time_eval eval_context
        eval_jaxpr max_dim min_dim""",
    "interpreters.ad": """JVPTrace JVPTracer UndefinedPrimal Zero add_jaxvals add_jaxvals_p add_tangents
        defbilinear defjvp defjvp2 deflinear deflinear2 get_primitive_transpose instantiate_zeros
        is_undefined_primal jvp primitive_jvps primitive_transposes zeros_like_aval""",
    "interpreters.batching": """axis_primitive_batchers bdim_at_front broadcast defbroadcasting defreducer
        defvectorized fancy_primitive_batchers primitive_batchers register_vmappable unregister_vmappable""",
    "interpreters.mlir": "LoweringRule lower_fun register_lowering",
    "interpreters.partial_eval": """DynamicJaxprTracer JaxprTracer PartialVal custom_partial_eval_rules dce_jaxpr
        dce_jaxpr_consts dce_rules partial_eval_jaxpr_custom_rules trace_to_jaxpr_dynamic
        trace_to_jaxpr_nounits""",
    "interpreters.xla": "Backend apply_primitive canonicalize_dtype_handlers",
    "custom_batching": "custom_vmap sequential_vmap",
    "test_util": "check_grads check_jvp check_vjp",
}


@pytest.mark.parametrize("module", SURFACE)
def test_modules_have_jaxs_names(module):
    """Each name is there in both."""
    for root in (adjoint, jax):
        found = module_of(root, module)
        assert [] == [n for n in SURFACE[module].split() if not hasattr(found, n)]


def test_primitives_have_jaxs_names():
    """A primitive under a name of `extend.core.primitives` is JAX's of that name."""
    ours, theirs = LIBRARIES[0].ecore.primitives, LIBRARIES[1].ecore.primitives
    shared = [n for n in dir(ours) if hasattr(theirs, n)]
    assert len(shared) > 120
    assert {n: getattr(theirs, n).name for n in shared if n != "remat_p"} == {
        n: getattr(ours, n).name for n in shared if n != "remat_p"}


# ---- interpreters --------------------------------------------------------------------------------


def inverse(lib, fun):
    """The tutorial's interpreter: runs a jaxpr backwards by a table of inverses."""
    lax, literal = lib.lax, lib.ecore.Literal
    registry = {lax.exp_p: lib.np.log, lax.tanh_p: lib.np.arctanh, lax.neg_p: lambda x: -x}

    def run(*args):
        closed = lib.root.make_jaxpr(fun)(*args)
        jaxpr, env = closed.jaxpr, {}
        read = lambda v: v.val if type(v) is literal else env[v]
        env.update(zip(jaxpr.outvars, args))
        env.update(zip(jaxpr.constvars, closed.literals))
        for eqn in jaxpr.eqns[::-1]:
            assert eqn.primitive in registry
            env[eqn.invars[0]] = registry[eqn.primitive](read(eqn.outvars[0]))
        return [read(v) for v in jaxpr.invars][0]

    return run


def logged(lib, closed, args):
    """Runs a jaxpr forwards, entering calls, and lists the primitives."""
    names = []

    def run(jaxpr, consts, args):
        env = {}
        read = lambda v: v.val if isinstance(v, lib.ecore.Literal) else env[v]
        env.update(zip(jaxpr.invars, args))
        env.update(zip(jaxpr.constvars, consts))
        for eqn in jaxpr.eqns:
            values = [read(v) for v in eqn.invars]
            if eqn.primitive is lib.ecore.primitives.jit_p:
                inner = eqn.params["jaxpr"]
                outs = run(inner.jaxpr, inner.consts, values)
            else:
                names.append(eqn.primitive.name)
                outs = eqn.primitive.bind(*values, **eqn.primitive.get_bind_params(eqn.params))
                outs = outs if eqn.primitive.multiple_results else [outs]
            env.update(zip(eqn.outvars, outs))
        return [read(v) for v in jaxpr.outvars]

    return run(closed.jaxpr, closed.consts, args), names


def test_the_tutorials_interpreter_inverts():
    """exp(tanh(x)) backwards, also under jit, vmap and grad."""

    def make(lib):
        f = inverse(lib, lambda x: lib.lax.exp(lib.lax.tanh(x)))
        x = np.array([1.5, 2.0], "f")
        return f(1.5), lib.root.jit(f)(1.5), lib.root.vmap(f)(x), lib.root.grad(f)(1.5)

    same(make)


def test_an_interpreter_runs_every_kind_of_equation():
    """scan, while, cond, custom_jvp, custom_vjp and jit bind again from their parameters."""

    def make(lib):
        root, lax, jnp = lib.root, lib.lax, lib.np
        soft = root.custom_jvp(lambda x: x * 2)
        soft.defjvp(lambda p, t: (soft(*p), t[0] * 3))
        hard = root.custom_vjp(lambda x: x * 5)
        hard.defvjp(lambda x: (x * 5, x), lambda r, ct: (ct * r,))

        def f(x):
            y = root.jit(jnp.sin)(x)
            y, _ = lax.scan(lambda c, v: (c + soft(v), None), y, jnp.arange(3.0))
            y = lax.while_loop(lambda v: v < 20.0, lambda v: v * 2, y)
            return lax.cond(y > 1.0, hard, lambda v: v, y)

        def run(x):
            return logged(lib, root.make_jaxpr(f)(x), [x])[0][0]

        outs, names = logged(lib, root.make_jaxpr(f)(1.0), [1.0])
        kinds = [sum(n == kind for n in names) for kind in ("scan", "while", "cond")]
        return outs, kinds, root.jit(run)(1.0), root.vmap(run)(jnp.arange(2.0))

    same(make)


def test_jaxprs_can_be_written_by_hand():
    """Var, Literal, new_jaxpr_eqn, Jaxpr, ClosedJaxpr, replace and jaxpr_as_fun."""

    def make(lib):
        core = lib.ecore
        closed = lib.root.make_jaxpr(lambda x: lib.lax.sin(x) * 2.0)(1.0)
        eqns = [e.replace(primitive=lib.lax.cos_p) if e.primitive is lib.lax.sin_p else e for e in closed.eqns]
        changed = closed.replace(jaxpr=closed.jaxpr.replace(eqns=eqns))
        aval = lib.core.ShapedArray((), np.dtype("f"))
        new = core.gensym()
        a, b = new(aval), new(aval)
        eqn = core.new_jaxpr_eqn([a, core.Literal(np.float32(3), aval)], [b], lib.lax.mul_p, {}, core.no_effects)
        jaxpr = core.Jaxpr([], [a], [b], [eqn], debug_info=closed.jaxpr.debug_info)
        return (
            core.jaxpr_as_fun(changed)(1.0), core.jaxpr_as_fun(core.ClosedJaxpr(jaxpr, ()))(2.0),
            lib.core.eval_jaxpr(jaxpr, (), 4.0), len(list(core.subjaxprs(jaxpr))),
        )

    same(make)


def test_a_trace_from_outside_sees_primitives():
    """A trace and tracers in the style of quax: multiplication counts, everything else goes on."""

    def make(lib):
        core = lib.core
        counted = []

        class Counted(core.Tracer):
            def __init__(self, trace, value):
                self._trace = trace
                self.value = value

            @property
            def aval(self):
                return lib.root.typeof(self.value)

        class Counting(core.Trace):
            def __init__(self, parent):
                super().__init__()
                self.parent_trace = parent

            def process_primitive(self, primitive, tracers, params):
                counted.append(primitive.name)
                values = [t.value if isinstance(t, Counted) else t for t in tracers]
                with lib.ecore.set_current_trace(self.parent_trace):
                    out = primitive.bind(*values, **params)
                if primitive.multiple_results:
                    return [Counted(self, x) for x in out]
                return Counted(self, out)

        def run(fun, x):
            with lib.ecore.take_current_trace() as parent:
                trace = Counting(parent)
                with lib.ecore.set_current_trace(trace):
                    out = fun(Counted(trace, x))
                return out.value

        f = lambda x: lib.lax.mul(lib.lax.sin(x), x)
        g = lambda x: run(f, x)
        outs = g(lib.np.float32(2)), lib.root.jit(g)(2.0), lib.root.grad(g)(2.0)
        return outs, counted.count("mul"), counted.count("sin")

    same(make)


def test_a_trace_from_outside_sees_calls_with_rules():
    """custom_jvp and custom_vjp calls reach the methods for them."""
    lib, seen = LIBRARIES[0], []

    class Boxed(lib.core.Tracer):
        def __init__(self, trace, value):
            self._trace = trace
            self.value = value

        aval = property(lambda self: lib.root.typeof(self.value))

    class Boxing(lib.core.Trace):
        def __init__(self, parent):
            self.parent_trace = parent

        def process_primitive(self, primitive, tracers, params):
            with lib.ecore.set_current_trace(self.parent_trace):
                out = primitive.bind(*[x.value if isinstance(x, Boxed) else x for x in tracers], **params)
            return [Boxed(self, x) for x in out] if primitive.multiple_results else Boxed(self, out)

        def process_custom_jvp_call(self, primitive, fun, jvp, tracers, *, symbolic_zeros):
            seen.append(primitive.name)
            return fun.call_wrapped(*tracers)

        def process_custom_vjp_call(self, primitive, fun, fwd, bwd, tracers, *, out_trees, symbolic_zeros):
            seen.append(primitive.name)
            return fun.call_wrapped(*tracers)

    f = lib.root.custom_jvp(lib.lax.sin)
    f.defjvps(lambda t, out, x: 3.0 * t)
    g = lib.root.custom_vjp(lib.lax.cos)
    g.defvjp(lambda x: (g(x), x), lambda x, ct: (ct,))
    with lib.ecore.take_current_trace() as parent:
        trace = Boxing(parent)
        with lib.ecore.set_current_trace(trace):
            out = lib.lax.mul(f(Boxed(trace, lib.np.float32(2))), g(Boxed(trace, lib.np.float32(2))))
    np.testing.assert_allclose(np.sin(2.0) * np.cos(2.0), out.value, rtol=1e-6)
    assert ["custom_jvp_call", "custom_vjp_call"] == seen


def test_operations_are_passed_on_with_all_their_parameters():
    """Those that are not set too; custom calls with their functions, under derivatives and in programs."""

    def passed_on(lib):
        class Passing(lib.core.Trace):
            def __init__(self, parent):
                super().__init__()
                self.parent_trace = parent

            def bind(self, primitive, tracers, params):
                avals = tuple(map(lib.root.typeof, tracers))
                return primitive.bind_with_trace(self.parent_trace, tuple(tracers), avals, params)

            def process_primitive(self, primitive, tracers, params):
                seen.append((primitive.name, dict(params)))
                return self.bind(primitive, tracers, params)

            def process_custom_jvp_call(self, primitive, fun, jvp, tracers, **params):
                return self.bind(primitive, tracers, dict(subfuns=(fun, jvp), **params))

            def process_custom_vjp_call(self, primitive, fun, fwd, bwd, tracers, **params):
                return self.bind(primitive, tracers, dict(subfuns=(fun, fwd, bwd), **params))

        f, g = lib.root.custom_jvp(lib.lax.sin), lib.root.custom_vjp(lib.lax.cos)
        f.defjvps(lambda t, out, x: 3.0 * t)
        g.defvjp(lambda x: (lib.lax.cos(x), x), lambda x, ct: (5.0 * ct,))

        def h(x):
            with lib.ecore.take_current_trace() as parent, lib.ecore.set_current_trace(Passing(parent)):
                return lib.lax.mul(lib.lax.add(f(x), g(x)), lib.lax.tanh(lib.lax.neg(x)))

        seen = []
        x = np.float32(1.0)
        slope = lib.root.grad(h)
        return h(x), seen[:4], slope(x), lib.root.jit(slope)(x), lib.root.vmap(h)(np.stack([x, x]))

    for (out, seen, *outs), (expected, theirs, *more) in [[passed_on(lib) for lib in LIBRARIES]]:
        assert seen == theirs
        for x, y in zip((out, *outs), (expected, *more)):
            np.testing.assert_allclose(x, y, rtol=1e-6)


@compiling
def test_traces_are_given_the_parameters_of_jax():
    """Those of its rules alone: a loop over a batch says no more than JAX's, and draws count as the option says."""

    def seen_by(lib):
        class Naming(lib.core.Trace):
            def __init__(self, parent):
                super().__init__()
                self.parent_trace = parent

            def process_primitive(self, primitive, tracers, params):
                if not primitive.name.startswith("jit"):
                    seen.append((primitive.name, sorted(params)))
                avals = tuple(map(lib.root.typeof, tracers))
                return primitive.bind_with_trace(self.parent_trace, tuple(tracers), avals, params)

        def g(x):
            with lib.ecore.take_current_trace() as parent, lib.ecore.set_current_trace(Naming(parent)):
                last = lib.root.vmap(lambda y: lib.lax.while_loop(lambda z: z < 9.0, lambda z: z + y, y))(x)
                return last, lib.root.random.bits(key, (2,)), lib.root.random.key_data(lib.root.random.split(key))

        seen, key = [], lib.root.random.key(3)
        outs = g(np.float32([1.0, 2.0]))
        names = ("while", "random_bits", "random_split")
        return [np.asarray(x).tolist() for x in outs], sorted([s for s in seen if s[0] in names])

    ours, theirs = [seen_by(lib) for lib in LIBRARIES]
    assert ours == theirs


# ---- the modules ---------------------------------------------------------------------------------


def test_wrapped_functions_pass_values_on_the_side():
    """The three generations of transformations in linear_util."""
    for lib in LIBRARIES:
        lu = module_of(lib.root, "extend.linear_util")
        name = dict(debug_info=jax.api_util.debug_info("test", len, (), {})) if lib.root is jax else {}

        @lu.transformation_with_aux
        def doubled(scale, *args):
            out = yield [a * scale for a in args], {}
            yield [o + 1 for o in out], len(out)

        f, aux = doubled(lu.wrap_init(lambda x, y: [x + y, x], **name), 2)
        assert [11, 5] == f.call_wrapped(2, 3)
        assert 2 == aux()
        g = lu.transformation2(lambda f, *args: f(*args)[::-1])(lu.wrap_init(lambda x, y: [x, y], **name))
        assert [2, 1] == g.call_wrapped(1, 2)

        def keeping(f, store, *args):
            store.store(args)
            return f(*args)

        with_aux = lu.transformation_with_aux2(keeping)
        h, kept = with_aux(lu.wrap_init(lambda x: [x], **name))
        with pytest.raises(lu.StoreException):
            kept()
        assert [7] == h.call_wrapped(7) and (7,) == kept()
        assert (True, (7,)) == lu.merge_linear_aux(kept, with_aux(lu.wrap_init(len, **name))[1])


def test_staging_known_and_unknown_values():
    """trace_to_jaxpr_dynamic and trace_to_jaxpr_nounits."""
    lib = LIBRARIES[0]
    pe = importlib.import_module("adjoint.interpreters.partial_eval")
    lu = importlib.import_module("adjoint.extend.linear_util")
    aval = lib.core.ShapedArray((3,), np.dtype("f"))
    f = lu.wrap_init(lambda x, y: [x + y, y * 2])
    jaxpr, avals, consts = pe.trace_to_jaxpr_dynamic(f, [aval, aval])
    assert 2 == len(jaxpr.eqns) and [aval, aval] == avals and [] == consts
    jaxpr, outs, consts = pe.trace_to_jaxpr_nounits(f, [pe.PartialVal.unknown(aval), pe.PartialVal.known(2.0)])
    assert 1 == len(jaxpr.eqns) and 1 == len(jaxpr.outvars)
    assert aval == outs[0].get_aval() and outs[1].is_known() and 4.0 == float(outs[1].get_known())
    jaxpr, used_consts, used = pe.dce_jaxpr_consts(pe.trace_to_jaxpr_dynamic(f, [aval, aval])[0], [False, True])
    assert 1 == len(jaxpr.eqns) and [] == used_consts and [False, True] == used


def _sine_and_product(lib):
    return lambda x, y: (lib.np.sin(x), lib.np.cos(y) * x)


DIVIDED = {
    "jit": lambda lib, f, x, y: lib.root.jit(f)(x, y),
    "checkpoint": lambda lib, f, x, y: lib.root.checkpoint(f)(x, y),
    "jit of checkpoint": lambda lib, f, x, y: lib.root.jit(lib.root.checkpoint(f))(x, y),
    "jit of vmap": lambda lib, f, x, y: lib.root.jit(lib.root.vmap(f))(x[None], y[None]),
    "scan": lambda lib, f, x, y: lib.lax.scan(lambda c, _: ((c[0] * 2, c[1] + c[0]), c[0]), (x, y), None, 3),
    "fori_loop": lambda lib, f, x, y: lib.lax.fori_loop(0, 3, lambda i, c: (c[0] * 2, c[1] + c[0]), (x, y)),
    "cond": lambda lib, f, x, y: lib.lax.cond(x > 0, f, lambda x, y: (x, y), x, y),
    "cond of the unknown": lambda lib, f, x, y: lib.lax.cond(y > 0, f, lambda x, y: (x, y), x, y),
    "custom_jvp": lambda lib, f, x, y: (lib.root.nn.relu(x), lib.root.nn.relu(y)),
    "what no argument decides": lambda lib, f, x, y: lib.root.jit(lambda x, y: (lib.np.ones(2), y))(x, y),
}


@compiling
@pytest.mark.parametrize("first_is_known", [True, False])
@pytest.mark.parametrize("name", DIVIDED)
def test_what_is_known_inside_of_calls_and_loops_is_known(name, first_is_known):
    """trace_to_jaxpr_nounits divides them, as flax's `nn.scan` of a remat needs for what it broadcasts."""

    def make(lib):
        x, pe = np.float32(0.5), module_of(lib.root, "interpreters.partial_eval")
        fun = lambda *args: lib.root.tree.leaves(DIVIDED[name](lib, _sine_and_product(lib), *map(lib.np.asarray, args)))
        info = module_of(lib.root, "api_util").debug_info("test", fun, (x, x), {})
        pvals = [pe.PartialVal.known(x), pe.PartialVal.unknown(lib.root.typeof(x))]
        flat = module_of(lib.root, "extend.linear_util").wrap_init(fun, debug_info=info)
        jaxpr, outs, consts = pe.trace_to_jaxpr_nounits(flat, pvals if first_is_known else pvals[::-1])
        known = [out.get_known() for out in outs if out.is_known()]
        return [bool(out.is_known()) for out in outs], known, lib.root.core.eval_jaxpr(jaxpr, consts, x)

    same(make)


def test_what_has_an_effect_happens_once_where_a_call_is_divided(capsys):
    """A print in a jitted function, or in a loop, of which one result is known."""
    pe, lib = importlib.import_module("adjoint.interpreters.partial_eval"), LIBRARIES[0]

    def printing(x, y):
        adjoint.debug.print("seen")
        return x * 2, y * x

    x = np.float32(0.5)
    for call in (adjoint.jit(printing), lambda x, y: adjoint.lax.cond(x > 0, printing, printing, x, y)):
        flat = importlib.import_module("adjoint.extend.linear_util").wrap_init(lambda x, y, call=call: call(x, y))
        pvals = [pe.PartialVal.known(x), pe.PartialVal.unknown(lib.root.typeof(x))]
        jaxpr, _, consts = pe.trace_to_jaxpr_nounits(flat, pvals)
        adjoint.core.eval_jaxpr(jaxpr, consts, x)
        adjoint.effects_barrier()
        assert "seen\n" == capsys.readouterr().out


def test_keys_of_defined_generators():
    """`extend.random`: the same bits as JAX's."""

    def make(lib):
        er = module_of(lib.root, "extend.random")
        data = lib.root.random.key_data
        key = er.threefry_2x32(lib.np.array([1, 2], "uint32"), lib.np.arange(5, dtype="uint32"))
        keys = er.random_seed(np.arange(3), er.threefry_prng_impl)
        return key, data(er.seed_with_impl(er.rbg_prng_impl, 3)), data(keys)

    same(make)


def test_traces_can_be_asked():
    """Whether a jit or a vmap is active, the axes in scope, and known values at trace time."""

    def make(lib):
        e = lib.ecore
        ask = lambda: [e.unsafe_am_i_under_a_jit_DO_NOT_USE(), e.unsafe_am_i_under_a_vmap_DO_NOT_USE(),
                       e.unsafe_get_axis_names_DO_NOT_USE() == ["i"], e.nonempty_axis_env_DO_NOT_USE()]
        seen = [ask()]

        def f(x):
            seen.append(ask())
            with lib.core.ensure_compile_time_eval():
                n = int(lib.np.arange(3).sum())
            decorated = lib.core.ensure_compile_time_eval()(lambda: int(lib.np.arange(2).sum()))
            return x * n + decorated()

        out = lib.root.jit(f)(1.0), lib.root.vmap(f, axis_name="i")(np.ones(2, "f"))
        now = e.get_opaque_trace_state()
        seen.append([now == e.get_opaque_trace_state(), lib.root.jit(lambda: now == e.get_opaque_trace_state())()])
        return out, seen

    same(make)


def test_backends():
    """The default backend and device."""
    backend = importlib.import_module("adjoint.extend.backend")
    assert "cpu" == backend.get_backend().platform and ["cpu"] == list(backend.backends())
    assert backend.get_default_device() in adjoint.devices() == backend.get_backend("cpu").devices()
    with pytest.raises(RuntimeError, match="Unknown backend"):
        backend.get_backend("abacus")


def test_compile_options_are_jaxs():
    """The same bytes, for every argument."""
    ours, theirs = [module_of(root, "extend.backend") for root in (adjoint, jax)]
    flags = {"xla_cpu_enable_fast_math": True}
    for args in ({}, {"env_options_overrides": flags}, {"device_assignment": np.array([[0]])},
                 {"device_assignment": [0], "detailed_logging": False}, {"fdo_profile": b"x"}):
        texts = [m.get_compile_options(1, 1, **args).SerializeAsString() for m in (theirs, ours)]
        assert texts[0] == texts[1], args
    for m in (theirs, ours):
        with pytest.raises(ValueError, match="device_assignment does not match num_replicas"):
            m.get_compile_options(2, 1, device_assignment=np.array([[0]]))


def test_caches_of_libraries_are_cleared_with_ours():
    """Once registered, by `clear_caches`."""
    cached = cache(lambda x: x)
    importlib.import_module("adjoint.extend.backend").register_backend_cache(cached, "tests")
    cached(1)
    adjoint.clear_caches()
    assert 0 == cached.cache_info().currsize


# ---- types that say how they are mapped ----------------------------------------------------------


class Box:
    """A value of several arrays that is one leaf of a tree."""

    def __init__(self, *xs):
        self.xs = xs


class Along:
    """The axis of a box along which it is mapped."""

    def __init__(self, axis):
        self.axis = axis


class Count:
    """A number of calls."""

    def __init__(self, n):
        self.n = n


MAPPED = {
    "specs": lambda m, f, box, x: m.vmap(f, Along(0), Along(1), axis_size=3)(box),
    "ints": lambda m, f, box, x: m.vmap(f, 1, 0, axis_size=2)(box),
    "not mapped": lambda m, f, box, x: m.vmap(f, None, 0, axis_size=4)(box),
    "with arrays": lambda m, f, box, x: m.vmap(lambda b, v: Box(b.xs[0] * v, v), (Along(0), 0), 0)(box, x),
    "only results": lambda m, f, box, x: m.vmap(lambda v: Box(v, 2.0), 0, Along(0))(x),
    "nested": lambda m, f, box, x: m.vmap(m.vmap(f, 0, axis_size=2), (Along(0),), axis_size=3)(box),
    "grad": lambda m, f, box, x: m.grad(lambda v: m.vmap(f, 0, axis_size=3)(Box(v, v)).xs[0].sum())(x),
    "jit": lambda m, f, box, x: m.jit(lambda v: m.vmap(f, 0, axis_size=3)(Box(v, v)).xs)(x),
}


@pytest.mark.parametrize("name", MAPPED)
def test_registered_types_are_mapped(name):
    """`to_elt` and `from_elt` of a type, with the number of the call, as in JAX."""

    def make(lib):
        batching = module_of(lib.root, "interpreters.batching")
        along = lambda spec: spec.axis if isinstance(spec, Along) else spec
        opened = lambda cont, index, box, spec: Box(*[cont(x, along(spec)) for x in box.xs[:2]], index())
        closed = lambda cont, size, box, spec: Box(*[cont(size, x, along(spec)) for x in box.xs])
        batching.register_vmappable(Box, Along, Count, opened, closed, lambda count: lib.np.arange(count.n))
        x = lib.np.arange(6.0).reshape(3, 2)
        f = lambda box: Box(lib.np.sin(box.xs[0]) * (1 + box.xs[-1]), box.xs[1])
        try:
            out = MAPPED[name](lib.root, f, Box(x, 2 * x), x[:, 0])
        finally:
            batching.unregister_vmappable(Box)
        return out.xs if isinstance(out, Box) else out

    same(make)


def test_sizes_of_registered_types_and_misplaced_specs():
    """`make_iota` gives a size of the user's own its length."""
    batching = importlib.import_module("adjoint.interpreters.batching")
    opened = lambda cont, index, box, spec: Box(index())
    closed = lambda cont, size, box, spec: Box(*[cont(size, x, spec) for x in box.xs])
    batching.register_vmappable(Box, Along, Count, opened, closed, lambda count: adjoint.numpy.arange(count.n))
    try:
        out = adjoint.vmap(lambda box: Box(box.xs[0] * 2), axis_size=Count(3))(Box())
        assert [0, 2, 4] == out.xs[0].tolist()
        with pytest.raises(ValueError, match="got the axis spec"):
            adjoint.vmap(lambda x: x, Along(0), axis_size=3)(adjoint.numpy.ones(3))
        with pytest.raises(TypeError, match="axis_size must be an int"):
            adjoint.vmap(lambda x: x, None, axis_size="three")(1.0)
    finally:
        batching.unregister_vmappable(Box)
    with pytest.raises(TypeError, match="not a valid JAX type"):
        adjoint.vmap(lambda box: box.xs)(Box())


def test_symbolic_zeros_are_trees_without_leaves():
    """What stands for no array passes through transformations as structure, as in JAX."""

    def text(lib):
        ad, tree = module_of(lib.root, "interpreters.ad"), lib.root.tree
        aval = lib.root.core.ShapedArray((2,), lib.np.float32)
        x, zero = lib.np.arange(3.0), ad.Zero(aval)
        nothing = ad.Zero(lib.root.core.ShapedArray((), lib.root.dtypes.float0))
        marks = [lib.root.ad.GradRef(), lib.root.ad.DidntWant()]
        with pytest.raises(ValueError, match="different pytree metadata"):
            tree.map(lambda a, b: b, zero, nothing)
        return [
            [str(tree.structure(v)) for v in (zero, nothing, ad.UndefinedPrimal(aval), *marks)],
            str(lib.root.vmap(lambda x: (x * 2, zero, nothing))(x)[1:]),
            str(lib.root.jit(lambda z, x: tree.map(lambda a: a + 1, (z, x)))(nothing, x)),
            str(tree.map(lambda a, b: a + b, (1, zero), (2, zero))),
        ]

    ours, theirs = [text(lib) for lib in LIBRARIES]
    assert theirs == ours


def test_rules_are_given_tuples_and_zeros_of_tangent_types():
    """Libraries hand operands, axes and tangents on as trees; cotangents of integers are zeros of float0."""

    def text(lib):
        ad, batching = (module_of(lib.root, f"interpreters.{name}") for name in ("ad", "batching"))
        seen = []
        p = module_of(lib.root, "extend.core").Primitive("pair_of_rules")
        p.multiple_results = True
        p.def_impl(lambda x, n: [x * 2, n])
        p.def_abstract_eval(lambda x, n: [x, n])

        def batched(args, dims):
            seen.append(("batch", type(args), type(dims)))
            return p.bind(*args), dims

        def derived(primals, tangents):
            seen.append(("jvp", type(primals), type(tangents), str(tangents[1])))
            out = p.bind(*primals)
            return out, [p.bind(tangents[0], primals[1])[0], tangents[1]]

        def transposed(cts, x, n):
            seen.append(("transpose", type(cts), str(cts[1])))
            return [2 * cts[0], None]

        batching.primitive_batchers[p], ad.primitive_jvps[p] = batched, derived
        ad.primitive_transposes[p] = transposed
        f = lambda x: p.bind(x, lib.np.int32(3))[0]
        done = lib.root.vmap(f)(lib.np.ones(2)), lib.root.grad(f)(1.0), lib.root.jvp(f, (1.0,), (3.0,))[1]
        return [np.asarray(x).tolist() for x in done], str(seen)

    ours, theirs = [text(lib) for lib in LIBRARIES]
    assert theirs == ours


def test_rules_are_given_numbers_that_say_their_dtype():
    """A rule asks the dtype of an operand that was Python's number, as under JAX's `grad` and `vmap`."""

    def text(lib):
        ad, batching = (module_of(lib.root, f"interpreters.{name}") for name in ("ad", "batching"))
        p = module_of(lib.root, "extend.core").Primitive("scaled")
        p.def_impl(lambda x, n: x * n)
        p.def_abstract_eval(lambda x, n: x)
        seen = []

        def told(rule, *operands):
            seen.append((rule, [str(x.dtype) for x in operands]))

        def batched(args, dims):
            told("batch", *args)
            return p.bind(*args), dims[0]

        def derived(primals, tangents):
            told("jvp", *primals)
            return p.bind(*primals), p.bind(tangents[0], primals[1])

        def transposed(ct, x, n):
            told("transpose", n)
            return [p.bind(ct, n), None]

        batching.primitive_batchers[p], ad.primitive_jvps[p] = batched, derived
        ad.primitive_transposes[p] = transposed
        jnp = lib.np
        done = [lib.root.grad(p.bind)(1.0, 2.0), lib.root.vmap(lambda x: p.bind(x, 3.0))(jnp.ones(2)),
                lib.root.vmap(lib.root.grad(lambda x: p.bind(x, 2)))(jnp.ones(2)),
                lib.root.linear_transpose(lambda x: p.bind(x, 2.0), 1.0)(jnp.float32(3.0))[0]]
        staged = str(lib.root.make_jaxpr(lib.root.grad(lambda x: p.bind(x, 2.0)))(1.0))
        return [np.asarray(x).tolist() for x in done], str(seen), staged

    ours, theirs = [text(lib) for lib in LIBRARIES]
    assert theirs[:2] == ours[:2]
    assert "2.0:f32[]" in ours[2]


MALFORMED = {
    "a result that nothing computes": lambda jaxpr, first, second, v: jaxpr.replace(outvars=[v((3,))]),
    "an operand that nothing computes": lambda jaxpr, first, second, v: jaxpr.replace(eqns=[second, first]),
    "a variable of another type": lambda jaxpr, first, second, v: jaxpr.replace(
        eqns=[first.replace(outvars=[v((4,))]), second]),
    "a variable that is bound twice": lambda jaxpr, first, second, v: jaxpr.replace(eqns=[first, first, second]),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_programs_are_named_in_jaxs_words(name):
    def message(lib):
        jaxpr = lib.root.make_jaxpr(lambda x: lib.np.sin(x) * 2)(np.ones(3, np.float32)).jaxpr
        variable = lambda shape: lib.ecore.Var(lib.core.ShapedArray(shape, np.dtype("float32")))
        with pytest.raises(TypeError) as caught:
            lib.ecore.check_jaxpr(MALFORMED[name](jaxpr, *jaxpr.eqns, variable))
        return type(caught.value).__name__, str(caught.value)

    ours, theirs = [message(lib) for lib in LIBRARIES]
    assert ours == theirs
    assert "JaxprTypeError" == ours[0]
