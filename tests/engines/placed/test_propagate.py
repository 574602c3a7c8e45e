"""How results are sharded where XLA does not decide it: as XLA does, for every family of primitives."""

from __future__ import annotations

from unittest import mock

import numpy as np
from tests.modes import compiling
from tests.parallel.beside import differences


def spec(sharding) -> str:
    """The entries of a sharding, in one form."""
    entries = [e[0] if isinstance(e, tuple) and len(e) == 1 else e for e in sharding.spec]
    while entries and entries[-1] is None:
        entries.pop()
    return str(tuple(entries))


def case(f, *operands):
    """A case that shows the shardings of `f` of arrays, given as (shape, spec) or (shape, spec, dtype)."""

    def run(lib):
        mesh = lib.sharding.Mesh(np.array(lib.devices()).reshape(4, 2), ("x", "y"))
        placed = []
        for shape, entries, *dtype in operands:
            values = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape).astype(*dtype or ["float32"])
            placed.append(lib.device_put(values, lib.sharding.NamedSharding(mesh, lib.P(*entries))))
        with mock.patch("adjoint.engines.placed.dispatch.has_xla", lambda: False):
            outs = lib.jit(lambda *args: f(lib.numpy, lib.lax, *args))(*placed)
        return [spec(x.sharding) for x in lib.tree.leaves(outs)]

    return run


ROWS, COLUMNS, BOTH = ((8, 4), ("x",)), ((8, 4), (None, "y")), ((8, 4), ("x", "y"))
INDICES = ((4,), (), "int32")
CASES = {
    "operands divided along different axes": case(lambda n, _, a, b: a + b, ROWS, COLUMNS),
    "operands divided differently": case(lambda n, _, a, b: a + b, ((8, 4), ("y",)), ROWS),
    "outer": case(lambda n, _, a, b: a[:, None] * b[None], ((8,), ("x",)), ((4,), ("y",))),
    "select_n": case(lambda n, _, c, a, b: n.where(c > 2, a, b), ROWS, COLUMNS, ((8, 4), ())),
    "slice": case(lambda n, _, a: (a[:4], a[:, :2], a[:4, :2]), BOTH),
    "pad": case(lambda n, _, a: n.pad(a, ((0, 8), (0, 0))), BOTH),
    "dynamic_slice": case(lambda n, lax, a: lax.dynamic_slice(a, (n.int32(1), n.int32(0)), (4, 4)), BOTH),
    "dynamic_update_slice": case(
        lambda n, lax, a, b: lax.dynamic_update_slice(a, b, (n.int32(1), n.int32(0))), ROWS, ((4, 4), (None, "y"))),
    "concatenate": case(lambda n, _, a, b: n.concatenate([a, b]), ROWS, COLUMNS),
    "stack": case(lambda n, _, a, b: n.stack([a, b]), ROWS, COLUMNS),
    "split": case(lambda n, _, a: n.split(a, 2, axis=1), ROWS),
    "tile": case(lambda n, _, a: n.tile(a, (1, 2)), ROWS),
    "reshape to more axes": case(lambda n, _, a: a.reshape(4, 2, 3), ((8, 3), (("x", "y"),))),
    "reshape to fewer": case(lambda n, _, a: a.reshape(8), ((4, 2), ("x", "y"))),
    "reshape where the second axis is divided": case(lambda n, _, a: a.reshape(8), ((4, 2), (None, "y"))),
    "reshape of axes of length 1": case(
        lambda n, _, a: (a.reshape(8, 4), a.reshape(8, 1, 4)), ((1, 8, 4), (None, "x"))),
    "transpose": case(lambda n, _, a: a.T, BOTH),
    "broadcast": case(lambda n, _, a: n.broadcast_to(a, (3, 8, 4)), ROWS),
    "sort": case(lambda n, lax, a: (lax.sort(a, dimension=0), lax.sort(a, dimension=1)), ROWS),
    "top_k": case(lambda n, lax, a: lax.top_k(a, 2), BOTH),
    "cumsum": case(lambda n, _, a: (n.cumsum(a, 0), n.cumsum(a, 1)), ROWS),
    "reductions": case(lambda n, _, a: (n.sum(a, 1), n.argmax(a, 1)), ROWS),
    "reduce": case(lambda n, lax, a: lax.reduce(a, np.float32(0), lambda p, q: p * q + 1, (1,)), ROWS),
    "products": case(lambda n, _, a, b: a @ b, ROWS, ((4, 6), (None, "y"))),
    "a sum over devices": case(lambda n, _, a, b: a @ b, BOTH, ((4, 6), ("y",))),
    "a batch of products": case(lambda n, _, a, b: a @ b, ((4, 8, 4), ("x",)), ((4, 4, 6), ())),
    "convolution": case(
        lambda n, lax, a, b: lax.conv_general_dilated(a, b, (1,), "SAME"), ((4, 2, 8), ("x",)), ((3, 2, 3), ())),
    "windows": case(lambda n, lax, a: lax.reduce_window(a, np.float32(0), lax.add, (1, 2), (1, 1), "VALID"), ROWS),
    "factorizations": case(lambda n, lax, a: (lax.linalg.lu(a), n.linalg.qr(a)), ((4, 3, 3), ("x",))),
    "fft": case(lambda n, _, a: n.fft.fft(a), BOTH),
    "gather": case(lambda n, _, a, i: a[i], BOTH, INDICES),
    "gather by divided indices": case(lambda n, _, a, i: a[i], ((8, 4), ()), ((4,), ("x",), "int32")),
    "scatter": case(lambda n, _, a, i, u: a.at[i].add(u), COLUMNS, INDICES, ((4, 4), (None, "y"))),
    "bits": case(lambda n, lax, a: lax.bitcast_convert_type(a, n.uint16), ROWS),
    "scan": case(lambda n, lax, a: lax.scan(lambda c, row: (c + row, row * 2), a[0], a), COLUMNS),
    "cond": case(lambda n, lax, a: lax.cond(a[0, 0] > 0, lambda x: x.T, lambda x: x.T * 2, a), BOTH),
    "while": case(lambda n, lax, a: lax.while_loop(lambda x: x[0, 0] < 9, lambda x: x * 2, a), BOTH),
}


@compiling
def test_results_are_sharded_as_xla_does_it():
    """The shardings of results on the engines of one device are those of JAX."""
    assert not differences("engines.placed.test_propagate")
