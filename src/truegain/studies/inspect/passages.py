"""Segments to be read: reference and outputs one under the other, with what differs between the outputs marked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.report.differences import differences
from truegain.report.model import Line, Passage, Piece, Tone, decimal, signed

_LONGEST = 1_000  # characters of a line that are shown
_LABEL = 12

# Chinese and Japanese letters: words have no blanks between them, so each is taken for one.
_ALONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "!-/:-@\\[-`{-~\u00a1-\u00bf\u2010-\u205e\u3001-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_WORD = re.compile(rf"[{_ALONE}]|[^\s{_ALONE}{_MARKS}]+(?:[{_MARKS}]+[^\s{_ALONE}{_MARKS}]+)*|[{_MARKS}]")
_LINK = re.compile(r"[0-9]+[-p?][0-9]+")
# What would turn the text after it about.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """Return a text in one line, without anything that a terminal would obey."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " "
        if one.isspace()
        else "\ufffd"
        if one in _TURNING or unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp")
        else one
        for one in text
    )


def marked(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return both texts, with ``[-what the new one lacks-]`` and ``{+what the old one lacks+}``."""
    shown_old, shown_new = old[:_LONGEST], new[:_LONGEST]
    kind = _WORD
    if [match.group() for match in _WORD.finditer(shown_old)] == [match.group() for match in _WORD.finditer(shown_new)]:
        kind = re.compile(r"\S+")  # only blanks differ, which some metrics see
    places_old, places_new = ([match.span() for match in kind.finditer(text)] for text in (shown_old, shown_new))
    words_old, words_new = [shown_old[a:b] for a, b in places_old], [shown_new[a:b] for a, b in places_new]
    if all(_LINK.fullmatch(word) for word in [*words_old, *words_new]):
        told_old, told_new = _as_sets(words_old, words_new), _as_sets(words_new, words_old)
    else:
        told_old, told_new = differences(words_old, words_new)
    return (
        _pieces(shown_old, places_old, told_old, "bad", "[-", "-]") + _rest(len(old)),
        _pieces(shown_new, places_new, told_new, "good", "{+", "+}") + _rest(len(new)),
    )


def _as_sets(words: Sequence[str], others: Sequence[str]) -> list[tuple[str, bool]]:
    """Mark links of an alignment, which have no order: one differs if the other output does not have it."""
    known = set(others)
    return [(word, word not in known) for word in words]


def _pieces(
    text: str,
    places: Sequence[tuple[int, int]],
    told: Sequence[tuple[str, bool]],
    tone: Tone,
    opening: str,
    closing: str,
) -> tuple[Piece, ...]:
    """Join neighbouring words of a kind, with the blanks between them; those at the edges stay outside."""
    changed = [one for _, one in told]
    pieces: list[Piece] = []
    done = 0
    first = 0
    while first < len(places):
        last = first
        while last + 1 < len(places) and changed[last + 1] == changed[first]:
            last += 1
        begin, end = places[first][0], places[last][1]
        if changed[first]:
            if begin > done:
                pieces.append(Piece(visible(text[done:begin])))
            pieces.append(Piece(f"{opening}{visible(text[begin:end])}{closing}", tone))
        else:
            pieces.append(Piece(visible(text[done:end])))
        done = end
        first = last + 1
    if done < len(text):
        pieces.append(Piece(visible(text[done:])))
    return tuple(pieces)


def _rest(length: int) -> tuple[Piece, ...]:
    return (Piece(f" … ({length:,} characters)", "quiet"),) if length > _LONGEST else ()


def _plain(text: str) -> tuple[Piece, ...]:
    return (Piece(visible(text[:_LONGEST])), *_rest(len(text)))


def share_text(share: float | None) -> str:
    """Write a share in percent, with a sign if it is against the gain; a dash if there is no gain."""
    if share is None:
        return "–"
    text = f"{100 * abs(share):.1f} %"
    return f"−{text}" if share < 0 and float(text[:-2]) else text


def passage(pair: ChangedPair, one: ChangedSegment, label: str, *, decimals: int, digits: int) -> Passage:
    """Return a segment to be read.

    Parameters
    ----------
    label : str
        The metric's.
    decimals, digits : int
        Of scores, and of contributions.
    """
    heading = [f"{signed(one.contribution, digits)}"]
    if one.share is not None:
        heading.append(f"{share_text(one.share)} of Δ")
    if one.baseline_score is not None and one.system_score is not None:
        heading.append(f"{label} {decimal(one.baseline_score, decimals)} → {decimal(one.system_score, decimals)}")
    heading.append(f"segment {one.number:,}")
    if one.id is not None:
        heading.append(f"id {visible(one.id)}")
    if one.document is not None:
        heading.append(visible(one.document))
    names = [visible(name) for name in (pair.baseline, pair.system)]
    if max(map(len, names)) > _LABEL:
        names = ["baseline", "system"]
    lines = [Line("ref" if i == 0 else "", _plain(text)) for i, text in enumerate(one.references)]
    if one.baseline_output is not None and one.system_output is not None:
        both = marked(one.baseline_output, one.system_output)
        lines.extend(Line(name, pieces) for name, pieces in zip(names, both, strict=True))
    counts = _counts(pair.statistic_names, one.baseline_statistics, one.system_statistics)
    if counts:
        lines.append(Line("", (Piece(counts, "quiet"),)))
    return Passage(" · ".join(heading), tuple(lines))


def _counts(names: Sequence[str], old: Sequence[float], new: Sequence[float]) -> str:
    """Write the statistics in which two outputs differ; ``correct_1``, ``correct_2``, … side by side."""
    stems: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        stems.setdefault(re.sub(r"_\d+$", "", name), []).append(place)
    told = []
    for stem, places in stems.items():
        before, after = ([side[place] for place in places] for side in (old, new))
        if before != after:
            told.append(f"{stem} {' '.join(map(_number, before))} → {' '.join(map(_number, after))}")
    return " · ".join(told)


def _number(value: float) -> str:
    return f"{value:.6g}"
