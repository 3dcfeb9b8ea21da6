"""``python -m truegain``."""

from truegain.cli.main import main

main()
