"""XML: what is well-formed, and what is refused before it does harm."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from truegain.errors import InputError
from truegain.readers.xml import scan_xml


class Record:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        self.seen.append((tag, dict(attributes), line))

    def end(self, tag: str) -> None:
        self.seen.append(f"/{tag}")

    def text(self, data: str) -> None:
        if data.strip():
            self.seen.append(data)

    @property
    def inside(self) -> bool:
        return False


def scanned(text: str | bytes) -> list[object]:
    record = Record()
    scan_xml(text.encode() if isinstance(text, str) else text, "a.xml", record)
    return record.seen


def test_tags_and_texts() -> None:
    assert scanned('<A>\n<B Id="1">x &lt; &#233;<![CDATA[<y>]]></B></A>') == [
        ("a", {}, 1),
        ("b", {"id": "1"}, 2),
        "x < é<y>",
        "/b",
        "/a",
    ]


def test_other_encodings_that_the_file_names() -> None:
    assert scanned("<?xml version='1.0' encoding='latin-1'?><a>é</a>".encode("latin-1"))[1] == "é"
    assert scanned("<?xml version='1.0'?><a>é</a>".encode("utf-16"))[1] == "é"


def test_a_billion_laughs_are_refused_at_the_first() -> None:
    bomb = '<!DOCTYPE a [\n<!ENTITY l0 "ha">\n' + "".join(
        f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">\n' for i in range(1, 10)
    )
    with pytest.raises(InputError) as error:
        scanned(bomb + "]><a>&l9;</a>")
    assert str(error.value) == (
        "a.xml:2: the entity 'l0' is declared or used; only &amp; &lt; &gt; &quot; &apos; and numbers are read\n"
        "  entities can hide whole texts or files: write out what they stand for"
    )


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
    with pytest.raises(InputError, match="the entity 'x' is declared or used"):
        scanned(text.format(secret.as_uri()))


def test_a_dtd_that_is_named_is_not_looked_at() -> None:
    assert scanned('<!DOCTYPE a SYSTEM "http://localhost:1/none.dtd"><a>x</a>') == [("a", {}, 1), "x", "/a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<a>\nx & y</a>", r"a\.xml:2: not well-formed XML: not well-formed \(invalid token\) \(column 4\)"),
        ("<a>\n<b></a>", r"a\.xml:2: not well-formed XML: mismatched tag"),
        ("<a>&x;</a>", r"a\.xml:1: not well-formed XML: undefined entity"),
        ("text", r"a\.xml:1: not well-formed XML: syntax error .*\n  is the file whole\?"),
        (b"<a>\xe9</a>", r"a\.xml:1: not well-formed XML"),
    ],
)
def test_what_is_not_well_formed(text: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        scanned(text)


def test_depth_is_no_matter() -> None:
    assert len(scanned("<a>" * 100_000 + "</a>" * 100_000)) == 200_000


@pytest.mark.parametrize("encoding", ["gbk", "shift_jis", "utf-7", "foo"])
def test_an_encoding_that_cannot_be_read_is_named(encoding: str) -> None:
    with pytest.raises(InputError, match=f"encoding '{encoding}' is declared") as refused:
        scanned(f'<?xml version="1.0" encoding="{encoding}"?><a>x</a>')
    assert "convert it to UTF-8" in str(refused.value)


def test_an_entity_of_a_dtd_elsewhere_is_refused_in_a_value_too() -> None:
    opening = '<!DOCTYPE a SYSTEM "a.dtd">\n'
    with pytest.raises(InputError, match=r"a\.xml:2: the entity 'who'"):
        scanned(f'{opening}<a b="x &amp; &who;">x</a>')
    assert scanned(f"{opening}<a b='x &amp; &#65;'>x</a>")[0] == ("a", {"b": "x & A"}, 2)


@pytest.mark.parametrize(("text", "nist"), [("<refset><doc></refset>", True), ("<dataset><doc></dataset>", False)])
def test_sgml_is_suspected_only_where_it_may_be(text: str, nist: bool) -> None:
    with pytest.raises(InputError) as refused:
        scanned(text)
    assert ("SGML" in str(refused.value)) == nist
