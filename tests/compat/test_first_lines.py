"""Programs that fail: the class of the error is JAX's, or one below it, and so are the first letters of what it says.

`mistakes.txt` holds the programs, each below a line with its name. Programs of downstream tests match on these letters.
"""

from __future__ import annotations

import functools
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from tests.recorded import jax

import adjoint

TEXT = (Path(__file__).parent / "mistakes.txt").read_text(encoding="utf8")
_, *PARTS = re.split(r"^### *(.*)\n", TEXT, flags=re.MULTILINE)
MISTAKES = dict(zip(PARTS[::2], PARTS[1::2]))
LETTERS = 40  # of a first line that are compared


def failure(m, source):
    """The classes of the error, from its own to Exception, and how its text begins; None if there is none."""
    names = dict(
        jax=m, jnp=m.numpy, lax=m.lax, np=np, functools=functools, P=m.P, NS=m.NamedSharding,
        AT=m.sharding.AxisType,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(source, "<mistake>", "exec"), names)
        except Exception as error:
            line = str(error).split("\n")[0].replace("adjoint", "jax")
            return [cls.__name__ for cls in type(error).__mro__], re.sub(r"0x[0-9a-f]+", "", line)[:LETTERS]
    return None


@pytest.mark.parametrize("name", MISTAKES)
def test_an_error_is_of_jaxs_class_and_begins_as_jaxs(name):
    theirs, ours = failure(jax, MISTAKES[name]), failure(adjoint, MISTAKES[name])
    assert (theirs is None) == (ours is None)
    if theirs is not None and ours is not None:
        assert theirs[0][0] in ours[0]
        assert theirs[1] == ours[1]
