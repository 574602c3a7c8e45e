"""The inventories of names, `inventory.txt`: a section for each module, a line for each name and its signature."""

from __future__ import annotations

import re
from inspect import Parameter, signature
from pathlib import Path


def sections(folder: Path) -> dict[str, dict[str, str]]:
    """Of each module, the names and their signatures."""
    found: dict[str, dict[str, str]] = {}
    for line in (folder / "inventory.txt").read_text(encoding="utf8").splitlines():
        if line.startswith("["):
            names = found[line[1:-1]] = {}
        else:
            name, bracket, rest = line.partition("(")
            names[name] = bracket + rest
    return found


def text(function) -> str:
    """The signature without annotations."""
    plain = signature(function)
    parameters = [p.replace(annotation=Parameter.empty) for p in plain.parameters.values()]
    return unnamed(str(plain.replace(parameters=parameters, return_annotation=Parameter.empty)))


def unnamed(text: str) -> str:
    """The text with "..." for objects that stand for arguments that are not given."""
    return re.sub(r"<[^<>]*(<[^<>]*>)*[^<>]*>|UnspecifiedValue|Unspecified", "...", text)
