"""Experiments as studies prepare them, on one thread and without a cache."""

from __future__ import annotations

from typing import Any

from truegain.corpus import Corpus
from truegain.experiment import Experiment


def prepared(corpus: Corpus, metrics: Any = ("scores",), **options: Any) -> Experiment:
    usual: dict[str, Any] = {"unit": "auto", "seed": 1, "jobs": 1, "cache": None, "engine": None, "progress": None}
    return Experiment.prepare(corpus, metrics, **{**usual, **options})
