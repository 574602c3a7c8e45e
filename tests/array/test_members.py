"""Arrays print, convert, are copied and passed on as JAX's are."""

from __future__ import annotations

import copy
import io
import pickle

import ml_dtypes
import numpy as np
import pytest
from tests.recorded import jax

import adjoint as ax
import adjoint.numpy as jnp

jaxnp = jax.numpy

f = np.float32
VALUES = {
    "zeros": np.zeros((2, 3), f),
    "one": np.ones(1, f),
    "scalar": f(1.5),
    "weak scalar": 1.5,
    "weak int": 3,
    "weak bool": True,
    "weak complex": 1 + 2j,
    "int scalar": np.int32(7),
    "ints": np.arange(12).reshape(3, 4),
    "uint8": np.arange(5, dtype=np.uint8),
    "int4": np.arange(3).astype(ml_dtypes.int4),
    "bools": np.array([True, False]),
    "bfloat16": np.linspace(0, 1, 7).astype(ml_dtypes.bfloat16),
    "float16": np.linspace(0, 1, 7).astype(np.float16),
    "float8": np.linspace(0, 1, 5).astype(ml_dtypes.float8_e4m3fn),
    "complex": np.array([1 + 2j, -1e10j], np.complex64),
    "mixed sizes": np.array([1e-10, 1.0, 1e10], f),
    "nan": np.array([np.nan, np.inf, -np.inf, -0.0], f),
    "wrapped": np.linspace(-1, 1, 30).astype(f),
    "wrapped ints": np.arange(60),
    "just fits": np.array([1.2345678] * 5, f),
    "just not": np.array([1.2345678] * 6, f),
    "long last line": np.linspace(0, 1, 11).astype(f),
    "summarised": np.arange(2000.0).astype(f),
    "summarised matrix": np.arange(5000.0).reshape(50, 100).astype(f),
    "cube": np.arange(24).reshape(2, 3, 4),
    "empty": np.zeros(0, f),
    "empty matrix": np.zeros((0, 3), f),
    "empty ints": np.zeros((2, 0), np.int32),
    "five axes": np.ones((1, 1, 2, 1, 2), f),
}


def both(value):
    return jaxnp.asarray(value), jnp.asarray(value)


@pytest.mark.parametrize("name", VALUES)
def test_repr_and_str(name):
    theirs, ours = both(VALUES[name])
    assert repr(theirs) == repr(ours)
    assert str(theirs) == str(ours)


@pytest.mark.parametrize("name", ["wrapped", "weak scalar", "summarised"])
def test_repr_follows_the_print_options_of_numpy(name):
    for options in (dict(precision=3), dict(linewidth=40), dict(threshold=5, edgeitems=1), dict(suppress=True)):
        with np.printoptions(**options):
            theirs, ours = both(VALUES[name])
            assert repr(theirs) == repr(ours)


def test_repr_of_weak_arrays_keys_and_deleted_arrays():
    for make in (
        lambda m: m.numpy.asarray(1.0) * m.numpy.asarray(2),
        lambda m: m.lax.full((20,), 2.0) * 1.5,
        lambda m: m.random.key(3),
        lambda m: m.random.split(m.random.key(3), 3),
        lambda m: m.random.split(m.random.key(3, impl="rbg"), (2, 2)),
        lambda m: m.random.key(3)[None][:0],
        lambda m: m.random.PRNGKey(3),
    ):
        assert repr(make(jax)) == repr(make(ax))
        assert str(make(jax)) == str(make(ax))
    ours = jnp.ones(3)
    ours.delete()
    with pytest.raises(RuntimeError, match="Array has been deleted with shape="):
        repr(ours)


def test_64_bits():
    with jax.enable_x64(True):
        theirs = [repr(jaxnp.asarray(v)) for v in (1.5, 3, np.arange(3), np.linspace(0, 1, 9))]
    with ax.enable_x64(True):
        assert theirs == [repr(jnp.asarray(v)) for v in (1.5, 3, np.arange(3), np.linspace(0, 1, 9))]


# ---- conversions -----------------------------------------------------------------------------------

CONVERSIONS = {
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "index": lambda x: [10, 20, 30][x],
    "hex": hex,
    "oct": oct,
    "round": lambda x: round(x, 1).tolist(),
    "len": len,
    "list": lambda x: [float(v) for v in x],
    "reversed": lambda x: [float(v) for v in reversed(x)],
    "in": lambda x: bool(1 in x),
    "item": lambda x: x.item(),
    "item of an index": lambda x: x.item(0),
    "tolist": lambda x: x.tolist(),
    "tobytes": lambda x: x.tobytes(),
    "format": lambda x: f"{x}",
    "format with a spec": lambda x: f"{x:.3f}",
    "hash": hash,
    "iter": lambda x: type(next(iter(x))).__name__,
    "unpack": lambda x: [float(v) for v in (lambda a, b: (a, b))(*x)],
    "assign": lambda x: x.__setitem__(0, 1),
    "delete an item": lambda x: x.__delitem__(0),
    "array": lambda x: np.asarray(x),
    "array of a dtype": lambda x: np.asarray(x, np.float16),
    "array copied": lambda x: np.array(x, copy=True),
    "numpy function": lambda x: np.sin(x).dtype.name,
    "nbytes": lambda x: (x.nbytes, x.itemsize, x.size, x.ndim, x.shape, x.dtype.name),
    "on device size": lambda x: x.on_device_size_in_bytes(),
    "weak": lambda x: x.weak_type,
    "save": lambda x: np.save(io.BytesIO(), x),
    "committed": lambda x: (x.committed, x.is_fully_addressable, x.is_fully_replicated),
    "copied": lambda x: (copy.copy(x) is x, copy.deepcopy(x).tolist(), copy.deepcopy(x).weak_type),
    "pickle": lambda x: (pickle.loads(pickle.dumps(x)).tolist(), pickle.loads(pickle.dumps(x)).weak_type),
    "sharding": lambda x: (repr(x.sharding), repr(x.device), repr(x.devices()), str(x.device)),
    "shards": lambda x: (len(x.addressable_shards), x.addressable_shards[0].index, x.global_shards[0].replica_id),
    "shard": lambda x: x.addressable_data(0).tolist(),
    "block_until_ready": lambda x: x.block_until_ready() is x,
    "is_deleted": lambda x: x.is_deleted(),
    "platform": lambda x: x.platform(),
    "cpu": lambda x: x.devices().pop().device_kind,
}
OPERANDS = {
    "scalar": np.float32(1.5),
    "weak scalar": 2.5,
    "int": np.int32(2),
    "weak int": 1,
    "bool": np.True_,
    "complex": np.complex64(1 + 0j),
    "bfloat16": ml_dtypes.bfloat16(1.5),
    "one element": np.array([[1.0]], f),
    "one int": np.array([1]),
    "vector": np.array([0.0, 1.0], f),
    "matrix": np.arange(6).reshape(2, 3),
    "empty": np.zeros(0, f),
}


def outcome(function, x):
    try:
        out = function(x)
    except Exception as error:
        return type(error)
    if isinstance(out, np.ndarray):
        return out.tolist(), out.dtype.name, out.shape
    return out


@pytest.mark.filterwarnings("ignore:.*ndim > 0:DeprecationWarning")
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("operand", OPERANDS)
@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversions(name, operand):
    theirs, ours = [outcome(CONVERSIONS[name], x) for x in both(OPERANDS[operand])]
    if isinstance(theirs, type):
        assert isinstance(ours, type) and issubclass(ours, theirs), (theirs, ours)
    else:
        assert theirs == ours


TRACED = {
    "bool": bool, "int": int, "float": float, "complex": complex, "hex": hex, "len": len,
    "index": lambda x: [1, 2][x], "item": lambda x: x.item(), "tolist": lambda x: x.tolist(),
    "array": np.asarray, "iter": list, "numpy function": np.sin, "tobytes": lambda x: x.tobytes(),
    "format": lambda x: f"{x:.2f}", "assign": lambda x: x.__setitem__(0, 1), "hash": hash,
    "delete": lambda x: x.delete(), "pickle": pickle.dumps, "copy": lambda x: copy.copy(x).shape,
    "deepcopy": lambda x: copy.deepcopy(x).shape, "block": lambda x: x.block_until_ready(),
    "devices": lambda x: x.devices(), "missing": lambda x: x.missing, "str": lambda x: len(str(x)) > 3,
    "is_deleted": lambda x: x.is_deleted(), "device": lambda x: x.device,
}


@pytest.mark.parametrize("shape", [(), (2,)])
@pytest.mark.parametrize("name", TRACED)
def test_conversions_of_tracers(name, shape):
    def attempt(m):
        out = []
        try:
            m.eval_shape(lambda x: out.append(TRACED[name](x)), m.numpy.ones(shape))
        except Exception as error:
            return type(error).__name__
        return [v for v in out if not isinstance(v, list) or "Tracer" not in str(v)]

    theirs, ours = attempt(jax), attempt(ax)
    assert theirs == ours


def test_tracers_print_their_type():
    def seen(m, transformation):
        out = []
        transformation(m)(lambda x: out.append((repr(x), str(x))) or x.sum())(m.numpy.ones((2, 3), f))
        return out

    forward = lambda m: lambda f: lambda x: m.jvp(f, (x,), (x,))
    for transformation in (lambda m: m.jit, lambda m: m.make_jaxpr, lambda m: m.vmap, lambda m: m.grad, forward):
        assert seen(jax, transformation) == seen(ax, transformation)


# ---- memory -----------------------------------------------------------------------------------------


def test_numpy_views_share_memory_and_are_read_only():
    x = jnp.arange(8.0)
    a, b = np.asarray(x), np.asarray(x)
    assert np.shares_memory(a, b)
    assert a.ctypes.data == x.unsafe_buffer_pointer()
    assert not a.flags.writeable
    with pytest.raises(ValueError):
        a[0] = 1
    writable = np.array(x)
    writable[0] = 5
    assert 0 == x[0]
    assert np.asarray(x, copy=True).flags.writeable


def test_arrays_do_not_follow_their_numpy_source():
    source = np.zeros(3, f)
    arrays = [jnp.array(source), jnp.asarray(source), ax.device_put(source)]
    source[0] = 1
    assert [0, 0, 0] == [float(a[0]) for a in arrays]


def test_copies_have_their_own_memory():
    x = jnp.arange(3.0)
    for y in (x.copy(), jnp.array(x), jnp.copy(x), copy.deepcopy(x)):
        assert y.unsafe_buffer_pointer() != x.unsafe_buffer_pointer()
    x.delete()
    assert x.is_deleted()
    for use in (lambda: x + 1, lambda: np.asarray(x), lambda: x.block_until_ready(), lambda: ax.jit(jnp.sin)(x),
                lambda: x[0], lambda: float(x.sum()), lambda: x.copy()):
        with pytest.raises(RuntimeError, match="deleted"):
            use()
    assert (3,) == x.shape


def test_dlpack_with_numpy():
    for dtype in (np.float32, np.int8, np.complex64, np.bool_):
        x = jnp.asarray(np.array([[1, 0], [1, 1]]).astype(dtype))
        out = np.from_dlpack(x)
        assert out.dtype == dtype
        assert (out == np.asarray(x)).all()
        back = jnp.from_dlpack(np.array([[1, 0], [1, 1]]).astype(dtype))
        assert back.dtype == dtype and isinstance(back, ax.Array)
        assert (np.asarray(back) == np.asarray(x)).all()
    assert (1, 0) == jnp.ones(2).__dlpack_device__()


def test_dlpack_does_not_copy():
    x = jnp.arange(4.0)
    assert np.from_dlpack(x).ctypes.data == x.unsafe_buffer_pointer()


def test_dlpack_with_jax():
    assert [0.0, 1.0, 2.0] == jaxnp.from_dlpack(jnp.arange(3.0)).tolist()
    assert [0.0, 1.0, 2.0] == jnp.from_dlpack(jaxnp.arange(3.0)).tolist()


@pytest.mark.parametrize("first", [0, 1])
def test_memory_is_shared_by_dlpack_where_no_copy_is_wanted(first):
    x = np.arange(8, dtype=np.float32)[first:]
    shared, own = jnp.from_dlpack(x, copy=False), jnp.from_dlpack(x, copy=True)
    assert shared.unsafe_buffer_pointer() == x.ctypes.data != own.unsafe_buffer_pointer()
    assert ax.jit(lambda a: (a * 2).sum())(shared) == 2 * x.sum()


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e3m4", "float8_e8m0fnu"])
def test_dlpack_of_narrow_floats_with_jax(dtype):
    ours, theirs = (np_.asarray([1.0, 2.0, 4.0]).astype(dtype) for np_ in (jnp, jaxnp))
    for found in (jaxnp.from_dlpack(ours), jnp.from_dlpack(theirs), jnp.from_dlpack(ours, copy=True)):
        assert str(found.dtype) == dtype and [1.0, 2.0, 4.0] == found.astype(f).tolist()
    assert np.array_equal(np.asarray(jnp.from_dlpack(ours.__array__().view("u1"))), np.asarray(ours).view("u1"))


def test_pickles_keep_dtypes_and_keys():
    for x in (jnp.ones(3, jnp.bfloat16), jnp.asarray(1.0), jnp.zeros((0, 2), bool)):
        y = pickle.loads(pickle.dumps(x))
        assert (x.aval, repr(x)) == (y.aval, repr(y))
    tree = {"a": jnp.ones(2), "b": [jnp.arange(3)]}
    assert repr(tree) == repr(pickle.loads(pickle.dumps(tree)))


def test_devices_and_shardings_pickle_and_compare():
    (device,) = ax.devices()
    assert device is pickle.loads(pickle.dumps(device))
    sharding = jnp.ones(2).sharding
    assert sharding == pickle.loads(pickle.dumps(sharding)) and {sharding: 1}[jnp.ones(3).sharding]


def test_device_put_commits():
    x = ax.device_put(np.ones(3, f), ax.devices()[0])
    assert x.committed and not jnp.ones(3).committed
    assert not ax.device_put(jnp.ones(3)).committed
    y = ax.device_put({"a": 1.0, "b": jnp.ones(2)}, x.sharding)
    assert y["a"].committed and y["a"].weak_type
    with pytest.raises(ValueError):
        ax.device_put(1.0, "gpu:0")


def test_device_get_gives_numpy():
    theirs, ours = [m.device_get({"a": m.numpy.ones(2), "b": 3, "c": m.numpy.asarray(2)}) for m in (jax, ax)]
    assert repr(theirs) == repr(ours)
    assert type(theirs["b"]) is type(ours["b"]) and type(theirs["c"]) is type(ours["c"])


# ---- further members -------------------------------------------------------------------------------

MEMBERS = {
    "byteswap of complex": lambda x: np.asarray(x.byteswap()).tobytes(),
    "astype by position": lambda x: str(x.astype("complex64", True).dtype),
    "compress": lambda x: np.asarray(x.compress(np.array([True, False]), axis=0)).tolist(),
    "array without copy": lambda x: np.asarray(x, copy=False).tolist(),
    "converted without copy": lambda x: np.asarray(x, dtype=np.complex128, copy=False),
    "item assignment": lambda x: x.__setitem__(0, 1),
    "namespace of a version": lambda x: x.__array_namespace__(api_version="2024.12").__name__.split(".")[1],
    "namespace of another": lambda x: x.__array_namespace__(api_version="2019.12"),
    "flat": lambda x: x.flat,
    "list in array": lambda x: [1, 2] in x,
    "scalar seen wider": lambda x: x[0].view("int16"),
    "cuda": lambda x: x.__cuda_array_interface__,
    "device_buffer": lambda x: x.device_buffer,
    "device_buffers": lambda x: x.device_buffers,
    "data on a device": lambda x: np.asarray(x.addressable_data(0)).tolist(),
    "bytes": bytes,
}


@pytest.mark.parametrize("name", MEMBERS)
def test_members(name):
    """The result, or the error's class and first line."""
    outcomes = []
    for m in (jaxnp, jnp):
        try:
            outcomes.append(MEMBERS[name](m.array([1 + 2j, 3.5], "complex64")))
        except Exception as error:
            outcomes.append((type(error), str(error).split("\n")[0]))
    assert outcomes[0] == outcomes[1]


def test_bool_of_complex_numbers():
    """Either part counts; `lax.convert_element_type` takes the real one."""
    x = np.array([1j, 0, 1], np.complex64)
    assert jaxnp.asarray(x).astype(bool).tolist() == jnp.asarray(x).astype(bool).tolist() == [True, False, True]


def test_the_buffer_is_read_only():
    """`memoryview(x)` asks for it, from Python 3.12 on."""
    view = jnp.arange(3).__buffer__(0)
    assert view.readonly and view.tolist() == [0, 1, 2]
    with pytest.raises(BufferError):
        jnp.ones(2, "bfloat16").__buffer__(0)


@pytest.mark.parametrize("dtype", ["bfloat16", "int4", "float8_e4m3fn", "float32", "bool", "complex64"])
def test_bytes_are_those_of_jax(dtype):
    """And dtypes that Python has no letter for are refused."""
    results = []
    for m in (jaxnp, jnp):
        try:
            results.append(bytes(m.ones((2, 3), dtype).T))
        except BufferError as error:
            results.append(str(error)[:16])
    assert results[0] == results[1]


def test_an_array_as_a_dtype_is_deprecated():
    for m in (jaxnp, jnp):
        with pytest.warns(DeprecationWarning, match="Implicit conversion of an array to a dtype"):
            assert m.ones(2).__numpy_dtype__ == np.float32


def test_to_device_of_no_device_and_with_a_stream():
    for m in (jaxnp, jnp):
        x = m.arange(3)
        assert x.to_device(None).tolist() == [0, 1, 2]
        with pytest.raises(NotImplementedError, match="stream argument"):
            x.to_device(x.device, stream=1)
