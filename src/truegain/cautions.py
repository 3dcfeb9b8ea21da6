"""Checks of input that several studies share, and signatures of what was drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

from truegain.corpus import Corpus
from truegain.errors import InputError, Setting, Text, command, some
from truegain.experiment import Experiment
from truegain.inference.distributions import normal_quantile
from truegain.inference.intervals import few_resamples_note
from truegain.inference.multiplicity import MAXT
from truegain.inference.proportions import CORRELATION, FEW, PairedShares, Share
from truegain.inference.results import Caveat, Comparison, SystemScore
from truegain.notes import Note
from truegain.registry import TESTS, size_off_level
from truegain.resampling.units import Units
from truegain.words import Sentence, listing, whole

if TYPE_CHECKING:
    from truegain.procedures.base import Key, Pair, TestOutcome, Trial

_SCORE_TESTS = ("wilson", "test")  # intervals of scores that nothing is drawn for
_OF_DOCUMENTS = ("document", "domain", "testset")  # units that keep the segments of a document together
_NAMED = 3
_SHARED = 0.1  # of the smaller set's segments: so many that stand in another one are worth a warning
_LONG = 20  # characters of an output that no two segments have by chance: shorter ones may be labels or numbers
_TAIL_COMPARISONS = 4  # more of them are held against less than a quarter of alpha
_DRAWN = ("bootstrap", "stationary-bootstrap")  # their resamples are those of the intervals
_POWER = 0.8  # with which a gain is to be shown
_AT_MOST = 20.0  # times the units that are given: with more of them an estimate says nothing
_COMPARISONS = 20  # that a gain must stand if p-values are adjusted: always as many, for a caveat is the pair's own
_MATTERS = 1.2  # times that the standard error is too small: a test at 5 % then rejects 10 % of true nulls
_TAIL_FREEDOM = 49.0  # from here on the factor is within 3 % of what 20 comparisons ask for


SIZE = Sentence("{units}")
SIZE_OF_SEGMENTS = Sentence("{units} ({segments})")
SIZE_AS_SEGMENTS_SMALL = Sentence("{size}; as independent segments the errors would be {ratio:.2g}× too small")
SIZE_AS_SEGMENTS_LARGE = Sentence("{size}; as independent segments the errors would be {ratio:.2g}× too large")
SIZE_AS_DOCUMENTS = Sentence("{size}, though documents are known: with these the errors would be {ratio:.2g}× as large")


def size_note(
    corpus: Corpus, units: Units, *, runs: Sequence[int] = (), design_effects: Sequence[float | None] = ()
) -> Note:
    """Say how much the answer rests on, and what the other choice of units would have done to standard errors.

    Parameters
    ----------
    corpus : Corpus
    units : Units
        That are resampled.
    runs : sequence of int
        Of each system.
    design_effects : sequence of float or None
        The variances with documents as units over those with segments as units, of what is answered.
    """
    noun = corpus.item_noun
    of_items = whole(corpus.segments, noun)
    if units.kind == "block":
        counted = f"Blocks of {of_items}"
    else:
        counted = of_items if units.noun == "segment" else whole(units.count, units.noun)
    within = [] if units.noun == "segment" or units.kind == "block" else [of_items]
    within += [whole(len(corpus.references), "reference")] if len(corpus.references) > 1 else []
    size = SIZE_OF_SEGMENTS(units=counted, segments=", ".join(within)) if within else SIZE(units=counted)
    if max(runs, default=1) > 1:
        size += f" × {listing([whole(count, 'run') for count in dict.fromkeys(runs)], 'or')}"
    if corpus.samples_of_items > 1:
        size += f" × {whole(corpus.samples_of_items, 'sample')}"
    known = [effect for effect in design_effects if effect is not None]
    ratio = (sum(known) / len(known)) ** 0.5 if known else 0.0
    if units.noun == "segment" and ratio > 0.0:
        return Note("unit", SIZE_AS_DOCUMENTS(size=size, ratio=ratio))
    if units.noun == "document" and ratio > 0.0 and f"{max(ratio, 1 / ratio):.2g}" != "1":
        sentence = SIZE_AS_SEGMENTS_SMALL if ratio >= 1.0 else SIZE_AS_SEGMENTS_LARGE
        return Note("unit", sentence(size=size, ratio=max(ratio, 1 / ratio)))
    return Note("unit", size)


def check_blocks(
    *, unit: str, block_length: float | None, interval: str = "percentile", drawn: bool | None = None
) -> None:
    """Refuse a length of blocks if none are ``drawn``, and intervals that blocks do not have."""
    if interval == "bca" and unit == "block":
        raise InputError(
            "bca is not defined for blocks",
            hint=("take another ", Setting("interval"), ": percentile, basic or normal"),
        )
    if block_length is not None and not (unit == "block" if drawn is None else drawn):
        raise InputError(
            "a length of blocks is given, and no blocks are drawn", hint=("draw them: ", Setting("unit", "block"))
        )


_DIFFERS: Text = (command("compare"), " tests whether it differs")


def check_directions(experiment: Experiment, cannot: str, hint: Text = _DIFFERS) -> None:
    """Refuse metrics of which neither more nor less is better; ``cannot`` says what they are not suited for."""
    for block in experiment.statistics.blocks:
        if block.metric.higher_is_better is None:
            raise InputError(f"{block.metric.label} {cannot}: neither more nor less of it is better", hint=hint)


def check_several_units(experiment: Experiment) -> None:
    """Refuse one segment; one document or domain is refused when units are chosen."""
    if experiment.units.count < 2:
        raise InputError(
            "there is only one segment: no test can tell a difference from chance on it",
            hint=(command("score"), " gives the scores"),
        )


def block_notes(
    experiment: Experiment, systems: Sequence[tuple[int, ...]], whose: str, *, shared: bool = False
) -> list[Note]:
    """Say how long blocks are.

    Parameters
    ----------
    experiment : Experiment
    systems : sequence of systems
        Those that each score or difference is of.
    whose : str
        What each of these is.
    shared : bool
        Whether all have the blocks of the experiment, not their own.
    """
    notes = experiment.unit_notes
    more = ""
    if shared and experiment.own_lengths and len(experiment.corpus.systems) > 2:
        more = "; all pairs share them, so another system may change their length: a block length that is given stays"
    elif not shared and experiment.own_lengths:
        notes = experiment.length_notes([experiment.of_systems(*one) for one in systems], whose)
    return [replace(note, text=f"{note.text}{more}").capitalized() for note in notes[:1]] + list(notes[1:])


def segment_notes(experiment: Experiment, tests: Collection[str]) -> list[Note]:
    """Name the tests that are defined on segments, if documents are known."""
    single = [name for name in tests if TESTS[name].unit == "segment"]
    if not single or experiment.corpus.documents is None or experiment.units.kind not in _OF_DOCUMENTS:
        return []
    verb = "takes" if len(single) == 1 else "take"
    text = f"{', '.join(single)} {verb} segments as independent, though documents are known"
    return [Note("segments-as-units", text)]


def not_shared(*tests: str) -> InputError:
    """Return the refusal of maxT by tests without resamples that all comparisons share."""
    return InputError(
        f"maxt needs one test whose resamples all comparisons share; {' and '.join(tests)} "
        f"{'does not have them' if len(tests) == 1 else 'do not share theirs'}",
        hint=("use ", Setting("test", "ar"), " or bootstrap, or ", Setting("adjust", "holm")),
    )


def one_run_notes(trial: Trial, crossed: Collection[Pair]) -> list[Note]:
    """Say which systems have one run while others have several, and whether anything is claimed of new ones."""
    systems = trial.experiment.corpus.systems
    if max(len(system.runs) for system in systems) == 1:
        return []
    notes = []
    for pairs, meaning in (
        (set(crossed), "claims about new runs assume that its runs vary as much as those of the other system"),
        (set(trial.pairs).difference(crossed), "nothing is claimed about new runs"),
    ):
        places = sorted({s for pair in pairs for s in pair if len(systems[s].runs) == 1})
        if places:
            runs = "has one run" if len(places) == 1 else "have one run each"
            notes.append(Note("one-run", f"{listing([systems[s].name for s in places])} {runs}: {meaning}"))
    return notes


def tail_notes(experiment: Experiment, tests: Collection[str], adjustment: str, count: int) -> list[Note]:
    """Say so if the bootstrap's p-values of many comparisons over few units are held against levels far below alpha.

    The small-sample factor fits alpha; further out, Student's tail is longer than the factor makes that of resamples.
    """
    drawn = any(name in ("bootstrap", "stationary-bootstrap") for name in tests)
    if not drawn or adjustment in ("none", MAXT) or count <= _TAIL_COMPARISONS or experiment.freedom >= _TAIL_FREEDOM:
        return []
    text = (
        "The small-sample factor of the bootstrap fits one comparison: with so few units, adjusted p-values of "
        f"{count} comparisons are too small; maxT takes this into account"
    )
    return [Note("few-units", text)]


def few_notes(
    experiment: Experiment, scores: Sequence[SystemScore], resamples: int, alpha: float, *, p_values: bool
) -> list[Note]:
    """Say so if there are too few units, or resamples, for what is drawn: intervals of scores, or ``p_values``."""
    notes = []
    drawn = [one for one in scores if one.interval is not None and one.interval.method not in _SCORE_TESTS]
    if drawn or p_values:
        few = (experiment.few_units_note(p_values=p_values), few_resamples_note(resamples, alpha))
        notes += [note for note in few if note is not None]
    constant = list(dict.fromkeys(one.name for one in scores if one.interval is None))
    if constant:
        text = f"Scores of {some(constant, _NAMED)} do not vary: intervals take a known range, as scores:range=0..1"
        notes.append(Note("no-interval", text))
    return notes


def correlation_notes(
    experiment: Experiment, pairs: Sequence[tuple[int, int]] = (), *, scores: bool = True
) -> list[Note]:
    """Say of which scores, and gains of pairs, the correlation within units is assumed, since few of them vary."""
    systems = experiment.corpus.systems
    assumed: dict[str, None] = {}
    for m in range(len(experiment.statistics.blocks) if not experiment.own_lengths else 0):
        for s, system in enumerate(systems if scores else ()):
            share = experiment.score_of_items(m, s)
            if isinstance(share, Share) and share.worth.assumed:
                assumed[system.name] = None
        for old, new in pairs:
            shares = experiment.gain_of_items(m, old, new)
            if isinstance(shares, PairedShares) and shares.worth.assumed:
                assumed[f"{systems[new].name} − {systems[old].name}"] = None
    if not assumed:
        return []
    noun = experiment.unit_noun
    text = (
        f"Fewer than {FEW} {noun}s vary ({some([*assumed], _NAMED)}): items of a {noun} are taken to be correlated by "
        f"{CORRELATION:g}"
    )
    return [Note("correlation", text)]


def intervals_signature(scores: Sequence[SystemScore], asked: str) -> str:
    """Name the kinds of intervals that scores have; what was asked for if they have none."""
    kinds = dict.fromkeys(one.interval.method for one in scores if one.interval is not None)
    return f"ci:{'+'.join(kinds) or asked}"


def units_signature(units: Units) -> str:
    """Name what was drawn as a whole, within what, and how long blocks were."""
    within = "" if len(units.strata) == 1 else "|strata:domain"
    length = "" if units.mean_length is None else f"|length:{units.mean_length:g}"
    return f"unit:{units.kind}{within}{length}"


def shared_segments(corpora: Sequence[Corpus], so: str) -> list[Note]:
    """Warn of test sets that have segments in common, and say what follows: ``so``.

    Segments are the same if the first run of every system has the same output, and has it nowhere else in its set.
    Systems must be in the same order on all sets.
    """
    said = []
    found = [_outputs_of_segments(one) for one in corpora]
    for (one, mine), (other, theirs) in combinations(zip(corpora, found, strict=True), 2):
        shared, size = len(mine & theirs), min(one.segments, other.segments)
        if shared >= max(2.0, _SHARED * size):
            text = f"{one.name} and {other.name} have {shared:,} segments in common, by their outputs: {so}"
            said.append(Note("same-outputs", text, warning=True))
    return said


def _outputs_of_segments(corpus: Corpus) -> set[tuple[str, ...]]:
    """Return the outputs of each segment that can be known by them; none if there are scores alone."""
    texts = [outputs for system in corpus.systems if (outputs := system.runs[0].outputs) is not None]
    if not texts or len(texts) < len(corpus.systems):
        return set()
    counts = Counter(zip(*texts, strict=True))
    return {one for one, count in counts.items() if count == 1 and max(map(len, one)) >= _LONG}


def caveats_of(experiment: Experiment, frame: Comparison, finding: TestOutcome) -> tuple[Caveat, ...]:
    """Return the caveats of a comparison by a test."""
    from truegain.procedures.base import neighbour_caveats

    found = []
    if (size := size_off_level(finding.test)) is not None:
        found.append(Caveat("size", f"this test rejects {100 * size:.0f} % of true nulls at 0.05"))
    found.extend(finding.caveats)
    ratio = 0.0 if frame.design_effect is None else frame.design_effect**0.5
    if finding.unit in ("segment", "block") and ratio >= _MATTERS:
        text = f"with documents as units the standard error is {ratio:.2g} times as large, so this p-value is too small"
        many = "with documents as units the standard errors are larger, so these p-values are too small"
        found.append(Caveat("dependence", text, summary=many))
    return (*found, *neighbour_caveats(experiment, (frame.metric, frame.baseline, frame.system), finding.unit))


def harmful_caveats(trial: Trial, key: Key, one: Comparison) -> tuple[Caveat, ...]:
    """Return the caveats without dependence that cannot change the verdict.

    The gain stays beyond that of the null hypothesis though its interval is widened: by the ratio of standard errors
    that documents show, or that the correlation of neighbouring segments does not exclude, less what blocks have
    widened it by, and, if p-values are adjusted, for twenty comparisons.
    """
    if not any(caveat.kind == "dependence" for caveat in one.caveats):
        return one.caveats
    m, pair = key
    experiment, systems = trial.experiment, tuple(pair)
    if trial.apart:
        experiment, systems = trial.alone(pair).experiment, (0, 1)
    dependence = experiment.dependence.get((one.metric, one.baseline, one.system))
    ratio = 1.0 if dependence is None else dependence.largest_ratio
    if one.unit == "block":
        ratio /= max(experiment.block_ratio(m, *systems), 1.0)
    if one.design_effect is not None:
        ratio = max(ratio, one.design_effect**0.5)
    beyond = one.delta - trial.null_gain
    reach = one.delta - one.interval.low if beyond > 0.0 else one.interval.high - one.delta
    if one.adjust != "none":
        ratio *= normal_quantile(1.0 - trial.alpha / 2.0 / _COMPARISONS) / normal_quantile(1.0 - trial.alpha / 2.0)
    harmless = abs(beyond) > ratio * reach
    return tuple(caveat for caveat in one.caveats if caveat.kind != "dependence" or not harmless)


def has_interval(one: Comparison) -> bool:
    """Return whether the interval is made as p is: from the test itself, or from the same resamples."""
    made = {"test": True, "t": one.test != "run-permutation"}
    return made.get(one.interval.method, one.test in _DRAWN)


def interval_notes(primary: Sequence[Comparison], units: str, *, strata: int = 1) -> list[Note]:
    """Say whose the intervals of gains are if they are not those of the tests, and if swaps make them too wide.

    Parameters
    ----------
    primary : sequence of Comparison
        By the tests that decide.
    units : str
        What the bootstrap draws, with their number.
    strata : int
        The number of domains or test sets that units are drawn within.
    """
    sources: dict[str, list[str]] = {}
    for one in primary:
        if not has_interval(one):
            drawn = f"those of the paired bootstrap over {units}"
            fixed = ", with these runs held fixed" if one.unit == "run" else ""
            source = "from a t-test of run scores" if one.interval.method == "t" else f"{drawn}{fixed}"
            sources.setdefault(source, []).append(one.test)
    notes = [
        Note("intervals", f"Intervals of Δ are {source}, not of {listing(list(dict.fromkeys(tests)))}; p may disagree")
        for source, tests in sources.items()
    ]
    if strata > 1 and any(one.interval.method == "test" and one.test in ("ar", "exact") for one in primary):
        text = "Swaps ignore domains: intervals of Δ are too wide if domains differ in their gains"
        notes.append(Note("wide-intervals", text))
    return notes


def units_to_show(one: Comparison, units: int, alpha: float, null_gain: float = 0.0) -> int | None:
    """Return about how many units would show the gain that was measured; None if that cannot be said, or is too many.

    n′ = n ((z_{1−α/2} + z_{0.8}) SE / |Δ − Δ₀|)², with z_{1−α} if the test is one-sided, rounded to two digits. Units
    do not help against the variance of runs and raters, nor if the gain lies on the side that is not tested.
    """
    beyond = one.delta - null_gain
    towards = {"greater": beyond > 0.0, "less": beyond < 0.0}.get(one.alternative, beyond != 0.0)
    if one.standard_error is None or not towards or one.claim.new_runs or one.claim.raters or one.claim.unit is None:
        return None
    tail = alpha / 2.0 if one.alternative == "two-sided" else alpha
    reach = normal_quantile(1.0 - tail) + normal_quantile(_POWER)
    needed = units * (reach * one.standard_error / beyond) ** 2
    if not units < needed <= _AT_MOST * units:
        return None
    return int(float(f"{needed:.2g}"))
