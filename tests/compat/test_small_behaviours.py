"""Small behaviours that programs notice: names, identities, what is given away and what is passed on, as in JAX."""

from __future__ import annotations

import functools
import importlib
import inspect
import pickle
import warnings
from itertools import combinations

import numpy as np
import pytest
from tests.recorded import jax, module_of

import adjoint
from adjoint.compat import presented

MODULES = (jax, adjoint)
TWICE = {
    "numpy": """absolute acos acosh amax amin asin asinh atan atan2 atanh bitwise_invert bitwise_left_shift
        bitwise_right_shift conj degrees divide invert mod pow radians""",
    "": "jacobian remat P",
    "tree": "all flatten leaves map reduce structure unflatten",
}


@pytest.mark.parametrize("module", TWICE)
def test_an_alias_has_a_name_of_its_own(module):
    for name in TWICE[module].split():
        theirs, ours = (getattr(functools.reduce(getattr, filter(None, [module]), m), name) for m in MODULES)
        assert theirs.__name__ == ours.__name__ == name


def test_aliases_are_the_same_functions_otherwise():
    x = np.array([4.0, -9.0], np.float32)
    assert adjoint.numpy.absolute(x).tolist() == [4.0, 9.0]
    assert adjoint.numpy.divide(x, 2.0).tolist() == [2.0, -4.5]
    assert adjoint.numpy.amax(x, keepdims=True).tolist() == [4.0]
    assert inspect.signature(adjoint.numpy.amax) == inspect.signature(adjoint.numpy.max)
    assert adjoint.numpy.conj.__doc__ == adjoint.numpy.conjugate.__doc__


# ---- trees ----


def test_keys_of_different_kinds_hash_differently():
    for m in MODULES:
        t = m.tree_util
        for a, b in combinations([t.FlattenedIndexKey(1), t.SequenceKey(1), t.DictKey(1)], 2):
            assert a != b and hash(a) != hash(b)
        assert hash(t.SequenceKey(1)) == hash(t.SequenceKey(1))


def test_a_jitted_function_has_its_function_under_jaxs_private_name():
    function = lambda x: x
    assert adjoint.jit(function)._fun is function


def test_the_function_of_a_partial_is_equal_to_what_was_given():
    f = functools.partial(print, 1)
    for m in MODULES:
        partial = m.tree_util.Partial(f, 2)
        assert partial.func == f and partial.func != functools.partial(print, 1)


def test_metadata_that_cannot_be_compared_is_told():
    for m in MODULES:
        cls = type("Node", (), {"__init__": lambda self, m: setattr(self, "m", m)})
        m.tree_util.register_pytree_node(cls, lambda n: ((), n.m), lambda m, _: None)
        trees = [m.tree.structure(cls(np.ones(3))) for _ in range(2)]
        with pytest.raises(ValueError, match="Exception raised while checking equality of metadata fields"):
            assert trees[0] == trees[1]


# ---- functions with rules ----


def test_a_function_with_a_rule_passes_on_the_methods_for_others():
    for m in MODULES:
        vmapped, rule = m.custom_batching.custom_vmap, m.custom_jvp
        assert callable(vmapped(rule(lambda x: x)).defjvp) and callable(rule(vmapped(lambda x: x)).def_vmap)
        assert callable(m.custom_vjp(vmapped(lambda x: x)).def_vmap)
        assert not hasattr(rule(lambda x: x), "def_vmap") and not hasattr(m.jit(rule(lambda x: x)), "defjvp")


def test_rules_of_functions_inside_of_each_other_are_both_used():
    for m in MODULES:
        f = m.custom_batching.custom_vmap(m.custom_jvp(lambda x: x * 1.0))
        f.def_vmap(lambda n, batched, x: (x + 10.0, batched[0]))
        f.defjvp(lambda primals, tangents: (primals[0], tangents[0] * 5.0))
        assert m.vmap(f)(np.zeros(2, np.float32)).tolist() == [10.0, 10.0]
        assert float(m.jvp(f, (1.0,), (1.0,))[1]) == 5.0


# ---- memory ----


def test_an_array_is_deleted_twice():
    for m in MODULES:
        x = m.numpy.ones(3)
        x.delete()
        x.delete()
        assert x.is_deleted()


def test_an_array_that_is_there_already_is_not_put_again():
    for m in MODULES:
        device = m.devices()[0]
        x = m.device_put(m.numpy.arange(4), device)
        assert m.device_put(x, x.sharding) is x and m.device_put({"a": x}, x.sharding)["a"] is x
        y = m.numpy.arange(4)
        assert m.device_put(y, y.sharding) is not y and m.device_put(y, y.sharding).committed
        own = m.device_put(x, may_alias=False)
        assert own.unsafe_buffer_pointer() != x.unsafe_buffer_pointer() and own.tolist() == [0, 1, 2, 3]


def test_what_has_a_method_for_it_is_copied_to_the_host():
    class Part:
        begun = False

        def copy_to_host_async(self):
            self.begun = True

    for m in MODULES:
        tree = {"a": Part(), "b": m.numpy.ones(2), "c": 1}
        assert m.copy_to_host_async(tree)["a"].begun


# ---- functions that are traced and called ----


def test_checkpoint_traces_its_function_when_it_is_called():
    for m in MODULES:
        with pytest.raises(m.errors.TracerBoolConversionError):
            m.checkpoint(lambda x: x if x > 0 else -x)(3.0)
        assert float(m.checkpoint(lambda x, n: x * n if n > 1 else x, static_argnums=1)(3.0, 2)) == 6.0


def test_a_linear_solve_looks_at_the_function_that_it_solves():
    def wrong(x):
        raise KeyError("mine")

    for m in MODULES:
        with pytest.raises(KeyError, match="mine"):
            m.lax.custom_linear_solve(wrong, 1.0, lambda matvec, b: b)


def test_what_a_ufunc_is_cannot_be_set():
    for m in MODULES:
        f = m.numpy.frompyfunc(lambda x, y: x + y, 2, 1, identity=0)
        assert (f.nin, f.nout, f.nargs, f.identity) == (2, 1, 2, 0)
        for name in ("nin", "nout", "nargs", "identity"):
            with pytest.raises(AttributeError):
                setattr(f, name, 3)


def test_specs_are_pickled_with_what_they_say_of_sums():
    for m in MODULES:
        spec = m.P("x", unreduced={"y"}, reduced={"z"})
        assert pickle.loads(pickle.dumps(spec)) == spec
        assert pickle.loads(pickle.dumps(spec)).unreduced == {"y"}


def test_conditions_of_select_promote():
    """In the mode "strict" only booleans are conditions."""
    for m in MODULES:
        x = m.numpy.arange(3.0)
        assert m.numpy.select([x > 1, True], [x, -x], 5.0).tolist() == [0, -1, 2]
        with m.numpy_dtype_promotion("standard"):
            assert m.numpy.select([x], [x], 5.0).tolist() == [5, 1, 2]
        for condition in (x, m.numpy.arange(3), 1.0):
            with m.numpy_dtype_promotion("strict"), pytest.raises(ValueError, match="no available implicit dtype"):
                m.numpy.select([condition], [x], 5.0)


def test_a_reference_is_passed_once():
    r = adjoint.new_ref(adjoint.numpy.ones(3))
    f = adjoint.jit(lambda a, b: a[...] + b[...])
    with pytest.raises(ValueError, match=r"for jit .* appeared at both a and b\."):
        f(r, r)
    assert f(r, adjoint.new_ref(adjoint.numpy.ones(3))).tolist() == [2, 2, 2]
    with pytest.raises(ValueError, match="only one reference to a mutable array"):
        f(r, r)


def test_logarithms_to_base_10_of_powers_of_10_are_whole_numbers():
    with adjoint.enable_x64(True):
        x = np.array([10.0, 100.0, 1e3, 1e5])
        assert adjoint.numpy.log10(x).tolist() == [1, 2, 3, 5]
        assert adjoint.numpy.geomspace(1, 2, 3).tolist() == [1.0, 1.4142135623730951, 2.0]


@pytest.mark.parametrize("stage", [lambda f: f, adjoint.jit])
@pytest.mark.parametrize(("left", "right", "out", "expected"), [
    ("float32", "float32", "int32", [1, 4]),
    ("float32", "int32", "float32", [1.5, 5.0]),
    ("float32", "bfloat16", "float32", [2.25, 6.25]),
    ("complex64", "float32", "float32", [2.25, 6.25]),
    ("float32", "int32", "complex64", [1.5, 5.0]),
    ("complex64", "complex64", "int32", [1, 4]),
])
def test_factors_are_converted_to_the_dtype_of_the_product(stage, left, right, out, expected):
    jnp, x = adjoint.numpy, np.array([1.5, 2.5])
    product = stage(lambda x, y: adjoint.lax.mul(x, y, out_dtype=out))
    factors = jnp.array(x.astype(left) if left != "bfloat16" else x, left), jnp.array(x, right)
    found = product(*factors)
    assert (found.dtype, found.tolist()) == (out, expected)
    if "int" in out:
        return
    for i, other in enumerate(factors[::-1]):
        if factors[i].dtype != np.int32:
            slope = adjoint.grad(lambda *xs: product(*xs).real.sum(), i)(*factors)
            assert (slope.dtype, slope.tolist()) == (factors[i].dtype, other.real.tolist())


# ---- modules ----


@pytest.mark.parametrize("name", ["scipy.stats.norm", "scipy.linalg", "numpy.fft", "ref", "custom_batching"])
def test_dir_of_a_module_shows_what_is_public(name):
    importlib.import_module(f"adjoint.{name}")
    ours, theirs = (dir(module_of(m, name)) for m in (adjoint, jax))
    assert [n for n in ours if not n.startswith("_")] == [str(n) for n in theirs if not str(n).startswith("_")]
    assert "config" in dir(adjoint) and "__doc__" in ours


@pytest.mark.parametrize("m", MODULES, ids=["jax", "adjoint"])
def test_the_order_of_a_bessel_function_is_an_int_and_none_are_below_zero(m):
    special = module_of(m, "scipy.special")
    assert special.bessel_jn(np.ones((2, 3), "f"), v=-1).shape == (0, 2, 3)
    for order in (1.0, "a", None):
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            special.bessel_jn(1.3, v=order)

def test_deprecated_names_warn_as_in_jax():
    """When they are read from `jax`'s modules, each time; names of this package's own do not warn."""
    pytest.importorskip("jax")
    for where, texts in presented._DEPRECATED.items():
        theirs = importlib.import_module(f"jax.{where}")
        ours = presented.PresentedModule(importlib.import_module(f"adjoint.{where}"))
        for name in texts:
            said = []
            for module in (theirs, ours, ours):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    getattr(module, name)
                said.append([(w.category, str(w.message), w.filename) for w in caught])
            assert said[0] == said[1] == said[2], name
            assert [(DeprecationWarning, texts[name], __file__)] == said[0]
