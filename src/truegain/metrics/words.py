"""Words as most metrics compare them: lines in the case and the tokenisation asked for, references numbered once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from truegain.metrics.base import References, segment_references
from truegain.metrics.pairs import require_references
from truegain.text.tokenizers import split_into_words
from truegain.text.words import Spans, Vocabulary


class PreparedWords(NamedTuple):
    """References tokenised and numbered; those of segment ``i`` are ``groups[i]`` to ``groups[i + 1]``."""

    vocabulary: Vocabulary
    groups: NDArray[np.int64]


def prepared_words(references: References, split: Callable[[Sequence[str]], Spans]) -> PreparedWords:
    """Assign numbers to the words that references are split into; refuse a segment without references."""
    lines, groups = segment_references(references)
    require_references(groups)
    return PreparedWords(Vocabulary(split(lines)), groups)


def words_of(lines: Sequence[str], *, lowercase: bool, tokenize: str, model: str | None) -> Spans:
    """Return the words of lines, in lowercase or as they are."""
    return split_into_words([line.lower() for line in lines] if lowercase else lines, tokenize, model)
