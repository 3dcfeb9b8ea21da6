"""Standard streams, and signals that ask a command to end: Ctrl-C, SIGTERM and SIGHUP unwind it, each with its code."""

from __future__ import annotations

import codecs
import errno
import io
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from truegain.errors import InputError

_ERRORS = "truegain.legible"
_REPLACED = ("strict", "backslashreplace", "surrogateescape")  # the last is Python's own in the locale C
_OURS = Path(__file__).parents[1]
_PLAIN = {
    **dict.fromkeys("−–—─·", "-"),
    **dict.fromkeys("’‘", "'"),
    **dict.fromkeys("“”„", '"'),
    **{"Δ": "D", "δ": "d", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "±": "+-", "×": "x", "…": "...", "√": "sqrt "},
    **{"→": "->", "↑": "^", "↓": "v", "²": "^2", "χ": "chi", "†": "+", "‡": "++", "✅": "passed", "❌": "failed"},
}


class ReaderLeft(Exception):
    """Whoever read standard output has left: nothing to say, and nobody to say it to."""


def prepare() -> None:
    """Open what is closed, let encodings that lack a character show it in other letters, and warn in plain lines.

    A stream that is closed would have its number taken by the next file that is opened, and what others write to that
    number would end up there. What is put in its place can only fail: so that nothing is lost in silence.
    """
    for name, flags in (("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, flags)  # the lowest number that is free: its own
            os.set_inheritable(number, number <= 2)
            if name != "stdin":
                setattr(sys, name, open(number, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - by its number
    codecs.register_error(_ERRORS, _legible)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in _REPLACED:
            stream.reconfigure(errors=_ERRORS)
    warnings.showwarning = partial(_warn, warnings.showwarning)


def _warn(usual: Callable[..., None], message: Warning | str, category: type[Warning], file: str, *place: Any) -> None:
    """Say a warning of ours as notes are said: where it stands in the source helps nobody here."""
    if Path(file).is_relative_to(_OURS):
        say(f"truegain: {message}")
    else:
        usual(message, category, file, *place)


def echo(text: str | bytes, *, nl: bool = True, color: bool | None = None) -> None:
    """Write to standard output; bytes as they are, if it is a file or a pipe."""
    import click

    with to_output():
        click.echo(text, file=sys.stdout, nl=nl, color=color)


def wants_colour() -> bool:
    """Return whether standard output gets colours: on a terminal, or with FORCE_COLOR; never with NO_COLOR."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def say(text: str) -> None:
    """Write to standard error; go on if that fails."""
    import click

    try:
        click.echo(text, file=sys.stderr)
    except OSError:
        _discard(sys.stderr)


@contextmanager
def to_output() -> Iterator[None]:
    """Tell what fails while standard output is written to from what befalls other files; drop what is left for it.

    Raises
    ------
    ReaderLeft
    InputError
        If it cannot be written to for another reason.
    """
    try:
        yield
    except BrokenPipeError as error:
        _discard(sys.stdout)
        raise ReaderLeft from error
    except OSError as error:
        _discard(sys.stdout)
        raise _closed() if error.errno == errno.EBADF else InputError(f"standard output: {error.strerror}") from error


def _closed() -> InputError:
    return InputError("standard output is closed", hint="a result can go to a file: -o FILE")


def _discard(stream: TextIO) -> None:
    """Let what is left in a stream go nowhere: else Python would try once more, and end with a code of its own."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def _legible(error: UnicodeError) -> tuple[str, int]:
    """Spell in ASCII what an encoding lacks: signs by others that read the same, letters by their numbers."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    spelled = (_PLAIN.get(letter) or letter.encode("ascii", "backslashreplace").decode() for letter in lacking)
    return "".join(spelled), error.end


_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_AGAIN = 5.0  # seconds: whoever ends a group of processes may send the same signal twice

_received: list[tuple[float, int]] = []


def hear() -> None:
    """End by unwinding, so that folders are removed and workers ended; a signal that is ignored stays so (nohup)."""
    if signal.getsignal(signal.SIGINT) in (signal.SIG_DFL, signal.default_int_handler):
        signal.signal(signal.SIGINT, _interrupt)
    for number in _ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)


def ignore() -> None:
    """Ignore everything except Ctrl-C during what is done at the very end."""
    for number in _ENDING:
        if signal.getsignal(number) is _interrupt:
            signal.signal(number, signal.SIG_IGN)


def received() -> str | None:
    """Name the signal that asked for the end; None if none did."""
    if not _received:
        return None
    number = _received[0][1]
    return "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"


def exit_code() -> int:
    """Return 128 and the number of the signal, as shells have it: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP."""
    return 128 + (_received[0][1] if _received else signal.SIGINT)


def _interrupt(number: int, _: FrameType | None) -> None:
    now = time.monotonic()
    if number != signal.SIGINT and _received and now - _received[-1][0] < _AGAIN:
        return
    _received.append((now, number))
    raise KeyboardInterrupt
