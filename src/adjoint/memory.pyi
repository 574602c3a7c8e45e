# Written by stubs/generate.py; do not edit.
from enum import Enum
class Space(Enum):
    Device = 1
    Host = 2
    Any = 3
