"""JSON of COMET with other than lists by system: ``comet-compare --to_json``, and the prediction of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from truegain.errors import InputError
from truegain.readers.formats import File, Format
from truegain.readers.scores import Placed, ScoreTable, score_table

_COLUMN = "COMET"  # as comet-score names it


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    found = file.json
    if not isinstance(found, dict):
        return None
    if "translations" in found and "statistical_results" in found:
        return _compared(found, file, id_column)
    if isinstance(found.get("scores"), list) and "system_score" in found:
        records = _records(found, None, "segment {}")
        return [score_table(records, file.lines, id_column)]
    return None


def _compared(found: Mapping[str, Any], file: File, id_column: str | None) -> list[ScoreTable]:
    """Return the scores of each system that ``comet-compare`` lists."""
    name, tables = file.lines.name, dict[str, ScoreTable]()
    translations = found["translations"]
    for number, one in enumerate(translations if isinstance(translations, list) else [None], 1):
        place = f"translation {number:,}"
        if not (isinstance(one, dict) and isinstance(one.get("name"), str) and isinstance(one.get("scores"), list)):
            raise InputError(f"{place}: a name and a list of scores were expected", path=name)
        system = one["name"]
        if system in tables:
            raise InputError(f"{place}: {system!r} occurs twice", path=name)
        sources = found.get("source")
        if isinstance(sources, list) and len(sources) != len(one["scores"]):
            raise InputError(
                f"{place}: {len(one['scores']):,} scores of {system!r} for {len(sources):,} sources", path=name
            )
        records = _records(one, sources, f"segment {{}} of {system!r}")
        tables[system] = score_table(records, file.lines, id_column, system)
    return list(tables.values())


def _records(found: Mapping[str, Any], sources: Any, place: str) -> list[Placed]:
    texts = sources if isinstance(sources, list) else [None] * len(found["scores"])
    return [
        (place.format(f"{number:,}"), {_COLUMN: score} if text is None else {"src": text, _COLUMN: score})
        for number, (text, score) in enumerate(zip(texts, found["scores"], strict=True), 1)
    ]


FORMAT = Format("scores of comet-compare, or a prediction of COMET", scores=_scores)
