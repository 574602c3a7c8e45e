"""Programs that say `import jax` run unchanged and print what they print under real JAX."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest
from tests.modes import promoting

PROGRAM = """
    import sys
    import jax
    import jax.numpy as jnp
    import jax.example_libraries.optimizers as same_optimizers
    from jax import Array, grad, jit, lax, random, vmap
    from jax.example_libraries import optimizers
    from jax.flatten_util import ravel_pytree
    from jax.numpy import sin
    from jax.tree_util import tree_map

    print(sys.argv[1:], __name__)
    steps = int(sys.argv[1])
    key = random.key(0)
    init, update, get_params = optimizers.momentum(0.1, 0.9)

    def loss(params, x):
        return jnp.mean((sin(x) * params["w"] + params["b"] - x) ** 2)

    @jit
    def step(i, state, x):
        return update(i, grad(loss)(get_params(state), x), state)

    x = random.normal(key, (8,))
    state = init({"w": jnp.float32(1.0), "b": jnp.float32(0.0)})
    for i in range(steps):
        state = step(i, state, x)
    print(tree_map(lambda p: round(float(p), 3), get_params(state)))
    print(vmap(lambda a: lax.cumsum(a))(jnp.arange(6).reshape(2, 3)))
    print(jax.make_jaxpr(lambda a: jnp.sin(a) * 2)(1.0))
    print(isinstance(x, Array), ravel_pytree({"a": 1.0, "b": jnp.ones(2)})[0])
    print(optimizers is same_optimizers, sys.modules["jax.numpy"] is jnp, jax.numpy is jnp)
    print(jax.tree.map(lambda a: a + 1, {"a": [1, 2]}), jax.devices()[0].platform)
    print(jax.__version__, jax.__version_info__ == jax.version.__version_info__, __file__)
"""


def run(*arguments, cwd):
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}     # they import much
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, text=True, capture_output=True, timeout=300
    )


def output(*arguments, cwd):
    done = run(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path):
    """Writes programs and returns the folder that they are in."""

    def write(**programs):
        for name, text in programs.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        return tmp_path

    return write


def test_options_behind_a_module_are_the_modules(folder):
    cwd = folder(test_it="import jax\n\ndef test_name():\n    assert jax.numpy.ones(2).sum() == 2\n")
    assert "1 passed" in output("-m", "adjoint", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py", cwd=cwd)


def test_a_text_and_standard_input_are_programs(folder):
    cwd = folder()
    text = "import sys, jax; two = 2; print(sys.argv, __name__, (lambda: jax.numpy.ones(two))().sum())"
    assert output("-m", "adjoint", "-c", text, "-m", "--x", cwd=cwd) == "['-c', '-m', '--x'] __main__ 2.0\n"
    given = subprocess.run([sys.executable, "-m", "adjoint", "-", "a"], input=text, text=True, capture_output=True)
    assert given.stdout == "['-', 'a'] __main__ 2.0\n", given.stderr


@promoting
def test_a_script_and_a_module_print_the_same_lines(folder):
    cwd = folder(train=PROGRAM)
    expected = output("train.py", "5", "--verbose", "-m", cwd=cwd)
    assert "True True True" in expected
    assert expected == output("-m", "adjoint", "train.py", "5", "--verbose", "-m", cwd=cwd)
    assert expected == output("-m", "adjoint", "-m", "train", "5", "--verbose", "-m", cwd=cwd)


def test_the_folder_of_a_script_is_searched_for_its_modules(folder):
    cwd = folder(model="import jax\nname = jax.__name__", main="import model; print(model.name)")
    assert "adjoint\n" == output("-m", "adjoint", str(cwd / "main.py"), cwd="/")


def test_a_module_beside_the_caller_is_not_that_of_a_script_elsewhere(folder):
    cwd = folder(colorsys="raise SystemExit(1)")
    (cwd / "inside").mkdir()
    (cwd / "inside" / "main.py").write_text("import colorsys, sys; print(sys.path[0][-6:])")
    assert output("inside/main.py", cwd=cwd) == output("-m", "adjoint", "inside/main.py", cwd=cwd) == "inside\n"


def test_the_exit_status_is_that_of_the_program(folder):
    assert 3 == run("-m", "adjoint", "main.py", cwd=folder(main="raise SystemExit(3)")).returncode


def test_the_traceback_names_the_script(folder):
    cwd = folder(main="import jax\njax.numpy.ones(2) + jax.numpy.ones(3)")
    done = run("-m", "adjoint", "main.py", cwd=cwd)
    assert 1 == done.returncode
    assert "main.py" in done.stderr and "incompatible shapes" in done.stderr


@pytest.mark.parametrize(
    "statement", ["import jax.nowhere", "from jax.nowhere import thing", "import jax.numpy.nowhere"]
)
def test_a_missing_module_is_named(folder, statement):
    done = run("-m", "adjoint", "main.py", cwd=folder(main=statement))
    assert "ModuleNotFoundError: No module named 'jax." in done.stderr
    assert "adjoint runs this program as jax" in done.stderr


def test_a_missing_name_is_an_import_error(folder):
    done = run("-m", "adjoint", "main.py", cwd=folder(main="from jax import nothing"))
    assert "ImportError: cannot import name 'nothing'" in done.stderr


@pytest.mark.parametrize(
    "arguments, text",
    [
        (("nowhere.py",), "no file 'nowhere.py'"), (("-m",), "-m needs a module"), (("-x",), "unknown option '-x'"),
        (("cache", "sell"), "write one of info, ls, clear, verify"), (("doctor", "now"), "no arguments"),
    ],
)
def test_mistakes_on_the_command_line(folder, arguments, text):
    done = run("-m", "adjoint", *arguments, cwd=folder())
    assert 2 == done.returncode
    assert text in done.stderr


def test_install_and_uninstall(folder):
    program = """
        import sys
        import adjoint, adjoint.numpy
        from adjoint.compat import install, uninstall
        install()
        install()
        import jax
        import jax.numpy as jnp
        import jax.lax
        import jax.example_libraries.optimizers
        from jax import numpy as again
        assert jax.jit is adjoint.jit and jnp is jax.numpy is again and jnp.sin is adjoint.numpy.sin
        assert sys.modules["jax.numpy"] is jnp and sys.modules["jax.lax"] is jax.lax
        assert jnp.__name__ == "jax.numpy" and jnp.__spec__.name == "adjoint.numpy"
        assert jax.example_libraries.optimizers.adam is adjoint.example_libraries.optimizers.adam
        assert jax.__version_info__ >= (0, 10)
        uninstall()
        uninstall()
        assert adjoint.__version_info__ == adjoint.version.__version_info__ < (0, 10)
        assert adjoint.numpy.__name__ == "adjoint.numpy"
        assert not [n for n in sys.modules if n.partition(".")[0] == "jax"]
        import jax
        assert jax is not adjoint and jax.__version__ == "0.10.2"
        try:
            install()
        except RuntimeError as error:
            print(error)
    """
    assert "Real jax is imported already" in output("main.py", cwd=folder(main=program))


REPLACING = """
    import inspect, jax, jax.numpy as jnp, numpy as np
    from unittest import mock

    def calls(function, *arguments):
        called, patches = [], []
        for module in (jnp, jax.lax, jax.nn, jnp.linalg, jax.scipy.special, jax.scipy.linalg):
            for name in dir(module):
                inner = getattr(module, name)
                if name[0] != "_" and callable(inner) and not inspect.isclass(inner) and inner is not function:
                    def replaced(*a, inner=inner, name=name, **k):
                        called.append(name)
                        return inner(*a, **k)
                    patches.append(mock.patch.object(module, name, replaced))
        for patch in patches:
            patch.start()
        jax.make_jaxpr(function)(*arguments)
        for patch in patches:
            patch.stop()
        return called

    x = np.eye(3, dtype=np.float32)
    for function in (jax.nn.softmax, jax.nn.elu, jax.scipy.special.entr, jnp.var, jnp.median, jnp.linalg.cond,
                     jnp.linalg.pinv, jax.scipy.linalg.sqrtm, jax.scipy.stats.norm.logcdf, jnp.cov):
        assert not calls(function, x), (function, calls(function, x))
    assert "sin" in calls(lambda x: jnp.sin(x), x)
    print(f"{jax.nn.softmax(x[0])[0]:.3f}", jnp.ones(1).__array_namespace__() is jnp)
"""


def test_what_a_program_replaces_is_replaced_for_itself(folder):
    cwd = folder(main=REPLACING)
    assert output("-m", "adjoint", "main.py", cwd=cwd) == "0.576 True\n"
    assert output("main.py", cwd=cwd) == output("-m", "adjoint", "main.py", cwd=cwd)


def test_pickles_name_the_package(folder):
    program = """
        from adjoint.compat import install
        install()
        import pickle, jax, jax.numpy as jnp
        text = pickle.dumps(jnp.arange(3))
        print(b"adjoint" in text, pickle.loads(text))
    """
    assert "True [0 1 2]\n" == output("main.py", cwd=folder(main=program))
