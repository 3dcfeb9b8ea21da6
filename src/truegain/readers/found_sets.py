"""A test set as it was found in a folder, and what several of them have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from truegain.errors import InputError, some
from truegain.readers.file_names import is_development

#: Paths, and why they were left out.
LeftOut = list[tuple[str, str]]


@dataclass(frozen=True)
class FoundSet:
    """A test set, as files.

    Attributes
    ----------
    name : str
    segments : int
    references : tuple of str
        Paths; ``FILE.xml`` has all its references.
    systems : mapping of str to mapping of str to str
        Of each system the file of each run; a run is named "" if its file's name has no such part.
    """

    name: str
    segments: int
    references: tuple[str, ...]
    source: str | None = None
    documents: str | None = None
    systems: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def with_common_systems(made: Sequence[FoundSet], folder: str) -> tuple[list[FoundSet], FoundSet | None, LeftOut]:
    """Keep the systems and runs that all test sets have, and separate development sets.

    Returns
    -------
    testsets : list of FoundSet
    development : FoundSet, optional
        If there is one, and it has these systems and runs.
    left_out : list of (str, str)

    Raises
    ------
    InputError
        If they have fewer than two systems in common, or no run of a system.
    """
    tests = _tests(made)
    common = [name for name in tests[0].systems if all(name in one.systems for one in tests)]
    if len(common) < 2:
        have = "; ".join(f"{one.name}: {some(list(one.systems), 5)}" for one in tests)
        raise InputError(
            f"a comparison needs two systems that are on every test set; found {have}",
            path=folder,
            hint="name a folder with fewer test sets, or give systems the same names everywhere",
        )
    # Where every set has one run it is that one, whatever its number.
    single = {name for name in common if all(len(one.systems[name]) == 1 for one in tests)}
    made = [replace(one, systems=_nameless(one.systems, single)) for one in made]
    tests = _tests(made)
    runs = {
        name: [run for run in tests[0].systems[name] if all(run in one.systems[name] for one in tests)]
        for name in common
    }
    for name, own in runs.items():
        if not own:
            raise InputError(
                f"the runs of {name!r} have other names on every test set", path=folder, hint="rename them"
            )
    left_out: LeftOut = []
    for one in tests:
        for name, files in one.systems.items():
            if name not in runs:
                left_out += [(path, f"{name} is not on every test set") for path in files.values()]
            else:
                others = [files[run] for run in files if run not in runs[name]]
                left_out += [(path, "this run is not on every test set") for path in others]
    development, dropped = _development([one for one in made if one not in tests], runs)
    return [_only(one, runs) for one in tests], development, [*left_out, *dropped]


def _tests(sets: Sequence[FoundSet]) -> list[FoundSet]:
    """Return the sets that are not for development; all of them if each one is."""
    return [one for one in sets if not is_development(one.name)] or list(sets)


def _only(one: FoundSet, runs: Mapping[str, Sequence[str]]) -> FoundSet:
    systems = {name: {run: files[run] for run in runs[name]} for name, files in one.systems.items() if name in runs}
    return replace(one, systems=systems)


def _development(sets: Sequence[FoundSet], runs: Mapping[str, Sequence[str]]) -> tuple[FoundSet | None, LeftOut]:
    """Return the development set, if there is one with the same systems and runs."""
    if not sets:
        return None, []
    one = sets[0]
    fits = all(name in one.systems and all(run in one.systems[name] for run in own) for name, own in runs.items())
    several = any(len(own) > 1 for own in runs.values())
    if len(sets) == 1 and fits and several:
        systems = {name: {run: one.systems[name][run] for run in own} for name, own in runs.items()}
        return replace(one, systems=systems), []
    why = (
        "there are several development sets"
        if len(sets) > 1
        else "it lacks runs that the test sets have"
        if not fits
        else "a development set shows how runs vary, and every system has one run"
    )
    every = [[*one.references, *(path for own in one.systems.values() for path in own.values())] for one in sets]
    return None, [(path, why) for paths in every for path in paths]


def _nameless(systems: Mapping[str, Mapping[str, str]], single: set[str]) -> dict[str, Mapping[str, str]]:
    """Name the run of a system "" if it has one run on every set."""
    return {
        name: {"": next(iter(files.values()))} if name in single and len(files) == 1 else files
        for name, files in systems.items()
    }


def baseline_of(systems: Iterable[str], order: str = "first alphabetically") -> tuple[str, str]:
    """Return the baseline, and why it is that one; ``order`` says how systems are sorted."""
    names = list(systems)
    for words in (("baseline",), ("base",)):
        named = [name for name in names if name.lower() in words]
        if len(named) == 1:
            return named[0], "by its name"
    begins = [name for name in names if name.lower().startswith(("baseline", "base-", "base_", "base."))]
    if len(begins) == 1:
        return begins[0], "by its name"
    return names[0], f"{order}; edit to change"
