"""Messages for GitHub's workflows."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from truegain.errors import InputError
from truegain.file_roles import check_write, writes

if TYPE_CHECKING:
    from truegain.studies.gate import GateResult

_FOLDED = ("methods", "signature")


def in_a_workflow() -> bool:
    """Return whether this is a step of a workflow."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def error_annotation(title: str, message: str) -> str:
    """Return a line that marks the build with an error; everything in it is escaped as workflow commands want it."""
    return f"::error title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def step_summary(result: GateResult) -> str:
    """Return the result in GitHub's Markdown: the verdict as its heading, and methods to be unfolded."""
    from truegain.report import markdown
    from truegain.report.model import Document, Paragraph, Passages, Table

    heading, *more = (Paragraph(finding.text) for finding in result.findings)
    shown: list[Table | Paragraph | Passages] = [*more]
    folded: list[Table | Paragraph | Passages] = []
    for item in result.rounded().document().items:
        kind = getattr(item, "kind", "")
        if kind in _FOLDED:
            folded.append(item)
        elif kind not in ("headline", "title"):
            shown.append(item)
    parts = [
        f"### {'✅' if result.passed else '❌'} {markdown.text(Document((heading,)))}",
        markdown.text(Document(tuple(shown))),
        "<details>\n<summary>Methods, and how to repeat it</summary>\n",
        markdown.text(Document(tuple(folded))),
    ]
    if result.command:
        parts.append(_fenced(result.command))
    return "\n".join([*parts, "</details>"]) + "\n\n"


def _fenced(command: str) -> str:
    """Write a block of code, in a fence that is longer than any within it."""
    longest = max((len(run) for run in re.findall(r"`+", command)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sh\n{command}\n{fence}\n"


def check_appendable(path: str) -> None:
    """Check before any work is done that the file can be written."""
    writes(path)
    if Path(path).is_dir():
        raise InputError("this is a directory; a file was expected", path=path)
    if not Path(path).resolve().parent.is_dir():
        raise InputError("cannot be written: there is no such directory", path=path)


def append(path: str, text: str) -> None:
    """Add a text to the end of a file, which other steps may have begun."""
    check_write(path)
    try:
        content = text.encode(errors="replace")
        with Path(path).open("ab") as stream:
            stream.write(content)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from error
