"""What docstrings of public functions have: a section about the arguments, if there are any, and what is returned."""

from __future__ import annotations

import inspect
import re

import pytest

from adjoint.tools.names import MODULES, public


def is_complete(function) -> bool:
    """Return whether the docstring says what the arguments are, if there are any, and what is returned."""
    if (getattr(function, "__module__", None) or "").partition(".")[0] == "numpy":  # such as `jnp.save`: NumPy's words
        return True
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    text = inspect.getdoc(function) or ""
    has_arguments = not signature.parameters or "\nArgs:" in text
    has_result = re.match("(Return|Yield)s? ", text) or re.search("^(Returns|Yields):", text, re.MULTILINE)
    return has_arguments and bool(has_result or signature.return_annotation in (None, "None"))


@pytest.mark.parametrize("module", MODULES)
def test_docstrings_say_what_goes_in_and_comes_out(module):
    found = [n for n, f in public(module).items() if not inspect.isclass(f) and not is_complete(f)]
    assert not found, f"{module} lacks Args or Returns: {', '.join(found)}"
