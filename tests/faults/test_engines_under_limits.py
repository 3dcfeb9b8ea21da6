"""Low limits for every engine: its workers are refused before any work, or the answer is right; nothing is left."""

from __future__ import annotations

import itertools
import resource
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.faults.every_command import with_engine
from tests.faults.watched import Ended, watch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")

LIBRARIES = {"torch:cpu": "torch", "dask": "distributed"}
LIMITS = {
    "files": (resource.RLIMIT_NOFILE, (12, 16, 32, 64, 128)),
    "memory": (resource.RLIMIT_AS, (200 << 20, 400 << 20, 700 << 20, 1500 << 20, 2100 << 20)),
    "size": (resource.RLIMIT_FSIZE, (0, 4096, 1 << 20)),
}
CASES = [
    pytest.param(engine, limit, most, marks=() if (limit, most) in (("files", 16), ("size", 0)) else pytest.mark.slow)
    for engine, limit in itertools.product(LIBRARIES, LIMITS)
    for most in LIMITS[limit][1]
]


@pytest.mark.parametrize(("engine", "limit", "most"), CASES)
def test_an_answer_or_a_message(
    everything: Path, untouched: Callable[..., Ended], engine: str, limit: str, most: int
) -> None:
    if find_spec(LIBRARIES[engine]) is None:
        pytest.skip(f"{LIBRARIES[engine]} is not installed")
    kind = LIMITS[limit][0]
    line = with_engine("compare", engine)
    ended = watch(line, everything, befall=lambda: resource.setrlimit(kind, (most, most)))
    ended.leaves_nothing()
    assert ended.code in (0, 2), ended.said
    if ended.code == 0:
        assert (ended.out, ended.said) == (untouched("compare").out, "")
    else:
        assert (ended.out, ended.made) == (b"", [])
        assert "truegain: " in ended.said
