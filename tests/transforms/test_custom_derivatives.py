"""Corner cases of custom_jvp, custom_vjp, linear_call, float0 and check_grads, beside JAX."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.custom_derivatives
import adjoint.numpy
import adjoint.test_util

ROOTS = (adjoint, jax)
ROW = np.arange(1.0, 3.0, dtype="f")


def symbolic_jvp(r, log):
    """x y, whose rule skips zeros and counts them."""
    zero = r.custom_derivatives.SymbolicZero
    f = r.custom_jvp(lambda x, y: x * y)

    @partial(f.defjvp, symbolic_zeros=True)
    def _(primals, tangents):
        log.append([type(t) is zero for t in tangents])
        assert all(t.shape == np.shape(x) for t, x in zip(tangents, primals) if type(t) is zero)
        (x, y), (a, b) = primals, tangents
        return x * y, (0.0 if type(a) is zero else a * y) + (r.numpy.zeros_like(x) if type(b) is zero else x * b)

    return f


def symbolic_vjp(r, log):
    zero = r.custom_derivatives.SymbolicZero
    f = r.custom_vjp(lambda x, y: (x * y, x + y))

    def fwd(x, y):
        log.append([x.perturbed, y.perturbed])
        x, y = r.custom_derivatives.custom_vjp_primal_tree_values((x, y))
        return (x * y, x + y), (x, y)

    def bwd(residuals, cts):
        log.append([type(c) is zero for c in cts])
        a, b = [0.0 if type(c) is zero else c for c in cts]
        x, y = residuals
        return a * y + b, a * x + b

    f.defvjp(fwd, bwd, symbolic_zeros=True)
    return f


def applied(r, kind, **options):
    """h(x) with a derivative of its own; h is not differentiated."""
    f = partial(kind, **options)(lambda h, x: h(x))
    if kind is r.custom_jvp:
        f.defjvp(lambda h, p, t: (h(*p), 5 * t[0]))
    else:
        f.defvjp(lambda h, x: (h(x), x), lambda h, x, ct: (7 * x * ct,))
    return f


def defaults(r):
    f = r.custom_vjp(lambda x, y=3.0: x * y)
    f.defvjp(lambda x, y: (x * y, (x, y)), lambda res, ct: (ct * res[1], ct * res[0]))
    return f


def per_argument(r):
    f = r.custom_jvp(lambda x, y: x * y)
    f.defjvps(lambda t, out, x, y: 2 * t * y, None)
    return f


def quick(r):
    f = r.custom_vjp(r.numpy.sin)
    f.defvjp(lambda x: (r.numpy.sin(x), x), lambda x, ct: (ct * x,), optimize_remat=True)
    return f


def calls_itself(r):
    """sin, whose forward rule calls the function: a tangent of that has no rule, and is not needed."""
    f = r.custom_vjp(r.numpy.sin)
    f.defvjp(lambda x: (f(x), x), lambda x, ct: (ct * r.numpy.cos(x),))
    return f


def tripled(r, transpose=lambda res, ct: ct * res * 10):
    call = r.custom_derivatives.linear_call
    return lambda x, res=3.0: call(lambda res, x: x * res, transpose, res, x)


def from_the_end(r, kind):
    """Arguments that are counted from the end: the rule gets them twice."""
    f = partial(getattr(r, kind), nondiff_argnums=(-1, 0))(lambda h, x, y: h(x) * y)
    if kind == "custom_jvp":
        f.defjvp(lambda y, h, p, t: (h(p[0]) * p[1], 5 * t[0] + y * t[1]))
    else:
        f.defvjp(lambda h, x, y: (h(x) * y, x), lambda y, h, x, ct: (7 * x * ct * y, ct))
    return f


def mixed(r):
    """Integer, None and unused arguments, of which bwd gives None."""
    f = r.custom_vjp(lambda x, n, d: x * n)
    f.defvjp(lambda x, n, d: (x * n, n), lambda n, ct: (ct * n, None, None))
    return f


double = lambda v: v * 2
CASES = {
    "jvp zeros": lambda r, log: r.jvp(lambda x: symbolic_jvp(r, log)(x, 3.0), (2.0,), (1.0,)),
    "jvp zeros grad": lambda r, log: r.jit(r.grad(lambda x: symbolic_jvp(r, log)(x, 3.0)))(2.0),
    "jvp zeros vmap": lambda r, log: r.grad(lambda x: r.vmap(symbolic_jvp(r, log), (0, None))(x, 3.0).sum())(ROW),
    "vjp zeros": lambda r, log: r.grad(lambda x: symbolic_vjp(r, log)(x, 3.0)[0])(2.0),
    "vjp zeros jit": lambda r, log: r.jit(r.grad(lambda x: symbolic_vjp(r, log)(x, 3.0)[1]))(2.0),
    "vjp zeros vmap": lambda r, log: r.vmap(r.grad(lambda x: symbolic_vjp(r, log)(x, 3.0)[1]))(ROW),
    "nondiff_argnums jvp": lambda r, _: r.grad(partial(applied(r, r.custom_jvp, nondiff_argnums=(0,)), double))(1.0),
    "nondiff_argnums vjp": lambda r, _: r.jit(r.grad(
        partial(applied(r, r.custom_vjp, nondiff_argnums=(0,)), double)))(3.0),
    "nondiff_argnums from the end": lambda r, _: [
        r.grad(lambda x, kind=kind: from_the_end(r, kind)(double, x, 4.0))(3.0)
        for kind in ("custom_jvp", "custom_vjp")],
    "nondiff_argnames": lambda r, _: r.grad(partial(applied(r, r.custom_vjp, nondiff_argnames=("h",)), double))(3.0),
    "defaults": lambda r, _: (
        defaults(r)(2.0), r.grad(defaults(r))(2.0), r.grad(lambda x: defaults(r)(y=x, x=4.0))(2.0)),
    "defjvps": lambda r, _: r.vmap(r.grad(per_argument(r), (0, 1)))(ROW, ROW),
    "optimize_remat": lambda r, _: (
        r.grad(quick(r))(2.0), r.jit(r.grad(quick(r)))(2.0), r.vmap(r.grad(quick(r)))(ROW), r.jit(quick(r))(1.0),
        r.grad(lambda x: r.lax.scan(lambda c, _: (quick(r)(c), None), x, None, length=2)[0])(1.0)),
    "forward rule that calls the function": lambda r, _: (
        r.linearize(r.grad(calls_itself(r)), 2.0)[1](1.0), r.grad(r.grad(calls_itself(r)))(2.0)),
    "remat": lambda r, _: r.grad(r.checkpoint(quick(r)))(2.0),
    "linear_call": lambda r, _: (
        tripled(r)(2.0), r.grad(tripled(r))(2.0), r.jvp(tripled(r), (1.0,), (2.0,)),
        r.linear_transpose(tripled(r), 2.0)(1.0), r.jit(r.grad(tripled(r)))(2.0),
        r.linear_transpose(lambda ct: r.linear_transpose(tripled(r), 2.0)(ct)[0], 1.0)(1.0)),
    "custom_gradient": lambda r, _: (
        r.grad(r.custom_gradient(lambda x: (x**2, lambda ct: (ct * x,))))(3.0),
        r.grad(r.grad(r.custom_gradient(lambda x: (x**2, lambda ct: (ct * x * x,)))))(3.0)),
    "closure_convert": lambda r, _: r.grad(
        lambda y: (lambda f, consts: f(3.0, *consts))(
            *r.closure_convert(lambda x: x * y + r.numpy.arange(3).sum(), 1.0)))(2.0),
    "None and ints": lambda r, _: r.grad(mixed(r))(2.0, 3, {"a": None, "b": np.arange(2)}),
    "allow_int": lambda r, _: r.grad(mixed(r), (0, 1), allow_int=True)(2.0, 3, None),
    "vjp of ints": lambda r, _: r.vjp(lambda x, n: (x * n, n), 2.0, 3)[1]((1.0, np.zeros((), jax.dtypes.float0))),
    "int cotangent": lambda r, _: r.vjp(lambda x, n: (x * n, n), 2.0, 3)[1]((1.0, 1)),
    "jvp of ints": lambda r, _: r.jvp(lambda x, n: (x * n, n), (2.0, 3), (1.0, np.zeros((), jax.dtypes.float0)))[1],
    "linearize ints": lambda r, _: r.linearize(lambda x, n: (x * n, n), 2.0, 3)[1](
        1.0, np.zeros((), jax.dtypes.float0)),
    "None leaves": lambda r, _: r.grad(lambda x: x["a"] * 2.0)({"a": 1.0, "b": None}),
    "None results": lambda r, _: r.vjp(lambda x: (x, None), 2.0)[1]((1.0, None)),
    "zero_from_primal": lambda r, _: (
        r.custom_derivatives.zero_from_primal(1), r.custom_derivatives.zero_from_primal(ROW)),
}


def array(r, x):
    """A leaf as an array: what is a Python scalar in one of them may be a scalar array in the other."""
    return np.asarray(x if getattr(x, "dtype", None) == jax.dtypes.float0 else r.numpy.asarray(x))


@pytest.mark.parametrize("name", CASES)
def test_values_are_jaxs(name):
    """Results, their dtypes, and what the rules were told to be zero."""
    logs, outs = ([], []), []
    for r, log in zip(ROOTS, logs):
        outs.append(jax.tree.map(partial(array, r), CASES[name](r, log)))
    as_text = lambda x: str(x) if x.dtype.names or x.dtype.kind == "V" else ""
    jax.tree.map(lambda a, b: np.testing.assert_equal(a.shape, b.shape), *outs)
    jax.tree.map(lambda a, b: as_text(b) or np.testing.assert_allclose(a, b, rtol=1e-6), *outs)
    jax.tree.map(lambda a, b: np.testing.assert_equal(a.dtype, b.dtype), *outs)
    assert logs[1] == logs[0]


ERRORS = {
    "keyword": (lambda r: defaults(r)(1.0, q=2.0), TypeError, "could not be resolved to positional-only arguments"),
    "no jvp": (lambda r: r.custom_jvp(double)(1.0), AttributeError, "No JVP defined for custom_jvp function"),
    "no vjp": (lambda r: r.custom_vjp(double)(1.0), AttributeError, "No VJP defined for custom_vjp function"),
    "jvp of vjp": (lambda r: r.jvp(defaults(r), (1.0,), (1.0,)), TypeError, "can't apply forward-mode"),
    "float0": (
        lambda r: r.numpy.add(1.0, r.grad(lambda i: i * 1.0, allow_int=True)(3)), TypeError, "Called add with a float0",
    ),
    "int tangent": (lambda r: r.jvp(double, (3,), (1,)), TypeError, "must be equal|float0"),
    "grad of int": (lambda r: r.grad(lambda x: x * 2.0)(3), TypeError, "grad requires real- or complex-valued inputs"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_jaxs(name):
    """Class and words."""
    run, cls, text = ERRORS[name]
    for r in ROOTS:
        with pytest.raises(cls, match=text):
            run(r)


@pytest.mark.parametrize("decorator", ["custom_jvp", "custom_vjp"])
def test_defaults_of_parameters_by_name_alone_are_no_arguments(decorator):
    def run(r):
        f = getattr(r, decorator)(lambda x, y=3.0, *rest, flag=False: x * y * (7.0 if flag else 2.0))
        if decorator == "custom_jvp":
            f.defjvp(lambda primals, tangents: (f(*primals), 5.0 * tangents[0]))
        else:
            f.defvjp(lambda x, y=3.0: (f(x, y), x), lambda x, ct: (ct * 5.0, ct))
        return f(1.0), f(x=1.0), f(y=2.0, x=1.0), r.grad(f)(1.0), r.grad(lambda x: f(x=x))(1.0), r.jit(f)(1.0)

    ours, theirs = map(run, ROOTS)
    assert [float(x) for x in ours] == [float(x) for x in theirs] == [6.0, 6.0, 4.0, 5.0, 5.0, 6.0]


def test_linear_calls_are_mapped():
    """JAX has no batching rule for linear_call."""
    f = tripled(adjoint)
    np.testing.assert_allclose(3 * ROW, adjoint.vmap(f)(ROW))
    np.testing.assert_allclose([30.0, 30.0], adjoint.vmap(adjoint.grad(f))(ROW))
    g = adjoint.vmap(adjoint.grad(lambda x, res: f(x, adjoint.lax.stop_gradient(res))))
    np.testing.assert_allclose(10 * ROW, g(ROW, ROW))
    with pytest.raises(TypeError, match="residuals"):
        adjoint.grad(lambda res: f(2.0, res))(3.0)


def test_members():
    """What JAX's objects have."""
    for r in ROOTS:
        cd = r.custom_derivatives
        assert "SymbolicZero" == repr(cd.SymbolicZero.from_primal_value(1.0))
        assert "CustomVJPPrimal(value=1.0, perturbed=True)" == repr(cd.CustomVJPPrimal(1.0, True))
        f = r.custom_jvp(double)
        assert f.jvp is None and not f.symbolic_zeros and f.fun is double and double == f.__wrapped__
        rule = lambda p, t: (double(*p), t[0])
        assert rule is f.defjvp(rule) is f.jvp
        assert cd.zero_from_primal(1.0, symbolic_zeros=True).shape == ()
        for x in 1.0, 1j, np.float32(1), np.ones(2, np.float32):  # arrays, weak as the value is
            zero, x = cd.zero_from_primal(x), r.numpy.asarray(x)
            assert (type(zero), zero.dtype, zero.weak_type) == (type(x), x.dtype, x.weak_type)


RIGHT = {
    "sin": (lambda r: r.numpy.sin, (1.3,)),
    "tree": (lambda r: lambda d, v: {"y": d["x"] * d["z"] * v}, ({"x": ROW, "z": ROW}, 3.0)),
    "complex": (lambda r: lambda z: z * z * (1 + 2j), (np.complex64(1 + 3j),)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_check_grads_accepts_right_derivatives(name):
    """To second order, in both modes."""
    make, args = RIGHT[name]
    for r in ROOTS:
        r.test_util.check_grads(make(r), args, 2, atol=2e-2, rtol=2e-2)


@pytest.mark.parametrize("mode", ["fwd", "rev"])
def test_check_grads_refuses_wrong_derivatives(mode):
    """A custom_jvp that is off by a factor, alone and behind another derivative."""
    for r in ROOTS:
        f = r.custom_jvp(r.numpy.sin)
        f.defjvp(lambda p, t, r=r: (r.numpy.sin(*p), 1.1 * r.numpy.cos(p[0]) * t[0]))
        with pytest.raises(AssertionError):
            r.test_util.check_grads(f, (0.5,), 1, modes=[mode])
        g = r.custom_jvp(r.numpy.sin)
        h = r.custom_jvp(r.numpy.cos)
        g.defjvp(lambda p, t, h=h: (r.numpy.sin(*p), h(p[0]) * t[0]))
        h.defjvp(lambda p, t, r=r: (r.numpy.cos(*p), 5 * t[0]))
        r.test_util.check_grads(g, (0.5,), 1, modes=[mode], atol=1e-2, rtol=1e-2)
        with pytest.raises(AssertionError):
            r.test_util.check_grads(g, (0.5,), 2, modes=[mode], atol=1e-2, rtol=1e-2)
        with pytest.raises(AssertionError):
            r.test_util.check_vjp(r.numpy.sin, partial(r.vjp, r.numpy.cos), (0.5,))
        with pytest.raises(AssertionError):
            r.test_util.check_jvp(r.numpy.sin, partial(r.jvp, f), (0.5,))


# ---- the forward rule as one call ----------------------------------------------------------------


def with_rule(r, log=None):
    """x y^2, whose rule is a call of its own in programs."""
    f = r.custom_vjp(lambda x, y: r.numpy.sin(x) * y * y)

    def fwd(x, y):
        return r.numpy.sin(x) * y**2, (r.numpy.cos(x), y)

    f.defvjp(fwd, lambda res, ct: (ct * res[0] * res[1] ** 2, ct * res[1]), optimize_remat=True)
    return f


RULED = {
    "grad": lambda r, f: r.grad(lambda x: f(x, x).sum()),
    "only the result": lambda r, f: lambda x: r.vjp(f, x, x)[0],
    "jit": lambda r, f: r.grad(r.jit(lambda x: f(x, x).sum())),
    "vmap of grad": lambda r, f: r.vmap(r.grad(f), (0, None)),
    "grad of scan": lambda r, f: r.grad(
        lambda x: r.lax.scan(lambda c, _: (f(c, c), None), x, None, length=3)[0].sum()),
    "everything is saved": lambda r, f: r.grad(r.checkpoint(
        lambda x: f(x, x).sum(), policy=r.checkpoint_policies.everything_saveable)),
}


@pytest.mark.parametrize("name", RULED)
def test_forward_rules_are_calls_in_programs(name):
    """`optimize_remat=True`: the program is JAX's, and the numbers, however it is run."""
    args = (ROW, np.float32(2.0)) if name == "vmap of grad" else (ROW,)
    texts = [str(r.make_jaxpr(RULED[name](r, with_rule(r)))(*args)) for r in ROOTS]
    if name != "vmap of grad":
        assert texts[1] == texts[0]
    ours, theirs = [RULED[name](r, with_rule(r)) for r in ROOTS]
    for run in (ours, adjoint.jit(ours)):
        np.testing.assert_allclose(theirs(*args), run(*args), rtol=1e-5)


def test_the_function_itself_is_called_where_nothing_is_kept():
    """Under `checkpoint` the forward pass is that of the function, not of its rule; second derivatives work."""
    f = with_rule(adjoint)
    text = str(adjoint.make_jaxpr(adjoint.grad(adjoint.checkpoint(lambda x: f(x, x).sum())))(ROW))
    first, second = text.split("remat_opt[")[1:]
    assert "num_res=0" in first and "integer_pow" not in first and "num_res=1" in second
    twice = adjoint.jit(adjoint.grad(adjoint.grad(lambda x: f(x, 2.0))))(1.0)
    np.testing.assert_allclose(-4 * np.sin(1.0), twice, rtol=1e-6)
    with pytest.raises(NotImplementedError, match="does not support symbolic zeros"):
        f.defvjp(f.fwd, f.bwd, symbolic_zeros=True, optimize_remat=True)


def scaled_complex(r):
    """A real number times 1 + i, whose rule gives the real part of the cotangent."""
    f = r.custom_vjp(lambda x: x * (1 + 1j))
    f.defvjp(lambda x: (x * (1 + 1j), None), lambda _, ct: (ct.real,))
    return f


PARTS = {
    "real": lambda r: r.grad(lambda z: r.numpy.real(z))(1 + 1j),
    "imag": lambda r: r.grad(lambda z: r.numpy.imag(z))(1 + 1j),
    "abs": lambda r: r.grad(abs)(1 + 1j),
    "angle": lambda r: r.grad(r.numpy.angle)(1 + 1j),
    "conj": lambda r: r.grad(lambda z: r.numpy.conj(z).real)(1 + 1j),
    "complex": lambda r: r.grad(lambda x: r.lax.complex(x, 2.0 * x).real)(1.0),
    "a cotangent's part": lambda r: r.grad(lambda x: scaled_complex(r)(x).real)(1.0),
    "of a weak product": lambda r: r.grad(lambda x: (x * (1 + 1j)).real)(1.0),
}


@pytest.mark.parametrize("name", PARTS)
def test_parts_of_complex_numbers_have_strongly_typed_cotangents(name):
    ours, theirs = [PARTS[name](r) for r in ROOTS]
    assert (ours.dtype, ours.weak_type) == (theirs.dtype, theirs.weak_type)
    np.testing.assert_allclose(theirs, ours, rtol=1e-6)


@pytest.mark.parametrize("rules", [1, 3])
def test_defjvps_has_a_rule_for_each_argument(rules):
    """An argument without a rule has no silent derivative of zero."""
    for r in ROOTS:
        f = r.custom_jvp(lambda x, y: x * y)
        f.defjvps(*[lambda t, out, x, y: t] * rules)
        with pytest.raises(ValueError, match="rules for 2 arguments|has length 2"):
            r.grad(f)(1.0, 2.0)


def test_a_tangent_of_integers_is_float0():
    for r in ROOTS:
        f = r.custom_jvp(lambda x: x.astype(int))
        f.defjvp(lambda p, t: (f(*p), r.numpy.zeros((), int)))
        with pytest.raises(TypeError, match=r"Expected float0\[\] \(tangent type of int(32|64)\[\]\) but got int"):
            r.jvp(f, (np.float32(1),), (np.float32(1),))


def test_tangents_that_are_zero_are_arrays():
    for r in ROOTS:
        f, found = r.custom_jvp(lambda x, y: x * y), []
        f.defjvp(lambda p, t: (found.append(isinstance(t[1], r.Array) and t[1].at), (f(*p), t[0]))[1])
        for y in (2.0, np.result_type(r.numpy.ones(()).dtype).type(2), r.numpy.ones(())):
            r.grad(f)(1.0, y)
        r.jit(r.grad(f))(1.0, 2.0)
        assert all(found) and len(found) == 4


def test_leaves_of_primal_trees_are_primals():
    for r in ROOTS:
        with pytest.raises(TypeError, match="unexpected leaf type <class 'int'>"):
            r.custom_derivatives.custom_vjp_primal_tree_values((1, 2))


def _rules_without_derivatives(m):
    """Return functions whose rules give None, and a number in place of a derivative."""
    passed = m.custom_vjp(lambda a, b: a * b)
    passed.defvjp(lambda a, b: (a * b, a), lambda r, g: (None, g * r))
    kept = m.custom_vjp(lambda x: x * 2)
    kept.defvjp(lambda x: (x * 2, x), lambda r, g: (m.numpy.full_like(r, 5.0),))
    return passed, kept


ZERO_COTANGENTS = {
    "none": lambda m, none, f: lambda x: none(f(x), x),
    "through a function": lambda m, none, f: lambda x: none(m.numpy.sin(f(x)), x),
    "twice": lambda m, none, f: lambda x: none(none(x, f(x)), x),
    "in a loop": lambda m, none, f: lambda x: m.lax.scan(lambda c, _: (c + none(f(x), c), None), x, None, length=2)[0],
    "in a branch": lambda m, none, f: lambda x: m.lax.cond(x > 0, lambda x: none(f(x), x), lambda x: x, x),
    "in a call": lambda m, none, f: lambda x: m.jit(lambda x: none(f(x), x))(x),
    "in a checkpoint": lambda m, none, f: lambda x: m.checkpoint(lambda x: none(f(x), x))(x),
    "out of a call": lambda m, none, f: lambda x: none(m.jit(f)(x), x),
    "not read": lambda m, none, f: lambda x: (f(x), x)[1],
    "stopped": lambda m, none, f: lambda x: m.lax.stop_gradient(f(x)) * x,
}


@pytest.mark.parametrize("name", ZERO_COTANGENTS)
def test_a_rule_runs_for_cotangents_that_another_rule_left_out(name):
    """It may give what is no derivative: flax keeps the scales of eight-bit numbers so."""
    def derivatives(m):
        f = ZERO_COTANGENTS[name](m, *_rules_without_derivatives(m))
        return [float(m.grad(f)(3.0)), float(m.jit(m.grad(f))(3.0)), float(m.vmap(m.grad(f))(np.full(1, 3.0, "f"))[0])]

    np.testing.assert_allclose(derivatives(adjoint), derivatives(jax), rtol=1e-6)


@pytest.mark.parametrize("kind", ["custom_jvp", "custom_vjp"])
@pytest.mark.parametrize("argnums", [(5,), None, ()])
def test_positions_that_are_not_differentiated_must_be_there(kind, argnums):
    def called(m):
        f = getattr(m, kind)(lambda x: x * 2, nondiff_argnums=argnums)
        f.defjvp(lambda p, t: (p[0] * 2, t[0])) if kind == "custom_jvp" else f.defvjp(lambda x: (x, None), None)
        try:
            return float(f(2.0))
        except (IndexError, AttributeError) as error:
            return type(error).__name__, str(error)[:24]

    assert called(adjoint) == called(jax)


def with_rules(r, kind, f):
    """`f` with a rule of its own."""
    if kind == "custom_jvp":
        by_jvp = r.custom_jvp(f)
        by_jvp.defjvp(lambda primals, tangents: (f(*primals), tangents[0]))
        return by_jvp
    if kind == "custom_vjp":
        by_vjp = r.custom_vjp(f)
        by_vjp.defvjp(lambda x: (f(x), None), lambda _, ct: (ct,))
        return by_vjp
    by_vmap = r.custom_batching.custom_vmap(f)
    by_vmap.def_vmap(lambda n, batched, x: (f(x), True))
    return by_vmap


KINDS = ["custom_jvp", "custom_vjp", "custom_vmap"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given", [
    np.float64(1.5), np.ones(2), np.arange(2), np.ones(2, "float16"), np.complex128(1), True, 7, 2.0,
], ids=lambda x: f"{type(x).__name__} {getattr(x, 'dtype', '')} {np.ndim(x)}")
def test_functions_with_rules_take_arrays_of_numpy_in_the_dtypes_of_programs(kind, given):
    """Where nothing is traced too: 64 bits need the option."""
    mine, theirs = ([r.numpy.asarray(x).dtype.name for x in with_rules(r, kind, lambda x: (x * 2, x))(given)]
                    for r in ROOTS)
    assert mine == theirs
    assert not hasattr(given, "dtype") or mine[1] == adjoint.dtypes.canonicalize_dtype(given.dtype).name
    if kind != "custom_vmap" and hasattr(given, "dtype"):
        given_to_function = with_rules(adjoint, kind, lambda x: (x,))(given)[0]
        assert given_to_function.dtype.name == mine[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("bad", "error"), [
    ("a", TypeError), (object, TypeError), (np.array(["a"]), TypeError), (np.array([None]), TypeError),
    (2**40, OverflowError),
], ids=["text", "class", "texts", "objects", "int"])
def test_what_functions_with_rules_take_and_give_is_checked_where_nothing_is_traced(kind, bad, error):
    for f, x in ((lambda x: 1.0, bad), (lambda x: bad, 1.0)):
        for looks in (False, True):
            with adjoint.debug_nans(looks), pytest.raises(error):
                with_rules(adjoint, kind, f)(x)


@pytest.mark.parametrize("cotangent", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("argument", ["float16", "float32"])
def test_a_jacobian_has_the_dtype_of_the_argument_whatever_a_rule_returns(argument, cotangent):
    def program(m, np_):
        f = m.custom_vjp(lambda x: x * 1)
        f.defvjp(lambda x: (x * 1, None), lambda residuals, ct: (ct.astype(cotangent),))
        x = np_.ones(2, argument)
        rows = m.jacrev(f)(x), m.jacrev(f)(x[0]), m.jacrev(lambda t: f(t["a"]))({"a": x})["a"], m.hessian(f)(x)
        return [str(r.dtype) for r in rows], str(m.make_jaxpr(m.jacrev(f))(x)).replace("np.int64(2)", "2")

    assert program(adjoint, adjoint.numpy) == program(jax, jax.numpy)
