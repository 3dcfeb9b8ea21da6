"""Answers on pairs of systems over all metrics, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from truegain.fields import Field, MetricKey, documented

Shown = Literal["better", "worse", "higher", "lower", "above", "below", "not shown"]
Answer = Literal["better", "worse", "different", "above", "below", "not shown", "metrics disagree"]


@documented
@dataclass(frozen=True)
class MetricAnswer:
    """Answer of one metric on a pair."""

    metric: MetricKey
    answer: Annotated[
        Shown,
        Field(
            "What is shown of the system: better or worse than the baseline; higher or lower if neither way is better; "
            "above or below if it is about another gain than zero."
        ),
    ]


@documented
@dataclass(frozen=True)
class Headline:
    """The answer on a pair of systems over all metrics."""

    baseline: Annotated[str, Field("The baseline.")]
    system: Annotated[str, Field("The system.")]
    answer: Annotated[
        Answer,
        Field(
            "Better or worse (above or below another gain than zero) if a metric shows it and none shows the contrary; "
            "different if only metrics without a better way show something."
        ),
    ]
    reliable: Annotated[bool, Field("Whether nothing that is shown has a caveat.")]
    metrics: Annotated[tuple[MetricAnswer, ...], Field("What each metric shows.")]
    text: Annotated[str, Field("The answer in a sentence or two.")]


HEADLINE = Annotated[tuple[Headline, ...], Field("The answer on each pair of systems over all metrics.")]
