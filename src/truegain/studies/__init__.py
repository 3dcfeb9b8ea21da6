"""Studies: one question a folder, with the study itself, its result, and how that is shown."""
