"""Sentences on a plan."""

from __future__ import annotations

import math

from truegain.inference.power import Plan
from truegain.inference.results import MetricInfo
from truegain.notes import Note
from truegain.report.model import listing, signed, whole
from truegain.studies.plan.result import Basis, PlanResult, Predicted
from truegain.studies.plan.tables import NOUNS, decimals_of, gain_text, power_text

_FEW_RUNS = 5
_MOSTLY = 0.96  # of the variance within items, so that more samples detect within 2 % of what more items do


def basis_words(result: PlanResult, metric: MetricInfo, decimals: int | None) -> list[str]:
    """Say what the plan for a metric rests on."""
    basis = result.basis(metric.key)
    places = decimals_of(result, metric, decimals)
    if basis.observed is None or basis.standard_error is None:
        return [_assumed(result)]
    names = list(dict.fromkeys(score.name for score in result.scores))
    counts = result.pilot_runs or (1, 1)
    runs = f" and over runs ({counts[0]} + {counts[1]})" if min(counts) > 1 else ""
    return [
        f"{metric.label}: in the pilot the gain of {names[1]} over {names[0]} is {signed(basis.observed, places)}, "
        f"with a standard error of {basis.standard_error:.{places}f} over {_noun(result, basis.n_units)}{runs}."
        + _of_samples(basis)
    ]


def _of_samples(basis: Basis) -> str:
    """Say which part of the variance comes from samples of items, if they have several."""
    if basis.sampling is None:
        return ""
    within = round(100 * basis.sampling.share(basis.plan))
    each = " and ".join(f"{one:.3g}" for one in dict.fromkeys(basis.sampling.samples))
    return f" Of its variance over items, {100 - within} % lies between items, {within} % within ({each} samples each)."


def _assumed(result: PlanResult) -> str:
    given = result.assumptions
    if given is None or given.sd_difference is None:
        return ""
    difference = f"{given.sd_difference:.3g}"
    if given.sd is None:
        text = f"The difference of two systems has a standard deviation of {difference} over segments"
    else:
        each = " and ".join(f"{one:g}" for one in dict.fromkeys(given.sd))
        text = (
            f"Segment scores have a standard deviation of {each} and a correlation of {given.correlation:g} between "
            f"the systems, so their difference has one of {difference}"
        )
    if given.design_effect != 1.0:
        text += f"; segments of a document are alike, by a design effect of {given.design_effect:g}"
    return f"{text}."


def verdict(result: PlanResult, metric: MetricInfo, decimals: int | None) -> str:
    """Say what is found with the size at hand, and what the gains asked for take."""
    basis = result.basis(metric.key)
    places = decimals_of(result, metric, decimals)
    here = _here(result, metric)
    place = _noun(result, here.units)
    if result.unit != "segment":
        place += f" (about {whole(here.segments, 'segment')})"
    if result.plans_runs:
        place += f" and {whole(here.runs, 'run')} of each system"
    if any(note.kind == "raters-held" for note in result.notes):
        place += " and the same raters"
    name = "" if result.testset is None else f" {metric.label}"
    what = "difference" if metric.higher_is_better is None else "gain"
    text = (
        f"With {place} there is {power_text(result.power)} power to detect a {what} of "
        f"{here.detectable:.{places}f}{name}"
    )
    takes = [_takes(result, basis, gain, here, places) for gain in basis.gains]
    return "; ".join([text, *takes]) + "." + _better_buy(result, basis, here, places)


def _better_buy(result: PlanResult, basis: Basis, here: Predicted, decimals: int) -> str:
    """Say what twice the items and twice the samples would bring, if items have several."""
    if basis.sampling is None:
        return ""

    def detectable(plan: Plan, times: int = 1) -> float:
        units, runs = times * here.units * basis.share, (here.runs, here.runs)
        return plan.detectable(runs, power=result.power, units=units, alpha=result.alpha, one_sided=result.one_sided)

    pilot = basis.plan
    items, samples = detectable(pilot, 2), detectable(basis.sampling.doubled(pilot))
    least = detectable(basis.sampling.plan(pilot, None))
    within = basis.sampling.share(pilot)
    best = "more items are the better buy" if within < _MOSTLY else "more samples are as good a buy"
    return (
        f" Twice the {NOUNS[result.unit]} detect {items:.{decimals}f}, twice the samples per item "
        f"{samples:.{decimals}f}, and no number of samples less than {least:.{decimals}f}: {best}."
    )


def _takes(result: PlanResult, basis: Basis, gain: float, here: Predicted, decimals: int) -> str:
    """Say what it takes to find a gain: units with these runs, or runs on these units."""
    units = next(
        one for one in result.units_needed if (one.metric, one.gain, one.runs) == (basis.metric, gain, here.runs)
    )
    figure = gain_text(gain, decimals)
    if units.units is None or units.segments is None:
        text = f"for {figure} no number of {NOUNS[result.unit]} is enough with {whole(here.runs, 'run')} of each"
    else:
        text = f"for {figure} it takes about {_round(units.units):,} {NOUNS[result.unit]}"
        if result.unit != "segment":
            text += f" ({_round(units.segments):,} segments)"
    if not result.plans_runs:
        return text
    runs = next(
        one.runs for one in result.runs_needed if (one.metric, one.gain, one.units) == (basis.metric, gain, here.units)
    )
    place = _noun(result, here.units)
    if runs is None:
        return f"{text}, and on {place} no number of runs is enough"
    return f"{text}, {'and' if units.units is None else 'or'} {whole(runs, 'run')} of each on {place}"


def _here(result: PlanResult, metric: MetricInfo) -> Predicted:
    """Return the size and the runs that the pilot has, if they are among those asked for; else the first."""
    mine = [one for one in result.predicted if one.metric == metric.key]
    units = result.basis(metric.key).n_units
    at_size = [one for one in mine if result.testset is not None and one.units == units] or mine
    return next(one for one in at_size if one.units == at_size[0].units and one.runs == result.usual_runs)


def remarks(result: PlanResult) -> list[Note | str]:
    """Return remarks on the result."""
    said = []
    if result.from_observed and any(one.gains for one in result.bases):
        said.append(
            "The gain planned for is the one observed, which is often larger than the true one, the more so where it "
            "was looked for: such a plan is optimistic. Plan for the least gain that would matter"
        )
    if result.testset is not None:
        said += _of_pilot(result)
    else:
        said.append(
            "Scores are taken to be means of segment scores; for a corpus metric such as BLEU, a pilot shows how its "
            "difference varies"
        )
    said += _too_few(result)
    if result.plans_runs and result.assumptions is not None and result.assumptions.run_sd is not None:
        each = " and ".join(f"{one:g}" for one in dict.fromkeys(result.assumptions.run_sd))
        said.append(
            f"Scores of runs are assumed to vary by a standard deviation of {each} on the same segments, and no run to "
            "do better on some segments than another run of its system does"
        )
    if result.plans_runs:
        said.append(
            f"The claim is about new runs on new {NOUNS[result.unit]}: the crossed test (two runs or more of each)"
        )
    return [*said, *result.notes]


def _too_few(result: PlanResult) -> list[str]:
    """Say that randomization could not be significant whatever the gain, if so."""
    least = math.ceil(-math.log2(result.alpha)) + (0 if result.one_sided else 1)
    fewest = min(
        [one.units for one in result.units_needed if one.units is not None] + [one.units for one in result.sizes]
    )
    if fewest >= least:
        return []
    noun = NOUNS[result.unit]
    return [
        f"With fewer than {least} {noun} randomization tests cannot reach p ≤ {result.alpha:g}, however large the gain "
        f"is: take {least} at the very least"
    ]


def _of_pilot(result: PlanResult) -> list[str]:
    noun = NOUNS[result.unit]
    basis = result.bases[0]
    off = 100.0 * 1.96 * math.sqrt(2.0 / max(basis.effective_units - 1.0, 1.0))
    said = [
        f"Other {noun} are taken to vary as those of the pilot do, from the same domain and with the same systems; "
        f"from {_noun(result, basis.n_units)} this is known to within about ± {min(off, 100.0):.0f} %, and so is the "
        f"number of {noun} needed"
    ]
    if result.unit != "segment":
        said.append(
            f"{noun.capitalize()} are of the pilot's mean length, {result.segments_per_unit:.3g} segments: more "
            f"segments in the same {noun} help less than more {noun}"
        )
    counts = result.pilot_runs
    if counts is not None and 1 < min(counts) < _FEW_RUNS:
        said.append(f"How runs vary is known from {counts[0]} + {counts[1]} runs only, which is little")
    if not result.plans_runs:
        said.append("The claim is about these runs: how new runs would vary, one run of a system does not show")
    return said


def methods(result: PlanResult) -> str:
    """Describe the method in a sentence or two, to paste into a report."""
    noun = NOUNS[result.unit]
    sides = "one-sided" if result.one_sided else "two-sided"
    level = f"{sides}, at a level of {100 * result.alpha:.10g} %"
    if result.plans_runs:
        test = f"the crossed test of runs and {noun} ({level})"
        how = "averaged over the variances that may be estimated"
    else:
        test = f"a paired t-test over {noun} ({level})"
        how = "from the noncentral t distribution"
    if result.testset is None:
        source = "assumed standard deviations"
    else:
        labels = listing([metric.label for metric in result.metrics])
        pilot = _noun(result, result.bases[0].n_units)
        source = f"the jackknife variance of the difference in {labels} on a pilot of {pilot}"
    return (
        f"Power was computed for {test}, {how}; variances over {noun} fall as one over their number, from {source} "
        f"(truegain {result.version})."
    )


def _noun(result: PlanResult, count: int) -> str:
    """Write ``1,000 segments``."""
    return whole(count, NOUNS[result.unit][:-1])


def _round(count: int) -> int:
    """Round up to two leading digits and a half: more would say more than is known."""
    step = int(10 ** max(len(str(count)) - 2, 0))
    if count < 5 * 10 ** (len(str(count)) - 1):
        step = max(step // 2, 1)
    return -(-count // step) * step
