# Written by stubs/generate.py; do not edit.
from typing import Any
from typing import NamedTuple
class Format:
    def __init__(self, layout: Any = None, sharding: Any = None) -> None: ...
    layout: Any
    sharding: Any
class Layout(NamedTuple):
    major_to_minor: Any
    tiling: Any
    sub_byte_element_size_in_bits: Any
    AUTO: Any
def with_layout_constraint(x: Any, layouts: Any) -> Any: ...
