"""The table of kinds: what a parameter of a given name is given.

A kind is a function of a `Draw`, the program that is being made, and returns the text of an argument. `{...}` in a
pattern names a kind (`patterns.py`), and so does the name of a parameter of a function with a signature.
"""

from __future__ import annotations

SHAPES = [(), (3,), (2, 3), (1,), (0,), (2, 0), (0, 3), (3, 3), (2, 2, 3), (1, 3, 1), (2, 1, 1, 3), (1, 2, 1, 1, 2),
    (4,)]
SHAPE_WEIGHTS = [10, 20, 28, 4, 4, 2, 2, 8, 8, 4, 3, 2, 5]
DTYPES = ["float32", "int32", "bool", "int8", "uint8", "int16", "uint32", "float16", "bfloat16", "complex64", "uint16",
          "float64", "int64", "complex128", "uint64", "float8_e4m3fn", "float8_e5m2", "int4", "uint4"]
DTYPE_WEIGHTS = [44, 12, 5, 4, 4, 2, 3, 6, 5, 8, 1, 2, 2, 1, 1, .5, .5, .5, .3]
DATA = ["plain", "nan", "infinite", "zeros", "tiny", "huge", "ties", "positive", "unit", "extreme", "large", "whole"]
DATA_WEIGHTS = [50, 6, 6, 6, 2, 2, 6, 8, 4, 4, 3, 3]
COMMON = ["float32", "int32", "complex64", "bool", "float16", "uint8", "bfloat16", "int8"]


class Draw:
    """A program that is being made: its stream of numbers, the shape and the dtype that it is about, its operands."""

    def __init__(self, rng, shapes=None, dtypes=None, data=None):
        self.rng = rng
        self.data_kinds = data
        self.shape = rng.choice(shapes) if shapes else rng.choices(SHAPES, SHAPE_WEIGHTS)[0]
        self.dtype = rng.choice(dtypes) if dtypes else rng.choices(DTYPES, DTYPE_WEIGHTS)[0]
        self.fixed = bool(dtypes)
        self.operands: list[str] = []
        self.drawn = 0

    def pick(self, *choices):
        """Return one of the choices."""
        return self.rng.choice(choices)

    def chance(self, part):
        """Return whether something of this probability happens."""
        return self.rng.random() < part

    def operand(self, text):
        """Add an operand and return its name."""
        self.operands.append(text)
        return f"a{len(self.operands) - 1}"

    def data(self):
        """Return a kind of numbers."""
        if self.data_kinds:
            return self.rng.choice(self.data_kinds)
        return self.rng.choices(DATA, DATA_WEIGHTS)[0]

    def seed(self):
        """Return a small seed."""
        return self.rng.randrange(5)

    def a(self, dtype=None, shape=None, data=None, maker="A"):
        """Add an operand that is an array."""
        dtype, shape = dtype or self.dtype, self.shape if shape is None else shape
        return self.operand(f"{maker}({dtype!r}, {shape!r}, {data or self.data()!r}, {self.seed()})")


def array(d):
    """Return an array, or what may stand for one."""
    first, d.drawn = not d.drawn, d.drawn + 1
    shape, dtype = d.shape, d.dtype
    if not first:
        r = d.rng.random()
        if r < .1 and shape:
            shape = shape[1:]
        elif r < .16 and shape:
            shape = (*shape[:-1], 1)
        elif r < .2:
            shape = ()
        elif r < .25:
            shape = d.rng.choices(SHAPES, SHAPE_WEIGHTS)[0]
        if d.chance(.2) and not d.fixed:
            dtype = d.rng.choices(DTYPES, DTYPE_WEIGHTS)[0]
    r = d.rng.random()
    if r < .68:
        return d.a(dtype, shape)
    if r < .78:
        return d.a(dtype, shape, maker="N")
    if r < .86:
        return d.operand(number(d))
    if r < .91:
        return d.a(d.pick("f", "f", "i", "c"), shape, maker="W")
    if r < .94:
        return d.operand(f"S({dtype!r}, {d.data()!r}, {d.seed()})")
    if r < .97:
        return d.a(dtype, shape, maker="L")
    if r < .99:
        return d.a(dtype, shape, maker="J")
    return d.pick("None", "'a'", "{}", d.operand("K(0, (2,))"), d.operand("K(1)"))


def strict_array(d):
    """Return an array of the program's shape and dtype."""
    d.drawn += 1
    return d.a()


def lax_array(d):
    """Return an operand of `lax`, where dtypes and shapes have to be equal."""
    d.drawn += 1
    shape, dtype = d.shape, d.dtype
    if d.chance(.04):
        shape = d.rng.choices(SHAPES, SHAPE_WEIGHTS)[0]
    if d.chance(.04) and not d.fixed:
        dtype = d.rng.choices(DTYPES, DTYPE_WEIGHTS)[0]
    r = d.rng.random()
    if r < .8:
        return d.a(dtype, shape)
    if r < .88:
        return d.a(dtype, shape, maker="N")
    if r < .93:
        return d.operand(number(d))
    if r < .97:
        return d.a(d.pick("f", "i"), shape, maker="W")
    return d.a(dtype, shape, maker=d.pick("J", "L"))


def number(d):
    """Return a Python number."""
    return d.pick("2", "0", "-3", "1.5", "-0.75", "0.0", "True", "1", "3", "0.3", "nan", "inf",
        "1j" if d.chance(.3) else "2.5",
                  "100000" if d.chance(.2) else "2")


def scalar(d):
    """Return a number, or an array without axes."""
    if d.chance(.7):
        return d.operand(number(d)) if d.chance(.6) else number(d)
    return d.a(d.dtype if d.chance(.7) else "float32", ())


def real(d):
    """Return a positive number."""
    return d.operand(d.pick("1.5", "2.0", "0.5", "1", "3.0", ".25")) if d.chance(.5) else \
        d.pick("1.5", "2.0", "0.5", "1", "3.0", "-1.", "0.")


def axis(d):
    """Return an axis, mostly one that is there."""
    n = len(d.shape)
    r = d.rng.random()
    if r < .8 and n:
        return str(d.rng.randrange(-n, n))
    if r < .86:
        return d.pick(str(n), str(-n - 1), "7")
    if r < .9:
        return f"np.{d.pick('int32', 'int64', 'uint8', 'int8')}({d.rng.randrange(max(n, 1))})"
    return d.pick("None", "1.0", "'x'", "True", "np.array(0)", d.operand("A('int32', (), 'zeros', 0)"), "(0,)", "()",
        "[0]")


def axes(d):
    """Return an axis, several, all or none, in one of the forms that sequences have."""
    n = len(d.shape)
    r = d.rng.random()
    if r < .45 or not n:
        return axis(d)
    count = d.rng.randrange(0, n + 1)
    chosen = d.rng.sample(range(n), count)
    chosen = [i - n if d.chance(.4) else i for i in chosen]
    if d.chance(.05) and chosen:
        chosen.append(chosen[0])
    text = ", ".join(map(str, chosen))
    if r < .8:
        return f"({text},)" if chosen else "()"
    if r < .86:
        return f"[{text}]"
    if r < .9:
        return f"range({count})"
    if r < .94:
        return f"np.array([{text}], int)"
    if r < .96:
        return f"dict.fromkeys([{text}])"
    return f"{{{text}}}" if chosen else "set()"


def axis_tuple(d):
    """Return a tuple of axes."""
    n = len(d.shape)
    chosen = d.rng.sample(range(n), d.rng.randrange(0, n + 1))
    if d.chance(.2):
        chosen = [i - n for i in chosen]
    if d.chance(.05):
        chosen.append(n)
    if d.chance(.05) and chosen:
        chosen.append(chosen[0])
    text = ", ".join(map(str, chosen))
    if d.chance(.15):
        return f"[{text}]"
    return f"range({len(chosen)})" if d.chance(.05) else f"({text},)" if chosen else "()"


def permutation(d):
    """Return a permutation of the axes."""
    n = len(d.shape)
    chosen = d.rng.sample(range(n), n)
    if d.chance(.3):
        chosen = [i - n if d.chance(.5) else i for i in chosen]
    if d.chance(.06):
        chosen = chosen[:-1]
    text = ", ".join(map(str, chosen))
    return f"({text},)" if chosen else "()"


def boolean(d):
    """Return True or False, or what counts as one."""
    return d.pick("True", "False", "True", "False", "True", "False", "1", "0", "np.bool_(True)", "None")


def flag(d):
    """Return True or False."""
    return d.pick("True", "False")


def dtype(d):
    """Return a dtype, in one of its forms."""
    r = d.rng.random()
    name = d.rng.choices(DTYPES, DTYPE_WEIGHTS)[0]
    if r < .6:
        return repr(name)
    if r < .75 and name != "bool":
        return f"jnp.{name}"
    if r < .9:
        return d.pick("int", "float", "bool", "complex", "np.float32", "np.dtype('int16')", "'f'", "'i4'", "np.int32",
            "'f8'")
    return d.pick("None", "None", "'float'", "object", "'x'", "np.integer", "3")


def shape(d):
    """Return a shape, in one of its forms."""
    r = d.rng.random()
    found = d.rng.choices(SHAPES, SHAPE_WEIGHTS)[0]
    if r < .6:
        return repr(found)
    if r < .7:
        return repr(list(found))
    if r < .8:
        return str(d.rng.randrange(0, 4))
    if r < .86:
        return f"np.array({list(found)}, int)"
    if r < .92:
        return d.pick("np.int32(2)", "(2, np.int64(3))", "(np.array(2), 3)", "range(1, 3)", "(3,)")
    return d.pick("-1", "(2, -1)", "2.0", "(2.5,)", "'a'", "None", "(1, None)",
        d.operand("A('int32', (2,), 'positive', 0)"))


def small(d):
    """Return a small int."""
    r = d.rng.random()
    if r < .75:
        return d.pick("0", "1", "2", "3", "-1", "1", "2", "-2")
    if r < .85:
        return d.pick("np.int32(1)", "np.int64(2)", "np.uint8(1)", "True", "np.array(1)")
    return d.pick("5", "-4", "1.0", "1.5", "None", "'a'", "(1,)", d.operand("1"),
        d.operand("A('int32', (), 'unit', 0)"))


def count(d):
    """Return a small positive int."""
    return d.pick("1", "2", "3", "3", "4", "5", "2") if d.chance(.85) else \
        d.pick("0", "-1", "None", "2.0", "2.5", "np.int32(3)", "True", d.operand("2"), "(2,)")


def mask(d):
    """Return a mask that fits."""
    kind = d.pick("bool", "bool", "bool", "bool", "int32", "float32")
    shape = d.pick(d.shape, d.shape, d.shape[1:], (*d.shape[:-1], 1) if d.shape else (), (), (2,))
    return d.a(kind, shape, "ties") if d.chance(.9) else d.pick("True", "False", "None", "[True, False]")


def indices(d):
    """Return integers that are positions, some of them outside."""
    shape = d.pick((), (2,), (3,), (2, 2), (0,), d.shape, (1,))
    r = d.rng.random()
    if r < .6:
        return d.a(d.pick("int32", "int32", "int8", "uint8", "int64", "uint32"), shape, "index")
    if r < .75:
        return d.operand(d.pick("0", "1", "-1", "2", "5", "True"))
    if r < .85:
        return d.pick("[0, 1]", "[]", "np.array([1, 0])", "slice(0, 1)", "[True, False]", "(0, 1)", "[-1]", "None",
            "1.5")
    return d.a(d.pick("float32", "bool", "int32", "uint16"), shape, d.pick("index", "ties"), d.pick("A", "N", "L"))


def arrays(d):
    """Return a sequence of arrays."""
    n = d.pick(1, 2, 2, 2, 3, 0) if d.chance(.9) else 0
    if d.chance(.06):
        return array(d)
    made = [array(d) if d.chance(.5) else d.a(shape=d.shape) for _ in range(n)]
    return "(" + "".join(f"{x}, " for x in made) + ")" if d.chance(.4) else "[" + ", ".join(made) + "]"


def lax_arrays(d):
    """Return a sequence of arrays of one shape and dtype."""
    made = [lax_array(d) for _ in range(d.pick(1, 2, 2, 3))]
    return "[" + ", ".join(made) + "]"


def key(d):
    """Return a random key."""
    return d.operand(d.pick("K(0)", "K(1)", "K(7)", "K(3)", "R(0)", "R(5)", "K(0)", "K(1)", "K(2)",
        "K(0, (2,))" if d.chance(.3) else "K(9)"))


def order(d):
    """Return an order of a norm."""
    return d.pick("None", "1", "2", "-1", "-2", "inf", "-inf", "0", "'fro'", "'nuc'", "3", "2.5", "'x'")


def text(*choices):
    """Return the kind of a parameter that takes one of these texts, mostly."""
    return lambda d: repr(d.pick(*choices)) if d.chance(.93) else d.pick("'nonsense'", "None", "0")


def code(*choices):
    """Return the kind of a parameter that is one of these pieces of code."""
    return lambda d: d.pick(*choices)


def section(d):
    """Return where an array is split."""
    return d.pick("1", "2", "3", "[1]", "[1, 2]", "(0, 2)", "np.array([1])", "[-1]", "[]", "0", "[3, 1]", "1.0",
        "np.int32(1)",
                  d.operand("A('int32', (2,), 'positive', 0)"), "range(1, 2)", "2.5")


def padding(d):
    """Return the widths of a padding."""
    n = max(len(d.shape), 1)
    return d.pick("1", "0", "2", "(1, 2)", "((1, 0),)", str(((1, 2),) * n), str([(0, 1)] * n), "(1,)", "np.array(1)",
        "-1", "1.5",
                  f"np.ones(({n}, 2), int)", "{0: 1}", "{-1: (1, 2)}", "((1, 2), (3, 4))")


def unsupported(d):
    """Return an argument that JAX does not take, or None."""
    return d.pick("None", "None", "np.zeros((2, 3))")


def size_of_first(d):
    """Return the length of the last axis."""
    return str(d.shape[-1]) if d.shape else "1"


# By the name of a parameter, for every function; "function:name" for one.
KINDS = {
    "axis": axis, "axes": axes, "axis1": axis, "axis2": axis, "dtype": dtype, "shape": shape, "keepdims": boolean,
    "where": mask, "initial": scalar, "out": unsupported, "order": text("C", "F", "K", "A"), "k": small, "n": small,
    "offset": small, "ddof": code("0", "1", "2", "0.5", "-1"), "correction": code("0", "1", "0.5", "2"),
    "decimals": code("0", "1", "-1", "2"), "ndmin": code("0", "1", "3"), "indices": indices, "keys": arrays,
    "arrays": arrays, "arys": arrays, "tup": arrays, "args": None, "kwargs": None, "device": code("None",
    "jax.devices()[0]"),
    "out_sharding": None, "sharding": None, "precision": code("None", "'highest'", "'default'",
    "jax.lax.Precision.HIGH"),
    "preferred_element_type": code("None", "'float32'", "jnp.float16", "'complex64'", "'int32'", "float"), "mode": None,
    "method": None, "size": count, "fill_value": scalar, "assume_unique": flag, "side": text("left", "right"),
    "kind": text("stable", "quicksort"), "stable": boolean, "descending": boolean, "p": array, "q": array,
    "indices_or_sections": section, "copy": code("None", "True", "False"), "casting": text("safe", "same_kind"),
    "num": count, "endpoint": boolean, "retstep": flag, "norm": text("ortho", "forward", "backward"),
    "s": code("None", "(3,)", "(2, 3)", "(4, 2)", "[2]", "(0,)", "-1"), "period": code("None", "360.", "4", "6.28"),
    "length": count, "num_segments": code("None", "3", "5", "1", "0"), "minlength": count, "weights": array,
    "unique_indices": flag, "indices_are_sorted": flag, "inplace": code("False", "False", "False", "True"),
    "key": key, "bins": code("3", "5", "[0., 1., 2.]", "np.array([-1, 0, 4])", "0", "'auto'", "np.int32(2)"),
    "range": code("None", "(0, 2)", "(0., 1.5)", "[-1, 1]", "(1, 1)", "(2, 1)"), "density": boolean,
    "rowvar": boolean, "bias": boolean, "axis_name": code("None", "'k'"), "axis_index_groups": None,
    "repeats": code("2", "0", "[1, 2]", "np.array([2, 0, 1])", "1", "-1", "1.5", "[2]", "3"),
    "total_repeat_length": code("None", "4", "0", "2"), "reps": code("2", "(2,)", "(1, 2)", "[2, 1, 2]", "0", "()",
    "-1"),
    "shift": code("1", "-1", "5", "(1,)", "(1, 2)", "np.array([1])", "0", "1.5"), "pad_width": padding,
    "source": axes, "destination": axes, "element": array, "test_elements": array, "invert": boolean,
    "return_index": flag, "return_inverse": flag, "return_counts": flag, "equal_nan": boolean, "sorted": boolean,
    "increasing": flag, "full": flag, "deg": code("1", "2", "0", "1.5"), "rcond": code("None", "1e-6", "0.1"),
    "rtol": code("1e-5", "0.", "0.5", "1"), "atol": code("1e-8", "0.", "0.5", "1"), "include_initial": flag,
    "reverse": flag, "unroll": code("1", "2", "True", "False"), "lower": boolean, "upper": boolean,
    "full_matrices": boolean,
    "compute_uv": flag, "hermitian": flag, "UPLO": text("L", "U"), "symmetrize_input": flag, "ord": order,
    "overwrite_a": flag, "overwrite_b": flag, "check_finite": flag, "accuracy": None, "total": count,
    "nan_policy": text("propagate", "omit"), "is_leaf": None, "promote_integers": flag,
    "varargs": None, "kwds": None, "subscripts": None, "_dot_general": None, "sparse": flag, "indexing": text("xy",
    "ij"),
    "bitorder": text("big", "little"), "count": code("None", "3", "8", "-1", "0"), "M": count, "N": count,
    "step": scalar,
    "start": scalar, "stop": scalar, "like": None, "alpha": array, "beta": array, "loc": array, "scale": array,
    "mean": array,
    "axisa": axis, "axisb": axis, "axisc": axis, "bucket_size": code("None", "1", "2"), "segment_ids": indices,
    "trans": code("0", "1", "2", "'N'", "'T'", "'C'"), "unit_diagonal": flag, "left_side": flag, "transpose_a": flag,
    "conjugate_a": flag, "pivoting": flag, "antialias": flag, "conjugate": flag, "max_iterations": code("None", "5"),
    "return_sign": flag, "deg_": flag, "newshape": shape, "new_shape": shape, "sizes": shape, "dimension": axis,
    "is_stable": flag, "num_keys": code("1", "2", "0"), "operand": lax_array, "fps": None, "out_dtype": dtype,
    "discont": code("None", "1.", "3"), "weak_type": None, "interpret": None, "replace": flag, "independent": flag,
    "approximate": boolean, "where_": mask, "context": None, "num_classes": count, "negative_slope": scalar,
    "x0": array,
    "max": array, "min": array, "to_begin": array, "to_end": array, "prepend": array, "append": array, "nan": scalar,
    "posinf": scalar, "neginf": scalar, "left": scalar, "right": scalar, "edge_order": None, "base": scalar,
    "dx": array,
    "tol": code("None", "1e-3", "0.5"), "trim": text("fb", "f", "b"), "val": scalar, "wrap": flag,
    "wrap_negative_indices": None,
    "allow_negative_indices": None, "overwrite_input": code("False"), "optimize": code("'optimal'", "True", "False",
    "'greedy'"),
    "returned": flag, "fweights": code("None", "np.array([1, 2, 1])", "[2, 1]"), "stddev": scalar,
    "in_axis": code("-2", "0", "(0,)"),
    "out_axis": code("-1", "1"), "batch_axis": code("()", "0"), "impl": code("None", "'threefry2x32'", "'rbg'"),
    "default": scalar, "total_repeat": None, "n_iter": None, "lower_": flag, "sorter": code("None"),
    "numpy_resid": flag, "assume_unique_indices": None, "max_line_width": code("None", "20"), "suppress_small": boolean,
    "trim_leading_zeros": None, "strip_zeros": flag, "return_indices": flag, "obj": code("0", "1", "-1", "[0, 1]",
    "slice(0, 2)", "np.array([1])", "[]", "5", "[True, False, True]", "[0, 0]"),
    "seq_of_zeros": arrays, "exact": flag, "repetition": None, "series_order": code("1", "2"), "d": count,
    "type": code("2", "2", "1", "3"), "assume_a": text("gen", "pos", "sym", "her"), "detrend": code("False",
    "'constant'", "'linear'"),
    "b": array, "dims": code("(2, 3)", "(4,)", "(3, 2, 2)"),
    "multi_index": code("(np.array([0, 1]), np.array([1, 2]))", "(1, 2)", "([5], [1])"),
    "exponent_bits": code("5", "8", "4", "1", "0"), "mantissa_bits": code("7", "10", "3", "0"), "new_dtype": dtype,
    "n_max": None, "enable_eigvec_derivs": flag, "sort_eigenvalues": flag, "subset_by_index": code("None", "(0, 1)",
    "(0, 2)"),
    "cval": scalar, "allow_pickle": None, "max_squarings": code("16", "4"), "disp": code("False"), "equal": flag,
    "implementation": code("None", "'xla'"), "is_causal": flag, "local_window_size": code("None", "1", "(1, 0)"),
    "fs": real, "nperseg": code("None", "4", "2", "8"), "noverlap": code("None", "1", "0"), "nfft": code("None", "8",
    "4"),
    "boundary": code("None", "'zeros'", "'even'", "'fill'", "'wrap'", "'symm'"), "window": code("'hann'", "'boxcar'",
    "np.ones(4)"),
    "return_onesided": flag, "scaling": text("density", "spectrum"), "padded": flag, "input_onesided": flag,
    "average": text("mean", "median"),
    "fillvalue": code("0", "1.5"), "bp": code("0", "[1]", "2"), "time_axis": axis, "freq_axis": axis,
    "overwrite_data": None,
    "axis_size": None, "jit": None, "allow_singular": None, "rank": count, "lwork": None, "output": text("real",
    "complex"),
    "eps": code("None", "1e-6"), "dynamic_shape": None, "compute_expm": flag, "permute_l": flag, "debug": code("None"),
    "epsilon": scalar, "variance": code("None"), "lmbda": array, "calc_q": flag,
}


def _matrix(d, maker="Q"):
    n = d.shape[-1] if d.shape else 2
    shape = (*d.shape[:-2], n, n)
    dtype = d.dtype if "float" in d.dtype or "complex" in d.dtype else "float32"
    return d.operand(f"{maker}({dtype!r}, {shape!r}, 'plain', {d.seed()})")


def starts(d):
    """Return where slices start."""
    return str(tuple(d.pick(0, 0, 1, -1 if d.chance(.1) else 0) for _ in d.shape))


def limits(d):
    """Return where slices end."""
    return str(tuple(d.pick(n, n, max(n - 1, 0), n + (1 if d.chance(.1) else 0)) for n in d.shape))


def strides(d):
    """Return strides."""
    return d.pick("None", str((1,) * len(d.shape)), str((2,) * len(d.shape)), str((0,) * len(d.shape)))


def configuration(d):
    """Return a padding of lax.pad."""
    each = [(0, 0, 0), (1, 0, 0), (0, 2, 1), (-1, 1, 0), (1, -1, 2), (-5, 0, 0) if d.chance(.2) else (0, 1, 0)]
    return str([d.rng.choice(each) for _ in range(len(d.shape) + (d.chance(.05)))])


def positions(d):
    """Return a start for each axis."""
    if d.chance(.15):
        return d.a("int32", (len(d.shape),), "index")
    each = [d.operand(d.pick("0", "1", "-1", "2")) if d.chance(.5) else d.pick("0", "1", "-1", "5",
        "np.int8(1)") for _ in d.shape]
    return "(" + "".join(f"{e}, " for e in each) + ")"


def scalar_index(d):
    """Return a position."""
    r = d.rng.random()
    if r < .4:
        return d.pick("0", "1", "2", "-1", "-3", "7", "np.int8(1)", "True", "1.5")
    return d.operand(d.pick("0", "1", "2", "-1", "5")) if r < .7 else \
        d.a(d.pick("int32", "uint8", "int8", "bool", "float32"), d.pick((), (), (), (1,)), "index")


def predicate(d):
    """Return a condition."""
    return d.pick("True", "False", d.operand("True"), d.a("bool", ()), "1", "0.5", d.operand("1"), d.operand("2.5"),
        d.a("int32", ()), d.a("bool", (2,)), "None")


def tree(d):
    """Return a tree of arrays."""
    forms = ["({0}, {1})", "{{'b': {0}, 'a': {1}}}", "[{0}, None, {1}]", "({0}, [{1}, {{'x': {2}}}])", "{0}", "None",
        "()", "[{0}, {1}]", "({0}, {1})"]
    form = d.rng.choice(forms)
    return form.format(*(d.a() if f"{{{i}}}" in form else "" for i in range(3)))


def column(d):
    """Return the positions of a scatter, one in a row."""
    return d.a(d.pick("int32", "int32", "uint8", "int8"), (2, 1), "index")


def update_rows(d):
    """Return the updates of a scatter."""
    return d.a(shape=(2, *d.shape[1:]))


PATTERN_KINDS = {
    "a": strict_array, "array": array, "lax_array": lax_array, "number": number, "scalar": scalar, "real": real,
    "axis_tuple": axis_tuple, "permutation": permutation, "boolean": boolean, "flag": flag, "small": small,
    "mask": mask,
    "lax_arrays": lax_arrays, "padding": padding, "starts": starts, "limits": limits, "strides": strides,
    "configuration": configuration, "positions": positions, "scalar_index": scalar_index, "predicate": predicate,
    "tree": tree,
    "square": lambda d: _matrix(d) if d.chance(.8) else d.a(), "order": order,
    "taus": lambda d: d.a(shape=(*d.shape[:-2], min(2, d.shape[-1] if d.shape else 1))),
    "vector": lambda d: d.a(shape=(d.shape[-1] if d.shape else 3,)),
    "two": lambda d: d.a("float32", (2,), "positive"), "segments": lambda d: d.a("int32", d.shape[:1], "index"),
    "points": lambda d: d.a("float32", (3,), "ascending"), "five": lambda d: d.a("float32", d.pick((5,), (5, 2)),
    "plain"),
    "three": lambda d: d.a("float32", d.pick((3,), (2, 3)), d.pick("plain", "zeros", "plain")),
    "matrix": lambda d: d.a(shape=d.pick((3, 4), (2, 2), (3, 3))), "unit": lambda d: d.a(shape=d.pick((1, 3, 1), (1,),
    (2, 1, 1, 3))),
    "octets": lambda d: d.a("uint8", data="extreme"), "kernel": lambda d: d.a(shape=(d.pick(2, 3), d.pick(d.shape[1],
    d.shape[1], 1), d.pick(2, 3, 1))),
    "simplex": lambda d: d.operand(f"jnp.array({[.2, .3, .5]})"), "quaternion": lambda d: d.a("float32", d.pick((4,),
    (2, 4)), "plain"),
    "rotation": lambda d: d.a("float32", d.pick((3, 3), (2, 3, 3)), "plain"), "two_three": lambda d: d.a("float32", (2,
    3), "plain"),
    "points_in": lambda d: d.a("float32", d.pick((4, 2), (2,), (0, 2)), "unit"), "spectrum": lambda d: d.a("complex64",
    d.pick((3, 4), (2, 3, 3)), "plain"),
    "scalar_array": lambda d: d.a(shape=d.pick((), (1, 1, 1, 1), (1, 2, 1, 1))), "column": column,
    "update_rows": update_rows,
    "wrapping": text("clip", "wrap", "raise"), "taking": code("None", "'clip'", "'wrap'", "'fill'", "'raise'",
    "'promise_in_bounds'", "'nonsense'"),
    "atmode": code("None", "'clip'", "'drop'", "'fill'", "'promise_in_bounds'", "'nonsense'", "'wrap'"),
    "gathering": code("None", "'clip'", "'fill'", "'drop'", "'promise_in_bounds'"), "clipping": text("clip", "wrap",
    "raise"),
    "rowwise": text("C", "F", "K"), "preferred": code("None", "'float32'", "jnp.float16", "'int32'", "'complex64'",
    "'bfloat16'", "float"),
    "one_or_two": code("1", "2"), "padmode": text("constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp",
    "maximum", "mean", "median", "minimum", "empty"),
    "folding": text("reflect", "symmetric"), "evenodd": text("even", "odd"), "statistic": text("mean", "maximum",
    "minimum", "median"),
    "fraction": lambda d: d.pick(".3", "[.2, .9]", "0", "1.", "np.array([[.5]])", d.operand("0.25"), d.a("float32", (2,
    ), "unit"), "2.", "nan", "[]"),
    "percent": lambda d: d.pick("30", "[20., 90]", "0", "100", d.operand("25."), "150", "np.array([50.])"),
    "quantiles": text("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "hazen", "weibull",
    "median_unbiased"),
    "searching": text("scan", "sort", "compare_all", "scan_unrolled", "default"), "convolving": text("full", "same",
    "valid"),
    "small_number": code("0", "1"), "toleranceless": code("None"),
    "rounding": code("lax.RoundingMethod.AWAY_FROM_ZERO", "lax.RoundingMethod.TO_NEAREST_EVEN", "1"),
    "splits": lambda d: d.pick("(1, 1)", "(1, 2)", "(3,)", "(2,)", "(1, 1, 1)", "()", "(4, -1)", "[1, 2]"),
    "ones": lambda d: str((1,) * len(d.shape)), "windowpad": code("'SAME'", "'VALID'", "'same'", "'nonsense'"),
    "window_of": lambda d: str(tuple(d.pick(1, 2, 2) for _ in d.shape)), "maybe_count": code("None", "2", "3", "1",
    "4", "5", "0"),
    "one_window": code("(1,)", "(2,)", "(1,)", "(1, 1)"), "convpad": text("SAME", "VALID", "SAME_LOWER"),
    "convpad1": code("[(0, 0)]", "[(1, 2)]", "[(-1, 1)]", "'SAME'", "[(0, 0), (1, 1)]"),
    "dilate": code("None", "(1,)", "(2,)"), "convdims": code("None", "('NCH', 'OIH', 'NCH')", "('NHC', 'HIO', 'NHC')",
    "('NCH', 'IOH', 'NHC')"),
    "maybe_real": code("None", "0.5", "1.", "1"), "fan": text("fan_in", "fan_out", "fan_avg", "fan_geo_avg"),
    "distribution": text("normal", "uniform", "truncated_normal"),
    "maybe_shape": code("None", "(3,)", "(2, 3)", "()"), "mvn": text("cholesky", "svd", "eigh"),
    "qrmode": text("reduced", "complete", "r"),
    "sqrmode": text("full", "r", "economic"), "zero_one_two": code("0", "1", "2"), "polaring": text("qdwh", "svd"),
    "dct_type": code("2", "2", "2", "1", "3"), "maybe_norm": code("None", "'ortho'", "'backward'"),
    "fft_type": code("'fft'", "'IFFT'", "'rfft'", "'irfft'", "lax.FftType.FFT"),
    "fft_lengths": lambda d: str(d.shape[-1:]) if d.chance(.8) else "(3,)", "ranking": text("average", "min", "max",
    "dense", "ordinal"),
    "zero_or_one": code("0", "1", "2"), "mapmode": text("constant", "nearest", "wrap", "mirror", "reflect"),
    "interpolating": text("linear", "nearest"),
    "fillings": text("fill", "wrap"), "detrending": text("linear", "constant"), "stftb": code("None", "'zeros'",
    "'even'", "'odd'"), "convmethod": text("auto", "direct", "fft"),
    "resizing": lambda d: str(tuple(d.pick(1, 2, 3, 4, 5, n) for n in d.shape)), "resize_method": text("linear",
    "nearest", "cubic", "lanczos3", "lanczos5", "bilinear"),
    "gmres": text("batched", "incremental"), "euler": text("xyz", "ZYX", "x", "xz", "zxz"), "container": code("list",
    "tuple", "dict", "type(None)"),
    "argnums": code("0", "1", "(0,)", "(0, 1)", "()", "-1", "2", "[0]", "1.0", "(1, 0)", "(0, 0)"),
    "tree_axes": code("0", "None", "(0, None)", "(0, 0)", "{'u': 0, 'v': None}", "{'b': 0, 'a': None}", "[0, None]",
    "-1", "(0,)", "1", "[0, 0]", "(None, 0)", "{'u': 0}", "'x'", "1.0"),
    "hashable": code("2", "'a'", "(1, 2)", "None", "[1]", "{}", "1.5", "np.ones(2)", "len", "True"),
    "leaf": code("x", "(x, None)", "1.5", "None", "'a'", "x + 1", "np.ones(2)", "[x]", "2", "x.sum()", "()", "len"),
    "saving": code("everything_saveable", "nothing_saveable", "dots_saveable", "checkpoint_dots", "offload_dots"),
    "vmap_method": code("None", "'sequential'", "'expand_dims'", "'broadcast_all'", "'legacy_vectorized'", "'x'"),
    "separator": code("''", "'/'", "'.'"),
    "argnames": code("'y'", "('y',)", "()", "'z'", "['y']", "0"),
}


def kind(name):
    """Return the kind of a hole of a pattern."""
    return PATTERN_KINDS.get(name) or KINDS[name]


# By function and parameter.
OWN = {
    "jnp.take:mode": PATTERN_KINDS["taking"], "jnp.pad:mode": PATTERN_KINDS["padmode"], "jnp.put:mode": text("clip",
    "wrap"),
    "jnp.convolve:mode": PATTERN_KINDS["convolving"], "jnp.correlate:mode": PATTERN_KINDS["convolving"],
    "jnp.quantile:method": PATTERN_KINDS["quantiles"], "jnp.percentile:method": PATTERN_KINDS["quantiles"],
    "jnp.quantile:q": PATTERN_KINDS["fraction"], "jnp.nanquantile:q": PATTERN_KINDS["fraction"],
    "jnp.percentile:q": PATTERN_KINDS["percent"], "jnp.nanpercentile:q": PATTERN_KINDS["percent"],
    "jnp.searchsorted:method": PATTERN_KINDS["searching"], "jnp.median:axis": axes,
    "jnp.linalg.qr:mode": PATTERN_KINDS["qrmode"],
    "jnp.put_along_axis:indices": indices, "jnp.put:ind": indices, "jnp.where:condition": mask,
    "jnp.compress:condition": mask,
    "jnp.extract:condition": mask, "jnp.place:mask": mask, "jnp.einsum:subscripts": text("ij->i"),
    "jnp.interp:xp": PATTERN_KINDS["points"],
    "jnp.interp:fp": PATTERN_KINDS["points"], "jnp.transpose:axes": permutation, "jnp.permute_dims:axes": permutation,
    "jnp.rot90:axes": axis_tuple, "jnp.linalg.matrix_power:n": small, "jnp.partition:kth": small,
    "jnp.argpartition:kth": small,
    "jnp.unravel_index:shape": shape, "jnp.ravel_multi_index:mode": text("clip", "wrap", "raise"),
    "jnp.tensordot:axes": small,
    "jnp.linalg.tensordot:axes": small, "lax.transpose:permutation": permutation, "lax.rev:dimensions": axis_tuple,
    "lax.squeeze:dimensions": axis_tuple, "lax.expand_dims:dimensions": axis_tuple,
    "lax.reshape:dimensions": permutation,
    "lax.reshape:new_sizes": shape, "lax.broadcast:sizes": shape, "lax.broadcast_in_dim:shape": shape,
    "lax.broadcast_in_dim:broadcast_dimensions": axis_tuple, "lax.pad:padding_config": configuration,
    "lax.slice:start_indices": starts, "lax.slice:limit_indices": limits, "lax.slice:strides": strides,
    "lax.dynamic_slice:start_indices": positions, "lax.dynamic_slice:slice_sizes": limits,
    "lax.dynamic_update_slice:start_indices": positions, "lax.split:sizes": PATTERN_KINDS["splits"],
    "lax.clamp:min": lax_array, "lax.clamp:max": lax_array, "lax.concatenate:operands": lax_arrays,
    "jnp.broadcast_shapes:shapes": shape, "lax.broadcast_shapes:shapes": shape, "jnp.expand_dims:axis": axes,
    "jnp.squeeze:axis": axes,
    "jnp.flip:axis": axes, "jnp.roll:axis": axes, "jnp.count_nonzero:axis": axes, "jnp.linalg.norm:axis": axes,
    **{f"jnp.{name}:axis": axes for name in "sum prod max min amax amin mean std var any all nansum nanprod nanmax "
       "nanmin nanmean nanstd nanvar median nanmedian quantile nanquantile percentile nanpercentile ptp "
       "average".split()},
    **{f"jax.nn.{name}:axis": axes for name in "softmax log_softmax logsumexp standardize logmeanexp".split()},
    "jax.scipy.special.logsumexp:axis": axes, "jax.scipy.special.softmax:axis": axes,
    **{f"jnp.{name}:fill_value": scalar for name in ("full", "full_like")},
    **{f"jax.scipy.signal.{name}:mode": PATTERN_KINDS["convolving"] for name in ("convolve", "correlate",
    "fftconvolve", "convolve2d", "correlate2d")},
    "jax.image.resize:method": PATTERN_KINDS["resize_method"], "jax.image.resize:shape": PATTERN_KINDS["resizing"],
    **{f"jax.ops.segment_{name}:mode": PATTERN_KINDS["atmode"] for name in ("sum", "prod", "max", "min")},
}
