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


@pytest.mark.parametrize("name", LOWER.split())
def test_names_of_scores_of_which_lower_ones_are_better(name: str) -> None:
    assert lower_by_name(name)


@pytest.mark.parametrize("name", ["", *OTHERS.split()])
def test_other_names(name: str) -> None:
    assert not lower_by_name(name)


@pytest.mark.parametrize(
    ("files", "piece"),
    [
        (["a/TER.seg.score"], "TER"),
        (["MetricX-24-XL.seg.score.gz"], "MetricX-24-XL"),
        (["en-de.mqm.seg.score"], "mqm"),
        (["latency_ms.base.csv", "latency_ms.new.csv"], "latency_ms"),
        (["MetricX-24.csv"], "MetricX-24"),
        (["1-TER.seg.score"], None),
        (["a.ms.tsv", "b.ms.tsv"], None),
        (["a.en-ms.COMET.seg.score"], None),
        (["per.scores"], None),
        (["rank8.csv", "rank16.csv"], None),
        (["ter.scores", "bleu.scores"], None),
        (["loss_ablation.csv"], None),
        (["loss/base.csv", "loss/new.csv"], None),
        ([], None),
    ],
)
def test_names_of_files(files: list[str], piece: str | None) -> None:
    assert lower_by_files(files) == piece


def test_penalties_below_zero_are_better_if_higher() -> None:
    assert never_negative([np.array([0.0, np.nan]), np.array([2.0])])
    for values in ([-1.0, 2.0], [0.0, 0.0], [np.nan], []):
        assert not never_negative([np.array(values)])
