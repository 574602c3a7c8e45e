"""The variables of the environment that the package reads beside those of options, and what is wrong with those set.

Tests: `tests/compat/test_command_line.py`.
"""

from __future__ import annotations

import os

from ..messages import errors
from ..process import processors
from .config import config

__all__ = ["VARIABLES", "of_options", "warn_of_wrong", "wrong"]

VARIABLES = {
    "ADJOINT_AS_JAX": "Present adjoint as `jax` in every Python of the environment: 1 or quiet.",
    "ADJOINT_CACHE_DIR": "The folder of compiled programs, or off; the default is the user's cache folder.",
    "ADJOINT_JAX_VERSION": "The version of JAX that the package says it is, such as 0.11.2.",
    "ADJOINT_NATIVE_CPU": "The processor that native code is made for: host, x86-64-v2, x86-64-v3 or x86-64-v4.",
    "ADJOINT_NUM_THREADS": "The number of threads of the native engine; the default is the processors it may use.",
}


def of_options() -> dict[str, str]:
    """Return the variables that set options, and what these do."""
    return {f"ADJOINT_{n.removeprefix('jax_').upper()}": config.state(n).option.doc for n in config.values}


def wrong() -> list[str]:
    """Return a line for each variable ADJOINT_X that nothing reads, and for a number of threads that is none."""
    found = [name for name in os.environ if name.startswith("ADJOINT_") and name not in VARIABLES]
    names = {**VARIABLES, **of_options()} if found else {}
    lines = [
        f"The environment variable {name} is none of adjoint's.{errors.did_you_mean(name, names)}"
        for name in sorted(found) if name not in names
    ]
    lines += _mistyped_options()
    try:
        processors.chosen()
    except ValueError as error:
        lines.append(str(error))
    return lines


_MIN_SIMILARITY = 0.9  # of the name of a variable to an option's, from which it counts as mistyped


def _mistyped_options() -> list[str]:
    """Return a line for each variable JAX_X that is no option's and nearly an option's; others have such variables."""
    known = {f"JAX_{name.removeprefix('jax_').upper()}" for name in config.values}
    lines = []
    for name in sorted(name for name in os.environ if name.startswith("JAX_") and name not in known):
        if option := errors.similar(name, known, _MIN_SIMILARITY):
            lines.append(f"The environment variable {name} sets no option. Did you mean {option!r}?")
    return lines


def warn_of_wrong() -> None:
    """Warn of the variables that are wrong."""
    for line in wrong():
        errors.warn(line, UserWarning)
