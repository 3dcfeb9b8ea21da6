"""Studies: one question a folder, with the study itself, its result, and how that is shown."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["pictures_of", "view_of"]


def view_of(study: str) -> Any:
    """Import the view of a study, by the study's name.

    This is the only way from results to what shows them: views import results, and results import no view. A view has
    ``document(result, decimals)`` and, by need, ``appendix(result, decimals)``, ``arranged(result, layout, decimals)``,
    and ``prose(result)`` for the sentences in the result's JSON.
    """
    return import_module(f"truegain.studies.{study}.view")


def pictures_of(result: Any, decimals: int | None) -> Any:
    """Return the figures of a result, by the module that knows which there are; it imports results, as views do."""
    return import_module("truegain.studies.pictures").pictures(result, decimals)
