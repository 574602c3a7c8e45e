"""Warnings within a block: `jax._src.test_warning_util`."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator

__all__ = ["ignore_warning", "install_threadsafe_warning_handlers", "raise_on_warnings", "record_warnings"]


@contextlib.contextmanager
def raise_on_warnings() -> Iterator[None]:
    """Let each warning of the block be raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@contextlib.contextmanager
def record_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Return the list to which each warning of the block is added."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        yield found


@contextlib.contextmanager
def ignore_warning(*, message: str | None = None, category: type[Warning] = Warning) -> Iterator[None]:
    """Leave out the warnings of the block that a pattern matches from their beginning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=message or "", category=category)
        yield


def install_threadsafe_warning_handlers() -> None:
    """Have warnings told apart by threads: tests run one after the other, and Python's handlers do."""
