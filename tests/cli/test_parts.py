"""``truegain resample`` and ``truegain merge``: parts of a study, and the study of all parts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from truegain.cli.within import DIVISIBLE
from truegain.engines.part_files import Call, Part, read_part

Command = Callable[..., tuple[int, str, str]]

FEW = ("-R", "50", "-j", "1")
COMPARE = ("compare", *FEW, "--ref", "ref.txt", "base.txt", "new.txt")


def make(command: Command, parts: int, *study: str) -> list[str]:
    made = []
    for part in range(1, parts + 1):
        code, out, err = command("resample", "--part", f"{part}/{parts}", "-o", f"{part}.part", *study)
        assert (code, out, err) == (0, "", f"wrote {part}.part\n")
        made.append(f"{part}.part")
    return made


def runs(folder: Path) -> None:
    for name in ("base", "new"):
        lines = (folder / f"{name}.txt").read_text().splitlines()
        for run in range(3):
            text = [line.replace("cat", "dog") if i % (4 + run) == 0 else line for i, line in enumerate(lines)]
            (folder / f"{name}.{run}.txt").write_text("".join(f"{line}\n" for line in text))


EXPERIMENT = """
baseline = "base"
resamples = 50
outputs = ["beside.json"]

[[testset]]
name = "one"
reference = "ref.txt"
systems = { base = "base.txt", new = "new.txt" }

[[testset]]
name = "two"
reference = "ref.txt"
systems = { base = "base.txt", new = "third.txt" }
"""

OF_RUNS = ("base=base.0.txt,base.1.txt,base.2.txt", "new=new.0.txt,new.1.txt,new.2.txt")
STUDIES: dict[str, tuple[str, ...]] = {
    "compare": ("--ref", "ref.txt", "--docs", "docs.txt", *OF_RUNS, "-m", "bleu", "-m", "chrf"),
    "score": ("--ref", "ref.txt", "base.txt"),
    "rank": ("--ref", "ref.txt", "base.txt", "new.txt", "base.0.txt"),
    "gate": ("--ref", "ref.txt", "base.txt", "new.txt", "--test", "bootstrap"),
    "threshold": ("--ref", "ref.txt", "base.txt", "new.txt", "base.0.txt"),
    "intervals": ("--ref", "ref.txt", *OF_RUNS),
    "replicate": ("--ref", "ref.txt", *OF_RUNS, "--repetitions", "2"),
    "run": ("experiment.toml",),
}


@pytest.mark.whole
@pytest.mark.parametrize("study", DIVISIBLE)
def test_seven_parts_give_what_the_command_gives(command: Command, folder: Path, study: str) -> None:
    runs(folder)
    shutil.copy(folder / "new.0.txt", folder / "third.txt")
    (folder / "experiment.toml").write_text(EXPERIMENT)
    line = (study, *STUDIES[study], *(("-j", "1") if study == "run" else FEW))
    if study == "run":
        make(command, 7, *line)
        assert not (folder / "beside.json").exists()
    expected = command(*line, "-f", "json")
    assert expected[0] == 0, expected
    if study == "run":
        (folder / "beside.json").unlink()
    files = make(command, 7, *line)
    assert command("merge", *files[::-1], *line, "-f", "json") == expected
    result = json.loads(expected[1])
    assert result["command"].startswith(f"truegain {study} ")
    assert (folder / "beside.json").exists() is (study == "run")


def test_how_it_is_shown_is_for_the_merge(command: Command, folder: Path) -> None:
    files = make(command, 2, *COMPARE)
    for options in ((), ("--decimals", "3"), ("--layout", "paper"), ("--alpha", "0.2")):
        assert command("merge", *files, *COMPARE, *options) == command(*COMPARE, *options)
    code, out, err = command("merge", *files, *COMPARE, "-o", "result.html")
    assert (code, out, err) == (0, "", "wrote result.html\n")
    assert (folder / "result.html").read_text().startswith("<!DOCTYPE html>")


def test_more_parts_than_resamples(command: Command) -> None:
    line = ("compare", "-R", "3", "-j", "1", "--ref", "ref.txt", "base.txt", "new.txt", "--test", "ar")
    files = make(command, 5, *line)
    assert command("merge", *files, *line, "-f", "json") == command(*line, "-f", "json")


def test_another_engine_and_other_threads_make_the_same_parts(command: Command, folder: Path) -> None:
    made = []
    for options in ((), ("-j", "2"), ("--engine", "threads"), ("--no-cache",)):
        line = ("compare", "-R", "50", "--ref", "ref.txt", "base.txt", "new.txt", *options)
        assert command("resample", "--part", "2/3", "-o", "a.part", *line)[0] == 0
        made.append(read_part(folder / "a.part"))
    keys = [list(one.calls) for one in made]
    assert keys[0]
    assert keys == [keys[0]] * 4
    for one in made[1:]:
        for key, call in one.calls.items():
            assert call.arrays[0].tobytes() == made[0].calls[key].arrays[0].tobytes()


def test_a_gate_that_fails_fails_in_the_merge_and_not_in_its_parts(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    line = ("gate", *FEW, "--ref", "ref.txt", "new.txt", "base.txt", "--test", "bootstrap")
    files = make(command, 2, *line)
    assert not (folder / "summary.md").exists()
    expected = command(*line)
    assert expected[0] == 1
    assert command("merge", *files, *line) == expected


def test_what_a_part_says_of_itself(command: Command, folder: Path) -> None:
    make(command, 1, *COMPARE, "--quiet", "-m", "bleu")
    assert read_part(folder / "1.part").command == "truegain compare -R 50 --ref ref.txt base.txt new.txt -m bleu"


def test_a_command_in_a_file_is_never_run(command: Command, folder: Path) -> None:
    files = make(command, 1, *COMPARE)
    part = read_part(folder / "1.part")
    evil = Part(1, 1, {"00": Call("resample", 1, part.calls[next(iter(part.calls))].arrays)}, "rm -rf ~ \x1b[2J")
    (folder / "1.part").write_bytes(evil.pack())
    code, out, err = command("merge", *files, *COMPARE)
    assert (code, out) == (2, "")
    assert "not a part" not in err
    assert "\x1b" not in err


# ---- Refusals


def refusal(command: Command, folder: Path, *arguments: str) -> str:
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    return err


@pytest.mark.parametrize("part", ["", "3", "0/7", "8/7", "a/b", "1/0", "-1/2", "1/2/3", " 1/2", "1/2\n", "٣/٧"])
def test_parts_that_there_are_not(command: Command, folder: Path, part: str) -> None:
    refusal(command, folder, "resample", "--part", part, "-o", "x.part", *COMPARE)


@pytest.mark.parametrize(
    "line",
    [
        *(f"compare OPTIONS {option}" for option in ("-o r.json", "-f json", "--format=json", "--layout paper")),
        "rank OPTIONS --plot x.png",
        "score OPTIONS --score-only",
        "compare OPTIONS -R auto",
        "compare OPTIONS --sead 3",
        "compare OPTIONS --ref none.txt",
        "calibrate base.txt",
        "domains base.txt",
        "compair base.txt",
        "run experiment.toml",
    ],
)
def test_what_cannot_be_divided(command: Command, folder: Path, line: str) -> None:
    (folder / "experiment.toml").write_text(EXPERIMENT.replace("50", '"auto"'))
    study = line.replace("OPTIONS", "--ref ref.txt base.txt new.txt").split()
    refusal(command, folder, "resample", "--part", "1/2", "-o", "x.part", *study)


@pytest.mark.parametrize("output", ["-", "no/x.part", "."])
def test_places_where_no_part_can_be(command: Command, folder: Path, output: str) -> None:
    refusal(command, folder, "resample", "--part", "1/2", "-o", output, *COMPARE)


def test_what_cannot_be_merged(command: Command, folder: Path) -> None:
    assert command("stats", "-R", "20", "--ref", "ref.txt", "base.txt", "new.txt", "-o", "all.sums")[0] == 0
    files = make(command, 1, *COMPARE)
    for line in (files, (*files, "-f", "json"), (), COMPARE, ("all.sums", *COMPARE), (*files, "all.sums", *COMPARE)):
        refusal(command, folder, "merge", *line)
    for name in ("ref.txt", "none.part"):
        assert f"{name}:" in refusal(command, folder, "merge", name, *COMPARE)


def test_parts_that_do_not_go_with_the_command(command: Command, folder: Path) -> None:
    files = make(command, 2, *COMPARE)
    fewer = ("compare", "-R", "49", *COMPARE[3:])
    assert fewer[:2] == COMPARE[:2]
    others = (("--seed", "3"), ("-m", "chrf"), ("--docs", "docs.txt"), ("--unit", "block"))
    for line in (fewer, *((*COMPARE, *other) for other in others)):
        said = refusal(command, folder, "merge", *files, *line)
        assert "truegain compare -R 50 --ref ref.txt base.txt new.txt\n" in said
    (folder / "new.txt").write_text((folder / "new.txt").read_text().replace("cat", "dog"))
    refusal(command, folder, "merge", *files, *COMPARE)


def test_a_part_is_missing_or_there_twice(command: Command, folder: Path) -> None:
    files = make(command, 3, *COMPARE)
    assert ": 1, 3\n" in refusal(command, folder, "merge", files[1], *COMPARE)
    assert "2.part:" in refusal(command, folder, "merge", *files, files[1], *COMPARE)
