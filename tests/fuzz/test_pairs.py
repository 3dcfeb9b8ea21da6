"""Pairs of inputs that mean the same, or do not: nothing is paired, named or grouped wrongly in silence.

``fuzz/pairs`` draws them; here are some of each kind, with ``--slow`` a hundred, and with ``make fuzz`` others.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from fuzz.choices import Choices
from fuzz.pairs import KINDS, judged
from fuzz.targets.pairs import LONGEST
from truegain.readers import corpora, documents, file_names, hypotheses, matching, scored_systems, scores, system_scores
from truegain.readers.repeats import Averaged

FEW, MANY = 8, 100
TRIED: dict[str, Counter[str]] = {}


def drawn(kind: str, number: int) -> Choices:
    return Choices(random.Random(f"{kind} {number}").randbytes(LONGEST))


@pytest.fixture(scope="module", autouse=True)
def table() -> Iterator[None]:
    """Print how many pairs were tried, by kind, and what became of them."""
    yield
    print(f"\n{'kind':46}{'pairs':>6}{'same':>6}{'differs, refused or said':>26}")
    for kind, found in {**TRIED, "all": sum(TRIED.values(), Counter())}.items():
        pairs, same = found.total(), found["same"]
        print(f"{kind:46}{pairs:6,}{same:6,}{pairs - same:26,}")


@pytest.mark.whole
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_wrong_in_silence(kind: str, request: pytest.FixtureRequest) -> None:
    count = MANY if request.config.getoption("--slow") else FEW
    pairs = [KINDS[kind](drawn(kind, number)) for number in range(count)]
    assert {pair.kind for pair in pairs} == {kind}
    found = TRIED[kind] = Counter(judged(KINDS[kind](drawn(kind, number))) for number in range(count))
    # A kind whose pairs mean the same may not pass by refusals alone.
    assert found["same"] or not all(pair.same for pair in pairs)


# ---- Faults put into the program, each of which must be seen


def by_line(ids: Sequence[str], order: Sequence[str], name: str, first: str) -> list[int]:
    """Pair by line whatever the ids are."""
    return list(range(len(order)))


def whatever_case(ids: Sequence[str], order: Sequence[str], name: str, first: str) -> list[int]:
    """Take ids of another case, and numbers with zeros before them, for the same."""
    places = {one.casefold().lstrip("0"): place for place, one in enumerate(ids)}
    return [places.get(one.casefold().lstrip("0"), place) for place, one in enumerate(order)]


def last_sample(ids: Sequence[str], columns: Any, texts: Any = None) -> Averaged:
    """Keep the last row of an item, not the mean."""
    last = {one: place for place, one in enumerate(ids)}
    kept = {name: values[list(last.values())] for name, values in columns.items()}
    return Averaged(tuple(last), kept)


def nothing(*given: Any) -> list[Any]:
    return []


def by_place(one: Any, names: Sequence[str], asked: Sequence[str]) -> tuple[float, ...]:
    """Take the features of a hypothesis in the order in which it has them."""
    return tuple(one.values.values())


def no_file(path: str) -> None:
    return None


FAULTS: dict[str, tuple[Sequence[tuple[Any, str, Any]], tuple[str, ...]]] = {
    "scores are paired by line": (
        [(scored_systems, "order_by", by_line)],
        ("rows in another order", "ids: two exchanged"),
    ),
    "texts are paired by line": ([(matching, "order_by", by_line)], ("rows in another order", "ids: one is missing")),
    "documents are paired by line": ([(documents, "order_by", by_line)], ("documents by id and by line",)),
    "ids are folded": (
        [(scored_systems, "order_by", whatever_case), (matching, "order_by", whatever_case)],
        ("ids: another case", "ids: a zero before a number"),
    ),
    "samples are not averaged": ([(scores, "averaged", last_sample)], ("ids: one twice",)),
    "other orders are not seen": (
        [(scored_systems, "check_row_order", nothing), (matching, "check_row_order", nothing)],
        ("ids: in a column that is not named",),
    ),
    "runs are mixed up": (
        [(scored_systems, "check_run_order", nothing)],
        ("runs in another order than what is theirs", "runs and their scores"),
    ),
    "runs are not told from systems": ([(corpora, "runs_as_systems", nothing)], ("names of files",)),
    "versions are runs": (
        [(file_names, "name_pieces", lambda name, _: name.split(".")), (file_names, "_VERSION", re.compile("(?!)"))],
        ("systems of a folder",),
    ),
    "names of features are not looked at": ([(hypotheses, "_values", by_place)], ("lists for tuning",)),
    "scores of systems are not read": ([(system_scores, "_beside", no_file)], ("scores of mt-metrics-eval",)),
}


@pytest.mark.whole
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_seen(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, kinds = FAULTS[fault]
    for module, name, change in changes:
        monkeypatch.setattr(module, name, change)
    for kind in kinds:
        with pytest.raises((AssertionError, ValueError)):  # a wrong answer, or arrays that do not fit
            [judged(KINDS[kind](drawn(kind, number))) for number in range(FEW)]
