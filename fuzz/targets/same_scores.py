"""Segment scores put in another way: the same bits, or a refusal; never another answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from fuzz.answers import Answer, answer_to, check_same, check_same_p
from fuzz.choices import Choices
from fuzz.held import file
from truegain.readers.corpora import read_corpus

LONGEST = 256
_IDS = (
    "1",
    "01",
    "2",
    "10",
    "a",
    "A",
    "a b",
    "é",
    "e\u0301",
    "x-1",
    "x.1",
    "0.5",
    "NA",
    "null",
    "-",
    "true",
    "#3",
    "q",
)
_KINDS = ("eighths", "truth", "tenths", "large", "small", "far", "wide")
Scores = Mapping[str, Sequence[float]]
Orders = Mapping[str, Sequence[int]]


def check(data: bytes) -> None:
    """Draw scores of some items, and ask for them in every other way."""
    choices = Choices(data)
    ids = choices.order(_IDS)[: 3 + choices.below(len(_IDS) - 2)]
    kind = choices.one_of(_KINDS)
    scores = {system: [_score(choices, kind) for _ in ids] for system in ("a", "b", "c")[: 2 + choices.below(2)]}
    column = choices.one_of(("id", "question_id", "Item"))
    first = _asked(ids, scores, column)
    for way, found in _otherwise(ids, scores, column, choices):
        check_same(way, first, found)
        check_same(f"not {way}", found, first)
    added = {**scores, "d": [_score(choices, choices.one_of(_KINDS)) for _ in ids]}
    check_same("a system added", first, _asked(ids, added, column), may_refuse=True)
    factor = 2.0 ** (choices.below(121) - 60)
    scaled = {system: [factor * score for score in own] for system, own in scores.items()}
    if all(score / factor in own for system, own in scores.items() for score in scaled[system]):  # nothing was rounded
        _check_scale(f"times {factor:g}", first, scores, ids, scaled, column)
    if kind in ("eighths", "truth"):  # no sum of these is rounded
        offset = 2.0 ** choices.below(41)
        moved = {system: [score + offset for score in own] for system, own in scores.items()}
        _check_scale(f"plus {offset:g}", first, scores, ids, moved, column)


def _check_scale(
    way: str, first: Answer | None, scores: Scores, ids: Sequence[str], changed: Scores, column: str
) -> None:
    """Hold p-values on another scale against the first; scores of right and wrong have a test of their own."""
    if not _right_or_wrong(scores) and not _right_or_wrong(changed):
        check_same_p(way, first, _asked(ids, changed, column))


def _right_or_wrong(scores: Scores) -> bool:
    """Return whether a system has no scores but 0 and 1, or 0 and 100, which are shares of items."""
    return any(set(own) <= {0.0, end} for own in scores.values() for end in (1.0, 100.0))


def _score(choices: Choices, kind: str) -> float:
    step = choices.below(256)
    if kind == "wide":
        return (step % 16 - 8) * 10.0 ** (40 * (step // 16) - 300)
    values = {"eighths": step / 8, "truth": step % 2, "tenths": step / 10, "large": step * 1e12, "small": step * 1e-300}
    return float(values.get(kind, 1e9 + step))


def _otherwise(
    ids: Sequence[str], scores: Scores, column: str, choices: Choices
) -> Iterator[tuple[str, Answer | None]]:
    """Yield what is answered where rows, columns or files are written in another way."""
    # Segments are in the order of the first file, and draws depend on it.
    orders = {system: choices.order(range(len(ids))) for system in list(scores)[1:]}
    yield "rows in another order", _asked(ids, scores, column, orders)
    yield "columns in another order", _asked(ids, scores, column, form="columns")
    yield "JSON lines in another order", _asked(ids, scores, column, orders, "json")
    # Two samples of an item that is right or wrong may differ: their variance is estimated, that of one is known.
    if not _right_or_wrong(scores):
        yield "every row twice", _asked(ids, scores, column, {system: [*range(len(ids))] * 2 for system in scores})


def _asked(
    ids: Sequence[str], scores: Scores, column: str, orders: Orders | None = None, form: str = "rows"
) -> Answer | None:
    """Write a file for each system, in its own order of rows, and ask."""
    files = []
    for system, own in scores.items():
        rows = [(ids[i], own[i]) for i in (orders or {}).get(system, range(len(ids)))]
        if form == "json":
            text = "".join(json.dumps({column: name, "score": score}) + "\n" for name, score in rows)
        elif form == "rows":
            text = f"{column}\tscore\n" + "".join(f"{name}\t{score!r}\n" for name, score in rows)
        else:
            text = f"note\tscore\t{column}\n" + "".join(
                f"n{i}\t{score!r}\t{name}\n" for i, (name, score) in enumerate(rows)
            )
        ending = "jsonl" if form == "json" else "tsv"
        files.append(f"{system}={file(f'{system}.{ending}', text)}")
    return answer_to(
        lambda: read_corpus(files, outputs_are_scores=True, id_column=column), metrics=["scores:column=score"]
    )
