"""Metrics computed from outputs, to be held against people."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from truegain.errors import InputError, Setting, Way
from truegain.executors.processors import available_jobs
from truegain.experiment import Experiment
from truegain.inference.results import MetricInfo
from truegain.metrics.lookup import check_sources_read
from truegain.readers.memory import corpus_from_memory
from truegain.readers.rated_outputs import rated_outputs
from truegain.readers.system_scores import SystemScores
from truegain.settings.agree import AgreeOptions

_DEFAULT = ("bleu",)


@dataclass(frozen=True)
class Computed:
    """Metrics by their keys, and how they were computed."""

    scores: dict[str, SystemScores]
    metrics: tuple[MetricInfo, ...] = ()

    @property
    def lower_is_better(self) -> tuple[str, ...]:
        """The metrics whose lower scores are better."""
        return tuple(one.key for one in self.metrics if one.higher_is_better is False)


def computed_metrics(options: AgreeOptions, human: SystemScores) -> Computed:
    """Score the outputs of the systems that people rated: each system as a whole, and each of its segments.

    Raises
    ------
    InputError
        If a system has no outputs, a metric no better side, or an option lacks another.
    """
    if options.outputs is None:
        for name in ("references", "sources", "compute"):
            if getattr(options, name):
                way = Way("--outputs FOLDER", "outputs=…")
                raise InputError("there are no outputs to compute metrics from", hint=("give ", way))
        return Computed({})
    outputs, notes = rated_outputs(options.outputs, human, keep_references=options.keep_references)
    if options.sources is not None:
        check_sources_read(options.compute or _DEFAULT)
    corpus = corpus_from_memory(options.references, outputs, sources=options.sources)
    for system in corpus.systems:
        if len(system.runs) != 1:
            raise InputError(f"{system.name!r} has {len(system.runs):,} runs, and one is compared with people's scores")
    experiment = Experiment.prepare(
        corpus,
        options.compute or _DEFAULT,
        unit="segment",
        seed=options.seed,
        jobs=available_jobs(None),
        cache=options.cache,
        progress=options.progress,
        compared=(),
    )
    infos = experiment.metric_infos()
    for one in infos:
        if one.higher_is_better is None:
            raise InputError(f"{one.label} has no better side, and cannot be compared with people's scores")
        if one.key in options.lower_is_better:
            raise InputError(
                f"{one.label} is computed here, and which of its scores are better is known",
                hint=("leave it out of ", Setting("lower_is_better")),
            )
    names = [system.name for system in corpus.systems]
    found = {}
    for info, segments, scores in zip(infos, experiment.segment_scores, experiment.scores, strict=True):
        own = np.where(np.isfinite(segments), segments, np.nan)
        found[info.key] = SystemScores(
            f"{info.label} of the outputs",
            dict(zip(names, own, strict=True)),
            dict(zip(names, scores.tolist(), strict=True)),
        )
    first = infos[0].key
    found[first] = replace(found[first], notes=(*notes, *experiment.notes), files=corpus.inputs.files)
    return Computed(found, infos)
