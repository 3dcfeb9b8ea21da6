"""Executors: where independent pieces of work are done, in threads, in processes or on a cluster."""
