"""The sweep: ask JAX, run ours, compare, report.

    python -m tests.oracle.sweep ask     --count 20 --only 'jnp'      # JAX's answers, into the folder
    python -m tests.oracle.sweep compare --count 20 --only 'jnp'      # ours beside them: the report
    python -m tests.oracle.sweep add     --count 2 --report report0of2   # what differed and agrees, into the sample
"""

from __future__ import annotations

import argparse
import importlib
import json
import lzma
import os
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from zlib import crc32

SAMPLE = Path(__file__).with_name("sample.json.xz")
PATIENCE_S = 240                                        # seconds in which a process says what it is doing
MOST_MEMORY = 1_500_000_000                             # bytes that JAX may fill
TOGETHER = 48                                           # answers that one program computes
FLAGS = """
--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1
--xla_llvm_disable_expensive_passes=true --xla_llvm_enable_alias_scope_metadata=false
--xla_llvm_enable_noalias_metadata=false
"""
PARTS = """
numpy lax nn nn.initializers random image ops dtypes tree tree_util flatten_util scipy.special scipy.linalg scipy.signal
scipy.fft scipy.integrate scipy.ndimage scipy.cluster.vq scipy.stats scipy.optimize scipy.sparse.linalg
scipy.interpolate scipy.spatial.transform
"""


def library(name):
    """Return one of the two libraries."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("XLA_FLAGS", " ".join(FLAGS.split()))
    os.environ.setdefault("ADJOINT_CACHE_DIR", "off")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if name == "jax":
        import jax as m
        m.config.update("jax_traceback_filtering", "off")
    else:
        import adjoint as m
    for each in PARTS.split():
        importlib.import_module(f"{m.__name__}.{each}")
    return m


def chosen(options, m):
    """Yield the programs of this part of the sweep, by function."""
    from .programs import programs
    by_function = defaultdict(list)
    for program in programs(m, options.count, options.seed, options.only):
        by_function[program.function].append(program)
    part, parts = map(int, options.part.split("/"))
    for i, (function, found) in enumerate(sorted(by_function.items())):
        if i % parts == part:
            yield function, found


class Journal:
    """What a process is doing, in a file that outlives it."""

    def __init__(self, path):
        self.file = open(path, "w+b", buffering=0)

    def write(self, text):
        """Replace the text."""
        raw = text.encode()
        self.file.truncate(len(raw))
        self.file.seek(0)
        self.file.write(raw)


def path_of(folder, function):
    """Return the file of a function's answers."""
    return Path(folder) / (re.sub(r"[^\w.]", "_", function) + ".json.xz")


def read(path):
    """Return the answers of a file."""
    return json.loads(lzma.open(path, "rt").read()) if path.exists() else {}


def ask(options):
    """Ask JAX for the answers that the folder does not have."""
    from . import modes
    m = library("jax")
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(folder / f"journal{options.part.replace('/', 'of')}")
    for function, found in chosen(options, m):
        path = path_of(folder, function)
        kept, start, new, waiting = read(path), time.time(), 0, defaultdict(list)
        together = 1 if f"together: {function}" in options.crashed else TOGETHER
        for program in found:
            record = kept.setdefault(program.key, {"text": program.text, "operands": program.operands, "answers": {}})
            for mode in modes.modes_of(program):
                if mode in record["answers"] or options.modes and mode not in options.modes.split(","):
                    continue
                key = f"{mode}: {program.key}"
                if key in options.crashed:
                    record["answers"][mode] = ["error", "Crash", "", []]
                    continue
                journal.write(key)
                answer, thunk = modes.traced(m, mode, program)
                record["answers"][mode], new = answer, new + 1
                if thunk and mode in modes.VALUED and any(leaf[4] is None for leaf in answer[2]):
                    waiting[mode == "x64"].append((key, mode, answer, *thunk))
        for listed in waiting.values():
            for i in range(0, len(listed), together):
                _compute(m, listed[i:i + together], journal, f"together: {function}")
        if new:
            with lzma.open(path, "wt", preset=1) as f:
                f.write(json.dumps(kept))
            print(f"{function}: {new} in {time.time() - start:.1f} s", flush=True)
            if _memory() > MOST_MEMORY:
                m.clear_caches()                        # what JAX keeps of programs would fill the memory


def _memory() -> int:
    """Return how many bytes this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _compute(m, listed, journal, function):
    """Fill in the numbers of answers, by one program for all."""
    from . import modes
    journal.write(listed[0][0] if len(listed) == 1 else function)
    try:
        with modes.context(m, listed[0][1]):
            found = m.jit(lambda every: [f(*args) for (_, _, _, f, _), args in zip(listed, every, strict=True)])(
                [args for *_, args in listed])
    except Exception as e:
        half = len(listed) // 2
        if half:
            _compute(m, listed[:half], journal, function)
            _compute(m, listed[half:], journal, function)
        else:
            listed[0][2][:] = modes.failure(e)
        return
    for (_, _, answer, _, _), numbers in zip(listed, found, strict=True):
        modes.fill(answer, numbers)


def compare(options):
    """Run ours, and report what differs."""
    m = library("adjoint")
    counts = Counter()
    folder = Path(options.folder)
    part, parts = map(int, options.part.split("/"))
    journal = Journal(folder / f"ours{options.part.replace('/', 'of')}")
    report = open(options.report + options.part.replace("/", "of"), "w")
    paths = [path for path in sorted(folder.glob("*.json.xz")) if re.search(options.only, path.name)]
    for path in paths[part::parts]:
        for function, record in ((path.name.removesuffix(".json.xz"), r) for r in read(path).values()):
            for mode in record["answers"]:
                if options.modes and mode not in options.modes.split(","):
                    continue
                key = "; ".join([f"{mode}: ", *record["operands"], record["text"]])
                journal.write(key)
                mine = ["error", "Crash", "", []] if key in options.crashed else None
                found = compared(m, function, record, mode, mine)
                if found is None:
                    continue
                kind, mine, what = found
                counts["calls"] += 1
                counts[kind] += 1
                if kind not in ("same", "accepted"):
                    row = [function, mode, kind, what, record["text"], record["operands"], mine[:3],
                        record["answers"][mode][:3]]
                    print(json.dumps(row), file=report, flush=True)
    print(json.dumps(counts), flush=True)


def compared(m, function, record, mode, mine=None):
    """Return (kind of the difference, our answer, what differs), or None where JAX has no answer."""
    from . import accepted, modes
    from .differences import CANCELS, coarseness, difference
    from .programs import Program
    theirs = record["answers"][mode]
    if theirs[0] == "error" and theirs[1] in ("Skip", "Crash", "Hang"):
        return None
    program = Program(function, record["text"], tuple(record["operands"]))
    mine = mine or modes.run(m, mode, program)
    found = difference(mode, mine, theirs, record["answers"].get("eager"), bool(CANCELS.search(program.text)),
        coarseness(program))
    if not found:
        return "same", mine, ""
    eager = record["answers"].get("eager", ["value"])
    if found[0] == "refuses" and eager[0] == "error" and eager[1] in mine[3]:
        return "accepted", mine, "JAX refuses it too, when it compiles it and not when it traces it"
    reason = accepted.reason(program, mode, found, mine, theirs)
    return ("accepted", mine, reason) if reason else (found[0], mine, found[1])


def keep(options):
    """Write the sample that the tests run: a few programs of each function, in a few modes, that agree."""
    m = library("adjoint")
    sample = {}
    for path in sorted(Path(options.folder).glob("*.json.xz")):
        kept = []
        for record in sorted(read(path).values(), key=lambda r: crc32(r["text"].encode()))[:options.count]:
            answers, theirs = {}, record["answers"]
            rest = sorted(set(theirs) - {"eager"}, key=lambda mode: crc32((mode + record["text"]).encode()))
            for mode in ["eager", *rest[:3]]:
                found = mode in theirs and compared(m, path.name, record, mode)
                if found and found[0] in ("same", "accepted"):
                    answers[mode] = _short(theirs[mode])
            if answers:
                kept.append({"text": record["text"], "operands": record["operands"], "answers": answers})
        if kept:
            sample[path.name.removesuffix(".json.xz")] = kept
    _write(sample)


def add(options):
    """Add programs of a report, which differed once and agree, to the sample: few of each function and difference."""
    m = library("adjoint")
    sample, taken = json.loads(lzma.open(SAMPLE, "rt").read()), Counter()
    found = defaultdict(list)
    for line in open(options.report):
        function, mode, kind, _, text, operands, *_ = json.loads(line)
        found[function, text, *operands].append((mode, kind))
    for (function, text, *operands), differences in found.items():
        kinds = {kind for _, kind in differences}
        if all(taken[function, kind] >= options.count for kind in kinds):
            continue
        theirs = _answers(options.folder.split(","), function, text, operands)
        modes = {mode: theirs[mode] for mode in ["eager", *dict(differences)][:4] if mode in theirs}
        record = {"text": text, "operands": operands, "answers": modes}
        if not modes or any((compared(m, function, record, mode) or "?")[0] != "same" for mode in modes):
            continue
        taken.update((function, kind) for kind in kinds)
        record["answers"] = {mode: _short(answer) for mode, answer in modes.items()}
        if record not in sample.setdefault(function, []):
            sample[function].append(record)
    _write(sample)


def _answers(folders, function, text, operands):
    for folder in folders:
        for record in read(path_of(folder, function)).values():
            if record["text"] == text and record["operands"] == operands:
                return record["answers"]
    return {}


def _short(answer):
    return answer if answer[0] == "value" else [*answer[:2], answer[2][:48], []]


def _write(sample):
    with lzma.open(SAMPLE, "wt", preset=9 | lzma.PRESET_EXTREME) as f:
        f.write(json.dumps(sample, separators=(",", ":")))
    print(sum(len(r["answers"]) for kept in sample.values() for r in kept), "calls,", SAMPLE.stat().st_size, "bytes")


def supervise(options):
    """Run the parts in processes of their own; one that dies or hangs is started again without the call it was in."""
    parts = options.processes
    running, crashed, started = {}, [[] for _ in range(parts)], {}

    def start(i):
        started[i] = time.time()
        line = [sys.executable, "-m", "tests.oracle.sweep", options.what, "--part", f"{i}/{parts}", "--count",
            str(options.count), "--seed",
                str(options.seed), "--only", options.only, "--folder", options.folder, "--report", options.report,
                    "--modes", options.modes]
        return subprocess.Popen([*line, *(x for key in crashed[i] for x in ("--crashed", key))])

    running = {i: start(i) for i in range(parts)}
    while running:
        time.sleep(.5)
        for i, process in list(running.items()):
            status = process.poll()
            journal = Path(options.folder) / (("journal" if options.what == "ask" else "ours") + f"{i}of{parts}")
            if status is None:
                if journal.exists() and time.time() - max(journal.stat().st_mtime, started[i]) > PATIENCE_S:
                    process.kill()                      # a loop in compiled code, which no signal interrupts
                continue
            if status < 0:
                crashed[i].append(journal.read_text())
                print("died of signal", -status, "in", crashed[i][-1], flush=True)
                running[i] = start(i)
            else:
                del running[i]


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["ask", "compare", "keep", "add", "list"])
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--modes", default="")
    parser.add_argument("--folder", default="/tmp/sweep/answers")
    parser.add_argument("--report", default="/tmp/sweep/report")
    parser.add_argument("--part", default="")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--crashed", action="append", default=[])
    options = parser.parse_args()
    if options.what == "list":
        options.part = "0/1"
        for function, found in chosen(options, library("jax")):
            for program in found:
                print(function, "|", program.key)
    elif options.what in ("keep", "add"):
        {"keep": keep, "add": add}[options.what](options)
    elif not options.part:
        supervise(options)
    else:
        {"ask": ask, "compare": compare}[options.what](options)


if __name__ == "__main__":
    main()
