"""XML: what is well-formed, and what is refused before it does harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.files import Record
from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.xml import scan_xml


def scanned(text: str | bytes) -> list[object]:
    record = Record()
    scan_xml(text.encode() if isinstance(text, str) else text, "a.xml", record)
    return record.seen


def test_tags_and_texts() -> None:
    found = scanned('<A>\n<B Id="1">x &lt; &#233;<![CDATA[<y>]]></B></A>')
    assert found == [("a", {}, 1), ("b", {"id": "1"}, 2), "x < é<y>", "/b", "/a"]


def test_other_encodings_that_the_file_names() -> None:
    assert scanned("<?xml version='1.0' encoding='latin-1'?><a>é</a>".encode("latin-1"))[1] == "é"
    assert scanned("<?xml version='1.0'?><a>é</a>".encode("utf-16"))[1] == "é"


def test_a_billion_laughs_are_refused_at_the_first() -> None:
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">\n' for i in range(1, 10))
    with refused(naming=["'l0'", "a.xml:2"]):
        scanned(f'<!DOCTYPE a [\n<!ENTITY l0 "ha">\n{entities}]><a>&l9;</a>')


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
        scanned(text.format(secret.as_uri()))


def test_a_dtd_that_is_named_is_not_looked_at() -> None:
    opening = '<!DOCTYPE a SYSTEM "http://localhost:1/none.dtd">'
    assert scanned(f"{opening}\n<a b='x &amp; &#65;'>x</a>") == [("a", {"b": "x & A"}, 2), "x", "/a"]


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
        scanned(text)


def test_depth_is_no_matter() -> None:
    assert len(scanned("<a>" * 100_000 + "</a>" * 100_000)) == 200_000


@pytest.mark.parametrize(("text", "nist"), [("<refset><doc></refset>", True), ("<dataset><doc></dataset>", False)])
def test_sgml_is_suspected_only_where_it_may_be(text: str, nist: bool) -> None:
    with pytest.raises(InputError) as refused:
        scanned(text)
    assert ("SGML" in str(refused.value)) == nist
