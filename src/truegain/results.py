"""Results of all studies: they can be saved, read again, and shown by the view of their study."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

import msgspec

from truegain.errors import InputError, Text, TruegainError, Way, one_of, some
from truegain.file_roles import reads
from truegain.notes import Findings, Note, Notes
from truegain.report import ENDINGS, FORMATS, LAYOUT_FORMATS, LAYOUTS, write_atomically
from truegain.rows import Row, Show, field, rounded
from truegain.version import __version__

if TYPE_CHECKING:
    import pandas
    import polars
    from rich.console import RenderableType

    from truegain.inference.results import MetricInfo
    from truegain.report.model import Document, Passages, Table
    from truegain.report.page import Picture, Report, Section

#: The version of the form of results as plain data: another number where old readers would go wrong.
SCHEMA = 2
#: The largest file that is read, in bytes.
LIMIT = 256 * 1024 * 1024
#: The classes of the results of all studies, each at home in ``truegain.studies.STUDY`` or as MODULES says.
CLASSES = {
    "compare": "CompareResult",
    "score": "ScoreResult",
    "calibrate": "CalibrationResult",
    "replicate": "ReplicateResult",
    "intervals": "IntervalsResult",
    "inspect": "InspectResult",
    "gate": "GateResult",
    "plan": "PlanResult",
    "rank": "RankResult",
    "domains": "DomainsResult",
    "threshold": "ThresholdResult",
    "significance": "SignificanceResult",
    "pool": "PooledResult",
    "tune": "TuneResult",
    "agree": "AgreeResult",
}
_WRITES: Text = ("give what ", Way("--format json or -o FILE.json", 'save("FILE.json")'), " wrote, as it was written")
_SHOWN = 8  # keys that an error names

#: The modules of ``truegain.studies`` that are not named after their study.
MODULES = {"significance": "reported_gains", "replicate": "runs", "intervals": "run_intervals"}

#: Figures that pages do without, by study: their intervals are drawn in tables.
_DRAWN_IN_TABLES = {"compare": "", "pool": "", "score": "", "agree": "agreement"}
#: Methods and attributes that serve the views of results.
_FOR_VIEWS = frozenset({"appendix", "arranged", "columns", "heading", "rounded", "study", "title", "used"})


class Result(Row, kw_only=True, tag_field="study", rename={"version": "truegain"}):
    """A frozen result that can be read by people and by programs."""

    #: The name of the study, and what the report is called.
    study: ClassVar[str]
    title: ClassVar[str] = "Results"
    #: The tables that show it; a study whose tables need more has a method ``tables`` of its own.
    layout: ClassVar[tuple[Show, ...]] = ()

    version: Annotated[str, field("The version of truegain that made it.")] = __version__
    command: Annotated[str, field("The command line that made it; empty if a Python program did.")] = ""
    about: Annotated[str, field("The test set and its size, or what else it was asked of.")] = ""
    findings: Findings = ()
    notes: Notes = ()
    ending: Annotated[str, field("The test, resamples and seed: the last line on a screen.")] = ""
    methods: Annotated[str, field("A paragraph for a paper.")] = ""
    signature: Annotated[str, field("How the numbers were made, in one line.")]

    def to_dict(self) -> dict[str, Any]:
        """Return the whole result as plain data, as its JSON has it: with ten digits, and with its sentences."""
        from truegain.report.data import finite

        data: dict[str, Any] = finite(rounded(msgspec.to_builtins(self.rounded())))  # what is derived is rounded again
        return {"schema": SCHEMA} | data

    def tables(self, decimals: int | None) -> Iterable[Table | Passages]:
        """Return the tables of this result."""
        from truegain.view import tables_of

        return tables_of(self, decimals)

    def as_table(self, layout: str, decimals: int | None) -> Table:
        """Return one table to be pasted into a paper."""
        raise InputError(
            f"this result has no layout {layout!r}", hint="compare and score have; others are shown in full"
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the result that :meth:`to_dict` made the data of.

        Raises
        ------
        InputError
            With the place in the data, and what was expected there.
        """
        _check_header(data, [cls.study])
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            message, _, place = str(error).partition(" - at `$")
            place = place.strip("`.")
            raise InputError(f"{place}: {message}" if place else message) from error

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat record per row, for data frames."""
        raise NotImplementedError

    def document(self, *, decimals: int | None = None) -> Document:
        """Return the answer, tables and what limits it; ``decimals`` is the number of decimals."""
        from truegain.view import document

        return document(self, decimals)

    def pictures(self, *, decimals: int | None = None) -> tuple[Picture, ...]:
        """Return the figures of this result, each with the name it is asked for by."""
        pictures: tuple[Picture, ...] = import_module("truegain.studies.pictures").pictures(self, decimals)
        return pictures

    def picture(self, name: str | None = None, *, decimals: int | None = None) -> Picture:
        """Return one of the figures, by default the first."""
        found = {one.name: one for one in self.pictures(decimals=decimals)}
        if not found:
            raise InputError(
                "there is no figure of this result", hint=(Way("truegain render", "render()"), " shows its tables")
            )
        if name is None:
            return next(iter(found.values()))
        if name not in found:
            raise one_of("the figure", name, list(found), hint="the name of a file ends in .svg, .pdf or .png")
        return found[name]

    def plot(
        self,
        path: str | Path | None = None,
        name: str | None = None,
        *,
        columns: Literal[1, 2] | None = None,
        decimals: int | None = None,
    ) -> Picture | None:
        """Show one of the figures in a notebook, or write it in the format of the file's ending: .svg, .pdf or .png.

        Parameters
        ----------
        path : str or Path, optional
            The file; or the name of the figure to show. Without it the first figure is shown.
        name : str, optional
            Of the figure; by default the first of :meth:`pictures`.
        columns : 1 or 2, optional
            How many columns of a paper it is as wide as; by default it is as wide as it needs to be.
        decimals : int, optional
            Decimals of scores.
        """
        from dataclasses import replace

        from truegain.report.figures.style import check_ending, save

        shown = self.rounded()  # the same figure as of the result that is saved and loaded again
        if name is None and isinstance(path, str) and not Path(path).suffix:
            path, name = None, path
        if path is not None:
            check_ending(path)
        picture = replace(shown.picture(name, decimals=decimals), columns=columns)
        if path is None:
            return picture
        drawing = picture.draw()
        save(drawing.figure, path, drawing.alt)
        return None

    def appendix(self, *, decimals: int | None = None) -> tuple[Section, ...]:
        """Return the sections of the report that have no place in a document, such as segments."""
        return ()

    def heading(self) -> str:
        """Name what a page is about: the question, or what is compared."""
        return self.title

    def report(self, *, decimals: int | None = None) -> Report:
        """Return the document in sections, with figures and what else belongs on a page."""
        from truegain.bibliography import bibtex
        from truegain.report.page import in_sections

        drawn = _DRAWN_IN_TABLES.get(self.study)
        pictures = () if drawn == "" else self.pictures(decimals=decimals)
        return in_sections(
            self.document(decimals=decimals),
            tuple(one for one in pictures if drawn is None or not one.name.startswith(drawn)),
            self.appendix(decimals=decimals),
            title=self.heading(),
            bibliography=bibtex(*self.used()),
            command=self.command,
            version=self.version,
        )

    def used(self) -> tuple[list[str], list[str]]:
        """Return the metrics and the methods that went into the result, by the names they are asked for by."""
        metrics: list[MetricInfo] = list(getattr(self, "metrics", ()))
        methods = ["truegain"]
        tables = [table for name in self.__struct_fields__ if isinstance(table := getattr(self, name), tuple)]
        for table in tables:
            for part in table:
                methods += [name for key in ("test", "adjust") if isinstance(name := getattr(part, key, None), str)]
                methods += ["runs"] if getattr(part, "runs", 1) != 1 else []
                methods += ["bca"] if getattr(getattr(part, "interval", None), "method", None) == "bca" else []
                methods += ["sequential"] if getattr(getattr(part, "p_value", None), "sequence", None) else []
        return [metric.key.partition(":")[0] for metric in metrics], list(dict.fromkeys(methods))

    def arranged(self, layout: str = "full", *, decimals: int | None = None) -> Document:
        """Return the document in one of the layouts full, paper or multeval; the latter two are one table each."""
        if layout not in LAYOUTS:
            raise one_of("layout", layout, list(LAYOUTS))
        if layout == "full":
            with self._shown():
                return self.document(decimals=decimals)
        from truegain.view import arranged

        return arranged(self, layout, decimals)

    @contextmanager
    def _shown(self) -> Iterator[None]:
        """Refuse to show a result that was changed by hand, and whose tables do not fit each other any more."""
        try:
            yield
        except TruegainError:
            raise
        except Exception as error:
            if not any(note.kind == "changed" for note in self.notes):
                raise
            raise InputError(
                f"this result was changed after truegain wrote it, and its tables do not fit each other: {error!r}",
                hint=f"make it again: {self.command}" if self.command else "run the study again",
            ) from error

    def render(
        self,
        format: str = "terminal",
        *,
        decimals: int | None = None,
        layout: str = "full",
        methods: bool = False,
        all_tests: bool = False,
    ) -> str:
        """Render the result as text in one of the formats terminal, md, latex, html, json, csv or tsv.

        ``layout`` is full, paper or multeval, and for the formats terminal, md and latex. ``methods`` adds a paragraph
        for a paper and signatures to what a terminal shows, ``all_tests`` what tests besides the one that decides find;
        other formats always have both.
        """
        if format in FORMATS:
            check_layout(layout, format)
        with self._shown():
            text = self._text(format, decimals, layout, methods=methods or layout != "full", all_tests=all_tests)
        # Names of files may hold bytes that are no text; nothing else can fail to be written.
        text = text.encode(errors="replace").decode()
        return _with_digest(text) if format == "json" else text

    def _text(self, format: str, decimals: int | None, layout: str, *, methods: bool, all_tests: bool) -> str:
        shown = self.rounded()
        if format == "terminal":
            from truegain.report import terminal

            also = (terminal.METHODS if methods else frozenset()) | (terminal.FURTHER if all_tests else frozenset())
            return terminal.text(shown.arranged(layout, decimals=decimals), also=also)
        if format == "md":
            from truegain.report import markdown

            return markdown.text(shown.arranged(layout, decimals=decimals))
        if format == "latex":
            from truegain.report import latex

            return latex.text(shown.arranged(layout, decimals=decimals), floating=layout != "full")
        if format == "html":
            from truegain.report import html

            return html.page(shown.report(decimals=decimals))
        from truegain.report import data

        if format == "json":
            return data.json_text(shown.to_dict())
        if format == "csv":
            return data.csv_text(shown.to_records())
        if format == "tsv":
            return data.tsv_text(shown.to_records())
        raise one_of("format", format, list(FORMATS))

    def save(self, path: str | Path, *, layout: str = "full") -> None:
        """Write the result in the format of the file's ending: .md, .tex, .json, .csv, .tsv, .html or .txt."""
        path = Path(path)
        if path.suffix not in ENDINGS:
            raise one_of("the ending of the file", path.suffix, list(ENDINGS))
        write_atomically(path, self.render(ENDINGS[path.suffix], layout=layout))

    def to_pandas(self) -> pandas.DataFrame:
        """Return the records as a data frame of pandas."""
        try:
            import pandas
        except ImportError as error:
            raise _no_frames("pandas") from error
        return pandas.DataFrame.from_records(self.to_records())

    def to_polars(self) -> polars.DataFrame:
        """Return the records as a data frame of polars."""
        try:
            import polars
        except ImportError as error:
            raise _no_frames("polars") from error
        return polars.DataFrame(self.to_records(), infer_schema_length=None)

    def _keys(self) -> list[tuple[str, ...]]:
        """Return the keys of what it holds; none if it has no keys."""
        return []

    def _ipython_key_completions_(self) -> list[str | tuple[str, ...]]:
        """Return the keys as people write them."""
        return list(dict.fromkeys(key[0] if len(key) == 1 else key for key in self._keys()))

    def __dir__(self) -> list[str]:
        """List what people use, for completion; the rest is for views."""
        return sorted(set(super().__dir__()) - _FOR_VIEWS)

    def _at_a_glance(self) -> Self:
        """Return what a notebook shows: everything, unless that is too long to read."""
        return self

    def __repr__(self) -> str:
        return self._at_a_glance().render()

    def __rich__(self) -> RenderableType:
        from truegain.report import terminal

        return terminal.renderable(self._at_a_glance().rounded().document())

    def _repr_html_(self) -> str:
        from truegain.report import html

        return html.fragment(self._at_a_glance().rounded().document())


def _with_digest(text: str) -> str:
    """Return the JSON of a result with a digest of all of it before it."""
    return f'{{\n  "digest": "{_digest(json.loads(text))}",{text[1:]}'


def _digest(data: Mapping[str, Any]) -> str:
    """Return a fingerprint of data, however their JSON is laid out."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def load(path: str | os.PathLike[str]) -> Result:
    """Read a result from the JSON that it was saved as.

    Parameters
    ----------
    path : str or path
        ``-`` is standard input.

    Returns
    -------
    Result
        Of the class that the study gave; numbers have the ten digits that JSON keeps. If the file was changed after
        truegain wrote it, a note says so.

    Raises
    ------
    InputError
        If the file cannot be read, is larger than :data:`LIMIT`, or is no result: with the place in the JSON, and what
        was expected there.
    """
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    try:
        data = _json(_bytes(path))
        digest = data.pop("digest", None) if isinstance(data, dict) else None
        result = parse(data)
    except InputError as error:
        raise InputError(error.said, path=name, line=error.line, hint=error.advice or _WRITES) from error.__cause__
    if digest == _digest(data):
        return result
    note = Note("changed", "this result was changed after truegain wrote it", file=name, warning=True)
    return msgspec.structs.replace(result, notes=(note, *result.notes))


def parse(data: Mapping[str, Any]) -> Result:
    """Return the result that ``result.to_dict()``, or its JSON, is the data of.

    Raises
    ------
    InputError
        With the place in the data, and what was expected there.
    """
    study = _check_header(data, list(CLASSES))
    return class_of(study).from_dict(data)


def class_of(study: str) -> type[Result]:
    """Import the class of the results of a study."""
    kind: type[Result] = getattr(import_module(f"truegain.studies.{MODULES.get(study, study)}"), CLASSES[study])
    return kind


def _bytes(path: str | os.PathLike[str]) -> bytes:
    """Read at most one byte more than is allowed, so that nothing endless is read."""
    from truegain.readers.file_bytes import standard_input

    reads(path)
    try:
        if os.fspath(path) == "-":
            with standard_input() as stream:
                data = stream.read(LIMIT + 1)
        else:
            with Path(path).open("rb") as stream:
                data = stream.read(LIMIT + 1)
    except FileNotFoundError as error:
        raise InputError(
            "there is no such file",
            hint=(Way("truegain compare … -o FILE.json", 'save("FILE.json") of a result'), " writes one"),
        ) from error
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file was expected") from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > LIMIT:
        raise InputError(f"the file is larger than {LIMIT // 1024**2} MB, the limit for results")
    return data


def _json(data: bytes) -> Any:
    """Return what the bytes of a file stand for."""
    from truegain.readers.decoding import decode
    from truegain.readers.strict_json import strict_loads

    try:
        text = decode(data, None).removeprefix("\ufeff")
    except InputError as error:
        error.advice = error.advice if error.line is None else "is the file compressed? zcat FILE | truegain render -"
        raise
    try:
        return strict_loads(text, constants=False)
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is not JSON: {error.msg} (column {error.colno}){'' if text else '; the file is empty'}",
            line=error.lineno,
        ) from error
    except RecursionError as error:
        raise InputError("objects and lists are nested too deep for a result") from error
    except ValueError as error:  # a number with thousands of digits
        raise InputError(f"this JSON cannot be read: {error}") from error


def _check_header(data: Any, studies: Sequence[str]) -> str:
    """Return the study that data are a result of; refuse those of none of these, or of another form."""
    if not isinstance(data, Mapping) or not isinstance(version := data.get("truegain"), str):
        raise InputError("this is not a result of truegain: it has no key 'truegain' with a version", hint=_WRITES)
    schema, study = data.get("schema"), data.get("study")
    if schema != SCHEMA or isinstance(schema, bool):
        command = data.get("command")
        again: Text = f"make it again: {command}" if isinstance(command, str) and command else "run the study again"
        newer = isinstance(schema, int) and schema > SCHEMA
        raise InputError(
            f"schema: {SCHEMA} was expected; found {schema}: truegain {version} made the file, and this is "
            f"{__version__}",
            hint="a newer truegain reads it: pip install --upgrade truegain" if newer else again,
        )
    if study not in studies:
        raise InputError(f"study: one of {', '.join(studies)} was expected; found {study!r}")
    return str(study)


def with_metric(key: str | tuple[str, ...], metrics: Sequence[MetricInfo]) -> tuple[str, ...]:
    """Return the key of a system with the metric before it, which need not be named if there is only one.

    Raises
    ------
    KeyError
        If no metric is named, and there are several.
    """
    if not isinstance(key, str):
        return key if isinstance(key, tuple) else (key,)
    if len(metrics) > 1:
        names = ", ".join(repr(metric.key) for metric in metrics)
        raise KeyError(f"{key!r} was compared under several metrics, {names}: give one of them before it")
    return metrics[0].key, key


def completed(pairs: Sequence[tuple[str, str]], metrics: Sequence[MetricInfo]) -> list[tuple[str, ...]]:
    """Return the keys to complete: a system alone if there is one metric."""
    return [pair[1:] if len(metrics) == 1 else pair for pair in pairs]


def no_entry(key: object, known: Iterable[object], further: str = "") -> KeyError:
    """Return the error that says which keys there are, and what else."""
    names = list(map(repr, dict.fromkeys(known)))
    return KeyError(f"there is no {key!r}; there are {some(names, _SHOWN)}{further}")


def _no_frames(package: str) -> InputError:
    return InputError(f"data frames need {package}, which is not installed", hint="pip install 'truegain[frames]'")


def check_layout(layout: str, format: str) -> None:
    """Refuse a layout that the format does not have."""
    if layout not in LAYOUTS:
        raise one_of("layout", layout, list(LAYOUTS))
    if layout != "full" and format not in LAYOUT_FORMATS:
        raise InputError(
            f"the layout {layout!r} is a table for people, and {format} holds everything",
            hint=f"give one of the formats {', '.join(LAYOUT_FORMATS)}, or leave the layout out",
        )
