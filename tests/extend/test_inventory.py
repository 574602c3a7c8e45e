"""The names of `jax` and of the modules that libraries build on, with their signatures.

`inventory.txt` has those of JAX 0.10.2, a section for each module; "..." is a default that has no text, and a name
without parentheses has no signature. What is left out, and why, is in docs/differences.md.
"""

from __future__ import annotations

import re
from importlib import import_module
from inspect import isfunction
from pathlib import Path

import pytest
from tests.inventory import sections, text, unnamed

HERE = Path(__file__)
DIFFERENCES = (HERE.parents[2] / "docs/differences.md").read_text(encoding="utf8")

# Modules that are all about MLIR, HLO or XLA's objects.
LEFT_OUT_MODULES = {"jax.extend.lowering", "jax.extend.xla"}
LEFT_OUT = {
    "jax.extend.backend": {"register_backend_factory"},
    "jax.extend.mlir": {"lower_with_sharding_in_types"},
    "jax.interpreters.ad": {"linearize"},
}
# All that there is of modules that nearly all build objects of MLIR or XLA.
ONLY = {
    "jax.interpreters.mlir": {"LoweringRuleContext", "lower_fun", "register_lowering"},
    "jax.interpreters.pxla": {"thread_resources"},
}
# What takes other arguments: more, or none of those that only XLA or JAX's own code has a use for.
DIFFERENT: dict[str, set[str]] = {
    "jax": {"remat"},
    "jax.interpreters.ad": {"jvp"},
}


SECTIONS = {name: names for name, names in sections(HERE.parent).items() if name not in LEFT_OUT_MODULES}


def ours(section: str):
    return import_module(section.replace("jax", "adjoint", 1))


@pytest.mark.parametrize("section", SECTIONS)
def test_names(section):
    """Every name is there but those that are left out, and those are not."""
    module = ours(section)
    missing = {n for n in SECTIONS[section] if not hasattr(module, n)}
    if section in ONLY:
        assert set(SECTIONS[section]) - missing == ONLY[section]
    else:
        assert missing == LEFT_OUT.get(section, set())


@pytest.mark.parametrize("section", SECTIONS)
def test_signatures(section):
    """Functions take the same arguments."""
    module = ours(section)
    found = {
        name: (wanted, text(getattr(module, name)))
        for name, wanted in SECTIONS[section].items()
        if wanted and isfunction(getattr(module, name, None)) and text(getattr(module, name)) != unnamed(wanted)
    }
    assert set(found) == DIFFERENT.get(section, set()), found


def test_what_is_left_out_is_explained():
    """Each name, and each module, is on the page of differences."""
    names = [*LEFT_OUT_MODULES, *(name for names in LEFT_OUT.values() for name in names)]
    names += [name for names in DIFFERENT.values() for name in names]
    assert [n for n in names if not re.search(rf"[`.]{re.escape(n.removeprefix('jax.'))}\b", DIFFERENCES)] == []
