"""Memories that are bounded, and those of programs, which `clear_caches` empties."""

from __future__ import annotations

import numpy as np
from tests.modes import compiling, unchecked

import adjoint
import adjoint.numpy as jnp
from adjoint.core.process.memo import Memo, fact, forget_programs
from adjoint.core.trace import stage_closed


def test_a_full_memory_is_emptied_before_the_next_entry():
    memo = Memo(2)
    assert [memo.keep(k, k * k) for k in (1, 2)] == [1, 4]
    assert memo.keep(3, 9) == 9
    assert memo == {3: 9}


def test_memories_of_programs_are_forgotten_and_others_kept():
    programs, others = Memo(4, programs=True), Memo(4)
    programs.keep("f", 1)
    others.keep("f", 1)
    forget_programs()
    assert (dict(programs), dict(others)) == ({}, {"f": 1})


@compiling
@unchecked
def test_clear_caches_forgets_replayed_calls_which_work_again_afterwards():
    x = jnp.arange(5.0)
    function = jnp.var
    before = [float(function(x)) for _ in range(4)]
    assert function.plans
    adjoint.clear_caches()
    assert not function.plans
    assert [float(function(x)) for _ in range(4)] == before == [2.0] * 4


def test_a_fact_is_found_once_for_a_program():
    calls = []

    @fact
    def length(jaxpr):
        calls.append(jaxpr)
        return len(jaxpr.eqns)

    closed = stage_closed(lambda x: [jnp.sin(x) * 2], [adjoint.typeof(np.float32(1))])
    assert [length(closed.jaxpr), length(closed.jaxpr)] == [2, 2]
    assert len(calls) == 1
