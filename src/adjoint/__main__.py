"""`python -m adjoint script.py [arguments]`: run a program that says `import jax`, unchanged.

As with Python itself, `-m module`, `-c code` and `-` (standard input) stand in place of the script, and what follows
belongs to the program. The Pythons that the program starts have adjoint in the place of JAX too, if it is installed
for them. A run of pytest ends with a line that says how many programs were compiled.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path
from types import ModuleType

from .compat import install_for_children
from .version import own_version

USAGE = "python -m adjoint [-h] [--version] [script | -m module | -c code | -] [arguments]"


def main(arguments: list[str] | None = None) -> None:
    """Run a script, a module or code with adjoint in the place of JAX.

    Args:
      arguments: the command line, `sys.argv[1:]` if it is not given.
    Raises:
      SystemExit: what the command line asks for is not there, or the program ended so.
    """
    parser = argparse.ArgumentParser(
        prog="python -m adjoint", usage=USAGE, description="Run a JAX program on adjoint: `import jax` means adjoint."
    )
    parser.add_argument("--version", action="version", version=f"adjoint {own_version}")
    parser.add_argument("-m", dest="module", metavar="module", help="run a module instead of a script")
    parser.add_argument("-c", dest="code", metavar="code", help="run a text instead of a script")
    parser.add_argument("script", nargs="?", help="the program; - reads it from standard input")
    given = sys.argv[1:] if arguments is None else arguments
    end = _first_of_program(given)
    options, rest = parser.parse_args(given[:end]), given[end:]
    if options.module is options.code is options.script is None:
        parser.error("name a script to run, for example: python -m adjoint train.py")
    script = None if options.script in (None, "-") else Path(options.script)
    if script is not None and not script.exists():
        parser.error(f"there is no file {options.script!r}")
    install_for_children()
    sys.path.insert(0, "" if script is None else str(script.resolve().parent))
    if options.module is not None:
        sys.argv = [options.module, *(["-p", "adjoint.pytest"] if options.module == "pytest" else []), *rest]
        runpy.run_module(options.module, run_name="__main__", alter_sys=True)
    elif script is not None:
        sys.argv = [options.script, *rest]
        runpy.run_path(str(script.absolute()), run_name="__main__")
    else:
        sys.argv = ["-c" if options.script is None else "-", *rest]
        text, name = (options.code, "<string>") if options.script is None else (sys.stdin.read(), "<stdin>")
        module = ModuleType("__main__")
        sys.modules["__main__"] = module
        exec(compile(text, name, "exec"), module.__dict__)


def _first_of_program(arguments: list[str]) -> int:
    """Return the position of the first argument that belongs to the program."""
    for i, argument in enumerate(arguments):
        if argument in ("-m", "-c"):
            return i + 2
        if argument == "-" or not argument.startswith("-"):
            return i + 1
        if argument[:2] in ("-m", "-c"):
            return i + 1
    return len(arguments)


if __name__ == "__main__":
    main()
