"""May a system pass? One baseline, one candidate, and what is asked of the difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from truegain.corpus import Corpus
from truegain.errors import NAME, InputError, Setting, command, one_of
from truegain.experiment import Experiment, Limits, check_gains, check_options
from truegain.inference.pvalues import PValue, straddling
from truegain.notes import Note
from truegain.procedures.base import Key, Pair, TestOutcome, Trial, neighbour_caveats
from truegain.procedures.lookup import chosen_test, findings_by_name
from truegain.registry import TESTS
from truegain.report.model import listing, whole
from truegain.settings.function import takes
from truegain.settings.gate import GateOptions, Requirement
from truegain.studies.checks import (
    check_blocks,
    check_directions,
    check_several_units,
    correlation_notes,
    one_run_notes,
    units_signature,
)
from truegain.studies.gate.check import GateCheck, null_gain
from truegain.studies.gate.margins import margins_of
from truegain.studies.gate.result import GateResult
from truegain.studies.given import corpus_of
from truegain.studies.null_gain import null_words
from truegain.version import __version__

_DRAWN = ("bootstrap", "stationary-bootstrap", "crossed")


@takes(GateOptions)
def gate(options: GateOptions) -> GateResult:
    """Decide whether a system may take the place of a baseline.

    ``better`` passes if a gain above ``margin`` is shown: its lower bound, one-sided at ``alpha``, is above the margin.

    ``not-worse`` passes if a loss above ``margin`` is ruled out: the lower bound is above minus the margin
    (non-inferiority). A margin of 0 asks for a gain, so identical outputs fail.

    Of these two every metric must pass; this is an intersection–union test (Berger 1982), which needs no adjustment.

    ``no-loss-shown`` fails only if a loss is shown: the upper bound is below 0. Any metric can fail it, so each is
    tested at ``alpha`` divided by their number. To pass it does not prove the absence of a loss; the result says how
    large it may be.
    """
    alpha, resamples, seed, require, test = (
        options.alpha,
        options.resamples,
        options.seed,
        options.require,
        options.test,
    )
    check_options(options)
    able = [name for name, entry in TESTS.items() if entry.shifted]
    if test != "auto" and test not in able:
        hint = "others can only show that two systems differ, not by how much" if test in TESTS else None
        raise one_of("the test of a gate", test, ["auto", *able], hint=hint)
    if test == "stationary-bootstrap" and options.unit in ("auto", "segment"):
        options = options.changed(unit="block")
    check_blocks(unit=options.unit, block_length=options.block_length)
    corpus = corpus_of(options)
    pair = _pair(corpus, options.baseline, options.system)
    experiment = Experiment.of(corpus, options, compared=[pair])
    check_directions(experiment, "cannot decide a gate")
    _check_guesses(experiment)
    margins = margins_of(options.margin, [block.key for block in experiment.statistics.blocks], require)
    check_gains(experiment, "margin", [null_gain(require, one) for one in margins], baseline=pair.baseline)
    check_several_units(experiment)
    if options.unit == "block":
        experiment = experiment.in_blocks([(pair.baseline, pair.system)])
    # With no-loss-shown, any metric can fail the gate: Bonferroni. Otherwise all must pass, which needs no adjustment.
    level = alpha / len(margins) if require == "no-loss-shown" else alpha
    trial = Trial(experiment, (pair,), alpha=level, resamples=resamples, bounded=True)
    names = [chosen_test(trial, key) if test == "auto" else test for key in trial.keys]
    if any(name in _DRAWN for name in names) and 1 / (resamples + 1) > level:
        raise InputError(
            f"with {whole(resamples, 'resample')} no p can be as low as {level:.3g}: the gate could never "
            f"{'fail' if require == 'no-loss-shown' else 'pass'}",
            hint=("use more ", Setting("resamples"), f": at least {math.ceil(1 / level) - 1:,}"),
        )
    checks = _checks(trial, names, require, margins)
    baseline, system = (corpus.systems[s].name for s in (pair.baseline, pair.system))
    return GateResult(
        testset=experiment.testset(),
        metrics=experiment.metric_infos(),
        scores=experiment.system_results(None, 1.0 - alpha, "percentile"),
        checks=checks,
        baseline=baseline,
        system=system,
        require=require,
        alpha=alpha,
        unit=experiment.units.kind,
        n_units=experiment.units.count,
        resamples=resamples,
        seed=seed,
        signature=(
            f"gate:{require}{_margins_signature(margins)}|test:{'+'.join(dict.fromkeys(names))}"
            f"|{units_signature(experiment.units)}|alpha:{alpha:g}|R:{resamples}|seed:{seed}|version:{__version__}"
        ),
        notes=_notes(trial, names, require, margins, chosen=test == "auto"),
    )


def _pair(corpus: Corpus, baseline: str | None, system: str | None) -> Pair:
    names = [one.name for one in corpus.systems]
    if len(names) != 2:
        many = f"{len(names)} systems" if len(names) > 1 else f"one system, {names[0]!r},"
        raise InputError(
            f"a gate is for two systems, a baseline and a candidate; there {'are' if len(names) > 1 else 'is'} {many}"
            f"{f': {listing(names)}' if len(names) > 1 else ' only'}",
            hint=(
                "give the baseline first, then the candidate",
                *(("; ", command("compare"), " takes any number") if len(names) > 1 else ()),
            ),
        )
    for what, name in (("the baseline", baseline), ("the system", system)):
        if name is not None and name not in names:
            raise one_of(what, name, names)
    if baseline is not None and baseline == system:
        raise InputError(f"{baseline!r} cannot be both the baseline and the system compared with it")
    if baseline is system is None and any(note.kind == "system-order" for note in corpus.notes):
        raise InputError(
            f"which system is the baseline, {names[0]!r} or {names[1]!r}? A table with a row per system and item does "
            "not say it",
            hint=("name it: ", Setting("baseline", NAME)),
        )
    first = 0
    if baseline is not None:
        first = names.index(baseline)
    elif system is not None:
        first = 1 - names.index(system)
    return Pair(first, 1 - first)


def _check_guesses(experiment: Experiment) -> None:
    """Refuse scores that are named as if lower were better, if nobody said which way is: a gate does not guess."""
    asked = [note.scope for note in experiment.notes if note.kind == "penalties"]
    for block in experiment.statistics.blocks:
        if block.metric.label in asked and getattr(block.metric, "lower_is_better", False) is None:
            key = block.key if block.key.startswith("scores") else "scores"  # a program may name it otherwise
            said = f"{key}{',' if ':' in key else ':'}lower_is_better"
            raise InputError(
                f"is a higher or a lower {block.metric.label} better? By the name lower may be, and a gate does not "
                "guess",
                hint=(
                    Setting("metrics", (f"{said}=true",)),
                    " if lower is better, else ",
                    Setting("metrics", (f"{said}=false",)),
                ),
            )


def _margins_signature(margins: Sequence[float | None]) -> str:
    """Return one margin for all metrics, or one for each in their order; nothing without margins."""
    given = [f"{margin:g}" for margin in margins if margin is not None]
    return f"|margin:{'+'.join(given if len(set(given)) > 1 else given[:1])}" if given else ""


def _checks(
    trial: Trial, tests: Sequence[str], require: Requirement, margins: Sequence[float | None]
) -> tuple[GateCheck, ...]:
    """Hold every metric against its own margin; both bounds, each from the test that looks that way."""
    gains = [null_gain(require, margin) for margin in margins]
    upwards = {gain: _looking(trial, tests, "greater", gain) for gain in dict.fromkeys(gains)}
    downwards = {gain: _looking(trial, tests, "less", gain) for gain in dict.fromkeys(gains)}
    loss = require == "no-loss-shown"
    names = [trial.experiment.corpus.systems[s].name for s in (trial.pairs[0].baseline, trial.pairs[0].system)]
    checks = []
    for m, (gain, margin) in enumerate(zip(gains, margins, strict=True)):
        key, block = (m, trial.pairs[0]), trial.experiment.statistics.blocks[m]
        found = (downwards if loss else upwards)[gain][key]
        limits = trial.experiment.limits(m, trial.pairs[0].baseline, trial.pairs[0].system)
        shown = found.p_value.p <= trial.alpha
        checks.append(
            GateCheck(
                metric=block.key,
                baseline=names[0],
                system=names[1],
                delta=trial.delta(key),
                margin=margin,
                null_gain=gain,
                alpha=trial.alpha,
                **found.p_value.fields,
                lower_end=_bound(upwards[gain][key], limits),
                upper_end=_bound(downwards[gain][key], limits),
                alternative="less" if loss else "greater",
                test=found.test,
                unit=found.unit,
                n_units=found.n_units,
                null=null_words(
                    found.test,
                    baseline=names[0],
                    system=names[1],
                    unit=found.unit,
                    alternative=found.alternative,
                    null_gain=gain,
                    shifted=True,
                    rater=found.claim.rater_noun,
                ),
                claim=found.claim,
                passed=not shown if loss else shown,
                same=_same(trial, key),
                notes=(*found.notes, *_close(found.p_value, trial.alpha)),
                caveats=(*found.caveats, *neighbour_caveats(trial.experiment, (block.key, *names), found.unit)),
            )
        )
    return tuple(checks)


def _looking(
    trial: Trial, tests: Sequence[str], way: Literal["greater", "less"], gain: float
) -> dict[Key, TestOutcome]:
    looking = replace(trial, alternative=way, null_gain=gain)
    return findings_by_name(looking, dict(zip(looking.keys, tests, strict=True)))


def _bound(finding: TestOutcome, limits: Limits) -> float | None:
    """Return the bound of the test, clipped to the least and the greatest difference; None if there is none."""
    if finding.bound is None:
        raise RuntimeError(f"{finding.test} gave no bound")
    low, high = limits
    return None if math.isinf(finding.bound) else min(max(finding.bound, low - high), high - low)


def _same(trial: Trial, key: Key) -> bool:
    m, pair = key
    block = trial.experiment.statistics.blocks[m]
    old, new = (trial.experiment.statistics.values[:, block.system_columns(s)] for s in (pair.baseline, pair.system))
    return np.array_equal(old, new)


def _close(p_value: PValue, alpha: float) -> list[Note]:
    low, high = p_value.interval
    return [straddling("p", (low, high), alpha)] if low <= alpha < high else []


def _notes(
    trial: Trial, tests: Sequence[str], require: Requirement, margins: Sequence[float | None], *, chosen: bool
) -> tuple[Note, ...]:
    experiment = trial.experiment
    notes = [*experiment.notes]
    few = experiment.few_units_note()
    if few is not None and any(name in _DRAWN for name in tests):
        notes.append(few)
    notes.extend(note.capitalized() for note in experiment.unit_notes)
    segments = "t" in tests or (experiment.units.kind == "segment" and "welch" not in tests)
    if segments and len(set(experiment.corpus.documents or ())) > 1:
        notes.append(Note("segments-as-units", "Segments are taken as independent, though documents are known"))
    notes.extend(correlation_notes(experiment, trial.pairs if "tango" in tests else (), scores=False))
    notes.extend(one_run_notes(trial, trial.pairs if "crossed" in tests else ()))
    if chosen and experiment.corpus.raters is not None:
        from truegain.procedures.raters import obstacle_to_raters

        if (obstacle := obstacle_to_raters(experiment, trial.pairs)) is not None:
            notes.append(Note("no-new-raters", f"N{obstacle.message[1:]}", warning=True))
    if require == "not-worse" and 0.0 in margins:
        notes.append(Note("no-margin", "A margin of 0 allows no loss at all: a gain must be shown, as with better"))
    return tuple(notes)
