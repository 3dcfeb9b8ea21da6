"""Workers of Dask: the same results in the same order, also where workers are lost; and clear words for the rest."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from truegain.engines.choice import make_engine
from truegain.engines.spread import SpreadEngine
from truegain.errors import InputError
from truegain.executors.dask import RETRIES, Dask
from truegain.readers.memory import corpus_from_memory
from truegain.simulation import SystemSpec, simulate
from truegain.studies.compare.study import compare

# Not imported here: the library is set up before it is imported.
pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")


@dataclass(frozen=True)
class Scaled:
    by: NDArray[np.float64]

    def __call__(self, item: int) -> tuple[float, int]:
        if item == 77:
            raise InputError("no such item", path="there", line=3, hint="take another")
        return item * float(self.by[-1]), os.getpid()


@dataclass(frozen=True)
class Fatal:
    """Ends its own process for some items, the first so many times."""

    folder: Path
    times: int

    def __call__(self, item: int) -> int:
        if item % 5 == 3:
            for time in range(self.times):
                try:
                    (self.folder / f"{item}.{time}").touch(exist_ok=False)
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)
        return item * item


@dataclass(frozen=True)
class Odd:
    """Fails with an error that cannot be sent."""

    def __call__(self, item: int) -> int:
        class Local(Exception):
            pass

        raise Local("of its own")


@pytest.fixture(scope="module")
def dask() -> Dask:
    """The cluster that the tests of all engines use as well: three processes."""
    engine = make_engine("dask", 3)
    assert isinstance(engine, SpreadEngine)
    assert isinstance(engine.executor, Dask)
    return engine.executor


def test_in_order_and_elsewhere(dask: Dask) -> None:
    found = list(dask.map(Scaled(np.arange(4.0)), range(70)))
    assert [value for value, _ in found] == [3 * i for i in range(70)]
    processes = {process for _, process in found}
    assert os.getpid() not in processes
    assert len(processes) == 3


def test_nothing_to_do(dask: Dask) -> None:
    assert list(dask.map(Scaled(np.ones(1)), [])) == []


def test_work_that_is_left_is_dropped(dask: Dask) -> None:
    results = dask.map(Scaled(np.ones(1)), range(78, 10_000))
    assert next(results)[0] == 78
    assert isinstance(results, Iterator)
    del results
    assert [value for value, _ in dask.map(Scaled(np.ones(1)), range(3))] == [0, 1, 2]


def test_an_error_comes_back_whole(dask: Dask) -> None:
    with pytest.raises(InputError) as caught:
        list(dask.map(Scaled(np.ones(1)), range(70, 80)))
    assert (caught.value.path, caught.value.line, caught.value.hint) == ("there", 3, "take another")


def test_an_error_that_cannot_be_sent(dask: Dask) -> None:
    with pytest.raises(RuntimeError, match="Local: of its own"):
        list(dask.map(Odd(), [1]))


def test_what_cannot_be_sent_is_told_of(dask: Dask) -> None:
    with pytest.raises(InputError, match="cannot be sent to another process"):
        list(dask.map(lambda item: item, [1]))


def test_a_lost_worker_loses_nothing(dask: Dask, tmp_path: Path) -> None:
    assert list(dask.map(Fatal(tmp_path, 1), range(10))) == [i * i for i in range(10)]
    assert len(list(tmp_path.iterdir())) == 2


def test_all_workers_lost_at_once_lose_nothing(dask: Dask) -> None:
    results = dask.map(Scaled(np.arange(1e5)), range(60))
    found = [next(results)]
    for process in dask._client.run(os.getpid).values():
        os.kill(process, signal.SIGKILL)
    found.extend(results)
    assert [value for value, _ in found] == [i * 99_999.0 for i in range(60)]


def test_workers_that_are_always_lost_are_told_of(dask: Dask, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{RETRIES + 1} times") as caught:
        list(dask.map(Fatal(tmp_path, 99), range(5)))
    assert "memory" in str(caught.value.hint)
    assert [value for value, _ in dask.map(Scaled(np.ones(1)), range(3))] == [0, 1, 2]


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_a_result_is_the_same_where_a_worker_is_killed(dask: Dask, test: str) -> None:
    made = simulate(segments=60, systems=[SystemSpec(name=name, quality=0.7) for name in "ab"])
    systems = {name: list(runs[0]) for name, runs in made.systems.items()}
    corpus = corpus_from_memory(list(made.references[0]), systems)
    killed: list[int] = []

    def kill(stage: str, done: int, total: int) -> None:
        if stage != "scoring" and not killed:
            killed.append(next(iter(dask._client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    expected = compare(corpus, metrics=["bleu"], test=test, resamples=30_000, jobs=1)
    found = compare(
        corpus, metrics=["bleu"], test=test, resamples=30_000, jobs=1, engine=SpreadEngine(dask), progress=kill
    )
    assert killed
    assert found.render("json") == expected.render("json")


def test_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truegain.executors.environment.__version__", "99.0")
    with pytest.raises(
        InputError, match=r"the worker tls://127\.0\.0\.1:\d+ has truegain .*; here it is truegain 99\.0"
    ):
        list(Dask(1).map(Scaled(np.ones(1)), [1]))


def test_nothing_at_the_address() -> None:
    start = time.monotonic()
    with pytest.raises(InputError, match=r"no answer from the Dask scheduler at 127\.0\.0\.1:9 ") as caught:
        list(Dask(1, "127.0.0.1:9").map(Scaled(np.ones(1)), [1]))
    assert time.monotonic() - start < 30
    assert "dask scheduler" in str(caught.value.hint)


def test_a_cluster_that_runs_already() -> None:
    """First without workers, then with one that has another version, at last with one like this process."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=0, processes=False, host="127.0.0.1", protocol="tcp", dashboard_address=None
    ) as cluster:
        there = Dask(7, cluster.scheduler_address.removeprefix("tcp://"))
        with pytest.raises(InputError, match=r"Dask scheduler at 127.0.0.1:\d+ has no workers"):
            list(there.map(Scaled(np.ones(1)), [1]))
        cluster.scale(2)
        cluster.sync(cluster._correct_state)
        assert [value for value, _ in there.map(Scaled(np.full(1, 2.0)), range(5))] == [0, 2, 4, 6, 8]
        assert there.workers == sum(worker.state.nthreads for worker in cluster.workers.values())
        there.close()


def test_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match="Dask is not installed here") as caught:
        list(Dask(1).map(Scaled(np.ones(1)), [1]))
    assert caught.value.hint == "pip install 'truegain[dask]'"


def test_the_command_says_nothing_else_and_leaves_nothing(tmp_path: Path) -> None:
    made = simulate(segments=30, systems=[SystemSpec(name=name, quality=0.7) for name in "ab"])
    (tmp_path / "ref").write_text("".join(f"{line}\n" for line in made.references[0]))
    for name, runs in made.systems.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in runs[0]))
    (tmp_path / "temporary").mkdir()
    command = f"{sys.executable} -m truegain compare --ref ref a b -R 999 -j 2 -f json".split()
    results = []
    for engine in ("threads", "dask"):
        done = subprocess.run(
            [*command, "--engine", engine],
            cwd=tmp_path,
            env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        results.append({**json.loads(done.stdout), "command": ""})
    assert results[0] == results[1]
    assert not list((tmp_path / "temporary").iterdir())
