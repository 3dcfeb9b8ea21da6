"""Results that were written as JSON, read again."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from truegain.errors import InputError, Text, Way
from truegain.file_roles import reads
from truegain.readers.decoding import decode
from truegain.readers.file_bytes import standard_input
from truegain.readers.strict_json import strict_loads
from truegain.studies.result import Result, check_header

#: The largest file that is read, in bytes.
LIMIT = 256 * 1024 * 1024

#: Where the result of each study is at home; imported when one is read.
_RESULTS = {
    "compare": "CompareResult",
    "score": "ScoreResult",
    "calibrate": "CalibrationResult",
    "replicate": "ReplicateResult",
    "intervals": "IntervalsResult",
    "inspect": "InspectResult",
    "gate": "GateResult",
    "plan": "PlanResult",
    "rank": "RankResult",
    "domains": "DomainsResult",
    "threshold": "ThresholdResult",
    "significance": "SignificanceResult",
    "pool": "PooledResult",
    "tune": "TuneResult",
    "agree": "AgreeResult",
}
_HINT: Text = ("give what ", Way("--format json or -o FILE.json", 'save("FILE.json")'), " wrote, as it was written")


def load(path: str | os.PathLike[str]) -> Result:
    """Read a result from the JSON that it was saved as.

    Parameters
    ----------
    path : str or path
        ``-`` is standard input.

    Returns
    -------
    Result
        Of the class that the study gave; numbers have the ten digits that JSON keeps.

    Raises
    ------
    InputError
        If the file cannot be read, is larger than :data:`LIMIT`, or is no result: with the place in the JSON, what
        was found there and what was expected.
    """
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    try:
        return parse(_json(_bytes(path)))
    except InputError as error:
        raise InputError(error.said, path=name, line=error.line, hint=error.advice or _HINT) from error.__cause__


def parse(data: Mapping[str, Any]) -> Result:
    """Return the result that ``result.to_dict()``, or its JSON, is the data of.

    Raises
    ------
    InputError
        With the place in the data, what was found there and what was expected.
    """
    study = check_header(data, list(_RESULTS))
    kind: type[Result] = getattr(import_module(f"truegain.studies.{study}.result"), _RESULTS[study])
    return kind.from_dict(data)


def _bytes(path: str | os.PathLike[str]) -> bytes:
    """Read at most one byte more than is allowed, so that nothing endless is read."""
    reads(path)
    try:
        if os.fspath(path) == "-":
            with standard_input() as stream:
                data = stream.read(LIMIT + 1)
        else:
            with Path(path).open("rb") as stream:
                data = stream.read(LIMIT + 1)
    except FileNotFoundError as error:
        raise InputError(
            "there is no such file",
            hint=(Way("truegain compare … -o FILE.json", 'save("FILE.json") of a result'), " writes one"),
        ) from error
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file was expected") from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > LIMIT:
        raise InputError(f"the file is larger than {LIMIT // 1024**2} MB, the limit for results")
    return data


def _json(data: bytes) -> Any:
    try:
        text = decode(data, None).removeprefix("\ufeff")
    except InputError as error:
        error.advice = error.advice if error.line is None else "is the file compressed? zcat FILE | truegain render -"
        raise
    try:
        return strict_loads(text, constants=False)
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is not JSON: {error.msg} (column {error.colno}){'' if text else '; the file is empty'}",
            line=error.lineno,
        ) from error
    except RecursionError as error:
        raise InputError("objects and lists are nested too deep for a result") from error
    except ValueError as error:  # a number with thousands of digits
        raise InputError(f"this JSON cannot be read: {error}") from error
