"""Texts of programs: prints, warnings, jaxprs."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from ....control_flow.callbacks import effects_barrier
from ....core.jaxpr import sub_jaxprs
from ....transforms.derivatives.grad import vjp
from ....transforms.jit.staging import make_jaxpr

__all__ = ["assert_dot_precision", "assert_dot_preferred_element_type", "capture_stderr", "capture_stdout",
           "fwd_bwd_jaxprs", "ignore_warning", "iter_eqns", "set_env"]


@contextlib.contextmanager
def _captured(redirect: Callable) -> Iterator[Callable[[], str]]:
    """Collect what the block prints; the function that is given returns it after all effects are done."""
    out = io.StringIO()
    with redirect(out):
        def text():
            effects_barrier()
            return out.getvalue()

        yield text
        effects_barrier()


capture_stdout = functools.partial(_captured, contextlib.redirect_stdout)
capture_stderr = functools.partial(_captured, contextlib.redirect_stderr)


@contextlib.contextmanager
def ignore_warning(*, message: str | None = None, category: type[Warning] = Warning) -> Iterator[None]:
    """Leave out, in the block or the decorated test, warnings of a class whose text a pattern matches."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=message or "", category=category)
        yield


@contextlib.contextmanager
def set_env(**kwargs: str | None) -> Iterator[None]:
    """Give other values to variables of the environment within the block; None takes one away."""
    before = {name: os.environ.get(name) for name in kwargs}

    def put(values):
        for name, value in values.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    put(kwargs)
    try:
        yield
    finally:
        put(before)


def iter_eqns(jaxpr: Any) -> Iterator[Any]:
    """Return the equations of a jaxpr, then those of the jaxprs within it."""
    jaxpr = getattr(jaxpr, "jaxpr", jaxpr)
    yield from jaxpr.eqns
    for eqn in jaxpr.eqns:
        for inner in sub_jaxprs(eqn.params):
            yield from iter_eqns(inner)


def fwd_bwd_jaxprs(f: Callable, *example_args: Any) -> tuple[Any, Any]:
    """Return the jaxprs of a function with what its gradient keeps, and of its gradient."""
    forward, shapes = make_jaxpr(functools.partial(vjp, f), return_shape=True)(*example_args)
    out, pull = shapes
    backward = make_jaxpr(lambda pull, cotangent: pull(cotangent))(pull, out)
    return forward, backward


def _products(fun, args):
    names = ("dot_general", "conv_general_dilated")
    found = [e for e in iter_eqns(make_jaxpr(fun)(*args)) if e.primitive.name in names]
    if not found:
        raise AssertionError("the function has no product and no convolution")
    return found


def assert_dot_precision(expected_precision: Any, fun: Callable, *args: Any) -> None:
    """Raise AssertionError unless all products of a function are of a precision."""
    for eqn in _products(fun, args):
        precision = eqn.params["precision"]
        if isinstance(expected_precision, tuple) or precision is None:
            assert precision == expected_precision, f"Unexpected precision: {precision} != {expected_precision}"
        else:
            both = precision if isinstance(precision, tuple) else (precision, precision)
            assert all(p == expected_precision for p in both), f"Unexpected precision: {both} != {expected_precision}"


def assert_dot_preferred_element_type(expected: Any, fun: Callable, *args: Any, **kwargs: Any) -> None:
    """Raise AssertionError unless all products of a function have a preferred dtype."""
    for eqn in _products(functools.partial(fun, **kwargs), args):
        found = eqn.params["preferred_element_type"]
        assert found == expected, f"Unexpected preferred_element_type: {found} != {expected}"
