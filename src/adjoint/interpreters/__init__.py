"""The tables of rules, by transformation, as JAX's libraries register them.

`ad`, `batching`, `mlir` and `partial_eval` hold no rules: their tables are views of the rules that stand on
each primitive (`core/primitive.py`), so a rule set here is the primitive's own. Start with `tables.py`.
"""

from ..core.names.exports import offered as _offered

__getattr__, __dir__ = _offered(
    globals(), modules="ad batching mlir partial_eval pxla xla"
)
