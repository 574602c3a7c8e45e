"""What the site is made of: pages and their order, links, what is generated from docstrings, how examples are shown.

`make site` builds it, strictly; here is what can be told without building it.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.append(str(DOCS))

from presentation import COPIED, LINK, shown  # noqa: E402
from reference_pages import MODULES, pages, public  # noqa: E402

WRITTEN = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf8") for path in DOCS.rglob("*.md")}
NOTEBOOKS = {f"tutorials/{path.stem}.md" for path in (DOCS / "tutorials").glob("*.ipynb")}


@cache
def generated():
    """The pages that are made of docstrings, and not where tests are only collected: it takes seconds."""
    return pages()


@cache
def known():
    return {*WRITTEN, *NOTEBOOKS, *generated(), *COPIED}


def anchors(text):
    """The names that headings of a page can be linked by."""
    found = set(re.findall(r"^#+ .*\{ #(\S+) \}$", text, re.MULTILINE))
    code = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.+)$", code, re.MULTILINE):
        words = re.sub(r"[^\w\s-]", "", heading.replace("`", "")).strip().lower()
        found.add(re.sub(r"[-\s]+", "-", words))
    return found


def test_every_page_is_in_the_navigation_and_every_entry_is_a_page():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf8")
    listed = set(re.findall(r"([\w./-]+\.md)$", text.partition("\nnav:")[2], re.MULTILINE))
    assert sorted(listed - known()) == []
    decisions = {name for name in WRITTEN if name.startswith("decisions/")}
    assert sorted(known() - listed - decisions) == []


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_links_lead_somewhere(name):
    """To a page and one of its headings, or to a file of the repository."""
    for _, target, anchor in LINK.findall(WRITTEN[name]):
        if "://" in target:
            continue
        path = ((DOCS / name).parent / target).resolve() if target else DOCS / name
        inside = path.relative_to(ROOT).as_posix()
        page = next((to for to, source in COPIED.items() if source == inside), inside.removeprefix("docs/"))
        is_made = page in generated()
        assert path.exists() or is_made, f"{name}: {target}: a checkout has no such file"
        copied = (ROOT / COPIED[page]).read_text() if page in COPIED else ""
        text = WRITTEN.get(page) or generated().get(page) or copied
        assert not anchor or page in NOTEBOOKS or anchor[1:] in anchors(text), f"{name}: {target}{anchor}"


def test_the_reference_has_every_public_function():
    for module in MODULES:
        page = generated()[f"reference/{module}.md"]
        full = "adjoint" if module == "adjoint" else f"adjoint.{module}"
        assert public(module), module
        assert [name for name in public(module) if f"{{ #{full}.{name} }}" not in page] == []


def test_links_inside_of_the_reference_lead_somewhere():
    for name, text in generated().items():
        here = anchors(text)
        for _, target, anchor in LINK.findall(re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)):
            if target.endswith(".md") or not target:
                page = f"reference/{target}" if target else name
                assert page in known(), f"{name}: {target}"
                there = anchors(generated()[page]) if target else here
                assert not anchor or anchor[1:] in there, f"{name}: {target}{anchor}"


def test_a_docstring_becomes_sections_and_examples():
    page = generated()["reference/lax.md"]
    scan = page[page.index("{ #adjoint.lax.scan }"):].partition("\n## ")[0]
    assert "**Arguments**\n\n- `f`: (carry, x) -> (carry, y)." in scan
    assert "**Errors**\n\n- `TypeError`: " in scan
    assert "```python\n>>> lax.scan(" in scan


def test_an_argument_is_no_link_to_the_function_of_its_name():
    page = generated()["reference/numpy.md"]
    total = page[page.index("{ #adjoint.numpy.sum }"):].partition("\n## ")[0]
    assert "- `dtype`: " in total and "- `where`: " in total
    assert "[`mean`](#adjoint.numpy.mean)" in total
    listed = re.compile(r"\*\*Arguments\*\*\n\n((?:- .*\n|  .*\n)+)")
    for text in generated().values():
        for entries in listed.findall(text):
            assert not re.search(r"^- [^:]*\]\(", entries, re.MULTILINE), entries


def test_examples_are_shown_without_prompts():
    source = "```python\n>>> x = 1\n>>> x +\\\n... 1\n2\n```"
    assert shown(source, "index.md", known()) == (
        "```python\nx = 1\nx +\\\n1\n```\n\n```{ .text .output .no-copy }\n2\n```")


def test_links_to_sources_are_shown_as_paths():
    """Those to notebooks, and to what is beside docs/, lead to their pages."""
    assert shown("[digits](../tutorials/digits.ipynb)", "start/quick-start.md", known()) == \
        "[digits](../tutorials/digits.md)"
    assert shown("[how](../../CONTRIBUTING.md#words)", "guides/primitives.md", known()) == \
        "[how](../about/contributing.md#words)"
    assert shown("[the table](../src/adjoint/ad.py)", "devices.md", known()) == "the table (`src/adjoint/ad.py`)"
    assert shown("[pages](docs/devices.md#pmap)", "about/contributing.md", known()) == "[pages](../devices.md#pmap)"
