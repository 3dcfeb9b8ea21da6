"""Tuning of weights on n-best lists, again and again: replicas from an optimizer, as Clark et al. (2011) had them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, one_of
from truegain.executors.blas_threads import one_blas_thread
from truegain.executors.over import Workers, over
from truegain.executors.processors import available_jobs
from truegain.experiment import check_count, check_options
from truegain.inference.results import MetricInfo
from truegain.inputs import Inputs
from truegain.metrics.base import reference_count
from truegain.metrics.lookup import make_metrics
from truegain.notes import Note, gathered
from truegain.readers.plain import read_bytes
from truegain.readers.strict_json import strict_loads
from truegain.report.files import write_atomically
from truegain.resampling.generator import RandomNumbers, resample_keys
from truegain.resampling.streams import Stream
from truegain.settings.function import takes
from truegain.settings.tune import TuneOptions
from truegain.studies.tune.result import TunedRun, TuneResult
from truegain.studies.tune.sets import DEVELOPMENT, TuningSet, applied_set, digest_of, read_set
from truegain.tuning.lists import Lists
from truegain.tuning.mert import mert
from truegain.tuning.mira import Steps, mira
from truegain.tuning.pro import Pairs, pro
from truegain.version import __version__

_RESTARTS = 20
_LARGEST = 1 << 26  # bytes of a file of weights: far more features than lists can have
_DIGITS = 9  # of weights: what processors round differently is beyond them


@takes(TuneOptions)
def tune(options: TuneOptions) -> TuneResult:
    """Tune the weights of features on n-best lists, several times, and choose outputs by them.

    The runs differ in what the optimizer draws: starts and directions (MERT), pairs (PRO), the order of segments
    (MIRA). Their outputs are runs of one system for :func:`truegain.compare` and :func:`truegain.replicate`.
    """
    if options.restarts is not None and options.optimizer != "mert":
        raise InputError(f"{options.optimizer} has no random starts", hint=("leave out ", Setting("restarts")))
    if options.optimizer not in ("mert", "pro", "mira"):
        raise one_of("optimizer", options.optimizer, ["mert", "pro", "mira"])
    check_options(options)
    check_count("runs", options.runs)
    check_count("restarts", 1 if options.restarts is None else options.restarts)
    ((key, metric),) = make_metrics([options.metric]).items()
    if metric.reads != "text":
        raise InputError(f"{metric.label} is not a metric of texts")
    if metric.higher_is_better is None:
        raise InputError(f"{metric.label} cannot be tuned for: neither higher nor lower is better")
    restarts = (options.restarts or _RESTARTS) if options.optimizer == "mert" else None
    development = read_set(DEVELOPMENT, options.nbest, options.references, metric, options.features)
    useful = np.flatnonzero(development.lists.spread > 0.0)
    names = development.hypotheses.features
    if not useful.size:
        raise InputError(
            "every feature is the same for all hypotheses of a segment, so nothing can be tuned",
            path=development.hypotheses.name,
        )
    kept = tuple(names[i] for i in useful.tolist())
    notes = [
        Note("constant-feature", f"{name} is the same for all hypotheses of each segment and has no weight")
        for name in names
        if name not in kept
    ]
    sets = [replace(development, lists=development.lists.only(useful))]
    for name, given in (options.apply or {}).items():
        sets.append(applied_set(name, given, metric, kept))
        if sets[-1].is_same(development):
            text = "this is the development set, on which weights are tuned: its scores say nothing about new texts"
            notes.append(Note("development-is-test", text, scope=name, warning=True))
    digest = digest_of(sets)
    signature = (
        f"optimizer:{options.optimizer}|metric:{key}{'' if restarts is None else f'|restarts:{restarts}'}"
        f"|features:{len(kept)}|runs:{options.runs}|seed:{options.seed}|version:{__version__}"
    )
    mark = {"signature": signature.replace(f"|runs:{options.runs}", ""), "inputs": digest, "features": list(kept)}
    folder = None if options.folder is None else _made(options.folder)
    done = [] if folder is None else [_kept(folder, number, mark) for number in range(1, options.runs + 1)]

    def run(_: None, number: int, __: int) -> NDArray[np.float64]:
        known = done[number - 1] if done else None
        weights = _tuned(sets[0].lists, options, restarts, number) if known is None else known
        if folder is not None:
            _write(folder, number, sets, weights, None if known is not None else mark)
        if options.progress is not None:
            options.progress("tuning", 1, options.runs)
        return weights

    jobs = available_jobs(options.jobs)
    with one_blas_thread():
        every = list(over(run, None, 1, options.runs, Workers(jobs), size=1))
    if any(one is not None for one in done):
        count = sum(one is not None for one in done)
        notes.append(Note("kept-runs", f"{count:,} runs that were there already were kept"))
    return TuneResult(
        optimizer=options.optimizer,
        sets=tuple(one.described(key, every, options.seed, jobs) for one in sets),
        metrics=(MetricInfo(key, metric.label, metric.higher_is_better, metric.signature(_count(sets[0]))),),
        features=kept,
        runs=tuple(_runs(sets, every)),
        restarts=restarts,
        seed=options.seed,
        inputs=Inputs(tuple(file for one in sets for file in one.files), "id"),
        fingerprint=digest,
        signature=signature,
        notes=tuple(
            gathered([*(note for one in sets for note in (*one.hypotheses.notes, *one.advice(key, every[0]))), *notes])
        ),
    )


def _count(one: TuningSet) -> int | str:
    return reference_count(one.references)


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
    return np.array([float(f"{one:.{_DIGITS}g}") for one in weights.tolist()])


def _runs(sets: Sequence[TuningSet], every: Sequence[NDArray[np.float64]]) -> Iterator[TunedRun]:
    seen: dict[tuple[tuple[str, ...], ...], int] = {}
    for number, weights in enumerate(every, 1):
        outputs = tuple(tuple(one.outputs(weights)) for one in sets)
        same = seen.setdefault(outputs, number)
        scores = tuple(one.score(weights) for one in sets)
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
    for one in sets:
        text = "".join(f"{line}\n" for line in one.outputs(weights))
        write_atomically(folder / _name(one.name, number, "txt"), text)
    if mark is None:
        return
    held = {**mark, "run": number, "weights": dict(zip(mark["features"], weights.tolist(), strict=True))}
    write_atomically(folder / _name("weights", number, "json"), json.dumps(held, indent=2, ensure_ascii=False) + "\n")


def _kept(folder: Path, number: int, mark: dict[str, Any]) -> NDArray[np.float64] | None:
    """Return the weights of a run that is there, if they were made of the same; refuse those of something else."""
    path = folder / _name("weights", number, "json")
    if not path.exists():
        return None
    data = read_bytes(str(path), limit=_LARGEST)
    try:
        held = strict_loads(data.decode())
        weights = np.array([float(held["weights"][name]) for name in mark["features"]])
        same = all(held[key] == value for key, value in mark.items()) and bool(np.isfinite(weights).all())
    except (InputError, ValueError, KeyError, TypeError, RecursionError, OverflowError):
        same = False
    if not same:
        raise InputError(
            "its weights belong to other inputs or options", path=str(path), hint="name another folder, or remove them"
        )
    return weights
