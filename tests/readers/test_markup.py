"""Test sets in XML and SGML: documents, ids, several references and systems in a file."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

import truegain as tg
from tests.readers.files import write
from tests.refusals import refused
from truegain.readers.corpora import read_corpus
from truegain.readers.formats import File
from truegain.readers.markup import read_markup
from truegain.readers.memory import corpus_from_memory

WMT = """<?xml version='1.0' encoding='utf-8'?>
<!-- a test set -->
<dataset id="newstest">
  <collection id="general">
    <doc id="a.1" origlang="en" domain="news">
      <src lang="en"><p><seg id="1">One.</seg><seg id="2">Two &amp; three.</seg></p></src>
      <ref lang="de" translator="A"><p><seg id="1">Eins.</seg></p><p><seg id="2">Zwei &amp;
         drei.</seg></p></ref>
      <ref lang="de" translator="B"><p><seg id="1">Ein.</seg><seg id="2">Zwo, drei.</seg></p></ref>
      <hyp lang="de" system="old"><p><seg id="2">Zwei drei.</seg><seg id="1">Eines.</seg></p></hyp>
      <hyp lang="de" system="new:2"><p><seg id="1">Eins.</seg><seg id="2">Zwei und <b>drei</b>.</seg></p></hyp>
    </doc>
    <doc id="b.2">
      <src lang="en"><seg id="1">Four.</seg></src>
      <ref lang="de" translator="A"><seg id="1">Vier.</seg></ref>
      <ref lang="de" translator="B"><seg id="1">Vier!</seg></ref>
      <hyp lang="de" system="old"><seg id="1"></seg></hyp>
      <hyp lang="de" system="new:2"><seg id="1">Vier</seg></hyp>
    </doc>
  </collection>
</dataset>
"""

REFERENCE = """<refset setid="newstest" srclang="any" trglang="de">
<DOC SYSID="ref" DocID="a.1" genre=news>
<hl>
<seg id="1"> AT&T &amp; &lt;Eins> &#8211; </seg>
</hl>
<p>
<seg id=2>Zwei
<seg id=3>Drei
</p>
</DOC>
<doc sysid='ref' docid='b.2'><seg id="1">Vier < f\u00fcnf
"""

SYSTEM = """<tstset setid="newstest" srclang="any" trglang="de">
<doc sysid="old" docid="b.2"><seg id="1">4 < 5</seg></doc>
<doc sysid="old" docid="a.1"><seg id="1">1</seg><seg id="3">3</seg><seg id="2">2</seg></doc>
</tstset>
"""

HYPOTHESIS = '<hyp system="s"><seg id="1">x</seg></hyp>'


@pytest.fixture
def wmt(tmp_path: Path) -> str:
    return write(tmp_path / "newstest.xml", WMT)


def test_everything_in_one_file(wmt: str) -> None:
    corpus = read_corpus([wmt], [wmt])
    assert corpus.name == "newstest"
    assert corpus.references == (("Eins.", "Zwei & drei.", "Vier."), ("Ein.", "Zwo, drei.", "Vier!"))
    named = {system.name: system.runs[0].name for system in corpus.systems}
    assert list(named.items()) == [("old", f"{wmt}:old"), ("new:2", f"{wmt}:new:2")]
    assert corpus.systems[0].runs[0].outputs == ("Eines.", "Zwei drei.", "")
    assert corpus.systems[1].runs[0].outputs == ("Eins.", "Zwei und drei.", "Vier")
    assert corpus.documents == ("a.1", "a.1", "b.2")
    systems = {"old": f"{wmt}:old", "both": [Path(f"{wmt}:old"), Path(f"{wmt}:new:2")]}
    same = corpus_from_memory(wmt, systems)
    assert (same.references, same.documents) == (corpus.references, corpus.documents)
    assert same.system("both").runs[1].outputs == corpus.systems[1].runs[0].outputs
    with refused(naming=["2", "newstest.xml"]):
        corpus_from_memory(wmt, {"old": wmt})


def test_one_of_several_is_chosen_by_name(wmt: str) -> None:
    corpus = read_corpus([f"{wmt}:new:2", f"best={wmt}:old", f"{wmt}:B"], [f"{wmt}:A"])
    assert [system.name for system in corpus.systems] == ["new:2", "best", "B"]
    assert corpus.references == (("Eins.", "Zwei & drei.", "Vier."),)
    assert corpus.system("B").runs[0].outputs == ("Ein.", "Zwo, drei.", "Vier!")
    both = read_corpus([f"runs={wmt}:old,{wmt}:new:2"], [f"{wmt}:A"])
    assert [run.name for run in both.systems[0].runs] == [f"{wmt}:old", f"{wmt}:new:2"]


def test_sgml_by_document_and_segment(tmp_path: Path) -> None:
    reference, system = write(tmp_path / "ref.sgm", REFERENCE), write(tmp_path / "old.sgml", SYSTEM)
    corpus = read_corpus([system], [reference])
    assert corpus.references == (("AT&T & <Eins> –", "Zwei", "Drei", "Vier < fünf"),)
    assert [run.outputs for run in corpus.systems[0].runs] == [("1", "2", "3", "4 < 5")]
    assert corpus.systems[0].name == "old"
    assert corpus.documents == ("a.1", "a.1", "a.1", "b.2")


def test_texts_and_documents_without_names(tmp_path: Path) -> None:
    sides = [("ref", "a", "b"), ("ref", "c", "d"), ("hyp", "e", "f")]
    texts = (f"<{side}><seg>{one}</seg><seg>{two}</seg></{side}>" for side, one, two in sides)
    doc = f"<doc>{''.join(texts)}</doc>"
    found = read_markup(File(write(tmp_path / "a.xml", f"<dataset>{doc}{doc}</dataset>")))
    assert list(found.texts["reference"]) == ["ref", "ref2"]
    assert found.texts["reference"]["ref2"].lines == ["c", "d"] * 2
    hypothesis = found.texts["system"]["hyp"]
    assert hypothesis.ids == ("document 1:1", "document 1:2", "document 2:1", "document 2:2")
    assert hypothesis.documents == ("document 1", "document 1", "document 2", "document 2")
    # As NIST has them, with each text in documents of its own.
    sets = (f'<refset refid="r{i}"><doc docid="d"><seg id="1">x{i}</seg></doc></refset>' for i in (0, 1))
    system = '<tstset sysid="s"><doc docid="d"><seg>z</seg></doc></tstset>'
    head = '<?xml version="1.0"?><!DOCTYPE mteval SYSTEM "ftp://example.org/mteval.dtd">'
    found = read_markup(File(write(tmp_path / "all.xml", f"{head}<mteval>{''.join(sets)}{system}</mteval>")))
    assert [text.lines for text in found.texts["reference"].values()] == [["x0"], ["x1"]]
    assert found.texts["system"]["s"].lines == ["z"]


@pytest.mark.parametrize(
    ("systems", "references", "message"),
    [
        (["{}:nwe:2"], ["{}"], ["'nwe:2'", "'new:2'", "newstest.xml", "2"]),
        (["{}:old"], ["{}:C"], ["'C'", "newstest.xml", "2"]),
        (["x={}"], ["{}"], ["2", "newstest.xml"]),
        (["{}.not:old"], ["{}"], []),
        (["{}:old", "{}:old"], ["{}"], ["'old'"]),
    ],
)
def test_choices_that_do_not_fit(wmt: str, systems: list[str], references: list[str], message: list[str]) -> None:
    with refused(naming=message):
        read_corpus([one.format(wmt) for one in systems], [one.format(wmt) for one in references])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.xml", "<dataset></dataset>", []),
        ("a.sgm", "just text", []),
        ("a.xml", " \n", []),
        ("a.xml", "<dataset>\n<seg>a</seg></dataset>", ["a.xml:2"]),
        ("a.xml", "<dataset><doc>\n\n<seg>a</seg></doc></dataset>", ["a.xml:3"]),
        ("a.sgm", "<doc docid=x>\n<seg>a", ["a.sgm:2"]),
        ("a.sgm", SYSTEM, []),
        ("a.xml", f'<dataset>\n<doc id="d">{HYPOTHESIS}\n{HYPOTHESIS}</doc></dataset>', ["'d'", "'s'", "a.xml:3"]),
    ],
)
def test_files_with_no_reference_or_a_system_twice(tmp_path: Path, name: str, text: str, message: list[str]) -> None:
    path = write(tmp_path / name, text)
    with refused(naming=message):
        read_corpus([path], [path])


def test_a_segment_that_is_missing_is_named(tmp_path: Path) -> None:
    reference = write(tmp_path / "ref.sgm", REFERENCE)
    system = write(tmp_path / "old.sgm", SYSTEM.replace('<seg id="3">3</seg>', ""))
    with refused(naming=["old.sgm", "1", "4", "'a.1:3'", "ref.sgm"]):
        read_corpus([system], [reference])
    write(tmp_path / "old.sgm", SYSTEM.replace('id="3"', 'id="1"'))
    with refused(naming=["'a.1:1'"]):
        read_corpus([system], [reference])


# What XML can hold, line ends and the blanks around them apart: these become one space.
content = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30)


@given(st.lists(content, min_size=1, max_size=5))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    folder = tmp_path_factory.mktemp("any")
    segments = "".join(f"<seg>{escape(line)}</seg>\n" for line in lines)
    xml = write(folder / "a.xml", f'<dataset><doc id="d"><hyp system="s">{segments}</hyp></doc></dataset>')
    sgml = write(folder / "a.sgm", f"<tstset><doc docid=d sysid=s>{segments}</doc></tstset>")
    for path in (xml, sgml):
        assert read_markup(File(path)).texts["system"]["s"].lines == [line.strip() for line in lines]


def test_plain_text_is_taken_in_the_order_of_the_reference(tmp_path: Path) -> None:
    documents = "".join(
        f'<doc id="{name}"><ref translator="A"><seg id="2">{name} two</seg><seg id="1">{name} one</seg></ref></doc>'
        for name in "ba"
    )
    gold = write(tmp_path / "gold.xml", f"<dataset>{documents}</dataset>")
    plain = write(tmp_path / "plain.txt", ["1", "2", "3", "4"])
    corpus = read_corpus([plain], [gold])
    assert corpus.references[0] == ("b two", "b one", "a two", "a one")
    assert corpus.systems[0].runs[0].outputs == ("1", "2", "3", "4")
    assert corpus.documents == ("b", "b", "a", "a")
    taken, documented = corpus.notes
    assert (taken.kind, taken.text.split()[0], gold in taken.text) == ("taken-in-order", plain, True)
    assert documented.text == f"Documents are those that {gold} names"
    assert tg.score(Path(gold), {"a": Path(plain)}, resamples=10).testset.documents == 2
    with refused(naming=["plain.txt", "3", "gold.xml", "4"]):
        read_corpus([write(tmp_path / "plain.txt", ["1", "2", "3"])], [gold])
