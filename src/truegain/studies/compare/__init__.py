"""Is a system better than the baseline?"""
