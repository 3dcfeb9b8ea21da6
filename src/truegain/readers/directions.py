"""Names of scores of which lower ones are better: errors, times, costs, losses, ranks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from truegain.readers.sources import without_compression

_LOWER = frozenset(
    (
        # Errors. Two words may be one: false_positives.
        *("error", "errors", "mistake", "mistakes", "penalty", "penalties", "mqm", "fehler", "deductions", "severity"),
        *("minor", "major", "defects", "flaws", "violation", "violations", "wrong", "incorrect", "brier"),
        *("failure", "failures", "failed", "timeout", "timeouts", "crashes", "hallucination", "hallucinations"),
        *("toxicity", "toxic", "harm", "harmfulness", "bias", "falsepositive", "falsepositives"),
        *("falsenegative", "falsenegatives", "mae", "mse", "rmse", "mape", "metricx"),
        # What it takes to mend a text.
        *("ter", "hter", "terp", "wer", "cer", "aer", "cder", "eed", "edits", "editrate", "distance", "effort"),
        *("keystrokes",),
        # Time and money.
        *("latency", "latencies", "lagging", "delay", "duration", "durations", "time", "times", "runtime", "elapsed"),
        *("ttft", "tpot", "ms", "millis", "milliseconds", "sec", "secs", "seconds", "minutes"),
        *("cost", "costs", "price", "prices", "rss", "mb", "mib", "gb", "gib"),
        # Of models, and of places in a list.
        *("loss", "losses", "nll", "perplexity", "perplexities", "ppl", "bpb", "bpc", "bits"),
        *("crossentropy", "rank", "ranks"),
    )
)
#: Of these, the whole name: within a longer one they mean other things.
_ALONE = frozenset(("per", "der", "eer", "mer", "ser", "wil", "place", "rang", "levenshtein"))
#: Anywhere in a name they turn such a word round: time_saved.
_TURNED = frozenset(
    (
        *("saved", "saving", "savings", "avoided", "removed", "non", "without", "free", "neg", "negated", "inverse"),
        *("inverted", "inv", "minus", "reciprocal", "percentile", "brevity", "win", "wins", "ontime"),
    )
)
#: After such a word they are what is measured: error_detection, but not accuracy_errors.
_MEASURED = frozenset(
    (
        *("accuracy", "acc", "precision", "recall", "f", "auc", "auroc", "quality", "reduction", "improvement", "gain"),
        *("correlation", "corr", "pearson", "spearman", "kendall", "agreement", "similarity", "sim", "detection"),
        *("correction", "recovery", "handling", "analysis", "awareness", "tolerance", "robustness", "resistance"),
        *("efficiency", "effectiveness"),
    )
)
_CODES = frozenset(("ms", "gb", "mb"))  # of languages and countries as well: en_ms
_IN_FILES = _CODES | {"per"}  # a language there
_CLASSES = frozenset(("major", "minor"))  # of errors, or of what is measured: f1_major
_NEGATED = re.compile(r"\s*((1|100|one)?\s*[-\N{MINUS SIGN}]|1_?minus)", re.IGNORECASE)  # 1-TER, -MetricX
#: Beside such a word they may stand in the name of a file.
_PLAIN = frozenset(("s", "score", "scores", "rate", "edit", "word", "response"))
_SCORES = ".seg.score"  # of mt-metrics-eval, whose files are named after metrics


def lower_by_name(name: str) -> bool:
    """Return whether scores of that name are usually better if they are lower: ``latency_ms``, not ``time_saved``."""
    words = [word for before, word in pairwise(["", *_words(name)]) if word not in _CODES or len(before) not in (2, 3)]
    if len(words) == 1 and words[0] in _ALONE:
        return True
    if "per" in words[1:]:  # errors per word
        words = words[: words.index("per", 1)]
    pairs = [first + second for first, second in zip(words, [*words[1:], ""], strict=False)]
    found = [place for place, both in enumerate(zip(words, pairs, strict=True)) if not _LOWER.isdisjoint(both)]
    turned = _NEGATED.match(name) or _TURNED.intersection((*words, *pairs))
    if not found or turned:
        return False
    return _MEASURED.isdisjoint(words if words[found[-1]] in _CLASSES else words[found[-1] :])


def lower_by_files(files: Sequence[str]) -> str | None:
    """Return the part of the names of files of scores that says so: ``TER`` of ``TER.seg.score``.

    It stands between dots, and all files share it: others may be of a system, ``rank8.csv`` and ``rank16.csv``. But for
    files of mt-metrics-eval, which are named after metrics, nothing else stands in it: ``loss_ablation.csv`` has any
    scores.
    """
    names = [without_compression(PurePath(path).name) for path in files]
    pieces = [name.removesuffix(_SCORES).split(".") for name in names]
    for piece in pieces[0] if pieces else ():
        shared = piece.lower() not in _IN_FILES and all(piece in own for own in pieces) and lower_by_name(piece)
        whole = _ALONE.union(_LOWER, _PLAIN).issuperset(_words(piece)) or lower_by_name("".join(_words(piece)))
        if shared and (whole or all(name.endswith(_SCORES) for name in names)):
            return piece
    return None


def never_negative(columns: Iterable[NDArray[np.float64]]) -> bool:
    """Return whether scores are 0 or more, and not all 0: with penalties below 0, higher is better."""
    values = [own[~np.isnan(own)] for own in columns]
    low, high = ([way(own) for own in values if own.size] for way in (np.min, np.max))
    return bool(low and min(low) >= 0.0 < max(high))


def is_perplexity(name: str) -> bool:
    """Return whether scores of that name are perplexities, which are 1 or more."""
    return not {"perplexity", "perplexities", "ppl"}.isdisjoint(_words(name))


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case: ``latency_ms``, ``latencyMs`` and ``Latency (ms)`` have the same."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.findall(r"[^\W\d_]+", apart.lower())
