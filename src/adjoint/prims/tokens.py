"""Tokens, which order effects and have no value, `dce_sink`, which keeps values alive, and `stage`."""

from __future__ import annotations

from ..array.array import as_array
from ..core.effects import Effect
from ..core.primitive import Primitive
from ..core.types import Array, ShapedArray, register_aval
from ..core.values.tokens import Token, abstract_token

__all__ = ["Token", "abstract_token", "after_all", "create_token", "dce_sink", "stage"]


register_aval(Token, lambda _: abstract_token)

create_token = Primitive("create_token")
create_token.type(lambda: abstract_token)
create_token.evaluate(lambda: Token())
create_token.eager(lambda args, params: Token())
create_token.batch(lambda args, dims: (create_token(), None))

after_all = Primitive("after_all")
after_all.type(lambda *_: abstract_token)
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

# The value itself, as one of whatever is being written: it leaves no trace in a program.
stage = Primitive("stage", linear=True)
stage.type(lambda x: x)
stage.evaluate(lambda x: x)
stage.eager(lambda args, params: as_array(args[0]))
stage.stage(lambda trace, args, params: args[0] if isinstance(args[0], Array) else trace.tracer(trace.atom(args[0])))
stage.transpose(lambda ct, x: [ct])
stage.batch(lambda args, dims: (stage(*args), dims[0]))
stage.examples((ShapedArray((2, 3), "float32"),))
