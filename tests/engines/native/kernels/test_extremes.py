"""Extremes along the outer loops of a kernel, whose results grow in memory."""

from __future__ import annotations

import llvmlite.binding as llvm
import numpy as np
import pytest
from tests.engines.agreement import in_both_tiers

import adjoint as ax
from adjoint.engines.native.program.table import Executable
from adjoint.engines.native.runtime import compiler, machine


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_results_are_stored_whole(name, dtype, monkeypatch):
    """A choice between what is there and a number would be a masked store, which takes many times as long on some
    processors.
    """
    texts, made = [], compiler.object_of
    monkeypatch.setattr(compiler, "object_of", lambda text, *rest: texts.append(text) or made(text, *rest))
    x = np.random.default_rng(0).normal(size=(2001, 512)).astype(dtype)
    x[7, 3] = x[2000, 5] = x[0, 9] = np.nan
    with ax.enable_x64(True):
        program = Executable(ax.make_jaxpr(lambda x: getattr(x, name)(0))(x))
        np.testing.assert_array_equal(in_both_tiers(program, [x])[0], getattr(x, name)(0))
    (text,) = {text for text in texts if "fcmp uno" in text}
    module = llvm.parse_assembly(text)
    target = compiler._target(machine.FINAL, False)
    assert "maskmov" not in target.emit_assembly(module)
