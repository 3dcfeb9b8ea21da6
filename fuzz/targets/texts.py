"""Two texts by every metric of texts: tokenisers and kernels."""

from __future__ import annotations

from contextlib import suppress

from fuzz.scored import score
from truegain.errors import InputError

WORDS = [
    b"&quot;",
    b"<skipped>",
    b"1,000.5",
    b"\xe3\x80\x80",
    b"\xf0\x9f\x98\x80",
    b"\xed\xa0\x80",
    b"-",
    b"'s",
    b"\x0b",
]
#: Between the output and the reference; each of a segment a line.
SPLIT = b"\n====\n"
_METRICS = (
    *("bleu", "bleu:tokenize=intl", "bleu:tokenize=char,smooth_method=floor", "bleu:tokenize=zh,lowercase=true"),
    *("chrf", "chrf:word_order=2", "ter", "ter:normalized=true", "wer", "per", "cer", "length", "unigram", "exact"),
    *("rouge1", "rouge2", "rougel", "rougelsum", "rouge:n=3", "squad_f1", "exact:normalize=squad", "accuracy"),
)


def check(data: bytes) -> None:
    """Any text can be scored: bytes that are no UTF-8 become halves of characters, as JSON can hold them."""
    output, _, reference = (one.decode("utf-8", "surrogateescape") for one in data.partition(SPLIT))
    outputs, references = output.split("\n"), reference.split("\n")
    count = max(len(outputs), len(references))
    outputs += [""] * (count - len(outputs))
    references += [""] * (count - len(references))
    for metric in _METRICS:
        with suppress(InputError):
            score(metric, outputs, [references])
            score(metric, outputs, [references, outputs[::-1]])
