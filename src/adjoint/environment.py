"""A description of the machine for a report of a bug: versions, devices and the platform."""

from __future__ import annotations

import platform
import sys

import numpy as np

from .parallel.devices import devices, local_device_count, process_count
from .version import own_version

__all__ = ["print_environment_info"]


def print_environment_info(return_string: bool = False) -> str | None:
    """Print what a report of a bug should say of versions, devices and the platform.

    With `return_string` return the text instead.

    Args:
      return_string: return the text, and print nothing.
    Returns:
      The text with `return_string`, else None.

    >>> print_environment_info(return_string=True).splitlines()[0]
    'adjoint: 0.1.0'
    """
    kinds = " ".join(sorted({f"{d.device_kind}-{len(devices(d.platform))}" for d in devices()}))
    info = "\n".join([
        f"adjoint: {own_version}",
        f"numpy:  {np.__version__}",
        f"python: {sys.version}",
        f"device info: {kinds}, {local_device_count()} local devices",
        f"process_count: {process_count()}",
        f"platform: {platform.uname()}",
    ])
    if return_string:
        return info
    print(info)
    return None
