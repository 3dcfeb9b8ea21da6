"""The kinds of sentences, each a way to put the clauses of a document together."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import accumulate

from benchmarks.simulation import vocabulary
from benchmarks.simulation.phrases import Choice, Node, parse, verb_node
from benchmarks.simulation.planner import Clause, DocumentPlanner, Phrase

# Things with a price, so that a sentence may say what they cost.
_COSTLY = frozenset({
    "academy", "barrier", "bridge", "campaign", "exhibition", "factory", "festival", "laboratory", "production",
    "project", "reform", "reservoir", "satellite", "stadium", "station", "telescope", "ward",
})  # fmt: skip


def plan_sentence(plan: DocumentPlanner, *, opening: bool) -> Node:
    """Plan the next sentence of a document; the opening one may be a headline."""
    plan.begin_sentence()
    if opening and plan.draws.chance(0.35):
        return plan.say(plan.unused(plan.topic.headlines))
    kinds, limits = _kinds()
    share = plan.draws.uniform() * limits[-1]
    build = next(kind for kind, limit in zip(kinds, limits, strict=True) if share < limit)
    return build(plan)


def _event(plan: DocumentPlanner) -> Node:
    time = plan.chosen(vocabulary.TIMES)
    clause, why = (plan.comment(), None) if plan.draws.chance(0.3) else plan.decision()
    if why is None or plan.draws.chance(0.25):
        orders: tuple[Node, ...] = ((clause.past, time), (time, ",", clause.past), (clause.passive, time))
    else:
        orders = (
            (clause.past, time, why),
            (time, ",", clause.past, why),
            (clause.passive, time, why),
            (why, ",", clause.past, time),
        )
    return _attributed(plan, plan.any_order(*orders))


def _happening(plan: DocumentPlanner) -> Node:
    if not plan.any_unused([who for who, _, _ in plan.topic.happenings]):
        return _event(plan)
    subject = plan.unused([who for who, _, _ in plan.topic.happenings])
    what, effect = next((what, effect) for who, what, effect in plan.topic.happenings if who == subject)
    time = plan.chosen(vocabulary.TIMES)
    did: Node = (plan.subject(subject).node, plan.say(what))
    after: Node = (parse(", which|, and this"), plan.say(effect)) if plan.draws.chance(0.65) else ""
    return _attributed(plan, (plan.any_order((did, time), (time, ",", did)), after))


def _attributed(plan: DocumentPlanner, statement: Node) -> Node:
    """End a statement, now and then with its source."""
    if plan.draws.chance(0.75):
        return (statement, ".")
    source = plan.source().node
    said = parse("said|stated")
    return (
        plan.any_order(
            (statement, ", according to", source),
            ("according to", source, ",", statement),
            (statement, ",", source, said),
        ),
        ".",
    )


def _report(plan: DocumentPlanner) -> Node:
    speaker, said = plan.source().node, parse("said|stated|explained")
    told: Node
    plain: Node
    if plan.draws.chance(0.45):
        clause = plan.clause()
        told, plain = clause.past_perfect, clause.past
    else:
        clause, why = plan.decision()
        later: Node = (plan.chosen(vocabulary.LATER), why if plan.draws.chance(0.6) else "")
        told, plain = (clause.future("would"), later), (clause.future("will"), later)
    return (
        plan.any_order(
            (speaker, parse("said that|said|stated that|explained that"), told),
            (told, ",", speaker, said),
            ("according to", speaker, ",", plain),
        ),
        ".",
    )


def _long_report(plan: DocumentPlanner) -> Node:
    speaker, said = plan.source().node, parse("said|stated|pointed out")
    time, later = plan.chosen(vocabulary.TIMES), plan.chosen(vocabulary.LATER)
    first = plan.clause()
    second, why = plan.decision()
    link = parse("and that|but that") if plan.draws.chance(0.6) else parse(", while|, whereas")
    opening = plan.any_order((speaker, said, time), (time, ",", speaker, said))
    reason: Node = why if plan.draws.chance(0.5) else ""
    return (opening, "that", first.past_perfect, link, second.future("would"), later, reason, ".")


def _quotation(plan: DocumentPlanner) -> Node:
    pool = vocabulary.QUOTES if plan.draws.chance(0.5) else plan.topic.quotes
    quote = plan.say(plan.unused(pool))
    speaker, said = plan.quoted().node, parse("said|explained|added")
    after: Node = ("(", quote, ", )", speaker, said)
    inverted: Node = ("(", quote, ", )", said, speaker)
    if plan.draws.chance(0.4):
        more = plan.say(plan.unused((*vocabulary.QUOTES, *plan.topic.quotes)))
        return (plan.any_order(after, inverted), ". (", more, ". )")
    return plan.any_order((after, "."), (inverted, "."), (speaker, said, ": (", quote, ". )"))


def _percent(number: float) -> Node:
    text = f"{number:g}"
    return Choice(((text, "percent"), (text, "per cent"), text + "%"))


def _amount(kind: str, value: float) -> Node:
    """Write a sum of money (in millions) or a number of people or things."""
    if kind == "count":
        return f"{round(value):,}"
    number, unit = (f"{value:.1f}", "million") if value < 1000 else (f"{value / 1000:.1f}", "billion")
    return Choice(((number, unit, "euros"), f"€{number} {unit}"))


def _figures(plan: DocumentPlanner) -> Node:
    draws = plan.draws
    measures = plan.topic.measures
    template = plan.unused([measure for measure, _ in measures])
    kind = next(kind for measure, kind in measures if measure == template)
    measure = plan.subject(template).node
    period = plan.chosen(vocabulary.PERIODS)
    up = draws.chance(0.5)
    moved = parse("rose|increased|went up|grew" if up else "fell|dropped|declined|went down")
    noun = parse("a rise|an increase" if up else "a drop|a decline|a fall")
    earlier = parse("a year earlier|the year before|in the same period of the previous year")
    if kind == "rate":
        low = draws.between(32, 680) / 10
        high = round(low + draws.between(3, 79) / 10, 1)
        new, old = (high, low) if up else (low, high)
        risen: Node = (measure, moved, "to", _percent(new))
        past = parse(", compared with|from|, up from" if up else ", compared with|from|, down from")
        return (plan.any_order((risen, period), (period, ",", risen)), past, _percent(old), earlier, ".")
    share = draws.between(11, 189) / 10
    change = _percent(share)
    if kind == "change":
        there_was: Node = (period, ", there was", noun, "of", change, "in", measure)
        return _attributed(
            plan,
            plan.any_order(
                (measure, moved, parse("by|"), change, period), (period, ",", measure, moved, "by", change), there_was
            ),
        )
    # Logarithmic, so that small and large figures are equally common.
    value = 10 ** (2.3 + 2.6 * draws.uniform()) if kind == "count" else 10 ** (0.5 + 2.9 * draws.uniform())
    level = _amount(kind, value)
    before = value / (1 + (share if up else -share) / 100)
    compared: Node = (parse(", compared with|, against"), _amount(kind, before), earlier) if draws.chance(0.4) else ""
    rose: Node = (measure, moved, "by", change)
    return (
        plan.any_order(
            (rose, period, "to", level),
            (period, ",", rose, "to", level),
            (measure, "reached", level, period, ",", noun, "of", change),
        ),
        compared,
        ".",
    )


def _concession(plan: DocumentPlanner) -> Node:
    positive = plan.draws.chance(0.6)
    decision, why = plan.decision(positive=positive)
    attacked = parse("criticised|attacked|questioned" if positive else "praised|welcomed|defended")
    critic, thing, although = plan.critic().node, decision.thing, parse("although|even though")
    decided: Node = (decision.subject.node, decision.adverb, verb_node(decision.verb, "past"))
    reason: Node = why if plan.draws.chance(0.3) else ""
    decision_first: Node = (decided, thing.node, reason, ",", although, critic, "had", attacked, thing.pronoun)
    if " " in decision.verb:
        # "Called it off", never "called off it": with such a verb the decision comes first, with the thing in full.
        other: Node = (decided, thing.node, reason, ", but", critic, attacked, thing.pronoun)
    else:
        other = (although, critic, "had", attacked, thing.node, ",", decided, thing.pronoun, reason)
    return (plan.any_order(decision_first, other), ".")


def _sequence(plan: DocumentPlanner) -> Node:
    first = plan.clause()
    second, why = plan.decision() if plan.draws.chance(0.6) else (plan.comment(), "")
    time = plan.chosen(vocabulary.TIMES)
    if plan.draws.chance(0.5):
        link, before = parse("after|shortly after"), first.past_perfect
    else:
        link, before = parse("while|whereas"), first.past
    reason: Node = why if plan.draws.chance(0.4) else ""
    return (
        plan.any_order((second.past, time, reason, ",", link, before), (link, before, ",", second.past, time, reason)),
        ".",
    )


def _coordination(plan: DocumentPlanner) -> Node:
    first, reason = plan.decision()
    time = plan.chosen(vocabulary.TIMES)
    if plan.draws.chance(0.5):
        second, why = plan.decision()
        both: Node = (first.past, parse("and|and also"), second.predicate)
        return _attributed(plan, (plan.any_order((time, ",", both), (both, time)), why))
    comment = plan.comment()
    both = (first.past, reason, parse(", and|, while"), comment.past)
    return _attributed(plan, plan.any_order((time, ",", both), (both, time)))


def _biography(plan: DocumentPlanner) -> Node:
    person = plan.choose_person()
    name = person.surname if person.introduced else person.full_name
    title: Node = "" if person.introduced else ("as", person.role)
    person.introduced = True
    year = str(plan.draws.between(2009, 2023))
    clause = Clause(Phrase(name, plural=False), *plan.action(plan.topic.comments))
    appointed: Node = (", who", parse("took office|was appointed|took up the post"), title, "in", year, ",")
    time = plan.chosen(vocabulary.TIMES)
    return (
        plan.any_order((name, appointed, clause.predicate, time), (time, ",", name, appointed, clause.predicate)),
        ".",
    )


def _outlook(plan: DocumentPlanner) -> Node:
    decision, why = plan.decision()
    later: Node = (plan.chosen(vocabulary.LATER), why if plan.draws.chance(0.4) else "")
    share = plan.draws.uniform()
    if share < 0.4:
        lead = parse("it is [not yet clear|still unclear|not known] whether|nobody knows yet whether")
        return (lead, decision.future("will"), later, ".")
    expect: Node = (parse("analysts|observers|experts"), parse("expect|believe|think"), "that")
    doubt: Node = (parse(", although|, even if"), parse("there are still doubts|some doubts remain"))
    return (expect, decision.future("will"), later, doubt if share < 0.7 else "", ".")


def _background(plan: DocumentPlanner) -> Node:
    key = plan.not_taken(list(plan.topic.things))
    thing = plan.thing(key)
    if key in _COSTLY and plan.draws.chance(0.6):
        be = "are" if thing.plural else "is"
        cost = parse(f"{be} likely to cost|{be} expected to cost")
        sum_of_money = _amount("money", 10 ** (0.5 + 2.7 * plan.draws.uniform()))
        more: Node = (parse("twice as much as|double the amount"), parse("originally planned|first planned"))
        return (thing.node, cost, parse("about|around"), sum_of_money, ",", more, ".")
    has = "have" if thing.plural else "has"
    dispute = parse("caused [a dispute|an argument] between|been discussed for months by")
    return (thing.node, has, dispute, plan.decider().node, "and", plan.critic().node, ".")


def _survey(plan: DocumentPlanner) -> Node:
    _, thing = plan.action(plan.topic.comments)
    share = _percent(plan.draws.between(21, 79))
    people = f"{plan.draws.between(8, 40) * 100:,}"
    opinion = parse("support|are in favour of|back" if plan.draws.chance(0.5) else "oppose|are against|reject")
    found: Node = (share, "of those", parse("questioned|surveyed|interviewed"), opinion, thing.node)
    survey: Node = (parse("a survey|a poll"), "of", people, parse("people|adults"))
    return (plan.any_order((survey, parse("showed|found"), "that", found), ("in", survey, ",", found)), ".")


def _short(plan: DocumentPlanner) -> Node:
    template = plan.unused((*vocabulary.SHORTS, *plan.topic.shorts))
    return (plan.say(template), "" if template.endswith("?") else ".")


@cache
def _kinds() -> tuple[tuple[Callable[[DocumentPlanner], Node], ...], tuple[int, ...]]:
    """Return the kinds of sentences and the running sum of their weights."""
    weights = {
        _event: 21, _happening: 9, _report: 12, _long_report: 9, _quotation: 12, _figures: 10, _concession: 6,
        _sequence: 8, _coordination: 9, _biography: 3, _outlook: 6, _background: 4, _survey: 3, _short: 5,
    }  # fmt: skip
    return tuple(weights), tuple(accumulate(weights.values()))
