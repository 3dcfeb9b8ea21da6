"""The bibliography and what cites it."""

from __future__ import annotations

import re

import pytest

from truegain import bibliography, compare
from truegain.bibliography import bibtex, entries
from truegain.inference.multiplicity import ADJUSTMENTS
from truegain.registry import METRICS, SCORERS, TESTS
from truegain.version import __version__

# Whose source is a talk, a poster or nothing that a bibliography could name.
UNNAMED = {"wer", "cer", "scores", "accuracy", "tag_accuracy"}
UNNAMED_METHODS = {"none", "bonferroni"}


def test_everything_that_can_be_asked_for_is_cited() -> None:
    assert {*METRICS, *SCORERS} - bibliography.METRICS.keys() == UNNAMED
    assert {*TESTS, *ADJUSTMENTS} - bibliography.METHODS.keys() == UNNAMED_METHODS
    # Nothing is cited that is not there, and nothing is there in vain.
    cited = [*bibliography.METRICS.values(), *bibliography.METHODS.values()]
    assert {key for keys in cited for key in keys} == entries().keys()


SOURCES = [({**METRICS, **SCORERS}[name].source, keys) for name, keys in bibliography.METRICS.items()]
SOURCES += [(TESTS[name].source, keys) for name, keys in bibliography.METHODS.items() if name in TESTS]
DATED = [one for one in SOURCES if re.search(r"[12]\d{3}", one[0])]


@pytest.mark.parametrize(("source", "keys"), DATED, ids=[source for source, _ in DATED])
def test_entries_agree_with_the_source_that_listings_name(source: str, keys: tuple[str, ...]) -> None:
    """Authors and year of one of the entries stand in the listing."""
    for key in keys:
        year, author = (re.search(rf"{field} = \{{(.*)\}}", entries()[key]) for field in ("year", "author"))
        assert year is not None
        assert author is not None
        name = author[1].split(",")[0].split(" and ")[0].replace("{\\'c}", "ć")
        if year[1] in source and name in source:
            return
    pytest.fail(f"none of {keys} is in {source!r}")


@pytest.mark.parametrize("key", list(entries()))
def test_entries_are_balanced_and_whole(key: str) -> None:
    entry = entries()[key]
    assert entry.count("{") == entry.count("}")
    for field in ("title", "author"):
        assert f"  {field} = {{" in entry
    assert entry.isascii()


def test_each_entry_once_and_the_version_filled_in() -> None:
    text = bibtex(["length"], ["crossed", "clark2011", "truegain", "no such thing"])
    assert text.count("@") == 3
    assert f"Version {__version__}" in text
    assert bibtex([], []) == ""


def test_a_result_cites_its_intervals_and_when_it_stopped() -> None:
    scores = {"a": [float(i % 7) for i in range(60)], "b": [float(i % 5) for i in range(60)]}
    plain = compare(None, scores, metrics=["scores"], resamples=100)
    special = compare(None, scores, metrics=["scores"], resamples="auto", interval="bca")
    assert not {"bca", "sequential"} & set(plain.used()[1])
    assert {"bca", "sequential"} <= set(special.used()[1])
    assert "@article{gandy2009sequential," in bibtex(*special.used())
