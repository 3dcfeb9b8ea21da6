"""A test set and the systems to compare on it, checked once and then trusted."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, excerpt, some
from truegain.given_texts import GivenTexts, check_names, check_references, repeated_set
from truegain.inputs import IN_MEMORY, FileRole, InputFile, Inputs
from truegain.notes import Note
from truegain.scratch import LinesOnDisk

if TYPE_CHECKING:
    from truegain.repeats import Repeats

Line = TypeVar("Line", bound=str | None)


@dataclass(frozen=True)
class Run:
    """One run of a system: its outputs, its segment scores from elsewhere, or both; the training sample, if known.

    Scores of items with several samples are their means; ``repeats`` has the samples, column by column. ``answers`` has
    the columns of the same rows that may be answers, texts among them: a number for each that is different. ``raters``
    has the number of the person who gave each rating, if that is known. ``label`` is what a table calls the run.
    """

    name: str
    outputs: Sequence[str] | None = None
    scores: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    scores_from: str = ""
    sample: str | None = None
    repeats: Mapping[str, Repeats] = field(default_factory=dict)
    answers: Mapping[str, Repeats] = field(default_factory=dict)
    raters: Repeats | None = None
    label: str | None = None

    def __len__(self) -> int:
        if self.outputs is not None:
            return len(self.outputs)
        return len(next(iter(self.scores.values()), ()))


@dataclass(frozen=True)
class System:
    """A system, with one or several runs (optimizer restarts, random seeds)."""

    name: str
    runs: tuple[Run, ...]

    @property
    def samples(self) -> tuple[str, ...]:
        """The names of the training samples of its runs, in order; none if they are not known."""
        return tuple(sorted({run.sample for run in self.runs if run.sample is not None}))

    @property
    def replicas(self) -> int:
        """The number of training samples if they are known, else of runs: what a claim about new ones rests on."""
        return len(self.samples) or len(self.runs)


def fixed(lines: Sequence[Line]) -> Sequence[Line]:
    """Return lines that nobody can change: those on disk as they are."""
    return cast("Sequence[Line]", lines) if isinstance(lines, LinesOnDisk) else tuple(lines)


def sample_numbers(systems: Sequence[System]) -> tuple[tuple[int, ...], ...]:
    """Return the training sample of each run of each system as a place among its samples; empty if none is known."""
    if not any(system.samples for system in systems):
        return ()
    return tuple(
        tuple(system.samples.index(run.sample) for run in system.runs if run.sample is not None) for system in systems
    )


def exchangeable(old: System, new: System) -> bool:
    """Return whether the runs of two systems can be exchanged in pairs: each pair counts the same in both."""
    sides = [[sum(other.sample == run.sample for other in one.runs) for run in one.runs] for one in (old, new)]
    return old.replicas == new.replicas and sides[0] == sides[1]


@dataclass(frozen=True)
class Corpus:
    """Everything a study needs to know about the data.

    Attributes
    ----------
    name : str
        What the test set is called.
    segments : int
    references : tuple of tuples
        One tuple of segments for each reference; none for segment scores alone.
    systems : tuple of System
    documents : tuple of str, optional
        The document of each segment.
    domains : tuple of str, optional
        The domain of each segment.
    notes : tuple of Note
        What a reader should know about the input: empty lines, runs with the same texts, odd line ends.
    reference_names : tuple of str
        The file of each reference, or what else to call it; by default "reference 1" and so on.
    structures : mapping of str to str
        What the references and runs hold that are not text, by name: "dependencies", "brackets" or "tags".
    inputs : Inputs
        What was read: files, rows, and how they were put together.
    labels : mapping of str to tuple of str
        Further columns of the input that segments may be grouped by; None if a segment has no value.
    sources : tuple of str, optional
        The source of each segment, for metrics that read it.
    ids : tuple of str, optional
        The id of each segment in the input, if it has any.
    """

    name: str
    segments: int
    references: tuple[Sequence[str | None], ...]
    systems: tuple[System, ...]
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    notes: tuple[Note, ...] = ()
    reference_names: tuple[str, ...] = ()
    structures: Mapping[str, str] = field(default_factory=dict)
    inputs: Inputs = field(default_factory=Inputs)
    labels: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    sources: Sequence[str] | None = None
    ids: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not self.reference_names:
            object.__setattr__(self, "reference_names", _titles(len(self.references)))

    @classmethod
    def build(
        cls,
        systems: Sequence[System],
        references: Sequence[Sequence[str | None]] = (),
        *,
        documents: Sequence[str] | None = None,
        domains: Sequence[str] | None = None,
        name: str = "test set",
        notes: Sequence[Note] = (),
        reference_names: Sequence[str] | None = None,
        structures: Mapping[str, str] | None = None,
        inputs: Inputs | None = None,
        labels: Mapping[str, Sequence[str | None]] | None = None,
        sources: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
    ) -> Corpus:
        """Check that everything fits together. Every run counts, also one that coincides with another.

        Without ``inputs`` everything was given in memory.

        Raises
        ------
        InputError
            If it does not fit.
        """
        if not systems:
            raise InputError("there is no system to score", hint="give at least one file of outputs")
        sides = tuple(fixed(reference) for reference in references)
        titles = list(reference_names or _titles(len(sides)))
        check_names([system.name for system in systems])
        for system in systems:
            if not system.runs:
                raise InputError(f"the system {system.name!r} has no runs")
        segments = _check_lengths(systems, sides, titles, structures or {})
        doubts = check_references(sides, titles)
        texts = GivenTexts([*zip(titles, sides, strict=True)], _outputs(systems))
        doubts += texts.doubts()
        for what, given in (("document ids", documents), ("domains", domains), ("sources", sources)):
            if given is not None and len(given) != segments:
                raise InputError(f"there are {len(given):,} {what} for {segments:,} segments")
        rated, of_ratings = _rated_segments(systems, segments)
        built = cls(
            name=name,
            segments=segments,
            references=sides,
            systems=tuple(systems),
            documents=_labels(documents),
            domains=_labels(domains),
            notes=(
                *notes,
                *of_ratings,
                *doubts,
                *_repeated_texts(systems),
                *_shared_runs(systems),
                *repeated_set([*sides, *_columns(systems)]),
                *texts.empty_segments(),
            ),
            reference_names=tuple(titles),
            structures=dict(structures or {}),
            inputs=inputs or _in_memory(systems, sides, documents, domains),
            labels={name: tuple(values) for name, values in (labels or {}).items()},
            sources=None if sources is None else fixed(sources),
            ids=None if ids is None else tuple(ids),
        )
        return built if len(rated) == segments else built.of_segments(rated)

    @property
    def knows_runs(self) -> bool:
        """Return whether outputs are known to be of runs: some system has several, or they have labels."""
        return any(len(system.runs) > 1 or system.runs[0].label is not None for system in self.systems)

    @property
    def raters(self) -> int | None:
        """The number of people who gave ratings; None if it is not known who gave each."""
        runs = [run for system in self.systems for run in system.runs]
        known = [run.raters.values for run in runs if run.raters is not None]
        return int(np.unique(np.concatenate(known)).size) if known and len(known) == len(runs) else None

    @property
    def rater_noun(self) -> str:
        """The noun for those who gave the ratings: "rater", or the one that their column is named after."""
        return next((run.raters.noun for one in self.systems for run in one.runs if run.raters is not None), "rater")

    @property
    def item_noun(self) -> str:
        """What a row of the test set is called: a segment of text, or, of scores alone, as the column of ids is."""
        if self.references or any(run.outputs is not None for system in self.systems for run in system.runs):
            return "segment"
        columns = {file.id_column for file in self.inputs.files if file.role == "scores" and file.id_column}
        name = columns.pop().lower().removesuffix("_id").removesuffix("id").strip(" _-") if len(columns) == 1 else ""
        return name if name in _ITEMS else "item"

    @property
    def samples_of_items(self) -> int:
        """The largest number of samples of an item, which are averaged; 1 if every item has one score."""
        return max((file.samples[1] for file in self.inputs.files), default=1)

    def of_segments(self, rows: Sequence[int]) -> Corpus:
        """Return the corpus of some segments alone, by number from 0, with the same systems and runs."""

        def chosen(run: Run) -> Run:
            outputs = None if run.outputs is None else tuple(run.outputs[i] for i in rows)
            scores = {key: values[list(rows)] for key, values in run.scores.items()}
            repeats = {key: samples.of_items(rows) for key, samples in run.repeats.items()}
            answers = {key: samples.of_items(rows) for key, samples in run.answers.items()}
            raters = None if run.raters is None else run.raters.of_items(rows)
            return replace(run, outputs=outputs, scores=scores, repeats=repeats, answers=answers, raters=raters)

        documents, domains, sources, ids = (
            None if own is None else tuple(own[i] for i in rows)
            for own in (self.documents, self.domains, self.sources, self.ids)
        )
        return replace(
            self,
            segments=len(rows),
            references=tuple(tuple(side[i] for i in rows) for side in self.references),
            systems=tuple(replace(one, runs=tuple(map(chosen, one.runs))) for one in self.systems),
            documents=documents,
            domains=domains,
            labels={name: tuple(values[i] for i in rows) for name, values in self.labels.items()},
            sources=sources,
            ids=ids,
        )

    def system(self, name: str) -> System:
        """Return the system of that name."""
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(name)


def _labels(given: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return names of documents or domains; white space around them is no part of them, wherever they come from."""
    return None if given is None else tuple(str(one).strip() for one in given)


def _in_memory(
    systems: Sequence[System],
    references: Sequence[Sequence[str | None]],
    documents: Sequence[str] | None,
    domains: Sequence[str] | None,
) -> Inputs:
    roles: tuple[FileRole, FileRole] = ("scores", "outputs")
    files = [InputFile(IN_MEMORY, "reference", len(side)) for side in references]
    files += [
        InputFile(IN_MEMORY, roles[run.outputs is not None], len(run), system.name)
        for system in systems
        for run in system.runs
    ]
    return Inputs(
        tuple(files), documents=None if documents is None else IN_MEMORY, domains=None if domains is None else IN_MEMORY
    )


def _titles(references: int) -> tuple[str, ...]:
    return tuple(f"reference {i + 1}" for i in range(references))


def _outputs(systems: Sequence[System]) -> list[tuple[str, Sequence[str]]]:
    return [(run.name, run.outputs) for system in systems for run in system.runs if run.outputs is not None]


def _columns(systems: Sequence[System]) -> list[Sequence[object] | NDArray[np.float64]]:
    """Return all that systems have of segments: texts, or scores."""
    runs = [run for system in systems for run in system.runs]
    texts = [run.outputs for run in runs if run.outputs is not None]
    return [*texts, *(values for run in runs if run.outputs is None for values in run.scores.values())]


#: Nouns for items that columns of ids are named after.
_ITEMS = frozenset(("question", "prompt", "task", "problem", "example", "instance", "query", "sentence", "segment"))

#: What segments are called where they are not lines, and how files must fit together.
_NOUNS = {
    "brackets": ("tree", "every file must have the same sentences, in the same order; a parse that failed is (())"),
    "dependencies": ("sentence", "every file must have the same sentences, in the same order"),
    "tags": ("sentence", "every file must have the same sentences, in the same order"),
}


def _check_lengths(
    systems: Sequence[System],
    references: Sequence[Sequence[str | None]],
    labels: Sequence[str],
    structures: Mapping[str, str],
) -> int:
    sides: list[tuple[str, Sequence[str | None] | None, int]] = [
        (label, reference, len(reference)) for label, reference in zip(labels, references, strict=True)
    ]
    runs = [run for system in systems for run in system.runs]
    for run in runs:
        if run.outputs is None and not run.scores:
            raise InputError(f"the run {run.name!r} has neither outputs nor scores")
        if run.outputs is not None:
            sides.append((run.name, run.outputs, len(run.outputs)))
        sides.extend((run.scores_from or run.name, None, len(column)) for column in run.scores.values())
    expected_name, expected_lines, expected = sides[0]
    if _transposed(references, runs):
        raise InputError(
            f"the references look transposed: {len(references):,} references of {expected:,} segments each",
            hint="give one sequence for each reference, holding all segments: [[r1s1, r1s2, …], [r2s1, r2s2, …]]",
        )
    for name, lines, length in sides:
        if length == 0:
            raise InputError("there are no segments in it", path=name, hint="is this the right file?")
        if length != expected:
            longer_name, longer = (name, lines) if length > expected else (expected_name, expected_lines)
            text = "" if longer is None else f" ({excerpt((longer[min(length, expected)] or '').strip())})"
            whole, one, hint = "segment", "line", "every file must have one line for each segment, in the same order"
            if name in structures and expected_name in structures:
                whole, hint = _NOUNS[structures[name]]
                one = whole
            raise InputError(
                f"{length:,} {whole}{'s' if length != 1 else ''} where {expected_name} has {expected:,}: {one} "
                f"{min(length, expected) + 1:,} of {longer_name}{text} has no counterpart",
                path=name,
                hint=hint,
            )
    return expected


def _transposed(references: Sequence[Sequence[str | None]], runs: Sequence[Run]) -> bool:
    if len(references) < 2 or len({len(reference) for reference in references}) != 1:
        return False
    return all(len(run) == len(references) != len(references[0]) for run in runs)


def _repeated_texts(systems: Sequence[System]) -> list[Note]:
    """Ask of runs of one system with the same texts whether a file was given twice; each counts all the same."""
    notes = []
    for system in systems:
        by_texts: dict[Sequence[str], list[str]] = {}
        for run in system.runs:
            if run.outputs is not None:
                by_texts.setdefault(run.outputs, []).append(run.name)
        for names in by_texts.values():
            if len(names) > 1:
                text = f"runs of {system.name} have the same texts, and each counts: {some(names, 5)}"
                notes.append(Note("repeated-texts", f"{text}; a file may have been given twice"))
    return notes


def _shared_runs(systems: Sequence[System]) -> list[Note]:
    """Warn of texts that are a run of two systems, if one of them has other runs as well: else the result says it."""
    notes = []
    texts = [{run.outputs: run for run in system.runs if run.outputs is not None} for system in systems]
    for (one, own), (other, others) in itertools.combinations(zip(systems, texts, strict=True), 2):
        shared = [(run, others[outputs]) for outputs, run in own.items() if outputs in others]
        if shared and not len(shared) == len(one.runs) == len(other.runs):
            run, twin = shared[0]
            more = f"; and so of {len(shared) - 1} more" if len(shared) > 1 else ""
            text = f"{run.name}, a run of {one.name}, and {twin.name}, a run of {other.name}, are the same{more}"
            notes.append(Note("shared-run", text, warning=True))
    return notes


def _rated_segments(systems: Sequence[System], segments: int) -> tuple[Sequence[int], list[Note]]:
    """Return the segments that every run has all its scores of, by number from 0, and what to say of the others.

    A score is NaN if people did not rate the segment. Systems are compared on the same segments.

    Raises
    ------
    InputError
        If there are fewer than two.
    """
    lacking = {
        system.name: np.any([np.isnan(own) for run in system.runs for own in run.scores.values()], axis=0)
        for system in systems
        if any(run.scores for run in system.runs)
    }
    gaps = np.any(list(lacking.values()), axis=0) if lacking else np.zeros(segments, bool)
    if not gaps.any():
        return range(segments), []
    rows = np.flatnonzero(~gaps).tolist()
    fewest = max(lacking, key=lambda name: int(lacking[name].sum()))
    has = f"{fewest!r} has scores of {segments - int(lacking[fewest].sum()):,}"
    if len(rows) < 2:
        raise InputError(
            f"{'only one' if rows else 'none'} of {segments:,} segments has a score of every system; {has}",
            hint="compare systems that were rated on the same segments",
        )
    none = int(np.all(list(lacking.values()), axis=0).sum())
    some = segments - none - len(rows)
    notes = []
    if none:
        left = "" if some else f": {len(rows):,} are compared"
        notes.append(Note("not-rated", f"{none:,} of {segments:,} segments have no score and are left out{left}"))
    if some:
        text = f"{some:,} of {segments - none:,} segments lack a score of some system ({has}) and are left out for all"
        notes.append(Note("not-rated", f"{text}: {len(rows):,} are compared", warning=True))
    return rows, notes
