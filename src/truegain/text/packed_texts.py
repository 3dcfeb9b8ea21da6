"""Texts by their keys in one array, of which only those that are asked for become strings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from truegain.text.paraphrases import laid_out, word_fingerprints


@dataclass(frozen=True)
class PackedTexts:
    """A dictionary of texts that need not be built to be looked into.

    Attributes
    ----------
    prints : array
        The fingerprints of the keys, ascending.
    ends : array
        Where each key and each text ends.
    letters : array
        Keys and texts in turn, as UTF-8, filled up to whole numbers of eight bytes.
    """

    prints: NDArray[np.uint64]
    ends: NDArray[np.int64]
    letters: NDArray[np.int64]

    @classmethod
    def pack(cls, texts: Mapping[str, str]) -> PackedTexts:
        """Pack a dictionary."""
        keys = list(texts)
        prints = word_fingerprints(keys)
        order = np.argsort(prints, kind="stable")
        letters, ends = laid_out([one for i in order.tolist() for one in (keys[i], texts[keys[i]])], "utf-8")
        return cls(prints[order], ends, np.frombuffer(letters + bytes(-len(letters) % 8), np.int64))

    @property
    def array(self) -> NDArray[np.int64]:
        """All of it as one array: how many keys there are, and the three attributes."""
        return np.concatenate([[self.prints.size], self.prints.view(np.int64), self.ends, self.letters])

    @classmethod
    def from_array(cls, array: NDArray[np.int64]) -> PackedTexts | None:
        """Return what :attr:`array` was made of; None if it cannot have been made so."""
        count = int(array[0]) if array.size else -1
        if not 0 <= 3 * count <= array.size - 1:
            return None
        keys, ends, letters = np.split(array[1:], [count, 3 * count])
        size = int(ends[-1]) if count else 0
        if letters.size != -(-size // 8) or (ends[:1] < 0).any():
            return None
        prints = keys.view(np.uint64)
        rising = all((one[1:] >= one[:-1]).all() for one in (prints, ends))
        return cls(prints, ends, letters) if rising else None

    def find(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the texts of those keys that there are."""
        wanted = list(keys)
        prints = word_fingerprints(wanted)
        first = np.searchsorted(self.prints, prints, "left")
        behind = np.searchsorted(self.prints, prints, "right")
        letters = self.letters.view(np.uint8).data
        found: dict[str, str] = {}
        for i in np.flatnonzero(first < behind).tolist():
            for place in range(first[i], behind[i]):  # others may have the same fingerprint
                start = self.ends[2 * place - 1] if place else 0
                middle, end = self.ends[2 * place : 2 * place + 2]
                if letters[start:middle] == wanted[i].encode("utf-8", "surrogatepass"):
                    found[wanted[i]] = bytes(letters[middle:end]).decode("utf-8", "surrogatepass")
        return found
