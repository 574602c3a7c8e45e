"""How the library is built: what a folder holds and says of it, which modules know of one another, and who sets what.

Each rule has a list of what does not keep to it yet. The lists only shrink: what is no longer needed in one fails too.
"""

from __future__ import annotations

import ast
import gc
import re
from functools import cache
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src"
PACKAGE = SRC / "adjoint"
FILES = sorted(PACKAGE.rglob("*.py"))
MOST_MODULES = 12

# Folders with more modules, and how many they have.
LARGER = {
    ".": 24, "experimental": 18, "numpy": 60, "prims": 50, "scipy/stats": 29,
}
# Modules that their folder's README does not name, by folder.
UNNAMED: dict[str, int] = {

}
# Modules that import one another, imports inside of functions included.
KNOTS: tuple[str, ...] = (
)
# Folders whose modules import at the top alone, and what does not: packages that find a name when it is first used, and
# the engine that is optional.
ONLY_AT_THE_TOP = (
    "core", "sharding", "array", "prims", "engines", "transforms", "control_flow", "numpy", "random", "lax", "scipy",
    "nn", "image", "debug", "extend", "interpreters",
)
LATER = {
    "control_flow.foreign", "control_flow.while_loop", "core.jaxpr", "engines.choice", "engines.native.engine",
    "engines.native.runtime.machine", "engines.placed.accelerators", "engines.placed.device_put",
    "engines.placed.dispatch", "engines.xla.plugins", "transforms.jit.jit",
}
# Attributes that are set on what another module defines: module, and what it sets.
SET_FROM_OUTSIDE: set[str] = {
    "engines.native.call.prepare: FastPath.__call__",
    "transforms.jvp: Zero.instantiate",
}
# Names of primitives that a layer below theirs knows: module, and the names.
KNOWN_BELOW: set[str] = {
    "core.messages.advice: cholesky, sort",
    "core.printing: dot_general",
    "engines.native.graph.graph: cond, name, scan, while",
    "engines.numpy.key_reuse: cond, scan, while",
    "transforms.jit.stages: scan",
}
# Modules that no test file has the name of, and that do not say where they are tested, by folder.
UNTESTED: dict[str, int] = {}


def name_of(path: Path) -> str:
    """The dotted name of a module below the package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Facts:
    """What the rules ask of a file. Its tree, which is large, is walked once and dropped.

    Attributes:
      imported: what each name stands for that is imported where types are not checked alone: a module of the package,
        or `module:name`.
      imports_later: whether a function imports from the package.
      set: the names and attributes `name.attribute` that are assigned to.
      compared: the strings that the name of a primitive is compared with, in the place or in a table of the file.
      primitives: the names of the primitives that are made.
      docstring: that of the file.
      docstrings: line and text of each in it, and of its own.
    """

    def __init__(self, path: Path):
        self.imported, self.imports_later, self.set = {}, False, set()
        self.compared, self.primitives, self.docstrings = set(), [], []
        self._package = name_of(path).split(".") if path.stem == "__init__" else name_of(path).split(".")[:-1]
        was_on = gc.isenabled()
        gc.disable()    # which would look through the tree again and again
        try:
            self._walk(path.read_text(encoding="utf8"))
        finally:
            if was_on:
                gc.enable()

    def _walk(self, text: str) -> None:
        tree = ast.parse(text)
        self.docstring = ast.get_docstring(tree) or ""
        self._tables = {
            target.id: node.value
            for node in tree.body if isinstance(node, ast.Assign)
            for target in node.targets if isinstance(target, ast.Name)
        }
        checks = "TYPE_CHECKING" in text
        todo: list[tuple[ast.AST, bool, bool]] = [(tree, True, False)]      # is it run, is it in a function
        while todo:
            node, is_run, is_inside = todo.pop()
            if note := self._notes.get(type(node)):
                note(self, node, is_run, is_inside)
            is_inside = is_inside or isinstance(node, ast.FunctionDef)
            if checks and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                todo += [(child, False, is_inside) for child in (node.test, *node.body)]
                todo += [(child, is_run, is_inside) for child in node.orelse]
            else:
                todo += [(child, is_run, is_inside) for child in ast.iter_child_nodes(node)]
        del self._tables
        self.docstrings.sort()

    def _note_import(self, node, is_run, is_inside):
        self.imports_later |= is_inside and node.level > 0
        if is_run and node.level:
            base = ".".join([*self._package[: len(self._package) - node.level + 1], *filter(None, [node.module])])
            for alias in node.names:
                full = f"{base}.{alias.name}".lstrip(".")
                self.imported[alias.asname or alias.name] = full if full in MODULES else f"{base}:{alias.name}"

    def _note_target(self, node, *_):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                self.set.add((target.value.id, target.attr))

    def _note_comparison(self, node, *_):
        if ends(node.left, "name"):
            for side in node.comparators:
                table = self._tables.get(side.id, side) if isinstance(side, ast.Name) else side
                strings = [n.value for n in ast.walk(table) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
                self.compared.update(strings)

    def _note_call(self, node, *_):
        first = node.args[0] if node.args else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and ends(node.func, "Primitive"):
            self.primitives.append(first.value)

    def _note_docstring(self, node, *_):
        if text := ast.get_docstring(node):
            self.docstrings.append((getattr(node, "lineno", 1), text))

    _notes = {
        ast.ImportFrom: _note_import, ast.Compare: _note_comparison, ast.Call: _note_call,
        **dict.fromkeys((ast.FunctionDef, ast.ClassDef, ast.Module), _note_docstring),
        **dict.fromkeys((ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr), _note_target),
        **dict.fromkeys((ast.For, ast.AsyncFor, ast.comprehension), _note_target),
    }


def ends(node: ast.AST, text: str) -> bool:
    """Whether an expression, as text, ends with a word."""
    if isinstance(node, ast.Name | ast.Attribute):
        return getattr(node, "attr", getattr(node, "id", "")).endswith(text)
    return not isinstance(node, ast.Call | ast.Subscript | ast.Constant) and ast.unparse(node).endswith(text)


facts = cache(Facts)


MODULES = {name_of(path): path for path in FILES}


def outdated(allowed: set, found: set) -> list:
    """What is found and not allowed, and what is allowed and no longer found."""
    left = [f"not needed any more: {x}" for x in sorted(allowed - found)]
    return [f"new: {x}" for x in sorted(found - allowed)] + left


# ---- folders -------------------------------------------------------------------------------------


def folders() -> dict[str, list[Path]]:
    """The modules of each folder."""
    found: dict[str, list[Path]] = {}
    for path in FILES:
        if path.stem not in ("__init__", "__main__"):
            found.setdefault(path.parent.relative_to(PACKAGE).as_posix(), []).append(path)
    return found


def test_folders_are_small():
    """A folder has at most twelve modules."""
    large = {(name, len(paths)) for name, paths in folders().items() if len(paths) > MOST_MODULES}
    assert not outdated(set(LARGER.items()), large)


def test_readmes_name_every_module():
    """A folder's README, if it has one, names each of its modules."""
    found = {}
    for name, paths in folders().items():
        readme = PACKAGE / name / "README.md"
        if readme.exists() and name != ".":
            text = readme.read_text(encoding="utf8")
            missing = [path.name for path in paths if not re.search(rf"`(\w+/)*{path.name}`", text)]
            if missing:
                found[name] = len(missing)
    assert not outdated(set(UNNAMED.items()), set(found.items()))


# ---- imports -------------------------------------------------------------------------------------


def knots() -> list[set[str]]:
    """Sets of modules that import one another, by Tarjan's algorithm."""
    arrows = {
        name: {m.partition(":")[0] for m in facts(path).imported.values()} - {name} for name, path in MODULES.items()
    }
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(arrows[name] & arrows.keys()):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            at = stack.index(name)
            if len(stack) - at > 1:
                found.append(set(stack[at:]))
            del stack[at:]

    for name in sorted(arrows):
        if name not in index:
            visit(name)
    return found


def test_modules_do_not_import_one_another():
    """The imports of modules have no cycle, those inside of functions counted, but for the knots that are left."""
    assert not outdated(set(KNOTS), {" ".join(sorted(knot)) for knot in knots()})


def test_imports_stand_at_the_top():
    """No function of these folders imports from the package, but for the modules that are listed."""
    found = {
        name for name, path in MODULES.items()
        if name.partition(".")[0] in ONLY_AT_THE_TOP and facts(path).imports_later
    }
    assert not outdated(LATER, found)


def test_modules_set_only_what_is_theirs():
    """No module assigns to an attribute of another module, or of a class or function that another module defines."""
    found = set()
    for name, path in MODULES.items():
        for value, attribute in facts(path).set:
            owner = facts(path).imported.get(value)
            is_class = owner is not None and re.match(r".*:_?[A-Z][a-z]", owner)
            if is_class or owner in MODULES:
                found.add(f"{name}: {value}.{attribute}")
    assert not outdated(SET_FROM_OUTSIDE, found)


# ---- primitives ----------------------------------------------------------------------------------

LAYERS = ("core", "sharding", "array", "prims", "engines", "transforms", "control_flow", "parallel")


def rank(name: str) -> int:
    first = name.partition(".")[0]
    return LAYERS.index(first) if first in LAYERS else len(LAYERS)


def test_no_layer_knows_a_primitive_of_a_later_one_by_its_name():
    """A name of a primitive that a later layer defines is no string in a module."""
    home = {}
    for name, path in MODULES.items():
        for text in facts(path).primitives:
            home[text] = min(home.get(text, 99), rank(name))
    found = set()
    for name, path in MODULES.items():
        known = sorted(s for s in facts(path).compared & home.keys() if home[s] > rank(name))
        if known:
            found.add(f"{name}: {', '.join(known)}")
    assert not outdated(KNOWN_BELOW, found)


@pytest.mark.parametrize("rule", [LARGER, UNNAMED, KNOTS, SET_FROM_OUTSIDE, KNOWN_BELOW, UNTESTED])
def test_lists_are_short(rule):
    """What does not keep to a rule is listed by folder or module, not one by one."""
    assert len(rule) <= 40


# ---- language ------------------------------------------------------------------------------------

FRAGMENTS = re.compile(
    "(After|All|As|At|Before|Between|Both|By|Each|Every|For|From|How|If|In|Into|Like|Of|On|One|Some|That|Those|To|Two|"
    "Under|Until|What|When|Where|Whether|Which|Who|Whose|With|Within|Without) "
)


def test_docstrings_begin_as_sentences():
    """A docstring begins with a verb, or with the name of what a class or module is."""
    found = []
    for path in FILES:
        lines = [line for line, text in facts(path).docstrings if FRAGMENTS.match(text)]
        found += [f"{path.relative_to(PACKAGE)}:{line}" for line in lines]
    assert not found, "\n".join(found)


# Modules of programs that are no part of the package, in examples.
THEIRS = {"script.py", "file.py", "program.py", "_adjoint_as_jax.py"}


def test_docstrings_name_modules_that_exist():
    """A docstring names a module of its own folder by its file, others with a folder, so that one file is meant."""
    paths = [path.relative_to(PACKAGE).as_posix() for path in FILES]
    found = []
    for path in FILES:
        text = "\n".join(text for _, text in facts(path).docstrings)
        for name in sorted(set(re.findall(r"(?<![\w*/])(?!tests/)(?:\w+/)*\w+\.py\b", text)) - THEIRS):
            is_meant = "/" in name and len([p for p in paths if f"/{p}".endswith(f"/{name}")]) == 1
            if not is_meant and not (path.parent / name).exists():
                found.append(f"{path.relative_to(PACKAGE)}: {name}")
    assert not found, "\n".join(found)


# ---- tests ---------------------------------------------------------------------------------------

TESTS = PACKAGE.parents[1] / "tests"

def says_its_tests(path: Path) -> bool:
    """Return whether a module's docstring has a line `Tests: ...` that names a file."""
    named = re.search(r"^Tests: `(tests/\S+\.py)`", facts(path).docstring, re.MULTILINE)
    return named is not None and (TESTS.parent / named[1]).exists()


def is_tested(path: Path) -> bool:
    """Return whether a test file has the module's name, in its mirrored folder or above, or the docstring names one."""
    parts = path.relative_to(PACKAGE).parent.parts
    mirrors = [TESTS.joinpath(*parts[:n]) for n in range(len(parts), min(len(parts), 1) - 1, -1)]
    return (
        any((folder / f"test_{path.name}").exists() for folder in mirrors)
        or says_its_tests(path)
        or parts != () and says_its_tests(path.parent / "__init__.py")
    )


def test_modules_have_tests():
    """A module has a test file of its name, or says in its docstring where it is tested: Tests: `tests/...`."""
    found = {name: [p.name for p in paths if not is_tested(p)] for name, paths in folders().items()}
    assert not outdated(set(UNTESTED.items()), {(name, len(paths)) for name, paths in found.items() if paths}), found
