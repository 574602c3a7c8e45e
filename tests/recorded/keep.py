"""Ask JAX what the tests ask it, and keep its answers: `make answers`, or `python -m tests.recorded.keep FILES`.

Each file of tests runs in a process of its own, so that its answers do not depend on others. It runs a second time
with the answers alone: what fails then asks JAX in every run.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

TESTS = Path(__file__).parent.parent


@functools.cache
def asks(path: Path) -> bool:
    """Whether a module of the tests asks JAX, or imports one that does."""
    if path.name in ("modes.py", "in_place.py"):     # which ask in a strict mode
        return False
    for line in path.read_text().splitlines():
        found = re.match(r"\s*from (\.+|tests\.)([\w.]*) import (.*)", line)
        if not found:
            continue
        dots, name, parts = found.groups()
        if dots == "tests." and name == "recorded":
            return True
        home = TESTS if dots == "tests." else path.parents[len(dots) - 1]
        home = home.joinpath(*name.split(".")) if name else home
        names = [part.split()[0] for part in parts.split(",") if part.split()]
        modules = [home.with_suffix(".py"), *(home / f"{part}.py" for part in names)]
        if any(module != path and module.exists() and asks(module) for module in modules):
            return True
    return False


def keep(file: str) -> str:
    """Keep the answers for one file of tests; return what is to be said of it."""
    said, begun = file, time.monotonic()
    for manner in ("keep", "check"):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:xdist", "-q", "--tb=line", "-rf", file], capture_output=True,
            text=True, cwd=TESTS.parent, env={**os.environ, "ANSWERS": manner})
        said += f"  {manner} {time.monotonic() - begun:.0f} s"
        begun = time.monotonic()
        failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR", "UNKEPT"))]
        said += f" ({len(failed)} not)" if failed or done.returncode else ""
        said += "".join(f"\n    {line[:150]}" for line in failed[:5])
    return said


def main() -> None:
    files = sys.argv[1:] or [str(p.relative_to(TESTS.parent)) for p in sorted(TESTS.rglob("test_*.py"))
                             if asks(p)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in as_completed([pool.submit(keep, file) for file in files]):
            print(done.result(), flush=True)


if __name__ == "__main__":
    main()
