"""One rule for all readers: what is refused in one kind of file is refused in every other, whole or in pieces."""

from __future__ import annotations

import codecs
import gzip
import itertools
import json
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import truegain as tg
from tests.readers.files import COMPRESSORS
from tests.refusals import refused
from truegain import readers
from truegain.errors import InputError
from truegain.readers import plain
from truegain.readers.any_format import Files, read_scores
from truegain.readers.columns import corpus_from_table
from truegain.readers.documents import read_documents, read_domains
from truegain.readers.experiment_file import read_experiment
from truegain.readers.formats import FORMATS, Entry, Layout
from truegain.readers.hypotheses import read_hypotheses
from truegain.readers.labels import read_labels
from truegain.readers.matching import match, read_texts
from truegain.readers.memory import corpus_from_memory
from truegain.readers.plain import read_pieces
from truegain.readers.training_samples import _read_manifest as read_manifest
from truegain.results import load


def as_texts(path: str, layout: Layout | None = None) -> Any:
    """All texts of a file, matched by their ids as those of two files would be."""
    found = read_texts(path, layout or Layout(), "reference", Files())
    return [(text.lines, text.ids, text.documents) for text in match([*found, *found])]


def as_scores(path: str) -> Any:
    return [{name: column.tolist() for name, column in table.columns.items()} for table in read_scores(path)]


def as_outputs(path: str) -> Any:
    return [text.lines for text in read_texts(path, Layout(), "system", Files())]


def as_hypotheses(path: str) -> Any:
    found = read_hypotheses([path], None)
    return found.features, found.texts, found.values.tolist(), found.edges.tolist()


def as_documents(path: str) -> Any:
    found = read_documents(path, 2)
    return found.documents, found.domains


def as_domains(path: str) -> Any:
    return read_domains(path, 2).domains


def as_table(path: str) -> Any:
    found = corpus_from_table(path)
    return found.references, [system.runs for system in found.systems]


@dataclass(frozen=True)
class Reader:
    """A kind of file: what it is called, what may stand in it, and who reads it.

    ``given`` says what it has that a rule may be about: header, ids, json where its name does not say so; "bytes" if it
    is never decompressed, "pieces" if it is read a piece at a time, whatever there is of it.
    """

    file: str
    content: str
    read: Callable[[str], Any]
    given: tuple[str, ...] = ()

    @property
    def kinds(self) -> set[str]:
        return {*self.given, *(["json"] if self.file.endswith((".json", ".jsonl")) else [])}


@cache
def stored() -> str:
    return tg.score(["a b c", "d e f"], {"x": ["a b d", "d e f"]}, resamples=10).render("json")


ROWS = ["the cat sat", "on a café mat"]
SEG = "".join(f'<seg id="{i}">{row}</seg>\n' for i, row in enumerate(ROWS, 1))
WORDS = "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tcafé\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
HYPOTHESES = "".join(f"{i // 2} ||| é {i} ||| lm= {i % 3} tm= {i} ||| 0\n" for i in range(4))
LOG = '{"doc_id": %d, "doc": {"q": 1}, "target": "é", "resps": [], "filtered_resps": [], "acc": %d}\n'


def twice(row: str, between: str = "") -> str:
    """A row for each of the numbers 0 and 1, which stand where it has @."""
    return between.join(row.replace("@", number) for number in "01")


READERS = {
    "text": Reader("a.txt", "".join(f"{row}\n" for row in ROWS), as_texts),
    "text, in pieces": Reader(
        "a.txt",
        "".join(f"{row}\n" for row in ROWS),
        lambda path: list(itertools.chain(*read_pieces(path))),
        ("pieces",),
    ),
    "TSV": Reader(
        "a.tsv",
        f"id\ttext\nk1\t{ROWS[0]}\nk2\t{ROWS[1]}\n",
        lambda path: as_texts(path, Layout("id", "text")),
        ("header", "ids"),
    ),
    "JSON lines": Reader(
        "a.jsonl",
        "".join(json.dumps({"id": f"k{i}", "text": row}, ensure_ascii=False) + "\n" for i, row in enumerate(ROWS)),
        as_texts,
        ("ids",),
    ),
    "table, TSV": Reader("a.tsv", "id\tref\tx\nk1\ta é\tb c\nk2\td\te\n", as_table, ("header", "ids")),
    "table, JSON lines": Reader(
        "a.jsonl", '{"id": "k1", "ref": "a é", "x": "b"}\n{"id": "k2", "ref": "a", "x": "c"}\n', as_table, ("ids",)
    ),
    "trn": Reader("a.trn", f"{ROWS[0]} (k1)\n{ROWS[1]} (k2)\n", as_texts, ("ids",)),
    "CoNLL-U": Reader("a.conllu", f"# sent_id = k1\n{WORDS}# sent_id = k2\n{WORDS}", as_texts),
    "brackets": Reader("a.mrg", "(S (NP (NNS trees)) (VP (VBP café)))\n(S (NN grow))\n", as_texts),
    "tags": Reader("a.conll", "EU B-ORG\ncafé O\n\nPeter B-PER\n", as_texts),
    "SGML": Reader("a.sgm", f'<refset refid="r"><doc docid="d">\n{SEG}</doc></refset>\n', as_texts, ("ids", "markup")),
    "XML": Reader(
        "a.xml",
        f'<dataset><doc id="d"><ref translator="r">\n{SEG}</ref></doc></dataset>\n',
        as_texts,
        ("ids", "markup", "xml"),
    ),
    "scores": Reader("a.scores", "0.25\n0.5\n", as_scores, ("ascii",)),
    "scores, TSV": Reader("a.tsv", "café\ttea\n0.25\t1\n0.5\t2\n", as_scores, ("header",)),
    "scores, JSON": Reader("a.json", '[\n{"café": 0.25},\n{"café": 0.5}\n]\n', as_scores),
    "scores, JSON lines": Reader("a.jsonl", '{"café": 0.25}\n{"café": 0.5}\n', as_scores),
    "scores of COMET": Reader("a.json", '{"café.txt": [\n{"COMET": 0.25},\n{"COMET": 0.5}\n]}\n', as_scores),
    "sample log": Reader("a.jsonl", LOG % (0, 1) + LOG % (1, 0), as_scores),
    "documents": Reader("a.txt", "dócument one\ndocument two\n", as_documents),
    "documents, TSV": Reader("a.tsv", "doc\tgenre\nd1\tcafé\nd2\tbar\n", as_documents, ("header",)),
    "domains": Reader("a.txt", "dómain one\ndomain two\n", as_domains),
    "domains, TSV": Reader("a.tsv", "docid\tdomain\nd1\tcafé\nd2\tbar\n", as_domains, ("header",)),
    "domains, JSON lines": Reader("a.jsonl", '{"domain": "d1"}\n{"domain": "café"}\n', as_domains),
    "documents, JSON lines": Reader("a.jsonl", '{"doc": "d1"}\n{"doc": "café"}\n', as_documents),
    "labels": Reader("a.tsv", "base\tgroup one\nnew\tgrüppe\n", read_labels),
    "list of hypotheses": Reader("a.nbest", "0 ||| the café ||| lm= 1 ||| 2\n1 ||| a ||| lm= 2 ||| 3\n", as_outputs),
    "output of fairseq": Reader(
        "a.out", "S-0\tein Café\nT-0\ta b\nH-0\t-1\tcafé\nS-1\tx\nT-1\ty\nH-1\t-2\tz\n", as_outputs
    ),
    "documents of WMT": Reader(
        "a.jsonl", twice('{"doc_id": "a-b_#_n_#_d@", "src_text": "s", "refs": {"refA": {"ref": "é @"}}}\n'), as_texts
    ),
    "hypotheses": Reader("a.txt", HYPOTHESES, as_hypotheses),
    "hypotheses, JSON lines": Reader(
        "a.jsonl",
        "".join(f'{{"id": {i // 2}, "text": "é {i}", "features": {{"lm": {i % 3}, "tm": {i}}}}}\n' for i in range(4)),
        as_hypotheses,
    ),
    "segment scores": Reader("a.seg.score", "xé\t0.25\nxé\t1\nb\t0.5\nb\t2\n", as_scores),
    "ratings": Reader(
        "a.mqm.r.seg.rating",
        'xé\t{"errors": []}\nxé\t{"errors": [{"category": "x", "severity": "minor"}]}\n'
        'b\t{"errors": []}\nb\t{"errors": [], "x": 1}\n',
        as_scores,
        ("json",),
    ),
    "ratings of Appraise": Reader(
        "a.csv", "".join(f"xü,{s},{i},TGT,eng,ces,{8 * i},d,False,[],1,2\n" for i in (1, 2) for s in "AB"), as_scores
    ),
    "log of Inspect": Reader(
        "a.json",
        '{"eval": {"model": "é"},\n"samples": [\n'
        + twice('{"id": "q@", "epoch": 1, "scores": {"m": {"value": @}}}', ",\n")
        + "]}\n",
        as_scores,
    ),
    "log of HELM": Reader(
        "a.json",
        "[\n"
        + twice('{"instance_id": "é@", "train_trial_index": 0, "stats": [{"name": {"name": "em"}, "mean": @}]}', ",\n")
        + "\n]\n",
        as_scores,
    ),
    "log of OpenAI's evals": Reader(
        "a.jsonl",
        '{"spec": {"completion_fns": ["é"]}}\n'
        + twice('{"run_id": "r", "event_id": @, "sample_id": "q@", "type": "match", "data": {"correct": true}}\n')
        + '{"final_report": {"a": 1}}\n',
        as_scores,
    ),
    "log of promptfoo": Reader(
        "a.json",
        '{"results": {"version": 3, "results": [\n'
        + twice(
            '{"promptIdx": 0, "testIdx": @, "provider": {"id": "é"}, "vars": {"q": @}, "score": 0.5, '
            '"success": true, "namedScores": {"n": 1}, "failureReason": 0}',
            ",\n",
        )
        + "\n]}}\n",
        as_scores,
    ),
    "manifest of split": Reader(
        "a.json",
        '{"scheme": "half", "lines": 9, "é": 1,\n"sets": [{"name": "s1", "lines": 5},\n{"name": "s2", "lines": 5}]}\n',
        read_manifest,
    ),
    "experiment": Reader(
        "a.toml",
        'name = "é"\nmetrics = ["bleu"]\nbaseline = "a"\n\n[[testset]]\nname = "t"\nreference = "r.txt"\n\n'
        '[testset.systems]\na = "r.txt"\nb = "r.txt"\n',
        read_experiment,
        ("bytes", "toml"),
    ),
    "stored result": Reader("a.json", "", load, ("bytes", "ascii")),
}


def content_of(name: str) -> bytes:
    return (stored() if name == "stored result" else READERS[name].content).encode()


def outcome(name: str, folder: Path, data: bytes, ending: str = "") -> Any:
    """What a reader makes of bytes: its value, or its refusal."""
    (folder / "r.txt").write_bytes(b"a\n")
    path = folder / (READERS[name].file + ending)
    path.write_bytes(data)
    try:
        return READERS[name].read(str(path))
    except InputError as error:
        return error


def refusal(name: str, folder: Path, data: bytes, ending: str = "") -> str:
    found = outcome(name, folder, data, ending)
    assert isinstance(found, InputError), found
    assert found.hint is not None or found.line is not None  # what to do about it, or where it is
    return str(found)


def cases(*needed: str, without: tuple[str, ...] = ()) -> list[str]:
    return [name for name, one in READERS.items() if one.kinds >= {*needed} and not one.kinds & {*without}]


WIDE = {
    "UTF-16LE": ("utf-16-le", b""),
    "UTF-16BE": ("utf-16-be", b""),
    "UTF-16": ("utf-16-le", codecs.BOM_UTF16_LE),
    "UTF-16, big": ("utf-16-be", codecs.BOM_UTF16_BE),
    "UTF-32LE": ("utf-32-le", b""),
    "UTF-32": ("utf-32-le", codecs.BOM_UTF32_LE),
    "UTF-32, big": ("utf-32-be", codecs.BOM_UTF32_BE),
}


@pytest.mark.parametrize(("name", "encoding"), list(itertools.product(READERS, WIDE)))
def test_text_in_another_encoding(name: str, encoding: str, tmp_path: Path) -> None:
    data = content_of(name)
    codec, mark = WIDE[encoding]
    changed = mark + data.decode().encode(codec)
    if name == "XML" and encoding.startswith("UTF-16"):  # which a parser of XML must know
        assert outcome(name, tmp_path, changed) == outcome(name, tmp_path, data)
    elif name == "XML":
        assert "not well-formed" in refusal(name, tmp_path, changed)
    else:
        said = refusal(name, tmp_path, changed)
        assert f"text in {encoding[:6]}" in said
        assert f"iconv -f {encoding.partition(',')[0]} -t UTF-8" in said


@pytest.mark.parametrize("name", cases(without=("xml",)))
def test_a_byte_order_mark_of_utf8(name: str, tmp_path: Path) -> None:
    data = content_of(name)
    assert outcome(name, tmp_path, codecs.BOM_UTF8 + data) == outcome(name, tmp_path, data)


@pytest.mark.parametrize(("name", "ending"), list(itertools.product(cases(without=("bytes",)), COMPRESSORS)))
def test_compressed_files(name: str, ending: str, tmp_path: Path) -> None:
    data = content_of(name)
    as_it_is = outcome(name, tmp_path, data)
    pack = COMPRESSORS[ending]
    packed = pack(data)
    half = len(data) // 2
    for good in (packed, packed + b"\0" * 512, pack(data[:half]) + pack(data[half:])):
        assert outcome(name, tmp_path, good, ending) == as_it_is
    for garbage in (b"x", b"garbage behind the end\n", b"\0\0x", data):
        said = refusal(name, tmp_path, packed + garbage, ending)
        assert f"cannot be decompressed as {ending}: something else follows its end" in said
    for cut in (1, 5, len(packed) // 2):
        said = refusal(name, tmp_path, packed[:-cut], ending)
        assert f"cannot be decompressed as {ending}: the file breaks off" in said
    assert f"this is a compressed file ({ending}) under another name" in refusal(name, tmp_path, packed)


def test_a_key_twice_in_toml(tmp_path: Path) -> None:
    assert "Cannot overwrite a value" in refusal("experiment", tmp_path, b'name = "x"\n' + content_of("experiment"))


@pytest.mark.parametrize("name", cases("header"))
def test_a_column_twice(name: str, tmp_path: Path) -> None:
    lines = content_of(name).decode().splitlines()
    for again in ("twice", " twice", "twice "):
        changed = [f"{lines[0]}\ttwice\t{again}", *(f"{line}\t1\t2" for line in lines[1:])]
        said = refusal(name, tmp_path, "\n".join(changed).encode())
        assert all(told in said for told in (f"{READERS[name].file}:1: two columns have the same name", "'twice'"))


@pytest.mark.parametrize("name", cases("ids"))
def test_an_id_twice(name: str, tmp_path: Path) -> None:
    again = '"2"', '"1"'
    changed = content_of(name).decode().replace(*again if "markup" in READERS[name].kinds else ("k2", "k1"))
    changed = changed.replace('"id": "k0"', '"id": "k1"')
    assert re.search("occurs twice.* rows 1 and 2", refusal(name, tmp_path, changed.encode()))


# ---- Values of JSON, and what Python programs hold

ODD: dict[str, Any] = {
    "a list": ["a", "b"],
    "an object": {"a": "b"},
    "a number": 7,
    "true or false": True,
    "NaN": float("nan"),
}


def odd(name: str, text: str, kind: str) -> bytes:
    """The file with something else in the place of a text."""
    return content_of(name).decode().replace(f'"{text}"', json.dumps(ODD[kind])).encode()


@pytest.mark.parametrize(("name", "key", "text"), [("JSON lines", "text", ROWS[1]), ("table, JSON lines", "x", "c")])
def test_something_else_than_a_text(name: str, key: str, text: str, tmp_path: Path) -> None:
    for kind in ODD:
        what = "a number" if kind == "NaN" else kind
        assert f"{key!r} is {what} in row 2" in refusal(name, tmp_path, odd(name, text, kind))
    data = content_of(name).decode()
    place = data.rindex('"', 0, data.rindex('"'))  # the last text
    assert "is NUL (0x00)" in refusal(name, tmp_path, (data[: place + 1] + "\\u0000" + data[place + 1 :]).encode())


@pytest.mark.parametrize("kind", ["a list", "an object", "NaN"])
@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        *((name, text, ["the column of ids"]) for name, text in (("JSON lines", "k1"), ("table, JSON lines", "k2"))),
        *((f"{name}, JSON lines", "d1", ["a column of ids", "documents"]) for name in ("documents", "domains")),
    ],
)
def test_something_else_than_an_id_or_name(name: str, text: str, told: list[str], kind: str, tmp_path: Path) -> None:
    said = refusal(name, tmp_path, odd(name, text, kind))
    assert all(one in said for one in ("a text or a number was expected", *told))
    numbers = b'{"id": 1, "text": "a"}\n{"id": 2.5, "text": "b"}\n'  # which are ids
    assert outcome("JSON lines", tmp_path, numbers)[0][1] == ("1", "2.5")


def test_a_nul_in_lists() -> None:
    for references, outputs in ((["a", "b\0"], ["a", "b"]), (["a", "b"], ["a", "\0b"])):
        with refused(naming=["2", "NUL"]):
            corpus_from_memory(references, {"x": outputs})


USED = {
    **dict.fromkeys(("scores, JSON", "scores, JSON lines", "scores of COMET"), "0.5"),
    **dict.fromkeys(("documents, JSON lines", "domains, JSON lines"), '"d1"'),
    "sample log": '"acc": 0',
    "stored result": '"alpha": 0.05',
}


@pytest.mark.parametrize("name", USED)
@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_json_does_not_know(name: str, constant: str, tmp_path: Path) -> None:
    """Refused where they are used; in a key that nobody asks for they do no harm, but in results of truegain."""
    data = content_of(name).decode()
    assert USED[name] in data
    refusal(name, tmp_path, data.replace(USED[name], f"{USED[name].rpartition(' ')[0]} {constant}", 1).encode())
    unused = data.replace("{", f'{{"zz": [{constant}], ', 1) if name != "scores of COMET" else data
    if name == "stored result":
        assert f"{constant} is not a number in JSON" in refusal(name, tmp_path, unused.encode())
    else:
        assert outcome(name, tmp_path, unused.encode()) == outcome(name, tmp_path, data.encode())


# ---- Limits


def lower(monkeypatch: pytest.MonkeyPatch, limit: str, to: int) -> None:
    """Make a limit smaller in every module that holds to it."""
    modules = [import_module(f"truegain.readers.{one.name}") for one in pkgutil.iter_modules(readers.__path__)]
    for module in modules:
        if limit in vars(module):
            monkeypatch.setattr(module, limit, to)


@pytest.mark.parametrize("name", cases("markup"))
def test_markup_beyond_the_limits(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = content_of(name)
    lower(monkeypatch, "LINE_LIMIT", 2)
    said = refusal(name, tmp_path, data)
    assert all(told in said for told in (f"{READERS[name].file}:2: ", "characters; the limit is 2"))
    lower(monkeypatch, "SIZE_LIMIT", len(data) - 1)
    assert f"bytes; the limit is {len(data) - 1:,}" in str(outcome(name, tmp_path, data))


@pytest.mark.parametrize("name", cases(without=("bytes", "pieces")))
def test_more_bytes_than_the_limit_once_unpacked(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = content_of(name)
    lower(monkeypatch, "SIZE_LIMIT", len(data))
    # Where it is an argument's default it was read when the function was made.
    monkeypatch.setattr(plain.read_bytes, "__kwdefaults__", {"limit": len(data)})
    assert not isinstance(outcome(name, tmp_path, gzip.compress(data), ".gz"), InputError)
    lower(monkeypatch, "SIZE_LIMIT", len(data) - 1)
    monkeypatch.setattr(plain.read_bytes, "__kwdefaults__", {"limit": len(data) - 1})
    assert f"more than {len(data) - 1:,} bytes" in refusal(name, tmp_path, gzip.compress(data), ".gz")


def test_every_format_is_among_them() -> None:
    """Each format takes the file of one of these, or is named here: those read bytes, or have a test of their own."""
    kept = {one.file.removeprefix("a") for one in READERS.values()}
    lines = [line for one in READERS.values() for line in one.content.split("\n")]

    def takes_one(entry: Entry) -> bool:
        marked = bool(entry.mark) and any(re.match(entry.mark, line) for line in lines)
        return marked or entry == Entry() or any(one.endswith(end) for one in kept for end in entry.endings)

    taken = {name for name, entry in FORMATS.items() if takes_one(entry)}
    assert set(FORMATS) - taken == {"column_files"}  # bytes: tests/readers/test_column_files.py


@pytest.mark.parametrize("name", READERS)
def test_bytes_of_no_text(name: str, tmp_path: Path) -> None:
    data = content_of(name)
    for odd, told in ((b"\0", "is NUL (0x00)"), (b"\xe9", "(0xe9) is not UTF-8")):
        for place in (1, len(data) // 2):
            while not data[place : place + 1].isascii():
                place += 1
            said = refusal(name, tmp_path, data[:place] + odd + data[place:])
            assert told in said or (name == "XML" and "not well-formed" in said)
            # Latin-1 is told from UTF-16: most of its bytes are not zero.
            assert "UTF-16" not in said


@pytest.mark.parametrize("limit", ["LINE_LIMIT", "LINES_LIMIT"])
@pytest.mark.parametrize("name", cases(without=("bytes", "markup", "pieces")))
def test_lines_beyond_the_limits(name: str, limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too long a line, or too many; one of JSON may be as long as a file, and a text in it may not."""
    data = content_of(name)
    longest = max(map(len, data.decode().splitlines()))
    held = longest if limit == "LINE_LIMIT" else data.count(b"\n")
    if limit == "LINE_LIMIT" and "json" in READERS[name].kinds and name != "ratings":
        if READERS[name].read in (as_texts, as_table, as_hypotheses):
            lower(monkeypatch, "LINE_LIMIT", 2)
            assert re.search("characters.*; the limit is 2", str(outcome(name, tmp_path, data)))
        lower(monkeypatch, "SIZE_LIMIT", longest - 1)
    else:
        lower(monkeypatch, limit, held)
        assert not isinstance(outcome(name, tmp_path, data), InputError)
    lower(monkeypatch, limit, held - 1)
    assert f"the limit is {held - 1:,}" in refusal(name, tmp_path, data)


@pytest.mark.parametrize("name", cases("json"))
def test_a_key_twice_in_json_and_json_that_is_too_deep(name: str, tmp_path: Path) -> None:
    data = content_of(name).decode()
    for place in (data.rindex("{"), data.index("{")):  # of the last object, and of the first
        said = refusal(name, tmp_path, (data[: place + 1] + '"zz": [], "zz": [], ' + data[place + 1 :]).encode())
        assert "the key 'zz' occurs twice in one object" in said
    place = data.rindex("{")
    deep = f'"zz": {"[" * 100_000}{"]" * 100_000}, '
    assert isinstance(outcome(name, tmp_path, (data[: place + 1] + deep + data[place + 1 :]).encode()), InputError)
