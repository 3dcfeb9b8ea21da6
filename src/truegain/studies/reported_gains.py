"""The probability that a reported gain is significant, from a profile: Berg-Kirkpatrick et al. (2012, 3.1.1 and 5)."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, Way, one_of
from truegain.inference.distributions import normal_quantile
from truegain.inference.profiles import (
    FARTHEST_GAIN,
    FARTHEST_SIZE,
    FEWEST_PAIRS,
    drawn_weights,
    log_odds,
    significant_share,
)
from truegain.inference.results import MetricInfo, Metrics, TestSet, Unit, Units
from truegain.inference.thresholds import drawn_interval
from truegain.notes import Finding, Note
from truegain.report.model import Cell, Column, Table
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.streams import Stream
from truegain.results import Result, load
from truegain.rows import Count, Positive, Proportion, Row, Seed, field, record
from truegain.settings.function import takes
from truegain.settings.significance import SignificanceOptions
from truegain.studies.threshold import DRAWS, MADE_WITH, Draws, Level, ThresholdResult, system_notes
from truegain.version import __version__
from truegain.view import interval_cell
from truegain.words import Sentence, alpha_text, describe_testset, listing, share_text, whole

REPORTED = Sentence("A gain of {gains} on {segments} is significant with a probability of {shares}.")
REPORTED_SEVERAL = Sentence("Gains of {gains} on {segments} are significant with probabilities of {shares}.")
PREDICTED_NOTE = Sentence(
    "significant: the probability of p ≤ {alpha}, one-sided, predicted from {pairs} ({systems} systems on {testset})."
)
RESCALED = Sentence(
    "Standard errors were multiplied by {scale:.2f}, the root of {known:,} / {segments:,}: this assumes segments and "
    "documents like those of the profile"
)
PREDICTED_ENDING = Sentence("predicted from {pairs}, {draws:,} draws of systems, seed {seed}")
METHODS_REPORTED = Sentence(
    "Outputs were not available for the reported gains of {gains} {label}. Following Berg-Kirkpatrick et al. (2012), "
    "their significance was predicted from {pairs} ({systems} other systems on {testset}): a gain is significant "
    "(one-sided p ≤ {alpha}) if it is at least {quantile:.3f} standard errors of its difference, which were predicted "
    "by a local regression of log standard errors on gains."
)
METHODS_SCALED = Sentence(
    "Standard errors were scaled from {known:,} to {segments:,} segments by one over the root of the size."
)
METHODS_DRAWS = Sentence("95 % intervals come from {draws:,} draws of systems with replacement.")

#: Pairs that are predicted from, by the group.
PAIRS = {"all": "{:,} pairs", "same": "{:,} pairs of similar systems"}
_COLUMNS = "metric gain probability low high group pairs systems segments alpha unit n_units draws seed"


class ReportedGain(Row):
    """A reported gain and the probability that it is significant."""

    gain: Annotated[Positive, field("The gain, in points of the metric.")]
    probability: Annotated[Proportion, field("The probability that it is significant.")]
    low: Annotated[
        Proportion | None, field("The lower end of its 95 % interval over systems; none if there are too few.")
    ]
    high: Annotated[
        Proportion | None, field("The upper end of its 95 % interval over systems; none if there are too few.")
    ]


class SignificanceResult(Result, tag="significance", kw_only=True):
    """Significance of reported gains, predicted from the pairs of systems of a profile."""

    title = "Is a reported gain significant?"
    study: ClassVar[str] = "significance"

    testset: Annotated[TestSet, field("The test set of the profile.")]
    metrics: Metrics
    gains: Annotated[tuple[ReportedGain, ...], field("The gains, as they were asked for.", min_length=1)]
    group: Annotated[
        str,
        field("The pairs of the profile that it is predicted from: all, or those of similar systems."),
    ]
    pairs: Annotated[Count, field("The number of these pairs.")]
    systems: Annotated[Count, field("The number of systems in them.")]
    segments: Annotated[Count, field("The number of segments of the test set that the gains are of.")]
    alpha: Level
    unit: Unit
    n_units: Units
    draws: Draws
    seed: Annotated[Seed, field("The seed of the draws.")]

    def __iter__(self) -> Iterator[ReportedGain]:
        return iter(self.gains)

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, methods = super().used()
        return metrics, [*methods, "threshold"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per gain."""
        return [record(_COLUMNS, {"metric": self.metrics[0].key}, row, self) for row in self.gains]

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield the probability of each gain; ``decimals`` are of percentages."""

        def percent(share: float) -> str:
            return share_text(share, decimals or 0)

        rows = []
        for row in self.gains:
            interval = Cell("")
            if row.low is not None and row.high is not None:
                interval = interval_cell(row.low, row.probability, row.high, percent)
            probability = Cell(percent(row.probability), "strong", row.probability)
            rows.append((Cell(f"{row.gain:g}", value=row.gain), probability, interval))
        columns = (Column(f"gain in {self.metrics[0].label}", "left"), Column("significant"), Column("95 % CI"))
        note = PREDICTED_NOTE(
            alpha=alpha_text(self.alpha), pairs=_pairs_words(self), systems=self.systems, testset=self.testset.name
        )
        yield Table(columns, tuple(rows), "The probability that a reported gain is significant", (note,))


@takes(SignificanceOptions)
def significance(options: SignificanceOptions) -> SignificanceResult:
    """Predict whether a reported gain is significant, without outputs: from a profile of other systems.

    The profile is the result of :func:`truegain.threshold` on a test set of the kind. The gain is significant if the
    standard error of its difference is small enough; that error is predicted from the profile's pairs of systems. It
    is scaled by one over the root of the number of segments. Gains above twice the profile's largest and test sets
    more than four times larger or smaller are refused.
    """
    profile = read_profile(options.profile, ThresholdResult)
    metric = _metric(profile, options.metric)
    pairs = _profile_pairs(profile, metric, options.similar)
    gains = _gains(options.gain, pairs, metric)
    segments = _segments(options.segments, profile)
    scale = math.sqrt(profile.testset.segments / segments)
    systems = len({*pairs.firsts.tolist(), *pairs.seconds.tolist()})
    result = SignificanceResult(
        testset=profile.testset,
        metrics=(metric,),
        gains=tuple(_reported(profile, pairs, gains, scale)),
        group=pairs.group,
        pairs=pairs.gains.size,
        systems=systems,
        segments=segments,
        alpha=profile.alpha,
        unit=profile.unit,
        n_units=profile.n_units,
        draws=DRAWS,
        seed=profile.seed,
        signature=(
            f"significance|pairs:{pairs.group}|segments:{segments}|draws:{DRAWS}|version:{__version__}"
            f"|profile:{profile.signature}"
        ),
        about=f"profile: {describe_testset(profile.testset, ())}",
    )
    notes = list(system_notes(systems))
    if segments != profile.testset.segments:
        text = RESCALED(scale=scale, known=profile.testset.segments, segments=segments)
        notes.insert(0, Note("rescaled", text))
    return replace(
        result,
        findings=(Finding(_finding(result)),),
        notes=tuple(notes),
        ending=PREDICTED_ENDING(pairs=_pairs_words(result), draws=DRAWS, seed=result.seed),
        methods=_methods(result),
    )


def _reported(
    profile: ThresholdResult, pairs: _ProfilePairs, gains: Sequence[float], scale: float
) -> Iterator[ReportedGain]:
    """Yield the probability of each gain g: the share of pairs whose standard error is at most g / (z · scale)."""
    quantile = normal_quantile(1.0 - profile.alpha)
    systems = len({*pairs.firsts.tolist(), *pairs.seconds.tolist()})
    keys = resample_keys(profile.seed, Stream.THRESHOLD_SYSTEMS, 0, DRAWS)
    counts = bootstrap_counts(keys, len(_names(profile))).astype(np.float64)
    weights = drawn_weights(pairs.firsts, pairs.seconds, counts)

    def share(gain: float, drawn: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        return significant_share(pairs.gains, pairs.errors, gain, gain / (quantile * scale), drawn)

    for gain in gains:
        probability = float(share(gain)[0])
        odds = float(log_odds(np.array([probability]))[0])
        ends = drawn_interval(odds, log_odds(share(gain, weights)), systems, ratio=False)
        low, high = (None if end is None else 1.0 / (1.0 + math.exp(-end)) for end in ends)
        if low is not None and high is not None:  # 0 and 1 have the log odds of what is next to them
            low, high = min(low, probability), max(high, probability)
        yield ReportedGain(gain, probability, low, high)


@dataclass(frozen=True)
class _ProfilePairs:
    """Pairs of a profile whose difference varies."""

    group: str
    gains: NDArray[np.float64]
    errors: NDArray[np.float64]
    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]


def _metric(profile: ThresholdResult, wanted: str | None) -> MetricInfo:
    """Return the metric by its key or its name; the only one by default."""
    known = {metric.key: metric for metric in profile.metrics}
    if wanted is None:
        if len(known) > 1:
            first = next(iter(known))
            raise InputError(
                f"the profile has {len(known)} metrics: {', '.join(known)}",
                hint=("say which one the gain is of: ", Way(f"-m {first}", f'metric="{first}"')),
            )
        return profile.metrics[0]
    named = [metric for key, metric in known.items() if wanted in (key, key.partition(":")[0])]
    if wanted in known:
        return known[wanted]
    if len(named) != 1:
        raise one_of("the metric of the profile", wanted, list(known))
    return named[0]


def _profile_pairs(profile: ThresholdResult, metric: MetricInfo, similar: bool) -> _ProfilePairs:
    rows = [
        row
        for row in profile.pairs
        if row.metric == metric.key and row.se > 0.0 and (not similar or row.group == "same")
    ]
    if similar and "same" not in profile.group_names:
        classes = f": its classes of pairs are {', '.join(profile.classes)}" if profile.classes else ""
        raise InputError(
            f"the profile does not say which of its systems are similar{classes}",
            hint=(
                "make it with labels, ",
                Way("--group REGEX or --groups FILE", "groups=…"),
                ", or with pairs of a class 'same', ",
                Way("--pair-classes FILE", "pair_classes=…"),
            ),
        )
    if len(rows) < FEWEST_PAIRS:
        kind = "of similar systems " if similar else ""
        raise InputError(
            f"the profile has {whole(len(rows), 'pair')} {kind}with differences that vary under {metric.label}; "
            f"{FEWEST_PAIRS} are needed",
            hint="make a profile of more systems",
        )
    places = {name: place for place, name in enumerate(_names(profile))}
    return _ProfilePairs(
        "same" if similar else "all",
        np.array([row.delta for row in rows]),
        np.array([row.se for row in rows]),
        np.array([places[row.baseline] for row in rows]),
        np.array([places[row.system] for row in rows]),
    )


def _names(profile: ThresholdResult) -> list[str]:
    return list(dict.fromkeys(row.name for row in profile.scores))


def _gains(given: float | Sequence[float], pairs: _ProfilePairs, metric: MetricInfo) -> tuple[float, ...]:
    gains = tuple(given) if isinstance(given, Sequence | np.ndarray) else (given,)
    if not gains:
        raise InputError("there is no gain", hint=("give one: ", Setting("gain", 0.4)))
    largest = float(pairs.gains.max())
    for gain in gains:
        if not (isinstance(gain, int | float) and math.isfinite(gain) and gain > 0.0):
            raise InputError(f"a gain must be a number above 0; got {gain!r}")
        if gain > FARTHEST_GAIN * largest:
            raise InputError(
                f"a gain of {gain:g} {metric.label} is more than twice the largest of the profile, {largest:.4g}",
                hint="no pair of the profile is like it; use a profile of more systems, or of others",
            )
    return tuple(float(gain) for gain in gains)


def _segments(given: int | None, profile: ThresholdResult) -> int:
    known = profile.testset.segments
    if given is None:
        return known
    if given < 1:
        raise InputError(f"the number of segments must be at least 1; got {given}")
    if not known / FARTHEST_SIZE <= given <= known * FARTHEST_SIZE:
        raise InputError(
            f"a test set of {whole(given, 'segment')} is more than {FARTHEST_SIZE:g} times "
            f"{'larger' if given > known else 'smaller'} than that of the profile, {known:,}",
            hint="use a profile of a test set of about that size",
        )
    return given


def _pairs_words(result: SignificanceResult) -> str:
    return PAIRS[result.group].format(result.pairs)


def _finding(result: SignificanceResult) -> str:
    sentence = REPORTED if len(result.gains) == 1 else REPORTED_SEVERAL
    return sentence(
        gains=f"{listing([f'{row.gain:g}' for row in result.gains])} {result.metrics[0].label}",
        segments=whole(result.segments, "segment"),
        shares=listing([share_text(row.probability) for row in result.gains]),
    )


def _methods(result: SignificanceResult) -> str:
    known = result.testset.segments
    sentences = [
        METHODS_REPORTED(
            gains=listing([f"{row.gain:g}" for row in result.gains]),
            label=result.metrics[0].label,
            pairs=_pairs_words(result),
            systems=result.systems,
            testset=result.testset.name,
            alpha=alpha_text(result.alpha),
            quantile=normal_quantile(1.0 - result.alpha),
        )
    ]
    if result.segments != known:
        sentences.append(METHODS_SCALED(known=known, segments=result.segments))
    sentences.append(METHODS_DRAWS(draws=result.draws))
    return " ".join((*sentences, MADE_WITH(version=result.version, seed=result.seed)))


_Profile = TypeVar("_Profile", bound=Result)


def read_profile(given: Any, kind: type[_Profile]) -> _Profile:
    """Return the profile with the digits that a file has, so that both say the same.

    Raises
    ------
    InputError
        If it is neither a result of the study nor a file of one, or was changed by hand.
    """
    profile = given.rounded() if isinstance(given, kind) else _read(given, kind)
    if any(note.kind == "changed" for note in profile.notes):
        raise InputError("a profile must be as truegain wrote it, and this one was changed since")
    return profile


def _read(given: Any, kind: type[_Profile]) -> _Profile:
    """Read the file of a profile."""
    study = kind.study
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"a profile is a result of truegain.{study}, or a file; got {type(given).__name__}")
    result = load(given)
    if not isinstance(result, kind):
        raise InputError(
            f"this is a result of {result.study!r}; a profile is one of {study!r}",
            path="standard input" if os.fspath(given) == "-" else os.fspath(given),
            hint=(Way(f"truegain {study} … -o FILE.json", f'truegain.{study}(…).save("FILE.json")'), " makes one"),
        )
    return result
