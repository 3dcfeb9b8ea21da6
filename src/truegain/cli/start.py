"""Where the process begins: ``truegain`` and ``python -m truegain``."""

import signal

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends the process at once.

    A library that is interrupted while it is imported may make another error of it, which looks like a fault.
    """
    # Whoever ignores Ctrl-C, as shells do for work in the background, is left to it.
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from truegain.cli.main import main as run

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
