"""Notes on a merge of sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truegain.given_texts import copy_warning, forms_warning
from truegain.inference.intervals import few_resamples_note
from truegain.inference.multiplicity import adjust
from truegain.inference.results import Comparison
from truegain.notes import Note
from truegain.report.model import listing, whole
from truegain.streaming.sums import Sums
from truegain.studies.merge.held import Held

_FEW_UNITS = 20


def merge_notes(
    held: Held, alpha: float, *, others: int = 0, unpaired: Sequence[str] = (), adjustment: str = "none"
) -> list[Note]:
    """Say what the whole merge should be read with.

    Parameters
    ----------
    held : Held
    alpha : float
    others : int
        The number of systems that are compared with the baseline.
    unpaired : sequence of str
        Those of them whose number of runs differs from the baseline's.
    adjustment : str
    """
    sums = held.sums
    described = sums.description
    notes = [*text_warnings(sums), *_gaps(sums), *sums.notes]
    names = [f"reference {i + 1}" for i in range(described.references)] + list(sums.run_names)
    for name, count in zip(names, sums.empty.tolist(), strict=True):
        if count:
            text = f"{whole(count, 'empty segment')}, scored as {'it is' if count == 1 else 'they are'}"
            notes.append(Note("empty-segments", text, file=name))
    if sums.units < _FEW_UNITS:
        text = (
            f"With only {sums.units} {described.unit}s, bootstrap intervals and p-values tend to be too optimistic "
            "even with the small-sample factor"
        )
        notes.append(Note("few-units", text))
    if (few := few_resamples_note(described.resamples, alpha, way_out="make the shards with")) is not None:
        notes.append(few)
    if unpaired:
        text = (
            f"{listing(list(unpaired))} {'has' if len(unpaired) == 1 else 'have'} not as many runs as the baseline: "
            "runs cannot be swapped in pairs, and there is no p of randomization"
        )
        notes.append(Note("unequal-runs", text))
    if max(held.runs) > 1:
        text = "Runs are held fixed: nothing is claimed of new runs, for which compare has the crossed test"
        notes.append(Note("held-runs", text))
    least = 1 / (described.resamples + 1)
    if others and adjust([least] + [1.0] * (others - 1), adjustment)[0] > alpha:
        text = f"With {whole(described.resamples, 'resample')} no p of {whole(others, 'comparison')} can be below"
        notes.append(Note("few-resamples", f"{text} {alpha:g}; make the shards with more resamples"))
    text = (
        f"The data were summed in parts: in every resample each {described.unit} has a weight of its own, drawn from "
        f"Poisson(1) by its {'number' if described.unit == 'segment' else 'ID'}"
    )
    return [*notes, Note("poisson-weights", text)]


def with_disagreements(primary: Sequence[Comparison], others: Sequence[Comparison], alpha: float) -> list[Comparison]:
    """Return the comparisons by both tests, with a note on those of the primary one if the other disagrees."""
    by_system = {one.system: one for one in others}
    said = []
    for one in primary:
        other = by_system.get(one.system)
        if other is not None and (one.p_adjusted <= alpha) != (other.p_adjusted <= alpha):
            text = f"{other.test} disagrees at {alpha:g}, so the evidence is near the border"
            one = replace(one, notes=(*one.notes, Note("disagreement", text)))
        said.append(one)
    return [*said, *others]


def text_warnings(sums: Sums) -> list[Note]:
    """Say which outputs are a reference, and which are in another form of Unicode than one."""
    said = []
    for (side, run), count in np.ndenumerate(sums.copied):
        name, reference = sums.run_names[run], f"reference {side + 1}"
        if count == sums.segments:
            said.append(copy_warning(name, reference))
        elif sums.forms[side, run]:
            said.append(forms_warning(name, reference, int(sums.forms[side, run])))
    return said


def _gaps(sums: Sums) -> list[Note]:
    """Say which segments are missing, as far as that can be known: not those after the last."""
    ends = [0, *(last for _, last in sums.ranges)]
    gaps = [(end, first) for end, (first, _) in zip(ends, sums.ranges, strict=False) if end < first]
    if not gaps:
        return []
    shown = [f"{a + 1:,}" if b - a == 1 else f"{a + 1:,} to {b:,}" for a, b in gaps[:5]]
    more = f" and {len(gaps) - 5:,} more ranges" if len(gaps) > 5 else ""
    return [Note("gaps", f"Not among the shards: segments {', '.join(shown)}{more}")]
