"""`platform_index`: which of groups of platforms has the one that the program runs on."""

from __future__ import annotations

import numpy as np

from ..core.messages.errors import message
from ..core.primitive import Primitive
from ..core.types import ShapedArray
from ..sharding.device import platform_name

__all__ = ["chosen", "platform_index"]


def chosen(platforms: tuple, here: str) -> int:
    """Return the first group with the platform `here`; None stands for all others. NotImplementedError without one."""
    for i, names in enumerate(platforms):
        if names is None or here in names:
            return i
    known = ", ".join(n for names in platforms for n in names) or "none"
    raise NotImplementedError(
        message(
            f"platform_dependent has no function for platform {here}, and no default.",
            why=f"It has functions for these platforms: {known}.",
            fix=f"platform_dependent(..., {here}=function), or default=function",
        )
    )


platform_index = Primitive("platform_index")
platform_index.type(lambda *, platforms: ShapedArray((), np.dtype("int32")))
platform_index.evaluate(lambda *, platforms: np.int32(chosen(platforms, platform_name())))
platform_index.batch(lambda args, dims, *, platforms: (platform_index(platforms=platforms), None))
platform_index.examples((dict(platforms=(("tpu",), ("cpu",), None)),))
