"""Exported functions give what the functions give, here and in JAX, as they are and after they were stored."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.recorded import jax

import adjoint as ad
import adjoint.numpy as jnp
from adjoint import export, lax

x = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], np.float32)
square = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], np.float32)


def _written(m, x):
    ref = m.new_ref(x)
    ref[0] = ref[1] * 2
    m.lax.fori_loop(0, 2, lambda i, c: (m.ref.addupdate(ref, i, x[1]), c)[1], 0)
    return ref[...]


PROGRAMS = {
    "elementwise": (lambda m, x: m.numpy.exp(x) * m.numpy.tanh(x) + x**3 / (1 + abs(x)), x),
    "tree": (lambda m, x: {"a": [x, (x + 1, None)], "b": x.sum()}, x),
    "reductions": (lambda m, x: (x.sum(0), x.max(1), x.argmax(1), x.argmin(), m.numpy.var(x), (x > 0).all()), x),
    "running": (lambda m, x: (m.numpy.cumsum(x, 1), m.lax.cummax(x, 1), m.lax.cumprod(x, 0, reverse=True)), x),
    "windows": (lambda m, x: m.lax.reduce_window(x, -np.inf, m.lax.max, (1, 2), (1, 1), "VALID"), x),
    "window gradient": (lambda m, x: m.grad(
        lambda y: m.lax.reduce_window(y, -np.inf, m.lax.max, (1, 2), (1, 1), "VALID").sum())(x), x),
    "products": (lambda m, x: (x @ x.T, m.numpy.einsum("ij,kj->i", x, x)), x),
    "sorts": (lambda m, x: (m.numpy.sort(x), m.numpy.argsort(-x), m.lax.top_k(x, 2)), x),
    "indices": (lambda m, x: (x[:, [2, 0]], x.at[0, [1, 1]].add(1.0), m.lax.dynamic_slice(x, (1, 1), (1, 2))), x),
    "shapes": (lambda m, x: m.numpy.concatenate([x.T.reshape(2, 3), x[:, ::-1], m.numpy.pad(x, ((0, 0), (0, 0)))]), x),
    "loop": (lambda m, x: m.lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 0.9), (0, x)), x),
    "scan": (lambda m, x: m.lax.scan(lambda c, row: (c + row, c * row), x[0], x), x),
    "references": (lambda m, x: _written(m, x), x),
    "branches": (lambda m, x: m.lax.switch(2, [lambda x: x, lambda x: 2 * x, lambda x: -x], x), x),
    "random": (lambda m, x: m.random.uniform(m.random.key(7), x.shape) + x, x),
    "special": (lambda m, x: [getattr(m.lax, n)(abs(x)) for n in ("erf", "erfc", "lgamma", "digamma", "asinh")], x),
    "narrow": (lambda m, x: (x.astype("bfloat16") * 2, x.astype("int8")), x),
    "complex": (lambda m, x: m.numpy.abs(m.numpy.fft.fft(x + 1j * x)), x),
    "factorizations": (lambda m, a: (m.numpy.linalg.cholesky(a), m.numpy.linalg.solve(a, a[0]), m.numpy.linalg.det(a),
                                     m.numpy.linalg.eigh(a)[0], m.numpy.linalg.svd(a)[1]), square),
    "convolution": (lambda m, x: m.lax.conv_general_dilated(
        x.reshape(1, 1, 2, 3), np.ones((2, 1, 2, 2), np.float32), (1, 1), "SAME"), x),
}


def assert_same(got, want):
    """Trees of arrays of equal dtypes and nearly equal values."""
    got, want = [t.tree.leaves(o) for t, o in ((ad, got), (jax, want))]
    assert len(got) == len(want)
    for g, w in zip(got, want):
        assert np.asarray(g).dtype == np.asarray(w).dtype
        as_wide = [v.astype(np.float64) if v.dtype.kind == "V" else v for v in map(np.asarray, (g, w))]
        np.testing.assert_allclose(*as_wide, rtol=1e-4, atol=1e-5)


def exported(name):
    program, argument = PROGRAMS[name]
    return export.export(ad.jit(lambda x: program(ad, x)))(argument)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_was_stored_gives_what_the_function_gives(name):
    program, argument = PROGRAMS[name]
    loaded = export.deserialize(exported(name).serialize())
    assert_same(loaded.call(argument), ad.jit(lambda x: program(ad, x))(argument))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs_in_jax(name):
    program, argument = PROGRAMS[name]
    ours = exported(name)
    theirs = jax.export.export(jax.jit(lambda x: program(jax, x)))(argument)
    loaded = dataclasses.replace(
        theirs, mlir_module_serialized=ours.mlir_module_serialized, module_kept_var_idx=ours.module_kept_var_idx)
    assert_same(loaded.call(argument), jax.jit(lambda x: program(jax, x))(argument))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_jax_runs_here(name):
    program, argument = PROGRAMS[name]
    theirs = jax.export.export(jax.jit(lambda x: program(jax, x)))(argument)
    loaded = dataclasses.replace(
        exported(name), mlir_module_serialized=theirs.mlir_module_serialized,
        module_kept_var_idx=theirs.module_kept_var_idx)
    assert_same(loaded.call(argument), jax.jit(lambda x: program(jax, x))(argument))


def test_fields_say_what_was_exported():
    found = export.export(ad.jit(lambda x, y: {"a": jnp.sin(x)}))(ad.ShapeDtypeStruct((3,), np.float32), 2.0)
    assert found.fun_name == "<lambda>"
    assert str(found) == "Exported(fun_name=<lambda>, ...)"
    assert str(found.in_avals) == "(ShapedArray(float32[3]), ShapedArray(float32[], weak_type=True))"
    assert str(found.out_tree) == "PyTreeDef({'a': *})"
    assert (found.nr_devices, found.platforms, found.module_kept_var_idx) == (1, ("cpu",), (0,))
    assert (found.calling_convention_version, found.uses_global_constants) == (10, False)
    assert "stablehlo.sine" in found.mlir_module()


def test_derivatives_of_every_order_that_was_stored():
    f = lambda x: jnp.sum(jnp.sin(x) * x)
    once = export.deserialize(export.export(ad.jit(f))(x).serialize(vjp_order=1))
    np.testing.assert_allclose(ad.grad(once.call)(x), ad.grad(f)(x), rtol=1e-5)
    with pytest.raises(ValueError, match="No VJP is available"):
        ad.grad(lambda x: ad.grad(once.call)(x).sum())(x)
    twice = export.deserialize(export.export(ad.jit(f))(x).serialize(vjp_order=2))
    second = lambda f: ad.grad(lambda x: ad.grad(f)(x).sum())(x)
    np.testing.assert_allclose(second(twice.call), second(f), rtol=1e-5)


def test_integers_have_cotangents_without_elements():
    found = export.export(ad.jit(lambda i, x: (i * 2, x * i)))(np.arange(3), np.ones(3, np.float32)).vjp()
    assert [a.dtype.name for a in found.out_avals][1] == "float32"
    assert found.out_avals[0].dtype == ad.float0
    loaded = export.deserialize(export.export(ad.jit(lambda i, x: x * i))(
        np.arange(3), np.ones(3, np.float32)).serialize(vjp_order=1))
    np.testing.assert_array_equal(
        ad.grad(lambda x: loaded.call(np.arange(3), x).sum())(np.ones(3, np.float32)), [0, 1, 2])


def test_calls_are_parts_of_other_programs():
    call = export.deserialize(export.export(ad.jit(jnp.sin))(x[0]).serialize()).call
    np.testing.assert_allclose(ad.jit(lambda x: call(x) * 2)(x[0]), np.sin(x[0]) * 2, rtol=1e-6)
    np.testing.assert_allclose(ad.vmap(call)(x), np.sin(x), rtol=1e-6)
    outer = export.export(ad.jit(lambda x: call(x) + 1))(x[0])
    np.testing.assert_allclose(export.deserialize(outer.serialize()).call(x[0]), np.sin(x[0]) + 1, rtol=1e-6)


def test_keys_are_arguments_and_results():
    split = export.deserialize(export.export(ad.jit(ad.random.split))(ad.random.key(0)).serialize())
    key = ad.random.key(3)
    np.testing.assert_array_equal(
        ad.random.key_data(split.call(key)), ad.random.key_data(ad.random.split(key)))


def test_wrong_arguments_are_refused():
    call = export.export(ad.jit(lambda x, y: x))(x[0], 1.0).call
    with pytest.raises(ValueError, match=r"Shape mismatch for args\[0\].shape\[0\]"):
        call(x[0, :2], 1.0)
    with pytest.raises(ValueError, match=r"Dtype mismatch for args\[0\]: expected float32 and called with int32"):
        call(np.arange(3, dtype=np.int32), 1.0)
    with pytest.raises(ValueError, match="must have the same pytree structure"):
        call(x[0])
    with pytest.raises(ValueError, match="must be the result of `jit`"):
        export.export(lambda x: x)


def test_functions_of_the_library_need_no_jit():
    stored = export.export(jnp.sin)(np.arange(4, dtype=np.float32)).serialize()
    rehydrated = export.deserialize(stored)
    assert rehydrated.fun_name == jax.export.export(jax.numpy.sin)(np.arange(4, dtype=np.float32)).fun_name == "sin"
    np.testing.assert_allclose(rehydrated.call(np.float32([0, 0.1, 0.2, 0.3])), np.sin([0, 0.1, 0.2, 0.3]), rtol=1e-6)


def test_platforms():
    f = ad.jit(lambda x: lax.platform_dependent(x, cpu=lambda x: x + 1, tpu=lambda x: x + 2))
    with pytest.raises(ValueError, match="was exported for platforms"):
        export.export(f, platforms=["tpu"])(x).call(x)
    unchecked = export.export(f, platforms=["tpu"], disabled_checks=[export.DisabledSafetyCheck.platform()])(x)
    np.testing.assert_array_equal(unchecked.call(x), x + 2)
    both = export.deserialize(export.export(f, platforms=["tpu", "cpu"])(x).serialize())
    np.testing.assert_array_equal(both.call(x), x + 1)
    assert both.uses_global_constants


def test_functions_that_call_python_are_refused():
    call = lambda x: ad.pure_callback(np.sin, x, x)
    for f in (call, lambda x: lax.cond(x[0, 0] > 0, call, lambda x: x, x), ad.scipy.special.dawsn):
        with pytest.raises(NotImplementedError, match="host_callbacks|'dawsn' cannot be exported"):
            export.export(ad.jit(f))(x)


def test_large_constants_are_kept_as_they_are():
    weights = np.random.default_rng(0).standard_normal((300, 200)).astype(np.float32)
    stored = export.export(ad.jit(lambda x: x @ weights))(np.ones((2, 300), np.float32)).serialize()
    assert weights.tobytes() in stored and len(stored) < weights.nbytes + 4000
    rows = np.eye(2, 300, dtype=np.float32)
    np.testing.assert_allclose(export.deserialize(stored).call(rows), weights[:2], rtol=1e-6)


def test_a_call_of_what_was_exported_is_weakly_typed_where_the_function_is():
    for m in (ad, jax):
        made = m.export.export(m.jit(lambda x: x * 2))(1.0)
        stored = m.export.deserialize(made.serialize())
        assert (bool(made.call(3.0).weak_type), bool(stored.call(3.0).weak_type)) == (True, False)
