"""Checks of artifacts that a user may switch off: of the platform, and of functions that an artifact calls by name.

Tests: `tests/export/test_artifact.py`.
"""

from __future__ import annotations

from ..core.messages.errors import message

__all__ = ["DisabledSafetyCheck", "check_calls"]

_PLATFORM = "platform"
_CUSTOM_CALL = "custom_call:"


class DisabledSafetyCheck:
    """A check that is left out when an artifact is made or used.

    >>> export.DisabledSafetyCheck.platform(), export.DisabledSafetyCheck.custom_call("mine")
    (platform, custom_call:mine)
    """

    def __init__(self, _impl: str):
        self._impl = _impl

    @classmethod
    def platform(cls) -> DisabledSafetyCheck:
        """Let an artifact run on other platforms than those it was made for."""
        return DisabledSafetyCheck(_PLATFORM)

    @classmethod
    def custom_call(cls, target_name: str) -> DisabledSafetyCheck:
        """Let an artifact call a function by a name of which it is not known that it stays.

        Args:
          target_name: the name of the function.
        """
        return DisabledSafetyCheck(_CUSTOM_CALL + target_name)

    def is_custom_call(self) -> str | None:
        """Return the function that may be called, if it is about one."""
        return self._impl.removeprefix(_CUSTOM_CALL) if self._impl.startswith(_CUSTOM_CALL) else None

    def __str__(self) -> str:
        return self._impl

    __repr__ = __str__

    def __eq__(self, other) -> bool:
        return isinstance(other, DisabledSafetyCheck) and self._impl == other._impl

    def __hash__(self) -> int:
        return hash(self._impl)


# What runtimes promise to keep.
_STABLE = frozenset("""
    Sharding SPMDFullToShardShape SPMDShardToFullShape annotate_device_placement ApproxTopK shape_assertion
    stablehlo.dynamic_top_k stablehlo.dynamic_reduce_window stablehlo.dynamic_rng_bit_generator
    stablehlo.dynamic_approx_top_k mhlo.topk Qr ProductOfElementaryHouseholderReflectors Eigh LuDecomposition
    cu_lu_pivots_to_permutation cu_threefry2x32_ffi cholesky triangular_solve tridiagonal_solve
    cuhybrid_geqp3 cuhybrid_eig_comp cuhybrid_eig_real""".split())
_STABLE_BEGINNINGS = ("lapack_", "cusolver_", "hipsolver_")


def check_calls(operations, disabled) -> None:
    """Refuse functions that are called by names that may change."""
    allowed = {c.is_custom_call() for c in disabled}
    targets = [op.attributes["call_target_name"] for op in operations if op.name == "custom_call"]
    wrong = [t for t in targets if t not in _STABLE and not t.startswith(_STABLE_BEGINNINGS) and t not in allowed]
    if wrong:
        raise ValueError(
            message(
                f"Cannot serialize code with custom calls whose targets have no compatibility guarantees: {wrong}.",
                fix="disabled_checks=[export.DisabledSafetyCheck.custom_call(name)], if the name is known where the "
                "artifact is read",
            )
        )
