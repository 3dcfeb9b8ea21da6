"""Executors of independent pieces of work: in threads, in processes or on a cluster."""
