"""Every example in a docstring or a page runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.docs.pages import blocks, names, program
from tests.modes import ACTIVE, WIDE, compiling, counterparts, promoting, refused_expression, some

import adjoint
from adjoint.core.options.config import State

ROOT = Path(__file__).parents[2]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# What `from adjoint import *` would give, and the usual short names.
NAMES = {name: getattr(adjoint, name) for name in dir(adjoint) if not name.startswith("_")}
NAMES |= dict(ad=adjoint, adjoint=adjoint, jax=adjoint, jnp=adjoint.numpy, np=np, partial=partial)
# Those that want a process of their own: tests/compat runs the package as jax.
ALONE = {"adjoint.__main__", "adjoint.as_jax", "adjoint.compat", "adjoint.pytest"}
MODULES = [m.name for m in pkgutil.walk_packages(adjoint.__path__, "adjoint.") if m.name not in ALONE]
# Those that show what jit does.
COMPILED = [
    "adjoint.experimental.checkify.check", "adjoint.experimental.checkify.errors",
    "adjoint.experimental.serialize_executable", "adjoint.interpreters.mlir", "adjoint.transforms.jit.stages",
    "docs/devices.md",
]
DEVICES = {"docs/devices.md": 8, "docs/distributed.md": 8}
PAGES = sorted(["README.md", *(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("**/*.md"))])
SHOWN = {"", "sh", "text", "toml", "yaml", "make"}      # languages of blocks that are not run
# Pages in folders show the defaults: their messages and tables are those of no strict mode and of no other engine.
USUAL = not ACTIVE and os.environ.get("ADJOINT_CPU_ENGINE", "native") == "native" \
    and "ADJOINT_NATIVE_CPU" not in os.environ


class Checker(doctest.OutputChecker):
    """Numbers agree up to rounding, which depends on the machine; where the mode is 64 bits, dtypes have those.

    What JAX prints too in the mode of this run is as good as what the example says. `run` is the program of which the
    output is: its examples so far, and the names that it began with.
    """

    run: tuple[list[doctest.Example], dict] = [], {}

    WIDTHS = {
        "float64": "float32", "int64": "int32", "complex128": "complex64", "f64": "f32", "i64": "i32", "c128": "c64",
    }
    FILTERED = re.compile(r"-{20}\nFor simplicity, JAX has removed .*\n")     # what pages leave out of messages
    NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)(?![\w])")

    def check_output(self, want, got, optionflags):
        got = self.FILTERED.sub("", re.sub(r"<doctest [^>]*>", "program.py", got))  # pages give a program that name
        if WIDE:
            want, got = (re.sub("|".join(self.WIDTHS), lambda m: self.WIDTHS[m[0]], text) for text in (want, got))
        return self._agree(want, got, optionflags) or bool(ACTIVE) and self._agree(self._of_jax(), got, optionflags)

    def _of_jax(self) -> str:
        """What JAX prints where this was printed."""
        examples, names = self.run
        printed = Recorder()
        runner = doctest.DocTestRunner(printed, optionflags=OPTIONS)
        names = counterparts("".join(example.source for example in examples), names)
        runner.run(doctest.DocTest(examples, names, "jax", None, None, None), out=lambda _: None)
        return printed.last

    def _agree(self, want, got, optionflags) -> bool:
        if super().check_output(want, got, optionflags):
            return True
        pairs = zip(*(map(float, self.NUMBER.findall(text)) for text in (want, got)))
        close = all(np.isclose(x, y, 1e-4, 1e-6, equal_nan=True) for x, y in pairs)
        texts = ["".join(self.NUMBER.sub("0", text).split()) for text in (want, got)]
        return close and texts[0] == texts[1]


class Recorder(doctest.OutputChecker):
    """Any output is right, and the last one is kept."""

    last = ""

    def check_output(self, want, got, optionflags):
        self.last = got
        return True


SKIPPED = "skipped:"  # how a page in a process of its own says so


class Runner(doctest.DocTestRunner):
    """What JAX refuses too in the mode of this run says nothing."""

    def run(self, test, *args, **kwargs):
        self.names = dict(test.globs)
        return super().run(test, *args, **kwargs)

    def report_start(self, out, test, example):
        self._checker.run = test.examples[: test.examples.index(example) + 1], self.names

    def report_unexpected_exception(self, out, test, example, exc_info):
        text = refused_expression(exc_info[1])
        if text is not None:
            pytest.skip(f"JAX refuses it too in this mode: {text}")
        super().report_unexpected_exception(out, test, example, exc_info)


def run(test: doctest.DocTest) -> None:
    """Run an example; AssertionError with what it printed if that is something else."""
    lines: list[str] = []
    failed = Runner(Checker(), optionflags=OPTIONS).run(test, out=lines.append).failed
    assert not failed, "".join(lines)


@pytest.mark.parametrize("name", some(MODULES, compiling, *COMPILED))
def test_docstrings(name):
    """Examples see the module's own names, and those in NAMES."""
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        if test.examples:
            test.globs = {**NAMES, **test.globs}
            run(test)


@pytest.mark.skipif(bool(ACTIVE), reason="options show what they change of the defaults")
@pytest.mark.parametrize("name", [name for name, value in NAMES.items() if isinstance(value, State)])
def test_docstrings_of_options(name):
    text = NAMES[name].__doc__
    assert ">>> " in text
    run(doctest.DocTestParser().get_doctest(text, dict(NAMES), name, None, 0))


@pytest.mark.parametrize("page", some(PAGES, compiling, *COMPILED))
def test_pages(page, tmp_path, monkeypatch):
    """The blocks of a page are one program; a page about several devices has a process of its own."""
    if page.count("/") > 1 and not USUAL:
        pytest.skip("it shows the defaults")
    monkeypatch.chdir(tmp_path)
    if page not in DEVICES:
        return run_page(page)
    flags = f"--xla_force_host_platform_device_count={DEVICES[page]}"
    env = {**os.environ, "XLA_FLAGS": flags, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, __file__, page], env=env, capture_output=True, text=True)
    if done.stdout.startswith(SKIPPED):
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stderr


def run_page(page: str) -> None:
    """A page imports what it uses, as a reader's program has to."""
    examples = program((ROOT / page).read_text())
    if examples:
        run(doctest.DocTest(examples, names(), Path(page).stem, page, 0, None))


@pytest.mark.parametrize("page", PAGES)
def test_blocks_are_run_or_are_no_programs(page):
    """A block of Python without prompts or a title would be a claim that nothing checks."""
    for block in blocks((ROOT / page).read_text()):
        assert block.language in SHOWN | {"python", "console"}, f"{page}:{block.line}: {block.language}"
        if block.language == "python":
            assert ">>> " in block.text or "title=" in block.rest, f"{page}:{block.line}: nothing is run"


def test_the_list_of_primitives_is_up_to_date():
    """docs/primitives.md is what generate_primitives.py writes; other tests define primitives, so not here."""
    check = [sys.executable, str(ROOT / "docs/generate_primitives.py"), "--check"]
    assert subprocess.run(check).returncode == 0, "run `make docs`"


@promoting
def test_data_parallel_training_reaches_the_loss_of_one_device():
    """On eight devices, and over two processes."""
    command = [sys.executable, str(ROOT / "examples/data_parallel.py")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


if __name__ == "__main__":
    try:
        run_page(sys.argv[1])
    except pytest.skip.Exception as skipped:
        print(f"{SKIPPED} {skipped.msg}")
