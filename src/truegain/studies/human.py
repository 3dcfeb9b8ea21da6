"""Meaning of gains to people: how often they rank pairs of systems with such a gain the same way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from truegain.errors import InputError
from truegain.inference.intervals import Level
from truegain.inference.results import Comparison, MetricInfo
from truegain.notes import Finding, Note
from truegain.rows import Baseline, Count, MetricKey, NonNegative, Proportion, Row, System, field
from truegain.view import digits_of
from truegain.words import MANY, Sentence, level_words, listing, share_text, whole

if TYPE_CHECKING:
    from truegain.studies.agree import AgreeResult

SAME_WAY = Sentence(
    "{system} and {baseline}, {gain} {metric} apart: people ranked {share} of system pairs with such a gain the same "
    "way ({level} CI {low} – {high}; {source})."
)
TABLE_NOTE = Sentence(
    "same way: the share of system pairs with such a gain that people ranked the same way ({source}); empty if the "
    "gain is above all gains of the profile."
)
UNKNOWN_METRIC = Sentence("the profile does not tell how often people agree: {reason}")
GIVEN_SCORES = Sentence("the profile's scores were given, not computed, so their settings may differ")


class RankedGain(Row):
    """Share of pairs of systems with such a gain, of either sign, that people rank the same way."""

    metric: MetricKey
    baseline: Baseline
    system: System
    share: Annotated[
        Proportion | None,
        field("The share; none if the gain is above all gains of the profile.", "same way", "percent"),
    ]
    low: Annotated[Proportion | None, field("The lower end of its interval over systems.")]
    high: Annotated[Proportion | None, field("The upper end of its interval over systems.")]
    largest: Annotated[NonNegative, field("The largest gain of the profile.")]


class HumanAgreement(Row):
    """Meaning of gains to people, from a profile: a result of ``agree``."""

    gains: Annotated[tuple[RankedGain, ...], field("For each comparison under a metric of the profile.", min_length=1)]
    level: Annotated[Level, field("The confidence level of the intervals.")]
    test_sets: Annotated[tuple[str, ...], field("The test sets of the profile.", min_length=1)]
    systems: Annotated[Count, field("The number of systems of the profile.")]
    fingerprint: Annotated[str, field("The digest of the profile's scores.")]

    @property
    def source(self) -> str:
        """What the profile is of: ``12 systems of wmt23``."""
        systems = whole(self.systems, "system")
        names = [name for name in self.test_sets if not name.isdigit()]
        return f"{systems} of {listing(names)}" if names else systems


def human_agreement(
    given: Any, metrics: Sequence[MetricInfo], comparisons: Sequence[Comparison], level: float
) -> tuple[HumanAgreement, list[Note]]:
    """Estimate, from a profile, the share of pairs with each gain that people rank the same way.

    Raises
    ------
    InputError
        If the profile has too few systems, or none of the metrics.
    """
    from truegain.inference.rank_shares import FEWEST_SYSTEMS
    from truegain.studies.agree import AgreeResult
    from truegain.studies.reported_gains import read_profile

    profile = read_profile(given, AgreeResult)
    counts = [len(of_set.systems) for of_set in profile.test_sets]
    if min(counts) < FEWEST_SYSTEMS:
        raise InputError(
            f"the profile has {min(counts)} systems, and it takes {FEWEST_SYSTEMS} to say something of others",
            hint="make a profile of more systems",
        )
    notes: list[Note] = []
    gains: list[RankedGain] = []
    obstacles: list[str] = []
    for metric in metrics:
        obstacle = _obstacle(profile, metric)
        if obstacle:
            obstacles.append(obstacle)
            notes.append(Note("human-agreement", UNKNOWN_METRIC(reason=obstacle), metric.label))
            continue
        if metric.key not in {known.key for known in profile.computed}:
            notes.append(Note("human-agreement", GIVEN_SCORES(), metric.label))
        gains += _ranked(profile, [one for one in comparisons if one.metric == metric.key], level)
    if not gains:
        raise InputError(
            f"the profile has none of the metrics: {'; '.join(obstacles)}",
            hint="make one with the same metrics, computed from outputs",
        )
    names = tuple(of_set.name for of_set in profile.test_sets)
    return HumanAgreement(tuple(gains), level, names, sum(counts), profile.fingerprint), notes


def _obstacle(profile: AgreeResult, metric: MetricInfo) -> str:
    """Return why a profile tells nothing of a metric; nothing if it does."""
    if metric.key not in profile.metrics:
        return f"it has {', '.join(profile.metrics)}, not {metric.key}"
    place = profile.metrics.index(metric.key)
    if all(len(set(of_set.scores[place])) == 1 for of_set in profile.test_sets):
        return f"all its systems have the same {metric.label}"
    for known in profile.computed:
        if known.key == metric.key and _settings(known.signature) != _settings(metric.signature):
            return f"its {metric.key} was computed as {known.signature}, and here as {metric.signature}"
    return ""


def _settings(signature: str) -> list[str]:
    """Return what a signature says apart from the version."""
    return [part for part in signature.split("|") if not part.startswith("version:")]


def _ranked(profile: AgreeResult, comparisons: Sequence[Comparison], level: float) -> Iterator[RankedGain]:
    """Yield the share of each gain under one metric, not extrapolated above the largest gain of the profile."""
    from truegain.inference.rank_shares import RankedPairs, RankShares

    place = profile.metrics.index(comparisons[0].metric)
    sets = [RankedPairs(np.array(of_set.scores[place]), np.array(of_set.human)) for of_set in profile.test_sets]
    shares = RankShares(sets)
    sizes = [abs(one.delta) for one in comparisons]
    for one, size, (share, low, high) in zip(comparisons, sizes, shares.at(sizes, level), strict=True):
        known: dict[str, float | None] = {"share": share, "low": min(low, share), "high": max(high, share)}
        if size > shares.largest:
            known = dict.fromkeys(known)
        yield RankedGain(one.metric, one.baseline, one.system, **known, largest=shares.largest)


def share_of(agreement: HumanAgreement | None, one: Comparison) -> RankedGain:
    """Return the share of a comparison's gain; one that is empty if the profile tells nothing of it."""
    for gain in agreement.gains if agreement is not None else ():
        if (gain.metric, gain.baseline, gain.system) == (one.metric, one.baseline, one.system):
            return gain
    return RankedGain(one.metric, one.baseline, one.system, share=None, low=None, high=None, largest=0.0)


def people_findings(result: Any) -> Iterator[Finding]:
    """Yield a sentence for each gain of a comparison; of many gains the table has the shares."""
    agreement: HumanAgreement | None = result.human_agreement
    if agreement is None or len(result.primary_tests(result.metrics[0].key)) > MANY:
        return
    metrics = {metric.key: metric for metric in result.metrics}
    for gain in agreement.gains:
        if gain.share is None or gain.low is None or gain.high is None:
            continue  # above all of the profile, as the table says
        metric = metrics[gain.metric]
        delta = result.pair(gain.metric, gain.baseline, gain.system).delta
        text = SAME_WAY(
            system=gain.system,
            baseline=gain.baseline,
            gain=digits_of(result, metric).score(abs(delta)),
            metric=metric.label,
            share=share_text(gain.share),
            level=level_words(1.0 - agreement.level),
            low=share_text(gain.low).removesuffix(" %"),
            high=share_text(gain.high),
            source=agreement.source,
        )
        yield Finding(text)
