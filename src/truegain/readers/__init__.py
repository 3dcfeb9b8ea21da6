"""From files to lines, ids and numbers."""
