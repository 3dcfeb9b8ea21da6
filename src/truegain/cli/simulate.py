"""``truegain simulate``."""

from __future__ import annotations

from pathlib import Path

import click

from truegain.cli.applicable import Command, refuse_given
from truegain.cli.streams import check_standard_output, echo
from truegain.errors import InputError


@click.command("simulate", cls=Command)
@click.argument("systems", nargs=-1, required=True, metavar="NAME=QUALITY[:RUNS]...")
@click.option("--output", "-o", required=True, metavar="DIRECTORY", help="Where the files go.")
@click.option("--segments", type=int, default=1000, show_default=True, help="Number of segments.")
@click.option("--references", type=int, default=2, show_default=True, help="Number of references.")
@click.option(
    "--correlation", type=float, default=0.6, show_default=True, help="Correlation of errors between systems."
)
@click.option(
    "--document-correlation",
    type=float,
    default=0.2,
    show_default=True,
    help="Correlation of difficulty within documents.",
)
@click.option(
    "--run-sd",
    type=float,
    default=0.05,
    show_default=True,
    help="Standard deviation of quality over the runs of a system.",
)
@click.option(
    "--seed", type=int, default=12345, show_default=True, help="Random seed: the same seed gives the same answer."
)
def command(
    *,
    systems: tuple[str, ...],
    output: str,
    segments: int,
    references: int,
    correlation: float,
    document_correlation: float,
    run_sd: float,
    seed: int,
) -> None:
    """Make a test set and outputs of systems whose true quality is known.

    QUALITY is the expected share of words rendered without an error, between 0 and 1.

    \b
    truegain simulate -o sim base=0.7 equal=0.7 better=0.72:3
    """
    from truegain.simulation import simulate

    made_of = [_specification(one) for one in systems]
    if all(one.runs == 1 for one in made_of):
        refuse_given(("run_sd",), "every system has one run", hint="write NAME=QUALITY:RUNS")
    if len(made_of) == 1:
        refuse_given(("correlation",), "there is one system")
    check_standard_output()
    made = simulate(
        segments=segments,
        systems=made_of,
        references=references,
        correlation=correlation,
        document_correlation=document_correlation,
        run_sd=run_sd,
        seed=seed,
    )
    try:
        paths = made.write(Path(output))
    except OSError as error:
        raise InputError(f"cannot be written to: {error.strerror}", path=output) from error
    echo(f"wrote {len(paths)} files to {output}")


def _specification(text: str):  # type: ignore[no-untyped-def]
    from truegain.simulation import SystemSpec

    name, equals, rest = text.partition("=")
    quality, _, runs = rest.partition(":")
    try:
        if not (name and equals):
            raise ValueError
        return SystemSpec(name=name, quality=float(quality), runs=int(runs or 1))
    except ValueError as error:
        raise InputError(
            f"{text!r} is not NAME=QUALITY or NAME=QUALITY:RUNS", hint="for example: better=0.72:3"
        ) from error
