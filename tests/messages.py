"""Texts of errors, to compare with JAX's: without the parts that say where and what to write instead."""

from __future__ import annotations

import re

__all__ = ["what"]

# The user's line, with the carets below it; what to write instead, which is last.
_WHERE = re.compile(r"^  \S+:\d+ in .*\n?(^ +\^+$\n?)?", re.MULTILINE)
_FIX = re.compile(r"^  Try: .*\Z", re.MULTILINE | re.DOTALL)


def what(error: BaseException) -> str:
    """Return the text of an error without the parts that JAX's does not have."""
    return _FIX.sub("", _WHERE.sub("", str(error))).rstrip("\n")
