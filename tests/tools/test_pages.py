"""`adjoint.help`: pages of names, which are those of the reference."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import adjoint
import adjoint.numpy as jnp
from adjoint.tools import names

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from reference_pages import pages

made = cache(pages)      # not where tests are only collected: it takes seconds


def printed(capsys, name):
    """What help prints about a name."""
    adjoint.help(name)
    return capsys.readouterr().out


def words(text):
    """The words of a text, without what lays them out."""
    text = re.sub(r"\]\([^)]*\)", "", text).replace("```python", "")
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("name", names.error_classes())
def test_errors_have_a_page_with_causes_and_cures_that_help_prints(capsys, name):
    text = printed(capsys, name)
    assert text.count("\nCauses:\n  ") == 1
    page = made()[f"reference/errors.{name}.md"]
    shown = page.partition("prints this page.\n")[2].replace("**Causes and cures**", "").replace("| cause | cure |", "")
    of_help = text.partition("\n\n")[2].partition("\nAlso: ")[0].replace("Causes:", "")
    titles = {"Arguments", "Args"}
    assert [w for w in words(shown) if w not in titles] == [w for w in words(of_help) if w not in titles]


def test_every_error_of_the_package_has_a_page():
    assert set(adjoint.errors.__all__) <= set(names.error_classes())
    index = (Path(__file__).parents[2] / "docs/reference/errors.md").read_text(encoding="utf8")
    assert [n for n in names.error_classes() if f"(errors.{n}.md)" not in index] == []


@pytest.mark.parametrize("module", names.MODULES)
def test_help_has_every_public_function(capsys, module):
    for name, value in names.public(module).items():
        text = printed(capsys, f"{names.full_name(module)}.{name}")
        assert inspect.getdoc(value) in text, name
        assert text.startswith(f"{names.full_name(module)}.{name}") or name in names.error_classes(), name


@pytest.mark.parametrize("name, first", [
    ("vmap", "adjoint.vmap(fun, in_axes=0"),
    ("jnp.where", "adjoint.numpy.where(condition, x=None, y=None"),
    ("jax.lax.scan", "adjoint.lax.scan(f, init"),
    ("sin", "adjoint.numpy.sin(x, /)"),
    ("Array.at", "adjoint.Array.at"),
    ("scipy.stats.norm.pdf", "adjoint.scipy.stats.norm.pdf(x"),
    (jnp.tanh, "adjoint.numpy.tanh(x, /)"),
    ("KeyReuseError", "adjoint.errors.KeyReuseError: a JAXTypeError, TypeError"),
    (adjoint.errors.KeyReuseError, "adjoint.errors.KeyReuseError: a JAXTypeError, TypeError"),
    ("jax_debug_nans", "jax_debug_nans (an option, default False)"),
    ("enable_x64", "adjoint.enable_x64("),
    ("jnp", "adjoint.numpy\n"),
])
def test_names_are_found_as_programs_write_them(capsys, name, first):
    assert printed(capsys, name).startswith(first)


def test_a_name_of_several_modules_says_which(capsys):
    assert printed(capsys, "sin").endswith("\nAlso: adjoint.lax.sin\n")
    assert "Also" not in printed(capsys, "vmap")


@pytest.mark.parametrize("name, near", [
    ("vmpa", "vmap"), ("concatenat", "numpy.concatenate"), ("TracerBool", "TracerBoolConversionError"),
    ("jnp.cumsumm", "numpy.cumsum"), ("softmx", "nn.softmax"), ("jax_debug_nan", "jax_debug_nans"),
])
def test_unknown_names_get_what_is_near(name, near):
    with pytest.raises(ValueError, match=f"(?s)^There is no page '{re.escape(name)}'.*Try: adjoint.help\\('{near}'\\)"):
        adjoint.help(name)


def test_a_name_like_no_other_is_told_where_to_look():
    with pytest.raises(ValueError, match=r"Try: adjoint\.help\(\) for the modules"):
        adjoint.help("qqqqqq")


def test_without_a_name_the_modules_are_listed(capsys):
    adjoint.help()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(names.MODULES) and lines[1].startswith("adjoint.numpy  ")


def test_pages_are_there_without_jaxlib():
    """Messages name this command, and an installation has no jaxlib unless it was asked for."""
    program = "import sys; sys.modules['jaxlib'] = None; import adjoint; adjoint.help('KeyReuseError')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "A random key was used twice" in done.stdout, done.stderr


def test_names_for_annotations_have_no_page_of_a_builtin_class():
    texts = {c.__doc__ for c in (dict, tuple, set, list, type)}
    found = [f"{m}.{n}" for m in names.MODULES for n, value in names.public(m).items() if value.__doc__ in texts]
    assert not found
