"""Base of results of all studies: they can be saved, read again, and shown by the view of their study."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from truegain.bibliography import bibtex
from truegain.errors import InputError, Text, Way, one_of
from truegain.fields import Field, Shape
from truegain.inference.results import MetricInfo
from truegain.report import ENDINGS, FORMATS, LAYOUT_FORMATS, LAYOUTS
from truegain.report.files import write_atomically
from truegain.rules import OneOf
from truegain.studies import pictures_of, view_of
from truegain.studies.codec import keep_digits, write
from truegain.version import __version__

if TYPE_CHECKING:
    import pandas
    import polars
    from rich.console import RenderableType

    from truegain.report.model import Document
    from truegain.report.page import Picture, Report, Section

#: The version of the form of results as plain data: another number where old readers would go wrong.
SCHEMA = 2

Signature = Annotated[str, Field("How the numbers were made, in one line.")]
Command = Annotated[str, Field("The command line that made it; empty if a Python program did.")]
Version = Annotated[str, Field("The version of truegain that made it.")]
VERDICTS = Annotated[tuple[str, ...], Field("The answers in sentences.")]
METHODS = Annotated[str, Field("The method in a few sentences, to paste into a paper.")]


#: Studies whose pages have no figures: intervals of gains are drawn in their tables.
_DRAWN_IN_TABLES = ("compare", "pool")
#: Methods and attributes that serve the views of results.
_FOR_VIEWS = frozenset({"appendix", "arranged", "heading", "rounded", "shape", "study", "title", "used"})


class Result(ABC):
    """A frozen result that can be read by people and by programs.

    Attributes
    ----------
    version : str
        The version of truegain that made it.
    command : str
        The command line that made it; empty if a Python program did.
    """

    #: The name of the study, and what its JSON has beyond its fields.
    study: ClassVar[str]
    shape: ClassVar[Shape]

    version: str
    command: str

    #: What the report is called.
    title = "Results"

    def to_dict(self) -> dict[str, Any]:
        """Return the whole result as plain data, in the form of docs/result.schema.json."""
        data: dict[str, Any] = write(self)
        head = {"truegain": data.pop("version"), "schema": SCHEMA, "study": self.study}
        return head | {key: data.pop(key) for key in ("signature", "command")} | data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the result that :meth:`to_dict` made the data of.

        Raises
        ------
        InputError
            With the place in the data, what was found there and what was expected.
        """
        from truegain.studies.decode import read

        check_header(data, [cls.study])
        made: Self = read(cls, {**data, "version": data["truegain"]})
        return made

    def rounded(self) -> Self:
        """Return the same with the ten significant digits that JSON keeps.

        All formats show this, so that a result shows the same when it is read again.
        """
        return keep_digits(self)

    @abstractmethod
    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat record per row, for data frames."""

    def document(self, *, decimals: int | None = None) -> Document:
        """Return tables and sentences; ``decimals`` is the number of decimals."""
        document: Document = view_of(self.study).document(self, decimals)
        return document

    def pictures(self, *, decimals: int | None = None) -> tuple[Picture, ...]:
        """Return the figures of this result, each with the name it is asked for by."""
        pictures: tuple[Picture, ...] = pictures_of(self, decimals)
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
        shown = getattr(view_of(self.study), "appendix", None)
        return () if shown is None else tuple(shown(self, decimals))

    def heading(self) -> str:
        """Name what a page is about: the question, or what is compared."""
        return self.title

    def report(self, *, decimals: int | None = None) -> Report:
        """Return the document in sections, with figures and what else belongs on a page."""
        from truegain.report.page import in_sections

        return in_sections(
            self.document(decimals=decimals),
            () if self.study in _DRAWN_IN_TABLES else self.pictures(decimals=decimals),
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
        for held in vars(self).values():
            for part in held if isinstance(held, tuple) else ():
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
            return self.document(decimals=decimals)
        view = view_of(self.study)
        if not hasattr(view, "arranged"):
            raise InputError(
                f"this result has no layout {layout!r}", hint="compare and score have; others are shown in full"
            )
        document: Document = view.arranged(self, layout, decimals)
        return document

    def render(self, format: str = "terminal", *, decimals: int | None = None, layout: str = "full") -> str:
        """Render the result as text in one of the formats terminal, md, latex, html, json, csv or tsv.

        ``layout`` is full, paper or multeval, and for the formats terminal, md and latex.
        """
        if format in FORMATS:
            check_layout(layout, format)
        # Names of files may hold bytes that are no text; nothing else can fail to be written.
        return self.rounded()._render(format, decimals, layout).encode(errors="replace").decode()

    def _render(self, format: str, decimals: int | None, layout: str) -> str:
        if format == "terminal":
            from truegain.report import terminal

            return terminal.text(self.arranged(layout, decimals=decimals))
        if format == "md":
            from truegain.report import markdown

            return markdown.text(self.arranged(layout, decimals=decimals))
        if format == "latex":
            from truegain.report import latex

            return latex.text(self.arranged(layout, decimals=decimals), floating=layout != "full")
        if format == "html":
            from truegain.report import html

            return html.page(self.report(decimals=decimals))
        from truegain.report import data

        if format == "json":
            return data.json_text(self.to_dict())
        if format == "csv":
            return data.csv_text(self.to_records())
        if format == "tsv":
            return data.tsv_text(self.to_records())
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


def check_header(data: Any, studies: Sequence[str]) -> str:
    """Return the study that data are a result of; refuse those of none of these, or of another form."""
    if not isinstance(data, Mapping) or "truegain" not in data:
        raise InputError(
            "this is not a result of truegain: an object with the key 'truegain' was expected",
            hint=("give what ", Way("--format json or -o FILE.json", 'save("FILE.json")'), " wrote"),
        )
    from truegain.studies.decode import read

    version = read(str, data["truegain"], "truegain")
    if "schema" not in data:
        raise InputError(
            f"schema is missing; {SCHEMA} was expected: truegain {version} did not write all that a result is made of",
            hint="run the study again, and keep its JSON",
        )
    schema = read(int, data["schema"], "schema")
    if schema != SCHEMA:
        made = f"truegain {version} made the file, and this is {__version__}"
        raise InputError(
            f"schema: {SCHEMA} was expected; found {schema}: {made}",
            hint=_newer_or_again(data, schema),
        )
    if "study" not in data:
        raise InputError(f"study is missing; one of {', '.join(studies)} was expected")
    study: str = read(Annotated[str, OneOf(tuple(studies))], data["study"], "study")
    return study


def _newer_or_again(data: Mapping[str, Any], schema: int) -> Text:
    """Return what to do with a result of another form: take the truegain that reads it, or make it again."""
    if schema > SCHEMA:
        return "a newer truegain reads it: pip install --upgrade truegain"
    made_by = data.get("command")
    return f"make it again: {made_by}" if isinstance(made_by, str) and made_by else "run the study again"


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
