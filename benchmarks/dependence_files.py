"""Shares of real files with dependence between segments: as their rows are, and with the rows shuffled."""

from __future__ import annotations

import csv
import gzip
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import REAL_DATA
from truegain.corpus import Corpus
from truegain.experiment import Experiment
from truegain.inference.dependence import find_dependence
from truegain.readers.corpora import read_corpus
from truegain.readers.memory import corpus_from_memory

__all__ = ["Shares", "prepared", "real_files", "shares_of"]

SEED = 12345
_FEWEST = 50  # segments without which nothing is tested
_HUMAN_OR_ODD = ("refA", "synthetic_ref")  # among the outputs of WMT23
_TEXTS = {
    "newstest2010": ("multeval_newstest2010/example/hyps.*.opt?.gz", "multeval_newstest2010/example/refs.*.gz"),
    "newstest2011": ("wmt11_deen/systems/*.gz", "wmt11_deen/ref.en.gz"),
    "newstest2017": ("sacrebleu_wmt17_ende/systems/*.gz", "sacrebleu_wmt17_ende/ref0.de.gz"),
    "Multi30k 2016": ("nmt_pool/test2016/*.00.en.gz", "nmt_pool/test2016/ref.en.gz"),
    "Multi30k COCO": ("nmt_pool/coco2017/*.00.en.gz", "nmt_pool/coco2017/ref.en.gz"),
    "WMT23 en-de": ("wmt23_mtme/system-outputs/en-de/*", "wmt23_mtme/references/en-de.refA.*"),
    "WMT23 zh-en": ("wmt23_mtme/system-outputs/zh-en/*", "wmt23_mtme/references/zh-en.refA.*"),
}


@dataclass(frozen=True)
class Shares:
    """Files of one test set, one for each metric, with all systems.

    Attributes
    ----------
    segments : int
        At most; people did not rate all.
    pairs, found : int
        Pairs of systems that were tested, and those that show dependence.
    shuffles : int
        How often the rows of every file were shuffled.
    false_pairs, false_baselines, false_files : int
        Shuffled: pairs that show dependence, and files in which a gain over the first system does, or any pair.
    """

    name: str
    segments: int
    files: int
    pairs: int
    found: int
    shuffles: int
    false_pairs: int
    false_baselines: int
    false_files: int


def prepared(corpus: Corpus, metrics: Sequence[str]) -> Experiment:
    """Score a corpus; dependence is looked for later."""
    return Experiment.prepare(
        corpus, metrics, unit="auto", seed=SEED, jobs=1, cache=None, engine=None, progress=None, compared=()
    )


def real_files() -> Iterator[tuple[str, Corpus, list[str]]]:
    """Read every real test set with several systems, without its documents: its name, the corpus, the metrics."""
    for name, (systems, reference) in _TEXTS.items():
        paths = sorted(str(path) for path in REAL_DATA.glob(systems) if not path.name.startswith(_HUMAN_OR_ODD))
        if paths:
            corpus = read_corpus(paths, [str(path) for path in REAL_DATA.glob(reference)])
            yield name, replace(corpus, documents=None), ["bleu", "chrf"]
    for lp in ("en-de", "zh-en"):
        for path in sorted(REAL_DATA.glob(f"wmt23_mtme/*-scores/**/*{lp}*.seg.score.gz")) + sorted(
            REAL_DATA.glob(f"wmt23_mtme/metric-scores/{lp}/*.seg.score.gz")
        ):
            with gzip.open(path, "rt", encoding="utf-8") as file:
                rows = [line.split() for line in file]
            yield f"WMT23 {lp}", _of_rows([(row[0], row[1]) for row in rows if row[0] not in _HUMAN_OR_ODD]), ["scores"]
    table = _table(REAL_DATA / "realsumm_cnndm" / "published_scores.tsv.gz")
    for column in [name for name in table[0] if name not in ("doc_id", "system")] if table else ():
        yield "REALSumm", _of_rows([(row["system"], row[column]) for row in table]), ["scores"]
    table = _table(REAL_DATA / "conll18_en_ewt" / "per_sentence_counts.tsv.gz")
    for score in ("uas", "las") if table else ():
        shares = [
            (name.split(":")[0], str(float(count) / float(row["gold_words"])))
            for row in table
            for name, count in row.items()
            if name.endswith(f":{score}")
        ]
        yield "CoNLL 2018 EWT", _of_rows(shares), ["scores"]


def _table(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _of_rows(rows: Sequence[tuple[str, str]]) -> Corpus:
    """Return the segments that all systems have a score of; systems without any score are left out."""
    systems: dict[str, list[float]] = {}
    for system, score in rows:
        systems.setdefault(system, []).append(np.nan if score == "None" else float(score))
    scores = np.array(list(systems.values()))
    rated = ~np.isnan(scores).all(1)
    common = ~np.isnan(scores[rated]).any(0)
    names = [name for name, one in zip(systems, rated, strict=True) if one]
    return corpus_from_memory(None, dict(zip(names, scores[rated][:, common], strict=True)))


def shares_of(name: str, files: Sequence[tuple[Corpus, list[str]]], shuffles: int) -> Shares:
    """Test every pair of systems under every metric, as the rows are and shuffled."""
    generator = np.random.default_rng([SEED, *name.encode()])
    segments = count = pairs = found = 0
    false_pairs = false_baselines = false_files = 0
    for corpus, metrics in files:
        experiment = prepared(corpus, metrics)
        segments = max(segments, corpus.segments)
        for m in range(len(metrics)):
            gains = {
                pair: contributions
                for pair in itertools.combinations(range(len(corpus.systems)), 2)
                if (contributions := experiment.contributions_to(m, *pair)) is not None
            }
            as_they_are = _dependent(gains, np.arange(corpus.segments))
            count += 1
            pairs += len(as_they_are)
            found += sum(as_they_are.values())
            for _ in range(shuffles):
                shuffled = _dependent(gains, generator.permutation(corpus.segments))
                false_pairs += sum(shuffled.values())
                false_baselines += any(alarm for (baseline, _), alarm in shuffled.items() if baseline == 0)
                false_files += any(shuffled.values())
    return Shares(name, segments, count, pairs, found, shuffles, false_pairs, false_baselines, false_files)


def _dependent(
    gains: dict[tuple[int, int], NDArray[np.float64]], order: NDArray[np.int64]
) -> dict[tuple[int, int], bool]:
    """Return whether each gain shows dependence with its segments in some order; without those that say too little."""
    tests = {pair: find_dependence(("", "", ""), own[order], seed=SEED) for pair, own in gains.items()}
    return {pair: test.found for pair, test in tests.items() if test is not None}
