"""The probability that a reported gain is significant, from a profile: Berg-Kirkpatrick et al. (2012, 3.1.1 and 5)."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain.errors import InputError, Way, one_of
from truegain.inference import profiles
from truegain.inference.distributions import normal_quantile
from truegain.inference.results import MetricInfo, Metrics, TestSet, Unit, Units
from truegain.inference.thresholds import drawn_interval
from truegain.notes import Finding, Note
from truegain.results import Result, load
from truegain.rows import Count, Positive, Proportion, Row, Seed, Show, field, record
from truegain.settings.function import takes
from truegain.settings.significance import SignificanceOptions
from truegain.studies import threshold
from truegain.version import __version__
from truegain.words import Sentence, describe_testset, listing, share_text, whole

REPORTED = Sentence("A gain of {gain:g} {label} on {segments} is significant with a probability of {share}.")
CAPTION = "The probability that a reported gain is significant"
PREDICTED_NOTE = Sentence(
    "significant: the probability of p ≤ {result.alpha:g}, one-sided, predicted from {result.pairs:,} pairs of "
    "{result.systems} systems on {result.testset.name}."
)
RESCALED = Sentence(
    "Standard errors were multiplied by {scale:.2f}, the root of {known:,} / {segments:,}: this assumes segments and "
    "documents like those of the profile"
)
PREDICTED_ENDING = Sentence("predicted from {pairs}, {draws:,} draws of systems, seed {seed}")
METHODS_REPORTED = Sentence(
    "Outputs were not available for the reported gains of {gains} {label}. Following Berg-"
    "Kirkpatrick et al. (2012), their significance was predicted from {pairs} ({result.systems} other systems on "
    "{result.testset.segments:,} segments of {result.testset.name}): on {result.segments:,} segments a gain is "
    "significant (one-sided p ≤ {result.alpha:g}) if it is at least {quantile:.3f} standard errors of its difference. "
    "These were predicted by a local regression of log standard errors on gains, scaled by one over the root of the "
    "number of segments. 95 % intervals come from {result.draws:,} draws of systems with replacement (truegain "
    "{result.version}, seed {result.seed})."
)

#: Pairs that are predicted from, by the group.
PAIRS = {"all": "{:,} pairs", "same": "{:,} pairs of similar systems"}
_COLUMNS = "metric gain probability low high group pairs systems segments alpha unit n_units draws seed"


class ReportedGain(Row):
    """A reported gain and the probability that it is significant."""

    gain: Annotated[Positive, field("The gain, in points of the metric.", show="figures")]
    probability: Annotated[Proportion, field("The probability that it is significant.", "significant", "score")]
    low: Annotated[
        Proportion | None, field("The lower end of its 95 % interval over systems.", "95 % CI", "ends high probability")
    ]
    high: threshold.High


class SignificanceResult(Result, tag="significance", kw_only=True):
    """Significance of reported gains, predicted from the pairs of systems of a profile."""

    title = "Is a reported gain significant?"
    study: ClassVar[str] = "significance"
    layout = (Show("gains", "gain probability low?", CAPTION, (PREDICTED_NOTE,), per_metric=False),)

    testset: Annotated[TestSet, field("The test set of the profile.")]
    metrics: Metrics
    gains: Annotated[tuple[ReportedGain, ...], field("The gains, as they were asked for.", min_length=1)]
    group: Annotated[str, field("The pairs that it is predicted from: all, or same, those of similar systems.")]
    pairs: Annotated[Count, field("The number of these pairs.")]
    systems: Annotated[Count, field("The number of systems in them.")]
    segments: Annotated[Count, field("The number of segments of the test set that the gains are of.")]
    alpha: threshold.Level
    unit: Unit
    n_units: Units
    draws: threshold.Draws
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


@takes(SignificanceOptions)
def significance(options: SignificanceOptions) -> SignificanceResult:
    """Predict whether a reported gain is significant, without outputs: from a profile of other systems.

    The profile is the result of :func:`truegain.threshold` on a test set of the kind. The gain is significant if the
    standard error of its difference is small enough; that error is predicted from the profile's pairs of systems. It
    is scaled by one over the root of the number of segments. Gains above twice the profile's largest and test sets
    more than four times larger or smaller are refused.
    """
    profile = read_profile(options.profile, threshold.ThresholdResult)
    metric = _metric(profile, options.metric)
    rows = _pairs(profile, metric, options.similar)
    known = profile.testset.segments
    segments = known if options.segments is None else options.segments
    gains = _gains(options.gain, max(row.delta for row in rows), metric)
    if not known / profiles.FARTHEST_SIZE <= segments <= known * profiles.FARTHEST_SIZE:
        raise InputError(
            f"a test set of {whole(segments, 'segment')} is more than {profiles.FARTHEST_SIZE:g} times larger or "
            f"smaller than that of the profile, {known:,}",
            hint="use a profile of a test set of about that size",
        )
    group = "same" if options.similar else "all"
    result = SignificanceResult(
        testset=profile.testset,
        metrics=(metric,),
        gains=tuple(_reported(profile, rows, gains, segments)),
        group=group,
        pairs=len(rows),
        systems=len({name for row in rows for name in (row.baseline, row.system)}),
        segments=segments,
        alpha=profile.alpha,
        unit=profile.unit,
        n_units=profile.n_units,
        draws=threshold.DRAWS,
        seed=profile.seed,
        signature=(
            f"significance|pairs:{group}|segments:{segments}|draws:{threshold.DRAWS}|version:{__version__}"
            f"|profile:{profile.signature}"
        ),
        about=f"profile: {describe_testset(profile.testset, ())}",
    )
    pairs, quantile = PAIRS[group].format(result.pairs), normal_quantile(1.0 - result.alpha)
    listed = listing([f"{gain:g}" for gain in gains])
    return replace(
        result,
        findings=tuple(_findings(result)),
        notes=tuple(_notes(result)),
        ending=PREDICTED_ENDING(pairs=pairs, draws=threshold.DRAWS, seed=result.seed),
        methods=METHODS_REPORTED(
            gains=listed, label=result.metrics[0].label, pairs=pairs, result=result, quantile=quantile
        ),
    )


def _findings(result: SignificanceResult) -> Iterator[Finding]:
    label, segments = result.metrics[0].label, whole(result.segments, "segment")
    for row in result.gains:
        share = share_text(row.probability)
        yield Finding(REPORTED(gain=row.gain, label=label, segments=segments, share=share))


def _notes(result: SignificanceResult) -> Iterator[Note]:
    known, segments = result.testset.segments, result.segments
    if segments != known:
        yield Note("rescaled", RESCALED(scale=math.sqrt(known / segments), known=known, segments=segments))
    yield from threshold.few_systems_notes(result.systems)


def _reported(
    profile: threshold.ThresholdResult, rows: Sequence[threshold.GainPair], gains: Sequence[float], segments: int
) -> Iterator[ReportedGain]:
    """Yield the probability of each gain g: the share of pairs whose standard error is at most g / (z · scale)."""
    scale = math.sqrt(profile.testset.segments / segments)
    quantile = normal_quantile(1.0 - profile.alpha)
    names = list(dict.fromkeys(row.name for row in profile.scores))
    deltas, errors = np.array([row.delta for row in rows]), np.array([row.se for row in rows])
    firsts, seconds = np.array([(names.index(row.baseline), names.index(row.system)) for row in rows]).T
    weights = profiles.drawn_weights(firsts, seconds, threshold.drawn_systems(profile.seed, len(names)))

    def share(gain: float, drawn: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        return profiles.significant_share(deltas, errors, gain, gain / (quantile * scale), drawn)

    for gain in gains:
        probability = float(share(gain)[0])
        odds = float(profiles.log_odds(np.array([probability]))[0])
        drawn = profiles.log_odds(share(gain, weights))
        ends = drawn_interval(odds, drawn, np.unique([firsts, seconds]).size, ratio=False)
        low, high = (None if end is None else 1.0 / (1.0 + math.exp(-end)) for end in ends)
        if low is not None and high is not None:  # 0 and 1 have the log odds of what is next to them
            low, high = min(low, probability), max(high, probability)
        yield ReportedGain(gain, probability, low, high)


def _metric(profile: threshold.ThresholdResult, wanted: str | None) -> MetricInfo:
    """Return the metric by its key or its name; the only one by default."""
    keys = [metric.key for metric in profile.metrics]
    named = [key for key in keys if key == wanted]
    named = named or [key for key in keys if wanted in (None, key.partition(":")[0])]
    if len(named) != 1:
        hint = ("say which one the gain is of: ", Way(f"-m {keys[0]}", f'metric="{keys[0]}"'))
        raise one_of("the metric of the profile", wanted or "none", keys, hint=hint)
    return profile.metrics[keys.index(named[0])]


def _pairs(profile: threshold.ThresholdResult, metric: MetricInfo, similar: bool) -> list[threshold.GainPair]:
    """Return the pairs of a profile whose difference varies: all, or those of similar systems."""
    if similar and not profile.labels and "same" not in profile.classes:
        classes = ", ".join(profile.classes) or "none"
        labels, of_pairs = (
            Way("--group REGEX or --groups FILE", "groups=…"),
            Way("--pair-classes FILE", "pair_classes=…"),
        )
        raise InputError(
            f"the profile does not say which of its systems are similar; its classes of pairs: {classes}",
            hint=("make it with ", labels, " or, with a class 'same', ", of_pairs),
        )
    groups = {"same"} if similar else {row.group for row in profile.pairs}
    rows = [row for row in profile.pairs if row.metric == metric.key and row.se > 0.0 and row.group in groups]
    if len(rows) < profiles.FEWEST_PAIRS:
        raise InputError(
            f"the profile has {whole(len(rows), 'pair')} to predict from under {metric.label}",
            hint=f"it takes {profiles.FEWEST_PAIRS}: make a profile of more systems",
        )
    return rows


def _gains(given: float | Sequence[float], largest: float, metric: MetricInfo) -> tuple[float, ...]:
    """Return the gains; refuse what is none, and gains that no pair of the profile is like."""
    gains = tuple(given) if isinstance(given, Sequence | np.ndarray) else (given,)
    for gain in gains or ("nothing",):
        if not (isinstance(gain, int | float) and math.isfinite(gain) and gain > 0.0):
            raise InputError(f"a gain must be a number above 0; got {gain!r}")
        if gain > profiles.FARTHEST_GAIN * largest:
            raise InputError(
                f"a gain of {gain:g} {metric.label} is more than twice the largest of the profile, {largest:.4g}",
                hint="no pair of the profile is like it; use a profile of more systems, or of others",
            )
    return tuple(float(gain) for gain in gains)


_Profile = TypeVar("_Profile", bound=Result)


def read_profile(given: Any, kind: type[_Profile]) -> _Profile:
    """Return a result of a study, or of its file, with the digits that a file has, so that both say the same."""
    if not isinstance(given, str | os.PathLike | kind):
        raise InputError(f"a profile is a result of truegain.{kind.study}, or a file; got {type(given).__name__}")
    profile = load(given) if isinstance(given, str | os.PathLike) else given.rounded()
    if not isinstance(profile, kind):
        python = f'truegain.{kind.study}(…).save("FILE.json")'
        raise InputError(
            f"{given}: this is a result of {profile.study!r}; a profile is one of {kind.study!r}",
            hint=(Way(f"truegain {kind.study} … -o FILE.json", python), " makes one"),
        )
    if any(note.kind == "changed" for note in profile.notes):
        raise InputError("a profile must be as truegain wrote it, and this one was changed since")
    return profile
