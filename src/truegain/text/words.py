"""Words as numbers: spans of a text, and the vocabulary that numbers them."""

from __future__ import annotations

import itertools
import string
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.kernels import run, tokens

#: Bits of what a character can be; the kernels of words know them by these numbers.
BLANK, SYMBOL, DIGIT, STOP, HYPHEN, PUNCTUATION = 1, 2, 4, 8, 16, 32

# The characters that mteval-v13a sets apart wherever they stand: the punctuation of ASCII but for ' , - and .
_SYMBOLS = '{|}~[\\]^_`!"#$%&()*+:;<=>?@/'


@cache
def character_classes() -> NDArray[np.uint8]:
    """Return class bits of the code points up to U+3000, the last white space of Unicode."""
    classes = np.zeros(0x3001, np.uint8)
    classes[[code for code, letter in enumerate(map(chr, range(classes.size))) if letter.isspace()]] = BLANK
    for characters, bit in (
        (_SYMBOLS, SYMBOL),
        (string.digits, DIGIT),
        (".,", STOP),
        ("-", HYPHEN),
        (string.punctuation, PUNCTUATION),  # what chrF++ cuts off the ends of words
    ):
        classes[[ord(character) for character in characters]] |= bit
    classes.flags.writeable = False
    return classes


class CodePoints(NamedTuple):
    """Lines laid end to end, each followed by one separator.

    Attributes
    ----------
    text : array of uint32
        The code points.
    bounds : array of int64
        Line ``i`` is ``text[bounds[i] : bounds[i + 1] - 1]``.
    """

    text: NDArray[np.uint32]
    bounds: NDArray[np.int64]

    @classmethod
    def of(cls, lines: Sequence[str]) -> CodePoints:
        """Lay out the lines; lone surrogates and embedded newlines are characters like any other."""
        bounds = np.zeros(len(lines) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, lines), np.int64, len(lines)) + 1, out=bounds[1:])
        encoded = ("\n".join(lines) + "\n").encode("utf-32-le", "surrogatepass")
        return cls(np.frombuffer(encoded, np.uint32), bounds)


class Spans(NamedTuple):
    """The words of a text: ``source.text[starts[t] : ends[t]]`` is one; those of line ``i`` begin at ``offsets[i]``."""

    source: CodePoints
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def texts(self) -> list[list[str]]:
        """Return the words of each line as strings."""
        words = _texts(self.source, self.starts, self.ends)
        edges = self.offsets.tolist()
        return [words[a:b] for a, b in itertools.pairwise(edges)]

    def word(self, number: int) -> str:
        """Return one word as a string."""
        letters = self.source.text[self.starts[number] : self.ends[number]]
        return letters.tobytes().decode("utf-32-le", "surrogatepass")


class Sequences(NamedTuple):
    """Integer sequences end to end: sequence ``i`` is ``symbols[offsets[i] : offsets[i + 1]]``."""

    symbols: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of symbols in each sequence."""
        return np.diff(self.offsets)


def split_13a(source: CodePoints) -> Spans:
    """Split as mteval-v13a does, once entities are resolved (see :mod:`truegain.text.tokenizers`)."""
    starts, ends, offsets = _room(source)
    count = run(tokens.split_13a, source.text, source.bounds, character_classes(), starts, ends, offsets)
    return Spans(source, starts[:count], ends[:count], offsets)


def split_blanks(source: CodePoints, *, detach_punctuation: bool = False) -> Spans:
    """Split at white space; optionally take one punctuation mark off each word, as chrF++ does."""
    starts, ends, offsets = _room(source)
    classes = character_classes()
    count = run(tokens.split_blanks, source.text, source.bounds, classes, detach_punctuation, starts, ends, offsets)
    return Spans(source, starts[:count], ends[:count], offsets)


def split_alphanumeric(source: CodePoints) -> Spans:
    """Split at all but a to z and 0 to 9, as ROUGE does once the text is in lowercase."""
    starts, ends, offsets = _room(source)
    count = run(tokens.split_blanks, source.text, source.bounds, _not_alphanumeric(), False, starts, ends, offsets)
    return Spans(source, starts[:count], ends[:count], offsets)


@cache
def _not_alphanumeric() -> NDArray[np.uint8]:
    classes = np.full(0x110000, BLANK, np.uint8)
    classes[[ord(character) for character in "abcdefghijklmnopqrstuvwxyz0123456789"]] = 0
    classes.flags.writeable = False
    return classes


def characters(source: CodePoints, *, keep_blanks: bool) -> Sequences:
    """Return the code points of each line, with or without white space."""
    symbols = np.empty(source.text.size, np.int32)
    offsets = np.empty(source.bounds.size, np.int64)
    count = run(tokens.squeeze, source.text, source.bounds, character_classes(), symbols, offsets, keep_blanks)
    return Sequences(symbols[:count], offsets)


def _room(source: CodePoints) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Allocate space for as many words as there are characters, and for the line offsets."""
    return (
        np.empty(source.text.size, np.int64),
        np.empty(source.text.size, np.int64),
        np.empty(source.bounds.size, np.int64),
    )


def _texts(source: CodePoints, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[str]:
    text = source.text.tobytes().decode("utf-32-le", "surrogatepass")
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


class Vocabulary:
    """The words of a text, numbered from 0 in the order of their first appearance."""

    def __init__(self, spans: Spans) -> None:
        self._source = spans.source
        self._starts = np.empty(spans.starts.size, np.int64)
        self._ends = np.empty(spans.starts.size, np.int64)
        # Half full at most, so that chains of occupied slots stay short.
        self._slots = np.full(1 << max(4, int(2 * spans.starts.size).bit_length()), -1, np.int32)
        symbols = np.empty(spans.starts.size, np.int32)
        text = spans.source.text
        self._size = run(
            tokens.intern, text, spans.starts, spans.ends, text, self._starts, self._ends, self._slots, 0, True, symbols
        )
        self.sequences = Sequences(symbols, spans.offsets)

    def __len__(self) -> int:
        return int(self._size)

    def words(self) -> list[str]:
        """Return the words, by their numbers."""
        return _texts(self._source, self._starts[: self._size], self._ends[: self._size])

    def look_up(self, spans: Spans) -> Sequences:
        """Return the numbers of another text's words; those not known here get -1."""
        symbols = np.empty(spans.starts.size, np.int32)
        run(
            tokens.intern,
            spans.source.text,
            spans.starts,
            spans.ends,
            self._source.text,
            self._starts,
            self._ends,
            self._slots,
            self._size,
            False,
            symbols,
        )
        return Sequences(symbols, spans.offsets)
