"""Significance tests by name: what each resamples, how it counts, and what it may claim."""
