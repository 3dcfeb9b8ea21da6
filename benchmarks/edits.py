"""Edit distances: TER beside sacreBLEU, WER beside jiwer."""

from __future__ import annotations

import jiwer
import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics import TER as PeerTER

from benchmarks.data import Data
from benchmarks.extraction import clear_peer_caches
from benchmarks.timing import Row, alternate
from truegain.metrics.ter import TER
from truegain.metrics.wer import WER
from truegain.statistics import collect

__all__ = ["joined", "measure_ter", "measure_wer"]

_TER_TARGET, _WER_TARGET = 120.0, 5.0


def joined(data: Data, count: int, between: str = " ") -> Data:
    """Return the same text in long segments: every few consecutive ones as one."""

    def join(lines: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(between.join(lines[i : i + count]) for i in range(0, len(lines), count))

    return Data(f"{data.name}, {count} in one", join(data.reference), {k: join(v) for k, v in data.systems.items()})


def measure_ter(data: Data, *, repeats: int) -> Row:
    """Edits and reference lengths of every segment."""
    corpus = data.corpus()

    def peer() -> list[list[list[float]]]:
        scorer = PeerTER(references=[list(data.reference)])
        return [scorer._extract_corpus_statistics(outputs, None) for outputs in data.systems.values()]

    def ours() -> NDArray[np.float64]:
        return collect(corpus, {"ter": TER()}).values

    times = alternate(peer, ours, repeats=repeats, before_peer=clear_peer_caches)
    agree = np.array_equal(np.concatenate([np.array(one) for one in times.peer_result], axis=1), times.our_result)
    return _row("TER", data, times.peer, times.ours, _TER_TARGET, agree)


def measure_wer(data: Data, *, repeats: int) -> Row:
    """Substitutions, deletions and insertions of every segment."""
    corpus = data.corpus()
    reference = list(data.reference)

    def peer() -> list[list[int]]:
        found = []
        for outputs in data.systems.values():
            words = jiwer.process_words(reference, list(outputs))
            found.append([words.substitutions, words.deletions, words.insertions])
        return found

    def ours() -> NDArray[np.float64]:
        return collect(corpus, {"wer": WER()}).values

    times = alternate(peer, ours, repeats=repeats)
    totals = times.our_result.sum(0).reshape(len(data.systems), -1)[:, :3]
    return _row("WER", data, times.peer, times.ours, _WER_TARGET, np.array_equal(totals, times.peer_result))


def _row(metric: str, data: Data, peer: float, ours: float, target: float, agree: bool) -> Row:
    return Row(f"extraction, {metric}, {len(data.systems)} systems", data.name, "ratio", peer, ours, target, agree)
