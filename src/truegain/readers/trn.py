"""The trn format of speech recognition: words, then the utterance's id in parentheses."""

from __future__ import annotations

import re

from truegain.errors import InputError
from truegain.readers.formats import File, Format, Layout
from truegain.readers.plain import Lines

_NOT_IN_IDS = re.compile(r"[()\s]")


def _read(file: File, layout: Layout) -> Lines:
    """Read utterances with their ids; empty lines and comments (``;;``) are passed over, as sclite does."""
    source = file.lines
    texts, ids = [], []
    for number, line in enumerate(source.lines, 1):
        if not line.strip() or line.startswith(";;"):
            continue
        # From the end: a pattern for the whole line would look at every blank of it from every other.
        kept = line.rstrip()
        text, opened, identity = kept[:-1].rpartition("(")
        if not (kept.endswith(")") and opened and identity) or _NOT_IN_IDS.search(identity):
            raise InputError(
                "the line does not end in an utterance id",
                path=source.name,
                line=number,
                hint="words words (speaker-01)",
            )
        texts.append(text.rstrip())
        ids.append(identity)
    if not texts:
        raise InputError("there are no utterances in it", path=source.name)
    return Lines(source.name, texts, source.notes, tuple(ids))


FORMAT = Format("utterances of speech in trn, words and then an id in parentheses", text=_read)
