"""Runs the cases of a test module on 8 virtual devices, in JAX and in adjoint, and compares what they show.

The number of devices is fixed when a process first uses one, so the cases run in a process of their own, the same for
all modules: `python -m tests.parallel.beside` reads their names. A case is a function of a library; it returns a tree
of arrays, texts, and functions whose errors are meant. What JAX shows is kept, as other answers of it are
(`tests/recorded`): it is asked for a case that has changed, and for one that shows something else here.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from tests.recorded import session
from tests.recorded.digests import digest

ROOT = Path(__file__).resolve().parents[2]


FOUND = "found: "


def differences(module: str) -> str:
    """What differs in the cases of a module; an empty text if nothing does. One test asks: a process takes seconds."""
    pytest.importorskip("jax")
    process, errors = _process()
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"tests.{module.removeprefix('tests.')}\n")
    process.stdin.flush()
    line = next((line for line in process.stdout if line.startswith(FOUND)), None)
    if line is None:
        _process.cache_clear()
        errors.seek(0)
        raise AssertionError(f"the process of the cases ended\n{errors.read()}")
    found = json.loads(line.removeprefix(FOUND))
    assert found, "no cases"
    return "\n\n".join([f"{name}\n{text}" for name, text in found.items() if text])


@functools.cache
def _process():
    """The process that runs cases, and the file of what it says of errors."""
    devices = "--xla_force_host_platform_device_count=8"
    flags = {"XLA_FLAGS": f"{os.environ.get('XLA_FLAGS', '')} {devices}", "TF_CPP_MIN_LOG_LEVEL": "3"}
    errors = tempfile.TemporaryFile("w+")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.parallel.beside"], cwd=ROOT, text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=errors, env={**os.environ, **flags})
    atexit.register(process.communicate)
    return process, errors


def shown(x):
    """What a user sees of a value: numbers, dtype, place and parts of an array; class and message of an error."""
    if isinstance(x, (list, tuple)):
        return [shown(v) for v in x]
    if hasattr(x, "addressable_shards"):
        parts = [f"{s.device} {s.index} {s.replica_id} {s.data.shape}" for s in x.addressable_shards]
        numbers = np.round(np.asarray(x).astype(np.float64), 4).tolist()
        return [numbers, x.dtype.name, bool(x.weak_type), bool(x.committed), _text(x.sharding), parts]
    if isinstance(x, FunctionType):
        try:
            return shown(x())
        except Exception as error:
            return ["raised", [c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"][0],
                    _text(error).split("\n")[0]]
    return _text(x)


def _text(x) -> str:
    """As text, with sets in one order."""
    names = lambda m: "{" + ", ".join(sorted(m[1].split(", "))) + "}"
    return re.sub(r"\{([^{}]*)\}", names, str(x))


class Answers:
    """What JAX shows of the cases of a module, by their names."""

    def __init__(self, module: str):
        self.path = session.HOME / "answers" / f"beside.{module.removeprefix('tests.')}.json.xz"
        self.manner = session.session.manner
        reads = self.manner in ("read", "check") and self.path.exists()
        self.kept: dict[str, list] = json.loads(lzma.open(self.path, "rt").read()) if reads else {}

    def find(self, name: str, case: FunctionType) -> object:
        """Return what is kept of a case as it is now, or None."""
        said, shows = self.kept.get(name, (None, None))
        return shows if said == digest((case, shown)) else None

    def write(self, name: str, case: FunctionType, shows: object) -> None:
        self.kept[name] = [digest((case, shown)), shows]

    def keep(self) -> None:
        """Write what was asked, if this run is to keep answers."""
        if self.manner == "keep":
            with lzma.open(self.path, "wt", preset=9) as f:
                f.write(json.dumps(self.kept, separators=(",", ":")))


@contextlib.contextmanager
def without_jax():
    """As where JAX is not installed: jaxlib imports it if it can, which takes longer than most of the cases."""
    is_hidden = sys.modules.setdefault("jax", None) is None
    try:
        yield
    finally:
        if is_hidden:
            del sys.modules["jax"]


def asked_anew(module: str) -> dict[str, str]:
    """What differs in the cases of a module, in a process that imports JAX first: jaxlib cannot do with it later."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.parallel.beside", "jax"], input=module, cwd=ROOT, capture_output=True, text=True,
        check=False)
    line = next((line for line in done.stdout.splitlines() if line.startswith(FOUND)), None)
    assert line is not None, done.stderr
    return json.loads(line.removeprefix(FOUND))


def compared(module: str) -> dict[str, str]:
    """What differs in each case of a module."""
    from tests.modes import ACTIVE, refused_expression

    import adjoint

    found, answers = {}, Answers(module)
    for name, case in importlib.import_module(module).CASES.items():
        want, got, error = answers.find(name, case), None, None
        try:
            with contextlib.nullcontext() if "jax" in sys.modules else without_jax():
                got = json.loads(json.dumps(shown(case(adjoint))))
        except Exception as raised:
            error = raised
        if want is not None and want == got:
            found[name] = ""
            continue
        if "jax" not in sys.modules:
            return asked_anew(module)
        jax = sys.modules["jax"]
        try:
            want = json.loads(json.dumps(shown(case(jax))))
        except Exception:
            found[name] = "" if ACTIVE else traceback.format_exc()      # JAX refuses it in this mode
            continue
        answers.write(name, case, want)
        if error is None:
            found[name] = "" if want == got else f"JAX:     {want}\nadjoint: {got}"
        else:
            found[name] = "" if refused_expression(error) else "".join(traceback.format_exception(error))
    answers.keep()
    return found


def main() -> None:
    for name in sys.argv[1:]:
        importlib.import_module(name)
        importlib.import_module(f"{name}.sharding")

    import adjoint.lax
    import adjoint.numpy  # noqa: F401

    warnings.simplefilter("ignore")
    for line in sys.stdin:
        print(f"{FOUND}{json.dumps(compared(line.strip()))}", flush=True)


if __name__ == "__main__":
    main()
