"""References, errors and files under private names: `jax._src.state`, `error_check`, `compilation_cache`."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling, some
from tests.recorded import jax

from .inside import ours, told


def added(refs):
    x, y = refs
    for i in range(3):
        y[...] = y[...] + x[i]


def both(m):
    return m.numpy.arange(3.0), m.numpy.float32(0.0)


def state(m):
    return m._src.state


def last(m, x):
    return state(m).discharge.run_state(added)((x, m.numpy.float32(0.0)))[1]


def raised(m, check):
    check(m._src.error_check.set_error_if)
    m._src.error_check.raise_if_error()


PROBES = {
    "type": lambda m: state(m).types.shaped_array_ref((3,), np.float32),
    "read": lambda m: (state(m).types.ReadEffect(2), str(state(m).types.ReadEffect(2)),
        state(m).types.ReadEffect(2).replace(input=3)),
    "effects_equal": lambda m: (state(m).types.WriteEffect(2) == state(m).types.WriteEffect(2),
        state(m).types.AccumEffect(2) == state(m).types.WriteEffect(2)),
    "of_value": lambda m: state(m).types.get_ref_aval_from_value(m.numpy.ones(3)),
    "run": lambda m: state(m).discharge.run_state(added)(both(m)),
    "run_reference": lambda m: state(m).discharge.run_state_reference(added)(both(m)),
    "run_jit": lambda m: m.jit(state(m).discharge.run_state(added))(both(m)),
    "run_grad": lambda m: m.jvp(lambda x: last(m, x), (m.numpy.arange(3.0),), (m.numpy.ones(3),)),
    "broadcast": lambda m: state(m).primitives.broadcast_to(m.numpy.ones(3), (2, 3)),
    "shape": lambda m: state(m).primitives.shapeof(m.numpy.ones(3)),
    "bits": lambda m: state(m).utils.bitcast(m.numpy.ones((4, 2), "float32"), "int16"),
    "wide_bits": lambda m: state(m).utils.bitcast(m.numpy.ones((4, 2), "int16"), "int32"),
    "bit_shape": lambda m: state(m).utils.eval_bitcast_shape(m.numpy.ones((4, 2), "int16"), "int32"),
    "bits_of_one_axis": lambda m: state(m).utils.bitcast(m.numpy.ones(4, "int16"), "int32"),
    "bits_left": lambda m: state(m).utils.bitcast(m.numpy.ones((3, 2), "int16"), "int32"),
    "error": lambda m: raised(m, lambda check: check(m.numpy.array(True), "boo")),
    "no_error": lambda m: raised(m, lambda check: check(m.numpy.array(False), "boo")),
    "error_in_jit": lambda m: raised(m, lambda check: m.jit(lambda x: check(x < 0, "negative"))(-1)),
    "error_of_some": lambda m: raised(m, lambda check: check(m.numpy.array([True, False]), "some")),
    "first_error": lambda m: raised(m, lambda check: (check(m.numpy.array(True), "one"), check(m.numpy.array(True),
        "two"))),
    "error_is_gone": lambda m: m._src.error_check.raise_if_error(),
    "packed": lambda m: m._src.compilation_cache.combine_executable_and_time(b"abc", 5),
    "unpacked": lambda m: m._src.compilation_cache.extract_executable_and_time(b"\0\0\0\5abc"),
    "compressed": lambda m: m._src.compilation_cache.decompress_executable(
        m._src.compilation_cache.compress_executable(b"abc")),
    "least_size": lambda m: m._src.compilation_cache.default_min_cache_entry_size(),
    "hook": lambda m: (m._src.cache_key.custom_hook(), m._src.cache_key.IgnoreCallbacks.ALL),
}


@pytest.mark.parametrize("name", some(PROBES, compiling, "error_in_jit"))
def test_private_names_do_what_they_do_in_jax(name):
    assert told(PROBES[name], ours) == told(PROBES[name], jax)
