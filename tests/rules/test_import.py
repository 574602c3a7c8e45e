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


@pytest.mark.parametrize("module", ["llvmlite", "jaxlib", "jax", "scipy", "opt_einsum"])
def test_import_leaves_heavy_modules_alone(module):
    """Compilers and large libraries are imported by the first call that needs them."""
    assert not fresh(IMPORT, f"{module!r} in sys.modules")


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


@pytest.mark.parametrize("package", ["numpy", "lax", "nn"])
def test_import_of_everything_finds_what_jax_has(package):
    theirs, ours = {}, {}
    exec(f"from jax.{package} import *", theirs)
    exec(f"from adjoint.{package} import *", ours)
    assert not theirs.keys() - ours.keys()
