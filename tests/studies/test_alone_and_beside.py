"""A pair has the same answer alone, beside another system, and beside five others."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import truegain as tg

N, SIZE = 120, 6
DOCUMENTS = [f"d{i // SIZE}" for i in range(N)]
WORDS = np.array(list("abcdefg"))
KINDS = ("scores", "two values", "texts", "runs")
OPTIONS: dict[str, dict[str, Any]] = {
    "segments": {},
    "documents": {"documents": DOCUMENTS},
    "segments of documents": {"documents": DOCUMENTS, "unit": "segment"},
    "blocks": {"unit": "block"},
    "short blocks": {"unit": "block", "block_length": 2},
    "domains": {"domains": ["x"] * 50 + ["y"] * 70},
}

Systems = dict[str, Any]
Answers = dict[tuple[str, str], tuple[Any, Any]]


def made(kind: str) -> tuple[list[str] | None, Systems]:
    """Return references and seven systems; neighbours share the gains of most."""
    rng = np.random.default_rng(KINDS.index(kind))
    passages = np.repeat(rng.normal(size=(7, N // SIZE)), SIZE, axis=1) * np.array([[0, 2, 0, 1, 2, 2, 1]]).T
    gains = passages + rng.normal(scale=0.4, size=(7, 1)) + rng.normal(size=(7, N))
    values = rng.normal(size=N) + gains
    names = [f"s{i}" for i in range(7)]
    if kind in ("scores", "two values"):
        return None, dict(zip(names, values if kind == "scores" else (values > 0.0) * 1.0, strict=True))
    if kind == "runs":
        return None, {name: row + rng.normal(scale=0.1, size=(3, N)) for name, row in zip(names, values, strict=True)}
    references = WORDS[rng.integers(0, 7, (N, 12))]
    rights = 1.0 / (1.0 + np.exp(-values))[:, :, None]
    outputs = np.where(rng.random((7, N, 12)) < rights, references, WORDS[rng.integers(0, 7, (7, N, 12))])
    systems = {name: [*map(" ".join, rows)] for name, rows in zip(names, outputs, strict=True)}
    return [*map(" ".join, references)], systems


def answers(references: list[str] | None, systems: Systems, **options: Any) -> Answers:
    """Return each comparison with s0, and its test of dependence."""
    metrics = ["scores"] if references is None else ["bleu", "chrf"]
    result = tg.compare(references, systems, metrics=metrics, resamples=300, jobs=1, **options)
    tests = {(one.metric, one.system): one for one in result.testset.dependence if one.baseline == "s0"}
    own = {(one.metric, one.system): one for one in result.comparisons if one.baseline == "s0"}
    return {key: (one, tests.get(key)) for key, one in own.items()}


@pytest.mark.parametrize(
    ("test", "units"),
    [*product(("auto", "bootstrap"), OPTIONS), ("ar", "segments"), ("ar", "documents"), ("ar", "domains")],
)
@pytest.mark.parametrize("kind", KINDS)
def test_other_systems_change_nothing_of_a_pair(kind: str, test: str, units: str) -> None:
    """Of verdicts if nothing is adjusted. Where blocks have lengths of their own, each comparison notes its own."""
    references, systems = made(kind)
    for adjust in ("none", "holm"):
        options = {"test": test, "adjust": adjust, **OPTIONS[units]}
        alone = answers(references, {name: systems[name] for name in ("s0", "s1")}, **options)
        assert len(alone) == (1 if references is None else 2)
        for count, family in ((3, "baseline"), (7, "baseline"), (7, "all")):
            beside = answers(references, dict(list(systems.items())[:count]), family=family, **options)
            for key, (one, dependence) in alone.items():
                other, same = beside[key]
                assert same == dependence
                adjusted = {"p_adjusted": 1.0, "adjust": "", "significant": False, "better": None, "notes": ()}
                ignored = ({} if adjust == "none" else adjusted) | ({"notes": ()} if units == "blocks" else {})
                assert replace(other, **ignored) == replace(one, **ignored)
                assert adjust == "holm" or other.marked == one.marked
