"""From lines of text to integer sequences: code points, tokenisers, vocabularies."""
