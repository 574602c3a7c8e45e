"""The ways to run a program, and what is kept of an answer.

An answer is `["error", class, first line, classes]` or `["value", structure, leaves]`; a leaf is
`[class, dtype, shape, weak, numbers]`, with None for numbers that nobody computed. A mode makes of a program a function
and its arguments; ours is run, JAX's is traced, for types and errors, and compiled with many others for values: each
compilation costs it tens of milliseconds. `jit` and `scan` have the values of the eager call (`differences.py`).
"""

from __future__ import annotations

import contextlib
import re
import signal
import warnings

import numpy as np

from . import values
from .programs import Program

MOST = 192                                              # elements that are kept of an array
PATIENCE_S = 120                                        # seconds for one call
MODES = ["eager", "jit", "ranks", "dtypes", "x64", "vmap0", "vmap1", "vmap2", "jvp", "grad", "jvp2", "grad2", "remat",
         "scan0", "scan1", "scan3"]
PLAIN = {"eager", "x64", "ranks", "dtypes"}             # the program itself, under some options
VALUED = {"eager", "x64", "vmap0", "vmap1", "vmap2", "jvp", "grad", "jvp2", "grad2"}


class Hang(BaseException):
    """Raised where a call takes too long."""


def _tired(*_):
    raise Hang


@contextlib.contextmanager
def _guarded(m, mode):
    signal.signal(signal.SIGALRM, _tired)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), context(m, mode):
            warnings.simplefilter("ignore")
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def context(m, mode):
    """Set the options of a mode."""
    with contextlib.ExitStack() as stack:
        if mode == "ranks":
            stack.enter_context(m.numpy_rank_promotion("raise"))
        if mode == "dtypes":
            stack.enter_context(m.numpy_dtype_promotion("strict"))
        if mode == "x64":
            stack.enter_context(m.enable_x64(True))
        yield


def run(m, mode, program: Program):
    """Return the answer of a library that is run."""
    try:
        with _guarded(m, mode):
            f, args = function_of(m, mode, program)
            return ["value", *described(m, (m.jit(f) if mode in ("jit",
                "remat") or mode.startswith("scan") else f)(*args))]
    except Hang:
        return ["error", "Hang", "", []]
    except Exception as e:
        return failure(e)


def failure(e):
    """Return the answer that an exception is."""
    return ["error", type(e).__name__, str(e).strip().split("\n")[0][:200], [c.__name__ for c in type(e).__mro__[:-3]]]


def traced(m, mode, program: Program):
    """Return the answer without numbers, and what computes them: a function that returns them, and its arguments."""
    kept = []

    def wrapped(*args):
        out = f(*args)
        numbers = []
        kept[:] = described(m, out, numbers)
        return numbers

    try:
        with _guarded(m, mode):
            f, args = function_of(m, mode, program)
            if program.function.startswith("Array:") and mode in PLAIN:
                return ["value", *described(m, f(*args))], None
            try:
                m.make_jaxpr(wrapped)(*args)
                if mode not in PLAIN and any(leaf[0] == "py" for leaf in kept[1]):
                    m.eval_shape(f, *args)              # what is no array can not be returned
            except Exception as e:
                named = type(e).__name__.startswith(CONCRETE) or "Tracer" in str(e)
                if mode in VALUED | PLAIN and named:
                    return ["value", *described(m, f(*args))], None
                raise
            return ["value", *kept], (wrapped, args)
    except Hang:
        return ["error", "Hang", "", []], None
    except Exception as e:
        return failure(e), None


CONCRETE = ("Concretization", "TracerBool", "TracerArray", "TracerInteger", "NonConcrete", "UnexpectedTracer")


def fill(answer, numbers):
    """Put numbers into an answer that has none."""
    numbers = iter(numbers)
    for leaf in answer[2]:
        if leaf[4] is None:
            leaf[4] = _hex(np.asarray(next(numbers)))


def _is_traced(text):
    return text[:2] in ("A(", "N(", "W(", "K(", "R(", "Q(", "S(") or not text[0].isalpha() or text in ("True", "False",
        "nan", "inf")


def _is_array(text):
    return text[:2] in ("A(", "W(", "K(", "R(", "Q(")


def _batched(text):
    return text[:2] in ("A(", "N(", "Q(")


def function_of(m, mode, program: Program):
    """Return what a mode makes of a program: a function and its arguments."""
    found = values.names(m)
    every = [eval(text, found) for text in program.operands]
    at = [i for i, text in enumerate(program.operands)
          if (_is_array if mode in PLAIN else _is_traced)(text)]
    listed = ", ".join(f"a{i}" for i in range(len(every)))
    call = eval(f"lambda {listed}: {program.text}", found)

    def f(*arguments):
        full = list(every)
        for i, argument in zip(at, arguments, strict=True):
            full[i] = argument
        return call(*full)

    ops, texts = [every[i] for i in at], [program.operands[i] for i in at]
    if mode == "remat":
        return m.checkpoint(f), ops
    if mode.startswith("scan"):
        n = int(mode[4:])
        return lambda *xs: m.lax.scan(lambda c, x: (c, f(*x)), 0., xs, length=n)[1], [_stack(m, op, n) for op in ops]
    if mode.startswith("vmap"):
        return _vmap(m, mode, f, ops, texts)
    if mode in ("jvp", "grad", "jvp2", "grad2"):
        return _derivative(m, mode, f, ops)
    return f, ops


def _stack(m, op, n):
    if isinstance(op, m.Array) and m.dtypes.issubdtype(op.dtype, m.dtypes.extended):
        return m.numpy.stack([op] * max(n, 1))[:n]
    return np.broadcast_to(np.asarray(op), (n, *np.shape(op))) if not getattr(op, "weak_type", False) else \
        m.numpy.broadcast_to(op, (n, *op.shape))


def _vmap(m, mode, f, ops, texts):
    at = {"vmap0": 0, "vmap1": -1, "vmap2": 0}[mode]
    batchable = [i for i, text in enumerate(texts) if _batched(text)]
    chosen = {"vmap0": batchable, "vmap1": batchable[:1], "vmap2": batchable[-1:]}[mode]
    new = list(ops)
    for i in chosen:
        x = np.asarray(ops[i])
        y = np.stack([x, x[::-1] if x.ndim else x], at)
        new[i] = m.numpy.asarray(y) if isinstance(ops[i], m.Array) else y
    axes = tuple(at if i in chosen else None for i in range(len(ops)))
    return m.vmap(f, in_axes=axes, out_axes=-1 if mode == "vmap1" else 0), new


def _derivative(m, mode, f, ops):
    at = [i for i, op in enumerate(ops) if _inexact(op)]

    def g(*xs):
        full = list(ops)
        for i, x in zip(at, xs, strict=True):
            full[i] = x
        return f(*full)

    xs = [m.numpy.asarray(ops[i]) for i in at]
    tangents = tuple(_ramp(m, x, k) for k, x in enumerate(xs))

    def forward(*xs):
        return m.jvp(g, xs, tangents)

    def backward(*xs):
        out, pull = m.vjp(g, *xs)
        return pull(m.tree.map(lambda o: _cotangent(m, o), out))

    def twice(*xs):
        out, pull = m.vjp(backward, *xs)
        return pull(m.tree.map(lambda o: _cotangent(m, o), out))

    return {"jvp": forward, "grad": backward, "jvp2": lambda *xs: m.jvp(forward, xs, tangents),
        "grad2": twice}[mode], xs


def _inexact(op):
    if not hasattr(op, "dtype"):
        return isinstance(op, (float, complex))
    return "float" in str(op.dtype) or "complex" in str(op.dtype)


def _ramp(m, x, k):
    y = np.cos(np.arange(x.size) + k).round(2).reshape(x.shape)
    if getattr(x, "weak_type", False):
        unit = .01 - .005j if "complex" in str(x.dtype) else .01
        return m.numpy.asarray(unit) * m.numpy.asarray(np.rint(100 * y).astype("int8"))
    return m.numpy.asarray(y * (1 - .5j) if "complex" in str(x.dtype) else y, x.dtype)


def _cotangent(m, o):
    if not hasattr(o, "dtype") or not _inexact(o):
        return np.zeros(np.shape(o), m.dtypes.float0)
    return _ramp(m, o, 1)


def modes_of(program: Program):
    """Return the modes that say something about a program."""
    found = [text for text in program.operands if _is_traced(text)]
    inexact = any(re.match(r"[ANQS]\('(b?float|complex)|W\('[fc]",
        text) or text[1:2] != "(" and re.search(r"\.|j|nan|inf", text)
                  for text in found)
    batched = sum(map(_batched, found))
    for mode in MODES:
        if mode not in PLAIN and not found:
            continue
        if mode.startswith("vmap") and batched < (2 if mode == "vmap2" else 1):
            continue
        if mode in ("jvp", "grad", "jvp2", "grad2") and not inexact:
            continue
        yield mode


# ---- what is kept


def described(m, value, numbers=None):
    """Return the structure of a value, as text, and its leaves; where `numbers` is a list it gets the traced ones."""
    leaves = []

    def walk(v):
        if isinstance(v, (list, tuple)):
            name = type(v).__name__
            inner = ",".join(map(walk, v))
            return f"[{inner}]" if name == "list" else f"({inner})" if name == "tuple" else f"{name}({inner})"
        if isinstance(v, dict):
            return "{" + ",".join(f"{k}:{walk(v[k])}" for k in v) + "}"
        if v is None or v is Ellipsis:
            return repr(v)
        if isinstance(v, slice):
            return "slice(" + ",".join(map(walk, (v.start, v.stop, v.step))) + ")"
        if isinstance(v, (bool, int, float, complex, str, bytes)):
            leaves.append(["py", type(v).__name__, [], 0, repr(v)])
            return "*"
        if hasattr(v, "dtype") and hasattr(v, "shape"):
            leaves.append(_leaf(m, v, numbers))
            return "*"
        if isinstance(v, (type, np.dtype)):
            return str(v if isinstance(v, np.dtype) else v.__name__)
        if hasattr(v, "dtype") and isinstance(v.dtype, np.dtype):
            return f"scalar type {v.dtype}"
        children = m.tree.leaves(v)
        if not (len(children) == 1 and children[0] is v):
            return f"{type(v).__name__}({','.join(map(walk, children))})"
        return type(v).__name__

    return [walk(value), leaves]


def _leaf(m, v, numbers):
    is_array = isinstance(v, m.Array)
    kind = "Array" if is_array else "np" if isinstance(v, np.ndarray) else "npscalar"
    weak = int(bool(getattr(v, "weak_type", False)))
    keys = m.dtypes.issubdtype(v.dtype, m.dtypes.extended)
    if v.dtype == m.dtypes.float0:
        return [kind, "float0", list(v.shape), 0, ""]
    if not (is_array or hasattr(v, "__array__")):
        return ["type", str(v.dtype), list(v.shape), weak, ""]
    data = None
    if numbers is not None and is_array:
        numbers.append(m.random.key_data(v) if keys else v)
    else:
        numpy = np.asarray(m.random.key_data(v) if keys else v)
        same = keys or not is_array or numpy.dtype == v.dtype
        assert same, f"the memory of an array of {v.dtype} is of {numpy.dtype}"
        data = _hex(numpy)
    return [kind, str(v.dtype), list(v.shape), weak, data]


def _hex(data):
    return data.reshape(-1)[:MOST].tobytes().hex()
