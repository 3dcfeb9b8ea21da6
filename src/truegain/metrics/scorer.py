"""Metrics that other programs and packages compute: COMET, MetricX, BLEURT, and those that users define."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, Way
from truegain.metrics.base import References, signature
from truegain.metrics.segment_scores import RatioOfScores
from truegain.notes import Note
from truegain.options import parse_settings
from truegain.scorers.definition import BUILT_IN, Definition, check_value
from truegain.scorers.program import Segments, checked, find_program, has_gpu, one_line, run_program
from truegain.scorers.user_file import downloads_allowed
from truegain.scorers.versions import hub_folder, model_revision, package_here, program_version

#: The package that can be used without starting a program.
_COMET = "unbabel-comet"


@dataclass(frozen=True)
class ScorerSettings:
    """Settings of a scorer.

    Parameters
    ----------
    model : str, optional
        A path, or a name in the hub's cache; by default the scorer's own.
    batch_size : int
        How many segments are scored at a time. Scores hardly depend on it.
    gpus : int, optional
        By default 1 if there is one, else 0.
    via : str
        Of COMET: "package" to score in this process, "program" by ``comet-score``, "auto" for the package where it is
        installed.
    """

    model: str | None = None
    batch_size: int = 16
    gpus: int | None = None
    via: str = "auto"


@dataclass(frozen=True)
class Scorer(RatioOfScores):
    """Mean of the scores that a program or package gives to segments.

    All runs are scored in one call, and each distinct segment once: see :mod:`truegain.statistics.scored_once`.

    Parameters
    ----------
    definition : Definition
    settings : ScorerSettings
    downloads : bool
        It may fetch its model from a hub.
    """

    definition: Definition
    settings: ScorerSettings = field(default_factory=ScorerSettings)
    downloads: bool = False

    reads: ClassVar[Literal["text"]] = "text"
    cached: ClassVar[bool] = False  # by segment, not by run

    def __post_init__(self) -> None:
        name, settings = self.definition.name, self.settings
        if settings.batch_size < 1:
            raise InputError(f"{name}:batch_size must be 1 or more; got {settings.batch_size}")
        if settings.gpus is not None and settings.gpus < 0:
            raise InputError(f"{name}:gpus must be 0 or more; got {settings.gpus}")
        if settings.model is not None:
            check_value(settings.model, f"{name}:model")
        if settings.via not in ("auto", "package", "program"):
            raise InputError(f"{name}:via must be auto, package or program; got {settings.via!r}")
        default = ScorerSettings()
        for key in ("model", "batch_size", "gpus"):
            if getattr(settings, key) != getattr(default, key) and key not in self.definition.places:
                raise InputError(f"{name}:{key} does not apply: its command has no place for it")
        if settings.via != "auto" and not self._is_comet:
            raise InputError(f"{name}:via does not apply: it is a program")
        if settings.via == "package" and _comet_here() is None:
            raise InputError(
                f"{name}: the package {_COMET} is not installed, or is older than 2.2.5",
                hint="pip install 'truegain[comet]'",
            )

    @property
    def name(self) -> str:
        """The name of the scorer."""
        return self.definition.name

    @property
    def label(self) -> str:
        """The label of the scorer."""
        return self.definition.label

    @property
    def higher_is_better(self) -> bool:
        """Direction, as defined."""
        return not self.definition.lower_is_better

    @property
    def limits(self) -> tuple[float, float] | None:
        """The least and the greatest score, if they are known."""
        return self.definition.limits

    @property
    def needs(self) -> frozenset[str]:
        """The texts that are scored besides outputs: "source", "reference", or both."""
        return self.definition.needs

    @property
    def model(self) -> str | None:
        """The model that is used."""
        return self.settings.model or self.definition.model

    @property
    def _is_comet(self) -> bool:
        """True for the scorers of COMET that are known here; a user's command is run as it stands."""
        return self.definition.package == _COMET and BUILT_IN.get(self.name) == self.definition

    @property
    def _in_process(self) -> bool:
        if not self._is_comet or self.settings.via == "program":
            return False
        return self.settings.via == "package" or _comet_here() is not None

    def _version(self) -> str:
        return _comet_here() or "" if self._in_process else program_version(self.definition)

    def signature(self, references: int | str = 1) -> str:
        """Name the model with its revision, and the program or package with its version."""
        known = {} if "reference" not in self.needs else {"nrefs": references}
        if self.model is not None:
            known["model"] = self.model
            revision = model_revision(self.model)
            known |= {"revision": revision} if revision else {}
        made_by = self.definition.package or self.name
        return signature(**known, by=f"{made_by} {self._version()}")

    @property
    def identity(self) -> str:
        """Everything that scores depend on besides the texts; it changes when a model is fetched."""
        model = "" if self.model is None else f"{self.model}|{model_revision(self.model)}"
        parts = (self.name, *self.definition.command, self.definition.column or "", model, self._version())
        return "\n".join(parts)

    def score_segments(self, segments: Segments, progress: Callable[[int], None] | None = None) -> NDArray[np.float64]:
        """Score segments in one call.

        Parameters
        ----------
        segments : Segments
        progress : callable, optional
            Called with how many were scored since it was last called.
        """
        for texts in (segments.outputs, segments.sources or (), segments.references or ()):
            if (broken := next((text for text in texts if not _is_whole(text)), None)) is not None:
                said = broken.encode("ascii", "backslashreplace").decode()[:40]
                raise InputError(f"{self.label}: a segment holds half a character: {said!r}")
        if not self._in_process:
            find_program(self.definition)
        if self._is_comet:
            self._check_model(str(self.model))
        if self._in_process:
            from truegain.scorers.comet_package import comet_scores

            found = comet_scores(
                segments,
                str(self.model),
                batch_size=self.settings.batch_size,
                gpus=self.settings.gpus,
                downloads=self.downloads,
                progress=progress,
            )
            return checked(found, self.definition, len(segments))
        gpus = int(has_gpu()) if self.settings.gpus is None else self.settings.gpus
        model = self.model or ""
        # Programs may run in another folder than this.
        model = str(Path(model).resolve()) if model and Path(model).exists() else model
        settings = {"model": model, "batch_size": str(self.settings.batch_size), "gpus": str(gpus)}
        return run_program(
            self.definition, segments, settings, read=self._read, downloads=self.downloads, progress=progress
        )

    def _check_model(self, model: str) -> None:
        """Refuse a model that COMET would look for elsewhere, or fetch without leave."""
        if Path(model).exists():
            if not model.endswith(".ckpt") or not Path(model).is_file():
                hint = "name the file in it that ends in .ckpt"
                raise InputError(f"{self.label}: {model!r} is not a checkpoint", hint=hint)
        elif not self.downloads and not model_revision(model):
            raise InputError(
                f"{self.label}: the model {model!r} is neither a file nor in the hub's cache, {hub_folder()}",
                hint=("to fetch it once: ", Way("--allow-download", "truegain score --allow-download")),
            )

    def _read(self, path: Path) -> NDArray[np.float64]:
        """Read the scores that the program wrote."""
        from truegain.readers.any_format import read_scores

        definition = self.definition
        try:
            tables = read_scores(str(path))
            if len(tables) != 1:
                raise InputError(f"scores of one system were expected; it has those of {len(tables)}")
            if tables[0].samples != (1, 1):
                raise InputError(f"the column {tables[0].id_column!r} names segments twice")
            ids = [int(one) for one in tables[0].ids or () if one.isdecimal()]
            if ids != sorted(ids):
                raise InputError(f"rows are in another order than segments, by the column {tables[0].id_column!r}")
            columns = tables[0].columns
            column = definition.column or next(iter(columns))
            if column not in columns or (definition.column is None and len(columns) > 1):
                raise InputError(f"the columns of numbers are {', '.join(map(repr, columns))}")
            return columns[column]
        except InputError as error:
            said = error.message if error.line is None else f"line {error.line:,}: {error.message}"
            raise InputError(
                f"{definition.label}: the result of {definition.command[0]!r} cannot be read: {said}",
                hint=f"{definition.result} was expected"
                + (
                    "; column names the one of scores" if definition.column is None else f", with {definition.column!r}"
                ),
            ) from error

    def advice(self, outputs: Sequence[str], name: str) -> list[Note]:
        """Say that line breaks within outputs were taken for spaces: programs read a segment per line."""
        broken = sum(one_line(line) != line for line in outputs)
        if not broken or "jsonl" in self.definition.places:
            return []
        return [Note("line-breaks", f"{self.label} saw line breaks within outputs ({broken:,}) as spaces", file=name)]

    def prepare(self, references: References) -> References:
        """Return the references as they are."""
        return references

    def statistics(self, hypotheses: Any, references: Any) -> NDArray[np.float64]:
        """Refuse: what scores one run at a time would start the program for each."""
        raise InputError(
            f"{self.label} scores all runs in one call, which is not done here",
            hint=("score with it first, and give the scores: ", Setting("metrics", ("scores",))),
        )


def _is_whole(text: str) -> bool:
    """Return whether a text can be written to a file: it has no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _comet_here() -> str | None:
    """Return the version of COMET in this interpreter, if its program would give the same scores: since 2.2.5."""
    version = package_here(_COMET)
    numbers = [int(part) for part in (version or "").split(".")[:3] if part.isdecimal()]
    return version if numbers >= [2, 2, 5] else None


def make_scorer(definition: Definition, settings: dict[str, str]) -> Scorer:
    """Make a scorer from settings as text."""
    parsed = parse_settings(ScorerSettings, definition.name, settings)
    return Scorer(definition, ScorerSettings(**parsed), downloads_allowed())
