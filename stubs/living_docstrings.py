"""Docstrings in stubs: what editors show of a name stands in the stub, for they find it nowhere else.

Names are bound when they are first used, and many functions are rows of tables, so no editor finds a docstring by
reading the sources. `documented` puts that of the living object below each definition that has none.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import adjoint.numpy as jnp

__all__ = ["documented"]

_AT = jnp.ones(1).at
PRIVATE = {"_At": type(_AT), "_Update": type(_AT[0])}    # classes of `written/` that have no public name


def documented(text: str, module: ModuleType) -> str:
    """The text of a stub, with the docstrings of the functions, classes, methods and values of its module."""
    lines = text.splitlines()
    for node, value in reversed(list(_definitions(ast.parse(text), module))):
        docstring = inspect.cleandoc(getattr(value, "__doc__", None) or "")
        if not docstring or docstring == inspect.getdoc(type(value)) or _is_field(value):
            continue
        margin, last = node.col_offset, node.end_lineno or node.lineno
        if isinstance(node, ast.ClassDef):
            margin, last = margin + 4, node.lineno
        elif isinstance(node, ast.FunctionDef):
            margin += 4
            lines[last - 1] = lines[last - 1].removesuffix(" ...")
        lines[last:last] = _literal(docstring, " " * margin)
    return "\n".join(lines) + "\n"


def _definitions(tree: ast.Module | ast.ClassDef, owner: Any) -> Iterator[tuple[ast.stmt, Any]]:
    """What of a stub has no docstring yet, with the object that it describes; each form of a function."""
    for node, following in zip(tree.body, [*tree.body, ast.Pass()][1:], strict=True):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            name, has_docstring = node.name, ast.get_docstring(node) is not None
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name, has_docstring = node.target.id, isinstance(following, ast.Expr)
        else:
            continue
        value = PRIVATE.get(name) or getattr(owner, name, None)
        if not has_docstring and (name in PRIVATE or not name.startswith("_")):
            yield node, value
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node, value)


def _is_field(value: Any) -> bool:
    """Whether it is a field of a named tuple, whose docstring Python writes."""
    return type(value).__name__ == "_tuplegetter"


def _literal(docstring: str, margin: str) -> list[str]:
    """A docstring as lines of source."""
    text = docstring.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    end = "\n" if "\n" in text else " " * text.endswith('"')
    return [f"{margin}{line}".rstrip() for line in f'"""{text}{end}"""'.split("\n")]
