"""Study of the gain that is usually significant."""
