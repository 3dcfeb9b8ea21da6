"""Pairs about documents and domains."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import truegain as tg
from fuzz.choices import Choices
from fuzz.held import file
from fuzz.pairs.asked import Asked, Outcome, Pair, call, command
from fuzz.pairs.beside import PLAIN, draw_form, file_of
from fuzz.pairs.drawn import Drawn
from fuzz.pairs.written import Style

__all__ = ["WAYS"]


def _grouped(drawn: Drawn, documents: Sequence[str], domains: Sequence[str] | None = None) -> Asked:
    """Ask with the documents of lines, one per line; of domains, in two columns with a header."""
    rows = documents if domains is None else ["docid\tdomain", *map("\t".join, zip(documents, domains, strict=True))]
    return lambda: command("compare", *PLAIN.write(drawn.rows, Style()), "--docs", file_of("d.txt", rows))


_GROUPS: dict[str, Callable[[Choices, Drawn, Sequence[str]], tuple[str, ...]]] = {}


def _group_file(kind: str, ids: str, turned: bool) -> Callable[[Choices, Drawn, Sequence[str]], tuple[str, ...]]:
    def write(choices: Choices, drawn: Drawn, documents: Sequence[str]) -> tuple[str, ...]:
        order = choices.order(range(len(drawn.ids)))
        pairs = [(ids, "docid"), *((drawn.ids[i], documents[i]) for i in order)]
        if kind == "jsonl":
            records = [dict(zip(pairs[0], pair, strict=True)) for pair in pairs[1:]]
            return ("--docs", file("d.jsonl", "".join(json.dumps(one) + "\n" for one in records)))
        return ("--docs", file_of("d.tsv", ["\t".join(pair[::-1] if turned else pair) for pair in pairs]))

    return write


_BY_ID = {
    "a table": _group_file("tsv", "id", False),
    "columns turned": _group_file("tsv", "Item", True),
    "JSON lines": _group_file("jsonl", "id", False),
}


def _documents(choices: Choices) -> Pair:
    """Name documents by id, in any order, or by line."""
    drawn = draw_form(choices, choices.one_of(("TSV", "CSV", "JSON lines", "long CSV", "COMET's JSON")))
    way = choices.one_of([*_BY_ID, "lines"])
    second: Asked

    def by_id() -> Outcome:
        also = _BY_ID[way](choices, drawn, drawn.documents)
        return command("compare", *drawn.form.write(drawn.rows, Style()), *also)

    second = by_id if way in _BY_ID else _grouped(drawn, drawn.documents)
    return Pair(
        "documents by id and by line",
        _grouped(drawn, drawn.documents),
        second,
        same=True,
        about=f"{drawn.name}, {way}, {drawn.ids}",
    )


def _documents_changed(choices: Choices) -> Pair:
    """Give documents of other segments, of too few, or with ids that the other files lack."""
    way = choices.one_of(
        (
            "lines turned",
            "an id missing",
            "an id more",
            "an id twice",
            "ids alone",
            "numbers alone",
            "a blank line",
            "one more",
        )
    )
    drawn = draw_form(choices, "TSV" if way.startswith("an id") else "lines of scores")
    turned = [*drawn.documents[1:], drawn.documents[0]]
    ids, rows = list(drawn.ids), list(drawn.documents)
    if way == "an id missing":
        ids, rows = ids[1:], rows[1:]
    elif way == "an id more":
        ids, rows = [*ids, "q98"], [*rows, "d0"]
    elif way == "an id twice":
        ids, rows = [*ids, ids[0]], [*rows, "d9"]
    elif way == "ids alone":
        ids = [f"s{i}" for i in choices.order(range(len(ids)))]
    elif way == "numbers alone":
        ids = [*ids[1:], ids[0]]
    tables = {"ids alone": "id", "numbers alone": choices.one_of(("idx", "number", "line"))}

    def second() -> Outcome:
        if way == "lines turned":
            also = file_of("d.txt", turned)
        elif way == "a blank line":
            also = file_of("d.txt", [*rows[:2], "", *rows[3:]])
        elif way == "one more":
            also = file_of("d.txt", [*rows, "d0"])
        else:
            named = tables.get(way, "id")
            also = file_of("d.tsv", [f"{named}\tdoc", *(f"{one}\t{own}" for one, own in zip(ids, rows, strict=True))])
        return command("compare", *drawn.form.write(drawn.rows, Style()), "--docs", also)

    return Pair(
        "documents of other segments",
        _grouped(drawn, drawn.documents),
        second,
        same=False,
        meant=_grouped(drawn, turned) if way == "lines turned" else None,
        about=f"{way}, {drawn.ids}",
    )


def _domains(choices: Choices) -> Pair:
    """Name domains and documents: two columns, with a header, turned, or with ids; or each in a file of its own."""
    drawn = draw_form(choices, "TSV")
    count = len(drawn.ids)
    documents = [f"d{i // 2}" for i in range(count)]
    domains = ["news" if i < 4 else "talks" for i in range(count)]
    way = choices.one_of(("two columns", "turned", "two files", "ids", "a long table"))
    order = choices.order(range(count))

    def second() -> Outcome:
        plain = PLAIN.write(drawn.rows, Style())
        if way == "two columns":
            rows = list(map("\t".join, zip(domains, documents, strict=True)))
            return command("compare", *plain, "--docs", file_of("x.docs", rows))
        if way == "turned":
            rows = ["domain\tdocid", *map("\t".join, zip(domains, documents, strict=True))]
            return command("compare", *plain, "--docs", file_of("d.txt", rows))
        if way == "two files":
            return command(
                "compare", *plain, "--docs", file_of("d.txt", documents), "--domains", file_of("g.txt", domains)
            )
        own = drawn.form.write(drawn.rows, Style())
        if way == "ids":
            rows = ["docid\tid\tdomain", *(f"{documents[i]}\t{drawn.ids[i]}\t{domains[i]}" for i in order)]
            return command("compare", *own, "--docs", file_of("d.tsv", rows))
        several = any(len(runs) > 1 for runs in drawn.rows.values())
        places = {one: place for place, one in enumerate(drawn.ids)}
        rows = [
            "\t".join(
                (domains[places[one]], system, documents[places[one]], value, one, *([str(run)] if several else []))
            )
            for system, runs in drawn.rows.items()
            for run, held in enumerate(runs)
            for one, value in choices.order(held)
        ]
        head = "domain\tsystem\tdoc\tscore\tid" + ("\trun" if several else "")
        return command("compare", "-m", "scores:column=score", file_of("l.tsv", [head, *rows]))

    return Pair(
        "domains and documents", _grouped(drawn, documents, domains), second, same=True, about=f"{way}, {drawn.ids}",
        passed_over=frozenset({"role", "rows", "system", "files"}),
    )  # fmt: skip


def _spelled_documents(choices: Choices) -> Pair:
    """Write the name of a document with a blank after it: one document, or two, in every form the same."""
    drawn = draw_form(choices, "long CSV")
    rows = {system: runs[:1] for system, runs in drawn.rows.items()}
    names = [f"{own} " if place == 0 else own for place, own in enumerate(drawn.documents)]
    ways = ("a long table", "a frame", "JSON lines", "lines", "a wide table")
    one, other = choices.order(ways)[:2]

    def ask(way: str) -> Asked:
        def long() -> list[dict[str, Any]]:
            places = {one: place for place, one in enumerate(drawn.ids)}
            return [
                {"system": system, "id": one, "doc": names[places[one]], "score": float(value)}
                for system, runs in rows.items()
                for one, value in runs[0]
            ]

        def answer() -> Outcome:
            if way == "a frame":
                import pandas as pd

                frame = pd.DataFrame(long())
                return call(lambda: tg.compare(frame, metrics=["scores:column=score"], resamples=19, jobs=1))
            if way == "a long table":
                text = "".join(",".join(map(str, held.values())) + "\n" for held in long())
                return command("compare", "-m", "scores:column=score", file("l.csv", f"system,id,doc,score\n{text}"))
            if way == "a wide table":
                held = {system: [value for _, value in runs[0]] for system, runs in rows.items()}
                head = "\t".join(["doc", *held])
                body = ["\t".join([names[i], *(own[i] for own in held.values())]) for i in range(len(names))]
                given = ["-m", "scores:column=score", "--table", file_of("w.tsv", [head, *body]), *held]
                return command("compare", *given)
            if way == "JSON lines":
                path = file("d.jsonl", "".join(json.dumps({"doc": one}) + "\n" for one in names))
            else:
                path = file_of("d.txt", names)
            return command("compare", *PLAIN.write(rows, Style()), "--docs", path)

        return answer

    return Pair(
        "documents: a blank after a name", ask(one), ask(other), same=True, about=f"{one} and {other}",
        passed_over=frozenset({"rows", "role", "files", "document", "fingerprint"}),
    )  # fmt: skip


#: By kind: from choices to a pair.
WAYS: dict[str, Callable[[Choices], Pair]] = {
    "documents by id and by line": _documents,
    "documents of other segments": _documents_changed,
    "domains and documents": _domains,
    "documents: a blank after a name": _spelled_documents,
}
