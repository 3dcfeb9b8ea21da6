"""Checks shared by metrics of structures (trees, links, tags): one reference, a structure for each segment."""

from __future__ import annotations

from collections.abc import Sequence

from truegain.errors import FILE, InputError, Setting
from truegain.metrics.base import References

#: Where an error is in the reference: whoever knows its file puts the name there.
REFERENCE = "the reference"


def only_reference(references: References, name: str) -> Sequence[str]:
    """Return the segments of the only reference; refuse any other number of references."""
    if len(references) != 1:
        raise InputError(
            f"{name} takes one reference; got {len(references)}", hint=("give one: ", Setting("references", FILE))
        )
    missing = next((number for number, one in enumerate(references[0], 1) if one is None), None)
    if missing is not None:
        raise InputError(f"segment {missing:,} has no reference", hint=f"{name} needs one for every segment")
    return references[0]  # type: ignore[return-value]


def require_as_many_tags(tags: Sequence[str], wanted: int, number: int) -> None:
    """Raise an error unless a segment has a tag for each of the reference's."""
    if len(tags) != wanted:
        raise InputError(
            f"sentence {number:,} has {len(tags)} tag{'s' if len(tags) != 1 else ''}, and the reference {wanted}",
            hint="a tag for each word, a line for each sentence, or words in columns (FILE.conll)",
        )
