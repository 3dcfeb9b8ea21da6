"""A whole experiment in one TOML file: test sets, systems and their runs, and how to test.

The file names other files; it never runs anything. Paths in it go from its own folder.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from msgspec import structs

from truegain.corpus import Corpus
from truegain.errors import InputError
from truegain.file_roles import reads
from truegain.inputs import InputFile
from truegain.notes import Note
from truegain.options import split_specification
from truegain.readers.corpora import check_sources, read_corpus
from truegain.readers.decoding import decode
from truegain.readers.experiment_keys import DEVELOPMENT, EXPERIMENT, SETTINGS, TESTSET, Place, checked
from truegain.readers.experiment_paths import PATTERN, existing, expanded, writable
from truegain.readers.formats import holds_several
from truegain.readers.plain import read_lines
from truegain.readers.training_samples import is_manifest
from truegain.registry import OF_SCORES, SCORERS

#: The largest experiment file that is read, in bytes.
LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True)
class TestSetFiles:
    """The files of a test set.

    Attributes
    ----------
    references : tuple of str
    systems, scores : mapping of str to tuple of str
        Of each system the files of its runs, and those of its segment scores.
    table : tuple of str
        The files of a table that holds everything; ``systems`` then has columns, and may be empty.
    domain : str, optional
        The domain of all segments.
    source : str, optional
    options : mapping
        Further keyword arguments of :func:`truegain.readers.corpora.read_corpus`.
    """

    __test__ = False  # not a test class for pytest

    name: str
    references: tuple[str, ...]
    systems: Mapping[str, tuple[str, ...]]
    scores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    table: tuple[str, ...] = ()
    domain: str | None = None
    source: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def paths(self) -> list[str]:
        """Return all files of the test set."""
        systems = {} if self.table else self.systems
        runs = [path for paths in (*systems.values(), *self.scores.values()) for path in paths]
        more = [self.options[key] for key in ("documents", "domains") if key in self.options]
        return [*self.references, *self.table, *runs, *more, *([] if self.source is None else [self.source])]

    def corpus(self, *, outputs_are_scores: bool = False, by: str | None = None) -> Corpus:
        """Read the files; ``by``: what segments are grouped by, which may be a column of the table."""
        corpus = self._whole(outputs_are_scores, by) if self._holds_everything else self._files(outputs_are_scores)
        inputs = corpus.inputs
        of_files = not self._holds_everything and not outputs_are_scores  # these were read with it
        if self.source is not None and not of_files and not holds_several(self.source):
            count = len(read_lines(self.source).lines)
            check_sources(count, corpus.segments, self.source)
            inputs = structs.replace(inputs, files=(*inputs.files, InputFile(self.source, "source", count)))
        if self.domain is None:
            return replace(corpus, inputs=inputs)
        told = corpus.notes
        if corpus.domains is not None:
            told = (*told, Note("domains", f"domain {self.domain!r}, not those of {corpus.inputs.domains}"))
        return replace(
            corpus,
            domains=(self.domain,) * corpus.segments,
            notes=told,
            inputs=structs.replace(inputs, domains="the experiment file"),
        )

    @property
    def _holds_everything(self) -> bool:
        return len(self.table) == 1 and not {"documents", "domains"} & set(self.options)

    def _whole(self, scores: bool, by: str | None) -> Corpus:
        from truegain.readers.columns import corpus_from_table

        systems = [
            name if columns == (name,) else f"{name}={','.join(columns)}" for name, columns in self.systems.items()
        ]
        return corpus_from_table(self.table[0], systems, scores=scores, by=by, name=self.name, **self.options)

    def _files(self, scores: bool) -> Corpus:
        return read_corpus(
            self.table or _arguments(self.systems),
            self.references,
            scores=_arguments(self.scores),
            outputs_are_scores=scores,
            name=self.name,
            sources=None if scores else self.source,
            **self.options,
        )


@dataclass(frozen=True)
class ExperimentFile:
    """Content of an experiment file.

    Attributes
    ----------
    path : str
    name : str
        What the experiment is called; by default after the file.
    testsets : tuple of TestSetFiles
    metrics : tuple of str
    settings : mapping
        Keyword arguments of :func:`truegain.studies.pool.pool`, those that the file gives.
    development : TestSetFiles, optional
    outputs : tuple of str
        Where results are to be written: paths inside the file's folder.
    """

    path: str
    name: str
    testsets: tuple[TestSetFiles, ...]
    metrics: tuple[str, ...]
    settings: Mapping[str, Any]
    development: TestSetFiles | None = None
    outputs: tuple[str, ...] = ()

    def corpora(self) -> tuple[Corpus, ...]:
        """Read the test sets."""
        kinds = {split_specification(one)[0] for one in self.metrics}
        by = self.settings.get("by")
        return tuple(
            one.corpus(outputs_are_scores=kinds <= OF_SCORES and not one.scores, by=by) for one in self.testsets
        )

    def development_corpus(self) -> Corpus | None:
        """Read the outputs on the development set, if there are any."""
        return None if self.development is None else self.development.corpus()


def read_experiment(path: str | os.PathLike[str]) -> ExperimentFile:
    """Read an experiment file, and check that the files it names are there; ``corpora`` reads them.

    Parameters
    ----------
    path : str or path
        A TOML file, as docs/experiments.md describes it.

    Raises
    ------
    InputError
        For anything else than such a file: keys that are not known, values of another type, files that are missing;
        with the line if it can be found.
    """
    given = os.fspath(path)
    text = _read(given)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        message = str(error) if found is None else str(error)[: found.start()].strip()
        line = None if found is None else int(found[1])
        raise InputError(f"this is not TOML: {message}", path=given, line=line) from error
    except (RecursionError, ValueError) as error:  # nested too deep; a number with thousands of digits, a strange date
        raise InputError(f"this TOML cannot be read: {error}"[:200], path=given) from error
    lines = tuple(text.split("\n"))
    tables = next((i for i, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    return _experiment(data, Place(given, lines, 0, tables))


def _read(path: str) -> str:
    reads(path)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(LIMIT + 1)
    except FileNotFoundError as error:
        raise InputError("there is no such file", path=path, hint="truegain init FOLDER writes one") from error
    except IsADirectoryError as error:
        hint = f"truegain init {path} writes one"
        raise InputError("this is a folder; an experiment file was expected", path=path, hint=hint) from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=path) from error
    if len(data) > LIMIT:
        raise InputError(f"the file is larger than {LIMIT // 1024**2} MB, the limit for experiment files", path=path)
    return decode(data, path).removeprefix("\ufeff").replace("\r\n", "\n")


def _experiment(data: Mapping[str, Any], place: Place) -> ExperimentFile:
    values = checked(EXPERIMENT, data, place)
    if not values.get("testset"):
        raise place.error(
            "there is no test set", hint="begin each with a line [[testset]], with a name and a reference"
        )
    shared = values.get("systems", {})
    metrics = values.get("metrics")
    testsets = []
    for number, table in enumerate(values["testset"]):
        testsets.append(_testset(table, shared, place.inside("testset", number)))
    _check_same(testsets, place)
    if metrics is None:
        texts = any(one.references or "reference_columns" in one.options for one in testsets)
        metrics = ("bleu",) if texts else ()
    for one in metrics:
        kind, given = split_specification(one)
        if given and kind in SCORERS:
            # A model may hold code that is run: it is chosen on the user's machine.
            raise place.error(
                f"{kind} takes no settings in an experiment file", "metrics", hint=f'metrics = ["{kind}"]'
            )
    kinds = {split_specification(one)[0] for one in metrics}
    if any(one.scores for one in testsets) and not kinds & OF_SCORES:
        metrics = (*metrics, "scores")
    if not metrics:
        raise place.error("there is neither a reference nor a metric", hint='metrics = ["bleu"]')
    settings = {one.name: values[key] for key, one in SETTINGS.items() if key in values}
    manifest = []
    if "training_samples" in settings and is_manifest(settings["training_samples"]):
        manifest = [existing(settings["training_samples"], "training_samples", place)]
        settings["training_samples"] = manifest[0]
    baseline = settings.get("baseline")
    tables = [one for one in testsets if one.table]
    if tables and kinds & OF_SCORES and not kinds <= OF_SCORES:
        raise place.error("a table holds texts or scores, not both", "metrics", hint='metrics = ["scores"]')
    for one in tables:
        if not one._holds_everything and (one.systems or not kinds <= OF_SCORES):
            raise place.error(
                f"the table of {one.name!r} is in several files, or has files of documents or domains beside it: it "
                "must be a long table of scores",
                "table",
                hint='metrics = ["scores"]; without systems',
            )
    if baseline is not None and testsets[0].systems and baseline not in testsets[0].systems:
        known = ", ".join(testsets[0].systems)
        raise place.error(f"baseline: {baseline!r} is not among the systems", "baseline", hint=f"they are: {known}")
    development = None
    if "development" in values:
        development = _development(values["development"], testsets[0], place.inside("development"))
    read = [*testsets, development] if development is not None else testsets
    return ExperimentFile(
        path=place.path,
        name=values.get("name", PurePath(place.path).stem),
        testsets=tuple(testsets),
        metrics=metrics,
        settings=settings,
        development=development,
        outputs=writable(
            values.get("outputs", ()), [*manifest, *(path for one in read for path in one.paths())], place
        ),
    )


def _testset(table: Any, shared: Mapping[str, tuple[str, ...]], place: Place) -> TestSetFiles:
    values = checked(TESTSET, table, place)
    if "name" not in values:
        raise place.error(f"{place.table} has no name", hint='name = "news"')
    name = values.pop("name")
    systems = {**shared, **values.pop("systems", {})}
    rows = values.pop("table", ())
    for key in ("reference", "source", "scores", "references_per_line") if rows else ():
        if key in values:
            raise place.error(f"{key}: the test set {name!r} has a table, which holds everything", key)
    if not rows and "reference_column" in values:
        raise place.error(f"reference_column: the test set {name!r} has no table", "reference_column")
    if not systems and not rows:
        raise place.error(
            f"the test set {name!r} has no systems",
            hint=f'give them under [systems], for all test sets, with files such as "{PATTERN}/base.txt"',
        )
    scores = values.pop("scores", {})
    references = values.pop("reference", ())
    domain, source = values.pop("domain", None), values.pop("source", None)
    if "reference_column" in values:
        values["reference_columns"] = values.pop("reference_column")
    if domain is not None and ("domains" in values or "domain_column" in values):
        raise place.error("the domain is given twice, for all segments and for each", "domain", hint="leave out one")
    options = {
        key: existing(value, name, place) if key in ("documents", "domains") else value for key, value in values.items()
    }
    return TestSetFiles(
        name=name,
        references=tuple(existing(one, name, place) for one in references),
        systems=systems
        if rows
        else {system: expanded(files, system, name, place) for system, files in systems.items()},
        scores={system: expanded(files, system, name, place) for system, files in scores.items()},
        table=tuple(existing(one, name, place) for one in rows),
        domain=domain,
        source=None if source is None else existing(source, name, place),
        options=options,
    )


def _development(table: Any, first: TestSetFiles, place: Place) -> TestSetFiles:
    values = checked(DEVELOPMENT, table, place)
    systems = values.get("systems", {})
    if "reference" not in values or not systems:
        raise place.error("the development set needs a reference and systems", "development")
    if sorted(systems) != sorted(first.systems):
        raise place.error(
            f"development: the systems {', '.join(first.systems)} were expected; found {', '.join(systems)}", "systems"
        )
    return TestSetFiles(
        name="development",
        references=tuple(existing(one, "development", place) for one in values["reference"]),
        systems={name: expanded(systems[name], name, "development", place) for name in first.systems},
        options={key: value for key, value in values.items() if key not in ("reference", "systems")},
    )


def _check_same(testsets: Sequence[TestSetFiles], place: Place) -> None:
    names = [one.name for one in testsets]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise place.error(f"two test sets are named {twice!r}", hint="give them different names")
    first, *others = [one for one in testsets if one.systems] or testsets[:1]
    for one in others:
        for here, there in ((first, one), (one, first)):
            missing = next((name for name in here.systems if name not in there.systems), None)
            if missing is not None:
                raise place.error(
                    f"the test sets have different systems: {missing!r} is on {here.name!r} and not on {there.name!r}",
                    missing,
                    hint="every system must be on every test set",
                )


def _arguments(files: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Write systems as the command line has them."""
    return [f"{name}={','.join(paths)}" for name, paths in files.items()]
