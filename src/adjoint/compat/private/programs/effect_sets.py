"""Sets of types of effects, and effects of operands: names of `jax._src.effects`.

Tests: `tests/compat/test_private_programs.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....control_flow.foreign import FfiEffect
from ....core.effects import DebugEffect, Effect, IOEffect, OrderedDebugEffect, OrderedIOEffect
from ....core.values.refs import RefEffect

__all__ = [
    "EffectTypeSet", "JaxprInputEffect", "control_flow_allowed_effects", "custom_derivatives_allowed_effects",
    "lowerable_effects", "ordered_effects", "partial_eval_kept_effects", "remat_allowed_effects",
    "shardable_ordered_effects",
]


class JaxprInputEffect(Effect):
    """An effect on one operand of a program: a position, or a variable."""

    def __init__(self, input: Any):
        self.input = input

    def replace(self, *, input: Any = None) -> JaxprInputEffect:
        """Return the effect on another operand."""
        return self.__class__(self.input if input is None else input)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, JaxprInputEffect) and type(self) is type(other) and self.input == other.input

    def __hash__(self) -> int:
        return hash((type(self), self.input))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.input})"


class EffectTypeSet:
    """Types of effects; an effect is in it where its type inherits from one of them."""

    def __init__(self, types: Iterable[type[Effect]] = ()):
        self._effect_types: set[type[Effect]] = {*types}

    def add_type(self, effect_type: type[Effect]) -> None:
        """Add a type of effects."""
        self._effect_types.add(effect_type)

    def contains(self, eff: Any) -> bool:
        """Return whether an effect is of one of the types."""
        return any([isinstance(eff, kind) for kind in self._effect_types])

    def filter_in(self, effects: Iterable[Effect]) -> list[Effect]:
        """Return the effects that are of one of the types."""
        return [eff for eff in effects if self.contains(eff)]

    def filter_not_in(self, effects: Iterable[Effect]) -> list[Effect]:
        """Return the effects that are of none of the types."""
        return [eff for eff in effects if not self.contains(eff)]

    def __repr__(self) -> str:
        return f"EffectTypeSet({self._effect_types})"


_shown = (DebugEffect, OrderedDebugEffect)
ordered_effects = EffectTypeSet([OrderedDebugEffect, OrderedIOEffect])
shardable_ordered_effects = EffectTypeSet([OrderedIOEffect])
lowerable_effects = EffectTypeSet([*_shown, IOEffect, OrderedIOEffect, FfiEffect])
control_flow_allowed_effects = EffectTypeSet([*_shown, IOEffect, OrderedIOEffect, FfiEffect, RefEffect])
custom_derivatives_allowed_effects = EffectTypeSet([*_shown, RefEffect])
remat_allowed_effects = EffectTypeSet([*_shown, RefEffect])
partial_eval_kept_effects = EffectTypeSet([*_shown, RefEffect])
