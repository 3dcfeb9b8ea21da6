"""Answers on pairs of systems over all metrics, as data."""

from __future__ import annotations

from typing import Annotated, Literal

from truegain.rows import MetricKey, Row, field

Shown = Literal["better", "worse", "higher", "lower", "above", "below", "not shown"]
Answer = Literal["better", "worse", "different", "above", "below", "not shown", "metrics disagree"]


class MetricAnswer(Row):
    """Answer of one metric on a pair."""

    metric: MetricKey
    answer: Annotated[
        Shown,
        field(
            "What is shown of the system: better or worse than the baseline; higher or lower if neither way is better; "
            "above or below if it is about another gain than zero."
        ),
    ]


class Headline(Row):
    """The answer on a pair of systems over all metrics."""

    baseline: Annotated[str, field("The baseline.")]
    system: Annotated[str, field("The system.")]
    answer: Annotated[
        Answer,
        field(
            "Better or worse (above or below another gain than zero) if a metric shows it and none shows the contrary; "
            "different if only metrics without a better way show something."
        ),
    ]
    reliable: Annotated[bool, field("Whether nothing that is shown has a caveat.")]
    metrics: Annotated[tuple[MetricAnswer, ...], field("What each metric shows.")]
    text: Annotated[str, field("The answer in a sentence or two.")]
