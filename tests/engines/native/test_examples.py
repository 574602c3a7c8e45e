"""Every primitive that is compiled, on its own examples: as on the NumPy engine."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import in_both_tiers
from tests.prims import harness

import adjoint as ax
from adjoint.engines.native.graph.view_rules import import_rules
from adjoint.engines.native.program.table import Executable
from adjoint.engines.numpy import program

ROUNDED = {2: 3e-2, 4: 2e-4, 8: 1e-9}  # tolerances by the width of a float
NEVER_THE_SAME = {"rng_uniform"}
import_rules()
COMPILED = sorted({p.name for p in harness.all_primitives() if p.emit_rule is not None} - NEVER_THE_SAME)


@pytest.mark.parametrize("name", COMPILED)
def test_the_examples_of_a_primitive(name):
    calls = harness.examples(harness.primitives[name])
    sizes = [len(c.operands) for c in calls]
    ends = np.cumsum(sizes)

    def every(*operands):
        return [x for c, n, end in zip(calls, sizes, ends) for x in c(*operands[end - n : end])]

    with ax.enable_x64(True):
        operands = [x for c in calls for x in c.operands]
        closed = ax.make_jaxpr(every)(*operands)
        buffers = [harness.buffer(x) for x in operands]
        results = zip(in_both_tiers(Executable(closed), buffers), program(closed)(*buffers), strict=True)
    for native, expected in results:
        expected = np.asarray(expected)
        assert (expected.shape, expected.dtype) == (native.shape, native.dtype)
        parts = 2 if native.dtype.kind == "c" else 1
        if native.dtype.kind in "biu" or native.dtype.names or native.dtype.itemsize // parts not in ROUNDED:
            np.testing.assert_array_equal(expected, native)
        else:
            wide, tol = np.complex128 if parts == 2 else np.float64, ROUNDED[native.dtype.itemsize // parts]
            np.testing.assert_allclose(native.astype(wide), expected.astype(wide), rtol=tol, atol=tol)
