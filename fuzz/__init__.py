"""Inputs nobody would write, tried on all that reads input: an answer or a refusal in words, and nothing else."""
