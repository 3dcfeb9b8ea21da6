"""Check that workers can be started under the limit of open files: halfway, libraries fail in words of their own."""

from __future__ import annotations

import os

from truegain.errors import InputError, Setting


def need_open_files(count: int, what: str) -> None:
    """Raise InputError unless ``count`` more files can be opened now; none of them is kept.

    Parameters
    ----------
    count : int
    what : str
        What needs them, for the message.
    """
    opened: list[int] = []
    try:
        for _ in range(count):
            opened.append(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        raise InputError(
            f"{what} cannot be started: {error.strerror or error} ({count:,} more are needed)",
            hint=(
                "raise the limit of open files (ulimit -n), use fewer ",
                Setting("jobs"),
                ", or leave out ",
                Setting("engine"),
            ),
        ) from error
    finally:
        for number in opened:
            os.close(number)
