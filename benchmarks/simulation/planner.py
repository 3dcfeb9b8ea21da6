"""Plan of a document: its people, places and things, and the clauses made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.simulation import vocabulary
from benchmarks.simulation.phrases import Choice, Draws, Node, fill, noun_node, parse, verb_node

_PLANNED_CHOICE = re.compile("<([^<>]*)>")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase; verbs agree with it in number."""

    node: Node
    plural: bool

    @property
    def was(self) -> str:
        """Return the past of *to be* that goes with the phrase."""
        return "were" if self.plural else "was"

    @property
    def pronoun(self) -> str:
        """Return the pronoun that stands for a thing of this number, as an object."""
        return "them" if self.plural else "it"


@dataclass(frozen=True, slots=True)
class Clause:
    """Clause: who did what to which thing, ready for the tense and voice that a sentence asks for."""

    subject: Phrase
    verb: str
    thing: Phrase
    adverb: Node = ""

    @property
    def past(self) -> Node:
        """Return the active past: *the council rejected the plan*."""
        return (self.subject.node, self.predicate)

    @property
    def predicate(self) -> Node:
        """Return the past without its subject: *rejected the plan*."""
        return (self.adverb, verb_node(self.verb, "past"), self.thing.node)

    @property
    def passive(self) -> Node:
        """Return the passive past: *the plan was rejected by the council*."""
        rejected = verb_node(self.verb, "participle")
        return (self.thing.node, self.thing.was, self.adverb, rejected, "by", self.subject.node)

    @property
    def past_perfect(self) -> Node:
        """Return the past perfect: *the council had rejected the plan*."""
        return (self.subject.node, "had", self.adverb, verb_node(self.verb, "participle"), self.thing.node)

    def future(self, auxiliary: str) -> Node:
        """Return the future with *will* or *would*; adverbs of the past do not go with it."""
        return (self.subject.node, auxiliary, verb_node(self.verb, "base"), self.thing.node)


@dataclass(slots=True)
class Person:
    """Someone a document speaks of: in full at first, by surname or office afterwards."""

    first_name: str
    surname: str
    role: Node
    office: str
    introduced: bool = False

    @property
    def full_name(self) -> str:
        """Return first name and surname."""
        return f"{self.first_name} {self.surname}"


class DocumentPlanner:
    """Planner of the clauses of one document: one topic, a few recurring people, places and things.

    Parameters
    ----------
    topic : Topic
        What the document is about.
    draws : Draws
        The stream that decides what is said.
    """

    def __init__(self, topic: vocabulary.Topic, draws: Draws) -> None:
        self.topic = topic
        self.draws = draws
        cities = list(vocabulary.CITIES)
        self.names: dict[str, Node] = {
            "city": cities.pop(draws.between(0, len(cities) - 1)),
            "other": draws.pick(cities),
            "org": draws.pick(topic.organisations),
            "region": parse(draws.pick(vocabulary.REGIONS)),
        }
        keys = list(topic.things)
        self._focus = {draws.pick(keys) for _ in range(4)}
        self._complements = {key: self.say(draws.pick(thing.complements)) for key, thing in topic.things.items()}
        self._plurals: dict[str, bool] = {}
        self._used: set[str] = set()
        self._taken: set[str] = set()
        roles, surnames = list(topic.roles), list(vocabulary.SURNAMES)
        self._people = [self._invent_person(roles, surnames) for _ in range(2)]

    def begin_sentence(self) -> None:
        """Forget which subjects, verbs and things the previous sentence used."""
        self._taken.clear()

    def say(self, template: str) -> Node:
        """Read a template, settle what it says, and fill its slots with the names of the document and a date."""
        if "<" in template:
            template = _PLANNED_CHOICE.sub(lambda found: self.draws.pick(found[1].split("|")), template)
        node = parse(template)
        if "{" not in template:
            return node
        date: dict[str, Node] = {
            "weekday": self.draws.pick(vocabulary.WEEKDAYS),
            "month": self.draws.pick(vocabulary.MONTHS),
            "later_month": self.draws.pick(vocabulary.MONTHS[2:]),
            "day": str(self.draws.between(1, 28)),
            "year": str(self.draws.between(2009, 2024)),
        }
        return fill(node, self.names | date)

    def chosen(self, templates: Sequence[str]) -> Node:
        """Say one of several templates."""
        return self.say(self.draws.pick(templates))

    def any_unused(self, templates: Sequence[str]) -> bool:
        """Return whether the document has one of the templates left."""
        return not self._used.issuperset(templates)

    def unused(self, templates: Sequence[str]) -> str:
        """Choose a template that the document has not used before, as long as there is one."""
        template = self.draws.pick([one for one in templates if one not in self._used] or templates)
        self._used.add(template)
        return template

    def not_taken(self, options: Sequence[str]) -> str:
        """Choose something that the sentence does not speak of yet, as long as there is one."""
        option = self.draws.pick([one for one in options if one not in self._taken] or options)
        self._taken.add(option)
        return option

    def _invent_person(self, roles: list[tuple[str, str]], surnames: list[str]) -> Person:
        """Make up a person; the role and the surname are used up, so that people can be distinguished."""
        names = self.draws.pick((vocabulary.FEMALE_NAMES, vocabulary.MALE_NAMES))
        surname = surnames.pop(self.draws.between(0, len(surnames) - 1))
        role, office = roles.pop(self.draws.between(0, len(roles) - 1))
        return Person(self.draws.pick(names), surname, self.say(role), office)

    def choose_person(self) -> Person:
        """Choose one of the people, rather one that the sentence does not mention yet."""
        surname = self.not_taken([person.surname for person in self._people])
        return next(person for person in self._people if person.surname == surname)

    def person(self) -> Phrase:
        """Mention one of the people: in full the first time, briefly afterwards."""
        person = self.choose_person()
        if person.introduced:
            brief = (person.surname, f"the {person.office}", person.surname, person.full_name)
            return Phrase(self.draws.pick(brief), plural=False)
        person.introduced = True
        title: Node = ("the", person.role)
        name = person.full_name
        return Phrase(Choice(((name, ",", title, ","), (title, ",", name, ","))), plural=False)

    def subject(self, template: str) -> Phrase:
        """Read a subject; a leading ``*`` marks a plural."""
        return Phrase(self.say(template.removeprefix("*")), plural=template.startswith("*"))

    def decider(self) -> Phrase:
        """Mention someone who takes decisions."""
        organisation = "{org}"
        return self.subject(self.not_taken((*self.topic.deciders, organisation)))

    def critic(self) -> Phrase:
        """Mention someone who comments on decisions."""
        return self.subject(self.not_taken(self.topic.critics))

    def quoted(self) -> Phrase:
        """Mention someone whose own words can be given: one person, who can say *I*."""
        return self.person() if self.draws.chance(0.8) else self.subject("a [spokesperson for|representative of] {org}")

    def source(self) -> Phrase:
        """Mention someone who knows about things."""
        share = self.draws.uniform()
        if share < 0.75:
            return self.quoted()
        return self.subject(self.not_taken(vocabulary.SPEAKERS)) if share < 0.9 else self.critic()

    def thing(self, key: str) -> Phrase:
        """Mention a thing: described at length the first time, briefly afterwards."""
        thing = self.topic.things[key]
        chance, pick = self.draws.chance, self.draws.pick
        always_plural = thing.noun[0] == "*"
        known = key in self._plurals
        if not known:
            self._plurals[key] = always_plural or (thing.noun[0] == "+" and chance(0.25))
        plural = self._plurals[key]
        article: Node
        if known:
            article = Choice(("the", "these" if plural else "this")) if chance(0.3) else "the"
        elif always_plural:
            article = "the"
        elif plural:
            article = pick(("the", parse("several|a number of"), "two", ""))
        else:
            article = pick(("the", "the", "a"))
        adjective = parse(pick(thing.adjectives)) if chance(0.15 if known else 0.55) else ""
        complement = self._complements[key] if chance(0.2 if known else 0.85) else ""
        noun = noun_node(thing.noun.lstrip("*+"), plural and not always_plural)
        return Phrase((article, adjective, noun, complement), plural)

    def action(self, actions: Sequence[tuple[str, str]]) -> tuple[str, Phrase]:
        """Choose a verb and a thing it goes with, rather one that the document is about."""
        verb = self.not_taken([verb for verb, _ in actions])
        keys = next(keys for one, keys in actions if one == verb).split()
        focus = [key for key in keys if key in self._focus and key not in self._taken]
        return verb, self.thing(self.not_taken(focus or keys))

    def decision(self, *, positive: bool | None = None) -> tuple[Clause, Node]:
        """Plan a decision for something, or against it, and the purpose or reason of it."""
        topic = self.topic
        if positive is None:
            positive = self.draws.chance(0.55)
        subject = self.decider()
        adverb = parse(self.draws.pick(vocabulary.DECISION_ADVERBS)) if self.draws.chance(0.2) else ""
        verb, thing = self.action(topic.decisions_for if positive else topic.decisions_against)
        clause = Clause(subject, verb, thing, adverb)
        if positive:
            return clause, (parse("in order to|in [an attempt|an effort] to|to"), self.chosen(topic.purposes))
        return clause, (parse("because of|due to|owing to"), self.chosen(topic.reasons))

    def comment(self) -> Clause:
        """Plan a comment on something."""
        subject = self.person() if self.draws.chance(0.35) else self.critic()
        adverb = parse(self.draws.pick(vocabulary.COMMENT_ADVERBS)) if self.draws.chance(0.25) else ""
        return Clause(subject, *self.action(self.topic.comments), adverb)

    def clause(self) -> Clause:
        """Plan a decision or a comment."""
        return self.decision()[0] if self.draws.chance(0.6) else self.comment()

    def any_order(self, *orders: Node) -> Choice:
        """Offer several orders of a sentence, any of which may be the most usual one."""
        first = self.draws.between(0, len(orders) - 1)
        return Choice((orders[first], *orders[:first], *orders[first + 1 :]))
