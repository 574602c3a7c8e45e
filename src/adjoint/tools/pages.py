"""`help`: prints the page of a name. The text is the docstring, of which the reference makes its pages, too."""

from __future__ import annotations

import difflib
import inspect
import re
from importlib import import_module
from types import ModuleType
from typing import Any

from ..core.messages.errors import message, presented
from ..core.options.options import IDLE, OPTIONS
from ..core.process.records import NamedTuple
from .names import MODULES, PACKAGE, error_classes, full_name, public

__all__ = ["call", "help", "title"]

_SHORT = {"jnp": "numpy", "jsp": "scipy", "jax": "", "ad": "", PACKAGE: ""}
_MOST_GUESSES = 5


class _Page(NamedTuple):
    """The subject of a page: the dotted name below the package, and the object."""

    name: str
    value: Any


def help(name: Any = None) -> None:
    """Print the page of a function, class, module, option or error: what it does, or its causes and cures.

    Args:
      name: as a program writes it, with or without its module: `"vmap"`, `"jnp.where"`, `"lax.linalg.qr"`,
        `"Array.at"`, `"KeyReuseError"`, `"jax_debug_nans"`; or the object itself. Without it, the modules are listed.
    Raises:
      ValueError: there is no such name; the message has those that are near.

    A name that several modules have is that of the first one in the reference; the last line names the others.

    >>> help("jax_disable_jit")
    jax_disable_jit (an option, default False)
    <BLANKLINE>
    Run jitted functions operation by operation.
    >>> help("vmpa")
    Traceback (most recent call last):
    ValueError: There is no page 'vmpa'...
    """
    if name is None:
        print("\n".join([_first_line(full_name(m), import_module(full_name(m))) for m in MODULES]))
        return
    if not isinstance(name, str):
        print(_text(_of_object(name)))
        return
    for option in OPTIONS:
        if name in (option.name, option.name.removeprefix("jax_")) and (name == option.name or not _found(name)):
            print(f"{option.name} (an option, default {option.default!r})\n\n{option.doc or IDLE.get(option.name)}")
            return
    pages = _found(name)
    if not pages:
        raise ValueError(_unknown(name))
    print(_text(pages[0]))
    if len(pages) > 1:
        print(f"\nAlso: {', '.join(_public_name(page) for page in pages[1:])}")


def _found(name: str) -> list[_Page]:
    """Return the pages that a name may mean, the first one first."""
    head, _, rest = name.strip().removesuffix("()").partition(".")
    path = ".".join(filter(None, [_SHORT.get(head, head), rest]))
    if not path:
        return [_Page("", import_module(PACKAGE))]
    pages: dict[int, _Page] = {}
    if path in error_classes():
        pages[id(error_classes()[path])] = _Page(f"errors.{path}", error_classes()[path])
    for module in MODULES:
        prefix = "" if module == PACKAGE else f"{module}."
        whole = path.removeprefix(prefix)
        if whole in public(module) and (whole == path or path.startswith(prefix)):
            pages.setdefault(id(public(module)[whole]), _Page(prefix + whole, public(module)[whole]))
    inside = _attribute(path)
    if inside is not None and not pages:
        pages[id(inside)] = _Page(path, inside)
    return list(pages.values())


def _attribute(path: str) -> Any:
    """Return what a dotted path leads to: a module, a function that the reference leaves out, a member of a class."""
    value: Any = import_module(PACKAGE)
    for part in path.split("."):
        if inspect.isclass(value):
            getattr(value, part, None)  # members of modules are put in place when first used
        value = None if part.startswith("_") else getattr(value, part, None)
        if value is None:
            return None
    return value if value.__doc__ else None


def _of_object(value: Any) -> _Page:
    """Return the page of an object that is public; that of its own name if it is none of ours."""
    for module in ("errors", *MODULES):
        for name, other in public(module).items():
            if other is value:
                return _Page(name if module == PACKAGE else f"{module}.{name}", value)
    if isinstance(value, ModuleType):
        return _Page(value.__name__.partition(".")[2], value)
    if not inspect.isroutine(value) and not inspect.isclass(value):
        value = type(value)
    return _Page(getattr(value, "__qualname__", str(value)), value)


def title(name: str, value: Any) -> str:
    """Return the first line of a page: how it is called, or of which classes it is one.

    >>> title("jax.errors.KeyReuseError", errors.KeyReuseError)
    'jax.errors.KeyReuseError: a JAXTypeError, TypeError'
    """
    if inspect.isclass(value) and issubclass(value, BaseException):
        bases = [c.__name__ for c in value.__mro__[1:] if c not in (object, BaseException, Exception)]
        bases = bases or ["Exception"]
        return f"{name}: {'an' if bases[0][0] in 'AEIO' else 'a'} {', '.join(bases)}"
    if isinstance(value, ModuleType) or not callable(value):
        return name
    return call(name, value, 120) or name


def call(name: str, value: Any, width: int, is_member: bool = False) -> str:
    """Return how a function or class is called, without annotations; empty for what is not, or takes nothing.

    Args:
      name: as it is written.
      value: the function or class.
      width: a longer call has a parameter a line.
      is_member: its first parameter is the object.
    """
    if isinstance(value, property) or not callable(value):
        return ""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    bare = [p.replace(annotation=p.empty, default=_default(p.default))
            for p in list(signature.parameters.values())[is_member:] if not p.name.startswith("_")]
    if inspect.isclass(value) and not bare:
        return ""
    text = str(signature.replace(parameters=bare, return_annotation=signature.empty))
    if len(name + text) <= width:
        return name + text
    return f"{name}(\n    " + re.sub(r", (?=[\w*]|/)", ",\n    ", text[1:-1]) + ",\n)"


class _Written(str):
    """A default value as text, which `inspect` writes without quotes."""

    __repr__ = str.__str__


def _default(value: Any) -> Any:
    if value is inspect.Parameter.empty or value is None or isinstance(value, bool | int | float | str | tuple):
        return value
    if inspect.isclass(value) or inspect.isfunction(value):
        return _Written(value.__name__)
    text = repr(value)
    return _Written("..." if text.startswith("<") else text)


def _text(page: _Page) -> str:
    """Return the page: a line that says how it is called, and the docstring; the names of a module."""
    lines = [title(_public_name(page), page.value), "", inspect.getdoc(page.value) or "There is no docstring."]
    if isinstance(page.value, ModuleType) and (page.name or PACKAGE) in MODULES:
        lines += ["", *[_first_line(name, value) for name, value in public(page.name or PACKAGE).items()]]
    return "\n".join(lines)


def _public_name(page: _Page) -> str:
    return ".".join(filter(None, [presented(PACKAGE), page.name]))


def _first_line(name: str, value: Any) -> str:
    sentence = (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")
    return f"{name:32} {sentence}"


def _unknown(name: str) -> str:
    """Return the message for a name that is not there."""
    every: dict[str, str] = {option.name: option.name for option in OPTIONS}
    for other in error_classes():
        every.setdefault(other.lower(), other)
    for module in MODULES:
        for other in public(module):
            every.setdefault(other.lower(), other if module == PACKAGE else f"{module}.{other}")
    last = name.rpartition(".")[2].lower()
    near = difflib.get_close_matches(last, every, n=_MOST_GUESSES, cutoff=0.65)
    begin = [other for other in every if other.startswith(last)] if len(last) > 2 else []
    guesses = [every[other] for other in dict.fromkeys([*begin, *near])][:_MOST_GUESSES]
    fix = " or ".join(f"{presented(PACKAGE)}.help({guess!r})" for guess in guesses[:2])
    return message(
        f"There is no page {name!r}.", why=f"Names that are near: {', '.join(guesses)}." if guesses else None,
        fix=fix or f"{presented(PACKAGE)}.help() for the modules",
    )
