"""Ray, as any executor; and its own: a cluster begun here or open already, clear words where there is none."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.executors.behaviour import Behaviour
from tests.executors.tasks import ITSELF
from truegain.engines.choice import make_engine
from truegain.errors import InputError
from truegain.executors.base import Executor
from truegain.executors.ray import Ray

# Not imported here: the library is set up before it is imported.
pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")


@pytest.fixture(scope="module")
def executor() -> Executor:
    return make_engine("ray", 3).executor


class TestRay(Behaviour):
    engine = "ray"


def use(executor: Executor) -> None:
    assert [value for value, _ in executor.map(ITSELF, range(12))] == list(range(12))


def test_another_version_is_refused(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    use(executor)
    monkeypatch.setattr("truegain.executors.environment.__version__", "99.0")
    with pytest.raises(InputError, match=r"a worker .* has truegain .*; the command has truegain 99\.0"):
        use(executor)  # as if the worker had come later
    with pytest.raises(InputError, match=r"the worker on .* has truegain .*; here it is truegain 99\.0"):
        use(Ray(3))
    monkeypatch.undo()
    use(executor)  # it goes on


def test_a_cluster_that_is_open_is_used_with_all_it_has_and_that_is_said(executor: Executor) -> None:
    use(executor)
    with pytest.warns(RuntimeWarning, match="its 3 processors are used; 5 jobs were asked for"):
        use(other := Ray(5))
    assert other.workers == 3
    other.close()
    use(executor)  # it is not the other's to end


def test_nothing_at_the_address() -> None:
    """In a process of its own: a program can be connected to one cluster only."""
    code = "from truegain.executors.ray import Ray; list(Ray(1, '127.0.0.1:9').map(abs, [1]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "InputError: the Ray cluster at 127.0.0.1:9 cannot be used: " in done.stderr
    assert "ray start --head" in done.stderr


def test_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="Ray is not installed here") as caught:
        use(Ray(3))
    assert caught.value.hint == "pip install 'truegain[ray]'"
