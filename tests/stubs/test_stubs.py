"""What type checkers and editors see: the stubs are those of the sources, and find what is wrong in programs.

The programs in `programs/` are as users write them; `# error` marks each line with a mistake.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from shutil import copy

import pytest

import adjoint

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).with_name("programs")
sys.path.insert(0, str(ROOT / "stubs"))

import generate  # noqa: E402

HAS_JAXTYPING = find_spec("jaxtyping") is not None
CHECKED = [p for p in PROGRAMS.glob("*.py") if HAS_JAXTYPING or "jaxtyping" not in p.read_text(encoding="utf8")]
MARKED = {
    (path.name, number)
    for path in CHECKED
    for number, line in enumerate(path.read_text(encoding="utf8").splitlines(), 1) if "# error" in line
}
# Attributes of arrays and of `x.at[i]` that are for this package alone.
INTERNAL = set(
    "array as_before as_values clone concrete device_buffer device_buffers index is_gone platform".split()
)
# What checkers cannot say of a function that `partial` has decorated, since it has overloads.
TOO_HARD_FOR_MYPY = {("trees.py", "turns=3")}


@pytest.fixture(scope="module")
def modules():
    return generate.public_modules()


@pytest.fixture(scope="module")
def editor(tmp_path_factory):
    """What an editor asks about a text; what it keeps on disk is its own, as other processes may be writing theirs."""
    jedi = pytest.importorskip("jedi")
    jedi.settings.cache_directory = str(tmp_path_factory.mktemp("jedi"))
    return partial(jedi.Script, project=jedi.Project(ROOT, added_sys_path=[str(ROOT / "src")]))


def test_stubs_are_up_to_date(modules):
    names = [str(path.relative_to(ROOT)) for path in generate.outdated(modules)]
    assert not names, "run `make stubs`"


def test_what_is_written_has_the_parameters_of_the_functions(modules):
    """And their order and kinds; what has several forms has each parameter in one of them."""
    found = []
    for name, module in modules.items():
        for function, texts in generate.Written(name).public.items():
            value = getattr(module, function)
            if not inspect.isclass(value) and callable(value) and "def " in texts[0]:
                wanted = [(p.name, p.default is p.empty) for p in inspect.signature(value).parameters.values()]
                given = [re.findall(r"[(,] \*{0,2}(\w+):", text.replace("(", "( ")) for text in texts]
                if {n for n, _ in wanted} - {n for form in given for n in form}:
                    found.append(f"{name}.{function}: {wanted} {given}")
    assert not found


def test_arrays_have_the_members_of_the_stub():
    tree = ast.parse((generate.SOURCE / "adjoint" / "__init__.pyi").read_text(encoding="utf8"))
    written = {
        c.name: {f.name for f in c.body if isinstance(f, ast.FunctionDef) and not f.name.startswith("_")}
        for c in tree.body if isinstance(c, ast.ClassDef)
    }
    x = adjoint.numpy.ones(3)
    assert written["Array"] == members(x)
    assert written["_Update"] == members(x.at[0])


def members(value: object) -> set[str]:
    """The public names of a value."""
    return {n for n in dir(value) if not n.startswith("_")} - INTERNAL


def run(command: list[str], folder: Path) -> str:
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, env=environment
    )
    return done.stdout + done.stderr


def lines(found: dict[tuple[str, int], str]) -> str:
    return "\n".join(f"{name}:{number}: {text}" for (name, number), text in sorted(found.items()))


def test_pyright_finds_each_mistake_and_no_other(tmp_path):
    settings = {
        "typeCheckingMode": "strict", "extraPaths": [str(ROOT / "src")],
        "pythonVersion": "3.11", "reportMissingImports": True,
    }
    for path in CHECKED:
        copy(path, tmp_path)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    python = ["--pythonpath", sys.executable]
    answer = json.loads(run(["pyright", *python, "--outputjson", "-p", str(tmp_path)], tmp_path))
    found = {
        (Path(d["file"]).name, d["range"]["start"]["line"] + 1): d["message"]
        for d in answer["generalDiagnostics"] if d["severity"] == "error"
    }
    assert answer["summary"]["filesAnalyzed"] == len(CHECKED)
    assert not MARKED - found.keys()
    assert not lines({place: text for place, text in found.items() if place not in MARKED})


def test_mypy_finds_each_mistake_and_no_other(tmp_path):
    pytest.importorskip("mypy")
    # jaxtyping imports JAX, whose sources take longer than all else, and are not what is asked about.
    (tmp_path / "mypy.ini").write_text("[mypy]\n[mypy-jax.*]\nfollow_imports = skip\n")
    options = ["--strict", "--config-file", str(tmp_path / "mypy.ini"), "--cache-dir", os.devnull, "--no-error-summary"]
    text = run(["mypy", *options, *[path.name for path in CHECKED]], PROGRAMS)
    rows = [re.match(r"(.*?):(\d+): error: (.*)", line) for line in text.splitlines()]
    found = {(row[1], int(row[2])): row[3] for row in rows if row}
    hard = {place for place in MARKED - found.keys() for name, part in TOO_HARD_FOR_MYPY
            if place[0] == name and part in (PROGRAMS / name).read_text().splitlines()[place[1] - 1]}
    assert found and not MARKED - found.keys() - hard
    assert not lines({place: text for place, text in found.items() if place not in MARKED})


@pytest.mark.parametrize(
    ("before", "module"),
    [
        ("import adjoint\nadjoint.", "adjoint"),
        ("import adjoint as jax\njax.experimental.", "adjoint.experimental"),
        ("import adjoint.numpy as jnp\njnp.", "adjoint.numpy"),
        ("from adjoint import lax\nlax.", "adjoint.lax"),
    ],
)
def test_editors_complete_public_names(before, module, modules, editor):
    names = {c.name for c in editor(before).complete()}
    below = [name.removeprefix(f"{module}.") for name in modules if name.startswith(f"{module}.")]
    wanted = {*generate.public_names(modules[module]), *[name for name in below if "." not in name]}
    assert wanted and not wanted - names


@pytest.mark.parametrize("expression", ["x", "x.at[0]", "x.T", "x.sum()", "jnp.tanh(x)", "(x + 1)"])
def test_editors_complete_every_member_of_arrays(expression, editor):
    x = adjoint.numpy.ones(3)
    script = editor(f"import adjoint.numpy as jnp\nx = jnp.ones(3)\n{expression}.")
    wanted = members(x.at[0] if expression == "x.at[0]" else x)
    assert wanted and not wanted - {c.name for c in script.complete()}


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("jax.grad", "Return the gradient of a function"),
        ("jax.Array", "An n-dimensional array"),
        ("jax.lax.scan", "Run `f` over the leading axis"),
        ("jax.random.normal", "Return numbers with the standard normal"),
        ("jnp.tanh", "Return the hyperbolic tangent"),
        ("jnp.add", "Return the sum x + y"),
        ("jnp.linalg.svd", "Return a = U diag(S) Vh"),
        ("x.sum", "Return the sum over axes"),
        ("x.T", "Return the axes in reverse order"),
        ("x.at[0].set", "Return the array after"),
    ],
)
def test_editors_show_docstrings(expression, words, editor):
    before = "import adjoint as jax\nimport adjoint.numpy as jnp\nx = jnp.ones(3)\n"
    (shown,) = editor(before + expression).help(4, len(expression))
    assert shown.docstring(raw=True).startswith(words)


def test_editors_show_docstrings_of_every_public_function(modules, editor):
    missing = []
    for name, module in modules.items():
        completed = {c.name: c for c in editor(f"import {name}\n{name}.").complete()}
        for public in generate.public_names(module):
            value = getattr(module, public)
            if public not in completed:
                missing.append(f"{name}.{public}: not completed")
            elif inspect.isfunction(value) and value.__doc__ and not completed[public].docstring(raw=True):
                missing.append(f"{name}.{public}: no docstring")
    assert not missing
