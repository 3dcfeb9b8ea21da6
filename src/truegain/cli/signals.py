"""Signals that ask a command to end: Ctrl-C, SIGTERM and SIGHUP unwind it, each with an exit code of its own."""

from __future__ import annotations

import signal
import time
from types import FrameType

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
