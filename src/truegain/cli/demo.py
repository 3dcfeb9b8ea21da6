"""``truegain demo``."""

from __future__ import annotations

from pathlib import Path

import click

from truegain.cli.command_line import Command
from truegain.cli.display import progress_bar, show
from truegain.cli.streams import echo


@click.command("demo", cls=Command)
@click.option(
    "--output", "-o", default="demo", show_default=True, metavar="DIRECTORY", help="Where report and sample go."
)
@click.option("--quiet", "-q", is_flag=True, help="Show no progress bar.")
def command(*, output: str, quiet: bool) -> None:
    """Compare the systems of a bundled sample, show the answer and write it in every format, with the sample's files.

    The sample is simulated: "better" is truly better than "baseline", and "similar" truly is not.
    """
    from importlib.resources import as_file, files

    from truegain.errors import InputError
    from truegain.readers.corpora import read_corpus
    from truegain.report import write_atomically
    from truegain.studies.compare import compare

    directory = Path(output)
    copy = directory / "sample"
    try:
        copy.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", path=output) from error
    with as_file(files("truegain") / "sample") as sample, progress_bar(quiet) as progress:
        for path in sample.glob("*.txt"):
            write_atomically(copy / path.name, path.read_bytes())
        corpus = read_corpus(
            [f"{name}={sample}/{name}.*.txt" for name in ("baseline", "better", "similar")],
            [f"{sample}/ref.1.txt", f"{sample}/ref.2.txt"],
            documents=f"{sample}/docs.txt",
            name="bundled sample",
        )
        result = compare(corpus, metrics=["bleu", "chrf"], progress=progress)
    show(result, format="terminal", output=None, decimals=None)
    written = []
    for ending in (".txt", ".md", ".tex", ".json", ".csv", ".html"):
        path = directory / f"report{ending}"
        result.save(path)
        written.append(path.name)
    echo(f"\nwrote {', '.join(written)} and sample/ to {directory}/")
