"""Checks that a metric can score what a corpus holds."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.corpus import Corpus, Run
from truegain.errors import FILE, InputError, Setting
from truegain.inputs import IN_MEMORY
from truegain.metrics.base import Metric
from truegain.readers.score_values import number_in


def check_fit(metric: Metric, corpus: Corpus, runs: Sequence[Run]) -> None:
    """Refuse what the metric cannot score, and what it would score without sense.

    Raises
    ------
    InputError
        If texts, scores or a reference are missing, or trees would be taken for text.
    """
    _check_inputs(metric, corpus, runs)
    _check_contents(metric, corpus)


def _check_inputs(metric: Metric, corpus: Corpus, runs: Sequence[Run]) -> None:
    given = all(file.name == IN_MEMORY for file in corpus.inputs.files)
    for run in runs:
        path = run.scores_from if run.scores_from not in ("", run.name) else None
        if metric.reads == "text" and run.outputs is None:
            raise InputError(
                f"{metric.label} needs the outputs of {run.name}, and only its scores are given",
                hint=(
                    "to compare the scores alone: ",
                    Setting("metrics", ("scores",)),
                    "; for both give the outputs as files, and the scores with ",
                    Setting("scores"),
                ),
            )
        if metric.reads == "scores" and not run.scores:
            if given and run.outputs and all(number_in(text.strip()) is not None for text in run.outputs):
                raise InputError(
                    f"the values of {run.name} are texts, such as {run.outputs[0]!r}, and scores are numbers",
                    hint="give numbers: [float(one) for one in …]",
                )
            raise InputError(
                f"there are no segment scores for {run.name}",
                hint=("give them: ", Setting("scores", {"SYSTEM": "FILE"})),
            )
        if getattr(metric, "of_samples", None) is not None and not run.repeats:
            raise InputError(
                f"{metric.label} is of several samples of an item, and {run.name} has one score per item",
                path=path,
                hint="give a data frame with a row per system, item and sample: columns system, id, sample and score"
                if given
                else ("rows of one id are samples of an item; the column of ids is named by ", Setting("id_column")),
            )
        if getattr(metric, "of_samples", None) is not None and run.raters is not None:
            item = next((i for i, own in enumerate(run.raters) if len(set(own.tolist())) > 1), None)
            if item is not None:
                raise InputError(
                    f"{metric.label} is of samples with one result each, and several raters gave those of the item "
                    f"{run.raters.items[item]!r} of {run.name}",
                    path=path,
                    hint="give one result per sample, such as that of one rater or of most of them, and no column of "
                    "raters",
                )
    needs = getattr(metric, "needs", None)  # only metrics of programs say so, and may read sources
    if needs is not None:
        _check_read(metric, needs, corpus)
    elif metric.reads == "text" and not corpus.references:
        raise InputError(f"{metric.label} needs a reference", hint=("give it: ", Setting("references", FILE)))


def _check_read(metric: Metric, needs: frozenset[str], corpus: Corpus) -> None:
    if "source" in needs and corpus.sources is None:
        hint = ("give it: ", Setting("sources", FILE))
        raise InputError(f"{metric.label} reads the source, and none is given for {corpus.name}", hint=hint)
    if "reference" not in needs:
        return
    if not corpus.references:
        raise InputError(f"{metric.label} needs a reference", hint=("give it: ", Setting("references", FILE)))
    if len(corpus.references) > 1:
        raise InputError(
            f"{metric.label} reads one reference, and there are {len(corpus.references)}", hint="give one of them"
        )
    missing = next((i for i, line in enumerate(corpus.references[0], 1) if line is None), None)
    if missing is not None:
        raise InputError(f"{metric.label} needs a reference, and segment {missing:,} has none")


#: What files hold that are not text: in words, the ending of such files, and the metrics that read them.
_STRUCTURES = {
    "dependencies": ("dependency trees", ".conllu", "las", " (or uas)"),
    "brackets": ("trees in brackets", ".mrg", "parseval", ""),
    "tags": ("tagged words", ".conll", "span_f1", " (or tag_accuracy)"),
}


def _check_contents(metric: Metric, corpus: Corpus) -> None:
    """Refuse what the metric would score, but without sense: trees as if they were text."""
    if metric.reads != "text":
        return
    reads = getattr(metric, "structure", "text")
    words, ending, *_ = _STRUCTURES.get(reads, (reads, "", "", ""))
    for name, structure in corpus.structures.items():
        if reads not in (structure, "any"):
            found, _, fitting, other = _STRUCTURES[structure]
            raise InputError(
                f"it holds {found}, and {metric.label} is a metric of {words}",
                path=name,
                hint=(
                    "score it with ",
                    Setting("metrics", (fitting,)),
                    other + (f"; or, if there are {words} in it, name it FILE{ending}" if ending else ""),
                ),
            )
