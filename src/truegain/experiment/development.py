"""A development set beside the test set: the same runs of the same systems on other segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from truegain.corpus import Corpus, Run, System, same_run
from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.file_names import check_run_order


def with_development(corpus: Corpus, development: Corpus | None) -> tuple[Corpus, Corpus | None]:
    """Return the test set and the development set with the same runs.

    A run is left out as a copy of another if it is one on both sets: equal outputs on one set do not make two trained
    models one.

    Raises
    ------
    InputError
        If a development set says nothing, as no system has several runs, or has runs in another order.
    """
    if development is None:
        return corpus, None
    there = _by_name(development)
    found = {mine.name: _together(mine, there[mine.name]) for mine in corpus.systems if mine.name in there}
    said = [note for _, _, notes in found.values() for note in notes]
    corpus = _with(corpus, {name: one[0] for name, one in found.items()}, said)
    development = _with(development, {name: one[1] for name, one in found.items()}, ())
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


def _together(mine: System, other: System) -> tuple[System, System, list[Note]]:
    """Return the runs of a system on both sets that are copies of no other on both; say which are copies on one."""
    sides = _as_given(mine), _as_given(other)
    if not (mine.left_out or other.left_out) or mine.samples:
        return mine, other, []
    if len(sides[0]) != len(sides[1]):  # to be refused by these numbers, not by those without copies
        back = [replace(one, runs=tuple(runs), left_out=()) for one, runs in zip((mine, other), sides, strict=True)]
        return back[0], back[1], []
    kept: list[int] = []
    for place in range(len(sides[0])):
        if not any(all(same_run(side[one], side[place]) for side in sides) for one in kept):
            kept.append(place)
    notes = []
    for side, where in zip(sides, ("the development set", "the test set"), strict=True):
        for number, place in enumerate(kept):
            first = next((one for one in kept[:number] if same_run(side[one], side[place])), None)
            if first is not None:
                text = f"{side[place].name} is a copy of {side[first].name}; on {where} the two differ: both are runs"
                notes.append(Note("copy", text))
    chosen = [
        replace(
            system,
            runs=tuple(side[place] for place in kept),
            left_out=tuple((place, run) for place, run in enumerate(side) if place not in kept),
        )
        for system, side in zip((mine, other), sides, strict=True)
    ]
    return chosen[0], chosen[1], notes


def _as_given(system: System) -> list[Run]:
    """Return all runs of a system, those that were left out as copies at their places."""
    runs = list(system.runs)
    for place, run in system.left_out:
        runs.insert(place, run)
    return runs


def _with(corpus: Corpus, systems: dict[str, System], said: Sequence[Note]) -> Corpus:
    """Return the corpus with these systems; what was said of copies that are runs now is not said any more."""
    back = {run.name for one in systems.values() for run in one.runs} - {
        run.name for one in corpus.systems for run in one.runs
    }
    stale = tuple(f"{name} is a copy of " for name in back)
    held = [note for note in corpus.notes if note.kind != "copy" or not note.text.startswith(stale)]
    chosen = tuple(systems.get(one.name, one) for one in corpus.systems)
    return replace(corpus, systems=chosen, notes=tuple(dict.fromkeys((*held, *said))))


def _is_same_set(corpus: Corpus, development: Corpus) -> bool:
    """Return whether the two have the same references, or a system the same outputs on both."""
    if corpus.references and corpus.references == development.references:
        return True
    elsewhere = _by_name(development)
    return any(
        same_run(mine, other)
        for system in corpus.systems
        if system.name in elsewhere
        for mine, other in zip(system.runs, elsewhere[system.name].runs, strict=False)
    )
