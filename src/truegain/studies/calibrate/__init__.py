"""Can I trust this test on my data?"""
