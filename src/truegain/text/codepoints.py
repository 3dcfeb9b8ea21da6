"""All lines of a text as one array of code points, and what kind of character each code point is."""

from __future__ import annotations

import string
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
