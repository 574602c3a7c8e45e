"""What `import adjoint` costs: no compiler, no SciPy, no thread, and little memory.

Each test asks a fresh interpreter. Seconds are measured in `bench/`, not here.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

IMPORT = "import adjoint, adjoint.numpy"
MOST_MEMORY = 60 * 2**20


def fresh(code, expression):
    """The value of an expression, by way of JSON, in a new interpreter that has run `code`."""
    program = f"import sys\n{code}\nimport json\nprint(json.dumps({expression}))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def imported():
    """All that an import of the package has imported."""
    return fresh(IMPORT, "sorted(sys.modules)")


@pytest.mark.parametrize("module", ["llvmlite", "jaxlib", "jax", "scipy", "opt_einsum"])
def test_import_leaves_heavy_modules_alone(module, imported):
    """Compilers and large libraries are imported by the first call that needs them."""
    assert "adjoint.numpy" in imported and module not in imported


@pytest.mark.parametrize("name", ["linalg.cholesky", "fft.fft"])
def test_the_first_program_with_a_rare_primitive_imports_its_rule(name):
    """Other programs do not, and it is compiled as if the rule had always been there."""
    rare = "'adjoint.engines.native.routines.fft' in sys.modules"
    start = f"{IMPORT}\nadjoint.config.update('cpu_engine', 'native')\nx = adjoint.numpy.eye(3)"
    assert not fresh(f"{start}\nadjoint.jit(lambda x: adjoint.numpy.sin(x) @ x)(x)", rare)
    code = f"{start}\ntext = adjoint.jit(adjoint.numpy.{name}).lower(x).compile().as_text()"
    assert fresh(code, f"{rare} and 'NumPy' not in text")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_import_starts_no_thread():
    """After the import there are no more threads than NumPy's own."""
    count = "len(__import__('os').listdir('/proc/self/task'))"
    assert fresh("import numpy", count) == fresh(IMPORT, count)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_import_takes_little_memory():
    """The whole process, interpreter and NumPy included, stays below 60 MB."""
    peak = "[int(s.split()[1]) for s in open('/proc/self/status') if 'VmHWM' in s][0] * 1024"
    assert fresh(IMPORT, peak) < MOST_MEMORY


def test_a_name_imports_the_module_that_lists_it():
    """And no other one that comes before it in the package."""
    others = ("adjoint.lax.linear.products", "adjoint.lax.sorting", "adjoint.nn.scaled")
    assert not fresh("from adjoint import lax, nn\nlax.scan, nn.relu", f"[m for m in {others} if m in sys.modules]")


PACKAGES = ["numpy", "lax", "nn"]


@pytest.fixture(scope="module")
def everything():
    """What an import of everything finds in the packages of JAX and of adjoint, by name."""
    each = lambda library: "\n".join([
        f"{name} = {{}}; exec('from {library}.{name} import *', {name})" for name in PACKAGES])
    names = f"{{name: [n for n in globals()[name] if n[:1] != '_'] for name in {PACKAGES}}}"
    return [fresh(each(library), names) for library in ("jax", "adjoint")]


@pytest.mark.parametrize("package", PACKAGES)
def test_import_of_everything_finds_what_jax_has(package, everything):
    theirs, ours = [set(found[package]) for found in everything]
    assert theirs and not theirs - ours


WITHOUT_POSIX = """
import os, sys, sysconfig
import numpy, scipy.linalg, llvmlite.binding, importlib, pkgutil, subprocess, tempfile  # which have their own
absent = "fcntl resource pwd grp termios tty pty syslog posix".split()
for name in absent:
    sys.modules[name] = None
names = "fork forkpty register_at_fork sched_getaffinity sched_setaffinity getuid geteuid getgid getegid"
for name in (names + " getloadavg kill killpg fchmod fchown chown setsid mkfifo pread pwrite sysconf").split():
    if hasattr(os, name):
        delattr(os, name)
"""


def test_nothing_but_what_every_system_has_is_needed(monkeypatch):
    """Every module is imported, and a program compiled, without the modules and functions that only POSIX has."""
    monkeypatch.setenv("ADJOINT_CACHE_DIR", "off")      # whose folders are looked at by such functions here
    code = WITHOUT_POSIX + """
import adjoint, adjoint.numpy as jnp
left_out = ("adjoint.__main__", "adjoint.as_jax", "adjoint.pytest", "adjoint.engines.xla", "adjoint.experimental")
for module in pkgutil.walk_packages(adjoint.__path__, "adjoint."):
    if not module.name.startswith(left_out):
        importlib.import_module(module.name)
adjoint.config.update("cpu_engine", "native")
"""
    loop = "adjoint.lax.fori_loop(0, 3, lambda i, c: c * 2, jnp.ones(3))"
    assert fresh(code, f"adjoint.jit(lambda x: x.sum() + {loop}.sum())(jnp.arange(4.)).tolist()") == 30


@pytest.mark.parametrize("before, on, frozen", [
    ("", True, False), ("gc.disable()", False, False), ("gc.freeze()", True, True),
])
def test_import_leaves_the_garbage_collector_as_it_was(before, on, frozen):
    """It does not run meanwhile; what the program has frozen stays frozen, and nothing else is."""
    asked = "[gc.isenabled(), gc.get_freeze_count() > 0, gc.get_threshold()[0]]"
    state = fresh(f"import gc\n{before}\n{IMPORT}", asked)
    assert state == [on, frozen, fresh("import gc", "gc.get_threshold()[0]")]


def test_an_import_that_fails_leaves_the_garbage_collector_on():
    wrong = "import gc, os\nos.environ['JAX_ENABLE_X64'] = 'perhaps'"
    code = f"{wrong}\ntry:\n    import adjoint\nexcept ValueError:\n    pass"
    state = fresh(code, "[gc.isenabled(), len(sys.modules)]")
    assert state[0] and state[1] < fresh(IMPORT, "len(sys.modules)")
