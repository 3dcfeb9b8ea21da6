"""Weights of features that choose among the hypotheses of n-best lists: MERT, PRO and MIRA."""
