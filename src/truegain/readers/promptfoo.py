"""Results of promptfoo (``promptfoo eval -o FILE.json``): a record for each test, prompt and provider.

Layout 3 of results is read, as promptfoo 0.121 writes it. A prompt for a provider is a system.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from truegain.errors import InputError, excerpt
from truegain.notes import Note
from truegain.readers.formats import File
from truegain.readers.logs import Sample, log_format, log_table
from truegain.readers.scores import ScoreTable

_VERSION = 3
_FAILED = 2  # the reason of a failure that is an error, not a wrong answer


def _recognise(file: File) -> bool:
    results = file.json.get("results") if isinstance(file.json, dict) else None
    return isinstance(results, dict) and isinstance(results.get("results"), list) and "version" in results


def _read(file: File) -> list[ScoreTable]:
    """Read a table for each system: ``score``, ``success`` and the named scores."""
    name, results = file.name, file.json["results"]
    if results["version"] != _VERSION:
        raise InputError(
            f"it is in layout {results['version']!r} of promptfoo's results, and layout {_VERSION} is read",
            path=name,
            hint="write it again with a newer promptfoo: promptfoo export eval ID -o FILE.json",
        )
    rows = [_checked(row, number, name) for number, row in enumerate(results["results"], 1)]
    if not rows:
        raise InputError("there are no results in it", path=name, hint="did the evaluation fail?")
    named, notes = _systems(rows)
    items = _items(rows)
    tables = []
    for place, (index, system) in enumerate(named.items()):
        samples = [_sample(row, items[row["testIdx"]]) for row in rows if row["promptIdx"] == index]
        tables.append(
            log_table(
                samples,
                file,
                "testIdx",
                model=system,
                retry="complete the evaluation: promptfoo retry ID",
                notes=notes if place == 0 else (),
            )
        )
    return tables


def _checked(row: Any, number: int, name: str) -> Mapping[str, Any]:
    """Return a record that has all that is read."""
    wrong = None
    if not isinstance(row, dict):
        wrong = "it is not an object"
    elif not all(isinstance(row.get(key), int) for key in ("promptIdx", "testIdx")):
        wrong = "'promptIdx' and 'testIdx' are not both numbers"
    elif not isinstance(row.get("provider"), dict) or not isinstance(row["provider"].get("id"), str):
        wrong = "'provider' has no 'id'"
    elif not isinstance(row.get("namedScores") or {}, dict):
        wrong = "'namedScores' is not an object"
    if wrong is not None:
        raise InputError(f"result {number:,} is not as promptfoo writes it: {wrong}", path=name)
    return row  # type: ignore[no-any-return]


def _systems(rows: Sequence[Mapping[str, Any]]) -> tuple[dict[int, str], list[Note]]:
    """Return the name of each prompt for a provider, and which prompt is meant if there are several."""
    providers: dict[int, str] = {}
    prompts: dict[int, str] = {}
    for row in sorted(rows, key=lambda one: one["promptIdx"]):
        prompt = row.get("prompt")
        providers[row["promptIdx"]] = row["provider"].get("label") or row["provider"]["id"]
        prompts[row["promptIdx"]] = str(prompt.get("label") if isinstance(prompt, dict) else prompt)
    numbers = {text: number for number, text in enumerate(dict.fromkeys(prompts.values()), 1)}
    if len(numbers) == 1:
        return providers, []
    one_provider = len(set(providers.values())) == 1
    named = {
        index: f"prompt {numbers[text]}" if one_provider else f"{providers[index]} prompt {numbers[text]}"
        for index, text in prompts.items()
    }
    said = "; ".join(f"prompt {number} is {excerpt(text)}" for text, number in numbers.items())
    return named, [Note("system-names", said)]


def _items(rows: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return the item that each test is a try of: ``--repeat`` gives tries of the same test numbers of their own.

    The id is the number of the test; if tests are repeated, its place among those that are different.
    """
    tests: dict[int, str] = {}
    for row in sorted(rows, key=lambda one: (one["testIdx"], one["promptIdx"])):
        tests.setdefault(row["testIdx"], json.dumps([row.get("vars"), row.get("testCase")], sort_keys=True))
    different = {test: str(place) for place, test in enumerate(dict.fromkeys(tests.values()))}
    if len(different) == len(tests):
        return {number: str(number) for number in tests}
    return {number: different[test] for number, test in tests.items()}


def _sample(row: Mapping[str, Any], item: str) -> Sample:
    failed = row.get("failureReason") == _FAILED
    values = {"score": row.get("score"), "success": row.get("success"), **(row.get("namedScores") or {})}
    return Sample(
        item,
        f"test {row['testIdx']}, prompt {row['promptIdx']}",
        {} if failed else values,
        dict(_labels(row)),
        {"vars": row["vars"]} if isinstance(row.get("vars"), dict) else {},
        failed,
    )


def _labels(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    test = row.get("testCase")
    metadata = test.get("metadata") if isinstance(test, dict) else None
    for kind, own in (("metadata", metadata), ("vars", row.get("vars"))):
        yield from ((f"{kind}.{key}", value) for key, value in (own if isinstance(own, dict) else {}).items())


FORMAT = log_format("results of promptfoo", _recognise, _read, "testIdx")
