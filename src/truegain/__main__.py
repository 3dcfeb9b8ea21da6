"""``python -m truegain``."""

from truegain.cli.start import main

if __name__ == "__main__":  # workers import it, and must not begin again
    main()
