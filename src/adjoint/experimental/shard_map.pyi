# Written by stubs/generate.py; do not edit.
from collections.abc import Callable
from typing import Any
def shard_map(f: Callable[..., Any], mesh: Any, in_specs: Any, out_specs: Any, check_rep: bool = True) -> Any:
    """Return `jax.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_rep)`.

    Args:
      f: a function of what one device holds.
      mesh: the devices.
      in_specs, out_specs: how arguments and results are divided, trees of specs.
      check_rep: check what `out_specs` says of results that are whole on each device.
    Returns:
      A function of the whole arrays.
    Raises:
      ValueError: as `jax.shard_map`: a spec names an axis that the mesh has not, or does not divide an axis evenly.

    >>> from adjoint.experimental.shard_map import shard_map
    >>> mesh = sharding.Mesh(np.array(devices()), ("x",))
    >>> shard_map(lambda x: x / lax.psum(x, "x"), mesh, P("x"), P("x"))(jnp.array([2.]))
    Array([1.], dtype=float32)
    """
