"""``truegain plan``."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.said import missing

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "src" / "truegain" / "sample"
Command = Callable[..., tuple[int, str, str]]


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
    ("line", "naming"),
    [
        ("", "systems"),
        ("--ref ref.txt", "--ref"),
        ("--docs docs.txt --sd-difference 3", "--docs"),
        ("--ref ref.txt --sd 3 base.txt new.txt", "systems"),
        ("--ref ref.txt --design-effect 2 base.txt new.txt", "systems"),
        ("--sd-difference 3 --documents 10", "pilot"),
        ("--ref ref.txt base.txt", "two 1"),
        ("--sd 1,2,3 --correlation 0.5", "two"),
        ("--sd-difference 8 --segments many", "'many'"),
        ("--sd-difference 8 --gain 0.5;1", "'0.5;1'"),
    ],
)
def test_what_does_not_go_together(refused: Callable[..., str], line: str, naming: str) -> None:
    said = refused("plan", *line.split())
    assert not missing(said, naming), said


def test_the_page_shows_what_its_commands_print(command: Command, folder: Path) -> None:
    for name, held in {"ref": "ref.1", "docs": "docs", "base": "baseline.1", "new": "better.1"}.items():
        (folder / f"{name}.txt").write_bytes((SAMPLE / f"{held}.txt").read_bytes())
    page = (ROOT / "docs" / "plan.md").read_text(encoding="utf-8")
    shown = re.findall(r"```text\n\$ truegain (.*?)\n(.*?)…\n```", page, re.DOTALL)
    assert len(shown) == 2
    for line, text in shown:
        code, out, err = command(*shlex.split(line))
        assert (code, err) == (0, "")
        assert re.sub("[,;]", "", out).startswith(re.sub("[,;]", "", text))
