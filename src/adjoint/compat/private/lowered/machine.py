"""The machine and its files: names of `jax._src.path`, `hardware_utils`, `cloud_tpu_init` and `pickle_util`.

Tests: `tests/compat/test_lowered.py`.
"""

from __future__ import annotations

import pathlib
import shutil
from typing import Any

__all__ = [
    "dumps", "epath_installed", "get_shm_size_in_mb", "get_tpu_library_path", "has_visible_nvidia_gpu",
    "is_cloud_tpu_older_than", "jax_force_tpu_init", "loads", "make_jax_dump_dir", "running_in_cloud_tpu_vm",
    "transparent_hugepages_enabled",
]

epath_installed = False  # paths are those of `pathlib`
running_in_cloud_tpu_vm = False

_SHARED_MEMORY = "/dev/shm"
_HUGE_PAGES = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
_BYTES_PER_MB = 1 << 20


def make_jax_dump_dir(out_dir_path: str) -> pathlib.Path | None:
    """Return a folder for what is dumped, which is made; None for the empty path."""
    if not out_dir_path:
        return None
    folder = pathlib.Path(out_dir_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def get_shm_size_in_mb() -> float:
    """Return the size of shared memory in MB."""
    return shutil.disk_usage(_SHARED_MEMORY).total / _BYTES_PER_MB


def transparent_hugepages_enabled() -> bool:
    """Return whether Linux gives large pages of memory to every process."""
    return _HUGE_PAGES.exists() and "[always]" in _HUGE_PAGES.read_text()


def has_visible_nvidia_gpu() -> bool:
    """Return whether a device file of an NVIDIA card is there."""
    return any(pathlib.Path("/dev").glob("nvidia[0-9]*"))


def get_tpu_library_path() -> str | None:
    """Return None: adjoint has no library of TPUs."""
    return None


def jax_force_tpu_init() -> bool:
    """Return False: TPUs are not initialized."""
    return False


def is_cloud_tpu_older_than(year: int, month: int, day: int, backend: Any) -> bool:
    """Return whether the devices of a backend are TPUs whose library is older than a day: they are none."""
    return False


def dumps(obj: Any) -> bytes:
    """Return an object, which may be a function made in place, as bytes; cloudpickle must be installed."""
    import cloudpickle

    return cloudpickle.dumps(obj)


def loads(data: bytes) -> Any:
    """Return the object of bytes that `dumps` made; they run code, so they must be one's own."""
    import cloudpickle

    return cloudpickle.loads(data)
