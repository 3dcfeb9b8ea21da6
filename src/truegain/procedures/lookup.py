"""From a test's name to the test, and the test that ``auto`` is."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from truegain.corpus import exchangeable
from truegain.errors import one_of
from truegain.experiment import Experiment
from truegain.procedures.base import Pair, Procedure, Trial
from truegain.registry import TESTS


def procedure(name: str) -> Procedure:
    """Return the test of that name."""
    if name not in TESTS:
        raise one_of("test", name, list(TESTS))
    module, attribute = TESTS[name].target.split(":")
    found: Procedure = getattr(import_module(module), attribute)
    return found


def first_claim(trial: Trial, pair: Pair) -> str:
    """Return the test of the claim about these runs on new segments: randomization if runs can be swapped in pairs.

    Swaps cannot test against another gain than zero: the bootstrap can.
    """
    systems = trial.experiment.corpus.systems
    swappable = not trial.shifts and trial.experiment.units.kind != "block"
    return "ar" if swappable and exchangeable(systems[pair.baseline], systems[pair.system]) else "bootstrap"


def chosen_test(trial: Trial, pair: Pair) -> str:
    """Return the test that ``auto`` is for a pair."""
    if trial.experiment.units.kind == "block":
        return "stationary-bootstrap"
    systems = trial.experiment.corpus.systems
    if max(systems[s].replicas for s in pair) > 1:
        return "crossed"
    return "raters" if new_raters(trial.experiment, [pair]) else first_claim(trial, pair)


def new_raters(experiment: Experiment, pairs: Sequence[Pair] | None = None) -> bool:
    """Return whether something can be claimed of raters who were not asked, of these pairs or of all."""
    if experiment.corpus.raters is None:
        return False
    from truegain.procedures.raters import obstacle_to_raters

    return obstacle_to_raters(experiment, pairs) is None
