"""The kinds of files there are: how each is recognised, opened and described.

A format is a module of this package with a ``FORMAT`` and an entry in :data:`FORMATS`. Whoever reads a file asks here,
or has it read by :mod:`truegain.readers.any_format`, so that a new format is one file and one entry:

- *Recognise.* An entry has the endings of the files, the characters that one may begin with, or the look of a line. No
  module is imported before a file comes that may be its own. It then looks at the file, and declines it by returning
  None.
- *Open.* A :class:`Format` has a function for each kind of content that such files can hold.
- *Describe.* ``about`` is one line for lists, errors and the page on inputs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from truegain.errors import InputError, one_of
from truegain.readers.plain import FileBlocks, HeldBlocks, Lines, ending, read_lines
from truegain.readers.strict_json import parse_json_lines, strict_loads

if TYPE_CHECKING:
    from truegain.notes import Note
    from truegain.readers.column_names import Chosen
    from truegain.readers.scores import ScoreTable
    from truegain.readers.tabular import Table

Role = Literal["reference", "system", "source"]

#: The lines at the start of a file that are looked at.
LOOK = 1000


class Entry(NamedTuple):
    """Marks of the files of a format; one without any may be any file, and is tried last.

    Attributes
    ----------
    endings : tuple of str
        In lower case, without that of a compressed file.
    opening : str
        Characters of which one is the first in the file, white space left out.
    anywhere : bool
        A file of another ending is tried, too.
    mark : str
        A pattern that a line near the start of the file fits, whatever its ending. Nothing in it goes back over a line:
        a thousand lines of every file are looked at.
    signs : tuple of str
        Every line that fits the pattern has one of these: if none is there, no line has to be looked at.
    """

    endings: tuple[str, ...] = ()
    opening: str = ""
    anywhere: bool = False
    mark: str = ""
    signs: tuple[str, ...] = ()


#: The formats by the names of their modules; those that share an ending or an opening are tried in this order.
FORMATS: dict[str, Entry] = {
    "markup": Entry((".xml", ".sgm", ".sgml"), "<"),
    "trn": Entry((".trn",)),
    "treebank": Entry((".conllu",)),
    "trees": Entry((".mrg", ".ptb", ".parse")),
    "tags": Entry((".conll", ".bio", ".iob", ".iob2", ".bioes")),
    "inspect_log": Entry((".eval", ".json"), "{"),
    "promptfoo": Entry((".json",), "{"),
    "helm": Entry((".json",), "["),
    "comet_json": Entry((".json",), "{"),
    "wmt_jsonl": Entry((".jsonl", ".ndjson"), "{"),
    "harness": Entry((".jsonl", ".ndjson"), "{["),
    "openai_evals": Entry((".jsonl", ".ndjson"), "{"),
    "json_lines": Entry((".jsonl", ".ndjson", ".json"), "{["),
    "fairseq": Entry(mark=r"H-\d+\t-?\d[^\t]*\t", signs=("\t",)),
    "nbest": Entry(mark=r"[ \t]{0,9}\d{1,15}[ \t]{0,9}\|\|\|.*\|\|\|", signs=("|||",)),
    "error_spans": Entry((".rating",), mark=r"[^\t]{1,999}+\t\s{0,9}\{", signs=("\t",)),
    "seg_scores": Entry(mark=r"[^\t]{1,999}+\t(None|[-+]?\.?\d[-+.\de]*)\s*$", signs=("\t",)),
    "appraise": Entry(
        (".csv",), mark=r"(?:[^,\t]{0,999}+[,\t]){3}\"?(?:TGT|BAD|REF|CHK)\"?[,\t]", signs=("TGT", "BAD", "REF", "CHK")
    ),
    "column_files": Entry((".parquet", ".arrow", ".feather", ".ipc")),
    "csv_tables": Entry((".csv",), anywhere=True),
    "tsv": Entry(),
    "lines": Entry(),
}


@dataclass(frozen=True)
class Layout:
    """Layout of text files: the columns of tables, if they are tables, and what tabs are, if that was said."""

    id_column: str | None = None
    text_column: str | None = None
    references_per_line: int | None = None
    first_names: tuple[str, ...] = ()  # of a column of texts, before others

    @property
    def tables(self) -> bool:
        """Return whether files are tables whatever their ending."""
        return self.id_column is not None or self.text_column is not None


class File:
    """A file that formats are tried on: held and parsed once, however many of them look at it.

    Parameters
    ----------
    path : str
    table : bool
        It is a table: if it is JSON, all of it may be one line.
    scores : Chosen, optional
        It is a table of scores, with these columns: of others, only what may be scores or groups is held.
    """

    def __init__(self, path: str, *, table: bool = False, scores: Chosen | None = None) -> None:
        self.path = path
        self.scores = scores
        self._table = table
        self._read: FileBlocks | HeldBlocks | None = None

    @property
    def name(self) -> str:
        """The file, as messages call it."""
        return "standard input" if self.path == "-" else self.path

    @cached_property
    def head(self) -> list[str]:
        """The first lines, by which a format is recognised; no more of a file is held, if it can be read again."""
        lines: list[str] = []
        for block in self.blocks():
            lines += block[:LOOK]
            if len(lines) >= LOOK:
                break
        return lines[:LOOK]

    def blocks(self) -> FileBlocks | HeldBlocks:
        """Return the lines of the file, block by block; a pipe is held, so that they can be asked for again."""
        again = self.path != "-" and is_regular_file(self.path)
        held = "lines" in vars(self) or not again
        self._read = HeldBlocks(self.lines) if held else FileBlocks(self.path, json=self._table)
        return self._read

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on the file, once all its lines were read; none if it has no lines."""
        return self.lines.notes if "lines" in vars(self) else () if self._read is None else self._read.said()

    @cached_property
    def lines(self) -> Lines:
        """The lines of the file, by the rules that hold for every file of text."""
        return read_lines(self.path, json=self._table)

    @cached_property
    def json(self) -> Any:
        """The value in JSON that the whole file is, or None; if lines are values, no more than the first are read."""
        if self.head[1:] and self.head[1].strip():
            with suppress(InputError, ValueError, RecursionError):
                strict_loads(self.head[0])
                return None
        return parse_json_lines(self.lines.lines, self.lines.name)


def is_regular_file(path: str) -> bool:
    """Return whether there is such a file, no folder; false for a name that no file can have."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # said when it is opened
        return False


@dataclass(frozen=True)
class Texts:
    """The texts that a file holds, by role and by name (of the translator, of the system)."""

    name: str
    texts: Mapping[str, Mapping[str, Lines]]
    hint: str  # how references and outputs are marked in such files

    def of(self, role: Role) -> list[Lines]:
        """Return all references or all outputs in the file."""
        found = list(self.texts.get(role, {}).values())
        if not found:
            noun = {"reference": "a reference", "system": "outputs of a system", "source": "a source"}[role]
            raise InputError(f"it does not hold {noun}, but {self._contents()}", path=self.name, hint=self.hint)
        return found

    def chosen(self, choice: str, role: Role) -> Lines:
        """Return the text of that name, in that role or else in the other: a translator can be a system."""
        other = "system" if role == "reference" else "reference"
        for kind in (role, other):
            if choice in self.texts.get(kind, {}):
                return self.texts[kind][choice]
        names = [name for kind in (role, other) for name in self.texts.get(kind, {})]
        raise one_of(f"{self.name}: a text", choice, names)

    def _contents(self) -> str:
        kinds = {"source": "sources", "reference": "references", "system": "outputs"}
        return "; ".join(f"{kinds[kind]}: {', '.join(texts)}" for kind, texts in self.texts.items())


class Format(NamedTuple):
    """Description of a format by its module. A function that it lacks is a kind of content that its files do not hold.

    Attributes
    ----------
    about : str
        What such a file is, in one line: "a treebank in CoNLL-U".
    segments : callable, optional
        From the lines of a file and its name to its segments, one after the other.
    text : callable, optional
        One text, if its segments have ids, documents or structure, or are not known before the end of the file.
    texts : callable, optional
        Several texts that have names and roles.
    table : callable, optional
        Columns with names: of texts, ids, documents and domains, or of a whole comparison.
    scores : callable, optional
        Segment scores, given the file and the column of ids, if one was named.
    is_log : callable, optional
        Return whether a file is a log of this format: no table, although it may look like one.
    check_text : callable, optional
        Raise InputError if lines, given as plain text with the name of their file, are of this format.
    metrics : tuple of str
        What ``truegain init`` proposes for texts of this format.
    other_segments : bool
        Outputs may be cut into other segments than the reference.
    binary : bool
        Files are no text, and have no lines.
    """

    about: str
    segments: Callable[[Iterable[str], str], Iterator[str]] | None = None
    text: Callable[[File, Layout], Lines | None] | None = None
    texts: Callable[[File], Texts | None] | None = None
    table: Callable[[File], Table | None] | None = None
    scores: Callable[[File, str | None], list[ScoreTable] | None] | None = None
    is_log: Callable[[File], bool] | None = None
    check_text: Callable[[Sequence[str], str], None] | None = None
    metrics: tuple[str, ...] = ("bleu", "chrf")
    other_segments: bool = False
    binary: bool = False


@cache
def load(name: str) -> Format:
    """Return the format that a module of this package describes."""
    found: Format = import_module(f"truegain.readers.{name}").FORMAT
    return found


def named(path: str) -> list[Format]:
    """Return the formats that a file may have by its ending; none if that says nothing."""
    own = ending(path)
    return [load(name) for name, entry in FORMATS.items() if own in entry.endings]


def opened(line: str) -> list[Format]:
    """Return the formats that a file may have by the first character of its first line."""
    first = line.strip()[:1]
    return [load(name) for name, entry in FORMATS.items() if first and first in entry.opening]


def marked(lines: Iterable[str]) -> list[Format]:
    """Return the formats that a file may have by the look of one of its first lines."""
    head = list(islice(lines, LOOK))
    whole = "\n".join(head)
    return [
        load(name)
        for name, entry in FORMATS.items()
        if any(sign in whole for sign in entry.signs) and any(map(re.compile(entry.mark).match, head))
    ]


def any_file() -> Iterator[Format]:
    """Yield the formats that a file may have whatever its ending, those that take any file last."""
    return (load(name) for name, entry in FORMATS.items() if entry.anywhere or entry == Entry())


def holds_several(path: str) -> bool:
    """Return whether files of this ending hold several texts, with names and roles."""
    return may_hold_several(path) and not is_table(path)


def may_hold_several(path: str) -> bool:
    """Return whether some files of this ending hold several texts: of one, a text can be chosen."""
    return any(form.texts is not None for form in named(path))


def is_table(path: str) -> bool:
    """Return whether the ending of a file speaks of columns."""
    return any(form.table is not None for form in named(path))
