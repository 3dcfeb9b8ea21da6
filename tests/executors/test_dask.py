"""Dask, as any executor; and its own: a cluster begun here or found at an address, clear words where there is none."""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec

import pytest

from tests.executors.behaviour import Behaviour
from tests.executors.tasks import ITSELF
from truegain.engines.choice import make_engine
from truegain.errors import InputError
from truegain.executors.dask import Dask

# Not imported here: the library is set up before it is imported.
pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")


@pytest.fixture(scope="module")
def executor() -> Dask:
    engine = make_engine("dask", 3)
    assert isinstance(engine.executor, Dask)
    return engine.executor


class TestDask(Behaviour):
    engine = "dask"


def test_every_worker_takes_part(executor: Dask) -> None:
    executor.close()  # tests before this one have lost workers, and not all of them are begun again
    executor.library.wait_for_workers(3, timeout=60)  # else the first might have done all before another is there
    assert len({process for _, process in executor.map(ITSELF, range(70))}) == 3


def test_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truegain.executors.environment.__version__", "99.0")
    with pytest.raises(
        InputError, match=r"the worker tls://127\.0\.0\.1:\d+ has truegain .*; here it is truegain 99\.0"
    ):
        list(Dask(1).map(ITSELF, [1]))


def test_workers_that_are_all_gone_for_good_are_begun_anew(executor: Dask) -> None:
    client = executor.library
    client.cluster.scale(0)
    while client.nthreads():
        time.sleep(0.05)
    assert list(executor.map(abs, [-1])) == [1]


def test_nothing_at_the_address() -> None:
    with pytest.raises(InputError, match=r"no answer from the Dask scheduler at 127\.0\.0\.1:9 ") as caught:
        list(Dask(1, "127.0.0.1:9").map(ITSELF, [1]))
    assert "dask scheduler" in str(caught.value.hint)


def test_a_cluster_that_runs_already() -> None:
    """First without workers, then with one that has another version, at last with one like this process."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=0, processes=False, host="127.0.0.1", protocol="tcp", dashboard_address=None
    ) as cluster:
        there = Dask(7, cluster.scheduler_address.removeprefix("tcp://"))
        with pytest.raises(InputError, match=r"Dask scheduler at 127.0.0.1:\d+ has no workers"):
            list(there.map(ITSELF, [1]))
        cluster.scale(2)
        cluster.sync(cluster._correct_state)
        assert [value for value, _ in there.map(ITSELF, range(5))] == [0, 1, 2, 3, 4]
        assert there.workers == sum(worker.state.nthreads for worker in cluster.workers.values())
        there.close()


def test_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match="Dask is not installed here") as caught:
        list(Dask(1).map(ITSELF, [1]))
    assert caught.value.hint == "pip install 'truegain[dask]'"
