"""May a system pass?"""
