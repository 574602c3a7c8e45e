"""What an installation is: metadata, size, what it brings and under which licences, and what an import loads."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import adjoint

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
RECIPE = (ROOT / "packaging" / "meta.yaml").read_text(encoding="utf8")
MOST_BYTES = 8 << 20
MOST_MODULES = 175  # of the package, when `adjoint.numpy` is imported


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=;]", requirement)[0].strip()


def test_the_version_is_said_once():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf8")
    assert PROJECT["version"] == adjoint.version.own_version
    assert f'version: "{PROJECT["version"]}"' in RECIPE and "## Unreleased" in text


def test_the_recipe_requires_what_the_project_does():
    run = re.search(r"  run:\n(.*?)\n\n", RECIPE, re.DOTALL)
    assert run is not None
    needed = {line.strip("- ").replace(" ", "") for line in run[1].splitlines()}
    assert needed == {f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]}
    assert all(f"{name} = {place}" in RECIPE for name, place in PROJECT["scripts"].items())
    assert PROJECT["description"] in RECIPE and f"license: {PROJECT['license']}" in RECIPE


def test_each_requirement_has_its_licence_listed():
    text = (ROOT / "packaging" / "README.md").read_text(encoding="utf8")
    listed = "\n".join(line.split("|")[1] for line in text.splitlines() if line.startswith("|"))
    extras = PROJECT["optional-dependencies"]
    needed = {name_of(line) for line in (*PROJECT["dependencies"], *extras["xla"], *extras["cuda13"])}
    assert not {name for name in needed if name not in listed}


def test_the_package_is_small():
    """Sources and types, without bytecode."""
    files = (path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


def test_an_import_loads_few_modules():
    program = "import sys, json, adjoint, adjoint.numpy; print(json.dumps([n for n in sys.modules if 'adjoint' in n]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert len(json.loads(done.stdout)) < MOST_MODULES


@pytest.mark.parametrize("extra", ["xla", "cuda13", "demo", "test", "docs", "jax-libraries"])
def test_extras_are_there(extra):
    assert PROJECT["optional-dependencies"][extra]
    assert (ROOT / "src" / "adjoint" / "py.typed").exists() and "Typing :: Typed" in PROJECT["classifiers"]


def test_the_page_about_installing_names_every_extra():
    page = (ROOT / "docs/start/install.md").read_text(encoding="utf8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]["optional-dependencies"]
    assert not [extra for extra in extras if f"'.[{extra}]'" not in page]
