"""Texts put in another way: the same bits, or a refusal; never another answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from fuzz.answers import Answer, answer_to, check_same
from fuzz.choices import Choices
from fuzz.held import file
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus

LONGEST = 256
_IDS = ("1", "01", "2", "10", "a", "A", "a b", "é", "x-1", "x.1", "0.5", "null")
_WORDS = ("the", "cat", "sat", "on", "a", "mat", ".", "1,5", "naïve", "cafe\u0301", "猫", "NA", '"', "ref", "&amp;")
_DOCUMENTS = ("d1", "d2", "d 3")
Texts = Mapping[str, Sequence[str]]


def check(data: bytes) -> None:
    """Draw a reference, outputs and documents of some segments, and ask in every other way."""
    choices = Choices(data)
    ids = choices.order(_IDS)[: 3 + choices.below(len(_IDS) - 2)]
    names = ("ref", "a", "b", "c")[: 3 + choices.below(2)]
    texts = {name: [_text(choices) for _ in ids] for name in names}
    documents = [choices.one_of(_DOCUMENTS) for _ in ids]
    column = choices.one_of(("id", "segment", "Item"))
    first = _asked(ids, texts, documents, column)
    for way, found in _otherwise(ids, texts, documents, column, choices):
        check_same(way, first, found)
        check_same(f"not {way}", found, first)
    added = {**texts, "d": [_text(choices) for _ in ids]}
    check_same("a system added", first, _asked(ids, added, documents, column), may_refuse=True)
    whole = _table(ids, texts, documents, list(texts))
    check_same("a table's columns in another order", whole, _table(ids, texts, documents, choices.order(list(texts))))


def _text(choices: Choices) -> str:
    return " ".join(choices.one_of(_WORDS) for _ in range(1 + choices.below(6)))


def _otherwise(
    ids: Sequence[str], texts: Texts, documents: Sequence[str], column: str, choices: Choices
) -> Iterator[tuple[str, Answer | None]]:
    """Yield what is answered where rows, columns or files are written in another way."""
    # Segments are in the order of the reference, and draws depend on it.
    orders = {name: choices.order(range(len(ids))) for name in [*list(texts)[1:], "docs"]}
    yield "rows in another order", _asked(ids, texts, documents, column, orders)
    yield "keys in another order", _asked(ids, texts, documents, column, turned=True)
    yield "tables", _asked(ids, texts, documents, column, form="tsv")
    yield "tables in another order", _asked(ids, texts, documents, column, orders, form="tsv", turned=True)


def _asked(
    ids: Sequence[str],
    texts: Texts,
    documents: Sequence[str],
    column: str,
    orders: Mapping[str, Sequence[int]] | None = None,
    *,
    form: str = "jsonl",
    turned: bool = False,
) -> Answer | None:
    """Write a file for each text, in its own order of rows, and ask."""
    files = {}
    for name, own in {**texts, "docs": documents}.items():
        value = "doc" if name == "docs" else "text"
        rows = [(ids[i], own[i]) for i in (orders or {}).get(name, range(len(ids)))]
        lines = [(column, value)] if form == "tsv" else []
        pairs = [pair[::-1] if turned else pair for pair in [*lines, *rows]]
        if form == "tsv":
            content = "".join(f"{one}\t{other}\n" for one, other in pairs)
        else:
            keys = (value, column) if turned else (column, value)
            content = "".join(json.dumps(dict(zip(keys, pair, strict=True))) + "\n" for pair in pairs)
        files[name] = file(f"{name}.{form}", content)
    reference, grouping = files.pop("ref"), files.pop("docs")
    systems = [f"{name}={path}" for name, path in files.items()]
    return answer_to(
        lambda: read_corpus(
            systems, [reference], documents=grouping, document_column="doc", id_column=column, text_column="text"
        ),
        metrics=["bleu", "wer"],
    )


def _table(ids: Sequence[str], texts: Texts, documents: Sequence[str], columns: Sequence[str]) -> Answer | None:
    """Write one table of all texts, its columns in this order, and ask."""
    held = {"id": ids, "doc": documents, **texts}
    rows = [["id", *columns, "doc"], *([held[name][i] for name in ("id", *columns, "doc")] for i in range(len(ids)))]
    path = file("whole.tsv", "".join("\t".join(row) + "\n" for row in rows))
    systems = [name for name in texts if name != "ref"]
    return answer_to(lambda: corpus_from_table(path, systems), metrics=["bleu"])
