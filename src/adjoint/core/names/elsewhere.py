"""Names that a module does not have: where they are, or what they are called here.

People look for a function in the module of another library, or by the name that it has there. A message says where it
is: in another module of this package, by another name, or under a similar one.

Tests: `tests/core/test_advice.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from importlib import import_module
from types import ModuleType
from typing import Any

from ..messages.errors import closest, hint, missing_name, presented

__all__ = ["absent", "found_in", "moved"]

_PACKAGE = __name__.partition(".")[0]
# Where people look for functions that live in another module, in this order.
_HOMES = ("numpy", "nn", "lax", "random", "", "numpy.linalg", "numpy.fft", "tree")
# Names of PyTorch, NumPy, autograd and earlier versions of JAX, by the modules in which they are looked for.
_OTHER_NAMES = {
    "numpy": """cat=numpy.concatenate tensor=numpy.array from_numpy=numpy.asarray mm=numpy.matmul bmm=numpy.matmul
        rand=random.uniform randn=random.normal manual_seed=random.key float=numpy.float32 int=numpy.int32
        complex=numpy.complex64 no_grad=lax.stop_gradient detach=lax.stop_gradient vmap=vmap
        empty_cache=clear_caches clamp=numpy.clip
        unsqueeze=numpy.expand_dims norm=numpy.linalg.norm inv=numpy.linalg.inv product=numpy.prod
        cumproduct=numpy.cumprod sometrue=numpy.any alltrue=numpy.all in1d=numpy.isin trapz=numpy.trapezoid
        row_stack=numpy.vstack asfarray=numpy.asarray matrix=numpy.array mat=numpy.array msort=numpy.sort
        reduce_mean=numpy.mean reduce_sum=numpy.sum reduce_max=numpy.max reduce_min=numpy.min reduce_prod=numpy.prod
        nditer=vmap ndenumerate=vmap DeviceArray=Array Tensor=Array""",
    "random": """seed=random.key manual_seed=random.key rand=random.uniform randn=random.normal random=random.uniform
        random_sample=random.uniform shuffle=random.permutation standard_normal=random.normal
        default_rng=random.key RandomState=random.key integers=random.randint""",
    "": """elementwise_grad=vmap gradient=grad tree_multimap=tree.map tree_map=tree.map tree_leaves=tree.leaves
        tree_flatten=tree.flatten tree_unflatten=tree.unflatten tree_structure=tree.structure
        tree_transpose=tree.transpose tree_all=tree.all tree_reduce=tree.reduce mask=numpy.where
        compile=jit no_grad=lax.stop_gradient tensor=numpy.array xla_computation=jit make_vjp=vjp make_jvp=jvp""",
    "scipy.integrate": "odeint=experimental.ode.odeint solve_ivp=experimental.ode.odeint",
    "experimental": """loops=lax.fori_loop host_callback=pure_callback maps=shard_map stax=example_libraries.stax
        optimizers=example_libraries.optimizers""",
    "lax": """tie_in=lax.optimization_barrier for_loop=lax.fori_loop while_=lax.while_loop""",
    "experimental.sparse": """csr_matrix=experimental.sparse.BCSR csr_array=experimental.sparse.BCSR
        coo_matrix=experimental.sparse.BCOO coo_array=experimental.sparse.BCOO csc_matrix=experimental.sparse.CSC
        csc_array=experimental.sparse.CSC identity=experimental.sparse.eye eye_array=experimental.sparse.eye
        vstack=experimental.sparse.bcoo_concatenate hstack=experimental.sparse.bcoo_concatenate
        spsolve=experimental.sparse.linalg.spsolve random_array=experimental.sparse.random_bcoo""",
    "export": "load=export.deserialize loads=export.deserialize",
    "lib": "xla_bridge=extend.backend xla_client=extend.ifrt_programs",
    "interpreters.xla": "DeviceArray=Array",
    "core": " ".join(f"{name}=extend.core.{name}" for name in """ClosedJaxpr Jaxpr JaxprEqn Literal Primitive Token Var
        jaxpr_as_fun""".split()),
}
# What is written in the place of names that nothing here is called like.
_LAYERS = "a library of layers, such as flax or equinox; of one's own, a dense layer is x @ w + b"
_INSTEAD = {
    "ops": {
        "index_update": "x.at[index].set(value)", "index_add": "x.at[index].add(value)",
        "index_mul": "x.at[index].multiply(value)", "index_min": "x.at[index].min(value)",
        "index_max": "x.at[index].max(value)", "index": "x.at[index]",
    },
    "sharding": {"PositionalSharding": "jax.NamedSharding(jax.make_mesh((n,), ('x',)), jax.P('x'))"},
    "experimental.sparse": {
        "issparse": "isinstance(x, sparse.JAXSparse)", "diags": "sparse.BCOO.fromdense(jnp.diag(values))",
        "from_dense": "sparse.BCOO.fromdense(x)", "fromdense": "sparse.BCOO.fromdense(x)",
    },
    "export": {
        **dict.fromkeys(("dump", "dumps", "save", "serialize"), "export.export(jit(f))(*args).serialize()"),
        "call": "export.export(jit(f))(*args).call(*args)",
    },
    "numpy": {"copyto": "jnp.broadcast_to(value, x.shape), or jnp.where(mask, value, x)"},
    "nn": dict.fromkeys(
        ("BatchNorm", "Conv", "Conv2d", "Dense", "Dropout", "Embedding", "Embed", "LayerNorm", "Linear", "Module",
         "Sequential"), _LAYERS),
}
# Names that JAX had, and what it says of them: after the name, by the module in which they were.
_SINCE = "was deprecated in JAX v0.8.2 and removed in JAX v0.10.0"
_GONE = {
    "core": {
        **{name: f"{_SINCE}. Use jax.extend.core.{name}." for name in """AbstractToken TraceTag call_impl mapped_aval
            set_current_trace subjaxprs take_current_trace unmapped_aval""".split()},
        "get_aval": f"{_SINCE}; use jax.typeof instead.", "traverse_jaxpr_params": f"{_SINCE}.",
    },
    "ad_checkpoint": {name: f"{_SINCE}; use jax.{name} instead." for name in ("checkpoint", "remat")},
    "lax": {"pvary": f"{_SINCE}; use `jax.lax.pcast(..., to='varying')"},
    "numpy": {"fix": "was deprecated in JAX v0.9.0, and will be removed in JAX v0.10.0. Use jax.numpy.trunc instead."},
    "scipy.special": {
        "sph_harm": "was deprecated in v0.7.0 and removed in v0.10.0. Use jax.scipy.special.sph_harm_y instead.",
    },
    "interpreters.ad": {
        "reducing_transposes":
        "was deprecated in v0.9.0. and removed in v0.10.0. It has been unused since JAX v0.4.38.",
    },
    "interpreters.pxla": {
        **dict.fromkeys("MapTracer PmapExecutable parallel_callable shard_args".split(), "was removed in JAX v0.10.0."),
        **dict.fromkeys(
            "Chunked NoSharding Replicated ShardedAxis ShardingSpec Unstacked spec_to_indices".split(),
            "was removed in JAX v0.10.0. Please use `jax.shard_map` instead of `jax.pmap`."),
    },
}
# Modules of earlier versions of JAX, and what is there instead of them.
_MODULES = {
    "abstract_arrays": "core.ShapedArray", "config": "config", "experimental.gda_serialization":
    "experimental.array_serialization", "experimental.global_device_array": "make_array_from_callback",
    "experimental.host_callback": "pure_callback", "experimental.loops": "lax.fori_loop", "experimental.maps":
    "shard_map", "experimental.optimizers": "example_libraries.optimizers", "experimental.sharding": "sharding",
    "experimental.stax": "example_libraries.stax", "lib.xla_bridge": "extend.backend", "linear_util":
    "extend.linear_util", "optimizers": "example_libraries.optimizers", "prng": "extend.random", "stax":
    "example_libraries.stax",
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
    if text := _GONE.get(module.partition(".")[2], {}).get(name):
        shown = text.replace("jax.", presented(f"{_PACKAGE}."))
        return missing_name(module, name, said=f"{presented(module)}.{name} {shown}")
    if name.startswith("__") or _unadvised.get():  # what asks expects that the name may not be there
        return missing_name(module, name)
    key = presented(module), name
    if key not in _known_advice:
        _known_advice[key] = _advice(module, name, names)
    return missing_name(module, name, _known_advice[key])


_known_advice: dict[tuple[str, str], str] = {}  # what libraries ask for by `hasattr`, they ask for often
_unadvised: ContextVar[bool] = ContextVar("unadvised", default=False)


def found_in(module: ModuleType, name: str, default: Any) -> Any:
    """Return what a module has by a name, or `default`; without looking for advice, which takes longer than a search.

    >>> import adjoint.numpy
    >>> found_in(adjoint.numpy, "cat", None) is None
    True
    """
    token = _unadvised.set(True)
    try:
        return getattr(module, name, default)
    finally:
        _unadvised.reset(token)


def _advice(module: str, name: str, names: Iterable[str]) -> str:
    """Return what follows the sentence that a module does not have a name; `names` are those that it has."""
    inside = module.partition(".")[2]
    entries = [entry.split("=") for entry in _OTHER_NAMES.get(inside, "").split()]
    if text := _INSTEAD.get(inside, {}).get(name):
        return f"\n  Try: {text}"
    place = dict(entries).get(name)  # type: ignore[arg-type]
    if place is None and not name.startswith("_"):
        homes = [home for home in _HOMES if home != inside and name in dir(import_module(_full(home)))]
        place = f"{homes[0]}.{name}".lstrip(".") if homes else None
    if place is None:
        return hint(name, names)
    return f"\n  Try: {presented(_full(place))}"


def moved(module: str) -> str | None:
    """Return what is here instead of a module that this package does not have, None where nothing is like it.

    >>> moved("adjoint.linear_util"), moved("adjoint.nunpy"), moved("adjoint.experimental.ports")
    ('adjoint.extend.linear_util', 'adjoint.numpy', None)
    """
    inside = module.partition(".")[2]
    place = _MODULES.get(inside)
    if place is None:
        parent, _, last = inside.rpartition(".")
        try:
            names = dir(import_module(_full(parent)))
        except ImportError:
            return None
        found = last if last in names else closest(last, names)
        place = f"{parent}.{found}".lstrip(".") if found else None
    return presented(_full(place)) if place is not None else None


def _full(home: str) -> str:
    return f"{_PACKAGE}.{home}".rstrip(".")
