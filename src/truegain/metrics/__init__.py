"""Metrics: per-segment sufficient statistics, and the score of their sums."""
