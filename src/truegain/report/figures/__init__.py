"""Figures: plain values in, vector graphics by matplotlib out, as wide as one or two columns of a paper."""
