"""The engines: how a jaxpr runs.

An engine turns a closed jaxpr into an executable (`interface.py`): a callable on buffers. `numpy` evaluates equation by
equation; `native` compiles whole programs with LLVM; `xla` compiles with jaxlib. `choice.py` chooses between them.
"""

from . import bottom as bottom  # it chooses the trace at the bottom, when options change
from .choice import compiled as compiled
from .choice import compiled_loop as compiled_loop
from .choice import prepare as prepare
from .choice import wait_for_effects as wait_for_effects
