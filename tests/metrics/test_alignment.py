"""Word alignment: by hand, against the definitions, and against published figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import read_gzip
from tests.refusals import refused
from truegain.metrics.alignment import AER, Alignment

# Sure: 0-0 1-1; possible besides: 1-2. The system has one sure, one possible and one wrong link.
GOLD = ["0-0 1-1 1p2", "", "0-1"]
SYSTEM = ["0-0 1-2 3-3", "", ""]


def test_by_hand() -> None:
    statistics = AER().statistics(SYSTEM, [GOLD])
    assert statistics.tolist() == [[1, 2, 3, 2], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert AER().score(statistics[0]) == pytest.approx(100 * (1 - 3 / 5))
    precision, recall = 100 * 2 / 3, 100 * 1 / 2
    assert Alignment(measure="precision").score(statistics[0]) == pytest.approx(precision)
    assert Alignment(measure="recall").score(statistics[0]) == pytest.approx(recall)
    assert Alignment().score(statistics[0]) == pytest.approx(2 * precision * recall / (precision + recall))
    weighted = 1 / (0.2 / precision + 0.8 / recall)
    assert Alignment(alpha=0.2).score(statistics[0]) == pytest.approx(weighted)


def test_segments_without_links() -> None:
    statistics = AER().statistics(SYSTEM, [GOLD]).astype(np.float64)
    assert AER().score(statistics[1:]).tolist() == [0.0, 100.0]
    assert Alignment().score(statistics[1:]).tolist() == [100.0, 0.0]
    assert Alignment(measure="precision").score(statistics[1:]).tolist() == [100.0, 100.0]
    assert Alignment(measure="recall").score(statistics[1:]).tolist() == [100.0, 0.0]


def test_a_link_that_is_sure_and_possible_is_sure_and_copies_count_once() -> None:
    assert AER().statistics(["0-0 0-0 0p0"], [["0p0 0-0 0-0"]]).tolist() == [[1, 1, 1, 1]]
    assert AER().statistics(["0-0"], [["0?0"]]).tolist() == [[0, 1, 1, 0]]


links = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


@given(links, links, links)
def test_the_definitions(sure: set[tuple[int, int]], other: set[tuple[int, int]], found: set[tuple[int, int]]) -> None:
    reference = " ".join([*(f"{i}-{j}" for i, j in sorted(sure)), *(f"{i}p{j}" for i, j in sorted(other))])
    output = " ".join(f"{i}-{j}" for i, j in sorted(found))
    possible = sure | other
    statistics = AER().statistics([output], [[reference]]).astype(np.float64)
    if found or sure:
        expected = 1 - (len(found & sure) + len(found & possible)) / (len(found) + len(sure))
        assert AER().score(statistics[0]) == pytest.approx(100 * expected)
    if found and sure:
        precision, recall = len(found & possible) / len(found), len(found & sure) / len(sure)
        f = 1 / (0.3 / precision + 0.7 / recall) if precision and recall else 0.0
        assert Alignment(alpha=0.3).score(statistics[0]) == pytest.approx(100 * f)
    merged = np.stack([statistics[:, list(group)].sum(-1) for group in AER.merged], -1)
    assert AER().score(merged).tolist() == AER().score(statistics).tolist()


def test_words_counted_from_one() -> None:
    metric = AER(reference_base=1, system_base=0)
    assert metric.statistics(["0-0 1-1"], [["1-1 2-2"]]).tolist() == [[2, 2, 2, 2]]
    assert AER(reference_base=1, system_base=1).statistics(["1-1"], [["1-1"]]).tolist() == [[1, 1, 1, 1]]


def test_files_that_seem_to_count_from_one_are_asked_about() -> None:
    from_one, from_zero = ["1-1 2-2"] * 20, ["0-0 1-1"] * 20
    with refused(naming=["aer:reference_base=1"]):
        AER().statistics(from_zero, [from_one])
    with refused(naming=["alignment:system_base=1"]):
        Alignment().statistics(from_one, [from_zero])
    assert AER(reference_base=0).statistics(from_zero, [from_one])[:, 0].tolist() == [1] * 20
    assert AER(system_base=1).statistics(from_one, [from_zero])[:, 0].tolist() == [2] * 20
    assert AER().statistics(from_zero[:19], [from_one[:19]]).shape == (19, 4)
    assert AER().statistics([*from_one[:19], "0-5"], [from_zero]).shape == (20, 4)


@pytest.mark.parametrize(("line", "told"), [("0-0 1:2", "1:2"), ("0-0 -1-2", "-1-2"), ("0", "0"), ("a house", "a")])
def test_what_is_no_link(line: str, told: str) -> None:
    with refused(line=2, naming=[repr(told)]):
        AER().statistics(["0-0", line], [["0-0", "0-0"]])
    with refused(naming=["reference:2", repr(told)]):
        AER().prepare([["0-0", line]])
    with refused(naming=["reference:1", "0-3"]):  # which cannot be from 1
        AER(reference_base=1).prepare([["0-3"]])


def test_the_run_is_named_where_a_line_is_no_alignment(command: Callable[..., tuple[int, str, str]]) -> None:
    for name, lines in (("gold", "0-0\n0-1\n"), ("base", "0-0\n0-0\n"), ("new", "0-0\n0_1\n")):
        Path(f"{name}.links").write_text(lines)
    code, _, err = command("compare", "-m", "aer", "--ref", "gold.links", "base.links", "new.links")
    assert (code, "new.links:2: '0_1' is not a link" in err) == (2, True), err


def published(path: Path) -> dict[str, tuple[str, str, str]]:
    """AER, precision and recall of the alignments of words, not of pieces of words."""
    found = {}
    for line in path.read_text().splitlines():
        match = re.fullmatch(r"test\.enfr\.(.*?\.)?talp: (.*)% \((.*)%/(.*)%/\d+\)", line)
        assert match is not None
        found[(match[1] or "forward.").removesuffix(".")] = (match[2], match[3], match[4])
    return found


@pytest.mark.parametrize("tool", ["giza", "fastalign"])
def test_the_published_table_of_the_hansards(shared_data: Path, tool: str) -> None:
    folder = shared_data / "align_hansards" / "enfr"
    table = published(folder / f"published_{tool}_results.txt")
    metrics: list[AER | Alignment] = [AER(reference_base=1)]
    metrics += [Alignment(reference_base=1, measure=one) for one in ("precision", "recall")]
    files = sorted((folder / "systems").glob(f"{tool}.*.txt.gz"))
    assert len(files) == 6
    gold = metrics[0].prepare([read_gzip(folder / "gold.txt.gz")])
    for file in files:
        totals = metrics[0].statistics(read_gzip(file), gold).sum(0)
        # A few links of these outputs of fast_align are not those of the published run; AER is the same.
        figures = table[file.name.split(".")[1]][: 3 if tool == "giza" else 1]
        assert tuple(f"{metric.score(totals):.1f}" for metric in metrics[: len(figures)]) == figures


def test_awesome_align_on_the_hansards(shared_data: Path) -> None:
    folder = shared_data / "align_hansards" / "enfr"
    metric = AER(reference_base=1)
    lines = [read_gzip(folder / name) for name in ("systems/awesome-align.txt.gz", "gold.txt.gz")]
    assert f"{metric.score(metric.statistics(lines[0], [lines[1]]).sum(0)):.2f}" == "4.07"
