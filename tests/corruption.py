"""Outputs of made-up systems: references of which some words are wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def corrupted(lines: Sequence[str], share: float, seed: int) -> list[str]:
    """Replace this share of the words by wrong ones."""
    generator = np.random.default_rng(seed)
    return [
        " ".join(word if generator.random() > share else f"x{generator.integers(9)}" for word in line.split())
        for line in lines
    ]


#: Forty references of ten words.
WORDS = [" ".join(f"w{i}" for i in row) for row in np.random.default_rng(0).integers(0, 30, (40, 10))]
