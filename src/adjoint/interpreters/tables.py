"""A table of rules by primitive: a view of one attribute of all primitives.

Tests: `tests/extend/test_primitives.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping

from ..compat.private.literals import canonicalize_value
from ..core.primitive import Primitive, primitives
from ..lax import all_primitives

__all__ = ["RuleTable", "typed"]

_NUMBERS = frozenset((int, float, complex))


def typed(operands: Iterable) -> tuple:
    """Return operands, Python's numbers as ones that say their dtype: rules of libraries ask it."""
    return tuple([canonicalize_value(x) if type(x) in _NUMBERS else x for x in operands])


class RuleTable(MutableMapping):
    """`table[p] = rule` sets a rule of `p`; `table[p]` is what was set, or the primitive's own rule.

    Args:
      attribute: the rule's name on the primitive.
      to_ours: makes the primitive's rule of what was set.
      to_theirs: (primitive) -> its own rule in the form of this table, or None.
      replaces: other rules that would take precedence; they go when one is set.
    """

    def __init__(
        self, attribute: str, to_ours: Callable = lambda p, rule: rule,
        to_theirs: Callable | None = None, replaces: tuple[str, ...] = (),
    ):
        self._attribute = attribute
        self._to_ours = to_ours
        self._to_theirs = to_theirs or (lambda p: getattr(p, attribute))
        self._replaces = replaces
        self._set: dict[Primitive, Callable] = {}

    def __setitem__(self, p: Primitive, rule: Callable) -> None:
        setattr(p, self._attribute, self._to_ours(p, rule))
        for other in self._replaces:
            setattr(p, other, None)
        self._set[p] = rule

    def __getitem__(self, p: Primitive) -> Callable:
        rule = self._set.get(p) or self._to_theirs(p)
        if rule is None:
            raise KeyError(p)
        return rule

    def __contains__(self, p) -> bool:
        return isinstance(p, Primitive) and (p in self._set or self._to_theirs(p) is not None)

    def __delitem__(self, p: Primitive) -> None:
        if p not in self:
            raise KeyError(p)
        self._set.pop(p, None)
        setattr(p, self._attribute, None)

    def __iter__(self) -> Iterator[Primitive]:
        all_primitives()
        return iter([p for p in {**dict.fromkeys(primitives.values()), **self._set} if p in self])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self):
        return f"RuleTable({self._attribute}, {len(self)} primitives)"
