"""Is a system better than the baseline?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from truegain.cache import Cache
from truegain.corpus import Corpus
from truegain.engines.base import Engine
from truegain.errors import InputError, one_of
from truegain.experiment import (
    Experiment,
    Progress,
    StrataChoice,
    UnitChoice,
    check_options,
    moved_pairs,
    variability,
    within_differences,
)
from truegain.inference.effects import effect_of
from truegain.inference.intervals import Interval, IntervalMethod, bootstrap_interval, overlap
from truegain.inference.multiplicity import ADJUSTMENTS, MAXT, adjust, max_t
from truegain.inference.pvalues import Alternative, PValue, tolerance
from truegain.inference.results import Comparison, Variability
from truegain.inference.under_null import binned
from truegain.inference.variance import design_effect
from truegain.metrics.base import Metric
from truegain.procedures.base import Finding, Key, Pair, Stopping, Trial, check_null_gain, gain
from truegain.procedures.classical import segment_gains
from truegain.procedures.lookup import procedure
from truegain.procedures.replicas import chosen_test, first_claim
from truegain.registry import TESTS
from truegain.report.model import MovedPair, whole
from truegain.resampling.units import Units
from truegain.statistics import Block, mean_of_runs
from truegain.studies.compare.result import CompareResult
from truegain.studies.null_gain import as_given, null_words
from truegain.version import __version__

__all__ = ["FAMILIES", "Family", "compare"]

Family = Literal["baseline", "all"]
#: Which systems are compared with which.
FAMILIES: tuple[Family, ...] = ("baseline", "all")

_LISTED, _MOST_LISTED = 10, 3_000  # segments each way for a pair and metric, and in all
_FIXED = 10_000  # resamples of intervals, and of tests with a fixed number, where tests may choose their own


def compare(
    corpus: Corpus,
    *,
    metrics: Sequence[str | Metric] | Mapping[str, Metric] = ("bleu",),
    baseline: str | None = None,
    family: Family = "baseline",
    test: str | Sequence[str] = "auto",
    unit: UnitChoice = "auto",
    strata: StrataChoice = "auto",
    block_length: float | None = None,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    resamples: int | Literal["auto"] = 10_000,
    seed: int = 12345,
    interval: IntervalMethod = "percentile",
    adjustment: str = "holm",
    null_gain: float = 0.0,
    development: Corpus | None = None,
    moved: int | None = None,
    jobs: int = 1,
    cache: Cache | None = None,
    engine: Engine | str | None = None,
    progress: Progress | None = None,
    prepared: Experiment | None = None,
) -> CompareResult:
    """Compare every system with the baseline, or all with each other, under every metric.

    See :func:`truegain.compare` for the parameters. ``prepared`` is the corpus scored already, under these metrics,
    with these units and this seed: nothing is scored again then.
    """
    fixed = _FIXED if resamples == "auto" else resamples
    check_options(alpha=alpha, resamples=fixed, seed=seed, interval=interval, jobs=jobs)
    choices = (test,) if isinstance(test, str) else tuple(test)
    _check_choices(choices, alternative, family, adjustment, null_gain)
    if resamples == "auto" and adjustment == MAXT:
        raise InputError(
            "maxt needs as many resamples of every comparison", hint="give their number: --resamples 10000"
        )
    if choices[0] == "stationary-bootstrap" and unit in ("auto", "segment"):
        unit = "block"
    if interval == "bca" and unit == "block":
        raise InputError("bca is not defined for blocks", hint="take another --interval: percentile, basic or normal")
    if block_length is not None and unit != "block" and "stationary-bootstrap" not in choices:
        raise InputError("a length of blocks is given, and no blocks are drawn", hint="draw them: --unit block")
    pairs = _pairs(corpus, baseline, family)
    experiment = prepared or Experiment.prepare(
        corpus,
        metrics,
        unit=unit,
        strata=strata,
        block_length=block_length,
        seed=seed,
        jobs=jobs,
        cache=cache,
        engine=engine,
        progress=progress,
    )
    if experiment.units.count < 2:
        raise InputError(
            "there is only one segment: no test can tell a difference from chance on it",
            hint="truegain score gives the scores",
        )
    if unit == "block":
        experiment = experiment.in_blocks([(pair.baseline, pair.system) for pair in pairs])
    stopping = Stopping(adjustment, len(pairs)) if resamples == "auto" else None
    trial = Trial(experiment, pairs, alternative, alpha, fixed, stopping, null_gain)
    families = _families(trial, choices)
    found = _findings(trial, families)
    frames = {key: _frame(trial, key, interval) for key in trial.keys}
    comparisons: list[Comparison] = []
    for m, (number, tests) in itertools.product(range(len(experiment.statistics.blocks)), enumerate(families)):
        keys = [(m, pair) for pair in tests]
        findings = [found[name, (m, pair)] for pair, name in tests.items()]
        made = [
            _within(_with_finding(frames[key], finding, asked, null_gain), experiment.statistics.blocks[m])
            for key, finding, asked in zip(keys, findings, tests.values(), strict=True)
        ]
        comparisons.extend(_adjusted(trial, made, findings, keys, adjustment, deciding=number == 0))
    variable = variability(experiment, fixed, development)
    listed, unlisted = _moved(trial, moved, variable)
    return CompareResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(experiment.bootstrap(fixed), 1.0 - alpha, interval),
        comparisons=tuple(comparisons),
        baseline=corpus.systems[pairs[0].baseline].name if family == "baseline" else None,
        alpha=alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=fixed,
        signature=(
            f"test:{'+'.join(_names(families))}|unit:{experiment.units.kind}"
            f"{'' if len(experiment.units.strata) == 1 else '|strata:domain'}"
            f"{'' if experiment.units.mean_length is None else f'|length:{experiment.units.mean_length:g}'}"
            f"|alternative:{alternative}{'' if null_gain == 0.0 else f'|null-gain:{null_gain:g}'}|alpha:{alpha:g}"
            f"|family:{family}|adjust:{adjustment}|ci:{interval}|R:{resamples}|seed:{seed}|version:{__version__}"
        ),
        notes=(
            *experiment.notes,
            *_study_notes(
                trial,
                families,
                choices,
                adjustment,
                sequential=any(one.p_value.sequence is not None for one in comparisons),
            ),
            *unlisted,
        ),
        variability=variable,
        moved=listed,
        null_gain=null_gain,
    )


def _moved(
    trial: Trial, asked: int | None, variable: Sequence[Variability]
) -> tuple[tuple[MovedPair, ...], tuple[str, ...]]:
    """The segments that moved most, or a note on why they are not listed."""
    if asked is not None and asked < 0:
        raise InputError(f"the number of segments to list must be 0 or more; got {asked}")
    panels = len(trial.pairs) * len(trial.experiment.statistics.blocks)
    count = min(_LISTED, _MOST_LISTED // (2 * panels)) if asked is None else asked
    if count == 0:
        note = f"There are {panels:,} pairs and metrics: the segments that moved most are not listed"
        return (), (note,) if asked is None else ()
    pairs = [(pair.baseline, pair.system) for pair in trial.pairs]
    try:
        return moved_pairs(trial.experiment, pairs, count=count, variability=variable), ()
    except InputError as error:  # a metric of the user's that has no score with two outputs swapped
        return (), (f"The segments that moved most are not listed: {error.message}",)


def _check_choices(choices: Sequence[str], alternative: str, family: str, adjustment: str, null_gain: float) -> None:
    if alternative not in ("two-sided", "greater", "less"):
        raise one_of("alternative", alternative, ["two-sided", "greater", "less"])
    if family not in FAMILIES:
        raise one_of("family", family, list(FAMILIES))
    for choice in choices:
        if choice != "auto" and choice not in TESTS:
            raise one_of("test", choice, ["auto", *TESTS])
    if not choices:
        raise InputError("there is no test to compare with", hint=f"choose among {', '.join(('auto', *TESTS))}")
    if adjustment not in ADJUSTMENTS:
        raise one_of("adjustment", adjustment, list(ADJUSTMENTS))
    if not math.isfinite(null_gain):
        raise InputError(f"the gain of the null hypothesis must be a finite number; got {null_gain:g}")
    for choice in choices:
        if choice != "auto":
            check_null_gain(choice, null_gain)


def _pairs(corpus: Corpus, baseline: str | None, family: Family) -> tuple[Pair, ...]:
    names = [system.name for system in corpus.systems]
    if len(names) < 2:
        raise InputError(
            f"there is only one system, {names[0]!r}; a comparison needs two",
            hint="give the baseline first, then the others; truegain score gives the score of one",
        )
    if baseline is not None and baseline not in names:
        raise one_of("the baseline", baseline, names)
    if family == "all":
        if baseline is not None:
            raise InputError("with all pairs there is no baseline", hint="leave out --baseline, or --family all")
        return tuple(Pair(a, b) for a, b in itertools.combinations(range(len(names)), 2))
    base = 0 if baseline is None else names.index(baseline)
    return tuple(Pair(base, s) for s in range(len(names)) if s != base)


#: Which test each pair gets; a family may leave pairs out.
_Tests = dict[Pair, str]


def _families(trial: Trial, choices: Sequence[str]) -> list[_Tests]:
    """The deciding tests, and others beside them: as asked for, or those of the other two claims where runs differ."""
    families = [
        {pair: chosen_test(trial, pair) if choice == "auto" else choice for pair in trial.pairs} for choice in choices
    ]
    if tuple(choices) == ("auto",):
        several = [pair for pair, name in families[0].items() if name == "crossed"]
        if several:
            families.append({pair: first_claim(trial, pair) for pair in several})
            if trial.null_gain == 0.0:
                families.append(dict.fromkeys(several, "run-permutation"))
    return [tests for place, tests in enumerate(families) if tests not in families[:place]]


def _names(families: Sequence[_Tests]) -> list[str]:
    return list(dict.fromkeys(name for tests in families for name in tests.values()))


def _findings(trial: Trial, families: Sequence[_Tests]) -> dict[tuple[str, Key], Finding]:
    """Run every test once, on all pairs that any family gives it."""
    found = {}
    for name in _names(families):
        mine = tuple(pair for pair in trial.pairs if any(tests.get(pair) == name for tests in families))
        for key, finding in procedure(name)(replace(trial, pairs=mine)).items():
            found[name, key] = finding
    return found


def _with_finding(frame: Comparison, finding: Finding, asked: str, null_gain: float) -> Comparison:
    noun = "segment" if finding.unit == "block" else finding.unit
    return replace(
        frame,
        p_value=finding.p_value,
        p_adjusted=finding.p_value.p,
        test=finding.test,
        asked=asked,
        unit=finding.unit,
        n_units=finding.n_units,
        alternative=finding.alternative,
        null=null_words(
            finding.test,
            system=frame.system,
            baseline=frame.baseline,
            unit=noun,
            alternative=finding.alternative,
            null_gain=null_gain,
        ),
        claim=finding.claim,
        notes=finding.notes,
        interval=_interval(frame.interval, finding),
        under_null=finding.under_null if finding.distribution is None else binned(finding.distribution),
    )


def _interval(bootstrap: Interval, finding: Finding) -> Interval:
    """The test's own interval, or the bootstrap's; of a claim that needs a narrower one as well, what covers both."""
    own = finding.interval
    if own is None:
        return bootstrap
    if finding.test != "crossed":
        return own
    return replace(own, low=min(own.low, bootstrap.low), high=max(own.high, bootstrap.high))


def _within(comparison: Comparison, block: Block) -> Comparison:
    return replace(comparison, interval=within_differences(comparison.interval, block))


def _frame(trial: Trial, key: Key, method: IntervalMethod) -> Comparison:
    """What does not depend on the test: the comparison without its p-value."""
    experiment = trial.experiment
    m, pair = key
    block = experiment.statistics.blocks[m]
    resampled = experiment.bootstrap(trial.resamples)
    sides = [resampled[m, pair.baseline], resampled[m, pair.system]]
    level = 1.0 - trial.alpha
    delta = trial.delta(key)
    left = experiment.left_out[m] if method == "bca" else None
    segment_differences, slack = segment_gains(trial, key)
    systems = experiment.corpus.systems
    return Comparison(
        metric=block.key,
        baseline=systems[pair.baseline].name,
        system=systems[pair.system].name,
        delta=delta,
        interval=bootstrap_interval(
            delta,
            gain(block.metric, *sides),
            level=level,
            method=method,
            factor=experiment.factor(level),
            left_out=None if left is None else gain(block.metric, left[pair.baseline], left[pair.system]),
        ),
        p_value=PValue(1.0),
        p_adjusted=1.0,
        adjustment="none",
        test="",
        asked="",
        unit="",
        n_units=0,
        seed=experiment.seed,
        alternative="two-sided",
        null="",
        claim="",
        significant=False,
        better=None,
        design_effect=_design_effect(trial, key),
        effect=effect_of(segment_differences, slack=slack) if np.isfinite(segment_differences).all() else None,
        overlap=overlap(sides[0], sides[1], level=level),
    )


def _design_effect(trial: Trial, key: Key) -> float | None:
    """How much larger the variance of the difference is with documents as units; None where they are not known."""
    experiment = trial.experiment
    m, pair = key
    block = experiment.statistics.blocks[m]
    ids = experiment.corpus.documents
    documents = None if ids is None else Units.documents(ids)
    if documents is None or documents.count < 2:
        return None
    columns = [np.r_[block.system_columns(s)] for s in (pair.baseline, pair.system)]
    values = experiment.statistics.values[:, np.concatenate(columns)]
    edge = columns[0].size

    def difference(totals: NDArray[np.float64]) -> NDArray[np.float64]:
        new, old = (mean_of_runs(block.run_scores(part)) for part in (totals[edge:], totals[:edge]))
        return np.asarray(new - old)[None]

    effect = float(design_effect(values, documents.sums(values), difference)[0])
    return effect if math.isfinite(effect) else None


def _adjusted(
    trial: Trial,
    family: list[Comparison],
    findings: Sequence[Finding],
    keys: Sequence[Key],
    adjustment: str,
    *,
    deciding: bool,
) -> list[Comparison]:
    """Adjust over the family, and decide, where one way is the better one."""
    if adjustment == MAXT and not deciding and any(finding.distribution is None for finding in findings):
        adjustment = "holm"  # a test beside the deciding one, without resamples to share
    adjusted = _max_t(trial, findings, keys) if adjustment == MAXT else adjust([one.p for one in family], adjustment)
    directed = trial.metric(keys[0]).higher_is_better is not None
    alpha = trial.alpha
    decided = []
    for one, finding, p in zip(family, findings, adjusted, strict=True):
        # The Monte-Carlo interval of the adjusted value, the other p-values being what they are.
        low, high = (min(1.0, end * p / one.p) if one.p > 0.0 else end for end in one.p_mc)
        notes = one.notes
        beyond = one.delta - trial.null_gain
        if low <= alpha < high and beyond != 0:
            what = "p" if p == one.p else "the adjusted p"
            said = f"the Monte-Carlo error of {what} ({low:.4f} to {high:.4f}) straddles {alpha:g}"
            more = "undecided" if trial.stopping is not None else "use more --resamples to decide"
            notes = (*notes, f"{said}; {more}")
        significant = p <= alpha and beyond != 0 and finding.direction * beyond > 0
        # A gain above −0.3 is not above zero, nor one below +0.3 below it.
        says = directed and significant and beyond * trial.null_gain >= 0
        better = (beyond > 0) if says else None
        decided.append(
            replace(one, adjustment=adjustment, p_adjusted=p, significant=significant, better=better, notes=notes)
        )
    return decided


def _max_t(trial: Trial, findings: Sequence[Finding], keys: Sequence[Key]) -> list[float]:
    tests = list(dict.fromkeys(finding.test for finding in findings))
    nulls = [finding.distribution for finding in findings if finding.distribution is not None]
    if len(nulls) < len(findings) or len(tests) > 1:
        raise InputError(
            f"maxt needs one test whose resamples all comparisons share; {' and '.join(tests)} "
            f"{'does not have them' if len(tests) == 1 else 'do not share theirs'}",
            hint="use --test ar or bootstrap, or --adjust holm",
        )
    return max_t(
        [trial.delta(key) for key in keys],
        nulls,
        alternative=trial.alternative,
        slack=[tolerance(trial.magnitude(key)) for key in keys],
        null_gain=trial.null_gain,
        freedom=findings[0].freedom,
    )


def _study_notes(
    trial: Trial, families: Sequence[_Tests], choices: Sequence[str], adjustment: str, *, sequential: bool
) -> list[str]:
    experiment = trial.experiment
    notes = []
    few = experiment.few_units_note()
    if few is not None:
        notes.append(few)
    if experiment.corpus.documents is not None and experiment.units.kind in ("document", "domain", "testset"):
        single = [name for name in _names(families) if TESTS[name].unit == "segment"]
        if single:
            verb = "takes" if len(single) == 1 else "take"
            notes.append(f"{', '.join(single)} {verb} segments as independent, though documents are known")
    notes.extend(note[:1].upper() + note[1:] for note in experiment.unit_notes)
    if choices[0] == "auto" and experiment.units.kind == "block":
        notes.append("The stationary bootstrap was chosen: blocks can be drawn, not swapped")
        if max(len(system.runs) for system in experiment.corpus.systems) > 1:
            notes.append("With blocks nothing is claimed of new runs: the crossed test needs segments or documents")
    elif choices[0] == "auto" and trial.null_gain == 0.0 and "bootstrap" in families[0].values():
        notes.append("The bootstrap was chosen where the numbers of runs differ: runs cannot be swapped in pairs there")
    if choices[0] == "auto":
        systems = experiment.corpus.systems
        if max(len(system.runs) for system in systems) > 1:
            alone = [system.name for system in systems if len(system.runs) == 1]
            if alone:
                verb = "has" if len(alone) == 1 else "have"
                notes.append(f"{', '.join(alone)} {verb} one run, so nothing is claimed of new runs there")
    if trial.null_gain != 0.0:
        notes.extend(_null_gain_notes(trial, families, choices))
    count, resamples = len(trial.pairs), trial.resamples
    if sequential and trial.stopping is not None:
        notes.append(
            "Tests drew until every decision was certain but for a probability of "
            f"{trial.stopping.error:g}, at most {trial.stopping.cap:,} resamples"
        )
    elif adjustment != MAXT and adjust([1 / (resamples + 1)] + [1.0] * (count - 1), adjustment)[0] > trial.alpha:
        notes.append(
            f"With {resamples:,} resamples no p of {whole(count, 'comparison')} can be below {trial.alpha:g} after "
            "adjustment; use more --resamples"
        )
    return notes


def _null_gain_notes(trial: Trial, families: Sequence[_Tests], choices: Sequence[str]) -> list[str]:
    """What p-values are about where they are not about zero, and what gave way to that."""
    side = {"greater": "at most ", "less": "at least "}.get(trial.alternative, "")
    notes = [f"P-values are of the null hypothesis that Δ is {side}{as_given(trial.null_gain)}, not of zero"]
    if choices[0] != "auto":
        return notes
    if "bootstrap" in _names(families):
        notes.append("The bootstrap was chosen: swaps can only show that two systems differ, not by how much")
    if "crossed" in families[0].values():
        notes.append("Nothing is said of new runs on this test set: regrouped runs can only show that systems differ")
    return notes
