"""What the session answers itself, without JAX and without its kept answers."""

from __future__ import annotations

import collections
from functools import partial

import numpy as np
import pytest
from tests.recorded.session import Session, Stale
from tests.recorded.values import class_of

import adjoint

FILE, TEST = "tests/nowhere/test_nothing.py", "test_nothing"
Pair = collections.namedtuple("Pair", "first second")


@pytest.fixture
def ask():
    """Calls a function of JAX by its name, in a test of which nothing is kept but that it asks."""
    session = Session("read")
    session._kept[FILE] = {"tests": {TEST: "said"}, "answers": {}, "several": {}, "listed": []}
    session.begin(FILE, TEST, "said")
    session.calling = True
    yield lambda name, *args: class_of("builtins", "function")(session, name, None)(*args)
    session.end()


def test_trees_of_our_results_are_no_question_to_jax(ask):
    """Their last bits differ between processors, so that no kept answer is found."""
    x, y = adjoint.numpy.ones(2), np.arange(3.0)
    tree = {"b": [x, (None, 2.0)], "a": y}
    assert list(map(id, ask("jax.tree.leaves", tree)[:2])) == [id(y), id(x)]
    assert ask("jax.tree.map", lambda x: 2 * np.size(x), tree) == {"b": [4, (None, 2)], "a": 6}
    assert ask("jax.tree.map", partial(max, 3), [1, 4]) == [3, 4]
    assert ask("jax.block_until_ready", tree)["a"] is y


@pytest.mark.parametrize("tree", [Pair(1, 2), collections.OrderedDict(a=1), {1, 2}, object()])
def test_other_classes_in_trees_are(ask, tree):
    with pytest.raises(Stale):
        ask("jax.tree.leaves", [tree])


def test_what_jax_gave_is_too(ask):
    theirs = class_of("jaxlib._jax", "ArrayImpl")(None, "an answer", None)
    with pytest.raises(Stale):
        ask("jax.tree.leaves", [1, theirs])
    with pytest.raises(Stale):
        ask("jax.tree.structure", [1])
