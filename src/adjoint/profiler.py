"""Profiles of programs: traces for TensorBoard and Perfetto, and what device memory holds.

    with profiler.trace("/tmp/trace", create_perfetto_trace=True):
        with profiler.TraceAnnotation("my step"):
            f(x).block_until_ready()

The profiler is that of the XLA runtime, in jaxlib. It records Python functions on every engine, and what programs do
inside on the XLA engine. Annotations cost next to nothing while no trace is taken.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial, wraps
from glob import glob
from typing import Any

from .core.messages.boundaries import public, scope
from .core.messages.errors import message, no_attribute
from .engines.xla import runtime as _runtime

__all__ = [
    "ProfileData", "ProfileEvent", "ProfileOptions", "ProfilePlane", "StepTraceAnnotation", "TraceAnnotation",
    "annotate_function", "device_memory_profile", "register_subprocess", "save_device_memory_profile",
    "start_server", "start_trace", "stop_server", "stop_trace", "trace",
]

ProfileData: Any
ProfileEvent: Any
ProfileOptions: Any
ProfilePlane: Any

_OF_JAXLIB = {"ProfileData": "_profile_data", "ProfileEvent": "_profile_data", "ProfilePlane": "_profile_data",
              "ProfileOptions": "_profiler"}


def __getattr__(name: str):
    if name not in _OF_JAXLIB:
        raise no_attribute(__name__, name, __all__)
    return getattr(_runtime.extension(_OF_JAXLIB[name])[0], name)


# ---- annotations ---------------------------------------------------------------------------------


class TraceAnnotation:
    """A context that is an event of the trace, with a name and values to be shown with it.

    Args:
      name: what the event is called.
      kwargs: values to be shown with it.

    >>> with TraceAnnotation("my label", size=3):
    ...     pass
    """

    def __init__(self, name: str, **kwargs: Any):
        # No trace is being taken unless jaxlib's profiler is loaded.
        loaded = sys.modules.get("jaxlib._profiler")
        self._event = loaded.TraceMe(name, **kwargs) if loaded is not None else None

    def __enter__(self):
        if self._event is not None:
            self._event.__enter__()
        return self

    def __exit__(self, *error):
        if self._event is not None:
            self._event.__exit__(*error)

    def set_metadata(self, **kwargs: Any) -> None:
        """Give the event further values to be shown with it.

        Args:
          kwargs: the values, by name.
        """
        if self._event is not None:
            self._event.set_metadata(**kwargs)

    @staticmethod
    def is_enabled() -> bool:
        """Return whether a trace is being taken."""
        loaded = sys.modules.get("jaxlib._profiler")
        return loaded is not None and loaded.TraceMe.is_enabled()


class StepTraceAnnotation(TraceAnnotation):
    """A context that is one step of the trace, such as of a training loop.

    Args:
      name: what the event is called.
      kwargs: values to be shown with it, such as `step_num`.

    >>> with StepTraceAnnotation("train", step_num=0):
    ...     pass
    """

    def __init__(self, name: str, **kwargs: Any):
        super().__init__(name, _r=1, **kwargs)


def annotate_function(func: Callable, name: str | None = None, **decorator_kwargs: Any) -> Callable:
    """Return the function, each call of which is an event of the trace.

    Args:
      func: any function.
      name: of the event; that of the function by default.
      **decorator_kwargs: what else the event shall say.
    Returns:
      A function of the same arguments and results.
    Raises:
      TypeError: when the result is called, `func` is no function.

    >>> annotate_function(lambda x: x + 1, name="next")(1)
    2
    """
    label = name or getattr(func, "__qualname__", None) or getattr(func, "__name__", repr(func))

    @wraps(func)
    def call(*args, **kwargs):
        with TraceAnnotation(label, **decorator_kwargs):
            return func(*args, **kwargs)

    return call


# ---- traces --------------------------------------------------------------------------------------


class _State:
    """The one trace of the process, and its server."""

    def __init__(self):
        self.session: Any = None
        self.folder = ""
        self.perfetto = self.link = False
        self.server: Any = None
        self.lock = threading.Lock()


_state = _State()


def start_trace(
    log_dir: Any, create_perfetto_link: bool = False, create_perfetto_trace: bool = False,
    profiler_options: Any = None,
) -> None:
    """Begin to take a trace.

    Args:
      log_dir: the folder for its files, which TensorBoard reads.
      create_perfetto_link: print a link to Perfetto when the trace ends, and wait until it is opened.
      create_perfetto_trace: write `perfetto_trace.json.gz` too, for ui.perfetto.dev.
      profiler_options: a `ProfileOptions`.
    Raises:
      ImportError: jaxlib is not installed.
      RuntimeError: a trace is being taken already.

    >>> import os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> profiler.start_trace(folder)
    >>> y = jnp.sin(1.).block_until_ready()
    >>> profiler.stop_trace()
    >>> os.listdir(folder)
    ['plugins']
    """
    (extension,) = _runtime.extension("_profiler")
    folder = os.fspath(log_dir)
    with _state.lock:
        if _state.session is not None:
            raise RuntimeError(
                message(
                    "Profile has already been started. Only one profile may be run at a time.",
                    why=f"It writes to {_state.folder}.", fix="stop_trace() before",
                )
            )
        _runtime.runtime()  # devices are traced that are there when the session begins
        _state.session = extension.ProfilerSession(profiler_options or extension.ProfileOptions())
        _state.folder = folder
        _state.perfetto, _state.link = create_perfetto_trace or create_perfetto_link, create_perfetto_link


def stop_trace() -> None:
    """End the trace and write its files.

    Raises:
      RuntimeError: no trace is being taken.

    >>> profiler.stop_trace()
    Traceback (most recent call last):
        ...
    RuntimeError: No profile started ...
    """
    with _state.lock:
        session = _state.session
        if session is None:
            raise RuntimeError("No profile started\n  Try: start_trace(folder) before")
        _state.session = None
        session.export(session.stop(), _state.folder)
        if _state.perfetto:
            path = _write_perfetto(_state.folder)
            if _state.link:
                _offer(path)


@scope
def trace(
    log_dir: Any, create_perfetto_link: bool = False, create_perfetto_trace: bool = False,
    profiler_options: Any = None,
) -> Iterator[None]:
    """Take a trace of what runs inside of a `with` block.

    Args:
      log_dir: the folder for it.
      create_perfetto_link: print a link to Perfetto, and wait until it is opened.
      create_perfetto_trace: write a file for Perfetto, too.
      profiler_options: a `ProfileOptions`.
    Returns:
      A context manager.
    Raises:
      ImportError: jaxlib is not installed.
      RuntimeError: a trace is being taken already.

    >>> import os, tempfile
    >>> with profiler.trace(folder := tempfile.mkdtemp()):
    ...     y = jnp.sin(1.).block_until_ready()
    >>> os.listdir(folder)
    ['plugins']
    """
    start_trace(log_dir, create_perfetto_link, create_perfetto_trace, profiler_options)
    try:
        yield
    finally:
        stop_trace()


def _write_perfetto(folder: str) -> str:
    """Return the newest trace of a folder in the form that Perfetto reads; its path."""
    newest = max(glob(os.path.join(folder, "plugins", "profile", "*", "*.trace.json.gz")), key=os.path.getmtime)
    with gzip.open(newest, "rt") as file:
        events = json.load(file)
    path = os.path.join(os.path.dirname(newest), "perfetto_trace.json.gz")
    with gzip.open(path, "wt") as file:
        json.dump({"displayTimeUnit": "ns", "traceEvents": events["traceEvents"]}, file)
    return path


_PORT = 9001  # from which Perfetto's page may load a trace


def _offer(path: str) -> None:
    """Print a link by which Perfetto's page loads the trace from this process; wait for that."""
    from http.server import HTTPServer, SimpleHTTPRequestHandler

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self):
            self.send_header("Access-Control-Allow-Origin", "https://ui.perfetto.dev")
            super().end_headers()

        def do_GET(self):
            self.server.last = self.path  # type: ignore[attr-defined]
            super().do_GET()

        def log_message(self, *_):
            pass

    name = os.path.basename(path)
    HTTPServer.allow_reuse_address = True
    with HTTPServer(("127.0.0.1", _PORT), partial(Handler, directory=os.path.dirname(path))) as server:
        print(f"Open URL in browser: https://ui.perfetto.dev/#!/?url=http://127.0.0.1:{_PORT}/{name}")
        server.last = ""  # type: ignore[attr-defined]
        while server.last != "/" + name:  # type: ignore[attr-defined]
            server.handle_request()


# ---- from outside --------------------------------------------------------------------------------


def start_server(port: int, requires_backend: bool = True) -> Any:
    """Let TensorBoard take traces of this process through a port.

    Args:
      port: the number of the port.
      requires_backend: make devices ready first.
    Returns:
      The server, which runs until `stop_server`.
    Raises:
      ImportError: jaxlib is not installed.
      ValueError: there is a server already.

    >>> server = profiler.start_server(9999)  # doctest: +SKIP
    >>> profiler.stop_server()  # doctest: +SKIP
    """
    (extension,) = _runtime.extension("_profiler")
    if _state.server is not None:
        raise ValueError("Only one profiler server can be active at a time.\n  Try: stop_server() before")
    if requires_backend:
        _runtime.runtime()
    _state.server = extension.start_server(port)
    return _state.server


def stop_server() -> None:
    """End the server.

    Raises:
      ValueError: there is no server.

    >>> profiler.stop_server()
    Traceback (most recent call last):
        ...
    ValueError: No active profiler server. ...
    """
    if _state.server is None:
        raise ValueError("No active profiler server.\n  Try: start_server(port) before")
    _state.server = None


def register_subprocess(pid: int, port: int) -> Callable[[], None]:
    """Let traces of this process include those of a server in another one.

    Args:
      pid: the number of the process.
      port: that of its server.
    Returns:
      A function that ends it.
    Raises:
      ImportError: jaxlib is not installed.
      JaxRuntimeError: nothing answers at that port.

    >>> end = profiler.register_subprocess(child.pid, 9999)  # doctest: +SKIP
    """
    (extension,) = _runtime.extension("_profiler")
    try:
        return extension.register_subprocess(pid, port)
    except RuntimeError as error:
        _runtime.raise_cause(error)


# ---- memory --------------------------------------------------------------------------------------


def device_memory_profile(backend: str | None = None) -> bytes:
    """Return the arrays and programs in the memory of the XLA runtime's devices, in the form of `pprof`.

    Results of the XLA engine are there, and arrays that it was given.

    Args:
      backend: a platform; the default one if it is None.
    Returns:
      Bytes, compressed. Results of the XLA engine are in it, and arrays that it was given.
    Raises:
      ImportError: jaxlib is not installed.
      RuntimeError: there is no such platform here.

    >>> len(profiler.device_memory_profile()) > 0
    True
    """
    if backend not in (None, "cpu"):
        raise RuntimeError(
            f"Unknown backend: '{backend}' requested, but no platforms that are instances of {backend} are present. "
            "Platforms present are: cpu"
        )
    profile = _runtime.runtime().client.heap_profile()
    return profile if profile[:2] == b"\x1f\x8b" else gzip.compress(profile)


def save_device_memory_profile(filename: Any, backend: str | None = None) -> None:
    """Write `device_memory_profile` to a file.

    Args:
      filename: the path.
      backend: a platform; the default one if it is None.
    Returns:
      None.
    Raises:
      ImportError: jaxlib is not installed.
      OSError: the file cannot be written.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "memory.prof")
    >>> profiler.save_device_memory_profile(path)
    >>> path.exists()
    True
    """
    profile = device_memory_profile(backend)
    with open(filename, "wb") as file:
        file.write(profile)

public(globals())
