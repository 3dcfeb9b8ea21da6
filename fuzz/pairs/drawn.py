"""Values that pairs are drawn from: items with ids that are easily mixed up, their scores and their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fuzz.choices import Choices
from fuzz.pairs.written import FORMS, Form, Rows

__all__ = ["NAMES", "Drawn", "draw", "form_of", "plain_form"]

#: Ids of which some differ by a zero, by case, by blanks or by the form of Unicode.
_ODD = (
    *("1", "01", "001", "1.0", "10", "2", "a", "A", "a b", "a  b", "é", "e\u0301", "x-1", "x.1", "0.5", "NA", "null"),
    *("true", "#3", "-", "1e3", "x_1", "ﬁ", "fi"),
)
#: Names of systems, in the order of the alphabet: versions, sizes, and what could be a run.
NAMES = (
    ("base", "new", "other"),
    ("GPT-3.5", "GPT-4.0", "Llama-3.1"),
    ("Qwen2.5-72B", "Qwen2.5-7B", "x"),
    ("a", "a b", "a-b"),
    ("x", "x.1", "x.10"),
    ("m.seed1", "m.seed2", "n"),
    ("1", "2", "10"),
    ("r01", "r02", "r1"),
)
_WORDS = ("the", "cat", "sat", "on", "a", "mat", "today", "odd")


@dataclass(frozen=True)
class Drawn:
    """Rows of systems in one order, and the documents of items."""

    ids: tuple[str, ...]
    rows: Rows
    documents: tuple[str, ...]
    form: Form
    name: str  # of the form

    def systems(self) -> list[str]:
        """Return the systems, without the reference."""
        return [system for system in self.rows if system != "ref"]


def plain_form(of: str) -> Form:
    """Return the form that needs no ids and has one meaning: lines."""
    return FORMS["lines of scores" if of == "scores" else "lines of text"]


def form_of(choices: Choices, *, by_id: bool, **wanted: object) -> tuple[str, Form]:
    """Draw a form: with ids, by which each system's rows are matched, or any."""
    fit = [
        (name, form)
        for name, form in FORMS.items()
        if (not by_id or form.ids in ("any", "padded", "counted"))
        and all(getattr(form, key) == value for key, value in wanted.items())
    ]
    return choices.one_of(fit)


def draw(choices: Choices, name: str, form: Form) -> Drawn:
    """Draw what a form can hold, its items sorted as tables and logs sort them."""
    count = 6 + choices.below(6)
    if form.ids in ("counted", "in order", "none"):
        ids = tuple(str(i) for i in range(count))
    elif form.ids == "padded" or choices.below(3) == 0:
        ids = tuple(f"q{i:02d}" for i in range(count))
    else:
        ids = tuple(sorted(choices.order(_ODD)[:count], key=_place))
    systems = choices.one_of(NAMES[:4] if form.plain_names else NAMES)[: 2 + choices.below(2)]
    systems = tuple(sorted(systems, key=_place))
    several = form.runs and choices.below(3) == 0
    value = _score if form.of == "scores" else _sentence
    runs = {system: [_run(choices, ids, value) for _ in range(2 if several else 1)] for system in systems}
    if form.of == "texts":
        runs = {"ref": [_run(choices, ids, _sentence)], **runs}
    documents = tuple(f"d{min(i // 2, 2)}" for i in range(count))
    return Drawn(ids, runs, documents, form, name)


def _place(label: str) -> tuple[bool, int, str]:
    """Return what tables in long form sort labels by."""
    return not label.isdecimal(), int(label) if label.isdecimal() else 0, label


def _run(choices: Choices, ids: Sequence[str], value: object) -> list[tuple[str, str]]:
    assert callable(value)
    return [(one, value(choices, place)) for place, one in enumerate(ids)]


def _score(choices: Choices, place: int) -> str:
    # The place is in it, so that no two rows of a run have one score.
    return repr((choices.below(64) * 16 + place) / 64)


def _sentence(choices: Choices, place: int) -> str:
    words = [choices.one_of(_WORDS) for _ in range(3 + choices.below(3))]
    return " ".join([*words, f"no{place}"])
