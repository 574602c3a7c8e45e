"""Helpers of tests in JAX's style: `jax._src.test_util`.

Tests: `tests/compat/test_testing.py`.
"""

from __future__ import annotations

from ....core.messages.errors import message

try:
    from absl.testing import parameterized
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        message("No module named 'absl'", why="jax._src.test_util needs it, as JAX's does.", fix="pip install absl-py"),
        name="absl",
    ) from None

from ....test_util import check_grads, check_jvp, check_vjp
from ..values import promote_dtypes, promote_dtypes_inexact
from . import checks, conditions, counts, draws, exact, kinds, meshes, products, shapes, texts, tolerances
from .checks import *
from .conditions import *
from .counts import *
from .draws import *
from .exact import *
from .kinds import *
from .meshes import *
from .products import *
from .shapes import *
from .texts import *
from .tolerances import *

__all__ = ["check_grads", "check_jvp", "check_vjp", "parameterized", "promote_dtypes", "promote_dtypes_inexact"]
__all__ += checks.__all__ + conditions.__all__ + counts.__all__ + draws.__all__ + exact.__all__
__all__ += kinds.__all__ + meshes.__all__ + products.__all__ + shapes.__all__ + texts.__all__ + tolerances.__all__
