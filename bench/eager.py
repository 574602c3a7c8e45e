"""Single operations on arrays of 10,000 to 10,000,000 elements, un-jitted: adjoint beside JAX and NumPy.

    python bench/eager.py
    python bench/eager.py --sizes 100000 1000000 --only exp sum --above 1.1

All run in one process and take turns; the least time of each counts, and results are waited for. A row says adjoint's
time and its ratio to JAX's and to NumPy's.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import jax
import numpy as np

import adjoint

UNARY = """exp log log1p expm1 sin cos tan tanh arctan arcsin sqrt cbrt square reciprocal abs negative sign floor ceil
rint trunc isnan isfinite sinh cosh exp2 log2 log10 deg2rad""".split()
BINARY = "add subtract multiply divide maximum minimum arctan2 hypot power fmod floor_divide".split()
COMPARISONS = "greater less_equal equal not_equal".split()
REDUCTIONS = "sum mean max min prod var std any all argmax argmin count_nonzero".split()

Call = Callable[[Any, Any, Any, Any], Any]  # of a module like NumPy, and arrays of numbers, numbers and integers


def operations() -> Iterator[tuple[str, Call]]:
    """Names and calls of the operations."""
    for name in UNARY:
        yield name, lambda m, x, y, i, name=name: getattr(m, name)(x)
    for name in (*BINARY, *COMPARISONS):
        yield name, lambda m, x, y, i, name=name: getattr(m, name)(x, y)
    for name in REDUCTIONS:
        yield name, lambda m, x, y, i, name=name: getattr(m, name)(x)
    yield "where", lambda m, x, y, i: m.where(x > 1, x, y)
    yield "clip", lambda m, x, y, i: m.clip(x, 0.5, 1.5)
    yield "x * 2 + 1", lambda m, x, y, i: x * 2 + 1
    yield "x ** 3", lambda m, x, y, i: x**3
    yield "integers + 1", lambda m, x, y, i: i + 1
    yield "integers % 7", lambda m, x, y, i: i % 7
    yield "integers >> 2", lambda m, x, y, i: i >> 2
    yield "to int32", lambda m, x, y, i: x.astype("int32")
    yield "to float16", lambda m, x, y, i: x.astype("float16")
    yield "integers to float32", lambda m, x, y, i: i.astype("float32")
    yield "cumsum", lambda m, x, y, i: m.cumsum(x)


def least_times(calls: list[Callable], seconds: float) -> list[float]:
    """Return the least time of each call, of as many turns as there is time for."""
    least, end = [np.inf] * len(calls), time.perf_counter() + seconds
    for call in calls * 3:
        call()
    while time.perf_counter() < end or np.inf in least:
        for k, call in enumerate(calls):
            start = time.perf_counter()
            made = call()
            with suppress(AttributeError):
                made.block_until_ready()
            least[k] = min(least[k], time.perf_counter() - start)
    return least


def main() -> None:
    """Print a row for each operation and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000, 10_000_000])
    parser.add_argument("--only", nargs="*", help="operations by name")
    parser.add_argument("--above", type=float, default=0, help="print rows above this ratio to JAX's time")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each row")
    options = parser.parse_args()
    print("| operation | elements | adjoint | of JAX | of NumPy |\n|---|--:|--:|--:|--:|")
    for name, call in operations():
        for n in options.sizes if not options.only or name in options.only else ():
            r = np.random.default_rng(0)
            arrays = [r.uniform(0.1, 0.9, n).astype("f"), r.uniform(0.1, 2, n).astype("f"), r.integers(1, 99, n, "i")]
            calls = []
            for m in (adjoint.numpy, jax.numpy, np):
                given = [m.asarray(a) for a in arrays]
                calls.append(partial(call, m, *given))
            own, peer, numpy = least_times(calls, options.seconds)
            if own / peer >= options.above:
                print(f"| {name} | {n:,} | {own * 1e6:,.0f} us | {own / peer:.2f} | {own / numpy:.2f} |", flush=True)


if __name__ == "__main__":
    main()
