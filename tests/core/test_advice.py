"""The advice in messages is code that solves the user's case: each mistake is made, mended as told, and run."""

from __future__ import annotations

import importlib
import linecache
import re
import subprocess
import sys
from inspect import ismodule
from pathlib import Path
from textwrap import dedent, indent

import numpy as np
import pytest
from tests.modes import ACTIVE, compiling, promoting

import adjoint
from adjoint.core.messages import hints
from adjoint.core.names import elsewhere

HEAD = """
import math
import numpy as np
import scipy.special as sp
import adjoint as jax
import adjoint.numpy as jnp
from adjoint import lax
table = np.arange(5.0)
slope = 0.1
"""

# Functions that work outside of transformations. The mistake is in one statement, which the advice replaces.
MISTAKES = {
    "branches that return": "if x > 0:\n    return x\nreturn slope * x",
    "branches that return, else": "if x > 0:\n    return x\nelse:\n    return slope * x",
    "branches that assign": "if x > 0: y = x\nelse: y = -x\nreturn y",
    "a branch that updates": "y = x\nif x > 1:\n    y *= 2\nreturn y",
    "elif": "if x > 3: r = 1.0\nelif x > 0: r = 2.0\nelse: r = 3.0\nreturn r",
    "conditional expression": "return x if x > 0 and x < 3 else 0.0",
    "conjunction": "y = x > 1 and x < 3\nreturn y",
    "conjunction of numbers": "y = x and 3\nreturn bool(y) if isinstance(y, float) else y != 0",
    "chain": "y = 0 < x < 3\nreturn y",
    "negation": "y = not x\nreturn y",
    "maximum": "return max(x, 3.0)",
    "any": "return any([x > 1, x < 0])",
    "while": "while x < 10:\n    x = x * 2\nreturn x",
    "while with two values": "n = 0\nwhile x < 10:\n    x *= 2\n    n += 1\nreturn x + n",
    "range": "s = 0\nfor i in range(jnp.asarray(x, int)):\n    s = s + i\nreturn s",
    "range with two values": "s = t = 0\nfor i in range(1, jnp.asarray(x, int)):\n    s += i\n    t = t + s\nreturn t",
    "float": "return jnp.sin(float(x))",
    "int": "return int(jnp.asarray(x) + 0.5) + 1",
    "item": "return jnp.asarray(x).item() * 2",
    "numpy": "return np.tanh(x)",
    "numpy twice": "return np.mean(np.square(x))",
    "numpy.linalg": "return np.linalg.norm(jnp.ones(3) * x)",
    "math": "return math.sin(x) + math.gamma(x)",
    "scipy": "return sp.erf(x)",
    "table": "return table[jnp.asarray(x, int)]",
    "list": "return [1.0, 2.0, 3.0][jnp.asarray(x, int)]",
    "where": "return jnp.sum(jnp.stack(jnp.where(jnp.arange(5.0) > x)))",
    "mask": "y = jnp.arange(5.0)\nreturn jnp.sum(jnp.stack([y[y > x], y[y > x]]))",
    "mask of rows": "y = jnp.ones((5, 2))\nz = y[y[:, 0] < x]\nreturn jnp.sum(jnp.stack([z]))",
    "number of selected elements": "y = jnp.arange(5.0)\nreturn 2.0 * len(y[y > x])",
    "length of what is selected": "y = jnp.arange(5.0)\nm = y > x\nreturn 2.0 * y[m].shape[0]",
    "as many values as are selected": "y = jnp.arange(5.0)\nreturn y.at[y > x].set(jnp.ones(2))",
    "unique": "return jnp.max(jnp.unique(x * jnp.arange(3.0)))",
}


def function(name: str, body: str):
    """The function `f(x)` with this body, whose text can be read."""
    text = f"{HEAD}def f(x):\n{indent(body, '    ')}\n"
    file = f"<advice: {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict = {"__name__": "user"}
    exec(compile(text, file, "exec"), scope)
    return scope["f"]


def advised(body: str, error: Exception) -> str:
    """The body with the statement at fault replaced by what the message says."""
    text = str(error)
    line = int(re.search(r"^  <advice: .*>:(\d+) in f", text, re.M)[1]) - HEAD.count("\n") - 2
    fix = dedent(" " * 7 + text.partition("  Try: ")[2].partition("\n  More: ")[0]).splitlines()
    lines = body.splitlines()
    last = line + 1
    if lines[line].endswith(":") or lines[line].startswith(("if", "while", "for")):
        keyword = ("    ", "el") if lines[line].startswith("if") else "    "
        while last < len(lines) and lines[last].startswith(keyword):
            last += 1
        if fix[0].startswith("return"):
            last = len(lines)
    return "\n".join([*lines[:line], *fix, *lines[last:]])


@compiling
@promoting
@pytest.mark.parametrize("name", MISTAKES)
def test_the_line_that_a_message_writes_works(name):
    body = MISTAKES[name]
    with pytest.raises((TypeError, IndexError)) as caught:
        adjoint.jit(function(name, body))(2.0)
    mended = function(f"{name}, mended", advised(body, caught.value))
    expected = function(name, body)(2.0)
    np.testing.assert_allclose(np.asarray(adjoint.jit(mended)(2.0)), np.asarray(expected), rtol=1e-6)


@pytest.mark.parametrize("expression", ["jnp.sqrt(x)", "jnp.log(x - 1.0)", "0.0 / x", "jnp.arccos(x + 1.0)"])
def test_a_guard_that_a_message_writes_gives_finite_gradients(expression):
    body = f"return 0.0 * ({expression})"
    with adjoint.debug_nans(True), pytest.raises(FloatingPointError) as caught:
        adjoint.grad(function(expression, body))(0.0)
    mended = function(f"{expression}, mended", advised(body, caught.value))
    assert adjoint.grad(mended)(0.0) == 0.0


TREES = {
    "keys": ({"a": 1, "b": 2}, {"a": 3, "c": 4}, {"a": 4}),
    "more keys": ({"a": {"x": 1}}, {"a": {"x": 2, "y": 3}}, {"x": 3}),
    "lengths": ({"a": [1, 2]}, {"a": [1, 2, 3]}, [2, 4]),
    "types": ({"a": (1, 2)}, {"a": [3, 4]}, (4, 6)),
}


@pytest.mark.parametrize("case", TREES)
def test_trees_of_two_structures_are_mapped_as_told(case):
    a, b, expected = TREES[case]
    with pytest.raises(ValueError, match="pytree structure error") as caught:
        adjoint.tree.map(lambda x, y: x + y, a, b)
    fix = str(caught.value).partition("  Try: ")[2].partition(", where a is")[0]
    assert eval(fix, {"jax": adjoint, "f": lambda x, y: x + y, "a": a, "b": b}) == expected


@compiling
def test_objects_that_are_no_arrays_are_registered_as_told():
    class Model:
        def __init__(self):
            self.w = 3.0

        @adjoint.jit
        def __call__(self, x):
            return self.w * x

    model = Model()
    with pytest.raises(TypeError, match="at path self") as caught:
        model(2.0)
    exec(dedent(" " * 7 + str(caught.value).partition("  Try: ")[2]), {"Model": Model, "jax": adjoint})
    assert model(2.0) == 6.0
    model.w = 30.0
    assert model(2.0) == 60.0


@compiling
def test_programs_that_know_the_package_as_jax_read_jax(monkeypatch):
    with pytest.raises(AttributeError, match=r"^module 'adjoint' has no attribute 'gradient'\n  Try: adjoint.grad"):
        adjoint.gradient
    monkeypatch.setitem(sys.modules, "jax", adjoint)
    with pytest.raises(AttributeError, match=r"module 'jax.numpy' has no attribute 'sigmoid'\n  Try: jax.nn.sigmoid"):
        adjoint.numpy.sigmoid
    with pytest.raises(TypeError, match=r"More: jax\.help\("):
        adjoint.jit(float)(1.0)


def test_every_module_says_itself_what_it_lacks(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", adjoint)
    for path in ("scipy", "scipy.special", "scipy.stats", "scipy.stats.norm", "lax.linalg", "extend", "interpreters"):
        module = adjoint
        for part in path.split("."):
            module = getattr(module, part)
        with pytest.raises(AttributeError, match=rf"^module 'jax.{path}' has no attribute 'absent_name'"):
            module.absent_name


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("from adjoint.scipy.integrate import odeint", "\n  Try: adjoint.experimental.ode.odeint"),
        ("from adjoint.numpy import sin, cat", "\n  Try: adjoint.numpy.concatenate"),
        ("from adjoint.errors import TracerBoolConversion", ". Did you mean 'TracerBoolConversionError'?"),
        ("from adjoint.interpreters.ad import Zeros", ". Did you mean 'Zero'?"),
        ("from adjoint import scipyy", ". Did you mean 'scipy'?"),
        ("from adjoint.experimental.sparse import BCO", ". Did you mean 'BCOO'?"),
        ("from adjoint.scipy.stats import laplac as dense", ". Did you mean 'laplace'?"),
    ],
)
def test_an_import_of_a_name_that_is_not_there_says_what_is(line, advice):
    with pytest.raises(ImportError) as caught:
        exec(line, {})
    assert str(caught.value).startswith("cannot import name") and str(caught.value).endswith(advice)


def test_names_after_many_others_are_found_in_an_import():
    """The number of such a name has more than a byte."""
    many = ", ".join([f"x{i}" for i in range(300)])
    with pytest.raises(ImportError, match="Did you mean 'concatenate'"):
        exec(f"{many} = range(300)\nfrom adjoint.numpy import concatenat", {})


def test_asking_for_a_name_that_is_not_there_is_no_import():
    import adjoint.stages

    assert not hasattr(adjoint.stages, "Lower") and getattr(adjoint.errors, "relu", 3) == 3


def test_a_missing_name_is_guessed_once():
    """Python adds a guess of its own where the error knows the module."""
    with pytest.raises(AttributeError, match=r"Did you mean 'array_str'") as caught:
        adjoint.numpy.array2string
    assert caught.value.obj is None
    with pytest.raises(AttributeError, match=r"no attribute 'logpdff'. Did you mean 'logpdf'") as caught:
        adjoint.scipy.stats.norm.logpdff
    assert caught.value.obj is None


@pytest.mark.parametrize("module, name, place", [
    ("numpy", "cat", "numpy.concatenate"), ("numpy", "relu", "nn.relu"), ("numpy", "grad", "grad"),
    ("numpy", "svdvals", "numpy.linalg.svdvals"), ("random", "seed", "random.key"), ("", "tree_map", "tree.map"),
    ("", "sin", "numpy.sin"), ("lax", "vmap", "vmap"),
])
def test_a_missing_name_is_found_elsewhere(module, name, place):
    looked_in = getattr(adjoint, module) if module else adjoint
    with pytest.raises(AttributeError) as caught:
        getattr(looked_in, name)
    assert str(caught.value).endswith(f"has no attribute '{name}'\n  Try: adjoint.{place}")


OFFERING = sorted(
    ".".join(path.relative_to(Path(adjoint.__file__).parent).with_suffix("").parts).removesuffix("__init__").rstrip(".")
    for path in Path(adjoint.__file__).parent.rglob("*.pyi")
    if not path.stem.startswith("_") or path.stem == "__init__"
)


@pytest.mark.parametrize("module", [m for m in OFFERING if m not in ("", "version")])
def test_a_misspelt_name_in_every_public_module_gets_one_that_is_there(module):
    """Two letters change places in the middle, of the longest name that each module has."""
    offering = importlib.import_module(f"adjoint.{module}")
    offered = getattr(offering, "__all__", None) or [n for n in dir(offering) if not ismodule(vars(offering).get(n))]
    for name in sorted([n for n in offered if not n.startswith("_") and len(n) > 5], key=len)[-1:]:
        i = next(i for i in range(len(name) // 2, len(name) - 1) if name[i] != name[i + 1])
        misspelt = name[:i] + name[i + 1] + name[i] + name[i + 2:]
        with pytest.raises(AttributeError, match="Did you mean '"):
            getattr(offering, misspelt)


@pytest.mark.parametrize("module, name, advice", [
    ("experimental.sparse", "csr_matrix", "adjoint.experimental.sparse.BCSR"),
    ("experimental.sparse", "issparse", "isinstance(x, sparse.JAXSparse)"),
    ("export", "load", "adjoint.export.deserialize"),
    ("export", "save", "export.export(jit(f))(*args).serialize()"),
])
def test_names_of_other_libraries_get_what_is_written_here(module, name, advice):
    with pytest.raises(AttributeError) as caught:
        getattr(importlib.import_module(f"adjoint.{module}"), name)
    assert str(caught.value).endswith(f"has no attribute '{name}'\n  Try: {advice}")


def found(place: str):
    """The object that a dotted name below the package means."""
    value = adjoint
    for part in place.split("."):
        if not hasattr(value, part):
            importlib.import_module(f"{value.__name__}.{part}")
        value = getattr(value, part)
    return value


def test_similar_names_are_looked_for_once(monkeypatch):
    """Libraries ask by `hasattr`, again and again."""
    searched, hint = [], elsewhere.hint
    monkeypatch.setattr(elsewhere, "hint", lambda name, names: searched.append(name) or hint(name, names))
    for _ in range(2):
        with pytest.raises(AttributeError, match="'adjoint.numpy' has no attribute 'cocnatenates'. Did you mean"):
            adjoint.numpy.cocnatenates
    assert searched == ["cocnatenates"]


def test_names_of_other_libraries_lead_to_names_that_exist():
    for module, text in elsewhere._OTHER_NAMES.items():
        for name, _, place in [entry.partition("=") for entry in text.split()]:
            looked_in = importlib.import_module(f"adjoint.{module}".rstrip("."))
            assert not hasattr(looked_in, name), f"{module}.{name} exists"
            found(place)


def test_modules_of_earlier_versions_lead_to_what_is_there(monkeypatch):
    for module, place in elsewhere._MODULES.items():
        assert importlib.util.find_spec(f"adjoint.{module}".rpartition(".")[0]) is not None
        found(place)
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module("adjoint.linear_util")
    assert hints.hint(caught.value) == "  Try: adjoint.extend.linear_util"
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module("adjoint.nunpy")
    assert hints.hint(caught.value) == "  Try: adjoint.numpy"
    monkeypatch.setitem(sys.modules, "jax", adjoint)
    assert elsewhere.moved("adjoint.experimental.stax") == "jax.example_libraries.stax"


def test_members_of_other_libraries_are_none_here():
    assert [name for name in hints._MEMBERS if hasattr(adjoint.Array, name)] == []


@pytest.mark.parametrize("line, told", [("x.detach()", "jax.lax.stop_gradient(x)"), ("{x: 1}", "int(x)")])
def test_uncaught_errors_of_python_get_a_hint(line, told):
    program = f"import adjoint.numpy as jnp\nx = jnp.ones(2)\n{line}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f"\n  Try: {told}" in done.stderr


LINES = {
    "new = params - 0.1 * grads": "new = jax.tree.map(lambda params, grads: params - 0.1 * grads, params, grads)",
    "params -= 0.1 * grads": "params = jax.tree.map(lambda params, grads: params - 0.1 * grads, params, grads)",
    "new = 2.0 * several": "new = jax.tree.map(lambda several: 2.0 * several, several)",
    "a, b, c = jax.random.split(key)": "a, b, c = jax.random.split(key, 3)",
    "y = jax.nn.softmax(x, dim=0)": "y = jax.nn.softmax(x, axis=0)",
    "y = jax.random.normal(key, 3, 5)": "y = jax.random.normal(key, (3, 5))",
    "y = jnp.sum(x, keepdim=True, dim=0)": "y = jnp.sum(x, keepdims=True, axis=0)",
    "y = jnp.clip(x, a_min=0, a_max=1)": "y = jnp.clip(x, min=0, max=1)",
    "y = jax.random.choice(key, [1, 2, 3])": "y = jax.random.choice(key, jnp.asarray([1, 2, 3]))",
    "y = jnp.maximum(x, numbers)": "y = jnp.maximum(x, jnp.asarray(numbers))",
    "y = jnp.where(x > 0, [1, 2, 3], 0)": "y = jnp.where(x > 0, jnp.asarray([1, 2, 3]), 0)",
    "y = jax.random.normal(0, (2,))": "y = jax.random.normal(jax.random.key(0), (2,))",
    "y = jax.random.uniform((2, 3))": "y = jax.random.uniform(jax.random.key(0), (2, 3))",
    "y = x[[0, 2]]": "y = x[jnp.asarray([0, 2])]",
    "y = x[some]": "y = x[jnp.asarray(some)]",
    "x.shape = (3, 1)": "x = x.reshape((3, 1))",
    "x.dtype = 'int32'": "x = x.astype('int32')",
    "del x[0]": "x = jnp.delete(x, 0)",
    "y = -several": "y = jax.tree.map(lambda several: -several, several)",
    "y = x.T()": "y = x.T",
    "y = x.devices[0]": "y = list(x.devices())[0]",
    "y = x.ravel[0]": "y = x.ravel()[0]",
    "y = x.size(0)": "y = x.shape[0]",
    "y = x.size()": "y = x.size",
    "y = x.shape(0) + 1": "y = x.shape[0] + 1",
    "y = x(0)": "y = x[0]",
    "np.add(x, 1, out=x)": "x = jnp.add(x, 1)",
    "np.exp(x, out=x)": "x = jnp.exp(x)",
    "y = jnp.ones(2, 3, 4)": "y = jnp.ones((2, 3, 4))",
    "jnp.put(x, 0, 1.0)": "x = jnp.put(x, 0, 1.0, inplace=False)",
    "jnp.put_along_axis(x, x.astype(int), 1.0, 0)": "x = jnp.put_along_axis(x, x.astype(int), 1.0, 0, inplace=False)",
    "y = jnp.fill_diagonal(jnp.eye(2), 3.0)": "y = jnp.fill_diagonal(jnp.eye(2), 3.0, inplace=False)",
    "y = jax.jit(two)(x)": "y = jax.jit(two)(x, z)",
    "y = jax.jit(lambda x: x)(x, x)": "y = jax.jit(lambda x: x)(x)",
    "y = jax.vmap(lambda x: x)(x, z=x)": "y = jax.vmap(lambda x: x)(x)",
}


@pytest.mark.parametrize("line", LINES)
def test_the_line_that_a_hint_writes_works(line):
    head = "import adjoint as ax\nkey = jax.random.key(0)\nparams, grads, several = {'w': x}, {'w': x}, [x, (x, x)]\n"
    head += "some, numbers, z = [0, 1, 2], [0.0, 1.0, 2.0], 1.0\ndef two(x, z): return x\n"
    with pytest.raises((AttributeError, TypeError, ValueError, NotImplementedError)) as caught:
        function(line, head + line)(adjoint.numpy.ones(3))
    told = f"{caught.value}\n{hints.hint(caught.value)}".partition("  Try: ")[2].partition("\n")[0]
    assert told == LINES[line]
    function(f"{line}, mended", head + told)(adjoint.numpy.ones(3))


@pytest.mark.parametrize("program, told", [
    ("jax.scipy.stats.norm.logpdf(x, mu=0.0)", "one of x, loc, scale"),
    ("jax.vmap(lambda a, b: a + b)(x, jnp.ones(2))", "in_axes=(0, None), if b is the same in every call, or another"),
    ("jax.grad(lambda x: x.sum())(jnp.arange(3))", "pass floats, for example x.astype(float)"),
    ("jax.jit(lambda x, n: [x for i in range(n)])(x, 3)", 'jit(f, static_argnames="n");'),
    ("jax.experimental.ode.odeint(g, x, x)", "odeint(lambda y, t: g(t, y), y0, t)"),
    ("jax.random.randint(jax.random.key(0), 0, 10)", "jax.random.randint(key, shape, minval, maxval)"),
    ("jax.vmap(jnp.add, in_axes=(0,))(x, x)", "in_axes=(0, 0)"),
    ("jax.vmap(jnp.add, in_axes=(0,))(x, jnp.ones(2))", "in_axes=(0, None)"),
    ("lax.scan(0.0, g, x)", "lax.scan(f, init, xs)"),
    ("lax.associative_scan(x, jnp.add)", "lax.associative_scan(fn, elems)"),
    ("lax.dynamic_slice(x, 0, 2)", "lax.dynamic_slice(x, (start,), (length,)), with"),
    ("lax.switch(0, jnp.sin, jnp.cos)", "lax.switch(index, [f, g], *operands): the functions"),
    ("lax.fori_loop(0, 3, lambda i, x: None, 0.0)", "return a carry with the structure of x: PyTreeDef(*); a function"),
    ("jax.tree.map({'a': 1}, jnp.sin)", "jax.tree.map(f, tree, *rest): the function comes first"),
    ("jax.tree.leaves({1: 2, 'a': 3})", "keys of one type in the place of [1, 'a'], as {str(k): v for k, v in"),
    ("jax.eval_shape(lambda x: x + 1, (3, 4))", "jax.ShapeDtypeStruct((3, 4), jnp.float32) for an array"),
    ("jax.vjp(lambda x: x)", "vjp(f, *primals), with a value for each argument of f"),
    ("jax.jit(lambda x: x).lower()", "f.lower(*args), with an array or ShapeDtypeStruct"),
    ("jax.jit(lambda x: x).compile()", "f.lower(*args).compile()"),
    ("lax.cond(None, jnp.sin, jnp.cos, x)", "a boolean scalar, for example"),
    ("lax.map(jnp.add, x, x)", "lax.map(lambda xs: f(*xs), (x, y)): the arrays are one argument"),
    ("float(jax.random.key(0))", "jax.random.uniform(key) for a number"),
    ("jax.tree.map(lambda x: x, [1], [2])", "a function of one leaf of each tree"),
    ("jax.tree.map(lambda x: x.shape, [1])", "jnp.asarray(x).shape"),
    ("jax.tree.map_with_path(lambda x: x, [1])", "a function of the path and the leaf"),
    ("jax.tree.reduce(max, [])", "jax.tree.reduce(f, tree, initializer), whose"),
    ("jax.tree_util.register_dataclass(int)", "@dataclasses.dataclass on the class"),
    ("jax.jit(lambda p: p.shape)([1.0])", "jax.tree.map(lambda x: x.shape, tree), of each array"),
    ("jax.jit(lambda p: p.w)({'w': x})", "x['w'], as this is a dict"),
    ("__import__('json').dumps(x)", "x.tolist(), which gives numbers and lists"),
    ("jnp.linalg.svd(jnp.eye(2)).V", "svd(x).Vh.mT: Vh has"),
    ("jax.experimental.ode.odeint(lambda y: y, 1.0, x)", "a function of the state and the time"),
    ("jnp.bincount(x)", "jnp.bincount(x.astype(int))"),
    ("jax.sharding.PositionalSharding(jax.devices())", "jax.NamedSharding(jax.make_mesh((n,), ('x',)), jax.P('x'))"),
    ("jax.checkpoint(3)(x)", "jax.checkpoint(f)(x), where f is a function"),
    ("jax.jit(lambda n: np.random.normal(size=n))(3)", "jax.random.normal(key, shape), with a key"),
    ("jax.jit(lambda n: np.random.randint(0, n))(3)", "jax.random.randint(key, shape, minval, maxval), with a key"),
    ("x[0.5:2]", "ints in a slice: x[: n // 2], x[int(first) : int(last)]"),
    ("f'{x:.2f}'", "float(x[0]) for one number, np.array2string(np.asarray(x), precision=2)"),
    ("jnp.dot(jnp.ones(3), jnp.ones(4))", "jnp.outer(a, b) for the product of all pairs"),
    ("jnp.array({'a': 1})", "jax.tree.map(jnp.asarray, x), which gives a dict of arrays"),
    ("jnp.asarray(np.array(['2020-01-01'], 'datetime64'))", "x.astype('datetime64[s]').astype(int)"),
    ("jnp.asarray({1, 2})", "jnp.asarray(sorted(x))"),
    ("lax.select(x, x, x)", "a condition, for example x != 0"),
    ("lax.cumsum(x, axis=2)", "axis=0 for the last one"),
    ("jnp.uint8(-1)", "jnp.asarray(-1).astype('uint8'), which wraps around"),
    ("lax.cond(True, 1.0, 2.0)", "jnp.where(pred, x, y) to choose a value"),
    ("lax.switch(x > 0, [jnp.sin, jnp.cos], x)", "jax.vmap(lambda i: lax.switch(i, branches, *operands))(index)"),
])
def test_advice_names_what_is_there(program, told):
    if program.startswith(("jax.jit(", "lax.fori_loop(")) and "JAX_DISABLE_JIT" in ACTIVE:
        pytest.skip("it is about what is traced")
    head = "import adjoint.experimental.ode\ndef g(t, y):\n    return y[0]\n"
    with pytest.raises((TypeError, ValueError, IndexError, AttributeError, OverflowError)) as caught:
        function(program, head + f"return {program}")(adjoint.numpy.ones(3))
    notes = getattr(caught.value, "__notes__", [])
    assert f"  Try: {told}" in "\n".join([str(caught.value), *notes, str(hints.hint(caught.value))])


def test_advice_takes_no_error_s_place():
    class Odd:
        def __call__(self, f):
            return f(1.0, q=2.0)

        @property
        def __signature__(self):
            raise RuntimeError("it is asked")

    f = adjoint.custom_vjp(lambda x, y=3.0: x * y)
    f.defvjp(lambda x, y: (x * y, None), lambda _, ct: (ct, ct))
    for run in (Odd(), lambda f: f(1.0, q=2.0), lambda f: adjoint.jit(lambda x: f(x, q=2.0))(1.0)):
        with pytest.raises(TypeError, match="could not be resolved to positional-only arguments") as caught:
            run(f)
        assert 1 == str(caught.value).count("  Try: ")


def test_objects_that_grad_meets_are_registered_as_told():
    class Net:
        def __init__(self, seed):
            self.w = adjoint.numpy.ones(2) * seed

        def __call__(self, x):
            return (self.w * x).sum()

    with pytest.raises(TypeError, match="which grad differentiates") as caught:
        adjoint.grad(lambda net: net(3.0))(Net(1))
    exec(dedent(" " * 7 + str(caught.value).partition("  Try: ")[2]), {"Net": Net, "jax": adjoint})
    assert adjoint.grad(lambda net: net(3.0))(Net(1)).w.tolist() == [3.0, 3.0]


SINCE = "was deprecated in JAX v0.8.2 and removed in JAX v0.10.0"
GONE = {
    "core.get_aval": f"{SINCE}; use adjoint.typeof instead.",
    "core.call_impl": f"{SINCE}. Use adjoint.extend.core.call_impl.",
    "ad_checkpoint.remat": f"{SINCE}; use adjoint.remat instead.",
    "lax.pvary": f"{SINCE}; use `adjoint.lax.pcast(..., to='varying')",
    "scipy.special.sph_harm":
    "was deprecated in v0.7.0 and removed in v0.10.0. Use adjoint.scipy.special.sph_harm_y instead.",
    "interpreters.pxla.shard_args": "was removed in JAX v0.10.0.",
}


@pytest.mark.parametrize("place", GONE)
def test_names_that_jax_had_are_gone_with_its_words(place):
    module, _, name = place.rpartition(".")
    with pytest.raises(AttributeError) as caught:
        getattr(importlib.import_module(f"adjoint.{module}"), name)
    assert str(caught.value) == f"adjoint.{place} {GONE[place]}"
    with pytest.raises(ImportError, match=re.escape(str(caught.value))):
        exec(f"from adjoint.{module} import {name}", {})


def test_no_name_that_jax_had_is_there():
    for module, names in elsewhere._GONE.items():
        for name in names:
            assert not hasattr(importlib.import_module(f"adjoint.{module}"), name)


@pytest.mark.parametrize("name", ["ClosedJaxpr", "Jaxpr", "JaxprEqn", "Literal", "Primitive", "Var", "jaxpr_as_fun"])
def test_names_of_jaxprs_are_those_of_extend_core(name):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'\n  Try: adjoint.extend.core.{name}"):
        getattr(adjoint.core, name)

def test_a_search_through_modules_looks_for_no_advice(monkeypatch):
    """Names of Python's own and those that private modules look for in several modules are often not there."""
    asked = []
    monkeypatch.setattr(elsewhere, "_advice", lambda *args: asked.append(args[1]) or "")
    assert elsewhere.found_in(adjoint.numpy, "not_there_at_all", 3) == 3
    assert elsewhere.found_in(adjoint.numpy, "sin", 3) is adjoint.numpy.sin
    assert not hasattr(adjoint.numpy, "__wrapped__") and not hasattr(adjoint.numpy, "not_there_either")
    assert asked == ["not_there_either"]
