"""Transformations: `jit`, `grad`, `vmap` and the others, one a file; start with jvp.py and programs.py.

A trace of a transformation hands operations down; the evaluating trace of the NumPy engine is at the bottom
of every thread's stack, so it is there before the first transformation begins.
"""

from ..engines.numpy import eval_trace as eval_trace
