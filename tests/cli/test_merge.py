"""``truegain stats`` and ``truegain merge``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., tuple[int, str, str]]

STATS = ("stats", "-R", "200", "-j", "1")


def cut(folder: Path, name: str, first: int, last: int) -> str:
    stem, _, ending = name.rpartition(".")
    lines = (folder / name).read_text(encoding="utf-8").splitlines(keepends=True)
    path = f"{stem}.{first}.{ending}"
    (folder / path).write_text("".join(lines[first:last]), encoding="utf-8")
    return path


@pytest.fixture
def shards(command: Command, folder: Path) -> list[str]:
    found = []
    for first, last in ((0, 10), (10, 24)):
        ref, base, new = (cut(folder, name, first, last) for name in ("ref.txt", "base.txt", "new.txt"))
        made = f"{first}.sums"
        code, out, err = command(*STATS, "--ref", ref, base, new, "--first", str(first + 1), "-o", made)
        assert (code, out) == (0, "")
        assert err == f"wrote {made}: segments {first + 1} to {last} of base, new\n"
        found.append(made)
    return found


def test_shards_in_any_order_are_the_whole(command: Command, folder: Path, shards: list[str]) -> None:
    assert (
        command(*STATS, "--ref", "ref.txt", "base=base.txt", "new=new.txt", "--name", "ref.0", "-o", "all.sums")[0] == 0
    )
    answers = [command("merge", *order, "-f", "json")[1] for order in (shards, shards[::-1], ["all.sums"])]
    found = [json.loads(answer) for answer in answers]
    for one in found:
        one.pop("command")
        for system in one["systems"]:
            system.pop("run_names")
        one["testset"].pop("name")
        for file in one["testset"]["inputs"]["files"]:
            file.pop("name")  # that of the first shard
    assert found[0] == found[1] == found[2]
    assert found[0]["testset"]["segments"] == 24


def test_merged_sums_are_merged_again(command: Command, folder: Path, shards: list[str]) -> None:
    code, out, err = command("merge", *shards, "-o", "all.sums", "-o", "result.json")
    assert (code, out, err) == (0, "", "wrote all.sums\nwrote result.json\n")
    code, out, _ = command("merge", "all.sums", "-f", "json")
    again, first = json.loads(out), json.loads((folder / "result.json").read_text())
    again.pop("command")
    assert first.pop("command") == "truegain merge 0.sums 10.sums"
    assert again == first
    again_bytes = (folder / "all.sums").read_bytes()
    assert command("merge", *shards[::-1], "-o", "all.sums")[0] == 0
    assert (folder / "all.sums").read_bytes() == again_bytes


def test_a_shard_under_another_name_and_other_numbers(command: Command, shards: list[str]) -> None:
    assert command(*STATS, "--ref", "ref.0.txt", "base.0.txt", "new.0.txt", "--first", "25", "-o", "again.sums")[0] == 0
    code, out, err = command("merge", *shards, "again.sums")
    assert (code, out) == (2, "")
    assert err.startswith("truegain: again.sums: ")


def test_options_reach_the_study(command: Command, folder: Path, shards: list[str]) -> None:
    given = "--baseline new --test poisson-bootstrap --adjust bh --alpha 0.01 --interval basic --plot gains.svg"
    code, out, err = command("merge", *shards, *given.split(), "-f", "json", "-w", "1")
    assert code == 0, err
    data = json.loads(out)
    assert [data[key] for key in ("study", "baseline", "alpha", "weights")] == ["compare", "new", 0.01, "poisson"]
    first = data["comparisons"][0]
    assert [first[key] for key in ("test", "adjust", "ci_method")] == ["poisson-bootstrap", "bh", "basic"]
    assert "<svg" in (folder / "gains.svg").read_text()


def test_documents_and_scores(command: Command, folder: Path) -> None:
    assert command(*STATS, "--ref", "ref.txt", "--docs", "docs.txt", "base.txt", "new.txt", "-o", "d.sums")[0] == 0
    assert json.loads(command("merge", "d.sums", "-f", "json")[1])["n_units"] == 8
    assert command(*STATS, "-m", "scores", "base.scores", "new.scores", "--seed", "3", "-o", "s.sums")[0] == 0
    data = json.loads(command("merge", "s.sums", "-f", "json")[1])
    assert [(one["name"], round(one["score"], 4)) for one in data["systems"]] == [("base", 0.5275), ("new", 0.6192)]
    assert {one["seed"] for one in data["comparisons"]} == {3}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "--ref ref.txt base.txt b/../base.txt",
        "--ref ref.txt a=base.txt a=new.txt",
        "--ref - -",
        "--ref ref.txt base.txt -m nist",
        "base.txt",
        "--ref ref.txt base.txt --first 0",
        "--ref ref.txt base.txt -R 0",
        "--ref ref.txt base.txt --docs none.txt",
    ],
)
def test_what_stats_refuses(refused: Callable[..., str], line: str) -> None:
    refused("stats", *line.split())


def test_a_shorter_file_is_found_at_its_end(command: Command, folder: Path) -> None:
    short = cut(folder, "new.txt", 0, 20)
    code, _, err = command(*STATS, "--ref", "ref.txt", "base.txt", short, "-o", "x.sums")
    assert code == 2
    assert err.startswith("truegain: new.0.txt:20: ")
    assert not (folder / "x.sums").exists()


def test_what_merge_refuses(refused: Callable[..., str], command: Command, folder: Path, shards: list[str]) -> None:
    def fails(*arguments: str) -> str:
        code, out, err = command("merge", *arguments)
        assert (code, out) == (2, "")
        return err

    refused("merge")
    for name in ("none.sums", "ref.txt", "."):
        assert f"{name}:" in fails(shards[0], name)
    assert fails(*shards, shards[0]).startswith("truegain: 0.sums: ")
    assert command(*STATS, "--ref", "ref.txt", "base.txt", "new.txt", "--seed", "1", "-o", "seed.sums")[0] == 0
    assert "12345" in fails(shards[1], "seed.sums")
    damaged = bytearray((folder / shards[0]).read_bytes())
    damaged[-100] ^= 1
    (folder / "damaged.sums").write_bytes(damaged)
    assert "damaged.sums:" in fails(shards[1], "damaged.sums")
    assert "-o" in fails(*shards, "-o", "a.json", "-o", "b.json")
    assert "'bas'" in fails(*shards, "--baseline", "bas")
