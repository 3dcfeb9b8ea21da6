"""Units of resampling: chosen by the user, or by what is known of the corpus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from truegain.corpus import Corpus
from truegain.errors import FILE, NAME, InputError, Setting, one_of
from truegain.notes import Note
from truegain.readers.column_names import CLUSTER_NAMES, column_key
from truegain.resampling.units import Units
from truegain.settings import StrataChoice, UnitChoice
from truegain.words import listing

#: What can be resampled as a whole.
UNITS: tuple[UnitChoice, ...] = get_args(UnitChoice)
#: Within what units are drawn.
STRATA: tuple[StrataChoice, ...] = get_args(StrataChoice)


def choose_units(corpus: Corpus, unit: UnitChoice, strata: StrataChoice) -> tuple[Units, list[Note]]:
    """Return the units, within strata if there are any, and what should be said of them.

    Of blocks the segments alone: how long the blocks are depends on the scores.
    """
    units, notes = _whole(corpus, unit)
    if unit == "block":
        if strata == "domain":
            raise InputError(
                "blocks cannot be drawn within domains",
                hint=("leave out ", Setting("strata"), ", or take another ", Setting("unit")),
            )
        return units, notes
    if unit == "auto" and corpus.documents is None:
        notes += _cluster_notes(corpus)
    units, remarks = _stratified(corpus, units, strata)
    return units, notes + remarks


def _cluster_notes(corpus: Corpus) -> list[Note]:
    """Name the columns that by their names say which segments belong together, if their values repeat."""
    columns: dict[str, Iterable[object]] = {**corpus.systems[0].runs[0].scores, **corpus.labels}
    names = [
        name
        for name, values in columns.items()
        if column_key(name) in CLUSTER_NAMES and 1 < len(set(values)) < corpus.segments
    ]
    if not names:
        return []
    repeated, noun = listing([repr(name) for name in names]), f"{corpus.item_noun.capitalize()}s"
    text = (
        f"{noun} share values of {repeated} but are resampled one by one; if those with one value belong together, "
        f"name the column of documents (option docs-column: {names[0]})"
    )
    return [Note("cluster-column", text)]


def _whole(corpus: Corpus, unit: UnitChoice) -> tuple[Units, list[Note]]:
    if unit not in UNITS:
        raise one_of("unit", unit, list(UNITS))
    if unit in ("segment", "block") or (unit == "auto" and corpus.documents is None):
        return Units.segments(corpus.segments), []
    if unit in ("domain", "testset"):
        return _whole_domains(corpus, unit), []
    if corpus.documents is None:
        raise InputError(
            (Setting("unit", "document"), " needs document IDs"), hint=("give them: ", Setting("documents", FILE))
        )
    documents = Units.documents(corpus.documents)
    if documents.count == corpus.segments > 1:
        text = "Every document is one segment, so documents and segments are the same unit here"
        return documents, [Note("unit-choice", text)]
    if documents.count >= 2:
        return documents, []
    if unit == "document":
        raise InputError(
            (Setting("unit", "document"), " needs two documents or more; all segments are in one"),
            hint=("resample segments: ", Setting("unit", "segment")),
        )
    text = "All segments are in one document, so segments are the unit"
    return Units.segments(corpus.segments), [Note("unit-choice", text)]


def _whole_domains(corpus: Corpus, unit: Literal["domain", "testset"]) -> Units:
    noun = "domains" if unit == "domain" else "test sets"
    if corpus.domains is None:
        raise InputError(
            (Setting("unit", unit), f" needs the {noun} of segments"),
            hint=("name the column that holds them: ", Setting("domain_column", NAME)),
        )
    units = Units.groups(unit, corpus.domains)
    if units.count < 2:
        raise InputError(
            (Setting("unit", unit), f" needs two {noun} or more; all segments are in one"),
            hint=("resample segments: ", Setting("unit", "segment")),
        )
    return units


def _stratified(corpus: Corpus, units: Units, strata: StrataChoice) -> tuple[Units, list[Note]]:
    """Return units within domains, if these are known and are not the units themselves."""
    if strata not in STRATA:
        raise one_of("strata", strata, list(STRATA))
    if strata == "none" or (strata == "auto" and (corpus.domains is None or units.kind in ("domain", "testset"))):
        return units, []
    if corpus.domains is None:
        raise InputError(
            "units cannot be drawn within domains: it is not known which there are",
            hint=("name the column that holds them: ", Setting("domain_column", NAME)),
        )
    if units.kind in ("domain", "testset"):
        raise InputError(
            "domains cannot be drawn within domains",
            hint=("leave out ", Setting("strata"), ", or take another ", Setting("unit")),
        )
    try:
        found = units.stratified(corpus.domains)
    except InputError as error:
        if strata == "domain":
            raise
        return units, [Note("strata", f"Units were not drawn within domains: {error.message}")]
    if len(found.strata) == 1:
        return units, []
    text = f"Bootstrap resamples draw {found.noun}s within each of the {len(found.strata)} domains"
    alone = sum(size == 1 for size in found.strata)
    if alone:
        said = f"{alone} of them hold" if alone > 1 else "one of them holds"
        text += f"; {said} a single {found.noun}, which cannot vary, so intervals are too narrow"
    return found, [Note("strata", text)]


def strata_taken(units: Units) -> int:
    """Count the degrees of freedom that the strata take, one each; if every unit is its own stratum, one is left."""
    return min(len(units.strata), units.count - 1)
