"""Mistakes of systems: which words of a text they spoil, and how.

The model
---------
All systems start from the same faultless translation, a rendering of its own beside the references. A word is
spoiled when a normal variate exceeds the threshold of its segment:

* a system renders a word of a segment without a mistake with probability
  ``sigmoid(intercept - DIFFICULTY_SD * difficulty + offset)``;
* ``difficulty`` is standard normal, correlated by ``correlation`` between systems and by
  ``document_correlation`` between segments of a document;
* ``offset`` belongs to the run: normal with standard deviation ``run_sd``;
* the intercept is such that the expected share of faultless words, over segments and runs, is the quality;
* the variates of a word are correlated by ``correlation`` between systems (a Gaussian copula) and more strongly
  between runs of a system.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from benchmarks.simulation.mistakes import split_sentence, spoil

# Spread of the segments' difficulty in logits.
DIFFICULTY_SD = 0.5
# Of what two systems do not share, the part that two runs of one system do share.
RUN_LIKENESS = 0.5

_TEXT, _DIFFICULTY, _WORDS, _SYSTEM = range(4)

Floats = NDArray[np.float64]


def text_streams(seed: int, *, renderings: int) -> list[np.random.Generator]:
    """Return the stream that plans the text and one for each rendering of it."""
    return [_stream(seed, _TEXT), *(_stream(seed, _TEXT, number) for number in range(1, renderings + 1))]


def _stream(seed: int, *key: int) -> np.random.Generator:
    """Return the stream of random numbers that belongs to a key, independent of all others."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def _name_key(name: str) -> tuple[int, ...]:
    """Turn a name into numbers, so that a system's stream does not depend on its place among the systems."""
    digest = hashlib.sha256(name.encode()).digest()
    return tuple(int.from_bytes(digest[start : start + 4], "big") for start in range(0, 16, 4))


@dataclass(frozen=True, slots=True)
class _WordDraws:
    """For each word: the variate that decides whether it is spoiled, and the numbers that decide how."""

    spoiled: Floats
    kind: Floats
    detail: Floats

    @classmethod
    def draw(cls, stream: np.random.Generator, words: int) -> _WordDraws:
        return cls(stream.standard_normal(words), stream.random(words), stream.random(words))


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The words that a run spoils, counted through the whole text, and the numbers that decide how."""

    words: NDArray[np.intp]
    kind: Floats
    detail: Floats


class Scene:
    """The text to translate and all that is common to the systems.

    Parameters
    ----------
    translation : sequence of str
        The faultless translation of each segment.
    documents : sequence of str
        The document of each segment.
    correlation, document_correlation, run_sd, seed
        As in `benchmarks.simulation.simulate`.
    """

    def __init__(
        self,
        *,
        translation: Sequence[str],
        documents: Sequence[str],
        correlation: float,
        document_correlation: float,
        run_sd: float,
        seed: int,
    ) -> None:
        self.translation = translation
        self.sentences = [split_sentence(text) for text in translation]
        lengths = np.array([len(sentence.words) for sentence in self.sentences])
        self.starts = np.concatenate(([0], np.cumsum(lengths)))
        self.segment_of_word = np.repeat(np.arange(len(lengths)), lengths)
        self.document_of_segment = np.unique(np.array(documents), return_inverse=True)[1].reshape(-1)
        self.correlation = correlation
        self.document_correlation = document_correlation
        self.run_sd = run_sd
        self.seed = seed
        self.difficulty = self._difficulty(_stream(seed, _DIFFICULTY))
        words = _stream(seed, _WORDS)
        self.words = _WordDraws.draw(words, len(self.segment_of_word))
        # Decides for a word whether systems that spoil it do so in the same way.
        self.likeness = words.random(len(self.segment_of_word))

    def _difficulty(self, stream: np.random.Generator) -> Floats:
        by_document = stream.standard_normal(self.document_of_segment.max() + 1)[self.document_of_segment]
        by_segment = stream.standard_normal(len(self.document_of_segment))
        return _blend(self.document_correlation, by_document, by_segment)

    def outputs(self, *, name: str, quality: float, runs: int) -> tuple[tuple[str, ...], ...]:
        """Return the segments of each run of a system."""
        return tuple(self._spoil(mistakes) for mistakes in self.mistakes(name=name, quality=quality, runs=runs))

    def mistakes(self, *, name: str, quality: float, runs: int) -> list[Mistakes]:
        """Return the mistakes of each run of a system."""
        key = _name_key(name)
        stream = _stream(self.seed, _SYSTEM, *key)
        difficulty = _blend(self.correlation, self.difficulty, self._difficulty(stream))
        own = _WordDraws.draw(stream, len(self.segment_of_word))
        ease = intercept(quality, math.hypot(DIFFICULTY_SD, self.run_sd)) - DIFFICULTY_SD * difficulty
        return [self._run(ease, own, _stream(self.seed, _SYSTEM, *key, number)) for number in range(1, runs + 1)]

    def _run(self, ease: Floats, own: _WordDraws, stream: np.random.Generator) -> Mistakes:
        offset = self.run_sd * stream.standard_normal()
        run = _WordDraws.draw(stream, len(self.segment_of_word))
        shared, common = self.words, self.correlation
        spoiled = _blend(common, shared.spoiled, _blend(RUN_LIKENESS, own.spoiled, run.spoiled))
        wrong = np.flatnonzero(spoiled > thresholds(ease + offset)[self.segment_of_word])
        alike = self.likeness[wrong]
        levels = [alike < common, alike < common + (1 - common) * RUN_LIKENESS]
        return Mistakes(
            words=wrong,
            kind=np.select(levels, [shared.kind[wrong], own.kind[wrong]], run.kind[wrong]),
            detail=np.select(levels, [shared.detail[wrong], own.detail[wrong]], run.detail[wrong]),
        )

    def _spoil(self, made: Mistakes) -> tuple[str, ...]:
        texts = list(self.translation)
        positions = made.words - self.starts[self.segment_of_word[made.words]]
        mistakes = list(zip(positions.tolist(), made.kind.tolist(), made.detail.tolist(), strict=True))
        bounds = np.searchsorted(made.words, self.starts).tolist()
        for index, sentence in enumerate(self.sentences):
            first, last = bounds[index], bounds[index + 1]
            if first < last:
                texts[index] = spoil(sentence, mistakes[first:last])
        return tuple(texts)


def _blend(share: float, common: Floats, own: Floats) -> Floats:
    """Mix two standard normal variates into one whose correlation with others of its kind is the share."""
    return math.sqrt(share) * common + math.sqrt(1 - share) * own


@cache
def intercept(quality: float, spread: float) -> float:
    """Return the logit at which the mean of ``sigmoid(logit + spread * normal)`` is the quality."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(101)
    weights = weights / weights.sum()
    low, high = -60.0, 60.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if float(weights @ _sigmoid(middle + spread * nodes)) < quality else (low, middle)
    return (low + high) / 2


def thresholds(ease: Floats) -> Floats:
    """Return, per segment, the value that a standard normal variate exceeds as often as a word is spoiled."""
    inverse = NormalDist().inv_cdf
    probabilities = np.clip(_sigmoid(ease), 1e-12, 1 - 1e-12)
    return np.array([inverse(probability) for probability in probabilities.tolist()])


def _sigmoid(values: Floats) -> Floats:
    return 0.5 * (1 + np.tanh(values / 2))
