"""`adjoint env`: the variables of the environment that the package reads, and what they are set to."""

from __future__ import annotations

import os

from ..core.options.variables import VARIABLES, of_options, wrong
from .programs import fail

__all__ = ["run"]


def run(arguments: list[str]) -> int:
    """Print the variables that are set, with `all` every one, and those that nothing reads."""
    if arguments not in ([], ["all"]):
        fail(f"env {' '.join(arguments)}: write `adjoint env` or `adjoint env all`")
    options = of_options()
    is_any_set = False
    for name, text in {**VARIABLES, **options}.items():
        also = name.replace("ADJOINT_", "JAX_")
        value = os.environ.get(name, os.environ.get(also) if name in options else None)
        is_any_set |= value is not None
        if value is not None or arguments:
            print(f"{name}={value or ''}\n    {text}")
    lines = wrong()
    for line in lines:
        print(line)
    if not arguments:
        print(f"{'' if is_any_set else 'No variable of adjoint is set. '}`adjoint env all` names every variable.")
    return bool(lines)
