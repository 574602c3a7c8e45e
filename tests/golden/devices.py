"""Mistakes about devices: each is made in a process with 8 of them, and its message printed.

`python -m golden.devices` in `tests` prints {name: class and message} as JSON.
"""

from __future__ import annotations

import json
import re
import sys

import numpy as np

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.sharding import Mesh, NamedSharding
from adjoint.sharding import PartitionSpec as P

MISTAKES = {}
x = np.arange(14.0, dtype=np.float32).reshape(7, 2)


def mesh():
    return Mesh(np.array(ax.devices()).reshape(4, 2), ("x", "y"))


def mistake(function):
    MISTAKES[function.__name__] = function


def mapped(f, ins, outs, *args, **options):
    return ax.shard_map(f, mesh=mesh(), in_specs=ins, out_specs=outs, **options)(*args)


@mistake
def axis_that_the_mesh_does_not_divide():
    ax.device_put(x, NamedSharding(mesh(), P("x")))


@mistake
def result_that_the_mesh_does_not_divide():
    ax.jit(lambda a: a * 2, out_shardings=NamedSharding(mesh(), P("x")))(x)


@mistake
def argument_of_shard_map_that_the_mesh_does_not_divide():
    def double(a):
        return a * 2

    mapped(double, P("x"), P("x"), x)


@mistake
def unknown_mesh_axis():
    NamedSharding(mesh(), P("z"))


@mistake
def unknown_axis_of_a_collective():
    mapped(lambda a: lax.psum(a, "z"), P("x"), P(), x[:4])


@mistake
def spec_with_an_axis_twice():
    NamedSharding(mesh(), P("x", "x"))


@mistake
def arrays_on_different_devices():
    def total(a, b):
        return a + b

    one, two = ax.devices()[:2]
    ax.jit(total)(ax.device_put(x, one), ax.device_put(x, two))


@mistake
def operands_on_different_devices():
    one, two = ax.devices()[:2]
    ax.device_put(x, one) + ax.device_put(x, two)


@mistake
def too_few_devices_for_a_mesh():
    ax.make_mesh((4, 4), ("x", "y"))


@mistake
def too_few_devices_for_pmap():
    ax.pmap(lambda a: a * 2)(np.ones((9, 2)))


@mistake
def result_that_differs_between_devices():
    def double(a):
        return a * 2

    mapped(double, P("x", "y"), P("x"), x[:4])


@mistake
def carry_that_begins_to_differ_between_devices():
    def sums(a):
        return lax.scan(lambda c, row: (c + row.sum(), None), jnp.float32(0), a)[0][None]

    mapped(sums, P("x", "y"), P(("x", "y")), x[:4])


@mistake
def spec_without_a_mesh():
    ax.jit(lambda a: a, in_shardings=P("x"))(x)


@mistake
def accelerator_without_a_plugin():
    ax.devices("gpu")


@mistake
def unknown_backend():
    ax.jit(lambda a: a, backend="abacus")(x)


@mistake
def default_device_that_is_not_there():
    with ax.default_device("gpu"):
        jnp.sin(x)


@mistake
def unknown_memory_kind():
    ax.sharding.SingleDeviceSharding(ax.devices()[0], memory_kind="hbm")


@mistake
def operands_in_different_memories():
    host = ax.device_put(x, ax.memory.Space.Host)
    host + x


@mistake
def device_of_an_argument_and_of_the_result():
    one, two = [ax.sharding.SingleDeviceSharding(d) for d in ax.devices()[:2]]
    ax.jit(lambda a: a * 2, out_shardings=two)(ax.device_put(x, one))


@mistake
def device_and_backend():
    ax.jit(lambda a: a, device=ax.devices()[0], backend="cpu")


def explicit(*specs):
    grid = ax.make_mesh((4, 2), ("x", "y"))
    return [ax.device_put(np.ones((8, 8), np.float32), NamedSharding(grid, s)) for s in specs]


@mistake
def ambiguous_product_over_explicit_axes():
    a, b = explicit(P(None, "y"), P("y"))
    a @ b


@mistake
def sum_of_different_shardings():
    a, b = explicit(P("x"), P("y"))
    a + b


@mistake
def reshape_of_a_divided_axis():
    (a,) = explicit(P("x"))
    a.reshape(2, 32)


@mistake
def engine_without_its_package():
    for name in [n for n in sys.modules if n.split(".")[0] == "jaxlib"]:
        del sys.modules[name]
    sys.modules["jaxlib"] = None
    try:
        from adjoint.engines.xla.runtime import extension

        extension("_jax")
    finally:
        del sys.modules["jaxlib"]


@mistake
def more_memory_than_there_is():
    kept = {"w": [jnp.ones((1024, 512)), jnp.ones((1024, 512))]}
    lax.exp(jnp.broadcast_to(jnp.float32(1), (2**22, 2**22, 8)))
    assert kept


def normalised(text: str) -> str:
    """The text without what differs between machines and runs: paths, lines, sets' order."""
    text = re.sub(r"[\w./-]*devices\.py:\d+", "devices.py:LINE", text)
    return re.sub(r"\{([^{}]*)\}", lambda m: "{" + ", ".join(sorted(m[1].split(", "))) + "}", text)


def main() -> None:
    found: dict[str, str] = {}
    for name, function in MISTAKES.items():
        try:
            function()
            found[name] = "no error"
        except Exception as error:
            found[name] = f"{type(error).__name__}: {normalised(str(error))}\n"
    print(json.dumps(found))


if __name__ == "__main__":
    main()
