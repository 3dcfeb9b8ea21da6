"""CoNLL-U: a gold treebank, and a parser's output over the same or another text."""

from __future__ import annotations

from contextlib import suppress

from fuzz.held import file
from fuzz.scored import score
from truegain.errors import InputError
from truegain.readers.any_format import read_text
from truegain.readers.matching import match

WORDS = [b"\t", b"1-2\tab", b"# newdoc id = ", b"# sent_id = ", b"\t_\t_\t0\troot\t_\t_\n", b"1.1", b"\xc2\xa0", b"_"]
#: Between a gold treebank and the output.
SPLIT = b"\n====\n"


def check(data: bytes) -> None:
    """Each half as a treebank, the second on the words of the first, scored."""
    gold, _, output = data.partition(SPLIT)
    with suppress(InputError):
        first = read_text(file("gold.conllu", gold))
        score("las", first.lines, [first.lines])
        second = read_text(file("output.conllu", output or gold))
        texts = match([first, second])
        score("uas", texts[1].lines, [texts[0].lines])
