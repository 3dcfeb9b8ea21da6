"""The metrics that COMET computes: what tables call them, their models, and what these read."""

from __future__ import annotations

from dataclasses import dataclass

#: COMET's program, and the package that it belongs to.
PROGRAM, PACKAGE = "comet-score", "unbabel-comet"


@dataclass(frozen=True)
class Definition:
    """A metric that COMET computes.

    Attributes
    ----------
    name : str
        By which it is asked for.
    label : str
        What tables call it.
    model : str
        The model, unless another is asked for.
    reads : frozenset of str
        "source", "reference", or both: what is scored besides outputs.
    """

    name: str
    label: str
    model: str
    reads: frozenset[str]


_BOTH = frozenset(("source", "reference"))

#: All of them, by name.
DEFINITIONS: dict[str, Definition] = {
    one.name: one
    for one in (
        Definition("comet", "COMET", "Unbabel/wmt22-comet-da", _BOTH),
        Definition("cometkiwi", "CometKiwi", "Unbabel/wmt22-cometkiwi-da", frozenset(("source",))),
        Definition("xcomet", "xCOMET", "Unbabel/XCOMET-XL", _BOTH),
    )
}
