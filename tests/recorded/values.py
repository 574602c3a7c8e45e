"""What stands for an object of JAX in the tests: it asks the session for each attribute, call and conversion."""

from __future__ import annotations

import collections
import functools
import importlib

__all__ = ["StandIn", "class_of", "named_tuple", "real", "real_tree", "register_with"]

# Looked for on any object by Python, NumPy and pytest. JAX's objects do not have them, or need not show them.
_HIDDEN = frozenset("""
    __array_interface__ __array_struct__ __array_function__ __array_ufunc__ __wrapped__ __dataclass_fields__
    __buffer__ __cuda_array_interface__ __index__ __attrs_attrs__ pytestmark __test__ __bases__ __isabstractmethod__
    __set_name__ _mock_name __pytest_wrapped__ _pytestfixturefunction __text_signature__
""".split())
_ITS_OWN = frozenset("""
    _session _key _real _made __class__ __array__ __array_priority__ __jax_array__ __slots__ __mro_entries__
""".split())


class StandIn:
    """An object of JAX, or what is known of one.

    Attributes:
      _session: who is asked.
      _key: how it was reached: `jax.numpy.sin`, or the digest of the call that gave it.
      _made: () -> the object itself, from JAX.
      _real: the object itself, once JAX has been asked.
    """

    __slots__ = ("__weakref__", "_key", "_made", "_real", "_session")
    __array_priority__ = 100

    def __init__(self, session, key, made, real=None):
        for name, value in zip(("_session", "_key", "_made", "_real"), (session, key, made, real)):
            object.__setattr__(self, name, value)

    def __getattribute__(self, name):
        if name in _ITS_OWN:
            return object.__getattribute__(self, name)
        if name in _HIDDEN:
            raise AttributeError(name)
        if name == "__signature__":
            return self._session.ask(self, "signature")
        return self._session.ask(self, "get", name)

    def __setattr__(self, name, value):
        self._session.ask(self, "set", name, value)

    def __delattr__(self, name):
        self._session.ask(self, "delete", name)

    def __call__(self, *args, **kwargs):
        return self._session.ask(self, "call", args, kwargs)

    def __array__(self, dtype=None, copy=None):
        return self._session.ask(self, "array", dtype)

    def __jax_array__(self):
        return real(self)

    def __iter__(self):
        return iter(self._session.ask(self, "list"))

    def __hash__(self):
        self._session.ask(self, "hash")
        return hash(self._key)

    def __bool__(self):
        return self._session.ask(self, "bool")

    def __instancecheck__(self, value):
        return self._session.ask(self, "has instance", value)

    def __subclasscheck__(self, value):
        return self._session.ask(self, "has subclass", value)

    def __mro_entries__(self, bases):
        return (self._session.derive(self),)

    def __exit__(self, kind, error, trace):
        return self._session.ask(self, "exit", kind and kind.__name__)


def _method(operation):
    def method(self, *operands):
        return self._session.ask(self, operation, *operands)

    return method


_BINARY = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift divmod".split()
_OTHERS = """
    eq ne lt le gt ge neg pos abs invert len contains getitem setitem delitem int float complex index round trunc floor
    ceil repr str format enter next dir copy deepcopy
""".split()
for _name in [*_BINARY, *(f"r{name}" for name in _BINARY), *_OTHERS]:
    setattr(StandIn, f"__{_name}__", _method(_name))


@functools.cache
def class_of(module: str, name: str) -> type[StandIn]:
    """Return the class of what stands for objects of a class."""
    made = type(name, (StandIn,), {"__slots__": (), "__module__": module, "__qualname__": name})
    for register in _registering:
        _register(register, made)
    return made


_registering: list = []     # JAX's function that registers a class of trees, once JAX is asked


def register_with(register: object) -> None:
    """Let JAX see its own objects where a traced function gives it what stands for them."""
    if not _registering:
        _registering.append(register)
        for made in StandIn.__subclasses__():
            _register(register, made)


def _register(register, made):
    register(made, lambda x: ((real(x),), None), lambda _, parts: parts[0])


# ---- JAX's objects again


def real(value: StandIn) -> object:
    """Return the object of JAX that a value stands for."""
    if value._real is None:
        object.__setattr__(value, "_real", value._made())
    return value._real


def real_tree(value: object) -> object:
    """Return a tree with the objects of JAX in the place of what stands for them."""
    if isinstance(value, StandIn):
        return real(value)
    kind = type(value)
    if kind in (list, tuple, set):
        return kind(map(real_tree, value))
    if kind is slice:
        return slice(*map(real_tree, (value.start, value.stop, value.step)))
    if kind in (dict, collections.OrderedDict, collections.defaultdict):
        changed = {real_tree(k): real_tree(v) for k, v in value.items()}
        if kind is not dict:
            return value.copy() | changed
        return changed
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return _real_tuple(kind)(*map(real_tree, value))
    if kind is functools.partial and any(isinstance(x, StandIn) for x in (value.func, *value.args)):
        return functools.partial(real_tree(value.func), *value.args, **value.keywords)
    return value


@functools.cache
def named_tuple(module: str, name: str, fields: tuple[str, ...]) -> type:
    """Return a class of tuples that has the names of one of JAX's."""
    made = collections.namedtuple(name.rpartition(".")[2], fields, rename=True)
    made.__module__, made.__qualname__ = module, name
    return made


def _real_tuple(kind):
    if kind.__module__.split(".")[0] != "jax":
        return kind
    found = importlib.import_module(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name)
    return found
