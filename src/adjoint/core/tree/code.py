"""Python code generated for treedefs in heavy use.

`compile_unflatten(treedef)` gives `leaves -> tree`: one statement a container, leaves as local
variables, so that a list of 50 dicts is built in the time of 50 dict displays.
`compile_match(treedef)` gives `tree -> leaves or None`: the leaves if the tree has this very
structure, checked on the way. `compile_asked_match(treedef)` is the same where `is_leaf` is asked about
every node, and notes the answers, so that nothing is asked twice where the structure is another.
`compile_paths(treedef)` gives `tree -> paths or None`, where instances in the tree name their children.
Statements are not nested, so deep trees compile. Called from treedef.py and paths.py only; the functions walk
treedefs by their attributes.

Tests: `tests/core/test_tree.py`.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

from .node_specs import NodeSpec, checked_parts, exact_key, is_same, leaf_types, single_heads, take_apart

MIN_LEAVES_TO_SLICE = 16  # leaves of one container, from which on they are no local variables
MIN_KEYS_TO_ZIP = 48  # of a dict, from which on its keys and values are paired by `zip`

_FILE = __file__ + " (generated)"  # below the package, so that errors take its frames for internal


_UNLIKE = "except (KeyError, AttributeError, TypeError): return None"  # of a tree of another structure


class _Writer:
    """Lines of one function, and the objects that they refer to by name."""

    def __init__(self, signature: str):
        self.lines = [f"def {signature}:"]
        self.names: dict[str, Any] = dict(
            OrderedDict=OrderedDict,
            defaultdict=defaultdict,
            exact_key=exact_key,
            is_same=is_same,
            checked_parts=checked_parts,
            head_of=single_heads.get,
            are_leaves=leaf_types.issuperset,
            leaf_types=leaf_types,
        )
        self.count = 0

    def new(self, letter: str = "t") -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def bind(self, value: Any) -> str:
        """Return a name for an object."""
        name = self.new("c")
        self.names[name] = value
        return name

    def key(self, key: Any) -> str:
        """Return a dict key as an expression."""
        return repr(key) if type(key) in (str, int) else self.bind(key)

    def function(self) -> Callable[[Any], Any]:
        exec(compile("\n  ".join(self.lines), _FILE, "exec"), self.names)
        return self.names[self.lines[0][4:].partition("(")[0]]


# ---- from leaves to tree ----


def compile_unflatten(root: Any) -> Callable[[list[Any]], Any]:
    """Return a function from a list of as many leaves as `root` has to the tree."""
    w = _Writer("unflatten(leaves)")
    values: list[str] = []
    at = 0  # leaves so far
    single: list[str] = []  # of them, the last that are local variables
    stack = [(root, False)]

    def unpack() -> None:
        if single:
            part = f"leaves[{at - len(single)}:{at}]" if len(single) < root.num_leaves else "leaves"
            w.lines.insert(first, f"{', '.join(single)}, = {part}")
            single.clear()

    first = len(w.lines)  # where the local variables are unpacked
    while stack:  # postorder
        treedef, children_are_done = stack.pop()
        if treedef.head is None:
            single.append(w.new("x"))
            values.append(single[-1])
            at += 1
        elif not children_are_done and treedef.is_flat and treedef.num_leaves >= _min_to_slice(treedef.head):
            unpack()
            n, name = treedef.num_leaves, w.new()
            part = f"leaves[{at}:{at + n}]" if n < root.num_leaves else "leaves"
            w.lines.append(f"{name} = {_display(w, treedef.head, [f'*{part}'])}")
            values.append(name)
            at += n
            first = len(w.lines)
        elif not children_are_done:
            stack.append((treedef, True))
            stack += [(part, False) for part in reversed(treedef.parts)]
        else:
            start = len(values) - len(treedef.parts)
            name = w.new()
            w.lines.append(f"{name} = {_display(w, treedef.head, values[start:])}")
            values[start:] = [name]
    unpack()
    w.lines.append(f"return {values[0]}")
    return w.function()


def _min_to_slice(head: NodeSpec) -> int:
    return MIN_KEYS_TO_ZIP if head.node.style in ("dict", "OrderedDict", "defaultdict") else MIN_LEAVES_TO_SLICE


def _display(w: _Writer, head: NodeSpec, parts: list[str]) -> str:
    """Return the expression that makes one container of the values named `parts`."""
    node, data = head.node, head.data
    listed = "".join(f"{part}, " for part in parts)
    match node.style:
        case "none":
            return "None"
        case "list":
            return f"[{listed}]"
        case "tuple":
            return f"({listed})"
        case "namedtuple":
            return f"{w.bind(node.type)}({listed})"
        case "dict":
            return _dict_display(w, data, parts)
        case "OrderedDict":
            return f"OrderedDict({_dict_display(w, data, parts)})"
        case "defaultdict":
            return f"defaultdict({w.bind(data[0])}, {_dict_display(w, data[1], parts)})"
        case "dataclass" if is_whole(head, len(parts)):
            names = [*node.meta, *(node.fields or ())]
            values = [*map(w.bind, data), *parts]
            keywords = ", ".join(f"{name}={value}" for name, value in zip(names, values))
            return f"{w.bind(node.type)}({keywords})"
        case _:
            return f"{w.bind(node.build)}({w.bind(data)}, ({listed}))"


def is_whole(head: NodeSpec, n: int) -> bool:
    """Return whether a dataclass has as many data and children as fields; made by hand, it may not."""
    return n == len(head.node.fields or ()) and len(head.data) == len(head.node.meta)


def _dict_display(w: _Writer, keys: tuple, parts: list[str]) -> str:
    if len(parts) == 1 and parts[0][0] == "*":
        return f"dict(zip({w.bind(keys)}, {parts[0][1:]}))"
    return f"{{{', '.join(f'{w.key(k)}: {p}' for k, p in zip(keys, parts))}}}"


# ---- from tree to leaves ----


def compile_match(root: Any) -> Callable[[Any], list[Any] | None] | None:
    """Return a function from a tree of structure `root` to its leaves, and from others to None.

    None if there is none: for heads that are not interned.
    """
    w = _Writer("match(tree)")
    w.lines.append("try:")
    leaves = _take_all(w, root)
    w.lines.append(f"  leaves = [{', '.join(leaves)}]")
    # The loop in treedef.py meets the same error again, and explains it.
    w.lines.append(_UNLIKE)
    w.lines.append("return leaves if are_leaves(map(type, leaves)) else None")
    return w.function()


def compile_asked_match(root: Any) -> Callable[[Any, Callable[[Any], Any], list[Any]], list[Any] | None]:
    """Return a function of a tree, `is_leaf` and a list: the leaves of a tree of structure `root`, None for others.

    The list gets the answers of `is_leaf`, in the order of the nodes from the root down, as far as it was asked.
    """
    w = _Writer("match(tree, is_leaf, said)")
    w.lines += ["note = said.append", "try:"]
    leaves = _take_all(w, root, asked=True)
    w.lines.append(f"  leaves = [{', '.join(leaves)}]")
    w.lines.append(_UNLIKE)
    w.lines.append("return leaves if are_answers(map(type, said)) else None")
    w.names["are_answers"] = {bool, type(None)}.issuperset
    return w.function()


def _take_all(w: _Writer, root: Any, asked: bool = False) -> list[str]:
    """Write how a tree is taken apart; return the expressions of its leaves."""
    leaves: list[str] = []
    stack: list[tuple[Any, str]] = [(root, "tree")]

    def ask(*lines: str) -> None:
        w.lines += ["  pass", _UNLIKE, *lines, "try:"]  # what `is_leaf` raises is its own

    while stack:  # preorder
        treedef, value = stack.pop()
        if value[0] == "*":  # leaves of a flat container, which `is_leaf` is asked about
            value = value[1:]
            ask(f"if are_leaves(map(type, {value})): said += map(is_leaf, {value})", "else:",
                f"  for x in {value}:", "    a = is_leaf(x); note(a)",
                "    if a is not True and type(x) not in leaf_types: return None")
            leaves.append(f"*{value}")
            continue
        if treedef.head is None and not asked:
            leaves.append(value)
            continue
        if not value.isidentifier():
            name = w.new()
            w.lines.append(f"  {name} = {value}")
            value = name
        if asked and treedef.head is None:
            ask(f"a = is_leaf({value}); note(a)",
                f"if a is not True and type({value}) not in leaf_types: return None")
            leaves.append(value)
            continue
        if asked:
            ask(f"a = is_leaf({value}); note(a)", "if a is not False and a is not None: return None")
        parts = _take(w, treedef.head, value, treedef)
        if treedef.is_flat and not asked:
            leaves += parts
        elif treedef.is_flat and parts:
            name = w.new()
            w.lines.append(f"  {name} = [{', '.join(parts)}]")
            stack.append((treedef, f"*{name}"))
        else:
            stack += reversed([*zip(treedef.parts, parts)])
    return leaves


def _take(w: _Writer, head: NodeSpec, value: str, treedef: Any) -> list[str]:
    """Write the checks that `value` has this head; the expressions of its children.

    A flat node may give one expression with a star instead.
    """
    node, n = head.node, len(treedef.parts)

    def unless(condition: str) -> None:
        w.lines.append(f"  if not ({condition}): return None")

    def sequence(name: str) -> list[str]:
        if treedef.is_flat:
            return [f"*{name}"] if n else []
        names = [w.new() for _ in range(n)]
        w.lines.append(f"  {', '.join(names)}, = {name}")
        return names

    def same(name: str, data: Any) -> None:
        known, key = w.bind(data), exact_key(data)
        if key is None:
            unless(f"is_same({name}, {known})")
        else:  # the types first: an array equals nothing, it answers with an array
            unless(f"{name} is {known} or exact_key({name}) == {w.bind(key)} and {name} == {known}")

    match node.style:
        case "none":
            unless(f"{value} is None")
            return []
        case "tuple" | "list":
            unless(f"type({value}) is {node.type.__name__} and len({value}) == {n}")
            return sequence(value)
        case "namedtuple":  # it may be registered as something else later
            unless(f"head_of(type({value})) is {w.bind(head)} and tuple.__len__({value}) == {n}")
            return sequence(value)
        case "dict" | "OrderedDict" | "defaultdict":
            unless(f"type({value}) is {w.bind(node.type)} and len({value}) == {n}")
            keys = head.data
            if node.style == "OrderedDict":
                unless(f"tuple({value}) == {w.bind(keys)}")
            elif node.style == "defaultdict":
                factory, keys = head.data
                unless(f"{value}.default_factory is {w.bind(factory)}")
                # To look up a missing key would make it.
                unless(f"{value}.keys() == {w.bind(dict.fromkeys(keys).keys())}")
            kinds = {*map(type, keys)}
            if kinds == {str}:  # not a str enum; see dict_taker
                w.lines.append(f"  for key in {value}: break")
                unless("type(key) is str")
            elif kinds == {int}:
                unless(f"{{*map(type, {value})}} == {{int}}")
            elif kinds:  # the very keys: equal ones may be others
                ids, known, parts = w.new(), w.bind([*map(id, keys)]), w.new()
                w.lines.append(f"  {ids} = [*map(id, {value})]")
                w.lines.append(f"  if {ids} == {known}: {parts} = {value}.values()")
                w.lines.append(f"  elif {w.bind(frozenset(map(id, keys)).issuperset)}({ids}): "
                               f"{parts} = [{', '.join(f'{value}[{w.bind(k)}]' for k in keys)}]")
                w.lines.append("  else: return None")
                return sequence(parts)
            return [f"{value}[{w.key(k)}]" for k in keys]
        case "dataclass" if is_whole(head, n):
            unless(f"type({value}) is {w.bind(node.type)}")
            for name, data in zip(node.meta, head.data):
                same(f"{value}.{name}", data)
            return [f"{value}.{name}" for name in node.fields or ()]
        case _:
            unless(f"type({value}) is {w.bind(node.type)}")
            result, parts, data = w.new(), w.new(), w.new()
            w.lines.append(f"  {result} = {w.bind(node.take)}({value})")
            unless(f"type({result}) is tuple and len({result}) == 2")
            w.lines.append(f"  {parts}, {data} = {result}")
            w.lines.append(f"  if type({parts}) is not tuple: {parts} = checked_parts({result})[0]")
            unless(f"len({parts}) == {n}")
            same(data, head.data)
            return sequence(parts)


# ---- from tree to paths ----


def compile_paths(
    root: Any, names: Callable[[NodeSpec, int], list[Any]], leaf_paths: Callable[[Any], list[tuple[Any, ...]]]
) -> Callable[[Any], list[tuple[Any, ...]] | None]:
    """Return a function from a tree of structure `root` to the paths of its leaves.

    It gives None where a class does not name as many children as it has; the loop in paths.py explains that.

    Args:
      root: a structure with classes that name the children of each instance.
      names: gives the keys of the children of other containers, by head and number.
      leaf_paths: gives the paths of a structure without such classes.
    """
    w = _Writer("paths(tree)")
    w.names["parts_of"] = lambda value: take_apart(value, type(value))[1]  # type: ignore[index]
    w.lines.append("try:")
    paths: list[str] = []
    stack: list[tuple[Any, str, list[str]]] = [(root, "tree", [])]
    while stack:  # preorder
        treedef, value, path = stack.pop()
        if not treedef.names_instances:
            for below in leaf_paths(treedef):
                paths.append(f"({''.join(f'{key}, ' for key in [*path, *map(w.bind, below)])})")
            continue
        head, parts = treedef.head, [w.new() for _ in treedef.parts]
        if head.node.take_with_keys is None:
            keys = [*map(w.bind, names(head, len(parts)))]
            unpacked = "".join(f"{part}, " for part in parts)
            value = value if head.node.style in ("tuple", "list") else f"parts_of({value})"
        else:
            keys = [w.new("k") for _ in parts]
            unpacked = "".join(f"({key}, {part}), " for key, part in zip(keys, parts))
            value = f"{w.bind(head.node.take_with_keys)}({value})[0]"
        w.lines.append(f"  {unpacked or '()'} = {value}")
        stack += reversed([(p, part, [*path, key]) for p, part, key in zip(treedef.parts, parts, keys)])
    w.lines += [f"  return [{', '.join(paths)}]", "except (TypeError, ValueError): return None"]
    return w.function()
