"""Study of whether a system may pass."""
