"""``truegain plot``, and the option --plot of studies."""

from __future__ import annotations

from pathlib import Path

import pytest

import truegain as tg
from tests.refusals import refused
from truegain.cli.main import group
from truegain.errors import InputError
from truegain.results import Result

SCORES = {"base": [0.1 * (i % 7) for i in range(30)], "new": [0.1 * (i % 7) + 0.05 * (i % 3) for i in range(30)]}


@pytest.fixture(scope="module")
def result() -> Result:
    return tg.compare(None, SCORES, metrics=["scores"], resamples=100, jobs=1)


@pytest.fixture
def stored(result: Result, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A stand-in for the reader of results; gives the paths that it was asked for."""
    asked: list[str] = []

    def load(path: str) -> Result:
        asked.append(path)
        if path == "bare.json":
            return tg.score(None, {"one": [1.0]}, metrics=["scores"], resamples=20, jobs=1)
        return result

    monkeypatch.setattr("truegain.results.load", load)
    return asked


def run(*arguments: str, study: str = "plot") -> None:
    # Of the group, never of the command itself: click would remember for this process that it is called without.
    group.main([study, *arguments], "truegain", standalone_mode=False)


@pytest.mark.parametrize(("ending", "magic"), [("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_the_first_figure_by_default(
    ending: str, magic: bytes, stored: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"figure.{ending}"
    run("result.json", "-o", str(path))
    assert stored == ["result.json"]
    assert path.read_bytes().startswith(magic)
    assert capsys.readouterr() == ("", f"wrote {path}\n")


def test_a_figure_by_name_and_width(stored: list[str], result: Result, tmp_path: Path) -> None:
    path = tmp_path / "figure.svg"
    run("result.json", "forest", "-o", str(path), "--column", "two")
    assert "496.8pt" in path.read_text(encoding="utf-8")  # 6.9 inches
    run("result.json", "forest", "-o", str(path), "-w", "5")
    delta = result.to_records()[0]["delta"]
    assert f"+{delta:.5f}" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["result.json"], "there is no file to write the figure to\n  name one: -o figure.pdf.* .svg or .png"),
        (["result.json", "-o", "figure.gif"], "the ending of a figure must be one of .svg, .pdf, .png; got '.gif'"),
        (["result.json", "-o", "nowhere/figure.pdf"], "nowhere/figure.pdf: cannot be written: there is no such"),
        (["result.json", "nil", "-o", "figure.pdf"], "the figure must be one of forest; got 'nil'"),
        (["bare.json", "-o", "figure.pdf"], "there is no figure of this result"),
    ],
)
def test_refuses(
    arguments: list[str], message: str, stored: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=f"^{message}"):
        run(*arguments)
    assert not list(tmp_path.iterdir())
    if "figure.gif" in arguments:
        assert stored == [], "a file that cannot be written is refused before the result is read"


@pytest.mark.parametrize("study", ["calibrate", "replicate", "intervals"])
def test_the_option_is_checked_before_any_work(study: str, tmp_path: Path) -> None:
    with refused(naming=["'.gif'"]):
        run("no such file", "--plot", "figure.gif", study=study)
    with refused(naming=["f.pdf"]):
        run("no such file", "--plot", str(tmp_path / "no" / "f.pdf"), study=study)


def test_the_option_draws_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, scores in SCORES.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{score}\n" for score in scores), encoding="utf-8")
    path = tmp_path / "qq.svg"
    files = [str(tmp_path / f"{name}.txt") for name in SCORES]
    run("-n", "20", "-R", "19", "-j", "1", "-m", "scores", "--no-cache", "--plot", str(path), *files, study="calibrate")
    out, err = capsys.readouterr()
    assert "20 datasets" in out
    assert err == f"wrote {path}\n"
    assert "expected p" in path.read_text(encoding="utf-8")
