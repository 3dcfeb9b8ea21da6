"""Figures: rows of a result in, vector graphics by matplotlib out, as wide as one or two columns of a paper.

A function for each kind. It is given plain values, draws them on axes that :func:`truegain.report.figures.style.panels`
makes, and returns a :class:`truegain.report.figures.style.Drawing`: the figure, and what it shows in words. Matplotlib
is imported when something is drawn.
"""
