"""What docstrings of public functions have: sections about the arguments and what is returned, and an example.

Classes say what they are given, or by what they are made; their methods and properties are under the same rule.
"""

from __future__ import annotations

import enum
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from adjoint.core.primitive import Primitive
from adjoint.numpy import ufunc
from adjoint.tools.names import MODULES, public

sys.path.insert(0, str(Path(__file__).parents[2] / "stubs"))

import generate


def is_numpys(function) -> bool:
    """Return whether a function is NumPy's own, as `jnp.save` is, with a docstring in its words."""
    return (getattr(function, "__module__", None) or "").partition(".")[0] == "numpy"


def is_complete(function) -> bool:
    """Return whether the docstring says what the arguments are, if there are any, and what is returned."""
    if is_numpys(function):
        return True
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    text = inspect.getdoc(function) or ""
    has_arguments = not signature.parameters or "\nArgs:" in text
    has_result = re.match("(Return|Yield)s? ", text) or re.search("^(Returns|Yields):", text, re.MULTILINE)
    return has_arguments and bool(has_result or signature.return_annotation in (None, "None"))


def described(text: str) -> set[str]:
    """Return the parameters that the section about the arguments names."""
    section = re.search(r"^Args:\n(.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    entries = re.findall(r"^  (\*{0,2}\w+(?:, \*{0,2}\w+)*): ", section[1] if section else "", re.MULTILINE)
    return {name.strip(" *") for entry in entries for name in entry.split(",")}


@pytest.mark.parametrize("module", MODULES)
def test_docstrings_say_what_goes_in_and_comes_out(module):
    found = [n for n, f in public(module).items() if not inspect.isclass(f) and not is_complete(f)]
    assert not found, f"{module} lacks Args or Returns: {', '.join(found)}"


@pytest.mark.parametrize("module", MODULES)
def test_docstrings_say_of_every_parameter_what_it_is(module):
    """Operands of a ufunc, which takes `*args`, have names of their own."""
    found = []
    for name, function in public(module).items():
        if inspect.isclass(function) or is_numpys(function):
            continue
        try:
            parameters = {p for p in inspect.signature(function).parameters if not p.startswith("_")}
        except (TypeError, ValueError):
            continue
        missing = parameters - described(inspect.getdoc(function) or "")
        missing -= {"args"} if isinstance(function, ufunc) else set()
        if missing:
            found.append(f"{name}: {', '.join(sorted(missing))}")
    assert not found, "\n".join(found)


def is_ours(value) -> bool:
    """Return whether a class, a function or another object is defined in this package."""
    return (getattr(value, "__module__", None) or "").partition(".")[0] == "adjoint"


def classes(module: str) -> dict[str, type]:
    """Return the public classes of a module that are this package's, by name."""
    return {name: c for name, c in public(module).items() if inspect.isclass(c) and is_ours(c)}


def members(cls) -> Iterator[tuple[str, object, bool]]:
    """Yield (name, function or property, whether it is given the object) of the public members of a class."""
    for base in cls.__mro__:
        for name, value in vars(base).items() if is_ours(base) else ():
            if name.startswith("_"):
                continue
            value = getattr(cls, name) if hasattr(type(value), "__get__") and not callable(value) else value
            function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
            if isinstance(value, property) or callable(function) and hasattr(function, "__code__"):
                yield name, function, not isinstance(value, staticmethod)


@pytest.mark.parametrize("module", MODULES)
def test_members_of_classes_say_what_goes_in(module):
    """Of every property what it is, of every method its parameters too."""
    found = []
    for owner, cls in classes(module).items():
        for name, member, is_given_self in members(cls):
            text = inspect.getdoc(member) or ""
            signature = None if isinstance(member, property) else inspect.signature(member)
            parameters = list(signature.parameters)[is_given_self:] if signature else []
            missing = {p for p in parameters if not p.startswith("_")} - described(text)
            if not text or missing:
                found.append(f"{owner}.{name}: {', '.join(sorted(missing)) or 'no docstring'}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("module", MODULES)
def test_classes_say_what_they_are_given_or_by_what_they_are_made(module):
    """But for constants, errors, and what makes arrays of one dtype."""
    found = []
    for name, cls in classes(module).items():
        text = inspect.getdoc(cls) or ""
        if issubclass(cls, (enum.Enum, Exception)) or hasattr(cls, "dtype") and isinstance(cls.dtype, np.dtype):
            continue
        try:
            parameters = {p for p in inspect.signature(cls).parameters if not p.startswith("_")}
        except (TypeError, ValueError):
            continue
        if parameters - described(text) and not re.search(r"\b[Mm]ade by\b|\bwhat `\w+` returns\b", text):
            found.append(f"{name}: {', '.join(sorted(parameters - described(text)))}")
    assert not found, "\n".join(found)


def lacks(name: str, value) -> str:
    """Return what the docstring of a public object lacks, in words; nothing if it is whole."""
    text = inspect.getdoc(value) or ""
    if ">>> " not in text:
        return f"{name}: no example"
    if isinstance(value, Primitive) or inspect.isclass(value) and issubclass(value, (enum.Enum, Exception)):
        return ""
    try:
        missing = {p for p in inspect.signature(value).parameters if not p.startswith("_")} - described(text)
    except (TypeError, ValueError):
        return ""
    if inspect.isclass(value):
        is_made = re.search(r"\b[Mm]ade by\b|\bwhat `\w+` returns\b", text) or hasattr(value, "dtype")
        return f"{name}: {', '.join(sorted(missing))}" if missing and not is_made else ""
    missing -= {"args"} if isinstance(value, ufunc) else set()
    return f"{name}: {', '.join(sorted(missing))}" if missing else "" if is_complete(value) else f"{name}: Returns"


def test_every_public_name_has_an_example_and_says_what_goes_in():
    """Of every module that programs may import: those that have no page of their own in the reference too."""
    found, seen = [], set()
    for module_name, module in generate.public_modules().items():
        for name in generate.public_names(module):
            value = getattr(module, name)
            is_named = (callable(value) or isinstance(value, Primitive)) and not isinstance(value, ModuleType)
            if is_named and is_ours(value) and id(value) not in seen:
                seen.add(id(value))
                found.append(lacks(f"{module_name}.{name}", value))
    assert len(seen) > 1500
    assert not list(filter(None, found)), "\n".join(filter(None, found))
