"""Functions of scalars or slices applied to whole arrays: `vectorize`, `apply_along_axis`, `piecewise`, ...

Tests: `tests/numpy/test_manipulation.py`.
"""

from __future__ import annotations

import re
from itertools import chain, repeat

from ..core.messages.boundaries import guarded
from ..core.messages.errors import message, shorten
from ..core.types import Array
from ..transforms.flat import function_name, own_kind, wraps
from ..transforms.vmap import vmap
from . import ufuncs
from .axes import canonical_axis, operand, static_axis
from .conversion import asarray
from .promotion import check_vectorized_ranks, convert
from .shapes import broadcast_shapes, broadcast_to, expand_dims, squeeze

__all__ = ["apply_along_axis", "apply_over_axes", "piecewise", "vectorize"]

_SIGNATURE = re.compile(r"^\([^()]*\)(,\([^()]*\))*->\([^()]*\)(,\([^()]*\))*$")
CoreDims = tuple[str, ...]  # the names of the axes that the function itself sees


def parse(signature: str) -> tuple[list[CoreDims], list[CoreDims]]:
    """The axes of arguments and of results."""
    text = signature.replace(" ", "")
    if not _SIGNATURE.match(text):
        raise ValueError(
            message(
                f"not a valid gufunc signature: {signature}. For example: '(m,n),(n)->(m)'",
                fix="signature='(n),(n)->()'",
            )
        )
    side = lambda s: [tuple(n for n in g.split(",") if n) for g in re.findall(r"\(([^()]*)\)", s)]
    left, right = text.split("->")
    return side(left), side(right)


def check_sizes(shape: tuple[int, ...], core: CoreDims, sizes: dict[str, int], which: str) -> None:
    """ValueError unless axes of one name have one length, in arguments and in results; `sizes` has those seen."""
    for n, label in zip(shape, core):
        if n != (want := sizes.setdefault(label, n)):
            raise ValueError(
                message(
                    f"inconsistent size for core dimension {label!r}: {n} vs {want} {which}",
                    why="The signature says that axes of one name have one length.",
                    fix="another name for an axis whose length differs",
                )
            )


@own_kind
@guarded
class Vectorized:
    """The result of `vectorize`."""

    def __init__(self, pyfunc, excluded: frozenset, signature: str | None):
        wraps(pyfunc)(self)
        self.pyfunc = pyfunc
        self.excluded = excluded
        self.text = signature
        self.signature = None if signature is None else parse(signature)

    def __call__(self, *args, **kwargs):
        name = function_name(self.pyfunc)
        chosen = [i for i, a in enumerate(args) if i not in self.excluded and (a is not None or not i)]
        named = [k for k in kwargs if k not in self.excluded]
        if named and self.signature is not None:
            raise TypeError(f"vectorize of {name} with a signature takes no keyword arguments: {named}")
        arrays = [asarray(args[i]) for i in chosen] + [asarray(kwargs[k]) for k in named]

        def call(*values):
            full, more = list(args), dict(kwargs)
            for i, v in zip(chosen, values):
                full[i] = v
            more.update(zip(named, values[len(chosen) :]))
            return self.pyfunc(*full, **more)

        cores = [()] * len(arrays) if self.signature is None else self._cores_of_given(args, self.signature[0])
        if len(cores) != len(arrays):
            raise TypeError(
                message(
                    f"wrong number of positional arguments: expected {len(cores)}, got {len(arrays)} {self.which}",
                    fix=f"a signature with {len(arrays)} operands, or the arguments that it names",
                )
            )
        sizes: dict[str, int] = {}
        for a, core in zip(arrays, cores):
            self._check_core(a, core, sizes)
        batches = [a.shape[: a.ndim - len(core)] for a, core in zip(arrays, cores)]
        check_vectorized_ranks([a.shape for a in arrays], batches, self.text)
        batch = broadcast_shapes(*batches)
        call = self._checked(call, sizes)
        # An axis of length 1 that stretches is not mapped: the function sees the one value.
        for k in range(1, len(batch) + 1):
            axes = [0 if len(b) >= k and b[-k] != 1 else None for b in batches]
            if any(a is not None for a in axes):
                call = vmap(call, in_axes=tuple(axes))
            else:
                call = _keep_one(call, batch[-k])
        squeezed = [
            squeeze(a, tuple(i for i, n in enumerate(b) if n == 1)) for a, b in zip(arrays, batches)
        ]
        return call(*squeezed)

    def _cores_of_given(self, args, cores: list[CoreDims]) -> list[CoreDims]:
        """Return the axes that the signature says of the arguments that are not None."""
        given = [a is not None for i, a in enumerate(args) if i not in self.excluded]
        missing = {i for i, (is_given, core) in enumerate(zip(given, cores)) if core and not is_given}
        if missing:
            raise ValueError(f"Cannot pass None at locations {missing} with signature={self.text!r}")
        return [core for core, is_given in zip(cores, chain(given, repeat(True))) if is_given]

    @property
    def which(self) -> str:
        """Return what errors say of the function."""
        return f"on vectorized function with excluded={set(self.excluded) or self.excluded} and signature={self.text!r}"

    def _check_core(self, a: Array, core, sizes) -> None:
        if a.ndim < len(core):
            raise ValueError(
                message(
                    f"input with shape {a.shape} does not have enough dimensions for all core dimensions "
                    f"{core} {self.which}",
                    fix=f"x[None], or jnp.atleast_{len(core)}d(x)",
                )
            )
        check_sizes(a.shape[a.ndim - len(core) :], core, sizes, self.which)

    def _checked(self, call, sizes):
        """Return `call`, with the core shapes of its results checked."""
        if self.signature is None:
            return call
        cores = self.signature[1]

        def checked(*values):
            out = call(*values)
            if len(cores) > 1 and not isinstance(out, tuple):
                raise TypeError(
                    message(
                        f"output must be a tuple when multiple outputs are expected, got: {shorten(out)}",
                        why=f"The signature {self.text!r} has {len(cores)} outputs.", fix="return a, b",
                    )
                )
            outs = out if isinstance(out, tuple) else (out,)
            if len(outs) != len(cores):
                raise TypeError(
                    message(
                        f"wrong number of output arguments: expected {len(cores)}, got {len(outs)} {self.which}",
                        fix="return as many arrays as the signature has behind ->",
                    )
                )
            for x, core in zip(outs, cores):
                shape = asarray(x).shape
                if len(core) != len(shape):
                    raise ValueError(
                        message(
                            f"output shape {shape} does not match core dimensions {core} {self.which}",
                            fix="a signature that says the shape behind ->",
                        )
                    )
                check_sizes(shape, core, sizes, self.which)
            return out

        return checked


def _keep_one(call, n: int):
    """Return an axis that no argument has, or only with length 1: it is put in front of the results."""

    def kept(*values):
        out = call(*values)
        widen = lambda x: broadcast_to(asarray(x)[None], (n, *asarray(x).shape))
        return tuple(map(widen, out)) if isinstance(out, tuple) else widen(out)

    return kept


def vectorize(pyfunc, *, excluded=frozenset(), signature: str | None = None) -> Vectorized:
    """Return a function of scalars (or, with `signature`, of small arrays) that broadcasts.

    Args:
      pyfunc: the function.
      excluded: positions or names of arguments that are passed as they are.
      signature: such as ``"(n),(m,n)->(m)"``: the axes that the function itself sees.
    Returns:
      A function of arrays.
    Raises:
      TypeError: the number of arguments is not that of `signature`, or `excluded` holds what is neither int nor str.
      ValueError: `signature` is none; axes of one name differ in length; an argument has fewer axes than its
        signature; or the axes in front of those do not broadcast.

    >>> jnp.vectorize(lambda a, b: a * b)(jnp.arange(3), 2)
    Array([0, 2, 4], dtype=int32)
    """
    if any(not isinstance(e, int | str) for e in excluded):
        raise TypeError(
            message(
                f"jax.numpy.vectorize can only exclude integer or string arguments, but excluded={excluded!r}",
                fix="excluded={0}, or excluded={'name'}",
            )
        )
    if any(isinstance(e, int) and e < 0 for e in excluded):
        raise ValueError(
            message(f"excluded={excluded!r} contains negative numbers", fix="excluded={0} for the first argument")
        )
    return Vectorized(pyfunc, frozenset(excluded), signature)


# ---- slices -------------------------------------------------------------------------------------


def apply_along_axis(func1d, axis: int, arr, *args, **kwargs) -> Array:
    """Apply a function of arrays with one axis to every slice along an axis.

    Args:
      func1d: takes an array of one axis, and the other arguments; it is mapped by `vmap`.
      axis: which axis the slices have.
      arr: array.
      *args, **kwargs: passed to the function.
    Returns:
      The results, with their axes in the place of `axis`, of the dtype that the function gives.
    Raises:
      TypeError: `func1d` is not a function.
      ValueError: `axis` is out of range.

    >>> jnp.apply_along_axis(jnp.sum, 0, jnp.ones((2, 3)))
    Array([2., 2., 2.], dtype=float32)
    """
    arr = operand("apply_along_axis", arr)
    axis = canonical_axis(axis, arr.ndim)
    call = lambda x: func1d(x, *args, **kwargs)
    for i in range(1, arr.ndim - axis):
        call = vmap(call, in_axes=i, out_axes=-1)
    for _ in range(axis):
        call = vmap(call, in_axes=0, out_axes=0)
    return call(arr)


def apply_over_axes(func, a, axes) -> Array:
    """Apply a function `(array, axis)` over several axes in turn.

    Args:
      func: such as `jnp.sum`; it keeps the rank or takes one axis away, which is put back with length 1.
      a: array.
      axes: the axes over which the function is applied, one after the other.
    Returns:
      An array of the rank of `a`.
    Raises:
      ValueError: the function returned another rank.

    >>> jnp.apply_over_axes(jnp.sum, jnp.ones((2, 3)), (0, 1))
    Array([[6.]], dtype=float32)
    """
    a = operand("apply_over_axes", a)
    axes = static_axis(axes)
    if type(axes) is not tuple:
        raise TypeError(message(f"'{type(axes).__name__}' object is not iterable", fix=f"axes=({axes},)"))
    for axis in axes:
        b = func(a, axis)
        if b.ndim == a.ndim - 1:
            b = expand_dims(b, axis)
        elif b.ndim != a.ndim:
            raise ValueError("function is not returning an array of the correct shape")
        a = b
    return a


def piecewise(x, condlist, funclist, *args, **kw) -> Array:
    """Return a function chosen for each element by the last condition that holds.

    Args:
      x: array.
      condlist: conditions, of the shape of `x`.
      funclist: functions of `x` or constants, one for each condition, and maybe one for the rest; default 0.
      *args, **kw: further arguments of the functions.
    Returns:
      An array of the shape and dtype of `x`: each element is the value of the last function whose condition holds.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.piecewise(jnp.array([-2., 2.]), [jnp.array([True, False])], [lambda x: -x, 1.])
    Array([2., 1.], dtype=float32)
    """
    x = operand("piecewise", x)
    conditions = [asarray(c) for c in condlist]
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise ValueError(
            message(
                f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} "
                f"functions are expected; got {len(funclist)}",
                fix="a function or a number for each condition, and one more for where none is true",
            )
        )
    value = lambda f: convert(asarray(f(x, *args, **kw) if callable(f) else f), x.dtype)
    out = value(funclist[-1] if len(funclist) > len(conditions) else 0)
    for condition, f in zip(conditions, funclist):
        out = ufuncs.where(condition, value(f), out)
    return broadcast_to(out, x.shape)
