"""``truegain stats``."""

from __future__ import annotations

import click

from truegain.cli.applicable import Command
from truegain.cli.display import check_place, progress_bar
from truegain.cli.streams import say
from truegain.errors import InputError
from truegain.printable import printable


@click.command("stats", cls=Command)
@click.argument("systems", nargs=-1, metavar="SYSTEM...")
@click.option("--ref", "-r", "references", multiple=True, metavar="FILE", help="Reference file. Repeat for several.")
@click.option(
    "--docs", "documents", metavar="FILE", help="Document IDs, one per segment; whole documents are then resampled."
)
@click.option(
    "--metrics",
    "-m",
    "metrics",
    multiple=True,
    metavar="METRIC[:key=value,...]",
    help="As in truegain compare, except nist, pass and majority; scores if the files hold scores. Default: bleu.",
)
@click.option(
    "--first", type=int, default=1, show_default=True, help="Number of the first segment in the whole test set."
)
@click.option("--resamples", "-R", type=int, default=1000, show_default=True, help="Number of resamples.")
@click.option(
    "--seed", type=int, default=12345, show_default=True, help="Random seed: the same seed gives the same answer."
)
@click.option("--name", metavar="NAME", help="Name of the test set.")
@click.option(
    "--jobs", "-j", type=int, help="Number of threads; the sums do not depend on it. Default: all processors."
)
@click.option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    help="Write the sums to FILE (atomically), for example shard1.sums.",
)
@click.option("--quiet", "-q", is_flag=True, help="Show no progress bar.")
def command(
    *,
    systems: tuple[str, ...],
    references: tuple[str, ...],
    documents: str | None,
    metrics: tuple[str, ...],
    first: int,
    resamples: int,
    seed: int,
    name: str | None,
    jobs: int | None,
    output: str,
    quiet: bool,
) -> None:
    """Sum the statistics of one shard of a test set too large for memory; truegain merge adds shards up.

    SYSTEM is a file, or runs, as in truegain compare: one segment per line, plain or compressed. Files are read in
    pieces, and only sums are kept.

    \b
    truegain stats --ref ref.txt base.txt new.txt -o all.sums
    truegain stats --ref ref.1.txt base.1.txt new.1.txt -o shard1.sums
    truegain stats --ref ref.2.txt base.2.txt new.2.txt --first 1000001 -o shard2.sums
    truegain merge shard1.sums shard2.sums
    """
    from truegain.executors.processors import available_jobs
    from truegain.readers.sources import parse_sources
    from truegain.streaming.gather import gather
    from truegain.streaming.sums import write_sums
    from truegain.studies.merge.notes import text_warnings

    check_place(output)
    if not systems:
        raise InputError("there is no system", hint="give files of outputs (SYSTEM...)")
    sources = parse_sources(systems)
    names = [source.name for source in sources]
    files = [path for source in sources for path in source.paths]
    if [*files, *references, documents].count("-") > 1:
        raise InputError("standard input (-) can be read only once")
    with progress_bar(quiet) as progress:
        sums = gather(
            {source.name: source.paths for source in sources},
            references,
            metrics=metrics or ("bleu",),
            documents=documents,
            first=first,
            resamples=resamples,
            seed=seed,
            name=name,
            jobs=available_jobs(jobs),
            progress=progress,
        )
    write_sums(sums, output)
    for note in (*text_warnings(sums), *sums.notes):
        say(printable(f"{note}."))
    (start, end), *_ = sums.ranges
    say(printable(f"wrote {output}: segments {start + 1:,} to {end:,} of {', '.join(names)}"))
