"""The words of the simulated news language, from vocabulary.toml, which explains their notation."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Thing:
    """Something a sentence can be about: a noun, what it is for, and how it is described."""

    noun: str
    complements: tuple[str, ...]
    adjectives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """Content of one kind of document.

    Actions are pairs of a verb and the keys of the things it goes with. ``decisions_for`` are taken for a
    purpose, ``decisions_against`` for a reason, both by ``deciders``; ``comments`` are made by ``critics``.
    Happenings are a subject, what it did, and what that led to. Measures are a noun and the kind of its value.
    """

    name: str
    roles: tuple[tuple[str, str], ...]
    organisations: tuple[str, ...]
    deciders: tuple[str, ...]
    critics: tuple[str, ...]
    things: dict[str, Thing]
    decisions_for: tuple[tuple[str, str], ...]
    decisions_against: tuple[tuple[str, str], ...]
    comments: tuple[tuple[str, str], ...]
    purposes: tuple[str, ...]
    reasons: tuple[str, ...]
    happenings: tuple[tuple[str, str, str], ...]
    measures: tuple[tuple[str, str], ...]
    quotes: tuple[str, ...]
    shorts: tuple[str, ...]
    headlines: tuple[str, ...]


def _frozen(value: Any) -> Any:
    """Return lists as tuples, all through."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return {key: _frozen(one) for key, one in value.items()} if isinstance(value, dict) else value


def _topic(things: dict[str, Any], **rest: Any) -> Topic:
    return Topic(things={key: Thing(**thing) for key, thing in things.items()}, **rest)


_WORDS = _frozen(tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text(encoding="utf-8")))

FEMALE_NAMES: tuple[str, ...] = _WORDS["female_names"]
MALE_NAMES: tuple[str, ...] = _WORDS["male_names"]
SURNAMES: tuple[str, ...] = _WORDS["surnames"]
CITIES: tuple[str, ...] = _WORDS["cities"]
REGIONS: tuple[str, ...] = _WORDS["regions"]
WEEKDAYS: tuple[str, ...] = _WORDS["weekdays"]
MONTHS: tuple[str, ...] = _WORDS["months"]
TIMES: tuple[str, ...] = _WORDS["times"]
LATER: tuple[str, ...] = _WORDS["later"]
PERIODS: tuple[str, ...] = _WORDS["periods"]
DECISION_ADVERBS: tuple[str, ...] = _WORDS["decision_adverbs"]
COMMENT_ADVERBS: tuple[str, ...] = _WORDS["comment_adverbs"]
SPEAKERS: tuple[str, ...] = _WORDS["speakers"]
QUOTES: tuple[str, ...] = _WORDS["quotes"]
SHORTS: tuple[str, ...] = _WORDS["shorts"]
TOPICS: tuple[Topic, ...] = tuple(_topic(**topic) for topic in _WORDS["topics"])
