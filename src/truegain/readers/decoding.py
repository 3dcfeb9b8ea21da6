"""Text from bytes: UTF-8 and nothing else, by one rule for every kind of file."""

from __future__ import annotations

import codecs

from truegain.errors import InputError

_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_HEAD = 1 << 16  # bytes that are looked at to name another encoding
_SHARE = 0.9  # of the zero bytes of UTF-16 that stand at even places, or at odd ones
_MANY = 0.2  # of all bytes are zero in UTF-16 of a Latin script


def decode(data: bytes, name: str | None, *, before: int = 0) -> str:
    """Return the text of a file in UTF-8, or of a part of it that follows ``before`` lines.

    Raises
    ------
    InputError
        If it is not UTF-8, or holds a NUL: with the line, the byte, and the encoding that it looks like.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if (other := _other_encoding(data, begins=before == 0, valid=False)) is not None:
            raise _wide(other, name) from error
        line, column = _place(data, error.start, before)
        raise InputError(
            f"byte {column} of the line (0x{data[error.start]:02x}) is not UTF-8",
            path=name,
            line=line,
            hint="convert the file: iconv -f LATIN1 -t UTF-8 (or whatever its encoding is)",
        ) from error
    if (zero := data.find(b"\0")) >= 0:
        if (other := _other_encoding(data, begins=before == 0, valid=True)) is not None:
            raise _wide(other, name)
        line, column = _place(data, zero, before)
        raise _zero(f"byte {column} of the line", name, line)
    return text


def check_characters(text: str, what: str, name: str | None = None) -> None:
    """Refuse a NUL in a text that came from elsewhere than a file of text: JSON, a list in Python."""
    if "\0" in text:
        raise _zero(f"character {text.index(chr(0)) + 1} of {what}", name, None)


def _zero(where: str, name: str | None, line: int | None) -> InputError:
    return InputError(
        f"{where} is NUL (0x00), which text does not have",
        path=name,
        line=line,
        hint="is this a file of text, and was it written to its end?",
    )


def _wide(found: tuple[str, str], name: str | None) -> InputError:
    encoding, words = found
    return InputError(
        f"{words}; UTF-8 was expected", path=name, hint=f"convert the file: iconv -f {encoding} -t UTF-8 FILE > NEW"
    )


def _place(data: bytes, start: int, before: int) -> tuple[int, int]:
    """Return the line and the byte of the line, both from 1."""
    return before + data.count(b"\n", 0, start) + 1, start - (data.rfind(b"\n", 0, start) + 1) + 1


def _other_encoding(data: bytes, *, begins: bool, valid: bool) -> tuple[str, str] | None:
    """Return another encoding that bytes are in, as far as can be seen, and the words to say so."""
    for mark, encoding in _MARKS.items() if begins else ():
        if data.startswith(mark):
            return encoding, f"this is text in {encoding}, by the byte order mark at its start"
    head = data[: min(_HEAD, len(data)) // 4 * 4] or data
    zeros = head.count(b"\0")
    if zeros < 2 or (valid and zeros < _MANY * len(head)):
        return None
    by_place = [head[place::4].count(b"\0") for place in range(4)]
    full = _SHARE * (len(head) // 4)
    for encoding, fits in (
        ("UTF-32LE", min(by_place[2:]) >= full),  # the upper half of nearly every character is zero
        ("UTF-32BE", min(by_place[:2]) >= full),
        ("UTF-16LE", by_place[1] + by_place[3] >= _SHARE * zeros),
        ("UTF-16BE", by_place[0] + by_place[2] >= _SHARE * zeros),
    ):
        if fits:
            return encoding, f"this looks like text in {encoding[:6]}, without a byte order mark"
    return None
