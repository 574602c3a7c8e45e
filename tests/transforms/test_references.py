"""Mutable arrays: values, derivatives, batches and jaxprs beside JAX's."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax, module_of

import adjoint
from adjoint.interpreters import batching

X = np.arange(3.0, dtype="f") + 1


class Library:
    def __init__(self, root):
        self.root = root
        self.np, self.lax, self.ref = (module_of(root, name) for name in ("numpy", "lax", "ref"))


LIBRARIES = [Library(adjoint), Library(jax)]


def same(make):
    """Ours, and JAX's in one compiled program."""
    ours, theirs = make(LIBRARIES[0]), jax.jit(lambda: make(LIBRARIES[1]))()
    ours, theirs = (jax.tree.map(np.asarray, x) for x in (ours, theirs))
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6, strict=True), ours, theirs)


def local(lib):
    """References that live inside: reads, writes, sums."""

    def f(x):
        r = lib.root.new_ref(x)
        r[0] = r[1] ** 2
        r[1:] = lib.np.sin(r[:2])
        lib.ref.addupdate(r, 2, x[0])
        old = lib.ref.swap(r, 1, r[0] * x[2])
        return lib.root.freeze(r) * old

    return f


def looped(lib):
    """A reference that the bodies of loops and branches write."""

    def f(x):
        r = lib.root.new_ref(lib.np.zeros(()))

        def body(c, a):
            r[...] += a * c
            return c + r[...], r[...]

        c, ys = lib.lax.scan(body, lib.np.float32(1.0), x)
        lib.lax.cond(c > 0, lambda: lib.ref.addupdate(r, None, c), lambda: None)
        return c * r[...] + ys.sum()

    return f


def turned(lib):
    """fori_loop with a traced number of turns over positions that are traced."""

    def f(x, n):
        r = lib.root.new_ref(x)

        def body(i, c):
            r[i] = r[i] * 2
            r[lib.root.ds(i, 2)] = r[lib.root.ds(i, 2)] + 1
            return c + r[i]

        return lib.lax.fori_loop(0, n, body, lib.np.float32(0)), r[...]

    return f


def through_jit(lib):
    """A reference that a jitted function closes over, another one that it is given."""

    def f(x):
        r, q = lib.root.new_ref(x), lib.root.new_ref(x * 2)

        @lib.root.jit
        def step(q, y):
            q[0] = r[0] * y
            r[1] = q[1] + y
            return q[0] + r[1]

        return step(q, x[2]) + step(q, x[1]) + (r[...] * q[...]).sum()

    return f


VALUES = {
    "local": lambda lib: local(lib)(X),
    "local jit": lambda lib: lib.root.jit(local(lib))(X),
    "local grad": lambda lib: lib.root.grad(lambda x: local(lib)(x).sum())(X),
    "local jit grad": lambda lib: lib.root.jit(lib.root.grad(lambda x: local(lib)(x).sum()))(X),
    "local grad jit": lambda lib: lib.root.grad(lambda x: lib.root.jit(local(lib))(x).sum())(X),
    "local jvp": lambda lib: lib.root.jvp(local(lib), (X,), (X,)),
    "local vmap": lambda lib: lib.root.vmap(local(lib))(np.stack([X, 2 * X])),
    "local jit vmap": lambda lib: lib.root.jit(lib.root.vmap(local(lib), 1, 1))(np.stack([X, 2 * X], 1)),
    "local remat": lambda lib: lib.root.grad(lib.root.checkpoint(lambda x: local(lib)(x).sum()))(X),
    "loop": lambda lib: looped(lib)(X),
    "loop jit": lambda lib: lib.root.jit(looped(lib))(X),
    "loop grad": lambda lib: lib.root.grad(lambda x: looped(lib)(x))(X),
    "loop jit grad": lambda lib: lib.root.jit(lib.root.grad(looped(lib)))(X),
    "turns": lambda lib: turned(lib)(X, 2),
    "turns jit": lambda lib: lib.root.jit(turned(lib))(X, 3),
    "jit": lambda lib: through_jit(lib)(X),
    "jit jit": lambda lib: lib.root.jit(through_jit(lib))(X),
    "jit grad": lambda lib: lib.root.grad(through_jit(lib))(X),
}


# Without compilation the third turn asks for a slice that ends beyond the reference, which is an error.
@pytest.mark.parametrize("name", [pytest.param(n, marks=compiling) if n == "turns jit" else n for n in VALUES])
def test_values(name):
    """The numbers are JAX's, however it is run."""
    same(VALUES[name])


@pytest.mark.parametrize("start", [2, np.int32(2), np.array(2), 3])
def test_slices_with_known_starts_lie_inside_of_references(start):
    for m in (jax, adjoint):
        ref = m.new_ref(m.numpy.arange(3.0))
        np.testing.assert_array_equal([1.0, 2.0], ref[m.ds(1, 2)])
        for use in (lambda: ref[m.ds(start, 2)], lambda: ref.__setitem__(m.ds(start, 2), m.numpy.ones(2))):
            with pytest.raises(ValueError, match="Out of bound slice: start="):
                use()
        np.testing.assert_array_equal([0.0, 1.0, 2.0], ref[...])


def test_second_derivatives_and_batches_of_loops():
    """What JAX's rules for references refuse: against the same functions without references."""
    lib = LIBRARIES[0]

    def plain(x):
        r, c, total = 0.0, 1.0, 0.0
        for a in x:
            r = r + a * c
            c = c + r
            total = total + r
        return c * (r + c) + total

    for transform in (adjoint.hessian, adjoint.vmap, lambda f: adjoint.jit(adjoint.vmap(adjoint.grad(f)))):
        x = X if transform is adjoint.hessian else np.stack([X, X + 1, -X])
        np.testing.assert_allclose(transform(looped(lib))(x), transform(plain)(x), rtol=2e-5)


def test_references_outside_are_changed():
    """By eager code, jitted calls, loops and mapped functions."""

    def make(lib):
        r = lib.root.new_ref(lib.np.zeros((2, 3)))
        seen = []
        r[0] = lib.np.ones(3)
        seen.append(r[...])
        lib.root.jit(lambda r, i: lib.ref.set(r, (i, 1), 5.0))(r, 1)
        seen.append(r[...])
        lib.lax.fori_loop(0, 3, lambda i, _: lib.ref.addupdate(r, (0, i), 2.0), None)
        seen.append(r[...])
        lib.root.vmap(lambda row, x: lib.ref.set(row, 0, x))(r, np.array([7.0, 8.0], "f"))
        seen += [r[...], r[:, 1:], lib.root.vmap(lambda i: r[i])(np.arange(2))]
        return seen

    same(make)


def positions(lib, r, i, j):
    """Every form of an index, in and out of range."""
    ds = lib.root.ds
    r[0], r[:, 1], r[1:3, i], r[i, j], r[ds(i, 2)], r[0, ds(i, 2)], r[1:], r[..., 0], r[i + 1]
    r[0, 0] = 1.0
    r[1] = lib.np.ones(4)
    r[i, 1:3] = lib.np.zeros(2)
    lib.ref.addupdate(r, (i, slice(1, 3)), lib.np.ones(2))
    lib.ref.set(r, None, lib.np.ones((3, 4)))
    return lib.ref.swap(r, (1,), lib.np.zeros(4))


JAXPRS = {
    "positions": lambda lib: lib.root.make_jaxpr(lambda r, i, j: positions(lib, r, i, j))(
        lib.root.new_ref(np.ones((3, 4), "f")), 1, 2),
    "loop": lambda lib: lib.root.make_jaxpr(looped(lib))(X),
    "closed": lambda lib: lib.root.make_jaxpr(partial(lib.ref.get, lib.root.new_ref(X), 0))(),
    "empty": lambda lib: lib.root.make_jaxpr(
        lambda: lib.root.empty_ref(lib.root.ShapeDtypeStruct((2,), "float32"))[...])(),
    "while": lambda lib: lib.root.make_jaxpr(lambda r: lib.lax.while_loop(
        lambda c: c < 3.0, lambda c: (lib.ref.set(r, 0, c), c + 1.0)[1], 0.0))(lib.root.new_ref(X)),
    "window": lambda lib: lib.root.make_jaxpr(lambda x, i: x[lib.root.ds(i, 2)])(X, 1),
}


@pytest.mark.parametrize("name", JAXPRS)
def test_jaxprs(name):
    """Programs with references print as JAX's."""
    ours, theirs = [str(JAXPRS[name](lib)) for lib in LIBRARIES]
    assert theirs == ours


ERRORS = {
    "dtype": (lambda lib, r: lib.ref.set(r, 0, 1), ValueError, "Invalid dtype for `swap`. Ref dtype: float32"),
    "shape": (lambda lib, r: lib.ref.set(r, None, 1.0), ValueError, r"Invalid shape for `swap`. Ref shape: \(3,\)"),
    "range": (lambda lib, r: r[7], ValueError, "Out of bound indexer: idx=7, dim=3."),
    "operator": (lambda lib, r: r * 2, TypeError, "unsupported operand type"),
    "init": (lambda lib, r: lib.root.new_ref("a"), TypeError, "The problematic value is of type <class 'str'>"),
    "result": (lambda lib, r: lib.root.jit(lambda: lib.root.new_ref(X))(), ValueError,
               r"returned a mutable array reference of type Ref\{float32\[3\]\}"),
    "twice": (lambda lib, r: lib.root.jit(lambda a, b: a[...])(r, r), ValueError, "only one reference"),
    "tangent": (lambda lib, r: lib.root.grad(lambda y: (lib.ref.set(r, 0, y), y)[1])(3.0), Exception,
                "differentiated value on a non-differentiated array reference"),
    "batch": (lambda lib, r: lib.root.vmap(lambda y: lib.ref.set(r, 0, y))(X), Exception,
              "vmapped value on an unbatched array reference"),
}


@compiling
@pytest.mark.parametrize("reverse", [False, True])
def test_scan_runs_over_a_reference(reverse):
    """Each turn has a row, which it may write; also with arrays beside it, in `jit`, and as a Python loop."""

    def make(lib, run):
        ref, count = lib.root.new_ref(lib.np.ones((3, 2))), lib.root.new_ref(lib.np.zeros(()))

        def body(c, row):
            row[0][0] += c * row[1]
            count[...] += 1.0
            return c + row[0][1], row[0][...]

        out = run(lambda ref, xs: lib.lax.scan(body, 0.0, (ref, xs), reverse=reverse))(ref, lib.np.arange(3.0))
        return out, ref[...], count[...]

    same(lambda lib: make(lib, lambda f: f))
    same(lambda lib: make(lib, lib.root.jit))
    with adjoint.disable_jit():
        plain = make(LIBRARIES[0], lambda f: f)
    jax.tree.map(np.testing.assert_allclose, plain, make(LIBRARIES[0], lambda f: f))


def test_cotangents_are_added_to_references():
    """`with_refs`: a reference gets them, `GradValue` returns them, `DontWant` drops them."""

    def make(lib):
        ref, ad = lib.root.new_ref(lib.np.ones(3)), lib.root.ad
        _, pull = lib.root.vjp(lambda p, x: lib.np.sin(p["a"]) * x * p["b"], {"a": X, "b": 2.0}, X)
        wanted = {"a": ref, "b": ad.GradValue()}
        first, nothing = pull.with_refs(wanted, ad.DontWant())(X)
        assert (ad.GradRef(), ad.DidntWant()) == (first["a"], nothing) and repr(nothing) == "DidntWant()"
        lib.root.jit(lambda pull, ref: pull.with_refs({"a": ref, "b": ad.DontWant()}, ad.DontWant())(X)[:0])(pull, ref)
        return first["b"], ref[...]

    ours, theirs = [jax.tree.map(np.asarray, make(lib)) for lib in LIBRARIES]
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6), ours, theirs)


@pytest.mark.parametrize("transform", [lambda lib: lib.root.grad(lambda r: r[...] ** 2),
                                       lambda lib: lambda r: lib.root.vjp(lambda r: r[...] ** 2, r)[1](1.0)])
def test_references_are_not_differentiated(transform):
    for lib in LIBRARIES:
        with pytest.raises(ValueError, match=r"Expected cotangent type Ref\{float32\[\]\} but got float32\[\]"):
            transform(lib)(lib.root.new_ref(2.0))


def test_compiled_programs_write_many_times_in_place():
    """Ten thousand writes to an array of ten thousand: by copies they would take a second, and 400 MB each way."""
    ref = adjoint.new_ref(np.ones(10000, "f"))

    @adjoint.jit
    def run(ref):
        def body(i, c):
            ref[i] = ref[i] * 2 + i
            return c + ref[i]

        return adjoint.lax.fori_loop(0, 10000, body, 0.0)

    np.testing.assert_allclose(np.arange(10000.0).sum() + 20000, run(ref), rtol=1e-3)
    assert (np.arange(10000) + 2.0).tolist() == ref[...].tolist()


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    """Mistakes are told as JAX tells them."""
    run, kind, text = ERRORS[name]
    for lib in LIBRARIES:
        with pytest.raises(kind, match=text):
            run(lib, lib.root.new_ref(X))


def test_windows_of_arrays():
    """`ds` in the index of an array, read and updated."""

    def make(lib):
        ds, x = lib.root.ds, lib.np.arange(12.0).reshape(3, 4)
        read = lambda x, i: (x[ds(i, 2)], x[0, ds(i, 2)], x[..., ds(i, 2, 2)], x[ds(i, 2), np.array([0, 1])])
        write = lambda x, i: (x.at[ds(i, 2)].set(7.0), x.at[ds(i, 2), 1].add(1.0), x.at[..., ds(i, 2, 2)].set(0.0))
        return read(x, 1), lib.root.jit(read)(x, 1), write(x, 1), lib.root.jit(write)(x, 0)

    same(make)


def test_what_a_reference_is():
    """Its type, its printing, its members."""
    for lib in LIBRARIES:
        r = lib.root.new_ref(np.ones((2, 2), "f"))
        assert "Ref([[1., 1.],\n       [1., 1.]], dtype=float32)" == repr(r)
        assert "Ref{float32[2,2]}" == str(lib.root.typeof(r)) and ((2, 2), 2, 4, 2) == (r.shape, r.ndim, r.size, len(r))
        assert not isinstance(r, lib.root.Array) and isinstance(r, lib.root.Ref)
        assert [r] == lib.root.tree.leaves((r,)) and r.dtype == np.float32


def test_a_compiled_function_changes_its_reference():
    def program(root):
        ref = root.new_ref(np.zeros(3, "f"))
        f = root.jit(lambda r: r.__setitem__(Ellipsis, r[...] + 1.0))
        f.lower(ref).compile()(ref)
        return ref[...]

    np.testing.assert_array_equal(program(adjoint), program(jax))


def test_a_function_with_rules_of_its_own_makes_a_reference():
    def program(root):
        def copied(x):
            ref = root.new_ref(root.numpy.zeros_like(x))
            ref[...] = x
            return ref[...]

        f = root.custom_vjp(copied)
        f.defvjp(lambda x: (x, None), lambda _, ct: (ct * 3,))
        row = np.arange(2, dtype="f")
        mapped = root.jit(root.vmap(root.grad(f)))(row)
        return [root.jit(f)(3.0), root.grad(root.jit(f))(3.0), root.vmap(f)(row), mapped]

    for a, b in zip(program(adjoint), program(jax)):
        np.testing.assert_array_equal(a, b)


def test_references_that_rules_must_not_have():
    def twice(root):
        f = root.custom_vjp(lambda a, b: a[...] + b[...])
        f.defvjp(lambda a, b: (a[...], None), lambda r, g: (None, None))
        ref = root.new_ref(1.0)
        return f(ref, ref)

    def made(root, residual):
        f = root.custom_vjp(lambda x: x)
        out = lambda x: (x, root.new_ref(x)) if residual else (root.new_ref(x), None)
        f.defvjp(out, lambda r, g: (g,))
        return root.grad(f)(1.0)

    def carried(root):
        ref = root.new_ref(1.0)
        return root.lax.scan(lambda c, _: (c, ref[...]), ref, None, length=2)

    for program in (twice, lambda r: made(r, True), lambda r: made(r, False), carried):
        for root in (adjoint, jax):
            with pytest.raises(ValueError):
                program(root)


def test_types_of_references_have_a_sharding():
    for root in (adjoint, jax):
        assert root.typeof(root.new_ref(1.0)).sharding.spec == root.P()


def test_anything_else_than_a_reference_asks_for_the_value():
    for root in (adjoint, jax):
        total = root.new_ref(np.float32(1))
        pull = root.vjp(lambda x, y: x * y, 2.0, 3.0)[1]
        assert float(pull.with_refs(total, object())(1.0)[1]) == 2.0 and float(total[...]) == 4.0


# ---- rules of functions that are given references ------------------------------------------------


def rows(root, ref, stash, x):
    return root.lax.scan(lambda c, r: (stash(r, root.numpy.sin(c)), None), x, ref)[0]


def turns(root, ref, stash, x):
    return root.lax.scan(lambda c, _: (stash(ref, root.numpy.sin(c)), None), x, None, length=3)[0]


PROGRAMS_THAT_STASH = {
    "once": lambda root, ref, stash, x: root.numpy.sin(stash(ref, root.numpy.sin(x))),
    "twice": lambda root, ref, stash, x: stash(ref, root.numpy.sin(stash(ref, root.numpy.sin(x)))),
    "scan": turns,
    "rows": rows,
    "checkpoint": lambda root, ref, stash, x: root.checkpoint(lambda x: x * stash(ref, root.numpy.sin(x)))(x),
    "jit": lambda root, ref, stash, x: root.jit(lambda x: x * stash(ref, root.numpy.sin(x)))(x),
}
STAGES_THAT_STASH = {
    "grad": lambda root, f: root.grad(f, 1),
    "grad of jit": lambda root, f: root.grad(root.jit(f), 1),
    "jit of grad": lambda root, f: root.jit(root.grad(f, 1)),
    "jit of grad of jit": lambda root, f: root.jit(root.grad(root.jit(f), 1)),
    "vjp of jit": lambda root, f: lambda ref, x: root.vjp(lambda x: root.jit(f)(ref, x), x)[1](2.0),
    "jit": lambda root, f: root.jit(f),
}


@compiling
@pytest.mark.parametrize("stage", STAGES_THAT_STASH)
@pytest.mark.parametrize("name", PROGRAMS_THAT_STASH)
def test_a_backward_rule_writes_to_a_reference(name, stage):
    def answers(root):
        @root.custom_vjp
        def stash(ref, x):
            return x

        def backward(ref, g):
            ref[...] += g
            return None, g

        stash.defvjp(lambda ref, x: (x, ref), backward)
        ref = root.new_ref(root.numpy.zeros(3 if name == "rows" else ()))
        program = STAGES_THAT_STASH[stage](root, lambda ref, x: PROGRAMS_THAT_STASH[name](root, ref, stash, x))
        return [np.asarray(a) for x in (1.0, 0.5) for a in (root.tree.leaves(program(ref, x))[0], ref[...])]

    for ours, theirs in zip(answers(adjoint), answers(jax), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-6)


@pytest.mark.parametrize("stage", [lambda root, f: f, lambda root, f: root.jit(f)])
def test_rules_read_and_write_references_that_are_arguments_or_closed_over(stage):
    def answers(root):
        log, scale = root.new_ref(root.numpy.zeros(())), root.new_ref(root.numpy.float32(2))

        @root.custom_vjp
        def scaled(ref, x):
            return x * ref[...] * scale[...]

        def forward(ref, x):
            log[...] = x
            return scaled(ref, x), ref

        scaled.defvjp(forward, lambda ref, g: (None, g * ref[...] * scale[...]))
        ref = root.new_ref(root.numpy.float32(3))
        f = stage(root, scaled)
        found = [f(ref, 1.0), root.grad(f, 1)(ref, 1.0), log[...]]
        ref[...] = 5.0
        return [float(x) for x in (*found, root.grad(f, 1)(ref, 4.0), log[...], root.jit(root.grad(f, 1))(ref, 6.0))]

    assert answers(adjoint) == answers(jax)


STAGES_OVER_A_CLOSED_REFERENCE = {
    "grad": lambda root, f: root.grad(f),
    "vmap": lambda root, f: lambda x: root.vmap(f)(root.numpy.full(2, x)),
    "jvp": lambda root, f: lambda x: root.jvp(f, (x,), (x,))[1],
    "scan": lambda root, f: lambda x: root.lax.scan(lambda c, _: (f(c), None), x, None, length=2)[0],
    "cond": lambda root, f: root.grad(lambda x: root.lax.cond(x > 0, f, lambda x: x, x)),
    "checkpoint": lambda root, f: root.grad(root.checkpoint(f)),
    "jit": lambda root, f: root.grad(root.jit(f)),
    "hessian": lambda root, f: root.hessian(root.jit(lambda x: f(x) * x)),
}


@pytest.mark.parametrize("stage", STAGES_OVER_A_CLOSED_REFERENCE)
def test_a_compiled_program_reads_what_a_closed_reference_holds_now(stage):
    def answers(root):
        ref = root.new_ref(root.numpy.float32(2))
        f = root.jit(STAGES_OVER_A_CLOSED_REFERENCE[stage](root, lambda x: x * ref[...]))
        found = []
        for value in (2.0, 5.0):
            ref[...] = value
            found.append(np.asarray(f(root.numpy.float32(3))).tolist())
        return found

    assert answers(adjoint) == answers(jax)


@pytest.mark.parametrize("stage", ["eager", "jit of grad", "grad of jit", "jit of grad of jit"])
def test_rules_write_to_closed_references(stage):
    def answers(root):
        log = root.new_ref(root.numpy.zeros(2))

        @root.custom_vjp
        def f(x):
            return x * x

        def forward(x):
            log[0] += x
            return f(x), x

        def backward(x, g):
            log[1] += g
            return (2 * x * g,)

        f.defvjp(forward, backward)
        program = root.grad(root.jit(f) if stage.endswith("of jit") else f)
        program = root.jit(program) if stage.startswith("jit") else program
        return [float(program(x)) for x in (2.0, 3.0)], log[...].tolist()

    assert answers(adjoint) == answers(jax)


WRITTEN = {
    "int": 2, "float": 2.0, "bool": True, "complex": 2j, "negative": -1, "large": 300, "float64": np.float64(2),
    "int64": np.int64(2), "int8": np.int8(2), "float32": np.float32(2), "array": np.array(2.0), "bools": np.array(True),
}


@pytest.mark.parametrize("dtype", ["bfloat16", "float32", "int32", "int8", "uint8", "bool", "complex64"])
@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize("write", ["set", "addupdate"])
def test_what_may_be_written_to_a_reference_of_another_width(dtype, jitted, write):
    def answers(root):
        found = []
        for value in [*WRITTEN.values(), root.numpy.asarray(2), root.numpy.asarray(2.0), root.numpy.bfloat16(2)]:
            ref = root.new_ref(root.numpy.zeros((), dtype))
            f = lambda r, value=value: getattr(root.ref, write)(r, ..., value)
            try:
                (root.jit(f) if jitted else f)(ref)
                found.append(complex(ref[...].astype("complex64")))
            except ValueError as error:
                found.append(str(error).split(".")[0])
        return found

    assert answers(adjoint) == answers(jax)


WEAK = {
    "read": lambda root, half: half * root.new_ref(3.0)[...],
    "jitted": lambda root, half: root.jit(lambda: half * root.new_ref(3.0)[...])(),
    "an argument": lambda root, half: root.jit(lambda r: half * r[...])(root.new_ref(3.0)),
    "frozen": lambda root, half: root.freeze(root.new_ref(2)),
    "swapped": lambda root, half: root.ref.swap(root.new_ref(1.0), ..., 2.0),
    "strong": lambda root, half: half * root.new_ref(root.numpy.float32(3))[...],
}


def written(root, write):
    ref = root.new_ref(1.0)
    write(ref)
    return ref[...]


WEAK |= {
    "written": lambda root, half: written(root, lambda r: r.__setitem__(..., root.numpy.float32(2))),
    "added to": lambda root, half: written(root, lambda r: root.ref.addupdate(r, ..., root.numpy.float32(2))),
    "written by a program": lambda root, half: written(root, root.jit(lambda r: r.__setitem__(..., 2.0))),
    "written in a loop": lambda root, half: written(
        root, lambda r: root.lax.fori_loop(0, 3, lambda i, c: (r.__setitem__(..., r[...] + i), c)[1], 0)),
}


@pytest.mark.parametrize("name", WEAK)
def test_references_keep_the_weak_type_of_what_they_were_made_of(name):
    def answer(root):
        out = WEAK[name](root, root.numpy.bfloat16(2))
        return out.dtype.name, bool(out.weak_type), float(out)

    assert answer(adjoint) == answer(jax)


OPERANDS = {
    "a function": lambda lib, r: lib.np.sin(r),
    "a sum": lambda lib, r: lib.np.sum(r),
    "a binary function": lambda lib, r: lib.np.add(r, 1),
    "a list": lambda lib, r: lib.np.concatenate([r, r]),
    "a shape": lambda lib, r: lib.np.reshape(r, 3),
    "a choice": lambda lib, r: lib.np.where(r, 1, 2),
    "a compiled function": lambda lib, r: lib.root.jit(lib.np.sin)(r),
    "a primitive": lambda lib, r: lib.lax.sin(r),
    "two primitives": lambda lib, r: lib.lax.add(r, 1.0),
}


@pytest.mark.parametrize("name", OPERANDS)
def test_a_reference_is_no_operand(name):
    """It is read first, `ref[...]`; the class of the error is JAX's."""
    classes = []
    for lib in LIBRARIES:
        with pytest.raises((TypeError, ValueError)) as caught:
            OPERANDS[name](lib, lib.root.new_ref(lib.np.arange(3.0)))
        classes.append(caught.type)
        if lib.root is adjoint:
            assert "ref[...]" in str(caught.value)
    assert classes[0] is classes[1]


@pytest.mark.parametrize("root", [adjoint, jax], ids=["ours", "jax"])
def test_what_is_no_reference_is_refused_by_name_and_an_array_is_its_own_value(root):
    ref, x = module_of(root, "ref"), module_of(root, "numpy").ones(3)
    for call, name in [
        (lambda: ref.get(x, 0), "ref_get"), (lambda: ref.swap(x, 0, 1.0), "ref_swap"),
        (lambda: ref.set(x, 0, 1.0), "ref_set"), (lambda: ref.addupdate(x, 0, 1.0), "ref_addupdate"),
    ]:
        with pytest.raises(ValueError, match=rf"Can only call `{name}` on a `Ref`"):
            call()
    assert np.asarray(root.freeze(x)).tolist() == [1.0, 1.0, 1.0]
    assert root.free_ref(x) == root.free_ref(root.new_ref(x)) == ()
    for f in (root.free_ref, root.freeze, root.new_ref):
        with pytest.raises(TypeError, match="Error interpreting argument to"):
            f("a")


@pytest.mark.parametrize("root", [adjoint, jax], ids=["ours", "jax"])
def test_a_position_that_is_known_is_checked_also_where_it_is_an_array(root):
    jnp = module_of(root, "numpy")
    r = root.new_ref(jnp.arange(3.0))
    for index in (7, jnp.array(7)):
        with pytest.raises(ValueError, match="Out of bound indexer: idx=7, dim=3"):
            r[index]
        with pytest.raises(ValueError, match="Out of bound indexer: idx=7, dim=3"):
            r[index] = 1.0
    assert float(r[jnp.array(-1)]) == 2.0
    with pytest.raises(ValueError, match="Only one ellipsis is supported"):
        r[..., ...]


@pytest.mark.parametrize("root", [adjoint, jax], ids=["ours", "jax"])
def test_a_mapped_function_may_return_references_that_it_made(root):
    jnp = module_of(root, "numpy")

    def make(x):
        r = root.new_ref(x)
        r[0] = 5.0
        return {"ref": r, "sum": x.sum()}

    made = root.vmap(make)(jnp.arange(6.0).reshape(2, 3))
    assert np.asarray(made["ref"][...]).tolist() == [[5.0, 1.0, 2.0], [5.0, 4.0, 5.0]]
    assert np.asarray(made["sum"]).tolist() == [3.0, 12.0]
    made["ref"][1, 2] = 9.0
    assert np.asarray(root.freeze(made["ref"])).tolist() == [[5.0, 1.0, 2.0], [5.0, 4.0, 9.0]]
    assert root.vmap(lambda x: root.new_ref(1.0))(jnp.ones(3)).shape == (3,)


def test_a_mapped_function_returns_references_where_types_are_registered_with_vmap():
    class Kind:
        """No value is of this type."""

    batching.register_vmappable(Kind, Kind, Kind, lambda *_: None, lambda *_: None, None)
    try:
        made = adjoint.vmap(lambda x: (x, adjoint.new_ref(x * 2)))(adjoint.numpy.arange(3.0))
        assert made[1][...].tolist() == [0.0, 2.0, 4.0]
    finally:
        batching.unregister_vmappable(Kind)


@compiling
def test_a_reference_cannot_be_donated():
    for root in (adjoint, jax):
        r = root.new_ref(module_of(root, "numpy").ones(3))
        with pytest.raises(RuntimeError, match="INVALID_ARGUMENT.* is already aliased with one output"):
            root.jit(lambda r: r[...], donate_argnums=0)(r)


@pytest.mark.parametrize("index, fault", [
    ("m3", r"index 0: got \(3,\), expected \[4\]"), ("..., m3", r"index 1: got \(3,\), expected \[4\]"),
    ("0, m3", r"index 1: got \(3,\), expected \[4\]"), ("m34", r"index 0: got \(3, 4\), expected \[2, 4\]"),
])
def test_a_mask_has_the_shape_of_what_it_picks_from(index, fault):
    """Positions of another shape would be picked instead. JAX has the same text where an inner function does it."""
    masks = {"m3": np.array([True, False, True]), "m34": np.ones((3, 4), bool)}
    ref = adjoint.new_ref(np.zeros(4 if index == "m3" else (2, 4), "f"))
    for read in (lambda: eval(f"ref[{index}]", masks, dict(ref=ref)),
                 lambda: adjoint.jit(lambda r: eval(f"r[{index}]", masks, dict(r=r)))(ref)):
        with pytest.raises(IndexError, match=fault):
            read()


@pytest.mark.parametrize("transform", ["grad", "jvp", "vmap", "jit"])
def test_a_reference_that_has_left_its_transformation_is_refused(transform):
    """Also where it is only read as it is, or written to."""
    for lib in LIBRARIES:
        left = []
        make = lambda x, left=left, lib=lib: (left.append(lib.root.new_ref(x)), x)[1]
        if transform == "jvp":
            lib.root.jvp(make, (1.0,), (1.0,))
        else:
            getattr(lib.root, transform)(make)(np.ones(2, "f") if transform == "vmap" else np.float32(1))
        for use in (lambda r: r[...], lambda r: r.__setitem__(..., np.float32(1)), lib.ref.freeze,
                    lambda r, lib=lib: lib.ref.addupdate(r, ..., np.float32(1))):
            with pytest.raises(lib.root.errors.UnexpectedTracerError):
                use(left[0])


def test_booleans_are_added_up():
    for lib in LIBRARIES:
        ref = lib.root.new_ref(np.array([False, True, False]))
        lib.ref.addupdate(ref, 0, True)
        lib.ref.addupdate(ref, ..., np.array([False, True, False]))
        assert np.asarray(ref[...]).tolist() == [True, True, False]


def test_a_reference_has_the_format_of_its_array():
    x = adjoint.numpy.arange(3)
    assert adjoint.new_ref(x).format == x.format


@pytest.mark.parametrize("check_vma", [True, False])
@pytest.mark.parametrize("call", [lambda lib, f: f, lambda lib, f: lib.jit(f)], ids=["called", "jit"])
def test_an_explicit_mesh_takes_references(check_vma, call):
    """The type of a reference has the spec of what it holds."""
    mesh = adjoint.make_mesh((1,), ("i",))

    def f(ref, u):
        ref[1] = u + ref[0]
        return u

    ref = adjoint.new_ref(adjoint.numpy.arange(4.0))
    whole = adjoint.P()
    f = adjoint.shard_map(f, mesh=mesh, in_specs=(whole, whole), out_specs=whole, check_vma=check_vma)
    assert call(adjoint, f)(ref, adjoint.numpy.float32(2)) == 2
    assert ref[...].tolist() == [0, 2, 2, 3]
