"""Options that several commands share, and what they turn into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from truegain.errors import InputError
from truegain.options import split_specification
from truegain.registry import METRICS, OF_SCORES
from truegain.report import FORMATS, LAYOUTS

if TYPE_CHECKING:
    from truegain.cache import Cache
    from truegain.corpus import Corpus

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def _together(*options: Callable[[Any], Any]) -> Callable[[Decorated], Decorated]:
    def decorate(command: Decorated) -> Decorated:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_DOCS_COLUMN = click.option(
    "--docs-column", "document_column", metavar="NAME", help="Column of document IDs in a table."
)
_COLUMNS_OF_TABLES = (
    click.option("--domain-column", "domain_column", metavar="NAME", help="Column of domains in a table."),
    click.option("--id-column", "id_column", metavar="NAME", help="Files are tables; match rows by this column."),
    click.option(
        "--system-column",
        "system_column",
        metavar="NAME",
        help="The table has a row per system and item; this column names the systems. Default: system or model.",
    ),
    click.option("--run-column", "run_column", metavar="NAME", help="Column of runs in it. Default: run or seed."),
    click.option(
        "--repeat-column",
        "repeat_column",
        metavar="NAME",
        help="Column that tells samples of an item apart. Default: repeat, sample, epoch, trial or attempt.",
    ),
    click.option(
        "--rater-column",
        "rater_column",
        metavar="NAME",
        help="Column of those who gave the scores, or of prompts. Default: rater, annotator, judge and the like.",
    ),
    click.option("--text-column", "text_column", metavar="NAME", help="Files are tables; this column holds the text."),
)
_REF_COLUMN = click.option(
    "--ref-column", "reference_columns", multiple=True, metavar="NAME", help="Column of references in --table."
)


_DOWNLOADS = "truegain.downloads"


def _allow_downloads(ctx: click.Context, _: click.Parameter, allowed: bool) -> None:
    if allowed:
        from truegain.scorers.downloads import with_downloads

        ctx.with_resource(with_downloads())
        ctx.meta[_DOWNLOADS] = True


download_option = click.option(
    "--allow-download",
    is_flag=True,
    expose_value=False,
    callback=_allow_downloads,
    help="COMET may fetch its model from a hub.",
)

#: The options that name columns of a table.
column_options = _together(_DOCS_COLUMN, *_COLUMNS_OF_TABLES, _REF_COLUMN)

input_options = _together(
    click.argument("systems", nargs=-1, metavar="SYSTEM..."),
    click.option(
        "--ref", "-r", "references", multiple=True, metavar="FILE", help="Reference file. Repeat for several."
    ),
    click.option("--src", "sources", metavar="FILE", help="Source file, for metrics that read it: comet."),
    click.option(
        "--docs", "documents", metavar="FILE", help="Document IDs, one per segment; whole documents are then resampled."
    ),
    _DOCS_COLUMN,
    click.option("--domains", metavar="FILE", help="Domains (or languages, test sets), one per segment."),
    *_COLUMNS_OF_TABLES,
    click.option(
        "--num-refs",
        "references_per_line",
        type=click.IntRange(1),
        metavar="N",
        help="References per line of --ref, separated by tabs; 1: tabs are text.",
    ),
    click.option(
        "--table", metavar="FILE", help="A CSV, TSV or JSON file that holds everything; SYSTEM is then a column."
    ),
    _REF_COLUMN,
    click.option(
        "--scores",
        multiple=True,
        metavar="[SYSTEM=]FILE",
        help="Segment scores from elsewhere (numbers, CSV, TSV, JSONL, COMET's JSON), in addition to text metrics.",
    ),
    click.option(
        "--metrics",
        "-m",
        "metrics",
        multiple=True,
        metavar="METRIC[:key=value,...]",
        help="Metric, of those that truegain metrics lists. Repeat for several. Default: bleu.",
    ),
    download_option,
    click.option("--name", metavar="NAME", help="Name of the test set."),
)

development_options = _together(
    click.option(
        "--dev-ref", "dev_references", multiple=True, metavar="FILE", help="Reference file of the development set."
    ),
    click.option(
        "--dev",
        "dev_systems",
        multiple=True,
        metavar="NAME=FILES",
        help="Runs of a system on the development set, for s_dev and the median run.",
    ),
)

no_cache_option = click.option("--no-cache", is_flag=True, help="Do not use the cache of segment statistics.")

layout_option = click.option(
    "--layout",
    type=click.Choice(LAYOUTS),
    default="full",
    show_default=True,
    help="paper: one table of systems by metrics. multeval: averages, deviations and p-values as in MultEval.",
)

methods_option = click.option(
    "--methods",
    is_flag=True,
    expose_value=False,
    callback=lambda ctx, _, value: ctx.meta.__setitem__("truegain.methods", value),
    help="Show a paragraph for a paper as well, and the signatures of metrics and test.",
)

format_options = _together(
    click.option(
        "--format",
        "-f",
        "format",
        type=click.Choice(FORMATS),
        help="Output format. Default: terminal, or by the ending of -o.",
    ),
    click.option("--output", "-o", metavar="FILE", help="Write to FILE (atomically) instead of the terminal."),
    click.option("--decimals", "-w", type=click.IntRange(0, 15), metavar="N", help="Decimals of scores."),
    methods_option,
)

all_tests_option = click.option(
    "--all-tests",
    is_flag=True,
    expose_value=False,
    callback=lambda ctx, _, value: ctx.meta.__setitem__("truegain.all_tests", value),
    help="Show further tables as well, such as what tests of other claims find.",
)

output_options = _together(
    format_options,
    click.option("--quiet", "-q", is_flag=True, help="Show no progress bar; beside -o FILE, no notes on files."),
)


def plot_option(what: str, name: str = "--plot") -> Callable[[Decorated], Decorated]:
    """Add the option to draw the result's figure, too; refuse a file that cannot be one before any work is done."""

    def checked(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        if value is not None:
            from truegain.cli.display import check_figure

            check_figure(value)
        return value

    return click.option(name, metavar="FILE", callback=checked, help=f"{what}: .svg, .pdf or .png.")


def read_inputs(given: dict[str, Any]) -> tuple[Corpus, list[str]]:
    """Read the corpus and decide on the metrics: bleu by default, scores if there are files of them.

    Takes its options out of ``given``.
    """
    taken = {name: given.pop(name) for name in INPUTS}
    systems, references, scores = taken["systems"], taken["references"], taken["scores"]
    wanted = list(taken["metrics"]) or (["bleu"] if references or taken["table"] or not scores else [])
    check_programs(wanted)
    kinds = {split_specification(one)[0] for one in wanted}
    if scores and not kinds & OF_SCORES:
        wanted.append("scores")
    if taken["table"] is not None:
        from truegain.readers.columns import corpus_from_table

        if kinds & OF_SCORES and not kinds <= OF_SCORES:
            raise InputError("a --table holds texts or scores; score both in two commands")
        for name, option in (
            ("references", "--ref"),
            ("scores", "--scores"),
            ("references_per_line", "--num-refs"),
            ("sources", "--src"),
        ):
            if taken[name]:
                raise InputError(f"{option} does not go with --table, which holds all texts and scores")
        columns = {name: taken[name] for name in _OF_TABLES}
        table, by = taken["table"], given.get("by")
        return corpus_from_table(table, systems, scores=bool(kinds & OF_SCORES), by=by, **columns), wanted
    from truegain.readers.corpora import read_corpus

    if not systems:
        raise InputError("there is no system", hint="give files of outputs (SYSTEM...), or a --table")
    if taken["reference_columns"]:
        raise InputError("--ref-column goes with --table")
    if taken["sources"] is not None:
        from truegain.metrics.lookup import check_sources_read

        check_sources_read(wanted)
    corpus = read_corpus(
        systems,
        references,
        scores=scores,
        outputs_are_scores=kinds <= OF_SCORES and not scores,
        **{name: taken[name] for name in _OF_FILES},
    )
    return corpus, wanted


def check_programs(metrics: Sequence[str]) -> None:
    """Refuse the option of programs if no metric is computed by one."""
    if _DOWNLOADS in click.get_current_context().meta and all(
        split_specification(one)[0] in METRICS for one in metrics
    ):
        raise InputError("--allow-download does not apply: no metric here is computed by another program")


def read_development(given: dict[str, Any]) -> Corpus | None:
    """Read the outputs on the development set, if there are any, before the inputs, whose columns its files have.

    Takes its options out of ``given``.
    """
    references, systems = given.pop("dev_references"), given.pop("dev_systems")
    if not references and not systems:
        return None
    if not references or not systems:
        missing = "--dev-ref FILE" if not references else "--dev NAME=FILES, one for each system"
        raise InputError("the development set needs references and outputs", hint=f"give {missing}")
    from truegain.readers.corpora import read_corpus

    columns = {} if given["table"] is not None else {name: given[name] for name in _OF_TEXTS}
    return read_corpus(systems, references, **columns)


_LONG = ("system_column", "run_column", "repeat_column", "rater_column")
_COLUMNS = ("id_column", "document_column", "domain_column", *_LONG, "name")
_OF_TABLES = ("documents", "domains", "reference_columns", "text_column", *_COLUMNS)
_OF_TEXTS = ("id_column", "text_column", "references_per_line")
_OF_FILES = ("documents", "domains", "text_column", "references_per_line", "sources", *_COLUMNS)
#: What names the inputs.
INPUTS = ("systems", "references", "scores", "metrics", "table", "reference_columns", *_OF_FILES)


def the_cache(no_cache: bool) -> Cache | None:
    """Return the cache on disk, unless it is not wanted."""
    from truegain.cache import Cache

    return None if no_cache else Cache()
