"""``python -m benchmarks.calibration``: how often the tests reject nulls that are true, written to docs/calibration.md.

Datasets of which the truth is known are made from pools (``pools``) or drawn (``makers``); the product's own study of
calibration runs every test on them (``scenarios``); the page is written from what it found (``tables``, ``page``).
"""
