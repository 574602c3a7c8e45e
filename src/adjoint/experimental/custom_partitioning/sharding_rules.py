"""Sharding rules: which axes of operands and results go together, written as in `einsum`, with what they may hold.

Tests: `tests/experimental/test_custom_partitioning.py`.
"""

from __future__ import annotations

import re

__all__ = ["BATCHING", "ArrayMapping", "CompoundFactor", "SdyShardingRule", "parsed"]

BATCHING = "…"


def _check_factor(name: str) -> None:
    if not name[:1].isalpha():
        raise ValueError(f"Factor names have to start with a letter, but got '{name}'")


class CompoundFactor(tuple):
    """An axis that is the product of factors, the slowest first.

    Args:
      *factors: their names.

    >>> from adjoint.experimental.custom_partitioning import CompoundFactor
    >>> len(CompoundFactor("i", "j"))
    2
    """

    __slots__ = ()

    def __new__(cls, *factors: str):
        if len(factors) < 2:
            raise ValueError("A compound factor should contain at least two factors")
        for f in factors:
            if not isinstance(f, str):
                raise ValueError(f"Each element of CompoundFactor must be a str, but got {type(f)}")
            _check_factor(f)
        return super().__new__(cls, factors)


class ArrayMapping(tuple):
    """The factors of the axes of an array; one that begins with `BATCHING` stands for any number of leading axes.

    Args:
      *dim_mappings: for each axis the name of its factor, or a `CompoundFactor`.

    >>> from adjoint.experimental.custom_partitioning import ArrayMapping
    >>> len(ArrayMapping("i", "j"))
    2
    """

    __slots__ = ()

    def __new__(cls, *dim_mappings: str | CompoundFactor):
        for i, d in enumerate(dim_mappings):
            if isinstance(d, str):
                if not d.startswith(BATCHING):
                    _check_factor(d)
                elif i:
                    raise ValueError("Ellipsis can only be used at the beginning of a dimension")
            elif not isinstance(d, CompoundFactor):
                raise ValueError(f"Each element of ArrayMapping must be a str or CompoundFactor, but got {type(d)}")
        return super().__new__(cls, dim_mappings)


_SPECIAL = "reduction_factors", "need_replication_factors", "permutation_factors"


class SdyShardingRule:
    """A rule of which axes of operands and results are divided together.

    Args:
      operand_mappings, result_mappings: an `ArrayMapping` for each array.
      reduction_factors: factors that the function sums over.
      need_replication_factors: factors that must not be divided.
      permutation_factors: factors along which devices exchange parts.
      factor_sizes: lengths of factors of compound ones.

    Raises:
      ValueError: a factor is not in the rule, or a length is given for one that is an axis of its own.

    >>> from adjoint.experimental.custom_partitioning import ArrayMapping, SdyShardingRule
    >>> rule = SdyShardingRule((ArrayMapping("i", "j"),), (ArrayMapping("i"),), reduction_factors=("j",))
    >>> rule.operand_mappings, rule.reduction_factors
    ((('i', 'j'),), ('j',))
    """

    def __init__(
        self, operand_mappings: tuple[ArrayMapping, ...], result_mappings: tuple[ArrayMapping, ...], *,
        reduction_factors: tuple[str, ...] = (), need_replication_factors: tuple[str, ...] = (),
        permutation_factors: tuple[str, ...] = (), **factor_sizes: int,
    ):
        self.operand_mappings = operand_mappings
        self.result_mappings = result_mappings
        whole, inside = set(), set()
        for mapping in operand_mappings + result_mappings:
            for d in mapping:
                (whole.add if isinstance(d, str) else inside.update)(d)
        for name in factor_sizes:
            if name in whole:
                raise ValueError(f"Factor {name} represents a whole dimension; do not specify its size")
            if name not in inside:
                raise ValueError(f"Factor {name} is not used in the rule, but size is provided")
        self.factor_sizes = factor_sizes
        self.reduction_factors = reduction_factors
        self.need_replication_factors = need_replication_factors
        self.permutation_factors = permutation_factors
        for kind in _SPECIAL:
            for name in getattr(self, kind):
                if name not in whole | inside:
                    raise ValueError(f"Factor {name} in {kind} is not used in the rule")

    def __str__(self):
        special = "".join([f" {kind}={names}" for kind in _SPECIAL if (names := getattr(self, kind))])
        return f"SdyShardingRule({self.operand_mappings}, {self.result_mappings}, {self.factor_sizes}{special})"


_TOKEN = re.compile(r"\(([^()]*)\)|(\.\.\.\w*|…\w*|[^\s()]+)")


def parsed(rule: str, **others) -> SdyShardingRule:
    """Return the rule of a text such as `"... i j, j k -> ... i k"`, where `(i j)` is a compound factor.

    Raises:
      TypeError: it is no text.
      ValueError: it has no arrow, or a name is wrong.
    """
    if not isinstance(rule, str):
        raise TypeError(f"rule must be a str, but got {type(rule)}")
    if rule.count("->") != 1:
        raise ValueError(f"There is no -> in rule: '{rule}'" if "->" not in rule else f"Two -> in rule: '{rule}'")
    operands, results = [tuple(map(_mapping, side.split(","))) for side in rule.split("->")]
    return SdyShardingRule(operands, results, **others)


def _mapping(text: str) -> ArrayMapping:
    dims = []
    for compound, plain in _TOKEN.findall(text):
        if plain:
            dims.append(plain.replace("...", BATCHING))
        else:
            dims.append(CompoundFactor(*compound.split()))
    return ArrayMapping(*dims)
