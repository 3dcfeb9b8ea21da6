"""An option that does not apply is an error: also with its default value, and before any work is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
import pytest

from truegain.cli import command_line as applicable
from truegain.cli import main as commands

Command = Callable[..., tuple[int, str, str]]

TEXTS = "-R 20 -j 1 --ref ref.txt base.txt new.txt"
INSPECT = "inspect --ref ref.txt base.txt new.txt"
SCORES = "inspect -m scores base.scores new.scores"
RUNS = "-R 20 -j 1 --ref ref.txt base=base.txt,third.txt new=new.txt,third.txt"
DEV = "--dev-ref ref.txt --dev base=base.txt --dev new=new.txt"
ALONE = "score -j 1 --ref ref.txt base.txt new.txt --score-only"
SET = f"domains {TEXTS} --draws 0 --domains docs.txt"
PROFILE = "threshold --profile profile.json --gain 0.1"
ASSUMED = "plan --sd 9 --correlation 0.5 --gain 1"

#: A command that is fine, and options that do not apply to it.
IGNORED: list[tuple[str, list[str]]] = [
    # Decimals, where all digits are shown; standard errors, where they always are; segments, where there are none.
    (f"compare {TEXTS} -f json", ["-w 2", "--standard-errors"]),
    (f"compare {TEXTS} -f csv", ["-w 2", "--changed-segments 3"]),
    (f"score {TEXTS} -o x.tsv", ["--decimals 2"]),
    (f"score {TEXTS} -o x.csv", ["--standard-errors"]),
    (f"rank {TEXTS} -f json", ["-w 2"]),
    (f"rank {TEXTS} -f tsv", ["--standard-errors"]),
    (f"gate {TEXTS} -o x.json", ["-w 2"]),
    ("run experiment.toml -f json", ["-w 2"]),
    (f"{ASSUMED} -f json", ["-w 2"]),
    ("render result.json -f json", ["-w 2"]),
    (f"compare {TEXTS} --layout paper", ["--standard-errors"]),
    (f"compare {TEXTS} -f terminal", ["--changed-segments 3"]),
    (INSPECT, ["--all", "--records segments"]),
    (f"{INSPECT} -f csv", ["-w 2", "--ngrams 2"]),
    (f"{INSPECT} -f csv --all", ["--count 2"]),
    (f"{INSPECT} -f csv --records words", ["--count 2"]),
    (SCORES, ["--ngrams 3", "--tokenize none", "--length-buckets 5", "--frequencies ref.txt"]),
    # A development set of single runs.
    (f"compare {TEXTS}", [DEV]),
    (f"score {TEXTS}", [DEV]),
    (INSPECT, [DEV]),
    # Scores alone.
    (ALONE, ["-R 20", "--seed 12345", "--alpha 0.1", "--interval bca", "--unit block", "--strata none"]),
    (ALONE, ["--name x", "--engine threads", "--standard-errors", DEV]),
    # Blocks, draws, parts, assumptions, runs that there are not.
    (f"compare {TEXTS}", ["--block-length 3"]),
    (f"replicate -n 3 {RUNS}", ["--block-length 3"]),
    (f"intervals {RUNS}", ["--block-length 3"]),
    (SET, ["--draw 9", "--draw-resamples 9", "--name x"]),
    (f"threshold {TEXTS} third.txt", ["--subsets initial", "--gain 1", "--segments 9", "--similar"]),
    (f"threshold {TEXTS} third.txt --sizes 10,20", ["-n 3"]),
    (PROFILE, ["--plot x.svg", "--alpha 0.05", "--no-cache"]),
    (INSPECT.replace("inspect", "plan"), ["--design-effect 1"]),
    (ASSUMED, ["--unit document", "--strata none"]),
]
#: What options that are written in short are called, and what is said of those whose name is not.
CALLED = {"-w": "--decimals", "-R": "--resamples", "-n": "--repetitions"}
TOLD = {"--dev-ref": "development", "--block-length": "block", "--design-effect": "systems"}


@pytest.fixture
def made(folder: Path, command: Command) -> Path:
    (folder / "experiment.toml").write_text(
        'resamples = 20\n[[testset]]\nname = "t"\nreference = "ref.txt"\n'
        'systems = {base = "base.txt", new = "new.txt"}\n'
    )
    assert command("compare", *TEXTS.split(), "-o", "result.json")[0] == 0
    scored = [f"{i}.scores" for i in range(5)]
    for i, name in enumerate(scored):
        (folder / name).write_text("".join(f"{(i + 2) * j % 7}\n" for j in range(24)))
    assert command("threshold", "-R", "20", "-m", "scores", *scored, "-o", "profile.json")[0] == 0
    return folder


@pytest.mark.parametrize(("line", "options"), IGNORED)
def test_an_option_that_does_not_apply_is_refused(command: Command, made: Path, line: str, options: list[str]) -> None:
    before = sorted(made.iterdir())
    for option in options:
        code, out, err = command(*line.split(), *option.split())
        assert (code, out) == (2, ""), option
        name = CALLED.get(option.split()[0], option.split()[0])
        assert name in err or TOLD[name] in err, err
        assert sorted(made.iterdir()) == before
    assert command(*line.split())[0] in (0, 1)  # it is the option


@pytest.mark.parametrize(
    "line",
    [
        f"threshold {TEXTS} third.txt -f json -w 2 --plot x.svg",
        f"gate {TEXTS} -o x.md -w 2",
        f"compare {TEXTS} -o x.html --changed-segments 2 -w 3",
        f"{INSPECT} -f json --all --ngrams 2 --count 1",
        f"{INSPECT} -f csv --records ngrams --ngrams 2",
        f"{ALONE} -w 3",
        f"domains {TEXTS} --draws 3 --draw-resamples 9 --name x",
    ],
)
@pytest.mark.usefixtures("made")
def test_where_it_applies_it_is_taken(command: Command, line: str) -> None:
    code, _, err = command(*line.split())
    assert code in (0, 1), err


def test_an_option_of_one_value_is_not_given_with_two(command: Command) -> None:
    code, _, err = command("rank", "--by", "domain", "--by=lp", "base.txt")
    assert code == 2
    assert "--by" in err
    assert command("rank", "--by", "domain", "--by", "lp", "--help")[0] == 0
    line = "rank --ref ref.txt -R 99 -R 99 base.txt new.txt -m bleu -m chrf"
    assert command(*line.split())[0] == 0


def test_every_command_refuses_them() -> None:
    every = [commands.group.get_command(click.Context(commands.group), name) for name in commands._COMMANDS]
    assert [one for one in every if not isinstance(one, applicable.Command)] == []
