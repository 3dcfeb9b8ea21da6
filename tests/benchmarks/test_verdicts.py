"""The study of verdicts under several metrics, on a small simulated test set and on verdicts made by hand."""

from __future__ import annotations

import csv
import itertools

import numpy as np
import pytest

from benchmarks import verdicts
from benchmarks.data import ROOT, simulated
from benchmarks.verdicts import METRICS, Counts, Pool, Verdicts, counted, decided
from truegain.readers.memory import corpus_from_memory


@pytest.fixture(scope="module")
def found() -> Verdicts:
    return decided(Pool("small", "four systems", simulated(60, 4).corpus(), tokenised=False), resamples=199)


def test_verdicts_are_counted() -> None:
    first = np.array([1, -1, 0, 1, 0, -1, 1])
    second = np.array([1, -1, 0, 0, -1, 1, -1])
    assert counted(first, second) == Counts(same=2, neither=1, first=1, second=1, contradict=2)


def test_every_pair_under_every_metric_and_test(found: Verdicts) -> None:
    assert found.pairs == 6
    assert found.longer.size == 6
    assert set(found.p) == set(itertools.product(METRICS, found.tests))
    assert all(p.size == 6 and (p > 0).all() and (p <= 1).all() for p in found.p.values())
    for metric, test in found.p:
        assert sum(vars(counted(found.of(metric, test), found.of("TER", test))).values()) == 6
        assert (np.abs(found.of(metric, test, 1.0)) == np.abs(found.directions[metric])).all()
        assert not found.of(metric, test, 0.0).any()


def test_the_papers_tests_are_not_asked_of_documents() -> None:
    data = simulated(40, 2)
    systems = {name: list(lines) for name, lines in data.systems.items()}
    corpus = corpus_from_memory(list(data.reference), systems, documents=[str(i // 2) for i in range(40)])
    found = decided(Pool("documents", "", corpus, tokenised=False, unit="document"), resamples=99)
    assert found.tests == ["ar", "bootstrap"]
    assert {row[0] for row in verdicts.forms_rows(found)} == {"recommended"}


def test_tables_by_hand() -> None:
    directions = {metric: np.array([1, 1, -1, 1]) for metric in METRICS}
    directions["TER"] = np.array([-1, 1, -1, 1])
    low, high = np.array([0.001, 0.02, 0.2, 0.9]), np.array([0.03, 0.2, 0.2, 0.9])
    p = {(metric, test): low if metric == "TER" else high for metric in METRICS for test in ("ar", "bootstrap")}
    found = Verdicts("hand", "", directions, p, np.array([1, 1, 1, -1]), dict.fromkeys(METRICS, 0.5))
    shares = [line.split() for line in verdicts.share_table(found).splitlines()]
    assert ["BLEU", "25.0", "25.0", "0.0", "0.0"] in shares
    assert ["TER", "50.0", "50.0", "25.0", "25.0"] in shares
    two = verdicts.metric_rows(found)
    assert ["BLEU, NIST", "0", "1 / 1", "3 / 3", "0 / 0", "0 / 0", "0 / 0", "–"] in two
    # TER is for the first system of the first pair, whose outputs are the shorter ones.
    assert ["BLEU, TER", "1", "0 / 0", "2 / 2", "0 / 0", "1 / 1", "1 / 1", "0 : 1"] in two
    assert ["recommended", "TER", "2", "0", "0", "1", "0", "0", "0"] in verdicts.forms_rows(found)
    said = verdicts.all_metrics(found)
    assert "one verdict on 2 of 4 pairs; on 1 some see" in said
    assert "on 1 two contradict each other, with Holm's adjustment on 0." in said


def test_the_page_has_every_table(found: Verdicts) -> None:
    text = verdicts.page([verdicts.section(found)] * 2, resamples=199)
    assert text.count("## small") == 2
    assert all(f"\n{metric} " in text for metric in METRICS)
    for name, (headings, *rows) in verdicts.tables([found, found]).items():
        held = (ROOT / "docs" / "studies" / "data" / f"{name}.csv").read_text(encoding="utf-8").splitlines()
        assert next(csv.reader(held)) == headings
        assert {len(row) for row in rows} == {len(headings)}
        assert f"(data/{name}.csv)" in text
