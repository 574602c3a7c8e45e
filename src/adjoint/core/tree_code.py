"""Python code generated for treedefs that are used again and again.

`compile_unflatten(treedef)` gives `leaves -> tree`: one statement a container, leaves as local variables, so that a list
of 50 dicts is built in the time of 50 dict displays. `compile_match(treedef, leaf_types)` gives `tree -> leaves or None`:
the leaves if the tree has this very structure, checked on the way. Statements are not nested, so deep trees compile.
Called from treedef.py only.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Any, Callable

_FILE = __file__ + " (generated)"  # below the package, so that error messages take its frames for internal


class _Writer:
    """Lines of one function, and the objects that they refer to by name."""

    def __init__(self, signature: str):
        self.lines = [f"def {signature}:"]
        self.names: dict[str, Any] = {"OrderedDict": OrderedDict, "defaultdict": defaultdict}
        self.count = 0

    def new(self, letter: str = "t") -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def bind(self, value: Any) -> str:
        """A name for an object."""
        name = self.new("c")
        self.names[name] = value
        return name

    def key(self, key: Any) -> str:
        """A dict key as an expression."""
        return repr(key) if type(key) in (str, int) else self.bind(key)

    def function(self) -> Callable:
        exec(compile("\n  ".join(self.lines), _FILE, "exec"), self.names)
        return self.names[self.lines[0][4:].partition("(")[0]]


def compile_unflatten(root: Any) -> Callable[[list[Any]], Any]:
    """A function from a list of as many leaves as `root` has to the tree."""
    w = _Writer("unflatten(leaves)")
    leaves = [w.new("x") for _ in range(root.num_leaves)]
    if leaves:
        w.lines.append(f"{', '.join(leaves)}, = leaves")
    rest, values = iter(leaves), []
    stack = [(root, False)]
    while stack:  # postorder
        treedef, children_are_done = stack.pop()
        if treedef.head is None:
            values.append(next(rest))
        elif not children_are_done:
            stack.append((treedef, True))
            stack += [(child, False) for child in reversed(treedef.children_)]
        else:
            at = len(values) - len(treedef.children_)
            expression = _display(w, treedef.head, values[at:])
            name = w.new()
            w.lines.append(f"{name} = {expression}")
            values[at:] = [name]
    w.lines.append(f"return {values[0]}")
    return w.function()


def _display(w: _Writer, head: Any, parts: list[str]) -> str:
    """The expression that makes one container of the values named `parts`."""
    node, data = head.node, head.data
    listed = ", ".join(parts)
    match node.style:
        case "none":
            return "None"
        case "list":
            return f"[{listed}]"
        case "tuple":
            return f"({listed}{',' if len(parts) == 1 else ''})"
        case "namedtuple":
            return f"{w.bind(node.type)}({listed})"
        case "dict":
            return _dict_display(w, data, parts)
        case "OrderedDict":
            return f"OrderedDict({_dict_display(w, data, parts)})"
        case "defaultdict":
            return f"defaultdict({w.bind(data[0])}, {_dict_display(w, data[1], parts)})"
        case _:
            return f"{w.bind(node.build)}({w.bind(data)}, ({listed}{',' if len(parts) == 1 else ''}))"


def _dict_display(w: _Writer, keys: tuple, parts: list[str]) -> str:
    return "{%s}" % ", ".join(f"{w.key(k)}: {p}" for k, p in zip(keys, parts))


def compile_match(root: Any, leaf_types: set[type]) -> Callable[[Any], list[Any] | None]:
    """A function from a tree to its leaves if it has the structure `root`, which holds no custom nodes."""
    w = _Writer("match(tree)")
    w.names["are_leaves"] = leaf_types.issuperset
    w.lines.append("try:")
    leaves: list[str] = []
    stack: list[tuple[Any, str]] = [(root, "tree")]
    while stack:  # preorder; a child is an expression, which a container first puts in a variable
        treedef, value = stack.pop()
        head, n = treedef.head, len(treedef.children_)
        if head is None:
            leaves.append(value)
            continue
        if not value.isidentifier():
            name = w.new()
            w.lines.append(f"  {name} = {value}")
            value = name
        style, kind = head.node.style, head.node.type
        if style == "none":
            w.lines.append(f"  if {value} is not None: return None")
            continue
        w.lines.append(f"  if type({value}) is not {w.bind(kind)} or len({value}) != {n}: return None")
        if style == "OrderedDict":
            w.lines.append(f"  if tuple({value}) != {w.bind(head.data)}: return None")
        elif style == "defaultdict":
            factory = w.bind(head.data[0])
            w.lines.append(f"  if {value}.default_factory is not {factory}: return None")
        if style in ("tuple", "list", "namedtuple"):
            if treedef.is_flat:
                leaves.append(f"*{value}")
                continue
            names = [w.new() for _ in range(n)]
            w.lines.append(f"  {', '.join(names)}, = {value}")
            parts = names
        else:
            keys = head.data[1] if style == "defaultdict" else head.data
            parts = [f"{value}[{w.key(k)}]" for k in keys]
            if keys and type(keys[0]) is str:  # not a str enum; see take_apart
                w.lines += [f"  for key in {value}: break", "  if type(key) is not str: return None"]
            elif keys:  # neither True nor 1.0 for 1
                w.lines.append(f"  if {{*map(type, {value})}} != {{int}}: return None")
        stack += reversed([*zip(treedef.children_, parts)])
    w.lines.append(f"  leaves = [{', '.join(leaves)}]")
    w.lines += ["except KeyError: return None", "return leaves if are_leaves(map(type, leaves)) else None"]
    return w.function()
