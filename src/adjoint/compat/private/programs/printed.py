"""Parts of programs as documents: names of `jax._src.core` that begin with `pp_`.

Tests: `tests/compat/test_private_documents.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ....core import printing
from ....core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Literal
from ....core.printing import JaxprPpContext, JaxprPpSettings
from ....core.types import AbstractValue
from .documents import Doc, brk, concat, group, nest, text

__all__ = ["pp_aval", "pp_effect", "pp_eqn", "pp_eqns", "pp_jaxpr", "pp_jaxprs", "pp_kv_pair", "pp_kv_pairs",
           "pp_toplevel_jaxpr", "pp_var", "pp_vars"]


def _doc(d: Any) -> Doc:
    """Return a document of ours as one of JAX's."""
    if isinstance(d, str):
        return text(d)
    if isinstance(d, tuple):
        return concat([_doc(x) for x in d])
    if isinstance(d, printing.Break):
        return brk(d.flat)
    if isinstance(d, printing.Nest):
        return nest(d.n, _doc(d.doc))
    if isinstance(d, printing.Remark):
        return text("", annotation=d.text)
    return group(_doc(d.doc))


def pp_jaxpr(jaxpr: Jaxpr, context: JaxprPpContext, settings: JaxprPpSettings) -> Doc:
    """Return a program."""
    return _doc(printing.program_doc(jaxpr, context, settings))


def pp_toplevel_jaxpr(
    jaxpr_to_print: Jaxpr, *, source_info: bool = False, print_shapes: bool = True, custom_pp_eqn_rules: bool = True,
    name_stack: bool = False, print_effects: bool = False,
) -> Doc:
    """Return a program, with those first that occur in it more than once."""
    return text(printing.print_jaxpr(jaxpr_to_print, JaxprPpSettings(
        print_shapes=print_shapes, source_info=source_info, name_stack=name_stack,
        custom_pp_eqn_rules=custom_pp_eqn_rules, print_effects=print_effects)))


def pp_jaxprs(jaxprs: Sequence[ClosedJaxpr | Jaxpr], context: JaxprPpContext, settings: JaxprPpSettings) -> Doc:
    """Return programs, in parentheses."""
    docs = [pp_jaxpr(j.jaxpr if isinstance(j, ClosedJaxpr) else j, context, settings) for j in jaxprs]
    inside = concat([part for d in docs for part in (brk(), d)][1:])
    return group(concat([nest(2, concat([text("( "), brk(""), inside])), brk(""), text(")")]))


def pp_eqn(eqn: JaxprEqn, context: JaxprPpContext, settings: JaxprPpSettings) -> Doc:
    """Return an equation."""
    return _doc(printing.equation_doc(eqn, context, settings))


def pp_eqns(eqns: Sequence[JaxprEqn], context: JaxprPpContext, settings: JaxprPpSettings) -> Doc:
    """Return equations, one on a line."""
    return concat([part for eqn in eqns for part in (brk("; "), pp_eqn(eqn, context, settings))][1:])


def pp_var(v: Any, context: JaxprPpContext, *, print_literal_dtype: bool = True, is_binder: bool = False) -> Doc:
    """Return a variable, or a literal."""
    if type(v) is Literal:
        return text(v.text if print_literal_dtype else str(v.val))
    name = context.of(v)
    return text(name, anchor=f"v_{name}") if is_binder else text(name, href=f"#v_{name}")


def pp_vars(
    vs: Sequence, context: JaxprPpContext, *, separator: str = "", print_shapes: bool = False, is_binder: bool = False
) -> Doc:
    """Return variables, with their types if that is asked for."""
    docs = [concat([pp_var(v, context, is_binder=is_binder), text(":" + pp_aval(v.aval, context))])
            if print_shapes else pp_var(v, context, is_binder=is_binder) for v in vs]
    return concat([part for d in docs for part in (text(separator), group(brk()), d)][2:])


def pp_aval(a: AbstractValue, context: JaxprPpContext) -> str:
    """Return a type."""
    return a.str_short(short_dtypes=True)


def pp_kv_pair(k: str, v: Any, context: JaxprPpContext, settings: JaxprPpSettings) -> Doc:
    """Return a parameter of an equation: "axes=(0,)"."""
    return concat([text(f"{k}="), text(str(v)) if not isinstance(v, Jaxpr) else pp_jaxpr(v, context, settings)])


def pp_kv_pairs(kv_pairs: Iterable[tuple[str, Any]], context: JaxprPpContext, settings: JaxprPpSettings) -> Doc:
    """Return parameters of an equation, in brackets."""
    docs = [pp_kv_pair(k, v, context, settings) for k, v in kv_pairs]
    if not docs:
        return text("")
    return group(concat([nest(2, concat([text("["), brk(""), *[p for d in docs for p in (brk(), d)][1:]])), brk(""),
                         text("]")]))


def pp_effect(effect: Any, context: JaxprPpContext) -> Doc:
    """Return an effect."""
    return text(str(effect))
