"""Texts with choices in them: how they are written, inflected and rendered.

A *node* is a text some of whose wordings are still open. One node is rendered several times with independent
draws; the renderings are paraphrases of each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, TypeVar

import numpy as np

# How often the first (most usual) wording of a choice is taken; the others share the rest evenly.
# It sets how far two references agree.
PREFERRED = 0.56

T = TypeVar("T")
Form = Literal["base", "past", "participle", "ing"]


@dataclass(frozen=True, slots=True)
class Choice:
    """Wordings of one thing; each rendering takes one, most often the first."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that is filled once, before rendering."""

    name: str


Node: TypeAlias = "str | Choice | Slot | tuple[Node, ...]"


class Draws:
    """Uniform numbers from one stream, taken in blocks because single draws are slow."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._block: list[float] = []

    def uniform(self) -> float:
        """Return a number in [0, 1)."""
        if not self._block:
            self._block = self._rng.random(4096).tolist()
        return self._block.pop()

    def chance(self, probability: float) -> bool:
        """Return true with the given probability."""
        return self.uniform() < probability

    def between(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both included."""
        return low + int(self.uniform() * (high - low + 1))

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options, all equally likely."""
        return options[int(self.uniform() * len(options))]


@cache
def parse(template: str) -> Node:
    """Read the notation of the vocabulary: ``a|b``, ``[a|b] c``, ``{slot}``."""
    options, rest = _parse_options(template, 0)
    if rest != len(template):
        raise ValueError(f"unbalanced brackets in {template!r}")
    return options


def _parse_options(template: str, start: int) -> tuple[Node, int]:
    options: list[Node] = []
    parts: list[Node] = []
    text = ""
    position = start
    while position < len(template) and template[position] != "]":
        mark = template[position]
        position += 1
        if mark not in "[{|":
            text += mark
            continue
        if text.strip():
            parts.append(text.strip())
        text = ""
        if mark == "[":
            inner, position = _parse_options(template, position)
            parts.append(inner)
            position += 1
        elif mark == "{":
            end = template.index("}", position)
            parts.append(Slot(template[position:end]))
            position = end + 1
        else:
            options.append(_join(parts))
            parts = []
    if text.strip():
        parts.append(text.strip())
    options.append(_join(parts))
    return (Choice(tuple(options)) if len(options) > 1 else options[0]), position


def _join(parts: list[Node]) -> Node:
    return parts[0] if len(parts) == 1 else tuple(parts)


def fill(node: Node, values: Mapping[str, Node]) -> Node:
    """Put values in the slots of a node."""
    if isinstance(node, str):
        return node
    if isinstance(node, Slot):
        return values[node.name]
    if isinstance(node, Choice):
        return Choice(tuple(fill(option, values) for option in node.options))
    return tuple(fill(part, values) for part in node)


def render(node: Node, draws: Draws) -> str:
    """Settle every choice of a node and return the sentence, capitalised and with its spaces in place."""
    pieces: list[str] = []
    _collect(node, draws, pieces)
    words = " ".join(pieces).split(" ")
    for index in range(len(words) - 1):
        if words[index] == "a" and _begins_with_vowel(words[index + 1]):
            words[index] = "an"
    return _capitalise(_close_up(" ".join(words)))


def _collect(node: Node, draws: Draws, pieces: list[str]) -> None:
    if isinstance(node, str):
        if node:
            pieces.append(node)
    elif isinstance(node, Choice):
        options = node.options
        share = draws.uniform()
        if share < PREFERRED:
            _collect(options[0], draws, pieces)
        else:
            other = 1 + int((share - PREFERRED) / (1 - PREFERRED) * (len(options) - 1))
            _collect(options[other], draws, pieces)
    elif isinstance(node, Slot):
        raise ValueError(f"the slot {node.name!r} was never filled")
    else:
        for part in node:
            _collect(part, draws, pieces)


def _begins_with_vowel(word: str) -> bool:
    if word.startswith(("uni", "use", "Euro", "one")):  # said with a consonant: a university
        return False
    return word[0] in "aeiouAEIOUÅ" or word.startswith(("hour", "8", "11", "18"))


def _close_up(text: str) -> str:
    """Attach punctuation to its word. ``(`` and ``)`` stand for opening and closing quotation marks."""
    if "( " in text:
        text = text.replace("( ", '"').replace(" )", '"')
    # An apposition that ends a clause brings a comma of its own: the stronger mark stays.
    for double, single in ((" , ,", " ,"), (" , .", " ."), (" , :", " :")):
        text = text.replace(double, single)
    for mark in (" ,", " .", " ?", " :"):
        text = text.replace(mark, mark[1])
    for opening in (': "', '. "'):
        before, found, after = text.partition(opening)
        if found:
            text = before + opening + after[:1].upper() + after[1:]
    return text


def _capitalise(text: str) -> str:
    if text.startswith('"'):
        return '"' + text[1:2].upper() + text[2:]
    return text[:1].upper() + text[1:]


IRREGULAR_VERBS = {
    "begin": ("began", "begun", "beginning"),
    "break": ("broke", "broken", "breaking"),
    "bring": ("brought", "brought", "bringing"),
    "build": ("built", "built", "building"),
    "buy": ("bought", "bought", "buying"),
    "cancel": ("cancelled", "cancelled", "cancelling"),
    "cut": ("cut", "cut", "cutting"),
    "drop": ("dropped", "dropped", "dropping"),
    "give": ("gave", "given", "giving"),
    "hold": ("held", "held", "holding"),
    "put": ("put", "put", "putting"),
    "scrap": ("scrapped", "scrapped", "scrapping"),
    "sell": ("sold", "sold", "selling"),
    "set": ("set", "set", "setting"),
    "show": ("showed", "shown", "showing"),
    "shut": ("shut", "shut", "shutting"),
    "stop": ("stopped", "stopped", "stopping"),
    "throw": ("threw", "thrown", "throwing"),
    "trial": ("trialled", "trialled", "trialling"),
    "withdraw": ("withdrew", "withdrawn", "withdrawing"),
}


def inflect(verb: str, form: Form) -> str:
    """Return a form of a verb; of ``call off`` the first word is inflected."""
    word, _, particle = verb.partition(" ")
    if form != "base":
        past, participle, ing = IRREGULAR_VERBS.get(word) or _regular(word)
        word = {"past": past, "participle": participle, "ing": ing}[form]
    return f"{word} {particle}" if particle else word


def _regular(word: str) -> tuple[str, str, str]:
    if word.endswith("e"):
        return word + "d", word + "d", word[:-1] + "ing"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ied", word[:-1] + "ied", word + "ing"
    return word + "ed", word + "ed", word + "ing"


def pluralise(noun: str) -> str:
    """Return the plural of a noun: ``railway station`` gives ``railway stations``."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


@cache
def verb_node(verbs: str, form: Form) -> Node:
    """Return the same form of all wordings of an action."""
    forms = tuple(inflect(verb, form) for verb in verbs.split("|"))
    return Choice(forms) if len(forms) > 1 else forms[0]


@cache
def noun_node(nouns: str, plural: bool) -> Node:
    """Return the singular or plural of all wordings of a thing."""
    forms = tuple(pluralise(noun) if plural else noun for noun in nouns.split("|"))
    return Choice(forms) if len(forms) > 1 else forms[0]
