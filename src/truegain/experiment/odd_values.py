"""Checks for values among segment scores that may be no scores, or on another scale than the others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run
from truegain.metrics.base import Metric
from truegain.metrics.segment_scores import SegmentScores, pick_column
from truegain.notes import Note
from truegain.readers.column_names import TOTAL_NAMES
from truegain.report.model import listing

_Values = NDArray[np.float64]

#: What programs write in place of a number: -1, -9, and 99, 999 and so on with either sign.
_MARKS = {-1.0, -9.0, *(sign * (10.0**digits - 1.0) for digits in range(2, 10) for sign in (1.0, -1.0))}
#: What spreadsheets call rows that sum up the others.
_FAR = 3.0  # times the largest of the others that a mark must be
_SHORT_SCALE = 5.0  # of whole numbers from below 0: -1 may be a score
_FEW = 0.05  # of the scores that may be a mark there
_BEYOND = 0.1  # of a scale that scores of neural metrics may pass its ends by
_APART = (50.0, 200.0)  # times that the largest percentage is the largest fraction
_MEANS_APART = 10.0  # times that the means are: a good system may be held against a bad one
_THOUSAND = (400.0, 2500.0)  # times that each quartile in thousandths is that in units
_GROUPS = 100  # domains, or other groups of items, that are looked at
_GROUP = 10  # scores of a rater or a domain that can tell a scale


def value_notes(corpus: Corpus, metrics: Collection[Metric]) -> list[Note]:
    """Warn of values among segment scores that mark missing ones or sum up others, and of scores on two scales."""
    runs = [run for system in corpus.systems for run in system.runs]
    owners = [system.name for system in corpus.systems for _ in system.runs]
    notes = _on_totals(corpus.ids or ()) or _on_totals(tuple(dict.fromkeys(corpus.documents or ())))
    for metric in metrics:
        if not isinstance(metric, SegmentScores):
            continue
        given = [_single(run, metric) for run in runs]
        notes += _on_marks(metric, owners, given)
        if metric.over is not None:
            continue
        for names, groups in _groupings(corpus, runs, owners, given):
            if found := _two_scales(metric, names, groups, systems=names is owners):
                notes.append(found)
                break
    return notes


def scales_of_sets(corpora: Sequence[Corpus], metrics: Sequence[Sequence[Metric]]) -> list[Note]:
    """Warn of test sets whose segment scores are on two scales; each set has metrics of its own."""
    found = []
    for own in zip(*metrics, strict=True):
        scores = [metric for metric in own if isinstance(metric, SegmentScores) and metric.over is None]
        if len(scores) == len(corpora):
            groups = [
                np.concatenate([_single(run, metric) for system in one.systems for run in system.runs])
                for metric, one in zip(scores, corpora, strict=True)
            ]
            found.append(_two_scales(scores[0], [one.name for one in corpora], groups))
    return [note for note in found if note is not None]


def _on_totals(ids: Sequence[str]) -> list[Note]:
    """Warn of rows such as Total and Mean among items or documents that are numbered."""
    named = [one for one in ids if one.strip(" .:").casefold() in TOTAL_NAMES]
    numbered = sum(any(map(str.isdigit, one)) for one in ids)
    if not named or len(named) + numbered < len(ids) or numbered < 2:
        return []
    text = f"rows named {', '.join(map(repr, named))} may sum up the others, and count as items; leave them out"
    return [Note("totals-as-items", text, warning=True)]


def _single(run: Run, metric: SegmentScores) -> _Values:
    """Return the scores of a run, those of each rating or sample where they are known."""
    scores = pick_column(run.scores, metric.column, "scores:column")
    name = next(key for key, values in run.scores.items() if values is scores)
    return np.asarray(run.repeats[name].values if name in run.repeats else scores, np.float64)


def _on_marks(metric: SegmentScores, owners: Sequence[str], given: Sequence[_Values]) -> list[Note]:
    """Warn of one value such as -1 or 999 that lies apart from all others."""
    every = np.concatenate(given)
    every = every[~np.isnan(every)]
    for end in (float(every.min()), float(every.max())) if every.size else ():
        others = every[every != end]
        if end not in _MARKS or others.size <= every.size / 2 or not others.any():
            continue
        negative = end < 0.0 and others.min() >= 0.0 and _is_no_scale(end, others, given)
        if not negative and (end == -1.0 or abs(end) <= _FAR * np.abs(others).max()):
            continue
        mark, times = f"{end:g}".replace("-", "−"), every.size - others.size
        whose = listing(list(dict.fromkeys(name for name, own in zip(owners, given, strict=True) if end in own)))
        beyond = f"below {others.min() if others.min() < 0.0 else 0:g}" if end < 0.0 else f"above {others.max():g}"
        text = (
            f"{mark} stands {'once' if times == 1 else f'{times:,} times'} among the scores of {whose}, and no other "
            f"score is {beyond}: if it marks what has no score, leave it out; it counts as a score"
        )
        return [Note("marks-as-scores", text, scope=metric.label, warning=True)]
    return []


def _is_no_scale(mark: float, others: _Values, given: Sequence[_Values]) -> bool:
    """Return whether a negative mark is no score of a scale of whole numbers from below 0: -1, 0, 1, or -1, 0, 4."""
    if others.min() > 0.0 or others.max() > _SHORT_SCALE or (others % 1.0).any():
        return True
    counts = [int((own == mark).sum()) for own in given]
    return min(counts) == 0 and sum(counts) <= _FEW * (others.size + sum(counts))


def _groupings(
    corpus: Corpus, runs: Sequence[Run], owners: Sequence[str], given: Sequence[_Values]
) -> Iterator[tuple[Sequence[str], Sequence[_Values]]]:
    """Yield the scores by run, by rater, by domain and by other columns, each group with its name; a rater has none."""
    yield owners, given
    people = [run.raters.values for run in runs if run.raters is not None]
    if corpus.raters is not None and [one.size for one in people] == [one.size for one in given]:
        groups = _by(np.concatenate(people), np.concatenate(given))
        yield [""] * len(groups), list(groups.values())
    for labels in (corpus.domains, *corpus.labels.values()):
        names, codes = np.unique([one or "" for one in labels or ()], return_inverse=True)
        if 1 < names.size <= _GROUPS:
            counts = [next(iter(run.repeats.values())).counts if run.repeats else 1 for run in runs]
            rows = [np.repeat(codes, count) for count in counts]
            if [one.size for one in rows] == [one.size for one in given]:
                groups = _by(np.concatenate(rows), np.concatenate(given))
                yield [str(names[code]) or "no group" for code in groups], list(groups.values())


def _by(codes: NDArray[np.int64], values: _Values) -> dict[int, _Values]:
    """Return the values of each code that has enough of them."""
    order = np.argsort(codes, kind="stable")
    found, firsts = np.unique(codes[order], return_index=True)
    parts = np.split(values[order], firsts[1:])
    return {int(code): part for code, part in zip(found, parts, strict=True) if part.size >= _GROUP}


def _two_scales(
    metric: SegmentScores, names: Sequence[str], groups: Sequence[_Values], *, systems: bool = False
) -> Note | None:
    """Warn of groups of scores that look as if they were on two scales; groups without names are raters.

    Tasks may take a thousand times as long as others, so units are held against each other between systems only.
    """
    known = [own[~np.isnan(own)] for own in groups]
    if len(known) < 2 or not all(own.size for own in known):
        return None
    if (large := _percentages(known)) is not None:
        text = "scores {} look like fractions (0 to 1), those {} like percentages; give one scale"
    elif systems and (large := _thousands(known)) is not None:
        text = "scores {} are about a thousandth of those {}; give one unit, such as seconds or milliseconds"
    else:
        return None
    sides = [f"by {(~large).sum()} of {large.size} raters", "by the others"]
    if names[0]:
        sides = [
            f"of {listing(list(dict.fromkeys(name for name, own in zip(names, large, strict=True) if own == side)))}"
            for side in (False, True)
        ]
    text = text.format(*sides)
    return Note("scales", text, scope=metric.label, warning=True)


def _percentages(groups: Sequence[_Values]) -> NDArray[np.bool_] | None:
    """Return the groups of percentages beside fractions: their largest scores are about 100 times apart."""
    low, high, mean = (np.array([getattr(own, name)() for own in groups]) for name in ("min", "max", "mean"))
    small, large = (low >= -_BEYOND) & (high <= 1.0 + _BEYOND) & (high > 0.0), high > 1.0 + _BEYOND
    within = low.min() >= -100.0 * _BEYOND and high.max() <= 100.0 * (1.0 + _BEYOND)
    if not within or not small.any() or not large.any():
        return None
    apart = high[large] / high[small].max()
    if apart.min() < _APART[0] or apart.max() > _APART[1] or mean[large].max() < _MEANS_APART * mean[small].min():
        return None
    return large


def _thousands(groups: Sequence[_Values]) -> NDArray[np.bool_] | None:
    """Return the groups whose quartiles are all about 1,000 times those of the others."""
    quartiles = np.array([np.sort(own)[[own.size // 4, own.size // 2, 3 * own.size // 4]] for own in groups])
    if min(own.min() for own in groups) < 0.0 or quartiles.min() <= 0.0:
        return None
    large = quartiles[:, 1] > quartiles[:, 1].min() * np.sqrt(1000.0)
    if not large.any():
        return None
    apart = quartiles[large].min(0) / quartiles[~large].max(0), quartiles[large].max(0) / quartiles[~large].min(0)
    return large if min(map(np.min, apart)) >= _THOUSAND[0] and max(map(np.max, apart)) <= _THOUSAND[1] else None
