"""What no reader may take, put into a file that every reader takes: refused by all of them."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Mapping

from fuzz.choices import Choices
from fuzz.held import file
from truegain.errors import InputError
from truegain.readers.any_format import read_scores, read_text
from truegain.readers.corpora import read_corpus
from truegain.readers.documents import read_documents, read_domains
from truegain.readers.formats import File
from truegain.readers.markup import read_markup
from truegain.readers.plain import read_lines, read_pieces

LONGEST = 16
_JSON = "".join(json.dumps({"id": str(i), "text": f"word {i}", "doc": "d", "score": i}) + "\n" for i in range(3))
_TABLE = "id\ttext\tdoc\tscore\n" + "".join(f"{i}\tword {i}\td\t{i}\n" for i in range(3))
_CONLLU = "1\tdas\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\twort\t_\tNOUN\t_\t_\t1\tdep\t_\t_\n\n"
_SGML = (
    '<refset setid="t" srclang="en" trglang="de"><doc docid="d" sysid="r"><seg id="1">some words</seg></doc></refset>\n'
)
_XML = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<dataset id="t"><doc id="d"><ref translator="A"><p>'
    '<seg id="1">a word</seg></p></ref><hyp system="s"><p><seg id="1">a word</seg></p></hyp></doc></dataset>\n'
)


def _pieces(path: str) -> None:
    for _ in read_pieces(path, size=16):
        pass


def _texts(path: str) -> None:
    read_corpus([f"a={path}"], [file("reference.txt", "some word\nmore\n")])


def _table(path: str) -> None:
    reference = file("reference.tsv", _TABLE.replace("word", "words"))
    read_corpus([f"a={path}"], [reference], id_column="id", text_column="text")


#: By the ending of the file: what is read, and by what.
READERS: Mapping[str, tuple[str, str, Callable[[str], object]]] = {
    "lines": ("txt", "some words\nmore\n", read_lines),
    "pieces": ("txt", "some words\nmore\n", _pieces),
    "texts": ("txt", "some words\nmore words\n", _texts),
    "a table": ("tsv", _TABLE, _table),
    "JSON lines": ("jsonl", _JSON, _table),
    "scores": ("txt", "0.5\n1.5\n", read_scores),
    "a table of scores": ("tsv", _TABLE, lambda path: read_scores(path, "id")),
    "JSON lines of scores": ("jsonl", _JSON, lambda path: read_scores(path, "id")),
    "documents": ("txt", "d1\nd2\nd2\n", lambda path: read_documents(path, 3)),
    "a table of documents": ("tsv", _TABLE, lambda path: read_documents(path, 3, column="doc")),
    "JSON lines of documents": ("jsonl", _JSON, lambda path: read_documents(path, 3, column="doc")),
    "domains": ("txt", "news\ntalks\ntalks\n", lambda path: read_domains(path, 3)),
    "a treebank": ("conllu", _CONLLU, read_text),
    "trees": ("mrg", "(S (NP (NN cat)) (VP (VBD sat)))\n(S (NN x))\n", read_text),
    "tags": ("conll", "EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n\nPeter NNP B-NP B-PER\n", read_text),
    "utterances": ("trn", "the cat sat (spk-01)\nmore words (spk-02)\n", read_text),
    "XML": ("xml", _XML, lambda path: read_markup(File(path))),
    "SGML": ("sgm", _SGML, lambda path: read_markup(File(path))),
}

#: Where an id twice is no mistake: rows of one id are samples of one item, and averaged.
AVERAGING = {(reader, "an id twice") for reader in ("a table of scores", "JSON lines of scores")}


def check(data: bytes) -> None:
    """Spoil a file of every reader in one way, at a place that is drawn."""
    choices = Choices(data)
    way = choices.one_of(list(WAYS))
    part = choices.below(1 << 16) / (1 << 16)
    for reader, (ending, text, read) in READERS.items():
        good = text.encode()
        read(file(f"good.{ending}", good))
        if (reader, way) in AVERAGING:
            continue
        spoiled = WAYS[way](good, int(part * len(good)))
        if spoiled is None or spoiled == good:
            continue
        try:
            read(file(f"spoiled.{ending}", spoiled))
        except InputError:
            continue
        raise AssertionError(f"{reader}: {way} was read, at byte {int(part * len(good))} of {len(good)}")


def _key_twice(good: bytes, place: int) -> bytes | None:
    """Repeat a key of the object on some line, if lines are objects."""
    lines = good.splitlines(keepends=True)
    if not good.startswith(b"{"):
        return None
    number = min(good[:place].count(b"\n"), len(lines) - 1)
    lines[number] = b'{"text": "other words", ' + lines[number][1:]
    return b"".join(lines)


def _row_twice(good: bytes, place: int) -> bytes | None:
    """Repeat a row with another text, if rows have ids."""
    if not good.startswith((b"{", b"id\t")):
        return None
    lines = good.splitlines(keepends=True)
    number = min(max(1, good[:place].count(b"\n")), len(lines) - 1)
    return good + lines[number].replace(b"word", b"other")


#: From a good file and a place in it to a spoiled one; None if that cannot be done to it.
WAYS: Mapping[str, Callable[[bytes, int], bytes | None]] = {
    "a NUL": lambda good, place: good[:place] + b"\0" + good[place:],
    "UTF-16 with a mark": lambda good, place: codecs.BOM_UTF16_LE + good.decode().encode("utf-16-le"),
    "UTF-16 without a mark": lambda good, place: good.decode().encode("utf-16-le" if place % 2 else "utf-16-be"),
    "UTF-32": lambda good, place: good.decode().encode("utf-32"),
    "a byte that is no text": lambda good, place: good[:place] + b"\xff" + good[place:],
    "half a character": lambda good, place: good + b"\xe7\x8c",
    "a key twice": _key_twice,
    "an id twice": _row_twice,
    "no header": lambda good, place: good.partition(b"\n")[2] if good.startswith(b"id\t") else None,
    "a column twice": lambda good, place: good.replace(b"doc\tscore\n", b"doc\tdoc\n") if good[:3] == b"id\t" else None,
}
