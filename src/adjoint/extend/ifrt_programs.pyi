# Written by stubs/generate.py; do not edit.
from typing import Any
class CompileOptions:
    """Options of a runtime for programs of a kind."""
    def __init__(self, kind: str, details: Any = None) -> None: ...
    kind: str
    details: Any
class Program:
    """A program for a runtime, of a kind that it knows: its text or bytes, and what else it needs."""
    def __init__(self, kind: str, data: str | bytes, details: Any = None) -> None: ...
    kind: str
    data: str | bytes
    details: Any
class ifrt_programs:
    """The functions of this module, under the name by which JAX's has them."""
    Program: Any
    """A program for a runtime, of a kind that it knows: its text or bytes, and what else it needs."""
    CompileOptions: Any
    """Options of a runtime for programs of a kind."""
    @staticmethod
    def make_hlo_program(mlir_module: str | bytes) -> Program:
        """Return a program of StableHLO."""
    @staticmethod
    def make_plugin_program(data: str | bytes) -> Program:
        """Return a program that only a plugin can read."""
    @staticmethod
    def make_colocated_python_program(name: str, picked_function: bytes, devices: Any, input_avals: Any, output_avals: Any) -> Program:
        """Return a program that calls a Python function on hosts."""
    @staticmethod
    def make_plugin_compile_options() -> CompileOptions:
        """Return options for programs of plugins."""
    @staticmethod
    def make_colocated_python_compile_options() -> CompileOptions:
        """Return options for programs that call Python functions."""
    @staticmethod
    def make_xla_compile_options(options: Any, executable_devices: Any, host_callbacks: Any) -> CompileOptions:
        """Return options for programs of StableHLO."""
def make_colocated_python_compile_options() -> CompileOptions:
    """Return options for programs that call Python functions."""
def make_colocated_python_program(name: str, picked_function: bytes, devices: Any, input_avals: Any, output_avals: Any) -> Program:
    """Return a program that calls a Python function on hosts."""
def make_hlo_program(mlir_module: str | bytes) -> Program:
    """Return a program of StableHLO."""
def make_plugin_compile_options() -> CompileOptions:
    """Return options for programs of plugins."""
def make_plugin_program(data: str | bytes) -> Program:
    """Return a program that only a plugin can read."""
def make_xla_compile_options(options: Any, executable_devices: Any, host_callbacks: Any) -> CompileOptions:
    """Return options for programs of StableHLO."""
