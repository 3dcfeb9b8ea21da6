"""Whole command lines with options drawn at random: an answer (0), a closed gate (1) or a refusal (2), never a fault.

``make test-all`` draws the same few every time; ``make fuzz`` draws many more, and others every time.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import truegain as tg
from truegain.cli.main import group, main
from truegain.registry import METRICS

MANY = bool(os.environ.get("TRUEGAIN_FUZZ"))
SEGMENTS = 12
REFERENCE = [f"the small cat number {i} sat on the old mat today" for i in range(SEGMENTS)]
OUTPUTS = {
    name: [f"the small cat number {i} sat on {'an' if i % every else 'the'} old mat" for i in range(SEGMENTS)]
    for name, every in (("base", 2), ("new", 5), ("new2", 3))
}

# Where a command begins: something that works and is soon done.
_TEXTS = ("--ref", "ref.txt", "base.txt", "new.txt")
_RATED = ("--outputs", "base.txt", "--outputs", "new.txt")
_RUNS = ("--ref", "ref.txt", "base=base.txt,new2.txt", "new=new.txt,new2.txt")
_FEW = ("-R", "20", "-j", "1", "-q")
_PEOPLE = ("-R", "20", "-q", "--human", "people.seg.score")
STARTS: dict[str, list[tuple[str, ...]]] = {
    "compare": [
        (*_FEW, *_TEXTS),
        (*_FEW, *_RUNS),
        (*_FEW, "-m", "scores", "base.scores", "new.scores"),
        (*_FEW, *_RUNS, "--test", "ar", "--training-samples", "(base|new2?)[.]txt"),
        (*_FEW, "-m", "scores", "long.tsv", "--by", "group"),
        (*_FEW, "-m", "scores:column=m", "a=log.json", "b=log.json"),
        (*_FEW, *_TEXTS, "--docs", "docs.txt", "--domains", "domains.txt", "--by", "domain"),
    ],
    "score": [(*_FEW, *_TEXTS), (*_FEW, *_RUNS), (*_FEW, "--table", "all.tsv")],
    "rank": [(*_FEW, *_TEXTS, "new2.txt"), (*_FEW, *_RUNS)],
    "domains": [
        (*_FEW, "--draws", "3", "--draw-resamples", "9", "--domains", "domains.txt", *_TEXTS),
        (*_FEW, "--draws", "3", "--draw-resamples", "9", "--set", "one", "--set", "x=two", "--ref", "r.txt", "*.txt"),
    ],
    "threshold": [
        (*_FEW, *_TEXTS, "new2.txt"),
        (*_FEW, "--sizes", "10,12", *_TEXTS),
        ("--profile", "profile.json", "--gain", "0.1"),
    ],
    "run": [("-j", "1", "sets.toml"), ("-j", "1", "broken.json")],
    "init": [("wmt", "-o", "made.toml", "--force")],
    "inspect": [("-j", "1", *_TEXTS), ("-j", "1", *_RUNS)],
    "gate": [(*_FEW, *_TEXTS), (*_FEW, *_RUNS)],
    "calibrate": [(*_FEW, "--repetitions", "5", *_TEXTS)],
    "plan": [("-j", "1", *_TEXTS), ("-j", "1", *_RUNS), ("--sd", "10", "--correlation", "0.5")],
    "replicate": [(*_FEW, "--repetitions", "3", *_RUNS)],
    "intervals": [(*_FEW, *_RUNS)],
    "render": [("compare.json",), ("score.json",), ("rank.json",), ("broken.json",)],
    "plot": [(f"{name}.json", "-o", "figure.svg") for name in ("compare", "rank", "score")],
    "metrics": [()],
    "tests": [()],
    "agree": [
        (*_PEOPLE, "close.seg.score"),
        ("-R", "20", "-q", "--human", "rated.seg.score", "--ref", "ref.txt", *_RATED),
        (*_PEOPLE, "a=close.seg.score", "b=people.seg.score", "--test", "documents"),
        (*_PEOPLE, "--human", "close.seg.score", *("close.seg.score",) * 2),
    ],
    "tune": [
        ("-j", "1", "--ref", "ref.txt", "--nbest", "lists.txt", "--runs", "1", "--restarts", "1", "-o", "made"),
        ("--ref", "ref.txt", "--nbest", "lists.txt", "--optimizer", "pro", "--runs", "1", "-o", "made"),
    ],
    "split": [("base.txt", "new.txt", "-o", "made"), ("base.txt", "--scheme", "half", "--samples", "2", "-o", "made")],
}
# Numbers of things to do stay small, or are refused: nobody is to wait for them.
_COUNTS = ["0", "1", "2", "7", "30", "-1", "x", "", "1.5", "99999999999999999999999"]
_NUMBERS = ["0", "1", "0.5", "0.05", "-1", "1e-320", "1e308", "nan", "inf", "-0.0", "2", "x", "", "100", "0.999999"]
_WHOLE = ["0", "1", "2", "5", "-1", "15", "16", "18446744073709551615", "18446744073709551616", "1" * 40, "x", ""]
_FILES = [
    *("ref.txt", "base.txt", "new.txt", "docs.txt", "domains.txt", "all.tsv", "base.scores", "new.scores", "none.txt"),
    *("people.seg.score", "close.seg.score", "c=close.seg.score", "rated.seg.score", "lists.txt", "x=lists.txt"),
    *("profile.json", "long.tsv", "log.json"),
    *("empty.txt", "latin.txt", "short.txt", ".", "", "compare.json", "x=base.txt", "base=base.scores", "*.txt", "one"),
    *("base=base.txt,new.txt", "=", "x=", "a\x1b[31mb", "é" * 300, "one/a.txt"),
]
_NAMES = [
    *("domain", "length", "system", "group", "base", "new", "ref", "doc", "id", "text", "a", "", "none"),
    *("\x1b[31m", "é" * 300, "x,y", "\\", "<b>", "$x_1$"),
]
_LISTS = [
    *("1", "1,2", "2,1", "0", "-1", "", ",", "1,,2", "1,1", "x", "0.5", "nan", "inf", "1e308,1", "9" * 20),
    *("bleu=1", "bleu=", "x=1"),
]
_OUTPUTS = [
    *("out.md", "out.json", "out.tex", "out.csv", "out.html", "out.docx", "none/out.md", "folder", ""),
    *("out.svg", "out.pdf"),
]
_SETTINGS = [
    *("", ":", ":lowercase=true", ":tokenize=char", ":measure=recall", ":beta=0", ":x=1", ":alpha=nan"),
    ":column=score",
]
_BOUNDED = {
    *("resamples", "draws", "draw", "draw_resamples", "repetitions", "size", "runs", "count", "segments", "references")
}
_READ = {
    *("references", "documents", "domains", "table", "scores", "result", "frequencies", "files", "human", "outputs"),
    *("sources", "nbest", "applied", "applied_references", "profile", "human_agreement"),
}


def values(option: click.Parameter) -> st.SearchStrategy[str]:
    """What is given to an option: what it may be, and what it may not."""
    name, kind = option.name or "", option.type
    if isinstance(kind, click.Choice):
        return st.sampled_from([*kind.choices, "x", ""])
    if name == "metrics":
        return st.builds(str.__add__, st.sampled_from([*METRICS, "x", ""]), st.sampled_from(_SETTINGS))
    if name in ("output", "plot", "summary"):
        return st.sampled_from(_OUTPUTS)
    if name == "jobs":
        return st.sampled_from(["0", "1", "2", "-1", "x", ""])  # so many threads are started as are asked for
    if name in _BOUNDED and kind is click.INT:
        return st.sampled_from(_COUNTS)
    if name == "resamples":
        return st.sampled_from(["auto", *_COUNTS])
    if isinstance(kind, click.types.IntParamType):
        return st.sampled_from(_WHOLE)
    if isinstance(kind, click.types.FloatParamType):
        return st.sampled_from(_NUMBERS)
    if option.metavar and ("," in option.metavar or "GAIN" in option.metavar):
        return st.sampled_from(_LISTS)
    if name in _READ or "dev" in name:
        return st.sampled_from(_FILES)
    return st.sampled_from([*_NAMES, *_FILES] if name in ("systems", "sets") else _NAMES)


def given_options(command: click.Command) -> st.SearchStrategy[list[str]]:
    """Some of the options of a command, in any order, and sometimes an argument too many."""

    def one(option: click.Parameter) -> st.SearchStrategy[list[str]]:
        if not isinstance(option, click.Option):
            return values(option).map(lambda value: [value])
        if option.is_flag:
            return st.just([option.opts[0]])
        return values(option).map(lambda value: [option.opts[0], value])

    choices = [one(option) for option in command.params]
    if not choices:
        return st.sampled_from([[], ["x"], ["--x"], ["-h"]])
    some = st.lists(st.one_of(choices), max_size=3)
    return some.map(lambda parts: [argument for part in parts for argument in part])


@st.composite
def command_lines(draw: st.DrawFn, name: str) -> list[str]:
    start = draw(st.sampled_from(STARTS[name]))
    # Behind a study's name the options are the study's.
    command = group.get_command(click.Context(group), "compare" if "compare" in start else name)
    assert command is not None
    return [name, *start, *draw(given_options(command))]


def lines(path: Path, made: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in made), encoding="utf-8", newline="")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The working directory: texts, scores, documents, a table, two test sets, results, and files that are broken."""
    home = tmp_path_factory.mktemp("commands")
    lines(home / "ref.txt", REFERENCE)
    for name, outputs in OUTPUTS.items():
        lines(home / f"{name}.txt", outputs)
        lines(home / f"{name}.scores", [f"{len(line) / 7}" for line in outputs])
    lines(home / "docs.txt", [f"d{i // 3}" for i in range(SEGMENTS)])
    lines(home / "domains.txt", ["news" if i % 2 else "talks" for i in range(SEGMENTS)])
    rows = zip(REFERENCE, *OUTPUTS.values(), strict=True)
    lines(home / "all.tsv", ["id\tref\ta\tb\tc", *(f"{i}\t" + "\t".join(row) for i, row in enumerate(rows))])
    for part in ("one", "two"):
        (home / part).mkdir()
        for name, outputs in {"r": REFERENCE, "a": OUTPUTS["base"], "b": OUTPUTS["new"]}.items():
            lines(home / part / f"{name}.txt", outputs[: 8 if part == "two" else SEGMENTS])
    for part in ("news", "talks"):
        (home / "wmt" / part).mkdir(parents=True)
        half = slice(None, None, 2) if part == "news" else slice(1, None, 2)
        for name, outputs in {"ref": REFERENCE, "base": OUTPUTS["base"], "new": OUTPUTS["new"]}.items():
            lines(home / "wmt" / part / f"{name}.txt", outputs[half])
    (home / "sets.toml").write_text(
        "resamples = 20\n[systems]\nbase = 'wmt/{testset}/base.txt'\nnew = 'wmt/{testset}/new.txt'\n"
        + "".join(f"[[testset]]\nname = '{part}'\nreference = 'wmt/{part}/ref.txt'\n" for part in ("news", "talks"))
    )
    (home / "folder").mkdir()
    (home / "empty.txt").touch()
    (home / "latin.txt").write_bytes("é\n".encode("latin-1") * SEGMENTS)
    lines(home / "short.txt", ["x"])
    for study in ("compare", "score", "rank"):
        getattr(tg, study)(REFERENCE, OUTPUTS, resamples=20).save(home / f"{study}.json")
    scores = {f"s{i}": [float((i + 2) * j % 7) for j in range(24)] for i in range(5)}
    tg.threshold(None, scores, metrics=["scores"], groups="^(s)", resamples=20).save(home / "profile.json")
    entries = [
        f"{i} ||| {text} ||| a= {j} b= {i % 3 + j} ||| 0\n"
        for i in range(SEGMENTS)
        for j, text in enumerate(("a b", "c"))
    ]
    (home / "lists.txt").write_text("".join(entries))
    for number, name in enumerate(("people", "close")):
        rated = [f"s{one}\t{(5 * one + place * (3 + number)) % 17}\n" for one in range(6) for place in range(SEGMENTS)]
        (home / f"{name}.seg.score").write_text("".join(rated))
    rated = [f"{name}\t{(i * (3 + j)) % 5}" for j, name in enumerate(OUTPUTS) for i in range(SEGMENTS)]
    lines(home / "rated.seg.score", rated[: 2 * SEGMENTS])
    (home / "broken.json").write_text('{"study": "compare"')
    long = [f"{name}\t{i}\t{(i * j) % 7}\tg{i % 3}" for j, name in enumerate("xyz") for i in range(SEGMENTS)]
    lines(home / "long.tsv", ["system\tid\tscore\tgroup", *long])
    samples = [{"id": i, "epoch": 1, "scores": {"m": {"value": i % 2}}} for i in range(SEGMENTS)]
    (home / "log.json").write_text(json.dumps({"eval": {}, "samples": samples}))
    with contextlib.chdir(home):
        yield home


def run(arguments: list[str]) -> tuple[Any, str]:
    """The exit code of a command, and what it printed and said; into files, as a process would have them."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="backslashreplace") as out:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), pytest.raises(SystemExit) as stop:
            main(arguments)
        out.seek(0)
        return stop.value.code, out.read()


@pytest.mark.parametrize("name", STARTS)
def test_any_options(name: str, folder: Path) -> None:
    tried = 0

    @settings(
        max_examples=60 if MANY else 8,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        database=None,
    )
    @given(command_lines(name))
    def check(arguments: list[str]) -> None:
        nonlocal tried
        tried += 1
        code, said = run(arguments)
        assert code in ((0, 1, 2) if name == "gate" else (0, 2)), f"{arguments}\n{said}"
        assert "Traceback" not in said

    check()
    print(f"\ntruegain-commands-tried: {tried}")


@pytest.mark.parametrize("name", STARTS)
def test_where_a_command_begins_works(name: str, folder: Path) -> None:
    for start in STARTS[name]:
        code, said = run([name, *start])
        assert code == (2 if "broken.json" in start else 0) or (name == "gate" and code == 1), said
        (folder / "figure.svg").unlink(missing_ok=True)
        shutil.rmtree(folder / "made", ignore_errors=True)


def test_every_command_is_tried() -> None:
    commands = set(group.list_commands(click.Context(group)))
    assert commands - {"demo"} == set(STARTS)  # the demonstration takes seconds, and has one option: where it goes
