"""Functions of vectors that a module has once: a call is quicker to compile than the same body at each place.

`shared(b, name, body, *xs)` calls a function whose body is written for the lanes of `b` when it is first called.
Short ones are `inlined` in the code that is to stay. In those with loops, which series and fractions are made of,
`iterate` takes turns until the last lane has converged, and lanes that have stay as they are: a result does
not depend on its neighbours. `where_any` computes what only some lanes need if there are such.

Tests: `tests/engines/native/functions/test_special_functions.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from .builder import BOOL, F64, Builder, Value, llvm_type

__all__ = ["all_of", "iterate", "shared", "where_any"]


def shared(b: Builder, name: str, body: Callable, *xs: Value, inlined: bool = False) -> Value:
    """body(builder, *operands), as a call; the result has the dtype of the first operand."""
    module, dtype = b.module, xs[0].dtype
    t, symbol = b.type(dtype), f"shared.{name}.v{b.lanes}{llvm_type(dtype)}"
    if symbol not in module.written:
        module.written.add(symbol)
        types = ", ".join([f"{b.type(x.dtype)} %given{i}" for i, x in enumerate(xs)])
        head = f"internal {t} @{symbol}({types}){' alwaysinline' if inlined else ''}"
        with module.function(head, is_void=False) as lines:
            inner = Builder(module, b.lanes, lines)
            out = body(inner, *[inner.value(f"%given{i}", x.dtype) for i, x in enumerate(xs)])
            inner.line(f"ret {t} {out.text}")
    return b.new(f"call {t} @{symbol}({', '.join([f'{b.type(x.dtype)} {x.text}' for x in xs])})", dtype)


def all_of(b: Builder, *flags: Value) -> Value:
    """Lane by lane, whether all flags hold."""
    out = flags[0]
    for flag in flags[1:]:
        out = out & flag
    return out


def _place(b: Builder, value: Value) -> str:
    name = b.module.fresh("state")
    b.module.allocas.append(f"  {name} = alloca {b.type(value.dtype)}")
    _put(b, name, value)
    return name


def _put(b: Builder, place: str, value: Value) -> None:
    b.line(f"store {b.type(value.dtype)} {value.text}, ptr {place}")


def _get(b: Builder, place: str, dtype) -> Value:
    return b.new(f"load {b.type(dtype)}, ptr {place}", dtype)


def where_any(b: Builder, flags: Value, otherwise: Value, function: Callable) -> Value:
    """Return `function()` where the flags hold, else `otherwise`; it is not computed where none does."""
    place = _place(b, otherwise)
    some, done = b.module.fresh("some"), b.module.fresh("done")
    b.line(f"br i1 {b.any(flags).text}, label {some}, label {done}")
    b.label(some)
    _put(b, place, b.select(flags, function(), otherwise))
    b.line(f"br label {done}")
    b.label(done)
    return _get(b, place, otherwise.dtype)


def iterate(b: Builder, going: Value, start, step: Callable, most: float) -> list[Value]:
    """Return `step(going, k, *values) -> values, whether to go on`, for k = 1, 2, ... up to `most`, of lanes that go
    on.
    """
    places, flags = [_place(b, v) for v in start], _place(b, going)
    counter = _place(b, b.const(1, F64))
    head, turn, done = [b.module.fresh(stem) for stem in ("head", "turn", "done")]
    b.line(f"br label {head}")
    b.label(head)
    going, k = _get(b, flags, BOOL), _get(b, counter, F64)
    more = going & (k <= most)
    b.line(f"br i1 {b.any(more).text}, label {turn}, label {done}")
    b.label(turn)
    old = [_get(b, p, v.dtype) for p, v in zip(places, start)]
    new, on = step(going, k, *old)
    for place, before, after in zip(places, old, new):
        _put(b, place, b.select(going, after, before))
    _put(b, flags, going & on)
    _put(b, counter, k + 1)
    b.line(f"br label {head}")
    b.label(done)
    return [_get(b, p, v.dtype) for p, v in zip(places, start)]
