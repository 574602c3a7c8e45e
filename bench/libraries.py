"""Run the programs of `examples/libraries/` on adjoint and on JAX, and compare what they print and how long they take.

    python bench/libraries.py [names] [--python PYTHON] [--kept FOLDER]

It prints a Markdown table; seconds are those of the processors, the interpreter and all imports included. What a
program prints on JAX is kept in FOLDER and read there by the next run. A program that ends with an error, or prints a
number that differs by more than TOLERANCE, is named below the table with the lines that differ.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parents[1] / "examples" / "libraries"
TOLERANCE = 2e-3  # of the largest number in a line: a training in float32 makes rounding larger
LONGEST_SECONDS = 3600
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+|inf|nan)(?!\w)")


@dataclass(frozen=True)
class Run:
    """What a program printed, the end of its errors if it failed, and the seconds that it took."""

    printed: str
    error: str
    seconds: float


def run(python: str, name: str, on_adjoint: bool) -> Run:
    """Run a program on one of the two."""
    options = ["-m", "adjoint"] if on_adjoint else []
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", "JAX_PLATFORMS": "cpu", "ADJOINT_CACHE_DIR": "off"}
    before = seconds_of_children()
    try:
        done = subprocess.run(
            [python, *options, str(PROGRAMS / f"{name}.py")],
            env=environment, capture_output=True, text=True, timeout=LONGEST_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Run("", f"it took more than {LONGEST_SECONDS} s", seconds_of_children() - before)
    return Run(done.stdout, done.stderr[-2000:] if done.returncode else "", seconds_of_children() - before)


def seconds_of_children() -> float:
    """Return the seconds of the processors that programs have taken that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def agree(ours: str, theirs: str) -> bool:
    """Return whether two entries have the same words and close numbers."""
    if "".join(NUMBER.sub(" ", ours).split()) != "".join(NUMBER.sub(" ", theirs).split()):
        return False
    x, y = ([float(number) for number in NUMBER.findall(text)] for text in (ours, theirs))
    bound = TOLERANCE * max((abs(n) for n in y if abs(n) < float("inf")), default=0.0)
    return len(x) == len(y) and all(a == b or a != a and b != b or abs(a - b) <= bound for a, b in zip(x, y))


def differences(ours: str, theirs: str) -> list[str]:
    """Return the entries that differ, of adjoint's and of JAX's; a line that begins with a letter begins an entry."""
    x, y = (re.split(r"\n(?=[^\W\d])", text.strip()) for text in (ours, theirs))
    if len(x) != len(y):
        return [f"{len(x)} entries on adjoint, {len(y)} on JAX"]
    return [f"adjoint: {a}\nJAX:     {b}" for a, b in zip(x, y) if not agree(a, b)]


def on_jax(python: str, name: str, kept: Path | None) -> Run:
    """Run a program on JAX, or read what it printed there."""
    file = kept / f"{name}.json" if kept else None
    if file and file.exists():
        return Run(**json.loads(file.read_text()))
    done = run(python, name, on_adjoint=False)
    if file and not done.error:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(done)))
    return done


def compare(python: str, name: str, kept: Path | None = None) -> tuple[list[str], Run, Run]:
    """Return how a program's output on adjoint differs from that on JAX, and both runs."""
    ours, theirs = run(python, name, on_adjoint=True), on_jax(python, name, kept)
    failed = [f"on {where}: {done.error}" for where, done in (("adjoint", ours), ("JAX", theirs)) if done.error]
    return failed or differences(ours.printed, theirs.printed), ours, theirs


def main() -> None:
    """Compare programs, all of them by default."""
    parser = argparse.ArgumentParser(description="programs of examples/libraries, on adjoint and on JAX")
    parser.add_argument("names", nargs="*", help="programs; all of them by default")
    parser.add_argument("--python", default=sys.executable, help="the Python of an environment with the libraries")
    parser.add_argument("--kept", type=Path, help="a folder for what programs print on JAX")
    options = parser.parse_args()
    names = options.names or sorted(path.stem for path in PROGRAMS.glob("*.py"))
    print("| program | adjoint | JAX | ratio | numbers |\n|---|--:|--:|--:|---|", flush=True)
    found: dict[str, list[str]] = {}
    for name in names:
        found[name], ours, theirs = compare(options.python, name, options.kept)
        row = f"{ours.seconds:.1f} s | {theirs.seconds:.1f} s | {ours.seconds / theirs.seconds:.2f}"
        print(f"| {name} | {row} | {'differ' if found[name] else 'agree'} |", flush=True)
    for name, texts in found.items():
        print(*(f"\n{name}\n{text}" for text in texts), sep="")
    sys.exit(any(found.values()))


if __name__ == "__main__":
    main()
