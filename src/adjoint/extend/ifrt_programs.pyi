# Written by stubs/generate.py; do not edit.
from typing import Any
class CompileOptions:
    """Options of a runtime for programs of a kind.

    Args:
      kind: the kind of programs.
      details: what else the runtime is told.

    >>> from adjoint.extend.ifrt_programs import CompileOptions
    >>> CompileOptions("xla")
    CompileOptions(kind='xla', details=None)
    """
    def __init__(self, kind: str, details: Any = None) -> None: ...
    kind: str
    details: Any
class Program:
    """A program for a runtime, of a kind that it knows: its text or bytes, and what else it needs.

    Args:
      kind: the kind.
      data: its text or bytes.
      details: what else it needs.

    >>> from adjoint.extend.ifrt_programs import Program
    >>> Program("hlo", b"").kind
    'hlo'
    """
    def __init__(self, kind: str, data: str | bytes, details: Any = None) -> None: ...
    kind: str
    data: str | bytes
    details: Any
class ifrt_programs:
    """The functions of this module, under the name by which JAX's has them.

    >>> from adjoint.extend.ifrt_programs import ifrt_programs
    >>> ifrt_programs.Program("hlo", b"").kind
    'hlo'
    """
    Program: Any
    """A program for a runtime, of a kind that it knows: its text or bytes, and what else it needs.

    Args:
      kind: the kind.
      data: its text or bytes.
      details: what else it needs.

    >>> from adjoint.extend.ifrt_programs import Program
    >>> Program("hlo", b"").kind
    'hlo'
    """
    CompileOptions: Any
    """Options of a runtime for programs of a kind.

    Args:
      kind: the kind of programs.
      details: what else the runtime is told.

    >>> from adjoint.extend.ifrt_programs import CompileOptions
    >>> CompileOptions("xla")
    CompileOptions(kind='xla', details=None)
    """
    @staticmethod
    def make_hlo_program(mlir_module: str | bytes) -> Program:
        """Return a program of StableHLO.

        Args:
          mlir_module: the module, as text or as bytes.
        Returns:
          A `Program`.

        >>> from adjoint.extend import ifrt_programs
        >>> ifrt_programs.make_hlo_program("module {}").kind
        'hlo'
        """
    @staticmethod
    def make_plugin_program(data: str | bytes) -> Program:
        """Return a program that only a plugin can read.

        Args:
          data: what the plugin reads.
        Returns:
          A `Program`.

        >>> from adjoint.extend import ifrt_programs
        >>> ifrt_programs.make_plugin_program(b"data").data
        b'data'
        """
    @staticmethod
    def make_colocated_python_program(name: str, picked_function: bytes, devices: Any, input_avals: Any, output_avals: Any) -> Program:
        """Return a program that calls a Python function on hosts.

        Args:
          name: the name of the function.
          picked_function: the function, pickled.
          devices: those beside which it runs.
          input_avals, output_avals: the types of its arguments and results.
        Returns:
          A `Program`.

        >>> import pickle
        >>> from adjoint.extend.ifrt_programs import make_colocated_python_program
        >>> make_colocated_python_program("length", pickle.dumps(len), [], [], []).kind
        'colocated_python'
        """
    @staticmethod
    def make_plugin_compile_options() -> CompileOptions:
        """Return options for programs of plugins.

        >>> from adjoint.extend import ifrt_programs
        >>> ifrt_programs.make_plugin_compile_options().kind
        'plugin'
        """
    @staticmethod
    def make_colocated_python_compile_options() -> CompileOptions:
        """Return options for programs that call Python functions.

        >>> from adjoint.extend import ifrt_programs
        >>> ifrt_programs.make_colocated_python_compile_options().kind
        'colocated_python'
        """
    @staticmethod
    def make_xla_compile_options(options: Any, executable_devices: Any, host_callbacks: Any) -> CompileOptions:
        """Return options for programs of StableHLO.

        Args:
          options: XLA's options for compiling.
          executable_devices: the devices that run the program.
          host_callbacks: functions that it calls.
        Returns:
          A `CompileOptions`.

        >>> from adjoint.extend import ifrt_programs
        >>> ifrt_programs.make_xla_compile_options(None, devices()[:1], []).kind
        'xla'
        """
def make_colocated_python_compile_options() -> CompileOptions:
    """Return options for programs that call Python functions.

    >>> from adjoint.extend import ifrt_programs
    >>> ifrt_programs.make_colocated_python_compile_options().kind
    'colocated_python'
    """
def make_colocated_python_program(name: str, picked_function: bytes, devices: Any, input_avals: Any, output_avals: Any) -> Program:
    """Return a program that calls a Python function on hosts.

    Args:
      name: the name of the function.
      picked_function: the function, pickled.
      devices: those beside which it runs.
      input_avals, output_avals: the types of its arguments and results.
    Returns:
      A `Program`.

    >>> import pickle
    >>> from adjoint.extend.ifrt_programs import make_colocated_python_program
    >>> make_colocated_python_program("length", pickle.dumps(len), [], [], []).kind
    'colocated_python'
    """
def make_hlo_program(mlir_module: str | bytes) -> Program:
    """Return a program of StableHLO.

    Args:
      mlir_module: the module, as text or as bytes.
    Returns:
      A `Program`.

    >>> from adjoint.extend import ifrt_programs
    >>> ifrt_programs.make_hlo_program("module {}").kind
    'hlo'
    """
def make_plugin_compile_options() -> CompileOptions:
    """Return options for programs of plugins.

    >>> from adjoint.extend import ifrt_programs
    >>> ifrt_programs.make_plugin_compile_options().kind
    'plugin'
    """
def make_plugin_program(data: str | bytes) -> Program:
    """Return a program that only a plugin can read.

    Args:
      data: what the plugin reads.
    Returns:
      A `Program`.

    >>> from adjoint.extend import ifrt_programs
    >>> ifrt_programs.make_plugin_program(b"data").data
    b'data'
    """
def make_xla_compile_options(options: Any, executable_devices: Any, host_callbacks: Any) -> CompileOptions:
    """Return options for programs of StableHLO.

    Args:
      options: XLA's options for compiling.
      executable_devices: the devices that run the program.
      host_callbacks: functions that it calls.
    Returns:
      A `CompileOptions`.

    >>> from adjoint.extend import ifrt_programs
    >>> ifrt_programs.make_xla_compile_options(None, devices()[:1], []).kind
    'xla'
    """
