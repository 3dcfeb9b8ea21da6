"""Sets of segments with hypotheses: what is read, and what weights choose of it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run, System
from truegain.engines.engine import Engine
from truegain.errors import InputError
from truegain.executors.over import Workers
from truegain.experiment import Experiment
from truegain.experiment.observed import Observed
from truegain.inputs import IN_MEMORY, InputFile
from truegain.metrics.base import Metric
from truegain.notes import Note
from truegain.readers.any_format import read_text
from truegain.readers.formats import is_regular_file
from truegain.readers.hypotheses import Hypotheses, read_hypotheses
from truegain.resampling.units import Units
from truegain.rows import Count, Row, field
from truegain.statistics import Block, SegmentStatistics
from truegain.statistics.resemblance import resemblance_notes, unlike
from truegain.tuning.lists import Lists
from truegain.tuning.oracle import oracle

DEVELOPMENT = "dev"
_RESAMPLES = 1_000  # of segments, for the spread over test sets


class TunedSet(Row):
    """Test set whose outputs were chosen by the weights."""

    name: Annotated[str, field('Its name; "dev" for the development set.', show="text")]
    segments: Annotated[Count, field("The number of segments.")]
    hypotheses: Annotated[Count, field("The number of hypotheses.")]
    first: Annotated[
        float | None,
        field(
            "The score of the hypotheses with the highest totals in the lists; none without these, or references.",
            "1-best",
            "score",
        ),
    ]
    best: Annotated[
        float | None,
        field(
            "The score of the best hypotheses that a greedy search found; none without references.", "oracle", "score"
        ),
    ]
    worst: Annotated[float | None, field("The score of the worst.", show="score")]
    s_sel: Annotated[
        float | None,
        field(
            "Over test sets: the mean over runs of the bootstrap's standard deviation; none without references, or "
            "with one segment.",
            "s_sel",
            "score",
        ),
    ]


@dataclass(frozen=True)
class TuningSet:
    """A set of segments with hypotheses; without references there are no statistics, and outputs only."""

    name: str
    hypotheses: Hypotheses
    references: tuple[tuple[str, ...], ...]
    lists: Lists
    files: tuple[InputFile, ...]

    @property
    def segments(self) -> int:
        """The number of segments."""
        return len(self.hypotheses.edges) - 1

    def is_same(self, other: TuningSet) -> bool:
        """Return whether both have the same references, or the same hypotheses."""
        texts = self.hypotheses.texts == other.hypotheses.texts
        return texts or (bool(self.references) and self.references == other.references)

    def outputs(self, weights: NDArray[np.float64]) -> list[str]:
        """Return the text that the weights choose for each segment; an empty one if there is none."""
        outputs = [""] * self.segments
        filled = np.flatnonzero(np.diff(self.hypotheses.edges)).tolist()
        for segment, row in zip(filled, self.lists.best(weights).tolist(), strict=True):
            outputs[segment] = self.hypotheses.texts[row]
        return outputs

    def score(self, weights: NDArray[np.float64]) -> float | None:
        """Return the score of the outputs that the weights choose; none without references."""
        return self.lists.score(weights) if self.references else None

    def notes(self, key: str, weights: NDArray[np.float64]) -> list[Note]:
        """Return what is to know of the hypotheses, and of what the weights choose if there are references."""
        if not self.references:
            return [*self.hypotheses.notes]
        advise = getattr(self.lists.metric, "advice", lambda *_: ())
        scored = self._scored(key, [weights])
        doubts = resemblance_notes(scored.corpus, scored.statistics)
        return [*self.hypotheses.notes, *doubts, *advise(self.outputs(weights), self.hypotheses.name)]

    def described(self, key: str, weights: Sequence[NDArray[np.float64]], seed: int, jobs: int) -> TunedSet:
        """Return the set with the first hypotheses, the oracles, and the spread of the runs over test sets."""
        first = best = worst = s_sel = None
        if self.references:
            s_sel = self._spread(key, weights, seed, jobs) if self.segments > 1 else None
            best, worst = (self._score(oracle(self.lists, worst=lowest)) for lowest in (False, True))
            if self.hypotheses.totals is not None:
                totals = replace(self.lists, features=np.ascontiguousarray(self.hypotheses.totals[:, None]))
                first = self._score(totals.best(np.ones(1)))
        return TunedSet(self.name, self.segments, len(self.hypotheses.texts), first, best, worst, s_sel)

    def _spread(self, key: str, weights: Sequence[NDArray[np.float64]], seed: int, jobs: int) -> float:
        """Return the standard deviation of a run's score over resampled segments, the mean over runs."""
        scored = self._scored(key, weights)
        experiment = Experiment(scored.corpus, scored.statistics, scored.units, Engine(Workers(jobs)), seed, ())
        return float(experiment.run_deviations(_RESAMPLES).mean())

    def _scored(self, key: str, weights: Sequence[NDArray[np.float64]]) -> Observed:
        """Return the outputs of each run, scored."""
        filled = np.diff(self.hypotheses.edges) > 0
        values = np.empty((self.segments, len(weights), self.lists.statistics.shape[1]))
        values[~filled] = _empty_outputs(self.hypotheses, self.references, self.lists.metric)[:, None]
        for number, of_run in enumerate(weights):
            values[filled, number] = self.lists.statistics[self.lists.best(of_run)]
        runs = tuple(Run(f"{number}", tuple(self.outputs(of_run))) for number, of_run in enumerate(weights, 1))
        block = Block(key, self.lists.metric, 0, (len(runs),))
        names = tuple(file.name for file in self.files if file.role == "reference")
        systems = (System("tuned", runs),)
        return Observed(
            Corpus(self.name, self.segments, self.references, systems, reference_names=names),
            SegmentStatistics(values.reshape(self.segments, -1), (block,)),
            Units.segments(self.segments),
        )

    def _score(self, rows: NDArray[np.int64]) -> float:
        return float(self.lists.metric.score(self.lists.statistics[rows].sum(axis=0) + self.lists.rest))


def read_set(name: str, nbest: Any, references: Any, metric: Metric, features: Sequence[str]) -> TuningSet:
    """Read the references and the hypotheses of a set."""
    named = _sides(references)
    if not named:
        raise InputError(f"there is no reference of {name}")
    sides = tuple(lines for _, lines in named)
    if len({len(side) for side in sides}) > 1:
        counts = ", ".join(str(len(side)) for side in sides)
        raise InputError(f"references have different numbers of segments: {counts}")
    hypotheses = _read(nbest, len(sides[0]), features)
    files = (*(InputFile(file, "reference", len(lines)) for file, lines in named), _file(hypotheses, name))
    return TuningSet(name, hypotheses, sides, _lists(hypotheses, sides, metric), files)


def _file(hypotheses: Hypotheses, name: str) -> InputFile:
    return InputFile(hypotheses.name, "hypotheses", len(hypotheses.texts), name)


def applied_set(name: str, given: Any, metric: Metric, features: Sequence[str]) -> TuningSet:
    """Read a test set that weights are applied to; without references there are outputs only."""
    if not name or name == DEVELOPMENT or os.sep in name or not name.isprintable():
        raise InputError(f"a test set cannot be named {name!r}", hint=f"{DEVELOPMENT} is the development set")
    if isinstance(given, tuple):
        nbest, references = given
        return read_set(name, nbest, references, metric, features)
    hypotheses = _read(given, None, features)
    return TuningSet(name, hypotheses, (), _lists(hypotheses, (), metric), (_file(hypotheses, name),))


def _read(nbest: Any, segments: int | None, features: Sequence[str]) -> Hypotheses:
    """Read hypotheses; refuse those of several sentences under one id."""
    paths = [nbest] if isinstance(nbest, str | os.PathLike) else list(nbest)
    if not paths:
        raise InputError("there is no file of hypotheses")
    hypotheses = read_hypotheses([os.fspath(path) for path in paths], segments, features)
    if hypotheses.apart and unlike(*zip(*hypotheses.apart, strict=True)):
        raise InputError(
            f"{len(hypotheses.apart):,} ids come again, with hypotheses of other sentences: ids count the segments of "
            "the whole set",
            path=hypotheses.name,
            hint="number parts of a set one after the other; lists that are merged are of the same sentences",
        )
    return hypotheses


def _sides(references: Any) -> list[tuple[str, tuple[str, ...]]]:
    """Return references with their names: of files, of a sequence of segments, or of several of either."""
    if isinstance(references, str | os.PathLike):
        path = os.fspath(references)
        return [(path, tuple(read_text(path).lines))]
    parts = list(references)
    if parts and all(isinstance(part, str) for part in parts):
        missing = [part for part in parts if not is_regular_file(part)]
        if len(missing) == len(parts) or any(len(part.split()) != 1 for part in missing):
            return [(IN_MEMORY, tuple(parts))]
        if missing:
            hint = "references are files or segments, not both"
            raise InputError("there is no such file", path=missing[0], hint=hint)
    return [side for part in parts for side in _sides(part)]


def _lists(hypotheses: Hypotheses, sides: Sequence[Sequence[str]], metric: Metric) -> Lists:
    sizes = np.diff(hypotheses.edges)
    edges = np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64)
    rest = np.zeros(len(metric.statistic_names))
    statistics = np.zeros((len(hypotheses.texts), len(rest)))
    if sides:
        segments = np.repeat(np.arange(len(sizes)), sizes).tolist()
        wanted = [[side[i] for i in segments] for side in sides]
        statistics = np.asarray(metric.statistics(list(hypotheses.texts), wanted), np.float64)
        rest = _empty_outputs(hypotheses, sides, metric).sum(axis=0)
    return Lists(edges, np.ascontiguousarray(hypotheses.values), statistics, rest, metric)


def _empty_outputs(hypotheses: Hypotheses, sides: Sequence[Sequence[str]], metric: Metric) -> NDArray[np.float64]:
    """Return the statistics of the segments without a hypothesis."""
    empty = np.flatnonzero(np.diff(hypotheses.edges) == 0).tolist()
    if not empty:
        return np.zeros((0, len(metric.statistic_names)))
    return np.asarray(metric.statistics([""] * len(empty), [[side[i] for i in empty] for side in sides]), np.float64)


def digest_of(sets: Sequence[TuningSet]) -> str:
    """Return a digest of all that was read."""
    total = hashlib.sha256()
    for tuning_set in sets:
        hypotheses = tuning_set.hypotheses
        texts = (tuning_set.name, hypotheses.features, hypotheses.texts, tuning_set.references)
        total.update(json.dumps(texts).encode())
        total.update(hypotheses.values.tobytes())
        total.update(hypotheses.edges.tobytes())
    return total.hexdigest()[:16]
