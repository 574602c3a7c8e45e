"""The folders in which compiled programs are kept: who may use them, and what becomes of files that are not whole."""

from __future__ import annotations

import gc
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adjoint.engines import cache
from adjoint.engines.cache import Store

KEY, OTHER = cache.key("a"), cache.key("b")


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("ADJOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_refused", set())
    return Store("test")


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


# ---- folders -------------------------------------------------------------------------------------


@pytest.mark.parametrize("umask", [0, 0o022, 0o777])
def test_folders_are_made_for_their_owner_alone(store, tmp_path, umask):
    before = os.umask(umask)
    try:
        store.store(KEY, b"code")
    finally:
        os.umask(before)
    assert store.load(KEY) == b"code"
    for path in (tmp_path / "cache", tmp_path / "cache" / "test"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o1777])
def test_a_folder_to_which_others_may_write_is_not_used(store, mode):
    store.store(KEY, b"code")
    os.chmod(store.folder(), mode)
    with pytest.warns(UserWarning, match=f"Its mode is {mode:o}: others may write to it") as warned:
        assert store.load(KEY) is None and not store.has(KEY)
        assert store.find(OTHER, lambda: b"made anew") == b"made anew"
        store.store(OTHER, b"code")
    assert len(warned) == 1 and os.listdir(store.folder()) == [KEY]


def test_a_folder_or_a_file_of_somebody_else_is_not_used(store, monkeypatch):
    store.store(KEY, b"code")
    (Path(store.folder()) / KEY).chmod(0o622)
    assert store.load(KEY) is None
    (Path(store.folder()) / KEY).chmod(0o600)
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    with pytest.warns(UserWarning, match=f"It belongs to the user {own}, and this process to {own + 1}") as warned:
        assert store.load(KEY) is None
        store.store(OTHER, b"code")
    assert len(warned) == 1
    monkeypatch.setattr(os, "geteuid", lambda: own)
    assert store.load(KEY) == b"code" and store.load(OTHER) is None


def test_without_a_home_or_where_nothing_can_be_written_programs_are_made_each_time(store, tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("no folder")
    with pytest.warns(UserWarning, match="programs cannot be kept in .*\\n *Not a directory: .*cache/test") as warned:
        assert store.find(KEY, lambda: b"made") == b"made" and store.load(KEY) is None and not store.has(KEY)
        assert store.find(OTHER, lambda: b"made") == b"made"
    assert len(warned) == 1
    monkeypatch.setenv("ADJOINT_CACHE_DIR", "/proc/nothing/here")
    with pytest.warns(UserWarning, match="cannot be kept in /proc/nothing/here/test.*\\n *No such file or directory"):
        assert store.find(KEY, lambda: b"made") == b"made" and store.load(KEY) is None

    monkeypatch.delenv("ADJOINT_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert store.folder() is None and store.find(KEY, lambda: b"made") == b"made"


# ---- files ---------------------------------------------------------------------------------------


def test_files_that_are_flipped_cut_or_exchanged_count_as_absent_and_are_replaced(store):
    draw = random.Random(0)
    contents = {cache.key(str(i)): draw.randbytes(draw.randrange(200)) for i in range(8)}
    keys = list(contents)
    for key, content in contents.items():
        store.store(key, content)
    for i in range(120):
        key, other = draw.sample(keys, 2)
        whole, foreign = [(Path(store.folder()) / k).read_bytes() for k in (key, other)]
        at = draw.randrange(len(whole))
        flipped = whole[:at] + bytes([whole[at] ^ 1 << draw.randrange(8)]) + whole[at + 1 :]
        spliced = whole[:at] + foreign[draw.randrange(len(foreign)) :]
        changed = [flipped, whole[:at], spliced, foreign, whole + b"\0", b""][i % 6]
        (Path(store.folder()) / key).write_bytes(changed)
        assert changed == whole or store.load(key) is None
        assert store.find(key, lambda key=key: contents[key]) == contents[key] == store.load(key)


def test_a_full_disk_leaves_nothing_behind(store):
    store.store(KEY, b"code")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.warns(UserWarning, match="\n *File too large"):
            store.store(OTHER, bytes(5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert os.listdir(store.folder()) == [KEY] and store.load(KEY) == b"code"


def test_an_interrupt_while_a_file_is_written_leaves_nothing_behind(store, monkeypatch):
    store.store(KEY, b"code")

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(os, "replace", interrupted)
        store.find(OTHER, lambda: b"other")
    assert sorted(os.listdir(store.folder())) == sorted([KEY, f"lock-{OTHER[:2]}"])
    assert store.find(OTHER, lambda: b"other") == b"other"          # nobody has the lock


def test_files_too_large_to_keep_are_not_read(store, monkeypatch):
    store.store(KEY, bytes(100))
    monkeypatch.setattr(cache, "_MAX_FILE_BYTES", 99)
    assert store.load(KEY) is None
    store.store(OTHER, bytes(100))
    assert not store.has(OTHER)


def test_what_killed_writers_left_is_removed_and_a_clock_that_was_set_back_does_no_harm(store):
    store.store(KEY, b"code")
    now = time.time()
    for name, written in ((".old", now - 5000), (".new", now - 5), (".later", now + 5000), ("later", now + 10**6)):
        (Path(store.folder()) / name).write_bytes(b"some")
        os.utime(Path(store.folder()) / name, (written, written))
    os.utime(Path(store.folder()) / KEY, (now + 10**6, now + 10**6))
    cache._shrink(store.folder())
    assert sorted(os.listdir(store.folder())) == sorted([KEY, ".new", ".later", "later"])
    assert store.load(KEY) == b"code"


# ---- several processes ---------------------------------------------------------------------------

KILLED = """
import os, random, signal, sys, time
from pathlib import Path
from adjoint.engines.cache import Store, key
store, draw = Store("test"), random.Random(0)
contents = {key(str(i)): bytes([i]) * 100_000 for i in range(4)}
for i in range(int(sys.argv[1])):
    child = os.fork()
    if not child:
        while True:
            for name, content in contents.items():
                store.store(name, content)
                os.unlink(Path(store.folder()) / name)
    time.sleep(draw.uniform(0, 0.005))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    for name, content in contents.items():
        assert store.load(name) in (content, None)
for name, content in contents.items():
    assert store.find(name, lambda content=content: content) == content == store.load(name)
"""

POOL = """
import os, sys, time
from pathlib import Path
from adjoint.engines.cache import Store, key
store, made, go = Store("test"), Path(sys.argv[2]), Path(sys.argv[2]) / "go"
children = []
for i in range(int(sys.argv[1])):
    child = os.fork()
    if not child:
        while not go.exists():
            time.sleep(0.001)
        for j in range(5):
            def make():
                (made / f"{j} {os.getpid()}").touch()
                time.sleep(0.02)
                return bytes([j])
            assert store.find(key(str(j)), make) == bytes([j])
        os._exit(0)
    children.append(child)
go.touch()
assert not any([os.waitpid(child, 0)[1] for child in children])
"""

SLOW = """
import time
from adjoint.engines.cache import Store, key
Store("test").find(key("a"), lambda: print("here", flush=True) or time.sleep(600))
"""


def run(script, *arguments):
    subprocess.run([sys.executable, "-c", script, *map(str, arguments)], check=True, timeout=300)


def test_writers_that_are_killed_at_any_moment_leave_whole_files_or_none(store):
    run(KILLED, 40)


def test_of_many_processes_that_miss_a_file_one_makes_it(store, tmp_path):
    made = tmp_path / "made"
    made.mkdir()
    run(POOL, 32, made)
    assert sorted([name.split()[0] for name in os.listdir(made) if name != "go"]) == [*"01234"]


def test_a_process_that_dies_or_takes_too_long_keeps_nobody_waiting(store, monkeypatch):
    child = subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE)
    try:
        assert child.stdout.readline() == b"here\n"
        monkeypatch.setattr(cache, "_MAX_SECONDS_TO_WAIT", 0.05)
        assert store.find(KEY, lambda: b"made") == b"made"
        os.unlink(Path(store.folder()) / KEY)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    monkeypatch.setattr(cache, "_MAX_SECONDS_TO_WAIT", 600)
    assert store.find(KEY, lambda: b"made") == b"made"
