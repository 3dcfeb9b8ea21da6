"""How much do runs vary, and how many are needed?"""
