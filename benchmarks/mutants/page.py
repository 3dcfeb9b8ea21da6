"""docs/mutants.md: how many mutants the tests notice."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.csv_tables import link
from benchmarks.mutants.runner import Outcome

__all__ = ["TABLE", "Justified", "Verdict", "by_file", "page", "read_justified"]

TABLE = "mutants"

_OPENING = """\
# Do the tests notice mistakes?

`make mutants` puts small mistakes into the code that decides what is significant, one at a time, and runs the tests
that reach the line: a comparison turned or moved by its boundary, another arithmetic operator, a constant one larger,
a condition negated, a returned value or a statement lost, a minimum for a maximum. A mutant that no test notices is
*alive*: it is given a test, or a reason in `benchmarks/mutants/justified.toml`. A reason whose mutant has died or
gone makes the command fail.

Left alone are type hints, the words of messages, and `strict=True`, which is a check itself. A mutant is held against
at most {budget:g} seconds of tests, the quickest first; later ones do not count, so the score can only be too low.
One that does not come to an end counts as noticed. The score is the share noticed of all mutants, those included that
change nothing that could be noticed. By file: {files}.

"""


@dataclass(frozen=True)
class Justified:
    """Why some mutants of a function may live."""

    file: str
    where: str
    changes: tuple[str, ...]
    why: str

    @property
    def mutants(self) -> list[tuple[str, str]]:
        """The file and the key of each mutant."""
        return [(self.file, f"{self.where}: {change}") for change in self.changes]


@dataclass(frozen=True)
class Verdict:
    """Outcomes held against the reasons.

    Attributes
    ----------
    outcomes : sequence of Outcome
    justified : sequence of Justified
    """

    outcomes: Sequence[Outcome]
    justified: Sequence[Justified]

    @property
    def alive(self) -> list[Outcome]:
        """Mutants that no test noticed."""
        return [one for one in self.outcomes if one.killer is None]

    @property
    def unexplained(self) -> list[Outcome]:
        """Those that live without a reason."""
        known = {key for one in self.justified for key in one.mutants}
        return [one for one in self.alive if (one.file, one.key) not in known]

    @property
    def outlived(self) -> list[tuple[str, str]]:
        """Reasons whose mutant is dead, or is none."""
        alive = {(one.file, one.key) for one in self.alive}
        return [key for one in self.justified for key in one.mutants if key not in alive]

    @property
    def score(self) -> float:
        """The share noticed."""
        return 1.0 - len(self.alive) / len(self.outcomes) if self.outcomes else 1.0


def read_justified(path: Path) -> list[Justified]:
    """Return the reasons."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("mutants", [])
    return [Justified(one["file"], one["where"], tuple(one["changes"]), one["why"]) for one in entries]


def page(verdict: Verdict, budget: float, missing: Sequence[str] = ()) -> str:
    """Return the page; ``missing`` are files whose mutants have not been run as they are now."""
    lines = ["| code | mutants | noticed | alive | of these with a reason | score |", "|---|---:|---:|---:|---:|---:|"]
    lines += [f"| {' | '.join(row)} |" for row in _rows(verdict, lambda file: file.rpartition("/")[0] or file)]
    lines.append(f"| {' | '.join(_row('**all**', verdict))} |")
    text = _OPENING.format(budget=budget, files=link(TABLE)) + "\n".join(lines) + "\n"
    if missing:
        names = ", ".join(f"`{_short(file)}`" for file in missing)
        text += f"\nNot run as they are now, and not counted: {names}.\n"
    if verdict.unexplained:
        text += "\n## Alive without a reason\n\n```text\n"
        text += "".join(f"{one.file}: {one.key}\n" for one in verdict.unexplained) + "```\n"
    return text + "\nMade by `python -m benchmarks.mutants`; do not edit the figures by hand.\n"


def by_file(verdict: Verdict) -> list[list[str]]:
    """Return the table beside the page."""
    return [["file", "mutants", "noticed", "alive", "with a reason", "score"], *_rows(verdict, str)]


def _short(file: str) -> str:
    return file.removeprefix("src/truegain/")


def _rows(verdict: Verdict, group: Callable[[str], str]) -> list[list[str]]:
    parts: dict[str, list[Outcome]] = {}
    for one in sorted(verdict.outcomes, key=lambda one: one.file):
        parts.setdefault(group(_short(one.file)), []).append(one)
    return [_row(name, Verdict(part, verdict.justified)) for name, part in parts.items()]


def _row(name: str, verdict: Verdict) -> list[str]:
    total, alive = len(verdict.outcomes), len(verdict.alive)
    explained = alive - len(verdict.unexplained)
    return [name, f"{total:,}", f"{total - alive:,}", str(alive), str(explained), f"{100 * verdict.score:.1f} %"]
