"""Pages of docs/studies: commands, the parts of their output that a reader needs, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Numbers", "Page", "Step", "columns"]

#: The rows of a table in the results of a page's commands, each with the number of its step, from 1.
Numbers = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class Step:
    """A command, what to say before it, and the figure that it draws.

    Attributes
    ----------
    shown : tuple of str, optional
        How the paragraphs begin that the page shows. Without any, the page shows the figure; without a figure, the
        step is in the file of outputs alone.
    """

    before: str
    command: str
    figure: str | None = None
    shown: tuple[str, ...] = ()

    @property
    def typed(self) -> str:
        """The command as the page has it."""
        return self.command.replace("FIGURE", self.figure or "")

    def excerpt(self, output: str) -> str:
        """Return the paragraphs to show."""
        paragraphs = output.strip("\n").split("\n\n")
        if missing := [start for start in self.shown if not any(one.startswith(start) for one in paragraphs)]:
            raise ValueError(f"no paragraph begins with {missing[0]!r}: {self.typed}")
        return "\n\n".join(one for one in paragraphs if one.startswith(self.shown))

    def section(self, output: str) -> str:
        """Return the part of the page."""
        made = f"{self.before}\n\n```text\n$ {self.typed}\n```\n"
        if self.shown:
            excerpt = self.excerpt(output)
            below = "" if excerpt == output.strip("\n") else "\n…"
            made += f"\n```text\n{excerpt}{below}\n```\n"
        if self.figure:
            made += f"\n![{self.before.splitlines()[0].lstrip('# ')}](figures/{self.figure})\n"
        return made


@dataclass(frozen=True)
class Page:
    """A page of docs/studies.

    Attributes
    ----------
    beside : callable, optional
        Make a section of the numbers in the commands' results, before the closing: a paper's figures next to them.
    """

    name: str
    title: str
    opening: str
    steps: tuple[Step, ...]
    closing: str
    beside: Callable[[Numbers], str] | None = None

    def text(self, printed: Sequence[str], numbers: Numbers = ()) -> str:
        """Return the page, given the output of its commands, and numbers in their results."""
        parts = [f"# {self.title}\n", self.opening]
        parts += [
            step.section(output)
            for step, output in zip(self.steps, printed, strict=True)
            if step.shown or step.figure is not None
        ]
        if self.beside is not None:
            parts.append(self.beside(numbers))
        parts.append(self.closing)
        parts.append(
            f"Made by `python -m benchmarks.studies {self.name}`; all output: "
            f"[{self.name}.txt](data/{self.name}.txt).\n"
        )
        return "\n".join(parts)

    def outputs(self, printed: Sequence[str]) -> str:
        """Return all commands with what they printed."""
        return "\n".join(
            f"$ {step.typed}\n{output.rstrip()}\n" for step, output in zip(self.steps, printed, strict=True)
        )

    def printed(self, outputs: str) -> list[str]:
        """Return what each command printed; reverse :meth:`outputs`."""
        found, rest = [], outputs
        for step, following in zip(self.steps, (*self.steps[1:], None), strict=True):
            _, _, rest = rest.partition(f"$ {step.typed}\n")
            output = rest.partition(f"\n$ {following.typed}\n")[0] if following else rest
            found.append(output)
        return found


def columns(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of plain text, which has fewer words than one of Markdown."""
    lines = [headings, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headings))]
    shown = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)
    return "\n".join(["```text", *shown, "```"])
