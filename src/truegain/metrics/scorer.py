"""Metrics that COMET computes, by its package or its program."""

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
from truegain.scorers.definition import DEFINITIONS, PACKAGE, Definition
from truegain.scorers.downloads import downloads_allowed
from truegain.scorers.program import Segments, checked, find_program, has_gpu, one_line, run_program
from truegain.scorers.versions import hub_folder, model_revision, package_here, program_version


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
        "package" to score in this process, "program" by ``comet-score``, "auto" for the package where it is installed.
    """

    model: str | None = None
    batch_size: int = 16
    gpus: int | None = None
    via: str = "auto"


@dataclass(frozen=True)
class Scorer(RatioOfScores):
    """Mean of the scores that COMET gives to segments.

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
    higher_is_better: ClassVar[bool] = True

    def __post_init__(self) -> None:
        name, settings = self.definition.name, self.settings
        if settings.batch_size < 1:
            raise InputError(f"{name}:batch_size must be 1 or more; got {settings.batch_size}")
        if settings.gpus is not None and settings.gpus < 0:
            raise InputError(f"{name}:gpus must be 0 or more; got {settings.gpus}")
        if settings.model is not None and (settings.model[:1] in ("", "-") or not settings.model.isprintable()):
            raise InputError(
                f"{name}:model cannot be {settings.model!r}", hint="a name or a path, which does not begin with -"
            )
        if settings.via not in ("auto", "package", "program"):
            raise InputError(f"{name}:via must be auto, package or program; got {settings.via!r}")
        if settings.via == "package" and _comet_here() is None:
            raise InputError(
                f"{name}: the package {PACKAGE} is not installed, or is older than 2.2.5",
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
    def needs(self) -> frozenset[str]:
        """The texts that are scored besides outputs: "source", "reference", or both."""
        return self.definition.reads

    @property
    def model(self) -> str:
        """The model that is used."""
        return self.settings.model or self.definition.model

    @property
    def _in_process(self) -> bool:
        return self.settings.via != "program" and _comet_here() is not None

    def _version(self) -> str:
        return _comet_here() or "" if self._in_process else program_version(self.definition)

    def signature(self, references: int | str = 1) -> str:
        """Name the model with its revision, and the program or package with its version."""
        known = {} if "reference" not in self.needs else {"nrefs": references}
        known["model"] = self.model
        if revision := model_revision(self.model):
            known["revision"] = revision
        return signature(**known, by=f"{PACKAGE} {self._version()}")

    @property
    def identity(self) -> str:
        """Everything that scores depend on besides the texts; it changes when a model is fetched."""
        return "\n".join((self.name, f"{self.model}|{model_revision(self.model)}", self._version()))

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
        self._check_model()
        if self._in_process:
            from truegain.scorers.comet_package import comet_scores

            found = comet_scores(
                segments,
                self.model,
                batch_size=self.settings.batch_size,
                gpus=self.settings.gpus,
                downloads=self.downloads,
                progress=progress,
            )
            return checked(found, self.definition, len(segments))
        gpus = int(has_gpu()) if self.settings.gpus is None else self.settings.gpus
        return run_program(
            self.definition,
            segments,
            # The program runs in another folder than this.
            model=str(Path(self.model).resolve()) if Path(self.model).exists() else self.model,
            batch_size=self.settings.batch_size,
            gpus=gpus,
            downloads=self.downloads,
            progress=progress,
        )

    def _check_model(self) -> None:
        """Refuse a model that COMET would look for elsewhere, or fetch without leave."""
        model = self.model
        if Path(model).exists():
            if not model.endswith(".ckpt") or not Path(model).is_file():
                hint = "name the file in it that ends in .ckpt"
                raise InputError(f"{self.label}: {model!r} is not a checkpoint", hint=hint)
        elif not self.downloads and not model_revision(model):
            raise InputError(
                f"{self.label}: the model {model!r} is neither a file nor in the hub's cache, {hub_folder()}",
                hint=("to fetch it once: ", Way("--allow-download", "truegain score --allow-download")),
            )

    def advice(self, outputs: Sequence[str], name: str) -> list[Note]:
        """Say that line breaks within outputs were taken for spaces: programs read a segment per line."""
        broken = sum(one_line(line) != line for line in outputs)
        if not broken:
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
    version = package_here()
    numbers = [int(part) for part in (version or "").split(".")[:3] if part.isdecimal()]
    return version if numbers >= [2, 2, 5] else None


def make_scorer(name: str, settings: dict[str, str]) -> Scorer:
    """Make a scorer from its name, and settings as text."""
    parsed = parse_settings(ScorerSettings, name, settings)
    return Scorer(DEFINITIONS[name], ScorerSettings(**parsed), downloads_allowed())
