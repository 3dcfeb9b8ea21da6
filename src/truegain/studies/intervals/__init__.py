"""Study of intervals of scores and their overlap."""
