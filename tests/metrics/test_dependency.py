"""UAS and LAS of sentences given as they are; tests/parity/test_conll18.py has real parsers."""

from __future__ import annotations

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused
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
    assert UAS().statistics(["", SYSTEM[1]], [GOLD]).tolist() == [[0, 4, 0], [0, 1, 2]], "no words in an empty segment"


def test_the_score_takes_any_leading_axes_and_no_words_at_all() -> None:
    totals = np.array([[[3.0, 5.0, 6.0], [0.0, 0.0, 0.0]]])
    assert UAS().score(totals).tolist() == [[pytest.approx(600 / 11), 100.0]]


def test_blocks_can_be_compared_in_python() -> None:
    result = tg.compare(GOLD * 10, {"base": SYSTEM * 10, "other": [GOLD[0], SYSTEM[1]] * 10}, metrics=["las"])
    assert result["las", "other"].delta == pytest.approx(100 * (8 - 6) / 11)


@pytest.mark.parametrize(
    ("hypotheses", "references", "told"),
    [
        (SYSTEM, [[GOLD[0], None]], ["segment 2"]),
        (SYSTEM, [["text", "text"]], ["reference", "segment 1", "line 1"]),
        (["text", "text"], [GOLD], ["segment 1", "line 1"]),
        (SYSTEM[:1], [GOLD], [1, 2]),
        (SYSTEM[::-1], [GOLD], ["segment 1", "line 1"]),
        (["\n\n".join(SYSTEM)], [GOLD[:1]], ["segment 1", 2]),
        (SYSTEM, [["1\tShe\tX\t2\tnsubj", "1\tYes\tX\t0\troot"]], ["segment 1"]),
    ],
)
def test_what_is_refused(hypotheses: list[str], references: list[list[str | None]], told: list[object]) -> None:
    with refused(naming=told):
        LAS().statistics(hypotheses, references)
