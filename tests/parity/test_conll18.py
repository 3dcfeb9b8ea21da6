"""All 25 parsers of the CoNLL 2018 shared task on English (EWT), against the official script's figures."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import read_gzip
from truegain.corpus import Corpus
from truegain.metrics.dependency import LAS, UAS
from truegain.readers.corpora import read_corpus


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / "conll18_en_ewt"


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Corpus:
    systems = sorted((folder / "systems").glob("*.conllu.gz"))
    return read_corpus([str(path) for path in systems], [str(folder / "gold.conllu.gz")])


def test_documents_are_found(corpus: Corpus) -> None:
    assert corpus.segments == 2077
    assert corpus.documents is not None
    assert len(set(corpus.documents)) == 316


@pytest.mark.parametrize("metric", [UAS(), LAS()], ids=["uas", "las"])
def test_scores_and_counts_of_every_sentence(folder: Path, corpus: Corpus, metric: UAS | LAS) -> None:
    with (folder / "peer_conll18_ud_eval.tsv").open() as file:
        peer = {row["system"]: row for row in csv.DictReader(file, delimiter="\t")}
    sentences = list(csv.DictReader(read_gzip(folder / "per_sentence_counts.tsv.gz"), delimiter="\t"))
    assert corpus.documents == tuple(row["doc_id"] for row in sentences)
    gold = metric.prepare(corpus.references)
    assert len(corpus.systems) == len(peer) == 25
    for system in corpus.systems:
        statistics = metric.statistics(system.runs[0].outputs or (), gold)
        columns = (f"{system.name}:{metric.name}", "gold_words", f"{system.name}:sys")
        expected = np.array([[int(row[column]) for column in columns] for row in sentences])
        np.testing.assert_array_equal(statistics, expected)
        assert f"{metric.score(statistics.sum(0)):.4f}" == peer[system.name][f"{metric.label}_F1"]
