"""What decoders write, and WMT's JSON lines: files that hold several texts and say what each is."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from fuzz.scored import score
from truegain.errors import InputError
from truegain.readers.any_format import Files

WORDS = [
    b"H-0\t-1\t",
    b"D-0\t-1\t",
    b"S-0\t",
    b"T-1\t",
    b"0 ||| ",
    b" ||| ",
    b"||| F0= -1 ||| -0.5\n",
    b"1|||",
    b"9" * 20,
    b'"doc_id":',
    b'"tgt_text":',
    b'"refs":',
    b'"_#_',
]


def check(data: bytes) -> None:
    """Texts of one length, scored."""
    for name in ("fuzzed.out", "fuzzed.jsonl"):
        _check(file(name, data))


def _check(path: str) -> None:
    with suppress(InputError):
        found = Files()(path)
        if found is not None:
            texts = [text.lines for role in found.texts.values() for text in role.values()]
            if len({len(lines) for lines in texts}) != 1:
                raise AssertionError("texts of different lengths")
            score("bleu", texts[0], [texts[-1]])
