"""What is torch's own: random bits on the device, scores that numpy makes again in doubt, memory that is short."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truegain.engines.engine import Counting, Dealing, Resampling
from truegain.engines.pairs import PairQuestion
from truegain.engines.totals import UniqueColumns
from truegain.errors import InputError
from truegain.metrics.lookup import make_metric
from truegain.registry import METRICS
from truegain.resampling.design import Design
from truegain.resampling.generator import resample_keys
from truegain.resampling.units import Units, UnitTable
from truegain.statistics import Block

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'truegain[gpu]'")

from truegain.engines import torch_pairs  # noqa: E402
from truegain.engines.engine import Engine  # noqa: E402
from truegain.engines.torch import TorchEngine  # noqa: E402
from truegain.engines.torch_device import load_torch, with_less  # noqa: E402
from truegain.engines.torch_products import sent_statistics  # noqa: E402
from truegain.engines.torch_weights import dealt_orders, weights  # noqa: E402
from truegain.executors.over import Workers  # noqa: E402


@given(units=st.integers(1, 200), seed=st.integers(0, 2**64 - 1), first=st.integers(0, 2**40), data=st.data())
def test_weights_are_the_same_bits(units: int, seed: int, first: int, data: st.DataObject) -> None:
    plain = Units.segments(units)
    sort = data.draw(st.sampled_from(["bootstrap", "strata", "blocks", "swap"]))
    if sort == "strata":
        plain = plain.stratified([data.draw(st.sampled_from("abc")) for _ in range(units)])
    if sort == "blocks":
        plain = Units.blocks(units, data.draw(st.floats(1.0, units)))
    design = Design(plain, "swap" if sort == "swap" else "bootstrap", seed)
    found = weights(design, design.keys(first, first + 3), "cpu").numpy()
    np.testing.assert_array_equal(found, design.weights(first, first + 3))


def test_every_run_is_dealt_out_once() -> None:
    orders = dealt_orders(resample_keys(1, 4, 0, 50), 20, 5, "cpu").numpy()
    assert (np.sort(orders, axis=-1) == np.arange(5)).all()
    shares = [(orders == run).mean(axis=(0, 1)) for run in range(5)]
    assert np.abs(np.array(shares) - 0.2).max() < 0.05


ON_DEVICE = [
    name
    for name in METRICS
    if name not in ("scores", "meteor", "rouge") and hasattr(make_metric(name), "score_on_device")
]


def test_the_usual_metrics_are_scored_on_the_device() -> None:
    assert {"bleu", "chrf", "ter", "wer", "cer", "rouge1", "rougel", "las", "uas", "parseval", "exact"} <= set(
        ON_DEVICE
    )


@pytest.mark.parametrize(
    "specification",
    [*ON_DEVICE, "bleu:max_ngram_order=2", "bleu:smooth_method=add-k", "chrf:word_order=2,eps_smoothing=true"],
)
def test_scores_are_those_of_numpy_or_none(specification: str) -> None:
    metric: Any = make_metric(specification)
    totals = np.random.default_rng(3).integers(0, 4, (4000, len(metric.statistic_names))).astype(float)
    totals[:2000] += 40  # regular ones
    totals = np.sort(totals, axis=1)[:, ::-1] if "bleu" in specification else totals
    found = metric.score_on_device(torch.from_numpy(totals.copy())).numpy()
    expected = metric.score(totals)
    known = np.isfinite(found)
    assert known[:2000].all()
    np.testing.assert_allclose(found[known], expected[known], rtol=1e-13, atol=1e-11)


class Doubtful:
    """A metric that the device knows only for some, and is a little wrong about."""

    name = label = "m"
    higher_is_better = True
    statistic_names = ("sum",)

    def score(self, totals: Any) -> Any:
        return totals[..., 0] / 8.0

    def score_on_device(self, totals: Any) -> Any:
        scores = totals[..., 0] / 8.0 * (1.0 + 1e-15)
        return scores.where(totals[..., 0] % 7 != 0, float("nan"))


@pytest.mark.parametrize("doubt", [2.0**-40, 1.0])
def test_what_is_in_doubt_is_counted_by_numpy(doubt: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_pairs, "_DOUBT", doubt)
    values = np.random.default_rng(1).integers(0, 30, (25, 4)).astype(float)
    table = UnitTable.build(values, Units.segments(25))
    block: Any = Block("m", Doubtful(), 0, (1, 2, 1))  # type: ignore[arg-type]
    firsts, seconds = np.array([0, 0, 1]), np.array([1, 2, 2])
    question = PairQuestion(firsts, seconds, np.array([0.5, 0.0, -1.0]), np.array([2.0, 3.0, 2.5]), 1.0, False)
    design = Design(Units.segments(25), "bootstrap", 2)
    expected = Engine().count(Counting(design, table, (block,), (question,)), 500)[0]
    found = TorchEngine(chunk=70, device="cpu").count(Counting(design, table, (block,), (question,)), 500)[0]
    np.testing.assert_array_equal(found.exceedances, expected.exceedances)
    assert found.resamples == 500
    assert expected.exceedances.min() > 0
    assert expected.exceedances.max() < 500


def test_a_device_that_there_is_not() -> None:
    with pytest.raises(InputError, match="torch cannot use the device 'abacus'"):
        TorchEngine.on("abacus", 1)
    with pytest.raises(InputError, match="torch cannot use the device 'cuda:97'"):
        TorchEngine.on("cuda:97", 1)
    with pytest.raises(InputError, match="the device 'meta' cannot be used"):
        TorchEngine.on("meta", 1)


def test_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="there is no GPU"):
        TorchEngine.on(None, 1)


def test_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    load_torch.cache_clear()
    try:
        with pytest.raises(InputError, match="not installed") as caught:
            TorchEngine.on("cpu", 1)
        assert caught.value.hint == "pip install 'truegain[gpu]'"
    finally:
        load_torch.cache_clear()


def short_of(most: int) -> Callable[[int, int], list[int]]:
    def work(first: int, last: int) -> list[int]:
        if last - first > most:
            raise torch.cuda.OutOfMemoryError("too much")
        return list(range(first, last))

    return work


def test_less_at_a_time_where_memory_is_short() -> None:
    parts = with_less(short_of(3), 5, 25)
    assert [number for part in parts for number in part] == list(range(5, 25))
    assert len(parts) == 8
    with pytest.raises(InputError, match="too small for a single resample"):
        with_less(short_of(0), 5, 25)


def test_settings_of_torch_are_left_as_they_were() -> None:
    before = torch.get_num_threads(), torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        design = Design(Units.segments(4), "bootstrap", 2)
        table = UnitTable.build(np.arange(8.0).reshape(4, 2), Units.segments(4))
        TorchEngine(Workers(1), device="cpu").resample(Resampling(design, table, lambda totals: totals), 5)
        assert torch.get_float32_matmul_precision() == "medium"
        assert torch.get_num_threads() == before[0]
    finally:
        torch.set_float32_matmul_precision(before[1])


def test_no_more_threads_than_were_asked_for() -> None:
    before = torch.get_num_threads()
    used: list[int] = []

    def reduce(sums: Any) -> Any:
        used.append(torch.get_num_threads())
        return sums.reshape(sums.shape[-1], -1)

    design = Design(Units.segments(4), "bootstrap", 2)
    table = UnitTable.build(np.arange(8.0).reshape(4, 2), Units.segments(4))
    torch.set_num_threads(2)
    try:
        TorchEngine(Workers(1), device="cpu").resample(Resampling(design, table, reduce), 5)
        dealing = Dealing(3, np.arange(24).reshape(4, 2, 3), lambda sums: reduce(sums)[:, :2])
        TorchEngine(Workers(1), device="cpu").deal(dealing, 2)
    finally:
        torch.set_num_threads(before)
    assert used == [1, 1]


def test_products_are_in_the_least_precision_that_is_exact() -> None:
    design = Design(Units.segments(4), "bootstrap", 2)
    for size, kind in ((30.0, torch.float32), (2.0**23, torch.float64)):
        table = UnitTable.build(np.full((4, 1), size) + np.arange(4.0)[:, None], Units.segments(4))
        assert sent_statistics("cpu", table, design).dtype == kind
        assert len(UniqueColumns.of(table, design).values) == 1


def test_a_table_serves_designs_of_one_scheme() -> None:
    """What is on the device hangs on the table and the scheme alone, not on seed, strata or blocks."""
    table = UnitTable.build(np.random.default_rng(2).integers(0, 9, (12, 3)).astype(float), Units.segments(12))
    plain = Units.segments(12)
    for units in (plain, Units.segments(12), plain.stratified(["ab"[i % 2] for i in range(12)]), Units.blocks(12, 3.0)):
        for seed in (1, 2):
            design = Design(units, "bootstrap", seed)
            found = [
                one.resample(Resampling(design, table, lambda totals: totals), 40)
                for one in (TorchEngine(device="cpu"), Engine())
            ]
            assert found[0].tobytes() == found[1].tobytes()
