"""`adjoint.ffi`: calls of compiled code, here jaxlib's LAPACK, on every engine and as JAX has them."""

from __future__ import annotations

import ctypes
import os
import sys

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.core.options.config import config
from adjoint.core.primitive import Primitive
from adjoint.core.types import ShapedArray
from adjoint.engines.xla import runtime
from adjoint.interpreters import mlir

x = np.array([[1.0, 2.0, 0.5], [0.25, -3.0, 1.0], [2.0, 0.0, 4.0]], np.float32)
COLUMNS = dict(input_layouts=[(1, 0)], output_layouts=[(1, 0), None, None])


def struct(module, *shapes):
    return [module.ShapeDtypeStruct(s, d) for s, d in shapes]


def lu_of(module, **options):
    """LAPACK's LU decomposition by its registered name."""
    outs = struct(module, ((3, 3), "float32"), ((3,), "int32"), ((), "int32"))
    return module.ffi.ffi_call("lapack_sgetrf_ffi", outs, **{**COLUMNS, **options})


@pytest.fixture(params=["numpy", "xla"])
def engine(request):
    before = config.cpu_engine
    config.update("cpu_engine", request.param)
    yield request.param
    config.update("cpu_engine", before)


def test_a_registered_function_is_called_by_every_engine(engine):
    want = jax.jit(lambda x: jax.lax.linalg.lu(x))(x)
    for call in (lu_of(ax), ax.jit(lu_of(ax))):
        factors, pivots, info = call(x)
        np.testing.assert_allclose(np.asarray(want[0]), np.asarray(factors), rtol=1e-5)
        assert (np.asarray(want[1]) + 1).tolist() == pivots.tolist() and info == 0


METHODS = ["sequential", "broadcast_all", "expand_dims", "legacy_vectorized", "sequential_unrolled"]


@pytest.mark.parametrize("method", METHODS)
def test_batches_are_as_in_jax(method):
    text = []
    for module in (jax, ax):
        call = lu_of(module, vmap_method=method)
        text.append(str(module.make_jaxpr(module.vmap(call))(np.stack([x, 2 * x]))))
    assert text[0] == text[1]
    values = ax.vmap(lu_of(ax, vmap_method=method))(np.stack([x, 2 * x]))[0]
    np.testing.assert_allclose(np.asarray(lu_of(ax)(x)[0]), np.asarray(values[0]), rtol=1e-6)


ATTRIBUTES = dict(a=np.int32(1), b='s"\n', c=1.5, d=True, e=np.array([1, 2, 3]), g=dict(z=np.int8(1)), n=3)


def test_attributes_are_printed_as_in_jax():
    texts = [str(m.make_jaxpr(lambda x, m=m: lu_of(m)(x, **ATTRIBUTES))(x)) for m in (jax, ax)]
    assert texts[0] == texts[1]
    text = ax.jit(lambda x: lu_of(ax)(x, **ATTRIBUTES)).lower(x).as_text()
    assert '"a" = 1 : i32, "b" = "s\\22\\0A", "c" = 1.500000e+00 : f64, "d" = true' in text
    assert '"g" = {"z" = 1 : i8}, "n" = 3 : i64' in text


def one(m, **options):
    return m.ffi.ffi_call("t", m.ShapeDtypeStruct((3,), "float32"), **options)


WRONG = {
    "method": lambda m: one(m, vmap_method="zz"),
    "derivative": lambda m: m.grad(lambda x: one(m)(x).sum())(x),
    "absent": lambda m: one(m)(x),
    "no method": lambda m: m.vmap(one(m))(x),
    "input layouts": lambda m: one(m, input_layouts=[None, None])(x),
    "output layouts": lambda m: m.ffi.ffi_call("t", struct(m, ((3,), "float32")), output_layouts=[None, None])(x),
    "alias of another type": lambda m: one(m, input_output_aliases={0: 0})(x),
    "alias of no input": lambda m: one(m, input_output_aliases={1: 0})(x),
    "alias of no output": lambda m: one(m, input_output_aliases={0: 1})(x),
    "no shape": lambda m: m.ffi.ffi_call("t", None)(x),
    "attribute": lambda m: m.jit(lambda x: one(m)(x, a=object()))(x),
    "version": lambda m: one(m, custom_call_api_version=2)(x, a=1),
    "config": lambda m: one(m, legacy_backend_config="x"),
    "target": lambda m: m.ffi.register_ffi_target("t", 3),
    "type id": lambda m: m.ffi.register_ffi_type_id("t", 1),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes_raise_as_in_jax(name):
    errors = []
    before = config.cpu_engine
    config.update("cpu_engine", "xla")
    try:
        for module in (jax, ax):
            with pytest.raises(Exception) as caught:
                WRONG[name](module)
                one(module, legacy_backend_config="x")(x)
            errors.append(caught.value)
    finally:
        config.update("cpu_engine", before)
    assert type(errors[0]).__name__ == type(errors[1]).__name__
    assert str(errors[0]).splitlines()[0][:60] == str(errors[1]).splitlines()[0][:60]


@compiling
def test_a_primitive_is_lowered_to_a_registered_function(engine):
    p = Primitive("lu_by_name", multiple_results=True)
    p.type(lambda x: [x, ShapedArray((3,), np.dtype("int32")), ShapedArray((), np.dtype("int32"))])
    mlir.register_lowering(p, ax.ffi.ffi_lowering(
        "lapack_sgetrf_ffi", operand_layouts=[(0, 1)], result_layouts=[(0, 1), None, None]))
    got = ax.jit(lambda x: p.bind(x))(x)
    np.testing.assert_allclose(np.asarray(lu_of(ax)(x)[0]), np.asarray(got[0]))


def test_headers_and_capsules():
    assert os.path.exists(os.path.join(ax.ffi.include_dir(), "xla", "ffi", "api", "ffi.h"))
    assert "PyCapsule" == type(ax.ffi.pycapsule(ctypes.CDLL(None).malloc)).__name__
    with pytest.raises(ax.errors.JaxRuntimeError, match="INVALID_ARGUMENT"):
        ax.ffi.register_ffi_type("t", {})


CAPSULE = ax.ffi.pycapsule(ctypes.CDLL(None).malloc)
TARGETS = [
    *[(1, value) for value in (5, "s", {"execute": 5}, {}, {"prepare": CAPSULE})],
    *[(0, value) for value in (5, {"execute": 5})],
]
TYPES = [
    {}, {"type_id": 3}, {"nope": 1}, 5, {"type_id": None}, {"type_id": CAPSULE, "type_info": 4},
    {"type_id": CAPSULE, "type_info": None},
]


def test_what_is_registered_is_looked_at_before_the_runtime_starts(monkeypatch):
    """With the words that jaxlib has once it runs: kept until then, it would fail the first call of another program."""
    before = config.cpu_engine
    config.update("cpu_engine", "xla")
    try:
        ax.jit(lambda x: x + 1)(1.0)
    finally:
        config.update("cpu_engine", before)
    (client,) = runtime.extension("xla_client")

    def refused(call):
        with pytest.raises(RuntimeError) as caught:
            call()
        return str(caught.value)

    theirs = [refused(lambda: client.register_custom_call_target("t", fn, "cpu", version)) for version, fn in TARGETS]
    theirs += [refused(lambda: client.register_custom_type("t", value, platform="cpu")) for value in TYPES]
    monkeypatch.delattr(client, "register_custom_call_target")
    monkeypatch.delattr(client, "register_custom_type")
    ours = [refused(lambda: ax.ffi.register_ffi_target("t", fn, "cpu", version)) for version, fn in TARGETS]
    ours += [refused(lambda: ax.ffi.register_ffi_type("t", value)) for value in TYPES]
    assert ours == theirs


def test_without_jaxlib_the_error_says_what_to_install(monkeypatch):
    for name in ("_jax", "xla_client", "version"):
        monkeypatch.setitem(sys.modules, f"jaxlib.{name}", None)
    calls = [ax.ffi.include_dir, lambda: ax.ffi.register_ffi_target("t", None),
             lambda: ax.ffi.register_ffi_type("t", {}), lambda: ax.ffi.register_ffi_target_as_batch_partitionable("t")]
    for call in calls:
        with pytest.raises(ImportError, match=r"pip install 'adjoint\[xla\]'"):
            call()
    assert "ffi_call" in str(ax.make_jaxpr(one(ax))(jnp.ones(3)))  # tracing needs nothing
