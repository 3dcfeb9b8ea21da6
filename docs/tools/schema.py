"""JSON schema of results, from their classes: ``python docs/tools/schema.py > result.schema.json``."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from truegain.results import CLASSES, SCHEMA, class_of

#: What stands in JSON beside the fields of a result.
BESIDE: dict[str, dict[str, Any]] = {
    "digest": {"description": "A digest of all other keys, by which a change by hand is seen.", "type": "string"},
    "schema": {"description": "The version of this form.", "const": SCHEMA},
}


def schema() -> dict[str, Any]:
    """Return the schema: one form per study, and the rows that these are made of."""
    classes = [class_of(study) for study in CLASSES]
    forms, rows = msgspec.json.schema_components(classes, ref_template="#/$defs/{name}")
    for row in rows.values():
        row["description"] = row["description"].partition("\n\nAttributes")[0]
    for name in CLASSES.values():
        rows[name]["properties"] = BESIDE | rows[name]["properties"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A result of truegain",
        "oneOf": list(forms),
        "$defs": rows,
    }


def text() -> str:
    """Return the schema as JSON."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")
