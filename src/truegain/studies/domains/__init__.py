"""Study of whether differences hold on other test sets."""
