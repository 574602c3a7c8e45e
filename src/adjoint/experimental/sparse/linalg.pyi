# Written by stubs/generate.py; do not edit.
from adjoint import Array
from collections.abc import Callable
from typing import Any
def lobpcg_standard(A: Array | Callable[[Array], Array], X: Array, m: int = 100, tol: Array | float | None = None) -> tuple[Array, Array, Array]: ...
def spsolve(data: Any, indices: Any, indptr: Any, b: Any, tol: Any = 1e-06, reorder: Any = 1) -> Any: ...
from adjoint.lax import spsolve_p as spsolve_p
