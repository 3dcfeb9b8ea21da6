"""The options of ``merge``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from truegain.settings.groups import Alpha, StandardErrors
from truegain.settings.option import Option, Options

if TYPE_CHECKING:
    import os

    from truegain.metrics.base import Metric
    from truegain.streaming.sums import Sums

    Shard = str | os.PathLike[str] | Sums


class _Shards(Options, kw_only=False, first=True):
    shards: Annotated[
        "Shard | Iterable[Shard]",
        Option(
            "Sums from ``truegain stats`` or :func:`truegain.stats`, in any order; or merged sums.",
            flags=(),
            text="file, Sums, or several of them",
        ),
    ]


class _Interval(Options):
    interval: Annotated[
        Literal["test", "percentile", "basic", "normal"],
        Option(
            "Kind of interval; test: the gains that the test does not reject. The others are of the Poisson "
            "bootstrap, as intervals of scores are."
        ),
    ] = "test"


class MergeOptions(_Shards, Alpha, _Interval, StandardErrors):
    """The options of :func:`truegain.merge`."""

    metrics: Annotated[
        "Sequence[Metric] | Mapping[str, Metric]",
        Option("Metrics of your own that the sums were made with.", flags=(), text="sequence of Metric, optional"),
    ] = ()
    baseline: Annotated[str | None, Option("System to compare with. Default: the first.", metavar="SYSTEM")] = None
    test: Annotated[
        Literal["auto", "ar", "poisson-bootstrap"],
        Option("Test that decides; both are shown. auto: ar if all systems have the same number of runs."),
    ] = "auto"
    adjust: Annotated[
        Literal["none", "bonferroni", "holm", "hochberg", "bh", "by"],
        Option("Adjustment for the number of systems, per metric."),
    ] = "holm"
