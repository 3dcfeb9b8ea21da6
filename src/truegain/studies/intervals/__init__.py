"""What do intervals of scores, and their overlap, say about a difference?"""
