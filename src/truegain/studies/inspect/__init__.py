"""Which segments made the difference?"""
