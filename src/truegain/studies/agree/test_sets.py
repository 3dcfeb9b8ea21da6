"""The test sets on which metrics are held against people: one, or several, such as language pairs."""

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
from truegain.inference.results import MetricInfo
from truegain.notes import Note
from truegain.readers.frames import is_frame
from truegain.readers.judgements import Judgements, gather, listed
from truegain.readers.sequences import check_indexes
from truegain.readers.system_scores import SystemScores, as_scores, metric_files
from truegain.settings.agree import AgreeOptions
from truegain.studies.agree.computed import computed_metrics
from truegain.studies.agree.result import AgreedSet

_HUMAN = "human"


@dataclass(frozen=True)
class HeldSet:
    """A test set, and what people and metrics gave its translations."""

    name: str
    found: Judgements
    computed: tuple[MetricInfo, ...] = ()
    turned: bool = False  # people's scores, of which lower ones are said to be better

    @cached_property
    def judged(self) -> Judged:
        """The scores, to be measured."""
        own = self.found
        return Judged.of(own.human, own.scores, own.documents, own.human_systems, own.metric_systems)

    def shown(self) -> AgreedSet:
        """Return what the result has of it."""
        return AgreedSet(
            name=self.name,
            systems=self.found.systems,
            segments=self.judged.human.shape[1],
            n_units=self.judged.sizes.size,
            human=tuple(self.found.human_systems.tolist()),
            scores=tuple(tuple(own) for own in self.found.metric_systems.tolist()),
        )

    def doubts(self) -> list[Note]:
        """Say which metrics go against people: their lower scores may be the better ones."""
        human = self.found.human - self.found.human.mean()
        against = [
            name
            for name, own in zip(self.found.metrics, self.judged.standardised, strict=True)
            if float((own * human).mean()) < 0.0
            and float(np.mean((own.mean(axis=1) - own.mean()) * (human.mean(axis=1)))) < 0.0
        ]
        text = "scores are lower where people's are higher. Are lower ones better? Then say so"
        if len(against) == len(self.found.metrics) > 1:
            text = "all metrics are lower where people's scores are higher. Are lower scores of people better? Say so"
            if self.turned:
                text = "all metrics go with people's scores as they are, not turned round. Leave this out"
            return [Note("against-people", f"{text}: lower-is-better human", warning=True)]
        return [Note("against-people", text, scope=name, warning=True) for name in against]


def read_test_sets(options: AgreeOptions) -> list[HeldSet]:
    """Read people's scores and those of metrics; lists of them are of several test sets, in the same order.

    Raises
    ------
    InputError
        If scores do not fit together, or a metric is not held against people on every test set.
    """
    if not isinstance(options.human, list | tuple):
        return [_read(options.human, options.metrics, options.documents, options, "1")]
    if options.outputs is not None or options.references is not None or options.compute:
        raise InputError("metrics are computed from the outputs of one test set; for several, their scores are read")
    count = len(options.human)
    metrics = _each(options.metrics, count, "metrics")
    documents = [None] * count if options.documents is None else _each(options.documents, count, "documents")
    _check_folders(options.human, metrics)
    given = zip(options.human, metrics, documents, strict=True)
    sets = [_read(*one, options, str(number)) for number, one in enumerate(given, 1)]
    if not sets:
        raise InputError("there are no scores of people")
    if len({own.name for own in sets}) < count:
        sets = [replace(own, name=f"{number}: {own.name}") for number, own in enumerate(sets, 1)]
    _check_alike(sets)
    order = sets[0].found.metrics
    return [replace(own, found=_ordered(own.found, order)) for own in sets]


def _check_folders(human: Sequence[Any], metrics: Sequence[Any]) -> None:
    """Refuse a folder of metrics that has the name of another test set than the one it is given for."""
    names = [_name_of(own) for own in human]
    folders = [Path(own).name if isinstance(own, str | os.PathLike) else None for own in metrics]
    for name, folder in zip(names, folders, strict=True):
        if folder is not None and folder != name and folder in names:
            raise InputError(
                f"metrics in the folder {folder!r} are given for the test set {name!r}",
                hint="give people's scores and folders of metrics in the same order",
            )


def _name_of(human: Any) -> str | None:
    """Return the name of a test set: what a file of people's scores is named before the first full stop."""
    return Path(human).name.partition(".")[0] or None if isinstance(human, str | os.PathLike) else None


def _each(given: Any, count: int, parameter: str) -> list[Any]:
    """Return what was given for each test set."""
    ones = list(given) if isinstance(given, list | tuple) else [given]
    if len(ones) != count:
        raise InputError(
            (
                f"there are scores of people for {count:,} test sets, and ",
                Way("METRIC" if parameter == "metrics" else "--docs", parameter),
                f" is given {len(ones):,} time{'' if len(ones) == 1 else 's'}",
            ),
            hint="give as many, in the same order: for metrics, a folder of .seg.score files per test set",
        )
    return ones


def _read(human: Any, metrics: Any, documents: Any, options: AgreeOptions, name: str) -> HeldSet:
    outputs, references, sources = options.outputs, options.references, options.sources
    check_indexes(
        {
            "human": human,
            "metrics": metrics,
            "documents": documents,
            "outputs": outputs,
            "references": references,
            "sources": sources,
        }
    )
    people = as_scores(human, _HUMAN, people=True)
    computed = computed_metrics(options, people)
    named = _metrics(metrics, computed.scores)
    found = gather(people, named, documents, keep_references=options.keep_references)
    found = _turned(found, (*options.lower_is_better, *computed.lower_is_better))
    own = HeldSet(_name_of(human) or name, found, computed.metrics, _HUMAN in options.lower_is_better)
    if own.judged.sizes.size < 2:
        raise InputError("all rated segments are of one document", hint=("leave ", Setting("documents"), " out"))
    return own


def _metrics(given: Any, computed: Mapping[str, SystemScores]) -> dict[str, SystemScores]:
    if isinstance(given, Mapping):
        named = {str(name): one for name, one in given.items()}
    else:
        given = () if given is None else given
        one_only = isinstance(given, str) or is_frame(given) or not isinstance(given, Iterable)
        paths = [given] if one_only else list(given)
        for one in paths:
            if not isinstance(one, str | os.PathLike):
                raise InputError(
                    f"metrics are files, or scores by name; found {type(one).__name__}",
                    hint='give {"metric": {"system": [0.5, …]}}, or a data frame for each metric: {"metric": frame}',
                )
        named = dict(metric_files([os.fspath(one) for one in paths]))
    if not named and not computed:
        raise InputError("there is no metric", hint="give files of segment scores, one per metric, or outputs to score")
    if _HUMAN in named:
        raise InputError(f"a metric cannot be named {_HUMAN!r}", hint="name it otherwise: NAME=FILE")
    for name in named.keys() & computed.keys():
        raise InputError(f"{name!r} is read and computed", hint="name the file otherwise: NAME=FILE")
    return {**computed, **{name: as_scores(one, name) for name, one in named.items()}}


def _turned(found: Judgements, names: Sequence[str]) -> Judgements:
    """Change the sign of scores of which lower ones are better."""
    for name in names:
        if name != _HUMAN and name not in found.metrics:
            raise one_of("lower_is_better", name, [*found.metrics, _HUMAN])
    signs = np.array([-1.0 if name in names else 1.0 for name in found.metrics])
    own = -1.0 if _HUMAN in names else 1.0
    return replace(
        found,
        human=own * found.human,
        human_systems=own * found.human_systems,
        scores=signs[:, None, None] * found.scores,
        metric_systems=signs[:, None] * found.metric_systems,
    )


def _check_alike(sets: Sequence[HeldSet]) -> None:
    """Refuse a test set that is given twice, metrics that one lacks, and documents that are known of some only."""
    for one, other in combinations(sets, 2):
        if np.array_equal(one.found.human, other.found.human):
            raise InputError(
                f"the test sets {one.name!r} and {other.name!r} have the same scores of people",
                hint="give each test set once",
            )
    names = list(dict.fromkeys(name for own in sets for name in own.found.metrics))
    for own in sets:
        lacking = [name for name in names if name not in own.found.metrics]
        if lacking:
            raise InputError(
                f"the test set {own.name!r} has no scores of {listed(lacking)}",
                hint="every metric needs scores on every test set; leave the others out",
            )
    known = [own.found.documents is not None for own in sets]
    if len(set(known)) > 1:
        raise InputError(
            f"documents are known of the test set {sets[known.index(True)].name!r}, but not of "
            f"{sets[known.index(False)].name!r}",
            hint=("give ", Setting("documents"), " for all test sets, or for none"),
        )


def _ordered(found: Judgements, metrics: Sequence[str]) -> Judgements:
    places = [found.metrics.index(name) for name in metrics]
    return replace(
        found, metrics=tuple(metrics), scores=found.scores[places], metric_systems=found.metric_systems[places]
    )


def digest(sets: Sequence[HeldSet]) -> str:
    """Return a digest of all scores."""
    total = hashlib.sha256()
    for own in sets:
        found = own.found
        total.update("\0".join((*found.systems, *found.metrics)).encode())
        for values in (found.human, found.scores, found.human_systems, found.metric_systems):
            total.update(np.ascontiguousarray(values, "<f8").tobytes())
        if found.documents is not None:
            total.update(found.documents.astype("<i8").tobytes())
    return total.hexdigest()[:16]
