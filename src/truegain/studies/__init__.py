"""Studies: one question a file."""
