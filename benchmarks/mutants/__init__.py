"""Mutation testing: small mistakes are put into the code one at a time, and a test should notice each."""
