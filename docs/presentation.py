"""How the site shows the Markdown of a page.

In the sources examples have prompts, because the tests run them. On the site code stands without prompts, so that it
can be copied, and what it prints stands below it. Links to files that are no pages are shown as their paths.

Tests: `tests/docs/test_site.py`.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

__all__ = ["COPIED", "LINK", "shown"]

ROOT = Path(__file__).resolve().parents[1]
# Pages that are beside docs/. Links in the sources lead to files that a checkout has, and so do those to notebooks.
COPIED = {"about/changelog.md": "CHANGELOG.md", "about/contributing.md": "CONTRIBUTING.md"}
LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s#]*)(#[^)\s]*)?\)")
_BLOCK = re.compile(r"^(?P<indent>[ ]*)```python\n(?P<body>(?:.*\n)*?)(?P=indent)```[ ]*$", re.MULTILINE)


def shown(markdown: str, name: str, known: set[str]) -> str:
    """The Markdown of a page as the site shows it.

    Args:
      markdown: the source.
      name: of the page, in docs/.
      known: the names of all pages.
    """
    return _BLOCK.sub(_without_prompts, LINK.sub(lambda link: _to_page(link, name, known), markdown))


def _to_page(link: re.Match, name: str, known: set[str]) -> str:
    """A link to a page, or the path of what is none."""
    text, target, anchor = link.groups()
    if not target or "://" in target or target.startswith("mailto:"):
        return link[0]
    path = ((ROOT if name in COPIED else (ROOT / "docs" / name).parent) / target).resolve()
    inside = path.relative_to(ROOT).as_posix()
    page = next((to for to, source in COPIED.items() if source == inside), inside.removeprefix("docs/"))
    if page.startswith("tutorials/") and page.endswith(".ipynb"):
        page = page.removesuffix(".ipynb") + ".md"
    page = "index.md" if page in ("docs", ".", "README.md") else page
    if page in known:
        return f"[{text}]({'../' * name.count('/')}{page}{anchor or ''})"
    return f"`{inside}`" if text.strip("`") in (inside, target) else f"{text} (`{inside}`)"


def _without_prompts(block: re.Match) -> str:
    """A block of examples as blocks of code and blocks of what they print."""
    indent = block["indent"]
    text = "".join(f"{line[len(indent):]}\n" for line in block["body"].splitlines())
    if ">>> " not in text:
        return block[0]
    parts: list[tuple[str, str]] = []
    for example in doctest.DocTestParser().get_examples(text):
        if parts and parts[-1][0] == "python":
            parts[-1] = "python", parts[-1][1] + example.source
        else:
            parts.append(("python", example.source))
        if example.want:
            kind = ".output .error" if example.exc_msg else ".output"
            parts.append((f"{{ .text {kind} .no-copy }}", example.want.replace("<BLANKLINE>", "")))
    lines = [line for kind, part in parts for line in (f"```{kind}", *part.rstrip("\n").splitlines(), "```", "")]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines[:-1])
