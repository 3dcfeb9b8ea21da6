"""Data larger than memory: statistics summed piece by piece, under weights that need no other piece."""
