"""Cases of tests: samples of products of arguments, and lists of cases with names."""

from __future__ import annotations

import itertools
import math
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from absl.testing import parameterized

__all__ = ["NUM_GENERATED_CASES", "cases_from_gens", "named_cases_from_sampler", "parameterized_filterable",
           "sample_product", "sample_product_testcases", "sanitize_test_name"]

# How many cases are drawn from the product of all arguments.
NUM_GENERATED_CASES = SimpleNamespace(value=int(os.environ.get("JAX_NUM_GENERATED_CASES", "10")))
_SEED = 42
_NOT_IN_NAMES = re.compile(r"""[ "'\[\](){}<>=,._]+""")


def sanitize_test_name(s: str) -> str:
    """Return a text with what does not belong into a name of a test as underscores."""
    return _NOT_IN_NAMES.sub("_", s)


def sample_product_testcases(*args: Iterable[dict], **kw: Iterable[Any]) -> Iterator[dict]:
    """Return some cases of a product, the same in every run.

    Args:
      *args: lists of dicts of arguments, of which one is chosen each.
      **kw: lists of the values of one argument each.
    Returns:
      An iterator of dicts: all cases, or `NUM_GENERATED_CASES` of them, in a fixed random order.
    """
    rows = [list(group) for group in args] + [[{name: value} for value in values] for name, values in kw.items()]
    count = math.prod(len(row) for row in rows)
    generator = np.random.RandomState(_SEED)
    chosen = generator.choice(count, size=min(count, NUM_GENERATED_CASES.value), replace=False) if count else []
    for number in chosen:
        case = {}
        for row in rows:
            number, index = divmod(int(number), len(row))
            case.update(row[index])
        yield case


def sample_product(*args: Iterable[dict], **kw: Iterable[Any]) -> Callable:
    """Return a decorator that makes tests of some cases of a product; see `sample_product_testcases`."""
    return parameterized.parameters(*sample_product_testcases(*args, **kw))


def parameterized_filterable(
    *, kwargs: Sequence[dict[str, Any]], testcase_name: Callable[[dict], str] | None = None,
    one_containing: str | None = None,
) -> Callable:
    """Return a decorator that makes a test of each dict of arguments, with a name that says them.

    Args:
      kwargs: the arguments of each case; an entry "testcase_name" names it.
      testcase_name: what names a case whose dict does not.
      one_containing: a text; only the first case whose name has it is made, without a name of its own.
    """
    def name_of(case):
        if testcase_name is not None:
            return sanitize_test_name(testcase_name(case))
        return sanitize_test_name("_".join(f"{name}={value}" for name, value in case.items()))

    cases = [case if "testcase_name" in case else {**case, "testcase_name": f"_{name_of(case)}"} for case in kwargs]
    if one_containing is None:
        return parameterized.named_parameters(*cases)
    found = [case for case in cases if one_containing in case["testcase_name"]]
    if not found:
        raise AssertionError(f"no case has {one_containing!r} in its name")
    return parameterized.named_parameters({**found[0], "testcase_name": ""})


def cases_from_gens(*gens: Iterable) -> Iterator[tuple]:
    """Return some tuples of a name and one value of each of the lists."""
    rows = [list(gen) for gen in gens]
    for case in itertools.islice(itertools.product(*rows), NUM_GENERATED_CASES.value):
        yield (f"_{'_'.join(map(str, case))}", *case)


def named_cases_from_sampler(gen: Callable) -> list[dict]:
    """Return cases that a function makes of a function `select(values)`, which chooses one of a list.

    Args:
      gen: a function of `select` that gives dicts with an entry "testcase_name".
    Returns:
      Up to `NUM_GENERATED_CASES` dicts whose names differ.
    """
    found: dict = {}
    for number in range(10 * NUM_GENERATED_CASES.value):
        if len(found) >= NUM_GENERATED_CASES.value:
            break
        generator = np.random.RandomState(zlib.adler32(str(number).encode()))
        made = gen(lambda values: (values := list(values))[generator.randint(len(values))])  # noqa: B023
        for case in [made] if isinstance(made, dict) else made:
            found.setdefault(case["testcase_name"], case)
    return list(found.values())
