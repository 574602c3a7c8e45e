"""`adjoint env`: the variables of the environment that the package reads, and what they are set to."""

from __future__ import annotations

import os

from ..core.options.variables import VARIABLES, of_options, unknown
from .programs import fail

__all__ = ["run"]


def run(arguments: list[str]) -> int:
    """Print the variables that are set, with `all` every one, and those that nothing reads."""
    if arguments not in ([], ["all"]):
        fail(f"adjoint env {' '.join(arguments)}: write adjoint env, or adjoint env all")
    options = of_options()
    for name, text in {**VARIABLES, **options}.items():
        also = name.replace("ADJOINT_", "JAX_")
        value = os.environ.get(name, os.environ.get(also) if name in options else None)
        if value is not None or arguments:
            print(f"{name}={value or ''}\n    {text}")
    wrong = unknown()
    for line in wrong:
        print(line)
    if not arguments:
        print("`adjoint env all` names every variable.")
    return bool(wrong)
