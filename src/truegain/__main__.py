"""``python -m truegain``."""

import signal

# Ctrl-C while libraries are loaded ends the process at once: an import may make another error of it.
_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if _ours:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from truegain.cli.main import main  # noqa: E402

if _ours:
    signal.signal(signal.SIGINT, signal.default_int_handler)

main()
