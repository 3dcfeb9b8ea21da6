"""Options, each described once: what the command line, Python functions and experiment files have of them."""
