"""Work over ranges: the same results in the same order on all workers, and clear words for losses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.executors.tasks import REFUSED, always_fatal, fatal, scaled, squares
from tests.refusals import refused
from truegain.errors import InputError
from truegain.executors.over import HERE, Workers, over

KINDS = ("one thread", "threads", "any executor", "processes", "dask", "dask of processes")
ELSEWHERE = ("processes", "dask of processes")


@pytest.fixture(scope="module")
def started() -> Iterator[dict[str, Executor]]:
    """Executors that tests of this module share, each begun when it is first asked for."""
    made: dict[str, Executor] = {}
    yield made
    for executor in made.values():
        client: Any = getattr(executor, "_client", None)
        executor.shutdown()
        if client is not None:
            cluster = client.cluster
            client.close()
            cluster.close()


def begin(kind: str) -> Executor:
    if kind == "any executor":
        return ThreadPoolExecutor(2)
    if kind == "processes":
        return ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    if find_spec("distributed") is None:
        pytest.skip("Dask is not installed")
    from distributed import Client, LocalCluster

    apart = {"n_workers": 2, "threads_per_worker": 1, "processes": kind == "dask of processes"}
    cluster = LocalCluster(**apart, memory_limit=0, dashboard_address="127.0.0.1:0", silence_logs=100)
    executor: Executor = Client(cluster, set_as_default=False).get_executor(pure=False)
    return executor


@pytest.fixture
def workers(kind: str, started: dict[str, Executor]) -> Workers:
    if kind == "one thread":
        return HERE
    if kind == "threads":
        return Workers(3)
    if kind not in started:
        started[kind] = begin(kind)
    return Workers(1, started[kind])


@pytest.mark.whole
@pytest.mark.parametrize("kind", KINDS)
class TestEveryKind:
    """What any workers do."""

    @pytest.mark.parametrize("size", [None, 1, 7])
    def test_pieces_are_in_order(self, workers: Workers, size: int | None) -> None:
        pieces = list(over(squares, 2, 5, 40, workers, size=size))
        assert [number for piece, _ in pieces for number in piece] == [2 * number**2 for number in range(5, 45)]

    def test_nothing_to_do(self, workers: Workers) -> None:
        assert list(over(squares, 1, 5, 0, workers)) == []

    def test_a_refusal_comes_back_whole_and_in_its_turn(self, workers: Workers) -> None:
        pieces = over(squares, 1, REFUSED - 2, 4, workers, size=1)
        assert next(pieces)[0] == [(REFUSED - 2) ** 2]
        next(pieces)
        with refused(path="there", line=3, naming=["take another"]):
            next(pieces)

    def test_work_that_is_left_is_dropped(self, workers: Workers) -> None:
        pieces = over(squares, 1, 1000, 100_000, workers, size=1)
        assert next(pieces)[0] == [1000**2]
        del pieces
        assert [piece for piece, _ in over(squares, 1, 0, 3, workers, size=1)] == [[0], [1], [4]]

    def test_large_data(self, workers: Workers) -> None:
        found = np.concatenate(list(over(scaled, np.arange(1e5), 0, 60, workers, size=4)))
        assert found.tolist() == [number * 99_999.0 for number in range(60)]


@pytest.mark.whole
@pytest.mark.parametrize("kind", ELSEWHERE)
def test_it_is_done_elsewhere(workers: Workers) -> None:
    assert os.getpid() not in {process for _, process in over(squares, 1, 0, 8, workers, size=1)}
    assert workers.count == 2


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["processes"])
def test_what_cannot_be_sent_is_told_of(workers: Workers) -> None:
    with refused("engine"):
        list(over(lambda _, first, end: first, None, 0, 3, workers, size=1))


@pytest.mark.whole
def test_lost_processes_are_told_of() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool, refused("jobs"):
        list(over(always_fatal, None, 0, 5, Workers(1, pool), size=1))


@pytest.mark.whole
@pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")
def test_dask_does_the_work_of_a_lost_worker_again(tmp_path: Path) -> None:
    executor = begin("dask of processes")
    client: Any = executor._client  # type: ignore[attr-defined]
    try:
        assert list(over(fatal, tmp_path, 0, 10, Workers(1, executor), size=1)) == list(range(10))
        assert (tmp_path / "killed").exists()
        with pytest.raises(InputError, match="lost"):
            list(over(always_fatal, None, 0, 5, Workers(1, executor), size=1))
    finally:
        cluster = client.cluster
        client.close()
        cluster.close()
