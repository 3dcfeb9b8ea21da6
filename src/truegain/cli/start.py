"""Entry point of the process: ``truegain`` and ``python -m truegain``."""

import gc
import signal
import sys

_OBJECTS = 100_000  # made between two searches for garbage: modules and results are kept, and searched in vain


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends the process at once.

    A library that is interrupted while it is imported may make another error of it, which looks like a fault.
    """
    gc.set_threshold(_OBJECTS)
    # Whoever ignores Ctrl-C, as shells do for work in the background, is left to it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from truegain.cli import streams

    streams.prepare()
    from truegain.cli.main import main as run

    try:
        streams.hear()
        run()
    except KeyboardInterrupt:  # between the two, or while the end is told of
        streams.say(f"truegain: {streams.received() or 'interrupted'}")
        sys.exit(streams.exit_code())
    finally:
        streams.ignore()
        gc.freeze()  # all memory goes back at once: to search it for garbage first would take longer than many tests
