"""Comparison of systems with a baseline."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from truegain.changed_segments import ChangedPair
from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, command, one_of
from truegain.experiment import (
    Experiment,
    changed_pairs,
    check_gains,
    check_options,
    variability,
    with_development,
)
from truegain.inference.multiplicity import MAXT
from truegain.inference.results import Comparison, Variability
from truegain.notes import Note
from truegain.procedures.base import Pair, Stopping, Trial, check_null_gain
from truegain.registry import TESTS
from truegain.resampling.units import Units
from truegain.settings import Family
from truegain.settings.compare import CompareOptions
from truegain.settings.function import takes
from truegain.studies.checks import check_blocks, check_several_units, not_shared, units_signature
from truegain.studies.compare.caveats import interval_notes
from truegain.studies.compare.comparison import frame_of, with_finding
from truegain.studies.compare.decision import decided
from truegain.studies.compare.families import Tests, families_of, findings_of, names_of
from truegain.studies.compare.notes import notes_of
from truegain.studies.compare.result import CompareResult
from truegain.studies.given import corpus_of, development_of
from truegain.version import __version__

_LISTED, _MOST_LISTED = 10, 3_000  # segments each way for a pair and metric, and in all
_FIXED = 10_000  # resamples of intervals, and of tests with a fixed number, where tests may choose their own


@takes(CompareOptions)
def compare(options: CompareOptions) -> CompareResult:
    """Compare systems with a baseline, or all with each other, under every metric.

    Units are documents if they are known, else segments. Intervals of gains hold what the test does not reject; those
    of scores come from the bootstrap. With several runs of a system its score is the mean over runs. Three claims can
    be made then: for new runs on new segments (``crossed``, which decides), for these runs on new segments, and for new
    runs on this test set. All are shown.

    Examples
    --------
    >>> import truegain as tg
    >>> result = tg.compare(
    ...     ["the cat sat", "a dog ran off", "it was late"],
    ...     {
    ...         "base": ["the cat sits", "a dog ran", "it was late"],
    ...         "new": ["the cat sat", "a dog ran off", "it is late"],
    ...     },
    ...     metrics=["chrf"],
    ... )
    >>> result["chrf", "new"].n_units
    3
    """
    return compare_corpus(corpus_of(options), options)


def compare_corpus(corpus: Corpus, options: CompareOptions, prepared: Experiment | None = None) -> CompareResult:
    """Compare the systems of a corpus.

    ``prepared`` is the corpus scored already, under these metrics, with these units and this seed: nothing is scored
    again then.
    """
    fixed = _FIXED if options.resamples == "auto" else options.resamples
    check_options(options)
    choices = (options.test,) if isinstance(options.test, str) else tuple(options.test)
    _check_choices(choices, options.null_gain)
    if options.resamples == "auto" and options.adjust == MAXT:
        raise InputError(
            "maxt needs as many resamples of every comparison",
            hint=("give their number: ", Setting("resamples", 10000)),
        )
    if choices[0] == "exact" and options.adjust == MAXT:  # also if the swaps turn out too many to be counted
        raise not_shared("exact")
    if options.by is not None:
        from truegain.studies.grouping import check_grouping

        check_grouping(corpus, options.by, "block" if "stationary-bootstrap" in choices else options.unit)
    if choices[0] == "stationary-bootstrap" and options.unit in ("auto", "segment"):
        options = options.changed(unit="block")
    alpha, interval, adjustment = options.alpha, options.interval, options.adjust
    drawn = options.unit == "block" or "stationary-bootstrap" in choices
    check_blocks(unit=options.unit, block_length=options.block_length, interval=interval, drawn=drawn)
    pairs = compared_pairs(corpus, options.baseline, options.family)
    corpus, development = with_development(corpus, development_of(options))
    experiment = prepared or Experiment.of(corpus, options, compared=pairs)
    if prepared is None:
        check_gains(experiment, "null_gain", [options.null_gain] * len(experiment.statistics.blocks))
    check_several_units(experiment)
    if options.unit == "block":
        experiment = experiment.in_blocks([(pair.baseline, pair.system) for pair in pairs])
    stopping = Stopping(adjustment, len(pairs)) if options.resamples == "auto" else None
    null_gain, joint = options.null_gain, adjustment == MAXT
    inverted = interval == "test"
    trial = Trial(
        experiment, pairs, options.alternative, alpha, fixed, stopping, null_gain, joint=joint, inverted=inverted
    )
    families = families_of(trial, choices)
    found = findings_of(trial, families, chosen=choices == ("auto",))
    frames = {key: frame_of(trial, key, interval) for key in trial.keys}
    comparisons: list[Comparison] = []
    primary: list[Comparison] = []
    for m, (number, tests) in itertools.product(range(len(experiment.statistics.blocks)), enumerate(families)):
        asked = {key: name for key, name in tests.items() if key[0] == m}
        if not asked:
            continue
        keys = list(asked)
        findings = [found[name, key] for key, name in asked.items()]
        made = [
            with_finding(trial, key, frames[key], finding, name)
            for (key, name), finding in zip(asked.items(), findings, strict=True)
        ]
        family = decided(trial, made, findings, keys, adjustment, primary=number == 0)
        comparisons.extend(family)
        primary.extend(family if number == 0 else [])
    groups = None
    if options.by is not None:
        from truegain.studies.compare.groups import groups_of

        groups = groups_of(corpus, options.changed(human_agreement=None), pairs, compare_corpus)
    meaning, unsaid = None, list[Note]()
    if options.human_agreement is not None:
        from truegain.studies.compare.human import human_agreement

        infos = experiment.metric_infos()
        meaning, unsaid = human_agreement(options.human_agreement, infos, primary, 1.0 - alpha)
    variable = variability(experiment, fixed, development)
    listed, unlisted = _moved(trial, options.changed_segments, variable)
    scores = experiment.system_results(fixed, 1.0 - alpha, interval)
    return CompareResult(
        testset=experiment.testset(development),
        metrics=experiment.metric_infos(),
        scores=scores,
        comparisons=tuple(comparisons),
        baseline=corpus.systems[pairs[0].baseline].name if options.family == "baseline" else None,
        alpha=alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=fixed,
        signature=(
            f"test:{'+'.join(names_of(families))}|{_tested_signature(experiment.units, comparisons, families[0])}"
            f"{'' if null_gain == 0.0 else f'|null-gain:{null_gain:g}'}|alpha:{alpha:g}"
            f"{_samples_signature(corpus)}"
            f"{'' if options.by is None else f'|by:{options.by}'}"
            f"{'' if meaning is None else f'|human-agreement:{meaning.fingerprint}'}"
            f"|family:{options.family}|adjust:{adjustment}|ci:{interval}|R:{options.resamples}|seed:{options.seed}"
            f"|version:{__version__}"
        ),
        notes=(
            *experiment.notes,
            *interval_notes(
                primary, f"{experiment.units.count:,} {experiment.units.noun}s", strata=len(experiment.units.strata)
            ),
            *notes_of(
                trial,
                families,
                choices,
                adjustment,
                scores,
                sequential=any(one.p_value.sequence is not None for one in comparisons),
            ),
            *unlisted,
            *unsaid,
        ),
        variability=variable,
        changed_segments=listed,
        null_gain=null_gain,
        standard_errors=options.standard_errors,
        groups=groups,
        human_agreement=meaning,
    )


def _samples_signature(corpus: Corpus) -> str:
    """Return the number of training samples of each system, if they are known."""
    counts = [len(system.samples) for system in corpus.systems]
    return f"|training-samples:{'+'.join(map(str, counts))}" if any(counts) else ""


def _tested_signature(units: Units, comparisons: Sequence[Comparison], primary: Tests) -> str:
    """Return the unit and the side of the tests that decide, and the unit of the intervals if that is another."""
    first = [one for one in comparisons if one.asked in primary.values()]
    kinds = dict.fromkeys(one.unit for one in first)
    sides = "+".join(dict.fromkeys(one.alternative for one in first))
    drawn = units_signature(units)
    if list(kinds) in ([units.kind], [units.noun]):
        return f"{drawn}|alternative:{sides}"
    return f"unit:{'+'.join(kinds)}|alternative:{sides}|ci-{drawn}"


def _moved(
    trial: Trial, asked: int | None, variable: Sequence[Variability]
) -> tuple[tuple[ChangedPair, ...], tuple[Note, ...]]:
    """Return the segments that changed most, or a note on why they are not listed."""
    if asked is not None and asked < 0:
        raise InputError(f"the number of segments to list must be 0 or more; got {asked}")
    panels = len(trial.pairs) * len(trial.experiment.statistics.blocks)
    count = min(_LISTED, _MOST_LISTED // (2 * panels)) if asked is None else asked
    if count == 0:
        text = f"There are {panels:,} pairs and metrics: the segments that moved most are not listed"
        return (), (Note("no-segments", text),) if asked is None else ()
    pairs = [(pair.baseline, pair.system) for pair in trial.pairs]
    try:
        return changed_pairs(trial.experiment, pairs, count=count, variability=variable), ()
    except InputError as error:  # a metric of the user's that has no score with two outputs swapped
        return (), (Note("no-segments", f"The segments that moved most are not listed: {error.message}"),)


def _check_choices(choices: Sequence[str], null_gain: float) -> None:
    for choice in choices:
        if choice != "auto" and choice not in TESTS:
            raise one_of("test", choice, ["auto", *TESTS])
    if not choices:
        raise InputError("there is no test to compare with", hint=f"choose among {', '.join(('auto', *TESTS))}")
    if not math.isfinite(null_gain):
        raise InputError(f"the gain of the null hypothesis must be a finite number; got {null_gain:g}")
    for choice in choices:
        if choice != "auto":
            check_null_gain(choice, null_gain)


def compared_pairs(corpus: Corpus, baseline: str | None, family: Family) -> tuple[Pair, ...]:
    """Return the pairs that are compared: each system with the baseline, or all with each other."""
    names = [system.name for system in corpus.systems]
    if len(names) < 2:
        raise InputError(
            f"there is only one system, {names[0]!r}; a comparison needs two",
            hint=("give the baseline first, then the others; ", command("score"), " gives the score of one"),
        )
    if baseline is not None and baseline not in names:
        raise one_of("the baseline", baseline, names)
    if family == "all":
        if baseline is not None:
            raise InputError(
                "with all pairs there is no baseline",
                hint=("leave out ", Setting("baseline"), ", or ", Setting("family", "all")),
            )
        return tuple(Pair(a, b) for a, b in itertools.combinations(range(len(names)), 2))
    base = 0 if baseline is None else names.index(baseline)
    return tuple(Pair(base, s) for s in range(len(names)) if s != base)
