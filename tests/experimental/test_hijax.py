"""`experimental.hijax`: values and operations that are defined outside, through transformations, beside JAX's."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.lax.parity import assert_same
from tests.modes import compiling, leaking, some
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint import custom_vjp, grad, jit, lax
from adjoint.experimental import cur_qdd, hijax


def quantized(m):
    """An array of small integers with a scale for each row, as a type of its own, and two operations on it."""
    h, np_ = m.experimental.hijax, m.numpy

    @dataclass(frozen=True)
    class Quantized:
        array: Any
        scale: Any

    @dataclass(frozen=True)
    class QuantizedType(h.HiType):
        shape: tuple

        def lo_ty(self):
            whole, rows = self.shape, self.shape[:1]
            return [m.core.ShapedArray(whole, np.dtype("int8")), m.core.ShapedArray(rows, np.dtype("float32"))]

        def lower_val(self, value):
            return [value.array, value.scale]

        def raise_val(self, array, scale):
            return Quantized(array, scale)

        def to_tangent_aval(self):
            return m.core.ShapedArray(self.shape, np.dtype("float32"))

        to_ct_aval = to_tangent_aval

    h.register_hitype(Quantized, lambda q: QuantizedType(q.array.shape))

    class ToQuantized(h.HiPrimitive):
        def abstract_eval(self, x):
            return QuantizedType(x.shape), set()

        def to_lojax(self, x):
            scale = np_.max(abs(x), axis=1) / 127
            return Quantized(np_.round(x / scale[:, None]).astype("int8"), scale)

        def jvp(self, primals, tangents):
            return to_quantized.bind(*primals), tangents[0]

        def transpose(self, ct, x):
            return [ct]

    class FromQuantized(h.HiPrimitive):
        def abstract_eval(self, q):
            return m.core.ShapedArray(q.shape, np.dtype("float32")), set()

        def to_lojax(self, q):
            return q.array.astype("float32") * q.scale[:, None].astype("float32")

        def jvp(self, primals, tangents):
            return from_quantized.bind(*primals), tangents[0]

        def transpose(self, ct, q):
            return [ct]

    to_quantized, from_quantized = ToQuantized("to_quantized"), FromQuantized("from_quantized")
    return SimpleNamespace(to=to_quantized.bind, back=from_quantized.bind, kind=Quantized)


USES = {
    "called": lambda m, q, x: q.back(q.to(x)),
    "jit": lambda m, q, x: m.jit(lambda y: q.back(q.to(y)))(x),
    "jit of parts": lambda m, q, x: m.jit(q.back)(m.jit(q.to)(x)),
    "grad": lambda m, q, x: m.grad(lambda y: (q.back(q.to(y)) * x).sum())(x),
    "jit of grad": lambda m, q, x: m.jit(m.grad(lambda y: (q.back(q.to(y)) * x).sum()))(x),
    "grad of jit": lambda m, q, x: m.grad(m.jit(lambda y: (q.back(q.to(y)) * x).sum()))(x),
    "grad of jit that gives one": lambda m, q, x: m.grad(lambda y: (q.back(m.jit(q.to)(y)) * x).sum())(x),
    "jvp of jit": lambda m, q, x: m.jvp(m.jit(lambda y: q.back(q.to(y))), (x,), (x,)),
    "vmap of grad of jit": lambda m, q, x: m.vmap(m.grad(m.jit(lambda y: (q.back(q.to(y)) * x).sum())))(
        m.numpy.stack([x, 2 * x])) if m is adjoint else m.numpy.stack([x, x]),
    "grad of jit of scan": lambda m, q, x: m.grad(m.jit(lambda y: m.lax.scan(
        lambda c, _: (q.back(q.to(c)) * 2, None), y, None, length=2)[0].sum()))(x),
    "jvp": lambda m, q, x: m.jvp(lambda y: q.back(q.to(y)), (x,), (x,)),
    "scan": lambda m, q, x: q.back(m.lax.scan(lambda c, _: (q.to(q.back(c) * 2), None), q.to(x), None, length=2)[0]),
    "cond": lambda m, q, x: q.back(m.lax.cond(x[0, 1] > 0, lambda y: q.to(y), lambda y: q.to(-y), x)),
}


@pytest.mark.parametrize("name", USES)
def test_values_of_types_from_outside_go_through_transformations(name):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert_same(*[USES[name](m, quantized(m), m.numpy.asarray(x)) for m in (jax, adjoint)], 1e-5)


def test_a_value_has_its_type_and_a_batch_of_it():
    q, x = quantized(adjoint), jnp.arange(6.0).reshape(2, 3)
    assert adjoint.typeof(q.to(x)).shape == (2, 3)
    assert type(adjoint.jit(q.to)(x)) is q.kind
    batch = adjoint.vmap(lambda y: q.back(q.to(y)))(jnp.stack([x, 2 * x]))
    np.testing.assert_allclose(batch[1], q.back(q.to(2 * x)), rtol=1e-6)


@compiling
def test_the_derivative_of_a_program_that_such_a_value_comes_into_is_refused():
    q, x = quantized(adjoint), jnp.arange(6.0).reshape(2, 3)
    back, to = adjoint.jit(q.back), adjoint.jit(q.to)
    with pytest.raises(NotImplementedError, match="a value of type .*QuantizedType.* comes into"):
        adjoint.grad(lambda y: back(to(y)).sum())(x)


def scaled_sine(m, with_rules):
    class ScaledSine(m.experimental.hijax.VJPHiPrimitive):
        def __init__(self, aval, k):
            self.in_avals, self.out_aval, self.params = (aval,), aval, {"k": k}
            super().__init__()

        def expand(self, x):
            return m.numpy.sin(x) * self.k

        def vjp_fwd(self, nzs_in, x):
            assert nzs_in == (True,)
            return self(x), x

        def vjp_bwd_retval(self, residual, ct):
            return (10 * ct * m.numpy.cos(residual),)

    class WithRules(ScaledSine):
        def jvp(self, primals, tangents):
            return self(*primals), 7 * tangents[0]

        def batch(self, axis_data, args, dims):
            assert axis_data.size == 2 and tuple(dims) == (0,)
            return m.numpy.sin(args[0]) * 100, dims[0]

    kind = WithRules if with_rules else ScaledSine
    return lambda x: kind(m.typeof(x), 3)(x)


CALLS = {
    "called": lambda m, f: f(1.0), "jit": lambda m, f: m.jit(f)(1.0), "grad": lambda m, f: m.grad(f)(1.0),
    "jit of grad": lambda m, f: m.jit(m.grad(f))(1.0), "grad of jit": lambda m, f: m.grad(m.jit(f))(1.0),
    "jvp": lambda m, f: m.jvp(f, (1.0,), (1.0,)), "vmap": lambda m, f: m.vmap(f)(m.numpy.ones(2)),
}


@pytest.mark.parametrize("with_rules", [False, True])
@pytest.mark.parametrize("name", CALLS)
def test_operations_on_arrays_have_rules_of_their_own(name, with_rules):
    found = []
    for m in (jax, adjoint):
        try:
            found.append(np.asarray(CALLS[name](m, scaled_sine(m, with_rules)), np.float32))
        except NotImplementedError as error:
            found.append(str(error).split("subclass")[0])
    if isinstance(found[0], str):
        assert found[0] == found[1]
    else:
        np.testing.assert_allclose(found[0], found[1], rtol=1e-5)


class Box:
    def __init__(self, value):
        self.value = value

    def cur_qdd(self):
        return (adjoint.typeof(self.value),)


@dataclass(frozen=True)
class BoxType(hijax.MutableHiType):
    def lo_ty_qdd(self, state):
        return list(state)

    def new_from_loval(self, state, value):
        return Box(value)

    def read_loval(self, state, box):
        return [box.value]

    def update_from_loval(self, state, box, value):
        box.value = value


hijax.register_hitype(Box, lambda box: BoxType())


class Double(hijax.HiPrimitive):
    multiple_results = True

    def to_lojax(self, box):
        box.value = box.value * 2
        return []


double = Double("double")


def test_values_that_change_are_used_inside_of_transformed_functions():
    def f(x):
        box = Box(x)
        double.bind(box)
        double.bind(box)
        return box.value

    assert f(3.0) == adjoint.jit(f)(3.0) == 12
    assert adjoint.vmap(f)(jnp.arange(2.0)).tolist() == [0, 4]
    assert adjoint.grad(f)(3.0) == adjoint.grad(adjoint.jit(f))(3.0) == 4
    box = Box(1.0)
    assert adjoint.tree.leaves(box) == [box]
    assert adjoint.typeof(box) == BoxType()
    assert cur_qdd(box) == (adjoint.typeof(1.0),)
    known = hijax.AvalQDD(adjoint.typeof(box), cur_qdd(box))
    assert known.read_loval(known.new_from_loval(5.0)) == [5.0]
    assert known.lo_ty() == [adjoint.typeof(1.0)]


class Add(hijax.HiPrimitive):
    def to_lojax(self, box, x):
        box.value = box.value + x
        return box.value


class Put(Add):
    def to_lojax(self, box, x):
        box.value = x
        return x


add, put = Add("add_to_box"), Put("put_into_box")


def closing(make):
    """Run `make(box)`, and return its result and what the box, which held 1, holds then."""
    box = Box(jnp.float32(1.0))
    out = make(box)
    return [*adjoint.tree.leaves(out), double.bind(box) or add.bind(box, 0.0)]


def branches(box, x):
    return lax.cond(x > 0, lambda b: add.bind(b, 2.0), lambda b: add.bind(b, 5.0), box)


@custom_vjp
def scaled(box, x):
    return add.bind(box, 0.0) * x


scaled.defvjp(lambda box, x: (scaled(box, x), None), lambda _, ct: (None, ct * 3))

# Results, and twice what a box holds in the end that held 1 before: as flax's `Variable(hijax=True)` on JAX.
CHANGED = {
    "jit": (lambda box: [jit(add.bind)(box, 2.0), jit(add.bind)(box, 3.0)], [3, 6, 12]),
    "jit, closed over": (lambda box: [f(2.0) for f in [jit(lambda x: add.bind(box, x))] * 2], [3, 5, 10]),
    "one value twice": (lambda box: jit(lambda a, b: add.bind(a, 1.0) + add.bind(b, 9.0))(box, box), [12, 20]),
    "jit in jit": (lambda box: jit(lambda b: [jit(add.bind)(b, 1.0), jit(add.bind)(b, 1.0)])(box), [2, 3, 6]),
    "jit in jit, closed over": (lambda box: jit(lambda x: [jit(add.bind)(box, x), add.bind(box, x)])(1.0), [2, 3, 6]),
    "a result": (lambda box: add.bind(jit(lambda x: (b := Box(x), double.bind(b))[0])(2.0), 1.0), [5, 2]),
    "scan": (lambda box: lax.scan(lambda c, x: (c, add.bind(box, x)), 0.0, jnp.arange(3, dtype="f"))[1].sum(), [7, 8]),
    "scan in jit": (lambda box: jit(lambda b: lax.scan(
        lambda c, x: (c, add.bind(b, x)), 0.0, jnp.arange(3, dtype="f"))[1].sum())(box), [7, 8]),
    "while": (lambda box: lax.while_loop(lambda i: i < 3, lambda i: (double.bind(box), i + 1)[1], 0), [3, 16]),
    "cond": (lambda box: branches(box, 1.0), [3, 6]),
    "cond in jit": (lambda box: jit(branches)(box, -1.0), [6, 12]),
    "grad": (lambda box: grad(lambda x: add.bind(box, 2.0) * x)(3.0), [3, 6]),
    "grad in jit": (lambda box: jit(lambda b: grad(lambda x: add.bind(b, 2.0) * x)(3.0))(box), [3, 6]),
    "grad of jit": (lambda box: grad(jit(lambda b, x: add.bind(b, 2.0) * x), 1)(box, 3.0), [3, 6]),
    "custom_vjp": (lambda box: grad(scaled, 1)(box, 2.0), [3, 2]),
    "compiled": (lambda box: jit(add.bind).lower(box, 2.0).compile()(box, 2.0), [3, 6]),
}


@leaking
@pytest.mark.parametrize("name", some(CHANGED, compiling, "compiled"))
def test_values_that_change_pass_into_programs_and_are_closed_over(name):
    run, expected = CHANGED[name]
    assert [float(x) for x in closing(run)] == expected


def test_what_a_value_holds_may_change_its_type():
    box = Box(jnp.float32(1.0))
    count = []
    f = jit(lambda x: (count.append(1), add.bind(box, x))[1])
    assert f(1.0) == 2
    put.bind(box, jnp.ones(3))  # programs that close over it are traced anew
    assert f(1.0).tolist() == f(0.0).tolist() == [2, 2, 2]
    assert len(count) == 2
    jit(put.bind)(box, jnp.zeros(2, "int32"))
    assert box.value.dtype == "int32"
    with pytest.raises(TypeError, match="cannot change the types of what it holds"):
        jit(lambda: put.bind(box, jnp.ones(5)))()
    assert adjoint.eval_shape(lambda b: add.bind(b, 1), box).shape == (2,)
    assert adjoint.eval_shape(Box, 1.0) == jit(Box).eval_shape(1.0) == BoxType()
    assert "add" in str(adjoint.make_jaxpr(add.bind)(box, 1))


@pytest.mark.parametrize("transform", [adjoint.vmap, adjoint.grad])
def test_a_value_from_outside_takes_nothing_that_is_mapped_or_differentiated(transform):
    box = Box(jnp.float32(1.0))
    with pytest.raises(NotImplementedError, match="is put into a value of type"):
        transform(lambda x: add.bind(box, x))(jnp.ones(() if transform is adjoint.grad else 2, "float32"))
    assert box.value == 1
    with pytest.raises(TypeError, match="not a valid JAX type"):
        transform(lambda b: add.bind(b, 1.0))(box)


def test_what_a_subclass_must_say_is_asked_for_as_in_jax():
    for m in (jax, adjoint):
        h = m.experimental.hijax
        for use in (lambda h=h: h.HiType().lo_ty(), lambda h=h: h.HiPrimitive("p").bind(1.0)):
            with pytest.raises(AssertionError, match="must override"):
                use()
        p = h.HiPrimitive("p")
        assert (p.is_high(), p.is_effectful({}), h.HiType().is_high, h.HiType().has_qdd) == (True, False, True, False)
        assert h.MutableHiType().has_qdd
        zero = h.Zero(m.core.ShapedArray((2,), np.dtype("float32")))
        assert h.instantiate_zeros(zero).tolist() == [0, 0]
        assert h.instantiate_zeros(3.0) == 3.0
        assert (h.aval_method(abs).fun, h.aval_property(abs).fget) == (abs, abs)


def test_kinds_of_effects_are_added_to_those_that_loops_allow():
    class Counted(adjoint.core.Effect):
        pass

    effect = Counted()
    assert not hijax.control_flow_allowed_effects.contains(effect)
    hijax.control_flow_allowed_effects.add_type(Counted)
    assert hijax.control_flow_allowed_effects.contains(effect)
    assert hijax.control_flow_allowed_effects.filter_not_in([effect]) == []


def product(m, rules, unapplied=False, **derived):
    """x * y of trees of arrays, as a class with some rules."""
    h, np_ = m.experimental.hijax, m.numpy
    given = {
        "lin": lambda self, nzs_in, x, y: (self(x, y), (x, y)),
        "linearized": lambda self, res, dx, dy: dx * res[1]["a"] + res[0] * dy["a"],
        "jvp": lambda self, primals, ts: (self(*primals), ts[0] * primals[1]["a"] + primals[0] * ts[1]["a"]),
        "vjp_fwd": lambda self, nzs_in, x, y: (self(x, y), (x, y)),
    }

    def vjp_bwd(self, res, ct, to_x, to_y):
        to_x.accum(ct * res[1]["a"])
        to_y["a"].accum(ct * res[0])
        to_y["a"].accum(0 * ct)

    def __init__(self, x, y):
        self.in_avals, self.out_aval, self.params = (x, y), x, {}
        kind.__base__.__init__(self)

    chosen = {name: vjp_bwd if name == "vjp_bwd" else given[name] for name in rules}
    expand = lambda self, x, y: np_.sin(x - x) + x * y["a"]
    kind = type("Product", (h.VJPHiPrimitive,), {"__init__": __init__, "expand": expand, **chosen, **derived})
    made = lambda x, y: kind(m.typeof(x), {"a": m.typeof(y["a"])})
    return made if unapplied else lambda x, y: made(x, y)(x, y)


@pytest.mark.parametrize("rules, call", [
    (["lin", "linearized"], lambda m, f, x, y: m.linearize(f, x, y)[1](x, y)),
    (["vjp_fwd", "vjp_bwd"], lambda m, f, x, y: m.grad(f, (0, 1))(x, y)),
    (["vjp_fwd", "vjp_bwd"], lambda m, f, x, y: m.jit(m.grad(f, (0, 1)))(x, y)),
    (["jvp"], lambda m, f, x, y: m.jvp(f, (x, y), (x, y))),
])
def test_rules_of_operations_are_those_of_jax(rules, call):
    found = [call(m, product(m, rules), m.numpy.float32(2), {"a": m.numpy.float32(3)}) for m in (jax, adjoint)]
    assert_same(*found, 1e-6)


DERIVED = {
    "from jvp, in pairs": (["jvp"], lambda h: (h.linearize_from_jvp, h.vjp_from_lin)),
    "from jvp alone": (["jvp"], lambda h: ((None, None), h.vjp_from_jvp)),
    "from lin": (["lin", "linearized"], lambda h: ((None, None), h.vjp_from_lin)),
    "one by one": (["jvp"], lambda h: (
        (h.linearize_from_jvp, h.apply_derived_linearization), (h.vjp_fwd_from_lin, h.transpose_linearized))),
    "one by one, from jvp": (["jvp"], lambda h: ((None, None), (h.vjp_fwd_from_jvp, h.transpose_jvp))),
}


@pytest.mark.parametrize("name", DERIVED)
def test_rules_follow_from_others(name):
    rules, derived = DERIVED[name]
    (lin, linearized), (fwd, bwd) = derived(hijax)
    more = dict(lin=lin, linearized=linearized, vjp_fwd=fwd, vjp_bwd_retval=bwd)
    if "lin" in rules:
        more["jvp"] = hijax.jvp_from_lin

    f = product(adjoint, rules, **{k: v for k, v in more.items() if v is not None})
    x, y = jnp.float32(2), {"a": jnp.float32(3)}
    for g in (f, adjoint.jit(f)):
        assert adjoint.grad(g, (0, 1))(x, y) == (3, {"a": 2})
        assert adjoint.jvp(g, (x, y), (x, y)) == (6, 12)
        assert adjoint.linearize(g, x, y)[1](x, y) == 12
    assert adjoint.grad(adjoint.grad(f))(x, y) == 0
    made = product(adjoint, rules, unapplied=True, **{k: v for k, v in more.items() if v is not None})(x, y)
    out, res = made.vjp_fwd((True, True), x, y)
    assert (out, made.vjp_bwd_retval(res, jnp.float32(10))) == (6, (30, {"a": 20}))
    if lin is not None:
        out, res = made.lin((True, True), x, y)
        assert (out, made.linearized(res, x, y)) == (6, 12)
    assert adjoint.hessian(lambda x: f(x, {"a": x}))(x) == 2


def test_a_rule_does_not_follow_from_itself():
    f = product(adjoint, [], jvp=hijax.jvp_from_lin, lin=hijax.linearize_from_jvp)
    with pytest.raises(TypeError, match="lin is derived from jvp, and jvp from lin"):
        adjoint.jvp(f, (1.0, {"a": 2.0}), (1.0, {"a": 1.0}))


def test_cotangents_are_added_to_references_and_nothing():
    ref = adjoint.new_ref(jnp.ones(2))
    for accum in (hijax.RefAccum(adjoint.typeof(ref), ref), hijax.NullAccum(None)):
        assert isinstance(accum, hijax.GradAccum)
        for ct in (jnp.arange(2.0), None, hijax.Zero(adjoint.typeof(jnp.ones(2)))):
            accum.accum(ct)
    assert ref[...].tolist() == [1, 2]
    assert hijax.HiPrim is hijax.VJPHiPrimitive
