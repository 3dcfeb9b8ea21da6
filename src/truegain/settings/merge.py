"""The options of ``merge``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from truegain.settings.groups import Alpha
from truegain.settings.option import Option, Options

if TYPE_CHECKING:
    import os

    from truegain.metrics.base import Metric
    from truegain.streaming.sums import Sums

    Shard = str | os.PathLike[str] | Sums

__all__ = ["MergeOptions"]


class _Shards(Options, kw_only=False, first=True):
    shards: Annotated[
        "Shard | Iterable[Shard]",
        Option(
            "As ``truegain stats`` or :func:`truegain.stats` made them, in any order; or sums that were merged before.",
            flags=(),
            text="file, Sums, or several of them",
        ),
    ]


class _Interval(Options):
    interval: Annotated[Literal["percentile", "basic", "normal"], Option("Kind of bootstrap interval.")] = "percentile"


class MergeOptions(_Shards, Alpha, _Interval):
    """The options of :func:`truegain.merge`."""

    metrics: Annotated[
        "Sequence[Metric] | Mapping[str, Metric]",
        Option("Metrics of your own, which a file can only name.", flags=(), text="sequence of Metric, optional"),
    ] = ()
    baseline: Annotated[str | None, Option("The system to compare with. Default: the first.", metavar="SYSTEM")] = None
    test: Annotated[
        Literal["auto", "ar", "poisson-bootstrap"],
        Option("By which verdicts go; both are shown. auto: ar, where all systems have as many runs."),
    ] = "auto"
    adjustment: Annotated[
        Literal["none", "bonferroni", "holm", "hochberg", "bh", "by"],
        Option("For the number of systems, metric by metric.", flags=("--adjust",)),
    ] = "holm"
