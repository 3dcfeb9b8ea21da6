"""Parts of pairs that are not rows in a form: files of lines, empty folders, other commands."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fuzz.choices import Choices
from fuzz.held import file, folder
from fuzz.pairs.asked import Outcome
from fuzz.pairs.drawn import Drawn, draw
from fuzz.pairs.written import FORMS

__all__ = ["PLAIN", "draw_form", "figures", "file_of", "home_of", "put", "silently"]

PLAIN = FORMS["lines of scores"]


def file_of(name: str, values: Sequence[object]) -> str:
    """Return the path of a file of lines."""
    path = folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return file(name, "".join(f"{one}\n" for one in values))


def draw_form(choices: Choices, name: str = "TSV") -> Drawn:
    """Draw rows for the form of that name."""
    return draw(choices, name, FORMS[name])


def home_of(name: str) -> Path:
    """Return an empty folder."""
    home = folder() / name
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    return home


def put(path: Path, values: Sequence[object]) -> None:
    """Write lines to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{one}\n" for one in values), encoding="utf-8")


def silently(*arguments: str) -> None:
    """Run a command that must succeed."""
    import contextlib
    import io

    from truegain.cli.main import main

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            main([*arguments])
        except SystemExit as stop:
            if stop.code:
                raise AssertionError(f"{arguments}: {said.getvalue()}") from None


def figures(outcome: Outcome) -> Outcome:
    """Keep the scores of systems and the differences: what a test set says alone, or in a file of experiments."""
    if outcome.answer is None:
        return outcome
    found = _inside(outcome.answer[1])
    return Outcome((0, found), outcome.said, outcome.message)


def _inside(data: Any) -> Any:
    if isinstance(data, dict) and {"comparisons", "systems"} <= data.keys():
        kept = ("metric", "baseline", "system", "delta", "p", "ci", "n_units")
        return {
            "systems": [{key: one[key] for key in ("name", "metric", "runs", "score")} for one in data["systems"]],
            "comparisons": [{key: one[key] for key in kept} for one in data["comparisons"]],
        }
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return next((found for part in parts if (found := _inside(part)) is not None), None)
