"""Speed, memory and calibration of truegain, measured beside its peers; none of it is installed."""
