"""JSON of COMET with other than lists by system: ``comet-compare --to_json``, and the prediction of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truegain.errors import InputError
from truegain.readers.formats import File, Format
from truegain.readers.scores import Placed, ScoreTable, score_table

_COLUMN = "COMET"  # as comet-score names it
_NOUNS = {"src": "sources", "mt": "outputs", "ref": "references"}


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    found = file.json
    if not isinstance(found, dict):
        return None
    if "translations" in found and "statistical_results" in found:
        return _compared(found, file, id_column)
    if isinstance(found.get("scores"), list) and "system_score" in found:
        records = _records(found["scores"], {}, "segment {}")
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
        columns = {"src": found.get("source"), "mt": one.get("mt"), "ref": found.get("reference")}
        texts = {key: own for key, own in columns.items() if isinstance(own, list)}
        for key, own in texts.items():
            if len(own) != len(one["scores"]):
                scores = f"{len(one['scores']):,} scores of {system!r}"
                raise InputError(f"{place}: {scores} for {len(own):,} {_NOUNS[key]}", path=name)
        records = _records(one["scores"], texts, f"segment {{}} of {system!r}")
        tables[system] = score_table(records, file.lines, id_column, system)
    return list(tables.values())


def _records(scores: Sequence[Any], texts: Mapping[str, Sequence[Any]], place: str) -> list[Placed]:
    return [
        (place.format(f"{row + 1:,}"), {key: own[row] for key, own in texts.items()} | {_COLUMN: score})
        for row, score in enumerate(scores)
    ]


FORMAT = Format("scores of comet-compare, or a prediction of COMET", scores=_scores)
