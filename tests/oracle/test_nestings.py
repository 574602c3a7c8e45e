"""A sample of random nestings of transformations beside the answers that JAX gave, which are on disk."""

from __future__ import annotations

import pytest
from tests.modes import standard

from . import answers, nestings

PARTS = 8


@standard  # so are JAX's answers
@pytest.mark.parametrize("part", range(PARTS))
def test_nestings_answer_as_in_jax(part):
    root, wrong = nestings.library("adjoint"), []
    for text, theirs in list(answers.read(nestings.SAMPLE).items())[part::PARTS]:
        found = nestings.difference(nestings.answer(root, text), theirs, text)
        if found:
            wrong.append(f"{found}\n    {text}")
    assert not wrong, "\n".join(wrong)
