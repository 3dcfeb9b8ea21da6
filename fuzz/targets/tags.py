"""Tagged words in columns."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from fuzz.scored import score
from truegain.errors import InputError
from truegain.readers.any_format import read_text
from truegain.readers.matching import match

WORDS = [b"-DOCSTART- -X- O O\n\n", b" B-ORG\n", b" I-ORG\n", b" O\n", b" S-PER\n", b" E-PER\n", b"\t", b"\xe2\x80\x83"]
#: Between the reference and the output.
SPLIT = b"\n====\n"


def check(data: bytes) -> None:
    """Each half, and the second against the first."""
    reference, _, output = data.partition(SPLIT)
    with suppress(InputError):
        first = read_text(file("reference.conll", reference))
        second = read_text(file("output.conll", output or reference))
        texts = match([first, second])
        for metric in ("span_f1", "tag_accuracy"):
            with suppress(InputError):
                score(metric, texts[1].lines, [texts[0].lines])
