"""``python -m truegain``."""

from truegain.cli.start import main

main()
