"""What workers of every kind do that share no memory: the same results in the same order, also where some are lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np
import pytest

from tests.executors.tasks import ITSELF, Fatal, Odd, Scaled
from truegain.engines.spread import SpreadEngine
from truegain.errors import InputError
from truegain.executors.base import RETRIES, Executor
from truegain.readers.memory import corpus_from_memory
from truegain.simulation import SystemSpec, simulate
from truegain.studies.compare.study import compare


def numbers(executor: Executor, items: range) -> list[float]:
    return [value for value, _ in executor.map(ITSELF, items)]


def workers(executor: Executor) -> set[int]:
    return {process for _, process in executor.map(ITSELF, range(12))}


class Behaviour:
    """The tests of an executor of three workers, which a fixture of that name gives, and of the engine with its name.

    They are collected with the tests that are the executor's own, so that one file begins one cluster.
    """

    engine: ClassVar[str]

    def test_in_order_and_elsewhere(self, executor: Executor) -> None:
        found = list(executor.map(Scaled(np.arange(4.0)), range(70)))
        assert [value for value, _ in found] == [3 * i for i in range(70)]
        assert os.getpid() not in {process for _, process in found}

    def test_nothing_to_do(self, executor: Executor) -> None:
        assert numbers(executor, range(0)) == []

    def test_work_that_is_left_is_dropped(self, executor: Executor) -> None:
        results = executor.map(ITSELF, range(78, 10_000))
        assert next(results)[0] == 78
        assert isinstance(results, Iterator)
        del results
        assert numbers(executor, range(3)) == [0, 1, 2]

    def test_an_error_comes_back_whole(self, executor: Executor) -> None:
        with pytest.raises(InputError) as caught:
            list(executor.map(ITSELF, range(70, 80)))
        assert (caught.value.path, caught.value.line, caught.value.hint) == ("there", 3, "take another")

    def test_what_was_done_before_an_error_is_given(self, executor: Executor) -> None:
        results = executor.map(ITSELF, range(76, 80))
        assert next(results)[0] == 76
        with pytest.raises(InputError, match="no such item"):
            next(results)

    @pytest.mark.parametrize(("item", "said"), [(1, "Local: of its own"), (5, "Unreadable: 5 and 2")])
    def test_an_error_that_cannot_be_sent_is_told_all_the_same(self, executor: Executor, item: int, said: str) -> None:
        with pytest.raises(RuntimeError, match=said):
            list(executor.map(Odd(), [item]))

    def test_what_cannot_be_sent_is_told_of(self, executor: Executor) -> None:
        with pytest.raises(InputError, match="cannot be sent to another process"):
            list(executor.map(lambda item: item, [1]))

    def test_a_lost_worker_loses_nothing(self, executor: Executor, tmp_path: Path) -> None:
        assert list(executor.map(Fatal(tmp_path, 1), range(10))) == [i * i for i in range(10)]
        assert len(list(tmp_path.iterdir())) == 2

    def test_all_workers_lost_at_once_lose_nothing(self, executor: Executor) -> None:
        known = workers(executor)
        results = executor.map(Scaled(np.arange(1e5)), range(60))
        found = [next(results)]
        for process in known:
            os.kill(process, signal.SIGKILL)
        found.extend(results)
        assert [value for value, _ in found] == [i * 99_999.0 for i in range(60)]

    def test_workers_that_are_always_lost_are_told_of(self, executor: Executor, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=f"{RETRIES + 1} times") as caught:
            list(executor.map(Fatal(tmp_path, 99), range(5)))
        assert "memory" in str(caught.value.hint)
        assert numbers(executor, range(3)) == [0, 1, 2]

    @pytest.mark.parametrize("test", ["ar", "bootstrap"])
    def test_a_result_is_the_same_where_a_worker_is_killed(self, executor: Executor, test: str) -> None:
        made = simulate(segments=60, systems=[SystemSpec(name=name, quality=0.7) for name in "ab"])
        corpus = corpus_from_memory(
            list(made.references[0]), {name: list(runs[0]) for name, runs in made.systems.items()}
        )
        known = workers(executor)
        killed: list[int] = []

        def kill(stage: str, done: int, total: int) -> None:
            if stage != "scoring" and not killed:
                killed.append(known.pop())
                os.kill(killed[0], signal.SIGKILL)

        def result(**where: Any) -> str:
            return str(compare(corpus, metrics=["bleu"], test=test, resamples=30_000, jobs=1, **where).render("json"))

        assert result(engine=SpreadEngine(executor), progress=kill) == result()
        assert killed

    def test_the_command_says_nothing_else_and_leaves_nothing(self, tmp_path: Path) -> None:
        made = simulate(segments=30, systems=[SystemSpec(name=name, quality=0.7) for name in "ab"])
        (tmp_path / "ref").write_text("".join(f"{line}\n" for line in made.references[0]))
        for name, runs in made.systems.items():
            (tmp_path / name).write_text("".join(f"{line}\n" for line in runs[0]))
        command = f"{sys.executable} -m truegain compare --ref ref a b -R 999 -j 2 -f json --engine".split()
        results = []
        with TemporaryDirectory(dir="/tmp", prefix="t") as temporary:  # short, for Ray's names of sockets
            for engine in ("threads", self.engine):
                done = subprocess.run(
                    [*command, engine],
                    cwd=tmp_path,
                    env={**os.environ, "TMPDIR": temporary},
                    capture_output=True,
                    text=True,
                    check=True,
                )
                assert done.stderr == ""
                results.append({**json.loads(done.stdout), "command": ""})
            assert not list(Path(temporary).iterdir())
        assert results[0] == results[1]
