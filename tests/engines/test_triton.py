"""Programs for GPUs, run by Triton's interpreter where there is none: the counts are those of the processor."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'truegain[gpu]'")
pytest.importorskip("triton", reason="Triton is not installed: torch brings it on Linux")

DRAWS = """
from truegain.resampling.design import Design
from truegain.resampling.units import Units
for units in (1, 2, 7, 600, 601):
    design = Design(Units.segments(units), "bootstrap", 2**64 - units)
    keys = design.keys(5, 9)
    found = programs.count_draws(torch.from_numpy(keys.view(np.int64)), units)
    assert (found.numpy() == design.weights(5, 9)).all(), units
"""
PAIRS = """
from truegain.engines.pairs import PairQuestion, Steps
from truegain.engines.torch_pairs import _Asked
import truegain.engines.torch_pairs as torch_pairs
torch_pairs.fused_programs = lambda device: programs
random = np.random.default_rng(3)
scores = random.integers(0, 40, (7, 1500)) / 8.0
firsts, seconds = (one.astype(np.int64) for one in np.triu_indices(7, 1))
centres = scores.mean(1)[seconds] - scores.mean(1)[firsts]
scales = random.uniform(0.5, 2.0, 21)
rising = np.argsort(np.abs(centres) * scales)
observed = np.sort(random.uniform(0.0, 8.0, 21))
steps = Steps(rising, firsts[rising], seconds[rising], centres[rising], scales[rising], observed)
limits = random.integers(0, 40, 21) / 8.0
for lower, held in ((False, steps), (True, steps), (False, None)):
    question = PairQuestion(firsts, seconds, -centres if lower else centres, limits, 1.25, lower, held)
    expected = question.count(scores)
    asked = _Asked.of(question, torch.from_numpy(scores.T.copy()))
    doubtful = torch.zeros(1500, dtype=torch.bool)
    hits, maxima = asked.count(doubtful)
    assert not doubtful.any()
    assert (hits.numpy() == expected.exceedances).all() and (maxima.numpy() == expected.maxima).all()
    assert len(set(hits.tolist())) > 10
# What lies on a limit is marked, wherever it is, and only that.
values = np.zeros((2, 300))
values[1] = 9.0
values[1, [0, 255, 299]] = 4.0
question = PairQuestion(np.array([0]), np.array([1]), np.array([1.0]), np.array([3.0]), 1.0, False)
doubtful = torch.zeros(300, dtype=torch.bool)
hits, maxima = _Asked.of(question, torch.from_numpy(values.T.copy())).count(doubtful)
assert doubtful.nonzero()[:, 0].tolist() == [0, 255, 299] and hits.tolist() == [297]
"""


@pytest.mark.parametrize("script", [DRAWS, PAIRS], ids=["draws", "pairs"])
def test_counts_are_those_of_the_processor(script: str) -> None:
    first = "import numpy as np\nimport torch\nfrom truegain.engines import triton_programs as programs\n"
    done = subprocess.run(
        [sys.executable, "-c", first + script],
        env={**os.environ, "TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_torch_alone_where_triton_builds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from truegain.engines import torch_device, triton_programs

    def fail(keys: object, units: int) -> None:
        raise RuntimeError("there is no compiler")

    monkeypatch.setattr(triton_programs, "count_draws", fail)
    with pytest.warns(RuntimeWarning, match="torch alone counts: the same answer, slower"):
        assert torch_device.fused_programs.__wrapped__("cuda") is None
