"""Artifacts, what `Exported.serialize` writes and `deserialize` reads: JAX's form, a FlatBuffer around a program.

The numbers of the fields were found by looking at what JAX 0.10.2 writes. Reading runs nothing, and whatever is wrong
with the bytes is a `ValueError` that says so.

Tests: `tests/export/test_artifact.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from ..core import dtypes
from ..core.types import ShapedArray
from ..random.keys import key_dtype
from .checks import DisabledSafetyCheck
from .mlir.ir import ArtifactError
from .shardings import read_sharding, write_mesh, write_sharding
from .tables import Builder, Table
from .trees import read_tree, write_tree

__all__ = ["VERSION", "read_fields", "write_fields"]

VERSION = 3  # of the form
_OLDEST = 2

_DTYPES: dict[int, Any] = {
    0: np.dtype(bool), 1: np.dtype(np.int8), 2: np.dtype(np.int16), 3: np.dtype(np.int32), 4: np.dtype(np.int64),
    5: np.dtype(np.uint8), 6: np.dtype(np.uint16), 7: np.dtype(np.uint32), 8: np.dtype(np.uint64),
    9: np.dtype(np.float16), 10: np.dtype(np.float32), 11: np.dtype(np.float64), 12: np.dtype(np.complex64),
    13: np.dtype(np.complex128), 22: dtypes.float0,
    **{number: np.dtype(getattr(ml_dtypes, name)) for number, name in {
        14: "bfloat16", 15: "int4", 16: "uint4", 17: "float8_e4m3b11fnuz", 18: "float8_e4m3fn",
        19: "float8_e4m3fnuz", 20: "float8_e5m2", 21: "float8_e5m2fnuz", 23: "float8_e4m3", 24: "float8_e3m4",
        25: "float8_e8m0fnu", 26: "float4_e2m1fn"}.items()},
}
_KEYS = {27: "threefry2x32", 28: "rbg", 29: "unsafe_rbg"}
_NUMBERS = {dtype: number for number, dtype in _DTYPES.items()}


def _number_of(dtype: Any) -> int:
    if isinstance(dtype, dtypes.ExtendedDType):
        for number, name in _KEYS.items():
            if dtype._impl.name == name:
                return number
    if dtype not in _NUMBERS:
        raise ValueError(f"An artifact cannot have arguments or results of dtype {dtype}.")
    return _NUMBERS[dtype]


def _dtype_of(number: int) -> Any:
    if number in _KEYS:
        return key_dtype(_KEYS[number])
    if number not in _DTYPES:
        raise ArtifactError(f"The artifact has an argument of dtype number {number}, which is not known here.")
    return _DTYPES[number]


# ---- writing ---------------------------------------------------------------------------------------


def _write_aval(builder: Builder, aval: ShapedArray) -> int:
    shape = builder.offsets([builder.string(str(d)) for d in aval.shape])
    return builder.table({1: ("offset", shape), 2: ("B", _number_of(aval.dtype)), 3: ("B", 1)})


def _write_check(builder: Builder, check: DisabledSafetyCheck) -> int:
    target = check.is_custom_call()
    if target is None:
        return builder.table({})
    return builder.table({0: ("B", 1), 1: ("offset", builder.string(target))})


def write_fields(builder: Builder, exported: Any, vjp: int | None) -> int:
    """Write an exported function, and where its derivative stands, if it is there."""
    texts = lambda items: builder.offsets([builder.string(str(i)) for i in items])
    several = lambda write, items: builder.offsets([write(builder, i) for i in items])
    avals = dict.fromkeys([*exported.in_avals, *exported.out_avals])
    numbers = {a: i for i, a in enumerate(avals)}
    found = [*exported._in_named_shardings, *exported._out_named_shardings]
    shardings = list(dict.fromkeys([s for s in found if s is not None]))
    meshes = list(dict.fromkeys([s.mesh for s in shardings]))
    places = {None: 0, **{s: i for i, s in enumerate(shardings, 1)}}
    nothing = lambda avals: builder.offsets([builder.table({}) for _ in avals])
    fields: dict[int, tuple[str, int]] = {
        0: ("H", VERSION), 1: ("offset", builder.string(exported.fun_name)),
        2: ("offset", write_tree(builder, exported.in_tree)),
        3: ("offset", several(_write_aval, exported.in_avals)),
        4: ("offset", write_tree(builder, exported.out_tree)),
        5: ("offset", several(_write_aval, exported.out_avals)),
        7: ("offset", nothing(exported.in_avals)), 8: ("offset", nothing(exported.out_avals)),
        9: ("offset", texts(exported.platforms)),
        10: ("offset", builder.offsets([])), 11: ("offset", builder.offsets([])),
        12: ("offset", several(_write_check, exported.disabled_safety_checks)),
        13: ("offset", builder.bytes(exported.mlir_module_serialized)),
        14: ("H", exported.calling_convention_version),
        15: ("offset", builder.numbers(exported.module_kept_var_idx, "H")),
        18: ("I", exported.nr_devices),
        19: ("offset", several(_write_aval, avals)),
        20: ("offset", several(write_mesh, meshes)), 21: ("offset", several(write_sharding, shardings)),
        22: ("offset", builder.numbers([numbers[a] for a in exported.in_avals], "I")),
        23: ("offset", builder.numbers([numbers[a] for a in exported.out_avals], "I")),
        24: ("offset", builder.numbers([places[s] for s in exported._in_named_shardings], "I")),
        25: ("offset", builder.numbers([places[s] for s in exported._out_named_shardings], "I")),
    }
    if exported.uses_global_constants:
        fields[16] = ("B", 1)
    if vjp is not None:
        fields[17] = ("offset", vjp)
    return builder.table(fields)


# ---- reading ---------------------------------------------------------------------------------------


def _read_aval(table: Table, dimension: Callable[[str], Any]) -> ShapedArray:
    if table.number(0, "B"):
        raise ArtifactError("The artifact has an argument or result that is no array.")
    return ShapedArray(tuple([dimension(d) for d in table.strings(1)]), _dtype_of(table.number(2, "B")))


def _read_check(table: Table) -> DisabledSafetyCheck:
    kind = table.number(0, "B")
    if kind == 0:
        return DisabledSafetyCheck.platform()
    if kind == 1:
        return DisabledSafetyCheck.custom_call(table.string(1) or "")
    raise ArtifactError(f"The artifact leaves out a check of kind {kind}, which is not known here.")


def read_fields(table: Table, dimension: Callable[[str], Any]) -> dict[str, Any]:
    """Return the fields of an exported function, by their names; `vjp` is the table of its derivative."""
    version = table.number(0, "H")
    if not _OLDEST <= version <= VERSION:
        raise ArtifactError(
            f"The artifact is of version {version} of the form, and versions {_OLDEST} to {VERSION} are known here: "
            "it is too new or too old, damaged, or something else."
        )
    given, gives = table.table(2), table.table(4)
    program, name = table.bytes(13), table.string(1)
    if given is None or gives is None or program is None or name is None:
        raise ArtifactError("The artifact is damaged: it lacks its program, its name or a structure.")
    effects = [t.string(0) for i in (10, 11) for t in table.tables(i)]
    if effects:
        raise ArtifactError(f"The artifact has effects, {', '.join(map(str, effects))}, which are not known here.")
    known = [_read_aval(t, dimension) for t in table.tables(19)]
    avals = [[_read_aval(t, dimension) for t in table.tables(i)] for i in (3, 5)]
    if not avals[0] and not avals[1] and known:
        avals = [[known[i] if i < len(known) else known[-1] for i in table.numbers(f, "I")] for f in (22, 23)]
    shardings = [None, *map(read_sharding, table.tables(21))]
    places = [table.numbers(f, "I") or [0] * len(a) for f, a in zip((24, 25), avals)]
    if any([len(p) != len(a) for p, a in zip(places, avals)]) or max([0, *places[0], *places[1]]) >= len(shardings):
        raise ArtifactError("The artifact is damaged: it has not as many shardings as arguments and results.")
    found: dict[str, Any] = dict(
        fun_name=name, in_tree=read_tree(given), out_tree=read_tree(gives),
        in_avals=tuple(avals[0]), out_avals=tuple(avals[1]), platforms=tuple(table.strings(9)),
        disabled_safety_checks=tuple([_read_check(t) for t in table.tables(12)]), mlir_module_serialized=program,
        calling_convention_version=table.number(14, "H"), module_kept_var_idx=tuple(table.numbers(15, "H")),
        uses_global_constants=bool(table.number(16, "B")),
        nr_devices=table.number(18, "I") or table.number(6, "H") or 1,
        vjp=table.table(17), _in_named_shardings=tuple([shardings[i] for i in places[0]]),
        _out_named_shardings=tuple([shardings[i] for i in places[1]]),
    )
    if (found["in_tree"].num_leaves, found["out_tree"].num_leaves) != (len(avals[0]), len(avals[1])):
        raise ArtifactError("The artifact is damaged: a structure has not as many leaves as there are types.")
    if any([i >= len(avals[0]) for i in found["module_kept_var_idx"]]):
        raise ArtifactError("The artifact is damaged: its program is given an argument that it does not have.")
    return found
