"""Figures: data in, vector graphics out; made for two-column papers, and for eyes that see colours differently.

A file for each kind: a frozen dataclass of plain data with the method ``draw`` and the property ``alt``, as
:class:`truegain.report.model.Drawing` asks for. What they have in common is in :mod:`truegain.report.figures.style`.
"""
