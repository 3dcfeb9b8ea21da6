"""Which files are mutated, each with the tests that mirror it; and what became of their mutants, kept in build/."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.data import ROOT
from benchmarks.mutants.runner import Outcome, Plan

__all__ = ["FILES", "Store"]

_TESTS = {
    "agreement/measures": ("agreement/test_measures",),
    "agreement/swaps": ("agreement/test_swaps",),
    "engines/pairs": ("inference/test_all_pairs",),
    "inference/agreement": ("inference/test_agreement",),
    "inference/all_pairs": ("inference/test_all_pairs",),
    "inference/blocks": ("inference/test_blocks",),
    "inference/claims": ("inference/test_claims",),
    "inference/dependence": ("inference/test_dependence",),
    "inference/classical": ("inference/test_classical",),
    "inference/distributions": ("inference/test_distributions",),
    "inference/effects": ("inference/test_effects",),
    "inference/exact": ("inference/test_exact",),
    "inference/heterogeneity": ("inference/test_heterogeneity",),
    "inference/intervals": ("inference/test_intervals", "inference/test_overlap"),
    "inference/inversion": ("inference/test_inversion",),
    "inference/margins": ("inference/test_margins",),
    "inference/multiplicity": ("inference/test_multiplicity", "inference/test_conjunction"),
    "inference/noncentral": ("inference/test_noncentral",),
    "inference/power": ("inference/test_power",),
    "inference/profiles": ("inference/test_profiles",),
    "inference/proportions": ("inference/test_proportions", "experiment/test_outcomes"),
    "inference/published": ("inference/test_published",),
    "inference/pvalues": ("inference/test_pvalues", "inference/test_sequential"),
    "inference/ranking": ("inference/test_ranking",),
    "inference/rank_shares": ("inference/test_rank_shares",),
    "inference/raters": ("inference/test_raters",),
    "inference/replicas": ("inference/test_replicas", "procedures/test_null_gain"),
    "inference/results": ("inference/test_results",),
    "inference/sampling": ("studies/test_plan",),
    "inference/thresholds": ("inference/test_thresholds",),
    "inference/training_samples": ("inference/test_training_samples", "procedures/test_training_samples"),
    "inference/variance": ("inference/test_variance", "inference/test_skewness"),
    "metrics/base": ("metrics/test_base",),
    "resampling/design": ("resampling/test_units", "resampling/test_strata", "resampling/test_stationary"),
    "resampling/generator": ("resampling/test_generator",),
    "resampling/streams": ("resampling/test_units",),
    "resampling/units": ("resampling/test_units", "resampling/test_strata", "resampling/test_stationary"),
    "statistics/check_inputs": ("test_statistics", "metrics/test_pass_at_k"),
    "statistics/collecting": ("test_statistics",),
    "statistics/matrix": ("test_statistics",),
    "statistics/prepared": ("test_statistics",),
}
#: The tests of each file.
FILES = {
    f"src/truegain/{file}.py": tuple(f"tests/{test}.py" for test in tests) for file, tests in sorted(_TESTS.items())
}


class Store:
    """The outcomes of earlier runs: as they are where nothing has changed, else a hint which test to run first."""

    def __init__(self, folder: Path = ROOT / "build" / "mutants") -> None:
        self._folder = folder

    def current(self, plan: Plan) -> list[Outcome] | None:
        """Return the outcomes, if file, tests, budget and this program are as they were."""
        kept = self._read(plan.file)
        if kept is None or kept["digest"] != _digest(plan):
            return None
        return [Outcome(**one) for one in kept["outcomes"]]

    def killers(self, file: str) -> dict[str, str]:
        """Return the test that noticed each mutant the last time."""
        kept = self._read(file)
        return {one["key"]: one["killer"] for one in kept["outcomes"] if one["killer"]} if kept else {}

    def keep(self, plan: Plan, outcomes: Sequence[Outcome]) -> None:
        """For the next time."""
        self._folder.mkdir(parents=True, exist_ok=True)
        content = {"digest": _digest(plan), "outcomes": [asdict(one) for one in outcomes]}
        self._path(plan.file).write_text(json.dumps(content, indent=1), encoding="utf-8")

    def _read(self, file: str) -> dict[str, Any] | None:
        path = self._path(file)
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def _path(self, file: str) -> Path:
        return self._folder / (file.removeprefix("src/truegain/").replace("/", "-") + ".json")


def _digest(plan: Plan) -> str:
    found = hashlib.sha256(f"{plan.budget}".encode())
    program = Path(__file__).parent
    for path in (plan.file, *plan.tests):
        found.update((ROOT / path).read_bytes())
    for name in ("operators.py", "runner.py", "transplant.py"):
        found.update((program / name).read_bytes())
    return found.hexdigest()
