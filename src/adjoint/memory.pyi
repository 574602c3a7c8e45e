# Written by stubs/generate.py; do not edit.
from enum import Enum
class Space(Enum):
    """The memory that a type says a value is in: the device's own, or the host's.

    >>> jax.memory.Space.Host.name
    'Host'
    """
    Device = 1
    Host = 2
    Any = 3
