"""Table 1 of Berg-Kirkpatrick et al. (2012) on 24 real systems and two domains, as docs/studies/domains.md has it."""

from __future__ import annotations

from pathlib import Path

import pytest

import truegain as tg
from truegain.studies.domains import DomainsResult


@pytest.fixture(scope="module")
def result(shared_data: Path) -> DomainsResult:
    sets = []
    for name in ("test2016", "coco2017"):
        folder = shared_data / "nmt_pool" / name
        files = sorted(folder.glob("*-bk*.en.gz"))
        systems = [f"{file.name.removesuffix('.en.gz')}={file}" for file in files]
        sets.append(tg.read_corpus(systems, [str(folder / "ref.en.gz")], name=name))
    return tg.domains(sets, metrics=["bleu:tokenize=none"], draws=0, jobs=1)


def test_large_differences_hold_in_the_other_domain(result: DomainsResult) -> None:
    forth = result["bleu:tokenize=none", "test2016", "coco2017"]
    assert len(result.pairs) == 276
    assert sum(one.pairs for one in forth.bins[:2]) == 193
    assert all(one.share == 1.0 for one in forth.bins[:2])


def test_small_ones_less_often_than_in_one_domain(result: DomainsResult) -> None:
    forth, back = (
        result["bleu:tokenize=none", *names].bins[2] for names in (("test2016", "coco2017"), ("coco2017", "test2016"))
    )
    assert (forth.pairs, forth.same, back.pairs, back.same) == (19, 12.0, 17, 15.0)
    assert forth.expected == pytest.approx(0.88, abs=0.01)
    assert back.expected == pytest.approx(0.94, abs=0.01)
