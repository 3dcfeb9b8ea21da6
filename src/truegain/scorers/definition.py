"""Definitions of scorers: the command that scores segments, what it reads, and where it leaves its scores."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from truegain.errors import InputError, one_of

#: What stands in a command for a file or a setting, and what it becomes.
PLACEHOLDERS = {
    "source": "a file with the source of a segment per line",
    "output": "a file with an output per line",
    "reference": "a file with a reference per line",
    "jsonl": "all of these in one file: an object per line, with the keys source, hypothesis and reference",
    "result": "the file that the program writes its scores to; without it, they are read from its standard output",
    "model": "the model",
    "batch_size": "how many segments are scored at a time",
    "gpus": "the number of GPUs: 1 if there are any, else 0",
}
_PLACE = re.compile(r"\{([a-z_]*)\}")
_RESULTS = ("txt", "json", "jsonl", "csv", "tsv")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")


@dataclass(frozen=True)
class Definition:
    """A scorer.

    Attributes
    ----------
    name : str
        By which it is asked for.
    command : tuple of str
        The program and its arguments, with PLACEHOLDERS; no shell sees them.
    label : str
        What tables call it.
    reads : tuple of str
        "source", "reference", or both: what is scored besides outputs. By default what the command has places for.
    model : str, optional
        The model, unless another is asked for.
    result : str
        The kind of file that the program writes: "txt" (a number per line), "json", "jsonl", "csv" or "tsv".
    column : str, optional
        The column of scores in it; needless if there is only one.
    lower_is_better : bool
    limits : tuple of two numbers, optional
        The least and the greatest score.
    version : str, optional
        Of the program. If the package is known, its version is looked up.
    package : str, optional
        The Python package that the program belongs to.
    """

    name: str
    command: tuple[str, ...]
    label: str
    reads: tuple[str, ...] = ()
    model: str | None = None
    result: str = "txt"
    column: str | None = None
    lower_is_better: bool = False
    limits: tuple[float, float] | None = None
    version: str | None = None
    package: str | None = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InputError(
                f"a scorer cannot be named {self.name!r}", hint="small letters, digits, - and _, a letter first"
            )
        if not self.command or not self.command[0] or _PLACE.search(self.command[0]):
            raise InputError(f"the command of the scorer {self.name!r} must begin with a program")
        for place in self.places:
            if place not in PLACEHOLDERS:
                raise one_of(f"a placeholder of the scorer {self.name!r}", place, list(PLACEHOLDERS))
        if not {"output", "jsonl"} & self.places:
            raise InputError(f"the scorer {self.name!r} has no place for outputs", hint="write {output} or {jsonl}")
        if "model" in self.places and self.model is None:
            raise InputError(f"the scorer {self.name!r} has a place for a model and names none", hint='model = "NAME"')
        if self.result not in _RESULTS:
            raise one_of(f"the result of the scorer {self.name!r}", self.result, list(_RESULTS))
        if self.limits is not None and not self.limits[0] < self.limits[1]:
            raise InputError(f"the limits of the scorer {self.name!r} must be the least and the greatest score")
        if not self.reads and "jsonl" in self.places:
            raise InputError(
                f"what the scorer {self.name!r} reads besides outputs cannot be told from its command",
                hint='reads = ["source", "reference"]',
            )
        for one in self.reads:
            if one not in ("source", "reference"):
                raise one_of(f"what the scorer {self.name!r} reads", one, ["source", "reference"])
        texts = self.places & {"source", "reference"}
        if self.reads and not (texts <= {*self.reads} if "jsonl" in self.places else texts == {*self.reads}):
            raise InputError(
                f"the scorer {self.name!r} reads {' and '.join(self.reads)}, and its command has "
                f"{'places for ' + ' and '.join(sorted(texts)) if texts else 'no place for them'}",
                hint="leave out reads: the places of the command tell",
            )
        if self.model is not None:
            check_value(self.model, f"the model of the scorer {self.name!r}")

    @property
    def places(self) -> frozenset[str]:
        """The placeholders of the command."""
        return frozenset(place for part in self.command for place in _PLACE.findall(part))

    @property
    def needs(self) -> frozenset[str]:
        """The texts that are scored besides outputs: "source", "reference", or both."""
        return frozenset(self.reads) or self.places & {"source", "reference"}

    @property
    def lasting(self) -> bool:
        """True if scores may be kept between calls: the version is known, or the scorer is one that needs none."""
        return self.version is not None or self.package is not None or BUILT_IN.get(self.name) == self

    def filled(self, values: Mapping[str, str]) -> list[str]:
        """Return the command with a value in each place. A value stays within its argument, whatever it holds."""
        return [_PLACE.sub(lambda match: values[match[1]], part) for part in self.command]


def check_value(value: str, what: str) -> None:
    """Refuse a value that a program would take for an option, or that no argument can hold."""
    if not value or value.startswith("-") or not value.isprintable():
        raise InputError(f"{what} cannot be {value!r}", hint="a name or a path, which does not begin with -")


def _comet(name: str, label: str, model: str, *reads: str) -> Definition:
    files = {"source": ("--sources", "{source}"), "reference": ("--references", "{reference}")}
    return Definition(
        name,
        (
            *("comet-score", "--translations", "{output}"),
            *(part for one in reads for part in files[one]),
            *("--model", "{model}", "--batch_size", "{batch_size}", "--gpus", "{gpus}", "--to_json", "{result}"),
        ),
        label,
        model=model,
        result="json",
        column="COMET",
        package="unbabel-comet",
    )


#: The scorers that need no definition, by name.
BUILT_IN: dict[str, Definition] = {
    one.name: one
    for one in (
        _comet("comet", "COMET", "Unbabel/wmt22-comet-da", "source", "reference"),
        _comet("cometkiwi", "CometKiwi", "Unbabel/wmt22-cometkiwi-da", "source"),
        _comet("xcomet", "xCOMET", "Unbabel/XCOMET-XL", "source", "reference"),
        Definition(
            "metricx",
            (
                *("python3", "-m", "metricx24.predict", "--tokenizer", "google/mt5-xl"),
                *("--model_name_or_path", "{model}", "--max_input_length", "1536", "--batch_size", "{batch_size}"),
                *("--input_file", "{jsonl}", "--output_file", "{result}"),
            ),
            "MetricX",
            reads=("source", "reference"),
            model="google/metricx-24-hybrid-xl-v2p6",
            result="jsonl",
            column="prediction",
            lower_is_better=True,
            limits=(0.0, 25.0),
        ),
        Definition(
            "bleurt",
            (
                *("python3", "-m", "bleurt.score_files", "-candidate_file={output}", "-reference_file={reference}"),
                *("-bleurt_checkpoint={model}", "-bleurt_batch_size={batch_size}", "-scores_file={result}"),
            ),
            "BLEURT",
            model="BLEURT-20",
            package="BLEURT",
        ),
    )
}
