"""`python -m adjoint script.py [arguments]`: run a program that says `import jax`, unchanged."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from .compat import install
from .version import own_version


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m adjoint", description="Run a JAX program on adjoint: `import jax` means adjoint."
    )
    parser.add_argument("--version", action="version", version=f"adjoint {own_version}")
    parser.add_argument("-m", dest="module", metavar="MODULE", help="run a module instead of a script")
    parser.add_argument("script", nargs="?", help="the program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args(arguments)
    if options.module is None and options.script is None:
        parser.error("name a script to run, for example: python -m adjoint train.py")
    install()
    if options.module is not None:
        rest = [options.script] if options.script else []
        sys.argv = [options.module, *rest, *options.arguments]
        sys.path.insert(0, "")
        runpy.run_module(options.module, run_name="__main__", alter_sys=True)
        return
    script = Path(options.script)
    if not script.exists():
        parser.error(f"there is no file {options.script!r}")
    sys.argv = [options.script, *options.arguments]
    sys.path.insert(0, str(script.resolve().parent))
    runpy.run_path(str(script.absolute()), run_name="__main__")


if __name__ == "__main__":
    main()
