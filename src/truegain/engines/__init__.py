"""Engines: exact sums of weighted statistics, however they are computed."""
