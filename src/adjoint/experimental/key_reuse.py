"""The place of `jax.experimental.key_reuse`, which has no names: the option `jax_debug_key_reuse` has the checks.

>>> key = random.key(0)
>>> with debug_key_reuse(True):
...     x = random.normal(key)
...     y = random.uniform(key)  # doctest: +IGNORE_EXCEPTION_DETAIL
Traceback (most recent call last):
adjoint.errors.KeyReuseError: Previously-consumed key passed to jit-compiled function at index 0

Tests: `tests/experimental/test_small_modules.py`.
"""

from ..core.messages.boundaries import explain_missing as _explain_missing

_explain_missing(globals())
