# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
from typing import NamedTuple
class Offloadable(NamedTuple):
    src: Any
    dst: Any
Recompute: Any
Saveable: Any
from adjoint import checkpoint as checkpoint
def checkpoint_name(x: Any, name: str) -> Any: ...
def checkpoint_name_fwd(x: Any, name: str) -> Any: ...
from adjoint import checkpoint_policies as checkpoint_policies
def print_saved_residuals(f: Callable[..., Any], *args: Any, **kwargs: Any) -> None: ...
from adjoint import remat as remat
