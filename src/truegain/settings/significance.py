"""The options of ``threshold --profile``."""

from collections.abc import Sequence
from typing import Annotated, Any

from truegain.settings.option import Option, Options
from truegain.settings.texts import numbers


class _Reported(Options, kw_only=False, first=True):
    profile: Annotated[
        Any,
        Option(
            "Profile: a result of threshold, saved as JSON, to predict from whether reported gains are significant.",
            "Or the result itself.",
            metavar="FILE",
            text="ThresholdResult or path",
        ),
    ]
    gain: Annotated[
        float | Sequence[float],
        Option(
            "Reported gains, in points of the metric.",
            metavar="POINTS,...",
            parse=numbers,
            text="float or sequence of float",
        ),
    ]


class SignificanceOptions(_Reported):
    """The options of :func:`truegain.significance`."""

    metric: Annotated[
        str | None, Option("Metric of the gain. Default: that of the profile, if it has only one.", flags=())
    ] = None
    segments: Annotated[
        int | None, Option("Segments of the test set of reported gains. Default: as many as the profile has.", least=1)
    ] = None
    similar: Annotated[
        bool,
        Option(
            "Reported gains are between variants of one system: predict from pairs with one label, or of the class "
            "'same'."
        ),
    ] = False
