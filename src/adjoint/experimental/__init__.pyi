# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
from adjoint.experimental import array_serialization as array_serialization
from adjoint.experimental import buffer_callback as buffer_callback
from adjoint.experimental import checkify as checkify
from adjoint.experimental import colocated_python as colocated_python
from adjoint.experimental import compilation_cache as compilation_cache
from adjoint.experimental import compute_on as compute_on
def cur_qdd(x: Any) -> Any:
    """Return what a value that changes says of the types of what it holds now.

    Args:
      x: a value with a method `cur_qdd`, as those of `hijax` have.
    Returns:
      What that method returns.

    >>> from adjoint.experimental import cur_qdd
    >>> class Box:
    ...     def cur_qdd(self): return "a number"
    >>> cur_qdd(Box())
    'a number'
    """
from adjoint.experimental import custom_partitioning as custom_partitioning
from adjoint.experimental import fused as fused
from adjoint.experimental import hijax as hijax
def io_callback(callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None, ordered: bool = False, **kwargs: Any) -> Any:
    """Call a Python function with side effects from inside a program.

    Args:
      callback: a function of arrays; returns arrays, NumPy arrays or scalars.
      result_shape_dtypes: a tree of `ShapeDtypeStruct`s, or arrays, that says what it returns; None if
        it returns nothing.
      args, kwargs: arrays, or trees of them.
      sharding: the device that calls it, for programs over several.
      ordered: call it in the order of the program.
    Returns:
      What `result_shape_dtypes` says, as arrays; None if the function returns nothing.
    Raises:
      JaxRuntimeError: the function raised an error, or returned something else than promised.
      ValueError: the call is differentiated, or is ordered and mapped.

    >>> seen = []
    >>> jit(lambda x: experimental.io_callback(seen.append, None, x))(1.)
    >>> seen
    [Array(1., dtype=float32)]
    """
from adjoint.experimental import jet as jet
from adjoint.experimental import key_reuse as key_reuse
from adjoint.experimental import layout as layout
from adjoint.experimental import mesh_utils as mesh_utils
from adjoint.experimental import multihost_utils as multihost_utils
from adjoint.experimental import ode as ode
from adjoint.experimental import pallas as pallas
from adjoint.experimental import pjit as pjit
from adjoint.experimental import profiler as profiler
from adjoint.experimental import random as random
from adjoint.experimental import rnn as rnn
from adjoint.experimental import roofline as roofline
from adjoint.experimental import scheduling_groups as scheduling_groups
from adjoint.experimental import serialize_executable as serialize_executable
from adjoint.experimental import shard_alike as shard_alike
from adjoint.experimental import shard_map as shard_map
from adjoint.experimental import sparse as sparse
from adjoint.experimental import topologies as topologies
from adjoint.experimental import xla_metadata as xla_metadata
