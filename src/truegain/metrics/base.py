"""Protocol of metrics: additive statistics of a segment, and a score of their sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from truegain.errors import FILE, InputError, Setting
from truegain.version import __version__

#: One sequence of segments for each reference; ``None`` where a segment has no such reference.
References = Sequence[Sequence[str | None]]


@runtime_checkable
class Metric(Protocol):
    """Metric whose corpus score is a function of sums over segments.

    Adding a metric is one file with such a class (a frozen dataclass: its fields are its settings) and one line in
    :mod:`truegain.registry`.

    Attributes
    ----------
    name : str
        As in the registry: ``bleu``.
    label : str
        As tables print it: ``BLEU``.
    higher_is_better : bool or None
        None if neither way is: a difference is then higher or lower, not better or worse.
    reads : "text" or "scores"
        Whether a run is given to :meth:`statistics` as lines of text or as columns of numbers.
    statistic_names : tuple of str
        The k statistics.

    Notes
    -----
    A metric may also have

    - ``limits``: the least and the greatest score;
    - ``denominator``: which statistics, added up, are what the score divides by, by their numbers: a unit weighs by it
      in intervals of gains that randomization does not reject; without it, by the number of its segments;
    - ``for_segments``: the metric that scores single segments;
    - ``merged``: groups of statistics of which the score needs only the sums; :meth:`score` takes these sums as well;
    - ``advice(outputs, name)``: notes on the outputs of a file (:class:`truegain.notes.Note`), or none;
    - ``condition``: what every claim in it is conditional on, for the notes of a result;
    - ``of_samples``: what it makes of the samples of an item, in words, if it reads these: :meth:`statistics` is then
      given their columns (:class:`truegain.repeats.Repeats`), not those of their means, and in place of references
      their answers; ``advice_on_samples(runs)``, then, are notes on those of all runs, by name;
    - ``of_ratings``: True if the score of an item is the mean of those of its ratings;
    - ``cached``: False if its statistics are never to be kept;
    - ``keep_files(cache)``: told the cache (:class:`truegain.cache.Cache`), where it may keep files of its own as
      read; None if there is none;
    - ``processes``: True if its statistics are Python's own work, which is done in processes, not in threads;
    - ``by_segment``: True if a segment's statistics depend on its own text and references alone, so that a run may
      be cut;
    - ``score_on_device(totals)``: :meth:`score` of a tensor of torch, by its own operators and methods; not a number
      if it cannot tell, and numpy is asked;
    - ``slopes(totals)``: the derivatives of :meth:`score` in the statistics (..., k); not a number where it cannot
      tell. Without it differences of scores take their place, which lose five digits: if a score is by exponentials or
      powers, which processors round differently, the last digits of standard errors then depend on the processor;
    - ``score_segments(segments, progress)``: scores of segments that another program computes, all of them at once, and
      ``needs``, what it reads besides outputs: "source", "reference", or both; :meth:`statistics` is not called then;
    - ``structure``: what its segments are, if they are not text: "dependencies", "brackets", "tags" (files of which
      are recognised by their ending), "links", "labels", or "any". A metric without it refuses such files.
    """

    @property
    def name(self) -> str:
        """As in the registry: ``bleu``."""
        ...

    @property
    def label(self) -> str:
        """As tables print it: ``BLEU``."""
        ...

    @property
    def higher_is_better(self) -> bool | None:
        """Direction: True, False, or None if neither way is better."""
        ...

    @property
    def reads(self) -> Literal["text", "scores"]:
        """Form in which a run comes: lines of text, or columns of numbers."""
        ...

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The k statistics."""
        ...

    def signature(self, references: int | str = 1) -> str:
        """Return every setting of the score in sacreBLEU's notation; ``references`` is their number or "var"."""
        ...

    def prepare(self, references: References) -> Any:
        """Do the part of the work that depends on the references alone; the result serves every system."""
        ...

    def statistics(self, hypotheses: Any, references: Any) -> NDArray[np.int64] | NDArray[np.float64]:
        """Return statistics of each segment, shape (n, k), against references as given or as prepared."""
        ...

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Score summed statistics (..., k), over any leading axes. Elements never influence each other."""
        ...


def gain(metric: Metric, old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the difference of scores, positive if the new is better, or higher if neither is better."""
    return old - new if metric.higher_is_better is False else new - old


def segment_references(references: References) -> tuple[list[str], NDArray[np.int64]]:
    """Lay the references out by segment: the lines, and the edges of each segment's lines."""
    if len(references) == 1 and None not in references[0]:
        lines: list[str] = list(references[0])  # type: ignore[arg-type]
        return lines, np.arange(len(lines) + 1, dtype=np.int64)
    lines = []
    groups = [0]
    for row in zip(*references, strict=True):
        lines.extend(line for line in row if line is not None)
        groups.append(len(lines))
    return lines, np.array(groups, np.int64)


def reference_count(references: References) -> int | str:
    """Return the number of references per segment, or "var" if it varies."""
    if any(None in reference for reference in references):
        counts = {sum(line is not None for line in row) for row in zip(*references, strict=True)}
        return counts.pop() if len(counts) == 1 else "var"
    return len(references)


def signature(**fields: object) -> str:
    """Join fields as ``key:value|…``, yes and no for booleans, the version last."""
    shown = {key: ("yes" if value else "no") if isinstance(value, bool) else value for key, value in fields.items()}
    return "|".join(f"{key}:{value}" for key, value in {**shown, "version": __version__}.items())


#: Where an error is in the reference: whoever knows its file puts the name there.
REFERENCE = "the reference"


def only_reference(references: References, name: str) -> Sequence[str]:
    """Return the segments of the only reference; refuse any other number of references."""
    if len(references) != 1:
        raise InputError(
            f"{name} takes one reference; got {len(references)}", hint=("give one: ", Setting("references", FILE))
        )
    missing = next((number for number, one in enumerate(references[0], 1) if one is None), None)
    if missing is not None:
        raise InputError(f"segment {missing:,} has no reference", hint=f"{name} needs one for every segment")
    return references[0]  # type: ignore[return-value]


def require_as_many_tags(tags: Sequence[str], wanted: int, number: int) -> None:
    """Raise an error unless a segment has a tag for each of the reference's."""
    if len(tags) != wanted:
        raise InputError(
            f"sentence {number:,} has {len(tags)} tag{'s' if len(tags) != 1 else ''}, and the reference {wanted}",
            hint="a tag for each word, a line for each sentence, or words in columns (FILE.conll)",
        )
