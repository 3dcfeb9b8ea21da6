"""The options of ``agree``."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from truegain.settings import Adjustment
from truegain.settings.groups import Alpha, Kept, Seed, Watching
from truegain.settings.option import Option, Options, of_objects
from truegain.settings.texts import names

if TYPE_CHECKING:
    from truegain.metrics.base import Metric

AgreeTest = Literal["documents", "perm-sys", "perm-both", "pair-swaps"]


class _Judgements(Options, kw_only=False, first=True):
    human: Annotated[
        Any,
        of_objects(
            "Scores of people: a file, scores by system, or a data frame (a column per system, or the columns system, "
            "id and score); None for a segment that was not rated. A list of these: several test sets, such as "
            "language pairs.",
            text="path, or mapping of str to sequence of float, or data frame, or a list of these",
        ),
    ]
    metrics: Annotated[
        Any,
        of_objects(
            "Scores of metrics: files, a folder of files that end in ``.seg.score``, or either by name. A list of "
            "these, one for each of several test sets.",
            text="path or paths, or mapping of str to path, to scores by system or to data frame, or a list of these",
        ),
    ] = ()


class AgreeOptions(_Judgements, Alpha, Seed, Kept, Watching):
    """The options of :func:`truegain.agree`."""

    outputs: Annotated[
        Any,
        of_objects(
            "Outputs of the systems that people rated, to compute metrics from: files named after systems, a folder of "
            "these, or outputs by system.",
            text="path or paths, or mapping of str to outputs, optional",
        ),
    ] = None
    references: Annotated[
        Any,
        of_objects(
            "References of these outputs, as in :func:`truegain.compare`.",
            text="sequence of str, sequence of sequences, or path, optional",
        ),
    ] = None
    sources: Annotated[
        Any,
        of_objects(
            "Source of each segment, for computed metrics that read it, such as COMET.",
            text="sequence of str, or a file, optional",
        ),
    ] = None
    compute: Annotated[
        "Sequence[str | Metric] | Mapping[str, Metric]",
        of_objects(
            "Metrics to compute from outputs; bleu if there are outputs and none is named.",
            text="sequence of str or Metric",
        ),
    ] = ()
    documents: Annotated[
        Any,
        of_objects(
            "Document ID of each segment; documents are then the units, else segments. For several test sets: a list.",
            text="sequence of str, or a file, or a list of these, optional",
        ),
    ] = None
    measures: Annotated[
        Sequence[str],
        Option(
            "Measures: accuracy, spa, system-pearson, acc23, kendall, pearson. Default: all that the test has.",
            flags=("--measures",),
            metavar="NAME,...",
            parse=names,
            text="sequence of str",
        ),
    ] = ()
    test: Annotated[
        Literal["auto", AgreeTest],
        Option(
            "Test between metrics; auto: perm-sys, whose claim is about new systems on new documents, with 6 systems "
            "or more, else documents."
        ),
    ] = "auto"
    adjust: Annotated[
        Literal["auto", Adjustment],
        Option("Adjustment for the number of pairs of metrics; auto: maxt, or holm with the test documents."),
    ] = "auto"
    keep_references: Annotated[bool, Option("Rank human references (refA, Human-A) among the systems.")] = False
    lower_is_better: Annotated[
        Sequence[str],
        Option(
            "Metrics whose lower scores are better; human: people's lower scores are.",
            metavar="NAME,...",
            parse=names,
            text="sequence of str",
        ),
    ] = ()
    resamples: Annotated[
        int, Option("Number of swaps; all of them if there are no more.", flags=("--resamples", "-R"), least=1)
    ] = 1_000
