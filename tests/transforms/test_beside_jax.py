"""Small programs of transformations, run by both libraries: values, dtypes, weak types, classes of errors agree."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.custom_batching
import adjoint.experimental.ode
import adjoint.numpy


def outcome(root, program):
    """The leaves of a program's result as (dtype, weak type, value), or the class of its error."""
    try:
        leaves = root.tree.leaves(program(root))
    except Exception as error:
        return type(error).__name__
    return [
        (str(x.dtype), x.weak_type, np.asarray(x)) if isinstance(x, root.Array) else x for x in leaves
    ]


def compare(program, rtol=2e-6):
    ours, theirs = outcome(adjoint, program), outcome(jax, program)
    assert (ours if type(ours) is str else len(ours)) == (theirs if type(theirs) is str else len(theirs))
    if type(ours) is str:
        return
    for a, b in zip(ours, theirs):
        assert type(a) is type(b)
        if type(a) is not tuple:
            assert a == b
            continue
        assert a[:2] == b[:2]
        np.testing.assert_allclose(a[2].astype("d"), b[2].astype("d"), rtol=rtol)


# ---- the way in which keys count, as a context ------------------------------------------------------


def counting(root, how):
    def draw(key):
        with root.threefry_partitionable(how):
            r = root.random
            return r.uniform(key, (3,)), r.key_data(r.split(key)), r.gamma(key, 2.0, (2,)), r.bits(key, (3,), "uint8")

    return draw


@pytest.mark.parametrize("how", [False, True])
@pytest.mark.parametrize("outside", [False, True])
def test_keys_count_as_their_place_in_the_program_says(how, outside):
    def program(root):
        key = root.random.key(0)
        draw = counting(root, how)
        with root.threefry_partitionable(outside):
            plain, jitted = draw(key), root.jit(draw)(key)
            mapped = root.vmap(draw)(root.random.split(key, 2))
            looped = root.lax.scan(lambda c, _: (c, draw(key)), 0.0, None, length=2)[1]
        return plain, jitted, mapped, looped

    compare(program, rtol=2e-5)


@pytest.mark.parametrize("engine", ["native", "numpy", "xla"])
def test_engines_count_alike(engine):
    draw = counting(adjoint, False)
    key = adjoint.random.key(3)
    with adjoint.config._states["cpu_engine"](engine):
        found = adjoint.jit(draw)(key)
    for a, b in zip(found, draw(key)):
        np.testing.assert_allclose(a, b, rtol=2e-6)


# ---- cotangents of another dtype -----------------------------------------------------------------------


def converting(root, given):
    f = root.custom_vjp(lambda x: x.astype("float32").sum())
    f.defvjp(lambda x: (x.astype("float32").sum(), x), lambda x, g: (root.numpy.ones(x.shape, given),))
    return f


DTYPES = ["float16", "float32", "float8_e4m3fn", "int32"]


@pytest.mark.parametrize("given", DTYPES)
@pytest.mark.parametrize("dtype", DTYPES[:3])
def test_a_rule_may_return_another_dtype(dtype, given):
    compare(lambda r: r.grad(converting(r, given))(r.numpy.ones(2, dtype)))


@pytest.mark.parametrize("wrap", ["jit", "checkpoint"])
def test_other_dtypes_pass_through_calls(wrap):
    compare(lambda r: r.grad(getattr(r, wrap)(converting(r, "float32")))(r.numpy.ones(2, "bfloat16")))
    compare(lambda r: r.vmap(r.grad(converting(r, "float32")))(r.numpy.ones((2, 2), "bfloat16")))


def test_where_dtypes_meet_they_must_agree():
    compare(lambda r: r.grad(lambda x: converting(r, "float32")(x) + x.sum())(r.numpy.ones(2, "bfloat16")))
    compare(lambda r: r.grad(lambda x: converting(r, "float32")(x * 2))(r.numpy.ones(2, "bfloat16")))


@pytest.mark.parametrize("checked", [True, False])
def test_shapes_are_checked_unless_that_is_switched_off(checked):
    def program(root):
        f = root.custom_vjp(lambda x: x * 1.0)
        f.defvjp(lambda x: (x, x), lambda x, g: (root.numpy.ones(3),))
        root.config.update("jax_disable_bwd_checks", not checked)
        try:
            return root.grad(f)(1.0), root.jit(root.grad(f))(1.0)
        finally:
            root.config.update("jax_disable_bwd_checks", False)

    compare(program)


# ---- derivatives through 64-bit mode --------------------------------------------------------------------


def wide(root, f):
    def run(x):
        with root.enable_x64(True):
            return f(root.numpy, x)

    return run


THROUGH_64_BITS = {
    "weak": lambda n, x: n.sin(x) * 2,
    "converted": lambda n, x: n.sum(n.sin(x.astype("float64")) * 2).astype("float32"),
    "wide result": lambda n, x: n.exp(x.astype("float64")),
    "where": lambda n, x: n.where(x > 0, x.astype("float64") * 3, 0).astype("float32"),
}


@pytest.mark.parametrize("name", THROUGH_64_BITS)
@pytest.mark.parametrize("derive", ["grad", "value_and_grad", "jacfwd", "linearize"])
def test_derivatives_through_64_bits(name, derive):
    def program(root):
        f = wide(root, THROUGH_64_BITS[name])
        x = np.float32(0.5)
        if derive == "linearize":
            return root.linearize(f, x)[1](np.float32(1))
        g = getattr(root, derive)(f)
        return root.jit(g)(x) if derive == "grad" else g(x)

    compare(program)


def test_a_python_number_keeps_its_dtype_in_64_bits():
    compare(lambda r: r.grad(wide(r, THROUGH_64_BITS["weak"]))(0.5))
    compare(lambda r: r.vjp(wide(r, THROUGH_64_BITS["weak"]), 0.5)[1](r.numpy.float32(1)))
    compare(lambda r: r.jit(wide(r, lambda n, x: (n.sin(x), x + 1, x + x)))(0.5))
    compare(lambda r: r.jit(wide(r, lambda n, x: (x * 2, x + 1)))(3))


# ---- bounds of loops ---------------------------------------------------------------------------------------

BOUNDS = [0, np.int8(0), np.uint8(0), "array"]


@pytest.mark.parametrize("lower", range(len(BOUNDS)))
@pytest.mark.parametrize("upper", range(len(BOUNDS)))
def test_bounds_of_other_dtypes(lower, upper):
    def program(root):
        low, high = [root.numpy.int16(0) if b == "array" else b for b in (BOUNDS[lower], BOUNDS[upper])]
        high = high + type(high)(3) if not isinstance(high, root.Array) else root.numpy.int16(3)
        count = lambda high: root.lax.fori_loop(low, high, lambda i, c: c + i.astype("float32"), np.float32(0))
        index = lambda high: root.lax.fori_loop(low, high, lambda i, c: i, 0)
        return count(high), root.jit(index)(high)

    compare(program)


def test_a_count_beyond_the_narrow_bound():
    compare(lambda r: r.lax.fori_loop(np.int8(0), 300, lambda i, c: c + 1, 1.0))


# ---- attributes ----------------------------------------------------------------------------------------------


def test_attributes_of_a_function_are_those_of_the_transformed_one():
    def program(root):
        def f(x):
            return x

        f.note, f.fun, f.name = "hi", 3, 4
        kinds = [root.jit, root.grad, root.vmap, root.checkpoint, root.custom_jvp, root.custom_vjp, root.jacfwd,
                 root.value_and_grad, root.custom_batching.custom_vmap, root.numpy.vectorize, root.pmap]
        return [k(f).note for k in kinds], root.jit(f)(2.0), root.jit(f).__getstate__()["function_name"]

    compare(program)


@pytest.mark.parametrize("doc", [None, "What f does."])
def test_docstrings_of_transformed_functions_say_what_they_do(doc):
    def program(root):
        def f(x, *, y=2):
            return x

        f.__doc__ = doc
        kinds = [root.grad, root.value_and_grad, root.jacfwd, root.jacrev, root.hessian]
        texts = [k(f, argnums=i).__doc__.split(".")[0] for k in kinds for i in (0, (0, 1))]
        mapped = root.vmap(f).__doc__
        others = root.jit, root.checkpoint, root.custom_jvp, root.custom_vjp, root.make_jaxpr
        kept = [k(f).__doc__ or "" for k in others]
        return texts, mapped.split(".")[0], mapped.split("\n")[1:], kept, repr(root.jit(f)).split(" at ")[0]

    compare(program)


def test_a_transposed_function_is_a_tree_of_its_constants():
    def program(root):
        factors = root.numpy.arange(3.0)
        scale = root.linear_transpose(lambda x: factors * x, 1.0)
        return scale, root.jit(lambda f, y: f(y))(scale, root.numpy.ones(3))

    compare(program)


# ---- rules of custom_vmap and custom_jvp ---------------------------------------------------------------------


def unmapping(root, seen):
    f = root.custom_batching.custom_vmap(root.numpy.sin)
    f.def_vmap(lambda n, flags, x: (seen.append(tuple(flags)) or root.numpy.cos(x), flags[0]))
    return f


@pytest.mark.parametrize("axes", [(0, None), (None, 0), (0, 0)])
def test_a_rule_sees_an_axis_that_primal_and_tangent_have(axes):
    def program(root):
        seen = []
        rows = [np.arange(2, dtype="f") if a == 0 else np.float32(4) for a in axes]
        f = unmapping(root, seen)
        found = root.vmap(lambda x, t: root.jvp(f, [x], [t]), axes)(*rows)
        return found, root.jacfwd(f)(np.arange(2, dtype="f")), [str(s) for s in seen]

    compare(program)


def ruled(root, rule):
    f = root.custom_jvp(lambda x: x)
    f.defjvp(rule)
    return f


RULES = {
    "pairs": lambda p, t: ((p[0], p[0]), (t[0], t[0])),
    "lists": lambda p, t: ([p[0]], [t[0]]),
    "no pair": lambda p, t: p[0],
    "three": lambda p, t: (p[0], t[0], t[0]),
    "other tangent": lambda p, t: (p[0], (t[0],)),
    "right": lambda p, t: [p[0] * 1, 3 * t[0]],
}


@compiling
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("where", ["jit", "scan"])
def test_the_structure_of_what_a_rule_returns(name, where):
    def program(root):
        f = ruled(root, RULES[name])
        if where == "jit":
            return root.jvp(root.jit(f), (np.float32(1),), (np.float32(1),))
        loop = lambda x: root.lax.scan(lambda c, _: (f(c), None), x, None, length=2)[0]
        return root.jvp(loop, (np.float32(1),), (np.float32(1),))

    compare(program)


# ---- types ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", [np.ones(3), 1.0, True, np.float64(3), [1], None, "a"], ids=str)
def test_the_type_of_a_value(x):
    compare(lambda r: repr(r.ShapeDtypeStruct.like(x)))


def test_the_type_of_arrays_and_keys():
    compare(lambda r: repr([r.ShapeDtypeStruct.like(x) for x in (r.numpy.ones(2), r.random.key(0))]))
    compare(lambda r: r.jit(lambda x: repr(r.ShapeDtypeStruct.like(x)) and x)(1.0))


@pytest.mark.parametrize("kind", ["Explicit", "Auto"])
@pytest.mark.parametrize("spec", [("x",), (), ("x", None), ("y",)])
def test_a_spec_is_about_the_mesh_that_was_set(kind, spec):
    def program(root):
        mesh = root.make_mesh((1,), ("x",), axis_types=(getattr(root.sharding.AxisType, kind),))
        with root.set_mesh(mesh):
            return repr(root.ShapeDtypeStruct((2, 2), "float32", sharding=root.P(*spec)).sharding)

    compare(program)


# ---- solutions of differential equations --------------------------------------------------------------------------


@pytest.mark.parametrize("wrap", ["jit", ""])
def test_second_derivatives_of_solutions(wrap):
    def program(root):
        ode = root.experimental.ode.odeint
        ends = np.array([0, 1], "f")
        f = lambda a: ode(lambda y, t, a: -a * y, np.ones(2, "f"), ends, a)[-1].sum()
        g = root.grad(root.grad(f))
        return (root.jit(g) if wrap else g)(np.float32(1))

    compare(program, rtol=1e-4)


# ---- integers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2**32, 2**32 + 5, -1, 300, 2**70, -(2**40)])
@pytest.mark.parametrize("dtype", ["int32", "uint8", "float32"])
def test_converted_integers_keep_their_lowest_bits(number, dtype):
    compare(partial(lambda n, d, r: r.lax.convert_element_type(n, d), number, dtype))


# ---- weak types of branches -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("strong", range(3))
@pytest.mark.parametrize("wrap", ["jit", ""])
def test_the_first_branch_says_whether_a_result_is_weak(strong, wrap):
    def program(root):
        branches = [(lambda i=i: np.float32(i) if i == strong else 1.0 * i) for i in range(3)]
        choose = lambda i: root.lax.switch(i, branches)
        decide = lambda p: root.lax.cond(p, branches[0], branches[1])
        if wrap:
            choose, decide = root.jit(choose), root.jit(decide)
        return [choose(i) for i in range(3)], decide(True), decide(False), root.grad(
            lambda x: root.lax.cond(x > 0, lambda x: x * np.float32(2), lambda x: x, x))(1.0)

    compare(program)


# ---- roots ---------------------------------------------------------------------------------------------------------


def root_of(root, aux=False):
    def solve(x):
        def found(f, y):
            r = root.numpy.sqrt(x) * y
            return (r, {"n": r * 2}) if aux else r

        return root.lax.custom_root(lambda y: y**2 - x, 1.0, found, lambda g, y: y / g(x / x), has_aux=aux)

    return solve


@pytest.mark.parametrize("aux", [False, True])
@pytest.mark.parametrize("derive", ["grad", "jacfwd", "jacrev", "vmap"])
def test_solvers_may_close_over_what_is_differentiated(derive, aux):
    def program(root):
        f = root_of(root, aux)
        if derive == "vmap":
            return root.vmap(root.jacrev(f))(np.array([4, 9], "f"))
        last = lambda x: root.tree.leaves(f(x))[-1]
        return root.grad(last)(4.0) if derive == "grad" else getattr(root, derive)(f)(4.0)

    compare(program)


def test_a_rule_may_return_a_number_as_tangent():
    compare(lambda r: r.grad(ruled(r, lambda p, t: (p[0], np.float32(2))))(np.float32(1)))
    compare(lambda r: r.jacrev(ruled(r, lambda p, t: (p[0], np.float32(2))))(np.float32(1)))


# ---- options ---------------------------------------------------------------------------------------------------------


def test_axes_of_sums_are_sets():
    for root in (adjoint, jax):
        with pytest.raises(TypeError):
            root.P(unreduced="x")


@pytest.mark.parametrize("name", ["tril", "triu"])
def test_diagonals_beyond_the_integers(name):
    compare(lambda r: getattr(r.numpy, name)(r.numpy.ones((2, 2)), 2**40))
    compare(lambda r: r.numpy.tri(2, k=2**40))


def test_updates_of_elements_are_strong():
    compare(lambda r: r.grad(lambda x: r.numpy.zeros(3).at[0].set(x).sum())(1.5))
    compare(lambda r: r.grad(lambda x: r.numpy.zeros(3).at[0].add(x).sum())(1.5))


# ---- rules of custom_vjp under vmap --------------------------------------------------------------------------


UNMAPPED_CALLS = {
    "closed over": lambda root, f, x, k: root.vmap(lambda k: f(x) * k)(k),
    "argument": lambda root, f, x, k: root.vmap(lambda x, k: f(x) * k, (None, 0))(x, k),
    "nested": lambda root, f, x, k: root.vmap(root.vmap(lambda k: f(x) * k))(root.numpy.stack([k, 2 * k])),
    "mapped inside": lambda root, f, x, k: root.vmap(lambda k: root.vmap(f)(x) * k)(k),
    "jit": lambda root, f, x, k: root.vmap(root.jit(lambda k: f(x) * k))(k),
    "checkpoint": lambda root, f, x, k: root.vmap(root.checkpoint(lambda k: f(x) * k))(k),
    "cond": lambda root, f, x, k: root.vmap(lambda k: root.lax.cond(k > 1, f, lambda x: 3 * x, x) * k)(k),
    "scan": lambda root, f, x, k: root.vmap(
        lambda k: root.lax.scan(lambda c, _: (c + f(x) * k, None), x, None, length=2)[0])(k),
    "twice": lambda root, f, x, k: root.vmap(lambda k: f(f(x)) * f(x * k))(k),
}


@pytest.mark.parametrize("residuals", ["none", "argument", "made"])
@pytest.mark.parametrize("name", UNMAPPED_CALLS)
def test_the_rule_of_an_unmapped_call_is_run_once(name, residuals):
    def program(root):
        @root.custom_vjp
        def f(x):
            return 2 * x

        kept = {"none": lambda x: None, "argument": lambda x: x, "made": lambda x: root.numpy.ones(x.shape) * 5}
        f.defvjp(lambda x: (f(x), kept[residuals](x)), lambda r, c: (3 * c if r is None else r * c,))
        k, x = root.numpy.array([1.0, 2.0, 4.0]), root.numpy.array([0.5, 3.0])
        total = lambda x: UNMAPPED_CALLS[name](root, f, x, k).sum()
        return root.grad(total)(x), root.jit(root.grad(total))(x)

    compare(program)


# ---- rules that differentiate programs -----------------------------------------------------------------------


PROGRAMS_IN_RULES = {
    "jit": lambda root, x: root.jit(lambda x: root.numpy.sin(x) * x)(x),
    "checkpoint": lambda root, x: root.checkpoint(lambda x: root.numpy.sin(x) * x)(x),
    "cond": lambda root, x: root.lax.cond(x > 0, lambda x: root.numpy.sin(x) * x, lambda x: x, x),
    "switch": lambda root, x: root.lax.switch(1, [root.numpy.sin, root.numpy.cos], x),
    "scan": lambda root, x: root.lax.scan(lambda c, _: (root.numpy.sin(c) * x, c), x, None, length=2)[0],
    "fori_loop": lambda root, x: root.lax.fori_loop(0, 3, lambda i, c: root.numpy.sin(c) * x, x),
    "scan in checkpoint": lambda root, x: root.checkpoint(
        lambda x: root.lax.scan(lambda c, _: (root.numpy.sin(c) * x, c), x, None, length=2)[1].sum())(x),
}


@pytest.mark.parametrize("name", PROGRAMS_IN_RULES)
def test_rules_compute_with_results_of_programs_that_they_differentiate(name):
    def program(root):
        def cube(x):
            y = PROGRAMS_IN_RULES[name](root, x)
            return y * y * y * root.numpy.cos(x)

        f = root.custom_jvp(cube)
        f.defjvp(lambda p, t: root.jvp(cube, p, t))
        mapped = root.vmap(root.grad(f))(root.numpy.array([0.3, 0.7]))
        return root.grad(f)(0.7), root.hessian(f)(0.7), root.jit(root.grad(f))(0.7), mapped

    compare(program, rtol=1e-4)


@pytest.mark.parametrize("turn", [
    lambda root, c: c * root.numpy.float32(2), lambda root, c: root.numpy.sin(c),
    lambda root, c: root.numpy.sin(c) * root.numpy.float32(2),
])
def test_gradients_by_the_weakly_typed_start_of_a_loop_have_the_type_of_jax(turn):
    def program(root):
        f = lambda x: root.lax.scan(lambda c, _: (turn(root, c), c), x, None, length=2)[0]
        return root.grad(f)(0.5), root.jit(root.grad(f))(0.5), root.jvp(f, (0.5,), (1.0,))

    compare(program)


# ---- weak types of what a jitted function is pulled back to, and of reductions over named axes ----------------------

WEAK_ROW = lambda r: r.numpy.stack([r.numpy.asarray(0.4)] * 2)
TYPED = {
    "strong cotangent": lambda r: r.vjp(r.jit(lambda v: v * v), WEAK_ROW(r))[1](r.numpy.ones(2)),
    "weak cotangent": lambda r: r.vjp(r.jit(lambda v: v * v), WEAK_ROW(r))[1](WEAK_ROW(r)),
    "element": lambda r: r.grad(lambda a: r.jit(lambda v: v * 2)(r.numpy.stack([a, a]))[1])(0.4),
    "sum": lambda r: r.grad(lambda a: r.jit(lambda v: v * v)(r.numpy.stack([a, a])).sum())(0.4),
    "collectives": lambda r: r.vmap(
        lambda t: [getattr(r.lax, name)(t, "i") for name in ("psum", "pmax", "pmean", "all_gather")], axis_name="i"
    )(WEAK_ROW(r)),
    "collectives of a program": lambda r: r.jit(r.vmap(
        lambda t: [getattr(r.lax, name)(t, "i") for name in ("psum", "pmax", "pmean", "all_gather")], axis_name="i"
    ))(WEAK_ROW(r)),
}


@pytest.mark.parametrize("name", TYPED)
def test_weak_types_are_jaxs(name):
    compare(TYPED[name])


# ---- weak types of arrays like others, of updates and of derivatives by what is weak -------------


def _pulled(f):
    """Return the program that pulls the value of `f` of a weak row, and of `y`, back."""

    def program(r, y=None):
        operands = (WEAK_ROW(r),) if y is None else (WEAK_ROW(r), y(r))
        value, back = r.vjp(lambda *v: f(r, *v), *operands)
        return value, back(value)

    return program


def _moved(f):
    return lambda r: r.jvp(lambda v: f(r, v), (WEAK_ROW(r),), (WEAK_ROW(r),))


WEAK_MATRIX = lambda r: r.jit(lambda: r.lax.broadcast(0.5, (3, 3)))()
OF_WEAK = {
    **{f"{name} in a program": (lambda r, name=name: r.jit(getattr(r.numpy, name))(WEAK_ROW(r)))
       for name in ("zeros_like", "ones_like", "empty_like")},
    **{f"full_like of {v!r}": (lambda r, v=v: r.jit(lambda x: r.numpy.full_like(x, v))(WEAK_ROW(r)))
       for v in (1, 0.5, True)},
    "full_like of an array": lambda r: r.numpy.full_like(WEAK_ROW(r), WEAK_ROW(r)),
    "tril in a program": lambda r: r.jit(r.numpy.tril)(WEAK_MATRIX(r)),
    "triu in a program": lambda r: r.jit(r.numpy.triu)(WEAK_MATRIX(r)),
    "diag": lambda r: (r.numpy.diag(WEAK_ROW(r)), r.numpy.diag(WEAK_ROW(r), 1)),
    "dynamic_update_slice": lambda r: r.lax.dynamic_update_slice(WEAK_ROW(r), WEAK_ROW(r), (0,)),
    "dynamic_update_slice moved": _moved(lambda r, v: r.lax.dynamic_update_slice(v, v, (0,))),
    **{f"norm {ord}": _pulled(lambda r, v, ord=ord: r.numpy.linalg.norm(v, ord)) for ord in (1, 2, 3, -1, -2, 0.5)},
    **{f"{name} moved": _moved(lambda r, v, name=name: getattr(r.lax, name)(v))
       for name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")},
    **{f"{name} pulled": _pulled(lambda r, v, name=name: getattr(r.lax, name)(v))
       for name in ("cumsum", "cumprod", "cummax", "cumlogsumexp")},
    **{f"at.{name} by its value": (lambda r, name=name: r.jvp(
        lambda y: getattr(WEAK_ROW(r).at[0], name)(y), (0.5,), (1.0,)))
       for name in ("set", "add", "mul", "min", "max")},
    **{f"at.{name} of what is strong": (lambda r, name=name: r.vjp(
        lambda x, y: getattr(x.at[0], name)(y), WEAK_ROW(r), r.numpy.float32(2))[1](WEAK_ROW(r)))
       for name in ("set", "add", "mul", "min", "max")},
    "select of what is weak": lambda r: r.jvp(
        lambda y: r.lax.select(r.numpy.ones(2) > 0, r.numpy.ones(2), y), (WEAK_ROW(r),), (WEAK_ROW(r),)),
    "trapezoid": _pulled(lambda r, v: r.numpy.trapezoid(v, r.numpy.arange(2.0) * v)),
    "gradient at places": _moved(lambda r, v: r.numpy.gradient(v, v * 2)),
    "squareplus": _pulled(lambda r, v: r.jit(r.nn.squareplus)(v)),
    "matmul with halves": _pulled(lambda r, v: r.numpy.matmul(v, r.numpy.ones(2, "bfloat16"))),
    "condition in jvp": lambda r: r.jit(lambda x: r.jvp(lambda v: v if v else 2 * v, (x,), (x,)))(0.5),
    "logit": _moved(lambda r, v: r.scipy.special.logit(v)),
    "polygamma": _moved(lambda r, v: r.scipy.special.polygamma(r.numpy.arange(2), v)),
    "zeta moved": _moved(lambda r, v: r.scipy.special.zeta(v + 2, v)),
    "zeta pulled": _pulled(lambda r, v: r.scipy.special.zeta(v + 2, v)),
}


@pytest.mark.parametrize("name", OF_WEAK)
def test_what_is_made_of_weak_values_has_the_type_of_jaxs(name):
    compare(OF_WEAK[name], 2e-4)


# ---- classes of errors, and what is no error ----------------------------------------------------------------

MASKED = np.ma.array([1.0, 2.0], mask=[False, True])
ROWS = np.arange(6.0, dtype=np.float32).reshape(2, 3) + 1
REFUSED = {
    "jit on a name": lambda r: r.jit(lambda x: x, device="cpu")(1.0),
    "jit on a number": lambda r: r.jit(lambda x: x, device=3)(1.0),
    "devices of a number": lambda r: r.devices(0),
    "device_count of a number": lambda r: r.device_count(0),
    "no sections": lambda r: r.numpy.split(r.numpy.ones(3), 0),
    "negative section": lambda r: r.numpy.split(r.numpy.ones((2, 3)), (2, -1)),
    "odeint at one time": lambda r: r.experimental.ode.odeint(lambda y, t: -y, 1.0, 1.0),
    "concatenate of a dict": lambda r: r.numpy.concatenate({}),
    "asarray of a dict": lambda r: r.numpy.asarray({}),
    "treedef_tuple of a number": lambda r: r.tree_util.treedef_tuple([1]),
    "row out of range": lambda r: r.lax.dynamic_update_index_in_dim(r.numpy.ones(3), 1.0, 0, 2),
    "masked operand": lambda r: r.numpy.sin(MASKED),
    "masked array": lambda r: r.numpy.asarray(MASKED),
    "masked array copied": lambda r: r.numpy.array(MASKED),
    "masked argument": lambda r: r.jit(lambda x: x)(MASKED),
    "masked beside an array": lambda r: r.lax.add(r.numpy.ones(2), MASKED),
    "axis of a float": lambda r: r.lax.cumsum(r.numpy.asarray(ROWS), axis=1.0),
    "axis of a text": lambda r: r.lax.cumsum(r.numpy.asarray(ROWS), axis="a"),
}
for _name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"):
    for _reverse in (False, True):
        _running = partial(lambda n, b, r, x: getattr(r.lax, n)(x, axis=-1, reverse=b), _name, _reverse)
        REFUSED[f"{_name} from the end, {_reverse}"] = lambda r, f=_running: f(r, ROWS)
        REFUSED[f"grad of {_name} from the end, {_reverse}"] = lambda r, f=_running: r.grad(
            lambda x: f(r, x).sum())(ROWS)
        REFUSED[f"vmap of {_name} from the end, {_reverse}"] = lambda r, f=_running: r.vmap(partial(f, r))(ROWS)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_has_the_class_of_jaxs(name):
    compare(REFUSED[name])


# ---- weak types of Jacobians ------------------------------------------------------------------------


@pytest.mark.parametrize("weak", [True, False])
@pytest.mark.parametrize("derivative", ["jacfwd", "jacrev", "hessian"])
def test_jacobians_are_weakly_typed_where_jaxs_are(derivative, weak):
    def program(root):
        np_ = root.numpy

        @root.custom_jvp
        def strong(x):
            return x * 2

        strong.defjvp(lambda p, t: (strong(*p), t[0] * np_.float32(2)))
        x = 1.5 if weak else np_.float32(1.5)
        of = lambda f, *args: getattr(root, derivative)(f, tuple(range(len(args))))(*args)
        return of(strong, x), of(lambda x: x**3, x), of(lambda x, y: (x * y, x), x, np_.ones(2)) if (
            derivative != "hessian") else ()

    compare(program)


@pytest.mark.parametrize("name", ["median", "nanmedian", "quantile", "nanquantile", "exp1", "expi", "log_ndtr"])
@pytest.mark.parametrize("derive", ["grad", "jvp"])
def test_derivatives_by_numbers_are_weak_as_far_as_results_are(name, derive):
    def program(root):
        f = getattr(root.numpy if "n" in name[:3] or name[0] == "q" else root.scipy.special, name, None)
        g = f if "quantile" not in name else lambda x: f(x, 0.5)
        return root.grad(g)(0.3) if derive == "grad" else root.jvp(g, (0.3,), (1.0,))

    compare(program)


# ---- integers beyond 32 bits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["set", "add", "subtract", "multiply", "divide", "min", "max", "power"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "uint32", "uint8", "bool"])
@pytest.mark.parametrize("number", [2**40, 2**31, -(2**31), 200])
def test_updates_by_large_integers(name, dtype, number):
    if name not in ("set", "add") and dtype not in ("float32", "int32"):
        return
    for index in (0, slice(None)):
        compare(lambda r: getattr(r.numpy.ones(2, dtype).at[index], name)(number))


@pytest.mark.parametrize("number", [np.int64(2**40 + 3), np.uint64(2**63 + 3), np.int64(-(2**40) - 3)])
def test_updates_by_integers_of_numpy_keep_their_lowest_bits(number):
    for wrap in (lambda r, f: f, lambda r, f: r.jit(f)):
        compare(lambda r: wrap(r, lambda x: x.at[0].set(number))(r.numpy.zeros(2)))


@pytest.mark.parametrize("index", [
    -(2**40), np.int64(-(2**40)), np.array([-(2**40)]), (slice(None), -(2**40)),
], ids=str)
def test_positions_beyond_the_integers_are_outside(index):
    compare(lambda r: r.numpy.arange(6).reshape(2, 3).at[index].add(1))


def test_edges_of_histograms_may_be_large():
    x = np.array([1, 2], "f")
    compare(lambda r: [r.numpy.histogram(x, 4, range=ends) for ends in ((0, 2**40), (-(2**40), 2**40), (0.0, 2**40))])


@pytest.mark.parametrize("fill", [1j, "a"])
def test_what_fills_is_a_number_of_that_kind(fill):
    x = adjoint.numpy.zeros(3)
    for read in (x.at[5].get, partial(adjoint.numpy.take, x, 5)):
        with pytest.raises(TypeError):
            read(mode="fill", fill_value=fill)


def test_a_real_solution_has_a_real_slope():
    compare(lambda r: r.experimental.ode.odeint(lambda y, t: -y * 1j, r.numpy.float32(1), np.array([0, 1], "f")))


# ---- arrays that were given away -------------------------------------------------------------------------------------


@pytest.mark.parametrize("calls", [0, 1, 3])
def test_a_donated_array_is_the_error_that_jax_raises(calls):
    for root in (adjoint, jax):
        f = root.jit(lambda x: x + 1, donate_argnums=0)
        for _ in range(calls):
            f(root.numpy.ones(3))
        x = root.numpy.ones(3)
        f(x)
        with pytest.raises((RuntimeError, ValueError)) as e:
            f(x)
        if root is adjoint:
            assert isinstance(e.value, RuntimeError) and isinstance(e.value, ValueError)


@pytest.mark.parametrize("name", ["devices", "device_count", "process_index", "process_count", "process_indices"])
@pytest.mark.parametrize("backend", [0, 1.5, "nope"])
def test_a_platform_is_named(name, backend):
    kind, text = (RuntimeError, "Unknown backend") if backend == "nope" else (AttributeError, "object has no attribute")
    with pytest.raises(kind, match=text):
        getattr(adjoint, name)(backend)
