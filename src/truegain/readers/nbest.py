"""Lists of the best hypotheses of Moses and Marian: ``id ||| text ||| features ||| total``, best first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from truegain.errors import InputError, command
from truegain.notes import Note
from truegain.readers.formats import File, Format, Texts
from truegain.readers.plain import Lines
from truegain.readers.score_values import number_in

#: What stands between the fields.
BAR = "|||"
_LINE = re.compile(r"[ \t]{0,9}(\d{1,15})[ \t]{0,9}\|\|\|(.*)", re.DOTALL)


def _texts(file: File) -> Texts | None:
    """Return the first hypothesis of each sentence."""
    source = file.lines
    if not _recognised(source.lines):
        return None
    lines: list[str] = []
    counts: list[int] = []
    begins: list[int] = []
    totals: list[float | None] = []
    better: set[int] = set()
    for place, line in enumerate(source.lines, 1):
        number, fields = entry(line, source.name, place)
        text, total = fields[0].strip(), number_in(fields[-1].strip()) if len(fields) > 2 else None
        if number == len(lines):
            lines.append(text)
            counts.append(0)
            begins.append(place)
            totals.append(total)
        elif number != len(lines) - 1:
            raise _out_of_order(number, begins, source.name, place)
        counts[-1] += 1
        first = totals[-1]
        if total is not None and first is not None and total > first:
            better.add(number)
    each = f"{counts[0]:,}" if len(set(counts)) == 1 else f"{min(counts):,} to {max(counts):,}"
    said = f"a list of hypotheses: the first of {each} was taken for each of {len(lines):,} sentences"
    if better:
        said += f"; of {len(better):,} sentences another one has a higher total"
    outputs = Lines(source.name, lines, (*source.notes, Note("generated", said, file=source.name)))
    return Texts(source.name, {"system": {"first": outputs}}, "such a list has the outputs of one system")


def _recognised(lines: Sequence[str]) -> bool:
    return _LINE.match(lines[0]) is not None and lines[0].count(BAR) > 1


def entry(line: str, name: str, place: int) -> tuple[int, list[str]]:
    """Return the number of the sentence, and the fields after it: the text, and at least one more."""
    match = _LINE.match(line)
    fields = [] if match is None else match[2].split(BAR)
    if match is None or len(fields) < 2:
        found = "an empty line" if not line.strip() else "the line is not an entry of the list"
        raise InputError(f"{found}; id ||| text ||| scores was expected", path=name, line=place)
    return int(match[1]), fields


def _out_of_order(number: int, begins: Sequence[int], name: str, place: int) -> InputError:
    if number < len(begins):
        return InputError(
            f"the id {number} comes again: its hypotheses begin in line {begins[number]:,}",
            path=name,
            line=place,
            hint="are there lists of several systems in this file? Give one file for each",
        )
    return InputError(
        f"the id {number} where {len(begins)} was expected: ids count the sentences from 0",
        path=name,
        line=place,
        hint="every sentence of the test set needs a hypothesis, an empty one if there is none",
    )


def _check_text(lines: Sequence[str], name: str) -> None:
    if _recognised(lines):
        raise InputError(
            "this is a list of hypotheses, id ||| text ||| scores, which cannot be read a piece at a time",
            path=name,
            line=1,
            hint=("write one text per line; or let ", command("compare"), " read it, all of it at once"),
        )


FORMAT = Format("lists of hypotheses of Moses or Marian, best first", texts=_texts, check_text=_check_text)
