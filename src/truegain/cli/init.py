"""``truegain init``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from truegain.cli.command_line import Command
from truegain.cli.options import column_options
from truegain.cli.streams import echo
from truegain.errors import InputError, printable

if TYPE_CHECKING:
    from truegain.readers.folder import FoundFolder, FoundSet

_LISTED = 5  # files that were left out for one reason, by name
_SHOWN = 3  # files of runs, by name


@click.command("init", cls=Command)
@click.argument("place", default=".", metavar="[FOLDER|TABLE]")
@column_options
@click.option("--output", "-o", default="experiment.toml", show_default=True, metavar="FILE", help="Where to write it.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def command(*, place: str, output: str, force: bool, **columns: Any) -> None:
    """Write an experiment file for what lies in a folder, or stands in a table.

    Files of a folder are recognised by the names that people give them (ref.de, newstest2019-ende-src.en, references/,
    system-outputs/, NAME.RUN.de, docs.tsv) and by their number of lines; columns of a table (CSV, TSV, JSON) by their
    names and values. The output says what each was taken for, what was left out, and why.

    \b
    truegain init data
    truegain init evaluations.csv
    truegain run experiment.toml
    """
    from truegain.cli.display import check_place, write
    from truegain.readers.sources import is_file

    if Path(output).suffix != ".toml":
        raise InputError(f"an experiment file ends in .toml; got {output!r}")
    check_place(output)
    if Path(output).exists() and not force:
        raise InputError("there is such a file already", path=output, hint="--force writes over it; -o names another")
    text, told = (
        _of_table(place, output, columns)
        if is_file(place) and not Path(place).is_dir()
        else _of_folder(place, output, columns)
    )
    for line in told:
        echo(printable(line))
    write(output, text)
    echo(printable(f"next: truegain run {output}"))


def _of_folder(folder: str, output: str, columns: dict[str, Any]) -> tuple[str, list[str]]:
    from truegain.readers.experiment_text import experiment_text
    from truegain.readers.folder import look_through

    named = [one for value in columns.values() if value for one in ([value] if isinstance(value, str) else value)]
    if named:
        raise InputError(f"a column is named, {named[0]!r}, and {folder} is not a table", hint="truegain init TABLE")
    found = look_through(folder)
    return experiment_text(found, output), _told(found, output)


def _of_table(path: str, output: str, columns: dict[str, Any]) -> tuple[str, list[str]]:
    from truegain.readers.column_names import Chosen
    from truegain.readers.experiment_text import experiment_of_table
    from truegain.readers.found_table import look_at

    chosen = Chosen(
        columns["system_column"],
        columns["run_column"],
        columns["repeat_column"],
        columns["id_column"],
        columns["document_column"],
        columns["domain_column"],
        columns["text_column"],
        columns["reference_columns"],
        raters=columns["rater_column"],
    )
    found = look_at(path, chosen)
    roles = {
        "systems": found.columns.systems or "a column each",
        "runs": found.columns.runs,
        "items": found.columns.ids or "a row each",
        "samples": found.columns.repeats,
        "raters": found.columns.raters,
        "documents": found.columns.documents,
        "domains": found.columns.domains,
        "outputs": found.columns.outputs,
        "references": ", ".join(found.columns.references),
        "scores": ", ".join(f"{name}{' (lower is better)' * (name in found.lower)}" for name in found.scores),
        "groups": ", ".join(f'{name} (by = "{name}" compares within them)' for name in found.groups),
        "answers": ", ".join(f"{name} (majority:column={name} votes)" for name in found.answers),
        "not used": ", ".join(found.unused),
    }
    systems = [name if runs == 1 else f"{name} ({runs} runs)" for name, runs in found.systems.items()]
    baseline, why = found.baseline
    return experiment_of_table(found, output), [
        f"table {path}: {found.rows:,} rows, {found.segments:,} segments",
        *(f"  {role:<10} {column}" for role, column in roles.items() if column),
        f"{len(systems)} systems: {', '.join(systems)}",
        f"baseline {baseline}: {why}",
        *(f"note: {note}" for note in found.notes),
        *(f"question: {one}" for one in found.doubts),
    ]


def _told(found: FoundFolder, output: str) -> list[str]:
    from truegain.readers.experiment_text import questions
    from truegain.readers.found_sets import baseline_of

    lines = []
    for one in found.testsets:
        lines += [f"test set {one.name}: {one.segments:,} segments", *_files(one)]
    if found.development is not None:
        one = found.development
        lines += [f"development set {one.name}: {one.segments:,} segments", *_files(one)]
    systems = [
        name if len(runs) == 1 else f"{name} ({len(runs)} runs)" for name, runs in found.testsets[0].systems.items()
    ]
    baseline, why = baseline_of(found.testsets[0].systems)
    lines += [f"{len(systems)} systems: {', '.join(systems)}", f"baseline {baseline}: {why}"]
    lines += _runs(found)
    lines += [f"question: {one}" for one in questions(found, output)]
    return [*lines, *_left_out(found)]


def _left_out(found: FoundFolder) -> list[str]:
    """List the files that were left out; many with one reason on one line, and last."""
    reasons: dict[str, list[str]] = {}
    for path, why in found.left_out:
        reasons.setdefault(why, []).append(path)
    few = [f"  {path}: {why}" for path, why in found.left_out if len(reasons[why]) <= _LISTED]
    many = [
        f"  {len(paths)} files, {paths[0]} the first: {why}" for why, paths in reasons.items() if len(paths) > _LISTED
    ]
    return ["left out:", *few, *many] if found.left_out else []


def _runs(found: FoundFolder) -> list[str]:
    """Say which files became the runs of which system."""
    lines = []
    for name, runs in found.testsets[0].systems.items():
        if len(runs) > 1:
            files = [os.path.relpath(path, found.folder) for path in runs.values()]
            shown = files if len(files) <= _SHOWN else [*files[:2], "…", files[-1]]
            lines.append(f"  {len(runs)} runs of {name}: {', '.join(shown)}")
    return lines


def _files(one: FoundSet) -> list[str]:
    from truegain.readers.documents import read_documents

    lines = [f"  reference  {path}" for path in one.references]
    lines += [] if one.source is None else [f"  source     {one.source}"]
    if one.documents is not None:
        grouping = read_documents(one.documents, one.segments)
        counts = [
            f"{len(set(values)):,} {what}"
            for values, what in ((grouping.documents, "documents"), (grouping.domains, "domains"))
            if values
        ]
        lines.append(f"  documents  {one.documents} ({' in '.join(counts)})")
    return lines
