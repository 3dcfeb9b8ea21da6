"""TER of all segments of all systems of WMT17 English-German, against sacreBLEU."""

from __future__ import annotations

import gzip
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.ter import TER as SacreTER

from benchmarks.data import REAL_DATA
from truegain.metrics.ter import TER

DATA = REAL_DATA / "sacrebleu_wmt17_ende"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="TRUEGAIN_DATA has no sacrebleu_wmt17_ende")

# As sacreBLEU 2.6.0 prints them (peer_sacrebleu_paired-bs.5sys.txt).
PRINTED = {"LIUM-NMT.4900": 63.3, "C-3MA.4959": 66.9, "FBK.4870": 63.6, "KIT.4950": 64.1}


def read(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


def systems() -> list[Path]:
    return sorted((DATA / "systems").glob("*.gz"))


def differing(hypotheses: list[str], *references: list[str], **options: bool) -> int:
    theirs = np.array(SacreTER(**options)._extract_corpus_statistics(hypotheses, list(references)))
    return int((TER(**options).statistics(hypotheses, list(references)) != theirs).any(axis=1).sum())


def joined(lines: list[str], number: int) -> list[str]:
    return [" ".join(lines[k : k + number]) for k in range(0, len(lines), number)]


def test_no_segment_of_two_systems_differs() -> None:
    references = read(DATA / "ref0.de.gz")
    for path in systems()[::9]:
        assert differing(read(path)[::4], references[::4]) == 0


def test_printed_scores() -> None:
    metric = TER()
    prepared = metric.prepare([read(DATA / "ref0.de.gz")])
    for name, printed in PRINTED.items():
        hypotheses = read(DATA / "systems" / f"newstest2017.{name}.en-de.de.gz")
        score = float(metric.score(metric.statistics(hypotheses, prepared).sum(axis=0)))
        assert round(score, 1) == printed


OPTIONS: list[dict[str, bool]] = [
    {},
    {"normalized": True},
    {"no_punct": True},
    {"normalized": True, "asian_support": True},
    {"case_sensitive": True},
]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "+".join(options) or "plain")
def test_no_segment_of_any_system_differs(options: dict[str, bool]) -> None:
    references = read(DATA / "ref0.de.gz")
    found = {path.name: differing(read(path), references, **options) for path in systems()}
    assert len(found) == 16
    assert found == dict.fromkeys(found, 0)


@pytest.mark.slow
def test_no_segment_differs_with_several_references() -> None:
    """A second reference is made of another system's outputs."""
    references = read(DATA / "ref0.de.gz")
    outputs = [read(path) for path in systems()[:4]]
    for one, other in pairwise(outputs):
        assert differing(one, references, other) == 0


@pytest.mark.slow
def test_no_long_segment_differs() -> None:
    references = read(DATA / "ref0.de.gz")
    assert differing(joined(read(systems()[0]), 3), joined(references, 3)) == 0
