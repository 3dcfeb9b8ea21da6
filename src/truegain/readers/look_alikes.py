"""Plain text that is something else by the look of it: JSON, a table, markup, several references per line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from truegain.errors import InputError, Setting
from truegain.notes import Note
from truegain.readers.column_names import ID_NAMES, TEXT_NAMES, column_key
from truegain.readers.formats import LOOK, Role, marked, opened

__all__ = ["LOOK", "check_look"]

_ID = re.compile(r"\S{0,99}\d\S{0,99}")


def check_look(lines: Sequence[str], name: str, role: Role, *, references_per_line: int | None = None) -> list[Note]:
    """Refuse lines that would be scored as text and are something else; return notes on what is in doubt.

    Parameters
    ----------
    lines : sequence of str
        Of a file of plain text; the first :data:`LOOK` are looked at.
    name : str
        The file.
    role : "reference" or "system"
        What they are given as.
    references_per_line : int, optional
        What tabs are, if that was said: they separate that many references, or are text if it is 1.

    Raises
    ------
    InputError
        If every line is an object in JSON; if all lines together are JSON; if they begin as XML or SGML; if every line
        begins with an id of its own and a tab; if every line of a reference has the same number of tabs.
    """
    said = [line for line in islice(lines, LOOK) if line.strip()]
    if not said:
        return []
    for form in [*opened(said[0]), *marked(said)]:
        if form.check_text is not None:
            form.check_text(said, name)
    if references_per_line is not None:
        return []
    tabs = said[0].count("\t")
    if tabs == 0 or any(line.count("\t") != tabs for line in said):
        return []
    _check_table(said, name)
    each = f"every line has {tabs} tab{'s' if tabs > 1 else ''}"
    if role == "system":
        text = f"{each}, and was scored as text with the tabs in it; it may be a table"
        return [Note("tabs", text, file=name)]
    raise InputError(
        f"{each}, as if it held {tabs + 1} references",
        path=name,
        hint=(
            Setting("references_per_line", tabs + 1),
            " reads them (references_per_line in an experiment file); with ",
            Setting("references_per_line", 1),
            ", tabs are text",
        ),
    )


def _check_table(lines: Sequence[str], name: str) -> None:
    ids = [line.partition("\t")[0] for line in lines]
    if len(ids) > 1 and len(set(ids)) == len(ids) and all(_ID.fullmatch(one) for one in ids):
        raise InputError(
            f"every line begins with an id and a tab ({ids[0]!r}, {ids[1]!r}, …), and was given as plain text",
            path=name,
            line=1,
            hint=(
                "write a header, id and text with a tab between, and name the columns: ",
                Setting("id_column", "id"),
                " ",
                Setting("text_column", "text"),
                "; or cut the ids off: cut -f2-",
            ),
        )
    header = [field.strip() for field in lines[0].split("\t")]
    known = [field for field in header if column_key(field) in (*ID_NAMES, *TEXT_NAMES)]
    if len(lines) > 1 and known:
        text = next((field for field in known if column_key(field) in TEXT_NAMES), "NAME")
        raise InputError(
            f"this looks like a table with the columns {', '.join(header)}, and was given as plain text",
            path=name,
            line=1,
            hint=("name the column of the texts: ", Setting("text_column", text)),
        )
