"""The StableHLO module of a program, as text.

`stablehlo.py` writes it, with the rules that the modules of `lowerings/` register as they are imported here.

Tests: `tests/engines/xla/lowerings/test_lowerings.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...core.jaxpr import ClosedJaxpr, JaxprEqn
from ...sharding.device import platform_name
from ..placed.program_layout import Layout
from . import lowerings as lowerings
from .meshes import EMPTY_MESH
from .stablehlo import HostStep, Module, lowering_of, symbol, write_function

__all__ = ["has_rule", "module_and_steps", "module_text"]


def has_rule(eqn: JaxprEqn) -> bool:
    """Return whether an operation can be written, so that it does not run on the host."""
    if eqn.primitive.calls_python:
        return False
    return lowering_of(eqn) is not None or eqn.primitive.expand_rule is not None


def module_text(closed: ClosedJaxpr, name: str, layout: Layout | None = None, **options: Any) -> str:
    """Return the StableHLO module of a program; the options are those of `module_and_steps`."""
    return module_and_steps(closed, name, layout, **options)[0]


def module_and_steps(
    closed: ClosedJaxpr, name: str, layout: Layout | None = None, donated: tuple = (), locations: bool = False,
    platform: str = "", paths: Sequence[str] = (), kept: list | None = None, stated: tuple[tuple, tuple] | None = None,
) -> tuple[str, list[HostStep]]:
    """Return the StableHLO module of a program, and the steps that it calls on the host, by number.

    Args:
      layout: the mesh, and the shardings of operands and results over it.
      donated: positions of operands whose memory results may take.
      locations: whether operations say from which line of the user's code they come.
      platform: for which platform it is, instead of the default one.
      paths: where in the caller's tree the results are.
      kept: takes large constants, which the text then names by their number.
      stated: what the call says of where operands and results are, for text that users read; None for one that may be
        anywhere.
    """
    if stated is not None and (behind := len(closed.out_avals) - len(stated[1])) > 0:  # what references hold afterwards
        paths, stated = [*paths, *[""] * behind], (stated[0], (*stated[1], *(None,) * behind))
    module = Module(layout, donated, locations, platform or platform_name(), paths, kept, stated, name)
    main = write_function(module, closed, "@main", "public")
    label = symbol(re.sub(r"[^\w.-]", "_", f"jit_{name}").rstrip("_"))
    count = 1 if layout is None else layout.mesh.size
    head = f"module {label} attributes {{mhlo.num_partitions = {count} : i32, mhlo.num_replicas = 1 : i32}} {{"
    body = [main, *module.functions]
    meshes = module.meshes.lines if module.meshes is not None else []
    if stated is not None:  # those that the text names
        meshes = [line for line in [*meshes, EMPTY_MESH] if any([f"<{line.split()[1]}, " in text for text in body])]
    return "\n".join([head, *meshes, *body, "}"]) + "\n", module.steps
