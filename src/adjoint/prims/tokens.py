"""Tokens, which order effects and have no value, and `dce_sink`, which keeps values alive."""

from __future__ import annotations

from ..core.dtypes import float0
from ..core.effects import Effect
from ..core.primitive import Primitive
from ..core.types import AbstractValue, ShapedArray, register_aval

__all__ = ["Token", "after_all", "create_token", "dce_sink"]


class Token:
    """What an operation gives to those that must follow it."""

    __slots__ = ()


class AbstractToken(AbstractValue):
    """The type of tokens."""

    __slots__ = ()

    shape = ()
    ndim = size = 0
    dtype = float0
    weak_type = False

    def str_short(self, short_dtypes=False, **_) -> str:
        return "Tok"

    def to_tangent_aval(self) -> ShapedArray:
        return ShapedArray((), float0)

    __str__ = __repr__ = str_short


_token = AbstractToken()
register_aval(Token, lambda _: _token)

create_token = Primitive("create_token")
create_token.type(lambda: _token)
create_token.evaluate(lambda: Token())
create_token.eager(lambda args, params: Token())
create_token.batch(lambda args, dims: (create_token(), None))

after_all = Primitive("after_all")
after_all.type(lambda *_: _token)
after_all.evaluate(lambda *_: Token())
after_all.eager(lambda args, params: Token())
after_all.batch(lambda args, dims: (after_all(*args), None))


class DceSinkEffect(Effect):
    """A value is wanted, though nothing uses it."""

    __slots__ = ()


_wanted = frozenset((DceSinkEffect(),))

dce_sink = Primitive("dce_sink", multiple_results=True)
dce_sink.type(lambda x, *, prevent_mlir_dce: [])
dce_sink.evaluate(lambda x, *, prevent_mlir_dce: [])
dce_sink.effects(lambda params: _wanted)
dce_sink.jvp(lambda primals, tangents, *, prevent_mlir_dce: (
    dce_sink(*primals, prevent_mlir_dce=prevent_mlir_dce), []
))
dce_sink.batch(lambda args, dims, **params: (dce_sink(*args, **params), []))
dce_sink.examples((ShapedArray((2, 3), "float32"), dict(prevent_mlir_dce=False)))
