"""Does a gain hold over several test sets?"""
