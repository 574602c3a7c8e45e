"""The pages of the reference that are generated: public functions by module, options, errors.

Tests: `tests/docs/test_site.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

from docstrings import described, first_sentence

import adjoint.numpy as jnp
from adjoint import Array
from adjoint.core.options.options import IDLE, OPTIONS
from adjoint.tools.names import MODULES, error_classes, full_name, public
from adjoint.tools.pages import title

_AN_ARRAY = jnp.zeros((1, 1))
_SHORT = {"numpy": "jnp", "lax": "lax", "random": "random"}


def pages() -> dict[str, str]:
    """Every generated page, by its path in docs/."""
    rows = [f"| [`{full_name(m)}`]({m}.md) | {_idea(m)} | {len(public(m))} |" for m in MODULES]
    listing = [
        "# Functions by module", "", "Generated from the docstrings, whose examples the tests run.", "",
        "| module | holds | names |", "|---|---|--:|", *rows, "",
    ]
    written = {f"reference/{m}.md": "\n".join(_module(m)) for m in MODULES}
    written |= {f"reference/errors.{name}.md": "\n".join(_error(name, cls)) for name, cls in error_classes().items()}
    return {**written, "reference/modules.md": "\n".join(listing), "reference/options.md": "\n".join(_options())}


def _idea(module: str) -> str:
    """What the docstring of a module says that it holds."""
    text = first_sentence(import_module(full_name(module)).__doc__)
    return text.removeprefix(f"`{full_name(module)}`: ").rstrip(".")


def _module(module: str) -> Iterator[str]:
    names = public(module)
    yield from (f"# {full_name(module)}", "", f"{_idea(module)[:1].upper()}{_idea(module)[1:]}.", "")
    yield from ("| name | |", "|---|---|")
    for name, value in names.items():
        sentence = first_sentence(value.__doc__).replace("|", "\\|")
        yield f"| [`{name}`](#{full_name(module)}.{name}) | {sentence.split('. ')[0].rstrip('.:')} |"
    yield ""
    for name, value in names.items():
        yield from described(name, value, full_name(module), lambda text: _place(text, module))
        if inspect.isclass(value) and not issubclass(value, BaseException):
            yield from _members(name, value, module)


def _error(name: str, cls: type[Exception]) -> Iterator[str]:
    """The page of a class of errors: what `adjoint.help` prints, as Markdown."""
    first = title(f"`{cls.__module__}.{name}`", cls)
    yield from (f"# {name}", "", f"{first}. `adjoint.help({name!r})` prints this page.")
    yield from ("", *list(described(name, cls, cls.__module__, lambda text: _place(text, "adjoint")))[2:])


def _members(name: str, cls: type, module: str) -> Iterator[str]:
    """What a class has that its docstring does not say by itself: its properties and methods."""
    for member in sorted(n for n in dir(cls) if not n.startswith("_")):
        with suppress(AttributeError, NotImplementedError):  # members of modules are put in place when first used
            getattr(_AN_ARRAY if cls is Array else cls, member)
        value = inspect.getattr_static(cls, member)
        value = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if (inspect.isroutine(value) or isinstance(value, property)) and value.__doc__:
            yield from described(member, value, f"{full_name(module)}.{name}", lambda text: _place(text, module), True)


def _place(text: str, module: str) -> str | None:
    """Where a name that a docstring mentions is described: in its module, `adjoint`, or one that it names."""
    if text in error_classes():
        return f"errors.{text}.md"
    if text in public(module):
        return f"#{full_name(module)}.{text}"
    head, _, last = text.rpartition(".")
    for other in ("adjoint", *MODULES):
        if head in (other, full_name(other), _SHORT.get(other), f"jax.{other}") and last in public(other):
            return f"{other}.md#{full_name(other)}.{last}"
    return None


def _options() -> Iterator[str]:
    yield from ("# Options and environment variables", "", *_OPTIONS_HEAD.strip().splitlines(), "")
    yield from ("## Options", "", "| option | default | values | |", "|---|---|---|---|")
    for option in sorted(OPTIONS, key=lambda option: option.name):
        if option.name not in IDLE:
            yield f"| `{option.name}` | `{_text(option.default)}` | {_values(option.kind)} | {option.doc} |"
    yield from ("", "## Options that are accepted and without effect", "")
    reasons: dict[str, list[str]] = {}
    for name, reason in IDLE.items():
        reasons.setdefault(reason, []).append(f"`{name}`")
    for reason, names in reasons.items():
        yield f"* {reason} {', '.join(sorted(names))}."
    yield ""


def _text(default: Any) -> str:
    return str(getattr(default, "name", default)) if default != "" else "''"


def _values(kind: Any) -> str:
    if isinstance(kind, tuple):
        return ", ".join(f"`{value}`" for value in kind[:6]) + (" ..." if len(kind) > 6 else "")
    return ", ".join(f"`{member.name.lower()}`" for member in kind) if inspect.isclass(kind) else kind


_OPTIONS_HEAD = """
An option is set in the program, before it or around a part of it. The three ways have one meaning:

```python
>>> ad.config.update("jax_debug_nans", False)      # from here on
>>> with ad.debug_nans(True):                      # inside the block, in this thread
...     ad.config.jax_debug_nans
True

```

```sh
JAX_DEBUG_NANS=1 python train.py                   # for a whole process: the name in capitals
```

A value that an option does not have is an error that lists those that it has. Options are JAX's, with JAX's names;
`cpu_engine`, `native_tier` and `progress` are this library's own, and their variables begin with `ADJOINT_`.

## Environment variables

| variable | default | |
|---|---|---|
| `JAX_...` | | Sets an option by its name in capitals: `JAX_ENABLE_X64=1`, `JAX_PLATFORMS=cpu`. |
| `ADJOINT_CPU_ENGINE` | `native` | The engine of jitted functions on one CPU device: `native`, `xla` or `numpy`. |
| `ADJOINT_NATIVE_TIER` | `auto` | `quick` or `final` code; `auto` makes first one, then the other. |
| `ADJOINT_NATIVE_CPU` | this processor's | Code for a lesser processor: `x86-64-v2`, `x86-64-v3`, `x86-64-v4`. |
| `ADJOINT_PROGRESS` | `1` | `0`: nothing turns on the terminal while a large program is compiled. |
| `ADJOINT_NUM_THREADS` | all processors of the process | How many threads kernels may take. |
| `ADJOINT_CACHE_DIR` | `~/.cache/adjoint` | Where compiled programs are kept; `off` keeps none. |
| `ADJOINT_AS_JAX` | | `1`: every Python of the environment has adjoint in the place of `jax`. |
| `ADJOINT_JAX_VERSION` | `0.10.2` | The version of JAX that `jax.__version__` says. |
| `XLA_FLAGS` | | Flags of XLA; `--xla_force_host_platform_device_count=8` makes 8 virtual CPU devices. |
"""
