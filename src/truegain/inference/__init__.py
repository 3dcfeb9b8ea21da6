"""From resampled scores to p-values, intervals and verdicts."""
