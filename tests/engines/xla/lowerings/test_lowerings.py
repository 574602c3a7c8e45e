"""The `lower` rules compute what `evaluate` does, on the primitives' own examples, without asking the host."""

from __future__ import annotations

import numpy as np
import pytest
from tests.prims import harness

from adjoint.core.options.config import enable_x64
from adjoint.core.trace import stage_closed
from adjoint.engines.numpy.program import program
from adjoint.engines.xla.module import module_and_steps

pytest.importorskip("jaxlib")

# Programs of all examples of some primitives: XLA compiles one at a time.
FAMILIES = {
    "factorizations": "cholesky cholesky_update lu lu_pivots_to_permutation qr geqrf householder_product ormqr "
    "symmetric_product triangular_solve tridiagonal_solve",
    "spectra": "eigh eig svd schur hessenberg tridiagonal",
    "order": "sort top_k argmax argmin cumsum cumprod cumlogsumexp eq_to lt_to le_to",
    "products": "dot_general ragged_dot_general scaled_dot mulhi tile stack unstack split rng_bit_generator",
    "gammas": "lgamma digamma igamma igammac igamma_grad_a regularized_incomplete_beta bessel_i0e "
    "random_gamma random_gamma_grad",
    "integrals": "erfcx log_ndtr ndtri exp1 expi expn sine_integral cosine_integral spence",
    "elements": "nextafter complex mul pow reduce_max reduce_and select_n conj platform_index fft",
}
EXAMPLES = {"gammas": 1, "integrals": 1}  # of each primitive, where programs are long; all of them elsewhere


def calls_of(family):
    known = {p.name: p for p in harness.all_primitives()}
    return [(known[n], c) for n in FAMILIES[family].split() for c in harness.examples(known[n])[:EXAMPLES.get(family)]]


@pytest.mark.parametrize("family", FAMILIES)
def test_lowering_agrees_with_evaluation(family):
    from adjoint.engines.xla.engine import Executable

    with enable_x64(True):
        calls = calls_of(family)

        def run(*xs):
            outs, rest = [], iter(xs)
            for p, call in calls:
                out = p.bind(*[next(rest) for _ in call.operands], **call.params)
                outs += out if p.multiple_results else [out]
            return outs

        closed = stage_closed(run, [a for _, c in calls for a in c.avals])
        _, steps = module_and_steps(closed, "f")
        assert len(steps) <= 3  # empty matrices beside others, and the narrowest integers
        buffers = [harness.buffer(x) for _, c in calls for x in c.operands]
        got, want = Executable.of(closed)(*buffers), program(closed)(*buffers)
    for a, b, aval in zip(want, got, closed.out_avals, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert (aval.shape, aval.dtype) == (b.shape, b.dtype)
        if b.dtype.kind in "fc":
            np.testing.assert_allclose(b, a.astype(b.dtype), rtol=2e-4, atol=2e-5)
        else:
            np.testing.assert_array_equal(b.astype(np.float64), a.astype(np.float64))
