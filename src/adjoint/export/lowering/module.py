"""A program here as a module that is stored: StableHLO's text -> operations of VHLO -> bytes.

The text is that of `engines/xla`. Special functions, which StableHLO does not have, become composites with a program
beside them (`decompositions.py`); shapes that are expressions become values that the module computes (`shapes.py`).

Tests: `tests/export/test_export.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core import dtypes
from ...core.dimensions.expressions import DimExpr
from ...core.dimensions.parsing import dimensions
from ...core.dimensions.solving import Solution
from ...core.jaxpr import ClosedJaxpr, Jaxpr, sub_jaxprs
from ...core.messages.errors import message
from ...core.options.config import enable_x64
from ...core.trace import current, stage_closed, state
from ...core.tree.paths import keystr, leaf_paths
from ...core.types import ShapedArray
from ...engines.choice import stablehlo_text
from ...engines.xla.module import has_rule
from ...prims.discharge import without_refs
from ..mlir.elements import dtype_of
from ..mlir.ir import (
    Accuracy,
    Block,
    Fields,
    FunctionType,
    Integer,
    Operation,
    TensorType,
    TypeOf,
    Value,
    all_operations,
)
from ..mlir.text import read_text
from ..mlir.writer import write_module
from .decompositions import DECOMPOSITIONS
from .shapes import with_known_shapes

__all__ = ["lowered", "with_composites"]


def lowered(
    traced, platforms: Sequence[str], solution: Solution | None
) -> tuple[Operation, tuple[int, ...], bytes]:
    """Return the module of a traced function, which arguments it is given, and its bytes.

    With a `solution`, shapes are symbolic.
    """
    closed, scope = without_refs(traced._closed()), _scope(traced._avals)
    jaxpr, kept = traced._live(closed)
    if solution is not None:  # every argument says something of the dimensions
        kept = [a.dtype != dtypes.float0 for a in closed.in_avals]
        jaxpr = jaxpr.replace(invars=[v for v, k in zip(closed.jaxpr.invars, kept) if k])
    _check_rules(jaxpr)
    paths = [f"result{keystr(path)}" for path in leaf_paths(traced.out_tree)]
    program = ClosedJaxpr(jaxpr, closed.consts)
    kept_constants: list[list] = [[] for _ in platforms]
    texts = [stablehlo_text(program, traced.fun_name, platform=p, paths=paths, kept=c)
             for p, c in zip(platforms, kept_constants)]
    dimension = (lambda text: dimensions(text, scope)[0]) if scope is not None else int
    module = read_text(texts[0], dimension, kept_constants[0])
    if len(texts) > 1:
        _add_platform_index(module.body.operations[0])
        if any([t != texts[0] for t in texts]):
            others = zip(texts, [dimension] * len(texts), kept_constants)
            _choose_by_platform(module, [read_text(*other) for other in others])
    with_composites(module, dimension)
    found = tuple([i for i, k in enumerate(kept) if k])
    if solution is not None:
        with_known_shapes(module, solution, found)
    symbolic = solution is not None or len(platforms) > 1
    module.said = Fields([*module.said, ("jax.uses_shape_polymorphism", symbolic)])
    return module, found, write_module(module)


def _check_rules(jaxpr: Jaxpr) -> None:
    """Refuse operations that run in Python here."""
    for eqn in jaxpr.eqns:
        if eqn.primitive.name == "shard_map":
            raise NotImplementedError(
                message(
                    "A function with shard_map inside cannot be exported.",
                    why="Exported programs say of several devices only how arguments and results are divided.",
                    fix="jit with in_shardings, and operations on whole arrays",
                )
            )
        if not has_rule(eqn) and not any(True for _ in sub_jaxprs(eqn.params)):
            name = eqn.primitive.name
            if eqn.primitive.calls_python:
                raise NotImplementedError(
                    message(
                        "serialization of host_callbacks is not yet implemented",
                        why="The function calls Python, which an artifact cannot hold.",
                        fix="the function without callbacks and debug prints",
                    )
                )
            raise NotImplementedError(
                message(
                    f"The operation {name!r} cannot be exported: it has no form in StableHLO.",
                    why="SciPy computes it, in the middle of the program.",
                    fix="the function without it, or a formula of other functions",
                )
            )
        for inner in sub_jaxprs(eqn.params):
            _check_rules(inner)


def _scope(avals) -> Any:
    """Return the scope of symbolic dimensions in the types of arguments."""
    return next((d.scope for a in avals for d in a.shape if isinstance(d, DimExpr)), None)


_INDEX = TensorType((), "i32")


def _add_platform_index(main: Operation) -> None:
    """Give the main function one argument more, the first: for which of the platforms it runs."""
    index = Value(_INDEX)
    main.body.arguments.insert(0, index)
    kind = main.attributes["function_type"].type
    main.attributes["function_type"] = TypeOf(FunctionType((_INDEX, *kind.ins), kind.outs))
    marks = main.attributes["arg_attrs"] or (Fields(),) * len(kind.ins)
    main.attributes["arg_attrs"] = (Fields([("jax.global_constant", "_platform_index")]), *marks)


def _choose_by_platform(module: Operation, others: Sequence[Operation]) -> None:
    """Let the main function call that of its platform."""
    main, functions = module.body.operations[0], []
    operands = main.body.arguments[1:]
    results = [Value(t) for t in main.attributes["function_type"].type.outs]
    case = Operation("case", [main.body.arguments[0]], results)
    for number, other in enumerate(others):
        renamed(other.body.operations, lambda name, number=number: f"platform{number}.{name}")
        functions += other.body.operations
        call = Operation("call", operands, [Value(v.type) for v in results],
                         {"callee": other.body.operations[0].attributes["sym_name"]})
        case.regions.append([Block([], [call, Operation("return", call.results)])])
    main.regions = [[Block(main.body.arguments, [case, Operation("return", case.results)])]]
    module.regions = [[Block([], [main, *functions])]]


def renamed(functions: Sequence[Operation], name: Callable[[str], str]) -> None:
    """Give functions other names, as private ones."""
    for f in functions:
        f.attributes |= {"sym_name": name(f.attributes["sym_name"]), "sym_visibility": "private", "res_attrs": ()}
        for op in all_operations(f):
            if op.name == "call":
                op.attributes["callee"] = name(op.attributes["callee"])
            elif op.name == "composite":
                op.attributes["decomposition"] = name(op.attributes["decomposition"])


def with_composites(module: Operation, dimension: Callable[[str], Any] = int) -> None:
    """Name special functions as composites, and add the functions that compute them."""
    functions = module.body.operations
    known: dict[tuple, str] = {}
    place = 0
    while place < len(functions):  # the list grows
        for op in all_operations(functions[place]):
            if op.name.startswith("chlo."):
                _name(op, known, functions, dimension)
        place += 1


def _name(op: Operation, known: dict[tuple, str], functions: list[Operation], dimension) -> None:
    name = op.name[5:]
    k = op.attributes.get("k")
    if name == "tan":
        op.name, op.attributes = "tan", {"result_accuracy": Accuracy()}
        return
    key = (name, *[v.type for v in op.operands], k)
    symbol = known.get(key)
    if symbol is None:
        symbol = known[key] = f"chlo.{name}.impl" + (f"_{len(known)}" if known else "")
        functions.extend(_decomposition(name, symbol, [v.type for v in op.operands], k, dimension))
    fields = Fields() if k is None else Fields([("k", Integer(k, "i64"))])
    op.name, op.attributes = "composite", {
        "name": f"chlo.{name}", "decomposition": symbol, "version": Integer(1, "i32"), "composite_attributes": fields,
    }


def _decomposition(name: str, symbol: str, types: list, k, dimension) -> list[Operation]:
    """Return the functions of a program that computes a special function, of which the first has this name."""
    avals = [ShapedArray(t.shape, dtype_of(t.element)) for t in types]
    fun = DECOMPOSITIONS[name]
    with enable_x64(True), current(state.bottom):
        closed = stage_closed(fun if k is None else lambda x: fun(x, k), avals)
        module = read_text(stablehlo_text(closed, "f"), dimension)
    functions = module.body.operations
    renamed(functions, lambda name: symbol if name == "main" else f"{symbol}.{name}")
    return functions
