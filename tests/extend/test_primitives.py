"""Primitives defined outside, as JAX's tutorials and libraries do it, beside JAX."""

from __future__ import annotations

import copy
import doctest
import pickle

import numpy as np
import pytest
from tests.modes import ACTIVE, compiling
from tests.recorded import jax, module_of

import adjoint
import adjoint.experimental.sparse
import adjoint.export
import adjoint.extend.core.primitives
import adjoint.numpy
from adjoint.core.primitive import Primitive, primitives


class Library:
    """The modules of one implementation."""

    def __init__(self, root):
        get = lambda name: module_of(root, name)
        self.root, self.np, self.lax = root, get("numpy"), get("lax")
        self.core, self.ecore = get("core"), get("extend.core")
        self.ad, self.batching = get("interpreters.ad"), get("interpreters.batching")
        self.mlir, self.xla = get("interpreters.mlir"), get("interpreters.xla")


LIBRARIES = [Library(adjoint), Library(jax)]


def multiply_add(lib: Library):
    """`x * y + z` as in the tutorial on primitives."""
    p = lib.ecore.Primitive("multiply_add")
    zeros = lib.np.zeros_like
    bind = lambda x, y, z: p.bind(x, y, z)
    p.def_impl(lambda x, y, z: np.add(np.multiply(x, y), z))
    p.def_abstract_eval(lambda xs, ys, zs: lib.core.ShapedArray(xs.shape, xs.dtype))

    def jvp(primals, tangents):
        x, y, z = primals
        xt, yt, zt = [zeros(x) if type(t) is lib.ad.Zero else t for t in tangents]
        return bind(x, y, z), bind(xt, y, bind(x, yt, zt))

    def transpose(ct, x, y, z):
        if not lib.ad.is_undefined_primal(x):
            return None, bind(x, ct, zeros(x)), ct
        return bind(ct, y, zeros(y)), None, ct

    def batch(args, dims):
        size = next(x.shape[d] for x, d in zip(args, dims) if d is not None)
        return bind(*[lib.batching.bdim_at_front(x, d, size) for x, d in zip(args, dims)]), 0

    lib.ad.primitive_jvps[p] = jvp
    lib.ad.primitive_transposes[p] = transpose
    lib.batching.primitive_batchers[p] = batch
    lowering = lib.mlir.lower_fun(lambda x, y, z: x * y + z, multiple_results=False)
    lib.mlir.register_lowering(p, lowering)
    return bind, p


def both(make):
    """What `make(library)` gives under each, as NumPy arrays."""
    theirs, ours = [jax.tree.map(np.asarray, make(lib)) for lib in reversed(LIBRARIES)]     # a mode's error is JAX's
    return [ours, theirs]


def same(make):
    ours, theirs = both(make)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6), ours, theirs)
    return ours


TRANSFORMED = {
    "eager": lambda lib, f: f(2.0, 10.0),
    "jit": lambda lib, f: lib.root.jit(f)(2.0, 10.0),
    "jvp": lambda lib, f: lib.root.jvp(f, (2.0, 10.0), (1.0, 1.0)),
    "jit of jvp": lambda lib, f: lib.root.jit(lambda x, t: lib.root.jvp(f, x, t))((2.0, 10.0), (1.0, 1.0)),
    "grad": lambda lib, f: lib.root.grad(f)(2.0, 10.0),
    "grad in both": lambda lib, f: lib.root.grad(f, (0, 1))(2.0, 10.0),
    "jit of grad": lambda lib, f: lib.root.jit(lib.root.grad(f))(2.0, 10.0),
    "second derivative": lambda lib, f: lib.root.grad(lib.root.grad(f))(2.0, 10.0),
    "vmap": lambda lib, f: lib.root.vmap(f)(np.arange(3.0, dtype="f"), np.ones(3, "f")),
    "vmap of grad": lambda lib, f: lib.root.vmap(lib.root.grad(f))(np.arange(3.0, dtype="f"), np.ones(3, "f")),
    "jit of vmap": lambda lib, f: lib.root.jit(lib.root.vmap(f))(np.arange(3.0, dtype="f"), np.ones(3, "f")),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_the_tutorials_primitive_goes_through_every_transformation(name):
    """multiply_add with its rules for evaluation, jvp, transposition and batching."""

    def make(lib):
        bind, _ = multiply_add(lib)
        return TRANSFORMED[name](lib, lambda a, b: bind(a, a, b))

    same(make)


def test_the_printed_program_is_jaxs():
    """A new primitive prints with its parameters."""

    def text(lib):
        p = lib.ecore.Primitive("scaled")
        p.def_abstract_eval(lambda x, **_: x)
        return str(lib.root.make_jaxpr(lambda x: p.bind(x, by=2, name="n"))(np.ones(3, "f")))

    ours, theirs = [text(lib) for lib in LIBRARIES]
    assert theirs == ours


MISSING = {
    "eager": (lambda lib, p: p.bind(1.0), "Evaluation rule for 'new' not implemented"),
    "jit": (lambda lib, p: lib.root.jit(p.bind)(1.0), "Abstract evaluation for 'new' not implemented"),
    "jvp": (lambda lib, p: lib.root.jvp(p.bind, (1.0,), (1.0,)), "Differentiation rule for 'new' not implemented"),
    "vmap": (lambda lib, p: lib.root.vmap(p.bind)(np.ones(2)), "Batching rule for 'new' not implemented"),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=compiling) if name == "jit" else name for name in MISSING])
def test_a_missing_rule_is_named(name):
    """Each transformation says which rule it misses, in JAX's words."""
    run, text = MISSING[name]
    for lib in LIBRARIES:
        with pytest.raises(NotImplementedError, match=text):
            run(lib, lib.ecore.Primitive("new"))


def test_several_results_and_parameters():
    """`multiple_results`, tuples from the rules, and static parameters."""

    def make(lib):
        p = lib.ecore.Primitive("split_scale")
        p.multiple_results = True
        p.def_impl(lambda x, *, by: (x * by, x + by))
        p.def_abstract_eval(lambda x, *, by: (x, x))
        lib.ad.primitive_jvps[p] = lambda xs, ts, *, by: (
            p.bind(*xs, by=by), [ts[0] * by, lib.ad.Zero(lib.root.typeof(xs[0]))])
        lib.batching.primitive_batchers[p] = lambda xs, ds, *, by: (p.bind(*xs, by=by), (ds[0], ds[0]))
        lib.mlir.register_lowering(p, lib.mlir.lower_fun(lambda x, *, by: (x * by, x + by)))
        f = lambda x: sum(p.bind(x, by=3.0))
        x = np.arange(4.0, dtype="f")
        root = lib.root
        return f(x), root.jit(f)(x), root.grad(lambda x: f(x).sum())(x), root.vmap(f)(x), root.vmap(root.grad(f))(x)

    same(make)


def test_helpers_make_rules():
    """defjvp, defjvp2, deflinear, deflinear2, defbilinear, defvectorized, defbroadcasting, defreducer."""

    def make(lib):
        root, ad, batching, np_ = lib.root, lib.ad, lib.batching, lib.np

        def new(name, fun, aval=lambda x, *_, **__: lib.core.ShapedArray(x.shape, x.dtype)):
            p = lib.ecore.Primitive(name)
            p.def_impl(fun)
            p.def_abstract_eval(aval)
            lib.mlir.register_lowering(p, lib.mlir.lower_fun(fun, multiple_results=False))
            return p

        x, y = np.arange(1.0, 4.0, dtype="f"), np.full((2, 3), 2.0, "f")
        square = new("my_square", lambda x: x * x)
        ad.defjvp(square, lambda t, x: 2 * t * x)
        batching.defvectorized(square)
        cubed = new("my_exp", lambda x: np_.exp(x))
        ad.defjvp2(cubed, lambda t, out, x: t * out)
        batching.defvectorized(cubed)
        double = new("my_double", lambda x, *, k: k * x)
        ad.deflinear(double, lambda ct, *, k: [double.bind(ct, k=k)])
        batching.defvectorized(double)
        triple = new("my_triple", lambda x: 3 * x)
        ad.deflinear2(triple, lambda ct, x: [triple.bind(ct)])
        times = new("my_mul", lambda x, y: x * y)
        ad.defbilinear(times, lambda ct, x, y: times.bind(ct, y), lambda ct, x, y: times.bind(x, ct))
        batching.defbroadcasting(times)
        total = new(
            "my_sum", lambda x, *, axes: np_.sum(x, axes),
            lambda x, *, axes: lib.core.ShapedArray([n for i, n in enumerate(x.shape) if i not in axes], x.dtype),
        )
        batching.defreducer(total)
        sums = lambda f: lambda *a: f(*a).sum()
        return (
            root.grad(sums(square.bind))(x), root.jvp(cubed.bind, (x,), (x,)), root.vmap(square.bind)(x),
            root.grad(sums(lambda v: double.bind(v, k=4.0)))(x), root.grad(sums(triple.bind))(x),
            root.jit(root.grad(sums(times.bind), (0, 1)))(x, x), root.vmap(times.bind)(y, y),
            root.vmap(times.bind, (0, None))(y, x), root.vmap(times.bind, (1, 0))(y, y.T),
            root.vmap(lambda v: total.bind(v, axes=(0,)), 1)(y), total.bind(y, axes=(1,)),
        )

    same(make)


def test_named_and_sized_batchers():
    """The fancy batchers get the axis as well."""

    def make(lib):
        p = lib.ecore.Primitive("length")
        p.def_impl(lambda x: x)
        p.def_abstract_eval(lambda x: x)
        lib.batching.fancy_primitive_batchers[p] = lambda axis, args, dims: (args[0] * axis.size, dims[0])
        q = lib.ecore.Primitive("length_too")
        q.def_abstract_eval(lambda x: x)
        batch = lambda size, name, _, args, dims: (args[0] * (size + (name == "i")), 0)
        lib.batching.axis_primitive_batchers[q] = batch
        x = np.ones(3, "f")
        return lib.root.vmap(p.bind)(x), lib.root.vmap(q.bind, axis_name="i")(x)

    same(make)


def test_the_tables_are_views():
    """Rules of the library's own primitives can be read, called and replaced through the tables."""
    ad, batching, lax = LIBRARIES[0].ad, LIBRARIES[0].batching, LIBRARIES[0].lax
    assert lax.sin_p in ad.primitive_jvps and lax.sin_p not in ad.primitive_transposes
    out, t = ad.primitive_jvps[lax.sin_p]((0.0,), (2.0,))
    assert (0.0, 2.0) == (float(out), float(t))
    x = np.ones(2, "f")
    _, t = ad.primitive_jvps[lax.reshape_p]((x,), (x,), new_sizes=(2, 1), dimensions=None, sharding=None)
    assert (2, 1) == t.shape
    sort = batching.primitive_batchers[lax.sort_p]
    out, _ = sort((np.array([[2.0, 1.0]], "f"),), (0,), dimension=0, is_stable=True, num_keys=1)
    np.testing.assert_array_equal([[1.0, 2.0]], out[0])
    assert len(ad.primitive_jvps) > 50 and lax.mul_p in set(ad.primitive_transposes)
    with pytest.raises(KeyError):
        ad.primitive_transposes[lax.sin_p]
    before = lax.sin_p.jvp_rule
    try:
        rule = lambda primals, tangents: (lax.sin_p.bind(*primals), tangents[0] * 100.0)
        ad.primitive_jvps[lax.sin_p] = rule
        assert ad.primitive_jvps[lax.sin_p] is rule
        assert 100.0 == float(adjoint.grad(lambda x: lax.sin_p.bind(x))(1.0))
    finally:
        ad.primitive_jvps[lax.sin_p] = before


def test_primitives_from_outside_stay_outside():
    """The registry of the library's primitives has none of a user's."""
    multiply_add(LIBRARIES[0])
    assert "multiply_add" not in primitives


def test_an_effectful_primitive_is_not_dropped():
    """An equation whose abstract evaluation names an effect stays, though nobody reads its result."""

    def make(lib):
        class Ping(lib.ecore.Effect):
            __hash__ = object.__hash__

            def __eq__(self, other):
                return self is other

        ping = Ping()
        p = lib.ecore.Primitive("ping")
        p.def_effectful_abstract_eval(lambda x: (x, {ping}))

        def f(x):
            p.bind(x)
            return x + 1

        jaxpr = lib.root.make_jaxpr(f)(1.0)
        return [len(jaxpr.eqns), len(jaxpr.effects), len(jaxpr.eqns[0].effects)]

    assert [2, 1, 1] == [int(n) for n in both(make)[0]] == [int(n) for n in both(make)[1]]


@compiling
def test_apply_primitive_runs_a_lowering():
    """`xla.apply_primitive` as the implementation of a primitive with a lowering."""

    def make(lib):
        from functools import partial

        p = lib.ecore.Primitive("by_lowering")
        p.def_impl(partial(lib.xla.apply_primitive, p))
        p.def_abstract_eval(lambda x, **_: x)
        lib.mlir.register_lowering(p, lib.mlir.lower_fun(lambda x, *, k: x * k, multiple_results=False))
        return p.bind(np.ones(2, "f"), k=3.0)

    same(make)


def test_a_lowering_by_a_function_is_written_as_stablehlo():
    """The text has the operations of the function."""
    bind, _ = multiply_add(LIBRARIES[0])
    text = adjoint.jit(lambda x: bind(x, x, x)).lower(2.0).as_text()
    assert "stablehlo.multiply" in text and "stablehlo.add" in text


@compiling
def test_an_implementation_serves_compiled_programs():
    """Without a lowering, compiled programs call the implementation on arrays (JAX raises)."""
    lib = LIBRARIES[0]
    p = lib.ecore.Primitive("only_impl")
    seen = []
    p.def_impl(lambda x: (seen.append(type(x)), x + 1)[1])
    p.def_abstract_eval(lambda x: x)
    lib.mlir.register_lowering(p, lambda ctx, x: [x])
    f = adjoint.jit(lambda x: p.bind(x) * 2)
    assert 8.0 == float(f(3.0))
    assert all(issubclass(t, adjoint.Array) for t in seen)


def test_a_subclass_defines_by_methods():
    class Tag(adjoint.extend.core.Primitive):
        multiple_results = True

        def impl(self, *args, **params):
            return list(args)

        def abstract_eval(self, *avals, **params):
            return list(avals), set()

    p = Tag("tag")
    assert [float(x) for x in p.bind(1.0, 2.0)] == [1.0, 2.0]
    assert "= tag a a" in str(adjoint.make_jaxpr(lambda x: p.bind(x, x))(1.0))


@pytest.mark.skipif(bool(ACTIVE), reason="programs are printed with the dtypes of the default mode")
def test_every_primitive_says_what_it_takes_and_its_example_runs():
    """A class of primitives keeps its own docstring."""
    assert adjoint.extend.core.Primitive.__doc__.startswith("A named operation")
    names = {"lax": adjoint.lax, "jnp": adjoint.numpy, "np": np, "jax": adjoint}
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    printed, examples, found = [], 0, {}
    for module in (adjoint.extend.core.primitives, adjoint.lax, adjoint.experimental.sparse):
        found |= {id(p): (name, p) for name in dir(module) if isinstance(p := getattr(module, name), Primitive)}
    for name, primitive in found.values():
        text = primitive.__doc__
        assert text.startswith("Bind `") and "\nArgs:" in text and "\nReturns:" in text, name
        test = doctest.DocTestParser().get_doctest(text, dict(names), name, None, 0)
        examples += bool(test.examples)
        doctest.DocTestRunner(optionflags=flags).run(test, out=printed.append)
    assert not printed and examples == len(found), "".join(printed)


@pytest.mark.parametrize("f", [
    lambda x: x + 1, lambda x: adjoint.numpy.sort(adjoint.numpy.stack([x, 2.0 - x])), adjoint.numpy.tanh,
    lambda x: adjoint.lax.scan(lambda c, _: (adjoint.nn.softplus(c * x), c), x, None, length=3)[0],
    lambda x: adjoint.lax.cond(x > 0, adjoint.numpy.sin, adjoint.numpy.cos, x),
    lambda x: adjoint.random.normal(adjoint.random.key(0)) * x,
], ids=["sum", "sort", "function", "scan", "cond", "random"])
def test_jaxprs_can_be_pickled_and_copied(f):
    closed = adjoint.make_jaxpr(f)(1.0)
    run = adjoint.extend.core.jaxpr_as_fun
    wanted = run(closed)(1.0)  # what was found of a program on the way is left out
    for again in (pickle.loads(pickle.dumps(closed)), copy.deepcopy(closed)):
        assert str(closed) == str(again)
        np.testing.assert_array_equal(wanted[0], run(again)(1.0)[0])


def test_primitives_and_library_functions_are_pickled_by_their_names():
    for value in (
        adjoint.lax.sort_p, adjoint.lax.scan_p, adjoint.nn.celu, adjoint.numpy.tril, adjoint.scipy.special.erf,
        adjoint.numpy.block,
    ):
        assert pickle.loads(pickle.dumps(value)) is value is copy.deepcopy(value)
