"""Texts that are not what they are given as: one reference twice, a reference as a system, another form of Unicode."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from truegain.errors import InputError
from truegain.normal_forms import differing_forms, name_key, not_composed
from truegain.notes import Note

__all__ = [
    "check_names",
    "check_no_reference",
    "check_outputs",
    "check_references",
    "check_twice",
    "copy_warning",
    "forms_warning",
]

Text = Sequence[str | None]


def check_names(names: Sequence[str]) -> None:
    """Refuse two systems whose names are the same, or look the same, and a name that is empty."""
    seen: dict[str, str] = {}
    for name in names:
        key = name_key(name)
        if not key:
            raise InputError(f"a system has an empty name, {name!r}", hint="name it: NAME=FILE")
        if key in seen:
            other = "" if seen[key] == name else f" and {seen[key]!r}, which look the same"
            raise InputError(
                f"two systems are named {name!r}{other}",
                hint="give them different names, NAME=FILE, or give both files as runs of one system: NAME=FILE1,FILE2",
            )
        seen[key] = name


def check_references(references: Sequence[Text], labels: Sequence[str]) -> list[Note]:
    """Refuse a file that is given as a reference twice; another of the same content counts, and is said."""
    said = []
    for (one, reference), (other, again) in itertools.combinations(zip(labels, references, strict=True), 2):
        check_twice(one, other)
        if reference == again:
            text = f"it is {one} to the letter; a reference may have been given twice"
            said.append(Note("reference-twice", text, file=other, warning=True))
    return said


def check_twice(reference: str, other: str) -> None:
    """Refuse two references that are one file, by whatever names."""
    if reference == other or _same_file(reference, other):
        also = "" if reference == other else f" (it is {reference})"
        raise InputError(
            f"this file is given as a reference twice{also}", path=other, hint="a reference counts once: leave one out"
        )


def check_outputs(outputs: Sequence[tuple[str, Text]], references: Sequence[Text], labels: Sequence[str]) -> list[Note]:
    """Refuse the file of a reference given as a system; say what outputs and references have in common, or lack.

    Parameters
    ----------
    outputs : sequence of (str, sequence of str)
        The name of each run and its outputs.
    references : sequence of sequences of str or None
    labels : sequence of str
        The names of the references.
    """
    said = []
    suspects = [not_composed(reference) for reference in references]
    for name, text in outputs:
        own = not_composed(text) if references else []
        for label, reference, others in zip(labels, references, suspects, strict=True):
            if text == reference:
                check_no_reference(name, label)
                said.append(copy_warning(name, label))
            elif count := differing_forms(text, reference, [*own, *others]):
                said.append(forms_warning(name, label, count))
    return said


def check_no_reference(run: str, reference: str) -> None:
    """Refuse the file of a reference as that of a system."""
    if _same_file(run, reference):
        raise InputError(
            f"these outputs are {reference} itself: it is the same file",
            path=run,
            hint="a reference was given as a system; leave it out",
        )


def copy_warning(run: str, reference: str) -> Note:
    """Say that outputs are a reference, as they may be if there is one right answer, or by mistake."""
    text = f"its outputs are {reference} to the letter; a reference may have been given as a system"
    return Note("reference-as-system", text, file=run, warning=True)


def forms_warning(run: str, reference: str, count: int) -> Note:
    """Say in how many segments the same characters are written in two ways."""
    where = "1 segment writes" if count == 1 else f"{count:,} segments write"
    text = (
        f"{where} characters in another Unicode form than {reference} (é as one character and as two, say), and they "
        "do not match; convert both to one form: uconv -x nfc FILE > NEW"
    )
    return Note("unicode-forms", text, file=run, warning=True)


def _same_file(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):  # names that are not those of files
        return False
