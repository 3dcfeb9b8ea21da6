"""An experiment file as the input of a command that is not ``run``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from truegain.cli.options import INPUTS, check_programs
from truegain.errors import InputError
from truegain.settings.option import Described, Options, described

if TYPE_CHECKING:
    from truegain.readers.experiment_file import ExperimentFile


def is_experiment(systems: Sequence[str]) -> bool:
    """Return whether the inputs are an experiment file."""
    return len(systems) == 1 and systems[0].lower().endswith(".toml")


def take_experiment(
    given: dict[str, Any], options: type[Options], settings: Sequence[str], *, names_a_set: bool = False
) -> ExperimentFile:
    """Read the experiment file that is the only input; its settings go into ``given``, unless others were written.

    Takes the options of :func:`truegain.cli.options.read_inputs` out of ``given``.

    Parameters
    ----------
    given : dict
    options : type of Options
        The options of the command's study: what its settings may be.
    settings : sequence of str
        The settings that the study has in common with experiment files.
    names_a_set : bool
        Whether ``--name`` chooses one of the test sets.

    Raises
    ------
    InputError
        For an option that names other inputs, and for a setting of the file that the study cannot have.
    """
    from truegain.readers.experiment_file import read_experiment

    context = click.get_current_context()
    inputs = {name: given.pop(name) for name in INPUTS}
    (path,) = inputs["systems"]
    written = {
        name for name in (*INPUTS, *settings) if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    allowed = {"-m": "metrics"} | ({"--name": "name"} if names_a_set else {})
    if written & set(INPUTS) - {"systems", *allowed.values()}:
        raise InputError(
            "an experiment file names all files itself; give no other inputs with it",
            path=path,
            hint=f"only {' and '.join(allowed)} may be",
        )
    experiment = read_experiment(path)
    own = {one.name: one for one in described(options)}
    for name in settings:
        if name in experiment.settings and name not in written:
            given[name] = _setting(own[name], experiment.settings[name], str(context.info_name), path)
    metrics = inputs["metrics"] or experiment.metrics
    check_programs(metrics)
    by = {"by": given["by"]} if "by" in given else {}
    return replace(experiment, metrics=tuple(metrics), settings={**experiment.settings, **by})


def _setting(one: Described, value: Any, study: str, path: str) -> Any:
    """Return a setting of the file as the study has it."""
    if one.name == "resamples" and value == "auto":
        raise InputError(f"{study} needs a number of resamples", path=path, hint="give one: --resamples 10000")
    if one.choices and isinstance(value, tuple) and len(value) == 1:
        (value,) = value
    if one.choices and value not in one.choices:
        *others, last = one.choices
        found = value if isinstance(value, str) else ", ".join(value)
        raise InputError(
            f"{one.name} must be {', '.join(others)} or {last} for {study}; the file has {found!r}",
            path=path,
            hint=f"give {one.flags[0]}",
        )
    return value
