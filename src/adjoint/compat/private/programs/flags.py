"""Options by their private names, and options and flags of libraries: `jax._src.config`.

`config.enable_x64` is the option jax_enable_x64: its value, and a context manager. A library's own options are made
by `bool_state` and its like, and are read and set like the others; a flag is a value alone, which the environment says.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....core.options.config import Config, Override, State, config, trace_context
from ....core.options.options import Option

__all__ = [
    "DEFAULT_CPU_COLLECTIVES_IMPL", "UPGRADE_BOOL_EXTRA_DESC", "UPGRADE_BOOL_HELP", "EffortLevel", "NoDefault",
    "no_default",
    "Config", "Flag", "StateContextManager", "State", "bool_env", "bool_flag", "bool_state", "config", "config_states",
    "enum_flag", "enum_state", "float_flag", "float_state", "int_env", "int_flag", "int_state",
    "optional_enum_state", "optional_string_state", "parse_flags_with_absl", "string_flag",
    "string_or_object_state", "string_state", "trace_context", "update",
]

StateContextManager = Override
update = config.update
parse_flags_with_absl = config.parse_flags_with_absl
already_configured_with_absl = False

DEFAULT_CPU_COLLECTIVES_IMPL = "gloo"
UPGRADE_BOOL_EXTRA_DESC = " (transient)"
UPGRADE_BOOL_HELP = (
    " This will be enabled by default in future versions of JAX, at which point all uses of the flag will be "
    "considered deprecated (following the `API compatibility policy "
    "<https://docs.jax.dev/en/latest/api_compatibility.html>`_).")

_TRUE, _FALSE = ("y", "yes", "t", "true", "on", "1"), ("n", "no", "f", "false", "off", "0")


def __getattr__(name: str) -> State:
    for known in ("jax_" + name, name):
        if known in config.values:
            return config.state(known)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class EffortLevel(enum.Enum):
    """The effort of a compiler."""

    UNKNOWN, O0, O1, O2, O3 = 0, 9, 19, 29, 39


class NoDefault:
    """Stands for a value that was not given."""


no_default = NoDefault()


class _States(Mapping):
    """The options by name."""

    def __getitem__(self, name: str) -> State:
        try:
            return config.state(name)
        except AttributeError:
            raise KeyError(name) from None

    def __iter__(self):
        return iter(config.values)

    def __len__(self) -> int:
        return len(config.values)


config_states = _States()


# ---- environment variables -----------------------------------------------------------------------


def bool_env(varname: str, default: bool) -> bool:
    """Return what a variable of the environment says; ValueError if it is neither yes nor no."""
    text = os.environ.get(varname, str(default)).lower()
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise ValueError(f"invalid truth value {text!r} for environment {varname!r}")


def int_env(varname: str, default: int) -> int:
    """Return the number in a variable of the environment."""
    return int(os.environ.get(varname, str(default)))


# ---- options of libraries ------------------------------------------------------------------------


def _defined(name: str, default: Any, kind: Any, help: str, traced: bool) -> State:
    config.define(Option(name.lower(), default, kind, help, traced))
    return config.state(name.lower())


def _state(kind: str) -> Callable[..., State]:
    def state(
        name: str, default: Any, help: str, *, include_in_jit_key: bool = False,
        include_in_trace_context: bool = False, validator: Callable[[Any], None] | None = None, **_: Any,
    ) -> State:
        if validator is not None:
            validator(default)
        return _defined(name, default, kind, help, include_in_jit_key or include_in_trace_context)

    state.__doc__ = f"""Return a new option of a library, a {kind}: its value, and a context manager.

    Args:
      name: by which `config.update` knows it; its environment variable is the same in capitals.
      default: its value where the environment says nothing.
      help: what it does.
      include_in_jit_key, include_in_trace_context: whether functions are traced anew where it has another value.
      validator: raises an error for a value that it cannot have.
    """
    return state


bool_state, int_state, float_state = _state("bool"), _state("int"), _state("float")
string_state, optional_string_state, string_or_object_state = _state("str"), _state("any"), _state("any")


def enum_state(
    name: str, enum_values: Sequence[str], default: Any, help: str, *, include_in_jit_key: bool = False,
    include_in_trace_context: bool = False, **_: Any,
) -> State:
    """Return a new option of a library, one of some words: its value, and a context manager."""
    return _defined(name, default, tuple(enum_values), help, include_in_jit_key or include_in_trace_context)


def optional_enum_state(name: str, enum_values: Sequence[str], default: Any, help: str, **about: Any) -> State:
    """Return a new option of a library, one of some words or None."""
    return enum_state(name, (None, *enum_values), default, help, **about)


class Flag:
    """A value that the environment gives; it can be set."""

    def __init__(self, name: str, default: Any, update_hook: Callable[[Any], None] | None = None):
        self._name, self._value, self._update_hook = name, default, update_hook
        if update_hook is not None:
            update_hook(default)

    def __bool__(self) -> bool:
        raise NotImplementedError("bool() not supported for instances of type 'Flag' (did you mean to use 'Flag.value' "
                                  "instead?)")

    @property
    def value(self) -> Any:
        """Return the value."""
        return self._value

    def _set(self, value: Any) -> None:
        self._value = value
        if self._update_hook is not None:
            self._update_hook(value)


def _flag(read: Callable[[str], Any]) -> Callable[..., Flag]:
    def flag(name: str, default: Any, *args: Any, **kwargs: Any) -> Flag:
        given = os.environ.get(name.upper())
        return Flag(name, default if given is None else read(given), kwargs.get("update_hook"))

    flag.__doc__ = """Return a flag: what the variable of its name in capitals says, or the default."""
    return flag


bool_flag = _flag(lambda text: text.lower() in _TRUE)
int_flag, float_flag, string_flag, enum_flag = _flag(int), _flag(float), _flag(str), _flag(str)
