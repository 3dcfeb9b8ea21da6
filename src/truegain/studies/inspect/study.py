"""Inspection of the segments that made the difference between two systems."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, System
from truegain.errors import InputError, Setting, one_of
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment, TwoRuns, check_options, median_runs, with_development
from truegain.experiment.contributions import RunNumber, changed_pair, most_changed
from truegain.metrics.base import Metric
from truegain.notes import Note
from truegain.readers.plain import read_pieces
from truegain.settings.function import takes
from truegain.settings.inspect import InspectOptions
from truegain.studies.given import corpus_of, development_of
from truegain.studies.inspect.findings import AllSegments, GroupGain, Movement, NgramUse, WordBucket
from truegain.studies.inspect.result import InspectResult
from truegain.studies.inspect.words import check_edges, group_gains, length_labels, ngram_uses, word_buckets
from truegain.text.usage import SideBySide
from truegain.version import __version__

_ORDER = 4


@takes(InspectOptions)
def inspect(options: InspectOptions) -> InspectResult:
    """Find the segments, documents, lengths, words and n-grams that made the difference between two systems.

    Outputs are those of the median runs, metric by metric; words and n-grams are of the median runs under the first.

    Examples
    --------
    >>> import truegain as tg
    >>> result = tg.inspect(
    ...     ["the cat sat", "a dog ran off", "it was late"],
    ...     {
    ...         "base": ["the cat sits", "a dog ran", "it was late"],
    ...         "new": ["the cat sat", "a dog ran off", "it is late"],
    ...     },
    ...     metrics=["chrf"],
    ... )
    >>> moved = result["chrf"]
    >>> [one.number for one in moved.up], [one.number for one in moved.down]
    ([2, 1], [3])
    """
    count, tokenize, frequencies = options.count, options.tokenize, options.frequencies
    edges = check_edges(options.length_buckets)
    check_options(options)
    _check(count, options.ngrams)
    corpus, development = corpus_of(options), development_of(options)
    old, new = _two_systems(corpus, options.baseline, options.system)
    if development is not None:
        development = replace(development, systems=tuple(_named(development, one.name) for one in (old, new)))
    corpus = replace(corpus, systems=(old, new))
    corpus, development = with_development(corpus, development)
    experiment = Experiment.prepare(
        corpus,
        options.metrics,
        unit="segment",
        strata="none",
        seed=0,
        jobs=available_jobs(options.jobs),
        cache=options.cache,
        engine=options.engine,
        executor=options.executor,
        progress=options.progress,
        compared=(),
    )
    notes = list(experiment.notes)
    found = [_Comparison(experiment, m, runs) for m, runs in enumerate(median_runs(experiment, development))]
    structured = [block.metric.label for block in experiment.statistics.blocks if _of_structures(block.metric)]
    texts = None if structured else _texts(experiment, found[0].runs, tokenize)
    documents: tuple[GroupGain, ...] = ()
    lengths: tuple[GroupGain, ...] = ()
    words: tuple[WordBucket, ...] = ()
    uses: tuple[NgramUse, ...] = ()
    if corpus.documents is not None:
        numbers: dict[str, int] = {}
        groups = np.array([numbers.setdefault(one, len(numbers)) for one in corpus.documents], np.intp)
        documents = tuple(gain for one in found for gain in _most_first(one.gains(groups, tuple(numbers))))
    if structured:
        text = f"{structured[0]} is not of texts, so there is nothing to say of lengths, words and n-grams"
        notes.append(Note("no-texts", text))
    elif texts is None:
        text = "There are no texts, so there is nothing to say of lengths, words and n-grams"
        notes.append(Note("no-texts", text))
    else:
        buckets = np.searchsorted(edges, texts.reference_lengths, side="right")
        lengths = tuple(gain for one in found for gain in one.gains(buckets, length_labels(edges)))
        usages = list(texts.usages(_ORDER))
        words = word_buckets(texts, usages[0], _training(frequencies))
        uses = ngram_uses(texts, usages, options.ngrams)
    given = "references" if frequencies is None else "given"
    settings = f"|tok:{tokenize}|lengths:{','.join(map(str, edges))}|frequencies:{given}"
    return InspectResult(
        testset=experiment.testset(development),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(None, 0.95, "percentile"),
        baseline=old.name,
        system=new.name,
        movements=tuple(one.movement() for one in found),
        changed_segments=tuple(changed_pair(experiment, one.m, *one.runs, one.two, count) for one in found),
        documents=documents,
        lengths=lengths,
        words=words,
        ngrams=uses,
        count=count,
        tokenize=tokenize,
        frequencies=_source(frequencies),
        signature=f"contribution:swap{'' if texts is None else settings}|version:{__version__}",
        notes=tuple(notes),
        every_segment=_every(experiment, found) if options.everything else (),
        records=options.records,
    )


class _Comparison:
    """The median runs under one metric."""

    def __init__(self, experiment: Experiment, m: int, medians: Sequence[int]) -> None:
        self.experiment = experiment
        self.m = m
        self.runs: tuple[RunNumber, RunNumber] = (0, medians[0]), (1, medians[1])
        self.two = TwoRuns.of(experiment, m, *self.runs)

    @property
    def key(self) -> str:
        return self.experiment.statistics.blocks[self.m].key

    def gains(self, groups: NDArray[np.intp], labels: Sequence[str]) -> tuple[GroupGain, ...]:
        return group_gains(self.key, self.two, groups, labels)

    def movement(self) -> Movement:
        names = [self.experiment.corpus.systems[s].runs[run].name for s, run in self.runs]
        old, new = self.two.scores
        contributions = self.two.contributions
        up, down = contributions[contributions > 0.0], contributions[contributions < 0.0]
        means = self.experiment.scores[self.m]
        return Movement(
            metric=self.key,
            baseline_run=names[0],
            system_run=names[1],
            baseline_score=old,
            system_score=new,
            delta=self.two.delta,
            delta_of_means=float(self.two.gain(means[0], means[1])),
            up=up.size,
            down=down.size,
            still=contributions.size - up.size - down.size,
            sum_up=float(up.sum()),
            sum_down=float(down.sum()),
        )


def _check(count: int, ngrams: int) -> None:
    for what, number in (("count", count), ("ngrams", ngrams)):
        if number < 0:
            raise InputError(f"{what} must be at least 0; got {number!r}")


def _two_systems(corpus: Corpus, baseline: str | None, system: str | None) -> tuple[System, System]:
    names = [one.name for one in corpus.systems]
    if len(names) < 2:
        raise InputError(
            f"there is only one system, {names[0]!r}; a difference needs two", hint="give the baseline first"
        )
    for what, given in (("the baseline", baseline), ("the system", system)):
        if given is not None and given not in names:
            raise one_of(what, given, names)
    if baseline is not None and baseline == system:
        raise InputError(f"{baseline!r} is both the baseline and the system; two were expected")
    if baseline is None:
        baseline = next(name for name in names if name != system)
    if system is None:
        others = [name for name in names if name != baseline]
        if len(others) > 1:
            raise InputError(
                f"there are {len(names)} systems, and two can be inspected: {', '.join(names)}",
                hint=("choose them: ", Setting("baseline", baseline), " ", Setting("system", others[0])),
            )
        system = others[0]
    return corpus.system(baseline), corpus.system(system)


def _named(development: Corpus, name: str) -> System:
    try:
        return development.system(name)
    except KeyError:
        there = ", ".join(one.name for one in development.systems)
        raise InputError(
            f"the development set has no system {name!r}; there are {there}",
            hint=(
                "give the outputs of every run, in the same order: ",
                Setting("development", {name: f"dev/{name}.*.txt"}),
            ),
        ) from None


def _of_structures(metric: Metric) -> bool:
    """Return whether segments are trees, links or tags, whose words and n-grams would mean nothing."""
    return getattr(metric, "structure", None) in ("dependencies", "brackets", "tags", "links")


def _texts(experiment: Experiment, runs: Sequence[RunNumber], tokenize: str) -> SideBySide | None:
    corpus = experiment.corpus
    outputs = [corpus.systems[s].runs[run].outputs for s, run in runs]
    sides = [side for side in outputs if side is not None]
    return SideBySide(corpus.references, sides, tokenize) if corpus.references and len(sides) == 2 else None


def _most_first(gains: Sequence[GroupGain]) -> list[GroupGain]:
    return sorted(gains, key=lambda one: -abs(one.contribution))


def _training(frequencies: str | os.PathLike[str] | Sequence[str] | None) -> Iterable[Sequence[str]] | None:
    if frequencies is None:
        return None
    if isinstance(frequencies, str | os.PathLike):
        return read_pieces(os.fspath(frequencies))
    return [frequencies]


def _source(frequencies: str | os.PathLike[str] | Sequence[str] | None) -> str | None:
    if frequencies is None or isinstance(frequencies, str | os.PathLike):
        return None if frequencies is None else os.fspath(frequencies)
    return "the text given"


def _every(experiment: Experiment, found: Sequence[_Comparison]) -> tuple[AllSegments, ...]:
    places = np.arange(experiment.corpus.segments)
    return tuple(AllSegments(one.key, most_changed(experiment, *one.runs, one.two, places)) for one in found)
