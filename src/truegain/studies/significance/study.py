"""Probability that a reported gain is significant, from a profile: Berg-Kirkpatrick et al. (2012, 3.1.1 and 5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
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
from truegain.inference.results import MetricInfo
from truegain.inference.thresholds import drawn_interval
from truegain.notes import Note
from truegain.report.model import whole
from truegain.resampling.generator import bootstrap_counts, resample_keys
from truegain.resampling.streams import Stream
from truegain.settings.function import takes
from truegain.settings.significance import SignificanceOptions
from truegain.studies.profiles import read_profile
from truegain.studies.significance.result import ReportedGain, SignificanceResult
from truegain.studies.threshold.result import ThresholdResult
from truegain.version import __version__

_DRAWS = 1_000
_FEW_SYSTEMS = 10  # for an interval that means much


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
    pairs = _pairs(profile, metric, options.similar)
    gains = _gains(options.gain, pairs, metric)
    segments = _segments(options.segments, profile)
    scale = math.sqrt(profile.testset.segments / segments)
    quantile = normal_quantile(1.0 - profile.alpha)
    systems = len({*pairs.firsts.tolist(), *pairs.seconds.tolist()})
    keys = resample_keys(profile.seed, Stream.THRESHOLD_SYSTEMS, 0, _DRAWS)
    counts = bootstrap_counts(keys, len(_names(profile))).astype(np.float64)
    weights = drawn_weights(pairs.firsts, pairs.seconds, counts)

    def share(gain: float, drawn: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        return significant_share(pairs.gains, pairs.errors, gain, gain / (quantile * scale), drawn)

    found = []
    for gain in gains:
        probability = float(share(gain)[0])
        odds = float(log_odds(np.array([probability]))[0])
        ends = drawn_interval(odds, log_odds(share(gain, weights)), systems, ratio=False)
        low, high = (None if end is None else 1.0 / (1.0 + math.exp(-end)) for end in ends)
        if low is not None and high is not None:  # 0 and 1 have the log odds of what is next to them
            low, high = min(low, probability), max(high, probability)
        found.append(ReportedGain(gain, probability, low, high))
    return SignificanceResult(
        testset=profile.testset,
        metrics=(metric,),
        gains=tuple(found),
        group=pairs.group,
        pairs=pairs.gains.size,
        systems=systems,
        segments=segments,
        alpha=profile.alpha,
        unit=profile.unit,
        n_units=profile.n_units,
        draws=_DRAWS,
        seed=profile.seed,
        signature=(
            f"significance|pairs:{pairs.group}|segments:{segments}|draws:{_DRAWS}|version:{__version__}"
            f"|profile:{profile.signature}"
        ),
        notes=tuple(_notes(profile, segments, scale, systems)),
    )


@dataclass(frozen=True)
class _Pairs:
    """Pairs of a profile whose difference varies."""

    group: str
    gains: NDArray[np.float64]
    errors: NDArray[np.float64]
    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]


def _metric(profile: ThresholdResult, wanted: str | None) -> MetricInfo:
    """Return the metric by its key or its name; the only one by default."""
    known = {one.key: one for one in profile.metrics}
    if wanted is None:
        if len(known) > 1:
            first = next(iter(known))
            raise InputError(
                f"the profile has {len(known)} metrics: {', '.join(known)}",
                hint=("say which one the gain is of: ", Way(f"-m {first}", f'metric="{first}"')),
            )
        return profile.metrics[0]
    named = [one for key, one in known.items() if wanted in (key, key.partition(":")[0])]
    if wanted in known:
        return known[wanted]
    if len(named) != 1:
        raise one_of("the metric of the profile", wanted, list(known))
    return named[0]


def _pairs(profile: ThresholdResult, metric: MetricInfo, similar: bool) -> _Pairs:
    group = "same" if similar else "all"
    found = [
        one
        for one in profile.pairs
        if one.metric == metric.key and one.se > 0.0 and (not similar or one.group == "same")
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
    if len(found) < FEWEST_PAIRS:
        kind = "of similar systems " if similar else ""
        raise InputError(
            f"the profile has {whole(len(found), 'pair')} {kind}with differences that vary under {metric.label}; "
            f"{FEWEST_PAIRS} are needed",
            hint="make a profile of more systems",
        )
    places = {name: place for place, name in enumerate(_names(profile))}
    return _Pairs(
        group,
        np.array([one.delta for one in found]),
        np.array([one.se for one in found]),
        np.array([places[one.baseline] for one in found]),
        np.array([places[one.system] for one in found]),
    )


def _names(profile: ThresholdResult) -> list[str]:
    return list(dict.fromkeys(one.name for one in profile.scores))


def _gains(given: float | Sequence[float], pairs: _Pairs, metric: MetricInfo) -> tuple[float, ...]:
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
    own = profile.testset.segments
    if given is None:
        return own
    if given < 1:
        raise InputError(f"the number of segments must be at least 1; got {given}")
    if not own / FARTHEST_SIZE <= given <= own * FARTHEST_SIZE:
        raise InputError(
            f"a test set of {whole(given, 'segment')} is more than {FARTHEST_SIZE:g} times "
            f"{'larger' if given > own else 'smaller'} than that of the profile, {own:,}",
            hint="use a profile of a test set of about that size",
        )
    return given


def _notes(profile: ThresholdResult, segments: int, scale: float, systems: int) -> list[Note]:
    notes = []
    if segments != profile.testset.segments:
        text = (
            f"Standard errors were multiplied by {scale:.2f}, the root of {profile.testset.segments:,} / {segments:,}: "
            "this assumes segments, and documents, like those of the profile"
        )
        notes.append(Note("rescaled", text))
    if systems < _FEW_SYSTEMS:
        text = f"{systems} systems say little about other systems: the interval over systems is a rough one"
        notes.append(Note("few-systems", text))
    return notes
