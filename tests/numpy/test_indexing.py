"""`x[idx]`, `x.at[idx]` and the functions that select by position, beside real JAX."""

from __future__ import annotations

import inspect
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lax.parity import answers, arguments, assert_same, same, same_jaxpr, same_types, together
from tests.modes import unchecked
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.array.array import as_array

their_numpy = jax.numpy

X = np.arange(12, dtype=np.float32).reshape(3, 4)
Y = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
I = np.array([0, 2], np.int32)
K = np.array(1, np.int32)
M = np.array([True, False, True])

# Of x (3, 4), y (2, 3, 4), i (2,), k ().
INDEXINGS = {
    text: eval(f"lambda m, x, y, i, k: {text}")
    for text in """
        x[1] x[-1] x[1,2] x[-1,-1] x[5] x[-5] x[5,7] x[:,5] x[1:3] x[2:1] x[10:20] x[-100:100]
        x[1::2] x[::-1] x[::-2] x[3:1:-1] x[0,::-2] x[::-1,::-1] x[1:3,::2] x[...,0] x[...] x[()]
        x[None] x[:,None] x[None,1] x[1:2,...,None,0] y[0,:,None,1] y[:,0] x[np.int64(1)]
        x[np.uint8(1)] x[np.array(5)] x[np.int64(0):np.uint8(2)] x[k] x[k,1:] x[:,k] x[k,k] x[1,k]
        x[k,::-1] x[k,::2] x[k,None] x[None,k] x[k,:,None] y[k,1,:] y[k,:,1] y[:,k,:2] y[k,...,k]
        x[k.astype('int8')] x[k.astype('uint32')] x[k-5] x[k+9] x[i] x[:,i] x[i,i] x[i,1] x[1,i]
        x[k,i] x[i,-1] x[i,9] x[i,-9] x[i,None] x[i,:,None] x[i,None,i] x[None,i,::-1] x[i,1:3]
        x[1:,i] x[i,::2] x[i,::-2] x[i[:,None],i] x[i+2] x[i-4] x[i.astype('int8')]
        x[i.astype('uint8')] y[i,:,i] y[0,:,i] y[:,i,i] y[:,0,i] y[k,:,i] y[...,i] y[1,...,i]
        y[:,:,i,None] y[::2,i] y[i,::2,1] y[::-1,i,1:] x[np.array([0,-1])] x[np.array([7,-7])]
        x[[0,1],:] x[(0,1),] x[[k,0],:] x[np.array([],int)] x[np.zeros((0,2),int)] x[True]
        x[False] x[True,1] x[1,True] x[M] x[M,1] x[M,i] x[M,::2] x[M,np.array([0,1])]
        x[:,np.array([True,False,True,True])] x[np.ones((3,4),bool)] y[:,np.ones((3,4),bool)]
        x[M,None]
    """.split()
}


@together
def test_indexing_gives_what_jax_gives():
    """Evaluated now and compiled."""
    for program in INDEXINGS.values():
        same(program, X, Y, I, K, rtol=0)


def test_integers_on_both_sides_of_an_ellipsis_do_not_stand_together():
    """Also where it stands for no axis: theirs come first, as in NumPy."""
    places = (None, I, ..., I), (I, None, ..., 1), (None, M, ..., I[:1]), (slice(None, None, 2), None, I, ..., I)
    for place in places:
        operand = Y if len(place) == 5 else X
        expected = operand[tuple(place)]
        np.testing.assert_array_equal(adjoint.jit(lambda a, place=place: a[place])(operand), expected)
        np.testing.assert_array_equal(as_array(operand).at[place].get(), expected)


# What JAX also writes as we do; elsewhere we leave out equations that compute constants.
SAME_JAXPR = """
    x[1] x[-1] x[1,2] x[1:3] x[2:1] x[10:20] x[-100:100] x[1::2] x[::-1] x[::-2] x[3:1:-1]
    x[0,::-2] x[::-1,::-1] x[1:3,::2] x[...,0] x[...] x[()] x[None] x[:,None] x[None,1]
    x[1:2,...,None,0] y[0,:,None,1] y[:,0] x[i] x[:,i] x[i,i] x[i,None] x[i,:,None] x[i,None,i]
    x[i,1:3] x[1:,i] y[i,:,i] y[:,i,i] y[...,i] x[k,k] x[i.astype('int8')] y[:,:,i,None]
""".split()


@pytest.mark.parametrize("text", SAME_JAXPR)
def test_jaxprs_of_common_forms_are_those_of_jax(text):
    same_jaxpr(INDEXINGS[text], X, Y, I, K)


def test_jaxpr_of_a_traced_position():
    """One axis: exactly JAX's equations. More: starts of whole axes are written as constants."""
    same_jaxpr(lambda m, v, k: v[k], X[0], K)
    text = str(adjoint.make_jaxpr(lambda x, k: x[k])(as_array(X), as_array(K)))
    assert "dynamic_slice[slice_sizes=(1, 4)] a e 0:i32[]" in text


ERRORS = {
    text: eval(f"lambda m, x, y, i, k: {text}")
    for text in """
        x[1.0] x['a'] x[[0,1]] x[[True,False,True]] x[[]] x[range(2)] x[np.ones((3,4,1),bool)]
        x[np.ones(4,bool)] x[...,...] x[1,2,3] x[i,i,i] x[i.astype(float)] x[np.array([0.,1.])]
        x[{}] x[::0] x[np.array(['a'])] x[np.array([0,1]),np.array([0,1,2])] x[:0][0] x[:0][k]
        x[:0][i] x[:,:0][0,1]
    """.split()
}
TRACED_ERRORS = {
    text: eval(f"lambda m, x, y, i, k: {text}")
    for text in "x[x>3] x[k>0] x[i>0] x.at[x>3].set(x) x.at[x>3,i].set(0)".split()
}


@pytest.mark.parametrize("text", [*ERRORS, *TRACED_ERRORS])
def test_errors_of_traced_indexing(text):
    """The class and the first line agree."""
    same_types({**ERRORS, **TRACED_ERRORS}[text], X, Y, I, K)


@pytest.mark.parametrize("text", ERRORS)
def test_errors_of_eager_indexing(text):
    """The class and the first line agree without tracing too."""
    found = []
    for m in (jax, adjoint):
        with pytest.raises(Exception) as error:
            ERRORS[text](m, *arguments(m, (X, Y, I, K)))
        found.append((type(error.value).__name__, str(error.value).split("\n")[0]))
    assert found[0] == found[1]


@pytest.mark.parametrize("bounds", ["k:", ":k", "::k", "0:2, k:"])
def test_traced_slice_bounds_are_refused(bounds):
    """IndexError that says which entry, and what to write."""
    for m in (jax, adjoint):
        with pytest.raises(IndexError, match="Slice entries must be static integers") as error:
            m.jit(lambda x, k: eval(f"x[{bounds}]"))(*arguments(m, (X, K)))
    assert "dynamic_slice" in str(error.value)


def test_static_indices_can_be_checked():
    """With the option an int that is out of range raises, where it would be moved inside."""
    x = as_array(X)
    with adjoint.config.state("jax_check_static_indices")(True):
        for idx in (5, -5, (0, 7), (5, as_array(I))):
            with pytest.raises(IndexError, match=r"out of bounds for axis \d with size \d"):
                x[idx]
        with pytest.raises(IndexError, match="index 5 out of bounds for axis 0 with size 3"):
            adjoint.jit(lambda x: x[5])(x)
        assert np.isnan(x.at[5].get(mode="fill")._value).all()
        assert x.at[5].get(mode="clip")._value.tolist() == X[2].tolist()
        assert x.at[5].set(1.0)._value.tolist() == X.tolist()


# ---- x.at ----------------------------------------------------------------------------------------

METHODS = ("set", "add", "subtract", "multiply", "mul", "divide", "min", "max", "power")
PLACES = """
    1 -1 5 -5 (1,2) (k,1) k slice(1,3) slice(None,None,2) slice(None,None,-1) slice(2,1) ... ()
    None (...,0) (slice(None),1) i i+2 i-4 (i,i) (i,1) (1,i) (slice(None),i) (i,slice(1,3))
    (i,slice(None,None,-1)) (i,slice(None,None,2)) (i,slice(None),None) np.array([0,-1])
    np.array([0,0]) M (M,1) True False np.array([],int) (np.array([[0],[1]]),i)
""".split()


@pytest.mark.parametrize("place", PLACES)
@together
def test_updates_give_what_jax_gives(place):
    """Every method, at every kind of place, with a scalar and with values of the index's shape."""
    for method in METHODS:

        def scalar(m, x, i, k):
            return getattr(x.at[eval(place)], method)(2.5)

        def values(m, x, i, k):
            ref = x.at[eval(place)]
            return getattr(ref, method)(m.numpy.ones_like(ref.get()) * 1.5)

        same(scalar, X + 1, I, K, rtol=1e-6)
        same(values, X + 1, I, K, rtol=1e-6)


@pytest.mark.parametrize("mode", ["clip", "drop", "fill", "promise_in_bounds"])
@together
def test_modes_of_updates(mode):
    """What happens out of range, with and without counting from the end."""
    for wrap in (True, False):
        for place in ("5", "-1", "-5", "k+4", "i", "i+2", "i-4", "(i,7)", "(1,-2)"):

            def program(m, x, i, k):
                return x.at[eval(place)].add(2.0, mode=mode, wrap_negative_indices=wrap)

            same(program, X, I, K, rtol=0)


@pytest.mark.parametrize("mode", [None, "clip", "fill", "promise_in_bounds"])
@together
def test_modes_of_get(mode):
    for wrap in (True, False):
        for place in "1 5 -1 -5 slice(1,3) k k+4 k-4 i i+2 i-4 (i,7) (k,i)".split():

            def program(m, x, i, k):
                ref = x.at[eval(place)]
                return [
                    ref.get(mode=mode, wrap_negative_indices=wrap),
                    ref.get(mode=mode, fill_value=7, wrap_negative_indices=wrap),
                ]

            same(program, X, I, K, rtol=0)
            same(program, X.astype(np.int32), I, K, rtol=0)


@together
def test_apply_counts_repeated_positions():
    """`func` is applied once for each mention."""
    for place in "1 i np.array([0,0]) (i,1) slice(1,3) ... M np.array([5])".split():

        def program(m, x, i):
            return x.at[eval(place)].apply(lambda v: m.numpy.sin(v) + 1)

        same(program, X, I)


SAME_JAXPR_OF_UPDATES = """
    x.at[1].set(1.) x.at[1,2].mul(3.) x.at[5].set(2.) x.at[1:3].set(0) x.at[:,1].set(0)
    x.at[k].set(0) x.at[i].add(2.) x.at[i].divide(2.) x.at[i].power(2.) x.at[i].min(1.)
    x.at[i].max(1.) x.at[i].subtract(1.) x.at[i].get() x.at[i].get(mode='fill',fill_value=7.)
    x.at[i].get(mode='clip') x.at[i,:].set(x[:2])
    x.at[i].set(1.,mode='drop',unique_indices=True,indices_are_sorted=True)
""".split()


@pytest.mark.parametrize("text", SAME_JAXPR_OF_UPDATES)
def test_jaxprs_of_updates_are_those_of_jax(text):
    same_jaxpr(eval(f"lambda m, x, i, k: {text}"), X, I, K)


def _caught(m, program):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        out = program(m)
    return out, [(w.category, str(w.message)) for w in caught]


@pytest.mark.parametrize(
    "value", [1.5, 2, True, np.float64(2), np.int64(3), np.float32(1)], ids=repr
)
def test_lossy_values_warn(value):
    """The FutureWarning and the result are JAX's."""
    for dtype in (np.int32, np.float32, np.int8):
        program = lambda m: m.numpy.zeros(3, dtype).at[1].set(value)
        theirs, ours = _caught(jax, program), _caught(adjoint, program)
        assert_same(theirs[0], ours[0], 0)
        assert theirs[1] == ours[1]


@pytest.mark.parametrize(
    "text",
    """
    x.at[1].set(np.ones(3)) x.at[1].set(np.ones((1,4))) x.at[M].set(np.ones((3,4)))
    x.at[1].set(1,mode='other') x.at[[0,1]].set(1) x.at[1].set('a') x.at[1].set(None) x.at[1].add()
    x.at[1].set(1.,True) x.at[1].other x.at[1].set(1.,fill_value=3) x[:0].at[0].set(1.)
    (x>0).at[0].add(True)
    """.split(),
)
def test_errors_of_updates(text):
    """The class agrees, and the first line where it is ours to word."""
    found = []
    for m in (jax, adjoint):
        (x,) = arguments(m, (X,))
        with warnings.catch_warnings(), pytest.raises(Exception) as error:
            warnings.simplefilter("ignore")
            eval(text, {"x": x, "np": np, "M": M})
        words = str(error.value).split("\n")[0].rstrip(".").replace(",", "").split()
        found.append((type(error.value).__name__, sorted(words)))  # JAX lists a set, in any order
    assert found[0][0] == found[1][0]
    if "'a'" not in text and "None" not in text:
        assert found[0] == found[1]


@pytest.mark.parametrize("method", ["divide", "power", "multiply", "add", "min"])
def test_updates_of_a_number_and_of_weakly_typed_arrays_are_those_of_jax(method):
    for index in (..., ()):
        theirs, ours = [getattr(m.numpy.asarray(10.0).at[index], method)(2.0) for m in (jax, adjoint)]
        assert (float(theirs), theirs.weak_type, theirs.dtype) == (float(ours), ours.weak_type, ours.dtype)
    weak = [getattr(m.lax.broadcast(m.numpy.asarray(3.0), (3,)).at[1], method)(2.0) for m in (jax, adjoint)]
    assert weak[0].tolist() == weak[1].tolist()
    assert weak[0].weak_type == weak[1].weak_type


def test_representations_and_signatures_of_at():
    """They are JAX's."""
    theirs, ours = jax.numpy.arange(3.0).at, jnp.arange(3.0).at
    assert repr(theirs) == repr(ours)
    assert repr(theirs[1:2, None]) == repr(ours[1:2, None])
    for name in dir(type(theirs[0])):
        if not name.startswith("_") and callable(method := getattr(theirs[0], name)):
            mine, his = [inspect.signature(f).parameters for f in (getattr(ours[0], name), method)]
            assert [(p.name, p.kind, p.default) for p in his.values()] == [
                (p.name, p.kind, p.default) for p in mine.values()
            ]


def test_an_update_leaves_the_array_as_it_was():
    """Also where the index selects a view."""
    x = as_array(X)
    for idx in (0, slice(1, 3), (slice(None), 0), as_array(I)):
        x.at[idx].set(9.0)
        x.at[idx].add(9.0)
    np.testing.assert_array_equal(X, x._value)


def test_indexing_a_deleted_array_raises():
    x = jnp.arange(3.0)
    x.delete()
    for f in (lambda: x[0], lambda: x[jnp.arange(2)], lambda: x.at[0].set(1.0), lambda: list(x)):
        with pytest.raises(RuntimeError, match="deleted"):
            f()


def test_iteration():
    """Parts along the first axis; none for a scalar."""
    assert [p.tolist() for p in jnp.asarray(X)] == X.tolist()
    assert all(isinstance(p, adjoint.Array) and p.dtype == np.int32 for p in jnp.arange(3))
    same(lambda m, x: list(x), X, rtol=0)
    same_jaxpr(lambda m, x: list(x), X)
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        iter(jnp.asarray(1.0))


# ---- derivatives and vmap ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    """
    x[1] x[5] x[::-2] x[:,None] x[k] x[k,1:] x[i] x[i,i] x[i,::2] x[M] x[i-4] x[np.array([0,0,2])]
    """.split(),
)
@together
def test_gradients_of_indexing(text):
    """Reverse mode, second order, and under vmap over the array and the positions."""
    program = eval(f"lambda m, x, i, k: {text}")
    weighed = lambda m, x, i, k: m.numpy.sum(m.numpy.sin(program(m, x, i, k)) ** 2)
    same(lambda m, x, i, k: m.grad(weighed, 1)(m, x, i, k), X, I, K, rtol=1e-5)
    gradient = lambda m, x, i, k: m.grad(weighed, 1)(m, x, i, k)
    same(
        lambda m, x, i, k: m.jvp(lambda x: gradient(m, x, i, k), (x,), (x,)), X, I, K, rtol=1e-5
    )
    batched = np.stack([X, X + 1]), np.stack([I, I[::-1]]), np.array([0, 1], np.int32)
    for axes in ((0, 0, 0), (0, None, None), (None, 0, 0)):
        args = [b if a == 0 else c for a, b, c in zip(axes, batched, (X, I, K))]
        same(
            lambda m, x, i, k: m.vmap(lambda x, i, k: gradient(m, x, i, k), axes)(x, i, k),
            *args, rtol=1e-5,
        )


@pytest.mark.parametrize(
    "place", "1 k slice(0,2) slice(None,None,-1) i (i,i) np.array([0,0]) M".split()
)
@together
def test_gradients_of_updates(place):
    """With respect to the array and the values, and under vmap."""

    def weighed(m, x, v, i, k):
        ref = x.at[eval(place, {"i": i, "k": k, "np": np, "M": M})]
        v = m.numpy.broadcast_to(v, ref.get().shape)
        unique = method == "divide"
        return m.numpy.sum(m.numpy.sin(getattr(ref, method)(v, unique_indices=unique)) ** 2)

    v, axes = np.float32(1.5), (0, 0, None, 0)
    batch = np.stack([X, X + 1]), np.array([1.5, 2.5], np.float32), I, np.array([0, 1], np.int32)
    gradient = lambda m, *xs: m.grad(weighed, (1, 2))(m, *xs)
    for method in ("set", "add", "subtract", "min", "max", "divide"):
        if method == "divide" and place == "np.array([0,0])":  # positions repeat
            continue
        same(gradient, X + 1, v, I, K, rtol=1e-5)
        same(lambda m, *xs: m.vmap(partial(gradient, m), axes)(*xs), *batch, rtol=1e-5)


def test_indexing_a_constant_under_grad_stays_a_view():
    """A concrete array indexed inside of eager transformations is not copied."""
    table = jnp.arange(1000.0)
    seen = []

    def f(x):
        seen.append(table[1:5])
        return x * table[2]

    adjoint.grad(f)(1.0)
    assert np.shares_memory(seen[0]._value, table._value)


# ---- any index -----------------------------------------------------------------------------------


@st.composite
def indexed_shapes(draw):
    """A shape and an index of it."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    entries, block = [], draw(st.sampled_from([(), (2,), (3, 1), (2, 3)]))
    used = draw(st.integers(0, len(shape)))
    dots = draw(st.integers(0, used)) if draw(st.booleans()) else None
    ahead = 0
    for position in range(used):
        if position == dots:
            ahead = len(shape) - used
            entries.append(Ellipsis)
        if draw(st.integers(0, 4)) == 0:
            entries.append(None)
        n = shape[position + ahead]
        kind = draw(st.sampled_from(["int", "slice", "array", "mask"]))
        if kind == "int":
            entries.append(draw(st.integers(-n - 1, n)))
        elif kind == "slice":
            bounds = st.none() | st.integers(-n - 1, n + 1)
            step = draw(st.none() | st.integers(-3, 3).filter(bool))
            entries.append(slice(draw(bounds), draw(bounds), step))
        elif kind == "array":
            lengths = tuple(1 if draw(st.integers(0, 3)) == 0 else m for m in block)
            size = int(np.prod(lengths))
            values = draw(st.lists(st.integers(-n - 1, n), min_size=size, max_size=size))
            entries.append(np.array(values, np.int32).reshape(lengths))
        else:  # as many positions as fit the block, or one
            true = draw(st.integers(0, n - 1))
            mask = np.arange(n) == true
            entries.append(mask)
    return shape, tuple(entries)


def _agree(number, strategy, program):
    """Eager results, or classes of errors, of `program(case, x)` for that many cases of (shape, ...)."""
    cases = []
    settings(max_examples=number)(given(strategy)(lambda case: cases.append(case)))()
    rows = []
    for case in cases:
        f = partial(program, case)
        x = np.arange(np.prod(case[0]), dtype=np.float32).reshape(case[0])
        try:
            jax.eval_shape(f, x)
        except (IndexError, TypeError, ValueError) as error:
            with pytest.raises(type(error)) as ours:
                f(as_array(x))
            assert ours.type is type(error), case
        else:
            rows.append((f, x))
    for (f, x), theirs in zip(rows, answers(rows), strict=True):
        ours = f(as_array(x))._value
        assert (theirs.shape, theirs.dtype) == (ours.shape, ours.dtype), f.args
        np.testing.assert_array_equal(theirs, ours, err_msg=str(f.args))


def test_any_index_reads_what_jax_reads():
    """Eagerly, by NumPy where it can."""
    _agree(80, indexed_shapes(), lambda case, x: x[case[1]])


@settings(max_examples=100)
@given(indexed_shapes())
def test_any_index_reads_the_same_by_primitives(case):
    """What the plan reads is what NumPy reads, modes included."""
    shape, idx = case
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    try:
        expected = as_array(x)[idx]._value
    except (IndexError, ValueError) as error:
        with pytest.raises(type(error)):
            adjoint.jit(lambda x: x[idx])(as_array(x))
        return
    np.testing.assert_array_equal(expected, adjoint.jit(lambda x: x[idx])(as_array(x))._value)
    is_position = lambda e: isinstance(e, int) or getattr(e, "dtype", None) == np.int32
    traced = [e for e in idx if is_position(e)]

    def f(x, traced):
        left = iter(traced)
        return x[tuple([next(left) if is_position(e) else e for e in idx])]

    out = adjoint.jit(f)(as_array(x), [as_array(np.asarray(t, np.int32)) for t in traced])
    np.testing.assert_array_equal(expected, out._value)


def test_any_index_updates_what_jax_updates():
    """Eagerly; `set` with one value, since which of several remains is open."""
    cases = st.tuples(indexed_shapes(), st.sampled_from(["set", "add", "max"])).map(lambda case: (*case[0], case[1]))
    _agree(40, cases, lambda case, x: getattr(x.at[case[1]], case[2])(5.0))


@settings(max_examples=40)
@given(indexed_shapes())
def test_any_index_updates_the_same_by_primitives(case):
    """The scatter writes where NumPy writes."""
    shape, idx = case
    x = as_array(np.arange(np.prod(shape), dtype=np.float32).reshape(shape))
    try:
        expected = x.at[idx].add(5.0)._value
    except (IndexError, ValueError):
        return
    np.testing.assert_array_equal(expected, adjoint.jit(lambda x: x.at[idx].add(5.0))(x)._value)


# ---- functions -----------------------------------------------------------------------------------

TAKES = """
    take(x,i) take(x,i,axis=0) take(x,i,axis=-1) take(x,i,axis=1,mode='clip')
    take(x,i*9-5,axis=0,mode='wrap') take(x,i*9-5,axis=0,mode='clip') take(x,i*9-5,axis=0)
    take(x,i-4,axis=0) take(x,i+2,axis=0,fill_value=3) take(x,k) take(x,50) take(x,-1)
    take(x,True) take(x,x>3) take(x,np.int64(1)) take(x,np.zeros((0,),int)) take(5,0)
    take(x,i.astype('uint8')) take(x[:0],np.array([],int),axis=0) take(x,i[:,None],axis=1)
    take_along_axis(x,i[:,None],0) take_along_axis(x,j,1) take_along_axis(x,j+4,1)
    take_along_axis(x,j-6,1) take_along_axis(x,j+4,1,mode='clip')
    take_along_axis(x,j-1,1,wrap_negative_indices=False) take_along_axis(x,j-9,1,fill_value=7.)
    take_along_axis(x,j.astype('int8'),1,mode='promise_in_bounds',wrap_negative_indices=False)
    take_along_axis(x,i,None) take_along_axis(x[:1],j,1) take_along_axis(x,j[:1],1)
    take_along_axis(y,j[None],-1) take_along_axis(y,y.astype(int)%3,1)
    take_along_axis(x,j.astype('uint8'),1) put_along_axis(x,j[:,:1],9.,1,inplace=False)
    put_along_axis(x,i,9.,None,inplace=False)
    put_along_axis(x,j[:,:1]+3,9.,1,inplace=False,mode='clip')
    put_along_axis(x,j,i,1,inplace=False) ix_(i,k[None]) ix_() diag_indices(3) diag_indices(2,3)
    diag_indices_from(x[:,:3]) unravel_index(i*13-12,(3,4)) unravel_index(i,3) unravel_index(i,())
    unravel_index(i.astype('uint8'),(3,4)) ravel_multi_index((i,i+3),(3,4),mode='clip')
    ravel_multi_index((i,i-3),(3,4),mode='wrap')
    ravel_multi_index((i,i),(3,4),mode='ignore',order='F')
    ravel_multi_index((i,i),(3,4),mode='clip',dtype='int8')
""".split()


@unchecked
@together
def test_functions_give_what_jax_gives():
    """Evaluated now and compiled."""
    j = np.array([[0, 1], [3, 2], [1, 1]], np.int32)
    for text in TAKES:
        same(eval(f"lambda m, x, y, i, j, k: m.numpy.{text}"), X, Y, I, j, K, rtol=0)


def test_ix_takes_known_masks():
    """Which JAX refuses."""
    rows, columns = jnp.ix_(jnp.array([True, False, True]), jnp.array([1]))
    assert (rows.tolist(), columns.tolist()) == ([[0], [2]], [[1]])


def test_unravel_index_of_a_scalar():
    """Positions beyond either end are moved inside."""
    for i, expected in ((5, (1, 1)), (-1, (2, 3)), (100, (2, 3)), (-100, (0, 0))):
        assert tuple(map(int, jnp.unravel_index(i, (3, 4)))) == expected


def test_ravel_multi_index_raises_only_when_it_can():
    """Positions are checked where they are known; a trace cannot."""
    i = jnp.array([0, 2])
    assert jnp.ravel_multi_index((i, i), (3, 4)).tolist() == [0, 10]
    with pytest.raises(ValueError, match="invalid entry in coordinates array"):
        jnp.ravel_multi_index((i, i + 3), (3, 4))
    with pytest.raises(adjoint.errors.ConcretizationTypeError, match="mode='wrap'"):
        adjoint.jit(lambda i: jnp.ravel_multi_index((i, i), (3, 4)))(i)


FUNCTION_ERRORS = """
    take(x,i,mode='raise') take(x,i,mode='foo') take(x,[0,1]) take([1,2],0) take(x,1.)
    take(x,i,axis=2) take(x,i,axis=0,out=x) take(x[:0],i,axis=0) take_along_axis(x,i,0)
    take_along_axis(x,i[:,None],1) take_along_axis(x,x,1) take_along_axis(x,j,2)
    take_along_axis(x,[[0],[1],[2]],1) put_along_axis(x,j,9.,1)
    put_along_axis(x,j,np.arange(3.),1,inplace=False) put_along_axis(x,i,1.,1,inplace=False)
    ix_(x) ix_([0,1]) diag_indices(-1) diag_indices(2,-1) diag_indices_from(x)
    diag_indices_from(i) unravel_index([1,2],(3,4)) ravel_multi_index((i,i),(3,4),order='X')
    ravel_multi_index((i,i),(3,4),mode='X') ravel_multi_index((x,i),(3,4))
    ravel_multi_index(([0,1],[1,2]),(3,4)) ravel_multi_index((1,2),(3,4.))
""".split()


@pytest.mark.parametrize("text", FUNCTION_ERRORS)
def test_errors_of_functions(text):
    """The class and the first line agree."""
    j = np.array([[0, 1], [3, 2], [1, 1]], np.int32)
    same_types(eval(f"lambda m, x, y, i, j, k: m.numpy.{text}"), X, Y, I, j, K)


@pytest.mark.parametrize("rest", ["j,1", "j,1,mode='clip'", "j[:1],1", "j.astype('uint8'),1"])
def test_jaxprs_of_take_along_axis(rest):
    j = np.array([[0, 1], [3, 2], [1, 1]], np.int32)
    same_jaxpr(eval(f"lambda m, x, j: m.numpy.take_along_axis(x,{rest})"), X, j)


def test_signatures():
    """Parameters have JAX's names, kinds and defaults."""
    from adjoint.numpy import indexing

    for name in indexing.__all__:
        theirs, ours = [
            [(p.name, p.kind, p.default) for p in inspect.signature(f).parameters.values()]
            for f in (getattr(their_numpy, name), getattr(jnp, name))
        ]
        assert theirs == ours, name


LOSSY_UPDATES = [
    "x.at[[0, 0]].add(1.5)", "x.at[:2].add(2.5)", "x.at[n.array([0, 0])].subtract(1.5)",
    "x.astype('uint8').at[:2].subtract(1.5)", "(x > 1).at[:2].add(2)", "(x > 1).at[:2].multiply(1.5)",
    "x.at[:2].set(1.5)", "x.at[n.array([0, 3])].max(2.5)", "x.at[5].get(mode='fill')",
]


@pytest.mark.filterwarnings("ignore:scatter inputs have incompatible types:FutureWarning")
@pytest.mark.parametrize("text", LOSSY_UPDATES)
def test_lossy_updates_are_computed_in_the_wider_dtype(text):
    """The sum of two halves is one more, though each alone is lost; the warning is tested above."""
    results = []
    for m in (jax, adjoint):
        x = m.numpy.arange(4)
        try:
            out = eval(text, dict(x=x, n=m.numpy))
            results.append((np.asarray(out).tolist(), out.dtype.name, out.weak_type))
        except TypeError as error:
            results.append(type(error))
    assert results[0] == results[1]


def test_positions_beyond_all_integers_are_out_of_range():
    ours = adjoint.numpy.zeros((2, 2)).at[0, 10**10].set(1.0)
    assert ours.tolist() == [[0, 0], [0, 0]]


N = None
FAULTS = [
    ((slice(1.5, N, 0),), ValueError, "step cannot be zero"), ((slice(1.5, N), slice(N, N, 0)), TypeError, "'float'"),
    ((slice(N, N, 0), slice(1.5, N)), ValueError, "step cannot be zero"), ((slice(N, N, 0), 1.5), TypeError, "Indexer"),
    ((..., ..., slice(N, N, 0)), IndexError, "single ellipsis"), ((..., ..., 1, 1, 1), IndexError, "single ellipsis"),
    (([True, False], slice(1.5, N)), IndexError, "boolean index did not match"),
    ((1, 2, slice(1.5, N)), IndexError, "Too many indices"), ((1, 2, slice(N, N, 0)), IndexError, "Too many indices"),
    (("a", slice(N, N, 0)), TypeError, "string indexing"),
]


@pytest.mark.parametrize("index, error, fault", FAULTS)
def test_of_several_faults_of_an_index_jax_and_we_name_the_same(index, error, fault):
    for m in jax, adjoint:
        with pytest.raises(error, match=fault):
            m.numpy.ones((3, 3))[index]


def test_a_traced_bound_is_named_before_one_of_the_wrong_type():
    for m in jax, adjoint:
        for index in (lambda i: slice(1.5, i)), (lambda i: (slice(1.5, None), slice(i, None))):
            with pytest.raises(IndexError, match="Slice entries must be static integers"):
                m.jit(lambda x, i, index=index: x[index(i)])(np.ones((3, 3), np.float32), 1)


def test_a_scatter_at_an_axis_without_elements_changes_nothing():
    x = jnp.zeros((0, 3))
    assert x.at[0, jnp.array([0, 1])].set(1).shape == (0, 3)
    with pytest.raises(TypeError, match="Slice size at index 0 in gather op is out of range"):
        x[0, jnp.array([0, 1])]
    with pytest.raises(IndexError, match="Too many indices: array is 0-dimensional"):
        jnp.array(1)[np.zeros(0, int)]


def test_nonzero_fills_with_zeros_where_there_are_no_elements():
    assert jnp.nonzero(jnp.zeros(0), size=2, fill_value=7)[0].tolist() == [0, 0]
    assert jnp.nonzero(jnp.zeros(3), size=2, fill_value=7)[0].tolist() == [7, 7]


def test_where_chooses_among_random_keys():
    keys, other = adjoint.random.split(adjoint.random.key(0)), adjoint.random.key(7)
    chosen = jnp.where(jnp.array([True, False]), keys, other)
    assert adjoint.random.key_data(chosen).tolist() == [adjoint.random.key_data(keys)[0].tolist(), [0, 7]]


def test_take_of_no_positions_reads_no_dtype():
    x = adjoint.numpy.arange(6).reshape(2, 3)
    for axis, shape in ((None, (0, 2)), (0, (0, 2, 3)), (1, (2, 0, 2))):
        assert adjoint.numpy.take(x, np.zeros((0, 2)), axis=axis).shape == shape
    with pytest.raises(ValueError, match="integer type"):
        adjoint.numpy.take(x, np.zeros(1))


NARROW = {
    "take": lambda m, x, i: m.numpy.take(x, i), "clip": lambda m, x, i: m.numpy.take(x, i + 4, mode="clip"),
    "item": lambda m, x, i: x[i], "set": lambda m, x, i: x.at[i].set(9),
    "along": lambda m, x, i: m.numpy.take_along_axis(x, i, 0),
    "fill": lambda m, x, i: x.at[i + 4].get(mode="fill", fill_value=-1),
    "window": lambda m, x, i: m.lax.dynamic_slice(x, (i[0],), (2,)),
    "update": lambda m, x, i: m.lax.dynamic_update_slice(x, x[:1] * 5, (i[0],)),
    "gather": lambda m, x, i: m.lax.gather(x, abs(i.astype("int8")).astype(i.dtype)[:, None],
                                           m.lax.GatherDimensionNumbers((), (0,), (0,)), (1,)),
    "scatter": lambda m, x, i: m.lax.scatter_add(x, i[:1, None] + i.dtype.type(2), x[:1] + 5,
                                                 m.lax.ScatterDimensionNumbers((), (0,), (0,))),
}


@pytest.mark.parametrize("name", NARROW)
@pytest.mark.parametrize("dtype", ["int4", "int8"])
def test_positions_of_few_bits_are_positions(name, dtype):
    same(NARROW[name], np.arange(1, 6, dtype=np.int32), np.array([-1, 1]).astype(dtype))


def test_positions_of_few_bits_count_from_the_end_of_long_axes():
    """JAX adds the length in the dtype of the position."""
    x, i = jnp.arange(300), jnp.array([-1], "int4")
    assert x[i].tolist() == adjoint.jit(lambda x, i: x[i])(x, i).tolist() == jnp.take(x, i).tolist() == [299]


WEAK = ["float32(2)", "asarray(2.)", "asarray(2)", "asarray(1j)", "bfloat16(2)", "int8(2)", "asarray(True)"]


@pytest.mark.parametrize("mode", ["standard", "strict"])
@pytest.mark.parametrize("own", ["2.", "2", "1j"])
def test_a_weak_array_is_updated_as_a_strong_one(own, mode):
    """No warning where the values fit its dtype, and no promotion where there is to be none."""
    results = []
    for m in (jax, adjoint):
        x, answers = m.numpy.full(3, complex(own) if own == "1j" else eval(own)), []
        for text in WEAK:
            for method in ("set", "add", "min"):
                values = eval(f"n.{text}", dict(n=m.numpy))
                with m.numpy_dtype_promotion(mode), warnings.catch_warnings(record=True) as given:
                    warnings.simplefilter("always")
                    try:
                        out = getattr(x.at[1:], method)(values)
                        answers.append((np.asarray(out).tolist(), out.dtype.name, out.weak_type))
                    except (TypeError, ValueError) as error:
                        answers.append(type(error).__name__)
                answers[-1] = answers[-1], sorted({w.category.__name__ for w in given})
        results.append(answers)
    assert results[0] == results[1]


@pytest.mark.parametrize("values", [[1.0, 2.0], [1, 2], (1, 2.5), [True, False]], ids=repr)
def test_a_weak_array_takes_lists_of_values(values):
    theirs, ours = [m.numpy.full(3, 1.0).at[:2].set(values) for m in (jax, adjoint)]
    assert ours.tolist() == theirs.tolist() == [*values, 1]
    assert ours.weak_type == theirs.weak_type


@pytest.mark.parametrize("mode", ["clip", "fill"])
def test_what_fills_is_a_scalar(mode):
    for m in (jax, adjoint):
        with pytest.raises(ValueError, match=r"fill_value argument to indexed get\(\) must be a scalar"):
            m.numpy.arange(3).at[m.numpy.array([0, 9])].get(mode=mode, fill_value=m.numpy.ones(2))


SEQUENCES = ["[0, 1]", "[True]", "[]", "[1.5]", "[[0, 1], [1, 2]]", "[0, [1]]", "[[]]", "[slice(None), 0]", "[None]",
             "[...]", "[n.array([0])]", "[n.array(0)]", "['a']", "range(2)"]


@pytest.mark.parametrize("text", SEQUENCES)
def test_a_sequence_is_named_as_a_tuple_or_an_array(text):
    same_types(eval(f"lambda m, x, n=np: x[{text}]"), X)
