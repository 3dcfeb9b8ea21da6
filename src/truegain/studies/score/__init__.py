"""How good is each system?"""
