"""The segments of a page as data that its script shows: every number already in words, every text still plain."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import PurePath
from typing import Any

from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.report.differences import Stretch, compared, pieces
from truegain.report.page import Segments
from truegain.rows import ten_digits
from truegain.words import contribution_digits, decimal, signed, whole

_Mark = Callable[[str, str, Sequence[str]], tuple[Sequence[Stretch], Sequence[Stretch]]]

# In a page's script these would end it, or be taken for the end of a line.
_ESCAPES = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def script_json(data: Any) -> str:
    """Write JSON for the inside of a script element: nothing in it can be taken for markup."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)  # a table to translate with takes many times as long
    return text


def segments_data(segments: Segments) -> dict[str, Any]:
    """Return what the page's script reads.

    References, and outputs with their differences marked, are kept once and named by number: the same segments move
    under several metrics. A marked output is a list of texts and kinds in turn: 0 for what both have, 1 for what one
    alone has, 2 for what one alone has and a reference too.
    """
    texts = _Kept()
    marked = _Kept()
    mark = partial(compared, cut=cache(pieces))
    pairs = []
    for pair in segments.pairs:
        decimals = segments.decimals[pair.metric]
        pairs.append(
            {
                "baseline": pair.baseline,
                "system": pair.system,
                "metric": pair.metric,
                "label": segments.labels[pair.metric],
                "summary": summary(pair, decimals, directed=pair.metric not in segments.undirected),
                "directed": pair.metric not in segments.undirected,
                "runs": _run_names(pair) if segments.several_runs else [],
                "names": list(pair.statistic_names),
                "segments": _moved(pair, decimals, texts, marked, mark),
            }
        )
    return {"pairs": pairs, "texts": texts.held, "marked": marked.held}


def _run_names(pair: ChangedPair) -> list[str]:
    """Return the runs by the names of their files, if these differ."""
    names = [PurePath(pair.baseline_run).name, PurePath(pair.system_run).name]
    return names if names[0] != names[1] and all(names) else [pair.baseline_run, pair.system_run]


def summary(pair: ChangedPair, decimals: int, *, directed: bool = True) -> str:
    """Say what the segments shown add up to."""
    digits = contribution_digits([pair.explained_up, pair.explained_down], decimals)
    moves = (("favour", pair.system), ("favour", pair.baseline)) if directed else (("raise", "it"), ("lower", "it"))
    sides = ((pair.up, pair.up_count, pair.explained_up), (pair.down, pair.down_count, pair.explained_down))
    parts: list[str] = []
    for (verb, whom), (listed, count, explained) in zip(moves, sides, strict=True):
        if listed:
            many = f"{len(listed):,} of {count:,}" if parts else f"{len(listed):,} of {whole(count, 'segment')}"
            together = " together" if len(listed) > 1 else ""
            parts.append(f"{many} that {verb}{'s' * (count == 1)} {whom} ({signed(explained, digits)}{together})")
    return f"Δ is {signed(pair.delta, decimals)}. Listed: {'; '.join(parts)}." if parts else "No segment moved."


class _Kept:
    """Things kept once, in the order in which they came."""

    def __init__(self) -> None:
        self.held: list[Any] = []
        self._places: dict[Any, int] = {}

    def place(self, key: Any, value: Any) -> int:
        """Return the place of the thing; ``value`` makes it if it is new."""
        if key not in self._places:
            self._places[key] = len(self.held)
            self.held.append(value())
        return self._places[key]


def _moved(pair: ChangedPair, decimals: int, texts: _Kept, marked: _Kept, mark: _Mark) -> list[dict[str, Any]]:
    moved = (*pair.up, *pair.down)
    digits = contribution_digits([one.contribution for one in moved], decimals)
    return [_segment(one, decimals, digits, texts, marked, mark) for one in moved]


def _segment(
    one: ChangedSegment, decimals: int, digits: int, texts: _Kept, marked: _Kept, mark: _Mark
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "number": one.number,
        "document": one.document,
        "size": ten_digits(one.contribution) if math.isfinite(one.contribution) else 0.0,
        "contribution": signed(one.contribution, digits),
        "share": None if one.share is None else _share(one.share),
        "scores": [_score(score, decimals) for score in (one.baseline_score, one.system_score)],
        "references": [texts.place(text, lambda text=text: text) for text in one.references],
        "statistics": [
            [_number(value) for value in one.baseline_statistics],
            [_number(v) for v in one.system_statistics],
        ],
    }
    if one.id is not None:
        found["id"] = one.id
    if one.baseline_output is not None and one.system_output is not None:
        first, second = one.baseline_output, one.system_output
        found["outputs"] = marked.place(
            (first, second, one.references),
            lambda: [_flat(stretches) for stretches in mark(first, second, one.references)],
        )
    return found


def _flat(stretches: Sequence[Stretch]) -> list[str | int]:
    """Return texts and kinds in turn."""
    flat: list[str | int] = []
    for one in stretches:
        flat += [one.text, 0 if one.kind == "same" else 2 if one.in_reference else 1]
    return flat


def _share(share: float) -> str:
    """Write a share of the gain: no plus, which would look like a second gain."""
    return f"{signed(100 * share, 1).removeprefix('+')} % of Δ"


def _score(score: float | None, decimals: int) -> str | None:
    return None if score is None else decimal(score, decimals)


def _number(value: float) -> str:
    """Write a statistic: a count as such, anything else to four digits."""
    return f"{int(value):,}" if math.isfinite(value) and value == int(value) else f"{value:.4g}"
