"""Study of whether a test can be trusted on the user's data."""
