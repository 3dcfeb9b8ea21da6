"""More data than memory holds: statistics summed a piece at a time, under weights that need no other piece."""
