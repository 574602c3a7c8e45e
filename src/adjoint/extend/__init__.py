"""The packages that libraries build on: `adjoint.extend.core`, `linear_util`, `backend`, `random`, `mlir`, ...

The names of `jax.extend`. Programs that only use transformations need none of it.
"""

from ..core.names.exports import offered as _offered

__getattr__, __dir__ = _offered(
    globals(), modules="backend core ifrt_programs linear_util mlir random sharding source_info_util"
)
