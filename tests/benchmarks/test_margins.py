"""The study of gates at their margin counts what gates decide."""

from __future__ import annotations

from benchmarks.margins import correlated, passes
from truegain.studies.gate import gate


def test_samples_that_pass_are_those_that_the_gate_passes() -> None:
    olds, news = correlated(12, 60, 0.9, 0.93, [3])
    documents = [f"{item // 5}" for item in range(300)]
    decided = set()
    for margin in (0.01, 0.05):
        counted = passes((news & ~olds).sum(2), (olds & ~news).sum(2), margin)[-1]
        for old, new, passed in zip(olds, news, counted, strict=True):
            scores = {"old": old.ravel().astype(float), "new": new.ravel().astype(float)}
            options = {"metrics": ["scores"], "documents": documents, "require": "not-worse", "margin": margin}
            assert gate(None, scores, **options).passed == passed  # type: ignore[arg-type]
            decided.add(bool(passed))
    assert decided == {True, False}
