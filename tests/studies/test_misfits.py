"""Stored comparisons whose parts do not fit together."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import truegain as tg
from truegain.errors import InputError
from truegain.studies.stored import parse

LINES = [f"a b c d e f {i}" for i in range(12)]
SYSTEMS = {
    name: [f"a b {name} d e {i}" if i % step else line for i, line in enumerate(LINES)]
    for name, step in (("x", 2), ("y", 3), ("z", 5))
}


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(tg.compare(LINES, SYSTEMS, metrics=["bleu", "chrf"], resamples=19).render("json"))
    return made


def test_a_comparison_is_missing(data: dict[str, Any]) -> None:
    changed = copy.deepcopy(data)
    changed["comparisons"].pop()
    with pytest.raises(InputError, match=r"comparisons: the pairs of the first metric were expected under 'chrf'"):
        parse(changed)


def test_comparisons_in_another_order(data: dict[str, Any]) -> None:
    changed = copy.deepcopy(data)
    changed["comparisons"][2:] = changed["comparisons"][:1:-1]
    with pytest.raises(InputError, match="in the same order"):
        parse(changed)


def test_an_interval_upside_down(data: dict[str, Any]) -> None:
    changed = copy.deepcopy(data)
    changed["comparisons"][1]["ci"] = [5, 1]
    with pytest.raises(
        InputError, match=r"comparisons\[1\]\.ci: a list of 2, the lower end first, was expected; found \[5, 1\]"
    ):
        parse(changed)


@pytest.mark.parametrize("kind", ["transfers", "populations"])
def test_a_range_of_p_too_many(kind: str) -> None:
    """The figure names a range for each share."""
    domains = ["news", "talks"] * 6
    found = tg.domains(LINES, SYSTEMS, domains=domains, unit="segment", draws=3, resamples=19, draw_resamples=19)
    changed = json.loads(found.render("json"))
    changed[kind][1]["bins"].append(changed[kind][1]["bins"][0])
    with pytest.raises(InputError, match=rf"{kind}\[1\]\.bins: a list of the bins of p, 0 to .* to 1, was expected"):
        parse(changed)


def test_far_more_segments_than_are_listed() -> None:
    """The number is only compared: no list of so many is made."""
    found = tg.inspect(LINES, {name: SYSTEMS[name] for name in "xy"}, metrics=["bleu"], everything=True)
    changed = json.loads(found.render("json"))
    changed["testset"]["segments"] = 2**53 - 1
    with pytest.raises(InputError, match=r"segments 1 to 9,007,199,254,740,991 were expected"):
        parse(changed)
