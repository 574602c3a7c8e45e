"""Parts that loops share: a carry that goes round, and operands and results in groups.

Which parts of a carry have tangents, or a batch axis, is known only after the body was transformed, and
the body is transformed for what its carry has. So the transformation is repeated until nothing changes;
the flags only ever go from False to True.

Tests: `tests/control_flow/test_values.py`.
"""

from __future__ import annotations

from contextlib import contextmanager

__all__ = ["carry_fixed_point", "errors_name_turn", "interleaved", "parts"]


@contextmanager
def errors_name_turn(i: int):
    """Make errors inside name turn `i` of the loop."""
    try:
        yield
    except FloatingPointError as error:
        error.add_note(f"This was in iteration {i} of the loop, counting from 0.")
        raise


def parts(values, *sizes: int) -> list[list]:
    """Return consecutive groups of these sizes, and the rest."""
    values = list(values)
    groups, start = [], 0
    for n in sizes:
        groups.append(values[start : start + n])
        start += n
    return [*groups, values[start:]]


def carry_fixed_point(transform, jaxpr, num_consts: int, num_carry: int, flags):
    """Apply `transform(jaxpr, flags, want)` until the carry's flags hold from one turn to the next.

    `transform` returns (..., flags of the results) last; `want` asks for flags of results. Returns what
    it returned, and the carry's flags.
    """
    consts, carry, xs = parts(flags, num_consts, num_carry)
    num_ys = len(jaxpr.out_avals) - num_carry
    while True:
        want = tuple(carry) + (False,) * num_ys
        result = transform(jaxpr, tuple(consts + carry + xs), want)
        out = result[-1][:num_carry]
        if list(out) == carry:
            return result, tuple(carry)
        carry = [a or b for a, b in zip(carry, out)]


def interleaved(first, second) -> tuple[int, ...]:
    """Return positions in [*first, *second] of first[0], second[0], first[1], second[1], ..., given the sizes."""
    order, i, j = [], 0, sum(first)
    for a, b in zip(first, second):
        order += [*range(i, i + a), *range(j, j + b)]
        i, j = i + a, j + b
    return tuple(order)
