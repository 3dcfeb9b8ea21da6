"""Metrics that other programs and packages compute: what they are, and how they are run."""
