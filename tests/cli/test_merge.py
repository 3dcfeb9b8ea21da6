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
    assert err.startswith("truegain: again.sums: segments 25 to 34 are segments 1 to 10 of 0.sums again, line by line")


def test_the_terminal_shows_the_result(command: Command, shards: list[str]) -> None:
    code, out, err = command("merge", *shards)
    assert (code, err) == (0, "")
    assert "BLEU by            for                                  p new" in out
    assert "new is better than base by BLEU" in out
    assert "merge|test:ar+poisson-bootstrap|unit:segment|alternative:two-sided|alpha:0.05|" in out


def test_options_reach_the_study(command: Command, folder: Path, shards: list[str]) -> None:
    options = (
        "--baseline",
        "new",
        "--test",
        "poisson-bootstrap",
        "--adjust",
        "bh",
        "--alpha",
        "0.01",
        "--interval",
        "basic",
    )
    code, out, err = command("merge", *shards, *options, "--plot", "gains.svg", "-f", "json", "-w", "1")
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
    ("arguments", "message"),
    [
        ((), "there is no system"),
        (("--ref", "ref.txt", "base.txt", "b/../base.txt"), "there is no such file"),
        (("--ref", "ref.txt", "a=base.txt", "a=new.txt"), "two systems are named 'a'"),
        (("--ref", "-", "-"), "standard input (-) can be read only once"),
        (("--ref", "ref.txt", "base.txt", "-m", "nist"), "NIST cannot be computed a piece at a time"),
        (("base.txt",), "BLEU needs a reference"),
        (("--ref", "ref.txt", "base.txt", "--first", "0"), "first segment must be a whole number from 1"),
        (("--ref", "ref.txt", "base.txt", "-R", "0"), "resamples must be a whole number from 1"),
        (("--ref", "ref.txt", "base.txt", "--docs", "none.txt"), "none.txt: there is no such file"),
    ],
)
def test_what_stats_refuses(refused: Callable[..., str], arguments: tuple[str, ...], message: str) -> None:
    assert message in refused("stats", *arguments)


def test_an_output_is_needed_and_checked_first(command: Command) -> None:
    assert command("stats", "base.txt")[0] == 2
    code, _, err = command("stats", "none.txt", "-o", "no/such/folder.sums")
    assert (code, err) == (2, "truegain: no/such/folder.sums: cannot be written: there is no such directory\n")


def test_a_shorter_file_is_found_at_its_end(command: Command, folder: Path) -> None:
    short = cut(folder, "new.txt", 0, 20)
    code, _, err = command(*STATS, "--ref", "ref.txt", "base.txt", short, "-o", "x.sums")
    assert code == 2
    assert err.startswith("truegain: new.0.txt:20: it ends after 20 lines, and ref.txt goes on: its line 21")
    assert not (folder / "x.sums").exists()


def test_what_merge_refuses(refused: Callable[..., str], command: Command, folder: Path, shards: list[str]) -> None:
    def fails(*arguments: str) -> str:
        code, out, err = command("merge", *arguments)
        assert (code, out) == (2, "")
        return err

    assert "there is nothing to merge" in refused("merge")
    assert "none.sums: there is no such file" in fails("none.sums")
    assert "ref.txt: this file cannot be merged" in fails(shards[0], "ref.txt")
    assert ".: this is a directory" in fails(".")
    assert fails(*shards, shards[0]).startswith("truegain: 0.sums: segments 1 to 10 are also in 0.sums")
    assert command(*STATS, "--ref", "ref.txt", "base.txt", "new.txt", "--seed", "1", "-o", "seed.sums")[0] == 0
    assert "seed.sums: it cannot be added to 10.sums: its seed is 1, not 12345" in fails(shards[1], "seed.sums")
    damaged = bytearray((folder / shards[0]).read_bytes())
    damaged[-100] ^= 1
    (folder / "damaged.sums").write_bytes(damaged)
    assert "damaged.sums: the file is damaged: its checksum" in fails(shards[1], "damaged.sums")
    assert "-o is given twice" in fails(*shards, "-o", "a.json", "-o", "b.json")
    assert "the baseline must be one of base, new; got 'bas'" in fails(*shards, "--baseline", "bas")
