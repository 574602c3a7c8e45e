"""Arrays are written to TensorStore and read back, in the background where a manager does it.

A store is described by a spec, such as `{"driver": "zarr", "kvstore": {"driver": "file", "path": "x"}}`. What an array
knows is filled in: its shape, its dtype, and chunks of the size of its shards. The package tensorstore is imported by
the first call.

Tests: `tests/experimental/test_array_serialization.py`.
"""

from __future__ import annotations

import abc
import asyncio
import os
from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any

import numpy as np

from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...parallel.arrays import make_array_from_callback
from ...parallel.devices import process_index
from ...sharding.device import Sharding
from ...sharding.layout import Format

__all__ = [
    "GlobalAsyncCheckpointManager", "GlobalAsyncCheckpointManagerBase", "async_deserialize", "async_serialize",
    "get_tensorstore_spec", "is_remote_storage", "run_deserialization", "run_serialization",
]

_REMOTE = ("gs://", "s3://")


def _tensorstore() -> Any:
    try:
        import tensorstore  # pyright: ignore[reportMissingImports] - only its users have it
    except ImportError:
        raise ImportError(message(
            "This needs the package tensorstore, which is not installed.", fix="pip install tensorstore",
        )) from None
    return tensorstore


def is_remote_storage(tspec: dict[str, Any] | str) -> bool:
    """Return whether a spec, or a path, is about a bucket of a cloud.

    Args:
      tspec: a spec, or a path.
    Returns:
      A bool.

    >>> is_remote_storage("gs://bucket/x"), is_remote_storage({"kvstore": {"driver": "file", "path": "/tmp/x"}})
    (True, False)
    """
    if isinstance(tspec, str):
        return tspec.startswith(_REMOTE)
    return tspec.get("driver") in ("gcs", "s3") or any(
        [is_remote_storage(tspec[key]) for key in ("base", "kvstore") if key in tspec]
    )


def get_tensorstore_spec(ckpt_path: str | os.PathLike, ocdbt: bool = False) -> dict[str, Any]:
    """Return the spec of a store in a folder.

    Args:
      ckpt_path: the folder.
      ocdbt: use the format of few files, `ocdbt`.
    Returns:
      A dict, for `tensorstore.open`.

    >>> get_tensorstore_spec("/tmp/x")
    {'driver': 'zarr', 'kvstore': {'driver': 'file', 'path': '/tmp/x'}}
    """
    path = os.fspath(ckpt_path)
    if is_remote_storage(path):
        bucket, _, inside = path.split("://", 1)[1].partition("/")
        kvstore = {"driver": "gcs" if path.startswith("gs") else "s3", "bucket": bucket, "path": inside}
    else:
        kvstore = {"driver": "file", "path": os.path.normpath(path)}
    if not ocdbt:
        return {"driver": "zarr", "kvstore": kvstore}
    folder, name = os.path.split(path.rstrip("/"))
    base = {**kvstore, "path": kvstore["path"].rpartition("/")[0]} if is_remote_storage(path) else f"file://{folder}"
    return {"driver": "zarr", "kvstore": {"driver": "ocdbt", "base": base, "path": name}}


def _completed(spec: dict[str, Any], array: Any) -> dict[str, Any]:
    """Return a spec with what the array knows."""
    chunk = array.sharding.shard_shape(array.shape)
    metadata = {
        "shape": list(array.shape), "chunks": [max(1, n) for n in chunk], "compressor": {"id": "gzip"},
        **spec.get("metadata", {}),
    }
    return {**spec, "metadata": metadata, "dtype": spec.get("dtype", np.dtype(array.dtype).name)}


async def async_serialize(
    arr_inp: Any, tensorstore_spec: Any, commit_future: list | None = None, context: Any = None,
    primary_host: int | None = 0, replica_id: int = 0, transaction: Any = None,
) -> None:
    """Write an array, each of its shards once.

    Args:
      arr_inp: the array.
      tensorstore_spec: of the store, which is made if it is not there.
      commit_future: a list that gets what waits until the data are on disk; without it this call waits.
      primary_host: the process that writes what all have; None for each process.
      replica_id: which of equal shards is written.
      transaction: of tensorstore, to write in.
    """
    store = _tensorstore()
    spec = _completed(dict(tensorstore_spec), arr_inp)
    options = dict(context=context) if context is not None else {}
    handle = await store.open(store.Spec(spec), create=True, open=True, transaction=transaction, **options)
    if arr_inp.is_fully_replicated and primary_host is not None and process_index() != primary_host:
        return
    for shard in arr_inp.addressable_shards:
        if shard.replica_id == replica_id:
            writing = handle[shard.index].write(np.asarray(shard.data))
            await writing.copy
            if commit_future is None:
                await writing.commit
            else:
                commit_future.append(writing.commit)


def run_serialization(arrays: Sequence, tensorstore_specs: Sequence) -> None:
    """Write arrays, and wait until they are on disk."""

    async def write():
        await asyncio.gather(*[async_serialize(x, spec) for x, spec in zip(arrays, tensorstore_specs, strict=True)])

    asyncio.run(write())


async def async_deserialize(
    in_type: Any, tensorstore_spec: Any, global_shape: Sequence[int] | None = None, dtype: Any = None,
    byte_limiter: Any = None, context: Any = None, assume_metadata: bool = False,
) -> Any:
    """Read an array, each device's part of it.

    Args:
      in_type: the sharding, or a format with one, or a struct with a shape, a dtype and one.
      global_shape: of the array; where it is longer than what is stored, the rest is zero.
      dtype: to convert to.
      assume_metadata: ignored; the store is asked.
    """
    store = _tensorstore()
    sharding = in_type if isinstance(in_type, Sharding) else in_type.sharding
    if not isinstance(in_type, (Sharding, Format)):
        global_shape = in_type.shape if global_shape is None else global_shape
        dtype = in_type.dtype if dtype is None else dtype
    options = dict(context=context) if context is not None else {}
    handle = await store.open(store.Spec(dict(tensorstore_spec)), open=True, **options)
    shape = tuple(handle.shape if global_shape is None else global_shape)
    parts: dict[tuple, np.ndarray] = {}
    for index in sharding.addressable_devices_indices_map(shape).values():
        bounds = [range(*s.indices(n)) for s, n in zip(index, shape)]
        stored = [slice(min(b.start, m), min(b.stop, m)) for b, m in zip(bounds, handle.shape)]
        part = np.zeros([len(b) for b in bounds], handle.dtype.numpy_dtype)
        part[tuple([slice(s.stop - s.start) for s in stored])] = await handle[tuple(stored)].read()
        parts[tuple([(b.start, b.stop) for b in bounds])] = part
    key = lambda index: tuple([(r.start, r.stop) for r in [range(*s.indices(n)) for s, n in zip(index, shape)]])
    out = make_array_from_callback(shape, sharding, lambda index: parts[key(index)])
    return out if dtype is None else out.astype(dtype)


def run_deserialization(
    shardings: Sequence, tensorstore_specs: Sequence, global_shapes: Sequence | None = None,
    dtypes: Sequence | None = None, concurrent_gb: int = 32,
) -> list:
    """Read arrays, laid out by the shardings."""
    nothing = [None] * len(shardings)

    async def read():
        given = zip(shardings, tensorstore_specs, global_shapes or nothing, dtypes or nothing, strict=True)
        return await asyncio.gather(*[async_deserialize(*one) for one in given])

    return asyncio.run(read())


class GlobalAsyncCheckpointManagerBase(abc.ABC):
    """The interface of managers, which write arrays while the program goes on."""

    @abc.abstractmethod
    def check_for_errors(self) -> None:
        """Raise what went wrong since the last `serialize`."""

    @abc.abstractmethod
    def wait_until_finished(self) -> None:
        """Wait until all is on disk."""

    @abc.abstractmethod
    def serialize(self, arrays, tensorstore_specs, *, on_commit_callback: Callable[[], None]) -> None:
        """Write arrays; the callback is called when all are on disk."""

    @abc.abstractmethod
    def deserialize(self, shardings: Sequence, tensorstore_specs: Sequence, global_shapes=None, dtypes=None) -> list:
        """Read arrays."""


class GlobalAsyncCheckpointManager(GlobalAsyncCheckpointManagerBase):
    """A manager that waits for the disk in a thread of its own."""

    def __init__(self, timeout_secs: int = 300):
        self._timeout = timeout_secs
        self._thread: Thread | None = None
        self._error: BaseException | None = None

    def check_for_errors(self) -> None:
        """Raise what went wrong since the last `serialize`, once."""
        error, self._error = self._error, None
        if error is not None:
            raise error

    def wait_until_finished(self) -> None:
        """Wait until all is on disk. TimeoutError after the seconds that the manager was made with."""
        if self._thread is not None:
            self._thread.join(self._timeout)
            if self._thread.is_alive():
                raise TimeoutError(f"Arrays were not on disk after {self._timeout} seconds.")
            self._thread = None
        self.check_for_errors()

    def serialize(
        self, arrays: Sequence, tensorstore_specs: Sequence, *, on_commit_callback: Callable[[], None],
        transaction: Any = None,
    ) -> None:
        """Copy arrays out, and leave it to a thread to wait for the disk and call the callback."""
        self.wait_until_finished()
        commits: list = []

        async def write():
            await asyncio.gather(*[
                async_serialize(x, spec, commit_future=commits, transaction=transaction)
                for x, spec in zip(arrays, tensorstore_specs, strict=True)
            ])

        asyncio.run(write())
        self._thread = Thread(target=self._commit, args=(commits, on_commit_callback))
        self._thread.start()

    def _commit(self, commits, on_commit_callback) -> None:
        try:
            for commit in commits:
                commit.result()
            on_commit_callback()
        except BaseException as error:
            self._error = error

    def serialize_with_paths(
        self, arrays: Sequence, paths: Sequence[str], *, on_commit_callback: Callable[[], None],
        transaction: Any = None,
    ) -> None:
        """Write arrays into folders."""
        self.serialize(
            arrays, [get_tensorstore_spec(p) for p in paths], on_commit_callback=on_commit_callback,
            transaction=transaction,
        )

    def deserialize(
        self, shardings: Sequence, tensorstore_specs: Sequence, global_shapes=None, dtypes=None, concurrent_gb: int = 32
    ) -> list:
        """Read arrays, after what is being written is on disk."""
        self.wait_until_finished()
        return run_deserialization(shardings, tensorstore_specs, global_shapes, dtypes, concurrent_gb)

    def deserialize_with_paths(
        self, shardings: Sequence, paths: Sequence[str], global_shapes=None, dtypes=None, concurrent_gb: int = 32
    ) -> list:
        """Read arrays from folders."""
        return self.deserialize(
            shardings, [get_tensorstore_spec(p) for p in paths], global_shapes, dtypes, concurrent_gb
        )


public(globals())
