"""CoNLL-U treebanks, and a parser's words brought onto the words of the gold treebank."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from truegain.errors import InputError
from truegain.notes import Note
from truegain.readers.formats import File, Format, Layout
from truegain.readers.orders import first_difference
from truegain.readers.plain import Lines
from truegain.readers.same_words import align_words

_COLUMNS = 10
_DIGITS = 9  # of an ID or a HEAD: Python refuses to read numbers of thousands
# Values are stripped afterwards: a lazy group before blanks would look at every blank from every other.
_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id\s*=(.*))?\s*")
_SENTENCE = re.compile(r"#\s*sent_id\s*=(.*)")
# Every character of the category Zs: spaces inside a word are no part of the text that two tokenisations share.
_SPACES = dict.fromkeys(
    map(ord, " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000")
)


@dataclass
class Sentences:
    """The words of a treebank, column by column, and where its sentences begin.

    Attributes
    ----------
    text : str
        The characters of all tokens, without spaces.
    starts, ends : list of int
        Where the token of each word stands in the text; the words of a multiword token share its place.
    multiword : list of bool
        Whether the word is part of a multiword token.
    forms, tags, relations : list of str
        FORM, UPOS and DEPREL.
    heads : list of int
        Which word of the whole file is the head; -1 for a root.
    lines : list of int
        The line of the file.
    first : list of int
        The first word of each sentence; at the end, the number of words.
    ids, documents : list of str or None
        What ``# sent_id`` and ``# newdoc`` say of each sentence.
    """

    name: str
    text: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    multiword: list[bool] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=lambda: [0])
    ids: list[str | None] = field(default_factory=list)
    documents: list[str | None] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def sentence_of(self) -> list[int]:
        """Return the sentence of each word."""
        return [s for s in range(len(self.first) - 1) for _ in range(self.first[s], self.first[s + 1])]

    @cached_property
    def sentence_starts(self) -> list[int]:
        """Return where each sentence begins in the text."""
        return [self.starts[word] for word in self.first[:-1]]


@dataclass(frozen=True)
class Treebank(Lines):
    """Treebank, one sentence per segment.

    A segment holds one word per line, ``ID FORM UPOS HEAD DEPREL`` between tabs, ID and HEAD as counted in the gold
    treebank, which has the same form. In a parser's output, which may have other tokens and sentences, a word is in the
    segment of the gold word it is aligned to and carries its ID, and HEAD is the ID of the gold word that the head is
    aligned to (0 for the root); both are ``_`` if there is no such word in that sentence. A word without a
    counterpart is in the segment in whose text it begins.
    """

    words: Sentences = field(default_factory=lambda: Sentences(""), repr=False)

    def fit(self, other: Lines) -> Lines:
        """Bring a parser's output onto the words and sentences of this treebank."""
        if not isinstance(other, Treebank):
            raise InputError(
                f"{self.name} is a treebank in CoNLL-U, and this is not", path=other.name, hint="name it FILE.conllu"
            )
        segments = on_gold_words(self.words, other.words)
        return Lines(other.name, segments, other.notes, self.ids, self.documents, self.structure)


def _read(file: File, layout: Layout) -> Treebank:
    """Read a treebank; documents are what ``# newdoc`` begins, ids are those of ``# sent_id``."""
    source = file.lines
    words = parse_conllu(source.lines, source.name)
    notes = list(source.notes)
    roots = [0] * (len(words.first) - 1)
    for word, head in enumerate(words.heads):
        if head < 0:
            roots[words.sentence_of[word]] += 1
    odd = [number for number, count in enumerate(roots, 1) if count != 1]
    if odd:
        several = "1 sentence has" if len(odd) == 1 else f"{len(odd):,} sentences have"
        text = f"{several} no root or several (the first is sentence {odd[0]:,}); all words count"
        notes.append(Note("roots", text, file=source.name))
    return Treebank(
        source.name,
        on_gold_words(words, words),
        tuple(notes),
        _all_different(words.ids),
        None if None in words.documents else tuple(map(str, words.documents)),
        "dependencies",
        words=words,
    )


def _all_different(ids: Sequence[str | None]) -> tuple[str, ...] | None:
    """Return ids by which sentences can be found; None if one is missing or occurs twice."""
    return None if None in ids or len(set(ids)) < len(ids) else tuple(map(str, ids))


def parse_conllu(lines: Sequence[str], name: str) -> Sentences:
    """Parse lines of CoNLL-U; empty nodes are passed over, as the official script of the CoNLL 2018 task does."""
    words = Sentences(name)
    pieces: list[str] = []
    heads: list[str] = []
    length = 0
    last = 0  # the last word of the multiword token that is being read
    identity: str | None = None
    document: str | None = None
    documents = 0
    for number, line in enumerate(lines, 1):
        if not line:
            _end_sentence(words, heads, identity, document, last, number)
            identity, last = None, 0
            continue
        if line[0] == "#":
            if found := _DOCUMENT.fullmatch(line):
                documents += 1
                document = (found[1] or "").strip() or f"document {documents}"
            elif found := _SENTENCE.fullmatch(line):
                identity = found[1].strip()
            continue
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            raise InputError(
                f"{len(columns)} column{'s' if len(columns) != 1 else ''} where CoNLL-U has {_COLUMNS}, between tabs",
                path=name,
                line=number,
                hint="is this a treebank?" if len(columns) < 2 else None,
            )
        one = columns[0]
        if "." in one:
            continue
        place = len(heads) + 1
        if "-" in one:
            last = _last_of_token(one, place, last, name, number)
        elif one != str(place):
            raise InputError(f"the word has the ID {one!r}; {place} was expected", path=name, line=number)
        form = columns[1]
        if place > last or "-" in one:  # a token; the words of a multiword token stand where it stands
            form = form.translate(_SPACES)
            if not form:
                raise InputError("the FORM is empty", path=name, line=number)
            pieces.append(form)
            start, length = length, length + len(form)
            if "-" in one:
                continue
        words.starts.append(start)
        words.ends.append(length)
        words.multiword.append(place <= last)
        words.forms.append(form)
        words.tags.append(columns[3])
        words.relations.append(columns[7])
        words.lines.append(number)
        heads.append(columns[6])
    _end_sentence(words, heads, identity, document, last, len(lines))
    if not words.starts:
        raise InputError("there are no words in it", path=name, hint="is this the right file?")
    words.text = "".join(pieces)
    if documents and None in words.documents:
        words.documents = ["before the first document" if one is None else one for one in words.documents]
    return words


def _last_of_token(one: str, place: int, last: int, name: str, number: int) -> int:
    """Return the last word of a multiword token, checked."""
    start, _, end = one.partition("-")
    beyond = _number(end)
    if not (_number(start) == place > last and beyond is not None and beyond > place):
        raise InputError(
            f"the multiword token has the ID {one[:40]!r}; {place}-{place + 1} or longer was expected",
            path=name,
            line=number,
        )
    return beyond


def _number(text: str) -> int | None:
    """Return the number of a word; None if the text is no number."""
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def _end_sentence(
    words: Sentences, heads: list[str], identity: str | None, document: str | None, last: int, number: int
) -> None:
    """Turn the heads of the sentence that ends here into words of the file."""
    begin, end = words.first[-1], len(words)
    if begin == end:
        return
    if end - begin < last:
        raise InputError(
            f"the sentence ends after word {end - begin}, inside a multiword token up to {last}",
            path=words.name,
            line=number,
        )
    for place, head in enumerate(heads, begin):
        parent = _number(head)
        if parent is None:
            raise InputError(
                f"the HEAD is {head[:40]!r}; the number of a word was expected, or 0",
                path=words.name,
                line=words.lines[place],
                hint="was the file parsed?" if head == "_" else "heads are the IDs of words, in the seventh column",
            )
        if parent > end - begin:
            raise InputError(
                f"the HEAD is {head}, and the sentence has {end - begin} words",
                path=words.name,
                line=words.lines[place],
                hint="heads are counted within the sentence; is an empty line between two sentences missing?",
            )
        words.heads.append(begin + parent - 1 if parent else -1)
    heads.clear()
    words.first.append(end)
    words.ids.append(identity)
    words.documents.append(document)


def on_gold_words(gold: Sentences, words: Sentences) -> list[str]:
    """Return segments for the sentences of the gold treebank, as :class:`Treebank` has them.

    Raises
    ------
    InputError
        If the two are not over the same text.
    """
    _check_same_text(gold, words)
    matched = list(range(len(gold))) if words is gold else align_words(gold, words)
    segments: list[list[str]] = [[] for _ in gold.first[1:]]
    sentence_of, first = gold.sentence_of, gold.first
    for word, counterpart in enumerate(matched):
        identity = head = "_"
        if counterpart < 0:
            sentence = bisect_right(gold.sentence_starts, words.starts[word]) - 1
        else:
            sentence = sentence_of[counterpart]
            identity = str(counterpart - first[sentence] + 1)
            parent = words.heads[word]
            if parent < 0:
                head = "0"
            elif (there := matched[parent]) >= 0 and sentence_of[there] == sentence:
                head = str(there - first[sentence] + 1)
        segments[sentence].append(
            f"{identity}\t{words.forms[word]}\t{words.tags[word]}\t{head}\t{words.relations[word]}"
        )
    return ["\n".join(rows) for rows in segments]


def _check_same_text(gold: Sentences, words: Sentences) -> None:
    if gold.text == words.text:
        return
    apart = first_difference(gold.text, words.text)
    raise InputError(
        f"its text is not that of {gold.name}: {_excerpt(words, apart)} stands where {_excerpt(gold, apart)} does "
        f"({gold.name}, line {_line(gold, apart):,})",
        path=words.name,
        line=_line(words, apart),
        hint="tokens and sentences may differ; the characters, spaces left out, must not",
    )


def _line(words: Sentences, place: int) -> int:
    return words.lines[max(bisect_right(words.starts, place) - 1, 0)]


def _excerpt(words: Sentences, place: int, width: int = 20) -> str:
    rest = words.text[place : place + width]
    return repr(rest + "…" if len(words.text) > place + width else rest) if rest else "the end"


FORMAT = Format("a treebank in CoNLL-U", text=_read, metrics=("las", "uas"), other_segments=True)
