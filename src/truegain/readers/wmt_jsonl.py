"""JSON lines of WMT's general translation task: texts with nested references, outputs, and ratings.

A line is a document or a segment. Four layouts are known, by the keys of the first line:

- sources and references of documents, ``doc_id``, ``src_text`` and ``refs: {refA: {ref: …}}`` (wmt25-genmt.jsonl);
- outputs of one system, ``doc_id`` and ``hypothesis`` (systems/NAME.jsonl);
- segments with all outputs and ratings, ``doc_id``, ``tgt_text: {system: …}`` and ``scores: {system: {human1: …,
  annotator1: …}}``, or a list of ``human`` and ``annotator`` per system (wmt25-genmt-humeval.jsonl);
- a rating per line, ``langs``, ``line_id``, ``doc_id``, ``system``, ``annotator`` and ``esa_score`` (wmt24_esa.jsonl).

They are described in README.md of github.com/wmt-conference/wmt25-general-mt, and written by humeval/merge_to_jsonl.py
of github.com/wmt-conference/wmt24-news-systems.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal

from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.decoding import check_characters
from truegain.readers.formats import File, Format, Texts
from truegain.readers.plain import LINE_LIMIT, Lines
from truegain.readers.ratings import MARK, Rating, check_pairs, ratings_table, tables_by_system
from truegain.readers.score_values import number_in, required_json
from truegain.readers.scores import ScoreTable
from truegain.readers.strict_json import parse_json, strict_loads
from truegain.readers.tabular import Table

_Kind = Literal["documents", "outputs", "segments", "ratings"]

_REFERENCE = re.compile(r"ref[A-Z]?")
_HUMAN = re.compile(r"human(\d*)")
_PARTS = {"documents": 3, "outputs": 3, "segments": 4}  # of ids that begin with the pair of languages
_HINT = "references are in refs, or named refA, refB, … in tgt_text; outputs are the others in tgt_text, or hypothesis"


def _kind(file: File) -> _Kind | None:
    """Tell the layout by the first line."""
    first = None
    with suppress(InputError, ValueError, RecursionError):  # whoever reads it as JSON says what is wrong
        first = strict_loads(file.head[0])
    if not isinstance(first, dict):
        return None
    if {"langs", "line_id", "system", "esa_score"} <= first.keys():
        return "ratings"
    if "doc_id" not in first or "filtered_resps" in first:
        return None
    if isinstance(first.get("tgt_text"), dict):
        return "segments"
    if isinstance(first.get("refs"), dict) and "src_text" in first:
        return "documents"
    return "outputs" if "hypothesis" in first and MARK in str(first["doc_id"]) else None


def _records(file: File) -> Iterator[tuple[int, dict[str, Any]]]:
    name = file.lines.name
    for number, line in enumerate(file.lines.lines, 1):
        record = parse_json(line, name, number)
        if not isinstance(record, dict):
            raise InputError("each line must be a JSON object", path=name, line=number)
        yield number, record


def _texts(file: File) -> Texts | None:
    """Return the references and outputs, matched by document and segment."""
    kind = _kind(file)
    if kind is None or kind == "ratings":
        return None
    source = file.lines
    ids: list[str] = []
    sides: dict[tuple[str, str], list[str]] = {}
    for number, record in _records(file):
        own = _sides(record, kind, source.name, number)
        lacking = next((side for side in sides if side not in own), None)
        new = next((side for side in own if side not in sides), None) if ids else None
        if lacking or new:
            name = (lacking or new or ("", ""))[1]
            raise InputError(
                f"{'there is no' if lacking else 'there is a'} text of {name!r}, and "
                f"{'other lines have one' if lacking else 'earlier lines have none'}",
                path=source.name,
                line=number,
                hint="keep the lines of one pair of languages, and the systems that have all of them",
            )
        ids.append(_label(record, "doc_id", source.name, number))
        for side, text in own.items():
            sides.setdefault(side, []).append(text)
    _check_one_pair(ids, kind, source)
    documents = _documents(ids, kind)
    notes = source.notes
    if kind == "documents":
        notes = (*notes, Note("documents", "each line is a document, and is scored as one segment", file=source.name))
    texts: dict[str, dict[str, Lines]] = {}
    for (role, name), lines in sides.items():
        title = source.name if kind == "outputs" else f"{source.name}:{name}"
        texts.setdefault(role, {})[name] = Lines(title, lines, notes, tuple(ids), documents)
    return Texts(source.name, texts, _HINT)


def _sides(record: Mapping[str, Any], kind: _Kind, path: str, line: int) -> dict[tuple[str, str], str]:
    """Return the texts of a line by role and name."""
    found: dict[tuple[str, str], Any] = {}
    if kind == "outputs":
        found["system", "hypothesis"] = record.get("hypothesis")
    for name, given in _object(record, "refs", path, line).items():
        found["reference", name] = given.get("ref") if isinstance(given, dict) else given
    for name, text in _object(record, "tgt_text", path, line).items():
        found["reference" if _REFERENCE.fullmatch(name) else "system", name] = text
    for (_, name), text in found.items():
        if not isinstance(text, str):
            raise InputError(f"the text of {name!r} is not a string", path=path, line=line)
        check_characters(text, f"the text of {name!r} in line {line:,}", path)
        if len(text) > LINE_LIMIT:
            raise InputError(
                f"the text of {name!r} has {len(text):,} characters; the limit is {LINE_LIMIT:,}", path=path, line=line
            )
    return found


def _table(file: File) -> Table | None:
    """Return the ratings."""
    kind = _kind(file)
    if kind not in ("segments", "ratings"):
        return None
    source = file.lines
    ratings: list[Rating] = []
    pairs: dict[str, None] = {}
    ids: list[str] = []
    unrated: list[tuple[int, str]] = []
    for number, record in _records(file):
        if kind == "ratings":
            pairs[_label(record, "langs", source.name, number)] = None
            ratings.append(_rating(record, source.name, number))
        else:
            ids.append(_label(record, "doc_id", source.name, number))
            own = list(_ratings(record, ids[-1], source.name, number))
            ratings += own
            unrated += [] if own else [(number, ids[-1])]
    if kind == "ratings":
        check_pairs(pairs, source, '"langs": "{}"')
    else:
        _check_one_pair(ids, kind, source)
    if ratings:  # a segment that nobody rated is one of the test set
        ratings += [Rating(line, ratings[0].system, item, None, *_document_and_domain(item)) for line, item in unrated]
    return ratings_table(ratings, source)


def _rating(record: Mapping[str, Any], path: str, line: int) -> Rating:
    """Return the rating that a line is."""
    document = _label(record, "doc_id", path, line)
    item = f"{document}{MARK}{_label(record, 'line_id', path, line)}"
    domain = record.get("domain")
    return Rating(
        line,
        _label(record, "system", path, line),
        item,
        _score(record.get("esa_score"), "esa_score", path, line),
        document,
        domain if isinstance(domain, str) else None,
        str(record.get("annotator", "unknown")),
    )


def _ratings(record: Mapping[str, Any], item: str, path: str, line: int) -> Iterator[Rating]:
    """Yield the ratings of a segment: of rounds, ``human1`` by ``annotator1``, or of a list."""
    document, domain = _document_and_domain(item)
    for system, given in _object(record, "scores", path, line).items():
        rounds = given if isinstance(given, list) else [given]
        for one in rounds:
            if not isinstance(one, dict):
                raise InputError(f"the ratings of {system!r} are not objects", path=path, line=line)
            for key, value in one.items():
                match = _HUMAN.fullmatch("human" if key == "score" else key)
                if match is not None:
                    rater = str(one.get(f"annotator{match[1]}", "unknown"))
                    yield Rating(line, system, item, _score(value, key, path, line), document, domain, rater)


def _document_and_domain(item: str) -> tuple[str, str | None]:
    """Return the document of a segment, and its domain if the id has one."""
    parts = item.split(MARK)
    return MARK.join(parts[:-1]) or item, parts[1] if len(parts) == _PARTS["segments"] else None


def _score(value: Any, key: str, path: str, line: int) -> float:
    """Return a score, which WMT writes as a number or as a text."""
    number = number_in(value.strip()) if isinstance(value, str) else value
    try:
        return required_json(key, value if number is None else number, "number")
    except InputError as error:
        raise InputError(error.said, path=path, line=line) from None


def _object(record: Mapping[str, Any], key: str, path: str, line: int) -> Mapping[str, Any]:
    found = record.get(key)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise InputError(f"{key!r} is not an object", path=path, line=line)
    return found


def _label(record: Mapping[str, Any], key: str, path: str, line: int) -> str:
    found = record.get(key)
    if isinstance(found, bool) or not isinstance(found, str | int) or found == "":
        raise InputError(f"there is no {key!r}", path=path, line=line)
    return str(found)


def _check_one_pair(ids: list[str], kind: _Kind, source: Lines) -> None:
    parts = [one.split(MARK) for one in ids]
    if all(len(own) == _PARTS[kind] for own in parts):
        check_pairs((own[0] for own in parts), source, '"{}' + MARK)


def _documents(ids: list[str], kind: _Kind) -> tuple[str, ...] | None:
    """Return the documents of segments; a line that is a document needs no other."""
    if kind != "segments" or not all(MARK in one for one in ids):
        return None
    return tuple(one.rpartition(MARK)[0] for one in ids)


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    table = _table(file)
    if table is not None and id_column is not None:
        raise InputError(
            f"its items are matched by document and segment, not by {id_column!r}",
            path=file.lines.name,
            hint="leave the column of ids out",
        )
    return None if table is None else tables_by_system(table)


FORMAT = Format(
    "JSON lines of WMT24 and WMT25: texts by document or segment, and ratings",
    texts=_texts,
    table=_table,
    scores=_scores,
)
