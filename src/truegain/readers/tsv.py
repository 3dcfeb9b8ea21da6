"""Tables separated by tabs, with a header."""

from __future__ import annotations

import re
from dataclasses import replace

from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.column_names import parts_of
from truegain.readers.field_columns import FieldColumn, joined_lines, split_columns
from truegain.readers.formats import File, Format, Layout, is_table
from truegain.readers.plain import Lines
from truegain.readers.score_values import check_header, is_header
from truegain.readers.scores import ScoreTable, scores_of_table
from truegain.readers.tabular import Table, check_column_names, column_builders, table_text

_PRINTED_BY_COMET = re.compile(r"[^\t]*\tSegment \d+\tscore: ")  # by comet-score, with a last line of the whole
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')


def _text(file: File, layout: Layout) -> Lines | None:
    """Read a text if columns are named: without them, tabs are text, and so is a line that has none of them."""
    named = {*parts_of(layout.id_column), layout.id_column, layout.text_column}
    if not layout.tables or ("\t" not in file.head[0] and file.head[0] not in named and not is_table(file.path)):
        return None
    return table_text(_table(file), layout.id_column, layout.text_column, layout.first_names)


def _table(file: File) -> Table:
    """Read the columns by the names in the first line."""
    if _PRINTED_BY_COMET.match(file.head[0]):
        raise InputError(
            "it is what comet-score prints, and no table",
            path=file.name,
            hint="write the scores with comet-score's --to_json FILE, and give that file",
        )
    header = file.head[0].split("\t")
    check_column_names(header, file.name)
    builders = column_builders(header, file.scores)
    blocks = file.blocks()
    number = quoted = 0
    for block in blocks:
        lines = block if number else block[1:]
        text = joined_lines(lines, "\t")
        quoted += _quoted(text) if file.scores is None and '""' in text else 0
        found = split_columns(text, "\t", len(lines), len(header)) if lines else []
        if found is None:
            _say_other_width(lines, number + 1 if number else 2, len(header), file.name)
        for builder, fields in zip(builders.values(), found or [], strict=bool(found)):
            builder.add(fields)
        number += len(block)
    if number == 1:
        raise InputError("there are no rows under the header", path=file.name)
    columns: dict[str, FieldColumn] = {name: builder.column() for name, builder in builders.items()}
    notes = blocks.said()
    if quoted:
        count = f"{quoted:,} fields are" if quoted > 1 else "a field is"
        said = f"{count} in double quotes with others doubled inside, as CSV has them; here quotes are taken as text"
        notes = (*notes, Note("quotes", said, file=file.name, warning=True))
    return Table(file.name, columns, notes, lines=range(2, number + 1))


def _quoted(text: str) -> int:
    """Count the fields that are written as CSV writes fields with quotes in them."""
    return sum('""' in one[1:-1] and _QUOTED.fullmatch(one) is not None for one in text.split("\t"))


def _say_other_width(lines: list[str], first: int, width: int, name: str) -> None:
    for number, line in enumerate(lines, first):
        fields = line.count("\t") + 1
        if fields != width:
            raise InputError(
                f"{fields} field{'s' if fields != 1 else ''} where the header has {width}", path=name, line=number
            )


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    if not is_header(file.head[0]):
        return None
    check_header(file.head[0].split("\t"), file.name)
    table = _table(file)
    notes = tuple(note for note in table.notes if note.kind != "quotes")  # texts are not read
    return [scores_of_table(replace(table, notes=notes), id_column)]


FORMAT = Format("a table separated by tabs, with a header", text=_text, table=_table, scores=_scores)
