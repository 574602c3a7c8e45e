# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
def odeint(func: Callable[..., Any], y0: Any, t: Any, *args: Any, rtol: Any = 1.4e-08, atol: Any = 1.4e-08, mxstep: Any = ..., hmax: Any = ...) -> Any: ...
