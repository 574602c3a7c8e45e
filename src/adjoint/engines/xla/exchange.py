"""Arrays of accelerators handed to other libraries and taken from them without a copy: DLPack, CUDA's interface.

Tests: `tests/parallel/test_accelerators.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...array.array import ArrayImpl
from ...core.types import ShapedArray
from ...sharding.device import here
from .engine import on_device, pending, stored_type, uploaded
from .runtime import runtime

__all__ = ["adopted", "cuda_interface", "device_of", "is_of_plugin", "lent"]

_KINDS = {"gpu": 2}  # of devices, in DLPack


def lent(x: ArrayImpl, stream: int | None) -> Any:
    """Return a DLPack capsule of an array on the default device."""
    return runtime().jax.buffer_to_dlpack_managed_tensor(on_device(x), stream)


def device_of(x: ArrayImpl) -> tuple[int, int]:
    """Kind and number of the device of an array, as DLPack has them."""
    device = runtime().device
    return _KINDS.get(here.plugin.platform, 1), device.local_hardware_id


def is_of_plugin(external: Any) -> bool:
    """Return whether another library's array is in the memory of the accelerators in use."""
    return int(external.__dlpack_device__()[0]) == _KINDS.get(here.plugin.platform)


def adopted(external: Any) -> ArrayImpl:
    """Return the array of another library's array on the default device."""
    rt = runtime()
    stream = rt.device.get_stream_for_external_ready_events()
    buffer = rt.jax.dlpack_managed_tensor_to_buffer(external.__dlpack__(stream=stream), rt.device, stream, None)
    shape = tuple(external.shape)
    aval = ShapedArray(shape, np.dtype(str(external.dtype).rpartition(".")[2]))
    buffer = buffer._rewrap_with_aval_and_sharding(stored_type(aval), rt.place)
    order = ",".join([str(i) for i in reversed(range(len(shape)))])
    if len(shape) > 1 and f"{{{order}" not in str(buffer._pjrt_layout):  # programs would take it for row-major
        return uploaded(np.asarray(buffer._single_device_array_to_np_array_did_copy()[0]), aval)
    return pending(buffer, aval)


def cuda_interface(x: ArrayImpl) -> dict:
    """Return what `__cuda_array_interface__` is of an array on the default device."""
    return on_device(x).__cuda_array_interface__
