"""Names that a module does not have: where they are, or what they are called here.

People look for a function in the module of another library, or by the name that it has there. A message says where it
is: in another module of this package, by another name, or under a similar one.

Tests: `tests/core/test_advice.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from ..messages.errors import missing_name, no_attribute, presented

__all__ = ["absent"]

_PACKAGE = __name__.partition(".")[0]
# Where people look for functions that live in another module, in this order.
_HOMES = ("numpy", "nn", "lax", "random", "", "numpy.linalg", "numpy.fft", "tree")
# Names of PyTorch, NumPy, autograd and earlier versions of JAX, by the modules in which they are looked for.
_OTHER_NAMES = {
    "numpy": """cat=numpy.concatenate tensor=numpy.array from_numpy=numpy.asarray mm=numpy.matmul bmm=numpy.matmul
        rand=random.uniform randn=random.normal manual_seed=random.key float=numpy.float32 int=numpy.int32
        complex=numpy.complex64 no_grad=lax.stop_gradient detach=lax.stop_gradient vmap=vmap
        empty_cache=clear_caches clamp=numpy.clip
        unsqueeze=numpy.expand_dims norm=numpy.linalg.norm inv=numpy.linalg.inv""",
    "random": """seed=random.key manual_seed=random.key rand=random.uniform randn=random.normal random=random.uniform
        random_sample=random.uniform shuffle=random.permutation standard_normal=random.normal
        default_rng=random.key RandomState=random.key integers=random.randint""",
    "": """elementwise_grad=vmap gradient=grad tree_multimap=tree.map tree_map=tree.map tree_leaves=tree.leaves
        tree_flatten=tree.flatten tree_unflatten=tree.unflatten tree_structure=tree.structure
        tree_transpose=tree.transpose tree_all=tree.all tree_reduce=tree.reduce mask=numpy.where
        compile=jit no_grad=lax.stop_gradient tensor=numpy.array xla_computation=jit make_vjp=vjp make_jvp=jvp""",
    "scipy.integrate": "odeint=experimental.ode.odeint solve_ivp=experimental.ode.odeint",
    "experimental": "loops=lax.fori_loop host_callback=pure_callback maps=shard_map",
    "lax": """tie_in=lax.optimization_barrier for_loop=lax.fori_loop while_=lax.while_loop""",
}


def absent(module: str, name: str, names: Iterable[str]) -> AttributeError | ImportError:
    """Return the error for a name that a module does not have: where it is, or else which of `names` is similar.

    >>> print(absent("adjoint.numpy", "cat", []))
    module 'adjoint.numpy' has no attribute 'cat'
      Try: adjoint.numpy.concatenate
    >>> print(absent("adjoint.lax", "relu", []))
    module 'adjoint.lax' has no attribute 'relu'
      Try: adjoint.nn.relu
    """
    inside = module.partition(".")[2]
    entries = [entry.split("=") for entry in _OTHER_NAMES.get(inside, "").split()]
    place = dict(entries).get(name)  # type: ignore[arg-type]
    if place is None and not name.startswith("_"):
        homes = [home for home in _HOMES if home != inside and name in dir(import_module(_full(home)))]
        place = f"{homes[0]}.{name}".lstrip(".") if homes else None
    if place is None:
        return no_attribute(module, name, names)
    return missing_name(module, name, f"\n  Try: {presented(_full(place))}")


def _full(home: str) -> str:
    return f"{_PACKAGE}.{home}".rstrip(".")
