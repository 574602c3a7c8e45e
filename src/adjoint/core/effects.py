"""Effects: what an equation does beside computing its results.

An equation with effects is never dropped as dead, and never moved out of a loop. Effects that are ordered
happen in the order of the program; every engine runs them so. An effect is one object, equal only to
itself; a program has the effects of its equations and of the programs inside them.

Tests: `tests/control_flow/test_callbacks.py`.
"""

from __future__ import annotations

__all__ = [
    "DebugEffect", "Effect", "IOEffect", "OrderedDebugEffect", "OrderedIOEffect", "check_finished", "debug_effect",
    "call_effects", "io_effect", "io_effects", "no_effects", "ordered_debug_effect", "ordered_io_effect",
]


class Effect:
    """Base of all effects.

    >>> program = make_jaxpr(lambda x: debug.print("{}", x))(1.)
    >>> [isinstance(e, core.Effect) for e in program.effects]
    [True]
    """

    __slots__ = ()
    unfinished: str | None = None  # why no engine may have a program with it, where that is so

    def __str__(self):
        return type(self).__name__.removesuffix("Effect")


def check_finished(effects) -> None:
    """Raise ValueError if a program with these effects waits for a transformation, and cannot be compiled as it is."""
    for effect in effects:
        if effect.unfinished is not None:
            raise ValueError(effect.unfinished)


class InspectEffect(Effect):
    """The compiler tells the user something; the program itself does nothing."""

    __slots__ = ()


inspect_effect = InspectEffect()


class DebugEffect(Effect):
    """Something is shown to the user, in no particular order.

    >>> [str(effect) for effect in make_jaxpr(lambda x: debug.print("{}", x))(1.).effects]
    ['Debug']
    """

    __slots__ = ()


class OrderedDebugEffect(Effect):
    """Something is shown to the user, in the order of the program.

    >>> [str(effect) for effect in make_jaxpr(lambda x: debug.print("{}", x, ordered=True))(1.).effects]
    ['OrderedDebug']
    """

    __slots__ = ()


class IOEffect(Effect):
    """A function of the user is called that may have any effect, in no particular order."""

    __slots__ = ()


class OrderedIOEffect(Effect):
    """A function of the user is called that may have any effect, in the order of the program."""

    __slots__ = ()


no_effects: frozenset[Effect] = frozenset()
debug_effect, ordered_debug_effect = DebugEffect(), OrderedDebugEffect()
io_effect, ordered_io_effect = IOEffect(), OrderedIOEffect()
io_effects = frozenset((io_effect, ordered_io_effect))
call_effects = io_effects | {debug_effect, ordered_debug_effect}  # calls of Python: once, by whichever device
