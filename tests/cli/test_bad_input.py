"""Bad input gets a clear answer: which file, which line, what to do. Exit code 2, and the old output stays."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import json
import lzma
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from truegain.readers import plain, sources
from truegain.registry import METRICS, SCORERS
from truegain.report import ENDINGS

Command = Callable[..., tuple[int, str, str]]
Refused = Callable[..., str]

COMPARE = ("compare", "-R", "50", "-j", "1", "--ref", "ref.txt")


def write(folder: Path, name: str, text: str | bytes) -> str:
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def head(folder: Path, name: str, lines: int, into: str) -> str:
    return write(folder, into, b"".join((folder / name).read_bytes().splitlines(keepends=True)[:lines]))


# ---- Files that do not fit together


@pytest.mark.parametrize("study", ["compare", "score"])
def test_too_few_lines(folder: Path, refused: Refused, study: str) -> None:
    head(folder, "new.txt", 20, "short.txt")
    err = refused(study, "--ref", "ref.txt", "base.txt", "short.txt")
    assert "short.txt: 20 segments where ref.txt has 24" in err
    assert "line 21 of ref.txt ('the small cat number 20 sat on the old …') has no counterpart" in err
    assert "every file must have one line for each segment, in the same order" in err


def test_too_many_lines(folder: Path, refused: Refused) -> None:
    write(folder, "long.txt", (folder / "new.txt").read_bytes() + b"one more\nand more\n")
    err = refused(*COMPARE, "base.txt", "long.txt")
    assert "long.txt: 26 segments where ref.txt has 24: line 25 of long.txt ('one more') has no counterpart" in err


def test_references_of_different_lengths(folder: Path, refused: Refused) -> None:
    head(folder, "ref.txt", 23, "ref2.txt")
    err = refused(*COMPARE, "--ref", "ref2.txt", "base.txt", "new.txt")
    assert "ref2.txt: 23 segments where ref.txt has 24: line 24 of ref.txt" in err


def test_too_few_scores_beside_texts(folder: Path, refused: Refused) -> None:
    head(folder, "new.scores", 20, "short.scores")
    err = refused(*COMPARE, "base.txt", "new.txt", "--scores", "base=base.scores", "--scores", "new=short.scores")
    assert "20 segments" in err
    assert "short.scores" in err


@pytest.mark.parametrize(
    "empty", [b"", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)], ids=["nothing", "mark alone", "compressed"]
)
@pytest.mark.parametrize("place", ["reference", "system", "documents", "scores", "systems of scores"])
def test_empty_files(folder: Path, refused: Refused, place: str, empty: bytes) -> None:
    name = write(folder, "empty.gz" if empty.startswith(b"\x1f") else "empty", empty)
    arguments = {
        "reference": ["--ref", name, "base.txt", "new.txt"],
        "system": ["--ref", "ref.txt", "base.txt", name],
        "documents": ["--ref", "ref.txt", "--docs", name, "base.txt", "new.txt"],
        "scores": ["--ref", "ref.txt", "base.txt", "new.txt", "--scores", f"base={name}"],
        "systems of scores": ["-m", "scores", "base.scores", name],
    }[place]
    err = refused("compare", *arguments)
    assert err.startswith(f"truegain: {name}: ")
    assert "empty" in err
    assert "is this the right file?" in err


def test_a_reference_given_as_a_system(folder: Path, refused: Refused) -> None:
    Path("link.txt").symlink_to("ref.txt")
    for again in ("ref.txt", "link.txt"):
        err = refused(*COMPARE, "base.txt", again)
        assert f"{again}: these outputs are ref.txt itself: it is the same file" in err
        assert "a reference was given as a system; leave it out" in err
        err = refused(*COMPARE, "--ref", again, "base.txt", "new.txt")
        assert f"{again}: this file is given as a reference twice" in err


@pytest.mark.parametrize("name", ["base ", " base", "base\u00a0", "\tbase"])
def test_names_that_look_the_same(folder: Path, refused: Refused, name: str) -> None:
    err = refused(*COMPARE, "base=base.txt", f"{name}=new.txt")
    assert err.startswith("truegain: two systems are named 'base'")
    assert "an empty name" in refused(*COMPARE, "base.txt", " =new.txt")


@pytest.mark.usefixtures("folder")
def test_systems_of_one_name(refused: Refused) -> None:
    err = refused(*COMPARE, "one=base.txt", "one=new.txt")
    assert "two systems are named 'one'" in err
    assert "NAME=FILE1,FILE2" in err
    assert "two systems are named" in refused(*COMPARE, "base.txt", "base.txt")


def test_one_segment_cannot_be_compared(folder: Path, refused: Refused) -> None:
    for name in ("ref", "base", "new"):
        head(folder, f"{name}.txt", 1, f"{name}1.txt")
    err = refused("compare", "--ref", "ref1.txt", "base1.txt", "new1.txt")
    assert "there is only one segment: no test can tell a difference from chance on it" in err
    assert "truegain score gives the scores" in err


def test_one_system_cannot_be_compared(refused: Refused) -> None:
    err = refused(*COMPARE, "base.txt")
    assert "there is only one system, 'base'; a comparison needs two" in err


# ---- Files that cannot be read


@pytest.mark.parametrize("study", ["compare", "score"])
def test_bytes_that_are_not_utf8(folder: Path, refused: Refused, study: str) -> None:
    lines = (folder / "new.txt").read_bytes().split(b"\n")
    lines[6] = b"a caf\xe9 in Latin-1"
    write(folder, "latin.txt", b"\n".join(lines))
    err = refused(study, "--ref", "ref.txt", "base.txt", "latin.txt")
    assert "latin.txt:7: byte 6 of the line (0xe9) is not UTF-8" in err
    assert "iconv" in err


def test_a_line_above_the_limit(folder: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "LINE_LIMIT", 100)
    write(folder, "long.txt", b"short\n" + b"x" * 101 + b"\n")
    err = refused(*COMPARE, "base.txt", "long.txt")
    assert "long.txt:2: the line has 101 characters; the limit is 100" in err


def test_more_lines_than_the_limit(folder: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "LINES_LIMIT", 100)
    write(folder, "many.txt", b"\n" * 101)
    assert "many.txt: it has 101 lines; the limit is 100" in refused(*COMPARE, "base.txt", "many.txt")


def test_a_directory(folder: Path, refused: Refused) -> None:
    (folder / "runs").mkdir()
    assert "runs: this is a directory; a file was expected" in refused(*COMPARE, "base.txt", "runs")
    assert "runs: this is a directory" in refused("compare", "--ref", "runs", "base.txt", "new.txt")


@pytest.mark.usefixtures("folder")
def test_a_missing_file(refused: Refused) -> None:
    assert "none.txt: there is no such file" in refused(*COMPARE, "base.txt", "none.txt")
    assert "none.txt: there is no such file" in refused("compare", "--ref", "none.txt", "base.txt", "new.txt")
    assert "none.txt: there is no such file" in refused(*COMPARE, "--docs", "none.txt", "base.txt", "new.txt")
    assert "none.txt: there is no such file" in refused(*COMPARE, "--scores", "none.txt", "base.txt", "new.txt")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EACCES, "new.txt: cannot be read: Permission denied"),
        (errno.EIO, "new.txt: cannot be read: Input/output error"),
        (errno.ENOENT, "new.txt: there is no such file"),
    ],
)
def test_an_unreadable_or_vanished_file(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    original = Path.open

    def refuse(self: Path, *arguments: Any, **options: Any) -> Any:
        if self.name == "new.txt":
            raise OSError(number, os.strerror(number), str(self))
        return original(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse)
    assert said in refused(*COMPARE, "base.txt", "new.txt")


@pytest.mark.usefixtures("folder")
def test_a_file_that_vanishes_between_the_glob_and_the_reading(
    refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "glob", lambda pattern: ["new.txt", "gone.txt"])
    assert "gone.txt: there is no such file" in refused(*COMPARE, "base.txt", "new=n*.txt")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("argument", ["x" * 300, "new=" + "x" * 300])
def test_a_name_longer_than_any_file_has(refused: Refused, argument: str) -> None:
    assert "there is no such file" in refused(*COMPARE, "base.txt", argument)


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [
        (".gz", gzip.compress),
        (".bz2", bz2.compress),
        (".xz", lzma.compress),
        (".zst", lambda data: zstandard.ZstdCompressor().compress(data)),
    ],
)
def test_compressed_files_that_are_cut_or_misnamed(
    folder: Path, refused: Refused, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    whole = compress((folder / "new.txt").read_bytes())
    cut, misnamed = write(folder, f"cut.txt{suffix}", whole[:-6]), write(folder, "misnamed.txt", whole)
    err = refused(*COMPARE, "base.txt", cut)
    assert f"{cut}: cannot be decompressed as {suffix}" in err
    assert "is the file whole?" in err
    err = refused(*COMPARE, "base.txt", misnamed)
    assert f"{misnamed}: this is a compressed file ({suffix}) under another name" in err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--ref", "-", "base.txt", "-"],
        ["--ref", "-", "--ref", "-", "base.txt", "new.txt"],
        ["--ref", "ref.txt", "-", "-"],
        ["--ref", "ref.txt", "a=-", "b=-"],
        ["--ref", "ref.txt", "base.txt", "-", "--docs", "-"],
        ["--ref", "-", "base.txt", "new.txt", "--docs", "-"],
        ["--ref", "ref.txt", "base.txt", "-", "--scores", "-"],
    ],
)
def test_standard_input_twice(refused: Refused, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\n" * 24)))
    assert "standard input (-) can be read only once" in refused("compare", *arguments)


@pytest.mark.usefixtures("folder")
def test_globs(refused: Refused) -> None:
    err = refused(*COMPARE, "base.txt", "none*.txt")
    assert "no file matches 'none*.txt'" in err
    assert "quoted" in err
    err = refused(*COMPARE, "base.txt", "[bn]*.txt")
    assert "'[bn]*.txt' matches 2 files" in err
    assert "NAME='[bn]*.txt'" in err


# ---- Columns


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("compare", "-m", "scores", "--id-column", "nosuch", "a.tsv", "a2=a.tsv"),
            "must be one of key, score; got 'nosuch'",
        ),
        (("compare", "-m", "scores", "--text-column", "key", "a.tsv", "a2=a.tsv"), "there is no table of texts"),
        (("compare", "-m", "scores", "--ref", "ref.txt", "a.tsv", "a2=a.tsv"), "segment scores need no reference"),
        (
            ("compare", "-m", "scores", "--num-refs", "2", "a.tsv", "a2=a.tsv"),
            "no reference file that could hold several",
        ),
        (("compare", "--table", "a.tsv", "--num-refs", "2"), "--num-refs does not go with --table"),
        (
            ("rank", "-m", "scores", "--docs-column", "key", "a.tsv", "a2=a.tsv"),
            "a column of documents is named, 'key'",
        ),
        (("plan", "--sd", "1", "--correlation", "0", "--id-column", "key"), "--id-column is given, and no system"),
    ],
)
def test_columns_that_are_not_used(folder: Path, refused: Refused, arguments: tuple[str, ...], message: str) -> None:
    write(folder, "a.tsv", "key\tscore\nx\t1\ny\t2\n")
    assert message in refused(*arguments)


def test_a_development_set_has_the_columns_of_the_test_set(folder: Path, refused: Refused) -> None:
    for name in ("ref", "base", "new"):
        lines = (folder / f"{name}.txt").read_text().splitlines()
        write(folder, f"{name}.tsv", "key\tout\n" + "".join(f"{i}\t{line}\n" for i, line in enumerate(lines)))
    columns = ("--id-column", "key", "--text-column", "out", "--ref", "ref.tsv", "base.tsv", "new.tsv")
    write(folder, "other.tsv", "key\ttext\n0\tthe cat\n")
    err = refused("compare", *columns, "--dev-ref", "other.tsv", "--dev", "base=base.tsv", "--dev", "new=new.tsv")
    assert "other.tsv: the column of texts must be one of" in err


# ---- Documents


def test_document_ids(folder: Path, refused: Refused) -> None:
    head(folder, "docs.txt", 23, "few.txt")
    err = refused(*COMPARE, "--docs", "few.txt", "base.txt", "new.txt")
    assert "few.txt: 23 document ids for 24 segments" in err
    assert "--docs-column NAME" in err
    write(folder, "gap.txt", (folder / "docs.txt").read_bytes().replace(b"doc2\n", b"\n", 1))
    assert "gap.txt:7: there is no document id" in refused(*COMPARE, "--docs", "gap.txt", "base.txt", "new.txt")
    err = refused(*COMPARE, "--docs", "docs.txt", "--docs-column", "doc1", "base.txt", "new.txt")
    assert "docs.txt: the column of documents must be one of doc0; got 'doc1'" in err
    assert "did you mean 'doc0'?" in err


def test_documents_as_the_unit(folder: Path, refused: Refused) -> None:
    err = refused(*COMPARE, "--unit", "document", "base.txt", "new.txt")
    assert "--unit document needs document IDs" in err
    assert "--docs FILE" in err
    write(folder, "one.txt", "same\n" * 24)
    err = refused(*COMPARE, "--unit", "document", "--docs", "one.txt", "base.txt", "new.txt")
    assert "--unit document needs two documents or more; all segments are in one" in err
    assert "--unit segment" in err


# ---- Scores


@pytest.mark.parametrize("odd", ["nan", "inf", "-inf", "NaN", "1e999"])
def test_scores_that_are_not_finite(folder: Path, refused: Refused, odd: str) -> None:
    write(folder, "odd.scores", "0.5\n0.5\n" + odd + "\n")
    err = refused("compare", "-m", "scores", "base.scores", "odd.scores")
    assert f"odd.scores:3: the score is {float(odd)}" in err
    assert "scores must be finite" in err


def test_a_score_that_is_no_number(folder: Path, refused: Refused) -> None:
    write(folder, "odd.scores", "0.5\n0,5\n")
    assert "odd.scores:2: '0,5' is not a number" in refused("compare", "-m", "scores", "base.scores", "odd.scores")


def test_several_columns_of_scores_without_a_choice(folder: Path, refused: Refused) -> None:
    table = "id\tCOMET\terrors\n" + "".join(f"s{i}\t0.{i % 7}\t{i % 3}\n" for i in range(24))
    for name in ("a.tsv", "b.tsv"):
        write(folder, name, table.replace("0.1", name.replace("a.tsv", "0.2").replace("b.tsv", "0.3")))
    err = refused("compare", "-m", "scores", "a.tsv", "b.tsv")
    assert (
        "the scores have several columns\n  choose one:\n    -m scores:column=COMET\n    -m scores:column=errors" in err
    )
    err = refused("compare", "-m", "scores:column=COMETS", "a.tsv", "b.tsv")
    assert "scores:column must be one of COMET, errors; got 'COMETS'" in err
    assert "did you mean 'COMET'?" in err
    assert "scores:over must be one of" in refused("compare", "-m", "scores:column=COMET,over=words", "a.tsv", "b.tsv")


def test_a_ratio_over_nothing(folder: Path, refused: Refused) -> None:
    for name in ("a.tsv", "b.tsv"):
        write(folder, name, "errors\twords\n1\t0\n2\t0\n")
    err = refused("compare", "-m", "scores:column=errors,over=words", "a.tsv", "b.tsv")
    assert "the column 'words' sums to 0; a ratio needs a positive sum" in err


@pytest.mark.usefixtures("folder")
def test_scores_and_systems_that_do_not_match(refused: Refused) -> None:
    texts = [*COMPARE, "base.txt", "new.txt"]
    err = refused(*texts, "--scores", "base=base.scores", "--scores", "newer=new.scores")
    assert "there are scores for 'newer', and the systems are base, new" in err
    err = refused(*texts, "--scores", "base.scores")
    assert "base.scores: it does not say which system the scores belong to" in err
    assert "--scores base=base.scores" in err
    err = refused(*texts, "--scores", "base=base.scores")
    assert "'new'" in err
    assert "scores" in err
    err = refused(*texts, "-m", "bleu", "-m", "scores")
    assert "there are no segment scores for base.txt" in err
    assert "--scores SYSTEM=FILE" in err


def test_a_text_metric_on_scores_alone(folder: Path, refused: Refused) -> None:
    comet = {name: [{"COMET": i % 5 / 10} for i in range(24)] for name in ("base.txt", "other.txt")}
    write(folder, "comet.json", json.dumps(comet))
    err = refused(*COMPARE, "base.txt", "new.txt", "--scores", "comet.json")
    assert "there are scores for 'other', and the systems are base, new" in err
    assert "--scores new=FILE" in err


def test_scores_for_a_system_that_is_not_compared(folder: Path, refused: Refused) -> None:
    """A file may name others; an argument that does is wrong."""
    comet = {name: [{"COMET": i % 5 / 10} for i in range(24)] for name in ("base.txt", "new.txt", "other.txt")}
    write(folder, "comet.json", json.dumps(comet))
    err = refused(*COMPARE, "base.txt", "new.txt", "--scores", "comet.json", "--scores", "other=comet.json")
    assert "there are scores for 'other', and the systems are base, new" in err


@pytest.mark.parametrize("text", ["[" * 200_000, f"[1{'0' * 400}, 2]"], ids=["deep", "large"])
def test_hostile_json(folder: Path, refused: Refused, text: str) -> None:
    write(folder, "hostile.json", text)
    assert refused("compare", "-m", "scores", "base.scores", "hostile.json").startswith("truegain: hostile.json:")


@pytest.mark.parametrize("values", [("5e-324", "1e-323"), ("1e308", "-1e308")], ids=["tiny", "huge"])
def test_scores_at_the_ends_of_the_number_range(folder: Path, command: Command, values: tuple[str, str]) -> None:
    # They may be refused or compared; they must not end in a traceback.
    write(folder, "a", "".join(f"{values[i % 2]}\n" for i in range(8)))
    write(folder, "b", "".join(f"{values[i % 3 == 0]}\n" for i in range(8)))
    code, out, err = command("compare", "-R", "50", "-m", "scores", "a", "b", "-f", "json")
    if code == 0:
        assert json.loads(out)["comparisons"][0]["p"] is not None
    else:
        assert code == 2
        assert err.startswith("truegain: ")


# ---- Options


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["-m", "blue"],
            f"a metric must be one of {', '.join([*METRICS, *SCORERS])}; got 'blue'\n  did you mean 'bleu'?",
        ),
        (["-m", "BLEU"], "did you mean 'bleu'?"),
        (["-m", "bleu", "-m", "bleu"], "the metric 'bleu' is asked for twice"),
        (["-m", "bleu:tokenise=intl"], "got 'tokenise'\n  did you mean 'tokenize'?"),
        (["-m", "bleu:tokenize=int"], "got 'int'\n  did you mean 'intl'?"),
        (["-m", "bleu:smooth_method=ex"], "got 'ex'\n  did you mean 'exp'?"),
        (["-m", "bleu:lowercase=maybe"], "bleu:lowercase must be true or false; got 'maybe'"),
        (["-m", "bleu:max_ngram_order=two"], "bleu:max_ngram_order must be a whole number; got 'two'"),
        (["-m", "bleu:max_ngram_order=0"], "bleu:max_ngram_order must be from 1 to 100; got 0"),
        (["-m", "bleu:lowercase"], "the setting 'lowercase' has no value\n  write bleu:lowercase=VALUE"),
        (["--baseline", "bas"], "the baseline must be one of base, new; got 'bas'\n  did you mean 'base'?"),
        (["--alpha", "0"], "alpha must be between 0 and 1; got 0"),
        (["--alpha", "1"], "alpha must be between 0 and 1; got 1"),
        (["--alpha", "5"], "alpha must be between 0 and 1; got 5"),
        (["--alpha", "nan"], "alpha must be between 0 and 1; got nan"),
        (["--alpha", "x"], "'--alpha'"),
        (["--resamples", "0"], "the number of resamples must be at least 1; got 0"),
        (["--resamples", "-5"], "the number of resamples must be at least 1; got -5"),
        (["--resamples", "1e4"], "'--resamples'"),
        (["--seed", "-1"], "the seed must be from 0 to 2^64 - 1; got -1"),
        (["--seed", str(2**64)], "the seed must be from 0 to 2^64 - 1"),
        (["--jobs", "0"], "the number of jobs must be at least 1; got 0"),
        (["--jobs", "-2"], "the number of jobs must be at least 1; got -2"),
        (["--test", "bootstrp"], "'bootstrp' is not one of 'auto', 'crossed', 'raters', 'ar', 'tango', 'bootstrap'"),
        (["--unit", "sentence"], "'sentence' is not one of 'auto', 'segment', 'document'"),
        (["--alternative", "better"], "'better' is not one of 'two-sided', 'greater', 'less'"),
        (["--interval", "exact"], "'exact' is not one of 'test', 'percentile', 'basic', 'bca', 'normal'"),
        (["--format", "yaml"], "'yaml' is not one of 'terminal', 'md', 'latex', 'json', 'csv'"),
        (["--decimals", "-1"], "'--decimals'"),
        (["--resample", "5"], "--resamples"),
    ],
)
def test_options(refused: Refused, arguments: list[str], said: str) -> None:
    assert said in refused("compare", "--ref", "ref.txt", "base.txt", "new.txt", *arguments)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("study", ["compare", "score"])
def test_a_missing_reference(refused: Refused, study: str) -> None:
    err = refused(study, "base.txt", "new.txt")
    assert "BLEU needs a reference" in err
    assert "--ref FILE" in err


@pytest.mark.usefixtures("folder")
def test_no_system_at_all(refused: Refused) -> None:
    assert "system" in refused(*COMPARE).lower()


@pytest.mark.parametrize("test", ["ar"])
def test_unequal_numbers_of_runs_cannot_be_swapped(folder: Path, refused: Refused, test: str) -> None:
    write(folder, "new.2.txt", (folder / "new.txt").read_bytes().replace(b"cat", b"dog"))
    err = refused(*COMPARE, "--test", test, "base.txt", "new=new.txt,new.2.txt")
    assert "approximate randomization swaps runs in pairs, and 'new' has 2 where 'base' has 1" in err
    assert "--test bootstrap" in err


def test_scores_of_other_texts(folder: Path, refused: Refused) -> None:
    rows: dict[str, list[dict[str, Any]]] = {
        name: [{"mt": line, "COMET": 0.5} for line in (folder / name).read_text().splitlines()]
        for name in ("base.txt", "new.txt")
    }
    rows["new.txt"][7]["mt"] += " too"
    write(folder, "comet.json", json.dumps(rows))
    err = refused(*COMPARE, "-m", "scores", "--scores", "comet.json", "base.txt", "new.txt")
    assert "comet.json (new.txt): these are scores of other texts: in segment 8 'mt' is" in err


@pytest.mark.usefixtures("folder")
def test_a_cache_size_that_is_no_number(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUEGAIN_CACHE_SIZE", "1GB")
    assert "TRUEGAIN_CACHE_SIZE" in refused(*COMPARE, "base.txt", "new.txt")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("width", "longest"), [("junk", 100), ("", 100), ("0", 100), ("60", 60)])
def test_an_odd_number_of_columns_is_no_reason_to_stop(
    command: Command, monkeypatch: pytest.MonkeyPatch, width: str, longest: int
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    code, out, _ = command(*COMPARE, "base.txt", "new.txt")
    assert code == 0
    assert longest - 15 < max(map(len, out.splitlines())) <= longest


# ---- Output that cannot be written


def failing(*_: Any) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("study", ["compare", "score"])
def test_a_full_disk_leaves_the_old_file(refused: Refused, monkeypatch: pytest.MonkeyPatch, study: str) -> None:
    monkeypatch.setattr(os, "fsync", failing)
    err = refused(study, "-R", "50", "--ref", "ref.txt", "base.txt", "new.txt")
    assert err == "truegain: old.json: cannot be written: No space left on device\n"


@pytest.mark.usefixtures("folder")
def test_a_move_that_fails_leaves_the_old_file(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", failing)
    assert "cannot be written" in refused(*COMPARE, "--no-cache", "base.txt", "new.txt")


def test_an_output_where_none_can_be(folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truegain.readers.corpora.read_corpus", None)  # it is seen before any work is done
    (folder / "directory").mkdir()
    for output, reason in (
        ("none/out.json", "cannot be written: there is no such directory"),
        ("directory", "this is a directory; a file was expected"),
        ("ref.txt/out.json", "cannot be written: there is no such directory"),
    ):
        code, out, err = command(*COMPARE, "base.txt", "new.txt", "-f", "json", "-o", output)
        assert (code, out) == (2, "")
        assert err == f"truegain: {output}: {reason}\n"
    assert list((folder / "directory").iterdir()) == []
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_an_interrupted_write_leaves_the_old_file(
    folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    (folder / "out.md").write_text("old")
    code, _, err = command(*COMPARE, "base.txt", "new.txt", "-o", "out.md")
    assert code == 130
    assert "interrupted" in err
    assert (folder / "out.md").read_text() == "old"
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.whole
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("format", ["terminal", "json"])
def test_standard_output_on_a_full_disk(format: str) -> None:
    with Path("/dev/full").open("w") as full:
        answer = subprocess.run(
            [sys.executable, "-m", "truegain", *COMPARE, "base.txt", "new.txt", "-f", format],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert answer.returncode not in (0, 120)
    assert answer.stderr == "truegain: standard output: No space left on device\n"


@pytest.mark.whole
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("given", [("compare", "--help"), ("metrics",), ("--version",)])
def test_what_others_write_to_standard_output_on_a_full_disk(given: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "truegain", *given]
    with Path("/dev/full").open("w") as full:
        answer = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (answer.returncode, answer.stderr) == (2, "truegain: standard output: No space left on device\n")
    left, right = os.pipe()
    os.close(left)
    with os.fdopen(right, "w") as nobody:
        answer = subprocess.run(command, stdout=nobody, stderr=subprocess.PIPE, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")


NEEDS = "the system refused what this command needs"
RW = "cannot be read or written"
ROOM = "  see that there is room, in the folder of temporary files (TMPDIR) too\n"
AGAIN = "  try again; if it stays so, see the limits of this shell (ulimit -a), and that files are still there\n"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), f"{NEEDS}: No space left on device\n{ROOM}"),
        (OSError(errno.EIO, "Input/output error", "odd\x1bfile"), f"odd\ufffdfile: {RW}: Input/output error\n{AGAIN}"),
        (
            OSError(errno.EACCES, "Permission denied", b"there"),
            f"there: {RW}: Permission denied\n  see that you may read and write there\n",
        ),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), f"{NEEDS}: Broken pipe\n{AGAIN}"),
        (OSError(), f"{NEEDS}: OSError\n{AGAIN}"),
    ],
)
def test_what_the_system_refuses_is_said_in_words(
    command: Command, monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    """Whatever no other words were found for; a pipe that is not standard output is no reader that left."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("truegain.engines.blas.BlasEngine.resample", fail)
    answer = command(*COMPARE, "base.txt", "new.txt", "--test", "bootstrap")
    assert answer == (2, "", f"truegain: {said}")


@pytest.mark.whole
@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux")
@pytest.mark.usefixtures("folder")
def test_too_little_memory() -> None:
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "from truegain.cli.main import main; main()"
    )
    arguments = ["compare", "-j", "1", "-R", str(10**12), "--ref", "ref.txt", "base.txt", "new.txt"]
    answer = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("truegain: there is not enough memory for this")
    assert "resamples" in answer.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("kind", [RuntimeError, ImportError])
def test_an_interruption_that_a_library_made_another_error_of(
    command: Command, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    def fail(*_: object, **__: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as stop:
            raise kind("it could not be loaded") from stop

    monkeypatch.setattr("truegain.engines.blas.BlasEngine.resample", fail)
    code, out, err = command(*COMPARE, "base.txt", "new.txt", "--test", "bootstrap")
    assert (code, out, err) == (130, "", "truegain: interrupted\n")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("message", "code"), [("can't start new thread", 2), ("something else", 3)])
def test_no_thread_can_be_started(command: Command, monkeypatch: pytest.MonkeyPatch, message: str, code: int) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(message)

    monkeypatch.setattr("truegain.engines.blas.BlasEngine.resample", fail)
    monkeypatch.setattr("traceback.print_exc", lambda: None)
    found, _, err = command(*COMPARE, "base.txt", "new.txt", "--test", "bootstrap")
    assert found == code
    assert ("--jobs 1" in err) == (code == 2)
    assert ("fault of truegain" in err) == (code == 3)


# ---- Names that are not text


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux")
@pytest.mark.parametrize("format", ["terminal", "md", "latex", "json", "csv"])
def test_a_file_name_that_is_not_utf8(folder: Path, command: Command, format: str) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    shutil.copy("new.txt", name)
    code, _, err = command(*COMPARE, "base.txt", name, "-f", format, "-o", "out")
    assert code == 0, err
    assert "caf" in (folder / "out").read_text(encoding="utf-8")


# ---- The same through a process of its own


@pytest.mark.whole
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--ref", "ref.txt", "base.txt", "none.txt"], "truegain: none.txt: there is no such file\n"),
        (["--ref", "ref.txt", "base.txt", "ref.txt"], "truegain: ref.txt: these outputs are ref.txt itself"),
        (["base.txt", "new.txt"], "truegain: BLEU needs a reference\n  give it: --ref FILE\n"),
        (["--ref", "ref.txt", "base.txt", "new.txt", "--alpha", "2"], "truegain: alpha must be between 0 and 1"),
        (["--ref"], "Error: Option '--ref' requires an argument."),
    ],
)
def test_in_a_process_of_its_own(folder: Path, arguments: list[str], said: str) -> None:
    (folder / "old.md").write_text("old")
    answer = subprocess.run(
        [sys.executable, "-m", "truegain", "compare", "-o", "old.md", *arguments], capture_output=True, text=True
    )
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(said)
    assert (folder / "old.md").read_text() == "old"


# ---- Simulation, demo


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["base"], "'base' is not NAME=QUALITY or NAME=QUALITY:RUNS\n  for example: better=0.72:3"),
        (["base=x"], "'base=x' is not NAME=QUALITY"),
        (["=0.5"], "'=0.5' is not NAME=QUALITY"),
        (["base=0.5:x"], "'base=0.5:x' is not NAME=QUALITY"),
        (["base=2"], "the quality of 'base' must be above 0 and below 1; got 2"),
        (["base=0.5", "base=0.6"], "two systems are called 'base'"),
        (["base=0.5", "--segments", "0"], "the number of segments must be a whole number of at least 1; got 0"),
    ],
)
def test_simulations_that_cannot_be_made(command: Command, arguments: list[str], said: str) -> None:
    code, out, err = command("simulate", "-o", "made", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert not Path("made").exists()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("arguments", [["simulate", "base=0.7", "--segments", "5"], ["demo"]])
def test_an_output_directory_that_cannot_be_made(command: Command, arguments: list[str]) -> None:
    before = Path("ref.txt").read_bytes()
    code, _, err = command(*arguments, "-o", "ref.txt")
    assert code == 2
    assert err.startswith("truegain: ref.txt: ")
    assert Path("ref.txt").read_bytes() == before


def test_an_unknown_ending_is_no_format(folder: Path, command: Command) -> None:
    code, out, err = command(*COMPARE, "base.txt", "new.txt", "-o", "out.docx")
    assert (code, out) == (2, "")
    assert f"the ending of the file must be one of {', '.join(ENDINGS)}; got '.docx'" in err
    assert not (folder / "out.docx").exists()
    assert command(*COMPARE, "base.txt", "new.txt", "-o", "out.report", "-f", "md")[0] == 0
    assert (folder / "out.report").read_text().startswith("**ref")


def test_a_dash_is_standard_output(folder: Path, command: Command) -> None:
    code, out, _ = command(*COMPARE, "base.txt", "new.txt", "-o", "-", "-f", "csv")
    assert code == 0
    assert out.startswith("metric,")
    assert not (folder / "-").exists()


@pytest.mark.parametrize("option", ["--docs-column", "--domain-column"])
def test_a_column_of_no_table(refused: Callable[..., str], option: str) -> None:
    assert "no table of them is given" in refused(*COMPARE, "base.txt", "new.txt", option, "doc")


def test_a_setting_given_twice(refused: Callable[..., str]) -> None:
    err = refused(*COMPARE, "base.txt", "new.txt", "-m", "bleu:tokenize=13a,tokenize=char")
    assert "tokenize is set twice" in err


def test_tables_do_not_go_with_files(refused: Callable[..., str]) -> None:
    assert "--ref does not go with --table" in refused("compare", "--table", "x.tsv", "--ref", "ref.txt")
    assert "--ref-column goes with --table" in refused(*COMPARE, "base.txt", "--ref-column", "ref")
