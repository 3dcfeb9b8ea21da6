"""What gain is usually significant?"""
