"""Sentences on results over several test sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from truegain.inference.results import MetricInfo
from truegain.inference.sequential import CAP
from truegain.notes import Note, gathered
from truegain.registry import TESTS
from truegain.report.model import Paragraph, Table, listing, p_words, whole
from truegain.studies.compare import sentences as single
from truegain.studies.compare.headline import DISAGREE
from truegain.studies.compare.headline import headline as answers
from truegain.studies.compare.remarks import own_notes
from truegain.studies.compare.remarks import remarks as single_remarks
from truegain.studies.compare.result import CompareResult
from truegain.studies.null_gain import as_given, beyond_words, sides_words
from truegain.studies.pool.parts import Replicability
from truegain.studies.pool.result import PooledResult
from truegain.studies.shared_view import ADJUSTED_BY, MANY, TONES, kind_words, label_of, level_words, units_words


def title_line(result: PooledResult) -> str:
    """Describe in one line what was tested on."""
    segments = sum(one.testset.segments for one in result.sets)
    runs = list({score.name: score.runs for score in result.sets[0].scores}.values())
    parts = [whole(len(result.sets), "test set"), whole(segments, "segment"), whole(len(runs), "system")]
    if max(runs) > 1:
        parts.append(" + ".join(map(str, runs)) + " runs" if len(runs) <= MANY else "several runs")
    return " · ".join(parts)


def headline(result: PooledResult, decimals: int | None = None) -> list[Paragraph | Table]:
    """Return the answer over all metrics, on the mean of the test sets."""
    said: list[Paragraph | Table] = []
    for one in answers(result.macro or result.sets[0], decimals):
        if isinstance(one, Paragraph):
            opening, apart, rest = one.text.partition(DISAGREE)
            text = one.text if opening or not apart else f"metrics disagree; {rest}"
            said.append(replace(one, text=f"Mean of the {len(result.sets)} test sets: {text}"))
        else:
            said.append(replace(one, caption=f"{one.caption}, on the mean of the {len(result.sets)} test sets"))
    return said


def verdicts(
    result: PooledResult, metric: MetricInfo, decimals: int | None = None, *, mean: bool = True
) -> list[Paragraph]:
    """Say what holds over all test sets, of their mean if asked for; then on how many of them it does."""
    if result.micro is None or result.macro is None:
        said = single.verdicts(result.sets[0], metric, decimals)
    else:
        said = [
            Paragraph(f"{opening}: {one.text}", "verdict", one.tone)
            for opening, level in (("Mean of the test sets", result.macro), ("All segments together", result.micro))
            if mean or level is result.micro
            for one in single.verdicts(level, metric, decimals)
        ]
    claims = [one for one in result.replicability if one.metric == metric.key]
    if len(claims) > MANY:
        return said + _gathered(result, metric, claims)
    return said + [
        Paragraph(replicated(result, one), "verdict", TONES[one.side == "better"] if one.marked else "undecided")
        for one in claims
        if len(result.sets) > 1
    ]


def claimed(result: PooledResult, side: str) -> str:
    """Return what is claimed of a system in a word or two: ``better``, or that its gain is beyond a given one."""
    gain = result.sets[0].null_gain
    return side if gain == 0.0 else f"Δ {'>' if side == 'better' else '<'} {as_given(gain)}"


def _claim(result: PooledResult, one: Replicability) -> str:
    """Return the claim in words: ``new is better than base``, ``new is better than base by more than 0.3``."""
    metric = next(metric for metric in result.metrics if metric.key == one.metric)
    gain = result.sets[0].null_gain
    return beyond_words(one.system, one.baseline, metric, above=one.side == "better", gain=gain)


def replicated(result: PooledResult, one: Replicability) -> str:
    """Say on how many test sets."""
    label = next(metric.label for metric in result.metrics if metric.key == one.metric)
    total = len(one.sets)
    doubts = "".join(f"; but this is not reliable on {text}" for text in doubted([one]))
    by = "".join(f"{TESTS[test].label}, " for test in _unseen_tests(result, [one]))
    if result.sets[0].null_gain != 0.0:
        p = p_words(one.at_least[max(one.shown, 1) - 1])
        if one.shown == 0:
            return f"In {label}, none of the {total} test sets shows that {_claim(result, one)} ({by}p {p})."
        how_many = f"all {total}" if one.shown == total else f"at least {one.shown} of {total}"
        named = listing(list(one.named))
        return f"In {label}, {_claim(result, one)} on {how_many} test sets ({by}p {p}): {named}{doubts}."
    if one.shown == 0:
        return (
            f"On none of the {total} test sets is {one.system} shown to be {one.side} than {one.baseline} by "
            f"{label}, adjusted for their number ({by}p {p_words(one.at_least[0])})."
        )
    p = p_words(one.at_least[one.shown - 1])
    how_many = f"all {total}" if one.shown == total else f"at least {one.shown} of {total}"
    return (
        f"{one.system} is {one.side} than {one.baseline} by {label} on {how_many} test sets ({by}p {p}): "
        f"{listing(list(one.named))}{doubts}."
    )


def _unseen_tests(result: PooledResult, claims: Sequence[Replicability]) -> list[str]:
    """Return the tests that claims rest on and the test sets are not shown with: those had no one-sided p."""
    shown = {one.test for level in result.sets for metric in result.metrics for one in level.primary_tests(metric.key)}
    return list(dict.fromkeys(piece.test for one in claims for piece in one.sets if piece.test not in shown))


def doubted(claims: Sequence[Replicability]) -> list[str]:
    """Return the test sets whose p-values have a caveat though they show a gain, and the reasons."""
    reasons: dict[str, dict[str, None]] = {}
    for piece in (piece for one in claims for piece in one.doubted):
        for caveat in piece.caveats:
            reasons.setdefault(caveat.summary or caveat.text, {})[piece.testset] = None
    return [f"{listing(list(names))}: {reason}" for reason, names in reasons.items()]


def _gathered(result: PooledResult, metric: MetricInfo, claims: list[Replicability]) -> list[Paragraph]:
    """Say of many pairs who is shown on how many test sets."""
    groups: dict[int, list[str]] = {}
    for one in claims:
        who = one.system if result.baseline is not None else f"{one.system} over {one.baseline}"
        groups.setdefault(one.shown, []).append(who)
    than = "than" if result.sets[0].null_gain == 0.0 else "against"
    over = f" {than} {result.baseline}" if result.baseline is not None else ""
    total = len(result.sets)
    parts = [
        f"on {'none' if shown == 0 else f'all {total}' if shown == total else f'at least {shown} of {total}'}: "
        f"{', '.join(names)}"
        for shown, names in sorted(groups.items(), reverse=True)
    ]
    word = claimed(result, claims[0].side)
    unseen = [label_of(test) for test in _unseen_tests(result, claims)]
    over += f", with {listing(unseen, 'or')}," if unseen else ""
    said = "".join(f" This is not reliable on {text}." for text in doubted(claims))
    return [Paragraph(f"By {metric.label}, {word}{over} {'; '.join(parts)}.{said}", "verdict")]


def remarks(result: PooledResult) -> list[Note | str]:
    """Return what to know: of all test sets once, of one of them with its name."""
    said: dict[Note, list[str]] = {}
    for one in result.sets:
        for note in single_remarks(one):
            said.setdefault(note, []).append(one.testset.name)
    found: list[Note | str] = []
    for note in gathered(said):
        names = said.get(note, [])  # none of a note that was gathered over sets
        found.append(note.about(", ".join(names)) if 0 < len(names) < len(result.sets) else note)
    for label, level in (("micro", result.micro), ("macro", result.macro)):
        found += [] if level is None else [note.about(label) for note in _own_notes(level)]
    if result.replicability:
        found.append(
            "A claim about several test sets is one-sided, metric by metric and pair by pair; it is not adjusted for "
            "the number of pairs"
        )
    return list(dict.fromkeys([*found, *_unsure(result), *result.notes]))


def _unsure(result: PooledResult) -> list[str]:
    """Name the claims about several test sets that more resamples may decide otherwise."""
    claims = [(one, *unsure) for one in result.replicability for unsure in one.unsure if len(result.sets) > 1]
    drawn = [piece.p_value for one, *_ in claims for piece in one.sets]
    capped = any(one.sequence is not None and one.resamples >= CAP for one in drawn)
    more = "undecided" if capped else "use more resamples to decide"
    if len(claims) > MANY:
        return [
            f"The Monte-Carlo error of p straddles {result.alpha:g} for {len(claims):,} claims about several test "
            f"sets; {more}"
        ]
    labels = {metric.key: metric.label for metric in result.metrics}
    than = "than" if result.sets[0].null_gain == 0.0 else "against"
    return [
        f"{one.system} {claimed(result, one.side)} {than} {one.baseline} by {labels[one.metric]} on at least {u} of "
        f"{len(one.sets)} test sets: the Monte-Carlo error of p ({low:.4f} to {high:.4f}) straddles {one.alpha:g}; "
        f"{more}"
        for one, u, low, high in claims
    ]


def _own_notes(level: CompareResult) -> list[Note]:
    """Return the notes of a pooled answer on its own tests."""
    several = len(level.comparisons) > 1
    return list(
        dict.fromkeys(
            note.about(f"{one.system}, {one.metric}") if several else note
            for metric in level.metrics
            for one in level.primary_tests(metric.key)
            for note in own_notes(level, one)
        )
    )


def signatures(result: PooledResult) -> list[str]:
    """Return the signatures of the metrics, of the tests, and of the inputs."""
    said: dict[str, list[str]] = {}
    for one in result.sets:
        for metric in one.metrics:
            said.setdefault(f"{metric.label}: {metric.signature}", []).append(one.testset.name)
    found = [text if len(names) == len(result.sets) else f"{', '.join(names)}: {text}" for text, names in said.items()]
    inputs = ", ".join(f"{one.testset.name} {one.testset.fingerprint}" for one in result.sets)
    return [*found, f"{result.signature} · inputs {inputs}"]


def _claims_words(result: PooledResult) -> str:
    side = result.replicability[0].side
    return f"that a system is {side}" if result.sets[0].null_gain == 0.0 else f"of {claimed(result, side)}"


def methods(result: PooledResult) -> str:
    """Describe the method in a few sentences, to paste into a paper."""
    if result.macro is None:
        return single.methods(result.sets[0])
    one, each = (level.primary_tests(result.metrics[0].key)[0] for level in (result.macro, result.sets[0]))
    units = listing([f"{level.testset.name} ({units_words(level.unit, level.n_units)})" for level in result.sets])
    names = listing([metric.label for metric in result.metrics])
    several = len(result.pairs) > 1
    who = "each system" if several else "the system"
    pairs = "all systems" if result.baseline is None else f"{who} and the baseline"
    tests = list(dict.fromkeys(c.test for level in result.sets for c in level.primary_tests(result.metrics[0].key)))
    words = listing([f"{label_of(test)} ({TESTS[test].source})" for test in tests], "or")
    side = {"two-sided": "two-sided", "observed": "one-sided, towards the better system"}.get(each.alternative)
    if result.sets[0].null_gain != 0.0:
        side = sides_words(one.alternative, result.sets[0].null_gain)
    text = (
        f"Differences in {names} between {pairs} were tested on each of {len(result.sets)} test sets, "
        f"{units}, with {words}; {side or 'one-sided'}. Over all test sets, the mean of their scores (macro) and the "
        f"score of all segments as one corpus (micro) were tested with {label_of(one.test)} "
        f"({TESTS[one.test].source}{'' if one.alternative == each.alternative else f'; {one.alternative}'}), with "
        "resamples drawn within each test set."
    )
    if one.test == "crossed":
        text += " A run is the same trained model on all test sets, and has one pooled score."
    elif any(score.runs > 1 for score in result.sets[0].scores):
        text += " Scores are means over runs, and runs are held fixed."
    if several:
        text += (
            f" P-values were adjusted for the number of comparisons per metric ({ADJUSTED_BY[one.adjust]})."
            if result.sets[0].adjusts
            else " P-values were not adjusted for the number of comparisons."
        )
    if result.replicability:
        unseen = [label_of(test) for test in _unseen_tests(result, result.replicability)]
        whose = f" of {listing(unseen, 'or')}" if unseen else ""
        text += (
            f" Claims {_claims_words(result)} on at least u of {len(result.sets)} test sets "
            f"rest on one-sided p-values{whose} by partial conjunction (Bonferroni; Dror et al. 2017), and test sets "
            "are named after Holm."
        )
    owned = {"t": "from the crossed test", "test": single.KEPT_GAINS}.get(one.interval.method)
    method = "percentile" if owned else one.interval.method
    own = f"; those of differences are {owned}" if owned else ""
    return (
        f"{text} Intervals are {level_words(result.alpha)} {kind_words(method)} intervals of the paired bootstrap{own} "
        f"({result.sets[0].resamples:,} resamples, truegain {result.version}, seed {result.seed})."
    )
