"""Functions for neural networks: activations, normalisation, attention, and `initializers`."""

from . import initializers as initializers
from .activations import *  # noqa: F403
from .functions import *  # noqa: F403
