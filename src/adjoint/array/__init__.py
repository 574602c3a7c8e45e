"""The concrete array and its conversions."""

from . import members as members
from .array import ArrayImpl as ArrayImpl
from .array import as_array as as_array
from .array import make_array as make_array
