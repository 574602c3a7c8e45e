"""Python functions that run where arrays are, as `jax.experimental.colocated_python`: on the hosts of their devices.

The hosts of CPU devices are those devices, and all that a process sees are its own, so a function is called here, with
the arrays as they are.

Tests: `tests/experimental/test_colocated_python.py`.
"""

from ...core.messages.boundaries import explain_missing as _explain_missing
from . import api as api
from . import func as func
from . import obj as obj
from . import serialization as serialization
from .api import colocated_cpu_devices as colocated_cpu_devices
from .api import colocated_python as colocated_python
from .api import colocated_python_class as colocated_python_class

_explain_missing(globals())
