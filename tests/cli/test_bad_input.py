"""Bad input gets a clear answer: which file, which line, what to type. Exit code 2, and the old output stays."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.said import missing
from truegain.readers import sources

Command = Callable[..., tuple[int, str, str]]
Refused = Callable[..., str]

COMPARE = ("compare", "-R", "50", "-j", "1", "--ref", "ref.txt")

PAIR = ("base.txt", "new.txt")


def write(folder: Path, name: str, text: str | bytes) -> str:
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def head(folder: Path, name: str, lines: int, into: str) -> str:
    return write(folder, into, b"".join((folder / name).read_bytes().splitlines(keepends=True)[:lines]))


# ---- Files that do not fit together, or cannot be read


@pytest.fixture
def spoiled(folder: Path) -> Path:
    """The folder, with files that are wrong."""
    new = (folder / "new.txt").read_bytes()
    lines = new.split(b"\n")
    comet = {name: [{"COMET": i % 5 / 10} for i in range(24)] for name in ("base.txt", "new.txt", "other.txt")}
    files: dict[str, str | bytes] = {
        "long.txt": new + b"one more\nand more\n",
        "new.2.txt": new.replace(b"cat", b"dog"),
        "latin.txt": b"\n".join([*lines[:6], b"a caf\xe9 in Latin-1", *lines[7:]]),
        "gap.txt": (folder / "docs.txt").read_bytes().replace(b"doc2\n", b"\n", 1),
        "one.docs": "same\n" * 24,
        "a.tsv": "key\tscore\nx\t1\ny\t2\n",
        "none.tsv": "errors\twords\n1\t0\n2\t0\n",
        "several.tsv": "id\tCOMET\terrors\n" + "".join(f"s{i}\t0.{i % 7}\t{i % 3}\n" for i in range(24)),
        "comma.scores": "0.5\n0,5\n",
        "other.json": json.dumps({name: comet[name] for name in ("base.txt", "other.txt")}),
        "all.json": json.dumps(comet),
        "deep.json": "[" * 200_000,
        "large.json": f"[1{'0' * 400}, 2]",
    }
    for name, text in files.items():
        write(folder, name, text)
    for name, count, into in (
        ("new.txt", 20, "short.txt"),
        ("ref.txt", 23, "ref2.txt"),
        ("new.scores", 20, "short.scores"),
        ("docs.txt", 23, "few.docs"),
        *((f"{name}.txt", 1, f"{name}1.txt") for name in ("ref", "base", "new")),
    ):
        head(folder, name, count, into)
    Path("link.txt").symlink_to("ref.txt")
    Path("runs").mkdir()
    return folder


TEXTS = "--ref ref.txt base.txt new.txt"


@pytest.mark.usefixtures("spoiled")
@pytest.mark.parametrize(
    ("line", "naming"),
    [
        # Lengths
        ("compare --ref ref.txt base.txt short.txt", "short.txt: 20 ref.txt 24 21"),
        ("compare --ref ref.txt base.txt long.txt", "long.txt: 26 24 25"),
        (f"compare --ref ref2.txt {TEXTS}", "ref2.txt 23 24"),
        (f"compare {TEXTS} --scores base=base.scores --scores new=short.scores", "20 short.scores"),
        ("compare --ref ref1.txt base1.txt new1.txt", "score"),
        ("compare --ref ref.txt base.txt", "'base'"),
        ("compare --ref ref.txt", "system"),
        # Names
        ("compare --ref ref.txt base.txt ref.txt", "ref.txt:"),
        ("compare --ref ref.txt base.txt link.txt", "link.txt: ref.txt"),
        (f"compare --ref link.txt {TEXTS}", "ref.txt:"),
        (f"compare --ref ref.txt {TEXTS}", "ref.txt:"),
        ("compare --ref ref.txt base=base.txt 'base =new.txt'", "'base'"),
        ("compare --ref ref.txt base=base.txt 'base\u00a0=new.txt'", "'base'"),
        ("compare --ref ref.txt base.txt ' =new.txt'", "name"),
        ("compare --ref ref.txt one=base.txt one=new.txt", "'one' NAME=FILE1,FILE2"),
        ("compare --ref ref.txt base.txt base.txt", "'base'"),
        # Files that cannot be read
        ("compare --ref ref.txt base.txt latin.txt", "latin.txt:7: 6 0xe9 iconv"),
        ("compare --ref ref.txt base.txt runs", "runs:"),
        ("compare --ref runs base.txt new.txt", "runs:"),
        ("compare --ref none.txt base.txt new.txt", "none.txt:"),
        (f"compare {TEXTS} --scores none.txt", "none.txt:"),
        (f"compare --ref ref.txt base.txt {'x' * 300}", "x" * 300),
        (f"compare --ref ref.txt base.txt new={'x' * 300}", "x" * 300),
        ("compare --ref ref.txt base.txt 'none*.txt'", "'none*.txt'"),
        ("compare --ref ref.txt base.txt 'ref[12].txt'", "'ref[12].txt' 2 NAME='ref[12].txt'"),
        # Columns
        ("compare -m scores --id-column nosuch a.tsv a2=a.tsv", "key score 'nosuch'"),
        ("compare -m scores --text-column key a.tsv a2=a.tsv", "'key'"),
        ("compare -m scores --ref ref.txt a.tsv a2=a.tsv", "reference"),
        ("compare -m scores --num-refs 2 a.tsv a2=a.tsv", "reference"),
        ("compare --table a.tsv --num-refs 2", "--num-refs --table"),
        ("compare --table x.tsv --ref ref.txt", "--ref --table"),
        (f"compare {TEXTS} --ref-column ref", "--ref-column --table"),
        (f"compare {TEXTS} --docs-column doc", "'doc'"),
        (f"compare {TEXTS} --domain-column doc", "'doc'"),
        ("rank -m scores --docs-column key a.tsv a2=a.tsv", "'key'"),
        ("plan --sd 1 --correlation 0 --id-column key", "--id-column"),
        (
            "compare --id-column key --text-column score --ref a.tsv x=a.tsv y=a.tsv"
            " --dev-ref none.tsv --dev x=a.tsv --dev y=a.tsv",
            "none.tsv: errors words 'score'",
        ),
        # Documents
        (f"compare {TEXTS} --docs few.docs", "few.docs: 23 24 --docs-column"),
        (f"compare {TEXTS} --docs gap.txt", "gap.txt:7:"),
        (f"compare {TEXTS} --docs docs.txt --docs-column doc1", "docs.txt: 'doc1' 'doc0'"),
        (f"compare {TEXTS} --unit document", "--unit --docs"),
        (f"compare {TEXTS} --unit document --docs one.docs", "--unit segment"),
        # Scores
        ("compare -m scores base.scores comma.scores", "comma.scores:2: '0,5'"),
        ("compare -m scores a=several.tsv b=several.tsv", "scores:column=COMET scores:column=errors"),
        ("compare -m scores:column=COMETS a=several.tsv b=several.tsv", "scores:column errors 'COMETS' 'COMET'"),
        ("compare -m scores:column=COMET,over=words a=several.tsv b=several.tsv", "scores:over"),
        ("compare -m scores:column=errors,over=words a=none.tsv b=none.tsv", "'words' 0"),
        (f"compare {TEXTS} --scores base=base.scores --scores newer=new.scores", "'newer' base new"),
        (f"compare {TEXTS} --scores base.scores", "base.scores: --scores base=base.scores"),
        (f"compare {TEXTS} --scores base=base.scores", "'new' scores"),
        (f"compare {TEXTS} -m bleu -m scores", "base.txt --scores"),
        (f"compare {TEXTS} --scores other.json", "'other' base new --scores new=FILE"),
        # A file may name other systems; an argument that does is wrong.
        (f"compare {TEXTS} --scores all.json --scores other=all.json", "'other' base new"),
        ("compare -m scores base.scores deep.json", "deep.json:"),
        ("compare -m scores base.scores large.json", "large.json:"),
        # Runs of which there are not equally many cannot be swapped.
        ("compare --ref ref.txt --test ar base.txt new=new.txt,new.2.txt", "'new' 2 'base' 1 --test bootstrap"),
    ],
)
def test_what_cannot_be_compared(refused: Refused, line: str, naming: str) -> None:
    said = refused(*shlex.split(line))
    assert not missing(said, naming), said


@pytest.mark.parametrize(
    "empty", [b"", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)], ids=["nothing", "mark alone", "compressed"]
)
@pytest.mark.parametrize(
    "line",
    [
        "--ref NAME base.txt new.txt",
        "--ref ref.txt base.txt NAME",
        f"{TEXTS} --docs NAME",
        f"{TEXTS} --scores base=NAME",
        "-m scores base.scores NAME",
    ],
)
def test_empty_files(folder: Path, refused: Refused, line: str, empty: bytes) -> None:
    name = write(folder, "empty.gz" if empty.startswith(b"\x1f") else "empty", empty)
    assert refused("compare", *line.replace("NAME", name).split()).startswith(f"truegain: {name}: ")


def test_a_file_that_vanishes_between_the_glob_and_the_reading(
    refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "glob", lambda pattern: ["new.txt", "gone.txt"])
    assert "gone.txt:" in refused(*COMPARE, "base.txt", "new=n*.txt")


@pytest.mark.parametrize(
    "line",
    [
        "--ref - base.txt -",
        "--ref - --ref - base.txt new.txt",
        "--ref ref.txt - -",
        "--ref ref.txt a=- b=-",
        "--ref ref.txt base.txt - --docs -",
        "--ref - base.txt new.txt --docs -",
        "--ref ref.txt base.txt - --scores -",
    ],
)
def test_standard_input_twice(refused: Refused, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\n" * 24)))
    assert "(-)" in refused("compare", *line.split())


# ---- Options


@pytest.mark.parametrize(
    ("options", "naming"),
    [
        ("-m BLEU", "'bleu'"),
        ("-m bleu:tokenise=intl", "'tokenise' 'tokenize'"),
        ("-m bleu:tokenize=int", "'int' 'intl'"),
        ("-m bleu:tokenize=13a,tokenize=char", "tokenize"),
        ("-m bleu:smooth_method=ex", "'ex' 'exp'"),
        ("-m bleu:lowercase=maybe", "bleu:lowercase true false 'maybe'"),
        ("-m bleu:max_ngram_order=two", "bleu:max_ngram_order 'two'"),
        ("-m bleu:max_ngram_order=0", "bleu:max_ngram_order 1 100 0"),
        ("-m bleu:lowercase", "bleu:lowercase=VALUE"),
        ("--baseline bas", "base new 'bas'"),
        ("--alpha 0", "alpha 0"),
        ("--alpha nan", "alpha nan"),
        ("--alpha x", "--alpha"),
        ("--resamples -5", "resamples -5"),
        ("--resamples 1e4", "--resamples"),
        ("--seed 18446744073709551616", "seed 2^64"),
        ("--jobs -2", "jobs -2"),
        ("--test bootstrp", "'bootstrp' 'bootstrap'"),
        ("--decimals -1", "--decimals"),
    ],
)
def test_options(refused: Refused, options: str, naming: str) -> None:
    assert not missing(refused("compare", *f"{TEXTS} {options}".split()), naming)


def test_scores_of_other_texts(folder: Path, refused: Refused) -> None:
    rows: dict[str, list[dict[str, Any]]] = {
        name: [{"mt": line, "COMET": 0.5} for line in (folder / name).read_text().splitlines()]
        for name in ("base.txt", "new.txt")
    }
    rows["new.txt"][7]["mt"] += " too"
    write(folder, "comet.json", json.dumps(rows))
    err = refused(*COMPARE, "-m", "scores", "--scores", "comet.json", "base.txt", "new.txt")
    assert not missing(err, "comet.json (new.txt): 8 'mt'")


def test_a_cache_size_that_is_no_number(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUEGAIN_CACHE_SIZE", "1GB")
    assert "TRUEGAIN_CACHE_SIZE" in refused(*COMPARE, "base.txt", "new.txt")


@pytest.mark.parametrize(("width", "longest"), [("junk", 100), ("", 100), ("0", 100), ("60", 60)])
def test_an_odd_number_of_columns_is_no_reason_to_stop(
    command: Command, monkeypatch: pytest.MonkeyPatch, width: str, longest: int
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    code, out, _ = command(*COMPARE, "base.txt", "new.txt")
    assert code == 0
    assert longest - 15 < max(map(len, out.splitlines())) <= longest


# ---- Output that cannot be written


def test_an_output_where_none_can_be(folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truegain.readers.corpora.read_corpus", None)  # it is seen before any work is done
    (folder / "directory").mkdir()
    for output in ("none/out.json", "directory", "ref.txt/out.json"):
        code, out, err = command(*COMPARE, "base.txt", "new.txt", "-f", "json", "-o", output)
        assert (code, out) == (2, "")
        assert err.startswith(f"truegain: {output}: ")
    assert list((folder / "directory").iterdir()) == []
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.whole
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "given", [(*COMPARE, *PAIR), (*COMPARE, *PAIR, "-f", "json"), ("compare", "--help"), ("metrics",), ("--version",)]
)
def test_standard_output_on_a_full_disk_or_into_nothing(given: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "truegain", *given]
    with Path("/dev/full").open("w") as full:
        answer = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (answer.returncode, answer.stderr) == (2, "truegain: standard output: No space left on device\n")
    left, right = os.pipe()
    os.close(left)
    with os.fdopen(right, "w") as nobody:
        answer = subprocess.run(command, stdout=nobody, stderr=subprocess.PIPE, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")


def interrupted(kind: type[Exception]) -> Exception:
    """Return an interruption that a library made another error of."""
    error = kind("it could not be loaded")
    error.__cause__ = KeyboardInterrupt()
    return error


@pytest.mark.parametrize(
    ("error", "code", "naming"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 2, "No space left on device TMPDIR"),
        (OSError(errno.EIO, "Input/output error", "odd\x1bfile"), 2, "odd\ufffdfile: Input/output error ulimit"),
        (OSError(errno.EACCES, "Permission denied", b"there"), 2, "there: Permission denied"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 2, "Broken pipe ulimit"),
        (OSError(), 2, "OSError ulimit"),
        (RuntimeError("can't start new thread"), 2, "--jobs 1"),
        (RuntimeError("something else"), 3, "fault of truegain"),
        (interrupted(RuntimeError), 130, "interrupted"),
        (interrupted(ImportError), 130, "interrupted"),
    ],
)
def test_errors_of_the_system_of_libraries_and_of_ours_are_said_in_words(
    command: Command, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int, naming: str
) -> None:
    """Whatever no other words were found for; a pipe that is not standard output is no reader that left."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("truegain.engines.engine.Engine.resample", fail)
    monkeypatch.setattr("traceback.print_exc", lambda: None)
    found, out, err = command(*COMPARE, "base.txt", "new.txt", "--test", "bootstrap")
    assert (found, out) == (code, "")
    assert err.startswith("truegain: ")
    assert not missing(err, naming)
    assert ("fault of truegain" in err) == (code == 3)
    assert code != 130 or err == "truegain: interrupted\n"


# ---- Names that are not text


# ---- The same through a process of its own


@pytest.mark.whole
@pytest.mark.parametrize("line", ["--ref ref.txt base.txt none.txt", "base.txt new.txt", "--ref"])
def test_in_a_process_of_its_own(folder: Path, line: str) -> None:
    (folder / "old.md").write_text("old")
    command = [sys.executable, "-m", "truegain", "compare", "-o", "old.md", *line.split()]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(("truegain: ", "Error: "))
    assert (folder / "old.md").read_text() == "old"


# ---- demo


def test_an_output_directory_that_cannot_be_made(command: Command) -> None:
    before = Path("ref.txt").read_bytes()
    code, _, err = command("demo", "-o", "ref.txt")
    assert (code, err.startswith("truegain: ref.txt: ")) == (2, True), err
    assert Path("ref.txt").read_bytes() == before


def test_an_unknown_ending_is_no_format(folder: Path, command: Command) -> None:
    code, out, err = command(*COMPARE, "base.txt", "new.txt", "-o", "out.docx")
    assert (code, out) == (2, "")
    assert "'.docx'" in err
    assert not (folder / "out.docx").exists()
    assert command(*COMPARE, "base.txt", "new.txt", "-o", "out.report", "-f", "md")[0] == 0
    assert (folder / "out.report").read_text().startswith("**ref")


def test_a_dash_is_standard_output(folder: Path, command: Command) -> None:
    code, out, _ = command(*COMPARE, "base.txt", "new.txt", "-o", "-", "-f", "csv")
    assert code == 0
    assert out.startswith("metric,")
    assert not (folder / "-").exists()
