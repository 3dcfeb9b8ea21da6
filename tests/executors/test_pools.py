"""Processes that end with the command, and clusters of Dask by their address."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
import pytest

from tests.executors.tasks import slow, squares
from tests.refusals import refused
from truegain.engines.choice import make_engine
from truegain.executors import pools
from truegain.executors.over import Workers, over

needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")


@pytest.mark.whole
def test_processes_end_at_once_with_an_error() -> None:
    def interrupted() -> None:
        with pools.processes(2) as workers:
            next(over(slow, 3, 0, 9, workers, size=1))
            raise KeyboardInterrupt

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert time.monotonic() - begun < 60.0


LONG = """
import time
from tests.executors.tasks import slow, squares
from truegain.executors.over import over
from truegain.executors.pools import processes
if __name__ == "__main__":
    with processes(2) as workers:
        print(*{process for _, process in over(squares, 1, 0, 60, workers, size=1)}, flush=True)
        time.sleep(60)
"""


@pytest.mark.whole
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "terminate"])
def test_processes_end_with_the_command(tmp_path: Path, number: int) -> None:
    (tmp_path / "script.py").write_text(LONG)
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path])}
    script = [sys.executable, str(tmp_path / "script.py")]
    with subprocess.Popen(script, env=environment, stdout=subprocess.PIPE, text=True) as command:
        assert command.stdout is not None
        workers = [int(one) for one in command.stdout.readline().split()]
        assert workers
        command.send_signal(number)
        command.stdout.read()  # to its end, which comes when nobody holds it any more
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{worker}/exe").exists() for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(("text", "guarded"), [("print(1)\n", False), ('if __name__ == "__main__":\n    pass\n', True)])
def test_a_script_without_a_guard_stays_in_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, guarded: bool
) -> None:
    (tmp_path / "script.py").write_text(text)
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(tmp_path / "script.py"), raising=False)
    assert pools.can_run_in_processes([1]) == guarded
    assert not pools.can_run_in_processes(lambda: 1)


@needs_dask
def test_dask_here_is_spoken_to_by_this_process_alone() -> None:
    workers = make_engine("dask", 3).workers
    assert workers.count == 3
    client = workers.executor._client  # type: ignore[union-attr]
    assert client.scheduler.address.startswith("inproc://")
    listening = [one.laddr.ip for one in psutil.Process().net_connections() if one.status == psutil.CONN_LISTEN]
    assert set(listening) <= {"127.0.0.1"}
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"http://127.0.0.1:{client.cluster.scheduler.http_server.port}/health")
    assert [piece for piece, _ in over(squares, 1, 0, 3, workers, size=1)] == [[0], [1], [4]]
    assert make_engine("dask", 3).workers.executor is workers.executor


@needs_dask
@pytest.mark.parametrize("address", ["127.0.0.1:9", "[::1]:9"])
def test_nothing_at_the_address(address: str) -> None:
    begun = time.monotonic()
    with refused(naming=[address, "dask scheduler"]):
        make_engine(f"dask://{address}", 1)
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    "name", ["dask://", "dask://host", "dask://host:0", "dask://a/b:80", "dask://host:x", "dask:2"]
)
def test_what_is_no_address_is_refused(name: str) -> None:
    with refused(naming=["dask://"]):
        make_engine(name, 1)


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    pools.dask.cache_clear()
    with refused(naming=["truegain[dask]"]):
        make_engine("dask", 1)


def test_any_executor_is_taken_as_it_is() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        assert make_engine(None, 3, pool).workers == Workers(3, pool)
