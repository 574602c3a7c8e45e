"""The function of cotangents that `vjp` returns, which may put what it finds into references.

    pull(ct)                                   all cotangents, as values
    pull.with_refs(GradValue(), ref)(ct)       the first as a value, the second added to `ref`

The function is a tree whose leaves are the residuals, so it passes through `jit`, `vmap` and `scan`.

Tests: `tests/transforms/test_references.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...core.tree.tree import Partial, register_pytree_node, tree_flatten, tree_unflatten
from ...core.values.refs import AbstractRef, Ref
from ...core.values.zeros import Zero
from ...prims.references import addupdate
from ..jvp import instantiate

__all__ = ["VJP", "DidntWant", "DontWant", "GradRef", "GradValue"]


class _Mark:
    """An argument or a result of `with_refs` that is not an array; all of a kind are equal."""

    __slots__ = ()

    def __repr__(self):
        return f"{type(self).__name__}()"

    def __eq__(self, other):
        return type(other) is type(self)

    def __hash__(self):
        return hash(type(self))


class GradValue(_Mark):
    """A mark for `with_refs`: the cotangent is wanted as a value.

    >>> from adjoint.ad import GradValue
    >>> _, pull = vjp(jnp.sin, 0.)
    >>> pull.with_refs(GradValue())(1.)
    (Array(1., dtype=float32, weak_type=True),)
    """

    __slots__ = ()


class DontWant(_Mark):
    """A mark for `with_refs`: the cotangent is not wanted.

    >>> from adjoint.ad import DontWant, GradValue
    >>> _, pull = vjp(lambda x, y: x * y, 2., 3.)
    >>> pull.with_refs(DontWant(), GradValue())(1.)
    (DidntWant(), Array(2., dtype=float32, weak_type=True))
    """

    __slots__ = ()


class GradRef(_Mark):
    """A mark in place of a cotangent that was added to a reference.

    >>> from adjoint.ad import GradRef
    >>> _, pull = vjp(jnp.sin, 0.)
    >>> pull.with_refs(new_ref(1.))(1.) == (GradRef(),)
    True
    """

    __slots__ = ()


class DidntWant(_Mark):
    """A mark in place of a cotangent that was not wanted.

    >>> from adjoint.ad import DidntWant, DontWant
    >>> _, pull = vjp(jnp.sin, 0.)
    >>> pull.with_refs(DontWant())(1.) == (DidntWant(),)
    True
    """

    __slots__ = ()


class VJP(Partial):
    """A function from a cotangent of the output to a tuple of cotangents of the arguments."""

    @property
    def in_tree(self):
        """Return the structure of the arguments."""
        return self._pull.in_tree.children()[0]

    @property
    def out_tree(self):
        """Return the structure of the output."""
        return self._pull.out_tree

    @property
    def opaque_residuals(self) -> list:
        """Return the values that the function keeps."""
        return list(self.args[0])

    @property
    def _pull(self):
        return self.func

    def with_refs(self, *maybe_ct_refs) -> Callable:
        """Return the function with cotangents added to references.

        Args:
          maybe_ct_refs: for each argument a tree like it, of references of its shape and dtype, `DontWant()`, or
            anything else, such as `GradValue()`, where the cotangent is wanted as a value.
        Returns:
          A function of a cotangent of the output, which returns what this one does with `GradRef()` in place of what
          was added to a reference and `DidntWant()` in place of what was not wanted.

        >>> from adjoint.ad import GradValue
        >>> _, pull = vjp(lambda x, y: x * y, jnp.arange(2.), 3.)
        >>> total = new_ref(jnp.ones(2))
        >>> pull.with_refs(total, GradValue())(jnp.ones(2))
        (GradRef(), Array(1., dtype=float32, weak_type=True))
        >>> total
        Ref([4., 4.], dtype=float32)
        """
        leaves, tree = tree_flatten(maybe_ct_refs)
        if tree != self.in_tree:
            raise TypeError(
                message(
                    "with_refs needs a reference, GradValue() or DontWant() for each array of the arguments: they are "
                    f"{self.in_tree}, got {tree}.",
                    fix="pull.with_refs(ref, jax.ad.GradValue()) for a function of two arrays",
                )
            )

        def pull(ct):
            found = [_given(x, c) for x, c in zip(leaves, self._pull.cotangents(self.args[0], ct))]
            return tree_unflatten(tree, found)

        return pull


def _given(wish, ct):
    """Return a cotangent where it is wished for."""
    if type(wish) is DontWant:
        return DidntWant()
    if type(wish) is not Ref:
        return instantiate(ct)
    if type(ct) is not Zero:
        addupdate(wish, None, ct)
    return GradRef()


def check_no_refs(avals) -> None:
    """References have no cotangents: what they hold is differentiated where it is made."""
    for a in avals:
        if type(a) is AbstractRef:
            raise ValueError(
                message(
                    f"Expected cotangent type {a} but got {a.inner_aval.str_short()}",
                    why="A reference is not differentiated; what it holds is, inside of the function.",
                    fix="pass its value, ref[...], or differentiate by the other arguments (argnums)",
                )
            )


register_pytree_node(VJP, lambda pull: ((pull.args, pull.keywords), pull.func), lambda f, p: VJP(f, *p[0], **p[1]))
register_pytree_node(GradRef, lambda _: ((), ()), lambda *_: GradRef())
register_pytree_node(DidntWant, lambda _: ((), ()), lambda *_: DidntWant())
public(globals())
