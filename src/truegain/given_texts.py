"""Texts that are not what they are given as: one reference twice, a reference as a system, another form of Unicode."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.normal_forms import differing_forms, name_key, not_composed
from truegain.notes import Note
from truegain.scratch import stretches

Text = Sequence[str | None]

_LOST = 0.005  # of the segments: so many empty outputs, where other systems have some, are a fault
_MISSING = frozenset(["nan", "NaN", "None", "null", "NULL", "<NA>", "#N/A", "N/A"])
_LONGEST_MISSING = max(map(len, _MISSING))
_SUBWORDS = ("@@ ", "▁", "</s>")
_LEFT = 3  # outputs that are such a word, or hold such a mark
_MARKED = 0.01  # of the outputs that hold it
_LINES = 1 << 14  # looked at together
_DIFFERENT = 20  # segments of a repeated test set: fewer may be the same by chance


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


def check_runs(system: str, files: Sequence[str]) -> None:
    """Refuse a path that is given as two runs of a system; files of the same content are two runs."""
    seen: set[str] = set()
    for file in files:
        path = os.path.normpath(file)
        if path in seen:
            raise InputError(
                f"this file is given as a run of {system!r} twice", path=file, hint="a run counts once: leave one out"
            )
        seen.add(path)


@dataclass(frozen=True)
class _Look:
    """What a look through a text finds: lines that are empty, or not composed, and how many are or hold odd words."""

    empty: set[int]
    not_composed: list[int]
    missing: Counter[str]
    marks: Counter[str]

    @classmethod
    def at(cls, text: Text) -> _Look:
        """Look through a text once: it may be on disk."""
        found = cls(set(), [], Counter(), Counter())
        for part in stretches(len(text), _LINES):
            lines = text[part]
            known = [line for line in lines if line is not None]
            if "" in known or any(map(str.isspace, known)):
                found.empty.update(
                    i for i, line in enumerate(lines, part.start) if line is not None and not line.strip()
                )
            found.not_composed.extend(part.start + i for i in not_composed(lines))
            found.missing.update(line for line in known if len(line) <= _LONGEST_MISSING and line in _MISSING)
            together = "\n".join(known)
            for mark in _SUBWORDS:
                if mark in together:
                    found.marks[mark] += sum(mark in line for line in known)
        return found


class GivenTexts:
    """The references and outputs that are given, each looked through once.

    Parameters
    ----------
    references, outputs : sequences of (str, sequence of str)
        The name of each text, and its lines; None where a segment has no such reference.
    """

    def __init__(self, references: Sequence[tuple[str, Text]], outputs: Sequence[tuple[str, Text]]) -> None:
        self._references = [(name, text, _Look.at(text)) for name, text in references]
        self._outputs = [(name, text, _Look.at(text)) for name, text in outputs]

    def doubts(self) -> list[Note]:
        """Refuse the file of a reference given as a system; say what outputs and references have in common, or lack."""
        said = []
        for name, text, look in self._outputs:
            for label, reference, other in self._references:
                suspects = [*look.not_composed, *other.not_composed]
                if text == reference:
                    _check_no_reference(name, label)
                    said.append(_copy_warning(name, label))
                elif count := differing_forms(text, reference, suspects):
                    said.append(_forms_warning(name, label, count))
            said += self._leftovers(name, look, len(text))
        return said

    def _leftovers(self, name: str, look: _Look, count: int) -> list[Note]:
        """Warn of words for a missing output, and of marks of subwords, if no reference has them."""
        for word, lines in look.missing.items():
            if lines >= _LEFT and not any(word in other.missing for *_, other in self._references):
                said = f"{lines:,} outputs are {word!r} and nothing else: if these are missing, it is scored as a text"
                return [Note("missing-as-text", said, file=name, warning=True)]
        for mark in _SUBWORDS if self._references else ():
            lines = look.marks[mark]
            if lines >= max(_LEFT, _MARKED * count) and not any(other.marks[mark] for *_, other in self._references):
                said = f"{lines:,} outputs hold {mark.strip()!r}, a mark of subwords that no reference has; undo it"
                return [Note("subword-marks", said, file=name, warning=True)]
        return []

    def empty_segments(self) -> list[Note]:
        """Say where texts are empty; warn of outputs that often are where the references and others are not."""
        blank = [look.empty for *_, look in self._references]
        own = [look.empty for *_, look in self._outputs]
        said = [_empty(name, look.empty) for name, _, look in self._references if look.empty]
        for number, (name, text, look) in enumerate(self._outputs):
            others = [*own[:number], *own[number + 1 :]]
            lost = {i for i in look.empty if not any(i in one for one in blank) and not all(i in one for one in others)}
            if look.empty:
                said.append(_empty(name, look.empty, lost=len(lost) >= max(1.0, _LOST * len(text))))
        return said


def _check_no_reference(run: str, reference: str) -> None:
    """Refuse the file of a reference as that of a system."""
    if _same_file(run, reference):
        raise InputError(
            f"these outputs are {reference} itself: it is the same file",
            path=run,
            hint="a reference was given as a system; leave it out",
        )


def _copy_warning(run: str, reference: str) -> Note:
    """Say that outputs are a reference, as they may be if there is one right answer, or by mistake."""
    text = f"its outputs are {reference} to the letter; a reference may have been given as a system"
    return Note("reference-as-system", text, file=run, warning=True)


def _forms_warning(run: str, reference: str, count: int) -> Note:
    """Say in how many segments the same characters are written in two ways."""
    where = "1 segment writes" if count == 1 else f"{count:,} segments write"
    text = (
        f"{where} characters in another Unicode form than {reference} (é as one character and as two, say), and they "
        "do not match; convert both to one form: uconv -x nfc FILE > NEW"
    )
    return Note("unicode-forms", text, file=run, warning=True)


def _empty(name: str, empty: set[int], *, lost: bool = False) -> Note:
    where = ", ".join(f"{i + 1:,}" for i in sorted(empty)[:5]) + (", …" if len(empty) > 5 else "")
    text = f"1 empty segment (line {where}), scored as it is"
    if len(empty) > 1:
        text = f"{len(empty):,} empty segments (lines {where}), scored as they are"
    return Note(
        "empty-segments", f"{text}{'; other systems have outputs there' if lost else ''}", file=name, warning=lost
    )


def repeated_set(columns: Sequence[Sequence[object] | NDArray[np.float64]]) -> list[Note]:
    """Warn if all texts and scores are the same several times over, one after the other."""
    count = part = len(columns[0])
    for prime in _prime_factors(count):
        while part % prime == 0 and all(_repeats(one, part // prime) for one in columns):
            part //= prime
    if part == count or part < _DIFFERENT:
        return []
    if len(set(zip(*(one[:part] for one in columns), strict=True))) < _DIFFERENT:
        return []
    text = (
        f"the test set stands {count // part} times in the files: no segment is new after the first {part:,}, and "
        "standard errors and p-values are too small; give it once"
    )
    return [Note("repeated-set", text, warning=True)]


def _repeats(values: Sequence[object] | NDArray[np.float64], part: int) -> bool:
    """Return whether each value is that of so many places before."""
    if isinstance(values, np.ndarray):
        return bool((values[part:] == values[:-part]).all())
    return all(values[i] == values[i - part] for i in range(part, len(values)))


def _prime_factors(number: int) -> list[int]:
    """Return the prime factors, each once."""
    found, prime = [], 2
    while prime * prime <= number:
        if number % prime == 0:
            found.append(prime)
        while number % prime == 0:
            number //= prime
        prime += 1
    return [*found, number] if number > 1 else found


def _same_file(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):  # names that are not those of files
        return False
