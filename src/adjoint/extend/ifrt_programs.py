"""Programs for runtimes that are plugins, as `jax.extend.ifrt_programs`.

The functions make programs and options as values. Only a plugin's runtime can compile them, and there is none on CPUs.

Tests: `tests/experimental/test_small_modules.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.messages.boundaries import public

__all__ = [
    "CompileOptions", "Program", "ifrt_programs", "make_colocated_python_compile_options",
    "make_colocated_python_program", "make_hlo_program", "make_plugin_compile_options", "make_plugin_program",
    "make_xla_compile_options",
]


@dataclass(frozen=True)
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

    kind: str
    data: str | bytes
    details: Any = None


@dataclass(frozen=True)
class CompileOptions:
    """Options of a runtime for programs of a kind.

    Args:
      kind: the kind of programs.
      details: what else the runtime is told.

    >>> from adjoint.extend.ifrt_programs import CompileOptions
    >>> CompileOptions("xla")
    CompileOptions(kind='xla', details=None)
    """

    kind: str
    details: Any = None


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
    return Program("hlo", mlir_module)


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
    return Program("plugin", data)


def make_colocated_python_program(name: str, picked_function: bytes, devices, input_avals, output_avals) -> Program:
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
    details = name, tuple(devices), tuple(input_avals), tuple(output_avals)
    return Program("colocated_python", picked_function, details)


def make_plugin_compile_options() -> CompileOptions:
    """Return options for programs of plugins.

    >>> from adjoint.extend import ifrt_programs
    >>> ifrt_programs.make_plugin_compile_options().kind
    'plugin'
    """
    return CompileOptions("plugin")


def make_colocated_python_compile_options() -> CompileOptions:
    """Return options for programs that call Python functions.

    >>> from adjoint.extend import ifrt_programs
    >>> ifrt_programs.make_colocated_python_compile_options().kind
    'colocated_python'
    """
    return CompileOptions("colocated_python")


def make_xla_compile_options(options, executable_devices, host_callbacks) -> CompileOptions:
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
    return CompileOptions("xla", (options, tuple(executable_devices), tuple(host_callbacks)))


class ifrt_programs:
    """The functions of this module, under the name by which JAX's has them.

    >>> from adjoint.extend.ifrt_programs import ifrt_programs
    >>> ifrt_programs.Program("hlo", b"").kind
    'hlo'
    """

    Program = Program
    CompileOptions = CompileOptions
    make_hlo_program = staticmethod(make_hlo_program)
    make_plugin_program = staticmethod(make_plugin_program)
    make_colocated_python_program = staticmethod(make_colocated_python_program)
    make_plugin_compile_options = staticmethod(make_plugin_compile_options)
    make_colocated_python_compile_options = staticmethod(make_colocated_python_compile_options)
    make_xla_compile_options = staticmethod(make_xla_compile_options)


public(globals())
