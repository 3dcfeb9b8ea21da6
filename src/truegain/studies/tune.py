"""Tuning of weights on n-best lists, again and again: replicas from an optimizer, as Clark et al. (2011) had them."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, one_of
from truegain.executors.blas_threads import one_blas_thread
from truegain.executors.over import Workers, over
from truegain.executors.processors import available_jobs
from truegain.experiment import check_count, check_options
from truegain.inference.results import MetricInfo, Metrics
from truegain.inputs import Inputs
from truegain.metrics.base import Metric, reference_count
from truegain.metrics.lookup import make_metrics
from truegain.notes import Finding, Note, gathered
from truegain.readers.plain import read_bytes
from truegain.readers.strict_json import strict_loads
from truegain.report.files import write_atomically
from truegain.report.model import Cell, Column, Table
from truegain.resampling.generator import RandomNumbers, resample_keys
from truegain.resampling.streams import Stream
from truegain.results import Result
from truegain.rows import Count, Number, Row, Seed, field
from truegain.settings.function import takes
from truegain.settings.tune import TuneOptions
from truegain.studies.advice import SHARE, varies_more
from truegain.studies.tune_sets import DEVELOPMENT, TunedSet, TuningSet, applied_set, digest_of, read_set
from truegain.tuning.lists import Lists
from truegain.tuning.mert import mert
from truegain.tuning.mira import Steps, mira
from truegain.tuning.pro import Pairs, pro
from truegain.version import __version__
from truegain.view import Digits, table
from truegain.words import Sentence, heading_of, listing, signed, whole

_RESTARTS = 20
_LARGEST = 1 << 26  # bytes of a file of weights: far more features than lists can have
_DIGITS = 9  # of weights: what processors round differently is beyond them
_PLACES, _WEIGHT_PLACES = 2, 3
_NAMES = {"mert": "MERT", "pro": "PRO", "mira": "MIRA"}

MEAN = Sentence("{label} is {scores}.")
VARIES = Sentence("Over {runs} of {optimizer}, the standard deviation of {label} is {deviations}.")
SCORE_OF_SET = Sentence("{score} on {name}")
DEVIATION_OF_SET = Sentence("{deviation} on {name} (mean {score})")
ALL_SAME = Sentence("All {runs} have the same outputs.")
SOME_SAME = Sentence("{distinct} of {runs} have outputs of their own.")
FEWER_RESTARTS = Sentence("Fewer restarts would show more of the optimizer's variation.")
LARGE_S_DEV = Sentence(
    "s_dev ({s_dev}) is more than half of the difference to the 1-best ({gain}): tune more often, and keep the run "
    "that is best there (Clark et al. 2011)."
)
LARGE_S_DEV_OF_MERT = Sentence(
    "s_dev ({s_dev}) is more than half of the difference to the 1-best ({gain}): use more restarts (Clark et al. 2011)."
)
OVERFITTING = Sentence(
    "s_test on {name} ({deviation}) is above s_dev ({s_dev}), a sign of overfitting to the development set: use fewer "
    "features or a larger development set, and report several runs (Clark et al. 2011)."
)
LARGE_S_SEL = Sentence(
    "s_sel on {name} ({s_sel}), the spread over test sets, is more than half of the difference to the 1-best "
    "({gain}): take a larger test set (Clark et al. 2011)."
)
CONSTANT = Sentence("{name} is the same for all hypotheses of each segment and has no weight")
DEVELOPMENT_IS_TEST = Sentence(
    "this is the development set, on which weights are tuned: its scores say nothing about new texts"
)
KEPT_RUNS = Sentence("{count:,} runs that were there already were kept")
ABOUT = Sentence("{runs} of {optimizer} on {segments} · {hypotheses} · {features}")
ENDING = Sentence("{segments}, {hypotheses}, {features} · {optimizer}, seed {seed}")
METHODS = Sentence(
    "The weights of {features} were tuned for {label} on n-best lists of {segments}, {times} (truegain {version}, seed "
    "{seed})."
)
OPTIMIZERS = {
    "mert": Sentence(
        "Minimum error rate training (Och 2003) took the best of {restarts}; runs differ in starts and directions."
    ),
    "pro": Sentence("The optimizer was PRO (Hopkins and May 2011); runs differ in the pairs of hypotheses drawn."),
    "mira": Sentence("The optimizer was batch MIRA (Cherry and Foster 2012); runs differ in the order of segments."),
}
SETS_NOTE = Sentence(
    "s: standard deviation over runs (s_dev, s_test); s_sel: over test sets. 1-best: by the totals of the lists. "
    "oracle, worst: by a greedy search."
)
WEIGHTS_NOTE = Sentence("In every run, the largest product of a weight and the spread of its feature is 1.")


class TunedRun(Row):
    """Weights that were tuned once."""

    number: Annotated[Count, field("The number of the run.")]
    scores: Annotated[tuple[float | None, ...], field("The score on each set; none without references.")]
    weights: Annotated[tuple[float, ...], field("The weight of each feature.")]
    same_as: Annotated[
        Number | None, field("An earlier run with the same outputs on every set; none if there is none.")
    ]


class _Spread(Row):
    """Numbers over runs, as tables show them."""

    feature: Annotated[str, field("The feature, if it is its weight.", show="text")]
    mean: Annotated[float | None, field("The mean.", show="score")]
    deviation: Annotated[float | None, field("The standard deviation.", "s", "score")]
    lowest: Annotated[float, field("The lowest value.", show="score")]
    highest: Annotated[float, field("The highest value.", show="score")]


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
        scores = self.scores(place)
        return fmean(scores) if scores else None

    def deviation(self, place: int) -> float | None:
        """Return the standard deviation of the scores of the runs on a set."""
        scores = self.scores(place)
        return stdev(scores) if len(scores) > 1 else None

    def gain(self, place: int) -> float | None:
        """Return the mean score of the runs less that of the first hypotheses; none if one of them is not known."""
        mean, first = self.mean(place), self.sets[place].first
        return None if mean is None or first is None else mean - first

    def used(self) -> tuple[list[str], list[str]]:
        """See :meth:`truegain.results.Result.used`."""
        metrics, methods = super().used()
        return metrics, [*methods, self.optimizer, "runs"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record for each run."""
        names = [tuned_set.name for tuned_set in self.sets]
        return [
            {
                "run": run.number,
                **dict(zip(names, run.scores, strict=True)),
                **{f"weight {name}": weight for name, weight in zip(self.features, run.weights, strict=True)},
                "same_as": run.same_as,
            }
            for run in self.runs
        ]

    def tables(self, decimals: int | None) -> Iterator[Table]:
        """Yield the sets, then runs and weights."""
        digits = Digits(_PLACES if decimals is None else decimals)
        yield _sets_table(self, digits)
        yield _runs_table(self, digits)
        yield _weights_table(self)


@takes(TuneOptions)
def tune(options: TuneOptions) -> TuneResult:
    """Tune the weights of features on n-best lists, several times, and choose outputs by them.

    The runs differ in what the optimizer draws: starts and directions (MERT), pairs (PRO), the order of segments
    (MIRA). Their outputs are runs of one system for :func:`truegain.compare` and :func:`truegain.replicate`.
    """
    key, metric = _checked(options)
    restarts = (options.restarts or _RESTARTS) if options.optimizer == "mert" else None
    sets, features, notes = _sets(options, metric)
    digest = digest_of(sets)
    setting = (
        f"optimizer:{options.optimizer}|metric:{key}{'' if restarts is None else f'|restarts:{restarts}'}"
        f"|features:{len(features)}"
    )
    ending = f"|seed:{options.seed}|version:{__version__}"
    mark = {"signature": f"{setting}{ending}", "inputs": digest, "features": list(features)}
    jobs = available_jobs(options.jobs)
    weights, kept = _weights_of_runs(sets, options, restarts, mark, jobs)
    if kept:
        notes.append(Note("kept-runs", KEPT_RUNS(count=kept)))
    references = reference_count(sets[0].references)
    result = TuneResult(
        optimizer=options.optimizer,
        sets=tuple(tuning_set.described(key, weights, options.seed, jobs) for tuning_set in sets),
        metrics=(MetricInfo(key, metric.label, metric.higher_is_better, metric.signature(references)),),
        features=features,
        runs=tuple(_runs(sets, weights)),
        restarts=restarts,
        seed=options.seed,
        inputs=Inputs(tuple(file for tuning_set in sets for file in tuning_set.files), "id"),
        fingerprint=digest,
        signature=f"{setting}|runs:{options.runs}{ending}",
        notes=tuple(gathered([*(note for part in sets for note in part.notes(key, weights[0])), *notes])),
    )
    return _in_words(result)


def _checked(options: TuneOptions) -> tuple[str, Metric]:
    """Return the metric with its key; refuse options that do not fit."""
    if options.restarts is not None and options.optimizer != "mert":
        raise InputError(f"{options.optimizer} has no random starts", hint=("leave out ", Setting("restarts")))
    if options.optimizer not in _NAMES:
        raise one_of("optimizer", options.optimizer, list(_NAMES))
    check_options(options)
    check_count("runs", options.runs)
    check_count("restarts", 1 if options.restarts is None else options.restarts)
    ((key, metric),) = make_metrics([options.metric]).items()
    if metric.reads != "text":
        raise InputError(f"{metric.label} is not a metric of texts")
    if metric.higher_is_better is None:
        raise InputError(f"{metric.label} cannot be tuned for: neither higher nor lower is better")
    return key, metric


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
    sets = [dataclasses.replace(development, lists=development.lists.only(useful))]
    for name, lists in (options.apply or {}).items():
        sets.append(applied_set(name, lists, metric, features))
        if sets[-1].is_same(development):
            notes.append(Note("development-is-test", DEVELOPMENT_IS_TEST(), scope=name, warning=True))
    return sets, features, notes


def _weights_of_runs(
    sets: Sequence[TuningSet], options: TuneOptions, restarts: int | None, mark: dict[str, Any], jobs: int
) -> tuple[list[NDArray[np.float64]], int]:
    """Tune, run by run, and write what was tuned; return the weights, and how many runs were there already."""
    folder = None if options.folder is None else _made(options.folder)
    known = [None if folder is None else _kept(folder, number, mark) for number in range(1, options.runs + 1)]

    def run(_: None, number: int, __: int) -> NDArray[np.float64]:
        kept = known[number - 1]
        weights = _tuned(sets[0].lists, options, restarts, number) if kept is None else kept
        if folder is not None:
            _write(folder, number, sets, weights, None if kept is not None else mark)
        if options.progress is not None:
            options.progress("tuning", 1, options.runs)
        return weights

    with one_blas_thread():
        weights = list(over(run, None, 1, options.runs, Workers(jobs), size=1))
    return weights, sum(kept is not None for kept in known)


def _tuned(lists: Lists, options: TuneOptions, restarts: int | None, number: int) -> NDArray[np.float64]:
    random = RandomNumbers(int(resample_keys(options.seed, Stream.TUNING, number, 1)[0]))
    tuners: dict[str, Callable[[], NDArray[np.float64]]] = {
        "mert": lambda: mert(lists, random, restarts or _RESTARTS),
        "pro": lambda: pro(lists, random, Pairs()),
        "mira": lambda: mira(lists, random, Steps()),
    }
    weights = tuners[options.optimizer]()
    largest = float(np.abs(weights * lists.spread).max())
    if largest > 0.0:
        weights = weights / largest
    return np.array([float(f"{weight:.{_DIGITS}g}") for weight in weights.tolist()])


def _runs(sets: Sequence[TuningSet], weights_of_runs: Sequence[NDArray[np.float64]]) -> Iterator[TunedRun]:
    seen: dict[tuple[tuple[str, ...], ...], int] = {}
    for number, weights in enumerate(weights_of_runs, 1):
        outputs = tuple(tuple(part.outputs(weights)) for part in sets)
        same = seen.setdefault(outputs, number)
        scores = tuple(part.score(weights) for part in sets)
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


def _name(what: str, number: int, ending: str) -> str:
    return f"{what}.run{number:02d}.{ending}"


def _write(
    folder: Path, number: int, sets: Sequence[TuningSet], weights: NDArray[np.float64], mark: dict[str, Any] | None
) -> None:
    """Write the outputs of a run, and last its weights, if they are new: a run whose weights are there is whole."""
    for part in sets:
        text = "".join(f"{line}\n" for line in part.outputs(weights))
        write_atomically(folder / _name(part.name, number, "txt"), text)
    if mark is None:
        return
    data = {**mark, "run": number, "weights": dict(zip(mark["features"], weights.tolist(), strict=True))}
    write_atomically(folder / _name("weights", number, "json"), json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def _kept(folder: Path, number: int, mark: dict[str, Any]) -> NDArray[np.float64] | None:
    """Return the weights of a run that is there, if they were made of the same; refuse those of something else."""
    path = folder / _name("weights", number, "json")
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
    slots = {
        "label": result.metrics[0].label,
        "optimizer": _NAMES[result.optimizer],
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
        about=ABOUT(**slots),
        findings=tuple(Finding(text) for text in (*_scores(result, slots), *_readings(result))),
        ending=ENDING(**slots),
        methods=f"{METHODS(**slots)} {OPTIMIZERS[result.optimizer](**slots)}",
    )


def _scores(result: TuneResult, slots: dict[str, Any]) -> Iterator[str]:
    """Yield how good the outputs are, how much they vary, and how many runs have the same."""
    sets = [(place, tuned_set.name) for place, tuned_set in enumerate(result.sets) if result.scores(place)]
    scores = [
        {"name": name, "score": _written(result.mean(place)), "deviation": _written(result.deviation(place))}
        for place, name in sets
    ]
    if len(result.runs) == 1:
        yield MEAN(**slots, scores=listing([SCORE_OF_SET(**score) for score in scores]))
        return
    yield VARIES(**slots, deviations=listing([DEVIATION_OF_SET(**score) for score in scores]))
    if result.distinct < len(result.runs):
        yield (ALL_SAME if result.distinct == 1 else SOME_SAME)(**slots, distinct=result.distinct)
    if result.distinct < len(result.runs) and result.optimizer == "mert":
        yield FEWER_RESTARTS()


def _readings(result: TuneResult) -> Iterator[str]:
    """Yield what to do about large standard deviations, as Clark et al. (2011) read them.

    A deviation is large if it is more than half of the gain over the 1-best, which tuning brought.
    """
    s_dev = result.deviation(0)
    for place, tuned_set in enumerate(result.sets):
        gain, deviation, s_sel = result.gain(place), result.deviation(place) or 0.0, tuned_set.s_sel or 0.0
        large = math.inf if gain is None else SHARE * abs(gain)
        slots = {
            "name": tuned_set.name,
            "gain": signed(gain or 0.0, _PLACES),
            "s_dev": _written(s_dev),
            "s_sel": _written(s_sel),
            "deviation": _written(deviation),
        }
        if place == 0 and deviation > large:
            yield (LARGE_S_DEV_OF_MERT if result.optimizer == "mert" else LARGE_S_DEV)(**slots)
        if place > 0 and varies_more(deviation, s_dev, result.distinct):
            yield OVERFITTING(**slots)
        if place > 0 and s_sel > large:
            yield LARGE_S_SEL(**slots)


def _written(score: float | None) -> str:
    return f"{score or 0.0:.{_PLACES}f}"


# ---- Tables


def _sets_table(result: TuneResult, digits: Digits) -> Table:
    spreads = [_Spread("", result.mean(place), result.deviation(place), 0.0, 0.0) for place in range(len(result.sets))]
    return table(
        [{"": tuned_set, "run": spread} for tuned_set, spread in zip(result.sets, spreads, strict=True)],
        "name run.mean? run.deviation? s_sel? first? best? worst?",
        digits,
        headings={"name": heading_of(result.metrics[0])},
        caption=f"{result.metrics[0].label} over runs, and of the best and worst hypotheses",
        notes=[SETS_NOTE],
    )


def _runs_table(result: TuneResult, digits: Digits) -> Table:
    """Return the scores of each run, and which have the same outputs."""
    scored = [place for place, tuned_set in enumerate(result.sets) if tuned_set.best is not None]
    columns = [Column("run", "left"), *(Column(result.sets[place].name) for place in scored), Column("same as")]
    rows = [
        (
            Cell(f"{run.number}"),
            *(Cell(digits.score(score), value=score) for place in scored if (score := run.scores[place]) is not None),
            Cell("" if run.same_as is None else f"{run.same_as}"),
        )
        for run in result.runs
    ]
    caption = f"{result.metrics[0].label} of the outputs that each run chose"
    return Table(tuple(columns), tuple(rows), caption, kind="further")


def _weights_table(result: TuneResult) -> Table:
    weights = {name: [run.weights[place] for run in result.runs] for place, name in enumerate(result.features)}
    spreads = [
        _Spread(name, fmean(values), stdev(values) if len(values) > 1 else None, min(values), max(values))
        for name, values in weights.items()
    ]
    columns = "feature mean deviation? lowest highest"
    shown = table(spreads, columns, Digits(_WEIGHT_PLACES), caption="Weights over runs", notes=[WEIGHTS_NOTE])
    return dataclasses.replace(shown, kind="further")
