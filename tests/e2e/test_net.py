"""The numbers held in tests/golden are a net: a change of one part in 10⁹, in any of these places, is caught."""

from __future__ import annotations

import dataclasses
import json
import shlex
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from benchmarks.numbers import kinds_of, rows_of
from tests.e2e.golden import GOLDEN, run
from tests.e2e.test_golden import BEFORE, DROPPED, NUMBERS, sample, screen
from truegain.rows import Row

__all__ = ["sample", "screen"]

NUDGE = 1 + 1e-9
#: Each with a study whose numbers show it.
PLACES = {
    # Scores
    "metrics.bleu:BLEU.score": "score",
    "metrics.chrf:CHRF.score": "score",
    "metrics.nist:NIST.score": "score-metrics",
    "metrics.ter:TER.score": "compare-classical",
    "statistics.matrix:mean_of_runs": "intervals",
    # p
    "inference.distributions:binomial_tail": "compare-classical",
    "inference.distributions:normal_tail": "compare-classical",
    "inference.distributions:student_tail": "compare-classical",
    "inference.exact:exact_p": "compare-exact",
    "inference.margins:exact_p": "gate-two-values",
    "inference.margins:SkewedGain.p": "gate-margin",
    "inference.multiplicity:adjust": "compare",
    "inference.multiplicity:max_t": "compare-all-pairs",
    "inference.proportions:tail": "compare-two-values",
    "inference.pvalues:counted": "compare-published",
    "inference.pvalues:randomization_test": "compare-ar-runs",
    "inference.raters:raters_test": "compare-prompts",
    "inference.replicas:crossed_test": "compare",
    "inference.replicas:run_permutation_test": "compare-runs-tests",
    "inference.replicas:welch_test": "compare-runs-tests",
    "agreement.measures:randomization_p": "agree",
    "agreement.variances:t_test": "agree",
    # Intervals and standard errors
    "inference.intervals:bootstrap_interval": "score",
    "inference.inversion:Inversion.interval": "compare-one-run",
    "inference.margins:SkewedGain.bound": "gate-margin",
    "inference.replicas:crossed_bound": "gate",
    "inference.inversion:exact_interval": "compare-exact",
    "inference.proportions:Share.interval": "score-two-values",
    "inference.proportions:ScoreTest.interval": "compare-two-values",
    "inference.variance:cluster_variance": "score",
    # Thresholds and shares
    "inference.profiles:significant_share": "significance",
    "inference.thresholds:drawn_interval": "threshold",
    "inference.thresholds:percentile": "threshold",
    "inference.agreement:expected_agreement": "domains",
    # Plans
    "inference.power:Plan.detectable": "plan",
    "inference.power:Plan.power": "plan",
    # Ranks, sizes, groups, sets
    "inference.multiplicity:partial_conjunction": "run",
    "inference.heterogeneity:apart": "compare-by",
    "inference.pvalues:clopper_pearson": "calibrate",
    "inference.variance:jackknife": "compare-runs-tests",
    "experiment.variability:variability": "compare",
    "inference.all_pairs:AllPairs.adjusted": "rank-maxt",
    "tuning.lists:Lists.score": "tune",
}


@pytest.mark.parametrize(("place", "study"), PLACES.items())
def test_a_nudge_is_caught(place: str, study: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held = (GOLDEN / "numbers" / f"{study}.tsv").read_text(encoding="utf-8").splitlines()
    assert numbers(study) == held, "and what is imported late is imported"
    nudge(place, monkeypatch)
    assert numbers(study) != held


def numbers(study: str) -> list[str]:
    file = Path("net.json")
    file.unlink(missing_ok=True)
    for line in BEFORE.get(study, ()):
        run(shlex.split(line))
    run([*shlex.split(NUMBERS[study]), "-o", str(file)])
    if not file.exists():  # refused: a proportion above 1
        return []
    result = json.loads(file.read_text(encoding="utf-8"))
    return [str(row) for row in (*rows_of(result, DROPPED), *kinds_of(result))]


def nudge(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a function or method give back numbers that are a little larger, whoever imported it."""
    module, _, path = place.partition(":")
    *holder, name = path.split(".")
    owner = import_module(f"truegain.{module}")
    for one in holder:
        owner = getattr(owner, one)
    original: Callable[..., Any] = getattr(owner, name)

    def nudged(*arguments: Any, **options: Any) -> Any:
        return larger(original(*arguments, **options))

    monkeypatch.setattr(owner, name, nudged)
    for module_name, importer in list(sys.modules.items()):
        if module_name.startswith("truegain.") and vars(importer).get(name) is original:
            monkeypatch.setattr(importer, name, nudged)


def larger(value: Any) -> Any:
    """Return the same with each number that is no count larger by one part in 10⁹."""
    if isinstance(value, (float, np.floating)) or (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
        return value * NUDGE
    if isinstance(value, dict):
        return {key: larger(item) for key, item in value.items()}
    if isinstance(value, Iterator):
        return map(larger, value)
    if isinstance(value, (list, tuple)):
        items = [larger(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, Row):
        return structs.replace(value, **{name: larger(getattr(value, name)) for name in value.__struct_fields__})
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
        return dataclasses.replace(value, **{name: larger(field) for name, field in fields.items()})
    return value
