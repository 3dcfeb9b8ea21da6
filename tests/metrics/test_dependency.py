"""UAS and LAS of sentences given as they are; tests/parity/test_conll18.py has real parsers."""

from __future__ import annotations

import numpy as np
import pytest

import truegain as tg
from truegain.errors import InputError
from truegain.metrics.dependency import LAS, UAS


def block(*words: tuple[str, int, str]) -> str:
    return "\n".join(
        f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_"
        for number, (form, head, relation) in enumerate(words, 1)
    )


GOLD = [
    block(("She", 2, "nsubj"), ("reads", 0, "root"), ("my", 4, "nmod:poss"), ("books", 2, "obj")),
    block(("Yes", 0, "root")),
]
SYSTEM = [
    block(("She", 2, "nsubj"), ("reads", 0, "root"), ("my", 4, "nmod"), ("books", 2, "obl")),
    block(("Y", 2, "x"), ("es", 0, "root")),
]


def test_by_hand() -> None:
    assert UAS().statistics(SYSTEM, [GOLD]).tolist() == [[4, 4, 4], [0, 1, 2]]
    assert LAS().statistics(SYSTEM, [GOLD]).tolist() == [[3, 4, 4], [0, 1, 2]]
    assert LAS(subtypes=True).statistics(SYSTEM, [GOLD]).tolist() == [[2, 4, 4], [0, 1, 2]]
    assert LAS().score(np.array([3.0, 5.0, 6.0])) == pytest.approx(100 * 6 / 11)


def test_the_score_takes_any_leading_axes_and_no_words_at_all() -> None:
    totals = np.array([[[3.0, 5.0, 6.0], [0.0, 0.0, 0.0]]])
    assert UAS().score(totals).tolist() == [[pytest.approx(600 / 11), 100.0]]


def test_an_empty_segment_has_no_words() -> None:
    assert UAS().statistics(["", SYSTEM[1]], [GOLD]).tolist() == [[0, 4, 0], [0, 1, 2]]


def test_prepared_references_serve_every_system() -> None:
    prepared = LAS().prepare([GOLD])
    assert LAS().statistics(SYSTEM, prepared).tolist() == LAS().statistics(SYSTEM, [GOLD]).tolist()


def test_blocks_can_be_compared_in_python() -> None:
    result = tg.compare(GOLD * 10, {"base": SYSTEM * 10, "other": [GOLD[0], SYSTEM[1]] * 10}, metrics=["las"])
    assert result["las", "other"].delta == pytest.approx(100 * (8 - 6) / 11)


def test_names_and_signature() -> None:
    assert (UAS().name, UAS().label, LAS().name, LAS().label) == ("uas", "UAS", "las", "LAS")
    assert UAS().signature().startswith("nrefs:1|measure:f|words:conll18|version:")
    assert LAS(subtypes=True).signature().startswith("nrefs:1|measure:f|words:conll18|subtypes:yes|version:")


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (SYSTEM, [GOLD, GOLD], "las takes one reference; got 2"),
        (SYSTEM, [[GOLD[0], None]], "segment 2 has no reference"),
        (SYSTEM, [["text", "text"]], "the reference: segment 1, line 1: 1 column where CoNLL-U has 10"),
        (["text", "text"], [GOLD], "segment 1, line 1: 1 column where CoNLL-U has 10"),
        (SYSTEM[:1], [GOLD], "1 hypotheses for 2 segments with references"),
        (SYSTEM[::-1], [GOLD], "segment 1, line 1: its text is not that of segment 1 of the reference"),
        (["\n\n".join(SYSTEM)], [GOLD[:1]], "segment 1: 2 sentences where one was expected"),
        (SYSTEM, [["1\tShe\tX\t2\tnsubj", "1\tYes\tX\t0\troot"]], "the gold treebank comes from a file"),
    ],
)
def test_what_is_refused(hypotheses: list[str], references: list[list[str | None]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        LAS().statistics(hypotheses, references)
