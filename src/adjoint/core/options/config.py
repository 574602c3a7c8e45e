"""The options of the library: `config`, and a context manager for each option.

An option has a value for the process, which the environment and `config.update` set. A thread may
have another one, inside `with jax.enable_x64(True):`. Both are in `local`: class attributes are the
process's values, instance attributes the thread's. So hot code reads an option as one attribute,
`local.enable_x64`. `trace_context()` stands for all the values that tracing reads; caches of traced
programs have it in their keys. The options themselves are listed in `options.py`.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..messages import errors
from ..process.locks import tables
from .options import (
    IDLE,
    OPTIONS,
    USES,
    ExplicitX64Mode,
    LegacyPrngKeyState,
    NumpyDtypePromotion,
    Option,
    RuntimeTracebackMode,
)

__all__ = [
    "Config",
    "TraceContext",
    "ExplicitX64Mode",
    "LegacyPrngKeyState",
    "NumpyDtypePromotion",
    "RuntimeTracebackMode",
    "Option",
    "State",
    "config",
    "epoch",
    "local",
    "make_user_context",
    "trace_context",
    "watch",
]


class TraceContext(tuple):
    """The values of the options that change what is traced, interned: equal means identical."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__  # a jitted call looks this up; hashing 37 values would cost more

    def difference(self, other: TraceContext) -> dict[str, tuple[Any, Any]]:
        """Return the options that differ, by name: (value here, value there)."""
        return {name: (a, b) for name, a, b in zip(_traced, self, other) if a != b}


class _Thread(threading.local):
    """Values of the options: the process's in the class, a thread's in its instance."""

    trace_context: TraceContext = TraceContext()

    def __init__(self):
        own_values[threading.get_ident()] = self.__dict__


own_values: dict[int, dict[str, Any]] = {}  # the attributes of `local` in every thread that has used it
local: Any = _Thread()



class Unset:
    """Stands for an argument that was not given."""

    __slots__ = ()

    def __repr__(self):
        return "<not given>"


_MISSING: Any = Unset()
_traced: dict[str, int] = {}  # the traced fields and their positions in a TraceContext
_contexts: dict[tuple, TraceContext] = {}
# The attributes of the threads that have traced values of their own: global updates concern them.
_overriding: dict[int, dict[str, Any]] = {}
# Counts what makes calls that generated code has prepared out of date: changes of the process's options.
epoch = np.zeros(1, np.int64)
_watchers: dict[str, Callable[[], None]] = {}
_first: dict[str, Any] = {}  # the values that options have from the environment


def trace_context() -> TraceContext:
    """Return all values that change what a function is traced to, as one hashable object."""
    return local.trace_context


def _interned(values: Iterable[Any]) -> TraceContext:
    context = TraceContext(values)
    return _contexts.setdefault(tuple(context), context)


def watch(fields: Iterable[str], changed: Callable[[], None]) -> None:
    """Call `changed` now, and after each change of one of the options in the thread that changes it."""
    _watchers.update(dict.fromkeys(fields, changed))
    changed()


def _set_global(field: str, value: Any) -> None:
    before = getattr(_Thread, field)
    _put_global(field, value)
    if field in _watchers:
        try:
            _watchers[field]()
        except RuntimeError:  # it is too late to change this one
            _put_global(field, before)
            raise


def _put_global(field: str, value: Any) -> None:
    with tables:
        epoch[0] += 1
        setattr(_Thread, field, value)
        if field in _traced:
            _renew_contexts()


def _renew_contexts() -> None:
    """Put together the context of the process, and of every thread that has traced values of its own."""
    _Thread.trace_context = _interned(getattr(_Thread, f) for f in _traced)
    for own in _overriding.values():
        own["trace_context"] = _interned(own.get(f, getattr(_Thread, f)) for f in _traced)


def _set_local(field: str, value: Any) -> None:
    """Set a value of the running thread; `_MISSING` brings the process's value back."""
    own = local.__dict__
    if value is _MISSING:
        own.pop(field, None)
    else:
        own[field] = value
    if field in _watchers:
        _watchers[field]()
    if field not in _traced:
        return
    with tables:
        if _traced.keys().isdisjoint(own):
            own.pop("trace_context", None)
            _overriding.pop(threading.get_ident(), None)
        else:
            values = list(local.trace_context)
            values[_traced[field]] = getattr(local, field)
            own["trace_context"] = _interned(values)
            _overriding[threading.get_ident()] = own


_MOST_LISTED = 6  # values of an option that its docstring lists


def _described(option: Option) -> str:
    """Return the docstring of an option's context manager."""
    idle = IDLE.get(option.name)
    about = f"{option.doc} Accepted, without effect here: {idle}".strip() if idle else option.doc
    values = option.values
    more = ", and others" if len(values) > _MOST_LISTED else ""
    given = f"one of {', '.join([repr(v) for v in values[:_MOST_LISTED]])}{more}" if values else "the value"
    wrong = "Raises:\n  ValueError: it is none of these.\n" if values else ""
    if option.kind == "bool":
        given, wrong = "True or False; True if it is left out, and another value counts by its truth", ""
    if option.kind == "device":
        given, wrong = "a `Device`, the name of a platform, or None", "Raises:\n  ValueError: it is neither.\n"
    error, example = USES.get(option.name, ("", ""))
    if error:
        wrong = f"{wrong or 'Raises:' + chr(10)}  {error}\n"
    others = (not option.default,) if option.kind == "bool" else [v for v in values if v not in (None, option.default)]
    if others and not example:
        shown, read = others[0], option.read(str(others[0]))
        example = f"\n>>> with {option.field}({shown!r}):\n...     config.{option.name}\n{read!r}"
    return (
        f"{about}\n\nArgs:\n  new_val: {given}.\n"
        "Returns:\n  A context manager: the option has the value inside of the block, in this thread. It is a\n"
        f"  decorator of functions, too; `config.update({option.name!r}, ...)` sets the option for the process.\n"
        f"{wrong}{example}\n"
    )


class State:
    """An option: its value, and a context manager that changes it for the running thread.

    >>> with enable_x64(True):
    ...     enable_x64.value
    True
    """

    def __init__(self, option: Option):
        self.option = option
        self.name = option.name
        self.field = option.field
        self.__name__ = option.field
        self.__doc__ = _described(option)

    @property
    def value(self) -> Any:
        """Return the value in the running thread."""
        return getattr(local, self.field)

    def __call__(self, new_val: Any = _MISSING) -> Override:
        """Return a context manager and decorator, under which the option has the value `new_val`.

        Without a value a boolean option is switched on. Raises ValueError or TypeError for a value
        that the option cannot have.
        """
        if new_val is _MISSING:
            if self.option.kind != "bool":
                raise TypeError(
                    f"Context manager for {self.__name__} config option requires an argument "
                    "representing the new value for the config option."
                )
            new_val = True
        return Override((self, self.option.parse(new_val)))

    def __bool__(self) -> bool:
        raise TypeError(
            "bool() not supported for instances of type 'State' "
            "(did you mean to use 'State.value' instead?)"
        )

    def __repr__(self) -> str:
        return f"<State {self.name}={self.value!r}>"

    def get_global(self) -> Any:
        """Return the value of the process."""
        return getattr(_Thread, self.field)

    def set_global(self, value: Any) -> None:
        """Set the value of the process."""
        _set_global(self.field, value)

    def get_local(self) -> Any:
        """Return the value that the running thread has of its own, or None."""
        return local.__dict__.get(self.field)

    def set_local(self, value: Any) -> None:
        """Set the value of the running thread."""
        _set_local(self.field, value)

    def swap_local(self, value: Any) -> Any:
        """Set the value of the running thread; returns what `set_local` takes to undo it."""
        before = local.__dict__.get(self.field, _MISSING)
        _set_local(self.field, value)
        return before


class Override:
    """`with` block or decorator in which options have other values in the running thread."""

    __slots__ = ("_before", "_values")

    def __init__(self, *values: tuple[State, Any]):
        self._values = values
        self._before: list[list[Any]] = []  # a stack: the block may be entered again inside itself

    def __enter__(self) -> None:
        self._before.append([state.swap_local(value) for state, value in self._values])

    def __exit__(self, *_: Any) -> None:
        for (state, _value), before in zip(self._values, self._before.pop()):
            state.set_local(before)

    def __call__(self, fun: Callable) -> Callable:
        @functools.wraps(fun)
        def overridden(*args: Any, **kwargs: Any) -> Any:
            with Override(*self._values):  # a fresh one: threads may share the function
                return fun(*args, **kwargs)

        return overridden


class Config:
    """The options by JAX's names: `config.update("jax_enable_x64", True)`, `config.jax_enable_x64`.

    >>> config.jax_default_prng_impl
    'threefry2x32'
    """

    def __init__(self) -> None:
        self._states: dict[str, State] = {}

    def define(self, *options: Option) -> None:
        """Add options; environment variables of their names give their first values."""
        environment = set(os.environ)
        for option in options:
            self._states[option.name] = State(option)
            first = _first[option.name] = _from_environment(option, environment)
            setattr(_Thread, option.field, first)
            if option.traced:
                _traced[option.field] = len(_traced)
        with tables:
            _contexts.clear()  # those without the new options
            _renew_contexts()

    def read_environment(self) -> None:
        """Take over what the variables say that programs have set since the options were defined."""
        environment = set(os.environ)
        for name, state in self._states.items():
            before, now = _first[name], _from_environment(state.option, environment)
            if now != before:
                _first[name] = now
                if state.get_global() == before:  # `update` has the last word
                    state.set_global(now)

    def state(self, name: str) -> State:
        """Return the `State` of an option; AttributeError, with a suggestion, if there is none."""
        found = self._states.get(name)
        if found is None:
            hint = errors.did_you_mean(name, self._states) if isinstance(name, str) else ""
            raise AttributeError(f"Unrecognized config option: {name}" + (hint and "." + hint))
        return found

    def update(self, name: str, val: Any) -> None:
        """Set an option for the whole process.

        Raises:
          AttributeError: there is no such option.
          ValueError, TypeError: the option cannot have this value.
        """
        state = self.state(name)
        state.set_global(state.option.parse(val))

    def read(self, name: str) -> Any:
        """Return the value of an option in the running thread."""
        return self.state(name).value

    @property
    def values(self) -> dict[str, Any]:
        """Return the values of all options in the running thread, by name."""
        return {name: state.value for name, state in self._states.items()}

    @property
    def x64_enabled(self) -> bool:
        """Return whether 64-bit types are on."""
        return local.enable_x64

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and name in self.__dict__.get("_states", ()):
            return self._states[name].value
        raise AttributeError(
            f"'Config' object has no attribute {name!r}."
            + errors.did_you_mean(name, self.__dict__.get("_states", ()))
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.__dict__.get("_states", ()):  # JAX parity: other names are attributes without a meaning
            raise AttributeError(
                f"property of 'Config' object has no setter; write config.update({name!r}, "
                f"{errors.shorten(value)})"
            )
        object.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self._states]

    def add_option(
        self, name: str, holder: Any, opt_type: Any, meta_args: Any = (), meta_kwargs: Any = None
    ) -> None:
        """Add an option of a library; `holder.value` is its default."""
        if name in self._states:
            raise Exception(f"Config option {name} already defined")
        kind = opt_type.__name__ if opt_type in (bool, int, float, str) else "any"
        self.define(Option(name, holder.value, kind, (meta_kwargs or {}).get("help", "")))

    def config_with_absl(self) -> None:
        """Define the options as flags of absl-py, to be read back by `complete_absl_config`."""
        import absl.flags  # pyright: ignore[reportMissingImports] - only its users have it

        define = {
            "bool": absl.flags.DEFINE_bool,
            "int": absl.flags.DEFINE_integer,
            "float": absl.flags.DEFINE_float,
        }
        for name, state in self._states.items():
            if name not in absl.flags.FLAGS:
                add = define.get(state.option.kind, absl.flags.DEFINE_string)
                add(name, state.value, state.option.doc or name)

    def complete_absl_config(self, absl_flags: Any) -> None:
        """Take over the options that were given as flags of absl-py."""
        for name, state in self._states.items():
            if name in absl_flags.FLAGS and absl_flags.FLAGS[name].present:
                value = absl_flags.FLAGS[name].value
                self.update(name, state.option.read(value) if isinstance(value, str) else value)

    def parse_flags_with_absl(self) -> None:
        """Take over options from the command line: `--jax_enable_x64`, `--jax_platforms=cpu`."""
        for argument in sys.argv[1:]:
            if not argument.startswith("--"):
                continue
            name, equals, text = argument[2:].partition("=")
            if name in self._states:
                self.update(name, self._states[name].option.read(text) if equals else True)
            elif name.startswith("no") and name[2:] in self._states:
                self.update(name[2:], False)


def _from_environment(option: Option, environment: set[str]) -> Any:
    """Return the value that the variable ADJOINT_X, or else JAX_X, gives to the option jax_x."""
    name = option.field.upper()
    for variable in ("ADJOINT_" + name, "JAX_" + name):
        if variable in environment:
            try:
                return option.read(os.environ[variable])
            except ValueError as error:
                raise ValueError(errors.message(
                    f"environment variable {variable}={os.environ[variable]!r}: {error}", where=None,
                    fix=" or ".join([f"{variable}={text}" for text in option.texts()]),
                )) from None
    return option.default


config = Config()
config.define(*OPTIONS)


def make_user_context(default_value: Any = None) -> State:
    """Return a context of the user's own: functions are traced anew where it has another value.

    Args:
      default_value: the value where none is set; hashable.
    Returns:
      A context manager, `with context(value):`, with the members `value`, `get_global` and `set_global`; values are
      hashable, and belong to the running thread.
    Raises:
      TypeError: `default_value` is not hashable.

    >>> context = make_user_context("a")
    >>> with context("b"):
    ...     context.value
    'b'
    """
    option = Option(f"user_context_{len(_traced)}", default_value, "any", "A user's context.", traced=True)
    config.define(option)
    return config._states.pop(option.name)


# ---- the context managers that `jax` exposes ----

allow_f16_reductions = config.state("jax_allow_f16_reductions")
array_garbage_collection_guard = config.state("jax_array_garbage_collection_guard")
auto_pcast = config.state("jax_auto_pcast")
check_tracer_leaks = config.state("jax_check_tracer_leaks")
debug_infs = config.state("jax_debug_infs")
debug_key_reuse = config.state("jax_debug_key_reuse")
debug_nans = config.state("jax_debug_nans")
default_device = config.state("jax_default_device")
default_matmul_precision = config.state("jax_default_matmul_precision")
default_prng_impl = config.state("jax_default_prng_impl")
enable_checks = config.state("jax_enable_checks")
enable_custom_prng = config.state("jax_enable_custom_prng")
enable_x64 = config.state("jax_enable_x64")
explain_cache_misses = config.state("jax_explain_cache_misses")
jax2tf_associative_scan_reductions = config.state("jax2tf_associative_scan_reductions")
legacy_prng_key = config.state("jax_legacy_prng_key")
log_compiles = config.state("jax_log_compiles")
no_execution = config.state("jax_no_execution")
no_tracing = config.state("jax_no_tracing")
numpy_dtype_promotion = config.state("jax_numpy_dtype_promotion")
numpy_rank_promotion = config.state("jax_numpy_rank_promotion")
remove_size_one_mesh_axis_from_type = config.state("jax_remove_size_one_mesh_axis_from_type")
softmax_custom_jvp = config.state("jax_softmax_custom_jvp")
thread_guard = config.state("jax_thread_guard")
threefry_partitionable = config.state("jax_threefry_partitionable")
transfer_guard_device_to_device = config.state("jax_transfer_guard_device_to_device")
transfer_guard_device_to_host = config.state("jax_transfer_guard_device_to_host")
transfer_guard_host_to_device = config.state("jax_transfer_guard_host_to_device")


def checking_leaks() -> Override:
    """Raise an error where a traced value outlives the function that was traced, inside of a `with` block.

    The error, an `Exception`, says what holds the value. Looking costs time where values leak.

    Returns:
      A context manager, in this thread: `check_tracer_leaks(True)`.

    >>> kept = []
    >>> with checking_leaks():
    ...     jit(lambda x: kept.append(x))(1.)
    Traceback (most recent call last):
    Exception: Leaked trace DynamicJaxprTrace. Leaked tracer(s):...
    """
    return check_tracer_leaks(True)


def transfer_guard(new_val: str) -> Override:
    """Decide what happens when values move between host and devices, in all directions, inside of a `with` block.

    Args:
      new_val: "allow"; "log": say so; "disallow": an error, unless a call such as `device_put` asks for it;
        "log_explicit" and "disallow_explicit" mean these calls too.
    Returns:
      A context manager, in this thread.
    Raises:
      ValueError: none of these words.
    Differences: it is asked by `jnp.array`, `device_put` and jitted functions; what single operations outside of `jit`
      are given is not looked at.

    >>> with transfer_guard("disallow"):
    ...     config.jax_transfer_guard_device_to_host
    'disallow'
    """
    states = (
        transfer_guard_host_to_device,
        transfer_guard_device_to_device,
        transfer_guard_device_to_host,
    )
    return Override(*[(state, state.option.parse(new_val)) for state in states])


def disable_jit(disable: bool = True) -> Override:
    """Context manager: `jit` runs its function as it is, so that a debugger sees every value.

    Args:
      disable: False switches compiling on again, inside of another block.
    Returns:
      A context manager, in this thread; as a decorator it holds while the function runs.

    >>> with disable_jit():
    ...     y = jit(lambda x: print("x is", x))(2.)
    x is 2.0
    """
    return config.state("jax_disable_jit")(disable)


def _set_level() -> None:
    """Give the logger of the package the level that `jax_logging_level` names."""
    level = local.logging_level
    if level not in (None, "NOTSET") or "logging" in sys.modules:
        import logging

        logging.getLogger(__name__.partition(".")[0]).setLevel(level or "NOTSET")


watch(("logging_level",), _set_level)
