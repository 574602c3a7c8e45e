"""Hints for errors that Python itself raises in the user's program, where no function of this package was called.

They are printed below an error that is not caught, as notes are.

Tests: `tests/core/test_advice.py`.
"""

from __future__ import annotations

import re
from types import TracebackType

from ..names.elsewhere import moved
from . import advice

__all__ = ["arguments_of", "hint"]

# Methods and attributes of PyTorch's tensors, NumPy's arrays and lists, and what is written here.
_MEMBERS = {
    "append": "jnp.append(x, value), or a Python list that becomes an array at the end",
    "backward": "jax.grad(loss)(params), which returns the gradient",
    "contiguous": "x: the library chooses the order of the axes in memory",
    "cpu": "jax.device_put(x, jax.devices('cpu')[0])",
    "cuda": "jax.device_put(x, jax.devices('gpu')[0])",
    "detach": "jax.lax.stop_gradient(x)",
    "dim": "x.ndim",
    "double": "x.astype('float64'), with jax_enable_x64",
    "fill": "jnp.full_like(x, value)",
    "float": "x.astype('float32')",
    "grad": "jax.grad(f)(x), which returns the gradient",
    "long": "x.astype('int32')",
    "norm": "jnp.linalg.norm(x)",
    "numpy": "np.asarray(x)",
    "permute": "x.transpose(1, 0)",
    "requires_grad": "jax.grad(f, argnums=...), which says by which arguments a function is differentiated",
    "requires_grad_": "jax.grad(f, argnums=...), which says by which arguments a function is differentiated",
    "resize": "jnp.resize(x, shape)",
    "to": "jax.device_put(x, device), or x.astype(dtype)",
    "tofile": "np.asarray(x).tofile(file)",
    "unsqueeze": "jnp.expand_dims(x, axis), or x[:, None]",
    "put": "x.at[indices].set(values)",
    "setflags": "x.copy(): an array does not change",
    "zero_": "jnp.zeros_like(x)",
}
# Arguments of PyTorch's and pandas' functions, and what is written here.
_ARGUMENTS = {
    "a_max": "max=", "a_min": "min=", "axes": "axis=", "device": "jax.device_put(x, device)", "dim": "axis=",
    "keepdim": "keepdims=", "size": "shape=",
    "inplace": "x = f(x): functions and methods return new arrays", "requires_grad": _MEMBERS["requires_grad"],
    "non_blocking": "leave it out: calls do not wait for devices", "seed": "key=jax.random.key(seed)",
    "order": "leave it out: the library chooses the order of the axes in memory",
}
# Parameters of distributions, which `random.normal` has not.
_MOMENTS = frozenset(("loc", "mean", "mu", "scale", "sigma", "std", "stddev"))
# How Python begins what it says of arithmetic with containers.
_OF_CONTAINERS = ("unsupported operand type", "bad operand type", "can't multiply sequence", "can only concatenate")
# How functions that take functions call them.
_CALLS = {
    "vjp": "vjp(f, *primals), with a value for each argument of f",
    "linearize": "linearize(f, *primals), with a value for each argument of f",
    "jvp": "jvp(f, primals, tangents), tuples with a value for each argument of f",
    "eval_shape": "eval_shape(f, *args), with an array or ShapeDtypeStruct for each argument of f",
    "lower": "f.lower(*args), with an array or ShapeDtypeStruct for each argument of f",
    "scan": "a body of two arguments that returns two values: lambda carry, x: (carry, y)",
    "fori_loop": "a body of two arguments: lambda i, state: state",
    "while_loop": "functions of one argument, the state; a tuple holds several values",
    "cond": "functions of what follows them: lax.cond(predicate, f, g, *operands)",
    "switch": "functions of what follows them: lax.switch(index, functions, *operands)",
    "odeint": "a function of the state and the time: odeint(lambda y, t: -y, y0, t)",
    "tree_map": "a function of one leaf of each tree: lambda a, b: a + b for two",
    "tree_map_with_path": "a function of the path and the leaf: lambda path, leaf: leaf",
    "associative_scan": "a function of two elements: lambda a, b: a + b",
    "map": "a function of one argument; a tuple of arrays is mapped together: lambda xy: xy[0] + xy[1]",
}
# What is written where a function of this package is given something that Python finds of no use inside of it.
_FORMS = {
    ("tree_map", "not callable"): "jax.tree.map(f, tree, *rest): the function comes first",
    ("switch", "not iterable"): "lax.switch(index, [f, g], *operands): the functions are one argument, a list",
    ("dynamic_slice", "not iterable"):
        "lax.dynamic_slice(x, (start,), (length,)), with a start and a length for each axis of x",
    ("dynamic_update_slice", "not iterable"):
        "lax.dynamic_update_slice(x, update, (start,)), with a start for each axis of x",
    ("tree_reduce", "empty iterable"): "jax.tree.reduce(f, tree, initializer), whose last argument is the result then",
    ("checkpointed", "not callable"): "jax.checkpoint(f)(x), where f is a function",
    ("getitem", "'float' object cannot be interpreted"): "ints in a slice: x[: n // 2], x[int(first) : int(last)]",
    ("_format", "unsupported format string"):
        "float(x[0]) for one number, np.array2string(np.asarray(x), precision=2) for an array",
}
# Members of other objects of this package, by the names of their classes.
_OF_OTHERS = {
    ("PjitFunction", "compile"): "f.lower(*args).compile()",
    ("SVDResult", "V"): "svd(x).Vh.mT: Vh has the right vectors as its rows",
    ("_IndexUpdateRef", "put"): "x.at[index].set(value)",
    ("_IndexUpdateRef", "div"): "x.at[index].divide(value)",
    ("_IndexUpdateRef", "sub"): "x.at[index].subtract(value)",
}


def hint(error: BaseException) -> str | None:
    """Return what to write instead, for an error of Python's about an array; None where there is nothing to say.

    >>> hint(AttributeError("'ArrayImpl' object has no attribute 'detach'", name="detach", obj=jnp.ones(2)))
    '  Try: jax.lax.stop_gradient(x)'
    """
    text = str(error)
    if any("  Try: " in said for said in (text, *getattr(error, "__notes__", ()))):
        return None
    if isinstance(error, ModuleNotFoundError):
        place = moved(error.name) if (error.name or "").startswith("adjoint.") else None
        return place and f"  Try: {place}"
    if isinstance(error, AttributeError):
        is_array = hasattr(type(error.obj), "aval") and hasattr(type(error.obj), "astype")
        fix = _MEMBERS.get(error.name) if is_array else _OF_OTHERS.get((type(error.obj).__name__, error.name))
        if text.endswith("of 'ArrayImpl' object has no setter") or text == "__delitem__":
            fix = _of_a_line(error, text)
        elif type(error.obj) in (int, float, complex, bool, list, tuple, dict):
            fix = _of_python(error.name, error.obj)
        return fix and f"  Try: {fix}"
    if type(error) is TypeError and text.startswith("unhashable type: ") and text.endswith(("ArrayImpl'", "Tracer'")):
        return "  An array is no key: two that are equal would be different keys.\n  Try: int(x), or tuple(x.tolist())"
    if "ArrayImpl is not JSON serializable" in text:
        return "  Try: x.tolist(), which gives numbers and lists"
    if text == "'_IndexUpdateRef' object is not callable":
        return "  Try: x.at[index].set(value), or .add, .multiply, .get and the like"
    if text.endswith("Tracer is not JSON serializable"):
        return "  Try: return it from the traced function, and x.tolist() of the result"
    if text == "'method' object is not subscriptable":
        fix = _of_a_line(error, text)
        return fix and f"  Try: {fix}"
    if isinstance(error, OverflowError) and (found := re.match(r"Python integer (\S+) out of bounds for (\w+)", text)):
        wraps = f"jnp.asarray({found[1]}).astype({found[2]!r}), which wraps around; or "
        return f"  Try: {wraps if found[1].startswith('-') else ''}a dtype that holds it, as int64 with jax_enable_x64"
    fix = _of_a_line(error, text)
    return fix and f"  Try: {fix}"


def _of_python(name: str, value: object) -> str | None:
    """Return what to write for an attribute of an array, asked of a number or a container; or of a key of a dict."""
    if isinstance(value, dict) and name in value and advice.has_arrays(value):
        return f"x[{name!r}], as this is a dict"
    if name not in ("shape", "dtype", "ndim", "size", "astype", "mean", "T", "at"):
        return None
    if isinstance(value, (int, float, complex)):
        return f"jnp.asarray(x).{name}"
    is_of_numbers = isinstance(value, (list, tuple)) and not advice.has_arrays(value)
    return f"jnp.asarray(x).{name}" if is_of_numbers else f"jax.tree.map(lambda x: x.{name}, tree), of each array in it"


def _of_a_line(error: BaseException, text: str) -> str | None:
    """Return what to write in the place of the user's line, where Python raised an error about containers of arrays."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None and not _is_compiled(traceback.tb_next):
        traceback = traceback.tb_next
    if traceback is None:
        return None
    # The instruction that failed is that of the traceback: a frame is at its last one.
    frame = traceback.tb_frame
    names = {**frame.f_globals, **frame.f_locals}
    place = advice.place_of(frame.f_code, traceback.tb_lasti, names)
    if type(error) is ValueError and "values to unpack" in text:
        return advice.written(advice.keys_of_split, place, "") or None
    if type(error) is ValueError and text.startswith("setting an array element") and error.__cause__ is not None:
        fix = advice.written(advice.assigned, place, "")
        return fix and f"{fix}\nof an array of jnp, not of np: a traced value has no numbers to be stored"
    if isinstance(error, AttributeError):
        rule = advice.deleted if text == "__delitem__" else advice.changed_property
        return advice.written(rule, place, "") or None
    if type(error) is not TypeError:
        return None
    if text == "'method' object is not subscriptable":
        return advice.written(advice.called_method, place, "") or None
    if text.endswith("object is not callable"):
        return advice.written(advice.no_call, place, "") or None
    if text == "return arrays must be of ArrayType":
        return advice.written(advice.without_out, place, "") or None
    if "Tracer(" in text:
        is_shape = text.startswith("expected a sequence of integers or a single integer")
        lengths = "jit(f, static_argnames='n') for an argument n of f that is a length"
        return advice.written(advice.drawn, place, lengths if is_shape else "") or None
    if text.startswith(_OF_CONTAINERS):
        return advice.written(advice.mapped, place, "") or None
    return _of_an_argument(text, place)


def _is_compiled(traceback: TracebackType) -> bool:
    """Return whether the frame is one that Cython writes into a traceback, as NumPy's generators do."""
    return traceback.tb_frame.f_code.co_filename.endswith((".pyx", ".pxd"))


def arguments_of(caller: str, text: str, place: advice.Place | None = None) -> str | None:
    """Return how a function of this package calls a user's function, or is called, for an error about arguments.

    `place` is where the user's program calls it.

    >>> arguments_of("fori_loop", "f() takes 1 positional argument but 2 were given")
    'a body of two arguments: lambda i, state: state'
    """
    if fix := _of_an_argument(text, place):
        return fix
    for (function, part), fix in _FORMS.items():
        if function == caller and part in text:
            return fix
    is_about = " argument" in text and (") takes " in text or ") missing " in text)
    if text.startswith(f"{caller}(") or not is_about and "got an unexpected keyword argument" not in text:
        return None
    return is_about and _CALLS.get(caller) or advice.written(advice.with_arguments, place, "") or None


def _of_an_argument(text: str, place: advice.Place | None) -> str | None:
    """Return what to write for an argument that a function does not have: its name here, or those that there are."""
    if text.startswith("minimize() missing") and "'method'" in text:  # SciPy's has a default
        return 'method="BFGS"'
    if lacking := re.match(r"(\w+)\(\) missing \d+ required ", text):
        return advice.written(lambda place: advice.needed(place, lacking[1]), place, "") or None
    if text.startswith("map() takes 2 positional arguments"):
        return "lax.map(lambda xs: f(*xs), (x, y)): the arrays are one argument, a tuple"
    if text.startswith(("jit() takes from 0 to 1 positional", "checkpoint() takes from 0 to 1 positional")):
        name = text.partition("(")[0]
        return f"{name}(lambda x: g(f(x))) for two functions; options have names, as {name}(f, static_argnums=1)"
    if many := re.match(r"(\w+)\(\) takes .* positional arguments? but \d+ were given", text):
        return advice.written(lambda place: advice.one_shape_of(place, many[1]), place, "") or None
    found = re.search(r"(\w+)\(\) got an unexpected keyword argument '(\w+)'", text)
    if found is None:
        return None
    if found[1] == "normal" and found[2] in _MOMENTS:
        return "mean + deviation * jax.random.normal(key, shape)"
    fix = _ARGUMENTS.get(found[2])
    if fix is not None and fix.endswith("="):
        known = {given: name[:-1] for given, name in _ARGUMENTS.items() if name.endswith("=")}
        return advice.written(lambda place: advice.renamed(place, known), place, fix)
    return fix or advice.written(lambda place: advice.parameters(place, found[1]), place, "") or None
