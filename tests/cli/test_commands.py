"""The commands: what they print, in which form, and how they end."""

from __future__ import annotations

import csv
import errno
import gzip
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

from truegain.cli.main import _COMMANDS, group
from truegain.registry import TESTS
from truegain.version import __version__

Command = Callable[..., tuple[int, str, str]]

COMMANDS = list(_COMMANDS)
FEW = ("-R", "50", "-j", "1")
COMPARE = ("compare", *FEW, "--ref", "ref.txt")
SCORE = ("score", *FEW, "--ref", "ref.txt")
NUMBERS = ("score", "--score-only", "--ref", "ref.txt")
ESCAPE = "\x1b"


def write(folder: Path, name: str, text: str | bytes) -> str:
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "truegain", *arguments], capture_output=True, text=True, encoding="utf-8", **options
    )


def parsed(answer: tuple[int, str, str]) -> dict[str, Any]:
    code, out, err = answer
    assert (code, err) == (0, "")
    result: dict[str, Any] = json.loads(out)
    return result


def compared(command: Command, *arguments: str) -> dict[str, Any]:
    return parsed(command(*COMPARE, *arguments, "-f", "json"))


# ---- Help and version


def test_help_is_cheap() -> None:
    script = f"""
import contextlib, io, sys
from truegain.cli.main import main
for arguments in [[], *([name] for name in {COMMANDS!r})]:
    for option in ("--help", "-h"):
        with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as out:
            main([*arguments, option])
        assert out.getvalue().startswith("Usage: truegain"), out.getvalue()
print(sorted({{"numpy", "rich", "sacrebleu"}} & set(sys.modules)))
"""
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (answer.stdout, answer.stderr) == ("[]\n", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_the_help_once(command: Command, name: str) -> None:
    found = group.get_command(click.Context(group), name)
    assert found is not None
    out = command(name, "--help")[1]
    for option in found.params:
        if isinstance(option, click.Option) and not option.hidden:
            assert len(re.findall(rf"^  (?:-\w, )?{option.opts[0]}\b(?!-)", out, re.MULTILINE)) == 1, option.opts


def test_version_says_whether_kernels_are_compiled(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truegain.cli.main.missing", list)
    code, out, err = command("--version")
    assert (code, out.splitlines()[0], err) == (0, f"truegain {__version__} (compiled kernels)", "")
    monkeypatch.setattr("truegain.cli.main.missing", lambda: ["draws", "tokens"])
    code, out, _ = command("--version")
    assert code == 0
    assert out.startswith(f"truegain {__version__} (NO compiled kernels (draws, tokens)")


def test_version_says_where_the_cache_is(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it cannot be told, the version still is."""
    monkeypatch.setenv("TRUEGAIN_CACHE", "kept")
    command("score", *FEW, "-m", "bleu", "--ref", "ref.txt", "base.txt")
    (size,) = (path.stat().st_size for path in (folder / "kept").iterdir())
    for given, said in (("1000000", f"1 entries.* {size:,} of 1,000,000 bytes"), ("1GB", "'1GB'")):
        monkeypatch.setenv("TRUEGAIN_CACHE_SIZE", given)
        code, out, err = command("--version")
        assert (code, err) == (0, "")
        assert re.fullmatch(rf"truegain .*\ncache in kept: .*{said}\n", out)
    monkeypatch.delenv("TRUEGAIN_CACHE_SIZE")
    monkeypatch.setenv("TRUEGAIN_CACHE", "loop")
    (folder / "loop").symlink_to("loop")
    assert command("--version")[1].endswith(f"cache in loop: the cache cannot be read: {os.strerror(errno.ELOOP)}\n")


def test_no_command_shows_the_help(command: Command) -> None:
    code, out, err = command()
    assert code == 2
    assert (out + err).startswith("Usage: truegain ")


def test_metrics_and_tests_are_listed(command: Command) -> None:
    code, out, _ = command("metrics")
    assert code == 0
    assert re.search(r"^bleu: .*Papineni.*; better: higher$", out, re.MULTILINE)
    assert "tokenize=" in out
    assert "lower_is_better=None" in out
    code, out, _ = command("tests")
    assert code == 0
    assert re.search(
        r"^  ar: .*Noreen 1989.*\n      null: .*exchangeable.*unit: by --unit.*size at 5 %: ", out, re.MULTILINE
    )
    assert all(re.search(rf"^  {name}: ", out, re.MULTILINE) for name in TESTS)


# ---- Formats


@pytest.mark.parametrize(
    ("ending", "format"), [(".md", "md"), (".tex", "latex"), (".json", "json"), (".csv", "csv"), (".txt", "terminal")]
)
@pytest.mark.parametrize("study", [COMPARE, SCORE])
def test_formats_are_the_same_in_a_file_whose_ending_chooses_one_unless_it_is_named(
    folder: Path, command: Command, study: tuple[str, ...], ending: str, format: str
) -> None:
    code, out, err = command(*study, "base.txt", "new.txt", "--format", format)
    assert (code, err) == (0, "")
    assert out.endswith("\n")
    assert ESCAPE not in out
    out = out.replace(" · --methods: text for a paper", "")  # what a file cannot be asked for
    for more in (("--format", format, "-o", "result"), ("-o", f"result{ending}")):
        assert command(*study, "base.txt", "new.txt", *more) == (0, "", f"wrote {more[-1]}\n")
        assert (folder / more[-1]).read_text(encoding="utf-8") == out
    command(*study, "base.txt", "new.txt", "-f", "csv", "-o", f"result{ending}")
    beginning = "metric,baseline,system," if study is COMPARE else "metric,"
    assert (folder / f"result{ending}").read_text(encoding="utf-8").startswith(beginning)


def test_a_file_is_replaced_whole_and_keeps_its_permissions(folder: Path, command: Command) -> None:
    out = folder / "out.json"
    out.write_text("old " * 10_000)
    out.chmod(0o640)
    command(*COMPARE, "base.txt", "new.txt", "-o", "out.json")
    json.loads(out.read_text())
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    old = os.umask(0o027)
    try:
        command(*COMPARE, "base.txt", "new.txt", "-o", "fresh.json")
    finally:
        os.umask(old)
    assert stat.S_IMODE((folder / "fresh.json").stat().st_mode) == 0o640
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]


def test_an_output_through_a_link_goes_to_its_target(folder: Path, command: Command) -> None:
    (folder / "results").mkdir()
    (folder / "results" / "out.json").write_text("old")
    (folder / "out.json").symlink_to("results/out.json")
    assert command(*COMPARE, "base.txt", "new.txt", "-o", "out.json")[0] == 0
    assert (folder / "out.json").is_symlink()
    json.loads((folder / "results" / "out.json").read_text())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_an_output_that_is_no_plain_file_is_written_to_and_not_replaced(folder: Path, command: Command) -> None:
    """As with -o /dev/null; and as with -o >(program): a pipe without a name, which a link leads to."""
    line, beginning = (*COMPARE, "base.txt", "new.txt", "-f", "csv"), b"metric,"
    os.mkfifo(folder / "pipe")
    # Opened for both, so that neither side waits for the other.
    with os.fdopen(os.open(folder / "pipe", os.O_RDWR | os.O_NONBLOCK), "r+b", buffering=0) as pipe:
        assert command(*line, "-o", "pipe")[0] == 0
        assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)
        assert os.read(pipe.fileno(), 1 << 16).startswith(beginning)
    if not Path("/dev/fd").exists():
        return
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as pipe, os.fdopen(writing, "wb"):
        assert command(*line, "-o", f"/dev/fd/{writing}")[0] == 0
        assert os.read(pipe.fileno(), 1 << 16).startswith(beginning)


def test_notes_on_files_are_said_beside_a_file_and_stand_in_short_layouts(folder: Path, command: Command) -> None:
    (folder / "new.txt").write_bytes(b"\xef\xbb\xbf" + (folder / "new.txt").read_bytes())
    said = command(*COMPARE, "base.txt", "new.txt", "-o", "out.json")[1:]
    note = said[1].removesuffix("wrote out.json\n")
    assert note.startswith("new.txt: ")
    for arguments in ((), ("--layout", "paper"), ("--layout", "multeval")):
        for file in ("out.md", "out.tex"):
            assert command(*COMPARE, *arguments, "base.txt", "new.txt", "-o", file) == (0, "", f"{note}wrote {file}\n")
            text = (folder / file).read_text()
            assert note.strip() in text
            if arguments and file == "out.tex":
                assert f"% {note}" in text
        assert note.strip() in command(*COMPARE, *arguments, "base.txt", "new.txt")[1]
    assert command(*COMPARE, "base.txt", "new.txt", "-o", "out.json", "--quiet") == (0, "", "wrote out.json\n")
    (folder / "copy.txt").write_bytes((folder / "ref.txt").read_bytes())
    assert "Warning: " in command(*COMPARE, "base.txt", "copy.txt", "-q", "-o", "out.json")[2]


def test_the_order_of_a_long_table_is_said_beside_a_file(folder: Path, command: Command) -> None:
    rows = "".join(f"{system},{i},{i % 5 + len(system)}\n" for system in ("v9", "v10") for i in range(24))
    (folder / "long.csv").write_text(f"system,id,score\n{rows}")
    (folder / "exp.toml").write_text('metrics = ["scores"]\n[[testset]]\nname = "a"\ntable = "long.csv"\n')
    scores = ("-m", "scores", "long.csv", "-o", "out.json")
    few = ("-R", "99")
    code, out, err = command("gate", *few, *scores)
    assert (code, out) == (2, "")
    assert "--baseline NAME" in err
    assert command("gate", *few, *scores, "--baseline", "v9")[0] == 0
    for line in (
        *(("compare", *few, *scores), ("score", *few, *scores), ("rank", *few, *scores), ("inspect", *scores)),
        ("run", "exp.toml", "-o", "out.json"),
    ):
        code, out, err = command(*line)
        assert (code, out) == (0, "")
        assert err.startswith("long.csv: ")
        assert "'v10'" in err


@pytest.mark.parametrize("format", ["json", "csv"])
def test_data_has_no_layout(command: Command, format: str) -> None:
    code, out, err = command(*COMPARE, "base.txt", "new.txt", "--layout", "paper", "-f", format)
    assert (code, out) == (2, "")
    assert "'paper'" in err
    # The ending of a file is a format too; and nothing is read before that is known.
    assert command(*COMPARE, "nowhere.txt", "--layout", "paper", "-o", f"x.{format}")[2] == err


@pytest.mark.parametrize("option", ["--segments", "--score-only"])
def test_one_table_of_systems_has_no_segments(command: Command, option: str) -> None:
    code, _, err = command(*SCORE, "base.txt", "--layout", "multeval", option)
    assert code == 2
    assert option in err


# ---- Terminals and pipes


def on_a_terminal(*arguments: str, columns: int = 100, **environment: str) -> tuple[int, str]:
    """Run with both outputs on a terminal."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    variables = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), **environment}
    running = subprocess.Popen(
        [sys.executable, "-m", "truegain", *arguments], stdin=slave, stdout=slave, stderr=slave, env=variables
    )
    os.close(slave)
    seen = bytearray()
    try:
        while data := os.read(master, 1 << 16):
            seen += data
    except OSError:  # how Linux says that the other side was closed
        pass
    os.close(master)
    return running.wait(), seen.decode()


@pytest.mark.usefixtures("folder")
def test_colours_and_a_progress_bar_on_a_terminal() -> None:
    code, seen = on_a_terminal(*COMPARE, "base.txt", "new.txt")
    assert code == 0
    assert f"{ESCAPE}[32m" in seen  # what is better is green
    assert "scoring" in seen
    assert "bootstrap" in seen


@pytest.mark.whole
@pytest.mark.usefixtures("folder")
def test_no_colours_where_they_are_not_wanted() -> None:
    code, seen = on_a_terminal(*COMPARE, "--quiet", "base.txt", "new.txt", NO_COLOR="1")
    assert code == 0
    assert ESCAPE not in seen
    assert "scoring" not in seen
    plain = process(*COMPARE, "base.txt", "new.txt", env={**os.environ, "COLUMNS": "100"}).stdout
    assert seen.replace("\r\n", "\n") == plain


@pytest.mark.usefixtures("folder")
def test_colours_are_forced_into_a_pipe_unless_they_are_not_wanted() -> None:
    for arguments, coloured in (
        ((*COMPARE, "base.txt", "new.txt"), f"{ESCAPE}[32mnew "),
        (("tests",), f"{ESCAPE}[36mar{ESCAPE}[0m: "),
    ):
        wanted = {name: value for name, value in os.environ.items() if name != "TERM"}
        plain, forced, refused, empty = (
            process(*arguments, env={**wanted, **more}).stdout
            for more in ({}, {"FORCE_COLOR": "1"}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, {"FORCE_COLOR": ""})
        )
        assert coloured in forced
        assert re.sub(rf"{ESCAPE}\[[0-9;]*m", "", forced) == plain
        assert plain == refused == empty
        assert ESCAPE not in plain
    data = process(*COMPARE, "base.txt", "new.txt", "-f", "json", env={**os.environ, "FORCE_COLOR": "1"}).stdout
    assert json.loads(data)


@pytest.mark.whole
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}], ids=["colours", "no colours"])
@pytest.mark.parametrize(
    "line",
    [("tests",), *((*COMPARE, "-q", "--layout", one, "base.txt", "new.txt") for one in ("full", "paper", "multeval"))],
)
def test_no_line_is_longer_than_the_screen(line: tuple[str, ...], environment: dict[str, str]) -> None:
    code, seen = on_a_terminal(*line, columns=80, **environment)
    assert code == 0
    assert (ESCAPE in seen) is ("NO_COLOR" not in environment)
    lines = re.sub(rf"{ESCAPE}\[[0-9;]*m", "", seen).split("\r\n")
    assert 60 < max(map(len, lines)) <= 80
    assert "…" not in seen


# ---- Ends


@pytest.mark.parametrize("place", ["truegain.studies.compare.compare", "truegain.studies.score.score", "os.fsync"])
def test_an_interruption_ends_with_130(
    folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Of the work, or while its result is written."""

    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupt)
    (folder / "out.json").write_text("old")
    study = "score" if "score" in place else "compare"
    code, out, err = command(study, "--ref", "ref.txt", "base.txt", "new.txt", "-o", "out.json")
    assert (code, out, err.strip()) == (130, "", "truegain: interrupted")
    assert (folder / "out.json").read_text() == "old"
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


# ---- Answers


def test_one_seed_gives_one_answer_whatever_the_threads(command: Command) -> None:
    arguments = ("compare", "-R", "3000", "--ref", "ref.txt", "base.txt", "new.txt", "-f", "json")
    first = command(*arguments, "-j", "1")
    assert command(*arguments, "-j", "3", "--no-cache") == first
    assert command(*arguments, "--seed", "1") != first


def test_line_ends_marks_and_empty_lines_are_accepted_and_said(folder: Path, command: Command) -> None:
    plain = compared(command, "base.txt", "new.txt")
    text = (folder / "new.txt").read_bytes()
    write(folder, "odd.txt", b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    odd = compared(command, "base.txt", "new=odd.txt")
    assert odd["comparisons"] == plain["comparisons"]
    assert [one["file"] for one in odd["notes"] if "file" in one] == ["odd.txt", "odd.txt"]
    lines = text.split(b"\n")
    lines[2] = lines[5] = b""
    write(folder, "gaps.txt", b"\n".join(lines))
    code, out, err = command(*COMPARE, "base.txt", "new=gaps.txt", "-f", "json")
    assert (code, err.startswith("Warning: gaps.txt: 2 ")) == (0, True)
    gaps = json.loads(out)
    assert gaps["testset"]["segments"] == 24
    assert gaps["systems"][1]["score"] < plain["systems"][1]["score"]
    (note,) = (note for note in gaps["notes"] if "file" in note)
    assert (note["file"], "3, 6" in note["text"]) == ("gaps.txt", True)


def test_compressed_files_and_standard_input(folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = command(*COMPARE, "--docs", "docs.txt", "base.txt", "new.txt", "-f", "csv")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((folder / "new.txt").read_bytes())))
    assert command(*COMPARE, "--docs", "docs.txt", "base.txt", "new=-", "-f", "csv") == plain
    for name in ("ref.txt", "docs.txt", "base.txt"):
        write(folder, f"{name}.gz", gzip.compress((folder / name).read_bytes()))
    packed = ("--ref", "ref.txt.gz", "--docs", "docs.txt.gz", "base.txt.gz", "new.txt")
    assert command("compare", *FEW, *packed, "-f", "csv") == plain


def test_several_runs_against_one_claim_new_runs(folder: Path, command: Command) -> None:
    for number, count in ((2, 5), (3, 0)):
        write(folder, f"new.{number}.txt", (folder / "new.txt").read_text().replace("small", "little", count))
    result = compared(command, "base.txt", "new=new.*txt")
    first, plain = result["comparisons"]
    assert (first["test"], first["claim"]["alike"], plain["test"]) == ("crossed", True, "bootstrap")
    assert plain["claim"]["alike"] is False
    (note,) = (note for note in result["notes"] if note["kind"] == "repeated-texts")
    assert "new.3.txt" in note["text"]


def test_documents_are_the_unit_where_they_are_known(folder: Path, command: Command) -> None:
    write(folder, "one.txt", "same\n" * 24)
    for options, unit, count in (
        ("docs.txt", "document", 8),
        ("docs.txt --unit segment", "segment", 24),
        ("one.txt", "segment", 24),
    ):
        result = compared(command, "base.txt", "new.txt", "--docs", *options.split())
        assert (result["comparisons"][0]["unit"], result["comparisons"][0]["n_units"]) == (unit, count)
    assert [note["kind"] for note in result["notes"]].count("unit-choice") == 1


def test_as_many_references_as_segments(folder: Path, command: Command) -> None:
    for name in ("ref", "base", "new"):
        write(folder, f"{name}2.txt", "".join((folder / f"{name}.txt").read_text().splitlines(keepends=True)[:2]))
    shutil.copy("ref2.txt", "other2.txt")
    code, _, err = command("compare", *FEW, "--ref", "ref2.txt", "--ref", "other2.txt", "base2.txt", "new2.txt")
    assert code == 0, err


# ---- Scores made elsewhere


def test_files_of_numbers(command: Command) -> None:
    for metric, better in (("scores", True), ("scores:lower_is_better=true", False)):
        result = parsed(command("compare", *FEW, "-m", metric, "base.scores", "new.scores", "-f", "json"))
        assert [one["name"] for one in result["systems"]] == ["base", "new"]
        assert result["systems"][0]["score"] == pytest.approx(np.mean([0.5 + i % 7 / 100 for i in range(24)]))
        (one,) = result["comparisons"]
        assert (one["better"], one["delta"] > 0) == (better, better)


def test_scores_beside_texts(command: Command) -> None:
    arguments = ("base.txt", "new.txt", "--scores", "base=base.scores", "--scores", "new=new.scores")
    result = compared(command, *arguments, "-m", "chrf")
    assert [metric["metric"] for metric in result["metrics"]] == ["chrf", "scores"]
    alone = parsed(command("compare", *FEW, *arguments, "-f", "json"))
    assert [metric["metric"] for metric in alone["metrics"]] == ["scores"]
    assert alone["comparisons"][0]["delta"] == result["comparisons"][1]["delta"]


# ---- score


def test_numbers_alone_which_go_where_the_output_goes(folder: Path, command: Command) -> None:
    code, out, err = command(*NUMBERS, "-m", "bleu", "-m", "chrf", "base.txt", "new.txt")
    assert (code, err) == (0, "")
    assert re.fullmatch(r"(\d+\.\d \d+\.\d\n){2}", out)
    assert command(*NUMBERS, "-m", "bleu", "-m", "chrf", "base.txt", "new.txt", "-o", "numbers.txt")[:2] == (0, "")
    assert (folder / "numbers.txt").read_text() == out
    result = parsed(command(*SCORE, "-m", "bleu", "-m", "chrf", "base.txt", "new.txt", "-f", "json"))
    scores = {(one["name"], one["metric"]): one["score"] for one in result["systems"]}
    _, out, _ = command(*NUMBERS, "-m", "bleu", "-m", "chrf", "--decimals", "6", "base.txt", "new.txt")
    assert out == "".join(f"{scores[name, 'bleu']:.6f} {scores[name, 'chrf']:.6f}\n" for name in ("base", "new"))


@pytest.mark.parametrize("width", [0, 1, 4])
def test_decimals(command: Command, width: int) -> None:
    _, out, _ = command(*SCORE, "--decimals", str(width), "base.txt")
    (row,) = re.findall(r"^base .*$", out, re.MULTILINE)
    number = r"\d+" if width == 0 else rf"\d+\.\d{{{width}}}"
    error = rf"\d+\.\d{{{width + 1}}}"  # a digit more
    assert re.fullmatch(rf"base +{number} +{error} +{number} – {number}", row)


def test_single_segments(folder: Path, command: Command) -> None:
    result = parsed(command(*SCORE, "--segments", "base.txt", "new.txt", "-f", "json"))
    scores = {one["run"]: one["scores"] for one in result["segments"]}
    assert {run: len(own) for run, own in scores.items()} == {"base.txt": 24, "new.txt": 24}
    rows = list(csv.DictReader(io.StringIO(command(*SCORE, "--segments", "base.txt", "new.txt", "-f", "csv")[1])))
    assert list(rows[0]) == ["segment", "base.txt bleu", "new.txt bleu"]
    assert [float(row["new.txt bleu"]) for row in rows] == pytest.approx(scores["new.txt"], rel=1e-9)
    _, out, _ = command(*SCORE, "--segments", "base.txt", "new.txt")
    for name, own in scores.items():
        (shown,) = re.findall(rf"^{name} +BLEU\n((?:\d+ +[\d.]+\n)+)", out, re.MULTILINE)
        assert [float(row.split()[1]) for row in shown.splitlines()] == pytest.approx(own, abs=0.005)


def test_single_segments_of_files_with_odd_names(folder: Path, command: Command) -> None:
    shutil.copy("new.txt", "new[en].txt")
    code, out, err = command(*SCORE, "--segments", "base.txt", "new[en].txt")
    assert code == 0, err
    assert re.search(r"^new\[en\]\.txt +BLEU$", out, re.MULTILINE)
    code, out, err = command("score", *FEW, "-m", "scores:title=[/x]", "base.scores")
    assert code == 0, err
    assert "[/x] ↑" in out


# ---- The cache


def test_another_test_needs_no_new_statistics(command: Command, bleu_calls: list[int]) -> None:
    first = command(*COMPARE, "base.txt", "new.txt", "-f", "json")
    assert bleu_calls == [24, 24]
    assert command(*COMPARE, "base.txt", "new.txt", "-f", "json") == first
    command(*COMPARE, "--test", "bootstrap", "--docs", "docs.txt", "base.txt", "new.txt")
    command(*SCORE, "new.txt")
    assert bleu_calls == [24, 24]
    command(*COMPARE, "-m", "bleu:lowercase=true", "base.txt", "new.txt")
    assert len(bleu_calls) == 4


def test_the_cache_is_left_alone_on_request(command: Command, bleu_calls: list[int]) -> None:
    first = command(*COMPARE, "--no-cache", "base.txt", "new.txt")
    assert not Path(os.environ["TRUEGAIN_CACHE"]).exists()
    command(*COMPARE, "base.txt", "new.txt")
    assert command(*COMPARE, "--no-cache", "base.txt", "new.txt") == first
    assert len(bleu_calls) == 6


# ---- demo


def test_the_demo_shows_and_writes_its_report(folder: Path, command: Command) -> None:
    code, out, err = command("demo", "-o", "shown")
    assert (code, err) == (0, "")
    assert out.endswith(
        "wrote report.txt, report.md, report.tex, report.json, report.csv, report.html and sample/ to shown/\n"
    )
    sample = files("truegain") / "sample"
    written = {path.name: path.read_bytes() for path in (folder / "shown" / "sample").iterdir()}
    assert written == {path.name: path.read_bytes() for path in sample.iterdir() if path.name.endswith(".txt")}
    result = json.loads((folder / "shown" / "report.json").read_text())
    crossed = [one for one in result["comparisons"] if one["test"] == "crossed"]
    better = {one["system"]: one["better"] for one in crossed if one["metric"] == "bleu"}
    assert better == {"better": True, "similar": None}
