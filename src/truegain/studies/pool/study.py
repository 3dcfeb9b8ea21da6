"""Comparison over several test sets."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from msgspec import structs

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError
from truegain.experiment import Experiment, check_gains, check_options, with_development
from truegain.experiment.matching import check_same_systems, matched
from truegain.experiment.pooled import averaged, joined
from truegain.inference.conjunction import partial_conjunction
from truegain.inference.multiplicity import holm
from truegain.inference.pvalues import PValue
from truegain.inference.results import Caveat, Comparison
from truegain.notes import Note
from truegain.procedures.base import Key, Pair, Stopping, Trial
from truegain.procedures.lookup import chosen_test, findings_by_name
from truegain.readers.experiment_file import read_experiment
from truegain.readers.training_samples import with_training_samples
from truegain.registry import TESTS
from truegain.report.model import listing
from truegain.settings.compare import CompareOptions
from truegain.settings.function import takes
from truegain.settings.groups import Progress
from truegain.settings.option import described
from truegain.settings.pool import PoolOptions, RunOptions
from truegain.settings.words import in_words_of
from truegain.studies.checks import shared_segments
from truegain.studies.compare.result import CompareResult
from truegain.studies.compare.study import compare_corpus, compared_pairs
from truegain.studies.given import development_of, sets_of
from truegain.studies.pool.parts import Evidence, Replicability
from truegain.studies.pool.result import PooledResult
from truegain.version import __version__

#: The tests that can go over several test sets.
POOLED_TESTS = ("auto", "ar", "bootstrap", "crossed")

_FIXED = 10_000  # resamples of tests with a fixed number, where the others choose their own


@takes(PoolOptions)
def pool(options: PoolOptions) -> PooledResult:
    """Compare systems on several test sets, over all of them, and say on how many a gain is shown.

    Of every set the answer is that of :func:`truegain.compare` with the same seed. Over all of them there are two: all
    segments as one corpus (micro), and the mean of the sets' scores (macro). Units are drawn or swapped within each
    set; blocks and test sets cannot be units. A run is the same trained model on all sets: with several runs of both
    systems its pooled score is what varies over runs, and the segments' part adds up over the sets (``crossed``).

    Of several tests, that over all test sets is the first of ar, bootstrap and crossed among them; else ``auto``.
    """
    alpha, resamples, progress = options.alpha, options.resamples, options.progress
    check_options(options)
    given = sets_of(options.corpora)
    _check_sets(given)
    copies = _copies(given)
    choices = (options.test,) if isinstance(options.test, str) else tuple(options.test)
    first = [system.name for system in given[0].systems]
    corpora = [_in_order(with_training_samples(one, options.training_samples), first) for one in given]
    shared = {one.name: getattr(options, one.name) for one in described(PoolOptions) if one.name != "corpora"}
    experiments: list[Experiment] = []
    sets: list[CompareResult] = []
    for one in corpora:
        corpus, development = with_development(one, development_of(options))
        changes = {"progress": _of(corpus.name, progress), "development": development}
        own = CompareOptions(references=corpus, **shared | changes)
        pairs = compared_pairs(corpus, options.baseline, options.family)
        experiments.append(Experiment.of(corpus, own, compared=pairs))
        check_gains(experiments[-1], "null_gain", [options.null_gain] * len(experiments[-1].statistics.blocks))
        sets.append(compare_corpus(corpus, own.changed(progress=None), experiments[-1]))
    over = next((one for one in choices if one in POOLED_TESTS), "auto")
    micro = macro = None
    notes: list[Note] = []
    if len(corpora) > 1:
        same, notes = matched(experiments)
        together = replace(joined(same, cache=options.cache), progress=_of("micro", progress))
        micro = _over_sets(_compared(together, shared, over))
        mean = averaged([replace(one, progress=_of("macro", progress)) for one in same])
        macro = _over_sets(_compared(mean, shared, over), mean=len(corpora))
        notes += [*_unit_notes(experiments), *_mean_notes(mean), *copies]
        notes += shared_segments([one.corpus for one in same], "they count twice, and pooled p-values are too small")
    if over not in choices:
        verb = "is" if len(choices) == 1 else "are"
        text = f"{listing(list(choices))} {verb} for one test set; over all of them auto chose the test"
        notes.append(Note("chosen-test", text))
    side: Literal["greater", "less"] = "less" if options.alternative == "less" else "greater"
    # The test that the sets are shown with, if it has this side; else that over all sets, and sentences name it.
    claims = choices[0] if choices[0] == "auto" or TESTS[choices[0]].sides == "as chosen" else over
    replicability = _replicability(experiments, sets, claims, side, options)
    return PooledResult(
        sets=tuple(sets),
        micro=micro,
        macro=macro,
        replicability=tuple(replicability),
        alpha=alpha,
        seed=options.seed,
        signature=(
            f"pool|sets:{len(sets)}|test:{over}{'' if claims == over else f'|claims:{claims}'}"
            f"|unit:{options.unit}|strata:testset"
            f"{'' if options.by is None else f'|by:{options.by}'}|alternative:{options.alternative}"
            f"{'' if options.null_gain == 0.0 else f'|null-gain:{options.null_gain:g}'}"
            f"|alpha:{alpha:g}|family:{options.family}|adjust:{options.adjust}|ci:{options.interval}|R:{resamples}"
            f"|seed:{options.seed}|version:{__version__}"
        ),
        notes=tuple(notes),
    )


def _compared(experiment: Experiment, shared: Mapping[str, Any], test: str) -> CompareResult:
    """Compare over all test sets, scored already."""
    changes = {
        "by": None,
        "test": test,
        "changed_segments": 0,
        "development": None,
        "unit": "auto",
        "strata": "auto",
        "progress": None,
    }
    options = CompareOptions(references=experiment.corpus, **{**shared, **changes})
    return compare_corpus(experiment.corpus, options, experiment)


@takes(RunOptions)
def run(options: RunOptions) -> PooledResult:
    """Run the experiment that a TOML file describes; its outputs are not written, ``save`` of the result does that."""
    read = read_experiment(options.experiment)
    with in_words_of(str(options.experiment)):
        return pool(
            read.corpora(),
            metrics=read.metrics,
            development=read.development_corpus(),
            jobs=options.jobs,
            cache=options.cache,
            engine=options.engine,
            executor=options.executor,
            progress=options.progress,
            **read.settings,
        )


def _check_sets(corpora: Sequence[Corpus]) -> None:
    if not corpora:
        raise InputError("there is no test set", hint="give one corpus for each")
    names = [corpus.name for corpus in corpora]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two test sets are named {twice!r}", hint="give them different names")
    check_same_systems(corpora)


def _in_order(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Return the systems in the order of the first test set."""
    return replace(corpus, systems=tuple(corpus.system(name) for name in names))


def _of(name: str, progress: Progress | None) -> Progress | None:
    """Report stages with the name of their test set, since every test set has the same ones."""
    return None if progress is None else lambda stage, done, total: progress(f"{name} {stage}", done, total)


def _over_sets(result: CompareResult, mean: int | None = None) -> CompareResult:
    """Word the answer for several test sets; with ``mean``, for the mean over that many."""

    def of_sets(one: Comparison) -> Comparison:
        # What documents do to the variance is known of all segments together only.
        claim = structs.replace(one.claim, test_sets=True)
        return structs.replace(one, claim=claim, design_effect=None if mean else one.design_effect)

    name = f"mean over {mean} test sets" if mean else result.testset.name
    return structs.replace(
        result,
        testset=structs.replace(result.testset, name=name),
        comparisons=tuple(of_sets(one) for one in result.comparisons),
        signature=f"{'macro' if mean else 'micro'}|{result.signature.replace('strata:domain', 'strata:testset')}",
    )


def _unit_notes(experiments: Sequence[Experiment]) -> list[Note]:
    """Note units that differ between test sets."""
    notes = []
    kinds = {one.units.kind for one in experiments}
    if len(kinds) > 1:
        segments = [one.corpus for one in experiments if one.units.kind == "segment"]
        for bare, what in (
            ([one.name for one in segments if one.documents is None], "no documents to draw"),
            ([one.name for one in segments if one.documents is not None], "one document only"),
        ):
            if bare:
                verb = "has" if len(bare) == 1 else "have"
                text = f"{listing(bare)} {verb} {what}: every segment there is a unit of its own"
                notes.append(Note("unit-choice", text))
    return notes


def _mean_notes(mean: Experiment) -> list[Note]:
    """Note that the mean over test sets rests on too few units, if so."""
    few = mean.few_units_note()
    return [] if few is None else [few.about("macro")]


def _copies(corpora: Sequence[Corpus]) -> list[Note]:
    """Refuse the same segments as two test sets; if only some systems have the same outputs, say so.

    Other references do not make other segments: what a system does to them occurs twice.
    """
    notes = []
    for one, other in itertools.combinations(corpora, 2):
        names = [system.name for system in one.systems]
        same = [name for name in names if _same_outputs(one.system(name), other.system(name))]
        if len(same) == len(names):
            raise InputError(
                f"{one.name} and {other.name} have the same outputs of every system: they are one test set, and its "
                "segments would count twice",
                hint="give several references to one test set; where these are two, is {testset} missing in a path?",
            )
        if same:
            text = (
                f"{listing(same)} {'has' if len(same) == 1 else 'have'} the same outputs on {one.name} and on "
                f"{other.name}: if these are the same segments, pooled p-values are too small"
            )
            notes.append(Note("same-outputs", text))
    return notes


def _same_outputs(one: System, other: System) -> bool:
    return any(_same_run(run, twin) for run in one.runs for twin in other.runs)


def _same_run(one: Run, other: Run) -> bool:
    """Return whether two runs are the same; scores may differ with the references, so they count only without texts."""
    if one.outputs is not None:
        return one.outputs == other.outputs
    return one.scores.keys() == other.scores.keys() and all(
        np.array_equal(one.scores[key], other.scores[key]) for key in one.scores
    )


def _replicability(
    experiments: Sequence[Experiment],
    sets: Sequence[CompareResult],
    test: str,
    side: Literal["greater", "less"],
    options: PoolOptions,
) -> list[Replicability]:
    """Run one-sided tests on every test set, and count on how many the claim holds, if one way is the better one."""
    alpha, resamples, null_gain = options.alpha, options.resamples, options.null_gain
    names = [system.name for system in experiments[0].corpus.systems]
    primary = sets[0].primary_tests(sets[0].metrics[0].key)
    pairs = [Pair(names.index(one.baseline), names.index(one.system)) for one in primary]
    # A p-value is held against alpha divided by any number up to that of the sets, as Holm's method has it.
    stopping = Stopping("holm", len(sets)) if resamples == "auto" else None
    fixed = _FIXED if resamples == "auto" else resamples
    found = [
        _one_sided(Trial(one, tuple(pairs), side, alpha, fixed, stopping, null_gain), test, compared)
        for one, compared in zip(experiments, sets, strict=True)
    ]
    result = []
    for m, metric in enumerate(sets[0].metrics):
        if metric.higher_is_better is None:
            continue
        for pair in pairs:
            mine = [findings[m, pair] for findings in found]
            p_values = [p_value.p for _, p_value, _ in mine]
            evidence = tuple(
                Evidence(testset=one.corpus.name, test=name, p_adjusted=adjusted, caveats=caveats, **p_value.fields)
                for one, (name, p_value, caveats), adjusted in zip(experiments, mine, holm(p_values), strict=True)
            )
            result.append(
                Replicability(
                    metric=metric.key,
                    baseline=names[pair.baseline],
                    system=names[pair.system],
                    side="better" if side == "greater" else "worse",
                    sets=evidence,
                    at_least=tuple(partial_conjunction(p_values)),
                    alpha=alpha,
                )
            )
    return result


#: A test of a pair: its name, its p-value, and why that may be too small.
_Tested = tuple[str, PValue, tuple[Caveat, ...]]


def _one_sided(trial: Trial, test: str, compared: CompareResult) -> dict[Key, _Tested]:
    """Return each pair's one-sided test: that of the comparison if it is this one, for a hypothesis has one p."""
    names = [system.name for system in trial.experiment.corpus.systems]
    had = {
        (one.metric, one.baseline, one.system, one.asked): one
        for one in compared.comparisons
        if one.alternative == trial.alternative
    }
    found: dict[Key, _Tested] = {}
    missing: dict[Key, str] = {}
    for key in trial.keys:
        m, pair = key
        asked = chosen_test(trial, key) if test == "auto" else test
        compared_already = had.get((compared.metrics[m].key, names[pair.baseline], names[pair.system], asked))
        if compared_already is None:
            missing[key] = asked
        else:
            found[key] = compared_already.test, compared_already.p_value, compared_already.caveats
    # One by one where they stop by themselves: a pair that is decided need not wait for the others.
    groups = [missing] if trial.stopping is None else [{key: name} for key, name in missing.items()]
    for group in groups:
        found |= {
            key: (one.test, one.p_value, (*one.caveats, *_dependence(trial, key, compared)))
            for key, one in findings_by_name(trial, group).items()
        }
    return found


def _dependence(trial: Trial, key: Key, compared: CompareResult) -> list[Caveat]:
    """Return the caveats of a pair's comparison that hold for any test over the same units."""
    names = [system.name for system in trial.experiment.corpus.systems]
    who = names[key[1].baseline], names[key[1].system]
    primary = compared.primary_tests(compared.metrics[key[0]].key)
    own = next(one for one in primary if (one.baseline, one.system) == who)
    return [caveat for caveat in own.caveats if caveat.kind == "dependence"]
