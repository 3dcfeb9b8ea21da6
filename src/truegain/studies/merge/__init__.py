"""What do the sums of all shards say?"""
