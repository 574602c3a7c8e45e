"""Every rule of every primitive, on the primitive's own examples; see `harness.py`."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling, some, unchecked

from adjoint.core.dtypes import ExtendedDType
from adjoint.core.options.config import config, enable_x64

from . import harness, oracle

PRIMITIVES = harness.all_primitives()
ELEMENTWISE = [p for p in PRIMITIVES if isinstance(p, harness.Elementwise)]

# Rules that a primitive may lack, with the reason. What has no inexact operand needs no `jvp`, what
# has no operand no `batch` either.
MAY_LACK = {
    "nextafter": ("jvp", "a step between neighbours has no derivative; JAX has none"),
    "zeta": ("jvp", "JAX has none"),
    "igamma_grad_a": ("jvp", "JAX has none"),
    "rng_uniform": ("jvp batch", "JAX has none"),
    "scaled_dot": ("jvp", "JAX has none"),
    **dict.fromkeys(("precv", "psend"), ("jvp", "JAX has none")),
    **dict.fromkeys(
        ("addupdate", "freeze", "get", "new_ref", "swap"),
        ("evaluate jvp batch", "engines and transformations meet operations on the value that a reference holds"),
    ),
    "empty_ref": ("evaluate", "as the other operations on references"),
    "select_and_scatter": ("jvp", "JAX has none; select_and_scatter_add has"),
    **dict.fromkeys(
        ("cholesky_update", "geqrf", "hessenberg", "householder_product", "ormqr", "schur",
         "symmetric_product", "tridiagonal"),
        ("jvp", "JAX has none"),
    ),
}
# Calls of programs: tried by the tests of what makes them. (So are collectives: they want an axis.)
NO_EXAMPLES = {
    "jit", "scan", "while", "cond", "custom_linear_solve", "custom_jvp_call", "custom_vjp_call", "custom_lin",
    "debug_callback", "debug_print", "pure_callback", "io_callback", "composite", "create_token", "after_all",
    "remat_opt", "shard_map", "ffi_call", "addupdate", "empty_ref", "freeze", "get", "new_ref", "swap",
    "dim_as_value",
}
# Other results at each call.
RANDOM = {"rng_uniform"}
# Type rules that admit, as JAX's do, dtypes in which nobody can compute.
UNTYPED = {"cumlogsumexp", "rng_uniform"}
# `vmap` is not a loop: keys of the generator `rbg` draw one stream for the whole batch, as in JAX; other starts of rows
# than those of the example are no matrix.
NOT_A_LOOP = {"rng_bit_generator", "random_bits", "spsolve"}
# With a parameter that is an object of the library.
NO_ORACLE = {"ragged_dot_general", "random_seed", "random_wrap", "reduce", "reduce_window", "select_and_scatter"}
# So slow to compile that one example and two dtypes must do.
SLOW_IN_XLA = {"igamma", "igammac", "igamma_grad_a", "regularized_incomplete_beta"}
# Units in the last place by which results may differ from XLA's, where that is more than 8.
ULPS = {
    "exp2": 64,  # XLA multiplies by log(2) first
    "cosh": 64, "sinh": 64,  # XLA halves exp(x + log(1/2))
    "erf_inv": 64,  # polynomials without fused products
    "lgamma": 64, "digamma": 64, "polygamma": 1e3, "zeta": 64,
    "igamma": 1e3, "igammac": 1e3, "igamma_grad_a": 1e3, "regularized_incomplete_beta": 1e3,
    **dict.fromkeys(("eig", "eigh", "lu", "qr", "schur", "svd", "triangular_solve", "tridiagonal_solve"), 64),
}

NEAR_ZERO = {"lgamma", "digamma"}  # relative to 1, for they are differences of larger numbers

ON_XLA = config.cpu_engine == "xla"

each_primitive = pytest.mark.parametrize("p", PRIMITIVES, ids=str)
GIVING_NAN = [p for p in PRIMITIVES if p.name in ("cholesky", "reduce_precision", "scaled_dot")]  # in their examples
each_without_nan = pytest.mark.parametrize("p", some(PRIMITIVES, unchecked, *GIVING_NAN), ids=str)


@pytest.fixture(autouse=True)
def _double():
    """Every check runs with 64-bit types on, so that operands keep the dtypes they were given."""
    with enable_x64(True):
        yield


def calls_of(p):
    """The examples that can be tried here: collectives want a named axis."""
    return [c for c in harness.examples(p) if p.axes_rule is None or not p.axes_rule(c.params)]


def typed_calls_of(p):
    return [] if p.axes_rule is not None or p.name in UNTYPED else harness.typed_calls(p)


@each_primitive
def test_has_its_rules_and_examples(p):
    """Nothing is missing but what is listed with its reason."""
    excused = set(MAY_LACK.get(p.name, ("",))[0].split())
    lacking = set(p.missing())
    assert excused <= lacking, f"{p} has {excused - lacking} now: take it off the list"
    operands = [x for call in harness.examples(p) for x in call.operands]
    if not any(harness.is_inexact(x) for x in operands):
        lacking.discard("jvp")
    if not operands:
        lacking.discard("batch")
    assert lacking <= excused, f"{p} lacks {sorted(lacking - excused)}"
    excused = p.axes_rule is not None or p.name in NO_EXAMPLES
    assert p.example_calls or excused, f"{p} has no examples"


@each_primitive
def test_evaluate_has_the_type_of_the_type_rule(p):
    for call in (*calls_of(p), *typed_calls_of(p)):
        harness.check_type(call)


@each_primitive
def test_jit_and_printing(p):
    for call in calls_of(p):
        harness.check_printing(call)
        if p.name not in RANDOM:
            harness.check_jit(call, ULPS.get(p.name, 8) if ON_XLA else 8)


@each_without_nan
def test_vmap_equals_a_loop(p):
    if p.name in RANDOM or p.batch_rule is None and p.batch_axis_rule is None:
        pytest.skip("no batch rule")
    for call in calls_of(p):
        if call.operands and p.name not in NOT_A_LOOP:
            harness.check_batch(call)


@each_without_nan
def test_derivatives(p):
    """Forward mode against differences, reverse mode against forward mode, both under vmap."""
    if p.jvp_rule is None and not p.linear:
        pytest.skip("no derivative")
    for example in calls_of(p):
        call = harness.in_double(example)
        if call is not None:
            harness.check_jvp(call)
            harness.check_vjp(call)
            harness.check_grad_and_vmap(call)


def _without_phases(factors):
    """Schur factors of complex matrices, whose vectors begin with positive numbers: phases differ with processors."""
    if len(factors) < 2 or not np.iscomplexobj(factors[1]):
        return factors
    triangular, vectors = map(np.asarray, factors)
    phases = vectors[..., :1, :] / abs(vectors[..., :1, :])
    return triangular * np.swapaxes(phases, -1, -2) / phases, vectors / phases


@compiling
@each_primitive
def test_types_and_values_are_those_of_jax(p):
    if oracle.primitive(p.name) is None or p.name in NO_ORACLE:
        pytest.skip("JAX has no such primitive")
    if p.axes_rule is not None:
        pytest.skip("needs a named axis")
    calls = [c for c in (*harness.examples(p), *typed_calls_of(p)) if not is_exotic(c)]
    for call in calls:
        theirs = oracle.types(call)
        assert not isinstance(theirs, Exception), f"{call.label}: JAX says {theirs}"
        ours = [(a.shape, a.dtype) for a in call.out_avals()]
        assert str(ours) == str(theirs), call.label
    if p.name in RANDOM:
        return
    if isinstance(p, harness.Elementwise):  # special values have every dtype
        slow = p.name in SLOW_IN_XLA
        kinds = harness.DTYPES[: 2 if slow else None]
        special = [harness.special_call(p, dtype) for dtype in kinds]
        shaped = [c for c in harness.examples(p) if len({x.shape for x in c.operands}) > 1]
        calls = harness.examples(p)[:1] + shaped * (not slow) + [c for c in special if c]
    floor = None if p not in ELEMENTWISE else 1.0 if p.name in NEAR_ZERO else 0.0
    for call, theirs in zip(calls, oracle.values(calls), strict=True):
        ours = harness.evaluate(call)
        if p.name == "schur" and theirs:
            theirs, ours = _without_phases(theirs), _without_phases(ours)
        for expected, actual in zip(theirs or (), ours):
            if actual.dtype.kind == "V" and expected.dtype == np.uint32:  # keys
                actual = np.asarray(actual, order="C")[..., None].view(np.uint32)
            harness.assert_close(expected, actual, ULPS.get(p.name, 8), call.label, floor)


@pytest.mark.parametrize("p", ELEMENTWISE, ids=str)
def test_derivatives_are_written_as_jax_writes_them(p):
    """The jaxprs of jvp and vjp are the same text."""
    if oracle.primitive(p.name) is None or p.jvp_rule is None:
        pytest.skip("JAX has no such derivative")
    for example in harness.examples(p)[:4]:
        call = harness.in_double(example)
        if call is None:
            continue
        at = harness.positions(call)
        for chosen in dict.fromkeys([*[(i,) for i in at], at]):
            bind = lambda *xs: call(*xs)[0]
            ours = oracle.derivative_jaxprs(
                call, chosen, bind, harness.jvp, harness.vjp, harness.make_jaxpr
            )
            assert oracle.derivative_texts(call, chosen) == ours, f"{call.label} by {chosen}"


def is_exotic(call) -> bool:
    return any(
        not isinstance(x.dtype, ExtendedDType) and x.dtype in harness.EXOTIC for x in call.operands
    )


@pytest.mark.parametrize("p", ELEMENTWISE, ids=str)
def test_dtypes_are_accepted_and_refused_as_jax_does(p):
    """And the message is JAX's."""
    if oracle.primitive(p.name) is None:
        pytest.skip("JAX has no such primitive")
    params = p.example_calls[0][1]
    for dtype in harness.DTYPES:
        operands = tuple(np.zeros(2, dtype) for _ in p.domains)
        call = harness.Call(p, operands, params, f"{p} in {dtype.name}")
        theirs = oracle.types(call)
        try:
            ours = [(a.shape, a.dtype) for a in call.out_avals()]
        except TypeError as error:
            assert type(theirs) is TypeError, call.label
            assert str(theirs).splitlines()[0] == str(error).splitlines()[0], call.label
        else:
            assert ours == theirs, call.label
