"""The usual names of columns, and those that were named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from truegain.errors import InputError, Text

ID_NAMES = (
    *(
        "id",
        "segid",
        "seg_id",
        "segment_id",
        "segmentid",
        "segment",
        "sid",
        "utt_id",
        "utterance_id",
        "sent_id",
        "sentence_id",
    ),
    *(
        "item",
        "item_id",
        "itemid",
        "question_id",
        "questionid",
        "qid",
        "query_id",
        "prompt_id",
        "example_id",
        "task_id",
    ),
)
DOCUMENT_NAMES = ("docid", "doc_id", "doc", "document", "document_id")
#: Columns whose equal values say that items belong together: they may be the units, if they are named as documents.
CLUSTER_NAMES = (
    *DOCUMENT_NAMES,
    *(f"{what}{end}" for what in ("passage", "paragraph", "article", "story") for end in ("", "_id")),
    *(f"{what}{end}" for what in ("dialogue", "dialog", "conversation") for end in ("", "_id")),
    "subject_id",  # a subject is what questions are about
)
DOMAIN_NAMES = ("domain", "genre", "origlang", "subset")
SYSTEM_NAMES = ("system", "model")
RUN_NAMES = ("run", "seed")
REPEAT_NAMES = ("repeat", "sample", "epoch", "trial", "attempt")
RATER_NAMES = ("rater", "annotator", "rater_id", "annotator_id")
#: Names of raters that a column of something else may have as well: scores, or one judge of all rows.
JUDGE_NAMES = tuple(
    f"{who}{what}"
    for who in ("rater", "annotator", "evaluator", "assessor", "judge", "grader")
    for what in ("", "_id", "id", "_name", "_model")
    if f"{who}{what}" not in RATER_NAMES
)
#: Names of people who may have rated, if no column has a name above: such a column may name an item's author as well.
PERSON_NAMES = (
    *(f"{done}_by" for done in ("rated", "annotated", "evaluated", "assessed", "judged", "graded", "scored")),
    *(
        f"{who}{what}"
        for who in ("linguist", "worker", "reviewer", "expert", "coder", "user")
        for what in ("", "_id", "id", "_name", "name")
        if who not in ("worker", "user") or what  # those of computers, and authors
    ),
)
#: Columns of the wordings of a prompt, if each stands with several items: raters only if they are named as such.
PROMPT_NAMES = ("prompt", "prompt_name", "prompt_template", "prompt_variant", "template", "wording")
#: Rows that sum up others, by their rater.
TOTAL_NAMES = frozenset(
    (
        *("total", "totals", "sum", "mean", "average", "avg", "median", "overall", "all", "consensus"),
        *("summe", "gesamt", "mittelwert", "durchschnitt", "somme", "moyenne"),
    )
)
#: Columns that speak of items, and not of who rated them.
ITEM_NAMES = ("lp", "langpair", "lang_pair", "language_pair", "benchmark", "dataset", "testset", "test_set")
#: Columns in each of whose values ids may start again: one item has one value.
RESTART_NAMES = (
    *ITEM_NAMES,
    *("lang", "language", "src_lang", "tgt_lang", "source_language", "target_language", "corpus", "task", "subject"),
    *("domain", "doc", "document", "file", "filename", "file_name", "datei", "dokument"),
)
_SEVERITY_NAMES = ("severity", "error_severity")
OUTPUT_NAMES = ("output", "hypothesis", "text")
#: The column that the rows of files have for their system, if each file is of one.
FILE_COLUMN = "the files"
#: A column without a name, which is the index of a data frame that was written or read again.
UNNAMED_COLUMN = re.compile(r"\s*|Unnamed: \d+")
REFERENCE_COLUMN = re.compile(r"(ref|reference)([._ -]?\d+)?", re.IGNORECASE)
REFERENCE_NAMES = ("ref", "reference")
SOURCE_NAMES = ("src", "source")
#: The outputs that were scored, beside their scores.
SCORED_NAMES = ("mt", *OUTPUT_NAMES)
#: Names of texts that were scored which a column of labels, or of what a judge wrote, may have as well.
LOOSE_NAMES = frozenset(("source", "output", "text"))
TEXT_NAMES = ("text", "output", "hypothesis", "hyp", "mt", "translation", "prediction", "reference", "ref", "target")


class Chosen(NamedTuple):
    """The columns that were named; others are found by their usual names."""

    systems: str | None = None
    runs: str | None = None
    repeats: str | None = None
    ids: str | None = None
    documents: str | None = None
    domains: str | None = None
    outputs: str | None = None
    references: tuple[str, ...] = ()
    by: str | None = None  # a column that segments are grouped by, or another grouping
    raters: str | None = None
    by_option: bool = True  # whether there are options that name columns

    def paths(self) -> list[str | None]:
        """Return the names of all columns."""
        one_each = (self.systems, self.runs, self.repeats, self.ids, self.documents, self.domains, self.outputs)
        return [*one_each, *self.references, self.by, self.raters, *parts_of(self.ids)]

    def named(self) -> set[str]:
        """Return the columns that have the meaning they were named for, and no other that their names suggest."""
        one_each = (self.systems, self.runs, self.repeats, self.ids, self.documents, self.domains, self.raters)
        return {one for one in one_each if one is not None}


def check_one_run(columns: Mapping[str, Iterable[object]], file: str, names: Sequence[str], hint: Text) -> None:
    """Refuse a column with one of these names and several values if rows are those of one run of one system."""
    for column, values in columns.items():
        if column_key(column) in names and (count := len(set(values))) > 1:
            raise InputError(
                f"its column {column!r} has {count:,} values, and one run was expected", path=file, hint=hint
            )


def check_no_single_errors(columns: Iterable[str], name: str) -> None:
    """Refuse a table that has several rows of one item and a column of severities: MQM with a row for each error."""
    found = next((column for column in columns if column_key(column) in _SEVERITY_NAMES), None)
    if found is not None:
        raise InputError(
            f"an item has several rows, and by the column {found!r} each row is a single error",
            path=name,
            hint="sum up the weights of errors in one row per system, item and rater, with a column score; or count "
            "errors in columns major, minor, punctuation and non_translation, for the metric mqm",
        )


def column_key(name: str) -> str:
    """Return a name of a column as the usual names are written: Rater ID and rater-id are rater_id."""
    return re.sub(r"[\s\-]+", "_", name.strip().lower())


def rater_noun(column: str) -> str:
    """Return what one is called whom a column of raters names: a judge by judge_id, a rater by rated_by."""
    noun = re.sub(r"_(id|name|model)$|(?<=or|er|ge)id$", "", column_key(column)).removesuffix("s").replace("_", " ")
    return "rater" if noun.endswith(" by") else noun


def parts_of(ids: str | None) -> list[str]:
    """Return the columns that ids are made of, ``document,segment``; none if they are one column."""
    return [] if ids is None or "," not in ids else [one.strip() for one in ids.split(",")]


def joined_id(parts: Sequence[str | None]) -> str | None:
    """Return the id that parts of it make; None if one is missing. Different parts never make the same id."""
    texts = [part for part in parts if part]
    if any("," in text for text in texts):
        texts = [text.replace("\\", "\\\\").replace(",", "\\,") for text in texts]
    return ",".join(texts) if len(texts) == len(parts) else None
