"""From a test's name to the test, and the test that ``auto`` is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module

from truegain.corpus import exchangeable
from truegain.errors import one_of
from truegain.experiment import Experiment
from truegain.procedures.base import Key, Pair, Procedure, TestOutcome, Trial
from truegain.registry import TESTS


def procedure(name: str) -> Procedure:
    """Return the test of that name."""
    if name not in TESTS:
        raise one_of("test", name, list(TESTS))
    module, attribute = TESTS[name].target.split(":")
    found: Procedure = getattr(import_module(module), attribute)
    return found


def first_claim(trial: Trial, key: Key) -> str:
    """Return the test of the claim about these runs on new segments.

    Scores with two values have a test of their own, unless comparisons must share resamples. For others it is
    randomization if runs can be swapped in pairs. Swaps cannot test against another gain than zero: the bootstrap can.
    """
    m, pair = key
    if not trial.joint and trial.experiment.has_two_values(m, *pair):
        return "tango"
    systems = trial.experiment.corpus.systems
    swappable = not trial.shifts and trial.experiment.units.kind != "block"
    return "ar" if swappable and exchangeable(systems[pair.baseline], systems[pair.system]) else "bootstrap"


def chosen_test(trial: Trial, key: Key) -> str:
    """Return the test that ``auto`` is for a pair under a metric."""
    pair = key[1]
    if trial.experiment.units.kind == "block":
        first = first_claim(trial, key)
        return first if first == "tango" else "stationary-bootstrap"
    systems = trial.experiment.corpus.systems
    if max(systems[s].replicas for s in pair) > 1:
        return "crossed"
    if new_raters(trial.experiment, [pair]):
        return "raters"
    first = first_claim(trial, key)
    if first != "bootstrap" or not trial.bounded or trial.experiment.standard_error(key[0], *pair) is None:
        return first
    return "skew-t"


def new_raters(experiment: Experiment, pairs: Sequence[Pair] | None = None) -> bool:
    """Return whether something can be claimed of raters who were not asked, of these pairs or of all."""
    if experiment.corpus.raters is None:
        return False
    from truegain.procedures.raters import obstacle_to_raters

    return obstacle_to_raters(experiment, pairs) is None


def findings_by_name(trial: Trial, names: Mapping[Key, str]) -> dict[Key, TestOutcome]:
    """Run the test that each pair has under each metric, every test once for all pairs that ask for it."""
    found: dict[Key, TestOutcome] = {}
    for name in dict.fromkeys(names.values()):
        mine = [key for key, own in names.items() if own == name]
        metrics = tuple(dict.fromkeys(m for m, _ in mine))
        pairs = tuple(dict.fromkeys(pair for _, pair in mine))
        outcomes = procedure(name)(replace(trial, pairs=pairs, metrics=metrics))
        found.update((key, outcomes[key]) for key in mine)
    return found
