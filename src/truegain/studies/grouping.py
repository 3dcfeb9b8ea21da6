"""Parts of a test set: groups of segments, each scored alone, and whether gains differ between parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus
from truegain.engines.engine import Resampling
from truegain.errors import FILE, InputError, Setting, one_of
from truegain.experiment import Experiment, gain
from truegain.inference.heterogeneity import LEAST_UNITS, apart, exchanged, joint_columns, own_columns, together
from truegain.inference.multiplicity import adjust
from truegain.inference.pvalues import PValue
from truegain.notes import Finding, Tone
from truegain.resampling.design import Design
from truegain.resampling.generator import resample_keys
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units, UnitTable
from truegain.settings.groups import Scoring
from truegain.settings.option import described
from truegain.words import Sentence, listing, p_words

Floats = NDArray[np.float64]
_Options = TypeVar("_Options", bound=Scoring)

#: What segments can be grouped by, besides columns.
GROUPINGS = ("domain", "document", "length")

_NAMED = 6  # more names than these are counted
_QUARTERS = 4  # groups by length
_AT_ONCE = 32  # gains that share their resamples
#: What a group does not have, or need not do.
_LEFT_OUT = ("by", "development", "progress", "systems", "documents", "domains", "training_samples")

DIFFER = Sentence("{whose}: {shown}; {groups} differ by more than chance (p {p}).")
ALIKE = Sentence("{whose}: {shown}; {groups} are not shown to differ (p {p}).")
UNTESTED = Sentence("{whose}: {shown}; whether {groups} differ cannot be tested.")


@dataclass(frozen=True)
class Part(Generic[_Options]):
    """A part of what is compared, a group or a test set: its segments alone, scored, and the options to study it."""

    name: str
    options: _Options
    experiment: Experiment

    @property
    def tested(self) -> bool:
        """True if it has enough units."""
        return self.experiment.units.count >= LEAST_UNITS

    @property
    def fields(self) -> dict[str, Any]:
        """What all rows say of a group."""
        segments, units = self.experiment.corpus.segments, self.experiment.units
        return {"group": self.name, "segments": segments, "unit": units.noun, "n_units": units.count}


def group_nouns(by: str) -> str:
    """Return what groups are called: ``domains``; ``groups by year_2`` if a column is no plain noun."""
    if by == "length":
        return "ranges of length"
    plain = by.isalpha() and by.islower() and not by.endswith(("s", "x", "y", "z", "ch", "sh"))
    return f"{by}s" if plain else f"groups by {by}"


def check_grouping(corpus: Corpus, by: str, unit: str) -> None:
    """Refuse groups that there are none of, and units that are not within groups."""
    if by not in GROUPINGS and by not in corpus.labels:
        raise one_of("by", by, [*GROUPINGS, *corpus.labels])
    if unit in ("block", "domain", "testset") or (by == "document" and unit == "document"):
        groups = f"units must lie within groups, and the groups are {group_nouns(by)}: "
        raise InputError(
            (groups, Setting("unit", unit), " does not go"),
            hint=("leave out ", Setting("unit"), "; segments are the units within documents"),
        )


def group_rows(corpus: Corpus, by: str) -> dict[str, list[int]]:
    """Return the segments of each group, in the order of first appearance, or of length."""
    labels: Sequence[str | None] | None = {"domain": corpus.domains, "document": corpus.documents}.get(by)
    rows: dict[str, list[int]] = {}
    if by == "length" and corpus.references:
        names, labels = _lengths(corpus)
        rows = {name: [] for name in names if name in labels}
    elif by != "length" and labels is None:
        labels = corpus.labels.get(by)
    if labels is None:
        missing = {"length": "references"}.get(by, f"{by}s")
        beside = {"domain": (", or with their documents, as in LP.docs: ", Setting("documents", FILE))}.get(by, ())
        raise InputError(f"groups by {by} need {missing}", hint=("give them: ", Setting(missing, FILE), *beside))
    for i, name in enumerate(labels):
        if name is None:
            raise InputError(f"segment {i + 1:,} has nothing in the column {by!r}", hint="every segment needs a group")
        rows.setdefault(name, []).append(i)
    if len(rows) < 2:
        raise InputError(f"all segments are in one group by {by}: {labels[0]}", hint=("leave out ", Setting("by")))
    return rows


def _lengths(corpus: Corpus) -> tuple[list[str], list[str]]:
    """Return the quarters of lengths, in words of the first reference, and that of each segment."""
    lines = zip(*corpus.references, strict=True)
    words = np.array([len(next((one for one in own if one is not None), "").split()) for own in lines])
    ends = np.quantile(words, [k / _QUARTERS for k in range(1, _QUARTERS + 1)], method="inverted_cdf")
    edges = sorted({int(end) for end in ends})  # fewer if quarters end at one length
    starts = [int(words.min()), *(edge + 1 for edge in edges[:-1])]
    names = [f"{low} words" if low == high else f"{low}–{high} words" for low, high in zip(starts, edges, strict=True)]
    return names, [names[place] for place in np.searchsorted(edges, words).tolist()]


def groups_alone(corpus: Corpus, options: _Options, by: str, unit: str) -> list[Part[_Options]]:
    """Return every group as if it were alone, with the same seed; segments are the units within documents."""
    names = {one.name for one in described(type(options))}
    changes = {name: None for name in _LEFT_OUT if name in names}
    unit = {"document": "segment"}.get(by, unit)
    parts = []
    for name, rows in group_rows(corpus, by).items():
        segments = corpus.of_segments(rows)
        own = options.changed(references=segments, unit=unit, **changes)
        parts.append(Part(name, own, Experiment.of(segments, own, compared=())))
    return parts


def _gain_in(part: Part[Any], m: int, system: int, baseline: int | None) -> tuple[float, Floats]:
    """Return the gain of a system over another, or over the mean of all, and what each unit contributes to it."""
    scores, by_unit = part.experiment.scores[m], part.experiment.contributions[m]
    old, olds = scores.mean(), by_unit.mean(0)
    if baseline is not None:
        old, olds = scores[baseline], by_unit[baseline]
    metric = part.experiment.statistics.blocks[m].metric
    return float(gain(metric, old, scores[system])), gain(metric, olds, by_unit[system])


def differences_between(
    parts: Sequence[Part[Any]], asked: Sequence[tuple[int, int, int | None]], seed: int, resamples: int
) -> list[dict[str, Any] | None]:
    """Test each gain between the parts that are large enough and in which it varies; None if these are fewer than two.

    ``asked`` are the metric, system and baseline of gains, None for the mean of all systems. Gains share their
    resamples. Returned are the fields of a :class:`Difference` but metric and system.
    """
    found: list[dict[str, Any] | None] = [None] * len(asked)
    gains = [[_gain_in(part, *one) for part in parts] for one in asked]
    alike: dict[tuple[int, ...], list[int]] = {}
    for place, in_parts in enumerate(gains):
        varying = []
        for g, (_, own) in enumerate(in_parts):
            if parts[g].tested and np.isfinite(own).all() and np.ptp(own) > 0.0:
                varying.append(g)
        if len(varying) > 1:
            alike.setdefault(tuple(varying), []).append(place)
    for groups, places in alike.items():
        names = tuple(parts[g].name for g in groups)
        for first in range(0, len(places), _AT_ONCE):
            batch = places[first : first + _AT_ONCE]
            deltas = np.array([[gains[place][g][0] for place in batch] for g in groups])
            joined = [np.stack([gains[place][g][1] for place in batch], axis=1) for g in groups]
            tested = _tested([parts[g].experiment for g in groups], deltas, joined, seed, resamples)
            for place, (q, p_value) in zip(batch, tested, strict=True):
                found[place] = {"groups": names, "q": q, **p_value.fields}
    return found


def _tested(
    experiments: Sequence[Experiment], deltas: Floats, contributions: Sequence[Floats], seed: int, resamples: int
) -> list[tuple[float, PValue]]:
    """Return Q and its p-value of each gain, from deltas (groups, gains) and contributions (units, gains) by group."""
    count = deltas.shape[1]
    seeds = resample_keys(seed, Stream.GROUP_SEEDS, 0, len(experiments)).tolist()
    units = [one.units for one in experiments]
    shared = [_shared(units, [own[:, k] for own in contributions]) for k in range(count)]
    columns = [joint_columns(one) for one in shared if one is not None]
    if columns:
        drawn = _drawn(experiments[0], columns, seeds[0], resamples)
        return [together(deltas[:, k], columns[k], drawn[k]) for k in range(count)]
    by_group = [[own_columns(own[:, k]) for k in range(count)] for own in contributions]
    sums = [_drawn(experiments[0], own, one, resamples) for own, one in zip(by_group, seeds, strict=True)]
    bootstrap = [apart(deltas[:, k], [own[k] for own in by_group], [own[k] for own in sums]) for k in range(count)]
    permuted = exchanged(deltas, contributions, seed, resamples)
    return [(q, max(p, other, key=lambda one: one.p)) for (q, p), other in zip(bootstrap, permuted, strict=True)]


def _drawn(experiment: Experiment, columns: Sequence[Floats], seed: int, resamples: int) -> list[Floats]:
    """Return the sums of columns over the units of the same bootstrap resamples, shape (columns, resamples) each."""
    units = Units.segments(len(columns[0]))
    table = UnitTable.build(np.concatenate(columns, axis=1), units)
    work = Resampling(Design(units, "bootstrap", seed), table, np.asarray)
    return np.split(np.asarray(experiment.engine.resample(work, resamples, None)), len(columns))


def _shared(units: Sequence[Units], contributions: Sequence[Floats]) -> Floats | None:
    """Return what each document contributes to each group's gain, if documents cut across groups; else None."""
    if any(own.kind != "document" or own.names is None for own in units):
        return None
    places: dict[str, int] = {}
    for own in units:
        for name in own.names or ():
            places.setdefault(name, len(places))
    if len(places) == sum(own.count for own in units):
        return None
    found = np.zeros((len(places), len(units)))
    for g, (own, values) in enumerate(zip(units, contributions, strict=True)):
        found[[places[name] for name in own.names or ()], g] = values
    return found


def listed(names: Sequence[str], joint: str = "and") -> str:
    """Name systems or groups, or the first three and how many more."""
    return listing(names if len(names) <= _NAMED else [*names[:3], f"{len(names) - 3} more"], joint)


def difference_finding(
    whose: str, shown: str, by: str, p_values: Sequence[float], alpha: float, tone: Tone = "plain"
) -> Finding:
    """Say what is shown in groups, and whether they differ by any of the gains that were tested."""
    slots = {"whose": whose, "shown": shown, "groups": group_nouns(by)}
    if not p_values:
        return Finding(UNTESTED(**slots), tone)
    p = min(adjust(p_values, "holm"))
    sentence = DIFFER if p <= alpha else ALIKE
    return Finding(sentence(p=f"{p_words(p)}{' after Holm' if len(p_values) > 1 else ''}", **slots), tone)
