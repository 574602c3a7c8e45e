"""Who answers: kept answers, real JAX, or real JAX whose answers are kept.

One question is one attribute, call or conversion of something of JAX, asked by a test and not by JAX. What the test's
functions ask while JAX runs them is part of the question and goes to JAX itself.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import json
import lzma
import os
import sys
import threading
import types
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import adjoint

from .digests import ROOT, ROOTS_NAME, digest
from .forms import Unkept, decode, encode, encode_error
from .operations import OPERATIONS
from .values import StandIn, class_of, real, real_tree, register_with

__all__ = ["HOME", "Session", "Stale", "session"]

HOME = Path(__file__).parent
# In JAX's strict modes its answers are others.
_MODES = ("JAX_NUMPY_RANK_PROMOTION", "JAX_NUMPY_DTYPE_PROMOTION", "JAX_DEBUG_NANS", "JAX_DISABLE_JIT",
          "JAX_CHECK_TRACER_LEAKS", "JAX_ENABLE_X64")

_NOTHING = '{"tests": {}, "answers": {}, "several": {}, "listed": []}'


class Stale(BaseException):
    """No answer is kept for a question of the test that runs."""


def _installed_jax():
    """JAX itself."""
    if find_spec("jax") is None:
        pytest.skip("its answer is not kept, and JAX is not installed", allow_module_level=True)
    jax = importlib.import_module("jax")
    register_with(jax.tree_util.register_pytree_node)
    exclude = importlib.import_module("jax.extend.source_info_util").register_exclusion
    for path in HOME.glob("*.py"):      # where an operation was called is never here
        exclude(str(path))
    return jax


class Session:
    """What is asked, test by test.

    Attributes:
      manner: "read", "keep", "live", or "check": read, and forget the answers of tests that fail.
      jax: what the tests call JAX.
      direct: JAX itself is asked, and nothing is noted.
      file: the file of tests that is imported or run, from the root of the repository.
      test: the name of the test that runs, or None.
      calling: its function runs, so it can be run anew.
      state: "" for a test that asks nothing, "read", "asked", "stale" if an answer was missing, or "second" if the test
        failed with kept answers and ran again.
      unkept: tests whose answers cannot be kept, or that failed.
    """

    def __init__(self, manner: str) -> None:
        self.manner = manner
        self.jax = class_of("builtins", "module")(self, "jax", _installed_jax)
        self.direct = manner == "live"
        self.file, self.test, self.calling, self.state = "", None, False, ""
        self.unkept: set = set()
        self._thread = threading.main_thread().ident
        self._kept: dict = {}           # file -> what is kept for it
        self._notes: dict = {}          # file -> {key: [(test, answer)]}
        self._counts: dict = {}         # key -> how often the test has asked it
        self._registered: list = []     # calls of modules that gave nothing, or what they were given
        self._hastened = False
        self._said: dict = {}           # test -> the digest of what it says

    # ---- tests

    def collect(self, file: str) -> None:
        """The module of a file of tests is imported, with what it imports."""
        self.file = file

    def begin(self, file: str, test: str, said: str) -> None:
        """A test begins; `said` is the digest of what it says."""
        self.file, self.test, self.state = file, test, ""
        self._counts = {}
        self._said[test] = said
        self.direct = self.manner == "live"
        if self.manner in ("read", "check"):
            kept = self._load(file)["tests"].get(test)
            self.direct = kept != said
            self.state = "stale" if kept is not None and self.direct else ""

    def end(self) -> None:
        """A test has ended."""
        self.test, self.calling = None, False
        self.direct = self.manner == "live"

    def ask_anew(self, error: BaseException) -> bool:
        """Let a test that failed with kept answers ask JAX from now on; return whether it read any."""
        if self.manner != "read" or self.state != "read" or find_spec("jax") is None:
            return False
        self.direct, self.state = True, "stale" if isinstance(error, Stale) else "second"
        return True

    # ---- what is kept

    def _load(self, file):
        if file not in self._kept:
            path = _path(file)
            text = lzma.open(path, "rt").read() if path.exists() else _NOTHING
            self._kept[file] = json.loads(text.replace(ROOTS_NAME, ROOT))
        return self._kept[file]

    def write(self) -> None:
        """Keep what was asked, but for tests that failed, if this run is to keep answers."""
        if self.manner not in ("keep", "check"):
            return
        for file in self._notes if self.manner == "keep" else list(self._kept):
            kept = self._told(self._notes[file]) if self.manner == "keep" else self._load(file)
            kept["tests"] = {test: said for test, said in kept["tests"].items() if test not in self.unkept}
            path = _path(file)
            if not kept["tests"]:
                path.unlink(missing_ok=True)
                continue
            path.parent.mkdir(exist_ok=True)
            whole = path.with_suffix(f".{os.getpid()}")
            with lzma.open(whole, "wt", preset=9 | lzma.PRESET_EXTREME) as f:
                f.write(json.dumps(kept, separators=(",", ":")).replace(ROOT, ROOTS_NAME))
            whole.replace(path)     # a run that is stopped leaves the answers as they were

    def _told(self, notes):
        """What is kept of notes: one answer to a question, or several in the order of a test, by places in a list.

        They repeat: all options of JAX, 15 kB, are asked for before and after each test of them.
        """
        answers, several, places = {}, {}, {}
        for key, rows in notes.items():
            rows = [row for row in rows if row[0] not in self.unkept]
            if len({text for _, text in rows}) == 1:
                answers[key] = json.loads(rows[0][1])
                continue
            for test, text in rows:
                several.setdefault(test, {}).setdefault(key, []).append(places.setdefault(text, len(places)))
        asking = sorted({test for rows in notes.values() for test, _ in rows} - {""})
        return {"tests": {test: self._said[test] for test in asking}, "answers": answers, "several": several,
                "listed": list(map(json.loads, places))}

    def _find(self, key):
        """The kept answer to a question, or None."""
        kept = self._load(self.file)
        rows = kept["several"].get(self.test, {}).get(key)
        if rows is None:
            return kept["answers"].get(key)
        count = self._counts[key] = self._counts.get(key, -1) + 1
        return kept["listed"][rows[count]] if count < len(rows) else None

    # ---- questions

    def ask(self, value: StandIn, operation: str, *operands: object) -> object:
        """Return the answer to one question."""
        if self.direct or threading.get_ident() != self._thread:
            self.state = self.state or "asked"
            found = self._perform(value, operation, operands)
            return self._named(value, operands[0], found) if operation == "get" else found
        key = _key(value, operation, operands)
        if self.manner == "keep":
            return self._ask_and_keep(value, operation, operands, key)
        if self.test is not None:
            self.state = "read"
        answer = self._find(key)
        if answer is not None:
            return self._answer(answer, value, operation, operands, key)
        if operation == "call" and value._key in _OF_TREES and _is_plain(operands):
            return _OF_TREES[value._key](*operands[0], **operands[1])
        if self.calling or self.manner == "check":
            raise Stale(f"{operation} of {value._key}")
        self.direct = self.test is not None
        return self._perform(value, operation, operands)

    def _answer(self, answer, value, operation, operands, key):
        outcome, form, *more = answer
        if self.test is None and operation == "call" and (form is None or type(form) is list and form[0] == "operand"):
            self._registered.append((value, operation, operands))
        told, printed = more or ((), "")
        for name, text, module in told:
            kind = UserWarning if module.startswith("jax") else getattr(importlib.import_module(module), name)
            warnings.warn(text, kind, stacklevel=4)
        sys.stdout.write(printed)
        parts = {}

        def made(part):
            def find():
                if not parts:
                    _form(self._perform(value, operation, operands), value, operation, key, [], parts)
                return parts[part]

            return find

        found = decode(self, form, key, list(_leaves(operands)), made)
        if outcome == "raise":
            raise found
        return found

    def _ask_and_keep(self, value, operation, operands, key):
        leaves, reals, outcome = list(_leaves(operands)), {}, "return"
        with _watched() as (told, printed):
            try:
                result = self._perform(value, operation, operands)
            except Exception as error:
                result, outcome = error, "raise"
        try:
            form = encode_error(result) if outcome == "raise" else _form(
                result, value, operation, key, real_tree(leaves), reals)
        except (Unkept, TypeError, ValueError):
            form = None
            if self.test is not None:
                self.unkept.add(self.test)
        else:
            more = [told, printed.getvalue()] if told or printed.getvalue() else []
            note = self.test or "", json.dumps([outcome, form, *more])
            self._notes.setdefault(self.file, {}).setdefault(key, []).append(note)
        if outcome == "raise":
            raise result
        return result if form is None else decode(self, form, key, leaves, lambda part: None, reals)

    def derive(self, value: StandIn) -> type:
        """Return the class of JAX from which a test derives one; what a test does with that is not kept."""
        if self.manner == "keep":
            self.unkept.add(self.test)
        elif not self.direct and self.calling:
            raise Stale(f"a class that derives from {value._key}")
        return self._perform(value, "get", ["__mro__"])[0]

    def _perform(self, value, operation, operands):
        """Ask JAX itself, which knows then what modules have registered with it."""
        before, self.direct = self.direct, True
        registered, self._registered = self._registered, []
        try:
            if self.test is not None and not self._hastened:
                self._hasten()
            for question in registered:
                self._perform(*question)
            return OPERATIONS[operation](real(value), *map(real_tree, operands))
        finally:
            self.direct = before

    def _hasten(self):
        """JAX leaves out what takes longer than most of the calls: frames that it hides, and looking for leaks.

        It looks for leaks where adjoint finds one (tests/modes.py).
        """
        self._hastened = True
        real(self.jax).config.update("jax_traceback_filtering", "off")
        real(self.jax).config.update("jax_check_tracer_leaks", False)

    def _named(self, home, name, found):
        """What stands for a module, a function or a method, so that what it is given is JAX's again."""
        kind, module = type(found), str(getattr(found, "__module__", None) or "jax")
        within = callable(found) and not isinstance(found, type) and module.split(".")[0] not in ("tests", "adjoint")
        if within or kind is types.ModuleType and found.__name__.split(".")[0] == "jax":
            return class_of(kind.__module__, kind.__qualname__)(self, f"{home._key}.{name}", None, found)
        return found


# These are asked of what adjoint and NumPy computed too, whose last bits are those of this processor: no answer to that
# can be kept, and none of JAX's is wanted where a tree has nothing that JAX alone knows.
_OF_TREES = {
    "jax.tree.leaves": adjoint.tree.leaves, "jax.tree.map": adjoint.tree.map,
    "jax.block_until_ready": adjoint.block_until_ready,
}
_PLAIN = (
    types.NoneType, bool, int, float, complex, str, np.ndarray, np.generic, adjoint.Array, types.FunctionType,
    types.BuiltinFunctionType, types.ModuleType,
)


def _is_plain(value):
    """Whether a tree of Python's own classes has numbers, texts and functions alone."""
    kind = type(value)
    if kind in (list, tuple):
        return all(map(_is_plain, value))
    if kind is dict:
        return all(map(_is_plain, value.values()))
    if kind is functools.partial:
        return _is_plain([value.func, value.args, value.keywords])
    return isinstance(value, _PLAIN)


def _form(result, value, operation, key, leaves, reals):
    """Return the form of an answer; a table of a module, which a test may write to, is what it is there."""
    if operation == "get" and type(result) is dict and type(real(value)) is types.ModuleType:
        reals[key] = result
        return ["J", "builtins", "dict"]
    return encode(result, key, leaves, reals)


def _key(value, operation, operands):
    """What tells a question from others."""
    if operation == "get" and len(value._key) < 100:
        return f"{value._key}.{operands[0]}"
    return digest((value, operation, *operands))


def _path(file):
    name = file.removeprefix("tests/").removesuffix(".py").replace("/", ".")
    return HOME / "answers" / f"{name}.json.xz"


def _leaves(value):
    """What a question gives to JAX, but for numbers and texts."""
    if type(value) in (list, tuple):
        for part in value:
            yield from _leaves(part)
    elif type(value) is dict:
        yield from _leaves(list(value.values()))
    elif not isinstance(value, (type(None), bool, int, float, str)):
        yield value


@contextlib.contextmanager
def _watched():
    """Note what is warned of and printed meanwhile."""
    told, printed = [], io.StringIO()
    show, out = warnings._showwarnmsg_impl, sys.stdout

    def note(message):
        told.append([message.category.__name__, str(message.message), message.category.__module__])
        show(message)

    class Both:
        def __getattr__(self, name):
            return getattr(out, name)

        def write(self, text):
            printed.write(text)
            return out.write(text)

    warnings._showwarnmsg_impl, sys.stdout = note, Both()
    try:
        yield told, printed
    finally:
        warnings._showwarnmsg_impl, sys.stdout = show, out


def _manner() -> str:
    """How JAX is asked in this run: ANSWERS=live or keep, or as the mode of the run demands."""
    strict = any(os.environ.get(name) for name in _MODES)
    return "live" if strict else os.environ.get("ANSWERS", "read")


session = Session(_manner())
