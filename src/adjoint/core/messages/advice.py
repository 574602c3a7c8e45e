"""Advice in messages: the user's own line, rewritten so that it works under a transformation.

Python tells which expression failed; its text is parsed, and a pattern writes what to put in its place, in the user's
names: `jnp.where(x > 0, x, slope * x)` for `if x > 0: ...`. A pattern that does not apply gives None, and the message
says what to do in general. Only errors come here, so that no more than the last file is kept as it was parsed.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import islice
from types import CodeType, FrameType
from typing import Any

from ..process.memo import memoized
from ..process.records import NamedTuple

__all__ = [
    "Place", "alias", "as_array_argument", "assigned", "called_method", "changed_property", "condition", "conversion",
    "deleted", "drawn", "failing", "guarded", "has_arrays", "index", "indexed", "keys_of_split", "listed", "mapped",
    "meant", "needed", "no_call", "numpy_array", "one_shape", "one_shape_of", "parameters", "place_of", "renamed",
    "updated", "with_arguments", "with_key", "without_out", "written",
]

# The functions of `math` that have another name in `adjoint.numpy`.
_MATH = {"fabs": "abs", "fsum": "sum"}
_MATH_SPECIAL = {"gamma": "gamma", "lgamma": "gammaln", "erf": "erf", "erfc": "erfc", "factorial": "factorial"}
_BUILTINS = {"max": "maximum", "min": "minimum"}
_OF_SEQUENCES = {"max": "max", "min": "min", "any": "any", "all": "all", "sorted": "sort", "sum": "sum"}
_CONVERSIONS = ("float", "int", "complex", "bool")
# Functions whose results have a length that follows from values, unless the argument says it.
_LENGTHS = dict.fromkeys(("nonzero", "flatnonzero", "argwhere", "where", "unique", "unique_values"), "size")
_TOTALS = {"bincount": "length", "repeat": "total_repeat_length"}  # and those whose length nothing says
_MAX_CHARACTERS_PER_LINE = 100  # characters; of a longer one, the expression alone is shown


class Place(NamedTuple):
    """The expression of a user's program that failed, the nodes around it, innermost first, and what names mean."""

    names: dict[str, Any]
    file: list[str]  # its lines
    nodes: list[ast.AST]

    def text(self, node: ast.AST) -> str:
        """Return the user's text of a node, on one line."""
        return self._written(node) or ast.unparse(node)

    def _written(self, node: Any) -> str | None:
        """Return the text of a node; None where it takes several lines, or was not written."""
        if getattr(node, "lineno", None) is None or node.lineno != node.end_lineno:
            return None
        line = self.file[node.lineno - 1].encode()  # columns count bytes
        return line[node.col_offset : node.end_col_offset].decode()

    def line(self, node: ast.AST, text: str) -> str:
        """Return the user's statement with `text` in the place of `node`, or `text` alone where that is no short line.
        """
        return self.lines({node: text}) or text

    def lines(self, texts: dict[Any, str]) -> str | None:
        """Return the same for several nodes, none inside another; None where the statement is no short line."""
        statement = self.find(ast.stmt)
        line = self._written(statement)
        if not line or len(line) > _MAX_CHARACTERS_PER_LINE or isinstance(statement, ast.FunctionDef):
            return None
        whole = line.encode()
        for node in sorted(texts, key=lambda n: -n.col_offset):
            first, last = (c - statement.col_offset for c in (node.col_offset, node.end_col_offset))
            whole = whole[:first] + texts[node].encode() + whole[last:]
        return whole.decode()

    def find(self, *kinds: type) -> Any:
        """Return the innermost node of one of these classes, or None."""
        return next((node for node in self.nodes if isinstance(node, kinds)), None)


def failing(frame: FrameType) -> Place | None:
    """Return the expression that a frame is at; None where its text cannot be read."""
    return place_of(frame.f_code, frame.f_lasti, {**frame.f_globals, **frame.f_locals})


def place_of(code: CodeType, instruction: int, names: dict[str, Any]) -> Place | None:
    """Return the expression of an instruction; None where its text cannot be read."""
    position = next(islice(code.co_positions(), instruction // 2, None), None)  # an instruction takes two bytes
    if position is None or None in position:
        return None
    lines = linecache.getlines(code.co_filename)
    try:
        tree: ast.AST = _parsed("".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return None
    first, last = (position[0], position[2]), (position[1], position[3])
    nodes, node = [tree], tree
    while node is not None:
        inside = [child for child in ast.iter_child_nodes(node) if _covers(child, first, last)]
        node = inside[0] if inside else None
        if node is not None:
            nodes.insert(0, node)
    return Place(names, lines, nodes)


@memoized(1)  # a program that meets one error often
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _covers(node: ast.AST, first: tuple, last: tuple) -> bool:
    start = getattr(node, "lineno", None)
    if start is None:  # a list of arguments, a branch of a `match`
        return any([_covers(child, first, last) for child in ast.iter_child_nodes(node)])
    return (start, node.col_offset) <= first and last <= (node.end_lineno, node.end_col_offset)  # type: ignore


def alias(names: dict[str, Any], module: str) -> str:
    """Return the user's name of a module of this package, such as `jnp`; the usual one if there is none."""
    wanted = sys.modules.get("adjoint" + module)
    for name, value in names.items():
        if value is wanted and wanted is not None:
            return name
    if not module:
        return "jax"
    parent, _, last = module[1:].rpartition(".")
    usual = {"numpy": "jnp", "lax": "lax"}.get(module[1:])
    return usual or f"{alias(names, '.' + parent if parent else '')}.{last}"


# ---- conditions ----------------------------------------------------------------------------------


def condition(place: Place) -> str | None:
    """Return what to write for a condition that depends on a traced value."""
    jnp, lax = alias(place.names, ".numpy"), alias(place.names, ".lax")
    call = place.nodes[0]
    if isinstance(call, ast.Call):
        return _builtin(place, call, jnp) if isinstance(call.func, ast.Name) else None
    for node, parent in zip(place.nodes, place.nodes[1:]):
        if isinstance(parent, ast.IfExp) and node is parent.test:
            chosen = _chosen(place, jnp, parent.test, place.text(parent.body), place.text(parent.orelse))
            return place.line(parent, chosen)
        if isinstance(parent, ast.If) and node is parent.test:
            return _branches(place, parent, jnp)
        if isinstance(parent, ast.While) and node is parent.test:
            return _loop(place, parent, lax, jnp)
        if isinstance(parent, (ast.Assert, ast.comprehension)):
            return None
        if isinstance(parent, ast.stmt):
            break
    around = place.nodes[: next((i for i, n in enumerate(place.nodes) if isinstance(n, (ast.Lambda, ast.stmt))), None)]
    top = next((n for n in reversed(around) if isinstance(n, (ast.BoolOp, ast.UnaryOp, ast.Compare))), None)
    return None if top is None else place.line(top, _logical(place, top, jnp))


def _builtin(place: Place, call: ast.Call, jnp: str) -> str | None:
    name, args = call.func.id, call.args  # type: ignore[attr-defined]
    if call.keywords or any([isinstance(a, (ast.Starred, ast.GeneratorExp)) for a in args]):
        return None
    if name in _BUILTINS and len(args) == 2:
        return place.line(call, f"{jnp}.{_BUILTINS[name]}({', '.join(map(place.text, args))})")
    if name in _OF_SEQUENCES and len(args) == 1:
        return place.line(call, f"{jnp}.{_OF_SEQUENCES[name]}({jnp}.asarray({place.text(args[0])}))")
    return place.line(call, f"({place.text(args[0])}) != 0") if name == "bool" and len(args) == 1 else None


def _logical(place: Place, node: ast.AST, jnp: str) -> str:
    """Return a condition as an expression of arrays: `(a > 0) & (b > 0)` for `a > 0 and b > 0`."""
    if isinstance(node, ast.BoolOp):
        both = isinstance(node.op, ast.And)
        if all([isinstance(v, ast.Compare) for v in node.values]):
            return (" & " if both else " | ").join([_closed(place, v, jnp) for v in node.values])
        first, *rest = [_logical(place, v, jnp) for v in node.values]
        for text in rest:
            first = f"{jnp}.logical_{'and' if both else 'or'}({first}, {text})"
        return first
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"{jnp}.logical_not({_logical(place, node.operand, jnp)})"
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        values = [node.left, *node.comparators]
        pairs = [ast.Compare(a, [op], [b]) for a, op, b in zip(values, node.ops, values[1:])]
        return " & ".join([f"({ast.unparse(pair)})" for pair in pairs])
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        found = f"{jnp}.isin({place.text(node.left)}, {jnp}.asarray({place.text(node.comparators[0])})).any()"
        return f"~{found}" if isinstance(node.ops[0], ast.NotIn) else found
    return place.text(node)


def _closed(place: Place, node: ast.AST, jnp: str) -> str:
    text = _logical(place, node, jnp)
    return text if isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)) else f"({text})"


def _chosen(place: Place, jnp: str, test: ast.AST, yes: str, no: str) -> str:
    return f"{jnp}.where({_logical(place, test, jnp)}, {yes}, {no})"


def _branches(place: Place, node: ast.If, jnp: str) -> str | None:
    """Return one statement for an `if` whose branches return, or assign to one name."""
    around = next((n for n in place.nodes if node in getattr(n, "body", ()) or node in getattr(n, "orelse", ())), None)
    after: list = []
    for block in (getattr(around, "body", []), getattr(around, "orelse", [])):
        if node in block:
            after = block[block.index(node) + 1 :]
    for outcome in (_returned, _assigned):
        found = outcome(place, node, after, jnp)
        if found is not None:
            return found
    return None


def _returned(place: Place, node: ast.If, after: list, jnp: str) -> str | None:
    def value(block: list) -> str | None:
        if len(block) == 1 and isinstance(block[0], ast.Return) and block[0].value is not None:
            return place.text(block[0].value)
        return whole(block[0], after) if len(block) == 1 and isinstance(block[0], ast.If) else None

    def whole(node: ast.If, after: list) -> str | None:
        yes, no = value(node.body), value(node.orelse or after[:1])
        return None if yes is None or no is None else _chosen(place, jnp, node.test, yes, no)

    found = whole(node, after)
    return found and f"return {found}"


def _assigned(place: Place, node: ast.If, _: list, jnp: str) -> str | None:
    targets: set = set()

    def value(block: list) -> str | None:
        if len(block) != 1:
            return None
        (statement,) = block
        if isinstance(statement, ast.If):
            return whole(statement)
        if isinstance(statement, ast.AugAssign):
            targets.add(place.text(statement.target))
            return ast.unparse(ast.BinOp(_read(statement.target), statement.op, statement.value))
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            targets.add(place.text(statement.targets[0]))
            return place.text(statement.value)
        return None

    def whole(node: ast.If) -> str | None:
        yes = value(node.body)
        no = value(node.orelse) if node.orelse else next(iter(targets), None)
        return None if yes is None or no is None else _chosen(place, jnp, node.test, yes, no)

    found = whole(node)
    return f"{targets.pop()} = {found}" if found is not None and len(targets) == 1 else None


def _read(node: ast.AST) -> Any:
    return ast.parse(ast.unparse(node), mode="eval").body


def _steps(place: Place, block: list) -> tuple[list[str], list[str]] | None:
    """Return the lines of a loop's body, and the names that it assigns; None if it is more than assignments."""
    names: list[str] = []
    for statement in block:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        if not isinstance(statement, (ast.Assign, ast.AugAssign)):
            return None
        for target in targets:
            elements = target.elts if isinstance(target, ast.Tuple) else [target]
            if not all([isinstance(e, ast.Name) for e in elements]):
                return None
            names += [e.id for e in elements if e.id not in names]
    return [place.text(statement) for statement in block], names


def _loop(place: Place, node: ast.While, lax: str, jnp: str) -> str | None:
    """Return a `while` statement as a call of `while_loop`."""
    found = None if node.orelse else _steps(place, node.body)
    if found is None:
        return None
    lines, names = found
    test = _logical(place, node.test, jnp)
    if len(names) == 1 and len(lines) == 1 and isinstance(node.body[0], ast.Assign):
        (name,) = names
        step = place.text(node.body[0].value)
        return f"{name} = {lax}.while_loop(lambda {name}: {test}, lambda {name}: {step}, {name})"
    carry = ", ".join(names) + ("," if len(names) == 1 else "")
    body = "\n".join([f"    {line}" for line in [f"{carry} = carry", *lines, f"return {carry}"]])
    return (f"def test(carry):\n    {carry} = carry\n    return {test}\ndef body(carry):\n{body}\n"
            f"{carry} = {lax}.while_loop(test, body, ({carry}))")


# ---- numbers and NumPy ---------------------------------------------------------------------------


def conversion(place: Place) -> str | None:
    """Return what to write for `float(x)` and its like, and for what Python's functions make of an array."""
    call = place.find(ast.Call)
    if call is None:
        return None
    if isinstance(call.func, ast.Name) and call.func.id in _CONVERSIONS and len(call.args) == 1:
        inner = place.text(call.args[0])
        held = isinstance(call.args[0], (ast.Name, ast.Call, ast.Attribute, ast.Subscript))
        inner = inner if held else f"({inner})"
        return place.line(call, inner if call.func.id == "float" else f"{inner}.astype({call.func.id})")
    if isinstance(call.func, ast.Attribute) and call.func.attr in ("item", "tolist") and not call.args:
        return place.line(call, place.text(call.func.value))
    if isinstance(call.func, ast.Attribute) and call.func.attr in _LENGTHS and len(call.args) == 1:
        inner = place.text(call.args[0])
        of = inner if isinstance(call.args[0], (ast.Name, ast.Call, ast.Attribute, ast.Subscript)) else f"({inner})"
        keywords = [f"{k.arg}={place.text(k.value)}" for k in call.keywords]
        arguments = ", ".join([inner, *keywords, f"{_LENGTHS[call.func.attr]}={of}.size"])
        return place.line(call, f"{place.text(call.func)}({arguments})")
    if isinstance(call.func, ast.Attribute) and call.func.attr in _TOTALS:
        arguments = ", ".join([place.text(a) for a in (*call.args, *call.keywords)])
        arguments += f", {_TOTALS[call.func.attr]}=most"
        return f"{place.text(call.func)}({arguments}), with an int `most` that is large enough"
    return _library_call(place)


def numpy_array(place: Place) -> str | None:
    """Return what to write where NumPy needs the content of a traced value."""
    inner = place.nodes[0]
    if isinstance(inner, ast.Subscript):
        jnp = alias(place.names, ".numpy")
        return place.line(inner, f"{jnp}.asarray({place.text(inner.value)})[{place.text(inner.slice)}]")
    return _library_call(place)


def _library_call(place: Place) -> str | None:
    """Return the line of a call of NumPy, `math` or SciPy with this package's functions instead."""
    if text := drawn(place):
        return text
    call = place.find(ast.Call)
    known = {} if call is None else {call.func: _ours(place.names, call.func)}
    if not any(known.values()):
        return None
    for node in ast.walk(place.find(ast.stmt)):  # the others of the line would fail next
        if isinstance(node, ast.Call):
            known[node.func] = _ours(place.names, node.func)
    found = place.lines({function: text for function, text in known.items() if text})
    return found or f"{known[call.func]}({', '.join(map(ast.unparse, [*call.args, *call.keywords]))})"


def meant(names: dict[str, Any], node: ast.AST) -> Any:
    """Return the object that a dotted name means, or None."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(meant(names, node.value), node.attr, None)
    return None


def _ours(names: dict[str, Any], node: ast.AST) -> str | None:
    """Return the name of the function of this package that does what one of another library does."""
    function = meant(names, node)
    name = getattr(function, "__name__", "")
    if type(function).__name__ == "ufunc":
        module = "numpy" if hasattr(sys.modules["numpy"], name) else "scipy.special"
    else:
        module = getattr(function, "__module__", None) or ""
    if module == "math":
        place, name = (".scipy.special", _MATH_SPECIAL[name]) if name in _MATH_SPECIAL else (
            ".numpy", _MATH.get(name, name))
    elif module.startswith("numpy"):
        place = ".".join(["", "numpy", *[p for p in module.split(".")[1:] if p in ("linalg", "fft")]])
    elif module.startswith("scipy."):
        place = "." + ".".join(module.split(".")[:2])
    else:
        return None
    return f"{alias(names, place)}.{name}" if name in _offered("adjoint" + place) else None


@memoized(64)
def _offered(module: str) -> frozenset[str]:
    """Return the names of a module; of one that there is not, none."""
    try:
        return frozenset(dir(import_module(module)))
    except ImportError:
        return frozenset()


# ---- positions -----------------------------------------------------------------------------------


def index(place: Place) -> str | None:
    """Return what to write where Python needs a traced value as an integer."""
    lax = alias(place.names, ".lax")
    call = place.find(ast.Call)
    if isinstance(place.nodes[0], ast.Subscript):
        return numpy_array(place)
    if call is None or not isinstance(call.func, ast.Name) or call.func.id != "range":
        return conversion(place)
    loop = place.find(ast.For)
    found = None if loop is None or loop.iter is not call or loop.orelse or len(call.args) > 2 else \
        _steps(place, loop.body)
    if found is None or not isinstance(loop.target, ast.Name):
        return None
    lines, names = found
    first, last = ["0", *map(place.text, call.args)][-2:]
    if len(names) == 1 and len(lines) == 1 and isinstance(loop.body[0], (ast.Assign, ast.AugAssign)):
        (name,), step = names, loop.body[0]
        value = place.text(step.value) if isinstance(step, ast.Assign) else \
            ast.unparse(ast.BinOp(_read(step.target), step.op, step.value))
        return f"{name} = {lax}.fori_loop({first}, {last}, lambda {loop.target.id}, {name}: {value}, {name})"
    carry = ", ".join(names) + ("," if len(names) == 1 else "")
    body = "\n".join([f"    {line}" for line in [f"{carry} = carry", *lines, f"return {carry}"]])
    return (f"def body({loop.target.id}, carry):\n{body}\n"
            f"{carry} = {lax}.fori_loop({first}, {last}, body, ({carry}))")


# ---- masks ---------------------------------------------------------------------------------------


def selected(place: Place, rank: int = 0) -> str | None:
    """Return what to write for `x[mask]` where its length is asked for; `x` has `rank` axes more than the mask."""
    node = place.nodes[0]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # x.at[mask].set(v)
        node = node.func.value
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Tuple):
        return None
    jnp, mask, x = alias(place.names, ".numpy"), place.text(node.slice), place.text(node.value)
    held = mask if isinstance(node.slice, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)) else f"({mask})"
    if isinstance(node.value, ast.Attribute) and node.value.attr == "at":
        return _placed(place, node, jnp, held)
    around = [*place.nodes[1:3], None, None]
    if isinstance(around[0], ast.Call) and getattr(around[0].func, "id", "") == "len":
        return place.line(around[0], f"{held}.sum()")
    if isinstance(around[0], ast.Attribute) and around[0].attr == "size" and not rank:
        return place.line(around[0], f"{held}.sum()")
    if isinstance(around[0], ast.Attribute) and around[0].attr == "shape" and isinstance(around[1], ast.Subscript) \
            and place.text(around[1].slice) == "0":
        return place.line(around[1], f"{held}.sum()")
    spread = f"{held}[..., {', '.join(['None'] * rank)}]" if rank else mask
    own = ast.dump(node)
    alike = [n for n in ast.walk(place.find(ast.stmt)) if isinstance(n, ast.Subscript) and ast.dump(n) == own]
    text = f"{jnp}.where({spread}, {x}, 0)"
    return place.lines(dict.fromkeys(alike, text)) or text


def _placed(place: Place, node: ast.Subscript, jnp: str, held: str) -> str | None:
    """Return what to write for `x.at[mask].set(v)` where `v` has an element for each that is selected."""
    call = next((n for n in place.nodes if isinstance(n, ast.Call) and getattr(n.func, "value", None) is node), None)
    if call is None or len(call.args) != 1:
        return None
    value, v = call.args[0], place.text(call.args[0])
    v = v if isinstance(value, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)) else f"({v})"
    return place.line(value, f"{v}[{jnp}.cumsum({held}) - 1][{held}]")


# ---- lists and guards ----------------------------------------------------------------------------


def listed(place: Place) -> str | None:
    """Return a call with its positional arguments as one list: `concatenate([a, b])` for `concatenate(a, b)`."""
    call = place.nodes[0]
    if not isinstance(call, ast.Call) or len(call.args) < 2:
        return None
    keywords = [f", {k.arg}={place.text(k.value)}" for k in call.keywords]
    values = ", ".join(map(place.text, call.args))
    return place.line(call, f"{place.text(call.func)}([{values}]{''.join(keywords)})")


# Where functions, and their derivatives, are finite; `x` stands for the argument.
_FINITE = {
    "sqrt": "x > 0", "rsqrt": "x > 0", "log": "x > 0", "log2": "x > 0", "log10": "x > 0", "log1p": "x > -1",
    "arcsin": "abs(x) < 1", "arccos": "abs(x) < 1", "arctanh": "abs(x) < 1", "arccosh": "x > 1", "reciprocal": "x != 0",
}


_UPDATES = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.Pow: "power"}


def assigned(place: Place) -> str | None:
    """Return what to write for `x[i] = v`, `x.at[i] = v` and `x[i] += v`, where `x` is a name or attribute."""
    node = place.find(ast.AugAssign, ast.Assign)
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if not isinstance(target, ast.Subscript):
        return None
    held = target.value
    if isinstance(held, ast.Attribute) and held.attr == "at":
        held = held.value
    if not isinstance(held, (ast.Name, ast.Attribute)) or isinstance(node, ast.Assign) and len(node.targets) > 1:
        return None
    update = "set" if isinstance(node, ast.Assign) else _UPDATES[type(node.op)]
    x = place.text(held)
    return f"{x} = {x}.at[{place.text(target.slice)}].{update}({place.text(node.value)})"


def as_array_argument(place: Place) -> str | None:
    """Return a call with its list, or what else stands there as its first argument, made an array."""
    call = place.nodes[0]
    if not isinstance(call, ast.Call) or not call.args or isinstance(call.args[0], ast.Starred):
        return None
    values = [*call.args, *[k.value for k in call.keywords]]
    if any([callable(meant(place.names, x)) for x in values]):  # it is called by another function
        return None
    jnp = alias(place.names, ".numpy")
    node = next(filter(partial(_is_list, place), values), call.args[0])
    return place.line(node, f"{jnp}.asarray({place.text(node)})")


def _is_list(place: Place, node: ast.AST) -> bool:
    """Return whether an argument is a list or a tuple, as written or by its name."""
    return isinstance(node, (ast.List, ast.Tuple, ast.ListComp)) or isinstance(meant(place.names, node), (list, tuple))


def indexed(place: Place) -> str | None:
    """Return `x[jnp.asarray([0, 2])]` for `x[[0, 2]]`."""
    node = place.nodes[0]
    if not isinstance(node, ast.Subscript) or not _is_list(place, node.slice):
        return None
    return place.line(node.slice, f"{alias(place.names, '.numpy')}.asarray({place.text(node.slice)})")


def with_key(place: Place) -> str | None:
    """Return a call of a sampler with a key: `normal(key(0), (2, 3))` for `normal((2, 3))` and `normal(0, (2, 3))`."""
    call = place.nodes[0]
    if not isinstance(call, ast.Call) or not call.args:
        return None
    if not (getattr(meant(place.names, call.func), "__module__", None) or "").startswith("adjoint.random"):
        return None
    first, key = call.args[0], f"{alias(place.names, '.random')}.key"
    if isinstance(first, ast.Tuple):
        return place.line(first, f"{key}(0), {place.text(first)}")
    return place.line(first, f"{key}({place.text(first)})") if isinstance(_number(place, first), int) else None


def updated(place: Place) -> str | None:
    """Return `x = jnp.put(x, i, v, inplace=False)` for `jnp.put(x, i, v)`, whose result was to be `x` itself."""
    call = place.nodes[0]
    if not isinstance(call, ast.Call) or not call.args:
        return None
    arguments = [place.text(a) for a in (*call.args, *[k for k in call.keywords if k.arg != "inplace"])]
    text = f"{place.text(call.func)}({', '.join(arguments)}, inplace=False)"
    held = call.args[0]
    is_statement = isinstance(place.nodes[1], ast.Expr) and isinstance(held, (ast.Name, ast.Attribute, ast.Subscript))
    return f"{place.text(held)} = {text}" if is_statement else place.line(call, text)


def deleted(place: Place) -> str | None:
    """Return `x = jnp.delete(x, i)` for `del x[i]`."""
    node = place.find(ast.Delete)
    target = node.targets[0] if node is not None and len(node.targets) == 1 else None
    if not isinstance(target, ast.Subscript):
        return None
    x = place.text(target.value)
    return f"{x} = {alias(place.names, '.numpy')}.delete({x}, {place.text(target.slice)})"


def called_method(place: Place) -> str | None:
    """Return `list(x.devices())[0]` for `x.devices[0]`, a set, and `x.ravel()[0]` for `x.ravel[0]`."""
    node = place.nodes[0]
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Attribute):
        return None
    if not hasattr(type(meant(place.names, node.value.value)), "aval"):
        return None
    call = f"{place.text(node.value)}()"
    call = f"list({call})" if node.value.attr == "devices" else call
    return place.line(node, f"{call}[{place.text(node.slice)}]")


def no_call(place: Place) -> str | None:
    """Return what to write for the call of an array, `x(0)` and `x.T()`, or of one of its properties, `x.size(0)`."""
    call = place.nodes[0]
    if not isinstance(call, ast.Call) or len(call.args) > 1 or call.keywords:
        return None
    if isinstance(call.func, ast.Attribute) and hasattr(type(meant(place.names, call.func.value)), "aval"):
        x, name = place.text(call.func.value), call.func.attr
        if name in ("size", "shape"):
            return place.line(call, f"{x}.shape[{place.text(call.args[0])}]" if call.args else f"{x}.{name}")
        return place.line(call, f"{x}.{name}" if not call.args else f"{x}.{name}[{place.text(call.args[0])}]")
    if call.args and hasattr(type(meant(place.names, call.func)), "aval"):
        return place.line(call, f"{place.text(call.func)}[{place.text(call.args[0])}]")
    return None


def without_out(place: Place) -> str | None:
    """Return `x = jnp.add(x, 1)` for `np.add(x, 1, out=x)`."""
    call = place.nodes[0]
    out = next((k for k in getattr(call, "keywords", ()) if k.arg == "out"), None)
    if not isinstance(call, ast.Call) or out is None:
        return None
    function = _ours(place.names, call.func) or place.text(call.func)
    arguments = [place.text(a) for a in (*call.args, *[k for k in call.keywords if k is not out])]
    return f"{place.text(out.value)} = {function}({', '.join(arguments)})"


# Functions of `numpy.random` that have another name in `adjoint.random`.
_DRAWS = {"integers": "randint", "rand": "uniform", "randn": "normal", "random": "uniform", "random_sample": "uniform",
          "shuffle": "permutation", "standard_normal": "normal"}


def drawn(place: Place) -> str | None:
    """Return how `adjoint.random` draws what a function of `numpy.random` draws, which was called."""
    call = place.find(ast.Call)
    function = meant(place.names, call.func) if call is not None else None
    owner = getattr(function, "__self__", function)
    if not (getattr(type(owner), "__module__", None) or "").startswith("numpy.random"):
        return None
    ours = import_module("adjoint" + ".random")
    name = _DRAWS.get(function.__name__, function.__name__)
    if name not in ours.__all__:
        return None
    parameters = inspect.signature(getattr(ours, name)).parameters.values()
    names = [p.name for p in parameters if p.default is p.empty or p.name == "shape"]
    return f"{alias(place.names, '.random')}.{name}({', '.join(names)}), with a key that is an argument of the function"


def with_arguments(place: Place) -> str | None:
    """Return the call of a user's function, under a transformation, with the names of its arguments."""
    call = place.nodes[0]
    if not isinstance(call, ast.Call):
        return None
    inner = call.func.args[0] if isinstance(call.func, ast.Call) and call.func.args else None
    function = meant(place.names, inner or call.func)
    if isinstance(inner, ast.Lambda):
        names = [a.arg for a in (*inner.args.posonlyargs, *inner.args.args)]
    elif not callable(function) or inner is None and not hasattr(function, "__wrapped__"):
        return None
    else:
        parameters = inspect.signature(function).parameters.values()
        names = [f"{p.name}=..." if p.kind is p.KEYWORD_ONLY else str(p).partition(":")[0].partition("=")[0]
                 for p in parameters]
    return place.line(call, f"{place.text(call.func)}({', '.join(names)})")


def changed_property(place: Place) -> str | None:
    """Return what to write for `x.shape = shape` and `x.dtype = dtype`."""
    node = place.find(ast.Assign)
    target = node.targets[0] if node is not None else None
    method = {"shape": "reshape", "dtype": "astype"}.get(getattr(target, "attr", ""))
    if not isinstance(target, ast.Attribute) or method is None:
        return None
    x = place.text(target.value)
    return f"{x} = {x}.{method}({place.text(node.value)})"


def without_none(place: Place) -> str | None:
    """Return what to write for an operation one of whose operands is a name that stands for None."""
    node = place.nodes[0]
    if not isinstance(node, ast.BinOp):
        return None
    for side, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(side, ast.Name) and place.names.get(side.id, ()) is None:
            text = f"({place.text(other)} if {side.id} is None else {place.text(node)})"
            return place.line(node, text)
    return None


def mapped(place: Place) -> str | None:
    """Return what to write for arithmetic with containers of arrays: the same arithmetic, mapped over their leaves."""
    operation = next((n for n in reversed(place.nodes) if isinstance(n, (ast.BinOp, ast.UnaryOp))), None)
    node = place.find(ast.AugAssign) or operation
    trees = {n.id: None for n in ast.walk(node) if isinstance(n, ast.Name) and has_arrays(place.names.get(n.id))} \
        if node is not None else {}
    if not trees:
        return None
    names = ", ".join(trees)
    if isinstance(node, ast.AugAssign):
        node = ast.Assign([node.target], ast.BinOp(_read(node.target), node.op, node.value), lineno=0)
        value = ast.unparse(node.value)
    else:
        value = place.text(node)
    call = f"{alias(place.names, '')}.tree.map(lambda {names}: {value}, {names})"
    return f"{ast.unparse(node.targets[0])} = {call}" if isinstance(node, ast.Assign) else place.line(node, call)


def has_arrays(value: Any) -> bool:
    """Return whether a value is a container that holds arrays, at any depth."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return any([hasattr(type(v), "aval") or has_arrays(v) for v in inside])


def keys_of_split(place: Place) -> str | None:
    """Return `a, b, c = split(key, 3)` for `a, b, c = split(key)`, which gives two keys."""
    node = place.find(ast.Assign)
    if node is None or not isinstance(node.value, ast.Call) or not isinstance(node.targets[0], ast.Tuple):
        return None
    call = node.value
    function = meant(place.names, call.func)
    if getattr(function, "__name__", "") != "split" or len(call.args) != 1 or call.keywords:
        return None
    targets = node.targets[0]
    return f"{place.text(targets)} = {place.text(call.func)}({place.text(call.args[0])}, {len(targets.elts)})"


def renamed(place: Place, names: dict[str, str]) -> str | None:
    """Return a call with other names of keyword arguments."""
    call = place.find(ast.Call)
    words = [k for k in call.keywords if k.arg in names] if call is not None else []
    return place.lines({k: f"{names[k.arg]}={place.text(k.value)}" for k in words}) if words else None


def one_shape(place: Place) -> str | None:
    """Return `normal(key, (3, 5))` for `normal(key, 3, 5)`: a shape is one argument."""
    call = place.find(ast.Call)
    if call is None:
        return None
    n = next((i for i, a in enumerate(reversed(call.args)) if not isinstance(_number(place, a), int)), len(call.args))
    if n < 2:
        return None
    first, lengths = call.args[:-n], call.args[-n:]
    shape = f"({', '.join(map(place.text, lengths))})"
    keywords = [f"{k.arg}={place.text(k.value)}" for k in call.keywords]
    return place.line(call, f"{place.text(call.func)}({', '.join([*map(place.text, first), shape, *keywords])})")


def one_shape_of(place: Place, name: str) -> str | None:
    """Return the same for the function called `name`, if it is one of this package and has a shape."""
    function = _called(place, name)
    return one_shape(place) if function is not None and "shape" in inspect.signature(function).parameters else None


def _number(place: Place, node: ast.AST) -> Any:
    return node.value if isinstance(node, ast.Constant) else meant(place.names, node)


def parameters(place: Place, name: str) -> str | None:
    """Return the names of the arguments of a function of this package that a line calls."""
    function = _called(place, name)
    return f"one of {', '.join(inspect.signature(function).parameters)}" if function is not None else None


def needed(place: Place, name: str) -> str | None:
    """Return the call of a function of this package with the names of the arguments that have no default."""
    function = _called(place, name)
    if function is None:
        return None
    parameters = inspect.signature(function).parameters.values()
    names = [f"{p.name}=..." if p.kind is p.KEYWORD_ONLY else p.name for p in parameters
             if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return f"{place.text(place.find(ast.Call).func)}({', '.join(names)})"


def _called(place: Place, name: str) -> Any:
    """Return the function of this package that a line calls; None if it is not the one of this name."""
    call = place.find(ast.Call)
    function = meant(place.names, call.func) if call is not None else None
    is_ours = (getattr(function, "__module__", None) or "").startswith(("adjoint.", "jax."))
    return function if is_ours and getattr(function, "__name__", "") == name else None


def transposed(place: Place, left: bool) -> str | None:
    """Return a product of matrices that fits when one of them is transposed."""
    node = place.nodes[0]
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.MatMult):
        return None
    a, b = (
        text if isinstance(side, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)) else f"({text})"
        for side, text in ((side, place.text(side)) for side in (node.left, node.right))
    )
    return place.line(node, f"{a}.mT @ {b}" if left else f"{a} @ {b}.mT")


def guarded(place: Place) -> str | None:
    """Return an expression that has no value everywhere with its operand guarded, so that gradients are finite too."""
    node = place.nodes[0]
    jnp = alias(place.names, ".numpy")
    if isinstance(node, ast.Call) and len(node.args) == 1:
        name, x = getattr(node.func, "attr", ""), place.text(node.args[0])
        if name == "cholesky":
            shifted = place.line(node, f"{place.text(node.func)}({x} + 1e-3 * {jnp}.eye(len({x})))")
            return f"{shifted}\nwith a multiple of the identity that makes the matrix positive definite"
        if name not in _FINITE:
            return None
        ok = _FINITE[name].replace("x", x if isinstance(node.args[0], ast.Name) else f"({x})")
        safe = f"{place.text(node.func)}({jnp}.where({ok}, {x}, {'2.' if name == 'arccosh' else '0.5'}))"
        return place.line(node, f"{jnp}.where({ok}, {safe}, 0.)")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        x, y = place.text(node.left), place.text(node.right)
        y = y if isinstance(node.right, (ast.Name, ast.Call)) else f"({y})"
        return place.line(node, f"{jnp}.where({y} != 0, {x} / {jnp}.where({y} != 0, {y}, 1.), 0.)")
    return None


def written(rule: Callable[[Place], str | None], where: FrameType | Place | None, otherwise: str) -> str:
    """Return what a rule writes for a place, or for the failing line of a frame; the general advice if it does not."""
    try:
        place = failing(where) if isinstance(where, FrameType) else where
        return (rule(place) if place is not None else None) or otherwise
    except Exception:  # a line that no rule foresees, or an object of the user's that raises when it is asked
        return otherwise
