"""The functions behind the operators of arrays: `OPERATORS[name]` is bound to `Array` as `name`."""

from __future__ import annotations

OPERATORS: dict = {}
