"""What every file keeps to: its length, its name, how it opens, what it leaves out."""

from __future__ import annotations

import re
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "tests", "bench", "examples", "docs", "packaging", "stubs")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
SOURCES = [path for path in FILES if path.is_relative_to(ROOT / "src")]
MOST_LINES = 800
SAY_NOTHING = {"utils", "util", "helpers", "misc", "common"}
NAMED_BY_JAX = {"src/adjoint/experimental/sparse/util.py"}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b")


def text(path):
    """What a file holds."""
    return path.read_text(encoding="utf8")


def check_none(paths):
    """Fail with the files that break a rule."""
    found = "\n".join(str(path.relative_to(ROOT)) for path in paths)
    assert not found, "\n" + found


def test_files_are_short():
    """A file has at most 800 lines; a longer one is split by noun."""
    check_none(p for p in FILES if len(text(p).splitlines()) > MOST_LINES)


def test_names_say_what_a_file_holds():
    """No file or folder is called utils or the like, but for a module that users import by such a name."""
    check_none(
        p for p in FILES
        if SAY_NOTHING & {p.stem, *p.relative_to(ROOT).parts} and str(p.relative_to(ROOT)) not in NAMED_BY_JAX
    )


def test_modules_open_with_a_docstring():
    """Every module that is not empty says what it holds."""
    check_none(
        p for p in FILES if text(p).strip() and first_statement(p)[:2] != [tokenize.STRING, tokenize.NEWLINE]
    )


def first_statement(path):
    """The kinds of its tokens, and none after: to parse all files takes seconds."""
    found, lines = [], iter(text(path).splitlines(keepends=True))
    for token in tokenize.generate_tokens(lambda: next(lines, "")):
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            found.append(token.type)
        if token.type == tokenize.NEWLINE:
            break
    return found


def test_nothing_is_left_to_do():
    """The library and its examples have no notes of unfinished work; those are issues."""
    files = [*SOURCES, *(p for p in FILES if p.is_relative_to(ROOT / "examples"))]
    check_none(p for p in files if UNFINISHED.search(text(p)))


def test_folders_with_many_files_have_a_readme():
    """A folder of the library with more than five modules opens with a README."""
    counts = Counter(p.parent for p in SOURCES if p.stem != "__init__")
    del counts[ROOT / "src" / "adjoint"]
    check_none(d for d, n in counts.items() if n > 5 and not (d / "README.md").exists())


def test_no_test_advances_the_random_numbers_of_others():
    """A module's generator is a `stream`, which begins anew in each test."""
    kept = re.compile(r"^\w+ = .*\b(default_rng|RandomState|Random)\([^()]*\)$", re.MULTILINE)
    check_none(p for p in FILES if p.is_relative_to(ROOT / "tests") and kept.search(text(p)))


def test_tests_ask_jax_by_its_kept_answers():
    """A module of the tests names JAX by `from tests.recorded import jax`; the programs of the stubs are not run."""
    direct = re.compile(r"^(import|from) jax\b", re.MULTILINE)
    tests = [p for p in FILES if p.is_relative_to(ROOT / "tests") and "programs" not in p.parts]
    check_none(p for p in tests if direct.search(text(p)))


def test_files_that_are_named_exist():
    """A page, README or docstring names tests, pages and programs where they are."""
    pages = [p for p in ROOT.glob("*.md") if p.name != "CHANGELOG.md"]
    pages += [p for folder in FOLDERS for p in (ROOT / folder).rglob("*.md")]
    named = re.compile(r"\b(?:tests|docs|bench|examples)/[\w/]+\.(?:py|md)\b")
    found = {f"{p.relative_to(ROOT)}: {name}" for p in (*SOURCES, *pages) for name in named.findall(text(p))}
    assert not sorted(line for line in found if not (ROOT / line.partition(": ")[2]).exists())
