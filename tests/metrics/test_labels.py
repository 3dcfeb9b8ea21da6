"""No two metrics of a study have one label."""

from __future__ import annotations

import pytest

import truegain as tg
from truegain.metrics.labels import distinct_labels
from truegain.metrics.lookup import make_metrics


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        (["bleu", "chrf"], ["BLEU", "chrF2"]),
        (["rouge1", "rouge1:stem=true"], ["ROUGE-1 (stem=no)", "ROUGE-1 (stem=yes)"]),
        (["las", "las:measure=recall", "uas:measure=precision"], ["LAS", "LAS recall", "UAS precision"]),
        (["las", "las:subtypes=true"], ["LAS", "LAS with subtypes"]),
        (["parseval", "parseval:labelled=false"], ["PARSEVAL F1", "Unlabelled PARSEVAL F1"]),
        (["parseval:errors=zero", "parseval:errors=skip"], ["PARSEVAL F1 (errors=zero)", "PARSEVAL F1 (errors=skip)"]),
        (["aer", "aer:system_base=1", "bleu"], ["AER (system_base=default)", "AER (system_base=1)", "BLEU"]),
        (["bleu", "bleu:tokenize=intl"], ["BLEU (tokenize=default)", "BLEU (tokenize=intl)"]),
        (["wer", "wer:lowercase=false"], ["WER (wer)", "WER (wer:lowercase=false)"]),
        (
            ["ter", "ter:asian_support=false", "ter:asian_support=true"],
            ["TER (ter)", "TER (ter:asian_support=false)", "TER (ter:asian_support=true)"],
        ),
    ],
)
def test_labels_tell_metrics_apart(asked: list[str], labels: list[str]) -> None:
    assert list(distinct_labels(make_metrics(asked)).values()) == labels


def test_results_have_them() -> None:
    found = tg.score(["a b", "c d"], {"one": ["a", "c d"]}, metrics=["rouge1", "rouge1:stem=true"], resamples=10)
    assert [metric.label for metric in found.metrics] == ["ROUGE-1 (stem=no)", "ROUGE-1 (stem=yes)"]


@pytest.mark.parametrize(("name", "label"), [("rougeL", "ROUGE-L"), ("ROUGELsum", "ROUGE-Lsum")])
def test_rouge_goes_by_any_case(name: str, label: str) -> None:
    (metric,) = make_metrics([name]).values()
    assert metric.label == label
