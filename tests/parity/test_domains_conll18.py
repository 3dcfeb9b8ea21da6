"""Table 1 of Berg-Kirkpatrick et al. (2012) for the five genres of EWT and 25 parsers, against a count by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import truegain as tg
from tests.conftest import ROOT
from truegain.corpus import Corpus
from truegain.studies.domains import DomainsResult

BINS = (0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08)
#: Cases and the share of the same sign, per cent, all 20 transfers pooled; a tie on the target is not the same sign.
BY_HAND = ((3816, 99.6), (128, 98.4), (184, 92.4), (148, 93.2), (208, 89.4), (252, 86.1), (268, 79.9))
BAND_BY_HAND = (144, 78.5)


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> Corpus:
    folder = shared_data / "conll18_en_ewt"
    systems = sorted(str(path) for path in (folder / "systems").glob("*.conllu.gz"))
    corpus = tg.read_corpus(systems, [str(folder / "gold.conllu.gz")])
    assert corpus.documents is not None
    return replace(corpus, domains=tuple(name.partition("-")[0] for name in corpus.documents))


@pytest.fixture(scope="module")
def result(corpus: Corpus) -> DomainsResult:
    return tg.domains(corpus, metrics=["uas"], draws=0, bins=BINS, jobs=1)


def test_it_is_made_of_all_pairs_and_transfers_by_documents(result: DomainsResult) -> None:
    assert [(one.name, one.unit, one.n_units) for one in result.sets] == [
        ("weblog", "document", 14),
        ("email", "document", 23),
        ("newsgroup", "document", 26),
        ("answers", "document", 69),
        ("reviews", "document", 184),
    ]
    (pooled,) = result.pooled
    assert (len(result.systems), len(result.pairs), pooled.transfers) == (25, 300, 20)
    assert sum(one.cases for one in pooled.bins) + pooled.undirected == 20 * 300


def rows(result: DomainsResult) -> list[tuple[int, float]]:
    """Cases and shares as they were counted by hand: ties, half of the same sign to the product, are another sign."""
    (pooled,) = result.pooled
    counted = (*pooled.bins[:-1], pooled.band)
    return [(one.cases, round(100 * (one.same - 0.5 * one.ties) / one.cases, 1)) for one in counted]


def test_table_1_is_that_made_by_hand(result: DomainsResult) -> None:
    assert rows(result) == [*BY_HAND, BAND_BY_HAND]


def test_the_page_has_these_figures(result: DomainsResult) -> None:
    (pooled,) = result.pooled
    page = (ROOT / "docs" / "studies" / "domains.md").read_text(encoding="utf-8")
    shown = (*pooled.bins[1:-1], pooled.band)
    cells = [f"{100 * (one.share or 0):.1f}({one.cases})" for one in shown]
    lines = [re.split(r" {2,}", line) for line in page.splitlines()]
    assert ["EWT, five genres, UAS", *cells] in lines
    assert ["– expected of one domain", *(f"{100 * (one.expected or 0):.1f}" for one in shown)] in lines


def test_another_seed_moves_it_no_more_than_resamples_do(corpus: Corpus) -> None:
    """P of .005 from 10,000 resamples has a standard error of .0007: some pairs change their bins, four cases each."""
    other = tg.domains(corpus, metrics=["uas"], draws=0, bins=BINS, jobs=1, seed=1)
    for (cases, share), (known, held) in zip(rows(other), (*BY_HAND, BAND_BY_HAND), strict=True):
        assert cases == pytest.approx(known, abs=4 * 9)
        assert share == pytest.approx(held, abs=4.0)


def test_the_domain_costs_little_between_genres(result: DomainsResult) -> None:
    """Shares lie below those expected of one domain, but within their intervals; the paper's fall to 48 % on Brown."""
    (pooled,) = result.pooled
    for one in pooled.bins[1:-1]:
        assert one.share is not None
        assert one.expected is not None
        assert one.ci is not None
        assert one.ci[0] < one.expected < one.ci[1]
        assert one.share > one.expected - 0.06
