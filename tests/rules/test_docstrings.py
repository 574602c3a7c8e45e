"""What docstrings of public functions have: a section about the arguments, if there are any, and what is returned."""

from __future__ import annotations

import inspect
import re

import pytest

from adjoint.numpy import ufunc
from adjoint.tools.names import MODULES, public


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
