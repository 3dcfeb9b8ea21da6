"""SGML as it is found, not as it should be."""

from __future__ import annotations

import pytest

from tests.readers.files import Record
from tests.refusals import refused
from truegain.readers.sgml import scan_sgml


def scanned(text: str | bytes) -> list[object]:
    record = Record()
    scan_sgml(text.encode() if isinstance(text, str) else text, "a.sgm", record)
    return record.seen[:-1]  # the end of a segment that may be open at the end of the file


def test_case_quotes_and_lines() -> None:
    text = "\ufeff<DOC DocID=\"a b\" sysid = 'c>d' genre=news\nnoise>\n<Seg ID=1>x</SEG>"
    document = ("doc", {"docid": "a b", "sysid": "c>d", "genre": "news"}, 1)
    assert scanned(text) == [document, ("seg", {"id": "1"}, 3), "x", "/seg"]


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
    assert scanned(f"<seg id=1>{text}</seg>") == [("seg", {"id": "1"}, 1), expected, "/seg"]


def test_a_quote_that_is_not_closed_makes_no_tag() -> None:
    assert scanned('<seg id="1>x</seg>') == ['<seg id="1>x', "/seg"]


def test_entities_of_its_own_are_refused() -> None:
    with refused(naming=["a.sgm:3"]):
        scanned('<!DOCTYPE refset [\n\n<!ENTITY x "y">\n]>\n<refset><doc><seg>&x;</seg>')
    assert scanned("<seg><!ENTITY x 'y'></seg>")[1] == "<!ENTITY x 'y'>"


def test_other_encodings_are_refused() -> None:
    with refused(naming=["a.sgm:2", "6", "8"]):
        scanned(b"<doc>\n<seg>\xe9</seg>")
