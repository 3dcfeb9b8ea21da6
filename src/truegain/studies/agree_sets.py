"""Test sets on which metrics are compared with people: their scores, read or computed from outputs."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from truegain.agreement.judged import Judged
from truegain.errors import InputError, Setting, Way, one_of
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment
from truegain.inference.results import MetricInfo
from truegain.metrics.lookup import check_sources_read
from truegain.notes import Note
from truegain.readers.frames import is_frame
from truegain.readers.judgements import Judgements, gather, listed
from truegain.readers.memory import corpus_from_memory
from truegain.readers.rated_outputs import rated_outputs
from truegain.readers.sequences import check_indexes
from truegain.readers.system_scores import SystemScores, as_scores, metric_files
from truegain.settings.agree import AgreeOptions
from truegain.words import Sentence

_HUMAN = "human"

AGAINST = Sentence(
    "scores of {names} are lower where people's are higher. If lower ones are better: lower-is-better {suspects}"
)


@dataclass(frozen=True)
class RatedSet:
    """A test set, what people and metrics gave its translations, and the metrics that were computed from outputs."""

    name: str
    scores: Judgements
    computed: tuple[MetricInfo, ...] = ()

    @cached_property
    def judged(self) -> Judged:
        """The scores, to be measured."""
        scores = self.scores
        return Judged.of(scores.human, scores.scores, scores.documents, scores.human_systems, scores.metric_systems)

    def doubts(self) -> list[Note]:
        """Say which metrics go against people: their lower scores, or if all do so people's, may be the better ones."""
        human = self.scores.human - self.scores.human.mean()
        against = []
        for name, scores in zip(self.scores.metrics, self.judged.standardised, strict=True):
            of_systems = (scores.mean(axis=1) - scores.mean()) * human.mean(axis=1)
            if (scores * human).mean() < 0.0 and of_systems.mean() < 0.0:
                against.append(name)
        if not against:
            return []
        suspects = _HUMAN if len(against) == len(self.scores.metrics) > 1 else ",".join(against)
        return [Note("against-people", AGAINST(names=listed(against), suspects=suspects), warning=True)]


def read_test_sets(options: AgreeOptions) -> list[RatedSet]:
    """Read people's scores and those of metrics; lists of them are of several test sets, in the same order."""
    people = options.human
    if not isinstance(people, list | tuple):
        return [_read_set(options, people, options.metrics, options.documents, "1")]
    if not people:
        raise InputError("there are no scores of people")
    if options.outputs is not None or options.references is not None or options.compute:
        raise InputError("metrics are computed from the outputs of one test set; for several, their scores are read")
    metrics = _per_set(options.metrics, len(people), Way("METRIC", "metrics"))
    documents = [None] * len(people)
    if options.documents is not None:
        documents = _per_set(options.documents, len(people), Way("--docs", "documents"))
    _check_folders(people, metrics)
    inputs = enumerate(zip(people, metrics, documents, strict=True), 1)
    sets = [_read_set(options, *parts, str(number)) for number, parts in inputs]
    if len({rated.name for rated in sets}) < len(sets):
        sets = [replace(rated, name=f"{number}: {rated.name}") for number, rated in enumerate(sets, 1)]
    _check_alike(sets)
    return [replace(rated, scores=_ordered(rated.scores, sets[0].scores.metrics)) for rated in sets]


def digest(sets: Sequence[RatedSet]) -> str:
    """Return a digest of all scores."""
    total = hashlib.sha256()
    for scores in (rated.scores for rated in sets):
        total.update("\0".join((*scores.systems, *scores.metrics)).encode())
        for values in (scores.human, scores.scores, scores.human_systems, scores.metric_systems):
            total.update(np.ascontiguousarray(values, "<f8").tobytes())
        if scores.documents is not None:
            total.update(scores.documents.astype("<i8").tobytes())
    return total.hexdigest()[:16]


def _per_set(values: Any, count: int, way: Way) -> list[Any]:
    """Return what was given for each test set."""
    parts = list(values) if isinstance(values, list | tuple) else [values]
    if len(parts) != count:
        raise InputError(
            (f"there are scores of people for {count:,} test sets; given for them, ", way, f": {len(parts):,}"),
            hint="give as many, in the same order: for metrics, a folder of .seg.score files per test set",
        )
    return parts


def _name_of(human: Any) -> str:
    """Return what a file of people's scores is named before the first full stop, the name of a test set."""
    return Path(human).name.partition(".")[0] if isinstance(human, str | os.PathLike) else ""


def _check_folders(people: Sequence[Any], metrics: Sequence[Any]) -> None:
    """Refuse a folder of metrics that has the name of another test set than the one it is given for."""
    names = [_name_of(scores) for scores in people]
    for name, scores in zip(names, metrics, strict=True):
        if isinstance(scores, str | os.PathLike) and Path(scores).name in {*names} - {name}:
            raise InputError(
                f"metrics in the folder {Path(scores).name!r} are given for the test set {name!r}",
                hint="give people's scores and folders of metrics in the same order",
            )


def _check_alike(sets: Sequence[RatedSet]) -> None:
    """Refuse a test set that is given twice, metrics that one lacks, and documents that are known of some only."""
    for first, second in combinations(sets, 2):
        if np.array_equal(first.scores.human, second.scores.human):
            raise InputError(
                f"the test sets {first.name!r} and {second.name!r} have the same scores of people",
                hint="give each test set once",
            )
        if (first.scores.documents is None) != (second.scores.documents is None):
            raise InputError(
                f"documents are known of one of the test sets {first.name!r} and {second.name!r}",
                hint=("give ", Setting("documents"), " for all test sets, or for none"),
            )
    names = list(dict.fromkeys(name for rated in sets for name in rated.scores.metrics))
    for rated in sets:
        lacking = [name for name in names if name not in rated.scores.metrics]
        if lacking:
            raise InputError(
                f"the test set {rated.name!r} has no scores of {listed(lacking)}",
                hint="every metric needs scores on every test set; leave the others out",
            )


def _ordered(scores: Judgements, metrics: Sequence[str]) -> Judgements:
    places = [scores.metrics.index(name) for name in metrics]
    return replace(
        scores, metrics=tuple(metrics), scores=scores.scores[places], metric_systems=scores.metric_systems[places]
    )


def _read_set(options: AgreeOptions, human: Any, metrics: Any, documents: Any, name: str) -> RatedSet:
    texts = {part: getattr(options, part) for part in ("outputs", "references", "sources")}
    check_indexes({"human": human, "metrics": metrics, "documents": documents, **texts})
    people = as_scores(human, _HUMAN, people=True)
    computed, infos = computed_metrics(options, people)
    scores = gather(people, _all_metrics(metrics, computed), documents, keep_references=options.keep_references)
    lower = {*options.lower_is_better, *(info.key for info in infos if info.higher_is_better is False)}
    rated = RatedSet(_name_of(human) or name, _reversed(scores, lower), infos)
    if rated.judged.sizes.size < 2:
        raise InputError("all rated segments are of one document", hint=("leave ", Setting("documents"), " out"))
    return rated


def computed_metrics(
    options: AgreeOptions, human: SystemScores
) -> tuple[dict[str, SystemScores], tuple[MetricInfo, ...]]:
    """Score the outputs of the systems that people rated: each system as a whole, and each of its segments."""
    if options.outputs is None:
        if options.references or options.sources or options.compute:
            way = Way("--outputs FOLDER", "outputs=…")
            raise InputError("there are no outputs to compute metrics from", hint=("give ", way))
        return {}, ()
    outputs, notes = rated_outputs(options.outputs, human, keep_references=options.keep_references)
    metrics = options.compute or ("bleu",)
    if options.sources is not None:
        check_sources_read(metrics)
    corpus = corpus_from_memory(options.references, outputs, sources=options.sources)
    for system in corpus.systems:
        if len(system.runs) != 1:
            raise InputError(f"{system.name!r} has {len(system.runs):,} runs, and one is compared with people's scores")
    experiment = Experiment.prepare(
        corpus,
        metrics,
        unit="segment",
        seed=options.seed,
        jobs=available_jobs(None),
        cache=options.cache,
        progress=options.progress,
        compared=(),
    )
    infos = experiment.metric_infos()
    names = [system.name for system in corpus.systems]
    computed = {}
    for info, segments, systems in zip(infos, experiment.segment_scores, experiment.scores, strict=True):
        if info.higher_is_better is None:
            raise InputError(f"{info.label} has no better side, and cannot be compared with people's scores")
        finite = np.where(np.isfinite(segments), segments, np.nan)
        of_segments, of_systems = (dict(zip(names, own, strict=True)) for own in (finite, systems.tolist()))
        computed[info.key] = SystemScores(f"{info.label} of the outputs", of_segments, of_systems)
    first = infos[0].key
    computed[first] = replace(computed[first], notes=(*notes, *experiment.notes), files=corpus.inputs.files)
    return computed, infos


def _all_metrics(metrics: Any, computed: Mapping[str, SystemScores]) -> dict[str, SystemScores]:
    """Return the scores of the metrics that were computed, and of those that are given by name or as files."""
    if isinstance(metrics, Mapping):
        named = {str(name): scores for name, scores in metrics.items()}
    else:
        single = isinstance(metrics, str) or is_frame(metrics) or not isinstance(metrics, Iterable)
        paths = [metrics] if single else list(metrics)
        for path in paths:
            if not isinstance(path, str | os.PathLike):
                raise InputError(
                    f"metrics are files, or scores by name; found {type(path).__name__}",
                    hint='give {"metric": {"system": [0.5, …]}}, or a data frame for each metric: {"metric": frame}',
                )
        named = dict(metric_files([os.fspath(path) for path in paths]))
    if not named and not computed:
        raise InputError("there is no metric", hint="give files of segment scores, one per metric, or outputs to score")
    for name in named.keys() & {_HUMAN, *computed}:
        raise InputError(f"{name!r} cannot be the name of scores that are read", hint="name the file: NAME=FILE")
    return {**computed, **{name: as_scores(scores, name) for name, scores in named.items()}}


def _reversed(scores: Judgements, names: Iterable[str]) -> Judgements:
    """Change the sign of scores of which lower ones are better."""
    for name in names:
        if name not in (*scores.metrics, _HUMAN):
            raise one_of("lower_is_better", name, [*scores.metrics, _HUMAN])
    signs = np.where(np.isin([*scores.metrics, _HUMAN], [*names]), -1.0, 1.0)
    return replace(
        scores,
        human=signs[-1] * scores.human,
        human_systems=signs[-1] * scores.human_systems,
        scores=signs[:-1, None, None] * scores.scores,
        metric_systems=signs[:-1, None] * scores.metric_systems,
    )
