"""Memories that are bounded, and that `clear_caches` empties."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from tests.modes import compiling, unchecked

import adjoint
import adjoint.numpy as jnp
from adjoint.core.passes import prune_program
from adjoint.core.process import memo as memory
from adjoint.core.process.memo import Memo, fact, forget
from adjoint.core.trace import stage_closed


def test_a_full_memory_is_emptied_before_the_next_entry():
    memo = Memo(2)
    assert [memo.keep(k, k * k) for k in (1, 2)] == [1, 4]
    assert memo.keep(3, 9) == 9
    assert memo == {3: 9}


def test_memories_are_forgotten_as_long_as_somebody_has_them():
    memo = Memo(4)
    memo.keep("f", 1)
    before = len(memory._memos)
    forget()
    assert dict(memo) == {}
    del memo
    assert len(memory._memos) == before - 1


KEPT = """
import gc, pkgutil, sys
from functools import _lru_cache_wrapper
import adjoint as ax, adjoint.numpy as jnp
x = jnp.ones((4, 4)) + jnp.eye(4)
def f(x):
    y = jnp.einsum("ij,jk->ik", x, jnp.sort(x)[::2].repeat(2, 0)) + jnp.fft.fft(x).real
    return ax.vmap(lambda v: (v[jnp.array([[0, 1]])] * jnp.linalg.inv(x)[:2, :2]).sum())(y)
ax.jit(f)(x), f(x), jnp.var(x), ax.grad(lambda x: f(x).sum())(x), ax.jit(f).lower(x).compile()
ax.clear_caches()
gc.collect()
for name, module in list(sys.modules.items()):
    if name.partition(".")[0] != "adjoint":
        continue
    for what, found in vars(module).items():
        if type(found) is _lru_cache_wrapper and found.cache_info().maxsize is not None:
            assert not found.cache_info().currsize, (name, what)
from adjoint.core.process.memo import _memos
from adjoint.core.jaxpr import Jaxpr
from adjoint.engines.interface import Executable
assert not any(_memos.values())  # those that are parts of programs go with these
for found in gc.get_objects():
    assert not isinstance(found, Executable), found
    assert type(found) is not Jaxpr or len(found.eqns) < 2, found  # the library has some operators of its own
print("forgotten")
"""


def test_clear_caches_forgets_all_that_is_remembered():
    done = subprocess.run([sys.executable, "-c", KEPT], capture_output=True, text=True, timeout=300)
    assert done.stdout == "forgotten\n", done.stderr


@compiling
@unchecked
def test_clear_caches_forgets_replayed_calls_which_work_again_afterwards():
    x = jnp.arange(5.0)
    function = jnp.var
    before = [float(function(x)) for _ in range(4)]
    assert function.replays
    adjoint.clear_caches()
    assert not function.replays
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


def test_nothing_is_kept_beside_the_bound():
    """What is kept with a program is kept by `keep`, which empties a memory that is full."""
    found = []
    for path in Path(adjoint.__file__).parent.rglob("*.py"):
        text = path.read_text()
        if ".cache" not in text:     # to parse all of them takes seconds
            continue
        written = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Assign)]
        targets = [t.value for n in written for t in n.targets if isinstance(t, ast.Subscript)]
        found += [path.name for t in targets if re.fullmatch(r"(.*\.)?jaxpr\.cache", ast.unparse(t))]
    assert found == []


def test_a_program_is_asked_for_many_things_and_keeps_few():
    closed = stage_closed(lambda *xs: [x * 2 for x in xs], [adjoint.typeof(np.float32(1))] * 10)
    for i in range(1, 1 << 10):
        prune_program(closed, tuple([bool(i >> k & 1) for k in range(10)]))
    assert len(closed.jaxpr.cache) <= closed.jaxpr.cache.most
