"""`psend` and `precv`: the two halves of a `ppermute`, for programs that do something else in between.

What was sent is not in the program: a token stands for it. So there is nothing to evaluate on one host, nor a batch
of messages to make; only devices with a network between them can exchange them.
"""

from __future__ import annotations

from ..core.messages.errors import message
from ..core.values.tokens import abstract_token
from .collective import collective

__all__ = ["no_messages", "precv", "psend"]

psend = collective("psend", "axis_name")
psend.type(lambda x, *, axis_name, perm: abstract_token)
precv = collective("precv", "axis_name")
precv.type(lambda token, *, axis_name, perm, out_shape: out_shape)
precv.joins = False  # a token varies over no axis


def no_messages(name: str) -> NotImplementedError:
    """Return the error of a platform without messages between devices."""
    return NotImplementedError(
        message(
            f"{name} is currently only implemented on GPU",
            why="A send that does not wait needs a network between the devices.",
            fix="lax.ppermute, which sends and receives at once",
        )
    )


def _refused(p):
    def rule(*_, **__):
        raise no_messages(p.name)

    return rule


for p in (psend, precv):
    p.evaluate(_refused(p))
    p.batch_axis(_refused(p))
