"""Equations of programs, counted by what they are: `jax._src.jaxpr_util`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from ....core.jaxpr import Jaxpr, JaxprEqn, Literal, Var, sub_jaxprs

__all__ = ["all_eqns", "collect_eqns", "histogram", "primitives", "primitives_by_shape", "primitives_by_source",
           "source_locations", "var_defs_and_refs"]


def all_eqns(jaxpr: Jaxpr, revisit_inner_jaxprs: bool = True) -> Iterator[tuple[Jaxpr, JaxprEqn]]:
    """Return the equations of a program and of the programs inside, each with its program.

    Args:
      jaxpr: the program.
      revisit_inner_jaxprs: whether a program that is inside several times is read each time.
    """
    seen: set[int] = set()

    def of(program):
        for eqn in program.eqns:
            yield program, eqn
        for eqn in program.eqns:
            for sub in sub_jaxprs(eqn.params):
                if revisit_inner_jaxprs or id(sub) not in seen:
                    seen.add(id(sub))
                    yield from of(sub)

    return of(jaxpr)


def collect_eqns(jaxpr: Jaxpr, key: Callable[[JaxprEqn], Any]) -> dict[Any, list[JaxprEqn]]:
    """Return the equations by what a function says of each."""
    found = defaultdict(list)
    for _, eqn in all_eqns(jaxpr):
        found[key(eqn)].append(eqn)
    return dict(found)


def histogram(jaxpr: Jaxpr, key: Callable[[JaxprEqn], Any], key_fmt: Callable = lambda x: x) -> dict[Any, int]:
    """Return how many equations there are of each kind, which a function says of them."""
    return {key_fmt(k): n for k, n in Counter(key(eqn) for _, eqn in all_eqns(jaxpr)).items()}


def primitives(jaxpr: Jaxpr) -> dict[str, int]:
    """Return how often each primitive is there."""
    return histogram(jaxpr, lambda eqn: eqn.primitive.name)


def primitives_by_source(jaxpr: Jaxpr) -> dict[str, int]:
    """Return how often each primitive is there from each line of the user's program."""
    return histogram(jaxpr, lambda eqn: f"{eqn.primitive.name} @ {eqn.source_info.summary()}")


def primitives_by_shape(jaxpr: Jaxpr) -> dict[str, int]:
    """Return how often each primitive is there with results of each type."""
    def shapes(eqn):
        return " ".join([f"{v.aval.dtype}[{','.join(map(str, v.aval.shape))}]" for v in eqn.outvars])

    return histogram(jaxpr, lambda eqn: f"{eqn.primitive.name} :: {shapes(eqn)}")


def source_locations(jaxpr: Jaxpr) -> dict[str, int]:
    """Return how many equations are from each line of the user's program."""
    return histogram(jaxpr, lambda eqn: eqn.source_info.summary())


def var_defs_and_refs(jaxpr: Jaxpr) -> list[tuple[Jaxpr, list[tuple[Var, JaxprEqn | None, list[JaxprEqn | None]]]]]:
    """Return for each program its variables, the equation that makes each, and those that read it; None for results."""
    def of(program):
        made: dict[Var, JaxprEqn | None] = dict.fromkeys([*program.invars, *program.constvars])
        uses: dict[Var, list] = {v: [] for v in made}
        for eqn in program.eqns:
            for v in eqn.invars:
                if type(v) is not Literal:
                    uses[v].append(eqn)
            for v in eqn.outvars:
                made[v], uses[v] = eqn, []
        for v in program.outvars:
            if type(v) is not Literal:
                uses[v].append(None)
        return program, [(v, eqn, uses[v]) for v, eqn in made.items()]

    programs = {id(jaxpr): jaxpr} | {id(sub): sub for _, eqn in all_eqns(jaxpr) for sub in sub_jaxprs(eqn.params)}
    return [of(program) for program in programs.values()]
