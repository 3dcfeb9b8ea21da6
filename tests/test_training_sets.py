"""Training sets: what is drawn, what is written, what is refused, and what is left when it fails."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from truegain.training_sets import MANIFEST, _counts

LINES = 1001


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Return two sides of a corpus, the second compressed and without a line feed at its end."""
    first, second = tmp_path / "train.de", tmp_path / "train.en.gz"
    first.write_text("".join(f"satz {i}\n" for i in range(LINES)), "utf-8")
    second.write_bytes(gzip.compress("\n".join(f"sentence {i}" for i in range(LINES)).encode()))
    return [first, second]


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def numbers(path: Path) -> list[int]:
    return [int(line.split()[1]) for line in lines_of(path)]


@pytest.mark.parametrize(("size", "count"), [(None, LINES), ("full", LINES), ("half", 500), ("quarter", 250), (7, 7)])
def test_lines_are_drawn_with_replacement_and_stay_aligned_and_in_order(
    files: list[Path], tmp_path: Path, size: Any, count: int
) -> None:
    made = tg.split(files, tmp_path / "out", size=size, samples=3)
    assert [one.name for one in made.sets] == ["sample01", "sample02", "sample03"]
    drawn = [numbers(tmp_path / "out" / one.name / "train.de") for one in made.sets]
    for one, found in zip(made.sets, drawn, strict=True):
        assert found == numbers(tmp_path / "out" / one.name / "train.en")
        assert found == sorted(found)
        assert (one.lines, one.distinct) == (count, len(set(found)))
        assert len(found) == count
    assert drawn[0] != drawn[1] != drawn[2]


def test_fixed_halves(files: list[Path], tmp_path: Path) -> None:
    first, second, odd, even = range(501), range(501, LINES), range(0, LINES, 2), range(1, LINES, 2)
    halves: dict[Any, range] = {"top": first, "bottom": second, "odd": odd, "even": even}
    for scheme, lines in halves.items():
        made = tg.split(files, tmp_path / scheme, scheme=scheme)
        assert (made.seed, [one.name for one in made.sets]) == (None, [scheme])
        assert numbers(tmp_path / scheme / scheme / "train.de") == [*lines]


def test_a_random_half_has_no_line_twice(files: list[Path], tmp_path: Path) -> None:
    made = tg.split(files[:1], tmp_path / "out", scheme="half", samples=2)
    first, second = (numbers(tmp_path / "out" / one.name / "train.de") for one in made.sets)
    assert len(first) == len(second) == len(set(first)) == 501
    assert first == sorted(first)
    assert 180 < len(set(first) & set(second)) < 320  # independent of each other: 251 are expected


@pytest.mark.whole
@pytest.mark.parametrize(("scheme", "size"), [("bootstrap", 400), ("half", 200)])
def test_every_line_is_drawn_as_often(scheme: str, size: int) -> None:
    samples, lines = 2000, 400
    counts = np.stack([_counts(scheme, lines, size, 7, number) for number in range(samples)])
    assert (counts.sum(1) == size).all()
    expected = samples * size / lines
    variance = expected * (1 - size / lines if scheme == "half" else 1 - 1 / lines)
    deviations = (counts.sum(0) - expected) / variance**0.5
    assert np.abs(deviations).max() < 4.5
    assert deviations.std() == pytest.approx(1.0, abs=0.15)
    if scheme == "bootstrap":  # as a binomial distribution has it, with all lines distinct a share of 1 − 1/e
        assert (counts > 0).mean() == pytest.approx(1 - np.exp(-1), abs=0.003)
        assert counts.var() == pytest.approx(1 - 1 / lines, abs=0.01)


def test_draws_do_not_depend_on_how_many_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A set of more draws than fit one piece: its pieces have random numbers of their own."""
    monkeypatch.setattr("truegain.training_sets._AT_ONCE", 64)
    counts = _counts("bootstrap", 50, 50_000, 3, 0)
    assert counts.sum() == 50_000
    assert np.abs(counts - 1000.0).max() < 160  # five standard deviations


def test_the_manifest_is_true_and_the_same_seed_gives_the_same_files(files: list[Path], tmp_path: Path) -> None:
    made = [tg.split(files, tmp_path / name, samples=2, seed=5) for name in ("one", "two")]
    assert made[0] == made[1]
    other, more = (tg.split(files, tmp_path / f"{s}.{n}", samples=n, seed=s) for s, n in ((6, 2), (5, 3)))
    assert other.sets[0].files != made[0].sets[0].files
    assert more.sets[:2] == made[0].sets, "one more sample changes no other"
    manifest = json.loads((tmp_path / "one" / MANIFEST).read_text("utf-8"))
    assert (manifest["scheme"], manifest["seed"], manifest["lines"]) == ("bootstrap", 5, LINES)
    assert manifest["version"] == tg.__version__
    for one in manifest["inputs"]:
        assert hashlib.sha256(Path(one["file"]).read_bytes()).hexdigest() == one["sha256"]
    for one in (file for drawn in manifest["sets"] for file in drawn["files"]):
        assert hashlib.sha256((tmp_path / "one" / one["file"]).read_bytes()).hexdigest() == one["sha256"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scheme": "odd", "samples": 2}, "samples does not apply to the scheme odd"),
        ({"scheme": "half", "size": "half"}, "size does not apply to the scheme half"),
        ({"samples": 0}, "samples must be from 1 to 10,000; got 0"),
        ({"samples": 10**22}, "samples must be from 1 to 10,000; got 1"),
        *(
            ({"size": size}, rf"size must be full\W+half\W+quarter or .* from 1 to 10,010\W.* got {size!r}$")
            for size in (0, 10**22, "most")
        ),
        ({"seed": -1}, r"the seed must be from 0 to 2\^64 - 1; got -1"),
        ({"scheme": "random"}, "scheme must be one of bootstrap, half, top, bottom, odd, even; got 'random'"),
    ],
)
def test_options_that_cannot_be(files: list[Path], tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(tg.InputError, match=f"^{words}"):
        tg.split(files, tmp_path / "out", **options)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["train.de", "train.en.gz"]


def test_files_that_cannot_be(files: list[Path], tmp_path: Path) -> None:
    short, empty, same = tmp_path / "short", tmp_path / "empty", tmp_path / "sub" / "train.de"
    short.write_text("one\n")
    empty.write_text("")
    same.parent.mkdir()
    same.write_bytes(files[0].read_bytes())
    before = sorted(tmp_path.iterdir())
    for given, words in (
        ([files[0], short], r"short: its number of lines is 1\W+and that of .*train.de is 1,001"),
        ([files[0], empty], "empty: the file is empty"),
        ([files[0], same], "would both be written as train.de"),
        ([str(files[0])] * 2, "would both be written as train.de"),
        ([files[0], tmp_path / "none"], "none: there is no such file"),
        ([short], "a file of one line has no halves"),
        (["-"], r"standard input \(-\) cannot be read twice"),
        ([], "there is no file"),
    ):
        with pytest.raises(tg.InputError, match=words):
            tg.split(given, tmp_path / "out", scheme="half")
        assert sorted(tmp_path.iterdir()) == before
    (tmp_path / "sub" / "x").write_text("")
    with pytest.raises(tg.InputError, match="sub: cannot be written: there is something already"):
        tg.split(files, tmp_path / "sub")


def test_nothing_is_left_of_what_fails(files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("truegain.training_sets._sha256", full)
    with pytest.raises(tg.InputError, match="out: cannot be written: No space left on device"):
        tg.split(files, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["train.de", "train.en.gz"]


def test_the_command(files: list[Path], tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "truegain", "split", *map(str, files), *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    done = run("-o", "out", "--samples", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.match(r"out/sample01: 1,001 lines\W 6", done.stdout)
    assert done.stdout.count(" of 1,001 distinct\n") == 2
    refused = run("-o", "top", "--scheme", "top", "--seed", "3")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--seed does not apply: nothing is drawn" in refused.stderr
    assert not (tmp_path / "top").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process alone is known on Linux")
def test_ten_million_lines_within_200_megabytes(tmp_path: Path) -> None:
    big = tmp_path / "big.txt"
    with big.open("w") as stream:
        stream.writelines(f"line {i} of a corpus that is large\n" for i in range(10_000_000))
    for scheme in ("bootstrap", "half", "top"):
        code = (
            "import sys, truegain as tg; tg.split(sys.argv[1], sys.argv[2], scheme=sys.argv[3]);"
            "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
        )
        command = [sys.executable, "-c", code, str(big), str(tmp_path / scheme), scheme]
        peak = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        assert peak < 200 * 1024, (scheme, peak)
