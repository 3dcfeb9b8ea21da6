"""Study of reported gains without outputs."""
