"""The options of ``intervals``."""

from truegain.settings.groups import Alpha, Inputs, Labels, NoBlocks, Resamples, Scoring


class IntervalsOptions(Inputs, Labels, Alpha, Resamples, NoBlocks, Scoring):
    """The options of :func:`truegain.intervals`."""
