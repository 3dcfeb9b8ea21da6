"""Names of scores of which lower ones are better, and those that only look like them."""

from __future__ import annotations

import numpy as np
import pytest

from truegain.readers.directions import lower_by_files, lower_by_name, never_negative

LOWER = """
errors n_errors error_rate errors_per_1k WER ter characTER PER mqm MQM_score accuracy_errors no_of_errors Fehler
latency_ms latencyMs Latency(ms) responseTime time_s edit_time ttft elapsed_ms duration seconds ms real_time_factor
cost_usd price loss loss_on_dev nll word_perplexity ppl bits_per_byte cross_entropy mae rmse MetricX-24 metricx_24_xl
toxicity_score hallucination_rate failures timeouts false_positives false_negative edit_distance edit_rate PE_effort
rank mean_rank place Rang deductions severity minor major brier memory_mb
"""
OTHERS = """
score comet accuracy f1 answer water character pass_rate lossless errorless response_quality majority harmlessness
time_saved cost_saving error_free on_time neg_loss 1-TER 100-WER -MetricX tokens_per_second comet_per_cost timestamp
rank_correlation rank_accuracy mean_reciprocal_rank error_span_f1 error_handling hallucination_detection
brevity_penalty edit_similarity levenshtein_ratio logical_deduction per_segment
"""


@pytest.mark.parametrize(
    ("name", "lower"), [*((name, True) for name in LOWER.split()), *((name, False) for name in ("", *OTHERS.split()))]
)
def test_names_of_scores_of_which_lower_ones_are_better(name: str, lower: bool) -> None:
    assert lower_by_name(name) is lower


#: Files, and what of their names says that lower scores are better, if anything does.
FILES: dict[str, str | None] = {
    "a/TER.seg.score": "TER",
    "MetricX-24-XL.seg.score.gz": "MetricX-24-XL",
    "en-de.mqm.seg.score": "mqm",
    "latency_ms.base.csv latency_ms.new.csv": "latency_ms",
    "MetricX-24.csv": "MetricX-24",
    **dict.fromkeys(["1-TER.seg.score", "a.ms.tsv b.ms.tsv", "a.en-ms.COMET.seg.score", "per.scores"]),
    **dict.fromkeys(["rank8.csv rank16.csv", "ter.scores bleu.scores", "loss_ablation.csv"]),
    **dict.fromkeys(["loss/base.csv loss/new.csv", ""]),
}


@pytest.mark.parametrize("files", FILES)
def test_names_of_files(files: str) -> None:
    assert lower_by_files(files.split()) == FILES[files]


def test_penalties_below_zero_are_better_if_higher() -> None:
    assert never_negative([np.array([0.0, np.nan]), np.array([2.0])])
    for values in ([-1.0, 2.0], [0.0, 0.0], [np.nan], []):
        assert not never_negative([np.array(values)])
