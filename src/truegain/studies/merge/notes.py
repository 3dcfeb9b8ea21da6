"""What a merge of sums should be read with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truegain.given_texts import copy_warning, forms_warning
from truegain.inference.intervals import few_resamples_note
from truegain.inference.multiplicity import adjust
from truegain.inference.pvalues import PValue
from truegain.report.model import listing, whole
from truegain.streaming.sums import Sums
from truegain.studies.merge.held import Held
from truegain.studies.merge.parts import MergedPair

__all__ = ["merge_notes", "text_warnings"]

_FEW_UNITS = 20


def merge_notes(
    held: Held, pairs: Sequence[MergedPair], unpaired: Sequence[str], test: str, adjustment: str, alpha: float
) -> list[str]:
    """What the whole merge should be read with.

    Parameters
    ----------
    held : Held
    pairs : sequence of MergedPair
    unpaired : sequence of str
        The systems that have not as many runs as the baseline.
    test, adjustment : str
    alpha : float
    """
    sums = held.sums
    described = sums.description
    notes = [*text_warnings(sums), *_gaps(sums), *sums.notes, *held.notes]
    names = [f"reference {i + 1}" for i in range(described.references)] + list(sums.run_names)
    for name, count in zip(names, sums.empty.tolist(), strict=True):
        if count:
            notes.append(f"{name}: {whole(count, 'empty segment')}, scored as {'it is' if count == 1 else 'they are'}")
    if sums.units < _FEW_UNITS:
        notes.append(
            f"With only {sums.units} {described.unit}s, bootstrap intervals and p-values tend to be too optimistic "
            "even with the small-sample factor"
        )
    if (few := few_resamples_note(described.resamples, alpha, way_out="make the shards with")) is not None:
        notes.append(few)
    if unpaired:
        notes.append(
            f"{listing(list(unpaired))} {'has' if len(unpaired) == 1 else 'have'} not as many runs as the baseline: "
            "runs cannot be swapped in pairs, and there is no p of randomization"
        )
    if max(held.runs) > 1:
        notes.append(
            "Runs are held fixed: nothing is claimed of new runs, for which truegain compare has the crossed test"
        )
    labels = {block.key: block.metric.label for block in held.blocks}
    for one in pairs:
        if one.differing is not None and one.differing > 0 and 2.0 * 2.0**-one.differing > alpha:
            notes.append(
                f"{one.system}, {labels[one.metric]}: only {one.differing} of {sums.segments:,} segments differ, so no "
                f"exact p of randomization is below {2.0 * 2.0**-one.differing:.3g}"
            )
        unsure = _straddles(one, test, described.resamples, alpha)
        if unsure:
            notes.append(
                f"{one.system}, {labels[one.metric]}: the Monte-Carlo error of p straddles {alpha:g}; make the shards "
                "with more --resamples to decide"
            )
    count = len(described.systems) - 1
    least = 1 / (described.resamples + 1)
    if count and adjust([least] + [1.0] * (count - 1), adjustment)[0] > alpha:
        notes.append(
            f"With {whole(described.resamples, 'resample')} no p of {whole(count, 'comparison')} can be below "
            f"{alpha:g}; make the shards with more --resamples"
        )
    return notes


def text_warnings(sums: Sums) -> list[str]:
    """Say which outputs are a reference, and which are in another form of Unicode than one."""
    said = []
    for (side, run), count in np.ndenumerate(sums.copied):
        name, reference = sums.run_names[run], f"reference {side + 1}"
        if count == sums.segments:
            said.append(copy_warning(name, reference))
        elif sums.forms[side, run]:
            said.append(forms_warning(name, reference, int(sums.forms[side, run])))
    return said


def _gaps(sums: Sums) -> list[str]:
    """Which segments are missing, as far as that can be known: not those after the last."""
    ends = [0, *(last for _, last in sums.ranges)]
    gaps = [(end, first) for end, (first, _) in zip(ends, sums.ranges, strict=False) if end < first]
    if not gaps:
        return []
    shown = [f"{a + 1:,}" if b - a == 1 else f"{a + 1:,} to {b:,}" for a, b in gaps[:5]]
    more = f" and {len(gaps) - 5:,} more ranges" if len(gaps) > 5 else ""
    return [f"Not among the shards: segments {', '.join(shown)}{more}"]


def _straddles(one: MergedPair, test: str, resamples: int, alpha: float) -> bool:
    """Whether the decision might be another with other resamples, the other p-values being what they are."""
    reached = one.exceedances_ar if test == "ar" else one.exceedances_bootstrap
    p, adjusted = one.p(test), one.p_adjusted(test)
    if reached is None or p is None or adjusted is None or one.delta == 0.0 or not alpha / 10 < adjusted < 10 * alpha:
        return False
    low, high = PValue(p, reached, resamples).interval
    return low * adjusted / p <= alpha < high * adjusted / p
