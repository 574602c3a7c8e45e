"""Counts of what is traced, lowered and compiled within a block."""

from __future__ import annotations

import contextlib
import unittest
from collections.abc import Callable, Iterator

from ....monitoring import register_event_duration_secs_listener, unregister_event_duration_listener
from ....transforms.jit.jit import jit

__all__ = [
    "JIT_IMPLEMENTATION", "NotPresent", "assert_num_jit_and_pmap_compilations",
    "count_aot_jit_cpp_cache_miss",
    "count_compilation_after_persistent_cache_miss", "count_device_put", "count_device_put_fast_path_hit",
    "count_events", "count_internal_device_puts", "count_jax_array_shard_arg_calls", "count_jit_and_pmap_lowerings",
    "count_jit_compilation_cache_miss", "count_jit_tracing_cache_miss", "count_pjit_cpp_cache_miss",
    "count_primitive_compiles", "count_subjaxpr_to_hlo_conversion", "register_event_duration_listener",
]

_TRACE = "/jax/core/compile/jaxpr_trace_duration"
_LOWER = "/jax/core/compile/jaxpr_to_mlir_module_duration"
_COMPILE = "/jax/core/compile/backend_compile_duration"


@contextlib.contextmanager
def register_event_duration_listener(callback: Callable) -> Iterator[None]:
    """Call `callback(event, duration, **about)` for each event of the block that takes time."""
    register_event_duration_secs_listener(callback)
    try:
        yield
    finally:
        unregister_event_duration_listener(callback)


def count_events(event: str) -> Callable[[], contextlib.AbstractContextManager]:
    """Return a function that makes contexts; each gives a function that says how often an event has been."""
    @contextlib.contextmanager
    def counting():
        seen = []
        with register_event_duration_listener(lambda name, duration, **about: name == event and seen.append(about)):
            yield lambda: len(seen)

    return counting


count_jit_tracing_cache_miss = count_events(_TRACE)
count_jit_and_pmap_lowerings = count_events(_LOWER)
count_jit_compilation_cache_miss = count_events(_COMPILE)
count_compilation_after_persistent_cache_miss = count_events(_COMPILE)


@contextlib.contextmanager
def assert_num_jit_and_pmap_compilations(times: int) -> Iterator[None]:
    """Raise AssertionError unless so many programs are lowered within the block."""
    with count_jit_and_pmap_lowerings() as count:
        yield
    if count() != times:
        raise AssertionError(f"Expected exactly {times} XLA compilations, but executed {count()}")


def _inside_jax(what: str) -> Callable:
    """Return what skips a test that counts something that only JAX itself has."""
    def count(*_args):
        raise unittest.SkipTest(f"adjoint has no {what} to be counted")

    return count


count_device_put = _inside_jax("primitive of transfers")
count_device_put_fast_path_hit = _inside_jax("fast path of transfers")
count_internal_device_puts = _inside_jax("fast path of transfers")
count_jax_array_shard_arg_calls = _inside_jax("table of arguments' shards")
count_pjit_cpp_cache_miss = _inside_jax("cache of calls in C++")
count_aot_jit_cpp_cache_miss = _inside_jax("cache of calls in C++")
count_subjaxpr_to_hlo_conversion = _inside_jax("function of HLO for each program inside of others")
count_primitive_compiles = _inside_jax("cache of compiled primitives")


# ---- what tests are run with

# Ways to compile a function: a test is run with each.
JIT_IMPLEMENTATION = (jit, lambda f, *args, **kwargs: jit(f, *args, **kwargs))


class NotPresent:
    """Stands for something that is not there, where None is a value."""

    def __repr__(self):
        return "<not present>"
