"""Run the tests that libraries carry in their wheels, on adjoint and on JAX.

    python bench/suites.py [libraries] [--python PYTHON] [--every N] [--limit SECONDS] [--kept FOLDER] [--failing]

A library is the name of a distribution; `name=FOLDER` says where its tests are, if the wheel has none, and `name:N`
that one test in N is taken, the same on both, which `--every` says for those without. `PYTHON` is that of an
environment with adjoint, JAX, pytest and the libraries, this one by default. A suite runs in one process on each of
the two, and what it has not reached at the limit does not count (on adjoint: has failed). Outcomes on JAX are kept in
FOLDER and read there by the next run. With `--failing`, JAX runs the tests that fail on adjoint alone, and adjoint
these once more, without what other tests left behind; that tells as much in a small part of the time, but does not say
how long the suite takes on JAX.

It prints a Markdown table: tests that pass on JAX, how many of these pass on adjoint, the seconds that both took of
the processors, those among them that went by before the first test (the interpreter, pytest and what the tests
import), and the ratio of the seconds. The last column is the ratio for the whole suite, where what goes by before the
first test does so once and the rest N times. The last row has the geometric means. Tests that fail on adjoint alone
are named below the table, with their last line.

This file is also the plugin of pytest by which those runs say what came of each test.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from libraries import seconds_of_children

LIBRARIES = (
    "optax", "chex", "distrax", "dm-haiku", "rlax", "jraph", "mctx", "dynamax", "e3nn-jax", "jaxley", "pgx", "sax",
    "brax", "mujoco-mjx", "array-api-extra", "einops", "orbax-checkpoint",
)
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
ADDRESS = re.compile(r" at 0x[0-9a-f]+")  # of an object that stands in a test's name
FIND = """
import importlib.metadata, json, re, sys
found = importlib.metadata.distribution(sys.argv[1])
tests = [str(f.locate()) for f in found.files if re.fullmatch(r"test_.*[.]py|.*_test[.]py", f.name)]
print(json.dumps([found.version, tests]))
"""


@dataclass(frozen=True)
class Outcomes:
    """What came of the tests of a suite, by their names, with the last line of an error; and the seconds.

    Those that went by before the first test are among them.
    """

    tests: dict[str, tuple[str, str]]
    seconds: float
    importing: float = 0.0

    def whole(self, every: int) -> float:
        """Return the seconds that the suite takes of which one test in so many was run."""
        return self.importing + every * (self.seconds - self.importing)

    def passed(self) -> set[str]:
        """Return the names of the tests that passed."""
        return {name for name, (outcome, _) in self.tests.items() if outcome == PASSED}


# ---- the plugin


def pytest_addoption(parser: Any) -> None:
    """Add the options by which a run knows its share of the tests, and where to write."""
    parser.addoption("--every", type=int, default=1)
    parser.addoption("--chosen", help="a file with the names of the tests that are run")
    parser.addoption("--outcomes")


def pytest_configure(config: Any) -> None:
    """Open the file for outcomes, and let tests of absl read its flags."""
    config.stash[_Written] = _Written(config.getoption("--outcomes"))
    config.pluginmanager.register(config.stash[_Written])
    if "absl" in sys.modules:
        sys.modules["absl.flags"].FLAGS.mark_as_parsed()


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Take the run's share of the tests."""
    every, file = config.getoption("--every"), config.getoption("--chosen")
    items[:] = [item for item in items if zlib.crc32(_name(item.nodeid).encode()) % every == 0]
    if file:
        names = set(json.loads(Path(file).read_text()))
        items[:] = [item for item in items if {_name(item.nodeid), _name(item.nodeid).partition("::")[0]} & names]


def _name(nodeid: str) -> str:
    return ADDRESS.sub("", nodeid.rpartition("site-packages/")[2])


class _Written:
    """Writes a line for each test when it is done, and the seconds at which the first begins."""

    def __init__(self, path: str | None):
        self.file = open(path or os.devnull, "w", buffering=1)

    def pytest_collection_finish(self) -> None:
        """Write how long the process has taken to find the tests."""
        print(json.dumps(time.process_time()), file=self.file)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Write what came of a test."""
        if report.when == "call" or report.outcome != PASSED:
            self.write(report)

    def pytest_collectreport(self, report: Any) -> None:
        """Write that a file could not be read."""
        if report.outcome == FAILED:
            self.write(report)

    def write(self, report: Any) -> None:
        """Write a line."""
        error = str(report.longrepr).strip().splitlines()[-1:] if report.outcome == FAILED else []
        print(json.dumps([_name(report.nodeid), report.outcome, *error]), file=self.file)


# ---- the script


@dataclass(frozen=True)
class Suite:
    """The tests of a library: where they are, if not in its wheel, and how many stand for one that is run."""

    library: str
    folder: str | None
    every: int

    @staticmethod
    def read(text: str, every: int) -> Suite:
        """Return the suite that an argument names."""
        parts = re.fullmatch(r"([^=:]+)(?:=(.*?))?(?::(\d+))?", text)
        if not parts:
            raise SystemExit(f"{text}: a library is written name, name:N, name=FOLDER or name=FOLDER:N")
        name, folder, share = parts.groups()
        return Suite(name, folder and os.path.abspath(folder), int(share or every))


def found_tests(python: str, library: str) -> tuple[str, list[str]]:
    """Return the version of a library that is installed, and the files of its tests."""
    done = subprocess.run([python, "-c", FIND, library], capture_output=True, text=True)
    if done.returncode:
        raise LookupError(f"{library}: {done.stderr.strip().splitlines()[-1]}")
    return tuple(json.loads(done.stdout))


def run(
    options: argparse.Namespace, suite: Suite, files: list[str], on_adjoint: bool, names: list[str] | None = None
) -> Outcomes:
    """Run a suite on one of the two, or the tests of these names."""
    plugins = ["-p", "adjoint.pytest"] if on_adjoint else []
    here = str(Path(__file__).parent)
    paths = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    with tempfile.TemporaryDirectory() as folder:
        written, chosen = Path(folder) / "outcomes", Path(folder) / "names"
        chosen.write_text(json.dumps(names))
        command = [
            options.python, "-W", "ignore", "-m", "pytest", *plugins, "-p", "suites", "-p", "no:cacheprovider",
            "-c", os.devnull, "--import-mode=importlib", "--continue-on-collection-errors", "--quiet", "--tb=line",
            f"--every={suite.every}", f"--outcomes={written}",
            *([] if names is None else [f"--chosen={chosen}"]), *files,
        ]
        environment = {
            **os.environ, "PYTHONPATH": paths, "JAX_PLATFORMS": "cpu", "KERAS_BACKEND": "jax",
            "ADJOINT_CACHE_DIR": "off",
        }
        before = seconds_of_children()
        try:
            subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=options.limit)
        except subprocess.TimeoutExpired:
            print(f"after {options.limit} s the limit is reached: what was written until then counts", file=sys.stderr)
        tests: dict[str, tuple[str, str]] = {}
        importing = 0.0
        for line in map(json.loads, written.read_text().splitlines() if written.exists() else ()):
            if isinstance(line, float):
                importing = line
                continue
            name, outcome, *error = line
            if tests.get(name, (PASSED,))[0] != FAILED:  # a test may end well and fail when it is taken down
                tests[name] = (outcome, *error, "")[:2]
    return Outcomes(tests, seconds_of_children() - before, importing)


def on_jax(options: argparse.Namespace, suite: Suite, files: list[str], version: str) -> Outcomes:
    """Run a suite on JAX, or read what came of it there."""
    file = options.kept / f"{suite.library}-{version}-{suite.every}.json" if options.kept else None
    if file and file.exists():
        return Outcomes(**json.loads(file.read_text()))
    done = run(options, suite, files, on_adjoint=False)
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(done)))
    return done


def compare(options: argparse.Namespace, suite: Suite, files: list[str], version: str) -> tuple[Outcomes, Outcomes]:
    """Return what came of a suite on adjoint and on JAX."""
    if not options.failing:
        theirs = on_jax(options, suite, files, version)
        return run(options, suite, files, on_adjoint=True), theirs
    ours = run(options, suite, files, on_adjoint=True)
    doubtful = [name for name, (outcome, _) in ours.tests.items() if outcome == FAILED]
    if doubtful:
        # JAX has not run the tests before them, which may have left something behind: neither has adjoint then.
        again = run(options, suite, files, on_adjoint=True, names=doubtful)
        theirs = run(options, suite, files, on_adjoint=False, names=doubtful)
        ours = Outcomes({**ours.tests, **again.tests}, ours.seconds, ours.importing)
    else:
        theirs = Outcomes({}, 0.0)
    return ours, Outcomes(dict.fromkeys(ours.passed() | theirs.passed(), (PASSED, "")), 0.0)


def seconds(outcomes: Outcomes) -> str:
    """Return the seconds of a suite as a cell of the table."""
    return f"{outcomes.seconds:.0f} s ({outcomes.importing:.0f} s)"


def main() -> None:
    """Run suites, all of them by default."""
    parser = argparse.ArgumentParser(description="the tests that libraries carry, on adjoint and on JAX")
    parser.add_argument("libraries", nargs="*", help="names of distributions; all of the list by default")
    parser.add_argument("--python", default=sys.executable, help="the Python of an environment with the libraries")
    parser.add_argument("--every", type=int, default=1, help="take one test in so many")
    parser.add_argument("--limit", type=float, default=3600, help="seconds that one suite may take on one of the two")
    parser.add_argument("--kept", type=Path, help="a folder for what comes of tests on JAX")
    parser.add_argument("--failing", action="store_true", help="JAX runs the tests that fail on adjoint alone")
    options = parser.parse_args()
    print("| library | one test in | pass on JAX | of these on adjoint | adjoint | JAX | ratio | whole suite |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    failed: dict[str, list[str]] = {}
    ratios: list[tuple[float, float]] = []
    for suite in (Suite.read(text, options.every) for text in options.libraries or LIBRARIES):
        try:
            version, files = found_tests(options.python, suite.library)
        except LookupError as error:
            print(f"| {suite.library} | not installed | | | | | | |")
            failed[suite.library] = [str(error)]
            continue
        ours, theirs = compare(options, suite, [suite.folder] if suite.folder else files, version)
        both = theirs.passed() & ours.passed()
        failed[suite.library] = [
            f"{name}: {ours.tests.get(name, (FAILED, 'not reached'))[1]}" for name in sorted(theirs.passed() - both)
        ]
        cells = [f"{suite.library} {version}", suite.every, len(theirs.passed()), len(both), seconds(ours)]
        if theirs.seconds:
            whole = ours.whole(suite.every) / theirs.whole(suite.every)
            ratios.append((ours.seconds / theirs.seconds, whole))
            cells += [seconds(theirs), *(f"{ratio:.2f}" for ratio in ratios[-1])]
        else:
            cells += ["", "", ""]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
    if ratios:
        means = " | ".join(f"{math.exp(sum(map(math.log, column)) / len(column)):.2f}" for column in zip(*ratios))
        print(f"| geometric mean | | | | | | {means} |")
    for library, texts in failed.items():
        print(*(f"\n{library}: {text}" for text in texts), sep="")


if __name__ == "__main__":
    main()
