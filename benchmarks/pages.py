"""Pages of docs/studies: commands, what they print, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Page", "Step"]


@dataclass(frozen=True)
class Step:
    """A command, what to say before it, and the figure that it draws."""

    before: str
    command: str
    figure: str | None = None


@dataclass(frozen=True)
class Page:
    """A page of docs/studies.

    Attributes
    ----------
    beside : callable, optional
        Make a section of what the commands printed, before the closing: figures of a paper next to them.
    """

    name: str
    title: str
    opening: str
    steps: tuple[Step, ...]
    closing: str
    beside: Callable[[Sequence[str]], str] | None = None

    def text(self, printed: Sequence[str]) -> str:
        """Return the page with what the commands printed."""
        parts = [f"# {self.title}\n", self.opening]
        for step, output in zip(self.steps, printed, strict=True):
            shown = step.command.replace("FIGURE", step.figure or "")
            parts.append(f"{step.before}\n\n```text\n$ {shown}\n```\n\n```text\n{output.rstrip()}\n```\n")
            if step.figure:
                parts.append(f"![{step.before.splitlines()[0].lstrip('# ')}](figures/{step.figure})\n")
        if self.beside is not None:
            parts.append(self.beside(printed))
        parts.append(self.closing)
        again = f"python -m benchmarks.studies {self.name}"
        parts.append(f"Made by `{again}`, which runs these commands; do not edit the figures by hand.\n")
        return "\n".join(parts)
