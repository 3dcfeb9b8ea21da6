"""Study of how many segments, documents or runs a gain takes."""
