"""The mistakes of translation systems, made to one word at a time.

Each mistake is decided by two numbers in [0, 1): one for its kind and one for its detail, so that systems which
share these numbers make the same mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from benchmarks.simulation import vocabulary
from benchmarks.simulation.phrases import Choice, Form, Node, inflect, parse, pluralise

# The kinds of mistakes and the running sum of their shares.
_KINDS = (
    ("synonym", 0.15),
    ("wrong word", 0.42),
    ("omission", 0.62),
    ("insertion", 0.74),
    ("word order", 0.85),
    ("inflection", 1.0),
)
_CLOSED_CLASSES = {
    "preposition": "about after against at before between by for from in of on over to with within",
    "determiner": "a an another each every many most several some the these this two three",
    "conjunction": "although and because but that whereas whether which while who",
    "auxiliary": "are can cannot could had has have is must should was were will would",
    "pronoun": "everyone he I it nobody she them they we you",
    "report": "added explained noted pointed said stated thought told",
}
_CONFUSED_FORMS = (
    "is are", "was were", "has have", "this these", "it them", "a the", "that these", "will would", "rose risen",
    "fell fallen", "went gone", "grew grown", "said say", "began begun",
)  # fmt: skip
_INSERTED = ("also", "the", "of", "now", "a", "already", "very", "that", "then", "to")
_OPENING = '"'
_CLOSING = ',.?:"'


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as words, with the punctuation before and after each."""

    words: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """Substitutes for a word."""

    synonyms: tuple[str, ...]
    others: tuple[str, ...]
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of each class, the class and the synonyms of each word, and its other forms."""

    classes: dict[str, tuple[str, ...]]
    class_of: dict[str, str]
    synonyms: dict[str, tuple[str, ...]]
    forms: dict[str, tuple[str, ...]]
    proper: frozenset[str]


def split_sentence(text: str) -> Sentence:
    """Separate words from punctuation; the first word loses its capital unless it is a name."""
    words, before, after = [], [], []
    for piece in text.split(" "):
        word = piece.lstrip(_OPENING)
        core = word.rstrip(_CLOSING)
        before.append(piece[: len(piece) - len(word)])
        words.append(core)
        after.append(word[len(core) :])
    if words[0] not in _lexicon().proper:
        words[0] = words[0][:1].lower() + words[0][1:]
    return Sentence(tuple(words), tuple(before), tuple(after))


def spoil(sentence: Sentence, mistakes: Iterable[tuple[int, float, float]]) -> str:
    """Make mistakes in a sentence and return it as text.

    Parameters
    ----------
    sentence : Sentence
        The sentence without mistakes.
    mistakes : iterable of (int, float, float)
        The position of the word, in rising order, and the numbers that decide the kind and the detail.

    Returns
    -------
    str
        The sentence with its mistakes; it keeps at least one word.
    """
    words: list[str | None] = list(sentence.words)
    inserted: dict[int, str] = {}
    for position, kind_share, detail in mistakes:
        word = words[position]
        if word is None:
            continue
        kind = next(name for name, limit in _KINDS if kind_share < limit)
        if kind == "omission" and sum(one is not None for one in words) > 1:
            words[position] = None
        elif kind == "insertion":
            inserted[position] = word if detail < 0.4 else _choose(_INSERTED, (detail - 0.4) / 0.6)
        elif kind == "word order" and len(words) > 1:
            other = position + 1 if position + 1 < len(words) else position - 1
            words[position], words[other] = words[other], word
        else:
            words[position] = _replacement(word, kind, detail)
    return _assemble(sentence, words, inserted)


def _assemble(sentence: Sentence, words: Sequence[str | None], inserted: dict[int, str]) -> str:
    pieces: list[str] = []
    waiting = ""  # an opening quotation mark whose word is gone goes to the next word
    for position, word in enumerate(words):
        opening, closing = waiting + sentence.before[position], sentence.after[position]
        if word is None:
            waiting = opening
            if pieces:
                pieces[-1] += closing
            continue
        waiting = ""
        if position in inserted:
            pieces.append(opening + word)
            pieces.append(inserted[position] + closing)
        else:
            pieces.append(opening + word + closing)
    text = " ".join(pieces)
    start = len(text) - len(text.lstrip(_OPENING))
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


def _replacement(word: str, kind: str, detail: float) -> str:
    """Return another word: a synonym, another form or, if there is none, another word of the class."""
    digits = [place for place, letter in enumerate(word) if letter.isdigit()]
    if digits:
        last = digits[-1]
        return word[:last] + str((int(word[last]) + 1 + int(detail * 9)) % 10) + word[last + 1 :]
    entry = _look_up(word)
    if kind == "synonym" and entry.synonyms:
        new = _choose(entry.synonyms, detail)
    elif kind == "inflection" and entry.forms:
        new = _choose(entry.forms, detail)
    else:
        new = _choose(entry.others, detail)
    return new[:1].upper() + new[1:] if word[:1].isupper() else new


def _choose(options: Sequence[str], share: float) -> str:
    return options[int(share * len(options))]


@cache
def _look_up(word: str) -> Word:
    lexicon = _lexicon()
    known = word if word in lexicon.class_of else word.lower()
    kind = lexicon.class_of.get(known) or _guess_class(word)
    others = tuple(other for other in lexicon.classes[kind] if other.lower() != known.lower())
    return Word(lexicon.synonyms.get(known, ()), others, lexicon.forms.get(known) or _guess_forms(known, kind))


def _guess_class(word: str) -> str:
    """Classify a word of the free texts by its ending."""
    if word[:1].isupper():
        return "surname"
    for ending, kind in (("ing", "ing"), ("ed", "past"), ("ly", "adverb"), ("s", "plural")):
        if word.endswith(ending):
            return kind
    return "singular"


def _guess_forms(word: str, kind: str) -> tuple[str, ...]:
    if kind == "singular":
        return (pluralise(word),)
    if kind == "plural" and word.endswith("s"):
        return (word[:-3] + "y" if word.endswith("ies") else word[:-1],)
    if kind == "past" and word.endswith("ed"):
        return (word[:-2] + "ing",)
    if kind == "ing":
        return (word[:-3] + "ed",)
    return ()


@cache
def _lexicon() -> Lexicon:
    """Gather the words of the vocabulary; done once, when the first sentence is split."""
    classes: dict[str, dict[str, None]] = {}
    synonyms: dict[str, dict[str, None]] = {}
    forms: dict[str, dict[str, None]] = {}

    def add(kind: str, words: Iterable[str]) -> None:
        classes.setdefault(kind, {}).update(dict.fromkeys(words))

    def relate(table: dict[str, dict[str, None]], words: Sequence[str]) -> None:
        for word in words:
            table.setdefault(word, {}).update(dict.fromkeys(other for other in words if other != word))

    for kind, words in _CLOSED_CLASSES.items():
        add(kind, words.split())
    for pair in _CONFUSED_FORMS:
        relate(forms, pair.split())
    for kind, names in _names().items():
        add(kind, (name for name in names if " " not in name))
    for adverbs in (*vocabulary.DECISION_ADVERBS, *vocabulary.COMMENT_ADVERBS):
        add("adverb", adverbs.split("|"))
        relate(synonyms, adverbs.split("|"))
    for topic in vocabulary.TOPICS:
        for thing in topic.things.values():
            nouns = thing.noun.lstrip("*+").split("|")
            plurals = nouns if thing.noun.startswith("*") else [pluralise(noun) for noun in nouns]
            add("plural", plurals)
            relate(synonyms, plurals)
            if plurals is not nouns:
                add("singular", nouns)
                relate(synonyms, nouns)
                for noun, plural in zip(nouns, plurals, strict=True):
                    relate(forms, (noun, plural))
            for adjectives in thing.adjectives:
                add("adjective", adjectives.split("|"))
                relate(synonyms, adjectives.split("|"))
        for verbs, _ in (*topic.decisions_for, *topic.decisions_against, *topic.comments):
            shapes: tuple[Form, ...] = ("base", "past", "participle", "ing")
            for shape in shapes:
                ways = [inflect(verb, shape) for verb in verbs.split("|")]
                add(shape, ways)
                relate(synonyms, ways)
            for verb in verbs.split("|"):
                relate(forms, list(dict.fromkeys(inflect(verb, shape) for shape in shapes)))
    for template in _templates():
        for options in _choices(parse(template)):
            relate(synonyms, options)
    class_of: dict[str, str] = {}
    for kind, members in classes.items():
        for word in members:
            class_of.setdefault(word, kind)
    return Lexicon(
        classes={kind: tuple(members) for kind, members in classes.items()},
        class_of=class_of,
        synonyms={word: tuple(others) for word, others in synonyms.items()},
        forms={word: tuple(others) for word, others in forms.items()},
        proper=frozenset(word for names in _names().values() for name in names for word in name.split(" ")) - {"the"},
    )


def _names() -> dict[str, tuple[str, ...]]:
    return {
        "first name": vocabulary.FEMALE_NAMES + vocabulary.MALE_NAMES,
        "surname": vocabulary.SURNAMES,
        "city": vocabulary.CITIES,
        "weekday": vocabulary.WEEKDAYS,
        "month": vocabulary.MONTHS,
        "organisation": tuple(name for topic in vocabulary.TOPICS for name in topic.organisations),
    }


def _templates() -> list[str]:
    """Return the texts of the vocabulary whose choices are synonyms."""
    templates = [*vocabulary.QUOTES, *vocabulary.SHORTS, *vocabulary.LATER]
    for topic in vocabulary.TOPICS:
        templates += [*topic.purposes, *topic.reasons, *topic.quotes, *topic.shorts]
        templates += [text.lstrip("*") for happening in topic.happenings for text in happening]
        templates += [text.lstrip("*") for text in (*topic.deciders, *topic.critics)]
        templates += [complement for thing in topic.things.values() for complement in thing.complements]
    return templates


def _choices(node: Node) -> list[tuple[str, ...]]:
    """Return the choices between plain words in a node."""
    if isinstance(node, Choice):
        words = tuple(option for option in node.options if isinstance(option, str) and option)
        return [words, *(found for option in node.options for found in _choices(option))]
    if isinstance(node, tuple):
        return [found for part in node for found in _choices(part)]
    return []
