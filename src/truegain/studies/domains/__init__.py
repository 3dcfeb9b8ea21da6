"""Does it hold on other test sets?"""
