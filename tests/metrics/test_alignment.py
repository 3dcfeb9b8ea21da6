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
from truegain.errors import InputError
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
    with pytest.raises(InputError) as error:
        AER().statistics(from_zero, [from_one])
    assert str(error.value) == (
        "the reference: no link in 20 segments has a word 0: words seem to be counted from 1\n"
        '  say so: metrics=["aer:reference_base=1"] (or reference_base=0, if they are counted from 0 after all)'
    )
    with pytest.raises(InputError, match=r'metrics=\["alignment:system_base=1"\]'):
        Alignment().statistics(from_one, [from_zero])
    assert AER(reference_base=0).statistics(from_zero, [from_one])[:, 0].tolist() == [1] * 20
    assert AER(system_base=1).statistics(from_one, [from_zero])[:, 0].tolist() == [2] * 20
    assert AER().statistics(from_zero[:19], [from_one[:19]]).shape == (19, 4)
    assert AER().statistics([*from_one[:19], "0-5"], [from_zero]).shape == (20, 4)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("0-0 1:2", "'1:2' is not a link"),
        ("0-0 -1-2", "'-1-2' is not a link"),
        ("0", "'0' is not a link"),
        ("a house", "'a' is not a link"),
    ],
)
def test_what_is_no_link(output: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as error:
        AER().statistics(["0-0", output], [["0-0", "0-0"]])
    assert (error.value.path, error.value.line) == (None, 2)
    with pytest.raises(InputError, match=re.escape(f"the reference:2: {message}")):
        AER().prepare([["0-0", output]])


def test_a_base_that_cannot_be() -> None:
    with pytest.raises(
        InputError, match="the reference:1: the link 0-3 has a word 0, and words are said to be counted"
    ):
        AER(reference_base=1).prepare([["0-3"]])
    with pytest.raises(InputError, match="aer:system_base must be 0 or 1; got 2"):
        AER(system_base=2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Alignment(measure="aer"), "alignment:measure must be one of f, precision, recall"),
        (lambda: Alignment(measure="recall", alpha=0.5), "alignment:alpha does not go with measure=recall"),
        (lambda: Alignment(alpha=1.5), "alignment:alpha must be from 0 to 1; got 1.5"),
        (lambda: AER().prepare([["0-0"], ["0-0"]]), "aer takes one reference; got 2"),
    ],
)
def test_settings_are_checked(make: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_names_and_signatures() -> None:
    assert (AER().label, Alignment().label, Alignment(measure="recall").label) == (
        "AER",
        "Alignment F",
        "Alignment recall",
    )
    assert AER(reference_base=1).signature().startswith("nrefs:1|ref_base:1|sys_base:0|version:")
    assert Alignment(alpha=0.4).signature().startswith("nrefs:1|measure:f|alpha:0.4|ref_base:0|sys_base:0|version:")
    assert (AER().higher_is_better, Alignment().higher_is_better) == (False, True)


def test_the_run_is_named_where_a_line_is_no_alignment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from truegain.cli.main import main

    for name, lines in (("gold", "0-0\n0-1\n"), ("base", "0-0\n0-0\n"), ("new", "0-0\n0_1\n")):
        (tmp_path / f"{name}.links").write_text(lines)
    files = [str(tmp_path / f"{name}.links") for name in ("gold", "base", "new")]
    with pytest.raises(SystemExit) as stop:
        main(["compare", "-m", "aer", "--ref", *files])
    assert stop.value.code == 2
    assert f"{files[2]}:2: '0_1' is not a link" in capsys.readouterr().err


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
