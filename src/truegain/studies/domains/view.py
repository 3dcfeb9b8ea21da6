"""View of results on several test sets: tables and sentences."""

from __future__ import annotations

from statistics import median

from truegain.inference.results import MetricInfo
from truegain.notes import Note
from truegain.report.model import Document, Paragraph, Table, listing, p_words, remark, whole
from truegain.studies.domains.parts import Pooled, Population, SetPair, Share, Transfer, listed
from truegain.studies.domains.result import DomainsResult
from truegain.studies.domains.tables import is_shown, percent, places_for, tables
from truegain.studies.shared_view import interval_text, level_words, signatures

_NAMED = 3  # reversed pairs that are named; more are counted
_SPOKEN = 6  # transfers with a sentence each; of more, a sentence on all
_DRAWN_FROM = 3  # sets and sizes of draws with a sentence each; of more, a sentence on all


def document(result: DomainsResult, decimals: int | None) -> Document:
    """Return verdicts, shares by p from set to set, shares by p on draws, what to know, and the methods."""
    items: list[Table | Paragraph] = [Paragraph(_described(result), "title")]
    items += [Paragraph(text, "verdict") for text in verdicts(result, decimals)]
    for metric in result.metrics:
        items += tables(result, metric, decimals)
    items += [remark(text) for text in _remarks(result)]
    items += signatures(result, " ".join(one.fingerprint for one in result.sets))
    items.append(Paragraph(methods(result), "methods"))
    return Document(tuple(items))


def verdicts(result: DomainsResult, decimals: int | None = None) -> list[str]:
    """Return a few sentences for each metric."""
    return [
        text for metric in result.metrics for text in _verdicts(result, metric, places_for(result, metric, decimals))
    ]


def prose(result: DomainsResult) -> dict[str, str | list[str]]:
    """Return the sentences of the JSON."""
    return {"verdicts": verdicts(result), "methods": methods(result)}


def _described(result: DomainsResult) -> str:
    """Describe in one line what was tested on."""
    sets = " · ".join(f"{one.name} {whole(one.segments, 'segment')}" for one in result.sets)
    systems = len(result.systems)
    return f"{sets}  {systems} systems · {whole(systems * (systems - 1) // 2, 'pair')}"


def _verdicts(result: DomainsResult, metric: MetricInfo, decimals: int) -> list[str]:
    """Say the verdicts of all transfers together, from set to set, at one size, then set by set as the population."""
    transfers = [one for one in result.transfers if one.metric == metric.key]
    if len(result.sets) > 2 and not any(one.significant.cases for one in transfers):
        said = [f"By {metric.label}, no pair has p ≤ {result.alpha:g} on any set."]
    else:
        said = [_pooled(result, metric, one) for one in result.pooled if one.metric == metric.key]
        if len(transfers) <= _SPOKEN:
            said += [_transfer(result, metric, one) for one in transfers]
        else:
            said.append(_worst(result, metric, transfers))
    said += _reversed(result, metric)
    sizes = dict.fromkeys(one.units for one in result.thresholds if one.metric == metric.key)
    said += [_threshold(result, metric, size, decimals) for size in sizes]
    populations = [one for one in result.populations if one.metric == metric.key]
    if len(populations) <= _DRAWN_FROM:
        return said + [_population(result, metric, one) for one in populations]
    return [*said, _all_populations(result, metric, populations)]


def _interval(result: DomainsResult, share: Share) -> str:
    assert share.ci is not None  # there are cases
    return f"{level_words(result.alpha)} interval {interval_text(*share.ci, percent)}"


def _transfer(result: DomainsResult, metric: MetricInfo, one: Transfer) -> str:
    share = one.significant
    if share.share is None or share.expected is None:
        return (
            f"By {metric.label}, no pair has p ≤ {result.alpha:g} on {one.source}: nothing to look for on {one.target}."
        )
    first = (
        f"By {metric.label}, of the {whole(share.pairs, 'pair')} with p ≤ {result.alpha:g} on {one.source}, "
        f"{percent(share.share)} have the same sign on {one.target} ({_interval(result, share)}), where "
        f"{percent(share.expected)} would be expected of one domain"
    )
    shown, opposite = share.shown or 0, share.opposite or 0
    return (
        f"{first}; {percent(shown / share.cases)} are significant there as well, and "
        f"{percent(opposite / share.cases) if opposite else 'none'} in the opposite direction."
    )


def _pooled(result: DomainsResult, metric: MetricInfo, one: Pooled) -> str:
    share = one.significant
    assert share.share is not None
    assert share.expected is not None  # there are cases
    return (
        f"By {metric.label}, of {share.cases:,} cases with p ≤ {result.alpha:g} on one set, {percent(share.share)} "
        f"have the same sign on another (all {one.transfers} transfers pooled; {_interval(result, share)}), where "
        f"{percent(share.expected)} would be expected of one domain."
    )


def _worst(result: DomainsResult, metric: MetricInfo, transfers: list[Transfer]) -> str:
    held = [(one.significant.share, one) for one in transfers if one.significant.share is not None]
    share, low = min(held, key=lambda one: one[0])
    return (
        f"By {metric.label}, of the pairs with p ≤ {result.alpha:g} on one set, "
        f"{percent(median(share for share, _ in held))} have the same sign on another (the median of {len(held)} "
        f"transfers); fewest from {low.source} to {low.target}, {percent(share)} of "
        f"{whole(low.significant.pairs, 'pair')}, where {percent(low.significant.expected or 0.0)} would be expected "
        "of one domain."
    )


def _reversed(result: DomainsResult, metric: MetricInfo) -> list[str]:
    """Name pairs that are significant on two sets in opposite directions."""
    found: list[tuple[float, str]] = []
    for pair in result.pairs:
        if pair.metric == metric.key and (text := _reversal(result, pair)) is not None:
            found.append(text)
    if not found:
        return []
    named = [text for _, text in sorted(found)[:_NAMED]]
    more = f"; {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return [f"Turned round, p ≤ {result.alpha:g} on both sets by {metric.label}: {'; '.join(named)}{more}."]


def _reversal(result: DomainsResult, pair: SetPair) -> tuple[float, str] | None:
    names = [one.name for one in result.sets]
    better = {
        sign: min(
            ((p, name) for name, delta, p in zip(names, pair.deltas, pair.p, strict=True) if sign * delta > 0),
            default=(1.0, ""),
        )
        for sign in (1, -1)
    }
    (p, here), (q, there) = better[1], better[-1]
    if max(p, q) > result.alpha:
        return None
    above = f"{pair.system} is better than {pair.baseline} on {here} (p {p_words(p)})"
    return max(p, q), f"{above}, and worse on {there} (p {p_words(q)})"


def _threshold(result: DomainsResult, metric: MetricInfo, size: int, decimals: int) -> str:
    """Say whether the domain moves what gain is usually significant on test sets of one size."""
    mine = [one for one in result.thresholds if (one.metric, one.units) == (metric.key, size)]
    least, most = min(mine, key=lambda one: one.gain), max(mine, key=lambda one: one.gain)
    nouns = sorted({tested.unit for tested in result.sets})
    first = (
        f"On test sets of {whole(size, nouns[0] if len(nouns) == 1 else 'unit')}, the gain in {metric.label} that is "
        f"usually significant runs from {least.gain:.{decimals}f} on {least.set} to {most.gain:.{decimals}f} on "
        f"{most.set}, {least.ratio:.2f} and {most.ratio:.2f} of the mean of the sets"
    )
    ends = [(one.set, one.ratio_low, one.ratio_high) for one in mine]
    if any(low is None for _, low, _ in ends):
        return f"{first}."
    moved = [name for name, low, high in ends if low is not None and high is not None and not low <= 1.0 <= high]
    if moved:
        return f"{first}; the {level_words(result.alpha)} interval of the ratio excludes 1 on {listing(moved)}."
    return f"{first}; every {level_words(result.alpha)} interval of the ratio includes 1."


def _population(result: DomainsResult, metric: MetricInfo, one: Population) -> str:
    noun = next(tested.unit for tested in result.sets if tested.name == one.set)
    drawn = f"On test sets of {whole(one.units, noun)} drawn from {one.set}"
    low, high = one.band.low, one.band.high
    if one.band.share is None:
        said = f"{drawn}, no p by {metric.label} lay between {low:g} and {high:g}"
    else:
        said = (
            f"{drawn}, p between {low:g} and {high:g} by {metric.label} had the sign of the whole set in "
            f"{percent(one.band.share)} of {one.band.cases:,} cases ({_interval(result, one.band)})"
        )
    wrong = percent(one.wrong) if one.wrong else "none"
    return (
        f"{said}; p ≤ {result.alpha:g} for the wrong system in {wrong} of all pairs and draws, where "
        f"{percent(result.alpha)} are allowed."
    )


def _all_populations(result: DomainsResult, metric: MetricInfo, populations: list[Population]) -> str:
    """Say of many sets, or sizes of draws, how far shares of the right sign around .05 lie apart."""
    low, high = populations[0].band.low, populations[0].band.high
    nouns = {tested.name: tested.unit for tested in result.sets}
    shares = sorted(
        (one.band.share, f"{whole(one.units, nouns[one.set])} of {one.set}")
        for one in populations
        if one.band.share is not None
    )
    if shares:
        (least, there), (most, where) = shares[0], shares[-1]
        said = f"On test sets drawn from one set, p between {low:g} and {high:g} by {metric.label} had its sign in "
        said += percent(least) if least == most else f"{percent(least)} ({there}) to {percent(most)} ({where})"
        said += " of cases"
    else:
        said = f"On test sets drawn from one set, no p by {metric.label} lay between {low:g} and {high:g}"
    wrong = max(one.wrong for one in populations)
    shown = f"{percent(wrong)} at most" if wrong else "none"
    return (
        f"{said}; p ≤ {result.alpha:g} for the wrong system in {shown} of all pairs and draws, where "
        f"{percent(result.alpha)} are allowed."
    )


def _remarks(result: DomainsResult) -> list[Note | str]:
    """Return remarks on the result."""
    units = listing([f"{one.unit}s ({one.n_units:,}) of {one.name}" for one in result.sets])
    said = [f"Unit: {units}"]
    counted: list[Transfer | Population] = [*result.transfers, *result.populations]
    undirected = sum(one.undirected for one in counted)
    ties = sum(share.ties for one in counted for share in one.bins)
    if undirected:
        said.append(
            f"Pairs without a difference where p is taken have no sign, and are in no bin ({undirected:,} cases)"
        )
    if any(not share.cases for one in (*counted, *result.pooled) if is_shown(result, one) for share in listed(one)):
        said.append("Bins of p without cases are left out of the tables")
    if result.pooled:
        said.append(
            "Pooled cases are not independent: a pair of systems counts once for every two sets, and pairs share "
            "systems. Intervals are for other systems like these on the same sets"
        )
    if ties:
        said.append(f"Pairs without a difference on the target count half ({ties:,} cases)")
    if result.transfers:
        said.append(
            "P is about test sets of the same kind; of another domain it says nothing. Shares well below “one domain”, "
            "beyond what their intervals allow, are what the change of domain does"
        )
    if result.populations:
        said.append(
            "P is no probability that the sign is wrong: it keeps wrong claims rare among all pairs. Among pairs with "
            "one p the right sign has a share of about 1 − p where true differences are spread evenly, more where most "
            "are large, and less where most are next to nothing"
        )
    return [*said, *result.notes]


def methods(result: DomainsResult) -> str:
    """Describe the method in a few sentences, to paste into a paper."""
    systems = len(result.systems)
    names = listing([metric.label for metric in result.metrics])
    level = level_words(result.alpha)
    text = (
        f"{_all_pairs(names, systems)} tested with "
        "the paired bootstrap, shifted by the observed difference, one-sided for the better system (Berg-Kirkpatrick "
        "et al. 2012, section 4)"
    )
    if result.transfers:
        text += (
            f", with {result.resamples:,} resamples on each of {len(result.sets)} test sets. By p on one set we report "
            "how often the sign of the difference is the same on another; the share expected of one domain is that of "
            "normal differences with the observed one as mean and the variances of both sets."
        )
    else:
        text += "."
    if result.populations:
        sizes = listing(list(dict.fromkeys(f"{one.units:,}" for one in result.populations)))
        text += (
            f" With a set as the population, {result.populations[0].draws:,} test sets of {sizes} units were drawn "
            f"from it with replacement and tested with {result.draw_resamples:,} resamples each, and the sign held "
            "against that of the whole set."
        )
    if result.thresholds:
        text += (
            " The gain that is usually significant on test sets of one size is that at which 95 % of the pairs would "
            f"have p ≤ {result.alpha:g}, by their standard errors on the draws; its intervals are over resamples of "
            "the systems and over draws."
        )
    if any(one.runs > 1 for one in result.scores):
        text += " Scores are means over runs, and runs are held fixed."
    return (
        f"{text} Intervals ({level}) of shares are percentiles over resamples of the systems, because pairs share "
        "them, and no narrower than Clopper–Pearson intervals of as many independent pairs (truegain "
        f"{result.version}, seed {result.seed})."
    )


def _all_pairs(names: str, systems: int) -> str:
    pairs = systems * (systems - 1) // 2
    if pairs == 1:
        return f"The difference in {names} between the two systems was"
    return f"The differences in {names} of all {pairs:,} pairs of {systems} systems were"
