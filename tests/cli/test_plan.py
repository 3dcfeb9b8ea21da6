"""``truegain plan``."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "src" / "truegain" / "sample"
Command = Callable[..., tuple[int, str, str]]
PAIR = ("base.txt", "new.txt")


def test_from_a_pilot(command: Command) -> None:
    code, out, err = command(
        "plan", "--ref", "ref.txt", "--docs", "docs.txt", "--gain", "2,5", "--documents", "8,30", *PAIR
    )
    assert (code, err) == (0, "")
    assert "24 segments · 8 documents" in out
    assert "power for 2.00" in out
    assert "With 8 documents (about 24 segments) there is 80 % power to detect a gain of" in out


def test_from_assumptions_with_everything(command: Command) -> None:
    options = ("--sd", "12,11", "--correlation", "0.8", "--design-effect", "1.3", "--gain", "0.5", "--power", "0.9")
    more = ("--segments", "1000,2000", "--run-sd", "0.2", "--runs", "3,5", "--alpha", "0.01", "--one-sided")
    code, out, err = command("plan", *options, *more, "-f", "json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["assumptions"] == {
        "sd": [12, 11],
        "correlation": 0.8,
        "sd_difference": pytest.approx(math.sqrt(12**2 + 11**2 - 2 * 0.8 * 12 * 11)),
        "design_effect": 1.3,
        "run_sd": [0.2, 0.2],
    }
    assert (data["power"], data["alpha"], data["one_sided"], data["runs"]) == (0.9, 0.01, True, [3, 5])
    assert [one["units"] for one in data["sizes"]] == [1000, 2000]
    assert data["command"] == "truegain plan " + " ".join((*options, *more))


@pytest.mark.whole
def test_the_figure_is_drawn_at_once_and_from_the_result(command: Command, folder: Path) -> None:
    code, _, err = command("plan", "--sd-difference", "8", "--plot", "one.svg", "-o", "plan.json")
    assert (code, err) == (0, "wrote plan.json\nwrote one.svg\n")
    assert command("plot", "plan.json", "power", "-o", "two.svg")[0] == 0
    assert (folder / "one.svg").read_bytes() == (folder / "two.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "it is not known by how much the difference of two systems varies"),
        (("--ref", "ref.txt"), "--ref is given, and no system"),
        (("--docs", "docs.txt", "--sd-difference", "3"), "--docs is given, and no system"),
        (("--ref", "ref.txt", "--sd", "3", *PAIR), "outputs of two systems show how segments vary"),
        (("--ref", "ref.txt", "--design-effect", "2", *PAIR), "outputs of two systems show how segments vary"),
        (("--sd-difference", "3", "--documents", "10"), "document sizes are unknown without a pilot"),
        (("--ref", "ref.txt", "base.txt"), "a pilot has two systems; got 1"),
        (("--sd", "1,2,3", "--correlation", "0.5"), "is one number, or two"),
    ],
)
def test_what_does_not_go_together(refused: Callable[..., str], arguments: tuple[str, ...], message: str) -> None:
    assert message in refused("plan", *arguments)


def test_lists_that_are_none(command: Command) -> None:
    code, _, err = command("plan", "--sd-difference", "8", "--segments", "many")
    assert code == 2
    assert "'many' is not a list of whole numbers, such as 500,1000,2000" in err
    code, _, err = command("plan", "--sd-difference", "8", "--gain", "0.5;1")
    assert code == 2
    assert "'0.5;1' is not a list of numbers, such as 0.5,1" in err


def test_the_page_shows_what_its_commands_print(command: Command, folder: Path) -> None:
    for name, held in {"ref": "ref.1", "docs": "docs", "base": "baseline.1", "new": "better.1"}.items():
        (folder / f"{name}.txt").write_bytes((SAMPLE / f"{held}.txt").read_bytes())
    page = (ROOT / "docs" / "plan.md").read_text(encoding="utf-8")
    shown = re.findall(r"```text\n\$ truegain (.*?)\n(.*?)…\n```", page, re.DOTALL)
    assert len(shown) == 2
    for line, text in shown:
        code, out, err = command(*shlex.split(line))
        assert (code, err) == (0, "")
        assert out.startswith(text)


def test_the_page_says_what_the_study_found() -> None:
    study = (ROOT / "docs" / "studies" / "planning.md").read_text(encoding="utf-8")
    found = re.search(r"the two are ([0-9.]+) points apart on average", study)
    assert found is not None
    assert f"are {found[1]} points apart on average" in (ROOT / "docs" / "plan.md").read_text(encoding="utf-8")
    assert "More than 3 points beyond: none." in study
