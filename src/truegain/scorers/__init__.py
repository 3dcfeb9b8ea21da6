"""COMET: its metrics, and how its package or program is run."""
