"""Agreement of metrics with people against mt-metrics-eval's own figures on WMT23."""

from __future__ import annotations

import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from truegain.agreement.judged import Judged
from truegain.agreement.lookup import MEASURES
from truegain.agreement.swaps import system_masks
from truegain.executors.processors import one_blas_thread
from truegain.inference.rank_shares import RankedPairs, RankShares
from truegain.readers.judgements import Judgements, gather
from truegain.readers.system_scores import as_scores, metric_files
from truegain.settings.agree import AgreeOptions
from truegain.studies.agree import AgreeResult
from truegain.studies.agree_sets import computed_metrics

PAIRS = ("en-de", "zh-en")


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / "wmt23_mtme"


@pytest.fixture(scope="module")
def read(folder: Path) -> dict[str, Judgements]:
    found = {}
    for pair in PAIRS:
        human = as_scores(folder / f"human-scores/{pair}.mqm.seg.score.gz", "human")
        metrics = {
            name: as_scores(path, name) for name, path in metric_files([str(folder / f"metric-scores/{pair}")]).items()
        }
        found[pair] = gather(human, metrics, str(folder / f"documents/{pair}.docs.gz"), keep_references=False)
    return found


def judged_of(one: Judgements) -> Judged:
    return Judged.of(one.human, one.scores, one.documents, one.human_systems, one.metric_systems)


def rows(path: Path, pair: str) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if row["pair"] == pair]


@pytest.mark.parametrize("pair", PAIRS)
def test_every_figure_of_the_peer(folder: Path, read: dict[str, Judgements], pair: str) -> None:
    judged, peers = judged_of(read[pair]), rows(folder / "peer_mtme.tsv", pair)
    assert [row["metric"] for row in peers] == list(read[pair].metrics)
    made: dict[str, Any] = {name: kind(judged, resamples=1_000, seed=12345) for name, kind in MEASURES.items()}
    values = {name: one.values() for name, one in made.items()}
    for place, row in enumerate(peers):
        assert len(judged.human) == int(row["systems"])
        assert judged.pairs.first.size == int(row["pairs"])
        assert made["accuracy"].agreeing[place].sum() == int(row["agreeing_pairs"])
        for key, name in (
            ("system_pearson", "system-pearson"),
            ("acc23_item", "acc23"),
            ("segment_pearson", "pearson"),
            ("tau_b_item", "kendall"),
        ):
            assert values[name][place] == pytest.approx(float(row[key]), abs=1e-9), (row["metric"], key)
        # Both draw 1,000 signs: a p-value is off by .016 at most, and a mean over pairs by far less.
        assert values["spa"][place] == pytest.approx(float(row["spa"]), abs=0.004)
        # The peer's threshold is one of those that reach the maximum; ours is the smallest.
        threshold = float(row["tie_threshold"])
        apart = judged.pairs.differences(judged.metrics[place])
        signs = judged.human_signs
        right = np.where(np.abs(apart) <= threshold, signs == 0, np.sign(apart) == signs)
        assert right.mean() == pytest.approx(values["acc23"][place], abs=1e-12)
        assert made["acc23"].thresholds()[place] <= threshold


@pytest.mark.parametrize("pair", PAIRS)
def test_metrics_computed_from_outputs_are_those_that_were_published(folder: Path, pair: str) -> None:
    human = as_scores(folder / f"human-scores/{pair}.mqm.seg.score.gz", "human")
    options = AgreeOptions(
        human=human,
        outputs=folder / f"system-outputs/{pair}",
        references=folder / f"references/{pair}.refA.txt.gz",
        compute=("bleu", "chrf"),
    )
    found, _ = computed_metrics(options, human)
    for key, name in (("bleu", "BLEU"), ("chrf", "chrF")):
        peer, own = as_scores(folder / f"metric-scores/{pair}/{name}-refA.seg.score.gz", name), found[key]
        assert set(own.systems) == {name for name in human.segments if name != "refA"}
        for system, score in own.systems.items():
            if (pair, key, system) == ("en-de", "chrf", "AIRC"):
                continue  # the byte order mark in its outputs, which is left out here, counted as a character
            assert score == pytest.approx(peer.systems[system], abs=1e-9)
            np.testing.assert_allclose(own.segments[system], peer.segments[system], rtol=0, atol=1e-9)


@pytest.mark.parametrize("pair", PAIRS)
def test_the_page_has_the_shares_that_people_rank_the_same_way(read: dict[str, Judgements], pair: str) -> None:
    page = (Path(__file__).parents[2] / "docs/agree.md").read_text(encoding="utf-8")
    found = read[pair]
    for metric in ("BLEU", "chrF"):
        scores = found.metric_systems[found.metrics.index(f"{metric}-refA")]
        shares = RankShares([RankedPairs(scores, found.human_systems)]).at([0.5, 1.0, 2.0, 4.0], 0.95)
        shown = "  ".join(f"{100 * share:.0f} ({100 * low:.0f}–{100 * high:.0f})" for share, low, high in shares)
        assert f"{pair}  {len(found.systems)}       {metric}    {shown}\n" in page


@pytest.mark.parametrize("pair", PAIRS)
def test_p_values_of_the_peer(folder: Path, read: dict[str, Judgements], pair: str) -> None:
    judged, names = judged_of(read[pair]), read[pair].metrics
    made: dict[str, Any] = {name: kind(judged, resamples=9, seed=1) for name, kind in MEASURES.items()}
    # The peer swaps scores of systems at random: here are all swaps, those of all other systems, and the observed one.
    observed, nulls = made["accuracy"].system_swaps(system_masks(len(judged.human), 2**15, 1)[0])
    every = np.concatenate([nulls, -nulls, observed[:, None], -observed[:, None]], axis=1)
    found = {
        "system pairwise accuracy, PERM-BOTH": (observed, every),
        "segment pearson, PERM-BOTH": made["pearson"].cell_swaps(1_000, 1),
        "acc23 item, pair swaps": made["acc23"].pair_swaps(1_000, 1),
    }
    for row in rows(folder / "peer_mtme_tests.tsv", pair):
        one, other = (names.index(row[key]) for key in ("metric1", "metric2"))
        sign = 1 if one < other else -1
        deltas, swapped = found[row["measure"]]
        place = judged.metric_pairs.index((min(one, other), max(one, other)))
        assert sign * deltas[place] == pytest.approx(float(row["delta"]), abs=6e-5)
        p = float(np.mean(sign * swapped[place] >= sign * deltas[place] - 1e-9))
        if (pair, row["metric1"], row["metric2"]) == ("zh-en", "COMET-refA", "GEMBA-MQM-src") and "system" in row[
            "measure"
        ]:
            assert row["p"] == "0.0225"  # the peer loses ties to rounding
            assert p == pytest.approx(0.043, abs=5e-4)
            continue
        draws = (int(row["resamples"]), *(() if "system" in row["measure"] else (1_000,)))
        middle = min(max((p + float(row["p"])) / 2, 0.002), 0.998)
        error = np.sqrt(sum(middle * (1 - middle) / one for one in draws))
        assert p == pytest.approx(float(row["p"]), abs=4 * error), row


def test_all_of_it_in_seconds(folder: Path) -> None:
    began = time.process_time()
    result = tg.agree(
        folder / "human-scores/zh-en.mqm.seg.score.gz",
        [folder / "metric-scores/zh-en"],
        documents=folder / "documents/zh-en.docs.gz",
        resamples=1_000,
    )
    assert time.process_time() - began < 30.0
    assert isinstance(result, AgreeResult)
    assert (len(result.metrics), len(result.pairs), len(result.systems)) == (15, 6 * 105, 15)
    assert result["acc23", "BLEU-refA"].value == pytest.approx(0.4717724642958293, abs=1e-9)
    assert {note.kind for note in result.notes} >= {"human-references", "not-rated"}
    assert contradictions(result) == 0


def contradictions(result: AgreeResult) -> int:
    """Count the pairs of metrics whose p-value and interval disagree about zero."""
    return sum((one.p <= result.alpha) == (one.interval.low <= 0.0 <= one.interval.high) for one in result.pairs)


@pytest.mark.parametrize("test", ["perm-sys", "documents"])
def test_p_and_interval_contradict_each_other_for_no_pair(folder: Path, test: Any) -> None:
    result = tg.agree(
        folder / "human-scores/en-de.mqm.seg.score.gz",
        folder / "metric-scores/en-de",
        documents=folder / "documents/en-de.docs.gz",
        test=test,
    )
    assert len(result.pairs) == 6 * 105
    assert contradictions(result) == 0


def test_the_answer_does_not_depend_on_threads(read: dict[str, Judgements]) -> None:
    judged = judged_of(read["en-de"])
    masks = system_masks(len(judged.human), 100, 1)[0]
    plain = MEASURES["kendall"](judged, resamples=9, seed=1).system_swaps(masks)[1]
    with one_blas_thread():
        one = MEASURES["kendall"](judged, resamples=9, seed=1).system_swaps(masks)[1]
    assert np.allclose(plain, one, atol=1e-6)
