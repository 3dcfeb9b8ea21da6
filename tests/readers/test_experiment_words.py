"""Errors in the words of an experiment file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import truegain
from truegain.errors import InputError
from truegain.readers.experiment_words import in_its_words


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("give them: --docs FILE", 'give them: documents = "FILE"'),
        ("Documents given with --docs are used instead", "Documents given with documents are used instead"),
        ("leave out --strata, or take another --unit", "leave out strata, or take another unit"),
        ("use --test ar or bootstrap, or --adjust holm", 'use test = "ar" or bootstrap, or adjust = "holm"'),
        ("take another --interval: percentile, basic or normal", "take another interval: percentile, basic or normal"),
        ("give them: --scores new=FILE", 'give them: scores = {new = "FILE"}'),
        (
            "in the same order: --dev NAME='dev/NAME.*.txt'",
            'in the same order: development.systems = {NAME = "dev/NAME.*.txt"}',
        ),
        ("score it with -m las (or uas)", 'score it with metrics = "las" (or uas)'),
        ("without --ref: -m scores:column=comet", 'without reference: metrics = "scores:column=comet"'),
        ("one of them is in well-known use", "one of them is in well-known use"),
    ],
)
def test_options_become_keys(said: str, expected: str) -> None:
    found = in_its_words(InputError(said, hint=said), "e.toml")
    assert (found.message, found.hint, found.path) == (expected, expected, "e.toml")
    assert in_its_words(InputError("x", path="y.txt", line=3), "e.toml").line == 3


def test_no_option_is_left_in_what_scoring_and_testing_say() -> None:
    """Every option that these rooms name in an error has a key, but those that a file has no use for."""
    root = Path(truegain.__file__).parent
    paths = [
        *root.glob("procedures/*.py"),
        *root.glob("experiment/*.py"),
        *sorted((root / "statistics").glob("*.py")),
        root / "readers/corpora.py",
    ]
    hints = [
        hint for path in paths for hint in re.findall(r'"([^"\n]*--[a-z][^"\n]*)"', path.read_text(encoding="utf-8"))
    ]
    assert len(hints) > 10
    for hint in hints:
        assert "--" not in str(in_its_words(InputError(hint), "e.toml")), hint
