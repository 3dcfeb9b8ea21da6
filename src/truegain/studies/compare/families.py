"""Tests of each pair, and their outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.procedures.base import Key, TestOutcome, Trial
from truegain.procedures.lookup import chosen_test, findings_by_name, first_claim
from truegain.procedures.proportions import within_range

_OVER_UNITS = ("ar", "bootstrap", "stationary-bootstrap")

#: Which test each pair gets under each metric; a family may leave some out.
Tests = dict[Key, str]


def families_of(trial: Trial, choices: Sequence[str]) -> list[Tests]:
    """Return the primary tests, and others: as asked for, or those of the other claims of several runs or raters."""
    families = [
        {key: chosen_test(trial, key) if choice == "auto" else choice for key in trial.keys} for choice in choices
    ]
    if tuple(choices) == ("auto",):
        several = [key for key, name in families[0].items() if name == "crossed"]
        if several:
            families.append({key: first_claim(trial, key) for key in several})
            systems = trial.experiment.corpus.systems
            regrouped = [key for key in several if min(systems[s].replicas for s in key[1]) > 1]
            if regrouped and trial.null_gain == 0.0:
                families.append(dict.fromkeys(regrouped, "run-permutation"))
        rated = [key for key, name in families[0].items() if name == "raters"]
        if rated:
            families.append({key: first_claim(trial, key) for key in rated})
    return [tests for place, tests in enumerate(families) if tests not in families[:place]]


def names_of(families: Sequence[Tests]) -> list[str]:
    """Return the tests of all families, each once."""
    return list(dict.fromkeys(name for tests in families for name in tests.values()))


def findings_of(trial: Trial, families: Sequence[Tests], *, chosen: bool) -> dict[tuple[str, Key], TestOutcome]:
    """Run every test once, on all pairs that any family gives it; ``chosen``: by ``auto``, not by name."""
    found = {}
    for name in names_of(families):
        mine = {key: name for key in trial.keys if any(tests.get(key) == name for tests in families)}
        for key, finding in findings_by_name(trial, mine).items():
            held = chosen and not trial.joint and name in _OVER_UNITS
            found[name, key] = within_range(trial, key, finding) if held else finding
    return found
