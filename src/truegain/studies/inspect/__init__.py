"""Study of the segments that made the difference."""
