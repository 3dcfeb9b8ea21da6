"""Pairs about ratings of people, and metrics held against them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from fuzz.choices import Choices
from fuzz.held import file
from fuzz.pairs.asked import Outcome, Pair, command
from fuzz.pairs.beside import draw_form, file_of
from fuzz.pairs.written import Rows, Style, asked

__all__ = ["WAYS"]


def _ratings(choices: Choices) -> Pair:
    """Write ratings of people in other forms, with raters renamed in their order, rows shuffled, or some left out."""
    drawn = draw_form(choices, "ratings")
    items = [f"d{place // 2}" for place in range(len(drawn.ids))]
    systems = drawn.systems()
    rated = {
        (rater, system, place): (choices.below(20) * 5)
        for rater in ("ann", "bob", "eve")
        for system in systems
        for place in range(len(items))
    }
    way = choices.one_of(("shuffled", "renamed", "Appraise", "WMT", "one rating less", "a rater's case", "exchanged"))
    names = {"ann": "r1", "bob": "r2", "eve": "r3"} if way == "renamed" else {}

    def table(held: dict[tuple[str, str, int], int], mixed: bool, case: bool = False) -> Outcome:
        rows = [
            f"{'Ann' if case and rater == 'ann' and place else names.get(rater, rater)},{system},{items[place]},"
            f"{items[place]}_#_{place},{score}"
            for (rater, system, place), score in held.items()
        ]
        rows = choices.order(rows) if mixed else rows
        return command("compare", "-m", "scores:column=score", file_of("r.csv", ["rater,system,doc,id,score", *rows]))

    def second() -> Outcome:
        if way in ("shuffled", "renamed"):
            return table(rated, mixed=True)
        if way == "a rater's case":
            return table(rated, mixed=False, case=True)
        if way == "one rating less":
            return table(dict(list(rated.items())[1:]), mixed=False)
        if way == "exchanged":
            return table(exchanged(), mixed=True)
        if way == "Appraise":
            rows = [
                f"{rater},{system},{place},TGT,eng,deu,{score},{items[place]},False,[],1.0,2.0"
                for (rater, system, place), score in choices.order(list(rated.items()))
            ]
            return command("compare", "-m", "scores", file_of("appraise.csv", rows))
        records = [
            {
                "langs": "en-de", "line_id": place, "doc_id": items[place], "system": system, "annotator": rater,
                "esa_score": score,
            }
            for (rater, system, place), score in choices.order(list(rated.items()))
        ]  # fmt: skip
        return command("compare", "-m", "scores", file("esa.jsonl", "".join(json.dumps(one) + "\n" for one in records)))

    def exchanged() -> dict[tuple[str, str, int], int]:
        first, last = systems[0], systems[-1]
        turned = {first: last, last: first}
        return {(rater, turned.get(system, system), place): own for (rater, system, place), own in rated.items()}

    same = way in ("shuffled", "renamed", "Appraise", "WMT")
    return Pair(
        "ratings of people",
        lambda: table(rated, mixed=False),
        second,
        same=same,
        meant=(lambda: table(exchanged(), mixed=False)) if way == "exchanged" else None,
        said=frozenset({"rater-names", "samples"}),
        passed_over=frozenset({"fingerprint", "signature", "metric", "segment", "document", "number"}),
        about=f"{way}, {systems}",
    )


def _half_rated(choices: Choices) -> Pair:
    """Leave scores of people out: the segments that all systems have are compared, and it is said."""
    drawn = draw_form(choices, "mt-metrics-eval")
    place = choices.below(len(drawn.ids))
    every = bool(choices.below(2))
    systems = drawn.systems()

    def without(system: str) -> list[tuple[str, str]]:
        own = list(drawn.rows[system][0])
        own[place] = (own[place][0], "None" if every or system == systems[-1] else own[place][1])
        return own

    def left_out() -> Rows:
        return {system: [[pair for at, pair in enumerate(drawn.rows[system][0]) if at != place]] for system in systems}

    return Pair(
        "half-rated scores",
        asked(drawn.form, drawn.rows, Style()),
        asked(drawn.form, {system: [without(system)] for system in systems}, Style()),
        same=False,
        meant=asked(drawn.form, left_out(), Style()),
        said=frozenset({"not-rated"}),
        passed_over=frozenset({"rows", "fingerprint", "number"}),
        about=f"{systems}, row {place}, {'every system' if every else 'one system'}",
    )


def _agree(choices: Choices) -> Pair:
    """Hold metrics against people: systems in another order, exchanged, left out, named otherwise."""
    drawn = draw_form(choices, "mt-metrics-eval")
    systems = ["a", "b", "c", "d"]
    scores = {
        name: {system: [choices.below(16) for _ in drawn.ids] for system in systems} for name in ("human", "m1", "m2")
    }
    way = choices.one_of(("another order", "a table", "exchanged", "left out", "another case", "one segment less"))
    turned = {"a": "b", "b": "a"}

    def text(held: dict[str, list[int]], order: Sequence[str]) -> str:
        return "".join(f"{system}\t{score}\n" for system in order for score in held[system])

    def ask(metric: str) -> Outcome:
        files = [file(f"{name}.seg.score", text(scores[name], systems)) for name in ("human", "m2")]
        return command("agree", "--human", files[0], f"m1={metric}", f"m2={files[1]}", "--measures", "accuracy,pearson")

    def plain() -> Outcome:
        return ask(file("m1.seg.score", text(scores["m1"], systems)))

    def exchanged() -> Outcome:
        held = {turned.get(system, system): own for system, own in scores["m1"].items()}
        return ask(file("m1.seg.score", text(held, systems)))

    def second() -> Outcome:
        own = scores["m1"]
        if way == "another order":
            return ask(file("x.seg.score", text(own, choices.order(systems))))
        if way == "exchanged":
            held = {turned.get(system, system): one for system, one in own.items()}
            return ask(file("x.seg.score", text(held, ["d", "b", "c", "a"])))
        if way == "left out":
            return ask(file("x.seg.score", text(own, systems[:3])))
        if way == "another case":
            return ask(file("x.seg.score", text(own, systems).replace("d\t", "D\t")))
        if way == "one segment less":
            return ask(file("x.seg.score", text({system: one[1:] for system, one in own.items()}, systems)))
        rows = [f"{place + 1},{system},{score}" for system, held in own.items() for place, score in enumerate(held)]
        return ask(file_of("x.csv", ["id,system,score", *choices.order(rows)]))

    return Pair(
        "metrics and people",
        plain,
        second,
        same=way in ("another order", "a table"),
        meant=exchanged if way == "exchanged" else None,
        said=frozenset({"systems", "left-out"}),
        passed_over=frozenset({"rows", "files", "samples", "file"}),
        about=f"{way}",
    )


#: By kind: from choices to a pair.
WAYS: dict[str, Callable[[Choices], Pair]] = {
    "ratings of people": _ratings,
    "half-rated scores": _half_rated,
    "metrics and people": _agree,
}
