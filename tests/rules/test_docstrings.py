"""What docstrings of public functions have: a section about the arguments, and what is returned.

`LACKING` counts by module the functions that have parameters and lack one of the two. It only shrinks.
"""

from __future__ import annotations

import inspect
import re

import pytest

from adjoint.tools.names import MODULES, public

LACKING: dict[str, int] = {
    "debug": 6, "sharding": 5, "export": 3, "custom_derivatives": 3, "custom_batching": 1, "ad_checkpoint": 3, "dtypes":
    4, "dlpack": 2, "ffi": 6, "monitoring": 12, "profiler": 6, "test_util": 2, "experimental.checkify": 1,
    "experimental.jet": 8, "experimental.sparse": 22, "experimental.pallas": 17, "experimental.multihost_utils": 8,
    "extend.core": 17, "extend.linear_util": 7,
}


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
    allowed = LACKING.get(module, 0)
    assert len(found) <= allowed, f"{len(found)} lack Args or Returns: {', '.join(found)}"
    assert len(found) == allowed, f"only {len(found)} are left of {allowed}: write {module!r}: {len(found)}"
