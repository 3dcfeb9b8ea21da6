"""Study of the scores of systems."""
