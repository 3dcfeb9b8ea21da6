"""Results as JSON, held against the schema that docs/tools/schema.py makes."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import jsonschema

from truegain.results import Result

TOOL = Path(__file__).resolve().parents[1] / "docs" / "tools" / "schema.py"
VALIDATOR = jsonschema.Draft202012Validator(runpy.run_path(str(TOOL))["schema"]())


def written(result: Result) -> dict[str, Any]:
    """Return what a result is as JSON, which fits the schema."""
    data: dict[str, Any] = json.loads(result.render("json"))
    VALIDATOR.validate(data)
    return data
