"""Scanners of markup: XML, which is well-formed or refused before it does harm, and SGML as it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.files import Record
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.sgml import scan_sgml
from truegain.readers.xml import scan_xml


def xml(text: str | bytes) -> list[object]:
    record = Record()
    scan_xml(text.encode() if isinstance(text, str) else text, "a.xml", record)
    return record.seen


def sgml(text: str) -> list[object]:
    record = Record()
    scan_sgml(text.encode(), "a.sgm", record)
    return record.seen[:-1]  # the end of a segment that may be open at the end of the file


def test_tags_and_texts() -> None:
    found = xml('<A>\n<B Id="1">x &lt; &#233;<![CDATA[<y>]]></B></A>')
    assert found == [("a", {}, 1), ("b", {"id": "1"}, 2), "x < é<y>", "/b", "/a"]


def test_other_encodings_that_the_file_names() -> None:
    assert xml("<?xml version='1.0' encoding='latin-1'?><a>é</a>".encode("latin-1"))[1] == "é"
    assert xml("<?xml version='1.0'?><a>é</a>".encode("utf-16"))[1] == "é"


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a [<!ENTITY x SYSTEM "{}">]><a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY % x SYSTEM "{}"> %x;]><a/>',
        '<!DOCTYPE a SYSTEM "{}"><a>&x;</a>',
    ],
)
def test_other_files_are_not_opened(tmp_path: Path, text: str) -> None:
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY x "secret">')
    with refused(naming=["'x'"]):
        xml(text.format(secret.as_uri()))


def test_a_dtd_that_is_named_is_not_looked_at() -> None:
    opening = '<!DOCTYPE a SYSTEM "http://localhost:1/none.dtd">'
    assert xml(f"{opening}\n<a b='x &amp; &#65;'>x</a>") == [("a", {"b": "x & A"}, 2), "x", "/a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<a>\nx & y</a>", ["a.xml:2", "4"]),
        ("<a>\n<b></a>", ["a.xml:2"]),
        ("<a>&x;</a>", ["a.xml:1"]),
        ("text", ["a.xml:1"]),
        (b"<a>\xe9</a>", ["a.xml:1"]),
        # An entity of a DTD elsewhere, in a value too.
        ('<!DOCTYPE a SYSTEM "a.dtd">\n<a b="x &amp; &who;">x</a>', ["'who'", "a.xml:2"]),
        *((f"<?xml version='1.0' encoding='{one}'?><a/>", [one, "8"]) for one in ("gbk", "shift_jis", "utf-7", "foo")),
    ],
)
def test_what_is_not_well_formed_or_cannot_be_read(text: str | bytes, message: list[str]) -> None:
    with refused(naming=message):
        xml(text)


def test_depth_is_no_matter() -> None:
    assert len(xml("<a>" * 100_000 + "</a>" * 100_000)) == 200_000


@pytest.mark.parametrize(("text", "nist"), [("<refset><doc></refset>", True), ("<dataset><doc></dataset>", False)])
def test_sgml_is_suspected_only_where_it_may_be(text: str, nist: bool) -> None:
    with pytest.raises(InputError) as refused:
        xml(text)
    assert ("SGML" in str(refused.value)) == nist


# ---- SGML


def test_case_quotes_and_lines() -> None:
    text = "\ufeff<DOC DocID=\"a b\" sysid = 'c>d' genre=news\nnoise>\n<Seg ID=1>x</SEG>"
    document = ("doc", {"docid": "a b", "sysid": "c>d", "genre": "news"}, 1)
    assert sgml(text) == [document, ("seg", {"id": "1"}, 3), "x", "/seg"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AT&T", "AT&T"),
        ("a &amp; b &LT; c &gt; d &quot;e&apos;", "a & b < c > d \"e'"),
        ("&amp;lt;", "&lt;"),
        ("&#233;&#xE9;", "éé"),
        ("&copy; &nbsp &foo; &;", "&copy; &nbsp &foo; &;"),
        ("&#0; &#xD800; &#1114112; &#99999999;", "&#0; &#xD800; &#1114112; &#99999999;"),
        ("1 < 2 > 0 <b>bold</b> <3 <pre>", "1 < 2 > 0 <b>bold</b> <3 <pre>"),
        ('say "yes', 'say "yes'),
        ("a <p-value> of <seg.1>", "a <p-value> of <seg.1>"),
    ],
)
def test_text_is_text(text: str, expected: str) -> None:
    assert sgml(f"<seg id=1>{text}</seg>") == [("seg", {"id": "1"}, 1), expected, "/seg"]


def test_a_quote_that_is_not_closed_makes_no_tag() -> None:
    assert sgml('<seg id="1>x</seg>') == ['<seg id="1>x', "/seg"]


def test_entities_of_its_own_are_refused() -> None:
    with refused(naming=["a.sgm:3"]):
        sgml('<!DOCTYPE refset [\n\n<!ENTITY x "y">\n]>\n<refset><doc><seg>&x;</seg>')
    assert sgml("<seg><!ENTITY x 'y'></seg>")[1] == "<!ENTITY x 'y'>"
