"""Programs of libraries print on adjoint what they print on JAX; suites of libraries are run and compared as they are.

A program runs where its libraries are installed: `bench/libraries.py` runs all of them.
"""

from __future__ import annotations

import ast
import sys
from argparse import Namespace
from importlib.util import find_spec

import pytest

import libraries
import suites

NAMES = sorted(path.stem for path in libraries.PROGRAMS.glob("*.py"))


def imported(name: str) -> set[str]:
    """Return the packages that a program imports."""
    tree = ast.parse((libraries.PROGRAMS / f"{name}.py").read_text())
    plain = [a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names]
    parts = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {module.partition(".")[0] for module in (*plain, *parts)}


@pytest.mark.parametrize("name", NAMES)
def test_a_program_prints_what_it_prints_on_jax(name):
    missing = [package for package in imported(name) if find_spec(package) is None]
    assert ast.get_docstring(ast.parse((libraries.PROGRAMS / f"{name}.py").read_text()))
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    found, _, _ = libraries.compare(sys.executable, name)
    assert not found


def test_printed_numbers_are_compared_and_words_too():
    theirs = "loss 1.5\nweights [1. 2.\n 3.]\n"
    assert [] == libraries.differences("loss 1.5001\nweights [1.  2. 3.001]", theirs)
    assert ["adjoint: loss 1.6\nJAX:     loss 1.5"] == libraries.differences(theirs.replace("1.5", "1.6"), theirs)
    assert 1 == len(libraries.differences(theirs.replace("loss", "Loss"), theirs))
    assert ["1 entries on adjoint, 2 on JAX"] == libraries.differences("loss 1.5", theirs)
    assert 1 == len(libraries.differences(theirs.replace("2.", "nan"), theirs))


def test_a_suite_says_what_came_of_its_tests(tmp_path):
    """One passes, one fails, one is skipped; a file that cannot be read is a failure of its own."""
    file = tmp_path / "some_test.py"
    file.write_text(
        "import jax, pytest\ndef test_good(): assert jax.numpy.ones(2).sum() == 2\ndef test_bad(): assert 1 == 2\n"
        "@pytest.mark.skip\ndef test_left_out(): pass\n"
    )
    (tmp_path / "broken_test.py").write_text("import nothing_like_it\n")
    options, suite = Namespace(python=sys.executable, limit=300), suites.Suite.read(f"some={tmp_path}:1", every=9)
    assert (suite.library, suite.folder, suite.every) == ("some", str(tmp_path), 1)
    assert suites.Suite("some", None, 9) == suites.Suite.read("some", every=9)
    files = [str(path) for path in tmp_path.glob("*.py")]
    done = suites.run(options, suite, [str(tmp_path)], on_adjoint=True)
    assert 0 < done.importing < done.seconds
    outcomes = {name.rpartition("/")[2]: outcome for name, (outcome, _) in done.tests.items()}
    assert outcomes == {
        "some_test.py::test_good": "passed", "some_test.py::test_bad": "failed",
        "some_test.py::test_left_out": "skipped", "broken_test.py": "failed",
    }
    chosen = [name for name in done.tests if name.endswith("test_good")]
    assert chosen == [*suites.run(options, suite, files[:1] if "some" in files[0] else files[1:], True, chosen).tests]
