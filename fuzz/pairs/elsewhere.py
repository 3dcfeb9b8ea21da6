"""Pairs about experiment files, frames, quotes, and ids on one side."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import truegain as tg
from fuzz.choices import Choices
from fuzz.pairs.asked import Outcome, Pair, call, command
from fuzz.pairs.beside import draw_form, figures, file_of
from fuzz.pairs.written import FORMS, Rows, Style, asked

__all__ = ["WAYS"]


def _experiment(choices: Choices) -> Pair:
    """Write an experiment file: systems in another order of keys, runs as a pattern or a list."""
    drawn = draw_form(choices, choices.one_of(("JSON lines of texts", "lines of text")))
    systems = drawn.systems()
    pattern = bool(choices.below(2))

    def written() -> list[str]:
        return [one for one in drawn.form.write(drawn.rows, Style()) if one not in ("--text-column", "text")]

    def plain() -> Outcome:
        return figures(command("compare", *written(), "--baseline", systems[0]))

    def second() -> Outcome:
        given = written()
        reference = given[given.index("--ref") + 1]
        files = dict(one.partition("=")[::2] for one in given if "=" in one)
        lines = ["resamples = 19", f"baseline = {json.dumps(systems[0])}", "[[testset]]", "name = 't'"]
        lines += [f"reference = {json.dumps(reference)}", "[testset.systems]"]
        for system in choices.order(systems):
            paths: Any = files[system].split(",")
            if pattern and len(paths) > 1:
                before, _, ending = paths[0].rpartition(".0.")
                paths = f"{before}.[0-9].{ending}"
            lines.append(f"{json.dumps(system)} = {json.dumps(paths)}")
        return figures(command("run", file_of("e.toml", lines)))

    return Pair("experiment files", plain, second, same=True, about=f"{drawn.name}, {systems}, pattern: {pattern}")


def _typed_frames(choices: Choices) -> Pair:
    """Hold ids and scores in other types in a frame: whole numbers, floats, texts, truth values, nothing."""
    import pandas as pd

    drawn = draw_form(choices, "pandas, long")
    rows = {system: runs[0] for system, runs in drawn.rows.items()}
    count = len(drawn.ids)
    way = choices.one_of(
        ("numbers", "floats", "categories", "an index", "one is True", "one is a text", "one is missing",
         "a score is missing", "a score is a text", "an id of one system is a float")
    )  # fmt: skip
    last = list(rows)[-1]

    def records() -> list[dict[str, Any]]:
        return [
            {"system": system, "id": place + 1, "score": float(value)}
            for system, own in rows.items()
            for place, (_, value) in enumerate(own)
        ]

    def ask(frame: Any) -> Outcome:
        return call(lambda: tg.compare(frame, metrics=["scores:column=score"], resamples=19, jobs=1))

    def second() -> Outcome:
        held = records()
        row = next(i for i, one in enumerate(held) if one["system"] == last)
        if way == "floats":
            held = [{**one, "id": float(one["id"])} for one in held]
        elif way == "one is True":  # 1, which Python takes for equal to True
            held[row]["id"] = True
        elif way == "one is a text":
            held[row]["id"] = "1"
        elif way == "an id of one system is a float":
            held[row]["id"] = 1.0
        elif way == "one is missing":
            held[row]["id"] = None
        elif way == "a score is missing":
            held[row]["score"] = None
        elif way == "a score is a text":
            held[row]["score"] = "0,5"
        frame = (
            pd.DataFrame(held, dtype=object)
            if way.startswith(("one is", "an id", "a score is a"))
            else pd.DataFrame(held)
        )
        if way == "categories":
            frame["system"] = frame["system"].astype("category")
        if way == "an index":
            frame = frame.sample(frac=1, random_state=choices.below(99))
        return ask(frame)

    same = way in ("numbers", "floats", "categories", "an index", "one is a text", "an id of one system is a float")
    return Pair(
        "types of values in frames",
        lambda: ask(pd.DataFrame(records())),
        second,
        same=same,
        may_refuse=way in ("one is a text", "an id of one system is a float"),
        about=f"{way}, {count} items",
    )


def _quoted_tabs(choices: Choices) -> Pair:
    """Write texts of a table separated by tabs as CSV would: in quotes, with those inside doubled."""
    drawn = draw_form(choices, "TSV of texts")
    rows = {
        system: [[(one, f'he said "{said}"') for one, said in own] for own in runs]
        for system, runs in drawn.rows.items()
    }
    last = list(rows)[-1]
    doubled = [[(one, '"' + said.replace('"', '""') + '"') for one, said in own] for own in rows[last]]
    return Pair(
        "quotes between tabs",
        asked(drawn.form, rows, Style()),
        asked(drawn.form, {**rows, last: doubled}, Style()),
        same=False,
        said=frozenset({"quotes"}),
        about=last,
    )


def _one_side(choices: Choices) -> Pair:
    """Give ids in some files only: paired by line if they count rows, with a note; else refused."""
    drawn = draw_form(choices, choices.one_of(("TSV", "JSON lines", "TSV of texts", "JSON lines of texts")))
    texts = drawn.form.of == "texts"
    plain = FORMS["lines of text" if texts else "lines of scores"]
    counted = bool(choices.below(2))
    rows: Rows = {
        system: [[(str(place) if counted else one, value) for place, (one, value) in enumerate(own)] for own in runs]
        for system, runs in drawn.rows.items()
    }
    last = list(rows)[-1]
    shuffled = bool(choices.below(2))
    turned: Rows = {**rows, last: [[*own[1:], own[0]] if shuffled else own for own in rows[last]]}

    def second() -> Outcome:
        given = [one for one in plain.write(turned, Style()) if not one.startswith(f"{last}=")]
        own = [one for one in drawn.form.write(turned, Style()) if one.startswith(f"{last}=")]
        columns = ["--text-column", "text"] if texts and own[0].endswith(".tsv") else []
        return command("compare", *(columns if not texts else []), *given, *own)

    return Pair(
        "ids on one side",
        asked(plain, drawn.rows, Style()),
        second,
        same=counted and not shuffled,
        may_refuse=texts,
        about=f"{drawn.name}, counted: {counted}, shuffled: {shuffled}, {drawn.ids}",
    )


#: By kind: from choices to a pair.
WAYS: dict[str, Callable[[Choices], Pair]] = {
    "experiment files": _experiment,
    "types of values in frames": _typed_frames,
    "quotes between tabs": _quoted_tabs,
    "ids on one side": _one_side,
}
