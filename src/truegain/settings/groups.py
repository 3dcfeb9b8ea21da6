"""Groups of options that several studies share."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

from truegain.settings import IntervalMethod, ScoreInterval, StrataChoice, UnitChoice
from truegain.settings.option import Option, Options, of_objects

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from truegain.cache import Cache
    from truegain.engines.engine import Engine
    from truegain.metrics.base import Metric

#: Told the name of a stage, how much of it was done since the last call, and how much there is in all.
Progress = Callable[[str, int, int], None]


class Frame(Protocol):
    """Data frame of pandas or polars."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""

    def __getitem__(self, name: Any, /) -> Any:
        """Return a column."""


class Inputs(Options, kw_only=False, first=True):
    """Corpus to score. The command line and experiment files name files instead."""

    references: Annotated[
        Any,
        of_objects(
            "One reference as a sequence of segments; a sequence per reference for several; a file; or None for "
            "segment scores.",
            "A Corpus holds ``systems``, ``documents`` and ``domains`` already.",
            text="sequence of str, sequence of sequences, path, None, or Corpus",
        ),
    ]
    systems: Annotated[
        Mapping[str, Any] | Frame | None,
        of_objects(
            "The baseline first. Outputs are a sequence of segments, a file, or a sequence of such for several runs; "
            'arrays of numbers are segment scores (``metrics=["scores"]``).',
            "Or a data frame of pandas or polars: a column per system; or a row per system and item, with the columns "
            "``system``, ``id`` (or ``item``), ``score``, and ``run`` for runs; systems are then sorted by name. "
            "``references``, ``documents`` and ``domains`` name columns. A frame alone is taken for systems.",
            text="mapping of str to outputs, or data frame",
        ),
    ] = None


class Metrics(Options, first=True):
    """By what it is scored."""

    metrics: Annotated[
        "Sequence[str | Metric] | Mapping[str, Metric]",
        of_objects(
            "Names with their settings (``truegain metrics`` lists them), or metrics of your own.",
            text="sequence of str or Metric",
        ),
    ] = ("bleu",)


class Labels(Options, first=True):
    """Sources, documents and domains of segments."""

    sources: Annotated[
        Any,
        of_objects(
            "Source of each segment, for metrics that read it, such as COMET.",
            text="sequence of str, or a file, optional",
        ),
    ] = None
    documents: Annotated[
        Any,
        of_objects(
            "Document ID of each segment; whole documents are then resampled.",
            text="sequence of str, or a file, optional",
        ),
    ] = None
    domains: Annotated[
        Any,
        of_objects(
            "Domain (or language, or test set) of each segment; resampling is then done within domains.",
            text="sequence of str, or a file, optional",
        ),
    ] = None


class Grouping(Options):
    """Groups of segments."""

    by: Annotated[
        str | None,
        Option(
            "Also answer within groups of segments: by domain, document, length (quartiles of reference words), or a "
            "column of the scores or of the file of documents.",
            comment="also within groups: domain, document, length, or a column",
            metavar="domain|document|length|COLUMN",
        ),
    ] = None


class Development(Options):
    """The development set."""

    development: Annotated[
        Any,
        of_objects(
            "The same systems and runs on the development set, for s_dev and the median run.",
            text="Corpus, or references and systems, optional",
        ),
    ] = None


class TrainingSamples(Options):
    """Training samples of runs."""

    training_samples: Annotated[
        str | None,
        Option(
            "Training sample of each run: a pattern with one group in parentheses that finds it in the file's name, "
            "or the manifest.json of truegain split.",
            "Runs may also be given by sample: ``systems={name: {sample: outputs}}``.",
            metavar="REGEX|FILE",
        ),
    ] = None


class Resamples(Options):
    """Number of resamples."""

    resamples: Annotated[int, Option("Number of resamples.", flags=("--resamples", "-R"))] = 10_000


class Alpha(Options):
    """The level."""

    alpha: Annotated[float, Option("Significance level; intervals have level 1 - alpha.", between=(0, 1))] = 0.05


class Intervals(Alpha):
    """The level, and the kind of intervals."""

    interval: Annotated[
        ScoreInterval,
        Option(
            "Kind of interval; auto: Wilson's for scores of two values, else the bootstrap's percentiles.",
            "The others are of the bootstrap.",
            comment='or of the bootstrap: "percentile", "basic", "bca", "normal"',
        ),
    ] = "auto"


class GainIntervals(Alpha):
    """The level, and the kind of intervals of gains."""

    interval: Annotated[
        IntervalMethod,
        Option(
            "Kind of interval; test: the gains that the test does not reject. The others are of the bootstrap.",
            "With ``test``, intervals of scores are Wilson's for scores of two values, else percentiles of the "
            "bootstrap; otherwise they are of the kind that is named. Tests "
            "without an interval of their own have a percentile interval of the bootstrap with ``test``, and a note.",
            comment='the gains that the test does not reject; or of the bootstrap: "percentile", "bca", …',
        ),
    ] = "test"


class Seed(Options):
    """Chance."""

    seed: Annotated[
        int,
        Option(
            "Random seed: the same seed gives the same answer.", "This holds for every engine and number of threads."
        ),
    ] = 12345


class StandardErrors(Options):
    """Further columns of tables."""

    standard_errors: Annotated[
        bool,
        Option(
            "Show standard errors in tables; JSON, CSV and TSV always have them.",
            comment="true: tables show them; JSON, CSV and TSV always have them",
        ),
    ] = False


class Units(Options):
    """Unit of resampling."""

    unit: Annotated[
        UnitChoice,
        Option(
            "Unit of resampling; auto: documents if they are known, else segments.",
            "``block``: neighbouring segments, by the stationary bootstrap.",
        ),
    ] = "auto"
    strata: Annotated[
        StrataChoice,
        Option(
            "Resample within each domain; auto: if domains are known.",
            comment='draw within domains where they are known; "none"',
        ),
    ] = "auto"


class NoBlocks(Units):
    """Unit of resampling, for studies that cannot draw blocks."""

    unit: Annotated[
        Literal["auto", "segment", "document", "domain", "testset"],
        Option("Unit of resampling; auto: documents if they are known, else segments."),
    ] = "auto"


class Blocks(Units):
    """Unit of resampling, blocks of segments included."""

    block_length: Annotated[
        float | None, Option("Mean block length. Default: the rule of Politis and White.", metavar="SEGMENTS")
    ] = None


class Jobs(Options):
    """Threads."""

    jobs: Annotated[
        int | None,
        Option(
            "Number of threads; the answer does not depend on it. Default: all processors.",
            flags=("--jobs", "-j"),
            key="",
        ),
    ] = None


class _Engines(Options):
    engine: Annotated[
        "Engine | str | None",
        Option(
            "Compute with threads (default), torch or dask. The answer is the same.",
            "See docs/scale.md.",
            metavar="NAME",
            key="",
            text="str, optional",
        ),
    ] = None
    executor: Annotated[
        "Executor | None",
        of_objects(
            "Workers that compute instead of threads: of processes, of Dask, of MPI. It stays open.",
            text="concurrent.futures.Executor, optional",
        ),
    ] = None


class Kept(Options):
    """Cache."""

    cache: Annotated[
        "Cache | None", of_objects("Cache for segment statistics. Default: none.", text="Cache, optional")
    ] = None


class Watching(Options):
    """Progress."""

    progress: Annotated[
        Progress | None,
        of_objects(
            "Called with the name of a stage, the amount done since the last call, and the total.",
            text="callable, optional",
        ),
    ] = None


class Computing(Jobs, _Engines, Kept, Watching):
    """Threads, engine, cache and progress."""


class Scoring(Metrics, Units, Seed, Computing):
    """Options to score a corpus and to resample it."""
