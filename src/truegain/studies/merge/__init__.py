"""Study of the sums of all shards."""
