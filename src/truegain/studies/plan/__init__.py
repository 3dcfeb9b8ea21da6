"""How many segments, documents or runs does a gain take?"""
