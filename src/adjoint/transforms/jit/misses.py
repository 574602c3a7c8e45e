"""Why a jitted function is traced again: what `jax_explain_cache_misses` logs.

A key of the cache holds the structure and the types of the arguments, the static values, the options that tracing
reads and the named axes. The key that differs in the fewest of these is the one to compare with.

Tests: `tests/transforms/test_jit.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import Any

from ...core.messages.errors import shorten
from ...core.messages.frames import is_internal, user_frame
from ...core.options.config import config
from ...core.options.logs import logger
from ...core.tree.tree import tree_difference
from ...core.types import ShapedArray

__all__ = ["explain"]

_PARTS = ("input pytree", "input types", "static arguments", "tracing context", "named axes")


def explain(name: str, fun: Any, names: Any, key: tuple, known: Collection[tuple]) -> None:
    """Log at level WARNING what is new in a key.

    Args:
      name, fun: the function, with its name.
      names: a function that gives the names of the leaves of the arguments.
      key: (structure, types, static arguments, options, named axes) of this call.
      known: the keys of the calls before.
    """
    while isinstance(fun, partial):
        fun = fun.func
    place, code = user_frame(), getattr(fun, "__code__", None)
    if code is not None and is_internal(code.co_filename):
        return  # a function of the library, inside of the user's
    at = f"{place.file}:{place.line} ({place.function})" if place else "an unknown place"
    defined = f" defined at {code.co_filename}:{code.co_firstlineno}" if code else ""
    if not known:
        lines = ["never seen function:", f"  {name} id={id(fun)}{defined}"]
    else:
        closest = min(known, key=lambda other: _distance(key, other))
        lines = [
            f"for {name}{defined}", "all previously seen cache keys differ. For the closest previous key:",
            *_differences(names, key, closest),
        ]
    log = logger(__name__, "jax._src.interpreters.partial_eval")
    log.warning("TRACING CACHE MISS at %s:\n%s", at, "\n".join(["  " + line for line in lines]))


def _distance(key: tuple, other: tuple) -> tuple[int, int]:
    """Return how many parts differ, and how many types of arguments among them."""
    types, others = key[1], other[1]
    leaves = sum([a != b for a, b in zip(types, others)]) + abs(len(types) - len(others))
    return sum([a != b for a, b in zip(key, other)]), leaves


def _differences(names, key: tuple, other: tuple) -> Iterator[str]:
    for part, now, before in zip(_PARTS, key, other):
        if now == before or (part == "input types" and len(now) != len(before)):  # which the structure explains
            continue
        yield f"different {part}:"
        if part == "input pytree":
            for d in tree_difference(before, now):
                why = d.why.replace("the first", "the one before").replace("the second", "the one now")
                yield f"* at input path {_path(d.path)}, now {d.right} and before {d.left}, so {why}"
        elif part == "input types":
            for argument, a, b in zip(names(), now, before):
                if a != b:
                    yield f"* at {argument}, now {_type(a, b)} and before {_type(b, a)}"
        elif part == "static arguments":
            was = {where: value for where, _, value in before}
            for where, _, value in now:
                if where not in was or was[where] != value:
                    old = f"before {shorten(was[where])}" if where in was else "not given before"
                    yield f"* {where!r}: now {shorten(value)} and {old}"
        elif part == "tracing context":
            for option, (a, b) in now.difference(before).items():
                name = option if option in config.values else f"jax_{option}"
                yield f"* {name} differs: now {a} and before {b}"
        else:
            yield f"* now {now} and before {before}"


def _path(path) -> str:
    return "".join(map(str, path)) or "the root"


def _type(aval: ShapedArray, other: ShapedArray) -> str:
    """Return the type, with what is not in its short form if that is where the other one differs."""
    text = aval.str_short(True)
    if text != other.str_short(True):
        return text
    return f"{text}{{weak_type={aval.weak_type}}}" if aval.weak_type != other.weak_type else repr(aval)
