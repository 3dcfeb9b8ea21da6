"""Pairs of tables whose columns are of other types, have other meanings, or show the order of rows."""

from __future__ import annotations

import decimal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import truegain as tg
from fuzz.choices import Choices
from fuzz.held import file
from fuzz.pairs.asked import Asked, Outcome, Pair, call, command
from fuzz.pairs.beside import PLAIN, draw_form, file_of
from fuzz.pairs.drawn import Drawn
from fuzz.pairs.written import Rows, Style

__all__ = ["WAYS"]

_SCORES = ("compare", "-m", "scores:column=score")
_VERDICTS = (("true", "false"), ("correct", "incorrect"), ("pass", "fail"), ("C", "I"))


def _lines(rows: Rows) -> Asked:
    return lambda: command("compare", *PLAIN.write(rows, Style()))


def _single(choices: Choices) -> Drawn:
    """Draw systems of one run each."""
    drawn = draw_form(choices, "CSV")
    return Drawn(drawn.ids, {name: runs[:1] for name, runs in drawn.rows.items()}, drawn.documents, PLAIN, "CSV")


def _values(rows: Rows) -> dict[str, list[str]]:
    return {name: [value for _, value in runs[0]] for name, runs in rows.items()}


def _table(name: str, columns: Mapping[str, Sequence[object]]) -> str:
    rows = zip(*columns.values(), strict=True)
    return file_of(name, ["\t".join(columns), *("\t".join(map(str, row)) for row in rows)])


def _right_or_wrong(choices: Choices, drawn: Drawn) -> Rows:
    """Draw verdicts: of the first system both, of others perhaps one alone."""
    found = {}
    for place, name in enumerate(drawn.rows):
        kind = choices.below(3) if place else 2
        bits = [str(choices.below(2) if kind == 2 else kind) for _ in drawn.ids]
        if not place:
            bits[:2] = ["1", "0"]
        found[name] = [list(zip(drawn.ids, bits, strict=True))]
    return found


def _verdicts(choices: Choices) -> Pair:
    """Write verdicts as words of a wide table."""
    drawn = _single(choices)
    rows, words = _right_or_wrong(choices, drawn), choices.one_of(_VERDICTS)

    def second() -> Outcome:
        columns = {name: [words[value == "0"] for value in own] for name, own in _values(rows).items()}
        return command(*_SCORES, "--table", _table("wide.tsv", {"id": drawn.ids, **columns}))

    return Pair("verdicts in words", _lines(rows), second, same=True, about=f"{words}, {_values(rows)}")


def _without_header(choices: Choices) -> Pair:
    """Write verdicts as lines of words: the first one is no header."""
    drawn = _single(choices)
    rows, words = _right_or_wrong(choices, drawn), choices.one_of(_VERDICTS)

    def lines(named: Sequence[str]) -> Asked:
        def ask() -> Outcome:
            own = {name: [named[value == "0"] for value in values] for name, values in _values(rows).items()}
            given = (f"{name}={file_of(f'{name}.txt', values)}" for name, values in own.items())
            return command("compare", "-m", "scores", *given)

        return ask

    about = f"{words}, {_values(rows)}"
    return Pair("verdicts without a header", lines("10"), lines(words), same=True, may_refuse=True, about=about)


_TYPES: dict[str, Callable[[float], Any]] = {
    "floats of NumPy": np.float64,
    "short floats of NumPy": np.float32,
    "decimals": lambda value: decimal.Decimal(repr(value)),
}


def _types(choices: Choices) -> Pair:
    """Give the numbers of a frame as objects of other types."""
    import pandas as pd

    drawn, kind = _single(choices), choices.one_of(sorted(_TYPES))
    long, other = bool(choices.below(2)), choices.below(2)
    values = {name: list(map(float, own)) for name, own in _values(drawn.rows).items()}

    def asked(made: Callable[[float], Any], type_: Any) -> Asked:
        def ask() -> Any:
            if long:
                rows = [
                    (name, one, made(v)) for name, own in values.items() for one, v in zip(drawn.ids, own, strict=True)
                ]
                frame = pd.DataFrame(rows, columns=["system", "id", "score"])
                frame["score"] = frame["score"].astype(type_)
            else:
                mixed = list(values)[other]
                frame = pd.DataFrame(
                    {
                        name: pd.Series(list(map(made, own)) if name == mixed else own, dtype=type_)
                        for name, own in values.items()
                    }
                )
            return tg.compare(frame, metrics=["scores:column=score"], resamples=19, jobs=1)

        return lambda: call(ask)

    about = f"{kind}, {'long' if long else 'wide'}, {values}"
    return Pair(
        "numbers of other types in frames", asked(float, float), asked(_TYPES[kind], object), same=True, about=about
    )


def _no_system(choices: Choices) -> Pair:
    """Add a column that tells scores of one item apart to a table with a row per item."""
    drawn = _single(choices)
    name = choices.one_of(("rater", "annotator_id", "seed", "run", "sample", "judge"))
    labels = [1 + choices.below(3) for _ in drawn.ids]
    own: Sequence[object] = [f"r{one}" for one in labels] if choices.below(2) else labels

    def wide(more: Mapping[str, Sequence[object]]) -> Asked:
        columns: dict[str, Sequence[object]] = {"id": drawn.ids, **more, **_values(drawn.rows)}
        return lambda: command(*_SCORES, "--table", _table("wide.tsv", columns))

    about = f"{name}, {own}"
    return Pair("raters and runs in wide tables", wide({}), wide({name: own}), same=False, about=about)


def _repeated_texts(choices: Choices) -> Pair:
    """Write the rows of one system in another order, beside texts of which one stands twice."""
    drawn = _single(choices)
    texts = [f"the source {place}" for place in range(20)]
    texts[1 + choices.below(18)] = texts[0]
    scores = {name: [choices.below(64) / 8 for _ in texts] for name in drawn.rows}
    order = choices.order(range(20))
    if [texts[place] for place in order] == texts:
        order = order[::-1]
    last = list(scores)[-1]

    def asked(places: Sequence[int]) -> Asked:
        def ask() -> Outcome:
            given = []
            for name, own in scores.items():
                rows = places if name == last else range(20)
                columns: dict[str, Sequence[object]] = {
                    "src": [texts[place] for place in rows],
                    "score": [own[place] for place in rows],
                }
                given.append(f"{name}={_table(f'{name}.tsv', columns)}")
            return command(*_SCORES, *given)

        return ask

    return Pair("rows beside texts that repeat", asked(range(20)), asked(order), same=False, about=f"{order}")


def _own_documents(choices: Choices) -> Pair:
    """Name documents in each table of scores, or in a file of lines."""
    drawn = _single(choices)
    name = choices.one_of(("doc", "doc_id", "document"))

    def first() -> Outcome:
        return command("compare", *PLAIN.write(drawn.rows, Style()), "--docs", file_of("d.txt", drawn.documents))

    def second() -> Outcome:
        tables = (
            f"{system}={_table(f'{system}.tsv', {name: drawn.documents, 'score': own})}"
            for system, own in _values(drawn.rows).items()
        )
        return command(*_SCORES, *tables)

    return Pair(
        "documents in each table",
        first,
        second,
        same=True,
        passed_over=frozenset({"files"}),
        about=f"{name}, {drawn.documents}",
    )


def _single_errors(choices: Choices) -> Pair:
    """Write a row for each error of a segment, not one for each segment."""
    drawn = _single(choices)
    rows = ["system\tid\tcategory\tseverity\tscore"]
    for name, own in _values(drawn.rows).items():
        for place, (one, value) in enumerate(zip(drawn.ids, own, strict=True)):
            errors = 2 if place == 0 else 1 + choices.below(3)
            rows += [f"{name}\t{one}\tstyle\t{choices.one_of(('minor', 'major'))}\t{value}" for _ in range(errors)]

    def second() -> Outcome:
        return command(*_SCORES, file("errors.tsv", "".join(f"{row}\n" for row in rows)))

    return Pair("rows of single errors", _lines(drawn.rows), second, same=False, about=f"{drawn.ids}")


WAYS: dict[str, Callable[[Choices], Pair]] = {
    "verdicts in words": _verdicts,
    "verdicts without a header": _without_header,
    "numbers of other types in frames": _types,
    "raters and runs in wide tables": _no_system,
    "rows beside texts that repeat": _repeated_texts,
    "documents in each table": _own_documents,
    "rows of single errors": _single_errors,
}
