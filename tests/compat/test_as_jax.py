"""Programs that say `import jax` have adjoint from the first line on: in scripts, children, pools and tests."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from tests.modes import compiling

SRC = Path(__file__).parents[2] / "src"
SITE = f"import site; site.addsitedir({str(SRC)!r}); "     # as an installed package is found


def run(*arguments, cwd, **variables):
    variables = {"PYTHONPATH": str(SRC), "JAX_PLATFORMS": "cpu", **variables}
    environment = {k: v for k, v in os.environ.items() if k not in ("ADJOINT_AS_JAX", "PYTEST_PLUGINS")}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment | variables, text=True, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done


def program(folder, text):
    (folder / "main.py").write_text(textwrap.dedent(text))
    return "main.py"


def test_the_variable_makes_jax_adjoint_and_imports_nothing_before(tmp_path):
    text = SITE + textwrap.dedent("""
        import sys
        before = "adjoint" in sys.modules
        import importlib.metadata, jax
        print(before, jax.__name__, importlib.metadata.version("jaxlib"), jax.numpy.ones(2))
    """)
    assert run("-c", text, cwd=tmp_path, ADJOINT_AS_JAX="1").stdout == "False adjoint 0.10.2 [1. 1.]\n"
    assert run("-c", text, cwd=tmp_path, ADJOINT_AS_JAX="0").stdout == "False jax 0.10.2 [1. 1.]\n"


def test_an_installed_jax_is_spoken_of_once(tmp_path):
    child = SITE + "import jax; print(jax.__name__)"
    text = f"import jax, subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    done = run("-m", "adjoint", "-c", text, cwd=tmp_path)
    assert done.stdout == "adjoint\n"
    assert done.stderr.count("runs this program as jax 0.10.2; the JAX in ") == 1
    assert "is not used" not in run("-m", "adjoint", "-c", text, cwd=tmp_path, ADJOINT_AS_JAX="quiet").stderr


def test_a_first_line_makes_jax_adjoint(tmp_path):
    done = run("-c", "import adjoint.as_jax\nimport jax.numpy as jnp\nprint(jnp.__name__)", cwd=tmp_path)
    assert done.stdout == "jax.numpy\n"


def test_options_that_the_program_sets_before_the_import_hold(tmp_path):
    name = program(tmp_path, """
        import os
        os.environ["JAX_ENABLE_X64"] = "1"
        import jax
        print(jax.numpy.ones(1).dtype)
        jax.config.update("jax_enable_x64", False)
    """)
    assert run("-m", "adjoint", name, cwd=tmp_path).stdout == "float64\n"


def test_packages_are_described(tmp_path):
    done = run("-m", "adjoint", "-c", textwrap.dedent("""
        from importlib import metadata
        for name in ("jax", "jaxlib", "JAX"):
            found = metadata.distribution(name)
            print(found.version, found.metadata["Summary"], metadata.requires(name))
        print("adjoint" in metadata.packages_distributions().get("adjoint", []), metadata.version("numpy") > "1")
        print([d.version for d in metadata.distributions(name="jax", path=[])])
    """), cwd=tmp_path)
    expected = "0.10.2 adjoint 0.1.0, which stands in for {} None\n"
    assert done.stdout.startswith(expected.format("jax") + expected.format("jaxlib") + expected.format("jax"))
    assert done.stdout.endswith("True\n[]\n")


TESTS = """
    import jax
    import pytest

    @pytest.mark.parametrize("n", [1, 2, 3])
    def test_sum(n):
        assert jax.__name__ == "adjoint"
        assert jax.jit(lambda x: x.sum() * n)(jax.numpy.ones(2)) == 2 * n
"""


@compiling
@pytest.mark.parametrize("arguments", [
    ("-m", "adjoint", "-m", "pytest"), ("-m", "pytest", "-p", "adjoint.pytest"),
    ("-c", SITE + "import sys, pytest; sys.exit(pytest.main(sys.argv[1:]))"),
])
@pytest.mark.parametrize("workers", ["no:xdist", "xdist"])
def test_tests_run_as_jax_and_say_what_was_compiled(tmp_path, arguments, workers):
    (tmp_path / "test_it.py").write_text(textwrap.dedent(TESTS))
    last = ("-q", "-p", "no:cacheprovider", "-p", workers, "test_it.py")
    distributed = ("-n", "2") if workers == "xdist" else ()
    # Without the plugins of other packages, which take longer to import than the tests to run.
    variables = {"ADJOINT_AS_JAX": "1" if arguments[0] == "-c" else "0", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = run(*arguments, *last, *distributed, cwd=tmp_path, **variables)
    assert "3 passed" in done.stdout
    line = done.stdout.splitlines()[-2]
    assert line.startswith("adjoint: 3 programs compiled in ") and line.endswith(" s"), done.stdout


def test_processes_of_a_pool_run_as_jax(tmp_path):
    name = program(tmp_path, f"""
        import multiprocessing, site
        site.addsitedir({str(SRC)!r})
        import jax
        def named(n):
            return jax.__name__, float(jax.numpy.sum(jax.numpy.ones(n)))
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(named, [1, 2]))
    """)
    assert run("-m", "adjoint", name, cwd=tmp_path).stdout == "[('adjoint', 1.0), ('adjoint', 2.0)]\n"
