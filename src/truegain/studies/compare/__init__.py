"""Study of whether systems are better than a baseline."""
