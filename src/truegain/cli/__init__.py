"""The command line: parse, call one study, show what it found."""
