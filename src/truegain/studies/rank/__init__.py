"""Study of which systems are better than which."""
