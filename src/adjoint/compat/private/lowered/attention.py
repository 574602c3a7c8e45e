"""Questions about the attention kernels of cuDNN: `jax._src.cudnn.fused_attention_stablehlo`.

They run on GPUs alone, which libraries find out by asking for cuDNN's version: that is JAX's RuntimeError here.
`jax.nn.dot_product_attention` computes the same on every device.

Tests: `tests/compat/test_lowered.py`.
"""

from __future__ import annotations

import enum
from typing import Any, NoReturn

from ....core.messages.errors import message
from ....nn.functions import dot_product_attention as attend

__all__ = [
    "AttentionLayout", "MaskType", "check_compute_capability", "check_cudnn_version", "check_is_flash_attention",
    "check_layout", "dot_product_attention", "normalize_layout",
]

_HALVES = ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")


class AttentionLayout(enum.Enum):
    """The order of the axes of queries, keys and values: batch, time, heads, features."""

    BTNH = 0
    BNTH = 1


class MaskType(enum.Enum):
    """The kinds of masks, which hide keys from queries."""

    NO_MASK = 0
    PADDING = 1
    CAUSAL = 2
    PADDING_CAUSAL = 3
    ALIBI = 4


def normalize_layout(layout: str) -> AttentionLayout:
    """Return the order of axes that a text means, with S for T if it has that."""
    name = layout.upper().replace("S", "T")
    if name not in AttentionLayout.__members__:
        raise ValueError(message(f"Unsupported qkv_layout: {layout}", fix="'BTNH' or 'BNTH'"))
    return AttentionLayout[name]


def check_cudnn_version() -> NoReturn:
    """Raise RuntimeError: cuDNN is not used."""
    attend(None, None, None, implementation="cudnn")
    raise AssertionError("unreachable")


def check_compute_capability(capability: str) -> bool:
    """Return whether the first device is a GPU of this capability at least: False."""
    return False


def check_is_flash_attention(
    query: Any, key: Any, value: Any, layout: int, cudnn_version: int, has_bias: bool, is_training: bool,
    is_packed: bool = False, is_paged_attention: bool = False, is_fp8: bool = False,
) -> NoReturn:
    """Raise RuntimeError: there is no kernel for any operands."""
    check_cudnn_version()


def dot_product_attention(query: Any, key: Any, value: Any, *args: Any, **options: Any) -> NoReturn:
    """Raise RuntimeError, as the kernels are asked for."""
    check_cudnn_version()


def check_layout(
    query: Any, key: Any, value: Any, bias: Any, q_seqlen: Any, kv_seqlen: Any, q_offsets: Any, kv_offsets: Any,
    page_table_k: Any, page_table_v: Any, layout: AttentionLayout,
) -> None:
    """Raise for queries, keys and values that do not fit one another, or are not of 16 or 8 bits."""

    def refuse(text: str, fix: str) -> NoReturn:
        raise ValueError(message(text, fix=fix))

    operands = {"Q": query, "K": key, "V": value}
    for name, x in operands.items():
        if len(x.shape) != 4:
            refuse(f"{name} must have a rank of 4, got {len(x.shape)}", f"x[None] for {name} without a batch")
    names = [x.dtype.name for x in operands.values()]
    if names[0] not in _HALVES:
        raise NotImplementedError(
            message(f"Q must be fp16/bf16/fp8_e4m3fn/fp8_e5m2, got {names[0]}", fix="query.astype(jax.numpy.bfloat16)")
        )
    if len({*names}) > 1:
        refuse(f"QKV dtype must be same, got {', '.join(names)}", "key.astype(query.dtype)")
    time = 1 if layout is AttentionLayout.BTNH else 2
    batches, lengths = [x.shape[0] for x in operands.values()], [x.shape[time] for x in operands.values()]
    if len({*batches}) > 1 and page_table_k is None:
        refuse(f"QKV batch must be same, got {', '.join(map(str, batches))}", "as many sequences in all three")
    if lengths[1] != lengths[2]:
        refuse(f"KV must have same seq length, got {lengths[1]} vs {lengths[2]}", "a value for each key")
    if query.shape[3] != key.shape[3]:
        refuse(f"QK must have same head dim, got {query.shape[3]} vs {key.shape[3]}", "keys as long as queries")
    if bias is not None:
        _, _, rows, columns = bias.shape
        if (rows, columns) != (lengths[0], lengths[1]):
            refuse(f"Bias must have same seq length as QKV, got {rows} and {columns}",
                   f"a bias of [batch, heads, {lengths[0]}, {lengths[1]}]")
    for name, x in (("q_seqlen", q_seqlen), ("kv_seqlen", kv_seqlen)):
        if x is not None:
            if x.dtype != "int32":
                refuse(f"{name} must have int32 datatype, got {x.dtype}", f"{name}.astype('int32')")
            if len(x.shape) != 1:
                refuse(f"{name} must have a rank of 1, got {len(x.shape)}", f"jax.numpy.ravel({name})")
            if x.shape[0] != batches[0]:
                refuse(f"{name} must have same batch as Q, got {x.shape[0]}", "a length for each sequence")
    for name, x in (("q_offsets", q_offsets), ("kv_offsets", kv_offsets)):
        if x is not None and len(x.shape) != 2:
            refuse(f"{name} must have a rank of 2, got {len(x.shape)}", f"{name}[None] for one sequence")
