"""Primitives, traces and interpreters in the manner of equinox, quax, numpyro, flax and haiku, beside JAX."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import module_of

import adjoint

from .test_primitives import LIBRARIES, same

X = np.arange(1.0, 4.0, dtype="f")
YX = np.stack([X, 2 * X])


def module(lib, name):
    return module_of(lib.root, name)


# ---- a primitive with every rule, that holds a function ------------------------------------------


def filtered(lib):
    """A call with static parts, several results and rules made by the library's own transformations.

    `call(f, static, *arrays)` is `f(static, *arrays)`; each rule binds the primitive again with another function, so
    it goes to any depth. Zero tangents stay symbolic, undefined primals are left out, batch axes are named.
    """
    root, ad, batching, mlir, core = lib.root, lib.ad, lib.batching, lib.mlir, lib.core
    p = lib.ecore.Primitive("filtered_call")
    p.multiple_results = True
    run = lambda *xs, fun, static: list(fun(static, *xs))

    def types(*avals, fun, static):
        structs = [root.ShapeDtypeStruct(a.shape, a.dtype) for a in avals]
        outs = root.eval_shape(partial(run, fun=fun, static=static), *structs)
        return [core.ShapedArray(s.shape, s.dtype) for s in outs]

    def jvp(primals, tangents, *, fun, static):
        moving = [i for i, t in enumerate(tangents) if type(t) is not ad.Zero]
        outs = p.bind(*primals, fun=fun, static=static)
        key = (static, tuple(moving), len(primals))
        ts = p.bind(*primals, *[tangents[i] for i in moving], fun=_Tangents(lib, fun), static=key)
        return outs, ts

    def transpose(cts, *args, fun, static):
        known = [None if ad.is_undefined_primal(x) else x for x in args]
        at = tuple(i for i, x in enumerate(known) if x is None)
        cts = [root.numpy.zeros(c.aval.shape, c.aval.dtype) if type(c) is ad.Zero else c for c in cts]
        shapes = tuple((args[i].aval.shape, args[i].aval.dtype) for i in at)
        given = [x for x in known if x is not None]
        found = iter(p.bind(*given, *cts, fun=_Transposed(lib, fun), static=(static, at, len(args), shapes)))
        return [next(found) if x is None else None for x in known]

    def batch(axis, args, dims, *, fun, static):
        outs = p.bind(*args, fun=_Mapped(lib, fun), static=(static, tuple(dims), axis.size, axis.name))
        return outs, [0] * len(outs)

    p.def_impl(run)
    p.def_abstract_eval(types)
    ad.primitive_jvps[p] = jvp
    ad.primitive_transposes[p] = transpose
    batching.fancy_primitive_batchers[p] = batch
    mlir.register_lowering(p, mlir.lower_fun(run, multiple_results=True))
    return lambda fun, static, *xs: p.bind(*xs, fun=fun, static=static), p


class _Derived:
    """A hashable function made of another one."""

    def __init__(self, lib, fun):
        self.lib, self.fun = lib, fun

    def __eq__(self, other):
        return type(self) is type(other) and self.fun == other.fun

    def __hash__(self):
        return hash((type(self), self.fun))


class _Tangents(_Derived):
    def __call__(self, key, *args):
        static, moving, n = key
        primals, ts = list(args[:n]), args[n:]

        def f(*moved):
            xs = list(primals)
            for i, x in zip(moving, moved):
                xs[i] = x
            return list(self.fun(static, *xs))

        return self.lib.root.jvp(f, tuple(primals[i] for i in moving), tuple(ts))[1]


class _Transposed(_Derived):
    def __call__(self, key, *args):
        static, at, n, shapes = key
        given, cts = args[: n - len(at)], args[n - len(at) :]

        def f(*linear):
            left, moved = iter(given), dict(zip(at, linear))
            return list(self.fun(static, *[moved[i] if i in moved else next(left) for i in range(n)]))

        structs = [self.lib.root.ShapeDtypeStruct(*s) for s in shapes]
        return self.lib.root.linear_transpose(f, *structs)(list(cts))


class _Mapped(_Derived):
    def __call__(self, key, *args):
        static, dims, size, name = key
        name = name if isinstance(name, str) else None
        return self.lib.root.vmap(
            partial(self.fun, static), in_axes=dims, axis_size=size, **({"axis_name": name} if name else {}))(*args)


def two(lib, static, x, y):
    return [lib.np.sin(x) * y * static, x + y**static]


FILTERED = {
    "eager": lambda r, f: f(X, X),
    "jit": lambda r, f: r.jit(f)(X, X),
    "jvp": lambda r, f: r.jvp(f, (X, X), (X, X)),
    "jvp of one": lambda r, f: r.jvp(lambda x: f(x, X), (X,), (X,)),
    "grad": lambda r, f: r.grad(lambda x, y: sum(o.sum() for o in f(x, y)), (0, 1))(X, 2 * X),
    "jit grad": lambda r, f: r.jit(r.grad(lambda x: sum(o.sum() for o in f(x, X))))(X),
    "vmap": lambda r, f: r.vmap(f, (0, None))(YX, X),
    "vmap both": lambda r, f: r.vmap(f, (1, 0))(YX.T, YX),
    "vmap grad": lambda r, f: r.vmap(r.grad(lambda x, y: sum(o.sum() for o in f(x, y))))(YX, YX),
    "grad vmap": lambda r, f: r.grad(lambda x: sum(o.sum() for o in r.vmap(f)(x, YX)))(YX),
    "second": lambda r, f: r.grad(lambda v: r.grad(lambda x: sum(o.sum() for o in f(x, x)))(v).sum())(X),
    "scan": lambda r, f: r.lax.scan(lambda c, x: (c + f(c, x)[1], f(c, x)[0]), r.numpy.float32(1), X),
}


@pytest.mark.parametrize("name", FILTERED)
def test_a_primitive_that_holds_a_function(name):
    """Rules that transform the function and bind the primitive again."""

    def make(lib):
        module(lib, "lax")
        call, _ = filtered(lib)
        fun = partial(two, lib)
        return FILTERED[name](lib.root, lambda x, y: call(fun, 2.0, x, y))

    same(make)


# ---- a trace of a library's own, over values of its own ------------------------------------------


def units(lib):
    """Arrays with a unit: products add exponents, sums want equal ones; other operations see plain numbers."""
    core, ecore = lib.core, lib.ecore

    class UnitTracer(core.Tracer):
        def __init__(self, trace, value, power):
            self._trace, self.value, self.power = trace, value, power

        @property
        def aval(self):
            return lib.root.typeof(self.value)

        def full_lower(self):
            return self

    class UnitTrace(core.Trace):
        def __init__(self, parent):
            super().__init__()
            self.parent_trace = parent

        def process_primitive(self, primitive, tracers, params):
            mine = [isinstance(t, UnitTracer) and t._trace is self for t in tracers]
            values = [t.value if m else t for t, m in zip(tracers, mine)]
            powers = [t.power if m else 0 for t, m in zip(tracers, mine)]
            with ecore.set_current_trace(self.parent_trace):
                out = primitive.bind(*values, **params)
            if primitive is lib.lax.mul_p:
                power = sum(powers)
            elif primitive is lib.lax.integer_pow_p:
                power = powers[0] * params["y"]
            else:
                assert len(set(powers)) == 1, (primitive, powers)
                power = powers[0]
            if primitive.multiple_results:
                return [UnitTracer(self, x, power) for x in out]
            return UnitTracer(self, out, power)

    def measured(fun, powers):
        def run(*args):
            with ecore.take_current_trace() as parent:
                trace = UnitTrace(parent)
                with ecore.set_current_trace(trace):
                    out = fun(*[UnitTracer(trace, x, p) for x, p in zip(args, powers)])
            return out.value, out.power

        return run

    return measured


def test_a_trace_of_a_library():
    """It interprets operations of the user's function, alone and inside `jit`, `grad` and `vmap`."""

    def make(lib):
        measured, root, np_ = units(lib), lib.root, lib.np
        run = measured(lambda x, y: lib.lax.add(lib.lax.mul(x, y), lib.lax.integer_pow(x, 2)), (1, 1))
        value, power = run(np_.asarray(X), np_.asarray(2 * X))
        total = lambda x: run(x, x)[0].sum()
        return value, np.int32(power), root.jit(total)(X), root.grad(total)(X), root.vmap(total)(YX)

    same(make)


# ---- interpreters of jaxprs, and flat functions --------------------------------------------------


def test_an_interpreter_that_enters_calls():
    """Every product becomes one with what is counted, through jit, calls with rules, and loops."""

    def make(lib):
        root, lax, ecore, np_ = lib.root, lib.lax, lib.ecore, lib.np
        P = ecore.primitives
        calls = {P.jit_p: "jaxpr", **dict.fromkeys((P.custom_jvp_call_p, P.call_p, P.closed_call_p), "call_jaxpr")}
        seen = []

        def run(jaxpr, consts, *args):
            env = dict(zip(jaxpr.invars, args)) | dict(zip(jaxpr.constvars, consts))
            read = lambda v: v.val if isinstance(v, ecore.Literal) else env[v]
            for eqn in jaxpr.eqns:
                operands = [read(v) for v in eqn.invars]
                if eqn.primitive in calls:
                    inner = eqn.params[calls[eqn.primitive]]
                    outs = run(inner.jaxpr, inner.consts, *operands)
                else:
                    seen.append(eqn.primitive.name)
                    bound = eqn.primitive.get_bind_params(eqn.params)
                    subfuns, params = bound if isinstance(bound, tuple) else ([], bound)
                    outs = eqn.primitive.bind(*subfuns, *operands, **params)
                    outs = outs if eqn.primitive.multiple_results else [outs]
                env.update(zip(eqn.outvars, outs))
            return [read(v) for v in jaxpr.outvars]

        def f(x):
            y = root.jit(lambda v: np_.sin(v) * 2)(x)
            _, ys = lax.scan(lambda c, v: (c + v, c * v), np_.float32(0), root.nn.relu(y))
            return ys, lax.cond(x[0] > 0, lambda: x * 3, lambda: x)

        closed = root.make_jaxpr(f)(X)
        again = lambda *xs: run(closed.jaxpr, closed.consts, *xs)
        out = again(X), root.jit(again)(X), root.grad(lambda x: sum(y.sum() for y in again(x)))(X)
        return out, [len(seen), *[seen.count(n) for n in ("sin", "scan", "cond", "jit", "mul")]]

    same(make)


def test_flat_functions_and_their_names():
    """api_util: flatten_fun, argnums_partial, debug_info, donation and axes of trees."""

    def make(lib):
        util, lu, tree = module(lib, "api_util"), module(lib, "extend.linear_util"), lib.root.tree
        info = util.debug_info("test", lambda x, y: x, (1, {"a": 2}), {})
        assert ("x", "y['a']") == tuple(info.arg_names)
        wrap = lambda f: lu.wrap_init(f, debug_info=info)
        leaves, structure = tree.flatten(((X, {"a": X}), {}))
        flat, out_tree = util.flatten_fun(wrap(lambda x, y: {"sum": x + y["a"], "x": (x,)}), structure)
        outs = flat.call_wrapped(*leaves)
        out = tree.unflatten(out_tree(), outs)
        flat, out_tree = util.flatten_fun_nokwargs(wrap(lambda x, y: [x, y]), tree.structure((1, 2)))
        outs = flat.call_wrapped(X, X)
        pair = tree.unflatten(out_tree(), outs)
        part, dynamic = util.argnums_partial(wrap(lambda a, b, c: (a, b, c)), (0, 2), (1, 2, 3))
        nested = tree.structure(((1, (2, 3)), {"k": 1}))
        return (
            out, pair, list(dynamic), list(part.call_wrapped(10, 30)), list(util.donation_vector((0,), (), nested)),
            util.flatten_axes("axes", tree.structure((1, (2, 3))), (0, 1)),
            list(util.rebase_donate_argnums((3, 4), (0, 1))),
            util.safe_map(lambda a, b: a + b, [1, 2], [3, 4]), list(util.shaped_abstractify(X).shape),
        )

    same(make)


@pytest.mark.filterwarnings("ignore:jax.core.*is deprecated:DeprecationWarning")
@compiling
def test_axes_of_types_and_checks_of_libraries():
    """core: mapped and unmapped types, handlers of new ones, custom_typechecks, what is concrete."""

    def make(lib):
        core, root = lib.core, lib.root
        seen = []
        root.jit(lambda x: seen.append(core.is_concrete(x)))(1.0)
        root.grad(lambda x: (seen.append(core.is_concrete(x)), x)[1])(1.0)
        seen += [core.is_constant_dim(3), core.is_constant_dim("n"), core.is_constant_shape((2, 3))]
        seen.append(core.trace_ctx.is_top_level())
        root.vmap(lambda x: seen.append(core.trace_ctx.is_top_level()))(X)
        a = core.ShapedArray((2, 3), np.dtype("f"))
        less, more = core.aval_mapping_handlers[core.ShapedArray]
        with pytest.raises(Exception, match="traced|Abstract tracer"):
            root.jit(lambda x: core.concretization_function_error(float)(None, x))(1.0)
        return seen, less(3, 1, a).shape, lib.ecore.mapped_aval(2, 0, a).shape, lib.ecore.unmapped_aval(5, 1, a).shape

    same(make)


def test_listeners_are_told():
    """monitoring: each kind of event, to those who listen."""

    def make(lib):
        m, told = module(lib, "monitoring"), []
        listen = lambda *args, **kwargs: told.append([len(args), *args[1:], len(kwargs)])
        for register in (m.register_event_listener, m.register_event_duration_secs_listener,
                         m.register_event_time_span_listener, m.register_scalar_listener):
            register(listen)
        m.record_event("/a", k=1)
        m.record_event_duration_secs("/b", 2.5)
        m.record_event_time_span("/c", 1.0, 2.0)
        m.record_scalar("/d", 3, k="x")
        m.unregister_event_listener(listen)
        m.record_event("/a")
        with pytest.raises(AssertionError):
            m.unregister_event_listener(listen)
        m.unregister_scalar_listener(listen)
        m.clear_event_listeners()
        m.record_event_duration_secs("/b", 2.5)
        return told

    same(make)


def test_a_users_context_is_in_the_key():
    """make_user_context: functions are traced again where it has another value."""

    def make(lib):
        context, traced = lib.root.make_user_context(0), []
        f = lib.root.jit(lambda x: (traced.append(context.value), x)[1])
        f(1.0)
        for value in (1, 1, 0):
            with context(value):
                f(1.0)
        context.set_global(7)
        f(1.0)
        return traced, context.value, context.get_global()

    same(make)


@compiling
def test_forward_and_backward_passes_compile_once():
    """fwd_and_bwd: the derivatives of vjp, traced once for many calls."""
    count = []

    def make(lib):
        fwd, bwd = lib.root.fwd_and_bwd(lambda x, w: (count.append(1), lib.np.sin(x) @ w)[1], (0, 1))
        for _ in range(3):
            y, residuals = fwd(YX, X)
            out = bwd(residuals, y)
        one, _ = lib.root.fwd_and_bwd(lambda x: (x * 2, {"aux": x}), 0, has_aux=True)
        y, _, aux = one(X)
        return out, y, aux

    make(LIBRARIES[0])
    assert 1 == len(count)
    same(make)


def test_parts_of_calls_that_nobody_reads():
    """partial_eval: the rule for calls drops results, operands, and whole calls."""
    lib = LIBRARIES[0]
    pe, P = module(lib, "interpreters.partial_eval"), lib.ecore.primitives
    closed = lib.root.make_jaxpr(lambda x, y: (x + 1, y * 2))(1.0, 2.0)
    eqn = lib.ecore.new_jaxpr_eqn(
        closed.jaxpr.invars, closed.jaxpr.outvars, P.closed_call_p, {"call_jaxpr": closed}, lib.ecore.no_effects)
    used, smaller = pe.dce_jaxpr_closed_call_rule([False, True], eqn)
    assert [False, True] == used and 1 == len(smaller.invars) == len(smaller.params["call_jaxpr"].eqns)
    assert ([False, False], None) == pe.dce_jaxpr_closed_call_rule([False, False], eqn)


def test_the_mesh_of_a_block():
    """pxla: thread_resources, as libraries ask it; `set_mesh` is another context."""
    pxla = module(LIBRARIES[0], "interpreters.pxla")
    assert () == pxla.thread_resources.env.physical_mesh.axis_names
    mesh = adjoint.make_mesh((1,), ("x",))
    with pytest.warns(DeprecationWarning), mesh:
        assert ("x",) == pxla.thread_resources.env.physical_mesh.axis_names
    with adjoint.set_mesh(mesh):
        assert () == pxla.thread_resources.env.physical_mesh.axis_names
