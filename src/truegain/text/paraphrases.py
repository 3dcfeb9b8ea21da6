"""A table of paraphrases, and of its millions of entries those that can match in the texts at hand."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.kernels import phrases, run
from truegain.text.words import Sequences

_READ = 1 << 24
_FEWEST_SLOTS = 1 << 15  # to find most slots empty makes a search of millions of phrases three times as fast


@dataclass(frozen=True)
class Occurrences:
    """Places of phrases: rows of start, length and number; those of text ``i`` begin at ``offsets[i]``."""

    rows: NDArray[np.int32]
    offsets: NDArray[np.int64]


@dataclass(frozen=True)
class Paraphrases:
    """The entries of a table that have a phrase of some reference on either side.

    Attributes
    ----------
    longest : int
        The most words of a phrase.
    slots, numbers : arrays
        A hash table of the fingerprints of phrases, and the numbers of these.
    forward, forward_offsets : arrays
        The paraphrases of a phrase, in the order of the table.
    backward, backward_offsets : arrays
        The same for phrases of hypotheses.
    """

    longest: int
    slots: NDArray[np.uint64]
    numbers: NDArray[np.int32]
    forward: NDArray[np.int32]
    forward_offsets: NDArray[np.int64]
    backward: NDArray[np.int32]
    backward_offsets: NDArray[np.int64]

    @classmethod
    def none(cls) -> Paraphrases:
        """Return a table without paraphrases."""
        return _indexed(np.empty((0, 2), np.uint64), np.empty(0, np.uint8), 0)

    def find(self, texts: Sequences, prints: NDArray[np.uint64]) -> Occurrences:
        """Find the phrases with paraphrases in texts."""
        offsets = np.zeros(texts.offsets.size, np.int64)
        if self.numbers.size == 0:
            return Occurrences(np.empty((0, 3), np.int32), offsets)
        rows = np.empty((texts.symbols.size * self.longest, 3), np.int32)
        nothing = np.empty(0, np.uint64)
        arguments = (texts.symbols, texts.offsets, prints, self.longest, self.slots, self.numbers, rows, offsets)
        count = run(phrases.spans, *arguments, nothing)
        return Occurrences(rows[:count].copy(), offsets)


@dataclass(frozen=True)
class PhraseTable:
    """All entries of a table, as fingerprints, in its order.

    Attributes
    ----------
    firsts, ends : arrays
        The first phrase of each run of entries that share it, and where the run ends.
    seconds : array
        The paraphrase of each entry.
    longest : int
        The most words of a phrase.
    """

    firsts: NDArray[np.uint64]
    ends: NDArray[np.int64]
    seconds: NDArray[np.uint64]
    longest: int

    @classmethod
    def read(cls, path: Path) -> PhraseTable:
        """Read a table, compressed or not."""
        firsts, ends, seconds = [np.empty(0, np.uint64)], [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
        counts = np.zeros(3, np.int64)
        size = 0
        rest = b""
        try:
            with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
                while block := stream.read(_READ):
                    text = np.frombuffer(rest + block, np.uint8)
                    pairs = np.empty((text.size // 6 + 1, 2), np.uint64)
                    run(phrases.entries, text, pairs, counts)
                    rest = text[counts[1] :].tobytes()
                    first, second = pairs[: counts[0]].T
                    last = np.flatnonzero(np.append(first[1:] != first[:-1], True)[: first.size])  # of its run
                    firsts.append(first[last])
                    ends.append(size + last + 1)
                    seconds.append(second.copy())
                    size += second.size
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"cannot be read as a table of paraphrases: {error}", path=str(path)) from error
        if rest.strip():
            raise InputError(
                "the table of paraphrases ends within an entry",
                path=str(path),
                hint="entries of three lines are expected: a probability, a phrase, its paraphrase",
            )
        return cls(np.concatenate(firsts), np.concatenate(ends), np.concatenate(seconds), int(counts[2]))

    def of(self, references: Sequences, prints: NDArray[np.uint64]) -> Paraphrases:
        """Choose the entries with a phrase of these references, whose words have these fingerprints."""
        longest = min(self.longest, int(np.diff(references.offsets).max(initial=0)))
        slots = _table(_distinct(_all_phrases(references, prints, longest)))[0]
        pairs, sides = np.empty((self.seconds.size, 2), np.uint64), np.empty(self.seconds.size, np.uint8)
        count = run(phrases.wanted, self.firsts, self.ends, self.seconds, slots, pairs, sides)
        return _indexed(pairs[:count], sides[:count], self.longest)


def word_fingerprints(words: Sequence[str]) -> NDArray[np.uint64]:
    """Return fingerprints of words, as the kernel knows them."""
    letters, ends = laid_out(words, "utf-8")
    found = np.empty(len(words), np.uint64)
    run(phrases.fingerprints, np.frombuffer(letters, np.uint8), ends, found)
    return found


def laid_out(texts: Sequence[str], encoding: str) -> tuple[bytes, NDArray[np.int64]]:
    """Encode texts end to end, with lone surrogates as they are; return the bytes, and where each text ends."""
    size = len("a".encode(encoding))
    # Most are of ASCII: to encode each alone would take many times as long.
    lengths = [size * len(one) if one.isascii() else len(one.encode(encoding, "surrogatepass")) for one in texts]
    return "".join(texts).encode(encoding, "surrogatepass"), np.cumsum(lengths, dtype=np.int64)


def _all_phrases(texts: Sequences, prints: NDArray[np.uint64], longest: int) -> NDArray[np.uint64]:
    hashes = np.empty(texts.symbols.size * longest, np.uint64)
    count = run(
        phrases.spans,
        texts.symbols,
        texts.offsets,
        prints,
        longest,
        np.empty(0, np.uint64),
        np.empty(0, np.int32),
        np.empty((0, 3), np.int32),
        np.zeros(texts.offsets.size, np.int64),
        hashes,
    )
    return hashes[:count]


def _table(prints: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return a hash table of distinct fingerprints, at most half full, and their numbers."""
    slots = np.zeros(max(_FEWEST_SLOTS, 1 << int(2 * prints.size).bit_length()), np.uint64)
    numbers = np.zeros(slots.size, np.int32)
    run(phrases.occupy, prints, slots, numbers)
    return slots, numbers


def _distinct(prints: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return distinct fingerprints, ascending; numpy's ``unique`` loads its masked arrays, which takes longer."""
    ordered = np.sort(prints, axis=None)
    found: NDArray[np.uint64] = ordered[np.append(True, ordered[1:] != ordered[:-1])[: ordered.size]]
    return found


def _indexed(pairs: NDArray[np.uint64], sides: NDArray[np.uint8], longest: int) -> Paraphrases:
    known = _distinct(pairs)
    slots, numbers = _table(known)
    numbered = np.empty(pairs.shape, np.int32)
    run(phrases.look_up, pairs.ravel(), slots, numbers, numbered.reshape(-1))
    lists: list[NDArray[np.int32] | NDArray[np.int64]] = []
    for side in (1, 2):
        entries = numbered[(sides & side) > 0]
        entries = entries[np.argsort(entries[:, 0], kind="stable")]
        lists += [np.ascontiguousarray(entries[:, 1]), np.searchsorted(entries[:, 0], np.arange(known.size + 1))]
    forward, forward_offsets, backward, backward_offsets = lists
    return Paraphrases(
        longest,
        slots if known.size else np.empty(0, np.uint64),
        numbers if known.size else np.empty(0, np.int32),
        forward.astype(np.int32),
        forward_offsets.astype(np.int64),
        backward.astype(np.int32),
        backward_offsets.astype(np.int64),
    )
