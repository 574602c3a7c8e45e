# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from enum import Enum
from typing import Any
class Buffer:
    def __init__(self, array: Any) -> None: ...
    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def ndim(self) -> Any: ...
    @property
    def writeable(self) -> Any: ...
class ExecutionContext:
    stage: Any
    @property
    def stream(self) -> int: ...
class ExecutionStage(Enum):
    INSTANTIATE = 0
    PREPARE = 1
    INITIALIZE = 2
    EXECUTE = 3
def buffer_callback(callback: Callable[..., None], result_shape_dtypes: Any, *, has_side_effect: bool = False, vmap_method: str | None = None, input_output_aliases: dict[int, int] | None = None, command_buffer_compatible: bool = False) -> Callable[..., Any]: ...
