"""Whole programs beside JAX: the time of a process from its start to its end, compiling included.

    python bench/programs.py [--repeats 3] [--only NAME] [--processor] [--write]

The programs of `bench/programs/` say `import jax`. Each is run by Python alone, by `python -m adjoint` without a cache
on disk, and by `python -m adjoint` with one that an earlier run has filled, in turns; the smallest times count. What
they print is compared. `--processor` counts processor time, user and system, in the place of wall time: a busy machine
changes it little. `--write` puts the table into README.md and docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "docs/benchmarks.md")
BEGIN, END = "<!-- programs: begin; the output of `make bench-programs` -->", "<!-- programs: end -->"
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")
TOLERANCE = 0.01    # of numbers that are printed: sums of different order


def environment(cache: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "ADJOINT_CACHE_DIR": cache, "JAX_PLATFORMS": "cpu"}


def clock(processor: bool) -> float:
    """Seconds now: of the wall, or of the processors in the processes that have ended."""
    used = os.times()
    return used.children_user + used.children_system if processor else time.perf_counter()


def timed(command: list[str], cache: str, processor: bool) -> tuple[float, str]:
    """Seconds that a command takes, and what it prints."""
    start = clock(processor)
    done = subprocess.run(command, env=environment(cache), capture_output=True, text=True)
    seconds = clock(processor) - start
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return seconds, done.stdout


def agree(ours: str, theirs: str) -> bool:
    """Whether two outputs have the same words, and the same numbers but for rounding."""
    x, y = ([float(n) for n in NUMBER.findall(text)] for text in (ours, theirs))
    near = len(x) == len(y) and all(abs(a - b) <= TOLERANCE * max(abs(a), abs(b), 0.1) for a, b in zip(x, y))
    return near and NUMBER.sub("", ours).split() == NUMBER.sub("", theirs).split()


def rows(programs: list[Path], repeats: int, processor: bool) -> Iterator[tuple[str, str, dict[str, float]]]:
    """For each program: its name, what it is, and seconds of JAX, of adjoint at first, and again."""
    for program in programs:
        script = str(program)
        idea = program.read_text(encoding="utf8").split('"""')[1].rstrip(".")
        with tempfile.TemporaryDirectory() as cache:
            runs = {
                "jax": ([sys.executable, script], "off"),
                "first": ([sys.executable, "-m", "adjoint", script], cache),    # the cache is empty, and filled
                "again": ([sys.executable, "-m", "adjoint", script], cache),
            }
            least, printed = {}, {}
            for turn in range(repeats):
                for name in list(runs)[:: -1 if turn % 2 else 1]:
                    command, kept = runs[name]
                    seconds, printed[name] = timed(command, "off" if turn and name == "first" else kept, processor)
                    least[name] = min(least.get(name, seconds), seconds)
            for name in ("first", "again"):
                if not agree(printed[name], printed["jax"]):
                    raise SystemExit(f"{program.name}: {printed[name]!r} is not what JAX prints: {printed['jax']!r}")
        yield program.stem, idea, least


def table(programs: list[Path], repeats: int, processor: bool) -> str:
    measure = "processor time, user and system" if processor else "wall time"
    lines = [f"Seconds of {measure}; {platform.processor() or platform.machine()}, {os.cpu_count()} cores.", "",
             "| program | | JAX | adjoint | again | adjoint / JAX |", "|---|---|--:|--:|--:|--:|"]
    for name, idea, least in rows(programs, repeats, processor):
        jax, first, again = least["jax"], least["first"], least["again"]
        times = f"{jax:.1f} | {first:.1f} | {again:.1f} | {first / jax:.2f}"
        lines.append(f"| {name} | {idea} | {times} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="The time of whole programs, beside JAX.")
    parser.add_argument("--repeats", type=int, default=3, help="how often each is timed (default: 3)")
    parser.add_argument("--only", default="", help="programs whose names contain this")
    parser.add_argument("--processor", action="store_true", help="processor time in the place of wall time")
    parser.add_argument("--write", action="store_true", help=f"put the table into {' and '.join(PAGES)}")
    options = parser.parse_args()
    programs = sorted(p for p in (ROOT / "bench/programs").glob("*.py") if options.only in p.stem)
    text = table(programs, options.repeats, options.processor)
    print(text)
    for page in PAGES if options.write else ():
        before, _, rest = (ROOT / page).read_text(encoding="utf8").partition(BEGIN)
        (ROOT / page).write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}", encoding="utf8")


if __name__ == "__main__":
    main()
