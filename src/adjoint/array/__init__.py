"""The concrete array, its conversions, and the device it lives on."""

from . import members as members
from .array import ArrayImpl as ArrayImpl
from .array import as_array as as_array
from .array import make_array as make_array
