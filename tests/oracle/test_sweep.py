"""A sample of the sweep: programs of every public function beside the answers that JAX gave, which are on disk."""

from __future__ import annotations

import json
import lzma

import pytest
from tests.modes import standard

from . import sweep

PARTS = 16


@pytest.fixture(scope="module")
def sample():
    """The programs and the answers, by function."""
    return json.loads(lzma.open(sweep.SAMPLE, "rt").read())


@standard       # so are JAX's answers
@pytest.mark.parametrize("part", range(PARTS))
def test_values_types_and_errors_are_those_of_jax(sample, part):
    m = sweep.library("adjoint")
    wrong = []
    for function in sorted(sample)[part::PARTS]:
        for record in sample[function]:
            for mode in record["answers"]:
                kind, _, what = sweep.compared(m, function, record, mode)
                if kind not in ("same", "accepted"):
                    wrong.append(f"{kind}, {mode}: {'; '.join(record['operands'])}; {record['text']}: {what}")
    assert not wrong, "\n".join(wrong)
