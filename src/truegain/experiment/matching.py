"""Runs of one system on several test sets, matched.

A run is a trained model, which translates every test set. Files say which is which by their names, more or less.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from truegain.corpus import Corpus, System
from truegain.errors import InputError
from truegain.experiment.prepared import Experiment
from truegain.notes import Note
from truegain.readers.name_pieces import by_value
from truegain.readers.sources import short_names


def check_same_systems(corpora: Sequence[Corpus]) -> None:
    """Refuse test sets of which one has a system that another lacks."""
    names = [system.name for system in corpora[0].systems]
    for one in corpora[1:]:
        others = [system.name for system in one.systems]
        only = [f"{name!r} is only on {corpora[0].name}" for name in names if name not in others]
        only += [f"{name!r} is only on {one.name}" for name in others if name not in names]
        if only:
            raise InputError(
                f"the test sets have different systems: {'; '.join(only)}",
                hint="every system must be on every test set; leave out the others",
            )


def matched(experiments: Sequence[Experiment]) -> tuple[list[Experiment], list[Note]]:
    """Return the experiments with the same runs of every system in the same order, and what should be said of that.

    Runs are matched by the parts in which their names differ, and those that not all test sets have are left out; if no
    name is on all of them, by their order.

    Raises
    ------
    InputError
        If the test sets have other systems, or runs that cannot be matched.
    """
    check_same_systems([one.corpus for one in experiments])
    names = [system.name for system in experiments[0].corpus.systems]
    notes: list[Note] = []
    chosen: list[dict[str, list[int]]] = [{} for _ in experiments]
    for name in names:
        labels = _labels_on_sets([one.corpus.system(name) for one in experiments])
        common, said = _common(name, labels, experiments)
        notes += said
        for groups, one, mine in zip(chosen, experiments, labels, strict=True):
            first = _first_run(one.corpus, name)
            groups[name] = [first + (mine.index(label) if isinstance(label, str) else label) for label in common]
    return [one.regrouped(groups) for one, groups in zip(experiments, chosen, strict=True)], notes


def _common(
    name: str, labels: Sequence[list[str]], experiments: Sequence[Experiment]
) -> tuple[Sequence[str] | Sequence[int], list[Note]]:
    """Return the runs that all test sets have, by label, or by place."""
    counts = [len(one) for one in labels]
    common = [label for label in labels[0] if all(label in one for one in labels)]
    if common:
        text = f"{name} is pooled over the {len(common)} of its runs that all test sets have"
        # With as many runs on every set, they are the same ones, by other names, as likely as not.
        note = Note("runs-on-all-sets", text, warning=len(set(counts)) == 1)
        return common, [note] if max(counts) > len(common) else []
    if len(set(counts)) == 1:
        where = [one.corpus.name for one in experiments]
        text = f"the runs of {name} have other names on {' and on '.join(where)}: they were matched by their order"
        return range(counts[0]), [Note("runs-by-order", text)] if counts[0] > 1 else []
    told = ", ".join(f"{count} on {one.corpus.name}" for count, one in zip(counts, experiments, strict=True))
    raise InputError(
        f"{name!r} has another number of runs on every test set ({told}), and their names do not match",
        hint="give every run on every test set, with the same number in its name",
    )


def _labels_on_sets(systems: Sequence[System]) -> list[list[str]]:
    """Return labels that distinguish the runs of a system, test set by test set.

    A lone run has no others to differ from: it is the one that other test sets have and whose label is in its name.
    """
    labels = [run_labels(one) for one in systems]
    plain = [[by_value(label) for label in one] for one in labels]
    distinct = all(len(set(one)) == len(one) for one in plain)  # else 1 and 01 are two runs
    labels, written = (plain, by_value) if distinct else (labels, str)
    several = dict.fromkeys(label for one in labels if len(one) > 1 for label in one)
    for one, system in zip(labels, systems, strict=True):
        if len(one) == 1:
            pieces = _pieces(written(system.runs[0].name))
            named = [label for label in several if _holds(pieces, _pieces(label))]
            # A folder may have a number as well; that of a run is in the file's own name rather.
            own = _pieces(written(PurePath(system.runs[0].name).name))
            last = [label for label in named if _holds(own, _pieces(label))]
            for found in (named, last):
                if len(found) == 1:
                    one[:] = found
    return labels


def _pieces(name: str) -> list[str]:
    return re.split(r"[/.]", name)


def _holds(pieces: Sequence[str], part: Sequence[str]) -> bool:
    return any(pieces[i : i + len(part)] == part for i in range(len(pieces) - len(part) + 1))


def _first_run(corpus: Corpus, name: str) -> int:
    """Return the number of a system's first run, over all systems in their order."""
    first = 0
    for system in corpus.systems:
        if system.name == name:
            return first
        first += len(system.runs)
    raise KeyError(name)


def run_labels(system: System) -> list[str]:
    """Return labels that distinguish the runs of a system: the part of their names in which they differ."""
    return short_names([run.name for run in system.runs])
