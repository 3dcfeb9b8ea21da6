"""Tests of each pair, and their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from truegain.procedures.base import Key, Pair, TestOutcome, Trial
from truegain.procedures.lookup import chosen_test, first_claim, procedure

#: Which test each pair gets; a family may leave pairs out.
Tests = dict[Pair, str]


def families_of(trial: Trial, choices: Sequence[str]) -> list[Tests]:
    """Return the primary tests, and others: as asked for, or those of the other claims of several runs or raters."""
    families = [
        {pair: chosen_test(trial, pair) if choice == "auto" else choice for pair in trial.pairs} for choice in choices
    ]
    if tuple(choices) == ("auto",):
        several = [pair for pair, name in families[0].items() if name == "crossed"]
        if several:
            families.append({pair: first_claim(trial, pair) for pair in several})
            regrouped = [pair for pair in several if min(trial.experiment.corpus.systems[s].replicas for s in pair) > 1]
            if regrouped and trial.null_gain == 0.0:
                families.append(dict.fromkeys(regrouped, "run-permutation"))
        rated = [pair for pair, name in families[0].items() if name == "raters"]
        if rated:
            families.append({pair: first_claim(trial, pair) for pair in rated})
    return [tests for place, tests in enumerate(families) if tests not in families[:place]]


def names_of(families: Sequence[Tests]) -> list[str]:
    """Return the tests of all families, each once."""
    return list(dict.fromkeys(name for tests in families for name in tests.values()))


def findings_of(trial: Trial, families: Sequence[Tests]) -> dict[tuple[str, Key], TestOutcome]:
    """Run every test once, on all pairs that any family gives it."""
    found = {}
    for name in names_of(families):
        mine = tuple(pair for pair in trial.pairs if any(tests.get(pair) == name for tests in families))
        for key, finding in procedure(name)(replace(trial, pairs=mine)).items():
            found[name, key] = finding
    return found
