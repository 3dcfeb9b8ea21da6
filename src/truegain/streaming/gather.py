"""From files to sums: segments are read, scored and folded a piece at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np

from truegain.corpus import Corpus, Run, System
from truegain.errors import FILE, InputError, Setting, command
from truegain.executors.threads import Threads
from truegain.given_texts import check_names, check_no_reference, check_runs, check_twice
from truegain.metrics.base import Metric
from truegain.metrics.lookup import make_metrics
from truegain.metrics.segment_scores import SegmentScores
from truegain.normal_forms import differing_forms, not_composed
from truegain.notes import Note
from truegain.readers.formats import Role
from truegain.readers.look_alikes import check_look
from truegain.readers.orders import check_column_orders
from truegain.readers.score_streams import ScoreLines
from truegain.readers.scores import check_columns
from truegain.readers.sources import short_names
from truegain.readers.streams import LineStream, pieces
from truegain.resampling.design import check_seed
from truegain.statistics import collect
from truegain.statistics.resemblance import resemblance_notes
from truegain.streaming.content import NOTHING, content_after, numbered, row_hashes
from truegain.streaming.fold import Fold
from truegain.streaming.sums import Description, MetricPart, Sums

#: A path, ``-`` for standard input, or the lines themselves.
Given = str | Iterable[str]

_MOST = 10**12


def gather(
    systems: Mapping[str, Sequence[Given]],
    references: Sequence[Given] = (),
    *,
    metrics: Sequence[str | Metric] | Mapping[str, Metric] = ("bleu",),
    documents: Given | None = None,
    first: int = 1,
    resamples: int = 1000,
    seed: int = 12345,
    name: str | None = None,
    jobs: int = 1,
    progress: Callable[[str, int, int], None] | None = None,
) -> Sums:
    """Read segments, score them, and keep only sums.

    Parameters
    ----------
    systems : mapping of str to runs
        The file of each run.
    references : sequence
        One for each reference; none if the files of the systems hold segment scores.
    metrics : sequence of str or Metric
        Any whose statistics of a segment do not depend on other segments.
    documents : file, optional
        The document of each segment; documents become the unit.
    first : int
        The number of the first segment in the whole test set, from 1: what its weights depend on.
    resamples, seed : int
    name : str, optional
        What the test set is called.
    jobs : int
        Threads; the sums do not depend on it.
    progress : callable, optional
        Told what is done, how much since the last call, and how much in all, in bytes.
    """
    _check(systems, first, resamples, jobs)
    check_seed(seed)
    named = make_metrics(metrics)
    for metric in named.values():
        if hasattr(metric, "score_segments"):
            metric.statistics((), ())  # refused: the program would be started for every piece
    sides = [LineStream(one, f"reference {i + 1}") for i, one in enumerate(references)]
    runs = [
        LineStream(one, system if len(given) == 1 else f"{system}.{i + 1}")
        for system, given in systems.items()
        for i, one in enumerate(given)
    ]
    groups = [] if documents is None else [LineStream(documents, "documents")]
    reading = _Reading(tuple(sides), tuple(runs), {system: len(given) for system, given in systems.items()})
    for side, other in combinations(sides, 2):
        check_twice(side.name, other.name)
    for run, side in product(runs, sides):
        check_no_reference(run.name, side.name)
    scores = _read_as_scores(named, sides)
    columns = [ScoreLines(run) for run in runs] if scores else None
    streams = [*sides, *runs, *groups]
    report = _Reporter(streams, progress)
    fold: Fold | None = None
    number = first - 1
    tally = _Tally(len(sides), len(runs), texts=not scores)
    advice: list[Note] = []
    doubts = [] if scores else [*_doubts(sides, "reference"), *_doubts(runs, "system")]
    for rows in pieces(streams):
        lines = list(zip(*rows, strict=True))
        corpus = reading.corpus(lines, columns, number - (first - 1))
        if fold is None:
            named = {key: _settled(metric, corpus) for key, metric in named.items()}
            described = _described(named, reading, resamples, seed, by_document=documents is not None)
            fold = Fold(described, jobs=jobs)
            advice = _advice(named, corpus)
        statistics = collect(corpus, named, executor=Threads(jobs))
        if number == first - 1:
            doubts += resemblance_notes(corpus, statistics)
        fold.add(statistics.values, number, _documents(lines[-1], groups[0], number) if groups else None)
        tally.add(rows, lines, number)
        number += len(rows)
        report()
    if fold is None:
        raise InputError("there are no segments")
    check_column_orders((run.name, one.orders) for run, one in zip(runs, columns or (), strict=False))
    return fold.sums(
        name=name or (short_names([sides[0].name])[0] if sides else "segment scores"),
        run_names=[run.name for run in runs],
        fingerprint=tally.fingerprint,
        content=tally.content,
        notes=[*doubts, *advice, *(note for stream in streams for note in stream.notes())],
        empty=tally.empty,
        copied=tally.copied,
        forms=tally.forms,
    )


class _Tally:
    """Properties of the segments: their fingerprint, and how many are empty, or a reference's."""

    def __init__(self, sides: int, runs: int, *, texts: bool) -> None:
        self.fingerprint = 0
        self.content = NOTHING
        self.empty = np.zeros(sides + runs, np.int64)
        self.copied = np.zeros((sides, runs), np.int64)
        self.forms = np.zeros((sides, runs), np.int64)
        self._texts = texts

    def add(self, rows: Sequence[tuple[str, ...]], lines: Sequence[tuple[str, ...]], number: int) -> None:
        """Count a piece, whose first segment has the number; its lines are the rows, file by file."""
        hashes = row_hashes(rows)
        self.fingerprint = (self.fingerprint + numbered(hashes, number)) % 2**64
        self.content = content_after(self.content, hashes)
        if self._texts:
            sides, ends = len(self.copied), self.empty.size
            self.empty += [sum(not line.strip() for line in one) for one in lines[:ends]]
            self.copied += [[_equal(one, side) for one in lines[sides:ends]] for side in lines[:sides]]
            odd = [not_composed(one) for one in lines[:ends]]
            if any(odd):
                self.forms += [
                    [differing_forms(lines[run], lines[side], [*odd[run], *odd[side]]) for run in range(sides, ends)]
                    for side in range(sides)
                ]


@dataclass(frozen=True)
class _Reading:
    """Streams to read, and whose lines they are."""

    sides: tuple[LineStream, ...]
    runs: tuple[LineStream, ...]
    counts: Mapping[str, int]

    def corpus(self, lines: Sequence[tuple[str, ...]], columns: Sequence[ScoreLines] | None, before: int) -> Corpus:
        """Return a piece as a corpus; not by its ``build``, whose remarks are on whole files."""
        own = iter(range(len(self.runs)))
        systems = []
        for name, count in self.counts.items():
            made = []
            for place in (next(own) for _ in range(count)):
                text = lines[len(self.sides) + place]
                run = self.runs[place].name
                made.append(
                    Run(run, text) if columns is None else Run(run, None, columns[place].columns(text, before), run)
                )
            systems.append(System(name, tuple(made)))
        return Corpus(
            name="a piece",
            segments=len(lines[0]),
            references=tuple(lines[: len(self.sides)]),
            systems=tuple(systems),
            reference_names=tuple(side.name for side in self.sides),
        )


class _Reporter:
    """Tells how much was read since it was last asked."""

    def __init__(self, streams: Sequence[LineStream], progress: Callable[[str, int, int], None] | None) -> None:
        self._streams = streams
        self._progress = progress
        self._told = 0
        self._total = sum(stream.size for stream in streams) if all(stream.size for stream in streams) else 0

    def __call__(self) -> None:
        if self._progress is not None and self._total:
            now = sum(stream.consumed for stream in self._streams)
            self._progress("summing", now - self._told, self._total)
            self._told = now


def _check(systems: Mapping[str, Sequence[Given]], first: int, resamples: int, jobs: int) -> None:
    if not systems:
        raise InputError("there is no system to score", hint="give at least one file of outputs")
    check_names(list(systems))
    for system, given in systems.items():
        if not given:
            raise InputError(f"the system {system!r} has no runs")
        check_runs(system, [one for one in given if isinstance(one, str)])
    for what, value, most in (("first segment", first, _MOST), ("resamples", resamples, _MOST), ("jobs", jobs, 10**6)):
        if not isinstance(value, int) or not 1 <= value <= most:
            raise InputError(f"{what} must be a whole number from 1 to {most:,}; got {value!r}")


def _read_as_scores(metrics: Mapping[str, Metric], sides: Sequence[LineStream]) -> bool:
    for metric in metrics.values():
        if getattr(metric, "of_samples", None) is not None:
            raise InputError(
                f"{metric.label} cannot be computed a piece at a time: an item has several rows",
                hint=(command("compare"), " computes it, with everything in memory"),
            )
        if getattr(metric, "condition", None) is not None:
            raise InputError(
                f"{metric.label} cannot be computed a piece at a time: its statistics of a segment depend on all "
                "references of the test set",
                hint=(command("compare"), " computes it, with everything in memory"),
            )
    reads = {metric.reads for metric in metrics.values()}
    if len(reads) > 1:
        raise InputError(
            "texts and segment scores cannot be read in one go",
            hint="make one shard of the texts, and one of the scores",
        )
    if reads == {"text"} and not sides:
        raise InputError(
            f"{next(iter(metrics.values())).label} needs a reference", hint=("give it: ", Setting("references", FILE))
        )
    if reads == {"scores"} and sides:
        raise InputError(
            "segment scores need no reference",
            hint=("leave ", Setting("references"), " out, or choose a metric of texts"),
        )
    return reads == {"scores"}


def _settled(metric: Metric, corpus: Corpus) -> Metric:
    """Name the one column there is, so that all shards must have it."""
    if isinstance(metric, SegmentScores) and metric.column is None:
        check_columns([(run.name, run.scores) for system in corpus.systems for run in system.runs])
        columns = {tuple(run.scores) for system in corpus.systems for run in system.runs}
        if len(columns) == 1 and len(names := columns.pop()) == 1:
            return replace(metric, column=names[0])
    return metric


def _described(
    metrics: Mapping[str, Metric], reading: _Reading, resamples: int, seed: int, *, by_document: bool
) -> Description:
    count = len(reading.sides)
    return Description(
        metrics=tuple(
            MetricPart(
                key,
                metric.signature(count),
                tuple(metric.statistic_names),
                metric.column if isinstance(metric, SegmentScores) else None,
            )
            for key, metric in metrics.items()
        ),
        systems=tuple(reading.counts),
        runs=tuple(reading.counts.values()),
        references=count,
        unit="document" if by_document else "segment",
        resamples=resamples,
        seed=seed,
    )


def _doubts(streams: Sequence[LineStream], role: Role) -> list[Note]:
    """Say what looks like something else than text, or refuse it, as in files that are read at once."""
    return [note for stream in streams for note in check_look(stream.look(), stream.name, role)]


def _advice(metrics: Mapping[str, Metric], corpus: Corpus) -> list[Note]:
    """Return what metrics remark on the first piece: whether outputs are tokenised, say."""
    said = []
    for metric in metrics.values():
        advise = getattr(metric, "advice", None)
        for run in (run for system in corpus.systems for run in system.runs):
            if advise is not None and run.outputs is not None:
                said.extend(advise(run.outputs, run.name))
    return said


def _documents(lines: Sequence[str], stream: LineStream, before: int) -> list[str]:
    """Check that there is one id per line; one that is missing would make a document of all such segments."""
    ids = [line.strip() for line in lines]
    for place, one in enumerate(ids, before + 1):
        if not one or "\t" in one:
            found = f"there are {one.count(chr(9)) + 1} columns" if one else "there is no document id"
            raise InputError(
                f"{found} for segment {place:,}",
                path=stream.name,
                hint="one document id per line, for every segment; of two columns take one: cut -f2 FILE",
            )
    return ids


def _equal(outputs: Sequence[str], reference: Sequence[str]) -> int:
    return sum(one == other for one, other in zip(outputs, reference, strict=True))
