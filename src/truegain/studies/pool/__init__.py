"""Study of whether a gain holds over several test sets."""
