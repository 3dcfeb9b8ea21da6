"""From text to statistics: BLEU and chrF beside sacreBLEU."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics import BLEU as PeerBLEU
from sacrebleu.metrics import CHRF as PeerCHRF

from benchmarks.data import Data
from benchmarks.timing import Row, alternate
from truegain.metrics.bleu import BLEU
from truegain.metrics.chrf import CHRF
from truegain.statistics import collect

__all__ = ["clear_peer_caches", "measure"]

_TARGET = 30.0
_TARGET_OF_MANY = {"chrF": 60.0}  # of ten systems, which share what is made of the reference
_METRICS = {"BLEU": (BLEU, PeerBLEU), "chrF": (CHRF, PeerCHRF)}


def measure(data: Data, metric: str, *, repeats: int) -> Row:
    """Statistics of every system; each side prepares the reference once, inside its time."""
    our_metric, peer_metric = _METRICS[metric]
    corpus = data.corpus()

    def peer() -> list[list[list[int]]]:
        scorer = peer_metric(references=[list(data.reference)])
        return [scorer._extract_corpus_statistics(outputs, None) for outputs in data.systems.values()]

    def ours() -> NDArray[np.float64]:
        return collect(corpus, {metric: our_metric()}).values

    times = alternate(peer, ours, repeats=repeats, before_peer=clear_peer_caches)
    agree = np.array_equal(np.concatenate([np.array(one) for one in times.peer_result], axis=1), times.our_result)
    work = f"extraction, {metric}, {len(data.systems)} systems"
    target = _TARGET_OF_MANY.get(metric, _TARGET) if len(data.systems) == 10 else _TARGET
    return Row(work, data.name, "ratio", times.peer, times.ours, target, agree)


def clear_peer_caches() -> None:
    """SacreBLEU keeps tokenised lines from one call to the next; a command that starts afresh has none."""
    for name, module in list(sys.modules.items()):
        if name.startswith("sacrebleu."):
            for kind in [value for value in vars(module).values() if isinstance(value, type)]:
                for attribute in vars(kind).values():
                    if hasattr(attribute, "cache_clear"):
                        attribute.cache_clear()
