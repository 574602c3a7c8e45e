"""The rules of `sparsify` for loops and branches with sparse values inside.

Each becomes the same loop or branch over the buffers of its values: sparse arrays are trees. A carry must come out
with the structure it goes in with, and branches must agree.

Tests: `tests/experimental/sparse/test_sparsify.py`.
"""

from __future__ import annotations

from functools import partial

from .... import lax
from ....control_flow.cond import cond_p
from ....control_flow.scan import scan_p
from ....control_flow.while_loop import while_p
from ....core.jaxpr import ClosedJaxpr
from ....core.tree.tree import tree_structure
from ....transforms.jit.staging import eval_shape
from .interpreter import (
    SparsifyEnv,
    arrays_to_spvalues,
    run_program,
    sparse_rules_bcoo,
    sparse_rules_bcsr,
    spvalues_to_arrays,
)

__all__: list[str] = []


def _on_arrays(closed: ClosedJaxpr, *arrays) -> list:
    """Run a program on dense and sparse arrays."""
    spenv = SparsifyEnv()
    return spvalues_to_arrays(spenv, run_program(spenv, closed, arrays_to_spvalues(spenv, list(arrays))))


def _check_alike(what: str, before, other: str, after) -> None:
    """Raise an error if two lists of arrays are not of one structure, one by one."""
    for i, (x, y) in enumerate(zip(before, after)):
        a, b = tree_structure(x), tree_structure(y)
        if a != b:
            raise TypeError(
                f"{what} must have same type structure as {other}, but there are differences:\n"
                f"    * at output[{i}], {what} has {a} and {other} has {b}.\n"
                "  Try: `sum_duplicates(nse=...)` or `update_layout`, so that layout, shape and flags are the same."
            )


def _while(spenv, *xs, cond_jaxpr, body_jaxpr, cond_nconsts, body_nconsts):
    arrays = spvalues_to_arrays(spenv, list(xs))
    n, m = cond_nconsts, cond_nconsts + body_nconsts
    of_cond, of_body, carry = arrays[:n], arrays[n:m], arrays[m:]

    def body(carry):
        out = _on_arrays(body_jaxpr, *of_body, *carry)
        _check_alike("sparsified while body_fun input", carry, "sparsified while body_fun output", out)
        return out

    out = lax.while_loop(lambda carry: _on_arrays(cond_jaxpr, *of_cond, *carry)[0], body, carry)
    return arrays_to_spvalues(spenv, out)


def _cond(spenv, index, *xs, branches, **_):
    arrays = spvalues_to_arrays(spenv, list(xs))
    shapes = [eval_shape(partial(_on_arrays, b), *arrays) for b in branches]
    for k, other in enumerate(shapes[1:], 1):
        _check_alike("sparsified branch 0 output", shapes[0], f"sparsified branch {k} output", other)
    out = lax.switch(spenv.data(index), [partial(_on_arrays, b) for b in branches], *arrays)
    return arrays_to_spvalues(spenv, out)


def _scan(spenv, *xs, jaxpr, length, num_consts, num_carry, reverse, unroll, **_):
    arrays = spvalues_to_arrays(spenv, list(xs))
    n, m = num_consts, num_consts + num_carry
    if any([x.is_sparse() for x in xs[m:]]):
        raise NotImplementedError(
            "sparse rule for scan with sparse x values.\n  Try: a `fori_loop`, which takes the slices that it needs."
        )
    consts, carry, inputs = arrays[:n], arrays[n:m], arrays[m:]

    def body(carry, x):
        out = _on_arrays(jaxpr, *consts, *carry, *x)
        new, ys = out[:num_carry], out[num_carry:]
        _check_alike("sparsified scan carry input", carry, "sparsified scan carry output", new)
        return new, ys

    out, ys = lax.scan(body, carry, inputs, length=length, reverse=reverse, unroll=unroll)
    return arrays_to_spvalues(spenv, [*out, *ys])


for _p, _run in ((while_p, _while), (cond_p, _cond), (scan_p, _scan)):
    sparse_rules_bcoo[_p] = sparse_rules_bcsr[_p] = _run
