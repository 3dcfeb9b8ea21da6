"""Results as JSON, held against the schema in docs/."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

from truegain.studies.result import Result

PAGE = Path(__file__).resolve().parents[1] / "docs" / "result.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(json.loads(PAGE.read_text(encoding="utf-8")))


def written(result: Result) -> dict[str, Any]:
    """Return what a result is as JSON, which fits the schema."""
    data: dict[str, Any] = json.loads(result.render("json"))
    VALIDATOR.validate(data)
    return data
