"""The key of a call: the same in every process, and another one for everything that gives other numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from truegain.engines.call_keys import call_key
from truegain.metrics.bleu import BLEU
from truegain.metrics.chrf import CHRF
from truegain.resampling.design import Design
from truegain.resampling.units import Units, UnitTable
from truegain.statistics import Block, RunScores, SystemScores

SCRIPT = """
import numpy as np
from truegain.engines.call_keys import call_key
from truegain.metrics.bleu import BLEU
from truegain.resampling.design import Design
from truegain.resampling.units import Units, UnitTable
from truegain.statistics import Block, RunScores
values = np.arange(12.0).reshape(4, 3)
design = Design(Units.segments(4), "bootstrap", 3)
table = UnitTable(values, np.ones(3))
print(call_key("resample", design, table, RunScores((Block("bleu", BLEU(), 0, (1, 1)),)), 0, 100, None, 0.1))
"""


@pytest.mark.whole
def test_the_same_in_every_process() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


VALUES = np.arange(12.0).reshape(4, 3)
TABLE = UnitTable(VALUES, np.ones(3))
SEGMENTS = Units.segments(4)
BLOCK = Block("bleu", BLEU(), 0, (1, 1))
OTHERS: dict[str, tuple[Any, ...]] = {
    "as it is": (Design(SEGMENTS, "bootstrap", 3), TABLE, RunScores((BLOCK,)), 0, 100),
    "scheme": (Design(SEGMENTS, "swap", 3), TABLE, RunScores((BLOCK,)), 0, 100),
    "seed": (Design(SEGMENTS, "bootstrap", 4), TABLE, RunScores((BLOCK,)), 0, 100),
    "strata": (Design(SEGMENTS.stratified("aabb"), "bootstrap", 3), TABLE, RunScores((BLOCK,)), 0, 100),
    "blocks": (Design(Units.blocks(4, 2.0), "bootstrap", 3), TABLE, RunScores((BLOCK,)), 0, 100),
    "length": (Design(Units.blocks(4, 3.0), "bootstrap", 3), TABLE, RunScores((BLOCK,)), 0, 100),
    "values": (Design(SEGMENTS, "bootstrap", 3), UnitTable(VALUES + 1, np.ones(3)), RunScores((BLOCK,)), 0, 100),
    "order": (Design(SEGMENTS, "bootstrap", 3), UnitTable(VALUES[::-1], np.ones(3)), RunScores((BLOCK,)), 0, 100),
    "scale": (Design(SEGMENTS, "bootstrap", 3), UnitTable(VALUES, np.full(3, 0.5)), RunScores((BLOCK,)), 0, 100),
    "reduce": (Design(SEGMENTS, "bootstrap", 3), TABLE, SystemScores((BLOCK,)), 0, 100),
    "metric": (Design(SEGMENTS, "bootstrap", 3), TABLE, RunScores((replace(BLOCK, metric=CHRF()),)), 0, 100),
    "setting": (
        Design(SEGMENTS, "bootstrap", 3),
        TABLE,
        RunScores((replace(BLOCK, metric=BLEU(smooth_method="floor")),)),
        0,
        100,
    ),
    "runs": (Design(SEGMENTS, "bootstrap", 3), TABLE, RunScores((replace(BLOCK, run_counts=(2,)),)), 0, 100),
    "first": (Design(SEGMENTS, "bootstrap", 3), TABLE, RunScores((BLOCK,)), 1, 100),
    "resamples": (Design(SEGMENTS, "bootstrap", 3), TABLE, RunScores((BLOCK,)), 0, 101),
    "one more": (Design(SEGMENTS, "bootstrap", 3), TABLE, RunScores((BLOCK,)), 0, 100, None),
}


def test_everything_counts() -> None:
    keys = {name: call_key("resample", *decides) for name, decides in OTHERS.items()}
    keys["kind"] = call_key("count", *OTHERS["as it is"])
    assert len(set(keys.values())) == len(keys)


@pytest.mark.parametrize(
    "pair",
    [
        (1, 1.0),
        (1, True),
        (0, None),
        (False, None),
        ("1", 1),
        (("ab", "c"), ("a", "bc")),
        ((1, (2, 3)), ((1, 2), 3)),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (np.zeros(2), np.zeros(2, np.int64)),
        (np.zeros(2, bool), np.zeros(2, np.int64)),
        (np.zeros(2, bool), np.ones(2, bool)),
        (0.1, np.nextafter(0.1, 1.0)),
    ],
    ids=str,
)
def test_values_that_look_alike(pair: tuple[Any, Any]) -> None:
    assert call_key("resample", pair[0]) != call_key("resample", pair[1])


def test_the_same_in_other_clothes() -> None:
    assert call_key("resample", np.float64(0.1), np.int64(3)) == call_key("resample", 0.1, 3)
    assert call_key("resample", VALUES) == call_key("resample", np.asfortranarray(VALUES))
    assert call_key("resample", np.arange(3, dtype=np.int32)) == call_key("resample", np.arange(3))
    assert call_key("resample", [1, 2]) == call_key("resample", (1, 2))
    renamed = Units("document", np.arange(4), 4, names=("a", "b", "c", "d"))
    designs = [Design(units, "bootstrap", 3) for units in (SEGMENTS, renamed)]
    assert len({call_key("resample", design) for design in designs}) == 1


@dataclass(frozen=True)
class Odd:
    function: Any


@pytest.mark.parametrize(
    "value", [len, object(), Odd(lambda x: x), {1}, Odd, np.array(["a"])], ids=["a", "b", "c", "d", "e", "f"]
)
def test_what_cannot_be_told_apart_has_no_key(value: object) -> None:
    with pytest.raises(TypeError, match="has no key"):
        call_key("resample", value)
