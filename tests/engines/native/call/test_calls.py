"""Calls of jitted functions by generated code: the same answers, errors and rules as calls from Python."""

from __future__ import annotations

import dataclasses
import gc
import sys
import threading
import weakref
from collections import OrderedDict, namedtuple

import numpy as np
import pytest
from tests.modes import compiling, standard, unchecked

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.engines.native.call import prepare

Pair = namedtuple("Pair", "x y")

pytestmark = [compiling, unchecked, pytest.mark.usefixtures("native")]


def prepared(function, *args):
    """The function after the two calls that prepare it."""
    jitted = ax.jit(function)
    jitted(*args)
    jitted(*args)
    assert jitted._direct[1].is_valid
    return jitted


def is_direct(call) -> bool:
    """Whether a call runs without the ordinary method."""
    seen = []
    sys.setprofile(lambda frame, event, _: seen.append(frame.f_code.co_name) if event == "call" else None)
    try:
        call()
    finally:
        sys.setprofile(None)
    return "_call" not in seen


def same(a, b) -> None:
    assert ax.tree.structure(a) == ax.tree.structure(b)
    for x, y in zip(ax.tree.leaves(a), ax.tree.leaves(b), strict=True):
        assert ax.typeof(x) == ax.typeof(y)
        x, y = (ax.random.key_data(v) if ax.dtypes.issubdtype(v.dtype, ax.dtypes.prng_key) else v for v in (x, y))
        np.testing.assert_array_equal(x, y)


@ax.tree_util.register_dataclass
@dataclasses.dataclass
class Point:
    x: ax.Array
    y: ax.Array


@ax.tree_util.register_pytree_node_class
class Ring:
    """A tree whose flattening runs what it is told to."""

    during = staticmethod(lambda: None)

    def __init__(self, x):
        self.x = x

    def tree_flatten(self):
        type(self).during()
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


def _f(x, y=2.0):
    return {"sum": x + y, "x": x}


def _powers(x, n):
    return [x**i for i in range(n)]


ONES, KEY = jnp.ones((2, 3)), ax.random.key(3)
# name -> (function, options of jit, arguments, keyword arguments)
FORMS = {
    "keywords": (_f, {}, (), {"y": ONES, "x": 1.5}),
    "a default": (_f, {}, (ONES,), {}),
    "mixed": (_f, {}, (ONES,), {"y": 3}),
    "static position": (_powers, {"static_argnums": 1}, (ONES, 3), {}),
    "static name": (_powers, {"static_argnames": "n"}, (ONES,), {"n": 2}),
    "static first": (lambda mode, x: x + len(mode), {"static_argnums": 0}, ("abc", ONES), {}),
    "NumPy array": (_f, {}, (np.arange(6, dtype=np.float32).reshape(2, 3),), {}),
    "float64 array": (_f, {}, (np.arange(6.0).reshape(2, 3),), {}),
    "int64 array": (_f, {}, (np.arange(6).reshape(2, 3),), {}),
    "transposed": (_f, {}, (np.arange(6, dtype=np.float32).reshape(3, 2).T,), {}),
    "read-only": (_f, {}, (np.broadcast_to(np.float32(1), (2, 3)),), {}),
    "NumPy scalars": (lambda *xs: xs, {}, (np.float32(1), np.float64(2), np.int64(3), np.int8(4), np.bool_(True)), {}),
    "0-d": (_f, {}, (np.array(2.5, np.float32), np.array(True)), {}),
    "scalars as they are": (lambda *xs: (xs, xs[0] + 1), {}, (1.5, 2, True, 3j), {}),
    "a scalar array": (lambda x: (x, x + 1), {}, (jnp.float32(2),), {}),
    "complex": (lambda x: (x * 1j, x.real, x), {}, (ONES.astype("complex64") * (1 + 2j),), {}),
    "keys": (lambda k: (ax.random.split(k), k), {}, (KEY,), {}),
    "bits": (lambda k: ax.random.uniform(k, (3,)), {}, (KEY,), {}),
    "bfloat16": (_f, {}, (ONES.astype(jnp.bfloat16), np.ones(3, jnp.bfloat16)), {}),
    "views": (lambda x: (x.T, x[:, 1:], x[0], (x + 1).T, jnp.broadcast_to(x[0], (4, 3)), x[::-1]), {}, (ONES,), {}),
    "constants": (lambda x: (jnp.zeros(3), jnp.arange(4), 1.0, jnp.eye(2)), {}, (ONES,), {}),
    "empty": (lambda x: (x + 1, x.sum(), x[:0]), {}, (jnp.ones((0, 3)),), {}),
    "an array of views": (_f, {}, (jnp.arange(6.0).reshape(3, 2).T,), {}),
    "large": (lambda x: (x + 1, x.sum()), {}, (jnp.ones((600, 600)),), {}),
    "dataclass": (lambda p: Point(p.y, p.x + 1), {}, (Point(ONES, ONES),), {}),
    "registered": (lambda r: Ring(r.x + 1), {}, (Ring(ONES),), {}),
    "ordered": (lambda d: OrderedDict(b=d["a"] + 1, a=d["b"]), {}, (OrderedDict(b=ONES, a=1.0),), {}),
    "named": (lambda p: Pair(p.y, Pair(p.x, None)), {}, (Pair(ONES, 1.0),), {}),
    "keys of other types": (lambda d: {k: v + 1 for k, v in d.items()}, {}, ({(1, 2): ONES, (0, 1): 2.0},), {}),
    "host step": (lambda x: (jnp.linalg.eigvalsh(x @ x.T), x), {}, (ONES,), {}),
    "nothing to do": (lambda *xs: xs, {}, (ONES, [ONES, None]), {}),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_calls(name):
    function, options, args, kwargs = FORMS[name]
    jitted = ax.jit(function, **options)
    expected = jitted(*args, **kwargs)
    jitted(*args, **kwargs)
    for _ in range(3):
        same(expected, jitted(*args, **kwargs))
    assert is_direct(lambda: jitted(*args, **kwargs))
    assert is_direct(lambda: jitted(*args, **dict(reversed(kwargs.items()))))


@standard
def test_numpy_arrays_are_not_shared():
    for function in (lambda x: x, lambda x: (x[1:], x + 1)):
        x = np.zeros(4, np.float32)
        jitted = prepared(function, x)
        out = jitted(x)
        x[:] = 5
        assert not np.any(ax.tree.leaves(out)[0])
    fortran = prepared(lambda x: x + 1, np.zeros((2, 3), np.float32))
    same(fortran(np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))), jnp.arange(1.0, 7).reshape(2, 3))
    assert fortran(np.zeros((2, 3), np.float16)).dtype == jnp.float16
    with pytest.warns(RuntimeWarning, match="overflow"):
        assert jnp.isinf(fortran(np.full((2, 3), 1e300))).all()


def test_static_arguments_are_told_apart_by_type_and_value():
    def run(x, n):
        traced.append(n)
        return x + n

    traced: list = []
    jitted = ax.jit(run, static_argnums=1)
    for n in [1, 1.0, True, 2, 10**20 // 10**19, float("1")] * 3:
        assert float(jitted(1.0, n)) == 1 + n
    assert traced == [1, 1.0, True, 2, 10]

    class Odd:
        __hash__ = object.__hash__

        def __eq__(self, other):
            raise ValueError("no comparison")

    odd = Odd()
    jitted = ax.jit(lambda x, s: x + 1, static_argnums=1)
    for _ in range(4):
        assert jitted(1.0, odd) == 2
    assert jitted(1.0, Odd()) == 2


def test_methods():
    class Model:
        def __init__(self, c):
            self.c = c

        @ax.jit
        def dynamic(self, x):
            return self + x

        def call(self, x):
            return x * self.c

    Model.call = ax.jit(Model.call, static_argnums=0)  # type: ignore[method-assign]
    two, three = Model(2), Model(3)
    for _ in range(4):
        assert (two.call(1.5), three.call(1.5)) == (3, 4.5)
    assert is_direct(lambda: three.call(1.5))


def test_every_jit_of_a_function_is_direct():
    def f(x):
        return x + 1

    early = ax.jit(f)
    for _ in range(3):
        ax.jit(f)(ONES)
    fresh = ax.jit(f)
    assert is_direct(lambda: fresh(ONES)) and fresh._cache_size() == 1
    early(ONES)
    assert is_direct(lambda: early(ONES))
    fresh.clear_cache()
    assert not is_direct(lambda: fresh(ONES))


def test_a_tree_may_do_anything_while_it_is_flattened():
    def f(xs):
        return xs[0].x + xs[1]

    args = lambda: [Ring(jnp.ones(50)), jnp.full(50, 2.0), jnp.zeros(3)]
    jitted = prepared(f, args())
    assert is_direct(lambda: jitted(args()))
    try:
        given = args()
        Ring.during = lambda: given.clear()
        with pytest.raises(IndexError):  # the same as without generated code: what is left does not fit
            jitted(given)
        depth = []

        def again():
            if len(depth) < 3:
                depth.append(None)
                assert float(jitted(args())[0]) == 3

        Ring.during = again
        assert float(jitted(args())[0]) == 3 and len(depth) == 3
        Ring.during = lambda: 1 / 0
        with pytest.raises(ZeroDivisionError):
            jitted(args())
    finally:
        Ring.during = staticmethod(lambda: None)
    assert float(jitted(args())[0]) == 3


def test_an_error_on_the_way_leaves_everything_in_order():
    asked = []

    def host(x):
        asked.append(None)
        if len(asked) == 5:
            raise ValueError("the fifth")
        return x

    jitted = ax.jit(lambda x, w: ax.pure_callback(host, x, x) + w)
    x, w = np.ones(3, np.float32), jnp.ones(3)
    for i in range(8):
        if i == 4:
            with pytest.raises(Exception, match="the fifth"):
                jitted(x, w)
        else:
            assert jitted(x, w).tolist() == [2.0] * 3
    gc.collect()
    counts = sys.getrefcount(x), sys.getrefcount(w)
    for _ in range(50):
        jitted(x, w)
    gc.collect()
    assert (sys.getrefcount(x), sys.getrefcount(w)) == counts


TREES = {
    "tuple": (1.0, jnp.arange(3.0)),
    "list": [jnp.ones(2), 2],
    "dict": {"b": jnp.ones(2), "a": {"c": 3.0}},
    "None": (None, jnp.ones(2)),
    "named tuple": Pair(jnp.ones(2), 1.0),
    "empty": ((), {}, jnp.ones(2)),
    "NumPy inside": jnp.float32(2.0),
    "a bool": (True, jnp.ones(2)),
}


@pytest.mark.parametrize("name", TREES)
def test_trees_come_back(name):
    tree = TREES[name]
    double = lambda t: ax.tree.map(lambda v: v * 2, t)
    jitted = prepared(double, tree)
    for _ in range(2):
        out = jitted(tree)
        assert ax.tree.structure(out) == ax.tree.structure(tree) and type(out) is type(double(tree))
        for a, b in zip(ax.tree.leaves(out), ax.tree.leaves(double(tree)), strict=True):
            np.testing.assert_array_equal(a, b)
            assert ax.typeof(a) == ax.typeof(jnp.asarray(b)) or isinstance(b, (int, float))


@standard
def test_what_does_not_fit_takes_the_other_way():
    jitted = prepared(lambda x: x + 1, jnp.ones(4))
    assert jitted(np.ones(4, np.float32)).tolist() == [2.0] * 4  # an array of NumPy's
    assert jitted(jnp.ones((2, 2))).shape == (2, 2)
    assert jitted(jnp.ones(4, int)).dtype == jnp.int32
    assert jitted(x=jnp.ones(4)).tolist() == [2.0] * 4
    assert ax.vmap(jitted)(jnp.ones(4)).shape == (4,)
    assert ax.grad(lambda x: jitted(x).sum())(jnp.ones(4)).tolist() == [1.0] * 4
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        jitted()
    with pytest.raises(TypeError, match="abstract array"):
        jitted("text")
    with pytest.raises(OverflowError):
        prepared(lambda x: x + 1, 3)(2**40)


@standard
def test_options_of_the_thread_and_the_process():
    jitted = prepared(lambda x: x * 2, 1.5)
    with ax.enable_x64(True):
        assert jitted(1.5).dtype == jnp.float64
    assert jitted(1.5).dtype == jnp.float32
    with ax.disable_jit():
        assert jitted(1.5) == 3
    vanishing = prepared(lambda x: 0.0 * x, jnp.float32(1.0))
    with ax.debug_nans(True), pytest.raises(FloatingPointError):
        vanishing(jnp.float32(jnp.inf))


def test_a_donated_array_is_an_error():
    x = jnp.ones(4)
    jitted = prepared(lambda x: x + 1, jnp.zeros(4))
    ax.jit(lambda x: x * 2, donate_argnums=0)(x)
    with pytest.raises(RuntimeError, match="deleted|donated"):
        jitted(x)


def test_closed_over_arrays():
    w = jnp.arange(3.0)
    jitted = prepared(lambda x: x * w, jnp.ones(3))
    assert jitted(2 * jnp.ones(3)).tolist() == [0.0, 2.0, 4.0]


def test_threads():
    jitted = prepared(lambda x: jnp.sin(x).sum(), jnp.ones(100_000))
    found, direct = [], []

    def run(k):
        x = jnp.full(100_000, float(k))
        found.append([(k, float(jitted(x))) for _ in range(20)])
        direct.append(is_direct(lambda: jitted(x)))

    for group in (range(4), range(4, 8)):
        workers = [threading.Thread(target=run, args=(k,)) for k in group]
        [w.start() for w in workers]
        [w.join() for w in workers]
    assert len(found) == 8 and sum(direct) >= 4  # an entry may have been busy
    for k, value in [x for xs in found for x in xs]:
        np.testing.assert_allclose(value, 100_000 * np.sin(k), rtol=1e-4)
    alone: list = []
    worker = threading.Thread(target=lambda: [jitted(jnp.ones(100_000)), alone.append(
        is_direct(lambda: jitted(jnp.ones(100_000))))])
    worker.start()
    worker.join()
    assert alone == [True]


def test_threads_in_a_program_with_host_steps():
    inside, most = [], []

    def host(x):
        inside.append(None)
        most.append(len(inside))
        barrier.wait(5)
        inside.pop()
        return x

    jitted = ax.jit(lambda x: ax.pure_callback(host, x, x) + 1)
    barrier = threading.Barrier(1)
    [jitted(1.5) for _ in range(3)]
    barrier = threading.Barrier(4)
    found: list = []
    workers = [threading.Thread(target=lambda k=k: found.extend([float(jitted(float(k))) for _ in range(5)]))
               for k in range(4)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    assert max(most) == 4 and sorted(found) == sorted([k + 1 for k in range(4)] * 5)


def test_nothing_is_kept_alive():
    def watched():
        w = jnp.ones(1000)

        def f(x):
            return x + w

        jitted = prepared(f, jnp.ones(1000))
        return [weakref.ref(o) for o in (f, jitted, jitted._direct[1], w._buffer)]

    found = watched()
    gc.collect()
    assert [r() for r in found] == [None] * 4


def test_small_results_are_new_where_somebody_has_the_last_ones():
    f = prepared(lambda x: [x + i for i in range(3)], jnp.zeros(4))
    results = [f(jnp.full(4, float(i))) for i in range(6)]
    for i, result in enumerate(results):
        same(result, [jnp.full(4, float(i + k)) for k in range(3)])


def test_a_view_of_a_small_result_keeps_it():
    f = prepared(lambda x: x + 1, jnp.zeros(4))
    views = [np.asarray(f(jnp.full(4, float(i)))) for i in range(6)]
    memory = [memoryview(np.asarray(f(jnp.full(4, float(i))))) for i in range(6)]
    parts = [f(jnp.full(4, float(i)))[1:].reshape(3, 1) for i in range(6)]
    for i in range(6):
        assert views[i].tolist() == memory[i].tolist() == [i + 1.0] * 4 and parts[i].ravel().tolist() == [i + 1.0] * 3


def test_a_changed_base_of_a_small_result_is_not_used_again():
    f, found = prepared(lambda x: x + 1, jnp.zeros(4)), []
    for i in range(6):
        base = np.asarray(f(jnp.full(4, float(i)))).base
        if isinstance(base, memoryview):
            pytest.skip("since Python 3.12 a small result is a buffer, which has no flags to change")
        base.setflags(write=False)
        del base
        found.append(f(jnp.full(4, float(i))).tolist())
    assert found == [[i + 1.0] * 4 for i in range(6)]


def test_the_memory_of_small_results_is_used_again():
    f, x = prepared(lambda x: x * 2, jnp.ones(4)), jnp.ones(4)
    places = {np.asarray(f(x)).ctypes.data for _ in range(20)}
    assert len(places) <= 2
    for _ in range(20):  # a step whose result is the next operand
        x = f(x)
        places.add(np.asarray(x).ctypes.data)
    assert len(places) <= 3


def test_nothing_is_leaked():
    x, tree = jnp.ones(4), {"a": jnp.ones(3), "b": [2.0, 1]}
    jitted = prepared(lambda x, t: (x + 1, t), x, tree)
    for _ in range(1000):  # until what is kept anyway is there
        jitted(x, tree)
    counts = lambda: [sys.getrefcount(o) for o in (x, x.aval, tree["a"], None, jnp.ones(3).aval)]
    gc.collect()
    before = counts()
    for _ in range(1000):
        jitted(x, tree)
    gc.collect()
    assert max([abs(a - b) for a, b in zip(counts(), before)]) < 100


def test_a_finalizer_may_call_the_same_function():
    many = lambda x: [x + i for i in range(30)]
    jitted = prepared(many, jnp.zeros(3))
    called = []

    class Final:
        def __init__(self):
            self.myself = self

        def __del__(self):
            called.append(float(jitted(jnp.full(3, 100.0))[5][0]))

    thresholds = gc.get_threshold()
    gc.set_threshold(7)
    try:
        for k in range(200):
            Final()
            assert [float(y[0]) for y in jitted(jnp.full(3, float(k)))] == [k + i for i in range(30)]
    finally:
        gc.set_threshold(*thresholds)
    gc.collect()
    assert len(called) == 200 and set(called) == {105.0}


def test_they_are_installed():
    assert prepare._runtime is not None
