"""Steps that a signal does not cut in two."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back what the program does on signals until the step within is done.

    Only handlers in Python are held back, so a signal that ends the process or is ignored still does or is. A second
    Ctrl-C is not held back: the step may be stuck.
    """
    if threading.current_thread() is not threading.main_thread():  # handlers run in the main thread alone
        yield
        return
    held: list[tuple[int, FrameType | None]] = []

    def hold(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and any(before == number for before, _ in held):
            raise KeyboardInterrupt
        held.append((number, frame))

    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handlers = {number: handler for number in numbers if callable(handler := signal.getsignal(number))}
    try:
        for number in handlers:
            signal.signal(number, hold)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number, frame in held[:1]:
            handlers[number](number, frame)
