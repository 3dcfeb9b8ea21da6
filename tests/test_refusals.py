"""The helper that holds errors fails where they say too little."""

from __future__ import annotations

import pytest

from tests.refusals import kinds, refused
from truegain.errors import InputError, Setting
from truegain.notes import Note


def test_what_an_error_must_name() -> None:
    error = InputError("3 of 5", path="docs.txt", line=7, hint=("give ", Setting("unit", "segment")))

    def read() -> None:
        raise error

    with refused("unit", path="docs.txt", line=7, naming=[3, "5"]):
        read()
    for options, place, naming in (
        (["docs"], {"path": "docs.txt"}, []),
        (["unit"], {"path": "other.txt"}, []),
        (["unit"], {"line": 6}, []),
        (["unit"], {}, [4]),
    ):
        with pytest.raises(AssertionError), refused(*options, **place, naming=naming):
            read()
    with pytest.raises(pytest.fail.Exception), refused():
        pass


def test_kinds_of_notes() -> None:
    assert kinds([Note("same", "a"), Note("same", "b"), Note("few-runs", "c")]) == {"same", "few-runs"}
