"""Files of JAX's answers to generated programs, and the command line that asks for them, compares and keeps a sample.

`nestings.py` and `meshes.py` make the programs.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Callable
from pathlib import Path

__all__ = ["ENDED", "read", "run_command", "write"]

ENDED = "JAX ended the process"


def read(path) -> dict:
    """Return answers by text."""
    path = Path(path)
    return json.loads(lzma.open(path, "rt").read()) if path.exists() else {}


def write(path, answers: dict) -> None:
    """Keep answers."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt", preset=9 | lzma.PRESET_EXTREME) as f:
        f.write(json.dumps(answers, separators=(",", ":")))


def run_command(
    sample: Path, kept_in: str, programs: Callable, library: Callable, answer: Callable, difference: Callable,
    batch: int, programs_of_a_cache: int,
) -> None:
    """Read the command line and do what it says: ask JAX, compare, keep a sample, or list programs.

    Args:
      sample: the file of the sample that the tests run.
      kept_in: where answers are kept, unless the command line says it.
      programs: (seed, count) -> texts of programs.
      library: name -> module.
      answer: (module, text) -> answer.
      difference: (our answer, JAX's, text) -> what differs.
      batch: after so many programs the answers are written.
      programs_of_a_cache: after so many JAX forgets what it compiled.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["ask", "compare", "keep", "list"])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--answers", default=kept_in)
    options = parser.parse_args()
    answers = read(options.answers)
    if options.what == "list":
        print("\n\n".join(programs(options.seed, options.count)))
    elif options.what == "ask":
        asked = Path(options.answers + ".asked")
        if asked.exists():  # the process ended with this program
            answers[asked.read_text()] = {"notes": [], "error": ["SystemExit"], "text": ENDED}
        for i, text in enumerate(programs(options.seed, options.count), 1):
            if text not in answers:
                Path(options.answers).parent.mkdir(parents=True, exist_ok=True)
                asked.write_text(text)
                answers[text] = answer(library("jax"), text)
            if i % batch == 0:
                write(options.answers, answers)
                print(i, flush=True)
            if i % programs_of_a_cache == 0:
                library("jax").clear_caches()
        write(options.answers, answers)
        asked.unlink(missing_ok=True)
    elif options.what == "compare":
        different = 0
        for text, theirs in list(answers.items())[: options.count]:
            found = difference(answer(library("adjoint"), text), theirs, text)
            different += bool(found)
            if found:
                print(f"{found}\n    " + text.replace("\n", "\n    "), flush=True)
        print(min(len(answers), options.count), "programs,", different, "differ")
    else:
        same = [t for t, a in answers.items() if not difference(answer(library("adjoint"), t), a, t)]
        chosen = sorted(same, key=len)[:: max(1, len(same) // options.count)][: options.count]
        write(sample, {t: answers[t] for t in chosen})
        print(len(chosen), "programs,", sample.stat().st_size, "bytes")
