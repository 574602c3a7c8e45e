"""Programs that say `import jax`, run as Python would: a script, a module, a text, standard input, a prompt."""

from __future__ import annotations

import code
import difflib
import os
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from ..compat import install_for_children
from ..core.process.records import NamedTuple
from ..version import own_version

__all__ = ["COMMANDS", "USAGE", "fail", "run"]

# Commands, and the module of each here; the last two are one line of `__main__`.
COMMANDS = {"cache": "cache", "doctor": "doctor", "env": "variables", "version": "", "help": ""}

USAGE = """\
usage: adjoint [run] [-i] [script | -m module | -c code | -] [arguments]
       adjoint cache [info | ls | clear | verify]
       adjoint doctor | env | version | help

Run a JAX program on adjoint: `import jax` means adjoint. Without a program there is a prompt. `adjoint` is
`python -m adjoint`.

  -m module   run a module instead of a script; what follows belongs to it
  -c code     run a text instead of a script
  -           read the program from standard input
  -i          keep a prompt with the names of the program when it has ended

  cache       what compiled programs take on disk; clear removes them, verify the damaged ones
  doctor      what is installed and what this machine has, and a test of a few seconds
  env         the variables that adjoint reads, and their values
  version     the version of adjoint, and of the JAX whose interface it has
"""


class _Program(NamedTuple):
    """A program that a command line names: `kind` is `-m`, `-c`, `-`, `script` or `prompt`."""

    kind: str
    name: str
    arguments: list[str]
    has_prompt: bool


def run(arguments: list[str]) -> None:
    """Run the program of a command line, in the place of `__main__`.

    Args:
      arguments: options, the program and its arguments, which are passed on as they are.
    Raises:
      SystemExit: the program is not there, or ended so.
    """
    program = _parsed(arguments)
    if program.kind == "script":
        _check_script(Path(program.name))
    install_for_children()
    if not sys.flags.safe_path and sys.path[:1] in ([os.getcwd()], [str(Path(sys.argv[0]).resolve().parent)]):
        del sys.path[0]  # where Python has looked for this program, not for the one that runs
    sys.path.insert(0, str(Path(program.name).resolve().parent) if program.kind == "script" else "")
    names: dict[str, Any] = {}
    try:
        names = _executed(program)
    except SystemExit as ended:
        if not program.has_prompt:
            raise
        print(f"SystemExit: {ended.code}", file=sys.stderr)
    except Exception:
        if not program.has_prompt:
            raise
        sys.excepthook(*sys.exc_info())
    if program.has_prompt or program.kind == "prompt":
        _prompt(names)


def _check_script(path: Path) -> None:
    """End with a line that says what is wrong, if a script cannot be run."""
    if not path.exists():
        folder = path.parent
        if not folder.is_dir():
            fail(f"there is no folder {str(folder)!r} in {str(Path.cwd())!r}, so no file {str(path)!r}")
        known = [*os.listdir(folder), *(COMMANDS if folder == Path() else ())]
        similar = difflib.get_close_matches(path.name, known, n=1)
        hint = f". Did you mean {str(folder / similar[0])!r}?" if similar else ""
        fail(f"there is no file {path.name!r} in {str(folder.resolve())!r}{hint}")
    if path.is_dir() and not (path / "__main__.py").exists():
        fail(f"{str(path)!r} is a folder without a __main__.py; write the script in it, or -m for a package")
    if path.suffix == ".ipynb":
        fail(f"{str(path)!r} is a notebook. Open it in Jupyter and begin with `%load_ext adjoint`; or run it by "
             f"`adjoint -m jupyter execute {path}`, its kernels having ADJOINT_AS_JAX=1")
    try:
        if path.is_file():
            path.open("rb").close()
    except OSError as error:
        fail(f"{str(path)!r} cannot be read: {error.strerror}")


def _parsed(arguments: list[str]) -> _Program:
    has_prompt = False
    for i, argument in enumerate(arguments):
        rest = arguments[i + 1 :]
        if argument == "-i":
            has_prompt = True
        elif argument == "-" or not argument.startswith("-"):
            return _Program("-" if argument == "-" else "script", argument, rest, has_prompt)
        elif argument[:2] in ("-m", "-c"):
            name = argument[2:] or (rest.pop(0) if rest else fail(f"{argument} needs a {_NEEDS[argument]}"))
            return _Program(argument[:2], name, rest, has_prompt)
        else:
            fail(f"unknown option {argument!r}; `adjoint help` names those that there are")
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    return _Program("prompt" if is_terminal or has_prompt else "-", "-", [], has_prompt)


_NEEDS = {"-m": "module", "-c": "text"}


def fail(text: str) -> NoReturn:
    """End with a line that says what is wrong."""
    print(f"adjoint: {text}", file=sys.stderr)
    raise SystemExit(2)


def _executed(program: _Program) -> dict[str, Any]:
    """Run a program and return its names."""
    if program.kind == "prompt":
        return {}
    if program.kind == "-m":
        plugin = ["-p", "adjoint.pytest"] if program.name == "pytest" else []
        sys.argv = [program.name, *plugin, *program.arguments]
        try:
            return runpy.run_module(program.name, run_name="__main__", alter_sys=True)
        except ImportError as error:
            if not _is_of_search(error):
                raise
            fail(f"-m {program.name}: {error}")
    sys.argv = [program.name if program.kind == "script" else program.kind, *program.arguments]
    if program.kind == "script":
        return runpy.run_path(str(Path(program.name).absolute()), run_name="__main__")
    given = sys.stdin.read() if program.kind == "-" and sys.stdin is not None else ""
    text, name = (program.name, "<string>") if program.kind == "-c" else (given, "<stdin>")
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    exec(compile(text, name, "exec"), module.__dict__)
    return module.__dict__


def _is_of_search(error: ImportError) -> bool:
    """Return whether the search for a module to run has failed, and not an import in a module."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is not None and place.tb_frame.f_globals.get("__name__") == "runpy"


def _prompt(names: dict[str, Any]) -> None:
    """Read lines and run them: in IPython if it is installed, and the input is a terminal's."""
    package = sys.modules[__name__.partition(".")[0]]
    known = {"jax": package, "jnp": package.numpy, **{n: v for n, v in names.items() if not n.startswith("__")}}
    about = f"adjoint {own_version} (jax is adjoint, jnp is adjoint.numpy)"
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    if is_terminal and find_spec("IPython") is not None and not os.environ.get("PYTHONINSPECT"):
        from IPython import start_ipython  # type: ignore[import-not-found]

        start_ipython(argv=["--no-banner"], user_ns=known)
        return
    module = ModuleType("__main__")
    module.__dict__.update(known)
    sys.modules["__main__"] = module
    code.interact(about, local=module.__dict__, exitmsg="")
