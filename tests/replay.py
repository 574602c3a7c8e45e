"""The text of every stage, hashed: a change of structure leaves it as it is, a change of code generation does not.

`make replay` makes the printed jaxpr, the StableHLO text and the native text of each primitive's examples and of the
programs of `tests/engines/stress.py`, for one processor and without running any, and compares their hashes with those
of `replay.json`. `make replay ARGS=keep` writes the hashes anew, in the commit that means to change them;
`make replay ARGS="show NAME"` prints the texts of one program.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

PROCESSOR = "x86-64-v3"
SETTINGS = {"ADJOINT_NATIVE_CPU": PROCESSOR, "ADJOINT_CACHE_DIR": "off", "ADJOINT_NUM_THREADS": "2"}
STAGES = ("jaxpr", "stablehlo", "native")
KEPT = Path(__file__).with_name("replay.json")


def programs() -> dict[str, Callable]:
    """By name, what makes the jaxpr of a program."""
    from tests.engines import stress
    from tests.prims import harness

    import adjoint as ax

    def of_examples(primitive):
        calls = harness.examples(primitive)

        def every(*operands):
            given = iter(operands)
            return [x for c in calls for x in c(*[next(given) for _ in c.operands])]

        return ax.make_jaxpr(every, axis_env=[("i", 4)])(*[x for c in calls for x in c.operands])

    def of_program(f):
        return ax.make_jaxpr(f)(stress.operand(9))

    named = sorted(harness.all_primitives(), key=lambda p: p.name)
    made = {f"examples of {p.name}": lambda p=p: of_examples(p) for p in named if p.examples is not None}
    return made | {f"program {name}": lambda f=f: of_program(f) for name, f in stress.PROGRAMS.items()}


def texts(closed) -> tuple[str, ...]:
    """The printed jaxpr, the StableHLO text, the native text: code of the kernels, and the table that calls them.

    A program that an engine refuses has the error's class instead.
    """
    from adjoint.engines.xla.module import module_text

    return str(closed), _attempt(module_text, closed, "program"), _attempt(_native, closed)


def _attempt(make: Callable[..., str], *args) -> str:
    try:
        return make(*args)
    except Exception as error:
        return type(error).__name__


def _native(closed) -> str:
    from adjoint.engines.native.program import executable, table

    for known in (table._kernels, executable._modules):
        known.clear()  # names in a text do not depend on the programs before
    made = table.Executable(closed)
    _, in_arena, rows, size, patches, runs = made._template
    cells = [cell for k in made._kernels for cell in k.cells.values()]
    table = [(cells.index(cell), at) for cell, at in rows], in_arena.tolist(), patches.tolist(), runs, size
    return "\n".join([k.text for k in made._kernels] + [repr(table)])


def hashes(only: str = "") -> Iterator[tuple[str, list[str]]]:
    """Names of programs, and for each stage the beginning of a hash."""
    import adjoint as ax

    with ax.enable_x64(True):
        for name, make in programs().items():
            if only in name:
                yield name, [sha256(text.encode()).hexdigest()[:12] for text in texts(make())]


def differences(kept: dict[str, list[str]], found: dict[str, list[str]]) -> list[str]:
    """A line for each program whose texts are others."""
    lines = [f"{name}: is not kept" for name in found if name not in kept]
    for name, before in kept.items():
        if name not in found:
            lines.append(f"{name}: is kept and was not made")
        elif others := [stage for stage, a, b in zip(STAGES, before, found[name]) if a != b]:
            lines.append(f"{name}: {', '.join(others)}")
    return lines


def main(action: str = "compare", *names: str) -> int:
    if {**os.environ, **SETTINGS} != dict(os.environ):
        os.execve(sys.executable, [sys.executable, "-m", "tests.replay", action, *names], {**os.environ, **SETTINGS})
    if action == "show":
        import adjoint as ax

        with ax.enable_x64(True):
            print(*texts(programs()[" ".join(names)]()), sep="\n\n")
        return 0
    found = dict(hashes())
    if action == "keep":
        lines = [f"{json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found)]
        KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf8")
        return 0
    lines = differences(json.loads(KEPT.read_text(encoding="utf8")), found)
    print("\n".join(lines) or f"{len(found)} programs: every text is as it was")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
