"""WMT's XML test sets and NIST's SGML: documents of segments; sources, references and outputs, together or separate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from truegain.errors import InputError
from truegain.readers.formats import File, Format, Texts
from truegain.readers.plain import LINE_LIMIT, SIZE_LIMIT, Lines, by_order, ending, read_bytes
from truegain.readers.sgml import scan_sgml
from truegain.readers.xml import scan_xml

_SETS: dict[str, str] = {"srcset": "source", "refset": "reference", "tstset": "system"}
_SIDES: dict[str, str] = {"src": "source", "ref": "reference", "hyp": "system"}
_NAMES: dict[str, str] = {"source": "src", "reference": "ref", "system": "hyp"}
_OUTSIDE = {*_SETS, *_SIDES, "doc", "p", "hl", "seg"}  # elements of which none stands inside a segment
_OPENING = re.compile(r"\s*<(\?xml\b|!doctype\b|(mteval|refset|tstset|srcset|dataset)[\s>])", re.IGNORECASE)
_HINT = "references are <ref> or <refset>, outputs <hyp> or <tstset>; FILE:NAME names what to take"
# Looked for where blanks begin, and nowhere else: from each of a million blanks it would take hours.
_BREAK = re.compile(r"(?<![ \t])[ \t]*[\r\n][ \t\r\n]*")


@dataclass(frozen=True)
class MarkupText(Lines):
    """A text of such a file, onto which plain lines are brought by their order."""

    def fit(self, other: Lines) -> Lines:
        """Take plain text of as many lines for the same segments in the same order: test sets are translated so."""
        if other.ids is not None or other.structure is not None:
            return other
        if len(other.lines) != len(self.lines):
            raise InputError(
                f"{len(other.lines):,} lines where {self.name} has {len(self.lines):,} segments",
                path=other.name,
                hint="plain text must have one line for each <seg>, in the same order",
            )
        return replace(other, ids=self.ids, notes=(*other.notes, by_order(other.name, self.name)))


def read_markup(file: File) -> Texts:
    """Read all texts of a file: SGML by a scanner that forgives much, XML strictly; neither expands entities."""
    path = file.path
    data = read_bytes(path)
    if len(data) > SIZE_LIMIT:
        raise InputError(f"the file has {len(data):,} bytes; the limit is {SIZE_LIMIT:,}", path=path)
    if not data.strip():
        raise InputError("the file is empty", path=path, hint="is this the right file?")
    found = _Collector(path)
    (scan_xml if ending(path) == ".xml" else scan_sgml)(data, path, found)
    texts: dict[str, dict[str, Lines]] = {}
    of_kind = Counter(kind for kind, _ in found.texts)
    for (kind, name), text in found.texts.items():
        label = path if of_kind[kind] == 1 else f"{path}:{name}"
        texts.setdefault(kind, {})[name] = MarkupText(
            label, text.lines, ids=tuple(text.ids), documents=tuple(text.documents)
        )
    if not texts:
        raise InputError(
            "there are no segments in it",
            path=path,
            hint="expected: WMT's <dataset> of <doc> with <src>, <ref>, <hyp>, or NIST's <refset>, <tstset>",
        )
    return Texts(path, texts, _HINT)


def _check_text(lines: Sequence[str], name: str) -> None:
    if _OPENING.match(lines[0]):
        raise InputError(
            "this looks like XML or SGML, and was given as plain text",
            path=name,
            hint="rename it: FILE.xml, or FILE.sgm",
        )


@dataclass
class _Text:
    lines: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)


class _Collector:
    """Puts segments together from tags and text as they come, whatever language they are written in."""

    def __init__(self, path: str) -> None:
        self.texts: dict[tuple[str, str], _Text] = {}
        self._path = path
        self._set: tuple[str, str | None] | None = None
        self._document: str | None = None
        self._documents = 0
        self._side: tuple[str, str] | None = None
        self._nameless: dict[str, int] = {}
        self._seen: set[tuple[int, str, str]] = set()
        self._seg: str | None = None
        self._numbers: dict[tuple[str, str], int] = {}
        self._pieces: list[str] = []
        self._line = 0

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        """Begin an element; an open segment ends there, unless the element is part of it."""
        if tag in _OUTSIDE:
            self._close()
        if tag in _SETS:
            self._set = _SETS[tag], attributes.get("refid") or attributes.get("sysid")
        elif tag == "doc":
            self._documents += 1
            self._document = attributes.get("id") or attributes.get("docid") or f"document {self._documents}"
            self._nameless.clear()
            self._numbers.clear()
            if self._set is not None:
                kind, name = self._set
                self._side = kind, attributes.get("sysid") or name or _NAMES[kind]
        elif tag in _SIDES:
            kind = _SIDES[tag]
            name = attributes.get("translator" if kind == "reference" else "system")
            if name is None:
                self._nameless[kind] = self._nameless.get(kind, 0) + 1
                name = _NAMES[kind] + (str(self._nameless[kind]) if self._nameless[kind] > 1 else "")
            self._side = kind, name
            if (self._documents, *self._side) in self._seen:
                raise InputError(
                    f"the document {self._document!r} has a second <{tag}> of {name!r}",
                    path=self._path,
                    line=line,
                    hint="a system has one <hyp>, and a translator one <ref>, in each document: use different names",
                )
            self._seen.add((self._documents, *self._side))
        elif tag == "seg":
            if self._document is None or self._side is None:
                raise InputError(
                    "a <seg> stands outside of a " + ("<doc>" if self._document is None else "<src>, <ref> or <hyp>"),
                    path=self._path,
                    line=line,
                )
            self._numbers[self._side] = self._numbers.get(self._side, 0) + 1
            self._seg = attributes.get("id") or str(self._numbers[self._side])
            self._line = line

    def end(self, tag: str) -> None:
        """End an element, and with it a segment that is open in it."""
        if tag in _OUTSIDE:
            self._close()
        if tag in _SIDES:
            self._side = None
        elif tag == "doc":
            self._document = self._side = None
        elif tag in _SETS:
            self._set = None

    def text(self, data: str) -> None:
        """Keep text, if it is that of a segment."""
        if self._seg is not None:
            self._pieces.append(data)

    @property
    def inside(self) -> bool:
        """Return whether a segment is open."""
        return self._seg is not None

    def _close(self) -> None:
        if self._seg is None or self._side is None or self._document is None:
            return
        content = _BREAK.sub(" ", "".join(self._pieces)).strip()
        if len(content) > LINE_LIMIT:
            raise InputError(
                f"the segment has {len(content):,} characters; the limit is {LINE_LIMIT:,}",
                path=self._path,
                line=self._line,
                hint="is a </seg> missing?",
            )
        text = self.texts.setdefault(self._side, _Text())
        text.lines.append(content)
        text.ids.append(f"{self._document}:{self._seg}")
        text.documents.append(self._document)
        self._pieces.clear()
        self._seg = None


FORMAT = Format("a test set in WMT's XML or NIST's SGML, with documents", texts=read_markup, check_text=_check_text)
