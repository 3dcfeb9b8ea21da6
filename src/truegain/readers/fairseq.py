"""Output of ``fairseq-generate``: lines of sources (S-12), references (T-12) and hypotheses (H-12, D-12), by id."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from truegain.errors import InputError, command
from truegain.notes import Note
from truegain.readers.formats import File, Format, Texts
from truegain.readers.plain import Lines
from truegain.readers.score_values import number_in

_LINE = re.compile(r"([STHD])-(\d{1,15})\t")
_WRITTEN = {"S": "sources", "T": "references", "H": "hypotheses", "D": "detokenized hypotheses"}
_ROLES = {"S": "source", "T": "reference"}
_HINT = "references are its T lines, outputs its D lines, or its H lines if there are none"

_Found = dict[int, tuple[int, str]]  # the line and the text of each id


def _texts(file: File) -> Texts | None:
    """Return the texts in the order of ids, which count the sentences of the test set from 0."""
    source = file.lines
    found, most = _by_kind(source.lines, source.name)
    if not found["H"] and not found["D"]:
        return None
    outputs = "D" if found["D"] else "H"
    sentences = len(found["H"] or found["D"])
    for kind, own in found.items():
        if own:
            _check_complete(kind, own, found["H"] or own, source.name)
    several = f", the first of up to {most:,} per id" if most > 1 else ""
    said = f"output of fairseq-generate: {sentences:,} {_WRITTEN[outputs]} ({outputs} lines){several}, sorted by id"
    texts: dict[str, dict[str, Lines]] = {}
    for kind in ("S", "T", outputs):
        if found[kind]:
            lines = [found[kind][number][1] for number in range(sentences)]
            notes = (*source.notes, Note("generated", said, file=source.name)) if kind == outputs else source.notes
            texts.setdefault(_ROLES.get(kind, "system"), {})[kind] = Lines(f"{source.name}:{kind}", lines, notes)
    return Texts(source.name, texts, _HINT)


def _by_kind(lines: Sequence[str], name: str) -> tuple[dict[str, _Found], int]:
    """Return the lines of each kind by id, of several hypotheses the first, and the most hypotheses of an id.

    Raises
    ------
    InputError
        If the lines of an id do not stand together, or it has two sources or references; if a hypothesis has no score.
    """
    found: dict[str, _Found] = {kind: {} for kind in "STHD"}
    first: dict[int, int] = {}
    current, hypotheses, most = -1, 0, 0
    for place, line in enumerate(lines, 1):
        match = _LINE.match(line)
        if match is None:  # a log, positional scores, alignments
            continue
        kind, number, text = match[1], int(match[2]), line[match.end() :]
        again = number in found[kind] and kind in "ST"
        if again or (number != current and number in first):
            raise InputError(
                f"the id {number} stands in line {first[number]:,} already",
                path=name,
                line=place,
                hint="are there outputs of several runs in this file? Give one file for each",
            )
        if number != current:
            current, hypotheses = number, 0
            first[number] = place
        if kind in "HD":
            score, tab, text = text.partition("\t")
            if not tab or number_in(score) is None:
                raise InputError(
                    f"{kind}-{number} has no score; a score, a tab and a text were expected", path=name, line=place
                )
        hypotheses += kind == "H"
        most = max(most, hypotheses)
        found[kind].setdefault(number, (place, text))
    return found, most


def _check_complete(kind: str, own: _Found, hypotheses: Mapping[int, tuple[int, str]], name: str) -> None:
    """Refuse ids that do not count from 0, and hypotheses without a line of this kind."""
    for number, (place, _) in hypotheses.items():
        if number not in own:
            raise InputError(f"there is no {kind}-{number}, and other ids have such a line", path=name, line=place)
    lacking = next((number for number in range(len(own)) if number not in own), None)
    if lacking is not None:
        raise InputError(
            f"there is no {kind}-{lacking}, and there are {kind} lines up to {kind}-{max(own)}",
            path=name,
            hint="ids count the sentences of the test set from 0; put the outputs of all shards into one file",
        )


def _check_text(lines: Sequence[str], name: str) -> None:
    if any(line.startswith("H-") and _LINE.match(line) for line in lines):
        raise InputError(
            "this is output of fairseq-generate, which cannot be read a piece at a time",
            path=name,
            hint=("write one text per line; or let ", command("compare"), " read it, all of it at once"),
        )


FORMAT = Format("output of fairseq-generate (S-0, T-0, H-0, D-0 …), sorted by id", texts=_texts, check_text=_check_text)
