# Written by stubs/generate.py; do not edit.
from adjoint.core import Primitive
from collections.abc import Callable
from typing import Any
from typing import NamedTuple
from typing import TypeAlias
LoweringRule: TypeAlias = Callable[..., Any]
class LoweringRuleContext(NamedTuple):
    module_context: Any
    name_stack: Any
    traceback: Any
    primitive: Any
    avals_in: Any
    avals_out: Any
    tokens_in: Any
    tokens_out: Any
def lower_fun(fun: Callable[..., Any], multiple_results: bool = True) -> Callable[..., Any]: ...
def register_lowering(prim: Primitive, rule: Callable[..., Any], platform: str | None = None, inline: bool = True, cacheable: bool = True) -> Callable[..., Any]: ...
