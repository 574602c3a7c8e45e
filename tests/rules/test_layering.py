"""The direction of imports inside the package; docs/decisions/0001 explains the order.

A folder or module directly under `src/adjoint` imports only from its own layer and those above it
in `LAYERS`. Imports inside functions count, and so do `import_module` calls with a constant name;
imports under `if TYPE_CHECKING:` do not, because nothing runs.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src"
USER = "user-level"     # every name that no other layer holds: numpy, lax, random, nn, tree, ...
LAYERS = (
    {"core"},
    {"sharding"},
    {"array"},
    {"prims"},
    {"engines"},
    {"transforms"},
    {"control_flow"},
    {"parallel"},
    {USER, "compat", ""},   # "" is the package itself: `from adjoint import jit`
    {"tools"},
    {"testing"},
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
UNBOUND = {"__init__", "__main__"}      # they bind and start everything
# What may import a compiler: its engine, and for jaxlib what describes shardings to it.
ONLY_IN = {
    "llvmlite": [("engines", "native")],
    "jaxlib": [("engines", "xla"), ("sharding",), ("compat", "private", "lowered")],
    "jax": [],
}

STATEMENTS = ast.stmt, ast.excepthandler, ast.match_case

FILES = sorted((SRC / "adjoint").rglob("*.py"))
PATHS = {path.relative_to(SRC / "adjoint").with_suffix("").parts for path in FILES}


def imports(path):
    """(line, absolute module name) of each import that a file runs."""
    package = path.relative_to(SRC).parts[:-1]
    text = path.read_text(encoding="utf8")
    is_checked, calls = "TYPE_CHECKING" in text, "import_module" in text
    todo: list[ast.AST] = [ast.parse(text)]
    while todo:
        node = todo.pop()
        if is_checked and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            todo += node.orelse
            continue
        # Expressions are the most of a tree, and import only by calls.
        todo += [n for n in ast.iter_child_nodes(node) if calls or isinstance(n, STATEMENTS)]
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(package, "." * node.level + (node.module or ""))
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            if getattr(node.func, "attr", getattr(node.func, "id", "")).endswith("import_module"):
                yield node.lineno, absolute(package, node.args[0].value)


def absolute(package, name):
    """`name` without leading dots, resolved against the folder of the file."""
    level = len(name) - len(name.lstrip("."))
    if not level:
        return name
    return ".".join((*package[: len(package) - level + 1], *filter(None, name[level:].split("."))))


def layer(parts):
    """The layer's name of a module inside the package, given its path below `adjoint`."""
    first = parts[0] if parts else ""
    if first in RANK:
        return first
    return USER if (first,) in PATHS or (first, "__init__") in PATHS else ""


def violations(path):
    """A line for each import of a file that the order forbids."""
    own, shown = path.relative_to(SRC / "adjoint").with_suffix("").parts, path.relative_to(SRC)
    for line, name in imports(path):
        top, *inside = name.split(".")
        where = f"{shown}:{line}: imports {name}"
        if top in ONLY_IN:
            homes = ONLY_IN[top]
            if not any(own[: len(home)] == home for home in homes):
                yield where + (f"; only {', '.join(map('/'.join, homes))} may" if homes else "; nothing may")
        elif top == "adjoint" and own[0] not in UNBOUND:
            here, there = layer(own), layer(inside)
            if RANK[there] > RANK[here]:
                yield f"{where}; {here} comes before {there or 'the package itself'}"


def test_imports_follow_the_order_of_the_layers():
    """No file imports from a later layer, and only the engines import their compilers."""
    found = [line for path in FILES for line in violations(path)]
    assert found == [], "\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("file", "text", "count"),
    [
        ("core/x.py", "def f():\n    from ..numpy import sin", 1),
        ("core/x.py", "from .. import numpy", 1),
        ("core/x.py", "import adjoint.lax as lax", 1),
        ("core/x.py", "import importlib\nimportlib.import_module('..lax', __package__)", 1),
        ("core/x.py", "from . import types\nfrom .types import Array", 0),
        ("core/x.py", "if TYPE_CHECKING:\n    from ..array import Array", 0),
        ("numpy/x.py", "from ..core import types\nfrom ..lax import sin\nimport numpy", 0),
        ("engines/x.py", "import llvmlite.binding", 1),
        ("engines/native/x.py", "def f():\n    import llvmlite.binding", 0),
        ("engines/xla/x.py", "from jaxlib import xla_client\nimport jax", 1),
    ],
)
def test_the_check_sees_what_it_forbids(tmp_path, monkeypatch, file, text, count):
    """Relative, nested and dynamic imports are all found, allowed ones pass."""
    path = tmp_path / "adjoint" / file
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf8")
    monkeypatch.setitem(globals(), "SRC", tmp_path)
    monkeypatch.setitem(globals(), "PATHS", {("numpy", "__init__"), ("lax", "__init__")})
    assert count == len(list(violations(path)))
