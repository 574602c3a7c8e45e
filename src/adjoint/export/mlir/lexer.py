"""Words of StableHLO's text, and the values that attributes have in it.

Tests: `tests/export/mlir/test_bytecode.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .elements import dense_of, dtype_of
from .ir import Alias, Dense, Enum, Fields, Integer, Numbers, Symbol, TensorType, TokenType, Unit

__all__ = ["Lexer"]

_WORDS = re.compile(r"""
    (?P<space>\s+)
  | (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<value>%[\w.]+(?:\#\d+)?)
  | (?P<symbol>@(?:[A-Za-z_][\w$.]*|"(?:[^"\\]|\\.)*"))
  | (?P<mark>->|<\{|\}>|::)
  | (?P<hex>0x[0-9A-Fa-f]+)
  | (?P<number>-?\d+\.\d*(?:[eE][+-]?\d+)?|-?\d+)
  | (?P<word>[!#^]?[A-Za-z_][\w$.]*)
  | (?P<sign>[-+*^<>()\[\]{},:=?])
""", re.VERBOSE)
_TENSOR = re.compile(r"((?:\d+|\?|\[[^][]*\])x)")


class Lexer:
    """A text, and how far it is read."""

    def __init__(self, text: str, dimension: Callable[[str], Any], constants: Sequence[np.ndarray] = ()):
        self.text, self.place, self.dimension, self.constants = text, 0, dimension, constants
        self.kind = self.word = ""
        self.advance()

    def advance(self) -> str:
        """Go to the next word; the one that was current."""
        before = self.word
        while True:
            match = _WORDS.match(self.text, self.place)
            if match is None:
                if self.place >= len(self.text):
                    self.kind, self.word = "end", ""
                    return before
                raise self.error("a word")
            self.place = match.end()
            if match.lastgroup != "space":
                self.kind, self.word = match.lastgroup or "", match[0]
                return before

    def error(self, wanted: str) -> ValueError:
        return ValueError(f"The text has {self.word!r} where {wanted} is expected: "
                          f"{self.text[max(0, self.place - 60) : self.place + 20]!r}")

    def take(self, word: str) -> None:
        if self.word != word:
            raise self.error(repr(word))
        self.advance()

    def has(self, word: str) -> bool:
        """Return whether the current word is this one, which is then passed."""
        if self.word != word or self.kind == "string":
            return False
        self.advance()
        return True

    def several(self, item: Callable[[], Any], opened: str = "[", closed: str = "]") -> list:
        """Return items between brackets, with commas."""
        self.take(opened)
        found = []
        while not self.has(closed):
            found.append(item())
            if not self.has(","):
                self.take(closed)
                break
        return found

    def string(self) -> str:
        if self.kind != "string":
            raise self.error("a string")
        return unquoted(self.advance())

    def length(self, stops: str = ",])") -> Any:
        """Return an integer, or an expression of dimensions, up to one of some signs."""
        parts, depth = [], 0
        while depth or self.word not in stops:
            if self.kind == "end":
                raise self.error("the end of a list")
            depth += (self.word == "(") - (self.word == ")")
            parts.append(self.advance())
        text = " ".join(parts)
        return int(text) if re.fullmatch(r"-?\d+", text) else self.dimension(text.replace("- ", "-"))

    def lengths(self) -> tuple:
        return tuple(self.several(self.length))

    # ---- types

    def type(self) -> Any:
        if self.word == "tensor":
            return self._tensor()
        if self.word == "!stablehlo.token":
            self.advance()
            return TokenType()
        return self._scalar()

    def _scalar(self) -> str:
        name = self.advance()
        if name == "complex":
            self.take("<")
            name = f"complex<{self.advance()}>"
            self.take(">")
        return name

    def _tensor(self) -> TensorType:
        start = self.place
        if self.text[start] != "<":
            raise self.error("'<'")
        depth, place = 0, start
        while True:
            char = self.text[place]
            depth += (char == "<") - (char == ">")
            place += 1
            if not depth:
                break
        inside = self.text[start + 1 : place - 1]
        shape, rest = [], 0
        while (match := _TENSOR.match(inside, rest)) is not None:
            rest = match.end()
            shape.append(self._axis(match[1][:-1]))
        self.place = place
        self.advance()
        return TensorType(tuple(shape), inside[rest:])

    def _axis(self, text: str) -> Any:
        if text == "?":
            return None
        return self.dimension(text[1:-1]) if text.startswith("[") else int(text)

    def types(self) -> list:
        """Return `type` or `(type, type)`."""
        return self.several(self.type, "(", ")") if self.word == "(" else [self.type()]

    # ---- attributes

    def fields(self, opened: str = "{", closed: str = "}") -> dict[str, Any]:
        """`{name = value, name}`"""
        pairs = self.several(self._field, opened, closed)
        return dict(pairs)

    def _field(self) -> tuple[str, Any]:
        name = self.string() if self.kind == "string" else self.advance()
        return name, self.attribute() if self.has("=") else Unit()

    def attribute(self) -> Any:
        word, kind = self.word, self.kind
        if kind == "string":
            return self.string()
        if kind == "symbol":
            return Symbol(self.symbol())
        if word in ("true", "false"):
            return self.advance() == "true"
        if word == "dense":
            return self.dense()
        if word == "array":
            return self._array()
        if word == "[":
            return tuple(self.several(self.attribute))
        if word == "{":
            return Fields(self.fields().items())
        if kind == "number":
            number = self.advance()
            of = self.type() if self.has(":") else "i64"
            return Integer(int(number), of)
        if word.startswith("#stablehlo"):
            return self._of_dialect()
        raise self.error("an attribute")

    def symbol(self) -> str:
        text = self.advance()[1:]
        return unquoted(text) if text.startswith('"') else text

    def _of_dialect(self) -> Any:
        name = self.advance()
        self.take("<")
        if name == "#stablehlo":        # <kind VALUE>
            kind = self.advance()
            found = Enum(kind, self.advance())
            self.take(">")
            return found
        values = {}
        while not self.has(">"):
            key = self.advance()
            self.take("=")
            values[key] = self.lengths() if self.word == "[" else int(self.advance())
            self.has(",")
        if name == "#stablehlo.output_operand_alias":
            return Alias(values["output_tuple_indices"], values["operand_index"], values["operand_tuple_indices"])
        return values

    def _array(self) -> Numbers:
        self.take("array")
        self.take("<")
        element = self.advance()
        values = []
        if self.has(":"):
            while self.word != ">":
                values.append(self.length(",>"))
                self.has(",")
        self.take(">")
        return Numbers(tuple([v == "true" if element == "i1" else v for v in values]), element)

    def dense(self) -> Any:
        """`dense<...> : type`; numbers of axes by name, where lengths are expressions."""
        self.take("dense")
        start = self.place - len(self.word)
        depth, place, quoted = 0, start, False
        while True:
            char = self.text[place]
            if char == '"':
                quoted = not quoted
            if not quoted:
                depth += (char == "<") - (char == ">")
            place += 1
            if not depth:
                break
        inside = self.text[start + 1 : place - 1]
        self.place = place
        self.advance()
        self.take(":")
        return self._constant(inside, self.type())

    def _constant(self, text: str, of: TensorType) -> Any:
        dtype = dtype_of(of.element)
        if of.element == "index":
            numbers = re.findall(r"-?\d+", text)
            return Numbers(tuple(map(int, numbers)), "index")
        if text.startswith('"#'):
            return dense_of(self.constants[int(text[2:-1])])
        if text.startswith('"0x'):
            return dense_of(np.frombuffer(bytes.fromhex(text[3:-1]), dtype).reshape(of.shape))
        if of.element == "i64" and any(c.isalpha() for c in text):      # padding of expressions
            inner = Lexer(text, self.dimension)
            rows = inner.several(inner.lengths)
            return tuple(rows)
        words = re.findall(r"[^][,()\s]+", text)
        values = _complex(words, dtype) if dtype.kind == "c" else np.array([_element(w, dtype) for w in words])
        values = values.astype(dtype) if len(words) else np.zeros(0, dtype)
        size = 1
        for n in of.shape:
            size = size * n
        if len(values) == 1 and (not isinstance(size, int) or size != 1):
            one = dense_of(values)
            return Dense(of, (b"\xff" if values[0] else b"\0") if dtype.kind == "b" else one.data)
        return dense_of(values.reshape(of.shape))


def _complex(words: list[str], dtype) -> np.ndarray:
    part = np.dtype(np.float32 if dtype == np.complex64 else np.float64)
    flat = np.array([_element(w, part) for w in words], part)
    return flat.view(dtype)


def _element(word: str, dtype: np.dtype) -> Any:
    """Return a number as text; where it is hexadecimal, its bits."""
    if word in ("true", "false"):
        return word == "true"
    if word.startswith("0x") and dtype.kind not in "iu":
        raw = bytes.fromhex(word[2:])[::-1]
        return np.frombuffer(raw, dtype)[0]
    if dtype.kind in "iub" or dtype.name.startswith(("int", "uint")):
        return int(word)
    return dtype.type(float(word))


def unquoted(text: str) -> str:
    """Return a string of the text without its quotes and escapes."""
    def plain(match):
        return bytes([int(match[1], 16)]) if match[1] else match[2]

    data = re.sub(rb"\\(?:([0-9A-F]{2})|(.))", plain, text[1:-1].encode())
    return data.decode("utf8", "surrogateescape")
