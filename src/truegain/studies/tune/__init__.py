"""Weights of n-best lists, tuned again and again."""
