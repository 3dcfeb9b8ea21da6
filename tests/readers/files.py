"""Files that tests of readers write."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import zstandard

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.compress,
}


def write(path: Path, content: str | Iterable[object]) -> str:
    """Write a text as it is, or a line for each row, in JSON if it is an object; return the path."""
    if not isinstance(content, str):
        content = "".join(f"{json.dumps(row) if isinstance(row, dict) else row}\n" for row in content)
    path.write_text(content, encoding="utf-8", newline="")
    return str(path)


def location(path: str | Path, line: int | None) -> str:
    """Return what an error begins with that was found in this line, or in no line of its own."""
    return f"{path}: " if line is None else f"{path}:{line}: "


class Record:
    """Keeps what a scanner of markup tells; a segment is open from its tag on."""

    def __init__(self) -> None:
        self.seen: list[object] = []
        self.inside = False

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        self.inside = tag == "seg"
        self.seen.append((tag, dict(attributes), line))

    def end(self, tag: str) -> None:
        self.inside = False
        self.seen.append(f"/{tag}")

    def text(self, data: str) -> None:
        if data.strip():
            self.seen.append(data)
