"""Meaning of gains to people: how often they rank pairs of systems with such a gain the same way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from truegain.errors import InputError
from truegain.inference.intervals import Level
from truegain.inference.results import Comparison, MetricInfo
from truegain.notes import Finding, Note
from truegain.rows import Baseline, Count, MetricKey, NonNegative, Proportion, Row, System, field
from truegain.studies.gains import Named
from truegain.view import digits_of, table
from truegain.words import MANY, Sentence, heading_of, level_words, listing, whole

if TYPE_CHECKING:
    from truegain.report.model import Table
    from truegain.studies.agree import AgreeResult

#: A result of ``compare``, whose module imports this one.
CompareResult = Any

SAME_WAY = Sentence(
    "{system} and {baseline}, {gain} {metric} apart: people ranked {share} % of system pairs with such a gain the same "
    "way ({level} CI {low} – {high} %; {source})."
)
BEYOND_PROFILE = Sentence(
    "{system} and {baseline}, {gain} {metric} apart: this is above all gains of the profile, at most {largest} "
    "({source})."
)
TABLE_NOTE = Sentence(
    "same way: the share of system pairs with such a gain that people ranked the same way ({source}); empty if the "
    "gain is above all gains of the profile."
)
UNKNOWN_METRIC = Sentence("the profile does not tell how often people agree: {reason}")
GIVEN_SCORES = "the profile's scores were given, not computed, so their settings may differ"


class RankedGain(Row):
    """Share of pairs of systems with such a gain, of either sign, that people rank the same way."""

    metric: MetricKey
    baseline: Baseline
    system: System
    share: Annotated[
        Proportion | None,
        field("The share; none if the gain is above all gains of the profile.", "same way", "percent"),
    ]
    low: Annotated[
        Proportion | None, field("The lower end of its interval over systems.", "{level} CI from", "percent")
    ]
    high: Annotated[Proportion | None, field("The upper end of its interval over systems.", "to", "percent")]
    largest: Annotated[NonNegative, field("The largest gain of the profile.")]


class HumanAgreement(Row):
    """Meaning of gains to people, from a profile: a result of ``agree``."""

    gains: Annotated[tuple[RankedGain, ...], field("For each comparison under a metric of the profile.", min_length=1)]
    level: Annotated[Level, field("The confidence level of the intervals.")]
    test_sets: Annotated[tuple[str, ...], field("The test sets of the profile.", min_length=1)]
    systems: Annotated[Count, field("The number of systems of the profile.")]
    fingerprint: Annotated[str, field("The digest of the profile's scores.")]


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
    for own in profile.test_sets:
        if len(own.systems) < FEWEST_SYSTEMS:
            raise InputError(
                f"the profile has {len(own.systems)} systems, and it takes {FEWEST_SYSTEMS} to say something of others",
                hint="make a profile of more systems",
            )
    notes: list[Note] = []
    gains: list[RankedGain] = []
    for metric in metrics:
        missing = _missing(profile, metric)
        if missing:
            notes.append(Note("human-agreement", UNKNOWN_METRIC(reason=missing), metric.label))
            continue
        if metric.key not in {one.key for one in profile.computed}:
            notes.append(Note("human-agreement", GIVEN_SCORES, scope=metric.label))
        gains += _gains(profile, metric, [one for one in comparisons if one.metric == metric.key], level)
    if not gains:
        raise InputError(
            "the profile has none of the metrics: " + "; ".join(f"{_missing(profile, one)}" for one in metrics),
            hint="make one with the same metrics, computed from outputs",
        )
    systems = sum(len(own.systems) for own in profile.test_sets)
    names = tuple(own.name for own in profile.test_sets)
    return HumanAgreement(tuple(gains), level, names, systems, profile.fingerprint), notes


def _missing(profile: AgreeResult, metric: MetricInfo) -> str | None:
    """Return why a profile tells nothing of a metric; None if it does."""
    if metric.key not in profile.metrics:
        return f"it has {', '.join(profile.metrics)}, not {metric.key}"
    place = profile.metrics.index(metric.key)
    if all(len(set(own.scores[place])) == 1 for own in profile.test_sets):
        return f"all its systems have the same {metric.label}"
    known = next((one for one in profile.computed if one.key == metric.key), None)
    own = metric.signature
    if known is not None and _settings(known.signature) != _settings(own):
        return f"its {metric.key} was computed as {known.signature}, and here as {own}"
    return None


def _settings(signature: str) -> list[str]:
    """Return what a signature says apart from the version."""
    return [one for one in signature.split("|") if not one.startswith("version:")]


def _gains(
    profile: AgreeResult, metric: MetricInfo, comparisons: Sequence[Comparison], level: float
) -> list[RankedGain]:
    import numpy as np

    from truegain.inference.rank_shares import RankedPairs, RankShares

    place = profile.metrics.index(metric.key)
    shares = RankShares([RankedPairs(np.array(own.scores[place]), np.array(own.human)) for own in profile.test_sets])
    sizes = [abs(one.delta) for one in comparisons]
    found = []
    for one, size, (share, low, high) in zip(comparisons, sizes, shares.at(sizes, level), strict=True):
        known = size <= shares.largest
        found.append(
            RankedGain(
                metric.key,
                one.baseline,
                one.system,
                share=share if known else None,
                low=min(low, share) if known else None,
                high=max(high, share) if known else None,
                largest=shares.largest,
            )
        )
    return found


def people_findings(result: CompareResult) -> Iterator[Finding]:
    """Yield a sentence for each gain; of many gains there is a table."""
    agreement = result.human_agreement
    if agreement is None:
        return
    for metric in result.metrics:
        gains = [gain for gain in agreement.gains if gain.metric == metric.key]
        digits = digits_of(result, metric)
        for gain in gains if len(gains) <= MANY else ():
            delta = result.pair(metric.key, gain.baseline, gain.system).delta
            sentence = BEYOND_PROFILE if gain.share is None else SAME_WAY
            text = sentence(
                system=gain.system,
                baseline=gain.baseline,
                gain=digits.score(abs(delta)),
                metric=metric.label,
                share=_percent(gain.share),
                low=_percent(gain.low),
                high=_percent(gain.high),
                largest=digits.score(gain.largest),
                level=level_words(1.0 - agreement.level),
                source=_source(agreement),
            )
            yield Finding(text)


def people_tables(result: CompareResult, decimals: int | None) -> Iterator[Table]:
    """Yield a table of the gains under a metric, if they are many."""
    agreement = result.human_agreement
    if agreement is None:
        return
    for metric in result.metrics:
        gains = [gain for gain in agreement.gains if gain.metric == metric.key]
        if len(gains) > MANY:
            yield table(
                [
                    {
                        "pair": Named(f"{gain.system} − {gain.baseline}"),
                        "gain": result.pair(metric.key, gain.baseline, gain.system),
                        "": gain,
                    }
                    for gain in gains
                ],
                "pair.name gain.delta share low high",
                digits_of(result, metric, decimals),
                headings={"pair.name": heading_of(metric)},
                caption=f"Gains in {metric.label} to people",
                notes=(TABLE_NOTE(source=_source(agreement)),),
                slots={"level": level_words(1.0 - agreement.level)},
            )


def _percent(share: float | None) -> str:
    if share is None:
        return ""
    return "< 1" if share < 0.005 else "> 99" if share > 0.995 else f"{100.0 * share:.0f}"


def _source(agreement: HumanAgreement) -> str:
    systems = whole(agreement.systems, "system")
    names = [name for name in agreement.test_sets if not name.isdigit()]
    return f"{systems} of {listing(names)}" if names else systems
