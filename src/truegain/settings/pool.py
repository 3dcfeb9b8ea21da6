"""The options of ``pool`` and ``run``."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any, Literal

from truegain.settings.compare import Comparing, NullGain
from truegain.settings.groups import (
    Computing,
    Development,
    GainIntervals,
    Grouping,
    Scoring,
    StandardErrors,
    TrainingSamples,
    Units,
)
from truegain.settings.option import Option, Options

if TYPE_CHECKING:
    from truegain.corpus import Corpus


class _Corpora(Options, kw_only=False, first=True):
    corpora: Annotated[
        "Sequence[Corpus] | Mapping[str, Any]",
        Option(
            "One corpus per test set (:func:`truegain.read_corpus` reads them), with the same systems and a name of "
            "its own; or by name, each a corpus, or references, systems and, if known, documents.",
            flags=(),
            key="",
            text="sequence of Corpus, or mapping of str to Corpus or tuple",
        ),
    ]


class _UnitsOfSets(Units):
    unit: Annotated[
        Literal["auto", "segment", "document", "domain"],
        Option(
            "Unit of resampling within each test set; auto: documents if they are known, else segments.",
            comment="documents where they are known, else segments",
        ),
    ] = "auto"


class PoolOptions(
    Grouping,
    _Corpora,
    Development,
    TrainingSamples,
    Comparing,
    NullGain,
    GainIntervals,
    StandardErrors,
    _UnitsOfSets,
    Scoring,
):
    """The options of :func:`truegain.pool`, and of experiment files."""


class _Experiment(Options, kw_only=False, first=True):
    experiment: Annotated[
        str | PathLike[str],
        Option("A TOML file, see docs/experiments.md; :func:`truegain.read_experiment` only reads it.", flags=()),
    ]


class RunOptions(_Experiment, Computing):
    """The options of :func:`truegain.run`."""
