"""An option that does not apply is an error: also with its default value, and before any work is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
import pytest

from truegain.cli import applicable
from truegain.cli import main as commands

Command = Callable[..., tuple[int, str, str]]

_TEXTS = ("--ref", "ref.txt", "base.txt", "new.txt")
_RUNS = ("--ref", "ref.txt", "base=base.txt,third.txt", "new=new.txt,third.txt")
_SCORES = ("-m", "scores", "base.scores", "new.scores")
_FEW = ("-R", "20", "-j", "1")
_DEV = ("--dev-ref", "ref.txt", "--dev", "base=base.txt", "--dev", "new=new.txt")
_ALONE = ("score", "-j", "1", *_TEXTS, "--score-only")

IGNORED: list[tuple[tuple[str, ...], tuple[str, ...], str]] = [
    # Decimals of what has all digits.
    *(
        (("compare", *_FEW, *_TEXTS, "-f", one), ("-w", "2"), f"--decimals does not apply: {one} has")
        for one in ("json", "csv")
    ),
    (("score", *_FEW, *_TEXTS, "-o", "x.tsv"), ("--decimals", "2"), "--decimals does not apply: tsv has all digits"),
    (("rank", *_FEW, *_TEXTS, "-f", "json"), ("-w", "2"), "--decimals does not apply"),
    (("gate", *_FEW, *_TEXTS, "-f", "json"), ("-w", "2"), "--decimals does not apply"),
    (("run", "experiment.toml", "-f", "json"), ("-w", "2"), "--decimals does not apply"),
    (("inspect", *_TEXTS, "-f", "csv"), ("-w", "2"), "--decimals does not apply"),
    (
        ("plan", "--sd", "9", "--correlation", "0.5", "--gain", "1", "-f", "json"),
        ("-w", "2"),
        "--decimals does not apply",
    ),
    (("render", "result.json", "-f", "json"), ("-w", "2"), "--decimals does not apply"),
    (("merge", "all.sums", "-f", "json"), ("-w", "2"), "--decimals does not apply"),
    # Standard errors, where they always are, or have no column.
    (
        ("compare", *_FEW, *_TEXTS, "-f", "json"),
        ("--standard-errors",),
        "--standard-errors does not apply: json always",
    ),
    (("score", *_FEW, *_TEXTS, "-o", "x.csv"), ("--standard-errors",), "--standard-errors does not apply: csv always"),
    (("rank", *_FEW, *_TEXTS, "-f", "tsv"), ("--standard-errors",), "--standard-errors does not apply: tsv always"),
    (("compare", *_FEW, *_TEXTS, "--layout", "paper"), ("--standard-errors",), "the layout paper has no column"),
    (_ALONE, ("--standard-errors",), "--standard-errors does not apply: --score-only"),
    # Segments in formats without them.
    *(
        (("compare", *_FEW, *_TEXTS, "-f", one), ("--changed-segments", "3"), "--changed-segments does not apply")
        for one in ("csv", "terminal")
    ),
    (("inspect", *_TEXTS), ("--all",), "--all does not apply: terminal has no rows"),
    (("inspect", *_TEXTS), ("--records", "segments"), "--records does not apply: terminal has no rows"),
    (("inspect", *_TEXTS, "-f", "csv", "--all"), ("--count", "2"), "--count does not apply: every one of the segments"),
    (("inspect", *_TEXTS, "-f", "csv", "--records", "words"), ("--count", "2"), "--count does not apply"),
    (("inspect", *_TEXTS, "-f", "csv"), ("--ngrams", "2"), "--ngrams does not apply"),
    (("inspect", *_SCORES), ("--ngrams", "3"), "--ngrams does not apply: there are no texts"),
    (("inspect", *_SCORES), ("--tokenize", "none"), "--tokenize does not apply: there are no texts"),
    (("inspect", *_SCORES), ("--length-buckets", "5"), "--length-buckets does not apply: there are no texts"),
    (("inspect", *_SCORES), ("--frequencies", "ref.txt"), "--frequencies does not apply: there are no texts"),
    # A development set of single runs.
    (("compare", *_FEW, *_TEXTS), _DEV, "a development set shows how runs vary"),
    (("score", *_FEW, *_TEXTS), _DEV, "a development set shows how runs vary"),
    (("inspect", *_TEXTS), _DEV, "a development set shows how runs vary"),
    # Scores alone.
    (_ALONE, ("-R", "20"), "--resamples does not apply: --score-only"),
    (_ALONE, ("--seed", "12345"), "--seed does not apply: --score-only"),
    (_ALONE, ("--alpha", "0.1"), "--alpha does not apply"),
    (_ALONE, ("--interval", "bca"), "--interval does not apply"),
    (_ALONE, ("--unit", "block"), "--unit does not apply"),
    (_ALONE, ("--strata", "none"), "--strata does not apply"),
    (_ALONE, ("--name", "x"), "--name does not apply"),
    (_ALONE, ("--engine", "threads"), "--engine does not apply"),
    (_ALONE, _DEV, "--dev-ref does not apply"),
    # Blocks, draws, parts, assumptions, runs that there are not.
    (("compare", *_FEW, *_TEXTS), ("--block-length", "3"), "a length of blocks is given, and no blocks are drawn"),
    (("replicate", *_FEW, "-n", "3", *_RUNS), ("--block-length", "3"), "No such option '--block-length'"),
    (("intervals", *_FEW, *_RUNS), ("--block-length", "3"), "No such option '--block-length'"),
    (("domains", *_FEW, "--draws", "0", *_TEXTS, "--domains", "docs.txt"), ("--draw", "9"), "--draw does not apply"),
    (
        ("domains", *_FEW, "--draws", "0", *_TEXTS, "--domains", "docs.txt"),
        ("--draw-resamples", "9"),
        "--draw-resamples does not apply: with --draws 0",
    ),
    (("domains", *_FEW, "--draws", "0", *_TEXTS, "--domains", "docs.txt"), ("--name", "x"), "--name does not apply"),
    (("threshold", *_FEW, *_TEXTS, "third.txt"), ("--subsets", "initial"), "--subsets does not apply"),
    (("threshold", *_FEW, *_TEXTS, "third.txt", "--sizes", "10,20"), ("-n", "3"), "--repetitions does not apply"),
    (("threshold", *_FEW, *_TEXTS, "third.txt"), ("--gain", "1"), "--gain does not apply: it is about reported gains"),
    (("threshold", *_FEW, *_TEXTS, "third.txt"), ("--segments", "9"), "--segments does not apply"),
    (("threshold", *_FEW, *_TEXTS, "third.txt"), ("--similar",), "--similar does not apply"),
    (
        ("threshold", "--profile", "profile.json", "--gain", "0.1"),
        ("--plot", "x.svg"),
        "--plot does not apply: a profile has",
    ),
    (("threshold", "--profile", "profile.json", "--gain", "0.1"), ("--alpha", "0.05"), "--alpha does not apply"),
    (("threshold", "--profile", "profile.json", "--gain", "0.1"), ("--no-cache",), "--no-cache does not apply"),
    (("plan", *_TEXTS), ("--design-effect", "1"), "--design-effect does not apply"),
    (("plan", "--sd", "9", "--correlation", "0.5", "--gain", "1"), ("--unit", "document"), "--unit does not apply"),
    (("plan", "--sd", "9", "--correlation", "0.5", "--gain", "1"), ("--strata", "none"), "--strata does not apply"),
    (("simulate", "-o", "made", "--segments", "9", "a=0.7", "b=0.7"), ("--run-sd", "0.1"), "--run-sd does not apply"),
    (
        ("simulate", "-o", "made", "--segments", "9", "a=0.7:2"),
        ("--correlation", "0.1"),
        "--correlation does not apply",
    ),
]


@pytest.fixture
def made(folder: Path, command: Command) -> Path:
    (folder / "experiment.toml").write_text(
        'resamples = 20\n[[testset]]\nname = "t"\nreference = "ref.txt"\n'
        'systems = {base = "base.txt", new = "new.txt"}\n'
    )
    assert command("compare", *_FEW, *_TEXTS, "-o", "result.json")[0] == 0
    assert command("stats", *_FEW, *_TEXTS, "-o", "all.sums")[0] == 0
    scored = [f"{i}.scores" for i in range(5)]
    for i, name in enumerate(scored):
        (folder / name).write_text("".join(f"{(i + 2) * j % 7}\n" for j in range(24)))
    assert command("threshold", *_FEW, "-m", "scores", *scored, "-o", "profile.json")[0] == 0
    return folder


@pytest.mark.parametrize(
    ("arguments", "option", "words"), IGNORED, ids=[f"{one[0][0]}{one[1][0]}-{i}" for i, one in enumerate(IGNORED)]
)
def test_an_option_that_does_not_apply_is_refused(
    command: Command, made: Path, arguments: tuple[str, ...], option: tuple[str, ...], words: str
) -> None:
    before = sorted(made.iterdir())
    code, out, err = command(*arguments, *option)
    assert (code, out) == (2, "")
    assert words in err
    assert sorted(made.iterdir()) == before
    assert command(*arguments)[0] in (0, 1)  # it is the option


@pytest.mark.parametrize(
    "arguments",
    [
        ("threshold", *_FEW, *_TEXTS, "third.txt", "-f", "json", "-w", "2", "--plot", "x.svg"),
        ("gate", *_FEW, *_TEXTS, "-o", "x.json", "-w", "2"),
        ("compare", *_FEW, *_TEXTS, "-o", "x.html", "--changed-segments", "2", "-w", "3"),
        ("inspect", *_TEXTS, "-f", "json", "--all", "--ngrams", "2", "--count", "1"),
        ("inspect", *_TEXTS, "-f", "csv", "--records", "ngrams", "--ngrams", "2"),
        ("score", *_TEXTS, "--score-only", "-w", "3"),
        ("domains", *_FEW, "--draws", "3", "--draw-resamples", "9", *_TEXTS, "--name", "x"),
    ],
)
@pytest.mark.usefixtures("made")
def test_where_it_applies_it_is_taken(command: Command, arguments: tuple[str, ...]) -> None:
    code, _, err = command(*arguments)
    assert code in (0, 1), err


def test_an_option_of_one_value_is_not_given_with_two(command: Command) -> None:
    said = "truegain: --by is given twice: 'domain' and 'lp'\n  give it once\n"
    assert command("rank", "--by", "domain", "--by=lp", "base.txt") == (2, "", said)
    assert command("rank", "--by", "domain", "--by", "lp", "--help")[0] == 0
    same = command(
        "rank", "--ref", "ref.txt", "-R", "99", "-R", "99", "base.txt", "new.txt", "-m", "bleu", "-m", "chrf"
    )
    assert same[0] == 0


def test_every_command_refuses_them() -> None:
    every = [commands.group.get_command(click.Context(commands.group), name) for name in commands._COMMANDS]
    assert [one for one in every if not isinstance(one, applicable.Command | click.Group)] == []
