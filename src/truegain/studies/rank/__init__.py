"""Which systems are better than which?"""
