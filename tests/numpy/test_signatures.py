"""The functions of `jax.numpy`, `.linalg`, `.fft`, `jax.lax`, `.linalg` and the members of arrays are all there.

`inventory.txt` has the names and signatures of JAX 0.10.2, a section for each module; "..." is a default that has
no text. A name without parentheses has no signature. What differs is in `DIFFERENT`, and why, in docs/differences.md.
"""

from __future__ import annotations

import re
from functools import reduce
from pathlib import Path

import pytest
from tests.inventory import sections, text, unnamed

import adjoint
import adjoint.lax.linalg
import adjoint.numpy.fft
import adjoint.numpy.linalg

HERE = Path(__file__)
DIFFERENCES = (HERE.parents[2] / "docs/differences.md").read_text(encoding="utf8")
DIFFERENT = {
    "jax.lax": {"while_loop", "random_gamma_grad"},
}
LEFT_OUT = {
    "jax.Array": {"__del__"},
}


SECTIONS = sections(HERE.parent)


def home(section: str):
    """The object of ours whose members a section lists."""
    if section == "jax.Array":
        return adjoint.Array
    if section == "jax.Array.at[...]":
        return type(adjoint.numpy.ones(3).at[0])
    return reduce(getattr, section.split(".")[1:], adjoint)


def unbound(text: str, section: str) -> str:
    """The text; of a method, without the array."""
    return re.sub(r"^\(\w+(, /)?(, )?", "(", unnamed(text)) if section.startswith("jax.Array") else unnamed(text)


@pytest.mark.parametrize("section", SECTIONS)
def test_names(section):
    ours = home(section)
    missing = {n for n in SECTIONS[section] if not has(ours, n)}
    assert missing == LEFT_OUT.get(section, set())
    wanted = set(SECTIONS[section]) - missing
    if not isinstance(ours, type):
        assert wanted - set(dir(ours)) == set()


def has(ours, name) -> bool:
    if isinstance(ours, type):
        return any(name in c.__dict__ for c in ours.__mro__) or name == "aval"
    return hasattr(ours, name)


@pytest.mark.parametrize("section", SECTIONS)
def test_signatures(section):
    ours = home(section)
    found = {}
    for name, wanted in SECTIONS[section].items():
        value = getattr(ours, name, None)
        if wanted and callable(value):
            actual = unbound(text(value), section)
            if actual != unbound(wanted, section):
                found[name] = (unbound(wanted, section), actual)
    assert set(found) == DIFFERENT.get(section, set()), found


def test_what_differs_is_explained():
    """Each name in the list is on the page of differences."""
    names = [name for names in (*DIFFERENT.values(), *LEFT_OUT.values()) for name in names]
    assert [n for n in names if not re.search(rf"[`.]{n}\b", DIFFERENCES)] == []
