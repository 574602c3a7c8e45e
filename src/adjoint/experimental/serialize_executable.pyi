# Written by stubs/generate.py; do not edit.
from adjoint.stages import Compiled
from collections.abc import Sequence
from typing import Any
def deserialize_and_load(serialized: bytes, in_tree: Any, out_tree: Any, backend: Any = None, execution_devices: Sequence[Any] | None = None) -> Compiled:
    """Return the compiled program of bytes that `serialize` made.

    Args:
      serialized: the bytes.
      in_tree, out_tree: what `serialize` gave beside the bytes.
      backend: accepted for compatibility.
      execution_devices: of a program over several devices, on which it runs; those it was compiled for by default.
        Others run on the first CPU device.
    Returns:
      A `Compiled`, a function of arguments of the types that it was compiled for.
    Raises:
      ImportError: jaxlib is not installed.
      ValueError: the bytes are something else, or of another version of jaxlib or kind of machine.

    >>> from adjoint.experimental.serialize_executable import deserialize_and_load, serialize
    >>> compiled = jit(lambda x: 2 * x).lower(1.).compile()
    >>> deserialize_and_load(*serialize(compiled))(3.)
    Array(6., dtype=float32, weak_type=True)
    """
def serialize(compiled: Compiled) -> tuple[bytes, Any, Any]:
    """Return the program as bytes, and the structures of its arguments and results, which stay with you.

    Args:
      compiled: what `jit(f).lower(...).compile()` gives.
    Returns:
      (bytes, structure of the arguments, structure of the results)
    Raises:
      ImportError: jaxlib is not installed.
      ValueError: the program calls back to Python, or says on one device where its values are.

    >>> from adjoint.experimental.serialize_executable import deserialize_and_load, serialize
    >>> data, in_tree, out_tree = serialize(jit(lambda x: x + 1).lower(1.).compile())
    >>> deserialize_and_load(data, in_tree, out_tree)(2.)
    Array(3., dtype=float32, weak_type=True)
    """
