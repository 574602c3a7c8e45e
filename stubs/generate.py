"""Writes the stubs of the package, `src/adjoint/**/*.pyi`: what type checkers and editors see of the public names.

    python stubs/generate.py            write them
    python stubs/generate.py --check    name those that are not up to date, and exit with 1

The names are those that the packages offer, the signatures those of the functions; what is more precise than a
signature can say stands in `written/`, a file for each module.
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from adjoint.core.options.config import State
from living_docstrings import documented
from signatures import class_, function
from types_as_text import Homes, Scope, of_value

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src"
HEAD = "# Written by stubs/generate.py; do not edit.\n"
_VERSION = ("__version__", "__version_info__")
ALSO = {"adjoint": _VERSION, "adjoint.version": _VERSION}


def public_names(module: ModuleType) -> list[str]:
    """The names that a module offers."""
    if isinstance(vars(module).get("__dir__"), FunctionType):  # what a module lists is found when it is first used
        found = dir(module)
    elif hasattr(module, "__all__"):
        found = list(module.__all__)
    else:
        found = [n for n, v in vars(module).items()
                 if getattr(v, "__module__", "").startswith("adjoint.") or isinstance(v, (str, int))]
    return sorted({*[n for n in found if not n.startswith("_")], *ALSO.get(module.__name__, ())})


def public_modules() -> dict[str, ModuleType]:
    """Every public module by its name, those of the package itself first."""
    found: dict[str, ModuleType] = {}
    todo = ["adjoint"]
    while todo:
        name = todo.pop(0)
        module = found[name] = import_module(name)
        for inner in public_names(module):
            value = getattr(module, inner)
            if isinstance(value, ModuleType) and value.__name__.startswith("adjoint."):
                todo += [value.__name__] * (value.__name__ not in found)
    return found


def homes(modules: dict[str, ModuleType]) -> Homes:
    """Where each public class and function is for users: under its own name, in the first module that has it."""
    found: Homes = {}
    for by_own_name in (True, False):
        for name, module in modules.items():
            for n in public_names(module):
                value = getattr(module, n)
                is_named = getattr(value, "__name__", None) == n
                is_ours = getattr(value, "__module__", "").partition(".")[0] == "adjoint"
                if callable(value) and is_ours and by_own_name == is_named and not isinstance(value, ModuleType):
                    found.setdefault(id(value), (name, n))
    return found


class Written:
    """What `written/` says of a module: imports, definitions by name, and private ones, which come first."""

    def __init__(self, module: str):
        path = HERE / "written" / f"{module}.pyi"
        self.head: list[str] = []
        self.private: list[str] = []
        self.public: dict[str, list[str]] = {}
        text = path.read_text(encoding="utf8") if path.exists() else ""
        for node in ast.parse(text).body:
            first = min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", ())]])
            lines = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self.head.append(lines)
            elif (name := _defined(node)).startswith("_"):
                self.private.append(lines)
            else:
                self.public.setdefault(name, []).append(lines)


def _defined(node: ast.stmt) -> str:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return node.name
    return ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)  # type: ignore[attr-defined]


def stub(name: str, module: ModuleType, known: Homes) -> str:
    """The text of the stub of a module."""
    names = public_names(module)
    written = Written(name)
    scope = Scope(name, names, known)
    hidden = [b for b in ("bool", "complex", "slice", "set", "float", "int") if b in names]
    body = [line for n in names for line in definition(scope, module, n, written, hidden)]
    body += [line for n, t in scope.tuples.items() for line in class_(scope, n, t)]
    private = "\n".join(_unhidden(p, hidden) for p in written.private)
    if hidden and (written.private or written.public):
        scope.imports.add(("builtins", "", "_builtins"))
    imports = "\n".join([_import(*i) for i in sorted(scope.imports)])
    variables = "\n".join(v for n, v in scope.variables.items() if f"\n{n} = " not in "\n" + private)
    text = "\n".join(filter(None, [*written.head, imports, variables, private, *body])) + "\n"
    return HEAD + documented(text, module)


def _import(module: str, name: str, here: str) -> str:
    if not name:
        return f"import {module} as {here}"
    return f"from {module} import {name}" + ("" if name == here else f" as {here}")


def _unhidden(text: str, hidden: list[str]) -> str:
    """The text with the full names of built-in types that public names hide."""
    lines = text.splitlines()
    found = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and n.id in hidden]
    for node in sorted(found, key=lambda n: (n.lineno, -n.col_offset)):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = f"{line[: node.col_offset]}_builtins.{line[node.col_offset :]}"
    return "\n".join(lines)


def definition(scope: Scope, module: ModuleType, name: str, written: Written, hidden: list[str]) -> list[str]:
    """The lines that say what a public name of a module is."""
    value = getattr(module, name)
    if name in written.public:
        return [_unhidden(text, hidden) for text in written.public[name]]
    if isinstance(value, ModuleType):
        parent, _, last = value.__name__.rpartition(".")
        return [f"from {parent} import {last} as {name}"] if last == name else [f"import {value.__name__} as {name}"]
    home = scope.homes.get(id(value))
    if home is not None and home != (scope.module, name):
        if home[1] == name:
            return [f"from {home[0]} import {name} as {name}"]
        return [f"from {home[0]} import {home[1]} as _{name}", f"{name} = _{name}"]
    if isinstance(value, type) and value.__module__.partition(".")[0] == "numpy":
        return [f"from {value.__module__} import {value.__name__} as {name}"]
    is_scalar = isinstance(value, type) and type(value) is not type and hasattr(value, "dtype")
    if is_scalar and scope.module == "adjoint.numpy":
        return [f"{name}: _Scalar"]
    if isinstance(value, type) and value.__module__.partition(".")[0] == "ml_dtypes":
        return [f"{name}: {scope.imported('typing', 'Any')}"]
    if isinstance(value, type) and home is not None:
        return class_(scope, name, value)
    if isinstance(value, State):
        return [f"{name}: {of_value(scope, value, State)}"]
    if callable(value) and not isinstance(value, type):
        if scope.module == "adjoint.numpy" and type(value).__name__ == "ufunc":
            return [f"{name}: ufunc"]
        if (line := function(scope, name, value)) is not None and value.__class__.__name__ not in ("GenericAlias",):
            return [line]
    if isinstance(value, TypeVar):
        make, default = scope.imported("typing_extensions", "TypeVar"), scope.imported("typing", "Any")
        return [f"{name} = {make}({name!r}, default={default})"]
    if _is_type(value):
        return [f"{name}: {scope.imported('typing', 'TypeAlias')} = {scope.text(value)}"]
    return [f"{name}: {of_value(scope, value, State)}"]


def _is_type(value: Any) -> bool:
    return isinstance(value, type) or type(value).__name__ in ("GenericAlias", "UnionType", "_UnionGenericAlias",
                                                               "_GenericAlias", "_AnyMeta", "_SpecialForm")


def place(name: str, module: ModuleType) -> Path:
    """The file of the stub of a module."""
    found = SOURCE.joinpath(*name.split("."))
    return found / "__init__.pyi" if hasattr(module, "__path__") else found.with_suffix(".pyi")


def private_place(path: Path) -> Path:
    """The file beside a stub that has its text, where editors find no docstrings in the source."""
    return path.with_name("_names.pyi" if path.stem == "__init__" else f"_{path.name}")


def hides_docstrings(module: ModuleType) -> bool:
    """Whether the source of a module shows no docstring of a public function that has one.

    It is bound by assignment (`erf = row("erf", ...)`), or what decorates it writes its docstring.
    """
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf8"))
    targets = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
    bound = {t.id for t in targets if isinstance(t, ast.Name)}
    bound |= {n.name for n in tree.body if isinstance(n, ast.FunctionDef) and ast.get_docstring(n) is None}
    functions = [getattr(module, name) for name in bound & {*public_names(module)}]
    return any(isinstance(f, FunctionType) and f.__doc__ for f in functions)


def stubs(modules: dict[str, ModuleType]) -> dict[Path, str]:
    """Every stub by its file.

    jedi prefers the docstring in the source of a module to that of its stub, even if there is none. The stub of a
    module that hides docstrings takes its names from a private one, which has no source.
    """
    known = homes(modules)
    found: dict[Path, str] = {}
    for name, module in modules.items():
        path, text = place(name, module), stub(name, module, known)
        if hides_docstrings(module):
            private = ".".join(private_place(path).relative_to(SOURCE).with_suffix("").parts)
            found[private_place(path)] = text
            text = HEAD + "".join(f"from {private} import {n} as {n}\n" for n in public_names(module))
        found[path] = text
    return found


def outdated(modules: dict[str, ModuleType]) -> dict[Path, str]:
    """The files that are not what they would be if they were written now, with that; "" for those that would not be."""
    wanted = stubs(modules)
    there = {path: path.read_text(encoding="utf8") for path in SOURCE.rglob("*.pyi")}
    return {path: wanted.get(path, "") for path in sorted({*wanted, *there}) if wanted.get(path) != there.get(path)}


def main(arguments: list[str]) -> int:
    """Write the stubs, or say which are not up to date."""
    changed = outdated(public_modules())
    for path, text in changed.items():
        print(path.relative_to(SOURCE))
        if "--check" in arguments:
            continue
        if text:
            path.write_text(text, encoding="utf8")
        else:
            path.unlink()
    return bool(changed and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
