"""Tables and sentences as data, one renderer for each format, and files written whole."""

from __future__ import annotations

from pathlib import Path

from truegain.atomic_write import is_stream, replace_file, sweep, umask
from truegain.errors import InputError
from truegain.file_roles import check_write

__all__ = ["DATA_FORMATS", "ENDINGS", "FORMATS", "LAYOUTS", "LAYOUT_FORMATS", "write_atomically"]

#: The formats of documents, and of records and results.
FORMATS = ("terminal", "md", "latex", "json", "csv", "tsv", "html")
#: Those that programs read: numbers with all their digits.
DATA_FORMATS = ("json", "csv", "tsv")
#: Which format a file's ending stands for.
ENDINGS = {
    ".md": "md",
    ".tex": "latex",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".html": "html",
    ".txt": "terminal",
}
#: How a document may be laid out: everything there is to know, or one table to be pasted into a paper.
LAYOUTS = ("full", "paper", "multeval")
#: The formats that have other layouts than ``full``.
LAYOUT_FORMATS = ("terminal", "md", "latex")


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Write a file at once: the old one stays until the new one is whole; write to a pipe or a device as it is."""
    check_write(path)
    data = content.encode() if isinstance(content, str) else content
    try:
        if is_stream(path):
            with Path(path).open("wb") as stream:
                stream.write(data)
            return
        target = Path(path).resolve()  # a link stays a link, to the new file
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask()
        # A name of the greatest length, 255 bytes, has no room for more: 50 characters are 200 bytes at most.
        names = {"prefix": f".{target.name[:50]}.", "suffix": ".new"}
        sweep(target.parent, **names)
        replace_file(target, data, mode=mode, durable=True, **names)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, as Python before 3.13 has it
        raise InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", path=str(path)) from error
