"""A small news language: documents are planned once and rendered as often as references are wanted.

A sentence is planned as a node (see `benchmarks.simulation.phrases`) and then rendered with independent draws.
Synonyms, active or passive voice, the order of clauses and connectives differ between renderings; names and
figures do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.simulation import vocabulary
from benchmarks.simulation.phrases import Draws, render
from benchmarks.simulation.planner import DocumentPlanner
from benchmarks.simulation.sentences import plan_sentence

SHORTEST_DOCUMENT = 4
LONGEST_DOCUMENT = 20


@dataclass(frozen=True, slots=True)
class ParallelText:
    """Renderings of the same sentences, and the document that each sentence belongs to."""

    renderings: tuple[tuple[str, ...], ...]
    documents: tuple[str, ...]


def write_parallel_text(
    *, segments: int, plan: np.random.Generator, renderers: Sequence[np.random.Generator]
) -> ParallelText:
    """Plan documents and render them once per renderer.

    Parameters
    ----------
    segments : int
        Number of sentences in all.
    plan : numpy.random.Generator
        The stream that decides what is said.
    renderers : sequence of numpy.random.Generator
        One stream per rendering; it decides how things are said.

    Returns
    -------
    ParallelText
        The renderings, in the order of the renderers.
    """
    planner = Draws(plan)
    voices = [Draws(renderer) for renderer in renderers]
    renderings: list[list[str]] = [[] for _ in voices]
    documents: list[str] = []
    for number, size in enumerate(_document_sizes(segments, planner), start=1):
        document = DocumentPlanner(planner.pick(vocabulary.TOPICS), planner)
        documents += [f"{document.topic.name}-{number:04d}"] * size
        for position in range(size):
            sentence = plan_sentence(document, opening=position == 0)
            for voice, texts in zip(voices, renderings, strict=True):
                texts.append(render(sentence, voice))
    return ParallelText(tuple(map(tuple, renderings)), tuple(documents))


def _document_sizes(segments: int, draws: Draws) -> list[int]:
    """Cut the text into documents of 4 to 20 sentences, small ones more often than large ones."""
    sizes = []
    left = segments
    while left > 0:
        spread = LONGEST_DOCUMENT - SHORTEST_DOCUMENT + 1
        size = min(left, SHORTEST_DOCUMENT + int(spread * draws.uniform() * draws.uniform()))
        if 0 < left - size < SHORTEST_DOCUMENT:  # no stub at the end
            size = left if left <= LONGEST_DOCUMENT else size - SHORTEST_DOCUMENT
        sizes.append(size)
        left -= size
    return sizes
