"""The bibliography and what cites it."""

from __future__ import annotations

import pytest

from truegain.bibliography import CITES, bibtex, entries
from truegain.inference.multiplicity import ADJUSTMENTS
from truegain.registry import METRICS, TESTS
from truegain.version import __version__

# Whose source is a talk, a poster or nothing that a bibliography could name.
UNNAMED = {"wer", "cer", "scores", "fu-bootstrap", "fu-ar", "none", "bonferroni"}


def test_everything_that_can_be_asked_for_is_cited() -> None:
    assert {*METRICS, *TESTS, *ADJUSTMENTS} - CITES.keys() == UNNAMED


def test_nothing_is_cited_that_is_not_there_and_nothing_is_there_in_vain() -> None:
    assert {key for keys in CITES.values() for key in keys} == entries().keys()


@pytest.mark.parametrize("name", sorted({*METRICS, *TESTS} - UNNAMED))
def test_entries_agree_with_the_source_that_listings_name(name: str) -> None:
    """The year and the first author of the listing stand in one of the entries."""
    source = (METRICS[name] if name in METRICS else TESTS[name]).source
    if not any(character.isdigit() for character in source) or "MultEval" in source:
        return
    text = "\n".join(entries()[key] for key in CITES[name])
    assert any(year in source for year in [key for entry in CITES[name] for key in _years(entries()[entry])])
    assert source.split()[0].rstrip(";,").replace("ć", "") in text.replace("{\\'c}", "") or "Arbuthnot" in source


def _years(entry: str) -> list[str]:
    return [line.split("{")[1].rstrip("},") for line in entry.splitlines() if line.strip().startswith("year")]


@pytest.mark.parametrize("key", list(entries()))
def test_entries_are_balanced_and_whole(key: str) -> None:
    entry = entries()[key]
    assert entry.count("{") == entry.count("}")
    for field in ("title", "author"):
        assert f"  {field} = {{" in entry
    assert entry.isascii()


def test_each_entry_once_and_the_version_filled_in() -> None:
    text = bibtex(["crossed", "clark2011", "truegain", "no such thing"])
    assert text.count("@") == 3
    assert f"Version {__version__}" in text
    assert bibtex([]) == ""
