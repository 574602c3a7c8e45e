"""The stages of a jitted function: `jit(f).trace(*args).lower().compile()`.

Tests: `tests/transforms/test_stages.py`.
"""

from .core.messages.boundaries import explain_missing as _explain_missing
from .transforms.jit.jit import Jitted as Wrapped
from .transforms.jit.stages import ArgInfo, Compiled, Lowered, Traced

__all__ = ["ArgInfo", "Compiled", "CompilerOptions", "Lowered", "Traced", "Wrapped"]

CompilerOptions = dict[str, str | bool]

_explain_missing(globals())
