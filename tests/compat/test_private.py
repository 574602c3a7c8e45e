"""Private names: each is what JAX's is, the table has what libraries import, and others are errors that say so."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import textwrap
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from tests.modes import compiling, promoting
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.compat import private
from adjoint.compat.private import (
    arguments,
    derivatives,
    literals,
    processes,
    shardings,
    signatures,
    tracebacks,
    values,
)
from adjoint.compat.private.registry import registry

their_api = jax._src.api
their_api_util = jax._src.api_util
their_core = jax._src.core
their_dtypes = jax._src.dtypes
their_literals = jax._src.literals
their_util = jax._src.util
their_batches = jax._src.lax.control_flow.loops._batch_and_remainder
their_tricks = jax._src.numpy.index_tricks
their_vectorize = jax._src.numpy.vectorize
their_promote = jax._src.numpy.util.promote_dtypes_complex

LIBRARIES = json.loads((Path(__file__).parent / "private_names.json").read_text())
# Names that libraries use in functions, with a way around them, and that are not here.
NOT_HERE = {
    "jax._src.cudnn.": "keras asks for cuDNN's attention on NVIDIA's devices",
    "jax._src.earray": "flax makes arrays of its own dtypes, where such dtypes can be registered",
    "jax._src.interpreters.pxla": "as earray",
    "jax._src.interpreters.partial_eval.": "pennylane's qml.capture patches how JAX stages",
    "jax._src.pjit.": "pennylane's qml.capture patches how JAX stages",
    "jax._src.config.abstract_mesh_context_manager": "vmex, where JAX 0.10.2 has it in jax._src.mesh",
    "jax._src.config.dynamic_shapes": "pennylane's qml.capture patches how JAX stages",
    "jax._src.core.no_effects": "",
    "jax._src.flattree": "quax, from JAX 0.11 on",
    "jax._src.literals.LiteralArray": "not in JAX 0.10.2 either",
    "jax._src.numpy.lax_numpy._": "haliax calls what JAX 0.10.2 does not have either",
    "jax._src.random": "",
    "jaxlib.__file__": "vmex tells builds of jaxlib apart",
    "jaxlib.xla_client.CompileOptions": "of jaxlib, where it is installed",
    "jaxlib.xla_extension.HloPrintOptions": "e3nn prints what XLA compiles",
}


def resolves(name):
    """Whether the table, or what stands for the module of a name, has it."""
    if private.sources(name) is not None:
        return True
    module, *rest = name.rsplit(".", 1)
    while private.sources(module) is None and "." in module:
        module, last = module.rsplit(".", 1)
        rest.insert(0, last)
    value = private._found(module, rest[0]) if private.sources(module) is not None else private._MISSING
    for attribute in rest[1:]:
        value = getattr(value, attribute, private._MISSING)
    return value is not private._MISSING


def test_every_row_is_there():
    rows = private.tree()
    assert len(rows.names) > 100
    for ours in rows.names.values():
        private.located(ours)  # raises where a row names nothing
    for module, ours in rows.modules.items():
        for name in () if private.is_installed(module) else ours:
            private.imported(name)
    for ours in rows.everywhere:
        private.imported(ours)
    assert not [name for name in rows.imports.values() if private.sources(name) is None]


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_libraries_import_is_there(library):
    names = LIBRARIES[library]
    missing = [n for n in names["needed"] if not resolves(n)]
    assert all(any(n.startswith(k) for k in NOT_HERE if "not" in NOT_HERE[k]) for n in missing), missing
    assert not [n for n in names["used"] if not resolves(n) and not any(n.startswith(k) for k in NOT_HERE)]


def test_libraries_of_the_table_are_those_of_the_list():
    """A row names libraries, and these use it or what is in it."""
    from adjoint.compat.private.table import ROWS

    known = {name.partition("_")[0] for name in LIBRARIES} | {"jaxctx", "optree", "jax_md"}
    for word in " ".join([row for row in ROWS.splitlines() if row[:1] == " "]).split():
        assert word in known, word
    for row in ROWS.splitlines():
        if row and row[0] not in "# ":
            _, _, *libraries = row.split()
            assert libraries and set(libraries) <= known, row


def run(text):
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "ADJOINT_AS_JAX": "quiet"}
    done = subprocess.run(
        [sys.executable, "-m", "adjoint", "-c", textwrap.dedent(text)], env=environment, text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_tree_is_made_when_it_is_asked_for():
    assert run("""
        import sys, jax
        print([n for n in sys.modules if n.startswith("jax._src.")])
        print(jax._src.core.Var is jax.extend.core.Var, "adjoint.compat.private.values" in sys.modules)
        import jax._src.tree_util as t
        from jax._src import core, dtypes
        from jax._src.lax.control_flow import scan
        print(t.tree_map is jax.tree_util.tree_map, core is jax._src.core, scan is jax.lax.scan)
        print("ShapedArray" in dir(core), hasattr(core, "nothing"), hasattr(core, "__file__"))
    """).split("\n") == ["[]", "True False", "True True True", "True False False", ""]


def test_a_name_without_a_row_is_an_error_that_says_who_asked():
    out = run("""
        import jax
        for text in ("from jax._src.core import nothing", "jax._src.core.nothing", "import jax._src.nowhere",
                     "from jax._src import nowhere", "import jaxlib.nowhere"):
            try:
                exec(compile(text, "model.py", "exec"))
            except Exception as error:
                print(type(error).__name__, str(error).splitlines()[0])
    """)
    if "jaxlib.nowhere" in out.splitlines()[-1]:
        out = "\n".join(out.splitlines()[:-1])      # of an installed jaxlib
    lines = out.splitlines()
    assert [line.partition(" ")[0] for line in lines] == [
        "ImportError", "AttributeError", "ModuleNotFoundError", "ImportError",
        *["ModuleNotFoundError"] * (len(lines) - 4),
    ]
    for line, name in zip(lines, ("core.nothing", "core.nothing", "nowhere", "nowhere")):
        assert line.endswith(f"adjoint has nothing for the private name 'jax._src.{name}'.")


def test_the_error_names_the_file_and_how_to_report(tmp_path):
    (tmp_path / "asking.py").write_text("import os\nfrom jax._src.core import nothing\n")
    out = run(f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        try:
            import asking
        except ImportError as error:
            print(error)
    """)
    assert "asking.py:2 in <module>" in out and "report it as an issue of adjoint" in out


@compiling
def test_classes_of_values_say_where_jax_has_them():
    assert run("""
        import pickle, jax, jax.numpy as jnp, jaxlib
        def note(x):
            print(type(x))
            return x * 2.0
        x = jnp.ones(2)
        mesh = jax.make_mesh((1,), ("a",))
        note(x), note(jax.jit(lambda x: x + 1)(x)), note(jax.device_put(x, jax.NamedSharding(mesh, jax.P("a"))))
        jax.jit(note)(x), jax.vmap(note)(x), jax.jvp(note, (x,), (x,)), jax.grad(lambda x: note(x).sum())(x)
        print(type(jax.jit(note)), type(jax.devices()[0]), jax.Array, jax.core.Tracer)
        print(pickle.loads(pickle.dumps(type(x))) is type(x) is jaxlib._jax.ArrayImpl, hasattr(jaxlib, "nothing"))
    """) == textwrap.dedent("""\
        <class 'jaxlib._jax.ArrayImpl'>
        <class 'jaxlib._jax.ArrayImpl'>
        <class 'jaxlib._jax.ArrayImpl'>
        <class 'jax._src.interpreters.partial_eval.DynamicJaxprTracer'>
        <class 'jax._src.interpreters.batching.BatchTracer'>
        <class 'jax._src.interpreters.ad.JVPTracer'>
        <class 'jax._src.interpreters.ad.LinearizeTracer'>
        <class 'jaxlib._jax.PjitFunction'> <class 'jaxlib._jax.Device'> <class 'jax.Array'> <class 'jax.core.Tracer'>
        True False
    """)


def test_jaxlib_stands_in_or_has_our_types():
    assert run("""
        import jax, jaxlib, jaxlib.version
        from jaxlib._jax import PjitFunction
        from jaxlib.xla_extension import PjitFunction as Old
        print(jaxlib.__version__ >= "0.10", jaxlib.version.__version__ >= "0.10", PjitFunction is Old)
        print(isinstance(jax.jit(lambda x: x), PjitFunction), isinstance(len, PjitFunction))
    """) == "True True True\nTrue False\n"
    assert run("""
        import jax, jaxlib.cpu._lapack  # in a folder that is no module
        print(bool(jaxlib.cpu._lapack.registrations()))
    """) == "True\n"
    assert run("""
        import adjoint.compat as compat
        compat._found_elsewhere = lambda *_: None
        import jax, jaxlib
        from adjoint.engines.xla.runtime import extension, has_jaxlib
        print(jaxlib.__version__, has_jaxlib(), hasattr(jaxlib, "cpu_feature_guard"))
        try:
            extension("xla_client")
        except ImportError as error:
            print(str(error).splitlines()[0])
        try:
            from jaxlib.xla_client import CompileOptions
        except ImportError as error:
            print(str(error).splitlines()[0])
    """) == (
        "0.10.2 False False\nThis needs the package jaxlib, which is not installed.\n"
        "adjoint has nothing for the private name 'jaxlib.xla_client.CompileOptions'.\n"
    )


def outcome(f, *args):
    """What a call returns, or its error's class and the beginning of its message."""
    try:
        out = f(*args)
    except Exception as error:
        return type(error), str(error).split("\n")[0][:60]
    return jax.tree.map(lambda x: np.asarray(x).tolist() if hasattr(x, "shape") else x, out)


def test_arguments_are_taken_as_jax_takes_them():
    def f(a, b, c=1, *, d=2):
        pass

    signature = inspect.signature(f)
    for given in ((None, None), (0, None), ((0, 2), None), (None, "b"), (None, ["c", "d"]), (1, "d"), ([], [])):
        ours, theirs = (m.infer_argnums_and_argnames(signature, *given) for m in (arguments, their_api_util))
        assert ours == theirs, given
    for x in (3, (1, 2), [1, 2], np.int32(2)):
        assert arguments.ensure_index(x) == their_api_util._ensure_index(x)
    for fun in (3, staticmethod(f), (x for x in [1]), print):
        ours, theirs = (outcome(m.check_callable, fun) for m in (arguments, their_api_util))
        assert ours == theirs or ours[0] is theirs[0] and ours[1][:20] == theirs[1][:20]


def test_functions_are_named_after_others_as_in_jax():
    def f():
        """Do it."""

    for given, more in (((), {}), (("x_{fun}", "{doc} of {fun}: {n}"), {"n": 3})):
        ours, theirs = (m.wraps(f, *given, **more)(lambda: 1) for m in (arguments, their_util))
        assert (ours.__name__, ours.__doc__, ours.__wrapped__) == (theirs.__name__, theirs.__doc__, f)


def test_partials_of_equal_parts_are_equal():
    part, same, other = (arguments.HashablePartial(max, n, key=abs) for n in (1, 1, 2))
    assert part == same and hash(part) == hash(same) and part != other and part(-3) == -3


VECTORIZE = {
    "_parse_gufunc_signature": [("(n,m),(m)->(n)",), ("()->()",), ("(),()->(),(3)",), ("(n)->",), ("n->m",)],
    "_parse_input_dimensions": [
        ((np.ones((4, 2, 3)), np.ones(3)), [("n", "m"), ("m",)], "here"),
        ((np.ones((4, 2, 3)), np.ones(2)), [("n", "m"), ("m",)], "here"),
        ((np.ones(3), np.ones(3)), [("n", "m"), ("m",)], "here"),
        ((np.ones(3),), [("n",), ("m",)], "here"),
        ((np.ones((4, 3)), np.ones((5, 3))), [("n",), ("n",)], "here"),
    ],
}


@pytest.mark.parametrize("name", VECTORIZE)
def test_signatures_are_read_as_in_jax(name):
    for args in VECTORIZE[name]:
        ours, theirs = outcome(getattr(signatures, name[1:]), *args), outcome(getattr(their_vectorize, name), *args)
        assert ours == theirs or ours[0] is theirs[0] and ours[1][:15] == theirs[1][:15], args


def test_excluded_arguments_are_kept_as_in_jax():
    f = lambda *args, **kwargs: (args, kwargs)
    for excluded in ({1, "z"}, set(), {0}):
        for m, name in ((signatures, "apply_excluded"), (their_vectorize, "_apply_excluded")):
            g, args, kwargs = getattr(m, name)(f, excluded, (1, 2, 3), dict(z=4, y=5))
            assert g(*args, **kwargs) == ((1, 2, 3), dict(z=4, y=5))
            if m is signatures:
                ours = list(args), kwargs
        assert ours == (list(args), kwargs)


@pytest.mark.parametrize("f, cores", [
    (lambda x: x, [("n",)]), (lambda x: x[:2], [("n",)]), (lambda x: (x, x), [("n",)]),
    (lambda x: [x, x], [("n",), ("k",)]), (lambda x: (x, x), [("n",), ("k",)]), (lambda x: x[None], [("n",)]),
])
def test_results_are_checked_as_in_jax(f, cores):
    ours, theirs = (
        outcome(check(f, {"n": 3}, cores, "here"), np.ones(3))
        for check in (signatures.check_output_dims, their_vectorize._check_output_dims)
    )
    assert ours == theirs


def test_parts_of_jacobians_are_jax_s():
    tree = {"a": np.ones(2, "float32"), "b": np.zeros((1, 2), "float32")}
    for name, arr in (("_jacfwd_unravel", np.ones((5, 4), "float32")), ("_jacrev_unravel", np.ones((4, 5), "float32"))):
        ours = getattr(derivatives, name[1:])(tree, np.ones(5, "float32"), jnp.asarray(arr))
        theirs = getattr(their_api, name)(tree, np.ones(5, "float32"), arr)
        assert {k: v.shape for k, v in ours.items()} == {k: v.shape for k, v in theirs.items()}
    for name, heads in {
        "check_input_dtype_jacfwd": [(False,), (True,)], "check_output_dtype_jacfwd": [(False,), (True,)],
        "check_input_dtype_jacrev": [(False, False), (False, True), (True, False)],
        "check_output_dtype_jacrev": [(False,), (True,)],
    }.items():
        for head in heads:
            for x in (1.0, 1, 1j):
                checks = getattr(derivatives, name), getattr(their_api, "_" + name)
                ours, theirs = (outcome(check, *head, x) for check in checks)
                assert ours == theirs, (name, head, x)
    square = adjoint.extend.linear_util.wrap_init(lambda x: x ** 2)
    assert derivatives.jvp_of(square, (3.0,), (1.0,)) == (9.0, 6.0)
    assert derivatives.vjp_of(square, 3.0)[1](1.0) == (6.0,)
    assert derivatives.dtype_of(1) == their_api._dtype(1)


def test_the_registry_takes_apart_and_builds():
    class Pair:
        def __init__(self, a, b):
            self.a, self.b = a, b

    assert Pair not in registry
    adjoint.tree_util.register_pytree_node(Pair, lambda p: ((p.a, p.b), "data"), lambda data, ab: Pair(*ab))
    children, data = registry[Pair].to_iter(Pair(1, 2))
    assert (tuple(children), data) == ((1, 2), "data") and registry[Pair].from_iter(data, (3, 4)).a == 3
    for value in ([1, 2], (1, 2), {"b": 1, "a": 2}, None):
        theirs = jax._src.tree_util._registry[type(value)]
        children, data = registry[type(value)].to_iter(value)
        assert list(children) == list(theirs.to_iter(value)[0])
        assert registry[type(value)].from_iter(data, children) == value
    assert int not in registry and len(registry) == len(list(registry))


@compiling
@promoting
def test_questions_about_values_have_jax_s_answers():
    for dtype in ("int32", "float32", "float64", "complex64", "bfloat16", "int8"):
        assert values.to_complex_dtype(np.dtype(dtype) if dtype != "bfloat16" else jnp.bfloat16) == \
            their_dtypes.to_complex_dtype(dtype)
    for dtype in ("int32", "float32", "bfloat16", "float8_e4m3fn", "float8_e5m2", "bool"):
        assert values.supports_inf(getattr(jnp, dtype).dtype) == their_dtypes.supports_inf(dtype)
    assert values.physical_aval(adjoint.typeof(adjoint.random.split(adjoint.random.key(0), 3))).str_short() == \
        their_core.physical_aval(jax.typeof(jax.random.split(jax.random.key(0), 3))).str_short()
    for operands in ((np.arange(3, dtype="int32"), 1.5), (np.ones(2),), (np.ones(2, "complex64"), 1)):
        for ours, theirs in zip(values.promote_dtypes_complex(*operands), their_promote(*operands)):
            assert (ours.dtype, ours.weak_type) == (theirs.dtype, theirs.weak_type) and np.array_equal(ours, theirs)
    for n in (6, 7):
        rows = np.arange(n, dtype="int32")
        for ours, theirs in zip(values.batch_and_remainder(rows, 3), their_batches(rows, 3)):
            assert ours is theirs is None or np.array_equal(ours, theirs)
    assert values.trace_state_clean() and not adjoint.jit(lambda x: values.trace_state_clean())(1)
    assert values.make_iota(3).tolist() == [0, 1, 2] and values.definitely_equal_shape((2, 3), (2, 3))


@compiling
def test_typed_scalars_are_operands_as_in_jax():
    cases = ("TypedInt", 3, "int8"), ("TypedFloat", 3.5, "float16"), ("TypedComplex", 2j, "complex64")
    for name, value, dtype in cases:
        ours, theirs = (getattr(m, name)(value, np.dtype(dtype)) for m in (literals, their_literals))
        assert repr(ours) == repr(theirs) and ours == theirs and type(ours + 1) is type(theirs + 1)
        assert adjoint.typeof(ours).str_short() == jax.typeof(theirs).str_short()
        ours, theirs = (m.jit(lambda x: x + 1)(x) for m, x in ((adjoint, ours), (jax, theirs)))
        assert ours.dtype == theirs.dtype and ours.tolist() == theirs.tolist()


@compiling
def test_typed_arrays_are_numpy_arrays_and_operands_as_in_jax():
    values = np.arange(3, dtype=np.float32)
    for m, own in ((adjoint, literals), (jax, their_literals)):
        weak = own.TypedNdArray(values, m.core.ShapedArray((3,), np.float32, weak_type=True))
        assert repr(weak) == "TypedNdArray([0., 1., 2.], dtype=float32, weak_type=True)" and weak.weak_type
        assert repr(own.TypedNdArray(values)) == "TypedNdArray([0., 1., 2.], dtype=float32)"
        assert isinstance(weak, np.ndarray) and type(weak + 1) is np.ndarray and type(weak.val) is np.ndarray
        assert weak[1:].shape == (2,) and not values.view(own.TypedNdArray).weak_type
        assert m.numpy.asarray(weak).weak_type and m.numpy.array(weak).weak_type and m.device_put(weak).weak_type
        assert not m.numpy.asarray(weak, np.float32).weak_type
        assert m.numpy.add(weak, m.numpy.ones(3, "bfloat16")).dtype == "bfloat16"
        assert m.jit(lambda x: x * 2)(weak).weak_type
        scalar = own.TypedFloat(2.0, np.dtype("float16"))
        assert m.numpy.asarray(scalar).weak_type and m.numpy.asarray(scalar).dtype == "float16"


def test_joiners_have_classes():
    for name in ("RClass", "CClass"):
        ours, theirs = getattr(adjoint.numpy.index_tricks, name)()[1:3, 5:7], getattr(their_tricks, name)()[1:3, 5:7]
        assert np.array_equal(ours, theirs)


def test_shardings_become_those_of_types():
    assert shardings.canonicalize_sharding(None, "f") is None
    assert shardings.canonicalize_sharding(adjoint.typeof(jnp.ones(3)).sharding, "f") is None
    with pytest.raises(ValueError, match="Using PartitionSpec when you are not under a mesh context"):
        shardings.canonicalize_sharding(adjoint.P("a"), "f")
    mesh = adjoint.make_mesh((1,), ("a",))
    with adjoint.set_mesh(mesh):
        found = shardings.canonicalize_sharding(adjoint.P("a"), "f")
        assert found.spec == adjoint.P("a") and found.mesh.axis_names == ("a",)
        before = shardings.abstract_mesh_context_manager.swap_local(shardings.unset)
        assert adjoint.sharding.get_abstract_mesh().empty
        shardings.abstract_mesh_context_manager.set_local(before)
        assert adjoint.sharding.get_abstract_mesh().axis_names == ("a",)
    assert repr(shardings.UNSPECIFIED) == "UnspecifiedValue"


def test_paths_are_left_out_and_shown_again():
    here = sys._getframe()
    assert tracebacks.include_frame(here) and __file__ not in tracebacks.exclude_paths
    tracebacks.exclude_paths.append(__file__)
    try:
        assert __file__ in tracebacks.exclude_paths and not tracebacks.include_frame(here)
        assert len(tracebacks.exclude_paths) == len(list(tracebacks.exclude_paths)) > 0
    finally:
        tracebacks.exclude_paths.remove(__file__)
    assert tracebacks.include_frame(here)


def test_a_boundary_of_a_library_leaves_out_its_frames(tmp_path):
    (tmp_path / "library.py").write_text("def f():\n    g()\ndef g():\n    raise ValueError('no')\n")
    out = run(f"""
        import sys, traceback
        sys.path.insert(0, {str(tmp_path)!r})
        import library
        from jax._src import traceback_util
        traceback_util.register_exclusion(library.__file__)
        f = traceback_util.api_boundary(library.f)
        try:
            f()
        except ValueError as error:
            print([frame.name for frame in traceback.extract_tb(error.__traceback__)])
    """)
    assert out == "['<module>']\n"


def test_errors_of_a_library_that_leaves_out_its_frames_keep_their_text(tmp_path):
    (tmp_path / "library.py").write_text("def f(x):\n    raise ValueError('no')\n")
    assert run(f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        import jax, library
        from jax._src import traceback_util
        traceback_util.register_exclusion(library.__file__)
        for call in (jax.jit(library.f), jax.jit(lambda x: library.f(x)), jax.grad(library.f)):
            try:
                call(1.)
            except ValueError as error:
                print(error)
    """) == "no\nno\nno\n"


@compiling
def test_libraries_refuse_to_compile():
    assert run("""
        import jax
        from jax._src import compiler
        before = compiler.backend_compile_and_load
        def refuse(backend, *args, **kwargs):
            raise RuntimeError(f"not for {backend.platform}")
        f = jax.jit(lambda x: x * 3)
        compiler.backend_compile_and_load = refuse
        try:
            f(1.)
        except RuntimeError as error:
            print(error)
        compiler.backend_compile_and_load = before
        print(f(1.))
    """) == "not for cpu\n3.0\n"


def test_a_process_alone_is_the_first():
    state = processes.global_state
    assert (state.process_id, state.num_processes, state.client, state.service) == (0, 1, None, None)
    adjoint.devices()
    assert processes.backends.get("cpu") is adjoint.devices()[0].client and len(processes.backends) >= 1


def test_tracers_of_libraries_say_what_they_stand_for():
    for core, m in ((their_core, jax), (import_module("adjoint.core"), adjoint)):
        class Mine(core.Trace):
            pass

        class Wrapped(core.Tracer):
            def __init__(self, trace, value):
                self._trace, self.value = trace, value

            @property
            def aval(self):
                return m.typeof(self.value)

            def full_lower(self):
                return self.value

        x = m.numpy.ones(2)
        lower = values.full_lower if m is adjoint else core.full_lower
        tracer = Wrapped(Mine(), x)
        assert lower(tracer) is x and lower(x) is x and lower(3) == 3 and Mine().full_raise(tracer) is tracer
        m.jit(lambda y: lower(y) is y)(1.0)
