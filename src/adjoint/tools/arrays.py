"""`show`: what an array is and a picture of its values, in a terminal or a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.process.records import NamedTuple
from ..core.trace import Tracer
from ..core.tree.paths import keystr, tree_flatten_with_path
from ..core.types import Array
from ..engines.numpy.memory import size
from . import pictures

__all__ = ["Shown", "show", "shown"]


def show(x: Any) -> None:
    """Show what an array is and a small picture of its values, in a terminal or a notebook.

    Args:
      x: an array, or what NumPy makes one of; of a tree, each array has a line. One axis is drawn as a line, two are an
        image, and so are three whose last one holds three or four colours; of more axes the first matrix is shown.
    Raises:
      TypeError: there is no array in it.

    A traced value has no numbers yet: its type is shown. `debug.callback(show, x)` shows them when the program runs.

    >>> show(jnp.eye(3))
    float32[3,3], 36 B: 0 to 1, mean 0.33333
    ██
      ██
        ██
    >>> show({"w": jnp.ones((2, 3)), "b": jnp.zeros(3)})
    ['b']  float32[3], 12 B: all 0
    ['w']  float32[2,3], 24 B: all 1
    """
    picture = shown(x)
    display = _notebook()
    if display is not None:
        display(picture)
    else:
        print(picture.text(_is_ascii()))


class Shown:
    """A picture of an array or a tree: text, and HTML for notebooks."""

    def __init__(self, parts: list[_Part]):
        self._parts = parts

    def text(self, is_ascii: bool = False) -> str:
        """Return the lines for a terminal, with characters of ASCII alone if it has no others."""
        if len(self._parts) > 1 or self._parts[0].path:
            width = max(len(part.path) for part in self._parts)
            return "\n".join([f"{part.path:{width}}  {part.head}" for part in self._parts])
        part = self._parts[0]
        return "\n".join([part.head, *_drawn(part.values, is_ascii)])

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        rows = [
            f'<div style="margin: 4px 0"><code>{escape(f"{part.path}  {part.head}".strip())}</code><br>'
            f"{_element(part.values)}</div>"
            for part in self._parts
        ]
        return "".join(rows)


class _Part(NamedTuple):
    """An array: where it stands in a tree, what it is in words, and its values as float64 if there is a picture."""

    path: str
    head: str
    values: np.ndarray | None


def shown(x: Any) -> Shown:
    """Return what `show` shows.

    >>> shown(2.5)
    float64[], 8 B: 2.5
    """
    is_list = isinstance(x, list) and not any(isinstance(y, Array | np.ndarray | dict) for y in x)
    leaves = [((), np.asarray(x))] if is_list else tree_flatten_with_path(x)[0]
    parts = [_part(keystr(path), leaf) for path, leaf in leaves]
    if not parts or not all(parts):
        raise TypeError(message("show expects an array or a tree of arrays.", fix="adjoint.show(jnp.asarray(x))"))
    return Shown(parts)


def _part(path: str, x: Any) -> _Part | None:
    if isinstance(x, Tracer):
        return _Part(path, f"{x.aval}: a traced value, which has no numbers yet. Try: debug.callback(show, x)", None)
    if isinstance(x, Array) and dtypes.issubdtype(x.dtype, dtypes.prng_key):
        return _Part(path, f"{x.aval}: random keys", None)
    values = np.asarray(x)
    if not (values.dtype == bool or dtypes.issubdtype(values.dtype, np.number)):
        return None
    what = f"{values.dtype.name}[{','.join(map(str, values.shape))}], {size(values.nbytes)}"
    if not values.size:
        return _Part(path, f"{what}: empty", None)
    is_complex = values.dtype.kind == "c"
    numbers = (np.abs(values) if is_complex else values).astype(np.float64)
    has_colours = numbers.ndim == 3 and numbers.shape[-1] in (3, 4) and min(numbers.shape[:2]) > 4
    picture = numbers if has_colours or numbers.ndim < 3 else numbers[(0,) * (numbers.ndim - 2)]
    if has_colours and values.dtype == np.uint8:
        picture = picture / 255
    about = ("magnitudes " if is_complex else "") + _range(values, numbers)
    if picture.ndim < numbers.ndim:
        about += f"; below is x[{', '.join(['0'] * (numbers.ndim - 2))}]"
    return _Part(path, f"{what}: {about}", picture if picture.ndim and np.isfinite(picture).any() else None)


def _range(values: np.ndarray, numbers: np.ndarray) -> str:
    """The least, the largest and the mean number, and how many are none, in words."""
    if values.dtype == bool:
        return f"{int(values.sum())} of {values.size} are true"
    finite = numbers[np.isfinite(numbers)]
    counts = [(int(np.isnan(numbers).sum()), "NaN"), (int(np.isinf(numbers).sum()), "infinite")]
    unknown = [f"{n} of {numbers.size} {'is' if n == 1 else 'are'} {what}" for n, what in counts if n]
    if not finite.size:
        return " and ".join(unknown)
    is_whole = values.dtype.kind in "iu" or dtypes.issubdtype(values.dtype, np.integer)
    text = (lambda v: f"{v:.0f}") if is_whole else (lambda v: f"{v:.5g}")
    low, high = finite.min(), finite.max()
    if numbers.ndim == 0:
        return text(low)
    about = f"all {text(low)}" if low == high else f"{text(low)} to {text(high)}, mean {finite.mean():.5g}"
    return "; ".join([about, *unknown])


def _drawn(values: np.ndarray | None, is_ascii: bool) -> list[str]:
    """Return the lines of a picture in characters."""
    if values is None or values.size < 2:
        return []
    if values.ndim == 1:
        return pictures.curve(values, is_ascii)
    if values.ndim == 3:
        values = values[..., :3].mean(-1)   # how light a colour is
    return pictures.shades(values, is_ascii)


def _element(values: np.ndarray | None) -> str:
    """Return the picture in HTML."""
    if values is None or values.size < 2:
        return ""
    return pictures.line_element(values) if values.ndim == 1 else pictures.image_element(values)


def _notebook() -> Callable[[Any], None] | None:
    """Return what shows an object in the notebook that runs this program; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    return ipython.display.display if shell is not None and hasattr(shell, "kernel") else None


def _is_ascii() -> bool:
    """Return whether standard output has no characters beside those of ASCII."""
    try:
        "\u2588\u28ff".encode(getattr(sys.stdout, "encoding", None) or "utf8")
    except (UnicodeEncodeError, LookupError):
        return True
    return False
