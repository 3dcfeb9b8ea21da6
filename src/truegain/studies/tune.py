"""Tuning of weights on n-best lists, again and again: replicas from an optimizer, as Clark et al. (2011) had them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from pathlib import Path
from statistics import fmean, stdev
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain.corpus import Corpus, Run, System
from truegain.engines.engine import Engine
from truegain.errors import InputError, Setting, one_of
from truegain.executors.over import Workers, over
from truegain.executors.processors import available_jobs, one_blas_thread
from truegain.experiment import Experiment, check_count, check_options
from truegain.experiment.observed import Observed
from truegain.inference.results import MetricInfo, Metrics
from truegain.inputs import IN_MEMORY, InputFile, Inputs
from truegain.metrics.base import Metric, reference_count
from truegain.metrics.lookup import make_metrics
from truegain.notes import Finding, Note, gathered
from truegain.readers.any_format import read_text
from truegain.readers.hypotheses import Hypotheses, read_hypotheses
from truegain.readers.plain import read_bytes
from truegain.readers.strict_json import strict_loads
from truegain.report import write_atomically
from truegain.report.model import Table
from truegain.resampling.generator import RandomNumbers, resample_keys
from truegain.resampling.streams import Stream
from truegain.resampling.units import Units
from truegain.results import Result
from truegain.rows import Count, Number, Row, Seed, field
from truegain.settings.function import takes
from truegain.settings.tune import TuneOptions
from truegain.statistics import Block, SegmentStatistics
from truegain.statistics.resemblance import resemblance_notes, unlike
from truegain.studies.advice import SHARE, varies_more
from truegain.tuning.lists import Lists
from truegain.tuning.mert import mert
from truegain.tuning.mira import Steps, mira
from truegain.tuning.oracle import oracle
from truegain.tuning.pro import Pairs, pro
from truegain.version import __version__
from truegain.view import Digits, table
from truegain.words import Sentence, heading_of, signed, whole

DEVELOPMENT = "dev"
_RESTARTS = 20
_RESAMPLES = 1_000  # of segments, for the spread over test sets
_LARGEST = 1 << 26  # bytes of a file of weights: far more features than lists can have
_DIGITS = 9  # of weights: what processors round differently is beyond them
_PLACES = 2

MEAN = Sentence("{label} on {name} is {mean} after {runs} of {optimizer}.")
VARIES = Sentence("{label} on {name} has a standard deviation of {deviation} over {runs} of {optimizer} (mean {mean}).")
SAME = Sentence("Runs with outputs of their own: {distinct} of {count}.")
LARGE_S_DEV = Sentence(
    "s_dev ({s_dev}) is above half of the gain over the 1-best ({gain}): make more runs, or restarts."
)
OVERFITTING = Sentence("s_test on {name} ({deviation}) is above s_dev ({s_dev}): overfitting to the development set?")
LARGE_S_SEL = Sentence(
    "s_sel on {name} ({s_sel}) is above half of the gain over the 1-best ({gain}): test on more segments."
)
CONSTANT = Sentence("{name} is the same for all hypotheses of each segment and has no weight")
DEVELOPMENT_IS_TEST = Sentence("weights are tuned on this set: its scores say nothing about new texts")
KEPT_RUNS = Sentence("{count:,} runs that were there already were kept")
ENDING = Sentence("{segments}, {hypotheses}, {features} · {optimizer}, seed {seed}")
METHODS = Sentence(
    "The weights of {features} were tuned for {label} on n-best lists of {segments}, {times}, by {method} (truegain "
    "{version}, seed {seed})."
)
OPTIMIZERS = {
    "mert": Sentence("minimum error rate training (Och 2003) with {restarts} and random directions"),
    "pro": Sentence("PRO (Hopkins and May 2011) with random pairs of hypotheses"),
    "mira": Sentence("batch MIRA (Cherry and Foster 2012) with random orders of segments"),
}
SETS_NOTE = (
    "s: over runs (s_dev, s_test); s_sel: over test sets; 1-best: by the lists' totals; oracle, worst: greedy search."
)

Floats = NDArray[np.float64]


class TunedRun(Row):
    """Weights that were tuned once."""

    number: Annotated[Count, field("The number of the run.")]
    scores: Annotated[tuple[float | None, ...], field("The score on each set; none without references.")]
    weights: Annotated[tuple[float, ...], field("The weight of each feature.")]
    same_as: Annotated[Number | None, field("An earlier run with the same outputs on every set, if there is one.")]


class TunedSet(Row):
    """Test set whose outputs were chosen by the weights; without references it has no scores."""

    name: Annotated[str, field('Its name; "dev" for the development set.', show="text")]
    segments: Annotated[Count, field("The number of segments.")]
    hypotheses: Annotated[Count, field("The number of hypotheses.")]
    first: Annotated[float | None, field("Of the hypotheses with the highest totals in the lists.", "1-best", "score")]
    best: Annotated[float | None, field("Of the best hypotheses that a greedy search found.", "oracle", "score")]
    worst: Annotated[float | None, field("Of the worst.", show="score")]
    s_sel: Annotated[float | None, field("Standard deviation over test sets, the mean over runs.", "s_sel", "score")]


class _Spread(Row):
    """Scores over runs, as the table shows them."""

    mean: Annotated[float | None, field("The mean.", show="score")]
    deviation: Annotated[float | None, field("The standard deviation.", "s", "score")]


class TuneResult(Result, tag="tune", kw_only=True):
    """Weights of several runs, and what they choose."""

    title = "How much does tuning vary?"
    study: ClassVar[str] = "tune"

    optimizer: Annotated[Literal["mert", "pro", "mira"], field("The optimizer.")]
    sets: Annotated[tuple[TunedSet, ...], field("The development set, and those that weights were applied to.")]
    metrics: Metrics
    features: Annotated[tuple[str, ...], field("The features.")]
    runs: Annotated[tuple[TunedRun, ...], field("The runs.")]
    restarts: Annotated[Number | None, field("The number of random starts of each run; none if there are no starts.")]
    seed: Annotated[Seed, field("The seed.")]
    inputs: Annotated[Inputs, field("What was read, set by set.")]
    fingerprint: Annotated[str, field("A digest of all that was read.")]

    @property
    def distinct(self) -> int:
        """The number of runs with outputs of their own."""
        return sum(run.same_as is None for run in self.runs)

    def scores(self, place: int) -> tuple[float, ...]:
        """Return the scores of the runs on a set; none without references."""
        return tuple(score for run in self.runs if (score := run.scores[place]) is not None)

    def mean(self, place: int) -> float | None:
        """Return the mean score of the runs on a set."""
        return fmean(scores) if (scores := self.scores(place)) else None

    def deviation(self, place: int) -> float | None:
        """Return the standard deviation of the scores of the runs on a set."""
        return stdev(scores) if len(scores := self.scores(place)) > 1 else None

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, methods = super().used()
        return metrics, [*methods, self.optimizer, "runs"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each run."""
        columns = [*(tuned_set.name for tuned_set in self.sets), *(f"weight {name}" for name in self.features)]
        return [
            {"run": run.number, **dict(zip(columns, (*run.scores, *run.weights), strict=True)), "same_as": run.same_as}
            for run in self.runs
        ]

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield the sets."""
        rows = [
            {"": tuned_set, "runs": _Spread(self.mean(place), self.deviation(place))}
            for place, tuned_set in enumerate(self.sets)
        ]
        columns, metric = "name runs.mean? runs.deviation? s_sel? first? best? worst?", self.metrics[0]
        digits, headings = Digits(_PLACES if decimals is None else decimals), {"name": heading_of(metric)}
        caption = f"{metric.label} over runs, and of the best and worst hypotheses"
        yield table(rows, columns, digits, headings=headings, caption=caption, notes=[SETS_NOTE])


@takes(TuneOptions)
def tune(options: TuneOptions) -> TuneResult:
    """Tune the weights of features on n-best lists, several times, and choose outputs by them.

    The runs differ in what the optimizer draws: starts and directions (MERT), pairs (PRO), the order of segments
    (MIRA). Their outputs are runs of one system for :func:`truegain.compare` and :func:`truegain.replicate`.
    """
    options, key, metric = _checked(options)
    sets, features, notes = _sets(options, metric)
    digest = _digest(sets)
    of_restarts = "" if options.restarts is None else f"|restarts:{options.restarts}"
    setting = f"optimizer:{options.optimizer}|metric:{key}{of_restarts}|features:{len(features)}"
    ending = f"|seed:{options.seed}|version:{__version__}"
    mark = {"signature": f"{setting}{ending}", "inputs": digest, "features": list(features)}
    jobs = available_jobs(options.jobs)
    weights, kept = _weights_of_runs(sets, options, mark, jobs)
    if kept:
        notes.append(Note("kept-runs", KEPT_RUNS(count=kept)))
    references = reference_count(sets[0].references)
    result = TuneResult(
        optimizer=options.optimizer,
        sets=tuple(tuning_set.described(key, weights, options.seed, jobs) for tuning_set in sets),
        metrics=(MetricInfo(key, metric.label, metric.higher_is_better, metric.signature(references)),),
        features=features,
        runs=tuple(_scored_runs(sets, weights)),
        restarts=options.restarts,
        seed=options.seed,
        inputs=Inputs(tuple(file for tuning_set in sets for file in tuning_set.files), "id"),
        fingerprint=digest,
        signature=f"{setting}|runs:{options.runs}{ending}",
        notes=tuple(gathered([*(note for part in sets for note in part.notes(key, weights[0])), *notes])),
    )
    return _in_words(result)


def _checked(options: TuneOptions) -> tuple[TuneOptions, str, Metric]:
    """Return the options with the number of restarts, and the metric with its key; refuse options that do not fit."""
    if options.optimizer not in OPTIMIZERS:
        raise one_of("optimizer", options.optimizer, list(OPTIMIZERS))
    if options.restarts is not None and options.optimizer != "mert":
        raise InputError(f"{options.optimizer} has no random starts", hint=("leave out ", Setting("restarts")))
    check_options(options)
    check_count("runs", options.runs)
    check_count("restarts", 1 if options.restarts is None else options.restarts)
    ((key, metric),) = make_metrics([options.metric]).items()
    if metric.reads != "text" or metric.higher_is_better is None:
        raise InputError(f"{metric.label} cannot be tuned for: it takes a metric of texts with a better side")
    if options.optimizer == "mert" and options.restarts is None:
        options = options.changed(restarts=_RESTARTS)
    return options, key, metric


def _weights_of_runs(
    sets: Sequence[TuningSet], options: TuneOptions, mark: dict[str, Any], jobs: int
) -> tuple[list[Floats], int]:
    """Tune, run by run, and write what was tuned; return the weights, and how many runs were there already."""
    folder = None if options.folder is None else _made(options.folder)
    known = [None if folder is None else _kept(folder, number, mark) for number in range(1, options.runs + 1)]

    def run(_: None, number: int, __: int) -> Floats:
        kept = known[number - 1]
        weights = _tuned(sets[0].lists, options, number) if kept is None else kept
        if folder is not None:
            _write(folder, number, sets, weights, mark)
        if options.progress is not None:
            options.progress("tuning", 1, options.runs)
        return weights

    with one_blas_thread():
        weights = list(over(run, None, 1, options.runs, Workers(jobs), size=1))
    return weights, sum(kept is not None for kept in known)


def _tuned(lists: Lists, options: TuneOptions, number: int) -> Floats:
    """Return the weights of a run, such that the largest product of a weight and the spread of its feature is 1."""
    random = RandomNumbers(int(resample_keys(options.seed, Stream.TUNING, number, 1)[0]))
    if options.optimizer == "mert":
        weights = mert(lists, random, options.restarts or _RESTARTS)
    elif options.optimizer == "pro":
        weights = pro(lists, random, Pairs())
    else:
        weights = mira(lists, random, Steps())
    largest = float(np.abs(weights * lists.spread).max())
    if largest > 0.0:
        weights = weights / largest
    return np.array([float(f"{weight:.{_DIGITS}g}") for weight in weights.tolist()])


def _scored_runs(sets: Sequence[TuningSet], weights_of_runs: Sequence[Floats]) -> Iterator[TunedRun]:
    """Yield the scores of each run, and which has the same outputs."""
    seen: dict[tuple[tuple[str, ...], ...], int] = {}
    for number, weights in enumerate(weights_of_runs, 1):
        same = seen.setdefault(tuple(tuple(part.outputs(weights)) for part in sets), number)
        scores = tuple(part.lists.score(weights) if part.references else None for part in sets)
        yield TunedRun(number, scores, tuple(weights.tolist()), None if same == number else same)


# ---- What is written


def _made(folder: str | os.PathLike[str]) -> Path:
    """Make the folder if it is not there; that it cannot be made is said before anything is tuned."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be made: {getattr(error, 'strerror', None) or error}", path=str(path)) from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise InputError("cannot be written to: Permission denied", path=str(path))
    return path


def _write(folder: Path, number: int, sets: Sequence[TuningSet], weights: Floats, mark: dict[str, Any]) -> None:
    """Write the outputs of a run, and last its weights, if they are new: a run whose weights are there is whole."""
    for part in sets:
        text = "".join(f"{line}\n" for line in part.outputs(weights))
        write_atomically(folder / f"{part.name}.run{number:02d}.txt", text)
    path = folder / f"weights.run{number:02d}.json"
    if not path.exists():
        data = {**mark, "run": number, "weights": dict(zip(mark["features"], weights.tolist(), strict=True))}
        write_atomically(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def _kept(folder: Path, number: int, mark: dict[str, Any]) -> Floats | None:
    """Return the weights of a run that is there, if they were made of the same; refuse those of something else."""
    path = folder / f"weights.run{number:02d}.json"
    if not path.exists():
        return None
    content = read_bytes(str(path), limit=_LARGEST)
    try:
        data = strict_loads(content.decode())
        weights = np.array([float(data["weights"][name]) for name in mark["features"]])
        same = all(data[key] == value for key, value in mark.items()) and bool(np.isfinite(weights).all())
    except (InputError, ValueError, KeyError, TypeError, RecursionError, OverflowError):
        same = False
    if not same:
        raise InputError(
            "its weights belong to other inputs or options", path=str(path), hint="name another folder, or remove them"
        )
    return weights


# ---- Words


def _in_words(result: TuneResult) -> TuneResult:
    """Return the result with its answer, its methods and its last line."""
    first = result.sets[0]
    slots: dict[str, Any] = {
        "label": result.metrics[0].label,
        "optimizer": result.optimizer.upper(),
        "runs": whole(len(result.runs), "run"),
        "times": whole(len(result.runs), "time"),
        "restarts": whole(result.restarts or 0, "random start"),
        "segments": whole(first.segments, "segment"),
        "hypotheses": f"{first.hypotheses:,} hypotheses",
        "features": whole(len(result.features), "feature"),
        "seed": result.seed,
        "version": __version__,
    }
    return replace(
        result,
        about=ENDING(**slots),
        findings=tuple(Finding(text) for text in _findings(result, slots)),
        ending=ENDING(**slots),
        methods=METHODS(**slots, method=OPTIMIZERS[result.optimizer](**slots)),
    )


def _findings(result: TuneResult, slots: dict[str, Any]) -> Iterator[str]:
    """Yield how scores vary over runs, and what to do about large standard deviations (Clark et al. 2011).

    A deviation is large if it is more than half of the gain over the 1-best, which tuning brought.
    """
    s_dev = result.deviation(0) or 0.0
    for place, tuned_set in enumerate(result.sets):
        mean, deviation, s_sel = result.mean(place), result.deviation(place) or 0.0, tuned_set.s_sel or 0.0
        if mean is None:
            continue
        numbers = {"mean": mean, "deviation": deviation, "s_dev": s_dev, "s_sel": s_sel}
        slots |= {"name": tuned_set.name} | {name: f"{number:.{_PLACES}f}" for name, number in numbers.items()}
        yield (VARIES if len(result.runs) > 1 else MEAN)(**slots)
        if place > 0 and varies_more(deviation, s_dev, result.distinct):
            yield OVERFITTING(**slots)
        if tuned_set.first is None:
            continue
        gain = mean - tuned_set.first
        if place == 0 and deviation > SHARE * abs(gain):
            yield LARGE_S_DEV(**slots, gain=signed(gain, _PLACES))
        if place > 0 and s_sel > SHARE * abs(gain):
            yield LARGE_S_SEL(**slots, gain=signed(gain, _PLACES))
    if result.distinct < len(result.runs):
        yield SAME(distinct=result.distinct, count=len(result.runs))


# ---- Sets of segments with hypotheses: what is read, and what weights choose of it


@dataclass(frozen=True)
class TuningSet:
    """A set of segments with hypotheses; without references there are no statistics, and outputs only."""

    name: str
    hypotheses: Hypotheses
    references: tuple[tuple[str, ...], ...]
    lists: Lists
    files: tuple[InputFile, ...]

    @property
    def segments(self) -> int:
        """The number of segments."""
        return len(self.hypotheses.edges) - 1

    def outputs(self, weights: Floats) -> list[str]:
        """Return the text that the weights choose for each segment; an empty one if there is none."""
        outputs = [""] * self.segments
        filled = np.flatnonzero(np.diff(self.hypotheses.edges)).tolist()
        for segment, row in zip(filled, self.lists.best(weights).tolist(), strict=True):
            outputs[segment] = self.hypotheses.texts[row]
        return outputs

    def notes(self, key: str, weights: Floats) -> list[Note]:
        """Return what is to know of the hypotheses, and of what the weights choose if there are references."""
        if not self.references:
            return [*self.hypotheses.notes]
        advise = getattr(self.lists.metric, "advice", lambda *_: ())
        scored = self._scored(key, [weights])
        doubts = resemblance_notes(scored.corpus, scored.statistics)
        return [*self.hypotheses.notes, *doubts, *advise(self.outputs(weights), self.hypotheses.name)]

    def described(self, key: str, weights: Sequence[Floats], seed: int, jobs: int) -> TunedSet:
        """Return the set with the first hypotheses, the oracles, and the spread of the runs over test sets."""
        first = best = worst = s_sel = None
        if self.references:
            best, worst = (self._score(oracle(self.lists, worst=lowest)) for lowest in (False, True))
        if self.references and self.segments > 1:
            scored = self._scored(key, weights)
            experiment = Experiment(scored.corpus, scored.statistics, scored.units, Engine(Workers(jobs)), seed, ())
            s_sel = float(experiment.run_deviations(_RESAMPLES).mean())
        if self.references and self.hypotheses.totals is not None:
            totals = changed(self.lists, features=np.ascontiguousarray(self.hypotheses.totals[:, None]))
            first = self._score(totals.best(np.ones(1)))
        return TunedSet(self.name, self.segments, len(self.hypotheses.texts), first, best, worst, s_sel)

    def _scored(self, key: str, weights: Sequence[Floats]) -> Observed:
        """Return the outputs of each run, scored."""
        outputs = [self.outputs(of_run) for of_run in weights]
        runs = tuple(Run(f"{number}", tuple(texts)) for number, texts in enumerate(outputs, 1))
        names = tuple(file.name for file in self.files if file.role == "reference")
        corpus = Corpus(self.name, self.segments, self.references, (System("tuned", runs),), reference_names=names)
        metric, references = self.lists.metric, [list(side) for side in self.references]
        values = [np.asarray(metric.statistics(texts, references), np.float64) for texts in outputs]
        statistics = SegmentStatistics(np.concatenate(values, axis=1), (Block(key, metric, 0, (len(runs),)),))
        return Observed(corpus, statistics, Units.segments(self.segments))

    def _score(self, rows: NDArray[np.int64]) -> float:
        return float(self.lists.metric.score(self.lists.statistics[rows].sum(axis=0) + self.lists.rest))


def _sets(options: TuneOptions, metric: Metric) -> tuple[list[TuningSet], tuple[str, ...], list[Note]]:
    """Read the development set and those that weights are applied to, with the features that vary within lists."""
    development = read_set(DEVELOPMENT, options.nbest, options.references, metric, options.features)
    useful = np.flatnonzero(development.lists.spread > 0.0)
    names = development.hypotheses.features
    if not useful.size:
        raise InputError(
            "every feature is the same for all hypotheses of a segment, so nothing can be tuned",
            path=development.hypotheses.name,
        )
    features = tuple(names[place] for place in useful.tolist())
    notes = [Note("constant-feature", CONSTANT(name=name)) for name in names if name not in features]
    sets = [changed(development, lists=development.lists.only(useful))]
    for name, lists in (options.apply or {}).items():
        if not name or name == DEVELOPMENT or os.sep in name or not name.isprintable():
            raise InputError(f"a test set cannot be named {name!r}", hint=f"{DEVELOPMENT} is the development set")
        nbest, references = lists if isinstance(lists, tuple) else (lists, None)
        applied = read_set(name, nbest, references, metric, features)
        sets.append(applied)
        same_references = applied.references and applied.references == development.references
        if same_references or applied.hypotheses.texts == development.hypotheses.texts:
            notes.append(Note("development-is-test", DEVELOPMENT_IS_TEST(), scope=name, warning=True))
    return sets, features, notes


def read_set(name: str, nbest: Any, references: Any, metric: Metric, features: Sequence[str]) -> TuningSet:
    """Read the references, if there are any, and the hypotheses of a set; refuse those of several sentences per id."""
    named = [] if references is None else _sides(references)
    sides = tuple(lines for _, lines in named)
    if references is not None and len({len(side) for side in sides}) != 1:
        counts = ", ".join(str(len(side)) for side in sides)
        raise InputError(f"references of {name} must have one number of segments; got {counts or 'no reference'}")
    paths = [nbest] if isinstance(nbest, str | os.PathLike) else list(nbest)
    if not paths:
        raise InputError("there is no file of hypotheses")
    hypotheses = read_hypotheses([os.fspath(path) for path in paths], len(sides[0]) if sides else None, features)
    if hypotheses.apart and unlike(*zip(*hypotheses.apart, strict=True)):
        raise InputError(
            f"{len(hypotheses.apart):,} ids come again, with hypotheses of other sentences: ids count the segments of "
            "the whole set",
            path=hypotheses.name,
            hint="number parts of a set one after the other; lists that are merged are of the same sentences",
        )
    files = [InputFile(file, "reference", len(lines)) for file, lines in named]
    files.append(InputFile(hypotheses.name, "hypotheses", len(hypotheses.texts), name))
    return TuningSet(name, hypotheses, sides, _lists(hypotheses, sides, metric), tuple(files))


def _sides(references: Any) -> list[tuple[str, tuple[str, ...]]]:
    """Return references with their names: of a file, of a sequence of segments, or of several of either."""
    if isinstance(references, str | os.PathLike):
        path = os.fspath(references)
        return [(path, tuple(read_text(path).lines))]
    parts = list(references)
    if parts and all(isinstance(part, str) for part in parts):  # in a list, texts are segments, and paths are files
        return [(IN_MEMORY, tuple(parts))]
    return [side for part in parts for side in _sides(part)]


def _lists(hypotheses: Hypotheses, sides: Sequence[Sequence[str]], metric: Metric) -> Lists:
    """Return the lists with the statistics of every hypothesis; zeros without references."""
    sizes = np.diff(hypotheses.edges)
    edges = np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64)
    rest = np.zeros(len(metric.statistic_names))
    statistics = np.zeros((len(hypotheses.texts), len(rest)))
    if sides:
        segments, empty = np.repeat(np.arange(len(sizes)), sizes).tolist(), np.flatnonzero(sizes == 0).tolist()
        wanted = [[side[i] for i in segments] for side in sides]
        statistics = np.asarray(metric.statistics(list(hypotheses.texts), wanted), np.float64)
        if empty:
            wanted = [[side[i] for i in empty] for side in sides]
            rest = np.asarray(metric.statistics([""] * len(empty), wanted), np.float64).sum(axis=0)
    return Lists(edges, np.ascontiguousarray(hypotheses.values), statistics, rest, metric)


def _digest(sets: Sequence[TuningSet]) -> str:
    """Return a digest of all that was read."""
    total = hashlib.sha256()
    for tuning_set in sets:
        hypotheses = tuning_set.hypotheses
        texts = (tuning_set.name, hypotheses.features, hypotheses.texts, tuning_set.references)
        total.update(json.dumps(texts).encode())
        total.update(hypotheses.values.tobytes())
        total.update(hypotheses.edges.tobytes())
    return total.hexdigest()[:16]
