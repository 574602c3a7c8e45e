# Written by stubs/generate.py; do not edit.
from adjoint import Array
from typing import Any
def vq(obs: Any, code_book: Any, check_finite: bool = True) -> tuple[Array, Array]: ...
