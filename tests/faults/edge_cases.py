"""Texts at the edges of what metrics are defined for, and every study of them: what comes out, as text.

Run as a program it prints the outcomes as JSON, so that installations can be held against each other.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import truegain as tg
from truegain.errors import InputError
from truegain.kernels import missing
from truegain.readers.memory import corpus_from_memory

TEXT_METRICS = [
    *("bleu", "nist", "chrf", "chrf:word_order=2", "ter", "wer", "per", "cer", "length", "rouge1", "rouge2", "rougel"),
    *("rougelsum", "rouge:n=3", "unigram", "exact", "squad_f1", "accuracy"),
]

Texts = tuple[list[str], dict[str, list[str]]]

MANY = 6
LONG = 600
WORDS = [" ".join(f"t{i % period}" for i in range(LONG)) for period in (97, 89)]
CASES: dict[str, Texts] = {
    "no match": (["a b c d"] * MANY, {"base": ["x y z"] * MANY, "new": ["u v"] * MANY}),
    "empty outputs": (["a b c d"] * MANY, {"base": [""] * MANY, "new": [""] * MANY}),
    "one empty system": (["a b c d"] * MANY, {"base": ["a b"] * MANY, "new": [""] * MANY}),
    "empty references": ([""] * MANY, {"base": ["a b"] * MANY, "new": ["c"] * MANY}),
    "blanks": (["  "] * MANY, {"base": ["\t "] * MANY, "new": [" "] * MANY}),
    "one segment": (["a b c d e"], {"base": ["a b c d"], "new": ["a b c"]}),
    "two segments": (["a b c d e", "f g h i j"], {"base": ["a b c d", "f"], "new": ["a b c", "f g h"]}),
    "ties": (["a b c d e"] * MANY, {"base": ["a b c d"] * MANY, "new": ["a b c d"] * MANY}),
    "perfect": (["a b c d e f"] * MANY, {"base": ["a b c d e f "] * MANY, "new": ["a b c d e f"] * (MANY - 1) + ["x"]}),
    "one long": (["w w"] * (MANY - 1) + WORDS[:1], {"base": ["w"] * (MANY - 1) + WORDS[1:], "new": [""] * MANY}),
    "odd characters": (
        ["\ufffd \u200b e\u0301 😀👍🏽"] * MANY,
        {"base": ["\ufffd"] * MANY, "new": ["\u200b😀"] * MANY},
    ),
    "one character": (["."] * MANY, {"base": ["!"] * MANY, "new": ["."] * (MANY - 1) + ["?"]}),
}

FEW: dict[str, Any] = {"resamples": 40, "jobs": 1}
THIRD = "a b c x"


def _runs(texts: Texts) -> dict[str, list[list[str]]]:
    segments = len(texts[0])
    return {name: [lines, lines[::-1], ["a c"] * segments] for name, lines in texts[1].items()}


def _three(texts: Texts) -> Mapping[str, list[str]]:
    return {**texts[1], "third": [THIRD] * len(texts[0])}


STUDIES: dict[str, Callable[[Texts, str], Any]] = {
    "score": lambda t, m: tg.score(*t, metrics=[m], segments=True, **FEW),
    "compare": lambda t, m: tg.compare(
        *t, metrics=[m], test=["ar", "bootstrap", "t", "wilcoxon", "sign", "exact"], interval="bca", **FEW
    ),
    "compare, normal": lambda t, m: tg.compare(*t, metrics=[m], interval="normal", **FEW),
    "compare, one document": lambda t, m: tg.compare(*t, metrics=[m], documents=["d"] * len(t[0]), **FEW),
    "compare, runs": lambda t, m: tg.compare(t[0], _runs(t), metrics=[m], **FEW),
    "rank": lambda t, m: tg.rank(t[0], _three(t), metrics=[m], **FEW),
    "intervals": lambda t, m: tg.intervals(t[0], _runs(t), metrics=[m], **FEW),
    "inspect": lambda t, m: tg.inspect(*t, metrics=[m], jobs=1),
    "gate": lambda t, m: tg.gate(*t, metrics=[m], **FEW),
    "threshold": lambda t, m: tg.threshold(t[0], _three(t), metrics=[m], **FEW),
    "domains": lambda t, m: tg.domains(
        *t, metrics=[m], domains=["ab"[i % 2] for i in range(len(t[0]))], draws=4, draw_resamples=20, **FEW
    ),
    "plan": lambda t, m: tg.plan(*t, metrics=[m], gain=1.0, jobs=1),
    "calibrate": lambda t, m: tg.calibrate(*t, metrics=[m], repetitions=10, resamples=20, jobs=1),
    "replicate": lambda t, m: tg.replicate(
        t[0], _runs(t), metrics=[m], repetitions=4, resamples=20, counts=(1, 2), jobs=1
    ),
    "pool": lambda t, m: tg.pool(
        [corpus(t, "one"), corpus((t[0] * 2, {name: lines * 2 for name, lines in t[1].items()}), "two")],
        metrics=[m],
        **FEW,
    ),
}


def corpus(texts: Texts, name: str) -> tg.Corpus:
    """The texts as a test set."""
    return replace(corpus_from_memory(*texts), name=name)


def outcome(study: str, case: str, metric: str, formats: tuple[str, ...] = ()) -> str:
    """The result as JSON, or why there is none; anything else is a fault. It must be shown in the formats too."""
    try:
        result = STUDIES[study](CASES[case], metric)
    except InputError as error:
        return f"refused: {error}"
    for format in formats:
        assert result.render(format)
    text: str = result.render("json")
    json.dumps(json.loads(text), allow_nan=False)
    return text


def main() -> None:
    """Print the outcomes of scoring, comparing and ranking all cases under all metrics, and which kernels are plain."""
    found = {
        f"{study} | {case} | {metric}": outcome(study, case, metric)
        for study in ("score", "compare", "rank")
        for case in CASES
        for metric in TEXT_METRICS
    }
    found["not compiled"] = " ".join(missing())
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
