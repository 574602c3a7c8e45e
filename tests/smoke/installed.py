"""What must work where adjoint was just installed, with nothing of its repository: `make package` runs this file.

It needs no test framework and no JAX. The first argument says what is installed beside adjoint: `xla` or nothing.
"""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.scipy import special


def programs() -> None:
    """Programs of every engine that is there, compiled, differentiated and mapped."""
    x = jnp.linspace(-1, 1, 12).reshape(4, 3)

    def loss(w, x):
        turned = lax.fori_loop(0, 3, lambda i, c: jnp.tanh(c @ w) + jnp.sort(c), x)
        return jnp.sum(special.erf(turned) ** 2) + jnp.linalg.norm(jnp.linalg.solve(w + 3 * jnp.eye(3), x.T))

    w = jnp.arange(9.0).reshape(3, 3) / 9
    found = {}
    for engine in ("native", "numpy", *sys.argv[1:]):
        ax.config.update("cpu_engine", engine)
        jitted = ax.jit(ax.value_and_grad(lambda w, x: loss(w, x)))
        for _ in range(2):
            found[engine] = [np.asarray(v) for v in jitted(w, x)]
    for engine, values in found.items():
        for a, b in zip(values, found["numpy"], strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-4, err_msg=engine)
    ax.config.update("cpu_engine", "native")
    rows = ax.jit(ax.vmap(lambda v: jnp.cumsum(v) * v.max()))(x)
    np.testing.assert_allclose(rows, np.cumsum(x, 1) * np.asarray(x).max(1, keepdims=True), rtol=1e-5)
    halves = ax.jit(lambda v: (v * 3).astype("bfloat16").astype("float16"))(x)
    assert halves.dtype == np.float16 and ax.random.normal(ax.random.key(0), (3,)).shape == (3,)


def commands() -> None:
    """What is started from a shell."""
    text = "import jax, jax.numpy as jnp; print(jax.jit(jax.grad(lambda x: x**3))(2.0), jax.__name__)"
    script = Path(sys.executable).with_name("adjoint")
    starts = [[sys.executable, "-m", "adjoint", "-c", text]]
    if installed():  # a console script, and a line that each Python of the environment reads
        starts += [[str(script), "-c", text], [sys.executable, "-c", text]]
    for command in starts:
        done = subprocess.run(command, env={**os.environ, "ADJOINT_AS_JAX": "1"}, capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout.split()[0] == "12.0", (command, done.stdout, done.stderr)


def installed() -> bool:
    """Whether this is a package of files, and not a working tree."""
    return Path(ax.__file__).parent.parent.name in ("site-packages", "dist-packages")


def files() -> None:
    """What lies beside the code."""
    assert (Path(ax.__file__).parent / "py.typed").exists()
    if installed():
        assert importlib.metadata.version("adjoint") == ax.__version__


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        files()
        programs()
        commands()
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "scipy", "ml_dtypes", "llvmlite")]
    print(f"adjoint {ax.__version__} on Python {sys.version.split()[0]} with {', '.join(versions)}: works")
