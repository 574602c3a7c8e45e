"""What `mkdocs` is told beside mkdocs.yml: pages that are generated, and how examples and links are shown.

Generated are: the reference, from the docstrings (`reference_pages.py`); the notebooks, which are run (`notebooks.py`);
and the changelog and the contributor's guide, which are beside `docs/`. `presentation.py` changes what pages show.

Tests: `tests/docs/test_site.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "docs")]

from notebooks import executed  # noqa: E402
from presentation import COPIED, shown  # noqa: E402
from reference_pages import pages  # noqa: E402


def on_files(files, config):
    """Add the pages that are generated."""
    for name, text in pages().items():
        files.append(File.generated(config, name, content=text))
    for source in sorted((ROOT / "docs/tutorials").glob("*.ipynb")):
        for name, content in executed(source).items():
            files.append(File.generated(config, f"tutorials/{name}", content=content))
    for name, source in COPIED.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf8")))
    return files


def on_page_markdown(markdown, page, config, files):
    """Show examples without prompts, and links to sources as paths."""
    known = {file.src_uri for file in files.documentation_pages()}
    return shown(markdown, page.file.src_uri, known)
