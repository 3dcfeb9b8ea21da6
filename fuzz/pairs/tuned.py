"""Pairs about lists of hypotheses that weights are tuned on."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import truegain as tg
from fuzz.choices import Choices
from fuzz.held import file
from fuzz.pairs.asked import Outcome, Pair, call
from fuzz.pairs.beside import draw_form, file_of

__all__ = ["WAYS"]


@dataclass(frozen=True)
class _Entry:
    """A hypothesis: the number of its segment, its text, and its features in their order."""

    segment: int
    text: str
    features: tuple[tuple[str, float], ...]

    def line(self) -> str:
        """Write it as Moses does."""
        values = " ".join(f"{name}= {value!r}" for name, value in self.features)
        return f"{self.segment} ||| {self.text} ||| {values} ||| {self.total()!r}\n"

    def record(self) -> str:
        """Write it as a line of JSON."""
        held = {"text": self.text, "id": self.segment, "total": self.total(), "features": dict(self.features)}
        return json.dumps(held) + "\n"

    def total(self) -> float:
        return sum(value for _, value in self.features)


_SAME = (
    *("shuffled", "two files", "a name more", "JSON lines", "gz", "CR LF", "a byte order mark", "no last line end"),
    *("features in another order and chosen", "features of some in another order", "applied to itself"),
)
_OTHER = (
    *("ids from 1", "an id beyond the references", "ids exchanged", "a row less", "a copy", "a feature less"),
    *("a feature with another name", "a segment without hypotheses", "a reference less", "another value"),
)


def _lists(choices: Choices) -> Pair:
    """Write lists in other orders, files and forms; or with other ids, rows and features."""
    drawn = draw_form(choices, "lines of text")
    references = [said for _, said in drawn.rows["ref"][0]]
    texts = [[said for _, said in runs[0]] for system, runs in drawn.rows.items() if system != "ref"]
    held = [
        _Entry(segment, own[segment], (("lm", choices.below(64) / 8 + number), ("tm", choices.below(64) / 4)))
        for segment in range(len(references))
        for number, own in enumerate([*texts, references[::-1]])
    ]
    way = choices.one_of((*_SAME, *_OTHER))
    other = 1 + choices.below(len(references) - 1)
    entries = tuple(dict.fromkeys(held))

    def ask(paths: Sequence[str], sides: Sequence[str] = references, **more: object) -> Outcome:
        optimizer = ("mert", "pro", "mira")[len(held) % 3]
        options: Any = {"optimizer": optimizer, "restarts": 1 if optimizer == "mert" else None, **more}
        side = file_of("dev.ref", sides)
        return call(lambda: tg.tune(side, list(paths), runs=2, jobs=1, **options))

    def plain(held: Sequence[_Entry] = entries) -> Outcome:
        return ask([file("dev.nbest", "".join(one.line() for one in held))])

    def changed() -> list[_Entry]:
        """Return the entries that mean something else."""
        own = list(entries)
        if way == "ids from 1":
            return [replace(one, segment=one.segment + 1) for one in own]
        if way == "an id beyond the references":
            return [*own[:-1], replace(own[-1], segment=len(references) - 1 + other)]
        if way == "ids exchanged":
            return [replace(one, segment={0: other, other: 0}.get(one.segment, one.segment)) for one in own]
        if way == "a feature less":
            return [*own[:-1], replace(own[-1], features=own[-1].features[:1])]
        if way == "a feature with another name":
            return [*own[:-1], replace(own[-1], features=(own[-1].features[0], ("TM", own[-1].features[1][1])))]
        if way == "a segment without hypotheses":
            return [one for one in own if one.segment]
        if way == "another value":
            return [replace(one, features=(("lm", -one.features[0][1]), one.features[1])) for one in own]
        return own[1:] if way == "a row less" else [*own, own[0]] if way == "a copy" else own

    def second() -> Outcome:
        if way == "a reference less":
            return ask([file("dev.nbest", "".join(one.line() for one in entries))], references[:-1])
        if way in _OTHER:
            return plain(changed())
        mixed = choices.order(entries)
        if way.startswith("features"):
            every = way.endswith("chosen")
            mixed = [
                one if number % 2 and not every else replace(one, features=one.features[::-1])
                for number, one in enumerate(mixed)
            ]
        text = "".join(one.line() for one in mixed)
        if way == "two files":
            half = len(mixed) // 2
            parts = [mixed[half:], mixed[:half]]
            return ask([file(f"{i}.nbest", "".join(one.line() for one in own)) for i, own in enumerate(parts)])
        if way == "JSON lines":
            return ask([file("dev.jsonl", "".join(one.record() for one in mixed))])
        if way == "gz":
            return ask([file("dev.nbest.gz", gzip.compress(text.encode()))])
        if way == "features in another order and chosen":
            return ask([file("dev.nbest", text)], features=["lm", "tm"])
        if way == "applied to itself":
            path = file("dev.nbest", text)
            return _first_set(ask([path], apply={"again": (path, references)}))
        bytes_of: dict[str, Callable[[str], bytes]] = {
            "CR LF": lambda text: text.replace("\n", "\r\n").encode(),
            "a byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
            "no last line end": lambda text: text.removesuffix("\n").encode(),
        }
        name = "dev.100best.txt" if way == "a name more" else "dev.nbest"
        return ask([file(name, bytes_of.get(way, str.encode)(text))])

    return Pair(
        "lists for tuning",
        (lambda: _first_set(plain())) if way == "applied to itself" else plain,
        second,
        same=way in _SAME,
        meant=(lambda: plain(sorted(changed(), key=lambda one: one.line()))) if way in _OTHER else None,
        said=frozenset({"copies", "no-hypothesis"}),
        passed_over=frozenset({"fingerprint", "rows"}),
        about=f"{way}, {len(references)} segments",
    )


def _first_set(outcome: Outcome) -> Outcome:
    """Keep what is said of the development set, if others have the same outputs."""
    assert outcome.answer is not None, outcome.message
    data = outcome.answer[1]
    runs = [{"weights": run["weights"], "score": run["scores"][0]} for run in data["runs"]]
    return Outcome((0, {"set": data["sets"][0], "runs": runs}), outcome.said)


#: By kind: from choices to a pair.
WAYS: dict[str, Callable[[Choices], Pair]] = {"lists for tuning": _lists}
