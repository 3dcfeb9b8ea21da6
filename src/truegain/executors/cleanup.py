"""Leave nothing behind: private folders that go with the program, and steps that a signal does not cut in two."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from truegain.errors import InputError

__all__ = ["TMPDIR", "private_folder", "start_tracker", "undisturbed"]

#: What to do where temporary files do not fit.
TMPDIR = "see that there is room, or name another folder by the variable TMPDIR"
_made: set[tuple[int, str]] = set()  # by which process, and where


@contextmanager
def private_folder(prefix: str, parent: str | None = None) -> Iterator[Path]:
    """Make a folder that only this user can look into, and remove it at the end.

    If a signal interrupts its removal, it is removed when the program ends.

    Parameters
    ----------
    prefix : str
    parent : str, optional
        By default the system's folder for temporary files.
    """
    with undisturbed():
        try:
            made = os.getpid(), tempfile.mkdtemp(prefix=prefix, dir=parent)  # of mode 0700
        except OSError as error:
            raise InputError(
                f"no folder can be made for temporary files: {error.strerror or error}", hint=TMPDIR
            ) from error
        _made.add(made)
    try:
        yield Path(made[1])
    finally:
        _remove(made)


def _remove(made: tuple[int, str]) -> None:
    with undisturbed():
        shutil.rmtree(made[1], ignore_errors=True)
        if not os.path.lexists(made[1]):
            _made.discard(made)


@atexit.register
def _remove_all() -> None:
    for made in list(_made):
        if made[0] == os.getpid():  # a copy of this process has no part in them
            _remove(made)


def start_tracker() -> None:
    """Start the process by which Python removes semaphores, if it does not run, so that it outlives SIGHUP.

    It ignores Ctrl-C and SIGTERM by itself. If it ended with its group, before the command, it would be started again
    and complain of what it does not know.
    """
    from multiprocessing import resource_tracker

    if not hasattr(signal, "pthread_sigmask"):
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})  # a process begins with the mask of its parent
    try:
        resource_tracker.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
