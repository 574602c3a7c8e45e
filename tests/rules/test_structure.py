"""How the library is built: what a folder holds and says of it, which modules know of one another, and who sets what.

Each rule has a list of what does not keep to it yet. The lists only shrink: what is no longer needed in one fails too.
"""

from __future__ import annotations

import ast
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


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf8"))


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


@cache
def imported(path: Path) -> dict[str, str]:
    """What each imported name of a file stands for: a module of the package, or `module:name`."""
    names = {}
    package = name_of(path).split(".") if path.stem == "__init__" else name_of(path).split(".")[:-1]
    todo: list[ast.AST] = [tree(path)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            todo += node.orelse
            continue
        todo += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
            for alias in node.names:
                full = f"{base}.{alias.name}".lstrip(".")
                names[alias.asname or alias.name] = full if full in MODULES else f"{base}:{alias.name}"
    return names


def knots() -> list[set[str]]:
    """Sets of modules that import one another, by Tarjan's algorithm."""
    arrows = {
        name: {m.partition(":")[0] for m in imported(path).values()} - {name} for name, path in MODULES.items()
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
        name
        for name, path in MODULES.items() if name.partition(".")[0] in ONLY_AT_THE_TOP
        for function in ast.walk(tree(path)) if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function) if isinstance(node, ast.ImportFrom) and node.level
    }
    assert not outdated(LATER, found)


def test_modules_set_only_what_is_theirs():
    """No module assigns to an attribute of another module, or of a class or function that another module defines."""
    found = set()
    for name, path in MODULES.items():
        names = imported(path)
        for node in ast.walk(tree(path)):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            for target in targets:
                if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                    owner = names.get(target.value.id)
                    is_class = owner is not None and re.match(r".*:_?[A-Z][a-z]", owner)
                    if is_class or owner in MODULES:
                        found.add(f"{name}: {target.value.id}.{target.attr}")
    assert not outdated(SET_FROM_OUTSIDE, found)


# ---- primitives ----------------------------------------------------------------------------------

LAYERS = ("core", "sharding", "array", "prims", "engines", "transforms", "control_flow", "parallel")


def rank(name: str) -> int:
    first = name.partition(".")[0]
    return LAYERS.index(first) if first in LAYERS else len(LAYERS)


def compared(path: Path) -> set[str]:
    """The strings that a module compares the name of a primitive with, itself or in a table of its own."""
    tables = {
        target.id: node.value
        for node in tree(path).body if isinstance(node, ast.Assign)
        for target in node.targets if isinstance(target, ast.Name)
    }
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Compare) and ast.unparse(node.left).endswith("name"):
            for side in node.comparators:
                table = tables.get(side.id, side) if isinstance(side, ast.Name) else side
                found |= {n.value for n in ast.walk(table) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return found


def test_no_layer_knows_a_primitive_of_a_later_one_by_its_name():
    """A name of a primitive that a later layer defines is no string in a module."""
    home = {}
    for name, path in MODULES.items():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                text = node.args[0].value
                if isinstance(text, str) and ast.unparse(node.func).endswith("Primitive"):
                    home[text] = min(home.get(text, 99), rank(name))
    found = set()
    for name, path in MODULES.items():
        known = sorted(s for s in compared(path) & home.keys() if home[s] > rank(name))
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
        for node in ast.walk(tree(path)):
            documented = isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)
            if documented and FRAGMENTS.match(ast.get_docstring(node) or ""):
                found.append(f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 1)}")
    assert not found, "\n".join(found)


# Modules of programs that are no part of the package, in examples.
THEIRS = {"script.py", "file.py", "program.py", "_adjoint_as_jax.py"}


def test_docstrings_name_modules_that_exist():
    """A docstring names a module of its own folder by its file, others with a folder, so that one file is meant."""
    paths = [path.relative_to(PACKAGE).as_posix() for path in FILES]
    found = []
    for path in FILES:
        nodes = [n for n in ast.walk(tree(path)) if isinstance(n, ast.FunctionDef | ast.ClassDef | ast.Module)]
        text = "\n".join(ast.get_docstring(node) or "" for node in nodes)
        for name in sorted(set(re.findall(r"(?<![\w*/])(?!tests/)(?:\w+/)*\w+\.py\b", text)) - THEIRS):
            is_meant = "/" in name and len([p for p in paths if f"/{p}".endswith(f"/{name}")]) == 1
            if not is_meant and not (path.parent / name).exists():
                found.append(f"{path.relative_to(PACKAGE)}: {name}")
    assert not found, "\n".join(found)


# ---- tests ---------------------------------------------------------------------------------------

TESTS = PACKAGE.parents[1] / "tests"

def says_its_tests(path: Path) -> bool:
    """Return whether a module's docstring has a line `Tests: ...` that names a file."""
    named = re.search(r"^Tests: `(tests/\S+\.py)`", ast.get_docstring(tree(path)) or "", re.MULTILINE)
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
