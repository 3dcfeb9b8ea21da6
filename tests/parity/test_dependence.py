"""Dependence on 20 systems of newstest2011 without its documents, held against what the documents show."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from truegain.experiment import Experiment
from truegain.experiment.dependence import dependence_of
from truegain.inference.variance import jackknife
from truegain.readers.corpora import read_corpus


@pytest.mark.slow
def test_newstest2011(shared_data: Path) -> None:
    """At least 80 % of the pairs warn, each alone; the ratio is within 30 % of the documents' for nine of ten."""
    folder = shared_data / "wmt11_deen"
    systems = sorted(str(path) for path in (folder / "systems").glob("*.gz"))
    known = read_corpus(systems, [str(folder / "ref.en.gz")], documents=str(folder / "docs.tsv.gz"))
    on_documents, on_segments = (
        Experiment.prepare(corpus, ["bleu"], unit="auto", seed=12345, jobs=1, cache=None, engine=None, progress=None)
        for corpus in (known, replace(known, documents=None))
    )
    warned, near = [], []
    for pair in itertools.combinations(range(len(systems)), 2):
        (found,) = dependence_of(on_segments, [pair], seed=12345).values()
        parts = [one.contributions_to(0, *pair) for one in (on_documents, on_segments)]
        variances = [jackknife(part) for part in parts if part is not None]
        warned.append(found.found)
        near.append(abs(found.ratio / np.sqrt(variances[0] / variances[1]) - 1.0) <= 0.3)
    assert len(warned) == 190
    assert np.mean(warned) >= 0.8
    assert np.mean(near) >= 0.9
