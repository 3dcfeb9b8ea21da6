"""Agreement of metrics with people: measures, their variances, and tests between metrics."""
