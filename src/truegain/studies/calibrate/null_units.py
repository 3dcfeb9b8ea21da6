"""Units that nulls swap as a whole, and what such nulls cannot show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from truegain.corpus import Corpus
from truegain.errors import FILE, InputError, Setting
from truegain.experiment import Experiment
from truegain.experiment.dependence import dependence_of
from truegain.inference.dependence import block_length
from truegain.notes import Note
from truegain.resampling.units import Units
from truegain.settings.calibrate import NullUnitChoice
from truegain.studies.calibrate.result import keeps_level

_ENOUGH_BLOCKS = 25


@dataclass(frozen=True)
class NullUnits:
    """Units that are swapped as a whole.

    Attributes
    ----------
    kind : "segment", "document", "block", "domain" or "testset"
    units : Units
    block_length : int, optional
        The number of neighbouring segments of a block.
    notes : tuple of Note
        Why these units, and what nulls made of them cannot show.
    """

    kind: Literal["segment", "document", "block", "domain", "testset"]
    units: Units
    block_length: int | None = None
    notes: tuple[Note, ...] = ()

    @property
    def noun(self) -> str:
        """Noun for one unit in a sentence."""
        return "block" if self.block_length is not None else self.units.noun

    @property
    def signature(self) -> str:
        """The unit, and how long blocks are."""
        return f"null-unit:{self.kind}" + ("" if self.block_length is None else f"|null-length:{self.block_length}")


def choose_null_units(experiment: Experiment, choice: NullUnitChoice, tests: Sequence[str]) -> NullUnits:
    """Take the largest unit that is known, or suspected from the correlation of neighbours.

    Nulls of a smaller unit than the data's own show a level that tests do not keep on the data.

    Parameters
    ----------
    experiment : Experiment
        Two systems; its units are those of the tests.
    choice : "auto", "segment", "document" or "block"
    tests : sequence of str
        What is to be calibrated: of some it must be said that they keep their level by construction.
    """
    found = _chosen(experiment, choice)
    exact = [name for name in tests if keeps_level(name, experiment.units.kind, found.kind)]
    if exact:
        keep = (
            "keep their level on these nulls by construction: they swap"
            if len(exact) > 1
            else ("keeps its level on these nulls by construction: it swaps")
        )
        text = f"{' and '.join(exact)} {keep} {found.noun}s as the nulls do"
        found = replace(found, notes=(*found.notes, Note("by-construction", text)))
    return found


def _chosen(experiment: Experiment, choice: NullUnitChoice) -> NullUnits:
    if choice == "segment":
        return _segments(experiment, "as asked: dependence between segments is not covered")
    if choice == "block":
        return _blocks(experiment, "as asked")
    documents = _documents(experiment.corpus)
    if choice == "document" and documents is None:
        raise InputError(
            'null unit "document" needs document IDs, and more than one document',
            hint=("give them: ", Setting("documents", FILE)),
        )
    if choice == "auto" and experiment.units.kind in ("domain", "testset"):
        units = experiment.units
        return NullUnits(units.kind, units, notes=(_not_covered(units.noun),))
    if documents is not None:
        return NullUnits("document", documents, notes=(_not_covered("document"),))
    return _suspected(experiment)


def _documents(corpus: Corpus) -> Units | None:
    """Return the documents, if they are known and group anything."""
    if corpus.documents is None:
        return None
    documents = Units.documents(corpus.documents)
    return documents if 1 < documents.count < corpus.segments else None


def _suspected(experiment: Experiment) -> NullUnits:
    """Take blocks if neighbouring segments are correlated, else segments."""
    segments = experiment if experiment.units.kind == "segment" else experiment.on_segments
    segments = replace(segments, corpus=replace(experiment.corpus, documents=None))
    tests = dependence_of(segments, [(0, 1)], seed=experiment.seed).values()
    if not tests:
        return _segments(experiment, "and there is too little data to look for dependence between them")
    strongest = min(tests, key=lambda one: one.p)
    if not strongest.found:
        return _segments(
            experiment,
            f"for neighbours show no correlation (p = {strongest.p:.2g}) in the order of the files, which is taken to "
            "be the text's. Dependence that this order does not show is not covered",
        )
    return _blocks(experiment, f"for neighbouring segments are correlated (p = {strongest.p:.2g})")


def _segments(experiment: Experiment, why: str) -> NullUnits:
    note = Note("nulls", f"Nulls swap segments one by one, {why}")
    return NullUnits("segment", Units.segments(experiment.corpus.segments), notes=(note,))


def _blocks(experiment: Experiment, why: str) -> NullUnits:
    """Cut the segments in the order of the files, domain by domain, into blocks of one length."""
    corpus = experiment.corpus
    # Swaps of such blocks keep what Bartlett weights over as many lags do.
    length = block_length(corpus.segments)
    places: dict[str, int] = {}
    ids = []
    for domain in corpus.domains or [""] * corpus.segments:
        place = places.get(domain, 0)
        places[domain] = place + 1
        ids.append(f"{domain}\t{place // length}")
    units = Units.groups("document", ids)  # of the kinds of groups the one that is most like it
    text = (
        f"Nulls swap blocks of {length} neighbouring segments, {why}. The order of the files is taken to be the "
        "text's; dependence over longer distances is not covered. Documents would say what belongs together"
    )
    notes = [Note("nulls", text)]
    if units.count < _ENOUGH_BLOCKS:
        notes.append(Note("few-blocks", f"With only {units.count} blocks the rates are rough"))
    return NullUnits("block", units, length, tuple(notes))


def _not_covered(noun: str) -> Note:
    return Note("nulls", f"Nulls swap whole {noun}s: dependence between {noun}s is not covered")
