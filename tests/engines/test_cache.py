"""The folders in which compiled programs are kept."""

from __future__ import annotations

import gc
import os

from adjoint.engines import cache


def test_files_that_vanish_do_not_keep_a_folder_from_shrinking(tmp_path, monkeypatch):
    """Another process may remove a file between its listing and its `stat`; the folder is closed all the same."""
    monkeypatch.setattr(cache, "_MAX_CACHE_BYTES", 25)
    for age, name in enumerate("abcd"):
        (tmp_path / name).write_bytes(bytes(10))
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")
    cache._shrink(tmp_path)
    gc.collect()                        # which would warn of a listing that is open
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "gone"]
