"""A development set beside the test set: the same runs of the same systems on other segments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truegain.corpus import Corpus, Run, System
from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.file_names import check_run_order


def with_development(corpus: Corpus, development: Corpus | None) -> tuple[Corpus, Corpus | None]:
    """Return the test set and the development set, checked to have the same runs.

    Raises
    ------
    InputError
        If a development set says nothing, as no system has several runs, or has runs in another order.
    """
    if development is None:
        return corpus, None
    if all(len(system.runs) == 1 for system in corpus.systems):
        raise InputError(
            "a development set shows how runs vary, and every system has one run",
            hint="leave it out, or give several runs of a system",
        )
    elsewhere = _by_name(development)
    for system in corpus.systems:
        others = elsewhere[system.name].runs if system.name in elsewhere else ()
        if len(others) == len(system.runs):
            names, files = ([run.name for run in runs] for runs in (system.runs, others))
            check_run_order(system.name, names, files, "outputs on the development set")
    if _is_same_set(corpus, development):
        text = "the development set is the test set: s_dev is s_test, and the median run is that of the test set"
        corpus = replace(corpus, notes=(*corpus.notes, Note("development-is-test", text, warning=True)))
    return corpus, development


def _by_name(corpus: Corpus) -> dict[str, System]:
    return {system.name: system for system in corpus.systems}


def _is_same_set(corpus: Corpus, development: Corpus) -> bool:
    """Return whether the two have the same references, or a system the same outputs on both."""
    if corpus.references and corpus.references == development.references:
        return True
    elsewhere = _by_name(development)
    return any(
        _same_run(mine, other)
        for system in corpus.systems
        if system.name in elsewhere
        for mine, other in zip(system.runs, elsewhere[system.name].runs, strict=False)
    )


def _same_run(run: Run, other: Run) -> bool:
    """Return whether two runs have the same outputs, scores and answers."""
    return (
        run.outputs == other.outputs
        and run.scores.keys() == other.scores.keys()
        and all(np.array_equal(run.scores[key], other.scores[key], equal_nan=True) for key in run.scores)
        and run.answers.keys() == other.answers.keys()
        and all(np.array_equal(run.answers[key].values, other.answers[key].values) for key in run.answers)
    )
