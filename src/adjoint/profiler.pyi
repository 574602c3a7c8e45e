# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from collections.abc import Iterator
from typing import Any
from typing import TypeAlias
ProfileData: TypeAlias = Any
"""Program execution data captured by jax.profiler functions."""
ProfileEvent: TypeAlias = Any
"""Wraps XEvent protobuf and provides accessors to its contents."""
ProfileOptions: TypeAlias = Any
ProfilePlane: TypeAlias = Any
"""Wraps XPlane protobuf and provides accessors to its contents."""
class StepTraceAnnotation(TraceAnnotation):
    """A context that is one step of the trace, such as of a training loop.

    Args:
      name: what the event is called.
      kwargs: values to be shown with it, such as `step_num`.

    >>> with StepTraceAnnotation("train", step_num=0):
    ...     pass
    """
    def __init__(self, name: str, **kwargs: Any) -> None: ...
class TraceAnnotation:
    """A context that is an event of the trace, with a name and values to be shown with it.

    Args:
      name: what the event is called.
      kwargs: values to be shown with it.

    >>> with TraceAnnotation("my label", size=3):
    ...     pass
    """
    def __init__(self, name: str, **kwargs: Any) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *error: Any) -> None: ...
    def set_metadata(self, **kwargs: Any) -> None:
        """Give the event further values to be shown with it.

        Args:
          kwargs: the values, by name.
        """
    @staticmethod
    def is_enabled() -> bool:
        """Return whether a trace is being taken."""
def annotate_function(func: Callable[..., Any], name: str | None = None, **decorator_kwargs: Any) -> Callable[..., Any]:
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
def start_trace(log_dir: Any, create_perfetto_link: bool = False, create_perfetto_trace: bool = False, profiler_options: Any = None) -> None:
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
def stop_server() -> None:
    """End the server.

    Raises:
      ValueError: there is no server.

    >>> profiler.stop_server()
    Traceback (most recent call last):
        ...
    ValueError: No active profiler server. ...
    """
def stop_trace() -> None:
    """End the trace and write its files.

    Raises:
      RuntimeError: no trace is being taken.

    >>> profiler.stop_trace()
    Traceback (most recent call last):
        ...
    RuntimeError: No profile started ...
    """
def trace(log_dir: Any, create_perfetto_link: bool = False, create_perfetto_trace: bool = False, profiler_options: Any = None) -> Iterator[None]:
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
