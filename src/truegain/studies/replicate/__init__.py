"""Study of how much runs vary, and how many are needed."""
