"""The packages `jax` and `jaxlib` as `importlib.metadata` describes them, where this package stands in for them.

Libraries read versions there, and compare them with those that they need.

Tests: `tests/compat/test_as_jax.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.metadata import Distribution, DistributionFinder
from pathlib import Path
from typing import Any

from ..version import jax_version, own_version

__all__ = ["distributions"]

_FILES = {
    "METADATA": """Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: adjoint {own}, which stands in for {name}
""",
    "INSTALLER": "adjoint\n",
    "top_level.txt": "{name}\n",
}


class _Presented(Distribution):
    """A package that is presented, with a version and no files."""

    def __init__(self, name: str):
        self._name = name

    def read_text(self, filename):
        text = _FILES.get(filename)
        return None if text is None else text.format(name=self._name, version=jax_version, own=own_version)

    def locate_file(self, path):
        return Path(__file__).parents[2] / os.fspath(path)


def distributions(context: Any = None) -> Iterator[Distribution]:
    """The packages that a search is for; none if it looks through folders of its own."""
    context = DistributionFinder.Context() if context is None else context
    if "path" in vars(context):
        return
    for name in ("jax", "jaxlib"):
        if context.name is None or context.name.lower() == name:
            yield _Presented(name)
