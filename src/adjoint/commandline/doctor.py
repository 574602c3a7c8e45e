"""`adjoint doctor`: what is installed and what the machine has, and a test of a few seconds."""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import numpy as np

from .. import lax, random
from .. import numpy as jnp
from ..compat import installed_jax
from ..core.options.config import local
from ..core.options.variables import wrong
from ..core.process import processors
from ..engines.cache import Store
from ..engines.native.runtime import cpu
from ..parallel.devices import devices
from ..transforms.derivatives.grad import grad
from ..transforms.jit.jit import jit
from ..transforms.vmap import vmap
from ..version import jax_version, own_version
from .programs import fail

__all__ = ["run"]

_PACKAGES = ("numpy", "scipy", "ml_dtypes", "opt_einsum", "llvmlite", "jaxlib", "jax-cuda13-pjrt", "rich", "IPython")

_PACKAGE = __name__.partition(".")[0]
_NEEDS = re.compile(r"([\w.-]+)\s*>=\s*([\d.]+)[^;]*$")


def run(arguments: list[str]) -> int:
    """Print the report; 1 if a test failed, or something is set up wrongly."""
    if arguments:
        fail("doctor takes no arguments")
    _report("adjoint", f"{own_version}, with the interface of JAX {jax_version}")
    _report("Python", f"{platform.python_version()} in {sys.executable}")
    for name in _PACKAGES:
        _report(name, _version(name))
    _report("JAX", installed_jax() or "not installed, and not needed")
    _report("processor", f"{cpu.CPU}; code of {', '.join(cpu.levels()) or platform.machine()}")
    _report("threads", f"{processors.count()} of {os.cpu_count()} processors")
    _report("engine", f"{local.cpu_engine} on the CPU")
    _report("devices", ", ".join(f"{d.platform}:{d.id} {d.device_kind}" for d in devices()))
    problems = [*unmet(), *_cache(), *wrong()]
    for name, test in _TESTS.items():
        begin = time.perf_counter()
        try:
            is_right = test()
            text = "right" if is_right else "WRONG"
        except Exception as error:
            is_right, text = False, f"{type(error).__name__}: {str(error).splitlines()[0]}"
        _report(name, f"{text}, {time.perf_counter() - begin:.2f} s")
        problems += [] if is_right else [f"The test of {name} failed."]
    for problem in problems:
        print(problem)
    print("All is well." if not problems else "See above for what is not as it should be.")
    return bool(problems)


def _report(name: str, text: str) -> None:
    print(f"{name:16} {text}")


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def unmet(package: str = _PACKAGE) -> list[str]:
    """Return a line for each package that is needed, extras left out, and is not there or too old."""
    try:
        needed = metadata.requires(package) or []
    except metadata.PackageNotFoundError:  # a checkout that is on the path
        return []
    lines = []
    for found in filter(None, map(_NEEDS.match, needed)):
        name, oldest = found.groups()
        try:
            installed = metadata.version(name)
        except metadata.PackageNotFoundError:
            installed = None
        if installed is None or _parts(installed) < _parts(oldest):
            state = "is not installed" if installed is None else f"is {installed}, which is too old"
            lines.append(f"{name} {state}.\n  Try: python -m pip install '{name}>={oldest}'")
    return lines


def _parts(version: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", version)[:3]]


def _cache() -> list[str]:
    """Report the cache; what is wrong with it."""
    chosen = Store("native").folder()
    if chosen is None:
        _report("cache", "off")
        return []
    folder = Path(chosen)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        _report("cache", f"{folder}: {error.strerror}")
        return [f"Compiled programs cannot be kept in {folder}.\n  Try: ADJOINT_CACHE_DIR={_writable()}"]
    _report("cache", str(folder))
    return []


def _writable() -> Path:
    """Return a folder that does not exist, where this process may make one."""
    home = Path.home()
    return home / "programs" if os.access(home, os.W_OK) else Path(tempfile.gettempdir()) / "adjoint-programs"


# ---- tests ---------------------------------------------------------------------------------------


def _derivative() -> bool:
    x = np.linspace(0.1, 2, 50, dtype=np.float32)
    found = jit(grad(lambda x: jnp.sum(jnp.sin(x) * jnp.log(x))))(x)
    return bool(np.allclose(found, np.cos(x) * np.log(x) + np.sin(x) / x, rtol=1e-4))


def _loop() -> bool:
    total, _ = jit(lambda n: lax.scan(lambda c, i: (c + i * i, None), 0, jnp.arange(n.shape[0])))(np.zeros(1000))
    return int(total) == sum(i * i for i in range(1000))


def _product() -> bool:
    a = np.arange(300 * 200, dtype=np.float32).reshape(300, 200) / 3e4
    return bool(np.allclose(jit(jnp.matmul)(a, a.T), a @ a.T, rtol=1e-4))


def _numbers() -> bool:
    found = vmap(lambda key: random.normal(key, (2,)))(random.split(random.key(0), 3))
    return bool(np.allclose(found[0], random.normal(random.split(random.key(0), 3)[0], (2,))))


_TESTS: dict[str, Callable[[], bool]] = {
    "derivatives": _derivative, "loops": _loop, "products": _product, "random numbers": _numbers,
}
