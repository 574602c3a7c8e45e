"""`print_environment_info`: what a report of a bug says, line by line as in JAX but for the versions of its parts."""

from __future__ import annotations

import numpy as np
from tests.recorded import jax

import adjoint


def named(text: str) -> dict[str, str]:
    return {name.strip(): value.strip(' "') for name, _, value in (line.partition(":") for line in text.splitlines())}


def test_a_report_tells_versions_devices_and_the_platform(capsys):
    ours, theirs = (named(m.print_environment_info(return_string=True)) for m in (adjoint, jax))
    alike = "numpy", "python", "device info", "process_count", "platform"
    assert {name: ours[name] for name in alike} == {name: theirs[name] for name in alike}
    assert ours["adjoint"] == adjoint.environment.own_version and ours["numpy"] == np.__version__
    assert adjoint.print_environment_info() is None
    assert named(capsys.readouterr().out) == ours
