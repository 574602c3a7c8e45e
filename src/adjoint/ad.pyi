# Written by stubs/generate.py; do not edit.
class DidntWant:
    """A mark in place of a cotangent that was not wanted.

    >>> from adjoint.ad import DidntWant, DontWant
    >>> _, pull = vjp(jnp.sin, 0.)
    >>> pull.with_refs(DontWant())(1.) == (DidntWant(),)
    True
    """
    ...
class DontWant:
    """A mark for `with_refs`: the cotangent is not wanted.

    >>> from adjoint.ad import DontWant, GradValue
    >>> _, pull = vjp(lambda x, y: x * y, 2., 3.)
    >>> pull.with_refs(DontWant(), GradValue())(1.)
    (DidntWant(), Array(2., dtype=float32, weak_type=True))
    """
    ...
class GradRef:
    """A mark in place of a cotangent that was added to a reference.

    >>> from adjoint.ad import GradRef
    >>> _, pull = vjp(jnp.sin, 0.)
    >>> pull.with_refs(new_ref(1.))(1.) == (GradRef(),)
    True
    """
    ...
class GradValue:
    """A mark for `with_refs`: the cotangent is wanted as a value.

    >>> from adjoint.ad import GradValue
    >>> _, pull = vjp(jnp.sin, 0.)
    >>> pull.with_refs(GradValue())(1.)
    (Array(1., dtype=float32, weak_type=True),)
    """
    ...
