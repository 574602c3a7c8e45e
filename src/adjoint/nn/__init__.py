"""Functions for neural networks: activations, normalisation, attention, and `initializers`."""

from . import initializers as initializers
from .activations import *
from .functions import *
from .scaled import *
