"""Other ways to write the same, and changes that mean something else, whatever form is written."""

from __future__ import annotations

import codecs
import gzip
import lzma
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from fuzz.choices import Choices
from fuzz.pairs.asked import Pair
from fuzz.pairs.drawn import Drawn, draw, form_of, plain_form
from fuzz.pairs.written import Rows, Style, asked

__all__ = ["WAYS"]

Edit = Callable[[Choices, Drawn], tuple[Rows, Rows | None, str]]  # what is written, what it means, what was done
#: What is said of ratings: items that were not rated for every system, or several times.
_UNRATED = frozenset({"not-rated", "samples"})
_STUDIES = ("compare", "score", "rank", "gate")


def _study(choices: Choices, drawn: Drawn) -> str:
    if drawn.form.calls:
        return "compare"
    return choices.one_of(_STUDIES if len(drawn.systems()) == 2 else _STUDIES[:3])  # a gate has two


def _more_said(drawn: Drawn) -> frozenset[str]:
    """Return what a form says beyond the rows: who rated, and of XML and SGML the document."""
    if drawn.name in ("XML", "SGML"):
        return frozenset({"fingerprint", "documents", "document"})
    return frozenset({"fingerprint"} if drawn.name == "ratings" else ())


def _same(kind: str, choices: Choices, drawn: Drawn, style: Style, rows: Rows | None = None, **more: object) -> Pair:
    """Pair lines with the same rows in another form, style and order."""
    study = _study(choices, drawn)
    return Pair(
        kind,
        asked(plain_form(drawn.form.of), drawn.rows, Style(), study),
        asked(drawn.form, drawn.rows if rows is None else rows, style, study),
        same=True,
        passed_over=_more_said(drawn),
        about=f"{drawn.name}, {study}, {sorted(drawn.rows)}",
        **more,  # type: ignore[arg-type]
    )


def _another_form(choices: Choices) -> Pair:
    name, form = form_of(choices, by_id=False)
    return _same("another form", choices, draw(choices, name, form), Style(numbers=bool(choices.below(2))))


def _orders(choices: Choices, drawn: Drawn) -> Rows:
    """Shuffle the rows of every run but the first, whose order is that of the items."""
    first = next(iter(drawn.rows.values()))[0]
    return {
        system: [own if own is first else choices.order(own) for own in runs] for system, runs in drawn.rows.items()
    }


def _rows_shuffled(choices: Choices) -> Pair:
    drawn = draw(choices, *form_of(choices, by_id=True))
    return _same("rows in another order", choices, drawn, Style(mixed=1 + choices.below(99)), _orders(choices, drawn))


def _columns(choices: Choices) -> Pair:
    drawn = draw(choices, *form_of(choices, by_id=True, table=True))
    ids = choices.one_of(("id", "Item", "seg_id", "key", "my ids"))
    style = Style(ids, turned=True, more=bool(choices.below(2)), mixed=choices.below(9))
    return _same("columns in another order", choices, drawn, style, _orders(choices, drawn))


def _quotes(choices: Choices) -> Pair:
    names = ("CSV", "long CSV", "CSV with semicolons", "CSV of texts", "wide CSV", "ratings")
    name = choices.one_of(names)
    from fuzz.pairs.written import FORMS

    drawn = draw(choices, name, FORMS[name])
    return _same("fields in quotes", choices, drawn, Style(quoted=True, turned=bool(choices.below(2))))


_BYTES: dict[str, tuple[Callable[[str], bytes], str, bool]] = {
    "a byte order mark": (lambda text: codecs.BOM_UTF8 + text.encode(), "", False),
    "CR LF": (lambda text: text.replace("\n", "\r\n").encode(), "", False),
    "no last line end": (lambda text: text.removesuffix("\n").encode(), "", False),
    "gz": (lambda text: gzip.compress(text.encode()), ".gz", False),
    "xz": (lambda text: lzma.compress(text.encode()), ".xz", False),
    "UTF-16": (lambda text: text.encode("utf-16"), "", True),
    "an empty last line": (lambda text: (text.removesuffix("\n") + "\n\n").encode(), "", True),
}


def _encodings(choices: Choices) -> Pair:
    drawn = draw(choices, *form_of(choices, by_id=False, plain=True))
    way = choices.one_of(list(_BYTES))
    encode, ending, may_refuse = _BYTES[way]
    if way == "an empty last line" and drawn.form.ids == "none" and drawn.form.of == "texts":
        way, (encode, ending, may_refuse) = "CR LF", _BYTES["CR LF"]  # there it is one more segment, of all files
    pair = _same("encodings and line ends", choices, drawn, Style(encode=encode, ending=ending), may_refuse=may_refuse)
    return replace(pair, about=f"{way}: {pair.about}")


def _systems_turned(choices: Choices) -> Pair:
    """Give systems in another order, and name the baseline."""
    name, form = form_of(choices, by_id=False, calls=False)
    drawn = draw(choices, name, form)
    systems = drawn.systems()
    kept = {"ref": drawn.rows["ref"]} if "ref" in drawn.rows else {}
    # Items are in the order of the first file, so rows are in one order here.
    turned = {**kept, **{system: drawn.rows[system] for system in choices.order(systems)}}
    also = ("--baseline", systems[0])
    study = choices.one_of(("compare", "gate")) if len(systems) == 2 else "compare"
    first = asked(plain_form(form.of), drawn.rows, Style(also=also), study)
    second = asked(form, turned, Style(also=also, mixed=choices.below(9)), study)
    return Pair(
        "systems in another order",
        first,
        second,
        same=True,
        passed_over=_more_said(drawn) | {"fingerprint"},  # which is of the systems in their order
        about=f"{name}, {study}, {list(turned)}",
    )


def _standard_input(choices: Choices) -> Pair:
    """Give the last file by standard input."""
    from fuzz.pairs.asked import command

    drawn = draw(choices, *form_of(choices, by_id=False, plain=True, runs=True))
    if drawn.name.startswith("long"):
        drawn = draw(choices, "CSV", form_of(choices, by_id=True, calls=False, table=True, runs=True)[1])
    single: Rows = {system: runs[:1] for system, runs in drawn.rows.items()}
    study = _study(choices, drawn)
    arguments = drawn.form.write(single, Style())
    system, _, path = arguments[-1].partition("=")
    if not path:  # one file of all systems
        return _same("standard input", choices, replace(drawn, rows=single), Style())

    def second():  # type: ignore[no-untyped-def]
        own = drawn.form.write(single, Style())
        with open(path, "rb") as stream:  # noqa: PTH123
            return command(study, *own[:-1], f"{system}=-", given=stream.read())

    first = asked(plain_form(drawn.form.of), single, Style(), study)
    may_refuse = not path.endswith((".txt", ".tsv"))  # its ending says what a file is, and this has none
    return Pair(
        "standard input", first, second, same=True, may_refuse=may_refuse, about=f"{drawn.name}, {study}, {arguments}"
    )


# ---- what means something else


def _last(rows: Rows, change: Callable[[list[tuple[str, str]]], list[tuple[str, str]]]) -> Rows:
    """Change the rows of the last run of the last system."""
    system = list(rows)[-1]
    return {**rows, system: [*rows[system][:-1], change(list(rows[system][-1]))]}


def _respelled(spell: Callable[[str], str], which: Callable[[str], bool], what: str) -> Edit:
    """Write an id of one run in another way: it names no item of the other runs."""

    def edit(choices: Choices, drawn: Drawn) -> tuple[Rows, Rows | None, str]:
        known = set(drawn.ids)
        fit = [one for one in drawn.ids if which(one) and spell(one) not in known]
        fit = fit or [one for one in drawn.ids if spell(one) not in (*known, one)]
        if not fit:
            return _left_out(choices, drawn)
        wanted = choices.one_of(fit)

        def change(own: list[tuple[str, str]]) -> list[tuple[str, str]]:
            return [(spell(one) if one == wanted else one, value) for one, value in own]

        return _last(drawn.rows, change), None, f"{what}: {wanted!r} is {spell(wanted)!r}"

    return edit


def _swapped_ids(choices: Choices, drawn: Drawn) -> tuple[Rows, Rows | None, str]:
    """Exchange the ids of two rows: two values change places."""
    first = choices.below(len(drawn.ids) - 1)
    second = first + 1 + choices.below(len(drawn.ids) - 1 - first)

    def ids(own: list[tuple[str, str]]) -> list[tuple[str, str]]:
        turned = {drawn.ids[first]: drawn.ids[second], drawn.ids[second]: drawn.ids[first]}
        return [(turned.get(one, one), value) for one, value in own]

    def values(own: list[tuple[str, str]]) -> list[tuple[str, str]]:
        other = [value for _, value in own]
        other[first], other[second] = other[second], other[first]
        return list(zip(drawn.ids, other, strict=True))

    return _last(drawn.rows, ids), _last(drawn.rows, values), f"ids {first} and {second} exchanged"


def _left_out(choices: Choices, drawn: Drawn) -> tuple[Rows, Rows | None, str]:
    place = choices.below(len(drawn.ids))
    return _last(drawn.rows, lambda own: own[:place] + own[place + 1 :]), None, f"row {place} left out"


def _added(choices: Choices, drawn: Drawn) -> tuple[Rows, Rows | None, str]:
    return _last(drawn.rows, lambda own: [*own, ("q98", own[0][1])]), None, "a row more"


def _again(choices: Choices, drawn: Drawn) -> tuple[Rows, Rows | None, str]:
    """Repeat a row with the value of another: samples of one item, which are averaged; texts are not."""
    place = choices.below(len(drawn.ids) - 1)

    def twice(own: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [*own, (own[place][0], own[place + 1][1])]

    def mean(own: list[tuple[str, str]]) -> list[tuple[str, str]]:
        one, other = (float(own[at][1]) for at in (place, place + 1))
        return [*own[:place], (own[place][0], repr((one + other) / 2)), *own[place + 1 :]]

    meant = _last(drawn.rows, mean) if drawn.form.of == "scores" else None
    return _last(drawn.rows, twice), meant, f"row {place} twice"


def _other_form(one: str) -> str:
    """Write the same characters in another form: composed or not, or the first of full width."""
    forms: tuple[Literal["NFD", "NFC", "NFKC"], ...] = ("NFD", "NFC", "NFKC")
    for form in forms:
        if (other := unicodedata.normalize(form, one)) != one:
            return other
    return chr(ord(one[0]) + 0xFEE0) + one[1:]


_IDS: dict[str, tuple[Edit, frozenset[str]]] = {
    "ids: a zero before a number": (_respelled(lambda one: f"0{one}", lambda one: True, "zero"), frozenset()),
    "ids: another case": (
        _respelled(str.swapcase, lambda one: one.swapcase() != one and one.isascii(), "case"),
        frozenset(),
    ),
    "ids: a blank at the end": (_respelled(lambda one: f"{one} ", lambda one: True, "blank"), frozenset()),
    "ids: another form of Unicode": (
        _respelled(_other_form, lambda one: not one.isascii(), "Unicode"),
        frozenset(),
    ),
    "ids: a point and a zero": (_respelled(lambda one: f"{one}.0", lambda one: True, "point"), frozenset()),
    "ids: two exchanged": (_swapped_ids, frozenset()),
    "ids: one is missing": (_left_out, frozenset()),
    "ids: one more": (_added, frozenset()),
    "ids: one twice": (_again, frozenset({"samples"})),
}


def _ids_changed(kind: str) -> Callable[[Choices], Pair]:
    edit, said = _IDS[kind]

    def make(choices: Choices) -> Pair:
        name, form = form_of(choices, by_id=True)
        drawn = draw(choices, name, form)
        if form.ids == "counted" and kind not in ("ids: two exchanged", "ids: one is missing", "ids: one twice"):
            drawn = draw(choices, "TSV", form_of(choices, by_id=True, table=True)[1])
        rows, meant, about = edit(choices, drawn)
        study = _study(choices, drawn)
        style = Style(mixed=choices.below(9), numbers=bool(choices.below(2)))
        also = _UNRATED if drawn.name == "ratings" else said
        return Pair(
            kind,
            asked(plain_form(drawn.form.of), drawn.rows, Style(), study),
            asked(drawn.form, rows, style, study),
            same=False,
            meant=None if meant is None else asked(plain_form(drawn.form.of), meant, Style(), study),
            said=also,
            passed_over=_more_said(drawn)
            | frozenset({"rows", "samples", "fingerprint"} if kind == "ids: one twice" else ()),
            about=f"{drawn.name}, {study}, {about}, {drawn.ids}",
        )

    return make


def _numbered(choices: Choices) -> Pair:
    """Write ids as numbers in one run and as texts in the others: the same items, or a refusal."""
    from fuzz.pairs.written import FORMS

    name = choices.one_of(("JSON lines", "a list in JSON", "JSON lines of texts", "long JSON lines", "pandas, long"))
    drawn = draw(choices, name, FORMS[name])
    rows = {
        system: [[(str(place), value) for place, (_, value) in enumerate(own)] for own in runs]
        for system, runs in drawn.rows.items()
    }
    drawn = replace(drawn, ids=tuple(map(str, range(len(drawn.ids)))), rows=rows)
    return _same(
        "ids: numbers and texts", choices, drawn, Style(numbers=True, mixed=choices.below(9)), _orders(choices, drawn)
    )


def _hidden_ids(choices: Choices) -> Pair:
    """Shuffle the rows of one file whose ids stand in a column that is not known, and not asked for."""
    from fuzz.pairs.written import FORMS

    name = choices.one_of(
        (
            "TSV",
            "CSV",
            "JSON lines",
            "a list in JSON",
            "COMET's JSON",
            "TSV of texts",
            "CSV of texts",
            "JSON lines of texts",
        )
    )
    drawn = draw(choices, name, FORMS[name])
    mark = choices.one_of(("", "k"))  # ids that are numbers could be scores
    ids = tuple(f"{mark}{3 + 2 * place}" for place in range(len(drawn.ids)))
    rows: Rows = {
        system: [[(one, value) for one, (_, value) in zip(ids, own, strict=True)] for own in runs]
        for system, runs in drawn.rows.items()
    }
    drawn = replace(drawn, ids=ids, rows=rows)
    turned = _last(drawn.rows, lambda own: [*own[1:], own[0]])
    style = Style(choices.one_of(("key", "idx", "number", "uid")), asks=False, numbers=bool(choices.below(2)))
    study = _study(choices, drawn)
    return Pair(
        "ids: in a column that is not named",
        asked(drawn.form, drawn.rows, style, study),
        asked(drawn.form, turned, style, study),
        same=False,
        about=f"{name}, {study}, {style.ids}, {drawn.ids}",
    )


def _lines_turned(choices: Choices) -> Pair:
    """Move the first line of a file without ids to its end: every line is of another segment."""
    from fuzz.pairs.written import FORMS

    name = choices.one_of(("lines of scores", "arrays", "mt-metrics-eval", "lines of text"))
    drawn = draw(choices, name, FORMS[name])
    turned = _last(drawn.rows, lambda own: [*own[1:], own[0]])
    study = "compare"
    return Pair(
        "lines in another order",
        asked(plain_form(drawn.form.of), drawn.rows, Style(), study),
        asked(drawn.form, turned, Style(), study),
        same=False,
        meant=asked(plain_form(drawn.form.of), turned, Style(), study),
        about=f"{name}, {study}",
    )


_CELLS = ("", "nan", "NaN", "None", "NA", "null", "-", "0,5", "1_0", "x", "inf", "true", "½", "5 %", "1.5.2")


def _cells(choices: Choices) -> Pair:
    """Write something else than a number into one cell of scores."""
    name, form = form_of(choices, by_id=False, of="scores")
    if form.calls or name == "Parquet":
        name, form = "TSV", form_of(choices, by_id=True, table=True, of="scores")[1]
    drawn = draw(choices, name, form)
    place, cell = choices.below(len(drawn.ids)), choices.one_of(_CELLS)
    changed = _last(drawn.rows, lambda own: [*own[:place], (own[place][0], cell), *own[place + 1 :]])
    study = _study(choices, drawn)
    return Pair(
        "cells that are no score",
        asked(plain_form("scores"), drawn.rows, Style(), study),
        asked(form, changed, Style(), study),
        same=False,
        said=_UNRATED | {"truth-values"},
        about=f"{name}, {study}, {cell!r} in row {place}",
    )


def _truths(choices: Choices) -> Pair:
    """Write 1 and 0 as words of right and wrong."""
    name, form = form_of(choices, by_id=True, of="scores")
    if name in ("promptfoo", "ratings"):
        name, form = "long CSV", form_of(choices, by_id=True, of="scores", table=True)[1]
    drawn = draw(choices, name, form)
    pattern = [str(choices.below(2)) for _ in drawn.ids]
    pattern[:2] = ["0", "1"]  # both occur in every run
    rows: Rows = {
        system: [
            [(one, pattern[(place + shift) % len(pattern)]) for place, (one, _) in enumerate(own)]
            for shift, own in enumerate(runs, number)
        ]
        for number, (system, runs) in enumerate(drawn.rows.items())
    }
    right, wrong = (
        ("true", "false")
        if form.json or form.calls or not form.plain
        else choices.one_of([("true", "false"), ("True", "False"), ("correct", "incorrect"), ("C", "I")])
    )
    words = {"1": right, "0": wrong}
    written = {system: [[(one, words[value]) for one, value in own] for own in runs] for system, runs in rows.items()}
    drawn = replace(drawn, rows=rows)
    return _same("true and false", choices, drawn, Style(), written)


#: By kind: from choices to a pair.
WAYS: dict[str, Callable[[Choices], Pair]] = {
    "another form": _another_form,
    "rows in another order": _rows_shuffled,
    "columns in another order": _columns,
    "fields in quotes": _quotes,
    "encodings and line ends": _encodings,
    "systems in another order": _systems_turned,
    "standard input": _standard_input,
    "ids: numbers and texts": _numbered,
    **{kind: _ids_changed(kind) for kind in _IDS},
    "ids: in a column that is not named": _hidden_ids,
    "lines in another order": _lines_turned,
    "cells that are no score": _cells,
    "true and false": _truths,
}
