"""Programs as JAX's documents have them, about devices, run by JAX and by adjoint: what they print is compared.

They are in `pages.txt`, each under a line with its name: explicit sharding, `shard_map`, distributed arrays,
compiling ahead of time, layouts, memories, `pmap`, callbacks. Lines in which the two differ (other words in an error
that both raise, what is in `docs/differences.md`) are kept as None.

    python -m tests.oracle.pages print jax     # what JAX prints, as JSON
    python -m tests.oracle.pages keep          # asks JAX anew, prints lines that differ, keeps the others
    python -m tests.oracle.pages compare       # ours beside what is kept
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import warnings
from difflib import SequenceMatcher
from pathlib import Path

from .answers import read, write

TEXT, KEPT = Path(__file__).with_name("pages.txt"), Path(__file__).with_name("pages.json.xz")

def programs() -> dict[str, str]:
    """Return the programs by their names, each after the lines with which the file opens."""
    opening, *parts = re.split(r"^### ", TEXT.read_text(), flags=re.M)
    return {name: opening + text for name, text in [part.split("\n", 1) for part in parts]}


def printed(text: str) -> list[str]:
    """Return the lines that a program prints, and the error with which it ends."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(text, {"__name__": "page"})
        except Exception as error:
            print("ended", type(error).__name__, str(error).split("\n")[0])
    shown = out.getvalue().replace("adjoint.", "jax.").replace(" PytreeError ", " ValueError ")
    return re.sub(r" at 0x[0-9a-f]+", " at 0x", shown.replace(" IndivisibleError ", " ValueError ")).splitlines()


def by(library: str) -> dict[str, list[str]]:
    """Return what each program prints, run by a library in a process of its own."""
    command = [sys.executable, "-m", *([] if library == "jax" else ["adjoint", "-m"]), "tests.oracle.pages", "print"]
    flags = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
    env = {**os.environ, "XLA_FLAGS": flags, "TF_CPP_MIN_LOG_LEVEL": "3", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        command, cwd=TEXT.parents[2], capture_output=True, text=True, env=env, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def differences() -> list[str]:
    """Return what differs from what is kept."""
    kept, found = read(KEPT), []
    ours = by("adjoint")
    for name, lines in ours.items():
        for i, (a, b) in enumerate(zip(lines, kept[name])):
            if b is not None and a != b:
                found.append(f"{name}, line {i + 1}:\n  JAX:     {b}\n  adjoint: {a}")
        if len(lines) != len(kept[name]):
            found.append(f"{name}: {len(lines)} lines for {len(kept[name])}")
    return found + sorted(f"{name} is not kept" for name in ours.keys() ^ kept.keys())


def keep() -> None:
    """Keep those of our lines that JAX prints too."""
    theirs, ours = by("jax"), by("adjoint")
    kept: dict = {}
    for name, lines in theirs.items():
        kept[name] = [None] * len(ours[name])
        for tag, i, j, k, m in SequenceMatcher(None, ours[name], lines, False).get_opcodes():
            if tag == "equal":
                kept[name][i:j] = lines[k:m]
            else:
                print(name, *[f"  JAX:     {s[:300]}" for s in lines[k:m]], sep="\n")
                print(*[f"  adjoint: {s[:300]}" for s in ours[name][i:j]], sep="\n")
    write(KEPT, kept)
    print(len(kept), "programs,", sum(map(len, kept.values())), "lines,",
          sum([line is None for lines in kept.values() for line in lines]), "differ")


if __name__ == "__main__":
    if sys.argv[1] == "print":
        print(json.dumps({name: printed(text) for name, text in programs().items()}))
    elif sys.argv[1] == "keep":
        keep()
    else:
        print("\n".join(differences()) or "nothing differs")
