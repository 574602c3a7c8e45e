"""`jit`: trace a function once for each type of its arguments, compile it, and call the result.

The cache key is the structure and types of the arguments, the static values, the named axes and every
option that tracing reads. Caches are shared by all `jit`s of one function with the same settings and die
with the function. Arrays and tracers that the function closes over become operands of the call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import partial
from itertools import count
from time import perf_counter
from typing import Any

from ...array.sharded_array import ShardedArray, free, is_on_several_devices
from ...core.jaxpr import ClosedJaxpr
from ...core.messages.boundaries import guarded
from ...core.messages.errors import JaxRuntimeError, message, warn
from ...core.messages.operands import has_no_value, valueless
from ...core.names.aliases import alias
from ...core.options.config import Unset, local
from ...core.options.events import DURATIONS, EVENTS, notify
from ...core.options.logs import logger
from ...core.process.collection import gc_paused
from ...core.trace import stage, state
from ...core.tree.tree import keystr, tree_flatten, tree_flatten_with_path, tree_unflatten
from ...core.types import Array, ShapedArray, aval_of
from ...core.values.changing import ChangingValueError
from ...core.values.deferred import Deferred, call_deferred
from ...core.values.refs import AbstractRef, Ref
from ...engines import prepare
from ...engines.called import DirectlyCallable
from ...engines.choice import check_options, stablehlo_text
from ...engines.numpy.checks import CheckedTrace, admit, without_operation
from ...engines.numpy.eager import eval_trace
from ...engines.numpy.memory import size
from ...engines.placed.agreement import check_as_asked
from ...engines.placed.program_layout import this_thread
from ...engines.placed.repeated import places_read, run_known
from ...sharding.device import devices_of, here
from ...sharding.mesh import placing_mesh
from ..flat import (
    FlatFun,
    argument_names,
    check_callable,
    check_captured_references,
    check_references,
    debug_info,
    function_name,
    own_doc,
    own_kind,
    wraps,
)
from ..programs import hoist
from .arguments import (
    argument_position,
    hashable_form,
    node_or_static,
    parameters_of,
    resolve,
    with_static,
)
from .changing import call_holding, holding, lowered, mapped_held
from .donations import taken, warn_of_unusable
from .entries import MAX_PROGRAMS_PER_FUNCTION, Entry, clear, function_cache
from .misses import explain
from .places import (
    check_device,
    check_no_mesh,
    check_places,
    checked_shardings,
    for_leaves,
    hashable_shardings,
    on_mesh,
    places_of,
)
from .primitive import jit_p
from .staging import abstract, uninterpreted, without_tokens

__all__ = ["InnerJit", "Jitted", "inner_jit", "jit", "lowerable"]


def _tell_log(name_in_jax: str, text: str, *values: Any) -> None:
    """Write a line about compiling to the log, if `jax_log_compiles` is on."""
    if local.log_compiles:
        logger(__name__, name_in_jax).warning(text, *values)


@own_kind
@guarded
class Jitted(DirectlyCallable):
    """A function that is traced and compiled when called; what `jit` returns.

    >>> double = jit(lambda x: x * 2)
    >>> isinstance(double, adjoint.stages.Wrapped), double(3.0)
    (True, Array(6., dtype=float32, weak_type=True))
    """

    operation: str | None = None  # by which engines may know its programs
    _holds = False  # does it take what values that change hold?
    _of_holding: Jitted | None = None  # the one that does

    def __init__(
        self, fun, static_argnums, static_argnames, donate_argnums, donate_argnames,
        keep_unused=False, device=None, backend=None, inline=False, name=None, in_shardings=None,
        out_shardings=None, compiler_options=None, is_pjit=False,
    ):
        check_callable(fun, "jit")
        wraps(fun, own_doc(fun))(self)
        self.fun = fun
        asks = any([x is not None for x in (static_argnums, static_argnames, donate_argnums, donate_argnames)])
        parameters = parameters_of(fun) if asks else []
        self.static_argnums, self.static_argnames = resolve(
            fun, parameters, static_argnums, static_argnames, "static"
        )
        self.donate_argnums, self.donate_argnames = resolve(
            fun, parameters, donate_argnums, donate_argnames, "donate"
        )
        both = set(self.static_argnames) & set(self.donate_argnames)
        if both:
            raise ValueError(
                message(
                    f"static_argnames and donate_argnames cannot intersect. Argument names {both} appear in both "
                    "static_argnames and donate_argnames",
                    why="A static argument is a constant of the program and has no memory to give away.",
                    fix="each argument in one of the two",
                )
            )
        both = set(self.static_argnums) & set(self.donate_argnums)
        self.donate_argnums = tuple(i for i in self.donate_argnums if i not in both)
        self.keep_unused = keep_unused
        self.inline = inline
        self.compiler_options = tuple(sorted((compiler_options or {}).items()))
        self.device = device
        self.backend = backend
        self.in_shardings = checked_shardings(in_shardings, "in_shardings")
        self.out_shardings = checked_shardings(out_shardings, "out_shardings")
        self._is_pjit = is_pjit
        # Where in the call the i-th dynamic argument stands; does not refer to this object, since
        # traced programs keep it and must not keep the function.
        self._position = partial(argument_position, self.static_argnums)
        self.has_static = bool(self.static_argnums or self.static_argnames)
        self.name = name or function_name(fun)
        settings = (
            self.static_argnums, self.static_argnames, self.donate_argnums, self.donate_argnames,
            keep_unused, inline, self.name, device, backend, self.compiler_options, is_pjit,
            *hashable_shardings(self.in_shardings, self.out_shardings),
        )
        self._cache = function_cache(fun, settings)
        self._share()

    def __call__(self, *args, **kwargs):
        return self._call(*args, **kwargs)

    def _call(self, *args, **kwargs):
        """A call that is not prepared: `__call__` is made a shorter way when there is generated code."""
        if local.disable_jit:
            return self.fun(*args, **kwargs)
        try:
            entry, leaves = self._entry(args, kwargs)
        except ChangingValueError:
            if self._holds:
                raise
            return call_holding(self._holding(), args, kwargs)
        if entry.again is not None and state.trace.runs_again and not this_thread.is_called:
            outs = entry.again((*entry.captured, *leaves) if entry.captured else leaves)
            if outs is not None:
                if entry.given:
                    entry.give_away(leaves, entry.given)
                return tree_unflatten(entry.out_tree, outs)
        admit(leaves, depth=2)
        if not state.trace.runs_programs:
            if self.compiler_options and state.trace.stages:
                raise self._nested_options()
            if state.trace is state.bottom and type(state.bottom) is CheckedTrace and not entry.states_shardings:
                return self._call_checked(entry, leaves, args, kwargs)
            if state.trace.runs_again and (entry.offered or is_on_several_devices((*entry.captured, *leaves))):
                return self._call_placed(entry, leaves)
            outs = jit_p.bind(*entry.captured, *leaves, **entry.params)
            return tree_unflatten(entry.out_tree, self._results(entry, outs))
        if entry.executable is None:
            if entry.states_shardings or entry.is_placed and ShardedArray in map(type, leaves) or (
                    is_on_several_devices((*entry.captured, *leaves))):
                return self._call_placed(entry, leaves)
            entry.compile(self.compiler_options)
            warn_of_unusable(entry)
        outs = entry.run(*entry.captured, *leaves)
        if outs is None:
            return self._call_placed(entry, leaves)
        if entry.is_repeated and not entry.is_prepared:
            prepare(self, entry, partial(self._form, entry, args, kwargs))
        entry.is_repeated = True
        self._share()
        return tree_unflatten(entry.out_tree, outs)

    def _holding(self) -> Jitted:
        """Return the function for operands or results that change, by what they hold."""
        if self._of_holding is None:
            outs = self.out_shardings
            self._of_holding = Jitted(
                holding(self.fun), self.static_argnums, self.static_argnames, self.donate_argnums, self.donate_argnames,
                self.keep_unused, self.device, self.backend, self.inline, self.name, self.in_shardings,
                None if outs is None else (outs, None), dict(self.compiler_options), self._is_pjit,
            )
            self._of_holding._holds = True
        return self._of_holding

    def _call_checked(self, entry: Entry, leaves, args, kwargs):
        """The call while NaN are errors: where one arises the function is run as if it were not jitted."""
        if self.compiler_options and entry.executable is None:
            entry.compile(self.compiler_options)  # refuses those that are not known
        outs, kind = state.bottom.run_call(jit_p, (*entry.captured, *leaves), entry.params)
        if kind is not None:
            self.fun(*args, **kwargs)  # the error is its own, at the line of the operation
            names = argument_names(self.fun, entry.in_tree, self._position)()
            raise without_operation(self.name, kind, zip(names, leaves), outs)
        entry.give_away(leaves)
        return tree_unflatten(entry.out_tree, outs)

    def _form(self, entry: Entry, args, kwargs) -> tuple[list, tuple]:
        """Return for each argument its treedef, or None and a static one's value, by position first; names of the rest.
        """
        static = {where: value for where, _, value in self._take_static(args, kwargs)[2]} if self.has_static else {}
        positional, named = entry.in_tree.children()
        trees = iter(positional.children())
        by_name = dict(zip(named.node_data()[1], named.children()))
        parts = [(None, static[i]) if i in static else (next(trees), None) for i in range(len(args))]
        parts += [(None, static[k]) if k in static else (by_name[k], None) for k in kwargs]
        return parts, tuple(kwargs)

    def _share(self) -> None:
        """Take what is prepared for this function from the cache, which all its `jit`s share."""
        if self._cache.direct is not None:
            self._direct = self._cache.direct

    def _nested_options(self) -> ValueError:
        return ValueError(
            message(
                "`compiler_options` can only be passed to top-level `jax.jit`. Got compiler_options="
                f"{dict(self.compiler_options)} specified on a nested jit with name: {self.name}",
                why="What is called inside a jitted function is compiled with it, as one program.",
                fix="give the options to the outermost jit",
            )
        )

    def _call_placed(self, entry: Entry, leaves):
        """The call where places matter: of operands, results or values inside."""
        args, outs, again = (*entry.captured, *leaves), None, None
        if entry.is_placed and state.trace.runs_again:
            outs, again = run_known(entry.params["jaxpr"].jaxpr, args, entry.params)
        if outs is None:
            if self.compiler_options:
                check_options(self.compiler_options)
            outs = jit_p.bind(*args, **entry.params)
            entry.is_placed = True
            if entry.offered:
                warn_of_unusable(entry, places_of(leaves), is_on_several_devices(outs))
        given: Any = ()
        if entry.offered:
            places = places_read(entry.params["jaxpr"].jaxpr, args, entry.params)[len(entry.captured) :]
            given = taken(leaves, outs, entry, places)
            entry.give_away(leaves, given)
        if again is not None:
            entry.again, entry.given = self._again(entry, again), given
        return tree_unflatten(entry.out_tree, self._results(entry, outs))

    def _results(self, entry: Entry, outs: list) -> list:
        """Return what a program gave, at the places that the function promises."""
        return outs

    def _promised(self, entry: Entry) -> list | None:
        """Return where the function promises each result, whatever its program says; None if it promises nothing."""
        return None

    def _again(self, entry: Entry, run: Callable) -> Callable:
        """Return what gives the results of a program for arrays that lie as those of a call; None for others."""
        return run

    def __get__(self, instance, owner=None):
        return self if instance is None else partial(self, instance)

    def __repr__(self):
        return f"<PjitFunction of {self.fun!r}>"

    def __reduce__(self):
        return _rebuild, (
            self.fun, self.static_argnums, self.static_argnames, self.donate_argnums,
            self.donate_argnames, self.keep_unused, self.inline,
        )

    def __getstate__(self) -> dict[str, Any]:
        """The settings by JAX's names; what is pickled is in `__reduce__`."""
        return {
            "version": 1, "function_name": self.name, "fun": self.fun, "static_argnums": list(self.static_argnums),
            "static_argnames": list(self.static_argnames), "donate_argnums": self.donate_argnums,
            "donate_argnames": self.donate_argnames, "keep_unused": self.keep_unused, "inline": self.inline,
        }

    def _entry(self, args, kwargs) -> tuple[Entry, list]:
        """The traced program for these arguments, and their leaves."""
        if self.has_static:
            args, kwargs, static = self._take_static(args, kwargs)
        else:
            static = ()
        leaves, in_tree = tree_flatten((args, kwargs))
        try:
            avals = tuple([x.aval if isinstance(x, Array) else aval_of(x) for x in leaves])
        except ChangingValueError:
            raise
        except (TypeError, OverflowError):
            avals = self._check_leaves(leaves, in_tree, args, kwargs)
        return self._traced(in_tree, avals, static, leaves), leaves

    def _traced(self, in_tree, avals, static, leaves=()) -> Entry:
        """The program for arguments of these types: the one there is, or a new one."""
        key = (in_tree, avals, static, local.trace_context, state.axis_env)
        entry = self._cache.get(key)
        if entry is None or (entry.captured and entry.is_stale()):
            if local.explain_cache_misses:
                explain(self.name, self.fun, argument_names(self.fun, in_tree, self._position), key, self._cache.keys())
            if len(self._cache) >= MAX_PROGRAMS_PER_FUNCTION:
                clear(self._cache)
            check_references(self.fun, "jit", leaves, argument_names(self.fun, in_tree, self._position))
            told = local.log_compiles or DURATIONS or EVENTS or local.dump_ir_to
            trace = self._trace_and_log if told else self._trace
            entry = trace(in_tree, avals, static)
            if entry.captured:
                names = argument_names(self.fun, in_tree, self._position)
                check_captured_references(self.fun, "jit", entry.captured, leaves, names)
            self._cache[key] = entry
        return entry

    def _take_static(self, args, kwargs):
        """(dynamic args, dynamic kwargs, hashable key of the static ones)."""
        n = len(args)
        positions = {i % n for i in self.static_argnums if -n <= i < n}
        static = [(i, type(args[i]), args[i]) for i in sorted(positions)]
        static += [(k, type(kwargs[k]), kwargs[k]) for k in self.static_argnames if k in kwargs]
        for where, _, value in static:
            try:
                hash(value)
            except TypeError:
                raise self._unhashable(where, value) from None
        if len(static) == len(positions):
            rest = kwargs
        else:
            rest = {k: v for k, v in kwargs.items() if k not in self.static_argnames}
        return tuple([a for i, a in enumerate(args) if i not in positions]), rest, tuple(static)

    def _unhashable(self, where, value):
        names = [p.name for p in parameters_of(self.fun)]
        name = names[where] if isinstance(where, int) and where < len(names) else where
        fix = "a tuple" if isinstance(value, list) else "a hashable, immutable value"
        kind = "static_argnums" if isinstance(where, int) else "static_argnames"
        return ValueError(message(
            "Non-hashable static arguments are not supported. An error occurred while trying to hash an object of "
            f"type {type(value)}, {value!s:.200}. The error was:\nTypeError: unhashable type: {type(value).__name__!r}",
            why=f"It is the argument '{name}' of {self.name}, in {kind}.\n"
            "A static argument is part of the cache key, so it needs __hash__ and __eq__.",
            fix=f"pass {fix}, for example {self.name}({name}={hashable_form(value)}), "
            "or pass an array and make the argument not static."
            + (f"\n@dataclass(frozen=True) makes {type(value).__name__} hashable; "
               + node_or_static(value, self.name, name) if is_dataclass(value) else ""),
        ))

    def _check_leaves(self, leaves, in_tree, args, kwargs):
        """Types of the leaves with the device's dtypes; TypeError naming the leaf that has none."""
        avals = []
        for i, x in enumerate(leaves):
            try:
                avals.append(abstract(x) if isinstance(x, ShapedArray) else aval_of(x))
            except OverflowError:
                name = argument_names(self.fun, in_tree, self._position)()[i]
                raise OverflowError(
                    message(
                        "An overflow was encountered while parsing an argument to a jitted computation, "
                        f"whose argument path is {name}. Got {type(x)} with value {x}.",
                        why="An int is 32 bits wide unless jax_enable_x64 is set.",
                        fix=f"float({x}) where digits may be lost, or static_argnames={name!r} for one that is not "
                        "computed with",
                    )
                ) from None
            except TypeError:
                name = argument_names(self.fun, in_tree, self._position)()[i]
                if has_no_value(x):
                    raise TypeError(valueless(x, name)) from None
                top = name.split("[")[0].split(".")[0]
                raise uninterpreted(self.fun, x, name, node_or_static(x, self.name, top)) from None
        return tuple(avals)

    def _trace(self, in_tree, avals, static) -> Entry:
        flat = FlatFun(with_static(self.fun, static), in_tree, "jit")
        debug = debug_info("jit", self.fun, in_tree, self._position)
        in_shardings = on_mesh(self.in_shardings, "in_shardings", self._is_pjit)
        out_shardings = on_mesh(self.out_shardings, "out_shardings", self._is_pjit)
        with gc_paused:
            jaxpr, consts = stage(flat, avals, debug)
        jaxpr, out_tree = without_tokens(jaxpr, flat.out_tree)
        if consts:
            _warn_of_large(consts)
        program, captured = _close(jaxpr, consts)
        captured = [free(c) for c in captured]
        if self.operation:
            program.jaxpr.operation = self.operation
        # JAX parity: tests/engines/numpy/test_checks.py
        offered = [] if local.debug_nans else self._offered(in_tree, avals)
        n = len(captured)
        params = dict(
            name=self.name,
            donated_invars=(False,) * n + tuple([i in offered for i in range(len(avals))]),
            keep_unused=self.keep_unused, inline=self.inline,
            **self._places(in_tree, out_tree, n, avals, program.out_avals, in_shardings, out_shardings),
        )
        return Entry(program, captured, in_tree, out_tree, params, offered)

    def _places(
        self, in_tree, out_tree, captured: int, avals, out_avals, in_shardings, out_shardings,
    ) -> dict[str, Any]:
        """The parameters that say where operands and results are, as far as the user did."""
        places: dict[str, Any] = {}
        if in_shardings is not None:
            args, kwargs = tree_unflatten(in_tree, [0] * in_tree.num_leaves)
            if kwargs:
                raise ValueError(
                    message(
                        "pjit does not support kwargs when in_shardings is specified.",
                        why=f"{self.name} was called with {', '.join(kwargs)} by name.",
                        fix="pass the arguments by position",
                    )
                )
            given = for_leaves(in_shardings, args, "in_shardings")
            check_places("arguments", given, avals, argument_names(self.fun, in_tree, self._position))
            places["in_shardings"] = (None,) * captured + given
        if out_shardings is not None:
            outs = tree_unflatten(out_tree, [0] * out_tree.num_leaves)
            places["out_shardings"] = given = for_leaves(out_shardings, outs, "out_shardings")
            names = lambda: ["result" + keystr(path) for path, _ in tree_flatten_with_path(outs)[0]]
            check_places("outputs", given, out_avals, names)
        if self.device is not None or self.backend is not None:
            check_no_mesh()
        if self.device is not None:
            places["device"] = self.device
        elif self.backend is not None:
            places["device"] = devices_of(self.backend)[0]
        return places

    def _trace_and_log(self, in_tree, avals, static) -> Entry:
        """`_trace`, with the time that it takes told to listeners, and to the log if `jax_log_compiles` is on."""
        started = perf_counter()
        entry = self._trace(in_tree, avals, static)
        seconds = perf_counter() - started
        notify(DURATIONS, "/jax/core/compile/jaxpr_trace_duration", seconds, fun_name=self.name)
        of_steps, of_programs = "jax._src.dispatch", "jax._src.interpreters.pxla"
        _tell_log(of_steps, "Finished tracing %s for jit in %.9f sec", self.name, seconds)
        is_symbolic = any([not isinstance(n, int) for a in avals for n in getattr(a, "shape", ())])  # it is for export
        compiles = state.trace is state.bottom and not entry.states_shardings and not is_symbolic
        if compiles and not is_on_several_devices(entry.captured):
            _tell_log(of_programs, "Compiling jit(%s) with global shapes and types %s.", self.name, avals)
            notify(EVENTS, "/jax/compilation_cache/compile_requests_use_cache")
            started = perf_counter()
            if local.dump_ir_to:
                self._dump(entry)
            written = perf_counter()
            notify(DURATIONS, "/jax/core/compile/jaxpr_to_mlir_module_duration", written - started, fun_name=self.name)
            entry.compile(self.compiler_options)
            seconds = perf_counter() - written
            notify(DURATIONS, "/jax/core/compile/backend_compile_duration", seconds, fun_name=self.name)
            _tell_log(of_steps, "Finished compilation of jit(%s) in %.9f sec", self.name, seconds)
        return entry

    def _dump(self, entry: Entry) -> None:
        """Write the program as StableHLO into the folder of `jax_dump_ir_to`."""
        from pathlib import Path  # it takes 5 ms to import

        text = stablehlo_text(entry.params["jaxpr"], self.name)
        name = text.split("module @", 1)[1].split(maxsplit=1)[0]
        folder = Path(local.dump_ir_to)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"jax_ir{next(_dumped):04d}_{name}_compile.mlir").write_text(text)

    def _offered(self, in_tree, avals) -> list[int]:
        """Return which leaves the user donates."""
        if not self.donate_argnums and not self.donate_argnames:
            return []
        args, kwargs = tree_unflatten(in_tree, range(len(avals)))
        wanted: list[int] = []
        positions = {i % len(args) for i in self.donate_argnums if -len(args) <= i < len(args)}
        for i, a in enumerate(args):
            if self._position(i) in positions:
                wanted += tree_flatten(a)[0]
        for k in self.donate_argnames:
            if k in kwargs:
                wanted += tree_flatten(kwargs[k])[0]
        for i in wanted:
            if isinstance(avals[i], AbstractRef):
                raise JaxRuntimeError(message(
                    f"INVALID_ARGUMENT: a mutable array of type {avals[i]} is already aliased with one output of "
                    f"{self.name}, thus it cannot be donated.",
                    why="What the function writes to it is seen after the call.",
                    fix="leave it out of donate_argnums",
                ))
        return wanted

    # ---- ahead of time --------------------------------------------------------------------------

    def trace(self, *args, **kwargs):
        """Trace for arguments of these types; return a `stages.Traced`.

        Args:
          args: arrays, scalars or `ShapeDtypeStruct`s, by position.
          kwargs: the same by name.
        """
        try:
            return self._traced_for(args, kwargs)
        except ChangingValueError:
            if self._holds:
                raise
            args, kwargs, _ = lowered(args, kwargs)
            return self._holding().trace(*args, **kwargs)

    def _traced_for(self, args, kwargs):
        from .stages import Traced  # most programs do not want it

        if self.has_static:
            args, kwargs, static = self._take_static(args, kwargs)
        else:
            static = ()
        leaves, in_tree = tree_flatten((args, kwargs))
        try:
            avals = tuple([abstract(x) for x in leaves])
        except ChangingValueError:
            raise
        except TypeError:
            avals = self._check_leaves(leaves, in_tree, args, kwargs)
        entry, places = self._traced(in_tree, avals, static), places_of(leaves)
        check_as_asked(entry.params.get("in_shardings", ())[len(entry.captured) :], places, avals)
        return Traced(entry, avals, self, places, placing_mesh.value)

    def lower(self, *args, **kwargs):
        """Trace and lower for arguments of these types; return a `stages.Lowered`.

        Args:
          args: arrays, scalars or `ShapeDtypeStruct`s, by position.
          kwargs: the same by name.
        """
        return self.trace(*args, **kwargs).lower()

    def eval_shape(self, *args, **kwargs):
        """Return shapes and dtypes of the result for arguments of these types.

        Args:
          args: arrays, scalars or `ShapeDtypeStruct`s, by position.
          kwargs: the same by name.
        """
        traced = self.trace(*args, **kwargs)
        if traced._jitted is self:
            return traced.out_info
        return mapped_held(lambda x: x.kind, traced.out_info[0])

    def clear_cache(self) -> None:
        """Forget the programs traced so far."""
        clear(self._cache)

    def _cache_size(self) -> int:
        return len(self._cache)

    @property
    def _fun(self):  # nutpie reads it
        return self.fun


_dumped = count()  # programs that were written for `jax_dump_ir_to`


def _rebuild(fun, static_argnums, static_argnames, donate_argnums, donate_argnames, keep, inline):
    return Jitted(
        fun, static_argnums, static_argnames, donate_argnums, donate_argnames, keep, inline=inline
    )


def _close(jaxpr, consts) -> tuple[ClosedJaxpr, list]:
    """The program and what it closes over: arrays and tracers as operands, NumPy arrays inside."""
    if not consts:
        return ClosedJaxpr(jaxpr, ()), []
    inside = [(v, c) for v, c in zip(jaxpr.constvars, consts) if not isinstance(c, (Array, Ref))]
    outside = [(v, c) for v, c in zip(jaxpr.constvars, consts) if isinstance(c, (Array, Ref))]
    lifted, captured = hoist(
        jaxpr.replace(constvars=[v for v, _ in outside]), [c for _, c in outside]
    )
    program = lifted.jaxpr.replace(constvars=[v for v, _ in inside])
    return ClosedJaxpr(program, [c for _, c in inside]), captured


def _warn_of_large(consts) -> None:
    """Warn of values that a function closes over, if they are as large as `jax_captured_constants_warn_bytes`."""
    limit = local.captured_constants_warn_bytes
    total = sum([getattr(aval_of(c), "nbytes", 0) for c in consts]) if limit >= 0 else -1
    if total >= limit >= 0:
        warn(
            f"A large amount of constants were captured during lowering ({size(total)} total). If this is "
            "intentional, disable this warning by setting JAX_CAPTURED_CONSTANTS_WARN_BYTES=-1.\n"
            "  Try: pass them as arguments; an array that a function closes over is kept alive by its programs."
        )


_UNSET: Any = Unset()


def jit(
    fun: Callable = _UNSET, /, *, in_shardings=_UNSET, out_shardings=_UNSET, static_argnums=None,
    static_argnames=None, donate_argnums=None, donate_argnames=None, keep_unused=False, device=None,
    backend=None, inline=False, compiler_options=None,
) -> Any:
    """Compile `fun`: it is traced once for each type of its arguments and then runs as one program.

    Args:
      fun: a pure function of arrays, scalars and trees of them.
      static_argnums, static_argnames: arguments that are compile-time constants, compared by hash and
        equality; a new value means a new program.
      donate_argnums, donate_argnames: arguments whose memory the results may reuse; their arrays are
        deleted by the call.
      in_shardings, out_shardings: shardings of operands and results, trees that are prefixes of theirs;
        a `PartitionSpec` is over the mesh that was set.
      keep_unused: keep operands that the program does not read.
      device, backend: where to run.
      inline: put the program's equations into the caller's instead of a call.
      compiler_options: a dict of options of XLA, for the engine that has them.
    Returns:
      A function with the same signature, with members `lower`, `trace`, `eval_shape`, `clear_cache`.
    Raises:
      TypeError: an argument is not an array and not static.
      ValueError: a static argument is not hashable.
    Differences: programs for one CPU are compiled by the native engine in milliseconds, and kept on disk.
    See also: `make_jaxpr` and `eval_shape`, which trace alone; `clear_caches`; `disable_jit`.

    >>> jit(lambda x: x * 2)(3.0)
    Array(6., dtype=float32, weak_type=True)
    """
    in_shardings = None if in_shardings is _UNSET else in_shardings
    out_shardings = None if out_shardings is _UNSET else out_shardings
    check_device(device, backend, in_shardings, out_shardings)
    options = dict(
        static_argnums=static_argnums, static_argnames=static_argnames, donate_argnums=donate_argnums,
        donate_argnames=donate_argnames, keep_unused=keep_unused, device=device, backend=backend, inline=inline,
        in_shardings=in_shardings, out_shardings=out_shardings, compiler_options=compiler_options,
    )
    if fun is _UNSET:
        return lambda f: Jitted(f, **options)
    return Jitted(fun, **options)


def _of_jitted(name: str) -> Callable:
    """Return the method of `Jitted` for an object that makes its `jitted` when it is first asked for."""

    def method(self, /, *args, **kwargs):
        return getattr(self.jitted, name)(*args, **kwargs)

    method.__name__, method.__doc__ = name, getattr(Jitted, name).__doc__
    return method


_STAGES = ("trace", "lower", "eval_shape", "clear_cache")


@own_kind
@guarded
class InnerJit:
    """A library function that is one call when traced into a program, and plain Python otherwise.

    `jitted` is made when it is first asked for: most functions of a module are never traced.
    """

    trace, lower, eval_shape, clear_cache = map(_of_jitted, _STAGES)

    __slots__ = ("__dict__", "_operation", "_options", "fun", "jitted")

    def __init__(self, fun: Callable, operation: str | None = None, **options: Any):
        self.fun, self._operation, self._options = fun, operation, options
        wraps(fun)(self)

    def __call__(self, *args, **kwargs):
        for a in args:
            if isinstance(a, Deferred):
                return call_deferred(self, args, kwargs)
        if state.trace.stages or (state.bottom is not eval_trace and _wants_programs()) or is_on_several_devices(args):
            return self.jitted(*args, **kwargs)
        if self._options and (kwargs or args) and self._has_settings_without_hash(args, kwargs):
            return self.jitted(*args, **kwargs)  # which refuses them
        return self.fun(*args, **kwargs)

    def _has_settings_without_hash(self, args, kwargs) -> bool:
        """Return whether an argument that is static is a list or an array, say."""
        places, names = self.jitted.static_argnums, self.jitted.static_argnames
        given = [args[i] for i in places if i < len(args)] + [kwargs[name] for name in names if name in kwargs]
        return any([type(x).__hash__ is None or isinstance(x, Array) for x in given])

    def __get__(self, instance, owner=None):
        return self if instance is None else partial(self, instance)

    def __repr__(self):
        return repr(self.jitted)

    def __reduce__(self):
        return self.__qualname__  # by its name, as functions are

    def __getattr__(self, name):
        if name == "jitted":
            options = dict(self._options)
            static = options.pop("static_argnums", None), options.pop("static_argnames", None)
            self.jitted = Jitted(self.fun, *static, None, None, **options)
            self.jitted.operation = self._operation
            return self.jitted
        return getattr(self.jitted, name)


for _kind in (Jitted, InnerJit):
    _kind.__name__ = _kind.__qualname__ = "PjitFunction"  # by which programs know functions that are jitted


def _wants_programs() -> bool:
    """Return whether a library function is one program: on accelerators, and where values are checked."""
    return here.plugin is not None or isinstance(state.bottom, CheckedTrace)


def inner_jit(fun: Callable = _UNSET, /, **options) -> Any:
    """Mark a library function as one call in jaxprs; run on arrays directly, it costs nothing.

    Options: `static_argnums`, `static_argnames`, `inline`, `name`; `operation` is what engines may compute in
    another way.
    """
    if fun is _UNSET:
        return lambda f: InnerJit(f, **options)
    return InnerJit(fun, **options)


def lowerable(fun: Callable = _UNSET, /, traced: Callable | None = None, **options) -> Any:
    """Give a library function the methods of a jitted one: `trace`, `lower`, `eval_shape` and `clear_cache`.

    Calls stay those of `fun`. The program is that of `traced`, or of the `inner_jit` that `fun` is around, or else of
    `fun` itself, with the options of `inner_jit`; `__wrapped__` is the function that is traced.
    """
    if fun is _UNSET:
        return lambda f: lowerable(f, traced, **options)
    inner = vars(fun).get("__wrapped__")
    if not isinstance(inner, InnerJit):
        inner = InnerJit(alias(traced or fun, fun.__name__), **options)
        inner.fun.__doc__ = fun.__doc__
    for name in _STAGES:
        setattr(fun, name, getattr(inner, name))
    fun.__wrapped__ = inner.fun  # type: ignore[attr-defined]
    return fun
