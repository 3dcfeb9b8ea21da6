"""Answers of the program to a command or to a call: its figures, or a refusal, and what it says beside them."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from truegain.cli.main import main
from truegain.errors import InputError

__all__ = ["Asked", "Outcome", "Pair", "call", "command", "judged"]

_OPTIONS = ("-R", "19", "-j", "1", "--no-cache", "--format", "json")
# Names of files and of their columns, and how rows were brought together: what may differ between two ways of writing.
_SPELLINGS = {
    *("command", "run_names", "baseline_run", "system_run", "methods", "pairing", "column", "id_column", "labels"),
    *("about", "notes", "caveats", "median_run", "digest"),
}
_BY_NAME = {
    "comparisons",
    "systems",
    "scores",
    "findings",
    "files",
    "changed_segments",
    "ranking",
    "pairs",
    "variability",
}


@dataclass(frozen=True)
class Outcome:
    """The figures that were answered, None if it was refused; notes, by kind and text; the message of a refusal."""

    answer: Any
    said: frozenset[tuple[str, str]] = frozenset()
    message: str = ""


Asked = Callable[[], Outcome]


@dataclass(frozen=True)
class Pair:
    """Two ways to ask, and what must hold.

    Attributes
    ----------
    kind : str
    first, second : callable
    same : bool
        Both mean the same, so the answers are the same. Else the second must be refused, or answered as ``meant`` is;
        and it must differ from the first, or come with one of the notes ``said``.
    meant : callable, optional
        A plain way to ask what the second means; None if it is not known what is meant, and must be asked.
    said : frozenset of str
        Kinds of notes, none of which the first gets.
    may_refuse : bool
        The second may be refused though it means the same.
    passed_over : frozenset of str
        Keys of the answer that may differ.
    about : str
        What was done, for whoever mends it.
    """

    kind: str
    first: Asked
    second: Asked
    same: bool
    meant: Asked | None = None
    said: frozenset[str] = frozenset()
    may_refuse: bool = False
    passed_over: frozenset[str] = frozenset()
    about: str = ""


def judged(pair: Pair) -> str:
    """Return "same", or else "differs", "refused" or "said".

    Raises
    ------
    AssertionError
        If the program was wrong in silence.
    """
    first, second = pair.first(), pair.second()
    where = f"{pair.kind}: {pair.about}"
    if first.answer is None:
        raise AssertionError(f"{where}: the plain question was refused: {first.message}")
    if second.answer is None:
        if pair.same and not pair.may_refuse:
            raise AssertionError(f"{where}: refused: {second.message}")
        return "refused"
    if pair.same:
        _check_equal(where, first.answer, second.answer, pair.passed_over)
        return "same"
    said = {kind for kind, _ in second.said - first.said} & pair.said
    if pair.meant is None:
        if not said:
            raise AssertionError(
                f"{where}: answered in silence, with the notes {sorted(kind for kind, _ in second.said)}"
            )
        return "said"
    _check_equal(where, pair.meant().answer, second.answer, pair.passed_over)
    if not said and second.answer == first.answer:
        raise AssertionError(f"{where}: neither the answer nor a note shows the difference")
    return "said" if said else "differs"


def command(*arguments: str, given: bytes | None = None) -> Outcome:
    """Run a command in this process; ``given`` is its standard input."""
    out, said = io.StringIO(), io.StringIO()
    code: Any = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said), _standard_input(given):
        try:
            main([arguments[0], *(_OPTIONS if arguments[0] not in ("run", "agree") else _OPTIONS[-2:]), *arguments[1:]])
        except SystemExit as stop:
            code = stop.code
    if code == 2:
        return Outcome(None, message=said.getvalue())
    if code not in (0, 1):
        raise AssertionError(f"exit code {code}: {said.getvalue()}")
    return _outcome(json.loads(out.getvalue()), code)


@contextlib.contextmanager
def _standard_input(given: bytes | None) -> Any:
    import sys

    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given or b""), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def call(ask: Callable[[], Any]) -> Outcome:
    """Call a function of Python that returns a result."""
    try:
        result = ask()
    except InputError as error:
        return Outcome(None, message=str(error))
    return _outcome(json.loads(result.render("json")), 0)


def _outcome(data: Mapping[str, Any], code: int) -> Outcome:
    return Outcome((code, _plain(data)), frozenset(_notes(data)))


def _notes(data: Any) -> list[tuple[str, str]]:
    if isinstance(data, list):
        return [note for one in data for note in _notes(one)]
    if not isinstance(data, dict):
        return []
    own = [one for key in ("notes", "caveats") for one in data.get(key) or [] if isinstance(one, dict)]
    return [*((one["kind"], one["text"]) for one in own), *(note for one in data.values() for note in _notes(one))]


def _plain(data: Any, key: str = "") -> Any:
    """Leave out how things were written; lists of systems stand in the order of names."""
    if isinstance(data, dict):
        left_out = _SPELLINGS | ({"name"} if "role" in data or "fingerprint" in data else set())
        left_out |= {"documents", "domains"} if "pairing" in data else set()
        left_out |= {"id"} if "contribution" in data else set()  # known if rows were brought together by it
        return {name: _plain(one, name) for name, one in data.items() if name not in left_out}
    if isinstance(data, list):
        found = [_plain(one, key) for one in data]
        return sorted(found, key=_name) if key in _BY_NAME else found
    return re.sub(r"\S*/", "", data) if isinstance(data, str) else data


def _name(data: Any) -> str:
    """Return what a list is sorted by: names first, then figures."""
    named = [one for one in data.values() if isinstance(one, str)] if isinstance(data, dict) else []
    return json.dumps([named, data], sort_keys=True)


def _check_equal(where: str, first: Any, second: Any, passed_over: frozenset[str] = frozenset()) -> None:
    found = [one for one in _differences(first, second) if _key(one) not in passed_over]
    if found:
        raise AssertionError(f"{where}: {'; '.join(found[:4])}")


def _key(difference: str) -> str:
    return re.sub(r"\[\d+\]", "", difference.partition(" ")[0]).rpartition(".")[2]


def _differences(first: Any, second: Any, path: str = "") -> Sequence[str]:
    if isinstance(first, dict) and isinstance(second, dict):
        keys = sorted({*first, *second})
        return [one for key in keys for one in _differences(first.get(key), second.get(key), f"{path}.{key}")]
    if isinstance(first, list | tuple) and isinstance(second, list | tuple) and len(first) == len(second):
        pairs = enumerate(zip(first, second, strict=True))
        return [one for place, own in pairs for one in _differences(*own, f"{path}[{place}]")]
    return [] if first == second else [f"{path} was {str(first)[:80]}, and is {str(second)[:80]}"]
