"""The same question put in other ways has the same answer; what one reader refuses, all refuse."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz import targets
from fuzz.held import file
from fuzz.targets.one_rule import AVERAGING, READERS, WAYS
from tests.refusals import refused

# With eight seeds each in fuzz/seeds, the questions that `make test-all` asks in up to nine ways.
EXAMPLES = {"same_scores": 60, "same_texts": 20}


@pytest.mark.whole
@pytest.mark.parametrize("target", EXAMPLES)
def test_the_same_question_has_the_same_answer(target: str) -> None:
    check = targets.load(target).check

    @settings(max_examples=EXAMPLES[target])
    @given(st.binary(min_size=60, max_size=250))
    def ask(data: bytes) -> None:
        check(data)

    ask()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_refuses_it_everywhere(reader: str, way: str) -> None:
    ending, text, read = READERS[reader]
    good = text.encode()
    read(file(f"good.{ending}", good))
    if (reader, way) in AVERAGING:
        read(file(f"spoiled.{ending}", WAYS[way](good, 0) or b""))
        return
    for spoiled in dict.fromkeys(WAYS[way](good, place) for place in range(len(good) + 1)):
        if spoiled is not None:
            with refused():
                read(file(f"spoiled.{ending}", spoiled))
