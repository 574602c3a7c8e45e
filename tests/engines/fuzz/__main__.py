"""`python -m tests.engines.fuzz FIRST COUNT`: run programs by number and print those that fail."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("ADJOINT_CACHE_DIR", "off")

import numpy as np
from tests.engines.fuzz.smallest import smallest
from tests.engines.fuzz.ways import WAYS, against_numpy, differences, made, ways_of

import adjoint as ax
from adjoint.engines.native.runtime.cpu import levels
from adjoint.extend.core import jaxpr_as_fun

BATCH = 250  # programs of one process


def failures(first: int, count: int) -> int:
    """Run programs in this process; the last line tells how far it came."""
    failed, start = 0, time.monotonic()
    for number in range(first, first + count):
        print(f"\r{number}", end="", file=sys.stderr, flush=True)
        try:
            found = differences(number)
        except Exception as error:
            found = [f"{type(error).__name__}: {str(error)[:300]}"]
        failed += bool(found)
        for text in found[:2]:
            print(f"\nprogram {number}: {text}", flush=True)
    print(f"\n{count} programs in {time.monotonic() - start:.0f} s, {failed} failed", flush=True)
    return failed


def at_each_level(first: int, count: int) -> int:
    """Share programs out among the levels that this machine has, in processes that may die."""
    failed = 0
    names = levels() or ["host"]
    share = -(-count // len(names))
    for i, level in enumerate(names):
        end = min(first + (i + 1) * share, first + count)
        for start in range(first + i * share, end, BATCH):
            size = min(BATCH, end - start)
            environment = {**os.environ, "ADJOINT_NATIVE_CPU": level, "ADJOINT_CPU_ENGINE": "native"}
            command = [sys.executable, "-X", "faulthandler", "-m", "tests.engines.fuzz", str(start), str(size)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            failed += done.returncode != 0
            if done.returncode not in (0, 1):
                done.stdout += f"\nstopped with {done.returncode}\n{done.stderr[-1500:]}"
            print(f"{level}, {start} to {start + size - 1}: {done.stdout.strip()}", flush=True)
    return failed


def show(number: int) -> None:
    """Print the smallest part of a program that fails, in the first way in which it does."""
    np.set_printoptions(threshold=40)
    with ax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("error")
        function, closed, inputs, exact = made(number)
        for name in ways_of(number):
            kind = _failure(WAYS[name], function, closed, inputs, exact)
            if kind is None:
                continue

            def fails(part, operands, way=WAYS[name], kind=kind):
                run = lambda *xs: jaxpr_as_fun(part)(*xs)
                return _failure(way, run, part, operands, [kind[1]] * len(part.out_avals)) == kind

            print(f"program {number}, {name}, {' of '.join(reversed(function.chain)) or 'as it is'}: {kind}")
            if fails(closed, inputs):
                closed, inputs = smallest(closed, inputs, fails)
            print(closed)
            for v, x in zip(closed.jaxpr.invars, inputs):
                print(f"{v}: {x.dtype}{x.shape} {x!r}")
            text = against_numpy(WAYS[name], jaxpr_as_fun(closed), closed, inputs, [False] * 99)
            print(*text, sep="\n")
            return
    print(f"program {number} does not fail")


def _failure(way, function, closed, inputs, exact):
    """What kind of failure it is: the class of an error, or whether an exact result differs; None if it does not."""
    try:
        found = against_numpy(way, function, closed, inputs, exact)
    except Exception as error:
        return type(error).__name__, False
    return ("differs", "exact True" in found[0]) if found else None


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.engines.fuzz", description=__doc__)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("count", type=int, nargs="?", default=1)
    parser.add_argument("--levels", action="store_true", help="at each level of x86-64 that this machine has")
    parser.add_argument("--smallest", type=int, metavar="NUMBER", help="the smallest part of a program that fails")
    options = parser.parse_args()
    if options.smallest is not None:
        show(options.smallest)
        return 0
    return int((at_each_level if options.levels else failures)(options.first, options.count) > 0)


if __name__ == "__main__":
    sys.exit(main())
