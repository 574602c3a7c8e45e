"""Symbolic shapes: dimensions print, compare and divide as JAX's do, and programs over them run for every size."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.messages import what
from tests.recorded import jax

import adjoint as ad
import adjoint.numpy as jnp
from adjoint import export, lax
from adjoint.core import max_dim, min_dim
from adjoint.errors import InconclusiveDimensionOperation
from adjoint.experimental import checkify

SIZES = dict(a=3, b=4, n=5)


# ---- expressions -----------------------------------------------------------------------------------

EXPRESSIONS = """
a + b; 2*a + b - 3; a*b*a; a - a; a*0 + 2; -a; 3*a*b + 2*b - a + 4; (a - b)*(a + b); a**3 + a + 1; 1 - a
a//2; (2*a)//2; (2*a + 1)//2; (4*a + 2)//4; (a*b + a)//a; a//2//3; 5//a; a//-2; a%2; (2*a + 1)%2; a%b; (3*a - 1)%3
a//2 + a%2; b*(a//2); (a*a - b*b)//(a - b); 2*a - a//2; divmod(a, 2); a//2 + b; b//2 + a; a*b**2 + a**2*b
max_dim(a, b); max_dim(a, 2); max_dim(a, 0); max_dim(a + 1, a); min_dim(a, 1); max_dim(max_dim(a, b), a); max(a, 1)
min_dim(a, b) + max_dim(a, b); np.prod((a, 2)); sum((a, b)); a + np.int32(1); np.int64(5) - a; (a, 1) == (a, 1)
a == b; a == 1; a > 0; a >= 1; a + b >= 2; 2*a > a; a//2 >= 0; a%2 <= 1; a%b < b; a//2 <= a; a//b*b <= a
max_dim(a, b) >= a; max_dim(a - b, 0) <= a; min_dim(a, b) >= 1; max_dim(a, b) <= a + b; (a + b)//2 >= 1
a >= 2; a < b; a*b > a; a*a >= a; int(a); max(a, b); (a + b - 1)//b >= 1; a%0; a**-1
""".replace("\n", ";").split(";")


def answer(text, of):
    """What an expression gives, or the class and first line of the error."""
    a, b = of.export.symbolic_shape("a, b")
    names = dict(a=a, b=b, np=np, max_dim=of.core.max_dim, min_dim=of.core.min_dim)
    try:
        return str(eval(text, names))
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]


@pytest.mark.parametrize("text", [t.strip() for t in EXPRESSIONS if t.strip()])
def test_expressions_are_those_of_jax(text):
    assert answer(text, ad) == answer(text, jax)


SPECS = ["a, b", "(a,)", "", "()", "a+1, 2*b", "floordiv(a, 2), mod(a, b), max(a, b), min(a, 3)", "a*b^2", "-a", "3, 4",
         "a,, b", "1a", "a b", "a-", "_, a", "..., a", "a//2", "a,b)", "foo(a)", "(a+1)*2", "max(a)", "a, a-a+2"]


@pytest.mark.parametrize("spec", SPECS)
def test_texts_are_read_as_jax_reads_them(spec):
    def read(of):
        try:
            return str(of.export.symbolic_shape(spec))
        except ValueError as error:
            return what(error)

    assert read(ad) == read(jax)


def test_placeholders_are_taken_of_a_shape():
    assert str(export.symbolic_shape("b, ...", like=(2, 3))) == "(b, 3)"
    assert export.symbolic_shape(None, like=(2, 3)) == (2, 3)
    with pytest.raises(ValueError, match="different size 3 for known dimension"):
        export.symbolic_shape("3, a", like=(4, 4))
    specs = export.symbolic_args_specs((np.ones((2, 3)), {"x": np.ones(4)}), ("b, _", {"x": "c"}))
    assert str([s.shape for s in ad.tree.leaves(specs, is_leaf=lambda s: isinstance(s, ad.ShapeDtypeStruct))]) == (
        "[(b, 3), (c,)]")


def test_constraints_decide():
    a, b = export.symbolic_shape("a, b", constraints=("a >= 5", "b <= 7", "mod(a, 2) == 0"))
    assert a >= 5 and b <= 7 and a % 2 == 0 and a // 2 * 2 == a
    with pytest.raises(InconclusiveDimensionOperation, match=r"'a' >= '6'(.|\n)*a >= 5"):
        assert a >= 6
    m, n = export.symbolic_shape("m, n", constraints=("m == 4*n",))
    assert str((m, m // 4)) == "(4*n, n)"
    (c,) = export.symbolic_shape("c", constraints=("floordiv(c, 2) >= 3",))
    assert c >= 6
    for wrong, text in (("a > 3", "must contain one of"), ("1 >= 2", "Unsatisfiable")):
        with pytest.raises(ValueError, match=text):
            export.SymbolicScope((wrong,))


def test_scopes_do_not_mix():
    (a,), (b,) = export.symbolic_shape("a"), export.symbolic_shape("b")
    with pytest.raises(ValueError, match="Invalid mixing of symbolic scopes"):
        a + b
    struct = lambda d: ad.ShapeDtypeStruct((d,), np.float32)
    with pytest.raises(ValueError, match="Invalid mixing of symbolic scopes when exporting"):
        export.export(ad.jit(lambda x, y: x))(struct(a), struct(b))
    with pytest.raises(ValueError, match="both a `scope` and `constraints`"):
        export.symbolic_shape("a", scope=a.scope, constraints=("a >= 2",))


# ---- programs --------------------------------------------------------------------------------------

PROGRAMS = {
    "arithmetic": (lambda m, x, y: m.numpy.tanh(x) * 2 + y[:, None], "(b, 3)", "b,3", "b"),
    "lengths as numbers": (lambda m, x: x * x.shape[0] / (x.size + 1), "(b, 3)", "b,3"),
    "statistics": (lambda m, x: m.numpy.stack([x.mean(0), x.var(0), m.numpy.median(x, 0)]), "(3, 4)", "b,4"),
    "reshape": (lambda m, x: x.reshape(x.shape[0], -1, 2), "(a, b, 2)", "a,2*b"),
    "halves": (lambda m, x: x.reshape((x.shape[0] * x.shape[1] // 2, 2)), "(floordiv(a*b, 2), 2)", "a,b"),
    "spaced": (lambda m, x: m.numpy.linspace(0.0, x[0], x.shape[0] + 2), "(b + 2,)", "b"),
    "spaced without the end": (lambda m, x: m.numpy.linspace(x, 1.0, 2 * x.shape[0], endpoint=False), "(2*b, b)", "b"),
    "singular values": (lambda m, x: m.numpy.linalg.svd(x, compute_uv=False), "(min(a, b),)", "a,b"),
    "ranges": (lambda m, x: x[::-1] + m.numpy.arange(x.shape[0]), "(b,)", "b"),
    "slices": (lambda m, x: m.numpy.concatenate([x[1:], x[:-1], x[::2], x[x.shape[0] // 2 :]]), None, "b"),
    "integer": (lambda m, x: x[5] + x[-3], "()", "b"),
    "pads": (lambda m, x: m.numpy.pad(x, ((0, x.shape[0]), (1, 1))), "(2*b, 5)", "b,3"),
    "matrices": (lambda m, x, y: m.numpy.tril(x @ y) + m.numpy.eye(x.shape[0]), "(a, a)", "a,b", "b,a"),
    "indices": (lambda m, x: x.at[m.numpy.array([0, 1])].add(x[m.numpy.argsort(x[:, 0])][0]), "(b, 3)", "b,3"),
    "joined": (lambda m, x, y: m.numpy.concatenate([x, y]), "(b + a, 3)", "a,3", "b,3"),
    "convolution": (lambda m, x: m.lax.conv_general_dilated(
        x, np.ones((3, 3, 2, 4), np.float32), (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), None,
        "n,2*a,b,2"),
    "valid convolution": (lambda m, x: m.lax.conv(x, np.ones((4, 2, 3, 3), np.float32), (1, 2), "VALID"),
        "(n, 4, max(a - 2, 0), floordiv(b - 3, 2) + 1)", "n,2,a,b"),
    "windows": (lambda m, x: (m.lax.reduce_window(x, -np.inf, m.lax.max, (2,), (1,), "VALID"), m.numpy.cumsum(x)), None,
                "b"),
    "scan": (lambda m, x: m.lax.scan(lambda c, row: (c + row.sum(), row * 2), 0.0, x)[1], "(b, 3)", "b,3"),
    "loop": (lambda m, x: m.lax.fori_loop(0, x.shape[0], lambda i, s: s + x[i], 0.0), "()", "b"),
    "vmap": (lambda m, x, y: m.vmap(lambda p, q: p @ q)(x, y), "(n, a)", "n,a,b", "n,b"),
    "grad": (lambda m, x: m.grad(lambda x: m.nn.softmax(x)[:, 0].sum())(x), "(a, b)", "a,b"),
    "random": (lambda m, x: m.random.normal(m.random.key(0), x.shape), "(a, b)", "a,b"),
    "linear algebra": (lambda m, x: m.numpy.linalg.cholesky(x @ x.T + 9 * m.numpy.eye(x.shape[0])), "(b, b)", "b,b"),
    "special": (lambda m, x: m.lax.erf(x) + m.lax.lgamma(abs(x)), "(a,)", "a"),
    "key": (lambda m, x: m.random.bits(m.random.key(x.ndim), (x.shape[0],)), "(a,)", "a"),
    "keys": (lambda m, x: m.random.key_data(m.random.split(m.random.key(0), x.shape[0])), "(a, 2)", "a"),
    "choice": (lambda m, x: m.random.choice(m.random.key(0), 3, (x.shape[0],)), "(a,)", "a"),
    "triangle": (lambda m, x: m.numpy.tri(*x.shape, 1), "(a, b)", "a,b"),
    "triangle from a length": (lambda m, x: m.numpy.tril(m.numpy.ones((3, 3)), x.shape[0] - 4), "(3, 3)", "a"),
    "lower": (lambda m, x: m.numpy.stack(m.numpy.tril_indices(x.shape[0])), "(2, floordiv(a^2 + a, 2))", "a"),
    "upper": (lambda m, x: m.numpy.stack(m.numpy.triu_indices_from(x)), "(2, floordiv(a^2 + a, 2))", "a,a"),
    "places": (lambda m, x: m.numpy.stack(m.numpy.nonzero(x > 0, size=3)), "(2, 3)", "a,b"),
    "counts": (lambda m, x: m.numpy.bincount(m.numpy.array([1, 1]), length=x.shape[0]), "(a,)", "a"),
    "segments": (lambda m, x: m.ops.segment_sum(x, m.numpy.arange(x.shape[0]) // 2, x.shape[0]), "(a,)", "a"),
    "start": (lambda m, x: m.lax.dynamic_slice_in_dim(x, x.shape[0] - 1, 1), "(1,)", "b"),
    "last of an update": (lambda m, x: x.at[-1].add(2.0), "(a, b)", "a,b"),
    "length": (lambda m, x: m.numpy.asarray(x.shape[0]) * np.float16(2), "()", "a"),
    "nearest": (lambda m, x: m.image.resize(x, (3, x.shape[1]), "nearest"), "(3, b)", "a,b"),
    "solution": (lambda m, x: m.numpy.linalg.solve(x + 9 * m.numpy.eye(x.shape[0]), x), "(a, a)", "a,a"),
    "mask": (lambda m, x: m.numpy.where(m.numpy.arange(x.shape[0]) < x.shape[0] - 1, x, 0.0), "(b,)", "b"),
}


def exported(of, name):
    program, _, *specs = PROGRAMS[name]
    scope = of.export.SymbolicScope()
    args = [of.ShapeDtypeStruct(of.export.symbolic_shape(s, scope=scope), np.float32) for s in specs]
    return of.export.export(of.jit(lambda *xs: program(of, *xs)))(*args)


def operands(name):
    rng = np.random.default_rng(0)
    shapes = [eval(f"({s},)", {}, SIZES) for s in PROGRAMS[name][2:]]
    return [rng.standard_normal(s).astype(np.float32) for s in shapes]


def assert_equal(got, want):
    got, want = ad.tree.leaves(got), jax.tree.leaves(want)
    assert len(got) == len(want)
    for g, w in zip(got, want):
        assert g.shape == w.shape and g.dtype == w.dtype
        np.testing.assert_allclose(np.asarray(g), np.asarray(w), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_over_symbolic_shapes_runs_for_shapes(name):
    found = exported(ad, name)
    if PROGRAMS[name][1] is not None:
        assert str(found.out_avals[0].shape) == PROGRAMS[name][1]
    loaded = export.deserialize(found.serialize())
    assert [str(a) for a in loaded.in_avals] == [str(a) for a in found.in_avals]
    xs = operands(name)
    assert_equal(loaded.call(*xs), ad.jit(lambda *xs: PROGRAMS[name][0](ad, *xs))(*xs))


@pytest.mark.parametrize("name", PROGRAMS)
def test_artifacts_of_jax_and_ours_are_read_by_both(name):
    ours, theirs, xs = exported(ad, name), exported(jax, name), operands(name)
    assert [str(a) for a in ours.out_avals] == [str(a) for a in theirs.out_avals]
    swapped = lambda to, program: dataclasses.replace(
        to, mlir_module_serialized=program.mlir_module_serialized, module_kept_var_idx=program.module_kept_var_idx)
    want = theirs.call(*xs)
    assert_equal(swapped(ours, theirs).call(*xs), want)
    assert_equal(swapped(theirs, ours).call(*xs), want)


CALLS = {
    "a length that is too small": (["b,3"], (), [(0, 3)]),
    "another rank": (["b,3"], (), [(2,)]),
    "another constant": (["b,3"], (), [(2, 4)]),
    "an odd length": (["2*b"], (), [(3,)]),
    "two lengths that differ": (["b,b"], (), [(4, 5)]),
    "a sum that differs": (["b", "b+1"], (), [(4,), (4,)]),
    "a difference that is too small": (["a+b", "a"], (), [(4,), (4,)]),
    "an inequality that does not hold": (["a", "b"], ("a>=2*b",), [(3,), (2,)]),
    "an equality that does not hold": (["a"], ("mod(a, 4)==0",), [(5,)]),
    "an equation that is not linear": (["a*b"], (), [(4,)]),
}


@pytest.mark.parametrize("name", CALLS)
def test_shapes_that_do_not_fit_are_refused_in_jax_words(name):
    specs, constraints, shapes = CALLS[name]

    def refused(of):
        scope = of.export.SymbolicScope(constraints)
        args = [of.ShapeDtypeStruct(of.export.symbolic_shape(s, scope=scope), np.float32) for s in specs]
        with pytest.raises(ValueError) as info:
            of.export.export(of.jit(lambda *xs: sum(x.sum() for x in xs)))(*args).call(
                *[np.zeros(s, np.float32) for s in shapes])
        return str(info.value).split("\n")[0].replace("{'b', 'a'}", "{'a', 'b'}")

    assert refused(ad) == refused(jax)


def test_lengths_that_may_fit_are_told_when_they_are_known():
    """Shapes of factors have the lesser length; a shape that can never fit is an error at once."""
    a, b = export.symbolic_shape("a, b")
    shapes = lambda f: [str(x.shape) for x in ad.tree.leaves(ad.eval_shape(f, ad.ShapeDtypeStruct((a, b), np.float32)))]
    assert shapes(lambda x: jnp.linalg.qr(x)) == ["(a, min(a, b))", "(min(a, b), b)"]
    assert shapes(lambda x: lax.linalg.lu(x)) == ["(a, b)", "(min(a, b),)", "(a,)"]
    assert shapes(lambda x: lax.reshape(x, (a * b // 3, 3))) == ["(floordiv(a*b, 3), 3)"]
    with pytest.raises(TypeError, match="cannot reshape array"):
        shapes(lambda x: x.reshape((2 * a, b)))
    with pytest.raises(InconclusiveDimensionOperation, match="'a' > '1' is inconclusive"):
        shapes(lambda x: jnp.linspace(0.0, 1.0, a))
    halves = exported(ad, "halves")
    assert halves.call(np.ones((4, 3), np.float32)).shape == (6, 2)
    with pytest.raises(ValueError, match="reshape total size"):
        halves.call(np.ones((3, 3), np.float32))


def test_calls_with_symbolic_shapes_are_parts_of_exports():
    inner = exported(ad, "reshape")
    outer = lambda x: inner.call(x) * 2
    n, k = export.symbolic_shape("n, k")
    found = export.export(ad.jit(outer))(ad.ShapeDtypeStruct((n + 1, 4 * k), np.float32))
    assert str(found.out_avals[0].shape) == "(n + 1, 2*k, 2)"
    x = np.ones((3, 8), np.float32)
    assert_equal(export.deserialize(found.serialize()).call(x), outer(x))


def test_derivatives_of_symbolic_programs():
    a, b = export.symbolic_shape("a, b")
    f = lambda x: (jnp.sin(x) * x).sum()
    found = export.export(ad.jit(f))(ad.ShapeDtypeStruct((a, b), np.float32))
    loaded = export.deserialize(found.serialize(vjp_order=1))
    assert str(loaded.vjp().in_avals) == "(ShapedArray(float32[a,b]), ShapedArray(float32[]))"
    x = np.ones((2, 3), np.float32)
    np.testing.assert_allclose(ad.grad(loaded.call)(x), ad.grad(f)(x), rtol=1e-6)


def test_a_model_over_batches_and_lengths_is_trained_and_served():
    """Attention over symbolic lengths: gradients by what was stored, calls inside of other exports and of loops."""
    rng = np.random.default_rng(0)
    params = {k: rng.standard_normal(s).astype(np.float32) for k, s in (("emb", (7, 4)), ("w", (2, 4, 4)))}
    tokens = (np.arange(15).reshape(3, 5) % 7).astype(np.int32)

    def model(params, tokens):
        x = params["emb"][tokens] + jnp.sin(jnp.arange(tokens.shape[1]) / 10.0)[:, None]

        def layer(x, w):
            scores = jnp.where(jnp.tril(jnp.ones((x.shape[1],) * 2, bool)), (x @ w) @ x.transpose(0, 2, 1), -1e9)
            return x + ad.nn.softmax(scores / x.shape[-1]) @ x, None

        return lax.scan(layer, x, params["w"])[0] @ params["emb"].T

    def loss(params, tokens):
        logs = ad.nn.log_softmax(model(params, tokens[:, :-1]))
        return -jnp.take_along_axis(logs, tokens[:, 1:, None], -1).mean()

    b, t = export.symbolic_shape("b, t", constraints=("t >= 2",))
    specs = params, ad.ShapeDtypeStruct((b, t), np.int32)
    stored = [export.deserialize(export.export(ad.jit(f))(*specs).serialize(vjp_order=1)) for f in (model, loss)]
    assert str(stored[0].out_avals[0].shape) == "(b, t, 7)"
    np.testing.assert_allclose(stored[0].call(params, tokens), model(params, tokens), rtol=1e-4, atol=1e-5)
    got, want = [ad.grad(f)(params, tokens) for f in (stored[1].call, loss)]
    np.testing.assert_allclose(got["emb"], want["emb"], rtol=1e-3, atol=1e-5)

    def serve(tokens):
        def step(tokens, _):
            following = stored[0].call(params, tokens)[:, -1].argmax(-1).astype(np.int32)
            return jnp.concatenate([tokens[:, 1:], following[:, None]], 1), following

        return lax.scan(step, tokens, None, length=3)[1]

    served = export.deserialize(export.export(ad.jit(serve))(specs[1]).serialize())
    np.testing.assert_array_equal(served.call(tokens), serve(tokens))
    with pytest.raises(ValueError, match="Expected 't - 2' to be greater or equal to 0, but found -1"):
        stored[0].call(params, tokens[:, :1])


def test_values_that_need_a_number_say_so():
    (a,) = export.symbolic_shape("a", scope=export.SymbolicScope())
    struct = ad.ShapeDtypeStruct((a,), np.float32)
    run = lambda f: export.export(ad.jit(f))(struct)
    with pytest.raises(InconclusiveDimensionOperation, match="requires a constant"):
        run(lambda x: x * int(x.shape[0]))
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        run(lambda x: [x[i] for i in range(x.shape[0])])
    with pytest.raises(InconclusiveDimensionOperation, match="'a' > '3'"):
        run(lambda x: x if x.shape[0] > 3 else -x)
    with pytest.raises(TypeError, match=r"add got incompatible shapes for broadcasting: \(a,\), \(3,\)"):
        run(lambda x: x + np.ones(3, np.float32))
    with pytest.raises(InconclusiveDimensionOperation, match="Cannot divide evenly"):
        run(lambda x: x.reshape(3, -1))


def test_a_dimension_is_no_number_outside_of_tracing():
    (a,) = export.symbolic_shape("a")
    assert export.is_symbolic_dim(a) and not export.is_symbolic_dim(3)
    with pytest.raises(NotImplementedError, match="outside jax.export"):
        a / 2
    assert lax.shape_as_value((2, 3)).tolist() == [2, 3]
    assert (str(max_dim(a, 3)), min_dim(a, 1)) == ("max(a, 3)", 1)


def _written(x, index, value):
    ref = ad.new_ref(x)
    ref[index] = value
    return ref[...]


def _looped(x):
    ref = ad.new_ref(x)
    lax.fori_loop(0, 3, lambda i, c: ref.__setitem__(..., jnp.sin(ref[...])), None)
    return ref[...].sum()


REFERENCES = {
    "whole": lambda x: ad.new_ref(x)[...], "first": lambda x: ad.new_ref(x)[0], "last": lambda x: ad.new_ref(x)[-1],
    "rest": lambda x: ad.new_ref(x)[1:], "some": lambda x: ad.new_ref(x)[:2], "reversed": lambda x: ad.new_ref(x)[::-1],
    "array": lambda x: ad.new_ref(x)[jnp.array([[0, 1], [1, 0]])],
    "column": lambda x: ad.new_ref(x)[:, 1], "both": lambda x: ad.new_ref(x)[jnp.arange(2), 1],
    "apart": lambda x: ad.new_ref(x[None])[0, :, jnp.array([1, 0])], "new axis": lambda x: ad.new_ref(x)[None, 1:],
    "at": lambda x: ad.new_ref(x).at[1:][...], "set": lambda x: _written(x, 0, x[1]),
    "set rest": lambda x: _written(x, slice(1, None), x[:-1]), "window": lambda x: ad.new_ref(x)[ad.ds(0, 2)],
    "all positions": lambda x: ad.new_ref(x)[jnp.arange(x.shape[0])],
    "batch": ad.vmap(lambda v: _written(v, ..., v * 2)), "gradient": ad.grad(_looped),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_references_have_symbolic_lengths(name):
    f, x = REFERENCES[name], np.arange(12, dtype=np.float32).reshape(4, 3)
    (n,) = export.symbolic_shape("n + 1")
    artifact = export.export(ad.jit(f))(ad.ShapeDtypeStruct((n, 3), np.float32))
    np.testing.assert_allclose(artifact.call(x), f(jnp.asarray(x)), rtol=1e-6)


def test_checks_of_a_batch_of_symbolic_size():
    def f(x):
        def positive(v):
            checkify.check(v > 0, "not positive: {v}", v=v)
            return v * 2
        error, y = checkify.checkify(ad.vmap(positive))(x)
        return y

    (n,) = export.symbolic_shape("n")
    artifact = export.export(ad.jit(f))(ad.ShapeDtypeStruct((n,), np.float32))
    np.testing.assert_array_equal(artifact.call(np.ones(3, np.float32)), 2 * np.ones(3))


EAGER = {
    "zeros": lambda m, a: m.numpy.zeros((a, 2)), "ones": lambda m, a: m.numpy.ones(a),
    "eye": lambda m, a: m.numpy.eye(a), "full": lambda m, a: m.numpy.full((2, a), 3.0),
    "tri": lambda m, a: m.numpy.tri(a),
    "like": lambda m, a: m.numpy.zeros_like(m.ShapeDtypeStruct((a,), "int8")), "iota": lambda m, a: m.lax.iota(int, a),
    "broadcast": lambda m, a: m.numpy.broadcast_to(1.0, (a,)),
}


@pytest.mark.parametrize("name", EAGER)
def test_an_array_with_a_length_that_nobody_knows_cannot_be_made(name):
    for m in (ad, jax):
        (a,) = m.export.symbolic_shape("a")
        with pytest.raises(Exception, match="Encountered dimension variable 'a' that is not appearing in") as caught:
            EAGER[name](m, a)
        assert type(caught.value).__name__ == "UnexpectedDimVar"


@pytest.mark.parametrize("name", ["split", "array_split"])
def test_a_length_is_no_number_of_parts(name):
    for m in (ad, jax):
        with pytest.raises(ValueError, match=f"jax.numpy.{name} with a symbolic number of sections is not supported"):
            getattr(m.numpy, name)(np.ones(4), m.export.symbolic_shape("a")[0])


def test_positions_of_triangles_are_counted_for_every_shape_and_diagonal():
    for n, m, k in np.ndindex(5, 5, 13):
        for name in ("tril_indices", "triu_indices"):
            ours, theirs = getattr(jnp, name)(n, k - 6, m), getattr(np, name)(n, k - 6, m)
            assert [x.tolist() for x in ours] == [x.tolist() for x in theirs]
