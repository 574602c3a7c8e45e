# Written by stubs/generate.py; do not edit.
from adjoint import Array
from collections.abc import Callable
from collections.abc import Mapping
from typing import Any
from typing import NamedTuple
class OptimizeResults(NamedTuple):
    x: Any
    success: Any
    status: Any
    fun: Any
    jac: Any
    hess_inv: Any
    nfev: Any
    njev: Any
    nit: Any
def minimize(fun: Callable[..., Any], x0: Array, args: tuple[Any, ...] = (), *, method: str, tol: float | None = None, options: Mapping[str, Any] | None = None) -> OptimizeResults: ...
