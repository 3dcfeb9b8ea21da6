"""Segment scores made elsewhere: columns of numbers, from the records of a file in any format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import NAME, InputError, Setting, Text, one_of
from truegain.notes import Note
from truegain.readers.column_names import (
    DOCUMENT_NAMES,
    ID_NAMES,
    JUDGE_NAMES,
    RATER_NAMES,
    REFERENCE_NAMES,
    REPEAT_NAMES,
    RUN_NAMES,
    SCORED_NAMES,
    SOURCE_NAMES,
    SYSTEM_NAMES,
    TEXT_NAMES,
    UNNAMED_COLUMN,
    check_no_single_errors,
    check_one_run,
    column_key,
    joined_id,
    parts_of,
)
from truegain.readers.orders import different_values
from truegain.readers.plain import Lines
from truegain.readers.repeats import averaged, say_samples
from truegain.readers.score_values import (
    ANSWER_NAMES,
    Kind,
    check_header_is_no_verdict,
    column_kind,
    is_answers,
    json_kind,
    number_in,
    required_json,
    required_score,
    say_verdicts,
    text_kind,
    verdicts,
)
from truegain.readers.tabular import Table, field_text, label_columns

if TYPE_CHECKING:
    from truegain.repeats import Repeats

#: The name of the column in files that hold one number per line.
SCORE = "score"

_RUNS = (
    "give a file for each run, NAME=FILE1,FILE2; or every file with this column; or one table of all systems, with the "
    "columns system, id, run and score"
)

#: Columns of texts that were scored, with their scores.
_TEXTS = (*SCORED_NAMES, *REFERENCE_NAMES, *SOURCE_NAMES)

#: A record and the place it stands at: a line, or a description.
Placed = tuple[int | str, Mapping[str, Any]]

#: What a log says of a document: a hash of it, and the right answer, if it has them.
Question = Mapping[str, str]


@dataclass(frozen=True)
class ScoreTable:
    """Columns of numbers for one run.

    Attributes
    ----------
    name : str
        The file.
    system : str or None
        The system the file itself names, if it does.
    columns : mapping of str to array
    ids : tuple of str, optional
        The ids of the segments, if the file has a column of them: each once.
    questions : mapping of str to Question
        What a sample log says of its documents, by id.
    id_column : str, optional
        The column of ids.
    rows : int
        How many rows were read: more than segments, if there are several samples of an item.
    samples : tuple of two ints
        The least and the most samples of an item, which are averaged.
    keys : mapping of str to tuple of str
        Columns of texts or whole numbers that nearly all differ, if the file has no ids: they show whether rows fit
        together.
    labels : mapping of str to tuple of str
        Columns that segments can be grouped by.
    documents : str, optional
        The one of them that names documents, by its usual name; of a log none does.
    repeats : mapping of str to Repeats
        The samples of items, column by column, if there are several of one.
    answers : mapping of str to Repeats
        See :class:`truegain.corpus.Run`.
    model : str, optional
        The model that a log names.
    by_row : bool
        Whether ids are in the order of the file's rows; else they are sorted.
    texts : mapping of str to tuple of str
        The columns of texts that were scored, sources and references, row by row.
    row_ids : tuple of str, optional
        The id of each row.
    """

    name: str
    system: str | None
    columns: Mapping[str, NDArray[np.float64]]
    notes: tuple[Note, ...] = ()
    ids: tuple[str, ...] | None = None
    questions: Mapping[str, Question] = field(default_factory=dict)
    id_column: str | None = None
    rows: int = 0
    samples: tuple[int, int] = (1, 1)
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    documents: str | None = None
    repeats: Mapping[str, Repeats] = field(default_factory=dict)
    answers: Mapping[str, Repeats] = field(default_factory=dict)
    model: str | None = None
    by_row: bool = True
    texts: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    row_ids: tuple[str, ...] | None = None


def check_columns(files: Sequence[tuple[str, Iterable[str]]]) -> None:
    """Refuse files whose only columns have different names: one is not compared with the other.

    Parameters
    ----------
    files : sequence of (name, columns)
    """
    first: tuple[str, str] | None = None
    for name, columns in files:
        own = list(columns)
        if len(own) != 1 or own == [SCORE]:  # a file without a header names none
            continue
        first = first or (name, own[0])
        if own[0] != first[1]:
            raise InputError(
                f"its only column of scores is {own[0]!r}, and that of {first[0]} is {first[1]!r}",
                path=name,
                hint="are these the same scores? Then give the columns one name",
            )


def at_place(message: Text, place: int | str, name: str, hint: Text | None = None) -> InputError:
    """Return an error about a record: with its line, or with what describes its place."""
    error = InputError(message, hint=hint)
    return error.at(name, place) if isinstance(place, int) else error.at(name, before=f"{place}: ")


def score_table(
    records: Sequence[Placed],
    source: Lines,
    id_column: str | None = None,
    system: str | None = None,
    *,
    text: bool = False,
) -> ScoreTable:
    """Keep the columns of numbers and of truth values; every record must have them.

    Parameters
    ----------
    records : sequence of (place, record)
    source : Lines
    id_column, system : str, optional
    text : bool
        The values are fields of a table, not JSON.
    """
    if not records:
        raise InputError("there are no segments in it", path=source.name)
    kind_of: Callable[[Any], Kind] = text_kind if text else json_kind
    keys = dict.fromkeys(key for _, record in records for key in record)
    documents, groups = _documents([key for key in keys if key != id_column], records, kind_of)
    parts = parts_of(id_column) if id_column not in keys else []
    if id_column is not None and parts and all(part in keys for part in parts):
        ids = [joined_id([_label(record.get(part)) for part in parts]) for _, record in records]
        rows = zip(records, ids, strict=True)
        records = [
            (place, {id_column: own} | {key: one for key, one in record.items() if key not in parts})
            for (place, record), own in rows
        ]
        keys = dict.fromkeys((id_column, *(key for key in keys if key not in parts)))
    if id_column is not None and id_column not in keys:
        raise one_of(f"{source.name}: the column of ids", id_column, list(keys))
    runs = {key: [str(record.get(key)) for _, record in records] for key in keys if column_key(key) in RUN_NAMES}
    check_one_run(runs, source.name, RUN_NAMES, _RUNS)
    key_of_ids = id_column or _known_ids(keys, records, source.name)
    kinds = {
        key: column_kind((record.get(key) for _, record in records), kind_of)
        for key in keys
        if key not in (key_of_ids, documents) and column_key(key) not in (*RUN_NAMES, *REPEAT_NAMES)
    }
    answers = {key for key in kinds if is_answers(key, (record.get(key) for _, record in records), kind_of)}
    kinds |= dict.fromkeys(answers, "text")
    words = {
        key: own
        for key, kind in kinds.items()
        if key not in answers
        and kind in ("text", "truth")
        and (own := verdicts(record.get(key) for _, record in records)) is not None
    }
    if text:
        check_header_is_no_verdict({key: words.get(key, ()) for key in keys}, source.name)
    columns = {
        key: np.array(
            [
                _value(key, record.get(key), kind, place, source.name, words.get(key, {}), text=text)
                for place, record in records
            ]
        )
        for key, kind in kinds.items()
        if kind in ("number", "truth") or key in words
    }
    if not columns:
        place, record = records[0]
        found = ", ".join(record) or "nothing there"
        lone = any(verdicts((own.get(key) for _, own in records), lone_letters=True) for key in kinds)
        hint = "a letter alone may be an answer: write 1 and 0 for verdicts" if lone else None
        raise at_place(f"nothing is a number in the first segment ({found})", place, source.name, hint)
    named = {key: own for key, own in columns.items() if not UNNAMED_COLUMN.fullmatch(key)}
    truths = [key for key in columns if kinds[key] != "number"]
    told = [Note("truth-values", say_verdicts(key, words.get(key)), file=source.name) for key in truths]
    table = ScoreTable(source.name, system, named or columns, (*source.notes, *told), rows=len(records))
    known = {column_key(key): key for key in keys if key not in columns}
    texts = {name: tuple(_texts(records, known[name])) for name in _TEXTS if name in known}
    table = replace(table, texts=texts)
    texts_of = {
        key: [_label(record.get(key)) for _, record in records]
        for key in kinds
        if key not in columns or 2 * len(set(columns[key].tolist())) <= len(records)
    }
    if key_of_ids is None:
        shown = [key for key, kind in kinds.items() if kind == "text" or _numbers_rows(columns, key)]
        different = different_values({key: list(_texts(records, key)) for key in shown})
        return replace(_grouped(table, texts_of, documents, groups), keys=different)
    row_ids = _ids(key_of_ids, records, source.name)
    others = {key: _texts(records, key) for key, kind in kinds.items() if kind == "text" and key not in columns}
    items = averaged(row_ids, table.columns, others)
    table = _grouped(table, texts_of, documents, groups, row_ids)
    notes = table.notes
    if items.samples != (1, 1):
        _check_one_system(records, source.name)
        check_no_single_errors(keys, source.name)
        file = source.name if system is None else f"{source.name} ({system})"
        said = f"{say_samples(len(items.ids), items.samples)} by the column {key_of_ids!r}: averaged per item"
        notes = (*notes, Note("samples", said, file=file))
        raters = [key for key in keys if column_key(key) in (*RATER_NAMES, *JUDGE_NAMES)]
        _check_told_apart(records, row_ids, [*others, *raters], key_of_ids, source.name)
    return replace(
        table,
        columns=items.columns,
        notes=notes,
        ids=items.ids,
        id_column=key_of_ids,
        samples=items.samples,
        row_ids=row_ids,
        repeats=items.repeats,
        answers=items.answers,
    )


def _check_told_apart(
    records: Sequence[Placed], ids: Sequence[str], others: Iterable[str], key: str, file: str
) -> None:
    """Refuse rows of one id that a column of few values alone tells apart: it does not say that they are samples."""
    for name in sorted(others):
        values = list(_texts(records, name))
        if (
            column_key(name) in (*ANSWER_NAMES, *TEXT_NAMES)
            or 2 * len(set(values)) > len(values)
            or len(set(zip(ids, values, strict=True))) < len(values)
        ):
            continue
        raise InputError(
            f"rows of one id differ in the column {name!r}",
            path=file,
            hint=(
                "if it names raters or prompts, give one table of all systems, with a column system, and ",
                Setting("rater_column", name),
                "\n  if it tells samples of an item apart, call it sample; if ids restart in each: ",
                Setting("id_column", f"{name},{key}"),
            ),
        )


def scores_of_table(table: Table, id_column: str | None = None) -> ScoreTable:
    """Keep the columns of numbers and of truth values of a table of fields, of one system."""
    places: Iterable[int | str] = (f"row {row:,}" for row in range(1, len(table) + 1))
    rows = zip(places if table.lines is None else table.lines, zip(*table.columns.values(), strict=True), strict=True)
    records: list[Placed] = [
        (place, {name: value or "" for name, value in zip(table.columns, row, strict=True)}) for place, row in rows
    ]
    return score_table(records, Lines(table.name, [], table.notes), id_column, text=True)


def _documents(
    keys: Sequence[str], records: Sequence[Placed], kind_of: Callable[[Any], Kind]
) -> tuple[str | None, list[str | None]]:
    """Return the column of a usual name for documents, and its values; not one that has another value in every row.

    Whole numbers are documents if another column may hold the scores.
    """
    by_name = {column_key(key): key for key in reversed(keys)}
    for key in (by_name[name] for name in DOCUMENT_NAMES if name in by_name):
        given = [record.get(key) for _, record in records]
        values = [_label(one) for one in given]
        kind = column_kind(given, kind_of)
        if any(label is None and one not in (None, "") for label, one in zip(values, given, strict=True)):
            continue
        if kind == "number":
            numbers = [number_in(one) for one in values if one]
            others = {
                column_kind((record.get(other) for _, record in records), kind_of) for other in keys if other != key
            }
            if not others & {"number", "truth"} or not all(one is not None and one % 1 == 0 for one in numbers):
                continue
        if kind in ("number", "text") and len(set(values)) < len(values):
            return key, values
    return None, []


def _grouped(
    table: ScoreTable,
    columns: Mapping[str, Sequence[str | None]],
    documents: str | None,
    groups: Sequence[str | None],
    ids: Sequence[str] | None = None,
) -> ScoreTable:
    """Add the columns that segments can be grouped by; documents are those of items, of which some share one."""
    labels = label_columns(columns, ids)
    if documents is None:
        return replace(table, labels=labels)
    own = label_columns({documents: groups}, ids, any_number=True)
    together = any(len(set(values)) < len(values) for values in own.values())
    return replace(table, labels=labels | own, documents=documents if together else None)


def _texts(records: Sequence[Placed], key: str) -> Iterator[str | None]:
    return (field_text(record.get(key)) for _, record in records)


def _label(value: Any) -> str | None:
    """Return a text, a number or a truth value as a label; None for anything else."""
    return str(value) if isinstance(value, str | int | float) and value == value else None


def _numbers_rows(columns: Mapping[str, NDArray[np.float64]], key: str) -> bool:
    """Return whether a column may hold the numbers of items: whole ones, beside the scores."""
    own = columns.get(key)
    return own is not None and len(columns) > 1 and bool((own == np.floor(own)).all())


def _check_one_system(records: Sequence[Placed], name: str) -> None:
    """Refuse to average over systems: rows of one id are those of different systems if a column names several."""
    for key in records[0][1]:
        if column_key(key) in SYSTEM_NAMES and len(labels := {str(record.get(key)) for _, record in records}) > 1:
            raise InputError(
                f"its column {key!r} names {len(labels):,} systems, and it was taken for one system",
                path=name,
                hint=(
                    "give it without a name, together with files that have this column: ",
                    Setting("system_column", key),
                ),
            )


def _known_ids(keys: Iterable[str], records: Sequence[Placed], name: str) -> str | None:
    """Return the column with a usual name of ids; of several that do not say the same, one must be chosen."""
    found = sorted(
        (key for key in keys if column_key(key) in ID_NAMES), key=lambda key: ID_NAMES.index(column_key(key))
    )
    for other in found[1:]:
        pairs = {(str(record.get(found[0])), str(record.get(other))) for _, record in records}
        if not len(pairs) == len({one for one, _ in pairs}) == len({one for _, one in pairs}):
            raise InputError(
                f"which column holds the ids, {found[0]!r} or {other!r}? They do not name the same items",
                path=name,
                hint=("name it: ", Setting("id_column", NAME), "; rows of one id are averaged"),
            )
    return found[0] if found else None


def _value(
    key: str, value: Any, kind: Kind, place: int | str, name: str, words: Mapping[Any, float], *, text: bool
) -> float:
    if words and value in words:
        return words[value]
    kind = "truth" if words else kind
    try:
        return required_score(value, kind, "", 0) if text else required_json(key, value, kind)
    except InputError as error:
        raise at_place(error.said, place, name, error.advice) from None


def _ids(key: str, records: Sequence[Placed], name: str) -> tuple[str, ...]:
    for place, record in records:
        own = record.get(key)
        if own in (None, ""):
            raise at_place(f"there is no {key!r}", place, name)
        if isinstance(own, bool) or not isinstance(own, str | int | float) or own != own:
            raise at_place(f"{key!r} is {str(own)[:40]}; a text or a number was expected", place, name)
    return tuple(str(record[key]) for _, record in records)
