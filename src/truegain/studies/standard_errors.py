"""Standard errors in the tables of a result that was made without asking for them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from truegain.errors import InputError
from truegain.results import Result
from truegain.studies.compare import CompareResult
from truegain.studies.pool import PooledResult
from truegain.studies.rank import RankResult
from truegain.studies.score import ScoreResult


def with_standard_errors(result: Result) -> Result:
    """Return the same result with standard errors in its tables.

    Raises
    ------
    InputError
        If its tables have no such column, or the result holds none.
    """
    if isinstance(result, PooledResult):
        return replace(result, sets=tuple(_shown(one) for one in result.sets))
    if isinstance(result, CompareResult | ScoreResult | RankResult):
        shown: Result = _shown(result)
        return shown
    raise InputError(
        f"the tables of {result.study} have no column for standard errors",
        hint="those of compare, score, rank and run have one",
    )


def _shown(result: Any) -> Any:
    if all(one.standard_error is None for one in result.scores):
        raise InputError(
            "this result holds no standard errors",
            hint="make it again; results of older versions have none, and neither has one unit alone",
        )
    return replace(result, standard_errors=True)
