"""`python -m adjoint script.py [arguments]`: run a program that says `import jax`, unchanged.

As with Python itself, `-m module`, `-c code` and `-` (standard input) stand in place of the script, `-i` keeps a
prompt, and what follows belongs to the program. The Pythons that the program starts have adjoint in the place of JAX
too, if it is installed for them. A run of pytest ends with a line that says how many programs were compiled. Without a
program there is a prompt; `cache`, `doctor`, `env` and `version` are commands (`commandline/`).
"""

from __future__ import annotations

import sys
from importlib import import_module

from .commandline import programs
from .version import jax_version, own_version


def main(arguments: list[str] | None = None) -> None:
    """Do what a command line says.

    Args:
      arguments: the command line, `sys.argv[1:]` if it is not given.
    Raises:
      SystemExit: what the command line asks for is not there, or the program ended so.
    """
    given = sys.argv[1:] if arguments is None else arguments
    first = given[0] if given else ""
    if first in ("-h", "--help", "help"):
        print(programs.USAGE, end="")
    elif first in ("--version", "version"):
        print(f"adjoint {own_version} (the interface of JAX {jax_version})")
    elif module := programs.COMMANDS.get(first):
        raise SystemExit(import_module(f".commandline.{module}", __package__).run(given[1:]))
    else:
        programs.run(given[1:] if first == "run" else given)


if __name__ == "__main__":
    main()
